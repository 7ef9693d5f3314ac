/*
 * Every constraint type as a case, from its description alone: 20,000 constraints on the corners of
 * the cubes of a lattice, measured at rest and then pulled apart by moving every node a little.
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Nodes along a side of the lattice and constraints in it. */
enum { SIDE = 29, COUNT = 20000 };
static const sn_real spacing = (sn_real)0.1;

/* A corner of the cube at a place of the lattice. The first four are a right-handed tetrahedron. */
static uint32_t corner_of(uint32_t place, int corner) {
    static const uint32_t at[8][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1},
                                      {1, 1, 0}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
    const uint32_t *c = at[corner % 8], cubes = SIDE - 1;
    uint32_t x = place / (cubes * cubes), y = place / cubes % cubes, z = place % cubes;
    return ((x + c[0]) * SIDE + y + c[1]) * SIDE + z + c[2];
}

static sn_vec3 lattice_point(size_t i) {
    size_t x = i / SIDE / SIDE, y = i / SIDE % SIDE, z = i % SIDE;
    return (sn_vec3){(sn_real)x * spacing, (sn_real)y * spacing, (sn_real)z * spacing};
}

static sn_result create_nodes(sn_world *world, bool oriented, sn_node *nodes) {
    enum { NODES = SIDE * SIDE * SIDE };
    sn_node_def *defs = calloc(NODES, sizeof *defs);
    if (!defs) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < NODES; i++) {
        defs[i] = sn_node_def_default();
        defs[i].position = lattice_point(i);
        defs[i].oriented = oriented;
    }
    sn_result result = sn_nodes_create(world, defs, NODES, nodes);
    free(defs);
    return result;
}

/* Nodes that a constraint only reads are left null. */
static sn_result create_constraints(sn_world *world, sn_type type, const sn_node *nodes) {
    const sn_type_info *info = sn_type_get_info(type);
    char *defs = calloc(COUNT, info->def_size);
    if (!defs) return SN_ERROR_MEMORY;
    for (uint32_t i = 0; i < COUNT; i++) {
        char *def = defs + i * info->def_size;
        sn_type_default(type, def);
        for (int k = 0; k < info->nodes - info->fixed_nodes; k++) {
            /* The node list follows the size in every definition. */
            memcpy(def + sizeof(size_t) + (size_t)k * sizeof *nodes, &nodes[corner_of(i, k)],
                   sizeof *nodes);
        }
    }
    sn_result result = sn_constraints_create(world, type, defs, COUNT, NULL);
    free(defs);
    return result;
}

/* A number in [-1, 1) that depends on nothing but the state. */
static sn_real noise(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return (sn_real)(*state >> 8) / 8388608 - 1;
}

static sn_result jitter(sn_world *world, const sn_node *nodes) {
    uint32_t state = 1;
    sn_result result = SN_OK;
    for (size_t i = 0; i < SIDE * SIDE * SIDE && result == SN_OK; i++) {
        sn_vec3 x = lattice_point(i);
        sn_real most = spacing / 20;
        x.x += most * noise(&state);
        x.y += most * noise(&state);
        x.z += most * noise(&state);
        result = sn_node_set_position(world, nodes[i], x);
    }
    return result;
}

static sn_result build_type(sn_world *world, const bench_case *c, scene_mesh *mesh) {
    sn_settings settings = sn_settings_default();
    settings.gravity = (sn_vec3){0, 0, 0};
    settings.substeps = 10;
    settings.keep_forces = false;
    sn_node *nodes = calloc(SIDE * SIDE * SIDE, sizeof *nodes);
    sn_result result = nodes ? sn_world_set_settings(world, &settings) : SN_ERROR_MEMORY;
    bool oriented = sn_type_get_info((sn_type)c->size)->frames > 0;
    if (result == SN_OK) result = create_nodes(world, oriented, nodes);
    if (result == SN_OK) result = create_constraints(world, (sn_type)c->size, nodes);
    if (result == SN_OK) result = jitter(world, nodes);
    free(nodes);
    *mesh = (scene_mesh){0};
    return result;
}

void bench_list_types(bench_case cases[SN_TYPE_COUNT], bool quick) {
    for (int i = 0; i < SN_TYPE_COUNT; i++) {
        cases[i] = (bench_case){
            .size = i,
            .frames = quick ? 3 : 30,
            .repeats = quick ? 1 : 3,
            .dt = SCENE_DT,
            .build = build_type,
        };
        snprintf(cases[i].name, BENCH_NAME, "type:%s", sn_type_get_info((sn_type)i)->name);
    }
}
