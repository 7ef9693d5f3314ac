/* Bodies at rest fall asleep, cost nothing and do not move; and they do so with what they are
   joined with (V46). */
#include "base/meter.h"
#include "sleepers.h"

#include <string.h>

/* ---- Falling asleep ---- */

TEST(what_lies_on_a_floor_falls_asleep) {
    for (sn_integrator integrator = SN_INTEGRATOR_BDF1; integrator <= SN_INTEGRATOR_BDF2;
         integrator++) {
        sn_settings settings = sleepy_settings();
        settings.integrator = integrator;
        sn_world *world = sleepy_world(settings, 1, 0);
        add_floor(world);
        sn_body body[] = {drop_rope(world, 0, 0.2, NULL), drop_cloth(world, 2, 0.2, 8),
                          drop_cube(world, 4, 0.1), drop_rod(world, 6, 0.2, NULL)};
        const char *name[] = {"rope", "cloth", "cube", "rod"};
        for (int i = 0; i < 4; i++) {
            check_case("%s with BDF%d", name[i], (int)integrator + 1);
            CHECK(seconds_until_asleep(world, body[i], 6) < 5.9);
        }
        CHECK(count_asleep(world) == 4);
        CHECK(fastest(world) == 0);
        sn_world_destroy(world);
    }
}

/* V46: without restitution a ball rests at once, and sleeps as soon as it may. */
TEST(a_ball_sleeps_when_it_has_lain_for_the_sleep_time) {
    const double times[] = {0, 0.1, 0.5, 2};
    for (int i = 0; i < 4; i++) {
        check_case("sleep time %g", times[i]);
        sn_settings settings = sleepy_settings();
        settings.sleep_time = (sn_real)times[i];
        sn_world *world = sleepy_world(settings, 1, 0);
        add_floor(world);
        sn_body ball = drop_ball(world, 0, 0.1 + 1, NULL);
        /* It falls for sqrt(2 / g) s; the step in which it lands is not a slow one. */
        double expected = 0.4515 + times[i], found = seconds_until_asleep(world, ball, 10);
        CHECK(found >= expected && found <= expected + 3.0 / 60);
        sn_world_destroy(world);
    }
}

TEST(nothing_sleeps_unless_it_is_asked_for) {
    sn_world *world = sleepy_world(sn_settings_default(), 1, 0);
    add_floor(world);
    sn_body ball = drop_ball(world, 0, 0.1, NULL);
    CHECK(seconds_until_asleep(world, ball, 5) >= 5);
    CHECK_OK(sn_body_wake(world, ball));
    sn_world_destroy(world);
}

TEST(who_may_not_sleep_does_not) {
    sn_world *world = sleepy_world(sleepy_settings(), 1, 0);
    add_floor(world);
    sn_body ball = drop_ball(world, 0, 0.1, NULL), other = drop_ball(world, 1, 0.1, NULL);
    sn_body_def def = sn_body_def_default();
    def.may_sleep = false;
    CHECK_OK(sn_body_set(world, ball, &def));
    CHECK(seconds_until_asleep(world, ball, 3) >= 3);
    CHECK(sn_body_is_asleep(world, other));
    sn_world_destroy(world);
}

TEST(what_swings_or_creeps_stays_awake) {
    sn_world *world = sleepy_world(sleepy_settings(), 1, 0);
    sn_node bob, pin;
    sn_body body = drop_ball(world, 1, 0, &bob);
    sn_node_def def = sn_node_def_default();
    def.inverse_mass = 0;
    REQUIRE_OK(sn_node_create(world, &def, &pin));
    tie(world, bob, pin);
    CHECK(seconds_until_asleep(world, body, 5) >= 5);
    sn_world_destroy(world);
    /* A ball that slides at a little more, or a little less, than the sleep speed. */
    for (int fast = 0; fast < 2; fast++) {
        sn_settings settings = sleepy_settings();
        settings.gravity = (sn_vec3){0, 0, 0};
        world = sleepy_world(settings, 1, 0);
        body = drop_ball(world, 0, 0, &bob);
        CHECK_OK(sn_node_set_velocity(world, bob,
                                      (sn_vec3){fast ? (sn_real)0.021 : (sn_real)0.019, 0, 0}));
        CHECK((seconds_until_asleep(world, body, 2) >= 2) == fast);
        sn_world_destroy(world);
    }
}

