/*
 * A tree of boxes over items (triangles, tetrahedra, whatever has bounds), for finding those near a
 * point or within a box.
 *
 * Its topology is that of linear_bvh.h.
 */
#ifndef SN_GEOMETRY_BVH_H
#define SN_GEOMETRY_BVH_H

#include "base/memory.h"
#include "geometry/bounds.h"
#include "geometry/linear_bvh.h"

/* In the order of a walk: the first child of an inner node follows it. */
typedef struct sn_bvh_node {
    sn_bounds bounds;
    uint32_t count; /* items of a leaf; 0: an inner node */
    uint32_t first; /* of a leaf, in `order`; the second child of an inner node */
} sn_bvh_node;

typedef struct sn_bvh {
    sn_bvh_node *nodes;
    uint32_t *order; /* items as the leaves have them */
    size_t count;    /* of items */
    size_t node_count;
    size_t node_capacity, order_capacity;
    sn_curve_item *records, *spare; /* for building it once more; null otherwise */
    size_t record_capacity, spare_capacity;
} sn_bvh;

/* At most 2^30 items. Nothing is to be freed after a failure. */
sn_result sn_bvh_create(sn_bvh *bvh, sn_memory *memory, const sn_bounds *items, size_t count);
void sn_bvh_free(sn_bvh *bvh, sn_memory *memory);

/* Builds the tree anew, for other items, in the memory that it has where that is enough. False when
   there is none; the tree is empty then. It may begin as zero. */
bool sn_bvh_renew(sn_bvh *bvh, sn_memory *memory, const sn_bounds *items, size_t count);

/* New bounds for the same items, which have moved; the tree stays as it is. */
void sn_bvh_refit(sn_bvh *bvh, const sn_bounds *items);

/* Calls `visit` for every item whose box may touch the given one, until it returns false. */
void sn_bvh_overlap(const sn_bvh *bvh, sn_bounds box, bool (*visit)(void *user, uint32_t item),
                    void *user);

/*
 * The item nearest to a point, by the square of the distance that `distance` returns, among those
 * nearer than the square `within`; SN_BVH_NONE where there is none. *nearest is the square.
 */
#define SN_BVH_NONE SN_LINEAR_BVH_NONE
uint32_t sn_bvh_nearest(const sn_bvh *bvh, sn_point x, double within,
                        double (*distance)(void *user, uint32_t item, sn_point x), void *user,
                        double *nearest);

#endif
