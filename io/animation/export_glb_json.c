/* The JSON of a glTF file, from its plan. */
#include "io/animation/export_glb.h"
#include "io/animation/export_look.h"
#include "io/mesh/image.h"

#include <stdlib.h>

/* ---- Texts ---- */

/* How many bytes the character has that begins here, in UTF-8; 0 for what is none. */
static size_t character_size(const uint8_t *c) {
    size_t size = c[0] < 0x80 ? 1 : c[0] < 0xc2 ? 0 : c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : 4;
    if (c[0] > 0xf4) return 0;
    for (size_t i = 1; i < size; i++)
        if ((c[i] & 0xc0) != 0x80) return 0;
    /* Longer than needed, half of a pair, or beyond the last. */
    if ((c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xed && c[1] > 0x9f) ||
        (c[0] == 0xf0 && c[1] < 0x90) || (c[0] == 0xf4 && c[1] > 0x8f))
        return 0;
    return size;
}

static void write_quoted(sn_io_out *out, const char *text) {
    const uint8_t *c = (const uint8_t *)text;
    while (*c) {
        size_t size = character_size(c);
        if (size == 0 || *c < ' ') {
            sn_io_out_text(out, "?");
            c++;
            continue;
        }
        if (*c == '"' || *c == '\\') sn_io_out_text(out, "\\");
        sn_io_out_bytes(out, c, size);
        c += size;
    }
}

static void write_comma(sn_io_out *out, bool needed) {
    sn_io_out_text(out, needed ? ",\n" : "\n");
}

static void write_names(sn_io_out *out, const sn_io_segment *s) {
    sn_io_out_text(out, "\"name\":\"");
    write_quoted(out, s->shape);
    if (!s->is_first) sn_io_out_printf(out, "_%04d", s->samples[0].number);
    sn_io_out_text(out, "\"");
}

/* ---- Nodes and meshes ---- */

/* Where a rigid body is, at first or always. */
static void write_pose(sn_io_out *out, const sn_io_pose *pose) {
    sn_quat q = pose->orientation;
    sn_io_out_vec3(out, ",\"translation\":[", ",", "]", pose->position);
    sn_io_out_vec3(out, ",\"rotation\":[", ",", ",", (sn_vec3){q.x, q.y, q.z});
    sn_io_out_real(out, q.w);
    sn_io_out_text(out, "]");
}

static void write_scene(const glb_plan *plan, sn_io_out *out) {
    sn_io_out_text(out, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"Sinew\"}");
    if (plan->node_count == 0) return;
    sn_io_out_text(out, ",\n\"scene\":0,\n\"scenes\":[{\"nodes\":[");
    for (size_t i = 0; i < plan->node_count; i++) sn_io_out_printf(out, i > 0 ? ",%zu" : "%zu", i);
    sn_io_out_text(out, "]}],\n\"nodes\":[");
    for (size_t i = 0; i < plan->node_count; i++) {
        write_comma(out, i > 0);
        sn_io_out_text(out, "{");
        write_names(out, plan->nodes[i].segment);
        const glb_node *node = &plan->nodes[i];
        if (node->segment->is_rigid) write_pose(out, &node->segment->samples[node->keys[0]].pose);
        sn_io_out_printf(out, ",\"mesh\":%zu}", i);
    }
    sn_io_out_text(out, "]");
}

/* ---- Materials ---- */

/* Which of the images of the file a surface has: its own, or that of one before it. */
static size_t image_of(const glb_plan *plan, const glb_node *node, const sn_io_surface *surface) {
    size_t index = 0, owner = 0;
    const sn_io_surfaces *all = &node->segment->surfaces;
    for (const glb_node *n = plan->nodes; n < node; n++)
        index += sn_io_glb_image_count(n, n->segment->surfaces.count);
    while (all->items[owner].own != surface->texture) owner++;
    return index + sn_io_glb_image_count(node, owner);
}

