/*
 * Algorithm 1 of Mueller et al. 2007, with the small steps and the multipliers of XPBD.
 *
 *   for each substep of length h
 *       predict     v += h w f ;  p = x ;  x += h v
 *       project     every constraint, colour by colour; contacts come last
 *       update      v = (x - p) / h
 *       velocities  restitution, damping, breaking
 *
 * Where nothing needs the velocities between two substeps, the update of one and the prediction of
 * the next are a single pass over the nodes, which saves a third of the memory traffic.
 */
#include "step/step.h"

#include "base/clock.h"
#include "contact/surface/surface_contact.h"
#include "contact/triangle/triangle_contact.h"
#include "fracture/tear.h"
#include "step/sleep.h"

/* Constraints one after the other; where all of them are projected together, nothing. */
static void sweep(sn_step *step, bool first, bool backwards) {
    const sn_settings *settings = &step->world->settings;
    if (settings->solver == SN_SOLVER_REFERENCE)
        sn_project_reference(step, first, backwards);
    else
        sn_project_coloured(step, sn_step_solved_in_turn(settings), first, backwards);
}

static sn_moment moment_of(const sn_step *step) {
    double substeps = (double)step->substeps, done = (double)step->substep;
    return (sn_moment){step->h, step->dt, done / substeps, (done + 1) / substeps};
}

/* Adds the time since the last call to a stage. */
static void charge(double *stage, double *since) {
    double now = sn_clock();
    *stage += now - *since;
    *since = now;
}

/*
 * With BDF2 every sweep goes forth and back. In one direction alone the constraints pull harder on
 * what comes later, and waves that run one way gain energy. On a chain BDF1 takes from them just
 * what they gain; BDF2 takes next to nothing, and a hard cloth would boil within a second. Forth
 * and back, as all together, they pull evenly.
 */
static void project(sn_step *step, double *clock) {
    sn_stats *stats = &step->world->stats;
    bool touching =
        sn_collider_contact_is_needed(step->world) || sn_surface_contact_is_needed(step->world);
    const sn_settings *settings = &step->world->settings;
    int in_turn = sn_step_solved_in_turn(settings);
    bool both_ways = settings->integrator == SN_INTEGRATOR_BDF2;
    bool matching = step->world->shape_matchings.slots.live > 0;
    bool following = step->world->animation_targets.slots.live > 0;
    sn_moment moment = moment_of(step);
    for (int i = 0; i < settings->iterations; i++) {
        if (step->world->hierarchies.slots.live > 0) sn_hierarchies_project(step, i);
        if (matching) sn_shape_matchings_project(step, i == 0);
        sweep(step, i == 0, settings->alternate && i % 2 == 1 && !both_ways);
        if (in_turn < SN_COLOURS) sn_project_jacobi(step, in_turn, i == 0);
        if (both_ways) sweep(step, false, true);
        sn_project_last(step, i == 0);
        if (touching) {
            charge(&stats->time_project, clock);
            sn_untangle_apply(step->world, &moment);
            sn_surface_contact_project(step->world, &moment, i == 0, i + 1 == settings->iterations);
            sn_triangle_contact_project(step->world, &moment);
            sn_collider_contact_project(step->world, &moment, i == 0);
            charge(&stats->time_contact, clock);
        }
        if (following) sn_animation_target_apply(step, i == 0);
    }
    if (touching) {
        sn_limiter_apply(step->world, &moment);
        sn_limit_separation_velocity(step->world, &moment);
        charge(&stats->time_contact, clock);
    } else {
        charge(&stats->time_project, clock);
    }
    if (step->world->touched.on) sn_contact_marks_update(step->world);
}

static bool is_spoiled(sn_step *step) {
    return atomic_load_explicit(&step->spoiled, memory_order_relaxed);
}

