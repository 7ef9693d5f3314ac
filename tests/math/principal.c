/*
 * Principal axes: the rotation takes the axes to directions in which the matrix is diagonal.
 */
#include <sinew/principal.h>

#include <math.h>

#include "check.h"
#include "constraints/rig.h"

/* The matrix with these eigenvalues along the axes of the rotation, as xx, yy, zz, yz, zx, xy. */
static void compose(const double value[3], const double q[4], double m[6]) {
    static const int row[6] = {0, 1, 2, 1, 2, 0}, column[6] = {0, 1, 2, 2, 0, 1};
    for (int k = 0; k < 6; k++) m[k] = 0;
    for (int i = 0; i < 3; i++) {
        double axis[3] = {i == 0, i == 1, i == 2}, along[3];
        rig_rotate(q, axis, along);
        for (int k = 0; k < 6; k++) m[k] += value[i] * along[row[k]] * along[column[k]];
    }
}

static void check_matrix(const double m[6]) {
    double value[3], q[4], again[6], size = 0, square = 0;
    sn_principal_axes(m, value, q);
    for (int k = 0; k < 4; k++) square += q[k] * q[k];
    for (int k = 0; k < 6; k++) size = fmax(size, fabs(m[k]));
    CHECK_NEAR(square, 1, 1e-14);
    compose(value, q, again);
    for (int k = 0; k < 6; k++) CHECK_NEAR(again[k], m[k], 1e-14 * size);
}

TEST(axes_make_the_matrix_again) {
    uint64_t seed = 5;
    for (int i = 0; i < 500; i++) {
        double m[6];
        for (int k = 0; k < 6; k++) m[k] = rig_random(&seed);
        check_case("matrix %d", i);
        check_matrix(m);
    }
}

TEST(what_is_diagonal_stays) {
    const double m[6] = {3, 1, 2, 0, 0, 0}, still[4] = {0, 0, 0, 1}, none[6] = {0};
    double value[3], q[4];
    sn_principal_axes(m, value, q);
    for (int k = 0; k < 3; k++) CHECK(value[k] == m[k]);
    for (int k = 0; k < 4; k++) CHECK(q[k] == still[k]);
    check_matrix(none);
}

/* Where eigenvalues are equal their directions are any, and still at right angles. */
TEST(equal_values_have_some_axes) {
    const double value[3] = {2, 2, 5}, q[4] = {0.5, 0.5, -0.5, 0.5};
    double m[6];
    compose(value, q, m);
    check_matrix(m);
    m[3] += 1e-15;
    check_matrix(m);
}

TESTS(RUN(axes_make_the_matrix_again), RUN(what_is_diagonal_stays),
      RUN(equal_values_have_some_axes))
