/*
 * Strain based dynamics of a tetrahedron.
 *
 *   n_i = f_i / |f_i|,   c = n_i . n_j
 *
 *                C                    by f_i                    by f_j
 *   stretch      |f_i| - 1            n_i
 *     or         (|f_i|^2 - 1) / 2    f_i
 *   shear        c                    (n_j - c n_i) / |f_i|     (n_i - c n_j) / |f_j|
 *     or         f_i . f_j            f_j                       f_i
 *
 * Mueller, Chentanez, Kim and Macklin 2014; survey of 2017, section 5.8.2. S_ii - 1 of eq. 35 is
 * quadratic along its gradient; a length is linear, and is met in one step. What differs:
 * stiffness in Pa by XPBD, and all six rows are solved together.
 *
 * Where two axes lie nearly along each other the gradient of their shear vanishes or is that of
 * other rows; its square is taken larger by c^2 of what it is made of. And where an axis is
 * compressed, the square form goes too far: see elastic_tet.c. Worse cases are for tet_strains.h.
 */
#define SN_TYPE strain_tet
#define SN_ROWS 6
#define SN_OWN 2 /* 1 for the square of lengths, 1 for the cosine */
#define SN_SOLVED
#include "constraints/tet.h"

/* An axis this short, squared, has no direction. */
#ifdef SN_DOUBLE
#define SHORTEST 1e-24
#else
#define SHORTEST 1e-12f
#endif

typedef struct strains {
    sn_lane value[SN_ROWS];
    sn_lane3 along[3];    /* gradients of the stretches, each by its own axis */
    sn_lane3 aside[3][2]; /* those of the shears yz, zx and xy, by both of their axes */
    sn_lane caution[3];   /* c^2 of what the gradients of the shears are made of, by the axes */
    sn_lane other[3];
} strains;

SN_INLINE strains stretch(const sn_lane3 f[3], const sn_real *own) {
    strains s;
    sn_lane zero = sn_lane_all(0), least = sn_lane_all(SHORTEST), half = sn_lane_all(SN_R(0.5));
    sn_lane square = own_row(own, 0), cosine = own_row(own, 1), length[3], per[3];
    sn_lane3 n[3];
    for (int i = 0; i < 3; i++)
        length[i] = sn_lane_sqrt(sn_lane_max(sn_lane3_dot(f[i], f[i]), least));
    /* One division for all three. */
    sn_lane yz = length[1] * length[2], all = 1 / (length[0] * yz);
    per[0] = all * yz;
    per[1] = all * (length[0] * length[2]);
    per[2] = all * (length[0] * length[1]);
    for (int i = 0; i < 3; i++) {
        sn_lane more = length[i] - 1;
        n[i] = sn_lane3_scale(per[i], f[i]);
        s.value[i] = sn_lane_if_less(zero, square, half * more * (length[i] + 1), more);
        s.along[i] = sn_lane3_scale(sn_lane_if_less(zero, square, length[i], sn_lane_all(1)), n[i]);
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        sn_lane c = sn_lane3_dot(n[j], n[k]), back = cosine * c;
        sn_lane by_j = sn_lane_if_less(zero, cosine, per[j], length[k]);
        sn_lane by_k = sn_lane_if_less(zero, cosine, per[k], length[j]);
        s.value[3 + i] = sn_lane_if_less(zero, cosine, c, c * (length[j] * length[k]));
        s.aside[i][0] = sn_lane3_scale(by_j, sn_lane3_sub(n[k], sn_lane3_scale(back, n[j])));
        s.aside[i][1] = sn_lane3_scale(by_k, sn_lane3_sub(n[j], sn_lane3_scale(back, n[k])));
        s.caution[i] = c * c * (by_j * by_j);
        s.other[i] = c * c * (by_k * by_k);
    }
    return s;
}

SN_INLINE void formula(const sn_lane3 f[3], const sn_real *own, sn_lane value[SN_ROWS],
                       sn_lane3 p[SN_ROWS][3]) {
    const sn_lane3 none = {sn_lane_all(0), sn_lane_all(0), sn_lane_all(0)};
    strains s = stretch(f, own);
    for (int r = 0; r < SN_ROWS; r++) value[r] = s.value[r];
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        p[i][i] = s.along[i];
        p[i][j] = p[i][k] = p[3 + i][i] = none;
        p[3 + i][j] = s.aside[i][0];
        p[3 + i][k] = s.aside[i][1];
    }
}

/* Small strains are the rows themselves. */
SN_INLINE void strain_rows(const sn_real *own, const sn_lane strain[6], sn_lane value[SN_ROWS]) {
    (void)own;
    for (int r = 0; r < SN_ROWS; r++) value[r] = strain[r];
}

