/*
 * The strain of the stable Neo-Hookean material (neo_hookean_tet.c), for elements that have F.
 *
 * tr F^T F - 4 J + J^2 would lose all digits near rest. With A = F^T F - I and det (I + A) = J^2,
 *
 *   Q = -(A_xx A_yy + A_yy A_zz + A_zz A_xx - A_xy^2 - A_yz^2 - A_zx^2) - det A + 2 (J - 1)^2
 */
#ifndef SN_CONSTRAINTS_NEO_HOOKEAN_H
#define SN_CONSTRAINTS_NEO_HOOKEAN_H

#include "constraints/formula.h"

/* The columns of cof F, which is d det F / dF; the determinant is f[0] . k[0]. */
SN_INLINE void cofactors(const sn_lane3 f[3], sn_lane3 k[3]) {
    for (int j = 0; j < 3; j++) k[j] = sn_lane3_cross(f[(j + 1) % 3], f[(j + 2) % 3]);
}

/* What rounding makes of no strain at all: a length below this has no direction. */
#ifdef SN_DOUBLE
#define LEAST_STRAIN 1e-15
#else
#define LEAST_STRAIN 1e-7f
#endif

/* F measured: J - 1, Q, tr F^T F, the columns of cof F, and adj(F^T F), which is
   (cof F)^T cof F. */
typedef struct strain {
    sn_lane j, q, trace;
    sn_lane3 k[3];
    sn_lane3 diagonal, side; /* xx, yy, zz and yz, zx, xy */
} strain;

SN_INLINE strain measure(const sn_lane3 f[3]) {
    strain s;
    cofactors(f, s.k);
    s.j = sn_lane3_dot(f[0], s.k[0]) - 1;
    sn_lane xx = sn_lane3_dot(f[0], f[0]) - 1, yy = sn_lane3_dot(f[1], f[1]) - 1;
    sn_lane zz = sn_lane3_dot(f[2], f[2]) - 1, yz = sn_lane3_dot(f[1], f[2]);
    sn_lane zx = sn_lane3_dot(f[2], f[0]), xy = sn_lane3_dot(f[0], f[1]);
    /* adj A, and from it adj(A + I). */
    sn_lane3 m = {yy * zz - yz * yz, zz * xx - zx * zx, xx * yy - xy * xy};
    sn_lane3 n = {zx * xy - yz * xx, xy * yz - zx * yy, yz * zx - xy * zz};
    sn_lane second = (m.x + m.y) + m.z, third = (xx * m.x + xy * n.z) + zx * n.y;
    s.q = sn_lane_max((2 * s.j * s.j - second) - third, sn_lane_all(0));
    sn_lane all = ((xx + yy) + zz) + 1;
    s.trace = all + 2;
    s.diagonal = (sn_lane3){(all - xx) + m.x, (all - yy) + m.y, (all - zz) + m.z};
    s.side = (sn_lane3){n.x - yz, n.y - zx, n.z - xy};
    return s;
}

#if SN_LANES == 1

/* tr F^T F below which it gives in (neo_hookean_tet.c): 3 s^2 for the s where s + s^2 + s^3 = 1 - 2
   nu, or for 0.3. The sum grows with s ever faster, so Newton's method comes from the right. */
static sn_real least_trace(double poisson) {
    double s = 1, to = 1 - 2 * poisson;
    for (int i = 0; i < 12; i++) s -= (s * (1 + s * (1 + s)) - to) / (1 + s * (2 + 3 * s));
    return (sn_real)(s > 0.3 ? 3 * s * s : 0.27);
}

#endif
#endif
