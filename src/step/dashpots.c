/*
 * Dashpots: the damping of constraints, on velocities.
 *
 * A dashpot beside a constraint pushes against the rate of C with beta dC/dt. In the sweep over
 * positions, where XPBD has it (Macklin et al. 2016, eq. 26), it multiplies what one sweep leaves
 * undone, and where a body comes to rest would depend on its damping. So it is a pass of its own,
 * after the velocities are known:
 *
 *            -(J v + alpha mu)
 *   dmu = ----------------------,   alpha = 1 / (h beta),   mu += dmu,   v += W J^T dmu
 *            J W J^T + alpha
 *
 * which is backward Euler of beta dC/dt; at rest v is zero, and so is mu. One sweep alone would
 * damp next to nothing of the slow modes of a large body. But forces of dashpots change little from
 * one substep to the next: mu is kept, and all of what was there is applied before it is corrected.
 *
 * What dashpots do is slow beside a substep, so they are applied in every second, third or fourth
 * one only, and then for as long as that takes: h above is the time from one to the next.
 *
 * Colour after colour, as projections, with any solver; masses are the true ones.
 */
#include "step/colour_run.h"

typedef struct damping {
    sn_dashpots dashpots;
    sn_dashpot_loop *loop, *single;
} damping;

static void damp(const void *what, size_t begin, size_t end, bool single) {
    const damping *d = what;
    (single ? d->single : d->loop)(&d->dashpots, begin, end);
}

static bool is_damped(const sn_store *store) {
    return store->trait[SN_TRAIT_DAMPED] > 0;
}

bool sn_dashpots_are_needed(const sn_world *world) {
    if (world->settings.model == SN_MODEL_PBD) return false;
    for (size_t i = 0; i < world->store_count; i++)
        if (is_damped(&world->store[i])) return true;
    return false;
}

static void sweep(sn_world *world, bool warm) {
    for (size_t s = 0; s < world->store_count; s++) {
        const sn_store *store = &world->store[s];
        for (int c = 0; is_damped(store) && c < SN_COLOURS; c++) {
            uint8_t colour = (uint8_t)c;
            if (!sn_colour_has_work(world, &store->colour[c])) continue;
            damping d = {sn_store_dashpots(store, &world->nodes, &world->frames, colour),
                         store->type->loops[sn_lanes_of(world, &store->trial)]->damp,
                         store->type->loops[SN_WIDTH_1]->damp};
            d.dashpots.warm = warm;
            sn_colour_run(world, store, colour, false, NULL, damp, &d);
        }
    }
}

/* The largest number of substeps of which there are five or more in a step, as many as show what
   swings; and 4 at most, so that more substeps make damping more precise. */
size_t sn_dashpots_interval(const sn_step *step) {
    const size_t least = 5;
    for (size_t n = 4; n > 1; n--)
        if (step->substeps % n == 0 && step->substeps >= least * n) return n;
    return 1;
}

void sn_dashpots_apply(sn_step *step) {
    if ((step->substep + 1) % sn_dashpots_interval(step) != 0) return;
    sweep(step->world, true);
    sweep(step->world, false);
}
