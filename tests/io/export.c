/*
 * Animated export: the same bytes on every machine, names, numbers, and what is refused.
 *
 *     export --write FOLDER     writes the animations in all formats, with what they should hold,
 *                               for the programs in tests/io/oracles
 *     export --hashes           prints the lines of export_hashes.h
 */
#include "export_hashes.h"

#include <sinew_io/cache.h>
#include <sinew_io/export.h>
#include <sinew_io/file.h>

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "animation.h"
#include "check.h"
#include "export_expected.h"
#include "files.h"
#include "io/animation/export_normals.h"
#include "io/text/out.h"

static const char scratch[] = "export_scratch";

static sn_io_export *open_export(const char *folder, const char *format, int most_targets) {
    sn_io_export_def def = sn_io_export_def_default();
    sn_io_export *e = NULL;
    def.format = format;
    def.folder = folder;
    def.name = "demo";
    def.fps = ANIMATION_FPS;
    def.most_targets = most_targets;
    REQUIRE_OK(sn_io_export_open(&def, &e));
    return e;
}

/* Writes so many frames, and closes. */
static void write_animation(const char *folder, const char *format, bool changing, int frames,
                            int most_targets) {
    static animation a;
    sn_io_export *e = open_export(folder, format, most_targets);
    for (int i = 0; i < frames; i++)
        REQUIRE_OK(sn_io_export_frame(e, animation_frame(&a, i, changing)));
    REQUIRE_OK(sn_io_export_close(e));
    sn_io_export_free(e);
}

/* ---- Bytes ---- */

static uint64_t hash_of(const char *format, bool changing) {
    folder_clear(scratch);
    write_animation(scratch, format, changing, ANIMATION_FRAMES, 256);
    return folder_hash(scratch);
}

TEST(the_bytes_are_what_they_were) {
    static const struct {
        const char *format;
        uint64_t hash[2];
    } rows[] = {EXPORT_HASHES(EXPORT_HASH_ROW)};
    size_t count;
    sn_io_export_formats(&count);
    CHECK(sizeof rows / sizeof *rows == count);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int changing = 0; changing < 2; changing++) {
            check_case("%s, changing %d", rows[i].format, changing);
            CHECK(hash_of(rows[i].format, changing) == rows[i].hash[changing]);
        }
}

static void print_hashes(void) {
    size_t count;
    const sn_io_export_format *formats = sn_io_export_formats(&count);
    for (size_t i = 0; i < count; i++)
        printf("    ROW(\"%s\", 0x%016" PRIx64 ", 0x%016" PRIx64 ") \\\n", formats[i].name,
               hash_of(formats[i].name, false), hash_of(formats[i].name, true));
}

TEST(what_was_written_is_listed) {
    size_t count;
    const sn_io_export_format *formats = sn_io_export_formats(&count);
    for (size_t f = 0; f < count; f++) {
        static animation a;
        static file_list list;
        uint64_t bytes = 0;
        check_case("%s", formats[f].name);
        folder_clear(scratch);
        sn_io_export *e = open_export(scratch, formats[f].name, 256);
        for (int i = 0; i < ANIMATION_FRAMES; i++)
            CHECK_OK(sn_io_export_frame(e, animation_frame(&a, i, true)));
        CHECK_OK(sn_io_export_close(e));
        CHECK_OK(sn_io_export_close(e));
        CHECK_FAILS(sn_io_export_frame(e, &a.frame), SN_ERROR_VALUE);
        CHECK(sn_io_export_frame_count(e) == ANIMATION_FRAMES);
        folder_list(scratch, &list);
        CHECK(list.count == sn_io_export_file_count(e));
        bool has_main = false;
        for (size_t i = 0; i < sn_io_export_file_count(e); i++) {
            char *data;
            size_t size;
            const char *path = sn_io_export_file(e, i);
            CHECK_OK(sn_io_file_read("the file", path, &data, &size));
            bytes += size;
            free(data);
            has_main |= strstr(path, formats[f].extension) != NULL;
        }
        CHECK(has_main && bytes == sn_io_export_bytes(e));
        CHECK(!sn_io_export_file(e, sn_io_export_file_count(e)));
        sn_io_export_free(e);
    }
}

TEST(formats_have_names_and_sentences) {
    size_t count;
    const sn_io_export_format *formats = sn_io_export_formats(&count);
    CHECK(count == 8);
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(formats[i].sentence);
        CHECK(sn_io_export_find_format(formats[i].name) == &formats[i]);
        CHECK(formats[i].extension[0] == '.' && length > 20);
        CHECK(formats[i].sentence[length - 1] != '.');
    }
    CHECK(!sn_io_export_find_format("abc") && !sn_io_export_find_format(NULL));
}

