/*
 * Tetrahedra as finite elements: what a bar of the material does (V30), rest (V32), the patch test
 * (V33), and recovery from what is flat or inside out (V36), for every model with two constants.
 */
#include "tet_bodies.h"

/* ---- Models ---- */

static const model models[] = {{"neo-Hookean", SN_TYPE_NEO_HOOKEAN_TET},
                               {"corotated", SN_TYPE_COROTATED_TET}};
#define MODELS (sizeof models / sizeof models[0])
#define FOR_EACH_MODEL(m) for (const model *m = models; m < models + MODELS; m++)

/* ---- One element ---- */

typedef struct element {
    sn_world *world;
    sn_node node[4];
    sn_constraint tet;
} element;

/* The corner of a cube of 1 m, 25 kg per node, at rest. */
static element make_corner(const model *m, material of, int iterations, double damping) {
    element e = {.world = make_world(1, iterations, damping)};
    for (int k = 0; k < 4; k++) {
        sn_node_def node = sn_node_def_default();
        node.position = (sn_vec3){k == 1, k == 2, k == 3};
        node.inverse_mass = (sn_real)0.04;
        REQUIRE_OK(sn_node_create(e.world, &node, &e.node[k]));
    }
    REQUIRE_OK(add_tet(e.world, m->type, e.node, of, &e.tet));
    return e;
}

/* Places the nodes as F does. */
static void deform_corner(element *e, double f[3][3]) {
    for (int k = 0; k < 4; k++) {
        sn_vec3 x = {0, 0, 0};
        if (k > 0) x = (sn_vec3){(sn_real)f[0][k - 1], (sn_real)f[1][k - 1], (sn_real)f[2][k - 1]};
        REQUIRE_OK(sn_node_set_position(e->world, e->node[k], x));
    }
}

typedef struct bar {
    double across, stress; /* stretch, and Piola stress over E */
} bar;

/* Holds the ends of an edge at the stretch s and lets the other two nodes find their places. */
static bar pull_bar(const model *m, material of, double s) {
    element e = make_corner(m, of, 10, 30);
    for (int k = 0; k < 2; k++) REQUIRE_OK(sn_node_set_inverse_mass(e.world, e.node[k], 0));
    REQUIRE_OK(sn_node_set_position(e.world, e.node[1], (sn_vec3){(sn_real)s, 0, 0}));
    run(e.world, 1000, 1.0 / 60);
    bar result = {(double)position(e.world, e.node[2]).y, 0};
    CHECK_NEAR(position(e.world, e.node[3]).z, result.across, 1e-5);
    CHECK_NEAR(position(e.world, e.node[2]).x, 0, 1e-5);
    sn_real force[SN_MAX_ROWS], value[SN_MAX_ROWS];
    sn_vec3 gradient[SN_MAX_ROWS * 4];
    REQUIRE_OK(sn_constraint_force(e.world, e.tet, force));
    REQUIRE_OK(sn_constraint_evaluate(e.world, e.tet, value, gradient));
    for (int row = 0; row < 2; row++)
        result.stress -= 6 * (double)force[row] * (double)gradient[4 * row + 1].x / of.young;
    sn_world_destroy(e.world);
    return result;
}

/* What is known of it: of the Neo-Hookean material t^2 = (gamma - mu / (lambda' s)) / s and P = mu
   (s - t^2 / s), of the other one Hooke's law. */
static bar expected_bar(const model *m, material of, double s) {
    double nu = of.poisson;
    if (m->type == SN_TYPE_COROTATED_TET) return (bar){1 - nu * (s - 1), s - 1};
    double mu = 1 / (2 * (1 + nu)), other = nu / ((1 + nu) * (1 - 2 * nu)) + mu;
    double t2 = (1 + mu / other - mu / (other * s)) / s;
    return (bar){sqrt(t2), mu * (s - t2 / s)};
}

/* V30. */
TEST(bars_are_those_of_the_material) {
    static const double stretch[] = {0.7, 0.9, 1.01, 1.1};
    /* The numbers of the validation plan: stretch across and stress over E. */
    static const bar table[] = {
        {1.087968, -0.381139}, {1.030402, -0.107576}, {0.997006, 0.009931}, {0.970643, 0.093654}};
    const material of = {1e5, 0.3, 0};
    FOR_EACH_MODEL(m) {
        for (int i = 0; i < 4; i++) {
            check_case("%s, stretch %g", m->name, stretch[i]);
            bar found = pull_bar(m, of, stretch[i]), known = expected_bar(m, of, stretch[i]);
            CHECK_NEAR(found.across, known.across, 1e-5);
            CHECK_NEAR(found.stress, known.stress, PICK(1e-6, 1e-5));
            if (m->type != SN_TYPE_NEO_HOOKEAN_TET) continue;
            CHECK_NEAR(found.across, table[i].across, 1e-4);
            CHECK_NEAR(found.stress, table[i].stress, 1e-4);
        }
    }
}

