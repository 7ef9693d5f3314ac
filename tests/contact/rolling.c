/* Balls that roll: inclines, slipping, spin that becomes motion, and resistance to rolling. */
#include "check.h"
#include "setups.h"

#include <math.h>

static const double r = 0.1, m = 2;

static sn_vec3 on_incline(double angle) {
    return (sn_vec3){(sn_real)(r * sin(angle)), (sn_real)(r * cos(angle)), 0};
}

/* What ball and floor do to each other, where the ball has the material 1 and the floor none. */
static void set_pair(sn_world *world, double mu, double rolling) {
    sn_contact_pair_def pair = sn_contact_pair_def_default();
    pair.static_friction = pair.dynamic_friction = (sn_real)mu;
    pair.rolling_resistance = (sn_real)rolling;
    REQUIRE_OK(sn_world_set_contact_pair(world, 0, 1, &pair));
}

static void accelerate(double angle, double mu, sn_integrator integrator, double *speed,
                       double *spin) {
    sn_world *world = setup_world(20);
    sn_settings settings = sn_settings_default();
    settings.integrator = integrator;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    setup_incline(world, angle, mu, mu);
    sn_node ball = setup_ball(world, on_incline(angle), m, r, 0);
    setup_run(world, 1);
    *speed = setup_speed(world, angle);
    *spin = -(double)setup_look(world, ball).angular_velocity.z;
    sn_world_destroy(world);
}

TEST(a_ball_rolls_down_with_five_sevenths) {
    for (int integrator = 0; integrator < 2; integrator++)
        for (int i = 1; i <= 4; i++) {
            double angle = 0.15 * i, speed, spin;
            check_case("%g rad, integrator %d", angle, integrator);
            accelerate(angle, 1, (sn_integrator)integrator, &speed, &spin);
            CHECK_REL(speed, 5.0 / 7 * SETUP_G * sin(angle), 2e-3);
            CHECK_REL(spin * r, speed, 2e-3);
        }
}

/* It rolls where mu >= 2/7 tan(theta), and slips with Coulomb's acceleration where it is less. */
TEST(a_ball_slips_where_friction_is_small) {
    double angle = 0.6, mu = 0.5 * 2.0 / 7 * tan(angle), speed, spin;
    accelerate(angle, mu, SN_INTEGRATOR_BDF1, &speed, &spin);
    CHECK_REL(speed, SETUP_G * (sin(angle) - mu * cos(angle)), 5e-3);
    CHECK_REL(spin * r, 2.5 * mu * SETUP_G * cos(angle), 5e-3);
}

TEST(the_border_between_both_is_where_it_should_be) {
    double angle = 0.5, border = 2.0 / 7 * tan(angle), speed, spin;
    accelerate(angle, 1.02 * border, SN_INTEGRATOR_BDF1, &speed, &spin);
    CHECK_REL(spin * r, speed, 3e-3);
    accelerate(angle, 0.9 * border, SN_INTEGRATOR_BDF1, &speed, &spin);
    CHECK(spin * r < 0.95 * speed);
}

/* v = 2/7 R omega, of a ball that is put down spinning. */
TEST(spin_becomes_motion) {
    for (int velocities = 0; velocities < 2; velocities++) {
        check_case("friction %d", velocities);
        sn_world *world = setup_world(20);
        sn_settings settings = sn_settings_default();
        settings.friction = (sn_friction)velocities;
        REQUIRE_OK(sn_world_set_settings(world, &settings));
        setup_incline(world, 0, 0.5, 0.5);
        sn_node ball = setup_ball(world, on_incline(0), m, r, 0);
        REQUIRE_OK(sn_node_set_angular_velocity(world, ball, (sn_vec3){0, 0, -70}));
        setup_run(world, 2);
        CHECK_REL((double)setup_look(world, ball).velocity.x, 2.0 / 7 * r * 70, 5e-3);
        sn_world_destroy(world);
    }
}

