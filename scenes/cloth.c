/*
 * A cloth is a grid whose diagonals alternate like a checkerboard, so that no direction is
 * favoured:
 *
 *     e---o---e      nodes with an even row + column (e) end four diagonals,
 *     | \ | / |      the others (o) none; rows go down, along z
 *     o---e---o
 *     | / | \ |
 *     e---o---e
 */
#include "build.h"

#include <stdlib.h>

scene_cloth_def scene_cloth_def_default(void) {
    return (scene_cloth_def){
        .columns = 20,
        .rows = 20,
        .spacing = (sn_real)0.01,
        .node_mass = 1,
        .pins = SCENE_PINS_TWO_CORNERS,
    };
}

static bool is_pinned(const scene_cloth_def *def, int row, int column) {
    bool end = column == 0 || column == def->columns - 1;
    return row == 0 &&
           (def->pins == SCENE_PINS_FIRST_ROW || (def->pins == SCENE_PINS_TWO_CORNERS && end));
}

static void place_nodes(const scene_cloth_def *def, sn_node_def *nodes) {
    for (int row = 0; row < def->rows; row++) {
        for (int column = 0; column < def->columns; column++) {
            *nodes = sn_node_def_default();
            nodes->position = (sn_vec3){def->origin.x + (sn_real)column * def->spacing,
                                        def->origin.y, def->origin.z + (sn_real)row * def->spacing};
            nodes->inverse_mass = is_pinned(def, row, column) ? 0 : 1 / def->node_mass;
            nodes->radius = def->radius;
            nodes++;
        }
    }
}

static void add_edges(const scene_cloth_def *def, scene_mesh *mesh) {
    int columns = def->columns;
    for (int row = 0; row < def->rows; row++) {
        for (int column = 0; column < columns; column++) {
            uint32_t v = (uint32_t)(row * columns + column), below = v + (uint32_t)columns;
            bool right = column + 1 < columns, down = row + 1 < def->rows;
            bool even = (row + column) % 2 == 0;
            if (right) scene_add_edge(mesh, v, v + 1);
            if (down) scene_add_edge(mesh, v, below);
            if (even && down && right) scene_add_edge(mesh, v, below + 1);
            if (even && down && column > 0) scene_add_edge(mesh, v, below - 1);
        }
    }
}

static void add_triangles(const scene_cloth_def *def, scene_mesh *mesh) {
    for (int row = 0; row + 1 < def->rows; row++) {
        for (int column = 0; column + 1 < def->columns; column++) {
            uint32_t a = (uint32_t)(row * def->columns + column), b = a + 1;
            uint32_t c = a + (uint32_t)def->columns, d = c + 1;
            if ((row + column) % 2 == 0) {
                scene_add_triangle(mesh, a, c, d);
                scene_add_triangle(mesh, a, d, b);
            } else {
                scene_add_triangle(mesh, a, c, b);
                scene_add_triangle(mesh, b, c, d);
            }
        }
    }
}

/* The corners beside an edge of the grid are the neighbours of its odd end, across the edge. */
static void add_hinges(const scene_cloth_def *def, scene_mesh *mesh) {
    uint32_t columns = (uint32_t)def->columns;
    for (int row = 0; row + 1 < def->rows; row++) {
        for (int column = 0; column + 1 < def->columns; column++) {
            uint32_t v = (uint32_t)row * columns + (uint32_t)column;
            bool even = (row + column) % 2 == 0;
            if (even)
                scene_add_hinge(mesh, v, v + columns + 1, v + 1, v + columns);
            else
                scene_add_hinge(mesh, v + 1, v + columns, v, v + columns + 1);
            if (row > 0) {
                uint32_t odd = even ? v + 1 : v;
                scene_add_hinge(mesh, v, v + 1, odd - columns, odd + columns);
            }
            if (column > 0) {
                uint32_t odd = even ? v + columns : v;
                scene_add_hinge(mesh, v, v + columns, odd - 1, odd + 1);
            }
        }
    }
}

sn_result scene_cloth(sn_world *world, const scene_cloth_def *def, scene_mesh *mesh) {
    enum { MOST = 4096 };
    scene_mesh made = {0};
    if (def->columns < 2 || def->columns > MOST || def->rows < 2 || def->rows > MOST)
        return scene_finish(SN_ERROR_VALUE, &made, mesh);
    size_t count = (size_t)def->columns * (size_t)def->rows;
    size_t quads = (size_t)(def->columns - 1) * (size_t)(def->rows - 1);
    sn_node_def *nodes = calloc(count, sizeof *nodes);
    sn_result result = SN_ERROR_MEMORY;
    if (nodes &&
        scene_mesh_reserve(&made, count, 3 * count, 2 * quads, def->bending ? 3 * quads : 0, 0)) {
        place_nodes(def, nodes);
        add_edges(def, &made);
        add_triangles(def, &made);
        if (def->bending) add_hinges(def, &made);
        scene_material material = {.compliance = def->compliance,
                                   .damping = def->damping,
                                   .bending_compliance = def->bending_compliance};
        result = scene_create(world, nodes, count, &material, &made);
    }
    free(nodes);
    return scene_finish(result, &made, mesh);
}
