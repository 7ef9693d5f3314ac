/* Scenes of many bodies and joints: a ragdoll, a millipede, a motion that is adapted, a pile; rows
   of colliders, and constraints that are drawn. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "scene_make.h"

static sn_scene *open_scene(const char *name) {
    sn_scene_def def = sn_scene_def_default();
    sn_scene *scene = NULL;
    char path[512];
    snprintf(path, sizeof path, "%s/%s.json", SCENES, name);
    def.path = path;
    REQUIRE_OK(sn_scene_open(&def, &scene));
    return scene;
}

/* How far the rows of all joints of a type are from 0, and all drives that are limits beyond. */
typedef struct errors {
    double joint, limit;
} errors;

static errors measure_errors(const sn_world *world) {
    errors e = {0, 0};
    sn_constraint constraint;
    size_t total = sn_world_constraint_count(world, SN_TYPE_COUNT);
    for (size_t i = 0, seen = 0; seen < total; i++) {
        sn_type type;
        sn_real value[SN_MAX_ROWS], side[3];
        if (sn_world_constraint_at(world, i, &constraint) != SN_OK) continue;
        seen++;
        REQUIRE_OK(sn_constraint_get_type(world, constraint, &type));
        REQUIRE_OK(sn_constraint_evaluate(world, constraint, value, NULL));
        if (type == SN_TYPE_BALL_JOINT || type == SN_TYPE_HINGE_JOINT)
            for (int r = 0; r < 3; r++) e.joint = fmax(e.joint, fabs((double)value[r]));
        if (type != SN_TYPE_TURN_DRIVE) continue;
        REQUIRE_OK(sn_constraint_get_field(world, constraint, "side", side));
        if (side[0] == SN_SIDE_AT_LEAST) e.limit = fmax(e.limit, -(double)value[0]);
        if (side[0] == SN_SIDE_AT_MOST) e.limit = fmax(e.limit, (double)value[0]);
    }
    return e;
}

/* Joints stay closed but for millimetres in the hardest blow, and it lies at the foot of the stairs
   in the end. */
TEST(a_ragdoll_falls_down_the_stairs) {
    sn_scene *scene = open_scene("ragdoll");
    errors most = {0, 0}, last = {0, 0};
    double fastest = 0;
    for (int i = 0; i < (check_sample() ? 20 : 240); i++) {
        REQUIRE_OK(sn_scene_step(scene));
        last = measure_errors(sn_scene_world(scene));
        most.joint = fmax(most.joint, last.joint);
        most.limit = fmax(most.limit, last.limit);
        sn_node_view view;
        REQUIRE_OK(sn_world_nodes(sn_scene_world(scene), &view));
        for (size_t k = 0; k < view.count; k++) {
            sn_vec4 v = view.velocity[k];
            fastest = fmax(fastest, sqrt((double)(v.x * v.x + v.y * v.y + v.z * v.z)));
        }
    }
    /* A fall from 3.4 m ends with 8.2 m/s; hands and feet whip. */
    CHECK(fastest < 20);
    CHECK_NEAR(most.joint, 0, 0.01);
    CHECK_NEAR(last.joint, 0, 1e-3);
    /* Soft limits, 0.0005 rad/(N m). */
    CHECK_NEAR(last.limit, 0, 0.02);
    CHECK(check_sample() || scene_column_value(scene, "head x [m]") > 2);
    CHECK(check_sample() || scene_column_value(scene, "head y [m]") < 0.6);
    sn_scene_close(scene);
}

/* As many parts as the survey says, and they walk. */
TEST(a_millipede_walks) {
    sn_scene *scene = open_scene("millipede");
    sn_world *world = sn_scene_world(scene);
    sn_node_view view;
    REQUIRE_OK(sn_world_nodes(world, &view));
    CHECK(view.count == 261);
    size_t drives = sn_world_constraint_count(world, SN_TYPE_TURN_DRIVE);
    size_t all = sn_world_constraint_count(world, SN_TYPE_COUNT);
    CHECK(all == 340 + 240 && drives == 80 + 240);
    double start = scene_column_value(scene, "head x [m]");
    const int frames = check_sample() ? 5 : 60;
    double most = 0, mean = 0;
    for (int i = 0; i < frames; i++) {
        scene_run_frames(scene, 1);
        double worst = measure_errors(world).joint;
        most = fmax(most, worst);
        mean += worst / frames;
    }
    CHECK(check_sample() || scene_column_value(scene, "head x [m]") > start + 0.02);
    /* Feet of 9 g that land with a part of 0.3 kg on them: 3 mm for a moment. */
    CHECK_NEAR(most, 0, 4e-3);
    CHECK_NEAR(mean, 0, 2e-3);
    sn_scene_close(scene);
}

/* Without control the centre of mass goes 0.2 m beyond the toes; with it, not at all, and the
   bones keep their lengths. */
TEST(a_motion_is_adapted) {
    sn_scene *scene = open_scene("adapted");
    double captured = -1, adapted = -1;
    for (int i = 0; i < 210; i++) {
        REQUIRE_OK(sn_scene_step(scene));
        captured = fmax(captured, scene_column_value(scene, "captured centre [C]"));
        adapted = fmax(adapted, scene_column_value(scene, "adapted centre [C]"));
    }
    CHECK(captured > 0.2);
    CHECK_NEAR(adapted, 0, 1e-6);
    sn_scene_close(scene);
}