static void run_substeps(sn_step *step) {
    sn_world *world = step->world;
    sn_stats *stats = &world->stats;
    bool damped = sn_damping_is_needed(world), predicted = false;
    bool turning = world->frames.slots.live > 0;
    bool touching = sn_collider_contact_is_needed(world) || sn_surface_contact_is_needed(world);
    bool bouncing = sn_collider_contact_bounces(world) || sn_surface_contact_bounces(world);
    bool steadied = sn_velocity_projection_is_needed(world);
    bool velocities = damped || step->pushed || bouncing || steadied;
    double clock = sn_clock();
    for (step->substep = 0; step->substep < step->substeps; step->substep++) {
        if (!predicted) {
            sn_forces_gather(step);
            sn_predict(step);
        }
        sn_moment moment = moment_of(step);
        /* Colliders first: kinematic nodes may ride on them. */
        sn_collider_contact_move(world, &moment);
        sn_kinematics_move(step);
        if (turning) sn_rotate_predict(step);
        charge(&stats->time_predict, &clock);
        if (touching) {
            sn_collider_contact_substep(world, &moment);
            sn_triangle_contact_substep(world, &moment);
            sn_surface_contact_substep(world, &moment);
            charge(&stats->time_find, &clock);
        }

        project(step, &clock);

        if (turning) sn_rotate_update(step);
        sn_breaking_find(step);
        bool last = step->substep + 1 == step->substeps;
        predicted = !velocities && !last;
        if (predicted) {
            charge(&stats->time_update, &clock);
            sn_step_next(step);
            sn_update_and_predict(step);
            if (is_spoiled(step)) sn_freeze_apply(step);
            charge(&stats->time_predict, &clock);
            continue;
        }
        sn_update(step);
        if (is_spoiled(step)) sn_freeze_apply(step);
        if (bouncing) {
            charge(&stats->time_update, &clock);
            if (sn_surface_contact_bounces(world)) sn_surface_contact_bounce(world, &moment);
            sn_triangle_contact_bounce(world, &moment);
            sn_collider_contact_bounce(world, &moment);
            charge(&stats->time_contact, &clock);
        }
        if (steadied) sn_velocity_projection_apply(step);
        if (damped) sn_damping_apply(step);
        if (!last) sn_step_next(step);
        charge(&stats->time_update, &clock);
    }
}

sn_result sn_step_run(sn_world *world, double dt) {
    /* A substep shorter than a microsecond would drown in the rounding of float. */
    const double shortest = 1e-6;
    double start = sn_clock(), whole = world->carry + dt;
    sn_step step = {.world = world, .dt = whole, .substeps = (size_t)world->settings.substeps};
    if (whole < shortest) {
        world->carry = whole;
        world->time += dt;
        return SN_OK;
    }
    if (whole / (double)step.substeps < shortest) step.substeps = (size_t)(whole / shortest);
    step.h = whole / (double)step.substeps;

    sn_team_begin(world->team);
    sn_result result = sn_step_plan(&step);
    if (result != SN_OK) {
        sn_team_end(world->team);
        return result;
    }
    world->locked = true;
    sn_step_derive(&step);
    world->stats.time_prepare = sn_clock() - start - world->stats.time_find;
    sn_freeze_begin(&step);
    sn_kinematics_begin(&step);
    sn_rotate_begin(&step);
    run_substeps(&step);
    sn_kinematics_end(&step);
    sn_rotate_end(&step);
    sn_plasticity_apply(&step);
    if (world->shape_matchings.slots.live > 0) sn_shape_matchings_flow(&step);
    sn_animation_target_end(&step);
    sn_triangle_contact_end(world);
    sn_collider_contact_end(world, step.dt);
    sn_surface_contact_end(world);
    sn_sleep_end(&step);
    sn_forces_end(&step);
    sn_air_end(&step);
    sn_team_end(world->team);
    world->locked = false;
    sn_tear_end(&step);
    sn_breaking_end(&step);
    world->carry = 0;
    world->contact_time = step.dt;
    world->time += dt;
    world->steps++;
    world->stats.time_step = sn_clock() - start;
    return SN_OK;
}
