/*
 * Damping that keeps rigid motion: section 3.5 of Mueller et al. 2007.
 *
 *   v_i += k (v_cm + omega x r_i - v_i),   omega = I^-1 L
 *
 * per body and per damping group, with k = min(c h, 1) for a rate c in 1/s. Momentum and angular
 * momentum stay as they are. Sums are in double, in the order of slots for a body and in that of
 * its list for a damping group.
 *
 * Radial damping (Schmedding, Gissler and Teschner 2009) takes (v_i - v_cm) e_i, with e_i = r_i /
 * |r_i|, by forces along e_i, whose reaction is shared by masses. They iterate; where that leads to
 * is
 *
 *   v_i += k (u - (v_i - v_cm + u) e_i e_i),   (M - A) u = b
 *   A = sum m_i e_i e_i^T,   b = sum m_i e_i e_i^T (v_i - v_cm)
 *
 * and the nearest velocities, by kinetic energy, at which no node approaches the centre.
 *
 * BDF2 then goes on as if a node had come with its new velocity, and is told nothing: the change is
 * no acceleration to go on with, and motion that lagged behind the velocities would turn the
 * angular momentum.
 */
#include "systems/damping_group/damping_groups.h"

#include "math/matrix3.h"

#include <math.h>

typedef struct rigid {
    double mass, centre[3], velocity[3];
    double momentum[3]; /* angular, about the centre */
    double inertia[3][3];
    double omega[3];
    double radial[3][3], approach[3], shift[3]; /* M - A, b and u of radial damping */
} rigid;

/* Who is damped together: a body, or a damping group. */
typedef struct group {
    const sn_world *world;
    uint32_t body;
    const sn_damping_group_members *members; /* null for a body */
    double k;
    rigid sum;
} group;

bool sn_rigid_damping_is_needed(const sn_world *world) {
    for (size_t i = 0; i < world->bodies.slots.count; i++)
        if (world->bodies.slots.alive[i] && world->bodies.def[i].rigid_damping > 0) return true;
    for (size_t i = 0; i < sn_damping_groups_of(world)->slots.count; i++)
        if (sn_damping_groups_of(world)->members[i].def.damping > 0) return true;
    return false;
}

/* Solves a positive semidefinite system; directions with `least` inertia or next to none, as those
   of a single node or of two, get no rotation. */
static void solve(double a[3][3], double least, const double b[3], double x[3]) {
    double trace = a[0][0] + a[1][1] + a[2][2], l[3][3] = {{0}}, pivot[3], y[3];
    for (int i = 0; i < 3; i++) {
        pivot[i] = a[i][i];
        for (int k = 0; k < i; k++) pivot[i] -= l[i][k] * l[i][k] * pivot[k];
        if (pivot[i] < 1e-9 * trace || pivot[i] <= least) pivot[i] = 0;
        for (int j = i + 1; j < 3; j++) {
            l[j][i] = a[j][i];
            for (int k = 0; k < i; k++) l[j][i] -= l[j][k] * l[i][k] * pivot[k];
            l[j][i] = pivot[i] > 0 ? l[j][i] / pivot[i] : 0;
        }
    }
    for (int i = 0; i < 3; i++) {
        y[i] = b[i];
        for (int k = 0; k < i; k++) y[i] -= l[i][k] * y[k];
    }
    for (int i = 2; i >= 0; i--) {
        x[i] = pivot[i] > 0 ? y[i] / pivot[i] : 0;
        for (int k = i + 1; k < 3; k++) x[i] -= l[k][i] * x[k];
    }
}

static void components(sn_vec4 a, double out[3]) {
    out[0] = (double)a.x;
    out[1] = (double)a.y;
    out[2] = (double)a.z;
}

/* Calls `visit` for every node of the group that has a mass. */
typedef void node_visitor(group *g, size_t i);

static void each_node(group *g, node_visitor *visit) {
    const sn_world *world = g->world;
    for (size_t k = 0; g->members && k < g->members->count; k++) {
        size_t i = g->members->node[k].slot - 1;
        if (world->nodes.w[i] > 0) visit(g, i);
    }
    for (size_t s = 0; !g->members && s < world->scratch.segments; s++) {
        if (world->scratch.segment[s].body != g->body) continue;
        for (size_t i = world->scratch.segment[s].begin; i < world->scratch.segment[s].end; i++)
            if (world->nodes.w[i] > 0) visit(g, i);
    }
}

static void add_motion(group *g, size_t i) {
    const sn_nodes *nodes = &g->world->nodes;
    double m = 1 / (double)nodes->w[i], x[3], v[3];
    components(nodes->x[i], x);
    components(nodes->v[i], v);
    g->sum.mass += m;
    for (int a = 0; a < 3; a++) {
        g->sum.centre[a] += m * x[a];
        g->sum.velocity[a] += m * v[a];
    }
}

