/* Friction and bouncing of nodes, sheets and blocks on colliders: sticking, sliding, shaking, both
   places where friction may act, and the forces and numbers that are told about it. */
#include "check.h"
#include "setups.h"

#include <math.h>

static const double pi = 3.14159265358979;

typedef enum thing { NODE, CLOTH, BLOCK } thing;
static const char *const names[] = {"node", "cloth", "block"};

static void put(sn_world *world, thing what, double angle) {
    sn_vec3 at = {(sn_real)(0.1 * sin(angle)), (sn_real)(0.1 * cos(angle)), 0};
    if (what == NODE) setup_node(world, at, 1, 0.1);
    if (what == CLOTH) setup_cloth(world, angle, 0.5, 8);
    if (what == BLOCK) setup_block(world, angle, 0.4, 4, 1000);
}

static void set_friction(sn_world *world, sn_friction friction, sn_integrator integrator) {
    sn_settings settings;
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.friction = friction;
    settings.integrator = integrator;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
}

/* ---- Sticking ---- */

/* After a second in which it settles, nothing moves at 0.95 of the angle at which it would slide.
   This is why there are no anchors. */
TEST(what_sticks_does_not_creep) {
    const int substeps[] = {1, 4, 20};
    for (int i = 0; i < 18; i++) {
        thing what = (thing)(i % 3);
        double angle = 0.95 * atan(0.5);
        check_case("%s, %d substeps, integrator %d", names[what], substeps[i / 3 % 3], i / 9);
        sn_world *world = setup_world(substeps[i / 3 % 3]);
        set_friction(world, SN_FRICTION_POSITION, (sn_integrator)(i / 9));
        setup_incline(world, angle, 0.5, 0.5);
        put(world, what, angle);
        setup_run(world, 3);
        double from = setup_place(world, angle);
        setup_run(world, 10);
        CHECK_NEAR(setup_place(world, angle), from, what == BLOCK ? 2e-5 : 1e-7);
        sn_world_destroy(world);
    }
}

/* m: how far nodes 0.3 m up and down an incline go in a second, the farthest; the incline stands,
   or is told in every step to be where it is. */
static double creep(double angle, int substeps, bool told) {
    sn_node nodes[2];
    double from[2], most = 0;
    sn_world *world = setup_world(substeps);
    sn_collider incline = setup_incline(world, angle, 0.5, 0.5);
    sn_collider_def def;
    REQUIRE_OK(sn_collider_get(world, incline, &def));
    for (int k = 0; k < 2; k++) {
        double along = k ? 0.3 : -0.3;
        sn_vec3 at = {(sn_real)(0.01 * sin(angle) + along * cos(angle)),
                      (sn_real)(0.01 * cos(angle) - along * sin(angle)), 2};
        nodes[k] = setup_node(world, at, 1, 0.01);
    }
    for (int i = 0; i < 75; i++) {
        if (i == 15)
            for (int k = 0; k < 2; k++) from[k] = (double)setup_look(world, nodes[k]).position.x;
        if (told) REQUIRE_OK(sn_collider_set_target(world, incline, def.position, def.orientation));
        setup_run(world, SETUP_DT);
    }
    for (int k = 0; k < 2; k++)
        most = fmax(most, fabs((double)setup_look(world, nodes[k]).position.x - from[k]));
    sn_world_destroy(world);
    return most;
}

/* An incline that stands does not turn, not by rounding either, whatever its angle: of these in
   single precision some had no quaternion that stays what it is when it is normalized, and what lay
   there crept, the faster the closer to the angle where it slides, and the farther from the origin
   of the incline. */
TEST(nothing_creeps_on_an_incline_of_any_angle) {
    for (int i = 0; i < 80; i += check_long() ? 1 : 3) {
        double angle = (5 + 0.25 * i) * pi / 180;
        check_case("%g degrees, %d substeps", angle * 180 / pi, i % 2 ? 20 : 60);
        CHECK_NEAR(creep(angle, i % 2 ? 20 : 60, i % 4 < 2), 0, 1e-6);
    }
}

/* A collider that shakes along the incline, or along its normal, by `size` at 10 Hz; how far the
   thing has gone in 10 s, with steps of 1/600 s. */
