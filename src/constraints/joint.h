/*
 * What joints are made of: rows that hold a direction or a rotation between the frames of two
 * nodes.
 *
 *   J_0, J_1   the frames of the joint, in those of node 0 and node 1; a_0, a_1 their origins
 *   rest       conj(q_1) q_0 at creation, so that J_1 = rest J_0
 *   p_i        axis i of J_0 in the world, R_0 j_i
 *   c          = R_0^T (x_1 + R_1 a_1 - x_0), the second origin as node 0 sees it
 *   Omega      = conj(q_0 J_0) q_1 J_1, from the first frame to the second; as
 *                conj(J_0) (conj(q_0) q_1 rest) J_0 it is exactly 1 at creation
 *
 *   along i    C = j_i . (c - a_0)         grad x_1: p_i, x_0: -p_i
 *                                          phi_0: j_i x c, phi_1: a_1 x R_1^T p_i
 *   about i    C = 2 Im(Omega)_i           dC = row i of (w + [v]x) J_1^T phi_1
 *                                             - row i of (w - [v]x) J_0^T phi_0
 *
 * Mueller et al. 2020, Detailed Rigid Body Simulation with Extended Position Based Dynamics,
 * section 3.3; survey of 2017, section 5.9. There a correction goes along one vector at a time;
 * here the rows of a joint are solved together. In the frame of the joint they do not change under
 * rigid motion.
 */
#ifndef SN_CONSTRAINTS_JOINT_H
#define SN_CONSTRAINTS_JOINT_H

/* What most of them are: two oriented nodes that are moved and turned, with anchors and frames as
   coefficients. */
#ifndef SN_NODES
#define SN_NODES 2
#define SN_POINTS 2
#define SN_MOVED 2
#define SN_FRAMES 2
#define SN_TURNED 2
#define SN_OWN 14
#define SN_STARTED 1
#define SN_LEVERS sn_joint_lever_change
#endif
#include "constraints/block.h"
#include "math/trig.h"

#include <math.h>

/* Coefficients of a joint: a_0, a_1, and the quaternions of J_0 and of rest. */
enum { SN_OWN_ANCHOR_0 = 0, SN_OWN_ANCHOR_1 = 3, SN_OWN_FRAME = 6, SN_OWN_REST = 10 };

/* What joints give is kept as angular momentum, however far they turn (block.inl). */
#define SN_JOINS 1

/* How far a joint turns a node in one projection, in rad: what is linear here is so for less. */
#define SN_MOST_TURN SN_R(0.5)

typedef struct joint {
    sn_lane3 own_0[3], own_1[3]; /* axes of J_0 and J_1, in the frames of their nodes */
    sn_lane3 axis[3];            /* axes of J_0 in the world */
    sn_lane3 node_1[3];          /* axes of node 1 in the world */
    sn_lane3 a_0, a_1, c;
    sn_lane4 omega;
} joint;

SN_INLINE sn_lane3 sn_own_vector(const sn_real *own, int at) {
    return (sn_lane3){sn_lane_load(own + at * SN_BLOCK), sn_lane_load(own + (at + 1) * SN_BLOCK),
                      sn_lane_load(own + (at + 2) * SN_BLOCK)};
}

SN_INLINE sn_lane4 sn_own_rotation(const sn_real *own, int at) {
    return (sn_lane4){sn_own_vector(own, at), sn_lane_load(own + (at + 3) * SN_BLOCK)};
}

/* x a_0 + y a_1 + z a_2 */
SN_INLINE sn_lane3 sn_along_axes(const sn_lane3 axis[3], sn_lane3 v) {
    return sn_lane3_add(sn_lane3_add(sn_lane3_scale(v.x, axis[0]), sn_lane3_scale(v.y, axis[1])),
                        sn_lane3_scale(v.z, axis[2]));
}

/* The components of v along the axes. */
SN_INLINE sn_lane3 sn_in_axes(const sn_lane3 axis[3], sn_lane3 v) {
    return (sn_lane3){sn_lane3_dot(axis[0], v), sn_lane3_dot(axis[1], v), sn_lane3_dot(axis[2], v)};
}

/* Omega, and the axes of J_0 and J_1 in the frames of their nodes. */
SN_INLINE sn_lane4 sn_joint_turn(const sn_lane4 *q, sn_lane4 frame, sn_lane4 rest,
                                 sn_lane3 own_0[3], sn_lane3 own_1[3]) {
    sn_lane3 back[3];
    sn_lane4 omega = sn_lane4_mul(sn_lane4_between(q[0], q[1]), rest);
    sn_lane4_axes(frame, own_0);
    sn_lane4_axes(rest, back);
    for (int i = 0; i < 3; i++) own_1[i] = sn_along_axes(back, own_0[i]);
    return (sn_lane4){sn_in_axes(own_0, omega.v), omega.w};
}

