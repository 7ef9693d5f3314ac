/*
 * Algorithm 1 of Mueller et al. 2007, with the small steps and the multipliers of XPBD.
 *
 *   for each substep of length h
 *       forces      a = w f, fields, air
 *       predict     v += h a ;  p = x ;  x += h v
 *       move        what is kinematic
 *       detect      contacts
 *       project     every constraint, in order of rank, lambda from 0 on; then contacts, targets
 *       limit       what must not be passed
 *       update      v = (x - p) / h
 *       velocities  dashpots, restitution, projection, damping groups
 *
 * Stages are lines of a table: those of stages.c, and those that systems add (state/system.h).
 * Where nothing needs the velocities between two substeps, the update of one and the prediction of
 * the next are a single pass over the nodes, which saves a third of the memory traffic.
 */
#include "step/step.h"

#include "base/clock.h"
#include "base/last_result.h"
#include "step/audit.h"
#include "step/integrators/integrator.h"
#include "step/offload.h"
#include "step/solvers/solver.h"

static void contain(sn_step *step) {
    if (atomic_load_explicit(&step->spoiled, memory_order_relaxed)) sn_freeze_apply(step);
}

static size_t entries_of(const sn_schedule *schedule, sn_stage stage) {
    return schedule->begin[stage + 1] - schedule->begin[stage];
}

/* Whether nothing comes between the sweeps over the constraints and the end of a substep, so that
   threads need not meet there. What fits forces comes there, but does nothing in long substeps. */
static bool ends_with_sweep(const sn_step *step, const sn_schedule *schedule) {
    const sn_world *world = step->world;
    return world->scratch.tracks.count > 0 && world->scratch.trees.trees == 0 && !step->backend &&
           !step->audit && !step->remembers && step->solver->offloads &&
           entries_of(schedule, SN_STAGE_PROJECT) == 1 &&
           !sn_schedule_has(schedule, SN_STAGE_LIMIT) &&
           entries_of(schedule, SN_STAGE_UPDATE) == 1 && !sn_fit_forces_is_needed(step);
}

/* Whether a stage has an entry that frames matter to, other than their own. */
static bool needs_frames(const sn_schedule *schedule, sn_stage stage) {
    for (size_t i = schedule->begin[stage]; i < schedule->begin[stage + 1]; i++) {
        const sn_stage_entry *entry = schedule->entry[i];
        bool own = entry->run == sn_rotate_predict || entry->run == sn_rotate_update;
        if (!own && (entry->reads | entry->writes) & SN_STATE_FRAMES) return true;
    }
    return false;
}

/* Whether nothing comes between the update of frames and their prediction in the next substep. */
static bool frames_go_on(const sn_step *step, const sn_schedule *schedule) {
    const sn_world *world = step->world;
    return !step->backend && !step->audit && !step->remembers && !step->aimed &&
           world->sleep.count == 0 && !needs_frames(schedule, SN_STAGE_UPDATE) &&
           !needs_frames(schedule, SN_STAGE_MOVE);
}

/* Whether velocities are needed between this substep and the next. */
static bool wants_velocities(const sn_step *step, const sn_schedule *schedule) {
    const size_t first = schedule->begin[SN_STAGE_VELOCITIES];
    bool any = step->pushed;
    for (size_t i = first; i < first + entries_of(schedule, SN_STAGE_VELOCITIES); i++) {
        const sn_stage_entry *entry = schedule->entry[i];
        any = any || !entry->idle || !entry->idle(step->world);
    }
    return any;
}

