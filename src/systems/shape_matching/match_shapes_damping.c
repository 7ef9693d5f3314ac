/*
 * Damping within regions, as Rivers and James 2007 do it: every velocity is brought nearer to the
 * mean of the rigid motions of its regions, which have the momentum and the angular momentum of
 * their members. With masses that are shared between regions both momenta of the whole stay.
 *
 * Kinematic nodes do not count.
 */
#include "systems/shape_matching/match_shapes.h"

#include "math/quaternion.h"
#include "systems/shape_matching/shape_matchings.h"

enum { NODES_ALONE = 256, REGIONS_ALONE = 64, MOTION = 8 };
/* Of what was summed up, that much may be rounding. */
#define ROUNDING 1e-14

bool sn_shape_matchings_are_damped(const sn_world *world) {
    for (size_t i = 0; i < sn_shape_matchings_of(world)->slots.count; i++)
        if (sn_shape_matchings_of(world)->slots.alive[i] &&
            sn_shape_matchings_of(world)->state[i].def.damping > 0)
            return true;
    return false;
}

/* m v, m x x v, m x x^T, m x and m of a node. */
static void add_place(double mass, const double x[3], const double v[3],
                      double row[SN_MATCH_DAMP]) {
    double l[3];
    sn_double3_cross(x, v, l);
    const double square[6] = {x[0] * x[0], x[1] * x[1], x[2] * x[2],
                              x[1] * x[2], x[2] * x[0], x[0] * x[1]};
    for (int a = 0; a < 3; a++) {
        row[a] = mass * v[a];
        row[3 + a] = mass * l[a];
        row[12 + a] = mass * x[a];
    }
    for (int k = 0; k < 6; k++) row[6 + k] = mass * square[k];
    row[15] = mass;
}

/* What a frame adds: its own angular momentum, and what its inertia is as a sum of m x x^T. */
static void add_frame(const sn_frames *frames, size_t frame, double regions,
                      double row[SN_MATCH_DAMP]) {
    sn_vec4 i = frames->inertia[frame], omega = frames->omega[frame], q = frames->q[frame];
    const double from[4] = {(double)q.x, (double)q.y, (double)q.z, (double)q.w};
    const double part[3] = {(double)i.x / regions, (double)i.y / regions, (double)i.z / regions};
    double spin[3] = {part[0] * (double)omega.x, part[1] * (double)omega.y,
                      part[2] * (double)omega.z};
    double turn[9], scaled[9], square[9], l[3], half = 0.5 * (part[0] + part[1] + part[2]);
    sn_matrix3_of_quat(from, turn);
    sn_matrix3_apply(turn, spin, l);
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++) scaled[3 * c + r] = turn[3 * c + r] * (half - part[c]);
    sn_matrix3_mul_transposed(scaled, turn, square);
    const double add[6] = {square[0], square[4], square[8], square[5], square[2], square[1]};
    for (int a = 0; a < 3; a++) row[3 + a] += l[a];
    for (int k = 0; k < 6; k++) row[6 + k] += add[k];
}

static void weigh_range(void *context, size_t begin, size_t end) {
    const sn_match *c = context;
    const sn_shape_matching_state *m = c->matching;
    const sn_nodes *nodes = &c->world->nodes;
    for (size_t i = begin; i < end; i++) {
        size_t slot = m->node[i].slot - 1;
        double *row = c->all->row + SN_MATCH_DAMP * i, x[3];
        sn_vec4 v = nodes->v[slot];
        const double speed[3] = {(double)v.x, (double)v.y, (double)v.z};
        for (int k = 0; k < SN_MATCH_DAMP; k++) row[k] = 0;
        if (!(nodes->w[slot] > 0 && m->at[i].regions > 0)) continue;
        sn_match_place(c, slot, x);
        add_place(m->at[i].mass, x, speed, row);
        if (m->orientation)
            add_frame(&c->world->frames, nodes->frame[slot] - 1, m->at[i].regions, row);
    }
}

/* omega = I^-1 L; directions with `least` inertia or next to none, as all of a single node and one
   of two, get no rotation. */
static void solve(const double inertia[6], double least, const double l[3], double omega[3]) {
    double full[9], inverse[9], some[6];
    double trace = inertia[0] + inertia[1] + inertia[2];
    for (int a = 0; a < 3; a++) omega[a] = 0;
    if (!(trace > least)) return;
    double part = least / trace > 1e-9 ? least / trace : 1e-9;
    sn_matrix3_full(inertia, full);
    if (sn_matrix3_det(full) > part * (trace * trace * trace)) {
        sn_matrix3_inverse(full, inverse);
    } else {
        (void)sn_matrix3_pseudo_inverse(inertia, part, some);
        sn_matrix3_full(some, inverse);
    }
    sn_matrix3_apply(inverse, l, omega);
}

/* What is summed up, or what a sum is a difference of, as fast plans have it. */
typedef struct whole {
    const sn_match *match;
    bool fast;
    double mass, square; /* of all nodes: m, and m x . x */
} whole;

