/*
 * The 2007 model: a stiffness k in [0, 1] is applied as k' = 1 - (1 - k)^(1 / n) in each of n
 * iterations, so that a linear constraint alone keeps the part 1 - k of its error, whatever n is.
 */
#include "build.h"

#include <math.h>

static const double stiffnesses[] = {0, 0.1, 0.5, 0.9, 1};
static const int iteration_counts[] = {1, 2, 5, 20};

/* Builds something with an error of 1 in one step from rest; returns what is left of it. */
typedef double one_step(sn_settings settings, double k);

static double distance_error(sn_settings settings, double k) {
    sn_world *world = make_world(settings);
    sn_distance_def def = sn_distance_def_default();
    def.node[0] = add_node(world, (vec){0, 0, 0}, 1);
    def.node[1] = add_node(world, (vec){3, 0, 0}, 4);
    def.rest_length = 2;
    def.stiffness = (sn_real)k;
    /* Without effect in this model. */
    def.compliance = 1;
    def.damping = 1;
    sn_constraint constraint;
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_DISTANCE, &def, &constraint));
    /* A bound beside it, which comes after everything, lets nothing be done twice. */
    sn_tether_def beside = sn_tether_def_default();
    beside.node[0] = add_node(world, (vec){0, 5, 0}, 1);
    beside.node[1] = add_pin(world, (vec){0, 6, 0});
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_TETHER, &beside, &constraint));
    advance(world, 0.01, 1);
    double xa = position_of(world, def.node[0]).x, xb = position_of(world, def.node[1]).x;
    /* Corrections go by inverse mass, so the common centre stays. */
    CHECK_NEAR(xa + 4 * xb, 12, TOL(1e-14, 2e-6));
    sn_world_destroy(world);
    return xb - xa - 2;
}

static double attachment_error(sn_settings settings, double k) {
    sn_world *world = make_world(settings);
    sn_attachment_def def = sn_attachment_def_default();
    def.node[0] = add_node(world, (vec){0, 1, 0}, 1);
    def.offset = vector(0, 0, 0);
    def.stiffness = (sn_real)k;
    sn_constraint constraint;
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_ATTACHMENT, &def, &constraint));
    advance(world, 0.01, 1);
    double y = position_of(world, def.node[0]).y;
    sn_world_destroy(world);
    return y;
}

/* Bending is linear in the positions, so its C decays as one number; relative to its start. */
static double bending_error(sn_settings settings, double k) {
    sn_world *world = make_world(settings);
    sn_isometric_bending_def def = sn_isometric_bending_def_default();
    def.node[0] = add_node(world, (vec){0, 0, 0}, 1);
    def.node[1] = add_node(world, (vec){1, 0, 0}, 2);
    def.node[2] = add_node(world, (vec){0.5, 0, 1}, 3);
    def.node[3] = add_node(world, (vec){0.5, 0.25, -1}, 1);
    def.stiffness = (sn_real)k;
    sn_constraint constraint;
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_ISOMETRIC_BENDING, &def, &constraint));
    sn_real before[SN_MAX_ROWS], after[SN_MAX_ROWS];
    REQUIRE_OK(sn_constraint_evaluate(world, constraint, before, NULL));
    advance(world, 0.01, 1);
    REQUIRE_OK(sn_constraint_evaluate(world, constraint, after, NULL));
    sn_world_destroy(world);
    double norm = 0, product = 0;
    for (int i = 0; i < 3; i++) {
        norm += (double)before[i] * (double)before[i];
        product += (double)before[i] * (double)after[i];
    }
    return product / norm;
}

static void check_stiffness(one_step *remaining, double f32) {
    static const sn_solver solvers[] = {SN_SOLVER_COLOURED, SN_SOLVER_REFERENCE, SN_SOLVER_DIRECT};
    for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++) {
        const sn_solver solver = solvers[s];
        for (int i = 0; i < 5; i++) {
            for (int j = 0; j < 4; j++) {
                double k = stiffnesses[i];
                int n = iteration_counts[j];
                check_case("%s, k = %g, %d iterations", solver_name(solver), k, n);
                sn_settings settings = plain_settings(solver);
                settings.model = SN_MODEL_PBD;
                settings.gravity = vector(0, 0, 0);
                settings.iterations = n;
                /* The direct solver softens what it solves by a millionth. */
                double f64 = solver == SN_SOLVER_DIRECT ? 1e-6 : 1e-13;
                CHECK_NEAR(remaining(settings, k), 1 - k, TOL(f64, f32));
            }
        }
    }
}

/* Float: each of up to 20 iterations rounds positions of 3 m to half an ulp (1.2e-7), and k' is
   right to an ulp, of which a sweep of 20 makes 20. */
TEST(distance_keeps_one_minus_k) {
    check_stiffness(distance_error, 3e-6);
}

TEST(attachment_keeps_one_minus_k) {
    check_stiffness(attachment_error, 3e-6);
}

TEST(bending_keeps_one_minus_k) {
    check_stiffness(bending_error, 5e-6);
}

/* Compliance has no effect in this model and stiffness none in the other. */
TEST(models_do_not_mix) {
    FOR_BOTH_SOLVERS(solver) {
        check_case("%s", solver_name(solver));
        sn_settings settings = plain_settings(solver);
        sn_world *world = make_world(settings);
        sn_distance_def def = sn_distance_def_default();
        def.node[0] = add_pin(world, (vec){0, 0, 0});
        def.node[1] = add_node(world, (vec){0, -1, 0}, 1);
        def.compliance = (sn_real)1e-3;
        def.stiffness = (sn_real)0.01;
        sn_constraint constraint;
        REQUIRE_OK(sn_constraint_create(world, SN_TYPE_DISTANCE, &def, &constraint));
        settings.damping = 30;
        CHECK_OK(sn_world_set_settings(world, &settings));
        advance(world, 1.0 / 1200, 3600);
        CHECK_REL(-1 - position_of(world, def.node[1]).y, 9.81e-3, TOL(1e-8, 1e-4));

        /* Stationary in this model: k' of the error goes each step and g h^2 comes, so it is
           g h^2 (1 - k) / k. */
        settings.model = SN_MODEL_PBD;
        CHECK_OK(sn_world_set_settings(world, &settings));
        sn_real k[3] = {(sn_real)0.5, 0, 0};
        CHECK_OK(sn_constraint_set_field(world, constraint, "stiffness", k));
        advance(world, 1.0 / 1200, 3600);
        double unit = GRAVITY / 1200 / 1200;
        CHECK_NEAR((-1 - position_of(world, def.node[1]).y) / unit, 1, TOL(1e-6, 0.02));
        sn_world_destroy(world);
    }
}

TESTS(RUN(distance_keeps_one_minus_k), RUN(attachment_keeps_one_minus_k),
      RUN(bending_keeps_one_minus_k), RUN(models_do_not_mix))
