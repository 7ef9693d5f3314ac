/*
 * Shape matching of regions (systems/shape_matching/shape_matchings.h), before the sweep of an
 * iteration.
 *
 *   per node     its share of the sums   m x,  m x X^T (+ R D Q^T of an oriented one)
 *   per region   c = sum / M,  A = sum - M c C^T,  its rotation R, its motion x = R S_p X + t
 *   per node     the mean motion of its regions gives a goal, and a rotation to turn to
 *
 * Everybody gathers in the order of their lists, so threads do not matter. All is relative to a
 * node in the middle and in double, and only the displacements of the substep are changed: what is
 * at its goal stays there, far from the origin as well.
 *
 * Compliance is that of XPBD with one multiplier per node, whose denominator is 1 + alpha / h^2 as
 * masses are in the metric: pulls are (e - alpha~ pulled) / (1 + alpha~).
 */
#include "systems/shape_matching/match_shapes.h"

#include "math/quaternion.h"
#include "math/root.h"
#include "math/rotations.h"
#include "systems/shape_matching/shape_matchings.h"

enum { NODES_ALONE = 256, REGIONS_ALONE = 64, FOUR = 4 };

/* ---- Nodes to regions ---- */

static void rotation_of_frame(const sn_frames *frames, size_t frame, double out[9]) {
    sn_vec4 q = frames->q[frame];
    const double from[4] = {(double)q.x, (double)q.y, (double)q.z, (double)q.w};
    sn_matrix3_of_quat(from, out);
}

static void add_moment(const sn_match *c, const sn_match_node *n, size_t slot, double row[12]) {
    double rotation[9], moment[9];
    rotation_of_frame(&c->world->frames, c->world->nodes.frame[slot] - 1, rotation);
    sn_matrix3_mul(rotation, n->arm, moment);
    for (int k = 0; k < 9; k++) row[3 + k] += moment[k];
}

static void weigh_range(void *context, size_t begin, size_t end) {
    const sn_match *c = context;
    const sn_shape_matching_state *m = c->matching;
    for (size_t i = begin; i < end; i++) {
        const sn_match_node *n = &m->at[i];
        size_t slot = m->node[i].slot - 1;
        double *row = c->all->row + SN_MATCH_SUMS * i, x[3];
        sn_match_place(c, slot, x);
        for (int a = 0; a < 3; a++) row[a] = n->mass * x[a];
        for (int b = 0; b < 3; b++)
            for (int a = 0; a < 3; a++) row[3 + 3 * b + a] = n->mass * (x[a] * n->rest[b]);
        if (m->orientation) add_moment(c, n, slot, row);
    }
}

/* ---- Regions ---- */

/* F: what maps the shape at rest onto where it is, as well as a matrix can; where the shape has no
   extent, what the rotation does. */
static void find_stretch(const sn_shape_matching_state *m, size_t r, const double a[9],
                         const double rigid[9], double out[9]) {
    double inverse[9], missing[9], rest[9];
    sn_matrix3_full(m->region[r].inverse, inverse);
    sn_matrix3_full(m->region[r].missing, missing);
    sn_matrix3_mul(a, inverse, out);
    sn_matrix3_mul(rigid, missing, rest);
    for (int k = 0; k < 9; k++) out[k] += rest[k];
}

/* The share beta of F at the volume at rest; nothing of what is crushed or inside out. */
static void blend(const sn_shape_matching_state *m, size_t r, const double a[9], double rigid[9]) {
    double stretch[9], beta = (double)m->def.beta;
    find_stretch(m, r, a, rigid, stretch);
    double volume = sn_matrix3_det(stretch);
    if (!(volume > 0.01 && volume < 100)) return;
    double scale = beta / sn_cube_root(volume);
    for (int k = 0; k < 9; k++) rigid[k] = scale * stretch[k] + (1 - beta) * rigid[k];
}

/* A, and what the rotation is taken from: A S_p^T. */
static void find_matrix(const sn_match *c, size_t r, double centre[3], double a[9],
                        double turned[9]) {
    const sn_shape_matching_state *m = c->matching;
    const sn_match_region *region = &m->region[r];
    const double *sum = c->all->sum + SN_MATCH_SUMS * r;
    for (int k = 0; k < 3; k++) centre[k] = sum[k] / region->mass;
    for (int b = 0; b < 3; b++)
        for (int k = 0; k < 3; k++) a[3 * b + k] = sum[3 + 3 * b + k] - sum[k] * region->centre[b];
    for (int k = 0; k < 9; k++) turned[k] = a[k];
    if (m->plastic) sn_matrix3_mul_transposed(a, m->plastic[r], turned);
}

