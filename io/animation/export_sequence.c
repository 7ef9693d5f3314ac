#include "io/animation/export_sequence.h"

#include "io/animation/export_look.h"
#include "io/animation/export_normals.h"

#include <stdlib.h>

void sn_io_sequence_ending(char ending[SN_IO_ENDING], int number, const char *extension) {
    snprintf(ending, SN_IO_ENDING, "_%04d%s", number, extension);
}

bool sn_io_is_particles(const sn_io_shape *shape) {
    return shape->triangle_count == 0 && shape->line_count == 0 && shape->tet_count == 0;
}

sn_io_totals sn_io_totals_of(const sn_io_frame *frame) {
    sn_io_totals t = {0};
    for (size_t i = 0; i < frame->shape_count; i++) {
        const sn_io_shape *s = &frame->shapes[i];
        t.vertices += s->vertex_count;
        t.triangles += s->triangle_count;
        t.lines += s->line_count;
        t.tets += s->tet_count;
        t.points += sn_io_is_particles(s) ? s->vertex_count : 0;
        t.velocities |= s->velocities != NULL;
        t.strain |= s->strain != NULL;
        t.radii |= s->radii != NULL;
        t.uvs |= s->uvs != NULL;
        t.colours |= sn_io_shape_is_coloured(s);
    }
    return t;
}

sn_vec3 *sn_io_frame_normals(const sn_io_frame *frame, size_t vertices) {
    sn_vec3 *normals = malloc((vertices + 1) * sizeof *normals);
    size_t first = 0;
    for (size_t i = 0; normals && i < frame->shape_count; i++) {
        sn_io_normals(&frame->shapes[i], normals + first);
        first += frame->shapes[i].vertex_count;
    }
    return normals;
}
