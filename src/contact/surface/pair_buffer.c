/*
 * Points and edges of two triangles that may touch. Every one is spoken for by one triangle, so
 * that no pair is found twice.
 */
#include "contact/surface/pair_buffer.h"

#include "contact/surface/rest_tables.h"

#include <string.h>

void sn_pair_buffer_begin(sn_pair_buffer *buffer, sn_pair_search *hunt) {
    buffer->hunt = hunt;
    buffer->points = buffer->edges = 0;
}

static void flush(sn_pair_search *hunt, int kind, sn_broad_pair *pair, const sn_real *rest,
                  size_t count) {
    const sn_surface_contact_heap *heap = &hunt->m->heap[kind];
    count = hunt->accept[kind](hunt->context, pair, rest, count);
    if (count == 0) return;
    size_t at = atomic_fetch_add_explicit(&hunt->taken[kind], count, memory_order_relaxed);
    if (at + count <= heap->capacity) memcpy(heap->pair + at, pair, count * sizeof *pair);
}

static void flush_points(sn_pair_buffer *p) {
    flush(p->hunt, SN_CONTACT_POINT_TRIANGLE, p->point, p->point_rest, p->points);
    p->points = 0;
}

static void flush_edges(sn_pair_buffer *p) {
    flush(p->hunt, SN_CONTACT_EDGE_EDGE, p->edge, p->edge_rest, p->edges);
    p->edges = 0;
}

void sn_pair_buffer_flush(sn_pair_buffer *buffer) {
    flush_points(buffer);
    flush_edges(buffer);
}

extern const sn_feature_loops sn_feature_loops_4;
#if SN_FEATURE_LANES > 4
extern const sn_feature_loops sn_feature_loops_8;
#endif

/* Those for registers that are as wide as a block of features, or as the machine has. */
static const sn_feature_loops *loops_of(const sn_pair_search *hunt) {
#if SN_FEATURE_LANES > 4
    if (sn_pair_search_lanes(hunt->world, hunt->m) >= SN_WIDTH_8) return &sn_feature_loops_8;
#else
    (void)hunt;
#endif
    return &sn_feature_loops_4;
}

/* Of what is compared of two leaves, one kind. */
static void compare_kind(sn_pair_buffer *p, sn_rest_entry *entry, uint32_t a, uint32_t b,
                         const int kind) {
    sn_surface_bvh *tree = &p->hunt->m->tree;
    const bool turned = kind == SN_REST_POINTS_OF_SECOND, edges = kind == SN_REST_EDGES;
    const int first = edges ? SN_FEATURE_EDGE : SN_FEATURE_POINT,
              second = edges ? SN_FEATURE_EDGE : SN_FEATURE_TRIANGLE;
    const uint32_t mine = turned ? b : a, theirs = turned ? a : b;
    const sn_feature_range *one = &tree->range[mine], *two = &tree->range[theirs];
    const sn_feature_loops *loops = loops_of(p->hunt);
    sn_feature_comparison c = {.row = sn_feature_blocks_at(tree->block, one->begin[first]),
                               .rows = one->fours[first],
                               .column = sn_feature_blocks_at(tree->block, two->begin[second]),
                               .columns = two->fours[second],
                               .box = &tree->node[theirs],
                               .moved = &tree->of_moved[theirs],
                               .same = one->surface == two->surface,
                               .within = a == b && edges,
                               .partial = tree->partial,
                               .row_moved = tree->partial && tree->moved[mine],
                               .column_moved = tree->partial && tree->moved[theirs]};
    uint32_t row[SN_FEATURE_MOST + 1];
    size_t rows = loops->list(&c, row);
    if (rows == 0) return;
    c.rest = sn_rest_table(tree, entry, a, b, kind);
    if (edges) {
        p->edges +=
            loops->compare_edges(&c, row, rows, p->edge + p->edges, p->edge_rest + p->edges);
        if (p->edges >= SN_SURFACE_CONTACT_PILE) flush_edges(p);
    } else {
        p->points +=
            loops->compare_points(&c, row, rows, p->point + p->points, p->point_rest + p->points);
        if (p->points >= SN_SURFACE_CONTACT_PILE) flush_points(p);
    }
}

/* How many elements of a kind there are to be paired. */
static size_t elements_of(const sn_surface_contacts *m, int kind) {
    return m->list[sn_surface_kind_of(kind)->first].count;
}

/* Whether there are more pairs already than there may be. */
static bool is_over(const sn_pair_search *hunt) {
    for (int kind = SN_CONTACT_POINT_TRIANGLE; kind <= SN_CONTACT_EDGE_EDGE; kind++)
        if (atomic_load_explicit(&hunt->taken[kind], memory_order_relaxed) >
            sn_broad_most_pairs(elements_of(hunt->m, kind)))
            return true;
    return false;
}

void sn_pair_buffer_add(sn_pair_buffer *buffer, uint32_t a, uint32_t b) {
    sn_surface_bvh *tree = &buffer->hunt->m->tree;
    if (is_over(buffer->hunt)) return;
    /* Those that have moved ask: they are few. */
    const bool turned = tree->partial && !tree->moved[a];
    const bool same = tree->range[a].surface == tree->range[b].surface;
    sn_rest_entry *entry = same ? sn_rest_entry_of(tree, a, b) : NULL;
    sn_rest_entry *of_edges = same && turned ? sn_rest_entry_of(tree, b, a) : entry;
    for (int kind = SN_REST_EDGES; kind < SN_REST_KINDS; kind++)
        sn_rest_table_fetch(tree, entry, a, b, kind);
    compare_kind(buffer, of_edges, turned ? b : a, turned ? a : b, SN_REST_EDGES);
    compare_kind(buffer, entry, a, b, SN_REST_POINTS);
    if (a != b) compare_kind(buffer, entry, a, b, SN_REST_POINTS_OF_SECOND);
}

bool sn_pair_search_run(sn_world *world, sn_surface_contacts *m, sn_near_accept *const *accept,
                        const void *context, size_t count, size_t alone, sn_range_function *range) {
    for (bool enough = false; !enough;) {
        sn_pair_search hunt = {.world = world, .m = m, .accept = accept, .context = context};
        sn_team_run(world->bindings.team, count, alone, range, &hunt);
        enough = true;
        for (int kind = 0; kind < SN_SURFACE_CONTACT_KINDS; kind++) {
            sn_surface_contact_heap *heap = &m->heap[kind];
            heap->count = atomic_load(&hunt.taken[kind]);
            enough = enough && heap->count <= heap->capacity;
            if (!sn_broad_admits(heap->count, elements_of(m, kind)) ||
                !sn_reserve(&world->memory, (void **)&heap->pair, &heap->capacity, heap->count,
                            sizeof *heap->pair))
                return false;
        }
    }
    return true;
}
