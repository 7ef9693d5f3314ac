/* The loops over pairs of particles, compiled once per SIMD width; lanes are places. */
#ifndef SN_SYSTEMS_FLUID_FLUID_LOOPS_H
#define SN_SYSTEMS_FLUID_FLUID_LOOPS_H

#include "base/team.h"
#include "systems/fluid/fluids.h"

typedef struct sn_fluid_pass {
    sn_world *world;
    sn_fluid_places *places;
    double h;          /* s */
    const sn_vec4 *of; /* of which velocities vorticity is asked */
    uint32_t
        iteration; /* and whether it is not the last one: those who have had their turns rest */
    bool may_rest;
} sn_fluid_pass;

typedef struct sn_fluid_loops {
    /* Each of a range of blocks: how dense it is and how its multiplier changes, of particles that
       differ or are alike; where it goes by that, without and with artificial pressure; and how its
       velocity changes, of particles that differ or are alike. */
    sn_range_function *multipliers[2], *moves[2], *viscosity[2];
    /* How the velocities in `search` would change, into `product`; vorticity, into `product` as
       well, and what it does to velocities. */
    sn_range_function *products[2], *curls, *confinement;
    /* What grains with the radius and 2 pi gamma in `search` do to those beside them. */
    sn_range_function *cohesion;
    /* Inward normals, R grad c, into `product`, of particles with a kind and a surface tension in
       `search`; what surface tension does to them. */
    sn_range_function *normals, *tension;
    /* What a change of vorticity by `residual` asks of velocities, into `product`. */
    sn_range_function *spins;
    /* XSPH, of particles with a part and a density at rest in `search`. */
    sn_range_function *smoothing;
} sn_fluid_loops;

const sn_fluid_loops *sn_fluid_loops_at(sn_width width);
/* Those of the lanes that were fastest in the sweeps over densities. */
const sn_fluid_loops *sn_fluid_loops_of(const sn_world *world);

/* A function of all blocks. */
static inline void sn_fluid_run(sn_world *world, sn_range_function *function, void *context) {
    enum { BLOCKS_ALONE = 16 };
    sn_team_run(world->bindings.team, sn_fluids_of(world)->places.blocks, BLOCKS_ALONE, function,
                context);
}

/* An integrator with a history may have other masses. */
static inline bool sn_fluid_is_alike(const sn_world *world) {
    return sn_fluids_of(world)->places.is_alike && !world->history.used;
}

static inline bool sn_fluid_rests(const sn_fluid_places *s) {
    return s->is_asleep || !s->is_found;
}

/* fluid_solve.c: velocities that have lost to viscosity what they would at the end of the substep.
 */
void sn_fluid_solve_viscosity(const sn_fluid_pass *pass);

/* fluid_tension.c: moves particles by what surface tension does to them in a substep. */
void sn_fluid_apply_tension(sn_fluid_pass *pass);
/* fluid_vorticity.c: remembers how what goes on as it was would turn. */
void sn_fluid_note_vorticity(sn_fluid_pass *pass);
/* fluid_velocities.c: where particles are and how fast, as they have come out of the substep. */
sn_fluid_pass sn_fluid_gather(sn_step *step);

#endif
