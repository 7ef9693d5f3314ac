/*
 * What libraries are made with that are built on Sinew: sentences, guesses, hashes, the allocator
 * and archives, through the public calls alone.
 */
#include <sinew/sinew.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { KIND = 0x54534554, COUNT = 5 }; /* TEST */

TEST(failing_keeps_a_sentence) {
    CHECK(sn_fail(SN_ERROR_VALUE, "it is %d, expected %s", 3, "four") == SN_ERROR_VALUE);
    CHECK(strcmp(sn_last_error(), "it is 3, expected four") == 0);
    CHECK(sn_fail_within(SN_ERROR_DATA, "file %d", 7) == SN_ERROR_DATA);
    CHECK(strcmp(sn_last_error(), "file 7: it is 3, expected four") == 0);
}

/* What is quoted from a file may not command the terminal that it is printed on. */
TEST(sentences_have_no_control_characters) {
    CHECK(sn_fail(SN_ERROR_NAME, "unknown \"%s\"", "a\x1b[31mb\n\x07\x7f\xc2\x9bz") ==
          SN_ERROR_NAME);
    CHECK(strcmp(sn_last_error(), "unknown \"a?[31mb?????z\"") == 0);
    CHECK(sn_fail_within(SN_ERROR_DATA, "%s", "f\x1b]0;g") == SN_ERROR_DATA);
    CHECK(strncmp(sn_last_error(), "f?]0;g: unknown", 15) == 0);
    /* Other letters stay what they are. */
    CHECK(sn_fail(SN_ERROR_NAME, "%s", "\xc3\xa9 \xc2\xb5") == SN_ERROR_NAME);
    CHECK(strcmp(sn_last_error(), "\xc3\xa9 \xc2\xb5") == 0);
}

TEST(the_closest_word_is_guessed) {
    static const char *const words[] = {"substeps", "stiffness", "steps"};
    sn_suggestion guess = {0}, none = {0};
    for (int i = 0; i < 3; i++) sn_suggest(&guess, "stifness", words[i]);
    for (int i = 0; i < 3; i++) sn_suggest(&none, "gravity", words[i]);
    CHECK(guess.word == words[1]);
    CHECK(none.word == NULL);
}

TEST(hashes_tell_numbers_apart) {
    CHECK(sn_hash_double(0, 1) != sn_hash_double(0, 2));
    CHECK(sn_hash_double(0, 0.0) != sn_hash_double(0, -0.0));
    CHECK(sn_hash_double(0, (double)NAN) == sn_hash_double(0, -(double)NAN));
    CHECK(sn_hash_word(sn_hash_word(0, 1), 2) != sn_hash_word(sn_hash_word(0, 2), 1));
}

TEST(quarters_of_a_turn_are_exact) {
    double sine, cosine;
    sn_turn(1, 4, &sine, &cosine);
    CHECK(sine == 1 && cosine == 0);
    sn_turn(1, 6, &sine, &cosine);
    CHECK_NEAR(cosine, 0.5, 1e-15);
}

TEST(the_allocator_resizes_and_frees) {
    sn_allocator a = sn_allocator_default();
    char *block = a.reallocate(a.user, NULL, 0, 3);
    CHECK(block && (uintptr_t)block % 64 == 0);
    memcpy(block, "abc", 3);
    block = a.reallocate(a.user, block, 3, 1000);
    CHECK(block && memcmp(block, "abc", 3) == 0);
    CHECK(a.reallocate(a.user, block, 1000, 0) == NULL);
}

/* Whether pages of a block are to be huge, by what the kernel tells: flags of the mapping that it
   begins in. True where that cannot be known. */
static bool is_huge(const void *block) {
    FILE *maps = fopen("/proc/self/smaps", "r");
    char line[512];
    bool inside = false, huge = false, told = false;
    while (maps && !told && fgets(line, sizeof line, maps)) {
        unsigned long long begin, end;
        if (sscanf(line, "%llx-%llx ", &begin, &end) == 2)
            inside = begin <= (uintptr_t)block && (uintptr_t)block < end;
        told = inside && strncmp(line, "VmFlags:", 8) == 0;
        huge = told && strstr(line, " hg");
    }
    if (maps) fclose(maps);
    return huge || !told;
}

