/*
 * Bending and twist between two segments of a Cosserat rod.
 *
 *   C(q) = Im(Omega - s Omega_rest),   Omega = conj(q_0) q_1,   s the sign of Omega . Omega_rest
 *   by rotation: dC = (Omega_w phi_1 + Omega_v x phi_1) / 2
 *                   - (Omega_w phi_0 - Omega_v x phi_0) / 2
 *
 * Kugelstadt and Schoemer 2016; survey of 2017, section 5.8.3, where s is alpha. As in
 * stretch_shear.c, frames have rotation vectors and three moments of inertia in place of
 * quaternions with one mass, and every row has a stiffness of its own.
 *
 * The Darboux vector is 2 Im(Omega) / l, so the energy of a stiffness B is 2 B C^2 / l and the
 * compliance of a row l / (4 B) (rest_turn.h).
 *
 * What yields: with e = 2 s C / l, what is elastic of the Darboux vector when a step is over, and y
 * how much of it each row can have,
 *
 *   f  = |(e_x / y_x, e_y / y_y, e_z / y_z)|
 *   p <- p + part (1 - 1 / f) e             where f > 1; part = 1 or creep dt
 *
 * goes over into p, which is added to the Darboux vector at rest. As of tetrahedra (tet_plastic.h),
 * what stays elastic is on the yield where the part is 1. The moment about an axis then is at most
 * B y, the plastic moment of the section, and the ellipsoid is how bending and twist share it.
 */
#define SN_TYPE bend_twist
#define SN_NODES 2
#define SN_POINTS 0
#define SN_MOVED 0
#define SN_FRAMES 2
#define SN_TURNED 2
#define SN_ROWS 3
#define SN_OWN 4 /* rest rotation: x, y, z, w */
#define SN_STRUCTURED
#include "constraints/block.h"
#include "math/matrix3.h"

SN_INLINE void formula(const sn_lane3 *x, const sn_lane4 *q, const sn_real *own, sn_lane *value,
                       sn_lane3 (*g)[1], sn_lane3 (*t)[SN_FRAMES]) {
    (void)x, (void)g;
    sn_lane4 omega = sn_lane4_between(q[0], q[1]);
    sn_lane3 rest = {sn_lane_load(own), sn_lane_load(own + SN_BLOCK),
                     sn_lane_load(own + 2 * SN_BLOCK)};
    sn_lane along = sn_lane3_dot(omega.v, rest) + omega.w * sn_lane_load(own + 3 * SN_BLOCK);
    sn_lane sign = sn_lane_if_less(along, sn_lane_all(0), sn_lane_all(-1), sn_lane_all(1));
    value[0] = omega.v.x - sign * rest.x;
    value[1] = omega.v.y - sign * rest.y;
    value[2] = omega.v.z - sign * rest.z;
    sn_lane half = sn_lane_all(SN_R(0.5)), w = half * omega.w;
    sn_lane3 v = sn_lane3_scale(half, omega.v);
    /* Rows of w I + [v]x for frame 1, and of -(w I - [v]x) for frame 0. */
    t[0][1] = (sn_lane3){w, -v.z, v.y};
    t[1][1] = (sn_lane3){v.z, w, -v.x};
    t[2][1] = (sn_lane3){-v.y, v.x, w};
    t[0][0] = (sn_lane3){-w, -v.z, v.y};
    t[1][0] = (sn_lane3){v.z, -w, -v.x};
    t[2][0] = (sn_lane3){-v.y, v.x, -w};
}

/* Rows of frame 1 are w I + [v]x; those of frame 0 differ in the sign of w. The squares in J W J^T
   are shared by both. */
SN_INLINE void add_masses(const block *k, size_t lane, const state *s,
                          sn_lane a[SN_ROWS][SN_ROWS]) {
    sn_lane w = s->t[0][1].x, x = s->t[2][1].y, y = s->t[0][1].z, z = s->t[1][1].x;
    sn_lane p[3], m[3]; /* sum and difference of the inverse inertias of frame 1 and frame 0 */
    for (int i = 0; i < 3; i++) {
        sn_lane one = sn_lane_load(k->turn_w[1][i] + lane);
        sn_lane zero = sn_lane_load(k->turn_w[0][i] + lane);
        p[i] = one + zero;
        m[i] = one - zero;
    }
    sn_lane ww = w * w, xx = x * x, yy = y * y, zz = z * z;
    a[0][0] = ww * p[0] + (zz * p[1] + yy * p[2]);
    a[1][1] = ww * p[1] + (zz * p[0] + xx * p[2]);
    a[2][2] = ww * p[2] + (yy * p[0] + xx * p[1]);
    a[0][1] = w * z * (m[0] - m[1]) - x * y * p[2];
    a[0][2] = w * y * (m[2] - m[0]) - x * z * p[1];
    a[1][2] = w * x * (m[1] - m[2]) - y * z * p[0];
}

