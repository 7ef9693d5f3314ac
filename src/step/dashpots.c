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

enum { SWEEPS = 2 }; /* what was there, and what corrects it */

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

static damping damping_of(const sn_world *world, const sn_store *store, uint8_t colour, bool warm) {
    damping d = {sn_store_dashpots(store, &world->nodes, &world->frames, colour),
                 store->type->loops[sn_lanes_of(world, &store->trial)]->damp,
                 store->type->loops[SN_WIDTH_1]->damp};
    d.dashpots.warm = warm;
    return d;
}

/* ---- On tracks ---- */

/* A colour of a sweep. */
typedef struct task {
    damping damping;
    sn_colour_work work;
} task;

size_t sn_dashpots_bytes(size_t colours) {
    return SWEEPS * colours * (sizeof(task) + sizeof(sn_flow_stage));
}

/* Colours that have still to be run, as a flow. */
typedef struct flow {
    task *task;
    sn_flow_stage *stage;
    size_t count;
    bool small; /* whether the last colour was (state/tracks.h) */
} flow;

static flow flow_of(const sn_tracks *tracks) {
    if (tracks->count == 0) return (flow){0};
    const size_t room = tracks->damping_capacity / (sizeof(task) + sizeof(sn_flow_stage));
    return (flow){.task = tracks->damping,
                  .stage = (sn_flow_stage *)((task *)tracks->damping + room)};
}

static void add_colour(const sn_world *world, flow *f, const sn_store *store, uint8_t colour,
                       bool warm) {
    task *t = &f->task[f->count];
    sn_flow_stage *stage = &f->stage[f->count++];
    t->damping = damping_of(world, store, colour, warm);
    t->work = (sn_colour_work){.range = damp, .what = &t->damping};
    *stage = sn_colour_stage(world, store, colour, NULL, &t->work);
    stage->window = sn_tracks_window_after(&world->scratch.tracks, store,
                                           (size_t)(store - world->store), colour, &f->small);
}

static void run_flow(const sn_world *world, flow *f) {
    sn_team_flow(world->bindings.team, f->stage, f->count, world->scratch.tracks.count);
    f->count = 0;
    f->small = false;
}

/* ---- Sweeps ---- */

/* Tracks know no other constraints than those that are swept (track_plan.c). */
static bool is_on_tracks(const sn_world *world, const sn_store *store) {
    return world->scratch.tracks.count > 0 && sn_store_rank(store) == SN_RANK_CONSTRAINTS;
}

static void sweep(sn_world *world, flow *f, bool warm) {
    for (size_t s = 0; s < world->store_count; s++) {
        const sn_store *store = &world->store[s];
        if (is_damped(store) && !is_on_tracks(world, store)) run_flow(world, f);
        for (int c = 0; is_damped(store) && c < SN_COLOURS; c++) {
            uint8_t colour = (uint8_t)c;
            if (!sn_colour_has_work(world, &store->colour[c])) continue;
            if (is_on_tracks(world, store)) {
                add_colour(world, f, store, colour, warm);
                continue;
            }
            damping d = damping_of(world, store, colour, warm);
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
    flow f = flow_of(&step->world->scratch.tracks);
    sweep(step->world, &f, true);
    sweep(step->world, &f, false);
    run_flow(step->world, &f);
}
