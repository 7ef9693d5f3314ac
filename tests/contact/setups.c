#include "setups.h"

#include "check.h"

#include <math.h>

static sn_vec3 along(double x, double y, double z) {
    return (sn_vec3){(sn_real)x, (sn_real)y, (sn_real)z};
}

static sn_quat tilt(double angle) {
    return (sn_quat){0, 0, (sn_real)-sin(angle / 2), (sn_real)cos(angle / 2)};
}

sn_world *setup_world(int substeps) {
    sn_world *world;
    sn_world_def def = sn_world_def_default();
    def.settings.substeps = substeps;
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

sn_collider setup_incline(sn_world *world, double angle, double still, double slides) {
    sn_collider collider;
    sn_collider_def def = sn_collider_def_default();
    def.orientation = tilt(angle);
    def.static_friction = (sn_real)still;
    def.dynamic_friction = (sn_real)slides;
    REQUIRE_OK(sn_collider_create(world, &def, &collider));
    return collider;
}

sn_node setup_node(sn_world *world, sn_vec3 position, double mass, double radius) {
    sn_node node;
    sn_node_def def = sn_node_def_default();
    def.position = position;
    def.inverse_mass = (sn_real)(1 / mass);
    def.radius = (sn_real)radius;
    REQUIRE_OK(sn_node_create(world, &def, &node));
    return node;
}

sn_node setup_ball(sn_world *world, sn_vec3 position, double mass, double radius,
                   sn_material material) {
    sn_node node;
    sn_body body;
    sn_node_def def = sn_node_def_default();
    sn_body_def group = sn_body_def_default();
    group.rolls = true;
    group.material = material;
    REQUIRE_OK(sn_body_create(world, &group, &body));
    def.body = body;
    def.position = position;
    def.inverse_mass = (sn_real)(1 / mass);
    def.radius = (sn_real)radius;
    def.oriented = true;
    sn_real w = (sn_real)(1 / (0.4 * mass * radius * radius));
    def.inverse_inertia = (sn_vec3){w, w, w};
    REQUIRE_OK(sn_node_create(world, &def, &node));
    return node;
}

sn_build setup_cloth(sn_world *world, double angle, double size, int cells) {
    sn_build build;
    sn_mesh mesh = sn_mesh_default();
    sn_grid_def grid = sn_grid_def_default();
    grid.width = grid.depth = (sn_real)size;
    grid.columns = grid.rows = (uint32_t)cells;
    REQUIRE_OK(sn_generate_grid(&mesh, &grid));
    sn_cloth_material cloth = sn_cloth_material_default();
    sn_build_def def = sn_build_def_default();
    double r = (double)cloth.thickness / 2;
    def.mesh = &mesh;
    def.rotation = tilt(angle);
    def.position = along(r * sin(angle), r * cos(angle), 0);
    REQUIRE_OK(sn_build_body(world, SN_KIND_CLOTH, &cloth, &def, NULL, &build));
    sn_mesh_free(&mesh);
    return build;
}

sn_build setup_block(sn_world *world, double angle, double size, int cells, double density) {
    sn_build build;
    sn_mesh mesh = sn_mesh_default();
    sn_block_def block = sn_block_def_default();
    block.extent = along(size, size / 2, size);
    block.cells[0] = block.cells[2] = (uint32_t)cells;
    block.cells[1] = (uint32_t)(cells + 1) / 2;
    REQUIRE_OK(sn_generate_block(&mesh, &block));
    sn_solid_material solid = sn_solid_material_default();
    solid.density = (sn_real)density;
    solid.young = (sn_real)(1e3 * density);
    solid.damping = (sn_real)0.01;
    solid.model = 1; /* edges */
    sn_build_def def = sn_build_def_default();
    double r = size / 4 + (double)solid.radius;
    def.mesh = &mesh;
    def.rotation = tilt(angle);
    def.position = along(r * sin(angle), r * cos(angle), 0);
    REQUIRE_OK(sn_build_body(world, SN_KIND_SOLID, &solid, &def, NULL, &build));
    sn_mesh_free(&mesh);
    return build;
}

void setup_run(sn_world *world, double seconds) {
    for (int i = 0; i < (int)(seconds / SETUP_DT + 0.5); i++)
        CHECK_OK(sn_world_step(world, (sn_real)SETUP_DT));
}

sn_node_def setup_look(sn_world *world, sn_node node) {
    sn_node_def def = sn_node_def_default();
    REQUIRE_OK(sn_node_get(world, node, &def));
    return def;
}

static double mean_along(const sn_node_view *view, const sn_vec4 *values, double angle) {
    double sum = 0, count = 0;
    for (size_t i = 0; i < view->count; i++) {
        if (!view->alive[i]) continue;
        sum += (double)values[i].x * cos(angle) - (double)values[i].y * sin(angle);
        count++;
    }
    return sum / count;
}

double setup_place(sn_world *world, double angle) {
    sn_node_view view;
    REQUIRE_OK(sn_world_nodes(world, &view));
    return mean_along(&view, view.position, angle);
}

double setup_speed(sn_world *world, double angle) {
    sn_node_view view;
    REQUIRE_OK(sn_world_nodes(world, &view));
    return mean_along(&view, view.velocity, angle);
}
