/* Values of scenes that change by keys or by expressions of the time: what they are in each frame,
   what materials make of them, and that a run which goes on from a snapshot does the same. */
#include <math.h>
#include <sinew_io/scene.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "scene_make.h"

static sn_settings settings_of(sn_scene *scene) {
    sn_settings settings = sn_settings_default();
    REQUIRE_OK(sn_world_get_settings(sn_scene_world(scene), &settings));
    return settings;
}

/* A frame begins at its number over 60, and a step has what the value is then. */
TEST(settings_follow_expressions) {
    sn_scene *scene = scene_make(
        "{\"version\": 1, \"parameters\": {\"most\": 4}, \"settings\": {\"gravity\": [0, "
        "\"=-9.81 * step(0.1, t)\", \"=most * t ^ 2\"], \"damping\": \"=exp(-t)\"}}");
    for (int i = 0; i < 60; i++) {
        double t = i / 60.0;
        scene_run_frames(scene, 1);
        sn_settings now = settings_of(scene);
        CHECK_NEAR((double)now.gravity.y, t < 0.1 ? 0 : -9.81, 1e-6);
        CHECK_NEAR((double)now.gravity.z, 4 * t * t, 1e-6);
        CHECK_NEAR((double)now.damping, exp(-t), 1e-7);
    }
    sn_scene_close(scene);
}

TEST(settings_follow_keys) {
    static const struct {
        const char *how;
        double at[5]; /* at 0, 0.1, 0.35, 0.5 and 0.9 s */
    } rows[] = {{"", {1, 1, 3, 5, 5}},
                {", \"interpolation\": \"smooth\"", {1, 1, 3, 5, 5}},
                {", \"interpolation\": \"step\"", {1, 1, 1, 5, 5}},
                {", \"repeat\": true", {1, 1, 3, 1, 1}}};
    static const int frames[] = {0, 6, 21, 30, 54};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[512];
        check_case("%s", rows[i].how);
        snprintf(text, sizeof text,
                 "{\"version\": 1, \"settings\": {\"damping\": {\"keys\": [{\"time\": 0.2, "
                 "\"value\": 1}, {\"time\": 0.5, \"value\": 5}]%s}, \"wind\": {\"keys\": "
                 "[{\"time\": 0, \"value\": [0, 1, 2]}, {\"time\": 1, \"value\": [4, 1, 0]}]}}}",
                 rows[i].how);
        sn_scene *scene = scene_make(text);
        for (int frame = 0, k = 0; k < 5; frame++) {
            scene_run_frames(scene, 1);
            if (frame != frames[k]) continue;
            double repeated = frame == 54 && i == 3 ? 1 + 4.0 / 3 : rows[i].at[k];
            CHECK_NEAR((double)settings_of(scene).damping, repeated, 1e-5);
            CHECK_NEAR((double)settings_of(scene).wind.x, 4 * frame / 60.0, 1e-5);
            CHECK_NEAR((double)settings_of(scene).wind.z, 2 - 2 * frame / 60.0, 1e-5);
            k++;
        }
        sn_scene_close(scene);
    }
}

/* What lengths, forces, radii and pairs of surfaces are after a second. */
TEST(constraints_colliders_and_forces_follow) {
    sn_scene *scene = scene_make(
        "{\"version\": 1, \"settings\": {\"gravity\": [0, 0, 0], \"substeps\": 20},"
        " \"nodes\": [{\"name\": \"a\", \"mass\": \"auto\"}, {\"name\": \"b\", \"position\": [1, "
        "0, 0], \"mass\": 2}, {\"name\": \"c\", \"position\": [0, 5, 0], \"mass\": 2}],"
        " \"constraints\": [{\"type\": \"distance\", \"nodes\": [\"a\", \"b\"], \"rest_length\": "
        "\"=1 + t\"}], \"forces\": [{\"nodes\": \"c\", \"force\": [\"=6 * t\", 0, 0]}],"
        " \"colliders\": [{\"name\": \"ball\", \"shape\": \"sphere\", \"position\": [0, -9, 0], "
        "\"radius\": \"=0.5 + t\", \"static_friction\": \"=0.2 + t\"}],"
        " \"surfaces\": [{\"between\": [\"x\", \"y\"], \"restitution\": \"=t / 2\"}]}");
    double v = 0;
    for (int i = 0; i < 60; i++) {
        scene_run_frames(scene, 1);
        v += 6 * (i / 60.0) / 2 / 60;
    }
    CHECK_NEAR((double)scene_node_at(scene, 1).position.x, 1 + 59 / 60.0, 1e-5);
    CHECK_NEAR((double)scene_node_at(scene, 2).velocity.x, v, 1e-5);
    sn_contact_pair_def pair = sn_contact_pair_def_default();
    REQUIRE_OK(sn_world_get_contact_pair(sn_scene_world(scene), 1, 2, &pair));
    CHECK_NEAR((double)pair.restitution, 59 / 120.0, 1e-6);
    sn_io_frame frame;
    REQUIRE_OK(sn_scene_frame(scene, &frame));
    double lowest = 0;
    for (size_t i = 0; i < frame.shape_count; i++)
        for (size_t k = 0; k < frame.shapes[i].vertex_count; k++)
            lowest = fmin(lowest, (double)frame.shapes[i].positions[k].y);
    CHECK_NEAR(lowest, -9 - 0.5 - 59 / 60.0, 0.02);
    sn_scene_close(scene);
}