/* V30. */
TEST(small_strain_gives_young_and_poisson) {
    const double ratios[] = {-0.9, -0.4, 0, 0.2, 0.3, 0.45};
    FOR_EACH_MODEL(m) {
        for (int i = m->type == SN_TYPE_COROTATED_TET ? 0 : 2; i < 6; i++) {
            check_case("%s, ratio %g", m->name, ratios[i]);
            const material of = {1e5, ratios[i], 0};
            double strain = PICK(1e-5, 1e-3);
            bar found = pull_bar(m, of, 1 + strain);
            CHECK_REL(found.stress / strain, 1, PICK(1e-4, 3e-3));
            CHECK_NEAR((1 - found.across) / strain, ratios[i], PICK(1e-4, 3e-3));
        }
        const material of = {1e5, 0.3, 0};
        check_case("%s at one percent", m->name);
        CHECK_NEAR(-log(pull_bar(m, of, 1.01).across) / log(1.01), 0.3, 0.002);
    }
}

/* With lambda' = lambda the bar would be one of the ratio 0.167 and 0.897 E. */
TEST(unshifted_constants_would_be_seen) {
    const material meant = {1e5, 0.3, 0}, unshifted = {0.897e5, 0.167, 0};
    bar known = expected_bar(models, meant, 1.01), found = pull_bar(models, unshifted, 1.01);
    CHECK(fabs(found.across - known.across) > 1e-3);
    CHECK(fabs(0.897 * found.stress - known.stress) > 5e-4);
}

TEST(a_ratio_of_one_half_keeps_the_volume) {
    const material of = {1e5, 0.5, 0};
    CHECK_NEAR(pull_bar(&models[0], of, 1.1).across, 1 / sqrt(1.1), 1e-5);
    CHECK_NEAR(pull_bar(&models[0], of, 0.8).across, 1 / sqrt(0.8), 1e-5);
    CHECK_NEAR(pull_bar(&models[1], of, 1.1).across, 0.95, 1e-5);
}

/* ---- Energy ---- */

/* That of the paper, less what it is at rest. */
static double neo_hookean_energy(double f[3][3], material of) {
    double nu = of.poisson, mu = of.young / (2 * (1 + nu)), trace = 0, j = determinant(f);
    double other = of.young * nu / ((1 + nu) * (1 - 2 * nu)) + mu, gamma = 1 + mu / other;
    for (int i = 0; i < 9; i++) trace += f[i / 3][i % 3] * f[i / 3][i % 3];
    double rest = other / 2 * (1 - gamma) * (1 - gamma);
    return (mu / 2 * (trace - 3) + other / 2 * (j - gamma) * (j - gamma) - rest) / 6;
}

TEST(energy_is_that_of_the_paper_and_none_at_rest) {
    const material of = {1e5, 0.3, 0};
    element e = make_corner(models, of, 1, 0);
    uint64_t random = 5;
    sn_measure measure;
    REQUIRE_OK(sn_world_measure(e.world, &measure));
    CHECK(measure.elastic_energy == 0);
    for (int i = 0; i < 200; i++) {
        double f[3][3], size = i < 50 ? 0.01 : i < 100 ? 0.3 : 2;
        for (int k = 0; k < 9; k++)
            f[k / 3][k % 3] = (k % 4 == 0 && i < 100) + size * random_number(&random);
        deform_corner(&e, f);
        REQUIRE_OK(sn_world_measure(e.world, &measure));
        CHECK_REL(measure.elastic_energy, neo_hookean_energy(f, of), PICK(1e-9, 2e-4));
    }
    sn_world_destroy(e.world);
}

