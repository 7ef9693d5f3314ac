/*
 * Elements that fail the step-size condition, by shape matching of their four nodes:
 *
 *   C(x)     = sqrt(sum_n m |x_n - g_n|^2),   g_n = c + R q_n,   grad_n C = m (x_n - g_n) / C
 *
 * with m the share of a corner, as in constraints/shape_match.c. There are few of them, so they are
 * solved one after the other, in order.
 */
#include "systems/finite_elements/element_sets.h"

#include "math/matrix3.h"
#include "math/rotations.h"

/* How far the nodes are from their goals, m. */
static void miss(const sn_world *world, const sn_element *e, double error[12]) {
    double centre[3], a[4][9] = {{0}},
                      q[4][4] = {{0, 0, 0, 1}, {0, 0, 0, 1}, {0, 0, 0, 1}, {0, 0, 0, 1}};
    double r[9];
    sn_element_places(world, e, error);
    for (int k = 0; k < 3; k++) centre[k] = (error[3 + k] + error[6 + k] + error[9 + k]) / 4;
    for (int n = 0; n < 4; n++)
        for (int k = 0; k < 3; k++) error[3 * n + k] -= centre[k];
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++)
            for (int n = 0; n < 4; n++) a[0][3 * c + k] += error[3 * n + k] * e->place[3 * n + c];
    sn_rotations_four((const double(*)[9])a, q);
    sn_matrix3_of_quat(q[0], r);
    for (int n = 0; n < 4; n++) {
        double goal[3];
        sn_matrix3_apply(r, e->place + 3 * n, goal);
        for (int k = 0; k < 3; k++) error[3 * n + k] -= goal[k];
    }
}

static void match(const sn_step *step, const sn_element *e, double *lambda) {
    const sn_world *world = step->world;
    double error[12], squares = 0, moved = 0;
    miss(world, e, error);
    for (int n = 0; n < 4; n++) {
        const double *at = error + 3 * n;
        double square = (at[0] * at[0] + at[1] * at[1]) + at[2] * at[2];
        squares += square;
        moved += (double)world->nodes.w[e->node[n]] * square;
    }
    double c = __builtin_sqrt(e->mass * squares), alpha = e->compliance / (step->h * step->h);
    if (!(c > 0 && moved > 0)) return;
    double change = -(c + alpha * *lambda) / (e->mass * moved / squares + alpha);
    *lambda += change;
    for (int n = 0; n < 4; n++) {
        double by = (double)world->nodes.w[e->node[n]] * e->mass * change / c;
        *(sn_v4 *)&world->nodes.d[e->node[n]] +=
            (sn_v4){(sn_real)(by * error[3 * n]), (sn_real)(by * error[3 * n + 1]),
                    (sn_real)(by * error[3 * n + 2]), 0};
    }
}

void sn_elements_match(sn_step *step) {
    const sn_world *world = step->world;
    const sn_elements *all = &sn_element_sets_of(world)->elements;
    for (size_t i = 0; i < all->count && all->any_matched; i++) {
        const sn_element *e = &all->element[i];
        if (!all->matched[i] || sn_sleep_has(&world->sleep, world->nodes.body[e->node[0]]))
            continue;
        if (step->iteration == 0) all->lambda[i] = 0;
        match(step, e, &all->lambda[i]);
    }
}
