/* Rigid bodies in scene files: colliders with a mass or a density, and the node of their name. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "scene_make.h"

#define HEAD "{\"version\": 1, \"settings\": {\"substeps\": 10}, "
#define FLOOR "{\"name\": \"floor\", \"shape\": \"plane\"}"
#define WEDGE                                                                                      \
    "{\"name\": \"wedge\", \"shape\": \"hull\", \"position\": [0, 1, 0.5], "                       \
    "\"rotation\": [0, 0.6, 0, 0.8], \"velocity\": [1, 2, 0], \"angular_velocity\": [0, 3, 1], "   \
    "\"static_friction\": 0.7, \"dynamic_friction\": 0.7, \"restitution\": 0.3, \"group\": 4, "    \
    "\"mesh\": {\"shape\": \"points\", \"positions\": [[0, 0, 0], [0.5, 0, 0.125], "               \
    "[0.125, 0.25, 0], [0, 0.125, 0.5]], \"triangles\": [[0, 2, 1], [0, 1, 3], [1, 2, 3], "        \
    "[0, 3, 2]]}, "

/* The same by calls. */
static void add_wedge(sn_world *world, const sn_rigid_def *rigid) {
    static const sn_vec3 corners[4] = {{0, 0, 0},
                                       {(sn_real)0.5, 0, (sn_real)0.125},
                                       {(sn_real)0.125, (sn_real)0.25, 0},
                                       {0, (sn_real)0.125, (sn_real)0.5}};
    sn_collider_def def = sn_collider_def_default();
    sn_node node;
    sn_collider collider;
    def.shape = SN_SHAPE_HULL;
    def.geometry.vertices = corners;
    def.geometry.vertex_count = 4;
    def.position = (sn_vec3){0, 1, (sn_real)0.5};
    def.orientation = (sn_quat){0, (sn_real)0.6, 0, (sn_real)0.8};
    def.velocity = (sn_vec3){1, 2, 0};
    def.angular_velocity = (sn_vec3){0, 3, 1};
    def.static_friction = def.dynamic_friction = (sn_real)0.7;
    def.restitution = (sn_real)0.3;
    REQUIRE_OK(sn_rigid_create(world, rigid, &def, &node, &collider));
}

TEST(a_scene_is_what_calls_are) {
    static const char *const words[] = {"\"density\": 600}", "\"mass\": 2.5}"};
    for (int k = 0; k < 2; k++) {
        char text[1200];
        snprintf(text, sizeof text, "%s\"colliders\": [%s, %s%s]}", HEAD, FLOOR, WEDGE, words[k]);
        sn_scene *scene = scene_make(text);
        sn_scene *by_calls = scene_make(HEAD "\"colliders\": [" FLOOR "]}");
        sn_rigid_def rigid = sn_rigid_def_default();
        rigid.group = 4;
        if (k == 0) rigid.density = 600;
        if (k == 1) rigid.mass = (sn_real)2.5;
        add_wedge(sn_scene_world(by_calls), &rigid);
        CHECK(sn_world_hash(sn_scene_world(scene)) == sn_world_hash(sn_scene_world(by_calls)));
        scene_run_frames(scene, 60);
        scene_run_frames(by_calls, 60);
        CHECK(sn_world_hash(sn_scene_world(scene)) == sn_world_hash(sn_scene_world(by_calls)));
        CHECK(scene_node_at(scene, 0).position.y < 1);
        sn_scene_close(scene);
        sn_scene_close(by_calls);
    }
}

