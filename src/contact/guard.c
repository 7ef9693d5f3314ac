/*
 * Rounds: pairs that would pass are caught, their nodes make zones, and within a zone every node
 * goes only a part of its way relative to the zone as a whole; whatever would pass then is caught
 * in the next round. A caught pair cannot pass in its zone (guard_pair.c), so each round catches
 * new ones; should that go on for long, or memory run out, everything stands, and that is safe.
 *
 * Pairs are those that were found for the contacts. They are all that can meet as long as nodes are
 * where they were expected; for others they are found on the way (guard_way.c).
 */
#include "contact/guard_parts.h"

#include <math.h>
#include <string.h>

enum { PAIRS_ALONE = 256, MOST_TURNS = 4, MOST_ATTEMPTS = 4, SWEEPS = 4, MOST_ROUNDS = 16 };

/* ---- Memory ---- */

bool sn_guard_is_needed(const sn_world *world) {
    if (!world->meets || !sn_meet_is_needed(world)) return false;
    for (size_t i = 0; i < world->skins.slots.count; i++)
        if (world->skins.slots.alive[i] && world->skins.state[i].def.guarded) return true;
    return false;
}

static bool reserve_places(sn_world *world, sn_guard *g) {
    sn_column columns[] = {{(void **)&g->now, sizeof *g->now},
                           {(void **)&g->before, sizeof *g->before}};
    size_t nodes = world->nodes.slots.count, blocks = 1;
    if (nodes > g->place_capacity) {
        size_t grown =
            sn_columns_grow(&world->memory, columns, 2, SN_NODE_FRONT, g->place_capacity, nodes);
        if (grown == 0) return false;
        g->place_capacity = grown;
    }
    for (int k = 0; k < SN_GUARD_KINDS; k++) {
        size_t of_kind = world->meets->set[sn_guard_meeting[k]].blocks;
        if (of_kind > blocks) blocks = of_kind;
    }
    return sn_reserve(&world->memory, (void **)&g->doubt, &g->doubt_capacity,
                      blocks * SN_MEET_BLOCK, sizeof *g->doubt);
}

bool sn_guard_reserve(sn_world *world) {
    if (!sn_guard_is_needed(world)) return true;
    sn_guard *g = &world->meets->guard;
    size_t nodes = world->nodes.slots.count;
    sn_column columns[] = {
        {(void **)&g->zone, sizeof *g->zone},   {(void **)&g->wish, sizeof *g->wish},
        {(void **)&g->drift, sizeof *g->drift}, {(void **)&g->part, sizeof *g->part},
        {(void **)&g->mass, sizeof *g->mass},   {(void **)&g->member, sizeof *g->member}};
    if (nodes > g->node_capacity) {
        size_t grown = sn_columns_grow(&world->memory, columns, 6, 0, g->node_capacity, nodes);
        if (grown == 0) return false;
        g->node_capacity = grown;
    }
    for (int k = 0; k < SN_GUARD_KINDS; k++)
        if (!sn_reserve(&world->memory, (void **)&g->caught[k], &g->caught_capacity[k],
                        (world->meets->set[sn_guard_meeting[k]].blocks + 1) * SN_MEET_BLOCK,
                        sizeof *g->caught[k]))
            return false;
    return reserve_places(world, g);
}

void sn_guard_free(sn_guard *g, sn_memory *memory) {
    for (int k = 0; k < SN_GUARD_KINDS; k++)
        sn_free(memory, g->caught[k], g->caught_capacity[k], sizeof *g->caught[k]);
    sn_free(memory, g->zone, g->node_capacity, sizeof *g->zone);
    sn_free(memory, g->wish, g->node_capacity, sizeof *g->wish);
    sn_free(memory, g->drift, g->node_capacity, sizeof *g->drift);
    sn_free(memory, g->part, g->node_capacity, sizeof *g->part);
    sn_free(memory, g->mass, g->node_capacity, sizeof *g->mass);
    sn_free(memory, g->member, g->node_capacity, sizeof *g->member);
    sn_column columns[] = {{(void **)&g->now, sizeof *g->now},
                           {(void **)&g->before, sizeof *g->before}};
    sn_columns_free(memory, columns, 2, SN_NODE_FRONT, g->place_capacity);
    sn_free(memory, g->doubt, g->doubt_capacity, sizeof *g->doubt);
    *g = (sn_guard){0};
}

