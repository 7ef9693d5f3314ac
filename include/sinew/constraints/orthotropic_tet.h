#ifdef SN_LIST_TYPE
SN_LIST_TYPE(orthotropic_tet, ORTHOTROPIC_TET)
#elif !defined(SINEW_ORTHOTROPIC_TET_H)
#define SINEW_ORTHOTROPIC_TET_H
#include <sinew/constraint.h>

/*
 * A tetrahedron of an elastic material with three axes that are perpendicular at rest, such as wood
 * or what is printed or woven in layers, as a finite element: that of Saint Venant and Kirchhoff
 * with an elasticity tensor that differs with direction. With f_x, f_y and f_z, what has become of
 * unit vectors along the axes, and the strain of Green
 *
 *   e_x  = (|f_x|^2 - 1) / 2   and so on
 *   e_yz = f_y . f_z           and so on
 *
 * the stress s and the strain e are related by the compliance matrix
 *
 *   e_x  = s_x / E_x - nu_xy s_y / E_x - nu_zx s_z / E_z      E_x, E_y, E_z = young
 *   e_y  = s_y / E_y - nu_yz s_z / E_y - nu_xy s_x / E_x      nu_yz, nu_zx, nu_xy = poisson
 *   e_z  = s_z / E_z - nu_zx s_x / E_z - nu_yz s_y / E_y      G_yz, G_zx, G_xy = shear_modulus
 *   e_yz = s_yz / G_yz   and so on
 *
 * which must be positive definite: nu_xy^2 is below E_x / E_y, and so on, and all three together
 * leave something. nu_xy is how much it contracts along y when it is pulled along x. What is the
 * same in all directions across x, as a bundle of fibres, has E_y = E_z, G_zx = G_xy, nu_zx = nu_xy
 * E_z / E_x and G_yz = E_y / (2 (1 + nu_yz)).
 *
 * Energy: half of the volume V at rest times e . s. C has six rows without unit,
 *
 *   e_x + a e_y + b e_z,   e_y + c e_z,   e_z,   e_yz,   e_zx,   e_xy
 *
 * in which it is a sum of squares; a, b, c and the stiffness of the rows follow from the compliance
 * matrix. `compliance` is added to every row. A bar along x that is stretched by the factor s pulls
 * with E_x (s^3 - s) / 2 per area at rest, and contracts such that e_y = -nu_xy e_x. Flat and
 * inverted tetrahedra come back as those of elastic_tet do.
 *
 * The axes are those of the frame in which the rest edges are given, or `axis` says where the
 * first of them points in that frame, and `across` where the second one does, or near where.
 */
#define SN_ORTHOTROPIC_TET_FIELDS(FIELD)                                                           \
    SN_TET_FIELDS(FIELD)                                                                           \
    FIELD(VEC3, axis, "1", -SN_REAL_MAX, SN_REAL_MAX, 0, false,                                    \
          "direction of the first axis in the frame of the rest edges; 0, 0, 0: along x")          \
    FIELD(VEC3, across, "1", -SN_REAL_MAX, SN_REAL_MAX, 0, false,                                  \
          "direction of the second axis, of which what is across the first counts; 0, 0, 0: any")  \
    FIELD(VEC3, young, "Pa", 0, SN_REAL_MAX, SN_AUTO, true,                                        \
          "Young's modulus along each axis, above 0; automatic, if only one: all are infinite")    \
    FIELD(VEC3, poisson, "1", -100, 100, SN_AUTO, true,                                            \
          "Poisson's ratios yz, zx and xy: contraction along the second axis per extension along " \
          "the first; automatic: 0.3 times the root of the ratio of both moduli")                  \
    FIELD(VEC3, shear_modulus, "Pa", 0, SN_REAL_MAX, SN_AUTO, true,                                \
          "stress per angle between the axes y and z, z and x, x and y, above 0; automatic: that " \
          "of an isotropic material, E / (2 (1 + nu)), by geometric means")                        \
    SN_TET_PLASTIC_FIELDS(FIELD)

SN_DECLARE_CONSTRAINT(orthotropic_tet, 4, SN_ORTHOTROPIC_TET_FIELDS)
#endif
