/*
 * Particles of a dough that become one, and those that are seeded, when a step is over.
 *
 *   two become one   nearer than half a spacing:  m = m_a + m_b,  m x = m_a x_a + m_b x_b,  as v
 *   one is seeded    in the middle of two of a cluster that has flown, which are 1.5 to 2.5
 *                    spacings apart with nobody within 0.8 of it: each gives a third of the lighter
 *                    mass
 *
 * Both keep mass, centre of mass and momentum. No particle becomes lighter than a third of what all
 * weighed in the mean when the dough was made, or heavier than two and a half times that.
 */
#include "systems/dough/doughs.h"

#include <string.h>

static const double nearest = 0.5, apart[2] = {1.5, 2.5}, room = 0.8;
static const double lightest = 0.5, heaviest = 2.5; /* of what gives, and of what becomes of two */
static const double flown = 0.2;                    /* clusters in which particles are seeded */

/* ---- Particles ---- */

void sn_dough_park(sn_world *world, sn_dough_state *d, size_t i) {
    uint32_t node = d->node[i].slot - 1;
    sn_nodes_undrive(&world->nodes, node);
    world->nodes.v[node] = (sn_vec4){0};
    world->nodes.w[node] = world->nodes.radius[node] = 0;
    world->nodes.group[node] = SN_GROUP_NONE;
    d->waits[i] = 1;
}

static void put(sn_world *world, uint32_t node, const double x[3], const double v[3], double mass) {
    sn_nodes_place(&world->nodes, node, (sn_vec3){(sn_real)x[0], (sn_real)x[1], (sn_real)x[2]});
    world->nodes.v[node] = (sn_vec4){(sn_real)v[0], (sn_real)v[1], (sn_real)v[2], 0};
    world->nodes.w[node] = (sn_real)(1 / mass);
    world->scratch.masses_changed = world->sleep.joints_changed = true;
    sn_world_restart_body(world, world->nodes.body[node]);
}

static void velocity(const sn_world *world, const sn_dough_state *d, size_t i, double out[3]) {
    sn_vec4 v = world->nodes.v[d->node[i].slot - 1];
    out[0] = (double)v.x, out[1] = (double)v.y, out[2] = (double)v.z;
}

