#ifdef SN_LIST_TYPE
SN_LIST_TYPE(distance_joint, DISTANCE_JOINT)
#elif !defined(SINEW_DISTANCE_JOINT_H)
#define SINEW_DISTANCE_JOINT_H
#include <sinew/constraint.h>
#include <sinew/joint.h>

/*
 * Keeps points of two oriented nodes at a distance: C = |p_1 - p_0| - rest_length, one row in m.
 * What it is, its fields say: with a compliance a spring, with `side` at_most a rope and at_least a
 * strut; with a speed a winch or a ram, which gives no more than its largest force and for which C
 * is what is missing of the way of a substep.
 */
#define SN_DISTANCE_JOINT_FIELDS(FIELD)                                                            \
    FIELD(VEC3, anchor_0, "m", -SN_REAL_MAX, SN_REAL_MAX, 0, false, "in the frame of node 0")      \
    FIELD(VEC3, anchor_1, "m", -SN_REAL_MAX, SN_REAL_MAX, 0, false, "in the frame of node 1")      \
    FIELD(REAL, rest_length, "m", 0, SN_REAL_MAX, SN_AUTO, true,                                   \
          "distance at which C = 0; automatic: the distance at creation")                          \
    SN_MOTOR_FIELDS(FIELD, "m/s", "N")

SN_DECLARE_CONSTRAINT(distance_joint, 2, SN_DISTANCE_JOINT_FIELDS)
#endif
