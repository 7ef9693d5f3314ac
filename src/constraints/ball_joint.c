/*
 * The anchors of two nodes at one place: rows along x, y and z of node 0 (joint.h).
 *
 * Mueller et al. 2020, section 3.3.3; survey of 2017, section 5.9 (ball joint).
 */
#define SN_TYPE ball_joint
#define SN_ROWS 3
#define SN_ROWS_ALONG 3
#define SN_HAS_AXIS 0
#include "constraints/joint.h"

static SN_NOINLINE void formula(const sn_lane3 *x, const sn_lane4 *q, const sn_real *own,
                                sn_lane *value, sn_lane3 (*g)[SN_POINTS],
                                sn_lane3 (*t)[SN_FRAMES]) {
    joint j;
    sn_joint_see(x, q, own, &j);
    for (int i = 0; i < 3; i++) value[i] = sn_joint_along(&j, i, g[i], t[i]);
}

#include "constraints/joint.inl"

SN_DEFINE_JOINT(ball_joint, SN_BALL_JOINT_FIELDS,
                "holds the anchors of two nodes together, which turn freely")
