/*
 * Points and edges of two triangles that may touch. Every one is spoken for by one triangle, so
 * that no pair is found twice.
 */
#include "contact/surface/pair_buffer.h"

#include <string.h>

#define NONE UINT32_MAX

void sn_pair_buffer_begin(sn_pair_buffer *buffer, sn_pair_search *hunt) {
    buffer->hunt = hunt;
    buffer->points = buffer->edges = 0;
}

static void flush(sn_pair_search *hunt, int kind, sn_broad_pair *pair, size_t count) {
    const sn_surface_contact_heap *heap = &hunt->m->heap[kind];
    count = hunt->accept[kind](hunt->context, pair, count);
    if (count == 0) return;
    size_t at = atomic_fetch_add_explicit(&hunt->taken[kind], count, memory_order_relaxed);
    if (at + count <= heap->capacity) memcpy(heap->pair + at, pair, count * sizeof *pair);
}

static void flush_points(sn_pair_buffer *p) {
    flush(p->hunt, SN_CONTACT_POINT_TRIANGLE, p->point, p->points);
    p->points = 0;
}

static void flush_edges(sn_pair_buffer *p) {
    flush(p->hunt, SN_CONTACT_EDGE_EDGE, p->edge, p->edges);
    p->edges = 0;
}

void sn_pair_buffer_flush(sn_pair_buffer *p) {
    flush_points(p);
    flush_edges(p);
}

/* Boxes first: most edges of triangles that are near each other are not. */
static void add_points(sn_pair_buffer *p, const uint32_t *point, uint32_t triangle) {
    const sn_surface_elements *points = &p->hunt->m->list[SN_SURFACE_CONTACT_POINT];
    const sn_surface_elements *triangles = &p->hunt->m->list[SN_SURFACE_CONTACT_TRIANGLE];
    for (int c = 0; c < SN_SURFACE_CONTACT_OWN && point[c] != NONE; c++) {
        uint32_t i = point[c];
        p->point[p->points] = sn_broad_pair_of(i, triangle);
        p->points +=
            sn_surface_contact_overlap(&points->low[i], &points->high[i], &triangles->low[triangle],
                                       &triangles->high[triangle]);
    }
}

/* Edges come in the order of their numbers. */
static void add_edges(sn_pair_buffer *p, const uint32_t *one, const uint32_t *two) {
    const sn_surface_elements *edges = &p->hunt->m->list[SN_SURFACE_CONTACT_EDGE];
    for (int c = 0; c < SN_SURFACE_CONTACT_OWN && one[c] != NONE; c++) {
        uint32_t i = one[c];
        sn_v4 low = sn_broad_corner_at(&edges->low[i]), high = sn_broad_corner_at(&edges->high[i]);
        for (int d = 0; d < SN_SURFACE_CONTACT_OWN && two[d] != NONE; d++) {
            uint32_t k = two[d];
            p->edge[p->edges] = i < k ? sn_broad_pair_of(i, k) : sn_broad_pair_of(k, i);
            p->edges += sn_broad_overlap(low, high, sn_broad_corner_at(&edges->low[k]),
                                         sn_broad_corner_at(&edges->high[k]));
        }
    }
}

void sn_pair_buffer_add(sn_pair_buffer *p, const sn_surface_contact_leaf *a,
                        const sn_surface_contact_leaf *b) {
    /* Two triangles add no more than this; one more is written and not counted. */
    enum {
        MOST_POINTS = 2 * SN_SURFACE_CONTACT_OWN + 1,
        MOST_EDGES = SN_SURFACE_CONTACT_OWN * SN_SURFACE_CONTACT_OWN + 1
    };
    if (p->points + MOST_POINTS > SN_SURFACE_CONTACT_PILE) flush_points(p);
    if (p->edges + MOST_EDGES > SN_SURFACE_CONTACT_PILE) flush_edges(p);
    add_points(p, a->point, b->triangle);
    add_points(p, b->point, a->triangle);
    add_edges(p, a->edge, b->edge);
}

bool sn_pair_search_run(sn_world *world, sn_surface_contacts *m, sn_broad_accept *const *accept,
                        const void *context, size_t count, size_t alone, sn_range_function *range) {
    for (bool enough = false; !enough;) {
        sn_pair_search hunt = {.world = world, .m = m, .accept = accept, .context = context};
        sn_team_run(world->bindings.team, count, alone, range, &hunt);
        enough = true;
        for (int kind = 0; kind < SN_SURFACE_CONTACT_KINDS; kind++) {
            sn_surface_contact_heap *heap = &m->heap[kind];
            heap->count = atomic_load(&hunt.taken[kind]);
            enough = enough && heap->count <= heap->capacity;
            if (!sn_reserve(&world->memory, (void **)&heap->pair, &heap->capacity, heap->count,
                            sizeof *heap->pair))
                return false;
        }
    }
    return true;
}
