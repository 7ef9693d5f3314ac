#ifdef SN_LIST_TYPE
SN_LIST_TYPE(darboux, DARBOUX)
#elif !defined(SINEW_DARBOUX_H)
#define SINEW_DARBOUX_H
#include <sinew/constraint.h>

/*
 * Bending and twist of a rod with ghost points: between the segment from node 0 to node 1, whose
 * ghost point is node 3, and the one from node 1 to node 2, whose ghost point is node 4. Frames
 * have their x axis towards the ghost point and z along the segment. C is the sine of half the
 * angle between both times its axis, less that at rest: three rows without unit, bending about x,
 * about y, and twist about z. The Darboux vector is 2 C / rest_length, so the stiffness of a rod,
 * E I or G J, gives the energy 2 E I C^2 / rest_length. `compliance` is added to every row.
 */
#define SN_DARBOUX_FIELDS(FIELD)                                                                   \
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

SN_DECLARE_CONSTRAINT(darboux, 5, SN_DARBOUX_FIELDS)
#endif
