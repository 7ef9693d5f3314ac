/* What files of images are, told by their bytes. */
#ifndef IO_MESH_IMAGE_H
#define IO_MESH_IMAGE_H

#include <stddef.h>
#include <stdint.h>

typedef enum image_kind {
    IMAGE_NONE, /* none that pictures draw */
    IMAGE_PNG,
    IMAGE_JPEG /* baseline or progressive, of 8 bits */
} image_kind;

image_kind sn_io_image_kind(const void *bytes, size_t size);

/* "png" and "jpeg", as types of media have it. */
const char *sn_io_image_word(const void *bytes, size_t size);

#endif
