/* Rods for the golden scenes: hanging, twisted by a torque, plucked, and led by a kinematic
   frame. */
#ifndef SINEW_TESTS_GOLDEN_RODS_H
#define SINEW_TESTS_GOLDEN_RODS_H

#include <sinew/sinew.h>

enum { GOLDEN_MOST_RODS = 64, GOLDEN_MOST_SEGMENTS = 72 };

typedef struct golden_rods {
    int count, segments;
    sn_node clamp[GOLDEN_MOST_RODS]; /* a frame that nothing turns, at the first node */
    sn_node node[GOLDEN_MOST_RODS][GOLDEN_MOST_SEGMENTS + 1];
} golden_rods;

/* Adds rods along x, side by side. */
void golden_rods_add(sn_world *world, int count, int segments, golden_rods *rods);

/* What the nth step does to them: torques, plucks and targets, by the number of the rod. */
void golden_rods_lead(sn_world *world, const golden_rods *rods, int step);

#endif
