/*
 * Where segments are closest to capsules, balls and planes, beside a search in double: segments
 * that are crossed, almost parallel, parallel, on one line, or points, of all sizes.
 */
#include "check.h"

#include "collision/shapes/shape_segment.h"

#include <sinew/sinew.h>

#include <math.h>

/* What rounding, of which lines may be taken for parallel, may do to a distance, of the size of
   all. */
static const double ROUNDING = sizeof(sn_real) == 4 ? 1e-6 : 2e-15;

static uint32_t state = 1;
static double number(double low, double high) {
    state = state * 1664525u + 1013904223u;
    return low + (high - low) * ((state >> 8) / 16777216.0);
}

static sn_v4 vector(double x, double y, double z) {
    return (sn_v4){(sn_real)x, (sn_real)y, (sn_real)z, 0};
}

static sn_collider_def capsule(double half, double radius) {
    sn_collider_def def = sn_collider_def_default();
    def.shape = SN_SHAPE_CAPSULE;
    def.extent.y = (sn_real)half;
    def.radius = (sn_real)radius;
    return def;
}

static double core_distance(double half, sn_v4 from, sn_v4 along, double t) {
    double x[3];
    for (int k = 0; k < 3; k++) x[k] = (double)from[k] + t * (double)along[k];
    x[1] -= fmax(-half, fmin(half, x[1]));
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

/* The least of a convex function. */
static double searched(double half, sn_v4 from, sn_v4 along) {
    double low = 0, high = 1;
    for (int i = 0; i < 150; i++) {
        double a = low + (high - low) / 3, b = high - (high - low) / 3;
        if (core_distance(half, from, along, a) < core_distance(half, from, along, b))
            high = b;
        else
            low = a;
    }
    double ends = fmin(core_distance(half, from, along, 0), core_distance(half, from, along, 1));
    return fmin(core_distance(half, from, along, (low + high) / 2), ends);
}

static void compare(double half, sn_v4 from, sn_v4 along) {
    const sn_collider_def def = capsule(half, 0.1);
    const double at = (double)sn_shape_closest_along(&def, 0, from, along);
    const double size =
        half + sqrt((double)sn_v4_dot(from, from)) + sqrt((double)sn_v4_dot(along, along));
    CHECK(at >= 0 && at <= 1);
    CHECK_NEAR(core_distance((double)def.extent.y, from, along, at),
               searched((double)def.extent.y, from, along), ROUNDING * size);
}

TEST(segments_are_closest_to_capsules_where_a_search_says) {
    for (int i = 0; i < 2000; i++) {
        double size = pow(10, number(-3, 3)), half = size * number(0, 1);
        sn_v4 from = vector(number(-size, size), number(-size, size), number(-size, size));
        sn_v4 along = vector(number(-size, size), number(-size, size), number(-size, size));
        compare(half, from, along);
        compare(0, from, along);
        /* Down to what is parallel but for rounding, and beyond. */
        double tilt = pow(10, number(-20, 0));
        along[0] *= (sn_real)tilt;
        along[2] *= (sn_real)tilt;
        compare(half, from, along);
        compare(half, from, vector(0, (double)along[1], 0));
        compare(half, vector(0, (double)from[1], 0), along);
        compare(half, from, vector((double)along[0], 0, (double)along[2]));
        compare(half, from, vector(0, 0, 0));
    }
}

TEST(crossed_segments_are_closest_where_they_cross) {
    const sn_collider_def def = capsule(1, 0.1);
    CHECK_NEAR(sn_shape_closest_along(&def, 0, vector(-1, 0.5, 0.3), vector(4, 0.1, 0)), 0.25,
               ROUNDING);
    /* Through the axis, and past an end of it. */
    CHECK_NEAR(sn_shape_closest_along(&def, 0, vector(-3, -1, 0), vector(4, 1, 0)), 0.75, ROUNDING);
    CHECK_NEAR(sn_shape_closest_along(&def, 0, vector(-1, 2, 0), vector(4, 0, 0)), 0.25, ROUNDING);
    CHECK_NEAR(sn_shape_closest_along(&def, 0, vector(-1, -2, 0), vector(4, 0, 0)), 0.25, ROUNDING);
    /* Ends of the segment. */
    CHECK(sn_shape_closest_along(&def, 0, vector(1, 0, 0), vector(1, 0, 1)) == 0);
    CHECK(sn_shape_closest_along(&def, 0, vector(2, 0, 1), vector(-1, 0, -1)) == 1);
}

TEST(parallel_segments_are_closest_in_the_middle_of_what_is_beside) {
    const sn_collider_def def = capsule(1, 0.1);
    /* All of it; half of it, either way; and more than there is. */
    CHECK_NEAR(sn_shape_closest_along(&def, 0, vector(1, -0.5, 0), vector(0, 1, 0)), 0.5, 1e-6);
    CHECK_NEAR(sn_shape_closest_along(&def, 0, vector(1, 0, 0), vector(0, 2, 0)), 0.25, 1e-6);
    CHECK_NEAR(sn_shape_closest_along(&def, 0, vector(1, 2, 0), vector(0, -2, 0)), 0.75, 1e-6);
    CHECK_NEAR(sn_shape_closest_along(&def, 0, vector(1, -2, 0), vector(0, 4, 0)), 0.5, 1e-6);
    /* Turned by what rounding is. */
    CHECK_NEAR(sn_shape_closest_along(&def, 0, vector(1, 0, 0), vector(ROUNDING, 2, 0)), 0.25,
               1e-6);
    /* Beyond the ends, beside the line and on it: the end that is closer. */
    for (int i = 0; i < 2; i++) {
        CHECK(sn_shape_closest_along(&def, 0, vector(i, 2, 0), vector(0, 1, 0)) == 0);
        CHECK(sn_shape_closest_along(&def, 0, vector(i, 3, 0), vector(0, -1, 0)) == 1);
        CHECK(sn_shape_closest_along(&def, 0, vector(i, -3, 0), vector(0, 1, 0)) == 1);
    }
}

TEST(balls_and_planes_are_known_as_well) {
    sn_collider_def def = sn_collider_def_default();
    def.shape = SN_SHAPE_SPHERE;
    CHECK_NEAR(sn_shape_closest_along(&def, 0, vector(-1, 2, 3), vector(4, 0, 0)), 0.25, ROUNDING);
    def.shape = SN_SHAPE_PLANE;
    CHECK(sn_shape_closest_along(&def, 0, vector(-1, 2, 3), vector(4, -1, 0)) == 1);
    CHECK(sn_shape_closest_along(&def, 0, vector(-1, 2, 3), vector(4, 1, 0)) == 0);
}

/* Other shapes are searched, and parts of compounds are in frames of their own. */
TEST(parts_are_where_they_are) {
    sn_collider_def part[2] = {capsule(0.5, 0.1), sn_collider_def_default()};
    part[1].shape = SN_SHAPE_BOX;
    part[1].extent = (sn_vec3){SN_R(0.1), SN_R(0.5), SN_R(0.1)};
    part[1].radius = 0;
    sn_collider_geometry form = {.pieces = part, .part_count = 2};
    sn_collider_def def = sn_collider_def_default();
    def.shape = SN_SHAPE_COMPOUND;
    def.form = &form;
    for (int i = 0; i < 2; i++) {
        part[i].position = (sn_vec3){SN_R(0.5), 1, 0};
        part[i].orientation = (sn_quat){0, 0, SN_R(0.70710678), SN_R(0.70710678)}; /* along x */
    }
    /* The core goes from x = 0 to 1 at a height of 1, and the line past its end; another passes the
       edge of the box at a height of 1.1. */
    CHECK_NEAR(sn_shape_closest_along(&def, 1, vector(2, 0, 0), vector(0, 4, 0)), 0.25, 1e-6);
    CHECK_NEAR(sn_shape_closest_along(&def, 2, vector(0.5, 2.3, -0.7), vector(0, -4, 4)), 0.25,
               4e-3);
}

TESTS(RUN(segments_are_closest_to_capsules_where_a_search_says),
      RUN(crossed_segments_are_closest_where_they_cross),
      RUN(parallel_segments_are_closest_in_the_middle_of_what_is_beside),
      RUN(balls_and_planes_are_known_as_well), RUN(parts_are_where_they_are))
