#include "systems/hair/hairs.h"

bool sn_hairs_reserve(sn_hairs *all, sn_memory *memory) {
    size_t needed = sn_slots_needed(&all->slots, 1);
    return sn_slots_reserve(&all->slots, memory, needed) &&
           sn_reserve(memory, (void **)&all->state, &all->capacity, needed, sizeof *all->state);
}

bool sn_hair_state_reserve(sn_hair_state *h, sn_memory *memory, size_t nodes) {
    h->node = sn_allocate(memory, nodes, sizeof *h->node);
    h->length = sn_allocate(memory, nodes, sizeof *h->length);
    h->rest = sn_allocate(memory, nodes, sizeof *h->rest);
    h->room = nodes;
    h->rotation[3] = 1;
    h->changed = true;
    return h->node && h->length && h->rest;
}

void sn_hair_state_drop(sn_hair_state *h, sn_memory *memory) {
    sn_free(memory, h->link, h->link_room, sizeof *h->link);
    sn_free(memory, h->strand, h->link_room + 1, sizeof *h->strand);
    sn_free(memory, h->point, h->cells / 8, sizeof *h->point);
    sn_free(memory, h->cell, h->cells / 8, sizeof *h->cell);
    sn_free(memory, h->start, h->cells + 1, sizeof *h->start);
    sn_free(memory, h->at, h->cells, sizeof *h->at);
    sn_free(memory, h->rank, h->link_room, sizeof *h->rank);
    sn_free(memory, h->goes, h->link_room, sizeof *h->goes);
    h->link = NULL;
    h->strand = h->cell = h->start = NULL;
    h->point = NULL;
    h->at = NULL;
    h->rank = NULL;
    h->goes = NULL;
    h->active = 0;
    h->link_room = h->cells = h->strands = 0;
    h->changed = true;
}

void sn_hair_state_free(sn_hair_state *h, sn_memory *memory) {
    sn_hair_state_drop(h, memory);
    sn_free(memory, h->node, h->room, sizeof *h->node);
    sn_free(memory, h->length, h->room, sizeof *h->length);
    sn_free(memory, h->rest, h->room, sizeof *h->rest);
    *h = (sn_hair_state){0};
}

void sn_hairs_remove(sn_hairs *all, sn_memory *memory, uint32_t index) {
    sn_hair_state_free(&all->state[index], memory);
    sn_slots_give(&all->slots, index);
}

bool sn_hair_is_active(const sn_world *world, size_t i) {
    const sn_hairs *all = sn_hairs_of(world);
    return all->slots.alive[i] &&
           !sn_sleep_has(&world->sleep, world->nodes.body[all->state[i].node[0].slot - 1]);
}
