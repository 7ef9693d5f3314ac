#ifdef SN_LIST_TYPE
SN_LIST_TYPE(quadratic_tet, QUADRATIC_TET)
#elif !defined(SINEW_QUADRATIC_TET_H)
#define SINEW_QUADRATIC_TET_H
#include <sinew/constraint.h>

/*
 * A tetrahedron with ten nodes as a finite element: four corners, and one in the middle of every
 * edge at rest, in the order
 *
 *   0, 1, 2, 3,   01, 02, 03, 12, 13, 23
 *
 * so that displacements are quadratic in it, and it bends, where a tetrahedron with four nodes can
 * only be stretched and sheared as a whole and locks. The material is the stable Neo-Hookean one of
 * neo_hookean_tet. With the deformation gradient F, J = det F, and
 *
 *   Q = tr F^T F - 4 J + J^2,
 *
 * C has five rows without unit,
 *
 *   J - 1        at the centre                 stiffness V lambda
 *   sqrt(Q)      at four points within         stiffness V mu / 4 each
 *
 * with the volume V at rest and the constants of Lame that belong to E = young and nu = poisson.
 * Volumes are asked for once per element: that is what leaves it free to bend where nu is near
 * 1/2. `compliance` is added to every row.
 *
 * At rest edges are straight, with their nodes in the middle; sn_mesh_add_midpoints makes such
 * meshes.
 */
#define SN_QUADRATIC_TET_FIELDS(FIELD)                                                             \
    SN_TET_FIELDS(FIELD)                                                                           \
    FIELD(REAL, young, "Pa", 0, SN_REAL_MAX, SN_AUTO, true,                                        \
          "Young's modulus at small strain, above 0; automatic: infinite")                         \
    FIELD(REAL, poisson, "1", 0, 0.5, 0.3, false,                                                  \
          "Poisson's ratio at small strain; at 0.5 the volume is kept")

SN_DECLARE_CONSTRAINT(quadratic_tet, 10, SN_QUADRATIC_TET_FIELDS)
#endif
