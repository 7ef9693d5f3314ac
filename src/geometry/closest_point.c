/*
 * Ericson, Real-Time Collision Detection, 5.1.5: which part is nearest follows from the signs of
 * barycentric coordinates, each of which is a difference of products of projections.
 */
#include "geometry/closest_point.h"

/* The point at a fraction between two. */
static sn_point between(sn_point a, sn_point b, double part) {
    return sn_point_add(a, sn_point_scaled(sn_point_sub(b, a), part));
}

/* The nearest of the points on the three sides; corners are told by where the projection falls. */
static sn_point on_sides(sn_point x, const sn_point corner[3], sn_part *where) {
    double nearest = __builtin_inf();
    sn_point found = corner[0];
    for (int k = 0; k < 3; k++) {
        double part;
        sn_point y = sn_closest_on_segment(x, corner[k], corner[(k + 1) % 3], &part);
        sn_point d = sn_point_sub(y, x);
        double square = sn_point_dot(d, d);
        if (!(square < nearest)) continue;
        nearest = square;
        found = y;
        *where = part == 0   ? (sn_part)(SN_PART_CORNER_0 + k)
                 : part == 1 ? (sn_part)(SN_PART_CORNER_0 + (k + 1) % 3)
                             : (sn_part)(SN_PART_SIDE_0 + k);
    }
    return found;
}

sn_point sn_closest_on_triangle(sn_point x, sn_point a, sn_point b, sn_point c, sn_part *part) {
    sn_part unused, *where = part ? part : &unused;
    sn_point ab = sn_point_sub(b, a), ac = sn_point_sub(c, a);
    sn_point ax = sn_point_sub(x, a), bx = sn_point_sub(x, b), cx = sn_point_sub(x, c);
    double d1 = sn_point_dot(ab, ax), d2 = sn_point_dot(ac, ax);
    *where = SN_PART_CORNER_0;
    if (d1 <= 0 && d2 <= 0) return a;
    double d3 = sn_point_dot(ab, bx), d4 = sn_point_dot(ac, bx);
    *where = SN_PART_CORNER_1;
    if (d3 >= 0 && d4 <= d3) return b;
    double vc = d1 * d4 - d3 * d2;
    *where = SN_PART_SIDE_0;
    if (vc <= 0 && d1 >= 0 && d3 <= 0 && d1 - d3 > 0) return between(a, b, d1 / (d1 - d3));
    double d5 = sn_point_dot(ab, cx), d6 = sn_point_dot(ac, cx);
    *where = SN_PART_CORNER_2;
    if (d6 >= 0 && d5 <= d6) return c;
    double vb = d5 * d2 - d1 * d6;
    *where = SN_PART_SIDE_2;
    if (vb <= 0 && d2 >= 0 && d6 <= 0 && d2 - d6 > 0) return between(a, c, d2 / (d2 - d6));
    double va = d3 * d6 - d5 * d4, e = d4 - d3, f = d5 - d6;
    *where = SN_PART_SIDE_1;
    if (va <= 0 && e >= 0 && f >= 0 && e + f > 0) return between(b, c, e / (e + f));
    *where = SN_PART_INSIDE;
    double sum = va + vb + vc;
    if (!(va > 0 && vb > 0 && vc > 0 && sum > 0)) return on_sides(x, (sn_point[3]){a, b, c}, where);
    return sn_point_add(a,
                        sn_point_add(sn_point_scaled(ab, vb / sum), sn_point_scaled(ac, vc / sum)));
}

static double clamp(double a) {
    return a < 0 ? 0 : a > 1 ? 1 : a;
}

void sn_closest_shares(const sn_point c[3], sn_point x, double share[3]) {
    sn_point e = sn_point_sub(c[1], c[0]), f = sn_point_sub(c[2], c[0]), g = sn_point_sub(x, c[0]);
    double ee = sn_point_dot(e, e), ef = sn_point_dot(e, f), ff = sn_point_dot(f, f);
    double ge = sn_point_dot(g, e), gf = sn_point_dot(g, f), det = ee * ff - ef * ef;
    if (det > 1e-24 * ee * ff) {
        share[1] = clamp((ff * ge - ef * gf) / det);
        share[2] = clamp((ee * gf - ef * ge) / det);
        if (share[1] + share[2] > 1) share[2] = 1 - share[1];
        share[0] = 1 - share[1] - share[2];
        return;
    }
    sn_point h = sn_point_sub(c[2], c[1]);
    double hh = sn_point_dot(h, h);
    int a = hh > ee && hh > ff ? 1 : 0, b = ee >= ff && ee >= hh ? 1 : 2;
    share[0] = share[1] = share[2] = 0;
    share[b] = sn_closest_part(x, c[a], c[b]);
    share[a] = 1 - share[b];
}
