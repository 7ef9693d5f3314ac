/* Attachments, seams and animation targets in scene files: when they come and go, and what is
   refused. */
#include <math.h>
#include <sinew_io/scene.h>
#include <stdio.h>
#include <string.h>

#include "api/attachment_worlds.h"
#include "check.h"

#define HEAD "{\"version\": 1, \"settings\": {\"substeps\": 10}, "
#define CLOTH                                                                                      \
    "\"bodies\": [{\"name\": \"flag\", \"mesh\": {\"shape\": \"grid\", \"columns\": 4, "           \
    "\"rows\": 4}, \"material\": \"cotton\", \"position\": [0, 1, 0], \"collide\": \"others\"}]"
#define BOX                                                                                        \
    ", \"colliders\": [{\"name\": \"box\", \"shape\": \"box\", \"extent\": [0.1, 0.1, 0.1], "      \
    "\"position\": [0, 5, 0]}]"

static sn_scene *open_text(const char *text) {
    sn_scene_def def = sn_scene_def_default();
    sn_scene *scene = NULL;
    def.path = "bonds.json";
    def.text = text;
    def.length = strlen(text);
    REQUIRE_OK(sn_scene_open(&def, &scene));
    return scene;
}

static void run(sn_scene *scene, int frames) {
    for (int i = 0; i < frames; i++) REQUIRE_OK(sn_scene_step(scene));
}

static sn_vec3 vertex(sn_scene *scene, size_t body, size_t i) {
    sn_scene_body found;
    CHECK(sn_scene_body_at(scene, body, &found));
    return attachment_at(sn_scene_world(scene), found.nodes[i]);
}

static size_t constraints_of(sn_scene *scene, sn_type type) {
    return sn_world_constraint_count(sn_scene_world(scene), type);
}

TEST(attachments_come_and_go) {
    const char *text = HEAD CLOTH BOX
        ", \"attachments\": [{\"nodes\": \"flag.left\", \"collider\": \"box\"},"
        " {\"nodes\": \"flag[4]\", \"collider\": \"box\", \"from\": 0.1, \"until\": 0.5}]}";
    sn_scene *scene = open_text(text);
    sn_vec3 left = vertex(scene, 0, 0);
    CHECK(constraints_of(scene, SN_TYPE_ATTACHMENT) == 5);
    run(scene, 12);
    CHECK(constraints_of(scene, SN_TYPE_ATTACHMENT) == 6);
    sn_vec3 held = vertex(scene, 0, 4);
    /* From a snapshot the same happens. */
    const char *path = "attachment_scene.snap";
    REQUIRE_OK(sn_snapshot_save_file(sn_scene_world(scene), path));
    sn_scene *later = open_text(text);
    REQUIRE_OK(sn_scene_resume(later, path));
    remove(path);
    run(scene, 12);
    run(later, 12);
    CHECK(attachment_distance(held, vertex(scene, 0, 4)) < 1e-5);
    CHECK(attachment_distance(left, vertex(scene, 0, 0)) < 1e-5);
    run(scene, 12);
    run(later, 12);
    CHECK(constraints_of(scene, SN_TYPE_ATTACHMENT) == 5);
    CHECK(attachment_distance(held, vertex(scene, 0, 4)) > 0.01);
    CHECK(sn_world_hash(sn_scene_world(scene)) == sn_world_hash(sn_scene_world(later)));
    sn_scene_close(later);
    sn_scene_close(scene);
}

