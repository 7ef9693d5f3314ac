/* Damping groups as a system. Whole bodies are damped here as well, by the same text. */
#include "state/system.h"
#include "systems/damping_group/damping_groups.h"

static void release(void *state, sn_memory *memory) {
    sn_damping_groups_free(state, memory);
}

static void join(const sn_world *world, sn_visit_nodes *visit, void *context) {
    const sn_damping_groups *groups = sn_damping_groups_of(world);
    for (size_t i = 0; i < groups->slots.count; i++) {
        const sn_damping_group_members *m = &groups->members[i];
        for (size_t k = 1; k < m->count; k++)
            visit(context, m->node[0].slot - 1, m->node[k].slot - 1);
    }
}

static void forget_nodes(sn_world *world) {
    sn_damping_groups_forget(sn_damping_groups_of(world), world->nodes.slots.alive, SN_DOOMED);
}

static const sn_stage_entry stages[] = {
    {SN_STAGE_VELOCITIES, SN_RANK_DAMPING, "rigid damping", SN_TIMER(update),
     sn_rigid_damping_is_needed, sn_rigid_damping_apply,
     .reads = SN_STATE_POSITIONS | SN_STATE_VELOCITIES, .writes = SN_STATE_VELOCITIES},
};

const sn_system sn_damping_group_system = {
    .name = "damping_group",
    .size = sizeof(sn_damping_groups),
    .stages = stages,
    .stage_count = sizeof stages / sizeof *stages,
    .free = release,
    .join = join,
    .forget_nodes = forget_nodes,
    .serialize_before = sn_world_serialize_damping_groups,
};
