/* Taking vertices out of a mesh. */
#ifndef SN_GEOMETRY_TOPOLOGY_RENUMBER_VERTICES_H
#define SN_GEOMETRY_TOPOLOGY_RENUMBER_VERTICES_H

#include "geometry/mesh_access.h"

/* Of a vertex that goes. */
#define SN_VERTEX_GONE UINT32_MAX

/*
 * Moves vertex i to to[i], which is not above i and is the same for those that become one; the
 * first of them gives the position. Elements follow, and must not use vertices that go; so do
 * groups, which lose those. `spare` has a number per vertex. Cannot fail.
 */
void sn_mesh_renumber(sn_mesh *mesh, const uint32_t *to, uint32_t *spare);

#endif
