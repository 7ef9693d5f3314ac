/*
 * Solids that come apart where their stress is too large.
 *
 * The stress at a vertex is the mean of the tets around it (tension.c), and what counts is its
 * largest principal value, as nominal stress: brittle materials break across their largest tension.
 * The tets around the vertex come apart at the plane across that direction (fracture/cut_sides.c).
 * As in sheets (tear.c), the worst come first and nothing beside them breaks in the same step: a
 * crack takes the load from what is beside it, and hands it on to its tip.
 */
#include "fracture/tear.h"

#include "fracture/tearing.h"
#include "math/principal.h"
#include "systems/tet_mesh/tet_meshes.h"

#include <stdlib.h>

typedef struct work {
    sn_world *world;
    uint32_t tet_mesh;
    sn_cut cut;
    uint8_t *busy; /* per vertex, whether something beside it breaks in this step */
} work;

static bool find_places(sn_world *world, uint32_t tet_mesh) {
    const sn_tet_mesh_state *b = &sn_tet_meshes_of(world)->state[tet_mesh];
    sn_tension s = {world, sn_cut_mesh_at(world, UINT32_MAX, tet_mesh)};
    double limit = (double)b->def.fracture_stress;
    if (!sn_tension_find(&s)) return false;
    for (uint32_t v = 0; v < b->def.node_count; v++) {
        double all[6], n[3], volume = sn_tension_at(&s, v, all);
        if (!(world->nodes.w[b->node[v]] > 0) || !(volume > 0)) continue;
        double square = all[0] * all[0] + all[1] * all[1] + all[2] * all[2] +
                        2 * (all[3] * all[3] + all[4] * all[4] + all[5] * all[5]);
        /* No eigenvalue is above the root of this; half the limit leaves room for the stretch. */
        if (!(square > limit * limit / 4)) continue;
        double stress = sn_principal(all, n);
        stress /= sn_tension_stretch(&s, v, volume, (sn_point){n[0], n[1], n[2]});
        if (!(stress > limit)) continue;
        sn_tear_place place = {
            .excess = limit > 0 ? stress / limit : SN_INFINITY,
            .vertex = {v},
            .corners = 1,
            .cause = SN_TEAR_STRESS,
            .amount = (sn_real)stress,
            .normal = {(sn_real)n[0], (sn_real)n[1], (sn_real)n[2]},
        };
        if (!sn_tear_add(world, &place)) return false;
    }
    return true;
}

/* Nothing around this vertex is to break again. */
static void occupy(work *w, uint32_t vertex) {
    const sn_tet_mesh_state *b = &sn_tet_meshes_of(w->world)->state[w->tet_mesh];
    for (uint32_t c = w->cut.first[vertex]; c; c = w->cut.next[c - 1])
        for (uint32_t k = 0; k < 4; k++) w->busy[b->tet[(c - 1) / 4 * 4 + k]] = 1;
}

static bool mark_places(work *w) {
    const sn_tearing *t = sn_tearing_of(w->world);
    size_t most = 1 + w->cut.vertices / 32, marked = 0;
    for (size_t i = 0; i < t->places && marked < most; i++) {
        const sn_tear_place *place = &t->place[i];
        size_t before = w->cut.sides;
        if (w->busy[place->vertex[0]]) continue;
        if (sn_cut_mark_star(&w->cut, place->vertex[0], place->normal) != SN_OK) return false;
        if (w->cut.sides == before) continue;
        occupy(w, place->vertex[0]);
        marked++;
    }
    return true;
}

static sn_node id_of(const sn_world *world, uint32_t node) {
    return (sn_node){node + 1, world->nodes.slots.generation[node], world->tag};
}

/* The place whose vertex has this node; null where it was split because of others. */
static const sn_tear_place *place_of(const work *w, uint32_t node) {
    const sn_tearing *t = sn_tearing_of(w->world);
    uint32_t vertex = sn_tet_meshes_of(w->world)->place[node];
    for (size_t i = 0; i < t->places; i++)
        if (t->place[i].vertex[0] == vertex) return &t->place[i];
    return NULL;
}

