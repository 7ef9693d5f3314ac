#ifdef SN_LIST_TYPE
SN_LIST_TYPE(turn_drive, TURN_DRIVE)
#elif !defined(SINEW_TURN_DRIVE_H)
#define SINEW_TURN_DRIVE_H
#include <sinew/constraint.h>
#include <sinew/joint.h>

/*
 * Turns node 1 about the axis of node 0, beside a hinge_joint or on its own. C is the angle since
 * creation less the target, one row in rad, from -pi to pi. What it is, its fields say: with a
 * compliance a spring or a servo; with `side` a limit, at_least the target or at_most; with a speed
 * a motor, for which C is what is missing of the turn of a substep; with the speed 0 and a largest
 * torque the friction of a bearing. A motor that is held gives its largest torque, and does not
 * make up for it later.
 */
#define SN_TURN_DRIVE_FIELDS(FIELD)                                                                \
    SN_AXIS_FIELD(FIELD) SN_DRIVE_FIELDS(FIELD, "rad", "rad/s", "N m")

SN_DECLARE_CONSTRAINT(turn_drive, 2, SN_TURN_DRIVE_FIELDS)
#endif
