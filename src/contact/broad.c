#include "contact/broad_parts.h"

#include <string.h>

/* ---- Sorting ---- */

enum { DIGIT = 11, DIGITS = 1 << DIGIT };

/* One digit from `from` to `to`; false, and nothing done, if it is the same everywhere. */
static bool sort_digit(const sn_broad_record *from, sn_broad_record *to, size_t count, int shift) {
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

sn_broad_record *sn_broad_sort(sn_broad_record *records, sn_broad_record *spare, size_t count,
                               int bits) {
    for (int shift = 0; shift < bits && count > 0; shift += DIGIT) {
        if (!sort_digit(records, spare, count, shift)) continue;
        sn_broad_record *sorted = spare;
        spare = records;
        records = sorted;
    }
    return records;
}

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
static void sort_partners(uint32_t *a, size_t count) {
    if (count > 32) {
        for (size_t i = count / 2; i-- > 0;) sift(a, i, count);
        for (size_t end = count; end-- > 1;) {
            uint32_t most = a[0];
            a[0] = a[end];
            a[end] = most;
            sift(a, 0, end);
        }
        return;
    }
    for (size_t i = 1; i < count; i++) {
        uint32_t moved = a[i];
        size_t k = i;
        for (; k > 0 && a[k - 1] > moved; k--) a[k] = a[k - 1];
        a[k] = moved;
    }
}

/* ---- Output ---- */

/* Takes space in the output; false if there is not enough, which is known from what was taken. */
static bool take(sn_broad_search *search, size_t count, size_t *at) {
    *at = atomic_fetch_add_explicit(&search->taken, count, memory_order_relaxed);
    return *at + count <= search->broad->partner_capacity;
}

void sn_broad_flush(sn_broad_pile *pile) {
    sn_broad *broad = pile->search->broad;
    size_t at;
    if (pile->partners > 0 && take(pile->search, pile->partners, &at)) {
        memcpy(broad->partner + at, pile->partner, pile->partners * sizeof *pile->partner);
        for (size_t i = 0; i < pile->items; i++) {
            broad->first[pile->item[i]] = at;
            at += broad->number[pile->item[i]];
        }
    }
    pile->partners = pile->items = 0;
}

/* An item with more partners than a pile has room for: counted first, so that it goes straight into
   the output. */
static void collect_many(sn_broad_pile *pile, sn_broad_seek *seek, void *place,
                         const sn_broad_box *a, size_t count) {
    sn_broad *broad = pile->search->broad;
    size_t at;
    if (!take(pile->search, count, &at)) return;
    sn_broad_sink sink = {broad->partner + at, count, 0};
    seek(pile->search, place, a, &sink);
    sort_partners(sink.to, count);
    broad->first[a->item] = at;
    broad->number[a->item] = (uint32_t)count;
}

void sn_broad_collect(sn_broad_pile *pile, sn_broad_seek *seek, void *place,
                      const sn_broad_box *a) {
    sn_broad_sink sink = {pile->partner + pile->partners, SN_BROAD_LOCAL - pile->partners, 0};
    seek(pile->search, place, a, &sink);
    if (sink.found == 0) return;
    if (sink.found > sink.room) {
        sn_broad_flush(pile);
        sink = (sn_broad_sink){pile->partner, SN_BROAD_LOCAL, 0};
        seek(pile->search, place, a, &sink);
    }
    if (sink.found > sink.room) {
        collect_many(pile, seek, place, a, sink.found);
        return;
    }
    sort_partners(sink.to, sink.found);
    pile->partners += sink.found;
    pile->item[pile->items++] = a->item;
    pile->search->broad->number[a->item] = (uint32_t)sink.found;
}

/* ---- Finding ---- */

static bool reserve_results(sn_broad *broad, sn_memory *memory, size_t items, size_t others) {
    size_t most = items > others ? items : others;
    return sn_reserve(memory, (void **)&broad->first, &broad->first_capacity, items,
                      sizeof *broad->first) &&
           sn_reserve(memory, (void **)&broad->number, &broad->number_capacity, items,
                      sizeof *broad->number) &&
           sn_reserve(memory, (void **)&broad->records, &broad->record_capacity, most,
                      sizeof *broad->records) &&
           sn_reserve(memory, (void **)&broad->spare, &broad->spare_capacity, most,
                      sizeof *broad->spare);
}

/* Lengths by the highest bits of their floats: eight steps for each doubling. */
enum { STEPS = 1 << 11, STEP_BITS = 20 };

static void count_lengths(uint32_t number[STEPS], const sn_boxes *boxes) {
    for (size_t i = 0; i < boxes->count; i++) {
        if (!sn_broad_is_present(boxes, i)) continue;
        sn_real length = sn_broad_length(boxes, i);
        float rounded = length < (sn_real)FLT_MAX ? (float)length : FLT_MAX;
        uint32_t bits;
        memcpy(&bits, &rounded, sizeof bits);
        number[bits >> STEP_BITS & (STEPS - 1)]++;
    }
}

/* The end of the step in which the given one of all lengths is. */
static sn_real length_at(const uint32_t number[STEPS], size_t place) {
    uint32_t step = 0;
    for (size_t before = 0; step < STEPS - 1; step++) {
        before += number[step];
        if (before > place) break;
    }
    uint32_t bits = ((step + 1) << STEP_BITS) - 1;
    float length;
    memcpy(&length, &bits, sizeof length);
    return length < FLT_MAX ? (sn_real)length : (sn_real)FLT_MAX;
}

static sn_broad_sizes measure(const sn_broad_search *search) {
    uint32_t number[STEPS] = {0};
    count_lengths(number, search->others);
    if (!search->within) count_lengths(number, search->items);
    size_t count = 0;
    for (size_t i = 0; i < STEPS; i++) count += number[i];
    return (sn_broad_sizes){length_at(number, count / 2), length_at(number, count - count / 20)};
}

/* Boxes are even, and good for a grid, when the usual ones are at most this much longer. */
static const sn_real even = 4;

static bool prepare(sn_broad *broad, sn_memory *memory, sn_broad_phase kind,
                    const sn_broad_search *search) {
    if (kind != SN_BROAD_TREE) {
        sn_broad_sizes sizes = measure(search);
        bool wanted = kind == SN_BROAD_GRID || sizes.usual <= even * sizes.median;
        if (wanted && !sn_broad_grid_reserve(broad, memory, search)) return false;
        broad->used = SN_BROAD_GRID;
        if (wanted && sn_broad_grid_prepare(search, sizes)) return true;
    }
    broad->used = SN_BROAD_TREE;
    return sn_broad_tree_prepare(broad, memory, search->others);
}

bool sn_broad_find(sn_broad *broad, sn_memory *memory, sn_team *team, sn_broad_phase kind,
                   const sn_boxes *items, const sn_boxes *others, sn_broad_accept *accept,
                   const void *context) {
    sn_broad_search search = {.broad = broad,
                              .items = items,
                              .others = others ? others : items,
                              .within = !others,
                              .accept = accept,
                              .context = context};
    broad->total = 0;
    if (!reserve_results(broad, memory, items->count, search.others->count)) return false;
    if (items->count == 0) return true;
    memset(broad->number, 0, items->count * sizeof *broad->number);
    if (!prepare(broad, memory, kind, &search)) return false;
    for (;;) {
        atomic_store(&search.taken, 0);
        if (broad->used == SN_BROAD_GRID)
            sn_broad_grid_search(&search, team);
        else
            sn_broad_tree_search(&search, team);
        size_t taken = atomic_load(&search.taken);
        broad->total = taken;
        if (taken <= broad->partner_capacity) return true;
        broad->total = 0;
        memset(broad->number, 0, items->count * sizeof *broad->number);
        if (!sn_reserve(memory, (void **)&broad->partner, &broad->partner_capacity, taken,
                        sizeof *broad->partner))
            return false;
    }
}

void sn_broad_free(sn_broad *broad, sn_memory *memory) {
    sn_free(memory, broad->first, broad->first_capacity, sizeof *broad->first);
    sn_free(memory, broad->number, broad->number_capacity, sizeof *broad->number);
    sn_free(memory, broad->partner, broad->partner_capacity, sizeof *broad->partner);
    sn_free(memory, broad->records, broad->record_capacity, sizeof *broad->records);
    sn_free(memory, broad->spare, broad->spare_capacity, sizeof *broad->spare);
    sn_broad_grid_free(&broad->grid, memory);
    sn_broad_tree_free(&broad->tree, memory);
    *broad = (sn_broad){0};
}
