#include "crossing_sheets.h"

#include "check.h"

#include <math.h>
#include <stdlib.h>

sheet sheet_default(void) {
    return (sheet){.width = 1,
                   .length = 1,
                   .columns = 20,
                   .rows = 20,
                   .thickness = 0.004,
                   .bending = 1e-5,
                   .self = true,
                   .penetration_free = true,
                   .layer_shock = 1};
}

sheets *sheets_make(int substeps, int threads, sn_vec3 gravity) {
    sheets *s = calloc(1, sizeof *s);
    if (!s) abort();
    sn_world_def def = sn_world_def_default();
    def.settings.substeps = substeps;
    def.settings.gravity = gravity;
    def.threads = threads;
    REQUIRE_OK(sn_world_create(&def, &s->world));
    s->all = sn_mesh_default();
    return s;
}

void sheets_free(sheets *s) {
    sn_world_destroy(s->world);
    sn_mesh_free(&s->all);
    free(s);
}

static void build(sheets *s, const sheet *def, const sn_mesh *mesh, const uint32_t *pins,
                  size_t pin_count) {
    sn_cloth_material material = sn_cloth_material_default();
    material.thickness = (sn_real)def->thickness;
    material.bending_stiffness = (sn_real)def->bending;
    if (def->area_density > 0) material.area_density = (sn_real)def->area_density;
    sn_build_def build = sn_build_def_default();
    sn_build built;
    build.mesh = mesh;
    build.velocity = def->velocity;
    build.pins = pins;
    build.pin_count = pin_count;
    REQUIRE_OK(
        sn_build_body(s->world, SN_KIND_CLOTH, &material, &build, s->node + s->nodes, &built));
}

static void add_surface(sheets *s, const sheet *def, const sn_mesh *mesh) {
    sn_collision_surface surface;
    sn_collision_surface_def d = sn_collision_surface_def_default();
    d.nodes = s->node + s->nodes;
    d.node_count = mesh->vertex_count;
    d.triangles = mesh->triangles[0];
    d.triangle_count = mesh->triangle_count;
    d.self = def->self;
    d.penetration_free = def->penetration_free;
    d.untangle = def->untangle;
    d.layer = def->layer;
    d.layer_shock = (sn_real)def->layer_shock;
    REQUIRE_OK(sn_collision_surface_create(s->world, &d, &surface));
}

size_t sheets_add(sheets *s, const sheet *def) {
    sn_mesh mesh = sn_mesh_default();
    sn_grid_def grid = sn_grid_def_default();
    grid.width = (sn_real)def->width;
    grid.depth = (sn_real)def->length;
    grid.columns = def->columns;
    grid.rows = def->rows;
    REQUIRE_OK(sn_generate_grid(&mesh, &grid));
    uint32_t *pins = calloc(mesh.vertex_count, sizeof *pins);
    if (!pins) abort();
    size_t count = 0, first = s->nodes;
    for (uint32_t i = 0; i < mesh.vertex_count; i++)
        if (def->is_pinned &&
            def->is_pinned((double)mesh.positions[i].x, (double)mesh.positions[i].z))
            pins[count++] = i;
    /* Made flat, which is its rest shape, and then put where it is wanted. */
    build(s, def, &mesh, pins, count);
    free(pins);
    for (uint32_t i = 0; i < mesh.vertex_count; i++) {
        sn_vec3 x = mesh.positions[i];
        if (def->shape) x = def->shape((double)x.x, (double)x.z, def->user);
        REQUIRE_OK(sn_node_set_position(s->world, s->node[first + i], x));
        REQUIRE_OK(sn_node_set_velocity(s->world, s->node[first + i], def->velocity));
    }
    add_surface(s, def, &mesh);
    REQUIRE_OK(sn_mesh_add_vertices(&s->all, mesh.positions, mesh.vertex_count));
    for (size_t i = 0; i < mesh.triangle_count; i++)
        for (int k = 0; k < 3; k++) mesh.triangles[i][k] += (uint32_t)first;
    REQUIRE_OK(
        sn_mesh_add_triangles(&s->all, (const uint32_t(*)[3])mesh.triangles, mesh.triangle_count));
    s->nodes += mesh.vertex_count;
    sn_mesh_free(&mesh);
    return first;
}

void sheets_look(sheets *s) {
    s->fastest = 0;
    for (size_t i = 0; i < s->nodes; i++) {
        sn_node_def def = sn_node_def_default();
        REQUIRE_OK(sn_node_get(s->world, s->node[i], &def));
        s->at[i] = def.position;
        double x = (double)def.velocity.x, y = (double)def.velocity.y, z = (double)def.velocity.z;
        s->fastest = fmax(s->fastest, sqrt(x * x + y * y + z * z));
    }
}

size_t sheets_crossings(const sheets *s) {
    sn_memory memory = {sn_allocator_default(), 0};
    size_t found = 0;
    CHECK_OK(sn_ccd_count(&memory, s->at, s->nodes, (const uint32_t(*)[3])s->all.triangles,
                          s->all.triangle_count, NULL, 0, &found));
    return found;
}
