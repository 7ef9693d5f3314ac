/* Surfaces and what ignores what, in scene files. */
#include "check.h"
#include "scene_make.h"

#include <sinew/sinew.h>

#include <stdio.h>
#include <string.h>

static const char *const scene =
    "{\"version\": 1,"
    " \"surfaces\": [{\"between\": [\"ice\", \"steel\"], \"static_friction\": 0.02,"
    "                 \"dynamic_friction\": 0.01},"
    "                {\"between\": [\"rubber\", \"steel\"], \"static_friction\": 1.2,"
    "                 \"dynamic_friction\": 1.0, \"rolling_resistance\": 0.03},"
    "                {\"between\": [\"ghost\", \"steel\"], \"collide\": false}],"
    " \"colliders\": [{\"name\": \"slope\", \"surface\": \"steel\","
    "                  \"rotation\": {\"axis\": [0, 0, 1], \"angle\": -0.3}}],"
    " \"bodies\": ["
    "   {\"name\": \"slides\", \"surface\": \"ice\", \"mesh\": {\"shape\": \"points\","
    "     \"positions\": [[0, 0.05, 0]]}, \"material\": {\"kind\": \"particles\"}},"
    "   {\"name\": \"sticks\", \"surface\": \"rubber\", \"mesh\": {\"shape\": \"points\","
    "     \"positions\": [[0, 0.05, 1]]}, \"material\": {\"kind\": \"particles\"}},"
    "   {\"name\": \"falls\", \"surface\": \"ghost\", \"mesh\": {\"shape\": \"points\","
    "     \"positions\": [[0, 0.05, 2]]}, \"material\": {\"kind\": \"particles\"}},"
    "   {\"name\": \"passes\", \"rolls\": true,"
    "     \"mesh\": {\"shape\": \"points\", \"positions\": [[0, 0.05, 3]]},"
    "     \"material\": {\"kind\": \"particles\"}}],"
    " \"ignore\": [{\"between\": [\"passes\", \"slope\"]}, {\"between\": [\"falls\", \"passes\"]}],"
    " \"settings\": {\"friction\": \"position\"}}";

TEST(surfaces_and_ignore_are_read) {
    sn_scene *s = scene_make(scene);
    sn_world *world = sn_scene_world(s);
    sn_contact_pair_def pair;
    CHECK_OK(sn_world_get_contact_pair(world, 3, 2, &pair));
    CHECK_NEAR((double)pair.static_friction, 1.2, 1e-6);
    CHECK_NEAR((double)pair.rolling_resistance, 0.03, 1e-6);
    sn_body body;
    sn_body_def def;
    CHECK_OK(sn_world_body_at(world, 3, &body));
    CHECK_OK(sn_body_get(world, body, &def));
    CHECK(def.rolls && def.material == 0);
    scene_run_frames(s, 60);
    CHECK((double)scene_node_at(s, 0).velocity.x > 2);
    CHECK_NEAR((double)scene_node_at(s, 1).velocity.x, 0, 1e-3);
    CHECK((double)scene_node_at(s, 2).position.y < -3);
    CHECK((double)scene_node_at(s, 3).position.y < -3);
    CHECK(scene_column_value(s, "contacts") == 2);
    CHECK(scene_column_value(s, "overlaps") == 0);
    CHECK(scene_column_value(s, "overlap [m]") < 1e-4);
    CHECK(scene_column_value(s, "find [ms]") > 0);
    CHECK(scene_column_value(s, "contact [ms]") > 0);
    sn_scene_close(s);
}

static void refuse(const char *text, const char *part) {
    sn_scene *s = NULL;
    check_case("%s", text);
    CHECK_FAILS(scene_try(text, NULL, &s), SN_ERROR_DATA);
    if (!CHECK(strstr(sn_last_error(), part) != NULL)) check_failed(sn_last_error(), __FILE__, 0);
}

