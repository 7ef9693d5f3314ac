/*
 * Distances of shapes with a geometry: those of meshes and heights against all triangles one by
 * one, hulls against their planes, fields against the surface that they come from, and of all of
 * them that nobody passes the surface who goes no further than they say.
 */
#include "check.h"

#include "collision/shapes/shape_distance.h"
#include "collision/shapes/shape_points.h"
#include "geometry/convex_hull.h"
#include "geometry/volume/inside.h"

#include <sinew/sinew.h>

#include <math.h>
#include <time.h>

static sn_memory memory_of(void) {
    return (sn_memory){.allocator = sn_allocator_default()};
}

static uint32_t state = 1;
static double number(double low, double high) {
    state = state * 1664525u + 1013904223u;
    return low + (high - low) * ((state >> 8) / 16777216.0);
}

static sn_v4 point_in(double reach) {
    sn_real x = (sn_real)number(-reach, reach), y = (sn_real)number(-reach, reach);
    return (sn_v4){x, y, (sn_real)number(-reach, reach), 0};
}

static sn_point as_point(sn_v4 a) {
    return (sn_point){(double)a[0], (double)a[1], (double)a[2]};
}

static sn_mesh torus(uint32_t segments, uint32_t sides) {
    sn_mesh mesh = sn_mesh_default();
    sn_torus_def def = sn_torus_def_default();
    def.segments = segments;
    def.sides = sides;
    REQUIRE_OK(sn_generate_torus(&mesh, &def));
    return mesh;
}

static sn_collider_def make(sn_memory *memory, sn_shape shape, const sn_mesh *mesh,
                            bool two_sided) {
    sn_collider_def def = sn_collider_def_default();
    def.shape = shape;
    def.radius = two_sided ? (sn_real)0.01 : 0;
    def.geometry.two_sided = two_sided;
    def.geometry.vertices = mesh->positions;
    def.geometry.vertex_count = mesh->vertex_count;
    def.geometry.triangles = (const uint32_t(*)[3])mesh->triangles;
    def.geometry.triangle_count = mesh->triangle_count;
    REQUIRE_OK(sn_collider_geometry_create(memory, &def));
    return def;
}

static double ask(const sn_collider_def *def, sn_v4 x, sn_v4 *normal) {
    return (double)sn_shape_distance_of(def->shape)(def, x, normal);
}

static double to_triangles(const sn_mesh *mesh, sn_point x) {
    double least = INFINITY;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *v = mesh->triangles[t];
        sn_point at = sn_closest_on_triangle(x, sn_point_of(mesh->positions[v[0]]),
                                             sn_point_of(mesh->positions[v[1]]),
                                             sn_point_of(mesh->positions[v[2]]), NULL);
        double far = sn_point_length(sn_point_sub(at, x));
        if (far < least) least = far;
    }
    return least;
}

static bool is_unit(sn_v4 a) {
    return fabs((double)sn_v4_dot(a, a) - 1) < 1e-5;
}

TEST(a_mesh_is_as_far_as_its_nearest_triangle) {
    sn_memory memory = memory_of();
    sn_mesh mesh = torus(24, 12);
    sn_solid solid;
    REQUIRE_OK(sn_solid_create(&solid, "torus", &mesh));
    sn_collider_def one = make(&memory, SN_SHAPE_MESH, &mesh, false);
    sn_collider_def two = make(&memory, SN_SHAPE_MESH, &mesh, true);
    for (int i = 0; i < 3000; i++) {
        sn_v4 x = point_in(i % 2 ? 0.8 : 3), normal;
        double far = to_triangles(&mesh, as_point(x));
        CHECK_NEAR(fabs(ask(&one, x, &normal)), far, 1e-6);
        CHECK(is_unit(normal));
        CHECK_NEAR(ask(&one, x, &normal), sn_solid_distance(&solid, as_point(x), NULL), 1e-6);
        CHECK_NEAR(ask(&two, x, &normal), far - 0.01, 1e-6);
        CHECK(is_unit(normal));
    }
    /* On the normal the distance grows. */
    for (int i = 0; i < 300; i++) {
        sn_v4 x = point_in(0.8), normal, other;
        double far = ask(&one, x, &normal);
        CHECK_NEAR(ask(&one, x + SN_R(1e-3) * normal, &other), far + 1e-3, 1e-4);
    }
    sn_solid_free(&solid);
    sn_collider_geometry_free(&memory, one.form);
    sn_collider_geometry_free(&memory, two.form);
    sn_mesh_free(&mesh);
}

