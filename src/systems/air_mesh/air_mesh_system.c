/* Air meshes as a system. */
#include "state/system.h"
#include "systems/air_mesh/air_meshes.h"

static bool is_needed(const sn_world *world) {
    return sn_gaps_of(world)->slots.live > 0;
}

static void release(void *state, sn_memory *memory) {
    sn_gaps *all = state;
    for (size_t i = 0; i < all->slots.count && i < all->capacity; i++)
        sn_gap_free(&all->state[i], memory);
    sn_free(memory, all->state, all->capacity, sizeof *all->state);
    sn_slots_free(&all->slots, memory);
}

static void join(const sn_world *world, sn_visit_nodes *visit, void *context) {
    const sn_gaps *all = sn_gaps_of(world);
    for (size_t i = 0; i < all->slots.count; i++)
        for (size_t k = 1; all->slots.alive[i] && k < all->state[i].nodes; k++)
            visit(context, all->state[i].node[0].slot - 1, all->state[i].node[k].slot - 1);
}

/* What comes out of each other has no velocity. */
static void keeps_awake(const sn_world *world, sn_visit_nodes *visit, void *context) {
    const sn_gaps *all = sn_gaps_of(world);
    for (size_t i = 0; i < all->slots.count; i++) {
        const sn_gap *air = &all->state[i];
        const sn_gap_view view = {world, air, NULL};
        bool inverted = false;
        for (size_t e = 0; all->slots.alive[i] && e < air->elements && !inverted; e++)
            inverted = sn_gap_quality(&view, &air->element[e]) < -SN_GAP_ROUNDING;
        if (inverted) visit(context, air->node[0].slot - 1, air->node[0].slot - 1);
    }
}

static bool is_doomed(const sn_world *world, const sn_gap *air) {
    for (size_t k = 0; k < air->nodes; k++)
        if (world->nodes.slots.alive[air->node[k].slot - 1] == SN_DOOMED) return true;
    return false;
}

/* Air with a hole would not know who is in whom. */
static void forget_nodes(sn_world *world) {
    sn_gaps *all = sn_gaps_of(world);
    for (uint32_t i = 0; i < all->slots.count; i++)
        if (all->slots.alive[i] && is_doomed(world, &all->state[i]))
            sn_gaps_remove(all, &world->memory, i);
}

static sn_result check_cut(const sn_world *world, sn_may_split *may, const void *context) {
    const sn_gaps *all = sn_gaps_of(world);
    for (size_t i = 0; i < all->slots.count; i++) {
        const sn_split_list list = {all->state[i].node, all->state[i].nodes, "air mesh", i};
        if (all->slots.alive[i]) SN_TRY(sn_split_check(&list, may, context));
    }
    return SN_OK;
}

static void split(sn_world *world, const sn_split *of) {
    sn_gaps *all = sn_gaps_of(world);
    for (uint32_t i = 0; i < all->slots.count; i++) {
        const sn_gap *air = &all->state[i];
        if (all->slots.alive[i] && sn_split_touches(air->node, air->nodes, of->node))
            sn_gaps_remove(all, &world->memory, i);
    }
}

static const sn_stage_entry stages[] = {
    {SN_STAGE_BEGIN, SN_RANK_OBJECTS, "frames of air meshes", SN_TIMER(prepare), is_needed,
     sn_gaps_begin, .reads = SN_STATE_POSITIONS},
    {SN_STAGE_PROJECT, SN_RANK_CONTACT, "air meshes", SN_TIMER(contact), is_needed, sn_gaps_project,
     .reads = SN_STATE_POSITIONS | SN_STATE_PARAMETERS, .writes = SN_STATE_POSITIONS,
     .parallel = true},
};

SN_DEFINE_OBJECT(air_mesh, SN_AIR_MESH_FIELDS, "air mesh",
                 "air between bodies, divided into elements that do not turn over", .check = NULL)
static const sn_object *const objects[] = {&sn_air_mesh_object};

const sn_system sn_air_mesh_system = {
    .name = "air_mesh",
    .size = sizeof(sn_gaps),
    .stages = stages,
    .stage_count = sizeof stages / sizeof *stages,
    .objects = objects,
    .object_count = 1,
    .free = release,
    .join = join,
    .keeps_awake = keeps_awake,
    .forget_nodes = forget_nodes,
    .check_cut = check_cut,
    .split = split,
    .serialize = sn_world_serialize_air_meshes,
};
