/*
 * Gases in air: a particle that is alone rises as its equation says, a block of gas as much faster
 * as it is lighter, what is as heavy as air stays, and a gas carries what it blows against.
 */
#include "pool.h"

#include <sinew/build.h>

#define AIR 1.2

enum { MOST = 512 };

static sn_world *make_air(double wind) {
    sn_world *world = make_world(GRAVITY, 1);
    sn_settings settings;
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.air_density = (sn_real)AIR;
    settings.wind = (sn_vec3){(sn_real)wind, 0, 0};
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    return world;
}

static pool add_gas(sn_world *world, const int size[3], double density, double drag) {
    pool p = add_block(world, size, 0.05, (sn_vec3){0, 0, 0}, density, 0);
    sn_fluid_def def;
    REQUIRE_OK(sn_fluid_get(world, p.fluid, &def));
    def.buoyant = true;
    def.ambient_drag = (sn_real)drag;
    REQUIRE_OK(sn_fluid_set(world, p.fluid, &def));
    return p;
}

/* dv/dt = g (rho_air / rho - 1) - k (1 - C) (v - wind), backward in time; alone, C is the kernel at
   0 times the volume, 1 / pi at a reach of two spacings. */
TEST(a_particle_alone_rises_as_its_equation_says) {
    const double density = 0.8, drag = 3, wind = 0.7, h = 1.0 / 600;
    pool p = add_gas(make_air(wind), (int[3]){1, 1, 1}, density, drag);
    double rate = drag * (1 - 1 / 3.14159265358979), x = 0, y = 0;
    run(p.world, 30);
    for (int i = 0; i < 300; i++) {
        y = (y + h * GRAVITY * (AIR / density - 1)) / (1 + h * rate);
        x = wind + (x - wind) / (1 + h * rate);
    }
    sn_vec3 v = state_of(&p, 0).velocity;
    CHECK_REL(v.y, y, TOL(1e-6, 1e-4));
    CHECK_REL(v.x, x, TOL(1e-6, 1e-4));
    /* And that is near where it would be in the end, and in theory. */
    CHECK_REL(y, GRAVITY * (AIR / density - 1) / rate * (1 - exp(-rate * 0.5)), 0.01);
    drop(&p);
}

TEST(a_block_rises_by_what_it_displaces) {
    static const double densities[] = {0.6, 1.2, 2.4};
    for (int k = 0; k < 3; k++) {
        pool p = add_gas(make_air(0), (int[3]){4, 5, 3}, densities[k], 0);
        double sum[6], a = GRAVITY * (AIR / densities[k] - 1);
        run(p.world, 30);
        momenta_of(&p, sum);
        CHECK_NEAR(sum[1] / (double)p.count, a * 0.5, TOL(1e-9, 1e-4) * GRAVITY);
        CHECK_NEAR(sum[0] / (double)p.count, 0, TOL(1e-9, 1e-4));
        drop(&p);
    }
}

/* The particles of a block that are at its surface take hold of the wind, those within do not. */
TEST(air_takes_hold_of_the_surface) {
    for (int buoyant = 0; buoyant < 2; buoyant++) {
        check_case("buoyant %d", buoyant);
        pool p = add_gas(make_air(1), (int[3]){7, 7, 7}, AIR, 4);
        sn_fluid_def def;
        REQUIRE_OK(sn_fluid_get(p.world, p.fluid, &def));
        def.buoyant = buoyant == 1;
        REQUIRE_OK(sn_fluid_set(p.world, p.fluid, &def));
        REQUIRE_OK(sn_world_step(p.world, (sn_real)0.001));
        size_t corner = 0, middle = 3 * 49 + 3 * 7 + 3;
        double alone = 1e-3 * 4;
        double at_corner = (double)state_of(&p, corner).velocity.x;
        CHECK(at_corner > 0.3 * alone && at_corner < alone);
        CHECK_NEAR(state_of(&p, middle).velocity.x, 0, 1e-4 * alone);
        drop(&p);
    }
}

/* A cloth that a block of gas is thrown at takes what momentum the gas loses, and no more. */
TEST(gas_carries_cloth) {
    sn_world *world = make_world(0, 1);
    sn_vec3 points[6 * 4 * 6];
    sn_grid_def cells = sn_grid_def_default();
    sn_mesh lattice = {.size = sizeof(sn_mesh), .positions = points, .vertex_count = 6 * 4 * 6},
            sheet = sn_mesh_default();
    for (int i = 0; i < 6 * 4 * 6; i++)
        points[i] = (sn_vec3){(sn_real)(0.05 * (i % 6 - 2.5)), (sn_real)(0.05 * (i / 6 % 4)),
                              (sn_real)(0.05 * (i / 24 - 2.5))};
    cells.width = cells.depth = (sn_real)0.5;
    cells.columns = cells.rows = 10;
    REQUIRE_OK(sn_generate_grid(&sheet, &cells));
    sn_gas_material gas = sn_gas_material_default();
    sn_cloth_material cloth = sn_cloth_material_default();
    gas.drag = 0;
    cloth.area_density = (sn_real)0.05;
    sn_build_def def = sn_build_def_default();
    sn_build made[2];
    sn_node nodes[MOST];
    CHECK(lattice.vertex_count + sheet.vertex_count <= MOST);
    def.mesh = &lattice;
    def.velocity = (sn_vec3){0, 2, 0};
    def.collide = SN_COLLIDE_OTHERS;
    REQUIRE_OK(sn_build_body(world, SN_KIND_GAS, &gas, &def, nodes, &made[0]));
    def.mesh = &sheet;
    def.position.y = (sn_real)0.2;
    def.velocity = (sn_vec3){0, 0, 0};
    REQUIRE_OK(
        sn_build_body(world, SN_KIND_CLOTH, &cloth, &def, nodes + lattice.vertex_count, &made[1]));
    run(world, 30);
    double lost = made[0].mass * 2, gained = 0;
    for (size_t i = 0; i < lattice.vertex_count + sheet.vertex_count; i++) {
        sn_node_def node;
        REQUIRE_OK(sn_node_get(world, nodes[i], &node));
        double momentum = (double)node.velocity.y / (double)node.inverse_mass;
        *(i < lattice.vertex_count ? &lost : &gained) +=
            i < lattice.vertex_count ? -momentum : momentum;
    }
    CHECK(gained > 0.2 * made[0].mass * 2);
    CHECK_REL(gained, lost, TOL(1e-9, 1e-3));
    sn_world_destroy(world);
    sn_mesh_free(&sheet);
}

TESTS(RUN(a_particle_alone_rises_as_its_equation_says), RUN(a_block_rises_by_what_it_displaces),
      RUN(air_takes_hold_of_the_surface), RUN(gas_carries_cloth))