/* Turned, an element has the same C, and makes the same forces in its frame. */
TEST(rotations_do_not_matter) {
    const material of = {1e5, 0.3, 0};
    FOR_EACH_MODEL(m) {
        element e = make_corner(m, of, 1, 0);
        uint64_t random = 7;
        double f[3][3];
        for (int i = 0; i < 100; i++) {
            check_case("%s, %d", m->name, i);
            for (int k = 0; k < 9; k++)
                f[k / 3][k % 3] = (k % 4 == 0) + 0.5 * random_number(&random);
            if (determinant(f) < 0.05) continue;
            sn_real here[SN_MAX_ROWS], there[SN_MAX_ROWS];
            sn_vec3 g[8], turned_g[8];
            deform_corner(&e, f);
            REQUIRE_OK(sn_constraint_evaluate(e.world, e.tet, here, g));
            /* About an axis by any angle. */
            double a = 3 * random_number(&random), u[3], r[3][3], turned[3][3] = {{0}};
            double length = 0;
            for (int k = 0; k < 3; k++) u[k] = random_number(&random), length += u[k] * u[k];
            for (int k = 0; k < 9; k++) {
                int p = k / 3, q = k % 3, o = 3 - p - q;
                double cross = p == q ? 0 : (q == (p + 1) % 3 ? -1 : 1) * u[o] / sqrt(length);
                r[p][q] = (p == q) * cos(a) + sin(a) * cross + (1 - cos(a)) * u[p] * u[q] / length;
            }
            for (int k = 0; k < 27; k++)
                turned[k / 9][k / 3 % 3] += r[k / 9][k % 3] * f[k % 3][k / 3 % 3];
            deform_corner(&e, turned);
            REQUIRE_OK(sn_constraint_evaluate(e.world, e.tet, there, turned_g));
            for (int k = 0; k < 2; k++) CHECK_NEAR(there[k], here[k], PICK(1e-12, 3e-6));
            for (int k = 0; k < 8; k++) {
                double x =
                    r[0][0] * (double)g[k].x + r[0][1] * (double)g[k].y + r[0][2] * (double)g[k].z;
                CHECK_NEAR(turned_g[k].x, x, PICK(1e-10, 1e-4));
            }
        }
        sn_world_destroy(e.world);
    }
}

/* An element that is damped forgets its strain with the time it was given, where that is long
   beside the periods that it could swing with, and these are long beside the substep. */
TEST(damping_is_a_time) {
    const material of = {20000, 0.3, 0.5};
    FOR_EACH_MODEL(m) {
        check_case("%s", m->name);
        element e = make_corner(m, of, 4, 0);
        double f[3][3] = {{1.002, 0, 0}, {0, 1.002, 0}, {0, 0, 1.002}};
        deform_corner(&e, f);
        sn_real before[SN_MAX_ROWS], after[SN_MAX_ROWS];
        REQUIRE_OK(sn_constraint_evaluate(e.world, e.tet, before, NULL));
        run(e.world, 10000, 0.00005);
        REQUIRE_OK(sn_constraint_evaluate(e.world, e.tet, after, NULL));
        for (int row = 0; row < 2; row++)
            CHECK_REL((double)after[row] / (double)before[row], exp(-1), 0.02);
        sn_world_destroy(e.world);
    }
}

/* ---- The shape at rest ---- */

TEST(a_tet_is_made_again_without_being_measured) {
    const material of = {1e5, 0.3, 0};
    element e = make_corner(models, of, 1, 0);
    double f[3][3] = {{1.2, 0.1, 0}, {-0.2, 0.9, 0.3}, {0, 0.2, 1.1}};
    deform_corner(&e, f);
    sn_neo_hookean_tet_def def = sn_neo_hookean_tet_def_default();
    sn_constraint again;
    sn_real first[SN_MAX_ROWS], second[SN_MAX_ROWS];
    REQUIRE_OK(sn_constraint_get(e.world, e.tet, &def));
    REQUIRE_OK(sn_constraint_create(e.world, SN_TYPE_NEO_HOOKEAN_TET, &def, &again));
    REQUIRE_OK(sn_constraint_evaluate(e.world, e.tet, first, NULL));
    REQUIRE_OK(sn_constraint_evaluate(e.world, again, second, NULL));
    CHECK(memcmp(first, second, 2 * sizeof *first) == 0);
    CHECK(fabs((double)first[1]) > 0.1);
    /* In another frame of the material it is the same element. */
    def.rest_edge_1 = (sn_vec3){0, 0, -1};
    def.rest_edge_2 = (sn_vec3){0, 1, 0};
    def.rest_edge_3 = (sn_vec3){1, 0, 0};
    REQUIRE_OK(sn_constraint_set(e.world, again, &def));
    REQUIRE_OK(sn_constraint_evaluate(e.world, again, second, NULL));
    for (int row = 0; row < 2; row++) CHECK_NEAR(second[row], first[row], 1e-6);
    /* One automatic edge is measured where the nodes are now. */
    def.rest_edge_1 = (sn_vec3){SN_AUTO, 0, 0};
    def.rest_edge_3 = (sn_vec3){0, 0, 1};
    REQUIRE_OK(sn_constraint_set(e.world, again, &def));
    REQUIRE_OK(sn_constraint_get(e.world, again, &def));
    CHECK_NEAR(def.rest_edge_1.x, 1.2, 1e-6);
    CHECK_NEAR(def.rest_edge_1.y, -0.2, 1e-6);
    sn_world_destroy(e.world);
}

