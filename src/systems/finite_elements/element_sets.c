#include "systems/finite_elements/element_sets.h"

bool sn_element_sets_reserve(sn_element_sets *all, sn_memory *memory) {
    size_t needed = sn_slots_needed(&all->slots, 1);
    return sn_slots_reserve(&all->slots, memory, needed) &&
           sn_reserve(memory, (void **)&all->state, &all->capacity, needed, sizeof *all->state);
}

bool sn_element_set_reserve(sn_element_set *set, sn_memory *memory, size_t tets) {
    set->node = sn_allocate(memory, 4 * tets, sizeof *set->node);
    set->rest = sn_allocate(memory, 9 * tets, sizeof *set->rest);
    set->tets = set->room = tets;
    return set->node && set->rest;
}

void sn_element_set_free(sn_element_set *set, sn_memory *memory) {
    sn_free(memory, set->node, 4 * set->room, sizeof *set->node);
    sn_free(memory, set->rest, 9 * set->room, sizeof *set->rest);
    *set = (sn_element_set){0};
}

void sn_element_sets_remove(sn_element_sets *all, sn_memory *memory, uint32_t index) {
    sn_element_set_free(&all->state[index], memory);
    sn_slots_give(&all->slots, index);
    all->elements.made = false;
}
