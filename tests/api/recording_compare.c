/* Where two snapshots or two runs differ, the place is named. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "recorded_session.h"
#include "snapshot.h"
#include "state/sample_worlds.h"

#ifdef SN_DOUBLE
#define FILE_A "recording_compare_f64_a.reco"
#define FILE_B "recording_compare_f64_b.reco"
#else
#define FILE_A "recording_compare_a.reco"
#define FILE_B "recording_compare_b.reco"
#endif

static session_bytes save(const sn_world *world) {
    session_bytes b = {NULL, 0};
    b.data = snapshot_of(world, &b.size);
    return b;
}

TEST(snapshots_are_compared) {
    sn_world *world = session_make_world(1, 0);
    sn_difference difference;
    sn_node node;
    sn_node_def def = sn_node_def_default();
    sn_constraint link;
    sample_world_build(world, 0, false);
    for (int step = 0; step < 3; step++) REQUIRE_OK(sn_world_step(world, SESSION_DT));
    session_bytes before = save(world);
    CHECK_OK(sn_snapshot_compare(before.data, before.size, before.data, before.size, &difference));
    CHECK(!difference.differs && difference.sentence[0] == 0);

    REQUIRE_OK(sn_world_node_at(world, 42, &node));
    REQUIRE_OK(sn_node_get(world, node, &def));
    sn_real y = def.position.y;
    def.position.y =
        sizeof y == 4 ? (sn_real)nextafterf((float)y, 9) : (sn_real)nextafter((double)y, 9);
    REQUIRE_OK(sn_node_set_position(world, node, def.position));
    session_bytes after = save(world);
    CHECK_OK(sn_snapshot_compare(before.data, before.size, after.data, after.size, &difference));
    char expected[256];
    snprintf(expected, sizeof expected, "nodes, x of node 42, y: %.*g against %.*g",
             sizeof y == 4 ? 9 : 17, (double)y, sizeof y == 4 ? 9 : 17, (double)def.position.y);
    if (!CHECK(difference.differs && strcmp(difference.sentence, expected) == 0))
        printf("    %s, expected %s\n", difference.sentence, expected);
    free(after.data);

    REQUIRE_OK(sn_snapshot_load(world, before.data, before.size));
    REQUIRE_OK(sn_world_constraint_at(world, 17, &link));
    sn_real value[3] = {2};
    REQUIRE_OK(sn_constraint_set_field(world, link, "break_force", value));
    after = save(world);
    CHECK_OK(sn_snapshot_compare(after.data, after.size, before.data, before.size, &difference));
    CHECK(strncmp(difference.sentence, "distance constraints, break_force of constraint 17: 2 ",
                  54) == 0);
    CHECK_OK(sn_node_create(world, &def, &node));
    free(after.data);
    after = save(world);
    CHECK_OK(sn_snapshot_compare(before.data, before.size, after.data, after.size, &difference));
    CHECK(strstr(difference.sentence, "nodes, generation: 120 numbers against 121") != NULL);
    free(before.data);
    free(after.data);
    sn_world_destroy(world);
}

/* A byte of the hash of a step, or of the last one, as it is in the file. */
static unsigned char *hash_of_step(session_bytes b, size_t step, size_t *section) {
    unsigned char *found = NULL;
    size_t steps = 0;
    for (size_t at = 16; at + 24 <= b.size;) {
        size_t end = at + 24 + (size_t)session_get_word(b.data + at + 8, 8);
        for (size_t i = at + 24; i + 13 < end; i++)
            if (memcmp(b.data + i, "\004hash\004\001\0\0\0\0\0\0\0", 14) == 0) {
                found = b.data + i + 14;
                *section = at;
                if (steps++ == step) return found;
            }
        at = end;
    }
    return found;
}

