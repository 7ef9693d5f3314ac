/*
 * PLY, binary and little-endian, a file per frame: the vertices of all shapes with normals,
 * velocities (vx, vy, vz), strain, radius, texture coordinates (s, t), colour (sRGB, white where
 * only others have one) and the number of their shape (body), as far as any shape has them, and the
 * triangles and lines of all. The names of the shapes are comments.
 */
#include "io/animation/export_groups.h"
#include "io/animation/export_look.h"
#include "io/animation/export_sequence.h"
#include "io/text/out.h"

#include <stdlib.h>
#include <string.h>

static void write_names(sn_io_out *out, const sn_io_frame *frame) {
    for (size_t i = 0; i < frame->shape_count; i++) {
        sn_io_out_text(out, "comment body");
        sn_io_out_uint(out, ' ', i);
        sn_io_out_text(out, " ");
        for (const char *c = frame->shapes[i].name; *c; c++)
            sn_io_out_u8(out, (uint8_t)((uint8_t)*c < ' ' ? '_' : *c));
        sn_io_out_text(out, "\n");
    }
}

static void write_properties(sn_io_out *out, const char *const *names) {
    for (; *names; names++) {
        sn_io_out_text(out, "property float ");
        sn_io_out_text(out, *names);
        sn_io_out_text(out, "\n");
    }
}

static void write_element(sn_io_out *out, const char *name, size_t count) {
    sn_io_out_text(out, "element ");
    sn_io_out_text(out, name);
    sn_io_out_uint(out, ' ', count);
    sn_io_out_text(out, "\n");
}

/* A word for each group; names that vertices have for something else get an underscore. */
static void write_groups(sn_io_out *out, const sn_io_group_marks *groups) {
    static const char *const taken[] = {"x",  "y",      "z", "nx", "ny",  "nz",    "vx",   "vy",
                                        "vz", "radius", "s", "t",  "red", "green", "blue", "body"};
    for (size_t i = 0; i < groups->count; i++) {
        bool is_taken = strcmp(groups->names[i], "strain") == 0;
        for (size_t k = 0; k < sizeof taken / sizeof *taken; k++)
            is_taken = is_taken || strcmp(groups->names[i], taken[k]) == 0;
        sn_io_out_text(out, is_taken ? "property uchar _" : "property uchar ");
        for (const char *c = groups->names[i]; *c; c++)
            sn_io_out_u8(out, (uint8_t)((uint8_t)*c <= ' ' ? '_' : *c));
        sn_io_out_text(out, "\n");
    }
}

static void write_head(sn_io_out *out, const sn_io_frame *frame, const sn_io_totals *t,
                       const sn_io_group_marks *groups) {
    sn_io_out_text(out, "ply\nformat binary_little_endian 1.0\ncomment time ");
    sn_io_out_double(out, frame->time);
    sn_io_out_text(out, " s\n");
    write_names(out, frame);
    write_element(out, "vertex", t->vertices);
    write_properties(out, (const char *const[]){"x", "y", "z", NULL});
    if (t->triangles > 0) write_properties(out, (const char *const[]){"nx", "ny", "nz", NULL});
    if (t->velocities) write_properties(out, (const char *const[]){"vx", "vy", "vz", NULL});
    if (t->strain) write_properties(out, (const char *const[]){"strain", NULL});
    if (t->radii) write_properties(out, (const char *const[]){"radius", NULL});
    if (t->uvs) write_properties(out, (const char *const[]){"s", "t", NULL});
    if (t->colours)
        sn_io_out_text(out, "property uchar red\nproperty uchar green\nproperty uchar blue\n");
    sn_io_out_text(out, "property uint body\n");
    write_groups(out, groups);
    if (t->triangles > 0) {
        write_element(out, "face", t->triangles);
        sn_io_out_text(out, "property list uchar uint vertex_indices\n");
    }
    if (t->lines > 0) {
        write_element(out, "edge", t->lines);
        sn_io_out_text(out, "property uint vertex1\nproperty uint vertex2\n");
    }
    sn_io_out_text(out, "end_header\n");
}

