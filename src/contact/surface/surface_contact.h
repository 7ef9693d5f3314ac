/*
 * Contacts between the elements of collision surfaces.
 *
 * Which elements may touch in a step is found when it begins, from how both move, and again in the
 * middle where a node left its predicted bounds. What was found is put into blocks whose lanes have
 * no node in common, by slabs of space that threads share, so that any number of both gives the
 * same; in every iteration it is solved after all constraints.
 *
 *   surface_elements.c        the elements of all collision surfaces in the order of their nodes
 *   surface_pairs.c           where elements go, and who may touch
 *   separation_test.h         whether two come near each other, in lanes
 *   feature_owner.c           which elements nodes have, and triangles own
 *   surface_bvh.c             trees over the triangles of each collision surface, and over these
 *   feature_fours.c           points, edges and triangles of leaves, several side by side
 *   feature_compare.c         which of two leaves may come near each other
 *   rest_tables.c             how far those are apart at rest
 *   surface_bvh_traverse.c    triangles that may touch, by trees
 *   pair_buffer.c             their points and edges
 *   pair_lists.c              pairs in order
 *   refit_moved.c             pairs of a few nodes that left their bounds
 *   surface_contact_rows.c    what was found becomes sets
 *   surface_contact_solve.h   geometry in a sweep, in lanes
 *   point_point_contact.c     a kind each, compiled once per SIMD width (surface_kind.inl)
 *   point_segment_contact.c
 *   point_triangle_contact.c
 *   edge_edge_contact.c
 *   crossed_pairs.c           whether a pair has passed through each other
 *   tangled_pairs.c           contacts of what passes through each other do not recover
 *   previous_positions.c      where nodes were a substep ago
 *   surface_contact.c         what the contact system calls
 *   layered_pairs.c           which side is out of what is worn over each other
 *   placed_pairs.c            what is recalled of pairs whose nodes a call has placed elsewhere
 *   restitution.c             impacts, and how fast what bounces parts
 *   separation_velocity.c     how fast what came apart at once may be
 *   surface_crossings.c       how many edges pass through triangles, when somebody asks
 *   surface_contact_events.c  who touched, and who goes on from the step before
 */
#ifndef SN_CONTACT_SURFACE_SURFACE_CONTACT_H
#define SN_CONTACT_SURFACE_SURFACE_CONTACT_H

#include "collision/broad_phase/broad_phase.h"
#include "collision/period.h"
#include "contact/contact_events.h"
#include "contact/contact_partition.h"
#include "contact/contacts.h"
#include "contact/surface/contact_exclusion.h"

/* Elements of one kind: slots of nodes, in their order. */
typedef struct sn_surface_elements {
    uint32_t *node;
    size_t count, capacity;
    sn_vec4 *low, *high; /* m, the boxes in which they are during the step */
    size_t box_capacity;
    uint32_t *at; /* of those that belong to no triangle: their numbers in the whole list */
    size_t at_capacity;
} sn_surface_elements;

typedef enum sn_surface_contact_list {
    SN_SURFACE_CONTACT_LONE,    /* nodes that collide as balls alone */
    SN_SURFACE_CONTACT_POINT,   /* all nodes */
    SN_SURFACE_CONTACT_LOOSE,   /* nodes that belong to no triangle */
    SN_SURFACE_CONTACT_SEGMENT, /* edges that belong to no triangle */
    SN_SURFACE_CONTACT_EDGE,    /* all edges */
    SN_SURFACE_CONTACT_TRIANGLE,
    SN_SURFACE_CONTACT_LISTS
} sn_surface_contact_list;

/* A node of the trees over triangles, as walks want it. */
typedef struct sn_surface_bvh_node {
    sn_vec4 low, high; /* m, where its triangles are during the step */
    uint32_t first;    /* of a leaf, in `leaf`; the second child of others, whose first follows */
    uint32_t count;    /* triangles of a leaf; 0: not a leaf */
    uint32_t parent;   /* UINT32_MAX: none */
    sn_real size;      /* m, all three edges of the box together, when pairs were found */
} sn_surface_bvh_node;

