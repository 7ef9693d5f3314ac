#ifdef SN_LIST_KIND
SN_LIST_KIND(shape, SHAPE)
#elif !defined(SINEW_SHAPE_H)
#define SINEW_SHAPE_H
#include <sinew/build.h>

/*
 * A deformable body without elements: its vertices are held together by shape matching alone, as
 * one region (the constraint shape_match) or as many that overlap (sinew/shape_matching.h). Any
 * mesh will do. Masses are the density times the volume of its tetrahedra; or of what a closed
 * surface encloses, shared among its vertices by area; or of a ball of `radius` at each point of a
 * mesh that is points alone.
 *
 * What it touches others with is the surface of the tetrahedra, the triangles, or the points. As
 * one region it has the stiffness `young` for deformations that are the same everywhere, and takes
 * no others than these (linear) or bending too (quadratic) easily; with many regions young is
 * roughly that of the whole, and small regions make it softer where it bends.
 */
#define SN_SHAPE_FIELDS(FIELD)                                                                     \
    FIELD(REAL, density, "kg/m^3", SN_ABOVE_ZERO, SN_REAL_MAX, 1000, false,                        \
          "mass per volume, above 0")                                                              \
    FIELD(REAL, young, "Pa", SN_ABOVE_ZERO, SN_REAL_MAX, SN_AUTO, true,                            \
          "Young's modulus, above 0; automatic: as hard as the substeps allow")                    \
    FIELD(REAL, stiffness, "1", 0, 1, 1, false, "k of the 2007 model; no effect in XPBD")          \
    FIELD(REAL, damping, "s", 0, SN_REAL_MAX, 0, false,                                            \
          "time over which deformation is braked: damping over stiffness; needs young")            \
    FIELD(CHOICE, deformation, "rigid|linear|quadratic", 0, 2, 0, false,                           \
          "what is easier than the rest, see shape_match; quadratic for the whole only")           \
    FIELD(REAL, beta, "1", 0, 1, 0.5, false,                                                       \
          "how much easier; linear: Poisson's ratio is beta / (3 - beta)")                         \
    FIELD(REAL, plastic_yield, "1", 0, SN_REAL_MAX, SN_AUTO, true,                                 \
          "strain above which some of it stays; automatic: never")                                 \
    FIELD(REAL, plastic_creep, "1/s", 0, SN_REAL_MAX, 10, false,                                   \
          "share of the strain that stays, per time")                                              \
    FIELD(REAL, plastic_limit, "1", 0, SN_REAL_MAX, 1, false, "most strain that stays")            \
    FIELD(CHOICE, region, "whole|rings|cells|balls", 0, 3, 0, false,                               \
          "one region of all vertices; or one per vertex: all within omega edges of the mesh, "    \
          "within omega cells of a lattice, or within reach")                                      \
    FIELD(REAL, omega, "1", 1, 1000, 2, false, "edges or cells, a whole number")                   \
    FIELD(REAL, spacing, "m", SN_ABOVE_ZERO, SN_REAL_MAX, SN_AUTO, true,                           \
          "of the lattice of cells, above 0, which vertices must lie on; automatic: the least "    \
          "distance from the first vertex")                                                        \
    FIELD(REAL, reach, "m", SN_ABOVE_ZERO, SN_REAL_MAX, SN_AUTO, true,                             \
          "radius of balls, above 0; automatic: a quarter of the size of the body")                \
    FIELD(REAL, radius, "m", 0, SN_REAL_MAX, 0, false, "of the nodes")                             \
    FIELD(CHOICE, sums, "auto|direct|lattice|paths|octree", 0, 4, 0, false,                        \
          "how sums over regions are made: the fewest additions; one by one; of lattices; of "     \
          "paths along edges. The motion is the same but for rounding")

SN_DECLARE_KIND(shape, SN_SHAPE_FIELDS)
#endif
