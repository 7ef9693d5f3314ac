/*
 * What happens in a scene over time: motions, forces and actions, each at its frame whatever the
 * rate, and a run that goes on from a snapshot as if it had never stopped.
 */
#include <math.h>
#include <sinew_io/file.h>
#include <sinew_io/scene.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "scene_make.h"

static const char scratch[] = "scene_run_scratch";

/* ---- Memory ---- */

/* Counts what is held. */
static void *count_memory(void *user, void *pointer, size_t old_size, size_t new_size) {
    sn_allocator below = sn_allocator_default();
    *(size_t *)user += new_size - old_size;
    return below.reallocate(below.user, pointer, old_size, new_size);
}

TEST(worlds_have_the_allocator_of_the_definition) {
    size_t held = 0;
    sn_scene_def def = sn_scene_def_default();
    sn_scene *scene;
    def.path = "mine.json";
    def.text = "{\"version\": 1, \"nodes\": [{\"position\": [0, 1, 0]}]}";
    def.length = strlen(def.text);
    def.allocator = (sn_allocator){count_memory, &held};
    CHECK(sn_scene_open(&def, &scene) == SN_OK);
    scene_run_frames(scene, 2);
    sn_stats stats;
    CHECK(sn_world_stats(sn_scene_world(scene), &stats) == SN_OK);
    CHECK(held > 0 && held == stats.memory);
    sn_scene_close(scene);
    CHECK(held == 0);
}

/* ---- Motions ---- */

/* A kinematic node, and a motion of it, at 10 frames per second. */
static sn_scene *make_motion(const char *motion) {
    char text[900];
    snprintf(text, sizeof text,
             "{\"version\": 1, \"run\": {\"fps\": 10}, \"nodes\": [{\"name\": \"peg\","
             "\"position\": [1, 2, 3], \"mass\": \"auto\", \"oriented\": true,"
             "\"inverse_inertia\": [0, 0, 0]}], \"motions\": [{\"nodes\": \"peg\", %s}]}",
             motion);
    return scene_make(text);
}

static void check_path(const char *name, const char *motion, const double *x, int frames) {
    sn_scene *s = make_motion(motion);
    for (int i = 0; i < frames; i++) {
        check_case("%s, frame %d", name, i + 1);
        scene_run_frames(s, 1);
        CHECK_NEAR(scene_node_at(s, 0).position.x, 1 + x[i], 1e-6);
        CHECK_NEAR(scene_node_at(s, 0).position.y, 2, 1e-6);
    }
    sn_scene_close(s);
}

/* Nothing is built, so that it is done at once however large the scene is. */
TEST(an_outline_is_what_the_file_says_of_itself) {
    const char *text =
        "{\"version\": 1, \"title\": \"t\", \"run\": {\"frames\": 7}, \"parameters\": "
        "{\"size\": {\"value\": 3}}, \"bodies\": [{\"name\": \"a\", \"mesh\": \"b\", \"material\": "
        "\"denim\"}]}";
    sn_scene_def def = sn_scene_def_default();
    sn_scene *scene;
    sn_scene_parameter p;
    sn_node_view view;
    def.path = "outline.json";
    def.text = text;
    def.length = strlen(text);
    CHECK_FAILS(sn_scene_open(&def, &scene), SN_ERROR_DATA);
    def.outline = true;
    REQUIRE_OK(sn_scene_open(&def, &scene));
    CHECK(strcmp(sn_scene_title(scene), "t") == 0 && sn_scene_frames(scene) == 7);
    CHECK(sn_scene_parameter_at(scene, 0, &p) && p.number == 3);
    REQUIRE_OK(sn_world_nodes(sn_scene_world(scene), &view));
    CHECK(view.count == 0);
    sn_scene_close(scene);
    def.text = "{\"version\": 1, \"tittle\": \"t\"}";
    def.length = strlen(def.text);
    CHECK_FAILS(sn_scene_open(&def, &scene), SN_ERROR_DATA);
}

