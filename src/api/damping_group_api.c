/* The public calls on damping groups. */
#include "api/call.h"
#include "api/check.h"
#include "systems/damping_group/damping_groups.h"

static sn_result check_group(const sn_world *world, sn_damping_group group) {
    return sn_slots_check(&sn_damping_groups_of(world)->slots, SN_ID(group), world->tag,
                          "damping group");
}

/* Recordings have the damping as a number beside the nodes. */
static sn_result create_again(sn_world *world, const sn_call *call) {
    sn_damping_group_def def = sn_damping_group_def_default();
    def.nodes = call->items;
    def.node_count = call->count;
    def.damping = call->number[0];
    return sn_damping_group_create(world, &def, &(sn_damping_group){0});
}

#define ID SN_ID_AS(sn_damping_group, call->id)
#define CALLS(CALL, OWN)                                                                           \
    CALL(CREATE, "cluster_create", SN_PART_LIST | SN_PART_NUMBERS, 1, NULL,                        \
         create_again(world, call))                                                                \
    CALL(DESTROY, "cluster_destroy", SN_PART_ID, 0, NULL, sn_damping_group_destroy(world, ID))     \
    CALL(SET, "cluster_set_damping", SN_PART_ID | SN_PART_NUMBERS, 1, NULL,                        \
         sn_damping_group_set_damping(world, ID, call->number[0]))
SN_DEFINE_CALLS(damping_group, CALLS, .next = NULL)

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
    SN_TRY(sn_object_check(&sn_damping_group_object, def));
    SN_TRY(sn_object_check_arrays(&sn_damping_group_object, def));
    SN_TRY(sn_check_members(world, "damping group", def->nodes, def->node_count));
    uint32_t index;
    if (!sn_damping_groups_add(sn_damping_groups_of(world), &world->memory, def, &index))
        return SN_ERROR_MEMORY;
    wake_members(world, index);
    *damping_group = (sn_damping_group){
        index + 1, sn_damping_groups_of(world)->slots.generation[index], world->tag};
    SN_RECORD(world, CREATE, .items = def->nodes, .count = def->node_count,
              .number = {def->damping});
    return SN_OK;
}

sn_result sn_damping_group_destroy(sn_world *world, sn_damping_group damping_group) {
    SN_CHECK_WORLD(world);
    SN_TRY(check_group(world, damping_group));
    wake_members(world, damping_group.slot - 1);
    sn_damping_groups_remove(sn_damping_groups_of(world), &world->memory, damping_group.slot - 1);
    SN_RECORD(world, DESTROY, .id = SN_ID(damping_group));
    return SN_OK;
}

bool sn_damping_group_is_valid(const sn_world *world, sn_damping_group damping_group) {
    return world &&
           sn_slots_has(&sn_damping_groups_of(world)->slots, SN_ID(damping_group), world->tag);
}

sn_result sn_damping_group_set_damping(sn_world *world, sn_damping_group damping_group,
                                       sn_real damping) {
    SN_CHECK_WORLD(world);
    SN_TRY(check_group(world, damping_group));
    SN_TRY(sn_object_check_field(&sn_damping_group_object, NULL, "damping", damping));
    sn_damping_groups_of(world)->members[damping_group.slot - 1].def.damping = damping;
    wake_members(world, damping_group.slot - 1);
    SN_RECORD(world, SET, .id = SN_ID(damping_group), .number = {damping});
    return SN_OK;
}

sn_result sn_damping_group_get(const sn_world *world, sn_damping_group damping_group,
                               sn_damping_group_def *def) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(def);
    SN_TRY(check_group(world, damping_group));
    const sn_damping_group_members *members =
        &sn_damping_groups_of(world)->members[damping_group.slot - 1];
    *def = members->def;
    def->nodes = members->node;
    def->node_count = members->count;
    return SN_OK;
}
