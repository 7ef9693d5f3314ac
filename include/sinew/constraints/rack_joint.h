#ifdef SN_LIST_TYPE
SN_LIST_TYPE(rack_joint, RACK_JOINT)
#elif !defined(SINEW_RACK_JOINT_H)
#define SINEW_RACK_JOINT_H
#include <sinew/constraint.h>
#include <sinew/joint.h>

/*
 * A pinion on a rack, or a wheel that does not slip: node 1 moves along `direction` of node 0 by
 * `radius` times the angle by which it turns about `axis`. C is what is missing, one row in m. It
 * holds nothing else: sliders and hinges, or a cylindrical_joint, keep both in their places.
 */
#define SN_RACK_JOINT_FIELDS(FIELD)                                                                \
    SN_ANCHOR_FIELDS(FIELD)                                                                        \
    SN_AXIS_FIELD(FIELD)                                                                           \
    SN_ACROSS_FIELD(FIELD)                                                                         \
    FIELD(REAL, radius, "m", -SN_REAL_MAX, SN_REAL_MAX, 1, false,                                  \
          "way per rad, not 0; below 0 it turns the other way")

SN_DECLARE_CONSTRAINT(rack_joint, 2, SN_RACK_JOINT_FIELDS)
#endif