/* What a kinematic node goes in a step may be less than the rounding of where it is: it moves. */
TEST(what_hangs_on_a_node_that_creeps_stays_awake) {
    sn_settings settings = sleepy_settings();
    settings.gravity = (sn_vec3){0, 0, 0};
    for (int axis = 0; axis < 4; axis++) {
        sn_real speed[4] = {0};
        sn_world *world = sleepy_world(settings, 1, 0);
        sn_node ball, pin;
        sn_body body = drop_ball(world, 2, 1, &ball);
        sn_node_def def = sn_node_def_default();
        speed[axis] = (sn_real)1e-15;
        check_case("along %d", axis);
        def.position = (sn_vec3){1, 1, 1};
        def.inverse_mass = 0;
        REQUIRE_OK(sn_node_create(world, &def, &pin));
        tie(world, ball, pin);
        REQUIRE_OK(sn_node_set_velocity(world, pin, (sn_vec3){speed[0], speed[1], speed[2]}));
        CHECK((seconds_until_asleep(world, body, 2) >= 2) == (axis < 3));
        sn_world_destroy(world);
    }
}

TEST(an_oriented_node_that_spins_stays_awake) {
    sn_settings settings = sleepy_settings();
    settings.gravity = (sn_vec3){0, 0, 0};
    for (int turn = 0; turn < 6; turn++) {
        bool fast = turn % 2 == 1;
        sn_real speed = fast ? (sn_real)0.21 : (sn_real)0.19;
        sn_world *world = sleepy_world(settings, 1, 0);
        sn_body body;
        sn_node node;
        sn_body_def body_def = sn_body_def_default();
        sn_node_def def = sn_node_def_default();
        REQUIRE_OK(sn_body_create(world, &body_def, &body));
        def.oriented = true;
        def.body = body;
        def.angular_velocity = (sn_vec3){turn / 2 == 0 ? speed : 0, turn / 2 == 1 ? speed : 0,
                                         turn / 2 == 2 ? speed : 0};
        check_case("about axis %d, %s", turn / 2, fast ? "fast" : "slow");
        REQUIRE_OK(sn_node_create(world, &def, &node));
        CHECK((seconds_until_asleep(world, body, 2) >= 2) == fast);
        sn_world_destroy(world);
    }
}

/* A node that was turned to an orientation stands still once it is there, whatever that is. */
TEST(what_is_turned_to_its_target_lets_others_sleep) {
    sn_settings settings = sleepy_settings();
    settings.gravity = (sn_vec3){0, 0, 0};
    for (int k = 0; k < 4; k++) {
        sn_world *world = sleepy_world(settings, 1, 0);
        sn_body body;
        sn_node turned, hanging;
        sn_body_def body_def = sn_body_def_default();
        sn_node_def def = sn_node_def_default();
        const sn_real part[4] = {(sn_real)0.1, (sn_real)0.5, (sn_real)-0.3, (sn_real)0.8062257748};
        sn_quat to = {part[k], part[(k + 1) % 4], part[(k + 2) % 4], part[(k + 3) % 4]};
        check_case("target %d", k);
        REQUIRE_OK(sn_body_create(world, &body_def, &body));
        def.body = body;
        def.position.x = 1;
        REQUIRE_OK(sn_node_create(world, &def, &hanging));
        def.position.x = 0;
        def.oriented = true;
        def.inverse_mass = 0;
        def.inverse_inertia = (sn_vec3){0, 0, 0};
        REQUIRE_OK(sn_node_create(world, &def, &turned));
        tie(world, turned, hanging);
        CHECK(seconds_until_asleep(world, body, 2) < 2);
        REQUIRE_OK(sn_node_set_target_orientation(world, turned, to));
        advance(world, 1);
        CHECK(!sn_body_is_asleep(world, body));
        CHECK(seconds_until_asleep(world, body, 2) < 2);
        REQUIRE_OK(sn_node_set_target_orientation(world, turned, to));
        advance(world, 1);
        CHECK(sn_body_is_asleep(world, body));
        sn_world_destroy(world);
    }
}

/* ---- Asleep ---- */

