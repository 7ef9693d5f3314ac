#ifdef SN_LIST_TYPE
SN_LIST_TYPE(neo_hookean_triangle, NEO_HOOKEAN_TRIANGLE)
#elif !defined(SINEW_NEO_HOOKEAN_TRIANGLE_H)
#define SINEW_NEO_HOOKEAN_TRIANGLE_H
#include <sinew/constraint.h>

/*
 * A triangle of a thin sheet of the stable Neo-Hookean material (neo_hookean_tet.h) in plane
 * stress, as a finite element, for rubber and what else is stretched far. With its stretches s_1
 * and s_2, j = s_1 s_2 and mu = E t / (2 (1 + nu)), t the thickness, the stretch across is where
 * the energy is least,
 *
 *   (2 - 2 nu) j / (1 - 2 nu + j^2)
 *
 * and the energy with it
 *
 *   A mu / 2 (s_1^2 + s_2^2 - 3 - r + (1 + r)^2 / (r + j^2)),   r = 1 - 2 nu
 *
 * with the area A at rest. C has three rows without unit, in which it is a sum of squares, all with
 * the stiffness A mu:
 *
 *   (j - 1) sqrt((2 j + 2 nu) / (r + j^2)),   S_uu - S_vv,   2 S_uv
 *
 * where S is the stretch without rotation, and u the direction of the warp, which matters for
 * plasticity alone. `compliance` is added to every row. A ratio of 1/2 keeps the volume.
 *
 * A strip that is stretched by the factor s pulls with mu w (s - (1 + r)^2 j^2 / (s (r + j^2)^2)),
 * of the width w at rest, and j with it such that its other side is free; for nu = 1/2 that is
 * mu w (s - 1 / s^2). A sheet that is stretched by s in all directions has the tension
 * mu (s - (1 + r)^2 s^3 / (r + s^4)^2) per width at rest. Pressed together to a small part of its
 * area, where this material would give in, the first row goes on with the slope that it had.
 */
#define SN_NEO_HOOKEAN_TRIANGLE_FIELDS(FIELD)                                                      \
    FIELD(                                                                                         \
        VEC3, rest_shape, "m", -SN_REAL_MAX, SN_REAL_MAX, SN_AUTO, true,                           \
        "length from node 0 to node 1, and where node 2 is at rest: along that edge from node 0, " \
        "and beside it, above 0; automatic: as at creation")                                       \
    FIELD(REAL, warp_angle, "rad", -6.2832, 6.2832, 0, false,                                      \
          "of the direction u in the triangle at rest, from the edge 0 to 1 towards node 2")       \
    FIELD(REAL, stretch_stiffness, "N/m", 0, SN_REAL_MAX, SN_AUTO, true,                           \
          "Young's modulus at small strain times thickness, above 0; automatic: infinite")         \
    FIELD(REAL, poisson, "1", 0, 0.5, 0.3, false,                                                  \
          "Poisson's ratio at small strain; at 0.5 the volume is kept")                            \
    FIELD(REAL, damping_time, "s", 0, SN_REAL_MAX, 0, false,                                       \
          "time over which every row is braked: damping over stiffness")                           \
    SN_TRIANGLE_PLASTIC_FIELDS(FIELD)

SN_DECLARE_CONSTRAINT(neo_hookean_triangle, 3, SN_NEO_HOOKEAN_TRIANGLE_FIELDS)
#endif
