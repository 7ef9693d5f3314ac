/* Turning triangles so that neighbours face the same side. */
#ifndef SN_MESH_ORIENT_H
#define SN_MESH_ORIENT_H

#include "mesh/access.h"

/*
 * Turns triangles of the list, whose vertices are those of the mesh, as sn_mesh_clean says; *turned
 * is how many.
 */
sn_result sn_orient(const sn_mesh *mesh, sn_memory *memory, uint32_t (*triangles)[3], size_t count,
                    size_t *turned);

#endif
