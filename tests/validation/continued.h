/* Worlds that a snapshot makes again. */
#ifndef TESTS_VALIDATION_CONTINUED_H
#define TESTS_VALIDATION_CONTINUED_H

#include <sinew/sinew.h>

#include "check.h"
#include "snapshot.h"

#include <stdlib.h>

/* What a snapshot makes elsewhere goes on with the same bits, for some frames. */
static inline void check_goes_on(sn_world *world, int frames) {
    size_t size = 0;
    void *bytes = snapshot_of(world, &size);
    sn_world_def def = sn_world_def_default();
    sn_world *again = NULL;
    REQUIRE_OK(sn_world_create(&def, &again));
    REQUIRE_OK(sn_snapshot_load(again, bytes, size));
    CHECK(sn_world_hash(again) == sn_world_hash(world));
    for (int i = 0; i < frames; i++) {
        REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
        REQUIRE_OK(sn_world_step(again, (sn_real)(1.0 / 60)));
        CHECK(sn_world_hash(again) == sn_world_hash(world));
    }
    free(bytes);
    sn_world_destroy(again);
}

#endif