void sn_match_four(const sn_match *c, size_t r, size_t end, sn_match_found *found) {
    const sn_shape_matching_state *m = c->matching;
    double matrix[FOUR][9], q[FOUR][4];
    for (size_t k = 0; k < FOUR; k++) {
        size_t at = r + k < end ? r + k : end - 1;
        find_matrix(c, at, found[k].centre, found[k].a, matrix[k]);
        for (int i = 0; i < 4; i++) q[k][i] = m->rotation[at][i];
    }
    sn_rotations_four((const double(*)[9])matrix, q);
    for (size_t k = 0; k < FOUR && r + k < end; k++) {
        for (int i = 0; i < 4; i++) m->rotation[r + k][i] = q[k][i];
        sn_matrix3_of_quat(q[k], found[k].rotation);
    }
}

/* The motion of a region as a row: a matrix and where it takes the middle of all. */
static void write_motion(const sn_match *c, size_t r, const sn_match_found *found) {
    const sn_shape_matching_state *m = c->matching;
    double *row = c->all->motion + c->width * r, matrix[9], shift[3];
    for (int k = 0; k < 9; k++) matrix[k] = found->rotation[k];
    if (m->plastic) sn_matrix3_mul(found->rotation, m->plastic[r], matrix);
    if (m->def.mode == SN_SHAPE_MATCHING_LINEAR) blend(m, r, found->a, matrix);
    sn_matrix3_apply(matrix, m->region[r].centre, shift);
    for (int k = 0; k < 9; k++) row[k] = matrix[k];
    for (int k = 0; k < 3; k++) row[9 + k] = found->centre[k] - shift[k];
    for (size_t k = 12; k < c->width; k++) row[k] = k < 21 ? found->rotation[k - 12] : 0;
}

static void match_range(void *context, size_t begin, size_t end) {
    const sn_match *c = context;
    sn_match_found found[FOUR];
    for (size_t r = begin; r < end; r += FOUR) {
        sn_match_four(c, r, end, found);
        for (size_t k = 0; k < FOUR && r + k < end; k++) write_motion(c, r + k, &found[k]);
    }
}

/* ---- Regions to nodes ---- */

/* What is left of an error to be corrected, when some has been before; adds it to that. */
static void relax(const sn_match *c, sn_vec4 *before, double e[3]) {
    for (int a = 0; a < 3; a++) e[a] *= c->k;
    if (!(c->alpha > 0)) return;
    double kept[3] = {(double)before->x, (double)before->y, (double)before->z};
    for (int a = 0; a < 3; a++) {
        if (c->first) kept[a] = 0;
        e[a] -= c->k * (c->alpha * kept[a]);
        kept[a] += e[a];
    }
    *before = (sn_vec4){(sn_real)kept[0], (sn_real)kept[1], (sn_real)kept[2], 0};
}

static void pull_node(const sn_match *c, size_t i, const double row[12]) {
    const sn_shape_matching_state *m = c->matching;
    const sn_match_node *n = &m->at[i];
    size_t slot = m->node[i].slot - 1;
    double x[3], goal[3], e[3];
    if (!(c->world->nodes.w[slot] > 0)) return;
    sn_match_place(c, slot, x);
    sn_matrix3_apply(row, n->rest, goal);
    for (int a = 0; a < 3; a++)
        e[a] = n->regions > 0 ? (goal[a] + row[9 + a]) / n->regions - x[a] : 0;
    if (m->def.fibre_count > 0) sn_match_fibres_blend(c, i, e);
    relax(c, m->pulled ? &m->pulled[i] : NULL, e);
    sn_vec4 *d = &c->world->nodes.d[slot];
    d->x = (sn_real)((double)d->x + e[0]);
    d->y = (sn_real)((double)d->y + e[1]);
    d->z = (sn_real)((double)d->z + e[2]);
}

/*
 * The turn that the regions of a node ask for, in its frame: with G = R^T (sum of rotations) Q D,
 * the slope of what the regions make largest is (G_zy - G_yz, ...), and the inertia of the particle
 * is tr(D) - D. With the mean of all regions this gives the angular momentum back that D has taken
 * from the positions.
 */
static void mean_turn(const sn_match *c, const sn_match_node *n, size_t frame,
                      const double rotation[9], double out[3]) {
    double own[9], mean[9], g[9], yield[9];
    rotation_of_frame(&c->world->frames, frame, own);
    sn_matrix3_mul_transposed(rotation, n->arm, mean);
    sn_matrix3_transposed_mul(own, mean, g);
    const double slope[3] = {g[5] - g[7], g[6] - g[2], g[1] - g[3]};
    sn_matrix3_full(n->yield, yield);
    sn_matrix3_apply(yield, slope, out);
}

