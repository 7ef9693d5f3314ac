#ifdef SN_LIST_TYPE
SN_LIST_TYPE(dihedral_bending, DIHEDRAL_BENDING)
#elif !defined(SINEW_DIHEDRAL_BENDING_H)
#define SINEW_DIHEDRAL_BENDING_H
#include <sinew/constraint.h>

/*
 * Bending of two triangles that share the edge (node 0, node 1), with the far corners node 2 and
 * node 3: C = angle - rest_angle in rad, taken the shorter way round, from -pi to pi. The angle is
 * zero when the triangles lie flat and pi when they are folded upon each other. It is positive
 * when the far corners are raised to the side from which the triangle (0, 1, 2) is seen
 * counterclockwise.
 *
 * Unlike isometric_bending it knows shapes that are not flat at rest, and strips one triangle
 * wide.
 *
 * Energy C^2 / (2 compliance), so compliance is the angle per moment about the edge, in rad/(N m).
 * A sheet of bending stiffness B, E t^3 / (12 (1 - nu^2)) in N m, has
 *
 *   compliance = (A0 + A1) / (B l^2)
 *
 * with the areas of the two triangles at rest and the length of the edge. That is right on meshes
 * of nearly equilateral triangles; on others the stiffness depends on how edges run.
 *
 * Creases: where |C| is above `yield` at the end of a step of dt seconds, what is above it goes
 * over into `crease`, which is added to the rest angle: all of it, or with a rate of `creep` the
 * part creep dt. A sheet that is folded and let go so keeps its fold but for the yield. `crease`
 * is the only field that a step changes; snapshots have it.
 */
#define SN_DIHEDRAL_BENDING_FIELDS(FIELD)                                                          \
    FIELD(REAL, rest_angle, "rad", -3.1416, 3.1416, SN_AUTO, true,                                 \
          "angle at which C = 0 without a crease; automatic: the angle at creation")               \
    FIELD(REAL, yield, "rad", 0, 3.1416, SN_AUTO, true,                                            \
          "|C| above which the angle stays; automatic: it never does")                             \
    FIELD(REAL, creep, "1/s", 0, SN_REAL_MAX, SN_AUTO, true,                                       \
          "part of what is above the yield that stays, per time; automatic: all at once")          \
    FIELD(REAL, plastic_limit, "rad", 0, 3.1416, 3.1416, false, "the most a crease can be")        \
    FIELD(REAL, crease, "rad", -3.1416, 3.1416, 0, false,                                          \
          "what has been added to the rest angle for good")

SN_DECLARE_CONSTRAINT(dihedral_bending, 4, SN_DIHEDRAL_BENDING_FIELDS)
#endif
