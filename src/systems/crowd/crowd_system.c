/* Crowds as a system. */
#include "state/system.h"
#include "systems/crowd/crowds.h"

static bool is_needed(const sn_world *world) {
    return sn_crowds_of(world)->slots.live > 0;
}

static void drop_scratch(void *state, sn_memory *memory) {
    sn_agents_free(&((sn_crowds *)state)->agents, memory);
}

static void release(void *state, sn_memory *memory) {
    sn_crowds *all = state;
    drop_scratch(state, memory);
    for (size_t i = 0; i < all->slots.count && i < all->capacity; i++)
        sn_crowd_state_free(&all->state[i], memory);
    sn_free(memory, all->state, all->capacity, sizeof *all->state);
    sn_slots_free(&all->slots, memory);
}

/* Who walks does not sleep. */
static void keeps_awake(const sn_world *world, sn_visit_nodes *visit, void *context) {
    const sn_crowds *all = sn_crowds_of(world);
    for (size_t i = 0; i < all->slots.count; i++)
        for (size_t k = 0; k < all->state[i].nodes; k++)
            visit(context, all->state[i].node[k].slot - 1, all->state[i].node[k].slot - 1);
}

static void forget_nodes(sn_world *world) {
    sn_crowds *all = sn_crowds_of(world);
    for (uint32_t i = 0; i < all->slots.count; i++) {
        sn_crowd_state *c = &all->state[i];
        size_t kept = 0;
        if (!all->slots.alive[i]) continue;
        for (size_t k = 0; k < c->nodes; k++) {
            if (world->nodes.slots.alive[c->node[k].slot - 1] == SN_DOOMED) continue;
            c->node[kept] = c->node[k];
            c->goal[kept++] = c->goal[k];
        }
        c->nodes = kept;
        if (kept == 0) sn_crowds_remove(all, &world->memory, i);
    }
}

static const sn_stage_entry stages[] = {
    {SN_STAGE_FIND, SN_RANK_SHAPES, "crowds", SN_TIMER(find), is_needed, .plan = sn_crowds_find,
     .reads = SN_STATE_POSITIONS, .parallel = true},
    {SN_STAGE_PROJECT, SN_RANK_REGION, "go aside", SN_TIMER(project), is_needed, sn_crowds_avoid,
     .reads = SN_STATE_POSITIONS | SN_STATE_PARAMETERS, .writes = SN_STATE_POSITIONS,
     .parallel = true},
    {SN_STAGE_LIMIT, 0, "planes between agents", SN_TIMER(project), is_needed, sn_crowds_separate,
     .reads = SN_STATE_POSITIONS | SN_STATE_PARAMETERS, .writes = SN_STATE_POSITIONS,
     .parallel = true},
    {SN_STAGE_VELOCITIES, SN_RANK_DAMPING, "steer", SN_TIMER(update), is_needed, sn_crowds_steer,
     .reads = SN_STATE_POSITIONS | SN_STATE_VELOCITIES | SN_STATE_PARAMETERS,
     .writes = SN_STATE_VELOCITIES, .parallel = true},
};

SN_DEFINE_OBJECT(crowd, SN_CROWD_FIELDS, "crowd",
                 "agents that walk to goals and keep out of each other's way", .check = NULL)
static const sn_object *const objects[] = {&sn_crowd_object};

const sn_system sn_crowd_system = {
    .name = "crowd",
    .size = sizeof(sn_crowds),
    .stages = stages,
    .stage_count = sizeof stages / sizeof *stages,
    .objects = objects,
    .object_count = 1,
    .free = release,
    .drop_scratch = drop_scratch,
    .keeps_awake = keeps_awake,
    .forget_nodes = forget_nodes,
    .serialize = sn_world_serialize_crowds,
};
