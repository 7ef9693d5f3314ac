/*
 * Meetings: contacts between the elements of skins.
 *
 * Which elements may meet in a step is found when it begins, from how both move, and again in the
 * middle where a node went another way. What was found is put into blocks whose lanes have no node
 * in common, by slabs of space that threads share, so that any number of both gives the same; every
 * sweep ends with it.
 *
 *   meet_elements.c   the elements of all skins in the order of their nodes
 *   meet_find.c       where elements go, and who may meet
 *   meet_near.c       whether two come near each other, compiled once per SIMD width
 *   meet_own.c        which elements nodes have, and triangles speak for
 *   meet_tree.c       trees over the triangles of each skin, and over skins
 *   meet_walk.c       triangles that may touch, by trees
 *   meet_pile.c       their points and edges
 *   meet_list.c       pairs in order
 *   meet_stray.c      pairs of a few nodes that went another way
 *   meet_slab.c       parts of space, for threads
 *   meet_block.c      pairs in blocks, for lanes
 *   meet_loops.c      the projection, compiled once per SIMD width
 *   meet_cross.c      whether a pair has passed through each other
 *   meet_was.c        where nodes were a substep ago
 *   meet.c            what the step calls
 *   meet_calm.c       how fast what came apart at once may be
 *   meet_mark.c       which nodes touched something in a substep
 *   meet_end.c        who has met
 */
#ifndef SN_CONTACT_MEET_H
#define SN_CONTACT_MEET_H

#include "contact/broad.h"
#include "contact/guard.h"
#include "contact/meet_sewn.h"
#include "contact/touch.h"
#include "contact/untangle.h"

enum { SN_MEET_KINDS = 4, SN_MEET_BLOCK = 16, SN_MEET_MOST_NODES = 4 };
enum { SN_MEET_LAYERS = 4, SN_MEET_MOST_SLABS = 32, SN_MEET_MOST_GROUPS = 3 * SN_MEET_MOST_SLABS };

/* Nodes of the first and of the second element of each kind of meeting. */
static const int sn_meet_first[SN_MEET_KINDS] = {1, 1, 1, 2};
static const int sn_meet_second[SN_MEET_KINDS] = {1, 2, 3, 2};

static inline int sn_meet_nodes(int kind) {
    return sn_meet_first[kind] + sn_meet_second[kind];
}

/* What is known of a pair, in rows of 16. What every sweep asks of all pairs lies together. */
typedef enum sn_meet_row {
    SN_MEET_STATIC,   /* friction, 1 */
    SN_MEET_DYNAMIC,  /* friction, 1 */
    SN_MEET_RECOVERY, /* m/s, how fast an overlap ends */
    SN_MEET_BOUNCE,   /* restitution, 1 */
    SN_MEET_CAME,     /* m/s, along the normal before the substep, where they bounce */
    SN_MEET_LIMIT,    /* m, how close they may come; 0 in lanes that are not used */
    /* From here on what goes with a pair that is found again in the middle of a step. */
    SN_MEET_NORMAL, /* of the last touch; the side on which they belong */
    /* 1 where they are on the wrong side. Otherwise, in m and below zero, the overlap that was left
       when they were last looked at: SN_MEET_UNKNOWN before that. */
    SN_MEET_CROSSED = SN_MEET_NORMAL + 3,
    SN_MEET_PUSH,  /* m, along the normals in this substep, all sweeps together */
    SN_MEET_SLIDE, /* m, friction in this substep */
    /* m, what friction has still to take back of all substeps since it holds. */
    SN_MEET_OFFSET = SN_MEET_SLIDE + 3,
    SN_MEET_PRESSURE = SN_MEET_OFFSET + 3, /* N s, of the step so far */
    SN_MEET_IMPULSE,                       /* N s, of the step so far, on the first */
    SN_MEET_ROWS = SN_MEET_IMPULSE + 3
} sn_meet_row;

#define SN_MEET_UNKNOWN (-SN_INFINITY)

/* A pair that was found: elements by their numbers. */
typedef struct sn_meet_pair {
    uint32_t a, b;
    uint32_t slot;  /* block * 16 + lane */
    uint32_t group; /* while they get their blocks */
} sn_meet_pair;

