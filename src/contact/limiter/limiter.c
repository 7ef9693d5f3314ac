/*
 * Rounds: pairs that would pass are caught, their nodes make zones, and within a zone every node
 * goes only a part of its path relative to the zone as a whole; whatever would pass then is caught
 * in the next round. A caught pair cannot pass in its zone (limiter_pair.c), so each round catches
 * new ones; should that go on for long, memory run out, or pairs without number have to be followed
 * on their paths, everything stands, and that is safe.
 *
 * Pairs are those that were found for the contacts. They are all that can touch as long as nodes
 * are where they were expected; for others they are found on the way (limiter_motion.c).
 */
#include "contact/limiter/limiter_parts.h"

#include <math.h>
#include <string.h>

enum { BLOCKS_ALONE = 16, MOST_TURNS = 4, MOST_ATTEMPTS = 4, SWEEPS = 4, MOST_ROUNDS = 16 };

/* ---- Memory ---- */

static bool is_penetration_free(const sn_collision_surface_def *def) {
    return def->penetration_free;
}

bool sn_limiter_is_needed(const sn_world *world) {
    return sn_surface_contacts_of(world) && sn_surface_contact_is_needed(world) &&
           sn_collision_surfaces_any(sn_collision_surfaces_of(world), is_penetration_free);
}

static bool reserve_places(sn_world *world, sn_limiter *g) {
    sn_column columns[] = {{(void **)&g->now, sizeof *g->now},
                           {(void **)&g->before, sizeof *g->before}};
    size_t nodes = world->nodes.slots.count, blocks = 1;
    if (nodes > g->place_capacity) {
        size_t grown =
            sn_columns_grow(&world->memory, columns, 2, SN_NODE_FRONT, g->place_capacity, nodes);
        if (grown == 0) return false;
        g->place_capacity = grown;
    }
    for (int k = 0; k < SN_LIMITER_KINDS; k++) {
        size_t of_kind = sn_surface_contacts_of(world)->set[sn_limiter_contact_kind[k]].blocks;
        if (of_kind > blocks) blocks = of_kind;
    }
    return sn_reserve(&world->memory, (void **)&g->doubt, &g->doubt_capacity,
                      blocks * SN_CONTACT_BLOCK, sizeof *g->doubt);
}

bool sn_limiter_reserve(sn_world *world) {
    if (!sn_limiter_is_needed(world)) return true;
    sn_limiter *g = sn_limiter_of(world);
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
    for (int k = 0; k < SN_LIMITER_KINDS; k++)
        if (!sn_reserve(
                &world->memory, (void **)&g->caught[k], &g->caught_capacity[k],
                (sn_surface_contacts_of(world)->set[sn_limiter_contact_kind[k]].blocks + 1) *
                    SN_CONTACT_BLOCK,
                sizeof *g->caught[k]))
            return false;
    return reserve_places(world, g) && sn_limiter_rooms_reserve(world, &g->rooms);
}

void sn_limiter_free(sn_limiter *limiter, sn_memory *memory) {
    for (int k = 0; k < SN_LIMITER_KINDS; k++)
        sn_free(memory, limiter->caught[k], limiter->caught_capacity[k],
                sizeof *limiter->caught[k]);
    sn_free(memory, limiter->zone, limiter->node_capacity, sizeof *limiter->zone);
    sn_free(memory, limiter->wish, limiter->node_capacity, sizeof *limiter->wish);
    sn_free(memory, limiter->drift, limiter->node_capacity, sizeof *limiter->drift);
    sn_free(memory, limiter->part, limiter->node_capacity, sizeof *limiter->part);
    sn_free(memory, limiter->mass, limiter->node_capacity, sizeof *limiter->mass);
    sn_free(memory, limiter->member, limiter->node_capacity, sizeof *limiter->member);
    sn_column columns[] = {{(void **)&limiter->now, sizeof *limiter->now},
                           {(void **)&limiter->before, sizeof *limiter->before}};
    sn_columns_free(memory, columns, 2, SN_NODE_FRONT, limiter->place_capacity);
    sn_free(memory, limiter->doubt, limiter->doubt_capacity, sizeof *limiter->doubt);
    sn_limiter_rooms_free(&limiter->rooms, memory);
    *limiter = (sn_limiter){0};
}

/* ---- Pairs ---- */

sn_limiter_pair sn_limiter_pair_of(const sn_limiter_pass *p, uint32_t slot) {
    const sn_nodes *n = &p->world->nodes;
    sn_limiter_pair pair = {.kind = sn_limiter_kind[p->kind]};
    sn_limiter_nodes(p, slot, pair.node);
    uint32_t last = pair.node[3];
    sn_point base = sn_limiter_point(sn_v4_load(&n->x[last])),
             rest = sn_limiter_point(sn_v4_load(&n->p[last]));
    for (int i = 0; i < 4; i++) {
        uint32_t at = pair.node[i];
        sn_point x = sn_point_sub(sn_limiter_point(sn_v4_load(&n->x[at])), base);
        sn_point from = sn_limiter_point(sn_v4_load(&n->p[at])),
                 to = sn_limiter_point(sn_v4_load(&n->d[at]));
        pair.x[i] = sn_point_add(x, sn_point_sub(from, rest));
        pair.displacement[i] = sn_point_sub(to, from);
    }
    /* A little of the contact distance; and what rounding may take, far from the origin. */
    double far = fabs(base.x) + fabs(base.y) + fabs(base.z);
    double limit = (double)*sn_contact_at(p->set, slot, SN_ROW_LIMIT);
    pair.keep = 0.05 * limit + 4e-7 * far + 1e-9;
    return pair;
}