SN_INLINE void add_strains(const sn_real *shape, const sn_real *own, const sn_lane3 f[3],
                           sn_lane a[SN_ROWS][SN_ROWS]) {
    strains s = stretch(f, own);
    sn_lane square = own_row(own, 0), one = sn_lane_all(1), quarter = sn_lane_all(SN_R(0.25));
    sn_lane wx = own_row(shape, TET_W + W_XX), wy = own_row(shape, TET_W + W_YY);
    sn_lane wz = own_row(shape, TET_W + W_ZZ), wyz = own_row(shape, TET_W + W_YZ);
    sn_lane wzx = own_row(shape, TET_W + W_ZX), wxy = own_row(shape, TET_W + W_XY);
    const sn_lane w[3][3] = {{wx, wxy, wzx}, {wxy, wy, wyz}, {wzx, wyz, wz}};
    for (int i = 0; i < 3; i++) {
        sn_lane size = sn_lane3_dot(s.along[i], s.along[i]);
        size += square * (quarter * (one - sn_lane_min(size, one)));
        a[i][i] = w[i][i] * size;
        for (int j = i + 1; j < 3; j++) a[i][j] = w[i][j] * sn_lane3_dot(s.along[i], s.along[j]);
        for (int t = 0; t < 3; t++)
            a[i][3 + t] = w[i][(t + 1) % 3] * sn_lane3_dot(s.along[i], s.aside[t][0]) +
                          w[i][(t + 2) % 3] * sn_lane3_dot(s.along[i], s.aside[t][1]);
    }
    for (int t = 0; t < 3; t++) {
        int i = (t + 1) % 3, j = (t + 2) % 3;
        for (int r = t; r < 3; r++) {
            int k = (r + 1) % 3, l = (r + 2) % 3;
            a[3 + t][3 + r] = (w[i][k] * sn_lane3_dot(s.aside[t][0], s.aside[r][0]) +
                               w[i][l] * sn_lane3_dot(s.aside[t][0], s.aside[r][1])) +
                              (w[j][k] * sn_lane3_dot(s.aside[t][1], s.aside[r][0]) +
                               w[j][l] * sn_lane3_dot(s.aside[t][1], s.aside[r][1]));
        }
        a[3 + t][3 + t] += w[i][i] * s.caution[t] + w[j][j] * s.other[t];
    }
}

SN_INLINE void combine(const sn_lane3 f[3], const sn_real *own, const sn_lane step[SN_ROWS],
                       sn_lane3 sum[3]) {
    strains s = stretch(f, own);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        /* Axis i is the second one of the shear before it, and the first one of that after. */
        sum[i] = sn_lane3_add(sn_lane3_scale(step[i], s.along[i]),
                              sn_lane3_add(sn_lane3_scale(step[3 + j], s.aside[j][1]),
                                           sn_lane3_scale(step[3 + k], s.aside[k][0])));
    }
}

#include "constraints/tet_strains.h"

#include "constraints/tet.inl"

#if SN_LANES == 1

enum { AXIS = TET_PARAMETERS, ACROSS = AXIS + 3, STIFFNESS = ACROSS + 3 };
enum { STRETCH_FORM = STIFFNESS + 6, SHEAR_FORM, PLASTIC };
#include "constraints/tet_axes.h"
#include "constraints/tet_plastic.h"

static sn_result prepare(const sn_preparation *from, sn_real *parameter) {
    for (int i = 0; i < SN_ROWS; i++)
        if (parameter[STIFFNESS + i] == 0)
            return sn_fail(SN_ERROR_VALUE,
                           "strain_tet: component %d of %s_stiffness is 0, expected above 0 Pa",
                           i % 3, i < 3 ? "stretch" : "shear");
    return measure_plastic("strain_tet", from->x, parameter);
}

static double compliance(const sn_real *parameter, int row) {
    sn_real stiffness = parameter[STIFFNESS + row];
    return soften(parameter, stiffness == SN_AUTO ? __builtin_inf() : (double)stiffness);
}

static sn_real derive(const sn_derivation *from, sn_real *coefficient) {
    sn_real shape[SN_MAX_PARAMETERS], own[SN_OWN] = {0};
    sn_derivation after = derive_plastic(from, shape);
    turn_edges(from->parameter, shape + REST_EDGES);
    own[0] = from->parameter[STRETCH_FORM];
    own[1] = 1 - from->parameter[SHEAR_FORM];
    derive_tet(&after, compliance, own, coefficient);
    return 1;
}

SN_DEFINE_TYPE(strain_tet, SN_STRAIN_TET_FIELDS,
               "stretch along three axes, and shear between them, of a tetrahedron",
               .compliant = true, .damping_time = TET_DAMPING_TIME, .compliance = compliance,
               .settles = settles, .flow = flow)

#endif
