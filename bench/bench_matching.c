/*
 * Shape matching of regions as cases: what a node costs in a substep, by the size of the regions,
 * with fast sums and with direct ones. A lattice of 8,000 nodes in cubes, and a sphere of 10,242
 * vertices in rings.
 */
#include "bench/bench.h"

#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 20, LEVEL = 5, NODES = SIDE * SIDE * SIDE, SUBSTEPS = 2 };
enum { OMEGA = 15, MESH = 16, DIRECT = 32 }; /* what the size of a case says */

static sn_result make_lattice(sn_mesh *mesh, uint32_t omega, sn_regions *regions) {
    const sn_real spacing = (sn_real)0.05;
    sn_result result = sn_mesh_add_vertices(mesh, NULL, NODES);
    for (int i = 0; result == SN_OK && i < NODES; i++)
        mesh->positions[i] =
            (sn_vec3){(sn_real)(i % SIDE) * spacing, (sn_real)(i / SIDE % SIDE) * spacing,
                      (sn_real)(i / SIDE / SIDE) * spacing};
    if (result != SN_OK) return result;
    return sn_regions_cubes(mesh->positions, NODES, spacing, omega, regions);
}

static sn_result make_sphere(sn_mesh *mesh, uint32_t omega, sn_regions *regions) {
    sn_sphere_def def = sn_sphere_def_default();
    def.level = LEVEL;
    sn_result result = sn_generate_sphere(mesh, &def);
    return result == SN_OK ? sn_regions_rings(mesh, omega, regions) : result;
}

/* Nodes that move apart a little, so that rotations have something to find. */
static sn_result add_nodes(sn_world *world, const sn_mesh *mesh, sn_node *nodes) {
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        sn_node_def def = sn_node_def_default();
        def.position = mesh->positions[i];
        def.velocity = (sn_vec3){-def.position.y, def.position.x, (sn_real)(i % 7) * (sn_real)0.01};
        sn_result result = sn_node_create(world, &def, &nodes[i]);
        if (result != SN_OK) return result;
    }
    return SN_OK;
}

static sn_result add_matching(sn_world *world, const sn_mesh *mesh, const sn_regions *regions,
                              bool direct) {
    sn_node *nodes = calloc(mesh->vertex_count, sizeof *nodes);
    sn_shape_matching_def def = sn_shape_matching_def_default();
    sn_shape_matching matching;
    sn_result result = nodes ? add_nodes(world, mesh, nodes) : SN_ERROR_MEMORY;
    def.nodes = nodes;
    def.node_count = mesh->vertex_count;
    def.first = regions->first;
    def.members = regions->members;
    def.region_count = regions->count;
    def.sums = direct ? SN_REGION_SUMS_DIRECT : SN_REGION_SUMS_AUTO;
    if (result == SN_OK) result = sn_shape_matching_create(world, &def, &matching);
    free(nodes);
    return result;
}

static sn_result build(sn_world *world, const bench_case *c, scene_mesh *mesh) {
    sn_settings settings = sn_settings_default();
    settings.gravity = (sn_vec3){0, 0, 0};
    settings.substeps = SUBSTEPS;
    sn_mesh points = sn_mesh_default();
    sn_regions regions = sn_regions_default();
    uint32_t omega = (uint32_t)(c->size & OMEGA);
    sn_result result = sn_world_set_settings(world, &settings);
    if (result == SN_OK)
        result = c->size & MESH ? make_sphere(&points, omega, &regions)
                                : make_lattice(&points, omega, &regions);
    if (result == SN_OK) result = add_matching(world, &points, &regions, c->size & DIRECT);
    sn_regions_free(&regions);
    sn_mesh_free(&points);
    *mesh = (scene_mesh){0};
    return result;
}

/* A cloth of edges and triangles with five levels, held at two corners: 316 x 316 cells are 199,712
   triangles, as those of Bender, Weber and Diziol 2013 who give 22 ms a step on a GTX 470. */
enum { CLOTH_CELLS = 316, CLOTH_LEVELS = 5 };

static sn_result build_cloth(sn_world *world, const bench_case *c, scene_mesh *mesh) {
    sn_settings settings = sn_settings_default();
    settings.substeps = 1;
    sn_grid_def grid = sn_grid_def_default();
    grid.columns = grid.rows = CLOTH_CELLS;
    sn_mesh sheet = sn_mesh_default();
    sn_cloth_material material = sn_cloth_material_default();
    material.model = 4; /* matching */
    material.levels = CLOTH_LEVELS;
    sn_build_def def = sn_build_def_default();
    const uint32_t corners[2] = {0, CLOTH_CELLS};
    sn_build made;
    (void)c;
    def.pins = corners;
    def.pin_count = 2;
    sn_result result = sn_world_set_settings(world, &settings);
    if (result == SN_OK) result = sn_generate_grid(&sheet, &grid);
    def.mesh = &sheet;
    if (result == SN_OK) result = sn_build_body(world, SN_KIND_CLOTH, &material, &def, NULL, &made);
    sn_mesh_free(&sheet);
    *mesh = (scene_mesh){0};
    return result;
}

static bench_case cloth_case(bool quick) {
    return (bench_case){
        .name = "matching:cloth-200k",
        .frames = quick ? 1 : 3,
        .repeats = 1,
        .dt = SCENE_DT,
        .projections = (size_t)(CLOTH_CELLS + 1) * (CLOTH_CELLS + 1),
        .build = build_cloth,
    };
}

void bench_list_matchings(bench_case cases[BENCH_MATCHINGS], bool quick) {
    cases[BENCH_MATCHINGS - 1] = cloth_case(quick);
    for (int i = 0; i < BENCH_MATCHINGS - 1; i++) {
        int omega = 1 << i % 4;
        bool surface = i / 4 % 2, direct = i / 8 > 0;
        cases[i] = (bench_case){
            .size = omega | (surface ? MESH : 0) | (direct ? DIRECT : 0),
            .frames = quick ? 1 : 6,
            .repeats = quick ? 1 : 3,
            .dt = SCENE_DT,
            .projections = surface ? (10u << 2 * LEVEL) + 2 : NODES,
            .build = build,
        };
        snprintf(cases[i].name, BENCH_NAME, "matching:%s-%d%s", surface ? "mesh" : "lattice", omega,
                 direct ? "-direct" : "");
    }
}
