/* Contacts that make no sense: nothing is ever NaN, nothing is frozen for it, and nothing gets
   faster than it has reason to. */
#include "check.h"
#include "setups.h"

#include <math.h>
#include <string.h>

/* The fastest node; checks that all is finite and nothing had to be frozen. */
static double look(sn_world *world) {
    sn_node_view view;
    const sn_freeze_event *events;
    size_t freezes;
    double fastest = 0;
    REQUIRE_OK(sn_world_nodes(world, &view));
    CHECK_OK(sn_world_freezes(world, &events, &freezes));
    CHECK(freezes == 0);
    for (size_t i = 0; i < view.count; i++) {
        if (!view.alive[i]) continue;
        sn_vec4 x = view.position[i], v = view.velocity[i];
        double square =
            (double)v.x * (double)v.x + (double)v.y * (double)v.y + (double)v.z * (double)v.z;
        CHECK(isfinite((double)x.x + (double)x.y + (double)x.z + square));
        if (square > fastest) fastest = square;
    }
    return sqrt(fastest);
}

/* Steps, and the most that any node was fast. */
static double run(sn_world *world, double seconds) {
    double fastest = 0;
    for (int i = 0; i < (int)(seconds / SETUP_DT + 0.5); i++) {
        CHECK_OK(sn_world_step(world, (sn_real)SETUP_DT));
        fastest = fmax(fastest, look(world));
    }
    return fastest;
}

static sn_collider add(sn_world *world, sn_shape shape, double size, sn_vec3 position) {
    sn_collider collider;
    sn_collider_def def = sn_collider_def_default();
    def.shape = shape;
    def.radius = shape == SN_SHAPE_BOX ? 0 : (sn_real)size;
    def.extent = (sn_vec3){(sn_real)size, (sn_real)size, (sn_real)size};
    def.position = position;
    REQUIRE_OK(sn_collider_create(world, &def, &collider));
    return collider;
}

/* ---- Places ---- */

TEST(many_nodes_at_the_centre_of_a_shape) {
    for (int shape = 0; shape <= SN_SHAPE_CYLINDER; shape++)
        for (int friction = 0; friction < 2; friction++) {
            check_case("shape %d, friction %d", shape, friction);
            sn_world *world = setup_world(5);
            sn_settings settings = sn_settings_default();
            settings.friction = (sn_friction)friction;
            REQUIRE_OK(sn_world_set_settings(world, &settings));
            add(world, (sn_shape)shape, 0.5, (sn_vec3){1, 2, 3});
            for (int i = 0; i < 10; i++) setup_node(world, (sn_vec3){1, 2, 3}, 1, 0.01 * i);
            for (int i = 0; i < 3; i++) setup_ball(world, (sn_vec3){1, 2, 3}, 1, 0.1, 0);
            CHECK(run(world, 1) < 12);
            sn_world_destroy(world);
        }
}

TEST(shapes_and_nodes_without_a_size) {
    for (int shape = 0; shape <= SN_SHAPE_CYLINDER; shape++) {
        check_case("shape %d", shape);
        sn_world *world = setup_world(5);
        add(world, (sn_shape)shape, 0, (sn_vec3){0, 0, 0});
        setup_node(world, (sn_vec3){0, 0, 0}, 1, 0);
        setup_node(world, (sn_vec3){0, 1, 0}, 1, 0);
        setup_node(world, (sn_vec3){0, 1, 0}, 1, 0.1);
        setup_ball(world, (sn_vec3){0, 1, 0}, 1, 0.1, 0);
        CHECK(run(world, 1) < 12);
        sn_world_destroy(world);
    }
}

