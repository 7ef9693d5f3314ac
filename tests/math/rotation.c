/*
 * The rotation of a matrix (V38): A = R S with S of eigenvalues from 1/3 to 3, starts that are up
 * to 0.5 rad off, matrices that are turned inside out, flat, thin, zero, huge and not finite.
 * Compiled once per SIMD width: the fingerprint of the results is the same in all of them.
 */
#include "math/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

#ifdef SN_DOUBLE
#define PICK(of_double, of_float) (of_double)
#else
#define PICK(of_double, of_float) (of_float)
#endif

typedef struct quat {
    double x, y, z, w;
} quat;
typedef struct matrix {
    double m[3][3]; /* [row][column] */
} matrix;

static uint64_t state;

/* From 0 to 1. */
static double chance(void) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) / 9007199254740992.0;
}

static quat unit(quat q) {
    double s = 1 / sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return (quat){s * q.x, s * q.y, s * q.z, s * q.w};
}

static quat random_rotation(void) {
    for (;;) {
        quat q = {2 * chance() - 1, 2 * chance() - 1, 2 * chance() - 1, 2 * chance() - 1};
        double square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
        if (square > 0.01 && square < 1) return unit(q);
    }
}

static quat times(quat a, quat b) {
    return (quat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                  a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z,
                  a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x,
                  a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

/* q turned by this angle about a random axis. */
static quat turned(quat q, double angle) {
    quat r = random_rotation();
    double s = sin(angle / 2) / sqrt(r.x * r.x + r.y * r.y + r.z * r.z);
    return times(q, (quat){s * r.x, s * r.y, s * r.z, cos(angle / 2)});
}

static matrix matrix_of(quat q) {
    return (matrix){{{1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y - q.w * q.z),
                      2 * (q.x * q.z + q.w * q.y)},
                     {2 * (q.x * q.y + q.w * q.z), 1 - 2 * (q.x * q.x + q.z * q.z),
                      2 * (q.y * q.z - q.w * q.x)},
                     {2 * (q.x * q.z - q.w * q.y), 2 * (q.y * q.z + q.w * q.x),
                      1 - 2 * (q.x * q.x + q.y * q.y)}}};
}

/* R S, S with these eigenvalues in directions of its own. */
static matrix stretched(quat r, const double value[3]) {
    matrix v = matrix_of(random_rotation()), rm = matrix_of(r), s = {{{0}}}, a = {{{0}}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++) s.m[i][j] += v.m[i][k] * value[k] * v.m[j][k];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++) a.m[i][j] += rm.m[i][k] * s.m[k][j];
    return a;
}

static quat picked(sn_lane4 q, int lane) {
    _Alignas(64) sn_real x[SN_LANES], y[SN_LANES], z[SN_LANES], w[SN_LANES];
    sn_lane_store(x, q.v.x);
    sn_lane_store(y, q.v.y);
    sn_lane_store(z, q.v.z);
    sn_lane_store(w, q.w);
    return (quat){(double)x[lane], (double)y[lane], (double)z[lane], (double)w[lane]};
}

/* In one lane, while the others have other work. */
static quat rotation_of(matrix a, quat from, int steps, sn_rotation_axis axis) {
    static int turn;
    _Alignas(64) sn_real number[13][SN_LANES];
    int asked = turn++ % SN_LANES;
    for (int i = 0; i < SN_LANES; i++) {
        double start[4] = {from.x, from.y, from.z, from.w};
        double other[4] = {0.5, -0.5, 0.5, 0.5};
        for (int k = 0; k < 9; k++)
            number[k][i] = (sn_real)(i == asked ? a.m[k % 3][k / 3] : 0.3 * i - 0.7 * k);
        for (int k = 0; k < 4; k++) number[9 + k][i] = (sn_real)(i == asked ? start[k] : other[k]);
    }
    sn_lane3 column[3];
    for (int k = 0; k < 3; k++)
        column[k] = (sn_lane3){sn_lane_load(number[3 * k]), sn_lane_load(number[3 * k + 1]),
                               sn_lane_load(number[3 * k + 2])};
    sn_lane4 q = {{sn_lane_load(number[9]), sn_lane_load(number[10]), sn_lane_load(number[11])},
                  sn_lane_load(number[12])};
    return picked(sn_rotation_steps(column, q, steps, axis), asked);
}

static quat best_of(matrix a, quat from) {
    return rotation_of(a, from, SN_ROTATION_STEPS, SN_ROTATION_NEWTON);
}

