/*
 * Solids on solids (V44, V47). Ten cubes of 10 MPa that stand on each other go on standing, where
 * substeps do for the material; where they do not, the cubes are softer than that, and the column
 * buckles as Euler's does (docs/contact.md). A block on a block on an incline holds and slides by
 * Coulomb's angle.
 */
#include "check.h"
#include "setups.h"

#include <math.h>

enum { CUBES = 10, CELLS = 2, NODES = (CELLS + 1) * (CELLS + 1) * (CELLS + 1) };

/* A block of a solid whose middle is so high above an incline, with friction as of the incline. */
static void add_block(sn_world *world, const sn_solid_material *solid, sn_vec3 extent, int cells,
                      double angle, double above, sn_node *nodes) {
    sn_mesh mesh = sn_mesh_default();
    sn_block_def block = sn_block_def_default();
    sn_build_def def = sn_build_def_default();
    sn_build build;
    block.extent = extent;
    block.cells[0] = block.cells[1] = block.cells[2] = (uint32_t)cells;
    REQUIRE_OK(sn_generate_block(&mesh, &block));
    CHECK(mesh.vertex_count == (size_t)((cells + 1) * (cells + 1) * (cells + 1)));
    def.mesh = &mesh;
    def.position = (sn_vec3){(sn_real)(above * sin(angle)), (sn_real)(above * cos(angle)), 0};
    def.rotation = (sn_quat){0, 0, (sn_real)-sin(angle / 2), (sn_real)cos(angle / 2)};
    def.collide = SN_COLLIDE_OTHERS;
    def.surface.static_friction = def.surface.dynamic_friction = (sn_real)0.5;
    REQUIRE_OK(sn_build_body(world, SN_KIND_SOLID, solid, &def, nodes, &build));
    sn_mesh_free(&mesh);
}

static sn_vec3 middle_of(sn_world *world, const sn_node *nodes) {
    sn_vec3 sum = {0, 0, 0};
    for (int i = 0; i < NODES; i++) {
        sn_vec3 at = setup_look(world, nodes[i]).position;
        sum.x += at.x / NODES;
        sum.y += at.y / NODES;
        sum.z += at.z / NODES;
    }
    return sum;
}

/* V47. */
TEST(ten_cubes_stand) {
    const double size = 0.1, radius = 0.002;
    sn_world *world = setup_world(60);
    sn_solid_material solid = sn_solid_material_default();
    sn_vec3 extent = {(sn_real)size, (sn_real)size, (sn_real)size};
    sn_node top[NODES];
    solid.young = (sn_real)1e7;
    solid.poisson = (sn_real)0.3;
    solid.radius = (sn_real)radius;
    (void)setup_incline(world, 0, 0.5, 0.5);
    for (int i = 0; i < CUBES; i++)
        add_block(world, &solid, extent, CELLS, 0, radius + size / 2 + i * (size + 2 * radius),
                  top);
    sn_vec3 from = middle_of(world, top);
    setup_run(world, 3);
    sn_vec3 to = middle_of(world, top);
    CHECK_NEAR((double)to.x, (double)from.x, 2e-3 * size);
    CHECK_NEAR((double)to.z, (double)from.z, 2e-3 * size);
    CHECK_NEAR((double)to.y, (double)from.y, 2e-2 * size);
    sn_world_destroy(world);
}

/* Two blocks on an incline, of 0.4 m and 0.2 m, with a friction of 0.5 between them. */
static sn_world *stack(int substeps, double angle, double incline, double damping, sn_node *lower,
                       sn_node *upper) {
    const double radius = 0.005;
    sn_world *world = setup_world(substeps);
    sn_solid_material solid = sn_solid_material_default();
    solid.young = (sn_real)1e6;
    solid.damping = (sn_real)damping;
    solid.radius = (sn_real)radius;
    (void)setup_incline(world, angle, incline, incline);
    add_block(world, &solid, (sn_vec3){(sn_real)0.4, (sn_real)0.1, (sn_real)0.4}, CELLS, angle,
              radius + 0.05, lower);
    add_block(world, &solid, (sn_vec3){(sn_real)0.2, (sn_real)0.1, (sn_real)0.2}, CELLS, angle,
              3 * radius + 0.15, upper);
    return world;
}

static double downhill(sn_vec3 from, sn_vec3 to, double angle) {
    return ((double)to.x - (double)from.x) * cos(angle) -
           ((double)to.y - (double)from.y) * sin(angle);
}

/* m: how far a block goes on another in a second, after one in which they settle, at an angle
   (degrees) beyond that of Coulomb. */
static double slid(double beyond) {
    const double angle = atan(0.5) + beyond * 3.14159265358979 / 180;
    sn_node lower[NODES], upper[NODES];
    sn_world *world = stack(20, angle, 10, 0.01, lower, upper);
    setup_run(world, 1);
    sn_vec3 from = middle_of(world, upper);
    setup_run(world, 1);
    sn_vec3 to = middle_of(world, upper);
    sn_world_destroy(world);
    return downhill(from, to, angle);
}

/* V44. */
TEST(a_block_on_a_block_slides_at_the_angle_of_coulomb) {
    CHECK_NEAR(slid(-0.5), 0, 1e-6);
    CHECK(slid(0.5) > 0.05);
}

/* Turns gravity from the normal of the incline to the vertical, in 2 s with a drag that lets
   nothing swing, and then takes the drag away. */
static void tilt_gently(sn_world *world, double angle) {
    const double g = 9.81;
    sn_settings settings;
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.damping = 10;
    for (int i = 0; i <= 150; i++) {
        double back = i < 120 ? angle * (1 - i / 120.0) : 0;
        settings.gravity = (sn_vec3){(sn_real)(-g * sin(back)), (sn_real)(-g * cos(back)), 0};
        if (i == 150) settings.damping = 0;
        REQUIRE_OK(sn_world_set_settings(world, &settings));
        setup_run(world, SETUP_DT);
    }
}

/* The cone is where it should be without any damping of the material: what slides earlier was set
   down at once, and swings for ever. Both surfaces have the same friction. */
TEST(a_free_stack_without_damping_slides_at_the_angle_of_coulomb) {
    const int substeps[] = {20, 60};
    for (int i = 0; i < 4; i++) {
        const double beyond = i % 2 ? 0.15 : -0.15;
        const double angle = atan(0.5) + beyond * 3.14159265358979 / 180;
        sn_node lower[NODES], upper[NODES];
        check_case("%d substeps, %g degrees", substeps[i / 2], beyond);
        sn_world *world = stack(substeps[i / 2], angle, 0.5, 0, lower, upper);
        tilt_gently(world, angle);
        sn_vec3 from[2] = {middle_of(world, lower), middle_of(world, upper)};
        setup_run(world, 1);
        double below = downhill(from[0], middle_of(world, lower), angle);
        double above = downhill(from[1], middle_of(world, upper), angle);
        if (i % 2) {
            /* From rest it would be 14 mm. */
            CHECK(below > 0.01 && above > 0.01);
        } else {
            CHECK_NEAR(below, 0, 1e-5);
            CHECK_NEAR(above, 0, 1e-5);
        }
        sn_world_destroy(world);
    }
}

TESTS(RUN(ten_cubes_stand), RUN(a_free_stack_without_damping_slides_at_the_angle_of_coulomb),
      RUN(a_block_on_a_block_slides_at_the_angle_of_coulomb))
