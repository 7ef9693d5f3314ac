#ifdef SN_LIST_TYPE
SN_LIST_TYPE(dihedral_bending, DIHEDRAL_BENDING)
#elif !defined(SINEW_DIHEDRAL_BENDING_H)
#define SINEW_DIHEDRAL_BENDING_H
#include <sinew/constraint.h>

/*
 * Bending of two triangles that share the edge (node 0, node 1), with the far corners node 2 and
 * node 3: C = angle - rest_angle in rad, taken the shorter way round, from -pi to pi. The angle is
 * zero when the triangles lie flat and pi when they are folded upon each other. It is positive when
 * the far corners are raised to the side from which the triangle (0, 1, 2) is seen
 * counterclockwise.
 *
 * Unlike isometric_bending it knows shapes that are not flat at rest, and strips one triangle wide.
 *
 * Energy C^2 / (2 compliance), so compliance is the angle per moment about the edge, in rad/(N m).
 * A sheet of bending stiffness B, E t^3 / (12 (1 - nu^2)) in N m, has compliance = (A0 + A1) / (B
 * l^2), with the areas of the two triangles at rest and the length of the edge. That is right on
 * meshes of nearly equilateral triangles; on others the stiffness depends on how edges run.
 */
#define SN_DIHEDRAL_BENDING_FIELDS(FIELD)                                                          \
    FIELD(REAL, rest_angle, "rad", -3.1416, 3.1416, SN_AUTO, true,                                 \
          "angle at which C = 0; automatic: the angle at creation")

SN_DECLARE_CONSTRAINT(dihedral_bending, 4, SN_DIHEDRAL_BENDING_FIELDS)
#endif