/* Where some of its triangles are. */
typedef struct sn_surface_bvh_box {
    sn_vec4 low, high; /* m */
} sn_surface_bvh_box;

/* What tells whether its triangles are one flat piece. */
typedef struct sn_surface_bvh_shape {
    sn_vec4 rest_low, rest_high;     /* m, where they are at rest */
    sn_vec4 normal_low, normal_high; /* around their normals, of length 1 */
    sn_real radius;                  /* m, the largest of its nodes */
} sn_surface_bvh_shape;

/* A triangle in the order of the leaves, and up to three points and edges that it speaks for;
   UINT32_MAX ends them. */
typedef struct sn_surface_contact_leaf {
    uint32_t triangle;
    uint32_t point[3], edge[3];
    uint32_t only[2]; /* itself */
    uint32_t node;    /* of the tree */
} sn_surface_contact_leaf;

/* What leaves of trees consist of. A feature has one node more than its number says. */
enum { SN_FEATURE_POINT, SN_FEATURE_EDGE, SN_FEATURE_TRIANGLE, SN_FEATURES };
/* Triangles of a leaf, and the most features of a kind that they can speak for. */
enum { SN_LEAF_TRIANGLES = 8, SN_FEATURE_MOST = 3 * SN_LEAF_TRIANGLES };
/* Features of a block, as many as the widest registers take that compare them (feature_compare.c);
   and its fours. */
#if defined(__x86_64__) && !defined(SN_DOUBLE) && !defined(SN_FEW_LANES)
#define SN_FEATURE_LANES 8
#else
#define SN_FEATURE_LANES 4
#endif
enum { SN_FEATURE_FOURS = SN_FEATURE_LANES / 4 };

/* Features side by side: what all are compared by, what those are that are near, and, four by four,
   what never changes. Apart from each other, as each is asked for by fewer than the one before. */
typedef struct sn_feature_box {
    /* m, around the paths of their nodes; nowhere where there is none */
    sn_v4 low[3][SN_FEATURE_FOURS], high[3][SN_FEATURE_FOURS];
    sn_v4 slack[SN_FEATURE_FOURS], radius[SN_FEATURE_FOURS]; /* m, the most of their nodes */
} sn_feature_box;

typedef struct sn_feature_path {
    struct {
        sn_v4 from[3][SN_FEATURE_FOURS], to[3][SN_FEATURE_FOURS]; /* m, where it begins and ends */
    } of[3];                                                      /* every node */
    /* Numbers of features; all bits where one of their nodes has moved. */
    sn_v4_bits item[SN_FEATURE_FOURS], moved[SN_FEATURE_FOURS];
} sn_feature_path;

typedef struct sn_feature_rest {
    sn_v4 at[3][3];           /* m, of every node */
    sn_v4_bits node[3], item; /* their slots, -1: none; the numbers of features */
} sn_feature_rest;

/* The same of many blocks, or from one of them on. */
typedef struct sn_feature_blocks {
    sn_feature_box *box;
    sn_feature_path *path;
    sn_feature_rest *rest;
} sn_feature_blocks;

static inline sn_feature_blocks sn_feature_blocks_at(sn_feature_blocks block, size_t i) {
    return (sn_feature_blocks){block.box + i, block.path + i, block.rest + i * SN_FEATURE_FOURS};
}

/* Where the features of a leaf are: of every kind the first block, and how many fours it has. */
typedef struct sn_feature_range {
    uint32_t begin[SN_FEATURES], fours[SN_FEATURES];
    uint32_t surface;
    uint32_t leaf; /* its number among leaves */
} sn_feature_range;

