/*
 * V08 to V11: the hanging chain. One sweep of Gauss-Seidel per substep leaves a stretch that is an
 * integer multiple of g h^2, and which integer depends on the order of the sweep alone:
 *
 *     fixed end first   N (N - 1) / 2
 *     free end first    N (N + 1) / 2 - 1
 *     red and black     N^2 / 2 - 1 for an even N, (N^2 - 1) / 2 for an odd one
 *
 * while the multipliers are the true tensions. The first two need the solver that keeps the order
 * of creation; colouring a chain greedily from its fixed end gives the third.
 */
#include "build.h"

#include <math.h>

enum { MAX_LINKS = 40 };

typedef enum sweep { FIXED_END_FIRST, FREE_END_FIRST, RED_BLACK, SWEEPS } sweep;

static const char *const sweep_names[SWEEPS] = {"fixed end first", "free end first", "red/black"};

typedef struct chain {
    sn_world *world;
    int links;
    sn_node node[MAX_LINKS + 1];
    sn_constraint link[MAX_LINKS]; /* 0 is the one at the top */
} chain;

/* `links` nodes of 1 kg, the last of `tip` kg, in a line of 1 m that hangs from a fixed one. */
static chain make_chain(sweep order, int links, double compliance, double tip,
                        sn_settings settings) {
    settings.solver = order == RED_BLACK ? SN_SOLVER_COLOURED : SN_SOLVER_REFERENCE;
    chain c = {.world = make_world(settings), .links = links};
    double rest = 1.0 / links;
    c.node[0] = add_pin(c.world, (vec){0, 0, 0});
    for (int i = 1; i <= links; i++)
        c.node[i] = add_node(c.world, (vec){0, -i * rest, 0}, i == links ? tip : 1);
    for (int i = 0; i < links; i++) {
        int k = order == FREE_END_FIRST ? links - 1 - i : i;
        c.link[k] = add_link(c.world, c.node[k], c.node[k + 1], rest, compliance);
    }
    return c;
}

/* Settings of a chain that comes to rest: damping 20/s is near critical for the slowest of these
   chains, and 4 s of it leave exp(-40). */
enum { SETTLE = 4 };
static sn_settings settling(void) {
    sn_settings settings = plain_settings(SN_SOLVER_REFERENCE);
    settings.damping = 20;
    return settings;
}

/* How much longer than 1 m the chain is after it has settled. */
static double settled_stretch(chain *c, double h) {
    sn_settings settings = sn_settings_default();
    REQUIRE_OK(sn_world_get_settings(c->world, &settings));
    double dt = h * settings.substeps;
    advance(c->world, h, (int)lround(SETTLE / dt) * settings.substeps);
    return -1 - position_of(c->world, c->node[c->links]).y;
}

static double stretch_number(sweep order, int n) {
    switch (order) {
    case FIXED_END_FIRST:
        return n * (n - 1) / 2.0;
    case FREE_END_FIRST:
        return n * (n + 1) / 2.0 - 1;
    default:
        return n % 2 ? (n * n - 1) / 2.0 : n * n / 2.0 - 1;
    }
}

/* V08. */
TEST(hard_chain_stretches_by_integers) {
    static const int lengths[] = {2, 5, 11, 20};
    double h = 1.0 / 1200, unit = GRAVITY * h * h;
    for (int o = 0; o < SWEEPS; o++) {
        for (int i = 0; i < 4; i++) {
            int n = lengths[i];
            check_case("%s, N = %d", sweep_names[o], n);
            sn_settings settings = settling();
            settings.substeps = 20;
            chain c = make_chain((sweep)o, n, 0, 1, settings);
            double stretch = settled_stretch(&c, h);
            /* In float the tip is shown to half an ulp of 1 m, 0.009 units, and each rest length is
               right to half an ulp of its own, together less than that again. */
            CHECK_NEAR(stretch / unit, stretch_number((sweep)o, n), TOL(1e-6, 0.03));
            for (int k = 0; k < n; k++)
                CHECK_NEAR(force_of(c.world, c.link[k]), -(n - k) * GRAVITY,
                           n * GRAVITY * TOL(1e-8, 1e-4) + force_noise(1.0 / n, h, 1));
            sn_world_destroy(c.world);
        }
    }
    /* The published figures for N = 20. */
    CHECK(stretch_number(FIXED_END_FIRST, 20) == 190 && stretch_number(FREE_END_FIRST, 20) == 209 &&
          stretch_number(RED_BLACK, 20) == 199);
}

