/*
 * Hierarchies follow a cut: the copy is in the mesh of every hierarchy that has its node, with the
 * edges and triangles of its side. What lies on both sides is in both, with the same length; what
 * goes with the copy holds the node no longer. Levels are made anew from the mesh with the next
 * step.
 */
#include "systems/hierarchy/hierarchies.h"

#include <string.h>

/* ---- Nodes that are split ---- */

static bool reserve_one(sn_memory *memory, const sn_split *split, sn_hierarchy_state *h) {
    /* Every corner brings three edges at most. */
    return sn_reserve(memory, (void **)&h->node, &h->node_room, h->nodes + 1, sizeof *h->node) &&
           (!h->rest ||
            sn_reserve(memory, (void **)&h->rest, &h->rest_room, h->nodes + 1, sizeof *h->rest)) &&
           sn_graph_reserve(&h->graph, memory, h->graph.edges + 3 * split->corners + 1,
                            h->graph.triangles);
}

bool sn_hierarchies_reserve_split(sn_world *world, const sn_split *split) {
    sn_hierarchies *all = sn_hierarchies_of(world);
    for (uint32_t i = 0; i < all->slots.count; i++) {
        sn_hierarchy_state *h = &all->state[i];
        if (!all->slots.alive[i] || sn_hierarchy_find(h, split->node) == SIZE_MAX) continue;
        if (!reserve_one(&world->memory, split, h)) return false;
    }
    return true;
}

/* Puts a node at its place in the order of slots. Numbers from there on are one more, and edges
   stay in order by that. */
static uint32_t insert_node(const sn_world *world, sn_hierarchy_state *h, uint32_t node,
                            sn_vec3 rest) {
    sn_graph *g = &h->graph;
    uint32_t at = 0;
    while (at < h->nodes && h->node[at].slot - 1 < node) at++;
    size_t after = h->nodes - at;
    memmove(h->node + at + 1, h->node + at, after * sizeof *h->node);
    h->node[at] = (sn_node){node + 1, world->nodes.slots.generation[node], world->tag};
    if (h->rest) {
        memmove(h->rest + at + 1, h->rest + at, after * sizeof *h->rest);
        h->rest[at] = rest;
    }
    h->nodes = ++g->nodes;
    for (size_t i = 0; i < g->edges; i++)
        for (int k = 0; k < 2; k++) g->edge[i][k] += g->edge[i][k] >= at;
    for (size_t i = 0; i < g->triangles; i++)
        for (int k = 0; k < 3; k++) g->triangle[i][k] += g->triangle[i][k] >= at;
    return at;
}

