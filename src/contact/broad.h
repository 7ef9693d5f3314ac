/*
 * The broad phase: which boxes overlap.
 *
 * Two ways lead to the same lists. The grid sorts boxes into rows of cells and walks along
 * neighbouring rows at once; it is for boxes of much the same size. The tree takes any boxes; while
 * they move little it is only fitted anew. Both test boxes exactly, so what is found depends on the
 * boxes alone: not on the way, not on the calls before, not on the number of threads.
 *
 * Every item is searched once. What it meets is collected in a small array, sorted, and put where
 * there is room in the output; only when the output was too small is everything done again.
 */
#ifndef SN_CONTACT_BROAD_H
#define SN_CONTACT_BROAD_H

#include "base/memory.h"
#include "base/team.h"

/* Boxes; one with low > high along an axis, or with a number that is not finite, is absent and
   meets nobody. */
typedef struct sn_boxes {
    const sn_vec4 *low, *high;
    size_t count;
} sn_boxes;

/* The grid is a wish: what would be slow there goes to the tree. */
typedef enum sn_broad_phase { SN_BROAD_AUTO, SN_BROAD_GRID, SN_BROAD_TREE } sn_broad_phase;

/* Whether a pair of overlapping boxes is kept. Called from several threads, maybe repeatedly. */
typedef bool sn_broad_accept(const void *context, uint32_t a, uint32_t b);

/* A box and whose it is, as the searches have them. */
typedef struct sn_broad_box {
    sn_real low[3];
    uint32_t item;
    sn_real high[3];
    uint32_t column; /* grid: along the row */
} sn_broad_box;

/* What is sorted. */
typedef struct sn_broad_record {
    uint64_t key;
    uint32_t item;
} sn_broad_record;

/* In the order of a walk: the first child of an inner node follows it. */
typedef struct sn_broad_node {
    sn_real low[3];
    uint32_t count; /* boxes of a leaf; 0: an inner node */
    sn_real high[3];
    uint32_t first; /* of a leaf, in `boxes`; the second child of an inner node */
} sn_broad_node;

typedef struct sn_broad_tree {
    sn_broad_node *nodes;
    sn_broad_box *boxes; /* as the leaves have them */
    size_t count, node_count;
    size_t node_capacity, box_capacity;
    double built; /* sum of the sizes of all nodes, when it was built */
} sn_broad_tree;

/* A row of cells in which boxes begin. */
typedef struct sn_broad_row {
    uint64_t key;   /* its place across */
    uint32_t begin; /* in `boxes`; it ends where the next begins */
} sn_broad_row;

enum { SN_BROAD_LARGE = 16 };

typedef struct sn_broad_grid {
    int axis[3]; /* along the rows, then across */
    sn_real origin[3], inverse[3];
    uint32_t last[3];             /* cells */
    int bits[3];                  /* of them in a key */
    sn_real reach;                /* no box is longer, but for the large ones */
    sn_real low[3], high[3];      /* all boxes, but for the large ones */
    sn_broad_box *boxes, *askers; /* by rows and along them: the others, and two sets: the items */
    sn_broad_row *rows;           /* and one more, as an end */
    size_t box_count, asker_count, row_count;
    size_t box_capacity, asker_capacity, row_capacity;
    /* Those that fit no cell. */
    sn_broad_box large_boxes[SN_BROAD_LARGE], large_askers[SN_BROAD_LARGE];
    size_t large_box_count, large_asker_count;
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
    sn_broad_tree tree;
    sn_broad_grid grid;
    sn_broad_record *records, *spare; /* scratch */
    size_t record_capacity, spare_capacity;
} sn_broad;

/*
 * Finds all pairs (a of `items`, b of `others`) whose boxes overlap (touching counts) and that are
 * accepted; all of them where `accept` is null. Where `others` is null: within `items`, a < b.
 * False when there is no memory. At most 2^30 boxes.
 */
bool sn_broad_find(sn_broad *broad, sn_memory *memory, sn_team *team, sn_broad_phase kind,
                   const sn_boxes *items, const sn_boxes *others, sn_broad_accept *accept,
                   const void *context);
void sn_broad_free(sn_broad *broad, sn_memory *memory);

#endif
