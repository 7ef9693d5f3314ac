/*
 * One axis for two nodes: rows along x, y and z of the joint, and about x and y (joint.h).
 *
 * Mueller et al. 2020, section 3.3.3, aligns the axes by the rotation a_1 x a_2, which is what the
 * two rows are for small angles; survey of 2017, section 5.9 (hinge joint).
 */
#define SN_TYPE hinge_joint
#define SN_ROWS 5
#define SN_ROWS_ALONG 3
#define SN_HAS_AXIS 1
#include "constraints/joint.h"

static SN_NOINLINE void formula(const sn_lane3 *x, const sn_lane4 *q, const sn_real *own,
                                sn_lane *value, sn_lane3 (*g)[SN_POINTS],
                                sn_lane3 (*t)[SN_FRAMES]) {
    joint j;
    sn_joint_see(x, q, own, &j);
    for (int i = 0; i < 3; i++) value[i] = sn_joint_along(&j, i, g[i], t[i]);
    value[3] = sn_joint_about(&j, 0, g[3], t[3]);
    value[4] = sn_joint_about(&j, 1, g[4], t[4]);
}

#include "constraints/joint.inl"

SN_DEFINE_JOINT(hinge_joint, SN_HINGE_JOINT_FIELDS,
                "lets two nodes turn about an axis, and no other way")
