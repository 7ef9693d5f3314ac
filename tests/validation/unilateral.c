/*
 * One-sided distances. A tether (at most) only pulls, a strut (at least) only pushes; the side that
 * is free is as if the constraint were not there, to the bit.
 */
#include "build.h"

#include <math.h>

static sn_constraint add_one_sided(sn_world *world, sn_node a, sn_node b, double rest,
                                   double compliance, sn_side side) {
    sn_distance_def def = sn_distance_def_default();
    def.node[0] = a;
    def.node[1] = b;
    def.rest_length = (sn_real)rest;
    def.compliance = (sn_real)compliance;
    def.side = side;
    sn_constraint constraint;
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_DISTANCE, &def, &constraint));
    return constraint;
}

/* A node that falls on a slack tether falls freely until it is taut, and hangs then. */
TEST(tether_is_free_when_slack) {
    double h = 1.0 / 1200;
    FOR_BOTH_SOLVERS(solver) {
        for (int iterations = 1; iterations <= 3; iterations += 2) {
            check_case("%s, %d iterations", solver_name(solver), iterations);
            sn_settings settings = plain_settings(solver);
            settings.iterations = iterations;
            sn_world *world = make_world(settings);
            sn_node pin = add_pin(world, (vec){0, 0, 0});
            sn_node owned = add_node(world, (vec){0.3, 0, 0}, 1);
            sn_node loose = add_node(world, (vec){0.3, 0, 0}, 1);
            sn_constraint tether = add_one_sided(world, pin, owned, 1, 0, SN_SIDE_AT_MOST);

            /* Taut after 0.954 m of fall, at 0.44 s. */
            advance(world, h, 480);
            vec a = position_of(world, owned), b = position_of(world, loose);
            CHECK(a.x == b.x && a.y == b.y && a.z == b.z);
            CHECK(force_of(world, tether) == 0);
            double longest = 0, hardest_push = 0;
            for (int k = 0; k < 1200; k++) {
                advance(world, h, 1);
                longest = fmax(longest, length(position_of(world, owned)));
                hardest_push = fmax(hardest_push, force_of(world, tether));
            }
            CHECK(longest < 1 + TOL(1e-12, 1e-6));
            CHECK(longest > 1 - 1e-3);
            CHECK(hardest_push == 0);

            settings.damping = 6;
            CHECK_OK(sn_world_set_settings(world, &settings));
            advance(world, h, 12000);
            CHECK_REL(position_of(world, owned).y, -1, TOL(1e-12, 1e-6));
            CHECK_NEAR(force_of(world, tether), -GRAVITY, GRAVITY * 1e-8 + force_noise(1, h, 1));
            sn_world_destroy(world);
        }
    }
}

TEST(strut_only_pushes) {
    double h = 1.0 / 1200;
    FOR_BOTH_SOLVERS(solver) {
        check_case("%s", solver_name(solver));
        sn_settings settings = plain_settings(solver);
        settings.gravity = vector(0, 0, 0);
        sn_world *world = make_world(settings);
        sn_node pin = add_pin(world, (vec){0, 0, 0});
        sn_node node = add_node(world, (vec){2, 0, 0}, 1);
        sn_constraint strut = add_one_sided(world, pin, node, 1, 0, SN_SIDE_AT_LEAST);

        /* Coming nearer it is stopped at 1 m, with all of its velocity gone. */
        CHECK_OK(sn_node_set_velocity(world, node, vector(-2, 0, 0)));
        advance(world, h, 590);
        CHECK_REL(velocity_of(world, node).x, -2, TOL(1e-12, 1e-6));
        CHECK(force_of(world, strut) == 0);
        double nearest = 2, hardest = 0, softest = 0;
        for (int k = 0; k < 60; k++) {
            advance(world, h, 1);
            nearest = fmin(nearest, position_of(world, node).x);
            hardest = fmax(hardest, force_of(world, strut));
            softest = fmin(softest, force_of(world, strut));
        }
        CHECK_REL(nearest, 1, TOL(1e-12, 1e-6));
        CHECK(hardest > 0 && softest == 0);
        CHECK_NEAR(velocity_of(world, node).x, 0, TOL(1e-9, 1e-3));

        /* And it lets the node go. */
        CHECK_OK(sn_node_set_velocity(world, node, vector(1, 0, 0)));
        advance(world, h, 1200);
        CHECK_REL(position_of(world, node).x, 2, TOL(1e-9, 1e-3));
        sn_world_destroy(world);
    }
}

/* Compliant ones sag as V06 on their active side. */
TEST(one_sided_springs_carry_a_weight) {
    double h = 1.0 / 1200, alpha = 1e-3;
    FOR_BOTH_SOLVERS(solver) {
        for (int iterations = 1; iterations <= 5; iterations += 4) {
            check_case("%s, %d iterations", solver_name(solver), iterations);
            sn_settings settings = plain_settings(solver);
            settings.iterations = iterations;
            settings.damping = 30;
            sn_world *world = make_world(settings);
            sn_node pin = add_pin(world, (vec){0, 0, 0});
            sn_node below = add_node(world, (vec){0, -1, 0}, 1);
            sn_node above = add_node(world, (vec){0, 1, 0}, 1);
            sn_constraint tether = add_one_sided(world, pin, below, 1, alpha, SN_SIDE_AT_MOST);
            sn_constraint strut = add_one_sided(world, pin, above, 1, alpha, SN_SIDE_AT_LEAST);
            advance(world, h, 3600);
            CHECK_REL(-1 - position_of(world, below).y, alpha * GRAVITY, TOL(1e-8, 1e-4));
            CHECK_REL(1 - position_of(world, above).y, alpha * GRAVITY, TOL(1e-8, 1e-4));
            CHECK_REL(force_of(world, tether), -GRAVITY, TOL(1e-8, 1e-4));
            CHECK_REL(force_of(world, strut), GRAVITY, TOL(1e-8, 1e-4));
            sn_world_destroy(world);
        }
    }
}

TESTS(RUN(tether_is_free_when_slack), RUN(strut_only_pushes), RUN(one_sided_springs_carry_a_weight))
