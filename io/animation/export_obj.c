/*
 * Wavefront OBJ, a file per frame: an object per shape, with smooth normals where it has triangles,
 * texture coordinates where it has them, lines, and points for particles. Tets are left to their
 * triangles; there is no place for velocities and strain. Shapes that have a colour use a material
 * of their name, and those with several materials use these, which are in NAME.mtl beside the
 * frames, with their images. Groups of vertices are groups of elements (export_obj_groups.h).
 */
#include "io/animation/export_image.h"
#include "io/animation/export_look.h"
#include "io/animation/export_names.h"
#include "io/animation/export_normals.h"
#include "io/animation/export_obj_groups.h"
#include "io/animation/export_sequence.h"
#include "io/mesh/image.h"
#include "io/text/out.h"

#include <sinew/support.h>

#include <stdlib.h>

/* ---- Materials ---- */

typedef struct material {
    char *shape;  /* the name of the shape that has it */
    size_t index; /* 0, or 1 + which of the materials of the shape it is */
    char *name;   /* in the file */
    sn_vec3 colour;
    sn_real opacity;
    uint64_t image;   /* a hash of it; 0 without */
    char *image_name; /* that of the material whose file it is */
    const char *image_word;
    sn_real image_size; /* as texture_size of sn_io_look */
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

static void free_material(material *m) {
    free(m->shape);
    free(m->name);
    free(m->image_name);
}

/* The image of a look as a file, unless it is that of a material before. */
static sn_result add_image(sn_io_export *e, const library *l, const sn_io_look *look, material *m) {
    uint64_t hash = sn_hash_word(1, look->texture_byte_count);
    for (size_t i = 0; i < look->texture_byte_count; i++)
        hash = sn_hash_word(hash, look->texture_bytes[i]);
    m->image = hash | 1;
    m->image_size = look->texture_size;
    m->image_word = sn_io_image_word(look->texture_bytes, look->texture_byte_count);
    for (size_t i = 0; i < l->count && !m->image_name; i++)
        if (l->items[i].image == m->image) m->image_name = copy_of(l->items[i].image_name);
    if (m->image_name) return SN_OK;
    const char **taken = malloc((l->count + 1) * sizeof *taken);
    for (size_t i = 0; taken && i < l->count; i++) taken[i] = l->items[i].image_name;
    if (taken) m->image_name = sn_io_unique_name(m->name, taken, l->count);
    free(taken);
    if (!m->image_name) return sn_io_export_no_memory();
    return sn_io_export_image_file(
        e, &(sn_io_export_image){m->image_name, look->texture_bytes, look->texture_byte_count});
}

static sn_result add_material(sn_io_export *e, const sn_io_shape *s, const sn_io_look *look,
                              size_t index) {
    library *l = e->state;
    material m = {.index = index, .colour = {1, 1, 1}, .opacity = 1};
    bool coloured = sn_io_look_colour(look, &m.colour);
    bool has_image = look && look->texture_bytes && look->texture_byte_count > 0 && s->uvs;
    if (index == 0 && !has_image && (s->colours || !coloured)) return SN_OK;
    if (look) m.opacity = look->opacity;
    if (find_material(l, s->name, index)) return SN_OK;
    material *grown = sn_io_export_grow(l->items, &l->capacity, l->count, sizeof *grown);
    if (!grown) return sn_io_export_no_memory();
    l->items = grown;
    m.shape = copy_of(s->name);
    m.name = free_name(l, look->material ? look->material : s->name);
    sn_result result = m.shape && m.name ? SN_OK : sn_io_export_no_memory();
    if (result == SN_OK && has_image) result = add_image(e, l, look, &m);
    if (result != SN_OK) {
        free_material(&m);
        return result;
    }
    l->items[l->count++] = m;
    l->is_new = true;
    return SN_OK;
}

static sn_result add_materials(sn_io_export *e, const sn_io_shape *s) {
    if (s->material_count == 0) return add_material(e, s, s->look, 0);
    for (size_t i = 0; i < s->material_count; i++)
        SN_TRY(add_material(e, s, &s->materials[i], i + 1));
    return SN_OK;
}

static void write_material(sn_io_out *out, const sn_io_export *e, const material *m) {
    write_name(out, "newmtl ", m->name);
    sn_io_out_vec3(out, "Kd ", " ", "\n", m->colour);
    if (m->opacity != 1) {
        sn_io_out_text(out, "d ");
        sn_io_out_real(out, m->opacity);
        sn_io_out_text(out, "\n");
    }
    if (!m->image_name) return;
    sn_io_out_text(out, "map_Kd ");
    if (m->image_size != 1) {
        sn_real often = (sn_real)(1 / (double)m->image_size);
        sn_io_out_vec3(out, "-s ", " ", " ", (sn_vec3){often, often, 1});
    }
    sn_io_export_image_name(out, e, m->image_name, m->image_word);
    sn_io_out_text(out, "\n");
}

/* The materials of all shapes so far, written anew where a frame has others. */
static sn_result write_materials(sn_io_export *e, const sn_io_frame *frame) {
    library *l = e->state;
    sn_io_file file;
    sn_io_out out;
    for (size_t i = 0; i < frame->shape_count; i++) SN_TRY(add_materials(e, &frame->shapes[i]));
    if (!l->is_new) return SN_OK;
    SN_TRY(sn_io_export_begin(e, ".mtl", &file));
    sn_io_out_open(&out, file.stream);
    for (size_t i = 0; i < l->count; i++) write_material(&out, e, &l->items[i]);
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
                           const starts *first, sn_io_obj_groups *groups) {
    for (size_t i = 0; i < s->triangle_count; i++) {
        sn_io_obj_groups_begin(out, groups, s->triangles[i]);
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
    sn_io_obj_groups_end(out, groups, first->vertex);
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

static sn_result write_frame(sn_io_out *out, const sn_io_export *e, const sn_io_frame *frame,
                             const sn_vec3 *normals) {
    const library *l = e->state;
    starts first = {1, 1, 1};
    if (!e->still) {
        sn_io_out_text(out, "# time ");
        sn_io_out_double(out, frame->time);
        sn_io_out_text(out, " s\n");
    }
    if (l->count > 0) {
        sn_io_out_text(out, "mtllib ");
        sn_io_out_text(out, e->name);
        sn_io_out_text(out, ".mtl\n");
    }
    for (size_t i = 0; i < frame->shape_count; i++) {
        const sn_io_shape *s = &frame->shapes[i];
        sn_io_obj_groups groups;
        if (!sn_io_obj_groups_make(&groups, s)) return sn_io_export_no_memory();
        const material *own = s->material_count > 0 ? NULL : find_material(l, s->name, 0);
        bool coloured = sn_io_shape_shows_colours(s);
        write_name(out, "o ", s->name);
        if (own && (!s->colours || own->image_name)) write_name(out, "usemtl ", own->name);
        for (size_t k = 0; k < s->vertex_count; k++)
            sn_io_out_vertex(out, s->positions[k], coloured ? &s->colours[k] : NULL);
        for (size_t k = 0; s->uvs && k < s->vertex_count; k++) sn_io_out_uv(out, s->uvs[k]);
        for (size_t k = 0; s->triangle_count > 0 && k < s->vertex_count; k++)
            sn_io_out_vec3(out, "vn ", " ", "\n", normals[first.vertex - 1 + k]);
        write_elements(out, l, s, &first, &groups);
        sn_io_obj_groups_free(&groups);
        first.vertex += s->vertex_count;
        first.normal += s->triangle_count > 0 ? s->vertex_count : 0;
        first.uv += s->uvs ? s->vertex_count : 0;
    }
    sn_io_out_flush(out);
    return SN_OK;
}

static sn_result write_obj(sn_io_export *e, const sn_io_frame *frame) {
    char ending[SN_IO_ENDING] = ".obj";
    sn_io_file file;
    sn_io_out out;
    SN_TRY(write_materials(e, frame));
    sn_vec3 *normals = sn_io_frame_normals(frame, sn_io_totals_of(frame).vertices);
    if (!normals) return sn_io_export_no_memory();
    if (!e->still) sn_io_sequence_ending(ending, frame->number, ".obj");
    sn_result result = sn_io_export_begin(e, ending, &file);
    if (result == SN_OK) {
        sn_io_out_open(&out, file.stream);
        result = write_frame(&out, e, frame, normals);
        if (result == SN_OK)
            result = sn_io_export_end(e, &file, NULL);
        else
            sn_io_file_discard(&file);
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
    for (size_t i = 0; l && i < l->count; i++) free_material(&l->items[i]);
    if (l) free(l->items);
    free(l);
}

const sn_io_exporter sn_io_exporter_obj = {.open = open_obj, .frame = write_obj, .free = free_obj};
