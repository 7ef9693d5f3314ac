/*
 * Snapshots: loading one and stepping is stepping, at every step, whatever the threads and widths
 * of the two worlds; saving what was loaded gives the same bytes; damage is found and changes
 * nothing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/meter.h"
#include "check.h"
#include "sample_worlds.h"

static const sn_real dt = (sn_real)(1.0 / 60);

static sn_world *make_world(int threads, int width) {
    sn_world_def def = sn_world_def_default();
    sn_world *world = NULL;
    def.threads = threads;
    def.simd_width = width;
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

typedef struct bytes {
    unsigned char *data;
    size_t size;
} bytes;

static bytes save(const sn_world *world) {
    bytes b = {NULL, 0};
    size_t again = 0;
    REQUIRE_OK(sn_snapshot_save(world, NULL, 0, &b.size));
    b.data = malloc(b.size);
    if (!CHECK(b.data != NULL)) exit(1);
    REQUIRE_OK(sn_snapshot_save(world, b.data, b.size, &again));
    CHECK(again == b.size);
    return b;
}

/* ---- Round trips ---- */

static void check_forces(const sn_world *a, const sn_world *b) {
    size_t count = sn_world_constraint_count(a, SN_TYPE_COUNT), seen = 0;
    CHECK(sn_world_constraint_count(b, SN_TYPE_COUNT) == count);
    for (size_t slot = 0; seen < count; slot++) {
        sn_constraint x, y;
        sn_real f[SN_MAX_ROWS] = {0}, g[SN_MAX_ROWS] = {0};
        if (sn_world_constraint_at(a, slot, &x) != SN_OK) continue;
        seen++;
        if (!CHECK_OK(sn_world_constraint_at(b, slot, &y))) return;
        CHECK_OK(sn_constraint_force(a, x, f));
        CHECK_OK(sn_constraint_force(b, y, g));
        CHECK(memcmp(f, g, sizeof f) == 0);
    }
}

TEST(loading_and_stepping_is_stepping) {
    static const int twins[][2] = {{1, 1}, {2, 4}, {3, 8}, {4, 16}};
    for (int number = 0; number < SAMPLE_WORLDS; number++) {
        sn_world *world = make_world(1, 4);
        sample_world_build(world, number, false);
        for (int step = 0; step < 12; step++) {
            const int *kind = twins[step % 4];
            check_case("%s, step %d", sample_world_name(number), step);
            sn_world *twin = make_world(kind[0], kind[1]);
            bytes before = save(world);
            REQUIRE_OK(sn_snapshot_load(twin, before.data, before.size));
            CHECK(sn_world_hash(twin) == sn_world_hash(world));
            check_forces(world, twin);
            bytes after = save(twin);
            CHECK(after.size == before.size && memcmp(after.data, before.data, after.size) == 0);
            sample_world_lead(world, number, step);
            sample_world_lead(twin, number, step);
            REQUIRE_OK(sn_world_step(world, dt));
            REQUIRE_OK(sn_world_step(twin, dt));
            CHECK(sn_world_hash(twin) == sn_world_hash(world));
            check_forces(world, twin);
            free(before.data);
            free(after.data);
            sn_world_destroy(twin);
        }
        sn_world_destroy(world);
    }
}

TEST(going_back_in_time) {
    for (int number = 0; number < SAMPLE_WORLDS; number++) {
        sn_world *world = make_world(1, 0);
        uint64_t hash[8];
        check_case("%s", sample_world_name(number));
        sample_world_build(world, number, false);
        bytes start = save(world);
        for (int round = 0; round < 2; round++) {
            for (int step = 0; step < 8; step++) {
                sample_world_lead(world, number, step);
                REQUIRE_OK(sn_world_step(world, dt));
                if (round == 0)
                    hash[step] = sn_world_hash(world);
                else
                    CHECK(sn_world_hash(world) == hash[step]);
            }
            REQUIRE_OK(sn_snapshot_load(world, start.data, start.size));
        }
        free(start.data);
        sn_world_destroy(world);
    }
}