/* What reaches below the floor does not take the ground along. */
TEST(the_ground_is_where_a_level_plane_is) {
    static const struct {
        const char *text;
        double height;
    } cases[] = {
        {"\"colliders\": [{\"name\": \"b\", \"shape\": \"plane\", \"position\": [0, 0.25, 0]}]",
         0.25},
        {"\"colliders\": [{\"name\": \"c\", \"shape\": \"plane\", \"rotation\": {\"axis\": [1, 0, "
         "0], "
         "\"angle\": 1}}, {\"name\": \"d\", \"shape\": \"plane\", \"position\": [1, -2, 0]}]",
         -2},
        {"\"colliders\": [{\"name\": \"e\", \"shape\": \"plane\"}], \"ground\": {\"height\": -1}",
         -1},
        {"\"ground\": {}", (double)SN_AUTO}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[300];
        (void)snprintf(text, sizeof text,
                       "{\"version\": 1, \"cameras\": {\"main\": {\"eye\": [1, 2, 3], "
                       "\"target\": [0, 1, 0]}}, %s}",
                       cases[i].text);
        sn_scene *s = scene_make(text);
        sn_io_frame frame;
        CHECK_OK(sn_scene_frame(s, &frame));
        CHECK(frame.staging && frame.staging->ground_height == (sn_real)cases[i].height);
        sn_scene_close(s);
    }
}

TEST(motions_follow_their_keys) {
    static const char keys[] =
        "\"keys\": [{\"time\": 0.1}, {\"time\": 0.5, \"position\": [4, 0, 0]},"
        "{\"time\": 0.7, \"position\": [2, 0, 0]}]";
    static const double linear[] = {0, 1, 2, 3, 4, 3, 2, 2, 2};
    static const double smooth[] = {0, 0.625, 2, 3.375, 4, 3, 2, 2, 2};
    static const double repeated[] = {0, 1, 2, 3, 4, 3, 0, 1, 2, 3, 4, 3, 0, 1, 2, 3, 4, 3, 0};
    char text[300];
    check_path("linear", keys, linear, 9);
    snprintf(text, sizeof text, "%s, \"interpolation\": \"smooth\"", keys);
    check_path("smooth", text, smooth, 9);
    snprintf(text, sizeof text, "%s, \"repeat\": true", keys);
    check_path("repeated", text, repeated, 19);
}

TEST(motions_turn_about_their_pivot) {
    sn_scene *s =
        make_motion("\"pivot\": [1, 0, 3], \"keys\": [{\"time\": 0}, {\"time\": 0.2, \"rotation\":"
                    "{\"axis\": [0, 0, 1], \"angle\": \"=pi / 2\"}}]");
    scene_run_frames(s, 1);
    /* Half of the way there, a quarter turn is an eighth. */
    sn_node_def a = scene_node_at(s, 0);
    CHECK_NEAR(a.position.x, 1 - sqrt(2), 1e-5);
    CHECK_NEAR(a.position.y, sqrt(2), 1e-5);
    CHECK_NEAR(a.orientation.z, 0.3826834, 1e-5);
    scene_run_frames(s, 1);
    a = scene_node_at(s, 0);
    CHECK_NEAR(a.position.x, -1, 1e-5);
    CHECK_NEAR(a.position.y, 0, 1e-5);
    CHECK_NEAR(a.orientation.z, sqrt(0.5), 1e-5);
    CHECK_NEAR(a.orientation.w, sqrt(0.5), 1e-5);
    sn_scene_close(s);
}

/* ---- When things happen ---- */

static const int rates[] = {3, 7, 9, 10, 24, 25, 30, 50, 60, 100, 120, 144, 240, 1000};
enum { RATES = sizeof rates / sizeof rates[0] };

/* An action at the beginning of a frame happens then, and once; the world of floats, whose time is
   a sum of rounded steps, has no say in it. */
