/*
 * Volume of a tetrahedron.
 *
 *   C(x)     = a . (b x c) / 6 - V        a, b, c = x_1 - x_0, x_2 - x_0, x_3 - x_0
 *   grad_1 C = (b x c) / 6
 *   grad_2 C = (c x a) / 6
 *   grad_3 C = (a x b) / 6
 *   grad_0 C = -(grad_1 C + grad_2 C + grad_3 C)
 *
 * Survey of 2017, section 5.5.1. The volume is signed, so an inverted tetrahedron is pushed back
 * through itself. Where it collapses its gradient does too, and a full Newton step would throw it
 * away: the denominator is then held at a hundredth of what it is at creation.
 */
#define SN_TYPE tet_volume
#define SN_NODES 4
#define SN_MOVED 4
#define SN_UNIT_GRADIENT 0
#define SN_OWN 1 /* rest volume */
#include "constraints/formula.h"

#define SIXTH (SN_R(1.0) / 6)

SN_INLINE sn_lane formula(const sn_lane3 x[SN_NODES], const sn_real *own, sn_lane3 u[SN_NODES],
                          sn_lane *scale) {
    (void)scale;
    sn_lane3 a = sn_lane3_scale(sn_lane_all(SIXTH), x[1]), b = x[2], c = x[3];
    u[1] = sn_lane3_scale(sn_lane_all(SIXTH), sn_lane3_cross(b, c));
    u[2] = sn_lane3_cross(c, a);
    u[3] = sn_lane3_cross(a, b);
    u[0] = sn_lane3_minus(sn_lane3_add(sn_lane3_add(u[1], u[2]), u[3]));
    return sn_lane3_dot(x[1], u[1]) - sn_lane_load(own);
}

#include "constraints/project.inl"

SN_DEFINE_GENERIC_LOOPS(project_range)

const sn_loops SN_LOOPS(SN_TYPE, SN_LANES) = {SN_GENERIC_LOOPS, damp};

#if SN_LANES == 1

enum {
    REST_VOLUME = SN_COMMON_PARAMETERS,
    GRADIENT2
}; /* measured: mean |grad_k C|^2 at creation */

static sn_result prepare(const sn_preparation *from, sn_real *parameter) {
    const sn_vec3 *x = from->x;
    sn_vec3 bc = sn_vec3_cross(x[2], x[3]), ca = sn_vec3_cross(x[3], x[1]);
    sn_vec3 ab = sn_vec3_cross(x[1], x[2]);
    sn_vec3 sum = {bc.x + ca.x + ab.x, bc.y + ca.y + ab.y, bc.z + ca.z + ab.z};
    sn_real gradient2 =
        (sn_vec3_dot(bc, bc) + sn_vec3_dot(ca, ca) + sn_vec3_dot(ab, ab) + sn_vec3_dot(sum, sum)) /
        (4 * 36);
    if (!(gradient2 > 0))
        return sn_fail(SN_ERROR_DEGENERATE,
                       "tet_volume: the four nodes lie on one line, expected a "
                       "tetrahedron with at least one face of some area");
    parameter[GRADIENT2] = gradient2;
    if (parameter[REST_VOLUME] == SN_AUTO) parameter[REST_VOLUME] = sn_vec3_dot(x[1], bc) / 6;
    return SN_OK;
}

static sn_real derive(const sn_derivation *from, sn_real *coefficient) {
    sn_real sum = 0;
    for (int n = 0; n < SN_NODES; n++) {
        coefficient[n] = from->w[n];
        sum += from->w[n];
    }
    /* A hundredth of the sum at creation; infinite where nothing can move. */
    sn_real least = SN_R(0.01) * sum * from->parameter[GRADIENT2];
    coefficient[SN_NODES] = least > 0 ? least : SN_INFINITY;
    coefficient[SN_NODES + 1] = from->parameter[REST_VOLUME];
    return 1;
}

SN_DEFINE_TYPE(tet_volume, SN_TET_VOLUME_FIELDS, "keeps the signed volume of a tetrahedron",
               .measured = 1)

#endif