/* As fine as float is there: 0.06 m at 1000 km. */
TEST(contacts_a_thousand_kilometres_away) {
    sn_world *world = setup_world(20);
    sn_vec3 far = {(sn_real)1e6, (sn_real)-1e6, (sn_real)1e6};
    add(world, SN_SHAPE_BOX, 2, far);
    for (int i = 0; i < 5; i++)
        setup_node(world, (sn_vec3){far.x + (sn_real)0.3 * (sn_real)i, far.y + 3, far.z}, 1, 0.1);
    setup_ball(world, (sn_vec3){far.x, far.y + 3, far.z}, 1, 0.1, 0);
    CHECK(run(world, 2) < 5);
    sn_node_view view;
    REQUIRE_OK(sn_world_nodes(world, &view));
    for (size_t i = 0; i < view.count; i++) {
        CHECK_NEAR((double)view.position[i].y, -1e6 + 2.1, 0.1);
        CHECK(fabs((double)view.velocity[i].y) < 0.1);
    }
    sn_world_destroy(world);
}

/* ---- Masses ---- */

/* A milligram and a thousand tons that hold each other, on a floor. */
TEST(links_between_a_milligram_and_a_thousand_tons) {
    for (int up = 0; up < 2; up++)
        for (int friction = 0; friction < 2; friction++) {
            check_case("the heavy one %s, friction %d", up ? "above" : "below", friction);
            sn_world *world = setup_world(20);
            sn_settings settings = sn_settings_default();
            settings.friction = (sn_friction)friction;
            REQUIRE_OK(sn_world_set_settings(world, &settings));
            setup_incline(world, 0.1, 0.5, 0.4);
            sn_node low = setup_node(world, (sn_vec3){0, (sn_real)0.2, 0}, up ? 1e-6 : 1e6, 0.1);
            sn_node high = setup_node(world, (sn_vec3){0, 1, 0}, up ? 1e6 : 1e-6, 0.1);
            sn_distance_def link = sn_distance_def_default();
            sn_constraint made;
            link.node[0] = low;
            link.node[1] = high;
            REQUIRE_OK(sn_constraint_create(world, SN_TYPE_DISTANCE, &link, &made));
            CHECK(run(world, 3) < 20);
            sn_world_destroy(world);
        }
}

static void cover(sn_world *world, sn_node node, sn_real recovery) {
    sn_collision_surface surface;
    sn_collision_surface_def def = sn_collision_surface_def_default();
    def.nodes = &node;
    def.node_count = 1;
    def.recovery_speed = recovery;
    REQUIRE_OK(sn_collision_surface_create(world, &def, &surface));
}

/* A sweep moves the heavy ball by its share of the overlap only, and gravity by g h^2: at rest they
   overlap by g h^2 (1 + ratio). It holds as long as the recovery speed lets so much out in a
   substep: g h (1 + ratio) is below it. (V47, the stack upside down.) */
TEST(a_heavy_ball_on_a_light_one) {
    const struct {
        double ratio;
        sn_real recovery;
    } cases[] = {{100, 1}, {1000, 10}, {1000, SN_AUTO}};
    for (int i = 0; i < 3; i++) {
        check_case("ratio %g", cases[i].ratio);
        sn_world *world = setup_world(20);
        sn_collider_def floor = sn_collider_def_default();
        sn_collider made;
        floor.recovery_speed = SN_AUTO;
        REQUIRE_OK(sn_collider_create(world, &floor, &made));
        sn_node light = setup_node(world, (sn_vec3){0, (sn_real)0.1, 0}, 1, 0.1);
        sn_node heavy = setup_node(world, (sn_vec3){0, (sn_real)0.3, 0}, cases[i].ratio, 0.1);
        cover(world, light, cases[i].recovery);
        cover(world, heavy, cases[i].recovery);
        CHECK(run(world, 5) < 0.5);
        double h = SETUP_DT / 20, sink = SETUP_G * h * h * (1 + cases[i].ratio);
        CHECK_NEAR((double)setup_look(world, light).position.y, 0.1, 1e-4);
        CHECK_NEAR((double)setup_look(world, heavy).position.y, 0.3 - sink, 0.05 * sink);
        sn_stats stats;
        CHECK_OK(sn_world_stats(world, &stats));
        CHECK(stats.overlaps == 1);
        CHECK_NEAR(stats.overlap, sink, 0.05 * sink);
        sn_world_destroy(world);
    }
}