/* What is compared of two leaves, and has a table each. */
enum { SN_REST_EDGES, SN_REST_POINTS, SN_REST_POINTS_OF_SECOND, SN_REST_KINDS };
/* Tables of a leaf with others that it is the first of, by hashing: whose, and where they begin. */
enum { SN_REST_LEAVES = 64 };
typedef struct sn_rest_entry {
    atomic_uint whose; /* 1 + the other leaf; 0: none */
    uint32_t begin[SN_REST_KINDS];
} sn_rest_entry;

typedef struct sn_rest_list {
    sn_rest_entry with[SN_REST_LEAVES];
} sn_rest_list;

/*
 * How far features of two leaves are apart at rest, which is asked for in every find and never
 * changes (rest_tables.h). Threads add to it while they walk, each what it alone asks for.
 */
typedef struct sn_rest_tables {
    sn_v4 *room; /* as rest_tables.h says, by rows and columns */
    size_t capacity;
    atomic_size_t taken;
    sn_rest_list *of; /* of every leaf */
    size_t list_capacity;
} sn_rest_tables;

/* Nodes of the tree from begin to end: all that is below the first. */
typedef struct sn_surface_contact_branch {
    uint32_t begin, end, surface;
} sn_surface_contact_branch;

/* Two nodes of trees below which something may touch. */
typedef struct sn_surface_pair_two {
    uint32_t a, b;
    uint32_t leaves_out; /* 1 where what is flat is left out, 0 otherwise */
} sn_surface_pair_two;

/* Two leaves of trees that may touch, or one that may touch itself. */
typedef struct sn_surface_leaf_pair {
    uint32_t a, b;
} sn_surface_leaf_pair;

/* Of a leaf, whether its features are where they go: this is only found for those that somebody
   asks for. */
enum { SN_LEAF_UNPLACED, SN_LEAF_ASKED, SN_LEAF_PLACED };

/* What is divided when a tree is made. */
typedef struct sn_surface_pair_key {
    sn_real middle[3]; /* three times that of the triangle at rest, or of a collision surface; m */
    uint32_t item;
} sn_surface_pair_key;

typedef struct sn_surface_bvh {
    sn_surface_bvh_node *node;
    sn_surface_bvh_shape
        *shape; /* of every node, where the collision surface collides with itself */
    size_t count;
    sn_surface_contact_leaf *leaf;
    sn_feature_range *range; /* of every node that is a leaf */
    uint32_t leaves;
    sn_feature_blocks block;
    size_t block_capacity;
    atomic_uchar *placed; /* of every node that is a leaf, as said above */
    sn_rest_tables rests;
    sn_surface_pair_key *key;          /* scratch of making */
    uint32_t *place;                   /* of every triangle: where it is in `leaf` */
    uint32_t *some;                    /* triangles that have moved */
    uint8_t *moved;                    /* of every node: whether one of them is below it */
    sn_surface_bvh_box *of_moved;      /* of every node that has some: around these alone */
    bool partial;                      /* whether those alone are walked */
    sn_surface_contact_branch *branch; /* parts of trees that threads share */
    uint32_t *upper;                   /* nodes above those, downwards */
    size_t somes, branches, uppers;
    size_t capacity; /* triangles */
    uint32_t *root;  /* of every collision surface, UINT32_MAX for none */
    uint32_t *begin; /* of the triangles of every collision surface */
    /* A tree over the trees, made whenever pairs are found: a leaf is a collision surface; of every
       collision surface which leaf it is. */
    sn_surface_bvh_node *top;
    sn_surface_pair_key *top_key;
    uint32_t *top_of;
    size_t tops;
    size_t surface_capacity;
    uint32_t *point_owner; /* which triangle speaks for it */
    uint32_t *edge_owner;
    size_t point_capacity, edge_capacity;
    sn_surface_pair_two *task, *next; /* pairs of nodes to be walked, and scratch */
    size_t tasks, task_capacity, next_capacity;
    sn_surface_leaf_pair *met; /* leaves that may touch, in any order */
    size_t met_count, met_capacity;
} sn_surface_bvh;

