/*
 * Point caches: NAME_SHAPE.pc2 or .mdd with the positions of a shape in all frames, and beside it
 * NAME_SHAPE.obj, the mesh that they are for, in its first frame. In Blender, import the OBJ and
 * give it a Mesh Cache modifier with the PC2 or MDD.
 *
 * A point cache has one number of points. A shape that tears has those of its last frame in all
 * frames. Where the elements of a shape become others, where it comes back, or in a PC2, whose
 * frames are evenly spaced, where the spacing changes, a pair of files with the number of the frame
 * in their names begins.
 *
 *   "POINTCACHE2\0"  version 1  points  first frame (float)  frames per sample (float)  samples
 *   x y z of every point, sample after sample
 *
 *   samples  points  time of every sample (float, s)
 *   x y z of every point, sample after sample; all of an MDD big endian
 */
#include "io/animation/export_names.h"
#include "io/animation/export_obj_groups.h"
#include "io/animation/export_segments.h"

#include <stdlib.h>

static sn_result open_points(sn_io_export *e) {
    sn_io_segments *segments = calloc(1, sizeof *segments);
    if (!segments) return sn_io_export_no_memory();
    e->state = segments;
    bool is_pc2 = e->kind == &sn_io_exporter_pc2;
    SN_TRY(sn_io_segments_open(segments, e, is_pc2 ? ".pc2.frames.part" : ".mdd.frames.part", 1.2));
    segments->is_even = is_pc2;
    return SN_OK;
}

static sn_result add_frame(sn_io_export *e, const sn_io_frame *frame) {
    return sn_io_segments_add(e->state, frame);
}

/* ---- The files of a segment ---- */

static void write_pc2_head(const sn_io_segment *s, sn_io_out *out) {
    int spacing = s->count > 1 ? s->samples[1].number - s->samples[0].number : 1;
    sn_io_out_bytes(out, "POINTCACHE2", 12);
    sn_io_out_u32(out, 1);
    sn_io_out_u32(out, (uint32_t)s->vertices);
    sn_io_out_f32(out, (sn_real)s->samples[0].number);
    sn_io_out_f32(out, (sn_real)spacing);
    sn_io_out_u32(out, (uint32_t)s->count);
}

static void write_big_u32(sn_io_out *out, uint32_t value) {
    for (int i = 3; i >= 0; i--) sn_io_out_u8(out, (uint8_t)(value >> (8 * i)));
}

static void write_big_f32(sn_io_out *out, double value) {
    float narrow = (float)value;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    write_big_u32(out, bits);
}

static void write_mdd_head(const sn_io_export *e, const sn_io_segment *s, sn_io_out *out) {
    write_big_u32(out, (uint32_t)s->count);
    write_big_u32(out, (uint32_t)s->vertices);
    for (size_t i = 0; i < s->count; i++) write_big_f32(out, s->samples[i].number / e->fps);
}

static sn_result write_cache(sn_io_export *e, const sn_io_segment *s, sn_io_out *out) {
    bool is_pc2 = e->kind == &sn_io_exporter_pc2;
    sn_vec3 *positions = malloc((s->vertices + 1) * sizeof *positions);
    if (!positions) return sn_io_export_no_memory();
    if (is_pc2)
        write_pc2_head(s, out);
    else
        write_mdd_head(e, s, out);
    sn_result result = SN_OK;
    for (size_t i = 0; i < s->count && result == SN_OK; i++) {
        result = sn_io_segments_read(e->state, s, &s->samples[i], positions);
        for (size_t k = 0; k < s->vertices && result == SN_OK; k++) {
            if (is_pc2) {
                sn_io_out_f32x3(out, positions[k]);
                continue;
            }
            write_big_f32(out, (double)positions[k].x);
            write_big_f32(out, (double)positions[k].y);
            write_big_f32(out, (double)positions[k].z);
        }
    }
    free(positions);
    return result;
}

