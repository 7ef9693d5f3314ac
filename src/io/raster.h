/*
 * Draws a mesh above a ground with its shadow, in software: a z-buffer with several samples a
 * pixel, two-sided diffuse light and light from the sky.
 */
#ifndef SINEW_IO_RASTER_H
#define SINEW_IO_RASTER_H

#include "image.h"
#include "mesh.h"

typedef struct sn_io_colour {
    float r, g, b; /* linear, 0 to 1 */
} sn_io_colour;

typedef struct sn_io_view {
    sn_vec3 eye, target;      /* m; parts of the mesh behind the eye are not drawn */
    sn_real field_of_view;    /* rad, from the bottom to the top of the picture */
    sn_vec3 to_light;         /* from the scene to the light, of any length */
    sn_real ground;           /* m, height of the ground */
    sn_io_colour front, back; /* of the two sides of the mesh */
} sn_io_view;

/* A view that shows the whole box from slightly above, with the ground below it. */
sn_io_view sn_io_view_around(sn_vec3 least, sn_vec3 most);

/* Draws into a new image of 1 to 8192 pixels each way, to be freed with sn_io_image_free. */
sn_result sn_io_render(const sn_io_mesh *mesh, const sn_io_view *view, int width, int height,
                       sn_io_image *image);

void sn_io_image_free(sn_io_image *image);

#endif
