/*
 * The pairs of a set: what walks over trees have found, and from the broad phase what belongs to no
 * triangle; sorted by both elements, so that it does not matter who found them when.
 */
#include "contact/surface/most_slots.h"

#include <stdatomic.h>
#include <string.h>

enum { ELEMENTS_ALONE = 256, PAIRS_ALONE = 1024 };

/* ---- What belongs to no triangle ---- */

/* By the numbers that elements have in the whole lists; two of one list in their order. */
sn_broad_pair sn_surface_pair_loose_pair(const sn_surface_contacts *surface_contacts, int kind,
                                         uint32_t i, uint32_t b) {
    const sn_surface_elements *first =
        &surface_contacts->list[sn_surface_kind_of(kind)->searched_first];
    uint32_t a = first->at ? first->at[i] : i;
    bool turned = sn_surface_kind_of(kind)->first == sn_surface_kind_of(kind)->second && b < a;
    return turned ? sn_broad_pair_of(b, a) : sn_broad_pair_of(a, b);
}

bool sn_surface_pair_add_loose(sn_world *world, sn_surface_contacts *m, int kind) {
    const sn_broad *broad = &m->broad[kind];
    const sn_surface_elements *first = &m->list[sn_surface_kind_of(kind)->searched_first];
    sn_surface_contact_heap *heap = &m->heap[kind];
    if (broad->total == 0) return true;
    if (!sn_reserve(&world->memory, (void **)&heap->pair, &heap->capacity,
                    heap->count + broad->total, sizeof *heap->pair))
        return false;
    for (uint32_t i = 0; i < first->count; i++)
        for (size_t k = 0; k < broad->number[i]; k++)
            heap->pair[heap->count++] =
                sn_surface_pair_loose_pair(m, kind, i, broad->partner[broad->first[i] + k]);
    return true;
}

/* ---- All pairs of a kind ---- */

typedef struct listing {
    sn_contact_set *set;
    const size_t *first;    /* where the partners of every element begin, as the broad phase has */
    const uint32_t *number; /* it, and how many there are; */
    uint32_t *place;        /* or where they end */
    uint32_t *partner;
    bool sorts;
} listing;

static void list_range(void *context, size_t begin, size_t end) {
    const listing *l = context;
    for (size_t a = begin; a < end; a++) {
        size_t first = l->place ? (a > 0 ? l->place[a - 1] : 0) : l->first[a];
        size_t count = l->place ? l->place[a] - first : l->number[a];
        if (l->sorts) sn_broad_sort_partners(l->partner + first, count);
        for (size_t k = first; k < first + count; k++)
            l->set->pair[k] = (sn_contact_pair){.a = (uint32_t)a, .b = l->partner[k]};
    }
}

/* ---- Every partner to the list of its element ---- */

typedef struct sorting {
    const sn_surface_contact_heap *heap;
    _Atomic(uint32_t) *place;
    uint32_t *partner;
    bool alone;
} sorting;

/* Adds one to a place and returns what it was; atomically where there are several threads. */
SN_INLINE uint32_t next(const sorting *s, size_t a) {
    if (!s->alone) return atomic_fetch_add_explicit(&s->place[a], 1, memory_order_relaxed);
    uint32_t before = atomic_load_explicit(&s->place[a], memory_order_relaxed);
    atomic_store_explicit(&s->place[a], before + 1, memory_order_relaxed);
    return before;
}

static void count_range(void *context, size_t begin, size_t end) {
    const sorting *s = context;
    for (size_t i = begin; i < end; i++) (void)next(s, (size_t)(uint32_t)s->heap->pair[i] + 1);
}

static void put_range(void *context, size_t begin, size_t end) {
    const sorting *s = context;
    for (size_t i = begin; i < end; i++)
        s->partner[next(s, (uint32_t)s->heap->pair[i])] = (uint32_t)(s->heap->pair[i] >> 32);
}

/* Afterwards `place` is where each list ends. */
static bool sort_found(sn_world *world, sn_surface_contacts *m, const sn_surface_contact_heap *heap,
                       size_t elements) {
    if (!sn_reserve(&world->memory, (void **)&m->partner, &m->partner_capacity, heap->count,
                    sizeof *m->partner) ||
        !sn_reserve(&world->memory, (void **)&m->place, &m->place_capacity, elements + 1,
                    sizeof *m->place))
        return false;
    memset(m->place, 0, (elements + 1) * sizeof *m->place);
    sorting s = {heap, (_Atomic(uint32_t) *)m->place, m->partner,
                 sn_team_threads(world->bindings.team) == 1};
    sn_team_run(world->bindings.team, heap->count, PAIRS_ALONE, count_range, &s);
    for (size_t i = 0; i < elements; i++) m->place[i + 1] += m->place[i];
    sn_team_run(world->bindings.team, heap->count, PAIRS_ALONE, put_range, &s);
    return true;
}