static double shaken(thing what, double size, bool along) {
    double angle = 0.95 * atan(0.5);
    sn_world *world = setup_world(1);
    sn_collider floor = setup_incline(world, angle, 0.5, 0.5);
    sn_collider_def def;
    REQUIRE_OK(sn_collider_get(world, floor, &def));
    put(world, what, angle);
    double from = 0;
    for (int i = -1800; i < 6000; i++) {
        double a = i < 0 ? 0 : size * (1 - cos(2 * pi * 10 * (i + 1) / 600));
        double x = along ? a * cos(angle) : a * sin(angle);
        double y = along ? -a * sin(angle) : a * cos(angle);
        if (i == 0) from = setup_place(world, angle);
        CHECK_OK(sn_collider_set_target(world, floor, (sn_vec3){(sn_real)x, (sn_real)y, 0},
                                        def.orientation));
        CHECK_OK(sn_world_step(world, (sn_real)(1.0 / 600)));
    }
    double gone = setup_place(world, angle) - from;
    sn_world_destroy(world);
    return gone;
}

/* The same for a rigid block, by tiny steps of Coulomb's law. */
static double rigid_shaken(double size, bool along) {
    const double h = 1e-5, w = 2 * pi * 10, angle = 0.95 * atan(0.5);
    double v = 0, x = 0;
    for (int i = 0; i < 1000000; i++) {
        double surface = along ? size * w * sin(w * (i + 1) * h) : 0;
        double weight = SETUP_G * cos(angle) + (along ? 0 : size * w * w * cos(w * i * h));
        double wanted = surface - (v + h * SETUP_G * sin(angle)), most = 0.5 * weight * h;
        v += h * SETUP_G * sin(angle) + fmax(-most, fmin(most, wanted));
        x += h * v;
    }
    return x;
}

TEST(what_is_shaken_within_the_cone_does_not_creep) {
    for (int what = 0; what < 3; what++) {
        check_case("%s", names[what]);
        if (what % 2 == 0 || check_long()) CHECK_NEAR(shaken((thing)what, 3e-5, true), 0, 3e-5);
        if (what % 2 == 1 || check_long()) CHECK_NEAR(shaken((thing)what, 6e-5, false), 0, 3e-5);
    }
}

TEST(what_is_shaken_harder_slides_as_coulomb_says) {
    double along = rigid_shaken(1e-3, true), across = rigid_shaken(5e-4, false);
    for (int what = 0; what < 2; what++) {
        check_case("%s", names[what]);
        CHECK_REL(shaken((thing)what, 1e-3, true), along, 0.02);
        CHECK_REL(shaken((thing)what, 5e-4, false), across, 0.02);
    }
}

/* ---- Sliding ---- */

static double slide(thing what, double angle, double mu, sn_friction friction, double density) {
    sn_world *world = setup_world(20);
    set_friction(world, friction, SN_INTEGRATOR_BDF1);
    setup_incline(world, angle, mu, mu);
    if (what == BLOCK)
        setup_block(world, angle, 0.4, 4, density);
    else
        put(world, what, angle);
    setup_run(world, 1);
    double speed = setup_speed(world, angle);
    setup_run(world, 1);
    double gained = setup_speed(world, angle) - speed;
    sn_world_destroy(world);
    return gained;
}

TEST(sheets_and_blocks_slide_as_coulomb_says) {
    const double mus[] = {0.1, 0.3, 0.5};
    for (int i = 0; i < 12; i++) {
        thing what = i % 2 ? BLOCK : CLOTH;
        double mu = mus[i / 2 % 3], angle = atan(mu) + 5 * pi / 180;
        check_case("%s, mu %g, friction %d", names[what], mu, i / 6);
        CHECK_REL(slide(what, angle, mu, (sn_friction)(i / 6), 1000),
                  SETUP_G * (sin(angle) - mu * cos(angle)), 0.01);
    }
}

/* 1 g, 1 kg, 32 kg and 1 t. */
TEST(the_mass_of_a_block_does_not_matter) {
    const double densities[] = {0.03125, 31.25, 1000, 31250};
    double mu = 0.3, angle = atan(mu) + 5 * pi / 180;
    for (int i = 0; i < 8; i++) {
        check_case("density %g, friction %d", densities[i % 4], i / 4);
        CHECK_REL(slide(BLOCK, angle, mu, (sn_friction)(i / 4), densities[i % 4]),
                  SETUP_G * (sin(angle) - mu * cos(angle)), 0.01);
    }
}

/* The option of the 2007 paper lets what should stick go on with what gravity gives in a substep:
   it does not gain speed, but it creeps. */
