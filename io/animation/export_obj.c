/*
 * Wavefront OBJ, a file per frame: an object per shape, with smooth normals where it has triangles,
 * texture coordinates where it has them, lines, and points for particles. Tets are left to their
 * triangles; there is no place for velocities and strain. Shapes that have a colour use a material
 * of their name, and those with several materials use these, which are in NAME.mtl beside the
 * frames.
 */
#include "io/animation/export_look.h"
#include "io/animation/export_normals.h"
#include "io/animation/export_sequence.h"
#include "io/text/out.h"

#include <stdlib.h>

/* ---- Materials ---- */

typedef struct material {
    char *shape;  /* the name of the shape that has it */
    size_t index; /* 0, or 1 + which of the materials of the shape it is */
    char *name;   /* in the file */
    sn_vec3 colour;
    sn_real opacity;
} material;

typedef struct library {
    material *items;
    size_t count, capacity;
    size_t slot; /* of the file in those that were written */
    bool is_new; /* has materials that the file has not */
} library;

/* A name ends at a blank or a control character. */
static void write_name(sn_io_out *out, const char *before, const char *name) {
    sn_io_out_text(out, before);
    for (; *name; name++) sn_io_out_u8(out, (uint8_t)((uint8_t)*name <= ' ' ? '_' : *name));
    sn_io_out_text(out, "\n");
}

static const material *find_material(const library *l, const char *shape, size_t index) {
    for (size_t i = 0; i < l->count; i++)
        if (l->items[i].index == index && strcmp(l->items[i].shape, shape) == 0)
            return &l->items[i];
    return NULL;
}

/* A name that no other material of the library has: the one that is wanted, or with a number. */
static char *free_name(const library *l, const char *wanted) {
    size_t size = strlen(wanted) + 24, number = 1, i = 0;
    char *name = malloc(size);
    if (!name) return NULL;
    snprintf(name, size, "%s", wanted);
    while (i < l->count) {
        bool taken = strcmp(l->items[i].name, name) == 0;
        if (taken) snprintf(name, size, "%s_%zu", wanted, ++number);
        i = taken ? 0 : i + 1;
    }
    return name;
}

static char *copy_of(const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (copy) memcpy(copy, text, size);
    return copy;
}

static sn_result add_material(library *l, const sn_io_shape *s, const sn_io_look *look,
                              size_t index) {
    material m = {.index = index, .colour = {1, 1, 1}, .opacity = 1};
    bool coloured = sn_io_look_colour(look, &m.colour);
    if (index == 0 && (s->colours || !coloured)) return SN_OK;
    if (index > 0) m.opacity = look->opacity;
    if (find_material(l, s->name, index)) return SN_OK;
    material *grown = sn_io_export_grow(l->items, &l->capacity, l->count, sizeof *grown);
    if (!grown) return sn_io_export_no_memory();
    l->items = grown;
    m.shape = copy_of(s->name);
    m.name = free_name(l, index > 0 && look->material ? look->material : s->name);
    if (!m.shape || !m.name) {
        free(m.shape);
        free(m.name);
        return sn_io_export_no_memory();
    }
    l->items[l->count++] = m;
    l->is_new = true;
    return SN_OK;
}

static sn_result add_materials(library *l, const sn_io_shape *s) {
    if (s->material_count == 0) return add_material(l, s, s->look, 0);
    for (size_t i = 0; i < s->material_count; i++)
        SN_TRY(add_material(l, s, &s->materials[i], i + 1));
    return SN_OK;
}

/* The materials of all shapes so far, written anew where a frame has others. */
static sn_result write_materials(sn_io_export *e, const sn_io_frame *frame) {
    library *l = e->state;
    sn_io_file file;
    sn_io_out out;
    for (size_t i = 0; i < frame->shape_count; i++) SN_TRY(add_materials(l, &frame->shapes[i]));
    if (!l->is_new) return SN_OK;
    SN_TRY(sn_io_export_begin(e, ".mtl", &file));
    sn_io_out_open(&out, file.stream);
    for (size_t i = 0; i < l->count; i++) {
        write_name(&out, "newmtl ", l->items[i].name);
        sn_io_out_vec3(&out, "Kd ", " ", "\n", l->items[i].colour);
        if (l->items[i].opacity == 1) continue;
        sn_io_out_text(&out, "d ");
        sn_io_out_real(&out, l->items[i].opacity);
        sn_io_out_text(&out, "\n");
    }
    sn_io_out_flush(&out);
    SN_TRY(sn_io_export_end(e, &file, &l->slot));
    l->is_new = false;
    return SN_OK;
}

/* ---- Frames ---- */

/* What the elements of a shape are counted from, all from 1. */
typedef struct starts {
    size_t vertex, normal, uv;
} starts;

