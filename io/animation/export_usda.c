/*
 * OpenUSD as text: one file with a prim per shape. Triangles are a Mesh, lines BasisCurves, and
 * particles Points; all with velocities, with strain as a primvar, and with colours where somebody
 * chose them; meshes with texture coordinates. Groups of vertices are a GeomSubset of points each.
 * What does not change is written once; faces may change from frame to frame, and what is not there
 * is invisible. Rigid bodies are meshes that do not change, with a translation and an orientation
 * in time.
 *
 * The text of every value goes to the spool as it comes; closing puts it in order.
 */
#include "io/animation/export_usda.h"

#include "io/animation/export_groups.h"
#include "io/animation/export_look.h"
#include "io/animation/export_names.h"
#include "io/animation/export_normals.h"
#include "io/animation/export_sequence.h"

#include <sinew/support.h>

#include <math.h>
#include <stdlib.h>

/* ---- Prims ---- */

static usda_prim *find_prim(usda_scene *scene, const char *shape, usda_kind kind) {
    for (size_t i = 0; i < scene->count; i++) {
        size_t at = (scene->next + i) % scene->count;
        usda_prim *prim = &scene->prims[at];
        if (prim->kind != kind || strcmp(prim->shape, shape) != 0) continue;
        scene->next = at + 1;
        return prim;
    }
    return NULL;
}

static char *prim_name(const usda_scene *scene, const char *shape, usda_kind kind) {
    static const char *const endings[] = {"", "_lines", "_points"};
    size_t size = strlen(shape) + 16;
    char *text = malloc(size);
    if (!text) return NULL;
    /* The ending is needed only where another prim has the name. */
    bool taken = false;
    for (size_t i = 0; i < scene->count; i++) taken |= strcmp(scene->prims[i].shape, shape) == 0;
    snprintf(text, size, "%s%s", shape, taken ? endings[kind] : "");
    char *name = sn_io_unique_name(text, (const char *const *)scene->names, scene->count);
    free(text);
    return name;
}

static usda_prim *add_prim(usda_scene *scene, const char *shape, usda_kind kind) {
    usda_prim *prims =
        sn_io_export_grow(scene->prims, &scene->prim_capacity, scene->count, sizeof *prims);
    if (prims) scene->prims = prims;
    char **names =
        sn_io_export_grow(scene->names, &scene->name_capacity, scene->count, sizeof *names);
    if (names) scene->names = names;
    if (!prims || !names) return NULL;
    size_t size = strlen(shape) + 1;
    usda_prim prim = {.shape = malloc(size), .kind = kind};
    char *name = prim_name(scene, shape, kind);
    if (!prim.shape || !name) {
        free(prim.shape);
        free(name);
        return NULL;
    }
    memcpy(prim.shape, shape, size);
    scene->names[scene->count] = name;
    scene->prims[scene->count] = prim;
    return &scene->prims[scene->count++];
}

/* ---- Values ---- */

/* A frame on its way into the spool. */
typedef struct writing {
    usda_scene *scene;
    sn_io_out out;
    int frame;
    const sn_io_shape *shape;
    usda_prim *prim;
    const uint32_t *gather; /* the vertices of the points of the prim; null for all in order */
    size_t count;           /* of points */
} writing;

static size_t vertex_of(const writing *w, size_t i) {
    return w->gather ? w->gather[i] : i;
}

static uint64_t hash_reals(uint64_t hash, const sn_real *values, size_t count) {
    for (size_t i = 0; values && i < count; i++) hash = sn_hash_double(hash, (double)values[i]);
    return sn_hash_word(hash, values ? count : UINT64_MAX);
}

static uint64_t hash_vectors(uint64_t hash, const sn_vec3 *values, size_t count) {
    return hash_reals(hash, (const sn_real *)values, 3 * count);
}

/* Whether the value is to be written; if so, its text goes from *from to where end_value is. */
static bool begin_text(const writing *w, usda_track *track, uint64_t key, uint64_t *from) {
    track->is_here = true;
    track->is_other = track->count == 0 || track->key != key;
    track->new_key = key;
    *from = sn_io_out_count(&w->out);
    return track->is_other;
}

static bool begin_value(writing *w, usda_attribute attribute, uint64_t key, uint64_t *from) {
    return begin_text(w, &w->prim->tracks[attribute], key, from);
}

static void end_value(writing *w, usda_attribute attribute, uint64_t from) {
    w->prim->tracks[attribute].text = sn_io_spool_range(&w->scene->spool, &w->out, from);
}

