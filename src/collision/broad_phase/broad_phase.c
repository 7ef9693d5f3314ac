/* The choice between grid and tree, and the search from boxes to lists. */
#include "collision/broad_phase/broad_phase_parts.h"

#include <string.h>

/* ---- Finding ---- */

static bool reserve(sn_broad *broad, sn_memory *memory, size_t items, size_t others) {
    size_t most = items > others ? items : others;
    return sn_reserve(memory, (void **)&broad->first, &broad->first_capacity, items + 1,
                      sizeof *broad->first) &&
           sn_reserve(memory, (void **)&broad->number, &broad->number_capacity, items,
                      sizeof *broad->number) &&
           sn_reserve(memory, (void **)&broad->counts, &broad->count_capacity, items,
                      sizeof *broad->counts) &&
           sn_reserve(memory, (void **)&broad->lengths[0], &broad->length_capacity[0], items,
                      sizeof *broad->lengths[0]) &&
           sn_reserve(memory, (void **)&broad->lengths[1], &broad->length_capacity[1], others,
                      sizeof *broad->lengths[1]) &&
           sn_reserve(memory, (void **)&broad->records, &broad->record_capacity, most,
                      sizeof *broad->records) &&
           sn_reserve(memory, (void **)&broad->spare, &broad->spare_capacity, most,
                      sizeof *broad->spare);
}

/* Lengths by the highest bits of their floats: eight steps for each doubling. */
enum { STEPS = 1 << 11, STEP_BITS = 20 };

static void measure_lengths(uint32_t number[STEPS], sn_real *lengths, const sn_boxes *boxes) {
    for (size_t i = 0; i < boxes->count; i++) {
        lengths[i] = -1;
        if (!sn_broad_is_present(boxes, i)) continue;
        const sn_vec4 *low = &boxes->low[i], *high = &boxes->high[i];
        sn_real x = high->x - low->x, y = high->y - low->y, z = high->z - low->z;
        sn_real most = x > y ? x : y;
        most = most > z ? most : z;
        lengths[i] = most;
        float rounded = most < (sn_real)FLT_MAX ? (float)most : FLT_MAX;
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

/* How long boxes are: half of them not longer than `median`, 95 % not longer than `usual`. */
typedef struct sizes {
    sn_real median, usual;
} sizes;

static sizes measure(const sn_broad_search *search) {
    sn_broad *broad = search->broad;
    uint32_t number[STEPS] = {0};
    measure_lengths(number, broad->lengths[0], search->items);
    if (!search->within) measure_lengths(number, broad->lengths[1], search->others);
    size_t count = 0;
    for (size_t i = 0; i < STEPS; i++) count += number[i];
    return (sizes){length_at(number, count / 2), length_at(number, count - count / 20)};
}

/* Boxes are even, and good for a grid, when the usual ones are at most `even` times as long as the
   middle one; those that are `large` times as long as the usual ones fit no cell. */
static const sn_real even = 4, large = 2;

static bool prepare(sn_broad *broad, sn_memory *memory, sn_team *team, sn_broad_phase kind,
                    const sn_broad_search *search) {
    if (kind != SN_BROAD_TREE) {
        sizes lengths = measure(search);
        bool suits = kind == SN_BROAD_GRID || lengths.usual <= even * lengths.median;
        if (suits && !sn_broad_grid_prepare(search, memory, large * lengths.usual, &suits))
            return false;
        broad->used = SN_BROAD_GRID;
        if (suits) return true;
    }
    broad->used = SN_BROAD_TREE;
    return sn_broad_tree_prepare(broad, memory, team, search->others);
}

/* Searches until there is room for all pairs; false when there is no memory. */
static bool find_pairs(sn_broad_search *search, sn_memory *memory, sn_team *team) {
    sn_broad *broad = search->broad;
    for (;;) {
        memset(broad->counts, 0, search->items->count * sizeof *broad->counts);
        atomic_store(&search->taken, 0);
        if (broad->used == SN_BROAD_GRID)
            sn_broad_grid_search(search, team);
        else
            sn_broad_tree_search(search, team);
        size_t taken = atomic_load(&search->taken);
        if (!sn_broad_admits(taken, search->items->count)) return false;
        if (taken <= broad->pair_capacity) return true;
        if (!sn_reserve(memory, (void **)&broad->pairs, &broad->pair_capacity, taken,
                        sizeof *broad->pairs))
            return false;
    }
}

bool sn_broad_find(sn_broad *broad, sn_memory *memory, sn_team *team, sn_broad_phase kind,
                   const sn_boxes *items, const sn_boxes *others, sn_broad_accept *accept,
                   const void *context) {
    sn_broad_search search = {.broad = broad,
                              .items = items,
                              .others = others ? others : items,
                              .within = !others,
                              .alone = sn_team_threads(team) == 1,
                              .accept = accept,
                              .context = context};
    broad->total = 0;
    if (!reserve(broad, memory, items->count, others ? others->count : 0)) return false;
    if (items->count == 0) return true;
    memset(broad->number, 0, items->count * sizeof *broad->number);
    return prepare(broad, memory, team, kind, &search) && find_pairs(&search, memory, team) &&
           sn_broad_make_lists(&search, memory, team);
}

void sn_broad_free(sn_broad *broad, sn_memory *memory) {
    sn_free(memory, broad->first, broad->first_capacity, sizeof *broad->first);
    sn_free(memory, broad->number, broad->number_capacity, sizeof *broad->number);
    sn_free(memory, broad->partner, broad->partner_capacity, sizeof *broad->partner);
    sn_free(memory, broad->pairs, broad->pair_capacity, sizeof *broad->pairs);
    sn_free(memory, broad->counts, broad->count_capacity, sizeof *broad->counts);
    sn_free(memory, broad->records, broad->record_capacity, sizeof *broad->records);
    sn_free(memory, broad->spare, broad->spare_capacity, sizeof *broad->spare);
    for (int k = 0; k < 2; k++)
        sn_free(memory, broad->lengths[k], broad->length_capacity[k], sizeof *broad->lengths[k]);
    sn_broad_grid_free(&broad->grid, memory);
    sn_broad_tree_free(&broad->tree, memory);
    *broad = (sn_broad){0};
}
