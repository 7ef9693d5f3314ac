/*
 * BDF2 on nodes without constraints: V01 to V03 again, what makes a body start anew, and what
 * forces and damping do. The first substep is one of BDF1, so a fall from rest has after n substeps
 *
 *   v = g t exactly,   x = g t^2 / 2 + (3/4) (1 - 3^-n) g h^2
 */
#include "experiments.h"

#include <math.h>

#include "recursion.h"

static sn_settings second_order(int substeps) {
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    settings.integrator = SN_INTEGRATOR_BDF2;
    settings.substeps = substeps;
    return settings;
}

/* How far a node falls in n substeps after it has started anew. */
static double fall(double h, int n) {
    return GRAVITY * h * h * (0.5 * n * n + 0.75 * (1 - pow(3, -n)));
}

/* ---- Free fall ---- */

/* V01: catches a velocity formula of second order on a prediction of first, which falls with 2
   g. */
TEST(free_fall_is_exact) {
    static const int substeps[] = {1, 5, 20, 100};
    for (int i = 0; i < 4; i++) {
        check_case("%d substeps", substeps[i]);
        sn_world *world = make_world(second_order(substeps[i]));
        sn_node node = add_node(world, (vec){0, 0, 0}, 1);
        double h = 1.0 / 60 / substeps[i];
        for (int step = 1; step <= 60; step++) {
            advance(world, h, substeps[i]);
            int n = step * substeps[i];
            CHECK_REL(velocity_of(world, node).y, -GRAVITY * n * h, TOL(1e-12, 1e-5));
            CHECK_REL(position_of(world, node).y, -fall(h, n), TOL(1e-12, 1e-5));
        }
        CHECK(position_of(world, node).x == 0 && position_of(world, node).z == 0);
        sn_world_destroy(world);
    }
}

/* V02: the history of a node is as fine as its motion. */
TEST(free_fall_far_from_origin) {
    static const double heights[] = {1, 10, 100, 1e3, 1e4};
    static const int substeps[] = {20, 100};
    for (int i = 0; i < 5; i++) {
        for (int j = 0; j < 2; j++) {
            check_case("%g m, %d substeps", heights[i], substeps[j]);
            sn_world *world = make_world(second_order(substeps[j]));
            sn_node node = add_node(world, (vec){0, heights[i], 0}, 1);
            double h = 1.0 / 60 / substeps[j], t = 0.5;
            advance(world, h, 30 * substeps[j]);
            CHECK_REL(velocity_of(world, node).y, -GRAVITY * t, TOL(1e-10, 1e-4));
            double ulp = heights[i] * TOL(DBL_EPSILON, FLT_EPSILON);
            CHECK_NEAR(position_of(world, node).y, heights[i] - fall(h, 30 * substeps[j]),
                       ulp + TOL(1e-10, 1e-4));
            sn_world_destroy(world);
        }
    }
}

/* V03: the range of a throw, and the same bits for every mass. */
TEST(throw_range_and_mass_independence) {
    double h = 1.0 / 1200, range = throw_range(second_order(1), h);
    /* The start is 3/4 g h^2 off, the chord below the parabola g h^2 / 8. */
    CHECK_NEAR(range, 2 * 3 * 4 / GRAVITY, GRAVITY * h * h + TOL(0, 5e-6));
}

/* ---- Starting anew ---- */

typedef sn_result disturbance(sn_world *world, sn_node node);

static sn_result teleport(sn_world *world, sn_node node) {
    return sn_node_set_position(world, node, vector(100, 7, 0));
}

static sn_result throw_up(sn_world *world, sn_node node) {
    return sn_node_set_velocity(world, node, vector(0, 5, 2));
}

static sn_result hit(sn_world *world, sn_node node) {
    return sn_node_apply_impulse(world, node, vector(0, 10, 4));
}

static sn_result lighten(sn_world *world, sn_node node) {
    return sn_node_set_inverse_mass(world, node, 2);
}

