/*
 * The topology of a linear bounding volume hierarchy (Lauterbach et al. 2009): items are sorted
 * along a Morton curve, 21 bits along each axis, and cut where the highest bit changes; those of
 * the same place are spread out once more, and halved in the end. So building takes linear time,
 * the depth is limited for any input, and the tree is the same on every machine.
 *
 * What a node holds and how its bounds are kept belongs to the tree that is made with it.
 */
#ifndef SN_GEOMETRY_LINEAR_BVH_H
#define SN_GEOMETRY_LINEAR_BVH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Items of a leaf; how often items of one place are spread out anew; and entries of a stack that no
   traversal outgrows: one per level, and one for items that have no place. */
enum {
    SN_LINEAR_BVH_LEAF = 4,
    SN_LINEAR_BVH_ROUNDS = 4,
    SN_LINEAR_BVH_DEPTH = 63 * SN_LINEAR_BVH_ROUNDS + 32 + 2
};

/* Of an item that has no place: at the end of the curve, and never spread out. */
#define SN_CURVE_NOWHERE UINT64_MAX
#define SN_LINEAR_BVH_NONE UINT32_MAX

/* An item and its place along the curve. */
typedef struct sn_curve_item {
    uint64_t key;
    uint32_t item;
} sn_curve_item;

/* The cell of a coordinate among the 2^21 of its axis. */
static inline uint64_t sn_curve_cell(double x, double low, double scale) {
    double at = (x - low) * scale;
    return at > 0 ? at < 2097151 ? (uint64_t)at : 2097151 : 0;
}

/* Sorts by the lowest `bits` of the keys, stable; returns which of the two has the result. */
sn_curve_item *sn_curve_sort(sn_curve_item *items, sn_curve_item *spare, size_t count, int bits);

typedef struct sn_linear_bvh_maker {
    /* Gives some items keys, along a curve through the box that they are in. */
    void (*place)(void *user, sn_curve_item *items, size_t count);
    /* The next node, in the order of a traversal: the first child of an inner node follows it. It
       is the second child of `parent`, unless that is SN_LINEAR_BVH_NONE. */
    void (*add)(void *user, uint32_t node, uint32_t parent, size_t first, size_t end, bool leaf);
    void *user;
} sn_linear_bvh_maker;

/* Of items whose `item` is set, which are then in the order of the leaves; at least one. Returns
   the number of nodes, which is less than twice the number of items. */
size_t sn_linear_bvh_make(const sn_linear_bvh_maker *maker, sn_curve_item *items,
                          sn_curve_item *spare, size_t count);

#endif