/* Pairs of one kind that may meet in the present step. */
typedef struct sn_meet_set {
    sn_meet_pair *pair; /* ordered by a, then by b */
    size_t count, capacity;
    int32_t *node; /* byte offsets: rows of 16 per block, as many as the kind has nodes */
    sn_real *row;  /* SN_MEET_ROWS rows of 16 per block */
    size_t blocks, node_capacity, row_capacity;
    /* Groups of pairs: within each slab, across the halves of each cut between two, and what is
       left. Of every round, which is what was found together, the blocks where its groups begin,
       and the end. */
    size_t *first;
    size_t slabs, rounds, first_capacity;
} sn_meet_set;

/* The first group of a layer, whose groups have no node in common that they can move: within slabs,
   across every other cut, across the others, and what is left. */
static inline size_t sn_meet_layer(const sn_meet_set *set, int layer) {
    const size_t first[SN_MEET_LAYERS + 1] = {0, set->slabs, set->slabs + set->slabs / 2 * 2,
                                              3 * set->slabs - 2, 3 * set->slabs - 1};
    return first[layer];
}

static inline size_t sn_meet_groups(const sn_meet_set *set) {
    return sn_meet_layer(set, SN_MEET_LAYERS);
}

/* Elements of one kind: slots of nodes, in their order. */
typedef struct sn_meet_elements {
    uint32_t *node;
    size_t count, capacity;
    sn_vec4 *low, *high; /* m, the boxes in which they are during the step */
    size_t box_capacity;
    uint32_t *at; /* of those that belong to no triangle: their numbers in the whole list */
    size_t at_capacity;
} sn_meet_elements;

typedef enum sn_meet_list {
    SN_MEET_LONE,    /* nodes that collide as balls alone */
    SN_MEET_POINT,   /* all nodes */
    SN_MEET_LOOSE,   /* nodes that belong to no triangle */
    SN_MEET_SEGMENT, /* edges that belong to no triangle */
    SN_MEET_EDGE,    /* all edges */
    SN_MEET_TRIANGLE,
    SN_MEET_LISTS
} sn_meet_list;

/* A node of the trees over triangles, as walks want it. */
typedef struct sn_meet_tree_node {
    sn_vec4 low, high; /* m, where its triangles are during the step */
    uint32_t first;    /* of a leaf, in `leaf`; the second child of others, whose first follows */
    uint32_t count;    /* triangles of a leaf; 0: not a leaf */
    uint32_t parent;   /* UINT32_MAX: none */
    sn_real size;      /* m, all three edges of the box together, when pairs were found */
} sn_meet_tree_node;

/* What tells whether its triangles are one flat piece. */
typedef struct sn_meet_tree_shape {
    sn_vec4 rest_low, rest_high;     /* m, where they are at rest */
    sn_vec4 normal_low, normal_high; /* around their normals, of length 1 */
    sn_real radius;                  /* m, the largest of its nodes */
} sn_meet_tree_shape;

/* A triangle in the order of the leaves, and up to three points and edges that it speaks for;
   UINT32_MAX ends them. */
typedef struct sn_meet_leaf {
    uint32_t triangle;
    uint32_t point[3], edge[3];
    uint32_t node; /* of the tree */
} sn_meet_leaf;

/* Nodes of the tree from begin to end: all that is below the first. */
typedef struct sn_meet_branch {
    uint32_t begin, end, skin;
} sn_meet_branch;

/* Two nodes of trees below which something may touch. */
typedef struct sn_meet_two {
    uint32_t a, b;
    uint32_t leaves_out; /* 1 where what is flat is left out, 0 otherwise */
} sn_meet_two;

/* What is divided when a tree is made. */
typedef struct sn_meet_key {
    sn_real middle[3]; /* three times that of the triangle at rest, or of a skin; m */
    uint32_t item;
} sn_meet_key;

