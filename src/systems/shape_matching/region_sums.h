/*
 * Sums over regions that overlap, and back: what shape matching of regions is made of, beside the
 * rotations (survey of position based methods, section 5.11.3).
 *
 *   gather   out[r] = sum of in[i] over the nodes i of region r
 *   spread   out[i] = sum of in[r] over the regions r of node i
 *
 * Rows of `width` numbers in double, one row after the other: the sums of fast plans are
 * differences of much larger ones, and goals that were rounded to float would shake what stands
 * still. Every plan gives the same sums up to the rounding of double, and its own bits for any
 * number of threads.
 */
#ifndef SN_SYSTEMS_SHAPE_MATCHING_REGION_SUMS_H
#define SN_SYSTEMS_SHAPE_MATCHING_REGION_SUMS_H

#include "base/memory.h"
#include "base/team.h"

#include <sinew/shape_matching.h>

/* The longest row. */
enum { SN_REGION_SUMS_WIDTH = 24 };

/* What is summed over. The lists belong to somebody else and stay as long as the plan. */
typedef struct sn_region_sums_input {
    size_t nodes, regions;
    const uint32_t *first;  /* regions + 1: where the members of a region begin */
    const uint32_t *member; /* nodes, each at most once in a region */
    const sn_vec3 *rest;    /* m, where the nodes are at rest */
    sn_region_sums_method method;
} sn_region_sums_input;

/* region_sums_lattice.c: cubes of a lattice. */
typedef struct sn_region_sums_lattice {
    bool on;            /* whether the regions are such */
    uint32_t extent[3]; /* cells along the axes */
    uint32_t omega;     /* cells from the middle of a cube to its side */
    size_t cells, nodes;
    uint32_t *cell; /* of every node */
    uint32_t *node; /* of every cell, UINT32_MAX for none */
    double *grid;   /* scratch: twice four numbers per cell */
    size_t cell_room, node_room, grid_room;
} sn_region_sums_lattice;

/* region_sums_paths.c: intervals of paths. */
typedef struct sn_region_sums_paths {
    bool on;
    size_t count, nodes; /* of paths, and of all nodes */
    size_t rows;         /* as many as nodes and paths: one more than nodes for every path */
    size_t intervals;
    uint32_t *order, *begin; /* as in geometry/topology/disjoint_paths.h */
    uint32_t *row;           /* the node of every row, UINT32_MAX at the ends of paths */
    uint32_t *first;         /* regions + 1: where the intervals of a region begin */
    uint32_t *interval;      /* two rows each, the second after the last node */
    uint32_t *event_first;   /* rows + 1 */
    uint32_t *event;         /* twice the region that begins at the row; one more where it ends */
    double *prefix;          /* scratch: four numbers per row */
    size_t order_room, begin_room, row_room, first_room, interval_room, event_first_room,
        event_room, prefix_room;
} sn_region_sums_paths;

/* region_sums_octree.c: cells of an octree. Items are nodes and, behind them, cells. */
typedef struct sn_region_sums_octree {
    bool on;
    size_t nodes, cells, items; /* items: summation nodes of all regions together */
    size_t levels;
    uint32_t *level;                 /* levels + 1: the first cell of each, from the root */
    uint32_t *child_first, *child;   /* items of every cell */
    uint32_t *parent;                /* the cell of every item, UINT32_MAX for the root */
    uint32_t *first, *item;          /* summation nodes of every region */
    uint32_t *region_first, *region; /* the regions of every item */
    double *sum;                     /* scratch: four numbers per cell */
    size_t level_room, child_first_room, child_room, parent_room, first_room, item_room,
        region_first_room, region_room, sum_room;
} sn_region_sums_octree;

typedef struct sn_region_sums {
    sn_region_sums_input in;
    sn_region_sums_method chosen;
    sn_region_sums_lattice lattice;
    sn_region_sums_paths paths;
    sn_region_sums_octree octree;
    /* The other way round: the regions of every node, in rising order. */
    uint32_t *region_first, *region;
    size_t first_room, region_room;
} sn_region_sums;

/* Makes a plan, in place of the one there was; false when there is no memory. Summing needs
   none. */
bool sn_region_sums_plan(sn_region_sums *plan, sn_memory *memory, const sn_region_sums_input *in);
void sn_region_sums_free(sn_region_sums *plan, sn_memory *memory);

/* The method that the plan has come to. */
sn_region_sums_method sn_region_sums_chosen(const sn_region_sums *plan);

/* How many regions a node is in. */
static inline uint32_t sn_region_sums_regions_of(const sn_region_sums *plan, size_t node) {
    return plan->region_first[node + 1] - plan->region_first[node];
}

/* Between sn_team_begin and sn_team_end, or with a team of none. `in` and `out` are different
   arrays; the width is a multiple of 4. */
void sn_region_sums_gather(const sn_region_sums *plan, sn_team *team, const double *in,
                           size_t width, double *out);
void sn_region_sums_spread(const sn_region_sums *plan, sn_team *team, const double *in,
                           size_t width, double *out);

/* ---- Between the files ---- */

/* False when there is no memory; whether the plan can be used is in `on`. */
bool sn_region_sums_lattice_plan(sn_region_sums_lattice *l, sn_memory *memory,
                                 const sn_region_sums_input *in);
bool sn_region_sums_paths_plan(sn_region_sums *plan, sn_memory *memory);
bool sn_region_sums_octree_plan(sn_region_sums_octree *o, sn_memory *memory,
                                const sn_region_sums_input *in);
void sn_region_sums_lattice_free(sn_region_sums_lattice *l, sn_memory *memory);
void sn_region_sums_paths_free(sn_region_sums_paths *p, sn_memory *memory);
void sn_region_sums_octree_free(sn_region_sums_octree *o, sn_memory *memory);

/* Additions of rows that a sum takes, about. */
size_t sn_region_sums_lattice_cost(const sn_region_sums_lattice *l);
size_t sn_region_sums_paths_cost(const sn_region_sums_paths *p);
size_t sn_region_sums_octree_cost(const sn_region_sums_octree *o);

/* On a lattice both ways are the same sum. */
void sn_region_sums_lattice_sum(const sn_region_sums_lattice *l, sn_team *team, const double *in,
                                size_t width, double *out);
void sn_region_sums_paths_gather(const sn_region_sums *plan, sn_team *team, const double *in,
                                 size_t width, double *out);
void sn_region_sums_paths_spread(const sn_region_sums *plan, sn_team *team, const double *in,
                                 size_t width, double *out);
void sn_region_sums_octree_gather(const sn_region_sums *plan, sn_team *team, const double *in,
                                  size_t width, double *out);
void sn_region_sums_octree_spread(const sn_region_sums *plan, sn_team *team, const double *in,
                                  size_t width, double *out);

#endif
