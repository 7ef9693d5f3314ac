/*
 * Plasticity of tetrahedra: a shape at rest that changes by what happened to it (plastic_flow.h).
 * It is that of the rest edges, multiplied by U.
 *
 * The including file has included tet.h, and PLASTIC is where the plastic fields are among the
 * parameters, of which they are the last. It uses measure_plastic to prepare, derive_plastic to
 * derive, and `settles` and `flow` as they are.
 */
#ifndef SN_CONSTRAINTS_TET_PLASTIC_H
#define SN_CONSTRAINTS_TET_PLASTIC_H

#if SN_LANES == 1

#include "constraints/plastic_flow.h"

/* The fields of SN_TET_PLASTIC_FIELDS, from their first on. U - I is kept as xx, yy, zz and yz, zx,
   xy. */
enum { PLASTIC_PARAMETERS = PLASTIC_STRETCH + 6 };

static bool settles(const sn_real *parameter) {
    return parameter[PLASTIC + PLASTIC_YIELD] != SN_AUTO;
}

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

/* The new U after a step that ended with the nodes at x, relative to node 0. */
static bool flow(sn_real *parameter, const sn_vec3 *x, double dt) {
    sn_real *plastic = parameter + PLASTIC, shape[REST_EDGES + 9];
    double f[3][3], square[6], u[3][3];
    bool changed = false;
    for (int i = 0; i < 9; i++) shape[REST_EDGES + i] = parameter[REST_EDGES + i];
    plastic_edges(plastic, shape + REST_EDGES);
    double j = plastic_deform(shape, x, f);
    plastic_square(f, square);
    plastic_shape(plastic, u);
    if (!plastic_flow(plastic, square, j, dt, u)) return false;
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