/* Two colliders on a circle, and one that is moved alone. */
TEST(motions_turn_colliders_together) {
    sn_scene *s = scene_make(
        "{\"version\": 1, \"run\": {\"fps\": 10}, \"colliders\": ["
        "{\"name\": \"a\", \"shape\": \"box\", \"position\": [1, 2, 0]},"
        "{\"name\": \"b\", \"shape\": \"box\", \"position\": [-1, 2, 0]},"
        "{\"name\": \"c\", \"shape\": \"box\", \"position\": [5, 5, 5]}], \"motions\": ["
        "{\"colliders\": [\"a\", \"b\"], \"pivot\": [0, 2, 0], \"keys\": [{\"time\": 0},"
        "{\"time\": 0.2, \"rotation\": {\"axis\": [0, 0, 1], \"angle\": \"=pi / 2\"}}]}]}");
    static const double expected[3][3] = {{0, 3, 0}, {0, 1, 0}, {5, 5, 5}};
    scene_run_frames(s, 2);
    for (size_t i = 0; i < 3; i++) {
        sn_collider collider;
        sn_collider_def def = sn_collider_def_default();
        REQUIRE_OK(sn_world_collider_at(sn_scene_world(s), i, &collider));
        REQUIRE_OK(sn_collider_get(sn_scene_world(s), collider, &def));
        check_case("collider %zu", i);
        CHECK_NEAR((double)def.position.x, expected[i][0], 1e-6);
        CHECK_NEAR((double)def.position.y, expected[i][1], 1e-6);
        CHECK_NEAR((double)def.position.z, expected[i][2], 1e-6);
        CHECK_NEAR((double)def.orientation.z, i < 2 ? sqrt(0.5) : 0, 1e-6);
    }
    sn_scene_close(s);
}

TEST(actions_happen_at_their_frame_once) {
    static const int frames[] = {0, 1, 2, 5, 17};
    for (int r = 0; r < RATES; r++)
        for (size_t f = 0; f < sizeof frames / sizeof frames[0]; f++) {
            char text[400];
            check_case("%d fps, frame %d", rates[r], frames[f]);
            snprintf(
                text, sizeof text,
                "{\"version\": 1, \"run\": {\"fps\": %d}, \"settings\": {\"gravity\": [0, 0, "
                "0], \"substeps\": 1}, \"nodes\": [{\"name\": \"a\"}], \"actions\": [{\"time\": "
                "\"=%d / %d\", \"impulse\": {\"nodes\": \"a\", \"value\": [1, 0, 0]}}]}",
                rates[r], frames[f], rates[r]);
            sn_scene *s = scene_make(text);
            for (int i = 0; i < 22; i++) {
                CHECK_NEAR(scene_node_at(s, 0).velocity.x, i > frames[f] ? 1 : 0, 1e-5);
                scene_run_frames(s, 1);
            }
            sn_scene_close(s);
        }
}

/* Between two frames it is the second. */
TEST(actions_wait_for_the_next_frame) {
    sn_scene *s = scene_make("{\"version\": 1, \"run\": {\"fps\": 10}, \"settings\": {\"gravity\": "
                             "[0, 0, 0]}, \"nodes\": [{\"name\": \"a\"}], \"actions\": [{\"time\": "
                             "0.31, \"impulse\": {\"nodes\": \"a\", \"value\": [1, 0, 0]}}]}");
    scene_run_frames(s, 4);
    CHECK_NEAR(scene_node_at(s, 0).velocity.x, 0, 0);
    scene_run_frames(s, 1);
    CHECK_NEAR(scene_node_at(s, 0).velocity.x, 1, 1e-6);
    sn_scene_close(s);
}

/* The momentum that a force has given says how long it acted. */
TEST(forces_act_from_and_until) {
    for (int r = 0; r < RATES; r++) {
        char text[500];
        check_case("%d fps", rates[r]);
        snprintf(text, sizeof text,
                 "{\"version\": 1, \"run\": {\"fps\": %d}, \"settings\": {\"gravity\": [0, 0, 0]},"
                 "\"nodes\": [{\"name\": \"a\", \"mass\": 2}, {\"name\": \"b\", \"mass\": 4}],"
                 "\"forces\": [{\"nodes\": [\"a\", \"b\"], \"force\": [8, 0, 0],"
                 "\"from\": \"=3 / %d\", \"until\": \"=8 / %d\"},"
                 "{\"nodes\": [\"a\", \"b\"], \"force\": [0, 8, 0], \"shared\": true}]}",
                 rates[r], rates[r], rates[r]);
        sn_scene *s = scene_make(text);
        scene_run_frames(s, 12);
        double dt = 1.0 / rates[r];
        CHECK_REL(scene_node_at(s, 0).velocity.x, 5 * dt * 4, 1e-5);
        CHECK_REL(scene_node_at(s, 1).velocity.x, 5 * dt * 2, 1e-5);
        CHECK_REL(scene_node_at(s, 0).velocity.y, 12 * dt * 2, 1e-5);
        CHECK_REL(scene_node_at(s, 1).velocity.y, 12 * dt, 1e-5);
        sn_scene_close(s);
    }
}

