#ifdef SN_LIST_TYPE
SN_LIST_TYPE(universal_joint, UNIVERSAL_JOINT)
#elif !defined(SINEW_UNIVERSAL_JOINT_H)
#define SINEW_UNIVERSAL_JOINT_H
#include <sinew/constraint.h>
#include <sinew/joint.h>

/*
 * Lets node 1 turn about two axes that stay square to each other, as in a cardan shaft: x of the
 * joint, which turns with node 0, and y of the joint, which turns with node 1. z is `axis`, the
 * line of the shaft. C is the gap between the anchors in m, and the cosine of the angle between
 * the two axes: four rows.
 */
#define SN_UNIVERSAL_JOINT_FIELDS(FIELD)                                                           \
    SN_ANCHOR_FIELDS(FIELD) SN_AXIS_FIELD(FIELD) SN_TURN_COMPLIANCE_FIELD(FIELD)

SN_DECLARE_CONSTRAINT(universal_joint, 2, SN_UNIVERSAL_JOINT_FIELDS)
#endif
