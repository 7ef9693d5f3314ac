/*
 * The nearest points of elements of every kind and size, beside those that are found by looking at
 * the inside and at every border of them one by one, in double.
 */
#define SN_LANES 1
#include "collision/narrow_phase/closest_weights.h"

#include <math.h>

#include "check.h"

typedef struct point {
    double x, y, z;
} point;

static uint32_t seed = 1;

/* From -1 to 1. */
static double number(void) {
    seed = seed * 1664525u + 1013904223u;
    return (double)(seed >> 8) / 8388608 - 1;
}

static point minus(point a, point b) {
    return (point){a.x - b.x, a.y - b.y, a.z - b.z};
}

static double dot(point a, point b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static point between(point a, point b, double t) {
    return (point){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z)};
}

static double clamp(double t) {
    return t > 0 ? t < 1 ? t : 1 : 0;
}

/* ---- By every border ---- */

static double from_segment(point p, point a, point b) {
    point along = minus(b, a);
    double square = dot(along, along), t = square > 0 ? dot(minus(p, a), along) / square : 0;
    point off = minus(p, between(a, b, clamp(t)));
    return sqrt(dot(off, off));
}

static double from_triangle(point p, point a, point b, point c) {
    double best = fmin(from_segment(p, a, b), fmin(from_segment(p, b, c), from_segment(p, c, a)));
    point u = minus(b, a), v = minus(c, a), w = minus(p, a);
    double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), det = uu * vv - uv * uv;
    double s = (dot(w, u) * vv - dot(w, v) * uv) / det, t = (dot(w, v) * uu - dot(w, u) * uv) / det;
    if (!(s > 0 && t > 0 && s + t < 1)) return best;
    point off =
        minus(minus(w, (point){s * u.x, s * u.y, s * u.z}), (point){t * v.x, t * v.y, t * v.z});
    return fmin(best, sqrt(dot(off, off)));
}

static double of_edges(point a, point b, point c, point d) {
    double best = fmin(fmin(from_segment(a, c, d), from_segment(b, c, d)),
                       fmin(from_segment(c, a, b), from_segment(d, a, b)));
    point u = minus(b, a), v = minus(d, c), w = minus(a, c);
    double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), det = uu * vv - uv * uv;
    double s = (uv * dot(v, w) - vv * dot(u, w)) / det, t = (uu * dot(v, w) - uv * dot(u, w)) / det;
    if (!(s > 0 && s < 1 && t > 0 && t < 1)) return best;
    point off = minus(between(a, b, s), between(c, d, t));
    return fmin(best, sqrt(dot(off, off)));
}

static double expected(int kind, const point x[4]) {
    switch (kind) {
    case SN_CONTACT_POINT_POINT:
        return sqrt(dot(minus(x[0], x[1]), minus(x[0], x[1])));
    case SN_CONTACT_POINT_SEGMENT:
        return from_segment(x[0], x[1], x[2]);
    case SN_CONTACT_POINT_TRIANGLE:
        return from_triangle(x[0], x[1], x[2], x[3]);
    default:
        return of_edges(x[0], x[1], x[2], x[3]);
    }
}

/* ---- As the library finds them ---- */

/* m: how far the others are from the first of some points. */
static double largest(const point *x, int count) {
    double most = 0;
    for (int n = 1; n < count; n++) most = fmax(most, dot(minus(x[n], x[0]), minus(x[n], x[0])));
    return sqrt(most);
}

/* Weights, and where the points are by them; the distance between them. */
static double found(int kind, const point x[4], double weight[4]) {
    const int nodes[] = {2, 3, 4, 4}, first = kind == SN_CONTACT_EDGE_EDGE ? 2 : 1;
    sn_lane3 at[4] = {{0, 0, 0}};
    sn_lane b[4];
    double sum[2] = {0, 0}, far = largest(x, nodes[kind]);
    for (int n = 1; n < nodes[kind]; n++)
        at[n] = (sn_lane3){(sn_real)(x[n].x - x[0].x), (sn_real)(x[n].y - x[0].y),
                           (sn_real)(x[n].z - x[0].z)};
    sn_lane3 r = sn_nearest(kind, at, b);
    point sight = {0, 0, 0};
    for (int n = 0; n < nodes[kind]; n++) {
        double share = weight[n] = (double)b[n];
        sum[n >= first] += share;
        CHECK(n < first ? share >= 0 && share <= 1 : share <= 0 && share >= -1);
        sight = (point){sight.x + share * (x[n].x - x[0].x), sight.y + share * (x[n].y - x[0].y),
                        sight.z + share * (x[n].z - x[0].z)};
    }
    CHECK_NEAR(sum[0], 1, 1e-6);
    CHECK_NEAR(sum[1], -1, 1e-6);
    CHECK_NEAR(r.x, sight.x, 1e-6 * far);
    CHECK_NEAR(r.y, sight.y, 1e-6 * far);
    CHECK_NEAR(r.z, sight.z, 1e-6 * far);
    return sqrt(dot(sight, sight));
}

