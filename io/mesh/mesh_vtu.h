/* Arrays of VTU files, in base64. */
#ifndef SN_IO_MESH_MESH_VTU_H
#define SN_IO_MESH_MESH_VTU_H

#include "io/text/out.h"

/* A name within quotes: what means something to XML is escaped, and control characters, which it
   has no way to write, become '_'. */
void sn_vtu_write_name(sn_io_out *out, const char *text);

/* The bytes of an array are written between these. */
void sn_vtu_begin_array(sn_io_out *out, const char *type, const char *name, int components,
                        uint64_t bytes);
void sn_vtu_end_array(sn_io_out *out);

/* A group of points: an array of its name that is 0 or 1 for each of them. */
void sn_vtu_write_group(sn_io_out *out, const char *name, const uint8_t *marks, size_t count);

#endif