TEST(friction_of_velocities_creeps_and_no_more) {
    double angle = 0.9 * atan(0.5), h = SETUP_DT / 20;
    sn_world *world = setup_world(20);
    set_friction(world, SN_FRICTION_VELOCITY, SN_INTEGRATOR_BDF1);
    setup_incline(world, angle, 0.5, 0.5);
    put(world, NODE, angle);
    double from = setup_place(world, angle);
    setup_run(world, 10);
    CHECK_REL((setup_place(world, angle) - from) / 10, h * SETUP_G * sin(angle), 0.02);
    CHECK_NEAR(setup_speed(world, angle), 0, 1e-5);
    sn_world_destroy(world);
}

/* ---- Bouncing ---- */

/* Friction has the impulse of the whole bounce: dv = mu (1 + e) v along the normal. */
TEST(a_bounce_has_the_friction_of_its_impulse) {
    for (int friction = 0; friction < 2; friction++) {
        sn_world *world = setup_world(1);
        sn_settings settings = sn_settings_default();
        settings.gravity = (sn_vec3){0, 0, 0};
        settings.substeps = 1;
        settings.friction = (sn_friction)friction;
        REQUIRE_OK(sn_world_set_settings(world, &settings));
        sn_collider_def def;
        sn_collider floor = setup_incline(world, 0, 0.2, 0.2);
        REQUIRE_OK(sn_collider_get(world, floor, &def));
        def.restitution = (sn_real)0.5;
        REQUIRE_OK(sn_collider_set(world, floor, &def));
        sn_node node = setup_node(world, (sn_vec3){0, (sn_real)0.001, 0}, 3, 0);
        REQUIRE_OK(sn_node_set_velocity(world, node, (sn_vec3){3, -2, 0}));
        CHECK_OK(sn_world_step(world, (sn_real)1e-2));
        sn_vec3 v = setup_look(world, node).velocity;
        check_case("friction %d", friction);
        CHECK_NEAR((double)v.y, 1, 1e-4);
        CHECK_NEAR((double)v.x, 3 - 0.2 * 1.5 * 2, 1e-3);
        sn_world_destroy(world);
    }
}

TEST(a_hundred_bounces_gain_no_energy) {
    for (int i = 0; i < 4; i += check_long() ? 1 : 3) {
        sn_world *world = setup_world(i % 2 ? 20 : 3);
        set_friction(world, (sn_friction)(i / 2), SN_INTEGRATOR_BDF1);
        sn_collider_def def;
        sn_collider floor = setup_incline(world, 0, 0.5, 0.4);
        REQUIRE_OK(sn_collider_get(world, floor, &def));
        def.restitution = 1;
        REQUIRE_OK(sn_collider_set(world, floor, &def));
        sn_node node = setup_node(world, (sn_vec3){0, (sn_real)0.2, 0}, 2, 0);
        REQUIRE_OK(sn_node_set_velocity(world, node, (sn_vec3){3, 0, 1}));
        sn_measure m;
        REQUIRE_OK(sn_world_measure(world, &m));
        double most = m.kinetic_energy + m.potential_energy, bounces = 0, last = 0;
        check_case("%s substeps, friction %d", i % 2 ? "20" : "3", i / 2);
        for (int k = 0; k < 60000 && bounces < 100; k++) {
            CHECK_OK(sn_world_step(world, (sn_real)SETUP_DT));
            REQUIRE_OK(sn_world_measure(world, &m));
            double energy = m.kinetic_energy + m.potential_energy;
            CHECK(energy <= most * (1 + 1e-6));
            double speed = (double)setup_look(world, node).velocity.y;
            bounces += speed > 0 && last < 0;
            last = speed;
        }
        /* With few substeps it comes to rest before. */
        CHECK(bounces == 100 || i % 2 == 0);
        sn_world_destroy(world);
    }
}

/* ---- What is told ---- */