/* Strength by an expression, place by keys, and groups: one is pushed more and more, one is near
   until the field has gone past it, one is of another group. */
TEST(effectors_follow) {
    sn_scene *scene = scene_make(
        "{\"version\": 1, \"settings\": {\"gravity\": [0, 0, 0], \"substeps\": 1},"
        " \"nodes\": [{\"name\": \"a\"}, {\"name\": \"b\", \"position\": [9, 0, 0]}, {\"name\": "
        "\"c\", \"group\": 1}], \"effectors\": [{\"kind\": \"directional\", \"axis\": [0, 2, 0], "
        "\"strength\": \"=6 * t\", \"max_distance\": 5, \"groups\": [0]}, {\"kind\": "
        "\"directional\", \"axis\": [0, 0, 1], \"strength\": 3, \"max_distance\": 2, \"position\": "
        "{\"keys\": [{\"time\": 0, \"value\": [9, 0, 0]}, {\"time\": 0.5, \"value\": [14, 0, 0]}]}}"
        "]}");
    double v = 0;
    for (int i = 0; i < 60; i++) {
        scene_run_frames(scene, 1);
        v += 6 * (i / 60.0) / 60;
    }
    CHECK_NEAR((double)scene_node_at(scene, 0).velocity.y, v, 1e-5);
    CHECK(scene_node_at(scene, 2).velocity.y == 0);
    /* It is nearer than 2 m for frames 0 to 11, at 10 m/s. */
    CHECK_NEAR((double)scene_node_at(scene, 1).velocity.z, 3 * 12 / 60.0, 1e-5);
    sn_scene_close(scene);
}

/* A weight on a rope whose modulus changes: it hangs by m g L / (E A) lower. */
TEST(ropes_become_softer) {
    sn_scene *scene = scene_make(
        "{\"version\": 1, \"settings\": {\"substeps\": 50, \"damping\": 6},"
        " \"bodies\": [{\"name\": \"rope\", \"mesh\": {\"shape\": \"rope\", \"end\": [0, -1, 0], "
        "\"segments\": 1}, \"pins\": [0], \"material\": {\"kind\": \"rope\", \"radius\": 0.01, "
        "\"density\": 20000, \"damping\": 0.05, \"young\": {\"keys\": [{\"time\": 2, \"value\": "
        "4e6}, {\"time\": 3, \"value\": 1e6}]}}}]}");
    double weight = 0.5 * 3.14159265 * 1e-4 * 20000 * 9.81, area = 3.14159265 * 1e-4;
    scene_run_frames(scene, 120);
    CHECK_NEAR((double)scene_node_at(scene, 1).position.y, -1 - weight / (4e6 * area), 1e-4);
    scene_run_frames(scene, 180);
    CHECK_NEAR((double)scene_node_at(scene, 1).position.y, -1 - weight / (1e6 * area), 2e-4);
    sn_scene_close(scene);
}

/* A closed sheet has the volume that it is told to have. */
TEST(balls_are_inflated) {
    sn_scene *scene = scene_make(
        "{\"version\": 1, \"settings\": {\"gravity\": [0, 0, 0], \"damping\": 5, \"substeps\": "
        "20}, \"bodies\": [{\"name\": \"ball\", \"mesh\": {\"shape\": \"sphere\", \"level\": 2}, "
        "\"material\": {\"kind\": \"cloth\", \"stretch_stiffness\": 0.1, \"pressure\": \"=1 + "
        "clamp(t, 0, 1)\"}}]}");
    double volume[2];
    for (int k = 0; k < 2; k++) {
        sn_io_frame frame;
        double six = 0;
        REQUIRE_OK(sn_scene_frame(scene, &frame));
        const sn_io_shape *shape = &frame.shapes[0];
        for (size_t i = 0; i < shape->triangle_count; i++) {
            sn_vec3 a = shape->positions[shape->triangles[i][0]],
                    b = shape->positions[shape->triangles[i][1]],
                    c = shape->positions[shape->triangles[i][2]];
            six += (double)(a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) +
                            a.z * (b.x * c.y - b.y * c.x));
        }
        volume[k] = six / 6;
        scene_run_frames(scene, k == 0 ? 120 : 0);
    }
    CHECK_NEAR(volume[1] / volume[0], 2, 1e-3);
    sn_scene_close(scene);
}

