/*
 * What follows from the shape of elements at rest: gradients, and the longest step that is stable.
 *
 * Explicit integration of an element is stable while h omega < 2, omega^2 the largest eigenvalue of
 * M^-1 K. With lumped masses that of the whole is not above the largest of its elements, each with
 * its own share of the masses (Fried 1972): so elements can be asked one by one, and those that
 * fail can be taken out without harm to the others.
 */
#include "systems/finite_elements/element_sets.h"

#include "math/matrix3.h"
#include "math/principal.h"

enum { STRAINS = 6, SQUARINGS = 6 };

/* ---- The highest frequency ---- */

/* B B^T, summed over the nodes: strains xx, yy, zz, yz, zx, xy of displacements. */
static void sum_gradients(const double b[12], double g[STRAINS][STRAINS]) {
    for (int i = 0; i < STRAINS; i++)
        for (int j = 0; j < STRAINS; j++) g[i][j] = 0;
    for (int n = 0; n < 4; n++) {
        const double *k = b + 3 * n;
        const double rows[STRAINS][3] = {{k[0], 0, 0},    {0, k[1], 0},    {0, 0, k[2]},
                                         {0, k[2], k[1]}, {k[2], 0, k[0]}, {k[1], k[0], 0}};
        for (int i = 0; i < STRAINS; i++)
            for (int j = 0; j < STRAINS; j++)
                g[i][j] +=
                    rows[i][0] * rows[j][0] + rows[i][1] * rows[j][1] + rows[i][2] * rows[j][2];
    }
}

/* Divides a matrix by its trace, which it returns, and squares it. */
static double square(double a[STRAINS][STRAINS]) {
    double trace = 0, out[STRAINS][STRAINS];
    for (int i = 0; i < STRAINS; i++) trace += a[i][i];
    for (int i = 0; i < STRAINS; i++)
        for (int j = 0; j < STRAINS; j++) {
            double sum = 0;
            for (int k = 0; k < STRAINS; k++) sum += a[i][k] / trace * (a[k][j] / trace);
            out[i][j] = sum;
        }
    for (int i = 0; i < STRAINS; i++)
        for (int j = 0; j < STRAINS; j++) a[i][j] = out[i][j];
    return trace;
}

/*
 * A bound of the largest eigenvalue of M^-1 K from above, 1/s^2: the eigenvalues that are not zero
 * are those of V / m D B B^T, and none is above the 64th root of the trace of its 64th power, which
 * is at most 6^(1/64), 3 %, too much.
 */
static double highest(const sn_element *e) {
    double g[STRAINS][STRAINS], a[STRAINS][STRAINS], trace[SQUARINGS + 1], bound;
    sum_gradients(e->b, g);
    for (int j = 0; j < STRAINS; j++) {
        double dilation = e->lambda * (g[0][j] + g[1][j] + g[2][j]);
        for (int i = 0; i < STRAINS; i++)
            a[i][j] = i < 3 ? dilation + 2 * e->mu * g[i][j] : e->mu * g[i][j];
    }
    for (int i = 0; i <= SQUARINGS; i++) trace[i] = square(a);
    bound = trace[SQUARINGS];
    for (int i = SQUARINGS; i > 0; i--) bound = trace[i - 1] * __builtin_sqrt(bound);
    return bound * e->volume / e->mass;
}

/* ---- The shape at rest ---- */

/* Places from their centre, gradients and the volume. */
static void measure(const sn_real *rest, sn_element *e) {
    double edge[9], inverse[9], centre[3];
    for (int i = 0; i < 9; i++) edge[i] = (double)rest[i];
    for (int k = 0; k < 3; k++) centre[k] = (edge[k] + edge[3 + k] + edge[6 + k]) / 4;
    for (int n = 0; n < 4; n++)
        for (int k = 0; k < 3; k++)
            e->place[3 * n + k] = (n > 0 ? edge[3 * (n - 1) + k] : 0) - centre[k];
    sn_matrix3_inverse(edge, inverse);
    /* The gradient of node n is row n - 1 of the inverse. */
    for (int n = 1; n < 4; n++)
        for (int k = 0; k < 3; k++) e->b[3 * n + k] = inverse[3 * k + n - 1];
    for (int k = 0; k < 3; k++) e->b[k] = -(e->b[3 + k] + e->b[6 + k] + e->b[9 + k]);
    e->volume = sn_matrix3_det(edge) / 6;
}

/* The mean square of places in the direction in which the element is thinnest, m^2. */
static double thinnest(const sn_element *e) {
    static const int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {2, 0}, {0, 1}};
    double s[6] = {0}, full[9], inverse[9], axis[3];
    for (int i = 0; i < 6; i++)
        for (int n = 0; n < 4; n++)
            s[i] += e->place[3 * n + pair[i][0]] * e->place[3 * n + pair[i][1]] / 4;
    sn_matrix3_full(s, full);
    sn_matrix3_inverse(full, inverse);
    const double six[6] = {inverse[0], inverse[4], inverse[8], inverse[5], inverse[2], inverse[1]};
    return 1 / sn_principal(six, axis);
}

