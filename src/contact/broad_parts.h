/* What the parts of the broad phase share: the search, the test, and where partners are put. */
#ifndef SN_CONTACT_BROAD_PARTS_H
#define SN_CONTACT_BROAD_PARTS_H

#include "contact/broad.h"

#include <stdatomic.h>

/* Fewer items than this are not worth waking threads for. */
enum { SN_BROAD_ALONE = 256 };

/* One search, as all threads see it. */
typedef struct sn_broad_search {
    sn_broad *broad;
    const sn_boxes *items, *others; /* the same where pairs are within the items */
    bool within;
    sn_broad_accept *accept;
    const void *context;
    atomic_size_t taken; /* of the output; more than there is room for when it was too small */
} sn_broad_search;

/* Where the partners of one item go; those that find no room are counted. */
typedef struct sn_broad_sink {
    uint32_t *to;
    size_t room, found;
} sn_broad_sink;

/* Finds the partners of one item. May be called again for the same item. */
typedef void sn_broad_seek(const sn_broad_search *search, void *place, const sn_broad_box *a,
                           sn_broad_sink *sink);

/* What a thread has collected and not yet put into the output. */
enum { SN_BROAD_LOCAL = 1024 };
typedef struct sn_broad_pile {
    sn_broad_search *search;
    size_t partners, items;
    uint32_t partner[SN_BROAD_LOCAL];
    uint32_t item[SN_BROAD_LOCAL];
} sn_broad_pile;

void sn_broad_collect(sn_broad_pile *pile, sn_broad_seek *seek, void *place, const sn_broad_box *a);
void sn_broad_flush(sn_broad_pile *pile);

static inline bool sn_broad_is_present(const sn_boxes *boxes, size_t i) {
    const sn_vec4 *low = &boxes->low[i], *high = &boxes->high[i];
    return low->x <= high->x && low->y <= high->y && low->z <= high->z && low->x >= -SN_REAL_MAX &&
           low->y >= -SN_REAL_MAX && low->z >= -SN_REAL_MAX && high->x <= SN_REAL_MAX &&
           high->y <= SN_REAL_MAX && high->z <= SN_REAL_MAX;
}

/* Tests a pair and keeps it if it is one. */
static inline void sn_broad_meet(const sn_broad_search *search, const sn_broad_box *a,
                                 const sn_broad_box *b, sn_broad_sink *sink) {
    /* Without a branch per comparison: which of them fails cannot be foreseen. */
    int meet = (a->low[0] <= b->high[0]) & (b->low[0] <= a->high[0]) & (a->low[1] <= b->high[1]) &
               (b->low[1] <= a->high[1]) & (a->low[2] <= b->high[2]) & (b->low[2] <= a->high[2]) &
               (!search->within | (a->item < b->item));
    if (!meet) return;
    if (search->accept && !search->accept(search->context, a->item, b->item)) return;
    if (sink->found < sink->room) sink->to[sink->found] = b->item;
    sink->found++;
}

/* Sorts by the lowest `bits` of the keys, stable; returns which of the two has the result. */
sn_broad_record *sn_broad_sort(sn_broad_record *records, sn_broad_record *spare, size_t count,
                               int bits);

/* How long boxes are along their longest axis: half of them are shorter than `median`, 95 % than
   `usual`. */
typedef struct sn_broad_sizes {
    sn_real median, usual;
} sn_broad_sizes;

static inline sn_real sn_broad_length(const sn_boxes *boxes, size_t i) {
    const sn_vec4 *low = &boxes->low[i], *high = &boxes->high[i];
    sn_real x = high->x - low->x, y = high->y - low->y, z = high->z - low->z;
    sn_real most = x > y ? x : y;
    return most > z ? most : z;
}

/* The grid. Reserving fails when there is no memory; preparing, where a grid would be slow. */
bool sn_broad_grid_reserve(sn_broad *broad, sn_memory *memory, const sn_broad_search *search);
bool sn_broad_grid_prepare(const sn_broad_search *search, sn_broad_sizes sizes);
void sn_broad_grid_search(sn_broad_search *search, sn_team *team);
void sn_broad_grid_free(sn_broad_grid *grid, sn_memory *memory);

/* The tree: made or fitted for the other boxes, then asked. False when there is no memory. */
bool sn_broad_tree_prepare(sn_broad *broad, sn_memory *memory, const sn_boxes *boxes);
void sn_broad_tree_search(sn_broad_search *search, sn_team *team);
void sn_broad_tree_free(sn_broad_tree *tree, sn_memory *memory);

#endif
