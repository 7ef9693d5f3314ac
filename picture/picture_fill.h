/*
 * A z-buffer of samples: which item is nearest at each. Pictures and the maps of shadows are both
 * made so.
 *
 * Samples come in groups of eight, which are worked on together. In a map, and for the middles of
 * the pixels of a picture, a group is eight places side by side. Where surfaces end, a pixel is a
 * group of its own, with samples at places that are no grid, which makes smoother edges of the same
 * number; such pixels are few, and have slots.
 */
#ifndef SN_PICTURE_PICTURE_FILL_H
#define SN_PICTURE_PICTURE_FILL_H

#include "picture/picture_project.h"
#include "picture/quad.h"

enum { FILL_SAMPLES = 8 };
#define FILL_NOTHING UINT32_MAX

typedef struct fill_buffer {
    int columns, rows;     /* groups that there are, of those of the whole picture */
    int first_row;         /* where they begin in it */
    float width, height;   /* of a group, in pixels or texels */
    float x[FILL_SAMPLES]; /* of the samples, from the corner of their group */
    float y[FILL_SAMPLES];
    float *key;     /* of the nearest, samples of a group side by side */
    uint32_t *item; /* which it is, or FILL_NOTHING; null where nobody asks */
    /* Of a map: what is so thin that it may lie between samples marks the places that it touches,
       one byte for each; null where nobody asks. Triangles do so later, and say here that there are
       some. */
    uint8_t *thin;
    bool found_thin;
    bool marks; /* everything marks the places that it touches, and nothing else happens */
    /* Of pixels: where the samples of a group are, less than 0 where it has none; and for squares
       of FILL_SQUARE groups each way, whether any of them has. Null in maps. */
    const int32_t *slot;
    const uint8_t *used;
    /* Of the samples: keys that what is drawn must be behind; null where all may be drawn. */
    const float *before;
} fill_buffer;

/* A map of `width` times `rows` texels, or of the middles of pixels; with items where they are
   asked for. False when there is no memory. */
bool sn_fill_make_map(fill_buffer *buffer, int width, int rows, bool items);

/* Of the pixels that have slots, of `rows` rows of a picture of `width` pixels. Room for the
   samples of `slots` of them is had later. */
enum { FILL_SQUARE = 8 };
void sn_fill_make_pixels(fill_buffer *buffer, int width, int rows);
bool sn_fill_make_room(fill_buffer *buffer, size_t slots);
void sn_fill_free(fill_buffer *buffer);

/* Squares that a number of groups makes. */
static inline int fill_squares(int groups) {
    return (groups + FILL_SQUARE - 1) / FILL_SQUARE;
}

/* Places in a row of a map, which may be more than were asked for. */
static inline size_t fill_across(const fill_buffer *map) {
    return (size_t)map->columns * FILL_SAMPLES;
}

/* Fills with nothing at all, infinitely far away. */
void sn_fill_clear(fill_buffer *buffer);

/* Each draws an item where it is nearer than what is there. Corners of triangles are places with
   keys; a ball is around a point in space (project_space), and a tube lies between two of them,
   without its round ends. */
void sn_fill_triangle(fill_buffer *buffer, const vec corner[3], uint32_t item);
/* The same of a triangle whose corners are x, y, a key, and a number that does not matter. */
void sn_fill_corners(fill_buffer *buffer, quad a, quad b, quad c, uint32_t item);
void sn_fill_ball(fill_buffer *buffer, const projector *p, vec space, float radius, uint32_t item);
void sn_fill_tube(fill_buffer *buffer, const projector *p, const vec end[2], const float radius[2],
                  uint32_t item);

/* A thin triangle that was drawn: items with the same number are one surface, and what differs by
   this share of the depth is not. */
typedef struct thin_item {
    const uint32_t *surface; /* of every item */
    uint32_t item;
    float close;
} thin_item;

/* Marks the places of a map that a triangle touches, if it is thin and seen beside its surface. */
void sn_fill_mark_triangle(fill_buffer *map, const vec corner[3], const thin_item *thin);

/* Which rows of groups of the whole picture a tube or a ball may touch, cut to 0 and `rows` - 1;
   false when none. */
bool sn_fill_ball_rows(const projector *p, vec space, float radius, int rows, int *first,
                       int *last);

/* The rows that lie between two places. */
static inline bool fill_rows(float top, float bottom, int rows, int *first, int *last) {
    if (!(bottom >= 0) || !(top < (float)rows)) return false;
    *first = (int)most_of(top, 0);
    *last = (int)least_of(bottom, (float)(rows - 1));
    return true;
}

#endif
