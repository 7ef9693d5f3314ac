/*
 * Where the light does not come.
 *
 * On shapes, a map of what the light sees is asked with a blurred edge. On the ground, a shadow is
 * made once for the whole picture: every piece of what casts it is spread as wide as the light's
 * disc makes it from its height, so that shadows are sharp where things touch the ground and soft
 * where they are high above it. The same, for a light as wide as the sky, darkens the ground below
 * things.
 */
#ifndef SN_PICTURE_PICTURE_LIGHT_H
#define SN_PICTURE_PICTURE_LIGHT_H

#include "picture/picture_stage.h"

typedef struct light_map {
    projector projector;
    int size;     /* texels each way */
    float texel;  /* m, the side of one */
    float *depth; /* along the light, of what it meets first */
} light_map;

/* `to_light` is a unit vector; nothing beyond `limit` of the origin matters. False when there is no
   memory. */
bool sn_light_make(light_map *map, stage *s, vec to_light, float limit);
void sn_light_free(light_map *map);

/* How much of the light reaches a point: 0 none, 1 all. */
float sn_light_at(const light_map *map, vec point);

typedef struct ground_map {
    float x, z;      /* m, the corner */
    float per_metre; /* texels */
    int size;        /* texels each way */
    float *shade;    /* 0 lit, 1 dark */
} ground_map;

/* For a ground at `height`; `size` is a power of two from 256 to 1024. `spread` is the tangent of
   the angle of the light's radius. */
bool sn_ground_make(ground_map *map, stage *s, vec to_light, float spread, float height,
                    float limit, int size);
void sn_ground_free(ground_map *map);

/* How dark a point of the ground is. */
static inline float ground_at(const ground_map *map, float x, float z) {
    float u = (x - map->x) * map->per_metre - 0.5f, v = (z - map->z) * map->per_metre - 0.5f;
    float end = (float)(map->size - 1);
    if (!map->shade || !(u >= 0 && v >= 0 && u < end && v < end)) return 0;
    int i = (int)u, j = (int)v;
    float fu = u - (float)i, fv = v - (float)j;
    const float *row = map->shade + j * map->size + i, *next = row + map->size;
    float a = row[0] + fu * (row[1] - row[0]), b = next[0] + fu * (next[1] - next[0]);
    return a + fv * (b - a);
}

#endif
