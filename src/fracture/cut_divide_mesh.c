/* The node in the middle of an edge that is divided, and the elements around it. */
#include "fracture/cut_divide.h"
#include "systems/sheet/sheets.h"
#include "systems/tet_mesh/tet_meshes.h"

/* ---- Lists ---- */

bool sn_divide_reserve(sn_divide *d) {
    sn_memory *memory = &d->world->memory;
    size_t vertices = d->mesh.vertices + 1, corners = d->mesh.corners * d->mesh.elements + 1;
    sn_column vertex[] = {{(void **)&d->first, sizeof *d->first},
                          {(void **)&d->listed, sizeof *d->listed},
                          {(void **)&d->wanted, sizeof *d->wanted}};
    if (vertices > d->vertex_capacity) {
        size_t grown = sn_columns_grow(memory, vertex, 3, 0, d->vertex_capacity, vertices);
        if (grown == 0) return false;
        d->vertex_capacity = grown;
    }
    return sn_reserve(memory, (void **)&d->next, &d->corner_capacity, corners, sizeof *d->next);
}

static void join_list(sn_divide *d, uint32_t corner) {
    uint32_t vertex = d->mesh.element[corner];
    d->next[corner] = d->first[vertex];
    d->first[vertex] = corner + 1;
}

static void leave_list(sn_divide *d, uint32_t corner) {
    uint32_t *at = &d->first[d->mesh.element[corner]];
    while (*at != corner + 1) at = &d->next[*at - 1];
    *at = d->next[corner];
}

/* ---- Room ---- */

static bool reserve_mesh(sn_divide *d) {
    sn_world *world = d->world;
    sn_memory *memory = &world->memory;
    if (!sn_world_reserve_nodes(world, 1)) return false;
    size_t slots = world->nodes.slots.count + 1;
    if (d->tet_mesh != UINT32_MAX) {
        if (!sn_tet_meshes_reserve(sn_tet_meshes_of(world), memory, slots)) return false;
        sn_tet_mesh_state *b = &sn_tet_meshes_of(world)->state[d->tet_mesh];
        size_t tets = b->def.tet_count + d->arounds;
        return sn_tet_mesh_state_reserve(b, memory, b->def.node_count + 1, tets);
    }
    if (!sn_sheets_reserve(sn_sheets_of(world), memory, slots)) return false;
    sn_sheet_state *s = &sn_sheets_of(world)->state[d->sheet];
    size_t triangles = s->def.triangle_count + d->arounds;
    return sn_sheet_state_reserve(s, memory, s->def.node_count + 1, triangles) &&
           (!s->open || sn_reserve(memory, (void **)&s->open, &s->open_capacity, triangles + 1,
                                   sizeof *s->open));
}

/* ---- The node ---- */

/* The part of what a vertex has that lies in the elements around the edge. */
static double part_of(const sn_divide *d, uint32_t vertex) {
    const uint32_t ends[1] = {vertex == d->a ? d->b : d->a};
    double all = sn_divide_around(d, vertex, NULL, 0);
    return all > 0 ? sn_divide_around(d, vertex, ends, 1) / all : 0;
}

/* Takes a part of the mass of a node; what it is. */
static double take_mass(sn_world *world, uint32_t node, double part) {
    double mass = 1 / (double)world->nodes.w[node];
    if (!(world->nodes.w[node] > 0)) return 0;
    world->nodes.w[node] = (sn_real)(1 / (mass * (1 - part)));
    return mass * part;
}

static sn_real between(sn_real a, sn_real b, double t) {
    return (sn_real)((1 - t) * (double)a + t * (double)b);
}

/* Lift that is automatic at one end is so between. */
static void share_air(sn_sheet_state *s, const sn_divide *d, double t) {
    for (int k = 0; k < 2; k++) {
        sn_real a = s->air[d->a][k], b = s->air[d->b][k];
        s->air[d->m][k] = a == SN_AUTO || b == SN_AUTO ? SN_AUTO : between(a, b, t);
    }
}