TEST(forces_carry_the_weight) {
    for (int i = 0; i < 4; i++) {
        sn_world *world = setup_world(20);
        set_friction(world, (sn_friction)(i % 2), (sn_integrator)(i / 2));
        sn_collider_def def = sn_collider_def_default();
        sn_collider box;
        sn_vec3 force;
        def.shape = SN_SHAPE_BOX;
        def.extent = (sn_vec3){1, (sn_real)0.5, 1};
        def.position = (sn_vec3){0, (sn_real)-0.5, 0};
        REQUIRE_OK(sn_collider_create(world, &def, &box));
        sn_build cloth = setup_cloth(world, 0, 0.5, 10), block = setup_block(world, 0, 0.2, 3, 500);
        sn_body nothing;
        sn_body_def group = sn_body_def_default();
        REQUIRE_OK(sn_body_create(world, &group, &nothing));
        setup_run(world, 4);
        check_case("friction %d, integrator %d", i % 2, i / 2);
        CHECK_OK(sn_body_contact_force(world, cloth.body, &force));
        CHECK_REL((double)force.y, (double)cloth.mass * SETUP_G, 0.01);
        CHECK_NEAR((double)force.x, 0, 0.01 * (double)cloth.mass * SETUP_G);
        CHECK_OK(sn_body_contact_force(world, block.body, &force));
        CHECK_REL((double)force.y, (double)block.mass * SETUP_G, 0.01);
        CHECK_OK(sn_collider_contact_force(world, box, &force));
        CHECK_REL((double)force.y, -(double)(cloth.mass + block.mass) * SETUP_G, 0.01);
        CHECK_OK(sn_body_contact_force(world, nothing, &force));
        CHECK((double)force.x == 0 && (double)force.y == 0 && (double)force.z == 0);
        sn_world_destroy(world);
    }
}

TEST(both_parts_of_the_force_hold_a_block_on_an_incline) {
    double angle = 0.3;
    sn_world *world = setup_world(20);
    sn_vec3 force;
    setup_incline(world, angle, 0.6, 0.5);
    sn_build block = setup_block(world, angle, 0.4, 4, 1000);
    setup_run(world, 4);
    CHECK_OK(sn_body_contact_force(world, block.body, &force));
    CHECK_NEAR((double)force.x, 0, 0.01 * block.mass * SETUP_G);
    CHECK_REL((double)force.y, block.mass * SETUP_G, 0.01);
    sn_world_destroy(world);
}

/* Balls of 1, 2 and 3 kg on top of each other: every one feels its own weight as what all its
   contacts do to it, and the floor that of all. */
TEST(a_stack_carries_itself) {
    sn_world *world = setup_world(20);
    sn_settings settings = sn_settings_default();
    settings.iterations = 4;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    sn_collider floor = setup_incline(world, 0, 0.5, 0.4);
    sn_body body[3];
    sn_vec3 force;
    for (int i = 0; i < 3; i++) {
        sn_node node = setup_ball(world, (sn_vec3){0, (sn_real)(0.1 + 0.2 * i), 0}, 3 - i, 0.1, 0);
        sn_collision_surface surface;
        sn_collision_surface_def def = sn_collision_surface_def_default();
        def.nodes = &node;
        def.node_count = 1;
        REQUIRE_OK(sn_collision_surface_create(world, &def, &surface));
        REQUIRE_OK(sn_world_body_at(world, (size_t)i, &body[i]));
    }
    setup_run(world, 2);
    for (int i = 0; i < 3; i++) {
        check_case("ball %d", i);
        CHECK_OK(sn_body_contact_force(world, body[i], &force));
        CHECK_REL((double)force.y, (3 - i) * SETUP_G, 0.01);
    }
    CHECK_OK(sn_collider_contact_force(world, floor, &force));
    CHECK_REL((double)force.y, -6 * SETUP_G, 0.01);
    sn_world_destroy(world);
}

TEST(statistics_tell_what_overlaps) {
    sn_world *world = setup_world(1);
    sn_stats stats;
    sn_collider_def def = sn_collider_def_default();
    sn_collider box;
    def.shape = SN_SHAPE_BOX;
    def.recovery_speed = (sn_real)0.1;
    REQUIRE_OK(sn_collider_create(world, &def, &box));
    setup_node(world, (sn_vec3){0, (sn_real)0.4, 0}, 1, 0.05);
    setup_node(world, (sn_vec3){2, (sn_real)0.4, 0}, 1, 0.05);
    sn_node rests = setup_node(world, (sn_vec3){0, (sn_real)0.55, (sn_real)0.2}, 1, 0.05);
    CHECK_OK(sn_world_step(world, (sn_real)SETUP_DT));
    CHECK_OK(sn_world_stats(world, &stats));
    CHECK(stats.contacts == 2 && stats.overlaps == 1);
    CHECK_NEAR(stats.overlap, 0.15 - 0.1 * SETUP_DT, 1e-5);
    CHECK(stats.time_find > 0 && stats.time_contact > 0);
    double sum = stats.time_prepare + stats.time_find + stats.time_predict + stats.time_project +
                 stats.time_contact + stats.time_update;
    CHECK(sum <= stats.time_step);
    setup_run(world, 3);
    CHECK_OK(sn_node_destroy(world, rests));
    CHECK_OK(sn_world_stats(world, &stats));
    CHECK(stats.overlaps == 0 && stats.overlap < 1e-5);
    sn_world_destroy(world);
}

