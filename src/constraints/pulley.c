/*
 * The length of a rope over two pulleys.
 *
 *   C(x)     = |x_1 - x_0| + |x_2 - x_1| + s |x_3 - x_2| - l
 *   grad_0 C = -n_a,   grad_1 C = n_a - n_b,   grad_2 C = n_b - s n_c,   grad_3 C = s n_c
 *
 * with n the directions of the three stretches. One distance (Mueller et al. 2007, section 3.3)
 * along a path: the rope runs through nodes 1 and 2 without friction, so its tension, the
 * multiplier, is the same everywhere.
 */
#define SN_TYPE pulley
#define SN_NODES 4
#define SN_MOVED 4
#define SN_UNIT_GRADIENT 0
#define SN_OWN 2 /* length, strands */
#include "constraints/formula.h"

/* Below the square of any length that matters, and large enough for its inverse to be finite. */
#define TINY SN_R(1e-30)

SN_INLINE sn_lane stretch(sn_lane3 from, sn_lane3 to, sn_lane3 *n) {
    sn_lane3 r = sn_lane3_sub(to, from);
    sn_lane length = sn_lane_sqrt(sn_lane3_dot(r, r) + TINY);
    *n = sn_lane3_scale(1 / length, r);
    return length;
}

SN_INLINE sn_lane formula(const sn_lane3 x[SN_NODES], const sn_real *own, sn_lane3 u[SN_NODES],
                          sn_lane *scale) {
    (void)scale;
    sn_lane strands = sn_lane_load(own + SN_BLOCK);
    sn_lane3 a, b, c;
    sn_lane length =
        (stretch(x[0], x[1], &a) + stretch(x[1], x[2], &b)) + strands * stretch(x[2], x[3], &c);
    u[3] = sn_lane3_scale(strands, c);
    u[2] = sn_lane3_sub(b, u[3]);
    u[1] = sn_lane3_sub(a, b);
    u[0] = sn_lane3_minus(a);
    return length - sn_lane_load(own);
}

#include "constraints/project.inl"

SN_DEFINE_GENERIC_LOOPS(project_range)

const sn_loops SN_LOOPS(SN_TYPE, SN_LANES) = {SN_GENERIC_LOOPS, damp};

#if SN_LANES == 1

enum { REST_LENGTH = SN_COMMON_PARAMETERS, STRANDS };

static sn_result prepare(const sn_preparation *from, sn_real *parameter) {
    const sn_vec3 *x = from->x;
    sn_real sum = 0;
    for (int n = 0; n < 3; n++) {
        sn_vec3 r = sn_vec3_sub(x[n + 1], x[n]);
        sum += (n == 2 ? parameter[STRANDS] : 1) * SN_ROOT(sn_vec3_dot(r, r));
    }
    if (!(parameter[STRANDS] > 0))
        return sn_fail(SN_ERROR_DEGENERATE, "pulley: strands is 0, expected above 0");
    if (parameter[REST_LENGTH] == SN_AUTO) parameter[REST_LENGTH] = sum;
    return SN_OK;
}

static sn_real derive(const sn_derivation *from, sn_real *coefficient) {
    sn_real strands = from->parameter[STRANDS];
    for (int n = 0; n < SN_NODES; n++) coefficient[n] = from->w[n];
    sn_real sum = from->w[0] + strands * strands * from->w[3];
    /* The ends pull along the rope wherever it leads; a hundredth of that, or, where both are held,
       of what its pulleys can have. */
    if (!(sum > 0)) sum = from->w[1] + (1 + strands) * (1 + strands) * from->w[2];
    coefficient[SN_NODES] = sum > 0 ? SN_R(0.01) * sum : SN_INFINITY;
    coefficient[SN_NODES + 1] = from->parameter[REST_LENGTH];
    coefficient[SN_NODES + 2] = strands;
    return 1;
}

SN_DEFINE_TYPE(pulley, SN_PULLEY_FIELDS, "keeps the length of a rope over two pulleys",
               .measured = 0)

#endif
