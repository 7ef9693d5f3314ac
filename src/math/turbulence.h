/*
 * Turbulence: a flow without sources that changes in time, as a sum of waves.
 *
 * No state and no random numbers: the same place and time has the same flow on every machine.
 */
#ifndef SN_MATH_TURBULENCE_H
#define SN_MATH_TURBULENCE_H

#include "math/vector.h"

enum { SN_TURBULENCE_QUADS = 2 };

/* What it is everywhere at a moment, four waves at a time. */
typedef struct sn_turbulence {
    sn_v4 number[SN_TURBULENCE_QUADS][3]; /* 1/m, of waves along x, y and z */
    sn_v4 speed[SN_TURBULENCE_QUADS][3];  /* m/s, along x, y and z */
    sn_v4 phase[SN_TURBULENCE_QUADS];     /* turns */
} sn_turbulence;

/* m/s, m, s, m and s: the root of the mean square, the length and the period of the largest wave,
   how far all has been carried, and when. An infinite period is for what does not change. */
sn_turbulence sn_turbulence_at(double strength, double length, double period, const double drift[3],
                               double time);
sn_v4 sn_turbulence_speed(const sn_turbulence *turbulence, sn_v4 x);

#endif
