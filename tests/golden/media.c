#include "media.h"

#include <stdlib.h>

#include "check.h"

/* ---- Wax ---- */

static void add_sources(sn_world *world, sn_real width) {
    sn_source made;
    sn_source_def hot = sn_source_def_default(), cold = hot, salt = hot;
    hot.extent = (sn_vec3){width / 4, 1, 1};
    hot.value = 512;
    hot.rate = 16;
    REQUIRE_OK(sn_source_create(world, &hot, &made));
    cold.shape = SN_SOURCE_EVERYWHERE;
    cold.exposed = true;
    cold.value = 64;
    cold.rate = 32;
    REQUIRE_OK(sn_source_create(world, &cold, &made));
    salt.shape = SN_SOURCE_SPHERE;
    salt.radius = width / 2;
    salt.quantity = 1;
    salt.value = 1;
    salt.rate = 8;
    REQUIRE_OK(sn_source_create(world, &salt, &made));
}

sn_diffusion golden_wax_add(sn_world *world, int side) {
    const sn_real s = (sn_real)0.03125;
    size_t count = (size_t)(side * side * side);
    sn_node *node = calloc(count, sizeof *node);
    sn_real *value = calloc(count, sizeof *value);
    sn_collider_def floor = sn_collider_def_default();
    sn_collider plane;
    floor.shape = SN_SHAPE_PLANE;
    REQUIRE_OK(sn_collider_create(world, &floor, &plane));
    for (int i = 0; i < (int)count; i++) {
        int x = i % side, y = i / side % side, z = i / (side * side);
        sn_node_def def = sn_node_def_default();
        def.position = (sn_vec3){s * (sn_real)x, s * (sn_real)(y + 1), s * (sn_real)z};
        def.velocity = (sn_vec3){0, -1, (sn_real)(y % 3) / 8};
        def.inverse_mass = 32;
        def.radius = s / 2;
        REQUIRE_OK(sn_node_create(world, &def, &node[i]));
        /* Just below the melting point, but for a part that has melted already. */
        value[i] = 4 * x < 3 * side ? 316 : 324;
    }
    sn_fluid_def fluid = sn_fluid_def_default();
    sn_fluid wax;
    fluid.nodes = node;
    fluid.node_count = count;
    fluid.viscosity = (sn_real)0.001;
    REQUIRE_OK(sn_fluid_create(world, &fluid, &wax));
    sn_diffusion_def def = sn_diffusion_def_default();
    sn_diffusion heat, salt;
    def.nodes = node;
    def.node_count = count;
    def.values = value;
    def.diffusivity = (sn_real)0.0078125;
    def.melting_point = 320;
    def.latent = 4;
    REQUIRE_OK(sn_diffusion_create(world, &def, &heat));
    def.values = NULL;
    def.quantity = 1;
    def.melting_point = SN_AUTO;
    def.load = (sn_real)0.5;
    REQUIRE_OK(sn_diffusion_create(world, &def, &salt));
    add_sources(world, s * (sn_real)side);
    free(value);
    free(node);
    return heat;
}

/* ---- Liquids ---- */

static const sn_real drop = (sn_real)0.03125; /* m, the spacing */

/* A block of side^3 particles with its lowest corner at a place, on its way. */
static void add_block(sn_world *world, int side, sn_vec3 at, sn_vec3 v, sn_node *node) {
    for (int i = 0; i < side * side * side; i++) {
        sn_node_def def = sn_node_def_default();
        def.position =
            (sn_vec3){at.x + drop * (sn_real)(i % side), at.y + drop * (sn_real)(i / side % side),
                      at.z + drop * (sn_real)(i / (side * side))};
        def.velocity = v;
        def.inverse_mass = 32;
        def.radius = drop / 2;
        REQUIRE_OK(sn_node_create(world, &def, &node[i]));
    }
}

static void add_walls(sn_world *world, sn_real wide) {
    const sn_real half = (sn_real)0.70710678118654752;
    for (int i = 0; i < 3; i++) {
        sn_collider_def def = sn_collider_def_default();
        sn_collider wall;
        def.shape = SN_SHAPE_PLANE;
        if (i > 0) def.orientation = (sn_quat){i == 1 ? half : -half, 0, 0, half};
        def.position.z = i == 1 ? 0 : wide;
        REQUIRE_OK(sn_collider_create(world, &def, &wall));
    }
}

static sn_fluid add_liquid(sn_world *world, sn_fluid_def def, const sn_node *node, int side) {
    sn_fluid made;
    def.nodes = node;
    def.node_count = (size_t)(side * side * side);
    REQUIRE_OK(sn_fluid_create(world, &def, &made));
    return made;
}

