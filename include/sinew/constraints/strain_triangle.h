#ifdef SN_LIST_TYPE
SN_LIST_TYPE(strain_triangle, STRAIN_TRIANGLE)
#elif !defined(SINEW_STRAIN_TRIANGLE_H)
#define SINEW_STRAIN_TRIANGLE_H
#include <sinew/constraint.h>

/*
 * Strain based dynamics of a triangle of cloth (Mueller et al. 2014), with threads in two
 * directions: u along the warp, v along the weft. With f_u and f_v, what has become of unit
 * vectors along them, C has three rows without unit:
 *
 *   |f_u| - 1                                      stretch of the warp
 *   |f_v| - 1                                      stretch of the weft
 *   f_u . f_v / (|f_u| |f_v|)   or   f_u . f_v     shear
 *
 * The cosine of the angle between the threads is not changed by stretching; their product is.
 *
 * Energy: half of the area at rest times the sum of stiffness times C^2, so a strip of the width w
 * that is stretched by the factor s along the warp pulls with warp_stiffness * w * (s - 1). The
 * force of a row is the tension times the area, in J. `compliance` is added to every row. It has
 * no Poisson's ratio: what is pulled does not get narrower. It keeps pushing back until the
 * threads have no length, and a triangle whose nodes were brought to one line comes out of it as
 * soon as one is beside it.
 */
#define SN_STRAIN_TRIANGLE_FIELDS(FIELD)                                                           \
    FIELD(                                                                                         \
        VEC3, rest_shape, "m", -SN_REAL_MAX, SN_REAL_MAX, SN_AUTO, true,                           \
        "length from node 0 to node 1, and where node 2 is at rest: along that edge from node 0, " \
        "and beside it, above 0; automatic: as at creation")                                       \
    FIELD(REAL, warp_angle, "rad", -6.2832, 6.2832, 0, false,                                      \
          "of the warp in the triangle at rest, from the edge 0 to 1 towards node 2")              \
    FIELD(REAL, warp_stiffness, "N/m", 0, SN_REAL_MAX, SN_AUTO, true,                              \
          "tension per strain along the warp, above 0; automatic: infinite")                       \
    FIELD(REAL, weft_stiffness, "N/m", 0, SN_REAL_MAX, SN_AUTO, true,                              \
          "tension per strain along the weft, above 0; automatic: infinite")                       \
    FIELD(REAL, shear_stiffness, "N/m", 0, SN_REAL_MAX, SN_AUTO, true,                             \
          "shear force per width and angle, above 0; automatic: infinite")                         \
    FIELD(REAL, damping_time, "s", 0, SN_REAL_MAX, 0, false,                                       \
          "time over which every row is braked: damping over stiffness")                           \
    FIELD(CHOICE, shear_form, "cosine|product", 0, 1, 0, false, "the third row, see above")

SN_DECLARE_CONSTRAINT(strain_triangle, 3, SN_STRAIN_TRIANGLE_FIELDS)
#endif
