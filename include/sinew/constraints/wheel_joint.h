#ifdef SN_LIST_TYPE
SN_LIST_TYPE(wheel_joint, WHEEL_JOINT)
#elif !defined(SINEW_WHEEL_JOINT_H)
#define SINEW_WHEEL_JOINT_H
#include <sinew/constraint.h>
#include <sinew/joint.h>

/*
 * A wheel and its suspension: lets node 1 turn about the axle, `axis`, and move along `direction`
 * across it, both of node 0, and nothing else. A slide_drive along the direction is its spring, a
 * turn_drive about the axle its motor. C is the gap between the anchors along the axle and across
 * both, in m, and the rotations by which the axle is off, in rad: four rows.
 */
#define SN_WHEEL_JOINT_FIELDS(FIELD)                                                               \
    SN_ANCHOR_FIELDS(FIELD)                                                                        \
    SN_AXIS_FIELD(FIELD) SN_ACROSS_FIELD(FIELD) SN_TURN_COMPLIANCE_FIELD(FIELD)

SN_DECLARE_CONSTRAINT(wheel_joint, 2, SN_WHEEL_JOINT_FIELDS)
#endif