/* A milligram and a thousand tons on a floor, which come apart at once: the light one below, beside
   below, above, hit from above and on its way down; with gravity or without. Nothing is faster than
   what falls from where the upper one began, or than what came, and what is pushed out stays
   near. */
TEST(a_milligram_is_not_thrown_by_a_thousand_tons) {
    static const struct {
        double light, heavy, aside; /* m */
        double light_speed, heavy_speed;
    } cases[] = {{0.1, 0.3, 0, 0, 0},     {0.1, 0.301, 0.003, 0, 0}, {0.3, 0.1, 0, 0, 0},
                 {0.1, 1.3, 0, 0, 0},     {0.1, 1.3, 0, 0, 10},      {0.1, 1.3, 0.02, 0, 10},
                 {1.3, 0.1, 0.02, 10, 0}, {0.5, 0.55, 0, 0, 0}};
    for (int k = 0; k < 16; k++) {
        double g = k % 2 ? SETUP_G : 0;
        check_case("case %d, gravity %g", k / 2, g);
        sn_world *world = setup_world(20);
        sn_settings settings = sn_settings_default();
        settings.substeps = 20;
        settings.gravity.y = (sn_real)-g;
        REQUIRE_OK(sn_world_set_settings(world, &settings));
        setup_incline(world, 0, 0, 0);
        sn_vec3 low = {0, (sn_real)cases[k / 2].light, 0};
        sn_vec3 high = {(sn_real)cases[k / 2].aside, (sn_real)cases[k / 2].heavy, 0};
        sn_node light = setup_node(world, low, 1e-6, 0.1);
        sn_node heavy = setup_node(world, high, 1e6, 0.1);
        cover(world, light, SN_AUTO);
        cover(world, heavy, SN_AUTO);
        double came = cases[k / 2].light_speed + cases[k / 2].heavy_speed;
        REQUIRE_OK(sn_node_set_velocity(world, light,
                                        (sn_vec3){0, (sn_real)-cases[k / 2].light_speed, 0}));
        REQUIRE_OK(sn_node_set_velocity(world, heavy,
                                        (sn_vec3){0, (sn_real)-cases[k / 2].heavy_speed, 0}));
        double most = 2 * (came + sqrt(2 * g * fmax(cases[k / 2].light, cases[k / 2].heavy)));
        CHECK(run(world, 5) < most + 0.1);
        CHECK((double)setup_look(world, light).position.y < 1.4);
        sn_world_destroy(world);
    }
}

/* ---- Motion ---- */

TEST(a_collider_lands_in_a_cloth) {
    for (int shape = 1; shape <= SN_SHAPE_CYLINDER; shape++) {
        check_case("shape %d", shape);
        sn_world *world = setup_world(20);
        sn_collider_def def;
        setup_incline(world, 0, 0.5, 0.4);
        sn_collider jumps = add(world, (sn_shape)shape, 0.15, (sn_vec3){0, 5, 0});
        setup_cloth(world, 0, 1, 20);
        CHECK(run(world, 0.5) < 1);
        REQUIRE_OK(sn_collider_get(world, jumps, &def));
        def.position = (sn_vec3){(sn_real)0.1, (sn_real)0.05, 0};
        REQUIRE_OK(sn_collider_set(world, jumps, &def));
        /* It comes out with 2 m/s; a hard sheet between a shape and the floor is thrown about. */
        CHECK(run(world, 1) < 30);
        sn_world_destroy(world);
    }
}

