/*
 * The formula of a distance between two nodes, and the loop made of it.
 *
 *   C(x)     = |x_1 - x_0| - l
 *   grad_1 C =  n,   n = (x_1 - x_0) / |x_1 - x_0|
 *   grad_0 C = -n
 *
 * l is the first coefficient of its own. Two coincident nodes have no direction and are left
 * alone.
 */

/* Below any length that matters, and large enough for its inverse to be finite. */
#define TINY SN_R(1e-30)

SN_INLINE sn_lane formula(const sn_lane3 x[SN_NODES], const sn_real *own, sn_lane3 u[SN_NODES],
                          sn_lane *scale) {
    sn_lane length = sn_lane_sqrt(sn_lane3_dot(x[1], x[1]) + TINY);
    u[0] = sn_lane3_minus(x[1]);
    u[1] = x[1];
    *scale = 1 / length;
    return length - sn_lane_load(own);
}

#include "constraints/project.inl"
