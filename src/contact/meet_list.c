/*
 * The pairs of a set: from the triangles that may touch come their points and edges, from the broad
 * phase what belongs to no triangle; sorted by both elements.
 */
#include "contact/meet.h"

#include <string.h>

enum { PAIRS_ALONE = 64, OWN = 3 };
#define NONE UINT32_MAX

/* ---- Points and edges of two triangles ---- */

typedef struct expansion {
    const sn_meets *m;
    sn_broad_accept *const *accept;
    const void *context;
} expansion;

/* Bits of what two triangles have: points of the first, points of the second, edges of both. */
enum { SECOND = OWN, EDGES = 2 * OWN };

/* Boxes first: most edges of triangles that are near each other are not. */
static bool overlap(const sn_meet_elements *a, uint32_t i, const sn_meet_elements *b, uint32_t k) {
    const sn_vec4 *low_a = &a->low[i], *high_a = &a->high[i];
    const sn_vec4 *low_b = &b->low[k], *high_b = &b->high[k];
    return low_a->x <= high_b->x && low_b->x <= high_a->x && low_a->y <= high_b->y &&
           low_b->y <= high_a->y && low_a->z <= high_b->z && low_b->z <= high_a->z;
}

static bool point_may(const expansion *e, uint32_t point, uint32_t triangle) {
    const sn_meet_elements *list = e->m->list;
    return point != NONE &&
           overlap(&list[SN_MEET_POINT], point, &list[SN_MEET_TRIANGLE], triangle) &&
           e->accept[SN_MEETING_POINT_TRIANGLE](e->context, point, triangle);
}

static bool edges_may(const expansion *e, uint32_t a, uint32_t b) {
    const sn_meet_elements *edges = &e->m->list[SN_MEET_EDGE];
    return a != NONE && b != NONE && overlap(edges, a, edges, b) &&
           e->accept[SN_MEETING_EDGES](e->context, a, b);
}

static void expand_range(void *context, size_t begin, size_t end) {
    const expansion *e = context;
    const sn_meet_tree *tree = &e->m->tree;
    for (size_t i = begin; i < end; i++) {
        sn_meet_two two = tree->two[i];
        const uint32_t *points[2] = {tree->own_point + OWN * (size_t)two.a,
                                     tree->own_point + OWN * (size_t)two.b};
        const uint32_t *edges[2] = {tree->own_edge + OWN * (size_t)two.a,
                                    tree->own_edge + OWN * (size_t)two.b};
        uint16_t kept = 0;
        for (int c = 0; c < OWN; c++) {
            if (point_may(e, points[0][c], two.b)) kept |= (uint16_t)(1 << c);
            if (point_may(e, points[1][c], two.a)) kept |= (uint16_t)(1 << (SECOND + c));
            for (int k = 0; k < OWN; k++)
                if (edges_may(e, edges[0][c], edges[1][k]))
                    kept |= (uint16_t)(1 << (EDGES + OWN * c + k));
        }
        tree->kept[i] = kept;
    }
}

bool sn_meet_expand(sn_world *world, sn_meets *m, sn_broad_accept *const *accept,
                    const void *context) {
    sn_meet_tree *tree = &m->tree;
    if (!sn_reserve(&world->memory, (void **)&tree->kept, &tree->kept_capacity, tree->twos,
                    sizeof *tree->kept))
        return false;
    expansion e = {m, accept, context};
    sn_team_run(world->team, tree->twos, PAIRS_ALONE, expand_range, &e);
    return true;
}

/* ---- All pairs of a kind ---- */

static void put(sn_meet_set *set, uint32_t a, uint32_t b, bool fill) {
    if (fill) set->pair[set->count] = (sn_meet_pair){.a = a, .b = b, .colour = UINT32_MAX};
    set->count++;
}

/* Edges come in the order of their numbers. */
static void put_edges(sn_meet_set *set, uint32_t a, uint32_t b, bool fill) {
    put(set, a < b ? a : b, a < b ? b : a, fill);
}

