/*
 * Recordings that are damaged: a file that was cut off is repeated up to there, everything else is
 * found, and no bytes do any harm.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "recorded_session.h"
#include "state/sample_worlds.h"

#ifdef SN_DOUBLE
#define FILE_A "recording_damage_f64_a.reco"
#define FILE_B "recording_damage_f64_b.reco"
#else
#define FILE_A "recording_damage_a.reco"
#define FILE_B "recording_damage_b.reco"
#endif

static void record_with_field(const char *path, int number) {
    sn_world *world = session_make_world(1, 4);
    int calls = 0;
    if (number % 2 == 0) REQUIRE_OK(sn_world_add_force_field(world, session_moody, &calls));
    REQUIRE_OK(sn_recording_start(world, path));
    sample_world_build(world, number, true);
    for (int step = 0; step < 3; step++) {
        sample_world_lead(world, number, step);
        REQUIRE_OK(sn_world_step(world, SESSION_DT));
    }
    CHECK_OK(sn_recording_stop(world));
    sn_world_destroy(world);
}

TEST(cut_off_files_are_repeated_up_to_there) {
    for (int number = 4; number < 9; number += 2) {
        record_with_field(FILE_A, number);
        session_bytes b = session_read_bytes(FILE_A);
        sn_world *world = session_make_world(1, 0);
        sn_replay_report report, last = {0};
        size_t refused = 0, step = 1 + b.size / (check_sample() ? 6 : 150);
        /* Near the end byte by byte, or every seventh. */
        const size_t last_steps = check_sample() ? 7 : 1;
        for (size_t size = 0; size < b.size;
             size += size + 98 + step < b.size ? step : last_steps) {
            check_case("%s, %zu bytes of %zu", sample_world_name(number), size, b.size);
            session_write_bytes(FILE_B, b.data, size);
            sn_result result = sn_replay_file(world, FILE_B, &report);
            refused += result == SN_ERROR_DATA;
            if (result == SN_ERROR_DATA) continue;
            CHECK(result == SN_OK && report.truncated && !report.differs);
            CHECK(report.calls >= last.calls && report.steps >= last.steps);
            last = report;
        }
        CHECK(refused > 0 && last.steps == 3);
        CHECK_OK(sn_replay_file(world, FILE_A, &report));
        CHECK(!report.truncated && report.steps == 3);
        free(b.data);
        sn_world_destroy(world);
    }
    CHECK(remove(FILE_A) == 0 && remove(FILE_B) == 0);
}

TEST(damage_is_found) {
    for (int number = 4; number < 9; number++) {
        record_with_field(FILE_A, number);
        session_bytes b = session_read_bytes(FILE_A);
        sn_world *world = session_make_world(1, 0);
        sn_replay_report report;
        for (size_t i = 0; i < b.size; i += 1 + b.size / (check_sample() ? 8 : 250)) {
            check_case("%s, byte %zu of %zu", sample_world_name(number), i, b.size);
            b.data[i] ^= (unsigned char)(1u << (i % 8));
            session_write_bytes(FILE_B, b.data, b.size);
            b.data[i] ^= (unsigned char)(1u << (i % 8));
            sn_result result = sn_replay_file(world, FILE_B, &report);
            /* A length that was damaged may say that the file should be longer. */
            CHECK(result == SN_ERROR_DATA || (result == SN_OK && report.truncated));
        }
        free(b.data);
        sn_world_destroy(world);
    }
    CHECK(remove(FILE_A) == 0 && remove(FILE_B) == 0);
}

/* What a stranger may have written: the hashes of sections are right, the contents are not. */
TEST(contents_are_checked) {
    sn_real length = 1;
    session_record_everything(FILE_A, &length);
    session_bytes b = session_read_bytes(FILE_A);
    sn_world *world = session_make_world(1, 0);
    sn_replay_report report;
    session_add_type(world, &length);
    size_t refused = 0, differs = 0, fewer = check_sample() ? 4 : 1;
    for (size_t at = 16, end; at + 24 <= b.size; at = end) {
        end = session_repair_section(b, at);
        bool call = memcmp(b.data + at, "call", 5) == 0;
        for (size_t i = at + 24; i < end; i += fewer * (call ? 5 : 97)) {
            check_case("byte %zu of the section at %zu", i - at, at);
            unsigned char bit = (unsigned char)(1u << (i % 8));
            b.data[i] ^= bit;
            session_repair_section(b, at);
            session_write_bytes(FILE_B, b.data, b.size);
            b.data[i] ^= bit;
            session_repair_section(b, at);
            sn_result result = sn_replay_file(world, FILE_B, &report);
            CHECK(result == SN_OK || result == SN_ERROR_DATA);
            refused += result == SN_ERROR_DATA;
            differs += result == SN_OK && report.differs;
        }
    }
    CHECK(refused > 200 / fewer && differs > 20 / fewer);
    free(b.data);
    sn_world_destroy(world);
    CHECK(remove(FILE_A) == 0 && remove(FILE_B) == 0);
}

/* The first section of this name, and in *end where it ends. */
static size_t find_section(session_bytes b, const char *name, size_t *end) {
    for (size_t at = 16; at + 24 <= b.size; at = *end) {
        *end = at + 24 + (size_t)session_get_word(b.data + at + 8, 8);
        if (strncmp((const char *)b.data + at, name, 8) == 0) return at;
    }
    return 0;
}

/* Writes the file with what force fields gave in one substep once more, at a place. */
static void write_field_at(session_bytes b, size_t place) {
    size_t end = 0, field = find_section(b, "field", &end);
    unsigned char *data = malloc(b.size + (end - field));
    if (!CHECK(field > 0 && data != NULL)) exit(1);
    memcpy(data, b.data, place);
    memcpy(data + place, b.data + field, end - field);
    memcpy(data + place + (end - field), b.data + place, b.size - place);
    session_write_bytes(FILE_B, data, b.size + (end - field));
    free(data);
}

TEST(force_fields_in_the_wrong_place) {
    record_with_field(FILE_A, 4);
    session_bytes b = session_read_bytes(FILE_A);
    sn_world *world = session_make_world(1, 0);
    size_t end = 0;
    write_field_at(b, find_section(b, "field", &end));
    CHECK_FAILS(sn_replay_file(world, FILE_B, NULL), SN_ERROR_DATA);
    CHECK(strstr(sn_last_error(), "force fields are there for ") != NULL);
    write_field_at(b, find_section(b, "call", &end));
    CHECK_FAILS(sn_replay_file(world, FILE_B, NULL), SN_ERROR_DATA);
    CHECK(strstr(sn_last_error(), "force fields come before ") != NULL);
    free(b.data);
    sn_world_destroy(world);
    CHECK(remove(FILE_A) == 0 && remove(FILE_B) == 0);
}

TESTS(RUN(cut_off_files_are_repeated_up_to_there), RUN(damage_is_found), RUN(contents_are_checked),
      RUN(force_fields_in_the_wrong_place))
