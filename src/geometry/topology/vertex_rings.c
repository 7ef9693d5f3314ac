/*
 * Around a vertex every triangle (v, a, b) says that b comes after a. These pairs are collected per
 * vertex and then put in order: from the one that is no successor, or anywhere on a closed ring.
 */
#include "geometry/topology/vertex_rings.h"

#include "base/error.h"

/* b comes after a. */
typedef struct corner {
    uint32_t a, b;
} corner;

static sn_result check_triangles(const char *what, const uint32_t *triangles, size_t count,
                                 size_t vertices) {
    for (size_t i = 0; i < 3 * count; i++) {
        if (triangles[i] >= vertices)
            return sn_fail(SN_ERROR_VALUE,
                           "%s: triangle %zu uses vertex %u, but the mesh has %zu vertices", what,
                           i / 3, (unsigned)triangles[i], vertices);
        size_t next = i % 3 == 2 ? i - 2 : i + 1;
        if (triangles[i] == triangles[next])
            return sn_fail(SN_ERROR_DEGENERATE, "%s: triangle %zu uses vertex %u twice", what,
                           i / 3, (unsigned)triangles[i]);
    }
    return SN_OK;
}

static void collect(const sn_rings *rings, const uint32_t *triangles, size_t count, size_t *fill,
                    corner *at) {
    for (size_t i = 0; i < 3 * count; i++) rings->begin[triangles[i] + 1]++;
    for (size_t v = 0; v < rings->vertices; v++) {
        rings->begin[v + 1] += rings->begin[v];
        fill[v] = rings->begin[v];
    }
    for (size_t t = 0; t < count; t++) {
        const uint32_t *v = triangles + 3 * t;
        for (int k = 0; k < 3; k++) at[fill[v[k]]++] = (corner){v[(k + 1) % 3], v[(k + 2) % 3]};
    }
}

static sn_result check_corners(const char *what, size_t v, const corner *at, size_t count) {
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            if (at[i].a == at[j].a || at[i].b == at[j].b)
                return sn_fail(SN_ERROR_DEGENERATE,
                               "%s: the edge between vertices %zu and %u belongs to two triangles "
                               "on the same side, expected a surface with two sides",
                               what, v, (unsigned)(at[i].a == at[j].a ? at[i].a : at[i].b));
    return SN_OK;
}

/* Puts the corners of a vertex in order. */
static sn_result arrange(const sn_rings *rings, const char *what, size_t v, corner *at,
                         size_t count) {
    size_t start = 0;
    rings->last[v] = (uint32_t)v;
    if (count == 0) return SN_OK;
    SN_TRY(check_corners(what, v, at, count));
    for (size_t i = 0; i < count; i++) {
        bool follows = false;
        for (size_t j = 0; j < count; j++) follows |= at[j].b == at[i].a;
        if (!follows) start = i;
    }
    for (size_t i = 0; i < count; i++) {
        size_t next = i == 0 ? start : count;
        for (size_t j = i; i > 0 && j < count; j++)
            if (at[j].a == at[i - 1].b) next = j;
        if (next == count)
            return sn_fail(SN_ERROR_DEGENERATE,
                           "%s: two fans of triangles meet at vertex %zu, expected one", what, v);
        corner moved = at[next];
        at[next] = at[i];
        at[i] = moved;
        rings->neighbour[rings->begin[v] + i] = moved.a;
    }
    if (at[count - 1].b != at[0].a) rings->last[v] = at[count - 1].b;
    return SN_OK;
}

sn_result sn_rings_create(sn_rings *rings, sn_memory *memory, const char *what,
                          const uint32_t *triangles, size_t triangle_count, size_t vertices) {
    *rings = (sn_rings){.vertices = vertices, .corners = 3 * triangle_count};
    SN_TRY(check_triangles(what, triangles, triangle_count, vertices));
    rings->begin = sn_allocate(memory, vertices + 1, sizeof *rings->begin);
    rings->neighbour = sn_allocate(memory, rings->corners + 1, sizeof *rings->neighbour);
    rings->last = sn_allocate(memory, vertices + 1, sizeof *rings->last);
    size_t *fill = sn_allocate(memory, vertices + 1, sizeof *fill);
    corner *at = sn_allocate(memory, rings->corners + 1, sizeof *at);
    sn_result result = SN_ERROR_MEMORY;
    if (rings->begin && rings->neighbour && rings->last && fill && at) {
        result = SN_OK;
        collect(rings, triangles, triangle_count, fill, at);
        for (size_t v = 0; v < vertices && result == SN_OK; v++)
            result = arrange(rings, what, v, at + rings->begin[v],
                             rings->begin[v + 1] - rings->begin[v]);
    }
    sn_free(memory, fill, vertices + 1, sizeof *fill);
    sn_free(memory, at, rings->corners + 1, sizeof *at);
    if (result != SN_OK) sn_rings_free(rings, memory);
    return result;
}

void sn_rings_free(sn_rings *rings, sn_memory *memory) {
    sn_free(memory, rings->begin, rings->vertices + 1, sizeof *rings->begin);
    sn_free(memory, rings->neighbour, rings->corners + 1, sizeof *rings->neighbour);
    sn_free(memory, rings->last, rings->vertices + 1, sizeof *rings->last);
    *rings = (sn_rings){0};
}

bool sn_rings_is_closed(const sn_rings *rings, size_t vertex) {
    return rings->begin[vertex] < rings->begin[vertex + 1] && rings->last[vertex] == vertex;
}

size_t sn_rings_count(const sn_rings *rings, size_t vertex) {
    return rings->begin[vertex + 1] - rings->begin[vertex] + (rings->last[vertex] != vertex);
}

uint32_t sn_rings_at(const sn_rings *rings, size_t vertex, size_t k) {
    size_t at = rings->begin[vertex] + k;
    return at < rings->begin[vertex + 1] ? rings->neighbour[at] : rings->last[vertex];
}
