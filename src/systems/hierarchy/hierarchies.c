#include "systems/hierarchy/hierarchies.h"

#include <string.h>

bool sn_hierarchies_reserve(sn_hierarchies *all, sn_memory *memory) {
    size_t needed = sn_slots_needed(&all->slots, 1);
    return sn_slots_reserve(&all->slots, memory, needed) &&
           sn_reserve(memory, (void **)&all->state, &all->capacity, needed, sizeof *all->state);
}

void sn_hierarchy_state_free(sn_hierarchy_state *h, sn_memory *memory) {
    sn_levels_free(h, memory);
    sn_free(memory, h->level, h->level_room, sizeof *h->level);
    sn_free(memory, h->node, h->node_room, sizeof *h->node);
    sn_free(memory, h->w, h->w_room, sizeof *h->w);
    sn_free(memory, h->rest, h->rest_room, sizeof *h->rest);
    sn_graph_free(&h->graph, memory);
    *h = (sn_hierarchy_state){0};
}

void sn_hierarchies_remove(sn_hierarchies *all, sn_memory *memory, uint32_t index) {
    sn_hierarchy_state_free(&all->state[index], memory);
    sn_slots_give(&all->slots, index);
}

void sn_hierarchies_free(sn_hierarchies *all, sn_memory *memory) {
    for (size_t i = 0; i < all->slots.count && i < all->capacity; i++)
        sn_hierarchy_state_free(&all->state[i], memory);
    sn_free(memory, all->state, all->capacity, sizeof *all->state);
    sn_slots_free(&all->slots, memory);
}

size_t sn_hierarchy_find(const sn_hierarchy_state *h, uint32_t slot) {
    size_t low = 0, high = h->nodes;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (h->node[middle].slot - 1 < slot)
            low = middle + 1;
        else
            high = middle;
    }
    return low < h->nodes && h->node[low].slot - 1 == slot ? low : SIZE_MAX;
}

/* ---- What goes ---- */

/* Whether none of the corners goes; those are then slots instead of numbers. */
static bool keep(const sn_hierarchy_state *h, const uint8_t *alive, uint8_t doomed,
                 uint32_t *corner, int corners) {
    for (int k = 0; k < corners; k++) corner[k] = h->node[corner[k]].slot - 1;
    for (int k = 0; k < corners; k++)
        if (alive[corner[k]] == doomed) return false;
    return true;
}

static void number(const sn_hierarchy_state *h, uint32_t *corner, int corners) {
    for (int k = 0; k < corners; k++) corner[k] = (uint32_t)sn_hierarchy_find(h, corner[k]);
}

static bool has_doomed(const sn_hierarchy_state *h, const uint8_t *alive, uint8_t doomed) {
    for (size_t i = 0; i < h->nodes; i++)
        if (alive[h->node[i].slot - 1] == doomed) return true;
    return false;
}

/* By way of the slots, which stay what they are, and in their order. */
static void forget(sn_hierarchy_state *h, const uint8_t *alive, uint8_t doomed) {
    sn_graph *g = &h->graph;
    size_t edges = 0, triangles = 0, nodes = 0;
    for (size_t i = 0; i < g->edges; i++) {
        uint32_t edge[2] = {g->edge[i][0], g->edge[i][1]};
        if (!keep(h, alive, doomed, edge, 2)) continue;
        g->edge[edges][0] = edge[0];
        g->edge[edges][1] = edge[1];
        g->length[edges++] = g->length[i];
    }
    for (size_t i = 0; i < g->triangles; i++) {
        uint32_t t[3] = {g->triangle[i][0], g->triangle[i][1], g->triangle[i][2]};
        if (!keep(h, alive, doomed, t, 3)) continue;
        for (int k = 0; k < 3; k++) g->triangle[triangles][k] = t[k];
        triangles++;
    }
    for (size_t i = 0; i < h->nodes; i++) {
        if (alive[h->node[i].slot - 1] == doomed) continue;
        if (h->rest) h->rest[nodes] = h->rest[i];
        h->node[nodes++] = h->node[i];
    }
    g->edges = edges;
    g->triangles = triangles;
    h->nodes = g->nodes = nodes;
    for (size_t i = 0; i < edges; i++) number(h, g->edge[i], 2);
    for (size_t i = 0; i < triangles; i++) number(h, g->triangle[i], 3);
    h->changed = true;
}

void sn_hierarchies_forget(sn_hierarchies *all, sn_memory *memory, const uint8_t *alive,
                           uint8_t doomed) {
    for (uint32_t i = 0; i < all->slots.count; i++) {
        sn_hierarchy_state *h = &all->state[i];
        if (!all->slots.alive[i] || !has_doomed(h, alive, doomed)) continue;
        forget(h, alive, doomed);
        all->changed = true;
        if (h->nodes == 0) sn_hierarchies_remove(all, memory, i);
    }
}

size_t sn_graph_find_edge(const sn_graph *g, uint32_t a, uint32_t b) {
    size_t low = 0, high = g->edges;
    uint32_t one = a < b ? a : b, two = a < b ? b : a;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const uint32_t *e = g->edge[middle];
        if (e[0] < one || (e[0] == one && e[1] < two))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool sn_graph_has_edge(const sn_graph *g, size_t at, uint32_t a, uint32_t b) {
    return at < g->edges && g->edge[at][0] == (a < b ? a : b) && g->edge[at][1] == (a < b ? b : a);
}

void sn_hierarchies_cut(sn_hierarchies *all, uint32_t a, uint32_t b) {
    for (uint32_t i = 0; i < all->slots.count; i++) {
        sn_hierarchy_state *h = &all->state[i];
        if (!all->slots.alive[i]) continue;
        size_t one = sn_hierarchy_find(h, a < b ? a : b), two = sn_hierarchy_find(h, a < b ? b : a);
        if (one == SIZE_MAX || two == SIZE_MAX) continue;
        sn_graph *g = &h->graph;
        size_t at = sn_graph_find_edge(g, (uint32_t)one, (uint32_t)two);
        if (!sn_graph_has_edge(g, at, (uint32_t)one, (uint32_t)two)) continue;
        g->edges--;
        memmove(g->edge + at, g->edge + at + 1, (g->edges - at) * sizeof *g->edge);
        memmove(g->length + at, g->length + at + 1, (g->edges - at) * sizeof *g->length);
        h->changed = all->changed = true;
    }
}
