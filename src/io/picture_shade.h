/* The colour of what a ray meets: a surface, the ground or the sky. Colours are linear. */
#ifndef SINEW_IO_PICTURE_SHADE_H
#define SINEW_IO_PICTURE_SHADE_H

#include "picture_light.h"

typedef struct shading {
    vec to_light;
    bool flat; /* colours are numbers to be read: less light and shade */
    bool plain;
    vec backdrop; /* of a plain background */
    bool has_ground;
    float ground; /* height, m */
    float fade;   /* m from the origin, over which the ground fades */
    float grid;   /* m between the lines on the ground */
    vec grid_at;  /* a point on a line each way */
    float pixel;  /* slope of a pixel */
    light_map light;
    ground_map shadow, sky;
} shading;

/* A point of a surface, its unit normal towards the viewer, its colour, and the unit direction in
   which it is looked at. */
vec shade_surface(const shading *s, vec point, vec normal, vec colour, vec ray);

/* What lies behind everything along a ray of unit direction: ground below the horizon, sky above.
 */
vec shade_background(const shading *s, vec eye, vec ray);

/* Bends what is too bright back into what a picture can show. */
vec shade_expose(vec light);

#endif
