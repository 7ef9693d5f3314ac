/* Surfaces of fields on grids: each cell is six tets along its diagonal (Kuhn 1960), whose faces
   fit those of the next cell, and a tet is cut by a triangle or two. */
#ifndef SN_IO_ANIMATION_MARCHING_TETS_H
#define SN_IO_ANIMATION_MARCHING_TETS_H

#include "io/animation/liquid_field.h"

typedef struct marching_mesh {
    size_t vertex_count, vertex_room;
    sn_vec3 *positions; /* m */
    sn_vec3 *normals;
    sn_vec3 *colours; /* of liquids whose particles have some (liquid_colours.c) */
    size_t colour_room;
    size_t triangle_count, triangle_room;
    uint32_t (*triangles)[3];
} marching_mesh;

/* Replaces a mesh, of zeros or made before, by the surface of a field; SN_ERROR_MEMORY and
   SN_ERROR_LIMIT. */
sn_result sn_marching_tets(const liquid_field *field, float level, marching_mesh *mesh);
void sn_marching_mesh_free(marching_mesh *mesh);

#endif
