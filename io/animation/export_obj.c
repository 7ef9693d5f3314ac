/*
 * Wavefront OBJ, a file per frame: an object per shape, with smooth normals where it has triangles,
 * lines, and points for particles. Tets are left to their triangles; there is no place for
 * velocities and strain.
 */
#include "io/animation/export_normals.h"
#include "io/animation/export_out.h"
#include "io/animation/export_sequence.h"

#include <stdlib.h>

/* A name ends at a blank or a control character. */
static void write_name(sn_io_out *out, const char *name) {
    sn_io_out_text(out, "o ");
    for (; *name; name++) sn_io_out_u8(out, (uint8_t)((uint8_t)*name <= ' ' ? '_' : *name));
    sn_io_out_text(out, "\n");
}

/* The vertices of a shape are counted from `first`, and its normals, if any, from `normal`; both
   from 1. */
static void write_elements(sn_io_out *out, const sn_io_shape *s, size_t first, size_t normal) {
    for (size_t i = 0; i < s->triangle_count; i++) {
        sn_io_out_text(out, "f");
        for (int k = 0; k < 3; k++) {
            sn_io_out_uint(out, ' ', s->triangles[i][k] + first);
            sn_io_out_u8(out, '/');
            sn_io_out_uint(out, '/', s->triangles[i][k] + normal);
        }
        sn_io_out_text(out, "\n");
    }
    for (size_t i = 0; i < s->line_count; i++) {
        sn_io_out_text(out, "l");
        for (int k = 0; k < 2; k++) sn_io_out_uint(out, ' ', s->lines[i][k] + first);
        sn_io_out_text(out, "\n");
    }
    for (size_t i = 0; sn_io_is_particles(s) && i < s->vertex_count; i++) {
        sn_io_out_text(out, "p");
        sn_io_out_uint(out, ' ', i + first);
        sn_io_out_text(out, "\n");
    }
}

static void write_frame(sn_io_out *out, const sn_io_frame *frame, const sn_vec3 *normals) {
    size_t first = 0, normal = 0;
    sn_io_out_text(out, "# time ");
    sn_io_out_double(out, frame->time);
    sn_io_out_text(out, " s\n");
    for (size_t i = 0; i < frame->shape_count; i++) {
        const sn_io_shape *s = &frame->shapes[i];
        write_name(out, s->name);
        for (size_t k = 0; k < s->vertex_count; k++)
            sn_io_out_vec3(out, "v ", " ", "\n", s->positions[k]);
        for (size_t k = 0; s->triangle_count > 0 && k < s->vertex_count; k++)
            sn_io_out_vec3(out, "vn ", " ", "\n", normals[first + k]);
        write_elements(out, s, first + 1, normal + 1);
        first += s->vertex_count;
        normal += s->triangle_count > 0 ? s->vertex_count : 0;
    }
    sn_io_out_flush(out);
}

static sn_result write_obj(sn_io_export *e, const sn_io_frame *frame) {
    char ending[SN_IO_ENDING];
    sn_io_file file;
    sn_io_out out;
    sn_vec3 *normals = sn_io_frame_normals(frame, sn_io_totals_of(frame).vertices);
    if (!normals) return sn_io_export_no_memory();
    sn_io_sequence_ending(ending, frame->number, ".obj");
    sn_result result = sn_io_export_begin(e, ending, &file);
    if (result == SN_OK) {
        sn_io_out_open(&out, file.stream);
        write_frame(&out, frame, normals);
        result = sn_io_export_end(e, &file, NULL);
    }
    free(normals);
    return result;
}

const sn_io_exporter sn_io_exporter_obj = {.frame = write_obj};