/* Where the material of a triangle is another than that of the one before. */
static void write_use(sn_io_out *out, const library *l, const sn_io_shape *s, size_t triangle) {
    const uint32_t *of = s->triangle_materials;
    if (!of || (triangle > 0 && of[triangle] == of[triangle - 1])) return;
    const material *m = find_material(l, s->name, of[triangle] + (size_t)1);
    if (m) write_name(out, "usemtl ", m->name);
}

static void write_elements(sn_io_out *out, const library *l, const sn_io_shape *s,
                           const starts *first) {
    for (size_t i = 0; i < s->triangle_count; i++) {
        write_use(out, l, s, i);
        sn_io_out_text(out, "f");
        for (int k = 0; k < 3; k++) {
            sn_io_out_uint(out, ' ', s->triangles[i][k] + first->vertex);
            if (s->uvs)
                sn_io_out_uint(out, '/', s->triangles[i][k] + first->uv);
            else
                sn_io_out_u8(out, '/');
            sn_io_out_uint(out, '/', s->triangles[i][k] + first->normal);
        }
        sn_io_out_text(out, "\n");
    }
    for (size_t i = 0; i < s->line_count; i++) {
        sn_io_out_text(out, "l");
        for (int k = 0; k < 2; k++) sn_io_out_uint(out, ' ', s->lines[i][k] + first->vertex);
        sn_io_out_text(out, "\n");
    }
    for (size_t i = 0; sn_io_is_particles(s) && i < s->vertex_count; i++) {
        sn_io_out_text(out, "p");
        sn_io_out_uint(out, ' ', i + first->vertex);
        sn_io_out_text(out, "\n");
    }
}

static void write_frame(sn_io_out *out, const sn_io_export *e, const sn_io_frame *frame,
                        const sn_vec3 *normals) {
    const library *l = e->state;
    starts first = {1, 1, 1};
    sn_io_out_text(out, "# time ");
    sn_io_out_double(out, frame->time);
    sn_io_out_text(out, " s\n");
    if (l->count > 0) {
        sn_io_out_text(out, "mtllib ");
        sn_io_out_text(out, e->name);
        sn_io_out_text(out, ".mtl\n");
    }
    for (size_t i = 0; i < frame->shape_count; i++) {
        const sn_io_shape *s = &frame->shapes[i];
        const material *own = s->material_count > 0 ? NULL : find_material(l, s->name, 0);
        bool coloured = sn_io_shape_shows_colours(s);
        write_name(out, "o ", s->name);
        if (own && !s->colours) write_name(out, "usemtl ", own->name);
        for (size_t k = 0; k < s->vertex_count; k++)
            sn_io_out_vertex(out, s->positions[k], coloured ? &s->colours[k] : NULL);
        for (size_t k = 0; s->uvs && k < s->vertex_count; k++) sn_io_out_uv(out, s->uvs[k]);
        for (size_t k = 0; s->triangle_count > 0 && k < s->vertex_count; k++)
            sn_io_out_vec3(out, "vn ", " ", "\n", normals[first.vertex - 1 + k]);
        write_elements(out, l, s, &first);
        first.vertex += s->vertex_count;
        first.normal += s->triangle_count > 0 ? s->vertex_count : 0;
        first.uv += s->uvs ? s->vertex_count : 0;
    }
    sn_io_out_flush(out);
}

static sn_result write_obj(sn_io_export *e, const sn_io_frame *frame) {
    char ending[SN_IO_ENDING];
    sn_io_file file;
    sn_io_out out;
    SN_TRY(write_materials(e, frame));
    sn_vec3 *normals = sn_io_frame_normals(frame, sn_io_totals_of(frame).vertices);
    if (!normals) return sn_io_export_no_memory();
    sn_io_sequence_ending(ending, frame->number, ".obj");
    sn_result result = sn_io_export_begin(e, ending, &file);
    if (result == SN_OK) {
        sn_io_out_open(&out, file.stream);
        write_frame(&out, e, frame, normals);
        result = sn_io_export_end(e, &file, NULL);
    }
    free(normals);
    return result;
}

static sn_result open_obj(sn_io_export *e) {
    library *l = calloc(1, sizeof *l);
    if (!l) return sn_io_export_no_memory();
    l->slot = SIZE_MAX;
    e->state = l;
    return SN_OK;
}

static void free_obj(sn_io_export *e) {
    library *l = e->state;
    for (size_t i = 0; l && i < l->count; i++) {
        free(l->items[i].shape);
        free(l->items[i].name);
    }
    if (l) free(l->items);
    free(l);
}

const sn_io_exporter sn_io_exporter_obj = {.open = open_obj, .frame = write_obj, .free = free_obj};
