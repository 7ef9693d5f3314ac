/* Hierarchies as a system: coarse levels are solved before everything else in an iteration. */
#include "state/system.h"
#include "systems/hierarchy/hierarchies.h"

static bool is_needed(const sn_world *world) {
    return sn_hierarchies_of(world)->slots.live > 0;
}

static void release(void *state, sn_memory *memory) {
    sn_hierarchies_free(state, memory);
}

static void join(const sn_world *world, sn_visit_nodes *visit, void *context) {
    const sn_hierarchies *all = sn_hierarchies_of(world);
    for (size_t i = 0; i < all->slots.count; i++) {
        const sn_hierarchy_state *h = &all->state[i];
        for (size_t k = 1; k < h->nodes; k++)
            visit(context, h->node[0].slot - 1, h->node[k].slot - 1);
    }
}

static void forget_nodes(sn_world *world) {
    sn_hierarchies_forget(sn_hierarchies_of(world), &world->memory, world->nodes.slots.alive,
                          SN_DOOMED);
}

/* What joins two nodes and goes takes the edge between them along. */
static void constraint_removed(sn_world *world, uint32_t constraint, sn_members members) {
    (void)constraint;
    if (!is_needed(world) || members.moved != 2 || members.nodes != 2) return;
    sn_hierarchies_cut(sn_hierarchies_of(world), (uint32_t)sn_member(members, 0),
                       (uint32_t)sn_member(members, 1));
}

static void masses_changed(sn_world *world) {
    sn_hierarchies_of(world)->changed = true;
}

static const sn_stage_entry stages[] = {
    {SN_STAGE_PLAN, SN_RANK_STEP, "levels", SN_TIMER(prepare), is_needed,
     .plan = sn_hierarchies_prepare, .reads = SN_STATE_TOPOLOGY},
    {SN_STAGE_PROJECT, SN_RANK_COARSE, "levels", SN_TIMER(project), is_needed,
     sn_hierarchies_project, .reads = SN_STATE_POSITIONS, .writes = SN_STATE_POSITIONS,
     .parallel = true},
};

const sn_system sn_hierarchy_system = {
    .name = "hierarchy",
    .size = sizeof(sn_hierarchies),
    .stages = stages,
    .stage_count = sizeof stages / sizeof *stages,
    .free = release,
    .join = join,
    .forget_nodes = forget_nodes,
    .constraint_removed = constraint_removed,
    .reserve_split = sn_hierarchies_reserve_split,
    .split = sn_hierarchies_split,
    .divide = sn_hierarchies_divide,
    .move_rest = sn_hierarchies_move_rest,
    .masses_changed = masses_changed,
    .serialize = sn_world_serialize_hierarchies,
};
