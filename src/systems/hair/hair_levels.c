/*
 * Levels of detail: strands that go with others.
 *
 * A hash of their numbers puts strands in an order, of which the first ones move by themselves.
 * Each has a leader, that of the strands before it in the order whose root is nearest at rest; one
 * that does not move by itself goes with the first of its leader, the leader of that and so on that
 * does. So a strand that is added or left out changes nothing for most of the others.
 *
 *   t(x)  = x_root + (l(x) - l_root) + R ((r - r_root) - (s - s_root))
 *   x_k  <- t(x) + (1 - h c) (x_0 - t(x_0))
 *
 * l is the leader at the same part of its vertices, r and s both at rest, R the rotation of the
 * hairstyle, x_0 where the substep began and c the rate at which what is apart dies away. There is
 * no state in it but positions: a snapshot goes on, and nothing jumps when the level changes.
 */
#include "systems/hair/hairs.h"

#include "base/hash.h"
#include "math/quaternion.h"

#include <stdlib.h>

enum { STRANDS_ALONE = 64 };

/* 1/s */
static const double apart_rate = 4;

/* ---- Who goes with whom ---- */

typedef struct seat {
    uint64_t key;
    double along; /* m, of the root, the widest side of all of them */
    uint32_t strand;
} seat;

static int compare_keys(const void *left, const void *right) {
    const seat *a = left, *b = right;
    if (a->key != b->key) return a->key < b->key ? -1 : 1;
    return (a->strand > b->strand) - (a->strand < b->strand);
}

static int compare_places(const void *left, const void *right) {
    const seat *a = left, *b = right;
    if (a->along != b->along) return a->along < b->along ? -1 : 1;
    return (a->strand > b->strand) - (a->strand < b->strand);
}

static double side_of(const sn_hair_state *h, uint32_t strand, int axis) {
    sn_vec3 root = h->rest[h->strand[strand]];
    return (double)(axis == 0 ? root.x : axis == 1 ? root.y : root.z);
}

static int widest_side(const sn_hair_state *h) {
    double low[3], high[3];
    int widest = 0;
    for (int a = 0; a < 3; a++) {
        low[a] = high[a] = side_of(h, 0, a);
        for (uint32_t s = 1; s < h->strands; s++) {
            double at = side_of(h, s, a);
            low[a] = at < low[a] ? at : low[a];
            high[a] = at > high[a] ? at : high[a];
        }
        if (high[a] - low[a] > high[widest] - low[widest]) widest = a;
    }
    return widest;
}

/* Takes a strand for the leader of another where it comes before it and is the nearest so far. */
static void meet(sn_hair_state *h, uint32_t own, uint32_t other, double *least) {
    double square = 0;
    if (h->rank[other].place >= h->rank[own].place) return;
    for (int a = 0; a < 3; a++) {
        double apart = side_of(h, other, a) - side_of(h, own, a);
        square += apart * apart;
    }
    if (square > *least || (square == *least && other > h->rank[own].leader)) return;
    *least = square;
    h->rank[own].leader = other;
}

/* To both sides of the sorted roots, until all that is left is farther along them alone. */
static void find_leader(sn_hair_state *h, const seat *seats, size_t from) {
    uint32_t own = seats[from].strand;
    double least = 1e300;
    h->rank[own].leader = own;
    if (h->rank[own].place == 0) return;
    for (size_t k = from; k-- > 0;) {
        double gap = seats[from].along - seats[k].along;
        if (gap * gap > least) break;
        meet(h, own, seats[k].strand, &least);
    }
    for (size_t k = from + 1; k < h->strands; k++) {
        double gap = seats[k].along - seats[from].along;
        if (gap * gap > least) break;
        meet(h, own, seats[k].strand, &least);
    }
}

static bool find_leaders(sn_hair_state *h, sn_memory *memory) {
    seat *seats = sn_allocate(memory, h->strands, sizeof *seats);
    if (!seats) return false;
    int widest = widest_side(h);
    for (uint32_t s = 0; s < h->strands; s++)
        seats[s] = (seat){sn_hash_word(0, s), side_of(h, s, widest), s};
    qsort(seats, h->strands, sizeof *seats, compare_keys);
    for (uint32_t i = 0; i < h->strands; i++) h->rank[seats[i].strand].place = i;
    qsort(seats, h->strands, sizeof *seats, compare_places);
    for (size_t i = 0; i < h->strands; i++) find_leader(h, seats, i);
    sn_free(memory, seats, h->strands, sizeof *seats);
    return true;
}

static void choose(sn_hair_state *h) {
    double wanted = (double)h->def.level * (double)h->strands;
    size_t active = (size_t)wanted;
    if ((double)active < wanted || active == 0) active++;
    if (active == h->active) return;
    h->active = active;
    for (uint32_t s = 0; s < h->strands; s++) {
        uint32_t with = s;
        while (h->rank[with].place >= active) with = h->rank[with].leader;
        h->rank[s].with = with;
        for (size_t k = h->strand[s]; k < h->strand[s + 1]; k++) h->goes[k] = with != s;
    }
}

