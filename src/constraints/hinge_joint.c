/*
 * One axis for two nodes: rows along x, y and z of the joint, and about x and y (joint.h).
 *
 * Mueller et al. 2020, section 3.3.3, aligns the axes by the rotation a_1 x a_2, which is what the
 * two rows are for small angles; survey of 2017, section 5.9 (hinge joint).
 */
#define SN_TYPE hinge_joint
#define SN_NODES 2
#define SN_POINTS 2
#define SN_MOVED 2
#define SN_FRAMES 2
#define SN_TURNED 2
#define SN_ROWS 5
#define SN_OWN 14 /* anchors and frames: joint.h */
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

#include "constraints/block.inl"

#if SN_LANES == 1

enum { TURN_COMPLIANCE = SN_AXIS + 3, MEASURED };

static sn_result prepare(const sn_preparation *from, sn_real *parameter) {
    sn_prepare_anchors(from, parameter);
    sn_prepare_turn(from, parameter + MEASURED);
    return sn_prepare_axis("hinge_joint", parameter + SN_AXIS);
}

static double compliance(const sn_real *parameter, int row) {
    double own = row < 3 ? 0 : (double)parameter[TURN_COMPLIANCE];
    return own + (double)parameter[SN_PARAMETER_COMPLIANCE];
}

static sn_real derive(const sn_derivation *from, sn_real *coefficient) {
    const sn_real *parameter = from->parameter;
    sn_real own[SN_OWN];
    sn_derive_frames(parameter, parameter + SN_AXIS, parameter + MEASURED, own);
    derive_block(from, compliance, own, coefficient);
    return 1;
}

SN_DEFINE_TYPE(hinge_joint, SN_HINGE_JOINT_FIELDS,
               "lets two nodes turn about an axis, and no other way", .joins = true,
               .compliant = true, .measured = SN_JOINT_MEASURED, .compliance = compliance)

#endif
