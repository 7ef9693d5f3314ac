/*
 * The levels of a hierarchy: graphs that become coarser, and the masses and distances of their
 * nodes.
 *
 * A node of a level weighs what follows it: its own mass, and of every finer node the part with
 * which that follows it. Where distances of a level keep the momentum of these masses, passing the
 * motion on keeps that of all nodes.
 */
#include "systems/hierarchy/hierarchies.h"

#include <string.h>

/* Levels below this many free nodes are not worth while. */
enum { FEWEST = 3 };
/* Lengths are rounded on every level; a sheet at rest must not be pulled by that. */
static const double rounding = 2e-6;

#define LEVEL_COLUMNS(l)                                                                           \
    {                                                                                              \
        {(void **)&(l)->x, sizeof(sn_vec4)}, {(void **)&(l)->d, sizeof(sn_vec4)},                  \
            {(void **)&(l)->u, sizeof(sn_vec4)},                                                   \
    }

static void free_level(sn_level *l, sn_memory *memory) {
    sn_column columns[] = LEVEL_COLUMNS(l);
    sn_columns_free(memory, columns, 3, SN_NODE_FRONT, l->room);
    sn_free(memory, l->node, l->count + 1, sizeof *l->node);
    sn_free(memory, l->parents, l->finer + 1, sizeof *l->parents);
    if (l->store.type) sn_store_free(&l->store, memory);
    *l = (sn_level){0};
}

void sn_levels_free(sn_hierarchy_state *h, sn_memory *memory) {
    for (size_t i = 0; i < h->levels; i++) free_level(&h->level[i], memory);
    h->levels = 0;
}

/* ---- Making them ---- */

/* A level on its way to the next: its graph, and of its nodes the masses and who is kinematic. */
typedef struct rung {
    sn_coarse coarse; /* nothing for the finest */
    const sn_graph *graph;
    double *mass; /* kg; 0 of those that are kinematic */
    uint8_t *fixed;
    sn_pose *pose; /* null where nobody knows */
    size_t nodes;
} rung;

static bool reserve_rung(rung *r, size_t nodes, bool posed, sn_memory *memory) {
    r->nodes = nodes;
    r->mass = sn_allocate(memory, nodes + 1, sizeof *r->mass);
    r->fixed = sn_allocate(memory, nodes + 1, sizeof *r->fixed);
    if (posed) r->pose = sn_allocate(memory, nodes + 1, sizeof *r->pose);
    return r->mass && r->fixed && (r->pose || !posed);
}

static void free_rung(rung *r, sn_memory *memory) {
    sn_free(memory, r->mass, r->nodes + 1, sizeof *r->mass);
    sn_free(memory, r->fixed, r->nodes + 1, sizeof *r->fixed);
    sn_free(memory, r->pose, r->nodes + 1, sizeof *r->pose);
    sn_coarse_free(&r->coarse, memory);
    *r = (rung){0};
}

/* Whether a level is worth while: it is smaller, and there is something to solve. */
static bool is_useful(const rung *r, size_t finer) {
    size_t free = 0;
    for (size_t i = 0; i < r->nodes; i++) free += !r->fixed[i];
    return r->coarse.graph.edges > 0 && free >= FEWEST && r->nodes * 10 <= finer * 9;
}

/* Everybody's mass goes to whom they follow. */
static void weigh(const rung *fine, rung *r) {
    for (size_t i = 0; i < fine->nodes; i++) {
        const sn_parents *p = &r->coarse.parents[i];
        for (int k = 0; k < SN_PARENTS; k++)
            r->mass[p->node[k]] += (double)p->weight[k] * fine->mass[i];
    }
    for (size_t i = 0; i < r->nodes; i++) r->fixed[i] = fine->fixed[r->coarse.origin[i]];
}

static void place(const rung *fine, rung *r) {
    for (size_t i = 0; r->pose && i < r->nodes; i++) r->pose[i] = fine->pose[r->coarse.origin[i]];
    if (r->pose) sn_graph_straighten(&r->coarse.graph, r->pose);
}

/* ---- Distances ---- */

static bool add_distance(sn_store *store, sn_memory *memory, const sn_hierarchy_def *def,
                         const uint32_t edge[2], double length) {
    sn_draft draft = {
        .offset = {(int32_t)edge[0] * SN_NODE_BYTES, (int32_t)edge[1] * SN_NODE_BYTES}};
    draft.parameter[SN_PARAMETER_SIDE] = (sn_real)def->side;
    draft.parameter[SN_PARAMETER_STIFFNESS] = def->stiffness;
    draft.parameter[SN_PARAMETER_BREAK_FORCE] = SN_AUTO;
    draft.parameter[SN_COMMON_PARAMETERS] = (sn_real)(length * (1 + (double)def->slack + rounding));
    uint8_t colour = sn_store_claim_colour(store, sn_draft_members(store->type, &draft));
    if (!sn_store_reserve(store, memory, colour, 1)) return false;
    sn_store_add(store, colour, 0, &draft);
    return true;
}

/* Coefficients of the 2007 model, in which stiffness is the part of an error that is corrected. */
static void derive(sn_store *store, const sn_real *w) {
    const sn_scale scale = {1, 1, 1, SN_MODEL_PBD, 1, SN_COLOURS, (sn_integrator)0};
    for (uint8_t c = 0; c < SN_COLOURS; c++)
        sn_store_derive_blocks(store, c, 0, sn_colour_blocks(&store->colour[c]),
                               (sn_masses){w, NULL}, &scale);
}

