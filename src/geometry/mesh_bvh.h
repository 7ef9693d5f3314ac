/* The tree over the triangles of a mesh. */
#ifndef SN_GEOMETRY_MESH_BVH_H
#define SN_GEOMETRY_MESH_BVH_H

#include "geometry/bvh.h"
#include "geometry/mesh_access.h"

/* Nothing is to be freed after a failure. */
sn_result sn_mesh_bvh_create(sn_bvh *bvh, sn_memory *memory, const sn_mesh *mesh);

#endif
