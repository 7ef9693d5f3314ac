/* The colour of what a ray meets: cloth, ground or sky. Colours are linear. */
#ifndef SINEW_IO_SHADE_H
#define SINEW_IO_SHADE_H

#include "raster.h"
#include "shadow.h"

typedef struct shading {
    vec to_light;
    vec front, back; /* of the mesh */
    float ground;    /* height, m */
    vec centre;      /* where the ground is clear; it fades with the distance from there */
    float fade;      /* m, over which it does */
    const shadow *shadow;
} shading;

/* A point of the mesh with its unit normal, seen along the unit direction `ray`. */
vec shade_surface(const shading *s, vec point, vec normal, vec ray);

/* What lies behind the mesh along a ray of unit direction: ground below the horizon, sky above. */
vec shade_background(const shading *s, vec eye, vec ray);

#endif