/* Which edges and triangles every node has: those of node i are item[begin[i]] .. item[begin[i + 1]
   - 1], ascending. */
typedef struct sn_surface_contact_around {
    uint32_t *begin, *item;
    size_t begin_capacity, item_capacity;
} sn_surface_contact_around;

/* Edges between nodes that collide as balls: the ends with the higher numbers, then the others; and
   of every node those at the other ends that have lower numbers. */
typedef struct sn_surface_pair_bonds {
    uint32_t *end;
    size_t count, capacity;
    sn_surface_contact_around of;
} sn_surface_pair_bonds;

/* What a node is expected to do until pairs are found again. */
typedef struct sn_expected_motion {
    sn_vec4 from; /* m, where it is; its radius */
    sn_vec4
        displacement; /* m, where it goes, relative to the mean motion; by how much it may be off */
} sn_expected_motion;

/* Pairs of a kind whose elements belong to triangles, in any order. */
typedef struct sn_surface_contact_heap {
    sn_broad_pair *pair;
    size_t count, capacity;
} sn_surface_contact_heap;

/* Of every node, as the arrays of nodes have it: where it was when the present substep began, and
   the one before. */
typedef struct sn_previous_positions {
    sn_vec4 *x[2], *p[2]; /* m */
    sn_vec4 *moved;       /* m, from the one to the other; of the node that is none too */
    size_t capacity;
    int now;    /* which of two is of the present substep */
    bool known; /* whether there was one before in this step */
} sn_previous_positions;

/* Of the present step. */
/* Balls of a periodic world beyond its sides (image_pairs.c): with their numbers in the list of
   lone nodes, and how far they are from there (m). */
typedef struct sn_image_pairs {
    sn_surface_elements list;
    sn_vec4 *shift;
    size_t shift_capacity;
    sn_broad broad;
} sn_image_pairs;

void sn_image_pairs_free(sn_image_pairs *image, sn_memory *memory);

typedef struct sn_surface_contacts {
    sn_surface_elements list[SN_SURFACE_CONTACT_LISTS];
    sn_broad broad[SN_SURFACE_CONTACT_KINDS];
    sn_image_pairs image;
    sn_surface_bvh tree;
    sn_surface_contact_around edges_of, triangles_of;
    sn_surface_pair_bonds bonds;
    uint32_t *point_of; /* of every node: its number in the list of points */
    size_t point_capacity;
    sn_surface_contact_heap heap[SN_SURFACE_CONTACT_KINDS];
    uint32_t *partner, *place; /* scratch of sorting */
    size_t partner_capacity, place_capacity;
    sn_contact_set *set, *old; /* those of the contacts, by kind (contacts.h) */
    sn_expected_motion
        *displacement; /* of every node: what is expected of it, as the search wants it */
    uint8_t *is_moved; /* of every node: whether it has left its slack */
    uint32_t *moved;   /* those that have, in the order of points */
    size_t moved_count, node_capacity;
    sn_previous_positions was;
    sn_vec4 *low, *high; /* scratch: boxes of some elements */
    size_t box_capacity;
    sn_contact_pair *fresh; /* scratch: new pairs */
    sn_vec4 *side;          /* scratch: of pairs, the normal, and m, how close they may come */
    size_t fresh_capacity, side_capacity;
    double dt, h;   /* s, of the step and of a substep */
    double size;    /* m, the mean length of the edges at rest */
    uint64_t *mark; /* scratch: per node */
    size_t mark_capacity;
    sn_contact_partition partition;
    bool layered;    /* some collision surface has a layer */
    bool bounces;    /* whether a pair has restitution; then, of every node, */
    sn_vec4 *flight; /* m/s, how it goes on without contacts, and after impacts between them */
    sn_vec4 *given;  /* m/s, of what impacts have more than the sweeps gave; scratch */
    size_t flight_capacity, given_capacity;
    /* Scratch: the pairs that bounce and are pushed, kind by kind, and where those of each end. */
    uint32_t *struck;
    size_t struck_end[SN_SURFACE_CONTACT_KINDS], struck_capacity;
    size_t finds; /* in this step */
    double again; /* pairs that were looked at by finds after its beginning */
    double swept; /* pairs that the motion limiter has followed on their paths */
    bool listed;  /* whether the sets are those of the reach */
    bool whole;   /* whether nothing was found since it was */
    sn_contact_exclusion exclusion;
    /* Of every node, when the step began: whether it is of an edge in a triangle, or of that. */
    atomic_uchar *tangled;
    size_t tangled_capacity;
    bool has_tangles; /* whether one is */
} sn_surface_contacts;