/* Whatever is done to a node, it goes on from its place with its velocity, and falls right. */
TEST(disturbed_nodes_fall_right) {
    static const struct {
        const char *name;
        disturbance *disturb;
    } cases[] = {
        {"teleported", teleport}, {"thrown", throw_up}, {"hit", hit}, {"made lighter", lighten}};
    double h = 1.0 / 480;
    for (int i = 0; i < 4; i++) {
        for (int substeps = 1; substeps <= 8; substeps += 7) {
            check_case("%s, %d substeps", cases[i].name, substeps);
            sn_world *world = make_world(second_order(substeps));
            sn_node node = add_node(world, (vec){0, 0, 0}, 0.5);
            advance(world, h, 40);
            CHECK_OK(cases[i].disturb(world, node));
            vec x = position_of(world, node), v = velocity_of(world, node);
            for (int n = 8; n <= 240; n += 8) {
                advance(world, h, 8);
                /* Half an ulp of 20 m/s a step, at worst always to the same side. */
                double ulp = TOL(1e-12, 240 * 9.5e-7);
                CHECK_NEAR(position_of(world, node).x, x.x, ulp);
                CHECK_NEAR(position_of(world, node).y, x.y + v.y * n * h - fall(h, n), ulp);
                CHECK_NEAR(position_of(world, node).z, x.z + v.z * n * h, ulp);
                CHECK_NEAR(velocity_of(world, node).y, v.y - GRAVITY * n * h, ulp);
                CHECK_NEAR(velocity_of(world, node).z, v.z, ulp);
            }
            sn_world_destroy(world);
        }
    }
}

/* Bodies start anew one by one, whatever happens to others: to the bit. */
TEST(one_body_starts_anew) {
    double h = 1.0 / 480;
    sn_world *world = make_world(second_order(4));
    sn_node nodes[3];
    for (int i = 0; i < 3; i++) {
        sn_node_def def = sn_node_def_default();
        sn_body_def body = sn_body_def_default();
        if (i > 0) REQUIRE_OK(sn_body_create(world, &body, &def.body));
        REQUIRE_OK(sn_node_create(world, &def, &nodes[i]));
    }
    for (int step = 1; step <= 30; step++) {
        /* Nodes without a body are one, and the others on their own. */
        if (step % 3 == 0) CHECK_OK(sn_node_set_velocity(world, nodes[1], vector(1, 0, 0)));
        if (step % 7 == 0) add_node(world, (vec){3, 0, 0}, 1);
        advance(world, h, 4);
        vec x[3] = {position_of(world, nodes[0]), position_of(world, nodes[1]),
                    position_of(world, nodes[2])};
        CHECK_REL(x[2].y, -fall(h, 4 * step), TOL(1e-12, 1e-5));
        CHECK(step < 3 || x[1].y > x[2].y);
        CHECK(step < 7 ? x[0].y == x[2].y : x[0].y < x[2].y);
    }
    sn_world_destroy(world);
}

/* With every new length of the substep all bodies start anew. */
TEST(substeps_can_change) {
    sn_world *world = make_world(second_order(4));
    sn_node node = add_node(world, (vec){0, 0, 0}, 1);
    double x = 0, v = 0, t = 0;
    uint32_t seed = 3;
    for (int step = 0; step < 200; step++) {
        double dt = (double)(sn_real)(1.0 / 60 * (1 + 0.5 * noise(&seed))), h = dt / 4;
        CHECK_OK(sn_world_step(world, (sn_real)dt));
        x += v * dt - fall(h, 4);
        v -= GRAVITY * dt;
        t += dt;
        CHECK_REL(velocity_of(world, node).y, v, TOL(1e-12, 1e-5));
        CHECK_REL(position_of(world, node).y, x, TOL(1e-12, 1e-5));
    }
    CHECK_NEAR(sn_world_time(world), t, 1e-12);
    sn_world_destroy(world);
}

