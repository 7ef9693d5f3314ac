/*
 * Nodes that went another way than was expected of them are mostly few, however wild the motion. So
 * only they are expected anew, and only the pairs of elements that have one of them are found
 * again; what is expected of all others still holds, and so do their pairs. What is found and not
 * known yet comes after all other pairs of its group.
 */
#include "collision/broad_phase/broad_phase_parts.h"
#include "contact/surface/surface_pairs.h"

#include <stdatomic.h>

enum { NODES_ALONE = 1024, MOVED_ALONE = 64, FEW = 48, BUFFER = 256, ELEMENTS_ALONE = 1024 };
enum { GROUP = 16 }; /* elements in a row, which are mostly beside each other */

typedef struct part {
    const sn_surface_contact_motion *motion;
    sn_surface_elements *list;
    size_t corners;
} part;

/* ---- Ways and boxes ---- */

static void expect_range(void *context, size_t begin, size_t end) {
    const sn_surface_contact_motion *m = context;
    for (size_t k = begin; k < end; k++)
        sn_surface_contact_expect(m, m->surface_contacts->moved[k]);
}

/* Of an element of one to three nodes. */
SN_INLINE bool has_moved(const uint8_t *is_moved, const uint32_t *node, size_t corners) {
    return is_moved[node[0]] | is_moved[node[corners / 2]] | is_moved[node[corners - 1]];
}

/* Lists of what belongs to no triangle. */
static void box_range(void *context, size_t begin, size_t end) {
    const part *p = context;
    const uint8_t *is_moved = p->motion->surface_contacts->is_moved;
    const uint32_t *node = p->list->node;
    const size_t corners = p->corners;
    for (size_t k = begin; k < end; k++)
        if (has_moved(is_moved, node + k * corners, corners))
            sn_surface_contact_set_box(p->motion, p->list, corners, k);
}

/* Whether a node is the first of an element that has moved, and so the one that speaks for it. */
static bool speaks(const sn_surface_contacts *surface_contacts, const uint32_t *element,
                   uint32_t node) {
    while (!surface_contacts->is_moved[*element]) element++;
    return *element == node;
}

/* The elements around nodes that have moved. */
static void box_moved(void *context, size_t begin, size_t end) {
    const sn_surface_contact_motion *m = context;
    sn_surface_contacts *surface_contacts = m->surface_contacts;
    sn_surface_elements *edges = &surface_contacts->list[SN_SURFACE_CONTACT_EDGE];
    sn_surface_elements *triangles = &surface_contacts->list[SN_SURFACE_CONTACT_TRIANGLE];
    const sn_surface_contact_around *of_edges = &surface_contacts->edges_of,
                                    *of_triangles = &surface_contacts->triangles_of;
    for (size_t k = begin; k < end; k++) {
        uint32_t i = surface_contacts->moved[k];
        sn_surface_contact_set_box(m, &surface_contacts->list[SN_SURFACE_CONTACT_POINT], 1,
                                   surface_contacts->point_of[i]);
        for (uint32_t e = of_edges->begin[i]; e < of_edges->begin[i + 1]; e++) {
            uint32_t edge = of_edges->item[e];
            if (speaks(surface_contacts, edges->node + 2 * (size_t)edge, i))
                sn_surface_contact_set_box(m, edges, 2, edge);
        }
        for (uint32_t t = of_triangles->begin[i]; t < of_triangles->begin[i + 1]; t++) {
            uint32_t triangle = of_triangles->item[t];
            if (speaks(surface_contacts, triangles->node + 3 * (size_t)triangle, i))
                sn_surface_contact_set_box(m, triangles, 3, triangle);
        }
    }
}

static void list_triangles(sn_surface_contacts *surface_contacts) {
    const sn_surface_contact_around *around = &surface_contacts->triangles_of;
    const uint32_t *node = surface_contacts->list[SN_SURFACE_CONTACT_TRIANGLE].node;
    surface_contacts->tree.somes = 0;
    for (size_t k = 0; k < surface_contacts->moved_count; k++) {
        uint32_t i = surface_contacts->moved[k];
        for (uint32_t t = around->begin[i]; t < around->begin[i + 1]; t++)
            if (speaks(surface_contacts, node + 3 * (size_t)around->item[t], i))
                surface_contacts->tree.some[surface_contacts->tree.somes++] = around->item[t];
    }
}

/* ---- What belongs to no triangle ---- */

/* The boxes of a list, of which those that have not moved are absent. */
static sn_boxes boxes_of_moved(sn_surface_contacts *surface_contacts,
                               sn_surface_contact_list which) {
    const sn_surface_elements *list = &surface_contacts->list[which];
    for (size_t k = 0; k < list->count; k++) {
        const size_t corners = sn_surface_contact_corners[which];
        bool moves = has_moved(surface_contacts->is_moved, list->node + k * corners, corners);
        surface_contacts->low[k] = list->low[k];
        surface_contacts->high[k] = list->high[k];
        if (!moves) surface_contacts->low[k].x = SN_INFINITY;
    }
    return (sn_boxes){surface_contacts->low, surface_contacts->high, list->count};
}

