/*
 * The nearest points of a vertex and a triangle, and of two edges, as weights.
 *
 * Of two edges that are not parallel the nearest points of their lines are tried; if one of them
 * lies outside, the nearest points are an end and a point of the other edge, and all four ends are
 * tried. That is robust for edges of any length and direction, none included.
 */
#include "collision/ccd/time_of_impact.h"

#include "geometry/closest_point.h"

static void measure(sn_ccd_gap *gap, const sn_point x[4]) {
    /* Relative to the first point: weights add up to nothing, and far away nothing is lost. */
    sn_point sum = {0, 0, 0};
    for (int i = 1; i < 4; i++)
        sum = sn_point_add(sum, sn_point_scaled(sn_point_sub(x[i], x[0]), gap->weight[i]));
    gap->vector = sum;
    gap->square = sn_point_dot(sum, sum);
}

/* Where the direction is known it is not taken from the difference of two near points. */
static void measure_along(sn_ccd_gap *gap, sn_point normal, double part) {
    gap->vector = sn_point_scaled(normal, part);
    gap->square = sn_point_dot(gap->vector, gap->vector);
}

/* ---- A vertex and a triangle ---- */

/* The foot of the perpendicular. */
static sn_ccd_gap near_inside(const sn_point x[4]) {
    sn_point u = sn_point_sub(x[2], x[1]), v = sn_point_sub(x[3], x[1]);
    sn_point w = sn_point_sub(x[0], x[1]), normal = sn_point_cross(u, v);
    double square = sn_point_dot(normal, normal);
    double second = sn_point_dot(sn_point_cross(w, v), normal) / square;
    double third = sn_point_dot(sn_point_cross(u, w), normal) / square;
    sn_ccd_gap gap = {.weight = {1, -(1 - second - third), -second, -third}};
    measure_along(&gap, normal, sn_point_dot(w, normal) / square);
    return gap;
}

/* A point of the side that begins at a corner, 1 to 3. */
static sn_ccd_gap near_side(const sn_point x[4], int from) {
    sn_ccd_gap gap = {.weight = {1, 0, 0, 0}};
    int to = from % 3 + 1;
    double along = sn_closest_part(x[0], x[from], x[to]);
    gap.weight[from] = -(1 - along);
    gap.weight[to] = -along;
    measure(&gap, x);
    return gap;
}

/* Whether a triangle has so little area that its normal is a matter of rounding. */
static bool is_thin(const sn_point x[4]) {
    sn_point u = sn_point_sub(x[2], x[1]), v = sn_point_sub(x[3], x[1]);
    sn_point normal = sn_point_cross(u, v);
    double sides = sn_point_dot(u, u) * sn_point_dot(v, v);
    return !(sn_point_dot(normal, normal) > 1e-20 * sides);
}

static sn_ccd_gap near_vertex(const sn_point x[4]) {
    sn_part part = SN_PART_INSIDE;
    bool thin = is_thin(x);
    if (!thin) sn_closest_on_triangle(x[0], x[1], x[2], x[3], &part);
    if (part == SN_PART_INSIDE && !thin) return near_inside(x);
    if (!thin) return near_side(x, 1 + (int)part % 3);
    sn_ccd_gap best = near_side(x, 1);
    for (int from = 2; from <= 3; from++) {
        sn_ccd_gap gap = near_side(x, from);
        if (gap.square < best.square) best = gap;
    }
    return best;
}

/* ---- Two edges ---- */

static void try_edges(sn_ccd_gap *best, const sn_point x[4], double s, double t) {
    sn_ccd_gap gap = {.weight = {1 - s, s, -(1 - t), -t}};
    measure(&gap, x);
    if (gap.square < best->square) *best = gap;
}

/* The nearest points of the lines; false where they are outside of the edges or the lines are as
   good as parallel. */
static bool try_lines(sn_ccd_gap *best, const sn_point x[4]) {
    sn_point u = sn_point_sub(x[1], x[0]), v = sn_point_sub(x[3], x[2]);
    sn_point r = sn_point_sub(x[2], x[0]), normal = sn_point_cross(u, v);
    double square = sn_point_dot(normal, normal);
    if (!(square > 1e-24 * sn_point_dot(u, u) * sn_point_dot(v, v))) return false;
    double s = sn_point_dot(sn_point_cross(r, v), normal) / square;
    double t = sn_point_dot(sn_point_cross(r, u), normal) / square;
    if (!(s >= 0 && s <= 1 && t >= 0 && t <= 1)) return false;
    *best = (sn_ccd_gap){.weight = {1 - s, s, -(1 - t), -t}};
    measure_along(best, normal, -sn_point_dot(r, normal) / square);
    return true;
}

static sn_ccd_gap near_edges(const sn_point x[4]) {
    sn_ccd_gap best = {.square = __builtin_inf()};
    if (try_lines(&best, x)) return best;
    try_edges(&best, x, 0, sn_closest_part(x[0], x[2], x[3]));
    try_edges(&best, x, 1, sn_closest_part(x[1], x[2], x[3]));
    try_edges(&best, x, sn_closest_part(x[2], x[0], x[1]), 0);
    try_edges(&best, x, sn_closest_part(x[3], x[0], x[1]), 1);
    return best;
}

sn_ccd_gap sn_ccd_near(sn_ccd_kind kind, const sn_point x[4]) {
    return kind == SN_CROSS_VERTEX ? near_vertex(x) : near_edges(x);
}
