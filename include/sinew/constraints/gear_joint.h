#ifdef SN_LIST_TYPE
SN_LIST_TYPE(gear_joint, GEAR_JOINT)
#elif !defined(SINEW_GEAR_JOINT_H)
#define SINEW_GEAR_JOINT_H
#include <sinew/constraint.h>
#include <sinew/joint.h>

/*
 * Gears: node 2 turns about its axis by `ratio` times the angle by which node 1 turns about its
 * own, both in the frame of node 0, which takes up the rest of the torque. C is what is missing,
 * one row in rad of node 2. The ratio is the nearest one of whole numbers, the second up to 1000;
 * gears that mesh from outside have one below 0, belts and inner gears one above. It holds nothing
 * else: hinges keep the gears in their places.
 */
#define SN_GEAR_JOINT_FIELDS(FIELD)                                                                \
    FIELD(VEC3, axis_1, "1", -SN_REAL_MAX, SN_REAL_MAX, SN_AUTO, true,                             \
          "of node 1, in the frame of node 0, of any length; automatic: its z axis")               \
    FIELD(VEC3, axis_2, "1", -SN_REAL_MAX, SN_REAL_MAX, SN_AUTO, true, "of node 2, likewise")      \
    FIELD(REAL, ratio, "1", -1000, 1000, -1, false,                                                \
          "angle of node 2 for that of node 1, at least 1/1000 one way or the other")

SN_DECLARE_CONSTRAINT(gear_joint, 3, SN_GEAR_JOINT_FIELDS)
#endif