TEST(torques_turn) {
    sn_scene *s = scene_make(
        "{\"version\": 1, \"run\": {\"fps\": 10}, \"settings\": {\"gravity\": [0, 0, 0]},"
        "\"nodes\": [{\"name\": \"a\", \"oriented\": true, \"inverse_inertia\": [2, 2, 2]}],"
        "\"forces\": [{\"nodes\": \"a\", \"torque\": [0, 0, 3], \"until\": 0.5}]}");
    scene_run_frames(s, 8);
    CHECK_NEAR(scene_node_at(s, 0).angular_velocity.z, 3, 1e-4);
    CHECK_NEAR(scene_node_at(s, 0).velocity.x, 0, 0);
    sn_scene_close(s);
}

/* ---- Actions ---- */

static const char stage[] =
    "\"run\": {\"fps\": 10}, \"settings\": {\"gravity\": [0, -10, 0]},"
    "\"bodies\": [{\"name\": \"rope\", \"mesh\": {\"shape\": \"rope\", \"segments\": 2},"
    " \"material\": \"nylon\", \"pins\": [0]}],"
    "\"nodes\": [{\"name\": \"a\", \"position\": [0, 5, 0]},"
    " {\"name\": \"b\", \"position\": [1, 5, 0]}],"
    "\"constraints\": [{\"name\": \"x\", \"type\": \"distance\", \"nodes\": [\"a\", \"b\"]}]";

static sn_scene *make_stage(const char *actions) {
    char text[1600];
    snprintf(text, sizeof text, "{\"version\": 1, %s, \"actions\": [%s]}", stage, actions);
    return scene_make(text);
}

TEST(actions_pin_and_release) {
    sn_scene *s = make_stage("{\"time\": 0.2, \"pin\": [\"a\", \"rope\"]},"
                             "{\"time\": 0.4, \"release\": [\"a\", \"rope\", \"b\"]}");
    CHECK(scene_count_kinematic(s) == 1);
    scene_run_frames(s, 3);
    CHECK(scene_count_kinematic(s) == 4);
    double y = (double)scene_node_at(s, 3).position.y;
    scene_run_frames(s, 1);
    CHECK_NEAR(scene_node_at(s, 3).position.y, y, 0);
    scene_run_frames(s, 1);
    CHECK(scene_count_kinematic(s) == 0);
    CHECK_NEAR(scene_node_at(s, 3).inverse_mass, 1, 0);
    CHECK((double)scene_node_at(s, 3).position.y < y);
    sn_scene_close(s);
}

TEST(actions_change_motion_and_settings) {
    sn_scene *s =
        make_stage("{\"time\": 0, \"settings\": {\"gravity\": [0, 0, 0], \"substeps\": 5}},"
                   "{\"time\": 0.1, \"velocity\": {\"nodes\": [\"a\", \"b\"], \"value\": "
                   "[0, 0, 2]}, \"impulse\": {\"nodes\": [\"a\", \"b\"], \"value\": [0, 0, "
                   "0.5]}}");
    sn_settings settings = sn_settings_default();
    scene_run_frames(s, 2);
    CHECK_OK(sn_world_get_settings(sn_scene_world(s), &settings));
    CHECK(settings.substeps == 5 && settings.gravity.y == 0);
    CHECK_NEAR(scene_node_at(s, 3).velocity.z, 2.5, 1e-6);
    CHECK_NEAR(scene_node_at(s, 3).velocity.y, 0, 1e-6);
    sn_scene_close(s);
}

TEST(actions_change_constraints) {
    sn_scene *s = make_stage("{\"time\": 0.1, \"constraint\": {\"x\": {\"rest_length\": 2}}}");
    scene_run_frames(s, 1);
    double gap = (double)scene_node_at(s, 4).position.x - (double)scene_node_at(s, 3).position.x;
    CHECK_NEAR(gap, 1, 1e-5);
    scene_run_frames(s, 1);
    gap = (double)scene_node_at(s, 4).position.x - (double)scene_node_at(s, 3).position.x;
    CHECK_NEAR(gap, 2, 1e-5);
    sn_scene_close(s);
}

/* What is gone is passed over by all that comes later, and frames go on without it, with a shape
   that has nothing in it. */
