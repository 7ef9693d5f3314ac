/*
 * V04 to V07: one spring. XPBD on a single linear constraint is backward Euler, for any number of
 * iterations, so trajectories are known to rounding.
 */
#include "experiments.h"

#include <math.h>
#include <stdlib.h>

/* A node of 1 kg on a spring of rest length 1 m that starts stretched by 0.5 m, without gravity. */
typedef struct spring {
    sn_world *world;
    sn_node pin, node;
    sn_constraint link;
} spring;

static spring make_spring(sn_solver solver, int iterations, double compliance, double damping) {
    sn_settings settings = plain_settings(solver);
    settings.gravity = vector(0, 0, 0);
    settings.iterations = iterations;
    spring s = {.world = make_world(settings)};
    s.pin = add_pin(s.world, (vec){0, 0, 0});
    s.node = add_node(s.world, (vec){1.5, 0, 0}, 1);
    s.link = add_link(s.world, s.pin, s.node, 1, compliance);
    sn_real beta[3] = {(sn_real)damping, 0, 0};
    REQUIRE_OK(sn_constraint_set_field(s.world, s.link, "damping", beta));
    return s;
}

/* Runs a spring and keeps its extension after every substep, the first one before all. */
static void record_extension(spring *s, double h, int substeps, double *extension) {
    for (int k = 0; k <= substeps; k++) {
        if (k > 0) advance(s->world, h, 1);
        extension[k] = position_of(s->world, s->node).x - 1;
    }
}

/*
 * What float can lose: half an ulp of the velocity (8 to 16 m/s: 4.8e-7) a substep, in the worst
 * case always to the same side, which moves the node by that over w; and half an ulp of the
 * compliance, a phase error of w t / 4 ulps of the amplitude.
 */
static double spring_tolerance(double omega, int substeps) {
    return TOL(1e-9, substeps * 4.8e-7 / omega + 2e-6);
}

/* V04. */
TEST(undamped_oscillator_is_backward_euler) {
    static const struct {
        double h;
        int stride;
        double end, period, amplitude; /* x(1 s), T_d / T and amplitude per period, as published */
    } cases[] = {
        {1e-2, 3, 0.0030033, 1.03249, 0.37620},
        {1e-3, 30, 0.2975145, 1.000333, 0.90544},
        {1e-4, 300, 0.4654863, 1.0000033, 0.99011},
    };
    double omega = sqrt(1000.0);
    FOR_BOTH_SOLVERS(solver) {
        for (int i = 0; i < 3; i++) {
            int iterations = i == 1 ? 5 : 1;
            double h = cases[i].h;
            int n = (int)lround(1 / h);
            check_case("%s, h = %g s", solver_name(solver), h);
            spring s = make_spring(solver, iterations, 1e-3, 0);
            double *u = (double *)malloc(sizeof(double) * (size_t)(n + 1));
            record_extension(&s, h, n, u);

            /* Starting at rest means u_{-1} = u_0. */
            double tolerance = spring_tolerance(omega, n), x = 0.5, before = 0.5, worst = 0;
            for (int k = 1; k <= n; k++) {
                double next = (2 * x - before) / (1 + omega * omega * h * h);
                before = x;
                x = next;
                worst = fmax(worst, fabs(u[k] - x));
            }
            CHECK_NEAR(worst, 0, tolerance);
            CHECK_NEAR(u[n], cases[i].end, 5e-8 + tolerance);

            mode m = find_mode(u, n + 1, cases[i].stride);
            CHECK_REL(m.factor, 1 / sqrt(1 + omega * omega * h * h), TOL(1e-9, 1e-6));
            CHECK_REL(m.phase, atan(omega * h), TOL(1e-9, 1e-6));
            CHECK_NEAR(omega * h / m.phase, cases[i].period, 5e-6 + TOL(0, 5e-6));
            CHECK_NEAR(pow(m.factor, 2 * PI / m.phase), cases[i].amplitude, 5e-6 + TOL(0, 2e-5));
            free(u);
            sn_world_destroy(s.world);
        }
    }
}

/* V05: the damping force is beta dC/dt with beta in N s/m, so it does not change with h. Acting on
   velocities after the projection, it gives z^2 (1 + c) (1 + h^2 w^2) - z (2 + c) + 1 = 0 with
   c = h beta / m. */
