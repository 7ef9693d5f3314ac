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

/* ---- Cuts: a copy is where its node is, and a new node where both ends of the edge are ---- */

static bool is_member(const sn_damping_group_members *m, uint32_t node) {
    for (size_t i = 0; i < m->count; i++)
        if (m->node[i].slot == node + 1) return true;
    return false;
}

/* Room for one more in every group that has both nodes; false when there is no memory. */
static bool reserve(sn_world *world, uint32_t a, uint32_t b) {
    sn_damping_groups *all = sn_damping_groups_of(world);
    for (size_t i = 0; i < all->slots.count; i++) {
        sn_damping_group_members *m = &all->members[i];
        if (!all->slots.alive[i] || !is_member(m, a) || !is_member(m, b)) continue;
        if (!sn_reserve(&world->memory, (void **)&m->node, &m->capacity, m->count + 1,
                        sizeof *m->node))
            return false;
    }
    return true;
}

static void add(sn_world *world, uint32_t a, uint32_t b, uint32_t node) {
    sn_damping_groups *all = sn_damping_groups_of(world);
    for (size_t i = 0; i < all->slots.count; i++) {
        sn_damping_group_members *m = &all->members[i];
        if (!all->slots.alive[i] || !is_member(m, a) || !is_member(m, b)) continue;
        m->node[m->count++] = (sn_node){node + 1, world->nodes.slots.generation[node], world->tag};
    }
}

static bool reserve_split(sn_world *world, const sn_split *split) {
    return reserve(world, split->node, split->node);
}

static void split_node(sn_world *world, const sn_split *split) {
    add(world, split->node, split->node, split->copy);
}

static bool divide(sn_world *world, const sn_division *division) {
    if (!reserve(world, division->a, division->b)) return false;
    add(world, division->a, division->b, division->middle);
    return true;
}

static const sn_stage_entry stages[] = {
    {SN_STAGE_VELOCITIES, SN_RANK_DAMPING, "rigid damping", SN_TIMER(update),
     sn_rigid_damping_is_needed, sn_rigid_damping_apply,
     .reads = SN_STATE_POSITIONS | SN_STATE_VELOCITIES, .writes = SN_STATE_VELOCITIES},
};

static const sn_object_column columns[] = {
    {"damping", {"damping"}, 0, 0, NULL},
    {"motion", {"motion"}, 0, 1, NULL},
};

SN_DEFINE_OBJECT(damping_group, SN_DAMPING_GROUP_FIELDS, "damping group",
                 "nodes whose motion among each other is damped", .columns = columns,
                 .column_count = sizeof columns / sizeof *columns)
static const sn_object *const objects[] = {&sn_damping_group_object};

const sn_system sn_damping_group_system = {
    .name = "damping_group",
    .size = sizeof(sn_damping_groups),
    .stages = stages,
    .stage_count = sizeof stages / sizeof *stages,
    .objects = objects,
    .object_count = 1,
    .free = release,
    .join = join,
    .forget_nodes = forget_nodes,
    .reserve_split = reserve_split,
    .split = split_node,
    .divide = divide,
    .serialize_before = sn_world_serialize_damping_groups,
};
