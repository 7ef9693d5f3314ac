/*
 * Crossings of edges and triangles, and the first time at which moving ones meet, against brute
 * force: sampling, exact numbers in integers, formulas.
 */
#include "check.h"
#include "collision/ccd/time_of_impact.h"

#include <sinew/sinew.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t state;

/* From -1 to 1, as a float has it. */
static double number(void) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(float)((double)(int64_t)(state >> 11) / 4503599627370496.0 - 1);
}

static int pick(int most) {
    number();
    return (int)((state >> 33) % (uint64_t)most);
}

static sn_point point(double size) {
    return (sn_point){size * number(), size * number(), size * number()};
}

/* ---- Signs ---- */

/* Whole numbers up to 2^20: the determinant fits 64 bits, and many are zero. */
static sn_point lattice(int64_t out[3], int size) {
    for (int k = 0; k < 3; k++) out[k] = pick(2 * size + 1) - size;
    return (sn_point){(double)out[0], (double)out[1], (double)out[2]};
}

static int64_t whole_det(int64_t x[4][3]) {
    int64_t u[3], v[3], w[3];
    for (int k = 0; k < 3; k++) {
        u[k] = x[1][k] - x[0][k];
        v[k] = x[2][k] - x[0][k];
        w[k] = x[3][k] - x[0][k];
    }
    return u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) +
           u[2] * (v[0] * w[1] - v[1] * w[0]);
}

TEST(signs_are_exact) {
    int wrong = 0, zeros = 0;
    for (int i = 0; i < 400000; i++) {
        int64_t whole[4][3];
        sn_point x[4];
        for (int k = 0; k < 4; k++) x[k] = lattice(whole[k], i % 2 ? 2 : 500000);
        /* In the plane of the others, or next to it. */
        if (i % 4 == 0) {
            for (int k = 0; k < 3; k++)
                whole[3][k] = whole[0][k] + whole[1][k] - whole[2][k] + (i % 8 == 0 && k == 0);
            x[3] = (sn_point){(double)whole[3][0], (double)whole[3][1], (double)whole[3][2]};
        }
        int64_t det = whole_det(whole);
        int sign = det > 0 ? 1 : det < 0 ? -1 : 0;
        zeros += sign == 0;
        wrong += sn_ccd_side(x[0], x[1], x[2], x[3]) != sign;
        wrong += sn_ccd_side(x[1], x[0], x[2], x[3]) != -sign;
    }
    CHECK(wrong == 0);
    CHECK(zeros > 50000);
}

/* The same, a billionth of their distance from the origin apart: differences are exact in none of
   them, but moving everything by a power of two is. */
TEST(signs_far_from_the_origin) {
    int wrong = 0;
    for (int i = 0; i < 100000; i++) {
        int64_t whole[4][3];
        sn_point x[4];
        for (int k = 0; k < 4; k++) {
            x[k] = lattice(whole[k], 3);
            x[k] = sn_point_add(sn_point_scaled(x[k], 1.0 / 4194304), (sn_point){1, -2, 4});
        }
        int64_t det = whole_det(whole);
        wrong += sn_ccd_side(x[0], x[1], x[2], x[3]) != (det > 0 ? 1 : det < 0 ? -1 : 0);
    }
    CHECK(wrong == 0);
}

/* x, y and z go to the places `by` farther. */
static sn_point shifted(double x, double y, double z, int by) {
    const double at[3] = {x, y, z};
    return (sn_point){at[(3 - by) % 3], at[(4 - by) % 3], at[(5 - by) % 3]};
}

/* Of numbers of Fibonacci, F(n - 1) F(n + 1) - F(n)^2 is 1 and -1 in turn, and the products are
   rounded by far more than that. Beside them, a point that is hardly out of a plane of two axes. */
