/*
 * What all models of a tetrahedron as a finite element share: its shape at rest, and how it is
 * deformed.
 *
 * At rest its edges from node 0 are the columns of D_m, in the frame of the material. With the rows
 * b_k of D_m^-1 and b_0 = -(b_1 + b_2 + b_3)
 *   F = sum_k x_k b_k^T,   that is   f_j = sum_k b_kj x_k   for its columns,
 * is what has become of the unit vectors of that frame. Whatever C is made of F, with the columns
 * p_j of P = dC/dF
 *   grad_k C = P b_k = sum_j b_kj p_j,
 * and for two rows C_r and C_s, J W J^T needs no gradients and no more than six numbers that do not
 * depend on positions and are coefficients:
 *   sum_k w_k grad_k C_r . grad_k C_s = sum_ij W_ij p_i^r . p_j^s,   W_ij = sum_k w_k b_ki b_kj
 *
 * A model is a file with its formula and tet.inl. The definition of its type begins with
 * SN_TET_FIELDS, so that a tetrahedron can be read back and made again in another place without
 * being measured: that is what cutting and plasticity live on. Nodes may be in either order: at
 * rest F is the identity, mirrored or not.
 */
#ifndef SN_CONSTRAINTS_TET_H
#define SN_CONSTRAINTS_TET_H

#include "constraints/formula.h"

/* Coefficients that all models have: b_1, b_2, b_3, and W. */
enum { TET_B, TET_W = TET_B + 9, TET_COEFFICIENTS = TET_W + 6 };
enum { W_XX, W_YY, W_ZZ, W_YZ, W_ZX, W_XY };

enum { SN_NODES = 4, SN_FRAMES = 0, SN_FIXED = 0 };

typedef struct block {
    int32_t node[SN_NODES][SN_BLOCK];
    sn_real w[SN_NODES][SN_BLOCK];
    sn_real shape[TET_COEFFICIENTS][SN_BLOCK];
    sn_real alpha[SN_ROWS][SN_BLOCK];
    sn_real own[SN_OWN + 1][SN_BLOCK]; /* the last one is unused, so that none is allowed */
    sn_real relax[SN_BLOCK];
    sn_real gamma[SN_ROWS][SN_BLOCK];
} block;

enum { SN_COEFFICIENTS = SN_NODES + TET_COEFFICIENTS + 2 * SN_ROWS + SN_OWN + 2 };

/* What one group of lanes works on: rows of a block from the first of its lanes on, F, and how F
   has changed in this substep, where that is asked for. */
