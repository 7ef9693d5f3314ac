/* Sleeping bodies that touch each other: piles sleep and wake as one, what comes flying wakes them
   before it hits, and the same bits for threads and widths. */
#include "sleepers.h"

#include <math.h>
#include <string.h>

static void give_surface(sn_world *world, const sn_node *nodes, size_t count,
                         sn_collision_surface_def def) {
    sn_collision_surface surface;
    def.nodes = nodes;
    def.node_count = count;
    REQUIRE_OK(sn_collision_surface_create(world, &def, &surface));
}

static sn_body add_ball(sn_world *world, double x, double y, double mass, sn_node *node) {
    sn_body body = drop_ball(world, x, y, node);
    sn_collision_surface_def def = sn_collision_surface_def_default();
    def.static_friction = def.dynamic_friction = 0;
    if (mass != 1)
        REQUIRE_OK(sn_node_set_inverse_mass(world, *node, mass > 0 ? (sn_real)(1 / mass) : 0));
    give_surface(world, node, 1, def);
    return body;
}

/* A rope along z whose segments others can lie on. */
static sn_body add_rope(sn_world *world, double x, double y, sn_node *nodes) {
    sn_body body = drop_rope(world, x, y, nodes);
    uint32_t segments[2 * (ROPE_NODES - 1)];
    for (uint32_t i = 0; i < ROPE_NODES - 1; i++) {
        segments[2 * i] = i;
        segments[2 * i + 1] = i + 1;
    }
    sn_collision_surface_def def = sn_collision_surface_def_default();
    def.segments = segments;
    def.segment_count = ROPE_NODES - 1;
    give_surface(world, nodes, ROPE_NODES, def);
    return body;
}

static sn_settings floating(void) {
    sn_settings settings = sleepy_settings();
    settings.gravity = (sn_vec3){0, 0, 0};
    return settings;
}

static sn_vec3 velocity_of(const sn_world *world, sn_node node) {
    sn_node_def def = sn_node_def_default();
    REQUIRE_OK(sn_node_get(world, node, &def));
    return def.velocity;
}

/* ---- Piles ---- */

TEST(a_pile_sleeps_and_wakes_as_one) {
    sn_world *world = sleepy_world(sleepy_settings(), 1, 0);
    add_floor(world);
    sn_node node[4];
    sn_body low = add_ball(world, 0, 0.1, 1, &node[0]),
            middle = add_ball(world, 0, 0.3, 1, &node[1]);
    sn_body top = add_ball(world, 0, 0.9, 1, &node[2]), away = add_ball(world, 2, 0.1, 1, &node[3]);
    seconds_until_asleep(world, away, 5);
    /* The third one is still falling, or has just come. */
    CHECK(!sn_body_is_asleep(world, low) && !sn_body_is_asleep(world, middle));
    let_all_sleep(world);
    const sn_contact *contact;
    size_t count;
    advance(world, 5);
    CHECK_OK(sn_world_contacts(world, &contact, &count));
    /* Two between the three of the pile, then those of two with the floor. */
    CHECK(count == 4);
    for (size_t i = 0; i < count; i++) {
        CHECK(contact[i].phase == SN_CONTACT_STAY);
        CHECK(contact[i].kind == (i < 2 ? SN_CONTACT_POINT_POINT : SN_CONTACT_NODE_COLLIDER));
    }
    if (count == 4) CHECK_NEAR(contact[0].normal_impulse, 2 * 9.81 / 60, 0.02);
    CHECK_OK(sn_body_wake(world, top));
    CHECK(!sn_body_is_asleep(world, low) && !sn_body_is_asleep(world, middle));
    CHECK(sn_body_is_asleep(world, away));
    let_all_sleep(world);
    /* Who stood on it falls. */
    CHECK_OK(sn_body_destroy(world, low));
    CHECK(!sn_body_is_asleep(world, middle) && !sn_body_is_asleep(world, top));
    advance(world, 3);
    CHECK((double)velocity_of(world, node[1]).y < -0.3);
    sn_world_destroy(world);
}

