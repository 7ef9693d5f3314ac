/* The public calls that repeat a recording. Everything that is read goes through public calls,
   which check it as they check any arguments. */
#include "api/replay.h"

#include "api/call.h"
#include "api/check.h"
#include "base/file.h"
#include "systems/aerodynamics/drags.h"

#include <string.h>

/* What force fields gave in the substeps of the next step. */
struct sn_feeder {
    sn_archive a; /* before the section of the next substep */
};

typedef struct replay {
    sn_world *world;
    sn_archive a;
    size_t fields;     /* sections that wait for their step */
    size_t fields_end; /* where the section before the first of them ends */
    sn_replay_report report;
} replay;

sn_result sn_replay_open(sn_archive *a, const uint8_t *data, size_t size,
                         sn_archive_view *snapshot) {
    sn_archive_read(a, "recording", SN_RECORDING, data, size);
    sn_archive_section(a, "snapshot");
    if (a->result == SN_OK &&
        (!sn_archive_view_find(a, "snapshot", snapshot) || snapshot->kind != SN_ARCHIVE_U8))
        sn_archive_fail(a, "there is no snapshot");
    return a->result;
}

/* ---- Force fields ---- */

/* Cannot fail inside a step: what is not there is 0, and is noticed after the step. */
static void feed(sn_world *world) {
    sn_archive *a = &world->bindings.feeder->a;
    size_t count = world->nodes.slots.count;
    memset(world->scratch.acceleration, 0, count * sizeof *world->scratch.acceleration);
    sn_archive_section(a, "field");
    sn_archive_vectors(a, "acceleration", world->scratch.acceleration, count, 3);
}

static sn_result repeat_step(replay *r, const sn_call *call, size_t begin) {
    struct sn_feeder feeder = {r->a};
    feeder.a.end = r->fields_end;
    feeder.a.any_real = true;
    if (r->fields > 0) r->world->bindings.feeder = &feeder;
    r->world->bindings.feed = feed;
    sn_result result = call->type->repeat(r->world, call);
    r->world->bindings.feeder = NULL;
    if (result == SN_OK && r->fields > 0) result = feeder.a.result;
    if (result == SN_OK && r->fields > 0 && feeder.a.end != begin)
        result =
            sn_fail(SN_ERROR_DATA,
                    "force fields are there for %zu substeps, but the step had fewer", r->fields);
    return result;
}

/* ---- Calls ---- */

static void compare_hash(replay *r, const sn_call *call) {
    uint64_t found = sn_world_hash(r->world);
    r->report.steps++;
    if (found == call->hash) return;
    r->report.differs = true;
    r->report.step = r->report.steps - 1;
    r->report.expected = call->hash;
    r->report.found = found;
}

static sn_result repeat_call(replay *r) {
    sn_call call = {0};
    size_t begin = r->a.end;
    sn_call_serialize(&r->a, r->world, &call);
    sn_result result = r->a.result;
    bool steps = result == SN_OK && (call.type->parts & SN_PART_HASH);
    if (result == SN_OK && r->fields > 0 && !steps)
        result =
            sn_archive_fail(&r->a, "force fields come before %s, expected a step", call.type->name);
    if (result == SN_OK) {
        result = steps ? repeat_step(r, &call, begin) : call.type->repeat(r->world, &call);
        if (result != SN_OK)
            result = sn_fail_within(result == SN_ERROR_MEMORY ? result : SN_ERROR_DATA,
                                    "recording: call %zu, %s, at byte %zu", r->report.calls,
                                    call.type->name, begin);
    }
    if (result == SN_OK) {
        r->report.calls++;
        if (steps) compare_hash(r, &call);
    }
    r->fields = 0;
    sn_call_free(r->world, &call);
    return result;
}

/* Steps over what force fields gave; it is read when its step is repeated. */
static sn_result keep_fields(replay *r) {
    if (r->fields++ == 0) r->fields_end = r->a.end;
    sn_archive_section(&r->a, "field");
    return r->a.result;
}

static sn_result repeat_all(replay *r, size_t most_steps) {
    while (!r->report.differs && r->report.steps < most_steps) {
        if (sn_archive_is_next(&r->a, "end")) return sn_archive_finish(&r->a);
        r->report.truncated = sn_archive_is_cut(&r->a);
        if (r->report.truncated) return SN_OK;
        SN_TRY(sn_archive_is_next(&r->a, "field") ? keep_fields(r) : repeat_call(r));
    }
    return SN_OK;
}

/* Loads the snapshot, or goes on behind it. */
static sn_result begin(replay *r, const sn_archive_view *snapshot, size_t from) {
    if (from == 0) return sn_snapshot_load(r->world, snapshot->data, snapshot->count);
    if (from < r->a.end || from > r->a.size)
        return sn_fail(SN_ERROR_VALUE, "`from` is %zu, expected 0 or what `next` was", from);
    r->a.end = from;
    return SN_OK;
}

sn_result sn_replay(sn_world *world, const sn_replay_span *span, size_t *next,
                    sn_replay_report *report) {
    replay r = {.world = world};
    sn_archive_view snapshot;
    sn_result result = sn_replay_open(&r.a, span->data, span->size, &snapshot);
    if (result == SN_OK) result = begin(&r, &snapshot, span->from);
    /* The fields of the world are not to be called. */
    size_t field_count = world->bindings.field_count;
    sn_wind *wind = sn_air_of(world)->wind;
    world->bindings.field_count = 0;
    sn_air_of(world)->wind = NULL;
    /* What has come to its end stays there. */
    if (result == SN_OK && r.a.end < r.a.size) result = repeat_all(&r, span->most_steps);
    world->bindings.field_count = field_count;
    sn_air_of(world)->wind = wind;
    *report = r.report;
    *next = r.a.end;
    return result;
}

sn_result sn_replay_file(sn_world *world, const char *path, sn_replay_report *report) {
    size_t next;
    return sn_replay_file_part(world, path, 0, SIZE_MAX, &next, report);
}

sn_result sn_replay_file_part(sn_world *world, const char *path, size_t from, size_t steps,
                              size_t *next, sn_replay_report *report) {
    sn_replay_report ignored;
    if (!report) report = &ignored;
    *report = (sn_replay_report){0};
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(path);
    SN_CHECK_POINTER(next);
    sn_file file;
    SN_TRY(sn_file_read(&file, &world->memory, "recording", path));
    const sn_replay_span span = {file.data, file.size, from, steps};
    sn_result result = sn_replay(world, &span, next, report);
    sn_file_free(&file, &world->memory);
    return result == SN_OK ? SN_OK : sn_fail_within(result, "\"%s\"", path);
}

/* Calls that bring a hash are steps. */
static sn_result count_steps(sn_archive *a, size_t *count) {
    while (a->result == SN_OK && !sn_archive_is_next(a, "end") && !sn_archive_is_cut(a)) {
        sn_archive_view hash;
        sn_archive_section_any(a);
        if (a->result == SN_OK && sn_archive_view_find(a, "hash", &hash)) (*count)++;
    }
    return a->result;
}

sn_result sn_recording_count_steps(sn_world *world, const char *path, size_t *count) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(path);
    SN_CHECK_POINTER(count);
    sn_file file;
    sn_archive a;
    sn_archive_view snapshot;
    *count = 0;
    SN_TRY(sn_file_read(&file, &world->memory, "recording", path));
    sn_result result = sn_replay_open(&a, file.data, file.size, &snapshot);
    if (result == SN_OK) result = count_steps(&a, count);
    sn_file_free(&file, &world->memory);
    return result == SN_OK ? SN_OK : sn_fail_within(result, "\"%s\"", path);
}