/* A lid that hangs on a joint swings, and what is removed is gone with its shape. */
TEST(others_name_its_node) {
    sn_scene *scene = scene_make(
        HEAD
        "\"nodes\": [{\"name\": \"hook\", \"mass\": \"auto\", \"position\": [0, 2, 0], "
        "\"oriented\": true, \"inverse_inertia\": [0, 0, 0]}], "
        "\"colliders\": [{\"name\": \"lid\", \"shape\": \"box\", \"extent\": [0.2, 0.05, 0.1], "
        "\"position\": [0.5, 2, 0], \"mass\": 1}, {\"name\": \"ball\", \"shape\": \"sphere\", "
        "\"radius\": 0.1, \"position\": [3, 2, 0], \"density\": 100}], "
        "\"constraints\": [{\"type\": \"distance_joint\", \"nodes\": [\"hook\", \"lid\"], "
        "\"name\": \"cord\"}], "
        "\"actions\": [{\"time\": 0.5, \"remove\": [\"ball\"]}], "
        "\"measure\": [{\"name\": \"lid\", \"nodes\": \"lid\", \"quantity\": \"position\"}]}");
    sn_world *world = sn_scene_world(scene);
    sn_collider collider;
    CHECK_OK(sn_world_collider_at(world, 1, &collider));
    scene_run_frames(scene, 40);
    CHECK_FAILS(sn_world_collider_at(world, 1, &collider), SN_ERROR_ID);
    CHECK_OK(sn_world_collider_at(world, 0, &collider));
    sn_node_def lid = scene_node_at(scene, 1);
    double x = (double)lid.position.x, y = (double)lid.position.y - 2;
    CHECK_NEAR(sqrt(x * x + y * y), 0.5, 1e-3);
    CHECK(y < -0.1);
    CHECK_NEAR(scene_column_value(scene, "lid x [m]"), x, 1e-6);
    sn_scene_close(scene);
}

/* The end of a rope stays at the centre of a crate, which would have fallen by 4.9 m. */
TEST(ropes_are_attached_to_it) {
    sn_scene *scene =
        scene_make(HEAD "\"bodies\": [{\"name\": \"rope\", \"mesh\": {\"shape\": \"rope\", "
                        "\"start\": [0, 2, 0], \"end\": [0, 1, 0], \"segments\": 8}, "
                        "\"material\": {\"kind\": \"rope\"}, \"pins\": [0]}], "
                        "\"colliders\": [{\"name\": \"crate\", \"shape\": \"box\", "
                        "\"extent\": [0.1, 0.1, 0.1], \"position\": [0, 1, 0], \"mass\": 0.5, "
                        "\"groups\": []}], "
                        "\"attachments\": [{\"nodes\": \"rope[8]\", \"node\": \"crate\"}]}");
    scene_run_frames(scene, 60);
    double end = (double)scene_node_at(scene, 8).position.y;
    CHECK_NEAR((double)scene_node_at(scene, 9).position.y, end, 1e-3);
    CHECK_NEAR(end, 1, 0.1);
    sn_scene_close(scene);
}

/* Two boxes that meet in the air, by a mass or by hand, and one that lies on the floor or not. */
static sn_scene *make_meeting(bool by_hand, bool lies) {
    static const char *const at[2] = {"[0, 5, 0]", "[1, 5.07, 0.04]"};
    static const char *const velocity[2] = {"[3, 0, 0]", "[-2, 0, 0.1]"};
    char nodes[2][300] = {"", ""}, shapes[2][300], text[2000];
    for (int k = 0; k < 2; k++) {
        char name = (char)('a' + k), own[100];
        snprintf(own, sizeof own, "\"mass\": 2, \"velocity\": %s, \"name\": \"%c\"}", velocity[k],
                 name);
        if (by_hand) {
            snprintf(
                nodes[k], sizeof nodes[k],
                "%s{\"position\": %s, \"oriented\": true, \"inverse_inertia\": [46, 24, 30], %s",
                k ? ", " : "", at[k], own);
            snprintf(own, sizeof own, "\"carrier\": \"%c\", \"name\": \"of %c\"}", name, name);
        }
        snprintf(shapes[k], sizeof shapes[k],
                 ", {\"shape\": \"box\", \"extent\": [0.2, 0.1, 0.15], \"position\": %s, %s", at[k],
                 own);
    }
    snprintf(text, sizeof text,
             "{\"version\": 1, \"settings\": {\"substeps\": 20, \"integrator\": \"bdf2\"}, "
             "\"nodes\": [%s%s], \"colliders\": [" FLOOR "%s%s%s]}",
             nodes[0], nodes[1], shapes[0], shapes[1],
             lies ? ", {\"name\": \"c\", \"shape\": \"box\", \"extent\": [0.1, 0.1, 0.1], "
                    "\"position\": [9, 0.1, 0], \"mass\": 1}"
                  : "");
    return scene_make(text);
}

