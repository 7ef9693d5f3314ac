/* Images that bodies and colliders are drawn with: PNG and JPEG files, kept as they are; and
   materials of the files of their meshes. */
#include "io/scene/scene_state.h"

#include "io/mesh/image.h"
#include "io/mesh/read_material.h"

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
        return sn_scene_complain(&s->reader, node, "the file is neither PNG nor baseline JPEG");
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

/* Keeps what was read as long as the scene. */
static sn_result keep_material(sn_scene *s, const sn_read_material *read, scene_mesh *made) {
    sn_io_look *look = sn_scene_take(s, 1, sizeof *look);
    char *name = sn_scene_take(s, sizeof read->name, 1);
    uint8_t *bytes = sn_scene_take(s, read->look.texture_byte_count + 1, 1);
    if (!look || !name || !bytes) return SN_ERROR_MEMORY;
    *look = read->look;
    memcpy(name, read->name, sizeof read->name);
    look->material = *name ? name : NULL;
    if (read->texture) memcpy(bytes, read->texture, look->texture_byte_count);
    look->texture_bytes = read->texture ? bytes : NULL;
    /* One colour for all need not be that of every vertex; and that of a material is in those. */
    if (read->has_colours)
        look->colour.x = SN_AUTO;
    else if (look->colour.x != SN_AUTO) {
        free(made->colours);
        made->colours = NULL;
    }
    made->look = look;
    return SN_OK;
}

sn_result sn_scene_read_material(sn_scene *s, const char *path, scene_mesh *made) {
    sn_read_material read;
    bool found;
    SN_TRY(sn_read_material_of(path, &read, &found));
    if (!found) return SN_OK;
    sn_result result = keep_material(s, &read, made);
    free(read.texture);
    return result;
}

void sn_scene_apply_material(const scene_mesh *mesh, sn_io_look *look) {
    const sn_io_look *own = mesh->look, standard = sn_io_look_default();
    if (!own) return;
    bool said = look->colour.x != SN_AUTO || look->texture_bytes;
    look->material = own->material;
    if (look->opacity == standard.opacity) look->opacity = own->opacity;
    if (look->roughness == standard.roughness) look->roughness = own->roughness;
    if (said) return;
    look->colour = own->colour;
    if (!mesh->uvs || !own->texture_bytes) return;
    look->texture_bytes = own->texture_bytes;
    look->texture_byte_count = own->texture_byte_count;
    look->texture_size = 1;
}
