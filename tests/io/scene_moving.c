/* Colliders of scenes that move as a file says, and what is held at them. */
#include <sinew_io/cache.h>
#include <sinew_io/file.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "gltf_make.h"
#include "scene_make.h"

static void write_bytes(const char *path, const void *data, size_t size) {
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0) abort();
}

/* ---- A belt ---- */

enum { ROWS = 3, COLUMNS = 41 };

/* A sheet of 8 m by 2 m that goes along x within 4 s by 2 m, and becomes wider as it goes: its
   vertices at x go by 2 (1 + x / 10), so that no motion of the whole is the same. */
static void write_belt(const char *path) {
    static gltf g;
    float x[3 * ROWS * COLUMNS], way[3 * ROWS * COLUMNS];
    uint16_t triangles[6 * (ROWS - 1) * (COLUMNS - 1)];
    static const float times[] = {0, 4}, weights[] = {0, 1};
    size_t count = 0, size;
    for (size_t i = 0; i < ROWS * COLUMNS; i++) {
        float along = (float)(i % COLUMNS) / 5 - 4;
        x[3 * i] = along, x[3 * i + 1] = 0, x[3 * i + 2] = (float)(i / COLUMNS) - 1;
        way[3 * i] = 2 + along / 5, way[3 * i + 1] = way[3 * i + 2] = 0;
    }
    for (size_t i = 0; i + 1 < ROWS; i++)
        for (size_t j = 0; j + 1 < COLUMNS; j++) {
            const size_t a = COLUMNS * i + j,
                         corners[6] = {a, a + COLUMNS, a + 1, a + 1, a + COLUMNS, a + COLUMNS + 1};
            for (int k = 0; k < 6; k++) triangles[count++] = (uint16_t)corners[k];
        }
    gltf_begin(&g);
    gltf_reals(&g, "VEC3", ROWS * COLUMNS, x);
    gltf_reals(&g, "VEC3", ROWS * COLUMNS, way);
    gltf_shorts(&g, "SCALAR", count, triangles);
    gltf_reals(&g, "SCALAR", 2, times);
    gltf_reals(&g, "SCALAR", 2, weights);
    unsigned char *file =
        gltf_end(&g,
                 "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"name\":\"belt\",\"mesh\":0}],"
                 "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":2,"
                 "\"targets\":[{\"POSITION\":1}]}]}],"
                 "\"animations\":[{\"name\":\"run\",\"channels\":[{\"sampler\":0,\"target\":"
                 "{\"node\":0,\"path\":\"weights\"}}],\"samplers\":[{\"input\":3,\"output\":4}]}]",
                 &size);
    write_bytes(path, file, size);
    free(file);
}

#define BELT(friction, more)                                                                       \
    "{\"version\": 1, \"run\": {\"frames\": 120, \"fps\": 60},"                                    \
    "\"animations\": {\"conveyor\": {\"path\": \"belt.glb\", \"clip\": \"run\"}},"                 \
    "\"colliders\": [{\"name\": \"belt\", \"shape\": \"mesh\", \"two_sided\": true, "              \
    "\"static_friction\": " friction ", \"animation\": \"conveyor\"" more "}],"                    \
    "\"bodies\": [{\"name\": \"mat\", \"mesh\": {\"shape\": \"grid\", \"width\": 0.4, "            \
    "\"depth\": 0.4, \"columns\": 8, \"rows\": 8}, \"material\": \"cotton\", "                     \
    "\"position\": [0, 0.011, 0]}],"                                                               \
    "\"measure\": [{\"name\": \"mat\", \"nodes\": \"mat\", \"quantity\": \"velocity\"},"           \
    "{\"name\": \"at\", \"nodes\": \"mat\", \"quantity\": \"position\"}]}"

/* The mat takes the speed of what is under it: 0.5 m/s times 1 + x / 10, where x is what was there
   at the beginning, and with nothing that rubs none. */
TEST(a_mat_is_carried_by_a_belt_that_deforms) {
    write_belt("belt.glb");
    sn_scene *scene = scene_make(BELT("0.8", ""));
    scene_run_frames(scene, 90);
    /* Since it is carried from the beginning, it is on what was under its middle, x = 0. */
    CHECK_REL(scene_column_value(scene, "mat x [m/s]"), 0.5, 0.02);
    CHECK_REL(scene_column_value(scene, "at x [m]"), 0.75, 0.05);
    CHECK_NEAR(scene_column_value(scene, "mat y [m/s]"), 0, 0.01);
    sn_scene_close(scene);
    scene = scene_make(BELT("0", ""));
    scene_run_frames(scene, 90);
    CHECK_NEAR(scene_column_value(scene, "mat x [m/s]"), 0, 0.01);
    sn_scene_close(scene);
}

