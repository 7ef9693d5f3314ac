/* Writes a picture as PNG, compressed for speed rather than size. */
#ifndef SINEW_IO_PNG_H
#define SINEW_IO_PNG_H

#include "image.h"

#include <sinew/base.h>

sn_result sn_io_png_write(const char *path, const sn_io_image *image);

#endif
