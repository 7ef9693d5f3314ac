#ifdef SN_LIST_TYPE
SN_LIST_TYPE(planar_joint, PLANAR_JOINT)
#elif !defined(SINEW_PLANAR_JOINT_H)
#define SINEW_PLANAR_JOINT_H
#include <sinew/constraint.h>
#include <sinew/joint.h>

/*
 * Lets node 1 slide in the plane square to the axis and turn in it, as a book on a table does. C
 * is the gap between the anchors in m along the axis, and by which rotation in rad about x and y of
 * the joint the axes differ: three rows.
 */
#define SN_PLANAR_JOINT_FIELDS(FIELD)                                                              \
    SN_ANCHOR_FIELDS(FIELD) SN_AXIS_FIELD(FIELD) SN_TURN_COMPLIANCE_FIELD(FIELD)

SN_DECLARE_CONSTRAINT(planar_joint, 2, SN_PLANAR_JOINT_FIELDS)
#endif
