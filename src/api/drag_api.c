/* The public calls on drags. */
#include "api/call.h"
#include "api/check.h"
#include "systems/aerodynamics/drags.h"

#include <sinew/drag.h>

static sn_result check_drag(const sn_world *world, sn_drag drag) {
    return sn_slots_check(&sn_drags_of(world)->slots, SN_ID(drag), world->tag, "drag");
}

/* Recordings have the coefficient and the number of corners beside the nodes. */
static sn_result create_again(sn_world *world, const sn_call *call) {
    sn_drag_def def = sn_drag_def_default();
    def.drag = call->number[0];
    def.corners = call->number[1] == 2 ? 2 : 1;
    def.nodes = call->items;
    def.element_count = call->count / (size_t)def.corners;
    return sn_drag_create(world, &def, &(sn_drag){0});
}

#define ID SN_ID_AS(sn_drag, call->id)
#define CALLS(CALL, OWN)                                                                           \
    CALL(CREATE, "drag_create", SN_PART_LIST | SN_PART_NUMBERS, 2, NULL,                           \
         create_again(world, call))                                                                \
    CALL(DESTROY, "drag_destroy", SN_PART_ID, 0, NULL, sn_drag_destroy(world, ID))                 \
    CALL(SET, "drag_set", SN_PART_ID | SN_PART_NUMBERS, 1, NULL,                                   \
         sn_drag_set(world, ID, call->number[0]))
SN_DEFINE_CALLS(aerodynamics, CALLS, .next = NULL)

static sn_result check_def(const sn_world *world, const sn_drag_def *def) {
    SN_TRY(sn_object_check(&sn_drag_object, def));
    SN_TRY(sn_object_check_arrays(&sn_drag_object, def));
    size_t corners = (size_t)def->corners;
    for (size_t i = 0; i < corners * def->element_count; i++) {
        sn_result result = sn_check_node(world, def->nodes[i]);
        if (result != SN_OK)
            return sn_fail_within(result, "drag: node %zu of element %zu", i % corners,
                                  i / corners);
        if (i % corners == 1 && def->nodes[i].slot == def->nodes[i - 1].slot)
            return sn_fail(SN_ERROR_DEGENERATE, "drag: line %zu goes from node %u to itself",
                           i / corners, def->nodes[i].slot - 1);
    }
    return SN_OK;
}

sn_result sn_drag_create(sn_world *world, const sn_drag_def *def, sn_drag *drag) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_CHECK_POINTER(drag);
    SN_TRY(check_def(world, def));
    sn_drags *drags = sn_drags_of(world);
    size_t nodes = (size_t)def->corners * def->element_count;
    sn_drag_state state = {
        .count = def->element_count, .corners = (uint32_t)def->corners, .def = *def};
    if (!sn_drags_reserve(drags, &world->memory) ||
        !sn_drag_state_reserve(&state, &world->memory, nodes))
        return SN_ERROR_MEMORY;
    sn_object_forget_arrays(&sn_drag_object, &state.def);
    for (size_t i = 0; i < nodes; i++) state.node[i] = def->nodes[i].slot - 1;
    uint32_t index = sn_slots_take(&drags->slots);
    drags->state[index] = state;
    drags->changes++;
    sn_world_wake_all(world);
    *drag = (sn_drag){index + 1, drags->slots.generation[index], world->tag};
    SN_RECORD(world, CREATE, .items = def->nodes, .count = nodes,
              .number = {def->drag, (sn_real)def->corners});
    return SN_OK;
}

sn_result sn_drag_destroy(sn_world *world, sn_drag drag) {
    SN_CHECK_WORLD(world);
    SN_TRY(check_drag(world, drag));
    sn_drags_remove(sn_drags_of(world), &world->memory, drag.slot - 1);
    sn_world_wake_all(world);
    SN_RECORD(world, DESTROY, .id = SN_ID(drag));
    return SN_OK;
}

bool sn_drag_is_valid(const sn_world *world, sn_drag drag) {
    return world && sn_slots_has(&sn_drags_of(world)->slots, SN_ID(drag), world->tag);
}

sn_result sn_drag_get(const sn_world *world, sn_drag drag, sn_drag_def *def) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(def);
    SN_TRY(check_drag(world, drag));
    const sn_drag_state *s = &sn_drags_of(world)->state[drag.slot - 1];
    *def = s->def;
    def->element_count = s->count;
    def->corners = (int)s->corners;
    return SN_OK;
}

sn_result sn_drag_set(sn_world *world, sn_drag drag, sn_real coefficient) {
    SN_CHECK_WORLD(world);
    SN_TRY(check_drag(world, drag));
    SN_TRY(sn_object_check_field(&sn_drag_object, NULL, "drag", coefficient));
    sn_drags_of(world)->state[drag.slot - 1].def.drag = coefficient;
    sn_world_wake_all(world);
    SN_RECORD(world, SET, .id = SN_ID(drag), .number = {coefficient});
    return SN_OK;
}

sn_result sn_drag_get_nodes(const sn_world *world, sn_drag drag, sn_node *nodes, size_t capacity,
                            size_t *count) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(count);
    if (capacity > 0) SN_CHECK_POINTER(nodes);
    SN_TRY(check_drag(world, drag));
    const sn_drag_state *s = &sn_drags_of(world)->state[drag.slot - 1];
    *count = s->corners * s->count;
    for (size_t i = 0; i < *count && i < capacity; i++)
        nodes[i] = (sn_node){s->node[i] + 1, world->nodes.slots.generation[s->node[i]], world->tag};
    return SN_OK;
}

sn_result sn_world_drag_at(const sn_world *world, size_t slot, sn_drag *drag) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(drag);
    SN_TRY(sn_check_slot(&sn_drags_of(world)->slots, slot, "drag"));
    *drag = (sn_drag){(uint32_t)slot + 1, sn_drags_of(world)->slots.generation[slot], world->tag};
    return SN_OK;
}
