/*
 * What the templates for several rows share: the small symmetric system of the rows, and how
 * multipliers lie in memory. SN_ROWS says how many rows there are.
 */
#ifndef SN_CONSTRAINTS_ROWS_H
#define SN_CONSTRAINTS_ROWS_H

#include "constraints/row_system.h"

/* ---- The system of the rows ---- */

/* Where a type solves its rows itself, it needs this for many rows at most. */
#if !defined(SN_SOLVED) || SN_ROWS > 3

#if SN_ROWS > 1

/* Out of line: most groups of lanes of a small system do without. */
static SN_NOINLINE void solve_carefully(sn_lane a[SN_ROWS][SN_ROWS], sn_lane y[SN_ROWS]) {
    sn_solve_rows(SN_ROWS, SN_ROWS, a[0], y);
}

#endif

#if SN_ROWS == 1

SN_INLINE void solve(sn_lane a[SN_ROWS][SN_ROWS], sn_lane y[SN_ROWS]) {
    sn_lane zero = sn_lane_all(0);
    y[0] = sn_lane_if_less(zero, a[0][0], y[0] / a[0][0], zero);
}

#elif SN_ROWS == 2 || SN_ROWS == 3

/* Where the determinant is at least this part of the product of the diagonal, which is the most it
   can be, the adjugate is as good as elimination. */
#define SN_LEAST_DETERMINANT SN_R(0.01)

/* The same with one division instead of several that wait for each other. Lanes that are nearly
   singular are done carefully, and whether a lane is does not depend on the others. */
SN_INLINE void solve(sn_lane a[SN_ROWS][SN_ROWS], sn_lane y[SN_ROWS]) {
    sn_lane x[SN_ROWS];
#if SN_ROWS == 2
    sn_lane product = a[0][0] * a[1][1], determinant = product - a[0][1] * a[0][1];
    sn_lane least = SN_LEAST_DETERMINANT * product;
    sn_lane part = 1 / determinant;
    x[0] = (a[1][1] * y[0] - a[0][1] * y[1]) * part;
    x[1] = (a[0][0] * y[1] - a[0][1] * y[0]) * part;
#else
    sn_lane xx = a[1][1] * a[2][2] - a[1][2] * a[1][2], xy = a[0][2] * a[1][2] - a[0][1] * a[2][2];
    sn_lane xz = a[0][1] * a[1][2] - a[0][2] * a[1][1], yy = a[0][0] * a[2][2] - a[0][2] * a[0][2];
    sn_lane yz = a[0][1] * a[0][2] - a[0][0] * a[1][2], zz = a[0][0] * a[1][1] - a[0][1] * a[0][1];
    sn_lane determinant = (a[0][0] * xx + a[0][1] * xy) + a[0][2] * xz;
    sn_lane least = SN_LEAST_DETERMINANT * (a[0][0] * (a[1][1] * a[2][2]));
    sn_lane part = 1 / determinant;
    x[0] = ((xx * y[0] + xy * y[1]) + xz * y[2]) * part;
    x[1] = ((xy * y[0] + yy * y[1]) + yz * y[2]) * part;
    x[2] = ((xz * y[0] + yz * y[1]) + zz * y[2]) * part;
#endif
    if (!sn_lane_all_less(least, determinant)) {
        /* In copies, so that those who do without keep theirs in registers. */
        sn_lane whole[SN_ROWS][SN_ROWS], z[SN_ROWS];
        for (int i = 0; i < SN_ROWS; i++) {
            z[i] = y[i];
            for (int j = i; j < SN_ROWS; j++) whole[i][j] = a[i][j];
        }
        solve_carefully(whole, z);
        for (int i = 0; i < SN_ROWS; i++) x[i] = sn_lane_if_less(least, determinant, x[i], z[i]);
    }
    for (int i = 0; i < SN_ROWS; i++) y[i] = x[i];
}

#else

SN_INLINE void solve(sn_lane a[SN_ROWS][SN_ROWS], sn_lane y[SN_ROWS]) {
    solve_carefully(a, y);
}

#endif

#endif

/* ---- Multipliers ---- */

/* Those of a slot lie together, padded to four or to eight: they are read and written like
   nodes. */
SN_INLINE void sn_load_rows(const int rows, const sn_real *all, size_t slot, sn_lane *row) {
    if (rows == 1) {
        row[0] = sn_lane_load(all + slot);
        return;
    }
    const int parts = (rows + 3) / 4;
    for (int part = 0; part < parts; part++) {
        const sn_v4 *from = (const sn_v4 *)all + slot * (size_t)parts + part;
        sn_v4 four[SN_LANES];
        for (size_t i = 0; i < SN_LANES; i++) four[i] = from[i * (size_t)parts];
        sn_lane4 some = sn_lane4_from_nodes(four);
        sn_lane each[4] = {some.v.x, some.v.y, some.v.z, some.w};
        for (int r = 0; r < 4 && 4 * part + r < rows; r++) row[4 * part + r] = each[r];
    }
}

SN_INLINE void sn_store_rows(const int rows, sn_real *all, size_t slot, const sn_lane *row) {
    if (rows == 1) {
        sn_lane_store(all + slot, row[0]);
        return;
    }
    const int parts = (rows + 3) / 4;
    for (int part = 0; part < parts; part++) {
        sn_v4 four[SN_LANES], *to = (sn_v4 *)all + slot * (size_t)parts + part;
        sn_lane each[4];
        for (int r = 0; r < 4; r++)
            each[r] = 4 * part + r < rows ? row[4 * part + r] : sn_lane_all(0);
        sn_lane4_to_nodes((sn_lane4){{each[0], each[1], each[2]}, each[3]}, four);
        for (size_t i = 0; i < SN_LANES; i++) to[i * (size_t)parts] = four[i];
    }
}

#endif
