/*
 * A tetrahedron of the stable Neo-Hookean material (Macklin and Mueller 2021), with both of its
 * terms solved together.
 *
 * The paper takes C_H = J - gamma and C_D = sqrt(tr F^T F). Neither is zero at rest, where two
 * large forces cancel, and their gradients are parallel there, so that shear is resisted by the
 * forces of the last positions alone: beyond h^2 E / (rho l^2) of about 1 that explodes. The same
 * energy is lambda / 2 (J - 1)^2 + mu / 2 Q,   Q = tr F^T F - 4 J + J^2 and Q >= 0, with equality
 * for rotations (and for F = 0) alone: for F with the singular value s three times it is s^2 (s -
 * 1)^2 (s^2 + 2 s + 3), and no F of the same J has less. So C = (J - 1, sqrt(Q)),   dJ/dF = cof F,
 * dQ/dF / 2 = F - (2 - J) cof F is zero at rest, gives way by Hooke's law around it, and what
 * resists is implicit in every direction. Being a length, sqrt(Q) has no gradient at rest, and
 * needs none.
 *
 * tr F^T F - 4 J + J^2 would lose all digits near rest. With A = F^T F - I and det (I + A) = J^2,
 *   Q = -(A_xx A_yy + A_yy A_zz + A_zz A_xx - A_xy^2 - A_yz^2 - A_zx^2) - det A + 2 (J - 1)^2
 */
#define SN_TYPE neo_hookean_tet
#define SN_ROWS 2
#define SN_OWN 0
#define SN_STRUCTURED
#include "constraints/tet.h"

/* What rounding makes of no strain at all: a length below this has no direction. */
#ifdef SN_DOUBLE
#define LEAST_STRAIN 1e-15
#else
#define LEAST_STRAIN 1e-7f
#endif

/* Q from the columns of F and J - 1. */
SN_INLINE sn_lane distortion(const sn_lane3 f[3], sn_lane j) {
    sn_lane xx = sn_lane3_dot(f[0], f[0]) - 1, yy = sn_lane3_dot(f[1], f[1]) - 1;
    sn_lane zz = sn_lane3_dot(f[2], f[2]) - 1, xy = sn_lane3_dot(f[0], f[1]);
    sn_lane yz = sn_lane3_dot(f[1], f[2]), zx = sn_lane3_dot(f[2], f[0]);
    sn_lane second = ((xx * yy - xy * xy) + (yy * zz - yz * yz)) + (zz * xx - zx * zx);
    sn_lane third =
        (xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * zx)) + zx * (xy * yz - yy * zx);
    return (2 * j * j - second) - third;
}

SN_INLINE void formula(const sn_lane3 f[3], const sn_real *own, sn_lane value[SN_ROWS],
                       sn_lane3 p[SN_ROWS][3]) {
    (void)own;
    cofactors(f, p[0]);
    sn_lane j = sn_lane3_dot(f[0], p[0][0]) - 1;
    value[0] = j;
    value[1] = sn_lane_sqrt(sn_lane_max(distortion(f, j), sn_lane_all(0)));
    sn_lane part = 1 / sn_lane_max(value[1], sn_lane_all(LEAST_STRAIN)), other = (1 - j) * part;
    for (int i = 0; i < 3; i++)
        p[1][i] = sn_lane3_sub(sn_lane3_scale(part, f[i]), sn_lane3_scale(other, p[0][i]));
}

/* A row of unit size weighs this part of W_xx + W_yy + W_zz at least: a step must not grow beyond
   all bounds where rounding left no gradient. */
#define LEAST_WEIGHT SN_R(1e-3)

SN_INLINE void add_masses(const sn_real *shape, const sn_lane3 f[3], sn_lane3 p[SN_ROWS][3],
                          sn_lane a[SN_ROWS][SN_ROWS]) {
    sn_lane3 pw[3];
    (void)f;
    sn_lane least = LEAST_WEIGHT * weight(shape);
    weigh(shape, p[0], pw);
    a[0][0] = all_dot(pw, p[0]) + least;
    a[0][1] = all_dot(pw, p[1]);
    weigh(shape, p[1], pw);
    a[1][1] = all_dot(pw, p[1]) + least;
}

#include "constraints/tet.inl"

#if SN_LANES == 1

enum { YOUNG = TET_PARAMETERS, POISSON, PLASTIC };
#include "constraints/tet_plastic.h"

static sn_result prepare(const sn_preparation *from, sn_real *parameter) {
    if (parameter[YOUNG] == 0)
        return sn_fail(SN_ERROR_VALUE, "neo_hookean_tet: young is 0, expected above 0 Pa");
    return measure_plastic("neo_hookean_tet", from->x, parameter);
}

static double compliance(const sn_real *parameter, int row) {
    lame of = lame_of((double)parameter[YOUNG], (double)parameter[POISSON]);
    return soften(parameter, row == 0 ? of.lambda : of.mu);
}

static sn_real derive(const sn_derivation *from, sn_real *coefficient) {
    sn_real shape[SN_MAX_PARAMETERS];
    sn_derivation after = derive_plastic(from, shape);
    derive_tet(&after, compliance, (sn_real[1]){0}, coefficient);
    return 1;
}

SN_DEFINE_TYPE(neo_hookean_tet, SN_NEO_HOOKEAN_TET_FIELDS,
               "a tetrahedron of the stable Neo-Hookean material", .compliant = true,
               .damping_time = TET_DAMPING_TIME, .compliance = compliance, .settles = settles,
               .flow = flow)

#endif