TEST(where_a_search_begins_and_ends_makes_no_difference) {
    sn_memory memory = memory_of();
    sn_mesh mesh = torus(24, 12);
    sn_collider_def def = make(&memory, SN_SHAPE_MESH, &mesh, false);
    for (int i = 0; i < 2000; i++) {
        sn_v4 x = point_in(1.2), normal, other;
        /* Between points of equal distance as well. */
        if (i % 4 == 0) x[0] = 0;
        if (i % 8 == 0) x[2] = 0;
        sn_real far = (sn_real)ask(&def, x, &normal);
        sn_near near = {.within = 0.2, .item = (uint32_t)number(0, 500)};
        sn_real again = sn_near_mesh(&def, x, &near, &other);
        CHECK(far >= SN_R(0.2) ? again >= SN_R(0.2) : again == far);
        if (far < SN_R(0.2)) CHECK(normal[0] == other[0] && normal[1] == other[1]);
    }
    sn_collider_geometry_free(&memory, def.form);
    sn_mesh_free(&mesh);
}

TEST(triangles_without_area_and_far_away_are_no_trouble) {
    sn_memory memory = memory_of();
    sn_vec3 x[5] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {2, 0, 0}, {1, 0, 0}};
    uint32_t t[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 4, 1}, {3, 3, 3}};
    sn_mesh mesh = sn_mesh_default();
    REQUIRE_OK(sn_mesh_add_vertices(&mesh, x, 5));
    REQUIRE_OK(sn_mesh_add_triangles(&mesh, (const uint32_t(*)[3])t, 4));
    sn_v4 normal;
    sn_collider_def def = make(&memory, SN_SHAPE_MESH, &mesh, true);
    CHECK_NEAR(ask(&def, (sn_v4){SN_R(0.2), 1, SN_R(0.2), 0}, &normal), 0.99, 1e-6);
    CHECK_NEAR((double)normal[1], 1, 1e-6);
    CHECK_NEAR(ask(&def, (sn_v4){SN_R(1.5), -2, 0, 0}, &normal), 1.99, 1e-6);
    CHECK_NEAR((double)normal[1], -1, 1e-6);
    CHECK_NEAR(ask(&def, (sn_v4){5, 0, 0, 0}, &normal), 2.99, 1e-6);
    /* On the surface there is a normal as well. */
    CHECK_NEAR(ask(&def, (sn_v4){SN_R(0.25), 0, SN_R(0.25), 0}, &normal), -0.01, 1e-6);
    CHECK(is_unit(normal));
    sn_collider_geometry_free(&memory, def.form);
    for (int i = 0; i < 5; i++) mesh.positions[i].x += 1000000;
    def = make(&memory, SN_SHAPE_MESH, &mesh, true);
    CHECK_NEAR(ask(&def, (sn_v4){SN_R(1000000.25), 1, SN_R(0.25), 0}, &normal), 0.99, 1e-6);
    CHECK_NEAR((double)normal[1], 1, 1e-6);
    sn_collider_geometry_free(&memory, def.form);
    sn_mesh_free(&mesh);
}

/* ---- Hulls ---- */

