/*
 * A z-buffer of samples: which item is nearest at each. Pictures and the maps of shadows are both
 * made so.
 *
 * Samples come in groups of eight, which are worked on together. In a picture a group is a pixel,
 * with samples at places that are no grid, which makes smoother edges of the same number; in a map
 * it is a block of texels.
 */
#ifndef SN_PICTURE_PICTURE_FILL_H
#define SN_PICTURE_PICTURE_FILL_H

#include "picture/picture_project.h"

#include <stdint.h>

enum { FILL_SAMPLES = 8 };
#define FILL_NOTHING UINT32_MAX

typedef struct fill_buffer {
    int columns, rows;     /* groups that there are, of those of the whole picture */
    int first_row;         /* where they begin in it */
    float width, height;   /* of a group, in pixels or texels */
    float x[FILL_SAMPLES]; /* of the samples, from the corner of their group */
    float y[FILL_SAMPLES];
    float density;  /* how many different x, and y, the samples have per pixel or texel */
    float *key;     /* of the nearest, samples of a group side by side */
    uint32_t *item; /* which it is, or FILL_NOTHING; null where nobody asks */
} fill_buffer;

/* For `rows` rows of a picture of `width` pixels, or for a map of `width` times `rows` texels.
   False when there is no memory. */
bool sn_fill_make_picture(fill_buffer *buffer, int width, int rows);
bool sn_fill_make_map(fill_buffer *buffer, int width, int rows);
void sn_fill_free(fill_buffer *buffer);

/* Fills with nothing at all, infinitely far away. */
void sn_fill_clear(fill_buffer *buffer);

/* Reads a row of a map: how far along its rays things are, infinitely where there are none. */
void sn_fill_texels(const fill_buffer *map, int y, int width, float *row);

/* Each draws an item where it is nearer than what is there. Corners of triangles are places with
   keys; a ball is around a point in space (project_space), and a tube lies between two of them,
   without its round ends. */
void sn_fill_triangle(fill_buffer *buffer, const vec corner[3], uint32_t item);
void sn_fill_ball(fill_buffer *buffer, const projector *p, vec space, float radius, uint32_t item);
void sn_fill_tube(fill_buffer *buffer, const projector *p, const vec end[2], const float radius[2],
                  uint32_t item);

/* Which rows of groups of the whole picture a tube or a ball may touch, cut to 0 and `rows` - 1;
   false when none. */
bool sn_fill_ball_rows(const projector *p, vec space, float radius, int rows, int *first,
                       int *last);

/* The rows that lie between two places. */
bool sn_fill_rows(float top, float bottom, int rows, int *first, int *last);

#endif
