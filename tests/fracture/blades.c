/*
 * Blades by their geometry: which segments they part, against crossings that are computed in
 * another way, how far they are, where they cross edges, and what they reach back.
 */
#include <math.h>

#include "check.h"
#include "fracture/cut_vertex.h"

static uint32_t state = 3;
static double number(double low, double high) {
    state = state * 1664525u + 1013904223u;
    return low + (high - low) * ((state >> 8) / 16777216.0);
}

static sn_point point_in(double reach) {
    double x = number(-reach, reach), y = number(-reach, reach);
    return (sn_point){x, y, number(-reach, reach)};
}

static sn_point along(sn_point a, sn_point b, double t) {
    return sn_point_add(a, sn_point_scaled(sn_point_sub(b, a), t));
}

/* A parallelogram with a corner and two sides. */
static sn_blade quad(sn_point at, sn_point u, sn_point v) {
    sn_blade blade = {.sweep = true};
    blade.corner[0] = at;
    blade.corner[1] = sn_point_add(at, u);
    blade.corner[2] = sn_point_add(blade.corner[1], v);
    blade.corner[3] = sn_point_add(at, v);
    return blade;
}

/* Where a line meets the plane of a parallelogram, as parts of its sides and of the line. */
static bool meets(sn_point at, sn_point u, sn_point v, sn_point p, sn_point q, double part[3]) {
    sn_point n = sn_point_cross(u, v), w = sn_point_sub(q, p);
    double height = sn_point_dot(sn_point_sub(at, p), n), rise = sn_point_dot(w, n);
    if (rise == 0) return false;
    part[2] = height / rise;
    sn_point x = sn_point_sub(along(p, q, part[2]), at);
    double square = sn_point_dot(n, n);
    part[0] = sn_point_dot(sn_point_cross(x, v), n) / square;
    part[1] = sn_point_dot(sn_point_cross(u, x), n) / square;
    return true;
}

static bool is_within(double a) {
    return a > 0 && a < 1;
}

TEST(a_sweep_parts_what_passes_through_it) {
    int parted = 0;
    for (int i = 0; i < 4000; i++) {
        sn_point at = point_in(1), u = point_in(1), v = point_in(1);
        sn_point p = point_in(1), q = point_in(1);
        sn_blade blade = quad(at, u, v);
        double part[3];
        if (!meets(at, u, v, p, q, part)) continue;
        bool expected = is_within(part[0]) && is_within(part[1]) && is_within(part[2]);
        check_case("%d: %g %g %g", i, part[0], part[1], part[2]);
        CHECK(sn_blade_parts(&blade, p, q) == expected);
        CHECK(sn_blade_parts(&blade, q, p) == expected);
        CHECK(sn_blade_intersects(&blade, p, q) == expected);
        parted += expected;
    }
    CHECK(parted > 100);
}

TEST(a_disc_parts_what_passes_through_it) {
    for (int i = 0; i < 1000; i++) {
        sn_point at = point_in(0.5), n = point_in(1), p = point_in(1), q = point_in(1);
        n = sn_point_scaled(n, 1 / sn_point_length(n));
        sn_blade blade = {.point = at, .normal = n, .radius = i % 2 ? 0.4 : INFINITY};
        double a = sn_point_dot(sn_point_sub(p, at), n), b = sn_point_dot(sn_point_sub(q, at), n);
        double t = a / (a - b), far = sn_point_length(sn_point_sub(along(p, q, t), at));
        CHECK(sn_blade_parts(&blade, p, q) == (a * b < 0 && far < blade.radius));
        CHECK_NEAR(sn_blade_distance(&blade, p), fabs(a), 1e-12);
    }
}

/* Of a sweep it is that to the box about it, which is no farther. */
TEST(distances_are_those_to_the_box) {
    for (int i = 0; i < 300; i++) {
        sn_point at = point_in(1), u = point_in(1), v = point_in(1), p = point_in(3);
        sn_blade blade = quad(at, u, v);
        double low[3], high[3], x[3] = {p.x, p.y, p.z}, square = 0;
        for (int k = 0; k < 3; k++) {
            double c[4], side[3][3] = {{at.x, at.y, at.z}, {u.x, u.y, u.z}, {v.x, v.y, v.z}};
            c[0] = side[0][k];
            c[1] = c[0] + side[1][k];
            c[2] = c[1] + side[2][k];
            c[3] = c[0] + side[2][k];
            low[k] = fmin(fmin(c[0], c[1]), fmin(c[2], c[3]));
            high[k] = fmax(fmax(c[0], c[1]), fmax(c[2], c[3]));
            square += pow(fmax(fmax(low[k] - x[k], x[k] - high[k]), 0), 2);
        }
        CHECK_NEAR(sn_blade_distance(&blade, p), sqrt(square), 1e-12);
    }
}