/* What is drawn of the belt is where it is, and as fast. */
TEST(frames_have_places_and_velocities) {
    sn_io_frame frame;
    write_belt("belt.glb");
    sn_scene *scene = scene_make(BELT("0.8", ", \"position\": [0, 0, 1]"));
    scene_run_frames(scene, 60);
    REQUIRE_OK(sn_scene_frame(scene, &frame));
    const sn_io_shape *belt = &frame.shapes[1];
    CHECK(frame.shape_count == 2 && strcmp(belt->name, "belt") == 0);
    CHECK(belt->vertex_count == ROWS * COLUMNS);
    /* The last column, x = 4, has gone a quarter of 2.8 m. */
    CHECK_NEAR(belt->positions[COLUMNS - 1].x, 4.7, 1e-5);
    CHECK_NEAR(belt->positions[COLUMNS - 1].z, 0, 1e-6);
    CHECK_NEAR(belt->velocities[COLUMNS - 1].x, 0.7, 1e-4);
    CHECK_NEAR(belt->velocities[0].x, 0.3, 1e-4);
    sn_scene_close(scene);
}

/* A run that goes on from a snapshot has the same bits. */
TEST(a_run_goes_on) {
    write_belt("belt.glb");
    sn_scene *whole = scene_make(BELT("0.8", "")), *second = scene_make(BELT("0.8", ""));
    scene_run_frames(whole, 20);
    REQUIRE_OK(sn_snapshot_save_file(sn_scene_world(whole), "scene_moving.snap"));
    REQUIRE_OK(sn_scene_resume(second, "scene_moving.snap"));
    scene_run_frames(whole, 10);
    scene_run_frames(second, 10);
    CHECK(sn_world_hash(sn_scene_world(whole)) == sn_world_hash(sn_scene_world(second)));
    sn_scene_close(whole);
    sn_scene_close(second);
    remove("scene_moving.snap");
}

/* Half the speed from a second on, as half of the way says; then the collider is moved and turned
   as a whole, too. */
TEST(start_speed_scale_and_motion) {
    sn_io_frame frame;
    write_belt("belt.glb");
    sn_scene *scene = scene_make(
        "{\"version\": 1, \"run\": {\"fps\": 60}, \"colliders\": [{\"name\": \"belt\", \"shape\": "
        "\"mesh\", \"two_sided\": true, \"scale\": 2, \"animation\": {\"path\": \"belt.glb\", "
        "\"start\": 1, \"speed\": 0.5, \"scale\": 0.1}}], \"motions\": [{\"collider\": \"belt\", "
        "\"keys\": [{\"time\": 0}, {\"time\": 2, \"position\": [0, 3, 0], "
        "\"rotation\": {\"axis\": [0, 1, 0], \"angle\": 1.5707963}}]}]}");
    scene_run_frames(scene, 60);
    REQUIRE_OK(sn_scene_frame(scene, &frame));
    CHECK_NEAR(frame.shapes[0].velocities[COLUMNS].y, 0, 1e-6);
    scene_run_frames(scene, 60);
    REQUIRE_OK(sn_scene_frame(scene, &frame));
    /* The middle of the row at z = 0: 2 m in 4 s at half the speed for a second, times 0.2. */
    sn_vec3 x = frame.shapes[0].positions[COLUMNS + COLUMNS / 2];
    CHECK_NEAR(x.x, 0, 1e-5);
    CHECK_NEAR(x.y, 3, 1e-5);
    CHECK_NEAR(x.z, -0.05, 1e-5);
    sn_scene_close(scene);
}

/* ---- What is held ---- */

/* Nodes, and a body that follows, stay on what they are nearest to: at x = 2, the belt goes by 0.6
   m/s. */
TEST(what_is_held_goes_along) {
    write_belt("belt.glb");
    sn_scene *scene = scene_make(
        "{\"version\": 1, \"settings\": {\"gravity\": [0, 0, 0]}, \"colliders\": [{\"name\": "
        "\"belt\", \"shape\": \"mesh\", \"two_sided\": true, \"animation\": {\"path\": "
        "\"belt.glb\"}}],"
        "\"nodes\": [{\"name\": \"flag\", \"position\": [2, 0.3, 0.2], \"mass\": 0.01}],"
        "\"bodies\": [{\"name\": \"rug\", \"mesh\": {\"shape\": \"grid\", \"width\": 0.2, "
        "\"depth\": 0.2, \"columns\": 2, \"rows\": 2}, \"material\": \"cotton\", "
        "\"position\": [-3, 0.1, 0]}],"
        "\"attachments\": [{\"nodes\": \"flag\", \"collider\": \"belt\"}],"
        "\"animation_targets\": [{\"body\": \"rug\", \"collider\": \"belt\", "
        "\"max_distance\": 0.001}],"
        "\"measure\": [{\"name\": \"flag\", \"nodes\": \"flag\"}, {\"name\": \"rug\", \"nodes\": "
        "{\"body\": \"rug\", \"vertices\": [4]}}]}");
    scene_run_frames(scene, 60);
    CHECK_NEAR(scene_column_value(scene, "flag x [m]"), 2.6, 1e-3);
    CHECK_NEAR(scene_column_value(scene, "flag y [m]"), 0.3, 1e-3);
    CHECK_NEAR(scene_column_value(scene, "rug x [m]"), -3 + 0.35, 2e-3);
    CHECK_NEAR(scene_column_value(scene, "rug y [m]"), 0.1, 2e-3);
    sn_scene_close(scene);
}

