/*
 * Constraints that are switched off and on again: they let go and hold again under the same id,
 * wherever a store moves them, in snapshots and recordings, for sleepers and for contacts.
 */
#include "attachment_worlds.h"

#include <sinew/graph.h>

#include <stdio.h>
#include <string.h>

#include "check.h"

enum { LINKS = 40 };
static const sn_real frame = (sn_real)(1.0 / 60);

static void run(sn_world *world, int frames) {
    for (int i = 0; i < frames; i++) REQUIRE_OK(sn_world_step(world, frame));
}

/* Balls that hang on hooks by distances of 1 m, one each. */
static void hang(sn_world *world, sn_node *ball, sn_constraint *link, double break_force) {
    for (int i = 0; i < LINKS; i++) {
        sn_distance_def def = sn_distance_def_default();
        def.node[0] = attachment_node(world, i, 1, 0, 0);
        def.node[1] = ball[i] = attachment_node(world, i, 0, 0, 1);
        if (break_force > 0) def.break_force = (sn_real)break_force;
        REQUIRE_OK(sn_constraint_create(world, SN_TYPE_DISTANCE, &def, &link[i]));
    }
}

static bool is_enabled(const sn_world *world, sn_constraint constraint) {
    bool enabled = false;
    REQUIRE_OK(sn_constraint_get_enabled(world, constraint, &enabled));
    return enabled;
}

TEST(every_third_lets_go_and_holds_again) {
    uint64_t hash[2];
    for (int k = 0; k < 2; k++) {
        sn_world *world = attachment_world(k == 0 ? 1 : 4, 10, 9.81);
        sn_node ball[LINKS];
        sn_constraint link[LINKS];
        hang(world, ball, link, 0);
        for (int i = 0; i < LINKS; i += 3)
            REQUIRE_OK(sn_constraint_set_enabled(world, link[i], false));
        /* Others go, and the last ones take their places. */
        for (int i = 1; i < LINKS; i += 3) REQUIRE_OK(sn_constraint_destroy(world, link[i]));
        run(world, 30);
        for (int i = 0; i < LINKS; i++) {
            double y = (double)attachment_at(world, ball[i]).y;
            if (i % 3 == 2)
                CHECK_NEAR(y, 0, 1e-5);
            else
                CHECK(y < -1);
            if (i % 3 != 1) CHECK(is_enabled(world, link[i]) == (i % 3 != 0));
        }
        attachment_check_snapshot(world, 20);
        for (int i = 0; i < LINKS; i += 3)
            REQUIRE_OK(sn_constraint_set_enabled(world, link[i], true));
        run(world, 30);
        for (int i = 0; i < LINKS; i += 3)
            CHECK_NEAR(
                attachment_distance(attachment_at(world, ball[i]), (sn_vec3){(sn_real)i, 1, 0}), 1,
                1e-3);
        hash[k] = sn_world_hash(world);
        sn_world_destroy(world);
    }
    CHECK(hash[0] == hash[1]);
}

TEST(snapshots_keep_who_is_off) {
    sn_world *world = attachment_world(1, 10, 9.81), *other = attachment_world(1, 10, 9.81);
    sn_node ball[LINKS];
    sn_constraint link[LINKS], found;
    static unsigned char bytes[1 << 18];
    size_t plain, size;
    hang(world, ball, link, 0);
    REQUIRE_OK(sn_snapshot_save(world, NULL, 0, &plain));
    REQUIRE_OK(sn_constraint_set_enabled(world, link[17], false));
    REQUIRE_OK(sn_constraint_set_enabled(world, link[18], false));
    REQUIRE_OK(sn_constraint_set_enabled(world, link[18], true));
    REQUIRE_OK(sn_snapshot_save(world, bytes, sizeof bytes, &size));
    CHECK(size > plain);
    REQUIRE_OK(sn_snapshot_load(other, bytes, size));
    for (size_t i = 0; i < LINKS; i++) {
        REQUIRE_OK(sn_world_constraint_at(other, i, &found));
        CHECK(is_enabled(other, found) == (i != 17));
    }
    /* With all of them enabled the bytes are as if nothing had been. */
    REQUIRE_OK(sn_constraint_set_enabled(world, link[17], true));
    REQUIRE_OK(sn_snapshot_save(world, NULL, 0, &size));
    CHECK(size == plain);
    sn_world_destroy(world);
    sn_world_destroy(other);
}