TEST(actions_remove) {
    sn_scene *s = make_stage(
        "{\"time\": 0.1, \"remove\": [\"x\"]}, {\"time\": 0.2, \"remove\": [\"a\", \"rope\", "
        "\"x\"]},"
        "{\"time\": 0.3, \"pin\": [\"a\", \"rope\"], \"remove\": [\"a\", \"rope\"]},"
        "{\"time\": 0.4, \"release\": [\"a\", \"rope\"], \"constraint\": {\"x\": {\"compliance\": "
        "1}}}, {\"time\": 0.5, \"velocity\": {\"nodes\": [\"a\", \"rope\"], \"value\": [1, 0, 0]},"
        "\"impulse\": {\"nodes\": [\"a\", \"rope\"], \"value\": [1, 0, 0]}}");
    static const size_t nodes[] = {5, 5, 1, 1, 1, 1, 1}, constraints[] = {3, 2, 0, 0, 0, 0, 0};
    sn_io_frame frame;
    CHECK_OK(sn_scene_frame(s, &frame));
    for (int i = 0; i < 7; i++) {
        sn_stats stats;
        check_case("frame %d", i);
        scene_run_frames(s, 1);
        CHECK_OK(sn_world_stats(sn_scene_world(s), &stats));
        CHECK(stats.nodes == nodes[i] && stats.constraints == constraints[i]);
        CHECK_OK(sn_scene_frame(s, &frame));
        CHECK(frame.shape_count == 2 && frame.shapes[0].vertex_count == (nodes[i] == 5 ? 3 : 0));
        CHECK(isfinite(frame.shapes[0].positions[2].y));
    }
    sn_scene_close(s);
}

/* A ball rests on a floor that moves, and one hangs on it; copies go together. */
TEST(actions_remove_colliders_and_copies) {
    sn_scene *s = scene_make(
        "{\"version\": 1, \"run\": {\"fps\": 60},"
        "\"bodies\": [{\"name\": \"drop\", \"mesh\": {\"shape\": \"points\","
        " \"positions\": [[0, 0, 0]]}, \"material\": {\"kind\": \"particles\"},"
        " \"copies\": {\"count\": [3, 1, 1], \"step\": [0.1, 0, 0]}, \"position\": [0, 0.6, 0]}],"
        "\"nodes\": [{\"name\": \"hangs\", \"position\": [0, -1, 0]}],"
        "\"colliders\": [{\"name\": \"table\", \"shape\": \"box\"}],"
        "\"motions\": [{\"collider\": \"table\", \"keys\": [{\"time\": 0}, {\"time\": 1,"
        " \"position\": [0, 0, 0]}]}],"
        "\"attachments\": [{\"nodes\": \"hangs\", \"collider\": \"table\"},"
        " {\"nodes\": \"hangs\", \"collider\": \"table\", \"from\": 0.7}],"
        "\"actions\": [{\"time\": 0.5, \"remove\": [\"table\"]},"
        " {\"time\": 0.6, \"remove\": [\"table\"]}, {\"time\": 0.8, \"remove\": [\"drop\"]}]}");
    sn_io_frame frame;
    sn_stats stats;
    CHECK_OK(sn_scene_frame(s, &frame));
    CHECK(frame.shapes[4].triangle_count > 0 && frame.shapes[4].pose);
    scene_run_frames(s, 30);
    CHECK_NEAR((double)scene_node_at(s, 0).position.y, 0.51, 1e-3);
    CHECK_NEAR((double)scene_node_at(s, 3).position.y, -1, 1e-2);
    scene_run_frames(s, 16);
    CHECK((double)scene_node_at(s, 0).position.y < 0.3);
    CHECK((double)scene_node_at(s, 3).position.y < -1.2);
    CHECK_OK(sn_scene_frame(s, &frame));
    CHECK(frame.shape_count == 5 && strcmp(frame.shapes[4].name, "table") == 0);
    /* It keeps its place among the others, and is not seen. */
    CHECK(frame.shapes[4].vertex_count == 0 && frame.shapes[4].triangle_count == 0);
    CHECK(frame.shapes[0].vertex_count == 1);
    CHECK_OK(sn_world_stats(sn_scene_world(s), &stats));
    CHECK(stats.constraints == 0 && stats.nodes > 3);
    size_t nodes = stats.nodes;
    scene_run_frames(s, 4);
    CHECK_OK(sn_world_stats(sn_scene_world(s), &stats));
    CHECK(stats.nodes == nodes - 3);
    CHECK_OK(sn_scene_frame(s, &frame));
    CHECK(frame.shape_count == 5 && frame.shapes[0].vertex_count == 0);
    sn_scene_close(s);
}

