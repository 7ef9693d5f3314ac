/*
 * Levels of hierarchies: what is far is corrected before what is near.
 *
 *   from the coarsest level to the finest
 *       u = sum of weight times u of the parents    (the coarsest: 0)
 *       d = d of the world + u
 *       project the distances of the level, some times over
 *       u = d - d of the world
 *   and at last every node by what its parents in the finest level have moved
 *
 * Everybody gathers from their parents, in order, so threads do not matter. Levels see positions
 * as the loops of constraints do, and only the displacements of the substep are changed.
 */
#include "constraints/link.h"
#include "systems/hierarchy/hierarchies.h"

enum { BLOCK = 16, BLOCKS_ALONE = 8, NODES_ALONE = 512 };

/* ---- Motion on its way down ---- */

typedef struct descent {
    sn_world *world;
    sn_level *level;
    const sn_level *coarser; /* null above the coarsest */
    const sn_node *node;     /* of the finest, which are nodes of the world */
} descent;

SN_INLINE sn_v4 follow(const sn_parents *p, const sn_vec4 *u) {
    sn_v4 sum = p->weight[0] * *(const sn_v4 *)&u[p->node[0]];
    for (int k = 1; k < SN_PARENTS; k++) sum += p->weight[k] * *(const sn_v4 *)&u[p->node[k]];
    return sum;
}

static void begin_nodes(void *context, size_t begin, size_t end) {
    const descent *c = context;
    sn_level *l = c->level;
    const sn_nodes *nodes = &c->world->nodes;
    for (size_t i = begin; i < end; i++) {
        sn_v4 u = {0, 0, 0, 0};
        if (c->coarser) u = follow(&c->coarser->parents[i], c->coarser->u);
        *(sn_v4 *)&l->u[i] = u;
        if (!l->solved) continue;
        uint32_t node = l->node[i];
        l->x[i] = nodes->x[node];
        *(sn_v4 *)&l->d[i] = *(const sn_v4 *)&nodes->d[node] + u;
    }
}

static void end_nodes(void *context, size_t begin, size_t end) {
    const descent *c = context;
    sn_level *l = c->level;
    for (size_t i = begin; i < end; i++)
        *(sn_v4 *)&l->u[i] =
            *(const sn_v4 *)&l->d[i] - *(const sn_v4 *)&c->world->nodes.d[l->node[i]];
}

static void move_nodes(void *context, size_t begin, size_t end) {
    const descent *c = context;
    sn_vec4 *d = c->world->nodes.d;
    for (size_t i = begin; i < end; i++)
        *(sn_v4 *)&d[c->node[i].slot - 1] += follow(&c->coarser->parents[i], c->coarser->u);
}

/* ---- Distances of a level ---- */

typedef struct pass {
    sn_batch batch;
    sn_loop *loop;
    size_t count;
} pass;

static void run_blocks(void *context, size_t begin, size_t end) {
    const pass *p = context;
    size_t last = end * BLOCK < p->count ? end * BLOCK : p->count;
    p->loop(&p->batch, begin * BLOCK, last);
}

/* Levels have bounds, and no multipliers: each sweep starts from what is there. */
static void project_colour(const sn_world *world, const sn_level *l, uint8_t colour) {
    const sn_store *store = &l->store;
    bool in_turn = colour == SN_SEQUENTIAL;
    sn_width width = sn_lanes_of(world, &store->trial);
    const sn_loops *loops = store->type->loops[in_turn ? SN_WIDTH_1 : width];
    const sn_colour *c = &store->colour[colour];
    pass p = {.batch = sn_store_batch(store, &world->nodes, &world->frames, colour),
              .loop = loops->project[SN_COMPLIANT][0],
              .count = c->count};
    p.batch.x = l->x;
    p.batch.d = p.batch.p = l->d;
    p.batch.out = l->d;
    p.batch.first = true;
    if (in_turn)
        p.loop(&p.batch, 0, p.count);
    else
        sn_team_run(world->bindings.team, sn_colour_blocks(c), BLOCKS_ALONE, run_blocks, &p);
}

static void project_level(sn_world *world, sn_level *l, int sweeps) {
    for (int i = 0; i < sweeps; i++) {
        (void)sn_lane_trial_begin(world, &l->store.trial, l->store.count);
        for (size_t c = 0; c < l->store.colours; c++) project_colour(world, l, (uint8_t)c);
        if (l->store.colour[SN_SEQUENTIAL].count > 0) project_colour(world, l, SN_SEQUENTIAL);
        sn_lane_trial_end(world, &l->store.trial);
    }
}

/* ---- All of them ---- */

/* Hierarchies join their bodies, so one node speaks for all. */
static bool sleeps(const sn_world *world, const sn_hierarchy_state *h) {
    if (world->sleep.count == 0) return false;
    for (size_t i = 0; i < h->nodes; i++) {
        uint32_t node = h->node[i].slot - 1;
        if (world->nodes.w[node] > 0) return sn_sleep_has(&world->sleep, world->nodes.body[node]);
    }
    return true;
}

static void solve(sn_world *world, sn_hierarchy_state *h) {
    const sn_level *coarser = NULL;
    for (size_t i = h->levels; i-- > 0;) {
        sn_level *l = &h->level[i];
        descent c = {.world = world, .level = l, .coarser = coarser};
        sn_team_run(world->bindings.team, l->count, NODES_ALONE, begin_nodes, &c);
        if (l->solved) {
            project_level(world, l, h->def.sweeps);
            sn_team_run(world->bindings.team, l->count, NODES_ALONE, end_nodes, &c);
        }
        coarser = l;
    }
    descent c = {.world = world, .coarser = coarser, .node = h->node};
    if (coarser) sn_team_run(world->bindings.team, h->nodes, NODES_ALONE, move_nodes, &c);
}

void sn_hierarchies_project(sn_step *step) {
    sn_world *world = step->world;
    sn_hierarchies *all = sn_hierarchies_of(world);
    /* Something was frozen in the middle of the step, and must not move. */
    if (all->changed) return;
    size_t sweep = step->substep * (size_t)world->settings.iterations + (size_t)step->iteration;
    for (size_t i = 0; i < all->slots.count; i++) {
        sn_hierarchy_state *h = &all->state[i];
        if (!all->slots.alive[i] || sweep % (size_t)h->def.interval > 0) continue;
        if (!sleeps(world, h)) solve(world, h);
    }
}

bool sn_hierarchies_prepare(sn_step *step) {
    sn_world *world = step->world;
    return sn_hierarchies_plan(sn_hierarchies_of(world), &world->memory, world->nodes.w,
                               world->scratch.masses_changed, world->store[SN_TYPE_LINK].type);
}
