/*
 * The broad phase: which boxes overlap.
 *
 * Two ways lead to the same lists. The grid sorts boxes into rows of cells and walks along
 * neighbouring rows at once; it is for boxes of much the same size. The tree takes any boxes; while
 * they move little it is only fitted anew. Both test boxes exactly, so what is found depends on the
 * boxes alone: not on the way, not on the calls before, not on the number of threads.
 *
 * Every pair is found once, by the one of both that comes first in the order of the boxes in space.
 * Threads pile up what they find and take room for it where there is some; only when there was too
 * little is everything searched again. The lists are made from the pairs, and sorted.
 */
#ifndef SN_COLLISION_BROAD_PHASE_BROAD_PHASE_H
#define SN_COLLISION_BROAD_PHASE_BROAD_PHASE_H

#include "base/memory.h"
#include "base/team.h"
#include "geometry/linear_bvh.h"

#include <sinew/world.h>

/* Boxes; one with low > high along an axis, or with a number that is not finite, is absent and
   overlaps nothing. */
typedef struct sn_boxes {
    const sn_vec4 *low, *high;
    size_t count;
} sn_boxes;

/* Two items in one number, which is one store: a in the lower half, b in the upper. */
typedef uint64_t sn_broad_pair;

/* Leaves of some pairs of overlapping boxes those that are kept, in any order, and returns how many
   these are. Whether one is must not depend on the others. Called from several threads, maybe
   repeatedly. */
typedef size_t sn_broad_accept(const void *context, sn_broad_pair *pairs, size_t count);

/* A box and whose it is. */
typedef struct sn_broad_box {
    sn_real low[3], high[3];
    uint32_t item;
} sn_broad_box;

/* Boxes as the searches have them, in their order, number by number. There are always four more, so
   that four can be read anywhere. */
typedef struct sn_broad_columns {
    sn_real *low[3], *high[3];
    void *item; /* integers as wide as a number of the boxes */
    size_t count, capacity;
} sn_broad_columns;

/* In the order of a walk: the first child of an inner node follows it. */
typedef struct sn_broad_node {
    sn_real low[3];
    uint32_t end; /* after its last box */
    sn_real high[3];
    uint32_t next; /* of a leaf the first box, with a mark; of others the second child */
} sn_broad_node;

typedef struct sn_broad_tree {
    sn_broad_node *nodes;
    sn_broad_columns boxes; /* as the leaves have them */
    size_t node_count, node_capacity;
    double built; /* sum of the sizes of all nodes, when it was built */
} sn_broad_tree;

/* Boxes that fit no cell. */
enum { SN_BROAD_LARGE = 16 };
typedef struct sn_broad_large {
    sn_broad_box boxes[SN_BROAD_LARGE];
    size_t count;
} sn_broad_large;

/* A part of a row without large gaps. */
typedef struct sn_broad_stretch {
    uint64_t first, last; /* keys of its columns */
    size_t begin;         /* of its columns, in `begins` */
} sn_broad_stretch;

typedef struct sn_broad_grid {
    sn_real low[4], high[4];     /* of all boxes, but for the large ones */
    sn_real last[4];             /* the last low corner along each axis */
    sn_real inverse[4];          /* 1 / length of a cell */
    sn_real last_cell[4];        /* along each axis */
    sn_real reach;               /* longer than any box but for the large ones */
    int along, across[2];        /* axes */
    int shift[3], bits;          /* of the cells in a key, and how many that has */
    sn_broad_stretch *stretches; /* of rows, ascending, between two that are none */
    uint32_t *begins;            /* boxes of a column are from its begin to that of the next */
    size_t stretch_count, stretch_capacity, begin_capacity;
    sn_broad_columns boxes;  /* the others, by keys */
    sn_broad_columns askers; /* two sets: the items, by keys */
    sn_broad_large large_boxes, large_askers;
} sn_broad_grid;

/* What was found: of item a the partners partner[first[a]] .. partner[first[a] + number[a] - 1],
   ascending. All zero before the first search. */
typedef struct sn_broad {
    size_t *first;
    uint32_t *number;
    uint32_t *partner;
    size_t total;        /* of all items */
    sn_broad_phase used; /* which way it was */
    size_t rebuilt;      /* how often a tree was built */
    size_t first_capacity, number_capacity, partner_capacity;
    sn_broad_pair *pairs;      /* in any order */
    _Atomic(uint32_t) *counts; /* of partners; then where the next one goes */
    size_t pair_capacity, count_capacity;
    sn_broad_tree tree;
    sn_broad_grid grid;
    sn_curve_item *records, *spare; /* scratch */
    sn_real *lengths[2];            /* of items and others, along the longest axis; absent: -1 */
    size_t record_capacity, spare_capacity, length_capacity[2];
} sn_broad;

/*
 * How many pairs there may be among so many boxes: 2^20, or 512 of each where that is more. Where
 * radii, thicknesses or speeds are so large that all meet all, there is neither time nor memory for
 * them.
 */
size_t sn_broad_most_pairs(size_t boxes);
/* Whether there are no more than that; fails with a sentence. */
bool sn_broad_admits(size_t pairs, size_t boxes);

/*
 * The grid is a wish: what would be slow there goes to the tree.
 *
 * Finds all pairs (a of `items`, b of `others`) whose boxes overlap (touching counts) and that are
 * accepted; all of them where `accept` is null. Where `others` is null: within `items`, a < b.
 * False when there is no memory, or more pairs than there may be. At most 2^30 boxes.
 */
bool sn_broad_find(sn_broad *broad, sn_memory *memory, sn_team *team, sn_broad_phase kind,
                   const sn_boxes *items, const sn_boxes *others, sn_broad_accept *accept,
                   const void *context);
void sn_broad_free(sn_broad *broad, sn_memory *memory);

static inline sn_broad_pair sn_broad_pair_of(uint32_t a, uint32_t b) {
    return (uint64_t)b << 32 | a;
}

/* Sorts a list of partners. */
void sn_broad_sort_partners(uint32_t *partner, size_t count);

#endif
