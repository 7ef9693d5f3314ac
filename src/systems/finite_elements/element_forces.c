/*
 * Forces of linear elements in frames that turn with them (Mueller and Gross 2004):
 *
 *   F = sum_n x_n b_n^T,   P = 2 mu (F - R) + lambda tr(R^T F - 1) R,   f_n = -V P b_n
 *
 * Four elements at a time, each into a place of its own; then node by node in the order of the
 * elements, so that threads do not matter.
 */
#include "systems/finite_elements/element_sets.h"

#include "math/matrix3.h"
#include "math/rotations.h"

enum { FOURS_ALONE = 64, NODES_ALONE = 1024 };

static void deform(const double x[12], const double b[12], double f[9]) {
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++)
            f[3 * c + r] = (x[3 + r] * b[3 + c] + x[6 + r] * b[6 + c]) + x[9 + r] * b[9 + c];
}

static void push(const sn_element *e, const double f[9], const double q[4], sn_vec4 force[4]) {
    double r[9], p[9], trace = -3;
    sn_matrix3_of_quat(q, r);
    for (int i = 0; i < 9; i++) trace += r[i] * f[i];
    for (int i = 0; i < 9; i++) p[i] = 2 * e->mu * (f[i] - r[i]) + e->lambda * trace * r[i];
    double sum[3] = {0, 0, 0};
    for (int n = 1; n < 4; n++) {
        double of[3];
        sn_matrix3_apply(p, e->b + 3 * n, of);
        for (int k = 0; k < 3; k++) {
            of[k] *= -e->volume;
            sum[k] += of[k];
        }
        force[n] = (sn_vec4){(sn_real)of[0], (sn_real)of[1], (sn_real)of[2], 0};
    }
    force[0] = (sn_vec4){(sn_real)-sum[0], (sn_real)-sum[1], (sn_real)-sum[2], 0};
}

static void push_fours(void *context, size_t begin, size_t end) {
    const sn_world *world = context;
    const sn_elements *all = &sn_element_sets_of(world)->elements;
    for (size_t four = begin; four < end; four++) {
        double f[4][9] = {{0}}, q[4][4];
        size_t count = all->count - 4 * four < 4 ? all->count - 4 * four : 4;
        for (size_t k = 0; k < 4; k++) {
            for (int i = 0; i < 4; i++) q[k][i] = i == 3;
            if (k >= count) continue;
            const sn_element *e = &all->element[4 * four + k];
            double x[12];
            sn_element_places(world, e, x);
            deform(x, e->b, f[k]);
        }
        sn_rotations_four((const double(*)[9])f, q);
        for (size_t k = 0; k < count; k++) {
            sn_vec4 *force = &all->force[16 * four + 4 * k];
            push(&all->element[4 * four + k], f[k], q[k], force);
            for (int n = 0; n < 4 && all->matched[4 * four + k]; n++) force[n] = (sn_vec4){0};
        }
    }
}

static void add_to_nodes(void *context, size_t begin, size_t end) {
    const sn_world *world = context;
    const sn_elements *all = &sn_element_sets_of(world)->elements;
    for (size_t i = begin; i < end; i++) {
        uint32_t node = all->node[i];
        sn_v4 sum = {0};
        for (size_t k = all->first[node]; k < all->first[node + 1]; k++)
            sum += *(const sn_v4 *)&all->force[all->corner[k]];
        *(sn_v4 *)&world->scratch.acceleration[node] += world->nodes.w[node] * sum;
    }
}

void sn_elements_push(sn_step *step) {
    sn_world *world = step->world;
    const sn_elements *all = &sn_element_sets_of(world)->elements;
    sn_team *team = world->bindings.team;
    sn_team_run(team, (all->count + 3) / 4, FOURS_ALONE, push_fours, world);
    sn_team_run(team, all->nodes, NODES_ALONE, add_to_nodes, world);
}
