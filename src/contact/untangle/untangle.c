#include "contact/untangle/untangle.h"

#include "collision/collider_pose.h"
#include "contact/surface/surface_pair.h"

#include <stdlib.h>

enum { ALONE = 1024, PAIRS_ALONE = 256 };

/* Two nodes of an edge, three of a triangle. */
static const size_t corners_of[2] = {2, 3};

static const sn_surface_elements *list_of(const sn_world *world, int which) {
    return &sn_surface_contacts_of(world)
                ->list[which == 0 ? SN_SURFACE_CONTACT_EDGE : SN_SURFACE_CONTACT_TRIANGLE];
}

static const sn_collision_surface_def *surface_of(const sn_world *world, uint32_t node) {
    const sn_collision_surfaces *surfaces = sn_collision_surfaces_of(world);
    return &surfaces->state[surfaces->of_node[node] - 1].def;
}

/* What is in a layer does so with those in others. */
static bool untangles(const sn_collision_surface_def *def) {
    return def->untangle || def->layer > 0;
}

bool sn_untangle_is_needed(const sn_world *world) {
    return sn_surface_contacts_of(world) && sn_surface_contact_is_needed(world) &&
           sn_collision_surfaces_any(sn_collision_surfaces_of(world), untangles);
}

bool sn_untangle_is_loose(const sn_world *world, uint32_t node) {
    const sn_untangle *u = sn_untangle_of(world);
    return u->crossings > 0 && u->loose[node];
}

/* ---- Memory ---- */

static bool reserve_boxes(sn_world *world, sn_untangle *u, int which) {
    sn_column columns[] = {{(void **)&u->low[which], sizeof *u->low[which]},
                           {(void **)&u->high[which], sizeof *u->high[which]}};
    size_t count = list_of(world, which)->count;
    if (count <= u->box_capacity[which]) return true;
    size_t grown = sn_columns_grow(&world->memory, columns, 2, 0, u->box_capacity[which], count);
    if (grown > 0) u->box_capacity[which] = grown;
    return grown > 0;
}

static bool reserve(sn_world *world, sn_untangle *u) {
    size_t nodes = world->nodes.slots.count;
    sn_column columns[] = {{(void **)&u->part, sizeof *u->part},
                           {(void **)&u->surface, sizeof *u->surface},
                           {(void **)&u->size, sizeof *u->size},
                           {(void **)&u->largest, sizeof *u->largest},
                           {(void **)&u->loose, sizeof *u->loose}};
    if (nodes > u->node_capacity) {
        size_t grown = sn_columns_grow(&world->memory, columns, 5, 0, u->node_capacity, nodes);
        if (grown == 0) return false;
        u->node_capacity = grown;
    }
    return reserve_boxes(world, u, 0) && reserve_boxes(world, u, 1) &&
           sn_reserve(&world->memory, (void **)&u->opposite, &u->edge_capacity,
                      2 * list_of(world, 0)->count + 1, sizeof *u->opposite);
}

void sn_untangle_free(sn_untangle *u, sn_memory *memory) {
    sn_broad_free(&u->broad, memory);
    for (int which = 0; which < 2; which++) {
        sn_free(memory, u->low[which], u->box_capacity[which], sizeof *u->low[which]);
        sn_free(memory, u->high[which], u->box_capacity[which], sizeof *u->high[which]);
    }
    sn_free(memory, u->opposite, u->edge_capacity, sizeof *u->opposite);
    sn_free(memory, u->part, u->node_capacity, sizeof *u->part);
    sn_free(memory, u->surface, u->node_capacity, sizeof *u->surface);
    sn_free(memory, u->size, u->node_capacity, sizeof *u->size);
    sn_free(memory, u->largest, u->node_capacity, sizeof *u->largest);
    sn_free(memory, u->loose, u->node_capacity, sizeof *u->loose);
    *u = (sn_untangle){0};
}

/* ---- Who is beside an edge ---- */

