/*
 * A tetrahedron of the corotated linear material.
 *
 *   C     = (tr(R^T F) - 3, |F - R|)
 *   dC/dF = (R, (F - R) / |F - R|)
 *
 * Corotated linear elasticity (Mueller and Gross 2004) as two constraints; the papers on position
 * based dynamics do not have it. The nearest rotation is that of math/rotation.h (Mueller et al.
 * 2016; Kugelstadt, Koschier and Bender 2018).
 *
 * R is the rotation that makes tr(R^T F) largest, and |F - R| least, so that it is as good as
 * frozen: how it changes with F does not matter to the first order. It is found anew in every
 * projection and has no state: the columns of F, made orthogonal one after the other, are a frame
 * that is off by about the shear, and Newton's method takes two or three steps from there. Where F
 * is turned inside out R stays a rotation, and F - R leads back through the thinnest direction.
 *
 * With a Poisson's ratio below 0 the first row would have a negative stiffness, lambda. There the
 * second row is without trace,
 *
 *   C = (tr(R^T F) - 3, |D|),   D = F - R - R tr(R^T F - I) / 3
 *
 * and the same energy has the stiffness lambda + 2/3 mu, the bulk modulus, and 2 mu, both above 0.
 */
#define SN_VISCOUS
#define SN_TYPE corotated_tet
#define SN_ROWS 2
#define SN_OWN 1 /* the part of the trace that the second row leaves to the first, 0 or 1/3 */
#define SN_SOLVED
#include "constraints/tet.h"
#include "math/rotation.h"

/* What rounding makes of no strain at all: a length below this has no direction. */
#ifdef SN_DOUBLE
#define LEAST_STRAIN 1e-15
#else
#define LEAST_STRAIN 1e-7f
#endif
/* Squared: a stretch below this has none either. */
#define LEAST_STRETCH2 SN_R(1e-12)

/* a made unit, or `other` where it is too short for a direction. */
SN_INLINE sn_lane3 direction(sn_lane3 a, sn_lane3 other) {
    sn_lane square = sn_lane3_dot(a, a), least = sn_lane_all(LEAST_STRETCH2);
    sn_lane part = 1 / sn_lane_sqrt(sn_lane_max(square, least));
    return sn_lane3_if_less(least, square, sn_lane3_scale(part, a), other);
}

/* A unit vector at right angles to a unit vector: away from its least component. */
SN_INLINE sn_lane3 aside(sn_lane3 a) {
    sn_lane zero = sn_lane_all(0), one = sn_lane_all(1), half = sn_lane_all(SN_R(0.5));
    sn_lane3 axis =
        sn_lane3_if_less(half, a.x * a.x, (sn_lane3){zero, one, zero}, (sn_lane3){one, zero, zero});
    sn_lane3 across = sn_lane3_cross(a, axis);
    return sn_lane3_scale(1 / sn_lane_sqrt(sn_lane3_dot(across, across)), across);
}

/* A right-handed frame along the columns of F, the first one first. */
SN_INLINE void frame_of(const sn_lane3 f[3], sn_lane3 e[3]) {
    sn_lane zero = sn_lane_all(0), one = sn_lane_all(1);
    e[0] = direction(f[0], (sn_lane3){one, zero, zero});
    sn_lane along = sn_lane3_dot(e[0], f[1]);
    e[1] = direction(sn_lane3_sub(f[1], sn_lane3_scale(along, e[0])), aside(e[0]));
    e[2] = sn_lane3_cross(e[0], e[1]);
}

/* a_x e_0 + a_y e_1 + a_z e_2 */
SN_INLINE sn_lane3 in_frame(const sn_lane3 e[3], sn_lane3 a) {
    return sn_lane3_add(sn_lane3_add(sn_lane3_scale(a.x, e[0]), sn_lane3_scale(a.y, e[1])),
                        sn_lane3_scale(a.z, e[2]));
}

