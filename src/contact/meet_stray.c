/*
 * Nodes that went another way than was expected of them are mostly few, however wild the motion. So
 * only they are expected anew, and only the pairs of elements that have one of them are found
 * again; what is expected of all others still holds, and so do their pairs. What is found and not
 * known yet comes after all other pairs of its group.
 */
#include "contact/broad_parts.h"
#include "contact/meet_find.h"

#include <stdatomic.h>

enum { NODES_ALONE = 1024, STRAYS_ALONE = 64, FEW = 48, PILE = 256, ELEMENTS_ALONE = 1024 };

typedef struct part {
    const sn_meet_motion *motion;
    sn_meet_elements *list;
    size_t corners;
} part;

/* ---- Ways and boxes ---- */

static void expect_range(void *context, size_t begin, size_t end) {
    const sn_meet_motion *m = context;
    for (size_t k = begin; k < end; k++) sn_meet_expect(m, m->meets->stray[k]);
}

static void way_range(void *context, size_t begin, size_t end) {
    const sn_meet_motion *m = context;
    for (size_t k = begin; k < end; k++) sn_meet_set_way(m, m->meets->list[SN_MEET_POINT].node[k]);
}

static bool has_strayed(const sn_meets *meets, const sn_meet_elements *list, size_t corners,
                        size_t k) {
    bool any = false;
    for (size_t c = 0; c < corners; c++) any |= meets->strayed[list->node[k * corners + c]] > 0;
    return any;
}

/* Lists of what belongs to no triangle. */
static void box_range(void *context, size_t begin, size_t end) {
    const part *p = context;
    for (size_t k = begin; k < end; k++)
        if (has_strayed(p->motion->meets, p->list, p->corners, k))
            sn_meet_set_box(p->motion, p->list, p->corners, k);
}

/* Whether a node is the first of an element that has strayed, and so the one that speaks for it. */
static bool speaks(const sn_meets *meets, const uint32_t *element, uint32_t node) {
    while (!meets->strayed[*element]) element++;
    return *element == node;
}

/* The elements around nodes that have strayed. */
static void box_strays(void *context, size_t begin, size_t end) {
    const sn_meet_motion *m = context;
    sn_meets *meets = m->meets;
    sn_meet_elements *edges = &meets->list[SN_MEET_EDGE];
    sn_meet_elements *triangles = &meets->list[SN_MEET_TRIANGLE];
    const sn_meet_around *of_edges = &meets->edges_of, *of_triangles = &meets->triangles_of;
    for (size_t k = begin; k < end; k++) {
        uint32_t i = meets->stray[k];
        sn_meet_set_box(m, &meets->list[SN_MEET_POINT], 1, meets->point_of[i]);
        for (uint32_t e = of_edges->begin[i]; e < of_edges->begin[i + 1]; e++) {
            uint32_t edge = of_edges->item[e];
            if (speaks(meets, edges->node + 2 * (size_t)edge, i))
                sn_meet_set_box(m, edges, 2, edge);
        }
        for (uint32_t t = of_triangles->begin[i]; t < of_triangles->begin[i + 1]; t++) {
            uint32_t triangle = of_triangles->item[t];
            if (speaks(meets, triangles->node + 3 * (size_t)triangle, i))
                sn_meet_set_box(m, triangles, 3, triangle);
        }
    }
}

static void list_triangles(sn_meets *meets) {
    const sn_meet_around *around = &meets->triangles_of;
    const uint32_t *node = meets->list[SN_MEET_TRIANGLE].node;
    meets->tree.somes = 0;
    for (size_t k = 0; k < meets->strays; k++) {
        uint32_t i = meets->stray[k];
        for (uint32_t t = around->begin[i]; t < around->begin[i + 1]; t++)
            if (speaks(meets, node + 3 * (size_t)around->item[t], i))
                meets->tree.some[meets->tree.somes++] = around->item[t];
    }
}

/* ---- What belongs to no triangle ---- */

/* The boxes of a list, of which those that have not strayed are absent. */
static sn_boxes boxes_of_strays(sn_meets *meets, sn_meet_list which) {
    const sn_meet_elements *list = &meets->list[which];
    for (size_t k = 0; k < list->count; k++) {
        bool strays = has_strayed(meets, list, sn_meet_corners[which], k);
        meets->low[k] = list->low[k];
        meets->high[k] = list->high[k];
        if (!strays) meets->low[k].x = SN_INFINITY;
    }
    return (sn_boxes){meets->low, meets->high, list->count};
}

static bool reserve_boxes(sn_world *world, sn_meets *meets, size_t count) {
    sn_column columns[] = {{(void **)&meets->low, sizeof *meets->low},
                           {(void **)&meets->high, sizeof *meets->high}};
    if (count <= meets->box_capacity) return true;
    size_t grown = sn_columns_grow(&world->memory, columns, 2, 0, meets->box_capacity, count);
    if (grown > 0) meets->box_capacity = grown;
    return grown > 0;
}

/* A few strays with everybody. */
typedef struct few_search {
    const sn_meet_motion *motion;
    int kind, side;
    const uint32_t *few;
    const sn_meet_elements *mine, *rest;
    atomic_size_t taken; /* of the heap; more than there is room for when it was too little */
} few_search;

/* What is accepted of a pile goes to the heap. */
static void put_aside(few_search *s, sn_broad_pair *pile, size_t *count) {
    const sn_meet_motion *m = s->motion;
    const sn_meet_heap *heap = &m->meets->heap[s->kind];
    size_t kept = sn_meet_accepts_loose[s->kind](m, pile, *count);
    *count = 0;
    if (kept == 0) return;
    size_t at = atomic_fetch_add_explicit(&s->taken, kept, memory_order_relaxed);
    for (size_t i = 0; i < kept && at + kept <= heap->capacity; i++)
        heap->pair[at + i] =
            sn_meet_loose_pair(m->meets, s->kind, (uint32_t)pile[i], (uint32_t)(pile[i] >> 32));
}

