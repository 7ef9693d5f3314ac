/* What the log says of constraints that will not do what was asked of them. */
#include "check.h"

#include <sinew/sinew.h>

#include <stdio.h>
#include <string.h>

typedef struct ear {
    char last[512];
    int count;
} ear;

static void listen(void *user, sn_log_level level, const char *sentence) {
    ear *e = user;
    if (level != SN_LOG_WARNING) return;
    snprintf(e->last, sizeof e->last, "%s", sentence);
    e->count++;
}

static sn_world *make_world(ear *e) {
    sn_world_def def = sn_world_def_default();
    sn_world *world;
    *e = (ear){.count = 0};
    def.log = listen;
    def.log_user = e;
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

/* Whether exactly one more thing was said, this; with null, whether nothing was. */
static void check_said(ear *e, const char *sentence) {
    check_case("%s: \"%s\"", sentence ? sentence : "silence", e->last);
    CHECK(e->count == (sentence ? 1 : 0));
    CHECK(strcmp(e->last, sentence ? sentence : "") == 0);
    *e = (ear){.count = 0};
}

/* An oriented node with these inverse masses and inertias about all its axes. */
static sn_node add_node(sn_world *world, double at, double w, double turn_w) {
    sn_node_def def = sn_node_def_default();
    sn_node node;
    def.position = (sn_vec3){(sn_real)at, 0, 0};
    def.oriented = true;
    def.inverse_mass = (sn_real)w;
    def.inverse_inertia = (sn_vec3){(sn_real)turn_w, 0, 0};
    REQUIRE_OK(sn_node_create(world, &def, &node));
    return node;
}

TEST(joints_of_what_nothing_moves_are_told) {
    ear e;
    sn_world *world = make_world(&e);
    sn_node still = add_node(world, 0, 0, 0), other = add_node(world, 1, 0, 0);
    sn_node moved = add_node(world, 2, 1, 0), turned = add_node(world, 3, 0, 1);
    const sn_node pair[5][2] = {
        {still, other}, {still, moved}, {moved, still}, {still, turned}, {turned, still}};
    for (int k = 0; k < 5; k++) {
        sn_hinge_joint_def hinge = sn_hinge_joint_def_default();
        sn_turn_drive_def drive = sn_turn_drive_def_default();
        sn_constraint made;
        check_case("pair %d", k);
        for (int n = 0; n < 2; n++) hinge.node[n] = drive.node[n] = pair[k][n];
        REQUIRE_OK(sn_constraint_create(world, SN_TYPE_HINGE_JOINT, &hinge, &made));
        check_said(&e, k > 0 ? NULL
                             : "hinge_joint: 1 of 1 join nodes whose inverse masses and inertias "
                               "are 0, and have no effect while they are");
        REQUIRE_OK(sn_constraint_create(world, SN_TYPE_TURN_DRIVE, &drive, &made));
        check_said(&e, k > 0 ? NULL
                             : "turn_drive: 1 of 1 join nodes whose inverse masses and inertias "
                               "are 0, and have no effect while they are");
    }
    /* All that are made together in one sentence. */
    sn_ball_joint_def balls[3];
    for (int k = 0; k < 3; k++) {
        balls[k] = sn_ball_joint_def_default();
        balls[k].node[0] = still;
        balls[k].node[1] = k == 1 ? moved : other;
    }
    REQUIRE_OK(sn_constraints_create(world, SN_TYPE_BALL_JOINT, balls, 3, NULL));
    check_said(&e, "ball_joint: 2 of 3 join nodes whose inverse masses and inertias are 0, and "
                   "have no effect while they are");
    sn_world_destroy(world);
}

/* Bodies are held in their places by nodes of which nothing moves any: that is no mistake. */
TEST(other_constraints_between_what_nothing_moves_are_not) {
    ear e;
    sn_world *world = make_world(&e);
    sn_distance_def distance = sn_distance_def_default();
    sn_seam_def seam = sn_seam_def_default();
    sn_constraint made;
    distance.node[0] = seam.node[0] = add_node(world, 0, 0, 0);
    distance.node[1] = seam.node[1] = add_node(world, 1, 0, 0);
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_DISTANCE, &distance, &made));
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_SEAM, &seam, &made));
    check_said(&e, NULL);
    sn_world_destroy(world);
}

TEST(damping_of_what_gives_way_by_nothing_is_told) {
    ear e;
    sn_world *world = make_world(&e);
    sn_distance_def def[3];
    sn_node a = add_node(world, 0, 0, 0), b = add_node(world, 1, 1, 0);
    for (int k = 0; k < 3; k++) {
        def[k] = sn_distance_def_default();
        def[k].node[0] = a;
        def[k].node[1] = b;
        def[k].damping = k > 0;
        def[k].compliance = k > 1;
    }
    REQUIRE_OK(sn_constraints_create(world, SN_TYPE_DISTANCE, def, 3, NULL));
    check_said(&e, "distance: damping has no effect on 1 constraints whose compliance is 0");
    sn_world_destroy(world);
}

TESTS(RUN(joints_of_what_nothing_moves_are_told),
      RUN(other_constraints_between_what_nothing_moves_are_not),
      RUN(damping_of_what_gives_way_by_nothing_is_told))