static sn_element element_of(const sn_element_set *set, uint32_t index, size_t tet) {
    double young = (double)set->def.young, nu = (double)set->def.poisson;
    sn_element e = {.set = index,
                    .mu = young / (2 * (1 + nu)),
                    .lambda = young * nu / ((1 + nu) * (1 - 2 * nu))};
    for (int n = 0; n < 4; n++) e.node[n] = set->node[4 * tet + (size_t)n].slot - 1;
    measure(set->rest + 9 * tet, &e);
    e.mass = (double)set->def.density * e.volume / 4;
    e.longest = (double)set->def.courant * 2 / __builtin_sqrt(highest(&e));
    /* As stiff as the material where it is thinnest: stretched along an axis by epsilon, goals are
       missed by epsilon times the place, and half of m |x - goal|^2 / compliance is half of
       young V epsilon^2. */
    e.compliance = (double)set->def.density * thinnest(&e) / young;
    return e;
}

/* ---- The lists ---- */

static bool reserve(sn_elements *all, sn_memory *memory, size_t count, size_t nodes) {
    return sn_reserve(memory, (void **)&all->element, &all->element_room, count,
                      sizeof *all->element) &&
           sn_reserve(memory, (void **)&all->matched, &all->matched_room, count,
                      sizeof *all->matched) &&
           sn_reserve(memory, (void **)&all->lambda, &all->lambda_room, count,
                      sizeof *all->lambda) &&
           sn_reserve(memory, (void **)&all->force, &all->force_room, 4 * count,
                      sizeof *all->force) &&
           sn_reserve(memory, (void **)&all->corner, &all->corner_room, 4 * count,
                      sizeof *all->corner) &&
           sn_reserve(memory, (void **)&all->node, &all->node_room, nodes, sizeof *all->node) &&
           sn_reserve(memory, (void **)&all->first, &all->first_room, nodes + 2,
                      sizeof *all->first);
}

/* Corners by nodes: counted, summed, and filled in order. */
static void sort_corners(sn_elements *all, size_t nodes) {
    for (size_t i = 0; i < nodes + 2; i++) all->first[i] = 0;
    for (size_t i = 0; i < 4 * all->count; i++) all->first[all->element[i / 4].node[i % 4] + 2]++;
    for (size_t i = 1; i < nodes + 2; i++) all->first[i] += all->first[i - 1];
    for (size_t i = 0; i < 4 * all->count; i++)
        all->corner[all->first[all->element[i / 4].node[i % 4] + 1]++] = (uint32_t)i;
    all->nodes = 0;
    for (uint32_t i = 0; i < nodes; i++)
        if (all->first[i + 1] > all->first[i]) all->node[all->nodes++] = i;
}

bool sn_elements_plan(sn_step *step) {
    sn_world *world = step->world;
    const sn_element_sets *sets = sn_element_sets_of(world);
    sn_elements *all = &sn_element_sets_of(world)->elements;
    if (all->made) return true;
    size_t count = 0, nodes = world->nodes.slots.count;
    for (size_t i = 0; i < sets->slots.count; i++) count += sets->state[i].tets;
    if (!reserve(all, &world->memory, count, nodes)) return false;
    all->count = 0;
    for (uint32_t i = 0; i < sets->slots.count; i++)
        for (size_t k = 0; k < sets->state[i].tets; k++) {
            all->matched[all->count] = 0;
            all->element[all->count++] = element_of(&sets->state[i], i, k);
        }
    sort_corners(all, nodes);
    all->made = true;
    return true;
}

void sn_elements_mark(sn_step *step) {
    sn_elements *all = &sn_element_sets_of(step->world)->elements;
    all->any_matched = false;
    for (size_t i = 0; i < all->count; i++) {
        all->matched[i] = step->remembers || !(step->h <= all->element[i].longest);
        all->any_matched = all->any_matched || all->matched[i];
    }
}

void sn_elements_free(sn_elements *elements, sn_memory *memory) {
    sn_free(memory, elements->element, elements->element_room, sizeof *elements->element);
    sn_free(memory, elements->matched, elements->matched_room, sizeof *elements->matched);
    sn_free(memory, elements->force, elements->force_room, sizeof *elements->force);
    sn_free(memory, elements->lambda, elements->lambda_room, sizeof *elements->lambda);
    sn_free(memory, elements->node, elements->node_room, sizeof *elements->node);
    sn_free(memory, elements->first, elements->first_room, sizeof *elements->first);
    sn_free(memory, elements->corner, elements->corner_room, sizeof *elements->corner);
    *elements = (sn_elements){0};
}
