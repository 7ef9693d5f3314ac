#ifdef SN_LIST_TYPE
SN_LIST_TYPE(plate_bending, PLATE_BENDING)
#elif !defined(SINEW_PLATE_BENDING_H)
#define SINEW_PLATE_BENDING_H
#include <sinew/constraint.h>

/*
 * Bending of a sheet at one of its vertices, as that of a thin plate without Poisson's ratio: node
 * 0 is the vertex, the others are its neighbours in order around it, at least three. C is the
 * curvature in all directions, linear in the positions: three vectors, nine rows, zero when the
 * ring is flat. Energy |C|^2 / (2 compliance), so compliance is 1 / B in 1/(N m), where B is the
 * bending stiffness of the sheet, E t^3 / 12. Unlike vertex_bending it resists saddles, and it has
 * the stiffness of a plate on any mesh. For sheets that are flat at rest; others use
 * dihedral_bending.
 *
 * At a vertex on the border the ring is open, from one neighbour on the border to the other, and
 * bending along the border is all that it resists. What is left of its area belongs to the inner
 * vertices beside it, as their `border`. Bodies of cloth are built so.
 *
 * Where all three corners of a triangle are kinematic nothing bends in it: the rest of the ring
 * bends alone and is as much stiffer. So a sheet is clamped at the last of two or more rows that
 * are pinned.
 */
#define SN_PLATE_BENDING_FIELDS(FIELD)                                                             \
    FIELD(REAL, area, "m^2", 0, SN_REAL_MAX, SN_AUTO, true,                                        \
          "the part of the sheet that bends here; automatic: a third of the triangles around it")  \
    FIELD(VEC3, border, "m^2", -SN_REAL_MAX, SN_REAL_MAX, 0, false,                                \
          "direction of a border nearby, as long as the area there whose bending across it is "    \
          "taken over")                                                                            \
    FIELD(REAL, open, "1", 0, 1, 0, false,                                                         \
          "1: the vertex is on the border, and its ring is open; 0: the ring is closed")

SN_DECLARE_LIST_CONSTRAINT(plate_bending, SN_PLATE_BENDING_FIELDS)
#endif
