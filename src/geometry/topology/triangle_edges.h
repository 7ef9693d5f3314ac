/*
 * The edges of triangles: their sides, sorted by the two vertices, so that the sides of one edge
 * follow each other. Side 3 t + k goes from corner k of triangle t to the next one.
 */
#ifndef SN_GEOMETRY_TOPOLOGY_TRIANGLE_EDGES_H
#define SN_GEOMETRY_TOPOLOGY_TRIANGLE_EDGES_H

#include "geometry/topology/sort_indices.h"

typedef struct sn_edges {
    sn_record *sides; /* key: the lower and the higher vertex; value: the side */
    size_t count;     /* of sides */
    size_t capacity;
} sn_edges;

/* Leaves out triangles whose `left_out` is not 0; null leaves out none. */
sn_result sn_edges_create(sn_edges *edges, sn_memory *memory, const uint32_t (*triangles)[3],
                          size_t triangle_count, const uint8_t *left_out);
void sn_edges_free(sn_edges *edges, sn_memory *memory);

/* The end of the sides of the edge that begins at `first`. */
static inline size_t sn_edges_end(const sn_edges *edges, size_t first) {
    return sn_records_run(edges->sides, first, edges->count, 2);
}

static inline uint32_t sn_side_next(uint32_t side) {
    return side % 3 == 2 ? side - 2 : side + 1;
}

/* Whether a side goes from its lower vertex to the higher one. */
static inline bool sn_side_rises(const uint32_t (*triangles)[3], uint32_t side) {
    const uint32_t *v = triangles[0];
    return v[side] < v[sn_side_next(side)];
}

#endif
