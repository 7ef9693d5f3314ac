/*
 * What stays for good: constraints whose parameters change by what happened to them, such as the
 * crease of a sheet that was folded.
 *
 * Once per step, when all nodes are where they will be. Every constraint is looked at by itself, so
 * threads share them in any way. What has no such constraint does not come here.
 */
#include "step/step.h"

enum { BLOCK = 16, BLOCKS_ALONE = 16 };

typedef struct settling {
    const sn_step *step;
    sn_store *store;
    uint8_t colour;
} settling;

/* Those that its coefficients are made with: shared ones where Jacobi solves the colour. */
static sn_masses masses_of(const settling *s) {
    const sn_world *world = s->step->world;
    if (s->colour >= world->scale.solved_in_turn)
        return (sn_masses){world->jacobi.w, world->jacobi.turn_w};
    return sn_world_masses(world);
}

static void settle_blocks(void *context, size_t begin, size_t end) {
    const settling *s = context;
    const sn_world *world = s->step->world;
    const sn_constraint_type *type = s->store->type;
    const sn_colour *colour = &s->store->colour[s->colour];
    sn_batch batch = sn_step_batch(world, s->store, s->colour);
    size_t last = end * BLOCK < colour->count ? end * BLOCK : colour->count;
    for (size_t i = begin * BLOCK; i < last; i++) {
        sn_place place = {s->colour, (uint32_t)i};
        sn_real *parameter = sn_store_parameters(s->store, place), value[SN_MAX_ROWS];
        if (world->sleep.count > 0 && !sn_colour_is_awake(colour, i)) continue;
        if (!type->settles(parameter) || sn_store_is_off(s->store, place)) continue;
        type->evaluate(&batch, i, value, NULL);
        if (type->settle(parameter, value, s->step->dt))
            sn_store_derive(s->store, place, masses_of(s), &world->scale);
    }
}

void sn_settle(sn_step *step) {
    sn_world *world = step->world;
    for (size_t k = 0; k < world->store_count; k++) {
        sn_store *store = &world->store[k];
        if (store->trait[SN_TRAIT_SETTLING] == 0) continue;
        for (uint8_t c = 0; c < SN_COLOURS; c++) {
            settling s = {step, store, c};
            sn_team_run(world->team, sn_colour_blocks(&store->colour[c]), BLOCKS_ALONE,
                        settle_blocks, &s);
        }
    }
}