/* ---- What the step calls; nothing is done where no collision surfaces can touch ---- */

void sn_surface_contacts_free(sn_surface_contacts *surface_contacts, sn_memory *memory);
/* Finds the pairs of a step of dt (s) in substeps of h (s); false when there is no memory. */
bool sn_surface_contact_plan(sn_world *world, double dt, double h);
/* The beginning of a substep, after the prediction. */
void sn_surface_contact_detect(sn_world *world, const sn_substep *substep);
/* After every sweep over the constraints; `first` in the first one of a substep, `last` in the
   last. */
void sn_surface_contact_project(sn_world *world, const sn_substep *substep, bool first, bool last);
/* After all sweeps: recovery is no velocity, and what came apart at once is not faster for it. */
void sn_surface_contact_recover(sn_world *world, const sn_substep *substep);
void sn_limit_separation_velocity(sn_world *world, const sn_substep *substep);
/* After the update of velocities: what bounces. */
void sn_surface_contact_bounce(sn_world *world, const sn_substep *substep);
/* Whether velocities are needed between substeps. */
bool sn_surface_contact_bounces(const sn_world *world);
/* Room for the pairs there are and so many more, where some bounce; false without memory. */
bool sn_surface_restitution_reserve(sn_world *world, sn_surface_contacts *surface_contacts,
                                    size_t more);
/* When a substep begins, and when it has been swept: impacts are played through. */
void sn_surface_restitution_begin(sn_world *world, double h);
void sn_surface_restitution_strike(sn_world *world, double h);
/* Between steps: how many edges pass through triangles, where the surfaces collide. */
sn_result sn_surface_crossings_count(const sn_world *world, size_t *count);
/* Who touched in the step. */
void sn_surface_contact_end(sn_world *world);

/* ---- Between the files ---- */

bool sn_surface_contact_is_needed(const sn_world *world);
/* Brings the lists of elements up to date. */
bool sn_surface_elements_update(sn_world *world, sn_surface_contacts *surface_contacts);
/* Finds the pairs of what is left of a step (s), into `broad`; h (s) is that of the substep that
   has begun, or 0 before the first. */
bool sn_surface_contact_find(sn_world *world, sn_surface_contacts *surface_contacts, double time,
                             double h);
/* Finds the pairs of the reach again. */
bool sn_surface_contact_find_kept(sn_world *world, sn_surface_contacts *surface_contacts);
/* Makes pairs that are used again as if they were found now. */
void sn_surface_contact_renew(sn_world *world, sn_surface_contacts *surface_contacts);
/* How many pairs a step may find again in its substeps: as many as it may begin with, and some for
   every element in every substep. In scenes it is less than one. */
double sn_surface_contact_most_work(const sn_surface_contacts *surface_contacts,
                                    const sn_substep *substep);
/* Makes sets of what was found. */
bool sn_surface_contact_pack(sn_world *world, sn_surface_contacts *surface_contacts);
/* Adds the pairs in `fresh` to the blocks of a set, as another round. */
bool sn_surface_contact_pack_fresh(sn_world *world, sn_surface_contacts *surface_contacts, int kind,
                                   size_t count);
