/* A torn scene in frames, in files of every format, and from a snapshot. */
#include <sinew_io/cache.h>
#include <sinew_io/export.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "files.h"
#include "scene_make.h"

static const char text[] =
    "{\"version\": 1, \"run\": {\"frames\": 40, \"fps\": 60}, \"settings\": {\"substeps\": 10},"
    " \"bodies\": [{\"name\": \"sheet\","
    " \"mesh\": {\"shape\": \"grid\", \"width\": 1, \"depth\": 1, \"columns\": 8, \"rows\": 8},"
    " \"material\": {\"kind\": \"cloth\", \"stretch_stiffness\": 50, \"tear_strain\": 0.2},"
    " \"pins\": [\"left\", \"right\"]}],"
    " \"motions\": [{\"nodes\": \"sheet.right\","
    "  \"keys\": [{\"time\": 0, \"position\": [0, 0, 0]}, {\"time\": 0.5, \"position\": [0.6, 0, "
    "0]}]}]}";

enum { VERTICES = 81, TRIANGLES = 128, FRAMES = 40 };

/* Whether every corner is there, and every vertex is used. */
static void check_shape(const sn_io_shape *s) {
    uint8_t *used = calloc(s->vertex_count, 1);
    bool good = s->triangle_count == TRIANGLES;
    if (!used) abort();
    for (size_t i = 0; i < s->triangle_count; i++)
        for (int k = 0; k < 3; k++) {
            good = good && s->triangles[i][k] < s->vertex_count;
            if (good) used[s->triangles[i][k]] = 1;
        }
    for (size_t i = 0; i < s->vertex_count; i++) good = good && used[i];
    CHECK(good);
    free(used);
}

TEST(frames_show_what_is_torn) {
    sn_scene *scene = scene_make(text);
    sn_io_frame frame;
    uint64_t first = 0, last = 0;
    double torn = 0;
    for (int i = 0; i < FRAMES; i++) {
        REQUIRE_OK(sn_scene_step(scene));
        REQUIRE_OK(sn_scene_frame(scene, &frame));
        check_shape(&frame.shapes[0]);
        torn += scene_column_value(scene, "torn");
        if (i == 0) first = frame.shapes[0].topology;
        last = frame.shapes[0].topology;
        CHECK((double)frame.shapes[0].vertex_count == VERTICES + torn);
    }
    CHECK(torn > 5);
    CHECK(first != last);
    /* Strain is that of edges against the mesh, also where they were doubled. */
    for (size_t i = 0; i < frame.shapes[0].vertex_count; i++)
        CHECK((double)frame.shapes[0].strain[i] > -0.9 && (double)frame.shapes[0].strain[i] < 3);
    sn_scene_close(scene);
}

/* A cloth whose triangles are divided has as many, and its strain is that of its edges at rest. */
TEST(frames_show_what_is_divided) {
    sn_scene *scene = scene_make(
        "{\"version\": 1, \"run\": {\"frames\": 10, \"fps\": 60},"
        " \"settings\": {\"substeps\": 5, \"gravity\": [0, 0, 0]}, \"bodies\": [{\"name\":"
        " \"sheet\", \"mesh\": {\"shape\": \"grid\", \"columns\": 8, \"rows\": 8},"
        " \"material\": {\"kind\": \"cloth\"}}], \"cuts\": [{\"body\": \"sheet\","
        " \"time\": 0.05, \"point\": [0.03, 0, 0], \"normal\": [1, 0, 0.3], \"split\": true}]}");
    sn_io_frame frame;
    for (int i = 0; i < 10; i++) {
        REQUIRE_OK(sn_scene_step(scene));
        REQUIRE_OK(sn_scene_frame(scene, &frame));
    }
    const sn_io_shape *s = &frame.shapes[0];
    CHECK(s->triangle_count > TRIANGLES + 8 && s->vertex_count > VERTICES + 16);
    for (size_t i = 0; i < s->vertex_count; i++) CHECK_NEAR(s->strain[i], 0, 1e-5);
    for (size_t i = 0; i < 3 * s->triangle_count; i++)
        CHECK(s->triangles[i / 3][i % 3] < s->vertex_count);
    sn_scene_close(scene);
}

