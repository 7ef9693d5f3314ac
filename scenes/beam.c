/*
 * A beam is a lattice of cubes. A node is even or odd by the sum of its indices; every cube has one
 * tetrahedron between its four even corners and one at each odd corner, so that the diagonals of
 * all faces join even nodes and neighbouring cubes match.
 */
#include "build.h"

#include <stdlib.h>

scene_beam_def scene_beam_def_default(void) {
    return (scene_beam_def){.cubes = {8, 2, 2}, .spacing = (sn_real)0.05, .node_mass = 1};
}

/* The nodes of the lattice, with z running fastest. */
typedef struct lattice {
    int size[3];
    uint32_t stride[3];
} lattice;

static lattice lattice_of(const scene_beam_def *def) {
    lattice l;
    for (int k = 0; k < 3; k++) l.size[k] = def->cubes[k] + 1;
    l.stride[2] = 1;
    l.stride[1] = (uint32_t)l.size[2];
    l.stride[0] = (uint32_t)(l.size[1] * l.size[2]);
    return l;
}

static uint32_t node_at(const lattice *l, const int at[3]) {
    return (uint32_t)at[0] * l->stride[0] + (uint32_t)at[1] * l->stride[1] + (uint32_t)at[2];
}

static bool is_inside(const lattice *l, const int at[3]) {
    return at[0] >= 0 && at[0] < l->size[0] && at[1] >= 0 && at[1] < l->size[1] && at[2] >= 0 &&
           at[2] < l->size[2];
}

/* Goes to the next place of a box of `size` places; false after the last one. */
static bool next_place(const int size[3], int at[3]) {
    for (int k = 2; k >= 0; k--) {
        if (++at[k] < size[k]) return true;
        at[k] = 0;
    }
    return false;
}

static bool is_even(const int at[3]) {
    return (at[0] + at[1] + at[2]) % 2 == 0;
}

static void place_nodes(const scene_beam_def *def, const lattice *l, sn_node_def *nodes) {
    int at[3] = {0};
    do {
        *nodes = sn_node_def_default();
        nodes->position = (sn_vec3){(sn_real)at[0] * def->spacing, (sn_real)at[1] * def->spacing,
                                    (sn_real)at[2] * def->spacing};
        nodes->inverse_mass = at[0] == 0 ? 0 : 1 / def->node_mass;
        nodes++;
    } while (next_place(l->size, at));
}

/* Three axis edges per node, and from even nodes the diagonals that lead onwards. */
static void add_edges(const lattice *l, scene_mesh *mesh) {
    static const int onward[9][3] = {{0, 0, 1}, {0, 1, 0},  {1, 0, 0}, {0, 1, 1}, {0, 1, -1},
                                     {1, 0, 1}, {1, 0, -1}, {1, 1, 0}, {1, -1, 0}};
    int at[3] = {0};
    do {
        for (int i = 0; i < (is_even(at) ? 9 : 3); i++) {
            int to[3] = {at[0] + onward[i][0], at[1] + onward[i][1], at[2] + onward[i][2]};
            if (is_inside(l, to)) scene_add_edge(mesh, node_at(l, at), node_at(l, to));
        }
    } while (next_place(l->size, at));
}

static void add_tets(const scene_beam_def *def, const lattice *l, scene_mesh *mesh) {
    /* Corners of a cube as bits xyz, for a cube whose corner 000 is even. */
    static const uint32_t corners[5][4] = {
        {0, 3, 5, 6}, {1, 0, 3, 5}, {2, 3, 0, 6}, {4, 5, 6, 0}, {7, 6, 5, 3}};
    int at[3] = {0};
    do {
        /* An odd cube is the mirror image, where swapping two corners keeps the volume positive. */
        uint32_t mirror = is_even(at) ? 0 : 7;
        for (int i = 0; i < 5; i++) {
            uint32_t v[4];
            for (int k = 0; k < 4; k++) {
                uint32_t corner = corners[i][k] ^ mirror;
                v[k] = node_at(l, at) + (corner >> 2) * l->stride[0] +
                       (corner >> 1 & 1) * l->stride[1] + (corner & 1);
            }
            scene_add_tet(mesh, v[0], v[1], v[mirror ? 3 : 2], v[mirror ? 2 : 3]);
        }
    } while (next_place(def->cubes, at));
}

/* One side of the beam: axis k, at its beginning or its end, seen from outside. */
static void add_side(const lattice *l, int k, bool end, scene_mesh *mesh) {
    int u = (k + 1) % 3, v = (k + 2) % 3, at[3];
    uint32_t du = l->stride[u], dv = l->stride[v];
    at[k] = end ? l->size[k] - 1 : 0;
    for (at[u] = 0; at[u] + 1 < l->size[u]; at[u]++) {
        for (at[v] = 0; at[v] + 1 < l->size[v]; at[v]++) {
            uint32_t quad[4], a = node_at(l, at);
            /* Counter-clockwise seen against the axis, from an even corner. */
            bool even = is_even(at);
            quad[0] = even ? a : a + du;
            quad[1] = even ? a + du : a + du + dv;
            quad[2] = even ? a + du + dv : a + dv;
            quad[3] = even ? a + dv : a;
            scene_add_triangle(mesh, quad[0], quad[end ? 1 : 2], quad[end ? 2 : 1]);
            scene_add_triangle(mesh, quad[0], quad[end ? 2 : 3], quad[end ? 3 : 2]);
        }
    }
}

sn_result scene_beam(sn_world *world, const scene_beam_def *def, scene_mesh *mesh) {
    enum { MOST = 255 };
    scene_mesh made = {0};
    for (int k = 0; k < 3; k++)
        if (def->cubes[k] < 1 || def->cubes[k] > MOST)
            return scene_finish(SN_ERROR_VALUE, &made, mesh);
    lattice l = lattice_of(def);
    size_t x = (size_t)def->cubes[0], y = (size_t)def->cubes[1], z = (size_t)def->cubes[2];
    size_t count = (size_t)l.stride[0] * (size_t)l.size[0];
    sn_node_def *nodes = calloc(count, sizeof *nodes);
    sn_result result = SN_ERROR_MEMORY;
    if (nodes && scene_mesh_reserve(&made, count, 6 * count, 4 * (x * y + y * z + z * x), 0,
                                    5 * x * y * z)) {
        place_nodes(def, &l, nodes);
        add_edges(&l, &made);
        add_tets(def, &l, &made);
        for (int k = 0; k < 3; k++) {
            add_side(&l, k, false, &made);
            add_side(&l, k, true, &made);
        }
        scene_material material = {.compliance = def->compliance,
                                   .volume_compliance = def->volume_compliance,
                                   .young = def->young,
                                   .poisson = def->poisson};
        result = scene_create(world, nodes, count, &material, &made);
    }
    free(nodes);
    return scene_finish(result, &made, mesh);
}
