/* What colours mean: the palette of the shapes, the maps of quantities, and sRGB. */
#ifndef SN_PICTURE_COLOUR_H
#define SN_PICTURE_COLOUR_H

#include "picture/vec.h"

#include <sinew_picture/picture.h>

/* From linear light to the bytes of a picture; a table, since a power for every pixel is slow. */
enum { COLOUR_STEPS = 4096 };
typedef struct colour_encoder {
    uint8_t byte[COLOUR_STEPS + 1];
} colour_encoder;

void sn_colour_encoder_make(colour_encoder *encoder);

static inline uint8_t colour_byte(const colour_encoder *encoder, float linear) {
    return encoder->byte[(int)(clamp(linear, 0, 1) * COLOUR_STEPS + 0.5f)];
}

/* The colour of a shape of this number, linear. */
vec sn_colour_of_shape(const sn_picture_view *view, size_t index);

/* From sRGB, 0 to 1. */
vec sn_colour_linear(sn_vec3 srgb);

/* A value per vertex; false where the shape does not have the quantity. */
bool sn_colour_values(const sn_io_shape *shape, sn_picture_colouring colouring, float *values);

/* A scale from `least` to `most`: from dark to bright, or, where it has both signs, from blue over
   white at zero to red. */
typedef struct colour_scale {
    float least, most;
    bool two_sided;
} colour_scale;

colour_scale sn_colour_scale_make(float least, float most);

/* The colour of a value; beyond the ends it is that of the end. NaN is grey. */
vec sn_colour_of_value(const colour_scale *s, float value);

/* The colour at a share of the way along the scale, 0 to 1. */
vec sn_colour_at(const colour_scale *s, float share);

/* The largest of 1, 2, 5 times a power of ten that is at most `value`, which is above 0. */
double sn_colour_short_below(double value);

#endif