/* One that is awake and slow stands on a sleeper as on a floor, and falls asleep on it. */
TEST(what_is_slow_does_not_move_a_sleeper) {
    sn_world *world = sleepy_world(sleepy_settings(), 1, 0);
    add_floor(world);
    sn_node low, top;
    sn_body sleeper = add_ball(world, 0, 0.1, 1, &low), other = add_ball(world, 1, 0.1, 1, &top);
    let_all_sleep(world);
    /* It is put there, which wakes it alone. */
    CHECK_OK(sn_node_set_position(world, top, (sn_vec3){0, (sn_real)0.3, 0}));
    sn_node_view view;
    REQUIRE_OK(sn_world_nodes(world, &view));
    sn_vec4 x = view.position[low.slot - 1];
    for (int i = 0; i < 20; i++) {
        advance(world, 1);
        CHECK(sn_body_is_asleep(world, sleeper) && !sn_body_is_asleep(world, other));
    }
    seconds_until_asleep(world, other, 5);
    CHECK(sn_body_is_asleep(world, sleeper) && sn_body_is_asleep(world, other));
    REQUIRE_OK(sn_world_nodes(world, &view));
    CHECK(memcmp(&x, &view.position[low.slot - 1], sizeof x) == 0);
    CHECK_NEAR(view.position[top.slot - 1].y, 0.3, 1e-3);
    CHECK_OK(sn_body_wake(world, sleeper));
    CHECK(!sn_body_is_asleep(world, other));
    sn_world_destroy(world);
}

/* ---- What comes flying ---- */

/* Nothing is different from a world in which the other had not slept: it wakes before it is hit. */
TEST(a_ball_that_hits_a_sleeper_gives_it_its_momentum) {
    const double bounces[] = {0, 0.5, 1};
    for (int k = 0; k < 3; k++) {
        check_case("restitution %g", bounces[k]);
        sn_settings settings[2] = {floating(), floating()};
        settings[1].sleep_time = SN_AUTO;
        sn_world *world[2];
        sn_node a[2], b[2], c[2];
        sn_body sleeper[2], far[2];
        for (int i = 0; i < 2; i++) {
            world[i] = sleepy_world(settings[i], 1, 0);
            sn_collision_surface_def def = sn_collision_surface_def_default();
            def.restitution = (sn_real)bounces[k];
            sleeper[i] = drop_ball(world[i], 0, 0, &a[i]);
            far[i] = drop_ball(world[i], 3, 0, &b[i]);
            drop_ball(world[i], -1.5, 0, &c[i]);
            give_surface(world[i], &a[i], 1, def);
            give_surface(world[i], &b[i], 1, def);
            give_surface(world[i], &c[i], 1, def);
            CHECK_OK(sn_node_set_velocity(world[i], c[i], (sn_vec3){1, 0, 0}));
            advance(world[i], 60);
        }
        CHECK(sn_body_is_asleep(world[0], sleeper[0]) && sn_body_is_asleep(world[0], far[0]));
        CHECK(!sn_body_is_asleep(world[1], sleeper[1]));
        for (int i = 0; i < 40; i++) {
            advance(world[0], 1);
            advance(world[1], 1);
            CHECK(sn_world_hash(world[0]) == sn_world_hash(world[1]));
        }
        CHECK_NEAR(velocity_of(world[0], a[0]).x, (1 + bounces[k]) / 2, 1e-3);
        CHECK(!sn_body_is_asleep(world[0], sleeper[0]) && sn_body_is_asleep(world[0], far[0]));
        sn_world_destroy(world[0]);
        sn_world_destroy(world[1]);
    }
}

