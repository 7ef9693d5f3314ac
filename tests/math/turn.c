/* Sine and cosine of parts of a turn, against the C library's. */
#include <sinew/support.h>

#include <math.h>

#include "check.h"

#define PI 3.141592653589793238462643383279502884L

TEST(values_are_right_to_the_last_bits) {
    double worst = 0;
    for (uint64_t n = 1; n < 400; n += n < 20 ? 1 : 37)
        for (uint64_t i = 0; i <= 2 * n; i++) {
            double sine, cosine;
            sn_turn(i, n, &sine, &cosine);
            long double angle = 2 * PI * (long double)(i % n) / (long double)n;
            worst = fmax(worst, fabs((double)(sine - sinl(angle))));
            worst = fmax(worst, fabs((double)(cosine - cosl(angle))));
        }
    check_case("off by %g", worst);
    CHECK(worst < 4e-16);
}

TEST(quarters_are_exact_and_mirrors_have_the_same_bits) {
    for (uint64_t n = 4; n <= 1u << 20; n *= 4) {
        double sine, cosine, other, mirrored;
        sn_turn(n / 4, n, &sine, &cosine);
        CHECK(sine == 1 && cosine == 0 && !signbit(cosine));
        sn_turn(n / 2, n, &sine, &cosine);
        CHECK(sine == 0 && !signbit(sine) && cosine == -1);
        for (uint64_t i = 0; i <= n / 4; i += n / 4 > 100 ? n / 400 : 1) {
            sn_turn(i, n, &sine, &cosine);
            sn_turn(n / 4 - i, n, &other, &mirrored);
            CHECK(other == cosine && mirrored == sine);
            sn_turn(n / 2 + i, n, &other, &mirrored);
            CHECK(other == -sine && mirrored == -cosine);
            sn_turn(n - i, n, &other, &mirrored);
            CHECK(other == -sine && mirrored == cosine);
        }
    }
}

TEST(a_large_number_of_parts_is_reduced_exactly) {
    double sine, cosine;
    uint64_t n = (uint64_t)1 << 60;
    sn_turn(n / 8, n, &sine, &cosine);
    CHECK(sine == sqrt(0.5) && cosine == sqrt(0.5));
    sn_turn(n - 1, n, &sine, &cosine);
    CHECK(cosine == 1 && sine < 0);
    CHECK_REL(sine, -2 * (double)PI / (double)n, 1e-15);
}

TESTS(RUN(values_are_right_to_the_last_bits),
      RUN(quarters_are_exact_and_mirrors_have_the_same_bits),
      RUN(a_large_number_of_parts_is_reduced_exactly))