/* ---- Pairs ---- */

sn_guard_pair sn_guard_pair_of(const sn_guard_pass *p, size_t k) {
    const sn_nodes *n = &p->world->nodes;
    sn_guard_pair pair = {.kind = sn_guard_kind[p->kind]};
    const sn_meet_pair *found = &p->set->pair[k];
    sn_meet_pair_nodes(p->world->meets, sn_guard_meeting[p->kind], found->a, found->b, pair.node);
    uint32_t last = pair.node[3];
    sn_point base = sn_guard_point(sn_v4_load(&n->x[last])),
             rest = sn_guard_point(sn_v4_load(&n->p[last]));
    for (int i = 0; i < 4; i++) {
        uint32_t at = pair.node[i];
        sn_point x = sn_point_sub(sn_guard_point(sn_v4_load(&n->x[at])), base);
        sn_point from = sn_guard_point(sn_v4_load(&n->p[at])),
                 to = sn_guard_point(sn_v4_load(&n->d[at]));
        pair.x[i] = sn_point_add(x, sn_point_sub(from, rest));
        pair.way[i] = sn_point_sub(to, from);
    }
    /* A little of the contact distance; and what rounding may take, far from the origin. */
    double far = fabs(base.x) + fabs(base.y) + fabs(base.z);
    double limit = (double)*sn_meet_at(p->set, found->slot, SN_MEET_LIMIT);
    pair.keep = 0.05 * limit + 4e-7 * far + 1e-9;
    return pair;
}

static bool touches_zone(const sn_guard *g, const uint32_t node[4]) {
    for (int i = 0; i < 4; i++)
        if (g->zone[node[i]] != SN_GUARD_NONE) return true;
    return false;
}

/* Whether a pair is to be asked. Most are far from each other, and a plane has told so. */
static bool is_asked(const sn_guard_pass *p, uint32_t slot) {
    if (p->scope == SN_GUARD_ADDED) return p->caught[slot] == SN_GUARD_FRESH;
    if (!p->guard->doubt[slot]) return false;
    return p->scope == SN_GUARD_ALL || p->caught[slot] == SN_GUARD_FREE;
}

static void check_range(void *context, size_t begin, size_t end) {
    sn_guard_pass *p = context;
    for (size_t k = begin; k < end; k++) {
        uint32_t slot = p->set->pair[k].slot, node[4];
        bool asked = is_asked(p, slot);
        if (asked || p->scope == SN_GUARD_ALL) p->caught[slot] = SN_GUARD_FREE;
        if (!asked) continue;
        sn_guard_nodes(p, k, node);
        if (!sn_guard_watches(p->world, p->kind, node)) continue;
        /* What was free before is so again where nothing has changed. */
        if (p->scope == SN_GUARD_MOVED && !touches_zone(p->guard, node)) continue;
        sn_guard_pair pair = sn_guard_pair_of(p, k);
        if (sn_guard_is_free(&pair)) continue;
        p->caught[slot] = SN_GUARD_CAUGHT;
        atomic_store_explicit(&p->any, true, memory_order_relaxed);
    }
}

/* Whether some would pass. */
static bool check(sn_guard_pass *p, sn_guard_scope scope) {
    p->scope = scope;
    atomic_store_explicit(&p->any, false, memory_order_relaxed);
    if (scope != SN_GUARD_ADDED) sn_guard_place(p);
    for (int kind = 0; kind < SN_GUARD_KINDS; kind++) {
        sn_guard_use_kind(p, kind);
        if (scope != SN_GUARD_ADDED) sn_guard_find_doubts(p);
        sn_team_run(p->world->team, p->set->count, PAIRS_ALONE, check_range, p);
    }
    return atomic_load_explicit(&p->any, memory_order_relaxed);
}

/* Nodes that are not where they were expected may meet others than those they have pairs with; who
   these are is asked when all is free, so as not to ask it often. */
