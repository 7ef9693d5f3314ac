#include "surfaces.h"

#include <scenes.h>
#include <string.h>

#include "check.h"
#include "validation/user_types.h"

/* ---- Cloth ---- */

/* The diagonal of every quad, with the corners beside it. */
static void add_hinges(sn_world *world, const scene_mesh *mesh, int columns, int rows) {
    for (int i = 0; i < (columns - 1) * (rows - 1); i++) {
        int row = i / (columns - 1), column = i % (columns - 1), v = row * columns + column;
        int corner[4] = {v, v + columns + 1, v + 1, v + columns};
        if ((row + column) % 2) {
            int odd[4] = {v + 1, v + columns, v, v + columns + 1};
            memcpy(corner, odd, sizeof odd);
        }
        sn_dihedral_bending_def def = sn_dihedral_bending_def_default();
        sn_constraint made;
        for (int k = 0; k < 4; k++) def.node[k] = mesh->nodes[corner[k]];
        def.compliance = i % 3 ? 4 : 0;
        def.damping = i % 6 == 1 ? (sn_real)0.0625 : 0;
        def.rest_angle = i % 2 ? 0 : SN_AUTO;
        def.break_force = i % 64 == 5 ? (sn_real)0.0625 : SN_AUTO;
        REQUIRE_OK(sn_constraint_create(world, SN_TYPE_DIHEDRAL_BENDING, &def, &made));
    }
}

static void add_areas(sn_world *world, const scene_mesh *mesh) {
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        sn_triangle_area_def def = sn_triangle_area_def_default();
        sn_constraint made;
        for (int k = 0; k < 3; k++) def.node[k] = mesh->nodes[mesh->triangles[i][k]];
        def.compliance = i % 3 ? (sn_real)1e-6 : 0;
        def.damping = i % 6 == 1 ? 1024 : 0;
        def.side = i % 5 == 2 ? SN_SIDE_AT_MOST : SN_SIDE_BOTH;
        REQUIRE_OK(sn_constraint_create(world, SN_TYPE_TRIANGLE_AREA, &def, &made));
    }
}

static void add_bends(sn_world *world, const scene_mesh *mesh) {
    sn_vertex_bending_def def = sn_vertex_bending_def_default();
    sn_surface surface = {mesh->nodes, mesh->node_count, mesh->triangles[0], mesh->triangle_count};
    size_t count = 0;
    def.compliance = 64;
    def.damping = (sn_real)0.015625;
    def.break_force = (sn_real)0.5;
    REQUIRE_OK(sn_surface_bend(world, &surface, &def, NULL, &count));
    CHECK(count > 0);
}

void golden_cloth_add(sn_world *world, int columns, int rows, int surfaces) {
    scene_cloth_def def = scene_cloth_def_default();
    def.columns = columns;
    def.rows = rows;
    def.spacing = (sn_real)0.0625;
    def.node_mass = (sn_real)0.03125;
    def.compliance = (sn_real)1e-5;
    scene_mesh mesh = {0};
    REQUIRE_OK(scene_cloth(world, &def, &mesh));
    for (size_t i = 0; i < mesh.node_count; i++) {
        int row = (int)i / columns, column = (int)i % columns;
        sn_vec3 x = {(sn_real)column / 16, (sn_real)(i * i % 7) / 512, (sn_real)row / 16};
        CHECK_OK(sn_node_set_position(world, mesh.nodes[i], x));
    }
    if (surfaces & SKIN_HINGES) add_hinges(world, &mesh, columns, rows);
    if (surfaces & SKIN_AREAS) add_areas(world, &mesh);
    if (surfaces & SKIN_BENDS) add_bends(world, &mesh);
    for (size_t i = mesh.node_count / 2; i < mesh.node_count; i++)
        CHECK_OK(sn_node_apply_impulse(world, mesh.nodes[i], (sn_vec3){(sn_real)0.0625, 0, 0}));
    scene_mesh_free(&mesh);
}

/* ---- Balloons ---- */

enum { MOST_CELLS = 16, MOST_POINTS = 6 * MOST_CELLS * MOST_CELLS + 2 };

/* The surface of a cube of n cells: places on the lattice, and triangles seen from outside. */
typedef struct cube {
    int n, points, corners;
    int number[MOST_CELLS + 1][MOST_CELLS + 1][MOST_CELLS + 1]; /* from 1; 0 inside */
    int place[MOST_POINTS][3];
    uint32_t corner[36 * MOST_CELLS * MOST_CELLS];
} cube;

static uint32_t point_of(const cube *c, const int place[3]) {
    return (uint32_t)(c->number[place[0]][place[1]][place[2]] - 1);
}

static void make_cube(cube *c, int n) {
    memset(c, 0, sizeof *c);
    c->n = n;
    for (int i = 0; i < (n + 1) * (n + 1) * (n + 1); i++) {
        int at[3] = {i / (n + 1) / (n + 1), i / (n + 1) % (n + 1), i % (n + 1)};
        bool outside = false;
        for (int k = 0; k < 3; k++) outside = outside || at[k] == 0 || at[k] == n;
        if (!outside) continue;
        memcpy(c->place[c->points++], at, sizeof at);
        c->number[at[0]][at[1]][at[2]] = c->points;
    }
    for (int i = 0; i < 6 * n * n; i++) {
        int face = i / (n * n), out = face / 2, top = face % 2, u = (out + 1) % 3;
        uint32_t quad[4];
        for (int k = 0; k < 4; k++) {
            int at[3];
            at[out] = top * n;
            at[u] = i / n % n + (k == 1 || k == 2);
            at[(u + 1) % 3] = i % n + (k >= 2);
            quad[top ? k : 3 - k] = point_of(c, at);
        }
        const uint32_t two[6] = {quad[0], quad[1], quad[2], quad[0], quad[2], quad[3]};
        memcpy(c->corner + c->corners, two, sizeof two);
        c->corners += 6;
    }
}

