/*
 * V01, V02, V03: nodes without constraints. Semi-implicit Euler is exact in its own way: after k
 * substeps v = g t and x = g t (t + h) / 2, so every difference is rounding.
 */
#include "experiments.h"

#include <math.h>
#include <string.h>

/* V01: catches gravity applied twice or per step instead of per substep, and a wrong substep. */
TEST(free_fall_is_exact) {
    static const int substeps[] = {1, 5, 20, 100};
    for (int i = 0; i < 4; i++) {
        check_case("%d substeps", substeps[i]);
        sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
        settings.substeps = substeps[i];
        sn_world *world = make_world(settings);
        sn_node node = add_node(world, (vec){0, 0, 0}, 1);

        double h = 1.0 / 60 / substeps[i], t = 1;
        advance(world, h, 60 * substeps[i]);
        CHECK_REL(velocity_of(world, node).y, -GRAVITY * t, TOL(1e-12, 1e-5));
        CHECK_REL(position_of(world, node).y, -GRAVITY * t * (t + h) / 2, TOL(1e-12, 1e-5));
        CHECK(position_of(world, node).x == 0 && position_of(world, node).z == 0);
        CHECK_NEAR(sn_world_time(world), t, TOL(1e-12, 1e-6));
        sn_world_destroy(world);
    }
}

/* V02: float with small substeps loses gravity far from the origin unless positions are kept as a
   base and a displacement. */
TEST(free_fall_far_from_origin) {
    static const double heights[] = {1, 10, 100, 1e3, 1e4};
    static const int substeps[] = {20, 100};
    for (int i = 0; i < 5; i++) {
        for (int j = 0; j < 2; j++) {
            check_case("%g m, %d substeps", heights[i], substeps[j]);
            sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
            settings.substeps = substeps[j];
            sn_world *world = make_world(settings);
            sn_node node = add_node(world, (vec){0, heights[i], 0}, 1);

            double h = 1.0 / 60 / substeps[j], t = 0.5;
            advance(world, h, 30 * substeps[j]);
            CHECK_REL(velocity_of(world, node).y, -GRAVITY * t, TOL(1e-10, 1e-4));
            /* The position shown is the nearest number there is, so it is right to an ulp. */
            double ulp = heights[i] * TOL(DBL_EPSILON, FLT_EPSILON);
            CHECK_NEAR(position_of(world, node).y, heights[i] - GRAVITY * t * (t + h) / 2,
                       ulp + TOL(1e-10, 1e-4));
            sn_world_destroy(world);
        }
    }
}

/* V03: the range of a throw, and the same bits for every mass. */
TEST(throw_range_and_mass_independence) {
    double h = 1.0 / 1200, range = throw_range(plain_settings(SN_SOLVER_COLOURED), h);
    CHECK_NEAR(range, 2 * 3 * 4 / GRAVITY, h * 5);
}

/* The gravity of a body replaces the world's, also when it points elsewhere; an automatic one is
   the world's. */
TEST(gravity_of_a_body) {
    double h = 1.0 / 1200;
    sn_world *world = make_world(plain_settings(SN_SOLVER_COLOURED));
    sn_body_def moon = sn_body_def_default(), earth = sn_body_def_default();
    moon.gravity = vector(0.5, 0, -1.62);
    sn_body bodies[2];
    REQUIRE_OK(sn_body_create(world, &moon, &bodies[0]));
    REQUIRE_OK(sn_body_create(world, &earth, &bodies[1]));
    sn_node nodes[2];
    for (int i = 0; i < 2; i++) {
        sn_node_def def = sn_node_def_default();
        def.body = bodies[i];
        REQUIRE_OK(sn_node_create(world, &def, &nodes[i]));
    }
    advance(world, h, 600);
    CHECK_REL(velocity_of(world, nodes[0]).x, 0.25, TOL(1e-12, 1e-5));
    CHECK_REL(velocity_of(world, nodes[0]).z, -0.81, TOL(1e-12, 1e-5));
    CHECK(velocity_of(world, nodes[0]).y == 0);
    CHECK_REL(velocity_of(world, nodes[1]).y, -GRAVITY / 2, TOL(1e-12, 1e-5));

    /* And from the next step on another one. */
    moon.gravity = vector(0, 0, 0);
    CHECK_OK(sn_body_set(world, bodies[0], &moon));
    vec before = velocity_of(world, nodes[0]);
    advance(world, h, 10);
    CHECK_NEAR(length(sub(velocity_of(world, nodes[0]), before)), 0, TOL(1e-14, 1e-6));
    sn_world_destroy(world);
}

TESTS(RUN(free_fall_is_exact), RUN(free_fall_far_from_origin),
      RUN(throw_range_and_mass_independence), RUN(gravity_of_a_body))
