#include "systems/crowd/crowds.h"

bool sn_crowds_reserve(sn_crowds *all, sn_memory *memory) {
    size_t needed = sn_slots_needed(&all->slots, 1);
    return sn_slots_reserve(&all->slots, memory, needed) &&
           sn_reserve(memory, (void **)&all->state, &all->capacity, needed, sizeof *all->state);
}

bool sn_crowd_state_reserve(sn_crowd_state *c, sn_memory *memory, size_t nodes) {
    c->node = sn_allocate(memory, nodes, sizeof *c->node);
    c->goal = sn_allocate(memory, nodes, sizeof *c->goal);
    c->nodes = c->room = nodes;
    return c->node && c->goal;
}

void sn_crowd_state_free(sn_crowd_state *c, sn_memory *memory) {
    sn_free(memory, c->node, c->room, sizeof *c->node);
    sn_free(memory, c->goal, c->room, sizeof *c->goal);
    *c = (sn_crowd_state){0};
}

void sn_crowds_remove(sn_crowds *all, sn_memory *memory, uint32_t index) {
    sn_crowd_state_free(&all->state[index], memory);
    sn_slots_give(&all->slots, index);
}
