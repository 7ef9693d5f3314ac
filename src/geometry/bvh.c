#include "geometry/bvh.h"

#include "base/error.h"
#include "math/morton.h"

/* The stack of a traversal. */
enum { DEPTH = SN_LINEAR_BVH_DEPTH };

/* ---- Building ---- */

static sn_point middle_of(const sn_bounds *box) {
    return sn_point_scaled(sn_point_add(box->low, box->high), 0.5);
}

typedef struct making {
    sn_bvh *bvh;
    const sn_bounds *items;
} making;

static void place(void *user, sn_curve_item *records, size_t count) {
    const sn_bounds *items = ((const making *)user)->items;
    sn_bounds all = sn_bounds_empty();
    for (size_t i = 0; i < count; i++) sn_bounds_add(&all, middle_of(&items[records[i].item]));
    sn_point extent = sn_point_sub(all.high, all.low);
    double longest = extent.x > extent.y ? extent.x : extent.y;
    if (extent.z > longest) longest = extent.z;
    double scale = longest > 0 ? 2097152 / longest : 0;
    for (size_t i = 0; i < count; i++) {
        sn_point x = middle_of(&items[records[i].item]);
        records[i].key = sn_morton_code(sn_curve_cell(x.x, all.low.x, scale),
                                        sn_curve_cell(x.y, all.low.y, scale),
                                        sn_curve_cell(x.z, all.low.z, scale));
    }
}

static void add_node(void *user, uint32_t node, uint32_t parent, size_t first, size_t end,
                     bool leaf) {
    sn_bvh *bvh = ((const making *)user)->bvh;
    if (parent != SN_LINEAR_BVH_NONE) bvh->nodes[parent].first = node;
    bvh->nodes[node].count = leaf ? (uint32_t)(end - first) : 0;
    bvh->nodes[node].first = (uint32_t)first;
}

void sn_bvh_refit(sn_bvh *bvh, const sn_bounds *items) {
    for (size_t i = bvh->node_count; i-- > 0;) {
        sn_bvh_node *node = &bvh->nodes[i];
        if (node->count == 0) {
            node->bounds = node[1].bounds;
            sn_bounds_join(&node->bounds, bvh->nodes[node->first].bounds);
            continue;
        }
        node->bounds = sn_bounds_empty();
        for (uint32_t k = 0; k < node->count; k++)
            sn_bounds_join(&node->bounds, items[bvh->order[node->first + k]]);
    }
}

/* Room for a tree and for sorting its items. */
static bool reserve(sn_bvh *bvh, sn_memory *memory, size_t count) {
    return sn_reserve(memory, (void **)&bvh->nodes, &bvh->node_capacity, 2 * count,
                      sizeof *bvh->nodes) &&
           sn_reserve(memory, (void **)&bvh->order, &bvh->order_capacity, count,
                      sizeof *bvh->order) &&
           sn_reserve(memory, (void **)&bvh->records, &bvh->record_capacity, count,
                      sizeof(sn_curve_item)) &&
           sn_reserve(memory, (void **)&bvh->spare, &bvh->spare_capacity, count,
                      sizeof(sn_curve_item));
}

static void free_records(sn_bvh *bvh, sn_memory *memory) {
    sn_free(memory, bvh->records, bvh->record_capacity, sizeof(sn_curve_item));
    sn_free(memory, bvh->spare, bvh->spare_capacity, sizeof(sn_curve_item));
    bvh->records = bvh->spare = NULL;
    bvh->record_capacity = bvh->spare_capacity = 0;
}

bool sn_bvh_renew(sn_bvh *bvh, sn_memory *memory, const sn_bounds *items, size_t count) {
    bvh->count = bvh->node_count = 0;
    if (!reserve(bvh, memory, count)) return false;
    if (count == 0) return true;
    making m = {bvh, items};
    sn_linear_bvh_maker maker = {place, add_node, &m};
    bvh->count = count;
    for (size_t i = 0; i < count; i++) bvh->records[i].item = (uint32_t)i;
    bvh->node_count = sn_linear_bvh_make(&maker, bvh->records, bvh->spare, count);
    for (size_t i = 0; i < count; i++) bvh->order[i] = bvh->records[i].item;
    sn_bvh_refit(bvh, items);
    return true;
}

sn_result sn_bvh_create(sn_bvh *bvh, sn_memory *memory, const sn_bounds *items, size_t count) {
    *bvh = (sn_bvh){0};
    if (count > (size_t)1 << 30)
        return sn_fail(SN_ERROR_LIMIT, "tree of boxes: it has %zu items, expected at most 2^30",
                       count);
    bool there = sn_bvh_renew(bvh, memory, items, count);
    if (there)
        free_records(bvh, memory);
    else
        sn_bvh_free(bvh, memory);
    return there ? SN_OK : SN_ERROR_MEMORY;
}

void sn_bvh_free(sn_bvh *bvh, sn_memory *memory) {
    free_records(bvh, memory);
    sn_free(memory, bvh->nodes, bvh->node_capacity, sizeof *bvh->nodes);
    sn_free(memory, bvh->order, bvh->order_capacity, sizeof *bvh->order);
    *bvh = (sn_bvh){0};
}

/* ---- Asking ---- */

static bool overlaps(const sn_bounds *a, const sn_bounds *b) {
    return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y &&
           b->low.y <= a->high.y && a->low.z <= b->high.z && b->low.z <= a->high.z;
}

void sn_bvh_overlap(const sn_bvh *bvh, sn_bounds box, bool (*visit)(void *user, uint32_t item),
                    void *user) {
    uint32_t stack[DEPTH];
    int depth = 0;
    if (bvh->node_count > 0) stack[depth++] = 0;
    while (depth > 0) {
        uint32_t at = stack[--depth];
        const sn_bvh_node *node = &bvh->nodes[at];
        if (!overlaps(&node->bounds, &box)) continue;
        for (uint32_t k = 0; k < node->count; k++)
            if (!visit(user, bvh->order[node->first + k])) return;
        if (node->count > 0) continue;
        stack[depth++] = node->first;
        stack[depth++] = at + 1;
    }
}

typedef struct entry {
    uint32_t node;
    double distance;
} entry;

uint32_t sn_bvh_nearest(const sn_bvh *bvh, sn_point x, double within,
                        double (*distance)(void *user, uint32_t item, sn_point x), void *user,
                        double *nearest) {
    entry stack[DEPTH];
    int depth = 0;
    uint32_t found = SN_BVH_NONE;
    if (bvh->node_count > 0)
        stack[depth++] = (entry){0, sn_bounds_square(&bvh->nodes[0].bounds, x)};
    while (depth > 0) {
        entry e = stack[--depth];
        if (!(e.distance < within)) continue;
        const sn_bvh_node *node = &bvh->nodes[e.node];
        for (uint32_t k = 0; k < node->count; k++) {
            uint32_t item = bvh->order[node->first + k];
            double square = distance(user, item, x);
            if (!(square < within)) continue;
            within = square;
            found = item;
        }
        if (node->count > 0) continue;
        /* The nearer child comes first off the stack. */
        entry a = {e.node + 1, sn_bounds_square(&node[1].bounds, x)};
        entry b = {node->first, sn_bounds_square(&bvh->nodes[node->first].bounds, x)};
        bool a_first = a.distance <= b.distance;
        stack[depth++] = a_first ? b : a;
        stack[depth++] = a_first ? a : b;
    }
    *nearest = within;
    return found;
}
