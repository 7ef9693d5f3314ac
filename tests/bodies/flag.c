/*
 * Hard sheets without bending, whose edges alone hold them: what hangs by its side crumples and
 * comes to rest by its pole, and what is pulled longer than it can be comes to rest as well.
 */
#include "meshed_body.h"

#include <math.h>

static body make_sheet(int substeps, double damping, uint32_t cells, const sn_build_def *from) {
    sn_cloth_material cloth = sn_cloth_material_default();
    sn_settings settings = sn_settings_default();
    sn_world *world = still_world(substeps, damping);
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.gravity = (sn_vec3){0, (sn_real)-9.81, 0};
    settings.air_density = 0;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    cloth.bending_stiffness = 0;
    cloth.tethers = 0;
    return body_make(world, SN_KIND_CLOTH, &cloth, grid_mesh(1, 1, cells, cells, 0), from);
}

/* rad/s: how fast a body as a whole turns about the vertical through x = -0.5 m; m/s: its fastest
   node. */
static double turning_of(const body *b, double *fastest) {
    sn_node_view v;
    double spin = 0, inertia = 0;
    REQUIRE_OK(sn_world_nodes(b->world, &v));
    *fastest = 0;
    for (size_t i = 0; i < v.count; i++) {
        if (v.inverse_mass[i] == 0) continue;
        double m = 1 / (double)v.inverse_mass[i], x = (double)v.position[i].x + 0.5;
        double z = (double)v.position[i].z, vx = (double)v.velocity[i].x;
        double vy = (double)v.velocity[i].y, vz = (double)v.velocity[i].z;
        spin += m * (x * vz - z * vx);
        inertia += m * (x * x + z * z);
        *fastest = fmax(*fastest, sqrt(vx * vx + vy * vy + vz * vz));
    }
    return spin / inertia;
}

enum { MOST_CELLS = 20 };

/* What angular momentum the edges make out of nothing shows as rotation about the pole, which
   nothing but damping takes away. */
TEST(a_flag_does_not_turn_about_its_pole) {
    static const struct {
        uint32_t cells;
        int integrator;
        double damping, most;
    } cases[] = {{6, SN_INTEGRATOR_BDF1, 3, 1e-4},
                 {12, SN_INTEGRATOR_BDF1, 3, 1e-4},
                 {12, SN_INTEGRATOR_BDF2, 3, 1e-4},
                 {12, SN_INTEGRATOR_BDF1, 0, 0.1}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        uint32_t pins[MOST_CELLS + 1], cells = cases[k].cells;
        sn_build_def def = sn_build_def_default();
        check_case("%d cells, integrator %d, damping %g", (int)cells, cases[k].integrator,
                   cases[k].damping);
        for (uint32_t i = 0; i <= cells; i++) pins[i] = i * (cells + 1);
        def.rotation = (sn_quat){(sn_real)sqrt(0.5), 0, 0, (sn_real)sqrt(0.5)};
        def.pins = pins;
        def.pin_count = cells + 1;
        body b = make_sheet(20, cases[k].damping, cells, &def);
        sn_settings settings = sn_settings_default();
        REQUIRE_OK(sn_world_get_settings(b.world, &settings));
        settings.integrator = (sn_integrator)cases[k].integrator;
        REQUIRE_OK(sn_world_set_settings(b.world, &settings));
        body_run(&b, 900, 1.0 / 60);
        double fastest, turning = turning_of(&b, &fastest);
        CHECK_NEAR(turning, 0, cases[k].most);
        if (cases[k].damping > 0) CHECK(fastest < 1e-3);
        body_free(&b);
    }
}

enum { CELLS = 12, SIDE = CELLS + 1 };

static sn_node place_node(sn_world *world, int i) {
    sn_node_def def = sn_node_def_default();
    sn_node node;
    bool rim = i / SIDE % CELLS == 0 || i % SIDE % CELLS == 0;
    def.position =
        (sn_vec3){(sn_real)(2.0 * (i % SIDE) / CELLS), 0, (sn_real)(2.0 * (int)(i / SIDE) / CELLS)};
    def.inverse_mass = rim ? 0 : 100;
    def.velocity.y = rim ? 0 : (sn_real)((i * 7919 % 13 - 6) * 0.01);
    REQUIRE_OK(sn_node_create(world, &def, &node));
    return node;
}

/* Held all around at twice the size that its edges want, and pushed at random. */
TEST(a_sheet_that_is_pulled_too_long_is_still) {
    static const int across[] = {1, 0, 1, -1}, along[] = {0, 1, 1, 1};
    sn_world *world = still_world(10, 0);
    sn_node node[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++) node[i] = place_node(world, i);
    for (int i = 0; i < 4 * SIDE * SIDE; i++) {
        int k = i % 4, row = i / 4 / SIDE, column = i / 4 % SIDE;
        int to_row = row + along[k], to_column = column + across[k];
        if (to_row > CELLS || to_column < 0 || to_column > CELLS) continue;
        if (k >= 2 && (row + column) % 2) continue;
        sn_distance_def def = sn_distance_def_default();
        sn_constraint made;
        def.node[0] = node[i / 4];
        def.node[1] = node[to_row * SIDE + to_column];
        def.rest_length = (sn_real)((k >= 2 ? sqrt(2) : 1) / CELLS);
        REQUIRE_OK(sn_constraint_create(world, SN_TYPE_DISTANCE, &def, &made));
    }
    body b = {.world = world};
    body_run(&b, 60, 1.0 / 60);
    double fastest;
    (void)turning_of(&b, &fastest);
    CHECK(fastest < 1e-3);
    sn_world_destroy(world);
}

TESTS(RUN(a_flag_does_not_turn_about_its_pole), RUN(a_sheet_that_is_pulled_too_long_is_still))
