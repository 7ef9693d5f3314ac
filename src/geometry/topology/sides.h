/*
 * Triangles that change how they hang together. Side 3 t + k of triangle t goes from its corner k
 * to the next one, anticlockwise seen from the front; the same edge seen from the triangle across
 * it is its twin.
 */
#ifndef SN_GEOMETRY_TOPOLOGY_SIDES_H
#define SN_GEOMETRY_TOPOLOGY_SIDES_H

#include "geometry/topology/triangle_edges.h"

#define SN_SIDE_NONE UINT32_MAX

typedef struct sn_sides {
    uint32_t *start; /* the vertex where a side begins */
    uint32_t *twin;  /* SN_SIDE_NONE where there is no triangle beyond */
    uint32_t *mark;  /* what an edge is, for who uses it; the same for both sides */
    uint32_t *at;    /* a side that begins at each vertex */
    size_t triangles;
    size_t triangle_capacity, vertex_capacity;
} sn_sides;

/* Grows to room for so many; false when there is no memory, and then nothing has changed. */
bool sn_sides_reserve(sn_sides *sides, sn_memory *memory, size_t triangles, size_t vertices);
void sn_sides_free(sn_sides *sides, sn_memory *memory);

static inline uint32_t sn_side_before(uint32_t side) {
    return side % 3 == 0 ? side + 2 : side - 1;
}
static inline uint32_t sn_side_end(const sn_sides *sides, uint32_t side) {
    return sides->start[sn_side_next(side)];
}

/* The vertex of the triangle of a side that is not on it. */
static inline uint32_t sn_side_apex(const sn_sides *sides, uint32_t side) {
    return sides->start[sn_side_before(side)];
}

/* The next side that begins where this one does, anticlockwise; SN_SIDE_NONE at a border. */
static inline uint32_t sn_side_around(const sn_sides *sides, uint32_t side) {
    return sides->twin[sn_side_before(side)];
}

/* The first side anticlockwise that begins at a vertex: at a border that with nothing before it. */
uint32_t sn_sides_first(const sn_sides *sides, uint32_t vertex);

/* The corners of triangle t; its twins and marks stay what they are. */
void sn_sides_put(sn_sides *sides, uint32_t t, uint32_t a, uint32_t b, uint32_t c);

/* Makes a side and its twin, which may be none, one edge. */
void sn_sides_join(sn_sides *sides, uint32_t side, uint32_t twin, uint32_t mark);

/* Turns the edge between two triangles to the other diagonal of their quadrilateral. */
void sn_sides_flip(sn_sides *sides, uint32_t side);

/* Cuts the edge of a side at a vertex, and the triangles on it in two: those that are new come
   last. */
void sn_sides_split(sn_sides *sides, uint32_t side, uint32_t vertex);

#endif