bool sn_hair_levels_prepare(sn_hair_state *h, sn_memory *memory) {
    if (!sn_hair_is_coarse(h)) return true;
    if (!h->rank) {
        h->rank = sn_allocate(memory, h->link_room, sizeof *h->rank);
        h->goes = sn_allocate(memory, h->link_room, sizeof *h->goes);
        h->active = 0;
    }
    if (!h->rank || !h->goes) return false;
    if (h->active == 0 && !find_leaders(h, memory)) return false;
    choose(h);
    return true;
}

/* ---- Going ---- */

typedef struct ride {
    const sn_nodes *nodes;
    const sn_hair_state *hair;
    sn_v4 rotation;
    sn_real stays; /* of what is apart from the place beside the leader */
} ride;

/* Where a part of the leader is, between two of its vertices. */
typedef struct spot {
    size_t a, b; /* in the lists */
    sn_real part;
} spot;

static spot spot_of(const sn_hair_state *h, uint32_t own, uint32_t leader, size_t k) {
    size_t first = h->strand[leader], count = h->strand[leader + 1] - first;
    size_t mine = h->strand[own + 1] - h->strand[own], i = k - h->strand[own];
    if (count == mine || mine < 2) return (spot){first + (i < count ? i : 0), first, 0};
    double place = (double)i * (double)(count - 1) / (double)(mine - 1);
    size_t at = (size_t)place < count - 1 ? (size_t)place : count - 1;
    size_t next = at + 1 < count ? at + 1 : at;
    return (spot){first + at, first + next, (sn_real)(place - (double)at)};
}

size_t sn_hair_beside(const sn_hair_state *h, uint32_t strand, size_t k) {
    return spot_of(h, strand, h->rank[strand].with, k).a;
}

/* A node, relative to another, now or when the substep began. */
SN_INLINE sn_v4 between(const ride *r, size_t to, size_t from, bool now) {
    const sn_vec4 *d = now ? r->nodes->d : r->nodes->p;
    size_t i = r->hair->node[to].slot - 1, j = r->hair->node[from].slot - 1;
    return (*(const sn_v4 *)&r->nodes->x[i] - *(const sn_v4 *)&r->nodes->x[j]) +
           (*(const sn_v4 *)&d[i] - *(const sn_v4 *)&d[j]);
}

SN_INLINE sn_v4 rest_between(const sn_hair_state *h, size_t to, size_t from) {
    return sn_v4_of(h->rest[to]) - sn_v4_of(h->rest[from]);
}

/* From the root of a strand to where node k goes. A root that is free goes with that of the
   leader. */
static sn_v4 target(const ride *r, size_t root, size_t leader, size_t k, spot s, bool now) {
    sn_v4 style = rest_between(r->hair, k, root) - rest_between(r->hair, s.a, leader);
    sn_v4 way = between(r, s.a, leader, now);
    if (s.part > 0) {
        style -= s.part * rest_between(r->hair, s.b, s.a);
        way += s.part * between(r, s.b, s.a, now);
    }
    style[3] = 0;
    return way + sn_quat_rotate(r->rotation, style);
}

static void go_along(const ride *r, uint32_t strand) {
    const sn_hair_state *h = r->hair;
    uint32_t with = h->rank[strand].with;
    size_t root = h->strand[strand], leader = h->strand[with];
    for (size_t k = root; k < h->strand[strand + 1]; k++) {
        size_t i = h->node[k].slot - 1;
        if (!(r->nodes->w[i] > 0)) continue;
        /* What no node holds is beside the root of the leader, as it was at rest. */
        size_t from = k == root ? leader : root;
        sn_v4 now, before;
        if (k == root) {
            sn_v4 style = rest_between(h, root, leader);
            style[3] = 0;
            now = before = sn_quat_rotate(r->rotation, style);
        } else {
            spot s = spot_of(h, strand, with, k);
            now = target(r, root, leader, k, s, true);
            before = target(r, root, leader, k, s, false);
        }
        sn_v4 apart = between(r, k, from, false) - before;
        sn_v4 by = now + r->stays * apart - between(r, k, from, true);
        by[3] = 0;
        *(sn_v4 *)&r->nodes->d[i] += by;
    }
}

static void go_range(void *context, size_t begin, size_t end) {
    const ride *r = context;
    for (size_t s = begin; s < end; s++)
        if (r->hair->rank[s].with != s) go_along(r, (uint32_t)s);
}

void sn_hair_levels_go(sn_step *step, sn_hair_state *h) {
    double left = 1 - apart_rate * step->h;
    ride r = {.nodes = &step->world->nodes, .hair = h, .stays = (sn_real)(left > 0 ? left : 0)};
    for (int k = 0; k < 4; k++) r.rotation[k] = (sn_real)h->rotation[k];
    sn_team_run(step->world->bindings.team, h->strands, STRANDS_ALONE, go_range, &r);
}
