/* Materials of an OBJ file: colours (Kd), opacities (d) and images (map_Kd) of the libraries that
   it names. */
#ifndef SN_IO_MESH_READ_MTL_H
#define SN_IO_MESH_READ_MTL_H

#include "io/mesh/read.h"

/* All zero at first. */
typedef struct mtl_library {
    sn_io_build_list items; /* mtl_material */
    sn_io_build_list names; /* of those and of their images, one after the other */
} mtl_library;

typedef struct mtl_material {
    size_t name, length;        /* in the names */
    size_t image, image_length; /* the path of its image, in the names too; 0 without one */
    double image_size;          /* as texture_size of sn_io_look */
    double colour[3];           /* sRGB */
    bool is_coloured;
    double opacity;
} mtl_material;

/* Adds the materials of a file beside the source. One that is not there, or not in its folder or
   below, adds nothing and is not found: a mesh is whole without its colours. */
sn_result sn_mtl_read(mtl_library *library, sn_io_build *build, const sn_source *source,
                      const char *name, size_t length, bool *found);
void sn_mtl_free(mtl_library *library, sn_io_build *build);

/* A material, the last of its name; null where there is none. */
const mtl_material *sn_mtl_find(const mtl_library *library, const char *name, size_t length);

#endif