TEST(what_is_no_tetrahedron_is_refused) {
    FOR_EACH_MODEL(m) {
        check_case("%s", m->name);
        element e = make_corner(m, (material){1e5, 0.3, 0}, 1, 0);
        sn_constraint made;
        CHECK_FAILS(add_tet(e.world, m->type, e.node, (material){0, 0.3, 0}, &made),
                    SN_ERROR_VALUE);
        CHECK(strstr(sn_last_error(), "young") != NULL);
        double flat[3][3] = {{1, 0, 1}, {0, 1, 1}, {0, 0, 1e-10}};
        deform_corner(&e, flat);
        CHECK_FAILS(add_tet(e.world, m->type, e.node, (material){1e5, 0.3, 0}, &made),
                    SN_ERROR_DEGENERATE);
        CHECK(strstr(sn_last_error(), "volume") != NULL);
        /* Nodes in the other order are as good. */
        double mirrored[3][3] = {{0, 1, 0}, {1, 0, 0}, {0, 0, 1}};
        sn_real value[SN_MAX_ROWS];
        deform_corner(&e, mirrored);
        REQUIRE_OK(add_tet(e.world, m->type, e.node, (material){1e5, 0.3, 0}, &made));
        REQUIRE_OK(sn_constraint_evaluate(e.world, made, value, NULL));
        CHECK(value[0] == 0 && value[1] == 0);
        sn_world_destroy(e.world);
    }
}

/* ---- Bodies ---- */

/* V32: 10^4 substeps of nothing. */
TEST(rest_is_still) {
    FOR_EACH_MODEL(m) {
        for (int i = 0; i < 2; i++) {
            check_case("%s, %s", m->name, i ? "nearly incompressible" : "ratio 0.3");
            const material of = {i ? 1e7 : 1e5, i ? 0.49 : 0.3, 0};
            body b = make_body(m, make_block(6, 0.2), of, make_world(100, 1, 0));
            CHECK(b.mesh.tet_count > 1000);
            run(b.world, check_long() ? 100 : 30, 1.0 / 60);
            CHECK_NEAR(moved_by(&b), 0, PICK(1e-14, 1e-6));
            free_body(&b);
        }
    }
}

/* V33: an affine displacement of the boundary is taken over by what is inside. A length keeps one
   multiplier for a direction that turns while others are solved, so this holds for short steps: the
   error is that of h^2 E / (rho l^2), here 1e-4. */
TEST(the_patch_test_holds) {
    FOR_EACH_MODEL(m) {
        check_case("%s", m->name);
        material of = {1e5, 0.3, 0};
        CHECK_NEAR(patch_error(m, of, make_world(60, 1, 40), 100, 0.016), 0, 1e-6);
    }
}

/* V36. */
TEST(what_was_destroyed_recovers) {
    wreck next = 0;
    FOR_EACH_MODEL(m) {
        next = check_long() ? 0 : !next;
        for (wreck how = next; how < WRECKS; how += check_long() ? 1 : 2) {
            check_case("%s, %s", m->name, wrecks[how]);
            check_recovery(m, (material){1e6, 0.3, 0}, how);
        }
        /* The ratio at which a body is easiest to press into a point. */
        const double least = m->type == SN_TYPE_COROTATED_TET ? -0.5 : 0;
        check_case("%s, %s, ratio %g", m->name, wrecks[POINT], least);
        check_recovery(m, (material){1e6, least, 0}, POINT);
    }
}

/* Hard shear and steps that are long beside it: energy goes down, and nothing explodes. */
TEST(stiff_bodies_take_long_steps) {
    FOR_EACH_MODEL(m) {
        check_case("%s", m->name);
        body b = make_body(m, make_block(4, 0.2), (material){1e9, 0.45, 0}, make_world(1, 1, 0));
        for (size_t i = 0; i < b.mesh.vertex_count; i++) {
            sn_vec3 x = b.mesh.positions[i];
            x.x += (sn_real)0.2 * x.y;
            REQUIRE_OK(sn_node_set_position(b.world, b.node[i], x));
        }
        sn_measure first, now;
        REQUIRE_OK(sn_world_measure(b.world, &first));
        for (int step = 0; step < 60; step++) {
            run(b.world, 1, 1.0 / 60);
            REQUIRE_OK(sn_world_measure(b.world, &now));
            /* At first changes of volume are traded for shear. */
            CHECK(step < 5 || now.elastic_energy + now.kinetic_energy < first.elastic_energy);
        }
        CHECK(now.elastic_energy < 1e-3 * first.elastic_energy);
        free_body(&b);
    }
}

TESTS(RUN(bars_are_those_of_the_material), RUN(small_strain_gives_young_and_poisson),
      RUN(unshifted_constants_would_be_seen), RUN(a_ratio_of_one_half_keeps_the_volume),
      RUN(energy_is_that_of_the_paper_and_none_at_rest), RUN(rotations_do_not_matter),
      RUN(damping_is_a_time), RUN(a_tet_is_made_again_without_being_measured),
      RUN(what_is_no_tetrahedron_is_refused), RUN(rest_is_still), RUN(the_patch_test_holds),
      RUN(what_was_destroyed_recovers), RUN(stiff_bodies_take_long_steps))