/* Where one end is kinematic, what the node takes over from there is as dense as at the other. */
static void add_node(sn_divide *d, uint32_t a, uint32_t b) {
    sn_world *world = d->world;
    sn_nodes *nodes = &world->nodes;
    double t = d->t, part_a = part_of(d, d->a), part_b = part_of(d, d->b);
    double from_a = take_mass(world, a, (1 - t) * part_a), from_b = take_mass(world, b, t * part_b);
    double mass = from_a + from_b, share = mass > 0 ? from_b / mass : t;
    if (!(from_a > 0)) mass = from_b / t;
    if (!(from_b > 0)) mass = from_a / (1 - t);
    if (!(from_a > 0) || !(from_b > 0)) share = t;
    sn_node_def def = {.radius = between(nodes->radius[a], nodes->radius[b], t),
                       .group = nodes->group[a]};
    def.body.slot = nodes->body[a];
    uint32_t node = sn_world_add_node(world, &def);
    const sn_vec4 *x = nodes->x, *v = nodes->v;
    sn_nodes_place(nodes, node,
                   (sn_vec3){between(x[a].x, x[b].x, t), between(x[a].y, x[b].y, t),
                             between(x[a].z, x[b].z, t)});
    nodes->v[node] = (sn_vec4){between(v[a].x, v[b].x, share), between(v[a].y, v[b].y, share),
                               between(v[a].z, v[b].z, share), 0};
    nodes->w[node] = (sn_real)(1 / mass);
    sn_vec4 rest = {(sn_real)d->rest.x, (sn_real)d->rest.y, (sn_real)d->rest.z, 0};
    if (d->tet_mesh != UINT32_MAX) {
        (void)sn_tet_meshes_add_node(sn_tet_meshes_of(world), d->tet_mesh, node, rest);
    } else {
        sn_sheet_state *s = &sn_sheets_of(world)->state[d->sheet];
        (void)sn_sheets_add_node(sn_sheets_of(world), d->sheet, node, rest);
        if (s->strength) s->strength[d->m] = between(s->strength[d->a], s->strength[d->b], t);
        if (s->air) share_air(s, d, t);
    }
    world->scratch.masses_changed = world->sleep.joints_changed = true;
    sn_world_restart_body(world, nodes->body[a]);
}

/* ---- Elements ---- */

static uint32_t corner_at(const sn_divide *d, uint32_t element, uint32_t vertex) {
    uint32_t k = d->mesh.corners * element;
    while (d->mesh.element[k] != vertex) k++;
    return k;
}

/* Halves of an edge are as strong as it was, and what is between the triangles is no edge of its
   own. */
static void share_edges(sn_divide *d, uint32_t element, uint32_t other, uint32_t a, uint32_t b) {
    sn_real(*edge)[3] = sn_sheets_of(d->world)->state[d->sheet].edge_strength;
    if (!edge) return;
    for (int k = 0; k < 3; k++) edge[other][k] = edge[element][k];
    edge[other][b] = edge[element][a] = SN_AUTO;
}

/* The element keeps a; another one at the end gets b. The side between them is whole. */
static void divide_element(sn_divide *d, uint32_t element, uint32_t other) {
    uint32_t n = d->mesh.corners;
    uint32_t at_a = corner_at(d, element, d->a), at_b = corner_at(d, element, d->b);
    uint32_t *e = d->mesh.element;
    for (uint32_t k = 0; k < n; k++) e[n * other + k] = e[n * element + k];
    e[n * other + at_a % n] = d->m;
    for (uint32_t k = 0; k < n; k++) join_list(d, n * other + k);
    leave_list(d, at_b);
    e[at_b] = d->m;
    join_list(d, at_b);
    sn_tet_mesh_state *b =
        d->tet_mesh != UINT32_MAX ? &sn_tet_meshes_of(d->world)->state[d->tet_mesh] : NULL;
    uint8_t *open = b ? b->open : sn_sheets_of(d->world)->state[d->sheet].open;
    if (b) b->parent[other] = b->parent[element];
    if (!b) share_edges(d, element, other, at_a % n, at_b % n);
    if (!open) return;
    open[other] = (uint8_t)(open[element] & ~(1u << at_b % n));
    open[element] = (uint8_t)(open[element] & ~(1u << at_a % n));
}

bool sn_divide_add_node(sn_divide *d) {
    sn_world *world = d->world;
    if (!reserve_mesh(d)) return false;
    d->mesh = sn_cut_mesh_at(world, d->sheet, d->tet_mesh);
    add_node(d, d->mesh.node[d->a], d->mesh.node[d->b]);
    uint32_t elements = (uint32_t)d->mesh.elements;
    if (d->tet_mesh != UINT32_MAX) {
        sn_tet_meshes_of(world)->state[d->tet_mesh].def.tet_count += d->arounds;
        sn_tet_meshes_of(world)->state[d->tet_mesh].changes++;
    } else {
        sn_sheets_of(world)->state[d->sheet].def.triangle_count += d->arounds;
        sn_sheets_mark_changed(sn_sheets_of(world), d->sheet);
    }
    d->mesh = sn_cut_mesh_at(world, d->sheet, d->tet_mesh);
    if (!sn_divide_reserve(d)) return false;
    d->wanted[d->m] = 1;
    for (size_t i = 0; i < d->arounds; i++) divide_element(d, d->around[i], elements + (uint32_t)i);
    d->made++;
    return true;
}
