/*
 * Accelerations per node: forces of the user, which last one step, force fields, and air. A
 * recorder is shown the sum where a function of the user had a part in it; in a replay it comes
 * from there, and no function is called.
 */
#include "step/step.h"

#include "math/vector.h"

#include <string.h>

sn_force_field_input sn_forces_input(const sn_step *step) {
    const sn_world *world = step->world;
    return (sn_force_field_input){
        .count = world->nodes.slots.count,
        .position = world->nodes.x,
        .velocity = world->nodes.v,
        .inverse_mass = world->nodes.w,
        .time = world->time - world->carry + step->h * (double)step->substep,
    };
}

static void start_from_forces(sn_world *world) {
    const sn_nodes *nodes = &world->nodes;
    size_t count = nodes->slots.count;
    if (!nodes->has_forces) {
        memset(world->acceleration, 0, count * sizeof *world->acceleration);
        return;
    }
    for (size_t i = 0; i < count; i++)
        *(sn_v4 *)&world->acceleration[i] = *(const sn_v4 *)&nodes->force[i] * nodes->w[i];
}

static void call_fields(sn_step *step) {
    sn_world *world = step->world;
    start_from_forces(world);
    sn_force_field_input input = sn_forces_input(step);
    for (size_t i = 0; i < world->field_count; i++)
        world->field[i].field(world->field[i].user, &input, world->acceleration);
    sn_air_push(step);
}

void sn_forces_gather(sn_step *step) {
    if (!step->pushed) return;
    sn_world *world = step->world;
    if (world->feeder)
        world->feed(world);
    else
        call_fields(step);
    bool unseen = world->field_count > 0 || world->air.wind;
    if (world->recorder && (world->feeder || unseen)) world->tap(world);
}

void sn_forces_end(sn_step *step) {
    sn_nodes *nodes = &step->world->nodes;
    if (!nodes->has_forces) return;
    memset(nodes->force, 0, nodes->slots.count * sizeof *nodes->force);
    nodes->has_forces = false;
}
