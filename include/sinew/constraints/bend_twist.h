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
 *
 * What yields: where the curvatures and the twist beyond those at rest are outside the ellipsoid
 * with the half axes `yield` at the end of a step of dt seconds, what is above it goes over into
 * `plastic_darboux`, which is added to that at rest: all of it, or with a rate of `creep` the part
 * creep dt. A wire that is bent and let go so keeps its bend but for the yield. The plastic moment
 * of the wire is E I yield. `plastic_darboux` is the only field that a step changes; snapshots have
 * it.
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
          "curvature about x and y, and twist, at rest; automatic: as at creation")                \
    FIELD(VEC3, yield, "1/m", 0, SN_REAL_MAX, SN_AUTO, true,                                       \
          "curvature about x and y, and twist, above which they stay; automatic: they never do")   \
    FIELD(REAL, creep, "1/s", 0, SN_REAL_MAX, SN_AUTO, true,                                       \
          "part of what is above the yield that stays, per time; automatic: all at once")          \
    FIELD(REAL, plastic_limit, "1/m", 0, SN_REAL_MAX, SN_AUTO, true,                               \
          "the most that can have stayed; automatic: half a turn of the joint")                    \
    FIELD(VEC3, plastic_darboux, "1/m", -SN_REAL_MAX, SN_REAL_MAX, 0, false,                       \
          "what has been added to that at rest for good")

SN_DECLARE_CONSTRAINT(bend_twist, 2, SN_BEND_TWIST_FIELDS)
#endif