TEST(an_export_of_no_frames_leaves_nothing) {
    size_t count;
    const sn_io_export_format *formats = sn_io_export_formats(&count);
    for (size_t f = 0; f < count; f++) {
        static file_list list;
        check_case("%s", formats[f].name);
        folder_clear(scratch);
        sn_io_export *e = open_export(scratch, formats[f].name, 256);
        CHECK_OK(sn_io_export_close(e));
        CHECK(sn_io_export_file_count(e) == 0 && sn_io_export_bytes(e) == 0);
        sn_io_export_free(e);
        folder_list(scratch, &list);
        CHECK(list.count == 0);
    }
}

TEST(a_frame_of_nothing_can_be_written) {
    size_t count;
    const sn_io_export_format *formats = sn_io_export_formats(&count);
    for (size_t f = 0; f < count; f++) {
        sn_io_shape empty = {.name = "empty"};
        sn_io_frame none = {.number = 0},
                    one = {.number = 1, .time = 0.5, .shape_count = 1, .shapes = &empty};
        check_case("%s", formats[f].name);
        folder_clear(scratch);
        sn_io_export *e = open_export(scratch, formats[f].name, 256);
        CHECK_OK(sn_io_export_frame(e, &none));
        CHECK_OK(sn_io_export_frame(e, &one));
        CHECK_OK(sn_io_export_close(e));
        sn_io_export_free(e);
        CHECK(!folder_has_parts(scratch));
    }
}

/* ---- Names ---- */

static bool file_contains(const char *path, const char *text) {
    char *data;
    size_t size;
    REQUIRE_OK(sn_io_file_read("the file", path, &data, &size));
    bool found = strstr(data, text) != NULL;
    free(data);
    return found;
}

TEST(names_become_legal_and_differ) {
    static animation a;
    static const char *const names[] = {"a b", "a_b", "A\tB", "7 \"up\"", "\xc3\xa9t\xc3\xa9\xff"};
    folder_clear(scratch);
    for (int k = 0; k < 3; k++) {
        sn_io_export *e = open_export(scratch, (const char *[]){"usda", "pc2", "glb"}[k], 256);
        animation_frame(&a, 0, false);
        for (int i = 0; i < 5; i++) a.shapes[i].name = names[i];
        CHECK_OK(sn_io_export_frame(e, &a.frame));
        CHECK_OK(sn_io_export_close(e));
        sn_io_export_free(e);
    }
    const char *const prims[] = {"def Mesh \"a_b\"", "def Mesh \"a_b_2\"",
                                 "def BasisCurves \"A_B_3\"", "def Points \"_7__up_\"",
                                 "string shape = \"7 \\\"up\\\"\""};
    for (int i = 0; i < 5; i++) {
        check_case("%s", prims[i]);
        CHECK(file_contains("export_scratch/demo.usda", prims[i]));
    }
    CHECK(folder_has(scratch, "demo_a_b.pc2") && folder_has(scratch, "demo_a_b_2.pc2"));
    CHECK(folder_has(scratch, "demo_A_B_3.obj") && folder_has(scratch, "demo__7__up_.pc2"));
}

/* ---- Numbers ---- */

static uint64_t state = 1;

static uint32_t draw(void) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 32);
}

/* The text reads back as the same number, and no %.*g with fewer digits does. */
static bool is_shortest(float value) {
    char text[SN_IO_NUMBER], fewer[512];
    sn_io_text_real(text, (sn_real)value);
    int digits = 0;
    bool leading = true;
    for (const char *c = text; *c && *c != 'e'; c++) {
        leading = leading && (*c == '0' || *c == '.' || *c == '-');
        digits += !leading && *c != '.';
    }
    /* Zeros at the end of a whole number do not count. */
    for (size_t n = strlen(text); !strpbrk(text, ".e") && n > 1 && text[n - 1] == '0'; n--)
        digits--;
    float back = strtof(text, NULL);
    if (memcmp(&back, &value, sizeof value) != 0) return false;
    if (digits <= 6) return true;
    snprintf(fewer, sizeof fewer, "%.*g", digits - 1, (double)value);
    return strtof(fewer, NULL) != value;
}

