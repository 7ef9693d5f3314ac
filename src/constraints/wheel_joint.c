/*
 * A wheel and its suspension: rows along y and z of the joint, and about x and y (joint.h), so that
 * it turns about z, the axle, and moves along x.
 *
 * A hinge and a slider across it (survey of 2017, section 5.9; Mueller et al. 2020, section 3.3) in
 * one.
 */
#define SN_TYPE wheel_joint
#define SN_ROWS 4
#define SN_ROWS_ALONG 2
#define SN_HAS_AXIS 1
#define SN_HAS_DIRECTION 1
#include "constraints/joint.h"

static SN_NOINLINE void formula(const sn_lane3 *x, const sn_lane4 *q, const sn_real *own,
                                sn_lane *value, sn_lane3 (*g)[SN_POINTS],
                                sn_lane3 (*t)[SN_FRAMES]) {
    joint j;
    sn_joint_see(x, q, own, &j);
    for (int i = 0; i < 2; i++) {
        value[i] = sn_joint_along(&j, i + 1, g[i], t[i]);
        value[i + 2] = sn_joint_about(&j, i, g[i + 2], t[i + 2]);
    }
}

#include "constraints/joint.inl"

SN_DEFINE_JOINT(wheel_joint, SN_WHEEL_JOINT_FIELDS,
                "lets a node turn about an axle and move along a direction across it")
