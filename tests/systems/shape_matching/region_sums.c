/*
 * Fast sums over regions: those of lattices, paths and octrees are the direct ones but for the
 * rounding of double, for any regions, any number of threads and when memory runs out; the cheapest
 * is chosen; and a matching does the same with each of them.
 */
#include "systems/shape_matching/region_sums.h"
#include "check.h"

#include <sinew/sinew.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 12 };

/* ---- Points, regions, numbers ---- */

typedef struct cloud {
    sn_vec3 *x;
    size_t count;
    sn_regions regions;
} cloud;

static uint32_t seed = 1;

static double chance(void) {
    seed = seed * 1664525u + 1013904223u;
    return (double)(seed >> 8) / (1 << 24);
}

static void *array(size_t count, size_t size) {
    void *a = calloc(count + 1, size);
    if (!a) abort();
    return a;
}

static void cloud_free(cloud *c) {
    sn_regions_free(&c->regions);
    free(c->x);
}

/* What is left of a box of nx by ny by nz points when each is kept with a chance. */
static cloud lattice(int nx, int ny, int nz, double keep, uint32_t omega) {
    cloud c = {array((size_t)(nx * ny * nz), sizeof(sn_vec3)), 0, sn_regions_default()};
    for (int z = 0; z < nz; z++)
        for (int y = 0; y < ny; y++)
            for (int x = 0; x < nx; x++)
                if (keep >= 1 || chance() < keep)
                    c.x[c.count++] = (sn_vec3){(sn_real)(0.1 * x + 3), (sn_real)(0.1 * y - 1),
                                               (sn_real)(0.1 * z)};
    REQUIRE_OK(sn_regions_cubes(c.x, c.count, (sn_real)0.1, omega, &c.regions));
    return c;
}

/* Rings of a mesh, which is freed. */
static cloud rings(sn_mesh *mesh, uint32_t omega) {
    cloud c = {array(mesh->vertex_count, sizeof(sn_vec3)), mesh->vertex_count,
               sn_regions_default()};
    memcpy(c.x, mesh->positions, c.count * sizeof *c.x);
    REQUIRE_OK(sn_regions_rings(mesh, omega, &c.regions));
    sn_mesh_free(mesh);
    return c;
}

static cloud ball_rings(uint32_t omega) {
    sn_mesh mesh = sn_mesh_default();
    sn_sphere_def def = sn_sphere_def_default();
    def.level = 3;
    REQUIRE_OK(sn_generate_sphere(&mesh, &def));
    return rings(&mesh, omega);
}

static cloud torus_rings(uint32_t omega) {
    sn_mesh mesh = sn_mesh_default();
    sn_torus_def def = sn_torus_def_default();
    REQUIRE_OK(sn_generate_torus(&mesh, &def));
    return rings(&mesh, omega);
}

static cloud grid_rings(uint32_t omega) {
    sn_mesh mesh = sn_mesh_default();
    sn_grid_def def = sn_grid_def_default();
    def.columns = 30;
    def.rows = 20;
    REQUIRE_OK(sn_generate_grid(&mesh, &def));
    return rings(&mesh, omega);
}

/* All points within a radius, in a heap of points without any order. */
static cloud heap(double radius) {
    cloud c = {array(600, sizeof(sn_vec3)), 600, sn_regions_default()};
    for (size_t i = 0; i < c.count; i++)
        c.x[i] = (sn_vec3){(sn_real)chance(), (sn_real)chance(), (sn_real)chance()};
    REQUIRE_OK(sn_regions_balls(c.x, c.count, (sn_real)radius, &c.regions));
    return c;
}

/* ---- Both sums by one method ---- */

typedef struct result {
    double *in, *gathered, *spread;
    size_t count; /* of numbers in each of the latter */
    sn_region_sums_method chosen;
    size_t intervals;
} result;

static sn_region_sums_input input_of(const cloud *c, sn_region_sums_method method) {
    return (sn_region_sums_input){
        c->count, c->regions.count, c->regions.first, c->regions.members, c->x, method};
}

