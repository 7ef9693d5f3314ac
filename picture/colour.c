#include "picture/colour.h"

#include <stdlib.h>

void sn_colour_encoder_make(colour_encoder *encoder) {
    for (int i = 0; i <= COLOUR_STEPS; i++) {
        float c = (float)i / COLOUR_STEPS;
        float s = c <= 0.0031308f ? 12.92f * c : 1.055f * powf(c, 1 / 2.4f) - 0.055f;
        encoder->byte[i] = (uint8_t)(255 * s + 0.5f);
    }
}

/* ---- Shapes ---- */

/* Differ in lightness as well as in hue, and are not loud. */
static const vec palette[] = {
    {0.080f, 0.220f, 0.480f}, /* blue */
    {0.694f, 0.371f, 0.053f}, /* ochre */
    {0.600f, 0.095f, 0.120f}, /* red */
    {0.030f, 0.290f, 0.150f}, /* green */
    {0.180f, 0.520f, 0.620f}, /* light blue */
    {0.280f, 0.130f, 0.400f}, /* purple */
    {0.600f, 0.560f, 0.480f}, /* sand */
    {0.560f, 0.180f, 0.060f}, /* rust */
};
enum { PALETTE_SIZE = sizeof palette / sizeof palette[0] };

vec sn_colour_of_shape(const sn_picture_view *view, size_t index) {
    if (!view->colours || view->colour_count == 0) return palette[index % PALETTE_SIZE];
    sn_picture_colour c = view->colours[index % view->colour_count];
    return (vec){clamp(c.r, 0, 1), clamp(c.g, 0, 1), clamp(c.b, 0, 1)};
}

static float linear(sn_real part) {
    float s = clamp((float)part, 0, 1);
    return s <= 0.04045f ? s / 12.92f : powf((s + 0.055f) / 1.055f, 2.4f);
}

vec sn_colour_linear(sn_vec3 srgb) {
    return (vec){linear(srgb.x), linear(srgb.y), linear(srgb.z)};
}

/* ---- Values ---- */

bool sn_colour_values(const sn_io_shape *shape, sn_picture_colouring colouring, float *values) {
    if (colouring == SN_PICTURE_COLOUR_STRAIN && shape->strain) {
        for (size_t i = 0; i < shape->vertex_count; i++) values[i] = (float)shape->strain[i];
        return true;
    }
    if (colouring != SN_PICTURE_COLOUR_SPEED || !shape->velocities) return false;
    for (size_t i = 0; i < shape->vertex_count; i++) {
        sn_vec3 v = shape->velocities[i];
        double x = (double)v.x, y = (double)v.y, z = (double)v.z;
        values[i] = (float)sqrt(x * x + y * y + z * z);
    }
    return true;
}

/* Equal steps look equally far apart: a path through OkLab whose lightness rises evenly while its
   hue turns from violet to yellow, cut into pieces of equal length. */
static const vec one_sided[] = {
    {0.045f, 0.003f, 0.146f}, {0.042f, 0.008f, 0.231f}, {0.029f, 0.026f, 0.301f},
    {0.009f, 0.053f, 0.365f}, {0.005f, 0.084f, 0.320f}, {0.007f, 0.123f, 0.293f},
    {0.010f, 0.172f, 0.297f}, {0.014f, 0.233f, 0.311f}, {0.017f, 0.305f, 0.322f},
    {0.022f, 0.387f, 0.320f}, {0.026f, 0.477f, 0.295f}, {0.030f, 0.566f, 0.239f},
    {0.115f, 0.635f, 0.179f}, {0.278f, 0.689f, 0.133f}, {0.487f, 0.733f, 0.099f},
    {0.743f, 0.769f, 0.080f}, {0.980f, 0.795f, 0.114f},
};

/* The same lightness at the same distance from the middle, on both sides. */
static const vec both_sided[] = {
    {0.003f, 0.081f, 0.406f}, {0.062f, 0.190f, 0.546f}, {0.207f, 0.352f, 0.654f},
    {0.462f, 0.572f, 0.759f}, {0.857f, 0.857f, 0.857f}, {0.743f, 0.506f, 0.453f},
    {0.613f, 0.260f, 0.196f}, {0.475f, 0.100f, 0.055f}, {0.307f, 0.022f, 0.003f},
};

