/* Ways of computing a world, with other threads and lanes, that give the same bits. */
#ifndef SINEW_TESTS_WAYS_H
#define SINEW_TESTS_WAYS_H

#include <sinew/sinew.h>

#include "check.h"

typedef void fill_world(sn_world *world);

static inline uint64_t hash_after(fill_world *fill, int frames, int threads, int width) {
    sn_world *world;
    sn_world_def def = sn_world_def_default();
    def.threads = threads;
    def.simd_width = width;
    def.settings.iterations = 2;
    REQUIRE_OK(sn_world_create(&def, &world));
    fill(world);
    for (int i = 0; i < frames; i++) CHECK_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
    uint64_t hash = sn_world_hash(world);
    sn_world_destroy(world);
    return hash;
}

static inline void check_ways(fill_world *fill, int frames) {
    uint64_t expected = hash_after(fill, frames, 1, 1);
    CHECK(hash_after(fill, frames, 4, 4) == expected);
    CHECK(hash_after(fill, frames, 3, 16) == expected);
}

#endif
