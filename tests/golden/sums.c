#include "sums.h"

#include <stdlib.h>

#include "check.h"

enum { SIDE = 17, CELLS = 20 };

/* Turns about y, and a little to the side that changes from node to node. */
static void add_nodes(sn_world *world, const sn_mesh *mesh, double height, sn_node *nodes) {
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        sn_vec3 x = mesh->positions[i];
        sn_node_def def = sn_node_def_default();
        def.position = (sn_vec3){x.x, x.y + (sn_real)height, x.z};
        def.velocity = (sn_vec3){-2 * x.z, (sn_real)(i % 5) * (sn_real)0.125, 2 * x.x};
        def.radius = (sn_real)0.0078125;
        REQUIRE_OK(sn_node_create(world, &def, &nodes[i]));
    }
}

static void match(sn_world *world, const sn_mesh *mesh, const sn_regions *regions, double height) {
    sn_node *nodes = calloc(mesh->vertex_count, sizeof *nodes);
    sn_shape_matching matching;
    sn_shape_matching_def def = sn_shape_matching_def_default();
    if (!nodes) abort();
    add_nodes(world, mesh, height, nodes);
    def.nodes = nodes;
    def.node_count = mesh->vertex_count;
    def.first = regions->first;
    def.members = regions->members;
    def.region_count = regions->count;
    def.compliance = (sn_real)0.0001;
    REQUIRE_OK(sn_shape_matching_create(world, &def, &matching));
    free(nodes);
}

static void add_block(sn_world *world) {
    sn_mesh mesh = sn_mesh_default();
    sn_regions regions = sn_regions_default();
    const sn_real spacing = (sn_real)0.0625;
    REQUIRE_OK(sn_mesh_add_vertices(&mesh, NULL, SIDE * SIDE * SIDE));
    for (int i = 0; i < SIDE * SIDE * SIDE; i++)
        mesh.positions[i] =
            (sn_vec3){(sn_real)(i % SIDE) * spacing, (sn_real)(i / SIDE % SIDE) * spacing,
                      (sn_real)(i / SIDE / SIDE) * spacing};
    REQUIRE_OK(sn_regions_cubes(mesh.positions, mesh.vertex_count, spacing, 2, &regions));
    match(world, &mesh, &regions, 0);
    sn_regions_free(&regions);
    sn_mesh_free(&mesh);
}

static void add_box(sn_world *world) {
    sn_mesh mesh = sn_mesh_default();
    sn_regions regions = sn_regions_default();
    sn_box_def box = sn_box_def_default();
    for (int k = 0; k < 3; k++) box.cells[k] = CELLS;
    REQUIRE_OK(sn_generate_box(&mesh, &box));
    REQUIRE_OK(sn_regions_rings(&mesh, 3, &regions));
    match(world, &mesh, &regions, 2);
    sn_regions_free(&regions);
    sn_mesh_free(&mesh);
}

/* Boxes of rubber that hit the floor. */
static void add_balloons(sn_world *world) {
    sn_mesh mesh = sn_mesh_default();
    sn_box_def box = sn_box_def_default();
    sn_cloth_material surface = sn_cloth_material_default();
    sn_build_def build = sn_build_def_default();
    sn_build built;
    for (int k = 0; k < 3; k++) box.cells[k] = 4;
    box.extent = (sn_vec3){(sn_real)0.25, (sn_real)0.25, (sn_real)0.25};
    REQUIRE_OK(sn_generate_box(&mesh, &box));
    surface.stretch_stiffness = 256;
    surface.strut_stiffness = 1024;
    surface.pressure = (sn_real)1.125;
    surface.volume_local = (sn_real)0.75;
    surface.volume_opposing = (sn_real)0.5;
    surface.volume_touching = 1;
    surface.volume_steady = 1;
    build.mesh = &mesh;
    for (int i = 0; i < 24; i++) {
        build.position = (sn_vec3){(sn_real)(i % 6) * (sn_real)0.5, (sn_real)-0.265625,
                                   -1 - (sn_real)(i / 6) * (sn_real)0.5};
        build.velocity = (sn_vec3){(sn_real)0.25, -2, (sn_real)0.125};
        REQUIRE_OK(sn_build_body(world, SN_KIND_CLOTH, &surface, &build, NULL, &built));
    }
    sn_mesh_free(&mesh);
}

void golden_sums_add(sn_world *world) {
    sn_collider_def floor = sn_collider_def_default();
    sn_collider collider;
    add_block(world);
    add_box(world);
    add_balloons(world);
    floor.shape = SN_SHAPE_PLANE;
    floor.position = (sn_vec3){0, (sn_real)-0.40625, 0};
    REQUIRE_OK(sn_collider_create(world, &floor, &collider));
}
