/*
 * Plasticity of triangles, for both models that have it: what was pulled beyond its yield stays
 * where theory says, along one direction and along both, what was not comes back, and the limit
 * holds.
 */
#include <sinew/sinew.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "continued.h"
#include "plastic_element.h"

#ifdef SN_DOUBLE
#define PICK(of_double, of_float) (of_double)
#else
#define PICK(of_double, of_float) (of_float)
#endif

#define STIFFNESS 1e5
#define POISSON 0.3

static const sn_type types[] = {SN_TYPE_NEO_HOOKEAN_TRIANGLE, SN_TYPE_ELASTIC_TRIANGLE};
static const char *const names[] = {"neo-Hookean", "elastic"};
enum { NEO_HOOKEAN, ELASTIC, MODELS };
#define FOR_EACH_MODEL(m) for (int m = 0; m < MODELS; m++)

/* The warp is turned by an angle, about which nothing must depend but how U is written. */
static element make(int model, double yield, double creep, double limit, double warp) {
    element e = element_make(types[model], 3);
    set(&e, "warp_angle", warp, 0, 0);
    if (model == NEO_HOOKEAN) {
        set(&e, "stretch_stiffness", STIFFNESS, 0, 0);
    } else {
        set(&e, "warp_stiffness", STIFFNESS, 0, 0);
        set(&e, "weft_stiffness", STIFFNESS, 0, 0);
        set(&e, "shear_stiffness", STIFFNESS / (2 * (1 + POISSON)), 0, 0);
    }
    set(&e, "poisson", POISSON, 0, 0);
    set_plastic(&e, yield, creep, limit);
    return e;
}

/* Holds the first nodes, with node k stretched by s. Yields when it has come to rest: before, it
   would yield to how it swings. */
static void pull(element *e, int held, double s, double yield, int steps) {
    set(e, "plastic_yield", (double)SN_AUTO, 0, 0);
    for (int k = 0; k < held; k++) {
        sn_vec3 x = {k == 1 ? (sn_real)s : 0, k == 2 ? (sn_real)s : 0, 0};
        REQUIRE_OK(sn_node_set_inverse_mass(e->world, e->node[k], 0));
        REQUIRE_OK(sn_node_set_position(e->world, e->node[k], x));
    }
    run(e->world, 300);
    set(e, "plastic_yield", yield, 0, 0);
    run(e->world, steps);
}

static void let_go(element *e) {
    set(e, "plastic_yield", (double)SN_AUTO, 0, 0);
    for (int k = 0; k < 3; k++) REQUIRE_OK(sn_node_set_inverse_mass(e->world, e->node[k], 1));
    run(e->world, 400);
}

/* |U - I|, with what is across. */
static double flowed(const element *e) {
    sn_real u[3];
    REQUIRE_OK(sn_constraint_get_field(e->world, e->constraint, "plastic_stretch", u));
    double a = (double)u[0], b = (double)u[1], c = (double)u[2];
    double across = 1 / ((1 + a) * (1 + b) - c * c) - 1;
    return sqrt(a * a + b * b + 2 * c * c + across * across);
}

/* ---- Theory ---- */

/* Across the sheet, in plane stress. */
static double thickness(double j) {
    double r = 1 - 2 * POISSON;
    return (1 + r) * j / (r + j * j);
}

/* |s - I| of a strip that is stretched by s, or of a sheet that is so in all directions. */
static double strain(int model, bool both, double s) {
    double r = 1 - 2 * POISSON, t = s;
    if (!both && model == NEO_HOOKEAN) t = sqrt((1 + r - r / s) / s);
    if (!both && model == ELASTIC) t = sqrt(1 - POISSON * (s * s - 1));
    double h = thickness(s * t), root = cbrt(s * t * h);
    return sqrt(pow(s / root - 1, 2) + pow(t / root - 1, 2) + pow(h / root - 1, 2));
}

/* The stretch at which it begins to yield. */
static double elastic_part(int model, bool both, double yield) {
    double low = 1, high = 2;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        *(strain(model, both, middle) < yield ? &low : &high) = middle;
    }
    return low;
}

/* ---- Tests ---- */

/* Held at 1.3, what is elastic is the yield, and the rest stays; of a Neo-Hookean strip, which gets
   as thin as it gets narrow, the width follows from the volume. */
TEST(what_was_pulled_too_far_stays) {
    FOR_EACH_MODEL(m) {
        for (int i = 0; i < 3; i++) {
            double yield = i == 1 ? 0.1 : 0.02, kept = 1.3 / elastic_part(m, false, yield);
            check_case("%s, yield %g, warp %d", names[m], yield, i / 2);
            /* Slowly, so that it does not swing across, where the thickness is that at rest. */
            element e = make(m, yield, 0.5, 10, i == 2 ? 0.7 : 0);
            pull(&e, 2, 1.3, yield, 2400);
            let_go(&e);
            CHECK_NEAR(edge(&e, 1), kept, PICK(1e-4, 2e-4));
            /* Strain that Saint Venant-Kirchhoff has across is not that of the thickness. */
            CHECK_NEAR(edge(&e, 2), 1 / sqrt(kept), m == ELASTIC ? 0.02 : PICK(1e-4, 2e-4));
            sn_world_destroy(e.world);
        }
    }
}