TEST(a_pile_has_two_thousand_bodies) {
    sn_scene *scene = open_scene("pile");
    sn_node_view view;
    REQUIRE_OK(sn_world_nodes(sn_scene_world(scene), &view));
    CHECK(view.count == 2000);
    if (!check_sample()) scene_run_frames(scene, 2);
    sn_scene_close(scene);
}

TEST(colliders_come_in_rows) {
    sn_scene *scene = scene_make(
        "{\"version\": 1, \"colliders\": [{\"name\": \"b\", \"shape\": \"sphere\", \"radius\": "
        "0.1, "
        "\"position\": [1, 5, 0], \"copies\": {\"count\": [2, 1, 3], \"step\": [1, 0, 2]}, "
        "\"density\": 10}, {\"name\": \"wall\", \"shape\": \"box\", \"copies\": {\"count\": [2, 1, "
        "1], \"step\": [3, 0, 0]}}], \"measure\": [{\"name\": \"last\", \"nodes\": \"b_5\"}]}");
    sn_io_frame frame;
    REQUIRE_OK(sn_scene_frame(scene, &frame));
    CHECK(frame.shape_count == 1 + 6 + 2);
    CHECK(strcmp(frame.shapes[1].name, "b_0") == 0 && strcmp(frame.shapes[8].name, "wall_1") == 0);
    CHECK_NEAR(scene_column_value(scene, "last x [m]"), 2, 1e-6);
    CHECK_NEAR(scene_column_value(scene, "last z [m]"), 4, 1e-6);
    sn_scene_close(scene);
}

/* A hinge with anchors is three lines, a distance one; what is not asked for is not there. */
TEST(constraints_are_drawn_where_asked) {
    sn_scene *scene = scene_make(
        "{\"version\": 1, \"nodes\": [{\"name\": \"a\", \"oriented\": true}, {\"name\": \"b\", "
        "\"position\": [2, 0, 0], \"oriented\": true}], \"constraints\": [{\"type\": "
        "\"hinge_joint\", \"nodes\": [\"a\", \"b\"], \"anchor_0\": [1, 1, 0], \"shown_thickness\": "
        "0.1}, {\"type\": \"distance\", \"nodes\": [\"a\", \"b\"], \"shown_thickness\": 0.02}, "
        "{\"type\": \"distance\", \"nodes\": [\"a\", \"b\"]}]}");
    sn_io_frame frame;
    REQUIRE_OK(sn_scene_frame(scene, &frame));
    CHECK(frame.shape_count == 2);
    const sn_io_shape *s = &frame.shapes[1];
    CHECK(strcmp(s->name, "constraints") == 0 && s->vertex_count == 8 && s->line_count == 4);
    CHECK_NEAR(s->positions[1].y, 1, 1e-6);
    CHECK_NEAR(s->positions[3].y, 1, 1e-6);
    CHECK_NEAR(s->positions[5].x, 2, 1e-6);
    CHECK_NEAR(s->radii[0], 0.05, 1e-6);
    CHECK_NEAR(s->radii[7], 0.01, 1e-6);
    sn_scene_close(scene);
}

/* Of one that says none beside others that do: grey. Where nobody says one there are none. */
TEST(nodes_and_constraints_have_colours) {
    sn_scene *scene = scene_make(
        "{\"version\": 1, \"nodes\": [{\"name\": \"a\", \"colour\": [1, 0.5, 0]}, {\"name\": "
        "\"b\"}], "
        "\"constraints\": [{\"type\": \"distance\", \"nodes\": [\"a\", \"b\"], "
        "\"shown_thickness\": "
        "0.02}, {\"type\": \"distance\", \"nodes\": [\"a\", \"b\"], \"shown_thickness\": 0.02, "
        "\"colour\": [0, 0, 1]}]}");
    sn_io_frame frame;
    REQUIRE_OK(sn_scene_frame(scene, &frame));
    const sn_vec3 *nodes = frame.shapes[0].colours, *rods = frame.shapes[1].colours;
    CHECK(nodes && rods);
    if (!nodes || !rods) return;
    CHECK(nodes[0].x == 1 && nodes[0].y == (sn_real)0.5 && nodes[0].z == 0);
    CHECK(nodes[1].x == nodes[1].y && nodes[1].y == nodes[1].z);
    CHECK(rods[0].x == rods[0].z && rods[1].x == rods[1].z);
    CHECK(rods[2].z == 1 && rods[2].x == 0 && rods[3].z == 1);
    sn_scene_close(scene);
}

TEST(nodes_without_colours_share_one) {
    sn_scene *scene = scene_make("{\"version\": 1, \"nodes\": [{\"name\": \"a\"}]}");
    sn_io_frame frame;
    REQUIRE_OK(sn_scene_frame(scene, &frame));
    CHECK(!frame.shapes[0].colours);
    sn_scene_close(scene);
}

TESTS(RUN(a_ragdoll_falls_down_the_stairs), RUN(a_millipede_walks), RUN(a_motion_is_adapted),
      RUN(a_pile_has_two_thousand_bodies), RUN(colliders_come_in_rows),
      RUN(constraints_are_drawn_where_asked), RUN(nodes_and_constraints_have_colours),
      RUN(nodes_without_colours_share_one))
