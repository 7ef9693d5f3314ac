#include "collision/shapes/shape_distance.h"

#include <math.h>

static sn_real clamp(sn_real a, sn_real most) {
    return a < -most ? -most : a > most ? most : a;
}

static sn_real plane(const sn_collider_def *s, sn_v4 point, sn_v4 *normal) {
    (void)s;
    return sn_shape_plane(point, normal);
}

static sn_real sphere(const sn_collider_def *s, sn_v4 point, sn_v4 *normal) {
    return sn_shape_sphere(s, point, normal);
}

static sn_real capsule(const sn_collider_def *s, sn_v4 point, sn_v4 *normal) {
    point[1] -= clamp(point[1], s->extent.y);
    sn_real away = sn_shape_unit(point, normal);
    /* Along the axis it would be as deep as before. */
    if (!(away > 0)) *normal = (sn_v4){1, 0, 0, 0};
    return away - s->radius;
}

/* Inside, the nearest side; outside, the nearest point of the box. */
static sn_real box(const sn_collider_def *s, sn_v4 point, sn_v4 *normal) {
    const sn_real extent[3] = {s->extent.x, s->extent.y, s->extent.z};
    sn_v4 out = {0};
    sn_real nearest = -SN_INFINITY;
    int side = 0;
    bool outside = false;
    for (int i = 0; i < 3; i++) {
        sn_real depth = (point[i] < 0 ? -point[i] : point[i]) - extent[i];
        out[i] = point[i] - clamp(point[i], extent[i]);
        outside = outside || depth > 0;
        if (depth > nearest) {
            nearest = depth;
            side = i;
        }
    }
    if (outside) return sn_shape_unit(out, normal) - s->radius;
    *normal = (sn_v4){0};
    (*normal)[side] = point[side] < 0 ? -1 : 1;
    return nearest - s->radius;
}

/* A rectangle in the plane of the axis and the point. */
static sn_real cylinder(const sn_collider_def *s, sn_v4 point, sn_v4 *normal) {
    sn_v4 across = {point[0], 0, point[2], 0}, away;
    sn_real round = sn_shape_unit(across, &away) - s->radius;
    if (!(sn_v4_dot(across, across) > 0)) away = (sn_v4){1, 0, 0, 0};
    sn_real height = (point[1] < 0 ? -point[1] : point[1]) - s->extent.y;
    sn_v4 up = {0, point[1] < 0 ? -1 : 1, 0, 0};
    if (round > 0 && height > 0) return sn_shape_unit(round * away + height * up, normal);
    *normal = up;
    if (round > height) *normal = away;
    return round > height ? round : height;
}

/* Those with a geometry, from all distances and as things stand between steps. */
static sn_real formed(const sn_collider_def *s, sn_v4 point, sn_v4 *normal) {
    sn_near near = {.within = INFINITY, .item = SN_BVH_NONE};
    return sn_shape_near_of(s->shape)(s, point, &near, normal);
}

sn_shape_distance *sn_shape_distance_of(sn_shape shape) {
    static sn_shape_distance *const table[] = {plane,  sphere, capsule, box,    cylinder,
                                               formed, formed, formed,  formed, formed};
    return table[shape];
}

sn_shape_near *sn_shape_near_of(sn_shape shape) {
    static sn_shape_near *const table[] = {NULL,         NULL,          NULL,
                                           NULL,         NULL,          sn_near_mesh,
                                           sn_near_mesh, sn_near_field, sn_near_heights,
                                           sn_near_parts};
    return table[shape];
}

sn_real sn_shape_trust(const sn_collider_def *s) {
    return s->form && s->form->interpolated ? SN_R(0.577) : 1;
}

double sn_shape_reach(const sn_collider_def *s) {
    double x = (double)s->extent.x, y = (double)s->extent.y, z = (double)s->extent.z;
    double r = (double)s->radius;
    switch (s->shape) {
    case SN_SHAPE_PLANE:
        return INFINITY;
    case SN_SHAPE_SPHERE:
        return r;
    case SN_SHAPE_CAPSULE:
        return y + r;
    case SN_SHAPE_BOX:
        return sqrt(x * x + y * y + z * z) + r;
    case SN_SHAPE_CYLINDER:
        return sqrt(y * y + r * r);
    default: {
        sn_bounds b = s->form->bounds;
        return sn_point_length(sn_point_higher(sn_point_scaled(b.low, -1), b.high));
    }
    }
}
