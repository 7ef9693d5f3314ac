/*
 * The tree of the broad phase.
 *
 * Its topology is that of geometry/linear_bvh.h. All boxes are in it, the absent ones at its end,
 * so that it can be refitted to any boxes of the same number. It is built again when its nodes have
 * grown too large.
 */
#include "collision/broad_phase/broad_phase_parts.h"
#include "math/morton.h"

enum { DEPTH = SN_LINEAR_BVH_DEPTH };

static const uint32_t leaf_mark = (uint32_t)1 << 31;

/* How much larger the nodes may become, all together, before the tree is built again. */
static const double most_growth = 1.5;

/* ---- Building ---- */

/* Halves are added: a sum of large numbers may overflow. */
static sn_vec3 middle_of(const sn_boxes *boxes, size_t i) {
    const sn_vec4 *low = &boxes->low[i], *high = &boxes->high[i];
    sn_real half = (sn_real)0.5;
    return (sn_vec3){half * low->x + half * high->x, half * low->y + half * high->y,
                     half * low->z + half * high->z};
}

static sn_real least(sn_real a, sn_real b) {
    return a < b ? a : b;
}

static sn_real most(sn_real a, sn_real b) {
    return a > b ? a : b;
}

typedef struct making {
    sn_broad_tree *tree;
    const sn_boxes *boxes;
} making;

static void place(void *user, sn_curve_item *records, size_t count) {
    const sn_boxes *boxes = ((const making *)user)->boxes;
    sn_vec3 low = {SN_REAL_MAX, SN_REAL_MAX, SN_REAL_MAX};
    sn_vec3 high = {-SN_REAL_MAX, -SN_REAL_MAX, -SN_REAL_MAX};
    for (size_t i = 0; i < count; i++) {
        if (!sn_broad_is_present(boxes, records[i].item)) continue;
        sn_vec3 x = middle_of(boxes, records[i].item);
        low = (sn_vec3){least(low.x, x.x), least(low.y, x.y), least(low.z, x.z)};
        high = (sn_vec3){most(high.x, x.x), most(high.y, x.y), most(high.z, x.z)};
    }
    sn_real longest = most(most(high.x - low.x, high.y - low.y), high.z - low.z);
    double scale = longest > 0 ? 2097152 / (double)longest : 0;
    for (size_t i = 0; i < count; i++) {
        records[i].key = SN_CURVE_NOWHERE;
        if (!sn_broad_is_present(boxes, records[i].item)) continue;
        sn_vec3 x = middle_of(boxes, records[i].item);
        records[i].key = sn_morton_code(sn_curve_cell((double)x.x, (double)low.x, scale),
                                        sn_curve_cell((double)x.y, (double)low.y, scale),
                                        sn_curve_cell((double)x.z, (double)low.z, scale));
    }
}

static void add_node(void *user, uint32_t node, uint32_t parent, size_t first, size_t end,
                     bool leaf) {
    sn_broad_node *nodes = ((const making *)user)->tree->nodes;
    (void)leaf; /* of an inner node, `next` is set by its second child */
    if (parent != SN_LINEAR_BVH_NONE) nodes[parent].next = node;
    nodes[node].end = (uint32_t)end;
    nodes[node].next = (uint32_t)first | leaf_mark;
}

/* Makes the nodes, without their boxes. */
static void build(sn_broad *broad, const sn_boxes *boxes) {
    sn_broad_tree *tree = &broad->tree;
    making m = {tree, boxes};
    sn_linear_bvh_maker maker = {place, add_node, &m};
    for (size_t i = 0; i < boxes->count; i++) broad->records[i].item = (uint32_t)i;
    tree->node_count = sn_linear_bvh_make(&maker, broad->records, broad->spare, boxes->count);
    tree->boxes.count = boxes->count;
    for (size_t i = 0; i < boxes->count; i++)
        ((sn_bits *)tree->boxes.item)[i] = (sn_bits)broad->records[i].item;
    broad->rebuilt++;
}

/* ---- Fitting ---- */

/* A box that overlaps nothing and adds nothing, as all others are finite. */
static const sn_broad_box nothing = {
    {SN_INFINITY, SN_INFINITY, SN_INFINITY}, {-SN_INFINITY, -SN_INFINITY, -SN_INFINITY}, 0};

static sn_broad_box box_of(const sn_boxes *boxes, uint32_t item) {
    sn_broad_box box = nothing;
    box.item = item;
    if (!sn_broad_is_present(boxes, item)) return box;
    return sn_broad_box_of(boxes, item);
}

static void join(sn_broad_node *node, const sn_real low[3], const sn_real high[3]) {
    for (int k = 0; k < 3; k++) {
        node->low[k] = least(node->low[k], low[k]);
        node->high[k] = most(node->high[k], high[k]);
    }
}

