/*
 * Plasticity of tetrahedra, for every model that has it: what was pulled beyond its yield stays
 * where theory says, what was not comes back, volume is kept and the limit holds.
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

/* Fields that the models have in common. */
typedef struct plastic {
    double yield, creep, limit;
} plastic;

typedef struct model {
    const char *name;
    sn_type type;
} model;

static const model models[] = {{"neo-Hookean", SN_TYPE_NEO_HOOKEAN_TET},
                               {"corotated", SN_TYPE_COROTATED_TET},
                               {"elastic", SN_TYPE_ELASTIC_TET},
                               {"strain", SN_TYPE_STRAIN_TET}};
#define MODELS (sizeof models / sizeof models[0])
#define FOR_EACH_MODEL(m) for (const model *m = models; m < models + MODELS; m++)

#define YOUNG 1e5
#define POISSON 0.3

static element make_corner(const model *m, plastic p) {
    element e = element_make(m->type, 4);
    if (m->type == SN_TYPE_STRAIN_TET) {
        set(&e, "stretch_stiffness", YOUNG, YOUNG, YOUNG);
        set(&e, "shear_stiffness", YOUNG / 2, YOUNG / 2, YOUNG / 2);
    } else {
        set(&e, "young", YOUNG, 0, 0);
        set(&e, "poisson", POISSON, 0, 0);
    }
    set_plastic(&e, p.yield, p.creep, p.limit);
    return e;
}

/* Six times the volume. */
static double volume(const element *e) {
    sn_vec3 o = position(e, 0);
    double a[3][3];
    for (int k = 0; k < 3; k++) {
        sn_vec3 x = position(e, k + 1);
        a[k][0] = (double)x.x - (double)o.x;
        a[k][1] = (double)x.y - (double)o.y;
        a[k][2] = (double)x.z - (double)o.z;
    }
    return a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) +
           a[0][1] * (a[1][2] * a[2][0] - a[1][0] * a[2][2]) +
           a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
}

/* Pulls the edge 0 to 1 to the length s and holds it there. It yields when it has come to rest:
   before, it would yield to how it swings. */
static void pull(element *e, double s, double yield, int steps) {
    set(e, "plastic_yield", (double)SN_AUTO, 0, 0);
    for (int k = 0; k < 2; k++) REQUIRE_OK(sn_node_set_inverse_mass(e->world, e->node[k], 0));
    REQUIRE_OK(sn_node_set_position(e->world, e->node[1], (sn_vec3){(sn_real)s, 0, 0}));
    run(e->world, 300);
    set(e, "plastic_yield", yield, 0, 0);
    run(e->world, steps);
}

static void let_go(element *e) {
    for (int k = 0; k < 2; k++) REQUIRE_OK(sn_node_set_inverse_mass(e->world, e->node[k], 1));
    run(e->world, 600);
}

/* ---- Theory ---- */

/* How wide a bar of the model is that is stretched by s. */
static double across(const model *m, double s) {
    double nu = POISSON, mu = 1 / (2 * (1 + nu)), other = nu / ((1 + nu) * (1 - 2 * nu)) + mu;
    if (m->type == SN_TYPE_NEO_HOOKEAN_TET) return sqrt((1 + mu / other - mu / (other * s)) / s);
    if (m->type == SN_TYPE_COROTATED_TET) return 1 - nu * (s - 1);
    if (m->type == SN_TYPE_ELASTIC_TET) return sqrt(1 - nu * (s * s - 1));
    return 1;
}

/* |s - I| of such a bar. */
static double strain(const model *m, double s) {
    double t = across(m, s), root = cbrt(s * t * t), x = s / root - 1, y = t / root - 1;
    return sqrt(x * x + 2 * y * y);
}

/* The stretch at which a bar begins to yield. */
static double elastic_part(const model *m, double yield) {
    double low = 1, high = 2;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        *(strain(m, middle) < yield ? &low : &high) = middle;
    }
    return low;
}

/* ---- Tests ---- */

