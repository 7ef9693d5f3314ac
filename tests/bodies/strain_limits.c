/* Limits of strain, by triangles and by edges, and edges that give way to compression. */
#include <math.h>
#include <string.h>

#include "meshed_body.h"

/* The singular values of the deformation of a triangle, by another way than the library's. */
static void singular(const body *b, size_t triangle, double sigma[2]) {
    const uint32_t *t = b->mesh.triangles[triangle];
    double x[3][3], e[2][3], r[2][2];
    for (int k = 0; k < 3; k++) body_position(b, t[k], x[k]);
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 3; i++) e[k][i] = x[k + 1][i] - x[0][i];
        r[k][0] = (double)b->mesh.positions[t[k + 1]].x - (double)b->mesh.positions[t[0]].x;
        r[k][1] = (double)b->mesh.positions[t[k + 1]].z - (double)b->mesh.positions[t[0]].z;
    }
    double det = r[0][0] * r[1][1] - r[0][1] * r[1][0], f[2][3], g[2][2] = {{0}};
    for (int i = 0; i < 3; i++) {
        f[0][i] = (e[0][i] * r[1][1] - e[1][i] * r[0][1]) / det;
        f[1][i] = (e[1][i] * r[0][0] - e[0][i] * r[1][0]) / det;
    }
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 3; i++) g[k / 2][k % 2] += f[k / 2][i] * f[k % 2][i];
    double mean = (g[0][0] + g[1][1]) / 2, half = (g[0][0] - g[1][1]) / 2;
    double root = sqrt(half * half + g[0][1] * g[0][1]);
    sigma[0] = sqrt(mean + root);
    sigma[1] = sqrt(fmax(0, mean - root));
}

static void range_of(const body *b, double *least, double *most) {
    *least = INFINITY;
    *most = 0;
    for (size_t i = 0; i < b->mesh.triangle_count; i++) {
        double sigma[2];
        singular(b, i, sigma);
        *most = fmax(*most, sigma[0]);
        *least = fmin(*least, sigma[1]);
    }
}

/* Vertices thrown about by as much as a third of a cell, in the plane and out of it. */
static void scatter(const body *b, double size) {
    uint64_t state = 11;
    for (size_t i = 0; i < b->mesh.vertex_count; i++) {
        double x[3];
        body_position(b, i, x);
        for (int axis = 0; axis < 3; axis++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            x[axis] += size * ((double)(state >> 11) / 4503599627370496.0 - 1);
        }
        sn_vec3 to = {(sn_real)x[0], (sn_real)x[1], (sn_real)x[2]};
        REQUIRE_OK(sn_node_set_position(b->world, b->nodes[i], to));
    }
}

static body make_limited(sn_world *world, uint32_t cells, double most, double least, int limits) {
    sn_cloth_material cloth = sn_cloth_material_default();
    cloth.stretch_stiffness = (sn_real)0.01;
    cloth.strain_limit = (sn_real)(most - 1);
    cloth.compression_limit = (sn_real)(1 - least);
    cloth.limits = limits;
    sn_build_def def = sn_build_def_default();
    return body_make(world, SN_KIND_CLOTH, &cloth,
                     grid_mesh(1, 1, cells, cells, SN_GRID_ALTERNATING), &def);
}

/* A sheet that was thrown about is within its limits after enough sweeps, and has not been moved
   as a whole. */
TEST(principal_strains_are_limited) {
    sn_world *world = still_world(1, 0);
    sn_settings settings;
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.iterations = 400;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    body b = make_limited(world, 8, 1.1, 0.8, 0);
    CHECK(count_type(world, SN_TYPE_STRAIN_LIMIT_TRIANGLE) == 2 * b.mesh.triangle_count);
    scatter(&b, 0.04);
    double least, most;
    range_of(&b, &least, &most);
    CHECK(most > 1.3 && least < 0.6);
    sn_measure before, after;
    REQUIRE_OK(sn_world_measure(world, &before));
    body_run(&b, 1, 0.01);
    REQUIRE_OK(sn_world_measure(world, &after));
    range_of(&b, &least, &most);
    CHECK(most < 1.1 + 1e-3);
    CHECK(least > 0.8 - 1e-3);
    /* The corrections became velocities; their sum is none. */
    double size = sqrt(2 * before.mass * after.kinetic_energy);
    for (int axis = 0; axis < 3; axis++)
        CHECK_NEAR(after.momentum[axis], before.momentum[axis], 1e-5 * size);
    body_free(&b);
}

/* C is how much longer a triangle is than its limit along the direction in which it is longest, but
   for the corner that is rounded by 1/4096. */