/* Finds the pairs of nodes that have moved, for `time` (s), and adds them to the sets; h and
   `since` (s) as of a motion. False when there is no memory. */
bool sn_surface_pairs_refit_moved(sn_world *world, sn_surface_contacts *surface_contacts,
                                  double time, double h, double since);
/* The same of those that are marked as moved, in the present substep. */
bool sn_surface_pairs_follow_moved(sn_world *world, const sn_substep *substep);
/* tangled_pairs.c: finds what passes through each other when a step begins, and takes recovery from
   the contacts there; the latter again whenever pairs were found. */
void sn_tangled_pairs_find(sn_world *world);
void sn_tangled_pairs_hold(sn_world *world);
/* layered_pairs.c: whether any collision surface has a layer, and puts pairs of different ones on
   the sides on which they belong, whenever pairs were found. */
bool sn_layered_pairs_are_needed(const sn_world *world);
void sn_layered_pairs_orient(sn_world *world);
/* By how many layers an edge is outside a triangle; 0 where they do not look the same way. */
int sn_layered_pairs_order(const sn_world *world, const uint32_t edge[2],
                           const uint32_t triangle[3]);
/* Which pairs were on the wrong side of each other when the last step ended. */
void sn_surface_contact_recall(sn_world *world, sn_surface_contacts *surface_contacts);

/* placed_pairs.c: before a call places a node elsewhere; false when there is no memory. In the next
   step, turns a side and an offset of a contact of the last one as it was placed; false where it
   begins anew. */
bool sn_surface_contact_place(sn_world *world);
bool sn_surface_contact_recall_placed(const sn_world *world, size_t at, sn_v4 *side, sn_v4 *stuck);

/* feature_owner.c: which elements every node has; who speaks for points and edges. */
bool sn_surface_contact_list_around(sn_world *world, sn_surface_contacts *surface_contacts);
void sn_feature_owner(sn_surface_contacts *surface_contacts);

/* surface_bvh.c: trees, and where they go. */
bool sn_surface_bvh_reserve(sn_world *world, sn_surface_contacts *surface_contacts);
void sn_surface_bvh_free(sn_surface_bvh *tree, sn_memory *memory);
void sn_surface_bvh_make(const sn_world *world, sn_surface_contacts *surface_contacts);
void sn_surface_bvh_fit(const sn_world *world, sn_surface_contacts *surface_contacts);
/* The same where some triangles have moved: what is above them. They are seen by who has drifted
   (m) since all were fitted. */
void sn_surface_bvh_fit_some(const sn_world *world, sn_surface_contacts *surface_contacts,
                             sn_v4 drift);

/* feature_fours.c: which features the leaves of trees have; false when there is no memory. And
   where those of a leaf go. */
bool sn_feature_fours_list(sn_world *world, sn_surface_contacts *surface_contacts);
void sn_feature_fours_free(sn_surface_bvh *tree, sn_memory *memory);
void sn_feature_fours_place(const sn_surface_contacts *surface_contacts, sn_v4 drift,
                            uint32_t node);
/* The same as if it had been done when all pairs were found; none of its nodes has moved since. */
void sn_feature_fours_place_late(const sn_world *world, const sn_surface_contacts *surface_contacts,
                                 uint32_t node);

/* Which of the pairs that trees have found are kept, in their order; returns how many. Of every one
   m, half of how far it is apart at rest: SN_REST_ELSEWHERE where it is of two collision surfaces,
   SN_REST_UNKNOWN where it is to be found. */
typedef size_t sn_near_accept(const void *context, sn_broad_pair *pairs, const sn_real *rest,
                              size_t count);
#define SN_REST_ELSEWHERE SN_INFINITY
#define SN_REST_UNKNOWN SN_R(-1.0)

/* surface_bvh_traverse.c: which points and edges of triangles may touch, into `heap`, as `accept`
   of their kind tells; of all of them, or where one is of those that have moved. False when there
   is no memory. */