SN_INLINE sn_lane3 pull_on(const block *k, size_t lane, const state *s, int n,
                           const sn_lane step[SN_ROWS]) {
    (void)k, (void)lane;
    (void)n, (void)step;
    return s->t[0][0]; /* never called: nothing is moved */
}

/* w step - v x step for frame 1, -(w step + v x step) for frame 0. */
SN_INLINE sn_lane3 twist_on(const state *s, int n, const sn_lane step[SN_ROWS]) {
    sn_lane3 y = {step[0], step[1], step[2]}, v = {s->t[2][1].y, s->t[0][1].z, s->t[1][1].x};
    sn_lane3 along = sn_lane3_scale(s->t[0][1].x, y), across = sn_lane3_cross(v, y);
    return n == 1 ? sn_lane3_sub(along, across) : sn_lane3_minus(sn_lane3_add(along, across));
}

#include "constraints/block.inl"

#if SN_LANES == 1

#include "constraints/rest_turn.h"

enum { YIELD = DARBOUX + 3, CREEP = YIELD + 3, PLASTIC_LIMIT, PLASTIC };

/* The Darboux vector at rest, with what has been added to it. */
static void add_plastic(const sn_real *parameter, sn_real rest[3]) {
    for (int i = 0; i < 3; i++) rest[i] = parameter[DARBOUX + i] + parameter[PLASTIC + i];
}

/* The Darboux vector is 2 Im(Omega) / l for a unit Omega, here and in the rest rotation. */
static sn_result prepare(const sn_preparation *from, sn_real *parameter) {
    const sn_quat *q = from->q;
    sn_real length = parameter[REST_LENGTH], *darboux = parameter + DARBOUX, rest[3];
    SN_TRY(check_length("bend_twist", parameter));
    if (measures_turn(parameter)) {
        sn_lane4 a = {{q[0].x, q[0].y, q[0].z}, q[0].w}, b = {{q[1].x, q[1].y, q[1].z}, q[1].w};
        sn_lane4 omega = sn_lane4_between(a, b);
        sn_real scale = (omega.w < 0 ? -2 : 2) / length;
        darboux[0] = scale * omega.v.x;
        darboux[1] = scale * omega.v.y;
        darboux[2] = scale * omega.v.z;
    }
    SN_TRY(check_turn("bend_twist", "rest_darboux", darboux, length));
    add_plastic(parameter, rest);
    return check_turn("bend_twist", "rest_darboux with plastic_darboux", rest, length);
}

/* As one stiffness for bending and twist, the mean of both of bending: |Omega - s Omega_rest|^2 / 2
   in place of C^2, with the same curvature for small ones. */
static void pull_frame(const sn_real *parameter, const double along[3], const double q[2][4],
                       int member, sn_frame_pull *sum) {
    (void)along;
    double rest[4], at[4], square = 0, half = (double)parameter[REST_LENGTH] / 2;
    double sign = member == 0 ? -1 : 1;
    sn_real darboux[3];
    add_plastic(parameter, darboux);
    for (int i = 0; i < 3; i++) {
        rest[i] = sign * half * (double)darboux[i];
        square += rest[i] * rest[i];
    }
    rest[3] = square < 1 ? __builtin_sqrt(1 - square) : 0;
    sn_double4_quat_mul(q[!member], rest, at);
    double along_it = (at[0] * q[member][0] + at[1] * q[member][1]) +
                      (at[2] * q[member][2] + at[3] * q[member][3]);
    double k = sn_stiffness_of((compliance(parameter, 0) + compliance(parameter, 1)) / 2);
    for (int i = 0; i < 4; i++) sum->b[i] += along_it < 0 ? -k * at[i] : k * at[i];
}

