/*
 * glTF as one binary file (GLB): a node with a mesh per shape, and its later positions as morph
 * targets, one per frame, whose weights lead linearly from frame to frame. Normals are smooth and
 * morph along; texture coordinates and colours of vertices stay. Where shapes have colours or
 * images, each has a material of its name, with the image in the file. Lines and particles are
 * lines and points; there is no place for velocities, strain and tets. Times begin at 0.
 *
 * Rigid bodies have no targets: their nodes are moved and turned from frame to frame.
 *
 * Where there are more frames than sn_io_export_def.most_targets, every second, third, ... of them
 * is written, and the last. A shape that tears has the elements of its last frame in all of them.
 * Where they become others, another node takes its place from that frame on.
 *
 *   "glTF"  version 2  bytes in all
 *   bytes  "JSON"  the JSON, with blanks up to a multiple of 4
 *   bytes  "BIN\0"  the buffer
 */
#define _POSIX_C_SOURCE 200809L

#include "io/animation/export_glb.h"
#include "io/animation/export_look.h"
#include "io/animation/export_normals.h"

#include <stdlib.h>

typedef struct glb {
    sn_io_segments segments;
    double *times;
    size_t capacity;
} glb;

static sn_result open_glb(sn_io_export *e) {
    glb *g = calloc(1, sizeof *g);
    if (!g) return sn_io_export_no_memory();
    e->state = g;
    /* Normals are as much as positions. */
    return sn_io_segments_open(&g->segments, e, ".glb.frames.part", 2.2);
}

static sn_result add_frame(sn_io_export *e, const sn_io_frame *frame) {
    glb *g = e->state;
    double *grown = sn_io_export_grow(g->times, &g->capacity, g->segments.frames, sizeof *grown);
    if (!grown) return sn_io_export_no_memory();
    g->times = grown;
    g->times[g->segments.frames] = frame->time - e->first_time;
    return sn_io_segments_add(&g->segments, frame);
}

/* ---- The buffer ---- */

/* Positions of a node as a shape has them, and the normals that follow. */
typedef struct pose {
    sn_vec3 *positions, *normals;
} pose;

static bool make_pose(pose *p, size_t vertices) {
    *p = (pose){malloc(vertices * sizeof *p->positions), malloc(vertices * sizeof *p->normals)};
    return p->positions && p->normals;
}

static void free_pose(pose *p) {
    free(p->positions);
    free(p->normals);
}

/* The vertex whose normal is that of another, in a frame with so many: where a tear is still to
   come, that which a copy will be one of. */
static uint32_t twin(const sn_io_segment *s, const uint32_t *numbers, uint32_t vertex,
                     size_t count) {
    uint32_t origin = numbers[sn_io_segment_origin(s, s->kept[vertex], count)];
    return origin == UINT32_MAX ? vertex : origin;
}

/* Makes one mesh of what has not come apart yet. */
static sn_result find_whole_normals(const sn_io_segment *s, size_t count, sn_io_shape *shape,
                                    sn_vec3 *normals) {
    uint32_t *numbers = malloc((s->all + 1) * sizeof *numbers);
    uint32_t(*whole)[3] = malloc((s->triangle_count + 1) * sizeof *whole);
    if (numbers && whole) {
        for (size_t i = 0; i < s->all; i++) numbers[i] = UINT32_MAX;
        for (size_t i = 0; i < s->vertices; i++) numbers[s->kept[i]] = (uint32_t)i;
        for (size_t i = 0; i < 3 * s->triangle_count; i++)
            whole[i / 3][i % 3] = twin(s, numbers, s->triangles[i / 3][i % 3], count);
        shape->triangles = (const uint32_t(*)[3])whole;
        sn_io_normals(shape, normals);
        for (size_t i = 0; i < s->vertices; i++)
            normals[i] = normals[twin(s, numbers, (uint32_t)i, count)];
    }
    free(numbers);
    free(whole);
    return numbers && whole ? SN_OK : sn_io_export_no_memory();
}

static sn_result read_pose(const glb_plan *plan, const glb_node *node, size_t sample, pose *p) {
    const sn_io_segment *s = node->segment;
    SN_TRY(sn_io_segments_read(plan->segments, s, &s->samples[sample], p->positions));
    if (s->triangle_count == 0) return SN_OK;
    sn_io_shape shape = {.vertex_count = s->vertices,
                         .positions = p->positions,
                         .triangle_count = s->triangle_count,
                         .triangles = (const uint32_t(*)[3])s->triangles};
    size_t count = s->samples[sample].vertices;
    if (count < s->all) return find_whole_normals(s, count, &shape, p->normals);
    sn_io_normals(&shape, p->normals);
    return SN_OK;
}

