/*
 * Rounds: pairs that would pass are caught, their nodes make zones, and within a zone every node
 * goes only a part of its way relative to the zone as a whole; whatever would pass then is caught
 * in the next round. A caught pair cannot pass in its zone (guard_pair.c), so each round catches
 * new ones; should that go on for long, everything becomes one zone that stands, in which all pairs
 * are caught, and that is safe.
 *
 * Pairs are those that were found for the contacts. They are all that can meet as long as nodes are
 * where they were expected, so that comes first.
 */
#include "contact/guard.h"

#include "contact/meet_pair.h"
#include "contact/placing.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

enum { NODES_ALONE = 1024, PAIRS_ALONE = 256, MOST_ATTEMPTS = 4, SWEEPS = 4, MOST_ROUNDS = 16 };

/* Kinds of meetings that are guarded, and what they are for the geometry. */
enum { KINDS = 2 };
static const int meeting_of[KINDS] = {SN_MEETING_POINT_TRIANGLE, SN_MEETING_EDGES};
static const sn_cross_kind kind_of[KINDS] = {SN_CROSS_VERTEX, SN_CROSS_EDGES};

typedef struct pass {
    sn_world *world;
    sn_guard *guard;
    const sn_moment *moment;
    const sn_meet_set *set;
    uint8_t *caught; /* of this set */
    int kind, round;
    atomic_bool any;
} pass;

/* ---- Memory ---- */

static bool is_guarded(const sn_world *world, uint32_t node) {
    return world->skins.state[world->skins.of_node[node] - 1].def.guarded;
}

bool sn_guard_is_needed(const sn_world *world) {
    if (!world->meets || !sn_meet_is_needed(world)) return false;
    for (size_t i = 0; i < world->skins.slots.count; i++)
        if (world->skins.slots.alive[i] && world->skins.state[i].def.guarded) return true;
    return false;
}

bool sn_guard_reserve(sn_world *world) {
    if (!sn_guard_is_needed(world)) return true;
    sn_guard *g = &world->meets->guard;
    size_t nodes = world->nodes.slots.count, pairs = 0;
    for (int k = 0; k < KINDS; k++) pairs += world->meets->set[meeting_of[k]].count;
    sn_column columns[] = {
        {(void **)&g->zone, sizeof *g->zone},   {(void **)&g->wish, sizeof *g->wish},
        {(void **)&g->drift, sizeof *g->drift}, {(void **)&g->part, sizeof *g->part},
        {(void **)&g->mass, sizeof *g->mass},   {(void **)&g->member, sizeof *g->member}};
    if (nodes > g->node_capacity) {
        size_t grown = sn_columns_grow(&world->memory, columns, 6, 0, g->node_capacity, nodes);
        if (grown == 0) return false;
        g->node_capacity = grown;
    }
    return sn_reserve(&world->memory, (void **)&g->caught, &g->caught_capacity, pairs + 1,
                      sizeof *g->caught);
}

void sn_guard_free(sn_guard *g, sn_memory *memory) {
    sn_free(memory, g->caught, g->caught_capacity, sizeof *g->caught);
    sn_free(memory, g->zone, g->node_capacity, sizeof *g->zone);
    sn_free(memory, g->wish, g->node_capacity, sizeof *g->wish);
    sn_free(memory, g->drift, g->node_capacity, sizeof *g->drift);
    sn_free(memory, g->part, g->node_capacity, sizeof *g->part);
    sn_free(memory, g->mass, g->node_capacity, sizeof *g->mass);
    sn_free(memory, g->member, g->node_capacity, sizeof *g->member);
    *g = (sn_guard){0};
}

/* Whether a pair is guarded: both skins are, and it is not coming free from a tangle. */
static bool pair_is_guarded(const sn_world *world, int kind, const uint32_t node[4]) {
    if (!is_guarded(world, node[0]) || !is_guarded(world, node[sn_guard_first(kind_of[kind])]))
        return false;
    for (int i = 0; i < 4; i++)
        if (sn_untangle_is_loose(world, node[i])) return false;
    return true;
}

