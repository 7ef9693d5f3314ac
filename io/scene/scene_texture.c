/* Images that bodies and colliders are drawn with: PNG and JPEG files, kept as they are; and
   materials of the files of their meshes. */
#include "io/scene/scene_state.h"

#include "io/mesh/image.h"

#include <sinew_io/file.h>

#include <stdlib.h>
#include <string.h>

/* Bodies often share one, and then the bytes too. */
static const uint8_t *find_same(const sn_scene *s, const char *data, size_t size) {
    for (size_t i = 0; i < s->bodies.count; i++) {
        const sn_io_look *look = &s->bodies.items[i].look;
        if (look->texture_bytes && look->texture_byte_count == size &&
            memcmp(look->texture_bytes, data, size) == 0)
            return look->texture_bytes;
    }
    return NULL;
}

static sn_result keep(sn_scene *s, const json_node *node, const char *data, size_t size,
                      sn_io_look *look) {
    if (sn_io_image_kind(data, size) == IMAGE_NONE)
        return sn_scene_complain(&s->reader, node,
                                 "the file is neither PNG nor baseline or progressive JPEG");
    if (size > SN_IO_TEXTURE_BYTES)
        return sn_scene_complain(&s->reader, node, "the file has %zu bytes, expected at most %d",
                                 size, SN_IO_TEXTURE_BYTES);
    look->texture_bytes = find_same(s, data, size);
    look->texture_byte_count = size;
    if (look->texture_bytes) return SN_OK;
    uint8_t *own = sn_scene_take(s, size, 1);
    if (!own) return SN_ERROR_MEMORY;
    memcpy(own, data, size);
    look->texture_bytes = own;
    return SN_OK;
}

sn_result sn_scene_read_texture(sn_scene *s, const json_node *owner, const char *name,
                                sn_io_look *look) {
    char *path, *data;
    size_t size;
    const json_node *node = sn_json_member(owner, "texture");
    if (!node || !name || !*name) return SN_OK;
    SN_TRY(sn_scene_find_file(s, node, sn_scene_folder_of(&s->reader, owner), name, &path));
    if (sn_io_file_read("the texture", path, &data, &size) != SN_OK)
        return sn_scene_complain_within(&s->reader, node);
    sn_result result = keep(s, node, data, size, look);
    free(data);
    return result;
}

void sn_scene_keep_materials(sn_io_materials *read, scene_mesh *made) {
    made->own = *read;
    *read = (sn_io_materials){0};
    if (made->own.count > 1) made->materials = &made->own;
    if (made->own.count != 1) return;
    made->look = &made->own.looks[0];
    /* One colour for all need not be that of every vertex. */
    if (made->look->colour.x == SN_AUTO) return;
    free(made->colours);
    made->colours = NULL;
}

void sn_scene_apply_material(const sn_io_look *own, bool has_uvs, sn_io_look *look) {
    const sn_io_look standard = sn_io_look_default();
    if (!own) return;
    bool said = look->colour.x != SN_AUTO || look->texture_bytes;
    look->material = own->material;
    if (look->opacity == standard.opacity) look->opacity = own->opacity;
    if (look->roughness == standard.roughness) look->roughness = own->roughness;
    if (said) return;
    look->colour = own->colour;
    if (!has_uvs || !own->texture_bytes) return;
    look->texture_bytes = own->texture_bytes;
    look->texture_byte_count = own->texture_byte_count;
    look->texture_size = 1;
}

sn_result sn_scene_apply_materials(sn_scene *s, const sn_io_materials *materials, bool has_uvs,
                                   const sn_io_look *look, const sn_io_look **out) {
    if (!materials) return SN_OK;
    sn_io_look *looks = sn_scene_take(s, materials->count, sizeof *looks);
    if (!looks) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < materials->count; i++) {
        looks[i] = *look;
        sn_scene_apply_material(&materials->looks[i], has_uvs, &looks[i]);
    }
    *out = looks;
    return SN_OK;
}

void sn_scene_show_materials(const sn_io_materials *materials, const sn_io_look *looks,
                             sn_io_shape *view) {
    bool fits = materials && looks && view->triangle_count == materials->triangle_count;
    view->material_count = fits ? materials->count : 0;
    view->materials = fits ? looks : NULL;
    view->triangle_materials = fits ? materials->triangles : NULL;
}
