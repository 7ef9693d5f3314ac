/*
 * Frames that have no inertia: each turns to where it is in equilibrium with what pulls at it, in
 * closed form (Hsu et al. 2025, Stable Cosserat Rods). Positions stay meanwhile; they are moved by
 * the solve of the tree, with frames as they are then.
 *
 * With a joint of stiffness B over a length l to a frame that would have this one at p, and a
 * segment of shear stiffness k between two nodes that are X apart,
 *
 *   E(q) = 4 B / l (1 - p . q) + ... - k X . (q e_3 conj(q))  =  - b . q - q . T q  + what is fixed
 *   T q  = u q conj(e_3),   u = k X          symmetric, with the eigenvalues +|u| and -|u|, twice
 *
 * so the unit quaternion of the least energy is
 *
 *   q = (mu - 2 T)^-1 b  ~  mu b + 2 T b,    b_+^2 / (mu - 2|u|)^2 + b_-^2 / (mu + 2|u|)^2 = 1
 *
 * with the parts of b in both eigenspaces and the largest root mu, which Newton's method finds from
 * below. The paper has mu = 2|u| + |b|, which is exact where b is along the segment already.
 *
 * Frames depend on each other: they are turned from the leaves of a tree to its root and back.
 */
#include "step/tree_solver.h"

#include "math/matrix3.h"

#include <string.h>

enum { NONE = SN_LINK_NONE, NEWTON_STEPS = 5 };

typedef struct pass {
    const sn_world *world;
    sn_trees *trees;
} pass;

static double dot4(const double a[4], const double b[4]) {
    return (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3]);
}

static void load_frame(const sn_world *world, sn_members members, int member, double q[4]) {
    memset(q, 0, 4 * sizeof *q);
    if (member >= members.frames) return;
    sn_vec4 at = world->frames.q[sn_member(members, members.nodes + member)];
    q[0] = (double)at.x, q[1] = (double)at.y, q[2] = (double)at.z, q[3] = (double)at.w;
}

/* What the constraints of a link add for the frame of its node, or for that of its parent. */
static void pull(const pass *p, const sn_tree_link *link, int end, sn_frame_pull *sum) {
    const sn_vec4 *x = p->world->nodes.x, *d = p->world->nodes.d;
    for (int32_t i = link->part; i != NONE; i = p->trees->part[i].next) {
        const sn_tree_part *part = &p->trees->part[i];
        const sn_store *store = &p->world->store[part->store];
        if (!store->type->pull_frame || part->off || part->member[end] < 0) continue;
        sn_members members = sn_store_members(store, part->place);
        int32_t a = sn_member(members, 0), b = sn_member(members, 1);
        double along[3] = {(double)(x[b].x - x[a].x) + (double)(d[b].x - d[a].x),
                           (double)(x[b].y - x[a].y) + (double)(d[b].y - d[a].y),
                           (double)(x[b].z - x[a].z) + (double)(d[b].z - d[a].z)};
        double q[2][4];
        for (int k = 0; k < 2; k++) load_frame(p->world, members, k, q[k]);
        store->type->pull_frame(sn_store_parameters(store, part->place), along,
                                (const double(*)[4])q, part->member[end], sum);
    }
}

/* The largest root of plus / (mu - v)^2 + minus / (mu + v)^2 = 1. */
static double largest_root(double v, double plus, double minus) {
    double mu = v + __builtin_sqrt(plus);
    for (int i = 0; i < NEWTON_STEPS; i++) {
        double near = 1 / (mu - v), far = 1 / (mu + v);
        double value = plus * near * near + minus * far * far - 1;
        mu += value / (2 * (plus * near * near * near + minus * far * far * far));
    }
    return mu;
}