TEST(numbers_are_exact_and_short) {
    static const float special[] = {
        0.0f,      -0.0f,   1.0f,    -1.0f,        0.1f,        0.3f,      1e-4f,    9.99e-5f, 1e6f,
        999999.9f, FLT_MAX, FLT_MIN, FLT_TRUE_MIN, 16777216.0f, 123456.7f, 1.0f / 3, 0.001f};
    char text[SN_IO_NUMBER];
    for (size_t i = 0; i < sizeof special / sizeof *special; i++) {
        check_case("%.9g", (double)special[i]);
        CHECK(is_shortest(special[i]));
    }
    for (int i = 0; i < 50000; i++) {
        /* Any float, and one of everyday size. */
        uint32_t any = draw(), usual = (draw() & 0x807fffffu) | ((111 + draw() % 36) << 23);
        float values[2];
        memcpy(&values[0], &any, sizeof any);
        memcpy(&values[1], &usual, sizeof usual);
        check_case("%08" PRIx32 ", %08" PRIx32, any, usual);
        CHECK(!isfinite(values[0]) || is_shortest(values[0]));
        CHECK(is_shortest(values[1]));
    }
    check_case("texts");
    sn_io_text_real(text, (sn_real)0.1f);
    CHECK(strcmp(text, "0.1") == 0);
    sn_io_text_real(text, -1234);
    CHECK(strcmp(text, "-1234") == 0);
    sn_io_text_double(text, 1.0 / 24);
    CHECK(strtod(text, NULL) == 1.0 / 24);
    sn_io_text_double(text, 0.1);
    CHECK(strcmp(text, "0.1") == 0);
}

TEST(normals_are_smooth_and_have_length_1) {
    /* A roof: the ridge looks up, the sides do not; the last vertex belongs to nothing. */
    static const sn_vec3 x[] = {{-1, 0, 0}, {-1, 0, 1}, {0, 1, 0}, {0, 1, 1},
                                {1, 0, 0},  {1, 0, 1},  {9, 9, 9}};
    static const uint32_t t[][3] = {{0, 1, 2}, {2, 1, 3}, {2, 3, 4}, {4, 3, 5}};
    sn_vec3 n[7];
    const sn_io_shape roof = {
        .name = "roof", .vertex_count = 7, .positions = x, .triangle_count = 4, .triangles = t};
    sn_io_normals(&roof, n);
    for (int i = 0; i < 7; i++)
        CHECK_NEAR(n[i].x * n[i].x + n[i].y * n[i].y + n[i].z * n[i].z, 1, 1e-6);
    CHECK_NEAR(n[0].x, -sqrt(0.5), 1e-6);
    CHECK_NEAR(n[5].x, sqrt(0.5), 1e-6);
    CHECK(n[0].y > 0 && fabs((double)n[2].x) < 0.4 && n[6].y == 1);
}

/* ---- What is refused ---- */

TEST(bad_definitions_are_refused) {
    sn_io_export *e = NULL;
    sn_io_export_def def = sn_io_export_def_default(), bad;
    folder_clear(scratch);
    def.folder = scratch;
    CHECK_FAILS(sn_io_export_open(NULL, &e), SN_ERROR_NULL);
    CHECK_FAILS(sn_io_export_open(&def, NULL), SN_ERROR_NULL);
    bad = def;
    bad.size = 0;
    CHECK_FAILS(sn_io_export_open(&bad, &e), SN_ERROR_DEFINITION);
    bad = def;
    bad.format = "abc";
    CHECK_FAILS(sn_io_export_open(&bad, &e), SN_ERROR_NAME);
    CHECK(strstr(sn_last_error(), "\"abc\""));
    bad.format = NULL;
    CHECK_FAILS(sn_io_export_open(&bad, &e), SN_ERROR_NULL);
    bad = def;
    bad.name = "a/b";
    CHECK_FAILS(sn_io_export_open(&bad, &e), SN_ERROR_VALUE);
    bad.name = "";
    CHECK_FAILS(sn_io_export_open(&bad, &e), SN_ERROR_VALUE);
    bad = def;
    bad.fps = 0;
    CHECK_FAILS(sn_io_export_open(&bad, &e), SN_ERROR_VALUE);
    bad = def;
    bad.most_targets = 0;
    CHECK_FAILS(sn_io_export_open(&bad, &e), SN_ERROR_VALUE);
    bad = def;
    bad.folder = "export_missing";
    CHECK_FAILS(sn_io_export_open(&bad, &e), SN_ERROR_FILE);
    CHECK(strstr(sn_last_error(), "there is no folder \"export_missing\""));
    CHECK(!e);
}

static void refuse(sn_io_export *e, const sn_io_frame *frame, sn_result result, const char *part) {
    check_case("%s", part);
    CHECK_FAILS(sn_io_export_frame(e, frame), result);
    if (!strstr(sn_last_error(), part)) printf("    %s\n", sn_last_error());
    CHECK(strstr(sn_last_error(), part));
}

