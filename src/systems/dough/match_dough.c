/*
 * Shape matching of the clusters of a dough. A cluster has its own shape at rest, so that it may
 * flow as far as it likes:
 *
 *   c = sum m~ x / M,  r = sum m~ rest / M,  A = sum m~ (x - c)(rest - r)^T,  R from A
 *   goal of a member c + R (rest - r);  a particle goes to the mean of its goals
 *
 * A particle in n clusters counts with the n-th part of its mass in each, by which momentum is
 * kept. Compliance is that of XPBD, as in systems/shape_matching/match_shapes.c.
 */
#include "base/team.h"
#include "math/matrix3.h"
#include "math/rotations.h"
#include "systems/dough/doughs.h"

#include <string.h>

enum { FOUR = 4, CLUSTERS_ALONE = 32, NODES_ALONE = 256 };

/* ---- Lists ---- */

void sn_dough_list_entries(sn_dough_state *d) {
    const sn_dough_clusters *c = &d->clusters;
    uint32_t *first = d->entry_first, members = c->count > 0 ? c->first[c->count] : 0;
    memset(first, 0, (d->nodes + 1) * sizeof *first);
    for (uint32_t k = 0; k < members; k++) first[c->member[k] + 1]++;
    for (size_t i = 0; i < d->nodes; i++) first[i + 1] += first[i];
    for (uint32_t k = 0; k < members; k++) d->entry[first[c->member[k]]++] = k;
    for (size_t i = d->nodes; i > 0; i--) first[i] = first[i - 1];
    first[0] = 0;
}

/* Kinematic ones weigh a thousand times what others do in the mean. */
void sn_dough_weigh(const sn_world *world, sn_dough_state *d) {
    for (size_t i = 0; i < d->nodes; i++) {
        double mass = sn_dough_mass(world, d, i);
        uint32_t clusters = d->entry_first[i + 1] - d->entry_first[i];
        if (!(mass > 0)) mass = 1000 * d->mass;
        d->weight[i] = clusters > 0 ? mass / clusters : 0;
    }
}

bool sn_doughs_plan(sn_step *step) {
    sn_doughs *all = sn_doughs_of(step->world);
    for (size_t i = 0; i < all->slots.count; i++) {
        if (!all->slots.alive[i]) continue;
        if (!sn_dough_reserve_scratch(&all->state[i], &step->world->memory)) return false;
        sn_dough_weigh(step->world, &all->state[i]);
    }
    return true;
}

/* ---- Goals ---- */

typedef struct pass {
    sn_world *world;
    sn_dough_state *d;
    double alpha; /* 1, compliance over h^2 */
    bool first;   /* of the sweeps of a substep */
} pass;

static void place(const pass *p, uint32_t i, double out[3]) {
    size_t slot = p->d->node[i].slot - 1;
    sn_vec4 x = p->world->nodes.x[slot], d = p->world->nodes.d[slot];
    out[0] = (double)x.x + (double)d.x;
    out[1] = (double)x.y + (double)d.y;
    out[2] = (double)x.z + (double)d.z;
}

typedef struct shape {
    double centre[3], rest[3]; /* of where members are, and of where they are at rest */
} shape;

static void find_matrix(const pass *p, size_t r, shape *s, double a[9]) {
    const sn_dough_clusters *c = &p->d->clusters;
    double mass = 0, x[3];
    *s = (shape){0};
    memset(a, 0, 9 * sizeof *a);
    for (uint32_t k = c->first[r]; k < c->first[r + 1]; k++) {
        double m = p->d->weight[c->member[k]];
        place(p, c->member[k], x);
        mass += m;
        for (int i = 0; i < 3; i++) {
            s->centre[i] += m * x[i];
            s->rest[i] += m * c->rest[k][i];
        }
    }
    for (int i = 0; i < 3; i++) {
        s->centre[i] /= mass;
        s->rest[i] /= mass;
    }
    for (uint32_t k = c->first[r]; k < c->first[r + 1]; k++) {
        double m = p->d->weight[c->member[k]];
        place(p, c->member[k], x);
        for (int j = 0; j < 3; j++)
            for (int i = 0; i < 3; i++)
                a[3 * j + i] += m * ((x[i] - s->centre[i]) * (c->rest[k][j] - s->rest[j]));
    }
}

