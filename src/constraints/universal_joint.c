/*
 * Two shafts at an angle: rows along x, y and z of the joint (joint.h), and
 *
 *   C = p_x . r_y        p_x: x of J_0 in the world, r_y: y of J_1 in the world
 *   by rotation: phi_0 . (j_x x R_0^T r_y) + phi_1 . (l_y x R_1^T p_x)
 *
 * Survey of 2017, section 5.9 (universal joint).
 */
#define SN_TYPE universal_joint
#define SN_ROWS 4
#define SN_ROWS_ALONG 3
#define SN_HAS_AXIS 1
#include "constraints/joint.h"

/* y of J_1 and x of J_0 in each other's frame, by the rotation between them. */
SN_INLINE sn_lane cross_row(const joint *j, sn_lane3 g[2], sn_lane3 t[2]) {
    sn_lane3 of_1[3], zero = {sn_lane_all(0), sn_lane_all(0), sn_lane_all(0)};
    sn_lane4_axes(j->omega, of_1); /* of J_1, as J_0 sees them */
    sn_lane3 y = sn_along_axes(j->own_0, of_1[1]);
    sn_lane3 x = sn_along_axes(j->own_1, (sn_lane3){of_1[0].x, of_1[1].x, of_1[2].x});
    g[0] = g[1] = zero;
    t[0] = sn_lane3_cross(j->own_0[0], y);
    t[1] = sn_lane3_cross(j->own_1[1], x);
    return of_1[1].x;
}

static SN_NOINLINE void formula(const sn_lane3 *x, const sn_lane4 *q, const sn_real *own,
                                sn_lane *value, sn_lane3 (*g)[SN_POINTS],
                                sn_lane3 (*t)[SN_FRAMES]) {
    joint j;
    sn_joint_see(x, q, own, &j);
    for (int i = 0; i < 3; i++) value[i] = sn_joint_along(&j, i, g[i], t[i]);
    value[3] = cross_row(&j, g[3], t[3]);
}

#include "constraints/joint.inl"

SN_DEFINE_JOINT(universal_joint, SN_UNIVERSAL_JOINT_FIELDS,
                "lets two nodes turn about two axes that stay square to each other")
