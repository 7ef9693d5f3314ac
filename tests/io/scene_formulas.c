/* Constraints of a scene's own: they are what the listed ones are, with sides, compliance, forces
   and names, in snapshots and recordings; and what is refused. */
#include <math.h>
#include <sinew_io/scene.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "scene_make.h"

/* A pendulum of two rods, by either type. */
static void make_pendulum(char *text, size_t size, const char *first, const char *second) {
    snprintf(text, size,
             "{\"version\": 1, \"settings\": {\"substeps\": 20}, \"nodes\": [{\"name\": \"top\", "
             "\"mass\": \"auto\"}, {\"name\": \"mid\", \"position\": [1, 0, 0]}, {\"name\": "
             "\"end\", \"position\": [2, 0.5, 0], \"mass\": 2}], \"constraints\": [{%s, \"nodes\": "
             "[\"top\", \"mid\"]}, {%s, \"nodes\": [\"mid\", \"end\"], \"compliance\": 1e-4, "
             "\"damping\": 10}]}",
             first, second);
}

TEST(a_distance_is_a_distance) {
    char text[2][1024];
    make_pendulum(text[0], sizeof text[0], "\"type\": \"distance\"",
                  "\"type\": \"distance\", \"rest_length\": 1.2");
    make_pendulum(text[1], sizeof text[1],
                  "\"type\": \"formula\", \"expression\": \"distance(a, b) - 1\"",
                  "\"type\": \"formula\", \"expression\": \"length(there - here) - 1.2\", "
                  "\"names\": [\"here\", \"there\"]");
    sn_scene *listed = scene_make(text[0]), *own = scene_make(text[1]);
    scene_run_frames(listed, 60);
    scene_run_frames(own, 60);
    for (size_t i = 0; i < 3; i++) {
        sn_vec3 a = scene_node_at(listed, i).position, b = scene_node_at(own, i).position;
        CHECK_NEAR((double)a.x, (double)b.x, 1e-4);
        CHECK_NEAR((double)a.y, (double)b.y, 1e-4);
    }
    sn_scene_close(listed);
    sn_scene_close(own);
}

/* A ball on a floor that is a formula: its force is the weight, and it only pushes. Substeps are
   long, so that places of the world, which are floats, are fine beside h^2 g. */
TEST(sides_and_forces_are_those_of_others) {
    sn_scene *scene = scene_make(
        "{\"version\": 1, \"settings\": {\"substeps\": 2}, \"parameters\": {\"height\": 0.5}, "
        "\"nodes\": [{\"name\": \"ball\", \"position\": [0, 1, 0], \"mass\": 3}], "
        "\"constraints\": [{\"name\": \"floor\", \"type\": \"formula\", \"expression\": \"a.y - "
        "height\", \"side\": \"at_least\", \"nodes\": [\"ball\"]}], \"measure\": [{\"name\": "
        "\"push\", \"constraint\": \"floor\", \"quantity\": \"force\"}]}");
    scene_run_frames(scene, 5);
    CHECK_NEAR(scene_column_value(scene, "push [N]"), 0, 0);
    scene_run_frames(scene, 200);
    CHECK_NEAR((double)scene_node_at(scene, 0).position.y, 0.5, 1e-5);
    CHECK_NEAR(fabs(scene_column_value(scene, "push [N]")), 3 * 9.81, 0.01);
    sn_scene_close(scene);
}

/* A bead on a circle that grows with the time stays on it; compliance changes as that of others. */
TEST(formulas_depend_on_time) {
    sn_scene *scene = scene_make(
        "{\"version\": 1, \"settings\": {\"gravity\": [0, 0, 0]}, \"nodes\": [{\"name\": "
        "\"bead\", \"position\": [0, 1, 0]}], \"constraints\": [{\"type\": \"formula\", "
        "\"expression\": \"length(a) - 1 - 0.5 * t\", \"nodes\": [\"bead\"]}]}");
    scene_run_frames(scene, 61);
    CHECK_NEAR((double)scene_node_at(scene, 0).position.y, 1.5, 1e-5);
    sn_scene_close(scene);
}

static const char several[] =
    "{\"version\": 1, \"nodes\": [{\"name\": \"top\", \"mass\": \"auto\"}, {\"name\": \"x\", "
    "\"position\": [1, 0, 0]}, {\"name\": \"y\", \"position\": [0, 0, 1]}], \"constraints\": ["
    "{\"type\": \"formula\", \"expression\": \"distance(a, b) - 1\", \"nodes\": [\"top\", "
    "\"x\"]}, {\"type\": \"formula\", \"expression\": \"distance(a, b) - 1\", \"nodes\": "
    "[\"top\", \"y\"]}, {\"name\": \"corner\", \"type\": \"formula\", \"expression\": \"dot(b - a, "
    "c - a) - 0.1 * sin(t)\", \"nodes\": [\"top\", \"x\", \"y\"]}], \"actions\": [{\"time\": 0.5, "
    "\"constraint\": {\"corner\": {\"compliance\": 0.01}}}]}";

TEST(runs_go_on_from_snapshots) {
    const char *path = "scene_formulas.snap";
    sn_scene *scene = scene_make(several), *later = scene_make(several);
    CHECK(sn_world_constraint_count(sn_scene_world(scene), SN_TYPE_COUNT) == 3);
    scene_run_frames(scene, 20);
    REQUIRE_OK(sn_snapshot_save_file(sn_scene_world(scene), path));
    REQUIRE_OK(sn_scene_resume(later, path));
    scene_run_frames(scene, 30);
    scene_run_frames(later, 30);
    CHECK(sn_world_hash(sn_scene_world(scene)) == sn_world_hash(sn_scene_world(later)));
    /* A world that does not know the formulas says which are missing. */
    sn_world *world = NULL;
    REQUIRE_OK(sn_world_create(NULL, &world));
    CHECK(sn_snapshot_load_file(world, path) != SN_OK);
    CHECK(strstr(sn_last_error(), "no constraint type \"formula: distance(a, b) - 1\"") != NULL);
    remove(path);
    sn_world_destroy(world);
    sn_scene_close(scene);
    sn_scene_close(later);
}

/* A recording is repeated in the world of the scene, which has the types. */
TEST(recordings_are_repeated) {
    const char *path = "scene_formulas.rec";
    sn_scene *scene = scene_make(several), *again = scene_make(several);
    sn_replay_report report = {0};
    REQUIRE_OK(sn_recording_start(sn_scene_world(scene), path));
    scene_run_frames(scene, 20);
    REQUIRE_OK(sn_recording_stop(sn_scene_world(scene)));
    REQUIRE_OK(sn_replay_file(sn_scene_world(again), path, &report));
    CHECK(report.steps == 20 && !report.differs);
    remove(path);
    sn_scene_close(scene);
    sn_scene_close(again);
}

TESTS(RUN(a_distance_is_a_distance), RUN(sides_and_forces_are_those_of_others),
      RUN(formulas_depend_on_time), RUN(runs_go_on_from_snapshots), RUN(recordings_are_repeated))
