/*
 * The plan of a step: all the memory it may need, so that what follows cannot fail; and
 * coefficients of the constraints for its h.
 */
#include "step/step.h"

#include "base/error.h"
#include "contact/contacts.h"
#include "fracture/tear.h"
#include "step/integrators/integrator.h"
#include "step/offload.h"
#include "step/sleep.h"
#include "step/solvers/solver.h"
#include "step/tree_solver.h"

#include <assert.h>

enum { BLOCK = 16 };

size_t sn_step_sweeps(const sn_settings *settings) {
    const sn_solver_type *solver = sn_solver_of(settings);
    bool both_ways = sn_integrator_of(settings)->both_ways &&
                     (sn_solver_in_turn(solver, settings) > 0 || solver->phases);
    return (size_t)settings->iterations * (both_ways ? 2 : 1);
}

sn_softness sn_step_softness(const sn_world *world, const sn_store *store) {
    const size_t *trait = store->trait;
    if (world->settings.model == SN_MODEL_PBD)
        return trait[SN_TRAIT_RELAXED] + trait[SN_TRAIT_SIDED] > 0 ? SN_COMPLIANT : SN_HARD;
    return trait[SN_TRAIT_COMPLIANT] + trait[SN_TRAIT_SIDED] > 0 ? SN_COMPLIANT : SN_HARD;
}

/* Whether something asks for the multipliers of every substep. */
static bool needs_all(const sn_world *world, const sn_store *store) {
    bool iterated =
        sn_step_sweeps(&world->settings) > 1 && sn_step_softness(world, store) != SN_HARD;
    bool struck = sn_integrator_of(&world->settings)->plan && store->trait[SN_TRAIT_SIDED] > 0;
    /* What limits have given is known from them, and what is soft adds to its own. */
    bool settles = world->scratch.settling.possible && store->type->joins &&
                   sn_step_softness(world, store) != SN_HARD;
    return world->bindings.audit || iterated || struck || settles ||
           store->trait[SN_TRAIT_BREAKABLE] > 0 || store->trait[SN_TRAIT_REMEMBERING] > 0 ||
           sn_tear_needs_forces(world) || sn_trees_remember(world, store);
}

bool sn_step_keeps(const sn_world *world, const sn_store *store) {
    return world->settings.keep_forces || needs_all(world, store);
}

void sn_step_keep(const sn_step *step, bool last) {
    sn_world *world = step->world;
    for (size_t s = 0; s < world->store_count; s++) {
        const sn_store *store = &world->store[s];
        bool all = last || step->backend || sn_fit_forces_needs(step, store);
        world->store[s].kept = all ? sn_step_keeps(world, store) : needs_all(world, store);
    }
}

sn_batch sn_step_batch(const sn_world *world, const sn_store *store, uint8_t colour) {
    sn_batch batch = sn_store_batch(store, &world->nodes, &world->frames, colour);
    if (world->history.used) batch.p = world->history.base;
    batch.starts = !world->history.used;
    batch.touched = sn_contact_marks_of(world);
    return batch;
}

/* ---- Coefficients ---- */

sn_masses sn_step_masses(const sn_step *step, const sn_store *store, uint8_t colour) {
    const sn_world *world = step->world;
    bool in_turn = colour < sn_solver_in_turn(step->solver, &world->settings);
    bool solved = sn_store_rank(store) == SN_RANK_CONSTRAINTS;
    if (in_turn || !solved || !step->solver->masses) return sn_world_masses(world);
    return step->solver->masses(world);
}

typedef struct derivation {
    const sn_step *step;
    sn_store *store;
    uint8_t colour;
    bool all; /* or only those on bodies that the integrator has given other masses */
    sn_scale scale;
} derivation;

static bool is_touched(const sn_world *world, const sn_store *store, sn_place place) {
    sn_members members = sn_store_members(store, place);
    for (int n = 0; n < members.nodes; n++) {
        int32_t node = sn_member(members, n);
        if (node >= 0 && world->history.touched[world->nodes.body[node]]) return true;
    }
    return false;
}

static void derive_touched(const derivation *d, size_t begin, size_t end, sn_masses masses) {
    size_t count = d->store->colour[d->colour].count;
    for (size_t i = begin * BLOCK; i < end * BLOCK && i < count; i++) {
        sn_place place = {d->colour, (uint32_t)i};
        if (is_touched(d->step->world, d->store, place))
            sn_store_derive(d->store, place, masses, &d->scale);
    }
}