TEST(colliders_that_close_on_a_node) {
    sn_world *world = setup_world(10);
    sn_collider press = add(world, SN_SHAPE_BOX, 0.5, (sn_vec3){0, 2, 0});
    add(world, SN_SHAPE_BOX, 0.5, (sn_vec3){0, 0, 0});
    setup_node(world, (sn_vec3){0, (sn_real)0.6, 0}, 1, 0.1);
    setup_ball(world, (sn_vec3){(sn_real)0.2, (sn_real)0.6, 0}, 1, 0.1, 0);
    double fastest = 0;
    for (int i = 0; i < 120; i++) {
        sn_vec3 to = {0, (sn_real)(2 - i * 0.02 < 0.8 ? 0.8 : 2 - i * 0.02), 0};
        CHECK_OK(sn_collider_set_target(world, press, to, (sn_quat){0, 0, 0, 1}));
        fastest = fmax(fastest, run(world, SETUP_DT));
    }
    CHECK(fastest < 5);
    sn_world_destroy(world);
}

TEST(full_restitution_with_friction_gains_nothing) {
    const double mus[] = {0, 0.5, 100, 1e30};
    for (int i = 0; i < 8; i++) {
        check_case("mu %g, friction %d", mus[i % 4], i / 4);
        sn_world *world = setup_world(10);
        sn_settings settings = sn_settings_default();
        settings.friction = (sn_friction)(i / 4);
        REQUIRE_OK(sn_world_set_settings(world, &settings));
        sn_contact_pair_def pair = sn_contact_pair_def_default();
        pair.static_friction = pair.dynamic_friction = (sn_real)mus[i % 4];
        pair.restitution = 1;
        pair.rolling_resistance = (sn_real)mus[i % 4];
        REQUIRE_OK(sn_world_set_contact_pair(world, 0, 0, &pair));
        setup_incline(world, 0, 0.5, 0.4);
        sn_node node = setup_node(world, (sn_vec3){0, 1, 0}, 1, 0.1);
        sn_node ball = setup_ball(world, (sn_vec3){1, 1, 0}, 1, 0.1, 0);
        REQUIRE_OK(sn_node_set_velocity(world, node, (sn_vec3){5, 0, 0}));
        REQUIRE_OK(sn_node_set_angular_velocity(world, ball, (sn_vec3){30, 20, -10}));
        sn_measure m;
        REQUIRE_OK(sn_world_measure(world, &m));
        double most = m.kinetic_energy + m.potential_energy;
        for (int k = 0; k < 600; k++) {
            run(world, SETUP_DT);
            REQUIRE_OK(sn_world_measure(world, &m));
            CHECK(m.kinetic_energy + m.potential_energy < most * (1 + 1e-4));
        }
        sn_world_destroy(world);
    }
}

/* Impulses that are beyond all numbers are told as none. */
TEST(a_collider_as_fast_as_numbers_go) {
    sn_world *world = setup_world(2);
    sn_collider wall = add(world, SN_SHAPE_SPHERE, 1, (sn_vec3){-5, 0, 0});
    sn_collider_def def;
    sn_body body;
    sn_vec3 force;
    REQUIRE_OK(sn_collider_get(world, wall, &def));
    def.velocity = (sn_vec3){(sn_real)1e30, 0, 0};
    def.angular_velocity = (sn_vec3){0, (sn_real)1e30, 0};
    REQUIRE_OK(sn_collider_set(world, wall, &def));
    setup_node(world, (sn_vec3){0, 0, 0}, 1e6, 0.1);
    setup_ball(world, (sn_vec3){-4, 0, 0}, 1e6, 0.1, 0);
    for (int i = 0; i < 5; i++) CHECK_OK(sn_world_step(world, (sn_real)SETUP_DT));
    REQUIRE_OK(sn_world_body_at(world, 0, &body));
    CHECK_OK(sn_body_contact_force(world, body, &force));
    CHECK(isfinite((double)force.x) && isfinite((double)force.y) && isfinite((double)force.z));
    sn_world_destroy(world);
}

/* ---- Too many ---- */

static void set_radii(sn_world *world, double radius) {
    sn_node_view view;
    REQUIRE_OK(sn_world_nodes(world, &view));
    for (size_t i = 0; i < view.count; i++) {
        sn_node node;
        REQUIRE_OK(sn_world_node_at(world, i, &node));
        CHECK_OK(sn_node_set_radius(world, node, (sn_real)radius));
    }
}

