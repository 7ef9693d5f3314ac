/*
 * The shape of a tetrahedron at rest, from the fields of SN_TET_FIELDS: what every type that has
 * them prepares and derives with.
 */
#ifndef SN_CONSTRAINTS_TET_REST_H
#define SN_CONSTRAINTS_TET_REST_H

#include "constraints/formula.h"

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

/* What a row of a modulus in Pa gives way by. */
SN_INLINE double soften(const sn_real *parameter, double modulus) {
    double energy = modulus * rest_volume(parameter);
    double own = energy > 1e-30 ? 1 / energy : 1e30;
    return own + (double)parameter[SN_PARAMETER_COMPLIANCE];
}

#endif
#endif