TEST(sleepers_keep_their_bits) {
    for (sn_solver solver = SN_SOLVER_COLOURED; solver <= SN_SOLVER_HYBRID; solver++) {
        check_case("solver %d", (int)solver);
        sn_settings settings = sleepy_settings();
        settings.solver = solver;
        /* Half the constraints of a store may be those of somebody who is awake. */
        sn_world *world = sleepy_world(settings, 1, 0);
        add_floor(world);
        for (int i = 0; i < 3; i++) {
            drop_rope(world, i, 0.05, NULL);
            drop_rod(world, i + 0.5, 0.05, NULL);
        }
        let_all_sleep(world);
        sn_body late = drop_rope(world, 4, 0.5, NULL), turning = drop_rod(world, 5, 0.5, NULL);
        enum { MOST = 6 * ROPE_NODES };
        sn_node_view nodes;
        sn_frame_view frames;
        sn_vec4 x[MOST];
        sn_quat q[MOST];
        REQUIRE_OK(sn_world_nodes(world, &nodes));
        REQUIRE_OK(sn_world_frames(world, &frames));
        memcpy(x, nodes.position, sizeof x);
        size_t turns = frames.count / 4 * 3; /* the last of the rods is awake */
        if (!CHECK(turns > 30 && turns <= MOST)) turns = 0;
        memcpy(q, frames.orientation, turns * sizeof *q);
        advance(world, 40);
        CHECK(!sn_body_is_asleep(world, late) && !sn_body_is_asleep(world, turning));
        CHECK(count_asleep(world) == 6);
        REQUIRE_OK(sn_world_nodes(world, &nodes));
        REQUIRE_OK(sn_world_frames(world, &frames));
        CHECK(memcmp(x, nodes.position, sizeof x) == 0);
        CHECK(memcmp(q, frames.orientation, turns * sizeof *q) == 0);
        const sn_vec4 none = {0, 0, 0, 0};
        for (size_t i = 0; i < MOST; i++)
            CHECK(memcmp(&nodes.velocity[i], &none, 3 * sizeof(sn_real)) == 0);
        sn_world_destroy(world);
    }
}

/* A block whose particles have orientations, which its regions turn. */
static sn_body drop_oriented(sn_world *world) {
    sn_mesh mesh = sn_mesh_default();
    sn_block_def block = sn_block_def_default();
    sn_oriented_material material = sn_oriented_material_default();
    sn_build_def def = sn_build_def_default();
    sn_build made;
    block.extent = (sn_vec3){(sn_real)0.3, (sn_real)0.2, (sn_real)0.2};
    block.cells[0] = block.cells[1] = block.cells[2] = 2;
    REQUIRE_OK(sn_generate_block(&mesh, &block));
    material.radius = (sn_real)0.02;
    def.mesh = &mesh;
    def.position.y = (sn_real)0.14;
    def.rotation = (sn_quat){(sn_real)0.01, (sn_real)0.02, (sn_real)0.03, 1};
    REQUIRE_OK(sn_build_body(world, SN_KIND_ORIENTED, &material, &def, NULL, &made));
    sn_mesh_free(&mesh);
    return made.body;
}

/* What turns by matching shapes does not while it sleeps, and another one is awake. */
TEST(matched_sleepers_do_not_turn) {
    enum { MOST = 64 };
    sn_world *world = sleepy_world(sleepy_settings(), 1, 0);
    sn_quat turn[MOST];
    sn_vec4 place[MOST];
    sn_frame_view frames;
    sn_node_view nodes;
    add_floor(world);
    sn_body body = drop_oriented(world);
    let_all_sleep(world);
    sn_body late = drop_ball(world, 3, 5, NULL);
    REQUIRE_OK(sn_world_frames(world, &frames));
    REQUIRE_OK(sn_world_nodes(world, &nodes));
    const size_t count = frames.count;
    if (!CHECK(count > 20 && count <= MOST)) return;
    memcpy(turn, frames.orientation, count * sizeof *turn);
    memcpy(place, nodes.position, count * sizeof *place);
    advance(world, 20);
    CHECK(sn_body_is_asleep(world, body) && !sn_body_is_asleep(world, late));
    REQUIRE_OK(sn_world_frames(world, &frames));
    REQUIRE_OK(sn_world_nodes(world, &nodes));
    CHECK(memcmp(turn, frames.orientation, count * sizeof *turn) == 0);
    CHECK(memcmp(place, nodes.position, count * sizeof *place) == 0);
    sn_world_destroy(world);
}

/* m, how high a block of clay is that creeps under its weight until it sleeps, and once more after
   it has slept for a while. */
