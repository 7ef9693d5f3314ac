/*
 * Recordings: repeating one gives the recorded hashes on any number of threads and lanes, with what
 * force fields gave; missing memory and full disks end a recording and nothing else.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <signal.h>
#include <sys/resource.h>
#endif

#include "check.h"
#include "recorded_session.h"
#include "state/sample_worlds.h"

#ifdef SN_DOUBLE
#define FILE_A "recording_f64_a.reco"
#define FILE_B "recording_f64_b.reco"
#else
#define FILE_A "recording_a.reco"
#define FILE_B "recording_b.reco"
#endif

/* ---- Replays ---- */

TEST(replays_are_the_same_runs) {
    static const int kinds[][2] = {{1, 1}, {2, 4}, {3, 8}, {4, 16}};
    for (int number = 0; number < SAMPLE_WORLDS; number++) {
        session_record(FILE_A, number, false, 12);
        for (int k = 0; k < 4; k++) {
            sn_world *world = session_make_world(kinds[k][0], kinds[k][1]);
            sn_replay_report report;
            check_case("%s, %d threads, %d lanes", sample_world_name(number), kinds[k][0],
                       kinds[k][1]);
            CHECK_OK(sn_replay_file(world, FILE_A, &report));
            CHECK(report.steps == 12 && report.calls > 12);
            CHECK(!report.differs && !report.truncated);
            sn_world_destroy(world);
        }
    }
    CHECK(remove(FILE_A) == 0);
}

TEST(parts_are_the_same_run) {
    enum { STEPS = 6 };
    static uint8_t kept[1 << 20];
    sn_replay_report report;
    size_t next = 0, count = 0, size = 0, back = 0;
    uint64_t hash[STEPS + 1] = {0};
    session_record(FILE_A, 0, true, STEPS);
    sn_world *world = session_make_world(1, 0), *whole = session_make_world(1, 0);
    CHECK_OK(sn_replay_file(whole, FILE_A, NULL));
    CHECK_OK(sn_recording_count_steps(world, FILE_A, &count));
    CHECK(count == STEPS);
    CHECK_OK(sn_replay_file_part(world, FILE_A, 0, 0, &next, &report));
    CHECK(report.calls == 0 && next > 0);
    for (int i = 0; i < STEPS; i++) {
        if (i == 2) {
            CHECK_OK(sn_snapshot_save(world, kept, sizeof kept, &size));
            back = next;
        }
        CHECK_OK(sn_replay_file_part(world, FILE_A, next, 1, &next, &report));
        CHECK(report.steps == 1 && !report.differs);
        hash[i] = sn_world_hash(world);
    }
    CHECK_OK(sn_replay_file_part(world, FILE_A, next, 1, &next, &report));
    CHECK(report.steps == 0 && !report.truncated);
    CHECK_OK(sn_replay_file_part(world, FILE_A, next, 1, &next, &report));
    CHECK(report.steps == 0 && !report.truncated);
    CHECK(sn_world_hash(world) == sn_world_hash(whole));
    /* Back with a snapshot. */
    CHECK(size > 0 && size <= sizeof kept);
    CHECK_OK(sn_snapshot_load(world, kept, size));
    CHECK_OK(sn_replay_file_part(world, FILE_A, back, 2, &next, &report));
    CHECK(report.steps == 2 && sn_world_hash(world) == hash[3]);
    CHECK(sn_replay_file_part(world, FILE_A, 7, 1, &next, NULL) == SN_ERROR_VALUE);
    CHECK(sn_replay_file_part(world, FILE_A, back, 1, NULL, NULL) == SN_ERROR_NULL);
    CHECK(sn_recording_count_steps(world, "none.reco", &count) == SN_ERROR_FILE);
    sn_world_destroy(world);
    sn_world_destroy(whole);
    CHECK(remove(FILE_A) == 0);
}

