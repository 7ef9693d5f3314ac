/*
 * Snapshots and recordings from one machine to another: what one saves half-way, the other loads,
 * and goes on to the same end.
 *
 *     state_exchange --save FOLDER    writes the sample worlds: snapshots, their hashes, recordings
 *     state_exchange --load FOLDER    goes on from what is there
 *     state_exchange                  one after the other, in the working folder
 *
 * `./dev wasm` and `./dev x86` run the two halves on different machines, and compare the bytes of
 * what each has written.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "sample_worlds.h"

enum { BEFORE = 4, AFTER = 8, MOST = 1 << 20, LONG = 256 };

#ifdef SN_DOUBLE
#define KIND "f64"
#else
#define KIND "f32"
#endif

static const sn_real dt = (sn_real)(1.0 / 60);
static const char *folder = ".";

static void name_file(char path[LONG], int number, const char *ending) {
    snprintf(path, LONG, "%s/exchange_" KIND "_%d.%s", folder, number, ending);
}

static uint64_t play(sn_world *world, int number, int from, int to) {
    for (int step = from; step < to; step++) {
        sample_world_lead(world, number, step);
        REQUIRE_OK(sn_world_step(world, dt));
    }
    return sn_world_hash(world);
}

/* ---- Saving ---- */

static void write_hash(const char *path, uint64_t hash) {
    FILE *file = fopen(path, "w");
    CHECK(file != NULL);
    if (!file) return;
    fprintf(file, "%016" PRIx64 "\n", hash);
    CHECK(fclose(file) == 0);
}

TEST(save) {
    for (int number = 0; number < SAMPLE_WORLDS; number++) {
        char path[LONG];
        sn_world *world = NULL;
        check_case("%s", sample_world_name(number));
        REQUIRE_OK(sn_world_create(NULL, &world));
        name_file(path, number, "rec");
        REQUIRE_OK(sn_recording_start(world, path));
        sample_world_build(world, number, false);
        play(world, number, 0, BEFORE);
        name_file(path, number, "snap");
        CHECK_OK(sn_snapshot_save_file(world, path));
        uint64_t hash = play(world, number, BEFORE, AFTER);
        CHECK_OK(sn_recording_stop(world));
        name_file(path, number, "hash");
        write_hash(path, hash);
        sn_world_destroy(world);
    }
}

/* ---- Loading ---- */

static uint64_t read_hash(const char *path) {
    char text[32] = "";
    FILE *file = fopen(path, "r");
    CHECK(file != NULL);
    if (!file) return 0;
    CHECK(fgets(text, sizeof text, file) != NULL);
    fclose(file);
    return strtoull(text, NULL, 16);
}

/* What was loaded is saved as the bytes that it came from. */
static void check_bytes(const sn_world *world, const char *path) {
    static unsigned char file_bytes[MOST], own_bytes[MOST];
    size_t size = 0;
    FILE *file = fopen(path, "rb");
    CHECK(file != NULL);
    if (!file) return;
    size_t file_size = fread(file_bytes, 1, MOST, file);
    fclose(file);
    REQUIRE_OK(sn_snapshot_save(world, own_bytes, MOST, &size));
    CHECK(size == file_size && memcmp(own_bytes, file_bytes, size) == 0);
}

TEST(load) {
    for (int number = 0; number < SAMPLE_WORLDS; number++) {
        char path[LONG];
        sn_world *world = NULL;
        check_case("%s", sample_world_name(number));
        REQUIRE_OK(sn_world_create(NULL, &world));
        name_file(path, number, "snap");
        CHECK_OK(sn_snapshot_load_file(world, path));
        check_bytes(world, path);
        name_file(path, number, "hash");
        CHECK(play(world, number, BEFORE, AFTER) == read_hash(path));
        name_file(path, number, "rec");
        sn_replay_report report;
        CHECK_OK(sn_replay_file(world, path, &report));
        CHECK(report.steps == AFTER && !report.differs && !report.truncated);
        sn_world_destroy(world);
    }
}

static void remove_files(void) {
    for (int number = 0; number < SAMPLE_WORLDS; number++) {
        static const char *const endings[] = {"rec", "snap", "hash"};
        for (int i = 0; i < 3; i++) {
            char path[LONG];
            name_file(path, number, endings[i]);
            remove(path);
        }
    }
}

int main(int argc, char **argv) {
    static const check_test tests[] = {RUN(save), RUN(load)};
    bool saves = argc == 3 && strcmp(argv[1], "--save") == 0;
    bool loads = argc == 3 && strcmp(argv[1], "--load") == 0;
    if (saves || loads) {
        folder = argv[2];
        return check_main(1, argv, saves ? &tests[0] : &tests[1], 1);
    }
    int failed = check_main(argc, argv, tests, 2);
    remove_files();
    return failed;
}