static whole whole_of(const sn_match *c) {
    const sn_shape_matching_state *m = c->matching;
    whole all = {.match = c, .fast = sn_region_sums_chosen(&m->sums) != SN_REGION_SUMS_DIRECT};
    for (size_t i = 0; all.fast && i < m->nodes; i++) {
        const double *row = c->all->row + SN_MATCH_DAMP * i;
        all.mass += row[15];
        all.square += row[6] + row[7] + row[8];
    }
    return all;
}

/* The rigid motion of a region: omega, and the velocity at the origin. What rounding leaves of
   regions without a node that moves, or with one that has no arm, is neither mass nor inertia. */
static void move_range(void *context, size_t begin, size_t end) {
    const whole *all = context;
    const sn_match *c = all->match;
    for (size_t r = begin; r < end; r++) {
        const double *sum = c->all->sum + SN_MATCH_DAMP * r, mass = sum[15];
        double *row = c->all->motion + MOTION * r, centre[3], velocity[3], l[3], turn[3];
        double least = ROUNDING * (all->fast ? all->square : sum[6] + sum[7] + sum[8]);
        for (int k = 0; k < MOTION; k++) row[k] = 0;
        if (!(mass > ROUNDING * all->mass)) continue;
        for (int a = 0; a < 3; a++) {
            centre[a] = sum[12 + a] / mass;
            velocity[a] = sum[a] / mass;
        }
        sn_double3_cross(centre, sum, l);
        for (int a = 0; a < 3; a++) l[a] = sum[3 + a] - l[a];
        const double *x = centre;
        const double square[6] = {sum[6] - mass * (x[0] * x[0]),  sum[7] - mass * (x[1] * x[1]),
                                  sum[8] - mass * (x[2] * x[2]),  sum[9] - mass * (x[1] * x[2]),
                                  sum[10] - mass * (x[2] * x[0]), sum[11] - mass * (x[0] * x[1])};
        double trace = square[0] + square[1] + square[2], inertia[6];
        for (int k = 0; k < 6; k++) inertia[k] = (k < 3 ? trace : 0) - square[k];
        solve(inertia, least, l, row);
        sn_double3_cross(row, centre, turn);
        for (int a = 0; a < 3; a++) row[3 + a] = velocity[a] - turn[a];
    }
}

static void damp_frame(const sn_match *c, size_t frame, const double omega[3]) {
    sn_v4 *mine = (sn_v4 *)&c->world->frames.omega[frame];
    sn_vec4 w = c->world->frames.w[frame];
    sn_v4 mean = {(sn_real)omega[0], (sn_real)omega[1], (sn_real)omega[2], 0};
    mean = sn_quat_rotate_back(*(sn_v4 *)&c->world->frames.q[frame], mean);
    sn_v4 k = {w.x > 0 ? (sn_real)c->k : 0, w.y > 0 ? (sn_real)c->k : 0,
               w.z > 0 ? (sn_real)c->k : 0, 0};
    *mine += k * (mean - *mine);
}

static void damp_range(void *context, size_t begin, size_t end) {
    const sn_match *c = context;
    const sn_shape_matching_state *m = c->matching;
    sn_nodes *nodes = &c->world->nodes;
    for (size_t i = begin; i < end; i++) {
        const double *row = c->all->row + MOTION * i;
        size_t slot = m->node[i].slot - 1;
        double x[3], turn[3], omega[3], regions = m->at[i].regions;
        if (!(nodes->w[slot] > 0 && regions > 0)) continue;
        sn_match_place(c, slot, x);
        sn_double3_cross(row, x, turn);
        sn_vec4 *v = &nodes->v[slot];
        double now[3] = {(double)v->x, (double)v->y, (double)v->z};
        for (int a = 0; a < 3; a++) {
            now[a] += c->k * ((row[3 + a] + turn[a]) / regions - now[a]);
            omega[a] = row[a] / regions;
        }
        *v = (sn_vec4){(sn_real)now[0], (sn_real)now[1], (sn_real)now[2], 0};
        if (m->orientation) damp_frame(c, nodes->frame[slot] - 1, omega);
    }
}

void sn_shape_matchings_damp(sn_step *step) {
    sn_shape_matchings *all = sn_shape_matchings_of(step->world);
    for (size_t i = 0; i < all->slots.count; i++) {
        sn_match c;
        if (!sn_match_begin(&c, step, i) || !(c.matching->def.damping > 0)) continue;
        const sn_shape_matching_state *m = c.matching;
        sn_team *team = step->world->bindings.team;
        double k = (double)m->def.damping * step->h;
        c.k = k < 1 ? k : 1;
        sn_team_run(team, m->nodes, NODES_ALONE, weigh_range, &c);
        sn_region_sums_gather(&m->sums, team, all->row, SN_MATCH_DAMP, all->sum);
        whole sums = whole_of(&c);
        sn_team_run(team, sn_shape_matching_shapes(m), REGIONS_ALONE, move_range, &sums);
        sn_region_sums_spread(&m->sums, team, all->motion, MOTION, all->row);
        sn_team_run(team, m->nodes, NODES_ALONE, damp_range, &c);
    }
}