static void write_goals(const pass *p, size_t r, const shape *s) {
    const sn_dough_clusters *c = &p->d->clusters;
    double rotation[9];
    sn_matrix3_of_quat(c->rotation[r], rotation);
    for (uint32_t k = c->first[r]; k < c->first[r + 1]; k++) {
        double arm[3];
        for (int i = 0; i < 3; i++) arm[i] = c->rest[k][i] - s->rest[i];
        sn_matrix3_apply(rotation, arm, p->d->goal[k]);
        for (int i = 0; i < 3; i++) p->d->goal[k][i] += s->centre[i];
    }
}

static void match_range(void *context, size_t begin, size_t end) {
    const pass *p = context;
    const sn_dough_clusters *c = &p->d->clusters;
    for (size_t r = begin; r < end; r += FOUR) {
        shape s[FOUR];
        double a[FOUR][9], q[FOUR][4];
        for (size_t k = 0; k < FOUR; k++) {
            size_t at = r + k < end ? r + k : end - 1;
            find_matrix(p, at, &s[k], a[k]);
            memcpy(q[k], c->rotation[at], sizeof q[k]);
        }
        sn_rotations_four((const double(*)[9])a, q);
        for (size_t k = 0; k < FOUR && r + k < end; k++) {
            memcpy(c->rotation[r + k], q[k], sizeof q[k]);
            write_goals(p, r + k, &s[k]);
        }
    }
}

/* What is left of an error to be corrected, when some has been before; adds it to that. */
static void relax(const pass *p, sn_vec4 *before, double e[3]) {
    double kept[3] = {(double)before->x, (double)before->y, (double)before->z};
    for (int a = 0; a < 3; a++) {
        if (p->first) kept[a] = 0;
        e[a] = (e[a] - p->alpha * kept[a]) / (1 + p->alpha);
        kept[a] += e[a];
    }
    *before = (sn_vec4){(sn_real)kept[0], (sn_real)kept[1], (sn_real)kept[2], 0};
}

static void move_range(void *context, size_t begin, size_t end) {
    const pass *p = context;
    const sn_dough_state *d = p->d;
    for (size_t i = begin; i < end; i++) {
        size_t slot = d->node[i].slot - 1;
        uint32_t from = d->entry_first[i], to = d->entry_first[i + 1];
        double x[3], e[3] = {0, 0, 0};
        if (from == to || !(p->world->nodes.w[slot] > 0)) continue;
        place(p, (uint32_t)i, x);
        for (uint32_t k = from; k < to; k++)
            for (int a = 0; a < 3; a++) e[a] += d->goal[d->entry[k]][a] - x[a];
        for (int a = 0; a < 3; a++) e[a] /= to - from;
        relax(p, &d->pulled[i], e);
        sn_vec4 *by = &p->world->nodes.d[slot];
        by->x = (sn_real)((double)by->x + e[0]);
        by->y = (sn_real)((double)by->y + e[1]);
        by->z = (sn_real)((double)by->z + e[2]);
    }
}

void sn_doughs_project(sn_step *step) {
    sn_world *world = step->world;
    sn_doughs *all = sn_doughs_of(world);
    for (size_t i = 0; i < all->slots.count; i++) {
        sn_dough_state *d = &all->state[i];
        if (!all->slots.alive[i]) continue;
        double share = sn_history_share(&world->history, world->nodes.body[d->node[0].slot - 1]);
        pass p = {world, d, (double)d->def.compliance / (step->h * step->h * share),
                  step->iteration == 0};
        sn_team_run(world->bindings.team, d->clusters.count, CLUSTERS_ALONE, match_range, &p);
        sn_team_run(world->bindings.team, d->nodes, NODES_ALONE, move_range, &p);
    }
}