/* The deceleration is 5/7 c g: c r N stops a ball with the inertia 7/5 m r^2 about the contact. */
TEST(rolling_resistance_brings_a_ball_to_rest) {
    double c = 0.05, v = 1.4, a = 5.0 / 7 * c * SETUP_G;
    sn_world *world = setup_world(20);
    setup_incline(world, 0, 0.5, 0.5);
    set_pair(world, 0.5, c);
    sn_node ball = setup_ball(world, on_incline(0), m, r, 1);
    REQUIRE_OK(sn_node_set_velocity(world, ball, (sn_vec3){(sn_real)v, 0, 0}));
    REQUIRE_OK(sn_node_set_angular_velocity(world, ball, (sn_vec3){0, 0, (sn_real)(-v / r)}));
    setup_run(world, 2);
    CHECK_REL((double)setup_look(world, ball).velocity.x, v - 2 * a, 5e-3);
    setup_run(world, 3);
    CHECK_REL((double)setup_look(world, ball).position.x, v * v / (2 * a), 5e-3);
    CHECK(fabs((double)setup_look(world, ball).velocity.x) < 1e-5);
    CHECK(fabs((double)setup_look(world, ball).angular_velocity.z) < 1e-4);
    sn_world_destroy(world);
}

/* On ice a ball that spins stays where it is, and resistance alone slows it: c r N against the
   inertia 2/5 m r^2. */
TEST(rolling_resistance_slows_what_slips) {
    const double c = 0.05, spin = 50, a = c * SETUP_G / (0.4 * r);
    for (int axis = 0; axis < 3; axis++) {
        sn_world *world = setup_world(20);
        sn_real w[3] = {0, 0, 0};
        setup_incline(world, 0, 0, 0);
        set_pair(world, 0, c);
        sn_node ball = setup_ball(world, on_incline(0), m, r, 1);
        w[axis] = (sn_real)spin;
        REQUIRE_OK(sn_node_set_angular_velocity(world, ball, (sn_vec3){w[0], w[1], w[2]}));
        setup_run(world, 1);
        sn_node_def now = setup_look(world, ball);
        sn_real left[3] = {now.angular_velocity.x, now.angular_velocity.y, now.angular_velocity.z};
        check_case("axis %d", axis);
        /* Turning about the normal is not resisted. */
        CHECK_REL(left[axis], axis == 1 ? spin : spin - a, 5e-3);
        CHECK_NEAR(now.velocity.x, 0, 1e-4);
        CHECK_NEAR(now.velocity.z, 0, 1e-4);
        sn_world_destroy(world);
    }
}