/* Held at 1.3, what is elastic is the yield, and the rest stays. */
TEST(what_was_pulled_too_far_stays) {
    FOR_EACH_MODEL(m) {
        for (int i = 0; i < 2; i++) {
            double yield = i ? 0.1 : 0.02, kept = 1.3 / elastic_part(m, yield);
            check_case("%s, yield %g", m->name, yield);
            /* Slowly, so that it does not swing. */
            element e = make_corner(m, (plastic){yield, 4, 10});
            pull(&e, 1.3, yield, 600);
            set(&e, "plastic_yield", (double)SN_AUTO, 0, 0);
            let_go(&e);
            CHECK_NEAR(edge(&e, 1), kept, PICK(1e-4, 2e-4));
            CHECK_NEAR(edge(&e, 2), 1 / sqrt(kept), PICK(1e-4, 2e-4));
            CHECK_NEAR(volume(&e), 1, 1e-5);
            sn_world_destroy(e.world);
        }
    }
}

TEST(what_was_not_comes_back) {
    FOR_EACH_MODEL(m) {
        check_case("%s", m->name);
        double most = elastic_part(m, 0.05);
        element e = make_corner(m, (plastic){0.05, (double)SN_AUTO, 10});
        element other = make_corner(m, (plastic){(double)SN_AUTO, (double)SN_AUTO, 10});
        pull(&e, 1 + 0.95 * (most - 1), 0.05, 300);
        pull(&other, 1 + 0.95 * (most - 1), (double)SN_AUTO, 300);
        /* Nothing has flowed, and nothing is different to the bit. */
        for (int k = 0; k < 4; k++) {
            sn_vec3 a = position(&e, k), b = position(&other, k);
            CHECK(a.x == b.x && a.y == b.y && a.z == b.z);
        }
        let_go(&e);
        for (int k = 1; k < 4; k++) CHECK_NEAR(edge(&e, k), 1, PICK(1e-7, 1e-6));
        sn_world_destroy(e.world);
        sn_world_destroy(other.world);
    }
}

/* |U - I| as the fields have it. */
static double flowed(const element *e) {
    sn_real a[3], b[3];
    double sum = 0;
    REQUIRE_OK(sn_constraint_get_field(e->world, e->constraint, "plastic_stretch", a));
    REQUIRE_OK(sn_constraint_get_field(e->world, e->constraint, "plastic_shear", b));
    for (int i = 0; i < 3; i++)
        sum += (double)a[i] * (double)a[i] + 2 * (double)b[i] * (double)b[i];
    return sqrt(sum);
}

TEST(the_limit_holds) {
    FOR_EACH_MODEL(m) {
        check_case("%s", m->name);
        element e = make_corner(m, (plastic){0.02, (double)SN_AUTO, 0.1});
        pull(&e, 1.5, 0.02, 300);
        CHECK_NEAR(flowed(&e), 0.1, 1e-6);
        /* Beyond a new limit already, it goes no further and does not come back. */
        set(&e, "plastic_limit", 0.05, 0, 0);
        run(e.world, 10);
        CHECK_NEAR(flowed(&e), 0.1, 1e-6);
        set(&e, "plastic_yield", (double)SN_AUTO, 0, 0);
        let_go(&e);
        CHECK_NEAR(volume(&e), 1, 1e-5);
        CHECK_NEAR(sqrt(pow(edge(&e, 1) - 1, 2) + 2 * pow(edge(&e, 2) - 1, 2)), 0.1, 1e-5);
        sn_world_destroy(e.world);
    }
}

/* Held where it is, what is above the yield decays by a part per step; pressure, which makes all of
   it smaller or larger, has no part in that. */
static void check_creep(double all) {
    const model *m = &models[1];
    const double yield = 0.02, rate = 2;
    element e = make_corner(m, (plastic){yield, rate, 10});
    const double s[3] = {1.2 * all, all / sqrt(1.2), all / sqrt(1.2)};
    check_case("%g of its size", all);
    for (int k = 0; k < 4; k++) {
        REQUIRE_OK(sn_node_set_inverse_mass(e.world, e.node[k], 0));
        sn_vec3 x = {(sn_real)(k == 1 ? s[0] : 0), (sn_real)(k == 2 ? s[1] : 0),
                     (sn_real)(k == 3 ? s[2] : 0)};
        REQUIRE_OK(sn_node_set_position(e.world, e.node[k], x));
    }
    /* The same by hand: stretch u of the shape, volume kept. */
    double u = 1;
    for (int step = 0; step < 60; step++) {
        double a = 1.2 / u, b = sqrt(u / 1.2),
               size = sqrt((a - 1) * (a - 1) + 2 * (b - 1) * (b - 1));
        if (size > yield) {
            double left = 1 - rate / 60 * (1 - yield / size);
            double g = a / (1 + left * (a - 1)), h = b / (1 + left * (b - 1));
            u *= g / cbrt(g * h * h);
        }
        run(e.world, 1);
        sn_real now[3];
        REQUIRE_OK(sn_constraint_get_field(e.world, e.constraint, "plastic_stretch", now));
        CHECK_NEAR(now[0], u - 1, PICK(1e-7, 1e-6));
        CHECK_NEAR(now[1], 1 / sqrt(u) - 1, PICK(1e-7, 1e-6));
    }
    CHECK(u > 1.12 && u < 1.16);
    /* Without creep nothing flows. */
    set(&e, "plastic_creep", 0, 0, 0);
    double before = flowed(&e);
    run(e.world, 10);
    CHECK(flowed(&e) == before);
    sn_world_destroy(e.world);
}

