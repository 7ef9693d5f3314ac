/*
 * The cubic spline of Monaghan (1992) with a finite reach R: it and its derivative are smooth, so
 * that the gradient of a density is that of the density that is meant. With q = r / R,
 *
 *   W(r) = N / R^3 (2 (1 - q)^3 - 8 (1/2 - q)^3)          what is below 0 counts as 0
 *
 * and N = 8 / pi its integral over space is 1. That over the plane at a distance z is
 *
 *   A(z) = 16 / R (0.0875 - q^2 (0.5 - 1.5 q^2 + 1.2 q^3))     q = z / R up to 1/2
 *        = 16 / R (1 - q)^4 (0.5 - 0.4 (1 - q))                up to 1
 */
#ifndef SN_SYSTEMS_FLUID_FLUID_KERNEL_H
#define SN_SYSTEMS_FLUID_FLUID_KERNEL_H

#include "math/lanes.h"

#define SN_KERNEL_NORM SN_R(2.54647908947032537) /* 8 / pi */

/* W times R^3 / (2 N), and -dW/dr times R^4 / (6 N): never below 0 but for rounding. */
SN_INLINE sn_lane sn_kernel(sn_lane q, sn_lane *fall) {
    sn_lane zero = sn_lane_all(0);
    sn_lane rest = sn_lane_max(1 - q, zero), half = sn_lane_max(SN_R(0.5) - q, zero);
    sn_lane square = rest * rest, core = 4 * (half * half);
    *fall = square - core;
    return square * rest - core * half;
}

/* A times R, of one number; and its slope by q. */
SN_INLINE double sn_kernel_plane(double q, double *slope) {
    double rest = 1 - q;
    *slope = 0;
    if (!(rest > 0)) return 0;
    if (q < 0.5) {
        *slope = -16 * q * (1 - 6 * (q * q) * rest);
        return 16 * (0.0875 - q * q * (0.5 - q * q * (1.5 - 1.2 * q)));
    }
    *slope = -32 * q * (rest * rest * rest);
    return 16 * (rest * rest) * (rest * rest) * (0.5 - 0.4 * rest);
}

/* Of surface tension (fluid_tension.c): measured, such that drops swing as they should. */
#define SN_TENSION_COHESION SN_R(128.0)
#define SN_TENSION_AREA SN_R(32.0)

#endif