/* The colour of a vertex as three bytes. */
static void colour_bytes(const sn_io_shape *s, size_t vertex, uint8_t bytes[3]) {
    sn_vec3 colour = sn_io_shape_colour(s, vertex);
    const double parts[3] = {(double)colour.x, (double)colour.y, (double)colour.z};
    for (int k = 0; k < 3; k++) {
        double part = parts[k] > 0 ? parts[k] < 1 ? parts[k] : 1 : 0;
        bytes[k] = (uint8_t)(255 * part + 0.5);
    }
}

static void write_vertices(sn_io_out *out, const sn_io_frame *frame, const sn_io_totals *t,
                           const sn_io_group_marks *groups, const sn_vec3 *normals) {
    static const sn_vec3 zero = {0, 0, 0};
    size_t vertex = 0;
    for (size_t i = 0; i < frame->shape_count; i++) {
        const sn_io_shape *s = &frame->shapes[i];
        uint8_t colour[3];
        for (size_t k = 0; k < s->vertex_count; k++) {
            sn_io_out_f32x3(out, s->positions[k]);
            if (t->triangles > 0) sn_io_out_f32x3(out, normals[k]);
            if (t->velocities) sn_io_out_f32x3(out, s->velocities ? s->velocities[k] : zero);
            if (t->strain) sn_io_out_f32(out, s->strain ? s->strain[k] : 0);
            if (t->radii) sn_io_out_f32(out, s->radii ? s->radii[k] : 0);
            for (int c = 0; t->uvs && c < 2; c++) sn_io_out_f32(out, s->uvs ? s->uvs[k][c] : 0);
            if (t->colours) colour_bytes(s, k, colour);
            for (int c = 0; t->colours && c < 3; c++) sn_io_out_u8(out, colour[c]);
            sn_io_out_u32(out, (uint32_t)i);
            for (size_t g = 0; g < groups->count; g++)
                sn_io_out_u8(out, sn_io_group_marks_of(groups, g)[vertex]);
            vertex++;
        }
        normals += s->vertex_count;
    }
}

static void write_elements(sn_io_out *out, const sn_io_frame *frame) {
    uint32_t first = 0;
    for (size_t i = 0; i < frame->shape_count; i++) {
        const sn_io_shape *s = &frame->shapes[i];
        for (size_t k = 0; k < s->triangle_count; k++) {
            sn_io_out_u8(out, 3);
            for (int c = 0; c < 3; c++) sn_io_out_u32(out, s->triangles[k][c] + first);
        }
        first += (uint32_t)s->vertex_count;
    }
    first = 0;
    for (size_t i = 0; i < frame->shape_count; i++) {
        const sn_io_shape *s = &frame->shapes[i];
        for (size_t k = 0; k < s->line_count; k++)
            for (int c = 0; c < 2; c++) sn_io_out_u32(out, s->lines[k][c] + first);
        first += (uint32_t)s->vertex_count;
    }
}

static sn_result write_ply(sn_io_export *e, const sn_io_frame *frame) {
    char ending[SN_IO_ENDING];
    sn_io_file file;
    sn_io_out out;
    sn_io_totals totals = sn_io_totals_of(frame);
    if (totals.vertices > UINT32_MAX)
        return sn_fail(SN_ERROR_LIMIT, "ply: frame %d has %zu vertices, expected at most %u",
                       frame->number, totals.vertices, (unsigned)UINT32_MAX);
    sn_vec3 *normals = sn_io_frame_normals(frame, totals.vertices);
    sn_io_group_marks groups;
    if (!normals || !sn_io_group_marks_make(&groups, frame->shapes, frame->shape_count)) {
        free(normals);
        return sn_io_export_no_memory();
    }
    sn_io_sequence_ending(ending, frame->number, ".ply");
    sn_result result = sn_io_export_begin(e, ending, &file);
    if (result == SN_OK) {
        sn_io_out_open(&out, file.stream);
        write_head(&out, frame, &totals, &groups);
        write_vertices(&out, frame, &totals, &groups, normals);
        write_elements(&out, frame);
        sn_io_out_flush(&out);
        result = sn_io_export_end(e, &file, NULL);
    }
    free(normals);
    sn_io_group_marks_free(&groups);
    return result;
}

const sn_io_exporter sn_io_exporter_ply = {.frame = write_ply};
