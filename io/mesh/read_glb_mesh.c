/* The meshes of a GLB file: primitives of triangles, lines and points. */
#include "io/mesh/read_glb.h"

#include <math.h>
#include <string.h>

enum { POINTS, LINES, LINE_LOOP, LINE_STRIP, TRIANGLES, TRIANGLE_STRIP, TRIANGLE_FAN };

/* A mesh at its place in the scene. */
typedef struct glb_instance {
    glb_file *glb;
    const double *matrix;
    bool is_identity; /* nothing moves, zeros keep their signs */
    bool is_mirrored; /* triangles are turned round */
    bool has_group;
    uint32_t group;
    uint32_t *starts;
} glb_instance;

sn_result sn_glb_spend(glb_file *glb, const json_node *place, uint64_t count) {
    if (count > glb->budget)
        return sn_glb_fail(glb, place,
                           "the scene repeats its meshes until it is too large for its file");
    glb->budget -= count;
    return SN_OK;
}

/* ---- Vertices ---- */

static sn_result add_vertex(const glb_instance *instance, const glb_accessor *accessor,
                            const double x[3]) {
    const double *m = instance->matrix;
    double y[3];
    for (int k = 0; k < 3; k++)
        y[k] = instance->is_identity ? x[k]
                                     : m[k] * x[0] + m[4 + k] * x[1] + m[8 + k] * x[2] + m[12 + k];
    sn_vec3 position = {(sn_real)y[0], (sn_real)y[1], (sn_real)y[2]};
    if (!isfinite(position.x) || !isfinite(position.y) || !isfinite(position.z))
        return sn_glb_fail(instance->glb, accessor->place,
                           "a vertex is at %g %g %g, expected finite numbers", y[0], y[1], y[2]);
    return sn_io_build_vertex(instance->glb->build, position);
}

static sn_result add_group(const glb_instance *instance, uint32_t first, size_t count) {
    sn_io_build *build = instance->glb->build;
    build->corners.count = 0;
    SN_TRY(sn_io_build_list_reserve(build, &build->corners, count, sizeof(uint32_t)));
    uint32_t *vertices = build->corners.items;
    for (size_t i = 0; i < count; i++) vertices[i] = first + (uint32_t)i;
    return sn_io_build_members(build, instance->group, vertices, count);
}

/* Remembers where vertices came from, for those who move them. */
static sn_result add_part(const glb_instance *instance, const json_node *primitive, uint32_t first,
                          size_t count) {
    glb_file *glb = instance->glb;
    if (!glb->parts) return SN_OK;
    SN_TRY(sn_io_build_list_reserve(glb->build, glb->parts, 1, sizeof(glb_part)));
    ((glb_part *)glb->parts->items)[glb->parts->count++] =
        (glb_part){glb->node, primitive->parent->parent, primitive, first, count};
    return SN_OK;
}

/* Texture coordinates go down from the top of the picture in glTF. */
static sn_result add_uvs(const glb_instance *instance, const json_node *primitive, uint32_t first,
                         size_t count) {
    glb_file *glb = instance->glb;
    const json_node *node;
    glb_accessor accessor;
    if (!glb->build->wants_uvs) return SN_OK;
    SN_TRY(sn_glb_item(glb, sn_json_member(primitive, "attributes"), "TEXCOORD_0", glb->accessors,
                       &node));
    if (!node) return SN_OK;
    SN_TRY(sn_glb_accessor(glb, node, "VEC2", &accessor));
    if (accessor.count != count)
        return sn_glb_fail(glb, node, "%zu texture coordinates are for %zu vertices",
                           accessor.count, count);
    double *uvs = sn_io_allocate(&glb->build->allocator, count, 2 * sizeof *uvs);
    if (!uvs) return SN_ERROR_MEMORY;
    sn_result result = sn_glb_reals(glb, &accessor, uvs);
    for (size_t i = 0; result == SN_OK && i < count; i++)
        result =
            sn_io_build_set_uv(glb->build, first + (uint32_t)i, uvs[2 * i], 1 - uvs[2 * i + 1]);
    sn_io_free(&glb->build->allocator, uvs, count, 2 * sizeof *uvs);
    return result;
}

/* ---- Colours ---- */

/* The base colour of the material of a primitive, as light; white and false where it says none. */
static sn_result find_base(const glb_file *glb, const json_node *primitive, double base[4],
                           bool *has_base) {
    const json_node *material = NULL;
    for (int k = 0; k < 4; k++) base[k] = 1;
    if (glb->materials) SN_TRY(sn_glb_item(glb, primitive, "material", glb->materials, &material));
    const json_node *surface = material ? sn_json_member(material, "pbrMetallicRoughness") : NULL;
    *has_base = surface && sn_json_member(surface, "baseColorFactor");
    return *has_base ? sn_glb_numbers(glb, surface, "baseColorFactor", 4, base) : SN_OK;
}