/* ---- Point caches ---- */

TEST(a_point_cache_moves_the_mesh_of_a_collider) {
    static const float points[2][4][3] = {{{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {1, 0, 1}},
                                          {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {1, 2, 1}}};
    unsigned char file[32 + sizeof points] = "POINTCACHE2";
    const uint32_t head[2] = {1, 4}, samples = 2;
    const float frames[2] = {0, 30};
    sn_io_frame frame;
    memcpy(file + 12, head, 8);
    memcpy(file + 20, frames, 8);
    memcpy(file + 28, &samples, 4);
    memcpy(file + 32, points, sizeof points);
    write_bytes("points.pc2", file, sizeof file);
    sn_scene *scene = scene_make(
        "{\"version\": 1, \"run\": {\"fps\": 60}, \"colliders\": [{\"name\": \"patch\", "
        "\"shape\": \"mesh\", \"two_sided\": true, \"mesh\": {\"shape\": \"points\", "
        "\"positions\": [[0,0,0], [0,0,1], [1,0,0], [1,0,1]], \"triangles\": [[0,1,2], [2,1,3]]}, "
        "\"animation\": {\"path\": \"points.pc2\", \"fps\": 30, \"repeat\": true}}]}");
    scene_run_frames(scene, 90);
    REQUIRE_OK(sn_scene_frame(scene, &frame));
    /* 1.5 s, of which the second begins again. */
    CHECK_NEAR(frame.shapes[0].positions[3].y, 1, 1e-5);
    CHECK_NEAR(frame.shapes[0].positions[0].y, 0.5, 1e-5);
    CHECK_NEAR(frame.shapes[0].velocities[3].y, 2, 1e-4);
    sn_scene_close(scene);
    remove("points.pc2");
}

/* ---- What is wrong ---- */

TEST(what_is_wrong_is_said) {
    static const struct {
        const char *collider, *more, *part;
    } scenes[] = {
        {"\"animation\": {\"path\": \"none.glb\"}", "", "colliders[0].animation.path: "},
        {"\"animation\": {\"path\": \"../belt.glb\"}", "", "is outside the folder of the scene"},
        {"\"animation\": {\"path\": \"belt.glb\", \"clip\": \"walk\"}", "",
         "it has no animation \"walk\", only \"run\""},
        {"\"animation\": {\"path\": \"belt.obj\"}", "",
         "\"belt.obj\" has no extension of an animation"},
        {"\"animation\": \"conveyer\"", "", "colliders[0].animation: "},
        {"\"animation\": {\"path\": \"belt.glb\", \"speed\": -1}", "", "speed: is -1"},
        {"\"animation\": {\"path\": \"belt.glb\"}, \"velocity\": [1, 0, 0]", "",
         "has an animation and a velocity"},
        {"\"mesh\": {\"shape\": \"sphere\"}, \"animation\": {\"path\": \"belt.glb\"}", "",
         "a mesh is given, and"},
        {"\"animation\": {\"path\": \"belt.glb\"}",
         ", \"nodes\": [{\"name\": \"a\"}], \"attachments\": [{\"nodes\": \"a\", \"collider\": "
         "\"belt\", \"from\": 1}]",
         "attachments[0].from: is 1 s, expected 0"},
        {"\"animation\": {\"path\": \"belt.glb\"}",
         ", \"bodies\": [{\"name\": \"b\", \"mesh\": {\"shape\": \"grid\"}, \"material\": "
         "\"cotton\"}], \"animation_targets\": [{\"body\": \"b\", \"collider\": \"c\"}]",
         "there is no collider \"c\" with an animation"}};
    write_belt("belt.glb");
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        char text[2000];
        sn_scene *scene = NULL;
        snprintf(text, sizeof text,
                 "{\"version\": 1, \"colliders\": [{\"name\": \"belt\", \"shape\": \"mesh\", "
                 "\"two_sided\": true, %s}]%s}",
                 scenes[i].collider, scenes[i].more);
        check_case("%s", scenes[i].part);
        CHECK_FAILS(scene_try(text, NULL, &scene), SN_ERROR_DATA);
        if (!CHECK(strstr(sn_last_error(), scenes[i].part) &&
                   strstr(sn_last_error(), "scene.json:1:")))
            printf("found: %s\n", sn_last_error());
    }
    sn_scene *scene = NULL;
    CHECK_FAILS(scene_try("{\"version\": 1, \"colliders\": [{\"name\": \"a\", \"shape\": "
                          "\"sphere\", \"animation\": {\"path\": \"belt.glb\"}}]}",
                          NULL, &scene),
                SN_ERROR_DATA);
    CHECK(strstr(sn_last_error(), "means nothing for this shape"));
    remove("belt.glb");
}

TESTS(RUN(a_mat_is_carried_by_a_belt_that_deforms), RUN(frames_have_places_and_velocities),
      RUN(a_run_goes_on), RUN(start_speed_scale_and_motion), RUN(what_is_held_goes_along),
      RUN(a_point_cache_moves_the_mesh_of_a_collider), RUN(what_is_wrong_is_said))
