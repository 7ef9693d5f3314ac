#ifdef SN_LIST_TYPE
SN_LIST_TYPE(vertex_bending, VERTEX_BENDING)
#elif !defined(SINEW_VERTEX_BENDING_H)
#define SINEW_VERTEX_BENDING_H
#include <sinew/constraint.h>

/*
 * Bending of a sheet at one of its inner vertices: node 0 is the vertex, the others are its
 * neighbours in order around it, at least three. C is the mean curvature vector, linear in the
 * positions: three rows, zero when the ring is flat. Energy |C|^2 / (2 compliance), so compliance
 * is 1 / B in 1/(N m), where B is the bending stiffness of the sheet, E t^3 / (12 (1 - nu^2)), as
 * in isometric_bending. Unlike that of hinges, the energy of a cylinder is exact on every regular
 * mesh and in every direction. For sheets that are flat at rest; others use dihedral_bending. A
 * saddle has no mean curvature: what keeps a sheet from becoming one is that it does not stretch.
 *
 * Vertices on the border of the sheet have no such constraint. Their area belongs to their inner
 * neighbours, so that the areas of all add up to that of the sheet; sn_surface_bend does that.
 */
#define SN_VERTEX_BENDING_FIELDS(FIELD)                                                            \
    FIELD(REAL, area, "m^2", 0, SN_REAL_MAX, SN_AUTO, true,                                        \
          "the part of the sheet that bends here; automatic: a third of the triangles around it")

SN_DECLARE_LIST_CONSTRAINT(vertex_bending, SN_VERTEX_BENDING_FIELDS)
#endif
