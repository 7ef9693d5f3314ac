/* Frames to look at, and numbers from pictures of them. */
#ifndef SINEW_TESTS_PICTURE_FRAMES_H
#define SINEW_TESTS_PICTURE_FRAMES_H

#include <sinew_picture/picture.h>

/* A view along -z from (0, 0, 5) at the origin: 2 m are as high as the picture, seen on a plain,
   dark background without a ground, everything white. */
sn_picture_view picture_view(void);

/* Draws; ends the run when that fails. To be freed with sn_picture_image_free. */
sn_picture_image picture_of(const sn_io_shape *shapes, size_t count, const sn_picture_view *view,
                            int width, int height);

/* A square of this half size, upright, at a depth; it faces the eye. */
sn_io_shape picture_square(double half, double z);

/* One particle. */
sn_io_shape picture_ball(double x, double y, double z, double radius);

/* The sum of the three bytes of a pixel, 0 to 765. */
int picture_light(const sn_picture_image *image, int x, int y);

/* The share of the picture that is covered by what is white, its edges by how much they are. */
double picture_share(const sn_picture_image *image);

/* How many pixels differ at all, and the mean difference of the sums of their bytes. */
size_t picture_differ(const sn_picture_image *a, const sn_picture_image *b, double *mean);

#endif