static void write_vectors(sn_io_out *out, const sn_vec3 *values, const sn_vec3 *base,
                          size_t count) {
    for (size_t i = 0; i < count; i++)
        sn_io_out_f32x3(out, base ? sn_io_glb_difference(values[i], base[i]) : values[i]);
}

/* In glTF the second coordinate goes down from the top of the picture. */
static void write_uvs(sn_io_out *out, const sn_io_segment *s) {
    for (size_t i = 0; s->uvs && i < s->vertices; i++) {
        const sn_real *uv = s->uvs[s->kept ? s->kept[i] : i];
        sn_io_out_f32(out, uv[0]);
        sn_io_out_f32(out, (sn_real)(1 - (double)uv[1]));
    }
}

/* As light. */
static void write_colours(sn_io_out *out, const sn_io_segment *s) {
    for (size_t i = 0; s->shows_colours && i < s->vertices; i++)
        sn_io_out_f32x3(out, sn_io_linear_colour(s->colours[s->kept ? s->kept[i] : i]));
}

static void write_groups(sn_io_out *out, const sn_io_segment *s) {
    for (size_t g = 0; g < s->groups.count; g++)
        for (size_t i = 0; i < s->vertices; i++)
            sn_io_out_f32(out, sn_io_group_marks_of(&s->groups, g)[s->kept ? s->kept[i] : i]);
}

static void write_elements(sn_io_out *out, const sn_io_segment *s) {
    for (size_t i = 0; i < s->triangle_count; i++)
        for (int k = 0; k < 3; k++) sn_io_out_u32(out, s->triangles[i][k]);
    for (size_t i = 0; i < s->line_count; i++)
        for (int k = 0; k < 2; k++) sn_io_out_u32(out, s->lines[i][k]);
}

static sn_result write_poses(const glb_plan *plan, const glb_node *node, sn_io_out *out, pose *base,
                             pose *target) {
    const sn_io_segment *s = node->segment;
    bool smooth = s->triangle_count > 0;
    SN_TRY(read_pose(plan, node, node->keys[0], base));
    write_vectors(out, base->positions, NULL, s->vertices);
    if (smooth) write_vectors(out, base->normals, NULL, s->vertices);
    write_uvs(out, s);
    write_colours(out, s);
    write_groups(out, s);
    write_elements(out, s);
    for (size_t i = 0; i < node->target_count; i++) {
        SN_TRY(read_pose(plan, node, node->targets[i], target));
        write_vectors(out, target->positions, base->positions, s->vertices);
    }
    for (size_t i = 0; smooth && i < node->target_count; i++) {
        SN_TRY(read_pose(plan, node, node->targets[i], target));
        write_vectors(out, target->normals, base->normals, s->vertices);
    }
    return SN_OK;
}

static void write_weights(const glb_plan *plan, const glb_node *node, sn_io_out *out) {
    for (size_t i = 0; node->target_count > 0 && i < node->key_count; i++) {
        size_t frame = node->segment->samples[node->keys[i]].frame;
        sn_io_out_f32(out, (sn_real)plan->times[frame]);
    }
    for (size_t i = 0; node->target_count > 0 && i < node->key_count; i++)
        for (size_t k = 0; k < node->target_count; k++)
            sn_io_out_f32(out, node->states[i] == k + 1);
}

static void write_shows(const glb_plan *plan, const glb_node *node, sn_io_out *out) {
    if (!node->is_partial) return;
    size_t first = node->segment->samples[node->keys[0]].frame;
    for (size_t i = 0; i < node->show_count; i++)
        sn_io_out_f32(out, (sn_real)plan->times[plan->frames[node->shows[i]]]);
    for (size_t i = 0; i < node->show_count; i++) {
        sn_real size = plan->frames[node->shows[i]] == first;
        sn_io_out_f32x3(out, (sn_vec3){size, size, size});
    }
}

static void write_poses_of(const glb_plan *plan, const glb_node *node, sn_io_out *out) {
    const sn_io_sample *samples = node->segment->samples;
    if (!node->is_moving) return;
    for (size_t i = 0; i < node->key_count; i++)
        sn_io_out_f32(out, (sn_real)plan->times[samples[node->keys[i]].frame]);
    for (size_t i = 0; i < node->key_count; i++)
        sn_io_out_f32x3(out, samples[node->keys[i]].pose.position);
    for (size_t i = 0; i < node->key_count; i++) {
        sn_quat q = samples[node->keys[i]].pose.orientation;
        sn_io_out_f32x3(out, (sn_vec3){q.x, q.y, q.z});
        sn_io_out_f32(out, q.w);
    }
}