/*
 * Where an image lies: the second texture coordinate of the file is 1 - v, so the image of v / size
 * is that of (1 - v) / size - 1 / size.
 */
static void write_texture(size_t index, const sn_io_surface *surface, sn_io_out *out) {
    sn_io_out_printf(out, "\"baseColorTexture\":{\"index\":%zu", index);
    if (surface->texture_size != 1) {
        sn_real scale = (sn_real)(1 / (double)surface->texture_size);
        sn_io_out_text(out, ",\"extensions\":{\"KHR_texture_transform\":{\"offset\":[0,");
        sn_io_out_real(out, -scale);
        sn_io_out_text(out, "],\"scale\":[");
        sn_io_out_real(out, scale);
        sn_io_out_text(out, ",");
        sn_io_out_real(out, scale);
        sn_io_out_text(out, "]}}");
    }
    sn_io_out_text(out, "},");
}

/* The images, a texture of each, and the extension where one needs it. */
static void write_images(const glb_plan *plan, sn_io_out *out) {
    size_t count = 0;
    bool moved = false;
    for (const glb_node *node = plan->nodes; node < plan->nodes + plan->node_count; node++)
        for (size_t k = 0; k < node->segment->surfaces.count; k++) {
            const sn_io_surface *s = &node->segment->surfaces.items[k];
            moved = moved || (s->texture && s->texture_size != 1);
            if (!s->own) continue;
            sn_io_out_text(out, count++ > 0 ? "," : ",\n\"images\":[");
            sn_io_out_printf(out, "{\"bufferView\":%zu,\"mimeType\":\"image/%s\"}",
                             sn_io_glb_view(node, GLB_TEXTURE) + sn_io_glb_image_count(node, k),
                             sn_io_image_word(s->own, s->texture_bytes));
        }
    for (size_t i = 0; i < count; i++)
        sn_io_out_printf(out, "%s{\"source\":%zu}", i > 0 ? "," : "],\n\"textures\":[", i);
    if (count > 0) sn_io_out_text(out, "]");
    if (moved) sn_io_out_text(out, ",\n\"extensionsUsed\":[\"KHR_texture_transform\"]");
}

/* How a surface is lit: as its file said, or as cloth is. */
static void write_light(const sn_io_surface *s, sn_io_out *out) {
    sn_io_out_text(out, "\"metallicFactor\":0,\"roughnessFactor\":");
    if (s->name)
        sn_io_out_real(out, s->roughness);
    else
        sn_io_out_text(out, "0.8");
    sn_io_out_text(out, s->name && s->opacity < 1 ? "},\"alphaMode\":\"BLEND\"}" : "}}");
}

static void write_material(const glb_plan *plan, const glb_node *node, const sn_io_surface *s,
                           sn_io_out *out) {
    sn_io_out_text(out, ",\n{\"name\":\"");
    write_quoted(out, s->name ? s->name : node->segment->shape);
    sn_io_out_text(out, "\",\"doubleSided\":true,\"pbrMetallicRoughness\":{");
    sn_vec3 colour = s->is_coloured ? sn_io_linear_colour(s->colour) : (sn_vec3){1, 1, 1};
    bool clear = s->name && s->opacity < 1;
    if (s->is_coloured || clear) {
        sn_io_out_vec3(out, "\"baseColorFactor\":[", ",", ",", colour);
        sn_io_out_real(out, clear ? s->opacity : 1);
        sn_io_out_text(out, "],");
    }
    if (s->texture) write_texture(image_of(plan, node, s), s, out);
    write_light(s, out);
}

static void write_materials(const glb_plan *plan, sn_io_out *out) {
    sn_io_out_text(out, ",\n\"materials\":[{\"name\":\"surface\",\"doubleSided\":true,"
                        "\"pbrMetallicRoughness\":{\"metallicFactor\":0,"
                        "\"roughnessFactor\":0.8}}");
    for (const glb_node *node = plan->nodes; node < plan->nodes + plan->node_count; node++)
        for (size_t k = 0; k < node->segment->surfaces.count; k++)
            if (sn_io_glb_is_painted(node->segment, k))
                write_material(plan, node, &node->segment->surfaces.items[k], out);
    sn_io_out_text(out, "]");
    write_images(plan, out);
}

