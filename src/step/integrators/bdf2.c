/*
 * BDF2 for the nodes, in the delta form of bdf1.c. With the motion m_n = x_n - x_n-1 it is
 *
 *   predict   x~ = (4 x_n - x_n-1) / 3 + (8 v_n - 2 v_n-1) h / 9 + (4/9) h^2 g
 *   project   with 4/9 of the inverse masses, so that lambda / h^2 is still the force
 *   update    v_n+1 = (3 x_n+1 - 4 x_n + x_n-1) / (2 h) = (3 m_n+1 - m_n) / (2 h)
 *
 * Neither m nor h v has digits enough to be told from what it was a substep ago. So two small
 * vectors are kept beside m, and with e = m_n+1 - m_n, which is known without either,
 *
 *              s = h v - m     c = h v_n - h v_n-1     predicted part of e
 *   BDF2       e / 2           3/2 e - s before        (6 s + 2 c + 4 h^2 g) / 9
 *   BDF1       0               e - s before            s + h^2 g
 *
 * where BDF1 is for a body that restarts. s and c mean the same after either, so a body may change
 * from one to the other in any substep.
 *
 * Constraints that ask for velocities in the sweep have h v = 3/2 ((d - p) - m_n / 3): they see
 * p + m_n / 3 as `base`. Dashpots act on v when it is known. Point damping takes a part of the
 * velocity to be expected at the end of the substep, 2 v_n - v_n-1, which keeps the second order;
 * and at most half of it, which keeps the direction.
 */
#include "step/integrators/integrator.h"

/* A row of the table above. */
typedef struct scheme {
    sn_real s_of_e, c_of_e;
    sn_real of_s, of_c, of_force;
    bool second;
} scheme;

static const scheme bdf1 = {0, 1, 1, 0, 1, false};
static const scheme bdf2 = {SN_R(0.5),     SN_R(1.5),     SN_R(2.0) / 3,
                            SN_R(2.0) / 9, SN_R(4.0) / 9, true};

/* The most of a velocity that point damping may take in a substep without turning it round. */
#define MOST_LOST SN_R(0.5)

/* One node on its way through a pass. */
typedef struct state {
    sn_v4 displacement, before, rounding; /* d, p and the rounding of x */
    sn_v4 s, c;
} state;

/* The end of a substep. */
SN_INLINE state finish(const sn_nodes *nodes, const sn_history *history, size_t i,
                       const scheme *ended) {
    sn_v4 *x = (sn_v4 *)&nodes->x[i], from = *x;
    state n = {.displacement = *(sn_v4 *)&nodes->d[i], .before = *(sn_v4 *)&nodes->p[i]};
    *x = from + n.displacement;
    n.rounding = n.displacement - (*x - from);
    sn_v4 e = *(sn_v4 *)&history->change[i] + (n.displacement - *(sn_v4 *)&history->predicted[i]);
    n.c = ended->c_of_e * e - *(sn_v4 *)&history->s[i];
    n.s = ended->s_of_e * e;
    return n;
}

/* The beginning of a step, as if the node had come with its velocity. One that restarts, or that
   nothing accelerates, has come with it for ever. */
SN_INLINE state resume(const sn_nodes *nodes, const sn_history *history, size_t i,
                       const scheme *next, sn_real h) {
    sn_real known = next->second && nodes->w[i] > 0 ? 1 : 0;
    state n = {.rounding = *(sn_v4 *)&nodes->d[i]};
    n.s = known * *(sn_v4 *)&history->s[i];
    n.c = known * *(sn_v4 *)&history->change[i];
    sn_v4 motion = h * *(sn_v4 *)&nodes->v[i] - n.s;
    n.displacement = n.rounding + motion;
    n.before = n.displacement - motion;
    return n;
}

SN_INLINE void rest(const sn_nodes *nodes, const sn_history *history, size_t i, const state *n,
                    sn_real h) {
    *(sn_v4 *)&nodes->v[i] = ((n->displacement - n->before) + n->s) / h;
    *(sn_v4 *)&nodes->d[i] = *(sn_v4 *)&nodes->p[i] = n->rounding;
    *(sn_v4 *)&history->s[i] = n->s;
    *(sn_v4 *)&history->change[i] = n->c;
}

/* What forces and damping add to the motion, times h^2. */
SN_INLINE sn_v4 push(const sn_integration *terms, const scheme *next, size_t i, const state *n,
                     const bool special) {
    sn_v4 sum = terms->gravity_h2;
    if (!special) return sum;
    sn_v4 expected = (n->displacement - n->before) + n->s;
    sn_real lose = terms->lose;
    if (next->second) {
        expected += n->c;
        lose = lose < MOST_LOST ? lose : MOST_LOST;
    }
    sum -= lose * expected;
    if (terms->acceleration) sum += terms->h2 * *(const sn_v4 *)&terms->acceleration[i];
    return sum;
}