/* In rad. */
static double angle_between(quat a, quat b) {
    quat d = times((quat){-a.x, -a.y, -a.z, a.w}, b);
    return 2 * atan2(sqrt(d.x * d.x + d.y * d.y + d.z * d.z), fabs(d.w));
}

static double trace_of(quat q, matrix a) {
    matrix r = matrix_of(q);
    double trace = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) trace += r.m[i][j] * a.m[i][j];
    return trace;
}

static double eigenvalue(void) {
    return exp((2 * chance() - 1) * log(3));
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

enum { CASES = 4000 };

/* Error after so many steps from a start that is at most 0.5 rad off. */
static void errors_from_near(int steps, sn_rotation_axis axis, double *error) {
    state = 1;
    for (int i = 0; i < CASES; i++) {
        double value[3] = {eigenvalue(), eigenvalue(), eigenvalue()};
        quat r = random_rotation(), from = turned(r, 0.5 * chance());
        error[i] = angle_between(rotation_of(stretched(r, value), from, steps, axis), r);
    }
    qsort(error, CASES, sizeof *error, ascending);
}

TEST(three_newton_steps_from_half_a_radian) {
    static double error[CASES];
    errors_from_near(3, SN_ROTATION_NEWTON, error);
    CHECK_NEAR(error[CASES - 1], 0, PICK(1e-12, 2e-6));
}

TEST(twenty_steps_of_mueller) {
    static double error[CASES];
    errors_from_near(20, SN_ROTATION_MUELLER, error);
    CHECK_NEAR(error[CASES / 2], 0, 2e-7);
    CHECK_NEAR(error[CASES * 99 / 100], 0, 1e-3);
}

/* From anywhere, with all steps it may take. */
TEST(cold_starts_find_the_rotation) {
    state = 2;
    double worst = 0;
    for (int i = 0; i < CASES; i++) {
        double value[3] = {eigenvalue(), eigenvalue(), eigenvalue()};
        quat r = random_rotation();
        double error = angle_between(best_of(stretched(r, value), random_rotation()), r);
        worst = error <= worst ? worst : error;
    }
    CHECK_NEAR(worst, 0, PICK(1e-12, 2e-6));
}

/* Turned inside out the best proper rotation has the trace s1 + s2 - s3. */
static void inside_out(int steps, sn_rotation_axis axis, double share) {
    state = 3;
    int good = 0, cases = steps > 100 && !check_long() ? CASES / 8 : CASES;
    for (int i = 0; i < cases; i++) {
        double value[3] = {eigenvalue(), eigenvalue(), eigenvalue()};
        qsort(value, 3, sizeof *value, ascending);
        double best = value[2] + value[1] - value[0];
        value[0] = -value[0];
        matrix a = stretched(random_rotation(), value);
        good += fabs(trace_of(rotation_of(a, random_rotation(), steps, axis), a) - best) < 1e-3;
    }
    CHECK(good >= share * cases);
}

TEST(inside_out_by_mueller) {
    inside_out(300, SN_ROTATION_MUELLER, 0.99);
}

TEST(inside_out_by_the_rule) {
    inside_out(SN_ROTATION_STEPS, SN_ROTATION_NEWTON, 0.99);
}

/* A = 1 with R a half turn: t is zero, and the trace is the smallest. */
TEST(saddles_are_left) {
    static const quat saddle[] = {{1, 0, 0, 0},
                                  {0, 1, 0, 0},
                                  {0.6, 0, 0.8, 0},
                                  {0.70710678118654752, 0.70710678118654752, 0, 0}};
    double diagonal[][3] = {{1, 1, 1}, {3, 2, 1}, {1, 0.5, -0.4}, {-1, -1, -1}};
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 4; k++) {
            matrix a = {{{diagonal[k][0], 0, 0}, {0, diagonal[k][1], 0}, {0, 0, diagonal[k][2]}}};
            double best = k == 3 ? 1 : diagonal[k][0] + diagonal[k][1] + diagonal[k][2];
            check_case("saddle %d, matrix %d", i, k);
            CHECK_NEAR(trace_of(best_of(a, saddle[i]), a), best, 1e-5);
        }
    }
}

static bool same(quat a, quat b) {
    return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}

static quat rounded(quat q) {
    return (quat){(double)(sn_real)q.x, (double)(sn_real)q.y, (double)(sn_real)q.z,
                  (double)(sn_real)q.w};
}