static void check_hull(const sn_vec3 *points, size_t count, size_t corners) {
    sn_memory memory = memory_of();
    sn_hull hull;
    REQUIRE_OK(sn_hull_create(&hull, &memory, "test", points, count));
    if (corners > 0) CHECK(hull.vertex_count == corners);
    /* A closed surface of one piece (Euler), below every plane of which all points lie. */
    CHECK(hull.triangle_count == 2 * hull.vertex_count - 4);
    sn_mesh mesh = sn_mesh_default();
    REQUIRE_OK(sn_mesh_add_vertices(&mesh, hull.vertices, hull.vertex_count));
    REQUIRE_OK(
        sn_mesh_add_triangles(&mesh, (const uint32_t(*)[3])hull.triangles, hull.triangle_count));
    CHECK_OK(sn_solid_expect("hull", &mesh));
    double highest = -INFINITY;
    for (size_t t = 0; t < mesh.triangle_count; t++) {
        const uint32_t *v = mesh.triangles[t];
        sn_point a = sn_mesh_point(&mesh, v[0]);
        sn_point normal =
            sn_point_normal(a, sn_mesh_point(&mesh, v[1]), sn_mesh_point(&mesh, v[2]));
        normal = sn_point_scaled(normal, 1 / sn_point_length(normal));
        for (size_t i = 0; i < count; i++) {
            double above = sn_point_dot(normal, sn_point_sub(sn_point_of(points[i]), a));
            if (above > highest) highest = above;
        }
    }
    CHECK(highest < 2e-6);
    sn_mesh_free(&mesh);
    sn_hull_free(&hull, &memory);
    CHECK(memory.held == 0);
}

TEST(a_hull_holds_all_points) {
    enum { COUNT = 1000 };
    static sn_vec3 x[COUNT];
    /* A ball, of which all points are corners; a lattice, of which eight may be. */
    for (int i = 0; i < COUNT; i++) {
        sn_v4 p = point_in(1);
        sn_real r = SN_ROOT(sn_v4_dot(p, p));
        x[i] = (sn_vec3){p[0] / r, p[1] / r, p[2] / r};
    }
    check_hull(x, COUNT, 0);
    for (int i = 0; i < COUNT; i++)
        x[i] = (sn_vec3){(sn_real)(i % 10) / 9, (sn_real)(i / 10 % 10) / 9, (sn_real)(i / 100) / 9};
    check_hull(x, COUNT, 0);
    for (int i = 0; i < COUNT; i++) {
        sn_v4 p = point_in(1);
        x[i] = (sn_vec3){p[0], p[1] / 100, p[2]};
    }
    check_hull(x, COUNT, 0);
    for (int i = 0; i < 500; i++) {
        for (int k = 0; k < 20; k++)
            x[k] = (sn_vec3){(sn_real)(int)number(0, 4), (sn_real)(int)number(0, 4),
                             (sn_real)(int)number(0, 4)};
        x[20] = (sn_vec3){5, 0, 0};
        x[21] = (sn_vec3){0, 5, 0};
        x[22] = (sn_vec3){0, 0, 5};
        x[23] = (sn_vec3){-1, -1, -1};
        check_hull(x, 24, 0);
    }
}

TEST(flat_points_have_no_hull) {
    sn_memory memory = memory_of();
    sn_hull hull;
    sn_vec3 x[9];
    for (int i = 0; i < 9; i++) x[i] = (sn_vec3){(sn_real)(i % 3), (sn_real)(i / 3), 1};
    CHECK_FAILS(sn_hull_create(&hull, &memory, "test", x, 9), SN_ERROR_DEGENERATE);
    for (int i = 0; i < 9; i++) x[i] = (sn_vec3){(sn_real)i, (sn_real)i, (sn_real)i};
    CHECK_FAILS(sn_hull_create(&hull, &memory, "test", x, 9), SN_ERROR_DEGENERATE);
    for (int i = 0; i < 9; i++) x[i] = (sn_vec3){3, 2, 1};
    CHECK_FAILS(sn_hull_create(&hull, &memory, "test", x, 9), SN_ERROR_DEGENERATE);
    CHECK(memory.held == 0);
}

