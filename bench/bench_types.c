/*
 * Every constraint type as a case, from its description alone: 20,000 constraints on the corners of
 * the cubes of a lattice, measured at rest and then pulled apart by moving every node a little.
 */
#include "bench/bench.h"

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

/* ---- Constraints of a type ---- */

/* What follows the size in the definition of a type with a list. */
typedef struct list_head {
    const sn_node *nodes;
    size_t node_count;
    const uint32_t *triangles;
    size_t triangle_count;
} list_head;

/* A list on the corners of a cube: one of them and six around it, or all eight and the faces. */
static list_head list_on_cube(const sn_type_info *info, uint32_t place, const sn_node *nodes,
                              sn_node list[8]) {
    static const int ring[7] = {0, 1, 4, 2, 6, 3, 5};
    static const uint32_t faces[36] = {0, 2, 4, 0, 4, 1, 3, 5, 7, 3, 7, 6, 0, 1, 5, 0, 5, 3,
                                       2, 6, 7, 2, 7, 4, 0, 3, 6, 0, 6, 2, 1, 4, 7, 1, 7, 5};
    bool surface = info->list == SN_LIST_SURFACE;
    int count = surface ? 8 : 7;
    for (int k = 0; k < count; k++) list[k] = nodes[corner_of(place, surface ? k : ring[k])];
    return (list_head){list, (size_t)count, surface ? faces : NULL, surface ? 12 : 0};
}

/* The nodes, or the list of them, follow the size in every definition. Nodes that a constraint only
   reads are left null. */
static void fill_def(const sn_type_info *info, uint32_t place, const sn_node *nodes,
                     sn_node list[8], char *def) {
    char *after = def + sizeof(size_t);
    if (info->list != SN_LIST_NONE) {
        list_head head = list_on_cube(info, place, nodes, list);
        memcpy(after, &head, sizeof head);
        return;
    }
    for (int k = 0; k < info->nodes - info->fixed_nodes; k++)
        memcpy(after + (size_t)k * sizeof *nodes, &nodes[corner_of(place, k)], sizeof *nodes);
}

static sn_result create_constraints(sn_world *world, sn_type type, const sn_node *nodes) {
    const sn_type_info *info = sn_type_get_info(type);
    char *defs = calloc(COUNT, info->def_size);
    sn_node(*lists)[8] = calloc(COUNT, sizeof *lists);
    sn_result result = defs && lists ? SN_OK : SN_ERROR_MEMORY;
    for (uint32_t i = 0; i < COUNT && result == SN_OK; i++) {
        char *def = defs + i * info->def_size;
        sn_type_default(type, def);
        fill_def(info, i, nodes, lists[i], def);
    }
    if (result == SN_OK) result = sn_constraints_create(world, type, defs, COUNT, NULL);
    free(lists);
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
