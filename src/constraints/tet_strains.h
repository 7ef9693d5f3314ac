/*
 * The solve of models whose six rows are strains along the columns of F, together, and how
 * tetrahedra that are flat or inside out come back: made of the strain of Green or of lengths, such
 * models cannot tell a tetrahedron from its mirror image, and where it is flat their gradients
 * vanish or depend on each other.
 *
 * Where less than a quarter of the volume is left, or all is sheared until rows depend on each
 * other, they are solved as linear elasticity about the nearest rotation R (Mueller and Gross 2004;
 * Irving, Teran and Fedkiw 2004 have the nearest one that does not mirror), that is with the
 * columns r of R in the place of those of F where gradients are concerned, and the strain
 *
 *   e_x = r_x . f_x - 1,   e_yz = r_y . f_z + r_z . f_y,   ...
 *
 * which is that of Green for small strain. R needs nothing from the substep before.
 *
 * The including file defines SN_SOLVED, includes tet.h, and has beside its formula
 *   void strain_rows(const sn_real *own, const sn_lane strain[6], sn_lane value[SN_ROWS])
 *   void add_strains(const sn_real *shape, const sn_real *own, const sn_lane3 f[3],
 *                    sn_lane a[SN_ROWS][SN_ROWS])
 *   void combine(const sn_lane3 f[3], const sn_real *own, const sn_lane step[SN_ROWS],
 *                sn_lane3 sum[3])
 * for C from small strains, J W J^T, and the sum of step_r dC_r/dF.
 */
#ifndef SN_CONSTRAINTS_TET_STRAINS_H
#define SN_CONSTRAINTS_TET_STRAINS_H

#include "constraints/rows.h"
#include "math/rotation.h"

/* ---- What is crushed ---- */

#define LEAST_VOLUME SN_R(0.25)
/* Square of the least volume beside that of a cube with edges as long: sheared or drawn out by more
   than seventeen. */
#define LEAST_SHAPE2 SN_R(1e-6)

/* Whether any lane needs it; `crushed` is above zero in those that do. What has no mass, padding
   among it, does not. */
SN_INLINE bool is_crushed(const sn_lane3 f[3], const sn_real *shape, sn_lane *crushed) {
    sn_lane volume = sn_lane3_dot(f[0], sn_lane3_cross(f[1], f[2])), zero = sn_lane_all(0);
    sn_lane mean = (SN_R(1.0) / 3) * all_dot(f, f);
    sn_lane slim = LEAST_SHAPE2 * (mean * mean * mean) - volume * volume;
    *crushed = sn_lane_if_less(zero, own_row(shape, TET_MOST),
                               sn_lane_max(LEAST_VOLUME - volume, slim), zero);
    return sn_lane_any_less(zero, *crushed);
}

/* Puts R in the place of F where that is asked for, and gives the strain about it there: xx, yy,
   zz, yz, zx, xy. */
static SN_NOINLINE void find_upright(sn_lane crushed, sn_lane3 f[3], sn_lane strain[6]) {
    sn_lane zero = sn_lane_all(0), one = sn_lane_all(1);
    sn_lane3 r[3];
    sn_lane4_axes(sn_rotation_of(f, (sn_lane4){{zero, zero, zero}, one}), r);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        strain[i] = sn_lane3_dot(r[i], f[i]) - 1;
        strain[3 + i] = sn_lane3_dot(r[j], f[k]) + sn_lane3_dot(r[k], f[j]);
    }
    for (int i = 0; i < 3; i++) f[i] = sn_lane3_if_less(zero, crushed, r[i], f[i]);
}

/* The same by way of a copy, so that F stays in registers where it is not needed. */
SN_INLINE void turn_upright(sn_lane crushed, sn_lane3 f[3], sn_lane strain[6]) {
    sn_lane3 axis[3] = {f[0], f[1], f[2]};
    find_upright(crushed, axis, strain);
    for (int i = 0; i < 3; i++) f[i] = axis[i];
}

/* C of that strain, where it was asked for. */
SN_INLINE void take_upright(sn_lane crushed, const sn_real *own, const sn_lane strain[6],
                            sn_lane value[SN_ROWS]) {
    sn_lane rows[SN_ROWS], zero = sn_lane_all(0);
    strain_rows(own, strain, rows);
    for (int i = 0; i < SN_ROWS; i++) value[i] = sn_lane_if_less(zero, crushed, rows[i], value[i]);
}

/* ---- All six rows together ---- */

typedef struct symmetric {
    sn_lane xx, yy, zz, yz, zx, xy;
} symmetric;

/* The adjugate, and the determinant; `sound` is 1 where the latter is at least a hundredth of the
   product of the diagonal, which is the most it can be, and 0 otherwise. */
SN_INLINE symmetric adjugate(symmetric m, sn_lane *determinant, sn_lane *sound) {
    symmetric r = {m.yy * m.zz - m.yz * m.yz, m.zz * m.xx - m.zx * m.zx, m.xx * m.yy - m.xy * m.xy,
                   m.zx * m.xy - m.xx * m.yz, m.xy * m.yz - m.yy * m.zx, m.yz * m.zx - m.zz * m.xy};
    *determinant = (m.xx * r.xx + m.xy * r.xy) + m.zx * r.zx;
    *sound = sn_lane_if_less(SN_R(0.01) * (m.xx * (m.yy * m.zz)), *determinant, sn_lane_all(1),
                             sn_lane_all(0));
    return r;
}

