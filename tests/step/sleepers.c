#include "sleepers.h"

#include <math.h>

sn_settings sleepy_settings(void) {
    sn_settings settings = sn_settings_default();
    settings.sleep_time = (sn_real)0.5;
    return settings;
}

sn_world *sleepy_world(sn_settings settings, int threads, int width) {
    sn_world *world;
    sn_world_def def = sn_world_def_default();
    def.settings = settings;
    def.threads = threads;
    def.simd_width = width;
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

sn_collider add_floor(sn_world *world) {
    sn_collider floor;
    sn_collider_def def = sn_collider_def_default();
    REQUIRE_OK(sn_collider_create(world, &def, &floor));
    return floor;
}

/* ---- Bodies ---- */

static sn_body build(sn_world *world, sn_kind kind, const void *material, sn_mesh *mesh, double x,
                     double y, sn_node *nodes) {
    sn_build_def def = sn_build_def_default();
    sn_build build;
    def.mesh = mesh;
    def.position = (sn_vec3){(sn_real)x, (sn_real)y, 0};
    REQUIRE_OK(sn_build_body(world, kind, material, &def, nodes, &build));
    sn_mesh_free(mesh);
    return build.body;
}

/* A little aslant, so that one end comes first. */
static sn_mesh line(void) {
    sn_mesh mesh = sn_mesh_default();
    REQUIRE_OK(
        sn_generate_rope(&mesh, (sn_vec3){0, 0, 0}, (sn_vec3){0, (sn_real)0.1, 1}, ROPE_NODES - 1));
    return mesh;
}

sn_body drop_rope(sn_world *world, double x, double y, sn_node *nodes) {
    sn_mesh mesh = line();
    sn_rope_material material = sn_rope_material_default();
    return build(world, SN_KIND_ROPE, &material, &mesh, x, y, nodes);
}

sn_body drop_rod(sn_world *world, double x, double y, sn_node *nodes) {
    sn_mesh mesh = line();
    sn_rod_material material = sn_rod_material_default();
    material.young = (sn_real)1e7;
    material.damping = (sn_real)0.01;
    return build(world, SN_KIND_ROD, &material, &mesh, x, y, nodes);
}

sn_body drop_cloth(sn_world *world, double x, double y, uint32_t n) {
    sn_mesh mesh = sn_mesh_default();
    sn_grid_def grid = sn_grid_def_default();
    sn_cloth_material material;
    grid.columns = grid.rows = n;
    grid.width = grid.depth = (sn_real)0.5;
    REQUIRE_OK(sn_generate_grid(&mesh, &grid));
    REQUIRE_OK(sn_preset_get(SN_KIND_CLOTH, "cotton", &material));
    return build(world, SN_KIND_CLOTH, &material, &mesh, x, y, NULL);
}

sn_body drop_cube(sn_world *world, double x, double y) {
    sn_mesh mesh = sn_mesh_default();
    sn_block_def block = sn_block_def_default();
    sn_solid_material material = sn_solid_material_default();
    block.extent = (sn_vec3){(sn_real)0.3, (sn_real)0.3, (sn_real)0.3};
    block.cells[0] = block.cells[1] = block.cells[2] = 2;
    material.damping = (sn_real)0.02;
    REQUIRE_OK(sn_generate_block(&mesh, &block));
    return build(world, SN_KIND_SOLID, &material, &mesh, x, y + 0.15, NULL);
}

sn_body drop_ball(sn_world *world, double x, double y, sn_node *node) {
    sn_body body;
    sn_node ignored;
    sn_body_def body_def = sn_body_def_default();
    sn_node_def def = sn_node_def_default();
    REQUIRE_OK(sn_body_create(world, &body_def, &body));
    def.position = (sn_vec3){(sn_real)x, (sn_real)y, 0};
    def.radius = (sn_real)0.1;
    def.body = body;
    REQUIRE_OK(sn_node_create(world, &def, node ? node : &ignored));
    return body;
}

sn_constraint tie(sn_world *world, sn_node a, sn_node b) {
    sn_constraint constraint;
    sn_distance_def def = sn_distance_def_default();
    def.node[0] = a;
    def.node[1] = b;
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_DISTANCE, &def, &constraint));
    return constraint;
}

/* ---- Running ---- */

void advance(sn_world *world, int steps) {
    for (int i = 0; i < steps; i++) CHECK_OK(sn_world_step(world, STEP));
}

double seconds_until_asleep(sn_world *world, sn_body body, double most) {
    double begin = sn_world_time(world);
    while (!sn_body_is_asleep(world, body) && sn_world_time(world) - begin < most)
        CHECK_OK(sn_world_step(world, STEP));
    return sn_world_time(world) - begin;
}

void let_all_sleep(sn_world *world) {
    sn_body body;
    size_t bodies = 0;
    while (sn_world_body_at(world, bodies, &body) == SN_OK) bodies++;
    for (int i = 0; i < 1200 && count_asleep(world) < bodies; i++)
        CHECK_OK(sn_world_step(world, STEP));
    CHECK(bodies > 0 && count_asleep(world) == bodies);
}

size_t count_asleep(const sn_world *world) {
    sn_stats stats;
    REQUIRE_OK(sn_world_stats(world, &stats));
    return stats.asleep;
}

double fastest(const sn_world *world) {
    sn_node_view view;
    double most = 0;
    REQUIRE_OK(sn_world_nodes(world, &view));
    for (size_t i = 0; i < view.count; i++) {
        sn_vec4 v = view.velocity[i];
        double speed = sqrt((double)(v.x * v.x + v.y * v.y + v.z * v.z));
        if (speed > most) most = speed;
    }
    return most;
}