static const char everything[] =
    "{\"version\": 1, \"settings\": {\"gravity\": [\"=noise(3 * t)\", -9.81, 0], \"substeps\": 5, "
    "\"air_density\": 1.2, \"wind\": [\"=5 * sin(t)\", 0, 0]},"
    " \"bodies\": [{\"name\": \"flag\", \"mesh\": {\"shape\": \"grid\", \"columns\": 4, \"rows\": "
    "4}, \"pins\": [\"left\"], \"material\": {\"kind\": \"cloth\", \"stretch_stiffness\": \"=100 + "
    "900 * t\", \"bending_stiffness\": \"=1e-4 * (1 + t)\", \"stretch_damping\": \"=0.001 * (1 + "
    "t)\", \"drag\": \"=1 + t\"}}],"
    " \"colliders\": [{\"name\": \"ball\", \"shape\": \"sphere\", \"radius\": \"=0.2 + 0.2 * t\", "
    "\"position\": [0, -0.5, 0]}], \"damping_groups\": [{\"nodes\": \"flag\", \"damping\": "
    "\"=t\"}], \"effectors\": [{\"kind\": \"vortex\", \"position\": [\"=t\", 0, 0], \"strength\": "
    "3, \"falloff\": 1.5}]}";

TEST(runs_go_on_from_snapshots) {
    const char *path = "scene_changes.snap";
    sn_scene *scene = scene_make(everything), *later = scene_make(everything);
    scene_run_frames(scene, 20);
    REQUIRE_OK(sn_snapshot_save_file(sn_scene_world(scene), path));
    REQUIRE_OK(sn_scene_resume(later, path));
    remove(path);
    scene_run_frames(scene, 20);
    scene_run_frames(later, 20);
    CHECK(sn_world_hash(sn_scene_world(scene)) == sn_world_hash(sn_scene_world(later)));
    sn_scene_close(scene);
    sn_scene_close(later);
}

/* A recording has what changed, and gives the same bits. */
TEST(recordings_have_changes) {
    const char *path = "scene_changes.rec";
    sn_scene *scene = scene_make(everything);
    sn_replay_report report = {0};
    REQUIRE_OK(sn_recording_start(sn_scene_world(scene), path));
    scene_run_frames(scene, 20);
    REQUIRE_OK(sn_recording_stop(sn_scene_world(scene)));
    sn_world *world = NULL;
    sn_world_def def = sn_world_def_default();
    REQUIRE_OK(sn_world_create(&def, &world));
    REQUIRE_OK(sn_replay_file(world, path, &report));
    CHECK(sn_world_hash(sn_scene_world(scene)) == sn_world_hash(world));
    remove(path);
    sn_world_destroy(world);
    sn_scene_close(scene);
}

/* The call that materials change by: all constraints of a body, each by its own value. */
TEST(fields_of_bodies_are_scaled) {
    sn_scene *scene = scene_make(
        "{\"version\": 1, \"bodies\": [{\"name\": \"net\", \"mesh\": {\"shape\": \"rope\", "
        "\"segments\": 2}, \"material\": {\"kind\": \"rope\", \"young\": 1e6}}]}");
    sn_world *world = sn_scene_world(scene);
    sn_scene_body body;
    CHECK(sn_scene_body_at(scene, 0, &body));
    sn_constraint made[2];
    for (int i = 0; i < 2; i++) {
        sn_distance_def def = sn_distance_def_default();
        def.node[0] = body.nodes[i];
        def.node[1] = body.nodes[i + 1];
        def.compliance = (sn_real)(i + 1) / 1024;
        REQUIRE_OK(sn_constraint_create(world, SN_TYPE_DISTANCE, &def, &made[i]));
    }
    size_t count = 0;
    CHECK_OK(sn_body_scale_field(world, body.body, SN_TYPE_DISTANCE, "compliance", 4, &count));
    CHECK(count == 4);
    /* What is automatic, as a break force that is none, stays so. */
    CHECK_OK(sn_body_scale_field(world, body.body, SN_TYPE_DISTANCE, "break_force", 4, NULL));
    for (int i = 0; i < 2; i++) {
        sn_real value[3];
        CHECK_OK(sn_constraint_get_field(world, made[i], "compliance", value));
        CHECK(value[0] == (sn_real)(i + 1) / 256);
        CHECK_OK(sn_constraint_get_field(world, made[i], "break_force", value));
        CHECK(value[0] == SN_AUTO);
    }
    CHECK_FAILS(sn_body_scale_field(world, body.body, SN_TYPE_DISTANCE, "compliance", 0, NULL),
                SN_ERROR_VALUE);
    CHECK_FAILS(sn_body_scale_field(world, body.body, SN_TYPE_DISTANCE, "side", 2, NULL),
                SN_ERROR_VALUE);
    CHECK_FAILS(sn_body_scale_field(world, body.body, SN_TYPE_DISTANCE, "stiffness", 2, NULL),
                SN_ERROR_VALUE);
    CHECK_FAILS(sn_body_scale_field(world, body.body, SN_TYPE_DISTANCE, "softness", 2, NULL),
                SN_ERROR_NAME);
    sn_scene_close(scene);
}

