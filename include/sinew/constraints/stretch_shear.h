#ifdef SN_LIST_TYPE
SN_LIST_TYPE(stretch_shear, STRETCH_SHEAR)
#elif !defined(SINEW_STRETCH_SHEAR_H)
#define SINEW_STRETCH_SHEAR_H
#include <sinew/constraint.h>

/*
 * A segment of a Cosserat rod from node 0, which is oriented, to node 1: the z axis of node 0 is
 * the direction of the segment. C = R^T (x1 - x0) / rest_length - (0, 0, 1), three rows without
 * unit, in the frame of node 0: shear in x, shear in y, stretch. Energy: half of shear_stiffness
 * times the length times the squares of the first two, and so on. `compliance` is added to every
 * row.
 */
#define SN_STRETCH_SHEAR_FIELDS(FIELD)                                                             \
    FIELD(REAL, rest_length, "m", 0, SN_REAL_MAX, SN_AUTO, true,                                   \
          "length without stretch; automatic: the distance at creation")                           \
    FIELD(REAL, stretch_stiffness, "N", 0, SN_REAL_MAX, SN_AUTO, true,                             \
          "E A, Young's modulus times cross-section; automatic: infinite")                         \
    FIELD(REAL, shear_stiffness, "N", 0, SN_REAL_MAX, SN_AUTO, true,                               \
          "k G A, with the shear factor k of the cross-section; automatic: infinite")

SN_DECLARE_CONSTRAINT(stretch_shear, 2, SN_STRETCH_SHEAR_FIELDS)
#endif
