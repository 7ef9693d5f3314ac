/*
 * One direction for two nodes: rows along x and y of the joint, and about x, y and z (joint.h).
 *
 * Mueller et al. 2020, section 3.3.3 (prismatic joint); survey of 2017, section 5.9.
 */
#define SN_TYPE slider_joint
#define SN_ROWS 5
#define SN_ROWS_ALONG 2
#define SN_HAS_AXIS 1
#include "constraints/joint.h"

static SN_NOINLINE void formula(const sn_lane3 *x, const sn_lane4 *q, const sn_real *own,
                                sn_lane *value, sn_lane3 (*g)[SN_POINTS],
                                sn_lane3 (*t)[SN_FRAMES]) {
    joint j;
    sn_joint_see(x, q, own, &j);
    j.omega = sn_joint_shorter(j.omega);
    value[0] = sn_joint_along(&j, 0, g[0], t[0]);
    value[1] = sn_joint_along(&j, 1, g[1], t[1]);
    value[2] = sn_joint_about(&j, 0, g[2], t[2]);
    value[3] = sn_joint_about(&j, 1, g[3], t[3]);
    value[4] = sn_joint_about(&j, 2, g[4], t[4]);
}

#include "constraints/joint.inl"

SN_DEFINE_JOINT(slider_joint, SN_SLIDER_JOINT_FIELDS,
                "lets two nodes move along an axis, and no other way")
