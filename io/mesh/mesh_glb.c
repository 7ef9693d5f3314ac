/*
 * GLB, written: one node with one mesh, whose primitives share the positions. Without elements the
 * vertices are points.
 */
#include "io/mesh/mesh_write.h"

#include "io/mesh/srgb.h"

#include <sinew/support.h>

#include <float.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD = 12, CHUNK_HEAD = 8, MODE_POINTS = 0, MODE_LINES = 1, MODE_TRIANGLES = 4 };

/* JSON while it is made; null data where there was no memory for it. */
typedef struct glb_text {
    char *data;
    size_t length, room;
} glb_text;

static void grow(glb_text *text, size_t more) {
    if (!text->data || more < text->room - text->length) return;
    size_t room = 2 * (text->length + more) + 1;
    char *data = realloc(text->data, room);
    if (!data) free(text->data);
    text->data = data;
    text->room = room;
}

SN_PRINTF(2, 3)
static void add(glb_text *text, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    if (length > 0) grow(text, (size_t)length);
    if (length > 0 && text->data) {
        (void)vsnprintf(text->data + text->length, text->room - text->length, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
    va_end(arguments);
}

/* The attribute of a group; what JSON cannot have in a text becomes an underscore. */
static void add_name(glb_text *text, const char *name) {
    add(text, ",\"_");
    for (; *name; name++)
        add(text, "%c", *name == '"' || *name == '\\' || (unsigned char)*name < ' ' ? '_' : *name);
    add(text, "\"");
}

static void add_bounds(glb_text *json, const sn_mesh *mesh) {
    float least[3] = {FLT_MAX, FLT_MAX, FLT_MAX}, most[3] = {-FLT_MAX, -FLT_MAX, -FLT_MAX};
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        const float x[3] = {(float)mesh->positions[i].x, (float)mesh->positions[i].y,
                            (float)mesh->positions[i].z};
        for (int k = 0; k < 3; k++) {
            if (x[k] < least[k]) least[k] = x[k];
            if (x[k] > most[k]) most[k] = x[k];
        }
    }
    add(json, "\"min\":[%.9g,%.9g,%.9g],\"max\":[%.9g,%.9g,%.9g]", (double)least[0],
        (double)least[1], (double)least[2], (double)most[0], (double)most[1], (double)most[2]);
}

/* The numbers of accessors, and of the views that they are about; 0 where there is none, as that of
   the positions is. */
typedef struct glb_numbers {
    int triangles, lines, uvs, colours;
    int groups; /* of the first of them */
} glb_numbers;

static glb_numbers number_parts(const sn_io_write_def *def, const sn_mesh *mesh) {
    int next = 1;
    glb_numbers n = {0};
    if (mesh->triangle_count > 0) n.triangles = next++;
    if (mesh->line_count > 0) n.lines = next++;
    if (def->uvs) n.uvs = next++;
    if (def->colours) n.colours = next++;
    n.groups = next;
    return n;
}

/* The primitive of some elements, which have this number. */
static void add_primitive(glb_text *json, const sn_mesh *mesh, const glb_numbers *n, int number,
                          int mode, const char *before) {
    add(json, "%s{\"attributes\":{\"POSITION\":0", before);
    if (n->uvs > 0) add(json, ",\"TEXCOORD_0\":%d", n->uvs);
    if (n->colours > 0) add(json, ",\"COLOR_0\":%d", n->colours);
    for (size_t i = 0; i < mesh->group_count; i++) {
        add_name(json, mesh->groups[i].name);
        add(json, ":%zu", (size_t)n->groups + i);
    }
    add(json, "},\"mode\":%d", mode);
    if (number > 0) add(json, ",\"indices\":%d", number);
    add(json, "}");
}

static void add_indices(glb_text *json, int number, size_t count) {
    if (number > 0)
        add(json, ",{\"bufferView\":%d,\"componentType\":5125,\"count\":%zu,\"type\":\"SCALAR\"}",
            number, count);
}

/* What else vertices have: vectors of so many numbers. */
static void add_attribute(glb_text *json, int number, size_t count, int width) {
    if (number > 0)
        add(json, ",{\"bufferView\":%d,\"componentType\":5126,\"count\":%zu,\"type\":\"VEC%d\"}",
            number, count, width);
}

/* Indices, or what vertices have; `offset` goes on to what follows. */
static void add_view(glb_text *json, int number, size_t *offset, size_t length, int target) {
    if (number == 0) return;
    add(json, ",{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu,\"target\":%d}", *offset,
        length, target);
    *offset += length;
}

enum { TARGET_VERTICES = 34962, TARGET_INDICES = 34963 };

static void make_json(glb_text *json, const sn_io_write_def *def, const sn_mesh *mesh) {
    size_t triangles = 3 * mesh->triangle_count, lines = 2 * mesh->line_count;
    size_t offset = 12 * mesh->vertex_count;
    const glb_numbers n = number_parts(def, mesh);
    add(json, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"Sinew\"},\"scene\":0,"
              "\"scenes\":[{\"nodes\":[");
    if (mesh->vertex_count == 0) {
        add(json, "0]}],\"nodes\":[{}]}");
        return;
    }
    add(json, "0]}],\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[");
    if (triangles > 0) add_primitive(json, mesh, &n, n.triangles, MODE_TRIANGLES, "");
    if (lines > 0) add_primitive(json, mesh, &n, n.lines, MODE_LINES, triangles > 0 ? "," : "");
    if (triangles + lines == 0) add_primitive(json, mesh, &n, 0, MODE_POINTS, "");
    add(json,
        "]}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":%zu,"
        "\"type\":\"VEC3\",",
        mesh->vertex_count);
    add_bounds(json, mesh);
    add(json, "}");
    add_indices(json, n.triangles, triangles);
    add_indices(json, n.lines, lines);
    add_attribute(json, n.uvs, mesh->vertex_count, 2);
    add_attribute(json, n.colours, mesh->vertex_count, 3);
    for (size_t i = 0; i < mesh->group_count; i++)
        add(json, ",{\"bufferView\":%zu,\"componentType\":5126,\"count\":%zu,\"type\":\"SCALAR\"}",
            (size_t)n.groups + i, mesh->vertex_count);
    add(json, "],\"bufferViews\":[{\"buffer\":0,\"byteLength\":%zu,\"target\":34962}", offset);
    add_view(json, n.triangles, &offset, 4 * triangles, TARGET_INDICES);
    add_view(json, n.lines, &offset, 4 * lines, TARGET_INDICES);
    add_view(json, n.uvs, &offset, 8 * mesh->vertex_count, TARGET_VERTICES);
    add_view(json, n.colours, &offset, 12 * mesh->vertex_count, TARGET_VERTICES);
    for (size_t i = 0; i < mesh->group_count; i++)
        add_view(json, n.groups, &offset, 4 * mesh->vertex_count, TARGET_VERTICES);
    add(json, "],\"buffers\":[{\"byteLength\":%zu}]}", offset);
}

static void write_indices(FILE *stream, const uint32_t *indices, size_t count) {
    for (size_t i = 0; i < count && !ferror(stream); i++) sn_write_u32(stream, indices[i]);
}

/* Positions, indices, and what else vertices have: the second texture coordinate downward, and
   colours as light. */
static void write_buffer(FILE *stream, const sn_io_write_def *def, const sn_mesh *mesh) {
    for (size_t i = 0; i < mesh->vertex_count && !ferror(stream); i++) {
        sn_write_f32(stream, (float)mesh->positions[i].x);
        sn_write_f32(stream, (float)mesh->positions[i].y);
        sn_write_f32(stream, (float)mesh->positions[i].z);
    }
    write_indices(stream, (uint32_t *)mesh->triangles, 3 * mesh->triangle_count);
    write_indices(stream, (uint32_t *)mesh->lines, 2 * mesh->line_count);
    for (size_t i = 0; def->uvs && i < mesh->vertex_count && !ferror(stream); i++) {
        sn_write_f32(stream, (float)def->uvs[i][0]);
        sn_write_f32(stream, (float)(1 - (double)def->uvs[i][1]));
    }
    for (size_t i = 0; def->colours && i < mesh->vertex_count && !ferror(stream); i++) {
        sn_write_f32(stream, (float)sn_io_linear_of_srgb((double)def->colours[i].x));
        sn_write_f32(stream, (float)sn_io_linear_of_srgb((double)def->colours[i].y));
        sn_write_f32(stream, (float)sn_io_linear_of_srgb((double)def->colours[i].z));
    }
}

/* Groups, as weights that are 0 or 1; false without memory. */
static bool write_groups(FILE *stream, const sn_mesh *mesh) {
    if (mesh->group_count == 0) return true;
    uint8_t *is_member = malloc(mesh->vertex_count + 1);
    for (size_t i = 0; is_member && i < mesh->group_count; i++) {
        const sn_mesh_group *g = &mesh->groups[i];
        memset(is_member, 0, mesh->vertex_count + 1);
        for (size_t k = 0; k < g->count; k++) is_member[g->vertices[k]] = 1;
        for (size_t k = 0; k < mesh->vertex_count && !ferror(stream); k++)
            sn_write_f32(stream, is_member[k]);
    }
    free(is_member);
    return is_member != NULL;
}

sn_result sn_write_glb(const char *path, const sn_io_write_def *def, const sn_mesh *mesh) {
    sn_io_file file;
    uint64_t per_vertex =
        12 + (def->uvs ? 8u : 0u) + (def->colours ? 12u : 0u) + 4 * (uint64_t)mesh->group_count;
    uint64_t binary = per_vertex * (uint64_t)mesh->vertex_count +
                      12 * (uint64_t)mesh->triangle_count + 8 * (uint64_t)mesh->line_count;
    enum { START = 4096 };
    glb_text json = {.data = malloc(START), .room = START};
    make_json(&json, def, mesh);
    while (json.data && json.length % 4 != 0) add(&json, " ");
    bool made = json.data != NULL, fits = binary < UINT32_MAX - 64 - json.length;
    sn_result result = made ? SN_OK : sn_fail(SN_ERROR_MEMORY, "no memory for a glb");
    if (made && !fits)
        result = sn_fail(
            SN_ERROR_LIMIT,
            "cannot write \"%.256s\": the mesh takes more than the 4 GB that glb can have", path);
    if (result == SN_OK) result = sn_io_file_open(&file, path);
    if (result != SN_OK) {
        free(json.data);
        return result;
    }
    FILE *stream = file.stream;
    uint32_t total =
        (uint32_t)(HEAD + CHUNK_HEAD + json.length + (binary ? CHUNK_HEAD + binary : 0));
    fputs("glTF", stream);
    sn_write_u32(stream, 2);
    sn_write_u32(stream, total);
    sn_write_u32(stream, (uint32_t)json.length);
    fputs("JSON", stream);
    fwrite(json.data, 1, json.length, stream);
    free(json.data);
    if (binary > 0) {
        sn_write_u32(stream, (uint32_t)binary);
        fwrite("BIN", 1, 4, stream);
        write_buffer(stream, def, mesh);
        if (!write_groups(stream, mesh)) {
            sn_io_file_discard(&file);
            return sn_fail(SN_ERROR_MEMORY, "no memory for a glb");
        }
    }
    return sn_io_file_close(&file);
}
