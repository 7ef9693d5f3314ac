/* A triangle mesh as the writers and the rasteriser take it: views, nothing is owned. */
#ifndef SINEW_IO_MESH_H
#define SINEW_IO_MESH_H

#include <sinew/base.h>

typedef struct sn_io_mesh {
    size_t node_count;
    const sn_vec3 *positions; /* m */
    size_t triangle_count;
    /* Indices of positions, counter-clockwise seen from the front. */
    const uint32_t (*triangles)[3];
} sn_io_mesh;

#endif
