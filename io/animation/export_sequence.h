/* Formats with a file per frame: NAME_0000.obj and so on. */
#ifndef SN_IO_ANIMATION_EXPORT_SEQUENCE_H
#define SN_IO_ANIMATION_EXPORT_SEQUENCE_H

#include "io/animation/export.h"

/* What the name of the file of a frame ends with, such as "_0012.obj". */
enum { SN_IO_ENDING = 32 };
void sn_io_sequence_ending(char ending[SN_IO_ENDING], int number, const char *extension);

/* All shapes of a frame, as if they were one. */
typedef struct sn_io_totals {
    size_t vertices, triangles, lines, tets;
    size_t points; /* shapes without elements, whose vertices are particles: their vertices */
    bool velocities, strain, radii, uvs, colours; /* whether any shape has them */
} sn_io_totals;
sn_io_totals sn_io_totals_of(const sn_io_frame *frame);

/* Whether the vertices of a shape are particles. */
bool sn_io_is_particles(const sn_io_shape *shape);

/* Writes the normals of all shapes one after the other, to be freed; null without memory. */
sn_vec3 *sn_io_frame_normals(const sn_io_frame *frame, size_t vertices);

#endif
