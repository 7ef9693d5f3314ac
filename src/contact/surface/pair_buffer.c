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

void sn_pair_buffer_flush(sn_pair_buffer *p) {
    flush_points(p);
    flush_edges(p);
}

/* Two kinds of features of leaves that are compared. */
typedef struct comparison {
    sn_feature_fours row, column;
    uint32_t rows, columns;          /* how many fours */
    sn_v4 *rest;                     /* as rest_tables.h says; null where there is none */
    const sn_surface_bvh_node *box;  /* around the columns */
    const sn_surface_bvh_box *moved; /* around those that have moved */
    bool same;                       /* whether both are of one collision surface */
    bool within;                     /* whether rows and columns are the same, each pair once */
    bool partial;                    /* whether those that have moved alone are asked for */
    bool row_moved, column_moved;    /* whether some of them have */
} comparison;

/* All of a leaf that may be compared with all of another. */
enum { MOST_ROWS = 4 * SN_FEATURE_MOST_FOURS, MOST_FOUND = MOST_ROWS * SN_FEATURE_MOST_FOURS };

/* Which of four rows are near the columns; of those that have not moved, near columns that have. */
static sn_v4_bits near_columns(const comparison *c, uint32_t i) {
    const sn_feature_box *four = &c->row.box[i];
    if (!c->partial) return sn_feature_in_box(four, &c->box->low, &c->box->high);
    sn_v4_bits near = {0, 0, 0, 0};
    if (c->row_moved)
        near = sn_feature_in_box(four, &c->box->low, &c->box->high) & c->row.path[i].moved;
    if (c->column_moved) near |= sn_feature_in_box(four, &c->moved->low, &c->moved->high);
    return near;
}

/* The rows that are near the columns; the last is written over. */
static size_t list_rows(const comparison *c, uint32_t row[MOST_ROWS + 1]) {
    size_t count = 0;
    for (uint32_t i = 0; i < c->rows; i++) {
        sn_v4_bits near = near_columns(c, i);
        for (uint32_t lane = 0; lane < 4; lane++) {
            row[count] = 4 * i + lane;
            count += near[lane] != 0;
        }
    }
    return count;
}

/* Adds the columns that may come near a row: by their boxes, and by how far they are apart at rest
   where that is known. With `all` every column is asked for. */
SN_INLINE size_t find_near(const comparison *c, uint32_t row, sn_feature_found *found, size_t count,
                           const bool known, const bool all) {
    const sn_bits lane = (sn_bits)(row % 4);
    const sn_feature_one one = sn_feature_one_of(&c->row.box[row / 4], row % 4);
    const bool within = !all && c->within;
    const bool some = !all && c->partial && !(c->row_moved && c->row.path[row / 4].moved[lane]);
    const sn_v4 *rest = known ? c->rest + row * c->columns : NULL;
    for (uint32_t i = within ? row / 4 : 0; i < c->columns; i++) {
        const sn_feature_box *four = &c->column.box[i];
        sn_v4 far2 = sn_feature_far(&one, four, known ? rest[i] : sn_four_all(SN_REST_ELSEWHERE));
        sn_v4_bits near = (sn_v4_bits)(sn_feature_gap(&one, four) <= far2);
        if (some) near &= c->column.path[i].moved;
        /* Within a leaf each pair once. */
        if (within && i == row / 4)
            near &= (sn_v4_bits){0, 1, 2, 3} > (sn_v4_bits){lane, lane, lane, lane};
        found[count].row = row;
        found[count].column = i;
        count += sn_feature_keep(&found[count], far2, near);
    }
    return count;
}

/* m: half of how far one and four are apart at rest, where no table has it. */
SN_INLINE sn_v4 half_of(const comparison *c, const sn_feature_found *now, const bool edges) {
    const sn_feature_rest *a = &c->row.rest[now->row / 4], *b = &c->column.rest[now->column];
    return edges ? sn_rest_half_of_edges(a, now->row % 4, b)
                 : sn_rest_half_of_points(a, now->row % 4, b);
}

/* Of those that are near by their boxes, who may be given how they are at rest. */
SN_INLINE size_t sift_rest(const comparison *c, sn_feature_found *found, size_t count,
                           const bool edges) {
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        sn_feature_found now = found[i];
        const sn_feature_box *b = &c->column.box[now.column];
        const sn_feature_one one = sn_feature_one_of(&c->row.box[now.row / 4], now.row % 4);
        sn_v4 far2 = sn_v4_smaller(sn_feature_far(&one, b, half_of(c, &now, edges)), now.far2);
        bool any = sn_feature_keep(&now, far2, (sn_v4_bits)(sn_feature_gap(&one, b) <= far2));
        /* What is left goes where nobody waits for it. */
        found[left] = now;
        left += any;
    }
    return left;
}

/* Puts the pairs of one and four with the others; those that are not near are written over. Edges
   come in the order of their numbers. */
