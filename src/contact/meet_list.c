/*
 * The pairs of a set: from the triangles that may touch come their points and edges, from the broad
 * phase what belongs to no triangle; sorted by both elements, so that it does not matter who found
 * them when.
 */
#include "contact/meet.h"

#include <stdatomic.h>
#include <string.h>

enum { TWOS_ALONE = 64, ELEMENTS_ALONE = 256, OWN = 3, PILE = 512 };
#define NONE UINT32_MAX

/* ---- Points and edges of two triangles ---- */

typedef struct expansion {
    const sn_meets *m;
    sn_broad_accept *const *accept;
    const void *context;
    atomic_size_t taken[SN_MEET_KINDS]; /* more than there is room for when it was too little */
} expansion;

/* What a thread has found and not yet put with the rest: pairs of one kind. */
typedef struct pile {
    expansion *e;
    int kind;
    size_t count;
    sn_broad_pair pair[PILE];
} pile;

static void flush(pile *p) {
    const sn_meet_heap *heap = &p->e->m->heap[p->kind];
    size_t count = p->e->accept[p->kind](p->e->context, p->pair, p->count);
    p->count = 0;
    if (count == 0) return;
    size_t at = atomic_fetch_add_explicit(&p->e->taken[p->kind], count, memory_order_relaxed);
    if (at + count <= heap->capacity) memcpy(heap->pair + at, p->pair, count * sizeof *p->pair);
}

static void add(pile *p, uint32_t a, uint32_t b) {
    if (p->count == PILE) flush(p);
    p->pair[p->count++] = sn_broad_pair_of(a, b);
}

/* Boxes first: most edges of triangles that are near each other are not. */
static bool overlap(const sn_meet_elements *a, uint32_t i, const sn_meet_elements *b, uint32_t k) {
    const sn_vec4 *low_a = &a->low[i], *high_a = &a->high[i];
    const sn_vec4 *low_b = &b->low[k], *high_b = &b->high[k];
    return low_a->x <= high_b->x && low_b->x <= high_a->x && low_a->y <= high_b->y &&
           low_b->y <= high_a->y && low_a->z <= high_b->z && low_b->z <= high_a->z;
}

static void add_points(pile *p, const uint32_t *point, uint32_t triangle) {
    const sn_meet_elements *list = p->e->m->list;
    for (int c = 0; c < OWN && point[c] != NONE; c++)
        if (overlap(&list[SN_MEET_POINT], point[c], &list[SN_MEET_TRIANGLE], triangle))
            add(p, point[c], triangle);
}

/* Edges come in the order of their numbers. */
static void add_edges(pile *p, const uint32_t *one, const uint32_t *two) {
    const sn_meet_elements *edges = &p->e->m->list[SN_MEET_EDGE];
    for (int c = 0; c < OWN && one[c] != NONE; c++)
        for (int k = 0; k < OWN && two[k] != NONE; k++) {
            if (!overlap(edges, one[c], edges, two[k])) continue;
            bool ordered = one[c] < two[k];
            add(p, ordered ? one[c] : two[k], ordered ? two[k] : one[c]);
        }
}

static void expand_range(void *context, size_t begin, size_t end) {
    expansion *e = context;
    const sn_meet_tree *tree = &e->m->tree;
    pile points, edges;
    points.e = edges.e = e;
    points.kind = SN_MEETING_POINT_TRIANGLE;
    edges.kind = SN_MEETING_EDGES;
    points.count = edges.count = 0;
    for (size_t i = begin; i < end; i++) {
        uint32_t a = tree->two[i].a, b = tree->two[i].b;
        add_points(&points, tree->own_point + OWN * (size_t)a, b);
        add_points(&points, tree->own_point + OWN * (size_t)b, a);
        add_edges(&edges, tree->own_edge + OWN * (size_t)a, tree->own_edge + OWN * (size_t)b);
    }
    flush(&points);
    flush(&edges);
}

/* Again where there was too little room. */
bool sn_meet_expand(sn_world *world, sn_meets *m, sn_broad_accept *const *accept,
                    const void *context) {
    for (bool enough = false; !enough;) {
        expansion e = {.m = m, .accept = accept, .context = context};
        sn_team_run(world->team, m->tree.twos, TWOS_ALONE, expand_range, &e);
        enough = true;
        for (int kind = 0; kind < SN_MEET_KINDS; kind++) {
            sn_meet_heap *heap = &m->heap[kind];
            heap->count = atomic_load(&e.taken[kind]);
            enough = enough && heap->count <= heap->capacity;
            if (!sn_reserve(&world->memory, (void **)&heap->pair, &heap->capacity, heap->count,
                            sizeof *heap->pair))
                return false;
        }
    }
    return true;
}

/* ---- What belongs to no triangle ---- */

