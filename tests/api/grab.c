/*
 * Grabbing: what is held follows the hand and hangs where statics says, is thrown with the velocity
 * that is given, and leaves nothing behind; snapshots and recordings go on with the same bits.
 */
#include "attachment_worlds.h"

#include <math.h>
#include <stdio.h>

#include "check.h"

enum { CELLS = 4, NODES = (CELLS + 1) * (CELLS + 1) };
static const sn_real frame = (sn_real)(1.0 / 60);
static const double g = 9.81, rate = 25;

static void run(sn_world *world, int frames) {
    for (int i = 0; i < frames; i++) REQUIRE_OK(sn_world_step(world, frame));
}

static sn_grab begin(sn_world *world, const sn_grab_def *def) {
    sn_grab grab = {{0, 0, 0}, {0, 0, 0}};
    REQUIRE_OK(sn_grab_begin(world, def, &grab));
    return grab;
}

static sn_grab_def of_node(sn_node node) {
    sn_grab_def def = sn_grab_def_default();
    def.node[0] = node;
    return def;
}

/* What is under a point of a cloth, seen from above. */
static sn_hit hit_below(sn_world *world, double x, double z) {
    sn_query *query;
    sn_cast_def ray = sn_cast_def_default();
    sn_hit hit;
    ray.origin = (sn_vec3){(sn_real)x, 5, (sn_real)z};
    REQUIRE_OK(sn_query_create(world, &query));
    REQUIRE_OK(sn_query_cast(query, &ray, NULL, &hit));
    sn_query_destroy(query);
    return hit;
}

/* ---- Holding ---- */

/* A node hangs g / rate^2 below the hand, whatever its mass; with a compliance of one's own by
   that. */
TEST(what_is_held_hangs_by_its_compliance) {
    for (int variant = 0; variant < 3; variant++) {
        sn_world *world = attachment_world(1, 20, g);
        double w = variant == 0 ? 1 : 0.01;
        sn_node node = attachment_node(world, 0, 1, 0, w);
        sn_grab_def def = of_node(node);
        check_case("variant %d", variant);
        if (variant == 2) def.compliance = (sn_real)1e-4;
        sn_grab grab = begin(world, &def);
        run(world, 120);
        double expected = variant == 2 ? 1e-4 * g / w : g / (rate * rate);
        CHECK_REL(1 - (double)attachment_at(world, node).y, expected, 0.01);
        CHECK(sn_grab_is_valid(world, grab));
        sn_world_destroy(world);
    }
}

/* It goes after the hand, and stays there when that stands. */
/* A hand at rest feels the weight; one that moves feels what the momentum of the held node changes
   by, and its weight, a thousand times a second. */
TEST(the_hand_feels_what_it_holds) {
    sn_world *world = attachment_world(1, 2, g);
    const double mass = 2, pi = 3.14159265358979, ms = 1e-3;
    sn_node node = attachment_node(world, 0, 1, 0, 1 / mass);
    sn_node_def at = sn_node_def_default();
    sn_grab_def def = of_node(node);
    sn_grab grab = begin(world, &def);
    sn_vec3 force;
    run(world, 120);
    REQUIRE_OK(sn_grab_get_force(world, grab, &force));
    CHECK_REL(force.y, -mass * g, 1e-3);
    CHECK_NEAR(force.x, 0, 1e-3);
    REQUIRE_OK(sn_node_get(world, node, &at));
    double impulse[2] = {0, 0}, before[2] = {(double)at.velocity.x, (double)at.velocity.y},
           peak = 0;
    int steps = 730;
    for (int i = 1; i <= steps; i++) {
        double phase = 2 * pi * 2 * i * ms;
        sn_vec3 hand = {(sn_real)(0.1 * sin(phase)), 1, 0};
        REQUIRE_OK(sn_grab_move(world, grab, hand));
        REQUIRE_OK(sn_world_step(world, (sn_real)ms));
        REQUIRE_OK(sn_grab_get_force(world, grab, &force));
        impulse[0] += ms * (double)force.x;
        impulse[1] += ms * (double)force.y;
        peak = fmax(peak, fabs((double)force.x));
    }
    REQUIRE_OK(sn_node_get(world, node, &at));
    CHECK(peak > 20);
    CHECK_NEAR(impulse[0], -mass * ((double)at.velocity.x - before[0]), 0.01 * peak * ms * steps);
    CHECK_REL(impulse[1], -mass * ((double)at.velocity.y - before[1] + g * ms * steps), 0.01);
    /* What is as hard as can be has no force of its own. */
    def.compliance = 0;
    sn_grab hard = begin(world, &def);
    CHECK_FAILS(sn_grab_get_force(world, hard, &force), SN_ERROR_VALUE);
    sn_world_destroy(world);
}

