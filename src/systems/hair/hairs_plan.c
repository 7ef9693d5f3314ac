/* What a step needs of hairs: links, strands, and room for a grid. */
#include "systems/hair/hairs.h"

#include "math/vector.h"

static bool reserve_links(sn_hair_state *h, sn_memory *memory) {
    if (h->link) return true;
    h->link_room = h->nodes;
    h->link = sn_allocate(memory, h->nodes, sizeof *h->link);
    h->strand = sn_allocate(memory, h->nodes + 1, sizeof *h->strand);
    return h->link && h->strand;
}

static bool reserve_grid(sn_hair_state *h, sn_memory *memory) {
    if (h->at || !(h->def.friction > 0 || h->def.repulsion > 0)) return true;
    h->cells = 8 * (h->nodes + 8);
    h->point = sn_allocate(memory, h->cells / 8, sizeof *h->point);
    h->cell = sn_allocate(memory, h->cells / 8, sizeof *h->cell);
    h->at = sn_allocate(memory, h->cells, sizeof *h->at);
    h->start = sn_allocate(memory, h->cells + 1, sizeof *h->start);
    return h->point && h->cell && h->at && h->start;
}

static void link_nodes(sn_hair_state *h) {
    h->strands = 0;
    for (size_t k = 0; k < h->nodes; k++) {
        sn_real length = h->length[k];
        sn_v4 rest = {0, 0, 0, 0};
        if (length > 0) {
            rest = sn_v4_of(h->rest[k]) - sn_v4_of(h->rest[k - 1]);
            rest *= length / sn_v4_length(rest);
        } else {
            h->strand[h->strands++] = (uint32_t)k;
        }
        rest[3] = length;
        *(sn_v4 *)&h->link[k].rest = rest;
    }
    h->strand[h->strands] = (uint32_t)h->nodes;
    h->active = 0;
    h->changed = false;
}

bool sn_hairs_prepare(sn_step *step) {
    sn_memory *memory = &step->world->memory;
    sn_hairs *all = sn_hairs_of(step->world);
    for (size_t i = 0; i < all->slots.count; i++) {
        sn_hair_state *h = &all->state[i];
        if (!all->slots.alive[i]) continue;
        if (!reserve_links(h, memory) || !reserve_grid(h, memory)) {
            sn_hair_state_drop(h, memory);
            return false;
        }
        if (h->changed) link_nodes(h);
        if (!sn_hair_levels_prepare(h, memory)) {
            sn_hair_state_drop(h, memory);
            return false;
        }
    }
    return true;
}
