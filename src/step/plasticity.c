/*
 * What stays for good: constraints whose parameters change by what happened to them, such as the
 * crease of a sheet that was folded, or the rest shape of a tetrahedron that was pulled too far.
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

void sn_step_look_at(const sn_nodes *nodes, sn_members members, sn_vec3 x[SN_MAX_NODES]) {
    sn_vec4 x0 = nodes->x[sn_member(members, 0)], d0 = nodes->d[sn_member(members, 0)];
    for (int n = 0; n < members.nodes; n++) {
        sn_vec4 at = nodes->x[sn_member(members, n)], d = nodes->d[sn_member(members, n)];
        x[n] = (sn_vec3){(at.x - x0.x) + (d.x - d0.x), (at.y - x0.y) + (d.y - d0.y),
                         (at.z - x0.z) + (d.z - d0.z)};
    }
}

/* Whether the parameters of a constraint are others now. */
static bool settle_one(const settling *s, const sn_batch *batch, sn_place place) {
    const sn_constraint_type *type = s->store->type;
    sn_real *parameter = sn_store_parameters(s->store, place), value[SN_MAX_ROWS];
    sn_vec3 x[SN_MAX_NODES];
    if (type->flow) {
        sn_step_look_at(&s->step->world->nodes, sn_store_members(s->store, place), x);
        return type->flow(parameter, x, s->step->dt);
    }
    if (type->flow_at) return type->flow_at(batch, place.position, parameter, s->step->dt);
    type->evaluate(batch, place.position, value, NULL);
    return type->settle(parameter, value, s->step->dt);
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
        if (world->sleep.count > 0 && !sn_colour_is_awake(colour, i)) continue;
        if (!type->settles(sn_store_parameters(s->store, place))) continue;
        if (!sn_store_is_off(s->store, place) && settle_one(s, &batch, place))
            sn_store_derive(s->store, place, sn_step_masses(s->step, s->store, s->colour),
                            &world->scale);
    }
}

void sn_plasticity_apply(sn_step *step) {
    sn_world *world = step->world;
    for (size_t k = 0; k < world->store_count; k++) {
        sn_store *store = &world->store[k];
        if (store->trait[SN_TRAIT_SETTLING] == 0) continue;
        for (uint8_t c = 0; c < SN_COLOURS; c++) {
            settling s = {step, store, c};
            sn_team_run(world->bindings.team, sn_colour_blocks(&store->colour[c]), BLOCKS_ALONE,
                        settle_blocks, &s);
        }
    }
}
