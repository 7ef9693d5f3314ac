#ifdef SN_LIST_KIND
SN_LIST_KIND(rope, ROPE)
#elif !defined(SINEW_ROPE_H)
#define SINEW_ROPE_H
#include <sinew/build.h>

/*
 * A rope, a chain or a net, from the lines of a mesh: one distance constraint per line, so it
 * resists stretch and not twist. It may branch. Its stiffness is E A / length for each line, with
 * the cross-section A of a full round rope.
 *
 * With a bending stiffness it also wants to be straight: a node between two others is held at its
 * place on the line between these, where two lines meet and no more, by an edge_attachment whose
 * compliance is that of a beam. What is curved at rest, or twists, is a rod.
 *
 * One that slides is a thread or a lace: its chains of lines keep their whole length alone, and run
 * through the vertices between their ends, which are attached to what holds them: a lace constraint
 * per chain of two lines or more. It does not branch, and is slack.
 */
#define SN_ROPE_FIELDS(FIELD)                                                                      \
    FIELD(REAL, radius, "m", SN_ABOVE_ZERO, SN_REAL_MAX, 0.005, false,                             \
          "of the cross-section, above 0")                                                         \
    FIELD(REAL, density, "kg/m^3", SN_ABOVE_ZERO, SN_REAL_MAX, 1000, false,                        \
          "mass per volume, above 0")                                                              \
    FIELD(REAL, young, "Pa", SN_ABOVE_ZERO, SN_REAL_MAX, SN_AUTO, true,                            \
          "Young's modulus, above 0; automatic: as hard as the substeps allow")                    \
    FIELD(REAL, damping, "s", 0, SN_REAL_MAX, 0, false,                                            \
          "time over which stretching is braked: damping of a line over its stiffness")            \
    FIELD(REAL, break_force, "N", 0, SN_REAL_MAX, SN_AUTO, true,                                   \
          "tension at which a line breaks; automatic: never")                                      \
    FIELD(CHOICE, slack, "no|yes", 0, 1, 0, false,                                                 \
          "yes: it can be compressed without force, as real ropes can")                            \
    FIELD(REAL, drag, "1", 0, SN_REAL_MAX, 0, false,                                               \
          "force of air across it, over rho v^2 / 2 times what is seen of it; 1.2: a long "        \
          "cylinder (Hoerner 1965); 0: air does not act on it")                                    \
    FIELD(REAL, length, "1", SN_ABOVE_ZERO, SN_REAL_MAX, 1, false,                                 \
          "length at rest over that of the mesh, as of what a winch has taken in; its mass "       \
          "stays")                                                                                 \
    FIELD(CHOICE, slides, "no|yes", 0, 1, 0, false,                                                \
          "yes: it runs through its inner vertices, as a thread through stitches")                 \
    FIELD(REAL, friction, "1", 0, 10, 0, false, "of one that slides, where it turns at a vertex")  \
    FIELD(REAL, bending_stiffness, "N m^2", 0, SN_REAL_MAX, 0, false,                              \
          "moment per curvature, with which it wants to be straight; 0: it bends freely")

SN_DECLARE_KIND(rope, SN_ROPE_FIELDS)
#endif
