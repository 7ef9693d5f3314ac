#ifdef SN_LIST_TYPE
SN_LIST_TYPE(offset_attachment, OFFSET_ATTACHMENT)
#elif !defined(SINEW_OFFSET_ATTACHMENT_H)
#define SINEW_OFFSET_ATTACHMENT_H
#include <sinew/constraint.h>

/*
 * Holds node 0 above a point of a triangle, along its normal: a button on a coat, a layer on
 * another.
 *
 *   C = (a1 . (x0 - p), a2 . (x0 - p), n . (x0 - p) - offset),   p = b1 x1 + b2 x2 + b3 x3
 *
 * where n is the normal that sees nodes 1, 2, 3 anticlockwise, a1 points from node 1 to node 2 and
 * a2 = n x a1: three rows in m, so compliance is in m/N and damping in N s/m. All four nodes are
 * moved, by their masses and their parts, so that momentum and angular momentum are kept: what
 * pulls at the node sideways also turns the triangle.
 */
#define SN_OFFSET_ATTACHMENT_FIELDS(FIELD)                                                         \
    FIELD(VEC3, weights, "1", 0, 1, SN_AUTO, true,                                                 \
          "b1, b2 and b3, made to have the sum 1; automatic: the point nearest to node 0 at "      \
          "creation")                                                                              \
    FIELD(REAL, offset, "m", -SN_REAL_MAX, SN_REAL_MAX, SN_AUTO, true,                             \
          "height above the triangle, below 0 behind it; automatic: that at creation")

SN_DECLARE_CONSTRAINT(offset_attachment, 4, SN_OFFSET_ATTACHMENT_FIELDS)
#endif