/* What is pinned needs nothing to hold it: it rides on the collider itself. */
TEST(pins_ride_on_their_collider) {
    const char *text =
        "{\"version\": 1, \"meshes\": {\"ball\": {\"shape\": \"sphere\", \"radius\": 0.1}}, "
        "\"bodies\": [{\"name\": \"hair\", \"mesh\": {\"shape\": \"strands\", \"surface\": "
        "\"ball\", \"count\": 5, \"segments\": 4}, \"material\": {\"kind\": \"hair\"}, "
        "\"pins\": \"stems\"}], \"colliders\": [{\"name\": \"head\", \"shape\": \"sphere\", "
        "\"radius\": 0.1}], \"attachments\": [{\"nodes\": \"hair.stems\", \"collider\": "
        "\"head\"}], \"motions\": [{\"collider\": \"head\", \"keys\": [{\"time\": 0}, "
        "{\"time\": 0.5, \"position\": [1, 2, 3], \"rotation\": {\"axis\": [0, 1, 0], "
        "\"angle\": \"=pi\"}}]}]}";
    sn_scene *scene = open_text(text);
    sn_vec3 start[2] = {vertex(scene, 0, 0), vertex(scene, 0, 1)};
    CHECK(constraints_of(scene, SN_TYPE_ATTACHMENT) == 0);
    run(scene, 60);
    for (size_t i = 0; i < 2; i++) {
        sn_vec3 there = {1 - start[i].x, 2 + start[i].y, 3 - start[i].z};
        CHECK(attachment_distance(there, vertex(scene, 0, i)) < 1e-5);
    }
    sn_scene_close(scene);
}

/* ---- Switches ---- */

TEST(what_is_switched_holds_when_it_is_told_to) {
    const char *text = HEAD CLOTH BOX
        ", \"attachments\": [{\"nodes\": \"flag.left\", \"collider\": \"box\"},"
        " {\"nodes\": \"flag[4]\", \"collider\": \"box\", \"from\": 0.1, \"enabled\": true, "
        "\"switches\": [{\"time\": 0.2, \"enabled\": false}, "
        "{\"time\": 0.6, \"enabled\": true}]}], "
        "\"constraints\": [{\"type\": \"distance\", \"name\": \"late\", \"enabled\": false, "
        "\"nodes\": [\"flag[0]\", \"flag[24]\"], \"rest_length\": 0.05, "
        "\"switches\": [{\"time\": 0.8, \"enabled\": true}]}], "
        "\"seams\": [{\"a\": \"flag[20]\", \"b\": \"flag[24]\", \"enabled\": false}]}";
    sn_scene *scene = open_text(text);
    size_t links = constraints_of(scene, SN_TYPE_COUNT);
    run(scene, 11);
    CHECK(constraints_of(scene, SN_TYPE_COUNT) == links + 1);
    sn_vec3 held = vertex(scene, 0, 4);
    run(scene, 13);
    CHECK(attachment_distance(held, vertex(scene, 0, 4)) > 0.01);
    const char *path = "attachment_switch_scene.snap";
    REQUIRE_OK(sn_snapshot_save_file(sn_scene_world(scene), path));
    sn_scene *later = open_text(text);
    REQUIRE_OK(sn_scene_resume(later, path));
    remove(path);
    run(scene, 20);
    run(later, 20);
    CHECK(attachment_distance(held, vertex(scene, 0, 4)) < 1e-3);
    CHECK(attachment_distance(vertex(scene, 0, 20), vertex(scene, 0, 24)) > 0.1);
    CHECK(attachment_distance(vertex(scene, 0, 0), vertex(scene, 0, 24)) > 0.2);
    run(scene, 40);
    run(later, 40);
    /* From 0.8 m; it carries the cloth, which swings on it and stretches it (V08). */
    CHECK(attachment_distance(vertex(scene, 0, 0), vertex(scene, 0, 24)) < 0.15);
    CHECK(constraints_of(scene, SN_TYPE_COUNT) == links + 1);
    CHECK(sn_world_hash(sn_scene_world(scene)) == sn_world_hash(sn_scene_world(later)));
    sn_scene_close(later);
    sn_scene_close(scene);
}

