#include "collision/shapes/shape_segment.h"

#include "math/quaternion.h"

/* rad: what is left of an angle when both directions were turned a few times. */
#ifdef SN_DOUBLE
#define PARALLEL 2e-15
#else
#define PARALLEL 1e-6f
#endif

static sn_real clamp(sn_real a) {
    return a < 0 ? 0 : a > 1 ? 1 : a;
}

/* Where the line is closest to a point of the axis of y; `square` is that of its direction. */
static sn_real to_point(sn_v4 from, sn_v4 along, sn_real square, sn_real height) {
    from[1] -= height;
    return clamp(-sn_v4_dot(from, along) / square);
}

/*
 * Of lines that go along the axis: the middle of what is beside it; where nothing is, the end that
 * is closer. `half` is that of the axis.
 */
static sn_real beside(sn_real from, sn_real along, sn_real half) {
    sn_real a = clamp((-half - from) / along), b = clamp((half - from) / along);
    return SN_R(0.5) * (a + b);
}

/*
 * To the segment of the axis of y that is the core of a capsule; that of a ball has no length.
 *
 * The square of the distance is convex: beside the core it is that from the axis, which only
 * components across it know of, and beyond an end that from this end. The least of it from the axis
 * says which of them it is: if that is beyond an end, then so is the least of all. Parallel lines
 * are told by the components across, which are as exact as the direction is; a determinant of dot
 * products would have lost half of the digits.
 */
static sn_real to_core(sn_v4 from, sn_v4 along, sn_real half) {
    sn_v4 across = {along[0], 0, along[2], 0};
    sn_real square = sn_v4_dot(along, along), aside = sn_v4_dot(across, across);
    if (!(square > 0)) return 0;
    if (!(aside > PARALLEL * PARALLEL * square)) return beside(from[1], along[1], half);
    sn_real at = -sn_v4_dot(from, across) / aside, height = from[1] + at * along[1];
    if (height > half) return to_point(from, along, square, half);
    if (height < -half) return to_point(from, along, square, -half);
    return clamp(at);
}

/* The distance from what is convex has one least value along a line: the segment is cut in four,
   and what is around the least of them in three, again and again. */
static sn_real search(const sn_collider_def *s, sn_v4 from, sn_v4 along) {
    sn_v4 normal;
    sn_real best = SN_INFINITY, low = 0, high = 1, at = 0;
    for (int k = 0; k <= 4; k++) {
        sn_real far = sn_shape_distance_at(s, from + SN_R(0.25) * (sn_real)k * along, &normal);
        if (!(far < best)) continue;
        best = far;
        at = SN_R(0.25) * (sn_real)k;
    }
    if (at > 0) low = at - SN_R(0.25);
    if (at < 1) high = at + SN_R(0.25);
    for (int round = 0; round < 12; round++) {
        sn_real third = (high - low) / 3;
        bool lower = sn_shape_distance_at(s, from + (low + third) * along, &normal) <
                     sn_shape_distance_at(s, from + (high - third) * along, &normal);
        if (lower) high -= third;
        if (!lower) low += third;
    }
    return SN_R(0.5) * (low + high);
}

sn_real sn_shape_closest_along(const sn_collider_def *s, uint32_t part, sn_v4 from, sn_v4 along) {
    if (part) {
        s = &s->form->pieces[part - 1];
        sn_v4 q = {s->orientation.x, s->orientation.y, s->orientation.z, s->orientation.w};
        from = sn_quat_rotate_back(q, from - sn_v4_of(s->position));
        along = sn_quat_rotate_back(q, along);
    }
    switch (s->shape) {
    case SN_SHAPE_PLANE:
        return along[1] < 0 ? 1 : 0;
    case SN_SHAPE_SPHERE:
        return to_core(from, along, 0);
    case SN_SHAPE_CAPSULE:
        return to_core(from, along, s->extent.y);
    default:
        return search(s, from, along);
    }
}