/* The turn to the rotation of one region. */
static void centre_turn(const sn_match *c, size_t i, size_t frame, size_t region, double out[3]) {
    const sn_shape_matching_state *m = c->matching;
    const double *r = m->rotation[region];
    sn_quat rest = m->orientation[i];
    sn_vec4 now = c->world->frames.q[frame];
    const double q[4] = {(double)rest.x, (double)rest.y, (double)rest.z, (double)rest.w};
    const double p[4] = {-(double)now.x, -(double)now.y, -(double)now.z, (double)now.w};
    /* r q, then what leads there: conj(now) r q. */
    double goal[4], displacement[4];
    sn_double4_quat_mul(r, q, goal);
    sn_double4_quat_mul(p, goal, displacement);
    double scale = displacement[3] < 0 ? -2 : 2,
           w = displacement[3] < 0 ? -displacement[3] : displacement[3];
    /* The turn of a frame by phi is 2 atan(|phi| / 2). */
    scale /= w > 0.5 ? w : 0.5;
    for (int a = 0; a < 3; a++) out[a] = scale * displacement[a];
}

static void turn_node(const sn_match *c, size_t i, const double *row) {
    const sn_shape_matching_state *m = c->matching;
    sn_frames *frames = &c->world->frames;
    size_t frame = c->world->nodes.frame[m->node[i].slot - 1] - 1;
    sn_vec4 w = frames->w[frame];
    double phi[3];
    if (!(w.x > 0 || w.y > 0 || w.z > 0)) return;
    if (m->def.turn == SN_SHAPE_MATCHING_TURN_CENTRE && m->own[i] > 0)
        centre_turn(c, i, frame, m->own[i] - 1, phi);
    else
        mean_turn(c, &m->at[i], frame, c->width > 12 ? row + 12 : row, phi);
    relax(c, m->turned ? &m->turned[i] : NULL, phi);
    sn_v4 turn = {w.x > 0 ? (sn_real)phi[0] : 0, w.y > 0 ? (sn_real)phi[1] : 0,
                  w.z > 0 ? (sn_real)phi[2] : 0, 0};
    *(sn_v4 *)&frames->turn[frame] += turn;
    *(sn_v4 *)&frames->q[frame] = sn_quat_turn(*(sn_v4 *)&frames->q[frame], turn);
}

static void move_range(void *context, size_t begin, size_t end) {
    const sn_match *c = context;
    for (size_t i = begin; i < end; i++) {
        const double *row = c->all->row + c->width * i;
        bool matched = c->matching->at[i].regions > 0;
        if (matched || c->matching->def.fibre_count > 0) pull_node(c, i, row);
        if (matched && c->matching->orientation) turn_node(c, i, row);
    }
}

/* ---- All of them ---- */

/* Shape matchings join their bodies, so one node speaks for all. */
static uint32_t first_free(const sn_world *world, const sn_shape_matching_state *m) {
    for (size_t i = 0; i < m->nodes; i++)
        if (world->nodes.w[m->node[i].slot - 1] > 0) return m->node[i].slot;
    return 0;
}

/* Where the middle of all would be by the node that is nearest to it. Rounding is then as often
   this way as that, and gives no momentum. */
static void find_origin(sn_match *c) {
    const sn_shape_matching_state *m = c->matching;
    sn_vec4 x = c->world->nodes.x[m->node[m->middle].slot - 1];
    uint32_t first = m->sums.region_first[m->middle];
    const double at[3] = {(double)x.x, (double)x.y, (double)x.z};
    double rotation[9], displacement[3] = {0, 0, 0};
    if (m->at[m->middle].regions > 0) {
        sn_matrix3_of_quat(m->rotation[m->sums.region[first]], rotation);
        sn_matrix3_apply(rotation, m->at[m->middle].rest, displacement);
    }
    for (int a = 0; a < 3; a++) c->origin[a] = at[a] - displacement[a];
}

bool sn_match_begin(sn_match *c, sn_step *step, size_t i) {
    sn_world *world = step->world;
    sn_shape_matchings *all = sn_shape_matchings_of(world);
    sn_shape_matching_state *m = &all->state[i];
    if (!all->slots.alive[i]) return false;
    uint32_t node = first_free(world, m);
    if (node > 0 && world->sleep.count > 0 &&
        sn_sleep_has(&world->sleep, world->nodes.body[node - 1]))
        return false;
    *c = (sn_match){.world = world, .all = all, .matching = m};
    find_origin(c);
    c->width = sn_shape_matching_width(m);
    c->share = node > 0 ? sn_history_share(&world->history, world->nodes.body[node - 1]) : 1;
    return true;
}

