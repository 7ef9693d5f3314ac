/*
 * How far one node has come along an axis of another: the row along z of the joint (joint.h), with
 * what drives share (drive.h). Mueller et al. 2020, section 3.3.4, has it for angles.
 */
#define SN_TYPE slide_drive
#define SN_NODES 2
#define SN_POINTS 2
#define SN_MOVED 2
#define SN_FRAMES 2
#define SN_TURNED 2
#define SN_ROWS 1
#define SN_OWN 18 /* anchors and frames: joint.h; and what is in drive.h */
#define SN_BOUNDED 1
#define SN_STARTED 1
#define SN_LEVERS sn_joint_lever_change
#include "constraints/drive.h"

static SN_NOINLINE void formula(const sn_lane3 *x, const sn_lane4 *q, const sn_real *own,
                                sn_lane *value, sn_lane3 (*g)[SN_POINTS],
                                sn_lane3 (*t)[SN_FRAMES]) {
    joint now, start;
    sn_lane3 unused[4];
    sn_joint_see(x, q, own, &now);
    sn_joint_see(x + SN_POINTS, q + SN_FRAMES, own, &start);
    sn_lane far = sn_joint_along(&now, 2, g[0], t[0]);
    value[0] = sn_drive_value(own, far, sn_joint_along(&start, 2, unused, unused + 2));
}

#include "constraints/block.inl"

#if SN_LANES == 1

enum { DRIVE = SN_AXIS + 3, MEASURED = DRIVE + SN_DRIVE_PARAMETERS };

static sn_result prepare(const sn_preparation *from, sn_real *parameter) {
    sn_prepare_anchors(from, parameter);
    sn_prepare_turn(from, parameter + MEASURED);
    return sn_prepare_axis("slide_drive", parameter + SN_AXIS);
}

static sn_real derive(const sn_derivation *from, sn_real *coefficient) {
    const sn_real *parameter = from->parameter;
    sn_real own[SN_OWN];
    sn_derive_frames(parameter, parameter + SN_AXIS, parameter + MEASURED, own);
    sn_derive_drive(from, parameter + DRIVE, from->move_h, own);
    derive_block(from, compliance, own, coefficient);
    return 1;
}

static const sn_real *aims(const sn_real *parameter, double *period) {
    *period = 0;
    return sn_drive_target(parameter + DRIVE);
}

SN_DEFINE_TYPE(slide_drive, SN_SLIDE_DRIVE_FIELDS,
               "spring, limit or motor that moves a node along an axis of another", .joins = true,
               .bounded = true, .timed = true, .measured = SN_JOINT_MEASURED,
               .compliance = compliance, .one_sided = one_sided, .aims = aims)

#endif
