/*
 * A pinion on a rack: the row along x of the joint, and the angle about z (joint.h).
 *
 *   C = s - r theta        s: sn_joint_along, theta: sn_joint_twist
 *
 * An angle is known but for whole turns, so C is known but for multiples of 2 pi r, and is the one
 * nearest to zero: the joint does not drift, however often the pinion goes round. The forces are
 * those of one that acts where the teeth meet, at r from the axis. A joint as in the survey of
 * 2017, section 5.9, of what Mueller et al. 2020, sections 3.3.1 and 3.3.4, corrects apart.
 */
#define SN_TYPE rack_joint
#define SN_NODES 2
#define SN_POINTS 2
#define SN_MOVED 2
#define SN_FRAMES 2
#define SN_TURNED 2
#define SN_ROWS 1
#define SN_OWN 19 /* anchors and frames: joint.h; r; and what is in drive.h */
#define SN_BOUNDED 1
#define SN_STARTED 1
#define SN_LEVERS sn_joint_lever_change
#include "constraints/drive.h"

enum { OWN_RADIUS = 14 };

static SN_NOINLINE void formula(const sn_lane3 *x, const sn_lane4 *q, const sn_real *own,
                                sn_lane *value, sn_lane3 (*g)[SN_POINTS],
                                sn_lane3 (*t)[SN_FRAMES]) {
    joint j;
    sn_lane3 turned[2];
    sn_lane radius = sn_lane_load(own + OWN_RADIUS * SN_BLOCK);
    sn_joint_see(x, q, own, &j);
    sn_lane far = sn_joint_along(&j, 0, g[0], t[0]);
    sn_lane angle = sn_joint_twist(j.omega, j.own_0, j.own_1, turned);
    for (int n = 0; n < 2; n++) t[0][n] = sn_lane3_sub(t[0][n], sn_lane3_scale(radius, turned[n]));
    value[0] = sn_wrapped(far - radius * angle, 2 * SN_PI * radius);
}

#include "constraints/block.inl"

#if SN_LANES == 1

enum { RADIUS = SN_AXIS + 6, MEASURED };

static sn_result prepare(const sn_preparation *from, sn_real *parameter) {
    sn_prepare_anchors(from, parameter);
    sn_prepare_turn(from, parameter + MEASURED);
    if (parameter[RADIUS] == 0)
        return sn_fail(SN_ERROR_DEGENERATE, "rack_joint: radius is 0, expected another number");
    return sn_prepare_across("rack_joint", parameter + SN_AXIS);
}

static sn_real derive(const sn_derivation *from, sn_real *coefficient) {
    const sn_real *parameter = from->parameter;
    sn_real own[SN_OWN];
    sn_derive_frames(parameter, parameter + SN_AXIS, parameter + MEASURED, own);
    sn_turn_about_axis(parameter + SN_AXIS + 3, own + SN_OWN_FRAME);
    own[OWN_RADIUS] = parameter[RADIUS];
    sn_derive_side(from, own);
    derive_block(from, compliance, own, coefficient);
    return 1;
}

SN_DEFINE_TYPE(rack_joint, SN_RACK_JOINT_FIELDS, "moves a node as far as it rolls on another",
               .joins = true, .bounded = true, .timed = true, .measured = SN_JOINT_MEASURED,
               .compliance = compliance, .one_sided = one_sided)

#endif
