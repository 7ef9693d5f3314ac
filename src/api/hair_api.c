/* The public calls on hair. */
#include "api/call.h"
#include "api/check.h"
#include "systems/hair/hairs.h"

#define ID SN_ID_AS(sn_hair, call->id)
#define CALLS(CALL, OWN)                                                                           \
    CALL(CREATE, "hair_create", SN_PART_DEF | SN_PART_ARRAYS, 0, &sn_hair_object,                  \
         sn_hair_create(world, call->def, &(sn_hair){0}))                                          \
    CALL(DESTROY, "hair_destroy", SN_PART_ID, 0, NULL, sn_hair_destroy(world, ID))                 \
    CALL(SET, "hair_set", SN_PART_ID | SN_PART_DEF, 0, &sn_hair_object,                            \
         sn_hair_set(world, ID, call->def))
SN_DEFINE_CALLS(hair, CALLS, .next = NULL)

static sn_result check_hair(const sn_world *world, sn_hair hair) {
    return sn_slots_check(&sn_hairs_of(world)->slots, SN_ID(hair), world->tag, "hair");
}

static sn_result check_lengths(const sn_hair_def *def) {
    for (size_t i = 0; i < def->node_count; i++)
        if (!(def->lengths[i] >= 0) || (i == 0 && def->lengths[0] > 0))
            return sn_fail(SN_ERROR_VALUE, "hair: length %zu is %g m, expected %s", i,
                           (double)def->lengths[i],
                           i == 0 ? "0, as a strand begins there" : "at least 0");
    return SN_OK;
}

/* A segment without a direction at rest could not be held in it. */
static sn_result place_nodes(const sn_world *world, const sn_hair_def *def, sn_hair_state *h) {
    for (size_t i = 0; i < def->node_count; i++) {
        sn_vec4 x = world->nodes.x[def->nodes[i].slot - 1];
        h->node[i] = def->nodes[i];
        h->length[i] = def->lengths[i];
        h->rest[i] = def->rest ? def->rest[i] : (sn_vec3){x.x, x.y, x.z};
        if (!(h->length[i] > 0)) continue;
        sn_vec3 a = h->rest[i - 1], b = h->rest[i];
        if (a.x == b.x && a.y == b.y && a.z == b.z)
            return sn_fail(SN_ERROR_DEGENERATE,
                           "hair: nodes %zu and %zu are at the same place at rest", i - 1, i);
    }
    h->nodes = def->node_count;
    return SN_OK;
}

/* Hairs join the bodies of their nodes. */
static void wake_members(sn_world *world, const sn_hair_state *h) {
    world->sleep.joints_changed = true;
    for (size_t i = 0; i < h->nodes; i++) sn_world_wake_node(world, h->node[i].slot - 1);
}

sn_result sn_hair_create(sn_world *world, const sn_hair_def *def, sn_hair *hair) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_CHECK_POINTER(hair);
    SN_TRY(sn_object_check(&sn_hair_object, def));
    SN_TRY(sn_object_check_arrays(&sn_hair_object, def));
    SN_TRY(check_lengths(def));
    SN_TRY(sn_check_members(world, "hair", def->nodes, def->node_count));
    sn_hairs *all = sn_hairs_of(world);
    sn_hair_state state = {.def = *def};
    sn_object_forget_arrays(&sn_hair_object, &state.def);
    sn_result result = SN_ERROR_MEMORY;
    if (sn_hairs_reserve(all, &world->memory) &&
        sn_hair_state_reserve(&state, &world->memory, def->node_count))
        result = place_nodes(world, def, &state);
    if (result != SN_OK) {
        sn_hair_state_free(&state, &world->memory);
        return result;
    }
    uint32_t index = sn_slots_take(&all->slots);
    all->state[index] = state;
    wake_members(world, &state);
    *hair = (sn_hair){index + 1, all->slots.generation[index], world->tag};
    SN_RECORD(world, CREATE, .def = def);
    return SN_OK;
}

sn_result sn_hair_destroy(sn_world *world, sn_hair hair) {
    SN_CHECK_WORLD(world);
    SN_TRY(check_hair(world, hair));
    wake_members(world, &sn_hairs_of(world)->state[hair.slot - 1]);
    sn_hairs_remove(sn_hairs_of(world), &world->memory, hair.slot - 1);
    SN_RECORD(world, DESTROY, .id = SN_ID(hair));
    return SN_OK;
}

bool sn_hair_is_valid(const sn_world *world, sn_hair hair) {
    return world && sn_slots_has(&sn_hairs_of(world)->slots, SN_ID(hair), world->tag);
}

sn_result sn_hair_set(sn_world *world, sn_hair hair, const sn_hair_def *def) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_TRY(check_hair(world, hair));
    SN_TRY(sn_object_check(&sn_hair_object, def));
    sn_hair_state *h = &sn_hairs_of(world)->state[hair.slot - 1];
    h->def = *def;
    sn_object_forget_arrays(&sn_hair_object, &h->def);
    wake_members(world, h);
    SN_RECORD(world, SET, .id = SN_ID(hair), .def = def);
    return SN_OK;
}

sn_result sn_hair_get(const sn_world *world, sn_hair hair, sn_hair_def *def) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(def);
    SN_TRY(check_hair(world, hair));
    const sn_hair_state *h = &sn_hairs_of(world)->state[hair.slot - 1];
    *def = h->def;
    def->nodes = h->node;
    def->lengths = h->length;
    def->rest = h->rest;
    def->node_count = h->nodes;
    return SN_OK;
}

sn_result sn_node_hair(const sn_world *world, sn_node node, sn_hair *hair) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(hair);
    SN_TRY(sn_check_node(world, node));
    const sn_hairs *all = sn_hairs_of(world);
    *hair = (sn_hair){0, 0, 0};
    for (uint32_t i = 0; i < all->slots.count && hair->slot == 0; i++)
        for (size_t k = 0; k < all->state[i].nodes && all->slots.alive[i]; k++)
            if (all->state[i].node[k].slot == node.slot)
                *hair = (sn_hair){i + 1, all->slots.generation[i], world->tag};
    return SN_OK;
}
