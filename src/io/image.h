/* A picture in memory. */
#ifndef SINEW_IO_IMAGE_H
#define SINEW_IO_IMAGE_H

#include <stdint.h>

typedef struct sn_io_image {
    int width, height; /* pixels */
    uint8_t *rgb;      /* three bytes a pixel, sRGB, rows from the top */
} sn_io_image;

#endif
