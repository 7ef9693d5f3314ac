/* Writes a picture as PNG, compressed for speed rather than size. */
#ifndef SINEW_IO_PNG_H
#define SINEW_IO_PNG_H

#include "error.h"
#include "image.h"

#include <stdbool.h>

bool sn_io_png_write(const char *path, const sn_io_image *image, sn_io_error *error);

#endif