bool sn_surface_bvh_traverse(sn_world *world, sn_surface_contacts *surface_contacts,
                             sn_near_accept *const *accept, const void *context);
bool sn_surface_bvh_traverse_some(sn_world *world, sn_surface_contacts *surface_contacts,
                                  sn_near_accept *const *accept, const void *context);

/* pair_lists.c: all pairs of a kind. */
bool sn_surface_contact_list_pairs(sn_world *world, sn_surface_contacts *surface_contacts,
                                   int kind);
/* Two elements of the lists that the broad phase searches, by their numbers in the whole lists. */
sn_broad_pair sn_surface_pair_loose_pair(const sn_surface_contacts *surface_contacts, int kind,
                                         uint32_t i, uint32_t b);
/* Adds what the broad phase has found of a kind to the heap. */
bool sn_surface_pair_add_loose(sn_world *world, sn_surface_contacts *surface_contacts, int kind);
/* Puts the pairs of the heap in order, each once, into `fresh`; returns how many are not in the set
   yet, or SIZE_MAX when there is no memory. */
size_t sn_surface_contact_list_fresh(sn_world *world, sn_surface_contacts *surface_contacts,
                                     int kind);
/* Adds these to the list of a set, for which there is room. */
void sn_surface_contact_merge_fresh(sn_surface_contacts *surface_contacts, int kind, size_t count);

/* Whether an edge of their collision surface joins two nodes that collide as balls. */
static inline bool sn_surface_contact_are_bound(const sn_surface_pair_bonds *bonds, uint32_t a,
                                                uint32_t b) {
    const uint32_t high = a < b ? b : a, low = a < b ? a : b;
    bool bound = false;
    for (uint32_t i = bonds->of.begin[high]; i < bonds->of.begin[high + 1]; i++)
        bound |= bonds->of.item[i] == low;
    return bound;
}

/* ---- Loops ---- */

/* What the loops see of a set. */
typedef struct sn_surface_contact_batch {
    const sn_vec4 *x; /* as of nodes */
    sn_vec4 *p, *d;
    sn_vec4 *predicted;           /* as of the history; null where there is none */
    const sn_vec4 *was_x, *was_p; /* the same when the substep before began; null: not known */
    const sn_vec4 *moved;         /* m, the motion of nodes in that one */
    const sn_real *w;
    const sn_world *rolling; /* where balls may roll on each other; null: they do not */
    const int32_t *node;
    sn_real *row;
    const sn_period *period; /* of the world, of which two balls take the shortest way; or null */
    atomic_bool *recovers;   /* as of contacts */
    sn_real h;               /* s */
    sn_real slight;          /* m, as of sn_contact_slight */
    bool layered;            /* as of surface contacts */
    bool first;              /* in the first sweep of a substep */
    bool last;
} sn_surface_contact_batch;

/* Projects the blocks begin to end of a set of one kind. */
typedef void sn_surface_contact_loop(const sn_surface_contact_batch *batch, size_t begin,
                                     size_t end);

/* Which pairs of a block of one kind are in doubt, as bits: those that are nearer to each other
   than their limit. */
typedef uint32_t sn_surface_contact_doubt(const sn_surface_contact_batch *batch, size_t block);

/* What is asked of many pairs at once: of elements by the slots of their nodes. */
typedef struct sn_separation_test {
    const sn_expected_motion *displacement;
    const sn_vec4 *x, *p, *rest; /* as of nodes and collision surfaces */
    const sn_real *radius;
    const uint32_t *surface;        /* of every node */
    const uint32_t *first, *second; /* nodes of the first and of the second elements */
    sn_period period;               /* of the world, of which two balls take the shortest way */
    bool periodic;
} sn_separation_test;

/* Leaves the pairs that share no node and may come near each other; returns how many. */
typedef size_t sn_surface_contact_sift(const sn_separation_test *near, sn_broad_pair *pairs,
                                       size_t count);
