/* Three rows within bounds in double, solved by trying which of them is at which bound. */
#ifndef SINEW_TESTS_CONSTRAINTS_BOUNDED_PROBLEM_H
#define SINEW_TESTS_CONSTRAINTS_BOUNDED_PROBLEM_H

#include <math.h>

#include "check.h"

/* a x = y, as far as least <= x <= most allows. */
typedef struct problem {
    double a[3][3], y[3], least[3], most[3];
} problem;

/* The rows of which `at` is 0 solved by elimination, the others held. */
static inline void solve_held(const problem *p, const int at[3], double x[3]) {
    double a[3][3 + 1];
    for (int r = 0; r < 3; r++) {
        for (int s = 0; s < 3; s++) a[r][s] = at[r] ? r == s : p->a[r][s];
        a[r][3] = at[r] == 0 ? p->y[r] : at[r] == 1 ? p->least[r] : p->most[r];
    }
    for (int i = 0; i < 3; i++) {
        /* Held rows are unit rows, and a principal minor is positive: there is always a pivot. */
        for (int r = 0; r < 3; r++) {
            if (r == i) continue;
            double factor = a[r][i] / a[i][i];
            for (int s = 0; s <= 3; s++) a[r][s] -= factor * a[i][s];
        }
    }
    for (int r = 0; r < 3; r++) x[r] = a[r][3] / a[r][r];
}

/* By how much x fails to be the solution: bounds, rows that are free and do not hold, and rows that
   push away from a bound they could leave. */
static inline double fault(const problem *p, const double x[3]) {
    double worst = 0;
    for (int r = 0; r < 3; r++) {
        double left = p->y[r], near = 1e-6;
        for (int s = 0; s < 3; s++) left -= p->a[r][s] * x[s];
        worst = fmax(worst, fmax(p->least[r] - x[r], x[r] - p->most[r]));
        if (x[r] > p->least[r] + near) worst = fmax(worst, -left);
        if (x[r] < p->most[r] - near) worst = fmax(worst, left);
    }
    return worst;
}

/* The one solution, and whether a row is at a bound in it. */
static inline bool solve_by_trying(const problem *p, double x[3]) {
    for (int k = 0; k < 27; k++) {
        int at[3] = {k % 3, k / 3 % 3, k / 9};
        bool bound = true;
        for (int r = 0; r < 3; r++)
            bound &= at[r] != 1 || p->least[r] > -1e30, bound &= at[r] != 2 || p->most[r] < 1e30;
        if (!bound) continue;
        solve_held(p, at, x);
        if (fault(p, x) < 1e-9) return k > 0;
    }
    bool solved = false;
    CHECK(solved);
    return false;
}

#endif