sn_fluid golden_liquids_add(sn_world *world, int side) {
    const sn_real wide = drop * (sn_real)side;
    size_t count = (size_t)(side * side * side);
    sn_node *node = calloc(3 * count, sizeof *node);
    sn_period_def period = sn_period_def_default();
    period.length.x = 3 * wide;
    REQUIRE_OK(sn_world_set_period(world, &period));
    add_walls(world, wide);
    for (int i = 0; i < 3; i++)
        add_block(world, side, (sn_vec3){wide * (sn_real)i, drop, drop / 2}, (sn_vec3){2, -1, 0},
                  node + (size_t)i * count);
    sn_fluid_def tight = sn_fluid_def_default(), deep = tight, sand = tight;
    tight.surface_tension = (sn_real)0.25;
    tight.adhesion = 1;
    tight.immiscible = true;
    tight.wall_forces = true;
    tight.artificial_pressure = (sn_real)0.0078125;
    sn_fluid made = add_liquid(world, tight, node, side);
    deep.coarse_depth = drop;
    deep.vorticity_kept = (sn_real)0.5;
    deep.vorticity = (sn_real)0.125;
    deep.viscosity = (sn_real)0.001;
    deep.detail_point = (sn_vec3){wide, 0, 0};
    deep.detail_radius = wide / 2;
    made = add_liquid(world, deep, node + count, side);
    sand.cohesion = (sn_real)0.0625;
    (void)add_liquid(world, sand, node + 2 * count, side);
    sn_collision_surface_def grains = sn_collision_surface_def_default();
    sn_collision_surface surface;
    grains.nodes = node + 2 * count;
    grains.node_count = count;
    grains.self = true;
    REQUIRE_OK(sn_collision_surface_create(world, &grains, &surface));
    free(node);
    return made;
}

/* ---- Air ---- */

static void add_link(sn_world *world, sn_node a, sn_node b) {
    sn_distance_def def = sn_distance_def_default();
    sn_constraint made;
    def.node[0] = a;
    def.node[1] = b;
    def.compliance = (sn_real)1e-4;
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_DISTANCE, &def, &made));
}

/* Where a node of either sheet is: at rest, or the upper one through the lower in the middle. */
static sn_vec3 place_of(int layer, int column, int row, int side, bool rest) {
    int middle = side / 2,
        away = abs(column - middle) > abs(row - middle) ? abs(column - middle) : abs(row - middle);
    sn_vec3 x = {(sn_real)column / 8, (sn_real)(3 * layer) / 32, (sn_real)row / 8};
    if (!rest && layer && away < 3) x.y -= (sn_real)(3 - away) / 16;
    return x;
}

sn_air_mesh golden_air_add(sn_world *world, int side) {
    size_t layer = (size_t)(side * side), quads = (size_t)((side - 1) * (side - 1));
    sn_node *node = calloc(2 * layer, sizeof *node);
    sn_vec3 *rest = calloc(2 * layer, sizeof *rest);
    uint32_t *triangle = calloc(12 * quads, sizeof *triangle), *next = triangle;
    for (int i = 0; i < 2 * side * side; i++) {
        int l = i / (side * side), column = i % side, row = i / side % side;
        sn_node_def def = sn_node_def_default();
        rest[i] = def.position = place_of(l, column, row, side, true);
        def.inverse_mass = 64;
        def.velocity = (sn_vec3){l ? 1 : 0, l ? -2 : 0, (sn_real)0.25};
        REQUIRE_OK(sn_node_create(world, &def, &node[i]));
        if (column > 0) add_link(world, node[i - 1], node[i]);
        if (row > 0) add_link(world, node[i - side], node[i]);
        if (column == 0 || row == 0) continue;
        add_link(world, node[i - side - 1], node[i]);
        uint32_t d = (uint32_t)i, c = d - 1, b = d - (uint32_t)side, a = b - 1;
        const uint32_t corner[6] = {a, d, b, a, c, d};
        for (int k = 0; k < 6; k++) *next++ = corner[k];
    }
    for (int i = 0; i < side * side; i++)
        REQUIRE_OK(sn_node_set_position(world, node[side * side + i],
                                        place_of(1, i % side, i / side, side, false)));
    sn_air_mesh_def def = sn_air_mesh_def_default();
    sn_air_mesh made;
    def.nodes = node;
    def.node_count = 2 * layer;
    def.triangles = triangle;
    def.triangle_count = 4 * quads;
    def.rest = rest;
    REQUIRE_OK(sn_air_mesh_create(world, &def, &made));
    free(triangle);
    free(rest);
    free(node);
    return made;
}
