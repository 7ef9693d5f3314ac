/* The public calls on snapshots. */
#include <sinew/snapshot.h>

#include "api/call.h"
#include "api/check.h"
#include "base/archive.h"
#include "base/file.h"
#include "state/serialize.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define CALLS(CALL, OWN)                                                                           \
    CALL(LOAD, "snapshot_load", SN_PART_BYTES | SN_KEEPS_PAIRS, 0, NULL,                           \
         sn_snapshot_load(world, call->items, call->count))
SN_DEFINE_CALLS(snapshot, CALLS, .next = NULL)

sn_result sn_snapshot_save(const sn_world *world, void *buffer, size_t capacity, size_t *size) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(size);
    if (capacity > 0) SN_CHECK_POINTER(buffer);
    sn_archive a;
    /* Writing changes nothing in the world; reading does, through the same functions. */
    sn_world *source = (sn_world *)(uintptr_t)world;
    sn_archive_write(&a, "snapshot", SN_SNAPSHOT, NULL, 0);
    sn_world_serialize(source, &a);
    SN_TRY(sn_archive_finish(&a));
    *size = a.size;
    if (!buffer) return SN_OK;
    sn_archive_write(&a, "snapshot", SN_SNAPSHOT, buffer, capacity);
    sn_world_serialize(source, &a);
    return sn_archive_finish(&a);
}

/* ---- Loading ---- */

sn_result sn_snapshot_load(sn_world *world, const void *data, size_t size) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(data);
    sn_archive a;
    sn_world fresh;
    sn_result result = sn_world_begin_contents(&fresh, world);
    sn_archive_read(&a, "snapshot", SN_SNAPSHOT, data, size);
    if (result == SN_OK) {
        sn_world_serialize(&fresh, &a);
        result = sn_archive_finish(&a);
    }
    if (result == SN_OK) {
        sn_world old = *world;
        *world = fresh;
        fresh = old;
        fresh.memory = world->memory;
    }
    sn_world_free_contents(&fresh);
    world->memory = fresh.memory;
    if (result == SN_OK) SN_RECORD(world, LOAD, .items = data, .count = size);
    return result;
}

/* ---- Files ---- */

static sn_result fail_file(const char *path, const char *what) {
    return sn_fail(SN_ERROR_FILE, "snapshot \"%s\": %s: %s", path, what, strerror(errno));
}

static sn_result write_file(const char *path, const void *data, size_t size) {
    sn_output_path output;
    SN_TRY(sn_output_path_find(&output, path));
    FILE *file = fopen(output.written, "wb");
    if (!file) return fail_file(path, "cannot be created");
    bool written = fwrite(data, 1, size, file) == size && fflush(file) == 0;
    sn_result result = written ? SN_OK : fail_file(path, "cannot be written");
    if (fclose(file) != 0 && written) result = fail_file(path, "cannot be written");
    if (result != SN_OK) {
        sn_output_path_discard(&output);
        return result;
    }
    errno = sn_output_path_keep(&output);
    return errno == 0 ? SN_OK : fail_file(path, "cannot be replaced");
}

sn_result sn_snapshot_save_file(const sn_world *world, const char *path) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(path);
    size_t size = 0;
    SN_TRY(sn_snapshot_save(world, NULL, 0, &size));
    /* The world is not to be changed, and nothing of this is left in the end. */
    sn_memory memory = world->memory;
    void *buffer = sn_allocate(&memory, size, 1);
    sn_result result = buffer ? sn_snapshot_save(world, buffer, size, &size) : SN_ERROR_MEMORY;
    if (result == SN_OK) result = write_file(path, buffer, size);
    sn_free(&memory, buffer, size, 1);
    return result == SN_ERROR_MEMORY ? sn_fail_within(result, "snapshot \"%s\"", path) : result;
}

sn_result sn_snapshot_load_file(sn_world *world, const char *path) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(path);
    sn_file file;
    SN_TRY(sn_file_read(&file, &world->memory, "snapshot", path));
    sn_result result = sn_snapshot_load(world, file.data, file.size);
    sn_file_free(&file, &world->memory);
    return result == SN_OK ? SN_OK : sn_fail_within(result, "\"%s\"", path);
}
