#include "collision/query/query_tree.h"

#include <float.h>
#include <string.h>

/* A tree is no longer good when its boxes are this much larger than they were. */
static const double MOST_GROWTH = 1.5;

/* ---- Boxes of four ---- */

/* Not above the number; a float has 24 bits. */
static float below(double a) {
    if (a > (double)FLT_MAX) return FLT_MAX;
    if (a < -(double)FLT_MAX) return -__builtin_inff();
    float f = (float)a, size = f < 0 ? -f : f;
    return f - (size * 1.5e-7f + FLT_MIN);
}

static float above(double a) {
    return -below(-a);
}

static void set_box(const sn_tree *tree, sn_tree_node *node, int k, const sn_bounds *box) {
    sn_point low = sn_point_sub(box->low, tree->middle);
    sn_point high = sn_point_sub(box->high, tree->middle);
    node->side[0][0][k] = below(low.x);
    node->side[0][1][k] = below(low.y);
    node->side[0][2][k] = below(low.z);
    node->side[1][0][k] = above(high.x);
    node->side[1][1][k] = above(high.y);
    node->side[1][2][k] = above(high.z);
}

static sn_tree_node empty_node(void) {
    sn_tree_node node;
    memset(&node, 0, sizeof node);
    for (int k = 0; k < SN_TREE_WIDTH; k++) node.child[k] = SN_TREE_NONE;
    return node;
}

static double area_of(const sn_bounds *box) {
    sn_point e = sn_point_sub(box->high, box->low);
    return e.x * e.y + e.y * e.z + e.z * e.x;
}

/* What a node of the binary tree has below it, two levels down where there are two. Not by size,
   which changes: the tree that follows has as many nodes as it had. */
static int below_of(const sn_bvh *binary, uint32_t at, uint32_t found[SN_TREE_WIDTH]) {
    int count = 0;
    const uint32_t child[2] = {at + 1, binary->nodes[at].first};
    for (int i = 0; i < 2; i++) {
        if (binary->nodes[child[i]].count > 0) {
            found[count++] = child[i];
        } else {
            found[count++] = child[i] + 1;
            found[count++] = binary->nodes[child[i]].first;
        }
    }
    return count;
}

/* A leaf: its items, each with its own box. */
static void set_items(const sn_tree *tree, sn_tree_node *node, const sn_bvh_node *leaf) {
    for (uint32_t k = 0; k < leaf->count; k++) {
        set_box(tree, node, (int)k, &tree->bounds[tree->binary.order[leaf->first + k]]);
        node->child[k] = SN_TREE_ITEM | (leaf->first + k);
    }
}

typedef struct pending {
    uint32_t binary, node;
} pending;

/* One child of a node: another node, or the only item of a leaf. */
static uint32_t child_of(const sn_bvh_node *from, uint32_t *made) {
    return from->count == 1 ? SN_TREE_ITEM | from->first : (*made)++;
}

/* Every second level of the binary tree, and its leaves; without room for nodes, only counts
   them. */
static size_t gather(sn_tree *tree) {
    const sn_bvh *binary = &tree->binary;
    pending stack[SN_TREE_DEPTH];
    uint32_t made = 0, found[SN_TREE_WIDTH];
    int depth = 0;
    if (binary->node_count > 0) stack[depth++] = (pending){0, made++};
    while (depth > 0) {
        pending p = stack[--depth];
        sn_tree_node *node = tree->node ? &tree->node[p.node] : NULL;
        bool leaf = binary->nodes[p.binary].count > 0;
        if (node) *node = empty_node();
        if (node && leaf) set_items(tree, node, &binary->nodes[p.binary]);
        int count = leaf ? 0 : below_of(binary, p.binary, found);
        for (int k = 0; k < count; k++) {
            const sn_bvh_node *from = &binary->nodes[found[k]];
            uint32_t child = child_of(from, &made);
            if (node) set_box(tree, node, k, &from->bounds);
            if (node) node->child[k] = child;
            if (!(child & SN_TREE_ITEM)) stack[depth++] = (pending){found[k], child};
        }
    }
    return made;
}

static void set_size(sn_tree *tree) {
    if (tree->binary.node_count == 0) return;
    tree->all = tree->binary.nodes[0].bounds;
    tree->middle = sn_point_scaled(sn_point_add(tree->all.low, tree->all.high), 0.5);
    sn_point extent = sn_point_sub(tree->all.high, tree->all.low);
    tree->size = extent.x + extent.y + extent.z;
}

static double area_of_all(const sn_bvh *binary) {
    double sum = 0;
    for (size_t i = 0; i < binary->node_count; i++) sum += area_of(&binary->nodes[i].bounds);
    return sum;
}

/* ---- Life ---- */

sn_result sn_tree_create(sn_tree *tree, sn_memory *memory, const sn_bounds *bounds, size_t count) {
    *tree = (sn_tree){0};
    SN_TRY(sn_bvh_create(&tree->binary, memory, bounds, count));
    tree->bounds = sn_allocate(memory, count, sizeof *tree->bounds);
    tree->node_count = gather(tree);
    tree->node = sn_allocate(memory, tree->node_count, sizeof *tree->node);
    if (!tree->bounds || !tree->node) {
        sn_tree_free(tree, memory);
        return SN_ERROR_MEMORY;
    }
    if (count > 0) memcpy(tree->bounds, bounds, count * sizeof *bounds);
    tree->area = area_of_all(&tree->binary);
    set_size(tree);
    gather(tree);
    return SN_OK;
}

void sn_tree_free(sn_tree *tree, sn_memory *memory) {
    size_t count = tree->binary.count;
    sn_free(memory, tree->bounds, count, sizeof *tree->bounds);
    sn_free(memory, tree->node, tree->node_count, sizeof *tree->node);
    sn_bvh_free(&tree->binary, memory);
    *tree = (sn_tree){0};
}

bool sn_tree_follow(sn_tree *tree) {
    sn_bvh_refit(&tree->binary, tree->bounds);
    set_size(tree);
    gather(tree);
    return area_of_all(&tree->binary) <= MOST_GROWTH * tree->area;
}