/* The material of a surface of a node: the first, or its own where it has one. */
static size_t material_of(const glb_plan *plan, const glb_node *node, size_t surface) {
    size_t material = 0;
    if (!sn_io_glb_is_painted(node->segment, surface)) return 0;
    for (const glb_node *n = plan->nodes; n <= node; n++)
        for (size_t k = 0; k < (n < node ? n->segment->surfaces.count : surface + 1); k++)
            material += sn_io_glb_is_painted(n->segment, k);
    return material;
}

/* What a primitive has besides its vertices: triangles of a surface, lines, or points where it has
   neither. */
static void write_primitive(const glb_plan *plan, const glb_node *node, glb_block elements,
                            size_t surface, size_t indices, sn_io_out *out) {
    bool smooth = elements == GLB_TRIANGLES;
    int mode = smooth ? 4 : elements == GLB_LINES ? 1 : 0;
    sn_io_out_printf(out, "{\"attributes\":{\"POSITION\":%zu",
                     sn_io_glb_accessor(node, GLB_POSITIONS));
    if (smooth) sn_io_out_printf(out, ",\"NORMAL\":%zu", sn_io_glb_accessor(node, GLB_NORMALS));
    if (node->segment->uvs)
        sn_io_out_printf(out, ",\"TEXCOORD_0\":%zu", sn_io_glb_accessor(node, GLB_UVS));
    if (node->segment->shows_colours && !node->segment->surfaces.items[surface].is_coloured)
        sn_io_out_printf(out, ",\"COLOR_0\":%zu", sn_io_glb_accessor(node, GLB_COLOURS));
    for (size_t i = 0; i < node->segment->groups.count; i++) {
        sn_io_out_text(out, ",\"_");
        write_quoted(out, node->segment->groups.names[i]);
        sn_io_out_printf(out, "\":%zu", sn_io_glb_accessor(node, GLB_GROUPS) + i);
    }
    sn_io_out_printf(out, "},\"material\":%zu,\"mode\":%d", material_of(plan, node, surface), mode);
    if (mode > 0)
        sn_io_out_printf(out, ",\"indices\":%zu", sn_io_glb_accessor(node, elements) + indices);
    size_t positions = sn_io_glb_accessor(node, GLB_TARGET_POSITIONS);
    size_t normals = sn_io_glb_accessor(node, GLB_TARGET_NORMALS);
    for (size_t i = 0; i < node->target_count; i++) {
        sn_io_out_text(out, i > 0 ? "," : ",\"targets\":[");
        sn_io_out_printf(out, "{\"POSITION\":%zu", positions + i);
        if (smooth) sn_io_out_printf(out, ",\"NORMAL\":%zu", normals + i);
        sn_io_out_text(out, "}");
    }
    sn_io_out_text(out, node->target_count > 0 ? "]}" : "}");
}

static void write_primitives(const glb_plan *plan, const glb_node *node, sn_io_out *out) {
    const sn_io_segment *s = node->segment;
    size_t written = 0;
    for (size_t k = 0; k < s->surfaces.count; k++) {
        if (sn_io_surface_triangles(&s->surfaces, k) == 0) continue;
        sn_io_out_text(out, written > 0 ? "," : "");
        write_primitive(plan, node, GLB_TRIANGLES, k, written++, out);
    }
    if (written > 0 && s->line_count > 0) sn_io_out_text(out, ",");
    if (s->line_count > 0) write_primitive(plan, node, GLB_LINES, 0, 0, out);
    if (written == 0 && s->line_count == 0) write_primitive(plan, node, GLB_POSITIONS, 0, 0, out);
}

