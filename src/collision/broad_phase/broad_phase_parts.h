/* What the parts of the broad phase share: the search, the test, and where partners are put. */
#ifndef SN_COLLISION_BROAD_PHASE_BROAD_PHASE_PARTS_H
#define SN_COLLISION_BROAD_PHASE_BROAD_PHASE_PARTS_H

#include "collision/broad_phase/broad_phase.h"
#include "math/vector.h"

#include <stdatomic.h>

/* Fewer items than this are not worth waking threads for. */
enum { SN_BROAD_ALONE = 256 };

/* ---- The search ---- */

/* One search, as all threads see it. */
typedef struct sn_broad_search {
    sn_broad *broad;
    const sn_boxes *items, *others; /* the same where pairs are within the items */
    bool within;
    bool alone; /* whether there is one thread */
    sn_broad_accept *accept;
    const void *context;
    atomic_size_t taken; /* pairs; more than there is room for when it was too little */
} sn_broad_search;

/* What a thread has found and not yet put with the rest: overlapping pairs, within one set in
   either order. */
enum { SN_BROAD_LOCAL = 512 };
typedef struct sn_broad_buffer {
    sn_broad_search *search;
    size_t count;
    sn_broad_pair pairs[SN_BROAD_LOCAL];
} sn_broad_buffer;

/* Whether there are more pairs already than there may be. */
SN_INLINE bool sn_broad_is_over(sn_broad_search *search) {
    return atomic_load_explicit(&search->taken, memory_order_relaxed) >
           sn_broad_most_pairs(search->items->count);
}

/* Puts those that are accepted with the rest, and counts them for their lists. */
void sn_broad_flush(sn_broad_buffer *buffer);

/* Makes the lists of all pairs; false when there is no memory. */
bool sn_broad_make_lists(sn_broad_search *search, sn_memory *memory, sn_team *team);

/* ---- Boxes ---- */

/* Four numbers wherever they lie: a corner, of which the last is anything; or of four boxes. */
typedef sn_real sn_broad_corner
    __attribute__((vector_size(4 * sizeof(sn_real)), aligned(sizeof(sn_real)), may_alias));

typedef sn_bits sn_broad_four
    __attribute__((vector_size(4 * sizeof(sn_real)), aligned(sizeof(sn_real)), may_alias));

SN_INLINE sn_v4 sn_broad_corner_at(const void *corner) {
    return *(const sn_broad_corner *)corner;
}

/* Whether the first three are true. */
SN_INLINE bool sn_broad_all(sn_v4_bits mask) {
    union {
        sn_v4_bits whole;
        uint64_t word[sizeof(sn_v4_bits) / sizeof(uint64_t)];
    } a = {mask | (sn_v4_bits){0, 0, 0, -1}};
    uint64_t all = a.word[0];
    for (size_t i = 1; i < sizeof a / sizeof *a.word; i++) all &= a.word[i];
    return all == UINT64_MAX;
}

/* Whether it is a box: ordered, and finite, which is what zero times it tells. */
SN_INLINE bool sn_broad_is_present(const sn_boxes *boxes, size_t i) {
    sn_v4 low = sn_broad_corner_at(&boxes->low[i]), high = sn_broad_corner_at(&boxes->high[i]);
    sn_v4 zero = low * 0 + high * 0;
    return sn_broad_all((sn_v4_bits)(low <= high) & (sn_v4_bits)(zero == 0));
}

/* Whether two boxes overlap, by their corners. */
SN_INLINE bool sn_broad_overlap(sn_v4 a_low, sn_v4 a_high, sn_v4 b_low, sn_v4 b_high) {
    return sn_broad_all((sn_v4_bits)(a_low <= b_high) & (sn_v4_bits)(b_low <= a_high));
}

SN_INLINE sn_broad_box sn_broad_box_of(const sn_boxes *boxes, uint32_t item) {
    const sn_vec4 *low = &boxes->low[item], *high = &boxes->high[item];
    return (sn_broad_box){{low->x, low->y, low->z}, {high->x, high->y, high->z}, item};
}