static result sum(const cloud *c, sn_region_sums_method method, int threads) {
    sn_memory memory = {sn_allocator_default(), 0};
    const sn_task_system none = {0};
    sn_team *team = sn_team_create(&memory, threads, &none);
    sn_region_sums plan = {0};
    sn_region_sums_input in = input_of(c, method);
    result r = {.count = WIDTH * c->count};
    r.in = array(r.count, sizeof *r.in);
    r.gathered = array(r.count, sizeof *r.gathered);
    r.spread = array(r.count, sizeof *r.spread);
    seed = 7;
    for (size_t i = 0; i < r.count; i++) r.in[i] = chance() - 0.3;
    if (!team || !CHECK(sn_region_sums_plan(&plan, &memory, &in))) abort();
    r.chosen = sn_region_sums_chosen(&plan);
    r.intervals = plan.paths.intervals;
    sn_team_begin(team);
    sn_region_sums_gather(&plan, team, r.in, WIDTH, r.gathered);
    sn_region_sums_spread(&plan, team, r.in, WIDTH, r.spread);
    sn_team_end(team);
    sn_region_sums_free(&plan, &memory);
    sn_team_destroy(&memory, team);
    CHECK(memory.held == 0);
    return r;
}

static void result_free(result *r) {
    free(r->in);
    free(r->gathered);
    free(r->spread);
}

/* The largest difference of two sums, over the largest of them. */
static double off(const double *a, const double *b, size_t count) {
    double most = 0, size = 0;
    for (size_t i = 0; i < count; i++) {
        most = fmax(most, fabs(a[i] - b[i]));
        size = fmax(size, fabs(b[i]));
    }
    return most / size;
}

/* Compares a method with the direct one, and the bits with those of three threads. */
static void compare(const cloud *c, sn_region_sums_method method, sn_region_sums_method expected) {
    result direct = sum(c, SN_REGION_SUMS_DIRECT, 1), fast = sum(c, method, 1),
           many = sum(c, method, 3);
    double gathered = off(fast.gathered, direct.gathered, fast.count);
    double spread = off(fast.spread, direct.spread, fast.count);
    check_case("%zu nodes, %u members: off by %g and %g", c->count,
               c->regions.first[c->regions.count], gathered, spread);
    CHECK(fast.chosen == expected);
    CHECK(gathered < 1e-13 && spread < 1e-13);
    CHECK(memcmp(fast.gathered, many.gathered, fast.count * sizeof(double)) == 0);
    CHECK(memcmp(fast.spread, many.spread, fast.count * sizeof(double)) == 0);
    result_free(&direct);
    result_free(&fast);
    result_free(&many);
}

/* ---- Lattices ---- */

TEST(sums_of_cubes) {
    const int extent[4][3] = {{9, 7, 5}, {12, 12, 1}, {40, 1, 1}, {20, 20, 20}};
    for (int i = 0; i < 4; i++)
        for (uint32_t omega = 1; omega <= 4; omega++)
            for (int holes = 0; holes < 2; holes++) {
                cloud c = lattice(extent[i][0], extent[i][1], extent[i][2], holes ? 0.6 : 1, omega);
                compare(&c, SN_REGION_SUMS_LATTICE, SN_REGION_SUMS_LATTICE);
                cloud_free(&c);
            }
}

/* Turned by any angle, and by rounding. */
TEST(cubes_that_are_turned) {
    cloud c = lattice(11, 8, 6, 0.8, 2);
    double a = 0.7, b = 1.1;
    for (size_t i = 0; i < c.count; i++) {
        double x = (double)c.x[i].x, y = (double)c.x[i].y, z = (double)c.x[i].z;
        double u = cos(a) * x - sin(a) * y, v = sin(a) * x + cos(a) * y;
        c.x[i] = (sn_vec3){(sn_real)u, (sn_real)(cos(b) * v - sin(b) * z),
                           (sn_real)(sin(b) * v + cos(b) * z)};
    }
    compare(&c, SN_REGION_SUMS_AUTO, SN_REGION_SUMS_LATTICE);
    cloud_free(&c);
}

