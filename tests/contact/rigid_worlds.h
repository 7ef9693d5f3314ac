/* What tests of carried colliders begin with. */
#ifndef SINEW_TESTS_CONTACT_RIGID_WORLDS_H
#define SINEW_TESTS_CONTACT_RIGID_WORLDS_H

#include "check.h"

#include <sinew/sinew.h>

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