SN_INLINE sn_lane3 multiply(symmetric m, sn_lane3 a) {
    return (sn_lane3){(m.xx * a.x + m.xy * a.y) + m.zx * a.z,
                      (m.xy * a.x + m.yy * a.y) + m.yz * a.z,
                      (m.zx * a.x + m.yz * a.y) + m.zz * a.z};
}

/*
 * Solves a x = y by blocks of stretches and shears, with two divisions instead of six that wait for
 * each other; y becomes x:
 *   | A   B | | p |   | u |       X = A^-1 B,   S = D - B^T X
 *   | B^T D | | q | = | v |       S q = v - X^T u,   p = A^-1 u - X q
 * Lanes in which a block is nearly singular are done carefully, and whether a lane is does not
 * depend on the others.
 */
SN_INLINE void solve_blocks(sn_lane a[SN_ROWS][SN_ROWS], sn_lane y[SN_ROWS]) {
    sn_lane det, sound, other;
    sn_lane3 b[3], x[3], u = {y[0], y[1], y[2]}, v = {y[3], y[4], y[5]};
    symmetric stretch = {a[0][0], a[1][1], a[2][2], a[1][2], a[0][2], a[0][1]};
    symmetric adj = adjugate(stretch, &det, &sound);
    sn_lane per = 1 / det;
    for (int k = 0; k < 3; k++) {
        b[k] = (sn_lane3){a[0][3 + k], a[1][3 + k], a[2][3 + k]};
        x[k] = sn_lane3_scale(per, multiply(adj, b[k]));
    }
    sn_lane3 w = sn_lane3_scale(per, multiply(adj, u));
    symmetric shear = {a[3][3] - sn_lane3_dot(b[0], x[0]), a[4][4] - sn_lane3_dot(b[1], x[1]),
                       a[5][5] - sn_lane3_dot(b[2], x[2]), a[4][5] - sn_lane3_dot(b[1], x[2]),
                       a[3][5] - sn_lane3_dot(b[0], x[2]), a[3][4] - sn_lane3_dot(b[0], x[1])};
    v = sn_lane3_sub(
        v, (sn_lane3){sn_lane3_dot(x[0], u), sn_lane3_dot(x[1], u), sn_lane3_dot(x[2], u)});
    adj = adjugate(shear, &det, &other);
    sn_lane3 q = sn_lane3_scale(1 / det, multiply(adj, v));
    sn_lane3 p = sn_lane3_sub(
        w, sn_lane3_add(sn_lane3_add(sn_lane3_scale(q.x, x[0]), sn_lane3_scale(q.y, x[1])),
                        sn_lane3_scale(q.z, x[2])));
    /* Where the stretches have taken all of a shear, as with one node that moves, what is left is
       rounding, of any sign. */
    for (int i = 0; i < 3; i++) {
        sn_lane left = i == 0 ? shear.xx : i == 1 ? shear.yy : shear.zz;
        sn_lane least = SN_LEAST_PIVOT * a[3 + i][3 + i];
        sound = sn_lane_if_less(least, left, sound, sn_lane_all(0));
    }
    sound = sn_lane_min(sound, other);
    sn_lane found[SN_ROWS] = {p.x, p.y, p.z, q.x, q.y, q.z};
    if (sn_lane_any_less(sound, sn_lane_all(1))) {
        sn_lane half = sn_lane_all(SN_R(0.5));
        solve(a, y);
        for (int i = 0; i < SN_ROWS; i++) found[i] = sn_lane_if_less(half, sound, found[i], y[i]);
    }
    for (int i = 0; i < SN_ROWS; i++) y[i] = found[i];
}

SN_INLINE void solve_tet(const group *t, const int keep, sn_lane lambda[SN_ROWS], sn_lane3 s[3]) {
    sn_lane3 f[3] = {t->f[0], t->f[1], t->f[2]}, p[SN_ROWS][3];
    sn_lane value[SN_ROWS], a[SN_ROWS][SN_ROWS], step[SN_ROWS], crushed, strain[6];
    bool recovers = is_crushed(f, t->shape, &crushed);
    if (recovers) turn_upright(crushed, f, strain);
    formula(f, t->own, value, p);
    if (recovers) take_upright(crushed, t->own, strain, value);
    add_strains(t->shape, t->own, f, a);
    for (int i = 0; i < SN_ROWS; i++) {
        sn_lane error = value[i], alpha = own_row(t->alpha, i);
        if (keep) error += alpha * lambda[i];
        a[i][i] += alpha;
        step[i] = -error * sn_lane_load(t->relax);
    }
    solve_blocks(a, step);
    for (int i = 0; keep && i < SN_ROWS; i++) lambda[i] += step[i];
    combine(f, t->own, step, s);
}

#endif
