#include "systems/dough/doughs.h"

/* ---- Memory ---- */

bool sn_doughs_reserve(sn_doughs *all, sn_memory *memory) {
    size_t needed = sn_slots_needed(&all->slots, 1);
    return sn_slots_reserve(&all->slots, memory, needed) &&
           sn_reserve(memory, (void **)&all->state, &all->capacity, needed, sizeof *all->state);
}

static bool reserve_clusters(sn_dough_clusters *c, sn_memory *memory, size_t nodes) {
    c->first = sn_allocate(memory, nodes + 1, sizeof *c->first);
    c->member = sn_allocate(memory, SN_DOUGH_SHARE * nodes, sizeof *c->member);
    c->rest = sn_allocate(memory, SN_DOUGH_SHARE * nodes, sizeof *c->rest);
    c->rotation = sn_allocate(memory, nodes, sizeof *c->rotation);
    c->flow = sn_allocate(memory, nodes, sizeof *c->flow);
    return c->first && c->member && c->rest && c->rotation && c->flow;
}

static void free_clusters(sn_dough_clusters *c, sn_memory *memory, size_t nodes) {
    sn_free(memory, c->first, nodes + 1, sizeof *c->first);
    sn_free(memory, c->member, SN_DOUGH_SHARE * nodes, sizeof *c->member);
    sn_free(memory, c->rest, SN_DOUGH_SHARE * nodes, sizeof *c->rest);
    sn_free(memory, c->rotation, nodes, sizeof *c->rotation);
    sn_free(memory, c->flow, nodes, sizeof *c->flow);
    *c = (sn_dough_clusters){0};
}

bool sn_dough_reserve(sn_dough_state *d, sn_memory *memory, size_t nodes) {
    d->nodes = d->room = nodes;
    d->node = sn_allocate(memory, nodes, sizeof *d->node);
    d->waits = sn_allocate(memory, nodes, sizeof *d->waits);
    d->number = sn_allocate(memory, nodes, sizeof *d->number);
    return d->node && d->waits && d->number && reserve_clusters(&d->clusters, memory, nodes);
}

bool sn_dough_reserve_scratch(sn_dough_state *d, sn_memory *memory) {
    if (d->scratch_room >= d->room) return true;
    size_t n = d->room, members = SN_DOUGH_SHARE * n;
    d->scratch_room = n;
    d->entry_first = sn_allocate(memory, n + 1, sizeof *d->entry_first);
    d->entry = sn_allocate(memory, members, sizeof *d->entry);
    d->goal = sn_allocate(memory, members, sizeof *d->goal);
    d->weight = sn_allocate(memory, n, sizeof *d->weight);
    d->pulled = sn_allocate(memory, n, sizeof *d->pulled);
    d->cell = sn_allocate(memory, n, sizeof *d->cell);
    d->spare = sn_allocate(memory, n, sizeof *d->spare);
    d->stamp = sn_allocate(memory, n, sizeof *d->stamp);
    d->near = sn_allocate(memory, n, sizeof *d->near);
    d->count = sn_allocate(memory, n, sizeof *d->count);
    bool room = reserve_clusters(&d->next, memory, n) && d->entry_first && d->entry && d->goal &&
                d->weight && d->pulled && d->cell && d->spare && d->stamp && d->near && d->count;
    if (room)
        sn_dough_list_entries(d);
    else
        sn_dough_free_scratch(d, memory);
    return room;
}

