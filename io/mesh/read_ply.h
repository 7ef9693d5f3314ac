/* What the header of a PLY file says, for the two files that read it. */
#ifndef SN_IO_MESH_READ_PLY_H
#define SN_IO_MESH_READ_PLY_H

#include "io/mesh/read.h"
#include "io/mesh/read_scalar.h"

#include <stdio.h>

enum { PLY_ELEMENTS_MOST = 32, PLY_PROPERTIES_MOST = 256, PLY_NAME_MOST = 64 };

/* What an element is for us. */
typedef enum ply_kind {
    PLY_OTHER,
    PLY_VERTICES,
    PLY_FACES,
    PLY_STRIPS,
    PLY_TETS,
    PLY_LINES
} ply_kind;

/* What a property is for us. */
typedef enum ply_role {
    PLY_NONE,
    PLY_X,
    PLY_Y,
    PLY_Z,
    PLY_U,
    PLY_V,
    PLY_RED,
    PLY_GREEN,
    PLY_BLUE,
    PLY_WEIGHT, /* of vertices, which may be a group */
    PLY_CORNERS,
    PLY_FROM,
    PLY_TO
} ply_role;

typedef struct ply_property {
    ply_role role;
    bool is_list;
    sn_scalar count; /* the type of a list's length */
    sn_scalar type;
    const char *name; /* in the header */
    size_t length;
    sn_io_build_list members; /* of a weight: uint32_t */
    bool is_other;            /* some are no weights */
} ply_property;

typedef struct ply_element {
    char name[PLY_NAME_MOST];
    const char *place; /* of its line in the header */
    ply_kind kind;
    uint64_t count;
    ply_property *properties;
    size_t property_count;
} ply_element;

typedef struct ply_file {
    const sn_source *source;
    sn_text text;
    sn_io_build *build;
    bool is_text, is_big;
    ply_element elements[PLY_ELEMENTS_MOST];
    size_t element_count;
    ply_property properties[PLY_PROPERTIES_MOST]; /* of all elements */
    size_t property_count;
    uint64_t row; /* of the element that is read, from 0 */
} ply_file;

/* Reads up to the first element. There are vertices, with x, y and z, and whatever is of interest
   has the properties it needs. */
sn_result sn_ply_header(ply_file *ply);

#endif
