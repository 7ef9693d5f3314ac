#ifdef SN_LIST_TYPE
SN_LIST_TYPE(isometric_bending, ISOMETRIC_BENDING)
#elif !defined(SINEW_ISOMETRIC_BENDING_H)
#define SINEW_ISOMETRIC_BENDING_H
#include <sinew/constraint.h>

/*
 * Bending of two triangles that share the edge (node 0, node 1), with the far corners node 2 and
 * node 3. For motions that keep lengths the energy is quadratic in the positions (Bergou et al.
 * 2006; survey of 2017, section 5.3), so C is linear:
 *
 *   C = sum_k c_k x_k,   three rows
 *
 * zero when the triangles are coplanar, whatever the angle at creation. Energy |C|^2 / (2
 * compliance), so compliance is 1/B in 1/(N m), where B is the bending stiffness of the sheet, E
 * t^3 / (12 (1 - nu^2)).
 */
#define SN_ISOMETRIC_BENDING_FIELDS(FIELD)                                                         \
    FIELD(REAL, scale, "1", 0, SN_REAL_MAX, 1, false,                                              \
          "factor on the energy; 1 suits even meshes, 3 is the choice of the 2006 paper")

SN_DECLARE_CONSTRAINT(isometric_bending, 4, SN_ISOMETRIC_BENDING_FIELDS)
#endif
