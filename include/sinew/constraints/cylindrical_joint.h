#ifdef SN_LIST_TYPE
SN_LIST_TYPE(cylindrical_joint, CYLINDRICAL_JOINT)
#elif !defined(SINEW_CYLINDRICAL_JOINT_H)
#define SINEW_CYLINDRICAL_JOINT_H
#include <sinew/constraint.h>
#include <sinew/joint.h>

/*
 * Lets node 1 turn about the axis and move along it, as a piston in its bore does. C is the gap
 * between the anchors in m along x and y of the joint, and by which rotation in rad about x and y
 * the axes differ: four rows.
 */
#define SN_CYLINDRICAL_JOINT_FIELDS(FIELD)                                                         \
    SN_ANCHOR_FIELDS(FIELD) SN_AXIS_FIELD(FIELD) SN_TURN_COMPLIANCE_FIELD(FIELD)

SN_DECLARE_CONSTRAINT(cylindrical_joint, 2, SN_CYLINDRICAL_JOINT_FIELDS)
#endif
