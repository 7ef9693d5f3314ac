/*
 * Plasticity of tetrahedra: a shape at rest that changes by what happened to it, multiplicatively
 * (survey of 2017, section 5.11.5; Goktekin, Bargteil and O'Brien 2004).
 *
 * The shape at rest is that of the rest edges, deformed by a symmetric matrix U: I at first. F
 * then is what is elastic. With
 *
 *   F_total = F U
 *   F       = R S,   J = det F
 *   s       = S / J^(1/3)                  without change of volume
 *
 * the strain |s - I| (the root of the sum of squares) is compared with the yield when a step is
 * over. What is above it goes over into the shape, all of it or a part per time:
 *
 *   a  = part (1 - yield / |s - I|)
 *   t  = I + (1 - a) (s - I)
 *   s  = G t
 *   U' = sqrt((G U)^T G U)
 *
 * so that t, which stays elastic, is on the yield where the part is 1. (The survey takes G = I + a
 * (s - I), of which this is the form that does not depend on the size of a.) The rotation in G U
 * is left out: it would turn the frame in which fibres and axes are given. U' is made to keep the
 * volume, and so that |U' - I| is no more than a limit. Pressure makes nothing flow.
 *
 * In double, with square roots alone. Where nothing yields no root is taken: as tr s >= 3,
 *
 *   |s - I|^2 <= tr s^2 - 3 = tr F^T F / J^(2/3) - 3
 *
 * The including file has included tet.h, and PLASTIC is where the plastic fields are among the
 * parameters, of which they are the last. It uses measure_plastic to prepare, derive_plastic to
 * derive, and `settles` and `flow` as they are.
 */
#ifndef SN_CONSTRAINTS_TET_PLASTIC_H
#define SN_CONSTRAINTS_TET_PLASTIC_H

#if SN_LANES == 1

#include "math/principal.h"
#include "math/root.h"

/* The fields of SN_TET_PLASTIC_FIELDS, from their first on. U - I is kept as xx, yy, zz and yz, zx,
   xy. */
enum { PLASTIC_YIELD, PLASTIC_CREEP, PLASTIC_LIMIT, PLASTIC_STRETCH, PLASTIC_PARAMETERS = 9 };

static bool settles(const sn_real *parameter) {
    return parameter[PLASTIC + PLASTIC_YIELD] != SN_AUTO;
}

static const int plastic_pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {2, 0}, {0, 1}};

/* U; and whether it is something else than I. */
static bool plastic_shape(const sn_real *plastic, double u[3][3]) {
    bool changed = false;
    for (int i = 0; i < 6; i++) {
        int m = plastic_pair[i][0], n = plastic_pair[i][1];
        double part = (double)plastic[PLASTIC_STRETCH + i];
        changed |= part != 0;
        u[m][n] = u[n][m] = (m == n) + part;
    }
    return changed;
}

/* The rest edges as they are after U, in the place of those of the fields. */
static void plastic_edges(const sn_real *plastic, sn_real edges[9]) {
    double u[3][3], e[9];
    if (!plastic_shape(plastic, u)) return;
    for (int k = 0; k < 9; k++) e[k] = (double)edges[k];
    for (int k = 0; k < 9; k++) {
        const double *row = u[k % 3], *edge = e + k / 3 * 3;
        edges[k] = (sn_real)(row[0] * edge[0] + row[1] * edge[1] + row[2] * edge[2]);
    }
}

/* Fills in the edges that are automatic, and refuses what is no tetrahedron, before U and after. */
static sn_result measure_plastic(const char *type, const sn_vec3 *x, sn_real *parameter) {
    sn_real shape[REST_EDGES + 9];
    SN_TRY(measure_edges(type, x, parameter));
    for (int i = 0; i < 9; i++) shape[REST_EDGES + i] = parameter[REST_EDGES + i];
    plastic_edges(parameter + PLASTIC, shape + REST_EDGES);
    double before = six_volumes(parameter), part = six_volumes(shape) / before;
    if (part > 1e-3 && part < 1e3) return SN_OK;
    return sn_fail(SN_ERROR_DEGENERATE,
                   "%s: plastic_stretch and plastic_shear leave %g of the volume, expected what a "
                   "step makes of them, which keeps it",
                   type, part);
}

/* A derivation with the edges after U, for which `shape` is room. */
static sn_derivation derive_plastic(const sn_derivation *from, sn_real shape[SN_MAX_PARAMETERS]) {
    sn_derivation after = *from;
    for (int i = 0; i < PLASTIC + PLASTIC_PARAMETERS; i++) shape[i] = from->parameter[i];
    plastic_edges(shape + PLASTIC, shape + REST_EDGES);
    after.parameter = shape;
    return after;
}

/* sum_i value_i n_i n_i^T */
static void plastic_compose(const double value[3], double n[3][3], double m[3][3]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            m[i][j] = (value[0] * n[i][0] * n[j][0] + value[1] * n[i][1] * n[j][1]) +
                      value[2] * n[i][2] * n[j][2];
}

/* Makes the product of three numbers 1; false where it is none. */
static bool plastic_keep_volume(double value[3]) {
    double root = sn_cube_root(value[0] * value[1] * value[2]);
    if (!(root > 0)) return false;
    for (int i = 0; i < 3; i++) value[i] /= root;
    return true;
}