/* Whether there is a value. None after there was one is a value too. */
static bool is_given(writing *w, usda_attribute attribute, const void *values) {
    uint64_t from;
    if (values) return true;
    if (w->prim->tracks[attribute].count > 0 && begin_value(w, attribute, 0, &from)) {
        sn_io_out_text(&w->out, "None");
        end_value(w, attribute, from);
    }
    return false;
}

static void write_vectors(writing *w, usda_attribute attribute, uint64_t key,
                          const sn_vec3 *values) {
    uint64_t from;
    if (!is_given(w, attribute, values) || !begin_value(w, attribute, key, &from)) return;
    sn_io_out_text(&w->out, "[");
    for (size_t i = 0; i < w->count; i++)
        sn_io_out_vec3(&w->out, i > 0 ? ", (" : "(", ", ", ")", values[vertex_of(w, i)]);
    sn_io_out_text(&w->out, "]");
    end_value(w, attribute, from);
}

static void write_reals(writing *w, usda_attribute attribute, uint64_t key, const sn_real *values,
                        sn_real factor) {
    uint64_t from;
    if (!is_given(w, attribute, values) || !begin_value(w, attribute, key, &from)) return;
    sn_io_out_text(&w->out, "[");
    for (size_t i = 0; i < w->count; i++) {
        if (i > 0) sn_io_out_text(&w->out, ", ");
        sn_io_out_real(&w->out, factor * values[vertex_of(w, i)]);
    }
    sn_io_out_text(&w->out, "]");
    end_value(w, attribute, from);
}

static void write_extent(writing *w, uint64_t key) {
    uint64_t from;
    if (!begin_value(w, USDA_EXTENT, key, &from)) return;
    sn_vec3 least = {0, 0, 0}, most = {0, 0, 0};
    for (size_t i = 0; i < w->count; i++) {
        sn_vec3 x = w->shape->positions[vertex_of(w, i)];
        sn_real r =
            w->prim->kind != USDA_MESH && w->shape->radii ? w->shape->radii[vertex_of(w, i)] : 0;
        if (i == 0 || x.x - r < least.x) least.x = x.x - r;
        if (i == 0 || x.y - r < least.y) least.y = x.y - r;
        if (i == 0 || x.z - r < least.z) least.z = x.z - r;
        if (i == 0 || x.x + r > most.x) most.x = x.x + r;
        if (i == 0 || x.y + r > most.y) most.y = x.y + r;
        if (i == 0 || x.z + r > most.z) most.z = x.z + r;
    }
    sn_io_out_vec3(&w->out, "[(", ", ", "), ", least);
    sn_io_out_vec3(&w->out, "(", ", ", ")]", most);
    end_value(w, USDA_EXTENT, from);
}

/* Values in the way of a list of whole numbers. */
static void write_item(writing *w, size_t i, uint64_t number) {
    if (i > 0) sn_io_out_text(&w->out, ",");
    sn_io_out_uint(&w->out, i > 0 ? ' ' : '[', number);
}

static void write_faces(writing *w, uint64_t key) {
    uint64_t from;
    const uint32_t *corners = (const uint32_t *)w->shape->triangles;
    if (begin_value(w, USDA_FACE_COUNTS, sn_hash_word(0, w->shape->triangle_count), &from)) {
        for (size_t i = 0; i < w->shape->triangle_count; i++) write_item(w, i, 3);
        sn_io_out_text(&w->out, "]");
        end_value(w, USDA_FACE_COUNTS, from);
    }
    if (begin_value(w, USDA_FACE_INDICES, key, &from)) {
        for (size_t i = 0; i < 3 * w->shape->triangle_count; i++) write_item(w, i, corners[i]);
        sn_io_out_text(&w->out, "]");
        end_value(w, USDA_FACE_INDICES, from);
    }
}

/* Lines that follow each other are one curve. */
static size_t chain_lines(const sn_io_shape *s, uint32_t *gather, uint32_t *counts,
                          size_t *curves) {
    size_t count = 0;
    *curves = 0;
    for (size_t i = 0; i < s->line_count; i++) {
        const uint32_t *line = s->lines[i];
        if (i == 0 || s->lines[i - 1][1] != line[0]) {
            gather[count++] = line[0];
            counts[(*curves)++] = 1;
        }
        gather[count++] = line[1];
        counts[*curves - 1]++;
    }
    return count;
}

static void write_curve_counts(writing *w, uint64_t key, const uint32_t *counts, size_t curves) {
    uint64_t from;
    if (!begin_value(w, USDA_CURVE_COUNTS, key, &from)) return;
    for (size_t i = 0; i < curves; i++) write_item(w, i, counts[i]);
    sn_io_out_text(&w->out, "]");
    end_value(w, USDA_CURVE_COUNTS, from);
}

