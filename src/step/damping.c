/*
 * Damping that keeps rigid motion: section 3.5 of Mueller et al. 2007.
 *
 *   v_i += k (v_cm + omega x r_i - v_i),   omega = I^-1 L
 *
 * per body, with k = min(c h, 1) for a rate c in 1/s. Momentum and angular momentum stay as they
 * are. Sums are in double and in the order of slots.
 */
#include "step/step.h"

#include "math/vector.h"

typedef struct rigid {
    double mass, centre[3], velocity[3];
    double momentum[3]; /* angular, about the centre */
    double inertia[3][3];
    double omega[3];
} rigid;

bool sn_damping_is_needed(const sn_world *world) {
    for (size_t i = 0; i < world->bodies.slots.count; i++)
        if (world->bodies.slots.alive[i] && world->bodies.def[i].rigid_damping > 0) return true;
    return false;
}

/* Solves a positive semidefinite system; directions without inertia get no rotation. */
static void solve(double a[3][3], const double b[3], double x[3]) {
    double trace = a[0][0] + a[1][1] + a[2][2], l[3][3] = {{0}}, pivot[3], y[3];
    for (int i = 0; i < 3; i++) {
        pivot[i] = a[i][i];
        for (int k = 0; k < i; k++) pivot[i] -= l[i][k] * l[i][k] * pivot[k];
        if (pivot[i] < 1e-9 * trace) pivot[i] = 0;
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

static void cross(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Calls `visit` for every node of the body that has a mass. */
typedef void node_visitor(const sn_nodes *nodes, size_t i, rigid *body, double k);

static void each_node(const sn_world *world, uint32_t body, node_visitor *visit, rigid *sum,
                      double k) {
    for (size_t s = 0; s < world->segments; s++) {
        if (world->segment[s].body != body) continue;
        for (size_t i = world->segment[s].begin; i < world->segment[s].end; i++)
            if (world->nodes.w[i] > 0) visit(&world->nodes, i, sum, k);
    }
}

static void add_motion(const sn_nodes *nodes, size_t i, rigid *body, double k) {
    (void)k;
    double m = 1 / (double)nodes->w[i], x[3], v[3];
    components(nodes->x[i], x);
    components(nodes->v[i], v);
    body->mass += m;
    for (int a = 0; a < 3; a++) {
        body->centre[a] += m * x[a];
        body->velocity[a] += m * v[a];
    }
}

static void add_rotation(const sn_nodes *nodes, size_t i, rigid *body, double k) {
    (void)k;
    double m = 1 / (double)nodes->w[i], r[3], v[3], l[3];
    components(nodes->x[i], r);
    components(nodes->v[i], v);
    for (int a = 0; a < 3; a++) r[a] -= body->centre[a];
    cross(r, v, l);
    double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    for (int a = 0; a < 3; a++) {
        body->momentum[a] += m * l[a];
        for (int b = 0; b < 3; b++)
            body->inertia[a][b] += m * ((a == b ? square : 0) - r[a] * r[b]);
    }
}

static void damp(const sn_nodes *nodes, size_t i, rigid *body, double k) {
    double r[3], v[3], turn[3];
    components(nodes->x[i], r);
    components(nodes->v[i], v);
    for (int a = 0; a < 3; a++) r[a] -= body->centre[a];
    cross(body->omega, r, turn);
    for (int a = 0; a < 3; a++) v[a] += k * (body->velocity[a] + turn[a] - v[a]);
    nodes->v[i] = (sn_vec4){(sn_real)v[0], (sn_real)v[1], (sn_real)v[2], 0};
}

void sn_damping_apply(sn_step *step) {
    const sn_world *world = step->world;
    for (uint32_t body = 1; body <= world->bodies.slots.count; body++) {
        double k = (double)world->bodies.def[body - 1].rigid_damping * step->h;
        if (!world->bodies.slots.alive[body - 1] || !(k > 0)) continue;
        rigid sum = {0};
        each_node(world, body, add_motion, &sum, 0);
        if (!(sum.mass > 0)) continue;
        for (int a = 0; a < 3; a++) {
            sum.centre[a] /= sum.mass;
            sum.velocity[a] /= sum.mass;
        }
        each_node(world, body, add_rotation, &sum, 0);
        solve(sum.inertia, sum.momentum, sum.omega);
        each_node(world, body, damp, &sum, k < 1 ? k : 1);
    }
}