TEST(large_blocks_are_in_huge_pages) {
    sn_allocator a = sn_allocator_default();
    FILE *known = fopen("/sys/kernel/mm/transparent_hugepage/enabled", "r");
    const size_t size = (size_t)5 << 20;
    char *block = a.reallocate(a.user, NULL, 0, size);
    const bool had = CHECK(block != NULL);
    if (known) fclose(known);
    if (!had) return;
    if (known) {
        CHECK((uintptr_t)block % (2u << 20) == 0);
        CHECK(is_huge(block));
    }
    memset(block, 1, size);
    block = a.reallocate(a.user, block, size, 2 * size);
    CHECK(block && block[0] == 1 && block[size - 1] == 1);
    CHECK(a.reallocate(a.user, block, 2 * size, 0) == NULL);
    CHECK(a.reallocate(a.user, NULL, 0, SIZE_MAX - 100) == NULL);
}

static bool says(const char *path, const char *text) {
    char found[32] = "";
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(found, 1, sizeof found - 1, file) : 0;
    if (file) fclose(file);
    return file && size == strlen(text) && strcmp(found, text) == 0;
}

/* Writes to where the bytes go until the file is complete. */
static void write_to(const sn_output_path *output, const char *text) {
    FILE *file = fopen(output->written, "wb");
    CHECK(file != NULL);
    if (!file) return;
    fputs(text, file);
    fclose(file);
}

TEST(a_file_is_there_as_a_whole_or_as_it_was) {
    sn_output_path output;
    const char *name = "support_output.txt";
    remove(name);
    REQUIRE_OK(sn_output_path_find(&output, name));
    CHECK(strcmp(sn_output_path_name(&output), name) == 0);
    write_to(&output, "first");
    CHECK(!says(name, "first"));
    CHECK(sn_output_path_keep(&output) == 0 && says(name, "first"));
    REQUIRE_OK(sn_output_path_find(&output, name));
    write_to(&output, "second");
    sn_output_path_discard(&output);
    CHECK(says(name, "first") && fopen(output.written, "rb") == NULL);
    /* A folder is none, and what is not there cannot be given a name. */
    CHECK_FAILS(sn_output_path_find(&output, "."), SN_ERROR_FILE);
    CHECK_FAILS(sn_output_path_find(&output, ""), SN_ERROR_FILE);
    REQUIRE_OK(sn_output_path_find(&output, name));
    CHECK(sn_output_path_keep(&output) == ENOENT && says(name, "first"));
    remove(name);
}

/* One text writes and reads. */
static void serialize(sn_archive *a, sn_real values[COUNT], double *time, int *number) {
    sn_archive_section(a, "things");
    sn_archive_double(a, "time", time);
    sn_archive_int(a, "number", number, 0, 9);
    sn_archive_column(a, "values", SN_ARCHIVE_REAL, values, COUNT);
    if (a->reading && a->result == SN_OK) {
        sn_archive_view view;
        CHECK(sn_archive_count(a, "values") == COUNT && sn_archive_count(a, "others") == 0);
        CHECK(sn_archive_view_find(a, "values", &view) && view.count == COUNT);
        CHECK(!sn_archive_view_find(a, "others", &view));
    }
    sn_archive_section_end(a);
}

/* Writes the numbers; how many bytes. */
static size_t write(uint8_t *bytes, size_t capacity, sn_real values[COUNT], int number) {
    sn_archive a;
    double time = 0.25;
    sn_archive_write(&a, "test", KIND, bytes, capacity);
    serialize(&a, values, &time, &number);
    CHECK_OK(sn_archive_finish(&a));
    return a.size;
}

