/*
 * The angle about an axis between two nodes.
 *
 *   s = 2 atan2(v_z, w)        of Omega = (v, w), with its gradients: sn_joint_twist, joint.h
 *
 * The twist of the rotation between the frames; what is swing does not count. C is made of it by
 * drive.h. Mueller et al. 2020, section 3.3.4, drives and limits such angles.
 */
#define SN_TYPE turn_drive
#define SN_NODES 2
#define SN_POINTS 0
#define SN_MOVED 0
#define SN_FRAMES 2
#define SN_TURNED 2
#define SN_ROWS 1
#define SN_OWN 13 /* the quaternions of J_0 and rest, WRAPS, and what is in drive.h */
#define SN_BOUNDED 1
#define SN_STARTED 1
#include "constraints/drive.h"

/* Whether the nearest place counts, a turn more or less; not for limits, which may allow more than
   half a turn. */
enum { WRAPS = 8 };

/* An angle as that between -pi and pi, where it wraps; it is off by a turn at most. */
SN_INLINE sn_lane wrapped(sn_lane wraps, sn_lane angle) {
    sn_lane pi = sn_lane_all(SN_PI), turn = sn_lane_all(2 * SN_PI);
    sn_lane near = sn_lane_if_less(pi, angle, angle - turn, angle);
    near = sn_lane_if_less(near, -pi, near + turn, near);
    return sn_lane_if_less(sn_lane_all(0), wraps, near, angle);
}

static SN_NOINLINE void formula(const sn_lane3 *x, const sn_lane4 *q, const sn_real *own,
                                sn_lane *value, sn_lane3 (*g)[1], sn_lane3 (*t)[SN_FRAMES]) {
    (void)x, (void)g;
    sn_lane4 frame = sn_own_rotation(own, 0), rest = sn_own_rotation(own, 4);
    sn_lane3 own_0[3], own_1[3];
    sn_lane4 start = sn_joint_shorter(sn_joint_turn(q + SN_FRAMES, frame, rest, own_0, own_1));
    sn_lane4 omega = sn_joint_turn(q, frame, rest, own_0, own_1);
    sn_lane angle = sn_joint_twist(omega, own_0, own_1, t[0]);
    value[0] = wrapped(sn_lane_load(own + WRAPS * SN_BLOCK),
                       sn_drive_value(own, angle, 2 * sn_lane_atan2(start.v.z, start.w)));
}

#include "constraints/block.inl"

#if SN_LANES == 1

enum { AXIS = SN_COMMON_PARAMETERS, DRIVE = AXIS + 3, MEASURED = DRIVE + SN_DRIVE_PARAMETERS };

/* Whether it is a limit, which nothing turns from one side of half a turn to the other. */
static bool is_limit(const sn_real *parameter) {
    return parameter[SN_PARAMETER_SIDE] != (sn_real)SN_SIDE_BOTH &&
           parameter[DRIVE + SN_SPEED] == SN_AUTO;
}

static sn_result prepare(const sn_preparation *from, sn_real *parameter) {
    double target = (double)parameter[DRIVE + SN_TARGET];
    sn_prepare_turn(from, parameter + MEASURED);
    /* An angle that is measured has no count of turns: such a limit would be passed by all angles
       or by none. */
    if (is_limit(parameter) && fabs(target) > (double)SN_PI)
        return sn_fail(SN_ERROR_VALUE,
                       "turn_drive: target is %g rad with a side, expected a limit within half a "
                       "turn, -pi to pi",
                       target);
    return sn_prepare_axis("turn_drive", parameter + AXIS);
}

/* A target as the angle between -pi and pi that is the same place. */
static sn_real within_half_turn(sn_real target) {
    const double turn = 6.283185307179586;
    double angle = (double)target;
    if (fabs(angle) <= (double)SN_PI) return target;
    return (sn_real)(angle - turn * floor(angle / turn + 0.5));
}

static sn_real derive(const sn_derivation *from, sn_real *coefficient) {
    const sn_real *parameter = from->parameter;
    sn_real own[SN_OWN];
    sn_derive_rotations(parameter + AXIS, parameter + MEASURED, own, own + 4);
    sn_derive_drive(from, parameter + DRIVE, sqrt((double)from->h2), own);
    own[WRAPS] = !is_limit(parameter);
    if (own[WRAPS] > 0 && own[SN_DRIVE_MOTOR] == 0)
        own[SN_DRIVE_TARGET] = within_half_turn(own[SN_DRIVE_TARGET]);
    derive_block(from, compliance, own, coefficient);
    return 1;
}

/* Limits may allow more than half a turn. */
static const sn_real *aims(const sn_real *parameter, double *period) {
    bool limit = parameter[SN_PARAMETER_SIDE] != (sn_real)SN_SIDE_BOTH;
    *period = limit ? 0 : 2 * (double)SN_PI;
    return sn_drive_target(parameter + DRIVE);
}

SN_DEFINE_TYPE(turn_drive, SN_TURN_DRIVE_FIELDS,
               "spring, limit or motor that turns a node about an axis of another", .joins = true,
               .bounded = true, .timed = true, .measured = SN_JOINT_MEASURED,
               .compliance = compliance, .one_sided = one_sided, .aims = aims)

#endif
