/*
 * Strains of tetrahedra: the Saint Venant-Kirchhoff material (V30, V33), strain based dynamics with
 * its six stiffnesses, recovery from what is flat or inside out (V36), and fibres that contract.
 */
#include <stdio.h>

#include "tet_bodies.h"

/* ---- One element: the corner of a cube of 1 m, 1 kg per node ---- */

typedef struct element {
    sn_world *world;
    sn_body body;
    sn_node node[4];
} element;

static element make_corner(int iterations, double damping) {
    element e = {.world = make_world(1, iterations, damping)};
    sn_body_def def = sn_body_def_default();
    REQUIRE_OK(sn_body_create(e.world, &def, &e.body));
    for (int k = 0; k < 4; k++) {
        sn_node_def node = sn_node_def_default();
        node.body = e.body;
        node.position = (sn_vec3){k == 1, k == 2, k == 3};
        node.inverse_mass = 1;
        REQUIRE_OK(sn_node_create(e.world, &node, &e.node[k]));
    }
    return e;
}

static void place(element *e, int k, double x, double y, double z) {
    sn_vec3 to = {(sn_real)x, (sn_real)y, (sn_real)z};
    REQUIRE_OK(sn_node_set_position(e->world, e->node[k], to));
}

/* Node 0 stays where it is, and node `axis` + 1 at `s` along its axis. */
static void hold(element *e, int axis, double s) {
    REQUIRE_OK(sn_node_set_inverse_mass(e->world, e->node[0], 0));
    REQUIRE_OK(sn_node_set_inverse_mass(e->world, e->node[axis + 1], 0));
    place(e, axis + 1, axis == 0 ? s : 0, axis == 1 ? s : 0, axis == 2 ? s : 0);
}

static double along(sn_vec3 a, int axis) {
    return (double)(axis == 0 ? a.x : axis == 1 ? a.y : a.z);
}

/* The pull of a constraint at a node along an axis, in N. */
static double pull(const element *e, sn_constraint made, int node, int axis) {
    sn_real force[SN_MAX_ROWS], value[SN_MAX_ROWS];
    sn_vec3 gradient[SN_MAX_ROWS * 4];
    sn_type type;
    double sum = 0;
    REQUIRE_OK(sn_constraint_force(e->world, made, force));
    REQUIRE_OK(sn_constraint_evaluate(e->world, made, value, gradient));
    REQUIRE_OK(sn_constraint_get_type(e->world, made, &type));
    int rows = sn_type_get_info(type)->rows;
    for (int row = 0; row < rows; row++)
        sum -= (double)force[row] * along(gradient[4 * row + node], axis);
    return sum;
}

static sn_constraint add_elastic(element *e, double young, double poisson) {
    sn_elastic_tet_def def = sn_elastic_tet_def_default();
    sn_constraint made;
    memcpy(def.node, e->node, sizeof def.node);
    def.young = (sn_real)young;
    def.poisson = (sn_real)poisson;
    REQUIRE_OK(sn_constraint_create(e->world, SN_TYPE_ELASTIC_TET, &def, &made));
    return made;
}

/* ---- The Saint Venant-Kirchhoff material ---- */

typedef struct bar {
    double across, stress; /* stretch, and Piola stress over E */
} bar;

static bar pull_bar(double young, double poisson, double s) {
    element e = make_corner(10, 30);
    sn_constraint made = add_elastic(&e, young, poisson);
    hold(&e, 0, s);
    run(e.world, 1000, 1.0 / 60);
    bar result = {(double)position(e.world, e.node[2]).y, 6 * pull(&e, made, 1, 0) / young};
    CHECK_NEAR(position(e.world, e.node[3]).z, result.across, 1e-5);
    CHECK_NEAR(position(e.world, e.node[2]).x, 0, 1e-5);
    sn_world_destroy(e.world);
    return result;
}

