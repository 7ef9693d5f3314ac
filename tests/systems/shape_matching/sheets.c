/*
 * Cloth by shape matching: regions of edges and triangles, matched in their planes; regions that
 * overlap, which resist bending; coarser levels, with which it hardly stretches; and fibres.
 */
#include "snapshot.h"
#include "validation/build.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 24, VERTICES = (SIDE + 1) * (SIDE + 1) };

static sn_world *make_still(double gravity) {
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    settings.gravity = vector(0, -gravity, 0);
    settings.substeps = 1;
    return make_world(settings);
}

static sn_mesh make_grid(int side) {
    sn_mesh mesh = sn_mesh_default();
    sn_grid_def def = sn_grid_def_default();
    def.width = def.depth = 1;
    def.columns = def.rows = (uint32_t)side;
    REQUIRE_OK(sn_generate_grid(&mesh, &def));
    return mesh;
}

/* Goals by the two-dimensional polar decomposition of the paper: R of A' = sum r'_i rest'_i^T is
   the rotation by atan2(A_yx - A_xy, A_xx + A_yy). */
static void match_in_plane(const vec rest[3], const vec x[3], vec goal[3]) {
    double flat[2][3][2], a[2][2] = {{0}};
    vec axis[2], middle = {0, 0, 0};
    for (int k = 0; k < 2; k++) {
        const vec *of = k == 0 ? rest : x;
        vec c = {(of[0].x + of[1].x + of[2].x) / 3, (of[0].y + of[1].y + of[2].y) / 3,
                 (of[0].z + of[1].z + of[2].z) / 3};
        vec u = sub(of[1], of[0]), w = sub(of[2], of[0]);
        double l = length(u);
        u = (vec){u.x / l, u.y / l, u.z / l};
        double along = w.x * u.x + w.y * u.y + w.z * u.z;
        w = (vec){w.x - along * u.x, w.y - along * u.y, w.z - along * u.z};
        l = length(w);
        w = (vec){w.x / l, w.y / l, w.z / l};
        for (int i = 0; i < 3; i++) {
            vec r = sub(of[i], c);
            flat[k][i][0] = r.x * u.x + r.y * u.y + r.z * u.z;
            flat[k][i][1] = r.x * w.x + r.y * w.y + r.z * w.z;
        }
        axis[0] = u;
        axis[1] = w;
        middle = c;
    }
    for (int i = 0; i < 3; i++)
        for (int p = 0; p < 2; p++)
            for (int q = 0; q < 2; q++) a[p][q] += flat[1][i][p] * flat[0][i][q];
    double angle = atan2(a[1][0] - a[0][1], a[0][0] + a[1][1]), c = cos(angle), s = sin(angle);
    for (int i = 0; i < 3; i++) {
        double g[2] = {c * flat[0][i][0] - s * flat[0][i][1],
                       s * flat[0][i][0] + c * flat[0][i][1]};
        goal[i] = (vec){middle.x + g[0] * axis[0].x + g[1] * axis[1].x,
                        middle.y + g[0] * axis[0].y + g[1] * axis[1].y,
                        middle.z + g[0] * axis[0].z + g[1] * axis[1].z};
    }
}

TEST(a_triangle_is_matched_in_its_plane) {
    const vec rest[3] = {{0, 0, 0}, {1, 0, 0}, {0.3, 0, 0.8}};
    const vec x[3] = {{0.1, 0.2, 0}, {0.9, 1.1, 0.1}, {0.2, 0.4, 1.0}};
    const uint32_t first[2] = {0, 3}, members[3] = {0, 1, 2};
    sn_world *world = make_still(0);
    sn_node node[3];
    sn_vec3 at_rest[3];
    vec goal[3];
    for (int i = 0; i < 3; i++) {
        node[i] = add_node(world, x[i], 1);
        at_rest[i] = vector(rest[i].x, rest[i].y, rest[i].z);
    }
    sn_shape_matching_def def = sn_shape_matching_def_default();
    sn_shape_matching matching;
    def.nodes = node;
    def.node_count = 3;
    def.rest = at_rest;
    def.first = first;
    def.members = members;
    def.region_count = 1;
    REQUIRE_OK(sn_shape_matching_create(world, &def, &matching));
    advance(world, 1e-3, 1);
    match_in_plane(rest, x, goal);
    for (int i = 0; i < 3; i++)
        CHECK(length(sub(position_of(world, node[i]), goal[i])) < TOL(1e-9, 2e-6));
    sn_world_destroy(world);
}

