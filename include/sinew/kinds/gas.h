#ifdef SN_LIST_KIND
SN_LIST_KIND(gas, GAS)
#elif !defined(SINEW_KIND_GAS_H)
#define SINEW_KIND_GAS_H
#include <sinew/build.h>

/* A gas in air, such as smoke: a fluid (sinew/fluid.h) at the vertices of a mesh of points, which
   air lifts and holds back at its surface. */
#define SN_GAS_MATERIAL_FIELDS(FIELD)                                                              \
    FIELD(REAL, density, "kg/m^3", SN_ABOVE_ZERO, SN_REAL_MAX, 1.2, false,                         \
          "mass per volume at rest, above 0; what is less than the air density of the settings "   \
          "rises")                                                                                 \
    FIELD(REAL, spacing, "m", SN_ABOVE_ZERO, SN_REAL_MAX, SN_AUTO, true,                           \
          "side of the cube that a particle fills, above 0; automatic: the least distance from "   \
          "the first vertex")                                                                      \
    FIELD(REAL, drag, "1/s", 0, SN_REAL_MAX, 5, false,                                             \
          "how fast particles that are alone take the velocity of the wind")                       \
    FIELD(REAL, viscosity, "m^2/s", 0, SN_REAL_MAX, 0, false,                                      \
          "kinematic viscosity, beside that of the method")                                        \
    FIELD(REAL, vorticity, "m/s", 0, SN_REAL_MAX, 0, false,                                        \
          "confinement: what turns is accelerated by this times its vorticity")                    \
    FIELD(REAL, compliance, "1/J", 0, SN_REAL_MAX, 0, false,                                       \
          "of the density of every particle; 0 is as hard as the substeps allow")

SN_DECLARE_KIND(gas, SN_GAS_MATERIAL_FIELDS)
#endif