TEST(signs_of_what_rounding_hides) {
    const sn_point zero = {0, 0, 0};
    for (int by = 0; by < 3; by++) {
        double f[3] = {1, 1, 2}, expected = 1;
        for (int n = 2; f[2] < 9007199254740992.0; n++, expected = -expected) {
            sn_point u = shifted(0, 0, 1, by), v = shifted(f[0], f[1], 0, by);
            sn_point w = shifted(f[1], f[2], 0, by);
            check_case("axes by %d, number %d", by, n);
            CHECK(sn_ccd_side(zero, u, v, w) == (int)expected);
            CHECK(sn_ccd_side(zero, v, w, u) == (int)expected);
            CHECK(sn_ccd_side(zero, w, u, v) == (int)expected);
            /* Elsewhere too, where numbers of one axis are those of another. */
            for (int t = 1; t < 8 && f[2] < 1e15; t++) {
                sn_point to = {t & 1, t >> 1 & 1, t >> 2};
                CHECK(sn_ccd_side(to, sn_point_add(u, to), sn_point_add(v, to),
                                  sn_point_add(w, to)) == (int)expected);
            }
            f[0] = f[1], f[1] = f[2], f[2] = f[0] + f[1];
        }
        sn_point b = shifted(0, 1, 0, by), c = shifted(0, 0, 1, by);
        for (int sign = -1; sign < 2; sign++)
            CHECK(sn_ccd_side(zero, b, c, shifted(1e-301 * sign, 0.25, 0.25, by)) == sign);
    }
}

/* On the plane z = x + 1, where neither axis nor origin lie and hardly any difference along y is
   exact: on which side a point is that is out of it by the least that there is. */
TEST(signs_beside_a_plane) {
    uint32_t seed = 5;
    int wrong = 0;
    for (int i = 0; i < 20000; i++) {
        sn_point x[4];
        double r[4][2];
        for (int n = 0; n < 4; n++) {
            for (int k = 0; k < 2; k++) {
                seed = seed * 1664525u + 1013904223u;
                r[n][k] = (double)(seed >> 8) / 16777216 - 0.5;
            }
            double y = ldexp(r[n][1] / 3, 3 * n);
            x[n] = (sn_point){r[n][0], y, r[n][0] + 1};
        }
        double nz = (x[1].x - x[0].x) * (x[2].y - x[0].y) - (x[1].y - x[0].y) * (x[2].x - x[0].x);
        if (fabs(nz) < 1e-6) continue;
        int out = i % 3 - 1;
        x[3].z = out == 0 ? x[3].z : nextafter(x[3].z, 10.0 * out);
        int sign = nz > 0 ? out : -out;
        wrong += sn_ccd_side(x[0], x[1], x[2], x[3]) != sign;
        wrong += sn_ccd_side(x[1], x[0], x[2], x[3]) != -sign;
        wrong += sn_ccd_side(x[2], x[0], x[1], x[3]) != sign;
    }
    CHECK(wrong == 0);
}

/* ---- Segments and triangles ---- */

TEST(a_segment_passes_through_a_triangle) {
    const sn_point t[3] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
    CHECK(sn_ccd_segment((sn_point){0.2, 1, 0.2}, (sn_point){0.2, -1, 0.2}, t));
    CHECK(sn_ccd_segment((sn_point){0.2, -1, 0.2}, (sn_point){0.2, 1, 0.2}, t));
    CHECK(!sn_ccd_segment((sn_point){0.2, 1, 0.2}, (sn_point){0.2, 0.1, 0.2}, t));
    CHECK(!sn_ccd_segment((sn_point){0.7, 1, 0.7}, (sn_point){0.7, -1, 0.7}, t));
    /* In the plane, through it, and of no length. */
    CHECK(!sn_ccd_segment((sn_point){-1, 0, 0.2}, (sn_point){1, 0, 0.2}, t));
    CHECK(!sn_ccd_segment((sn_point){0, 0, 0}, (sn_point){1, 0, 0}, t));
    CHECK(!sn_ccd_segment((sn_point){0.2, 0, 0.2}, (sn_point){0.2, 0, 0.2}, t));
    const sn_point flat[3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    CHECK(!sn_ccd_segment((sn_point){0.5, 1, 0}, (sn_point){0.5, -1, 0}, flat));
    CHECK(!sn_ccd_segment((sn_point){0.5, 1, 0}, (sn_point){0.5, -1, 0},
                          (const sn_point[3]){{0.5, 0, 0}, {0.5, 0, 0}, {0.5, 0, 0}}));
}

/* From -2 to 2. */
static double whole(unsigned *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)((int)((*seed >> 24) % 5) - 2);
}