/* Each of the few with everybody from begin to end: for a few this is sooner done than anything
   that has to be built. */
static void search_range(void *context, size_t begin, size_t end) {
    few_search *s = context;
    for (size_t i = begin; i < end; i++) {
        uint32_t stray = s->few[i];
        sn_v4 low = sn_broad_corner_at(&s->mine->low[stray]),
              high = sn_broad_corner_at(&s->mine->high[stray]);
        sn_broad_pair pile[PILE];
        size_t count = 0;
        for (uint32_t k = 0; k < s->rest->count; k++) {
            pile[count] = s->side == 0 ? sn_broad_pair_of(stray, k) : sn_broad_pair_of(k, stray);
            count += sn_broad_overlap(low, high, sn_broad_corner_at(&s->rest->low[k]),
                                      sn_broad_corner_at(&s->rest->high[k]));
            if (count == PILE) put_aside(s, pile, &count);
        }
        put_aside(s, pile, &count);
    }
}

static bool search_few(const sn_meet_motion *m, int kind, int side, const uint32_t *few,
                       size_t count) {
    sn_meet_list lists[2] = {sn_meet_first_list[kind], sn_meet_second_list[kind]};
    sn_meet_heap *heap = &m->meets->heap[kind];
    few_search s = {.motion = m,
                    .kind = kind,
                    .side = side,
                    .few = few,
                    .mine = &m->meets->list[lists[side]],
                    .rest = &m->meets->list[lists[1 - side]]};
    size_t alone = s.rest->count > ELEMENTS_ALONE ? 2 : FEW + 1, had = heap->count;
    for (;;) {
        atomic_store(&s.taken, had);
        sn_team_run(m->world->team, count, alone, search_range, &s);
        heap->count = atomic_load(&s.taken);
        if (heap->count <= heap->capacity) return true;
        size_t needed = heap->count;
        heap->count = had;
        if (!sn_reserve(&m->world->memory, (void **)&heap->pair, &heap->capacity, needed,
                        sizeof *heap->pair))
            return false;
    }
}

/* Those of a list that have strayed, as long as they are few; FEW + 1 when they are more. */
static size_t list_few(const sn_meets *meets, sn_meet_list which, uint32_t few[FEW + 1]) {
    const sn_meet_elements *list = &meets->list[which];
    size_t count = 0;
    for (uint32_t k = 0; k < list->count && count <= FEW; k++) {
        few[count] = k;
        count += has_strayed(meets, list, sn_meet_corners[which], k);
    }
    return count;
}

/* Strays of the first list with all of the second, and the other way round; what both find is
   found twice, and listed once. */
static bool search_kind(const sn_meet_motion *m, int kind) {
    sn_meets *meets = m->meets;
    sn_meet_list first = sn_meet_first_list[kind], second = sn_meet_second_list[kind];
    const sn_meet_elements *list[2] = {&meets->list[first], &meets->list[second]};
    if (list[0]->count == 0 || list[1]->count == 0) return true;
    for (int side = 0; side < (first == second ? 1 : 2); side++) {
        uint32_t few[FEW + 1];
        size_t count = list_few(meets, side == 0 ? first : second, few);
        if (count <= FEW) {
            if (!search_few(m, kind, side, few, count)) return false;
            continue;
        }
        if (!reserve_boxes(m->world, meets, list[side]->count)) return false;
        sn_boxes strays = boxes_of_strays(meets, side == 0 ? first : second);
        const sn_meet_elements *rest = list[1 - side];
        sn_boxes all = {rest->low, rest->high, rest->count};
        if (!sn_broad_find(&meets->broad[kind], &m->world->memory, m->world->team,
                           m->world->settings.broad_phase, side == 0 ? &strays : &all,
                           side == 0 ? &all : &strays, sn_meet_accepts_loose[kind], m) ||
            !sn_meet_add_loose(m->world, meets, kind))
            return false;
    }
    return true;
}

/* ---- All of it ---- */

bool sn_meet_find_strays(sn_world *world, sn_meets *meets, double time, double h, double since) {
    sn_meet_motion m = {.world = world,
                        .meets = meets,
                        .time = time,
                        .left = time,
                        .h = h,
                        .since = since,
                        .mean = sn_v4_load(&world->skins.reach.mean)};
    static const sn_meet_list loose[] = {SN_MEET_LONE, SN_MEET_LOOSE, SN_MEET_SEGMENT};
    sn_team_run(world->team, meets->strays, STRAYS_ALONE, expect_range, &m);
    sn_team_run(world->team, meets->list[SN_MEET_POINT].count, NODES_ALONE, way_range, &m);
    for (int i = 0; i < 3; i++) {
        part p = {&m, &meets->list[loose[i]], sn_meet_corners[loose[i]]};
        sn_team_run(world->team, p.list->count, NODES_ALONE, box_range, &p);
    }
    sn_team_run(world->team, meets->strays, STRAYS_ALONE, box_strays, &m);
    list_triangles(meets);
    sn_meet_tree_fit_some(world, meets);
    if (!sn_meet_walk_some(world, meets, sn_meet_accepts, &m)) return false;
    for (int kind = 0; kind < SN_MEET_KINDS; kind++) {
        if (!search_kind(&m, kind)) return false;
        size_t count = sn_meet_list_fresh(world, meets, kind);
        if (count == SIZE_MAX || !sn_meet_reserve_meetings(world, meets, count) ||
            !sn_meet_pack_fresh(world, meets, kind, count))
            return false;
        sn_meet_merge_fresh(meets, kind, count);
    }
    return true;
}
