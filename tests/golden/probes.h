/*
 * A golden scene in which queries steer the motion: a sheet that hovers over uneven ground, held by
 * rays.
 */
#ifndef SINEW_TESTS_GOLDEN_PROBES_H
#define SINEW_TESTS_GOLDEN_PROBES_H

#include <sinew/sinew.h>

/* Plays steps of `dt` (s). In each, rays, balls and points ask what is below and around some of the
   nodes, and forces follow from the answers. Returns how many answers were hits. */
size_t golden_probes_play(sn_world *world, int steps, sn_real dt);

#endif