TEST(a_moving_kinematic_ball_pushes_a_sleeper) {
    for (int target = 0; target < 2; target++) {
        sn_world *world = sleepy_world(floating(), 1, 0);
        sn_node node, hand;
        sn_body sleeper = add_ball(world, 0, 0, 1, &node);
        sn_node_def def = sn_node_def_default();
        def.inverse_mass = 0;
        def.radius = (sn_real)0.1;
        def.position = (sn_vec3){-2, 0, 0};
        REQUIRE_OK(sn_node_create(world, &def, &hand));
        give_surface(world, &hand, 1, sn_collision_surface_def_default());
        let_all_sleep(world);
        /* The call itself wakes all, because the hand may hold up anything. */
        if (!target) CHECK_OK(sn_node_set_velocity(world, hand, (sn_vec3){1, 0, 0}));
        CHECK(sn_body_is_asleep(world, sleeper) == target);
        for (int i = 1; i <= 115; i++) {
            sn_vec3 to = {(sn_real)(-2 + i / 60.0), 0, 0};
            if (target) CHECK_OK(sn_node_set_target(world, hand, to));
            advance(world, 1);
            if (i > 60 && i < 100) CHECK(sn_body_is_asleep(world, sleeper));
        }
        CHECK(!sn_body_is_asleep(world, sleeper));
        CHECK((double)velocity_of(world, node).x > 0.9);
        sn_world_destroy(world);
    }
}

TEST(a_free_node_without_a_body_keeps_awake_what_it_touches) {
    sn_world *world = sleepy_world(sleepy_settings(), 1, 0);
    add_floor(world);
    sn_node node, free;
    sn_body body = add_ball(world, 0, 0.1, 1, &node);
    sn_node_def def = sn_node_def_default();
    def.radius = (sn_real)0.1;
    def.position = (sn_vec3){0, (sn_real)0.3, 0};
    REQUIRE_OK(sn_node_create(world, &def, &free));
    give_surface(world, &free, 1, sn_collision_surface_def_default());
    CHECK(seconds_until_asleep(world, body, 3) >= 3);
    CHECK_OK(sn_node_destroy(world, free));
    CHECK(seconds_until_asleep(world, body, 3) < 3);
    sn_world_destroy(world);
}

/* And all of the pile that it lies on, whichever of the pile was made first. */
TEST(a_free_node_without_a_body_keeps_a_pile_awake) {
    for (int turned = 0; turned < 2; turned++) {
        sn_world *world = sleepy_world(sleepy_settings(), 1, 0);
        add_floor(world);
        sn_node node[2], free;
        sn_body body[2];
        for (int i = 0; i < 2; i++)
            body[i] = add_ball(world, 0, 0.1 + 0.2 * (turned ? 1 - i : i), 1, &node[i]);
        sn_node_def def = sn_node_def_default();
        def.radius = (sn_real)0.1;
        def.position = (sn_vec3){0, (sn_real)0.5, 0};
        REQUIRE_OK(sn_node_create(world, &def, &free));
        give_surface(world, &free, 1, sn_collision_surface_def_default());
        for (int i = 0; i < 90; i++) {
            advance(world, 1);
            CHECK(!sn_body_is_asleep(world, body[0]) && !sn_body_is_asleep(world, body[1]));
        }
        CHECK_OK(sn_node_destroy(world, free));
        let_all_sleep(world);
        sn_world_destroy(world);
    }
}

/* ---- The same bits ---- */

