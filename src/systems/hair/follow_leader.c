/*
 * Dynamic follow the leader (Mueller, Kim and Chentanez 2012), root to tip, each strand by one
 * thread:
 *
 *   x_i <- x_i + beta (g_i - x_i)                 towards the hairstyle, once per substep
 *   x_i <- x_i-1 + l (x_i - x_i-1) / |x_i - x_i-1|        which moves it by d_i
 *   v_i <- v_i - s d_i+1 / h                      the reaction, with the masses of the two
 *
 *   o---o                Only x_i moves, so all lengths hold when one pass is over. Without the
 *   root \  d_i          last line a node would not feel what hangs on it, and the strand would
 *         o <- - o       swing as if it became heavier towards the root. The reaction is not given
 *                        to v but taken from where the substep began, so that every integrator
 *                        makes its velocity of it (as in contact/recovery.h).
 *
 * The goal g_i is where the segment was at rest in the frame of the one before, which is carried
 * from segment to segment by the smallest turn; the frame of the first is the rotation of all first
 * nodes together. beta = (h f)^2 / (1 + (h f)^2) is what a spring of frequency f does to a node in
 * an implicit step.
 */
#include "math/match.h"
#include "math/quaternion.h"
#include "systems/hair/hairs.h"

enum { STRANDS_ALONE = 64 };

typedef struct pass {
    const sn_step *step;
    sn_hair_state *hair;
    sn_v4 rotation;
    sn_real beta;
    bool first; /* of the iterations */
} pass;

bool sn_hairs_are_led(const sn_world *world) {
    const sn_hairs *all = sn_hairs_of(world);
    for (size_t i = 0; i < all->slots.count; i++)
        if (all->slots.alive[i] &&
            (all->state[i].def.follow || all->state[i].def.hold > 0 || all->state[i].def.level < 1))
            return true;
    return false;
}

/* ---- The hairstyle ---- */

/* How the first nodes of all strands have turned since rest; state is where it starts from. */
static void find_rotation(const sn_world *world, sn_hair_state *h) {
    const sn_vec4 *x = world->nodes.x, *d = world->nodes.d;
    double a[9] = {0}, centre[3] = {0};
    for (size_t s = 0; s < h->strands; s++) {
        sn_vec3 rest = h->rest[h->strand[s]];
        centre[0] += (double)rest.x;
        centre[1] += (double)rest.y;
        centre[2] += (double)rest.z;
    }
    for (int k = 0; k < 3; k++) centre[k] /= (double)h->strands;
    size_t origin = h->node[0].slot - 1;
    for (size_t s = 0; s < h->strands; s++) {
        size_t i = h->node[h->strand[s]].slot - 1;
        sn_vec3 rest = h->rest[h->strand[s]];
        double at[3] = {(double)x[i].x - (double)x[origin].x + (double)d[i].x,
                        (double)x[i].y - (double)x[origin].y + (double)d[i].y,
                        (double)x[i].z - (double)x[origin].z + (double)d[i].z};
        double was[3] = {(double)rest.x - centre[0], (double)rest.y - centre[1],
                         (double)rest.z - centre[2]};
        for (int k = 0; k < 9; k++) a[k] += at[k % 3] * was[k / 3];
    }
    sn_match_rotation(a, h->rotation);
}

/* q, and then the smallest turn that takes one vector to the direction of another. */
SN_INLINE sn_v4 carried(sn_v4 q, sn_v4 from, sn_v4 to) {
    sn_real both = SN_ROOT(sn_v4_dot(from, from) * sn_v4_dot(to, to));
    sn_v4 turn = sn_v4_cross(from, to);
    turn[3] = both + sn_v4_dot(from, to);
    /* Half a turn has any axis. */
    if (!(turn[3] > SN_R(1e-6) * both)) return q;
    return sn_quat_normalize(sn_quat_mul(sn_quat_normalize(turn), q));
}

/* ---- Strands ---- */

/* The way to a node from the one before it, after it was moved; `goal` is what to take where there
   is no direction. */
SN_INLINE sn_v4 lead(const pass *p, sn_hair_link *link, sn_v4 *d, sn_v4 way, sn_v4 goal) {
    sn_v4 to = way + p->beta * (goal - way), push = {0, 0, 0, 0}, placed = to;
    to[3] = placed[3] = 0;
    if (p->hair->def.follow) {
        sn_real length = sn_v4_length(to);
        placed = goal;
        if (length > 0) placed = (link->rest.w / length) * to;
        placed[3] = 0;
        push = placed - to;
    }
    *d += placed - way;
    sn_v4 *sum = (sn_v4 *)&link->push;
    if (!p->first) push += *sum;
    *sum = push;
    return placed;
}

