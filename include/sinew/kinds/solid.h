#ifdef SN_LIST_KIND
SN_LIST_KIND(solid, SOLID)
#elif !defined(SINEW_SOLID_H)
#define SINEW_SOLID_H
#include <sinew/build.h>

/*
 * An elastic solid from the tetrahedra of a mesh: a distance constraint per edge and a volume
 * constraint per tet. The edges alone, with stiffness E' V / l^2 and the volume V of the tets
 * around them, make an even mesh a material of Poisson's ratio 1/4; the volumes bring what is
 * missing to the ratio that is asked for.
 */
#define SN_SOLID_FIELDS(FIELD)                                                                     \
    FIELD(REAL, density, "kg/m^3", 0, SN_REAL_MAX, 1000, false, "mass per volume, above 0")        \
    FIELD(REAL, young, "Pa", 0, SN_REAL_MAX, 1e5, true,                                            \
          "Young's modulus, above 0; automatic: as hard as the substeps allow")                    \
    FIELD(REAL, poisson, "1", 0.25, 0.5, 0.45, false, "Poisson's ratio; 0.5 keeps volumes")        \
    FIELD(REAL, damping, "s", 0, SN_REAL_MAX, 0, false,                                            \
          "time over which deformation is braked: damping over stiffness")                         \
    FIELD(REAL, fracture_stress, "Pa", 0, SN_REAL_MAX, SN_AUTO, true,                              \
          "tension above which it comes apart; automatic: never")                                  \
    FIELD(REAL, radius, "m", 0, SN_REAL_MAX, 0, false, "of the nodes")

SN_DECLARE_KIND(solid, SN_SOLID_FIELDS)
#endif