static uint64_t trace_of(int threads, int width, size_t *most) {
    sn_settings settings = sleepy_settings();
    settings.sleep_time = (sn_real)0.2;
    settings.sleep_speed = (sn_real)0.1;
    settings.substeps = 10;
    sn_world *world = sleepy_world(settings, threads, width);
    sn_node rope[6][ROPE_NODES], ball[3];
    add_floor(world);
    for (int i = 0; i < 6; i++) add_rope(world, 0.3 * (i % 3), 0.02 + 0.1 * (i / 3), rope[i]);
    for (int i = 0; i < 3; i++) add_ball(world, 2 + 0.01 * i, 0.1 + 0.3 * i, 1 + i, &ball[i]);
    uint64_t sum = 0;
    *most = 0;
    for (int i = 0; i < 200; i++) {
        if (i == 120)
            CHECK_OK(sn_node_apply_impulse(world, rope[1][9],
                                           (sn_vec3){(sn_real)0.02, (sn_real)0.02, 0}));
        if (i == 150) CHECK_OK(sn_node_set_velocity(world, ball[2], (sn_vec3){-3, 1, 0}));
        CHECK_OK(sn_world_step(world, STEP));
        size_t asleep = count_asleep(world);
        if (asleep > *most) *most = asleep;
        sum = (sum ^ sn_world_hash(world) ^ asleep) * 0x100000001b3u;
    }
    sn_world_destroy(world);
    return sum;
}

TEST(threads_and_widths_do_not_matter) {
    size_t most, other;
    uint64_t first = trace_of(1, 1, &most);
    CHECK(most >= 4);
    CHECK(trace_of(2, 4, &other) == first && other == most);
    CHECK(trace_of(3, 8, &other) == first && other == most);
    CHECK(trace_of(2, 16, &other) == first && other == most);
}

/* ---- Bodies ---- */

static sn_node add_box(sn_world *world, double y, sn_collider *shape) {
    sn_rigid_def def = sn_rigid_def_default();
    sn_body_def body = sn_body_def_default();
    sn_collider_def box = sn_collider_def_default();
    sn_node node;
    REQUIRE_OK(sn_body_create(world, &body, &def.body));
    box.shape = SN_SHAPE_BOX;
    box.extent = (sn_vec3){(sn_real)0.2, (sn_real)0.1, (sn_real)0.2};
    box.position.y = (sn_real)y;
    REQUIRE_OK(sn_rigid_create(world, &def, &box, &node, shape));
    return node;
}

/* What sleeps on a box wakes, and falls, when that has no shape any more, or has it elsewhere. */
TEST(what_lay_on_a_shape_wakes) {
    for (int moves = 0; moves < 2; moves++) {
        check_case(moves ? "moved" : "destroyed");
        sn_world *world = sleepy_world(sleepy_settings(), 1, 0);
        add_floor(world);
        sn_collider shape, above;
        (void)add_box(world, 0.1, &shape);
        const sn_node upper = add_box(world, 0.3, &above);
        let_all_sleep(world);
        sn_node_def def;
        REQUIRE_OK(sn_node_get(world, upper, &def));
        const sn_body body = def.body;
        CHECK(sn_body_is_asleep(world, body));
        const double high = (double)def.position.y;
        sn_collider_def elsewhere;
        REQUIRE_OK(sn_collider_get(world, shape, &elsewhere));
        elsewhere.position.x += 3;
        CHECK_OK(moves ? sn_collider_set(world, shape, &elsewhere)
                       : sn_collider_destroy(world, shape));
        CHECK(!sn_body_is_asleep(world, body));
        advance(world, 12);
        REQUIRE_OK(sn_node_get(world, upper, &def));
        CHECK_NEAR((double)def.position.y, high - 9.81 * 0.2 * 0.2 / 2, 2e-3);
        sn_world_destroy(world);
    }
}

TESTS(RUN(a_pile_sleeps_and_wakes_as_one), RUN(what_is_slow_does_not_move_a_sleeper),
      RUN(a_ball_that_hits_a_sleeper_gives_it_its_momentum),
      RUN(a_moving_kinematic_ball_pushes_a_sleeper),
      RUN(a_free_node_without_a_body_keeps_awake_what_it_touches),
      RUN(a_free_node_without_a_body_keeps_a_pile_awake), RUN(what_lay_on_a_shape_wakes),
      RUN(threads_and_widths_do_not_matter))
