/*
 * What the writers of mesh formats share.
 *
 * A writer gets a mesh that its format can hold. It stops where a write fails, and closing the file
 * then says why.
 */
#ifndef SN_IO_MESH_MESH_WRITE_H
#define SN_IO_MESH_MESH_WRITE_H

#include <sinew_io/mesh.h>

#include <sinew_io/file.h>

typedef sn_result sn_writer(const char *path, const sn_io_write_def *def, const sn_mesh *mesh);

sn_writer sn_write_obj, sn_write_ply, sn_write_stl, sn_write_off, sn_write_glb, sn_write_tetgen,
    sn_write_msh, sn_write_medit, sn_write_vtu;

/* By the exporters of frames, with materials: io/animation/still.c. */
sn_writer sn_write_still_obj, sn_write_still_glb, sn_write_still_usda;

/* Lines of text: numbers that read back as themselves, and up to four indices counted from
   `base`. */
void sn_write_points(FILE *stream, const char *before, const sn_mesh *mesh, const char *after);
void sn_write_numbers(FILE *stream, const char *before, const sn_real *numbers, size_t width);
void sn_write_elements(FILE *stream, const char *before, const uint32_t *corners, size_t count,
                       size_t width, uint32_t base, const char *after);

/* Numbers in binary, little endian. */
void sn_write_u32(FILE *stream, uint32_t value);
void sn_write_f32(FILE *stream, float value);
void sn_write_real(FILE *stream, sn_real value);
void sn_write_positions(FILE *stream, const sn_mesh *mesh);

/* Makes `surface`, which is empty, from a mesh: the boundary of its tets, with the vertices that it
   uses and their groups. `origins`, with room for the vertices of the mesh, gets which of them each
   was; may be null. */
sn_result sn_mesh_surface_of(const sn_mesh *mesh, sn_mesh *surface, uint32_t *origins);

#endif
