#ifdef SN_LIST_KIND
SN_LIST_KIND(particles, PARTICLES)
#elif !defined(SINEW_PARTICLES_H)
#define SINEW_PARTICLES_H
#include <sinew/build.h>

/* Nodes without constraints: balls of one size at the vertices of any mesh. With `balls` above 1
   those of a grain keep the shape that they have in the mesh, by shape matching, and turn with it:
   gravel that interlocks. Where the body rolls, friction acts where balls touch, and angular
   momentum is kept; otherwise at their middles, which is quicker and holds grains steeper. Balls
   may touch; what lies within two of them is weighed twice. */
#define SN_PARTICLES_FIELDS(FIELD)                                                                 \
    FIELD(REAL, radius, "m", SN_ABOVE_ZERO, SN_REAL_MAX, 0.01, false, "of each ball, above 0")     \
    FIELD(REAL, density, "kg/m^3", SN_ABOVE_ZERO, SN_REAL_MAX, 1000, false,                        \
          "mass per volume, above 0")                                                              \
    FIELD(REAL, drag, "1", 0, SN_REAL_MAX, 0, false,                                               \
          "force of air, over rho v^2 / 2 times pi r^2; 0.47: a ball (Hoerner 1965); 0: air does " \
          "not act on it")                                                                         \
    FIELD(REAL, cohesion, "N/m", 0, SN_REAL_MAX, 0, false,                                         \
          "surface tension of the liquid between grains that are wet: two that touch hold each "   \
          "other with 2 pi radius times it; 0.072: water, 0: dry")                                 \
    FIELD(REAL, balls, "1", 1, 64, 1, false,                                                       \
          "how many vertices, one after the other in the mesh, are one grain that keeps its "      \
          "shape, a whole number; 1: each is a grain")

SN_DECLARE_KIND(particles, SN_PARTICLES_FIELDS)
#endif
