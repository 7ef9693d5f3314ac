/* Steps of no time, of changing length and of next to no time. */
#include "build.h"

#include <math.h>
#include <string.h>

/* A spring of 1000 N/m and rest length 1 m along x that starts stretched by 0.5 m. */
static sn_world *make_spring(sn_solver solver, sn_node *node) {
    sn_settings settings = plain_settings(solver);
    settings.gravity = vector(0, 0, 0);
    sn_world *world = make_world(settings);
    sn_node pin = add_pin(world, (vec){0, 0, 0});
    *node = add_node(world, (vec){1.5, 0, 0}, 1);
    add_link(world, pin, *node, 1, 1e-3);
    return world;
}

TEST(no_time_changes_nothing) {
    sn_node node;
    sn_world *world = make_spring(SN_SOLVER_COLOURED, &node);
    advance(world, 1e-3, 10);
    uint64_t hash = sn_world_hash(world);
    double time = sn_world_time(world);
    for (int i = 0; i < 3; i++) CHECK_OK(sn_world_step(world, 0));
    CHECK(sn_world_hash(world) == hash);
    CHECK(sn_world_time(world) == time);
    CHECK_FAILS(sn_world_step(world, (sn_real)-1e-3), SN_ERROR_VALUE);
    CHECK_FAILS(sn_world_step(world, (sn_real)NAN), SN_ERROR_VALUE);
    CHECK_FAILS(sn_world_step(world, (sn_real)1e30), SN_ERROR_VALUE);
    CHECK(strstr(sn_last_error(), "expected at most 1e+06 s") != NULL);
    CHECK(sn_world_hash(world) == hash);
    sn_world_destroy(world);
}

/* Steps of any sequence of lengths: backward Euler with that sequence exactly, and so within first
   order of steps of constant length over the same time. */
TEST(variable_steps_follow_backward_euler) {
    enum { STEPS = 1000 };
    FOR_BOTH_SOLVERS(solver) {
        check_case("%s", solver_name(solver));
        sn_node node;
        sn_world *world = make_spring(solver, &node);
        double u = 0.5, v = 0, total = 0, omega2 = 1000, longest = 0;
        uint32_t seed = 3;
        for (int k = 0; k < STEPS; k++) {
            double h = (double)(sn_real)(5e-4 * (1 + 0.9 * noise(&seed)));
            CHECK_OK(sn_world_step(world, (sn_real)h));
            v = (v - h * omega2 * u) / (1 + h * h * omega2);
            u += h * v;
            total += h;
            longest = fmax(longest, h);
        }
        double end = position_of(world, node).x - 1;
        /* Float: half an ulp of a velocity of 16 m/s (4.8e-7) a step, over w. */
        CHECK_NEAR(end, u, TOL(1e-10, STEPS * 4.8e-7 / 31.6 + 2e-6));
        CHECK_NEAR(sn_world_time(world), total, 1e-12);
        sn_world_destroy(world);

        /* The same time in equal steps. An amplitude of 0.5 decays at w^2 h / 2, so steps that
           differ by 5e-4 s on average may differ by 0.5 * 500 * 5e-4 * t and no more. */
        world = make_spring(solver, &node);
        advance(world, total / STEPS, STEPS);
        CHECK_NEAR(position_of(world, node).x - 1, end, 0.5 * omega2 / 2 * 5e-4 * total);
        CHECK(longest > 9e-4);
        sn_world_destroy(world);
    }
}

/* A step below a microsecond is not taken, but its time is not lost. */
TEST(tiny_steps_are_carried_over) {
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    settings.gravity = vector(0, 0, 0);
    settings.substeps = 20;
    sn_world *world = make_world(settings);
    sn_node node = add_node(world, (vec){0, 0, 0}, 1);
    CHECK_OK(sn_node_set_velocity(world, node, vector(1000, 0, 0)));

    /* At 1 km/s a microsecond is a millimetre. */
    CHECK_OK(sn_world_step(world, (sn_real)4e-7));
    CHECK(position_of(world, node).x == 0);
    CHECK_NEAR(sn_world_time(world), 4e-7, 1e-13);
    for (int k = 1; k < 1000; k++) CHECK_OK(sn_world_step(world, (sn_real)4e-7));
    CHECK_NEAR(sn_world_time(world), 4e-4, 1e-10);
    CHECK_NEAR(position_of(world, node).x, 0.4, 1.001e-3);

    /* A longer step takes along what was left over. */
    CHECK_OK(sn_world_step(world, (sn_real)1e-3));
    CHECK_REL(position_of(world, node).x, 1.4, TOL(1e-9, 2e-5));
    CHECK_REL(velocity_of(world, node).x, 1000, TOL(1e-9, 1e-5));
    sn_world_destroy(world);
}

/* A short step has fewer substeps, none of them below a microsecond. */
TEST(short_steps_have_fewer_substeps) {
    static const struct {
        double dt;
        size_t least, most;
    } cases[] = {
        {1.0 / 60, 20, 20}, {1e-4, 20, 20}, {1.05e-5, 5, 10}, {1.5e-6, 1, 1}, {1e-6, 1, 1}};
    sn_settings settings = sn_settings_default();
    for (int i = 0; i < 5; i++) {
        check_case("dt = %g s", cases[i].dt);
        sn_world *world = make_world(settings);
        sn_node node = add_node(world, (vec){0, 0, 0}, 1);
        CHECK_OK(sn_world_step(world, (sn_real)cases[i].dt));
        sn_stats stats;
        CHECK_OK(sn_world_stats(world, &stats));
        CHECK(stats.substeps >= cases[i].least && stats.substeps <= cases[i].most);
        CHECK_REL(velocity_of(world, node).y, -GRAVITY * cases[i].dt, TOL(1e-9, 1e-5));
        sn_world_destroy(world);
    }
}

TESTS(RUN(no_time_changes_nothing), RUN(variable_steps_follow_backward_euler),
      RUN(tiny_steps_are_carried_over), RUN(short_steps_have_fewer_substeps))