typedef struct sn_meet_tree {
    sn_meet_tree_node *node;
    sn_meet_tree_shape *shape; /* of every node, where the skin collides with itself */
    size_t count;
    sn_meet_leaf *leaf;
    sn_meet_key *key;       /* scratch of making */
    uint32_t *place;        /* of every triangle: where it is in `leaf` */
    uint32_t *some;         /* triangles that have strayed */
    uint8_t *strays;        /* of every node: whether one of them is below it */
    bool partial;           /* whether those alone are walked */
    sn_meet_branch *branch; /* parts of trees that threads share */
    uint32_t *upper;        /* nodes above those, downwards */
    size_t somes, branches, uppers;
    size_t capacity; /* triangles */
    uint32_t *root;  /* of every skin, UINT32_MAX for none */
    uint32_t *begin; /* of the triangles of every skin */
    /* A tree over the trees, made whenever pairs are found: a leaf is a skin; of every skin which
       leaf it is. */
    sn_meet_tree_node *top;
    sn_meet_key *top_key;
    uint32_t *top_of;
    size_t tops;
    size_t skin_capacity;
    uint32_t *point_owner; /* which triangle speaks for it */
    uint32_t *edge_owner;
    size_t point_capacity, edge_capacity;
    sn_meet_two *task, *next; /* pairs of nodes to be walked, and scratch */
    size_t tasks, task_capacity, next_capacity;
} sn_meet_tree;

/* Which edges and triangles every node has: those of node i are item[begin[i]] .. item[begin[i + 1]
   - 1], ascending. */
typedef struct sn_meet_around {
    uint32_t *begin, *item;
    size_t begin_capacity, item_capacity;
} sn_meet_around;

/* Edges between nodes that collide as balls, and of every such node those at the other ends. */
typedef struct sn_meet_bonds {
    uint32_t *edge;
    size_t count, capacity;
    sn_meet_around of;
} sn_meet_bonds;

/* What a node is expected to do until pairs are found again. */
typedef struct sn_meet_way {
    sn_vec4 from; /* m, where it is; its radius */
    sn_vec4 way;  /* m, where it goes, relative to the mean motion; by how much it may be off */
} sn_meet_way;

/* Pairs of a kind whose elements belong to triangles, in any order. */
typedef struct sn_meet_heap {
    sn_broad_pair *pair;
    size_t count, capacity;
} sn_meet_heap;

/* Of every node, as the arrays of nodes have it: where it was when the present substep began, and
   the one before. */
typedef struct sn_meet_was {
    sn_vec4 *x[2], *p[2]; /* m */
    sn_vec4 *moved;       /* m, from the one to the other; of the node that is none too */
    size_t capacity;
    int now;    /* which of two is of the present substep */
    bool known; /* whether there was one before in this step */
} sn_meet_was;

/* Parts of space. */
typedef struct sn_meet_slabs {
    uint8_t *of_node; /* twice the slab, and one more in the second half of space */
    size_t capacity, count;
    bool lost; /* whether they are not those of the sets, as there was no memory */
} sn_meet_slabs;

/* Of the present step; the contact code owns it, the world only knows that it is there. */
typedef struct sn_meets {
    sn_meet_elements list[SN_MEET_LISTS];
    sn_broad broad[SN_MEET_KINDS];
    sn_meet_tree tree;
    sn_meet_around edges_of, triangles_of;
    sn_meet_bonds bonds;
    uint32_t *point_of; /* of every node: its number in the list of points */
    size_t point_capacity;
    sn_meet_heap heap[SN_MEET_KINDS];
    uint32_t *partner, *place; /* scratch of sorting */
    size_t partner_capacity, place_capacity;
    sn_meet_set set[SN_MEET_KINDS], old[SN_MEET_KINDS]; /* old: before they were found again */
    sn_meet_way *way; /* of every node: what is expected of it, as the search wants it */
    uint8_t *strayed; /* of every node: whether it has left its slack */
    uint32_t *stray;  /* those that have, in the order of points */
    size_t strays, node_capacity;
    sn_meet_was was;
    sn_vec4 *low, *high; /* scratch: boxes of some elements */
    size_t box_capacity;
    sn_meet_pair *fresh; /* scratch: new pairs */
    sn_vec4 *side;       /* scratch: of pairs, the normal, and m, how close they may come */
    size_t fresh_capacity, side_capacity;
    double dt, h;   /* s, of the step and of a substep */
    double size;    /* m, the mean length of the edges at rest */
    uint64_t *mark; /* scratch: per node */
    size_t mark_capacity;
    sn_meet_slabs slabs;
    uint64_t *taken; /* scratch: of every node, four times, which open blocks have it */
    uint32_t *order; /* scratch: pairs by groups */
    size_t taken_capacity, order_capacity;
    sn_vec4 *stuck; /* m, of each of these: see the skins */
    size_t stuck_capacity;
    sn_meeting *meeting; /* of the step, while the last one's are still needed */
    size_t meeting_capacity;
    bool bounces; /* whether a pair has restitution */
    size_t finds; /* in this step */
    bool listed;  /* whether the sets are those of the reach */
    bool whole;   /* whether nothing was found since it was */
    sn_meet_sewn sewn;
    sn_guard guard;
    sn_untangle untangle;
} sn_meets;