static void add_balloon(sn_world *world, const cube *c, int nth) {
    static sn_node node[MOST_POINTS];
    sn_constraint made;
    for (int i = 0; i < c->points; i++) {
        sn_node_def def = sn_node_def_default();
        const int *at = c->place[i];
        def.position =
            (sn_vec3){(sn_real)at[0] / 8 + (sn_real)(nth % 16 * (c->n + 2)) / 8, (sn_real)at[1] / 8,
                      (sn_real)at[2] / 8 + (sn_real)(nth / 16 * (c->n + 2)) / 8};
        def.inverse_mass = i == 0 && nth % 2 ? 0 : (sn_real)(16 + i % 5);
        REQUIRE_OK(sn_node_create(world, &def, &node[i]));
    }
    for (int i = 0; i < 3 * c->points; i++) {
        int next[3] = {c->place[i / 3][0], c->place[i / 3][1], c->place[i / 3][2]};
        if (++next[i % 3] > c->n || c->number[next[0]][next[1]][next[2]] == 0) continue;
        sn_distance_def edge = sn_distance_def_default();
        edge.node[0] = node[i / 3];
        edge.node[1] = node[point_of(c, next)];
        edge.compliance = (sn_real)1e-3;
        REQUIRE_OK(sn_constraint_create(world, SN_TYPE_DISTANCE, &edge, &made));
    }
    sn_surface_volume_def def = sn_surface_volume_def_default();
    def.nodes = node;
    def.node_count = (size_t)c->points;
    def.triangles = c->corner;
    def.triangle_count = (size_t)c->corners / 3;
    def.pressure = (sn_real)1 + (sn_real)(nth % 5) / 8;
    def.compliance = nth % 3 ? (sn_real)1e-6 : 0;
    def.damping = nth % 3 == 1 ? 4096 : 0;
    def.side = nth % 7 == 3 ? SN_SIDE_AT_LEAST : SN_SIDE_BOTH;
    def.break_force = nth % 8 == 4 ? 64 : SN_AUTO;
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_SURFACE_VOLUME, &def, &made));
}

void golden_balloons_add(sn_world *world, int count, int cells) {
    static cube c;
    make_cube(&c, cells);
    for (int i = 0; i < count; i++) add_balloon(world, &c, i);
}

/* ---- Types of the user's ---- */

static void add_link(sn_world *world, sn_type type, const sn_node *node, int nodes,
                     sn_real parameter, int nth) {
    sn_user_def def;
    sn_constraint made;
    REQUIRE_OK(sn_user_def_default(world, type, &def));
    memcpy(def.node, node, (size_t)nodes * sizeof *node);
    def.parameter[0] = parameter;
    def.compliance = nth % 3 ? (sn_real)1e-4 : 0;
    def.damping = nth % 6 == 1 ? 2 : 0;
    def.break_force = nth % 32 == 7 ? 4 : SN_AUTO;
    if (nodes == 2 && nth % 5 == 4) def.side = SN_SIDE_AT_MOST;
    if (sn_world_type_info(world, type)->rows > 1) def.side = SN_SIDE_BOTH;
    REQUIRE_OK(sn_constraint_create(world, type, &def, &made));
}

/* Two rails of nodes, the first of them oriented, with links along and across. */
static void add_ladder(sn_world *world, const sn_type type[4], int nth, int rungs) {
    sn_node rail[2][128];
    CHECK(rungs <= 128);
    for (int i = 0; i < 2 * rungs; i++) {
        sn_node_def def = sn_node_def_default();
        def.position = (sn_vec3){(sn_real)(i / 2) / 16, (sn_real)nth / 4,
                                 (sn_real)(i % 2) / 8 + (sn_real)(i % 3) / 128};
        def.inverse_mass = i < 2 ? 0 : (sn_real)(8 + i % 3);
        def.oriented = i % 2 == 0;
        def.orientation = (sn_quat){0, 1, 0, 1};
        def.inverse_inertia = (sn_vec3){2048, 1024, 512};
        REQUIRE_OK(sn_node_create(world, &def, &rail[i % 2][i / 2]));
    }
    for (int i = 0; i < rungs; i++) {
        sn_node across[2] = {rail[0][i], rail[1][i]};
        add_link(world, type[0], across, 2, (sn_real)0.125, i);
        if (i + 1 == rungs) break;
        add_link(world, type[1], &rail[0][i], 2, (sn_real)0.0625, i);
        add_link(world, type[i % 4 ? 0 : 3], &rail[1][i], 2, (sn_real)0.0625, i);
        sn_node angle[3] = {rail[0][i], rail[1][i], rail[0][i + 1]};
        add_link(world, type[2], angle, 3, 0, i);
    }
}

void golden_user_add(sn_world *world, int ladders, int rungs) {
    static const user_kind kinds[4] = {USER_DISTANCE, USER_SEGMENT, USER_HINGE, USER_DISTANCE};
    sn_type type[4];
    for (int k = 0; k < 4; k++) {
        sn_user_type_def def = user_type_def(kinds[k]);
        if (k == 3) {
            def = user_type_def_numerical(kinds[k]);
            def.name = "numerical_distance";
        }
        REQUIRE_OK(sn_world_add_type(world, &def, &type[k]));
    }
    for (int i = 0; i < ladders; i++) add_ladder(world, type, i, rungs);
}