/* The same of those that share no node, with what sn_near_accept has of their rest. */
typedef size_t sn_surface_contact_sift_near(const sn_separation_test *near, sn_broad_pair *pairs,
                                            const sn_real *rest, size_t count);
/* Normals of pairs, and how close they may come; their slots become 1 where they are further apart
   than a little more, and 0 otherwise. */
typedef void sn_surface_contact_measure(const sn_separation_test *near, sn_contact_pair *pair,
                                        sn_vec4 *side, size_t count);
/* What a kind does with many pairs, per SIMD width. */
typedef struct sn_surface_kind_loops {
    sn_surface_contact_loop *project, *recover;
    sn_surface_contact_doubt *doubt;
    sn_surface_contact_sift *sift;
    sn_surface_contact_sift_near *sift_near;
    sn_surface_contact_measure *measure;
} sn_surface_kind_loops;

/* A kind of contact between collision surfaces. */
typedef struct sn_surface_kind {
    /* The lists that its first and its second elements are numbers of; and those that the broad
       phase searches, where what belongs to triangles is left to the trees. */
    sn_surface_contact_list first, second;
    sn_surface_contact_list searched_first, searched_second;
    const sn_surface_kind_loops *loops[SN_WIDTHS]; /* by width */
    /* Projects the pair of a single lane. */
    void (*project_lane)(const sn_surface_contact_batch *batch, size_t block, size_t lane);
} sn_surface_kind;

static inline const sn_surface_kind *sn_surface_kind_of(int kind) {
    return sn_contact_kinds[kind]->surface;
}

static inline sn_contact_features
sn_surface_contact_features(const sn_surface_contacts *surface_contacts, int kind) {
    const sn_surface_elements *list = surface_contacts->list;
    return (sn_contact_features){list[sn_surface_kind_of(kind)->first].node,
                                 list[sn_surface_kind_of(kind)->second].node};
}

/* The nodes of a pair, the first element's first. */
static inline void sn_surface_pair_node_list(const sn_surface_contacts *m, int kind, uint32_t a,
                                             uint32_t b, uint32_t node[SN_CONTACT_MOST_NODES]) {
    sn_contact_nodes_of(sn_surface_contact_features(m, kind), kind, a, b, node);
}

/* What the four have in common (surface_contact.c, surface_contact_events.c). */
extern const sn_contact_group sn_surface_contact_group;
extern const sn_contact_report sn_surface_contact_report;

/* Of a kind, whose elements are those of two lists. */
sn_separation_test sn_separation_test_of(const sn_world *world, const sn_surface_elements *first,
                                         const sn_surface_elements *second);

typedef enum sn_surface_pair_crossing {
    SN_SURFACE_CONTACT_APART,        /* each is on its side */
    SN_SURFACE_CONTACT_LEFT_CROSSED, /* they have been on the wrong side for longer */
    SN_SURFACE_CONTACT_PASSES,       /* they pass in this substep */
    SN_SURFACE_CONTACT_HAD_PASSED    /* others pushed them through each other in the one before */
} sn_surface_pair_crossing;

/* Whether the pair at a place of a block has passed through each other, so that its normal says
   where it belongs; makes the normal anew where it has not. Weights are those of the nearest
   points, and become those of the points of impact where it has passed lately. */
sn_surface_pair_crossing sn_surface_pair_has_crossed(const sn_surface_contact_batch *batch,
                                                     int kind, size_t block, size_t place,
                                                     sn_real weight[SN_CONTACT_MOST_NODES]);

/* ---- previous_positions.c ---- */

/* Room for the nodes there are now; false when there is no memory. */
bool sn_previous_positions_reserve(sn_world *world, sn_previous_positions *was);
void sn_previous_positions_free(sn_previous_positions *was, sn_memory *memory);
/* When a substep begins. */
void sn_previous_positions_note(sn_world *world, const sn_substep *substep);

#endif
