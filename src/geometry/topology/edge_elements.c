/*
 * Every element lists its edges; they are put into one bucket per lower vertex, and sorted in there
 * by the upper one. Buckets are short, so this takes linear time.
 */
#include "geometry/topology/edge_elements.h"

#include "base/error.h"

typedef struct half {
    uint32_t b, element;
} half;

static uint32_t lower(uint32_t p, uint32_t q) {
    return p < q ? p : q;
}

/* Insertion keeps the order of elements with the same edge. */
static void sort(half *at, size_t count) {
    for (size_t i = 1; i < count; i++) {
        half moved = at[i];
        size_t k = i;
        for (; k > 0 && at[k - 1].b > moved.b; k--) at[k] = at[k - 1];
        at[k] = moved;
    }
}

/* Where the bucket of every vertex begins, and what is in it. */
static void fill(const uint32_t *elements, size_t count, size_t corners, size_t vertices,
                 size_t *begin, half *at) {
    for (int pass = 0; pass < 2; pass++) {
        for (size_t e = 0; e < count; e++)
            for (size_t i = 0; i < corners; i++)
                for (size_t j = i + 1; j < corners; j++) {
                    uint32_t p = elements[e * corners + i], q = elements[e * corners + j];
                    uint32_t a = lower(p, q);
                    if (pass == 0)
                        begin[a + 1]++;
                    else
                        at[begin[a]++] = (half){p + q - a, (uint32_t)e};
                }
        if (pass == 0)
            for (size_t v = 0; v < vertices; v++) begin[v + 1] += begin[v];
    }
    /* The second pass moved each beginning to the next one. */
    for (size_t v = vertices; v > 0; v--) begin[v] = begin[v - 1];
    begin[0] = 0;
}

static void collect(sn_pairs *pairs, const size_t *begin, half *at, size_t vertices) {
    for (size_t v = 0; v < vertices; v++) {
        sort(at + begin[v], begin[v + 1] - begin[v]);
        for (size_t i = begin[v]; i < begin[v + 1]; i++) {
            pairs->element[i] = at[i].element;
            if (i == begin[v] || at[i].b != at[i - 1].b)
                pairs->pair[pairs->count++] = (sn_pair){(uint32_t)v, at[i].b, (uint32_t)i, 0};
            pairs->pair[pairs->count - 1].count++;
        }
    }
}

sn_result sn_pairs_create(sn_pairs *pairs, sn_memory *memory, const uint32_t *elements,
                          size_t count, size_t corners, size_t vertices) {
    size_t halves = count * (corners * (corners - 1) / 2);
    *pairs = (sn_pairs){.capacity = halves + 1};
    if (halves >= UINT32_MAX)
        return sn_fail(SN_ERROR_LIMIT, "mesh: %zu elements, expected fewer", count);
    size_t *begin = sn_allocate(memory, vertices + 2, sizeof *begin);
    half *at = sn_allocate(memory, halves + 1, sizeof *at);
    pairs->pair = sn_allocate(memory, pairs->capacity, sizeof *pairs->pair);
    pairs->element = sn_allocate(memory, pairs->capacity, sizeof *pairs->element);
    bool room = begin && at && pairs->pair && pairs->element;
    if (room) {
        fill(elements, count, corners, vertices, begin, at);
        collect(pairs, begin, at, vertices);
    } else {
        sn_pairs_free(pairs, memory);
    }
    sn_free(memory, begin, vertices + 2, sizeof *begin);
    sn_free(memory, at, halves + 1, sizeof *at);
    return room ? SN_OK : SN_ERROR_MEMORY;
}

void sn_pairs_free(sn_pairs *pairs, sn_memory *memory) {
    sn_free(memory, pairs->pair, pairs->capacity, sizeof *pairs->pair);
    sn_free(memory, pairs->element, pairs->capacity, sizeof *pairs->element);
    *pairs = (sn_pairs){0};
}
