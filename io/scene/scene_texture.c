/* Images that bodies and colliders are drawn with: PNG files, kept as they are. */
#include "io/scene/scene_state.h"

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
    static const char png[8] = "\x89PNG\r\n\x1a\n";
    if (size < sizeof png || memcmp(data, png, sizeof png) != 0)
        return sn_scene_complain(&s->reader, node, "the file is no PNG");
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
