/* What the integrators of positions share. */
#ifndef SN_STEP_INTEGRATORS_INTEGRATE_H
#define SN_STEP_INTEGRATORS_INTEGRATE_H

#include "step/step.h"

#include "math/vector.h"

/* What the nodes of a segment have in common. */
typedef struct sn_integration {
    sn_v4 gravity_h2; /* m, what gravity adds to the motion */
    sn_real lose;     /* the part of a motion that point damping takes */
    sn_real h, h2;
    sn_real limit;               /* m, the longest motion, or SN_AUTO */
    const sn_vec4 *acceleration; /* m/s^2, of forces and fields; null where none act */
} sn_integration;

/* Shortens a motion to the limit. */
SN_INLINE sn_v4 sn_limited(sn_v4 motion, sn_real limit) {
    sn_v4 square = motion * motion;
    sn_real sum = (square[0] + square[1]) + square[2];
    if (sum > limit * limit) motion *= limit / SN_ROOT(sum);
    return motion;
}

/* bdf2.c: the second order integrator for a run of nodes of one body. Returns a sum that shows what
   is not finite. */
sn_v4 sn_bdf2_integrate(const sn_step *step, size_t begin, size_t end, uint32_t body,
                        const sn_integration *law, bool update, bool predict);

#endif