TEST(what_is_held_follows_the_hand) {
    sn_world *world = attachment_world(1, 20, 0);
    sn_node node = attachment_node(world, 0, 0, 0, 2);
    sn_grab_def def = of_node(node);
    sn_grab grab = begin(world, &def);
    for (int i = 1; i <= 60; i++) {
        REQUIRE_OK(sn_grab_move(world, grab, (sn_vec3){(sn_real)(i / 60.0), 0, 0}));
        run(world, 1);
    }
    /* The damping acts against the motion relative to the hand, so that nothing lags in the end. */
    CHECK_NEAR(attachment_at(world, node).x, 1, 0.02);
    run(world, 60);
    CHECK_NEAR(attachment_at(world, node).x, 1, 1e-3);
    CHECK_NEAR(attachment_at(world, node).y, 0, 1e-6);
    sn_world_destroy(world);
}

/* A cloth by the point of a triangle that a ray meets, and by that of an edge: nothing jumps when
   it is taken, and the point goes where the hand goes. */
TEST(a_point_of_a_surface_is_held) {
    for (int corners = 2; corners <= 3; corners++) {
        sn_world *world = attachment_world(1, 20, g);
        sn_node cloth[NODES];
        (void)attachment_cloth(world, CELLS, (sn_vec3){0, 0, 0}, false, cloth);
        sn_settings settings = sn_settings_default();
        REQUIRE_OK(sn_world_get_settings(world, &settings));
        settings.damping = 2;
        REQUIRE_OK(sn_world_set_settings(world, &settings));
        sn_hit hit = hit_below(world, 0.17, 0.1);
        sn_grab_def def = sn_grab_def_default();
        check_case("%d corners", corners);
        if (!CHECK(hit.kind == SN_HIT_SURFACE) || !CHECK(hit.node_count == 3)) return;
        REQUIRE_OK(sn_grab_def_from_hit(&def, &hit));
        if (corners == 2) {
            def.node[2] = (sn_node){0, 0, 0};
            def.weight[0] = (sn_real)0.25;
            def.weight[1] = (sn_real)0.75;
        }
        sn_grab grab = begin(world, &def);
        sn_vec3 before, after, hand = attachment_at(world, grab.hand);
        REQUIRE_OK(sn_grab_get_point(world, grab, &before));
        CHECK_NEAR(attachment_distance(before, hand), 0, 1e-6);
        if (corners == 3) {
            CHECK_NEAR(before.x, 0.17, 1e-5);
            CHECK_NEAR(before.z, 0.1, 1e-5);
        }
        hand.y += 1;
        for (int i = 0; i < 600; i++) {
            REQUIRE_OK(sn_grab_move(world, grab, hand));
            run(world, 1);
        }
        REQUIRE_OK(sn_grab_get_point(world, grab, &after));
        CHECK_REL(hand.y - after.y, g / (rate * rate), 0.1);
        CHECK_NEAR(
            attachment_distance((sn_vec3){after.x, 0, after.z}, (sn_vec3){hand.x, 0, hand.z}), 0,
            0.005);
        sn_world_destroy(world);
    }
}

/* ---- Letting go ---- */

static void centre(sn_world *world, double velocity[3]) {
    sn_measure m;
    REQUIRE_OK(sn_world_measure(world, &m));
    for (int k = 0; k < 3; k++) velocity[k] = m.momentum[k] / m.mass;
}