static void derive_range(void *context, size_t begin, size_t end) {
    derivation *d = context;
    sn_masses masses = sn_step_masses(d->step, d->store, d->colour);
    if (d->all)
        sn_store_derive_blocks(d->store, d->colour, begin, end, masses, &d->scale);
    else
        derive_touched(d, begin, end, masses);
}

static void derive_store(const sn_step *step, sn_store *store, sn_scale scale, bool all) {
    for (uint8_t colour = 0; colour < SN_COLOURS; colour++) {
        derivation d = {step, store, colour, all, scale};
        sn_team_run(step->world->bindings.team, sn_colour_blocks(&store->colour[colour]), 64,
                    derive_range, &d);
    }
}

/* Whether coefficients of a store change with the scale. */
static bool depends_on_scale(const sn_store *store, sn_scale from, sn_scale to) {
    if (store->type->timed && from.h != to.h) return true;
    bool soft = store->trait[SN_TRAIT_COMPLIANT] > 0, relaxed = store->trait[SN_TRAIT_RELAXED] > 0;
    if (from.model != to.model) return soft || relaxed;
    if (to.model == SN_MODEL_PBD) return relaxed && from.iterations != to.iterations;
    return soft && (from.h != to.h || from.damped_h != to.damped_h);
}

/* The masses that constraints see. */
static void weigh_nodes(sn_step *step) {
    if (step->integrator->weigh) step->integrator->weigh(step->world);
    if (step->solver->prepare) step->solver->prepare(step);
}

/* Whether some bodies have other masses in the substep that begins. */
static bool advance(sn_step *step) {
    return step->integrator->advance && step->integrator->advance(step->world);
}

static sn_scale scale_of(const sn_step *step) {
    const sn_settings *settings = &step->world->settings;
    double (*rate_h)(double) = step->integrator->rate_h;
    return (sn_scale){.h = step->h,
                      .rate_h = rate_h ? rate_h(step->h) : step->h,
                      .damped_h = step->h * (double)sn_dashpots_interval(step),
                      .model = settings->model,
                      .iterations = settings->iterations,
                      .solved_in_turn = sn_solver_in_turn(step->solver, settings),
                      .integrator = settings->integrator};
}

void sn_step_derive(sn_step *step) {
    sn_world *world = step->world;
    sn_scale scale = scale_of(step);
    bool shared = step->solver->prepare, remembered = step->integrator->plan;
    bool switched = scale.integrator != world->scale.integrator;
    if (switched || scale.h != world->scale.h) sn_history_restart_all(&world->history);
    world->history.used = remembered;
    bool touched = advance(step);
    bool all = world->scratch.masses_changed ||
               scale.solved_in_turn != world->scale.solved_in_turn || switched ||
               (shared && world->scratch.settings_changed) ||
               ((shared || remembered) && world->scratch.constraints_changed);
    if (all || touched) weigh_nodes(step);
    for (size_t s = 0; s < world->store_count; s++) {
        sn_store *store = &world->store[s];
        bool whole = all || depends_on_scale(store, world->scale, scale);
        if (whole || touched) derive_store(step, store, scale, whole);
    }
    world->scale = scale;
    world->scratch.masses_changed = world->scratch.constraints_changed =
        world->scratch.settings_changed = false;
}

/* In the middle of a step, with the scale that it has. */
static void derive_again(sn_step *step, bool all) {
    sn_world *world = step->world;
    weigh_nodes(step);
    for (size_t s = 0; s < world->store_count; s++)
        derive_store(step, &world->store[s], world->scale, all);
    /* What broke in this step has no effect any more, whatever its coefficients would be. */
    for (size_t i = 0; i < world->output.breaks; i++) {
        uint32_t broken = world->output.broken[i].constraint.slot - 1;
        sn_store_disable(sn_world_store_of(world, broken), sn_world_place(world, broken));
    }
}

void sn_step_next(sn_step *step) {
    if (advance(step)) derive_again(step, false);
}

void sn_step_derive_all(sn_step *step) {
    derive_again(step, true);
    sn_offload_renew(step);
}

/* ---- Everything ---- */

