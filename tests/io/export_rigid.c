/*
 * Rigid bodies in exports: transforms in USD and GLB, moving vertices elsewhere, the same from a
 * cache. With --write FOLDER, files are written there and stay, for programs of others.
 */
#include <sinew_io/animation.h>
#include <sinew_io/cache.h>
#include <sinew_io/export.h>
#include <sinew_io/file.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "export_expected.h"
#include "files.h"
#include "scene_make.h"

enum { FRAMES = 12, FPS = 60 };
static const char scratch[] = "rigid_scratch";

/* A crate that is thrown and tumbles, a rotor that the scene turns, and a stone that stands. */
static const char scene_text[] =
    "{\"version\": 1, \"settings\": {\"substeps\": 4}, \"colliders\": ["
    "{\"name\": \"crate\", \"shape\": \"box\", \"extent\": [0.3, 0.1, 0.2], \"density\": 500,"
    " \"position\": [0, 2, 0], \"velocity\": [1, 2, 0], \"angular_velocity\": [3, 20, 5]},"
    "{\"name\": \"rotor\", \"shape\": \"capsule\", \"radius\": 0.1, \"extent\": [0, 0.5, 0],"
    " \"position\": [2, 0, 0], \"angular_velocity\": [0, 0, 25]},"
    "{\"name\": \"stone\", \"shape\": \"sphere\", \"radius\": 0.2, \"position\": [-3, 0, 1]}]}";

static sn_io_export *open_export(const char *folder, const char *format) {
    sn_io_export_def def = sn_io_export_def_default();
    sn_io_export *e = NULL;
    def.format = format;
    def.folder = folder;
    def.name = "demo";
    def.fps = FPS;
    REQUIRE_OK(sn_io_export_open(&def, &e));
    return e;
}

/* "nodes", which all single nodes are, is no body. */
static sn_io_frame bodies_of(const sn_io_frame *frame, sn_io_shape *shapes) {
    sn_io_frame bodies = *frame;
    bodies.shape_count = 0;
    for (size_t i = 0; i < frame->shape_count; i++)
        if (strcmp(frame->shapes[i].name, "nodes") != 0)
            shapes[bodies.shape_count++] = frame->shapes[i];
    bodies.shapes = shapes;
    return bodies;
}

/* The scene in a format; what its frames are goes to `expected`, which may be null. */
static void write_scene(const char *folder, const char *format, FILE *expected) {
    sn_scene *scene = scene_make(scene_text);
    sn_io_export *e = open_export(folder, format);
    for (int i = 0; i < FRAMES; i++) {
        sn_io_frame frame;
        sn_io_shape shapes[8];
        REQUIRE_OK(sn_scene_frame(scene, &frame));
        frame = bodies_of(&frame, shapes);
        REQUIRE_OK(sn_io_export_frame(e, &frame));
        if (expected) expected_frame(expected, i == 0, &frame);
        REQUIRE_OK(sn_scene_step(scene));
    }
    REQUIRE_OK(sn_io_export_close(e));
    sn_io_export_free(e);
    sn_scene_close(scene);
}

/* A cache in a format. */
static void convert(const char *cache, const char *folder, const char *format) {
    sn_io_cache *c = NULL;
    REQUIRE_OK(sn_io_cache_open(cache, &c));
    sn_io_export *e = open_export(folder, format);
    for (size_t i = 0; i < sn_io_cache_get_info(c).frame_count; i++) {
        sn_io_frame frame;
        REQUIRE_OK(sn_io_cache_frame(c, i, &frame));
        REQUIRE_OK(sn_io_export_frame(e, &frame));
    }
    REQUIRE_OK(sn_io_export_close(e));
    sn_io_export_free(e);
    sn_io_cache_close(c);
}

static char *text_of(const char *name, size_t *size) {
    char path[256], *data;
    snprintf(path, sizeof path, "%s/%s", scratch, name);
    REQUIRE_OK(sn_io_file_read("the file", path, &data, size));
    return data;
}

/* How often some bytes are in a file. */
static size_t count_in(const char *name, const char *text) {
    size_t size, count = 0, length = strlen(text);
    char *data = text_of(name, &size);
    for (size_t i = 0; i + length <= size; i++) count += memcmp(data + i, text, length) == 0;
    free(data);
    return count;
}

/* All shapes of a frame, one after the other, as readers have them. */
static size_t gather(const sn_io_frame *frame, sn_vec3 *positions, size_t room) {
    size_t count = 0;
    for (size_t i = 0; i < frame->shape_count; i++) {
        const sn_io_shape *s = &frame->shapes[i];
        if (strcmp(s->name, "nodes") == 0) continue;
        if (!CHECK(count + s->vertex_count <= room)) return 0;
        memcpy(positions + count, s->positions, s->vertex_count * sizeof *positions);
        count += s->vertex_count;
    }
    return count;
}

