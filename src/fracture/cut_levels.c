/*
 * Hierarchies follow a cut: the copy is in the mesh of every hierarchy that has its node, with the
 * edges and triangles of its side. What lies on both sides is in both, with the same length; what
 * goes with the copy holds the node no longer. Levels are made anew from the mesh with the next
 * step.
 */
#include "fracture/cut_vertex.h"
#include "systems/hierarchy/hierarchies.h"

#include <string.h>

static bool reserve_one(sn_cut *cut, sn_hierarchy_state *h) {
    sn_memory *memory = &cut->world->memory;
    /* Every corner brings three edges at most. */
    return sn_reserve(memory, (void **)&h->node, &h->node_room, h->nodes + 1, sizeof *h->node) &&
           (!h->rest ||
            sn_reserve(memory, (void **)&h->rest, &h->rest_room, h->nodes + 1, sizeof *h->rest)) &&
           sn_graph_reserve(&h->graph, memory, h->graph.edges + 3 * cut->corners + 1,
                            h->graph.triangles);
}

bool sn_cut_reserve_levels(sn_cut *cut) {
    sn_hierarchies *all = sn_hierarchies_of(cut->world);
    for (uint32_t i = 0; i < all->slots.count; i++) {
        sn_hierarchy_state *h = &all->state[i];
        if (!all->slots.alive[i] || sn_hierarchy_find(h, cut->node) == SIZE_MAX) continue;
        if (!reserve_one(cut, h)) return false;
    }
    return true;
}

/* Puts the copy at its place in the order of slots. Numbers from there on are one more, and edges
   stay in order by that. */
static void insert_copy(const sn_cut *cut, sn_hierarchy_state *h) {
    const sn_world *world = cut->world;
    sn_graph *g = &h->graph;
    size_t at = 0;
    while (at < h->nodes && h->node[at].slot - 1 < cut->copy) at++;
    size_t after = h->nodes - at;
    memmove(h->node + at + 1, h->node + at, after * sizeof *h->node);
    h->node[at] = (sn_node){cut->copy + 1, world->nodes.slots.generation[cut->copy], world->tag};
    if (h->rest) memmove(h->rest + at + 1, h->rest + at, after * sizeof *h->rest);
    h->nodes = ++g->nodes;
    for (size_t i = 0; i < g->edges; i++)
        for (int k = 0; k < 2; k++) g->edge[i][k] += g->edge[i][k] >= at;
    for (size_t i = 0; i < g->triangles; i++)
        for (int k = 0; k < 3; k++) g->triangle[i][k] += g->triangle[i][k] >= at;
    if (h->rest) h->rest[at] = h->rest[sn_hierarchy_find(h, cut->node)];
}

/* Gives the copy the edge that its node has to a neighbour, in the order of edges. */
static void add_edge(const sn_cut *cut, sn_hierarchy_state *h, uint32_t neighbour) {
    sn_graph *g = &h->graph;
    size_t node = sn_hierarchy_find(h, cut->node), copy = sn_hierarchy_find(h, cut->copy);
    size_t other = sn_hierarchy_find(h, neighbour);
    if (other == SIZE_MAX) return;
    size_t from = sn_graph_find_edge(g, (uint32_t)node, (uint32_t)other);
    if (!sn_graph_has_edge(g, from, (uint32_t)node, (uint32_t)other)) return;
    size_t at = sn_graph_find_edge(g, (uint32_t)copy, (uint32_t)other);
    if (sn_graph_has_edge(g, at, (uint32_t)copy, (uint32_t)other)) return;
    sn_real length = g->length[from];
    memmove(g->edge + at + 1, g->edge + at, (g->edges - at) * sizeof *g->edge);
    memmove(g->length + at + 1, g->length + at, (g->edges - at) * sizeof *g->length);
    g->edge[at][0] = (uint32_t)(copy < other ? copy : other);
    g->edge[at][1] = (uint32_t)(copy < other ? other : copy);
    g->length[at] = length;
    g->edges++;
}

static void move_triangles(const sn_cut *cut, sn_hierarchy_state *h) {
    sn_graph *g = &h->graph;
    size_t node = sn_hierarchy_find(h, cut->node), copy = sn_hierarchy_find(h, cut->copy);
    for (size_t i = 0; i < g->triangles; i++)
        for (int k = 0; k < 3; k++) {
            uint32_t *t = g->triangle[i];
            if (t[k] != node) continue;
            uint32_t a = h->node[t[(k + 1) % 3]].slot - 1, b = h->node[t[(k + 2) % 3]].slot - 1;
            if (sn_cut_sides_of_triangle(cut, a, b) == 2) t[k] = (uint32_t)copy;
        }
}

void sn_cut_move_levels(sn_cut *cut) {
    sn_hierarchies *all = sn_hierarchies_of(cut->world);
    for (uint32_t i = 0; i < all->slots.count; i++) {
        sn_hierarchy_state *h = &all->state[i];
        if (!all->slots.alive[i] || sn_hierarchy_find(h, cut->node) == SIZE_MAX) continue;
        insert_copy(cut, h);
        for (size_t k = 0; k < cut->corners; k++) {
            const sn_corner *c = &cut->corner[k];
            if (!c->copied) continue;
            add_edge(cut, h, c->a);
            add_edge(cut, h, c->b);
            add_edge(cut, h, c->c);
        }
        move_triangles(cut, h);
        h->changed = all->changed = true;
    }
    for (size_t k = 0; k < cut->corners; k++) {
        const sn_corner *c = &cut->corner[k];
        if (!c->copied) continue;
        if (sn_cut_sides(cut, c->a) == 2) sn_hierarchies_cut(all, cut->node, c->a);
        if (sn_cut_sides(cut, c->b) == 2) sn_hierarchies_cut(all, cut->node, c->b);
        if (sn_cut_sides(cut, c->c) == 2) sn_hierarchies_cut(all, cut->node, c->c);
    }
}
