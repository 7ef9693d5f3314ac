/*
 * The small symmetric system of the rows of one constraint, a x = y: solved, and solved within
 * bounds. Of `a` the upper half counts, a[i * stride + j] with i <= j.
 */
#ifndef SN_CONSTRAINTS_ROW_SYSTEM_H
#define SN_CONSTRAINTS_ROW_SYSTEM_H

#include "constraints/formula.h"

/* Below this part of what it was, a pivot is rounding: the rows before have taken all of its
   row. */
#ifdef SN_DOUBLE
#define SN_LEAST_PIVOT 1e-13
#else
#define SN_LEAST_PIVOT 1e-5f
#endif

/* Solves for a symmetric positive matrix, by L D L^T in place; y becomes x. Rows that nothing can
   change, or nothing but the rows before them, have no pivot and stay zero. */
SN_INLINE void sn_solve_rows(const int rows, const int stride, sn_lane *a, sn_lane *y) {
    sn_lane per_pivot[SN_MAX_ROWS], least[SN_MAX_ROWS], zero = sn_lane_all(0);
    for (int i = 0; i < rows; i++) least[i] = SN_LEAST_PIVOT * a[i * stride + i];
    for (int i = 0; i < rows; i++) {
        sn_lane pivot = a[i * stride + i];
        per_pivot[i] = sn_lane_if_less(least[i], pivot, 1 / pivot, zero);
        for (int j = i + 1; j < rows; j++) {
            sn_lane l = a[i * stride + j] * per_pivot[i];
            for (int m = j; m < rows; m++) a[j * stride + m] -= l * a[i * stride + m];
            y[j] -= l * y[i];
            a[j * stride + i] = l;
        }
    }
    for (int i = rows - 1; i >= 0; i--) {
        y[i] *= per_pivot[i];
        for (int j = i + 1; j < rows; j++) y[i] -= a[j * stride + i] * y[j];
    }
}

/* ---- Bounds ---- */

/* How far each row of x may go. */
typedef struct sn_row_bounds {
    sn_lane least[SN_MAX_ROWS], most[SN_MAX_ROWS];
} sn_row_bounds;

/* 1 where all rows are within their bounds, 0 elsewhere. */
SN_INLINE sn_lane sn_rows_within(const int rows, const sn_row_bounds *bounds, const sn_lane *x) {
    sn_lane within = sn_lane_all(1), zero = sn_lane_all(0);
    for (int i = 0; i < rows; i++) {
        within = sn_lane_if_less(x[i], bounds->least[i], zero, within);
        within = sn_lane_if_less(bounds->most[i], x[i], zero, within);
    }
    return within;
}

/* Row i of y - a x. */
SN_INLINE sn_lane sn_row_residual(const int rows, const int stride, const sn_lane *a,
                                  const sn_lane *y, const sn_lane *x, int i) {
    sn_lane left = y[i];
    for (int j = 0; j < rows; j++) left -= a[i < j ? i * stride + j : j * stride + i] * x[j];
    return left;
}

SN_INLINE sn_lane sn_row_clamped(const sn_row_bounds *bounds, int i, sn_lane x) {
    return sn_lane_min(sn_lane_max(x, bounds->least[i]), bounds->most[i]);
}

/* Projected Gauss-Seidel: row after row is solved alone and clamped. */
SN_INLINE void sn_sweep_rows(const int rows, const int stride, const sn_lane *a, const sn_lane *y,
                             const sn_row_bounds *bounds, sn_lane *x) {
    sn_lane zero = sn_lane_all(0);
    for (int i = 0; i < rows; i++) {
        sn_lane pivot = a[i * stride + i];
        sn_lane next = x[i] + sn_row_residual(rows, stride, a, y, x, i) / pivot;
        x[i] = sn_lane_if_less(zero, pivot, sn_row_clamped(bounds, i, next), zero);
    }
}

/* Goes from x towards `next`, up to the first bound. */
SN_INLINE void sn_go_to_bounds(const int rows, const sn_row_bounds *bounds, const sn_lane *next,
                               sn_lane *x) {
    sn_lane part[SN_MAX_ROWS], one = sn_lane_all(1), reach = one;
    for (int i = 0; i < rows; i++) {
        sn_lane change = next[i] - x[i], least = bounds->least[i], most = bounds->most[i];
        sn_lane up = sn_lane_if_less(most, next[i], (most - x[i]) / change, one);
        sn_lane down = sn_lane_if_less(next[i], least, (least - x[i]) / change, one);
        part[i] = sn_lane_if_less(x[i], next[i], up, one);
        part[i] = sn_lane_if_less(next[i], x[i], down, part[i]);
        reach = sn_lane_min(reach, part[i]);
    }
    for (int i = 0; i < rows; i++) {
        sn_lane there = sn_lane_if_less(part[i], one, sn_row_clamped(bounds, i, next[i]), next[i]);
        x[i] = sn_lane_if_less(reach, part[i], x[i] + reach * (next[i] - x[i]), there);
    }
}

/* Solves the rows that lie between their bounds in x together, with the others held where they
   are, and goes there as far as bounds allow. */
SN_INLINE void sn_solve_free_rows(const int rows, const int stride, const sn_lane *a,
                                  const sn_lane *y, const sn_row_bounds *bounds, sn_lane *x) {
    sn_lane free[SN_MAX_ROWS], held[SN_MAX_ROWS], next[SN_MAX_ROWS];
    sn_lane rest[SN_MAX_ROWS * SN_MAX_ROWS], zero = sn_lane_all(0), one = sn_lane_all(1);
    for (int i = 0; i < rows; i++) {
        free[i] = sn_lane_if_less(bounds->least[i], x[i], one, zero);
        free[i] = sn_lane_if_less(x[i], bounds->most[i], free[i], zero);
        held[i] = sn_lane_if_less(zero, free[i], zero, x[i]);
    }
    for (int i = 0; i < rows; i++) {
        sn_lane left = sn_row_residual(rows, stride, a, y, held, i);
        next[i] = sn_lane_if_less(zero, free[i], left, x[i]);
        for (int j = i; j < rows; j++)
            rest[i * rows + j] = sn_lane_if_less(zero, free[i] * free[j], a[i * stride + j], zero);
        rest[i * rows + i] += 1 - free[i];
    }
    sn_solve_rows(rows, rows, rest, next);
    sn_go_to_bounds(rows, bounds, next, x);
}

/*
 * Brings x, which solves a x = y, into its bounds, and solves as far as they allow. A sweep finds
 * out who is at which bound, and the others are solved; neither leads away from the solution, and
 * in a few rounds more than there are rows they reach it. What is within its bounds keeps its bits,
 * and whether a lane is does not depend on the others.
 */
SN_INLINE void sn_bound_rows(const int rows, const int stride, const sn_lane *a, const sn_lane *y,
                             const sn_row_bounds *bounds, sn_lane *x) {
    sn_lane within = sn_rows_within(rows, bounds, x), near[SN_MAX_ROWS], zero = sn_lane_all(0);
    if (!sn_lane_any_less(within, sn_lane_all(1))) return;
    for (int i = 0; i < rows; i++) near[i] = x[i];
    for (int round = 0; round < rows + 2; round++) {
        sn_sweep_rows(rows, stride, a, y, bounds, near);
        sn_solve_free_rows(rows, stride, a, y, bounds, near);
    }
    for (int i = 0; i < rows; i++) x[i] = sn_lane_if_less(zero, within, x[i], near[i]);
}

#endif