/* ---- What the step calls; nothing is done where no skins can meet ---- */

/* Finds the pairs of a step of dt (s) in substeps of h (s); false when there is no memory. */
bool sn_meet_plan(sn_world *world, double dt, double h);
/* The beginning of a substep, after the prediction. */
void sn_meet_substep(sn_world *world, const sn_moment *moment);
/* After every sweep over the constraints; `first` in the first one of a substep, `last` in the
 * last.
 */
void sn_meet_project(sn_world *world, const sn_moment *moment, bool first, bool last);
/* After all sweeps: what came apart at once is not faster for it. */
void sn_meet_calm(sn_world *world, const sn_moment *moment);
/* After the update of velocities: what bounces. */
void sn_meet_bounce(sn_world *world, const sn_moment *moment);
/* Where somebody asks, at the end of a substep: which nodes touched something in it, skins or
   colliders. */
void sn_meet_mark(sn_world *world);
/* Whether velocities are needed between substeps. */
bool sn_meet_bounces(const sn_world *world);
/* Who has met in the step. */
void sn_meet_end(sn_world *world);

/* ---- Between the files ---- */

bool sn_meet_is_needed(const sn_world *world);
/* Brings the lists of elements up to date. */
bool sn_meet_update_elements(sn_world *world, sn_meets *meets);
/* Finds the pairs of what is left of a step (s), into `broad`; h (s) is that of the substep that
   has begun, or 0 before the first. */
bool sn_meet_find(sn_world *world, sn_meets *meets, double time, double h);
/* Finds the pairs of the reach again. */
bool sn_meet_find_kept(sn_world *world, sn_meets *meets);
/* Makes pairs that are used again as if they were found now. */
void sn_meet_renew(sn_world *world, sn_meets *meets);
/* Makes sets of what was found. */
bool sn_meet_pack(sn_world *world, sn_meets *meets);
/* Adds the pairs in `fresh` to the blocks of a set, as another round. */
bool sn_meet_pack_fresh(sn_world *world, sn_meets *meets, int kind, size_t count);
/* meet_slab.c: slabs for the pairs that are listed; false when there is no memory. */
bool sn_meet_slabs_make(sn_world *world, sn_meets *meets);
/* The group of a pair of a set. */
uint32_t sn_meet_group_of(const sn_world *world, const sn_meet_set *set, const uint32_t *node,
                          int nodes);
/* Room for a meeting of every pair there is and of `more`; false when there is no memory. */
bool sn_meet_reserve_meetings(sn_world *world, sn_meets *meets, size_t more);
/* Finds the pairs of nodes that have strayed, for `time` (s), and adds them to the sets; h and
   `since` (s) as of a motion. False when there is no memory. */
bool sn_meet_find_strays(sn_world *world, sn_meets *meets, double time, double h, double since);
/* The same of those that are marked as strayed, in the present substep. */
bool sn_meet_follow_strays(sn_world *world, const sn_moment *moment);
/* Which pairs were on the wrong side of each other when the last step ended. */
void sn_meet_recall(sn_world *world, sn_meets *meets);

/* The lists that the elements of a kind are numbers of; and those that the broad phase searches,
   where what belongs to triangles is left to the trees. */
