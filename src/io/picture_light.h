/*
 * Where the light does not come.
 *
 * On shapes, a map of what the light sees is asked with a blurred edge. On the ground, a shadow is
 * made once for the whole picture: every piece of what casts it is spread as wide as the light's
 * disc makes it from its height, so that shadows are sharp where things touch the ground and soft
 * where they are high above it. The same, for a light as wide as the sky, darkens the ground below
 * things.
 */
#ifndef SINEW_IO_PICTURE_LIGHT_H
#define SINEW_IO_PICTURE_LIGHT_H

#include "picture_scene.h"

typedef struct light_map {
    projector projector;
    int size;     /* texels each way */
    float texel;  /* m, the side of one */
    float *depth; /* along the light, of what it meets first */
} light_map;

/* `to_light` is a unit vector; nothing beyond `limit` of the origin matters. False when there is no
   memory. */
bool light_make(light_map *map, scene *s, vec to_light, float limit);
void light_free(light_map *map);

/* How much of the light reaches a point: 0 none, 1 all. */
float light_at(const light_map *map, vec point);

typedef struct ground_map {
    float texel, x, z; /* m, the side of a texel, and the corner */
    int size;          /* texels each way */
    float *shade;      /* 0 lit, 1 dark */
} ground_map;

/* For a ground at `height`. `spread` is the tangent of the angle of the light's radius. */
bool ground_make(ground_map *map, scene *s, vec to_light, float spread, float height, float limit,
                 int size);
void ground_free(ground_map *map);

/* How dark a point of the ground is. */
float ground_at(const ground_map *map, float x, float z);

#endif