void sn_dough_free_scratch(sn_dough_state *d, sn_memory *memory) {
    size_t n = d->scratch_room, members = SN_DOUGH_SHARE * n;
    if (n == 0) return;
    sn_free(memory, d->entry_first, n + 1, sizeof *d->entry_first);
    sn_free(memory, d->entry, members, sizeof *d->entry);
    sn_free(memory, d->goal, members, sizeof *d->goal);
    sn_free(memory, d->weight, n, sizeof *d->weight);
    sn_free(memory, d->pulled, n, sizeof *d->pulled);
    sn_free(memory, d->cell, n, sizeof *d->cell);
    sn_free(memory, d->spare, n, sizeof *d->spare);
    sn_free(memory, d->stamp, n, sizeof *d->stamp);
    sn_free(memory, d->near, n, sizeof *d->near);
    sn_free(memory, d->count, n, sizeof *d->count);
    free_clusters(&d->next, memory, n);
    d->entry_first = d->entry = d->stamp = d->near = d->count = NULL;
    d->goal = NULL;
    d->weight = NULL;
    d->pulled = NULL;
    d->cell = d->spare = NULL;
    d->scratch_room = 0;
}

void sn_dough_free(sn_dough_state *d, sn_memory *memory) {
    sn_dough_free_scratch(d, memory);
    free_clusters(&d->clusters, memory, d->room);
    sn_free(memory, d->node, d->room, sizeof *d->node);
    sn_free(memory, d->waits, d->room, sizeof *d->waits);
    sn_free(memory, d->number, d->room, sizeof *d->number);
    *d = (sn_dough_state){0};
}

void sn_doughs_remove(sn_doughs *all, sn_memory *memory, uint32_t index) {
    sn_dough_free(&all->state[index], memory);
    sn_slots_give(&all->slots, index);
}

/* ---- What goes ---- */

/* Members that stay, by their new numbers, and clusters that have any. */
static void forget_members(sn_dough_clusters *c, const uint32_t *number) {
    size_t count = 0;
    uint32_t members = 0, begin = c->first[0];
    for (size_t r = 0; r < c->count; r++) {
        uint32_t end = c->first[r + 1], before = members;
        for (uint32_t k = begin; k < end; k++) {
            if (number[c->member[k]] == UINT32_MAX) continue;
            c->member[members] = number[c->member[k]];
            for (int a = 0; a < 3; a++) c->rest[members][a] = c->rest[k][a];
            members++;
        }
        begin = end;
        if (members == before) continue;
        for (int a = 0; a < 4; a++) c->rotation[count][a] = c->rotation[r][a];
        c->flow[count] = c->flow[r];
        c->first[++count] = members;
    }
    c->count = count;
}

static void forget(const sn_world *world, sn_dough_state *d) {
    uint32_t kept = 0;
    for (size_t i = 0; i < d->nodes; i++) {
        bool gone = world->nodes.slots.alive[d->node[i].slot - 1] == SN_DOOMED;
        d->number[i] = gone ? UINT32_MAX : kept;
        if (gone) continue;
        d->node[kept] = d->node[i];
        d->waits[kept++] = d->waits[i];
    }
    if (kept == d->nodes) return;
    d->nodes = kept;
    forget_members(&d->clusters, d->number);
    if (d->scratch_room > 0) sn_dough_list_entries(d);
}

void sn_doughs_forget(sn_world *world) {
    sn_doughs *all = sn_doughs_of(world);
    for (uint32_t i = 0; i < all->slots.count; i++) {
        if (!all->slots.alive[i]) continue;
        forget(world, &all->state[i]);
        if (all->state[i].nodes == 0) sn_doughs_remove(all, &world->memory, i);
    }
}

/* ---- Pieces ---- */

static uint32_t root_of(uint32_t *parent, uint32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

size_t sn_dough_pieces(const sn_dough_state *d, uint32_t *parent) {
    const sn_dough_clusters *c = &d->clusters;
    size_t pieces = 0;
    for (uint32_t i = 0; i < d->nodes; i++) parent[i] = i;
    for (size_t r = 0; r < c->count; r++)
        for (uint32_t k = c->first[r] + 1; k < c->first[r + 1]; k++)
            parent[root_of(parent, c->member[k])] = root_of(parent, c->member[c->first[r]]);
    for (uint32_t i = 0; i < d->nodes; i++) pieces += !d->waits[i] && root_of(parent, i) == i;
    return pieces;
}