/* ---- Where nodes are expected ---- */

static sn_v4 way_of(const sn_nodes *n, uint32_t i) {
    return sn_v4_load(&n->d[i]) - sn_v4_load(&n->p[i]);
}

/* How far from where it was expected a node is, displaced by this, after some time. */
static sn_v4 away_by(const sn_world *world, uint32_t i, sn_v4 displaced, double time) {
    const sn_meets *m = world->meets;
    sn_v4 at = sn_v4_load(&world->nodes.x[i]) - sn_v4_load(&m->from[i]);
    return (at + displaced) - (sn_real)time * sn_v4_load(&m->speed[i]);
}

static bool is_near(const sn_world *world, uint32_t i, sn_v4 displaced, double time) {
    sn_v4 away = away_by(world, i, displaced, time);
    sn_real slack = world->meets->slack[i];
    return sn_v4_dot(away, away) <= slack * slack;
}

/* The part of its way on which a node stays where it was expected: a ball has it in the beginning,
   and a straight way leaves a ball once. */
static sn_real near_part(const pass *p, uint32_t i) {
    const sn_world *world = p->world;
    const sn_nodes *n = &world->nodes;
    double begin = p->moment->done * p->moment->dt - world->meets->found;
    double end = p->moment->will * p->moment->dt - world->meets->found;
    if (is_near(world, i, sn_v4_load(&n->d[i]), end)) return 1;
    sn_v4 from = away_by(world, i, sn_v4_load(&n->p[i]), begin);
    sn_v4 to = away_by(world, i, sn_v4_load(&n->d[i]), end), way = to - from;
    double slack = 0.999 * (double)world->meets->slack[i];
    double a = (double)sn_v4_dot(way, way), b = (double)sn_v4_dot(way, from);
    double c = (double)sn_v4_dot(from, from) - slack * slack, root = b * b - a * c;
    if (!(a > 0) || !(c < 0) || !(root > 0)) return 0;
    double part = (sqrt(root) - b) / a;
    return part > 0 ? part < 1 ? (sn_real)part : 1 : 0;
}

/* ---- Pairs ---- */

static sn_point point_of(sn_v4 a) {
    return (sn_point){(double)a[0], (double)a[1], (double)a[2]};
}