/* What resists all rolling makes a ball a part of what it lies on: it turns with it. */
TEST(a_ball_that_cannot_roll_turns_with_what_it_lies_on) {
    for (int i = 0; i < 6; i++) {
        const double spin = 0.4, large = 2, time = 0.5;
        const int up = i / 2, axis = (up + 1 + i % 2) % 3, other = 3 - up - axis;
        sn_world *world = setup_world(20);
        sn_settings settings = sn_settings_default();
        sn_collider_def def = sn_collider_def_default();
        sn_collider collider;
        sn_vec3 above[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        sn_real g = (sn_real)-9.81, deep = (sn_real)-large, s = (sn_real)spin, high = (sn_real)r;
        REQUIRE_OK(sn_world_get_settings(world, &settings));
        settings.gravity = (sn_vec3){g * above[up].x, g * above[up].y, g * above[up].z};
        REQUIRE_OK(sn_world_set_settings(world, &settings));
        def.shape = SN_SHAPE_SPHERE;
        def.radius = (sn_real)large;
        def.position = (sn_vec3){deep * above[up].x, deep * above[up].y, deep * above[up].z};
        def.angular_velocity = (sn_vec3){s * above[axis].x, s * above[axis].y, s * above[axis].z};
        REQUIRE_OK(sn_collider_create(world, &def, &collider));
        set_pair(world, 10, 10);
        sn_vec3 at = {high * above[up].x, high * above[up].y, high * above[up].z};
        sn_node ball = setup_ball(world, at, m, r, 1);
        setup_run(world, time);
        sn_node_def now = setup_look(world, ball);
        const double w[3] = {(double)now.angular_velocity.x, (double)now.angular_velocity.y,
                             (double)now.angular_velocity.z};
        const double x[3] = {(double)now.position.x, (double)now.position.y,
                             (double)now.position.z};
        check_case("up %d, axis %d", up, axis);
        CHECK_REL(w[axis], spin, 0.02);
        CHECK_NEAR(w[up], 0, 0.02 * spin);
        CHECK_NEAR(w[other], 0, 0.02 * spin);
        /* e_axis x e_up is e_other, or the opposite. */
        CHECK_REL(((axis + 1) % 3 == up ? 1 : -1) * x[other], (large + r) * sin(spin * time), 0.05);
        sn_world_destroy(world);
    }
}

/* It rests where tan(theta) < c, without creeping, and rolls off where it is more. */
TEST(rolling_resistance_holds_a_ball_on_a_gentle_slope) {
    const double c = 0.1;
    for (int iterations = 1; iterations <= 4; iterations += 3)
        for (int steep = 0; steep < 2; steep++) {
            double angle = atan(c) * (steep ? 1.5 : 0.9);
            check_case("%d iterations, %s", iterations, steep ? "steep" : "gentle");
            sn_world *world = setup_world(20);
            sn_settings settings = sn_settings_default();
            settings.iterations = iterations;
            REQUIRE_OK(sn_world_set_settings(world, &settings));
            setup_incline(world, angle, 0.5, 0.5);
            set_pair(world, 0.5, c);
            setup_ball(world, on_incline(angle), m, r, 1);
            double from = setup_place(world, angle);
            setup_run(world, 10);
            double gone = setup_place(world, angle) - from;
            double a = 5.0 / 7 * SETUP_G * (sin(angle) - c * cos(angle));
            if (steep)
                CHECK_REL(gone, 0.5 * a * 100, 0.01);
            else
                CHECK(fabs(gone) < 1e-4);
            sn_world_destroy(world);
        }
}

/* The same from 1 g to 1 t, and for balls of 1 mm to 1 m. */
TEST(mass_and_size_do_not_matter) {
    const double masses[] = {0.001, 1, 1000}, radii[] = {0.001, 0.1, 1};
    for (int i = 0; i < 9; i++) {
        double mass = masses[i / 3], radius = radii[i % 3], angle = 0.3;
        check_case("%g kg, %g m", mass, radius);
        sn_world *world = setup_world(20);
        setup_incline(world, angle, 1, 1);
        sn_vec3 at = {(sn_real)(radius * sin(angle)), (sn_real)(radius * cos(angle)), 0};
        setup_ball(world, at, mass, radius, 0);
        setup_run(world, 1);
        CHECK_REL(setup_speed(world, angle), 5.0 / 7 * SETUP_G * sin(angle), 2e-3);
        sn_world_destroy(world);
    }
}

/* Bodies that do not roll are as they were: friction does not turn their nodes. */
TEST(a_node_that_does_not_roll_is_not_turned) {
    double angle = 0.5;
    sn_world *world = setup_world(20);
    setup_incline(world, angle, 0.2, 0.2);
    sn_node ball = setup_ball(world, on_incline(angle), m, r, 0);
    sn_body body;
    sn_body_def def;
    REQUIRE_OK(sn_world_body_at(world, 0, &body));
    REQUIRE_OK(sn_body_get(world, body, &def));
    def.rolls = false;
    REQUIRE_OK(sn_body_set(world, body, &def));
    setup_run(world, 1);
    CHECK((double)setup_look(world, ball).angular_velocity.z == 0);
    CHECK_REL(setup_speed(world, angle), SETUP_G * (sin(angle) - 0.2 * cos(angle)), 0.01);
    sn_world_destroy(world);
}

/* A ball on a turning table is not carried along as a node would be; on a belt, by 2/7. */
TEST(a_belt_makes_a_ball_roll) {
    sn_world *world = setup_world(20);
    sn_collider belt = setup_incline(world, 0, 0.5, 0.5);
    sn_collider_def def;
    REQUIRE_OK(sn_collider_get(world, belt, &def));
    def.velocity = (sn_vec3){1, 0, 0};
    REQUIRE_OK(sn_collider_set(world, belt, &def));
    sn_node ball = setup_ball(world, on_incline(0), m, r, 0);
    setup_run(world, 2);
    CHECK_REL((double)setup_look(world, ball).velocity.x, 2.0 / 7, 5e-3);
    sn_world_destroy(world);
}

/* Angular and linear energy together: nothing is gained by rolling, bouncing and slipping. */
TEST(rolling_and_bouncing_gains_no_energy) {
    sn_world *world = setup_world(20);
    sn_contact_pair_def pair = sn_contact_pair_def_default();
    pair.restitution = 1;
    setup_incline(world, 0, 0.5, 0.4);
    REQUIRE_OK(sn_world_set_contact_pair(world, 1, 0, &pair));
    sn_node ball = setup_ball(world, (sn_vec3){0, 1, 0}, m, r, 1);
    REQUIRE_OK(sn_node_set_angular_velocity(world, ball, (sn_vec3){5, 10, -50}));
    REQUIRE_OK(sn_node_set_velocity(world, ball, (sn_vec3){1, 0, 2}));
    sn_measure measure;
    REQUIRE_OK(sn_world_measure(world, &measure));
    double most = measure.kinetic_energy + measure.potential_energy;
    for (int i = 0; i < 600; i++) {
        CHECK_OK(sn_world_step(world, (sn_real)SETUP_DT));
        REQUIRE_OK(sn_world_measure(world, &measure));
        double energy = measure.kinetic_energy + measure.potential_energy;
        CHECK(energy < most * (1 + 1e-2));
    }
    sn_world_destroy(world);
}

/* More balls than a thread takes at once, all rolling, slipping and bouncing. */
static uint64_t hash_after(int threads, sn_friction friction) {
    sn_world *world;
    sn_world_def def = sn_world_def_default();
    def.threads = threads;
    def.settings.substeps = 4;
    def.settings.friction = friction;
    REQUIRE_OK(sn_world_create(&def, &world));
    setup_incline(world, 0.3, 0.3, 0.2);
    set_pair(world, 0.2, 0.01);
    sn_contact_pair_def pair = sn_contact_pair_def_default();
    pair.restitution = (sn_real)0.5;
    REQUIRE_OK(sn_world_set_contact_pair(world, 0, 2, &pair));
    for (int i = 0; i < 3000; i++)
        setup_ball(world,
                   (sn_vec3){(sn_real)(i % 50), (sn_real)(0.5 - i % 7 * 0.05), (sn_real)(i / 50)},
                   1, r, (sn_material)(i % 3));
    setup_run(world, 0.5);
    uint64_t hash = sn_world_hash(world);
    sn_world_destroy(world);
    return hash;
}

TEST(threads_make_no_difference) {
    for (int friction = 0; friction < 2; friction++)
        CHECK(hash_after(1, (sn_friction)friction) == hash_after(4, (sn_friction)friction));
}

TESTS(RUN(a_ball_rolls_down_with_five_sevenths), RUN(a_ball_slips_where_friction_is_small),
      RUN(the_border_between_both_is_where_it_should_be), RUN(spin_becomes_motion),
      RUN(rolling_resistance_brings_a_ball_to_rest), RUN(rolling_resistance_slows_what_slips),
      RUN(a_ball_that_cannot_roll_turns_with_what_it_lies_on),
      RUN(rolling_resistance_holds_a_ball_on_a_gentle_slope), RUN(mass_and_size_do_not_matter),
      RUN(a_node_that_does_not_roll_is_not_turned), RUN(a_belt_makes_a_ball_roll),
      RUN(rolling_and_bouncing_gains_no_energy), RUN(threads_make_no_difference))