TEST(every_call_is_repeated) {
    sn_replay_report report;
    sn_world *original = session_make_world(1, 0), *world = session_make_world(2, 8),
             *bare = session_make_world(1, 0);
    sn_type type = session_add_type(original, NULL);
    session_add_type(world, NULL);
    REQUIRE_OK(sn_recording_start(original, FILE_A));
    session_do_everything(original, type);
    CHECK_OK(sn_recording_stop(original));
    CHECK_OK(sn_replay_file(world, FILE_A, &report));
    CHECK(report.steps == 6 && !report.differs && !report.truncated);
    CHECK(sn_world_hash(world) == sn_world_hash(original));
    CHECK_OK(sn_replay_file(world, FILE_A, NULL));
    /* A recording of a replay is the same. */
    REQUIRE_OK(sn_recording_start(world, FILE_B));
    CHECK_OK(sn_replay_file(world, FILE_A, NULL));
    CHECK_OK(sn_recording_stop(world));
    CHECK_OK(sn_replay_file(world, FILE_B, &report));
    CHECK(report.steps == 6 && !report.differs && !report.truncated);
    CHECK_FAILS(sn_replay_file(bare, FILE_A, &report), SN_ERROR_DATA);
    CHECK(strstr(sn_last_error(), "no constraint type \"stretch\"") != NULL);
    sn_world_destroy(original);
    sn_world_destroy(world);
    sn_world_destroy(bare);
    CHECK(remove(FILE_A) == 0 && remove(FILE_B) == 0);
}

/* ---- Force fields ---- */

static void forbidden(void *user, const sn_force_field_input *input, sn_vec4 *acceleration) {
    (void)user;
    (void)input;
    acceleration[0].x = 1000;
    CHECK(false);
}

TEST(force_fields_are_given_again) {
    sn_world *world = session_make_world(1, 0), *other = session_make_world(2, 0);
    sn_replay_report report;
    const sn_freeze_event *events;
    size_t count, frozen = 0;
    int calls = 0;
    sample_world_build(world, 5, false);
    REQUIRE_OK(sn_world_add_force_field(world, session_moody, &calls));
    REQUIRE_OK(sn_recording_start(world, FILE_A));
    for (int step = 0; step < 10; step++) {
        sample_world_lead(world, 5, step);
        if (step == 8) REQUIRE_OK(sn_world_remove_force_field(world, session_moody, &calls));
        REQUIRE_OK(sn_world_step(world, SESSION_DT));
        CHECK_OK(sn_world_freezes(world, &events, &count));
        frozen += count;
    }
    CHECK(frozen > 0 && calls == 24);
    CHECK_OK(sn_recording_stop(world));
    REQUIRE_OK(sn_world_add_force_field(other, forbidden, NULL));
    CHECK_OK(sn_replay_file(other, FILE_A, &report));
    CHECK(report.steps == 10 && !report.differs && !report.truncated);
    CHECK(sn_world_hash(world) == sn_world_hash(other));
    CHECK_OK(sn_world_remove_force_field(other, forbidden, NULL));
    sn_world_destroy(world);
    sn_world_destroy(other);
    CHECK(remove(FILE_A) == 0);
}

/* ---- Arguments and disks ---- */