/* Each is a body of its own: what lies somewhere else does not change how others strike. */
TEST(each_strikes_by_itself) {
    for (int by_hand = 0; by_hand < 2; by_hand++) {
        check_case("%s", by_hand ? "by hand" : "by a mass");
        sn_scene *alone = make_meeting(by_hand, false), *both = make_meeting(by_hand, true);
        scene_run_frames(alone, 40);
        scene_run_frames(both, 40);
        for (size_t k = 0; k < 2; k++) {
            sn_vec3 a = scene_node_at(alone, k).position;
            sn_vec3 b = scene_node_at(both, k).position;
            CHECK(a.y > 2);
            CHECK_NEAR((double)a.x, (double)b.x, 0);
            CHECK_NEAR((double)a.y, (double)b.y, 0);
            CHECK_NEAR((double)a.z, (double)b.z, 0);
        }
        sn_scene_close(alone);
        sn_scene_close(both);
    }
}

/* A crate comes to rest and sleeps, which is told by its name, and may be removed asleep. */
TEST(crates_sleep) {
    sn_scene *scene =
        scene_make("{\"version\": 1, \"settings\": {\"substeps\": 10, \"sleep_time\": 0.2}, "
                   "\"colliders\": [" FLOOR ", {\"name\": \"crate\", \"shape\": \"box\", "
                   "\"extent\": [0.1, 0.1, 0.1], \"position\": [1, 0.11, 0], \"mass\": 1}], "
                   "\"actions\": [{\"time\": 2, \"remove\": [\"crate\"]}]}");
    sn_scene_event event;
    bool slept = false;
    sn_body body;
    CHECK_OK(sn_scene_watch(scene));
    for (int frame = 0; frame < 110; frame++) {
        scene_run_frames(scene, 1);
        for (size_t k = 0; sn_scene_event_at(scene, k, &event); k++) {
            if (event.kind != SN_SCENE_SLEPT) continue;
            slept = true;
            CHECK(event.body && strcmp(event.body, "crate") == 0);
            CHECK_NEAR((double)event.place.y, 0.1, 1e-3);
        }
    }
    CHECK(slept);
    CHECK_OK(sn_world_body_at(sn_scene_world(scene), 0, &body));
    scene_run_frames(scene, 20);
    CHECK_FAILS(sn_world_body_at(sn_scene_world(scene), 0, &body), SN_ERROR_ID);
    sn_scene_close(scene);
}

static void refuse(const char *colliders, const char *sentence) {
    char text[1200];
    sn_scene *scene = NULL;
    snprintf(text, sizeof text, "%s\"nodes\": [{\"name\": \"n\", \"oriented\": true}], %s}", HEAD,
             colliders);
    CHECK_FAILS(scene_try(text, NULL, &scene), SN_ERROR_DATA);
    if (!strstr(sn_last_error(), sentence)) printf("    %s\n", sn_last_error());
    CHECK(strstr(sn_last_error(), sentence) != NULL);
    sn_scene_close(scene);
}

TEST(what_means_nothing_is_refused) {
    refuse("\"colliders\": [{\"name\": \"a\", \"shape\": \"plane\", \"mass\": 1}]",
           "is a plane, which has no volume");
    refuse("\"colliders\": [{\"name\": \"a\", \"shape\": \"box\", \"mass\": 0}]", "mass: is 0");
    refuse("\"colliders\": [{\"name\": \"a\", \"shape\": \"box\", \"density\": -1}]",
           "density: is -1");
    refuse("\"colliders\": [{\"name\": \"a\", \"shape\": \"box\", \"mass\": 1, \"density\": 1}]",
           "has a mass and a density");
    refuse("\"colliders\": [{\"name\": \"a\", \"shape\": \"box\", \"mass\": 1, "
           "\"carrier\": \"n\"}]",
           "a carrier");
    refuse("\"colliders\": [{\"name\": \"n\", \"shape\": \"box\", \"mass\": 1}]",
           "a node called \"n\" is there already");
    refuse("\"colliders\": [{\"name\": \"a\", \"shape\": \"box\", \"group\": 1}]",
           "means nothing without a mass or density");
}

TESTS(RUN(a_scene_is_what_calls_are), RUN(others_name_its_node), RUN(ropes_are_attached_to_it),
      RUN(each_strikes_by_itself), RUN(crates_sleep), RUN(what_means_nothing_is_refused))
