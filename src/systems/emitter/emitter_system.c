/* Emitters and drains as a system: they act when a step is over. */
#include "state/system.h"
#include "systems/emitter/emitters.h"

static bool is_needed(const sn_world *world) {
    const sn_emitters *all = sn_emitters_of(world);
    return all->slots.live + all->drain_slots.live > 0;
}

static void release(void *state, sn_memory *memory) {
    sn_emitters_free(state, memory);
}

static void drop_scratch(void *state, sn_memory *memory) {
    sn_emitters *all = state;
    sn_free(memory, all->near, all->near_capacity, sizeof *all->near);
    all->near = NULL;
    all->near_capacity = 0;
}

static void forget_nodes(sn_world *world) {
    sn_emitters_forget(sn_emitters_of(world), world->nodes.slots.alive, SN_DOOMED);
}

static const sn_stage_entry stages[] = {
    {SN_STAGE_PLAN, SN_RANK_OBJECTS, "emitters", SN_TIMER(prepare), is_needed,
     .plan = sn_emitters_plan},
    {SN_STAGE_TOPOLOGY, SN_RANK_BREAK, "emitters", SN_TIMER(update), is_needed, sn_emitters_act,
     .reads = SN_STATE_POSITIONS,
     .writes = SN_STATE_POSITIONS | SN_STATE_VELOCITIES | SN_STATE_TOPOLOGY},
};

SN_DEFINE_OBJECT(emitter, SN_EMITTER_FIELDS, "emitter", "where particles appear", .check = NULL)
static const sn_object *const objects[] = {&sn_emitter_object, &sn_drain_object};

const sn_system sn_emitter_system = {
    .name = "emitter",
    .size = sizeof(sn_emitters),
    .stages = stages,
    .stage_count = sizeof stages / sizeof *stages,
    .objects = objects,
    .object_count = 2,
    .free = release,
    .drop_scratch = drop_scratch,
    .forget_nodes = forget_nodes,
    .serialize = sn_world_serialize_emitters,
};
