/* The public calls on crowds. */
#include "api/call.h"
#include "api/check.h"
#include "systems/crowd/crowds.h"

#include <string.h>

#define ID SN_ID_AS(sn_crowd, call->id)
#define CALLS(CALL, OWN)                                                                           \
    CALL(CREATE, "crowd_create", SN_PART_DEF | SN_PART_ARRAYS, 0, &sn_crowd_object,                \
         sn_crowd_create(world, call->def, &(sn_crowd){0}))                                        \
    CALL(DESTROY, "crowd_destroy", SN_PART_ID, 0, NULL, sn_crowd_destroy(world, ID))               \
    CALL(SET, "crowd_set", SN_PART_ID | SN_PART_DEF | SN_PART_ARRAYS, 0, &sn_crowd_object,         \
         sn_crowd_set(world, ID, call->def))
SN_DEFINE_CALLS(crowd, CALLS, .next = NULL)

static sn_result check_crowd(const sn_world *world, sn_crowd crowd) {
    return sn_slots_check(&sn_crowds_of(world)->slots, SN_ID(crowd), world->tag, "crowd");
}

/* None of the nodes may be in a crowd already. */
static sn_result check_free(sn_world *world, const sn_crowd_def *def) {
    const sn_crowds *all = sn_crowds_of(world);
    if (all->slots.live == 0) return SN_OK;
    size_t count = world->nodes.slots.count, at = 0;
    uint8_t *taken = sn_allocate(&world->memory, count, sizeof *taken);
    if (!taken) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < all->slots.count; i++)
        for (size_t k = 0; k < all->state[i].nodes; k++) taken[all->state[i].node[k].slot - 1] = 1;
    while (at < def->node_count && !taken[def->nodes[at].slot - 1]) at++;
    sn_free(&world->memory, taken, count, sizeof *taken);
    if (at == def->node_count) return SN_OK;
    return sn_fail(SN_ERROR_VALUE,
                   "crowd: node %zu of %zu is in a crowd already, expected one that is in none", at,
                   def->node_count);
}

static void wake_members(sn_world *world, const sn_crowd_state *c) {
    world->sleep.joints_changed = true;
    for (size_t i = 0; i < c->nodes; i++) sn_world_wake_node(world, c->node[i].slot - 1);
}

sn_result sn_crowd_create(sn_world *world, const sn_crowd_def *def, sn_crowd *crowd) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_CHECK_POINTER(crowd);
    SN_TRY(sn_object_check(&sn_crowd_object, def));
    SN_TRY(sn_object_check_arrays(&sn_crowd_object, def));
    SN_TRY(sn_check_members(world, "crowd", def->nodes, def->node_count));
    SN_TRY(check_free(world, def));
    sn_crowds *all = sn_crowds_of(world);
    sn_crowd_state state = {.def = *def};
    sn_object_forget_arrays(&sn_crowd_object, &state.def);
    if (!sn_crowds_reserve(all, &world->memory) ||
        !sn_crowd_state_reserve(&state, &world->memory, def->node_count)) {
        sn_crowd_state_free(&state, &world->memory);
        return SN_ERROR_MEMORY;
    }
    memcpy(state.node, def->nodes, def->node_count * sizeof *state.node);
    memcpy(state.goal, def->goals, def->node_count * sizeof *state.goal);
    uint32_t index = sn_slots_take(&all->slots);
    all->state[index] = state;
    wake_members(world, &state);
    *crowd = (sn_crowd){index + 1, all->slots.generation[index], world->tag};
    SN_RECORD(world, CREATE, .def = def);
    return SN_OK;
}

sn_result sn_crowd_destroy(sn_world *world, sn_crowd crowd) {
    SN_CHECK_WORLD(world);
    SN_TRY(check_crowd(world, crowd));
    wake_members(world, &sn_crowds_of(world)->state[crowd.slot - 1]);
    sn_crowds_remove(sn_crowds_of(world), &world->memory, crowd.slot - 1);
    SN_RECORD(world, DESTROY, .id = SN_ID(crowd));
    return SN_OK;
}

bool sn_crowd_is_valid(const sn_world *world, sn_crowd crowd) {
    return world && sn_slots_has(&sn_crowds_of(world)->slots, SN_ID(crowd), world->tag);
}

sn_result sn_crowd_set(sn_world *world, sn_crowd crowd, const sn_crowd_def *def) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_TRY(check_crowd(world, crowd));
    SN_TRY(sn_object_check(&sn_crowd_object, def));
    sn_crowd_state *c = &sn_crowds_of(world)->state[crowd.slot - 1];
    /* A recording has the nodes as well, and the goals that there were. */
    sn_crowd_def full = *def;
    full.nodes = c->node;
    full.node_count = c->nodes;
    if (!full.goals) full.goals = c->goal;
    SN_TRY(sn_object_check_arrays(&sn_crowd_object, &full));
    SN_RECORD(world, SET, .id = SN_ID(crowd), .def = &full);
    memmove(c->goal, full.goals, c->nodes * sizeof *c->goal);
    c->def = *def;
    sn_object_forget_arrays(&sn_crowd_object, &c->def);
    wake_members(world, c);
    return SN_OK;
}

sn_result sn_crowd_get(const sn_world *world, sn_crowd crowd, sn_crowd_def *def) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(def);
    SN_TRY(check_crowd(world, crowd));
    const sn_crowd_state *c = &sn_crowds_of(world)->state[crowd.slot - 1];
    *def = c->def;
    def->nodes = c->node;
    def->node_count = c->nodes;
    def->goals = c->goal;
    return SN_OK;
}