TEST(targets_may_be_bodies_and_nodes) {
    sn_scene *scene = open_text(
        HEAD CLOTH ", \"nodes\": [{\"name\": \"bell\", \"position\": [0.1, 0.9, 0.1]}, "
                   "{\"name\": \"hook\", \"position\": [0, 1, 0], \"mass\": \"auto\"}],"
                   " \"attachments\": [{\"nodes\": \"bell\", \"body\": \"flag\"}, "
                   "{\"nodes\": \"flag[12]\", \"node\": \"hook\", \"break_force\": 1000}]}");
    CHECK(constraints_of(scene, SN_TYPE_POINT_ATTACHMENT) == 1);
    CHECK(constraints_of(scene, SN_TYPE_ATTACHMENT) == 1);
    run(scene, 10);
    CHECK(attachment_distance(vertex(scene, 0, 12), (sn_vec3){0, 1, 0}) < 0.01);
    sn_scene_close(scene);
}

TEST(offsets_and_edges_have_keys) {
    sn_scene *scene =
        open_text(HEAD CLOTH ", \"nodes\": [{\"name\": \"bell\", \"position\": [0.1, 0.9, 0.1]}, "
                             "{\"name\": \"bead\", \"position\": [0.05, 1, 0.05]}],"
                             " \"attachments\": [{\"nodes\": \"bell\", \"body\": \"flag\", "
                             "\"offset\": \"auto\"}], \"seams\": [{\"a\": \"bead\", "
                             "\"b\": [\"flag[11]\", \"flag[12]\"], \"match\": \"edges\"}]}");
    CHECK(constraints_of(scene, SN_TYPE_OFFSET_ATTACHMENT) == 1);
    CHECK(constraints_of(scene, SN_TYPE_EDGE_SEAM) == 1);
    run(scene, 10);
    sn_scene_close(scene);
}

/* A panel that stands on another's border, 1 cm from its edge and 1 mm through it: where it is sewn
   there, it belongs together, and otherwise its edges pass through triangles. */
TEST(what_is_sewn_does_not_cross) {
    for (int sewn = 0; sewn < 2; sewn++) {
        char text[1200];
        size_t crossings = 0;
        sn_scene *scene = NULL;
        sn_scene_def def = sn_scene_def_default();
        snprintf(text, sizeof text,
                 "{\"version\": 1, \"meshes\": {\"panel\": {\"shape\": \"grid\", \"columns\": 4, "
                 "\"rows\": 4}}, \"bodies\": [{\"name\": \"a\", \"mesh\": \"panel\", "
                 "\"material\": \"cotton\", \"collide\": \"all\"}, {\"name\": \"b\", \"mesh\": "
                 "\"panel\", \"material\": \"cotton\", \"collide\": \"all\", \"position\": "
                 "[0.49, 0.499, 0], \"rotation\": {\"axis\": [0, 0, 1], \"angle\": "
                 "\"=90 * deg\"}}], \"seams\": [%s]}",
                 sewn ? "{\"a\": \"b.left\", \"b\": \"a.right\"}" : "");
        def.path = "sewn.json";
        def.text = text;
        def.length = strlen(text);
        REQUIRE_OK(sn_scene_open(&def, &scene));
        CHECK_OK(sn_world_count_crossings(sn_scene_world(scene), &crossings));
        check_case("%s", sewn ? "sewn" : "not sewn");
        CHECK((crossings == 0) == (sewn == 1));
        sn_scene_close(scene);
    }
}

TEST(the_shirt_is_sewn) {
    sn_scene_def def = sn_scene_def_default();
    sn_scene *scene = NULL;
    def.path = SCENES "/tests/shirt.json";
    REQUIRE_OK(sn_scene_open(&def, &scene));
    size_t seams = constraints_of(scene, SN_TYPE_SEAM), count;
    run(scene, 60);
    CHECK(seams > 100 && constraints_of(scene, SN_TYPE_SEAM) == seams);
    sn_world *world = sn_scene_world(scene);
    double widest = 0;
    for (size_t slot = 0, found = 0; found < seams; slot++) {
        sn_constraint constraint;
        sn_type type;
        sn_node ends[2];
        if (sn_world_constraint_at(world, slot, &constraint) != SN_OK) continue;
        REQUIRE_OK(sn_constraint_get_type(world, constraint, &type));
        if (type != SN_TYPE_SEAM) continue;
        REQUIRE_OK(sn_constraint_get_nodes(world, constraint, ends, 2, &count));
        widest = fmax(widest, attachment_distance(attachment_at(world, ends[0]),
                                                  attachment_at(world, ends[1])));
        found++;
    }
    printf("      %zu seams, the widest %.2g m\n", seams, widest);
    CHECK(widest < 1e-3);
    sn_scene_close(scene);
}