/* V30. */
TEST(bars_are_those_of_the_material) {
    static const double stretch[] = {0.7, 0.9, 1.01, 1.1};
    /* The numbers of the validation plan: stretch across and stress over E. */
    static const bar table[] = {
        {1.073778, -0.178500}, {1.028105, -0.085500}, {0.996980, 0.010151}, {0.967988, 0.115500}};
    for (int i = 0; i < 4; i++) {
        check_case("stretch %g", stretch[i]);
        double s = stretch[i], t = sqrt(1 - 0.3 * (s * s - 1)), stress = (s * s * s - s) / 2;
        bar found = pull_bar(1e5, 0.3, s);
        CHECK_NEAR(found.across, table[i].across, 1e-4);
        CHECK_NEAR(found.stress, table[i].stress, 1e-4);
        CHECK_NEAR(found.across, t, PICK(1e-8, 1e-5));
        CHECK_NEAR(found.stress, stress, PICK(1e-6, 1e-5));
    }
}

/* V30. */
TEST(small_strain_gives_young_and_poisson) {
    static const double ratios[] = {-0.4, 0, 0.2, 0.3, 0.45, 0.5};
    for (int i = 0; i < 6; i++) {
        check_case("ratio %g", ratios[i]);
        double strain = PICK(1e-5, 1e-3);
        bar found = pull_bar(1e5, ratios[i], 1 + strain);
        CHECK_REL(found.stress / strain, 1, PICK(1e-4, 3e-3));
        CHECK_NEAR((1 - found.across) / strain, ratios[i], PICK(1e-4, 3e-3));
    }
}

/* The energy of the survey, V (mu e : e + lambda / 2 tr(e)^2), for any F. */
TEST(energy_is_that_of_the_survey) {
    element e = make_corner(1, 0);
    const double young = 1e5, nu = 0.3;
    add_elastic(&e, young, nu);
    uint64_t random = 5;
    sn_measure measure;
    REQUIRE_OK(sn_world_measure(e.world, &measure));
    CHECK(measure.elastic_energy == 0);
    for (int n = 0; n < 50; n++) {
        double f[3][3], trace = 0, square = 0;
        for (int k = 0; k < 9; k++) f[k / 3][k % 3] = (k % 4 == 0) + 0.5 * random_number(&random);
        for (int k = 0; k < 3; k++) place(&e, k + 1, f[0][k], f[1][k], f[2][k]);
        for (int i = 0; i < 9; i++) {
            int p = i / 3, q = i % 3;
            double g = f[0][p] * f[0][q] + f[1][p] * f[1][q] + f[2][p] * f[2][q];
            double strain = (g - (p == q)) / 2;
            square += strain * strain;
            if (p == q) trace += strain;
        }
        double mu = young / (2 * (1 + nu)), lambda = young * nu / ((1 + nu) * (1 - 2 * nu));
        REQUIRE_OK(sn_world_measure(e.world, &measure));
        CHECK_REL(measure.elastic_energy, (mu * square + lambda / 2 * trace * trace) / 6,
                  PICK(1e-9, 1e-4));
    }
    sn_world_destroy(e.world);
}

/* ---- Six stiffnesses ---- */

static const double six[6] = {1e5, 2e5, 3e5, 4e4, 5e4, 6e4};

static sn_strain_tet_def strain_def(const element *e) {
    sn_strain_tet_def def = sn_strain_tet_def_default();
    memcpy(def.node, e->node, sizeof def.node);
    def.stretch_stiffness = (sn_vec3){(sn_real)six[0], (sn_real)six[1], (sn_real)six[2]};
    def.shear_stiffness = (sn_vec3){(sn_real)six[3], (sn_real)six[4], (sn_real)six[5]};
    return def;
}

/* A bar along an axis pulls with the stiffness of that axis, and is as wide as before. */
TEST(stretch_has_a_stiffness_along_every_axis) {
    for (int variant = 0; variant < 6; variant++) {
        int axis = variant % 3, square = variant / 3;
        check_case("axis %d, %s", axis, square ? "square" : "length");
        element e = make_corner(10, 30);
        sn_strain_tet_def def = strain_def(&e);
        sn_constraint made;
        def.stretch_form = square;
        REQUIRE_OK(sn_constraint_create(e.world, SN_TYPE_STRAIN_TET, &def, &made));
        hold(&e, axis, 1.1);
        run(e.world, 600, 1.0 / 60);
        double expected = square ? (1.1 * 1.1 * 1.1 - 1.1) / 2 : 0.1;
        CHECK_REL(6 * pull(&e, made, axis + 1, axis), six[axis] * expected, PICK(1e-8, 1e-4));
        int other = (axis + 1) % 3;
        CHECK_NEAR(along(position(e.world, e.node[other + 1]), other), 1, 1e-5);
        sn_world_destroy(e.world);
    }
}