TEST(the_limit_is_of_the_longest_direction) {
    static const double stretch[4][2] = {{1.5, 1}, {1, 1.5}, {1.25, 0.5}, {2, 0.25}};
    for (int i = 0; i < 4; i++) {
        sn_world *world = still_world(1, 0);
        sn_strain_limit_triangle_def def = sn_strain_limit_triangle_def_default();
        sn_constraint made;
        sn_real value[SN_MAX_ROWS];
        for (int k = 0; k < 3; k++) {
            sn_node_def n = sn_node_def_default();
            n.position = (sn_vec3){k == 1, k == 2, 0};
            REQUIRE_OK(sn_node_create(world, &n, &def.node[k]));
        }
        def.limit = 1;
        def.side = SN_SIDE_AT_MOST;
        REQUIRE_OK(sn_constraint_create(world, SN_TYPE_STRAIN_LIMIT_TRIANGLE, &def, &made));
        sn_vec3 x = {(sn_real)stretch[i][0], 0, 0}, y = {0, (sn_real)stretch[i][1], 0};
        REQUIRE_OK(sn_node_set_position(world, def.node[1], x));
        REQUIRE_OK(sn_node_set_position(world, def.node[2], y));
        REQUIRE_OK(sn_constraint_evaluate(world, made, value, NULL));
        CHECK_NEAR(value[0], fmax(stretch[i][0], stretch[i][1]) - 1, 1.0 / 4096);
        sn_world_destroy(world);
    }
}

/* A soft sheet that hangs is stretched up to its limit and no further. */
TEST(a_soft_sheet_hangs_at_its_limit) {
    for (int limits = 0; limits < 2; limits++) {
        sn_world_def world_def = sn_world_def_default();
        world_def.settings.substeps = 40;
        world_def.settings.damping = 1;
        sn_world *world = NULL;
        REQUIRE_OK(sn_world_create(&world_def, &world));
        sn_cloth_material cloth = sn_cloth_material_default();
        cloth.stretch_stiffness = 2;
        cloth.strain_limit = (sn_real)0.05;
        cloth.limits = limits;
        uint32_t pins[11];
        for (uint32_t i = 0; i < 11; i++) pins[i] = i;
        sn_build_def def = sn_build_def_default();
        def.pins = pins;
        def.pin_count = 11;
        body b = body_make(world, SN_KIND_CLOTH, &cloth,
                           grid_mesh(1, 1, 10, 10, SN_GRID_ALTERNATING), &def);
        body_run(&b, 180, 1.0 / 60);
        double top[3], bottom[3];
        body_position(&b, 5, top);
        body_position(&b, 115, bottom);
        /* 10 rows of a metre in all; without a limit it would be 1.4 m long. */
        double length = hypot(top[1] - bottom[1], top[2] - bottom[2]);
        check_case("limits %d", limits);
        CHECK(length > 1.03 && length < 1.06);
        body_free(&b);
    }
}

/* Edges that give way let a sheet be pushed together; those that do not push back. */
TEST(compression_can_be_slack) {
    static const double compression[] = {1, 0.1, 0};
    double speed[3];
    for (int i = 0; i < 3; i++) {
        sn_cloth_material cloth = sn_cloth_material_default();
        cloth.stretch_stiffness = 100;
        cloth.compression = (sn_real)compression[i];
        sn_build_def def = sn_build_def_default();
        body b = body_make(still_world(20, 0), SN_KIND_CLOTH, &cloth,
                           grid_mesh(1, 1, 4, 4, SN_GRID_ALTERNATING), &def);
        size_t edges = 4 * 5 * 2 + 16;
        CHECK(count_type(b.world, SN_TYPE_DISTANCE) == (i == 1 ? 2 : 1) * edges);
        for (size_t k = 0; k < b.mesh.vertex_count; k++) {
            sn_vec3 at = b.mesh.positions[k];
            at.x *= (sn_real)0.9;
            at.z *= (sn_real)0.9;
            REQUIRE_OK(sn_node_set_position(b.world, b.nodes[k], at));
        }
        body_run(&b, 1, 0.001);
        sn_measure measure;
        REQUIRE_OK(sn_world_measure(b.world, &measure));
        speed[i] = sqrt(2 * measure.kinetic_energy / measure.mass);
        body_free(&b);
    }
    CHECK(speed[2] == 0);
    /* To first order in time the speed is the force: a tenth. */
    CHECK_REL(speed[1], 0.1 * speed[0], 0.05);
    CHECK(speed[0] > 0);
}

TEST(bad_materials_are_refused) {
    sn_mesh mesh = grid_mesh(1, 1, 2, 2, SN_GRID_SAME);
    sn_build_def build = sn_build_def_default();
    build.mesh = &mesh;
    for (int i = 0; i < 4; i++) {
        sn_cloth_material cloth = sn_cloth_material_default();
        if (i == 0) cloth.compression = (sn_real)0.5;
        if (i == 1) cloth.strain_limit = (sn_real)-0.1;
        if (i == 2) cloth.compression_limit = (sn_real)1.5;
        if (i == 3) {
            cloth.compression = 0;
            cloth.stretch_stiffness = 100;
            cloth.model = 2;
        }
        sn_world *world = still_world(1, 0);
        sn_build made;
        check_case("material %d", i);
        CHECK_FAILS(sn_build_body(world, SN_KIND_CLOTH, &cloth, &build, NULL, &made),
                    SN_ERROR_VALUE);
        sn_world_destroy(world);
    }
    sn_mesh_free(&mesh);
}

TESTS(RUN(principal_strains_are_limited), RUN(the_limit_is_of_the_longest_direction),
      RUN(a_soft_sheet_hangs_at_its_limit), RUN(compression_can_be_slack),
      RUN(bad_materials_are_refused))
