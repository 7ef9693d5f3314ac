/* Mesh prims of OpenUSD, for readers of still meshes and of moving ones. */
#ifndef SN_IO_MESH_READ_USDA_H
#define SN_IO_MESH_READ_USDA_H

#include "io/mesh/read.h"
#include "io/text/usda.h"

/* A prim whose points are in the build. */
typedef struct usda_geometry {
    const usda_document *document;
    const sn_source *source; /* which images are beside */
    sn_io_build *build;
    size_t node;
    uint32_t first; /* vertex */
    size_t points;
    bool is_still; /* of faces that change, those of the first sample count; else they must not */
} usda_geometry;

/* Adds the faces of a Mesh, with their materials, the texture coordinates and colours of its
   points, its groups, and one of all points with its name. */
sn_result sn_usda_add_mesh(const usda_geometry *g);

/* The group of all points of a prim. */
sn_result sn_usda_add_name(const usda_geometry *g);

/* The look of the material that a prim is bound to, or the next one above it that is bound to one;
   BUILD_PLAIN where there is none. */
sn_result sn_usda_find_look(const usda_geometry *g, size_t node, uint32_t *look);

#endif