static void write_uvs(writing *w, uint64_t topology) {
    uint64_t from, key = hash_reals(topology, (const sn_real *)w->shape->uvs, 2 * w->count);
    if (!is_given(w, USDA_UVS, w->shape->uvs) || !begin_value(w, USDA_UVS, key, &from)) return;
    sn_io_out_text(&w->out, "[");
    for (size_t i = 0; i < w->count; i++) {
        sn_io_out_text(&w->out, i > 0 ? ", (" : "(");
        sn_io_out_real(&w->out, w->shape->uvs[i][0]);
        sn_io_out_text(&w->out, ", ");
        sn_io_out_real(&w->out, w->shape->uvs[i][1]);
        sn_io_out_text(&w->out, ")");
    }
    sn_io_out_text(&w->out, "]");
    end_value(w, USDA_UVS, from);
}

/* The colours of vertices. */
static void write_colours(writing *w, uint64_t topology) {
    const sn_io_shape *s = w->shape;
    sn_vec3 one = s->vertex_count > 0 ? sn_io_shape_colour(s, 0) : (sn_vec3){1, 1, 1};
    uint64_t from, key = s->colours ? hash_vectors(topology, s->colours, s->vertex_count)
                                    : hash_vectors(topology, &one, 1);
    if (!begin_value(w, USDA_COLOURS, key, &from)) return;
    sn_io_out_text(&w->out, "[");
    for (size_t i = 0; i < w->count; i++)
        sn_io_out_vec3(&w->out, i > 0 ? ", (" : "(", ", ", ")",
                       sn_io_linear_colour(sn_io_shape_colour(s, vertex_of(w, i))));
    sn_io_out_text(&w->out, "]");
    end_value(w, USDA_COLOURS, from);
}

/* One colour for all of it, or one for each vertex: an attribute is one or the other in all frames,
   as it was in the first. */
static void write_colour(writing *w, uint64_t topology) {
    sn_vec3 colour;
    uint64_t from;
    const usda_track *tracks = w->prim->tracks;
    if (tracks[USDA_COLOURS].count > 0 || (w->shape->colours && tracks[USDA_COLOUR].count == 0)) {
        write_colours(w, topology);
        return;
    }
    bool has = sn_io_look_colour(w->shape->look, &colour);
    if (!is_given(w, USDA_COLOUR, has ? w->shape->look : NULL)) return;
    if (!begin_value(w, USDA_COLOUR, hash_vectors(1, &colour, 1), &from)) return;
    sn_io_out_vec3(&w->out, "[(", ", ", ")]", sn_io_linear_colour(colour));
    end_value(w, USDA_COLOUR, from);
}

/* The points of a prim that are of each group of its shape. */
static sn_result write_groups(writing *w, uint64_t topology) {
    sn_io_group_marks marks;
    if (!sn_io_group_marks_make(&marks, w->shape, 1)) return sn_io_export_no_memory();
    sn_result result = SN_OK;
    for (size_t g = 0; g < marks.count && result == SN_OK; g++) {
        const uint8_t *is_member = sn_io_group_marks_of(&marks, g);
        usda_group *group = sn_io_usda_group(w->prim, marks.names[g]);
        uint64_t from, key = topology;
        size_t count = 0;
        for (size_t i = 0; i < w->count; i++) key = sn_hash_word(key, is_member[vertex_of(w, i)]);
        if (!group)
            result = sn_io_export_no_memory();
        else if (begin_text(w, &group->points, key, &from)) {
            for (size_t i = 0; i < w->count; i++)
                if (is_member[vertex_of(w, i)]) write_item(w, count++, i);
            sn_io_out_text(&w->out, count > 0 ? "]" : "[]");
            group->points.text = sn_io_spool_range(&w->scene->spool, &w->out, from);
        }
    }
    sn_io_group_marks_free(&marks);
    return result;
}

/* Where its frame is. A turn is a quaternion whose real part comes first. */
static void write_pose(writing *w) {
    const sn_io_pose *pose = w->shape->pose;
    uint64_t from;
    if (!pose) return;
    if (begin_value(w, USDA_PLACE, hash_vectors(1, &pose->position, 1), &from)) {
        sn_io_out_vec3(&w->out, "(", ", ", ")", pose->position);
        end_value(w, USDA_PLACE, from);
    }
    sn_quat q = pose->orientation;
    const sn_real turn[4] = {q.w, q.x, q.y, q.z};
    if (begin_value(w, USDA_TURN, hash_reals(1, turn, 4), &from)) {
        sn_io_out_text(&w->out, "(");
        for (int i = 0; i < 4; i++) {
            if (i > 0) sn_io_out_text(&w->out, ", ");
            sn_io_out_real(&w->out, turn[i]);
        }
        sn_io_out_text(&w->out, ")");
        end_value(w, USDA_TURN, from);
    }
}