TEST(ids_are_those_of_the_moment) {
    sn_world *world = make_world(1, 0);
    sn_node_def def = sn_node_def_default();
    sn_node first, second;
    REQUIRE_OK(sn_node_create(world, &def, &first));
    bytes b = save(world);
    REQUIRE_OK(sn_node_create(world, &def, &second));
    REQUIRE_OK(sn_node_destroy(world, first));
    REQUIRE_OK(sn_snapshot_load(world, b.data, b.size));
    CHECK(sn_node_is_valid(world, first));
    CHECK(!sn_node_is_valid(world, second));
    sn_node again;
    CHECK_OK(sn_world_node_at(world, 0, &again));
    CHECK(again.slot == first.slot && again.generation == first.generation);
    CHECK_FAILS(sn_world_node_at(world, 1, &again), SN_ERROR_ID);
    sn_body body;
    sn_constraint constraint;
    CHECK_FAILS(sn_world_body_at(world, 0, &body), SN_ERROR_ID);
    sn_body_def body_def = sn_body_def_default();
    sn_body made, found = {0, 0, 0};
    CHECK_OK(sn_body_create(world, &body_def, &made));
    CHECK_OK(sn_world_body_at(world, 0, &found));
    CHECK(found.slot == made.slot && found.generation == made.generation);
    CHECK(found.world == made.world);
    CHECK_FAILS(sn_world_constraint_at(world, 0, &constraint), SN_ERROR_ID);
    free(b.data);
    sn_world_destroy(world);
}

/* ---- Damage ---- */

/* Every byte changed, or every other in large ones, and many lengths that are too short; a fifth of
   both in the short form, and fewer where a sample does. */
TEST(damage_is_found_and_changes_nothing) {
    for (int number = 0; number < SAMPLE_WORLDS; number++) {
        sn_world *world = make_world(1, 0), *other = make_world(1, 0);
        sample_world_build(world, number, true);
        sample_world_build(other, (number + 1) % SAMPLE_WORLDS, true);
        uint64_t hash = sn_world_hash(other);
        bytes b = save(world);
        size_t fewer = check_sample() ? 37 : check_long() ? 1 : 5;
        for (size_t i = 0; i < b.size; i += fewer * (1 + b.size / 4096)) {
            check_case("%s, byte %zu of %zu", sample_world_name(number), i, b.size);
            b.data[i] ^= (unsigned char)(1u << (i % 8));
            if (sn_snapshot_load(other, b.data, b.size) == SN_OK) CHECK(false);
            b.data[i] ^= (unsigned char)(1u << (i % 8));
        }
        for (size_t size = 0; size < b.size; size += fewer * (1 + size / 64)) {
            check_case("%s, %zu bytes of %zu", sample_world_name(number), size, b.size);
            unsigned char *part = malloc(size + 1);
            if (!CHECK(part != NULL)) exit(1);
            memcpy(part, b.data, size);
            CHECK_FAILS(sn_snapshot_load(other, part, size), SN_ERROR_DATA);
            free(part);
        }
        CHECK(sn_world_hash(other) == hash);
        REQUIRE_OK(sn_snapshot_load(other, b.data, b.size));
        CHECK(sn_world_hash(other) == sn_world_hash(world));
        free(b.data);
        sn_world_destroy(world);
        sn_world_destroy(other);
    }
}

TEST(sentences_name_the_place) {
    sn_world *world = make_world(1, 0);
    sample_world_build(world, 0, true);
    bytes b = save(world);
    b.data[b.size / 2] ^= 1;
    CHECK_FAILS(sn_snapshot_load(world, b.data, b.size), SN_ERROR_DATA);
    CHECK(strstr(sn_last_error(), "snapshot: section \"") != NULL);
    CHECK(strstr(sn_last_error(), "at byte ") != NULL);
    CHECK_FAILS(sn_snapshot_load(world, "no snapshot, only text", 22), SN_ERROR_DATA);
    CHECK_FAILS(sn_snapshot_save(world, b.data, b.size - 1, &b.size), SN_ERROR_LIMIT);
    CHECK_FAILS(sn_snapshot_save(NULL, b.data, b.size, &b.size), SN_ERROR_NULL);
    CHECK_FAILS(sn_snapshot_save(world, NULL, 1, &b.size), SN_ERROR_NULL);
    CHECK_FAILS(sn_snapshot_save(world, b.data, b.size, NULL), SN_ERROR_NULL);
    CHECK_FAILS(sn_snapshot_load(NULL, b.data, b.size), SN_ERROR_NULL);
    CHECK_FAILS(sn_snapshot_load(world, NULL, b.size), SN_ERROR_NULL);
    free(b.data);
    sn_world_destroy(world);
}