/* Stretched in all directions, it stays so and gets thinner. */
TEST(a_sheet_stays_stretched_in_all_directions) {
    FOR_EACH_MODEL(m) {
        double kept = 1.2 / elastic_part(m, true, 0.03);
        check_case("%s", names[m]);
        element e = make(m, 0.03, (double)SN_AUTO, 10, 0.3);
        pull(&e, 3, 1.2, 0.03, 60);
        let_go(&e);
        CHECK_NEAR(edge(&e, 1), kept, PICK(1e-6, 1e-5));
        CHECK_NEAR(edge(&e, 2), kept, PICK(1e-6, 1e-5));
        CHECK_NEAR(flowed(&e), sqrt(2 * pow(kept - 1, 2) + pow(1 / (kept * kept) - 1, 2)), 1e-5);
        sn_world_destroy(e.world);
    }
}

TEST(what_was_not_comes_back) {
    FOR_EACH_MODEL(m) {
        double most = elastic_part(m, false, 0.05);
        check_case("%s", names[m]);
        element e = make(m, 0.05, (double)SN_AUTO, 10, 0);
        element other = make(m, (double)SN_AUTO, (double)SN_AUTO, 10, 0);
        pull(&e, 2, 1 + 0.95 * (most - 1), 0.05, 300);
        pull(&other, 2, 1 + 0.95 * (most - 1), (double)SN_AUTO, 300);
        /* Nothing has flowed, and nothing is different to the bit. */
        for (int k = 0; k < 3; k++) {
            sn_vec3 a = position(&e, k), b = position(&other, k);
            CHECK(a.x == b.x && a.y == b.y && a.z == b.z);
        }
        let_go(&e);
        for (int k = 1; k < 3; k++) CHECK_NEAR(edge(&e, k), 1, PICK(1e-7, 1e-6));
        sn_world_destroy(e.world);
        sn_world_destroy(other.world);
    }
}

TEST(the_limit_holds) {
    FOR_EACH_MODEL(m) {
        check_case("%s", names[m]);
        element e = make(m, 0.02, (double)SN_AUTO, 0.1, 0);
        pull(&e, 2, 1.5, 0.02, 300);
        CHECK_NEAR(flowed(&e), 0.1, 1e-5);
        /* Beyond a new limit already, it goes no further and does not come back. */
        set(&e, "plastic_limit", 0.05, 0, 0);
        run(e.world, 10);
        CHECK_NEAR(flowed(&e), 0.1, 1e-5);
        sn_world_destroy(e.world);
    }
}

/* A shape that has flowed is read, made again elsewhere, and goes on with the same bits. */
TEST(what_has_flowed_is_part_of_the_state) {
    FOR_EACH_MODEL(m) {
        check_case("%s", names[m]);
        element e = make(m, 0.02, 3, 10, 0.4);
        pull(&e, 2, 1.3, 0.02, 20);
        CHECK(flowed(&e) > 0.05);
        check_goes_on(e.world, 20);
        sn_world_destroy(e.world);
    }
}

/* What no step makes is refused, and nothing is changed. */
TEST(shapes_that_are_none_are_refused) {
    static const double wrong[][3] = {{-1, 0, 0}, {0, 0, 1}, {-3, -3, 0}, {100, 100, 0}};
    FOR_EACH_MODEL(m) {
        element e = make(m, 0.02, 3, 10, 0);
        for (int i = 0; i < 4; i++) {
            sn_real value[3], now[3];
            check_case("%s, case %d", names[m], i);
            for (int k = 0; k < 3; k++) value[k] = (sn_real)wrong[i][k];
            CHECK_FAILS(sn_constraint_set_field(e.world, e.constraint, "plastic_stretch", value),
                        SN_ERROR_DEGENERATE);
            REQUIRE_OK(sn_constraint_get_field(e.world, e.constraint, "plastic_stretch", now));
            CHECK(now[0] == 0 && now[1] == 0 && now[2] == 0);
        }
        sn_world_destroy(e.world);
    }
}

TESTS(RUN(what_was_pulled_too_far_stays), RUN(a_sheet_stays_stretched_in_all_directions),
      RUN(what_was_not_comes_back), RUN(the_limit_holds), RUN(what_has_flowed_is_part_of_the_state),
      RUN(shapes_that_are_none_are_refused))
