#ifdef SN_LIST_TYPE
SN_LIST_TYPE(strain_limit_triangle, STRAIN_LIMIT_TRIANGLE)
#elif !defined(SINEW_STRAIN_LIMIT_TRIANGLE_H)
#define SINEW_STRAIN_LIMIT_TRIANGLE_H
#include <sinew/constraint.h>

/*
 * Limits how much a triangle is stretched or compressed, whatever the direction: C = sigma - limit,
 * where sigma is a singular value of the deformation from the triangle at creation to that of now,
 * a length over what it was at rest (survey, section 7.1). With side at_most it is the largest one,
 * so that nothing is longer than `limit` times its rest length; with at_least the smallest one, so
 * that nothing is shorter; with both sides the largest one is kept at `limit`. Where the two are
 * within a thousandth of each other C is rounded off, by 1/4096 at most on the side that allows
 * more. Compliance is in 1/J. A triangle whose nodes lie on a line has no direction to grow in.
 */
#define SN_STRAIN_LIMIT_TRIANGLE_FIELDS(FIELD)                                                     \
    FIELD(REAL, limit, "1", 0, SN_REAL_MAX, 1, false, "length over length at rest at which C = 0")

SN_DECLARE_CONSTRAINT(strain_limit_triangle, 3, SN_STRAIN_LIMIT_TRIANGLE_FIELDS)
#endif