static bool reserve_boxes(sn_world *world, sn_surface_contacts *surface_contacts, size_t count) {
    sn_column columns[] = {{(void **)&surface_contacts->low, sizeof *surface_contacts->low},
                           {(void **)&surface_contacts->high, sizeof *surface_contacts->high}};
    if (count <= surface_contacts->box_capacity) return true;
    size_t grown =
        sn_columns_grow(&world->memory, columns, 2, 0, surface_contacts->box_capacity, count);
    if (grown > 0) surface_contacts->box_capacity = grown;
    return grown > 0;
}

/* A few moved nodes with everybody. */
typedef struct few_search {
    const sn_surface_contact_motion *motion;
    int kind, side;
    const uint32_t *few;
    const sn_surface_elements *mine, *rest;
    const sn_vec4 *low, *high; /* m, around groups of the rest */
    atomic_size_t taken;       /* of the heap; more than there is room for when it was too little */
} few_search;

/* What is accepted of a buffer goes to the heap. */
static void put_aside(few_search *s, sn_broad_pair *buffer, size_t *count) {
    const sn_surface_contact_motion *m = s->motion;
    const sn_surface_contact_heap *heap = &m->surface_contacts->heap[s->kind];
    size_t kept = sn_surface_pair_accepts_loose[s->kind](m, buffer, *count);
    *count = 0;
    if (kept == 0) return;
    size_t at = atomic_fetch_add_explicit(&s->taken, kept, memory_order_relaxed);
    for (size_t i = 0; i < kept && at + kept <= heap->capacity; i++)
        heap->pair[at + i] = sn_surface_pair_loose_pair(
            m->surface_contacts, s->kind, (uint32_t)buffer[i], (uint32_t)(buffer[i] >> 32));
}

/* The boxes around groups of a list; what is not a number is in none. */
static void box_groups(const sn_surface_elements *list, sn_vec4 *low, sn_vec4 *high) {
    for (size_t begin = 0, g = 0; begin < list->count; begin += GROUP, g++) {
        sn_v4 least = {SN_INFINITY, SN_INFINITY, SN_INFINITY, 0}, most = -least;
        for (size_t k = begin; k < begin + GROUP && k < list->count; k++) {
            sn_v4 a = sn_broad_corner_at(&list->low[k]), b = sn_broad_corner_at(&list->high[k]);
            sn_v4_bits less = (sn_v4_bits)(a < least), more = (sn_v4_bits)(b > most);
            least = (sn_v4)((less & (sn_v4_bits)a) | (~less & (sn_v4_bits)least));
            most = (sn_v4)((more & (sn_v4_bits)b) | (~more & (sn_v4_bits)most));
        }
        sn_v4_store(&low[g], least);
        sn_v4_store(&high[g], most);
    }
}

/* One of the few with a group of everybody. */
static void search_group(few_search *s, uint32_t moved, uint32_t begin, sn_broad_pair *buffer,
                         size_t *count) {
    sn_v4 low = sn_broad_corner_at(&s->mine->low[moved]),
          high = sn_broad_corner_at(&s->mine->high[moved]);
    for (uint32_t k = begin; k < begin + GROUP && k < s->rest->count; k++) {
        buffer[*count] = s->side == 0 ? sn_broad_pair_of(moved, k) : sn_broad_pair_of(k, moved);
        *count += sn_broad_overlap(low, high, sn_broad_corner_at(&s->rest->low[k]),
                                   sn_broad_corner_at(&s->rest->high[k]));
        if (*count == BUFFER) put_aside(s, buffer, count);
    }
}

/* Each of the few with everybody from begin to end: for a few this is sooner done than anything
   that has to be built. */
static void search_range(void *context, size_t begin, size_t end) {
    few_search *s = context;
    for (size_t i = begin; i < end; i++) {
        uint32_t moved = s->few[i];
        sn_v4 low = sn_broad_corner_at(&s->mine->low[moved]),
              high = sn_broad_corner_at(&s->mine->high[moved]);
        sn_broad_pair buffer[BUFFER];
        size_t count = 0;
        for (uint32_t k = 0; k < s->rest->count; k += GROUP)
            if (sn_broad_overlap(low, high, sn_broad_corner_at(&s->low[k / GROUP]),
                                 sn_broad_corner_at(&s->high[k / GROUP])))
                search_group(s, moved, k, buffer, &count);
        put_aside(s, buffer, &count);
    }
}

