/* The collision surface of a node that is cut: what bodies touch each other with follows the
   sheet. */
#include "collision/collision_state.h"
#include "fracture/cut_vertex.h"
#include "systems/tet_mesh/tet_meshes.h"

static sn_collision_surface_state *surface_of(const sn_cut *cut) {
    sn_collision_surfaces *surfaces = sn_collision_surfaces_of(cut->world);
    uint32_t surface = cut->node < surfaces->node_capacity ? surfaces->of_node[cut->node] : 0;
    return surface ? &surfaces->state[surface - 1] : NULL;
}

bool sn_cut_reserve_surface(sn_cut *cut) {
    sn_memory *memory = &cut->world->memory;
    if (!surface_of(cut)) return true;
    if (!sn_collision_surface_reserve(sn_collision_surfaces_of(cut->world), memory,
                                      (size_t)cut->copy + 1))
        return false;
    sn_collision_surface_state *s = surface_of(cut);
    /* Every corner has three edges at most. What was kept for walls stays there. */
    return sn_collision_surface_state_reserve(s, memory, s->def.node_count + 1 + 6 * cut->sides,
                                              s->def.triangle_count + 2 * cut->sides,
                                              s->edges + 3 * cut->corners + 6 * cut->sides);
}

static void move_triangles(const sn_cut *cut, sn_collision_surface_state *s) {
    for (size_t i = 0; i < 3 * s->def.triangle_count; i++) {
        if (s->triangle[i] != cut->node) continue;
        const uint32_t *t = &s->triangle[i / 3 * 3];
        if (sn_cut_sides_of_triangle(cut, t[(i % 3 + 1) % 3], t[(i % 3 + 2) % 3]) == 2)
            s->triangle[i] = cut->copy;
    }
}

/* Edges of triangles come before segments, the first of which makes room. */
static void add_edge(sn_collision_surface_state *s, uint32_t a, uint32_t b) {
    uint32_t *end = &s->edge[2 * s->edges], *gap = &s->edge[2 * s->inner];
    end[0] = gap[0];
    end[1] = gap[1];
    gap[0] = a;
    gap[1] = b;
    s->inner++;
    s->edges++;
}

static void move_edges(const sn_cut *cut, sn_collision_surface_state *s) {
    for (size_t i = 0, inner = s->inner; i < inner; i++) {
        uint32_t *e = &s->edge[2 * i];
        if (e[0] != cut->node && e[1] != cut->node) continue;
        int own = e[1] == cut->node;
        uint32_t other = e[1 - own];
        unsigned sides = sn_cut_sides(cut, other);
        if (sides == 2) e[own] = cut->copy;
        if (sides == 3) add_edge(s, own ? other : cut->copy, own ? cut->copy : other);
    }
}

void sn_cut_move_surface(sn_cut *cut) {
    sn_collision_surfaces *surfaces = sn_collision_surfaces_of(cut->world);
    sn_collision_surface_state *s = surface_of(cut);
    if (!s) return;
    s->node[s->def.node_count++] = cut->copy;
    surfaces->of_node[cut->copy] = surfaces->of_node[cut->node];
    surfaces->rest[cut->copy] = surfaces->rest[cut->node];
    move_triangles(cut, s);
    move_edges(cut, s);
    sn_collision_surface_change(surfaces);
}

/* ---- Walls ---- */

/* The collision surface of a tet mesh: that of the first of its nodes that has one; null without
   one. */
static sn_collision_surface_state *surface_of_tet_mesh(const sn_cut *cut) {
    sn_collision_surfaces *surfaces = sn_collision_surfaces_of(cut->world);
    sn_cut_mesh m = sn_cut_mesh_of(cut);
    for (size_t i = 0; i < m.vertices; i++) {
        uint32_t node = m.node[i];
        uint32_t surface = node < surfaces->node_capacity ? surfaces->of_node[node] : 0;
        if (surface) return &surfaces->state[surface - 1];
    }
    return NULL;
}

bool sn_cut_collides_with_itself(const sn_cut *cut) {
    const sn_collision_surface_state *s =
        cut->tet_mesh != UINT32_MAX ? surface_of_tet_mesh(cut) : NULL;
    return s && s->def.self;
}

bool sn_cut_reserve_walls(sn_cut *cut, size_t copies) {
    sn_memory *memory = &cut->world->memory;
    if (cut->tet_mesh == UINT32_MAX || !surface_of_tet_mesh(cut)) return true;
    size_t slots = cut->world->nodes.slots.count + copies;
    if (!sn_collision_surface_reserve(sn_collision_surfaces_of(cut->world), memory, slots))
        return false;
    sn_collision_surface_state *s = surface_of_tet_mesh(cut);
    return sn_collision_surface_state_reserve(
        s, memory, s->def.node_count + copies + 6 * cut->sides,
        s->def.triangle_count + 2 * cut->sides, s->edges + 6 * cut->sides);
}

static void add_edge_once(sn_collision_surface_state *s, uint32_t a, uint32_t b) {
    for (size_t i = 0; i < s->inner; i++) {
        const uint32_t *e = &s->edge[2 * i];
        if ((e[0] == a && e[1] == b) || (e[0] == b && e[1] == a)) return;
    }
    add_edge(s, a, b);
}

/* A face that is outside now. */
static void add_wall(sn_cut *cut, sn_collision_surface_state *s, const sn_cut_mesh *m,
                     uint32_t element, uint8_t side) {
    sn_collision_surfaces *surfaces = sn_collision_surfaces_of(cut->world);
    uint32_t number = (uint32_t)(s - surfaces->state) + 1;
    uint32_t *t = &s->triangle[3 * s->def.triangle_count++];
    for (int k = 0; k < 3; k++) {
        uint32_t vertex = m->element[4 * element + sn_tet_face[side][k]];
        t[k] = m->node[vertex];
        if (surfaces->of_node[t[k]]) continue;
        s->node[s->def.node_count++] = t[k];
        surfaces->of_node[t[k]] = number;
        surfaces->rest[t[k]] = m->rest[vertex];
    }
    for (int k = 0; k < 3; k++) add_edge_once(s, t[k], t[(k + 1) % 3]);
}

void sn_cut_add_walls(sn_cut *cut) {
    sn_collision_surface_state *s = cut->tet_mesh == UINT32_MAX ? NULL : surface_of_tet_mesh(cut);
    sn_cut_mesh m = sn_cut_mesh_of(cut);
    for (size_t i = 0; s && i < cut->sides; i++) {
        const sn_cut_side *side = &cut->side[i];
        if (!sn_cut_is_apart(&m, side)) continue;
        add_wall(cut, s, &m, side->element, side->side);
        add_wall(cut, s, &m, side->beyond, side->back);
        sn_collision_surfaces_of(cut->world)->changed = true;
    }
}
