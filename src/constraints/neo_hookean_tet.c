/*
 * A tetrahedron of the stable Neo-Hookean material (Macklin and Mueller 2021), with both of its
 * terms solved together.
 *
 * The paper takes C_H = J - gamma and C_D = sqrt(tr F^T F). Neither is zero at rest, where two
 * large forces cancel, and their gradients are parallel there, so that shear is resisted by the
 * forces of the last positions alone: beyond h^2 E / (rho l^2) of about 1 that explodes. The same
 * energy is
 *
 *   lambda / 2 (J - 1)^2 + mu / 2 Q,   Q = tr F^T F - 4 J + J^2
 *
 * and Q >= 0, with equality for rotations (and for F = 0) alone: for F with the singular value s
 * three times it is s^2 (s - 1)^2 (s^2 + 2 s + 3), and no F of the same J has less. So
 *
 *   C         = (J - 1, sqrt(Q))
 *   dJ/dF     = cof F
 *   dQ/dF / 2 = F - (2 - J) cof F
 *
 * is zero at rest, gives way by Hooke's law around it, and what resists is implicit in every
 * direction. Being a length, sqrt(Q) has no gradient at rest, and needs none.
 *
 * Q is zero at F = 0 as well. Pressed from all sides to the factor s, the energy per volume has
 * the slope
 *
 *   3 s (1 - s) (mu - (mu + lambda) (s + s^2 + s^3))
 *
 * Below the s where s + s^2 + s^3 = 1 - 2 nu, 0.54 for nu = 0 and 0.09 for nu = 0.45, the material
 * would go on to a point by itself and stay there, and a little above it would need long to come
 * back. What is smaller than that, or than 0.3, in all directions together opens again, by |F - R|
 * with the nearest rotation R and the stiffness 2 mu.
 */
#define SN_VISCOUS
#define SN_TYPE neo_hookean_tet
#define SN_ROWS 2
#define SN_OWN 1 /* tr F^T F below which it gives in */
#define SN_SOLVED
#include "constraints/neo_hookean.h"
#include "constraints/tet.h"
#include "math/rotation.h"

/* sum_ij W_ij a_ij for a symmetric matrix. */
SN_INLINE sn_lane weigh_all(const sn_real *shape, sn_lane3 diagonal, sn_lane3 side) {
    sn_lane3 w = {own_row(shape, TET_W + W_XX), own_row(shape, TET_W + W_YY),
                  own_row(shape, TET_W + W_ZZ)};
    sn_lane3 aside = {own_row(shape, TET_W + W_YZ), own_row(shape, TET_W + W_ZX),
                      own_row(shape, TET_W + W_XY)};
    return sn_lane3_dot(w, diagonal) + 2 * sn_lane3_dot(aside, side);
}

/* The corrections of tetrahedra that have given in. */
static SN_NOINLINE void open_up(const sn_lane3 f[3], const sn_real *shape, const sn_real *soft,
                                const sn_real *relax, sn_lane3 out[3]) {
    sn_lane zero = sn_lane_all(0), one = sn_lane_all(1), half = sn_lane_all(SN_R(0.5));
    sn_lane3 r[3], p[3], pw[3];
    sn_lane4_axes(sn_rotation_of(f, (sn_lane4){{zero, zero, zero}, one}), r);
    for (int j = 0; j < 3; j++) p[j] = sn_lane3_sub(f[j], r[j]);
    weigh(shape, p, pw);
    sn_lane size2 = sn_lane_max(all_dot(p, p), half), alpha = half * own_row(soft, 1);
    sn_lane sum = all_dot(pw, p) / size2 + alpha;
    sn_lane step = sn_lane_if_less(zero, sum, sn_lane_load(relax) / sum, zero);
    for (int j = 0; j < 3; j++) out[j] = sn_lane3_scale(-step, p[j]);
}

SN_INLINE void formula(const sn_lane3 f[3], const sn_real *own, sn_lane value[SN_ROWS],
                       sn_lane3 p[SN_ROWS][3]) {
    (void)own;
    strain s = measure(f);
    value[0] = s.j;
    value[1] = sn_lane_sqrt(s.q);
    sn_lane part = 1 / sn_lane_max(value[1], sn_lane_all(LEAST_STRAIN));
    for (int i = 0; i < 3; i++) {
        sn_lane3 h = sn_lane3_sub(f[i], sn_lane3_scale(1 - s.j, s.k[i]));
        p[0][i] = s.k[i];
        p[1][i] = sn_lane3_scale(part, h);
    }
}