TEST(every_format_takes_them) {
    size_t count;
    const sn_io_export_format *formats = sn_io_export_formats(&count);
    for (size_t f = 0; f < count; f++) {
        check_case("%s", formats[f].name);
        sn_scene *scene = scene_make(text);
        sn_io_export_def def = sn_io_export_def_default();
        sn_io_export *out = NULL;
        sn_io_frame frame;
        folder_clear("tear_export.files");
        def.format = formats[f].name;
        def.folder = "tear_export.files";
        def.name = "torn";
        REQUIRE_OK(sn_io_export_open(&def, &out));
        for (int i = 0; i < FRAMES; i++) {
            REQUIRE_OK(sn_scene_step(scene));
            REQUIRE_OK(sn_scene_frame(scene, &frame));
            CHECK_OK(sn_io_export_frame(out, &frame));
        }
        CHECK_OK(sn_io_export_close(out));
        CHECK(sn_io_export_frame_count(out) == FRAMES && sn_io_export_file_count(out) > 0);
        CHECK(!folder_has_parts("tear_export.files"));
        sn_io_export_free(out);
        sn_scene_close(scene);
    }
}

/* ---- One object ---- */

static uint32_t word_at(const uint8_t *bytes, size_t at) {
    return bytes[at] | (uint32_t)bytes[at + 1] << 8 | (uint32_t)bytes[at + 2] << 16 |
           (uint32_t)bytes[at + 3] << 24;
}