typedef struct group {
    const sn_real *shape, *alpha, *own, *relax, *gamma;
    sn_lane3 f[3], change[3];
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

/* The columns of cof F, which is d det F / dF; the determinant is f[0] . k[0]. */
SN_INLINE void cofactors(const sn_lane3 f[3], sn_lane3 k[3]) {
    for (int j = 0; j < 3; j++) k[j] = sn_lane3_cross(f[(j + 1) % 3], f[(j + 2) % 3]);
}

#if SN_LANES == 1

/* The fields of SN_TET_FIELDS; those of the type itself come after them. */
enum { REST_EDGES = SN_COMMON_PARAMETERS, TET_DAMPING_TIME = REST_EDGES + 9, TET_PARAMETERS };

/* A tetrahedron this flat beside the cube of its longest edge is none. */
#define FLATTEST 1e-9

/* Six times the volume at rest, negative where the nodes are in the other order. */
static double six_volumes(const sn_real *parameter) {
    const sn_real *e = parameter + REST_EDGES;
    double d[9];
    for (int i = 0; i < 9; i++) d[i] = (double)e[i];
    return d[0] * (d[4] * d[8] - d[5] * d[7]) + d[1] * (d[5] * d[6] - d[3] * d[8]) +
           d[2] * (d[3] * d[7] - d[4] * d[6]);
}

/* m^3, at rest. */
static double rest_volume(const sn_real *parameter) {
    double six = six_volumes(parameter);
    return (six < 0 ? -six : six) / 6;
}

/* b_1, b_2 and b_3; zero where there is no shape. */
static void invert_shape(const sn_real *parameter, double b[9]) {
    const sn_real *e = parameter + REST_EDGES;
    double six = six_volumes(parameter), per = six != 0 ? 1 / six : 0;
    for (int k = 0; k < 3; k++) {
        const sn_real *p = e + 3 * ((k + 1) % 3), *q = e + 3 * ((k + 2) % 3);
        for (int j = 0; j < 3; j++) {
            int m = (j + 1) % 3, n = (j + 2) % 3;
            b[3 * k + j] = per * ((double)p[m] * (double)q[n] - (double)p[n] * (double)q[m]);
        }
    }
}

/* The square of the longest of the six edges. */
static double longest2(const sn_real *edges) {
    static const int pair[6][2] = {{0, -1}, {1, -1}, {2, -1}, {0, 1}, {1, 2}, {2, 0}};
    double longest = 0;
    for (int i = 0; i < 6; i++) {
        double square = 0;
        for (int j = 0; j < 3; j++) {
            double d = (double)edges[3 * pair[i][0] + j];
            if (pair[i][1] >= 0) d -= (double)edges[3 * pair[i][1] + j];
            square += d * d;
        }
        if (square > longest) longest = square;
    }
    return longest;
}

/* Fills in the edges that are automatic, and refuses what is no tetrahedron. */
static sn_result measure_edges(const char *type, const sn_vec3 *x, sn_real *parameter) {
    sn_real *edges = parameter + REST_EDGES;
    for (int k = 0; k < 3; k++) {
        sn_real *e = edges + 3 * k;
        if (e[0] != SN_AUTO && e[1] != SN_AUTO && e[2] != SN_AUTO) continue;
        e[0] = x[k + 1].x;
        e[1] = x[k + 1].y;
        e[2] = x[k + 1].z;
    }
    double square = longest2(edges), longest = __builtin_sqrt(square), b[9];
    double volume = rest_volume(parameter);
    bool sound = square > 0 && 6 * volume > FLATTEST * square * longest;
    invert_shape(parameter, b);
    for (int i = 0; i < 9 && sound; i++) sound = b[i] * b[i] < 1e24;
    if (sound) return SN_OK;
    return sn_fail(SN_ERROR_DEGENERATE,
                   "%s: the shape at rest has the volume %g m^3 and a longest edge of %g m, "
                   "expected a tetrahedron that is not flat, or rest edges of one",
                   type, volume, longest);
}

/* The constants of Lame in Pa; infinite where Young's modulus is automatic. */
typedef struct lame {
    double mu, lambda;
} lame;

static lame lame_of(double young, double nu) {
    if (young == (double)SN_AUTO) return (lame){__builtin_inf(), __builtin_inf()};
    return (lame){young / (2 * (1 + nu)), young * nu / ((1 + nu) * (1 - 2 * nu))};
}

/* What a row of a modulus in Pa gives way by. */
static double soften(const sn_real *parameter, double modulus) {
    double energy = modulus * rest_volume(parameter);
    double own = energy > 1e-30 ? 1 / energy : 1e30;
    return own + (double)parameter[SN_PARAMETER_COMPLIANCE];
}

/* The coefficients above. */
static void derive_shape(const sn_derivation *from, sn_real *out) {
    static const int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {2, 0}, {0, 1}};
    double b[12] = {0}, sum;
    invert_shape(from->parameter, b + 3);
    for (int j = 0; j < 3; j++) b[j] = -(b[3 + j] + b[6 + j] + b[9 + j]);
    for (int i = 0; i < 9; i++) out[TET_B + i] = (sn_real)b[3 + i];
    for (int i = 0; i < 6; i++) {
        sum = 0;
        for (int k = 0; k < 4; k++)
            sum += (double)from->w[k] * b[3 * k + pair[i][0]] * b[3 * k + pair[i][1]];
        out[TET_W + i] = (sn_real)sum;
    }
}

#endif
#endif
