#ifdef SN_LIST_TYPE
SN_LIST_TYPE(frame_attachment, FRAME_ATTACHMENT)
#elif !defined(SINEW_FRAME_ATTACHMENT_H)
#define SINEW_FRAME_ATTACHMENT_H
#include <sinew/constraint.h>

/*
 * Holds the orientation of node 0 to that of the world, or of the kinematic oriented node 1, as it
 * is at creation: C = 2 Im(conj(q0) q1 rest), three rows, the rotation vector in rad for small
 * angles, so compliance is in rad/(N m). The position is free; an attachment holds that.
 */
#define SN_FRAME_ATTACHMENT_FIELDS(FIELD)

SN_DECLARE_CONSTRAINT(frame_attachment, 2, SN_FRAME_ATTACHMENT_FIELDS)
#endif