/* Without gravity: a ball in a ball, and a ball in the middle of a triangle. */
TEST(statistics_tell_what_overlaps_of_surfaces) {
    for (int triangle = 0; triangle < 2; triangle++) {
        check_case("triangle %d", triangle);
        sn_world *world = setup_world(1);
        sn_settings settings = sn_settings_default();
        REQUIRE_OK(sn_world_get_settings(world, &settings));
        settings.gravity = (sn_vec3){0, 0, 0};
        REQUIRE_OK(sn_world_set_settings(world, &settings));
        static const uint32_t corners[3] = {0, 1, 2};
        sn_collision_surface_def def = sn_collision_surface_def_default();
        sn_collision_surface below, above;
        sn_stats stats;
        sn_node nodes[3] = {setup_node(world, (sn_vec3){-1, 0, -1}, 1, 0.1),
                            setup_node(world, (sn_vec3){1, 0, -1}, 1, 0.1),
                            setup_node(world, (sn_vec3){0, 0, 2}, 1, 0.1)};
        sn_node ball = setup_node(world, (sn_vec3){0, (sn_real)0.12, 0}, 1, 0.1);
        if (!triangle) CHECK_OK(sn_node_set_position(world, nodes[0], (sn_vec3){0, 0, 0}));
        def.recovery_speed = (sn_real)0.1;
        def.self = true;
        def.nodes = nodes;
        def.node_count = 3;
        def.triangles = corners;
        def.triangle_count = triangle ? 1 : 0;
        REQUIRE_OK(sn_collision_surface_create(world, &def, &below));
        def.nodes = &ball;
        def.node_count = 1;
        def.triangle_count = 0;
        REQUIRE_OK(sn_collision_surface_create(world, &def, &above));
        CHECK_OK(sn_world_step(world, (sn_real)SETUP_DT));
        CHECK_OK(sn_world_stats(world, &stats));
        CHECK(stats.contacts == 1 && stats.overlaps == 1);
        CHECK_NEAR(stats.overlap, 0.08 - 0.1 * SETUP_DT, 1e-5);
        CHECK_OK(sn_collision_surface_destroy(world, above));
        CHECK_OK(sn_world_stats(world, &stats));
        CHECK(stats.overlaps == 0 && stats.overlap == 0);
        sn_world_destroy(world);
    }
}

/* What a heavy ball does that the recovery speed of a light one does not carry. */
TEST(statistics_tell_what_sinks_through) {
    sn_world *world = setup_world(20);
    setup_incline(world, 0, 0.5, 0.4);
    sn_node nodes[2] = {setup_node(world, (sn_vec3){0, (sn_real)0.1, 0}, 1, 0.1),
                        setup_node(world, (sn_vec3){0, (sn_real)0.3, 0}, 1000, 0.1)};
    double deepest = 0;
    for (int i = 0; i < 2; i++) {
        sn_collision_surface_def def = sn_collision_surface_def_default();
        sn_collision_surface surface;
        def.nodes = &nodes[i];
        def.node_count = 1;
        REQUIRE_OK(sn_collision_surface_create(world, &def, &surface));
    }
    for (int i = 0; i < 60; i++) {
        sn_stats stats;
        CHECK_OK(sn_world_step(world, (sn_real)SETUP_DT));
        CHECK_OK(sn_world_stats(world, &stats));
        deepest = fmax(deepest, stats.overlap);
    }
    CHECK(deepest > 0.05);
    sn_world_destroy(world);
}

TESTS(RUN(what_sticks_does_not_creep), RUN(nothing_creeps_on_an_incline_of_any_angle),
      RUN(what_is_shaken_within_the_cone_does_not_creep),
      RUN(what_is_shaken_harder_slides_as_coulomb_says),
      RUN(sheets_and_blocks_slide_as_coulomb_says), RUN(the_mass_of_a_block_does_not_matter),
      RUN(friction_of_velocities_creeps_and_no_more), RUN(a_bounce_has_the_friction_of_its_impulse),
      RUN(a_hundred_bounces_gain_no_energy), RUN(forces_carry_the_weight),
      RUN(both_parts_of_the_force_hold_a_block_on_an_incline), RUN(a_stack_carries_itself),
      RUN(statistics_tell_what_overlaps), RUN(statistics_tell_what_overlaps_of_surfaces),
      RUN(statistics_tell_what_sinks_through))
