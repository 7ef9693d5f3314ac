/*
 * Damping of nodes and of bodies. Point damping scales the velocity before gravity is added,
 * v' = v (1 - c h) + h g, so that a falling node ends at g / c whatever h is, and a hanging one has
 * its full weight.
 */
#include "build.h"

#include <math.h>

TEST(point_damping_comes_before_gravity) {
    double c = 4, h = 1.0 / 1200;
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    settings.damping = (sn_real)c;
    sn_world *world = make_world(settings);
    sn_node node = add_node(world, (vec){0, 0, 0}, 1);

    double v = 0, x = 0;
    for (int k = 0; k < 600; k++) {
        v = v * (1 - c * h) - h * GRAVITY;
        x += h * v;
    }
    advance(world, h, 600);
    CHECK_REL(velocity_of(world, node).y, v, TOL(1e-12, 1e-5));
    CHECK_REL(position_of(world, node).y, x, TOL(1e-12, 1e-5));
    sn_world_destroy(world);
}

TEST(terminal_velocity_is_g_over_c) {
    static const double substep[] = {1.0 / 60, 1.0 / 1200};
    for (int i = 0; i < 2; i++) {
        check_case("h = %g s", substep[i]);
        double world_damping = 3, body_damping = 2, h = substep[i];
        sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
        settings.damping = (sn_real)world_damping;
        sn_world *world = make_world(settings);
        sn_node alone = add_node(world, (vec){0, 0, 0}, 1);

        /* A body adds its own damping to the world's. */
        sn_body_def body_def = sn_body_def_default();
        body_def.damping = (sn_real)body_damping;
        sn_node_def node_def = sn_node_def_default();
        REQUIRE_OK(sn_body_create(world, &body_def, &node_def.body));
        sn_node in_body;
        REQUIRE_OK(sn_node_create(world, &node_def, &in_body));

        /* exp(-3 * 12) is below the rounding of a double. */
        advance(world, h, (int)lround(12 / h));
        /* In float four roundings a substep, half an ulp each, move the velocity until c h times
           its distance makes up for them: 2 / (c h) ulps away at most. */
        double f32 = 2 * FLT_EPSILON / (world_damping * h);
        CHECK_REL(velocity_of(world, alone).y, -GRAVITY / 3, TOL(1e-12, f32));
        CHECK_REL(velocity_of(world, in_body).y, -GRAVITY / 5, TOL(1e-12, f32));
        sn_world_destroy(world);
    }
}

/* Damping that is too strong for the substep stops a node; it never turns it round. */
TEST(strong_point_damping_does_not_reverse) {
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    settings.damping = 1000;
    settings.gravity = vector(0, 0, 0);
    sn_world *world = make_world(settings);
    sn_node node = add_node(world, (vec){0, 0, 0}, 1);
    CHECK_OK(sn_node_set_velocity(world, node, vector(1, -2, 3)));
    advance(world, 1.0 / 60, 1);
    vec v = velocity_of(world, node);
    CHECK(v.x >= 0 && v.x < 0.1 && v.y <= 0 && v.y > -0.2 && v.z >= 0 && v.z < 0.3);
    sn_world_destroy(world);
}

/* ---- Rigid damping of a body (2007 paper, section 3.5) ---- */

enum { CLOUD = 24 };

/* Nodes of different masses that fly in all directions around a common drift and spin. */
static void add_cloud(sn_world *world, const sn_body_def *body_def, sn_node nodes[CLOUD]) {
    sn_node_def def = sn_node_def_default();
    REQUIRE_OK(sn_body_create(world, body_def, &def.body));
    for (int i = 0; i < CLOUD; i++) {
        double a = 2.4 * i, b = sin(1.7 * i), r = sqrt(1 - b * b);
        vec x = {r * cos(a), r * sin(a), b};
        def.position = vector(x.x + 2, x.y - 1, x.z);
        def.velocity = vector(1 - 3 * x.y + 0.5 * sin(5.1 * i), 2 + 3 * x.x + 0.5 * cos(3.7 * i),
                              0.5 * sin(2.9 * i));
        def.inverse_mass = (sn_real)(1 / (1 + 0.1 * i));
        REQUIRE_OK(sn_node_create(world, &def, &nodes[i]));
    }
}

/* Without constraints nothing but the damping acts, so both momenta stay to rounding, and what is
   left at the end is rigid. */
TEST(rigid_damping_keeps_both_momenta) {
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    settings.gravity = vector(0, 0, 0);
    sn_world *world = make_world(settings);
    sn_body_def def = sn_body_def_default();
    def.rigid_damping = 10;
    sn_node nodes[CLOUD];
    add_cloud(world, &def, nodes);

    sn_measure start = measure_of(world);
    advance(world, 1.0 / 1200, 1200);
    sn_measure end = measure_of(world);
    double speed = sqrt(2 * start.kinetic_energy / start.mass);
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(end.momentum[k], start.momentum[k], TOL(1e-12, 1e-5) * start.mass * speed);
        /* Lever arms about the origin grow from 2 m to about 4 m. */
        CHECK_NEAR(end.angular_momentum[k], start.angular_momentum[k],
                   TOL(1e-12, 1e-5) * start.mass * speed * 4);
    }
    CHECK(end.kinetic_energy < 0.99 * start.kinetic_energy);
    sn_world_destroy(world);
}