SN_INLINE sn_broad_box sn_broad_column_at(const sn_broad_columns *columns, size_t i) {
    sn_broad_box box;
    for (int k = 0; k < 3; k++) box.low[k] = columns->low[k][i], box.high[k] = columns->high[k][i];
    box.item = (uint32_t)((const sn_bits *)columns->item)[i];
    return box;
}

SN_INLINE void sn_broad_column_set(sn_broad_columns *columns, size_t i, const sn_broad_box *box) {
    for (int k = 0; k < 3; k++)
        columns->low[k][i] = box->low[k], columns->high[k][i] = box->high[k];
    ((sn_bits *)columns->item)[i] = (sn_bits)box->item;
}

/* Room for `count` boxes; false when there is no memory. */
bool sn_broad_columns_reserve(sn_broad_columns *columns, sn_memory *memory, size_t count);
void sn_broad_columns_free(sn_broad_columns *columns, sn_memory *memory);

/* ---- Testing ---- */

/* An item that asks, in registers. */
typedef struct sn_broad_asker {
    sn_v4 low[3], high[3];
    uint32_t item;
    sn_broad_buffer *buffer;
} sn_broad_asker;

SN_INLINE sn_broad_asker sn_broad_ask(sn_broad_buffer *buffer, const sn_broad_box *a) {
    sn_broad_asker asker = {.item = a->item, .buffer = buffer};
    for (int k = 0; k < 3; k++) {
        asker.low[k] = (sn_v4){a->low[k], a->low[k], a->low[k], a->low[k]};
        asker.high[k] = (sn_v4){a->high[k], a->high[k], a->high[k], a->high[k]};
    }
    return asker;
}

/* Tests up to four boxes, from i on and before the end, and keeps those that overlap the asker.
   Whether they do cannot be foreseen: so all are written, and those that do not are written
   over. */
SN_INLINE void sn_broad_test_four(const sn_broad_asker *a, const sn_broad_columns *boxes, size_t i,
                                  size_t end) {
    sn_bits left = (sn_bits)(end - i);
    sn_v4_bits four = *(const sn_broad_four *)((const sn_bits *)boxes->item + i);
    sn_v4_bits overlap = (sn_v4_bits){0, 1, 2, 3} < (sn_v4_bits){left, left, left, left};
    for (int k = 0; k < 3; k++)
        overlap &= (sn_v4_bits)(a->low[k] <= sn_broad_corner_at(boxes->high[k] + i)) &
                   (sn_v4_bits)(sn_broad_corner_at(boxes->low[k] + i) <= a->high[k]);
    sn_broad_buffer *buffer = a->buffer;
    if (buffer->count > SN_BROAD_LOCAL - 4) sn_broad_flush(buffer);
    size_t count = buffer->count;
    for (int k = 0; k < 4; k++) {
        buffer->pairs[count] = sn_broad_pair_of(a->item, (uint32_t)four[k]);
        count -= (size_t)(ptrdiff_t)overlap[k];
    }
    buffer->count = count;
}

SN_INLINE void sn_broad_test(const sn_broad_asker *a, const sn_broad_columns *boxes, size_t begin,
                             size_t end) {
    for (size_t i = begin; i < end; i += 4) sn_broad_test_four(a, boxes, i, end);
}

/* ---- The parts ---- */

/* The grid, without cells for boxes longer than the limit. False when there is no memory; where it
   would be slow it does not suit, and cannot be asked. */
bool sn_broad_grid_prepare(const sn_broad_search *search, sn_memory *memory, sn_real limit,
                           bool *suits);
void sn_broad_grid_search(sn_broad_search *search, sn_team *team);
void sn_broad_grid_free(sn_broad_grid *grid, sn_memory *memory);

/* The tree: made or fitted for the other boxes, then asked. False when there is no memory. */
bool sn_broad_tree_prepare(sn_broad *broad, sn_memory *memory, sn_team *team,
                           const sn_boxes *boxes);
void sn_broad_tree_search(sn_broad_search *search, sn_team *team);
void sn_broad_tree_free(sn_broad_tree *tree, sn_memory *memory);

#endif
