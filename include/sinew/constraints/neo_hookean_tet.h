#ifdef SN_LIST_TYPE
SN_LIST_TYPE(neo_hookean_tet, NEO_HOOKEAN_TET)
#elif !defined(SINEW_NEO_HOOKEAN_TET_H)
#define SINEW_NEO_HOOKEAN_TET_H
#include <sinew/constraint.h>

/*
 * A tetrahedron of the stable Neo-Hookean material (Macklin and Mueller 2021), as a finite
 * element. With the deformation gradient F, J = det F, the volume V at rest and the constants of
 * Lame
 *
 *   mu     = E / (2 (1 + nu))
 *   lambda = E nu / ((1 + nu) (1 - 2 nu))
 *
 * the energy is
 *
 *   V (mu / 2 (tr F^T F - 3) + lambda' / 2 (J - gamma)^2 - const)
 *   lambda' = lambda + mu
 *   gamma   = 1 + mu / lambda'
 *
 * which for small strain is that of E and nu. C has two rows without unit that are both zero at
 * rest,
 *
 *   J - 1   and   sqrt(tr F^T F - 4 J + J^2)
 *
 * in which this energy is a sum of squares, with the stiffness V lambda and V mu. `compliance` is
 * added to both. A ratio of 1/2 keeps the volume; a ratio of 0 resists changes of volume by mu
 * alone. Below 0 there is none: pressed from all sides to the factor s with s + s^2 + s^3 = 1 - 2
 * nu, this material gives in, which is 0.09 for 0.45 and 0.54 for 0, but 0.81 for -0.5;
 * corotated_tet and elastic_tet take all ratios.
 *
 * A bar that is stretched by the factor s contracts to t with t^2 = (gamma - mu / (lambda' s)) / s
 * and pulls with mu (s - t^2 / s) per area at rest. Tetrahedra that were flattened or turned
 * inside out come back, and so do those that were pressed together to a point, as soon as they
 * may.
 */
#define SN_NEO_HOOKEAN_TET_FIELDS(FIELD) SN_ISOTROPIC_TET_FIELDS(FIELD, 0)

SN_DECLARE_CONSTRAINT(neo_hookean_tet, 4, SN_NEO_HOOKEAN_TET_FIELDS)
#endif