/* A whole body is thrown with the velocity that is given, and turns on as it did. */
TEST(a_body_is_thrown) {
    sn_world *world = attachment_world(1, 20, 0);
    sn_node cloth[NODES];
    double v[3];
    sn_measure before, after;
    (void)attachment_cloth(world, CELLS, (sn_vec3){0, 0, 0}, false, cloth);
    for (int i = 0; i < NODES; i++) {
        sn_vec3 x = attachment_at(world, cloth[i]);
        REQUIRE_OK(sn_node_set_velocity(world, cloth[i], (sn_vec3){x.z, 0, 2 - x.x}));
    }
    sn_grab_def def = of_node(cloth[3]);
    REQUIRE_OK(sn_world_measure(world, &before));
    REQUIRE_OK(sn_grab_end(world, begin(world, &def), &(sn_vec3){3, 2, -1}));
    REQUIRE_OK(sn_world_measure(world, &after));
    centre(world, v);
    CHECK_NEAR(v[0], 3, 1e-5);
    CHECK_NEAR(v[1], 2, 1e-5);
    CHECK_NEAR(v[2], -1, 1e-5);
    /* The centre of mass is at the origin, so that what it gets is no spin. */
    CHECK_REL(after.angular_momentum[1], before.angular_momentum[1], 1e-4);
    /* Without a velocity nothing changes. */
    REQUIRE_OK(sn_grab_end(world, begin(world, &def), NULL));
    centre(world, v);
    CHECK_NEAR(v[0], 3, 1e-5);
    sn_world_destroy(world);
}

/* What hangs on pins of its own gets it where it was held alone. */
TEST(a_pinned_body_is_thrown_where_it_was_held) {
    sn_world *world = attachment_world(1, 20, 0);
    sn_node cloth[NODES];
    sn_node_def got = sn_node_def_default();
    (void)attachment_cloth(world, CELLS, (sn_vec3){0, 0, 0}, true, cloth);
    sn_grab_def def = of_node(cloth[NODES / 2]);
    REQUIRE_OK(sn_grab_end(world, begin(world, &def), &(sn_vec3){0, 4, 0}));
    REQUIRE_OK(sn_node_get(world, cloth[NODES / 2], &got));
    CHECK_NEAR(got.velocity.y, 4, 1e-6);
    REQUIRE_OK(sn_node_get(world, cloth[NODES / 2 + 1], &got));
    CHECK_NEAR(got.velocity.y, 0, 1e-6);
    sn_world_destroy(world);
}

/* Nothing is left, and a grab that broke is let go as well. */
TEST(nothing_is_left) {
    sn_world *world = attachment_world(1, 20, g);
    sn_node node = attachment_node(world, 0, 0, 0, 1);
    sn_grab_def def = of_node(node);
    sn_stats before, after;
    run(world, 1);
    REQUIRE_OK(sn_world_stats(world, &before));
    sn_grab grab = begin(world, &def);
    run(world, 1);
    REQUIRE_OK(sn_grab_end(world, grab, NULL));
    run(world, 1);
    REQUIRE_OK(sn_world_stats(world, &after));
    CHECK(after.nodes == before.nodes);
    CHECK(after.constraints == before.constraints);
    CHECK(!sn_grab_is_valid(world, grab));
    CHECK_FAILS(sn_grab_end(world, grab, NULL), SN_ERROR_STALE);

    def.break_force = 1;
    grab = begin(world, &def);
    run(world, 30);
    CHECK(!sn_grab_is_valid(world, grab));
    CHECK_OK(sn_grab_end(world, grab, &(sn_vec3){1, 0, 0}));
    sn_world_destroy(world);
}

/* ---- What is refused ---- */

