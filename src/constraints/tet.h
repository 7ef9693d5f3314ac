/*
 * What all models of a tetrahedron as a finite element share: its shape at rest, and how it is
 * deformed.
 *
 * At rest its edges from node 0 are the columns of D_m, in the frame of the material. With the
 * rows b_k of D_m^-1 and b_0 = -(b_1 + b_2 + b_3)
 *
 *   F = sum_k x_k b_k^T,   that is   f_j = sum_k b_kj x_k   for its columns,
 *
 * is what has become of the unit vectors of that frame. Whatever C is made of F, with the columns
 * p_j of P = dC/dF
 *
 *   grad_k C = P b_k = sum_j b_kj p_j,
 *
 * and for two rows C_r and C_s, J W J^T needs no gradients and no more than six numbers that do
 * not depend on positions and are coefficients:
 *
 *   sum_k w_k grad_k C_r . grad_k C_s = sum_ij W_ij p_i^r . p_j^s
 *   W_ij                              = sum_k w_k b_ki b_kj
 *
 * A model is a file with its formula and tet.inl. The definition of its type begins with
 * SN_TET_FIELDS, so that a tetrahedron can be read back and made again in another place without
 * being measured: that is what cutting and plasticity live on. Nodes may be in either order: at
 * rest F is the identity, mirrored or not.
 */
#ifndef SN_CONSTRAINTS_TET_H
#define SN_CONSTRAINTS_TET_H

#include "constraints/formula.h"
#include "constraints/tet_rest.h"

/* Coefficients that all models have: b_1, b_2, b_3, W, and the largest eigenvalue of W, which is
   the most that a row whose P has the size 1 can weigh. */
enum { TET_B, TET_W = TET_B + 9, TET_MOST = TET_W + 6, TET_COEFFICIENTS };
enum { W_XX, W_YY, W_ZZ, W_YZ, W_ZX, W_XY };

enum { SN_NODES = 4, SN_FRAMES = 0, SN_FIXED = 0 };

typedef struct block {
    int32_t node[SN_NODES][SN_BLOCK];
    sn_real w[SN_NODES][SN_BLOCK];
    sn_real shape[TET_COEFFICIENTS][SN_BLOCK];
    sn_real alpha[SN_ROWS][SN_BLOCK];
    sn_real own[SN_OWN][SN_BLOCK];
    sn_real relax[SN_BLOCK];
} block;

enum { SN_COEFFICIENTS = SN_NODES + TET_COEFFICIENTS + SN_ROWS + SN_OWN + 1 };

/* What one group of lanes works on: rows of a block from the first of its lanes on, and F. */
typedef struct group {
    const sn_real *shape, *alpha, *own, *relax;
    sn_lane3 f[3];
} group;

SN_INLINE sn_lane own_row(const sn_real *own, int row) {
    return sn_lane_load(own + SN_BLOCK * row);
}

/* sum_k b_kj a_k for the three columns j, from vectors a_1 to a_3 relative to a_0. */
SN_INLINE void deform(const sn_real *shape, const sn_lane3 a[4], sn_lane3 f[3]) {
    for (int j = 0; j < 3; j++) {
        sn_lane b1 = own_row(shape, TET_B + j), b2 = own_row(shape, TET_B + 3 + j);
        sn_lane b3 = own_row(shape, TET_B + 6 + j);
        f[j] = sn_lane3_add(sn_lane3_add(sn_lane3_scale(b1, a[1]), sn_lane3_scale(b2, a[2])),
                            sn_lane3_scale(b3, a[3]));
    }
}

/* sum_j b_kj p_j for the nodes 1 to 3, and minus their sum for node 0. */
SN_INLINE void pull(const sn_real *shape, const sn_lane3 p[3], sn_lane3 g[4]) {
    for (int k = 1; k < 4; k++) {
        const sn_real *b = shape + SN_BLOCK * (TET_B + 3 * (k - 1));
        g[k] = sn_lane3_add(
            sn_lane3_add(sn_lane3_scale(own_row(b, 0), p[0]), sn_lane3_scale(own_row(b, 1), p[1])),
            sn_lane3_scale(own_row(b, 2), p[2]));
    }
    g[0] = sn_lane3_minus(sn_lane3_add(sn_lane3_add(g[1], g[2]), g[3]));
}

/* P W, whose dot product with another P is an entry of J W J^T. */
SN_INLINE void weigh(const sn_real *shape, const sn_lane3 p[3], sn_lane3 pw[3]) {
    static const int row[3][3] = {{W_XX, W_XY, W_ZX}, {W_XY, W_YY, W_YZ}, {W_ZX, W_YZ, W_ZZ}};
    for (int i = 0; i < 3; i++) {
        sn_lane3 sum = sn_lane3_scale(own_row(shape, TET_W + row[i][0]), p[0]);
        for (int j = 1; j < 3; j++)
            sum = sn_lane3_add(sum, sn_lane3_scale(own_row(shape, TET_W + row[i][j]), p[j]));
        pw[i] = sum;
    }
}

/* W_xx + W_yy + W_zz: what a row of unit size weighs, more or less. */
SN_INLINE sn_lane weight(const sn_real *shape) {
    return (own_row(shape, TET_W + W_XX) + own_row(shape, TET_W + W_YY)) +
           own_row(shape, TET_W + W_ZZ);
}

/* The sum of the products of all nine components. */
SN_INLINE sn_lane all_dot(const sn_lane3 p[3], const sn_lane3 q[3]) {
    return (sn_lane3_dot(p[0], q[0]) + sn_lane3_dot(p[1], q[1])) + sn_lane3_dot(p[2], q[2]);
}

/*
 * Two rows, of which the second is a length |e|, such as that of the strain: J W J^T and alpha are
 * a, b and d, both sides without the minus. Such a row sees only the direction of e; where
 * something holds e, all other directions of it are pushed with the full force and answered by
 * nothing, and with steps that are long beside the stiffness they would swing ever wider. So what
 * is left of d when the first row is eliminated counts as `least` at least, the most that e could
 * weigh.
 */
SN_INLINE void solve_pair(sn_lane a, sn_lane b, sn_lane d, sn_lane least, sn_lane *u, sn_lane *v) {
    sn_lane zero = sn_lane_all(0), per_a = sn_lane_if_less(zero, a, 1 / a, zero);
    sn_lane ratio = b * per_a, left = sn_lane_max(d - b * ratio, least);
    *v = sn_lane_if_less(zero, left, (*v - ratio * *u) / left, zero);
    *u = *u * per_a - ratio * *v;
}

#if SN_LANES == 1

#include "math/principal.h"

/* The coefficients above. */
SN_INLINE void derive_shape(const sn_derivation *from, sn_real *out) {
    static const int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {2, 0}, {0, 1}};
    double b[12] = {0}, w[6] = {0}, axis[3];
    invert_shape(from->parameter, b + 3);
    for (int j = 0; j < 3; j++) b[j] = -(b[3 + j] + b[6 + j] + b[9 + j]);
    for (int i = 0; i < 9; i++) out[TET_B + i] = (sn_real)b[3 + i];
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < 4; k++)
            w[i] += (double)from->w[k] * b[3 * k + pair[i][0]] * b[3 * k + pair[i][1]];
        out[TET_W + i] = (sn_real)w[i];
    }
    out[TET_MOST] = (sn_real)sn_principal(w, axis);
}

#endif
#endif
