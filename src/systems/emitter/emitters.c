#include "systems/emitter/emitters.h"

bool sn_emitter_state_reserve(sn_emitter_state *e, sn_memory *memory, size_t count) {
    return sn_reserve(memory, (void **)&e->reserve, &e->capacity, count, sizeof *e->reserve) &&
           sn_reserve(memory, (void **)&e->list, &e->list_capacity, count, sizeof *e->list);
}

bool sn_emitter_points_reserve(sn_emitter_state *e, sn_memory *memory, size_t count) {
    return sn_reserve(memory, (void **)&e->points, &e->point_capacity, count, sizeof *e->points);
}

void sn_emitter_state_free(sn_emitter_state *e, sn_memory *memory) {
    sn_free(memory, e->reserve, e->capacity, sizeof *e->reserve);
    sn_free(memory, e->list, e->list_capacity, sizeof *e->list);
    sn_free(memory, e->points, e->point_capacity, sizeof *e->points);
    *e = (sn_emitter_state){0};
}

void sn_emitters_free(sn_emitters *emitters, sn_memory *memory) {
    for (size_t i = 0; i < emitters->slots.count && i < emitters->capacity; i++)
        sn_emitter_state_free(&emitters->state[i], memory);
    sn_free(memory, emitters->state, emitters->capacity, sizeof *emitters->state);
    sn_free(memory, emitters->drain, emitters->drain_capacity, sizeof *emitters->drain);
    sn_free(memory, emitters->near, emitters->near_capacity, sizeof *emitters->near);
    sn_slots_free(&emitters->slots, memory);
    sn_slots_free(&emitters->drain_slots, memory);
}

void sn_emitters_forget(sn_emitters *emitters, const uint8_t *alive, uint8_t doomed) {
    for (size_t i = 0; i < emitters->slots.count; i++) {
        sn_emitter_state *e = &emitters->state[i];
        size_t kept = 0;
        for (size_t k = 0; k < e->count; k++)
            if (alive[e->reserve[k].node.slot - 1] != doomed) {
                e->list[kept] = e->reserve[k].node;
                e->reserve[kept++] = e->reserve[k];
            }
        e->count = kept;
        e->first = 0;
    }
}

double sn_emitter_spacing(const sn_emitter_state *e) {
    return e->count > 0 ? 2 * (double)e->reserve[0].radius : 0;
}

/* All at the emitter, a hundredth of a spacing apart: nodes at one place would be near all others
   wherever nodes are looked for. */
static sn_vec3 waiting_place(const sn_emitter_state *e, size_t index) {
    size_t side = 1;
    while (side * side * side < e->count) side++;
    double pitch = 0.01 * sn_emitter_spacing(e);
    sn_vec3 at = e->def.position;
    at.x += (sn_real)(pitch * (double)(index % side));
    at.y += (sn_real)(pitch * (double)(index / side % side));
    at.z += (sn_real)(pitch * (double)(index / side / side));
    return at;
}

void sn_emitter_park(sn_world *world, sn_emitter_state *e, size_t index) {
    sn_reserve_node *r = &e->reserve[index];
    uint32_t i = r->node.slot - 1;
    sn_nodes_undrive(&world->nodes, i);
    sn_nodes_place(&world->nodes, i, waiting_place(e, index));
    world->nodes.v[i] = (sn_vec4){0};
    world->nodes.w[i] = world->nodes.radius[i] = 0;
    world->nodes.group[i] = 0;
    r->waits = 1;
    if (index < e->first) e->first = index;
}