TEST(a_hull_of_a_box_is_a_box) {
    sn_memory memory = memory_of();
    sn_mesh mesh = sn_mesh_default();
    sn_box_def box = sn_box_def_default();
    box.extent = (sn_vec3){1, 2, 3};
    REQUIRE_OK(sn_generate_box(&mesh, &box));
    sn_collider_def hull = make(&memory, SN_SHAPE_HULL, &mesh, false);
    sn_collider_def same = sn_collider_def_default();
    same.shape = SN_SHAPE_BOX;
    same.radius = 0;
    same.extent = (sn_vec3){(sn_real)0.5, 1, (sn_real)1.5};
    for (int i = 0; i < 3000; i++) {
        sn_v4 x = point_in(2), a, b;
        double far = ask(&same, x, &b);
        CHECK_NEAR(ask(&hull, x, &a), far, 2e-6);
        if (far > 1e-3) CHECK((double)sn_v4_dot(a, b) > 0.999);
    }
    sn_collider_geometry_free(&memory, hull.form);
    sn_mesh_free(&mesh);
}

/* ---- Distance fields ---- */

/* Nobody who goes by what a shape says passes its surface. */
static void check_honest(const sn_collider_def *def, double reach) {
    for (int i = 0; i < 2000; i++) {
        sn_v4 x = point_in(reach), normal, other;
        double far = ask(def, x, &normal) * (double)sn_shape_trust(def);
        CHECK(is_unit(normal));
        if (!(far > 0)) continue;
        for (int k = 0; k < 8; k++) {
            sn_v4 way = point_in(1);
            way *= (sn_real)(far * 0.999) / SN_ROOT(sn_v4_dot(way, way));
            CHECK(ask(def, x + way, &other) > -1e-5 * reach);
        }
    }
}

TEST(a_field_is_near_its_surface_and_honest) {
    sn_memory memory = memory_of();
    sn_mesh mesh = torus(48, 24);
    sn_collider_def def = make(&memory, SN_SHAPE_SDF, &mesh, false);
    double spacing = def.form->grid.spacing, worst = 0;
    for (int i = 0; i < 3000; i++) {
        sn_v4 x = point_in(0.75), normal;
        x[1] /= 3;
        double far = ask(&def, x, &normal), truth = to_triangles(&mesh, as_point(x));
        worst = fmax(worst, fabs(fabs(far) - truth));
    }
    CHECK(worst < 0.87 * spacing);
    check_honest(&def, 2);
    /* Outside of the grid it is that of the surface, near to it and far away; or at least as far as
       matters. */
    for (int i = 0; i < 2000; i++) {
        sn_v4 x = point_in(i % 2 ? 1 : 4), normal, other;
        double out = fmax(fabs((double)x[0]), fabs((double)x[2]));
        if (out < 0.8) continue;
        const double far = ask(&def, x, &normal), truth = to_triangles(&mesh, as_point(x));
        sn_near near = {.within = 1, .item = SN_BVH_NONE};
        const double within = (double)sn_near_field(&def, x, &near, &other);
        CHECK_NEAR(far, truth, 1e-6);
        CHECK_NEAR(ask(&def, x - (sn_real)far * normal, &other), 0, 0.5 * spacing);
        CHECK(truth < 1 ? within == far : within >= 1 && within <= truth + 1e-6);
    }
    sn_collider_geometry_free(&memory, def.form);
    sn_mesh_free(&mesh);
}

/* With a radius all of it is that much larger. */
TEST(a_field_is_as_thick_as_its_radius) {
    sn_memory memory = memory_of();
    sn_mesh mesh = torus(24, 12);
    sn_collider_def def = make(&memory, SN_SHAPE_SDF, &mesh, false), thick = def;
    thick.radius = (sn_real)0.125;
    for (int i = 0; i < 200; i++) {
        sn_v4 x = point_in(1), normal;
        CHECK_NEAR(ask(&thick, x, &normal), ask(&def, x, &normal) - 0.125, 1e-6);
    }
    sn_collider_geometry_free(&memory, def.form);
    sn_mesh_free(&mesh);
}

/* ---- Heights ---- */