/* The first row weighs this part of W_xx + W_yy + W_zz at least: where a tetrahedron collapses its
   gradient does, and a full step would throw it away. */
#define LEAST_WEIGHT SN_R(1e-3)

/*
 * The second row and its column times sqrt(Q), so that neither a root nor a division by it is
 * needed. With
 *
 *   H         = F - (2 - J) cof F
 *   H^T cof F = J I - (2 - J) adj(F^T F)
 *
 * the gradient is H / sqrt(Q), the unknown is dlambda / sqrt(Q), and the sums over nodes are those
 * of H^T H, of H^T cof F and of adj(F^T F).
 */
SN_INLINE void solve_tet(const group *t, const int keep, sn_lane lambda[SN_ROWS], sn_lane3 out[3]) {
    const sn_lane3 *f = t->f;
    strain s = measure(f);
    sn_lane3 h[3];
    sn_lane c = 1 - s.j, zero = sn_lane_all(0), root = zero;
    for (int i = 0; i < 3; i++) h[i] = sn_lane3_sub(f[i], sn_lane3_scale(c, s.k[i]));
    sn_lane3 along = {sn_lane3_dot(h[0], h[0]), sn_lane3_dot(h[1], h[1]), sn_lane3_dot(h[2], h[2])};
    sn_lane3 across = {sn_lane3_dot(h[1], h[2]), sn_lane3_dot(h[2], h[0]),
                       sn_lane3_dot(h[0], h[1])};
    sn_lane all = weight(t->shape), size = (along.x + along.y) + along.z;
    sn_lane a = weigh_all(t->shape, s.diagonal, s.side), d = weigh_all(t->shape, along, across);
    sn_lane b = (s.j + 1) * all - c * a;
    sn_lane least = own_row(t->shape, TET_MOST) * (size + LEAST_STRAIN * LEAST_STRAIN);

    sn_lane alpha = own_row(t->alpha, 0), beta = own_row(t->alpha, 1), u = s.j, v = s.q;
    if (keep) {
        root = sn_lane_sqrt(s.q);
        u += alpha * lambda[0];
        v += beta * (root * lambda[1]);
    }
    sn_lane relax = -sn_lane_load(t->relax), first = u * relax, second = v * relax;
    solve_pair((a + LEAST_WEIGHT * all) + alpha, b, d + beta * s.q, least, &first, &second);
    sn_lane whole = own_row(t->own, 0);
    bool opens = sn_lane_any_less(s.trace, whole);
    if (opens) {
        first = sn_lane_if_less(s.trace, whole, zero, first);
        second = sn_lane_if_less(s.trace, whole, zero, second);
    }
    if (keep) {
        lambda[0] += first;
        lambda[1] += second * root;
    }
    sn_lane both = first - c * second;
    for (int i = 0; i < 3; i++)
        out[i] = sn_lane3_add(sn_lane3_scale(second, f[i]), sn_lane3_scale(both, s.k[i]));
    if (opens) {
        /* By way of a copy, so that F stays in registers where it is not needed. */
        sn_lane3 open[3], crushed[3] = {f[0], f[1], f[2]};
        open_up(crushed, t->shape, t->alpha, t->relax, open);
        for (int i = 0; i < 3; i++) out[i] = sn_lane3_if_less(s.trace, whole, open[i], out[i]);
    }
}

#include "constraints/tet.inl"

#if SN_LANES == 1

#include "constraints/tet_isotropic.h"

static sn_result prepare(const sn_preparation *from, sn_real *parameter) {
    return prepare_isotropic("neo_hookean_tet", from, parameter);
}

static double compliance(const sn_real *parameter, int row) {
    lame of = lame_of(parameter);
    return soften(parameter, row == 0 ? of.lambda : of.mu);
}

static sn_real derive(const sn_derivation *from, sn_real *coefficient) {
    sn_real shape[SN_MAX_PARAMETERS];
    sn_derivation after = derive_plastic(from, shape);
    sn_real whole = least_trace((double)from->parameter[POISSON]);
    derive_tet(&after, compliance, &whole, coefficient);
    return 1;
}

SN_DEFINE_TYPE(neo_hookean_tet, SN_NEO_HOOKEAN_TET_FIELDS,
               "a tetrahedron of the stable Neo-Hookean material", .compliant = true,
               .damping_time = TET_DAMPING_TIME, .dashpot_rows = DASHPOTS, .viscosity = viscosity,
               .compliance = compliance, .settles = settles, .flow = flow)

#endif