/* Gives the copy the edge that its node has to a neighbour, in the order of edges. */
static void add_edge(const sn_split *split, sn_hierarchy_state *h, uint32_t neighbour) {
    sn_graph *g = &h->graph;
    size_t node = sn_hierarchy_find(h, split->node), copy = sn_hierarchy_find(h, split->copy);
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

static void move_triangles(const sn_split *split, sn_hierarchy_state *h) {
    sn_graph *g = &h->graph;
    size_t node = sn_hierarchy_find(h, split->node), copy = sn_hierarchy_find(h, split->copy);
    for (size_t i = 0; i < g->triangles; i++)
        for (int k = 0; k < 3; k++) {
            uint32_t *t = g->triangle[i];
            if (t[k] != node) continue;
            uint32_t a = h->node[t[(k + 1) % 3]].slot - 1, b = h->node[t[(k + 2) % 3]].slot - 1;
            if (sn_corners_sides_of_two(split->corner, split->corners, a, b) == 2)
                t[k] = (uint32_t)copy;
        }
}

void sn_hierarchies_split(sn_world *world, const sn_split *split) {
    sn_hierarchies *all = sn_hierarchies_of(world);
    for (uint32_t i = 0; i < all->slots.count; i++) {
        sn_hierarchy_state *h = &all->state[i];
        if (!all->slots.alive[i] || sn_hierarchy_find(h, split->node) == SIZE_MAX) continue;
        size_t own = sn_hierarchy_find(h, split->node);
        insert_node(world, h, split->copy, h->rest ? h->rest[own] : (sn_vec3){0, 0, 0});
        for (size_t k = 0; k < split->corners; k++) {
            const sn_corner *c = &split->corner[k];
            if (!c->copied) continue;
            add_edge(split, h, c->a);
            add_edge(split, h, c->b);
            add_edge(split, h, c->c);
        }
        move_triangles(split, h);
        h->changed = all->changed = true;
    }
    for (size_t k = 0; k < split->corners; k++) {
        const sn_corner *c = &split->corner[k];
        if (!c->copied) continue;
        if (sn_corners_sides(split->corner, split->corners, c->a) == 2)
            sn_hierarchies_cut(all, split->node, c->a);
        if (sn_corners_sides(split->corner, split->corners, c->b) == 2)
            sn_hierarchies_cut(all, split->node, c->b);
        if (sn_corners_sides(split->corner, split->corners, c->c) == 2)
            sn_hierarchies_cut(all, split->node, c->c);
    }
}

/* ---- Edges that are divided ---- */

static bool has_both(const uint32_t *t, uint32_t a, uint32_t b) {
    bool has_a = t[0] == a || t[1] == a || t[2] == a;
    return has_a && (t[0] == b || t[1] == b || t[2] == b);
}

static void add_graph_edge(sn_graph *g, uint32_t a, uint32_t b, double length) {
    uint32_t low = a < b ? a : b, high = a < b ? b : a;
    size_t at = sn_graph_find_edge(g, low, high);
    if (sn_graph_has_edge(g, at, low, high)) return;
    memmove(g->edge + at + 1, g->edge + at, (g->edges - at) * sizeof *g->edge);
    memmove(g->length + at + 1, g->length + at, (g->edges - at) * sizeof *g->length);
    g->edge[at][0] = low;
    g->edge[at][1] = high;
    g->length[at] = (sn_real)length;
    g->edges++;
}

static void divide_graph_triangles(sn_graph *g, uint32_t a, uint32_t b, uint32_t m) {
    for (size_t i = 0, count = g->triangles; i < count; i++) {
        uint32_t *t = g->triangle[i];
        if (!has_both(t, a, b)) continue;
        uint32_t *made = g->triangle[g->triangles++];
        for (int k = 0; k < 3; k++) {
            made[k] = t[k] == a ? m : t[k];
            if (t[k] == b) t[k] = m;
        }
    }
}

static bool reserve_division(sn_memory *memory, const sn_division *d, sn_hierarchy_state *h) {
    sn_graph *g = &h->graph;
    return sn_reserve(memory, (void **)&h->node, &h->node_room, h->nodes + 1, sizeof *h->node) &&
           (!h->rest ||
            sn_reserve(memory, (void **)&h->rest, &h->rest_room, h->nodes + 1, sizeof *h->rest)) &&
           sn_graph_reserve(g, memory, g->edges + d->besides + 3, g->triangles + d->elements);
}

static void divide_level(const sn_world *world, const sn_division *d, sn_hierarchy_state *h) {
    sn_graph *g = &h->graph;
    uint32_t m = insert_node(world, h, d->middle, d->rest);
    uint32_t a = (uint32_t)sn_hierarchy_find(h, d->a), b = (uint32_t)sn_hierarchy_find(h, d->b);
    size_t edge = sn_graph_find_edge(g, a < b ? a : b, a < b ? b : a);
    if (!sn_graph_has_edge(g, edge, a < b ? a : b, a < b ? b : a)) return;
    double length = (double)g->length[edge];
    add_graph_edge(g, a, m, d->t * length);
    add_graph_edge(g, m, b, (1 - d->t) * length);
    for (size_t i = 0; i < d->besides; i++) {
        size_t other = sn_hierarchy_find(h, d->beside[i]);
        if (other != SIZE_MAX) add_graph_edge(g, m, (uint32_t)other, d->length[i]);
    }
    divide_graph_triangles(g, a, b, m);
}

bool sn_hierarchies_divide(sn_world *world, const sn_division *d) {
    sn_hierarchies *all = sn_hierarchies_of(world);
    for (uint32_t i = 0; i < all->slots.count; i++) {
        sn_hierarchy_state *h = &all->state[i];
        if (!all->slots.alive[i] || sn_hierarchy_find(h, d->a) == SIZE_MAX ||
            sn_hierarchy_find(h, d->b) == SIZE_MAX)
            continue;
        if (!reserve_division(&world->memory, d, h)) return false;
        divide_level(world, d, h);
        h->changed = all->changed = true;
    }
    sn_hierarchies_cut(all, d->a, d->b);
    return true;
}

/* ---- Nodes that are moved at rest ---- */

void sn_hierarchies_move_rest(sn_world *world, const sn_rest_move *move) {
    sn_hierarchies *all = sn_hierarchies_of(world);
    for (uint32_t i = 0; i < all->slots.count; i++) {
        sn_hierarchy_state *h = &all->state[i];
        size_t own = all->slots.alive[i] ? sn_hierarchy_find(h, move->node) : SIZE_MAX;
        if (own == SIZE_MAX) continue;
        if (h->rest) h->rest[own] = move->rest;
        for (size_t e = 0; e < h->graph.edges; e++) {
            const uint32_t *ends = h->graph.edge[e];
            if (ends[0] != own && ends[1] != own) continue;
            uint32_t other = h->node[ends[ends[0] == own ? 1 : 0]].slot - 1;
            h->graph.length[e] =
                (sn_real)((double)h->graph.length[e] * move->stretch(move->context, other));
        }
        h->changed = all->changed = true;
    }
}