TEST(recordings_are_compared) {
    sn_world *a = session_make_world(1, 0), *b = session_make_world(2, 0);
    sn_difference difference;
    sn_real long_one = 1, longer = (sn_real)1.25;
    session_add_type(a, &long_one);
    session_add_type(b, &longer);
    session_record_everything(FILE_A, &long_one);
    session_record_everything(FILE_B, &long_one);
    CHECK_OK(sn_recording_compare(a, FILE_A, b, FILE_B, &difference));
    CHECK(!difference.differs && difference.sentence[0] == 0);

    /* The same calls, other states: what was measured, or done by a formula, differs. */
    session_record_everything(FILE_B, &longer);
    CHECK_OK(sn_recording_compare(a, FILE_A, b, FILE_B, &difference));
    CHECK(difference.differs);
    if (!CHECK(strncmp(difference.sentence, "step 1: nodes, x of node 0, x: ", 31) == 0))
        printf("    %s\n", difference.sentence);

    /* The same states, other hashes. */
    session_bytes file = session_read_bytes(FILE_A);
    size_t section = 0;
    unsigned char *hash = hash_of_step(file, SIZE_MAX, &section);
    if (!CHECK(hash != NULL)) return;
    *hash ^= 1;
    session_repair_section(file, section);
    session_write_bytes(FILE_B, file.data, file.size);
    sn_world *same = session_make_world(1, 0);
    sn_replay_report report;
    session_add_type(same, &long_one);
    CHECK_OK(sn_replay_file(same, FILE_B, &report));
    CHECK(report.differs && report.step == 5 && (report.expected ^ report.found) == 1);
    CHECK_OK(sn_recording_compare(a, FILE_A, same, FILE_B, &difference));
    CHECK(strstr(difference.sentence, "step 5: the hashes are ") != NULL);
    CHECK(strstr(difference.sentence, "both replays give ") != NULL);

    /* One that ends earlier. */
    session_write_bytes(FILE_B, file.data, section);
    CHECK_OK(sn_recording_compare(a, FILE_A, same, FILE_B, &difference));
    if (!CHECK(strstr(difference.sentence, "the second ends after ") != NULL))
        printf("    %s\n", difference.sentence);
    free(file.data);

    /* Other fields. */
    for (int k = 0; k < 2; k++) {
        sn_world *world = session_make_world(1, 0);
        sn_constraint link;
        sn_real value[3] = {1};
        sample_world_build(world, 3, true);
        REQUIRE_OK(sn_world_constraint_at(world, 0, &link));
        REQUIRE_OK(sn_recording_start(world, k ? FILE_B : FILE_A));
        CHECK_OK(sn_constraint_set_field(world, link, k ? "damping" : "compliance", value));
        sn_world_destroy(world);
    }
    CHECK_OK(sn_recording_compare(a, FILE_A, b, FILE_B, &difference));
    if (!CHECK(strcmp(difference.sentence, "call 0, after 0 steps: call constraint_set_field: "
                                           "field compliance against damping") == 0))
        printf("    %s\n", difference.sentence);

    /* Other calls. */
    session_record(FILE_A, 1, true, 2);
    session_record(FILE_B, 2, true, 2);
    CHECK_OK(sn_recording_compare(a, FILE_A, b, FILE_B, &difference));
    if (!CHECK(difference.differs && strncmp(difference.sentence, "call ", 5) == 0))
        printf("    %s\n", difference.sentence);
    sn_world_destroy(a);
    sn_world_destroy(b);
    sn_world_destroy(same);
    CHECK(remove(FILE_A) == 0 && remove(FILE_B) == 0);
}

TEST(fields_and_beginnings_are_compared) {
    sn_world *a = session_make_world(1, 0), *b = session_make_world(1, 0);
    sn_difference difference;
    for (int k = 0; k < 2; k++) {
        sn_world *world = session_make_world(1, 0);
        int calls = k;
        sample_world_build(world, 3, true);
        REQUIRE_OK(sn_world_add_force_field(world, session_moody, &calls));
        REQUIRE_OK(sn_recording_start(world, k ? FILE_B : FILE_A));
        REQUIRE_OK(sn_world_step(world, SESSION_DT));
        sn_world_destroy(world);
    }
    CHECK_OK(sn_recording_compare(a, FILE_A, b, FILE_B, &difference));
    if (!CHECK(strcmp(difference.sentence,
                      "step 0, substep 0: field, acceleration of node 0, x: 1 against 2") == 0))
        printf("    %s\n", difference.sentence);
    sn_node_def def = sn_node_def_default();
    sn_node node;
    REQUIRE_OK(sn_node_create(a, &def, &node));
    REQUIRE_OK(sn_recording_start(a, FILE_B));
    REQUIRE_OK(sn_recording_stop(a));
    CHECK_OK(sn_recording_compare(a, FILE_A, b, FILE_B, &difference));
    if (!CHECK(strncmp(difference.sentence, "at the beginning: ", 18) == 0))
        printf("    %s\n", difference.sentence);
    sn_world_destroy(a);
    sn_world_destroy(b);
    CHECK(remove(FILE_A) == 0 && remove(FILE_B) == 0);
}

/* Changes the hash of a step in a file. */
static void spoil_hash(const char *path, size_t step) {
    session_bytes file = session_read_bytes(path);
    size_t section = 0;
    unsigned char *hash = hash_of_step(file, step, &section);
    if (CHECK(hash != NULL)) *hash ^= 1;
    session_repair_section(file, section);
    session_write_bytes(path, file.data, file.size);
    free(file.data);
}

/* Where both recordings agree on a step that comes out otherwise here, that is what is said; and
   what cannot be repeated at all is an error. */
TEST(recordings_of_elsewhere) {
    sn_world *a = session_make_world(1, 0), *b = session_make_world(1, 0);
    sn_difference difference;
    session_record(FILE_A, 3, true, 4);
    spoil_hash(FILE_A, 1);
    session_bytes file = session_read_bytes(FILE_A);
    session_write_bytes(FILE_B, file.data, file.size);
    spoil_hash(FILE_B, 3);
    CHECK_OK(sn_recording_compare(a, FILE_A, b, FILE_B, &difference));
    if (!CHECK(strncmp(difference.sentence, "step 1: recorded as ", 20) == 0 &&
               strstr(difference.sentence, "the replay of the first gives ") != NULL))
        printf("    %s\n", difference.sentence);
    sn_real length = 1;
    session_record_everything(FILE_A, &length);
    session_record_everything(FILE_B, &length);
    spoil_hash(FILE_B, 2);
    CHECK_FAILS(sn_recording_compare(a, FILE_A, b, FILE_B, &difference), SN_ERROR_DATA);
    CHECK(strstr(sn_last_error(), FILE_A) != NULL && strstr(sn_last_error(), "stretch") != NULL);
    free(file.data);
    sn_world_destroy(a);
    sn_world_destroy(b);
    CHECK(remove(FILE_A) == 0 && remove(FILE_B) == 0);
}

TESTS(RUN(snapshots_are_compared), RUN(recordings_are_compared),
      RUN(fields_and_beginnings_are_compared), RUN(recordings_of_elsewhere))