static void add_rotation(group *g, size_t i) {
    const sn_nodes *nodes = &g->world->nodes;
    double m = 1 / (double)nodes->w[i], r[3], v[3], l[3];
    components(nodes->x[i], r);
    components(nodes->v[i], v);
    for (int a = 0; a < 3; a++) r[a] -= g->sum.centre[a];
    sn_double3_cross(r, v, l);
    double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    for (int a = 0; a < 3; a++) {
        g->sum.momentum[a] += m * l[a];
        for (int b = 0; b < 3; b++)
            g->sum.inertia[a][b] += m * ((a == b ? square : 0) - r[a] * r[b]);
    }
}

static void damp(group *g, size_t i) {
    const sn_nodes *nodes = &g->world->nodes;
    double r[3], v[3], turn[3];
    components(nodes->x[i], r);
    components(nodes->v[i], v);
    for (int a = 0; a < 3; a++) r[a] -= g->sum.centre[a];
    sn_double3_cross(g->sum.omega, r, turn);
    for (int a = 0; a < 3; a++) v[a] += g->k * (g->sum.velocity[a] + turn[a] - v[a]);
    nodes->v[i] = (sn_vec4){(sn_real)v[0], (sn_real)v[1], (sn_real)v[2], 0};
}

/* From the centre, as a direction and a velocity; false where there is no direction. */
static bool find_radial(const group *g, size_t i, double e[3], double v[3]) {
    const sn_nodes *nodes = &g->world->nodes;
    components(nodes->x[i], e);
    components(nodes->v[i], v);
    for (int a = 0; a < 3; a++) {
        e[a] -= g->sum.centre[a];
        v[a] -= g->sum.velocity[a];
    }
    double length = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
    for (int a = 0; a < 3 && length > 0; a++) e[a] /= length;
    return length > 0;
}

static void add_radial(group *g, size_t i) {
    double m = 1 / (double)g->world->nodes.w[i], e[3], v[3];
    bool is_apart = find_radial(g, i, e, v);
    double along = e[0] * v[0] + e[1] * v[1] + e[2] * v[2];
    for (int a = 0; a < 3; a++) {
        g->sum.radial[a][a] += m;
        for (int b = 0; is_apart && b < 3; b++) g->sum.radial[a][b] -= m * e[a] * e[b];
        if (is_apart) g->sum.approach[a] += m * along * e[a];
    }
}

static void damp_radial(group *g, size_t i) {
    double e[3], v[3], along = 0;
    bool is_apart = find_radial(g, i, e, v);
    const double *u = g->sum.shift;
    for (int a = 0; is_apart && a < 3; a++) along += (v[a] + u[a]) * e[a];
    for (int a = 0; a < 3; a++)
        v[a] += g->sum.velocity[a] + g->k * (u[a] - (is_apart ? along * e[a] : 0));
    g->world->nodes.v[i] = (sn_vec4){(sn_real)v[0], (sn_real)v[1], (sn_real)v[2], 0};
}

static void damp_group(group *g) {
    if (!(g->k > 0)) return;
    rigid *sum = &g->sum;
    each_node(g, add_motion);
    if (!(sum->mass > 0)) return;
    for (int a = 0; a < 3; a++) {
        sum->centre[a] /= sum->mass;
        sum->velocity[a] /= sum->mass;
    }
    if (g->members && g->members->def.motion == SN_DAMPED_RADIAL) {
        each_node(g, add_radial);
        /* On a line nothing says how far along it the others are shifted. */
        solve(sum->radial, 0, sum->approach, sum->shift);
        each_node(g, damp_radial);
        return;
    }
    each_node(g, add_rotation);
    /* The inertia that the rounding of the centre alone would make. */
    double *x = sum->centre, least = 1e-24 * sum->mass * (x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    solve(sum->inertia, least, sum->momentum, sum->omega);
    each_node(g, damp);
}

static double part(const sn_step *step, sn_real rate) {
    double k = (double)rate * step->h;
    return k < 1 ? k : 1;
}

/* Damping groups join their bodies, so one node speaks for all. */
static bool damping_group_sleeps(const sn_world *world, const sn_damping_group_members *members) {
    if (members->count == 0) return true;
    return sn_sleep_has(&world->sleep, world->nodes.body[members->node[0].slot - 1]);
}

void sn_rigid_damping_apply(sn_step *step) {
    const sn_world *world = step->world;
    for (uint32_t i = 0; i < world->bodies.slots.count; i++) {
        if (!world->bodies.slots.alive[i] || sn_sleep_has(&world->sleep, i + 1)) continue;
        group g = {.world = world, .body = i + 1};
        g.k = part(step, world->bodies.def[i].rigid_damping);
        damp_group(&g);
    }
    for (size_t i = 0; i < sn_damping_groups_of(world)->slots.count; i++) {
        group g = {.world = world, .members = &sn_damping_groups_of(world)->members[i]};
        g.k = part(step, g.members->def.damping);
        if (!damping_group_sleeps(world, g.members)) damp_group(&g);
    }
}