/* Two edges held at an angle push with the stiffness of their shear; the third does not care. */
TEST(shear_has_a_stiffness_between_every_two_axes) {
    for (int variant = 0; variant < 6; variant++) {
        int i = variant % 3, j = (i + 1) % 3, k = (i + 2) % 3, product = variant / 3;
        check_case("shear %d, %s", i, product ? "product" : "cosine");
        element e = make_corner(10, 30);
        sn_strain_tet_def def = strain_def(&e);
        sn_constraint made;
        double x[3] = {0, 0, 0}, c = 0.2, value;
        def.shear_form = product;
        REQUIRE_OK(sn_constraint_create(e.world, SN_TYPE_STRAIN_TET, &def, &made));
        hold(&e, j, 1.1);
        REQUIRE_OK(sn_node_set_inverse_mass(e.world, e.node[k + 1], 0));
        x[j] = 1.2 * c;
        x[k] = 1.2 * sqrt(1 - c * c);
        place(&e, k + 1, x[0], x[1], x[2]);
        run(e.world, 600, 1.0 / 60);
        value = product ? c * 1.1 * 1.2 : c;
        sn_real force[SN_MAX_ROWS], error[SN_MAX_ROWS];
        REQUIRE_OK(sn_constraint_evaluate(e.world, made, error, NULL));
        REQUIRE_OK(sn_constraint_force(e.world, made, force));
        CHECK_NEAR(error[3 + i], value, 1e-6);
        CHECK_REL(force[3 + i], -six[3 + i] / 6 * value, PICK(1e-9, 1e-4));
        CHECK_NEAR(along(position(e.world, e.node[i + 1]), i), 1, 1e-5);
        sn_world_destroy(e.world);
    }
}

/* The same axes, said by their directions or by the frame of the rest edges. */
TEST(axes_are_directions_in_the_frame_of_the_edges) {
    element e = make_corner(1, 0);
    sn_strain_tet_def def = strain_def(&e);
    sn_constraint turned, plain;
    def.axis = (sn_vec3){0, 0, 2};
    def.across = (sn_vec3){3, 0, 1};
    REQUIRE_OK(sn_constraint_create(e.world, SN_TYPE_STRAIN_TET, &def, &turned));
    def.axis = def.across = (sn_vec3){0, 0, 0};
    /* z is the first axis, x the second, y the third. */
    def.rest_edge_1 = (sn_vec3){0, 1, 0};
    def.rest_edge_2 = (sn_vec3){0, 0, 1};
    def.rest_edge_3 = (sn_vec3){1, 0, 0};
    REQUIRE_OK(sn_constraint_create(e.world, SN_TYPE_STRAIN_TET, &def, &plain));
    place(&e, 1, 1.1, 0.1, 0.3);
    place(&e, 3, 0.2, -0.3, 0.8);
    sn_real first[SN_MAX_ROWS], second[SN_MAX_ROWS];
    REQUIRE_OK(sn_constraint_evaluate(e.world, turned, first, NULL));
    REQUIRE_OK(sn_constraint_evaluate(e.world, plain, second, NULL));
    for (int row = 0; row < 6; row++) CHECK_NEAR(first[row], second[row], 1e-6);
    CHECK_NEAR(first[0], sqrt(0.04 + 0.09 + 0.64) - 1, 1e-6);
    sn_world_destroy(e.world);
}

/* ---- Bodies ---- */

static const model models[] = {{"elastic", SN_TYPE_ELASTIC_TET}, {"strain", SN_TYPE_STRAIN_TET}};

/* V32: 10^4 substeps of nothing. */
TEST(rest_is_still) {
    for (int m = 0; m < 2; m++) {
        check_case("%s", models[m].name);
        material of = {1e6, 0.3, 0};
        body b = make_body(&models[m], make_block(6, 0.2), of, make_world(100, 1, 0));
        CHECK(b.mesh.tet_count > 1000);
        run(b.world, check_long() ? 100 : 30, 1.0 / 60);
        CHECK_NEAR(moved_by(&b), 0, PICK(1e-14, 1e-6));
        free_body(&b);
    }
}