static double height_after(int asleep) {
    sn_world *world = sleepy_world(sleepy_settings(), 1, 0);
    sn_mesh mesh = sn_mesh_default();
    sn_block_def block = sn_block_def_default();
    sn_solid_material clay = sn_solid_material_default();
    sn_build_def def = sn_build_def_default();
    sn_build made;
    sn_node_view nodes;
    double high = 0;
    add_floor(world);
    block.extent = (sn_vec3){(sn_real)0.3, (sn_real)0.3, (sn_real)0.3};
    block.cells[0] = block.cells[1] = block.cells[2] = 2;
    REQUIRE_OK(sn_generate_block(&mesh, &block));
    clay.young = (sn_real)2e4;
    clay.damping = (sn_real)0.02;
    clay.plastic_yield = (sn_real)0.001;
    clay.plastic_creep = (sn_real)0.05;
    def.mesh = &mesh;
    def.position.y = (sn_real)0.16;
    REQUIRE_OK(sn_build_body(world, SN_KIND_SOLID, &clay, &def, NULL, &made));
    let_all_sleep(world);
    advance(world, asleep);
    CHECK(sn_body_is_asleep(world, made.body));
    REQUIRE_OK(sn_body_wake(world, made.body));
    advance(world, 10);
    REQUIRE_OK(sn_world_nodes(world, &nodes));
    for (size_t i = 0; i < nodes.count; i++) high += (double)nodes.position[i].y;
    sn_mesh_free(&mesh);
    sn_world_destroy(world);
    return high;
}

TEST(sleepers_do_not_creep) {
    CHECK(height_after(1) == height_after(200));
}

TEST(sleepers_are_not_projected) {
    sn_world *world = sleepy_world(sleepy_settings(), 1, 0);
    add_floor(world);
    sn_body first = drop_cloth(world, 0, 0.05, 6);
    for (int i = 1; i < 40; i++) drop_cloth(world, i, 0.05, 6);
    advance(world, 1);
    sn_stats awake, asleep;
    CHECK_OK(sn_world_stats(world, &awake));
    CHECK(awake.projections == awake.constraints * 20 && awake.asleep == 0);
    let_all_sleep(world);
    advance(world, 1);
    CHECK_OK(sn_world_stats(world, &asleep));
    CHECK(asleep.projections == 0 && asleep.asleep == 40);
    /* And where one is awake, only its own. */
    CHECK_OK(sn_body_wake(world, first));
    advance(world, 1);
    CHECK_OK(sn_world_stats(world, &asleep));
    CHECK(asleep.projections == awake.projections / 40 && asleep.asleep == 39);
    sn_world_destroy(world);
}

TEST(contacts_of_sleepers_stay_with_their_weight) {
    sn_world *world = sleepy_world(sleepy_settings(), 1, 0);
    add_floor(world);
    drop_ball(world, 0, 0.1, NULL);
    const sn_contact *contacts;
    size_t count;
    for (int i = 0; i < 120; i++) {
        advance(world, 1);
        CHECK_OK(sn_world_contacts(world, &contacts, &count));
        CHECK(count == 1 && contacts[0].phase == (i ? SN_CONTACT_STAY : SN_CONTACT_BEGIN));
    }
    CHECK(count_asleep(world) == 1);
    CHECK_NEAR(contacts[0].normal_impulse, 9.81 / 60, 1e-3);
    sn_world_destroy(world);
}

/* Without memory a step leaves asleep who is, however few there are. */
TEST(who_sleeps_does_not_wake_without_memory) {
    for (int bodies = 1; bodies <= 3; bodies++) {
        check_case("%d", bodies);
        sn_world *world = sleepy_world(sleepy_settings(), 1, 0);
        add_floor(world);
        for (int i = 0; i < bodies; i++) drop_cube(world, i, 0.05);
        let_all_sleep(world);
        CHECK(meter_refuse_all(world, STEP) > 5);
        sn_world_destroy(world);
    }
}

/* ---- Islands ---- */

TEST(joined_bodies_sleep_and_wake_together) {
    sn_world *world = sleepy_world(sleepy_settings(), 1, 0);
    add_floor(world);
    sn_node a[ROPE_NODES], b[ROPE_NODES];
    /* The second falls for longer, and the first waits for it. */
    sn_body first = drop_rope(world, 0, 0.05, a), second = drop_ball(world, 0.5, 0.4, b);
    sn_body alone = drop_rope(world, 3, 0.05, NULL);
    tie(world, a[0], b[0]);
    seconds_until_asleep(world, alone, 5);
    double since = sn_world_time(world);
    CHECK(!sn_body_is_asleep(world, first) && !sn_body_is_asleep(world, second));
    seconds_until_asleep(world, first, 8);
    CHECK(sn_world_time(world) > since);
    CHECK(sn_body_is_asleep(world, first) && sn_body_is_asleep(world, second));
    CHECK_OK(sn_body_wake(world, second));
    CHECK(!sn_body_is_asleep(world, first) && !sn_body_is_asleep(world, second));
    CHECK(sn_body_is_asleep(world, alone));
    sn_world_destroy(world);
}