static sn_collider_def hills(sn_memory *memory, sn_real *heights, uint32_t side) {
    sn_collider_def def = sn_collider_def_default();
    for (uint32_t i = 0; i < side * side; i++) heights[i] = (sn_real)number(0, 0.3);
    def.shape = SN_SHAPE_HEIGHTS;
    def.radius = 0;
    def.extent = (sn_vec3){1, 0, 2};
    def.geometry.heights = heights;
    def.geometry.points[0] = def.geometry.points[1] = side;
    REQUIRE_OK(sn_collider_geometry_create(memory, &def));
    return def;
}

/* The height of the border that a point is beside of, along x. */
static double border_height(const sn_real *heights, uint32_t side, sn_v4 x) {
    double at = ((double)x[2] + 2) / 4 * (side - 1);
    uint32_t i = x[0] < 0 ? 0 : side - 1, j = at < side - 2 ? (uint32_t)at : side - 2;
    double low = (double)heights[j * side + i], high = (double)heights[(j + 1) * side + i];
    return low + (at - j) * (high - low);
}

TEST(heights_are_exact_above_and_honest_everywhere) {
    sn_memory memory = memory_of();
    sn_real heights[81];
    sn_collider_def def = hills(&memory, heights, 9);
    const sn_boundary *b = &def.form->boundary;
    sn_mesh mesh = sn_mesh_default();
    REQUIRE_OK(sn_mesh_add_vertices(&mesh, b->vertices, b->vertex_count));
    REQUIRE_OK(sn_mesh_add_triangles(&mesh, (const uint32_t(*)[3])b->triangles, b->triangle_count));
    for (int i = 0; i < 3000; i++) {
        sn_v4 x = point_in(2.5), normal;
        if (i % 2) x[1] *= SN_R(0.2);
        double far = ask(&def, x, &normal), truth = to_triangles(&mesh, as_point(x));
        bool over = fabs((double)x[0]) <= 1 && fabs((double)x[2]) <= 2;
        CHECK(is_unit(normal));
        /* What goes to the nearest point is nearer by as much, at ridges and borders as well. */
        sn_v4 other, toward = x - (far > 0 ? SN_R(0.01) : SN_R(-0.01)) * normal;
        if (fabs(far) > 0.01) CHECK_NEAR(fabs(ask(&def, toward, &other)), fabs(far) - 0.01, 1e-5);
        if (x[1] > SN_R(0.3)) CHECK_NEAR(far, truth, 1e-6);
        /* Below, the nearest wall counts as well; beside, who is lower than the border sees it. */
        double wall = fmin(1 - fabs((double)x[0]), 2 - fabs((double)x[2]));
        if (over && x[1] < 0) CHECK_NEAR(far, -fmin(truth, wall), 1e-6);
        if (!over && x[1] < 0) CHECK(far > 0 && far <= truth + 1e-6);
        if (fabs((double)x[0]) > 1 && fabs((double)x[2]) < 2) {
            bool lower = (double)x[1] < border_height(heights, 9, x);
            CHECK_NEAR(far, lower ? fabs((double)x[0]) - 1 : truth, 1e-6);
        }
    }
    check_honest(&def, 3);
    sn_mesh_free(&mesh);
    sn_collider_geometry_free(&memory, def.form);
}

/* ---- Compounds ---- */