TEST(wrong_grabs_are_refused) {
    sn_world *world = attachment_world(1, 20, 0);
    sn_node node = attachment_node(world, 0, 0, 0, 1), pin = attachment_node(world, 1, 0, 0, 0);
    sn_grab_def def = sn_grab_def_default();
    sn_grab grab;
    sn_hit hit = {.kind = SN_HIT_COLLIDER};
    sn_stats stats;
    CHECK_FAILS(sn_grab_begin(world, &def, &grab), SN_ERROR_VALUE);
    CHECK_FAILS(sn_grab_def_from_hit(&def, &hit), SN_ERROR_VALUE);
    def = of_node(pin);
    CHECK_FAILS(sn_grab_begin(world, &def, &grab), SN_ERROR_VALUE);
    def = of_node(node);
    def.weight[0] = (sn_real)0.5;
    CHECK_FAILS(sn_grab_begin(world, &def, &grab), SN_ERROR_VALUE);
    def = of_node(node);
    def.compliance = -2;
    CHECK_FAILS(sn_grab_begin(world, &def, &grab), SN_ERROR_VALUE);
    def = of_node(node);
    def.node[1] = node;
    def.weight[0] = def.weight[1] = (sn_real)0.5;
    CHECK(sn_grab_begin(world, &def, &grab) != SN_OK);
    REQUIRE_OK(sn_world_step(world, 0));
    run(world, 1);
    REQUIRE_OK(sn_world_stats(world, &stats));
    CHECK(stats.nodes == 2 && stats.constraints == 0);
    sn_world_destroy(world);
}

/* ---- The same bits ---- */

TEST(snapshots_have_grabs) {
    sn_world *world = attachment_world(1, 20, g);
    sn_node cloth[NODES];
    (void)attachment_cloth(world, CELLS, (sn_vec3){0, 0, 0}, true, cloth);
    sn_grab_def def = of_node(cloth[NODES / 2]);
    sn_grab grab = begin(world, &def);
    REQUIRE_OK(sn_grab_move(world, grab, (sn_vec3){0, 1, 0}));
    attachment_check_snapshot(world, 10);
    sn_world_destroy(world);
}

static uint64_t session(int threads) {
    sn_world *world = attachment_world(threads, 20, g);
    sn_node cloth[NODES];
    (void)attachment_cloth(world, CELLS, (sn_vec3){0, 0, 0}, false, cloth);
    sn_hit hit = hit_below(world, -0.3, 0.2);
    sn_grab_def def = sn_grab_def_default();
    REQUIRE_OK(sn_grab_def_from_hit(&def, &hit));
    sn_grab grab = begin(world, &def);
    for (int i = 0; i < 20; i++) {
        REQUIRE_OK(sn_grab_move(world, grab, (sn_vec3){(sn_real)(0.1 * i), (sn_real)0.5, 0}));
        run(world, 1);
    }
    REQUIRE_OK(sn_grab_end(world, grab, &(sn_vec3){1, 2, 3}));
    run(world, 10);
    uint64_t hash = sn_world_hash(world);
    sn_world_destroy(world);
    return hash;
}

TEST(threads_do_not_matter) {
    CHECK(session(1) == session(3));
}

/* A recording has the calls that a grab is made of, and nothing else is needed to replay it. */
TEST(recordings_have_grabs) {
    const char *path = "grab_session.snr";
    sn_world *world = attachment_world(1, 20, g);
    sn_node cloth[NODES];
    (void)attachment_cloth(world, CELLS, (sn_vec3){0, 0, 0}, false, cloth);
    REQUIRE_OK(sn_recording_start(world, path));
    sn_grab_def def = of_node(cloth[7]);
    sn_grab grab = begin(world, &def);
    REQUIRE_OK(sn_grab_move(world, grab, (sn_vec3){0, 1, 0}));
    run(world, 5);
    REQUIRE_OK(sn_grab_end(world, grab, &(sn_vec3){1, 2, 3}));
    run(world, 5);
    REQUIRE_OK(sn_recording_stop(world));
    sn_world *again = attachment_world(1, 20, g);
    sn_replay_report report;
    CHECK_OK(sn_replay_file(again, path, &report));
    CHECK(sn_world_hash(again) == sn_world_hash(world));
    sn_world_destroy(again);
    sn_world_destroy(world);
    (void)remove(path);
}

TESTS(RUN(what_is_held_hangs_by_its_compliance), RUN(the_hand_feels_what_it_holds),
      RUN(what_is_held_follows_the_hand), RUN(a_point_of_a_surface_is_held), RUN(a_body_is_thrown),
      RUN(a_pinned_body_is_thrown_where_it_was_held), RUN(nothing_is_left),
      RUN(wrong_grabs_are_refused), RUN(snapshots_have_grabs), RUN(threads_do_not_matter),
      RUN(recordings_have_grabs))
