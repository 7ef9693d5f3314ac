#ifdef SN_LIST_TYPE
SN_LIST_TYPE(ball_joint, BALL_JOINT)
#elif !defined(SINEW_BALL_JOINT_H)
#define SINEW_BALL_JOINT_H
#include <sinew/constraint.h>
#include <sinew/joint.h>

/*
 * Holds a point of node 0 and a point of node 1 together; both nodes are oriented and turn freely
 * about it. C is the gap between the anchors in the frame of node 0, three rows in m.
 */
#define SN_BALL_JOINT_FIELDS(FIELD) SN_ANCHOR_FIELDS(FIELD)

SN_DECLARE_CONSTRAINT(ball_joint, 2, SN_BALL_JOINT_FIELDS)
#endif