static void write_meshes(const glb_plan *plan, sn_io_out *out) {
    sn_io_out_text(out, ",\n\"meshes\":[");
    for (size_t i = 0; i < plan->node_count; i++) {
        const glb_node *node = &plan->nodes[i];
        write_comma(out, i > 0);
        sn_io_out_text(out, "{");
        write_names(out, node->segment);
        sn_io_out_text(out, ",\"primitives\":[");
        write_primitives(plan, node, out);
        sn_io_out_text(out, "]}");
    }
    sn_io_out_text(out, "]");
}

/* ---- The animation ---- */

static void write_sampler(sn_io_out *out, bool comma, const glb_node *node, glb_block input,
                          glb_block output, const char *how) {
    write_comma(out, comma);
    sn_io_out_printf(out, "{\"input\":%zu,\"output\":%zu,\"interpolation\":\"%s\"}",
                     sn_io_glb_accessor(node, input), sn_io_glb_accessor(node, output), how);
}

static void write_channel(sn_io_out *out, size_t sampler, size_t node, const char *path) {
    write_comma(out, sampler > 0);
    sn_io_out_printf(out, "{\"sampler\":%zu,\"target\":{\"node\":%zu,\"path\":\"%s\"}}", sampler,
                     node, path);
}

/* Weights lead from frame to frame; what comes and goes is scaled from and to nothing at once. */
static void write_animation(const glb_plan *plan, sn_io_out *out) {
    size_t count = 0;
    for (size_t i = 0; i < plan->node_count; i++) {
        const glb_node *node = &plan->nodes[i];
        if (count == 0 && (node->target_count > 0 || node->is_partial || node->is_moving))
            sn_io_out_text(out, ",\n\"animations\":[{\"name\":\"frames\",\"samplers\":[");
        if (node->target_count > 0)
            write_sampler(out, count++ > 0, node, GLB_TIMES, GLB_WEIGHTS, "LINEAR");
        if (node->is_partial)
            write_sampler(out, count++ > 0, node, GLB_SHOW_TIMES, GLB_SHOW_SCALES, "STEP");
        if (!node->is_moving) continue;
        write_sampler(out, count++ > 0, node, GLB_POSE_TIMES, GLB_PLACES, "LINEAR");
        write_sampler(out, count++ > 0, node, GLB_POSE_TIMES, GLB_TURNS, "LINEAR");
    }
    if (count == 0) return;
    sn_io_out_text(out, "],\"channels\":[");
    count = 0;
    for (size_t i = 0; i < plan->node_count; i++) {
        if (plan->nodes[i].target_count > 0) write_channel(out, count++, i, "weights");
        if (plan->nodes[i].is_partial) write_channel(out, count++, i, "scale");
        if (!plan->nodes[i].is_moving) continue;
        write_channel(out, count++, i, "translation");
        write_channel(out, count++, i, "rotation");
    }
    sn_io_out_text(out, "]}]");
}

/* ---- Accessors and views ---- */

static void write_bounds(sn_io_out *out, const sn_vec3 *values, const sn_vec3 *base, size_t count) {
    sn_vec3 least = {0, 0, 0}, most = {0, 0, 0};
    for (size_t i = 0; i < count; i++) {
        sn_vec3 x = base ? sn_io_glb_difference(values[i], base[i]) : values[i];
        if (i == 0 || x.x < least.x) least.x = x.x;
        if (i == 0 || x.y < least.y) least.y = x.y;
        if (i == 0 || x.z < least.z) least.z = x.z;
        if (i == 0 || x.x > most.x) most.x = x.x;
        if (i == 0 || x.y > most.y) most.y = x.y;
        if (i == 0 || x.z > most.z) most.z = x.z;
    }
    sn_io_out_vec3(out, ",\"min\":[", ",", "]", least);
    sn_io_out_vec3(out, ",\"max\":[", ",", "]", most);
}

