#include "io/mesh/image.h"
#include "io/mesh/read_glb.h"
#include "io/mesh/read_material.h"
#include "io/mesh/srgb.h"

#include <sinew_io/file.h>

#include <stdlib.h>
#include <string.h>

/* The material that all primitives have; null where they differ, or have none. */
static sn_result find_only(const glb_file *glb, const json_node **only, bool *has_colours) {
    bool first = true;
    *only = NULL;
    *has_colours = false;
    for (size_t i = 0; glb->meshes && i < glb->meshes->count; i++) {
        const json_node *list = sn_json_member(&glb->meshes->items[i], "primitives");
        for (size_t k = 0; list && list->kind == JSON_ARRAY && k < list->count; k++) {
            const json_node *material, *attributes = sn_json_member(&list->items[k], "attributes");
            SN_TRY(sn_glb_item(glb, &list->items[k], "material", glb->materials, &material));
            *has_colours |= attributes && sn_json_member(attributes, "COLOR_0");
            if (!first && material != *only) {
                *only = NULL;
                return SN_OK;
            }
            *only = material;
            first = false;
        }
    }
    return SN_OK;
}

/* The image of the base colour; null where it is none that can be drawn. */
static sn_result find_image(const glb_file *glb, const json_node *surface, const char **bytes,
                            size_t *size) {
    const json_node *root = glb->document.root, *textures, *images, *texture, *image = NULL;
    const json_node *base = sn_json_member(surface, "baseColorTexture");
    *bytes = NULL;
    if (!base) return SN_OK;
    SN_TRY(sn_glb_list(glb, root, "textures", &textures));
    SN_TRY(sn_glb_list(glb, root, "images", &images));
    SN_TRY(sn_glb_item(glb, base, "index", textures, &texture));
    if (texture) SN_TRY(sn_glb_item(glb, texture, "source", images, &image));
    if (!image || !sn_json_member(image, "bufferView")) return SN_OK;
    SN_TRY(sn_glb_view_bytes(glb, image, bytes, size));
    if (!*bytes || *size > SN_IO_TEXTURE_BYTES || sn_io_image_kind(*bytes, *size) == IMAGE_NONE)
        *bytes = NULL;
    return SN_OK;
}

static sn_vec3 srgb_of(const double light[3]) {
    return (sn_vec3){(sn_real)sn_io_srgb_of_linear(light[0]),
                     (sn_real)sn_io_srgb_of_linear(light[1]),
                     (sn_real)sn_io_srgb_of_linear(light[2])};
}

static sn_result read_number(const glb_file *glb, const json_node *node, const char *key,
                             sn_real *value) {
    const json_node *member = sn_json_member(node, key);
    if (!member) return SN_OK;
    if (member->kind != JSON_NUMBER || !(member->number >= 0 && member->number <= 1))
        return sn_glb_fail(glb, member, "expected a number from 0 to 1");
    *value = (sn_real)member->number;
    return SN_OK;
}

static sn_result fill(const glb_file *glb, const json_node *from, sn_read_material *m) {
    const json_node *surface = sn_json_member(from, "pbrMetallicRoughness");
    const json_node *name = sn_json_member(from, "name");
    const json_node *mode = sn_json_member(from, "alphaMode");
    if (name && name->kind == JSON_STRING)
        for (size_t i = 0; i < sizeof m->name - 1 && name->text[i]; i++) m->name[i] = name->text[i];
    if (!surface) return SN_OK;
    double base[4] = {1, 1, 1, 1};
    bool has_base = sn_json_member(surface, "baseColorFactor") != NULL;
    SN_TRY(sn_glb_numbers(glb, surface, "baseColorFactor", 4, base));
    bool clear = mode && mode->kind == JSON_STRING && strcmp(mode->text, "BLEND") == 0;
    if (has_base) m->look.colour = srgb_of(base);
    if (clear && base[3] >= 0 && base[3] <= 1) m->look.opacity = (sn_real)base[3];
    SN_TRY(read_number(glb, surface, "roughnessFactor", &m->look.roughness));
    const char *bytes;
    size_t size;
    SN_TRY(find_image(glb, surface, &bytes, &size));
    if (!bytes) return SN_OK;
    m->texture = malloc(size);
    if (!m->texture) return sn_fail(SN_ERROR_MEMORY, "there is no memory for a texture");
    memcpy(m->texture, bytes, size);
    m->look.texture_bytes = m->texture;
    m->look.texture_byte_count = size;
    return SN_OK;
}

static bool has_ending(const char *path, const char *ending) {
    size_t length = strlen(path), end = strlen(ending);
    return length >= end && strcmp(path + length - end, ending) == 0;
}

sn_result sn_read_material_of(const char *path, sn_read_material *material, bool *found) {
    *material = (sn_read_material){.look = sn_io_look_default()};
    *found = false;
    if (!has_ending(path, ".glb") && !has_ending(path, ".gltf")) return SN_OK;
    char *data;
    size_t size;
    SN_TRY(sn_io_file_read("the mesh", path, &data, &size));
    const sn_source source = {.name = path, .path = path, .data = data, .size = size};
    sn_io_build build = {
        .mesh = sn_mesh_default(), .allocator = sn_allocator_default(), .wants_colours = true};
    glb_file glb;
    const json_node *only = NULL;
    sn_result result = sn_glb_begin(&glb, &source, &build);
    if (result == SN_OK) result = find_only(&glb, &only, &material->has_colours);
    if (result == SN_OK && only) result = fill(&glb, only, material);
    *found = result == SN_OK && only;
    sn_glb_end(&glb);
    sn_io_build_free(&build);
    free(data);
    if (!*found) free(material->texture);
    return result;
}
