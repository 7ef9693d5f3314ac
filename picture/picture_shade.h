/* The colour of what a ray meets: a surface, the ground or the sky. Colours are linear. */
#ifndef SN_PICTURE_PICTURE_SHADE_H
#define SN_PICTURE_PICTURE_SHADE_H

#include "picture/picture_light.h"

typedef struct shading {
    vec to_light;
    bool flat; /* colours are numbers to be read: less light and shade */
    bool plain;
    vec backdrop; /* of a plain background */
    bool has_ground;
    float ground; /* height, m */
    float fade;   /* 1/m^2, how fast the ground fades with the square of the distance */
    float grid;   /* m between the lines on the ground */
    vec grid_at;  /* a point on a line each way */
    float pixel;  /* slope of a pixel */
    light_map light;
    ground_map shadow, sky;
} shading;

/* A point of a surface, its unit normal towards the viewer, its colour, whether no light comes
   through it, and the unit direction in which it is looked at. */
vec sn_shade_surface(const shading *s, vec point, vec normal, vec colour, bool closed, vec ray);

/* What lies behind everything, ground below the horizon and sky above, at `count` places side by
   side, from (x, y) on with `step` pixels between them. */
enum { SHADE_SPAN = 8 };
void sn_shade_background(const shading *s, const projector *camera, float x, float y, float step,
                         int count, vec colours[SHADE_SPAN]);

/* Bends what is too bright back into what a picture can show. */
static inline float shade_expose(float light) {
    const float knee = 0.75f;
    float over = most_of(light - knee, 0);
    return least_of(light, knee) + over / (1 + over / (1 - knee));
}

#endif