/* Regions mean where the nodes are at the start, whenever the action is. */
TEST(actions_choose_nodes_at_the_start) {
    sn_scene *s =
        make_stage("{\"time\": 0.5, \"pin\": {\"body\": \"rope\", \"sphere\": {\"centre\": "
                   "[1, 0, 0], \"radius\": 0.1}}}");
    scene_run_frames(s, 6);
    CHECK(scene_node_at(s, 2).inverse_mass == 0 && scene_node_at(s, 1).inverse_mass > 0);
    sn_scene_close(s);
}

/* What the library refuses at its time has the place of the action, every time. */
TEST(an_action_that_fails_is_named) {
    sn_scene *s = make_stage("{\"time\": 0.1,\n \"settings\": {\"relaxation\": 0}}");
    scene_run_frames(s, 1);
    for (int i = 0; i < 2; i++) {
        CHECK_FAILS(sn_scene_step(s), SN_ERROR_DATA);
        if (!CHECK(strstr(sn_last_error(), "actions[0]: settings: relaxation is 0")))
            printf("      said \"%s\"\n", sn_last_error());
    }
    CHECK(sn_scene_frame_number(s) == 1);
    sn_scene_close(s);
}

/* ---- Going on ---- */

/* Everything that an action can do, with pins that come and go. */
static const char busy[] =
    "{\"version\": 1, \"run\": {\"fps\": 25}, \"settings\": {\"substeps\": 4},"
    "\"bodies\": ["
    "{\"name\": \"sheet\", \"mesh\": {\"shape\": \"grid\", \"columns\": 4, \"rows\": 4},"
    " \"material\": \"cotton\", \"pins\": \"left\", \"position\": [0, 2, 0]},"
    "{\"name\": \"rod\", \"mesh\": {\"shape\": \"rope\", \"segments\": 4},"
    " \"material\": {\"kind\": \"rod\", \"preset\": \"wood\"}, \"pins\": [0]},"
    "{\"name\": \"ball\", \"mesh\": {\"shape\": \"sphere\", \"level\": 1},"
    " \"material\": {\"kind\": \"cloth\", \"preset\": \"rubber\", \"pressure\": 1.2}}],"
    "\"nodes\": [{\"name\": \"a\", \"position\": [0, 5, 0]}, {\"name\": \"b\", \"position\": [1, "
    "5, "
    "0]}],"
    "\"constraints\": [{\"name\": \"x\", \"type\": \"distance\", \"nodes\": [\"a\", \"b\"],"
    " \"break_force\": 200}],"
    "\"clusters\": [{\"nodes\": \"ball\", \"damping\": 2}],"
    "\"forces\": [{\"nodes\": \"sheet\", \"force\": [0, 0.1, 0], \"from\": 0.12, \"until\": 0.4,"
    " \"shared\": true}],"
    "\"motions\": [{\"nodes\": [\"sheet.left\", \"rod[0]\"], \"repeat\": true, \"keys\": ["
    "{\"time\": 0}, {\"time\": 0.2, \"position\": [0, 0.2, 0], \"rotation\": [0, 0, 0.6, 0.8]},"
    "{\"time\": 0.4}]}],"
    "\"actions\": ["
    "{\"time\": 0.08, \"pin\": [\"sheet.right\", \"a\"]},"
    "{\"time\": 0.16, \"settings\": {\"iterations\": 2}, \"impulse\": {\"nodes\": \"b\", \"value\":"
    " [0, 0, 3]}},"
    "{\"time\": 0.24, \"release\": [\"sheet.right\", \"sheet.left\", \"a\", \"rod\"]},"
    "{\"time\": 0.32, \"constraint\": {\"x\": {\"compliance\": 0.001}}},"
    "{\"time\": 0.4, \"velocity\": {\"nodes\": \"rod\", \"value\": [0, 0, 1]}},"
    "{\"time\": 0.48, \"remove\": [\"ball\", \"x\"]}]}";

enum { FRAMES = 16 };

