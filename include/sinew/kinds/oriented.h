#ifdef SN_LIST_KIND
SN_LIST_KIND(oriented, ORIENTED)
#elif !defined(SINEW_ORIENTED_H)
#define SINEW_ORIENTED_H
#include <sinew/build.h>

/*
 * Oriented particles (Mueller and Chentanez 2011): every vertex of the mesh becomes an ellipsoid
 * that keeps its place and its direction among its neighbours, by shape matching of overlapping
 * regions (sinew/shape_matching.h). The mesh is a graph: lines that may branch, triangles that need
 * not be closed, tetrahedra, or points alone. Because particles have directions, a chain of them
 * resists bending and twist, and a single one keeps its frame. A few of them carry a detailed
 * visible mesh (sinew/skinning.h).
 *
 * A particle weighs the density times the volume of its ellipsoid, whatever overlaps. Two
 * particles next to each other are about as stiff as the substeps allow; `omega` makes the whole
 * stiffer, `compliance` softer.
 */
#define SN_ORIENTED_FIELDS(FIELD)                                                                  \
    FIELD(REAL, density, "kg/m^3", SN_ABOVE_ZERO, SN_REAL_MAX, 1000, false,                        \
          "mass per volume, above 0")                                                              \
    FIELD(REAL, radius, "m", SN_ABOVE_ZERO, SN_REAL_MAX, 0.02, false,                              \
          "of the particles where nothing else says, above 0")                                     \
    FIELD(CHOICE, fit, "ball|edges|visible", 0, 2, 0, false,                                       \
          "what particles are: balls of the radius; ellipsoids half as long as the edges around "  \
          "them, no thinner than the radius; ellipsoids that fit the visible mesh")                \
    FIELD(CHOICE, region, "rings|balls", 0, 1, 0, false,                                           \
          "one region per particle: all within omega edges, or within reach")                      \
    FIELD(REAL, omega, "1", 1, 1000, 1, false, "edges, a whole number")                            \
    FIELD(REAL, reach, "m", SN_ABOVE_ZERO, SN_REAL_MAX, SN_AUTO, true,                             \
          "of balls, above 0; automatic: four times the radius")                                   \
    FIELD(REAL, compliance, "s^2", 0, SN_REAL_MAX, 0, false,                                       \
          "distance over the acceleration back to the goal; 0 is as hard as the substeps allow")   \
    FIELD(REAL, stiffness, "1", 0, 1, 1, false, "k of the 2007 model; no effect in XPBD")          \
    FIELD(REAL, damping, "1/s", 0, SN_REAL_MAX, 0, false, "of motion within the regions")          \
    FIELD(CHOICE, turn, "mean|centre", 0, 1, 0, false,                                             \
          "how particles turn: to the mean of their regions, or to the own one, which is stiffer " \
          "and does not keep angular momentum")                                                    \
    FIELD(CHOICE, deformation, "rigid|linear", 0, 1, 0, false, "what regions may be")              \
    FIELD(REAL, beta, "1", 0, 1, 0.5, false, "the share of the linear part")                       \
    FIELD(REAL, plastic_yield, "1", 0, SN_REAL_MAX, SN_AUTO, true,                                 \
          "strain above which some of it stays; automatic: never")                                 \
    FIELD(REAL, plastic_creep, "1/s", 0, SN_REAL_MAX, 10, false,                                   \
          "share of the strain that stays, per time")                                              \
    FIELD(REAL, plastic_limit, "1", 0, SN_REAL_MAX, 1, false, "most strain that stays")            \
    FIELD(REAL, drag, "1", 0, SN_REAL_MAX, 0, false,                                               \
          "force of air or water on its triangles, over that of the pressure ahead; see cloth")    \
    FIELD(REAL, lift, "1", 0, SN_REAL_MAX, SN_AUTO, true,                                          \
          "the part of drag that stays normal to them, at most drag; automatic: all")              \
    FIELD(CHOICE, sums, "auto|direct|lattice|paths|octree", 0, 4, 0, false,                        \
          "how sums over regions are made: the fewest additions; one by one; of lattices; of "     \
          "paths along edges. The motion is the same but for rounding")

SN_DECLARE_KIND(oriented, SN_ORIENTED_FIELDS)
#endif
