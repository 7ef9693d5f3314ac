#include "meshed_body.h"

#include <stdio.h>
#include <stdlib.h>

sn_mesh grid_mesh(double width, double depth, uint32_t columns, uint32_t rows,
                  sn_grid_pattern pattern) {
    sn_mesh mesh = sn_mesh_default();
    sn_grid_def def = sn_grid_def_default();
    def.width = (sn_real)width;
    def.depth = (sn_real)depth;
    def.columns = columns;
    def.rows = rows;
    def.pattern = pattern;
    REQUIRE_OK(sn_generate_grid(&mesh, &def));
    return mesh;
}

sn_mesh block_mesh(double x, double y, double z, uint32_t cells, sn_block_pattern pattern) {
    sn_mesh mesh = sn_mesh_default();
    sn_block_def def = sn_block_def_default();
    def.extent = (sn_vec3){(sn_real)x, (sn_real)y, (sn_real)z};
    def.cells[0] = (uint32_t)(x / y * cells + 0.5);
    def.cells[1] = cells;
    def.cells[2] = (uint32_t)(z / y * cells + 0.5);
    def.pattern = pattern;
    REQUIRE_OK(sn_generate_block(&mesh, &def));
    return mesh;
}

sn_mesh line_mesh(double length, uint32_t segments) {
    sn_mesh mesh = sn_mesh_default();
    REQUIRE_OK(
        sn_generate_rope(&mesh, (sn_vec3){0, 0, 0}, (sn_vec3){(sn_real)length, 0, 0}, segments));
    return mesh;
}

sn_mesh sphere_mesh(double radius, uint32_t level) {
    sn_mesh mesh = sn_mesh_default();
    sn_sphere_def def = sn_sphere_def_default();
    def.radius = (sn_real)radius;
    def.level = level;
    REQUIRE_OK(sn_generate_sphere(&mesh, &def));
    return mesh;
}

sn_mesh points_mesh(const sn_vec3 *positions, size_t count) {
    sn_mesh mesh = sn_mesh_default();
    REQUIRE_OK(sn_mesh_add_vertices(&mesh, positions, count));
    return mesh;
}

sn_mesh mesh_for(sn_kind kind) {
    static const sn_vec3 points[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    switch (kind) {
    case SN_KIND_CLOTH:
        return grid_mesh(0.4, 0.3, 8, 6, SN_GRID_ALTERNATING);
    case SN_KIND_SOLID:
    case SN_KIND_SHAPE:
        return block_mesh(0.3, 0.1, 0.1, 2, SN_BLOCK_FIVE);
    case SN_KIND_ROPE:
    case SN_KIND_ROD:
    case SN_KIND_ORIENTED:
    case SN_KIND_HAIR:
        return line_mesh(0.3, 8);
    default:
        return points_mesh(points, 3);
    }
}

sn_world *still_world(int substeps, double damping) {
    sn_world_def def = sn_world_def_default();
    sn_world *world = NULL;
    def.settings.gravity = (sn_vec3){0, 0, 0};
    def.settings.substeps = substeps;
    def.settings.damping = (sn_real)damping;
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

body body_make(sn_world *world, sn_kind kind, const void *material, sn_mesh mesh,
               const sn_build_def *def) {
    body b = {.world = world, .mesh = mesh};
    sn_build_def plain = def ? *def : sn_build_def_default();
    plain.mesh = &b.mesh;
    b.nodes = malloc((mesh.vertex_count + 1) * sizeof *b.nodes);
    REQUIRE_OK(b.nodes ? SN_OK : SN_ERROR_MEMORY);
    REQUIRE_OK(sn_build_body(world, kind, material, &plain, b.nodes, &b.build));
    return b;
}

void body_free(body *b) {
    sn_world_destroy(b->world);
    sn_mesh_free(&b->mesh);
    free(b->nodes);
}

void body_position(const body *b, size_t i, double x[3]) {
    sn_node_view view;
    REQUIRE_OK(sn_world_nodes(b->world, &view));
    sn_vec4 at = view.position[b->nodes[i].slot - 1];
    x[0] = (double)at.x;
    x[1] = (double)at.y;
    x[2] = (double)at.z;
}

void body_run(const body *b, int steps, double dt) {
    for (int i = 0; i < steps; i++) REQUIRE_OK(sn_world_step(b->world, (sn_real)dt));
}

size_t count_type(const sn_world *world, sn_type type) {
    size_t count = 0;
    sn_stats stats;
    REQUIRE_OK(sn_world_stats(world, &stats));
    for (size_t slot = 0, seen = 0; seen < stats.constraints; slot++) {
        sn_constraint c;
        sn_type found;
        if (sn_world_constraint_at(world, slot, &c) != SN_OK) continue;
        seen++;
        REQUIRE_OK(sn_constraint_get_type(world, c, &found));
        count += found == type;
    }
    return count;
}

void hear_warnings(void *user, sn_log_level level, const char *sentence) {
    heard *h = user;
    if (level != SN_LOG_WARNING) return;
    h->warnings++;
    snprintf(h->sentence, sizeof h->sentence, "%s", sentence);
}
