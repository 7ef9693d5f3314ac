#ifdef SN_LIST_TYPE
SN_LIST_TYPE(attachment, ATTACHMENT)
#elif !defined(SINEW_ATTACHMENT_H)
#define SINEW_ATTACHMENT_H
#include <sinew/constraint.h>

/*
 * Holds node 0 at a point of the world or at a kinematic node: C = x0 - (anchor + offset), three
 * rows in m, so compliance is in m/N and damping in N s/m. The anchor is node 1, which is followed
 * and never moved, or the origin of the world when node 1 is the null id; `offset` is then the
 * point itself.
 */
#define SN_ATTACHMENT_FIELDS(FIELD)                                                                \
    FIELD(VEC3, offset, "m", -SN_REAL_MAX, SN_REAL_MAX, SN_AUTO, true,                             \
          "from the anchor to where node 0 belongs; automatic: where it is at creation")

SN_DECLARE_CONSTRAINT(attachment, 2, SN_ATTACHMENT_FIELDS)
#endif
