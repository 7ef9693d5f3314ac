/*
 * The public calls that begin and end a recording, and what happens in between.
 *
 *   section "snapshot": the world as it was
 *   section "call": one per call, in their order (call.h)
 *   section "field": what force fields made of a substep, before the "call" of its step
 *   section "end"
 *
 * A section is put together in memory and written at once, so that a program that ends badly leaves
 * whole sections. When writing fails, nothing more is written.
 */
#include <sinew/recording.h>

#include "api/call.h"
#include "api/check.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

struct sn_recorder {
    FILE *file;
    uint8_t *buffer; /* in which sections are put together */
    size_t capacity;
    sn_result result; /* SN_OK until something cannot be written */
    char path[256];   /* its beginning, for sentences */
    char sentence[512];
};
typedef struct sn_recorder sn_recorder;

/* Writes sections into an archive. */
typedef void writer(sn_archive *a, sn_world *world, sn_call *call);

/* ---- Failing ---- */

static void give_up(sn_recorder *r, sn_result result, const char *how) {
    r->result = result;
    snprintf(r->sentence, sizeof r->sentence, "recording \"%s\": %s", r->path, how);
}

static void give_up_file(sn_recorder *r) {
    char how[128];
    snprintf(how, sizeof how, "cannot be written: %.90s", strerror(errno));
    give_up(r, SN_ERROR_FILE, how);
}

/* ---- Writing ---- */

static void append(sn_world *world, writer *write, sn_call *call) {
    sn_recorder *r = world->bindings.recorder;
    sn_archive a;
    sn_archive_append(&a, "recording", NULL, 0);
    write(&a, world, call);
    size_t size = a.size;
    if (!sn_reserve(&world->memory, (void **)&r->buffer, &r->capacity, size, 1)) {
        give_up(r, SN_ERROR_MEMORY, "no memory for a call");
        return;
    }
    sn_archive_append(&a, "recording", r->buffer, size);
    write(&a, world, call);
    if (a.result != SN_OK)
        give_up(r, a.result, "a call cannot be written down");
    else if (fwrite(r->buffer, 1, size, r->file) != size || fflush(r->file) != 0)
        give_up_file(r);
}

/* The same after the beginning, where failing must not be a failure of the call. */
static void append_or_say(sn_world *world, writer *write, sn_call *call) {
    if (world->bindings.recorder->result != SN_OK) return;
    append(world, write, call);
    if (world->bindings.recorder->result != SN_OK)
        sn_world_say(world, SN_LOG_ERROR, "%s; it ends here, and the simulation goes on",
                     world->bindings.recorder->sentence);
}

void sn_call_note(sn_world *world, sn_call *call) {
    append_or_say(world, sn_call_serialize, call);
}

static void write_fields(sn_archive *a, sn_world *world, sn_call *call) {
    (void)call;
    sn_archive_section(a, "field");
    sn_archive_vectors(a, "acceleration", world->scratch.acceleration, world->nodes.slots.count, 3);
    sn_archive_section_end(a);
}

static void tap(sn_world *world) {
    append_or_say(world, write_fields, NULL);
}

/* ---- Beginning ---- */

/* The head of the file and the snapshot, which the call brings. */
static void write_beginning(sn_archive *a, sn_world *world, sn_call *call) {
    (void)world;
    sn_archive_write(a, "recording", SN_RECORDING, a->to, a->capacity);
    sn_archive_section(a, "snapshot");
    sn_archive_column(a, "snapshot", SN_ARCHIVE_U8, (void *)call->items, call->count);
    sn_archive_section_end(a);
}

static void begin(sn_world *world) {
    size_t size = 0;
    sn_snapshot_save(world, NULL, 0, &size);
    uint8_t *snapshot = sn_allocate(&world->memory, size, 1);
    if (!snapshot) {
        give_up(world->bindings.recorder, SN_ERROR_MEMORY, "no memory for a snapshot");
        return;
    }
    sn_snapshot_save(world, snapshot, size, &size);
    append(world, write_beginning, &(sn_call){.items = snapshot, .count = size});
    sn_free(&world->memory, snapshot, size, 1);
}

/* Closes the file and frees the recorder; the result of everything. */
static sn_result end(sn_world *world) {
    sn_recorder *r = world->bindings.recorder;
    if (r->file && fclose(r->file) != 0 && r->result == SN_OK) give_up_file(r);
    sn_result result = r->result == SN_OK ? SN_OK : sn_fail(r->result, "%s", r->sentence);
    sn_free(&world->memory, r->buffer, r->capacity, 1);
    sn_free(&world->memory, r, 1, sizeof *r);
    world->bindings.recorder = NULL;
    world->bindings.tap = NULL;
    return result;
}

sn_result sn_recording_start(sn_world *world, const char *path) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(path);
    if (world->bindings.recorder)
        return sn_fail(SN_ERROR_VALUE, "recording \"%s\": the world is recorded in \"%s\" already",
                       path, world->bindings.recorder->path);
    sn_recorder *r = sn_allocate(&world->memory, 1, sizeof *r);
    if (!r) return SN_ERROR_MEMORY;
    snprintf(r->path, sizeof r->path, "%s", path);
    world->bindings.recorder = r;
    world->bindings.tap = tap;
    r->file = fopen(path, "wb");
    if (r->file)
        begin(world);
    else
        give_up_file(r);
    return r->result == SN_OK ? SN_OK : end(world);
}

static void write_end(sn_archive *a, sn_world *world, sn_call *call) {
    (void)world;
    (void)call;
    sn_archive_finish(a);
}

sn_result sn_recording_stop(sn_world *world) {
    SN_CHECK_WORLD(world);
    if (!world->bindings.recorder)
        return sn_fail(SN_ERROR_VALUE, "recording: nothing is being recorded");
    append_or_say(world, write_end, NULL);
    return end(world);
}