/* The root of the sum of squares of value - 1. */
static double plastic_size(const double value[3]) {
    double x = value[0] - 1, y = value[1] - 1, z = value[2] - 1;
    return __builtin_sqrt(x * x + y * y + z * z);
}

/* m^T m as xx, yy, zz, yz, zx, xy. */
static void plastic_square(double m[3][3], double square[6]) {
    for (int i = 0; i < 6; i++) {
        int p = plastic_pair[i][0], q = plastic_pair[i][1];
        square[i] = m[0][p] * m[0][q] + m[1][p] * m[1][q] + m[2][p] * m[2][q];
    }
}

/* F of nodes at x, with the edges after U at rest; its determinant. */
static double plastic_deform(const sn_real *parameter, const sn_vec3 *x, double f[3][3]) {
    double b[9];
    invert_shape(parameter, b);
    for (int j = 0; j < 3; j++) {
        f[0][j] = b[j] * (double)x[1].x + b[3 + j] * (double)x[2].x + b[6 + j] * (double)x[3].x;
        f[1][j] = b[j] * (double)x[1].y + b[3 + j] * (double)x[2].y + b[6 + j] * (double)x[3].y;
        f[2][j] = b[j] * (double)x[1].z + b[3 + j] * (double)x[2].z + b[6 + j] * (double)x[3].z;
    }
    return f[0][0] * (f[1][1] * f[2][2] - f[1][2] * f[2][1]) +
           f[0][1] * (f[1][2] * f[2][0] - f[1][0] * f[2][2]) +
           f[0][2] * (f[1][0] * f[2][1] - f[1][1] * f[2][0]);
}

/* G from what is elastic and how much of it stays; false where it does not yield. */
static bool plastic_yield(const sn_real *plastic, const double square[6], double dt,
                          double g[3][3]) {
    double s[3], n[3][3], yield = (double)plastic[PLASTIC_YIELD], part = 1;
    sn_eigen(square, s, n);
    for (int i = 0; i < 3; i++) s[i] = s[i] > 0 ? __builtin_sqrt(s[i]) : 0;
    if (!plastic_keep_volume(s)) return false;
    double size = plastic_size(s);
    if (plastic[PLASTIC_CREEP] != SN_AUTO) part = (double)plastic[PLASTIC_CREEP] * dt;
    if (part > 1) part = 1;
    if (!(size > yield) || !(part > 0)) return false;
    double left = 1 - part * (1 - yield / size);
    for (int i = 0; i < 3; i++) s[i] /= 1 + left * (s[i] - 1);
    plastic_compose(s, n, g);
    return true;
}

/* Brings |U - I| to what is allowed, which is what it was where that was more. */
static void plastic_bound(const sn_real *plastic, const double before[3][3], double value[3]) {
    double most = (double)plastic[PLASTIC_LIMIT], square = 0;
    for (int i = 0; i < 9; i++) {
        double part = before[i / 3][i % 3] - (i % 4 == 0);
        square += part * part;
    }
    if (square > most * most) most = __builtin_sqrt(square);
    const double whole[3] = {value[0], value[1], value[2]};
    double size = plastic_size(value), part = 1;
    if (!(size > most)) return;
    /* Keeping the volume changes the size a little, so that it takes a few rounds. */
    for (int round = 0; round < 12; round++) {
        part *= most / size;
        for (int i = 0; i < 3; i++) value[i] = 1 + part * (whole[i] - 1);
        plastic_keep_volume(value);
        size = plastic_size(value);
        if (!(size > 0)) return;
    }
}

/* The new U after a step that ended with the nodes at x, relative to node 0. */
static bool flow(sn_real *parameter, const sn_vec3 *x, double dt) {
    sn_real *plastic = parameter + PLASTIC, shape[REST_EDGES + 9];
    double f[3][3], square[6], g[3][3], u[3][3], gu[3][3], value[3], n[3][3];
    double yield = (double)plastic[PLASTIC_YIELD];
    bool changed = false;
    for (int i = 0; i < 9; i++) shape[REST_EDGES + i] = parameter[REST_EDGES + i];
    plastic_edges(plastic, shape + REST_EDGES);
    double j = plastic_deform(shape, x, f);
    plastic_square(f, square);
    double trace = square[0] + square[1] + square[2], most = 3 + yield * yield;
    if (!(j > 0) || trace * trace * trace <= most * most * most * j * j) return false;
    if (!plastic_yield(plastic, square, dt, g)) return false;
    plastic_shape(plastic, u);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            gu[i][k] = g[i][0] * u[0][k] + g[i][1] * u[1][k] + g[i][2] * u[2][k];
    plastic_square(gu, square);
    sn_eigen(square, value, n);
    for (int i = 0; i < 3; i++) value[i] = value[i] > 0 ? __builtin_sqrt(value[i]) : 0;
    if (!plastic_keep_volume(value)) return false;
    plastic_bound(plastic, (const double(*)[3])u, value);
    plastic_compose(value, n, u);
    for (int i = 0; i < 6; i++) {
        int p = plastic_pair[i][0], q = plastic_pair[i][1];
        sn_real part = (sn_real)(u[p][q] - (p == q));
        if (!(part - part == 0)) return changed;
        changed |= part != plastic[PLASTIC_STRETCH + i];
        plastic[PLASTIC_STRETCH + i] = part;
    }
    return changed;
}

#endif
#endif