TEST(names_that_are_not_there_are_refused) {
    refuse("{\"version\": 1, \"colliders\": [{\"name\": \"a\", \"surface\": \"ice\"}]}",
           "there is no surface \"ice\" in \"surfaces\"");
    refuse("{\"version\": 1, \"surfaces\": [{\"between\": [\"ice\", \"steel\"]}],"
           " \"colliders\": [{\"name\": \"a\", \"surface\": \"stel\"}]}",
           "there is no surface \"stel\" in \"surfaces\"; did you mean \"steel\"?");
    refuse("{\"version\": 1, \"surfaces\": [{\"between\": [\"ice\"]}]}", "has 1 names, expected 2");
    refuse("{\"version\": 1, \"surfaces\": [{\"between\": [\"a\", \"b\"],"
           " \"dynamic_friction\": 3}]}",
           "surfaces[0].dynamic_friction: is 3, expected at most \"static_friction\", which is 0.5 "
           "unless it is given");
    refuse("{\"version\": 1, \"colliders\": [{\"name\": \"a\", \"static_friction\": 0.1,"
           " \"dynamic_friction\": 0.2}]}",
           "colliders[0].dynamic_friction: is 0.2, expected at most \"static_friction\", which is "
           "0.1");
    refuse("{\"version\": 1, \"colliders\": [{\"name\": \"a\", \"groups\": [-1]}]}",
           "colliders[0].groups[0]: is -1, expected a whole number from 0 to 31");
    refuse("{\"version\": 1, \"surfaces\": [{\"between\": [\"a\", \"b\"]},"
           " {\"between\": [\"b\", \"a\"]}]}",
           "surfaces[1].between: are a pair that is there already");
    refuse("{\"version\": 1, \"ignore\": [{\"between\": [\"a\", \"b\"]}]}",
           "there is no body or collider \"a\"");
    refuse("{\"version\": 1, \"colliders\": [{\"name\": \"a\"}, {\"name\": \"b\"}],"
           " \"ignore\": [{\"between\": [\"a\", \"b\"]}]}",
           "two colliders");
    refuse("{\"version\": 1, \"colliders\": [{\"name\": \"floor\"}],"
           " \"ignore\": [{\"between\": [\"flor\", \"floor\"]}]}",
           "there is no body or collider \"flor\"; did you mean \"floor\"?");
}

TEST(what_a_shape_has_and_has_not_is_refused) {
    refuse("{\"version\": 1, \"colliders\": [{\"name\": \"a\", \"mesh\": {\"shape\": \"box\"}}]}",
           "colliders[0].mesh: means nothing for this shape");
    refuse("{\"version\": 1, \"colliders\": [{\"name\": \"a\", \"shape\": \"hull\","
           " \"two_sided\": true, \"mesh\": {\"shape\": \"box\"}}]}",
           "colliders[0].two_sided: means nothing for this shape");
    refuse("{\"version\": 1, \"colliders\": [{\"name\": \"a\", \"shape\": \"mesh\"}]}",
           "colliders[0]: has no \"mesh\", which its shape needs");
    refuse("{\"version\": 1, \"colliders\": [{\"name\": \"a\", \"shape\": \"heights\"}]}",
           "colliders[0]: has no \"heights\", which its shape needs");
    refuse("{\"version\": 1, \"colliders\": [{\"name\": \"a\", \"shape\": \"compound\","
           " \"parts\": [{\"shape\": \"hull\"}]}]}",
           "colliders[0].parts[0]: has no \"mesh\", which its shape needs");
}

TEST(probes_have_names_of_their_own) {
    refuse("{\"version\": 1, \"probes\": [{\"name\": \"a\"}, {\"name\": \"a\"}]}",
           "probes[1].name: a probe called \"a\" is there already");
}

/* ---- Friction ---- */

/* Who makes something slippery by one number gets what is slippery. */
TEST(dynamic_friction_follows_the_static_one) {
    sn_scene *s = scene_make(
        "{\"version\": 1,"
        " \"surfaces\": [{\"between\": [\"ice\", \"ice\"], \"static_friction\": 0.05},"
        "                 {\"between\": [\"ice\", \"rubber\"], \"static_friction\": 2}],"
        " \"colliders\": [{\"name\": \"floor\", \"static_friction\": 0.1}],"
        " \"bodies\": [{\"name\": \"a\", \"mesh\": {\"shape\": \"grid\"}, \"material\": \"cotton\","
        "   \"collide\": \"others\", \"contact\": {\"static_friction\": 0.2}}]}");
    sn_world *world = sn_scene_world(s);
    sn_contact_pair_def pair;
    sn_collider floor;
    sn_collider_def collider;
    sn_collision_surface surface;
    sn_collision_surface_def def;
    CHECK_OK(sn_world_get_contact_pair(world, 1, 1, &pair));
    CHECK(pair.dynamic_friction == pair.static_friction);
    CHECK_OK(sn_world_get_contact_pair(world, 1, 2, &pair));
    CHECK_NEAR((double)pair.dynamic_friction, 0.4, 1e-6);
    CHECK_OK(sn_world_collider_at(world, 0, &floor));
    CHECK_OK(sn_collider_get(world, floor, &collider));
    CHECK_NEAR((double)collider.dynamic_friction, 0.1, 1e-6);
    CHECK_OK(sn_world_collision_surface_at(world, 0, &surface));
    CHECK_OK(sn_collision_surface_get(world, surface, &def));
    CHECK_NEAR((double)def.dynamic_friction, 0.2, 1e-6);
    sn_scene_close(s);
}

