/*
 * A tree of boxes for walks that are quick: four boxes to a node, in float, looked at together.
 *
 * Boxes are relative to the middle of all of them, so that float is fine enough anywhere, and a
 * little larger than they need be. A walk may therefore look into a box in vain, but passes none
 * by. The binary tree of src/geometry/bvh.h is what it is made from, and what follows moving items.
 */
#ifndef SN_COLLISION_QUERY_QUERY_TREE_H
#define SN_COLLISION_QUERY_QUERY_TREE_H

#include "base/error.h"
#include "geometry/bvh.h"

#define SN_TREE_ITEM ((uint32_t)1 << 31)
#define SN_TREE_NONE UINT32_MAX
enum { SN_TREE_WIDTH = 4, SN_TREE_DEPTH = 3 * (SN_LINEAR_BVH_DEPTH / 2 + 2) + 1 };

typedef float sn_wide __attribute__((vector_size(4 * SN_TREE_WIDTH)));
typedef int32_t sn_wide_mask __attribute__((vector_size(4 * SN_TREE_WIDTH)));

typedef struct sn_tree_node {
    sn_wide side[2][3];            /* m: the low and the high ends of the boxes along each axis */
    uint32_t child[SN_TREE_WIDTH]; /* a node, SN_TREE_ITEM with the number of an item, or none */
} sn_tree_node;

typedef struct sn_tree {
    sn_bvh binary;
    sn_bounds *bounds; /* of the items, by their number before they were put in order */
    sn_tree_node *node;
    size_t node_count;
    sn_bounds all;
    sn_point middle;
    double size; /* m, of all boxes together */
    double area; /* m^2, of all boxes when the tree was made */
} sn_tree;

/* Of `count` items, whose order is then `binary.order`. Nothing is to be freed after a failure. */
sn_result sn_tree_create(sn_tree *tree, sn_memory *memory, const sn_bounds *bounds, size_t count);
void sn_tree_free(sn_tree *tree, sn_memory *memory);

/* Follows the items after `bounds` has changed; false when a new tree would be much better. */
bool sn_tree_follow(sn_tree *tree);

#endif