static bool touches_zone(const sn_limiter *g, const uint32_t node[4]) {
    for (int i = 0; i < 4; i++)
        if (g->zone[node[i]] != SN_LIMITER_NONE) return true;
    return false;
}

/* Whether any pair of a block is to be asked. Most are far from each other, and a plane has told
   so. */
static bool is_any_asked(const sn_limiter_pass *p, size_t first) {
    if (p->scope == SN_LIMITER_ADDED)
        return memchr(p->caught + first, SN_LIMITER_FRESH, SN_CONTACT_BLOCK) != NULL;
    return memchr(p->limiter->doubt + first, 1, SN_CONTACT_BLOCK) != NULL;
}

static bool is_asked(const sn_limiter_pass *p, uint32_t slot) {
    /* A lane that nobody has taken. */
    if (*sn_contact_node_at(p->set, sn_limiter_contact_kind[p->kind], slot, 0) < 0) return false;
    if (p->scope == SN_LIMITER_ADDED) return p->caught[slot] == SN_LIMITER_FRESH;
    if (!p->limiter->doubt[slot]) return false;
    return p->scope == SN_LIMITER_ALL || p->caught[slot] == SN_LIMITER_FREE;
}

static void check_pair(sn_limiter_pass *p, uint32_t slot) {
    uint32_t node[4];
    p->caught[slot] = SN_LIMITER_FREE;
    sn_limiter_nodes(p, slot, node);
    if (!sn_limiter_watches(p->world, p->kind, node)) return;
    /* What was free before is so again where nothing has changed. */
    if (p->scope == SN_LIMITER_MOVED && !touches_zone(p->limiter, node)) return;
    sn_limiter_pair pair = sn_limiter_pair_of(p, slot);
    if (sn_limiter_is_free(&pair)) return;
    p->caught[slot] = SN_LIMITER_CAUGHT;
    atomic_store_explicit(&p->any, true, memory_order_relaxed);
}

static void check_range(void *context, size_t begin, size_t end) {
    sn_limiter_pass *p = context;
    for (size_t block = begin; block < end; block++) {
        size_t first = block * SN_CONTACT_BLOCK;
        if (!is_any_asked(p, first)) continue;
        for (size_t slot = first; slot < first + SN_CONTACT_BLOCK; slot++)
            if (is_asked(p, (uint32_t)slot)) check_pair(p, (uint32_t)slot);
    }
}

/* How many pairs may be followed on their paths in a step: of those that are found, few are in
   doubt, unless everything goes through everything else. */
static double most_followed(const sn_limiter_pass *p) {
    return sn_surface_contact_most_work(sn_surface_contacts_of(p->world), p->substep) / 8;
}

/* Whether there could be more. They are counted as planes tell them: what rooms are remembered
   depends on when the world was loaded. */
static bool could_be_too_many(const sn_limiter_pass *p) {
    const sn_surface_contacts *m = sn_surface_contacts_of(p->world);
    double count = m->swept;
    for (int kind = 0; kind < SN_LIMITER_KINDS; kind++)
        count += (double)m->set[sn_limiter_contact_kind[kind]].count;
    return count > most_followed(p);
}

/* Whether there are; then they are not followed. */
static bool are_too_many(sn_limiter_pass *p) {
    sn_surface_contacts *m = sn_surface_contacts_of(p->world);
    for (size_t block = 0; block < p->set->blocks; block++) {
        size_t first = block * SN_CONTACT_BLOCK;
        if (!is_any_asked(p, first)) continue;
        for (size_t slot = first; slot < first + SN_CONTACT_BLOCK; slot++)
            m->swept += is_asked(p, (uint32_t)slot);
    }
    if (m->swept <= most_followed(p)) return false;
    sn_world_say(p->world, SN_LOG_WARNING,
                 "what is penetration-free stands for a part of the step, where more than %.0f "
                 "pairs had to be followed on their paths, expected at most so many; speeds or "
                 "forces are too large for things of their size",
                 most_followed(p));
    return true;
}

/* Whether some would pass; not where they are given up, and all will stand. */
static bool check(sn_limiter_pass *p, sn_limiter_scope scope) {
    p->scope = scope;
    atomic_store_explicit(&p->any, false, memory_order_relaxed);
    bool counted = could_be_too_many(p);
    if (counted) sn_limiter_forget(p->world);
    if (scope != SN_LIMITER_ADDED) sn_limiter_place(p);
    for (int kind = 0; kind < SN_LIMITER_KINDS; kind++) {
        sn_limiter_use_kind(p, kind);
        if (scope == SN_LIMITER_ALL)
            memset(p->caught, SN_LIMITER_FREE, p->set->blocks * SN_CONTACT_BLOCK);
        bool asked = scope == SN_LIMITER_ADDED || sn_limiter_find_doubts(p);
        if (asked && counted && are_too_many(p)) {
            p->lost = true;
            return false;
        }
        if (asked)
            sn_team_run(p->world->bindings.team, p->set->blocks, BLOCKS_ALONE, check_range, p);
    }
    return atomic_load_explicit(&p->any, memory_order_relaxed);
}