static int compare(const void *a, const void *b) {
    const uint32_t *one = a, *two = b;
    if (one[0] != two[0]) return one[0] < two[0] ? -1 : 1;
    return one[1] < two[1] ? -1 : one[1] > two[1];
}

static void put_beside(const sn_surface_elements *edges, uint32_t *opposite, uint32_t a, uint32_t b,
                       uint32_t third) {
    const uint32_t key[2][2] = {{a, b}, {b, a}};
    const uint32_t *found = NULL;
    for (int turn = 0; turn < 2 && !found; turn++)
        found = bsearch(key[turn], edges->node, edges->count, 2 * sizeof *key[turn], compare);
    if (!found) return;
    uint32_t *beside = &opposite[found - edges->node];
    beside[beside[0] != SN_UNTANGLE_NONE] = third;
}

static bool find_neighbours(sn_world *world) {
    sn_untangle *u = sn_untangle_of(world);
    const sn_surface_elements *edges = list_of(world, 0), *triangles = list_of(world, 1);
    if (!reserve(world, u)) return false;
    for (size_t e = 0; e < 2 * edges->count; e++) u->opposite[e] = SN_UNTANGLE_NONE;
    for (size_t t = 0; t < triangles->count; t++) {
        const uint32_t *v = &triangles->node[3 * t];
        for (int k = 0; k < 3; k++)
            put_beside(edges, u->opposite, v[k], v[(k + 1) % 3], v[(k + 2) % 3]);
    }
    u->known = true;
    return true;
}

/* ---- Finding ---- */

typedef struct boxing {
    sn_world *world;
    int which;
    bool layered; /* of those that do not untangle, some may be in other layers */
} boxing;

static void box_range(void *context, size_t begin, size_t end) {
    const boxing *b = context;
    const sn_nodes *n = &b->world->nodes;
    sn_untangle *u = sn_untangle_of(b->world);
    size_t corners = corners_of[b->which];
    for (size_t k = begin; k < end; k++) {
        const uint32_t *node = &list_of(b->world, b->which)->node[corners * k];
        sn_v4 low = {SN_INFINITY, SN_INFINITY, SN_INFINITY, 0}, high = -low;
        /* What does not come free is not there. */
        bool there = surface_of(b->world, node[0])->untangle || b->layered;
        for (size_t c = 0; c < corners && there; c++) {
            sn_v4 at = sn_v4_load(&n->x[node[c]]) + sn_v4_load(&n->p[node[c]]);
            for (int axis = 0; axis < 3; axis++) {
                if (at[axis] < low[axis]) low[axis] = at[axis];
                if (at[axis] > high[axis]) high[axis] = at[axis];
            }
        }
        sn_v4_store(&u->low[b->which][k], low);
        sn_v4_store(&u->high[b->which][k], high);
    }
}

static bool pass(const sn_world *world, uint32_t e, uint32_t t) {
    const uint32_t *edge = &list_of(world, 0)->node[2 * (size_t)e];
    const uint32_t *triangle = &list_of(world, 1)->node[3 * (size_t)t];
    bool both = surface_of(world, edge[0])->untangle && surface_of(world, triangle[0])->untangle;
    if (!both && sn_surface_pair_layers(world, edge[0], triangle[0]) == 0) return false;
    if (!sn_surface_pair_may_collide(world, edge[0], triangle[0])) return false;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++)
            if (edge[i] == triangle[k]) return false;
    return sn_untangle_passes(world, edge, triangle, false);
}

static size_t accept(const void *context, sn_broad_pair *pairs, size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (pass(context, (uint32_t)pairs[i], (uint32_t)(pairs[i] >> 32))) pairs[kept++] = pairs[i];
    return kept;
}