TEST(recordings_repeat_it) {
    /* Both precisions may run at a time. */
    const char *path = sizeof(sn_real) == 4 ? "attachment_switch.rec" : "attachment_switch_f64.rec";
    sn_world *world = attachment_world(1, 10, 9.81), *again = attachment_world(1, 10, 9.81);
    sn_node ball[LINKS];
    sn_constraint link[LINKS];
    sn_replay_report report;
    REQUIRE_OK(sn_recording_start(world, path));
    hang(world, ball, link, 0);
    run(world, 2);
    REQUIRE_OK(sn_constraint_set_enabled(world, link[3], false));
    run(world, 10);
    REQUIRE_OK(sn_constraint_set_enabled(world, link[3], true));
    run(world, 10);
    REQUIRE_OK(sn_recording_stop(world));
    CHECK_OK(sn_replay_file(again, path, &report));
    CHECK(!report.differs && report.steps == 22);
    CHECK(sn_world_hash(world) == sn_world_hash(again));
    remove(path);
    sn_world_destroy(world);
    sn_world_destroy(again);
}

TEST(what_is_off_does_not_break) {
    sn_world *world = attachment_world(1, 10, 9.81);
    sn_node ball[LINKS];
    sn_constraint link[LINKS];
    const sn_break_event *events;
    size_t count;
    hang(world, ball, link, 5);
    for (int i = 1; i < LINKS; i++) REQUIRE_OK(sn_constraint_set_enabled(world, link[i], false));
    run(world, 1);
    REQUIRE_OK(sn_world_breaks(world, &events, &count));
    CHECK(count == 1 && events[0].constraint.slot == link[0].slot);
    CHECK(!sn_constraint_is_valid(world, link[0]));
    run(world, 10);
    CHECK(sn_world_constraint_count(world, SN_TYPE_COUNT) == LINKS - 1);
    REQUIRE_OK(sn_constraint_set_enabled(world, link[1], true));
    run(world, 1);
    REQUIRE_OK(sn_world_breaks(world, &events, &count));
    CHECK(count == 1 && events[0].constraint.slot == link[1].slot);
    sn_world_destroy(world);
}

/* ---- Sleep ---- */

static sn_node ball_with_body(sn_world *world, double x, double y, sn_body *body) {
    sn_body_def def = sn_body_def_default();
    sn_node_def node = sn_node_def_default();
    sn_node made;
    REQUIRE_OK(sn_body_create(world, &def, body));
    node.body = *body;
    node.position = (sn_vec3){(sn_real)x, (sn_real)y, 0};
    REQUIRE_OK(sn_node_create(world, &node, &made));
    return made;
}

TEST(both_wake_who_sleeps) {
    sn_world *world = attachment_world(1, 10, 9.81);
    sn_settings settings = sn_settings_default();
    sn_body body[2];
    sn_constraint link[2];
    bool asleep[2];
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.sleep_time = (sn_real)0.2;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    for (int i = 0; i < 2; i++) {
        sn_distance_def def = sn_distance_def_default();
        def.node[0] = attachment_node(world, i, 1, 0, 0);
        def.node[1] = ball_with_body(world, i, 0, &body[i]);
        REQUIRE_OK(sn_constraint_create(world, SN_TYPE_DISTANCE, &def, &link[i]));
    }
    /* What is off joins nobody: the two may sleep and wake alone. */
    sn_distance_def between = sn_distance_def_default();
    sn_constraint bridge;
    sn_node ends[2][2];
    size_t count;
    for (int i = 0; i < 2; i++)
        REQUIRE_OK(sn_constraint_get_nodes(world, link[i], ends[i], 2, &count));
    between.node[0] = ends[0][1];
    between.node[1] = ends[1][1];
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_DISTANCE, &between, &bridge));
    REQUIRE_OK(sn_constraint_set_enabled(world, bridge, false));
    run(world, 60);
    for (int i = 0; i < 2; i++) asleep[i] = sn_body_is_asleep(world, body[i]);
    CHECK(asleep[0] && asleep[1]);
    REQUIRE_OK(sn_constraint_set_enabled(world, link[0], false));
    run(world, 30);
    for (int i = 0; i < 2; i++) asleep[i] = sn_body_is_asleep(world, body[i]);
    CHECK(!asleep[0] && asleep[1]);
    CHECK((double)attachment_at(world, ends[0][1]).y < -1);
    CHECK((double)attachment_at(world, ends[1][1]).y > -1e-4);
    /* The bridge pulls both. */
    REQUIRE_OK(sn_constraint_set_enabled(world, bridge, true));
    run(world, 1);
    for (int i = 0; i < 2; i++) asleep[i] = sn_body_is_asleep(world, body[i]);
    CHECK(!asleep[0] && !asleep[1]);
    sn_world_destroy(world);
}

