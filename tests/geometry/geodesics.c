/* Distances along surfaces, where they are known: flat, rolled up, round a corner. */
#include <math.h>
#include <stdlib.h>

#include "bodies/meshed_body.h"

static double distance_between(sn_vec3 a, sn_vec3 b) {
    double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y;
    double z = (double)a.z - (double)b.z;
    return sqrt(x * x + y * y + z * z);
}

/* The distances from one vertex. */
static double *distances_from(const sn_mesh *mesh, uint32_t from) {
    double *distance = malloc(mesh->vertex_count * sizeof *distance);
    uint32_t *source = malloc(mesh->vertex_count * sizeof *source);
    if (!CHECK(distance && source)) exit(1);
    REQUIRE_OK(sn_mesh_geodesics(mesh, &from, 1, 1, source, distance));
    for (size_t i = 0; i < mesh->vertex_count; i++) CHECK(source[i] == from);
    free(source);
    return distance;
}

TEST(flat_sheets_are_exact) {
    static const sn_grid_pattern patterns[] = {SN_GRID_ALTERNATING, SN_GRID_SAME, SN_GRID_CROSSED,
                                               SN_GRID_EQUILATERAL};
    static const uint32_t rows[] = {30, 7};
    for (int i = 0; i < 8; i++) {
        check_case("pattern %d, %u rows", i / 2, rows[i % 2]);
        sn_mesh mesh = grid_mesh(1, 1, 30, rows[i % 2], patterns[i / 2]);
        for (uint32_t from = 0; from < 40; from += 13) {
            double *distance = distances_from(&mesh, from);
            for (size_t k = 0; k < mesh.vertex_count; k++)
                CHECK_NEAR(distance[k], distance_between(mesh.positions[k], mesh.positions[from]),
                           1e-5);
            free(distance);
        }
        sn_mesh_free(&mesh);
    }
}

/* Random vertices within the cells: obtuse triangles of all kinds. */
TEST(irregular_sheets_are_within_a_hundredth) {
    sn_mesh mesh = grid_mesh(1, 1, 30, 30, SN_GRID_SAME);
    uint64_t state = 5;
    double worst = 0, short_by = 0;
    for (size_t i = 0; i < mesh.vertex_count; i++) {
        size_t column = i % 31, row = i / 31;
        if (column == 0 || row == 0 || column == 30 || row == 30) continue;
        for (int axis = 0; axis < 2; axis++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            double part = (double)(state >> 11) / 9007199254740992.0 - 0.5;
            *(axis ? &mesh.positions[i].z : &mesh.positions[i].x) += (sn_real)(0.6 / 30 * part);
        }
    }
    double *distance = distances_from(&mesh, 0);
    for (size_t k = 1; k < mesh.vertex_count; k++) {
        double exact = distance_between(mesh.positions[k], mesh.positions[0]);
        double excess = distance[k] / exact - 1;
        if (excess > worst) worst = excess;
        if (-excess > short_by) short_by = -excess;
    }
    CHECK(worst < 0.01);
    CHECK(short_by < 1e-5);
    free(distance);
    sn_mesh_free(&mesh);
}

/* A sheet rolled up to three quarters of a cylinder is as long as before. */
TEST(cylinders_unroll) {
    sn_mesh mesh = grid_mesh(3, 1, 60, 20, SN_GRID_ALTERNATING);
    sn_mesh flat = grid_mesh(3, 1, 60, 20, SN_GRID_ALTERNATING);
    const double radius = 3 / (1.5 * acos(-1.0));
    for (size_t i = 0; i < mesh.vertex_count; i++) {
        double angle = (double)flat.positions[i].x / radius;
        mesh.positions[i].x = (sn_real)(radius * sin(angle));
        mesh.positions[i].y = (sn_real)(radius * cos(angle));
    }
    double *distance = distances_from(&mesh, 0);
    for (size_t k = 1; k < mesh.vertex_count; k++)
        CHECK_REL(distance[k], distance_between(flat.positions[k], flat.positions[0]), 0.01);
    free(distance);
    sn_mesh_free(&mesh);
    sn_mesh_free(&flat);
}

