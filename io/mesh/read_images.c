/* Images in files beside the one that is read. */
#include "io/mesh/image.h"
#include "io/mesh/read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct build_image {
    uint64_t key; /* of its path */
    char *bytes;  /* null: there is none that can be drawn */
    size_t size;
} build_image;

void sn_io_build_free_images(sn_io_build *build) {
    const build_image *items = build->images.items;
    for (size_t i = 0; i < build->images.count; i++) free(items[i].bytes);
    sn_io_build_list_free(build, &build->images);
}

/* Reads a file; one that is no image leaves null. */
static sn_result read_image(const char *path, build_image *image) {
    if (sn_io_file_expect("the image", path) != SN_OK) return SN_OK;
    sn_result result = sn_io_file_read("the image", path, &image->bytes, &image->size);
    if (result != SN_OK) {
        image->bytes = NULL;
        return result == SN_ERROR_MEMORY ? result : SN_OK;
    }
    bool is_drawn = image->size <= SN_IO_TEXTURE_BYTES &&
                    sn_io_image_kind(image->bytes, image->size) != IMAGE_NONE;
    if (is_drawn) return SN_OK;
    free(image->bytes);
    image->bytes = NULL;
    return SN_OK;
}

sn_result sn_io_build_read_image(sn_io_build *build, const sn_source *source, const char *name,
                                 size_t length, sn_io_look *look) {
    char copy[SN_PATH_LENGTH], path[2 * SN_PATH_LENGTH];
    if (length == 0 || length >= sizeof copy) return SN_OK;
    snprintf(copy, sizeof copy, "%.*s", (int)length, name);
    if (!sn_source_beside(source, copy, path)) return SN_OK;
    uint64_t key = sn_io_build_key(path, strlen(path));
    size_t i = 0;
    while (i < build->images.count && ((build_image *)build->images.items)[i].key != key) i++;
    if (i == build->images.count) {
        build_image image = {.key = key};
        SN_TRY(sn_io_build_list_reserve(build, &build->images, 1, sizeof image));
        SN_TRY(read_image(path, &image));
        ((build_image *)build->images.items)[build->images.count++] = image;
    }
    const build_image *found = (build_image *)build->images.items + i;
    look->texture_bytes = (const uint8_t *)found->bytes;
    look->texture_byte_count = found->bytes ? found->size : 0;
    return SN_OK;
}