TEST(regions_are_those_of_the_papers) {
    sn_mesh mesh = make_grid(2);
    sn_regions regions = sn_regions_default();
    REQUIRE_OK(sn_regions_sheet(&mesh, SN_SHEET_REGIONS_ELEMENTS, &regions));
    /* Of 9 vertices and 8 triangles: 16 edges. */
    CHECK(regions.count == 24);
    for (size_t r = 0; r < regions.count; r++)
        CHECK(regions.first[r + 1] - regions.first[r] == (r < 16 ? 2u : 3u));
    sn_regions_free(&regions);
    REQUIRE_OK(sn_regions_sheet(&mesh, SN_SHEET_REGIONS_OVERLAPPING, &regions));
    CHECK(regions.count == 8);
    for (size_t r = 0; r < regions.count; r++) {
        /* A side at the border, or two, with their own corners. */
        size_t count = regions.first[r + 1] - regions.first[r];
        CHECK(count >= 3 && count <= 4);
    }
    sn_regions_free(&regions);
    sn_mesh_free(&mesh);
    mesh = make_grid(4);
    REQUIRE_OK(sn_regions_sheet(&mesh, SN_SHEET_REGIONS_OVERLAPPING, &regions));
    size_t inner = 0;
    for (size_t r = 0; r < regions.count; r++) {
        const uint32_t *t = mesh.triangles[r];
        bool own = false;
        if (regions.first[r + 1] - regions.first[r] > 3) continue;
        for (uint32_t k = regions.first[r]; k < regions.first[r + 1]; k++)
            for (int c = 0; c < 3; c++) own = own || regions.members[k] == t[c];
        if (own) continue;
        inner++;
        /* Each is the corner of a triangle that shares the two others with it. */
        for (uint32_t k = regions.first[r]; k < regions.first[r + 1]; k++) {
            int beside = 0;
            for (size_t o = 0; o < mesh.triangle_count; o++) {
                int shared = 0, outer = 0;
                for (int i = 0; i < 3; i++) {
                    uint32_t v = mesh.triangles[o][i];
                    shared += v == t[0] || v == t[1] || v == t[2];
                    outer += v == regions.members[k];
                }
                beside += shared == 2 && outer == 1;
            }
            CHECK(beside >= 1);
        }
    }
    CHECK(inner > 8);
    sn_regions_free(&regions);
    CHECK_FAILS(sn_regions_sheet(&mesh, (sn_sheet_regions)7, &regions), SN_ERROR_VALUE);
    sn_mesh_free(&mesh);
}

/* Every edge is in one strip, and those along the sides of a grid go from end to end. */
TEST(strips_have_every_edge_once) {
    enum { CELLS = 4, ROW = CELLS + 1 };
    sn_mesh mesh = make_grid(CELLS);
    sn_regions regions = sn_regions_default();
    uint8_t seen[ROW * ROW][ROW * ROW] = {{0}};
    size_t edges = 0, whole = 0;
    REQUIRE_OK(sn_regions_sheet(&mesh, SN_SHEET_REGIONS_FIBRES, &regions));
    for (size_t r = 0; r < regions.count; r++) {
        size_t count = regions.first[r + 1] - regions.first[r];
        const uint32_t *v = regions.members + regions.first[r];
        sn_vec3 p = mesh.positions[v[0]], q = mesh.positions[v[count - 1]];
        CHECK(count >= 2 && regions.centres[r] == UINT32_MAX);
        bool straight = fabs((double)(p.x - q.x)) < 1e-6 || fabs((double)(p.z - q.z)) < 1e-6;
        whole += straight && count == ROW;
        for (size_t k = 1; k < count; k++, edges++) {
            uint32_t a = v[k - 1] < v[k] ? v[k - 1] : v[k], b = v[k - 1] < v[k] ? v[k] : v[k - 1];
            CHECK(!seen[a][b]);
            seen[a][b] = 1;
        }
    }
    CHECK(whole == 2 * ROW);
    for (size_t t = 0; t < mesh.triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            uint32_t a = mesh.triangles[t][k], b = mesh.triangles[t][(k + 1) % 3];
            CHECK(a < b ? seen[a][b] : seen[b][a]);
        }
    CHECK(edges == 2 * CELLS * ROW + CELLS * CELLS);
    sn_regions_free(&regions);
    sn_mesh_free(&mesh);
}