static sn_point mapped(const sn_point m[3], sn_point a) {
    return (sn_point){sn_point_dot(m[0], a), sn_point_dot(m[1], a), sn_point_dot(m[2], a)};
}

/* Rays from a fan of triangles around a corner through all lattice points of it: whoever goes
   through sides and corners still goes through just one triangle. */
TEST(a_closed_fan_is_met_once) {
    const sn_point rim[8] = {{4, 0, 0},  {4, 1, 4},   {0, -1, 4}, {-4, 0, 4},
                             {-4, 0, 0}, {-4, 2, -4}, {0, 0, -4}, {4, -1, -4}};
    int wrong = 0, through = 0;
    for (int x = -3; x <= 3; x++)
        for (int z = -3; z <= 3; z++)
            for (int lean = -2; lean <= 2; lean++) {
                sn_point from = {x + lean, 8, z - lean}, to = {x - lean, -8, z + lean};
                int met = 0;
                for (int k = 0; k < 8; k++) {
                    const sn_point t[3] = {{0, 0, 0}, rim[k], rim[(k + 1) % 8]};
                    met += sn_ccd_segment(from, to, t);
                    /* Neither direction nor where the triangle begins matters. */
                    const sn_point turned[3] = {t[2], t[0], t[1]}, other[3] = {t[1], t[0], t[2]};
                    wrong += sn_ccd_segment(to, from, t) != sn_ccd_segment(from, to, t);
                    wrong += sn_ccd_segment(from, to, turned) != sn_ccd_segment(from, to, t);
                    wrong += sn_ccd_segment(from, to, other) != sn_ccd_segment(from, to, t);
                }
                wrong += met != 1;
                through += met;
            }
    CHECK(wrong == 0);
    CHECK(through == 7 * 7 * 5);
}

/* The same, as whole numbers map it: that changes no crossing, and makes ties of all kinds. */
TEST(a_mapped_fan_is_met_once) {
    const sn_point rim[6] = {{4, 0, 0},  {4, 1, 4},   {-4, 0, 4},
                             {-4, 2, 0}, {-4, 0, -4}, {4, -1, -4}};
    unsigned seed = 5;
    int wrong = 0, maps = 0;
    while (maps < 40) {
        sn_point m[3];
        for (int i = 0; i < 3; i++) {
            double x = whole(&seed), y = whole(&seed);
            m[i] = (sn_point){x, y, whole(&seed)};
        }
        if (sn_point_det((sn_point){0, 0, 0}, m[0], m[1], m[2]) == 0) continue;
        maps++;
        for (int x = -2; x <= 2; x++)
            for (int z = -2; z <= 2; z++)
                for (int lean = -1; lean <= 1; lean++) {
                    sn_point from = mapped(m, (sn_point){x + lean, 8, z - lean});
                    sn_point to = mapped(m, (sn_point){x - lean, -8, z + lean});
                    int met = 0, back = 0;
                    for (int k = 0; k < 6; k++) {
                        const sn_point t[3] = {
                            {0, 0, 0}, mapped(m, rim[k]), mapped(m, rim[(k + 1) % 6])};
                        met += sn_ccd_segment(from, to, t);
                        back += sn_ccd_segment(to, from, t);
                    }
                    wrong += met != 1 || back != 1;
                }
    }
    CHECK(wrong == 0);
}

/* Where points are in no special place: by volumes, with a margin. */
TEST(segments_against_volumes) {
    int wrong = 0, crossed = 0;
    for (int i = 0; i < 200000; i++) {
        sn_point t[3] = {point(1), point(1), point(1)}, p = point(1), q = point(1);
        double a = sn_point_det(t[0], t[1], t[2], p), b = sn_point_det(t[0], t[1], t[2], q);
        double s[3];
        for (int k = 0; k < 3; k++) s[k] = sn_point_det(p, q, t[k], t[(k + 1) % 3]);
        double least = fmin(fmin(fabs(a), fabs(b)), fmin(fabs(s[0]), fmin(fabs(s[1]), fabs(s[2]))));
        if (least < 1e-9) continue;
        bool inside = (s[0] > 0) == (s[1] > 0) && (s[1] > 0) == (s[2] > 0);
        bool crosses = (a > 0) != (b > 0) && inside;
        wrong += sn_ccd_segment(p, q, t) != crosses;
        crossed += crosses;
    }
    CHECK(wrong == 0);
    CHECK(crossed > 5000);
}