/* V33: an affine displacement of the boundary is taken over by what is inside. */
TEST(the_patch_test_holds) {
    for (int m = 0; m < 2; m++) {
        check_case("%s", models[m].name);
        material of = {1e6, 0.3, 0};
        CHECK_NEAR(patch_error(&models[m], of, make_world(20, 4, 60), 100, 0.005), 0,
                   PICK(1e-7, 1e-6));
        /* With h^2 E / (rho l^2) = 0.04 as well, where iterations undo what the order of tets
           does. */
        material hard = {0.04 * 1000 / (16 * 0.016 * 0.016 / 3600), 0.3, 0};
        CHECK_NEAR(patch_error(&models[m], hard, make_world(60, 4, 40), 30, 0.016), 0,
                   m == 0 ? 2e-6 : 1e-6);
    }
}

/* V36. */
TEST(what_was_destroyed_recovers) {
    for (int m = 0; m < 2; m++)
        for (wreck how = check_long() ? 0 : (wreck)m; how < WRECKS; how += check_long() ? 1 : 2) {
            check_case("%s, %s", models[m].name, wrecks[how]);
            check_recovery(&models[m], (material){1e6, 0.3, 0}, how);
        }
}

/* What is sheared by more than seventeen, with all of its volume, is taken about the nearest
   rotation, by the angle whose tangent is half the shear: a sweep leaves no small strain about
   it. */
TEST(what_is_sheared_far_is_put_upright) {
    const double shear = 30, angle = atan(shear / 2), c = cos(angle), s = sin(angle);
    for (int axis = 0; axis < 3; axis++) {
        const int other = (axis + 1) % 3;
        element e = make_corner(1, 0);
        sn_strain_tet_def def = sn_strain_tet_def_default();
        sn_constraint made;
        memcpy(def.node, e.node, sizeof def.node);
        REQUIRE_OK(sn_constraint_create(e.world, SN_TYPE_STRAIN_TET, &def, &made));
        double to[3] = {0};
        to[axis] = shear;
        to[other] = 1;
        place(&e, other + 1, to[0], to[1], to[2]);
        run(e.world, 1, 0.01);
        double f[2][2];
        for (int k = 0; k < 2; k++) {
            sn_vec3 at = position(e.world, e.node[(k ? other : axis) + 1]);
            sn_vec3 from = position(e.world, e.node[0]);
            double x = along(at, axis) - along(from, axis);
            double y = along(at, other) - along(from, other);
            f[k][0] = c * x - s * y;
            f[k][1] = s * x + c * y;
        }
        check_case("along %d: %g %g, %g %g", axis, f[0][0], f[0][1], f[1][0], f[1][1]);
        CHECK_NEAR(f[0][0], 1, 1e-4);
        CHECK_NEAR(f[1][1], 1, 1e-4);
        CHECK_NEAR(f[0][1] + f[1][0], 0, 1e-4);
        sn_world_destroy(e.world);
    }
}

/* ---- Fibres ---- */

static sn_constraint add_fibres(element *e, double stiffness, sn_vec3 direction, sn_side side) {
    sn_fibre_tet_def def = sn_fibre_tet_def_default();
    sn_constraint made;
    memcpy(def.node, e->node, sizeof def.node);
    def.fibre_stiffness = (sn_real)stiffness;
    def.direction = direction;
    def.contraction = (sn_real)0.6;
    def.side = side;
    REQUIRE_OK(sn_constraint_create(e->world, SN_TYPE_FIBRE_TET, &def, &made));
    return made;
}

/* The material around the fibres: Hooke's law at any strain. */
static sn_constraint add_flesh(element *e, double young, double size) {
    sn_corotated_tet_def def = sn_corotated_tet_def_default();
    sn_constraint made;
    memcpy(def.node, e->node, sizeof def.node);
    def.young = (sn_real)young;
    def.rest_edge_1 = (sn_vec3){(sn_real)size, 0, 0};
    def.rest_edge_2 = (sn_vec3){0, (sn_real)size, 0};
    def.rest_edge_3 = (sn_vec3){0, 0, (sn_real)size};
    REQUIRE_OK(sn_constraint_create(e->world, SN_TYPE_COROTATED_TET, &def, &made));
    return made;
}

