/* Images on surfaces, with smaller and smaller copies, so that they do not shimmer from afar. */
#ifndef SN_PICTURE_PICTURE_TEXTURE_H
#define SN_PICTURE_PICTURE_TEXTURE_H

#include "picture/vec.h"

#include <sinew_picture/picture.h>

/* Each copy is half as wide and high as the one before, down to a pixel. */
enum { TEXTURE_LEVELS = 16, TEXTURE_MOST = 1 << (TEXTURE_LEVELS - 1) };

typedef struct texture {
    const uint8_t *source; /* the bytes of its file */
    int levels;
    sn_picture_image level[TEXTURE_LEVELS];
    float linear[256]; /* the light of a byte */
} texture;

/* Of a PNG file in memory; to be freed where it was made. */
sn_result sn_texture_make(texture *t, const uint8_t *bytes, size_t count);
void sn_texture_free(texture *t);

/* The colour at a place, of which a pixel is `wide`; the image is from 0 to 1 both ways, the second
   upward, and goes on beyond. */
vec sn_texture_at(const texture *t, float u, float v, float wide);

/* Reads a PNG file in memory, in either of png.c and png_stored.c. */
sn_result sn_png_decode(const uint8_t *bytes, size_t count, sn_picture_image *image);

#endif