static void run_substeps(sn_step *step, sn_schedule *schedule) {
    const bool never = !step->pushed && !sn_schedule_has(schedule, SN_STAGE_VELOCITIES);
    const bool goes_on = frames_go_on(step, schedule);
    bool predicted = false, fused = never && ends_with_sweep(step, schedule);
    step->turns_on = never && goes_on;
    for (step->substep = 0; step->substep < step->substeps; step->substep++) {
        bool last = step->substep + 1 == step->substeps, ending = false;
        sn_step_keep(step, last);
        if (!predicted) {
            if (step->pushed) sn_forces_begin(step);
            sn_schedule_run(schedule, SN_STAGE_FORCES, step);
            sn_predict(step);
        }
        sn_schedule_run(schedule, SN_STAGE_MOVE, step);
        if (step->audit) sn_audit_predicted(step);
        sn_schedule_charge(schedule, SN_TIMER(predict));
        sn_schedule_run(schedule, SN_STAGE_DETECT, step);
        for (step->iteration = 0; step->iteration < step->iterations; step->iteration++) {
            step->ending = fused && !last && step->iteration + 1 == step->iterations;
            ending = step->ending;
            sn_schedule_run(schedule, SN_STAGE_PROJECT, step);
        }
        sn_schedule_run(schedule, SN_STAGE_LIMIT, step);
        const bool velocities = !never && wants_velocities(step, schedule);
        step->turns_on = !velocities && goes_on;
        sn_schedule_run(schedule, SN_STAGE_UPDATE, step);
        predicted = !velocities && !last;
        if (predicted) {
            sn_step_next(step);
            if (!ending || step->ending) sn_update_and_predict(step);
            contain(step);
            sn_schedule_charge(schedule, SN_TIMER(predict));
            continue;
        }
        sn_update(step);
        contain(step);
        if (step->audit) sn_audit_updated(step);
        sn_schedule_charge(schedule, SN_TIMER(update));
        sn_schedule_run(schedule, SN_STAGE_VELOCITIES, step);
        if (!last) sn_step_next(step);
    }
}

static void run(sn_step *step, sn_schedule *schedule) {
    sn_world *world = step->world;
    world->scratch.locked = true;
    sn_step_derive(step);
    sn_offload_begin(step, schedule);
    if (step->audit) sn_audit_begin(step);
    sn_schedule_run(schedule, SN_STAGE_BEGIN, step);
    sn_schedule_charge(schedule, SN_TIMER(prepare));
    run_substeps(step, schedule);
    sn_offload_end(step);
    sn_schedule_run(schedule, SN_STAGE_END, step);
    sn_team_end(world->bindings.team);
    world->scratch.locked = false;
    sn_schedule_run(schedule, SN_STAGE_TOPOLOGY, step);
    sn_fit_forces_end(step);
}

/* How much there is to do in a step, about. */
static size_t size_of(const sn_world *world) {
    return world->nodes.slots.count + world->output.stats.candidates;
}

sn_result sn_step_run(sn_world *world, double dt) {
    /* A substep shorter than a microsecond would drown in the rounding of float. What is written
       as one is one: the nearest float is a little less. */
    const double shortest = (double)SN_R(1e-6);
    double start = sn_clock(), whole = world->carry + dt;
    sn_step step = {.world = world,
                    .audit = world->bindings.audit,
                    .solver = sn_solver_of(&world->settings),
                    .integrator = sn_integrator_of(&world->settings),
                    .remembers = sn_integrator_of(&world->settings)->plan,
                    .dt = whole,
                    .substeps = (size_t)world->settings.substeps};
    if (whole < shortest) {
        world->carry = whole;
        world->time += dt;
        return SN_OK;
    }
    if (whole / (double)step.substeps < shortest) step.substeps = (size_t)(whole / shortest);
    step.h = whole / (double)step.substeps;
    step.iterations = world->settings.iterations;

    sn_schedule schedule;
    sn_lane_trial *trial = &world->bindings.lanes[SN_TRIED_STEP];
    sn_wide_registers_begin(world);
    if (world->bindings.wide.pay) (void)sn_lane_trial_begin(world, trial, size_of(world));
    sn_team *team = world->bindings.team;
    if (sn_team_threads(team) > 1)
        sn_team_set_alone(team,
                          sn_thread_trial_begin(&world->bindings.threads, sn_team_most(team)));
    sn_team_begin(team);
    sn_schedule_begin(&schedule);
    if (!sn_step_plan(&step, &schedule)) {
        sn_team_end(team);
        return sn_last_result() == SN_ERROR_LIMIT ? SN_ERROR_LIMIT : SN_ERROR_MEMORY;
    }
    run(&step, &schedule);
    sn_lane_trial_end(world, trial);
    sn_wide_registers_end(world);
    world->carry = 0;
    world->contact_time = step.dt;
    world->time += dt;
    world->steps++;
    world->output.stats.time_step = sn_clock() - start;
    sn_thread_trial_end(&world->bindings.threads, world->output.stats.time_step);
    return SN_OK;
}
