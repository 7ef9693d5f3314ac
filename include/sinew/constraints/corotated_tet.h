#ifdef SN_LIST_TYPE
SN_LIST_TYPE(corotated_tet, COROTATED_TET)
#elif !defined(SINEW_COROTATED_TET_H)
#define SINEW_COROTATED_TET_H
#include <sinew/constraint.h>

/*
 * A tetrahedron of the corotated linear material: Hooke's law in a frame that turns with the
 * element. With the deformation gradient F, the rotation R that is nearest to it, the volume V at
 * rest and the constants of Lame mu and lambda, the energy is
 *
 *   V (mu |F - R|^2 + lambda / 2 tr(R^T F - I)^2)
 *
 * C has two rows without unit,
 *
 *   tr(R^T F - I)   and   |F - R|
 *
 * with the stiffness V lambda and 2 V mu; `compliance` is added to both. With a ratio below 0, for
 * which lambda is, the rows are
 *
 *   tr(R^T F - I)   and   |F - R - R tr(R^T F - I) / 3|
 *
 * with the stiffness V (lambda + 2/3 mu) and 2 V mu. A ratio of 1/2 keeps the sum of the
 * stretches, which for small strain is the volume.
 *
 * A bar that is stretched by the factor s pulls with E (s - 1) per area at rest and contracts to 1
 * - nu (s - 1), however large s is. Tetrahedra that were flattened or turned inside out come back
 * along the direction in which they are thinnest.
 */
#define SN_COROTATED_TET_FIELDS(FIELD) SN_ISOTROPIC_TET_FIELDS(FIELD, -0.99)

SN_DECLARE_CONSTRAINT(corotated_tet, 4, SN_COROTATED_TET_FIELDS)
#endif