/* The unit quaternion of the least energy; what is there already where nothing pulls. */
static void settle(const sn_frame_pull *pull, double q[4]) {
    double b[4], ub[4], t[4], u[4] = {pull->u[0], pull->u[1], pull->u[2], 0};
    const double back[4] = {0, 0, -1, 0};
    double v = 2 * __builtin_sqrt(dot4(u, u)), mu = v;
    memcpy(b, pull->b, sizeof b);
    double all = dot4(b, b);
    if (!(all > 0)) memcpy(b, q, sizeof b);
    sn_double4_quat_mul(u, b, ub);
    sn_double4_quat_mul(ub, back, t);
    if (all > 0) {
        double plus = v > 0 ? (all + 2 * dot4(b, t) / v) / 2 : all;
        /* Against the segment altogether: it stays, until something turns it. */
        if (!(plus > 1e-9 * all)) return;
        mu = largest_root(v, plus, all > plus ? all - plus : 0);
    }
    double found[4], sign = 1;
    for (int k = 0; k < 4; k++) found[k] = mu * b[k] + 2 * t[k];
    double size = __builtin_sqrt(dot4(found, found));
    if (!(size > 0)) return;
    if (dot4(found, q) < 0) sign = -1;
    for (int k = 0; k < 4; k++) q[k] = sign * found[k] / size;
}

/* A torque does work t . dtheta where the frame turns by dq = dtheta q / 2: the pull 2 t q. */
static void add_torque(sn_vec4 given, const double q[4], sn_frame_pull *sum) {
    double torque[4] = {(double)given.x, (double)given.y, (double)given.z, 0}, pulled[4];
    sn_double4_quat_mul(torque, q, pulled);
    for (int k = 0; k < 4; k++) sum->b[k] += 2 * pulled[k];
}

static void turn_frame(const pass *p, const sn_tree_link *link) {
    const sn_frames *frames = &p->world->frames;
    sn_vec4 *at = &frames->q[link->still];
    double q[4] = {(double)at->x, (double)at->y, (double)at->z, (double)at->w};
    sn_frame_pull sum;
    memcpy(sum.b, link->b, sizeof sum.b);
    memcpy(sum.u, link->u, sizeof sum.u);
    pull(p, link, link->end, &sum);
    if (frames->has_torques) add_torque(link->torque, q, &sum);
    settle(&sum, q);
    *at = (sn_vec4){(sn_real)q[0], (sn_real)q[1], (sn_real)q[2], (sn_real)q[3]};
    /* It has no momentum, whatever else turned it. */
    frames->omega[link->still] = frames->turn[link->still] = (sn_vec4){0, 0, 0, 0};
}

static void pull_parent(const pass *p, const sn_tree_link *link) {
    if (link->parent == NONE || p->trees->link[link->parent].still == NONE) return;
    sn_tree_link *parent = &p->trees->link[link->parent];
    sn_frame_pull sum;
    memcpy(sum.b, parent->b, sizeof sum.b);
    memcpy(sum.u, parent->u, sizeof sum.u);
    pull(p, link, !link->end, &sum);
    memcpy(parent->b, sum.b, sizeof sum.b);
    memcpy(parent->u, sum.u, sizeof sum.u);
}

bool sn_trees_have_torques(const sn_world *world) {
    return world->frames.has_torques && world->scratch.trees.trees > 0;
}

void sn_trees_take_torques(sn_step *step) {
    sn_world *world = step->world;
    sn_trees *trees = &world->scratch.trees;
    for (size_t i = 0; i < trees->links; i++) {
        if (trees->link[i].still == NONE) continue;
        sn_vec4 *torque = &world->frames.torque[trees->link[i].still];
        trees->link[i].torque = *torque;
        *torque = (sn_vec4){0, 0, 0, 0};
    }
}

void sn_tree_turn_frames(const sn_world *world, sn_link_tree tree) {
    pass p = {world, (sn_trees *)&world->scratch.trees};
    sn_tree_link *link = p.trees->link;
    bool some = false;
    for (uint32_t i = tree.begin; i < tree.end; i++) some |= link[i].still != NONE;
    if (!some) return;
    for (uint32_t i = tree.begin; i < tree.end; i++) {
        memset(link[i].b, 0, sizeof link[i].b);
        memset(link[i].u, 0, sizeof link[i].u);
    }
    for (uint32_t i = tree.end; i-- > tree.begin;) {
        if (link[i].still != NONE) turn_frame(&p, &link[i]);
        pull_parent(&p, &link[i]);
    }
    for (uint32_t i = tree.begin; i < tree.end; i++)
        if (link[i].still != NONE) turn_frame(&p, &link[i]);
}
