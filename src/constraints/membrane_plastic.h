/*
 * Plasticity of triangles: a shape at rest that changes by what happened to it (plastic_flow.h),
 * with the direction across the sheet as the third.
 *
 * In plane stress the sheet is as thick as its stretches in the plane ask for. With j, the area
 * over that at rest, and r = 1 - 2 nu,
 *
 *   t = (1 + r) j / (r + j^2)
 *
 * is that of a Neo-Hookean sheet, and for small strain that of Hooke's law; so F is 3 x 3, with t
 * across, and so is U, with 1 / det U of the plane across. The nodes have the rest shape multiplied
 * by U; area times thickness stay, and with them the stiffness A E t.
 *
 * The including file has included membrane.h, and PLASTIC is where the plastic fields are among the
 * parameters. It defines `ratio_of`, nu from 0 to 1/2, uses measure_plastic to prepare,
 * derive_plastic to derive, and `settles` and `flow` as they are. INVERSE is where measured numbers
 * are.
 */
#ifndef SN_CONSTRAINTS_MEMBRANE_PLASTIC_H
#define SN_CONSTRAINTS_MEMBRANE_PLASTIC_H

#if SN_LANES == 1

#include "constraints/plastic_flow.h"

static bool settles(const sn_real *parameter) {
    return parameter[PLASTIC + PLASTIC_YIELD] != SN_AUTO;
}

/* U in the plane as uu, vv, uv; its determinant. */
static double plastic_shape(const sn_real *parameter, double u[3]) {
    const sn_real *stretch = parameter + PLASTIC + PLASTIC_STRETCH;
    for (int i = 0; i < 3; i++) u[i] = (i < 2) + (double)stretch[i];
    return u[0] * u[1] - u[2] * u[2];
}

/* Measures the shape, and refuses a U that is none. */
static sn_result measure_plastic(const char *type, const sn_vec3 *x, sn_real *parameter) {
    double u[3], area = plastic_shape(parameter, u);
    if (!(u[0] > 0 && area > 1e-3 && area < 1e3))
        return sn_fail(SN_ERROR_DEGENERATE,
                       "%s: plastic_stretch leaves %g of the area, expected a stretch that a step "
                       "makes, above 0 in every direction",
                       type, area);
    return measure_shape(type, x, parameter, parameter + INVERSE);
}

/* D^-1 U^-1, by rows b_k, c_k as measured numbers have it. */
static void derive_plastic(const sn_real *parameter, sn_real measured[4]) {
    const sn_real *from = parameter + INVERSE;
    double u[3], area = plastic_shape(parameter, u);
    bool changed = u[0] != 1 || u[1] != 1 || u[2] != 0;
    for (int k = 0; k < 2; k++) {
        double b = (double)from[k], c = (double)from[2 + k];
        measured[k] = changed ? (sn_real)((b * u[1] - c * u[2]) / area) : from[k];
        measured[2 + k] = changed ? (sn_real)((c * u[0] - b * u[2]) / area) : from[2 + k];
    }
}

/* F^T F as xx, yy, zz, yz, zx, xy, of nodes at x; det F. */
static double plastic_deform(const sn_real *parameter, const sn_vec3 *x, double square[6]) {
    sn_real measured[4];
    double f[2][3], r = 1 - 2 * ratio_of(parameter);
    derive_plastic(parameter, measured);
    for (int i = 0; i < 2; i++) {
        double p = (double)measured[2 * i], q = (double)measured[2 * i + 1];
        f[i][0] = p * (double)x[1].x + q * (double)x[2].x;
        f[i][1] = p * (double)x[1].y + q * (double)x[2].y;
        f[i][2] = p * (double)x[1].z + q * (double)x[2].z;
    }
    for (int i = 0; i < 6; i++) square[i] = 0;
    for (int a = 0; a < 3; a++) {
        square[0] += f[0][a] * f[0][a];
        square[1] += f[1][a] * f[1][a];
        square[5] += f[0][a] * f[1][a];
    }
    double j2 = square[0] * square[1] - square[5] * square[5];
    if (!(j2 > 0)) return 0;
    double j = __builtin_sqrt(j2), across = (1 + r) * j / (r + j2);
    square[2] = across * across;
    return j * across;
}

/* The new U after a step that ended with the nodes at x, relative to node 0. */
static bool flow(sn_real *parameter, const sn_vec3 *x, double dt) {
    sn_real *plastic = parameter + PLASTIC;
    double square[6], plane[3], u[3][3] = {{0}};
    bool changed = false;
    double j = plastic_deform(parameter, x, square), area = plastic_shape(parameter, plane);
    u[0][0] = plane[0];
    u[1][1] = plane[1];
    u[2][2] = 1 / area;
    u[0][1] = u[1][0] = plane[2];
    if (!plastic_flow(plastic, square, j, dt, u)) return false;
    const double now[3] = {u[0][0] - 1, u[1][1] - 1, u[0][1]};
    for (int i = 0; i < 3; i++) {
        sn_real part = (sn_real)now[i];
        if (!(part - part == 0)) return changed;
        changed |= part != plastic[PLASTIC_STRETCH + i];
        plastic[PLASTIC_STRETCH + i] = part;
    }
    return changed;
}

#endif
#endif
