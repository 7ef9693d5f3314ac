/* Images of textures that are JPEG files: baseline or progressive ones, of 8 bits, grey or with
   three colours. */
#ifndef PICTURE_JPEG_H
#define PICTURE_JPEG_H

#include <sinew_picture/picture.h>

bool sn_jpeg_is(const uint8_t *bytes, size_t count);

/* Refuses what is no such file, or larger than `most` pixels on a side (SN_ERROR_DATA,
   SN_ERROR_LIMIT). The image is the caller's. */
sn_result sn_jpeg_decode(const uint8_t *bytes, size_t count, int most, sn_picture_image *image);

#endif
