#include "io/mesh/image.h"

#include <stdbool.h>
#include <string.h>

/* Whether the frame of a JPEG, which a marker begins, is a baseline or a progressive one. */
static bool is_drawn(const uint8_t *at, size_t size) {
    for (size_t i = 2; i + 4 < size && at[i] == 0xff;) {
        int marker = at[i + 1];
        size_t length = (size_t)at[i + 2] << 8 | at[i + 3];
        if (marker >= 0xc0 && marker <= 0xc2) return at[i + 4] == 8;
        if (marker >= 0xc3 && marker <= 0xcf && marker != 0xc4) return false;
        i += 2 + length;
    }
    return false;
}

image_kind sn_io_image_kind(const void *bytes, size_t size) {
    static const char png[8] = "\x89PNG\r\n\x1a\n", jpeg[3] = "\xff\xd8\xff";
    if (size >= sizeof png && memcmp(bytes, png, sizeof png) == 0) return IMAGE_PNG;
    bool is_jpeg = size >= sizeof jpeg && memcmp(bytes, jpeg, sizeof jpeg) == 0;
    return is_jpeg && is_drawn(bytes, size) ? IMAGE_JPEG : IMAGE_NONE;
}

const char *sn_io_image_word(const void *bytes, size_t size) {
    return sn_io_image_kind(bytes, size) == IMAGE_JPEG ? "jpeg" : "png";
}
