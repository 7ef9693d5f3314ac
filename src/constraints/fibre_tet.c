/*
 * Fibres through a tetrahedron.
 *
 *   C(x)     = |f| - l,   f = F a = sum_k c_k x_k,   c_k = b_k . a          (b_k: see tet.h)
 *   grad_k C = c_k f / |f|
 *
 * Romeo, Monteagudo and Sanchez-Quiros 2018 let the distances along edges of a mesh contract, as
 * muscles do. Here fibres run through a tetrahedron in any direction, with a stiffness in Pa,
 * beside any model of what is around them.
 *
 * The gradients have constant lengths, so the denominator of the projection, sum_k w_k c_k^2, is a
 * coefficient: fibres cost what a distance does, and two more nodes. Fibres that have no length
 * have no direction and are left alone.
 */
#define SN_TYPE fibre_tet
#define SN_NODES 4
#define SN_MOVED 4
#define SN_UNIT_GRADIENT 1
#define SN_OWN 4 /* c_1, c_2, c_3 and l */
#include "constraints/tet_rest.h"

/* Below any length that matters, and large enough for its inverse to be finite. */
#define TINY SN_R(1e-30)

SN_INLINE sn_lane formula(const sn_lane3 x[SN_NODES], const sn_real *own, sn_lane3 u[SN_NODES],
                          sn_lane *scale) {
    sn_lane c1 = sn_lane_load(own), c2 = sn_lane_load(own + SN_BLOCK),
            c3 = sn_lane_load(own + 2 * SN_BLOCK);
    sn_lane3 f = sn_lane3_add(sn_lane3_add(sn_lane3_scale(c1, x[1]), sn_lane3_scale(c2, x[2])),
                              sn_lane3_scale(c3, x[3]));
    sn_lane length = sn_lane_sqrt(sn_lane3_dot(f, f) + TINY);
    u[1] = sn_lane3_scale(c1, f);
    u[2] = sn_lane3_scale(c2, f);
    u[3] = sn_lane3_scale(c3, f);
    u[0] = sn_lane3_minus(sn_lane3_add(sn_lane3_add(u[1], u[2]), u[3]));
    *scale = 1 / length;
    return length - sn_lane_load(own + 3 * SN_BLOCK);
}

#include "constraints/project.inl"

SN_DEFINE_GENERIC_LOOPS(project_range)

const sn_loops SN_LOOPS(SN_TYPE, SN_LANES) = {SN_GENERIC_LOOPS, damp};

#if SN_LANES == 1

enum { DIRECTION = TET_PARAMETERS, FIBRE_STIFFNESS = DIRECTION + 3, ACTIVATION, CONTRACTION };

static sn_result prepare(const sn_preparation *from, sn_real *parameter) {
    if (parameter[FIBRE_STIFFNESS] == 0)
        return sn_fail(SN_ERROR_VALUE, "fibre_tet: fibre_stiffness is 0, expected above 0 Pa");
    return measure_edges("fibre_tet", from->x, parameter);
}

static double compliance(const sn_real *parameter, int row) {
    (void)row;
    sn_real stiffness = parameter[FIBRE_STIFFNESS];
    return soften(parameter, stiffness == SN_AUTO ? __builtin_inf() : (double)stiffness);
}

/* c_0 to c_3. */
static void along_fibres(const sn_real *parameter, double c[4]) {
    double b[9], a[3], square = 0;
    for (int i = 0; i < 3; i++) a[i] = (double)parameter[DIRECTION + i];
    for (int i = 0; i < 3; i++) square += a[i] * a[i];
    double length = __builtin_sqrt(square);
    for (int i = 0; i < 3; i++) a[i] = length > 0 ? a[i] / length : i == 0;
    invert_shape(parameter, b);
    for (int k = 0; k < 3; k++)
        c[k + 1] = b[3 * k] * a[0] + b[3 * k + 1] * a[1] + b[3 * k + 2] * a[2];
    c[0] = -(c[1] + c[2] + c[3]);
}

static sn_real derive(const sn_derivation *from, sn_real *coefficient) {
    double c[4], sum = 0, pivot = 0;
    double active = (double)from->parameter[ACTIVATION];
    double shortest = (double)from->parameter[CONTRACTION];
    along_fibres(from->parameter, c);
    for (int k = 0; k < 4; k++) sum += (double)from->w[k] * c[k] * c[k];
    /* sn_pivot in double, as the sum is. */
    if (sum > 0) pivot = (double)from->relax / (sum + (double)from->alpha);
    for (int k = 0; k < 4; k++) coefficient[k] = (sn_real)((double)from->w[k] * pivot);
    for (int k = 0; k < 3; k++) coefficient[4 + k] = (sn_real)c[k + 1];
    coefficient[7] = (sn_real)(1 + active * (shortest - 1));
    return (sn_real)pivot;
}

SN_DEFINE_TYPE(fibre_tet, SN_FIBRE_TET_FIELDS,
               "fibres through a tetrahedron, which can contract as muscles do", .scaled = true,
               .compliant = true, .damping_time = TET_DAMPING_TIME, .compliance = compliance)

#endif
