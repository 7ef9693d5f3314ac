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

/* All of a leaf that may be compared with all of another. */
enum { MOST_ROWS = 4 * SN_FEATURE_MOST_FOURS, MOST_FOUND = MOST_ROWS * SN_FEATURE_MOST_FOURS };

/* The rows that are near the columns; the last is written over. */
static size_t list_rows(const comparison *c, sn_feature_asker row[MOST_ROWS + 1]) {
    size_t count = 0;
    for (const sn_feature_four *four = c->row; four < c->row_end; four++) {
        sn_v4_bits near = sn_feature_in_box(four, &c->box->low, &c->box->high);
        if (c->partial && !c->column_moved) near &= four->moved;
        for (int lane = 0; lane < 4; lane++) {
            row[count] = (sn_feature_asker){four, lane};
            count += near[lane] != 0;
        }
    }
    return count;
}

/* Adds the columns whose boxes are near that of a row. */
static size_t find_near(const comparison *c, sn_feature_asker row, sn_feature_found *found,
                        size_t count) {
    const sn_feature_four *of = row.four;
    const int lane = row.lane;
    sn_feature_four one;
    for (int k = 0; k < 3; k++) {
        one.low[k] = sn_four_all(of->low[k][lane]);
        one.high[k] = sn_four_all(of->high[k][lane]);
    }
    one.slack = sn_four_all(of->slack[lane]);
    one.radius = sn_four_all(of->radius[lane]);
    bool all = !c->partial || (c->row_moved && of->moved[lane]);
    for (const sn_feature_four *four = c->within ? of : c->column; four < c->column_end; four++) {
        sn_feature_found *now = &found[count];
        now->asker = row;
        sn_feature_near(&one, four, now);
        if (!all) now->which &= four->moved;
        if (c->within && four == of)
            now->which &= (sn_v4_bits){0, 1, 2, 3} > (sn_v4_bits){lane, lane, lane, lane};
        count += sn_four_any(now->which);
    }
    return count;
}

/* Puts the pairs of one and four with the others; those that are not near are written over. Edges
   come in the order of their numbers. */
SN_INLINE size_t put_four(sn_broad_pair *pair, size_t count, const sn_feature_found *found,
                          const bool ordered) {
    uint32_t a = (uint32_t)found->asker.four->item[found->asker.lane];
    for (int k = 0; k < 4; k++) {
        uint32_t b = (uint32_t)found->four->item[k];
        pair[count] = ordered && b < a ? sn_broad_pair_of(b, a) : sn_broad_pair_of(a, b);
        count -= (size_t)(ptrdiff_t)found->which[k];
    }
    return count;
}

/* Lists whose boxes are near; of those, who may be that near given how they are at rest; and then
   who is not kept apart by a plane. None of it can be foreseen: so each is a loop over what the one
   before has left, and none is a branch. */
SN_INLINE void compare(sn_pair_buffer *p, const comparison *c, const bool edges) {
    const int mine = edges ? 2 : 1, theirs = edges ? 2 : 3;
    sn_feature_asker row[MOST_ROWS + 1];
    sn_feature_found found[MOST_FOUND + 1];
    size_t rows = list_rows(c, row), count = 0, left = 0;
    for (size_t i = 0; i < rows; i++) count = find_near(c, row[i], found, count);
    /* What is left goes where nobody waits for it. */
    for (size_t i = 0; i < count && c->same; i++) {
        sn_feature_found now = found[i];
        sn_feature_rests(mine, theirs, &now);
        found[left] = now;
        left += sn_four_any(now.which);
    }
    if (c->same) count = left;
    size_t piled = edges ? p->edges : p->points;
    for (size_t i = 0; i < count; i++) {
        sn_feature_found now = found[i];
        sn_feature_meets(mine, theirs, &now);
        piled = put_four(edges ? p->edge : p->point, piled, &now, edges);
        if (piled <= SN_SURFACE_CONTACT_PILE - 4) continue;
        flush(p->hunt, edges ? SN_CONTACT_EDGE_EDGE : SN_CONTACT_POINT_TRIANGLE,
              edges ? p->edge : p->point, piled);
        piled = 0;
    }
    if (edges)
        p->edges = piled;
    else
        p->points = piled;
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
    /* Those that have moved ask: they are few. */
    const uint8_t *moved = p->hunt->m->tree.partial ? p->hunt->m->tree.moved : NULL;
    bool turned = moved && !moved[a];
    compare_leaves(p, turned ? b : a, turned ? a : b, SN_FEATURE_EDGE, SN_FEATURE_EDGE);
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