bool sn_untangle_plan(sn_world *world) {
    sn_untangle *u = sn_untangle_of(world);
    u->crossings = 0;
    if (!sn_untangle_is_needed(world)) return true;
    if (!u->known && !find_neighbours(world)) return false;
    for (int which = 0; which < 2; which++) {
        boxing b = {world, which, sn_layered_pairs_are_needed(world)};
        sn_team_run(world->bindings.team, list_of(world, which)->count, ALONE, box_range, &b);
    }
    sn_boxes edges = {u->low[0], u->high[0], list_of(world, 0)->count};
    sn_boxes triangles = {u->low[1], u->high[1], list_of(world, 1)->count};
    if (!sn_broad_find(&u->broad, &world->memory, world->bindings.team, world->settings.broad_phase,
                       &edges, &triangles, accept, world))
        return false;
    u->crossings = u->broad.total;
    if (u->crossings > 0) sn_untangle_find_sides(world);
    return true;
}

/* ---- Contacts ---- */

typedef struct loosening {
    sn_world *world;
    int kind;
} loosening;

static void loosen_range(void *context, size_t begin, size_t end) {
    const loosening *l = context;
    const sn_surface_contacts *surface_contacts = sn_surface_contacts_of(l->world);
    const sn_contact_set *set = &surface_contacts->set[l->kind];
    for (size_t k = begin; k < end; k++) {
        uint32_t node[SN_CONTACT_MOST_NODES];
        sn_surface_pair_node_list(surface_contacts, l->kind, set->pair[k].a, set->pair[k].b, node);
        bool loose = false;
        for (int i = 0; i < sn_contact_nodes(l->kind); i++)
            loose = loose || (sn_untangle_of(l->world)->loose[node[i]] & ~SN_LOOSE_LAYER);
        if (!loose) continue;
        /* As lanes that are not used: no distance to keep, and no side to be on. */
        *sn_contact_at(set, set->pair[k].slot, SN_ROW_LIMIT) = 0;
        *sn_contact_at(set, set->pair[k].slot, SN_ROW_CROSSED) = 0;
        for (int i = 0; i < 3; i++) *sn_contact_at(set, set->pair[k].slot, SN_ROW_NORMAL + i) = 0;
    }
}

void sn_untangle_loosen(sn_world *world) {
    if (sn_untangle_of(world)->crossings == 0) return;
    for (int kind = 0; kind < SN_SURFACE_CONTACT_KINDS; kind++) {
        loosening l = {world, kind};
        sn_team_run(world->bindings.team, sn_surface_contacts_of(world)->set[kind].count,
                    PAIRS_ALONE, loosen_range, &l);
    }
}

/* ---- Substeps ---- */

static sn_real speed_of(const sn_world *world, uint32_t a, uint32_t b) {
    sn_real one = surface_of(world, a)->recovery_speed, two = surface_of(world, b)->recovery_speed;
    if (one == SN_AUTO) one = 1;
    if (two == SN_AUTO) two = 1;
    return one < two ? one : two;
}

/* There are few of them, and they are pulled in their order. */
void sn_untangle_apply(sn_world *world, const sn_substep *substep) {
    if (!sn_surface_contacts_of(world) || sn_untangle_of(world)->crossings == 0) return;
    const sn_untangle *u = sn_untangle_of(world);
    for (size_t e = 0; e < list_of(world, 0)->count; e++)
        for (size_t k = 0; k < u->broad.number[e]; k++) {
            const uint32_t *edge = &list_of(world, 0)->node[2 * e];
            size_t other = u->broad.partner[u->broad.first[e] + k];
            const uint32_t *triangle = &list_of(world, 1)->node[3 * other];
            if (!sn_untangle_passes(world, edge, triangle, true)) continue;
            sn_tangle t = {{edge[0], edge[1]},
                           {triangle[0], triangle[1], triangle[2]},
                           {u->opposite[2 * e], u->opposite[2 * e + 1]},
                           speed_of(world, edge[0], triangle[0]),
                           sn_layered_pairs_order(world, edge, triangle),
                           {sn_surface_pair_share(world, edge[0], triangle[0]),
                            sn_surface_pair_share(world, triangle[0], edge[0])}};
            sn_untangle_pull(world, &t, substep->h);
        }
}