TEST(creep_is_a_rate) {
    check_creep(1);
    check_creep(0.7);
    check_creep(1.3);
}

/* Pressure makes nothing flow, and neither does turning inside out. */
TEST(pressure_does_not_flow) {
    FOR_EACH_MODEL(m) {
        check_case("%s", m->name);
        element e = make_corner(m, (plastic){0, (double)SN_AUTO, 10});
        for (int how = 0; how < 2; how++) {
            for (int k = 1; k < 4; k++) {
                sn_real part = (sn_real)(how == 0 ? 0.5 : k == 3 ? -1 : 1);
                sn_vec3 x = {k == 1 ? part : 0, k == 2 ? part : 0, k == 3 ? part : 0};
                REQUIRE_OK(sn_node_set_inverse_mass(e.world, e.node[k], 0));
                REQUIRE_OK(sn_node_set_position(e.world, e.node[k], x));
            }
            REQUIRE_OK(sn_node_set_inverse_mass(e.world, e.node[0], 0));
            run(e.world, 10);
            CHECK_NEAR(flowed(&e), 0, PICK(1e-12, 1e-6));
        }
        sn_world_destroy(e.world);
    }
}

/* A shape that has flowed is read, made again elsewhere, and goes on with the same bits. */
TEST(what_has_flowed_is_part_of_the_state) {
    FOR_EACH_MODEL(m) {
        check_case("%s", m->name);
        element e = make_corner(m, (plastic){0.02, 3, 10});
        pull(&e, 1.3, 0.02, 20);
        CHECK(flowed(&e) > 0.05);
        check_goes_on(e.world, 20);
        /* And a definition that was read has it. */
        unsigned char bytes_of_def[1024];
        sn_real first[SN_MAX_ROWS], second[SN_MAX_ROWS];
        sn_constraint copy;
        REQUIRE_OK(sn_type_default(m->type, bytes_of_def));
        REQUIRE_OK(sn_constraint_get(e.world, e.constraint, bytes_of_def));
        REQUIRE_OK(sn_constraint_create(e.world, m->type, bytes_of_def, &copy));
        REQUIRE_OK(sn_constraint_evaluate(e.world, e.constraint, first, NULL));
        REQUIRE_OK(sn_constraint_evaluate(e.world, copy, second, NULL));
        CHECK(memcmp(first, second, (size_t)sn_type_get_info(m->type)->rows * sizeof *first) == 0);
        sn_world_destroy(e.world);
    }
}

TEST(shapes_that_are_none_are_refused) {
    FOR_EACH_MODEL(m) {
        check_case("%s", m->name);
        element e = make_corner(m, (plastic){0.02, 3, 10});
        sn_real flat[3] = {-1, 0, 0}, sheared[3] = {0, 0, 2};
        CHECK_FAILS(sn_constraint_set_field(e.world, e.constraint, "plastic_stretch", flat),
                    SN_ERROR_DEGENERATE);
        CHECK(strstr(sn_last_error(), "plastic") != NULL);
        CHECK_FAILS(sn_constraint_set_field(e.world, e.constraint, "plastic_shear", sheared),
                    SN_ERROR_DEGENERATE);
        CHECK(flowed(&e) == 0);
        sn_world_destroy(e.world);
    }
}

TESTS(RUN(what_was_pulled_too_far_stays), RUN(what_was_not_comes_back), RUN(the_limit_holds),
      RUN(creep_is_a_rate), RUN(pressure_does_not_flow), RUN(what_has_flowed_is_part_of_the_state),
      RUN(shapes_that_are_none_are_refused))