/* ---- Nearest points ---- */

static sn_point mix(const sn_point *x, const double *w, int count) {
    sn_point sum = {0, 0, 0};
    for (int i = 0; i < count; i++) sum = sn_point_add(sum, sn_point_scaled(x[i], w[i]));
    return sum;
}

/* The least square over a grid of weights. */
static double least_square(sn_ccd_kind kind, const sn_point x[4], int grid) {
    double least = INFINITY;
    for (int i = 0; i <= grid; i++)
        for (int k = 0; k <= grid; k++) {
            double s = (double)i / grid, t = (double)k / grid;
            double edges[4] = {1 - s, s, -(1 - t), -t};
            double vertex[4] = {1, -(1 - s) * (1 - t), -s * (1 - t), -t};
            sn_point d = mix(x, kind == SN_CROSS_EDGES ? edges : vertex, 4);
            least = fmin(least, sn_point_dot(d, d));
        }
    return least;
}

/* Points of any shape: some coincide, lie on a line or in a plane. */
static void some_points(sn_point x[4]) {
    for (int k = 0; k < 4; k++) x[k] = point(1);
    int kind = pick(8);
    if (kind == 0) x[1] = x[pick(4)];
    if (kind == 1) x[3] = sn_point_add(x[2], sn_point_scaled(sn_point_sub(x[1], x[0]), 0.5));
    if (kind == 2)
        for (int k = 0; k < 4; k++) x[k].y = 0;
    if (kind == 3)
        for (int k = 0; k < 4; k++) x[k].y = x[k].z = 0;
    if (kind == 4) x[2] = x[3] = x[1];
    if (kind == 5) x[3] = sn_point_add(x[2], sn_point_scaled(point(1), 1e-6));
}

TEST(nearest_points) {
    double worst = 0, best = 0, sums = 0;
    const int grid = 40;
    for (int i = 0; i < 4000; i++) {
        sn_point x[4];
        some_points(x);
        for (int kind = 0; kind < 2; kind++) {
            sn_ccd_gap gap = sn_ccd_near((sn_ccd_kind)kind, x);
            double least = sqrt(least_square((sn_ccd_kind)kind, x, grid));
            /* Never further than the grid finds, and never nearer than its cells allow. */
            worst = fmax(worst, sqrt(gap.square) - least);
            best = fmax(best, least - sqrt(gap.square));
            double first = gap.weight[0] + (kind ? gap.weight[1] : 0);
            double second = gap.weight[2] + gap.weight[3] + (kind ? 0 : gap.weight[1]);
            sums = fmax(sums, fmax(fabs(first - 1), fabs(second + 1)));
            for (int k = 0; k < 4; k++) {
                bool front = k == 0 || (kind && k == 1);
                CHECK(front ? gap.weight[k] >= 0 : gap.weight[k] <= 1e-12);
            }
            sn_point d = mix(x, gap.weight, 4);
            CHECK_NEAR(sn_point_length(sn_point_sub(d, gap.vector)), 0, 1e-14);
        }
    }
    CHECK_NEAR(worst, 0, 1e-9);
    CHECK(best < 3.5 / grid);
    CHECK_NEAR(sums, 0, 1e-14);
}

/* ---- Meeting on the way ---- */

static double gap_at(sn_ccd_kind kind, const sn_point x[4], const sn_point y[4], double t) {
    sn_point z[4];
    for (int k = 0; k < 4; k++)
        z[k] = sn_point_add(x[k], sn_point_scaled(sn_point_sub(y[k], x[k]), t));
    return sqrt(sn_ccd_near(kind, z).square);
}

