/*
 * The output of the broad phase: from pairs in any order to lists.
 *
 * Pairs are counted for their lists when they are found. Then it is known where each list begins,
 * every pair goes to its list, and the lists are sorted: so it does not matter which thread found
 * what, and when.
 */
#include "collision/broad_phase/broad_phase_parts.h"

#include "base/error.h"

#include <string.h>

/* ---- Pairs ---- */

/* Adds one to a count and returns what it was; atomically where there are several threads. */
SN_INLINE uint32_t next(const sn_broad_search *search, uint32_t a) {
    _Atomic(uint32_t) *count = &search->broad->counts[a];
    if (!search->alone) return atomic_fetch_add_explicit(count, 1, memory_order_relaxed);
    uint32_t before = atomic_load_explicit(count, memory_order_relaxed);
    atomic_store_explicit(count, before + 1, memory_order_relaxed);
    return before;
}

/* Puts pairs in order. */
static void order(sn_broad_pair *pairs, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint32_t a = (uint32_t)pairs[i], b = (uint32_t)(pairs[i] >> 32);
        pairs[i] = sn_broad_pair_of(a < b ? a : b, a < b ? b : a);
    }
}

void sn_broad_flush(sn_broad_buffer *buffer) {
    sn_broad_search *search = buffer->search;
    size_t count = buffer->count;
    buffer->count = 0;
    if (search->within) order(buffer->pairs, count);
    if (search->accept) count = search->accept(search->context, buffer->pairs, count);
    if (count == 0) return;
    size_t at = atomic_fetch_add_explicit(&search->taken, count, memory_order_relaxed);
    for (size_t i = 0; i < count; i++) next(search, (uint32_t)buffer->pairs[i]);
    if (at + count > search->broad->pair_capacity) return;
    memcpy(search->broad->pairs + at, buffer->pairs, count * sizeof *buffer->pairs);
}

/* ---- Too many ---- */

size_t sn_broad_most_pairs(size_t boxes) {
    const size_t few = (size_t)1 << 20, each = 512;
    if (boxes < few / each) return few;
    return boxes < UINT32_MAX / each ? each * boxes : UINT32_MAX;
}

bool sn_broad_admits(size_t pairs, size_t boxes) {
    size_t most = sn_broad_most_pairs(boxes);
    if (pairs <= most) return true;
    sn_fail(SN_ERROR_LIMIT,
            "contact: more than %zu pairs of %zu points, edges and triangles may touch within the "
            "step, expected at most so many; radii, thicknesses or speeds are too large for "
            "things of their size",
            most, boxes);
    return false;
}

/* ---- Lists ---- */

/* Moves what is at `i` down the heap of the first `count`. */
static void sift(uint32_t *a, size_t i, size_t count) {
    uint32_t moved = a[i];
    for (size_t child; (child = 2 * i + 1) < count; i = child) {
        if (child + 1 < count && a[child + 1] > a[child]) child++;
        if (a[child] <= moved) break;
        a[i] = a[child];
    }
    a[i] = moved;
}

/* Few partners are usual; many take n log n as well. */
void sn_broad_sort_partners(uint32_t *partner, size_t count) {
    if (count > 32) {
        for (size_t i = count / 2; i-- > 0;) sift(partner, i, count);
        for (size_t end = count; end-- > 1;) {
            uint32_t most = partner[0];
            partner[0] = partner[end];
            partner[end] = most;
            sift(partner, 0, end);
        }
        return;
    }
    for (size_t i = 1; i < count; i++) {
        uint32_t moved = partner[i];
        size_t k = i;
        for (; k > 0 && partner[k - 1] > moved; k--) partner[k] = partner[k - 1];
        partner[k] = moved;
    }
}

/* Every pair to its list. */
static void put_pairs(void *context, size_t begin, size_t end) {
    const sn_broad_search *search = context;
    const sn_broad *broad = search->broad;
    for (size_t i = begin; i < end; i++) {
        uint32_t a = (uint32_t)broad->pairs[i], b = (uint32_t)(broad->pairs[i] >> 32);
        broad->partner[next(search, a)] = b;
    }
}

static void sort_lists(void *context, size_t begin, size_t end) {
    const sn_broad *broad = ((const sn_broad_search *)context)->broad;
    for (size_t i = begin; i < end; i++) {
        broad->number[i] = (uint32_t)(broad->first[i + 1] - broad->first[i]);
        /* Where nobody has a partner there is no list. */
        if (broad->number[i] > 1)
            sn_broad_sort_partners(broad->partner + broad->first[i], broad->number[i]);
    }
}

bool sn_broad_make_lists(sn_broad_search *search, sn_memory *memory, sn_team *team) {
    sn_broad *broad = search->broad;
    size_t total = atomic_load(&search->taken), items = search->items->count, sum = 0;
    if (!sn_reserve(memory, (void **)&broad->partner, &broad->partner_capacity, total,
                    sizeof *broad->partner))
        return false;
    /* From here on the counts say where the next partner goes. */
    for (size_t i = 0; i < items; i++) {
        broad->first[i] = sum;
        sum += atomic_load_explicit(&broad->counts[i], memory_order_relaxed);
        atomic_store_explicit(&broad->counts[i], (uint32_t)broad->first[i], memory_order_relaxed);
    }
    broad->first[items] = sum;
    sn_team_run(team, total, SN_BROAD_ALONE, put_pairs, search);
    sn_team_run(team, items, SN_BROAD_ALONE, sort_lists, search);
    broad->total = total;
    return true;
}
