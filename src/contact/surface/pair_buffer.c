/*
 * Points and edges of two triangles that may touch. Every one is spoken for by one triangle, so
 * that no pair is found twice.
 */
#include "contact/surface/pair_buffer.h"

#include "contact/surface/feature_fours.h"

#include <string.h>

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

/* Two kinds of features of leaves that are compared. */
typedef struct comparison {
    const sn_feature_four *row, *row_end, *column, *column_end;
    const sn_surface_bvh_node *box; /* around the columns */
    bool same;                      /* whether both are of one collision surface */
    bool within;                    /* whether rows and columns are the same, each pair once */
    bool partial;                   /* whether those that have moved alone are asked for */
    bool row_moved, column_moved;   /* whether some of them have */
} comparison;

/* The pairs of a row and four columns; those that are not near are written over. */
SN_INLINE size_t put_four(sn_broad_pair *pair, size_t count, uint32_t a,
                          const sn_feature_four *four, sn_v4_bits near, const bool ordered) {
    for (int k = 0; k < 4; k++) {
        uint32_t b = (uint32_t)four->item[k];
        pair[count] = ordered && b < a ? sn_broad_pair_of(b, a) : sn_broad_pair_of(a, b);
        count -= (size_t)(ptrdiff_t)near[k];
    }
    return count;
}

/* Whose boxes are near is listed first, and asked for more afterwards: neither can be foreseen, and
   so neither is a branch. Edges come in the order of their numbers. */
SN_INLINE void compare_row(sn_pair_buffer *p, const comparison *c, const sn_feature_four *row,
                           int lane, const bool edges) {
    const sn_feature_four *near[SN_FEATURE_MOST_FOURS];
    size_t count = 0;
    sn_feature_asker asker;
    sn_feature_ask(row, lane, c->same, edges ? 2 : 1, &asker);
    bool all = !c->partial || (c->row_moved && row->moved[lane]);
    for (const sn_feature_four *four = c->within ? row : c->column; four < c->column_end; four++) {
        sn_v4_bits which = sn_feature_near(&asker, four);
        if (!all) which &= four->moved;
        near[count] = four;
        count += sn_four_any(which);
    }
    for (size_t i = 0; i < count; i++) {
        const sn_feature_four *four = near[i];
        sn_v4_bits which =
            edges ? sn_feature_touches(&asker, four, 2, 2) : sn_feature_touches(&asker, four, 1, 3);
        if (!all) which &= four->moved;
        if (c->within && four == row)
            which &= (sn_v4_bits){0, 1, 2, 3} > (sn_v4_bits){lane, lane, lane, lane};
        if (edges)
            p->edges = put_four(p->edge, p->edges, asker.item, four, which, true);
        else
            p->points = put_four(p->point, p->points, asker.item, four, which, false);
    }
    if (p->edges > SN_SURFACE_CONTACT_PILE - 4 * SN_FEATURE_MOST_FOURS) flush_edges(p);
    if (p->points > SN_SURFACE_CONTACT_PILE - 4 * SN_FEATURE_MOST_FOURS) flush_points(p);
}

SN_INLINE void compare(sn_pair_buffer *p, const comparison *c, const bool edges) {
    for (const sn_feature_four *row = c->row; row < c->row_end; row++) {
        sn_v4_bits near = sn_feature_in_box(row, &c->box->low, &c->box->high);
        if (c->partial && !c->column_moved) near &= row->moved;
        if (!sn_four_any(near)) continue;
        for (int lane = 0; lane < 4; lane++)
            if (near[lane]) compare_row(p, c, row, lane, edges);
    }
}

static void compare_leaves(sn_pair_buffer *p, uint32_t a, uint32_t b, int first, int second) {
    const sn_surface_bvh *tree = &p->hunt->m->tree;
    const sn_feature_range *one = &tree->range[a], *two = &tree->range[b];
    const comparison c = {.row = tree->four + one->begin[first],
                          .row_end = tree->four + one->begin[first + 1],
                          .column = tree->four + two->begin[second],
                          .column_end = tree->four + two->begin[second + 1],
                          .box = &tree->node[b],
                          .same = one->surface == two->surface,
                          .within = a == b && first == second,
                          .partial = tree->partial,
                          .row_moved = tree->partial && tree->moved[a],
                          .column_moved = tree->partial && tree->moved[b]};
    if (first == SN_FEATURE_EDGE)
        compare(p, &c, true);
    else
        compare(p, &c, false);
}

void sn_pair_buffer_add(sn_pair_buffer *p, uint32_t a, uint32_t b) {
    compare_leaves(p, a, b, SN_FEATURE_EDGE, SN_FEATURE_EDGE);
    compare_leaves(p, a, b, SN_FEATURE_POINT, SN_FEATURE_TRIANGLE);
    if (a != b) compare_leaves(p, b, a, SN_FEATURE_POINT, SN_FEATURE_TRIANGLE);
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
