/*
 * The anchors of two nodes at one place: rows along x, y and z of node 0 (joint.h).
 *
 * Mueller et al. 2020, section 3.3.3; survey of 2017, section 5.9 (ball joint).
 */
#define SN_TYPE ball_joint
#define SN_NODES 2
#define SN_POINTS 2
#define SN_MOVED 2
#define SN_FRAMES 2
#define SN_TURNED 2
#define SN_ROWS 3
#define SN_OWN 14 /* anchors and frames: joint.h */
#include "constraints/joint.h"

static SN_NOINLINE void formula(const sn_lane3 *x, const sn_lane4 *q, const sn_real *own,
                                sn_lane *value, sn_lane3 (*g)[SN_POINTS],
                                sn_lane3 (*t)[SN_FRAMES]) {
    joint j;
    sn_joint_see(x, q, own, &j);
    for (int i = 0; i < 3; i++) value[i] = sn_joint_along(&j, i, g[i], t[i]);
}

#include "constraints/block.inl"

#if SN_LANES == 1

enum { MEASURED = SN_AXIS };

static sn_result prepare(const sn_preparation *from, sn_real *parameter) {
    sn_prepare_anchors(from, parameter);
    sn_prepare_turn(from, parameter + MEASURED);
    return SN_OK;
}

static double compliance(const sn_real *parameter, int row) {
    (void)row;
    return (double)parameter[SN_PARAMETER_COMPLIANCE];
}

static sn_real derive(const sn_derivation *from, sn_real *coefficient) {
    const sn_real *parameter = from->parameter;
    sn_real own[SN_OWN];
    sn_derive_frames(parameter, NULL, parameter + MEASURED, own);
    derive_block(from, compliance, own, coefficient);
    return 1;
}

SN_DEFINE_TYPE(ball_joint, SN_BALL_JOINT_FIELDS,
               "holds the anchors of two nodes together, which turn freely", .joins = true,
               .compliant = true, .measured = SN_JOINT_MEASURED, .compliance = compliance)

#endif
