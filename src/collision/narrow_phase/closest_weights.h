/*
 * Nearest points of two elements, as weights of their nodes: those of the first add up to 1, those
 * of the second to -1, so that sum b_k x_k is the vector from the second to the first and b_k its
 * direction's gradient (where the weights are at their best, their own change does not count).
 *
 * Positions are relative to node 0. (Ericson, Real-time collision detection, chapter 5.)
 */
#ifndef SN_COLLISION_NARROW_PHASE_CLOSEST_WEIGHTS_H
#define SN_COLLISION_NARROW_PHASE_CLOSEST_WEIGHTS_H

#include "math/lanes.h"

#include <sinew/contact.h>

#ifdef SN_DOUBLE
#define SN_LEAST_SQUARE 1e-200
#else
#define SN_LEAST_SQUARE 1e-30f
#endif

SN_INLINE sn_lane sn_lane_clamp(sn_lane a) {
    return sn_lane_min(sn_lane_max(a, sn_lane_all(0)), sn_lane_all(1));
}

SN_INLINE void sn_nearest_on_segment(const sn_lane3 *x, sn_lane *b) {
    sn_lane3 edge = sn_lane3_sub(x[2], x[1]);
    sn_lane square = sn_lane_max(sn_lane3_dot(edge, edge), sn_lane_all(SN_LEAST_SQUARE));
    sn_lane t = sn_lane_clamp(-sn_lane3_dot(edge, x[1]) / square);
    b[0] = sn_lane_all(1);
    b[1] = t - 1;
    b[2] = -t;
}

/* Where all of three are at least zero. */
SN_INLINE sn_lane sn_lane_if_all(sn_lane a, sn_lane b, sn_lane c, sn_lane yes, sn_lane no) {
    return sn_lane_if_less(sn_lane_min(a, sn_lane_min(b, c)), sn_lane_all(0), no, yes);
}

/*
 * The regions of a triangle: its inside, three edges, three corners. Each says its shares of the
 * second and third corner as fractions with one denominator; the one that is found first counts, so
 * they are tried last to first.
 */
SN_INLINE void sn_nearest_on_triangle(const sn_lane3 *x, sn_lane *b) {
    sn_lane zero = sn_lane_all(0), one = sn_lane_all(1);
    sn_lane3 ab = sn_lane3_sub(x[2], x[1]), ac = sn_lane3_sub(x[3], x[1]);
    sn_lane d1 = -sn_lane3_dot(ab, x[1]), d2 = -sn_lane3_dot(ac, x[1]);
    sn_lane d3 = -sn_lane3_dot(ab, x[2]), d4 = -sn_lane3_dot(ac, x[2]);
    sn_lane d5 = -sn_lane3_dot(ab, x[3]), d6 = -sn_lane3_dot(ac, x[3]);
    sn_lane va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
    sn_lane v = vb, w = vc, all = (va + vb) + vc;
    sn_lane along = d4 - d3, back = d5 - d6;
    v = sn_lane_if_all(-va, along, back, back, v);
    w = sn_lane_if_all(-va, along, back, along, w);
    all = sn_lane_if_all(-va, along, back, along + back, all);
    v = sn_lane_if_all(-vb, d2, -d6, zero, v);
    w = sn_lane_if_all(-vb, d2, -d6, d2, w);
    all = sn_lane_if_all(-vb, d2, -d6, d2 - d6, all);
    v = sn_lane_if_all(d6, d6 - d5, zero, zero, v);
    w = sn_lane_if_all(d6, d6 - d5, zero, one, w);
    all = sn_lane_if_all(d6, d6 - d5, zero, one, all);
    v = sn_lane_if_all(-vc, d1, -d3, d1, v);
    w = sn_lane_if_all(-vc, d1, -d3, zero, w);
    all = sn_lane_if_all(-vc, d1, -d3, d1 - d3, all);
    v = sn_lane_if_all(d3, d3 - d4, zero, one, v);
    w = sn_lane_if_all(d3, d3 - d4, zero, zero, w);
    all = sn_lane_if_all(d3, d3 - d4, zero, one, all);
    v = sn_lane_if_all(-d1, -d2, zero, zero, v);
    w = sn_lane_if_all(-d1, -d2, zero, zero, w);
    all = sn_lane_if_all(-d1, -d2, zero, one, all);
    sn_lane inverse = one / sn_lane_max(all, sn_lane_all(SN_LEAST_SQUARE));
    v = sn_lane_clamp(v * inverse);
    w = sn_lane_min(sn_lane_clamp(w * inverse), one - v);
    b[0] = one;
    b[1] = (v + w) - one;
    b[2] = -v;
    b[3] = -w;
}

/* Where edges are parallel any of many points will do: the middle of the first is as good as
   any. */
SN_INLINE void sn_nearest_of_edges(const sn_lane3 *x, sn_lane *b) {
    sn_lane zero = sn_lane_all(0), one = sn_lane_all(1), least = sn_lane_all(SN_LEAST_SQUARE);
    sn_lane3 first = x[1], second = sn_lane3_sub(x[3], x[2]);
    sn_lane a = sn_lane_max(sn_lane3_dot(first, first), least);
    sn_lane e = sn_lane_max(sn_lane3_dot(second, second), least);
    sn_lane c = -sn_lane3_dot(first, x[2]), f = -sn_lane3_dot(second, x[2]);
    sn_lane g = sn_lane3_dot(first, second), area = a * e - g * g;
    sn_lane s = sn_lane_clamp((g * f - c * e) / sn_lane_max(area, least));
    s = sn_lane_if_less(SN_R(1e-6) * a * e, area, s, sn_lane_all(SN_R(0.5)));
    sn_lane t = (g * s + f) / e;
    sn_lane s_low = sn_lane_clamp(-c / a), s_high = sn_lane_clamp((g - c) / a);
    s = sn_lane_if_less(t, zero, s_low, sn_lane_if_less(one, t, s_high, s));
    t = sn_lane_clamp(t);
    b[0] = one - s;
    b[1] = s;
    b[2] = t - one;
    b[3] = -t;
}

/* By kind, which is a constant where this is called from a loop. Returns the vector from the second
   to the first. */
SN_INLINE sn_lane3 sn_nearest(const int kind, const sn_lane3 *x, sn_lane *b) {
    int nodes = kind == SN_CONTACT_POINT_POINT ? 2 : kind == SN_CONTACT_POINT_SEGMENT ? 3 : 4;
    if (kind == SN_CONTACT_POINT_POINT) {
        b[0] = sn_lane_all(1);
        b[1] = sn_lane_all(-1);
    } else if (kind == SN_CONTACT_POINT_SEGMENT) {
        sn_nearest_on_segment(x, b);
    } else if (kind == SN_CONTACT_POINT_TRIANGLE) {
        sn_nearest_on_triangle(x, b);
    } else {
        sn_nearest_of_edges(x, b);
    }
    sn_lane3 r = sn_lane3_scale(b[1], x[1]);
    for (int n = 2; n < nodes; n++) r = sn_lane3_add(r, sn_lane3_scale(b[n], x[n]));
    return r;
}

#endif
