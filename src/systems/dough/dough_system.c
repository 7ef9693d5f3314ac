/* Doughs as a system. */
#include "state/system.h"
#include "systems/dough/doughs.h"

static bool has_damping(const sn_world *world) {
    const sn_doughs *all = sn_doughs_of(world);
    for (size_t i = 0; i < all->slots.count; i++)
        if (all->slots.alive[i] && all->state[i].def.damping > 0) return true;
    return false;
}

static bool is_needed(const sn_world *world) {
    return sn_doughs_of(world)->slots.live > 0;
}

static void drop_scratch(void *state, sn_memory *memory) {
    sn_doughs *all = state;
    for (size_t i = 0; i < all->slots.count && i < all->capacity; i++)
        sn_dough_free_scratch(&all->state[i], memory);
}

static void release(void *state, sn_memory *memory) {
    sn_doughs *all = state;
    for (size_t i = 0; i < all->slots.count && i < all->capacity; i++)
        sn_dough_free(&all->state[i], memory);
    sn_free(memory, all->state, all->capacity, sizeof *all->state);
    sn_slots_free(&all->slots, memory);
}

/* What flows does not sleep. */
static void keeps_awake(const sn_world *world, sn_visit_nodes *visit, void *context) {
    const sn_doughs *all = sn_doughs_of(world);
    for (size_t i = 0; i < all->slots.count; i++)
        for (size_t k = 0; k < all->state[i].nodes; k++)
            visit(context, all->state[i].node[k].slot - 1, all->state[i].node[k].slot - 1);
}

static const sn_stage_entry stages[] = {
    {SN_STAGE_PLAN, SN_RANK_OBJECTS, "doughs", SN_TIMER(prepare), is_needed,
     .plan = sn_doughs_plan},
    {SN_STAGE_PROJECT, SN_RANK_REGION, "doughs", SN_TIMER(project), is_needed, sn_doughs_project,
     .reads = SN_STATE_POSITIONS | SN_STATE_PARAMETERS, .writes = SN_STATE_POSITIONS,
     .parallel = true},
    {SN_STAGE_VELOCITIES, SN_RANK_DAMPING, "doughs", SN_TIMER(update), has_damping, sn_doughs_damp,
     .reads = SN_STATE_POSITIONS | SN_STATE_VELOCITIES | SN_STATE_PARAMETERS,
     .writes = SN_STATE_VELOCITIES, .parallel = true},
    {SN_STAGE_TOPOLOGY, SN_RANK_BREAK, "doughs", SN_TIMER(update), is_needed, sn_doughs_adapt,
     .reads = SN_STATE_POSITIONS,
     .writes = SN_STATE_POSITIONS | SN_STATE_VELOCITIES | SN_STATE_TOPOLOGY},
};

SN_DEFINE_OBJECT(dough, SN_DOUGH_FIELDS, "dough", "particles in clusters that flow, tear and join",
                 .check = NULL)
static const sn_object *const objects[] = {&sn_dough_object};

const sn_system sn_dough_system = {
    .name = "dough",
    .size = sizeof(sn_doughs),
    .stages = stages,
    .stage_count = sizeof stages / sizeof *stages,
    .objects = objects,
    .object_count = 1,
    .free = release,
    .drop_scratch = drop_scratch,
    .keeps_awake = keeps_awake,
    .forget_nodes = sn_doughs_forget,
    .serialize = sn_world_serialize_doughs,
};