static char *snapshot_path(int frame) {
    static char path[200];
    snprintf(path, sizeof path, "%s/frame_%02d.snap", scratch, frame);
    return path;
}

static void check_resumed(const sn_scene_def *def) {
    uint64_t hashes[FRAMES + 1];
    sn_scene *s = NULL;
    REQUIRE_OK(sn_scene_open(def, &s));
    for (int i = 0; i <= FRAMES; i++) {
        if (i > 0) scene_run_frames(s, 1);
        hashes[i] = sn_world_hash(sn_scene_world(s));
        REQUIRE_OK(sn_snapshot_save_file(sn_scene_world(s), snapshot_path(i)));
    }
    sn_scene_close(s);
    for (int from = 0; from <= FRAMES; from++) {
        REQUIRE_OK(sn_scene_open(def, &s));
        REQUIRE_OK(sn_scene_resume(s, snapshot_path(from)));
        check_case("%s from frame %d", def->path, from);
        CHECK(sn_scene_frame_number(s) == from);
        for (int i = from; i <= FRAMES; i++) {
            if (i > from) scene_run_frames(s, 1);
            CHECK(sn_world_hash(sn_scene_world(s)) == hashes[i]);
        }
        sn_scene_close(s);
    }
}

TEST(a_resumed_run_is_the_same_at_every_frame) {
    static const char *const examples[] = {"net", "rods", "rope"};
    sn_scene_def def = sn_scene_def_default();
    REQUIRE_OK(sn_io_folder_make(scratch));
    def.path = "busy.json";
    def.text = busy;
    def.length = strlen(busy);
    check_resumed(&def);
    def.text = NULL;
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s.json", SCENES, examples[i]);
        def.path = path;
        check_resumed(&def);
    }
}

TEST(the_snapshot_of_another_scene_is_refused) {
    sn_scene *s = scene_make(busy), *other = make_stage("");
    REQUIRE_OK(sn_io_folder_make(scratch));
    scene_run_frames(other, 2);
    uint64_t before = sn_world_hash(sn_scene_world(other));
    REQUIRE_OK(sn_snapshot_save_file(sn_scene_world(s), snapshot_path(0)));
    CHECK_FAILS(sn_scene_resume(other, snapshot_path(0)), SN_ERROR_DATA);
    CHECK(strstr(sn_last_error(), "it is not of this scene"));
    CHECK(sn_world_hash(sn_scene_world(other)) == before);
    CHECK_FAILS(sn_scene_resume(other, "scene_run_scratch/none.snap"), SN_ERROR_FILE);
    CHECK(sn_world_hash(sn_scene_world(other)) == before);
    sn_scene_close(s);
    sn_scene_close(other);
}

/* The same bits for any number of threads and any width. */
TEST(threads_and_widths_do_not_matter) {
    static const int widths[] = {1, 4, 8, 16};
    uint64_t first = 0;
    for (int i = 0; i < 5; i++) {
        sn_scene_def def = sn_scene_def_default();
        sn_scene *s = NULL;
        def.path = "busy.json";
        def.text = busy;
        def.length = strlen(busy);
        def.threads = i == 4 ? 3 : 1;
        def.simd_width = widths[i % 4];
        REQUIRE_OK(sn_scene_open(&def, &s));
        scene_run_frames(s, FRAMES);
        if (i == 0) first = sn_world_hash(sn_scene_world(s));
        CHECK(sn_world_hash(sn_scene_world(s)) == first);
        sn_scene_close(s);
    }
}

/* Substeps of a scene with these settings, and `run`. */
static int substeps_of(const char *settings, const char *how, sn_quality quality, int given) {
    char text[512];
    sn_scene_def def = sn_scene_def_default();
    sn_scene *s = NULL;
    sn_settings have = {0};
    snprintf(text, sizeof text,
             "{\"version\": 1, \"settings\": {%s}, \"run\": {%s}, "
             "\"nodes\": [{\"name\": \"a\"}]}",
             settings, how);
    def.path = "quality.json";
    def.text = text;
    def.length = strlen(text);
    def.quality = quality;
    def.substeps = given;
    CHECK(sn_scene_open(&def, &s) == SN_OK);
    if (s) CHECK(sn_world_get_settings(sn_scene_world(s), &have) == SN_OK);
    sn_scene_close(s);
    return have.substeps;
}

