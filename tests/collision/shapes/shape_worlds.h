/* What the tests of shapes with a geometry share: worlds, balls and colliders of every shape. */
#ifndef SINEW_TESTS_COLLISION_SHAPES_SHAPE_WORLDS_H
#define SINEW_TESTS_COLLISION_SHAPES_SHAPE_WORLDS_H

#include "check.h"

#include <sinew/sinew.h>

#include <math.h>

static const double dt = 1.0 / 60;

static inline sn_world *make_world(int substeps, double gravity) {
    sn_world *world;
    sn_world_def def = sn_world_def_default();
    def.settings.substeps = substeps;
    def.settings.gravity = (sn_vec3){0, (sn_real)-gravity, 0};
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

static inline sn_node add_ball(sn_world *world, double x, double y, double z, double radius) {
    sn_node node;
    sn_node_def def = sn_node_def_default();
    def.position = (sn_vec3){(sn_real)x, (sn_real)y, (sn_real)z};
    def.radius = (sn_real)radius;
    REQUIRE_OK(sn_node_create(world, &def, &node));
    return node;
}

static inline sn_node_def look(const sn_world *world, sn_node node) {
    sn_node_def def = sn_node_def_default();
    REQUIRE_OK(sn_node_get(world, node, &def));
    return def;
}

static inline void give(sn_collider_def *def, const sn_mesh *mesh) {
    def->geometry.vertices = mesh->positions;
    def->geometry.vertex_count = mesh->vertex_count;
    def->geometry.triangles = (const uint32_t(*)[3])mesh->triangles;
    def->geometry.triangle_count = mesh->triangle_count;
}

static inline sn_mesh box_mesh(double x, double y, double z, uint32_t cells) {
    sn_mesh mesh = sn_mesh_default();
    sn_box_def def = sn_box_def_default();
    def.extent = (sn_vec3){(sn_real)x, (sn_real)y, (sn_real)z};
    def.cells[0] = def.cells[1] = def.cells[2] = cells;
    REQUIRE_OK(sn_generate_box(&mesh, &def));
    return mesh;
}

static inline sn_mesh sheet_mesh(double side, uint32_t cells) {
    sn_mesh mesh = sn_mesh_default();
    sn_grid_def def = sn_grid_def_default();
    def.width = def.depth = (sn_real)side;
    def.columns = def.rows = cells;
    REQUIRE_OK(sn_generate_grid(&mesh, &def));
    return mesh;
}

/* The cases: a slab from y = -0.2 to 0 and 2 m wide, in every shape that can be one, and a sheet
   whose upper side is at 0. */
enum { SLAB_MESH, SLAB_HULL, SLAB_FIELD, SLAB_HEIGHTS, SLAB_PARTS, SLAB_SHEET, SLABS };

static inline sn_collider add_slab(sn_world *world, int kind, sn_collider_def def) {
    static const sn_real flat[4] = {0};
    static const sn_shape shapes[] = {SN_SHAPE_MESH,    SN_SHAPE_HULL,     SN_SHAPE_SDF,
                                      SN_SHAPE_HEIGHTS, SN_SHAPE_COMPOUND, SN_SHAPE_MESH};
    sn_collider collider;
    sn_mesh box = box_mesh(2, 0.2, 2, kind == SLAB_HULL ? 1 : 4), sheet = sheet_mesh(2, 8);
    sn_collider_part parts[2] = {sn_collider_part_default(), sn_collider_part_default()};
    for (int i = 0; i < 2; i++) {
        parts[i].shape = SN_SHAPE_BOX;
        parts[i].extent = (sn_vec3){(sn_real)0.5, (sn_real)0.1, 1};
        parts[i].position = (sn_vec3){i ? (sn_real)0.5 : (sn_real)-0.5, 0, 0};
    }
    def.shape = shapes[kind];
    def.radius = 0;
    def.position.y += kind == SLAB_HEIGHTS ? 0 : (sn_real)-0.1;
    give(&def, &box);
    if (kind == SLAB_SHEET) {
        give(&def, &sheet);
        def.radius = (sn_real)0.02;
        def.position.y += (sn_real)0.08;
        def.geometry.two_sided = true;
    }
    def.extent = (sn_vec3){1, 0, 1};
    def.geometry.heights = flat;
    def.geometry.points[0] = def.geometry.points[1] = 2;
    def.parts = parts;
    def.part_count = 2;
    REQUIRE_OK(sn_collider_create(world, &def, &collider));
    sn_mesh_free(&box);
    sn_mesh_free(&sheet);
    return collider;
}

#endif