TEST(a_compound_is_as_far_as_its_nearest_part) {
    enum { PARTS = 60 };
    sn_memory memory = memory_of();
    sn_mesh mesh = torus(12, 8);
    sn_collider_part parts[PARTS];
    static const sn_shape shapes[] = {SN_SHAPE_SPHERE,   SN_SHAPE_CAPSULE, SN_SHAPE_BOX,
                                      SN_SHAPE_CYLINDER, SN_SHAPE_HULL,    SN_SHAPE_MESH};
    for (int i = 0; i < PARTS; i++) {
        sn_v4 at = point_in(3);
        parts[i] = sn_collider_part_default();
        parts[i].shape = shapes[i % 6];
        parts[i].radius = (sn_real)0.1;
        parts[i].extent = (sn_vec3){(sn_real)0.1, (sn_real)0.3, (sn_real)0.2};
        parts[i].position = (sn_vec3){at[0], at[1], at[2]};
        parts[i].orientation = (sn_quat){(sn_real)number(-1, 1), 1, (sn_real)number(-1, 1), 0};
        parts[i].geometry.vertices = mesh.positions;
        parts[i].geometry.vertex_count = mesh.vertex_count;
        parts[i].geometry.triangles = (const uint32_t(*)[3])mesh.triangles;
        parts[i].geometry.triangle_count = mesh.triangle_count;
    }
    sn_collider_def all = sn_collider_def_default(), one[PARTS];
    all.shape = SN_SHAPE_COMPOUND;
    all.parts = parts;
    all.part_count = PARTS;
    REQUIRE_OK(sn_collider_geometry_create(&memory, &all));
    for (int i = 0; i < PARTS; i++) {
        one[i] = all;
        one[i].parts = &parts[i];
        one[i].part_count = 1;
        REQUIRE_OK(sn_collider_geometry_create(&memory, &one[i]));
    }
    for (int i = 0; i < 2000; i++) {
        sn_v4 x = point_in(4), normal;
        double least = INFINITY;
        for (int k = 0; k < PARTS; k++) least = fmin(least, ask(&one[k], x, &normal));
        CHECK(ask(&all, x, &normal) == least);
        sn_near near = {.within = 0.3};
        double far = (double)sn_near_parts(&all, x, &near, &normal);
        CHECK(least >= 0.3 ? far >= 0.2999 : far == least);
    }
    for (int i = 0; i < PARTS; i++) sn_collider_geometry_free(&memory, one[i].form);
    sn_collider_geometry_free(&memory, all.form);
    CHECK(memory.held == 0);
    sn_mesh_free(&mesh);
}

/* s, of the processor: 3,000 questions of a surface at a time of its way; and the answers. */
static double ask_many(const sn_boundary *b, sn_point way, double time, double *square) {
    clock_t start = clock();
    for (int i = 0; i < 3000; i++) {
        sn_point x = as_point(point_in(1.2));
        sn_foot foot = {.triangle = SN_BVH_NONE};
        sn_boundary_nearest(b, sn_point_add(x, sn_point_scaled(way, time)), time, INFINITY, &foot);
        square[i] = foot.square;
    }
    return (double)(clock() - start) / CLOCKS_PER_SEC;
}

/* A torus that goes 20 m in a step, and is three times as large then: boxes about all of the way
   would overlap each other, and every question be one of all triangles. */
TEST(a_mesh_that_moves_far_is_asked_as_quickly) {
    static double still[3000], moving[3000];
    sn_memory memory = memory_of();
    sn_mesh mesh = torus(160, 80);
    sn_boundary b;
    sn_point way = {20, -3, 5};
    REQUIRE_OK(sn_boundary_create(&b, &memory, mesh.positions, mesh.vertex_count,
                                  (const uint32_t(*)[3])mesh.triangles, mesh.triangle_count));
    state = 1;
    double before = ask_many(&b, way, 0, still);
    for (size_t i = 0; i < mesh.vertex_count; i++)
        mesh.positions[i] =
            sn_point_vec3(sn_point_add(sn_point_scaled(sn_point_of(mesh.positions[i]), 3), way));
    CHECK(sn_boundary_send(&b, &memory, mesh.positions));
    state = 1;
    CHECK(ask_many(&b, way, 0, moving) < 20 * before + 0.01);
    for (int i = 0; i < 3000; i++) CHECK(moving[i] == still[i]);
    /* Halfway it is twice as large. */
    state = 1;
    CHECK(ask_many(&b, way, 0.5, moving) < 20 * before + 0.01);
    for (int i = 0; i < 3000; i += 100) {
        double least = INFINITY;
        state = 1;
        for (int k = 0; k < i; k++) point_in(1.2);
        sn_point x = as_point(point_in(1.2));
        for (size_t t = 0; t < mesh.triangle_count; t++) {
            sn_point c[3];
            sn_part part;
            for (int k = 0; k < 3; k++) {
                sn_point at = sn_point_of(mesh.positions[mesh.triangles[t][k]]);
                c[k] = sn_point_scaled(sn_point_sub(at, way), 2.0 / 3);
            }
            sn_point to = sn_point_sub(sn_closest_on_triangle(x, c[0], c[1], c[2], &part), x);
            least = fmin(least, sn_point_length(to));
        }
        CHECK_NEAR(sqrt(moving[i]), least, 1e-5);
    }
    sn_boundary_free(&b, &memory);
    CHECK(memory.held == 0);
    sn_mesh_free(&mesh);
}