static void write_textures(const sn_io_surfaces *surfaces, sn_io_out *out) {
    static const char zeros[4] = {0};
    for (size_t i = 0; i < surfaces->count; i++) {
        const sn_io_surface *s = &surfaces->items[i];
        if (!s->own) continue;
        sn_io_out_bytes(out, s->own, s->texture_bytes);
        sn_io_out_bytes(out, zeros, (4 - s->texture_bytes % 4) % 4);
    }
}

static sn_result write_buffer(const glb_plan *plan, sn_io_out *out) {
    for (size_t i = 0; i < plan->node_count; i++) {
        const glb_node *node = &plan->nodes[i];
        pose base = {0}, target = {0};
        bool made = make_pose(&base, node->segment->vertices) &&
                    make_pose(&target, node->segment->vertices);
        sn_result result =
            made ? write_poses(plan, node, out, &base, &target) : sn_io_export_no_memory();
        free_pose(&base);
        free_pose(&target);
        if (result != SN_OK) return result;
        write_weights(plan, node, out);
        write_shows(plan, node, out);
        write_poses_of(plan, node, out);
        write_textures(&node->segment->surfaces, out);
    }
    return SN_OK;
}

/* ---- The file ---- */

static void write_chunk_head(sn_io_out *out, uint64_t size, const char tag[4]) {
    sn_io_out_u32(out, (uint32_t)size);
    sn_io_out_bytes(out, tag, 4);
}

/* The length of the JSON is known after it was written, and put before it then. */
static sn_result write_chunks(const glb_plan *plan, sn_io_out *out) {
    enum { HEAD = 12, CHUNK = 8 };
    static const char zeros[HEAD + CHUNK] = {0};
    sn_io_out_bytes(out, zeros, sizeof zeros);
    SN_TRY(sn_io_glb_write_json(plan, out));
    while (sn_io_out_count(out) % 4 != 0) sn_io_out_text(out, " ");
    uint64_t json = sn_io_out_count(out) - sizeof zeros;
    if (plan->size > 0) {
        write_chunk_head(out, plan->size, "BIN");
        SN_TRY(write_buffer(plan, out));
    }
    sn_io_out_flush(out);
    uint64_t size = sn_io_out_count(out);
    if (size > UINT32_MAX)
        return sn_fail(SN_ERROR_LIMIT, "glb: the file would have %llu bytes, expected below 4 GiB",
                       (unsigned long long)size);
    /* Where a write failed, this does not make it better, and closing finds it. */
    if (ferror(out->stream) || fseeko(out->stream, 0, SEEK_SET) != 0) return SN_OK;
    sn_io_out_bytes(out, "glTF", 4);
    sn_io_out_u32(out, 2);
    sn_io_out_u32(out, (uint32_t)size);
    write_chunk_head(out, json, "JSON");
    sn_io_out_flush(out);
    (void)fseeko(out->stream, 0, SEEK_END);
    return SN_OK;
}

static sn_result close_glb(sn_io_export *e) {
    glb *g = e->state;
    glb_plan plan;
    sn_io_file file;
    sn_io_out out;
    if (e->frames == 0) return SN_OK;
    SN_TRY(sn_io_segments_finish(&g->segments));
    SN_TRY(sn_io_glb_plan_make(&plan, &g->segments, g->times, (size_t)e->most_targets));
    sn_result result = sn_io_export_begin(e, ".glb", &file);
    if (result == SN_OK) {
        sn_io_out_open(&out, file.stream);
        result = write_chunks(&plan, &out);
        if (result == SN_OK)
            result = sn_io_export_end(e, &file, NULL);
        else
            sn_io_file_discard(&file);
    }
    sn_io_glb_plan_free(&plan);
    return result;
}

static void free_glb(sn_io_export *e) {
    glb *g = e->state;
    if (!g) return;
    sn_io_segments_free(&g->segments);
    free(g->times);
    free(g);
}

const sn_io_exporter sn_io_exporter_glb = {.open = open_glb,
                                           .frame = add_frame,
                                           .close = close_glb,
                                           .free = free_glb,
                                           .transforms = true,
                                           .single = true};