/* An L: from the tip of one leg the path to the other goes round the inner corner. */
TEST(paths_go_round_corners) {
    enum { SIDE = 24, HALF = SIDE / 2 };
    sn_mesh grid = grid_mesh(2, 2, SIDE, SIDE, SN_GRID_ALTERNATING), mesh = sn_mesh_default();
    REQUIRE_OK(sn_mesh_add_vertices(&mesh, grid.positions, grid.vertex_count));
    for (size_t i = 0; i < grid.triangle_count; i++) {
        const uint32_t *t = grid.triangles[i];
        double x = 0, z = 0;
        for (int k = 0; k < 3; k++) {
            x += (double)grid.positions[t[k]].x / 3;
            z += (double)grid.positions[t[k]].z / 3;
        }
        if (x < 0 || z < 0) REQUIRE_OK(sn_mesh_add_triangles(&mesh, (const uint32_t(*)[3])t, 1));
    }
    const sn_vec3 corner = {0, 0, 0};
    uint32_t from = 0;
    for (uint32_t i = 0; i < mesh.vertex_count; i++)
        if (distance_between(mesh.positions[i], (sn_vec3){-1, 0, 1}) < 1e-3) from = i;
    uint32_t *source = malloc(mesh.vertex_count * sizeof *source);
    double *distance = malloc(mesh.vertex_count * sizeof *distance);
    if (!CHECK(source && distance)) exit(1);
    REQUIRE_OK(sn_mesh_geodesics(&mesh, &from, 1, 1, source, distance));
    for (uint32_t k = 0; k < mesh.vertex_count; k++) {
        sn_vec3 x = mesh.positions[k], s = mesh.positions[from];
        if (x.x > 1e-3 && x.z > 1e-3) { /* beyond both legs: not of the L */
            CHECK(source[k] == UINT32_MAX && isinf(distance[k]));
            continue;
        }
        /* Whether the corner is between them: it is to the left of the line then. */
        double turn = ((double)corner.x - (double)s.x) * ((double)x.z - (double)s.z) -
                      ((double)corner.z - (double)s.z) * ((double)x.x - (double)s.x);
        bool hidden = turn > 0 && x.x > 0;
        double exact = hidden ? distance_between(s, corner) + distance_between(corner, x)
                              : distance_between(s, x);
        CHECK_NEAR(distance[k], exact, 0.01 * exact + 1e-5);
    }
    free(source);
    free(distance);
    sn_mesh_free(&mesh);
    sn_mesh_free(&grid);
}

/* With many sources every vertex has its nearest ones, from near to far. */
TEST(nearest_sources_come_first) {
    enum { SIDE = 30, NEAREST = 3, SOURCES = SIDE + 1 };
    sn_mesh mesh = grid_mesh(1, 1, SIDE, SIDE, SN_GRID_ALTERNATING);
    uint32_t sources[SOURCES];
    for (uint32_t i = 0; i < SOURCES; i++) sources[i] = i;
    uint32_t *source = malloc(NEAREST * mesh.vertex_count * sizeof *source);
    double *distance = malloc(NEAREST * mesh.vertex_count * sizeof *distance);
    if (!CHECK(source && distance)) exit(1);
    REQUIRE_OK(sn_mesh_geodesics(&mesh, sources, SOURCES, NEAREST, source, distance));
    for (size_t i = 0; i < mesh.vertex_count; i++) {
        double exact[SOURCES];
        for (size_t k = 0; k < SOURCES; k++)
            exact[k] = distance_between(mesh.positions[i], mesh.positions[k]);
        for (size_t n = 0; n < NEAREST; n++) {
            size_t best = 0;
            for (size_t k = 1; k < SOURCES; k++)
                if (exact[k] < exact[best]) best = k;
            CHECK_NEAR(distance[i * NEAREST + n], exact[best], 0.005 * exact[best] + 1e-5);
            CHECK(n == 0 || distance[i * NEAREST + n] >= distance[i * NEAREST + n - 1]);
            exact[best] = INFINITY;
        }
    }
    free(source);
    free(distance);
    sn_mesh_free(&mesh);
}

TEST(bad_questions_are_refused) {
    sn_mesh mesh = grid_mesh(1, 1, 2, 2, SN_GRID_SAME);
    uint32_t from = 9, source[9];
    double distance[9];
    CHECK_FAILS(sn_mesh_geodesics(NULL, &from, 1, 1, source, distance), SN_ERROR_NULL);
    CHECK_FAILS(sn_mesh_geodesics(&mesh, &from, 1, 1, source, distance), SN_ERROR_VALUE);
    from = 0;
    CHECK_FAILS(sn_mesh_geodesics(&mesh, &from, 1, 0, source, distance), SN_ERROR_VALUE);
    CHECK_FAILS(sn_mesh_geodesics(&mesh, &from, 1, 17, source, distance), SN_ERROR_VALUE);
    CHECK_FAILS(sn_mesh_geodesics(&mesh, NULL, 1, 1, source, distance), SN_ERROR_NULL);
    CHECK_FAILS(sn_mesh_geodesics(&mesh, &from, 1, 1, NULL, distance), SN_ERROR_NULL);
    CHECK_FAILS(sn_mesh_geodesics(&mesh, &from, 1, 1, source, NULL), SN_ERROR_NULL);
    CHECK_OK(sn_mesh_geodesics(&mesh, NULL, 0, 1, source, distance));
    CHECK(source[4] == UINT32_MAX && isinf(distance[4]));
    sn_mesh_free(&mesh);
}

TESTS(RUN(flat_sheets_are_exact), RUN(irregular_sheets_are_within_a_hundredth),
      RUN(cylinders_unroll), RUN(paths_go_round_corners), RUN(nearest_sources_come_first),
      RUN(bad_questions_are_refused))