/* Two sheets that are so thick that all of one meet all of the other: so many pairs are refused,
   with a sentence, and nothing has happened. Thin again, it goes on. */
TEST(more_pairs_than_there_may_be_are_refused) {
    sn_world *world = setup_world(5);
    sn_mesh mesh = sn_mesh_default();
    sn_grid_def grid = sn_grid_def_default();
    grid.columns = grid.rows = 24;
    REQUIRE_OK(sn_generate_grid(&mesh, &grid));
    for (int i = 0; i < 2; i++) {
        sn_cloth_material cloth = sn_cloth_material_default();
        sn_build_def def = sn_build_def_default();
        sn_build made;
        def.mesh = &mesh;
        def.collide = SN_COLLIDE_ALL;
        def.position = (sn_vec3){0, (sn_real)i, 0};
        REQUIRE_OK(sn_build_body(world, SN_KIND_CLOTH, &cloth, &def, NULL, &made));
    }
    CHECK_OK(sn_world_step(world, (sn_real)SETUP_DT));
    set_radii(world, 1e15);
    uint64_t before = sn_world_hash(world);
    CHECK_FAILS(sn_world_step(world, (sn_real)SETUP_DT), SN_ERROR_LIMIT);
    CHECK(strstr(sn_last_error(), "may touch within the step"));
    CHECK(sn_world_hash(world) == before);
    set_radii(world, 1e-3);
    CHECK_OK(sn_world_step(world, (sn_real)SETUP_DT));
    CHECK(look(world) < 1);
    sn_mesh_free(&mesh);
    sn_world_destroy(world);
}

/* 300 of 9,000 balls that cross all of them within a step: 2.7 million pairs, each of one of these.
   The search admits so many, and solving them took seconds and gigabytes. */
TEST(few_nodes_that_meet_all_others_are_refused) {
    enum { BALLS = 9000, FAST = 300 };
    static sn_node node[BALLS];
    sn_world *world = setup_world(5);
    for (int i = 0; i < BALLS; i++) {
        sn_node_def def = sn_node_def_default();
        def.position = (sn_vec3){(sn_real)(i % 100), (sn_real)(i / 100), 0};
        def.radius = (sn_real)0.1;
        REQUIRE_OK(sn_node_create(world, &def, &node[i]));
    }
    sn_collision_surface surface;
    sn_collision_surface_def def = sn_collision_surface_def_default();
    def.nodes = node;
    def.node_count = BALLS;
    def.self = true;
    REQUIRE_OK(sn_collision_surface_create(world, &def, &surface));
    for (int i = 0; i < FAST; i++) {
        sn_vec3 v = {i % 2 ? (sn_real)1e9 : (sn_real)-1e9, i % 4 < 2 ? (sn_real)1e9 : (sn_real)-1e9,
                     0};
        REQUIRE_OK(sn_node_set_velocity(world, node[i * (BALLS / FAST)], v));
    }
    uint64_t before = sn_world_hash(world);
    CHECK_FAILS(sn_world_step(world, (sn_real)SETUP_DT), SN_ERROR_LIMIT);
    CHECK(strstr(sn_last_error(), "may touch within the step take more than 2304000 places"));
    CHECK(sn_world_hash(world) == before);
    sn_world_destroy(world);
}

TESTS(RUN(more_pairs_than_there_may_be_are_refused),
      RUN(few_nodes_that_meet_all_others_are_refused), RUN(many_nodes_at_the_centre_of_a_shape),
      RUN(shapes_and_nodes_without_a_size), RUN(contacts_a_thousand_kilometres_away),
      RUN(links_between_a_milligram_and_a_thousand_tons), RUN(a_heavy_ball_on_a_light_one),
      RUN(a_milligram_is_not_thrown_by_a_thousand_tons), RUN(a_collider_lands_in_a_cloth),
      RUN(colliders_that_close_on_a_node), RUN(full_restitution_with_friction_gains_nothing),
      RUN(a_collider_as_fast_as_numbers_go))
