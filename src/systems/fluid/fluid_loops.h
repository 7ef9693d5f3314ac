/* The loops over pairs of particles, compiled once per SIMD width; lanes are places. */
#ifndef SN_SYSTEMS_FLUID_FLUID_LOOPS_H
#define SN_SYSTEMS_FLUID_FLUID_LOOPS_H

#include "base/team.h"
#include "systems/fluid/fluids.h"

typedef struct sn_fluid_pass {
    sn_world *world;
    sn_fluid_places *places;
    double h; /* s */
} sn_fluid_pass;

typedef struct sn_fluid_loops {
    /* Each of a range of blocks: how dense it is and how its multiplier changes, of particles that
       differ or are alike; where it goes by that, without and with artificial pressure; and how its
       velocity changes, of particles that differ or are alike. */
    sn_range_function *multipliers[2], *moves[2], *viscosity[2];
} sn_fluid_loops;

const sn_fluid_loops *sn_fluid_loops_of(sn_width width);

#endif
