#ifdef SN_LIST_TYPE
SN_LIST_TYPE(hinge_joint, HINGE_JOINT)
#elif !defined(SINEW_HINGE_JOINT_H)
#define SINEW_HINGE_JOINT_H
#include <sinew/constraint.h>
#include <sinew/joint.h>

/*
 * Lets node 1 turn about the axis through the anchors, as a door does, and nothing else. C is the
 * gap between the anchors in m, and by which rotation in rad about x and y of the joint the axes
 * differ: five rows. A turn_drive about the same axis limits, springs or drives it.
 */
#define SN_HINGE_JOINT_FIELDS(FIELD)                                                               \
    SN_ANCHOR_FIELDS(FIELD) SN_AXIS_FIELD(FIELD) SN_TURN_COMPLIANCE_FIELD(FIELD)

SN_DECLARE_CONSTRAINT(hinge_joint, 2, SN_HINGE_JOINT_FIELDS)
#endif