/* ---- Paths ---- */

TEST(sums_of_paths) {
    for (uint32_t omega = 1; omega <= 6; omega++) {
        cloud c[4] = {ball_rings(omega), torus_rings(omega), grid_rings(omega), heap(0.05 * omega)};
        for (int i = 0; i < 4; i++) {
            compare(&c[i], SN_REGION_SUMS_PATHS, SN_REGION_SUMS_PATHS);
            cloud_free(&c[i]);
        }
    }
}

/* A path crosses a region once, as figure 28 has it: on a grid that is exact, elsewhere nearly. */
TEST(intervals_grow_with_omega) {
    for (uint32_t omega = 1; omega <= 6; omega++) {
        cloud c[3] = {grid_rings(omega), torus_rings(omega), ball_rings(omega)};
        const double most[3] = {1, 1.3, 1.4};
        for (int i = 0; i < 3; i++) {
            result r = sum(&c[i], SN_REGION_SUMS_PATHS, 1);
            double per = (double)r.intervals / (double)c[i].count;
            check_case("omega %u: %.2f intervals of %.1f members", omega, per,
                       c[i].regions.first[c[i].count] / (double)c[i].count);
            CHECK_NEAR(per, 0, most[i] * (2 * omega + 1));
            result_free(&r);
            cloud_free(&c[i]);
        }
    }
}

/* ---- Octrees ---- */

/* A ball of cubes that are joined inside, with regions of so many of the smallest. */
static cloud graded_ball(uint32_t levels, uint32_t omega) {
    sn_mesh ball = sn_mesh_default(), tets = sn_mesh_default();
    sn_sphere_def sphere = sn_sphere_def_default();
    sn_fill_def fill = sn_fill_def_default();
    sphere.radius = 1;
    fill.kind = SN_FILL_CUBES;
    fill.spacing = (sn_real)0.125;
    fill.levels = levels;
    REQUIRE_OK(sn_generate_sphere(&ball, &sphere));
    REQUIRE_OK(sn_mesh_fill(&ball, &fill, &tets));
    cloud c = {array(tets.vertex_count, sizeof(sn_vec3)), tets.vertex_count, sn_regions_default()};
    memcpy(c.x, tets.positions, c.count * sizeof *c.x);
    REQUIRE_OK(sn_regions_cubes(c.x, c.count, fill.spacing, omega, &c.regions));
    sn_mesh_free(&ball);
    sn_mesh_free(&tets);
    return c;
}

/* Of adaptive lattices, meshes, heaps; and of points that are all at one place. */
TEST(sums_of_octrees) {
    for (uint32_t omega = 1; omega <= 4; omega++) {
        cloud c[5] = {lattice(9, 7, 5, 0.6, omega), graded_ball(2, 2 * omega), torus_rings(omega),
                      heap(0.05 * omega), lattice(40, 1, 1, 1, omega)};
        for (int i = 0; i < 5; i++) {
            compare(&c[i], SN_REGION_SUMS_OCTREE, SN_REGION_SUMS_OCTREE);
            cloud_free(&c[i]);
        }
    }
    cloud one = lattice(5, 4, 3, 1, 2);
    for (size_t i = 0; i < one.count; i++) one.x[i] = one.x[i / 2 * 2];
    compare(&one, SN_REGION_SUMS_OCTREE, SN_REGION_SUMS_OCTREE);
    for (size_t i = 0; i < one.count; i++) one.x[i] = one.x[0];
    compare(&one, SN_REGION_SUMS_OCTREE, SN_REGION_SUMS_OCTREE);
    cloud_free(&one);
}

/* Summation nodes lie along the border of a region: eight times the members of regions that are
   twice as wide, four times the summation nodes, roughly. */