SN_INLINE void nearest_rotation(const sn_lane3 f[3], sn_lane3 r[3]) {
    sn_lane zero = sn_lane_all(0);
    sn_lane3 e[3], seen[3], axes[3];
    frame_of(f, e);
    for (int j = 0; j < 3; j++)
        seen[j] = (sn_lane3){sn_lane3_dot(e[0], f[j]), sn_lane3_dot(e[1], f[j]),
                             sn_lane3_dot(e[2], f[j])};
    sn_lane4 none = {{zero, zero, zero}, sn_lane_all(1)};
    sn_lane4_axes(sn_rotation_of(seen, none), axes);
    for (int j = 0; j < 3; j++) r[j] = in_frame(e, axes[j]);
}

SN_INLINE void formula(const sn_lane3 f[3], const sn_real *own, sn_lane value[SN_ROWS],
                       sn_lane3 p[SN_ROWS][3]) {
    sn_lane part_of_trace = own_row(own, 0), zero = sn_lane_all(0);
    nearest_rotation(f, p[0]);
    for (int j = 0; j < 3; j++) p[1][j] = sn_lane3_sub(f[j], p[0][j]);
    value[0] = all_dot(p[0], p[1]);
    if (sn_lane_any_less(zero, part_of_trace))
        for (int j = 0; j < 3; j++)
            p[1][j] = sn_lane3_sub(p[1][j], sn_lane3_scale(part_of_trace * value[0], p[0][j]));
    value[1] = sn_lane_sqrt(all_dot(p[1], p[1]));
    sn_lane part = 1 / sn_lane_max(value[1], sn_lane_all(LEAST_STRAIN));
    for (int j = 0; j < 3; j++) p[1][j] = sn_lane3_scale(part, p[1][j]);
}

SN_INLINE void solve_tet(const group *t, const int keep, sn_lane lambda[SN_ROWS], sn_lane3 out[3]) {
    sn_lane3 p[SN_ROWS][3], pw[3];
    sn_lane value[SN_ROWS], alpha[SN_ROWS];
    formula(t->f, t->own, value, p);
    for (int i = 0; i < SN_ROWS; i++) {
        alpha[i] = own_row(t->alpha, i);
        if (keep) value[i] += alpha[i] * lambda[i];
        value[i] *= -sn_lane_load(t->relax);
    }
    /* R W R^T has the trace of W. */
    weigh(t->shape, p[1], pw);
    sn_lane a = weight(t->shape), b = all_dot(pw, p[0]), d = all_dot(pw, p[1]);
    solve_pair(a + alpha[0], b, d + alpha[1], own_row(t->shape, TET_MOST), &value[0], &value[1]);
    for (int i = 0; keep && i < SN_ROWS; i++) lambda[i] += value[i];
    for (int j = 0; j < 3; j++)
        out[j] = sn_lane3_add(sn_lane3_scale(value[0], p[0][j]), sn_lane3_scale(value[1], p[1][j]));
}

#include "constraints/tet.inl"

#if SN_LANES == 1

#include "constraints/tet_isotropic.h"

static sn_result prepare(const sn_preparation *from, sn_real *parameter) {
    return prepare_isotropic("corotated_tet", from, parameter);
}

static bool is_split(const sn_real *parameter) {
    return parameter[POISSON] < 0;
}

static double compliance(const sn_real *parameter, int row) {
    lame of = lame_of(parameter);
    double first = is_split(parameter) ? of.lambda + of.mu * 2 / 3 : of.lambda;
    return soften(parameter, row == 0 ? first : 2 * of.mu);
}

static sn_real derive(const sn_derivation *from, sn_real *coefficient) {
    sn_real shape[SN_MAX_PARAMETERS];
    sn_derivation after = derive_plastic(from, shape);
    sn_real part_of_trace = is_split(from->parameter) ? SN_R(1.0) / 3 : 0;
    derive_tet(&after, compliance, &part_of_trace, coefficient);
    return 1;
}

SN_DEFINE_TYPE(corotated_tet, SN_COROTATED_TET_FIELDS,
               "a tetrahedron that obeys Hooke's law in a frame that turns with it",
               .compliant = true, .damping_time = TET_DAMPING_TIME, .dashpot_rows = DASHPOTS,
               .viscosity = viscosity, .compliance = compliance, .settles = settles, .flow = flow)

#endif