TEST(a_damping_group_joins_bodies) {
    sn_world *world = sleepy_world(sleepy_settings(), 1, 0);
    add_floor(world);
    sn_node node[2];
    sn_body a = drop_ball(world, 0, 0.1, &node[0]), b = drop_ball(world, 1, 0.1, &node[1]);
    sn_damping_group damping_group;
    sn_damping_group_def def = sn_damping_group_def_default();
    def.nodes = node;
    def.node_count = 2;
    def.damping = 1;
    let_all_sleep(world);
    CHECK_OK(sn_damping_group_create(world, &def, &damping_group));
    CHECK(count_asleep(world) == 0);
    let_all_sleep(world);
    advance(world, 10);
    CHECK(fastest(world) == 0 && count_asleep(world) == 2);
    CHECK_OK(sn_node_apply_impulse(world, node[0], (sn_vec3){0, 1, 0}));
    CHECK(!sn_body_is_asleep(world, a) && !sn_body_is_asleep(world, b));
    let_all_sleep(world);
    CHECK_OK(sn_damping_group_destroy(world, damping_group));
    let_all_sleep(world);
    CHECK_OK(sn_body_wake(world, a));
    CHECK(sn_body_is_asleep(world, b));
    sn_world_destroy(world);
}

TEST(a_free_node_without_a_body_keeps_awake_what_it_hangs_on) {
    sn_world *world = sleepy_world(sleepy_settings(), 1, 0);
    add_floor(world);
    sn_node rope[ROPE_NODES], free;
    sn_body body = drop_rope(world, 0, 0.05, rope);
    sn_node_def def = sn_node_def_default();
    def.position = (sn_vec3){(sn_real)0.1, 0, 0};
    REQUIRE_OK(sn_node_create(world, &def, &free));
    tie(world, free, rope[0]);
    CHECK(seconds_until_asleep(world, body, 4) >= 4);
    /* Held, it is no more than a pin. */
    CHECK_OK(sn_node_set_inverse_mass(world, free, 0));
    CHECK_OK(sn_node_set_velocity(world, free, (sn_vec3){0, 0, 0}));
    CHECK(seconds_until_asleep(world, body, 4) < 4);
    sn_world_destroy(world);
}

/* ---- Waking ---- */

TEST(nothing_jumps_when_it_wakes) {
    for (sn_integrator integrator = SN_INTEGRATOR_BDF1; integrator <= SN_INTEGRATOR_BDF2;
         integrator++) {
        check_case("BDF%d", (int)integrator + 1);
        sn_settings settings = sleepy_settings();
        settings.integrator = integrator;
        sn_world *world = sleepy_world(settings, 1, 0);
        add_floor(world);
        sn_body body[] = {drop_rope(world, 0, 0.2, NULL), drop_cloth(world, 2, 0.2, 8),
                          drop_cube(world, 4, 0.1), drop_rod(world, 6, 0.2, NULL)};
        let_all_sleep(world);
        for (int i = 0; i < 4; i++) CHECK_OK(sn_body_wake(world, body[i]));
        CHECK(count_asleep(world) == 0);
        for (int i = 0; i < 10; i++) {
            advance(world, 1);
            CHECK(fastest(world) < 0.05);
        }
        let_all_sleep(world);
        CHECK(sn_world_time(world) < 20);
        sn_world_destroy(world);
    }
}

TESTS(RUN(what_lies_on_a_floor_falls_asleep),
      RUN(a_ball_sleeps_when_it_has_lain_for_the_sleep_time),
      RUN(nothing_sleeps_unless_it_is_asked_for), RUN(who_may_not_sleep_does_not),
      RUN(what_swings_or_creeps_stays_awake), RUN(what_hangs_on_a_node_that_creeps_stays_awake),
      RUN(an_oriented_node_that_spins_stays_awake),
      RUN(what_is_turned_to_its_target_lets_others_sleep), RUN(sleepers_keep_their_bits),
      RUN(matched_sleepers_do_not_turn), RUN(who_sleeps_does_not_wake_without_memory),
      RUN(sleepers_do_not_creep), RUN(sleepers_are_not_projected),
      RUN(contacts_of_sleepers_stay_with_their_weight), RUN(joined_bodies_sleep_and_wake_together),
      RUN(a_damping_group_joins_bodies),
      RUN(a_free_node_without_a_body_keeps_awake_what_it_hangs_on),
      RUN(nothing_jumps_when_it_wakes))