/* By the numbers that elements have in the whole lists; two of one list in their order. */
bool sn_meet_add_loose(sn_world *world, sn_meets *m, int kind) {
    const sn_broad *broad = &m->broad[kind];
    const sn_meet_elements *first = &m->list[sn_meet_first_list[kind]];
    sn_meet_heap *heap = &m->heap[kind];
    if (broad->total == 0) return true;
    if (!sn_reserve(&world->memory, (void **)&heap->pair, &heap->capacity,
                    heap->count + broad->total, sizeof *heap->pair))
        return false;
    for (size_t i = 0; i < first->count; i++)
        for (size_t k = 0; k < broad->number[i]; k++) {
            uint32_t a = first->at ? first->at[i] : (uint32_t)i;
            uint32_t b = broad->partner[broad->first[i] + k];
            bool turned = sn_meet_whole_first[kind] == sn_meet_whole_second[kind] && b < a;
            heap->pair[heap->count++] = turned ? sn_broad_pair_of(b, a) : sn_broad_pair_of(a, b);
        }
    return true;
}

/* ---- All pairs of a kind ---- */

typedef struct listing {
    sn_meet_set *set;
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
            l->set->pair[k] =
                (sn_meet_pair){.a = (uint32_t)a, .b = l->partner[k], .colour = UINT32_MAX};
    }
}

/* Every partner to the list of its element; afterwards `place` is where each list ends. */
static bool sort_found(sn_world *world, sn_meets *m, const sn_meet_heap *heap, size_t elements) {
    if (!sn_reserve(&world->memory, (void **)&m->partner, &m->partner_capacity, heap->count,
                    sizeof *m->partner) ||
        !sn_reserve(&world->memory, (void **)&m->place, &m->place_capacity, elements + 1,
                    sizeof *m->place))
        return false;
    memset(m->place, 0, (elements + 1) * sizeof *m->place);
    for (size_t i = 0; i < heap->count; i++) m->place[(uint32_t)heap->pair[i] + 1]++;
    for (size_t i = 0; i < elements; i++) m->place[i + 1] += m->place[i];
    for (size_t i = 0; i < heap->count; i++)
        m->partner[m->place[(uint32_t)heap->pair[i]]++] = (uint32_t)(heap->pair[i] >> 32);
    return true;
}

bool sn_meet_list_pairs(sn_world *world, sn_meets *m, int kind) {
    sn_meet_set *set = &m->set[kind];
    bool of_triangles = kind >= SN_MEETING_POINT_TRIANGLE;
    size_t elements = m->list[sn_meet_whole_first[kind]].count;
    set->blocks = set->colours = set->count = 0;
    if (of_triangles && !sn_meet_add_loose(world, m, kind)) return false;
    size_t count = of_triangles ? m->heap[kind].count : m->broad[kind].total;
    if (count == 0) return true;
    if (!sn_reserve(&world->memory, (void **)&set->pair, &set->capacity, count,
                    sizeof *set->pair) ||
        (of_triangles && !sort_found(world, m, &m->heap[kind], elements)))
        return false;
    set->count = count;
    listing l = {.set = set,
                 .first = m->broad[kind].first,
                 .number = m->broad[kind].number,
                 .place = of_triangles ? m->place : NULL,
                 .partner = of_triangles ? m->partner : m->broad[kind].partner,
                 .sorts = of_triangles};
    sn_team_run(world->team, elements, ELEMENTS_ALONE, list_range, &l);
    return true;
}

/* ---- Some pairs of a kind ---- */

static bool is_before(const sn_meet_pair *one, uint32_t a, uint32_t b) {
    return one->a < a || (one->a == a && one->b < b);
}

size_t sn_meet_list_fresh(sn_world *world, sn_meets *m, int kind) {
    const sn_meet_set *set = &m->set[kind];
    const sn_meet_heap *heap = &m->heap[kind];
    size_t elements = m->list[sn_meet_whole_first[kind]].count, count = 0, known = 0, begin = 0;
    if (heap->count == 0) return 0;
    if (!sort_found(world, m, heap, elements) ||
        !sn_reserve(&world->memory, (void **)&m->fresh, &m->fresh_capacity, heap->count,
                    sizeof *m->fresh))
        return SIZE_MAX;
    for (uint32_t a = 0; a < elements; begin = m->place[a++]) {
        sn_broad_sort_partners(m->partner + begin, m->place[a] - begin);
        for (size_t k = begin; k < m->place[a]; k++) {
            uint32_t b = m->partner[k];
            if (k > begin && m->partner[k - 1] == b) continue;
            while (known < set->count && is_before(&set->pair[known], a, b)) known++;
            if (known < set->count && set->pair[known].a == a && set->pair[known].b == b) continue;
            m->fresh[count++] = (sn_meet_pair){.a = a, .b = b, .colour = UINT32_MAX};
        }
    }
    return count;
}

void sn_meet_merge_fresh(sn_meets *m, int kind, size_t count) {
    sn_meet_set *set = &m->set[kind];
    size_t old = set->count, at = old + count;
    set->count = at;
    while (count > 0) {
        const sn_meet_pair *fresh = &m->fresh[count - 1];
        if (old > 0 && !is_before(&set->pair[old - 1], fresh->a, fresh->b))
            set->pair[--at] = set->pair[--old];
        else
            set->pair[--at] = m->fresh[--count];
    }
}
