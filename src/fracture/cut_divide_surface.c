/* What knows the nodes of an edge that is divided beside constraints: collision surfaces, damping
   groups, and the meshes of hierarchies. */
#include "fracture/cut_divide.h"
#include "systems/damping_group/damping_groups.h"
#include "systems/hierarchy/hierarchies.h"

#include <string.h>

/* ---- Collision surfaces ---- */

static bool has_both(const uint32_t *t, uint32_t a, uint32_t b) {
    bool has_a = t[0] == a || t[1] == a || t[2] == a;
    return has_a && (t[0] == b || t[1] == b || t[2] == b);
}

/* Edges of triangles come before segments, the first of which makes room. */
static void add_edge(sn_collision_surface_state *s, uint32_t a, uint32_t b) {
    uint32_t *end = &s->edge[2 * s->edges++], *gap = &s->edge[2 * s->inner++];
    end[0] = gap[0];
    end[1] = gap[1];
    gap[0] = a;
    gap[1] = b;
}

static void divide_triangle(sn_collision_surface_state *s, size_t triangle, uint32_t a, uint32_t b,
                            uint32_t m) {
    uint32_t *t = &s->triangle[3 * triangle], *made = &s->triangle[3 * s->def.triangle_count++];
    for (int k = 0; k < 3; k++) {
        made[k] = t[k] == a ? m : t[k];
        if (t[k] != a && t[k] != b) add_edge(s, m, t[k]);
    }
    for (int k = 0; k < 3; k++)
        if (t[k] == b) t[k] = m;
}

bool sn_divide_surface(sn_divide *d) {
    sn_world *world = d->world;
    sn_collision_surfaces *surfaces = &world->surfaces;
    uint32_t a = d->mesh.node[d->a], b = d->mesh.node[d->b], m = d->mesh.node[d->m];
    uint32_t surface = a < surfaces->node_capacity ? surfaces->of_node[a] : 0;
    if (!surface || b >= surfaces->node_capacity || surfaces->of_node[b] != surface) return true;
    size_t triangles = surfaces->state[surface - 1].def.triangle_count, found = 0;
    for (size_t i = 0; i < triangles; i++)
        found += has_both(&surfaces->state[surface - 1].triangle[3 * i], a, b);
    if (found == 0) return true;
    if (!sn_collision_surface_reserve(surfaces, &world->memory, world->nodes.slots.count))
        return false;
    sn_collision_surface_state *s = &surfaces->state[surface - 1];
    if (!sn_collision_surface_state_reserve(s, &world->memory, s->def.node_count + 1,
                                            triangles + found, s->edges + 1 + found))
        return false;
    s->node[s->def.node_count++] = m;
    surfaces->of_node[m] = surface;
    surfaces->rest[m] = d->mesh.rest[d->m];
    for (size_t i = 0; i < triangles; i++)
        if (has_both(&s->triangle[3 * i], a, b)) divide_triangle(s, i, a, b, m);
    for (size_t i = 0, inner = s->inner; i < inner; i++) {
        uint32_t *e = &s->edge[2 * i];
        if (!((e[0] == a && e[1] == b) || (e[0] == b && e[1] == a))) continue;
        e[e[0] == b ? 0 : 1] = m;
        add_edge(s, m, b);
    }
    sn_collision_surface_change(surfaces);
    return true;
}

/* ---- Damping groups ---- */

static bool is_member(const sn_damping_group_members *m, uint32_t node) {
    for (size_t i = 0; i < m->count; i++)
        if (m->node[i].slot == node + 1) return true;
    return false;
}

static sn_node id_of(const sn_world *world, uint32_t node) {
    return (sn_node){node + 1, world->nodes.slots.generation[node], world->tag};
}

