/* The sum of the kernels of the particles of a liquid, on a grid that is there where liquid is. */
#ifndef SN_IO_ANIMATION_LIQUID_FIELD_H
#define SN_IO_ANIMATION_LIQUID_FIELD_H

#include <sinew_io/frame.h>

/* Numbers of things at whole places, in the order in which they came. */
typedef struct liquid_map {
    int32_t (*at)[3];
    size_t count, room;
    uint32_t *slots; /* number + 1 by hash */
    size_t slot_count;
} liquid_map;

#define LIQUID_NONE SIZE_MAX

/* Grows an array, with zeros, to what is needed at least; false, and nothing has changed, where
   there is no memory. */
bool sn_liquid_reserve(void **array, size_t *room, size_t needed, size_t element);

/* Points of a block along each of its edges. */
enum { LIQUID_SIDE = 4, LIQUID_POINTS = LIQUID_SIDE * LIQUID_SIDE * LIQUID_SIDE };

typedef struct liquid_block {
    float value[LIQUID_POINTS]; /* x first */
    uint32_t drop;              /* number + 1 of the first of its drops */
} liquid_block;

/* A particle by itself, in a block that it reaches: weight (1 - (d / reach)^2)^3 at a distance d
   from its middle. It is hardly wider than a cell, so that what lies between the points of the grid
   must be asked of itself. */
typedef struct liquid_drop {
    double middle[3]; /* m, from the origin */
    double reach;     /* m */
    double weight;
    uint32_t next; /* number + 1 of the next of the block */
} liquid_drop;

typedef struct liquid_field {
    double origin[3]; /* m, of the point 0, 0, 0 */
    double cell;      /* m, between points */
    liquid_map map;   /* of the blocks */
    liquid_block *blocks;
    size_t room;
    liquid_drop *drops;
    size_t drop_count, drop_room;
} liquid_field;

/* The number of what is at a place, or LIQUID_NONE. */
size_t sn_liquid_map_find(const liquid_map *map, const int32_t at[3]);

/* The same, and makes it where it is not there; LIQUID_NONE where there is no memory. */
size_t sn_liquid_map_add(liquid_map *map, const int32_t at[3]);
void sn_liquid_map_free(liquid_map *map);

/* Fills a field, all zeros before; false where there is no memory. */
bool sn_liquid_field_fill(liquid_field *field, const sn_io_shape *shape);
void sn_liquid_field_free(liquid_field *field);

/* liquid_colours.c: colours at places, the means of those of particles around them; false where
   there is no memory. */
bool sn_liquid_colours(const sn_io_shape *shape, const sn_vec3 *places, size_t count,
                       sn_vec3 *colours);

/* At a point of the grid; 0 where there is no block. */
float sn_liquid_field_at(const liquid_field *field, const int32_t point[3]);

/* liquid_drops.c: what drops add at a place (m, from the origin) near a point of the grid, whose
   block has them; adds their slope, 1/m, to what is there. */
double sn_liquid_drops_at(const liquid_field *field, const int32_t point[3], const double x[3],
                          double slope[3]);

/* The field at a point of the grid without drops, which is smooth between points. */
double sn_liquid_field_bulk_at(const liquid_field *field, const int32_t point[3]);
bool sn_liquid_field_has_drops(const liquid_field *field, const int32_t point[3]);

/* The block of a point, rounded down. */
static inline int32_t sn_liquid_block_of(int32_t point) {
    return point >= 0 ? point / LIQUID_SIDE : -((-point + LIQUID_SIDE - 1) / LIQUID_SIDE);
}

/* What the sum is at the surface. With it the surface of a large block of liquid holds the volume
   of its particles. */
#define LIQUID_SURFACE 0.22f

#endif
