/* A Gmsh file while it is read, for the two files that do it. */
#ifndef SN_IO_MESH_READ_MSH_H
#define SN_IO_MESH_READ_MSH_H

#include "io/mesh/read.h"

/* A physical group that has a name, or an entity and its physical groups. */
typedef struct msh_name {
    int64_t dimension, tag;
    uint32_t group;
} msh_name;

typedef struct msh_entity {
    int64_t dimension, tag;
    size_t first, count; /* of its physical groups */
} msh_entity;

typedef struct msh_node {
    uint64_t tag;
    uint32_t vertex;
} msh_node;

typedef struct msh_file {
    const sn_source *source;
    sn_text text;
    sn_io_build *build;
    bool is_4, is_binary, is_big;
    bool has_nodes, are_dense;  /* whether tags of nodes follow each other */
    sn_io_build_list names;     /* msh_name, sorted once they are used */
    sn_io_build_list entities;  /* msh_entity, sorted */
    sn_io_build_list physicals; /* int64_t, of the entities */
    sn_io_build_list nodes;     /* msh_node, sorted by tag */
} msh_file;

/* Where the next number is. In text, passes over what is before it. */
const char *sn_msh_here(msh_file *msh);

/* The next number, in text or binary: an int, a size_t (both text in version 2), a double. */
sn_result sn_msh_int(msh_file *msh, const char *what, int64_t *value);
sn_result sn_msh_size(msh_file *msh, const char *what, uint64_t *value);
sn_result sn_msh_real(msh_file *msh, const char *what, double *value);

/* A number of things, each of which takes at least so many bytes in text and in binary. */
sn_result sn_msh_check_room(msh_file *msh, uint64_t count, uint64_t in_text, uint64_t in_binary,
                            const char *things);

/* "<place>: <format>": line and column in text, byte in binary. */
sn_result sn_msh_fail(const msh_file *msh, const char *at, const char *format, ...) SN_PRINTF(3, 4);

/* The sections with nodes and elements. */
sn_result sn_msh_nodes(msh_file *msh);
sn_result sn_msh_elements(msh_file *msh);

#endif
