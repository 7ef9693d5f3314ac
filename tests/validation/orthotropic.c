/*
 * An elasticity tensor with three axes: bars along each of them against the compliance matrix, the
 * energy against it for any F, the isotropic material as a case of it, axes that are turned, and
 * tensors that are none.
 */
#include "tet_bodies.h"

/* Something like spruce, with E_x along the grain, and softer. */
static const double young[3] = {1.2e5, 8e3, 1.5e4};
static const double ratio[3] = {0.25, 0.04, 0.45}; /* yz, zx, xy */
static const double shear[3] = {1e3, 9e3, 7e3};

static sn_orthotropic_tet_def standard(void) {
    sn_orthotropic_tet_def def = sn_orthotropic_tet_def_default();
    def.young = (sn_vec3){(sn_real)young[0], (sn_real)young[1], (sn_real)young[2]};
    def.poisson = (sn_vec3){(sn_real)ratio[0], (sn_real)ratio[1], (sn_real)ratio[2]};
    def.shear_modulus = (sn_vec3){(sn_real)shear[0], (sn_real)shear[1], (sn_real)shear[2]};
    return def;
}

/* The compliance matrix of the strains along the axes. */
static void compliance_of(double s[3][3]) {
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        s[i][i] = 1 / young[i];
        s[j][k] = s[k][j] = -ratio[i] / young[j];
    }
}

/* The corner of a cube of 1 m, 1 kg per node. */
static sn_world *make_corner(int iterations, double damping, sn_node node[4]) {
    sn_world *world = make_world(1, iterations, damping);
    for (int k = 0; k < 4; k++) {
        sn_node_def def = sn_node_def_default();
        def.position = (sn_vec3){k == 1, k == 2, k == 3};
        def.inverse_mass = 1;
        REQUIRE_OK(sn_node_create(world, &def, &node[k]));
    }
    return world;
}

static void place(sn_world *world, sn_node node, const double x[3]) {
    sn_vec3 to = {(sn_real)x[0], (sn_real)x[1], (sn_real)x[2]};
    REQUIRE_OK(sn_node_set_position(world, node, to));
}

static double component(sn_vec3 a, int axis) {
    return (double)(axis == 0 ? a.x : axis == 1 ? a.y : a.z);
}

/* The pull at a node along an axis, in N. */
static double pull(const sn_world *world, sn_constraint made, int node, int axis) {
    sn_real force[SN_MAX_ROWS], value[SN_MAX_ROWS];
    sn_vec3 gradient[SN_MAX_ROWS * 4];
    double sum = 0;
    REQUIRE_OK(sn_constraint_force(world, made, force));
    REQUIRE_OK(sn_constraint_evaluate(world, made, value, gradient));
    for (int row = 0; row < 6; row++)
        sum -= (double)force[row] * component(gradient[4 * row + node], axis);
    return sum;
}

/* P = E (s^3 - s) / 2, and the strains across are those of the compliance matrix. */
TEST(bars_along_each_axis_are_those_of_the_compliance_matrix) {
    double s[3][3];
    compliance_of(s);
    for (int n = 0; n < 9; n++) {
        int axis = n % 3;
        double stretch = n < 3 ? 1.1 : n < 6 ? 0.95 : 1.02, x[3] = {0, 0, 0};
        check_case("axis %d, stretch %g", axis, stretch);
        sn_node node[4];
        sn_world *world = make_corner(20, 30, node);
        sn_orthotropic_tet_def def = standard();
        sn_constraint made;
        memcpy(def.node, node, sizeof def.node);
        REQUIRE_OK(sn_constraint_create(world, SN_TYPE_ORTHOTROPIC_TET, &def, &made));
        REQUIRE_OK(sn_node_set_inverse_mass(world, node[0], 0));
        REQUIRE_OK(sn_node_set_inverse_mass(world, node[axis + 1], 0));
        x[axis] = stretch;
        place(world, node[axis + 1], x);
        run(world, 1500, 1.0 / 60);
        double strain = (stretch * stretch - 1) / 2, stress = young[axis] * strain * stretch;
        CHECK_REL(6 * pull(world, made, axis + 1, axis), stress, PICK(1e-6, 1e-4));
        for (int k = 1; k < 3; k++) {
            int other = (axis + k) % 3;
            double wide = component(position(world, node[other + 1]), other);
            double across = s[other][axis] / s[axis][axis] * strain;
            CHECK_NEAR((wide * wide - 1) / 2, across, PICK(1e-8, 2e-5));
        }
        sn_world_destroy(world);
    }
}