static void put_expanded(const sn_meets *m, sn_meet_set *set, int kind, bool fill) {
    const sn_meet_tree *tree = &m->tree;
    for (size_t i = 0; i < tree->twos; i++) {
        uint32_t kept = tree->kept[i];
        const uint32_t *points = tree->own_point, *edges = tree->own_edge;
        size_t a = OWN * (size_t)tree->two[i].a, b = OWN * (size_t)tree->two[i].b;
        if (kind == SN_MEETING_POINT_TRIANGLE)
            for (size_t c = 0; c < OWN; c++) {
                if (kept >> c & 1) put(set, points[a + c], tree->two[i].b, fill);
                if (kept >> (SECOND + c) & 1) put(set, points[b + c], tree->two[i].a, fill);
            }
        else
            for (size_t c = 0; c < OWN; c++)
                for (size_t k = 0; k < OWN; k++)
                    if (kept >> (EDGES + OWN * c + k) & 1)
                        put_edges(set, edges[a + c], edges[b + k], fill);
    }
}

/* What the broad phase has found, by the numbers that elements have in the whole lists. */
static void put_found(const sn_meets *m, sn_meet_set *set, int kind, bool fill) {
    const sn_broad *found = &m->broad[kind];
    const uint32_t *at = m->list[sn_meet_first_list[kind]].at;
    size_t items = found->total > 0 ? m->list[sn_meet_first_list[kind]].count : 0;
    for (size_t i = 0; i < items; i++)
        for (size_t k = 0; k < found->number[i]; k++) {
            uint32_t a = at ? at[i] : (uint32_t)i, b = found->partner[found->first[i] + k];
            if (kind == SN_MEETING_EDGES)
                put_edges(set, a, b, fill);
            else
                put(set, a, b, fill);
        }
}

static void put_all(const sn_meets *m, sn_meet_set *set, int kind, bool fill) {
    set->count = 0;
    put_found(m, set, kind, fill);
    if (kind >= SN_MEETING_POINT_TRIANGLE) put_expanded(m, set, kind, fill);
}

/* By one element: counting keeps the order of those that are equal. */
static void sort_by(const sn_meet_pair *from, sn_meet_pair *to, size_t count, bool by_b,
                    uint32_t *place, size_t elements) {
    memset(place, 0, (elements + 1) * sizeof *place);
    for (size_t i = 0; i < count; i++) place[(by_b ? from[i].b : from[i].a) + 1]++;
    for (size_t i = 0; i < elements; i++) place[i + 1] += place[i];
    for (size_t i = 0; i < count; i++) to[place[by_b ? from[i].b : from[i].a]++] = from[i];
}

static bool reserve(sn_world *world, sn_meets *m, sn_meet_set *set, size_t elements) {
    sn_memory *memory = &world->memory;
    return sn_reserve(memory, (void **)&set->pair, &set->capacity, set->count, sizeof *set->pair) &&
           sn_reserve(memory, (void **)&m->sorted, &m->sorted_capacity, set->count,
                      sizeof *m->sorted) &&
           sn_reserve(memory, (void **)&m->place, &m->place_capacity, elements + 1,
                      sizeof *m->place);
}

bool sn_meet_list_pairs(sn_world *world, sn_meets *m, int kind) {
    sn_meet_set *set = &m->set[kind];
    const sn_meet_elements *one = &m->list[sn_meet_whole_first[kind]];
    const sn_meet_elements *two = &m->list[sn_meet_whole_second[kind]];
    set->blocks = set->colours = 0;
    put_all(m, set, kind, false);
    size_t elements = one->count > two->count ? one->count : two->count;
    if (set->count == 0) return true;
    if (!reserve(world, m, set, elements)) {
        set->count = 0;
        return false;
    }
    put_all(m, set, kind, true);
    sort_by(set->pair, m->sorted, set->count, true, m->place, two->count);
    sort_by(m->sorted, set->pair, set->count, false, m->place, one->count);
    return true;
}