/* ---- Copies ---- */

#define BALLS(name, copies)                                                                        \
    "{\"name\": \"" name "\", \"mesh\": {\"shape\": \"points\", \"positions\": [[0, 1, 0]]},"      \
    " \"material\": {\"kind\": \"particles\"}, \"collide\": \"others\","                           \
    " \"copies\": {\"count\": [" copies ", 1, 1], \"step\": [1, 0, 0]}}"

/* Whether two of the five bodies meet, by their places in the world. */
static bool do_meet(sn_scene *s, size_t a, size_t b) {
    sn_world *world = sn_scene_world(s);
    sn_body one, two;
    bool collide = true;
    REQUIRE_OK(sn_world_body_at(world, a, &one));
    REQUIRE_OK(sn_world_body_at(world, b, &two));
    CHECK_OK(sn_body_get_collision(world, one, two, &collide));
    return collide;
}

static bool do_touch(sn_scene *s, size_t body) {
    sn_world *world = sn_scene_world(s);
    sn_body one;
    sn_collider floor;
    bool collide = true;
    REQUIRE_OK(sn_world_body_at(world, body, &one));
    REQUIRE_OK(sn_world_collider_at(world, 0, &floor));
    CHECK_OK(sn_body_get_collider_collision(world, one, floor, &collide));
    return collide;
}

static sn_scene *make_balls(const char *between) {
    char text[1000];
    snprintf(text, sizeof text,
             "{\"version\": 1, \"bodies\": [" BALLS("a", "3") ", " BALLS(
                 "b", "2") "],"
                           " \"colliders\": [{\"name\": \"floor\"}],"
                           " \"ignore\": [{\"between\": [%s]}]}",
             between);
    return scene_make(text);
}

TEST(copies_are_ignored_together_or_one_by_one) {
    sn_scene *s = make_balls("\"a\", \"b\"");
    for (size_t i = 0; i < 5; i++)
        for (size_t j = 0; j < 5; j++) CHECK(do_meet(s, i, j) == ((i < 3) == (j < 3)));
    sn_scene_close(s);
    s = make_balls("\"a\", \"a\"");
    for (size_t i = 0; i < 5; i++)
        for (size_t j = 0; j < 5; j++) CHECK(do_meet(s, i, j) == (i == j || i > 2 || j > 2));
    sn_scene_close(s);
    s = make_balls("\"b\", \"a_1\"");
    for (size_t i = 0; i < 5; i++)
        for (size_t j = i; j < 5; j++) CHECK(do_meet(s, i, j) == (i != 1 || j < 3));
    sn_scene_close(s);
    s = make_balls("\"floor\", \"a\"");
    for (size_t i = 0; i < 5; i++) CHECK(do_touch(s, i) == (i > 2));
    sn_scene_close(s);
}

/* ---- The log ---- */

typedef struct ear {
    int warnings;
    char last[700];
} ear;

static void listen(void *user, sn_log_level level, const char *sentence) {
    ear *e = user;
    e->warnings += level == SN_LOG_WARNING;
    snprintf(e->last, sizeof e->last, "%s", sentence);
}

static ear open_with_log(const char *text, int fps) {
    sn_scene_def def = sn_scene_def_default();
    ear e = {0};
    sn_scene *s = NULL;
    def.path = "scene.json";
    def.text = text;
    def.length = strlen(text);
    def.fps = fps;
    def.log = listen;
    def.log_user = &e;
    REQUIRE_OK(sn_scene_open(&def, &s));
    sn_scene_close(s);
    return e;
}

#define CUBE " \"mesh\": {\"shape\": \"block\", \"extent\": [0.2, 0.2, 0.2], \"cells\": [2, 2, 2]},"