/* Three nodes on a line that are half as far apart again as at rest: from either end, each is put
   at its distance from the one before. The mean of both is shifted by the momentum; a node that is
   held stays, and what comes from there counts alone. */
TEST(fibres_are_walked_from_both_ends) {
    static const double masses[3][3] = {{1, 1, 1}, {1, 1, 2}, {0, 1, 1}};
    static const double moved[3][3] = {{0.5, 0, -0.5}, {0.625, 0.125, -0.375}, {0, -0.5, -1}};
    const uint32_t first[2] = {0, 3}, members[3] = {2, 0, 1};
    for (int i = 0; i < 3; i++) {
        sn_world *world = make_still(0);
        sn_node nodes[3];
        sn_vec3 rest[3];
        sn_shape_matching matching;
        sn_shape_matching_def def = sn_shape_matching_def_default();
        check_case("masses %g, %g, %g", masses[i][0], masses[i][1], masses[i][2]);
        for (int k = 0; k < 3; k++) {
            /* The members of the strip are not in the order of the nodes. */
            uint32_t at = members[k];
            vec x = {1.5 * k, 0, 0};
            nodes[at] = masses[i][k] > 0 ? add_node(world, x, masses[i][k]) : add_pin(world, x);
            rest[at] = vector(k, 0, 0);
        }
        def.nodes = nodes;
        def.node_count = 3;
        def.rest = rest;
        def.first = first;
        def.members = members;
        def.region_count = 1;
        def.fibre_count = 2;
        CHECK_FAILS(sn_shape_matching_create(world, &def, &matching), SN_ERROR_VALUE);
        def.fibre_count = 1;
        def.fibre_share = 1;
        REQUIRE_OK(sn_shape_matching_create(world, &def, &matching));
        advance(world, 1e-3, 1);
        for (int k = 0; k < 3; k++) {
            vec x = position_of(world, nodes[members[k]]);
            CHECK_NEAR(x.x, 1.5 * k + moved[i][k], TOL(1e-12, 1e-6));
            CHECK(x.y == 0 && x.z == 0);
        }
        sn_world_destroy(world);
    }
}

static sn_node node[VERTICES];

static void build_cloth(sn_world *world, const sn_mesh *mesh, int model, double levels,
                        double fibres) {
    sn_cloth_material cloth = sn_cloth_material_default();
    sn_build_def def = sn_build_def_default();
    sn_build build;
    cloth.model = model;
    cloth.levels = (sn_real)levels;
    cloth.fibres = (sn_real)fibres;
    cloth.drag = 0;
    def.mesh = mesh;
    REQUIRE_OK(sn_build_body(world, SN_KIND_CLOTH, &cloth, &def, node, &build));
}

enum { MATCHING = 4, OVERLAPPING = 5 };

/* A sheet that is folded along a line keeps its lengths: edges and triangles leave it so, and what
   overlaps opens it. */
TEST(what_overlaps_resists_bending) {
    for (int model = MATCHING; model <= OVERLAPPING; model++) {
        sn_mesh mesh = make_grid(6);
        sn_world *world = make_still(0);
        vec before[49];
        double opened = 0, moved = 0;
        build_cloth(world, &mesh, model, 0, 0);
        for (int i = 0; i < 49; i++) {
            vec x = position_of(world, node[i]);
            /* Half of it turned up about the z axis by a right angle. */
            if (x.x > 0) x = (vec){0, x.x, x.z};
            REQUIRE_OK(sn_node_set_position(world, node[i], vector(x.x, x.y, x.z)));
            before[i] = x;
        }
        advance(world, 1e-3, 1);
        for (int i = 0; i < 49; i++) {
            vec x = position_of(world, node[i]);
            moved = fmax(moved, length(sub(x, before[i])));
            if (before[i].y > 0.01) opened = fmax(opened, x.x);
        }
        if (model == MATCHING)
            CHECK(moved < 1e-5);
        else
            CHECK(opened > 0.01);
        sn_mesh_free(&mesh);
        sn_world_destroy(world);
    }
}

/* How much farther than at rest the middle of the lower side of a sheet hangs that is held at its
   upper corners, over its size. */
