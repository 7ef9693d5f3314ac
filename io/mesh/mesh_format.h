/* The mesh formats: one line each in the table of mesh_format.c, and nothing else lists them. */
#ifndef SN_IO_MESH_MESH_FORMAT_H
#define SN_IO_MESH_MESH_FORMAT_H

#include "io/mesh/mesh_write.h"
#include "io/mesh/read.h"

typedef struct sn_mesh_format {
    const char *name;
    const char *extensions[4]; /* in small letters, the rest null */
    sn_reader *read;
    sn_writer *write;                                    /* null: it is only read */
    sn_writer *write_materials;                          /* null: it holds none */
    bool has_triangles, has_tets, has_lines, has_groups; /* whether it can hold them */
} sn_mesh_format;

/* The format of a name; where it is null, of the extension of the path. Null, with a sentence,
   where there is none. `path` may also be what the data in memory is called. */
const sn_mesh_format *sn_mesh_format_find(const char *format, const char *path);

/* The extension of a path, from behind its last point; empty where it has none. */
const char *sn_path_extension(const char *path);

#endif
