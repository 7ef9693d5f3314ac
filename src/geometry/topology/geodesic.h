/* Distances along a surface, from some of its vertices to all of them. */
#ifndef SN_GEOMETRY_TOPOLOGY_GEODESIC_H
#define SN_GEOMETRY_TOPOLOGY_GEODESIC_H

#include "base/memory.h"
#include "geometry/point.h"

/* The surface, and where distances begin. Any triangles will do, several pieces as well. */
typedef struct sn_geodesics {
    const sn_point *x; /* m, of every vertex */
    size_t vertices;
    const uint32_t *triangles; /* three vertices each */
    size_t triangle_count;
    const uint32_t *sources; /* vertices */
    size_t source_count;
    size_t nearest; /* how many sources are asked for at each vertex */
    /* Of every vertex, where sources belong together: `nearest` is how many groups are asked for,
       and of each the `members` that are nearest, 1 to SN_GROUP_MEMBERS. Null: each source is a
       group of its own. */
    const uint32_t *group;
    size_t members;
} sn_geodesics;

/* No source: there are fewer, or none is connected with the vertex. */
#define SN_NO_SOURCE UINT32_MAX

/* The most sources of a group that can be asked for. */
#define SN_GROUP_MEMBERS 4

/* The nearest sources of each vertex, as vertices, and how far they are: `nearest` numbers per
   vertex, times `members` where there are groups, from near to far. */
sn_result sn_geodesics_find(const sn_geodesics *def, sn_memory *memory, uint32_t *source,
                            double *distance);

#endif
