/* Diffusions as a system: neighbours when a step begins, exchange when it ends, and phases and
   masses that follow from it. */
#include "state/system.h"
#include "systems/diffusion/diffusions.h"

static bool is_needed(const sn_world *world) {
    return sn_diffusions_of(world)->slots.live > 0;
}

static void release(void *state, sn_memory *memory) {
    sn_diffusions_free(state, memory);
}

static void drop_scratch(void *state, sn_memory *memory) {
    sn_carriers_free(&((sn_diffusions *)state)->carriers, memory);
}

static void forget_nodes(sn_world *world) {
    sn_diffusions *all = sn_diffusions_of(world);
    for (uint32_t i = 0; i < all->slots.count; i++) {
        sn_diffusion_state *d = &all->state[i];
        size_t kept = 0;
        for (size_t k = 0; k < d->nodes; k++) {
            if (world->nodes.slots.alive[d->node[k].slot - 1] == SN_DOOMED) continue;
            d->node[kept] = d->node[k];
            d->value[kept] = d->value[k];
            d->liquid[kept] = d->liquid[k];
            d->mass[kept] = d->mass[k];
            d->solid[kept++] = d->solid[k];
        }
        d->nodes = kept;
    }
}

static bool find(sn_step *step) {
    return sn_diffusions_find(step->world);
}

static void follow(sn_step *step) {
    sn_diffusions *all = sn_diffusions_of(step->world);
    if (!sn_diffusions_load(step->world))
        sn_world_say(step->world, SN_LOG_WARNING,
                     "diffusion: there is no memory, so masses follow later");
    for (size_t i = 0; i < all->slots.count; i++)
        if (all->slots.alive[i] && !sn_diffusion_bind(step->world, i))
            sn_world_say(step->world, SN_LOG_WARNING,
                         "diffusion: there is no memory, so something freezes later");
}

static const sn_stage_entry stages[] = {
    {SN_STAGE_PLAN, SN_RANK_OBJECTS, "loads", SN_TIMER(prepare), is_needed,
     .plan = sn_diffusions_plan_loads},
    {SN_STAGE_FIND, SN_RANK_SHAPES, "diffusion", SN_TIMER(find), is_needed, .plan = find,
     .reads = SN_STATE_POSITIONS, .parallel = true},
    {SN_STAGE_END, SN_RANK_TARGETS, "diffusion", SN_TIMER(update), is_needed,
     sn_diffusions_exchange, .reads = SN_STATE_POSITIONS | SN_STATE_PARAMETERS,
     .writes = SN_STATE_PARAMETERS, .parallel = true},
    {SN_STAGE_TOPOLOGY, SN_RANK_BREAK, "melting and freezing", SN_TIMER(update), is_needed, follow,
     .reads = SN_STATE_POSITIONS | SN_STATE_PARAMETERS,
     .writes = SN_STATE_PARAMETERS | SN_STATE_TOPOLOGY},
};

SN_DEFINE_OBJECT(diffusion, SN_DIFFUSION_FIELDS, "diffusion",
                 "a quantity that nodes carry and that goes over to those near them", .check = NULL)
static const sn_object *const objects[] = {&sn_diffusion_object, &sn_source_object};

const sn_system sn_diffusion_system = {
    .name = "diffusion",
    .size = sizeof(sn_diffusions),
    .stages = stages,
    .stage_count = sizeof stages / sizeof *stages,
    .objects = objects,
    .object_count = 2,
    .free = release,
    .drop_scratch = drop_scratch,
    .forget_nodes = forget_nodes,
    .serialize = sn_world_serialize_diffusions,
};
