/* Wrinkle meshes as a system: they follow when a step is over, and nothing follows them. */
#include "state/system.h"
#include "systems/wrinkle_mesh/wrinkle_meshes.h"

static bool is_needed(const sn_world *world) {
    return sn_wrinkles_of(world)->slots.live > 0;
}

static void release(void *state, sn_memory *memory) {
    sn_wrinkles *all = state;
    for (size_t i = 0; i < all->slots.count && i < all->capacity; i++)
        sn_wrinkle_state_free(&all->state[i], memory);
    sn_free(memory, all->state, all->capacity, sizeof *all->state);
    sn_slots_free(&all->slots, memory);
}

static bool is_doomed(const sn_world *world, const sn_wrinkle_state *w) {
    for (size_t k = 0; k < w->nodes; k++)
        if (world->nodes.slots.alive[w->node[k].slot - 1] == SN_DOOMED) return true;
    return false;
}

/* A mesh with a hole would be another one. */
static void forget_nodes(sn_world *world) {
    sn_wrinkles *all = sn_wrinkles_of(world);
    for (uint32_t i = 0; i < all->slots.count; i++)
        if (all->slots.alive[i] && is_doomed(world, &all->state[i]))
            sn_wrinkles_remove(all, &world->memory, i);
}

static sn_result check_cut(const sn_world *world, sn_may_split *may, const void *context) {
    const sn_wrinkles *all = sn_wrinkles_of(world);
    for (size_t i = 0; i < all->slots.count; i++) {
        const sn_split_list list = {all->state[i].node, all->state[i].nodes, "wrinkle mesh", i};
        if (all->slots.alive[i]) SN_TRY(sn_split_check(&list, may, context));
    }
    return SN_OK;
}

/* What tears is not what the fine mesh was made from. */
static void split(sn_world *world, const sn_split *of) {
    sn_wrinkles *all = sn_wrinkles_of(world);
    for (uint32_t i = 0; i < all->slots.count; i++) {
        const sn_wrinkle_state *w = &all->state[i];
        if (all->slots.alive[i] && sn_split_touches(w->node, w->nodes, of->node))
            sn_wrinkles_remove(all, &world->memory, i);
    }
}

static const sn_stage_entry stages[] = {
    {SN_STAGE_END, SN_RANK_TARGETS, "wrinkles", SN_TIMER(update), is_needed, sn_wrinkles_fold,
     .reads = SN_STATE_POSITIONS | SN_STATE_PARAMETERS, .parallel = true},
};

SN_DEFINE_OBJECT(wrinkle_mesh, SN_WRINKLE_MESH_FIELDS, "wrinkle mesh",
                 "a fine mesh that folds on the coarse one it is attached to", .check = NULL)
static const sn_object *const objects[] = {&sn_wrinkle_mesh_object};

const sn_system sn_wrinkle_mesh_system = {
    .name = "wrinkle_mesh",
    .size = sizeof(sn_wrinkles),
    .stages = stages,
    .stage_count = sizeof stages / sizeof *stages,
    .objects = objects,
    .object_count = 1,
    .free = release,
    .forget_nodes = forget_nodes,
    .check_cut = check_cut,
    .split = split,
    .serialize = sn_world_serialize_wrinkles,
};