/* m, how high the tets are along the normal that have a vertex, in the mean. All of them are still
   listed at the vertex of the place. */
static double height_of(const work *w, const sn_tear_place *place, uint32_t vertex) {
    sn_cut_mesh m = sn_cut_mesh_of(&w->cut);
    double height = 0;
    size_t corners = 0;
    for (uint32_t c = w->cut.first[place->vertex[0]]; c; c = w->cut.next[c - 1])
        for (uint32_t k = 0; m.element[c - 1] == vertex && k < 4; k++, corners++) {
            const sn_vec4 *x = &w->world->nodes.x[m.node[m.element[(c - 1) / 4 * 4 + k]]];
            height += (double)x->x * (double)place->normal[0] +
                      (double)x->y * (double)place->normal[1] +
                      (double)x->z * (double)place->normal[2];
        }
    return corners > 0 ? height / (double)corners : 0;
}

/* 1 where the copy has the tets that the normal points away from, -1 where it has the others: the
   direction of a tension has no sign. */
static sn_real side_of(const work *w, const sn_tear_place *place, uint32_t copy) {
    uint32_t vertex = sn_tet_meshes_of(w->world)->place[copy];
    return height_of(w, place, vertex) > height_of(w, place, place->vertex[0]) ? -1 : 1;
}

static bool report(const work *w) {
    sn_world *world = w->world;
    sn_tearing *t = sn_tearing_of(world);
    if (!sn_reserve(&world->memory, (void **)&t->event, &t->event_capacity,
                    t->events + w->cut.copy_count, sizeof *t->event))
        return false;
    for (size_t i = 0; i < w->cut.copy_count; i++) {
        const sn_cut_copy *copy = &w->cut.copies[i];
        const sn_tear_place *place = place_of(w, copy->node);
        sn_real sign = place ? side_of(w, place, copy->copy) : 0;
        t->event[t->events++] = (sn_tear_event){
            .tet_mesh = {w->tet_mesh + 1, sn_tet_meshes_of(world)->slots.generation[w->tet_mesh],
                         world->tag},
            .node = id_of(world, copy->node),
            .copy = id_of(world, copy->copy),
            .normal = place ? (sn_vec3){sign * place->normal[0], sign * place->normal[1],
                                        sign * place->normal[2]}
                            : (sn_vec3){0, 0, 0},
            .cause = place ? SN_TEAR_STRESS : SN_TEAR_LOOSE,
            .amount = place ? place->amount : 0,
        };
    }
    return true;
}

/* What holds many nodes at once holds the solid together; it says so once per step. */
static bool part(work *w) {
    sn_result result = sn_cut_part(&w->cut);
    if (result != SN_OK && w->cut.copy_count == 0) sn_cut_unmark(&w->cut);
    if (result == SN_ERROR_VALUE)
        sn_world_say(w->world, SN_LOG_WARNING, "fracture: %s", sn_last_error());
    return report(w) && result != SN_ERROR_MEMORY;
}

static bool run(work *w) {
    sn_world *world = w->world;
    sn_tearing *t = sn_tearing_of(world);
    t->places = 0;
    if (!find_places(world, w->tet_mesh)) return false;
    if (t->places == 0) return true;
    qsort(t->place, t->places, sizeof *t->place, sn_tear_compare);
    if (!sn_cut_begin_tet_mesh(&w->cut, world, w->tet_mesh)) return false;
    w->busy = sn_allocate(&world->memory, w->cut.vertices, 1);
    return w->busy && mark_places(w) && part(w);
}

bool sn_fracture_tet_mesh(sn_world *world, uint32_t tet_mesh) {
    work w = {.world = world, .tet_mesh = tet_mesh, .cut.world = world};
    if (sn_tet_meshes_of(world)->state[tet_mesh].def.fracture_stress == SN_AUTO) return true;
    bool room = run(&w);
    sn_free(&world->memory, w.busy, w.cut.vertices, 1);
    sn_cut_free(&w.cut);
    return room;
}
