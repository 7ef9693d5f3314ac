/* What tethers hold: V40, and a hanging cloth that its edges alone cannot hold. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bodies/meshed_body.h"

static sn_world *falling_world(int substeps, int iterations, double damping) {
    sn_world_def def = sn_world_def_default();
    def.settings.substeps = substeps;
    def.settings.iterations = iterations;
    def.settings.damping = (sn_real)damping;
    sn_world *world = NULL;
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

/* A square of 1 m hanging by two corners. */
static body hang(sn_world *world, uint32_t cells, int tethers) {
    const uint32_t pins[] = {0, cells};
    sn_cloth_material cloth = sn_cloth_material_default();
    cloth.tethers = (sn_real)tethers;
    sn_build_def def = sn_build_def_default();
    def.pins = pins;
    def.pin_count = 2;
    sn_mesh mesh = grid_mesh(1, 1, cells, cells, SN_GRID_ALTERNATING);
    return body_make(world, SN_KIND_CLOTH, &cloth, mesh, &def);
}

static double distance_of(const body *b, size_t i, size_t j) {
    double x[3], y[3];
    body_position(b, i, x);
    body_position(b, j, y);
    return sqrt((x[0] - y[0]) * (x[0] - y[0]) + (x[1] - y[1]) * (x[1] - y[1]) +
                (x[2] - y[2]) * (x[2] - y[2]));
}

static double rest_of(const body *b, size_t i, size_t j) {
    sn_vec3 x = b->mesh.positions[i], y = b->mesh.positions[j];
    return sqrt(((double)x.x - (double)y.x) * ((double)x.x - (double)y.x) +
                ((double)x.z - (double)y.z) * ((double)x.z - (double)y.z));
}

/* The most that a vertex is beyond what its tether to a pin allows, over that. */
static double beyond(const body *b, uint32_t pin, bool nearest, uint32_t other) {
    double worst = 0;
    for (size_t i = 0; i < b->mesh.vertex_count; i++) {
        double rest = rest_of(b, i, pin);
        if (i == pin || i == other || (nearest && rest > rest_of(b, i, other) - 1e-6)) continue;
        worst = fmax(worst, distance_of(b, i, pin) / rest - 1);
    }
    return worst;
}

/* V40: never beyond r_max (1 + 1e-6), with every solver and integrator. */
TEST(tethers_are_never_beyond_their_length) {
    enum { CELLS = 20 };
    static const sn_solver solvers[] = {SN_SOLVER_COLOURED, SN_SOLVER_REFERENCE, SN_SOLVER_JACOBI,
                                        SN_SOLVER_HYBRID};
    for (int variant = 0; variant < 8; variant++) {
        check_case("solver %d, integrator %d", variant / 2, variant % 2);
        sn_world *world = falling_world(4, 1, 0);
        sn_settings settings;
        REQUIRE_OK(sn_world_get_settings(world, &settings));
        settings.solver = solvers[variant / 2];
        settings.integrator = variant % 2 ? SN_INTEGRATOR_BDF2 : SN_INTEGRATOR_BDF1;
        REQUIRE_OK(sn_world_set_settings(world, &settings));
        body b = hang(world, CELLS, 1);
        double worst = 0;
        for (int frame = 0; frame < 60; frame++) {
            body_run(&b, 1, 1.0 / 60);
            worst = fmax(worst, fmax(beyond(&b, 0, true, CELLS), beyond(&b, CELLS, true, 0)));
        }
        CHECK(count_type(b.world, SN_TYPE_TETHER) == 21 * 21 - 2);
        CHECK(worst < 1e-6);
        CHECK(worst > -0.01); /* some are taut */
        body_free(&b);
    }
}

/* Two tethers per node may disagree by what the sheet is stretched between two sweeps. */
TEST(several_tethers_hold_nearly_as_well) {
    enum { CELLS = 20 };
    sn_world *world = falling_world(10, 1, 0.5);
    body b = hang(world, CELLS, 2);
    double worst = 0;
    for (int frame = 0; frame < 60; frame++) {
        body_run(&b, 1, 1.0 / 60);
        worst = fmax(worst, fmax(beyond(&b, 0, false, CELLS), beyond(&b, CELLS, false, 0)));
    }
    CHECK(count_type(b.world, SN_TYPE_TETHER) == 2 * (21 * 21 - 2));
    CHECK(worst < 3e-3); /* 0.0023: the middle of the upper edge, where both are taut */
    body_free(&b);
}

