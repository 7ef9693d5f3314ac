#ifdef SN_LIST_TYPE
SN_LIST_TYPE(fixed_joint, FIXED_JOINT)
#elif !defined(SINEW_FIXED_JOINT_H)
#define SINEW_FIXED_JOINT_H
#include <sinew/constraint.h>
#include <sinew/joint.h>

/*
 * Holds node 1 to node 0 as it is at creation, as if they were glued. C is the gap between the
 * anchors in m and the rotation in rad between the nodes, in the frame of node 0: six rows.
 */
#define SN_FIXED_JOINT_FIELDS(FIELD) SN_ANCHOR_FIELDS(FIELD) SN_TURN_COMPLIANCE_FIELD(FIELD)

SN_DECLARE_CONSTRAINT(fixed_joint, 2, SN_FIXED_JOINT_FIELDS)
#endif
