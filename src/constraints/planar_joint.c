/*
 * Two planes in one: a row along z of the joint, and rows about x and y (joint.h).
 *
 * Mueller et al. 2020, section 3.3.3, has the parts.
 */
#define SN_TYPE planar_joint
#define SN_ROWS 3
#define SN_ROWS_ALONG 1
#define SN_HAS_AXIS 1
#include "constraints/joint.h"

static SN_NOINLINE void formula(const sn_lane3 *x, const sn_lane4 *q, const sn_real *own,
                                sn_lane *value, sn_lane3 (*g)[SN_POINTS],
                                sn_lane3 (*t)[SN_FRAMES]) {
    joint j;
    sn_joint_see(x, q, own, &j);
    value[0] = sn_joint_along(&j, 2, g[0], t[0]);
    value[1] = sn_joint_about(&j, 0, g[1], t[1]);
    value[2] = sn_joint_about(&j, 1, g[2], t[2]);
}

#include "constraints/joint.inl"

SN_DEFINE_JOINT(planar_joint, SN_PLANAR_JOINT_FIELDS, "lets two nodes slide and turn on a plane")