SN_INLINE void sn_joint_see(const sn_lane3 *x, const sn_lane4 *q, const sn_real *own, joint *j) {
    sn_lane3 node_0[3];
    j->a_0 = sn_own_vector(own, SN_OWN_ANCHOR_0);
    j->a_1 = sn_own_vector(own, SN_OWN_ANCHOR_1);
    j->omega = sn_joint_turn(q, sn_own_rotation(own, SN_OWN_FRAME),
                             sn_own_rotation(own, SN_OWN_REST), j->own_0, j->own_1);
    sn_lane4_axes(q[0], node_0);
    sn_lane4_axes(q[1], j->node_1);
    for (int i = 0; i < 3; i++) j->axis[i] = sn_along_axes(node_0, j->own_0[i]);
    j->c = sn_in_axes(node_0, sn_lane3_add(x[1], sn_along_axes(j->node_1, j->a_1)));
}

/* A joint pulls at the second origin: from node n, which arm that has, and by how much it was
   elsewhere when the substep began, in the world. */
SN_INLINE sn_lane3 sn_joint_lever_change(const sn_lane3 *x, const sn_lane4 *q, const sn_real *own,
                                         int n, sn_lane3 *arm) {
    sn_lane3 now[3], start[3], a_1 = sn_own_vector(own, SN_OWN_ANCHOR_1);
    sn_lane4_axes(q[1], now);
    sn_lane4_axes(q[SN_FRAMES + 1], start);
    sn_lane3 out = sn_along_axes(now, a_1), change = sn_lane3_sub(sn_along_axes(start, a_1), out);
    *arm = n == 1 ? out : sn_lane3_add(x[1], out);
    return n == 1 ? change : sn_lane3_add(change, sn_lane3_sub(x[SN_POINTS + 1], x[1]));
}

/* The same rotation along the shorter way, w >= 0: it does not matter which of its two quaternions
   a node has. */
SN_INLINE sn_lane4 sn_joint_shorter(sn_lane4 omega) {
    sn_lane sign = sn_lane_if_less(omega.w, sn_lane_all(0), sn_lane_all(-1), sn_lane_all(1));
    return (sn_lane4){sn_lane3_scale(sign, omega.v), sign * omega.w};
}

/* The row along axis i of J_0. */
SN_INLINE sn_lane sn_joint_along(const joint *j, int i, sn_lane3 g[2], sn_lane3 t[2]) {
    g[1] = j->axis[i];
    g[0] = sn_lane3_minus(j->axis[i]);
    t[0] = sn_lane3_cross(j->own_0[i], j->c);
    t[1] = sn_lane3_cross(j->a_1, sn_in_axes(j->node_1, j->axis[i]));
    return sn_lane3_dot(j->own_0[i], sn_lane3_sub(j->c, j->a_0));
}

/* Gradients by rotations in the frames of the joint, as such in the frames of the nodes. */
SN_INLINE void sn_joint_turned(const joint *j, sn_lane3 by_0, sn_lane3 by_1, sn_lane3 g[2],
                               sn_lane3 t[2]) {
    sn_lane zero = sn_lane_all(0);
    g[0] = g[1] = (sn_lane3){zero, zero, zero};
    t[0] = sn_along_axes(j->own_0, by_0);
    t[1] = sn_along_axes(j->own_1, by_1);
}

/* The row about axis i of J_0. */
SN_INLINE sn_lane sn_joint_about(const joint *j, int i, sn_lane3 g[2], sn_lane3 t[2]) {
    sn_lane w = j->omega.w, zero = sn_lane_all(0);
    sn_lane3 v = j->omega.v;
    const sn_lane3 cross[3] = {{zero, -v.z, v.y}, {v.z, zero, -v.x}, {-v.y, v.x, zero}};
    const sn_lane3 one[3] = {{w, zero, zero}, {zero, w, zero}, {zero, zero, w}};
    sn_joint_turned(j, sn_lane3_sub(cross[i], one[i]), sn_lane3_add(cross[i], one[i]), g, t);
    return 2 * (i == 0 ? v.x : i == 1 ? v.y : v.z);
}

/* Where nothing is left of the twist, it is none. */
#define SN_LEAST_TWIST SN_R(1e-12)

/*
 * The angle about z by which Omega turns, and its gradients by rotation vectors; what is swing does
 * not count.
 *
 *   Omega = (v, w),   w >= 0
 *   s     = 2 atan2(v_z, w)
 *   ds    = (w (w e_z + (-v_y, v_x, 0)) + v_z v) / (w^2 + v_z^2) . J_1^T phi_1
 *         - (w (w e_z - (-v_y, v_x, 0)) + v_z v) / (w^2 + v_z^2) . J_0^T phi_0
 */
