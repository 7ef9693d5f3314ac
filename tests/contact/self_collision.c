/*
 * The measured scene S6: a cloth that falls on a ball, on the floor and on itself. Nothing of it
 * comes closer to itself than half its thickness, nothing passes through anything, and every width
 * and number of threads gives the same bits.
 *
 *     SINEW_S6_FRAMES=300 build/release/tests/contact_self_collision
 *
 * is all of it, and prints what is counted.
 */
#include "check.h"
#include "collision/ccd/time_of_impact.h"

#include <math.h>
#include <scenes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double thickness = 0.01; /* m */

typedef struct run {
    sn_world *world;
    scene_mesh mesh;
} run;

static run start(scene_self self, int threads, int width) {
    run r = {0};
    sn_world_def def = sn_world_def_default();
    def.threads = threads;
    def.simd_width = width;
    REQUIRE_OK(sn_world_create(&def, &r.world));
    REQUIRE_OK(scene_s6(r.world, self, &r.mesh));
    return r;
}

static void go(const run *r, int frames) {
    for (int i = 0; i < frames; i++) REQUIRE_OK(sn_world_step(r->world, SCENE_DT));
}

static void finish(run *r) {
    scene_mesh_free(&r->mesh);
    sn_world_destroy(r->world);
}

static double apart(sn_vec3 a, sn_vec3 b) {
    double x = (double)(a.x - b.x), y = (double)(a.y - b.y), z = (double)(a.z - b.z);
    return sqrt(x * x + y * y + z * z);
}

/* Whether nodes of the grid are neighbours, along a diagonal included. */
static bool are_neighbours(size_t a, size_t b) {
    long row = labs((long)(a / 60) - (long)(b / 60)),
         column = labs((long)(a % 60) - (long)(b % 60));
    return row <= 1 && column <= 1;
}

/* Pairs of nodes that are no neighbours and closer than half the thickness. */
static size_t count_close(const run *r, const sn_vec3 *x, double *least) {
    size_t close = 0;
    *least = 1;
    for (size_t i = 0; i < r->mesh.node_count; i++)
        for (size_t k = i + 1; k < r->mesh.node_count; k++) {
            if (fabs((double)(x[i].x - x[k].x)) > thickness || are_neighbours(i, k)) continue;
            double far = apart(x[i], x[k]);
            close += far < thickness / 2;
            if (far < *least) *least = far;
        }
    return close;
}

static void check_self(scene_self self, int frames) {
    const char *asked = getenv("SINEW_S6_FRAMES");
    run r = start(self, 1, 0);
    go(&r, asked ? atoi(asked) : frames);
    sn_vec3 *x = malloc(r.mesh.node_count * sizeof *x);
    sn_memory memory = {.allocator = sn_allocator_default()};
    size_t crossings = 0;
    double least;
    REQUIRE_OK(x ? scene_mesh_positions(r.world, &r.mesh, x) : SN_ERROR_MEMORY);
    size_t close = count_close(&r, x, &least);
    REQUIRE_OK(sn_ccd_count(&memory, x, r.mesh.node_count, (const uint32_t(*)[3])r.mesh.triangles,
                            r.mesh.triangle_count, NULL, 0, &crossings));
    if (asked)
        printf("%zu pairs closer than half the thickness, the closest %.2f mm; %zu crossings\n",
               close, 1e3 * least, crossings);
    CHECK(close == 0);
    CHECK(crossings == 0);
    free(x);
    finish(&r);
}

TEST(balls_keep_the_cloth_apart) {
    check_self(SCENE_SELF_POINTS, 150);
}

TEST(its_surface_keeps_the_cloth_apart) {
    check_self(SCENE_SELF_SURFACE, 12);
}

static uint64_t hash_of(int threads, int width) {
    run r = start(SCENE_SELF_POINTS, threads, width);
    go(&r, 16);
    uint64_t hash = sn_world_hash(r.world);
    finish(&r);
    return hash;
}

TEST(widths_and_threads_make_no_difference) {
    static const int widths[] = {1, 4, 8, 16};
    uint64_t hash = hash_of(1, 0);
    for (int i = 0; i < 4; i++) {
        check_case("width %d", widths[i]);
        CHECK(hash_of(1 + i, widths[i]) == hash);
    }
}

/* Which way boxes are found is a setting, and changes nothing that moves. */
TEST(the_broad_phase_makes_no_difference) {
    sn_vec3 *x[3];
    for (int kind = 0; kind < 3; kind++) {
        run r = start(SCENE_SELF_POINTS, 1, 0);
        sn_settings settings = sn_settings_default();
        REQUIRE_OK(sn_world_get_settings(r.world, &settings));
        CHECK(settings.broad_phase == SN_BROAD_AUTO);
        settings.broad_phase = (sn_broad_phase)kind;
        CHECK_OK(sn_world_set_settings(r.world, &settings));
        CHECK_OK(sn_world_get_settings(r.world, &settings));
        CHECK(settings.broad_phase == (sn_broad_phase)kind);
        go(&r, 16);
        x[kind] = malloc(r.mesh.node_count * sizeof **x);
        REQUIRE_OK(x[kind] ? scene_mesh_positions(r.world, &r.mesh, x[kind]) : SN_ERROR_MEMORY);
        if (kind > 0) CHECK(memcmp(x[0], x[kind], r.mesh.node_count * sizeof **x) == 0);
        finish(&r);
    }
    for (int kind = 0; kind < 3; kind++) free(x[kind]);
}

TESTS(RUN(balls_keep_the_cloth_apart), RUN(its_surface_keeps_the_cloth_apart),
      RUN(widths_and_threads_make_no_difference), RUN(the_broad_phase_makes_no_difference))