/* What every kind has. Velocities have the samples of the points: programs move points by them. */
static sn_result write_points(writing *w, uint64_t topology) {
    const sn_io_shape *s = w->shape;
    size_t count = s->vertex_count;
    uint64_t motion = hash_vectors(topology, s->positions, count);
    if (s->velocities) motion = hash_vectors(motion, s->velocities, count);
    uint64_t radii = hash_reals(topology, s->radii, count);
    write_extent(w, sn_hash_word(motion, radii));
    write_vectors(w, USDA_POSITIONS, motion, s->positions);
    write_vectors(w, USDA_VELOCITIES, motion, s->velocities);
    write_reals(w, USDA_STRAIN, hash_reals(topology, s->strain, count), s->strain, 1);
    if (w->prim->kind != USDA_MESH) write_reals(w, USDA_WIDTHS, radii, s->radii, 2);
    write_colour(w, topology);
    return write_groups(w, topology);
}

/* Particles keep their numbers while there are as many; those that come and go, as foam does, have
   none. */
static void write_ids(writing *w) {
    uint64_t from, key = sn_hash_word(2, w->count);
    const usda_track *track = &w->prim->tracks[USDA_IDS];
    bool stays = track->count == 0 || track->key == key;
    if (!is_given(w, USDA_IDS, stays ? w->shape->positions : NULL)) return;
    if (!begin_value(w, USDA_IDS, key, &from)) return;
    sn_io_out_text(&w->out, "[");
    for (size_t i = 0; i < w->count; i++) sn_io_out_printf(&w->out, i > 0 ? ", %zu" : "%zu", i);
    sn_io_out_text(&w->out, "]");
    end_value(w, USDA_IDS, from);
}

static sn_result write_mesh(writing *w, uint64_t topology) {
    sn_vec3 *normals = malloc((w->shape->vertex_count + 1) * sizeof *normals);
    if (!normals) return sn_io_export_no_memory();
    sn_io_normals(w->shape, normals);
    w->count = w->shape->vertex_count;
    sn_result result = write_points(w, topology);
    write_vectors(w, USDA_NORMALS, hash_vectors(topology, normals, w->count), normals);
    write_uvs(w, topology);
    write_faces(w, topology);
    free(normals);
    return result;
}

static sn_result write_curves(writing *w, uint64_t topology) {
    size_t curves;
    uint32_t *gather = malloc(2 * w->shape->line_count * sizeof *gather);
    uint32_t *counts = malloc(w->shape->line_count * sizeof *counts);
    sn_result result;
    if (gather && counts) {
        w->count = chain_lines(w->shape, gather, counts, &curves);
        w->gather = gather;
        result = write_points(w, topology);
        write_curve_counts(w, topology, counts, curves);
        w->gather = NULL;
    } else {
        result = sn_io_export_no_memory();
    }
    free(gather);
    free(counts);
    return result;
}

/* ---- Frames ---- */

static bool has_kind(const sn_io_shape *s, usda_kind kind) {
    switch (kind) {
    case USDA_MESH:
        return s->triangle_count > 0;
    case USDA_CURVES:
        return s->line_count > 0;
    default:
        return s->triangle_count == 0 && s->line_count == 0;
    }
}

static sn_result write_prim(writing *w, usda_kind kind) {
    usda_scene *scene = w->scene;
    const sn_io_shape *s = w->shape;
    w->prim = find_prim(scene, s->name, kind);
    bool is_new = !w->prim;
    if (is_new) w->prim = add_prim(scene, s->name, kind);
    if (!w->prim) return sn_io_export_no_memory();
    if (is_new) SN_TRY(sn_io_usda_materials_make(scene, s, w->prim));
    w->prim->is_here = true;
    write_pose(w);
    uint64_t topology = sn_hash_word(sn_hash_word(1, s->topology), s->vertex_count);
    topology = sn_hash_word(sn_hash_word(topology, s->triangle_count), s->line_count);
    if (kind == USDA_MESH) return write_mesh(w, topology);
    if (kind == USDA_CURVES) return write_curves(w, topology);
    w->count = s->vertex_count;
    SN_TRY(write_points(w, topology));
    write_ids(w);
    return SN_OK;
}