/* Nodes that are not where they were expected may touch others than those they have pairs with; who
   these are is asked when all is free, so as not to ask it often. */
static bool is_free(sn_limiter_pass *p, int round) {
    if (!p->lost && check(p, round == 0 ? SN_LIMITER_ALL : SN_LIMITER_MOVED)) return false;
    return p->lost || !sn_limiter_follow(p) || !check(p, SN_LIMITER_ADDED);
}

/* ---- Pushing ---- */

/* Pairs that would pass are pushed back at first, as contacts do, so that little is left to be
   shortened; where something kinematic comes it is the only way out of it. Their nodes are
   marked as zones of their own. */
static void push_pairs(sn_limiter_pass *p) {
    const sn_nodes *n = &p->world->nodes;
    for (int kind = 0; kind < SN_LIMITER_KINDS; kind++) {
        sn_limiter_use_kind(p, kind);
        for (size_t k = 0; k < p->set->count; k++) {
            uint32_t slot = p->set->pair[k].slot;
            if (!p->caught[slot]) continue;
            sn_limiter_pair pair = sn_limiter_pair_of(p, slot);
            sn_point change[4];
            double w[4];
            for (int i = 0; i < 4; i++) {
                w[i] = (double)n->w[pair.node[i]];
                p->limiter->zone[pair.node[i]] = pair.node[i];
            }
            if (!sn_limiter_push(&pair, w, change)) continue;
            for (int i = 0; i < 4; i++) {
                sn_vec4 *d = &n->d[pair.node[i]];
                d->x += (sn_real)change[i].x;
                d->y += (sn_real)change[i].y;
                d->z += (sn_real)change[i].z;
            }
        }
    }
}

static void release(sn_limiter_pass *p) {
    for (int kind = 0; kind < SN_LIMITER_KINDS; kind++) {
        sn_limiter_use_kind(p, kind);
        memset(p->caught, 0, p->set->blocks * SN_CONTACT_BLOCK);
    }
}

/* Whether all is free in the end. */
static bool push(sn_limiter_pass *p) {
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
        if (is_free(p, attempt)) return true;
        for (int sweep = 0; sweep < SWEEPS; sweep++) push_pairs(p);
        release(p);
    }
    return false;
}

/* ---- The substep ---- */

static size_t count_shortened(const sn_limiter_pass *p) {
    size_t count = 0;
    const sn_surface_elements *points =
        &sn_surface_contacts_of(p->world)->list[SN_SURFACE_CONTACT_POINT];
    for (size_t k = 0; k < points->count; k++) count += p->limiter->part[points->node[k]] < 1;
    return count;
}

/* Pairs that would pass, and do, as nothing can stop a kinematic node of them. */
static size_t count_breaches(sn_limiter_pass *p) {
    size_t count = 0;
    for (int kind = 0; kind < SN_LIMITER_KINDS; kind++) {
        sn_limiter_use_kind(p, kind);
        for (size_t k = 0; k < p->set->count; k++) {
            uint32_t slot = p->set->pair[k].slot;
            if (!p->caught[slot]) continue;
            sn_limiter_pair pair = sn_limiter_pair_of(p, slot);
            bool stoppable = true;
            for (int i = 0; i < 4; i++) stoppable &= p->world->nodes.w[pair.node[i]] > 0;
            count += !stoppable && !sn_limiter_is_free(&pair);
        }
    }
    return count;
}

/* Shortens paths until nothing passes; returns how many do for all that. */
static size_t shorten(sn_limiter_pass *p) {
    int round = 0;
    for (; round < MOST_ROUNDS && !is_free(p, round); round++) sn_limiter_settle(p);
    if (round == MOST_ROUNDS) {
        sn_limiter_stand(p);
        (void)check(p, SN_LIMITER_ALL);
    }
    return p->lost ? 0 : count_breaches(p);
}

void sn_limiter_apply(sn_world *world, const sn_substep *substep) {
    if (!sn_limiter_is_needed(world) || !sn_limiter_reserve(world)) return;
    sn_limiter_pass p = {.world = world, .limiter = sn_limiter_of(world), .substep = substep};
    size_t breaches = 1;
    /* What is kinematic comes on: where it still passes something, pushes have another turn. */
    for (int turn = 0; turn < MOST_TURNS && breaches > 0; turn++) {
        if (!sn_limiter_begin(&p)) return;
        bool free = push(&p);
        if (!sn_limiter_begin(&p)) return;
        breaches = free ? 0 : shorten(&p);
    }
    if (p.lost) sn_limiter_stand(&p);
    world->output.stats.truncations += count_shortened(&p);
    world->output.stats.breaches += breaches;
}
