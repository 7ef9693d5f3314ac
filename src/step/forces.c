/*
 * Accelerations per node: forces of the user, which last one step, force fields, and air. A
 * recorder is shown the sum where a function of the user had a part in it; in a replay it comes
 * from there, and no function is called.
 */
#include "step/step.h"

#include "math/vector.h"
#include "state/ahead.h"
#include "state/system.h"

#include <string.h>

static void start_from_forces(sn_world *world) {
    const sn_nodes *nodes = &world->nodes;
    size_t count = nodes->slots.count;
    if (!nodes->has_forces) {
        memset(world->scratch.acceleration, 0, count * sizeof *world->scratch.acceleration);
        return;
    }
    for (size_t i = 0; i < count; i++)
        *(sn_v4 *)&world->scratch.acceleration[i] = *(const sn_v4 *)&nodes->force[i] * nodes->w[i];
}

bool sn_forces_call_user(const sn_world *world) {
    for (size_t i = 0; i < world->bindings.systems.count; i++) {
        const sn_system *system = world->bindings.systems.system[i];
        if (system->calls_user && system->calls_user(world)) return true;
    }
    return world->bindings.field_count > 0;
}

void sn_forces_begin(sn_step *step) {
    if (step->world->bindings.feeder)
        step->world->bindings.feed(step->world);
    else
        start_from_forces(step->world);
}

/* A function of the user elsewhere counts, so that steps are the same with a recorder. */
bool sn_forces_have_fields(const sn_world *world) {
    return !world->bindings.feeder && sn_forces_call_user(world);
}

/* Functions of the user see where nodes will be and how fast, where that is what counts. What is
   predicted is not known yet: there is room for both. */
static void look_ahead(const sn_step *step, sn_force_field_input *input) {
    sn_vec4 *place = step->world->history.predicted, *velocity = step->world->history.base;
    for (size_t i = 0; i < input->count; i++) {
        *(sn_v4 *)&place[i] = sn_ahead_place(step, i);
        *(sn_v4 *)&velocity[i] = sn_ahead_velocity(step, i);
    }
    input->position = place;
    input->velocity = velocity;
}

void sn_forces_add_fields(sn_step *step) {
    sn_world *world = step->world;
    sn_force_field_input input = sn_step_input(step);
    if (step->remembers) look_ahead(step, &input);
    for (size_t i = 0; i < world->bindings.field_count; i++)
        world->bindings.field[i].field(world->bindings.field[i].user, &input,
                                       world->scratch.acceleration);
}

bool sn_forces_are_recorded(const sn_world *world) {
    return world->bindings.recorder && (world->bindings.feeder || sn_forces_call_user(world));
}

void sn_forces_record(sn_step *step) {
    step->world->bindings.tap(step->world);
}

void sn_forces_end(sn_step *step) {
    sn_nodes *nodes = &step->world->nodes;
    if (!nodes->has_forces) return;
    memset(nodes->force, 0, nodes->slots.count * sizeof *nodes->force);
    nodes->has_forces = false;
}
