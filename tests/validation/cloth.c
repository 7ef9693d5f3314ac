/*
 * V12: how far a cloth sags is a matter of its compliance, and not of the substep.
 *
 * It hangs by one edge, in its own plane, and stretches. It starts near where it will rest; 3/s of
 * damping is near critical for the slowest mode.
 */
#include "build.h"

#include <math.h>
#include <scenes.h>

enum { SIDE = 64 };

/* So that h^2 / m is less than 0.02 times the compliance at the largest h. */
static const double node_mass = 20, compliance = 1e-5;

/* How far below its place without weight the lowest node hangs, in m. */
static double settled_sag(int rate, int iterations) {
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    settings.gravity = vector(0, 0, GRAVITY);
    settings.substeps = rate / 60;
    settings.iterations = iterations;
    settings.damping = 3;
    sn_world *world = make_world(settings);
    scene_cloth_def def = scene_cloth_def_default();
    def.columns = def.rows = SIDE;
    def.spacing = (sn_real)(1.0 / SIDE);
    def.node_mass = (sn_real)node_mass;
    def.compliance = (sn_real)compliance;
    def.pins = SCENE_PINS_FIRST_ROW;
    scene_mesh mesh = {0};
    REQUIRE_OK(scene_cloth(world, &def, &mesh));
    for (size_t i = 0; i < mesh.node_count; i++) {
        vec x = position_of(world, mesh.nodes[i]);
        sn_vec3 near = vector(x.x, x.y, x.z + 2.2 * x.z * (2 - x.z));
        CHECK_OK(sn_node_set_position(world, mesh.nodes[i], near));
    }
    advance(world, 1.0 / rate, 2 * rate);
    double lowest = 0;
    for (size_t i = 0; i < mesh.node_count; i++)
        lowest = fmax(lowest, position_of(world, mesh.nodes[i]).z);
    scene_mesh_free(&mesh);
    sn_world_destroy(world);
    return lowest - (SIDE - 1.0) / SIDE;
}

TEST(sag_does_not_depend_on_the_substep) {
    static const int rates[] = {600, 1200, 2400};
    CHECK(1.0 / 600 / 600 / node_mass < 0.02 * compliance);
    double sag[3];
    for (int i = 0; i < 3; i++) sag[i] = settled_sag(rates[i], 1);
    for (int i = 0; i < 3; i++) {
        check_case("%d substeps per second", rates[i]);
        CHECK_REL(sag[i], sag[2], 0.02);
    }
    /* It is a large one: some 2016 times compliance times the weight of a node, less what the
       diagonals bear. */
    double weight = node_mass * GRAVITY * compliance;
    CHECK(sag[2] > 1000 * weight && sag[2] < 2016 * weight);
}

TEST(sag_does_not_depend_on_the_iterations) {
    double once = settled_sag(600, 1), often = settled_sag(600, 4);
    CHECK_REL(once, often, 0.02);
}

TESTS(RUN(sag_does_not_depend_on_the_substep), RUN(sag_does_not_depend_on_the_iterations))
