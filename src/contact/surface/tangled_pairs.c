/*
 * What passes through each other has no side on which it belongs: contacts of an edge in a triangle
 * push one way on one side of it and the other way on the other, and never come to an end. So they
 * do not recover: they stop what comes nearer, and no more. Of a pair that passed within the
 * simulation the side is known, and it is pulled back (crossed_pairs.c).
 *
 * When a step begins, pairs that overlap are asked whether an edge of the one passes through a
 * triangle of the other, and the nodes of such two are marked. Most do not overlap, which is asked
 * of several at a time, or lie beside each other, which the heights over a plane tell.
 */
#include "collision/ccd/time_of_impact.h"
#include "contact/surface/surface_pair.h"

#include <stdatomic.h>

enum { PAIRS_ALONE = 256 };

typedef struct searching {
    sn_world *world;
    int kind;
    atomic_bool any;
} searching;

static void mark(searching *s, const uint32_t *edge, const uint32_t *triangle) {
    atomic_uchar *tangled = sn_surface_contacts_of(s->world)->tangled;
    for (int i = 0; i < 3; i++)
        atomic_store_explicit(&tangled[triangle[i]], 1, memory_order_relaxed);
    for (int i = 0; i < 2; i++) atomic_store_explicit(&tangled[edge[i]], 1, memory_order_relaxed);
    atomic_store_explicit(&s->any, true, memory_order_relaxed);
}

static bool share(const uint32_t *edge, const uint32_t *triangle) {
    bool same = false;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++) same = same || edge[i] == triangle[k];
    return same;
}

static void look(searching *s, const uint32_t *edge, const uint32_t *triangle) {
    if (!share(edge, triangle) && sn_untangle_passes(s->world, edge, triangle, false))
        mark(s, edge, triangle);
}

/* The edges of a node and a triangle. */
static void look_around_point(searching *s, uint32_t node, const uint32_t *triangle) {
    const sn_surface_contacts *m = sn_surface_contacts_of(s->world);
    const sn_surface_contact_around *of = &m->edges_of;
    for (uint32_t i = of->begin[node]; i < of->begin[node + 1]; i++)
        look(s, &m->list[SN_SURFACE_CONTACT_EDGE].node[2 * (size_t)of->item[i]], triangle);
}

/* An edge and the triangles of another. */
static void look_around_edge(searching *s, const uint32_t *edge, const uint32_t *other) {
    const sn_surface_contacts *m = sn_surface_contacts_of(s->world);
    const sn_surface_contact_around *of = &m->triangles_of;
    for (uint32_t i = of->begin[other[0]]; i < of->begin[other[0] + 1]; i++) {
        const uint32_t *t = &m->list[SN_SURFACE_CONTACT_TRIANGLE].node[3 * (size_t)of->item[i]];
        if (t[0] == other[1] || t[1] == other[1] || t[2] == other[1]) look(s, edge, t);
    }
}

static void look_at_pair(searching *s, const sn_contact_set *set, uint32_t slot) {
    uint32_t node[SN_CONTACT_MOST_NODES];
    for (int n = 0; n < SN_CONTACT_MOST_NODES; n++)
        node[n] = (uint32_t)*sn_contact_node_at(set, s->kind, slot, n) / SN_NODE_BYTES;
    if (s->kind == SN_CONTACT_POINT_TRIANGLE) {
        look_around_point(s, node[0], node + 1);
    } else {
        look_around_edge(s, node, node + 2);
        look_around_edge(s, node + 2, node);
    }
}

static void search_range(void *context, size_t begin, size_t end) {
    searching *s = context;
    const sn_contact_set *set = &sn_surface_contacts_of(s->world)->set[s->kind];
    const sn_width width = sn_lanes_most(s->world);
    sn_surface_contact_doubt *doubt = sn_surface_kind_of(s->kind)->loops[width]->doubt;
    const sn_surface_contact_batch batch = {
        .x = s->world->nodes.x, .d = s->world->nodes.p, .node = set->node, .row = set->row};
    for (size_t block = begin; block < end; block++)
        for (uint32_t which = doubt(&batch, block); which; which &= which - 1)
            look_at_pair(s, set,
                         (uint32_t)block * SN_CONTACT_BLOCK + (uint32_t)__builtin_ctz(which));
}

/* What passed each other in a step knows its side, and still goes back. */
static void hold_range(void *context, size_t begin, size_t end) {
    searching *s = context;
    const sn_surface_contacts *m = sn_surface_contacts_of(s->world);
    const sn_contact_set *set = &m->set[s->kind];
    for (size_t k = begin; k < end; k++) {
        uint32_t node[SN_CONTACT_MOST_NODES] = {0};
        sn_surface_pair_node_list(m, s->kind, set->pair[k].a, set->pair[k].b, node);
        /* Of what is worn over each other it is known in any case. */
        bool tangled = false;
        if (m->layered &&
            sn_surface_pair_layers(s->world, node[0], node[sn_contact_first[s->kind]]) != 0)
            continue;
        for (int i = 0; i < sn_contact_nodes(s->kind); i++)
            tangled = tangled || atomic_load_explicit(&m->tangled[node[i]], memory_order_relaxed);
        if (tangled && !(*sn_contact_at(set, set->pair[k].slot, SN_ROW_CROSSED) > 0))
            *sn_contact_at(set, set->pair[k].slot, SN_ROW_RECOVERY) = 0;
    }
}

void sn_tangled_pairs_find(sn_world *world) {
    sn_surface_contacts *m = sn_surface_contacts_of(world);
    bool any = false;
    for (size_t i = 0; i < world->nodes.slots.count; i++)
        atomic_store_explicit(&m->tangled[i], 0, memory_order_relaxed);
    for (int kind = SN_CONTACT_POINT_TRIANGLE; kind <= SN_CONTACT_EDGE_EDGE; kind++) {
        searching s = {.world = world, .kind = kind};
        sn_team_run(world->bindings.team, m->set[kind].blocks, PAIRS_ALONE / SN_CONTACT_BLOCK,
                    search_range, &s);
        any = any || atomic_load_explicit(&s.any, memory_order_relaxed);
    }
    m->has_tangles = any;
    sn_tangled_pairs_hold(world);
}

void sn_tangled_pairs_hold(sn_world *world) {
    sn_surface_contacts *m = sn_surface_contacts_of(world);
    if (!m->has_tangles) return;
    for (int kind = SN_CONTACT_POINT_TRIANGLE; kind <= SN_CONTACT_EDGE_EDGE; kind++) {
        searching s = {.world = world, .kind = kind};
        sn_team_run(world->bindings.team, m->set[kind].count, PAIRS_ALONE, hold_range, &s);
    }
}