/* ---- Where there is no direction ---- */

TEST(normals_are_units_where_there_is_no_direction) {
    sn_memory memory = memory_of();
    sn_collider_def def = sn_collider_def_default();
    sn_mesh mesh = torus(12, 8);
    sn_v4 origin = {0}, normal;
    def.radius = (sn_real)0.1;
    for (int shape = SN_SHAPE_PLANE; shape <= SN_SHAPE_CYLINDER; shape++) {
        def.shape = (sn_shape)shape;
        check_case("shape %d", shape);
        CHECK(ask(&def, origin, &normal) <= 0);
        CHECK(is_unit(normal));
    }
    sn_collider_def ring = make(&memory, SN_SHAPE_MESH, &mesh, false);
    sn_near near = {.within = 0.01, .item = SN_BVH_NONE};
    CHECK_NEAR(sn_near_mesh(&ring, (sn_v4){0, 9, 0, 0}, &near, &normal), 0.01, 1e-6);
    CHECK(near.item == SN_BVH_NONE && is_unit(normal));
    const sn_vec3 *v = &mesh.positions[mesh.triangles[0][0]];
    CHECK_NEAR(ask(&ring, (sn_v4){v->x, v->y, v->z, 0}, &normal), 0, 1e-6);
    CHECK(is_unit(normal));
    sn_collider_geometry_free(&memory, ring.form);
    sn_mesh_free(&mesh);
}

/* All points of a shape are on it, by their radius, and nothing is written beyond them. */
TEST(points_of_shapes_are_on_them) {
    static const sn_shape shapes[] = {SN_SHAPE_SPHERE, SN_SHAPE_CAPSULE, SN_SHAPE_BOX,
                                      SN_SHAPE_CYLINDER};
    static const size_t counts[] = {1, 3, 8, 32};
    for (int i = 0; i < 4; i++) {
        sn_collider_def def = sn_collider_def_default();
        sn_vec4 point[40];
        check_case("shape %d", (int)shapes[i]);
        def.shape = shapes[i];
        def.radius = (sn_real)(shapes[i] == SN_SHAPE_BOX ? 0.05 : 0.5);
        def.extent = (sn_vec3){1, 2, 3};
        for (int k = 0; k < 40; k++) point[k] = (sn_vec4){7, 7, 7, 7};
        CHECK(sn_shape_points(&def, NULL) == counts[i]);
        CHECK(sn_shape_points(&def, point) == counts[i]);
        for (size_t k = 0; k < 40; k++) {
            sn_v4 normal, at = {point[k].x, point[k].y, point[k].z, 0};
            if (k < counts[i])
                CHECK_NEAR(ask(&def, at, &normal), -(double)point[k].w, 1e-6);
            else
                CHECK(at[0] == 7 && at[1] == 7 && at[2] == 7 && point[k].w == 7);
        }
    }
}

TESTS(RUN(normals_are_units_where_there_is_no_direction), RUN(points_of_shapes_are_on_them),
      RUN(a_mesh_is_as_far_as_its_nearest_triangle),
      RUN(where_a_search_begins_and_ends_makes_no_difference),
      RUN(a_mesh_that_moves_far_is_asked_as_quickly),
      RUN(triangles_without_area_and_far_away_are_no_trouble), RUN(a_hull_holds_all_points),
      RUN(flat_points_have_no_hull), RUN(a_hull_of_a_box_is_a_box),
      RUN(a_field_is_near_its_surface_and_honest), RUN(a_field_is_as_thick_as_its_radius),
      RUN(heights_are_exact_above_and_honest_everywhere),
      RUN(a_compound_is_as_far_as_its_nearest_part))
