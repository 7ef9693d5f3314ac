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

/* Distances of levels do not push alone. */
static sn_result check_side(const void *def) {
    const sn_hierarchy_def *d = def;
    if (d->side != SN_SIDE_AT_LEAST) return SN_OK;
    return sn_fail(SN_ERROR_VALUE, "hierarchy: side is %d, expected %d or %d", SN_SIDE_AT_LEAST,
                   SN_SIDE_BOTH, SN_SIDE_AT_MOST);
}

static const sn_object_column columns[] = {
    {"levels", {"levels"}, 0, 0, NULL},      {"finest", {"finest"}, 0, 0, NULL},
    {"sweeps", {"sweeps"}, 0, 0, NULL},      {"interval", {"interval"}, 0, 0, NULL},
    {"side", {"side"}, 0, 0, NULL},          {"stiffness", {"stiffness"}, 0, 0, NULL},
    {"slack", {"slack"}, 0, 0, NULL},        {"edge", {"edges"}, 0, 0, NULL},
    {"triangle", {"triangles"}, 0, 0, NULL}, {"length", {"lengths"}, 0, 0, NULL},
};

SN_DEFINE_OBJECT(hierarchy, SN_HIERARCHY_FIELDS, "hierarchy",
                 "coarser levels over nodes of any bodies, which carry what pulls from afar",
                 .columns = columns, .column_count = sizeof columns / sizeof *columns,
                 .check = check_side)
static const sn_object *const objects[] = {&sn_hierarchy_object};

const sn_system sn_hierarchy_system = {
    .name = "hierarchy",
    .size = sizeof(sn_hierarchies),
    .stages = stages,
    .stage_count = sizeof stages / sizeof *stages,
    .objects = objects,
    .object_count = 1,
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
