#ifdef SN_LIST_TYPE
SN_LIST_TYPE(bend_twist, BEND_TWIST)
#elif !defined(SINEW_BEND_TWIST_H)
#define SINEW_BEND_TWIST_H
#include <sinew/constraint.h>

/*
 * The joint between two segments of a Cosserat rod, whose frames are those of node 0 and node 1:
 * C = Im(conj(q0) q1 - rest), three rows without unit, half the sine of the angles for small ones:
 * bending about x, about y, and twist about z. Curvature is 2 C / rest_length, so the stiffness of
 * a rod, E I or G J, gives the energy 2 E I C^2 / rest_length. `compliance` is added to every row.
 * The rest rotation is the one at creation.
 */
#define SN_BEND_TWIST_FIELDS(FIELD)                                                                \
    FIELD(REAL, rest_length, "m", 0, SN_REAL_MAX, 1, false,                                        \
          "length of rod that this joint stands for, above 0")                                     \
    FIELD(REAL, bend_stiffness_x, "N m^2", 0, SN_REAL_MAX, SN_AUTO, true,                          \
          "E I about the x axis; automatic: infinite")                                             \
    FIELD(REAL, bend_stiffness_y, "N m^2", 0, SN_REAL_MAX, SN_AUTO, true,                          \
          "E I about the y axis; automatic: infinite")                                             \
    FIELD(REAL, twist_stiffness, "N m^2", 0, SN_REAL_MAX, SN_AUTO, true,                           \
          "G J; automatic: infinite")                                                              \
    FIELD(VEC3, rest_darboux, "1/m", -SN_REAL_MAX, SN_REAL_MAX, SN_AUTO, true,                     \
          "curvature about x and y, and twist, at rest; automatic: as at creation")

SN_DECLARE_CONSTRAINT(bend_twist, 2, SN_BEND_TWIST_FIELDS)
#endif