static void write_accessor(sn_io_out *out, const glb_node *node, glb_block block, uint64_t offset,
                           size_t count, const char *type) {
    bool whole = block == GLB_TRIANGLES || block == GLB_LINES;
    write_comma(out, sn_io_glb_accessor(node, block) > 0 || offset > 0);
    sn_io_out_printf(out, "{\"bufferView\":%zu,\"componentType\":%d,\"count\":%zu,\"type\":\"%s\"",
                     sn_io_glb_view(node, block), whole ? 5125 : 5126, count, type);
    if (offset > 0) sn_io_out_printf(out, ",\"byteOffset\":%llu", (unsigned long long)offset);
}

static void write_times(sn_io_out *out, const glb_plan *plan, const glb_node *node,
                        glb_block block) {
    bool shows = block == GLB_SHOW_TIMES;
    const sn_io_sample *samples = node->segment->samples;
    size_t count = shows ? node->show_count : node->key_count;
    size_t first = shows ? plan->frames[node->shows[0]] : samples[node->keys[0]].frame;
    size_t last =
        shows ? plan->frames[node->shows[count - 1]] : samples[node->keys[count - 1]].frame;
    write_accessor(out, node, block, 0, count, "SCALAR");
    sn_io_out_text(out, ",\"min\":[");
    sn_io_out_real(out, (sn_real)plan->times[first]);
    sn_io_out_text(out, "],\"max\":[");
    sn_io_out_real(out, (sn_real)plan->times[last]);
    sn_io_out_text(out, "]}");
}

/* The accessors of positions, normals and targets; those of targets need the positions. */
static sn_result write_vectors(sn_io_out *out, const glb_plan *plan, const glb_node *node,
                               sn_vec3 *base, sn_vec3 *target) {
    const sn_io_segment *s = node->segment;
    SN_TRY(sn_io_segments_read(plan->segments, s, &s->samples[node->keys[0]], base));
    write_accessor(out, node, GLB_POSITIONS, 0, s->vertices, "VEC3");
    write_bounds(out, base, NULL, s->vertices);
    sn_io_out_text(out, "}");
    if (s->triangle_count > 0) {
        write_accessor(out, node, GLB_NORMALS, 0, s->vertices, "VEC3");
        sn_io_out_text(out, "}");
    }
    if (s->uvs) {
        write_accessor(out, node, GLB_UVS, 0, s->vertices, "VEC2");
        sn_io_out_text(out, "}");
    }
    if (s->shows_colours) {
        write_accessor(out, node, GLB_COLOURS, 0, s->vertices, "VEC3");
        sn_io_out_text(out, "}");
    }
    for (size_t i = 0; i < s->groups.count; i++) {
        write_accessor(out, node, GLB_GROUPS, 4 * (uint64_t)i * s->vertices, s->vertices, "SCALAR");
        sn_io_out_text(out, "}");
    }
    for (size_t k = 0; k < s->surfaces.count; k++) {
        size_t count = sn_io_surface_triangles(&s->surfaces, k);
        if (count == 0) continue;
        write_accessor(out, node, GLB_TRIANGLES, 12 * (uint64_t)s->surfaces.start[k], 3 * count,
                       "SCALAR");
        sn_io_out_text(out, "}");
    }
    if (s->line_count > 0) {
        write_accessor(out, node, GLB_LINES, 0, 2 * s->line_count, "SCALAR");
        sn_io_out_text(out, "}");
    }
    for (size_t i = 0; i < node->target_count; i++) {
        SN_TRY(sn_io_segments_read(plan->segments, s, &s->samples[node->targets[i]], target));
        write_accessor(out, node, GLB_TARGET_POSITIONS, 12 * (uint64_t)i * s->vertices, s->vertices,
                       "VEC3");
        write_bounds(out, target, base, s->vertices);
        sn_io_out_text(out, "}");
    }
    for (size_t i = 0; s->triangle_count > 0 && i < node->target_count; i++) {
        write_accessor(out, node, GLB_TARGET_NORMALS, 12 * (uint64_t)i * s->vertices, s->vertices,
                       "VEC3");
        sn_io_out_text(out, "}");
    }
    return SN_OK;
}

