/* V17 and V18: the mathematical pendulum, one hard link. */
#include "build.h"

#include <math.h>

/* A node of 1 kg on a link of 1 m, let go at an angle in degrees from straight down. */
typedef struct pendulum {
    sn_world *world;
    sn_node node;
} pendulum;

static pendulum make_pendulum(sn_solver solver, sn_integrator integrator, double degrees) {
    double angle = degrees * PI / 180;
    sn_settings settings = plain_settings(solver);
    settings.integrator = integrator;
    pendulum p = {.world = make_world(settings)};
    sn_node pin = add_pin(p.world, (vec){0, 0, 0});
    p.node = add_node(p.world, (vec){sin(angle), -cos(angle), 0}, 1);
    add_link(p.world, pin, p.node, 1, 0);
    return p;
}

/* The exact period 4 sqrt(L / g) K(sin(angle / 2)), by the arithmetic-geometric mean. */
static double exact_period(double degrees) {
    double a = 1, b = cos(degrees * PI / 360);
    while (fabs(a - b) > 1e-15) {
        double mean = (a + b) / 2;
        b = sqrt(a * b);
        a = mean;
    }
    return 2 * PI / a / sqrt(GRAVITY);
}

/* The first period: from the first to the third time that the pendulum is straight down. */
static double first_period(sn_solver solver, sn_integrator integrator, double degrees, double h) {
    pendulum p = make_pendulum(solver, integrator, degrees);
    double before = position_of(p.world, p.node).x, first = 0, last = 0;
    int passes = 0;
    for (int k = 0; k < (int)(5 / h) && passes < 3; k++) {
        advance(p.world, h, 1);
        double now = position_of(p.world, p.node).x;
        if (before * now < 0) {
            last = h * (k + before / (before - now));
            if (passes++ == 0) first = last;
        }
        before = now;
    }
    CHECK(passes == 3);
    sn_world_destroy(p.world);
    return last - first;
}

/* Its relative error. */
static double period_error(sn_solver solver, sn_integrator integrator, double degrees, double h) {
    return first_period(solver, integrator, degrees, h) / exact_period(degrees) - 1;
}

/* V17: the analytic values and the published error at h = 1/1200 s, which is of first order. */
TEST(period_of_a_pendulum) {
    static const struct {
        double degrees, period;
        double published, digit; /* relative error at h = 1/1200 s, and half its last digit */
        double left;             /* after extrapolation to h = 0, where second order remains */
    } cases[] = {
        {5, 2.007022, 0, 0, 5e-6},  {10, 2.009893, -2.2e-5, 5e-7, 5e-6},
        {30, 2.040990, 0, 0, 1e-5}, {60, 2.152875, -1.6e-3, 5e-5, 5e-5},
        {90, 2.367842, 0, 0, 3e-4}, {120, 2.754090, 0, 0, 2e-3},
    };
    /* Float: the angle at the start is right to an ulp (6e-8) and 1500 substeps lose up to half an
       ulp of the velocity each, which moves the two passes by some 1e-5 s. */
    double rounding = TOL(0, 1e-5);
    FOR_BOTH_SOLVERS(solver) {
        for (int i = 0; i < 6; i++) {
            check_case("%s, %g degrees", solver_name(solver), cases[i].degrees);
            CHECK_NEAR(exact_period(cases[i].degrees), cases[i].period, 5.1e-7);
            sn_integrator bdf1 = SN_INTEGRATOR_BDF1;
            double coarse = period_error(solver, bdf1, cases[i].degrees, 1.0 / 1200);
            double fine = period_error(solver, bdf1, cases[i].degrees, 1.0 / 2400);
            CHECK_NEAR(2 * fine - coarse, 0, cases[i].left + 3 * rounding);
            if (cases[i].digit > 0)
                CHECK_NEAR(coarse, cases[i].published, cases[i].digit + rounding);
        }

        /* Order of accuracy from h, h/2 and h/4 at 60 degrees. */
        check_case("%s, order", solver_name(solver));
        double error[3];
        for (int i = 0; i < 3; i++)
            error[i] = period_error(solver, SN_INTEGRATOR_BDF1, 60, 1.0 / (1200 << i));
        CHECK_NEAR(log2(error[0] / error[1]), 1, 0.05);
        CHECK_NEAR(log2(error[1] / error[2]), 1, 0.05);
    }
}

/* BDF2 makes errors of second order, and of this size by its formulas on a circle; V17 has them as
   2.4e-6 and 4.6e-6. */
TEST(period_of_a_pendulum_with_bdf2) {
    static const struct { double degrees, error; } cases[] = {{10, 2.346e-6}, {60, 4.608e-6}};
    FOR_BOTH_SOLVERS(solver) {
        for (int i = 0; i < 2; i++) {
            check_case("%s, %g degrees", solver_name(solver), cases[i].degrees);
            double error[3];
            for (int k = 0; k < 3; k++)
                error[k] =
                    period_error(solver, SN_INTEGRATOR_BDF2, cases[i].degrees, 1.0 / (1200 << k));
            CHECK_NEAR(error[0], cases[i].error, 1e-9 + TOL(0, 1e-5));
            /* Float: these errors are rounding. */
            if (!TOL(true, false)) continue;
            CHECK_NEAR(log2(error[0] / error[1]), 2, 0.1);
            CHECK_NEAR(log2(error[1] / error[2]), 2, 0.1);
        }
    }
}

/* The part of its energy that a pendulum has left after 10 s. */
static double energy_left(sn_solver solver, sn_integrator integrator, double degrees) {
    pendulum p = make_pendulum(solver, integrator, degrees);
    sn_measure start = measure_of(p.world);
    advance(p.world, 1.0 / 1200, 12000);
    sn_measure end = measure_of(p.world);
    /* The link is hard, so it stays on the circle to rounding. */
    CHECK_NEAR(length(position_of(p.world, p.node)), 1, TOL(1e-12, 1e-6));
    sn_world_destroy(p.world);
    /* Potential energy counts from the lowest point, at y = -1. */
    double total = start.potential_energy + start.kinetic_energy + GRAVITY;
    return (end.potential_energy + end.kinetic_energy + GRAVITY) / total;
}

/* V18: the energy that backward Euler takes, about exp(-(g / L) h t), and BDF2 does not. */
TEST(energy_of_a_pendulum) {
    static const struct { double degrees, left; } cases[] = {{10, 0.9202}, {60, 0.8841}};
    FOR_BOTH_SOLVERS(solver) {
        for (int i = 0; i < 2; i++) {
            check_case("%s, %g degrees", solver_name(solver), cases[i].degrees);
            double bdf1_left = energy_left(solver, SN_INTEGRATOR_BDF1, cases[i].degrees);
            CHECK_NEAR(bdf1_left, cases[i].left, 5e-5 + TOL(0, 5e-5));
            /* The formula is for small swings. */
            if (cases[i].degrees == 10) CHECK_NEAR(bdf1_left, exp(-GRAVITY / 1200 * 10), 0.005);
            double bdf2_left = energy_left(solver, SN_INTEGRATOR_BDF2, cases[i].degrees);
            CHECK_NEAR(bdf2_left, 1, 1e-4);
        }
    }
}

TESTS(RUN(period_of_a_pendulum), RUN(period_of_a_pendulum_with_bdf2), RUN(energy_of_a_pendulum))