TEST(bad_frames_are_refused) {
    static animation a;
    folder_clear(scratch);
    sn_io_export *e = open_export(scratch, "cache", 256);
    CHECK_OK(sn_io_export_frame(e, animation_frame(&a, 1, false)));
    refuse(e, animation_frame(&a, 1, false), SN_ERROR_VALUE, "frame 1 follows frame 1");
    animation_frame(&a, 2, false);
    a.frame.time = 0;
    refuse(e, &a.frame, SN_ERROR_VALUE, "the time of frame 2 is 0 s");
    animation_frame(&a, 2, false);
    a.shapes[3].name = "flag";
    refuse(e, &a.frame, SN_ERROR_VALUE, "two shapes have the name \"flag\"");
    a.shapes[3].name = "";
    refuse(e, &a.frame, SN_ERROR_VALUE, "shape 3 has no name");
    animation_frame(&a, 2, false);
    a.arrays[0].triangles[5][1] = 12;
    refuse(e, &a.frame, SN_ERROR_VALUE,
           "shape \"flag\": triangle 5 uses vertex 12, but the shape has 12 vertices");
    animation_frame(&a, 2, false);
    a.arrays[2].lines[1][0] = 99;
    refuse(e, &a.frame, SN_ERROR_VALUE, "shape \"rope\": line 1 uses vertex 99");
    animation_frame(&a, 2, false);
    a.arrays[1].tets[1][3] = 99;
    refuse(e, &a.frame, SN_ERROR_VALUE, "tet 1 uses vertex 99");
    animation_frame(&a, 2, false);
    a.arrays[1].velocities[2].z = (sn_real)NAN;
    refuse(e, &a.frame, SN_ERROR_VALUE, "the velocity of vertex 2 is");
    animation_frame(&a, 2, false);
    a.shapes[0].positions = NULL;
    refuse(e, &a.frame, SN_ERROR_NULL, "shape \"flag\": its positions are null");
    animation_frame(&a, 2, false);
    a.shapes[0].triangles = NULL;
    refuse(e, &a.frame, SN_ERROR_NULL, "it has 12 triangles, but their array is null");
    animation_frame(&a, 2, false);
    a.frame.number = -1;
    refuse(e, &a.frame, SN_ERROR_VALUE, "its number is -1");
    CHECK_FAILS(sn_io_export_frame(e, NULL), SN_ERROR_NULL);
    CHECK_FAILS(sn_io_export_frame(NULL, &a.frame), SN_ERROR_NULL);
    CHECK_FAILS(sn_io_export_close(NULL), SN_ERROR_NULL);
    /* None of it was written. */
    CHECK_OK(sn_io_export_frame(e, animation_frame(&a, 2, false)));
    CHECK(sn_io_export_frame_count(e) == 2);
    CHECK_OK(sn_io_export_close(e));
    sn_io_export_free(e);
    sn_io_export_free(NULL);
}

/* ---- For other programs ---- */

static void write_all(const char *folder) {
    static const char *const parts[] = {"steady", "changing"};
    size_t count;
    const sn_io_export_format *formats = sn_io_export_formats(&count);
    for (int changing = 0; changing < 2; changing++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, parts[changing]);
        folder_clear(path);
        for (size_t i = 0; i < count; i++)
            write_animation(path, formats[i].name, changing, ANIMATION_FRAMES, 256);
        write_expected(path, changing);
    }
    char path[512];
    snprintf(path, sizeof path, "%s/thin", folder);
    folder_clear(path);
    write_animation(path, "glb", true, ANIMATION_FRAMES, 2);
    write_expected(path, true);
}

int main(int argc, char **argv) {
    static const check_test tests[] = {
        RUN(the_bytes_are_what_they_were),      RUN(what_was_written_is_listed),
        RUN(formats_have_names_and_sentences),  RUN(an_export_of_no_frames_leaves_nothing),
        RUN(a_frame_of_nothing_can_be_written), RUN(names_become_legal_and_differ),
        RUN(numbers_are_exact_and_short),       RUN(normals_are_smooth_and_have_length_1),
        RUN(bad_definitions_are_refused),       RUN(bad_frames_are_refused)};
    if (argc == 3 && strcmp(argv[1], "--write") == 0) {
        write_all(argv[2]);
        return 0;
    }
    if (argc == 2 && strcmp(argv[1], "--hashes") == 0) {
        print_hashes();
        return 0;
    }
    return check_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
