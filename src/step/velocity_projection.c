/*
 * Constraints that have something to say about velocities, once they are known: a volume that is
 * neither to grow nor to shrink, dC/dt = 0 (Diziol et al. 2011).
 *
 * Colour by colour, as projections, so that threads share them in any way.
 */
#include "step/step.h"

typedef struct pass {
    sn_step *step;
    const sn_store *store;
    uint8_t colour;
} pass;

bool sn_velocity_projection_is_needed(const sn_world *world) {
    for (size_t i = 0; i < world->store_count; i++)
        if (world->store[i].trait[SN_TRAIT_VELOCITIES] > 0) return true;
    return false;
}

static void project_range(void *context, size_t begin, size_t end) {
    const pass *p = context;
    const sn_world *world = p->step->world;
    const sn_colour *colour = &p->store->colour[p->colour];
    sn_batch batch = sn_step_batch(world, p->store, p->colour);
    for (size_t i = begin; i < end; i++) {
        sn_place place = {p->colour, (uint32_t)i};
        if (world->sleep.count > 0 && !sn_colour_is_awake(colour, i)) continue;
        if (!p->store->type->projects_velocities(sn_store_parameters(p->store, place))) continue;
        p->store->type->project_velocities(&batch, i, world->nodes.w, world->nodes.v);
    }
}

void sn_velocity_projection_apply(sn_step *step) {
    sn_world *world = step->world;
    for (size_t s = 0; s < world->store_count; s++) {
        const sn_store *store = &world->store[s];
        if (store->trait[SN_TRAIT_VELOCITIES] == 0) continue;
        for (uint8_t c = 0; c < SN_COLOURS; c++) {
            pass p = {step, store, c};
            if (c == SN_SEQUENTIAL)
                project_range(&p, 0, store->colour[c].count);
            else
                sn_team_run(world->bindings.team, store->colour[c].count, 1, project_range, &p);
        }
    }
}
