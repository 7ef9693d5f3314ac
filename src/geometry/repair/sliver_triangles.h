/* Getting rid of triangles without area. */
#ifndef SN_GEOMETRY_REPAIR_SLIVER_TRIANGLES_H
#define SN_GEOMETRY_REPAIR_SLIVER_TRIANGLES_H

#include "geometry/mesh_access.h"

/*
 * Works on a list of triangles whose vertices are those of the mesh. A triangle without area is
 * taken out where its longest edge is on the boundary; otherwise that edge, which it shares with a
 * neighbour, is flipped, which leaves two triangles with area and no gap. Those for which neither
 * can be done stay.
 */
sn_result sn_slivers_remove(const sn_mesh *mesh, sn_memory *memory, uint32_t (*triangles)[3],
                            size_t *count, size_t *removed, size_t *flipped);

#endif
