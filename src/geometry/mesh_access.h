/* What the files about meshes share: looking at a mesh before it is worked on, and making room. */
#ifndef SN_GEOMETRY_MESH_ACCESS_H
#define SN_GEOMETRY_MESH_ACCESS_H

#include <sinew/mesh.h>

#include "base/memory.h"
#include "geometry/point.h"

/* The allocator of a mesh, to be counted or not. */
sn_memory sn_mesh_memory(const sn_mesh *mesh);

/* There is a mesh, made by sn_mesh_default. */
sn_result sn_mesh_expect(const sn_mesh *mesh);

/* And nothing is in it. */
sn_result sn_mesh_expect_empty(const sn_mesh *mesh);

/*
 * And it can be worked on: what its user may have written into the arrays are finite positions and
 * indices of vertices that are there, and there are at most 2^30 elements of each kind.
 */
sn_result sn_mesh_expect_sound(const sn_mesh *mesh);

/* How many elements of each kind a mesh has room for beyond those it has. */
typedef struct sn_mesh_room {
    size_t vertices, triangles, tets, lines;
} sn_mesh_room;
sn_result sn_mesh_reserve(sn_mesh *mesh, sn_mesh_room room);

static inline sn_point sn_mesh_point(const sn_mesh *mesh, uint32_t vertex) {
    return sn_point_of(mesh->positions[vertex]);
}

#endif
