/* What the light sees: a depth map along parallel rays, asked with a soft edge. */
#ifndef SINEW_IO_SHADOW_H
#define SINEW_IO_SHADOW_H

#include "fill.h"
#include "mesh.h"

typedef struct shadow {
    fill_buffer buffer;
    basis light; /* forward is the way the light goes */
    vec corner;  /* of the map, in the light's basis */
    float texel; /* m, the side of a sample */
} shadow;

/* `to_light` points from the scene to the light. False when there is no memory. */
bool shadow_make(shadow *s, const sn_io_mesh *mesh, vec to_light);
void shadow_free(shadow *s);

/* How much of the light reaches a point: 0 none, 1 all. */
float shadow_light(const shadow *s, vec point);

#endif
