/* The public calls on snapshots. */
#include <sinew/snapshot.h>

#include "api/check.h"
#include "base/archive.h"
#include "world/exchange.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of archives; "SNAP" in the order of the bytes. */
#define SNAPSHOT 0x50414e53u

sn_result sn_snapshot_save(const sn_world *world, void *buffer, size_t capacity, size_t *size) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(size);
    if (capacity > 0) SN_CHECK_POINTER(buffer);
    sn_archive a;
    /* Writing changes nothing in the world; reading does, through the same functions. */
    sn_world *source = (sn_world *)(uintptr_t)world;
    sn_archive_write(&a, "snapshot", SNAPSHOT, NULL, 0);
    sn_world_exchange(source, &a);
    SN_TRY(sn_archive_finish(&a));
    *size = a.size;
    if (!buffer) return SN_OK;
    sn_archive_write(&a, "snapshot", SNAPSHOT, buffer, capacity);
    sn_world_exchange(source, &a);
    return sn_archive_finish(&a);
}

/* ---- Loading ---- */

sn_result sn_snapshot_load(sn_world *world, const void *data, size_t size) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(data);
    sn_archive a;
    sn_world fresh;
    sn_result result = sn_world_begin_contents(&fresh, world);
    sn_archive_read(&a, "snapshot", SNAPSHOT, data, size);
    if (result == SN_OK) {
        sn_world_exchange(&fresh, &a);
        result = sn_archive_finish(&a);
    }
    if (result == SN_OK && (result = sn_check_settings(&fresh.settings)) != SN_OK)
        result = sn_fail_within(SN_ERROR_DATA, "snapshot");
    if (result == SN_OK) {
        sn_world old = *world;
        *world = fresh;
        fresh = old;
        fresh.memory = world->memory;
    }
    sn_world_free_contents(&fresh);
    world->memory = fresh.memory;
    return result;
}

/* ---- Files ---- */

static sn_result fail_file(const char *path, const char *what) {
    return sn_fail(SN_ERROR_FILE, "snapshot \"%s\": %s: %s", path, what, strerror(errno));
}

/* Writes next to the file and then renames, so that there is never half of it. */
static sn_result write_file(const char *path, const void *data, size_t size) {
    size_t length = strlen(path);
    char *part = malloc(length + 6);
    if (!part) return sn_fail(SN_ERROR_MEMORY, "snapshot \"%s\": no memory for its name", path);
    memcpy(part, path, length);
    memcpy(part + length, ".part", 6);
    sn_result result = SN_OK;
    FILE *file = fopen(part, "wb");
    if (!file) {
        result = fail_file(path, "cannot be created");
    } else {
        bool written = fwrite(data, 1, size, file) == size && fflush(file) == 0;
        if (!written) result = fail_file(path, "cannot be written");
        if (fclose(file) != 0 && written) result = fail_file(path, "cannot be written");
        if (result == SN_OK && rename(part, path) != 0)
            result = fail_file(path, "cannot be replaced");
        if (result != SN_OK) remove(part);
    }
    free(part);
    return result;
}

sn_result sn_snapshot_save_file(const sn_world *world, const char *path) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(path);
    size_t size = 0;
    SN_TRY(sn_snapshot_save(world, NULL, 0, &size));
    void *buffer = malloc(size);
    if (!buffer)
        return sn_fail(SN_ERROR_MEMORY, "snapshot \"%s\": no memory for %zu bytes", path, size);
    sn_result result = sn_snapshot_save(world, buffer, size, &size);
    if (result == SN_OK) result = write_file(path, buffer, size);
    free(buffer);
    return result;
}

/* All bytes of a file, to be freed by the caller. */
static sn_result read_file(const char *path, unsigned char **data, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (!file) return fail_file(path, "cannot be opened");
    size_t capacity = 0;
    sn_result result = SN_OK;
    *data = NULL;
    *size = 0;
    while (result == SN_OK && !feof(file)) {
        if (*size == capacity) {
            capacity = capacity > 0 ? 2 * capacity : 65536;
            unsigned char *grown = realloc(*data, capacity);
            if (!grown) {
                result = sn_fail(SN_ERROR_MEMORY, "snapshot \"%s\": no memory for %zu bytes", path,
                                 capacity);
                break;
            }
            *data = grown;
        }
        *size += fread(*data + *size, 1, capacity - *size, file);
        if (ferror(file)) result = fail_file(path, "cannot be read");
    }
    fclose(file);
    if (result == SN_OK) return SN_OK;
    free(*data);
    *data = NULL;
    return result;
}

sn_result sn_snapshot_load_file(sn_world *world, const char *path) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(path);
    unsigned char *data = NULL;
    size_t size = 0;
    SN_TRY(read_file(path, &data, &size));
    sn_result result = sn_snapshot_load(world, data, size);
    free(data);
    return result == SN_OK ? SN_OK : sn_fail_within(result, "\"%s\"", path);
}
