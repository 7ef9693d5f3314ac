#include "attachment_worlds.h"

#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "snapshot.h"

sn_world *attachment_world(int threads, int substeps, double gravity) {
    sn_world_def def = sn_world_def_default();
    sn_world *world = NULL;
    def.threads = threads;
    def.settings.substeps = substeps;
    def.settings.gravity = (sn_vec3){0, (sn_real)-gravity, 0};
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

sn_node attachment_node(sn_world *world, double x, double y, double z, double inverse_mass) {
    sn_node_def def = sn_node_def_default();
    sn_node node;
    def.position = (sn_vec3){(sn_real)x, (sn_real)y, (sn_real)z};
    def.inverse_mass = (sn_real)inverse_mass;
    REQUIRE_OK(sn_node_create(world, &def, &node));
    return node;
}

sn_build attachment_cloth(sn_world *world, uint32_t cells, sn_vec3 at, bool pinned,
                          sn_node *nodes) {
    sn_mesh mesh = sn_mesh_default();
    sn_grid_def grid = sn_grid_def_default();
    sn_cloth_material material = sn_cloth_material_default();
    sn_build_def def = sn_build_def_default();
    sn_build build;
    grid.columns = grid.rows = cells;
    REQUIRE_OK(sn_generate_grid(&mesh, &grid));
    uint32_t corners[4] = {0, cells, (cells + 1) * cells, (cells + 1) * (cells + 1) - 1};
    material.bending_stiffness = (sn_real)1e-5;
    def.mesh = &mesh;
    def.position = at;
    def.pins = corners;
    def.pin_count = pinned ? 4 : 0;
    def.collide = SN_COLLIDE_OTHERS;
    def.surface.mask = 0;
    REQUIRE_OK(sn_build_body(world, SN_KIND_CLOTH, &material, &def, nodes, &build));
    sn_mesh_free(&mesh);
    return build;
}

sn_vec3 attachment_at(const sn_world *world, sn_node node) {
    sn_node_def def = sn_node_def_default();
    REQUIRE_OK(sn_node_get(world, node, &def));
    return def.position;
}

double attachment_distance(sn_vec3 a, sn_vec3 b) {
    double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y;
    double z = (double)a.z - (double)b.z;
    return sqrt(x * x + y * y + z * z);
}

void attachment_check_snapshot(sn_world *world, int steps) {
    size_t size = 0;
    void *data = snapshot_of(world, &size);
    sn_world *other = attachment_world(2, 1, 0);
    CHECK_OK(sn_snapshot_load(other, data, size));
    CHECK(sn_world_hash(other) == sn_world_hash(world));
    for (int i = 0; i < steps; i++) {
        CHECK_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
        CHECK_OK(sn_world_step(other, (sn_real)(1.0 / 60)));
    }
    CHECK(sn_world_hash(other) == sn_world_hash(world));
    sn_world_destroy(other);
    free(data);
}