/* Those of vertices, times the base colour: whole numbers stand for 0 to 1. */
static sn_result add_colours(const glb_instance *instance, const json_node *primitive,
                             uint32_t first, size_t count) {
    glb_file *glb = instance->glb;
    const json_node *node;
    glb_accessor accessor;
    double base[4];
    bool has_base;
    if (!glb->build->wants_colours) return SN_OK;
    SN_TRY(sn_glb_item(glb, sn_json_member(primitive, "attributes"), "COLOR_0", glb->accessors,
                       &node));
    if (!node) return SN_OK;
    glb->build->has_vertex_colours = true;
    const json_node *type = sn_json_member(node, "type");
    bool four = type && type->kind == JSON_STRING && strcmp(type->text, "VEC4") == 0;
    SN_TRY(sn_glb_accessor(glb, node, four ? "VEC4" : "VEC3", &accessor));
    SN_TRY(find_base(glb, primitive, base, &has_base));
    accessor.is_normalized = true;
    if (accessor.count != count)
        return sn_glb_fail(glb, node, "%zu colours are for %zu vertices", accessor.count, count);
    size_t width = accessor.components;
    double *own = sn_io_allocate(&glb->build->allocator, count, width * sizeof *own);
    if (!own) return SN_ERROR_MEMORY;
    sn_result result = sn_glb_reals(glb, &accessor, own);
    for (size_t i = 0; result == SN_OK && i < count; i++) {
        double light[3];
        for (size_t k = 0; k < 3; k++) light[k] = base[k] * own[width * i + k];
        result = sn_io_build_set_light(glb->build, first + (uint32_t)i, light);
    }
    sn_io_free(&glb->build->allocator, own, count, width * sizeof *own);
    return result;
}

/* The base colour alone, for the corners of a primitive: others may share its vertices. */
static sn_result add_base(const glb_file *glb, const json_node *primitive, const uint32_t *corners,
                          size_t count) {
    double base[4];
    bool has_base;
    if (!glb->build->wants_colours) return SN_OK;
    SN_TRY(find_base(glb, primitive, base, &has_base));
    for (size_t i = 0; has_base && i < count; i++)
        SN_TRY(sn_io_build_set_light(glb->build, corners[i], base));
    return SN_OK;
}

/* The positions of an accessor, which several primitives may share. */
static sn_result add_positions(const glb_instance *instance, const json_node *primitive,
                               const json_node *node, uint32_t *first, size_t *count) {
    glb_file *glb = instance->glb;
    sn_io_build *build = glb->build;
    glb_accessor accessor;
    SN_TRY(sn_glb_accessor(glb, node, "VEC3", &accessor));
    *count = accessor.count;
    uint32_t *start = &instance->starts[node->index];
    if (*start > 0) {
        *first = *start - 1;
        return SN_OK;
    }
    SN_TRY(sn_glb_spend(glb, node, accessor.count));
    *first = (uint32_t)build->mesh.vertex_count;
    *start = *first + 1;
    double *x = sn_io_allocate(&build->allocator, accessor.count, 3 * sizeof *x);
    if (!x) return SN_ERROR_MEMORY;
    sn_result result = sn_glb_reals(glb, &accessor, x);
    for (size_t i = 0; result == SN_OK && i < accessor.count; i++)
        result = add_vertex(instance, &accessor, x + 3 * i);
    sn_io_free(&build->allocator, x, accessor.count, 3 * sizeof *x);
    if (result == SN_OK && instance->has_group)
        result = add_group(instance, *first, accessor.count);
    if (result == SN_OK) result = sn_glb_groups(glb, primitive, *first, accessor.count);
    if (result == SN_OK) result = add_uvs(instance, primitive, *first, accessor.count);
    if (result == SN_OK) result = add_colours(instance, primitive, *first, accessor.count);
    return result == SN_OK ? add_part(instance, primitive, *first, accessor.count) : result;
}

/* ---- Elements ---- */

static sn_result add_triangle(const glb_instance *instance, uint32_t a, uint32_t b, uint32_t c) {
    sn_io_build *build = instance->glb->build;
    return instance->is_mirrored ? sn_io_build_triangle(build, a, c, b)
                                 : sn_io_build_triangle(build, a, b, c);
}