TEST(what_the_log_says_of_a_body_has_its_name) {
    ear e = open_with_log("{\"version\": 1, \"bodies\": ["
                          "{\"name\": \"first\"," CUBE " \"material\": \"jelly\","
                          " \"collide\": \"others\"},"
                          "{\"name\": \"second\"," CUBE " \"material\": \"jelly\","
                          " \"collide\": \"others\"}]}",
                          0);
    CHECK(e.warnings == 1);
    CHECK(strncmp(e.last, "body \"second\": collision surface: the radii of its nodes are 0", 59) ==
          0);
}

/* A pair with a name that is misspelt does nothing. */
TEST(surfaces_that_nothing_has_are_told) {
    ear e = open_with_log("{\"version\": 1,"
                          " \"surfaces\": [{\"between\": [\"ice\", \"steel\"]},"
                          " {\"between\": [\"ice\", \"stel\"], \"collide\": false}],"
                          " \"colliders\": [{\"name\": \"a\", \"surface\": \"steel\"},"
                          " {\"name\": \"b\", \"surface\": \"ice\"}]}",
                          0);
    CHECK(e.warnings == 1);
    CHECK(strcmp(e.last, "scene.json:1:80: surfaces[1].between[1]: no body or collider has the "
                         "surface \"stel\"; did you mean \"steel\"?") == 0);
    e = open_with_log("{\"version\": 1, \"surfaces\": [{\"between\": [\"ice\", \"ice\"]}]}", 0);
    CHECK(e.warnings == 1);
    CHECK(strstr(e.last, "no body or collider has the surface \"ice\"") != NULL);
}

/* Steps are as long as the frames of the scene. */
TEST(substeps_are_warned_of_by_the_frames_of_the_scene) {
    const char *text = "{\"version\": 1, \"settings\": {\"substeps\": 10}, \"bodies\": ["
                       "{\"name\": \"a\"," CUBE " \"material\": {\"kind\": \"solid\","
                       " \"young\": 1e6, \"density\": 1000}}]}";
    ear slow = open_with_log(text, 24), fast = open_with_log(text, 600);
    CHECK(slow.warnings == 1 && fast.warnings == 0);
    CHECK(strncmp(slow.last, "body \"a\": solid: with 10 substeps of 0.00417 s", 44) == 0);
}

/* A segment has 1.6e-3 kg m^2 across, so that 10,000 N m turn it by 4.2 rad in 1/1200 s, and 6.3e-5
   about its axis, where 500 N m do so by 5.5. */
TEST(torques_that_turn_a_segment_too_far_are_warned_of) {
    static const struct {
        const char *torque, *solver;
        int substeps;
        bool warns;
    } known[] = {{"[0, 0, 500]", "direct", 20, false},
                 {"[0, 0, 10000]", "direct", 20, true},
                 {"[0, 0, 10000]", "direct", 400, false},
                 {"[500, 0, 0]", "direct", 20, true},
                 {"[0, 0, 10000]", "closed_form", 20, false}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        char text[700];
        snprintf(
            text, sizeof text,
            "{\"version\": 1, \"settings\": {\"substeps\": %d}, \"bodies\": [{\"name\": \"a\", "
            "\"mesh\": {\"shape\": \"rope\", \"start\": [0, 0, 0], \"end\": [1, 0, 0], "
            "\"segments\": 4}, \"material\": {\"kind\": \"rod\", \"radius\": 0.02, \"young\": "
            "1e6}, "
            "\"solver\": \"%s\", \"pins\": \"start\"}], "
            "\"forces\": [{\"nodes\": \"a\", \"torque\": %s}]}",
            known[i].substeps, known[i].solver, known[i].torque);
        ear e = open_with_log(text, 0);
        check_case("%zu: %d, %s", i, e.warnings, e.last);
        CHECK((strstr(e.last, "turns a segment of a rod by") != NULL) == known[i].warns);
    }
}

TESTS(RUN(surfaces_and_ignore_are_read), RUN(names_that_are_not_there_are_refused),
      RUN(what_a_shape_has_and_has_not_is_refused), RUN(probes_have_names_of_their_own),
      RUN(what_the_log_says_of_a_body_has_its_name), RUN(dynamic_friction_follows_the_static_one),
      RUN(copies_are_ignored_together_or_one_by_one), RUN(surfaces_that_nothing_has_are_told),
      RUN(substeps_are_warned_of_by_the_frames_of_the_scene),
      RUN(torques_that_turn_a_segment_too_far_are_warned_of))