/* What our readers of moving meshes make of the file is where the scene has it. */
static void check_file(const char *name) {
    enum { ROOM = 8192 };
    static sn_vec3 expected[ROOM], found[ROOM];
    char path[256];
    sn_io_animation *a = NULL;
    snprintf(path, sizeof path, "%s/%s", scratch, name);
    check_case("%s", name);
    REQUIRE_OK(sn_io_animation_open(path, NULL, &a));
    sn_scene *scene = scene_make(scene_text);
    double most = 0;
    for (int i = 0; i < FRAMES; i++) {
        sn_io_frame frame;
        REQUIRE_OK(sn_scene_frame(scene, &frame));
        size_t count = gather(&frame, expected, ROOM);
        if (!CHECK(sn_io_animation_get_info(a).vertex_count == count)) break;
        REQUIRE_OK(sn_io_animation_sample(a, (double)i / FPS, found));
        for (size_t k = 0; k < count; k++)
            most = fmax(most, fmax(fabs((double)found[k].x - (double)expected[k].x),
                                   fmax(fabs((double)found[k].y - (double)expected[k].y),
                                        fabs((double)found[k].z - (double)expected[k].z))));
        REQUIRE_OK(sn_scene_step(scene));
    }
    /* Roundings of a place within 4 m, of a vertex in its frame and of a turn, in single. */
    CHECK_NEAR(most, 0, 1.5e-6);
    sn_scene_close(scene);
    sn_io_animation_close(a);
}

TEST(rigid_bodies_are_transforms) {
    folder_clear(scratch);
    write_scene(scratch, "usda", NULL);
    write_scene(scratch, "glb", NULL);
    check_file("demo.usda");
    check_file("demo.glb");
    /* The crate and the rotor move, the stone has one place; nobody has points in time. */
    CHECK(count_in("demo.usda", "point3f[] points = ") == 3);
    CHECK(count_in("demo.usda", "points.timeSamples") == 0);
    CHECK(count_in("demo.usda", "double3 xformOp:translate.timeSamples") == 1);
    CHECK(count_in("demo.usda", "double3 xformOp:translate = ") == 2);
    CHECK(count_in("demo.usda", "quatf xformOp:orient.timeSamples") == 2);
    CHECK(count_in("demo.usda", "xformOpOrder = [\"xformOp:translate\", \"xformOp:orient\"]") == 3);
    CHECK(count_in("demo.glb", "\"targets\"") == 0);
    CHECK(count_in("demo.glb", "\"path\":\"rotation\"") == 2);
    CHECK(count_in("demo.glb", "\"path\":\"translation\"") == 2);
    CHECK(count_in("demo.glb", "\"translation\":[") == 3);
}

/* Turns by up to 25 / 60 rad from frame to frame stay on one side of the quaternions. */
TEST(turns_go_the_shorter_way) {
    folder_clear(scratch);
    write_scene(scratch, "usda", NULL);
    size_t size;
    char *text = text_of("demo.usda", &size);
    text[size - 1] = 0;
    const char *at = strstr(text, "def Mesh \"rotor\"");
    if (!CHECK(at != NULL)) return;
    at = strstr(at, "orient.timeSamples");
    if (!CHECK(at != NULL)) return;
    double before[4] = {0}, q[4];
    for (int i = 0; i < FRAMES; i++) {
        at = strstr(at, ": (");
        if (!CHECK(at && sscanf(at, ": (%lf, %lf, %lf, %lf)", &q[0], &q[1], &q[2], &q[3]) == 4))
            return;
        double along = 0, length = 0;
        for (int k = 0; k < 4; k++) along += q[k] * before[k], length += q[k] * q[k];
        CHECK_NEAR(length, 1, 1e-6);
        CHECK(i == 0 || along > 0.9);
        memcpy(before, q, sizeof q);
        at++;
    }
    free(text);
}

TEST(caches_have_poses) {
    folder_clear(scratch);
    write_scene(scratch, "cache", NULL);
    char cache[64];
    snprintf(cache, sizeof cache, "%s/demo.snc", scratch);
    static const char *const names[] = {"demo.usda", "demo.glb"};
    for (int i = 0; i < 2; i++) {
        size_t sizes[2];
        const char *format = i == 0 ? "usda" : "glb";
        write_scene(scratch, format, NULL);
        char *direct = text_of(names[i], &sizes[0]);
        convert(cache, scratch, format);
        char *converted = text_of(names[i], &sizes[1]);
        CHECK(sizes[0] == sizes[1] && memcmp(direct, converted, sizes[0]) == 0);
        free(direct);
        free(converted);
    }
}

