#ifdef SN_LIST_KIND
SN_LIST_KIND(rod, ROD)
#elif !defined(SINEW_ROD_H)
#define SINEW_ROD_H
#include <sinew/build.h>

/*
 * A Cosserat rod from the lines of a mesh, which resists stretch, shear, bending and twist: wire,
 * cable, flat springs, branches. Lines form chains or rings, each going on from the one before;
 * several may end where one goes on, as in a tree whose lines go from its tips to its root. Every
 * vertex becomes an oriented node with the frame of the line that begins there, z along the rod, x
 * along the width and y along the height of its cross-section. The shape at rest is the mesh's.
 *
 * With the model ghost_points nodes are particles, and each line has one node more, beside its
 * middle in the direction of the width. It belongs to the body, is no vertex, and touches nothing;
 * constraints of the type ghost_point know it. A pin holds a place, and pins at both ends of a line
 * its direction and twist.
 */
#define SN_ROD_FIELDS(FIELD)                                                                       \
    FIELD(REAL, radius, "m", SN_ABOVE_ZERO, SN_REAL_MAX, 0.005, false,                             \
          "of a round cross-section, above 0")                                                     \
    FIELD(REAL, density, "kg/m^3", SN_ABOVE_ZERO, SN_REAL_MAX, 1000, false,                        \
          "mass per volume, above 0")                                                              \
    FIELD(REAL, young, "Pa", SN_ABOVE_ZERO, SN_REAL_MAX, SN_AUTO, true,                            \
          "Young's modulus, above 0; automatic: as hard as the substeps allow")                    \
    FIELD(REAL, poisson, "1", 0, 0.5, 0.3, false, "Poisson's ratio, for shear and twist")          \
    FIELD(REAL, damping, "s", 0, SN_REAL_MAX, 0, false,                                            \
          "time over which deformation is braked: damping over stiffness")                         \
    FIELD(REAL, break_force, "N", 0, SN_REAL_MAX, SN_AUTO, true,                                   \
          "force in a segment at which it breaks; automatic: never")                               \
    FIELD(REAL, drag, "1", 0, SN_REAL_MAX, 0, false,                                               \
          "force of air across it, over rho v^2 / 2 times what is seen of it; 1.2: a long "        \
          "cylinder (Hoerner 1965); 0: air does not act on it")                                    \
    FIELD(CHOICE, section, "circle|ellipse|rectangle", 0, 2, 0, false,                             \
          "shape of the cross-section: of the radius, or of width and height")                     \
    FIELD(REAL, width, "m", SN_ABOVE_ZERO, SN_REAL_MAX, SN_AUTO, true,                             \
          "of an ellipse or a rectangle; automatic: twice the radius")                             \
    FIELD(REAL, height, "m", SN_ABOVE_ZERO, SN_REAL_MAX, SN_AUTO, true,                            \
          "of an ellipse or a rectangle, across the width; automatic: twice the radius")           \
    FIELD(REAL, hollow, "1", 0, 0.999, 0, false,                                                   \
          "size of the hole of a tube over that of its cross-section; 0: it is full")              \
    FIELD(VEC3, across, "1", -SN_REAL_MAX, SN_REAL_MAX, 0, false,                                  \
          "direction of the width where a chain begins, in the coordinates of the mesh; 0 0 0: "   \
          "the x axis, turned as z turns into the direction of the rod")                           \
    FIELD(REAL, length, "1", SN_ABOVE_ZERO, SN_REAL_MAX, 1, false,                                 \
          "length at rest over that of the mesh, as of what a winch has taken in, or what has "    \
          "grown; its mass stays")                                                                 \
    FIELD(CHOICE, model, "cosserat|ghost_points", 0, 1, 0, false,                                  \
          "what orients segments: frames of the nodes, or nodes beside them (Umetani et al. "      \
          "2014)")                                                                                 \
    FIELD(CHOICE, keeps, "radius|volume", 0, 1, 0, false,                                          \
          "of segments with ghost points: volume makes what is pulled thinner and what contracts " \
          "thicker (Angles et al. 2019)")                                                          \
    FIELD(REAL, plastic_yield, "1", 0, SN_REAL_MAX, SN_AUTO, true,                                 \
          "strain above which bend and twist stay, yield stress over Young's modulus; automatic: " \
          "they never do")                                                                         \
    FIELD(REAL, plastic_creep, "1/s", 0, SN_REAL_MAX, SN_AUTO, true,                               \
          "part of what is above the yield that stays, per time; automatic: all at once")          \
    FIELD(REAL, plastic_limit, "1", 0, SN_REAL_MAX, 1, false,                                      \
          "the most strain at its surface that can have stayed")

SN_DECLARE_KIND(rod, SN_ROD_FIELDS)
#endif
