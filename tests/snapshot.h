/* Snapshots in memory of their own. */
#ifndef SINEW_TESTS_SNAPSHOT_H
#define SINEW_TESTS_SNAPSHOT_H

#include "check.h"

#include <sinew/snapshot.h>

#include <stdlib.h>
#include <string.h>

/* A snapshot that is the caller's to free; without it the run ends. */
static inline void *snapshot_of(const sn_world *world, size_t *size) {
    REQUIRE_OK(sn_snapshot_save(world, NULL, 0, size));
    void *bytes = malloc(*size);
    if (!CHECK(bytes != NULL)) exit(1);
    REQUIRE_OK(sn_snapshot_save(world, bytes, *size, size));
    return bytes;
}

/* Whether a world would be saved as these bytes. */
static inline bool is_saved_as(const sn_world *world, const void *bytes, size_t size) {
    size_t own;
    void *now = snapshot_of(world, &own);
    const bool same = own == size && memcmp(now, bytes, size) == 0;
    free(now);
    return same;
}

/* Of all bytes of the state. */
static inline uint64_t snapshot_hash(const sn_world *world) {
    uint64_t hash = 14695981039346656037u;
    size_t size;
    unsigned char *bytes = snapshot_of(world, &size);
    for (size_t i = 0; i < size; i++) hash = (hash ^ bytes[i]) * 1099511628211u;
    free(bytes);
    return hash;
}

#endif