static void fit_leaf(sn_broad_tree *tree, sn_broad_node *leaf, const sn_boxes *boxes) {
    for (int k = 0; k < 3; k++) {
        leaf->low[k] = nothing.low[k];
        leaf->high[k] = nothing.high[k];
    }
    for (uint32_t i = leaf->next & ~leaf_mark; i < leaf->end; i++) {
        sn_broad_box box = box_of(boxes, (uint32_t)((sn_bits *)tree->boxes.item)[i]);
        sn_broad_column_set(&tree->boxes, i, &box);
        join(leaf, box.low, box.high);
    }
}

typedef struct fitting {
    sn_broad_tree *tree;
    const sn_boxes *boxes;
} fitting;

static void fit_leaves(void *context, size_t begin, size_t end) {
    const fitting *f = context;
    for (size_t i = begin; i < end; i++)
        if (f->tree->nodes[i].next & leaf_mark) fit_leaf(f->tree, &f->tree->nodes[i], f->boxes);
}

/* Gives all nodes their boxes, leaves first and then the last first; returns the sum of their
   sizes. */
static double fit(sn_broad_tree *tree, const sn_boxes *boxes, sn_team *team) {
    fitting f = {tree, boxes};
    double sum = 0;
    sn_team_run(team, tree->node_count, SN_BROAD_ALONE, fit_leaves, &f);
    for (size_t i = tree->node_count; i-- > 0;) {
        sn_broad_node *node = &tree->nodes[i];
        if (!(node->next & leaf_mark)) {
            const sn_broad_node *a = node + 1, *b = &tree->nodes[node->next];
            for (int k = 0; k < 3; k++) {
                node->low[k] = least(a->low[k], b->low[k]);
                node->high[k] = most(a->high[k], b->high[k]);
            }
        }
        if (!(node->low[0] <= node->high[0])) continue;
        for (int k = 0; k < 3; k++) sum += (double)node->high[k] - (double)node->low[k];
    }
    return sum;
}

bool sn_broad_tree_prepare(sn_broad *broad, sn_memory *memory, sn_team *team,
                           const sn_boxes *boxes) {
    sn_broad_tree *tree = &broad->tree;
    if (!sn_reserve(memory, (void **)&tree->nodes, &tree->node_capacity, 2 * boxes->count,
                    sizeof *tree->nodes) ||
        !sn_broad_columns_reserve(&tree->boxes, memory, boxes->count))
        return false;
    if (boxes->count == 0) {
        tree->boxes.count = tree->node_count = 0;
        return true;
    }
    if (tree->boxes.count == boxes->count && fit(tree, boxes, team) <= most_growth * tree->built)
        return true;
    build(broad, boxes);
    tree->built = fit(tree, boxes, team);
    return true;
}

void sn_broad_tree_free(sn_broad_tree *tree, sn_memory *memory) {
    sn_free(memory, tree->nodes, tree->node_capacity, sizeof *tree->nodes);
    sn_broad_columns_free(&tree->boxes, memory);
}

/* ---- Asking ---- */

/* Tests a box with those of the tree from one on. */
static void seek(const sn_broad_tree *tree, sn_broad_buffer *buffer, const sn_broad_box *a,
                 uint32_t from) {
    sn_broad_asker asker = sn_broad_ask(buffer, a);
    sn_v4 low = {a->low[0], a->low[1], a->low[2], 0};
    sn_v4 high = {a->high[0], a->high[1], a->high[2], 0};
    uint32_t stack[DEPTH];
    int depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        uint32_t at = stack[--depth];
        const sn_broad_node *node = &tree->nodes[at];
        if (node->end <= from || !sn_broad_overlap(low, high, sn_broad_corner_at(node->low),
                                                   sn_broad_corner_at(node->high)))
            continue;
        if (node->next & leaf_mark) {
            uint32_t first = node->next & ~leaf_mark;
            sn_broad_test(&asker, &tree->boxes, first > from ? first : from, node->end);
            continue;
        }
        stack[depth++] = node->next;
        stack[depth++] = at + 1;
    }
}

/* Within one set in the order of the leaves, and each only with those after it. */
static void search_range(void *context, size_t begin, size_t end) {
    sn_broad_buffer buffer;
    buffer.search = context;
    buffer.count = 0;
    sn_broad_search *search = buffer.search;
    const sn_broad_tree *tree = &search->broad->tree;
    for (size_t i = begin; i < end && !sn_broad_is_over(search); i++) {
        sn_broad_box a = search->within ? sn_broad_column_at(&tree->boxes, i)
                                        : box_of(search->items, (uint32_t)i);
        if (a.low[0] <= a.high[0]) seek(tree, &buffer, &a, search->within ? (uint32_t)i + 1 : 0);
    }
    sn_broad_flush(&buffer);
}

void sn_broad_tree_search(sn_broad_search *search, sn_team *team) {
    if (search->broad->tree.node_count == 0) return;
    sn_team_run(team, search->items->count, SN_BROAD_ALONE, search_range, search);
}
