#ifdef SN_LIST_TYPE
SN_LIST_TYPE(point_attachment, POINT_ATTACHMENT)
#elif !defined(SINEW_POINT_ATTACHMENT_H)
#define SINEW_POINT_ATTACHMENT_H
#include <sinew/constraint.h>

/*
 * Holds node 0 at a point of a triangle: C = b1 x1 + b2 x2 + b3 x3 - x0, three rows in m, so
 * compliance is in m/N and damping in N s/m. All four nodes are moved, by their masses and their
 * parts, so that momentum is kept; a triangle of kinematic nodes only carries.
 */
#define SN_POINT_ATTACHMENT_FIELDS(FIELD)                                                          \
    FIELD(VEC3, weights, "1", 0, 1, SN_AUTO, true,                                                 \
          "b1, b2 and b3, made to have the sum 1; automatic: the point nearest to node 0 at "      \
          "creation")

SN_DECLARE_CONSTRAINT(point_attachment, 4, SN_POINT_ATTACHMENT_FIELDS)
#endif