static sn_real derive(const sn_derivation *from, sn_real *coefficient) {
    sn_real own[SN_OWN], rest[3];
    add_plastic(from->parameter, rest);
    derive_turn(rest, from->parameter[REST_LENGTH], own);
    derive_block(from, compliance, own, coefficient);
    return 1;
}

/* What stayed is a rotation as well. */
static void scale_joint(sn_real *parameter, double ratio) {
    scale_length(parameter, ratio);
    for (int i = 0; i < 3; i++)
        parameter[PLASTIC + i] = (sn_real)((double)parameter[PLASTIC + i] / ratio);
}

/* ---- What yields ---- */

/* What yields at once stays at any curvature that is not rounding. */
#define LEAST_YIELD 1e-9

static bool yields(const sn_real *parameter, int row) {
    return parameter[YIELD + row] != SN_AUTO;
}

static bool settles(const sn_real *parameter) {
    return yields(parameter, 0) || yields(parameter, 1) || yields(parameter, 2);
}

static double size_of(const double v[3]) {
    return __builtin_sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* How much of what is elastic, e, goes over in dt seconds. */
static double flowing(const sn_real *parameter, const double e[3], double dt) {
    double over[3] = {0}, part = 1;
    for (int i = 0; i < 3; i++) {
        double most = (double)parameter[YIELD + i];
        if (yields(parameter, i)) over[i] = e[i] / (most > LEAST_YIELD ? most : LEAST_YIELD);
    }
    double f = size_of(over);
    if (parameter[CREEP] != SN_AUTO) part = (double)parameter[CREEP] * dt;
    if (!(f > 1) || !(part > 0)) return 0;
    return (part < 1 ? part : 1) * (1 - 1 / f);
}

/* Brings what stays to what is allowed, which is what it was where that was more. */
static void bound(const sn_real *parameter, double p[3]) {
    double most = (double)parameter[PLASTIC_LIMIT], before[3];
    if (parameter[PLASTIC_LIMIT] == SN_AUTO) return;
    for (int i = 0; i < 3; i++) before[i] = (double)parameter[PLASTIC + i];
    if (size_of(before) > most) most = size_of(before);
    double size = size_of(p);
    for (int i = 0; i < 3 && size > most; i++) p[i] *= most / size;
}

static bool flow_at(const sn_batch *b, size_t slot, sn_real *parameter, double dt) {
    const block *k = (const block *)b->block + slot / SN_BLOCK;
    double per_half = 2 / (double)parameter[REST_LENGTH], e[3], p[3], rest[3];
    const sn_real *own = k->own[0] + slot % SN_BLOCK;
    bool changed = false;
    state s;
    gather(b, k, slot % SN_BLOCK, &s);
    sn_lane4 omega = sn_lane4_between(s.q[0], s.q[1]);
    const sn_real v[4] = {omega.v.x, omega.v.y, omega.v.z, omega.w};
    sn_real along = 0;
    for (int i = 0; i < 4; i++) along += v[i] * own[i * SN_BLOCK];
    /* Of Omega and -Omega, which are the same rotation, that which is nearer to the one at rest. */
    sn_real sign = along < 0 ? -1 : 1;
    for (int i = 0; i < 3; i++) e[i] = per_half * (double)(sign * v[i] - own[i * SN_BLOCK]);
    double part = flowing(parameter, e, dt);
    if (!(part > 0)) return false;
    for (int i = 0; i < 3; i++)
        p[i] = (double)parameter[PLASTIC + i] + (yields(parameter, i) ? part * e[i] : 0);
    bound(parameter, p);
    for (int i = 0; i < 3; i++) rest[i] = (double)parameter[DARBOUX + i] + p[i];
    if (!(size_of(rest) <= per_half)) return false;
    for (int i = 0; i < 3; i++) {
        changed |= (sn_real)p[i] != parameter[PLASTIC + i];
        parameter[PLASTIC + i] = (sn_real)p[i];
    }
    return changed;
}

SN_DEFINE_TYPE(bend_twist, SN_BEND_TWIST_FIELDS,
               "bending and twist between two segments of a Cosserat rod", .compliant = true,
               .compliance = compliance, .scale_length = scale_joint, .pull_frame = pull_frame,
               .settles = settles, .flow_at = flow_at, .breaks_along = true)

#endif