/* A square that grows evenly has no rigid motion in that growth, so it decays by 1 - c h a substep;
   the drift of the whole does not. */
TEST(rigid_damping_takes_the_rest) {
    double c = 6, h = 1.0 / 1200;
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    settings.gravity = vector(0, 0, 0);
    sn_world *world = make_world(settings);
    sn_body_def body_def = sn_body_def_default();
    body_def.rigid_damping = (sn_real)c;
    sn_node_def def = sn_node_def_default();
    REQUIRE_OK(sn_body_create(world, &body_def, &def.body));
    sn_node nodes[4];
    for (int i = 0; i < 4; i++) {
        double x = i % 2 ? 1 : -1, y = i / 2 ? 1 : -1;
        def.position = vector(x, y, 0);
        def.velocity = vector(0.5 * x, 0.5 * y, 2);
        REQUIRE_OK(sn_node_create(world, &def, &nodes[i]));
    }
    advance(world, h, 600);
    vec v = velocity_of(world, nodes[3]);
    double left = 0.5 * pow(1 - c * h, 600);
    CHECK_REL(v.x, left, TOL(1e-11, 1e-4));
    CHECK_REL(v.y, left, TOL(1e-11, 1e-4));
    CHECK_REL(v.z, 2, TOL(1e-12, 1e-5));
    sn_world_destroy(world);
}

/* The oscillation of a falling spring dies, its fall does not notice. */
TEST(rigid_damping_calms_a_spring_in_free_fall) {
    FOR_BOTH_SOLVERS(solver) {
        check_case("%s", solver_name(solver));
        double h = 1.0 / 1200, energy[2];
        for (int damped = 0; damped < 2; damped++) {
            sn_world *world = make_world(plain_settings(solver));
            sn_body_def body_def = sn_body_def_default();
            body_def.rigid_damping = damped ? 8 : 0;
            sn_node_def def = sn_node_def_default();
            REQUIRE_OK(sn_body_create(world, &body_def, &def.body));
            sn_node nodes[2];
            for (int i = 0; i < 2; i++) {
                def.position = vector(i, 0, 0);
                REQUIRE_OK(sn_node_create(world, &def, &nodes[i]));
            }
            add_link(world, nodes[0], nodes[1], 0.8, 1e-2);
            advance(world, h, 1200);
            vec v0 = velocity_of(world, nodes[0]), v1 = velocity_of(world, nodes[1]);
            energy[damped] = measure_of(world).elastic_energy + 0.25 * pow(v1.x - v0.x, 2);
            CHECK_REL((v0.y + v1.y) / 2, -GRAVITY, TOL(1e-12, 2e-5));
            CHECK_NEAR(v0.x + v1.x, 0, TOL(1e-12, 1e-5));
            sn_world_destroy(world);
        }
        /* The undamped one keeps exp(-w^2 h t) = 0.85 of its 2 J; rate 8/s takes exp(-8). */
        CHECK_REL(energy[0], 2 * exp(-200.0 / 1200), 0.05);
        CHECK(energy[1] < energy[0] * exp(-8.0) * 1.5);
        CHECK(energy[1] > 0);
    }
}

/* ---- Speed limit ---- */

TEST(speed_limit_keeps_the_direction) {
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    settings.gravity = vector(0, 0, 0);
    settings.speed_limit = 1;
    sn_world *world = make_world(settings);
    sn_node fast = add_node(world, (vec){0, 0, 0}, 1);
    sn_node slow = add_node(world, (vec){0, 0, 0}, 1);
    CHECK_OK(sn_node_set_velocity(world, fast, vector(3, 4, 0)));
    CHECK_OK(sn_node_set_velocity(world, slow, vector(0.3, 0.4, 0)));
    advance(world, 0.01, 1);
    CHECK_NEAR(position_of(world, fast).x, 0.006, TOL(1e-15, 1e-8));
    CHECK_NEAR(position_of(world, fast).y, 0.008, TOL(1e-15, 1e-8));
    CHECK_NEAR(velocity_of(world, fast).x, 0.6, TOL(1e-14, 1e-6));
    CHECK_NEAR(velocity_of(world, fast).y, 0.8, TOL(1e-14, 1e-6));
    CHECK_NEAR(velocity_of(world, slow).x, 0.3, TOL(1e-14, 1e-6));
    CHECK_NEAR(velocity_of(world, slow).y, 0.4, TOL(1e-14, 1e-6));
    sn_world_destroy(world);
}

TEST(speed_limit_ends_a_fall) {
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    settings.speed_limit = 2;
    sn_world *world = make_world(settings);
    sn_node node = add_node(world, (vec){0, 0, 0}, 1);
    double h = 1.0 / 1200;
    advance(world, h, 120);
    CHECK_REL(velocity_of(world, node).y, -0.981, TOL(1e-12, 1e-5));
    advance(world, h, 480);
    CHECK_REL(velocity_of(world, node).y, -2, TOL(1e-12, 1e-6));
    sn_world_destroy(world);
}

TESTS(RUN(point_damping_comes_before_gravity), RUN(terminal_velocity_is_g_over_c),
      RUN(strong_point_damping_does_not_reverse), RUN(rigid_damping_keeps_both_momenta),
      RUN(rigid_damping_takes_the_rest), RUN(rigid_damping_calms_a_spring_in_free_fall),
      RUN(speed_limit_keeps_the_direction), RUN(speed_limit_ends_a_fall))