/* The strain of Green of F: xx, yy, zz, yz, zx, xy. */
static void green(double f[3][3], double e[6]) {
    for (int i = 0; i < 6; i++) {
        int p = i < 3 ? i : (i + 1) % 3, q = i < 3 ? i : (i + 2) % 3;
        double sum = f[0][p] * f[0][q] + f[1][p] * f[1][q] + f[2][p] * f[2][q];
        e[i] = i < 3 ? (sum - 1) / 2 : sum;
    }
}

/* e . s with s that solves S s = e, by Cramer's rule; the shears are along the diagonal. */
static double density(const double e[6]) {
    double s[3][3], sum = 0;
    compliance_of(s);
    double whole = determinant(s);
    for (int k = 0; k < 3; k++) {
        double replaced[3][3];
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) replaced[i][j] = j == k ? e[i] : s[i][j];
        sum += e[k] * determinant(replaced) / whole;
        sum += e[3 + k] * e[3 + k] * shear[k];
    }
    return sum / 2;
}

static double energy(const sn_world *world) {
    sn_measure measure;
    REQUIRE_OK(sn_world_measure(world, &measure));
    return measure.elastic_energy;
}

/* V / 2 e . S^-1 e for any F. */
TEST(energy_is_that_of_the_compliance_matrix) {
    sn_node node[4];
    sn_world *world = make_corner(1, 0, node);
    sn_orthotropic_tet_def def = standard();
    sn_constraint made;
    uint64_t random = 9;
    memcpy(def.node, node, sizeof def.node);
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_ORTHOTROPIC_TET, &def, &made));
    CHECK(energy(world) == 0);
    for (int n = 0; n < 50; n++) {
        double f[3][3], e[6];
        for (int k = 0; k < 9; k++) f[k / 3][k % 3] = (k % 4 == 0) + 0.3 * random_number(&random);
        for (int k = 0; k < 3; k++)
            place(world, node[k + 1], (double[3]){f[0][k], f[1][k], f[2][k]});
        green(f, e);
        CHECK_REL(energy(world), density(e) / 6, PICK(1e-9, 2e-4));
    }
    sn_world_destroy(world);
}

/* With three moduli that are alike, and what is automatic, it is elastic_tet. */
TEST(what_is_alike_along_all_axes_is_isotropic) {
    sn_node node[2][4];
    sn_world *worlds[2];
    uint64_t random = 5;
    for (int n = 0; n < 2; n++) {
        worlds[n] = make_corner(1, 0, node[n]);
        sn_orthotropic_tet_def def = sn_orthotropic_tet_def_default();
        sn_elastic_tet_def plain = sn_elastic_tet_def_default();
        sn_constraint made;
        memcpy(def.node, node[n], sizeof def.node);
        memcpy(plain.node, node[n], sizeof plain.node);
        plain.young = (sn_real)1e5;
        def.young = (sn_vec3){(sn_real)1e5, (sn_real)1e5, (sn_real)1e5};
        sn_type type = n ? SN_TYPE_ELASTIC_TET : SN_TYPE_ORTHOTROPIC_TET;
        REQUIRE_OK(sn_constraint_create(worlds[n], type, n ? (void *)&plain : (void *)&def, &made));
    }
    for (int n = 0; n < 20; n++) {
        for (int k = 1; k < 4; k++) {
            double x[3];
            for (int c = 0; c < 3; c++) x[c] = (c == k - 1) + 0.3 * random_number(&random);
            for (int w = 0; w < 2; w++) place(worlds[w], node[w][k], x);
        }
        CHECK_REL(energy(worlds[0]), energy(worlds[1]), PICK(1e-12, 1e-5));
        for (int w = 0; w < 2; w++) run(worlds[w], 1, 0.01);
        for (int k = 0; k < 4; k++)
            CHECK_NEAR(apart(position(worlds[0], node[0][k]), position(worlds[1], node[1][k])), 0,
                       PICK(1e-12, 1e-5));
    }
    for (int w = 0; w < 2; w++) sn_world_destroy(worlds[w]);
}