SN_INLINE void start(const sn_nodes *nodes, const sn_history *history, size_t i, state *n,
                     const sn_integration *terms, const scheme *next, const bool special) {
    sn_real dynamic = nodes->w[i] > 0 ? 1 : 0;
    sn_v4 force = {0};
    if (dynamic > 0) force = push(terms, next, i, n, special);
    sn_v4 change = (next->of_s * n->s + next->of_c * n->c) + next->of_force * force;
    sn_v4 d = n->displacement + ((n->rounding - n->before) + change);
    sn_v4 p = ((d - n->displacement) - change) + n->before, last = n->displacement - n->before;
    if (special && terms->limit != SN_AUTO && dynamic > 0) {
        sn_v4 fast = (d - p) + next->s_of_e * change, slow = sn_limited(fast, terms->limit);
        /* As if it had come with the limit for ever: the brake is no acceleration to go on with. */
        if (slow[0] != fast[0] || slow[1] != fast[1] || slow[2] != fast[2]) {
            d = n->rounding + slow;
            p = d - slow;
            last = slow;
            change = n->s = (sn_v4){0};
        }
    }
    *(sn_v4 *)&nodes->d[i] = *(sn_v4 *)&history->predicted[i] = d;
    *(sn_v4 *)&nodes->p[i] = p;
    *(sn_v4 *)&history->s[i] = n->s;
    *(sn_v4 *)&history->change[i] = change;
    /* BDF1 has h v = d - p, as far as that is known by now. */
    if (!next->second) last = d - p;
    *(sn_v4 *)&history->base[i] = p + last * (SN_R(1.0) / 3);
}

/* Specialised by its constant arguments. */
SN_INLINE sn_v4 integrate(const sn_world *world, size_t begin, size_t end,
                          const sn_integration *terms, const scheme *ended, const scheme *next,
                          const bool update, const bool predict, const bool special) {
    const sn_nodes *nodes = &world->nodes;
    const sn_history *history = &world->history;
    sn_v4 sum = {0};
    for (size_t i = begin; i < end; i++) {
        state n =
            update ? finish(nodes, history, i, ended) : resume(nodes, history, i, next, terms->h);
        if (predict)
            start(nodes, history, i, &n, terms, next, special);
        else
            rest(nodes, history, i, &n, terms->h);
        sum += *(sn_v4 *)&nodes->x[i] + *(sn_v4 *)&nodes->v[i];
    }
    return sum;
}

static sn_v4 integrate_run(const sn_world *world, size_t begin, size_t end, uint32_t body,
                           const sn_integration *terms, bool update, bool predict) {
    const sn_history *history = &world->history;
    /* Where both halves are done at once, the history has gone on to the next substep already. */
    bool ended_second =
        predict ? history->before[body] : history->second[body] && !history->struck[body];
    const scheme *ended = ended_second ? &bdf2 : &bdf1;
    const scheme *next = history->second[body] ? &bdf2 : &bdf1;
    if (!predict) return integrate(world, begin, end, terms, ended, next, true, false, false);
    if (update && terms->special)
        return integrate(world, begin, end, terms, ended, next, true, true, true);
    if (update) return integrate(world, begin, end, terms, ended, next, true, true, false);
    if (terms->special) return integrate(world, begin, end, terms, ended, next, false, true, true);
    return integrate(world, begin, end, terms, ended, next, false, true, false);
}

static void look(const sn_world *world, size_t node, const sn_integration *terms,
                 sn_integrator_look *look) {
    const sn_history *history = &world->history;
    uint32_t body = world->nodes.body[node];
    bool second = history->second[body] && !history->struck[body];
    sn_v4 d = *(sn_v4 *)&world->nodes.d[node], predicted = *(sn_v4 *)&history->predicted[node];
    sn_v4 change = *(sn_v4 *)&history->change[node];
    *look = (sn_integrator_look){.share = 1, .lose = (double)terms->lose, .late = second};
    if (history->second[body] && terms->lose > MOST_LOST) look->lose = (double)MOST_LOST;
    if (second) look->share = sn_history_share(history, body);
    sn_integrator_motion(&world->nodes, node, look->v);
    for (int k = 0; k < 3; k++) {
        double e = (double)change[k] + ((double)d[k] - (double)predicted[k]);
        look->v[k] = (look->v[k] + (second ? (double)bdf2.s_of_e * e : 0)) / (double)terms->h;
    }
}

/* ---- What constraints see ---- */

/* Of an inverse mass: 4/9. */
enum { SHARE = 4, OF = 9 };

static bool plan(sn_world *world) {
    return sn_history_reserve(&world->history, &world->memory, world->nodes.slots.count,
                              world->frames.slots.count, world->bodies.slots.count + 1);
}

static bool advance(sn_world *world) {
    world->history.share = (double)SHARE / OF;
    return sn_history_next(&world->history, world->bodies.slots.count + 1);
}

static void weigh(sn_world *world) {
    const sn_nodes *nodes = &world->nodes;
    const sn_frames *frames = &world->frames;
    for (size_t i = 0; i < nodes->slots.count; i++) {
        bool second = world->history.second[nodes->body[i]];
        world->history.w[i] = second ? (sn_real)((double)nodes->w[i] * SHARE / OF) : nodes->w[i];
    }
    for (size_t i = 0; i < frames->slots.count; i++) {
        bool second = world->history.second[nodes->body[frames->node[i]]];
        *(sn_v4 *)&world->history.turn_w[i] =
            *(sn_v4 *)&frames->w[i] * (second ? (sn_real)((double)SHARE / OF) : 1);
    }
}

/* h v = 3/2 (d - base) */
static double rate_h(double h) {
    return h * 2 / 3;
}

const sn_integrator_type sn_integrator_bdf2 = {.both_ways = true,
                                               .plan = plan,
                                               .advance = advance,
                                               .weigh = weigh,
                                               .rate_h = rate_h,
                                               .integrate = integrate_run,
                                               .look = look};