TEST(damped_oscillator_has_the_exact_roots) {
    static const struct {
        double beta, end; /* x(0.3 s) as published */
    } cases[] = {{1, -0.3701856}, {5, -0.2040655}};
    enum { SUBSTEPS = 300 };
    double h = 1e-3, omega = sqrt(1000.0);
    FOR_BOTH_SOLVERS(solver) {
        for (int i = 0; i < 2; i++) {
            for (int iterations = 1; iterations <= 4; iterations += 3) {
                double beta = cases[i].beta;
                check_case("%s, beta = %g, %d iterations", solver_name(solver), beta, iterations);
                spring s = make_spring(solver, iterations, 1e-3, beta);
                double u[SUBSTEPS + 1];
                record_extension(&s, h, SUBSTEPS, u);

                double tolerance = spring_tolerance(omega, SUBSTEPS);
                double x = 0.5, before = 0.5, worst = 0;
                for (int k = 1; k <= SUBSTEPS; k++) {
                    double next = ((2 + h * beta) * x - before) /
                                  ((1 + h * beta) * (1 + h * h * omega * omega));
                    before = x;
                    x = next;
                    worst = fmax(worst, fabs(u[k] - x));
                }
                CHECK_NEAR(worst, 0, tolerance);
                CHECK_NEAR(u[SUBSTEPS], cases[i].end, 5e-8 + tolerance);

                mode m = find_mode(u, SUBSTEPS + 1, 30);
                double root = 1 / ((1 + h * beta) * (1 + h * h * omega * omega));
                CHECK_NEAR(m.factor * m.factor, root, TOL(1e-9, 1e-7));
                sn_world_destroy(s.world);
            }
        }
    }
}

/* V06: the sag of a spring and the force it reports do not depend on the step or the iterations. */
TEST(sag_of_one_spring) {
    double alpha = 1e-3;
    FOR_BOTH_SOLVERS(solver) {
        for (int rate = 60; rate <= 6000; rate *= 10) {
            for (int iterations = 1; iterations <= 10; iterations += 9) {
                check_case("%s, h = 1/%d s, %d iterations", solver_name(solver), rate, iterations);
                sn_settings settings = plain_settings(solver);
                settings.iterations = iterations;
                settings.damping = 30;
                /* exp(-15/s * 2 s) of the first swing is left. */
                check_sag_of_spring(settings, rate, alpha);
            }
        }
    }
}

/* V06 for an attachment: three rows, each a spring of its own. */
TEST(sag_of_an_attachment) {
    double alpha = 1e-3;
    FOR_BOTH_SOLVERS(solver) {
        check_case("%s", solver_name(solver));
        sn_settings settings = plain_settings(solver);
        settings.damping = 30;
        settings.gravity = vector(1, -9.81, 2);
        sn_world *world = make_world(settings);
        sn_attachment_def def = sn_attachment_def_default();
        def.node[0] = add_node(world, (vec){0, 0, 0}, 2);
        def.compliance = (sn_real)alpha;
        sn_constraint attachment;
        REQUIRE_OK(sn_constraint_create(world, SN_TYPE_ATTACHMENT, &def, &attachment));

        advance(world, 1.0 / 1200, 3600);
        vec x = position_of(world, def.node[0]);
        CHECK_REL(x.x, 2 * alpha, TOL(1e-8, 1e-4));
        CHECK_REL(x.y, -9.81 * 2 * alpha, TOL(1e-8, 1e-4));
        CHECK_REL(x.z, 2 * 2 * alpha, TOL(1e-8, 1e-4));
        sn_real force[SN_MAX_ROWS];
        CHECK_OK(sn_constraint_force(world, attachment, force));
        /* Positive along the gradient of C = x - anchor, so against the load. */
        CHECK_REL(force[0], -2, TOL(1e-8, 1e-4));
        CHECK_REL(force[1], 2 * 9.81, TOL(1e-8, 1e-4));
        CHECK_REL(force[2], -4, TOL(1e-8, 1e-4));
        sn_world_destroy(world);
    }
}

/* V07: two free bodies oscillate with the reduced mass around a centre that stays. */
TEST(two_bodies_have_the_reduced_mass) {
    enum { SUBSTEPS = 1000 };
    double h = 1e-3, m1 = 1, m2 = 4, omega = 11.180339887498949;
    FOR_BOTH_SOLVERS(solver) {
        check_case("%s", solver_name(solver));
        sn_settings settings = plain_settings(solver);
        settings.gravity = vector(0, 0, 0);
        sn_world *world = make_world(settings);
        sn_node a = add_node(world, (vec){0, 0, 0}, m1), b = add_node(world, (vec){1.1, 0, 0}, m2);
        add_link(world, a, b, 1, 1.0 / 100);

        double u[SUBSTEPS + 1], centre = 4 * 1.1 / 5, drift = 0;
        for (int k = 0; k <= SUBSTEPS; k++) {
            if (k > 0) advance(world, h, 1);
            double xa = position_of(world, a).x, xb = position_of(world, b).x;
            u[k] = xb - xa - 1;
            drift = fmax(drift, fabs((m1 * xa + m2 * xb) / (m1 + m2) - centre));
        }
        mode m = find_mode(u, SUBSTEPS + 1, 90);
        CHECK_REL(tan(m.phase) / h, omega, TOL(1e-9, 1e-6));
        /* In float each node is shown to half an ulp (6e-8) and so is the start. */
        CHECK_NEAR(drift, 0, TOL(1e-12, 5e-7));
        sn_world_destroy(world);
    }
}

TESTS(RUN(undamped_oscillator_is_backward_euler), RUN(damped_oscillator_has_the_exact_roots),
      RUN(sag_of_one_spring), RUN(sag_of_an_attachment), RUN(two_bodies_have_the_reduced_mass))