/* The same axes, said by their directions or by the frame of the rest edges. */
TEST(axes_are_directions_in_the_frame_of_the_edges) {
    sn_node node[4];
    sn_world *world = make_corner(1, 0, node);
    sn_orthotropic_tet_def def = standard();
    sn_constraint turned, plain;
    sn_real first[SN_MAX_ROWS], second[SN_MAX_ROWS];
    memcpy(def.node, node, sizeof def.node);
    def.axis = (sn_vec3){0, 0, 2};
    def.across = (sn_vec3){3, 0, 1};
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_ORTHOTROPIC_TET, &def, &turned));
    def.axis = def.across = (sn_vec3){0, 0, 0};
    /* z is the first axis, x the second, y the third. */
    def.rest_edge_1 = (sn_vec3){0, 1, 0};
    def.rest_edge_2 = (sn_vec3){0, 0, 1};
    def.rest_edge_3 = (sn_vec3){1, 0, 0};
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_ORTHOTROPIC_TET, &def, &plain));
    place(world, node[1], (double[3]){1.1, 0.1, 0.3});
    place(world, node[3], (double[3]){0.2, -0.3, 0.8});
    REQUIRE_OK(sn_constraint_evaluate(world, turned, first, NULL));
    REQUIRE_OK(sn_constraint_evaluate(world, plain, second, NULL));
    for (int row = 0; row < 6; row++) CHECK_NEAR(first[row], second[row], 1e-6);
    sn_world_destroy(world);
}

/* What no material can be is refused, with the ratio that is too large, and nothing is made. */
TEST(tensors_that_are_not_positive_definite_are_refused) {
    sn_node node[4];
    sn_world *world = make_corner(1, 0, node);
    sn_constraint made;
    static const struct {
        double poisson[3], young[3];
        const char *said;
    } rows[] = {
        {{0.25, 0.04, 4.5}, {1.2e5, 8e3, 1.5e4}, "poisson xy is 4.5"},
        {{0.25, 0.4, 0.45}, {1.2e5, 8e3, 1.5e4}, "poisson zx is 0.4"},
        {{0.6, 0.6, 0.6}, {1e5, 1e5, 1e5}, "not positive definite"},
        {{0.3, 0.3, 0.3}, {1e5, 0, 1e5}, "component 1 of young is 0"},
    };
    for (int i = 0; i < 4; i++) {
        sn_orthotropic_tet_def def = standard();
        const double *p = rows[i].poisson, *e = rows[i].young;
        check_case("%s", rows[i].said);
        memcpy(def.node, node, sizeof def.node);
        def.poisson = (sn_vec3){(sn_real)p[0], (sn_real)p[1], (sn_real)p[2]};
        def.young = (sn_vec3){(sn_real)e[0], (sn_real)e[1], (sn_real)e[2]};
        CHECK_FAILS(sn_constraint_create(world, SN_TYPE_ORTHOTROPIC_TET, &def, &made),
                    SN_ERROR_VALUE);
        CHECK(strstr(sn_last_error(), rows[i].said) != NULL);
    }
    sn_world_destroy(world);
}

/* ---- Bodies ---- */

static const model timber = {"orthotropic", SN_TYPE_ORTHOTROPIC_TET};

/* V32, V33 and V36. */
TEST(rest_is_still) {
    body b = make_body(&timber, make_block(4, 0.2), (material){1e6, 0.3, 0}, make_world(100, 1, 0));
    run(b.world, 50, 1.0 / 60);
    CHECK_NEAR(moved_by(&b), 0, PICK(1e-14, 1e-6));
    free_body(&b);
}

TEST(the_patch_test_holds) {
    material of = {1e6, 0.3, 0};
    CHECK_NEAR(patch_error(&timber, of, make_world(20, 4, 60), 150, 0.005), 0, PICK(1e-6, 2e-6));
}

TEST(what_was_destroyed_recovers) {
    for (wreck how = 0; how < WRECKS; how++) {
        check_case("%s", wrecks[how]);
        check_recovery(&timber, (material){3e6, 0.3, 0}, how);
    }
}

TESTS(RUN(bars_along_each_axis_are_those_of_the_compliance_matrix),
      RUN(energy_is_that_of_the_compliance_matrix), RUN(what_is_alike_along_all_axes_is_isotropic),
      RUN(axes_are_directions_in_the_frame_of_the_edges),
      RUN(tensors_that_are_not_positive_definite_are_refused), RUN(rest_is_still),
      RUN(the_patch_test_holds), RUN(what_was_destroyed_recovers))