/* ---- Substeps that are chosen ---- */

/* A sheet of 1 m and 0.2 kg that is held by a corner, and what comes with it. */
static int substeps_with(const char *more) {
    char text[2000];
    snprintf(text, sizeof text,
             "{\"version\": 1, \"run\": {\"frames\": 60, \"fps\": 60}, \"bodies\": [{\"name\": "
             "\"cloth\", "
             "\"mesh\": {\"shape\": \"grid\", \"width\": 1, \"depth\": 1, \"columns\": 20, "
             "\"rows\": 20}, "
             "\"material\": {\"kind\": \"cloth\", \"preset\": \"cotton\", \"area_density\": 0.2}, "
             "\"pins\": \"corner_0\"}]%s}",
             more);
    sn_scene *scene = scene_make(text);
    sn_settings settings = sn_settings_default();
    REQUIRE_OK(sn_world_get_settings(sn_scene_world(scene), &settings));
    sn_scene_close(scene);
    return settings.substeps;
}

/* By expressions, by keys and by actions, and by what throws it: as for one that blows always. */
TEST(substeps_are_enough_for_the_wind_to_come) {
    int strong = substeps_with(", \"settings\": {\"air_density\": 1, \"wind\": [12, 0, 0]}");
    CHECK(substeps_with("") < strong);
    CHECK(substeps_with(", \"settings\": {\"air_density\": 1, \"wind\": [\"=12 * t\", 0, 0]}") ==
          strong);
    CHECK(substeps_with(", \"settings\": {\"air_density\": 1, \"wind\": {\"keys\": [{\"time\": 0, "
                        "\"value\": [0, 0, 0]}, {\"time\": 0.5, \"value\": [0, 0, 12]}]}}") ==
          strong);
    CHECK(substeps_with(", \"settings\": {\"air_density\": 1}, \"actions\": [{\"time\": 0.5, "
                        "\"settings\": {\"wind\": [0, 12, 0]}}]") == strong);
    CHECK(substeps_with(", \"actions\": [{\"time\": 0.5, \"velocity\": {\"nodes\": \"cloth\", "
                        "\"value\": [0, 12, 0]}}]") == strong);
}

/* A weight that is as heavy as the cloth takes twice as many. */
TEST(substeps_are_enough_for_weights) {
    static const char node[] =
        ", \"nodes\": [{\"name\": \"weight\", \"mass\": %g, \"position\": [0.5, 0, 0.5]}], "
        "\"constraints\": [{\"type\": \"distance\", \"nodes\": [\"cloth.corner_3\", \"weight\"]}]";
    char light[400], heavy[400];
    snprintf(light, sizeof light, node, 1e-6);
    snprintf(heavy, sizeof heavy, node, 0.2);
    int fall = substeps_with(light);
    CHECK(fall == substeps_with("") && abs(substeps_with(heavy) - 2 * fall) <= 4);
    static const char ball[] = ", \"colliders\": [{\"name\": \"ball\", \"shape\": \"sphere\", "
                               "\"radius\": 0.1, \"position\": [0, 1, 0], \"mass\": %g}]";
    snprintf(light, sizeof light, ball, 1e-6);
    snprintf(heavy, sizeof heavy, ball, 0.3);
    CHECK(abs(substeps_with(heavy) - 2 * substeps_with(light)) <= 4);
}

TESTS(RUN(fields_of_bodies_are_scaled), RUN(settings_follow_expressions), RUN(settings_follow_keys),
      RUN(constraints_colliders_and_forces_follow), RUN(effectors_follow), RUN(ropes_become_softer),
      RUN(balls_are_inflated), RUN(runs_go_on_from_snapshots), RUN(recordings_have_changes),
      RUN(substeps_are_enough_for_the_wind_to_come), RUN(substeps_are_enough_for_weights))