typedef struct strain {
    double most, mean;
} strain;

static strain strain_of(const body *b, uint32_t cells) {
    strain s = {0, 0};
    size_t edges = 0;
    for (size_t i = 0; i < b->mesh.vertex_count; i++)
        for (int k = 0; k < 2; k++) {
            size_t j = k ? i + cells + 1 : i + 1;
            if (k ? j >= b->mesh.vertex_count : j % (cells + 1) == 0) continue;
            double part = fabs(distance_of(b, i, j) / rest_of(b, i, j) - 1);
            s.most = fmax(s.most, part);
            s.mean += part;
            edges++;
        }
    s.mean /= (double)edges;
    return s;
}

/* With few substeps edges alone leave much undone at the corners that a cloth hangs by. */
TEST(a_hanging_cloth_does_not_stretch) {
    enum { CELLS = 49 };
    strain without, with;
    for (int tethers = 0; tethers <= 2; tethers += 2) {
        sn_world *world = falling_world(4, 1, 0.5);
        body b = hang(world, CELLS, tethers);
        body_run(&b, 240, 1.0 / 60);
        *(tethers ? &with : &without) = strain_of(&b, CELLS);
        body_free(&b);
    }
    check_case("without: most %.4f mean %.4f; with: most %.4f mean %.4f", without.most,
               without.mean, with.most, with.mean);
    CHECK(without.mean > 0.02);
    CHECK(with.mean < 0.4 * without.mean);
    CHECK(with.most < 0.5 * without.most);
}

/* The same bits with one thread and with three, and with every width. */
TEST(threads_and_widths_do_not_matter) {
    uint64_t first = 0;
    for (int variant = 0; variant < 4; variant++) {
        static const int widths[] = {1, 4, 8, 16};
        sn_world_def def = sn_world_def_default();
        def.threads = variant % 2 ? 3 : 1;
        def.simd_width = widths[variant];
        sn_world *world = NULL;
        sn_result result = sn_world_create(&def, &world);
        if (result == SN_ERROR_VALUE) continue;
        REQUIRE_OK(result);
        body b = hang(world, 40, 3);
        body_run(&b, 30, 1.0 / 60);
        uint64_t hash = sn_world_hash(b.world);
        if (variant == 0) first = hash;
        check_case("width %d", widths[variant]);
        CHECK(hash == first);
        body_free(&b);
    }
}

/* A slack factor of 1.1 lets the cloth be longer by as much. */
TEST(slack_is_allowed) {
    sn_world *world = falling_world(2, 1, 1);
    const uint32_t pins[] = {0};
    sn_cloth_material cloth = sn_cloth_material_default();
    cloth.stretch_stiffness = 1;
    cloth.tethers = 1;
    cloth.tether_slack = (sn_real)1.1;
    sn_build_def def = sn_build_def_default();
    def.pins = pins;
    def.pin_count = 1;
    body b =
        body_make(world, SN_KIND_CLOTH, &cloth, grid_mesh(1, 1, 10, 10, SN_GRID_ALTERNATING), &def);
    body_run(&b, 240, 1.0 / 60);
    CHECK_REL(distance_of(&b, 0, 120), 1.1 * rest_of(&b, 0, 120), 1e-3);
    body_free(&b);
}

/* A tether of its own, made by hand, to a point of the world. */
TEST(tethers_can_be_made_one_by_one) {
    sn_world *world = falling_world(4, 1, 0);
    sn_node_def def = sn_node_def_default();
    sn_node node;
    def.position = (sn_vec3){1, 0, 0};
    REQUIRE_OK(sn_node_create(world, &def, &node));
    sn_tether_def tether = sn_tether_def_default();
    tether.node[0] = node;
    CHECK(tether.side == SN_SIDE_AT_MOST);
    sn_constraint made;
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_TETHER, &tether, &made));
    for (int i = 0; i < 60; i++) {
        sn_node_def at;
        REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
        REQUIRE_OK(sn_node_get(world, node, &at));
        CHECK(hypot((double)at.position.x, (double)at.position.y) < 1 + 1e-6);
    }
    sn_world_destroy(world);
}

TESTS(RUN(tethers_are_never_beyond_their_length), RUN(several_tethers_hold_nearly_as_well),
      RUN(a_hanging_cloth_does_not_stretch), RUN(threads_and_widths_do_not_matter),
      RUN(slack_is_allowed), RUN(tethers_can_be_made_one_by_one))
