#include "base/union_find.h"
#include "state/system.h"

#include <string.h>

#define COLUMNS(s)                                                                                 \
    {                                                                                              \
        {(void **)&(s)->asleep, sizeof *(s)->asleep}, {(void **)&(s)->still, sizeof *(s)->still},  \
            {(void **)&(s)->next, sizeof *(s)->next}, {(void **)&(s)->bound, sizeof *(s)->bound},  \
            {(void **)&(s)->parent, sizeof *(s)->parent},                                          \
            {(void **)&(s)->first, sizeof *(s)->first},                                            \
            {(void **)&(s)->restless, sizeof *(s)->restless}, {(void **)&(s)->old_asleep, 1},      \
            {(void **)&(s)->old_ready, 1}, {(void **)&(s)->old_still, sizeof *(s)->old_still},     \
            {(void **)&(s)->old_next, sizeof *(s)->old_next},                                      \
    }
enum { COLUMN_COUNT = 11 };

bool sn_sleep_reserve(sn_sleep *sleep, sn_memory *memory, size_t bodies) {
    if (bodies <= sleep->capacity) return true;
    sn_column columns[] = COLUMNS(sleep);
    size_t old = sleep->capacity;
    size_t grown = sn_columns_grow(memory, columns, COLUMN_COUNT, 0, old, bodies);
    if (grown == 0) return false;
    for (size_t i = old; i < grown; i++) sleep->next[i] = (uint32_t)i;
    sleep->capacity = grown;
    return true;
}

/* As with nodes, there are some before index 0. */
static bool reserve_w(sn_sleep *sleep, sn_memory *memory, size_t nodes) {
    if (nodes <= sleep->w_capacity) return true;
    sn_column column = {(void **)&sleep->w, sizeof *sleep->w};
    size_t grown = sn_columns_grow(memory, &column, 1, SN_NODE_FRONT, sleep->w_capacity, nodes);
    if (grown > 0) sleep->w_capacity = grown;
    return grown > 0;
}

bool sn_sleep_reserve_nodes(sn_sleep *sleep, sn_memory *memory, size_t bodies, size_t nodes) {
    return sn_reserve(memory, (void **)&sleep->joint, &sleep->joint_capacity, bodies + nodes,
                      sizeof *sleep->joint) &&
           sn_reserve(memory, (void **)&sleep->awake_from, &sleep->awake_capacity, nodes + 1,
                      sizeof *sleep->awake_from) &&
           reserve_w(sleep, memory, nodes);
}

void sn_sleep_free(sn_sleep *sleep, sn_memory *memory) {
    sn_column columns[] = COLUMNS(sleep);
    sn_columns_free(memory, columns, COLUMN_COUNT, 0, sleep->capacity);
    sn_free(memory, sleep->joint, sleep->joint_capacity, sizeof *sleep->joint);
    sn_free(memory, sleep->awake_from, sleep->awake_capacity, sizeof *sleep->awake_from);
    sn_column column = {(void **)&sleep->w, sizeof *sleep->w};
    sn_columns_free(memory, &column, 1, SN_NODE_FRONT, sleep->w_capacity);
    *sleep = (sn_sleep){0};
}

/* ---- Joining ---- */

void sn_sleep_join(sn_sleep *sleep, uint32_t body_a, uint32_t body_b) {
    if (body_a == 0 || body_b == 0 || body_a > sleep->capacity || body_b > sleep->capacity) return;
    sn_sets_join(sleep->parent, body_a - 1, body_b - 1);
}

/* A node without a body does not sleep: what it touches cannot, while it moves or may move. */
static void note_free_node(sn_world *world, uint32_t node, uint32_t body) {
    sn_vec4 v = world->nodes.v[node];
    bool moves = world->nodes.w[node] > 0 || v.x != 0 || v.y != 0 || v.z != 0;
    if (moves && body > 0) world->sleep.restless[body - 1] |= SN_FAST;
}

void sn_world_note_contact(sn_world *world, uint32_t node_a, uint32_t node_b) {
    uint32_t a = world->nodes.body[node_a], b = world->nodes.body[node_b];
    if (a > world->sleep.capacity || b > world->sleep.capacity) return;
    sn_sleep_join(&world->sleep, a, b);
    if (a == 0) note_free_node(world, node_a, b);
    if (b == 0) note_free_node(world, node_b, a);
}

/* ---- Waking ---- */

void sn_world_wake_body(sn_world *world, uint32_t body) {
    sn_sleep *sleep = &world->sleep;
    if (body == 0 || body > sleep->capacity) return;
    uint32_t i = body - 1;
    do {
        uint32_t next = sleep->next[i];
        sleep->still[i] = 0;
        sleep->next[i] = i;
        if (sleep->asleep[i]) {
            sleep->asleep[i] = 0;
            sleep->count--;
            sleep->changed = true;
            sn_history_restart(&world->history, i + 1);
        }
        i = next;
    } while (i != body - 1);
}

void sn_world_wake_all(sn_world *world) {
    for (uint32_t i = 0; i < world->sleep.capacity; i++) sn_world_wake_body(world, i + 1);
}

/* Who is joined with a node that has no body is known from the last step: whoever was joined since
   is awake. All that are joined sleep together, so that one of them is enough. */
static void wake_joined(sn_world *world, uint32_t node) {
    const sn_sleep *sleep = &world->sleep;
    if (sleep->joint_nodes == 0) {
        sn_world_wake_all(world);
        return;
    }
    if (node >= sleep->joint_nodes) return;
    uint32_t joint = sleep->joint[sleep->joint_bodies + node];
    if (joint < sleep->joint_bodies) sn_world_wake_body(world, joint + 1);
}

/* Whether a node that stands or is moved from outside may hold up anything. */
static bool obstructs(const sn_world *world, uint32_t node) {
    const sn_system_list *systems = &world->bindings.systems;
    bool any = false;
    for (size_t i = 0; i < systems->count; i++)
        if (systems->system[i]->obstructs) any = any || systems->system[i]->obstructs(world, node);
    return any;
}

void sn_world_wake_node(sn_world *world, uint32_t node) {
    uint32_t body = world->nodes.body[node];
    sn_world_wake_body(world, body);
    if (world->sleep.count == 0) return;
    if (body == 0) wake_joined(world, node);
    if (world->nodes.w[node] == 0 && obstructs(world, node)) sn_world_wake_all(world);
}

void sn_world_wake_members(sn_world *world, sn_members members) {
    if (world->sleep.capacity == 0) return;
    for (int n = 0; n < members.nodes; n++) {
        int32_t node = sn_member(members, n);
        if (node >= 0) sn_world_wake_body(world, world->nodes.body[node]);
    }
}

void sn_world_wake_contacts(sn_world *world, uint32_t collider) {
    const sn_contact_list *list = &world->contacts;
    size_t i = sn_contact_list_begin(list, SN_SURFACE_CONTACT_KINDS);
    for (; world->sleep.count > 0 && i < list->count; i++) {
        const sn_contact *c = &list->contact[i];
        if (c->collider.slot != collider + 1 || c->phase == SN_CONTACT_END) continue;
        for (int k = 0; k < sn_contact_listed((int)c->kind); k++)
            if (sn_slots_has(&world->nodes.slots, SN_ID(c->nodes[k]), world->tag))
                sn_world_wake_body(world, world->nodes.body[c->nodes[k].slot - 1]);
    }
}
