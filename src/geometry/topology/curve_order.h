/* An order of vertices that shows no direction. */
#ifndef SN_GEOMETRY_TOPOLOGY_CURVE_ORDER_H
#define SN_GEOMETRY_TOPOLOGY_CURVE_ORDER_H

#include "geometry/mesh_access.h"

/*
 * Puts the vertices of a mesh of triangles without groups in order along a Hilbert curve, so that
 * what is near in space is near in memory, and what is made of them one after the other goes in no
 * direction for long. Triangles begin with their lowest vertex, and are in the order of those.
 * Vertex i becomes to[i].
 */
sn_result sn_mesh_curve_order(sn_mesh *mesh, sn_memory *memory, uint32_t *to);

#endif
