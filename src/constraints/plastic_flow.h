/*
 * Multiplicative plasticity of an element that has a deformation gradient F (survey of 2017,
 * section 5.11.5; Goktekin, Bargteil and O'Brien 2004).
 *
 * The shape at rest is deformed by a symmetric matrix U: I at first. F then is what is elastic.
 * With
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
 */
#ifndef SN_CONSTRAINTS_PLASTIC_FLOW_H
#define SN_CONSTRAINTS_PLASTIC_FLOW_H

#include "constraints/formula.h"

#if SN_LANES == 1

#include "math/principal.h"
#include "math/root.h"

/* Where plastic fields are, from the first of them; then U - I. */
enum { PLASTIC_YIELD, PLASTIC_CREEP, PLASTIC_LIMIT, PLASTIC_STRETCH };

/* Of symmetric matrices that are kept as xx, yy, zz, yz, zx, xy. */
static const int plastic_pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {2, 0}, {0, 1}};

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

/* What U becomes of a step that ended with F^T F and det F = j: false where nothing yields. Where
   nothing does, no root is taken. */
static bool plastic_flow(const sn_real *plastic, const double elastic[6], double j, double dt,
                         double u[3][3]) {
    double square[6], g[3][3], gu[3][3], value[3], n[3][3];
    double yield = (double)plastic[PLASTIC_YIELD];
    double trace = elastic[0] + elastic[1] + elastic[2], most = 3 + yield * yield;
    if (!(j > 0) || trace * trace * trace <= most * most * most * j * j) return false;
    if (!plastic_yield(plastic, elastic, dt, g)) return false;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            gu[i][k] = g[i][0] * u[0][k] + g[i][1] * u[1][k] + g[i][2] * u[2][k];
    plastic_square(gu, square);
    sn_eigen(square, value, n);
    for (int i = 0; i < 3; i++) value[i] = value[i] > 0 ? __builtin_sqrt(value[i]) : 0;
    if (!plastic_keep_volume(value)) return false;
    plastic_bound(plastic, (const double(*)[3])u, value);
    plastic_compose(value, n, u);
    return true;
}

#endif
#endif
