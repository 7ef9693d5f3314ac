/* Springs that become stiffer with their strain: what hangs on them, how they swing, and what is
   left of them without hardening. */
#include "validation/build.h"

#include <math.h>

static sn_constraint add_spring(sn_world *world, sn_node a, sn_node b, double rest, double k,
                                double hardening) {
    sn_exponential_spring_def def = sn_exponential_spring_def_default();
    sn_constraint spring;
    def.node[0] = a;
    def.node[1] = b;
    def.rest_length = (sn_real)rest;
    def.compliance = (sn_real)(1 / k);
    def.hardening = (sn_real)hardening;
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_EXPONENTIAL_SPRING, &def, &spring));
    return spring;
}

static double force_at(double k, double rest, double a, double strain) {
    return k * rest * strain * exp(a * strain * strain);
}

/* k l e exp(a e^2) = m g, from a tenth of a percent to twice its length, pulled and pushed. One
   sweep from where a substep predicts it leaves 3e-5. */
TEST(what_hangs_is_carried_by_the_law) {
    static const double strains[] = {0.001, 0.05, 0.2, 0.5, 1, -0.3};
    double k = 40, rest = 0.5, a = 8;
    for (int i = 0; i < 6; i++) {
        double strain = strains[i], mass = 0.3;
        double force = force_at(k, rest, a, strain);
        double stiff = k * exp(a * strain * strain) * (1 + 2 * a * strain * strain);
        sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
        settings.gravity = vector(0, -force / mass, 0);
        settings.substeps = 20;
        /* Critical there. */
        settings.damping = (sn_real)(2 * sqrt(stiff / mass));
        sn_world *world = make_world(settings);
        sn_node pin = add_pin(world, (vec){0, 0, 0});
        double length = rest * (1 + strain);
        sn_node node = add_node(world, (vec){0, -length * 1.02, 0}, mass);
        add_spring(world, pin, node, rest, k, a);
        advance(world, 0.02 / sqrt(stiff / mass), 3000);
        check_case("strain %g", strain);
        CHECK_REL(-position_of(world, node).y, length, TOL(5e-5, 2e-4));
        sn_world_destroy(world);
    }
}

/* A soft start and a hard end: the period of a swing grows shorter with its size. The time of a
   quarter is the integral of sqrt(m / 2) / sqrt(U(A) - U(x)), with x = A sin(p). */
TEST(wide_swings_are_quick) {
    double k = 100, rest = 1, a = 20, mass = 1;
    for (int i = 0; i < 2; i++) {
        double A = i == 0 ? 0.02 : 0.4, period = 0;
        for (int n = 0; n < 2000; n++) {
            double p = (n + 0.5) * PI / 4000, x = A * sin(p);
            double left = k / a * (exp(a * A * A) - exp(a * x * x)); /* 2 (U(A) - U(x)) */
            period += 4 * PI / 4000 * A * cos(p) * sqrt(mass / left);
        }
        sn_settings settings = weightless_settings(SN_SOLVER_COLOURED);
        settings.integrator = SN_INTEGRATOR_BDF2;
        sn_world *world = make_world(settings);
        sn_node pin = add_pin(world, (vec){0, 0, 0}),
                node = add_node(world, (vec){rest + A, 0, 0}, mass);
        add_spring(world, pin, node, rest, k, a);
        double h = period / 4000, before = rest + A;
        int steps = 0, crossed = 0;
        while (crossed < 4 && steps < 20000) {
            advance(world, h, 1);
            double x = position_of(world, node).x;
            crossed += (x - rest) * (before - rest) < 0;
            if (x != rest) before = x;
            steps++;
        }
        check_case("amplitude %g", A);
        /* Zero at 1/4, 3/4, 5/4 and 7/4 of a period. */
        CHECK_REL(steps * h, 1.75 * period, 0.01);
        sn_world_destroy(world);
    }
}

/* Without hardening it is a distance. */
TEST(without_hardening_it_is_a_distance) {
    vec x[2];
    for (int i = 0; i < 2; i++) {
        sn_world *world = make_world(plain_settings(SN_SOLVER_COLOURED));
        sn_node pin = add_pin(world, (vec){0, 0, 0}), node = add_node(world, (vec){0.7, 0, 0}, 1);
        if (i == 0) add_spring(world, pin, node, 0.5, 1000, 0);
        if (i == 1) add_link(world, pin, node, 0.5, 1e-3);
        advance(world, 0.001, 500);
        x[i] = position_of(world, node);
        sn_world_destroy(world);
    }
    CHECK_NEAR(length(sub(x[0], x[1])), 0, TOL(1e-9, 1e-4));
}

/* Far beyond what an exponential can be it is as stiff as it gets, and finite. */
TEST(what_is_torn_far_apart_is_finite) {
    sn_settings settings = weightless_settings(SN_SOLVER_COLOURED);
    settings.substeps = 20;
    sn_world *world = make_world(settings);
    sn_node pin = add_pin(world, (vec){0, 0, 0}), node = add_node(world, (vec){1000, 0, 0}, 1);
    add_spring(world, pin, node, 1, 100, 50);
    advance(world, 1.0 / 1200, 1200);
    CHECK(length(position_of(world, node)) < 1000);
    sn_world_destroy(world);
}

TEST(no_length_has_no_strain) {
    sn_world *world = make_world(plain_settings(SN_SOLVER_COLOURED));
    sn_exponential_spring_def def = sn_exponential_spring_def_default();
    sn_constraint spring;
    def.node[0] = add_pin(world, (vec){0, 0, 0});
    def.node[1] = add_node(world, (vec){0, 0, 0}, 1);
    CHECK_FAILS(sn_constraint_create(world, SN_TYPE_EXPONENTIAL_SPRING, &def, &spring),
                SN_ERROR_DEGENERATE);
    sn_world_destroy(world);
}

TESTS(RUN(what_hangs_is_carried_by_the_law), RUN(wide_swings_are_quick),
      RUN(without_hardening_it_is_a_distance), RUN(what_is_torn_far_apart_is_finite),
      RUN(no_length_has_no_strain))