/* So they do when gravity changes: nothing goes on falling where there is none. */
TEST(gravity_can_change) {
    double h = 1.0 / 480;
    sn_settings settings = second_order(4);
    sn_world *world = make_world(settings);
    sn_node_def def = sn_node_def_default();
    sn_body_def body = sn_body_def_default();
    REQUIRE_OK(sn_body_create(world, &body, &def.body));
    sn_node alone = add_node(world, (vec){0, 0, 0}, 1), member;
    REQUIRE_OK(sn_node_create(world, &def, &member));
    advance(world, h, 40);
    body.gravity = vector(0, 0, 0);
    CHECK_OK(sn_body_set(world, def.body, &body));
    advance(world, h, 40);
    CHECK_REL(velocity_of(world, member).y, -GRAVITY * 40 * h, TOL(1e-12, 1e-5));
    CHECK_REL(velocity_of(world, alone).y, -GRAVITY * 80 * h, TOL(1e-12, 1e-5));
    settings.gravity = vector(0, 0, 0);
    CHECK_OK(sn_world_set_settings(world, &settings));
    advance(world, h, 40);
    CHECK_REL(velocity_of(world, alone).y, -GRAVITY * 80 * h, TOL(1e-12, 1e-5));
    sn_world_destroy(world);
}

/* The integrator may change between any two steps. */
TEST(integrator_can_change) {
    double h = 1.0 / 480, x = 0, v = 0;
    sn_settings settings = second_order(8);
    sn_world *world = make_world(settings);
    sn_node node = add_node(world, (vec){0, 0, 0}, 1);
    for (int turn = 0; turn < 6; turn++) {
        settings.integrator = turn % 2 ? SN_INTEGRATOR_BDF1 : SN_INTEGRATOR_BDF2;
        CHECK_OK(sn_world_set_settings(world, &settings));
        advance(world, h, 40);
        double t = 40 * h;
        x += v * t - (turn % 2 ? GRAVITY * t * (t + h) / 2 : fall(h, 40));
        v -= GRAVITY * t;
        check_case("turn %d", turn);
        CHECK_REL(velocity_of(world, node).y, v, TOL(1e-12, 1e-5));
        CHECK_REL(position_of(world, node).y, x, TOL(1e-12, 1e-5));
    }
    sn_world_destroy(world);
}

/* ---- Forces and damping ---- */

/* A force that acts for a while leaves its impulse, whenever it begins. */
TEST(forces_leave_their_impulse) {
    double h = 1.0 / 480, mass = 2;
    sn_settings settings = second_order(8);
    settings.gravity = vector(0, 0, 0);
    sn_world *world = make_world(settings);
    sn_node node = add_node(world, (vec){0, 0, 0}, mass);
    advance(world, h, 16);
    for (int step = 0; step < 10; step++) {
        CHECK_OK(sn_node_add_force(world, node, vector(6, 0, -3)));
        advance(world, h, 8);
    }
    /* The last of it comes within some substeps: three times less is left after each. */
    advance(world, h, 40);
    double t = 80 * h;
    CHECK_REL(velocity_of(world, node).x, 6 * t / mass, TOL(1e-12, 1e-5));
    CHECK_REL(velocity_of(world, node).z, -3 * t / mass, TOL(1e-12, 1e-5));
    sn_world_destroy(world);
}

/* v' = -c v with the velocity that is to be expected, 2 v_n - v_n-1. */
TEST(point_damping_is_of_second_order) {
    double c = 4, end = 0.5, error[3], exact = -GRAVITY / c * (1 - exp(-c * end));
    for (int i = 0; i < 3; i++) {
        int n = 100 << i;
        double h = end / n;
        check_case("h = %g s", h);
        sn_settings settings = second_order(1);
        settings.damping = (sn_real)c;
        sn_world *world = make_world(settings);
        sn_node node = add_node(world, (vec){0, 0, 0}, 1);
        double u = 0, before = 0, push = -GRAVITY * h * h;
        for (int k = 0; k < n; k++) {
            double next = push - c * h * u + u;
            if (k > 0) next = (4 * u - before + 2 * push - 2 * c * h * (2 * u - before)) / 3;
            before = u;
            u = next;
        }
        advance(world, h, n);
        CHECK_REL(velocity_of(world, node).y, u / h, TOL(1e-11, 1e-5));
        error[i] = u / h - exact;
        sn_world_destroy(world);
    }
    CHECK_NEAR(log2(error[0] / error[1]), 2, 0.1);
    CHECK_NEAR(log2(error[1] / error[2]), 2, 0.1);
}