TEST(summation_nodes_grow_with_the_border) {
    double items[2], members[2];
    for (uint32_t k = 0; k < 2; k++) {
        cloud c = lattice(20, 20, 20, 1, k ? 6 : 3);
        sn_memory memory = {sn_allocator_default(), 0};
        sn_region_sums plan = {0};
        sn_region_sums_input in = input_of(&c, SN_REGION_SUMS_OCTREE);
        CHECK(sn_region_sums_plan(&plan, &memory, &in));
        items[k] = (double)plan.octree.items / (double)c.count;
        members[k] = c.regions.first[c.count] / (double)c.count;
        sn_region_sums_free(&plan, &memory);
        cloud_free(&c);
    }
    check_case("%.1f of %.1f members and %.1f of %.1f", items[0], members[0], items[1], members[1]);
    CHECK(items[0] < 0.5 * members[0] && items[1] < 0.25 * members[1]);
    CHECK(items[1] / items[0] < members[1] / members[0]);
}

/* ---- Which of them ---- */

TEST(the_cheapest_is_chosen) {
    cloud cubes = lattice(10, 10, 10, 1, 2), mesh = torus_rings(4), few = heap(0.08);
    compare(&cubes, SN_REGION_SUMS_AUTO, SN_REGION_SUMS_LATTICE);
    compare(&mesh, SN_REGION_SUMS_AUTO, SN_REGION_SUMS_PATHS);
    compare(&few, SN_REGION_SUMS_AUTO, SN_REGION_SUMS_DIRECT);
    compare(&cubes, SN_REGION_SUMS_DIRECT, SN_REGION_SUMS_DIRECT);
    /* What is not made of cubes is summed all the same. */
    compare(&mesh, SN_REGION_SUMS_LATTICE, SN_REGION_SUMS_DIRECT);
    cubes.regions.members[cubes.regions.first[500] + 3] = 0;
    compare(&cubes, SN_REGION_SUMS_LATTICE, SN_REGION_SUMS_DIRECT);
    cloud_free(&cubes);
    cloud_free(&mesh);
    cloud_free(&few);
}

/* ---- Memory ---- */

typedef struct meter {
    int left;  /* allocations that succeed before one fails */
    bool once; /* whether those after it succeed again */
    sn_allocator base;
} meter;

static void *limited(void *user, void *block, size_t old_size, size_t new_size) {
    meter *m = user;
    if (new_size > 0 && m->left-- <= 0 && (!m->once || m->left == -1)) return NULL;
    return m->base.reallocate(m->base.user, block, old_size, new_size);
}

TEST(plans_without_memory_hold_none) {
    cloud c[4] = {lattice(6, 6, 6, 1, 2), ball_rings(3), ball_rings(2), ball_rings(2)};
    const sn_region_sums_method method[4] = {SN_REGION_SUMS_AUTO, SN_REGION_SUMS_AUTO,
                                             SN_REGION_SUMS_OCTREE, SN_REGION_SUMS_PATHS};
    for (int i = 0; i < 8; i++) {
        bool done = false;
        for (int left = 0; !done && left < 64; left++) {
            meter m = {left, i >= 4, sn_allocator_default()};
            sn_memory memory = {{limited, &m}, 0};
            sn_region_sums plan = {0};
            sn_region_sums_input in = input_of(&c[i % 4], method[i % 4]);
            done = sn_region_sums_plan(&plan, &memory, &in);
            sn_region_sums_free(&plan, &memory);
            check_case("%d allocations%s", left, m.once ? ", then all but one" : "");
            CHECK(memory.held == 0);
            CHECK(!done || m.left >= 0);
        }
        CHECK(done);
        if (i >= 4) cloud_free(&c[i - 4]);
    }
}

/* ---- A matching ---- */