static const sn_meet_list sn_meet_whole_first[SN_MEET_KINDS] = {SN_MEET_LONE, SN_MEET_LONE,
                                                                SN_MEET_POINT, SN_MEET_EDGE};
static const sn_meet_list sn_meet_whole_second[SN_MEET_KINDS] = {SN_MEET_LONE, SN_MEET_SEGMENT,
                                                                 SN_MEET_TRIANGLE, SN_MEET_EDGE};
static const sn_meet_list sn_meet_first_list[SN_MEET_KINDS] = {SN_MEET_LONE, SN_MEET_LONE,
                                                               SN_MEET_LOOSE, SN_MEET_SEGMENT};
static const sn_meet_list sn_meet_second_list[SN_MEET_KINDS] = {SN_MEET_LONE, SN_MEET_SEGMENT,
                                                                SN_MEET_TRIANGLE, SN_MEET_EDGE};

/* meet_own.c: which elements every node has; who speaks for points and edges. */
bool sn_meet_list_around(sn_world *world, sn_meets *meets);
void sn_meet_own(sn_meets *meets);

/* meet_tree.c: trees, and where they go. */
bool sn_meet_tree_reserve(sn_world *world, sn_meets *meets);
void sn_meet_tree_free(sn_meet_tree *tree, sn_memory *memory);
void sn_meet_tree_make(const sn_world *world, sn_meets *meets);
void sn_meet_tree_fit(const sn_world *world, sn_meets *meets);
/* The same where some triangles have strayed: what is above them. */
void sn_meet_tree_fit_some(const sn_world *world, sn_meets *meets);

/* meet_walk.c: which points and edges of triangles may meet, into `heap`, as `accept` of their kind
   tells; of all of them, or where one is of those that have strayed. False when there is no memory.
 */
bool sn_meet_walk(sn_world *world, sn_meets *meets, sn_broad_accept *const *accept,
                  const void *context);
bool sn_meet_walk_some(sn_world *world, sn_meets *meets, sn_broad_accept *const *accept,
                       const void *context);

/* meet_list.c: all pairs of a kind. */
bool sn_meet_list_pairs(sn_world *world, sn_meets *meets, int kind);
/* Two elements of the lists that the broad phase searches, by their numbers in the whole lists. */
sn_broad_pair sn_meet_loose_pair(const sn_meets *meets, int kind, uint32_t i, uint32_t b);
/* Adds what the broad phase has found of a kind to the heap. */
bool sn_meet_add_loose(sn_world *world, sn_meets *meets, int kind);
/* Puts the pairs of the heap in order, each once, into `fresh`; returns how many are not in the set
   yet, or SIZE_MAX when there is no memory. */
size_t sn_meet_list_fresh(sn_world *world, sn_meets *meets, int kind);
/* Adds these to the list of a set, for which there is room. */
void sn_meet_merge_fresh(sn_meets *meets, int kind, size_t count);

/* The nodes of a pair, the first element's first. */
static inline void sn_meet_pair_nodes(const sn_meets *m, int kind, uint32_t a, uint32_t b,
                                      uint32_t node[SN_MEET_MOST_NODES]) {
    int first = sn_meet_first[kind], second = sn_meet_second[kind];
    const uint32_t *one = m->list[sn_meet_whole_first[kind]].node + (size_t)a * (size_t)first;
    const uint32_t *two = m->list[sn_meet_whole_second[kind]].node + (size_t)b * (size_t)second;
    for (int i = 0; i < first; i++) node[i] = one[i];
    for (int i = 0; i < second; i++) node[first + i] = two[i];
}

/* Whether an edge of their skin joins two nodes that collide as balls. */
static inline bool sn_meet_are_bound(const sn_meet_bonds *bonds, uint32_t a, uint32_t b) {
    bool bound = false;
    for (uint32_t i = bonds->of.begin[a]; i < bonds->of.begin[a + 1]; i++)
        bound |= bonds->of.item[i] == b;
    return bound;
}

