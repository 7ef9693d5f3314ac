#ifdef SN_LIST_TYPE
SN_LIST_TYPE(elastic_tet, ELASTIC_TET)
#elif !defined(SINEW_ELASTIC_TET_H)
#define SINEW_ELASTIC_TET_H
#include <sinew/constraint.h>

/*
 * A tetrahedron of the isotropic Saint Venant-Kirchhoff material, as a finite element. With f_x,
 * f_y and f_z, what has become of the unit vectors of the frame of the material, and the strain of
 * Green
 *
 *   e_x  = (|f_x|^2 - 1) / 2   and so on
 *   e_yz = f_y . f_z           and so on
 *
 * the energy is
 *
 *   V / 2 (lambda (e_x + e_y + e_z)^2 + 2 mu (e_x^2 + e_y^2 + e_z^2)
 *          + mu (e_yz^2 + e_zx^2 + e_xy^2))
 *
 * with the volume V at rest and the constants of Lame that belong to E = young and nu = poisson. C
 * has six rows without unit, in which this energy is a sum of squares, with the stiffness V times
 *
 *   e_x + nu / (1 - nu) (e_y + e_z)     E (1 - nu) / ((1 + nu) (1 - 2 nu))
 *   e_y + nu e_z                        E / (1 - nu^2)
 *   e_z                                 E
 *   e_yz,   e_zx,   e_xy                E / (2 (1 + nu))
 *
 * The compliance matrix of the strains is diagonal for them. `compliance` is added to every row.
 *
 * A bar that is stretched by the factor s pulls with E (s^3 - s) / 2 per area at rest, and
 * contracts such that e_y = e_z = -nu e_x. Under compression this material softens, and below s =
 * 0.58 it gives way. A ratio of 1/2 keeps the sum of the strains. Where less than a quarter of the
 * volume is left, or the tetrahedron is inside out, it is solved as linear elasticity about the
 * rotation that is nearest, with the same moduli: it comes back as soon as the load is gone.
 */
#define SN_ELASTIC_TET_FIELDS(FIELD) SN_ISOTROPIC_TET_FIELDS(FIELD, -0.99)

SN_DECLARE_CONSTRAINT(elastic_tet, 4, SN_ELASTIC_TET_FIELDS)
#endif