static double hang(double levels, double fibres) {
    sn_mesh mesh = make_grid(SIDE);
    sn_world *world = make_still(9.81);
    sn_settings settings;
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.substeps = 8;
    settings.damping = 2;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    build_cloth(world, &mesh, MATCHING, levels, fibres);
    size_t edges = 0;
    for (int i = 0; i < VERTICES; i++) {
        vec x = position_of(world, node[i]);
        bool corner = x.z < -0.499 && fabs(x.x) > 0.499;
        REQUIRE_OK(sn_node_set_position(world, node[i], vector(x.x, -x.z, 0.01 * x.x * x.z)));
        if (corner) REQUIRE_OK(sn_node_set_inverse_mass(world, node[i], 0));
    }
    double strain = 0;
    for (int step = 0; step < 90; step++) REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
    for (size_t t = 0; t < mesh.triangle_count; t++)
        for (int k = 0; k < 3; k++, edges++) {
            uint32_t a = mesh.triangles[t][k], b = mesh.triangles[t][(k + 1) % 3];
            sn_vec3 p = mesh.positions[a], q = mesh.positions[b];
            double rest = length((vec){(double)p.x - (double)q.x, 0, (double)p.z - (double)q.z});
            double now = length(sub(position_of(world, node[a]), position_of(world, node[b])));
            strain += fmax(now / rest - 1, 0);
        }
    sn_mesh_free(&mesh);
    sn_world_destroy(world);
    return strain / (double)edges;
}

/* Small regions alone are rubber with few substeps; levels carry what pulls from afar. */
TEST(levels_and_fibres_make_it_stiff) {
    double alone = hang(0, 0), levels = hang(32, 0), fibres = hang(0, 0.5);
    check_case("strain %.5f, with levels %.5f, with fibres %.5f", alone, levels, fibres);
    if (check_shows())
        printf("strain %.5f, with levels %.5f, with fibres %.5f\n", alone, levels, fibres);
    CHECK(alone > 0.02);
    CHECK(levels < alone / 4);
    /* Fibres carry along strips alone. */
    CHECK(fibres < alone / 2);
}

/* Momentum is kept, with any masses; a world that was saved goes on with the same bits, and so it
   does after nodes are gone. */
TEST(fibres_keep_momentum_and_go_on) {
    sn_mesh mesh = make_grid(6);
    sn_world *world = make_still(0), *again = make_still(0);
    uint32_t seed = 7;
    double before[3] = {0, 0, 0}, now[3] = {0, 0, 0};
    build_cloth(world, &mesh, OVERLAPPING, 0, 0.6);
    for (int i = 0; i < 49; i++) {
        vec x = position_of(world, node[i]);
        double mass = 1 + 0.5 * noise(&seed);
        x = (vec){x.x + 0.05 * noise(&seed), 0.1 * noise(&seed), x.z + 0.05 * noise(&seed)};
        REQUIRE_OK(sn_node_set_position(world, node[i], vector(x.x, x.y, x.z)));
        REQUIRE_OK(sn_node_set_inverse_mass(world, node[i], (sn_real)(1 / mass)));
    }
    for (int pass = 0; pass < 2; pass++) {
        double *sum = pass ? now : before;
        if (pass) advance(world, 1e-3, 1);
        for (int i = 0; i < 49; i++) {
            sn_node_def def = sn_node_def_default();
            REQUIRE_OK(sn_node_get(world, node[i], &def));
            sum[0] += (double)def.position.x / (double)def.inverse_mass;
            sum[1] += (double)def.position.y / (double)def.inverse_mass;
            sum[2] += (double)def.position.z / (double)def.inverse_mass;
        }
    }
    for (int k = 0; k < 3; k++) CHECK_NEAR(now[k], before[k], TOL(1e-12, 2e-5));
    for (int pass = 0; pass < 2; pass++) {
        size_t size = 0;
        void *bytes = snapshot_of(world, &size);
        REQUIRE_OK(sn_snapshot_load(again, bytes, size));
        free(bytes);
        for (int step = 0; step < 3; step++) {
            advance(world, 1e-3, 1);
            advance(again, 1e-3, 1);
            CHECK(sn_world_hash(world) == sn_world_hash(again));
        }
        /* The first time a node of the middle goes, out of its regions and strips. */
        if (pass == 0) REQUIRE_OK(sn_node_destroy(world, node[24]));
    }
    sn_world_destroy(world);
    sn_world_destroy(again);
    sn_mesh_free(&mesh);
}

TESTS(RUN(strips_have_every_edge_once), RUN(fibres_are_walked_from_both_ends),
      RUN(fibres_keep_momentum_and_go_on), RUN(a_triangle_is_matched_in_its_plane),
      RUN(regions_are_those_of_the_papers), RUN(what_overlaps_resists_bending),
      RUN(levels_and_fibres_make_it_stiff))
