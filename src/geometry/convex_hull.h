/*
 * The convex hull of points, by quickhull (Barber, Dobkin and Huhdanpaa 1996): a tetrahedron, to
 * which the point farthest outside of a face is added until none is outside by more than rounding.
 */
#ifndef SN_GEOMETRY_CONVEX_HULL_H
#define SN_GEOMETRY_CONVEX_HULL_H

#include "base/memory.h"
#include "geometry/point.h"

/* A closed surface that faces outward. */
typedef struct sn_hull {
    sn_vec3 *vertices; /* m, those of the points that are corners */
    uint32_t (*triangles)[3];
    size_t vertex_count, triangle_count;
    size_t vertex_capacity, triangle_capacity;
} sn_hull;

/* Points are finite. Refuses those that lie in a plane; `what` begins the sentence. Nothing is to
   be freed after a failure. */
sn_result sn_hull_create(sn_hull *hull, sn_memory *memory, const char *what, const sn_vec3 *points,
                         size_t count);
void sn_hull_free(sn_hull *hull, sn_memory *memory);

#endif
