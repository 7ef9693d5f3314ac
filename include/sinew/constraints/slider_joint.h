#ifdef SN_LIST_TYPE
SN_LIST_TYPE(slider_joint, SLIDER_JOINT)
#elif !defined(SINEW_SLIDER_JOINT_H)
#define SINEW_SLIDER_JOINT_H
#include <sinew/constraint.h>
#include <sinew/joint.h>

/*
 * Lets node 1 move along the axis, as a drawer does, and nothing else. C is the gap between the
 * anchors in m along x and y of the joint, and the rotation in rad between the nodes: five rows. A
 * slide_drive along the same axis limits, springs or drives it.
 */
#define SN_SLIDER_JOINT_FIELDS(FIELD)                                                              \
    SN_ANCHOR_FIELDS(FIELD) SN_AXIS_FIELD(FIELD) SN_TURN_COMPLIANCE_FIELD(FIELD)

SN_DECLARE_CONSTRAINT(slider_joint, 2, SN_SLIDER_JOINT_FIELDS)
#endif