static float float_at(const uint8_t *bytes, size_t at) {
    uint32_t word = word_at(bytes, at);
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

/* Exports all frames of a scene, and gives back how many files that made, the first file with this
   ending, and what was in the frames: positions and how many. */
static size_t export_all(sn_scene *scene, const char *format, const char *ending, uint8_t **bytes,
                         size_t *size, sn_vec3 **positions, size_t counts[FRAMES]) {
    sn_io_export_def def = sn_io_export_def_default();
    sn_io_export *out = NULL;
    sn_io_frame frame;
    size_t total = 0;
    folder_clear("tear_export.files");
    def.format = format;
    def.folder = "tear_export.files";
    def.name = "torn";
    *positions = NULL;
    *bytes = NULL;
    REQUIRE_OK(sn_io_export_open(&def, &out));
    for (int i = 0; i < FRAMES; i++) {
        REQUIRE_OK(sn_scene_step(scene));
        REQUIRE_OK(sn_scene_frame(scene, &frame));
        REQUIRE_OK(sn_io_export_frame(out, &frame));
        counts[i] = frame.shapes[0].vertex_count;
        *positions = realloc(*positions, (total + counts[i]) * sizeof **positions);
        if (!*positions) abort();
        memcpy(*positions + total, frame.shapes[0].positions, counts[i] * sizeof **positions);
        total += counts[i];
    }
    REQUIRE_OK(sn_io_export_close(out));
    size_t files = sn_io_export_file_count(out);
    for (size_t i = 0; i < files; i++) {
        const char *path = sn_io_export_file(out, i), *at = strrchr(path, '.');
        if (*bytes || !at || strcmp(at, ending) != 0) continue;
        FILE *file = fopen(path, "rb");
        *bytes = malloc(1 << 22);
        if (!file || !*bytes) abort();
        *size = fread(*bytes, 1, 1 << 22, file);
        fclose(file);
    }
    sn_io_export_free(out);
    sn_scene_close(scene);
    return files;
}

/* A point cache has one file for all frames: with the last vertices, and copies where their
   originals are as long as nothing tears. */
TEST(a_torn_cloth_is_one_point_cache) {
    uint8_t *bytes;
    size_t size = 0, counts[FRAMES], total = 0;
    sn_vec3 *positions;
    size_t files = export_all(scene_make(text), "pc2", ".pc2", &bytes, &size, &positions, counts);
    uint32_t points = word_at(bytes, 16), samples = word_at(bytes, 28);
    CHECK(files == 2 && samples == FRAMES && points == counts[FRAMES - 1] && points > VERTICES + 5);
    CHECK(size == 32 + 12 * (size_t)points * samples);
    for (size_t i = 0; i < FRAMES; i++) {
        size_t at = 32 + 12 * points * i, same = 0, twins = 0;
        for (size_t k = 0; k < points; k++) {
            float x = float_at(bytes, at + 12 * k), y = float_at(bytes, at + 12 * k + 4);
            float z = float_at(bytes, at + 12 * k + 8);
            const sn_vec3 *p = positions + total;
            same += k < counts[i] && x == (float)p[k].x && y == (float)p[k].y && z == (float)p[k].z;
            for (size_t j = 0; k >= counts[i] && j < counts[i]; j++)
                if (x == (float)p[j].x && y == (float)p[j].y && z == (float)p[j].z) {
                    twins++;
                    break;
                }
        }
        CHECK(same == counts[i] && twins == points - counts[i]);
        total += counts[i];
    }
    free(bytes);
    free(positions);
}

static size_t count_of(const uint8_t *bytes, size_t size, const char *word) {
    size_t found = 0, length = strlen(word);
    for (size_t i = 0; i + length <= size; i++) found += memcmp(bytes + i, word, length) == 0;
    return found;
}

TEST(a_torn_cloth_is_one_node_of_glb) {
    uint8_t *bytes;
    size_t size = 0, counts[FRAMES];
    sn_vec3 *positions;
    CHECK(export_all(scene_make(text), "glb", ".glb", &bytes, &size, &positions, counts) == 1);
    /* As a node, a mesh or both: once each, without a number behind it. */
    CHECK(count_of(bytes, size, "\"sheet\"") > 0 && count_of(bytes, size, "sheet_") == 0);
    free(bytes);
    free(positions);
}

/* What the cache gives back is what was put into it, frame by frame. */
TEST(caches_keep_the_topology_of_every_frame) {
    sn_scene *scene = scene_make(text);
    sn_io_export_def def = sn_io_export_def_default();
    sn_io_export *out = NULL;
    sn_io_frame frame;
    size_t vertices[FRAMES];
    folder_clear("tear_export.files");
    def.format = "cache";
    def.folder = "tear_export.files";
    def.name = "torn";
    REQUIRE_OK(sn_io_export_open(&def, &out));
    for (int i = 0; i < FRAMES; i++) {
        REQUIRE_OK(sn_scene_step(scene));
        REQUIRE_OK(sn_scene_frame(scene, &frame));
        vertices[i] = frame.shapes[0].vertex_count;
        REQUIRE_OK(sn_io_export_frame(out, &frame));
    }
    REQUIRE_OK(sn_io_export_close(out));
    sn_io_cache *cache = NULL;
    REQUIRE_OK(sn_io_cache_open(sn_io_export_file(out, 0), &cache));
    for (size_t i = FRAMES; i-- > 0;) {
        REQUIRE_OK(sn_io_cache_frame(cache, i, &frame));
        CHECK(frame.shapes[0].vertex_count == vertices[i]);
        check_shape(&frame.shapes[0]);
    }
    CHECK(vertices[FRAMES - 1] > vertices[0]);
    sn_io_cache_close(cache);
    sn_io_export_free(out);
    sn_scene_close(scene);
}

TEST(a_torn_scene_is_resumed) {
    sn_scene *scene = scene_make(text), *again = scene_make(text);
    sn_io_frame frame, other;
    scene_run_frames(scene, 30);
    REQUIRE_OK(sn_snapshot_save_file(sn_scene_world(scene), "tear_export.snap"));
    CHECK_OK(sn_scene_resume(again, "tear_export.snap"));
    scene_run_frames(scene, 10);
    scene_run_frames(again, 10);
    CHECK(sn_world_hash(sn_scene_world(scene)) == sn_world_hash(sn_scene_world(again)));
    REQUIRE_OK(sn_scene_frame(scene, &frame));
    REQUIRE_OK(sn_scene_frame(again, &other));
    CHECK(frame.shapes[0].vertex_count > VERTICES);
    CHECK(frame.shapes[0].vertex_count == other.shapes[0].vertex_count);
    CHECK(memcmp(frame.shapes[0].positions, other.shapes[0].positions,
                 frame.shapes[0].vertex_count * sizeof(sn_vec3)) == 0);
    sn_scene_close(scene);
    sn_scene_close(again);
    remove("tear_export.snap");
}

/* ---- Solids that are cut ---- */

/* A ball of tets that a blade goes through and a disc of which is cut, embedded or not. */
static sn_scene *open_cut(bool conform, bool split) {
    char cut[1400];
    snprintf(cut, sizeof cut,
             "{\"version\": 1, \"run\": {\"frames\": 30, \"fps\": 60},"
             " \"settings\": {\"substeps\": 5, \"gravity\": [0, 0, 0]}, \"bodies\": [{\"name\":"
             " \"ball\", \"mesh\": {\"shape\": \"fill\", \"surface\": {\"shape\": \"sphere\"},"
             " \"spacing\": 0.16, \"conform\": %s}, \"material\": {\"kind\": \"solid\"}}],"
             " \"cuts\": [{\"body\": \"ball\", \"time\": 0.05, \"point\": [0, 0.02, 0.45],"
             " \"radius\": 0.2, \"snap\": 0.2, \"split\": %s}, {\"body\": \"ball\","
             " \"split\": %s, \"snap\": %g, \"start\": [0.03, -1, 0],"
             " \"end\": [0.03, 1, 0], \"keys\": [{\"time\": 0.1, \"position\": [0, 0, 0.7]},"
             " {\"time\": 0.4, \"position\": [0, 0, -0.7]}]}]}",
             conform ? "true" : "false", split ? "true" : "false", split ? "true" : "false",
             split ? 0.3 : 0.0);
    return scene_make(cut);
}

TEST(frames_show_what_is_cut) {
    for (int way = 0; way < 4; way++) {
        bool conform = way % 2, split = way / 2;
        check_case("%s, %s", conform ? "tets end at the surface" : "embedded",
                   split ? "divided" : "as they are");
        sn_scene *scene = open_cut(conform, split);
        sn_io_frame frame;
        size_t changes = 0, tets = 0, parts = 0;
        uint64_t topology = 0;
        REQUIRE_OK(sn_scene_frame(scene, &frame));
        size_t triangles = frame.shapes[0].triangle_count;
        tets = frame.shapes[0].tet_count;
        for (int i = 0; i < 30; i++) {
            REQUIRE_OK(sn_scene_step(scene));
            REQUIRE_OK(sn_scene_frame(scene, &frame));
            const sn_io_shape *s = &frame.shapes[0];
            bool good = split && conform ? s->tet_count >= tets : s->tet_count == tets;
            changes += s->topology != topology;
            topology = s->topology;
            for (size_t k = 0; k < 3 * s->triangle_count; k++)
                good = good && s->triangles[k / 3][k % 3] < s->vertex_count;
            for (size_t k = 0; k < 4 * s->tet_count; k++)
                good = good && s->tets[k / 4][k % 4] < s->vertex_count;
            /* Nothing is torn out of the ball: it is at rest but for the moved nodes. */
            for (size_t k = 0; k < s->vertex_count; k++)
                good = good && (double)(s->positions[k].x * s->positions[k].x +
                                        s->positions[k].y * s->positions[k].y +
                                        s->positions[k].z * s->positions[k].z) < 0.8;
            CHECK(good);
        }
        CHECK(changes > 3);
        CHECK(frame.shapes[0].triangle_count > triangles + 20);
        sn_tet_mesh tet_mesh;
        REQUIRE_OK(sn_world_tet_mesh_at(sn_scene_world(scene), 0, &tet_mesh));
        REQUIRE_OK(sn_tet_mesh_count_parts(sn_scene_world(scene), tet_mesh, &parts));
        CHECK(parts == 2);
        sn_scene_close(scene);
    }
}

/* A solid whose surface is that of its tets: the walls of cuts are there from the beginning,
   closed. Embedded surfaces get walls of their own with every cut, and begin anew then. */
TEST(a_cut_solid_is_one_point_cache) {
    uint8_t *bytes;
    size_t size = 0, counts[FRAMES];
    sn_vec3 *positions;
    CHECK(export_all(open_cut(true, false), "pc2", ".pc2", &bytes, &size, &positions, counts) == 2);
    CHECK(word_at(bytes, 28) == FRAMES && counts[FRAMES - 1] > counts[0]);
    free(bytes);
    free(positions);
    CHECK(export_all(open_cut(false, false), "pc2", ".pc2", &bytes, &size, &positions, counts) > 2);
    free(bytes);
    free(positions);
}

TEST(cuts_of_a_scene_are_checked) {
    static const char *const wrong[] = {
        "{\"version\": 1, \"cuts\": [{\"body\": \"nobody\"}]}",
        "{\"version\": 1, \"bodies\": [{\"name\": \"r\", \"mesh\": {\"shape\": \"rope\"},"
        " \"material\": {\"kind\": \"hair\"}}], \"cuts\": [{\"body\": \"r\"}]}",
        "{\"version\": 1, \"cuts\": [{\"body\": \"nobody\", \"snap\": 2}]}"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        sn_scene_def def = sn_scene_def_default();
        sn_scene *scene = NULL;
        def.path = "wrong.json";
        def.text = wrong[i];
        def.length = strlen(wrong[i]);
        CHECK_FAILS(sn_scene_open(&def, &scene), SN_ERROR_DATA);
    }
}

/* A line of eight parts that hangs, of a material; and what comes after its body. */
static sn_scene *make_line(const char *material, const char *rest) {
    char all[2000];
    snprintf(
        all, sizeof all,
        "{\"version\": 1, \"run\": {\"frames\": 20, \"fps\": 60}, \"settings\": {\"substeps\": 20},"
        " \"bodies\": [{\"name\": \"line\", \"mesh\": {\"shape\": \"points\", \"positions\": [[0, "
        "0, 0],"
        " [0, -0.1, 0], [0, -0.2, 0], [0, -0.3, 0], [0, -0.4, 0], [0, -0.5, 0], [0, -0.6, 0], [0, "
        "-0.7, 0],"
        " [0, -0.8, 0]], \"lines\": [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8]},"
        " \"material\": {%s}, \"pins\": [0]}]%s}",
        material, rest);
    return scene_make(all);
}

static const char *const lines[] = {
    "\"kind\": \"rope\"", "\"kind\": \"rope\", \"bending_stiffness\": 0.001",
    "\"kind\": \"rod\", \"young\": 1e6",
    "\"kind\": \"rod\", \"young\": 1e6, \"model\": \"ghost_points\""};
enum { LINES = sizeof lines / sizeof lines[0] };

/* By a plane, and by a blade that passes through: one line is gone, and what hung on it falls. */
TEST(frames_show_lines_that_are_cut) {
    static const char *const cuts[] = {
        ", \"cuts\": [{\"body\": \"line\", \"time\": 0, \"point\": [0, -0.33, 0]}]",
        ", \"cuts\": [{\"body\": \"line\", \"start\": [-1, -0.33, 0.4], \"end\": [1, -0.33, 0.4],"
        " \"keys\": [{\"time\": 0}, {\"time\": 0.05, \"position\": [0, 0, -0.8]}]}]",
        ", \"cuts\": [{\"body\": \"line\", \"time\": 0, \"point\": [0.1, -0.33, 0], \"radius\": "
        "0.05}]"};
    for (size_t i = 0; i < 3 * LINES; i++) {
        bool misses = i >= 2 * LINES;
        sn_scene *scene = make_line(lines[i % LINES], cuts[i / LINES]);
        sn_io_frame frame;
        check_case("%s%s", lines[i % LINES], cuts[i / LINES]);
        REQUIRE_OK(sn_scene_frame(scene, &frame));
        uint64_t before = frame.shapes[0].topology;
        CHECK(frame.shapes[0].line_count == 8);
        scene_run_frames(scene, 20);
        REQUIRE_OK(sn_scene_frame(scene, &frame));
        const sn_io_shape *s = &frame.shapes[0];
        CHECK(s->line_count == (misses ? 8 : 7) && (s->topology == before) == misses);
        for (size_t k = 0; k < s->line_count; k++) CHECK(misses || s->lines[k][0] != 3);
        CHECK((s->positions[8].y < -1) != misses);
        CHECK(s->positions[3].y > (sn_real)-0.35);
        CHECK(scene_column_value(scene, "largest strain [1]") < 0.02);
        sn_scene_close(scene);
    }
}

/* A thread that slides comes apart into lines, which keep what they have of its length. */
TEST(frames_show_what_is_left_of_a_thread) {
    sn_scene *scene = make_line("\"kind\": \"rope\", \"slides\": \"yes\", \"young\": 1e8",
                                ", \"cuts\": [{\"body\": \"line\", \"time\": 0, \"point\": [0, "
                                "-0.33, 0]}]");
    sn_io_frame frame;
    REQUIRE_OK(sn_scene_frame(scene, &frame));
    CHECK(frame.shapes[0].line_count == 8);
    scene_run_frames(scene, 20);
    REQUIRE_OK(sn_scene_frame(scene, &frame));
    const sn_io_shape *s = &frame.shapes[0];
    CHECK(s->line_count == 7);
    for (size_t k = 0; k < s->line_count; k++) CHECK(s->lines[k][0] != 3);
    CHECK(s->positions[8].y < -1 && s->positions[3].y > (sn_real)-0.35);
    CHECK(scene_column_value(scene, "largest strain [1]") < 0.02);
    sn_scene_close(scene);
}

/* What breaks takes along what bends and twists with it. */
TEST(nothing_is_left_of_lines_that_break) {
    for (size_t i = 0; i < LINES; i++) {
        char material[200];
        const char *kind = i + 1 < LINES ? lines[i] : "\"kind\": \"rope\", \"slides\": \"yes\"";
        snprintf(material, sizeof material, "%s, \"break_force\": 1e-6", kind);
        sn_scene *scene = make_line(material, "");
        sn_io_frame frame;
        check_case("%s", kind);
        scene_run_frames(scene, 5);
        REQUIRE_OK(sn_scene_frame(scene, &frame));
        CHECK(frame.shapes[0].line_count == 0);
        CHECK(sn_world_constraint_count(sn_scene_world(scene), SN_TYPE_COUNT) == 0);
        sn_scene_close(scene);
    }
}

TESTS(RUN(frames_show_lines_that_are_cut), RUN(frames_show_what_is_left_of_a_thread),
      RUN(nothing_is_left_of_lines_that_break), RUN(frames_show_what_is_cut),
      RUN(cuts_of_a_scene_are_checked), RUN(frames_show_what_is_torn),
      RUN(frames_show_what_is_divided), RUN(every_format_takes_them),
      RUN(a_torn_cloth_is_one_point_cache), RUN(a_torn_cloth_is_one_node_of_glb),
      RUN(a_cut_solid_is_one_point_cache), RUN(caches_keep_the_topology_of_every_frame),
      RUN(a_torn_scene_is_resumed))