/* V09: compliance adds its own sag; with more iterations the numerical part goes. */
TEST(compliant_chain_sags_by_its_compliance) {
    double h = 1.0 / 1200, alpha = 1e-4;
    int n = 5;
    double elastic = alpha * GRAVITY * n * (n + 1) / 2;
    CHECK_NEAR(elastic, 0.014715, 1e-15);
    for (int o = 0; o < SWEEPS; o++) {
        check_case("%s", sweep_names[o]);
        chain c = make_chain((sweep)o, n, alpha, 1, settling());
        double expected = elastic + stretch_number((sweep)o, n) * GRAVITY * h * h;
        /* Float: an ulp of a position of 1 m is 1.2e-7, and 5 links of 0.2 m lose as much. */
        CHECK_NEAR(settled_stretch(&c, h), expected, TOL(1e-11, 4e-7));
        CHECK_REL(force_of(c.world, c.link[0]), -n * GRAVITY, TOL(1e-8, 1e-4));
        sn_world_destroy(c.world);

        check_case("%s, 10 iterations", sweep_names[o]);
        sn_settings settings = settling();
        settings.iterations = 10;
        c = make_chain((sweep)o, n, alpha, 1, settings);
        CHECK_NEAR(settled_stretch(&c, h) / elastic, 1, TOL(1e-8, 4e-7 / elastic));
        CHECK_REL(force_of(c.world, c.link[0]), -n * GRAVITY, TOL(1e-8, 1e-4));
        sn_world_destroy(c.world);
    }
}

/* V10: a heavy tip, where an absolute epsilon or a lost mass weight shows. */
TEST(heavy_tip_on_a_light_chain) {
    double h = 1.0 / 1200, unit = GRAVITY * h * h;
    int n = 10;
    static const double tips[] = {1, 10, 100, 1000}, numbers[] = {54, 135, 945, 9045};
    for (int i = 0; i < 4; i++) {
        check_case("free end first, M = %g", tips[i]);
        chain c = make_chain(FREE_END_FIRST, n, 0, tips[i], settling());
        double number = settled_stretch(&c, h) / unit;
        CHECK_NEAR((n - 1) * tips[i] + n * (n - 1) / 2.0, numbers[i], 0);
        /* Float: as V08, and an ulp of 1 m is 0.018 units where the chain is longer than that. */
        CHECK_NEAR(number, numbers[i], TOL(1e-6, 0.04 + 1e-4 * numbers[i]));
        double weight = (9 + tips[i]) * GRAVITY;
        CHECK_NEAR(force_of(c.world, c.link[0]), -weight,
                   weight * TOL(1e-8, 1e-4) + force_noise(1.0 / n, h, 1));
        sn_world_destroy(c.world);

        /* The tension does not depend on the order. */
        check_case("coloured, M = %g", tips[i]);
        c = make_chain(RED_BLACK, n, 0, tips[i], settling());
        settled_stretch(&c, h);
        CHECK_NEAR(force_of(c.world, c.link[0]), -weight,
                   weight * TOL(1e-8, 1e-4) + force_noise(1.0 / n, h, 1));
        sn_world_destroy(c.world);
    }
}

/* V11: substeps are second order, iterations in their place only first. */
TEST(substeps_beat_iterations) {
    static const int counts[] = {5, 10, 20, 40};
    for (int o = 0; o < SWEEPS; o++) {
        double by_substeps[4], by_iterations[4];
        for (int i = 0; i < 4; i++) {
            sn_settings settings = settling();
            settings.substeps = counts[i];
            chain c = make_chain((sweep)o, 20, 0, 1, settings);
            by_substeps[i] = settled_stretch(&c, 1.0 / 60 / counts[i]);
            sn_world_destroy(c.world);

            settings.substeps = 1;
            settings.iterations = counts[i];
            c = make_chain((sweep)o, 20, 0, 1, settings);
            by_iterations[i] = settled_stretch(&c, 1.0 / 60);
            sn_world_destroy(c.world);
        }
        for (int i = 0; i + 1 < 4; i++) {
            check_case("%s, %d and %d", sweep_names[o], counts[i], counts[i + 1]);
            CHECK_NEAR(by_substeps[i] / by_substeps[i + 1], 4, TOL(1e-6, 0.02));
            CHECK_NEAR(by_iterations[i] / by_iterations[i + 1], 2, 0.15);
        }
        check_case("%s", sweep_names[o]);
        CHECK(by_iterations[2] > 15 * by_substeps[2]);
    }
}

/* What a hard chain reports as elastic energy is what its forces can give back, not what its links
   would have if one sweep had not left them longer than these forces make them. */
TEST(elastic_energy_is_that_of_the_forces) {
    enum { LINKS = 20 };
    double compliance = 1e-9, exact = 0;
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    settings.substeps = 20;
    settings.damping = 5;
    sn_world *world = make_world(settings);
    sn_node last = add_pin(world, (vec){0, 0, 0});
    for (int i = 1; i <= LINKS; i++) {
        double weight = (LINKS + 1 - i) * GRAVITY;
        sn_node next = add_node(world, (vec){0, -0.1 * i, 0}, 1);
        add_link(world, last, next, 0.1, compliance);
        exact += 0.5 * compliance * weight * weight;
        last = next;
    }
    advance(world, 1.0 / 1200, 20 * 300);
    CHECK_REL(measure_of(world).elastic_energy, exact, 0.01);
    sn_world_destroy(world);
}

TESTS(RUN(elastic_energy_is_that_of_the_forces), RUN(hard_chain_stretches_by_integers),
      RUN(compliant_chain_sags_by_its_compliance), RUN(heavy_tip_on_a_light_chain),
      RUN(substeps_beat_iterations))