bool sn_surface_contact_list_pairs(sn_world *world, sn_surface_contacts *m, int kind) {
    sn_contact_set *set = &m->set[kind];
    /* Walks over trees and images fill the heap. */
    bool heaped = kind >= SN_CONTACT_POINT_TRIANGLE ||
                  (kind == SN_CONTACT_POINT_POINT && sn_world_is_periodic(world));
    size_t elements = m->list[sn_surface_kind_of(kind)->first].count;
    set->blocks = set->rounds = set->count = 0;
    if (heaped && !sn_surface_pair_add_loose(world, m, kind)) return false;
    size_t count = heaped ? m->heap[kind].count : m->broad[kind].total;
    if (count == 0) return true;
    if (!sn_surface_contact_admits(m, count) ||
        !sn_reserve(&world->memory, (void **)&set->pair, &set->capacity, count,
                    sizeof *set->pair) ||
        (heaped && !sort_found(world, m, &m->heap[kind], elements)))
        return false;
    set->count = count;
    listing l = {.set = set,
                 .first = m->broad[kind].first,
                 .number = m->broad[kind].number,
                 .place = heaped ? m->place : NULL,
                 .partner = heaped ? m->partner : m->broad[kind].partner,
                 .sorts = heaped};
    sn_team_run(world->bindings.team, elements, ELEMENTS_ALONE, list_range, &l);
    return true;
}

/* ---- Some pairs of a kind ---- */

static bool is_before(const sn_contact_pair *one, uint32_t a, uint32_t b) {
    return one->a < a || (one->a == a && one->b < b);
}

/* A pair with its first element in the upper half, by which it is sorted; and back. */
static uint64_t turned(uint64_t pair) {
    return pair << 32 | pair >> 32;
}

/* Sorts numbers, digit by digit, all of which are counted at once; digits that are the same
   everywhere cost nothing more. */
static void sort_numbers(uint64_t *number, uint64_t *spare, size_t count) {
    enum { DIGITS = 8, VALUES = 256 };
    uint32_t begin[DIGITS][VALUES] = {{0}};
    uint64_t *from = number, *to = spare;
    for (size_t i = 0; i < count; i++)
        for (int d = 0; d < DIGITS; d++) begin[d][number[i] >> 8 * d & 255]++;
    for (int d = 0; d < DIGITS; d++) {
        uint32_t *at = begin[d], sum = 0;
        if (at[from[0] >> 8 * d & 255] == count) continue;
        for (int v = 0; v < VALUES; v++) {
            uint32_t here = at[v];
            at[v] = sum;
            sum += here;
        }
        for (size_t i = 0; i < count; i++) to[at[from[i] >> 8 * d & 255]++] = from[i];
        uint64_t *other = from;
        from = to;
        to = other;
    }
    if (from != number) memcpy(number, from, count * sizeof *number);
}

/* The first pair of a set, from `at` on, that is not before (a, b). */
static size_t seek(const sn_contact_set *set, size_t at, uint32_t a, uint32_t b) {
    size_t step = 1, end = at;
    while (end < set->count && is_before(&set->pair[end], a, b)) {
        at = end + 1;
        end += step;
        step *= 2;
    }
    if (end > set->count) end = set->count;
    while (at < end) {
        size_t middle = (at + end) / 2;
        if (is_before(&set->pair[middle], a, b))
            at = middle + 1;
        else
            end = middle;
    }
    return at;
}

size_t sn_surface_contact_list_fresh(sn_world *world, sn_surface_contacts *surface_contacts,
                                     int kind) {
    const sn_contact_set *set = &surface_contacts->set[kind];
    sn_surface_contact_heap *heap = &surface_contacts->heap[kind];
    size_t count = 0, known = 0, found = heap->count;
    if (found == 0) return 0;
    surface_contacts->again += (double)found;
    if (!sn_reserve(&world->memory, (void **)&heap->pair, &heap->capacity, 2 * found,
                    sizeof *heap->pair) ||
        !sn_reserve(&world->memory, (void **)&surface_contacts->fresh,
                    &surface_contacts->fresh_capacity, found, sizeof *surface_contacts->fresh))
        return SIZE_MAX;
    for (size_t i = 0; i < found; i++) heap->pair[i] = turned(heap->pair[i]);
    sort_numbers(heap->pair, heap->pair + found, found);
    for (size_t i = 0; i < found; i++) {
        uint32_t a = (uint32_t)(heap->pair[i] >> 32), b = (uint32_t)heap->pair[i];
        if (i > 0 && heap->pair[i] == heap->pair[i - 1]) continue;
        known = seek(set, known, a, b);
        if (known < set->count && set->pair[known].a == a && set->pair[known].b == b) continue;
        surface_contacts->fresh[count++] = (sn_contact_pair){.a = a, .b = b};
    }
    return count;
}

/* From the last on: what comes after a new pair goes further back in one piece. */
void sn_surface_contact_merge_fresh(sn_surface_contacts *surface_contacts, int kind, size_t count) {
    sn_contact_set *set = &surface_contacts->set[kind];
    size_t old = set->count;
    set->count += count;
    while (count > 0) {
        const sn_contact_pair *fresh = &surface_contacts->fresh[count - 1];
        size_t low = 0, high = old;
        while (low < high) {
            size_t middle = (low + high) / 2;
            if (is_before(&set->pair[middle], fresh->a, fresh->b))
                low = middle + 1;
            else
                high = middle;
        }
        memmove(set->pair + low + count, set->pair + low, (old - low) * sizeof *set->pair);
        set->pair[low + --count] = *fresh;
        old = low;
    }
}