/* Elements of a mode over corners, a list of indices or all vertices in their order. */
static sn_result add_elements(const glb_instance *instance, uint64_t mode, const uint32_t *v,
                              size_t count) {
    sn_io_build *build = instance->glb->build;
    for (size_t i = 1; mode == LINES && i < count; i += 2)
        SN_TRY(sn_io_build_line(build, v[i - 1], v[i]));
    for (size_t i = 1; (mode == LINE_STRIP || mode == LINE_LOOP) && i < count; i++)
        SN_TRY(sn_io_build_line(build, v[i - 1], v[i]));
    if (mode == LINE_LOOP && count > 2) SN_TRY(sn_io_build_line(build, v[count - 1], v[0]));
    for (size_t i = 2; mode == TRIANGLES && i < count; i += 3)
        SN_TRY(add_triangle(instance, v[i - 2], v[i - 1], v[i]));
    for (size_t i = 2; mode == TRIANGLE_STRIP && i < count; i++)
        SN_TRY(add_triangle(instance, v[i - 2 + i % 2], v[i - 1 - i % 2], v[i]));
    for (size_t i = 2; mode == TRIANGLE_FAN && i < count; i++)
        SN_TRY(add_triangle(instance, v[0], v[i - 1], v[i]));
    return SN_OK;
}

static sn_result check_count(const glb_file *glb, const json_node *primitive, uint64_t mode,
                             size_t count) {
    size_t rest = mode == TRIANGLES ? count % 3 : mode == LINES ? count % 2 : 0;
    if (rest == 0) return SN_OK;
    return sn_glb_fail(glb, primitive, "it has %zu corners, expected a multiple of %d", count,
                       mode == LINES ? 2 : 3);
}

static sn_result add_primitive(const glb_instance *instance, const json_node *primitive) {
    glb_file *glb = instance->glb;
    sn_io_build *build = glb->build;
    const json_node *positions, *indices;
    uint64_t mode = TRIANGLES;
    uint32_t first;
    size_t vertices, count;
    SN_TRY(sn_glb_integer(glb, primitive, "mode", TRIANGLE_FAN, &mode));
    SN_TRY(sn_glb_item(glb, sn_json_member(primitive, "attributes"), "POSITION", glb->accessors,
                       &positions));
    if (!positions) return sn_glb_fail(glb, primitive, "it has no attribute POSITION");
    SN_TRY(add_positions(instance, primitive, positions, &first, &vertices));
    SN_TRY(sn_glb_item(glb, primitive, "indices", glb->accessors, &indices));
    glb_accessor accessor;
    if (indices) SN_TRY(sn_glb_accessor(glb, indices, "SCALAR", &accessor));
    count = indices ? accessor.count : vertices;
    SN_TRY(check_count(glb, primitive, mode, count));
    SN_TRY(sn_glb_spend(glb, primitive, count));
    uint32_t *corners = sn_io_allocate(&build->allocator, count, sizeof *corners);
    if (!corners) return SN_ERROR_MEMORY;
    sn_result result = indices ? sn_glb_indices(glb, &accessor, vertices, corners) : SN_OK;
    for (size_t i = 0; result == SN_OK && i < count; i++)
        corners[i] = (indices ? corners[i] : (uint32_t)i) + first;
    if (result == SN_OK) result = add_base(glb, primitive, corners, count);
    if (result == SN_OK) result = add_elements(instance, mode, corners, count);
    if (result == SN_OK) result = sn_glb_give_look(glb, primitive);
    sn_io_free(&build->allocator, corners, count, sizeof *corners);
    return result;
}

/* Sets the starts of the positions of all primitives back. */
static void forget_starts(const glb_file *glb, const json_node *primitives, uint32_t *starts) {
    for (size_t i = 0; i < primitives->count; i++) {
        const json_node *accessor;
        const json_node *attributes = sn_json_member(&primitives->items[i], "attributes");
        if (sn_glb_item(glb, attributes, "POSITION", glb->accessors, &accessor) == SN_OK &&
            accessor)
            starts[accessor->index] = 0;
    }
}

sn_result sn_glb_mesh(glb_file *glb, const json_node *mesh, const double matrix[16],
                      const json_node *name, uint32_t *starts) {
    const double *m = matrix;
    double determinant = m[0] * (m[5] * m[10] - m[9] * m[6]) - m[4] * (m[1] * m[10] - m[9] * m[2]) +
                         m[8] * (m[1] * m[6] - m[5] * m[2]);
    glb_instance instance = {
        .glb = glb, .matrix = matrix, .is_mirrored = determinant < 0, .starts = starts};
    instance.is_identity = true;
    for (int i = 0; i < 16; i++) instance.is_identity &= m[i] == (i % 5 == 0 ? 1 : 0);
    const json_node *primitives = sn_json_member(mesh, "primitives");
    if (!primitives || primitives->kind != JSON_ARRAY)
        return sn_glb_fail(glb, mesh, "it has no array primitives");
    if (name && name->kind == JSON_STRING && name->count > 0) {
        instance.has_group = true;
        SN_TRY(sn_io_build_group(glb->build, name->text, name->count, &instance.group));
    }
    for (size_t i = 0; i < primitives->count; i++)
        SN_TRY(add_primitive(&instance, &primitives->items[i]));
    forget_starts(glb, primitives, starts);
    return SN_OK;
}
