/*
 * A spring whose energy is an exponential of its squared strain e.
 *
 *   U(e)     = k l^2 (exp(a e^2) - 1) / (2 a),   e = (|x_1 - x_0| - l) / l
 *   C(x)     = l e sqrt(f),   f = (exp(y) - 1) / y,   y = a e^2        U = k C^2 / 2
 *   grad_1 C = exp(y) / sqrt(f) n,   n = (x_1 - x_0) / |x_1 - x_0|
 *   grad_0 C = -grad_1 C
 *
 * Cetinaslan 2021 (ESPEF) adds such energies to XPBD; Fung's law of tissue is one. Any energy U is
 * an XPBD constraint of C = sqrt(2 U / k) with the compliance 1 / k; taken with its sign it is
 * smooth at rest, where it is the distance constraint. f is a polynomial of y / 64 that is doubled
 * six times, which has the same bits everywhere.
 */
#define SN_TYPE exponential_spring
#define SN_NODES 2
#define SN_MOVED 2
#define SN_UNIT_GRADIENT 0
#define SN_OWN 2 /* rest length, hardening */
#include "constraints/formula.h"

/* Below any length that matters, and large enough for its inverse to be finite. */
#define TINY SN_R(1e-30)
/* The most a e^2: with the next power of two the polynomial would lose digits. */
#define MOST SN_R(16.0)

/* (exp(y) - 1) / y for y from 0 to MOST. */
SN_INLINE sn_lane growth_of(sn_lane y) {
    sn_lane z = y * SN_R(0.015625);
    sn_lane f = 1 + z * (SN_R(1.0) / 2 +
                         z * (SN_R(1.0) / 6 + z * (SN_R(1.0) / 24 +
                                                   z * (SN_R(1.0) / 120 + z * (SN_R(1.0) / 720)))));
    /* f is (exp(z) - 1) / z; of twice z it is f (1 + z f / 2). */
    for (int i = 0; i < 6; i++) {
        f = f * (1 + SN_R(0.5) * z * f);
        z = z + z;
    }
    return f;
}

SN_INLINE sn_lane formula(const sn_lane3 x[SN_NODES], const sn_real *own, sn_lane3 u[SN_NODES],
                          sn_lane *scale) {
    (void)scale;
    sn_lane rest = sn_lane_load(own), a = sn_lane_load(own + SN_BLOCK);
    sn_lane length = sn_lane_sqrt(sn_lane3_dot(x[1], x[1]) + TINY);
    sn_lane longer = length - rest, strain = longer / rest, y = a * strain * strain;
    sn_lane most = sn_lane_all(MOST), within = sn_lane_min(y, most);
    sn_lane f = growth_of(within), root = sn_lane_sqrt(f);
    /* Where it is not stiffer any more, C grows with the length alone. */
    sn_lane slope = sn_lane_if_less(most, y, root, (1 + within * f) / root);
    u[1] = sn_lane3_scale(slope / length, x[1]);
    u[0] = sn_lane3_minus(u[1]);
    return longer * root;
}

#include "constraints/project.inl"

SN_DEFINE_GENERIC_LOOPS(project_range)

const sn_loops SN_LOOPS(SN_TYPE, SN_LANES) = {SN_GENERIC_LOOPS, damp};

#if SN_LANES == 1

enum { REST_LENGTH = SN_COMMON_PARAMETERS, HARDENING };

static sn_result prepare(const sn_preparation *from, sn_real *parameter) {
    const sn_vec3 *x = from->x;
    if (parameter[REST_LENGTH] == SN_AUTO)
        parameter[REST_LENGTH] = SN_ROOT(sn_vec3_dot(x[1], x[1]));
    if (parameter[REST_LENGTH] > 0) return SN_OK;
    return sn_fail(SN_ERROR_DEGENERATE,
                   "exponential_spring: rest_length is 0, expected above 0 m, for its strain");
}

static sn_real derive(const sn_derivation *from, sn_real *coefficient) {
    sn_real sum = from->w[0] + from->w[1], length = from->parameter[REST_LENGTH];
    coefficient[0] = from->w[0];
    coefficient[1] = from->w[1];
    /* Gradients are 1 at rest and longer elsewhere. */
    coefficient[2] = sum > 0 ? SN_R(0.01) * sum : SN_INFINITY;
    coefficient[3] = length > 0 ? length : 1;
    coefficient[4] = from->parameter[HARDENING];
    return 1;
}

/* As a line of E A: its compliance is l / E A. */
static void scale_length(sn_real *parameter, double ratio) {
    parameter[REST_LENGTH] = (sn_real)((double)parameter[REST_LENGTH] * ratio);
    parameter[SN_PARAMETER_COMPLIANCE] =
        (sn_real)((double)parameter[SN_PARAMETER_COMPLIANCE] * ratio);
    parameter[SN_PARAMETER_DAMPING] = (sn_real)((double)parameter[SN_PARAMETER_DAMPING] / ratio);
}

SN_DEFINE_TYPE(exponential_spring, SN_EXPONENTIAL_SPRING_FIELDS,
               "a spring that becomes stiffer with its strain", .scale_length = scale_length)

#endif