TEST(quality_is_a_share_of_the_substeps) {
    const char *draft = "\"quality\": \"draft\"", *fine = "\"quality\": \"fine\"";
    const char *seven = "\"substeps\": 7";
    CHECK(substeps_of("", "", SN_QUALITY_SCENE, 0) == 20);
    CHECK(substeps_of("", "\"quality\": \"normal\"", SN_QUALITY_SCENE, 0) == 20);
    CHECK(substeps_of("", draft, SN_QUALITY_SCENE, 0) == 10);
    CHECK(substeps_of("", fine, SN_QUALITY_SCENE, 0) == 40);
    CHECK(substeps_of(seven, draft, SN_QUALITY_SCENE, 0) == 4);
    CHECK(substeps_of(seven, fine, SN_QUALITY_SCENE, 0) == 14);
    /* What the program says counts more than the file, and a number more than a name. */
    CHECK(substeps_of(seven, draft, SN_QUALITY_FINE, 0) == 14);
    CHECK(substeps_of("", fine, SN_QUALITY_NORMAL, 0) == 20);
    CHECK(substeps_of(seven, fine, SN_QUALITY_FINE, 5) == 5);
    CHECK(sn_quality_substeps(SN_QUALITY_DRAFT, 1) == 1);
    CHECK(sn_quality_substeps(SN_QUALITY_FINE, 9000) == SN_MOST_SUBSTEPS);
    CHECK(sn_quality_substeps(SN_QUALITY_FINE, -3) == 2);
    CHECK(strcmp(sn_quality_name(SN_QUALITY_FINE), "fine") == 0);
    CHECK(sn_quality_name((sn_quality)4) == NULL && sn_quality_name((sn_quality)-1) == NULL);
    sn_scene_def def = sn_scene_def_default();
    sn_scene *s = NULL;
    def.path = "quality.json";
    def.quality = (sn_quality)4;
    CHECK(sn_scene_open(&def, &s) == SN_ERROR_VALUE && !s);
}

/* What nodes carry goes over to their neighbours, and nothing of it to other quantities. */
TEST(quantities_are_told_apart) {
    sn_scene *scene = scene_make(
        "{\"version\": 1, \"nodes\": [{\"name\": \"a\", \"radius\": 0.5}, {\"name\": \"b\", "
        "\"position\": [1, 0, 0], \"radius\": 0.5}], \"diffusions\": [{\"name\": \"heat\", "
        "\"nodes\": "
        "[\"a\", \"b\"], \"value\": 300, \"diffusivity\": 1}, {\"name\": \"salt\", \"nodes\": "
        "[\"a\", "
        "\"b\"], \"quantity\": 1, \"diffusivity\": 1}], \"sources\": [{\"shape\": \"everywhere\", "
        "\"quantity\": 1, \"value\": 2, \"rate\": 1000}]}");
    for (int i = 0; i < 10; i++) REQUIRE_OK(sn_scene_step(scene));
    CHECK_REL(scene_column_value(scene, "heat least [1]"), 300, 1e-9);
    CHECK_REL(scene_column_value(scene, "heat most [1]"), 300, 1e-9);
    CHECK_NEAR(scene_column_value(scene, "salt mean [1]"), 2, 1e-3);
    sn_scene_close(scene);
}

TESTS(RUN(worlds_have_the_allocator_of_the_definition),
      RUN(an_outline_is_what_the_file_says_of_itself), RUN(the_ground_is_where_a_level_plane_is),
      RUN(motions_follow_their_keys), RUN(motions_turn_about_their_pivot),
      RUN(motions_turn_colliders_together), RUN(actions_happen_at_their_frame_once),
      RUN(actions_wait_for_the_next_frame), RUN(forces_act_from_and_until), RUN(torques_turn),
      RUN(actions_pin_and_release), RUN(actions_change_motion_and_settings),
      RUN(actions_change_constraints), RUN(actions_remove),
      RUN(actions_remove_colliders_and_copies), RUN(actions_choose_nodes_at_the_start),
      RUN(an_action_that_fails_is_named), RUN(a_resumed_run_is_the_same_at_every_frame),
      RUN(the_snapshot_of_another_scene_is_refused), RUN(threads_and_widths_do_not_matter),
      RUN(quality_is_a_share_of_the_substeps), RUN(quantities_are_told_apart))
