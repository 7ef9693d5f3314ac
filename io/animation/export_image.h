/* Images of materials as files beside an export: NAME_MATERIAL.png, or .jpeg. */
#ifndef SN_IO_ANIMATION_EXPORT_IMAGE_H
#define SN_IO_ANIMATION_EXPORT_IMAGE_H

#include "io/animation/export.h"
#include "io/text/out.h"

typedef struct sn_io_export_image {
    const char *material; /* a plain name (export_names.h) */
    const uint8_t *bytes;
    size_t size;
} sn_io_export_image;

sn_result sn_io_export_image_file(sn_io_export *e, const sn_io_export_image *image);

/* The name of the file, for what refers to it. */
void sn_io_export_image_name(sn_io_out *out, const sn_io_export *e, const char *material,
                             const char *word);

#endif
