#include "geometry/bvh.h"

#include "base/error.h"
#include "geometry/topology/sort_indices.h"
#include "math/morton.h"

/* Items of a leaf, and the stack of a walk. */
enum { LEAF = 4, ROUNDS = SN_BVH_ROUNDS, DEPTH = SN_BVH_DEPTH };

/* ---- The curve ---- */

static uint64_t cell(double x, double low, double scale) {
    double at = (x - low) * scale;
    return at > 0 ? at < 2097151 ? (uint64_t)at : 2097151 : 0;
}

static sn_point middle_of(const sn_bounds *box) {
    return sn_point_scaled(sn_point_add(box->low, box->high), 0.5);
}

/* Sorts some of the items along a curve through the box that they are in. */
static void sort_items(sn_record *records, sn_record *spare, const sn_bounds *items, size_t count) {
    sn_bounds all = sn_bounds_empty();
    for (size_t i = 0; i < count; i++) sn_bounds_add(&all, middle_of(&items[records[i].value]));
    sn_point extent = sn_point_sub(all.high, all.low);
    double longest = extent.x > extent.y ? extent.x : extent.y;
    if (extent.z > longest) longest = extent.z;
    double scale = longest > 0 ? 2097152 / longest : 0;
    for (size_t i = 0; i < count; i++) {
        sn_point x = middle_of(&items[records[i].value]);
        uint64_t code = sn_morton_code(cell(x.x, all.low.x, scale), cell(x.y, all.low.y, scale),
                                       cell(x.z, all.low.z, scale));
        records[i].key[0] = (uint32_t)(code >> 32);
        records[i].key[1] = (uint32_t)code;
    }
    sn_records_sort(records, spare, count, 2);
}

/* ---- Building ---- */

static uint64_t code_of(const sn_record *record) {
    return (uint64_t)record->key[0] << 32 | record->key[1];
}

/* Where the items from `first` to `end` are cut in two. */
static size_t cut(const sn_record *records, size_t first, size_t end) {
    uint64_t differ = code_of(&records[first]) ^ code_of(&records[end - 1]);
    if (differ == 0) return first + (end - first) / 2;
    uint64_t bit = 1;
    while (differ >>= 1) bit <<= 1;
    size_t low = first, high = end - 1;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (code_of(&records[middle]) & bit)
            high = middle;
        else
            low = middle;
    }
    return high;
}

typedef struct piece {
    size_t first, end;
    uint32_t parent; /* whose second child it is; of first children SN_BVH_NONE */
    int round;       /* how often its items were spread out */
} piece;

static void build(sn_bvh *bvh, sn_record *records, sn_record *spare, const sn_bounds *items) {
    piece stack[DEPTH];
    int depth = 0;
    sort_items(records, spare, items, bvh->count);
    stack[depth++] = (piece){0, bvh->count, SN_BVH_NONE, 1};
    while (depth > 0) {
        piece p = stack[--depth];
        uint32_t node = (uint32_t)bvh->node_count++;
        if (p.parent != SN_BVH_NONE) bvh->nodes[p.parent].first = node;
        bool leaf = p.end - p.first <= LEAF;
        bvh->nodes[node].count = leaf ? (uint32_t)(p.end - p.first) : 0;
        bvh->nodes[node].first = (uint32_t)p.first;
        if (leaf) continue;
        /* Something far away may have put all others into one place. */
        bool one_place = code_of(&records[p.first]) == code_of(&records[p.end - 1]);
        if (one_place && p.round < ROUNDS) {
            sort_items(records + p.first, spare, items, p.end - p.first);
            p.round++;
        }
        size_t middle = cut(records, p.first, p.end);
        stack[depth++] = (piece){middle, p.end, node, p.round};
        stack[depth++] = (piece){p.first, middle, SN_BVH_NONE, p.round};
    }
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
           sn_reserve(memory, &bvh->records, &bvh->record_capacity, count, sizeof(sn_record)) &&
           sn_reserve(memory, &bvh->spare, &bvh->spare_capacity, count, sizeof(sn_record));
}

static void free_records(sn_bvh *bvh, sn_memory *memory) {
    sn_free(memory, bvh->records, bvh->record_capacity, sizeof(sn_record));
    sn_free(memory, bvh->spare, bvh->spare_capacity, sizeof(sn_record));
    bvh->records = bvh->spare = NULL;
    bvh->record_capacity = bvh->spare_capacity = 0;
}

bool sn_bvh_renew(sn_bvh *bvh, sn_memory *memory, const sn_bounds *items, size_t count) {
    bvh->count = bvh->node_count = 0;
    if (!reserve(bvh, memory, count)) return false;
    if (count == 0) return true;
    sn_record *records = bvh->records;
    bvh->count = count;
    for (size_t i = 0; i < count; i++) records[i].value = (uint32_t)i;
    build(bvh, records, bvh->spare, items);
    for (size_t i = 0; i < count; i++) bvh->order[i] = records[i].value;
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

/* The square of the distance from a point to a box. */
static double box_distance(const sn_bounds *box, sn_point x) {
    double dx = x.x < box->low.x ? box->low.x - x.x : x.x > box->high.x ? x.x - box->high.x : 0;
    double dy = x.y < box->low.y ? box->low.y - x.y : x.y > box->high.y ? x.y - box->high.y : 0;
    double dz = x.z < box->low.z ? box->low.z - x.z : x.z > box->high.z ? x.z - box->high.z : 0;
    return dx * dx + dy * dy + dz * dz;
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
    if (bvh->node_count > 0) stack[depth++] = (entry){0, box_distance(&bvh->nodes[0].bounds, x)};
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
        entry a = {e.node + 1, box_distance(&node[1].bounds, x)};
        entry b = {node->first, box_distance(&bvh->nodes[node->first].bounds, x)};
        bool a_first = a.distance <= b.distance;
        stack[depth++] = a_first ? b : a;
        stack[depth++] = a_first ? a : b;
    }
    *nearest = within;
    return found;
}
