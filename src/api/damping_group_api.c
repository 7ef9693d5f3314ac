/* The public calls on damping groups. */
#include "api/call.h"
#include "api/check.h"
#include "systems/damping_group/damping_groups.h"

sn_damping_group_def sn_damping_group_def_default(void) {
    return (sn_damping_group_def){.size = sizeof(sn_damping_group_def)};
}

static sn_result check_damping(sn_real damping) {
    return sn_check_real("damping group", "damping", damping, 0, (double)SN_REAL_MAX, false, "1/s");
}

/* Nodes that there are, and each of them once. */
static sn_result check_members(sn_world *world, const sn_damping_group_def *def) {
    for (size_t i = 0; i < def->node_count; i++) {
        sn_result result = sn_check_node(world, def->nodes[i]);
        if (result != SN_OK)
            return sn_fail_within(result, "damping group node %zu of %zu", i, def->node_count);
    }
    size_t slots = world->nodes.slots.count;
    uint8_t *seen = sn_allocate(&world->memory, slots, sizeof *seen);
    if (!seen) return SN_ERROR_MEMORY;
    size_t i = 0;
    while (i < def->node_count && !seen[def->nodes[i].slot - 1]++) i++;
    sn_free(&world->memory, seen, slots, sizeof *seen);
    if (i == def->node_count) return SN_OK;
    return sn_fail(SN_ERROR_DEGENERATE,
                   "damping group: node %zu of %zu is node %u again, expected each once", i,
                   def->node_count, def->nodes[i].slot - 1);
}

/* Damping groups join the bodies of their nodes. */
static void wake_members(sn_world *world, uint32_t index) {
    const sn_damping_group_members *members = &sn_damping_groups_of(world)->members[index];
    world->sleep.joints_changed = true;
    for (size_t i = 0; i < members->count; i++)
        sn_world_wake_body(world, world->nodes.body[members->node[i].slot - 1]);
}

sn_result sn_damping_group_create(sn_world *world, const sn_damping_group_def *def,
                                  sn_damping_group *damping_group) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_CHECK_POINTER(damping_group);
    SN_TRY(sn_check_size("damping group", def->size, sizeof *def));
    SN_TRY(check_damping(def->damping));
    if (def->node_count == 0)
        return sn_fail(SN_ERROR_VALUE, "damping group: node_count is 0, expected at least 1");
    SN_CHECK_POINTER(def->nodes);
    /* Each node once, so more than there are cannot be right, and is not read. */
    if (def->node_count > world->nodes.slots.live)
        return sn_fail(SN_ERROR_LIMIT,
                       "damping group: node_count is %zu, but the world has %zu nodes",
                       def->node_count, world->nodes.slots.live);
    SN_TRY(check_members(world, def));
    uint32_t index;
    if (!sn_damping_groups_add(sn_damping_groups_of(world), &world->memory, def, &index))
        return SN_ERROR_MEMORY;
    wake_members(world, index);
    *damping_group = (sn_damping_group){
        index + 1, sn_damping_groups_of(world)->slots.generation[index], world->tag};
    SN_RECORD(world, DAMPING_GROUP_CREATE, .items = def->nodes, .count = def->node_count,
              .number = {def->damping});
    return SN_OK;
}

sn_result sn_damping_group_destroy(sn_world *world, sn_damping_group damping_group) {
    SN_CHECK_WORLD(world);
    SN_TRY(sn_check_cluster(world, damping_group));
    wake_members(world, damping_group.slot - 1);
    sn_damping_groups_remove(sn_damping_groups_of(world), &world->memory, damping_group.slot - 1);
    SN_RECORD(world, DAMPING_GROUP_DESTROY, .id = SN_ID(damping_group));
    return SN_OK;
}

bool sn_damping_group_is_valid(const sn_world *world, sn_damping_group damping_group) {
    return world &&
           sn_slots_has(&sn_damping_groups_of(world)->slots, SN_ID(damping_group), world->tag);
}

sn_result sn_damping_group_set_damping(sn_world *world, sn_damping_group damping_group,
                                       sn_real damping) {
    SN_CHECK_WORLD(world);
    SN_TRY(sn_check_cluster(world, damping_group));
    SN_TRY(check_damping(damping));
    sn_damping_groups_of(world)->members[damping_group.slot - 1].damping = damping;
    wake_members(world, damping_group.slot - 1);
    SN_RECORD(world, DAMPING_GROUP_DAMPING, .id = SN_ID(damping_group), .number = {damping});
    return SN_OK;
}

sn_result sn_damping_group_get(const sn_world *world, sn_damping_group damping_group,
                               sn_damping_group_def *def) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(def);
    SN_TRY(sn_check_cluster(world, damping_group));
    const sn_damping_group_members *members =
        &sn_damping_groups_of(world)->members[damping_group.slot - 1];
    *def = sn_damping_group_def_default();
    def->nodes = members->node;
    def->node_count = members->count;
    def->damping = members->damping;
    return SN_OK;
}