static void follow_strand(const pass *p, size_t begin, size_t end) {
    const sn_nodes *nodes = &p->step->world->nodes;
    const sn_v4 *x = (const sn_v4 *)nodes->x;
    sn_v4 *d = (sn_v4 *)nodes->d, q = p->rotation, goal = {0, -1, 0, 0};
    size_t before = p->hair->node[begin].slot - 1;
    for (size_t k = begin + 1; k < end; k++) {
        size_t i = p->hair->node[k].slot - 1;
        sn_hair_link *link = &p->hair->link[k];
        sn_v4 way = (x[i] - x[before]) + (d[i] - d[before]), rest = *(const sn_v4 *)&link->rest;
        way[3] = 0;
        if (p->beta > 0)
            goal = sn_quat_rotate(q, rest);
        else
            goal *= rest[3] / sn_v4_length(goal);
        if (nodes->w[i] > 0)
            way = lead(p, link, &d[i], way, goal);
        else
            link->push = (sn_vec4){0, 0, 0, 0};
        if (p->beta > 0)
            q = carried(q, goal, way);
        else if (sn_v4_dot(way, way) > 0)
            goal = way;
        before = i;
    }
}

static void follow_range(void *context, size_t begin, size_t end) {
    const pass *p = context;
    for (size_t s = begin; s < end; s++)
        if (!sn_hair_goes(p->hair, p->hair->strand[s]))
            follow_strand(p, p->hair->strand[s], p->hair->strand[s + 1]);
}

void sn_hairs_follow(sn_step *step) {
    sn_world *world = step->world;
    sn_hairs *all = sn_hairs_of(world);
    for (size_t i = 0; i < all->slots.count; i++) {
        sn_hair_state *h = &all->state[i];
        if (!sn_hair_is_active(world, i)) continue;
        pass p = {.step = step, .hair = h, .first = step->iteration == 0};
        bool coarse = sn_hair_is_coarse(h);
        if (p.first && (h->def.hold > 0 || coarse)) find_rotation(world, h);
        if (p.first && h->def.hold > 0) {
            double square = step->h * step->h * (double)h->def.hold * (double)h->def.hold;
            p.beta = (sn_real)(square < 1e12 ? square / (1 + square) : 1);
            for (int k = 0; k < 4; k++) p.rotation[k] = (sn_real)h->rotation[k];
        }
        if (p.beta > 0 || h->def.follow)
            sn_team_run(world->bindings.team, h->strands, STRANDS_ALONE, follow_range, &p);
        if (coarse) sn_hair_levels_go(step, h);
    }
}

/* ---- The reaction ---- */

/* A strand that goes with another has the reaction of that, so that it may move by itself again at
   any time: velocities of what follows are not those that it is seen with. */
static void react_strand(const pass *p, uint32_t strand) {
    const sn_world *world = p->step->world;
    const sn_hair_state *h = p->hair;
    const sn_real *w = world->nodes.w;
    bool goes = sn_hair_goes(h, h->strand[strand]);
    for (size_t k = h->strand[strand]; k + 1 < h->strand[strand + 1]; k++) {
        size_t of = goes ? sn_hair_beside(h, strand, k) : k, own = h->node[k].slot - 1;
        if (of + 1 == h->strand[goes ? h->rank[strand].with + 1 : strand + 1]) continue;
        size_t i = h->node[of].slot - 1, next = h->node[of + 1].slot - 1;
        if (!(w[own] > 0) || !(w[i] > 0) || !(w[next] > 0)) continue;
        /* What is heavier than the one before it would throw that about. */
        sn_real part = w[i] < w[next] ? w[i] / w[next] : 1;
        sn_v4 by = h->def.reaction * part * *(const sn_v4 *)&h->link[of + 1].push;
        *(sn_v4 *)&world->nodes.p[own] += by;
        if (world->history.used) *(sn_v4 *)&world->history.predicted[own] += by;
    }
}

static void react_range(void *context, size_t begin, size_t end) {
    const pass *p = context;
    for (size_t s = begin; s < end; s++) react_strand(p, (uint32_t)s);
}

/* A push is no acceleration to go on with, so what follows begins every substep anew: with BDF2 it
   goes as with BDF1. */
static void restart(sn_world *world, const sn_hair_state *h) {
    uint32_t last = UINT32_MAX;
    for (size_t k = 0; k < h->nodes; k++) {
        uint32_t body = world->nodes.body[h->node[k].slot - 1];
        if (body != last) sn_history_restart(&world->history, body);
        last = body;
    }
}

void sn_hairs_react(sn_step *step) {
    sn_world *world = step->world;
    sn_hairs *all = sn_hairs_of(world);
    for (size_t i = 0; i < all->slots.count; i++) {
        pass p = {.step = step, .hair = &all->state[i]};
        if (!sn_hair_is_active(world, i) || !p.hair->def.follow) continue;
        if (world->history.used) restart(world, p.hair);
        sn_team_run(world->bindings.team, p.hair->strands, STRANDS_ALONE, react_range, &p);
    }
}
