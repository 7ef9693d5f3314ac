/* V14 and V15 for rods: what a rod in free flight keeps, with the spin of its frames. */
#include "rod.h"

#include <math.h>

/* A free rod, hard and soft in turn, thrown with a spin; `jitter` makes it tremble as well. */
static rod make_free_rod(sn_solver solver, double stiffness, double spin, double jitter) {
    sn_settings settings = plain_settings(solver);
    settings.gravity = vector(0, 0, 0);
    settings.hybrid_colours = 1;
    rod_def def = rod_def_default();
    def.segments = 8;
    def.clamped = false;
    def.bend_stiffness = def.twist_stiffness = stiffness;
    rod r = make_rod(settings, &def);
    uint32_t seed = 3;
    for (int i = 0; i <= def.segments; i++) {
        vec x = position_of(r.world, r.node[i]);
        CHECK_OK(sn_node_set_velocity(r.world, r.node[i],
                                      vector(1 + jitter * noise(&seed),
                                             0.5 + spin * x.x + jitter * noise(&seed),
                                             jitter * noise(&seed))));
        if (i < def.segments)
            set_spin(
                r.world, r.node[i],
                (vec){jitter * noise(&seed), jitter * noise(&seed), spin + jitter * noise(&seed)});
    }
    return r;
}

static const struct {
    const char *name;
    sn_solver solver;
} solvers[] = {{"coloured", SN_SOLVER_COLOURED},
               {"reference", SN_SOLVER_REFERENCE},
               {"Jacobi", SN_SOLVER_JACOBI},
               {"hybrid", SN_SOLVER_HYBRID}};
enum { SOLVERS = sizeof solvers / sizeof solvers[0] };

TEST(free_rod_keeps_its_momentum) {
    for (int i = 0; i < SOLVERS; i++) {
        check_case("%s", solvers[i].name);
        rod r = make_free_rod(solvers[i].solver, 0.1, 2, 1);
        vec start = rod_motion_of(&r).momentum;
        advance(r.world, 1.0 / 1200, 1000);
        vec end = rod_motion_of(&r).momentum;
        /* The sum of m |v| is about 1.5 kg m/s. */
        CHECK_NEAR(length(sub(end, start)), 0, 1.5 * TOL(1e-12, 1e-5));
        sn_world_destroy(r.world);
    }
}

/* Angular momentum that a rod loses in 1 s, about the origin. */
static double lost_spin(sn_solver solver, double jitter, int rate) {
    rod r = make_free_rod(solver, 0.1, 2, jitter);
    vec start = rod_motion_of(&r).angular_momentum;
    advance(r.world, 1.0 / rate, rate);
    vec end = rod_motion_of(&r).angular_momentum;
    sn_world_destroy(r.world);
    return length(sub(end, start));
}

/* The loss is of first order, as that of a dumbbell. */
TEST(free_rod_loses_spin_in_first_order) {
    for (int i = 0; i < SOLVERS; i++) {
        for (int trembling = 0; trembling < 2; trembling++) {
            check_case("%s, %s", solvers[i].name, trembling ? "trembling" : "at rest in itself");
            double coarse = lost_spin(solvers[i].solver, 0.5 * trembling, 600);
            double fine = lost_spin(solvers[i].solver, 0.5 * trembling, 1200);
            CHECK(coarse > 0);
            CHECK_NEAR(coarse / fine, 2, 0.2);
            CHECK(fine < 0.02);
        }
    }
}

/* The spin of frames and the motion of nodes change into each other, and the sum stays: a frame
   that spins across its axis carries its segment along. */
TEST(spin_becomes_motion) {
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    settings.gravity = vector(0, 0, 0);
    rod_def def = rod_def_default();
    def.segments = 1;
    def.clamped = false;
    def.inertia = 0.5;
    rod r = make_rod(settings, &def);
    set_spin(r.world, r.node[0], (vec){0, 0, 3});
    vec start = rod_motion_of(&r).angular_momentum;
    CHECK_NEAR(start.z, 1.5, 1e-6);
    advance(r.world, 1e-4, 1000);
    /* 0.5 kg at each end of 1 m is an inertia of 0.25 about the middle. */
    vec end = rod_motion_of(&r).angular_momentum;
    CHECK_REL(spin_of(r.world, r.node[0]).z, 1.5 / 0.75, 2e-3);
    CHECK_NEAR(length(sub(end, start)), 0, 2e-3);
    vec v = velocity_of(r.world, r.node[1]), u = velocity_of(r.world, r.node[0]);
    CHECK_REL(length(sub(v, u)), 1.5 / 0.75, 2e-3);
    sn_world_destroy(r.world);
}

TESTS(RUN(free_rod_keeps_its_momentum), RUN(free_rod_loses_spin_in_first_order),
      RUN(spin_becomes_motion))
