#include "io/mesh/image.h"
#include "io/mesh/read_glb.h"
#include "io/mesh/srgb.h"

#include <string.h>

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

static sn_result read_look(const glb_file *glb, const json_node *from, sn_io_look *look) {
    const json_node *surface = sn_json_member(from, "pbrMetallicRoughness");
    const json_node *mode = sn_json_member(from, "alphaMode");
    if (!surface) return SN_OK;
    double base[4] = {1, 1, 1, 1};
    bool has_base = sn_json_member(surface, "baseColorFactor") != NULL;
    SN_TRY(sn_glb_numbers(glb, surface, "baseColorFactor", 4, base));
    bool clear = mode && mode->kind == JSON_STRING && strcmp(mode->text, "BLEND") == 0;
    if (has_base) look->colour = srgb_of(base);
    if (clear && base[3] >= 0 && base[3] <= 1) look->opacity = (sn_real)base[3];
    SN_TRY(read_number(glb, surface, "roughnessFactor", &look->roughness));
    const char *bytes;
    size_t size = 0;
    SN_TRY(find_image(glb, surface, &bytes, &size));
    look->texture_bytes = (const uint8_t *)bytes;
    look->texture_byte_count = bytes ? size : 0;
    return SN_OK;
}

sn_result sn_glb_give_look(glb_file *glb, const json_node *primitive) {
    const json_node *material = NULL;
    uint32_t index = BUILD_PLAIN;
    if (!glb->build->wants_materials) return SN_OK;
    if (glb->materials) SN_TRY(sn_glb_item(glb, primitive, "material", glb->materials, &material));
    if (material && !sn_io_build_find_look(glb->build, material->index, &index)) {
        const json_node *name = sn_json_member(material, "name");
        bool named = name && name->kind == JSON_STRING;
        sn_io_look look = sn_io_look_default();
        SN_TRY(read_look(glb, material, &look));
        SN_TRY(sn_io_build_add_look(glb->build, material->index, &look, named ? name->text : "",
                                    named ? strlen(name->text) : 0, &index));
    }
    return sn_io_build_give_look(glb->build, index);
}