TEST(an_archive_reads_what_it_wrote) {
    sn_real values[COUNT] = {1, -2, 3, (sn_real)0.5, 0}, found[COUNT] = {0};
    uint8_t bytes[1024];
    size_t size = write(NULL, 0, values, 4);
    if (!CHECK(size < sizeof bytes)) return;
    CHECK(write(bytes, sizeof bytes, values, 4) == size);
    sn_archive a;
    double time = 0;
    int number = 0;
    sn_archive_read(&a, "test", KIND, bytes, size);
    serialize(&a, found, &time, &number);
    CHECK_OK(sn_archive_finish(&a));
    CHECK(time == 0.25 && number == 4 && memcmp(values, found, sizeof values) == 0);
    /* A section alone is what an archive has between its head and its end. */
    uint8_t part[1024];
    sn_archive_append(&a, "test", part, sizeof part);
    serialize(&a, values, &time, &number);
    CHECK(a.result == SN_OK && memcmp(part, bytes + 16, a.size) == 0);
    sn_archive_read(&a, "test", KIND, bytes, size);
    sn_archive_section_any(&a);
    CHECK(a.result == SN_OK && strcmp(a.section, "things") == 0);
}

TEST(an_archive_says_what_is_wrong) {
    sn_real values[COUNT] = {0};
    uint8_t bytes[1024];
    size_t size = write(bytes, sizeof bytes, values, 4);
    double time;
    int number;
    sn_archive a;
    bytes[size / 2] ^= 1;
    sn_archive_read(&a, "test", KIND, bytes, size);
    serialize(&a, values, &time, &number);
    CHECK_FAILS(sn_archive_finish(&a), SN_ERROR_DATA);
    CHECK(strstr(sn_last_error(), "test"));
    sn_archive_read(&a, "test", KIND, bytes, 3);
    CHECK_FAILS(sn_archive_finish(&a), SN_ERROR_DATA);
    a.result = SN_OK;
    CHECK(sn_archive_fail(&a, "there are %d", 3) == SN_ERROR_DATA);
    CHECK(strstr(sn_last_error(), "there are 3"));
}

TEST(a_hull_is_added_to_a_mesh) {
    sn_vec3 points[9] = {{0, 0, 0}};
    for (int i = 0; i < 8; i++)
        points[i] = (sn_vec3){(sn_real)(i & 1), (sn_real)(i >> 1 & 1), (sn_real)(i >> 2)};
    points[8] = (sn_vec3){(sn_real)0.5, (sn_real)0.5, (sn_real)0.5};
    sn_mesh mesh = sn_mesh_default();
    double volume = 0;
    CHECK_OK(sn_mesh_add_vertices(&mesh, points, 1));
    CHECK_OK(sn_mesh_add_hull(&mesh, points, 9));
    CHECK(mesh.vertex_count == 9 && mesh.triangle_count == 12);
    CHECK_OK(sn_mesh_volume(&mesh, &volume));
    CHECK_NEAR(volume, 1, 1e-6);
    CHECK_FAILS(sn_mesh_add_hull(&mesh, points, 4), SN_ERROR_DEGENERATE);
    CHECK_FAILS(sn_mesh_add_hull(&mesh, NULL, 0), SN_ERROR_DEGENERATE);
    points[2].x = (sn_real)NAN;
    CHECK_FAILS(sn_mesh_add_hull(&mesh, points, 9), SN_ERROR_VALUE);
    CHECK(mesh.vertex_count == 9 && mesh.triangle_count == 12);
    sn_mesh_free(&mesh);
}

TESTS(RUN(failing_keeps_a_sentence), RUN(sentences_have_no_control_characters),
      RUN(the_closest_word_is_guessed), RUN(hashes_tell_numbers_apart),
      RUN(quarters_of_a_turn_are_exact), RUN(the_allocator_resizes_and_frees),
      RUN(large_blocks_are_in_huge_pages), RUN(an_archive_reads_what_it_wrote),
      RUN(an_archive_says_what_is_wrong), RUN(a_hull_is_added_to_a_mesh),
      RUN(a_file_is_there_as_a_whole_or_as_it_was))