TEST(arguments) {
    sn_world *world = session_make_world(1, 0), *other = session_make_world(1, 0);
    sn_difference difference;
    CHECK_FAILS(sn_recording_start(NULL, FILE_A), SN_ERROR_NULL);
    CHECK_FAILS(sn_recording_start(world, NULL), SN_ERROR_NULL);
    CHECK_FAILS(sn_recording_stop(NULL), SN_ERROR_NULL);
    CHECK_FAILS(sn_recording_stop(world), SN_ERROR_VALUE);
    CHECK_FAILS(sn_recording_start(world, "no_such_folder/none.reco"), SN_ERROR_FILE);
    CHECK(strstr(sn_last_error(), "no_such_folder/none.reco") != NULL);
    CHECK_FAILS(sn_recording_stop(world), SN_ERROR_VALUE);
    REQUIRE_OK(sn_recording_start(world, FILE_A));
    CHECK_FAILS(sn_recording_start(world, FILE_B), SN_ERROR_VALUE);
    CHECK_FAILS(sn_replay_file(NULL, FILE_A, NULL), SN_ERROR_NULL);
    CHECK_FAILS(sn_replay_file(other, NULL, NULL), SN_ERROR_NULL);
    CHECK_FAILS(sn_replay_file(other, "no_such_folder/none.reco", NULL), SN_ERROR_FILE);
    CHECK_FAILS(sn_recording_compare(NULL, FILE_A, other, FILE_A, &difference), SN_ERROR_NULL);
    CHECK_FAILS(sn_recording_compare(world, NULL, other, FILE_A, &difference), SN_ERROR_NULL);
    CHECK_FAILS(sn_recording_compare(world, FILE_A, NULL, FILE_A, &difference), SN_ERROR_NULL);
    CHECK_FAILS(sn_recording_compare(world, FILE_A, other, NULL, &difference), SN_ERROR_NULL);
    CHECK_FAILS(sn_recording_compare(world, FILE_A, other, FILE_A, NULL), SN_ERROR_NULL);
    CHECK_FAILS(sn_recording_compare(world, FILE_A, world, FILE_A, &difference), SN_ERROR_VALUE);
    CHECK_FAILS(sn_recording_compare(world, "none.reco", other, FILE_A, &difference),
                SN_ERROR_FILE);
    CHECK_FAILS(sn_snapshot_compare(NULL, 0, "", 0, &difference), SN_ERROR_NULL);
    CHECK_FAILS(sn_snapshot_compare("", 0, NULL, 0, &difference), SN_ERROR_NULL);
    CHECK_FAILS(sn_snapshot_compare("", 0, "", 0, NULL), SN_ERROR_NULL);
    CHECK_FAILS(sn_snapshot_compare("", 0, "", 0, &difference), SN_ERROR_DATA);
    CHECK_FAILS(sn_snapshot_compare_files(NULL, FILE_A, &difference), SN_ERROR_NULL);
    CHECK_FAILS(sn_snapshot_compare_files(FILE_A, NULL, &difference), SN_ERROR_NULL);
    CHECK_FAILS(sn_snapshot_compare_files(FILE_A, FILE_A, NULL), SN_ERROR_NULL);
    CHECK_FAILS(sn_snapshot_compare_files("none.snap", FILE_A, &difference), SN_ERROR_FILE);
    CHECK_FAILS(sn_snapshot_compare_files(FILE_A, FILE_A, &difference), SN_ERROR_DATA);
    /* The end of the world is the end of its recording. */
    sn_world_destroy(world);
    sn_replay_report report;
    CHECK_OK(sn_replay_file(other, FILE_A, &report));
    CHECK(!report.truncated && report.calls == 0);
    sn_world_destroy(other);
    CHECK(remove(FILE_A) == 0);
}

/* The disk becomes full in the middle: nothing else suffers, and it is said once and at the end. */
TEST(full_disks) {
#ifdef __linux__
    sn_world *world = session_make_world(1, 0), *other = session_make_world(1, 0);
    sn_replay_report report;
    struct rlimit before, limit;
    CHECK_FAILS(sn_recording_start(world, "/dev/full"), SN_ERROR_FILE);
    CHECK(strstr(sn_last_error(), "/dev/full") != NULL);
    sample_world_build(world, 3, false);
    REQUIRE_OK(sn_recording_start(world, FILE_A));
    session_bytes beginning = session_read_bytes(FILE_A);
    signal(SIGXFSZ, SIG_IGN);
    CHECK(getrlimit(RLIMIT_FSIZE, &before) == 0);
    limit = before;
    limit.rlim_cur = beginning.size + 500;
    free(beginning.data);
    CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    session_errors = 0;
    for (int step = 0; step < 20; step++) CHECK_OK(sn_world_step(world, SESSION_DT));
    CHECK(session_errors == 1);
    sn_result result = sn_recording_stop(world);
    CHECK(setrlimit(RLIMIT_FSIZE, &before) == 0);
    CHECK_FAILS(result, SN_ERROR_FILE);
    CHECK(strstr(sn_last_error(), FILE_A) != NULL);
    CHECK_OK(sn_replay_file(other, FILE_A, &report));
    CHECK(report.truncated && !report.differs && report.steps > 0 && report.steps < 20);
    /* And once more, with room. */
    CHECK_OK(sn_recording_start(world, FILE_A));
    CHECK_OK(sn_recording_stop(world));
    sn_world_destroy(world);
    sn_world_destroy(other);
    CHECK(remove(FILE_A) == 0);
#endif
}

