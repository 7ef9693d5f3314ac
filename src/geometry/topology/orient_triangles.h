/* Turning triangles so that neighbours face the same side. */
#ifndef SN_GEOMETRY_TOPOLOGY_ORIENT_TRIANGLES_H
#define SN_GEOMETRY_TOPOLOGY_ORIENT_TRIANGLES_H

#include "geometry/mesh_access.h"

/*
 * Turns triangles of the list, whose vertices are those of the mesh, as sn_mesh_clean says; *turned
 * is how many.
 */
sn_result sn_orient(const sn_mesh *mesh, sn_memory *memory, uint32_t (*triangles)[3], size_t count,
                    size_t *turned);

#endif