/* A row of a slot, and the offset of one of its nodes. */
static inline sn_real *sn_meet_at(const sn_meet_set *set, uint32_t slot, int row) {
    return set->row +
           ((size_t)(slot / SN_MEET_BLOCK) * SN_MEET_ROWS + (size_t)row) * SN_MEET_BLOCK +
           slot % SN_MEET_BLOCK;
}
static inline int32_t *sn_meet_node_at(const sn_meet_set *set, int kind, uint32_t slot, int n) {
    size_t nodes = (size_t)sn_meet_nodes(kind);
    return set->node + ((size_t)(slot / SN_MEET_BLOCK) * nodes + (size_t)n) * SN_MEET_BLOCK +
           slot % SN_MEET_BLOCK;
}

/* ---- Loops ---- */

/* What the loops see of a set. */
typedef struct sn_meet_batch {
    const sn_vec4 *x, *p; /* as of nodes */
    sn_vec4 *d;
    const sn_vec4 *was_x, *was_p; /* the same when the substep before began; null: not known */
    const sn_vec4 *moved;         /* m, the motion of nodes in that one */
    const sn_real *w;
    const int32_t *node;
    sn_real *row;
    sn_real h;  /* s */
    bool first; /* in the first sweep of a substep */
    bool last;
} sn_meet_batch;

/* Projects the blocks begin to end of a set of one kind. */
typedef void sn_meet_loop(const sn_meet_batch *batch, size_t begin, size_t end);
typedef struct sn_meet_loops {
    sn_meet_loop *project[SN_MEET_KINDS];
} sn_meet_loops;
const sn_meet_loops *sn_meet_loops_of(sn_width width);

/* What is asked of many pairs at once: of elements by the slots of their nodes. */
typedef struct sn_meet_near {
    const sn_meet_way *way;
    const sn_vec4 *x, *p, *rest; /* as of nodes and skins */
    const sn_real *radius;
    const uint32_t *skin;           /* of every node */
    const uint32_t *first, *second; /* nodes of the first and of the second elements */
} sn_meet_near;

/* Leaves the pairs that share no node and may come near each other; returns how many. */
typedef size_t sn_meet_sift(const sn_meet_near *near, sn_broad_pair *pairs, size_t count);
/* Normals of pairs, and how close they may come; their slots become 1 where they are further apart
   than a little more, and 0 otherwise. */
typedef void sn_meet_measure(const sn_meet_near *near, sn_meet_pair *pair, sn_vec4 *side,
                             size_t count);
typedef struct sn_meet_nears {
    sn_meet_sift *sift[SN_MEET_KINDS];
    sn_meet_measure *measure[SN_MEET_KINDS];
} sn_meet_nears;
const sn_meet_nears *sn_meet_nears_of(sn_width width);
/* Of a kind, whose elements are those of two lists. */
sn_meet_near sn_meet_near_of(const sn_world *world, const sn_meet_elements *first,
                             const sn_meet_elements *second);

typedef enum sn_meet_crossing {
    SN_MEET_APART,        /* each is on its side */
    SN_MEET_LEFT_CROSSED, /* they have been on the wrong side for longer */
    SN_MEET_PASSES,       /* they pass in this substep */
    SN_MEET_HAD_PASSED    /* others pushed them through each other in the one before */
} sn_meet_crossing;

/* Whether the pair in a lane has passed through each other, so that its normal says where it
   belongs; makes the normal anew where it has not. Weights are those of the nearest points, and
   become those of the points that met where it has passed lately. */
sn_meet_crossing sn_meet_has_crossed(const sn_meet_batch *batch, int kind, size_t block,
                                     size_t lane, sn_real weight[SN_MEET_MOST_NODES]);
/* Projects the pair of a single lane. */
void sn_meet_project_lane(const sn_meet_batch *batch, int kind, size_t block, size_t lane);

/* ---- meet_was.c ---- */

/* Room for the nodes there are now; false when there is no memory. */
bool sn_meet_was_reserve(sn_world *world, sn_meet_was *was);
void sn_meet_was_free(sn_meet_was *was, sn_memory *memory);
/* When a substep begins. */
void sn_meet_was_note(sn_world *world, const sn_moment *moment);

#endif
