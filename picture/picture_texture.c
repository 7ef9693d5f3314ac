#include "picture/picture_texture.h"

#include "picture/colour.h"
#include "picture/jpeg.h"

#include <sinew/support.h>

#include <stdlib.h>

/* ---- Copies ---- */

static int half_of(int size) {
    return size > 1 ? size / 2 : 1;
}

/* Means of the light of four pixels. Of a size that is odd, the last row or column is left out. */
static bool halve(const texture *t, const colour_encoder *encoder, const sn_picture_image *from,
                  sn_picture_image *to) {
    *to = (sn_picture_image){half_of(from->width), half_of(from->height), NULL};
    to->rgb = malloc((size_t)to->width * (size_t)to->height * 3);
    if (!to->rgb) return false;
    size_t right = from->width > 1 ? 3 : 0, wide = (size_t)from->width * 3;
    size_t down = from->height > 1 ? wide : 0;
    for (int y = 0; y < to->height; y++)
        for (int x = 0; x < to->width; x++)
            for (size_t k = 0; k < 3; k++) {
                const uint8_t *a = from->rgb + 2 * (size_t)y * down + 2 * (size_t)x * right + k;
                float sum = t->linear[a[0]] + t->linear[a[right]] + t->linear[a[down]] +
                            t->linear[a[down + right]];
                to->rgb[((size_t)y * (size_t)to->width + (size_t)x) * 3 + k] =
                    colour_byte(encoder, 0.25f * sum);
            }
    return true;
}

sn_result sn_texture_make(texture *t, const uint8_t *bytes, size_t count) {
    colour_encoder encoder;
    *t = (texture){0};
    if (sn_jpeg_is(bytes, count))
        SN_TRY(sn_jpeg_decode(bytes, count, TEXTURE_MOST, &t->level[0]));
    else
        SN_TRY(sn_png_decode(bytes, count, &t->level[0]));
    sn_colour_encoder_make(&encoder);
    for (int i = 0; i < 256; i++) {
        sn_real byte = (sn_real)(i / 255.0);
        t->linear[i] = sn_colour_linear((sn_vec3){byte, byte, byte}).x;
    }
    for (t->levels = 1; t->levels < TEXTURE_LEVELS; t->levels++) {
        const sn_picture_image *last = &t->level[t->levels - 1];
        if (last->width == 1 && last->height == 1) break;
        if (!halve(t, &encoder, last, &t->level[t->levels]))
            return sn_fail(SN_ERROR_MEMORY, "there is no memory for a texture");
    }
    return SN_OK;
}

void sn_texture_free(texture *t) {
    for (int i = 0; i < TEXTURE_LEVELS; i++) sn_picture_image_free(&t->level[i]);
    *t = (texture){0};
}

/* ---- Colours ---- */

/* The pixel before a place from 0 to 1, and how far that is from its middle to that of the next. */
static int pixel_of(float at, int size, int *next, float *share) {
    float place = (at - floorf(at)) * (float)size - 0.5f, whole = floorf(place);
    int pixel = (int)whole;
    *share = place - whole;
    if (pixel < 0) pixel = size - 1;
    if (pixel >= size) pixel = size - 1;
    *next = pixel + 1 < size ? pixel + 1 : 0;
    return pixel;
}

static vec pixel_at(const texture *t, const sn_picture_image *image, int x, int y) {
    const uint8_t *at = image->rgb + 3 * ((size_t)y * (size_t)image->width + (size_t)x);
    return (vec){t->linear[at[0]], t->linear[at[1]], t->linear[at[2]]};
}

static vec level_at(const texture *t, int level, float u, float v) {
    const sn_picture_image *image = &t->level[level];
    int right, down;
    float across, along;
    int x = pixel_of(u, image->width, &right, &across);
    int y = pixel_of(-v, image->height, &down, &along);
    return mix(mix(pixel_at(t, image, x, y), pixel_at(t, image, right, y), across),
               mix(pixel_at(t, image, x, down), pixel_at(t, image, right, down), across), along);
}

vec sn_texture_at(const texture *t, float u, float v, float wide) {
    const sn_picture_image *whole = &t->level[0];
    float size = (float)(whole->width > whole->height ? whole->width : whole->height);
    float level = clamp(log2f(most_of(wide * size, 1)), 0, (float)(t->levels - 1));
    int lower = (int)level, upper = lower + 1 < t->levels ? lower + 1 : lower;
    /* Far from where the image is, there is nothing to tell. */
    if (!(fabsf(u) < 1e6f && fabsf(v) < 1e6f)) return level_at(t, t->levels - 1, 0, 0);
    vec fine = level_at(t, lower, u, v);
    return upper == lower ? fine : mix(fine, level_at(t, upper, u, v), level - (float)lower);
}