SN_INLINE sn_lane sn_joint_twist(sn_lane4 omega, const sn_lane3 own_0[3], const sn_lane3 own_1[3],
                                 sn_lane3 t[2]) {
    sn_lane4 turn = sn_joint_shorter(omega);
    sn_lane3 v = turn.v, across = {-v.y, v.x, sn_lane_all(0)};
    sn_lane w = turn.w;
    sn_lane per_size = 1 / sn_lane_max(w * w + v.z * v.z, sn_lane_all(SN_LEAST_TWIST));
    sn_lane3 middle = sn_lane3_scale(v.z, v), side = sn_lane3_scale(w, across);
    middle.z += w * w;
    t[0] = sn_along_axes(own_0, sn_lane3_scale(-per_size, sn_lane3_sub(middle, side)));
    t[1] = sn_along_axes(own_1, sn_lane3_scale(per_size, sn_lane3_add(middle, side)));
    return 2 * sn_lane_atan2(v.z, w);
}

/* What is large enough to leave no bits for a fraction: 1.5 times a power of two. */
#ifdef SN_DOUBLE
#define SN_NO_FRACTION 6755399441055744.0
#else
#define SN_NO_FRACTION 12582912.0f
#endif

/* The nearest value to zero that differs from this one by whole periods: an angle does not say how
   often it went round. */
SN_INLINE sn_lane sn_wrapped(sn_lane value, sn_lane period) {
    sn_lane large = sn_lane_all(SN_NO_FRACTION);
    return value - period * ((value / period + large) - large);
}

#if SN_LANES == 1

/* Parameters of every joint; `axis` follows, of those that have one. */
enum {
    SN_ANCHOR_0 = SN_COMMON_PARAMETERS,
    SN_ANCHOR_1 = SN_ANCHOR_0 + 3,
    SN_AXIS = SN_ANCHOR_1 + 3
};
/* What is measured at creation: rest. */
enum { SN_JOINT_MEASURED = 4 };

static inline sn_lane4 sn_lane4_of_quat(sn_quat q) {
    return (sn_lane4){{q.x, q.y, q.z}, q.w};
}

static inline bool sn_is_given(const sn_real v[3]) {
    return v[0] != SN_AUTO && v[1] != SN_AUTO && v[2] != SN_AUTO;
}

/* Fills the anchors that were not given. */
static inline void sn_prepare_anchors(const sn_preparation *from, sn_real *parameter) {
    sn_lane3 node[2][3], x = {from->x[1].x, from->x[1].y, from->x[1].z}, at;
    sn_real *a[2] = {parameter + SN_ANCHOR_0, parameter + SN_ANCHOR_1};
    for (int n = 0; n < 2; n++) sn_lane4_axes(sn_lane4_of_quat(from->q[n]), node[n]);
    bool given[2] = {sn_is_given(a[0]), sn_is_given(a[1])};
    if (given[0])
        at = sn_along_axes(node[0], (sn_lane3){a[0][0], a[0][1], a[0][2]});
    else if (given[1])
        at = sn_lane3_add(x, sn_along_axes(node[1], (sn_lane3){a[1][0], a[1][1], a[1][2]}));
    else
        at = sn_lane3_scale(SN_R(0.5), x);
    for (int n = 0; n < 2; n++) {
        if (given[n]) continue;
        sn_lane3 v = sn_in_axes(node[n], n == 0 ? at : sn_lane3_sub(at, x));
        a[n][0] = v.x;
        a[n][1] = v.y;
        a[n][2] = v.z;
    }
}

/* Measures how node 0 is turned relative to node n. */
static inline void sn_prepare_turn_of(const sn_preparation *from, int n, sn_real *measured) {
    sn_lane4 rest = sn_lane4_between(sn_lane4_of_quat(from->q[n]), sn_lane4_of_quat(from->q[0]));
    measured[0] = rest.v.x;
    measured[1] = rest.v.y;
    measured[2] = rest.v.z;
    measured[3] = rest.w;
}

static inline void sn_prepare_turn(const sn_preparation *from, sn_real *measured) {
    sn_prepare_turn_of(from, 1, measured);
}

/* Fills the axis, or says that it has no direction. */
static inline sn_result sn_prepare_axis(const char *type, sn_real *axis) {
    if (!sn_is_given(axis)) {
        axis[0] = axis[1] = 0;
        axis[2] = 1;
        return SN_OK;
    }
    if (axis[0] != 0 || axis[1] != 0 || axis[2] != 0) return SN_OK;
    return sn_fail(SN_ERROR_DEGENERATE, "%s: axis is (0, 0, 0), expected one with a direction",
                   type);
}

