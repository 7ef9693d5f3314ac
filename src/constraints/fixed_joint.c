/*
 * Two nodes as one: rows along and about x, y and z of node 0 (joint.h).
 *
 * Mueller et al. 2020, section 3.3.3.
 */
#define SN_TYPE fixed_joint
#define SN_ROWS 6
#define SN_ROWS_ALONG 3
#define SN_HAS_AXIS 0
#include "constraints/joint.h"

static SN_NOINLINE void formula(const sn_lane3 *x, const sn_lane4 *q, const sn_real *own,
                                sn_lane *value, sn_lane3 (*g)[SN_POINTS],
                                sn_lane3 (*t)[SN_FRAMES]) {
    joint j;
    sn_joint_see(x, q, own, &j);
    j.omega = sn_joint_shorter(j.omega);
    for (int i = 0; i < 3; i++) {
        value[i] = sn_joint_along(&j, i, g[i], t[i]);
        value[3 + i] = sn_joint_about(&j, i, g[3 + i], t[3 + i]);
    }
}

#include "constraints/joint.inl"

SN_DEFINE_JOINT(fixed_joint, SN_FIXED_JOINT_FIELDS,
                "holds two nodes to each other as they are at creation")