/* ---- Memory ---- */

static size_t given, allowed;

static void *few(void *user, void *pointer, size_t old_size, size_t new_size) {
    (void)user;
    if (new_size > 0 && given++ >= allowed) return NULL;
    void *at = new_size > 0 ? aligned_alloc(64, (new_size + 63) / 64 * 64) : NULL;
    if (at && pointer) memcpy(at, pointer, old_size < new_size ? old_size : new_size);
    if (at || new_size == 0) free(pointer);
    return at;
}

static sn_world *make_starving_world(void) {
    sn_world_def def = sn_world_def_default();
    sn_world *world = NULL;
    def.allocator.reallocate = few;
    allowed = SIZE_MAX;
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

TEST(missing_memory) {
    sn_world *fed = session_make_world(1, 0);
    sn_replay_report report;
    bool done = false;
    /* A recording that cannot begin leaves the world alone; one that loses memory later ends
       there. */
    for (size_t n = 0; !done && n < 200; n++) {
        check_case("recording with %zu blocks", n);
        sn_world *world = make_starving_world();
        sample_world_build(world, 8, true);
        uint64_t hash = sn_world_hash(world);
        given = 0;
        allowed = n;
        sn_result started = sn_recording_start(world, FILE_A);
        CHECK(started == SN_OK || started == SN_ERROR_MEMORY);
        CHECK(sn_world_hash(world) == hash);
        sn_result stepped = SN_OK;
        for (int step = 0; step < 3 && started == SN_OK; step++) {
            stepped = sn_world_step(world, SESSION_DT);
            CHECK(stepped == SN_OK || stepped == SN_ERROR_MEMORY);
        }
        allowed = SIZE_MAX;
        if (started == SN_OK) {
            sn_result stopped = sn_recording_stop(world);
            CHECK(stopped == SN_OK || stopped == SN_ERROR_MEMORY);
            CHECK_OK(sn_replay_file(fed, FILE_A, &report));
            CHECK(!report.differs && report.truncated == (stopped != SN_OK));
            done = stepped == SN_OK && stopped == SN_OK && report.steps == 3;
        }
        sn_world_destroy(world);
    }
    CHECK(done);
    session_record(FILE_A, 4, true, 2);
    done = false;
    for (size_t n = 0; !done && n < 1000; n++) {
        check_case("replay with %zu blocks", n);
        sn_world *world = make_starving_world();
        given = 0;
        allowed = n;
        sn_result result = sn_replay_file(world, FILE_A, &report);
        done = result == SN_OK;
        CHECK(done || result == SN_ERROR_MEMORY);
        CHECK(!report.differs);
        allowed = SIZE_MAX;
        sn_world_destroy(world);
    }
    CHECK(done && report.steps == 2);
    sn_world_destroy(fed);
    CHECK(remove(FILE_A) == 0);
}

TESTS(RUN(replays_are_the_same_runs), RUN(parts_are_the_same_run), RUN(every_call_is_repeated),
      RUN(force_fields_are_given_again), RUN(arguments), RUN(full_disks), RUN(missing_memory))
