/*
 * Snapshots and recordings of earlier releases: every file of tests/corpus loads, in both
 * precisions, and a snapshot in the one it was saved in is the state that it was. (The steps of a
 * recording may have other hashes in a release that computes differently.) The files are never
 * changed, only added to:
 *
 *     state_corpus --write FOLDER     writes the present sample worlds, prints lines for the table
 */
#include "corpus_hashes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "sample_worlds.h"

static const sn_real dt = (sn_real)(1.0 / 60);

typedef struct entry {
    const char *name;
    uint64_t hash; /* in single precision */
    size_t constraints;
} entry;

static const entry entries[] = {CORPUS(CORPUS_ENTRY)};

TEST(every_snapshot_of_the_corpus_loads) {
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        char path[512];
        sn_world *world = NULL;
        check_case("%s", entries[i].name);
        snprintf(path, sizeof path, "%s/snapshots/%s.snap", CORPUS_FOLDER, entries[i].name);
        REQUIRE_OK(sn_world_create(NULL, &world));
        CHECK_OK(sn_snapshot_load_file(world, path));
        CHECK(sn_world_constraint_count(world, SN_TYPE_COUNT) == entries[i].constraints);
#ifndef SN_DOUBLE
        CHECK(sn_world_hash(world) == entries[i].hash);
#endif
        CHECK_OK(sn_world_step(world, dt));
        sn_world_destroy(world);
    }
}

TEST(every_recording_of_the_corpus_is_repeated) {
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        char path[512];
        sn_world *world = NULL;
        sn_replay_report report;
        check_case("%s", entries[i].name);
        snprintf(path, sizeof path, "%s/recordings/%s.rec", CORPUS_FOLDER, entries[i].name);
        REQUIRE_OK(sn_world_create(NULL, &world));
        CHECK_OK(sn_replay_file(world, path, &report));
        CHECK(report.calls > 3 && !report.truncated);
        sn_world_destroy(world);
    }
}

/* ---- Writing ---- */

static void write_all(const char *folder) {
    for (int number = 0; number < SAMPLE_WORLDS; number++) {
        char path[512], name[64];
        sn_world *world = NULL;
        REQUIRE_OK(sn_world_create(NULL, &world));
        snprintf(name, sizeof name, "v1_%d", number);
        snprintf(path, sizeof path, "%s/recordings/%s.rec", folder, name);
        REQUIRE_OK(sn_recording_start(world, path));
        sample_world_build(world, number, true);
        for (int step = 0; step < 3; step++) {
            sample_world_lead(world, number, step);
            REQUIRE_OK(sn_world_step(world, dt));
        }
        REQUIRE_OK(sn_recording_stop(world));
        snprintf(path, sizeof path, "%s/snapshots/%s.snap", folder, name);
        REQUIRE_OK(sn_snapshot_save_file(world, path));
        printf("    ENTRY(\"%s\", 0x%016" PRIx64 ", %zu) \\\n", name, sn_world_hash(world),
               sn_world_constraint_count(world, SN_TYPE_COUNT));
        sn_world_destroy(world);
    }
}

static const check_test tests[] = {RUN(every_snapshot_of_the_corpus_loads),
                                   RUN(every_recording_of_the_corpus_is_repeated)};

int main(int argc, char **argv) {
    if (argc == 3 && strcmp(argv[1], "--write") == 0) {
        write_all(argv[2]);
        return 0;
    }
    return check_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