static void check_same(const sn_io_shape *a, const sn_io_shape *b) {
    size_t bytes = a->vertex_count * sizeof *a->positions;
    if (!CHECK(a->vertex_count == b->vertex_count && a->velocities && b->velocities)) return;
    CHECK(memcmp(a->positions, b->positions, bytes) == 0);
    CHECK(memcmp(a->velocities, b->velocities, bytes) == 0);
    CHECK(memcmp(a->pose, b->pose, sizeof *a->pose) == 0);
}

/* Writes the frames of a scene into a cache and holds what is read to them. */
static void keep(const char *text, int frames, uint64_t *bytes) {
    sn_io_cache *cache = NULL;
    char path[64];
    snprintf(path, sizeof path, "%s/demo.snc", scratch);
    for (int reading = 0; reading < 2; reading++) {
        sn_scene *scene = scene_make(text);
        sn_io_export *e = reading ? NULL : open_export(scratch, "cache");
        if (reading) REQUIRE_OK(sn_io_cache_open(path, &cache));
        for (int i = 0; i < frames; i++) {
            sn_io_frame frame, kept;
            sn_io_shape shapes[8];
            REQUIRE_OK(sn_scene_frame(scene, &frame));
            frame = bodies_of(&frame, shapes);
            if (!reading) REQUIRE_OK(sn_io_export_frame(e, &frame));
            if (reading) REQUIRE_OK(sn_io_cache_frame(cache, (size_t)i, &kept));
            for (size_t k = 0; reading && k < frame.shape_count; k++) {
                check_same(&frame.shapes[k], &kept.shapes[k]);
                CHECK(kept.shapes[k].rigid != NULL);
            }
            REQUIRE_OK(sn_scene_step(scene));
        }
        if (!reading) REQUIRE_OK(sn_io_export_close(e));
        if (!reading) *bytes = sn_io_export_bytes(e);
        sn_io_export_free(e);
        sn_scene_close(scene);
    }
    sn_io_cache_close(cache);
}

/* The vertices are in the file once, and a frame has a pose and a motion of each body; what is read
   has the bits of the scene. A body that changes its size has other vertices in every frame. */
TEST(caches_keep_vertices_once) {
    uint64_t few, many, changing;
    folder_clear(scratch);
    keep(scene_text, 4, &few);
    keep(scene_text, 8, &many);
    if (check_shows()) printf("%g bytes a frame\n", (double)(many - few) / 4);
    CHECK(many - few < 4 * 1024);
    keep("{\"version\": 1, \"colliders\": [{\"name\": \"a\", \"shape\": \"sphere\", "
         "\"angular_velocity\": [1, 2, 3], \"radius\": {\"keys\": [{\"time\": 0, \"value\": 1}, "
         "{\"time\": 1, \"value\": 2}]}}]}",
         4, &changing);
    CHECK(changing > 4 * 2562 * sizeof(sn_vec3));
}

/* What says that it follows a pose, and does not, is kept as it is. */
TEST(caches_believe_vertices) {
    const sn_io_pose pose = {{1, 2, 3}, {0, 0, 0, 1}};
    const sn_vec3 own[2] = {{0, 0, 0}, {1, 0, 0}}, x[2] = {{1, 2, 3}, {2, 2, (sn_real)3.5}};
    const sn_io_rigid rigid = {.vertex_count = 2, .vertices = own};
    const sn_io_shape shape = {
        .name = "a", .vertex_count = 2, .positions = x, .pose = &pose, .rigid = &rigid};
    sn_io_frame frame = {.shape_count = 1, .shapes = &shape};
    sn_io_cache *cache = NULL;
    char path[64];
    folder_clear(scratch);
    snprintf(path, sizeof path, "%s/demo.snc", scratch);
    sn_io_export *e = open_export(scratch, "cache");
    REQUIRE_OK(sn_io_export_frame(e, &frame));
    REQUIRE_OK(sn_io_export_close(e));
    sn_io_export_free(e);
    REQUIRE_OK(sn_io_cache_open(path, &cache));
    REQUIRE_OK(sn_io_cache_frame(cache, 0, &frame));
    CHECK(memcmp(frame.shapes[0].positions, x, sizeof x) == 0);
    CHECK(!frame.shapes[0].rigid && frame.shapes[0].pose && !frame.shapes[0].velocities);
    sn_io_cache_close(cache);
}