/* A falling node ends at g / c whatever h is. */
TEST(terminal_velocity_is_g_over_c) {
    static const double substep[] = {1.0 / 60, 1.0 / 1200};
    for (int i = 0; i < 2; i++) {
        double c = 3, h = substep[i];
        check_case("h = %g s", h);
        sn_settings settings = second_order(1);
        settings.damping = (sn_real)c;
        sn_world *world = make_world(settings);
        sn_node node = add_node(world, (vec){0, 0, 0}, 1);
        advance(world, h, (int)lround(12 / h));
        CHECK_REL(velocity_of(world, node).y, -GRAVITY / c, TOL(1e-12, 2 * FLT_EPSILON / (c * h)));
        sn_world_destroy(world);
    }
}

/* However strong it is, damping stops a node without turning it round. */
TEST(strong_point_damping_does_not_reverse) {
    double h = 1.0 / 60;
    for (double c = 10; c < 1e4; c *= 1.3) {
        check_case("c = %g 1/s", c);
        sn_settings settings = second_order(1);
        settings.damping = (sn_real)c;
        settings.gravity = vector(0, 0, 0);
        sn_world *world = make_world(settings);
        sn_node node = add_node(world, (vec){0, 0, 0}, 1);
        CHECK_OK(sn_node_set_velocity(world, node, vector(1, -2, 3)));
        double speed = 1;
        for (int k = 0; k < 60; k++) {
            advance(world, h, 1);
            vec v = velocity_of(world, node);
            CHECK(v.x > -1e-6 && v.y < 2e-6 && v.x <= speed);
            speed = fmax(v.x, 1e-6);
        }
        CHECK_NEAR(speed, 0, 1e-3);
        sn_world_destroy(world);
    }
}

TEST(speed_limit_ends_a_fall) {
    double h = 1.0 / 1200;
    sn_settings settings = second_order(1);
    settings.speed_limit = 2;
    sn_world *world = make_world(settings);
    sn_node node = add_node(world, (vec){0, 0, 0}, 1), fast = add_node(world, (vec){0, 0, 0}, 1);
    CHECK_OK(sn_node_set_velocity(world, fast, vector(30, 0, 40)));
    advance(world, h, 120);
    CHECK_REL(velocity_of(world, node).y, -0.981, TOL(1e-12, 1e-5));
    for (int k = 0; k < 480; k++) {
        advance(world, h, 1);
        CHECK(length(velocity_of(world, node)) < 2 * (1 + TOL(1e-12, 1e-6)));
        CHECK(length(velocity_of(world, fast)) < 2 * (1 + TOL(1e-12, 1e-6)));
    }
    CHECK_REL(velocity_of(world, node).y, -2, TOL(1e-12, 1e-6));
    /* From its first substep on, and in its own direction, which gravity then bends. */
    CHECK(velocity_of(world, fast).x > 0 && velocity_of(world, fast).z > 0);
    sn_world_destroy(world);
}

TEST(speed_limit_keeps_the_direction) {
    sn_settings settings = second_order(1);
    settings.gravity = vector(0, 0, 0);
    settings.speed_limit = 1;
    sn_world *world = make_world(settings);
    sn_node node = add_node(world, (vec){0, 0, 0}, 1);
    CHECK_OK(sn_node_set_velocity(world, node, vector(3, 4, 0)));
    for (int k = 1; k <= 20; k++) {
        advance(world, 0.01, 1);
        CHECK_NEAR(position_of(world, node).x, 0.006 * k, TOL(1e-14, 1e-7));
        CHECK_NEAR(velocity_of(world, node).x, 0.6, TOL(1e-13, 1e-6));
        CHECK_NEAR(velocity_of(world, node).y, 0.8, TOL(1e-13, 1e-6));
    }
    sn_world_destroy(world);
}

/* ---- Kinematic nodes ---- */