#ifndef NDEBUG
/* Colours are checked where they can have changed; the scratch is not counted as a step's. */
static void validate_colours(sn_world *world) {
    sn_memory scratch = {sn_allocator_default(), 0};
    for (size_t s = 0; s < world->store_count; s++) {
        if (!world->store[s].changed) continue;
        assert(sn_store_is_valid(&world->store[s], world->nodes.slots.count, &scratch));
        world->store[s].changed = false;
    }
}
#endif

bool sn_step_reserve(sn_step *step) {
    sn_world *world = step->world;
    sn_memory *memory = &world->memory;
    size_t breakable = 0;
    for (size_t s = 0; s < world->store_count; s++)
        breakable += world->store[s].trait[SN_TRAIT_BREAKABLE];
    bool room = sn_world_update_segments(world) &&
                sn_reserve(memory, (void **)&world->output.broken, &world->output.break_capacity,
                           breakable, sizeof *world->output.broken);
    if (room && step->solver->plan) room = step->solver->plan(world);
    room = room && sn_trees_plan(step) && sn_tracks_plan(step);
    if (room && step->integrator->plan) room = step->integrator->plan(world);
    return room && sn_world_reserve_safe(world) && sn_fit_forces_reserve(step) &&
           sn_impacts_reserve(step) && sn_settle_reserve(step) &&
           sn_reserve(memory, (void **)&world->output.frozen, &world->output.freeze_capacity,
                      world->bodies.slots.count + step->substeps, sizeof *world->output.frozen);
}

static void begin_stats(const sn_step *step, const sn_stats *times) {
    sn_world *world = step->world;
    sn_stats *stats = &world->output.stats;
    *stats = *times;
    stats->nodes = world->nodes.slots.live;
    stats->constraints = world->constraints.slots.live;
    stats->substeps = step->substeps;
    stats->projections =
        sn_sleep_awake_constraints(world) * step->substeps * sn_step_sweeps(&world->settings);
    size_t most = SN_COLOURS;
    if (step->solver->phases) most = (size_t)step->solver->phases(&world->settings);
    for (size_t s = 0; s < world->store_count; s++) {
        size_t colours = world->store[s].colours;
        stats->colours += colours < most ? colours : most;
        stats->sequential += world->store[s].colour[SN_SEQUENTIAL].count;
    }
}

/* Whether there are accelerations per node, now that everybody has planned; and room for them. */
static bool plan_forces(sn_step *step, sn_schedule *schedule) {
    sn_world *world = step->world;
    sn_schedule_add(schedule, world, SN_STAGE_FORCES, SN_STAGE_FORCES);
    step->pushed = world->nodes.has_forces || world->bindings.feeder ||
                   sn_schedule_has(schedule, SN_STAGE_FORCES);
    /* One more, so that force fields get a place to write to in a world without nodes as well. */
    return !step->pushed ||
           sn_reserve(&world->memory, (void **)&world->scratch.acceleration,
                      &world->scratch.acceleration_capacity, world->nodes.slots.count + 1,
                      sizeof *world->scratch.acceleration);
}

bool sn_step_plan(sn_step *step, sn_schedule *schedule) {
    sn_world *world = step->world;
    sn_schedule_add(schedule, world, SN_STAGE_PLAN, SN_STAGE_FIND);
    bool room = sn_schedule_plan(schedule, SN_STAGE_PLAN, step) &&
                sn_schedule_plan(schedule, SN_STAGE_FIND, step) && plan_forces(step, schedule);
    for (size_t i = 0; i < world->bindings.systems.count; i++)
        if (world->bindings.systems.system[i]->planned)
            world->bindings.systems.system[i]->planned(step, room);
    if (!room) return false;
#ifndef NDEBUG
    validate_colours(world);
#endif
    world->output.breaks = world->output.freezes = 0;
    for (size_t s = 0; s < world->store_count; s++)
        world->store[s].kept = sn_step_keeps(world, &world->store[s]);
    begin_stats(step, &schedule->times);
    schedule->charge = &world->output.stats;
    /* Who takes part is known now that everybody has planned. */
    sn_schedule_add(schedule, world, SN_STAGE_BEGIN, SN_STAGE_BEGIN);
    sn_schedule_add(schedule, world, SN_STAGE_PREDICT, SN_STAGE_TOPOLOGY);
    return true;
}