static bool join(sn_level *l, sn_memory *memory, const sn_hierarchy_def *def, const rung *r,
                 const sn_constraint_type *distance) {
    const sn_graph *g = r->graph;
    size_t weights = g->nodes + SN_NODE_FRONT;
    sn_real *w = sn_allocate(memory, weights, sizeof *w);
    if (!w) return false;
    for (size_t i = 0; i < g->nodes; i++)
        if (!r->fixed[i]) w[SN_NODE_FRONT + i] = (sn_real)(1 / r->mass[i]);
    sn_store_init(&l->store, distance);
    bool room = sn_store_reserve_nodes(&l->store, memory, g->nodes);
    for (size_t i = 0; i < g->edges && room; i++)
        if (r->coarse.acts[i])
            room = add_distance(&l->store, memory, def, g->edge[i], (double)g->length[i]);
    if (room) derive(&l->store, w + SN_NODE_FRONT);
    sn_free(memory, w, weights, sizeof *w);
    l->solved = true;
    return room;
}

/* ---- Levels ---- */

/* Takes over the parents; the nodes are those of the finer level that stay. */
static bool fill_level(sn_level *l, sn_memory *memory, const sn_level *finer,
                       const sn_hierarchy_state *h, rung *r) {
    sn_column columns[] = LEVEL_COLUMNS(l);
    l->count = r->nodes;
    l->finer = r->coarse.finer;
    l->parents = r->coarse.parents;
    r->coarse.parents = NULL;
    l->room = sn_columns_grow(memory, columns, 3, SN_NODE_FRONT, 0, l->count);
    l->node = sn_allocate(memory, l->count + 1, sizeof *l->node);
    if (l->room == 0 || !l->node) return false;
    for (size_t i = 0; i < l->count; i++) {
        uint32_t origin = r->coarse.origin[i];
        l->node[i] = finer ? finer->node[origin] : h->node[origin].slot - 1;
    }
    return true;
}

/* The first rung: the nodes themselves. */
static bool start(sn_hierarchy_state *h, sn_memory *memory, const sn_real *w, rung *r) {
    bool posed = h->rest && h->graph.triangles > 0;
    if (!reserve_rung(r, h->nodes, posed, memory) ||
        !sn_reserve(memory, (void **)&h->w, &h->w_room, h->nodes, sizeof *h->w) ||
        !sn_reserve(memory, (void **)&h->level, &h->level_room, (size_t)h->def.levels,
                    sizeof *h->level))
        return false;
    r->graph = &h->graph;
    for (size_t i = 0; i < h->nodes; i++) {
        h->w[i] = w[h->node[i].slot - 1];
        r->fixed[i] = !(h->w[i] > 0);
        if (!r->fixed[i]) r->mass[i] = 1 / (double)h->w[i];
        if (posed) r->pose[i].x = sn_point_of(h->rest[i]);
    }
    if (posed) sn_graph_face(&h->graph, r->pose);
    return true;
}

/* One more level, whose rung takes the place of the last; none where it would not be useful. */
static bool climb(sn_hierarchy_state *h, sn_memory *memory, rung *r,
                  const sn_constraint_type *distance) {
    rung next = {0};
    bool room = sn_coarsen(r->graph, r->fixed, memory, &next.coarse) &&
                reserve_rung(&next, next.coarse.graph.nodes, r->pose != NULL, memory);
    if (room) {
        weigh(r, &next);
        place(r, &next);
    }
    if (!room || !is_useful(&next, r->nodes)) {
        free_rung(&next, memory);
        return room;
    }
    sn_level *l = &h->level[h->levels++];
    *l = (sn_level){0};
    room = fill_level(l, memory, h->levels > 1 ? l - 1 : NULL, h, &next);
    free_rung(r, memory);
    *r = next;
    r->graph = &r->coarse.graph;
    if (room && h->levels >= (size_t)h->def.finest) room = join(l, memory, &h->def, r, distance);
    return room;
}

static bool build(sn_hierarchy_state *h, sn_memory *memory, const sn_real *w,
                  const sn_constraint_type *distance) {
    rung r = {0};
    size_t before = SIZE_MAX;
    sn_levels_free(h, memory);
    bool room = start(h, memory, w, &r);
    while (room && h->levels != before && h->levels < (size_t)h->def.levels) {
        before = h->levels;
        room = climb(h, memory, &r, distance);
    }
    /* The coarsest is solved in any case. */
    if (room && h->levels > 0 && !h->level[h->levels - 1].solved)
        room = join(&h->level[h->levels - 1], memory, &h->def, &r, distance);
    free_rung(&r, memory);
    if (!room) sn_levels_free(h, memory);
    h->changed = !room;
    return room;
}

static bool has_other_masses(const sn_hierarchy_state *h, const sn_real *w) {
    for (size_t i = 0; i < h->nodes; i++)
        if (h->w[i] != w[h->node[i].slot - 1]) return true;
    return false;
}

bool sn_hierarchies_plan(sn_hierarchies *all, sn_memory *memory, const sn_real *w,
                         bool masses_changed, const sn_constraint_type *distance) {
    if (!all->changed && !masses_changed) return true;
    for (size_t i = 0; i < all->slots.count; i++) {
        sn_hierarchy_state *h = &all->state[i];
        if (!all->slots.alive[i]) continue;
        if ((h->changed || has_other_masses(h, w)) && !build(h, memory, w, distance)) {
            all->changed = true;
            return false;
        }
    }
    all->changed = false;
    return true;
}
