/* What tests of carried colliders begin with. */
#ifndef SINEW_TESTS_CONTACT_RIGID_WORLDS_H
#define SINEW_TESTS_CONTACT_RIGID_WORLDS_H

#include "check.h"

#include <sinew/sinew.h>

#include <math.h>

/* How well momentum is kept, relatively. */
#ifdef SN_DOUBLE
#define KEPT 1e-6
#else
#define KEPT 1e-4
#endif

#define FRAME ((sn_real)(1.0 / 60))

static inline sn_vec3 vector(double x, double y, double z) {
    return (sn_vec3){(sn_real)x, (sn_real)y, (sn_real)z};
}

/* From -1 to 1, the same everywhere. */
static inline double drawn(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388608 - 1;
}

static inline sn_quat drawn_turn(uint32_t *seed) {
    double q[4], size = 0;
    for (int k = 0; k < 4; k++) q[k] = drawn(seed), size += q[k] * q[k];
    size = 1 / sqrt(size);
    return (sn_quat){(sn_real)(q[0] * size), (sn_real)(q[1] * size), (sn_real)(q[2] * size),
                     (sn_real)(q[3] * size)};
}

/* With gravity along -y. */
static inline sn_world *make_world(int threads, double gravity, int substeps) {
    sn_world_def def = sn_world_def_default();
    def.threads = threads;
    def.settings.gravity = vector(0, -gravity, 0);
    def.settings.substeps = substeps;
    sn_world *world;
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

#endif