/* With substeps that are short enough for two constraints on the same nodes to agree. */
static element make_soft_corner(void) {
    element e = make_corner(10, 30);
    sn_settings settings = sn_settings_default();
    REQUIRE_OK(sn_world_get_settings(e.world, &settings));
    settings.substeps = 20;
    REQUIRE_OK(sn_world_set_settings(e.world, &settings));
    return e;
}

/* Node 0 stays, node `axis` + 1 is pulled, until it rests. */
static double stretch_by(element *e, int axis, double force) {
    REQUIRE_OK(sn_node_set_inverse_mass(e->world, e->node[0], 0));
    sn_vec3 f = {(sn_real)(axis == 0 ? force : 0), (sn_real)(axis == 1 ? force : 0),
                 (sn_real)(axis == 2 ? force : 0)};
    for (int i = 0; i < 300; i++) {
        if (force != 0) REQUIRE_OK(sn_node_add_force(e->world, e->node[axis + 1], f));
        run(e->world, 1, 1.0 / 60);
    }
    return apart(position(e->world, e->node[axis + 1]), position(e->world, e->node[0]));
}

#define FLESH 1e5
#define FIBRES 3e5

/* A block of Young's modulus E with fibres of stiffness k has E + k along them. */
TEST(fibres_add_to_youngs_modulus) {
    const double strain = 1e-2;
    for (int axis = 0; axis < 3; axis++) {
        check_case("axis %d", axis);
        element e = make_soft_corner();
        sn_vec3 direction = {axis == 0 ? 5 : 0, axis == 1 ? 5 : 0, axis == 2 ? 5 : 0};
        add_flesh(&e, FLESH, 1);
        add_fibres(&e, FIBRES, direction, SN_SIDE_BOTH);
        double s = stretch_by(&e, axis, strain * (FLESH + FIBRES) / 6);
        CHECK_REL(s - 1, strain, 1e-3);
        int other = (axis + 1) % 3;
        double width = apart(position(e.world, e.node[other + 1]), position(e.world, e.node[0]));
        CHECK_NEAR(1 - width, 0.3 * strain, 1e-2 * strain);
        sn_world_destroy(e.world);
    }
}

/* E (s - 1) + k (s - l) = 0 */
TEST(fibres_contract_to_where_forces_balance) {
    for (int i = 0; i <= 4; i++) {
        double activation = i / 4.0, l = 1 - 0.4 * activation;
        check_case("activation %g", activation);
        element e = make_soft_corner();
        add_flesh(&e, FLESH, 1);
        sn_constraint fibres = add_fibres(&e, FIBRES, (sn_vec3){1, 0, 0}, SN_SIDE_BOTH);
        sn_real value[3] = {(sn_real)activation, 0, 0};
        size_t count = 0;
        CHECK_OK(
            sn_body_set_field(e.world, e.body, SN_TYPE_FIBRE_TET, "activation", value, &count));
        CHECK(count == 1);
        double expected = (FLESH + FIBRES * l) / (FLESH + FIBRES);
        CHECK_REL(stretch_by(&e, 0, 0), expected, 1e-3);
        sn_real error[SN_MAX_ROWS];
        REQUIRE_OK(sn_constraint_evaluate(e.world, fibres, error, NULL));
        CHECK_NEAR(error[0], expected - l, 1e-3);
        sn_world_destroy(e.world);
    }
}

/* Flesh that wants to be shorter than its fibres is kept from it by those that are not slack. */
TEST(slack_fibres_do_not_push) {
    for (int both = 0; both < 2; both++) {
        check_case("%s", both ? "both sides" : "slack");
        element e = make_soft_corner();
        add_flesh(&e, FLESH, 0.9);
        add_fibres(&e, FIBRES, (sn_vec3){1, 0, 0}, both ? SN_SIDE_BOTH : SN_SIDE_AT_MOST);
        /* V (E / 2 (s / 0.9 - 1)^2 + ...): the flesh is that of a cube of 0.9 m. */
        double flesh = FLESH * 0.9 * 0.9 * 0.9 / 0.81,
               meet = (flesh * 0.9 + FIBRES) / (flesh + FIBRES);
        CHECK_REL(stretch_by(&e, 0, 0), both ? meet : 0.9, 1e-3);
        sn_world_destroy(e.world);
    }
}

