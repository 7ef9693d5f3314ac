#include "geometry/topology/sides.h"

enum { COLUMNS = 3 };

static void list_columns(sn_sides *sides, sn_column columns[COLUMNS]) {
    columns[0] = (sn_column){(void **)&sides->start, 3 * sizeof *sides->start};
    columns[1] = (sn_column){(void **)&sides->twin, 3 * sizeof *sides->twin};
    columns[2] = (sn_column){(void **)&sides->mark, 3 * sizeof *sides->mark};
}

bool sn_sides_reserve(sn_sides *sides, sn_memory *memory, size_t triangles, size_t vertices) {
    sn_column columns[COLUMNS];
    list_columns(sides, columns);
    if (vertices > sides->vertex_capacity &&
        !sn_reserve(memory, (void **)&sides->at, &sides->vertex_capacity, vertices,
                    sizeof *sides->at))
        return false;
    if (triangles <= sides->triangle_capacity) return true;
    size_t capacity =
        sn_columns_grow(memory, columns, COLUMNS, 0, sides->triangle_capacity, triangles);
    if (capacity == 0) return false;
    sides->triangle_capacity = capacity;
    return true;
}

void sn_sides_free(sn_sides *sides, sn_memory *memory) {
    sn_column columns[COLUMNS];
    list_columns(sides, columns);
    if (sides->triangle_capacity > 0)
        sn_columns_free(memory, columns, COLUMNS, 0, sides->triangle_capacity);
    sn_free(memory, sides->at, sides->vertex_capacity, sizeof *sides->at);
    *sides = (sn_sides){0};
}

uint32_t sn_sides_first(const sn_sides *sides, uint32_t vertex) {
    uint32_t first = sides->at[vertex], side = first;
    do {
        uint32_t twin = sides->twin[side];
        if (twin == SN_SIDE_NONE) return side;
        side = sn_side_next(twin);
    } while (side != first);
    return first;
}

void sn_sides_put(sn_sides *sides, uint32_t t, uint32_t a, uint32_t b, uint32_t c) {
    const uint32_t v[3] = {a, b, c};
    for (uint32_t k = 0; k < 3; k++) {
        sides->start[3 * t + k] = v[k];
        sides->at[v[k]] = 3 * t + k;
    }
}

void sn_sides_join(sn_sides *sides, uint32_t side, uint32_t twin, uint32_t mark) {
    if (side != SN_SIDE_NONE) {
        sides->twin[side] = twin;
        sides->mark[side] = mark;
    }
    if (twin == SN_SIDE_NONE) return;
    sides->twin[twin] = side;
    sides->mark[twin] = mark;
}

/*
 *      c              c           side: a -> b       side: d -> c
 *    /   \          / | \         next: b -> c       next: c -> a
 *   a --- b   ->   a  |  b        before: c -> a     before: a -> d
 *    \   /          \ | /         twin: b -> a       twin: c -> d
 *      d              d           next: a -> d       next: d -> b
 *                                 before: d -> b     before: b -> c
 */
void sn_sides_flip(sn_sides *sides, uint32_t side) {
    uint32_t twin = sides->twin[side], s1 = sn_side_next(side), s2 = sn_side_before(side);
    uint32_t t1 = sn_side_next(twin), t2 = sn_side_before(twin);
    uint32_t a = sides->start[side], b = sides->start[twin];
    uint32_t c = sides->start[s2], d = sides->start[t2];
    const uint32_t old[4] = {s1, s2, t1, t2}, fresh[4] = {t2, s1, s2, t1};
    uint32_t beyond[4], mark[4];
    for (int i = 0; i < 4; i++) {
        beyond[i] = sides->twin[old[i]];
        mark[i] = sides->mark[old[i]];
    }
    for (int i = 0; i < 4; i++) sn_sides_join(sides, fresh[i], beyond[i], mark[i]);
    const uint32_t changed[6] = {side, s1, s2, twin, t1, t2}, starts[6] = {d, c, a, c, d, b};
    for (int i = 0; i < 6; i++) {
        sides->start[changed[i]] = starts[i];
        sides->at[starts[i]] = changed[i];
    }
}

/* Triangle a b c of the side a b becomes a x c, and x b c comes last. */
static uint32_t split_triangle(sn_sides *sides, uint32_t side, uint32_t x) {
    uint32_t next = sn_side_next(side), fresh = (uint32_t)sides->triangles++;
    uint32_t b = sides->start[next], c = sn_side_apex(sides, side);
    uint32_t beyond = sides->twin[next], mark = sides->mark[next];
    sn_sides_put(sides, fresh, x, b, c);
    sides->start[next] = x;
    sn_sides_join(sides, 3 * fresh + 1, beyond, mark);
    sn_sides_join(sides, next, 3 * fresh + 2, 0);
    return 3 * fresh;
}

void sn_sides_split(sn_sides *sides, uint32_t side, uint32_t vertex) {
    uint32_t twin = sides->twin[side], mark = sides->mark[side];
    uint32_t beyond = split_triangle(sides, side, vertex);
    sides->at[vertex] = beyond;
    if (twin == SN_SIDE_NONE) {
        sn_sides_join(sides, beyond, SN_SIDE_NONE, mark);
        return;
    }
    /* The other triangle is cut from its end: b a d becomes b x d, and x a d comes last. */
    uint32_t back = split_triangle(sides, twin, vertex);
    sn_sides_join(sides, side, back, mark);
    sn_sides_join(sides, beyond, twin, mark);
}