colour_scale sn_colour_scale_make(float least, float most) {
    if (!(least < most)) most = least + 1;
    return (colour_scale){least, most, least < 0 && most > 0};
}

static vec look_up(const vec *table, int count, float share) {
    float at = clamp(share, 0, 1) * (float)(count - 1);
    int i = (int)at < count - 1 ? (int)at : count - 2;
    return mix(table[i], table[i + 1], at - (float)i);
}

vec sn_colour_at(const colour_scale *s, float share) {
    if (!s->two_sided) return look_up(one_sided, sizeof one_sided / sizeof one_sided[0], share);
    return look_up(both_sided, sizeof both_sided / sizeof both_sided[0], share);
}

vec sn_colour_of_value(const colour_scale *s, float value) {
    if (isnan(value)) return (vec){0.4f, 0.4f, 0.4f};
    return sn_colour_at(s, (value - s->least) / (s->most - s->least));
}

/* ---- Scales of frames ---- */

double sn_colour_short_below(double value) {
    double power = pow(10, floor(log10(value)));
    /* Rounding may have put it into the next decade. */
    double lead = value / power * (1 + 1e-9);
    return power * (lead >= 5 ? 5 : lead >= 2 ? 2 : lead >= 1 ? 1 : 0.5);
}

/* At least `value`, with one digit or one and a half. */
static double short_above(double value) {
    if (!(value > 1e-30)) return 0;
    double step = sn_colour_short_below(value) / 10;
    /* Steps of 1, 2 or 5 in the second digit, so that a bar divides well. */
    return ceil(value / (2 * step) * (1 - 1e-9)) * 2 * step;
}

enum { BINS = 512 };

/* Values of one sign by size: counts for pieces from 0 to `most`, and beyond it in the last. */
typedef struct histogram {
    double sign, most;
    size_t total, counts[BINS];
} histogram;

static void add_value(histogram *h, double value) {
    value *= h->sign;
    h->total++;
    /* What is not finite is no value. */
    if (!(value > 0 && value < 1e30)) return;
    double bin = value / h->most * BINS;
    h->counts[bin < BINS - 1 ? (int)bin : BINS - 1]++;
}

static void fill_histogram(histogram *h, const sn_io_frame *frame, sn_picture_colouring colouring,
                           float *values) {
    for (size_t k = 0; k < frame->shape_count; k++) {
        const sn_io_shape *shape = &frame->shapes[k];
        if (!sn_colour_values(shape, colouring, values)) continue;
        for (size_t i = 0; i < shape->vertex_count; i++) add_value(h, (double)values[i]);
    }
}

/* What all but one in a hundred of the values stay below, of those of one sign. */
static double most_of_sign(const sn_io_frame *frame, sn_picture_colouring colouring, double sign,
                           float *values) {
    /* Begins with everything there can be, and looks closer until the pieces are fine enough. */
    double most = 1e30;
    for (int i = 0; i < 40; i++) {
        histogram h = {.sign = sign, .most = most};
        fill_histogram(&h, frame, colouring, values);
        size_t beyond = 0;
        int bin = BINS - 1;
        while (bin >= 0 && 100 * (beyond += h.counts[bin]) <= h.total) bin--;
        if (bin < 0) return 0;
        if (bin > BINS / 8) return most * (bin + 1) / BINS;
        most *= (double)(bin + 1) / BINS;
    }
    return 0;
}

void sn_picture_scale_of(const sn_io_frame *frame, sn_picture_colouring colouring, sn_real *least,
                         sn_real *most) {
    size_t longest = 1;
    for (size_t k = 0; k < frame->shape_count; k++)
        if (frame->shapes[k].vertex_count > longest) longest = frame->shapes[k].vertex_count;
    float *values = malloc(longest * sizeof *values);
    double above = values ? most_of_sign(frame, colouring, 1, values) : 1;
    double below = values ? most_of_sign(frame, colouring, -1, values) : 0;
    free(values);
    /* A little compression beside much stretch does not deserve half the scale. */
    if (below < 0.05 * above) below = 0;
    double ends = short_above(below > 0 && below > above ? below : above);
    if (!(ends > 0)) ends = colouring == SN_PICTURE_COLOUR_SPEED ? 1 : 0.01;
    *least = below > 0 ? (sn_real)-ends : 0;
    *most = (sn_real)ends;
}
