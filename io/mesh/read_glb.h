/* A GLB or glTF file while it is read, for the files that do it. */
#ifndef SN_IO_MESH_READ_GLB_H
#define SN_IO_MESH_READ_GLB_H

#include "io/mesh/read.h"
#include "io/mesh/read_scalar.h"
#include "io/text/json.h"

/* The bytes of a buffer; null where they are nowhere. */
typedef struct glb_buffer {
    const char *bytes;
    size_t size;
    char *own; /* the same, where they are not part of the file */
} glb_buffer;

typedef struct glb_file {
    const sn_source *source;
    sn_io_build *build;
    json_document document;
    glb_buffer *buffer; /* as many as buffers */
    /* Arrays, null where missing. */
    const json_node *nodes, *meshes, *accessors, *views, *buffers, *skins, *animations, *materials;
    uint64_t budget;         /* vertices and corners that may still come: instances repeat them */
    sn_io_build_list *parts; /* glb_part: where vertices came from; null where nobody asks */
    const json_node *node;   /* which is visited */
} glb_file;

/* Vertices that follow each other in the mesh, from one primitive of the mesh of a node. */
typedef struct glb_part {
    const json_node *node, *mesh, *primitive;
    uint32_t first;
    size_t count;
} glb_part;

/* Numbers with up to sixteen components each. */
typedef struct glb_accessor {
    const json_node *place;
    size_t count, components;
    sn_scalar type;
    bool is_normalized;
    const char *bytes; /* null: all are zero */
    size_t stride;
    size_t changed;      /* how many are replaced */
    const char *indices; /* of those, each of index_type */
    sn_scalar index_type;
    const char *values; /* of those, close together */
} glb_accessor;

/* Reads the JSON of a file, without its scene; sn_glb_end frees it, whatever came of it. */
sn_result sn_glb_begin(glb_file *glb, const sn_source *source, sn_io_build *build);
void sn_glb_end(glb_file *glb);

/* Finds the bytes of all buffers, one of which may be a chunk of the file. */
sn_result sn_glb_read_buffers(glb_file *glb, const char *chunk, size_t size);
void sn_glb_free_buffers(glb_file *glb);

/* Adds the meshes of the default scene. */
sn_result sn_glb_scene(glb_file *glb);

/* "<name>:<line>:<column>: <path>: <format>", SN_ERROR_DATA. */
sn_result sn_glb_fail(const glb_file *glb, const json_node *node, const char *format, ...)
    SN_PRINTF(3, 4);

/* A member that is a whole number from 0 to `most`; `value` stays where it is missing. */
sn_result sn_glb_integer(const glb_file *glb, const json_node *node, const char *key, uint64_t most,
                         uint64_t *value);

/* The item of a list of the file that a member names; null where there is no such member. */
sn_result sn_glb_item(const glb_file *glb, const json_node *node, const char *key,
                      const json_node *list, const json_node **item);

/* Numbers of an array; `values` stay where the member is missing. */
sn_result sn_glb_numbers(const glb_file *glb, const json_node *node, const char *key, size_t count,
                         double *values);

/* A list of the document; null where it is missing. */
sn_result sn_glb_list(const glb_file *glb, const json_node *node, const char *key,
                      const json_node **list);

/* Translation, rotation (x, y, z, w) and scaling of a node. */
typedef struct glb_place {
    double t[3], q[4], s[3];
} glb_place;
sn_result sn_glb_place(const glb_file *glb, const json_node *node, glb_place *place);

/* The matrix of them, column by column; the product of two. */
void sn_glb_place_matrix(const glb_place *place, double m[16]);
void sn_glb_multiply(const double a[16], const double b[16], double out[16]);

/* Takes so many from the budget, or complains of the place. */
sn_result sn_glb_spend(glb_file *glb, const json_node *place, uint64_t count);

/* Looks an accessor up and checks that all of it is in the file. */
sn_result sn_glb_accessor(const glb_file *glb, const json_node *node, const char *type,
                          glb_accessor *accessor);

/* All bytes of the view that a member names; null where they are nowhere. */
sn_result sn_glb_view_bytes(const glb_file *glb, const json_node *place, const char **bytes,
                            size_t *size);

/* The groups that the vertices of a primitive belong to by what they have. */
sn_result sn_glb_groups(glb_file *glb, const json_node *primitive, uint32_t first, size_t count);

/* The triangles that a primitive added have the look of its material. */
sn_result sn_glb_give_look(glb_file *glb, const json_node *primitive);

/* The numbers of an accessor, `components` each; `out` has room for all. */
sn_result sn_glb_reals(const glb_file *glb, const glb_accessor *accessor, double *out);
sn_result sn_glb_indices(const glb_file *glb, const glb_accessor *accessor, size_t vertices,
                         uint32_t *out);

/* Adds a mesh with its vertices transformed by the matrix (column by column), and a group of them
   where there is a name. `starts` has, for every accessor, 1 + the first vertex made of it by this
   call, and is zero before and after. */
sn_result sn_glb_mesh(glb_file *glb, const json_node *mesh, const double matrix[16],
                      const json_node *name, uint32_t *starts);

#endif