/* Whether, at some time, the two have changed sides while they overlapped: the sign of the volume
   of the four points changes, and in the middle of the interval the nearest points are inside. */
static bool sampled_crossing(sn_ccd_kind kind, const sn_point x[4], const sn_point y[4],
                             int samples, double *when) {
    double before = 0;
    for (int i = 0; i <= samples; i++) {
        double t = (double)i / samples;
        sn_point z[4];
        for (int k = 0; k < 4; k++)
            z[k] = sn_point_add(x[k], sn_point_scaled(sn_point_sub(y[k], x[k]), t));
        double det = sn_point_det(z[0], z[1], z[2], z[3]);
        if (i > 0 && (det > 0) != (before > 0)) {
            /* Halve until the time is exact, and look whether they touch there. */
            double low = (double)(i - 1) / samples, high = t;
            for (int round = 0; round < 60; round++) {
                double middle = (low + high) / 2;
                for (int k = 0; k < 4; k++)
                    z[k] = sn_point_add(x[k], sn_point_scaled(sn_point_sub(y[k], x[k]), middle));
                bool same = (sn_point_det(z[0], z[1], z[2], z[3]) > 0) == (before > 0);
                *(same ? &low : &high) = middle;
            }
            if (gap_at(kind, x, y, low) < 1e-12) {
                *when = low;
                return true;
            }
        }
        before = det;
    }
    return false;
}

/* What counts as a hit at least: a little of the size of everything. */
static double tolerance_of(const sn_point x[4], const sn_point y[4], double tolerance) {
    double size = 0;
    for (int k = 0; k < 4; k++) {
        sn_point from = sn_point_sub(x[k], x[3]), to = sn_point_sub(y[k], y[3]);
        double way = sn_point_length(sn_point_sub(to, from));
        size = fmax(size, sn_point_length(from) + way);
    }
    return fmax(tolerance, 1e-7 * size);
}

/* Ways of every sort: slow, fast, sliding, in a plane, turning, nearly touching. */
static void some_ways(sn_point x[4], sn_point y[4]) {
    some_points(x);
    double speeds[4] = {1e-3, 0.3, 3, 100};
    double speed = speeds[pick(4)];
    int kind = pick(6);
    sn_point common = point(speed);
    for (int k = 0; k < 4; k++) {
        sn_point way = point(speed);
        if (kind == 0) way = common;
        if (kind == 1) way = sn_point_add(common, sn_point_scaled(way, 1e-4));
        if (kind == 2 && k > 0) way = (sn_point){0, 0, 0};
        if (kind == 3) way.y = 0;
        if (kind == 4) {
            /* Half a turn around the vertical. */
            way = (sn_point){-2 * x[k].x, 0, -2 * x[k].z};
        }
        y[k] = sn_point_add(x[k], way);
    }
    if (kind == 5) {
        /* Ends just where the first point touches something, or a little before. */
        sn_point target = sn_point_scaled(sn_point_add(y[2], y[3]), 0.5);
        double part = number() > 0 ? 1 : 1 - 1e-6;
        y[0] = sn_point_add(x[0], sn_point_scaled(sn_point_sub(target, x[0]), part));
    }
}

TEST(nothing_is_missed) {
    const double tolerance = 1e-6;
    int missed = 0, late = 0, invented = 0, hits = 0, wrong_normals = 0;
    for (int i = 0; i < 60000; i++) {
        sn_point x[4], y[4];
        some_ways(x, y);
        for (int k = 0; k < 2; k++) {
            sn_ccd_kind kind = (sn_ccd_kind)k;
            sn_ccd_hit hit = sn_ccd_sweep(kind, x, y, tolerance);
            double when = 1;
            if (sampled_crossing(kind, x, y, 64, &when)) {
                missed += !hit.hit;
                late += hit.hit && hit.time > when;
            }
            if (!hit.hit) continue;
            hits++;
            double most = 2 * tolerance_of(x, y, tolerance);
            invented += !(gap_at(kind, x, y, hit.time) <= most);
            wrong_normals += !(fabs(sn_point_length(hit.normal) - 1) < 1e-12);
        }
    }
    CHECK(missed == 0);
    CHECK(late == 0);
    CHECK(invented == 0);
    CHECK(wrong_normals == 0);
    CHECK(hits > 10000);
}

