/*
 * Zones: nodes that are tied together by pairs that would pass, as a forest in which the root of a
 * zone is its lowest node. So zones do not depend on the order in which they were joined. Kinematic
 * nodes are in none: they tie nothing together.
 */
#include "contact/limiter/limiter_parts.h"

static uint32_t find_root(const sn_limiter *limiter, uint32_t node) {
    while (limiter->zone[node] != node) node = limiter->zone[node];
    return node;
}

static uint32_t root_of(sn_limiter *limiter, uint32_t node) {
    if (limiter->zone[node] == SN_LIMITER_NONE) limiter->zone[node] = node;
    uint32_t root = find_root(limiter, node);
    /* Shortens the path for the next one who asks. */
    while (limiter->zone[node] != root) {
        uint32_t next = limiter->zone[node];
        limiter->zone[node] = root;
        node = next;
    }
    return root;
}

static void join(sn_limiter *limiter, const uint32_t node[4], const sn_real *w) {
    uint32_t lowest = SN_LIMITER_NONE;
    for (int i = 0; i < 4; i++) {
        if (!(w[node[i]] > 0)) continue;
        uint32_t root = root_of(limiter, node[i]);
        if (lowest == SN_LIMITER_NONE) lowest = root;
        uint32_t low = root < lowest ? root : lowest, high = root < lowest ? lowest : root;
        limiter->zone[high] = low;
        lowest = low;
    }
}

static uint32_t zone_of(const sn_limiter *limiter, const uint32_t node[4]) {
    for (int i = 0; i < 4; i++)
        if (limiter->zone[node[i]] != SN_LIMITER_NONE) return find_root(limiter, node[i]);
    return SN_LIMITER_NONE;
}

/* ---- The motion of zones ---- */

static void join_pairs(sn_limiter_pass *p) {
    for (int kind = 0; kind < SN_LIMITER_KINDS; kind++) {
        sn_limiter_use_kind(p, kind);
        for (size_t k = 0; k < p->set->count; k++) {
            uint8_t *caught = &p->caught[p->set->pair[k].slot];
            if (*caught != SN_LIMITER_CAUGHT) continue;
            uint32_t node[4];
            sn_limiter_nodes(p, p->set->pair[k].slot, node);
            join(p->limiter, node, p->world->nodes.w);
            *caught = SN_LIMITER_HELD;
        }
    }
}

static void list_members(sn_limiter_pass *p) {
    sn_limiter *g = p->limiter;
    const sn_surface_elements *points =
        &sn_surface_contacts_of(p->world)->list[SN_SURFACE_CONTACT_POINT];
    g->members = 0;
    for (size_t k = 0; k < points->count; k++)
        if (g->zone[points->node[k]] != SN_LIMITER_NONE) g->member[g->members++] = points->node[k];
}

/* Adds a node to the mean motion of its zone. Mass below zero is of kinematic nodes: where there
   are some, only they count. */
static void weigh(sn_limiter *g, uint32_t root, double mass, uint32_t i) {
    double share = mass / (g->mass[root] + mass);
    sn_v4 drift = sn_v4_load(&g->drift[root]);
    drift += (sn_real)share * (sn_v4_load(&g->wish[i]) - drift);
    sn_v4_store(&g->drift[root], drift);
    g->mass[root] += mass;
}

static void weigh_kinematic(sn_limiter_pass *p) {
    for (int kind = 0; kind < SN_LIMITER_KINDS; kind++) {
        sn_limiter_use_kind(p, kind);
        for (size_t k = 0; k < p->set->count; k++) {
            if (!p->caught[p->set->pair[k].slot]) continue;
            uint32_t node[4];
            sn_limiter_nodes(p, p->set->pair[k].slot, node);
            uint32_t root = zone_of(p->limiter, node);
            for (int i = 0; i < 4; i++)
                if (!(p->world->nodes.w[node[i]] > 0) && root != SN_LIMITER_NONE)
                    weigh(p->limiter, root, -1, node[i]);
        }
    }
}

/* A zone goes as its nodes do in the mean, by their masses; or as what is kinematic in its pairs,
   which nothing can stop. */
static void weigh_zones(sn_limiter_pass *p) {
    sn_limiter *g = p->limiter;
    const sn_nodes *n = &p->world->nodes;
    for (size_t k = 0; k < g->members; k++) {
        g->mass[g->member[k]] = 0;
        g->drift[g->member[k]] = (sn_vec4){0, 0, 0, 0};
        g->part[g->member[k]] = 1;
    }
    weigh_kinematic(p);
    for (size_t k = 0; k < g->members; k++) {
        uint32_t i = g->member[k], root = find_root(g, i);
        if (!(g->mass[root] < 0)) weigh(g, root, 1 / (double)n->w[i], i);
    }
}

/* What a caught pair leaves to its nodes. */
static void limit_pair(sn_limiter_pass *p, uint32_t slot) {
    sn_limiter *g = p->limiter;
    sn_limiter_pair pair = sn_limiter_pair_of(p, slot);
    bool fixed[4];
    double part[4];
    uint32_t root = zone_of(g, pair.node);
    if (root == SN_LIMITER_NONE) return;
    sn_v4 drift = sn_v4_load(&g->drift[root]);
    for (int i = 0; i < 4; i++) {
        pair.displacement[i] = sn_limiter_point(sn_v4_load(&g->wish[pair.node[i]]) - drift);
        fixed[i] = !(p->world->nodes.w[pair.node[i]] > 0);
    }
    (void)sn_limiter_limit(&pair, fixed, part);
    for (int i = 0; i < 4; i++) {
        sn_real *at = &g->part[pair.node[i]];
        if (part[i] < (double)*at) *at = (sn_real)(part[i] * (1 - 1e-6));
    }
}

static void move_members(sn_limiter_pass *p) {
    sn_limiter *g = p->limiter;
    const sn_nodes *n = &p->world->nodes;
    for (size_t k = 0; k < g->members; k++) {
        uint32_t i = g->member[k];
        sn_v4 wish = sn_v4_load(&g->wish[i]), from = sn_v4_load(&n->p[i]);
        sn_v4 drift = sn_v4_load(&g->drift[find_root(g, i)]);
        sn_v4 to = from + wish;
        if (g->part[i] < 1) to = from + (drift + g->part[i] * (wish - drift));
        to[3] = 0;
        sn_v4_store(&n->d[i], to);
    }
}

void sn_limiter_settle(sn_limiter_pass *p) {
    join_pairs(p);
    list_members(p);
    weigh_zones(p);
    for (int kind = 0; kind < SN_LIMITER_KINDS; kind++) {
        sn_limiter_use_kind(p, kind);
        for (size_t k = 0; k < p->set->count; k++) {
            uint32_t slot = p->set->pair[k].slot;
            if (p->caught[slot]) limit_pair(p, slot);
        }
    }
    move_members(p);
}