/* ---- All constraints of a body ---- */

TEST(a_field_is_set_for_a_body_at_once) {
    body b = make_body(&models[0], make_block(2, 0), (material){1e6, 0.3, 0}, make_world(2, 1, 0));
    sn_real value[3] = {5e5, 0, 0}, found[3];
    size_t count = 99;
    CHECK_OK(sn_body_set_field(b.world, b.body, SN_TYPE_ELASTIC_TET, "young", value, &count));
    CHECK(count == b.mesh.tet_count);
    for (size_t i = 0; i < count; i++) {
        sn_constraint each;
        REQUIRE_OK(sn_world_constraint_at(b.world, i, &each));
        REQUIRE_OK(sn_constraint_get_field(b.world, each, "young", found));
        CHECK(found[0] == value[0]);
    }
    found[0] = 1;
    CHECK_OK(sn_body_set_field(b.world, b.body, SN_TYPE_FIBRE_TET, "activation", found, &count));
    CHECK(count == 0);
    /* Refused for all of them, and nothing has changed. */
    uint64_t hash = sn_world_hash(b.world);
    value[0] = 0;
    CHECK_FAILS(sn_body_set_field(b.world, b.body, SN_TYPE_ELASTIC_TET, "young", value, NULL),
                SN_ERROR_VALUE);
    value[0] = 2;
    CHECK_FAILS(sn_body_set_field(b.world, b.body, SN_TYPE_ELASTIC_TET, "poisson", value, NULL),
                SN_ERROR_VALUE);
    CHECK_FAILS(sn_body_set_field(b.world, b.body, SN_TYPE_ELASTIC_TET, "yung", value, NULL),
                SN_ERROR_NAME);
    CHECK_FAILS(sn_body_set_field(b.world, b.body, SN_TYPE_COUNT, "young", value, NULL),
                SN_ERROR_VALUE);
    CHECK(sn_world_hash(b.world) == hash);
    free_body(&b);
}

/* What was set goes into recordings. */
TEST(fields_of_a_body_are_recorded) {
    const char *path = "strains_recording.rec";
    element e = make_corner(2, 0);
    add_flesh(&e, 1e5, 1);
    add_fibres(&e, 3e5, (sn_vec3){1, 0, 0}, SN_SIDE_BOTH);
    REQUIRE_OK(sn_recording_start(e.world, path));
    for (int i = 0; i < 10; i++) {
        sn_real value[3] = {(sn_real)(i / 10.0), 0, 0};
        CHECK_OK(sn_body_set_field(e.world, e.body, SN_TYPE_FIBRE_TET, "activation", value, NULL));
        run(e.world, 1, 1.0 / 60);
    }
    REQUIRE_OK(sn_recording_stop(e.world));
    uint64_t hash = sn_world_hash(e.world);
    sn_world *again = make_world(1, 1, 0);
    CHECK_OK(sn_replay_file(again, path, NULL));
    CHECK(sn_world_hash(again) == hash);
    sn_world_destroy(again);
    sn_world_destroy(e.world);
    remove(path);
}

TESTS(RUN(bars_are_those_of_the_material), RUN(small_strain_gives_young_and_poisson),
      RUN(energy_is_that_of_the_survey), RUN(stretch_has_a_stiffness_along_every_axis),
      RUN(shear_has_a_stiffness_between_every_two_axes),
      RUN(axes_are_directions_in_the_frame_of_the_edges), RUN(rest_is_still),
      RUN(the_patch_test_holds), RUN(what_was_destroyed_recovers),
      RUN(what_is_sheared_far_is_put_upright), RUN(fibres_add_to_youngs_modulus),
      RUN(fibres_contract_to_where_forces_balance), RUN(slack_fibres_do_not_push),
      RUN(a_field_is_set_for_a_body_at_once), RUN(fields_of_a_body_are_recorded))
