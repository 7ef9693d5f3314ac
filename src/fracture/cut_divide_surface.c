/* What knows the nodes of an edge that is divided beside constraints: collision surfaces, and
   systems. */
#include "collision/collision_state.h"
#include "fracture/cut_divide.h"
#include "state/system.h"

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
    sn_collision_surfaces *surfaces = sn_collision_surfaces_of(world);
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

/* ---- Systems ---- */

bool sn_divide_systems(sn_divide *d) {
    sn_world *world = d->world;
    sn_system_list systems = world->bindings.systems;
    uint32_t *beside = sn_allocate(&world->memory, d->besides + 1, sizeof *beside);
    double *length = sn_allocate(&world->memory, d->besides + 1, sizeof *length);
    bool room = beside && length;
    for (size_t i = 0; room && i < d->besides; i++) {
        beside[i] = d->mesh.node[d->beside[i]];
        length[i] = sn_point_length(sn_point_sub(sn_divide_rest(d, d->beside[i]), d->rest));
    }
    sn_division division = {.a = d->mesh.node[d->a],
                            .b = d->mesh.node[d->b],
                            .middle = d->mesh.node[d->m],
                            .t = d->t,
                            .rest = sn_point_vec3(d->rest),
                            .elements = d->arounds,
                            .beside = beside,
                            .length = length,
                            .besides = d->besides};
    for (size_t i = 0; room && i < systems.count; i++)
        if (systems.system[i]->divide) room = systems.system[i]->divide(world, &division);
    sn_free(&world->memory, beside, d->besides + 1, sizeof *beside);
    sn_free(&world->memory, length, d->besides + 1, sizeof *length);
    return room;
}
