/*
 * Trees of constraints that are solved at once (step/tree_solver.h), as a step has laid them out:
 * scratch of the world, made anew when constraints, masses or the choice of bodies change.
 *
 * A link is a node together with what holds it to the next node on the way to the root: up to six
 * rows, which may be those of several constraints. Links without a node end at something fixed, and
 * a root that is free has a node and no rows. In the order of a tree, parents come first.
 */
#ifndef SN_STATE_TREES_H
#define SN_STATE_TREES_H

#include "state/store.h"

enum { SN_LINK_ROWS = 6, SN_LINK_NONE = -1 };

/* A constraint of a link. */
typedef struct sn_tree_part {
    uint32_t store; /* which of the world */
    sn_place place;
    uint32_t constraint; /* its index */
    int32_t next;        /* of the same link */
    int8_t member[2];    /* which of its nodes are the ends of the edge */
    bool off;            /* it broke in this step */
} sn_tree_part;

/* While trees are made: what joins two nodes, or one to something fixed. */
typedef struct sn_tree_edge {
    int32_t end[2];  /* nodes */
    int32_t next[2]; /* edges of these nodes */
    int32_t part;    /* the last one */
    uint8_t rows;
} sn_tree_edge;

typedef struct sn_tree_vertex {
    int32_t edge;        /* the last one of this node */
    int32_t anchor;      /* of the root of a set: its first edge to something fixed */
    uint32_t edges;      /* of this node */
    uint32_t all, loops; /* constraints of the set, and those that close loops in it */
    bool turns;          /* whether a constraint turns the node */
    bool reached;
} sn_tree_vertex;

typedef double sn_tree_block[SN_LINK_ROWS][SN_LINK_ROWS];

typedef struct sn_tree_link {
    int32_t parent; /* a link; none at the root */
    int32_t node;   /* none where it ends at something fixed */
    int32_t frame;  /* likewise, and where the node only moves */
    int32_t still;  /* a frame without inertia, which is turned in closed form */
    int32_t part;   /* the last one; none where a root is free */
    uint8_t rows, columns;
    uint8_t end;            /* which end of the edge the node is */
    unsigned idle;          /* rows that are one-sided and slack, a bit each */
    double tension, across; /* of a row between two points: -lambda, and k of it for a mass of 1 */
    /* Numbers of a solve (step/tree_solve.c); w are roots of inverse masses and inertias. */
    double w[SN_LINK_ROWS];
    sn_tree_block mass, near, far, system, stiff;
    sn_vec4 torque;    /* N m, of the user, on a frame without inertia, while there are torques */
    double b[4], u[3]; /* what links below pull at a frame with (step/tree_frames.c) */
    double pull[SN_LINK_ROWS], error[SN_LINK_ROWS], lambda[SN_LINK_ROWS], move[SN_LINK_ROWS];
} sn_tree_link;

/* While it is looked for what trees carry (step/tree_loads.c): below a link, itself included. */
typedef struct sn_tree_load {
    double mass;   /* kg */
    unsigned held; /* how many things that are fixed are there */
    double arm;    /* 1/kg: the most that a pull at a joint of its node moves that joint */
    double others; /* kg: of the sides of its node, all but the one that is held best */
    double side;   /* kg, of that one, */
    bool side_held, any;
} sn_tree_load;

typedef struct sn_link_tree {
    uint32_t begin, end; /* links */
} sn_link_tree;

typedef struct sn_trees {
    bool made;          /* for the constraints as they are */
    bool stale;         /* bodies were told to be solved otherwise */
    bool judging;       /* of joints of all bodies, to see which of them carry too much */
    bool any_heavy;     /* whether `heavy` is of use: */
    uint8_t *heavy;     /* per node, whether its joints are to be in a tree */
    sn_tree_load *load; /* per link, while judging */
    size_t breaks_seen; /* of those of the step */
    sn_link_tree *tree;
    sn_tree_link *link;
    sn_tree_part *part;
    sn_tree_edge *edge;
    sn_tree_vertex *vertex; /* per node */
    uint32_t *set;          /* per node: those that are joined */
    uint16_t *mask;         /* of blocks that have constraints of trees, a bit each */
    int32_t *masks;         /* where those of a colour are: SN_COLOURS per store */
    size_t trees, links, parts, edges;
    size_t tree_capacity, link_capacity, part_capacity, edge_capacity, vertex_capacity;
    size_t set_capacity, mask_capacity, masks_capacity, heavy_capacity, load_capacity;
} sn_trees;

void sn_trees_free(sn_trees *trees, sn_memory *memory);

/* The mask of a colour, a word per block; null where no constraint of it is in a tree. */
static inline const uint16_t *sn_trees_mask(const sn_trees *trees, size_t store, uint8_t colour) {
    if (trees->trees == 0) return NULL;
    int32_t begin = trees->masks[store * SN_COLOURS + colour];
    return begin == SN_LINK_NONE ? NULL : trees->mask + begin;
}

#endif
