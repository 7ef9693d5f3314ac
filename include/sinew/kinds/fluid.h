#ifdef SN_LIST_KIND
SN_LIST_KIND(fluid, FLUID)
#elif !defined(SINEW_KINDS_FLUID_H)
#define SINEW_KINDS_FLUID_H
#include <sinew/build.h>

/* A fluid (sinew/fluid.h) with a particle at every vertex of a mesh of points, such as a lattice.
   Each has the mass density spacing^3 and the radius spacing / 2. */
#define SN_FLUID_MATERIAL_FIELDS(FIELD)                                                            \
    FIELD(REAL, density, "kg/m^3", SN_ABOVE_ZERO, SN_REAL_MAX, 1000, false,                        \
          "mass per volume at rest, above 0")                                                      \
    FIELD(REAL, spacing, "m", SN_ABOVE_ZERO, SN_REAL_MAX, SN_AUTO, true,                           \
          "side of the cube that a particle fills, above 0; automatic: the least distance from "   \
          "the first vertex")                                                                      \
    FIELD(REAL, viscosity, "m^2/s", 0, SN_REAL_MAX, 0, false,                                      \
          "kinematic viscosity, beside that of the method")                                        \
    FIELD(REAL, compliance, "1/J", 0, SN_REAL_MAX, 0, false,                                       \
          "of the density of every particle; 0 is as hard as the substeps allow")                  \
    FIELD(REAL, artificial_pressure, "1", 0, 1, 0, false,                                          \
          "pushes particles apart that are nearer than the others; 0.01 is much")                  \
    FIELD(REAL, vorticity, "m/s", 0, SN_REAL_MAX, 0, false,                                        \
          "confinement: what turns is accelerated by this times its vorticity")                    \
    FIELD(REAL, surface_tension, "N/m", 0, SN_REAL_MAX, 0, false,                                  \
          "what holds its surface together: drops become round; 0.072: water")                     \
    FIELD(REAL, adhesion, "1", 0, 4, 0.5, false,                                                   \
          "how much colliders pull it, over how much it pulls itself: 0 beads, 3 wets them")       \
    FIELD(CHOICE, immiscible, "no|yes", 0, 1, 0, false,                                            \
          "whether surface tension keeps it apart from other fluids")                              \
    FIELD(REAL, vorticity_kept, "1", 0, 1, 0, false,                                               \
          "which part of the vorticity that keeping the volume takes is given back")               \
    FIELD(VEC3, detail_point, "m", -SN_REAL_MAX, SN_REAL_MAX, 0, false,                            \
          "where most detail is, such as a camera")                                                \
    FIELD(REAL, detail_radius, "m", SN_ABOVE_ZERO, SN_REAL_MAX, SN_AUTO, true,                     \
          "particles within so far of that point take part in all iterations, others in fewer; "   \
          "automatic: all in all")                                                                 \
    FIELD(CHOICE, wall_forces, "no|yes", 0, 1, 0, false,                                           \
          "whether what its pressure does to colliders is kept for reading")                       \
    FIELD(REAL, coarse_depth, "m", SN_ABOVE_ZERO, SN_REAL_MAX, SN_AUTO, true,                      \
          "particles farther than this from the free surface are joined, up to eight in one; "     \
          "automatic: sizes stay")                                                                 \
    FIELD(CHOICE, equality, "no|yes", 0, 1, 0, false,                                              \
          "whether too low a density pulls as too high a one pushes, at the free surface as well") \
    FIELD(REAL, xsph, "1", 0, 1, 0, false,                                                         \
          "which part of their difference from those near them velocities lose in a substep")

SN_DECLARE_KIND(fluid, SN_FLUID_MATERIAL_FIELDS)
#endif
