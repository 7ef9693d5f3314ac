/*
 * Damping within the clusters of a dough, which makes it stick rather than bounce: particles
 * approach the mean of the rigid motions of their clusters, by the part damping h at most.
 *
 *   v_c = sum m~ v / M,  omega = I^-1 L about the centre;  v += k (mean of v_c + omega x r - v)
 *
 * Momentum and angular momentum of every cluster are those of its rigid motion, so both are kept.
 */
#include "base/team.h"
#include "math/matrix3.h"
#include "systems/dough/doughs.h"

enum { CLUSTERS_ALONE = 32, NODES_ALONE = 256 };
/* Inertia below this part of the largest is none. */
static const double thin = 1e-6;

typedef struct pass {
    sn_world *world;
    sn_dough_state *d;
    double k; /* 1, part of the difference that is taken */
} pass;

static void state_of(const pass *p, uint32_t i, double x[3], double v[3]) {
    size_t slot = p->d->node[i].slot - 1;
    sn_vec4 at = p->world->nodes.x[slot], by = p->world->nodes.d[slot];
    sn_vec4 speed = p->world->nodes.v[slot];
    x[0] = (double)at.x + (double)by.x, v[0] = (double)speed.x;
    x[1] = (double)at.y + (double)by.y, v[1] = (double)speed.y;
    x[2] = (double)at.z + (double)by.z, v[2] = (double)speed.z;
}

typedef struct motion {
    double centre[3], velocity[3], omega[3];
} motion;

static void find_motion(const pass *p, size_t r, motion *m) {
    const sn_dough_clusters *c = &p->d->clusters;
    double mass = 0, x[3], v[3], l[3] = {0, 0, 0}, square[6] = {0}, inertia[6], inverse[6], full[9];
    *m = (motion){0};
    for (uint32_t k = c->first[r]; k < c->first[r + 1]; k++) {
        double own = p->d->weight[c->member[k]];
        state_of(p, c->member[k], x, v);
        mass += own;
        for (int i = 0; i < 3; i++) {
            m->centre[i] += own * x[i];
            m->velocity[i] += own * v[i];
        }
    }
    for (int i = 0; i < 3; i++) {
        m->centre[i] /= mass;
        m->velocity[i] /= mass;
    }
    for (uint32_t k = c->first[r]; k < c->first[r + 1]; k++) {
        double own = p->d->weight[c->member[k]], arm[3];
        state_of(p, c->member[k], x, v);
        for (int i = 0; i < 3; i++) {
            x[i] -= m->centre[i];
            v[i] -= m->velocity[i];
        }
        sn_double3_cross(x, v, arm);
        const double add[6] = {x[0] * x[0], x[1] * x[1], x[2] * x[2],
                               x[1] * x[2], x[2] * x[0], x[0] * x[1]};
        for (int i = 0; i < 3; i++) l[i] += own * arm[i];
        for (int i = 0; i < 6; i++) square[i] += own * add[i];
    }
    double trace = square[0] + square[1] + square[2];
    for (int i = 0; i < 6; i++) inertia[i] = (i < 3 ? trace : 0) - square[i];
    (void)sn_matrix3_pseudo_inverse(inertia, thin, inverse);
    sn_matrix3_full(inverse, full);
    sn_matrix3_apply(full, l, m->omega);
}

/* Goals are velocities here. */
static void find_range(void *context, size_t begin, size_t end) {
    const pass *p = context;
    const sn_dough_clusters *c = &p->d->clusters;
    for (size_t r = begin; r < end; r++) {
        motion m;
        find_motion(p, r, &m);
        for (uint32_t k = c->first[r]; k < c->first[r + 1]; k++) {
            double x[3], v[3], turn[3];
            state_of(p, c->member[k], x, v);
            for (int i = 0; i < 3; i++) x[i] -= m.centre[i];
            sn_double3_cross(m.omega, x, turn);
            for (int i = 0; i < 3; i++) p->d->goal[k][i] = m.velocity[i] + turn[i];
        }
    }
}

static void damp_range(void *context, size_t begin, size_t end) {
    const pass *p = context;
    const sn_dough_state *d = p->d;
    for (size_t i = begin; i < end; i++) {
        size_t slot = d->node[i].slot - 1;
        uint32_t from = d->entry_first[i], to = d->entry_first[i + 1];
        double x[3], v[3], e[3] = {0, 0, 0};
        if (from == to || !(p->world->nodes.w[slot] > 0)) continue;
        state_of(p, (uint32_t)i, x, v);
        for (uint32_t k = from; k < to; k++)
            for (int a = 0; a < 3; a++) e[a] += d->goal[d->entry[k]][a] - v[a];
        for (int a = 0; a < 3; a++) v[a] += p->k * e[a] / (to - from);
        p->world->nodes.v[slot] = (sn_vec4){(sn_real)v[0], (sn_real)v[1], (sn_real)v[2], 0};
    }
}

void sn_doughs_damp(sn_step *step) {
    sn_world *world = step->world;
    sn_doughs *all = sn_doughs_of(world);
    for (size_t i = 0; i < all->slots.count; i++) {
        sn_dough_state *d = &all->state[i];
        if (!all->slots.alive[i] || !(d->def.damping > 0)) continue;
        double k = (double)d->def.damping * step->h;
        pass p = {world, d, k < 1 ? k : 1};
        sn_team_run(world->bindings.team, d->clusters.count, CLUSTERS_ALONE, find_range, &p);
        sn_team_run(world->bindings.team, d->nodes, NODES_ALONE, damp_range, &p);
    }
}
