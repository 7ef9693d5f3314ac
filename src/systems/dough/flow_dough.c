/*
 * Plastic flow of the clusters of a dough, when a step is over (survey of position based methods,
 * sections 5.11.5 and 5.11.6):
 *
 *   F = A (sum m~ rest rest^T)^-1,  S = (R^T F + F^T R) / 2
 *   where |S - 1| is above the yield:  rest <- (1 + dt creep (S - 1)) rest / det^(1/3)
 *
 * The shape at rest itself is stretched, so nothing bounds what may become of it. What it has been
 * stretched by in all says when a cluster is better made anew.
 */
#include "math/matrix3.h"
#include "math/root.h"
#include "systems/dough/doughs.h"

/* Below this part of the largest extent, squared, a cluster has none. */
static const double flat = 1e-6;

typedef struct sums {
    double mass, centre[3], rest[3], a[9], square[6];
} sums;

/* Those that have become one with another count no more. */
static double weight_of(const sn_dough_state *d, uint32_t i) {
    return d->waits[i] ? 0 : d->weight[i];
}

static void add_up(const sn_world *world, const sn_dough_state *d, size_t r, sums *s) {
    const sn_dough_clusters *c = &d->clusters;
    double x[3];
    *s = (sums){0};
    for (uint32_t k = c->first[r]; k < c->first[r + 1]; k++) {
        double m = weight_of(d, c->member[k]);
        sn_dough_place(world, d, c->member[k], x);
        s->mass += m;
        for (int i = 0; i < 3; i++) {
            s->centre[i] += m * x[i];
            s->rest[i] += m * c->rest[k][i];
        }
    }
    for (int i = 0; i < 3; i++) {
        s->centre[i] /= s->mass;
        s->rest[i] /= s->mass;
    }
    for (uint32_t k = c->first[r]; k < c->first[r + 1]; k++) {
        double m = weight_of(d, c->member[k]), y[3];
        sn_dough_place(world, d, c->member[k], x);
        for (int i = 0; i < 3; i++) y[i] = c->rest[k][i] - s->rest[i];
        for (int j = 0; j < 3; j++)
            for (int i = 0; i < 3; i++) s->a[3 * j + i] += m * ((x[i] - s->centre[i]) * y[j]);
        const double add[6] = {y[0] * y[0], y[1] * y[1], y[2] * y[2],
                               y[1] * y[2], y[2] * y[0], y[0] * y[1]};
        for (int i = 0; i < 6; i++) s->square[i] += m * add[i];
    }
}

/* F; false where the cluster is flat, crushed or inside out. */
static bool find_gradient(const sums *s, double f[9]) {
    double inverse[6], full[9];
    if (sn_matrix3_pseudo_inverse(s->square, flat, inverse) < 3) return false;
    sn_matrix3_full(inverse, full);
    sn_matrix3_mul(s->a, full, f);
    return sn_matrix3_det(f) > 0.01;
}

void sn_dough_back(const sn_world *world, const sn_dough_state *d, size_t r, double out[9]) {
    sums s;
    double f[9];
    add_up(world, d, r, &s);
    if (!find_gradient(&s, f)) sn_matrix3_of_quat(d->clusters.rotation[r], f);
    sn_matrix3_inverse(f, out);
}

/* S - 1, and its norm; false where there is no F. */
static bool find_strain(const sums *s, const double rotation[9], double strain[9], double *norm) {
    double stretch[9], f[9];
    if (!find_gradient(s, f)) return false;
    sn_matrix3_transposed_mul(rotation, f, stretch);
    double square = 0;
    for (int i = 0; i < 9; i++) {
        strain[i] = 0.5 * (stretch[i] + stretch[i % 3 * 3 + i / 3]) - (i % 4 == 0 ? 1 : 0);
        square += strain[i] * strain[i];
    }
    *norm = __builtin_sqrt(square);
    return true;
}

static void flow(const sn_world *world, sn_dough_state *d, size_t r, double dt) {
    sn_dough_clusters *c = &d->clusters;
    sums s;
    double rotation[9], strain[9], norm, part = dt * (double)d->def.plastic_creep;
    add_up(world, d, r, &s);
    sn_matrix3_of_quat(c->rotation[r], rotation);
    if (!find_strain(&s, rotation, strain, &norm)) return;
    if (!(norm > (double)d->def.plastic_yield)) return;
    if (part > 1) part = 1;
    double map[9];
    for (int i = 0; i < 9; i++) map[i] = part * strain[i] + (i % 4 == 0 ? 1 : 0);
    double volume = sn_matrix3_det(map);
    if (!(volume > 0.01)) return;
    double scale = 1 / sn_cube_root(volume);
    for (int i = 0; i < 9; i++) map[i] *= scale;
    for (uint32_t k = c->first[r]; k < c->first[r + 1]; k++) {
        double arm[3];
        for (int i = 0; i < 3; i++) arm[i] = c->rest[k][i] - s.rest[i];
        sn_matrix3_apply(map, arm, c->rest[k]);
    }
    c->flow[r] += part * norm;
}

void sn_dough_flow(const sn_world *world, sn_dough_state *d, double dt) {
    for (size_t r = 0; r < d->clusters.count; r++) flow(world, d, r, dt);
}
