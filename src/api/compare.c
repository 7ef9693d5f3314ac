/* The public call that compares recordings: first the files alone, and where a step has two hashes,
   what the worlds are like after it. */
#include "api/call.h"
#include "api/check.h"
#include "api/difference.h"
#include "api/replay.h"
#include "base/file.h"

#include <stdio.h>
#include <string.h>

/* One of the two. */
typedef struct side {
    const char *path;
    sn_world *world;
    sn_file file;
    sn_archive a;
    sn_archive_view snapshot;
    sn_replay_report report; /* of the replay up to the step in question */
} side;

typedef struct comparison {
    side side[2];
    size_t calls, steps; /* that are the same in both */
    size_t fields;       /* substeps of the present step that are the same */
    sn_difference *difference;
} comparison;

static bool is_over(const sn_archive *a) {
    return sn_archive_is_next(a, "end") || sn_archive_is_cut(a);
}

/* Puts a place before the sentence. */
static void place_difference(sn_difference *difference, const char *place) {
    char sentence[sizeof difference->sentence];
    memcpy(sentence, difference->sentence, sizeof sentence);
    sn_differ(difference, "%s: %.200s", place, sentence);
}

/* ---- A step with two hashes ---- */

/* The bytes belong to the memory of the world. */
static sn_result take_snapshot(sn_world *world, sn_file *bytes) {
    SN_TRY(sn_snapshot_save(world, NULL, 0, &bytes->size));
    bytes->data = sn_allocate(&world->memory, bytes->size, 1);
    bytes->capacity = bytes->size;
    if (!bytes->data) return sn_fail_within(SN_ERROR_MEMORY, "recording");
    return sn_snapshot_save(world, bytes->data, bytes->size, &bytes->size);
}

static sn_result compare_worlds(comparison *c) {
    sn_file bytes[2] = {{0}, {0}};
    sn_result result = take_snapshot(c->side[0].world, &bytes[0]);
    if (result == SN_OK) result = take_snapshot(c->side[1].world, &bytes[1]);
    if (result == SN_OK)
        result = sn_snapshot_compare(bytes[0].data, bytes[0].size, bytes[1].data, bytes[1].size,
                                     c->difference);
    for (int k = 0; k < 2; k++) sn_file_free(&bytes[k], &c->side[k].world->memory);
    return result;
}

static sn_result replay_both(comparison *c, uint64_t hash[2]) {
    char place[64];
    size_t next;
    for (int k = 0; k < 2; k++) {
        side *s = &c->side[k];
        const sn_replay_span span = {s->file.data, s->file.size, 0, c->steps + 1};
        SN_TRY(sn_replay(s->world, &span, &next, &s->report));
        if (s->report.differs && s->report.step < c->steps) {
            sn_differ(c->difference,
                      "step %zu: recorded as %016llx in both, but the replay of the %s gives "
                      "%016llx here",
                      s->report.step, (unsigned long long)s->report.expected,
                      k == 0 ? "first" : "second", (unsigned long long)s->report.found);
            return SN_OK;
        }
    }
    SN_TRY(compare_worlds(c));
    if (!c->difference->differs) {
        sn_differ(c->difference,
                  "step %zu: the hashes are %016llx and %016llx, but both replays give %016llx "
                  "here: what differed was the machine or the build",
                  c->steps, (unsigned long long)hash[0], (unsigned long long)hash[1],
                  (unsigned long long)sn_world_hash(c->side[0].world));
        return SN_OK;
    }
    snprintf(place, sizeof place, "step %zu", c->steps);
    place_difference(c->difference, place);
    return SN_OK;
}

/* ---- The files alone ---- */

/* Reads the length and the hash of a step; false where the present section is none. */
static bool is_step(const sn_archive *a, uint64_t *dt, uint64_t *hash) {
    sn_archive_view length, state;
    if (strcmp(a->section, "call") != 0 || !sn_archive_view_find(a, "hash", &state) ||
        !sn_archive_view_find(a, "value", &length) || state.kind != SN_ARCHIVE_U64 ||
        state.count != 1 || length.count != 1)
        return false;
    *hash = sn_archive_view_bits(&state, 0);
    *dt = sn_archive_view_bits(&length, 0);
    return true;
}

static void name_place(const comparison *c, bool field) {
    char place[96];
    if (field)
        snprintf(place, sizeof place, "step %zu, substep %zu", c->steps, c->fields);
    else
        snprintf(place, sizeof place, "call %zu, after %zu steps", c->calls, c->steps);
    place_difference(c->difference, place);
}

static sn_result compare_next(comparison *c) {
    sn_archive *a = &c->side[0].a, *b = &c->side[1].a;
    sn_archive_section_any(a);
    sn_archive_section_any(b);
    if (a->result != SN_OK || b->result != SN_OK) return a->result ? a->result : b->result;
    uint64_t dt[2] = {0}, hash[2] = {0};
    bool field = strcmp(a->section, "field") == 0;
    bool step = is_step(a, &dt[0], &hash[0]) && is_step(b, &dt[1], &hash[1]);
    if (step && dt[0] == dt[1] && hash[0] != hash[1]) return replay_both(c, hash);
    sn_compare_sections(a, b, c->difference);
    if (c->difference->differs) name_place(c, field);
    c->fields = field ? c->fields + 1 : 0;
    c->calls += !field;
    c->steps += step;
    return a->result ? a->result : b->result;
}

static sn_result compare_all(comparison *c) {
    side *first = &c->side[0], *second = &c->side[1];
    SN_TRY(sn_snapshot_compare(first->snapshot.data, first->snapshot.count, second->snapshot.data,
                               second->snapshot.count, c->difference));
    if (c->difference->differs) place_difference(c->difference, "at the beginning");
    while (!c->difference->differs) {
        bool over[2] = {is_over(&first->a), is_over(&second->a)};
        if (over[0] && over[1]) return SN_OK;
        if (over[0] || over[1])
            sn_differ(
                c->difference, "the %s ends after %zu calls, %zu of them steps; the %s goes on",
                over[0] ? "first" : "second", c->calls, c->steps, over[0] ? "second" : "first");
        else
            SN_TRY(compare_next(c));
    }
    return SN_OK;
}

sn_result sn_recording_compare(sn_world *world_a, const char *path_a, sn_world *world_b,
                               const char *path_b, sn_difference *difference) {
    SN_CHECK_WORLD(world_a);
    SN_CHECK_WORLD(world_b);
    SN_CHECK_POINTER(path_a);
    SN_CHECK_POINTER(path_b);
    SN_CHECK_POINTER(difference);
    *difference = (sn_difference){.differs = false};
    if (world_a == world_b)
        return sn_fail(SN_ERROR_VALUE, "recordings: world_a is world_b, expected two worlds");
    comparison c = {
        .side = {{.path = path_a, .world = world_a}, {.path = path_b, .world = world_b}},
        .difference = difference};
    sn_result result = SN_OK;
    for (int k = 0; k < 2 && result == SN_OK; k++) {
        side *s = &c.side[k];
        result = sn_file_read(&s->file, &s->world->memory, "recording", s->path);
        if (result != SN_OK) break;
        result = sn_replay_open(&s->a, s->file.data, s->file.size, &s->snapshot);
        if (result != SN_OK) result = sn_fail_within(result, "\"%s\"", s->path);
    }
    if (result == SN_OK && (result = compare_all(&c)) != SN_OK)
        result = sn_fail_within(result, "\"%s\", \"%s\"", path_a, path_b);
    for (int k = 0; k < 2; k++) sn_file_free(&c.side[k].file, &c.side[k].world->memory);
    return result;
}
