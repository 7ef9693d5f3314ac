#ifdef SN_LIST_TYPE
SN_LIST_TYPE(elastic_triangle, ELASTIC_TRIANGLE)
#elif !defined(SINEW_ELASTIC_TRIANGLE_H)
#define SINEW_ELASTIC_TRIANGLE_H
#include <sinew/constraint.h>

/*
 * A triangle of an elastic sheet in plane stress, as a finite element of the Saint Venant-Kirchhoff
 * material, isotropic or with two directions: u along the warp, v along the weft. With f_u and f_v,
 * what has become of unit vectors along them, and the strain of Green
 *
 *   e_u  = (|f_u|^2 - 1) / 2
 *   e_v  = (|f_v|^2 - 1) / 2
 *   e_uv = f_u . f_v
 *
 * the energy is A / 2 times (e_u, e_v, e_uv) K (e_u, e_v, e_uv)^T, with the area A at rest and
 *
 *       | E_u / n          nu_vu E_u / n            |
 *   K = | nu_uv E_v / n    E_v / n                  |     n = 1 - nu_uv nu_vu
 *       |                                    shear  |     nu_vu = nu_uv E_v / E_u
 *
 * for E_u = warp_stiffness, E_v = weft_stiffness, nu_uv = poisson. C has three rows without unit,
 *
 *   e_u + nu_vu e_v,   e_v,   e_uv
 *
 * in which this energy is a sum of squares, with the stiffness A E_u / n, A E_v and A shear: the
 * compliance matrix of the strains, K^-1 / A, is diagonal for them. `compliance` is added to every
 * row. The force of the first row is the (second Piola-Kirchhoff) stress along the warp times the
 * area, in J.
 *
 * A strip of the width w that is stretched by the factor s pulls with E w (s^3 - s) / 2 and
 * contracts such that e_v = -nu e_u. Under compression this material softens, and below s = 0.58
 * it gives way; it comes back when the load is gone.
 */
#define SN_ELASTIC_TRIANGLE_FIELDS(FIELD)                                                          \
    FIELD(                                                                                         \
        VEC3, rest_shape, "m", -SN_REAL_MAX, SN_REAL_MAX, SN_AUTO, true,                           \
        "length from node 0 to node 1, and where node 2 is at rest: along that edge from node 0, " \
        "and beside it, above 0; automatic: as at creation")                                       \
    FIELD(REAL, warp_angle, "rad", -6.2832, 6.2832, 0, false,                                      \
          "of the warp in the triangle at rest, from the edge 0 to 1 towards node 2")              \
    FIELD(REAL, warp_stiffness, "N/m", 0, SN_REAL_MAX, SN_AUTO, true,                              \
          "Young's modulus times thickness along the warp, above 0; automatic: infinite")          \
    FIELD(REAL, weft_stiffness, "N/m", 0, SN_REAL_MAX, SN_AUTO, true,                              \
          "Young's modulus times thickness along the weft, above 0; automatic: infinite")          \
    FIELD(REAL, shear_stiffness, "N/m", 0, SN_REAL_MAX, SN_AUTO, true,                             \
          "shear modulus times thickness, above 0; automatic: that of an isotropic sheet, E / (2 " \
          "(1 + nu)), by geometric means")                                                         \
    FIELD(REAL, damping_time, "s", 0, SN_REAL_MAX, 0, false,                                       \
          "time over which every row is braked: damping over stiffness")                           \
    FIELD(REAL, poisson, "1", -0.99, 0.99, 0.3, false,                                             \
          "Poisson's ratio: contraction along the weft per extension along the warp")              \
    SN_TRIANGLE_PLASTIC_FIELDS(FIELD)

SN_DECLARE_CONSTRAINT(elastic_triangle, 3, SN_ELASTIC_TRIANGLE_FIELDS)
#endif