/* Others write vertices as ever. */
TEST(obj_has_vertices_in_the_world) {
    folder_clear(scratch);
    write_scene(scratch, "obj", NULL);
    double first[3], last[3];
    size_t size;
    for (int i = 0; i < 2; i++) {
        char *text = text_of(i == 0 ? "demo_0000.obj" : "demo_0011.obj", &size);
        double *x = i == 0 ? first : last;
        text[size - 1] = 0;
        const char *at = strstr(text, "\nv ");
        if (!CHECK(at && sscanf(at, "\nv %lf %lf %lf", &x[0], &x[1], &x[2]) == 3)) return;
        free(text);
    }
    CHECK(fabs(first[0] - last[0]) > 0.05);
}

/* A body that loses its pose for a frame is where its vertices are; one that had none at first
   keeps moving vertices. */
TEST(poses_may_come_and_go) {
    static const uint32_t triangle[1][3] = {{0, 1, 2}};
    const sn_vec3 x[3] = {{1, 2, 3}, {2, 2, 3}, {1, 3, 3}};
    const sn_io_pose pose = {{1, 2, 3}, {0, 0, 0, 1}};
    static const char *const formats[] = {"usda", "glb"};
    for (int f = 0; f < 4; f++) {
        bool first = f % 2 == 0;
        char path[64];
        folder_clear(scratch);
        sn_io_export *e = open_export(scratch, formats[f / 2]);
        for (int i = 0; i < 2; i++) {
            sn_io_shape s = {.name = "a",
                             .vertex_count = 3,
                             .positions = x,
                             .triangle_count = 1,
                             .triangles = triangle,
                             .pose = (i == 0) == first ? &pose : NULL};
            sn_io_frame frame = {.number = i, .time = i, .shape_count = 1, .shapes = &s};
            CHECK_OK(sn_io_export_frame(e, &frame));
        }
        CHECK_OK(sn_io_export_close(e));
        sn_io_export_free(e);
        sn_io_animation *a = NULL;
        sn_vec3 now[3];
        snprintf(path, sizeof path, "%s/demo.%s", scratch, formats[f / 2]);
        REQUIRE_OK(sn_io_animation_open(path, NULL, &a));
        for (int i = 0; i < 2; i++) {
            check_case("%s, first %d, frame %d", formats[f / 2], first, i);
            REQUIRE_OK(sn_io_animation_sample(a, i, now));
            CHECK_NEAR(now[1].x, 2, 1e-6);
            CHECK_NEAR(now[2].y, 3, 1e-6);
        }
        sn_io_animation_close(a);
    }
}

TEST(bad_poses_are_refused) {
    const sn_vec3 x[1] = {{0, 0, 0}};
    const sn_io_pose poses[3] = {
        {{NAN, 0, 0}, {0, 0, 0, 1}}, {{0, 0, 0}, {0, 0, 0, 0}}, {{0, 0, 0}, {0, 0, 0, NAN}}};
    folder_clear(scratch);
    sn_io_export *e = open_export(scratch, "usda");
    for (int i = 0; i < 3; i++) {
        sn_io_shape s = {.name = "a", .vertex_count = 1, .positions = x, .pose = &poses[i]};
        sn_io_frame frame = {.shape_count = 1, .shapes = &s};
        CHECK_FAILS(sn_io_export_frame(e, &frame), SN_ERROR_VALUE);
    }
    sn_io_export_free(e);
}

static void write_all(const char *folder) {
    char path[2][512], cache[600];
    snprintf(path[0], sizeof path[0], "%s/rigid", folder);
    snprintf(path[1], sizeof path[1], "%s/cached", folder);
    snprintf(cache, sizeof cache, "%s/demo.snc", path[0]);
    for (int i = 0; i < 2; i++) folder_clear(path[i]);
    write_scene(path[0], "cache", NULL);
    for (int i = 0; i < 2; i++) {
        FILE *expected = expected_begin(path[i], FPS);
        if (!expected) return;
        if (i == 0) {
            write_scene(path[0], "glb", expected);
            write_scene(path[0], "usda", NULL);
        } else {
            convert(cache, path[1], "glb");
            convert(cache, path[1], "usda");
            write_scene(path[0], "glb", expected);
        }
        expected_end(expected);
    }
}

int main(int argc, char **argv) {
    static const check_test tests[] = {
        RUN(rigid_bodies_are_transforms), RUN(turns_go_the_shorter_way),
        RUN(caches_have_poses),           RUN(caches_keep_vertices_once),
        RUN(caches_believe_vertices),     RUN(obj_has_vertices_in_the_world),
        RUN(poses_may_come_and_go),       RUN(bad_poses_are_refused)};
    if (argc == 3 && strcmp(argv[1], "--write") == 0) {
        write_all(argv[2]);
        return 0;
    }
    return check_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