TEST(nothing_to_go_by_changes_nothing) {
    quat q = rounded(random_rotation());
    matrix zero = {{{0}}}, wrong = {{{1, 2, 3}, {4, (double)NAN, 6}, {7, 8, 9}}};
    matrix endless = {{{1, 2, 3}, {4, (double)INFINITY, 6}, {7, 8, 9}}};
    CHECK(same(best_of(zero, q), q));
    CHECK(same(best_of(wrong, q), q));
    CHECK(same(best_of(endless, q), q));
}

/* Points on a line say where the line goes; once it is there, nothing turns about it. */
TEST(rank_one) {
    state = 4;
    for (int i = 0; i < 200; i++) {
        quat from = random_rotation(), to = random_rotation();
        matrix u = matrix_of(to), a;
        double v[3] = {chance() - 0.5, chance() - 0.5, chance() - 0.5}, length = 0;
        for (int k = 0; k < 3; k++) length += v[k] * v[k];
        length = sqrt(length);
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++) a.m[r][c] = u.m[r][0] * v[c] / length;
        quat found = best_of(a, from);
        CHECK_NEAR(trace_of(found, a), 1, 1e-5);
        CHECK_NEAR(angle_between(best_of(a, found), found), 0, PICK(1e-13, 2e-6));
    }
}

TEST(rank_two_is_enough) {
    state = 5;
    for (int i = 0; i < 200; i++) {
        double value[3] = {1 + chance(), 0.2 + chance(), 0};
        quat r = random_rotation();
        matrix a = stretched(r, value);
        CHECK_NEAR(angle_between(best_of(a, random_rotation()), r), 0, PICK(1e-11, 5e-6));
    }
}

/* Neither masses nor sizes matter. */
TEST(every_size) {
    static const double sizes[] = {PICK(1e-280, 1e-35), 1e-20, 1e-6, 1e6, 1e20, PICK(1e300, 1e37)};
    for (int i = 0; i < 6; i++) {
        double value[3] = {3 * sizes[i], 2 * sizes[i], sizes[i]};
        state = 6;
        check_case("size %g", sizes[i]);
        for (int k = 0; k < 100; k++) {
            quat r = random_rotation();
            double error = angle_between(best_of(stretched(r, value), random_rotation()), r);
            CHECK_NEAR(error, 0, PICK(1e-12, 2e-6));
        }
    }
}

/* A matrix that turns by 0.01 rad at a time is followed with two steps. */
TEST(warm_starts_follow_and_keep_length_one) {
    state = 7;
    quat q = random_rotation();
    double worst = 0;
    for (int i = 0; i < 10000; i++) {
        double value[3] = {3, 1, 0.5};
        quat r = turned(q, 0.01);
        q = rotation_of(stretched(r, value), q, 2, SN_ROTATION_NEWTON);
        double off = fabs(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w - 1);
        double error = angle_between(q, r);
        worst = off <= worst ? worst : off;
        CHECK_NEAR(error, 0, PICK(1e-12, 2e-6));
    }
    CHECK_NEAR(worst, 0, PICK(1e-15, 5e-7));
}

/* FNV over the bits of results. */
TEST(every_width_and_machine_gives_the_same_bits) {
    uint64_t hash = 14695981039346656037u;
    state = 8;
    for (int i = 0; i < 2000; i++) {
        matrix a;
        for (int k = 0; k < 9; k++) a.m[k / 3][k % 3] = 2 * chance() - 1;
        if (i % 5 == 0) memcpy(a.m[2], a.m[1], sizeof a.m[2]);
        quat q = best_of(a, (quat){0.5, 0.5, -0.5, 0.5});
        sn_real number[4] = {(sn_real)q.x, (sn_real)q.y, (sn_real)q.z, (sn_real)q.w};
        unsigned char bytes[sizeof number];
        memcpy(bytes, number, sizeof number);
        for (size_t k = 0; k < sizeof bytes; k++) hash = (hash ^ bytes[k]) * 1099511628211u;
    }
    CHECK(hash == PICK(0x43f0641dadae0daeu, 0xde5e448218a2f79bu));
}

TESTS(RUN(three_newton_steps_from_half_a_radian), RUN(twenty_steps_of_mueller),
      RUN(cold_starts_find_the_rotation), RUN(inside_out_by_mueller), RUN(inside_out_by_the_rule),
      RUN(saddles_are_left), RUN(nothing_to_go_by_changes_nothing), RUN(rank_one),
      RUN(rank_two_is_enough), RUN(every_size), RUN(warm_starts_follow_and_keep_length_one),
      RUN(every_width_and_machine_gives_the_same_bits))