/* Four points of which the first element is of one size and the second of another, as far from each
   other as they are large. */
static void place(int kind, double own, double other, point x[4]) {
    const int first = kind == SN_CONTACT_EDGE_EDGE ? 2 : 1;
    double far = 0.7 * (own > other ? own : other);
    point apart = {far * number(), far * number(), far * number()};
    for (int n = 0; n < 4; n++) {
        double size = n < first ? own : other;
        x[n] = (point){size * number(), size * number(), size * number()};
        if (n >= first) x[n] = (point){x[n].x + apart.x, x[n].y + apart.y, x[n].z + apart.z};
    }
}

/* Edges that are nearly parallel have many points that are nearly the nearest. */
static bool is_clear(int kind, const point x[4]) {
    point u = kind == SN_CONTACT_EDGE_EDGE ? minus(x[1], x[0]) : minus(x[2], x[1]);
    point v = kind == SN_CONTACT_EDGE_EDGE ? minus(x[3], x[2]) : minus(x[3], x[1]);
    double uv = dot(u, v), all = dot(u, u) * dot(v, v);
    return kind < SN_CONTACT_POINT_TRIANGLE || all - uv * uv > 1e-3 * all;
}

TEST(points_are_the_nearest) {
    for (int kind = 0; kind < 4; kind++)
        for (int own = -4; own <= 3; own++)
            for (int other = own - 1; other <= own + 1; other++)
                for (int i = 0; i < 300; i++) {
                    point x[4];
                    double weight[4];
                    place(kind, pow(10, own), pow(10, other), x);
                    check_case("kind %d, 10^%d and 10^%d m, %d", kind, own, other, i);
                    double distance = found(kind, x, weight);
                    if (is_clear(kind, x))
                        CHECK_NEAR(distance, expected(kind, x), 3e-5 * largest(x, 4));
                }
}

/* Beside each other, one after the other, and against each other. */
TEST(parallel_edges_have_their_distance) {
    for (int size = -3; size <= 3; size++)
        for (int i = 0; i < 200; i++) {
            point x[4], u;
            double weight[4], unit = pow(10, size), long_by = 0.3 + fabs(number());
            place(SN_CONTACT_EDGE_EDGE, unit, unit, x);
            u = minus(x[1], x[0]);
            if (i % 2) long_by = -long_by;
            x[3] = (point){x[2].x + long_by * u.x, x[2].y + long_by * u.y, x[2].z + long_by * u.z};
            check_case("10^%d m, %d", size, i);
            CHECK_NEAR(found(SN_CONTACT_EDGE_EDGE, x, weight), expected(SN_CONTACT_EDGE_EDGE, x),
                       1e-4 * largest(x, 4));
        }
}

/* What has no size has weights as well. */
TEST(elements_without_a_size_are_no_trouble) {
    for (int kind = 1; kind < 4; kind++)
        for (int all = 0; all < 2; all++) {
            point x[4];
            double weight[4];
            place(kind, 1, 1, x);
            const int first = kind == SN_CONTACT_EDGE_EDGE ? 2 : 1;
            for (int n = first + 1; n < 4; n++) x[n] = x[first];
            for (int n = 1; n < 4 && all; n++) x[n] = x[0];
            check_case("kind %d, all in one place %d", kind, all);
            double distance = found(kind, x, weight);
            CHECK(distance <= sqrt(dot(minus(x[0], x[first]), minus(x[0], x[first]))) * 1.00001);
        }
}

TESTS(RUN(points_are_the_nearest), RUN(parallel_edges_have_their_distance),
      RUN(elements_without_a_size_are_no_trouble))
