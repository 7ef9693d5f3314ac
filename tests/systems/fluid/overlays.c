/*
 * Layers of cloth as a fluid: nodes of cloth that keep their density stay apart, layer from layer,
 * at the distance that the kernel says, and do not pass through each other.
 */
#include "pool.h"

#include <sinew/build.h>
#include <sinew/generate.h>

enum { SIDE = 12, NODES = (SIDE + 1) * (SIDE + 1) };
static const double spacing = 0.05, area_density = 0.2;

typedef struct layers {
    sn_world *world;
    sn_node lower[NODES], upper[NODES];
} layers;

static void add_layer(sn_world *world, double height, sn_node nodes[NODES]) {
    sn_mesh mesh = sn_mesh_default();
    sn_grid_def grid = sn_grid_def_default();
    sn_cloth_material cloth = sn_cloth_material_default();
    sn_build_def def = sn_build_def_default();
    sn_build build;
    grid.columns = grid.rows = SIDE;
    grid.width = grid.depth = (sn_real)(SIDE * spacing);
    REQUIRE_OK(sn_generate_grid(&mesh, &grid));
    cloth.area_density = (sn_real)area_density;
    cloth.drag = 0;
    def.mesh = &mesh;
    def.position = (sn_vec3){0, (sn_real)height, 0};
    REQUIRE_OK(sn_build_body(world, SN_KIND_CLOTH, &cloth, &def, nodes, &build));
    sn_mesh_free(&mesh);
}

/* Two layers, of which the lower one is held; as a fluid whose layers are as thick as nodes are
   apart. Nodes at the border have less mass, and so less volume. */
static layers make_layers(double gravity, double damping, double distance, bool dense) {
    layers l = {.world = make_world(gravity, 1)};
    sn_node all[2 * NODES];
    sn_settings settings;
    REQUIRE_OK(sn_world_get_settings(l.world, &settings));
    settings.damping = (sn_real)damping;
    settings.substeps = 8;
    REQUIRE_OK(sn_world_set_settings(l.world, &settings));
    add_layer(l.world, 0, l.lower);
    add_layer(l.world, distance, l.upper);
    for (int i = 0; i < NODES; i++) {
        all[i] = l.lower[i];
        all[NODES + i] = l.upper[i];
    }
    sn_fluid_def def = sn_fluid_def_default();
    sn_fluid fluid;
    def.nodes = all;
    def.node_count = 2 * NODES;
    def.rest_density = (sn_real)(area_density / spacing);
    def.reach = (sn_real)(2 * spacing);
    if (dense) REQUIRE_OK(sn_fluid_create(l.world, &def, &fluid));
    for (int i = 0; i < NODES; i++) REQUIRE_OK(sn_node_set_inverse_mass(l.world, l.lower[i], 0));
    return l;
}

static sn_vec3 position(const layers *l, sn_node node) {
    sn_node_def def = sn_node_def_default();
    REQUIRE_OK(sn_node_get(l->world, node, &def));
    return def.position;
}

/* The cubic spline that vanishes at a distance of 1, over its value at 0. */
static double kernel(double q) {
    return q < 0.5 ? 1 + 6 * q * q * (q - 1) : q < 1 ? 2 * (1 - q) * (1 - q) * (1 - q) : 0;
}

/* What a layer adds to the density of a node so far from it, in spacings. */
static double layer_at(double distance) {
    const double pi = 3.14159265358979323846;
    double sum = 0;
    for (int x = -2; x <= 2; x++)
        for (int z = -2; z <= 2; z++) sum += kernel(sqrt(x * x + z * z + distance * distance) / 2);
    return sum / pi;
}

/* Where a node of the middle has the density 1, of its own layer and another one whose nodes have
   so much of its volume; in spacings. */
static double apart(double part) {
    double low = 0.1, high = 2;
    for (int i = 0; i < 50; i++) {
        double middle = (low + high) / 2;
        *(layer_at(0) + part * layer_at(middle) > 1 ? &low : &high) = middle;
    }
    return low;
}

TEST(layers_keep_their_distance) {
    /* Nodes that are held count with the mean volume of all, of whom those at the border have less
       than the others. */
    double low = apart((double)(SIDE * SIDE) / NODES), worst = 0;
    CHECK_NEAR(layer_at(0), 0.70, 0.005);
    CHECK_NEAR(layer_at(0) + 2 * layer_at(1), 1, 0.005);
    CHECK_NEAR(apart(1), 0.76, 0.005);
    /* It comes down by a small weight, which presses it by little. */
    layers l = make_layers(0.2, 10, 0.9 * spacing, true);
    run(l.world, 240);
    sn_vec3 at = position(&l, l.upper[NODES / 2]);
    for (int i = 0; i < NODES - 1; i++) {
        if (i % (SIDE + 1) == SIDE) continue;
        sn_vec3 a = position(&l, l.upper[i]), b = position(&l, l.upper[i + 1]);
        double length = hypot(hypot((double)(b.x - a.x), (double)(b.y - a.y)), (double)(b.z - a.z));
        worst = fmax(worst, fabs(length / spacing - 1));
    }
    check_case("apart by %.4f for %.4f, edges off by %.5f", (double)at.y / spacing, low, worst);
    /* Its border, with less volume, hangs lower and bends it. */
    CHECK_NEAR((double)at.y / spacing, low, 0.02);
    CHECK(worst < 0.01);
    sn_world_destroy(l.world);
}

TEST(layers_do_not_pass) {
    for (int dense = 0; dense < 2; dense++) {
        layers l = make_layers(GRAVITY, 0, 3 * spacing, dense);
        double lowest = INFINITY;
        for (int step = 0; step < 20; step++) {
            run(l.world, 1);
            /* At the border, where nodes have less volume, they may slip off. */
            for (int i = 0; i < NODES; i++) {
                int x = i % (SIDE + 1), z = i / (SIDE + 1);
                if (x < 3 || x > SIDE - 3 || z < 3 || z > SIDE - 3) continue;
                lowest = fmin(lowest, (double)position(&l, l.upper[i]).y / spacing);
            }
        }
        check_case("%s densities: the lowest at %.3f", dense ? "with" : "without", lowest);
        CHECK(dense ? lowest > 0.3 : lowest < -1);
        sn_world_destroy(l.world);
    }
}

TESTS(RUN(layers_keep_their_distance), RUN(layers_do_not_pass))