/* How much of an error a sweep corrects. */
static void soften(sn_match *c, double h) {
    const sn_settings *settings = &c->world->settings;
    double k = (double)c->matching->def.stiffness;
    if (settings->model == SN_MODEL_PBD) {
        c->k = k < 1 ? 1 - sn_root(1 - k, settings->iterations) : 1;
        return;
    }
    c->alpha = (double)c->matching->def.compliance / (h * h * c->share);
    c->k = 1 / (1 + c->alpha);
}

void sn_match_gather(const sn_match *c) {
    const sn_shape_matching_state *m = c->matching;
    sn_team_run(c->world->bindings.team, m->nodes, NODES_ALONE, weigh_range, (void *)(uintptr_t)c);
    sn_region_sums_gather(&m->sums, c->world->bindings.team, c->all->row, SN_MATCH_SUMS,
                          c->all->sum);
}

void sn_shape_matchings_project(sn_step *step) {
    sn_shape_matchings *all = sn_shape_matchings_of(step->world);
    for (size_t i = 0; i < all->slots.count; i++) {
        sn_match c;
        if (!sn_match_begin(&c, step, i)) continue;
        const sn_shape_matching_state *m = c.matching;
        sn_team *team = step->world->bindings.team;
        c.first = step->iteration == 0;
        soften(&c, step->h);
        sn_match_gather(&c);
        sn_team_run(team, sn_shape_matching_shapes(m), REGIONS_ALONE, match_range, &c);
        if (m->def.fibre_count > 0) sn_match_fibres_walk(&c);
        sn_region_sums_spread(&m->sums, team, all->motion, c.width, all->row);
        sn_team_run(team, m->nodes, NODES_ALONE, move_range, &c);
    }
}

bool sn_shape_matchings_prepare(sn_step *step) {
    sn_world *world = step->world;
    return sn_shape_matchings_plan(sn_shape_matchings_of(world), &world->memory, &world->nodes,
                                   &world->frames, world->scratch.masses_changed);
}

/* ---- What stays for good ---- */

/* One region: S = R^T F S_p^-1, and the shape at rest follows it (survey, section 5.11.5). */
static void yield(const sn_match *c, size_t r, const sn_match_found *found) {
    const sn_shape_matching_state *m = c->matching;
    const sn_shape_matching_def *def = &m->def;
    double rigid[9], stretch[9], back[9], elastic[9], s[9], next[9], norm = 0;
    double *plastic = m->plastic[r];
    sn_matrix3_mul(found->rotation, plastic, rigid);
    find_stretch(m, r, found->a, rigid, stretch);
    sn_matrix3_inverse(plastic, back);
    sn_matrix3_mul(stretch, back, elastic);
    sn_matrix3_transposed_mul(found->rotation, elastic, s);
    for (int k = 0; k < 9; k += 4) s[k] -= 1;
    for (int k = 0; k < 9; k++) norm += s[k] * s[k];
    norm = __builtin_sqrt(norm);
    if (!(norm > (double)def->plastic_yield && norm < 1e6)) return;
    double rate = (double)def->plastic_creep * c->dt;
    for (int k = 0; k < 9; k++) s[k] *= rate < 1 ? rate : 1;
    for (int k = 0; k < 9; k += 4) s[k] += 1;
    sn_matrix3_mul(s, plastic, next);
    sn_match_bound(next, (double)def->plastic_limit);
    double volume = sn_matrix3_det(next);
    if (!(volume > 0.01 && volume < 100)) return;
    double scale = 1 / sn_cube_root(volume);
    for (int k = 0; k < 9; k++) plastic[k] = scale * next[k];
}

static void yield_range(void *context, size_t begin, size_t end) {
    const sn_match *c = context;
    sn_match_found found[FOUR];
    for (size_t r = begin; r < end; r += FOUR) {
        sn_match_four(c, r, end, found);
        for (size_t k = 0; k < FOUR && r + k < end; k++) yield(c, r + k, &found[k]);
    }
}

void sn_shape_matchings_flow(sn_step *step) {
    sn_shape_matchings *all = sn_shape_matchings_of(step->world);
    for (size_t i = 0; i < all->slots.count; i++) {
        sn_match c;
        if (!sn_match_begin(&c, step, i) || !c.matching->plastic) continue;
        if (c.matching->def.plastic_yield == SN_AUTO) continue;
        c.dt = step->dt;
        sn_match_gather(&c);
        sn_team_run(step->world->bindings.team, sn_shape_matching_shapes(c.matching), REGIONS_ALONE,
                    yield_range, &c);
    }
}