TEST(kinematic_nodes_go_where_they_are_sent) {
    double h = 1.0 / 480;
    sn_world *world = make_world(second_order(8));
    sn_node led = add_pin(world, (vec){0.1, 0, 0}), moving = add_pin(world, (vec){0, 5, 0});
    CHECK_OK(sn_node_set_velocity(world, moving, vector(2, 0, -1)));
    for (int step = 1; step <= 60; step++) {
        vec to = {0.1 + 0.01 * step, sin(0.1 * step), 0};
        CHECK_OK(sn_node_set_target(world, led, vector(to.x, to.y, to.z)));
        vec from = position_of(world, led);
        advance(world, h, 8);
        vec x = position_of(world, led), v = velocity_of(world, led);
        CHECK(x.x == (double)(sn_real)to.x && x.y == (double)(sn_real)to.y);
        CHECK_NEAR(v.y, (x.y - from.y) * 60, TOL(1e-12, 1e-4));
    }
    CHECK_REL(position_of(world, moving).x, 2, TOL(1e-12, 1e-5));
    CHECK(position_of(world, moving).y == 5 && velocity_of(world, moving).x == 2);
    advance(world, h, 8);
    CHECK(length(velocity_of(world, led)) == 0);
    sn_world_destroy(world);
}

/* A node on a damped spring behind an anchor that is led at changing speed: the exact path. */
TEST(spring_behind_a_target_follows_the_exact_path) {
    for (int damped = 0; damped < 2; damped++) {
        FOR_BOTH_SOLVERS(solver) {
            check_case("%s, %s", solver_name(solver), damped ? "damped" : "undamped");
            sn_settings settings = second_order(8);
            settings.solver = solver;
            settings.gravity = vector(0, 0, 0);
            sn_world *world = make_world(settings);
            sn_node anchor = add_pin(world, (vec){0, 0, 0});
            sn_node node = add_node(world, (vec){-1, 0, 0}, 1);
            double alpha = 1e-2, h = 1.0 / 480, beta = damped ? 2 : 0;
            sn_constraint link = add_link(world, anchor, node, 1, alpha);
            sn_real own[3] = {(sn_real)beta, 0, 0};
            CHECK_OK(sn_constraint_set_field(world, link, "damping", own));

            bdf2_path path = {.x = -1};
            double a = 0;
            for (int step = 0; step < 60; step++) {
                double target = a + 0.02 * sin(0.2 * step);
                CHECK_OK(sn_node_set_target(world, anchor, vector(target, 0, 0)));
                target = (double)(sn_real)target;
                for (int s = 1; s <= 8; s++) {
                    double now = a + (target - a) * s / 8, speed = (target - a) / 8;
                    bdf2_force f = {.damping = beta * h, .stiffness = h * h / alpha};
                    f.rest = now - 1;
                    /* The anchor moves, and damping is relative to it. */
                    f.drift = speed;
                    bdf2_next(&path, f);
                }
                a = target;
                advance(world, h, 8);
                CHECK_NEAR(position_of(world, node).x, path.x, TOL(1e-11, 2e-6));
                CHECK_NEAR(velocity_of(world, node).x, path.u / h, TOL(1e-10, 2e-5));
            }
            CHECK(fabs(path.x) > 0.1);
            sn_world_destroy(world);
        }
    }
}

TESTS(RUN(free_fall_is_exact), RUN(free_fall_far_from_origin),
      RUN(throw_range_and_mass_independence), RUN(disturbed_nodes_fall_right),
      RUN(one_body_starts_anew), RUN(substeps_can_change), RUN(gravity_can_change),
      RUN(integrator_can_change), RUN(forces_leave_their_impulse),
      RUN(point_damping_is_of_second_order), RUN(terminal_velocity_is_g_over_c),
      RUN(strong_point_damping_does_not_reverse), RUN(speed_limit_ends_a_fall),
      RUN(speed_limit_keeps_the_direction), RUN(kinematic_nodes_go_where_they_are_sent),
      RUN(spring_behind_a_target_follows_the_exact_path))