/* Without normals, which a program would keep while the mesh moves. */
static sn_result write_mesh(sn_io_segments *segments, const sn_io_segment *s, const char *name,
                            sn_io_out *out) {
    sn_vec3 *positions = malloc((s->vertices + 1) * sizeof *positions);
    if (!positions) return sn_io_export_no_memory();
    sn_result result = sn_io_segments_read(segments, s, &s->samples[0], positions);
    sn_io_out_text(out, "o ");
    sn_io_out_text(out, name);
    sn_io_out_text(out, "\n");
    for (size_t i = 0; result == SN_OK && i < s->vertices; i++)
        sn_io_out_vertex(out, positions[i],
                         s->colours ? &s->colours[s->kept ? s->kept[i] : i] : NULL);
    free(positions);
    for (size_t i = 0; s->uvs && i < s->vertices; i++)
        sn_io_out_uv(out, s->uvs[s->kept ? s->kept[i] : i]);
    sn_io_obj_groups groups = {.marks = s->groups, .kept = s->kept, .vertices = s->vertices};
    for (size_t i = 0; i < s->triangle_count; i++) {
        sn_io_obj_groups_begin(out, &groups, s->triangles[i]);
        sn_io_out_text(out, "f");
        for (int k = 0; k < 3; k++) {
            sn_io_out_uint(out, ' ', (uint64_t)s->triangles[i][k] + 1);
            if (s->uvs) sn_io_out_uint(out, '/', (uint64_t)s->triangles[i][k] + 1);
        }
        sn_io_out_text(out, "\n");
    }
    sn_io_obj_groups_end(out, &groups, 1);
    for (size_t i = 0; i < s->line_count; i++) {
        sn_io_out_text(out, "l");
        for (int k = 0; k < 2; k++) sn_io_out_uint(out, ' ', (uint64_t)s->lines[i][k] + 1);
        sn_io_out_text(out, "\n");
    }
    return result;
}

static sn_result write_file(sn_io_export *e, const sn_io_segment *s, const char *name,
                            const char *extension) {
    sn_io_file file;
    sn_io_out out;
    size_t size = strlen(name) + strlen(extension) + 2;
    char *ending = malloc(size);
    if (!ending) return sn_io_export_no_memory();
    snprintf(ending, size, "_%s%s", name, extension);
    sn_result result = sn_io_export_begin(e, ending, &file);
    free(ending);
    if (result != SN_OK) return result;
    sn_io_out_open(&out, file.stream);
    result = strcmp(extension, ".obj") == 0 ? write_mesh(e->state, s, name, &out)
                                            : write_cache(e, s, &out);
    sn_io_out_flush(&out);
    if (result == SN_OK) return sn_io_export_end(e, &file, NULL);
    sn_io_file_discard(&file);
    return result;
}

static sn_result write_files(sn_io_export *e, const sn_io_segment *s, const char *name) {
    SN_TRY(write_file(e, s, name, ".obj"));
    return write_file(e, s, name, e->kind == &sn_io_exporter_pc2 ? ".pc2" : ".mdd");
}

/* ---- All of them ---- */

static char *segment_name(const sn_io_segment *s, const char *const *taken, size_t count) {
    size_t size = strlen(s->shape) + 16;
    char *text = malloc(size);
    if (!text) return NULL;
    if (s->is_first)
        snprintf(text, size, "%s", s->shape);
    else
        snprintf(text, size, "%s_%04d", s->shape, s->samples[0].number);
    char *name = sn_io_unique_name(text, taken, count);
    free(text);
    return name;
}

static sn_result close_points(sn_io_export *e) {
    sn_io_segments *segments = e->state;
    SN_TRY(sn_io_segments_finish(segments));
    char **names = calloc(segments->count + 1, sizeof *names);
    if (!names) return sn_io_export_no_memory();
    sn_result result = SN_OK;
    for (size_t i = 0; i < segments->count && result == SN_OK; i++) {
        names[i] = segment_name(&segments->items[i], (const char *const *)names, i);
        result =
            names[i] ? write_files(e, &segments->items[i], names[i]) : sn_io_export_no_memory();
    }
    for (size_t i = 0; i < segments->count; i++) free(names[i]);
    free(names);
    return result;
}

static void free_points(sn_io_export *e) {
    if (e->state) sn_io_segments_free(e->state);
    free(e->state);
}

const sn_io_exporter sn_io_exporter_pc2 = {
    .open = open_points, .frame = add_frame, .close = close_points, .free = free_points};
const sn_io_exporter sn_io_exporter_mdd = {
    .open = open_points, .frame = add_frame, .close = close_points, .free = free_points};