/* The rotation by which z becomes the axis, along the shorter way; half a turn about x for -z. */
static inline sn_lane4 sn_turn_to_axis(const sn_real axis[3]) {
    /* In parts of the largest, so that no square overflows or vanishes. */
    double most = fmax(fmax(fabs((double)axis[0]), fabs((double)axis[1])), fabs((double)axis[2]));
    double x = (double)axis[0] / most, y = (double)axis[1] / most, z = (double)axis[2] / most;
    double w = sqrt(x * x + y * y + z * z) + z, size = sqrt(x * x + y * y + w * w);
    if (!(w > 1e-7)) return (sn_lane4){{1, 0, 0}, 0};
    return (sn_lane4){{(sn_real)(-y / size), (sn_real)(x / size), 0}, (sn_real)(w / size)};
}

/* A vector as a rotation sees it, in parts of its largest component. */
static inline void sn_seen_from(sn_lane4 turn, const sn_real v[3], double seen[3]) {
    double most = fmax(fmax(fabs((double)v[0]), fabs((double)v[1])), fabs((double)v[2]));
    sn_lane3 axes[3], part = {(sn_real)((double)v[0] / most), (sn_real)((double)v[1] / most),
                              (sn_real)((double)v[2] / most)};
    sn_lane4_axes(turn, axes);
    for (int i = 0; i < 3; i++) seen[i] = (double)sn_lane3_dot(axes[i], part);
}

/* What is left of a direction across the axis, beside its length, that is still one. */
#define SN_LEAST_ACROSS 1e-4

/* Fills the axis, and the direction behind it, which is to be across. */
static inline sn_result sn_prepare_across(const char *type, sn_real *axis) {
    sn_real *direction = axis + 3;
    sn_lane3 axes[3];
    double seen[3];
    sn_result result = sn_prepare_axis(type, axis);
    if (result != SN_OK) return result;
    sn_lane4 to_axis = sn_turn_to_axis(axis);
    if (!sn_is_given(direction)) {
        sn_lane4_axes(to_axis, axes);
        direction[0] = axes[0].x;
        direction[1] = axes[0].y;
        direction[2] = axes[0].z;
        return SN_OK;
    }
    if (direction[0] == 0 && direction[1] == 0 && direction[2] == 0)
        return sn_fail(SN_ERROR_DEGENERATE,
                       "%s: direction is (0, 0, 0), expected one across the axis", type);
    sn_seen_from(to_axis, direction, seen);
    if (seen[0] * seen[0] + seen[1] * seen[1] > SN_LEAST_ACROSS * SN_LEAST_ACROSS) return SN_OK;
    return sn_fail(SN_ERROR_DEGENERATE,
                   "%s: direction (%g, %g, %g) is along the axis, expected one across it", type,
                   (double)direction[0], (double)direction[1], (double)direction[2]);
}

/* A frame with z along the axis is turned about it until x is along the direction. */
static inline void sn_turn_about_axis(const sn_real direction[3], sn_real frame[4]) {
    sn_lane4 turn = {{frame[0], frame[1], frame[2]}, frame[3]};
    double seen[3];
    sn_seen_from(turn, direction, seen);
    double w = sqrt(seen[0] * seen[0] + seen[1] * seen[1]) + seen[0], z = seen[1];
    double size = sqrt(z * z + w * w);
    sn_lane4 about = {{0, 0, 1}, 0};
    if (w > 1e-7) about = (sn_lane4){{0, 0, (sn_real)(z / size)}, (sn_real)(w / size)};
    turn = sn_lane4_mul(turn, about);
    frame[0] = turn.v.x;
    frame[1] = turn.v.y;
    frame[2] = turn.v.z;
    frame[3] = turn.w;
}

/* J_0 from the axis, and what was measured. */
static inline void sn_derive_rotations(const sn_real *axis, const sn_real *measured,
                                       sn_real frame[4], sn_real rest[4]) {
    sn_lane4 to_axis = sn_turn_to_axis(axis);
    frame[0] = to_axis.v.x;
    frame[1] = to_axis.v.y;
    frame[2] = to_axis.v.z;
    frame[3] = to_axis.w;
    for (int i = 0; i < 4; i++) rest[i] = measured[i];
}

/* The coefficients of a joint with anchors; an axis that is null is z. */
static inline void sn_derive_frames(const sn_real *parameter, const sn_real *axis,
                                    const sn_real *measured, sn_real *own) {
    static const sn_real z[3] = {0, 0, 1};
    for (int i = 0; i < 3; i++) {
        own[SN_OWN_ANCHOR_0 + i] = parameter[SN_ANCHOR_0 + i];
        own[SN_OWN_ANCHOR_1 + i] = parameter[SN_ANCHOR_1 + i];
    }
    sn_derive_rotations(axis ? axis : z, measured, own + SN_OWN_FRAME, own + SN_OWN_REST);
}

#endif

#endif