bool sn_divide_clusters(sn_divide *d) {
    sn_world *world = d->world;
    sn_damping_groups *all = sn_damping_groups_of(world);
    for (size_t i = 0; i < all->slots.count; i++) {
        sn_damping_group_members *m = &all->members[i];
        if (!all->slots.alive[i] || !is_member(m, d->mesh.node[d->a]) ||
            !is_member(m, d->mesh.node[d->b]))
            continue;
        if (!sn_reserve(&world->memory, (void **)&m->node, &m->capacity, m->count + 1,
                        sizeof *m->node))
            return false;
        m->node[m->count++] = id_of(world, d->mesh.node[d->m]);
    }
    return true;
}

/* ---- Hierarchies ---- */

/* Puts the node at its place in the order of slots; numbers from there on are one more. */
static uint32_t insert_node(const sn_divide *d, sn_hierarchy_state *h, uint32_t node) {
    sn_graph *g = &h->graph;
    uint32_t at = 0;
    while (at < h->nodes && h->node[at].slot - 1 < node) at++;
    size_t after = h->nodes - at;
    memmove(h->node + at + 1, h->node + at, after * sizeof *h->node);
    h->node[at] = id_of(d->world, node);
    if (h->rest) {
        memmove(h->rest + at + 1, h->rest + at, after * sizeof *h->rest);
        h->rest[at] = sn_point_vec3(d->rest);
    }
    h->nodes = ++g->nodes;
    for (size_t i = 0; i < g->edges; i++)
        for (int k = 0; k < 2; k++) g->edge[i][k] += g->edge[i][k] >= at;
    for (size_t i = 0; i < g->triangles; i++)
        for (int k = 0; k < 3; k++) g->triangle[i][k] += g->triangle[i][k] >= at;
    return at;
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

static bool divide_level(sn_divide *d, sn_hierarchy_state *h) {
    sn_memory *memory = &d->world->memory;
    sn_graph *g = &h->graph;
    if (!sn_reserve(memory, (void **)&h->node, &h->node_room, h->nodes + 1, sizeof *h->node) ||
        (h->rest &&
         !sn_reserve(memory, (void **)&h->rest, &h->rest_room, h->nodes + 1, sizeof *h->rest)) ||
        !sn_graph_reserve(g, memory, g->edges + d->besides + 3, g->triangles + d->arounds))
        return false;
    uint32_t m = insert_node(d, h, d->mesh.node[d->m]);
    uint32_t a = (uint32_t)sn_hierarchy_find(h, d->mesh.node[d->a]);
    uint32_t b = (uint32_t)sn_hierarchy_find(h, d->mesh.node[d->b]);
    size_t edge = sn_graph_find_edge(g, a < b ? a : b, a < b ? b : a);
    if (!sn_graph_has_edge(g, edge, a < b ? a : b, a < b ? b : a)) return true;
    double length = (double)g->length[edge];
    add_graph_edge(g, a, m, d->t * length);
    add_graph_edge(g, m, b, (1 - d->t) * length);
    for (size_t i = 0; i < d->besides; i++) {
        size_t other = sn_hierarchy_find(h, d->mesh.node[d->beside[i]]);
        if (other == SIZE_MAX) continue;
        sn_point way = sn_point_sub(sn_divide_rest(d, d->beside[i]), d->rest);
        add_graph_edge(g, m, (uint32_t)other, sn_point_length(way));
    }
    divide_graph_triangles(g, a, b, m);
    return true;
}

bool sn_divide_levels(sn_divide *d) {
    sn_hierarchies *all = sn_hierarchies_of(d->world);
    uint32_t a = d->mesh.node[d->a], b = d->mesh.node[d->b];
    for (uint32_t i = 0; i < all->slots.count; i++) {
        sn_hierarchy_state *h = &all->state[i];
        if (!all->slots.alive[i] || sn_hierarchy_find(h, a) == SIZE_MAX ||
            sn_hierarchy_find(h, b) == SIZE_MAX)
            continue;
        if (!divide_level(d, h)) return false;
        h->changed = all->changed = true;
    }
    sn_hierarchies_cut(all, a, b);
    return true;
}