static double square_distance(const double a[3], const double b[3]) {
    double e[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return (e[0] * e[0] + e[1] * e[1]) + e[2] * e[2];
}

/* ---- Two become one ---- */

/* The next that waits, from a place on. */
static size_t next_waiting(const sn_dough_state *d, size_t from) {
    while (from < d->nodes && !d->waits[from]) from++;
    return from;
}

/* Beside the first of those that wait, where there is one: out of sight, as the reserve is. */
static void rest_with_others(sn_world *world, sn_dough_state *d, size_t i) {
    size_t other = next_waiting(d, 0);
    if (other == d->nodes) return;
    double x[3];
    sn_dough_place(world, d, other, x);
    sn_vec3 at = {(sn_real)x[0], (sn_real)(x[1] + 0.01 * (double)d->def.spacing), (sn_real)x[2]};
    sn_nodes_place(&world->nodes, d->node[i].slot - 1, at);
}

static void merge(sn_world *world, sn_dough_state *d, size_t a, size_t b) {
    double m[2] = {sn_dough_mass(world, d, a), sn_dough_mass(world, d, b)}, mass = m[0] + m[1];
    double x[2][3], v[2][3];
    sn_dough_place(world, d, a, x[0]);
    sn_dough_place(world, d, b, x[1]);
    velocity(world, d, a, v[0]);
    velocity(world, d, b, v[1]);
    for (int k = 0; k < 3; k++) {
        x[0][k] = (m[0] * x[0][k] + m[1] * x[1][k]) / mass;
        v[0][k] = (m[0] * v[0][k] + m[1] * v[1][k]) / mass;
    }
    put(world, d->node[a].slot - 1, x[0], v[0], mass);
    rest_with_others(world, d, b);
    sn_dough_park(world, d, b);
    d->merged++;
}

static void merge_all(sn_world *world, sn_dough_state *d) {
    double radius = nearest * (double)d->def.spacing, x[3];
    for (size_t i = 0; i < d->nodes; i++) {
        if (d->waits[i] || !(sn_dough_mass(world, d, i) > 0)) continue;
        sn_dough_place(world, d, i, x);
        size_t count = sn_dough_near(world, d, x, radius);
        for (size_t k = 0; k < count; k++) {
            size_t j = d->near[k];
            double other = sn_dough_mass(world, d, j);
            if (j <= i || d->waits[j] || !(other > 0)) continue;
            if (sn_dough_mass(world, d, i) + other > heaviest * d->mass) continue;
            merge(world, d, i, j);
        }
    }
}

/* ---- One is seeded ---- */

/* Whether nobody is near, of those in cells and those seeded since. */
static bool is_empty(const sn_world *world, sn_dough_state *d, const double x[3], size_t since,
                     const uint32_t *seeded) {
    double radius = room * (double)d->def.spacing, at[3];
    if (sn_dough_near(world, d, x, radius) > 0) return false;
    for (size_t k = 0; k < since; k++) {
        sn_dough_place(world, d, seeded[k], at);
        if (square_distance(at, x) < radius * radius) return false;
    }
    return true;
}

static void seed(sn_world *world, sn_dough_state *d, size_t a, size_t b, size_t made) {
    const size_t pair[2] = {a, b};
    double m[2] = {sn_dough_mass(world, d, a), sn_dough_mass(world, d, b)}, x[2][3], v[2][3];
    double give = (m[0] < m[1] ? m[0] : m[1]) / 3;
    for (int k = 0; k < 2; k++) {
        sn_dough_place(world, d, pair[k], x[k]);
        velocity(world, d, pair[k], v[k]);
        world->nodes.w[d->node[pair[k]].slot - 1] = (sn_real)(1 / (m[k] - give));
    }
    for (int k = 0; k < 3; k++) {
        x[0][k] = 0.5 * (x[0][k] + x[1][k]);
        v[0][k] = 0.5 * (v[0][k] + v[1][k]);
    }
    uint32_t node = d->node[made].slot - 1, parent = d->node[a].slot - 1;
    put(world, node, x[0], v[0], 2 * give);
    world->nodes.radius[node] = world->nodes.radius[parent];
    world->nodes.group[node] = world->nodes.group[parent];
    d->waits[made] = 0;
    d->seeded++;
}

/* Whether two members are as far apart as one has room between, and heavy enough. */
static bool may_seed(const sn_world *world, const sn_dough_state *d, size_t a, size_t b,
                     double middle[3]) {
    double x[2][3], h = (double)d->def.spacing;
    if (d->waits[a] || d->waits[b]) return false;
    if (!(sn_dough_mass(world, d, a) > lightest * d->mass)) return false;
    if (!(sn_dough_mass(world, d, b) > lightest * d->mass)) return false;
    sn_dough_place(world, d, a, x[0]);
    sn_dough_place(world, d, b, x[1]);
    double square = square_distance(x[0], x[1]) / (h * h);
    for (int k = 0; k < 3; k++) middle[k] = 0.5 * (x[0][k] + x[1][k]);
    return square > apart[0] * apart[0] && square < apart[1] * apart[1];
}

static void seed_all(sn_world *world, sn_dough_state *d) {
    const sn_dough_clusters *c = &d->clusters;
    /* The list of the seeded is where counts will be. */
    uint32_t *seeded = d->count;
    size_t since = 0, waiting = next_waiting(d, 0);
    for (size_t r = 0; r < c->count; r++) {
        if (!(c->flow[r] > flown)) continue;
        for (uint32_t k = c->first[r]; k < c->first[r + 1]; k++)
            for (uint32_t l = k + 1; l < c->first[r + 1] && waiting < d->nodes; l++) {
                double x[3];
                if (!may_seed(world, d, c->member[k], c->member[l], x)) continue;
                if (!is_empty(world, d, x, since, seeded)) continue;
                seed(world, d, c->member[k], c->member[l], waiting);
                seeded[since++] = (uint32_t)waiting;
                waiting = next_waiting(d, waiting);
            }
    }
}

void sn_dough_resample(sn_world *world, sn_dough_state *d) {
    sn_dough_sort(world, d);
    merge_all(world, d);
    seed_all(world, d);
}