static sn_result write_shapes(writing *w, const sn_io_frame *frame) {
    for (size_t i = 0; i < frame->shape_count; i++) {
        w->shape = &frame->shapes[i];
        for (int kind = 0; kind < USDA_KINDS; kind++)
            if (has_kind(w->shape, (usda_kind)kind)) SN_TRY(write_prim(w, (usda_kind)kind));
    }
    return SN_OK;
}

/* Room for what a frame may add, so that nothing fails after it was written. */
static sn_result reserve(usda_scene *scene) {
    for (size_t i = 0; i < scene->count; i++) {
        usda_prim *prim = &scene->prims[i];
        for (size_t k = 0; k < sn_io_usda_track_count(prim); k++) {
            usda_track *t = sn_io_usda_track(prim, k);
            void *grown =
                sn_io_export_grow(t->samples, &t->capacity, t->count + 1, sizeof *t->samples);
            if (!grown) return sn_io_export_no_memory();
            t->samples = grown;
        }
        void *grown = sn_io_export_grow(prim->visible, &prim->visible_capacity,
                                        prim->visible_count + 1, sizeof *prim->visible);
        if (!grown) return sn_io_export_no_memory();
        prim->visible = grown;
    }
    return SN_OK;
}

static void add_sample(usda_track *t, int frame, sn_io_range text) {
    t->samples[t->count++] = (usda_sample){frame, text};
}

/* The frame is in the spool. */
static void commit(usda_scene *scene, int frame) {
    for (size_t i = 0; i < scene->count; i++) {
        usda_prim *prim = &scene->prims[i];
        for (size_t k = 0; k < sn_io_usda_track_count(prim); k++) {
            usda_track *t = sn_io_usda_track(prim, k);
            if (!t->is_here) continue;
            if (t->is_other && t->count > 0 && t->samples[t->count - 1].frame != t->last_frame)
                add_sample(t, t->last_frame, t->samples[t->count - 1].text);
            if (t->is_other) add_sample(t, frame, t->text);
            t->key = t->new_key;
            t->last_frame = frame;
        }
        size_t changes = prim->visible_count;
        bool was_here = changes > 0 && prim->visible[changes - 1].here;
        if (prim->is_here == was_here) continue;
        if (changes == 0 && frame != scene->first_frame)
            prim->visible[prim->visible_count++] = (usda_visibility){scene->first_frame, false};
        prim->visible[prim->visible_count++] = (usda_visibility){frame, prim->is_here};
    }
    scene->last_frame = frame;
}

static void forget_frame(usda_scene *scene) {
    for (size_t i = 0; i < scene->count; i++) {
        usda_prim *prim = &scene->prims[i];
        prim->is_here = false;
        for (size_t k = 0; k < sn_io_usda_track_count(prim); k++)
            sn_io_usda_track(prim, k)->is_here = false;
    }
}

static sn_result add_frame(sn_io_export *e, const sn_io_frame *frame) {
    usda_scene *scene = e->state;
    writing w = {.scene = scene, .frame = frame->number};
    if (e->frames == 0) scene->first_frame = frame->number;
    forget_frame(scene);
    SN_TRY(sn_io_spool_begin(&scene->spool, &w.out));
    SN_TRY(write_shapes(&w, frame));
    SN_TRY(reserve(scene));
    SN_TRY(sn_io_spool_end(&scene->spool, &w.out));
    commit(scene, frame->number);
    return SN_OK;
}

/* ---- The format ---- */

static sn_result open_usda(sn_io_export *e) {
    usda_scene *scene = calloc(1, sizeof *scene);
    if (!scene) return sn_io_export_no_memory();
    e->state = scene;
    return sn_io_spool_open(&scene->spool, e, ".usda.frames.part", 1.2);
}

static sn_result close_usda(sn_io_export *e) {
    return e->frames > 0 ? sn_io_usda_write(e, e->state) : SN_OK;
}

static void free_usda(sn_io_export *e) {
    usda_scene *scene = e->state;
    if (!scene) return;
    for (size_t i = 0; i < scene->count; i++) {
        usda_prim *prim = &scene->prims[i];
        for (size_t k = 0; k < sn_io_usda_track_count(prim); k++)
            free(sn_io_usda_track(prim, k)->samples);
        sn_io_usda_groups_free(prim);
        free(prim->visible);
        sn_io_usda_materials_free(prim);
        free(prim->shape);
        free(scene->names[i]);
    }
    free(scene->prims);
    free(scene->names);
    sn_io_spool_close(&scene->spool);
    free(scene);
}

const sn_io_exporter sn_io_exporter_usda = {.open = open_usda,
                                            .frame = add_frame,
                                            .close = close_usda,
                                            .free = free_usda,
                                            .transforms = true,
                                            .single = true};