static bool search_few(const sn_surface_contact_motion *m, int kind, int side, const uint32_t *few,
                       size_t count) {
    sn_surface_contact_list lists[2] = {sn_surface_kind_of(kind)->searched_first,
                                        sn_surface_kind_of(kind)->searched_second};
    sn_surface_contact_heap *heap = &m->surface_contacts->heap[kind];
    few_search s = {.motion = m,
                    .kind = kind,
                    .side = side,
                    .few = few,
                    .mine = &m->surface_contacts->list[lists[side]],
                    .rest = &m->surface_contacts->list[lists[1 - side]]};
    size_t alone = s.rest->count > ELEMENTS_ALONE ? 2 : FEW + 1, had = heap->count;
    if (count == 0) return true;
    if (!reserve_boxes(m->world, m->surface_contacts, s.rest->count / GROUP + 1)) return false;
    box_groups(s.rest, m->surface_contacts->low, m->surface_contacts->high);
    s.low = m->surface_contacts->low;
    s.high = m->surface_contacts->high;
    for (;;) {
        atomic_store(&s.taken, had);
        sn_team_run(m->world->bindings.team, count, alone, search_range, &s);
        heap->count = atomic_load(&s.taken);
        if (heap->count <= heap->capacity) return true;
        size_t needed = heap->count;
        heap->count = had;
        if (!sn_reserve(&m->world->memory, (void **)&heap->pair, &heap->capacity, needed,
                        sizeof *heap->pair))
            return false;
    }
}

/* Those of a list that have moved, as long as they are few; FEW + 1 when they are more. */
static size_t list_few(const sn_surface_contacts *surface_contacts, sn_surface_contact_list which,
                       uint32_t few[FEW + 1]) {
    const uint8_t *is_moved = surface_contacts->is_moved;
    const uint32_t *node = surface_contacts->list[which].node;
    const size_t all = surface_contacts->list[which].count;
    const size_t corners = sn_surface_contact_corners[which];
    size_t count = 0;
    for (uint32_t k = 0; k < all && count <= FEW; k++) {
        few[count] = k;
        count += has_moved(is_moved, node + k * corners, corners);
    }
    return count;
}

/* Moved ones of the first list with all of the second, and the other way round; what both find is
   found twice, and listed once. */
static bool search_kind(const sn_surface_contact_motion *m, int kind) {
    sn_surface_contacts *surface_contacts = m->surface_contacts;
    sn_surface_contact_list first = sn_surface_kind_of(kind)->searched_first,
                            second = sn_surface_kind_of(kind)->searched_second;
    const sn_surface_elements *list[2] = {&surface_contacts->list[first],
                                          &surface_contacts->list[second]};
    if (list[0]->count == 0 || list[1]->count == 0) return true;
    for (int side = 0; side < (first == second ? 1 : 2); side++) {
        uint32_t few[FEW + 1];
        size_t count = list_few(surface_contacts, side == 0 ? first : second, few);
        if (count <= FEW) {
            if (!search_few(m, kind, side, few, count)) return false;
            continue;
        }
        if (!reserve_boxes(m->world, surface_contacts, list[side]->count)) return false;
        sn_boxes moved = boxes_of_moved(surface_contacts, side == 0 ? first : second);
        const sn_surface_elements *rest = list[1 - side];
        sn_boxes all = {rest->low, rest->high, rest->count};
        if (!sn_broad_find(&surface_contacts->broad[kind], &m->world->memory,
                           m->world->bindings.team, m->world->settings.broad_phase,
                           side == 0 ? &moved : &all, side == 0 ? &all : &moved,
                           sn_surface_pair_accepts_loose[kind], m) ||
            !sn_surface_pair_add_loose(m->world, surface_contacts, kind))
            return false;
    }
    return true;
}

/* ---- All of it ---- */

bool sn_surface_pairs_refit_moved(sn_world *world, sn_surface_contacts *surface_contacts,
                                  double time, double h, double since) {
    sn_surface_contact_motion m = {.world = world,
                                   .surface_contacts = surface_contacts,
                                   .time = time,
                                   .left = time,
                                   .h = h,
                                   .since = since,
                                   .mean =
                                       sn_v4_load(&sn_collision_surfaces_of(world)->reach.mean)};
    static const sn_surface_contact_list loose[] = {
        SN_SURFACE_CONTACT_LONE, SN_SURFACE_CONTACT_LOOSE, SN_SURFACE_CONTACT_SEGMENT};
    sn_team_run(world->bindings.team, surface_contacts->moved_count, MOVED_ALONE, expect_range, &m);
    sn_expected_motions_find(&m);
    for (int i = 0; i < 3; i++) {
        part p = {&m, &surface_contacts->list[loose[i]], sn_surface_contact_corners[loose[i]]};
        sn_team_run(world->bindings.team, p.list->count, NODES_ALONE, box_range, &p);
    }
    sn_team_run(world->bindings.team, surface_contacts->moved_count, MOVED_ALONE, box_moved, &m);
    list_triangles(surface_contacts);
    sn_surface_bvh_fit_some(world, surface_contacts, (sn_real)since * m.mean);
    if (!sn_surface_bvh_traverse_some(world, surface_contacts, sn_surface_pair_accepts, &m))
        return false;
    for (int kind = 0; kind < SN_SURFACE_CONTACT_KINDS; kind++) {
        if (!search_kind(&m, kind)) return false;
        size_t count = sn_surface_contact_list_fresh(world, surface_contacts, kind);
        if (count == SIZE_MAX || !sn_contact_events_reserve(world, count) ||
            !sn_surface_contact_pack_fresh(world, surface_contacts, kind, count))
            return false;
        sn_surface_contact_merge_fresh(surface_contacts, kind, count);
    }
    return true;
}
