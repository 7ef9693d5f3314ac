#include "geometry/linear_bvh.h"

/* ---- Sorting ---- */

enum { DIGIT = 11, DIGITS = 1 << DIGIT };

/* One digit from `from` to `to`; false, and nothing done, if it is the same everywhere. */
static bool sort_digit(const sn_curve_item *from, sn_curve_item *to, size_t count, int shift) {
    uint32_t begin[DIGITS] = {0};
    for (size_t i = 0; i < count; i++) begin[from[i].key >> shift & (DIGITS - 1)]++;
    if (begin[from[0].key >> shift & (DIGITS - 1)] == count) return false;
    uint32_t sum = 0;
    for (int d = 0; d < DIGITS; d++) {
        uint32_t number = begin[d];
        begin[d] = sum;
        sum += number;
    }
    for (size_t i = 0; i < count; i++) to[begin[from[i].key >> shift & (DIGITS - 1)]++] = from[i];
    return true;
}

sn_curve_item *sn_curve_sort(sn_curve_item *items, sn_curve_item *spare, size_t count, int bits) {
    for (int shift = 0; shift < bits && count > 0; shift += DIGIT) {
        if (!sort_digit(items, spare, count, shift)) continue;
        sn_curve_item *sorted = spare;
        spare = items;
        items = sorted;
    }
    return items;
}

/* ---- Making ---- */

static void place(const sn_linear_bvh_maker *maker, sn_curve_item *items, sn_curve_item *spare,
                  size_t count) {
    maker->place(maker->user, items, count);
    if (sn_curve_sort(items, spare, count, 64) == items) return;
    for (size_t i = 0; i < count; i++) items[i] = spare[i];
}

/* Where the items from `first` to `end` are cut in two. */
static size_t cut(const sn_curve_item *items, size_t first, size_t end) {
    uint64_t differ = items[first].key ^ items[end - 1].key;
    if (differ == 0) return first + (end - first) / 2;
    uint64_t bit = 1;
    while (differ >>= 1) bit <<= 1;
    size_t low = first, high = end - 1;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (items[middle].key & bit)
            high = middle;
        else
            low = middle;
    }
    return high;
}

typedef struct piece {
    size_t first, end;
    uint32_t parent; /* whose second child it is; of first children SN_LINEAR_BVH_NONE */
    int round;       /* how often its items were spread out */
} piece;

size_t sn_linear_bvh_make(const sn_linear_bvh_maker *maker, sn_curve_item *items,
                          sn_curve_item *spare, size_t count) {
    piece stack[SN_LINEAR_BVH_DEPTH];
    int depth = 0;
    uint32_t nodes = 0;
    place(maker, items, spare, count);
    stack[depth++] = (piece){0, count, SN_LINEAR_BVH_NONE, 1};
    while (depth > 0) {
        piece p = stack[--depth];
        uint32_t node = nodes++;
        bool leaf = p.end - p.first <= SN_LINEAR_BVH_LEAF;
        maker->add(maker->user, node, p.parent, p.first, p.end, leaf);
        if (leaf) continue;
        /* Something far away may have put all others into one place. */
        uint64_t key = items[p.first].key;
        if (key == items[p.end - 1].key && key != SN_CURVE_NOWHERE &&
            p.round < SN_LINEAR_BVH_ROUNDS) {
            place(maker, items + p.first, spare, p.end - p.first);
            p.round++;
        }
        size_t middle = cut(items, p.first, p.end);
        stack[depth++] = (piece){middle, p.end, node, p.round};
        stack[depth++] = (piece){p.first, middle, SN_LINEAR_BVH_NONE, p.round};
    }
    return nodes;
}
