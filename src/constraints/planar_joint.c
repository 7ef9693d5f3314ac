/*
 * Two planes in one: a row along z of the joint, and rows about x and y (joint.h).
 *
 * Mueller et al. 2020, section 3.3.3, has the parts.
 */
#define SN_TYPE planar_joint
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
    value[0] = sn_joint_along(&j, 2, g[0], t[0]);
    value[1] = sn_joint_about(&j, 0, g[1], t[1]);
    value[2] = sn_joint_about(&j, 1, g[2], t[2]);
}

#include "constraints/block.inl"

#if SN_LANES == 1

enum { TURN_COMPLIANCE = SN_AXIS + 3, MEASURED };

static sn_result prepare(const sn_preparation *from, sn_real *parameter) {
    sn_prepare_anchors(from, parameter);
    sn_prepare_turn(from, parameter + MEASURED);
    return sn_prepare_axis("planar_joint", parameter + SN_AXIS);
}

static double compliance(const sn_real *parameter, int row) {
    double own = row < 1 ? 0 : (double)parameter[TURN_COMPLIANCE];
    return own + (double)parameter[SN_PARAMETER_COMPLIANCE];
}

static sn_real derive(const sn_derivation *from, sn_real *coefficient) {
    const sn_real *parameter = from->parameter;
    sn_real own[SN_OWN];
    sn_derive_frames(parameter, parameter + SN_AXIS, parameter + MEASURED, own);
    derive_block(from, compliance, own, coefficient);
    return 1;
}

SN_DEFINE_TYPE(planar_joint, SN_PLANAR_JOINT_FIELDS, "lets two nodes slide and turn on a plane",
               .joins = true, .compliant = true, .measured = SN_JOINT_MEASURED,
               .compliance = compliance)

#endif