TEST(edges_are_crossed_between_their_tenths) {
    const double edge = 0.5;
    sn_point at = {0.1, 0.2, 0.3}, u = {2, 0, 0.5}, v = {0, 0.3, 2};
    sn_blade blade = quad(at, u, v);
    sn_point n = sn_point_cross(u, v), middle = along(blade.corner[0], blade.corner[2], 0.5);
    n = sn_point_scaled(n, 1 / sn_point_length(n));
    sn_blade_divide(&blade, edge);
    for (int i = 0; i < 500; i++) {
        double above = number(-0.5, 0.5), below = number(-0.5, 0.5), t = -1;
        sn_point aside = sn_point_cross(n, point_in(0.3));
        sn_point p = sn_point_add(middle, sn_point_scaled(n, above));
        sn_point q = sn_point_add(sn_point_add(middle, aside), sn_point_scaled(n, below));
        double part = above / (above - below);
        bool expected = above * below < 0 && fabs(above) > 0.08 * edge &&
                        fabs(below) > 0.08 * edge && part > 0.1 && part < 0.9;
        check_case("from %g to %g m", above, below);
        CHECK(sn_blade_crossing(&blade, p, q, &t) == expected);
        if (expected) CHECK_NEAR(t, part, 1e-9);
    }
}

/* A segment that did not move, or moved along itself, has passed over nothing. */
TEST(what_stands_still_crosses_nothing) {
    sn_point a = {0.1, 0.2, 0.3}, u = {2, 0, 0.5};
    for (int i = 0; i < 100; i++) {
        sn_blade blade = quad(a, u, sn_point_scaled(u, i % 2 ? 0.5 : 0));
        sn_point p = point_in(3), q = point_in(3), point, normal;
        double t;
        CHECK(!sn_blade_plane(&blade, &point, &normal));
        CHECK(!sn_blade_crossing(&blade, p, q, &t));
        CHECK(!sn_blade_parts(&blade, p, q));
        sn_blade_divide(&blade, 0.5);
        CHECK(!sn_blade_crossing(&blade, p, q, &t));
    }
}

/* Twice an edge behind where it was, along its way; the rest stays. */
TEST(a_blade_that_divides_reaches_back) {
    const double edge = 0.5;
    sn_point at = {0.1, 0.2, 0.3}, u = {2, 0, 0.5}, v = {0, 0.3, 2}, point, normal;
    sn_blade blade = quad(at, u, v), before = blade;
    double length = sn_point_length(v);
    sn_blade_divide(&blade, edge);
    for (int k = 0; k < 4; k++) {
        double back = k < 2 ? -2 * edge / length : 0;
        sn_point to = sn_point_add(before.corner[k], sn_point_scaled(v, back));
        CHECK(sn_point_length(sn_point_sub(blade.corner[k], to)) < 1e-12);
        CHECK(sn_point_length(sn_point_sub(blade.latest[k], before.corner[k])) < 1e-12);
    }
    CHECK(sn_blade_plane(&blade, &point, &normal));
    CHECK_NEAR(sn_point_length(normal), 1, 1e-12);
    CHECK_NEAR(sn_point_dot(normal, u), 0, 1e-9);
    CHECK_NEAR(sn_point_dot(normal, v), 0, 1e-9);
    CHECK_NEAR(sn_point_dot(sn_point_sub(point, at), normal), 0, 1e-9);
    sn_blade none = quad(at, u, u);
    CHECK(!sn_blade_plane(&none, &point, &normal));
}

/* Two edges behind where a sweep began, what it passed over is no longer near it, and what is
   behind by less may be waiting for others; wherever in the world all of that is. */
TEST(a_blade_leaves_what_is_far_behind_it) {
    const double edge = 0.5;
    for (int i = 0; i < 600; i++) {
        sn_point u = point_in(2), way = point_in(0.4), at = point_in(i % 2 ? 1 : 500), x[4];
        double length = sn_point_length(way), last = -INFINITY;
        sn_blade blade = quad(at, u, way);
        sn_blade_divide(&blade, edge);
        for (int k = 0; k < 4; k++) {
            double along_way = number(-0.4, 0.1), aside = number(-1, 1);
            sn_point across = sn_point_cross(way, point_in(1));
            sn_point from = sn_point_add(along(blade.latest[0], blade.latest[1], 0.5),
                                         sn_point_scaled(way, along_way / length));
            x[k] = sn_point_add(from, sn_point_scaled(across, aside));
            last = fmax(last, along_way);
        }
        check_case("%d: %g m from where it began", i, last);
        CHECK(sn_blade_has_left(&blade, x, 4) == (last <= -0.5 * edge));
    }
    sn_blade disc = {.normal = {1, 0, 0}, .radius = 1};
    sn_point behind = {-9, 0, 0};
    CHECK(!sn_blade_has_left(&disc, &behind, 1));
}

TESTS(RUN(a_sweep_parts_what_passes_through_it), RUN(a_disc_parts_what_passes_through_it),
      RUN(distances_are_those_to_the_box), RUN(edges_are_crossed_between_their_tenths),
      RUN(what_stands_still_crosses_nothing), RUN(a_blade_that_divides_reaches_back),
      RUN(a_blade_leaves_what_is_far_behind_it))
