/*
 * Joints between two oriented nodes: what their types have in common.
 *
 * A joint has a frame on each of its nodes. Both are at the same place and turned alike when it is
 * made, and what it lets them do from then on is what tells the types apart:
 *
 *   type               lets node 1 ... relative to node 0
 *   ball_joint         turn as it likes
 *   fixed_joint        do nothing
 *   hinge_joint        turn about the axis
 *   slider_joint       move along the axis
 *   cylindrical_joint  turn about the axis and move along it
 *   universal_joint    turn about two axes that stay square to each other
 *   planar_joint       move in the plane square to the axis, and turn in it
 *   wheel_joint        turn about an axle and move along a direction across it
 *   rack_joint         move as far as it rolls
 *   gear_joint         turn as a third node turns
 *   distance_joint     move at a distance, of a point from a point
 *   turn_drive         what springs, limits and motors do about an axis
 *   slide_drive        what they do along an axis
 *
 * The frame has its origin at the anchor and z along the axis. Rows of C are lengths in m or
 * rotations in rad (twice the sine of half an angle), in the frame on node 0.
 */
#ifndef SINEW_JOINT_H
#define SINEW_JOINT_H

/* Where the joint is, in the frames of its nodes. */
#define SN_ANCHOR_FIELDS(FIELD)                                                                    \
    FIELD(VEC3, anchor_0, "m", -SN_REAL_MAX, SN_REAL_MAX, SN_AUTO, true,                           \
          "in the frame of node 0; automatic: where anchor_1 is at creation")                      \
    FIELD(VEC3, anchor_1, "m", -SN_REAL_MAX, SN_REAL_MAX, SN_AUTO, true,                           \
          "in the frame of node 1; automatic: where anchor_0 is at creation, or midway between "   \
          "the nodes")

/* Which way it goes. */
#define SN_AXIS_FIELD(FIELD)                                                                       \
    FIELD(VEC3, axis, "1", -SN_REAL_MAX, SN_REAL_MAX, SN_AUTO, true,                               \
          "in the frame of node 0, of any length; automatic: its z axis")

/* And which way it goes across the axis. */
#define SN_ACROSS_FIELD(FIELD)                                                                     \
    FIELD(VEC3, direction, "1", -SN_REAL_MAX, SN_REAL_MAX, SN_AUTO, true,                          \
          "in the frame of node 0, of any length; what of it is along the axis does not count; "   \
          "automatic: across it")

/* How soft it is to be turned the wrong way; `compliance` is added to every row. */
#define SN_TURN_COMPLIANCE_FIELD(FIELD)                                                            \
    FIELD(REAL, turn_compliance, "rad/(N m)", 0, SN_REAL_MAX, 0, false,                            \
          "of rows that are rotations, beside `compliance`")

/* What motors have: a speed, and how hard they try. */
#define SN_MOTOR_FIELDS(FIELD, speed_unit, force_unit)                                             \
    FIELD(REAL, speed, speed_unit, -SN_REAL_MAX, SN_REAL_MAX, SN_AUTO, true,                       \
          "of a motor, in place of a target; automatic: it is none")                               \
    FIELD(REAL, most_force, force_unit, 0, SN_REAL_MAX, SN_AUTO, true,                             \
          "that it gives either way; automatic: any")

/* What springs, limits and motors have: a place they go to or a speed, and how hard they try. */
#define SN_DRIVE_FIELDS(FIELD, length, speed_unit, force_unit)                                     \
    FIELD(REAL, target, length, -SN_REAL_MAX, SN_REAL_MAX, 0, false,                               \
          "where C is zero, from where the nodes are at creation")                                 \
    SN_MOTOR_FIELDS(FIELD, speed_unit, force_unit)

#endif
