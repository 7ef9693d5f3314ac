/* Whether triangles close a volume. */
#ifndef SN_GEOMETRY_TOPOLOGY_CLOSED_SURFACE_H
#define SN_GEOMETRY_TOPOLOGY_CLOSED_SURFACE_H

#include "base/memory.h"

/* Whether every edge belongs to two triangles, which go along it in opposite directions; their
   vertices are valid and different. */
sn_result sn_triangles_closed(sn_memory *memory, const uint32_t *triangles, size_t count,
                              size_t vertices, bool *closed);

/* m^3, what they enclose; negative with the inside up. */
double sn_triangles_volume(const uint32_t *triangles, size_t count, const sn_vec4 *x);

#endif