/* Where the nodes of a block that was thrown at a wall are after a second. */
static sn_vec3 *throw(const cloud *c, sn_region_sums_method method, sn_region_sums_method *chosen) {
    sn_world *world;
    sn_node *node = array(c->count, sizeof *node);
    sn_vec3 *x = array(c->count, sizeof *x);
    sn_shape_matching matching;
    sn_collider_def wall = sn_collider_def_default();
    sn_collider collider;
    REQUIRE_OK(sn_world_create(NULL, &world));
    for (size_t i = 0; i < c->count; i++) {
        sn_node_def def = sn_node_def_default();
        def.position = c->x[i];
        def.velocity = (sn_vec3){1, (sn_real)-1.5, (sn_real)0.3};
        REQUIRE_OK(sn_node_create(world, &def, &node[i]));
    }
    wall.shape = SN_SHAPE_PLANE;
    wall.position = (sn_vec3){0, (sn_real)-1.2, 0};
    REQUIRE_OK(sn_collider_create(world, &wall, &collider));
    sn_shape_matching_def def = sn_shape_matching_def_default();
    def.nodes = node;
    def.node_count = c->count;
    def.first = c->regions.first;
    def.members = c->regions.members;
    def.region_count = c->regions.count;
    def.sums = method;
    REQUIRE_OK(sn_shape_matching_create(world, &def, &matching));
    for (int i = 0; i < 30; i++) REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
    REQUIRE_OK(sn_shape_matching_get_sums(world, matching, chosen));
    sn_node_view view;
    REQUIRE_OK(sn_world_nodes(world, &view));
    for (size_t i = 0; i < c->count; i++)
        x[i] = (sn_vec3){view.position[i].x, view.position[i].y, view.position[i].z};
    sn_world_destroy(world);
    free(node);
    return x;
}

/* The methods differ by the rounding of double; what the bounce makes of that is still small. */
TEST(a_matching_does_the_same_with_each) {
    cloud c = lattice(6, 5, 4, 1, 2);
    sn_region_sums_method chosen[4];
    const sn_region_sums_method method[4] = {SN_REGION_SUMS_DIRECT, SN_REGION_SUMS_AUTO,
                                             SN_REGION_SUMS_PATHS, SN_REGION_SUMS_OCTREE};
    sn_vec3 *x[4];
    for (int i = 0; i < 4; i++) x[i] = throw(&c, method[i], &chosen[i]);
    CHECK(chosen[0] == SN_REGION_SUMS_DIRECT && chosen[1] == SN_REGION_SUMS_LATTICE);
    CHECK(chosen[2] == SN_REGION_SUMS_PATHS && chosen[3] == SN_REGION_SUMS_OCTREE);
    for (int i = 1; i < 4; i++) {
        double far = 0;
        for (size_t k = 0; k < c.count; k++)
            far = fmax(far, fmax(fabs((double)x[i][k].x - (double)x[0][k].x),
                                 fabs((double)x[i][k].y - (double)x[0][k].y)));
        check_case("method %d: off by %g m", (int)method[i], far);
        CHECK_NEAR(far, 0, 1e-6);
    }
    for (int i = 0; i < 4; i++) free(x[i]);
    cloud_free(&c);
}

/* A cube of 10^18 cells, of which three have points: only those are asked for. */
TEST(cubes_of_few_points_are_as_large_as_they_like) {
    static const sn_vec3 points[] = {{0, 0, 0}, {1000000, 1000000, 1000000}, {5, 1000000, 3}};
    sn_regions regions = sn_regions_default();
    REQUIRE_OK(sn_regions_cubes(points, 3, 1, UINT32_MAX, &regions));
    CHECK(regions.count == 3 && regions.first[3] == 9);
    for (uint32_t i = 0; i < 9; i++) CHECK(regions.members[i] == i % 3);
    sn_regions_free(&regions);
    REQUIRE_OK(sn_regions_cubes(points, 3, 1, 999999, &regions));
    CHECK(regions.first[3] == 5);
    sn_regions_free(&regions);
}

TESTS(RUN(cubes_of_few_points_are_as_large_as_they_like), RUN(sums_of_cubes),
      RUN(cubes_that_are_turned), RUN(sums_of_paths), RUN(sums_of_octrees),
      RUN(summation_nodes_grow_with_the_border), RUN(intervals_grow_with_omega),
      RUN(the_cheapest_is_chosen), RUN(plans_without_memory_hold_none),
      RUN(a_matching_does_the_same_with_each))