/* ---- Missing memory ---- */

/* Every block of a load, or every third in the short form, fails in its turn, once in an empty
   world and once in a full one: the world stays as it was, and nothing is lost. */
TEST(loading_without_memory_changes_nothing) {
    static meter m;
    for (int number = 0; number < SAMPLE_WORLDS; number++) {
        sn_world *world = make_world(1, 0), *other = NULL;
        sample_world_build(world, number, true);
        REQUIRE_OK(sn_world_step(world, dt));
        bytes b = save(world);
        meter_init(&m);
        sn_world_def def = sn_world_def_default();
        def.allocator = meter_allocator(&m);
        REQUIRE_OK(sn_world_create(&def, &other));
        for (int full = 0; full < 2; full++) {
            if (full) sample_world_build(other, (number + 1) % SAMPLE_WORLDS, true);
            uint64_t hash = sn_world_hash(other);
            size_t held = m.bytes, n = 0;
            sn_result result = SN_ERROR_MEMORY;
            for (; result != SN_OK && n < 1000; n += check_long() ? 1 : 3) {
                check_case("%s, %s, after %zu blocks", sample_world_name(number),
                           full ? "full" : "empty", n);
                m.fail_after = n;
                result = sn_snapshot_load(other, b.data, b.size);
                m.fail_after = METER_NEVER;
                if (result == SN_OK) break;
                CHECK(result == SN_ERROR_MEMORY);
                CHECK(sn_world_hash(other) == hash && m.bytes == held);
            }
            CHECK(n > 5 && result == SN_OK);
            CHECK(sn_world_hash(other) == sn_world_hash(world));
        }
        CHECK_OK(sn_world_step(other, dt));
        CHECK_OK(sn_world_step(world, dt));
        CHECK(sn_world_hash(other) == sn_world_hash(world));
        sn_world_destroy(other);
        CHECK(m.bytes == 0 && m.blocks == 0 && m.mistakes == 0);
        sn_world_destroy(world);
        free(b.data);
    }
}

/* ---- Files ---- */

TEST(files) {
    sn_world *world = make_world(1, 0), *other = make_world(1, 0);
    sample_world_build(world, 6, false);
    /* The tests in both precisions may run at the same time. */
    const char *path = sizeof(sn_real) == sizeof(double) ? "snapshot_f64.snap" : "snapshot.snap";
    REQUIRE_OK(sn_snapshot_save_file(world, path));
    REQUIRE_OK(sn_snapshot_load_file(other, path));
    CHECK(sn_world_hash(other) == sn_world_hash(world));
    CHECK_FAILS(sn_snapshot_load_file(other, "no_such_folder/none.snap"), SN_ERROR_FILE);
    CHECK(strstr(sn_last_error(), "no_such_folder/none.snap") != NULL);
    CHECK_FAILS(sn_snapshot_save_file(other, "no_such_folder/none.snap"), SN_ERROR_FILE);
    /* A folder is not replaced, and nothing is written beside it. */
    CHECK_FAILS(sn_snapshot_save_file(other, "."), SN_ERROR_FILE);
    CHECK(strstr(sn_last_error(), "cannot write \".\"") != NULL);
    CHECK(remove("..part") != 0);
    CHECK_FAILS(sn_snapshot_save_file(NULL, path), SN_ERROR_NULL);
    CHECK_FAILS(sn_snapshot_save_file(world, NULL), SN_ERROR_NULL);
    CHECK_FAILS(sn_snapshot_load_file(NULL, path), SN_ERROR_NULL);
    CHECK_FAILS(sn_snapshot_load_file(world, NULL), SN_ERROR_NULL);
    CHECK(remove(path) == 0);
    sn_world_destroy(world);
    sn_world_destroy(other);
}

TESTS(RUN(loading_and_stepping_is_stepping), RUN(going_back_in_time),
      RUN(ids_are_those_of_the_moment), RUN(damage_is_found_and_changes_nothing),
      RUN(sentences_name_the_place), RUN(loading_without_memory_changes_nothing), RUN(files))