static sn_guard_pair pair_of(const pass *p, size_t k) {
    const sn_nodes *n = &p->world->nodes;
    sn_guard_pair pair = {.kind = kind_of[p->kind]};
    const sn_meet_pair *found = &p->set->pair[k];
    sn_meet_pair_nodes(p->world->meets, meeting_of[p->kind], found->a, found->b, pair.node);
    uint32_t last = pair.node[3];
    sn_point base = point_of(sn_v4_load(&n->x[last])), rest = point_of(sn_v4_load(&n->p[last]));
    for (int i = 0; i < 4; i++) {
        uint32_t at = pair.node[i];
        sn_point x = sn_point_sub(point_of(sn_v4_load(&n->x[at])), base);
        sn_point from = point_of(sn_v4_load(&n->p[at])), to = point_of(sn_v4_load(&n->d[at]));
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

/* 0: free or not guarded; 1: caught before; 2: caught now. */
static void check_range(void *context, size_t begin, size_t end) {
    pass *p = context;
    for (size_t k = begin; k < end; k++) {
        if (p->round == 0) p->caught[k] = 0;
        uint32_t node[4];
        const sn_meet_pair *found = &p->set->pair[k];
        sn_meet_pair_nodes(p->world->meets, meeting_of[p->kind], found->a, found->b, node);
        if (!pair_is_guarded(p->world, p->kind, node)) continue;
        /* What was free before is so again where nothing has changed. */
        if (p->round > 0 && (p->caught[k] || !touches_zone(p->guard, node))) continue;
        sn_guard_pair pair = pair_of(p, k);
        if (sn_guard_is_free(&pair)) continue;
        p->caught[k] = 2;
        atomic_store_explicit(&p->any, true, memory_order_relaxed);
    }
}

static void use_kind(pass *p, int kind) {
    p->kind = kind;
    p->set = &p->world->meets->set[meeting_of[kind]];
    p->caught = p->guard->caught + (kind ? p->world->meets->set[meeting_of[0]].count : 0);
}

static bool check(pass *p, int round) {
    p->round = round;
    atomic_store_explicit(&p->any, false, memory_order_relaxed);
    for (int kind = 0; kind < KINDS; kind++) {
        use_kind(p, kind);
        sn_team_run(p->world->team, p->set->count, PAIRS_ALONE, check_range, p);
    }
    return atomic_load_explicit(&p->any, memory_order_relaxed);
}

/* ---- Pushing ---- */

/* Pairs that would pass are pushed back at first, as contacts do, so that little is left to be
   shortened; where something kinematic comes it is the only way out of it. Nodes that were pushed
   are marked as zones of their own. */
static void push_pairs(pass *p) {
    const sn_nodes *n = &p->world->nodes;
    for (int kind = 0; kind < KINDS; kind++) {
        use_kind(p, kind);
        for (size_t k = 0; k < p->set->count; k++) {
            if (!p->caught[k]) continue;
            sn_guard_pair pair = pair_of(p, k);
            sn_point change[4];
            double w[4];
            for (int i = 0; i < 4; i++) w[i] = (double)n->w[pair.node[i]];
            if (!sn_guard_push(&pair, w, change)) continue;
            for (int i = 0; i < 4; i++) {
                sn_vec4 *d = &n->d[pair.node[i]];
                p->guard->zone[pair.node[i]] = pair.node[i];
                d->x += (sn_real)change[i].x;
                d->y += (sn_real)change[i].y;
                d->z += (sn_real)change[i].z;
            }
        }
    }
}

static void release(pass *p) {
    for (int kind = 0; kind < KINDS; kind++) {
        use_kind(p, kind);
        memset(p->caught, 0, p->set->count);
    }
}

/* Whether there was anything to push. */
static bool push(pass *p) {
    int attempt = 0;
    for (; attempt < MOST_ATTEMPTS && check(p, attempt); attempt++) {
        for (int sweep = 0; sweep < SWEEPS; sweep++) push_pairs(p);
        release(p);
    }
    return attempt > 0;
}

/* ---- Zones ---- */

static void join_pairs(pass *p) {
    for (int kind = 0; kind < KINDS; kind++) {
        use_kind(p, kind);
        for (size_t k = 0; k < p->set->count; k++) {
            if (p->caught[k] != 2) continue;
            uint32_t node[4];
            const sn_meet_pair *found = &p->set->pair[k];
            sn_meet_pair_nodes(p->world->meets, meeting_of[kind], found->a, found->b, node);
            sn_guard_join(p->guard, node, p->world->nodes.w);
            p->caught[k] = 1;
        }
    }
}

static void list_members(pass *p) {
    sn_guard *g = p->guard;
    const sn_meet_elements *points = &p->world->meets->list[SN_MEET_POINT];
    g->members = 0;
    for (size_t k = 0; k < points->count; k++)
        if (g->zone[points->node[k]] != SN_GUARD_NONE) g->member[g->members++] = points->node[k];
}

/* Adds a node to the mean motion of its zone. Mass below zero is of kinematic nodes: where there
   are some, only they count. */
static void weigh(sn_guard *g, uint32_t root, double mass, uint32_t i) {
    double share = mass / (g->mass[root] + mass);
    sn_v4 drift = sn_v4_load(&g->drift[root]);
    drift += (sn_real)share * (sn_v4_load(&g->wish[i]) - drift);
    sn_v4_store(&g->drift[root], drift);
    g->mass[root] += mass;
}

static void weigh_kinematic(pass *p) {
    for (int kind = 0; kind < KINDS; kind++) {
        use_kind(p, kind);
        for (size_t k = 0; k < p->set->count; k++) {
            if (!p->caught[k]) continue;
            uint32_t node[4];
            const sn_meet_pair *found = &p->set->pair[k];
            sn_meet_pair_nodes(p->world->meets, meeting_of[kind], found->a, found->b, node);
            uint32_t root = sn_guard_zone_of(p->guard, node);
            for (int i = 0; i < 4; i++)
                if (!(p->world->nodes.w[node[i]] > 0) && root != SN_GUARD_NONE)
                    weigh(p->guard, root, -1, node[i]);
        }
    }
}

/* A zone goes as its nodes do in the mean, by their masses; or as what is kinematic in its pairs,
   which nothing can stop. */
static void weigh_zones(pass *p) {
    sn_guard *g = p->guard;
    const sn_nodes *n = &p->world->nodes;
    for (size_t k = 0; k < g->members; k++) {
        g->mass[g->member[k]] = 0;
        g->drift[g->member[k]] = (sn_vec4){0, 0, 0, 0};
        g->part[g->member[k]] = 1;
    }
    weigh_kinematic(p);
    for (size_t k = 0; k < g->members; k++) {
        uint32_t i = g->member[k], root = sn_guard_root(g, i);
        if (!(g->mass[root] < 0)) weigh(g, root, 1 / (double)n->w[i], i);
    }
    /* One that would take a node out of where it was expected stands instead. */
    double end = p->moment->will * p->moment->dt - p->world->meets->found;
    for (size_t k = 0; k < g->members; k++) {
        uint32_t i = g->member[k], root = sn_guard_root(g, i);
        sn_v4 to = sn_v4_load(&n->p[i]) + sn_v4_load(&g->drift[root]);
        if (!is_near(p->world, i, to, end)) g->mass[root] = 0;
    }
    for (size_t k = 0; k < g->members; k++) {
        uint32_t i = g->member[k];
        if (g->mass[i] == 0) g->drift[i] = (sn_vec4){0, 0, 0, 0};
    }
}

/* What a caught pair leaves to its nodes. */
static void limit_pair(pass *p, size_t k) {
    sn_guard *g = p->guard;
    sn_guard_pair pair = pair_of(p, k);
    bool fixed[4];
    double part[4];
    uint32_t root = sn_guard_zone_of(g, pair.node);
    if (root == SN_GUARD_NONE) return;
    sn_v4 drift = sn_v4_load(&g->drift[root]);
    for (int i = 0; i < 4; i++) {
        pair.way[i] = point_of(sn_v4_load(&g->wish[pair.node[i]]) - drift);
        fixed[i] = !(p->world->nodes.w[pair.node[i]] > 0);
    }
    if (!sn_guard_limit(&pair, fixed, part)) g->breaches++;
    for (int i = 0; i < 4; i++) {
        sn_real *at = &g->part[pair.node[i]];
        if (part[i] < (double)*at) *at = (sn_real)(part[i] * (1 - 1e-6));
    }
}

static void move_members(pass *p) {
    sn_guard *g = p->guard;
    const sn_nodes *n = &p->world->nodes;
    for (size_t k = 0; k < g->members; k++) {
        uint32_t i = g->member[k];
        sn_v4 wish = sn_v4_load(&g->wish[i]), from = sn_v4_load(&n->p[i]);
        sn_v4 drift = sn_v4_load(&g->drift[sn_guard_root(g, i)]);
        sn_v4 to = from + wish;
        if (g->part[i] < 1) to = from + (drift + g->part[i] * (wish - drift));
        to[3] = 0;
        sn_v4_store(&n->d[i], to);
    }
}

static void settle(pass *p, bool stands) {
    list_members(p);
    weigh_zones(p);
    for (size_t k = 0; stands && k < p->guard->members; k++)
        p->guard->drift[p->guard->member[k]] = (sn_vec4){0, 0, 0, 0};
    p->guard->breaches = 0;
    for (int kind = 0; kind < KINDS; kind++) {
        use_kind(p, kind);
        for (size_t k = 0; k < p->set->count; k++)
            if (p->caught[k]) limit_pair(p, k);
    }
    move_members(p);
}

/* Everything is one zone that stands, and all pairs are caught. */
static void settle_all(pass *p) {
    sn_guard *g = p->guard;
    const sn_meet_elements *points = &p->world->meets->list[SN_MEET_POINT];
    uint32_t root = SN_GUARD_NONE;
    for (size_t k = 0; k < points->count; k++) {
        uint32_t i = points->node[k];
        if (!is_guarded(p->world, i) || !(p->world->nodes.w[i] > 0)) continue;
        if (root == SN_GUARD_NONE) root = i;
        g->zone[i] = root;
    }
    for (int kind = 0; kind < KINDS; kind++) {
        use_kind(p, kind);
        for (size_t k = 0; k < p->set->count; k++) {
            uint32_t node[4];
            const sn_meet_pair *found = &p->set->pair[k];
            sn_meet_pair_nodes(p->world->meets, meeting_of[kind], found->a, found->b, node);
            p->caught[k] = pair_is_guarded(p->world, kind, node);
        }
    }
    settle(p, true);
}

/* ---- The substep ---- */

/* Cuts ways to where nodes are expected, and remembers them; tells of what is not finite. */
static void begin_range(void *context, size_t begin, size_t end) {
    pass *p = context;
    const sn_nodes *n = &p->world->nodes;
    for (size_t k = begin; k < end; k++) {
        uint32_t i = p->world->meets->list[SN_MEET_POINT].node[k];
        p->guard->zone[i] = SN_GUARD_NONE;
        p->guard->part[i] = 1;
        if (!is_guarded(p->world, i)) continue;
        sn_v4 way = way_of(n, i);
        if (!sn_v4_is_finite(way)) {
            atomic_store_explicit(&p->any, true, memory_order_relaxed);
            continue;
        }
        sn_real part = n->w[i] > 0 ? near_part(p, i) : 1;
        if (part < 1) {
            way *= part;
            sn_v4_store(&n->d[i], sn_v4_load(&n->p[i]) + way);
            p->guard->part[i] = part;
        }
        sn_v4_store(&p->guard->wish[i], way);
    }
}

/* False where something is not finite: that is about to be put back, with its body, and nothing can
   be said of it here. */
static bool begin(pass *p) {
    atomic_store_explicit(&p->any, false, memory_order_relaxed);
    sn_team_run(p->world->team, p->world->meets->list[SN_MEET_POINT].count, NODES_ALONE,
                begin_range, p);
    return !atomic_load_explicit(&p->any, memory_order_relaxed);
}

static size_t count_shortened(const pass *p) {
    size_t count = 0;
    const sn_meet_elements *points = &p->world->meets->list[SN_MEET_POINT];
    for (size_t k = 0; k < points->count; k++) count += p->guard->part[points->node[k]] < 1;
    return count;
}

void sn_guard_apply(sn_world *world, const sn_moment *moment) {
    if (!sn_guard_is_needed(world) || !world->meets->guard.caught) return;
    pass p = {.world = world, .guard = &world->meets->guard, .moment = moment};
    if (!begin(&p)) return;
    if (push(&p) && !begin(&p)) return;
    p.guard->breaches = 0;
    int round = 0;
    for (; round < MOST_ROUNDS && check(&p, round); round++) {
        join_pairs(&p);
        settle(&p, false);
    }
    if (round == MOST_ROUNDS) settle_all(&p);
    world->stats.truncations += count_shortened(&p);
    world->stats.breaches += p.guard->breaches;
}
