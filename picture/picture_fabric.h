/*
 * Threads and prints of a cloth, at a place of its material.
 *
 * Everything is filtered by how much of the material a pixel shows: what is finer becomes its mean,
 * so that nothing shimmers and the colour of a cloth does not depend on how far away it is.
 */
#ifndef SN_PICTURE_PICTURE_FABRIC_H
#define SN_PICTURE_PICTURE_FABRIC_H

#include "picture/picture_texture.h"

#include <sinew_io/look.h>

typedef struct fabric {
    sn_io_weave weave;
    float thread; /* m */
    sn_io_pattern pattern;
    vec pattern_colour;     /* linear */
    float width;            /* m, of a stripe */
    const texture *texture; /* null without */
    float texture_size;     /* of the image, m */
} fabric;

static inline bool fabric_is_plain(const fabric *f) {
    return f->weave == SN_IO_WEAVE_NONE && f->pattern == SN_IO_PATTERN_NONE && !f->texture;
}

/* How much of a place has the colour of the pattern; `wide` is how much of the material, in m, a
   pixel is. */
float sn_fabric_print(const fabric *f, float u, float v, float wide);

/* How high threads are there, as a share of light that varies around 1, and how much the surface
   leans along both axes of the material. */
typedef struct fabric_threads {
    float light;
    float lean_u, lean_v;
} fabric_threads;

fabric_threads sn_fabric_threads(const fabric *f, float u, float v, float wide);

#endif
