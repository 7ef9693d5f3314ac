/* A z-buffer: which triangle is nearest at each sample. Pictures and shadows are both made so. */
#ifndef SINEW_IO_FILL_H
#define SINEW_IO_FILL_H

#include "vec.h"

#define FILL_NOTHING UINT32_MAX

typedef struct fill_buffer {
    int width, height; /* samples */
    float *depth;
    uint32_t *triangle; /* FILL_NOTHING where there is none */
} fill_buffer;

/* False when there is no memory. */
bool fill_buffer_make(fill_buffer *buffer, int width, int height);
void fill_buffer_free(fill_buffer *buffer);

/* Draws a triangle of either orientation where it is nearer than what is there. Corners are in
   samples, x to the right and y down; z is a depth that is linear in them. */
void fill_triangle(fill_buffer *buffer, const vec corner[3], uint32_t triangle);

#endif
