/*
 * Collision surfaces for the golden scenes: cloths with hinges, areas or bending at their
 * vertices, balloons,
 * and nets of types that a user has written.
 */
#ifndef SINEW_TESTS_GOLDEN_SURFACES_H
#define SINEW_TESTS_GOLDEN_SURFACES_H

#include <sinew/sinew.h>

/* What holds a cloth beside its edges; may be added up. */
typedef enum golden_surface {
    SKIN_HINGES = 1, /* dihedral bending across every diagonal */
    SKIN_AREAS = 2,  /* the area of every triangle */
    SKIN_BENDS = 4   /* bending at every inner vertex */
} golden_surface;

/* Adds a creased cloth that hangs by two corners; some of what holds it is damped, one-sided or
   weak. */
void golden_cloth_add(sn_world *world, int columns, int rows, int surfaces);

/* Adds cubes with `cells` squares along an edge, side by side, that are blown up by different
   pressures; a few burst. */
void golden_balloons_add(sn_world *world, int count, int cells);

/* Adds ladders of links, angles and segments, all of types that are added to the world. */
void golden_user_add(sn_world *world, int ladders, int rungs);

#endif
