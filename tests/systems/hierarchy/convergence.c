/*
 * What hierarchies do: large hard sheets hang as they should, at the price of a few sweeps; what is
 * at rest, free or folded stays so; the number of threads does not matter.
 */
#include "check.h"

#include <scenes.h>

#include <math.h>
#include <stdlib.h>

enum { SIDE = 60 };

typedef struct sheet {
    sn_world *world;
    scene_mesh mesh;
    sn_vec3 *x; /* where the nodes are, in m */
} sheet;

static sheet make_sheet(int side, scene_pins pins, double gravity, int substeps, int threads) {
    sheet s = {0};
    sn_world_def def = sn_world_def_default();
    scene_cloth_def cloth = scene_cloth_def_default();
    def.threads = threads;
    def.settings.gravity = (sn_vec3){0, (sn_real)-gravity, 0};
    def.settings.substeps = substeps;
    def.settings.iterations = 1;
    cloth.columns = cloth.rows = side;
    cloth.pins = pins;
    REQUIRE_OK(sn_world_create(&def, &s.world));
    REQUIRE_OK(scene_cloth(s.world, &cloth, &s.mesh));
    s.x = malloc(s.mesh.node_count * sizeof *s.x);
    if (!CHECK(s.x)) exit(1);
    REQUIRE_OK(scene_mesh_positions(s.world, &s.mesh, s.x));
    return s;
}

static void free_sheet(sheet *s) {
    scene_mesh_free(&s->mesh);
    sn_world_destroy(s->world);
    free(s->x);
}

static sn_hierarchy_def define(const sheet *s) {
    sn_hierarchy_def def = sn_hierarchy_def_default();
    def.nodes = s->mesh.nodes;
    def.node_count = s->mesh.node_count;
    def.triangles = s->mesh.triangles[0];
    def.triangle_count = s->mesh.triangle_count;
    return def;
}

static sn_hierarchy add_levels(const sheet *s) {
    sn_hierarchy_def def = define(s);
    sn_hierarchy hierarchy;
    REQUIRE_OK(sn_hierarchy_create(s->world, &def, &hierarchy));
    return hierarchy;
}

static void step(sheet *s, int frames) {
    for (int i = 0; i < frames; i++) REQUIRE_OK(sn_world_step(s->world, (sn_real)(1.0 / 60)));
}

/* The farthest that a node is from where it was made, in m. */
static double largest_motion(sheet *s) {
    double largest = 0;
    sn_vec3 *now = malloc(s->mesh.node_count * sizeof *now);
    if (!CHECK(now)) exit(1);
    REQUIRE_OK(scene_mesh_positions(s->world, &s->mesh, now));
    for (size_t i = 0; i < s->mesh.node_count; i++) {
        double dx = (double)now[i].x - (double)s->x[i].x, dy = (double)now[i].y - (double)s->x[i].y;
        double dz = (double)now[i].z - (double)s->x[i].z, d = sqrt(dx * dx + dy * dy + dz * dz);
        if (!(d <= largest)) largest = d;
    }
    free(now);
    return largest;
}

/* 60 x 60 nodes, four sweeps a frame: 3 % instead of 30 %. */
TEST(levels_keep_a_sheet_from_stretching) {
    sheet plain = make_sheet(SIDE, SCENE_PINS_TWO_CORNERS, 9.81, 4, 1);
    sheet held = make_sheet(SIDE, SCENE_PINS_TWO_CORNERS, 9.81, 4, 1);
    add_levels(&held);
    double without = 0, with = 0;
    for (int i = 0; i < 90; i++) {
        step(&plain, 1);
        step(&held, 1);
        without += scene_mean_strain(plain.world, &plain.mesh) / 90;
        with += scene_mean_strain(held.world, &held.mesh) / 90;
    }
    check_case("mean strain %.4f without and %.4f with levels", without, with);
    CHECK(with < without / 8);
    CHECK(with < 0.03);
    free_sheet(&plain);
    free_sheet(&held);
}

TEST(what_is_at_rest_stays) {
    sheet s = make_sheet(SIDE, SCENE_PINS_NONE, 0, 4, 1);
    add_levels(&s);
    step(&s, 30);
    CHECK_NEAR(largest_motion(&s), 0, 1e-6);
    free_sheet(&s);
}

/* A free sheet that is torn at in all directions keeps its momentum, and its angular momentum as
   far as nodes are in the middle of what follows them. */
TEST(momentum_is_kept) {
    sheet s = make_sheet(30, SCENE_PINS_NONE, 0, 4, 1);
    sn_measure before, after;
    add_levels(&s);
    for (size_t i = 0; i < s.mesh.node_count; i++) {
        double a = 1.7 * (double)i;
        sn_vec3 v = {(sn_real)(1 + 0.3 * sin(a)), (sn_real)(0.5 * cos(2.3 * a)),
                     (sn_real)(0.2 * sin(0.01 * a))};
        REQUIRE_OK(sn_node_set_velocity(s.world, s.mesh.nodes[i], v));
    }
    REQUIRE_OK(sn_world_measure(s.world, &before));
    step(&s, 60);
    REQUIRE_OK(sn_world_measure(s.world, &after));
    double size = sqrt(pow((double)before.momentum[0], 2) + pow((double)before.momentum[1], 2) +
                       pow((double)before.momentum[2], 2));
    for (int k = 0; k < 3; k++) CHECK_NEAR(after.momentum[k], before.momentum[k], 1e-5 * size);
    CHECK(after.kinetic_energy < before.kinetic_energy);
    free_sheet(&s);
}

