/* Snapshots in memory of their own. */
#ifndef SINEW_TESTS_SNAPSHOT_H
#define SINEW_TESTS_SNAPSHOT_H

#include "check.h"

#include <sinew/snapshot.h>

#include <stdlib.h>

/* A snapshot that is the caller's to free; without it the run ends. */
static inline void *snapshot_of(const sn_world *world, size_t *size) {
    REQUIRE_OK(sn_snapshot_save(world, NULL, 0, size));
    void *bytes = malloc(*size);
    if (!CHECK(bytes != NULL)) exit(1);
    REQUIRE_OK(sn_snapshot_save(world, bytes, *size, size));
    return bytes;
}

#endif
