/*
 * Where the light does not come.
 *
 * A light is a disc far away. A map has the depth of what it meets first, seen from its middle. How
 * much of the disc a point sees is found by looking back: what is r away from the line to the
 * middle and h nearer to the light hides the disc at r / h of its radius. So shadows are sharp
 * where things touch and soft far behind what casts them, and where shadows overlap, what is hidden
 * twice counts once. The sun is one light; another, as wide as the sky, darkens the ground below
 * things.
 */
#ifndef SN_PICTURE_PICTURE_LIGHT_H
#define SN_PICTURE_PICTURE_LIGHT_H

#include "picture/picture_stage.h"

/* Texels of a tile each way, whose nearest and furthest depths are known, and of a block, of which
   it is the nearest; the directions that are looked into, and in how many ways they can be turned.
   */
enum { LIGHT_TILE = 16, LIGHT_BLOCK = 4, LIGHT_DIRECTIONS = 12, LIGHT_TURNS = 9 };
/* Rows of a map that one piece of work is about. */
enum { LIGHT_ROWS = 4 * LIGHT_TILE };

typedef struct light_map {
    projector projector;
    int size, tiles; /* texels and tiles each way */
    size_t across;   /* from a row of texels to the next */
    float texel;     /* m, the side of one */
    float spread;    /* tangent of the angle of the light's radius */
    float widest;    /* texels, of its disc at most, which is enough to be soft */
    float first;     /* the key of what is nearest to the light of all */
    int steps;       /* how many are made in each direction, at most */
    /* The directions by turns, x and y; in an order in which every four of them go all around. */
    float way[LIGHT_TURNS][2][LIGHT_DIRECTIONS];
    float *key; /* minus the depth of what it meets first; null where there is nothing at all */
    float *nearest, *furthest; /* keys of the texels of tiles */
    float *around;             /* the nearest key of each tile and of those that discs reach */
    float *block;              /* the nearest key of each block */
} light_map;

/* What a map is made with. */
typedef struct light_def {
    vec to_light; /* a unit vector */
    float spread; /* as in light_map */
    float limit;  /* nothing further from the origin matters */
    int size;     /* a multiple of LIGHT_ROWS */
    float widest; /* as in light_map */
    int steps;    /* as in light_map */
    int coarse;   /* triangles are taken as they were so many divisions ago */
} light_def;

/* False when there is no memory. */
bool sn_light_make(light_map *map, stage *s, const light_def *def);
void sn_light_free(light_map *map);

/* How much of the light reaches a point: 0 none, 1 all. What is less than `bias` nearer to the
   light casts no shadow on it. `turn` from 0 to 8 chooses the directions that are looked into,
   which may differ between neighbours that are averaged. */
float sn_light_at(const light_map *map, vec point, float bias, int turn);

/* What of the ground may lie in the shadow of something, as a box of x and z from least to most. */
typedef struct ground_box {
    float x[2], z[2]; /* m */
} ground_box;

ground_box sn_ground_box(const stage *s, const light_map *light, vec to_light, float height,
                         float limit);

/* The shadow on the ground, as a map of its own. */
typedef struct ground_map {
    float x, z;      /* m, the corner */
    float per_metre; /* texels */
    int size;        /* texels each way */
    float *shade;    /* 0 lit, 1 dark */
} ground_map;

bool sn_ground_make(ground_map *map, const stage *s, const light_map *light, vec to_light,
                    float height, float limit, int size);
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