TEST(a_follower_goes_with_its_motion) {
    sn_scene *scene =
        open_text(HEAD CLOTH ", \"followers\": [{\"body\": \"flag\", \"max_distance\": 0, "
                             "\"growth\": [1, 0, 0], \"origin\": [-0.5, 0, 0]}], \"motions\": "
                             "[{\"follower\": \"flag\", \"keys\": [{\"time\": 0}, {\"time\": 1, "
                             "\"position\": [0, 3, 0]}]}]}");
    run(scene, 60);
    /* Without room at the left, with a metre of it at the right. */
    CHECK(attachment_distance(vertex(scene, 0, 0), (sn_vec3){(sn_real)-0.5, 4, (sn_real)-0.5}) <
          1e-6);
    double far =
        attachment_distance(vertex(scene, 0, 4), (sn_vec3){(sn_real)0.5, 4, (sn_real)-0.5});
    CHECK(far > 0.05 && far <= 1 + 1e-6);
    sn_scene_close(scene);
}

/* ---- Refusals ---- */

static void refuse(const char *text, const char *expected) {
    sn_scene_def def = sn_scene_def_default();
    sn_scene *scene = NULL;
    def.path = "bonds.json";
    def.text = text;
    def.length = strlen(text);
    check_case("%s", expected);
    CHECK_FAILS(sn_scene_open(&def, &scene), SN_ERROR_DATA);
    if (!CHECK(strstr(sn_last_error(), expected) != NULL)) printf("      %s\n", sn_last_error());
}

TEST(mistakes_are_named) {
    refuse(HEAD CLOTH ", \"attachments\": [{\"nodes\": \"flag[0]\"}]}", "names 0 targets");
    refuse(HEAD CLOTH ", \"attachments\": [{\"nodes\": \"flag[0]\", \"body\": \"ship\"}]}",
           "no body \"ship\"");
    refuse(HEAD CLOTH ", \"attachments\": [{\"nodes\": \"flag[0]\", \"collider\": \"box\"}]}",
           "no collider \"box\"");
    refuse(HEAD CLOTH ", \"attachments\": [{\"nodes\": \"flag[0]\", \"node\": \"flag[0]\"}]}",
           "attach");
    refuse(HEAD CLOTH ", \"seams\": [{\"a\": \"flag.left\", \"b\": \"flag.right\", \"switches\": "
                      "[{\"time\": 1, \"enabled\": false}, {\"time\": 1, \"enabled\": true}]}]}",
           "its time is 1 s, expected more than the 1 s before");
    refuse(HEAD CLOTH ", \"followers\": [{\"body\": \"ship\"}]}", "no body \"ship\"");
    refuse(HEAD CLOTH ", \"followers\": [{\"body\": \"flag\", \"back_stop_distance\": 0, "
                      "\"back_stop_radius\": 0}]}",
           "back_stop_radius is 0");
    refuse(HEAD CLOTH ", \"followers\": [{\"body\": \"flag\"}, {\"body\": \"flag\"}]}",
           "has an animation target already");
    refuse(HEAD CLOTH ", \"motions\": [{\"follower\": \"flag\", \"keys\": [{\"time\": 0}]}]}",
           "no animation target");
    refuse(HEAD CLOTH ", \"seams\": [{\"a\": \"flag.left\", \"b\": \"ship\"}]}", "ship");
}

TESTS(RUN(attachments_come_and_go), RUN(pins_ride_on_their_collider),
      RUN(what_is_switched_holds_when_it_is_told_to), RUN(targets_may_be_bodies_and_nodes),
      RUN(offsets_and_edges_have_keys), RUN(what_is_sewn_does_not_cross), RUN(the_shirt_is_sewn),
      RUN(a_follower_goes_with_its_motion), RUN(mistakes_are_named))
