/*
 * The arc tangent of lanes against the C library in long double, over the whole plane. Compiled
 * once per SIMD width: the fingerprint of the results is the same in all of them.
 */
#include "math/trig.h"

#include <math.h>
#include <string.h>

#include "check.h"

#ifdef SN_DOUBLE
#define PICK(of_double, of_float) (of_double)
#define SMALLEST 4.9406564584124654e-324 /* above zero */
#else
#define PICK(of_double, of_float) (of_float)
#define SMALLEST 1.401298464e-45
#endif

#define LARGEST ((double)SN_REAL_MAX / 2)

#define TURN 6.28318530717958647692

/* Every lane is asked something else, so that a lane that takes from its neighbour is found out. */
static double angle_of(double y, double x) {
    static int turn;
    _Alignas(64) sn_real ys[SN_LANES], xs[SN_LANES], angles[SN_LANES];
    int asked = turn++ % SN_LANES;
    for (int i = 0; i < SN_LANES; i++) {
        ys[i] = (sn_real)(i == asked ? y : 0.3 * i - 1);
        xs[i] = (sn_real)(i == asked ? x : 1 - 0.4 * i);
    }
    sn_lane_store(angles, sn_lane_atan2(sn_lane_load(ys), sn_lane_load(xs)));
    return (double)angles[asked];
}

static double rounded(double a) {
    return (double)(sn_real)a;
}

/* The error for the numbers as they are after rounding. */
static double error_at(double y, double x) {
    long double exact = atan2l((long double)rounded(y), (long double)rounded(x));
    return (double)fabsl((long double)angle_of(y, x) - exact);
}

/* Keeps a NaN, unlike fmax. */
static double worse(double a, double b) {
    return b <= a ? a : b;
}

TEST(every_direction) {
    static const double radii[] = {PICK(1e-300, 1e-36), 1e-12, 1, 12345, PICK(1e300, 1e36)};
    for (int r = 0; r < 5; r++) {
        check_case("radius %g", radii[r]);
        double worst = 0;
        int directions = check_long() ? 100000 : 20000;
        for (int i = 0; i < directions; i++) {
            double at = TURN * (i + 0.5) / directions;
            worst = worse(worst, error_at(radii[r] * sin(at), radii[r] * cos(at)));
        }
        CHECK_NEAR(worst, 0, PICK(1e-15, 3e-7));
    }
}

/* Normal numbers of every size against normal numbers of every size. */
TEST(every_ratio) {
    double worst = 0;
    for (int i = PICK(-1022, -126); i < PICK(1022, 126); i += PICK(7, 1)) {
        for (int j = PICK(-1022, -126); j < PICK(1022, 126); j += PICK(11, 3)) {
            double y = ldexp(1.3, i), x = ldexp(1.7, j);
            worst = worse(worst, error_at(y, x));
            worst = worse(worst, error_at(-y, -x));
        }
    }
    CHECK_NEAR(worst, 0, PICK(1e-15, 3e-7));
}

/* Small angles are right to a few units in the last place, not only to a part of pi. */
TEST(small_angles_have_small_errors) {
    double worst = 0;
    for (int i = 0; i < 20000; i++) {
        double y = 0.4 * exp2(-i / 500.0);
        worst = worse(worst, error_at(y, 1) / atan(y));
        worst = worse(worst, error_at(-y, 1) / atan(y));
    }
    CHECK_NEAR(worst, 0, 2 * PICK(DBL_EPSILON, (double)FLT_EPSILON));
}

TEST(axes_and_diagonals) {
    static const double sizes[] = {SMALLEST, 1e-20, 1, 3, 1e20, LARGEST};
    double pi = rounded(TURN / 2), ulp = PICK(DBL_EPSILON, (double)FLT_EPSILON);
    for (int i = 0; i < 6; i++) {
        double a = sizes[i];
        check_case("size %g", a);
        for (int minus = 0; minus < 2; minus++) {
            double zero = minus ? -0.0 : 0.0;
            CHECK(angle_of(zero, a) == 0);
            CHECK(angle_of(zero, -a) == pi);
            CHECK(angle_of(a, zero) == pi / 2);
            CHECK(angle_of(-a, zero) == -pi / 2);
            CHECK(angle_of(zero, zero) == 0);
            CHECK(angle_of(zero, -zero) == 0);
        }
        CHECK_NEAR(angle_of(a, a), pi / 4, ulp);
        CHECK_NEAR(angle_of(a, -a), 3 * pi / 4, 2 * ulp);
        CHECK_NEAR(angle_of(-a, a), -pi / 4, ulp);
        CHECK_NEAR(angle_of(-a, -a), -3 * pi / 4, 2 * ulp);
    }
}

TEST(finite_numbers_give_numbers) {
    static const double sizes[] = {0, SMALLEST, 1e-30, 1, 1e30, (double)SN_REAL_MAX};
    for (int i = 0; i < 36 * 4; i++) {
        double y = sizes[i % 6] * (i / 36 % 2 ? -1 : 1), x = sizes[i / 6 % 6] * (i / 72 ? -1 : 1);
        check_case("y %g, x %g", y, x);
        CHECK(fabs(angle_of(y, x)) <= rounded(TURN / 2));
    }
}

TEST(mirror_images_are_exact) {
    for (int i = 1; i < 5000; i++) {
        double at = TURN / 2 * i / 5000, y = sin(at), x = cos(at);
        CHECK(angle_of(-y, x) == -angle_of(y, x));
    }
}

/* FNV over the bits of 10,000 angles, from arguments without a library function. */
TEST(every_width_and_machine_gives_the_same_bits) {
    uint64_t hash = 14695981039346656037u;
    uint32_t seed = 1;
    for (int i = 0; i < 10000; i++) {
        double a[2];
        for (int k = 0; k < 2; k++) {
            seed = seed * 1664525u + 1013904223u;
            a[k] = (double)(seed >> 8) / 8388608 - 1;
        }
        sn_real angle = (sn_real)angle_of(a[0] * a[0] * a[0], a[1]);
        unsigned char bytes[sizeof angle];
        memcpy(bytes, &angle, sizeof angle);
        for (size_t k = 0; k < sizeof angle; k++) hash = (hash ^ bytes[k]) * 1099511628211u;
    }
    CHECK(hash == PICK(0xe10ee4e98e1d9eb5u, 0x5f3f908c0f4d6c45u));
}

TESTS(RUN(every_direction), RUN(every_ratio), RUN(small_angles_have_small_errors),
      RUN(axes_and_diagonals), RUN(finite_numbers_give_numbers), RUN(mirror_images_are_exact),
      RUN(every_width_and_machine_gives_the_same_bits))