/* ---- Contacts ---- */

/* How far apart two balls are that a seam holds in one place, though they are 5 cm thick. */
static double gap_of(bool enabled) {
    sn_world *world = attachment_world(1, 10, 0);
    sn_node ball[2];
    sn_body body[2];
    for (int i = 0; i < 2; i++) {
        sn_collision_surface_def surface = sn_collision_surface_def_default();
        sn_collision_surface made;
        ball[i] = ball_with_body(world, i * 0.01, 0, &body[i]);
        REQUIRE_OK(sn_node_set_radius(world, ball[i], (sn_real)0.05));
        surface.nodes = &ball[i];
        surface.node_count = 1;
        REQUIRE_OK(sn_collision_surface_create(world, &surface, &made));
    }
    sn_seam_def def = sn_seam_def_default();
    sn_constraint seam;
    def.node[0] = ball[0];
    def.node[1] = ball[1];
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_SEAM, &def, &seam));
    REQUIRE_OK(sn_constraint_set_enabled(world, seam, enabled));
    run(world, 20);
    double gap = attachment_distance(attachment_at(world, ball[0]), attachment_at(world, ball[1]));
    sn_world_destroy(world);
    return gap;
}

TEST(contacts_are_made_where_a_seam_is_off) {
    CHECK(gap_of(true) < 1e-5);
    CHECK(gap_of(false) > 0.09);
}

/* A chain needs two colours, and links that share no node one. */
TEST(constraints_that_share_a_node_have_different_colours) {
    sn_world *world = attachment_world(1, 10, 0);
    sn_node ball[LINKS];
    sn_constraint link[LINKS];
    int colour[LINKS], next;
    hang(world, ball, link, 0);
    for (int i = 0; i < LINKS; i++) {
        CHECK_OK(sn_constraint_get_colour(world, link[i], &colour[i]));
        CHECK(colour[i] == 0);
    }
    for (int i = 0; i + 1 < LINKS; i++) {
        sn_distance_def def = sn_distance_def_default();
        sn_constraint id;
        def.node[0] = ball[i];
        def.node[1] = ball[i + 1];
        REQUIRE_OK(sn_constraint_create(world, SN_TYPE_DISTANCE, &def, &id));
        CHECK_OK(sn_constraint_get_colour(world, id, &next));
        CHECK(next == 1 + i % 2);
    }
    CHECK(sn_constraint_get_colour(world, link[0], NULL) == SN_ERROR_NULL);
    REQUIRE_OK(sn_constraint_destroy(world, link[0]));
    CHECK(sn_constraint_get_colour(world, link[0], &next) == SN_ERROR_STALE);
    sn_world_destroy(world);
}

TESTS(RUN(constraints_that_share_a_node_have_different_colours),
      RUN(every_third_lets_go_and_holds_again), RUN(snapshots_keep_who_is_off),
      RUN(recordings_repeat_it), RUN(what_is_off_does_not_break), RUN(both_wake_who_sleeps),
      RUN(contacts_are_made_where_a_seam_is_off))