SN_INLINE size_t put_four(sn_broad_pair *pair, sn_real *rest, size_t count, uint32_t a,
                          sn_v4_bits item, sn_v4 half, sn_v4_bits which, const bool ordered) {
    for (int k = 0; k < 4; k++) {
        uint32_t b = (uint32_t)item[k];
        rest[count] = half[k];
        pair[count] = ordered && b < a ? sn_broad_pair_of(b, a) : sn_broad_pair_of(a, b);
        count -= (size_t)(ptrdiff_t)which[k];
    }
    return count;
}

/* Who is not kept apart by a plane. */
SN_INLINE size_t sift_planes(const comparison *c, sn_feature_found *found, size_t count,
                             const int mine, const int theirs, const bool together) {
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        const sn_feature_found now = found[i];
        sn_v4_bits which = sn_feature_meets(&c->row.path[now.row / 4], &c->column.path[now.column],
                                            mine, theirs, together, &now);
        found[left] = (sn_feature_found){.which = which, .row = now.row, .column = now.column};
        left += sn_four_any(which);
    }
    return left;
}

/* Lists who may be near, and then who is not kept apart by a plane. None of it can be foreseen: so
   each is a loop over what the one before has left, and none is a branch. */
SN_INLINE void compare(sn_pair_buffer *p, const comparison *c, const uint32_t *row, size_t rows,
                       const bool edges) {
    const int mine = edges ? 2 : 1, theirs = edges ? 2 : 3;
    sn_feature_found found[MOST_FOUND + 1];
    size_t count = 0;
    if (c->rest && !c->partial && !c->within)
        for (size_t i = 0; i < rows; i++) count = find_near(c, row[i], found, count, true, true);
    else if (c->rest)
        for (size_t i = 0; i < rows; i++) count = find_near(c, row[i], found, count, true, false);
    else
        for (size_t i = 0; i < rows; i++) count = find_near(c, row[i], found, count, false, false);
    if (c->same && !c->rest) count = sift_rest(c, found, count, edges);
    /* Paths of a leaf that has moved begin now, those of others when all pairs were found. */
    count = c->row_moved == c->column_moved ? sift_planes(c, found, count, mine, theirs, true)
                                            : sift_planes(c, found, count, mine, theirs, false);
    sn_broad_pair *pair = edges ? p->edge : p->point;
    sn_real *rest = edges ? p->edge_rest : p->point_rest;
    size_t piled = edges ? p->edges : p->points;
    const sn_v4 none = sn_four_all(c->same ? SN_REST_UNKNOWN : SN_REST_ELSEWHERE);
    for (size_t i = 0; i < count; i++) {
        const sn_feature_found *now = &found[i];
        const sn_feature_path *a = &c->row.path[now->row / 4], *b = &c->column.path[now->column];
        sn_v4 half = c->rest ? c->rest[now->row * c->columns + now->column] : none;
        piled = put_four(pair, rest, piled, (uint32_t)a->item[now->row % 4], b->item, half,
                         now->which, edges);
        if (piled <= SN_SURFACE_CONTACT_PILE - 4) continue;
        flush(p->hunt, edges ? SN_CONTACT_EDGE_EDGE : SN_CONTACT_POINT_TRIANGLE, pair, rest, piled);
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
    const bool same = one->surface == two->surface;
    comparison c = {.row = sn_feature_fours_at(tree->four, one->begin[first]),
                    .rows = one->begin[first + 1] - one->begin[first],
                    .column = sn_feature_fours_at(tree->four, two->begin[second]),
                    .columns = two->begin[second + 1] - two->begin[second],
                    .box = &tree->node[b],
                    .moved = &tree->of_moved[b],
                    .same = same,
                    .within = a == b && first == second,
                    .partial = tree->partial,
                    .row_moved = tree->partial && tree->moved[a],
                    .column_moved = tree->partial && tree->moved[b]};
    uint32_t row[MOST_ROWS + 1];
    size_t rows = list_rows(&c, row);
    if (rows == 0) return;
    if (same) c.rest = sn_rest_table(&p->hunt->m->tree, a, b, first, second);
    if (first == SN_FEATURE_EDGE)
        compare(p, &c, row, rows, true);
    else
        compare(p, &c, row, rows, false);
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

void sn_pair_buffer_add(sn_pair_buffer *p, uint32_t a, uint32_t b) {
    if (is_over(p->hunt)) return;
    /* Those that have moved ask: they are few. */
    const uint8_t *moved = p->hunt->m->tree.partial ? p->hunt->m->tree.moved : NULL;
    bool turned = moved && !moved[a];
    compare_leaves(p, turned ? b : a, turned ? a : b, SN_FEATURE_EDGE, SN_FEATURE_EDGE);
    compare_leaves(p, a, b, SN_FEATURE_POINT, SN_FEATURE_TRIANGLE);
    if (a != b) compare_leaves(p, b, a, SN_FEATURE_POINT, SN_FEATURE_TRIANGLE);
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