static sn_result write_accessors(const glb_plan *plan, sn_io_out *out) {
    sn_io_out_text(out, ",\n\"accessors\":[");
    for (size_t i = 0; i < plan->node_count; i++) {
        const glb_node *node = &plan->nodes[i];
        sn_vec3 *base = malloc(node->segment->vertices * sizeof *base);
        sn_vec3 *target = malloc(node->segment->vertices * sizeof *target);
        sn_result result = base && target ? write_vectors(out, plan, node, base, target)
                                          : sn_io_export_no_memory();
        free(base);
        free(target);
        if (result != SN_OK) return result;
        if (node->target_count > 0) {
            write_times(out, plan, node, GLB_TIMES);
            write_accessor(out, node, GLB_WEIGHTS, 0, node->target_count * node->key_count,
                           "SCALAR");
            sn_io_out_text(out, "}");
        }
        if (node->is_partial) {
            write_times(out, plan, node, GLB_SHOW_TIMES);
            write_accessor(out, node, GLB_SHOW_SCALES, 0, node->show_count, "VEC3");
            sn_io_out_text(out, "}");
        }
        if (node->is_moving) {
            write_times(out, plan, node, GLB_POSE_TIMES);
            write_accessor(out, node, GLB_PLACES, 0, node->key_count, "VEC3");
            sn_io_out_text(out, "}");
            write_accessor(out, node, GLB_TURNS, 0, node->key_count, "VEC4");
            sn_io_out_text(out, "}");
        }
    }
    sn_io_out_text(out, "]");
    return SN_OK;
}

static void write_view(sn_io_out *out, uint64_t offset, uint64_t size, glb_block block) {
    write_comma(out, offset > 0);
    sn_io_out_printf(out, "{\"buffer\":0,\"byteOffset\":%llu,\"byteLength\":%llu",
                     (unsigned long long)offset, (unsigned long long)size);
    /* Whether it is of vertices or of indices; targets share their view. */
    if (block == GLB_TRIANGLES || block == GLB_LINES)
        sn_io_out_text(out, ",\"target\":34963");
    else if (block <= GLB_TARGET_NORMALS)
        sn_io_out_printf(out, ",\"byteStride\":%d,\"target\":34962",
                         block == GLB_UVS      ? 8
                         : block == GLB_GROUPS ? 4
                                               : 12);
    sn_io_out_text(out, "}");
}

static void write_views(const glb_plan *plan, sn_io_out *out) {
    uint64_t offset = 0;
    sn_io_out_text(out, ",\n\"bufferViews\":[");
    for (const glb_node *node = plan->nodes; node < plan->nodes + plan->node_count; node++) {
        for (int b = 0; b < GLB_TEXTURE; b++) {
            uint64_t size = sn_io_glb_block_size(node, (glb_block)b);
            if (size > 0) write_view(out, offset, size, (glb_block)b);
            offset += size;
        }
        const sn_io_surfaces *surfaces = &node->segment->surfaces;
        for (size_t k = 0; k < surfaces->count; k++)
            if (surfaces->items[k].own)
                write_view(out, offset + sn_io_glb_image_place(node, k),
                           surfaces->items[k].texture_bytes, GLB_TEXTURE);
        offset += sn_io_glb_image_place(node, surfaces->count);
    }
    sn_io_out_printf(out, "],\n\"buffers\":[{\"byteLength\":%llu}]", (unsigned long long)offset);
}

sn_result sn_io_glb_write_json(const glb_plan *plan, sn_io_out *out) {
    write_scene(plan, out);
    if (plan->node_count > 0) {
        write_materials(plan, out);
        write_meshes(plan, out);
        write_animation(plan, out);
        SN_TRY(write_accessors(plan, out));
        write_views(plan, out);
    }
    sn_io_out_text(out, "}");
    return SN_OK;
}