/* Folded in half, and flat at rest: distances that only pull have nothing to say. */
static double unfold(sn_side side) {
    sheet s = make_sheet(31, SCENE_PINS_NONE, 0, 4, 1);
    sn_hierarchy_def def = define(&s);
    sn_hierarchy hierarchy;
    def.rest = s.x;
    def.side = side;
    REQUIRE_OK(sn_hierarchy_create(s.world, &def, &hierarchy));
    double middle = (double)s.x[15 * 31].z;
    for (size_t i = 0; i < s.mesh.node_count; i++) {
        sn_vec3 x = s.x[i];
        if ((double)x.z > middle) x.z = (sn_real)(2 * middle - (double)x.z);
        s.x[i] = x;
        REQUIRE_OK(sn_node_set_position(s.world, s.mesh.nodes[i], x));
    }
    step(&s, 30);
    double motion = largest_motion(&s);
    free_sheet(&s);
    return motion;
}

TEST(folds_stay) {
    CHECK_NEAR(unfold(SN_SIDE_AT_MOST), 0, 1e-6);
    double pushed = unfold(SN_SIDE_BOTH);
    check_case("pushed by %g m", pushed);
    CHECK(pushed > 0.01);
}

/* Two sheets that are joined hang as one when the hierarchy is of both. */
static double hang_two(bool together) {
    sheet s = make_sheet(30, SCENE_PINS_TWO_CORNERS, 9.81, 4, 1);
    scene_cloth_def cloth = scene_cloth_def_default();
    scene_mesh lower;
    sn_node nodes[1800];
    cloth.columns = cloth.rows = 30;
    cloth.pins = SCENE_PINS_NONE;
    cloth.origin.z = (sn_real)0.3;
    REQUIRE_OK(scene_cloth(s.world, &cloth, &lower));
    for (size_t i = 0; i < 30; i++) {
        sn_distance_def seam = sn_distance_def_default();
        sn_constraint made;
        seam.node[0] = s.mesh.nodes[870 + i];
        seam.node[1] = lower.nodes[i];
        REQUIRE_OK(sn_constraint_create(s.world, SN_TYPE_DISTANCE, &seam, &made));
    }
    for (size_t i = 0; i < 900; i++) {
        nodes[i] = lower.nodes[i];
        nodes[900 + i] = s.mesh.nodes[i];
    }
    sn_hierarchy_def def = sn_hierarchy_def_default();
    sn_hierarchy hierarchy;
    def.nodes = nodes;
    def.node_count = together ? 1800 : 900;
    REQUIRE_OK(sn_hierarchy_create(s.world, &def, &hierarchy));
    double strain = 0;
    for (int i = 0; i < 60; i++) {
        step(&s, 1);
        strain += scene_mean_strain(s.world, &s.mesh) / 60;
    }
    scene_mesh_free(&lower);
    free_sheet(&s);
    return strain;
}

TEST(a_hierarchy_goes_over_several_bodies) {
    double one = hang_two(false), two = hang_two(true);
    check_case("mean strain %.4f with levels below, %.4f with levels of both", one, two);
    CHECK(two < one / 2);
}

/* What hung from two corners hangs from one, and what is let go falls freely. */
TEST(pins_may_be_released) {
    sheet s = make_sheet(30, SCENE_PINS_TWO_CORNERS, 9.81, 4, 1);
    sn_measure before, after;
    add_levels(&s);
    step(&s, 10);
    REQUIRE_OK(sn_node_set_inverse_mass(s.world, s.mesh.nodes[0], 1));
    step(&s, 10);
    sn_vec3 *now = malloc(s.mesh.node_count * sizeof *now);
    REQUIRE_OK(scene_mesh_positions(s.world, &s.mesh, now));
    CHECK(now && now[0].y < -0.05 && now[29].y == 0);
    REQUIRE_OK(sn_node_set_inverse_mass(s.world, s.mesh.nodes[29], 1));
    REQUIRE_OK(sn_world_measure(s.world, &before));
    step(&s, 30);
    REQUIRE_OK(sn_world_measure(s.world, &after));
    CHECK_REL(after.momentum[1] - before.momentum[1], -9.81 * 0.5 * after.mass, 1e-4);
    CHECK_NEAR(after.momentum[2], before.momentum[2], 1e-4 * fabs(after.momentum[1]));
    free(now);
    free_sheet(&s);
}

static uint64_t hash_with(int threads) {
    sheet s = make_sheet(SIDE, SCENE_PINS_TWO_CORNERS, 9.81, 3, threads);
    add_levels(&s);
    step(&s, 20);
    uint64_t hash = sn_world_hash(s.world);
    free_sheet(&s);
    return hash;
}

TEST(threads_do_not_matter) {
    uint64_t alone = hash_with(1);
    for (int threads = 2; threads <= 8; threads += 2) CHECK(hash_with(threads) == alone);
}

TESTS(RUN(levels_keep_a_sheet_from_stretching), RUN(what_is_at_rest_stays), RUN(momentum_is_kept),
      RUN(folds_stay), RUN(a_hierarchy_goes_over_several_bodies), RUN(pins_may_be_released),
      RUN(threads_do_not_matter))
