/* The neighbours of every vertex of a triangle mesh, in order around it. */
#ifndef SN_GEOMETRY_TOPOLOGY_VERTEX_RINGS_H
#define SN_GEOMETRY_TOPOLOGY_VERTEX_RINGS_H

#include "base/memory.h"

typedef struct sn_rings {
    size_t vertices;
    size_t corners;      /* of all triangles */
    size_t *begin;       /* vertices + 1: where the ring of a vertex begins in `neighbour` */
    uint32_t *neighbour; /* of a closed ring all, of an open one all but the last */
    uint32_t *last;      /* of an open ring the last neighbour; the vertex itself where closed */
} sn_rings;

/*
 * Makes the rings. Refuses indices out of range, triangles that use a vertex twice, edges with more
 * than two triangles or two in the same direction, and vertices where two fans of triangles meet;
 * `what` begins the sentence. Nothing is to be freed after a failure.
 */
sn_result sn_rings_create(sn_rings *rings, sn_memory *memory, const char *what,
                          const uint32_t *triangles, size_t triangle_count, size_t vertices);
void sn_rings_free(sn_rings *rings, sn_memory *memory);

/* How many neighbours a vertex has, and the k-th of them. */
size_t sn_rings_count(const sn_rings *rings, size_t vertex);
uint32_t sn_rings_at(const sn_rings *rings, size_t vertex, size_t k);

/* Whether triangles surround the vertex: it is neither on the border nor without triangles. */
bool sn_rings_is_closed(const sn_rings *rings, size_t vertex);

#endif