/* Before the time of a hit, and wherever there is none, they never touch: many times are tried. */
TEST(what_is_free_is_free) {
    const double tolerance = 1e-6;
    int touched = 0;
    for (int i = 0; i < 10000; i++) {
        sn_point x[4], y[4];
        some_ways(x, y);
        for (int k = 0; k < 2; k++) {
            sn_ccd_hit hit = sn_ccd_sweep((sn_ccd_kind)k, x, y, tolerance);
            for (int s = 0; s < 100; s++) {
                double t = hit.time * s / 100;
                if (!(t < hit.time)) continue;
                touched += !(gap_at((sn_ccd_kind)k, x, y, t) > 0);
            }
        }
    }
    CHECK(touched == 0);
}

TEST(times_weights_and_normals_of_simple_ways) {
    /* A vertex falls by 2 from 1 above a triangle, which itself rises by 1. */
    sn_point x[4] = {{0.25, 1, 0.25}, {0, 0, 0}, {1, 0, 0}, {0, 0, 1}}, y[4];
    for (int k = 0; k < 4; k++) y[k] = sn_point_add(x[k], (sn_point){0, k == 0 ? -2 : 1, 0});
    sn_ccd_hit hit = sn_ccd_sweep(SN_CROSS_VERTEX, x, y, 1e-9);
    CHECK(hit.hit);
    CHECK_NEAR(hit.time, 1.0 / 3, 3e-7);
    CHECK_NEAR(hit.normal.y, 1, 1e-6);
    const double expected[4] = {1, -0.5, -0.25, -0.25};
    for (int k = 0; k < 4; k++) CHECK_NEAR(hit.weight[k], expected[k], 1e-6);
    /* From below the normal looks down. */
    for (int k = 0; k < 4; k++) {
        x[k].y = -x[k].y;
        y[k].y = -y[k].y;
    }
    CHECK_NEAR(sn_ccd_sweep(SN_CROSS_VERTEX, x, y, 1e-9).normal.y, -1, 1e-6);

    sn_point a[4] = {{-1, 1, 0}, {1, 1, 0}, {0.5, 0, -1}, {0.5, 0, 1}}, b[4];
    memcpy(b, a, sizeof b);
    b[0].y = b[1].y = -3;
    hit = sn_ccd_sweep(SN_CROSS_EDGES, a, b, 1e-9);
    CHECK(hit.hit);
    CHECK_NEAR(hit.time, 0.25, 3e-7);
    CHECK_NEAR(hit.normal.y, 1, 1e-6);
    CHECK_NEAR(hit.weight[1], 0.75, 1e-6);
    CHECK_NEAR(hit.weight[3], -0.5, 1e-6);
    /* Sliding on a plane a hair above it is free, however far and fast. */
    for (int k = 0; k < 4; k++) b[k] = sn_point_add(a[k], (sn_point){k < 2 ? 100 : 0, 0, 0});
    a[0].y = a[1].y = b[0].y = b[1].y = 1e-4;
    CHECK(!sn_ccd_sweep(SN_CROSS_EDGES, a, b, 1e-6).hit);
    /* What touches from the beginning is on the side where it is then, as far as that tells. */
    for (int k = 0; k < 4; k++) {
        const double side = k % 2 ? -1e-12 : 1e-12;
        const sn_ccd_kind kind = k / 2 ? SN_CROSS_EDGES : SN_CROSS_VERTEX;
        sn_point near[4] = {{0.25, side, 0.25}, {0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
        if (kind == SN_CROSS_EDGES) near[0].z = -0.25, near[1] = (sn_point){0.25, side, 1};
        if (kind == SN_CROSS_EDGES) near[2] = (sn_point){0, 0, 0}, near[3] = (sn_point){1, 0, 0};
        memcpy(b, near, sizeof b);
        b[0].y = 3 * side;
        hit = sn_ccd_sweep(kind, near, b, 1e-3);
        CHECK(hit.hit && hit.time == 0);
        CHECK_NEAR(hit.normal.y, side < 0 ? -1 : 1, 1e-9);
    }
    /* What begins within rounding has hit, wherever it goes; what begins beyond it may go away. */
    for (int k = 0; k < 2; k++) {
        sn_point near[4] = {{0.25, k ? 1e-6 : 1e-8, 0.25}, {0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
        memcpy(b, near, sizeof b);
        b[0].y = 1;
        hit = sn_ccd_sweep(SN_CROSS_VERTEX, near, b, 0);
        CHECK(hit.hit == (k == 0));
        if (hit.hit) CHECK(hit.time == 0 && hit.normal.y > 0.999);
    }
    /* At rest in the same place. */
    sn_point same[4] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    CHECK(sn_ccd_sweep(SN_CROSS_EDGES, same, same, 1e-9).hit);
    CHECK(sn_ccd_sweep(SN_CROSS_VERTEX, same, same, 1e-9).time == 0);
}

static double seconds(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

TEST(a_million_ways_are_quick) {
    double start = seconds();
    int hits = 0;
    for (int i = 0; i < 500000; i++) {
        sn_point x[4], y[4];
        some_ways(x, y);
        hits += sn_ccd_sweep(SN_CROSS_VERTEX, x, y, 1e-6).hit;
        hits += sn_ccd_sweep(SN_CROSS_EDGES, x, y, 1e-6).hit;
    }
    printf("  10^6 ways in %.2f s, %d hits\n", seconds() - start, hits);
    CHECK(hits > 100000);
}

/* ---- Counting ---- */

static size_t count_crossings(const sn_mesh *mesh, sn_crossing *list, size_t room) {
    sn_memory memory = {sn_allocator_default(), 0};
    size_t found = 0;
    CHECK_OK(sn_ccd_count(&memory, mesh->positions, mesh->vertex_count,
                          (const uint32_t(*)[3])mesh->triangles, mesh->triangle_count, list, room,
                          &found));
    CHECK(memory.held == 0);
    return found;
}

/* Of a collision surface with these triangles, in a world. */
static size_t count_in_world(const sn_mesh *mesh) {
    sn_world_def settings = sn_world_def_default();
    sn_world *world = NULL;
    sn_collision_surface_def def = sn_collision_surface_def_default();
    sn_collision_surface made;
    sn_node node[60];
    size_t found = 0;
    REQUIRE_OK(sn_world_create(&settings, &world));
    for (size_t i = 0; i < 60; i++) {
        sn_node_def one = sn_node_def_default();
        one.position = mesh->positions[i];
        REQUIRE_OK(sn_node_create(world, &one, &node[i]));
    }
    def.nodes = node;
    def.node_count = 60;
    def.triangles = *mesh->triangles;
    def.triangle_count = mesh->triangle_count;
    def.self = true;
    REQUIRE_OK(sn_collision_surface_create(world, &def, &made));
    CHECK_OK(sn_world_count_crossings(world, &found));
    sn_world_destroy(world);
    return found;
}

static bool is_of(const uint32_t triangle[3], uint32_t vertex) {
    return triangle[0] == vertex || triangle[1] == vertex || triangle[2] == vertex;
}

/* Every edge that is there, with every triangle. */
static size_t cross_all(const sn_vec3 positions[60], const uint32_t triangles[80][3],
                        sn_crossing *list) {
    size_t count = 0;
    for (uint32_t a = 0; a < 60; a++)
        for (uint32_t b = a + 1; b < 60; b++) {
            bool there = false;
            for (int i = 0; i < 80 && !there; i++)
                there = is_of(triangles[i], a) && is_of(triangles[i], b);
            for (uint32_t i = 0; i < 80 && there; i++) {
                sn_point t[3];
                if (is_of(triangles[i], a) || is_of(triangles[i], b)) continue;
                for (int k = 0; k < 3; k++) t[k] = sn_point_of(positions[triangles[i][k]]);
                sn_point p = sn_point_of(positions[a]), q = sn_point_of(positions[b]);
                if (sn_ccd_segment(p, q, t)) list[count++] = (sn_crossing){a, b, i};
            }
        }
    return count;
}

TEST(crossings_of_surfaces_are_counted) {
    for (int round = 0; round < 40; round++) {
        sn_mesh mesh = sn_mesh_default();
        sn_vec3 positions[60];
        uint32_t triangles[80][3];
        for (int i = 0; i < 60; i++) {
            /* Half of the rounds on a lattice, where much touches. */
            sn_point x = point(1);
            if (round % 2) x = (sn_point){pick(5), pick(5), pick(5)};
            positions[i] = sn_point_vec3(x);
        }
        for (int i = 0; i < 80; i++) {
            for (int k = 0; k < 3; k++) triangles[i][k] = (uint32_t)pick(20);
            triangles[i][1] += 20;
            triangles[i][2] += 40;
        }
        REQUIRE_OK(sn_mesh_add_vertices(&mesh, positions, 60));
        REQUIRE_OK(sn_mesh_add_triangles(&mesh, (const uint32_t(*)[3])triangles, 80));
        static sn_crossing list[20000];
        const size_t expected = cross_all(positions, (const uint32_t(*)[3])triangles, list);
        static sn_crossing found[20000];
        CHECK(count_crossings(&mesh, found, 20000) == expected);
        CHECK(memcmp(found, list, expected * sizeof *list) == 0);
        CHECK(expected > 100);
        if (round < 4) CHECK(count_in_world(&mesh) == expected);
        /* With little room the first ones are kept, and all are counted. */
        memset(found, 0, sizeof found);
        CHECK(count_crossings(&mesh, found, 7) == expected);
        CHECK(memcmp(found, list, 7 * sizeof *list) == 0 && found[7].b == 0);
        sn_mesh_free(&mesh);
    }
}

TEST(nothing_crosses_in_nothing) {
    sn_mesh mesh = sn_mesh_default();
    CHECK(count_crossings(&mesh, NULL, 0) == 0);
}

/* Two sheets of 5,000 triangles each, waved, one through the other. */
TEST(counting_is_fast) {
    enum { N = 51 };
    sn_mesh mesh = sn_mesh_default();
    for (int sheet = 0; sheet < 2; sheet++) {
        for (int i = 0; i < N * N; i++) {
            double x = (double)(i % N) / (N - 1), z = (double)(i / N) / (N - 1);
            double y = sheet ? 0.05 * sin(9 * x) * cos(7 * z) : 0.001 + 0.3 * (x - 0.5);
            sn_vec3 at = {(sn_real)x, (sn_real)y, (sn_real)z};
            REQUIRE_OK(sn_mesh_add_vertices(&mesh, &at, 1));
        }
        for (uint32_t i = 0; i + 1 < N; i++)
            for (uint32_t k = 0; k + 1 < N; k++) {
                uint32_t a = (uint32_t)sheet * N * N + i * N + k;
                const uint32_t two[2][3] = {{a, a + N, a + 1}, {a + 1, a + N, a + N + 1}};
                REQUIRE_OK(sn_mesh_add_triangles(&mesh, two, 2));
            }
    }
    double start = seconds();
    size_t found = 0;
    for (int i = 0; i < 10; i++) found = count_crossings(&mesh, NULL, 0);
    printf("  %zu triangles, %zu crossings, %.2f ms\n", mesh.triangle_count, found,
           100 * (seconds() - start));
    CHECK(found > 100);
    sn_mesh_free(&mesh);
}

TESTS(RUN(signs_beside_a_plane), RUN(signs_are_exact), RUN(signs_of_what_rounding_hides),
      RUN(signs_far_from_the_origin), RUN(a_segment_passes_through_a_triangle),
      RUN(a_closed_fan_is_met_once), RUN(a_mapped_fan_is_met_once), RUN(segments_against_volumes),
      RUN(nearest_points), RUN(nothing_is_missed), RUN(what_is_free_is_free),
      RUN(times_weights_and_normals_of_simple_ways), RUN(a_million_ways_are_quick),
      RUN(crossings_of_surfaces_are_counted), RUN(nothing_crosses_in_nothing),
      RUN(counting_is_fast))