static bool is_free(sn_guard_pass *p, int round) {
    if (check(p, round == 0 ? SN_GUARD_ALL : SN_GUARD_MOVED)) return false;
    return !sn_guard_follow(p) || !check(p, SN_GUARD_ADDED);
}

/* ---- Pushing ---- */

/* Pairs that would pass are pushed back at first, as contacts do, so that little is left to be
   shortened; where something kinematic comes it is the only way out of it. Their nodes are
   marked as zones of their own. */
static void push_pairs(sn_guard_pass *p) {
    const sn_nodes *n = &p->world->nodes;
    for (int kind = 0; kind < SN_GUARD_KINDS; kind++) {
        sn_guard_use_kind(p, kind);
        for (size_t k = 0; k < p->set->count; k++) {
            if (!p->caught[p->set->pair[k].slot]) continue;
            sn_guard_pair pair = sn_guard_pair_of(p, k);
            sn_point change[4];
            double w[4];
            for (int i = 0; i < 4; i++) {
                w[i] = (double)n->w[pair.node[i]];
                p->guard->zone[pair.node[i]] = pair.node[i];
            }
            if (!sn_guard_push(&pair, w, change)) continue;
            for (int i = 0; i < 4; i++) {
                sn_vec4 *d = &n->d[pair.node[i]];
                d->x += (sn_real)change[i].x;
                d->y += (sn_real)change[i].y;
                d->z += (sn_real)change[i].z;
            }
        }
    }
}

static void release(sn_guard_pass *p) {
    for (int kind = 0; kind < SN_GUARD_KINDS; kind++) {
        sn_guard_use_kind(p, kind);
        memset(p->caught, 0, p->set->blocks * SN_MEET_BLOCK);
    }
}

/* Whether all is free in the end. */
static bool push(sn_guard_pass *p) {
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
        if (is_free(p, attempt)) return true;
        for (int sweep = 0; sweep < SWEEPS; sweep++) push_pairs(p);
        release(p);
    }
    return false;
}

/* ---- The substep ---- */

static size_t count_shortened(const sn_guard_pass *p) {
    size_t count = 0;
    const sn_meet_elements *points = &p->world->meets->list[SN_MEET_POINT];
    for (size_t k = 0; k < points->count; k++) count += p->guard->part[points->node[k]] < 1;
    return count;
}

/* Pairs that would pass, and do, as nothing can stop a kinematic node of them. */
static size_t count_breaches(sn_guard_pass *p) {
    size_t count = 0;
    for (int kind = 0; kind < SN_GUARD_KINDS; kind++) {
        sn_guard_use_kind(p, kind);
        for (size_t k = 0; k < p->set->count; k++) {
            if (!p->caught[p->set->pair[k].slot]) continue;
            sn_guard_pair pair = sn_guard_pair_of(p, k);
            bool stoppable = true;
            for (int i = 0; i < 4; i++) stoppable &= p->world->nodes.w[pair.node[i]] > 0;
            count += !stoppable && !sn_guard_is_free(&pair);
        }
    }
    return count;
}

/* Shortens ways until nothing passes; returns how many do for all that. */
static size_t shorten(sn_guard_pass *p) {
    int round = 0;
    for (; round < MOST_ROUNDS && !is_free(p, round); round++) sn_guard_settle(p);
    if (round == MOST_ROUNDS) {
        sn_guard_stand(p);
        (void)check(p, SN_GUARD_ALL);
    }
    return p->lost ? 0 : count_breaches(p);
}

void sn_guard_apply(sn_world *world, const sn_moment *moment) {
    if (!sn_guard_is_needed(world) || !sn_guard_reserve(world)) return;
    sn_guard_pass p = {.world = world, .guard = &world->meets->guard, .moment = moment};
    size_t breaches = 1;
    /* What is kinematic comes on: where it still passes something, pushes have another turn. */
    for (int turn = 0; turn < MOST_TURNS && breaches > 0; turn++) {
        if (!sn_guard_begin(&p)) return;
        bool free = push(&p);
        if (!sn_guard_begin(&p)) return;
        breaches = free ? 0 : shorten(&p);
    }
    if (p.lost) sn_guard_stand(&p);
    world->stats.truncations += count_shortened(&p);
    world->stats.breaches += breaches;
}
