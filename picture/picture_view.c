/* Where to look from: bounds of frames, and a camera that shows them. */
#include "picture/colour.h"

#include <sinew_picture/picture.h>

/* m: what is further away is no part of a scene. */
static const double most_far = 1e9;

sn_picture_bounds sn_picture_bounds_none(void) {
    const sn_real far = SN_REAL_MAX;
    return (sn_picture_bounds){{far, far, far}, {-far, -far, -far}};
}

static void add_point(sn_picture_bounds *bounds, sn_vec3 point, sn_real radius) {
    sn_real *least[3] = {&bounds->least.x, &bounds->least.y, &bounds->least.z};
    sn_real *most[3] = {&bounds->most.x, &bounds->most.y, &bounds->most.z};
    const sn_real at[3] = {point.x, point.y, point.z};
    for (int k = 0; k < 3; k++) {
        if (at[k] - radius < *least[k]) *least[k] = at[k] - radius;
        if (at[k] + radius > *most[k]) *most[k] = at[k] + radius;
    }
}

static bool is_near(sn_real a) {
    return fabs((double)a) < most_far;
}

void sn_picture_bounds_add(sn_picture_bounds *bounds, const sn_io_frame *frame) {
    for (size_t k = 0; k < frame->shape_count; k++) {
        const sn_io_shape *shape = &frame->shapes[k];
        if (shape->look && shape->look->opacity == 0) continue;
        for (size_t i = 0; i < shape->vertex_count; i++) {
            sn_vec3 at = shape->positions[i];
            sn_real radius = shape->radii && shape->radii[i] > 0 ? shape->radii[i] : 0;
            if (is_near(at.x) && is_near(at.y) && is_near(at.z) && is_near(radius))
                add_point(bounds, at, radius);
        }
    }
}

/* From where the light comes: over the left shoulder of who looks. */
static vec light_for(vec to_eye) {
    vec flat = unit((vec){to_eye.x, 0, to_eye.z}), left = {-flat.z, 0, flat.x};
    return add(add(scale(flat, 0.45f), scale(left, 0.75f)), (vec){0, 1.25f, 0});
}

static sn_vec3 vec3_of(vec a) {
    return (sn_vec3){(sn_real)a.x, (sn_real)a.y, (sn_real)a.z};
}

void sn_picture_view_move(sn_picture_view *view, sn_vec3 eye, sn_vec3 target) {
    view->eye = eye;
    view->target = target;
    vec to_eye = {(float)(eye.x - target.x), 0, (float)(eye.z - target.z)};
    if (norm(to_eye) > 0) view->to_light = vec3_of(light_for(to_eye));
}

sn_picture_view sn_picture_view_default(void) {
    const sn_picture_bounds cube = {{(sn_real)-0.5, 0, (sn_real)-0.5},
                                    {(sn_real)0.5, 1, (sn_real)0.5}};
    return sn_picture_view_around(&cube, 16.0 / 9);
}

/* How far away the eye must be for a corner of the box, relative to its middle, to be seen between
   slopes of `wide` and `high`. */
static float distance_for(const basis *axes, vec corner, float wide, float high) {
    vec at = to_basis(axes, corner);
    return most_of(fabsf(at.x) / wide, fabsf(at.y) / high) - at.z;
}

sn_picture_view sn_picture_view_around(const sn_picture_bounds *bounds, double aspect) {
    /* Seen from the right, in front, a little above. */
    const vec to_eye = {0.50f, 0.30f, 1};
    const double field = 0.6, margin = 0.92;
    sn_vec3 a = bounds->least, b = bounds->most;
    if (!(a.x <= b.x && a.y <= b.y && a.z <= b.z)) {
        a = (sn_vec3){(sn_real)-0.5, 0, (sn_real)-0.5};
        b = (sn_vec3){(sn_real)0.5, 1, (sn_real)0.5};
    }
    vec half = {(float)(b.x - a.x) / 2, (float)(b.y - a.y) / 2, (float)(b.z - a.z) / 2};
    float size = norm(half);
    /* Something without a size is looked at from a distance of arm's length. */
    if (!(size > 1e-6f)) half = scale((vec){1, 1, 1}, size = 0.1f);
    /* A floor at height 0 is shown where it is not far below. */
    bool on_zero = (double)a.y >= -0.02 * (double)size && (double)a.y < 1.2 * (double)size;
    sn_real ground = on_zero ? 0 : a.y;
    double bottom = (double)(on_zero && a.y > 0 ? 0 : a.y);
    half.y = (float)((double)b.y - bottom) / 2 > 0.05f * size ? (float)((double)b.y - bottom) / 2
                                                              : 0.05f * size;
    vec middle = {(float)(a.x + b.x) / 2, (float)((double)b.y + bottom) / 2,
                  (float)(a.z + b.z) / 2};
    basis axes = basis_towards(scale(to_eye, -1), (vec){0, 1, 0});
    if (!(aspect > 0.05 && aspect < 20)) aspect = aspect > 1 ? 20 : 0.05;
    float high = (float)(margin * tan(field / 2)), wide = (float)aspect * high, distance = 0;
    for (int k = 0; k < 8; k++) {
        vec corner = {k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z};
        distance = most_of(distance, distance_for(&axes, corner, wide, high));
    }
    return (sn_picture_view){
        .eye = vec3_of(add(middle, scale(axes.forward, -distance))),
        .target = vec3_of(middle),
        .up = {0, 1, 0},
        .field_of_view = (sn_real)field,
        .to_light = vec3_of(light_for(to_eye)),
        .has_ground = true,
        .ground = ground,
        .backdrop = {0.85f, 0.85f, 0.85f},
        .legend = true,
        .smooth = SN_PICTURE_SMOOTH_AUTO,
        .threads = 1,
        .sky_light = 1,
        .ground_colour = {0.47f, 0.47f, 0.46f},
    };
}

static sn_picture_colour colour_of(sn_vec3 srgb) {
    vec c = sn_colour_linear(srgb);
    return (sn_picture_colour){c.x, c.y, c.z};
}

void sn_picture_view_stage(sn_picture_view *view, const sn_io_staging *staging) {
    if (!staging) return;
    view->light_count = staging->light_count;
    view->lights = staging->lights;
    view->sky_light = staging->sky_light;
    view->ground_kind = staging->ground;
    if (staging->ground == SN_IO_GROUND_NONE) view->has_ground = false;
    if (staging->ground_colour.x != SN_AUTO)
        view->ground_colour = colour_of(staging->ground_colour);
    if (staging->ground_height != SN_AUTO) view->ground = staging->ground_height;
    if (staging->background != SN_IO_BACKGROUND_PLAIN) return;
    view->background = SN_PICTURE_BACKGROUND_PLAIN;
    view->backdrop = colour_of(staging->background_colour);
}
