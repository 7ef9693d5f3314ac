/*
 * The nearest triangle of a surface from near and from afar, against a search through all of them:
 * the one with the least (distance, index), also where squares of distances have no digits left for
 * their differences.
 */
#include "geometry/boundary.h"
#include "check.h"

#include <sinew/sinew.h>

#include <math.h>
#include <stdlib.h>

static double noise(void) {
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) / 4503599627370496.0 - 1;
}

static sn_point corner_of(const sn_mesh *m, uint32_t v, const sn_vec3 *to, double time) {
    sn_point a = sn_point_of(m->positions[v]), b = sn_point_of(to[v]);
    return sn_point_add(a, sn_point_scaled(sn_point_sub(b, a), time));
}

/* m: the least distance of all triangles. */
static double search_all(const sn_mesh *m, const sn_vec3 *to, double time, sn_point x) {
    double least = INFINITY;
    for (size_t t = 0; t < m->triangle_count; t++) {
        sn_point c[3];
        for (int k = 0; k < 3; k++) c[k] = corner_of(m, m->triangles[t][k], to, time);
        sn_point d = sn_point_sub(sn_closest_on_triangle(x, c[0], c[1], c[2], NULL), x);
        least = fmin(least, sn_point_length(d));
    }
    return least;
}

/* Around it and straight above, from within to 10^12 times its size. */
static void compare(const sn_boundary *b, const sn_mesh *m, const sn_vec3 *to, double time) {
    double worst = 0;
    for (int power = -2; power <= 12; power++)
        for (int i = 0; i < 12; i++) {
            sn_point x = sn_point_scaled((sn_point){noise(), noise(), noise()}, pow(10, power));
            if (i < 2) x = (sn_point){0, pow(10, power), 0};
            sn_foot near = {.triangle = i % 3 ? SN_BVH_NONE : 7};
            sn_boundary_nearest(b, x, time, INFINITY, &near);
            if (!CHECK(near.triangle < b->triangle_count)) return;
            double all = search_all(m, to, time, x);
            worst = fmax(worst, fabs(sqrt(near.square) - all) / (all + 1e-3));
            /* From where it counts as none, and where it does not. */
            sn_boundary_nearest(b, x, time, 1.001 * all + 1e-3, &near);
            CHECK(near.triangle != SN_BVH_NONE);
            near.triangle = SN_BVH_NONE;
            sn_boundary_nearest(b, x, time, 0.999 * all, &near);
            CHECK(near.triangle == SN_BVH_NONE);
        }
    CHECK(worst < 1e-10);
}

TEST(nearest_from_afar) {
    sn_mesh ball = sn_mesh_default(), grid = sn_mesh_default();
    sn_sphere_def sphere = sn_sphere_def_default();
    sn_grid_def sheet = sn_grid_def_default();
    sphere.level = 3;
    sheet.columns = sheet.rows = 20;
    REQUIRE_OK(sn_generate_sphere(&ball, &sphere));
    REQUIRE_OK(sn_generate_grid(&grid, &sheet));
    sn_mesh *const meshes[] = {&ball, &grid};
    for (int i = 0; i < 2; i++) {
        sn_mesh *m = meshes[i];
        sn_memory memory = {.allocator = sn_allocator_default()};
        sn_boundary b;
        REQUIRE_OK(sn_boundary_create(&b, &memory, m->positions, m->vertex_count,
                                      (const uint32_t(*)[3])m->triangles, m->triangle_count));
        compare(&b, m, m->positions, 0);
        sn_vec3 *to = calloc(m->vertex_count, sizeof *to);
        if (!CHECK(to != NULL)) return;
        for (size_t v = 0; v < m->vertex_count; v++) {
            sn_vec3 p = m->positions[v];
            to[v] = (sn_vec3){p.x + (sn_real)0.3, p.y * (sn_real)1.2, p.z};
        }
        CHECK(sn_boundary_send(&b, &memory, to));
        compare(&b, m, to, 0.6);
        free(to);
        sn_boundary_free(&b, &memory);
        CHECK(memory.held == 0);
        sn_mesh_free(m);
    }
}

TESTS(RUN(nearest_from_afar))
