/*
 * Where triangles are deepest in shapes, against distances at many points of them one by one.
 */
#include "collision/narrow_phase/deepest_point.h"

#include <math.h>
#include <sinew/sinew.h>
#include <stdio.h>

#include "check.h"

enum { SAMPLES = 40 };

static uint32_t state = 1;
static sn_real number(double low, double high) {
    state = state * 1664525u + 1013904223u;
    return (sn_real)(low + (high - low) * ((state >> 8) / 16777216.0));
}

static sn_v4 point_in(double reach) {
    sn_real x = number(-reach, reach), y = number(-reach, reach);
    return (sn_v4){x, y, number(-reach, reach), 0};
}

/* m, by the distance of the shape itself; the least over a grid of points of the triangle. */
static double sampled(const sn_collider_def *def, const sn_v4 corner[3]) {
    double least = INFINITY;
    sn_v4 normal;
    for (int i = 0; i <= SAMPLES; i++)
        for (int k = 0; i + k <= SAMPLES; k++) {
            sn_real a = (sn_real)i / SAMPLES, b = (sn_real)k / SAMPLES;
            sn_v4 x = a * corner[0] + b * corner[1] + (1 - a - b) * corner[2];
            least = fmin(least, (double)sn_shape_distance_of(def->shape)(def, x, &normal));
        }
    return least;
}

static double length_of(sn_v4 a) {
    return sqrt((double)sn_v4_dot(a, a));
}

/* What is told of a point fits together. */
static void check_point(const sn_collider_def *def, const sn_v4 corner[3], const sn_deepest *d) {
    sn_v4 x = {0}, normal;
    double sum = 0;
    int shares = 0;
    for (int k = 0; k < 3; k++) {
        CHECK(d->weight[k] >= 0);
        sum += (double)d->weight[k];
        shares += (double)d->weight[k] > 1e-5;
        x += d->weight[k] * corner[k];
    }
    CHECK_NEAR(sum, 1, 1e-5);
    CHECK(length_of(x - d->point) < 1e-5);
    CHECK_NEAR(d->distance, sn_shape_distance_of(def->shape)(def, x, &normal), 1e-5);
    CHECK_NEAR(length_of(d->normal), 1, 1e-4);
    CHECK(d->is_corner == (shares < 2));
    CHECK(d->rate > 0 && d->rate <= 1);
}

/* Between the points that are sampled, distances fall by less than the way to the next. A search
   that has not found out that none is deeper may have ended early, by a little. Where it is
   known that none is deeper, a convex shape is left at least at the rate that is told, since slopes
   lie below it; inside, a search may end on a ridge, and tell the slope of one side of it. Whether
   that is known. */
static bool check_convex(const sn_collider_def *def, const sn_v4 corner[3], const sn_deepest *d) {
    const double by = 0.02;
    double longest = 0, truth = sampled(def, corner);
    sn_v4 moved[3];
    for (int k = 0; k < 3; k++) {
        longest = fmax(longest, length_of(corner[(k + 1) % 3] - corner[k]));
        moved[k] = corner[k] + (sn_real)by * d->normal;
    }
    double between = longest / SAMPLES;
    CHECK((double)d->distance >= truth - between);
    CHECK((double)d->least <= truth + 1e-5 && d->least <= d->distance);
    bool known = (double)(d->distance - d->least) <= 1e-3 * longest;
    CHECK((double)d->distance <= truth + (known ? 1e-3 : 0.05) * longest);
    if (known && d->distance > 0 && d->rate > (sn_real)0.5)
        CHECK(sampled(def, moved) >= (double)d->distance + by * (double)d->rate - 0.05 * by);
    return known;
}

static void check_shape(const sn_collider_def *def, bool convex) {
    int known = 0;
    for (int i = 0; i < 60; i++) {
        sn_v4 middle = point_in(0.6), corner[3];
        for (int k = 0; k < 3; k++) corner[k] = middle + point_in(0.4);
        sn_deepest_shape shape = sn_deepest_shape_of(def, 0, SN_BVH_NONE, false);
        const sn_real third = (sn_real)(1.0 / 3);
        sn_deepest d = {.weight = {third, third, third}};
        sn_deepest_point(&shape, corner, (sn_real)INFINITY, &d);
        check_case("shape %d, triangle %d", (int)def->shape, i);
        check_point(def, corner, &d);
        if (convex) {
            known += check_convex(def, corner, &d);
            continue;
        }
        CHECK((double)d.least <= sampled(def, corner) + 1e-5);
        for (int k = 0; k < 3; k++) {
            sn_v4 normal;
            sn_real there = sn_shape_distance_of(def->shape)(def, corner[k], &normal);
            CHECK((double)d.distance <= (double)there + 1e-5);
        }
        /* Beyond what is asked for it may end early, and says so. */
        double enough = (double)d.distance - 0.2;
        sn_deepest early = {.weight = {third, third, third}};
        sn_deepest_point(&shape, corner, (sn_real)enough, &early);
        CHECK((double)early.least <= sampled(def, corner) + 1e-5);
    }
    CHECK(!convex || known >= 30);
    if (check_shows()) printf("shape %d: %d known\n", (int)def->shape, known);
}

static sn_collider_def shape_of(sn_shape shape, double radius) {
    sn_collider_def def = sn_collider_def_default();
    def.shape = shape;
    def.radius = (sn_real)radius;
    def.extent = (sn_vec3){(sn_real)0.2, (sn_real)0.35, (sn_real)0.3};
    return def;
}

TEST(triangles_are_deepest_in_round_and_square_shapes_where_samples_are) {
    sn_collider_def ball = shape_of(SN_SHAPE_SPHERE, 0.3), box = shape_of(SN_SHAPE_BOX, 0);
    sn_collider_def capsule = shape_of(SN_SHAPE_CAPSULE, 0.1);
    sn_collider_def round = shape_of(SN_SHAPE_BOX, 0.1), drum = shape_of(SN_SHAPE_CYLINDER, 0.3);
    check_shape(&ball, true);
    check_shape(&capsule, true);
    check_shape(&box, true);
    check_shape(&round, true);
    check_shape(&drum, true);
}

TEST(triangles_are_deepest_in_shapes_of_points_and_triangles_where_samples_are) {
    sn_memory memory = {.allocator = sn_allocator_default()};
    sn_mesh mesh = sn_mesh_default();
    sn_torus_def torus = sn_torus_def_default();
    torus.segments = 12;
    torus.sides = 8;
    REQUIRE_OK(sn_generate_torus(&mesh, &torus));
    static const sn_shape shapes[] = {SN_SHAPE_HULL, SN_SHAPE_MESH};
    for (int i = 0; i < 2; i++) {
        sn_collider_def def = shape_of(shapes[i], 0.02);
        def.geometry.vertices = mesh.positions;
        def.geometry.vertex_count = mesh.vertex_count;
        def.geometry.triangles = (const uint32_t(*)[3])mesh.triangles;
        def.geometry.triangle_count = mesh.triangle_count;
        REQUIRE_OK(sn_collider_geometry_create(&memory, &def));
        check_shape(&def, shapes[i] == SN_SHAPE_HULL);
        sn_collider_geometry_free(&memory, def.form);
    }
    sn_mesh_free(&mesh);
}

/* m: the least distance over a triangle of a convex shape, by finer and finer grids about the
   lowest of the points before. */
static double zoomed(const sn_collider_def *def, const sn_v4 corner[3]) {
    enum { SIDE = 8, LEVELS = 16 };
    double least = INFINITY, u = 1.0 / 3, v = 1.0 / 3, size = 2.0 / 3;
    sn_v4 normal;
    for (int level = 0; level < LEVELS; level++, size *= 0.6) {
        double from[2] = {u, v};
        for (int i = -SIDE; i <= SIDE; i++)
            for (int k = -SIDE; k <= SIDE; k++) {
                double a = fmin(fmax(from[0] + size * i / SIDE, 0), 1);
                double b = fmin(fmax(from[1] + size * k / SIDE, 0), 1 - a);
                sn_v4 x = (sn_real)a * corner[0] + (sn_real)b * corner[1] +
                          (sn_real)(1 - a - b) * corner[2];
                double here = (double)sn_shape_distance_of(def->shape)(def, x, &normal);
                if (!(here < least)) continue;
                least = here;
                u = a;
                v = b;
            }
    }
    return least;
}

/* Lines may end early on a ridge: no point is deeper than what is found by more than 1 % of the
   longest edge, which the search knows, and few are by 0.1 %. */
TEST(no_search_ends_early_by_much) {
    enum { TRIANGLES = 1000 };
    const sn_collider_def shapes[] = {shape_of(SN_SHAPE_SPHERE, 0.3), shape_of(SN_SHAPE_BOX, 0),
                                      shape_of(SN_SHAPE_CAPSULE, 0.1),
                                      shape_of(SN_SHAPE_CYLINDER, 0.3)};
    for (int n = 0; n < 4; n++) {
        const sn_collider_def *def = &shapes[n];
        int early = 0, unknown = 0;
        double most = 0;
        for (int i = 0; i < TRIANGLES; i++) {
            sn_v4 middle = point_in(0.6), corner[3];
            double longest = 0;
            for (int k = 0; k < 3; k++) corner[k] = middle + point_in(0.4);
            for (int k = 0; k < 3; k++)
                longest = fmax(longest, length_of(corner[(k + 1) % 3] - corner[k]));
            sn_deepest_shape shape = sn_deepest_shape_of(def, 0, SN_BVH_NONE, false);
            sn_deepest d = {.weight = {(sn_real)(1.0 / 3), (sn_real)(1.0 / 3), (sn_real)(1.0 / 3)}};
            sn_deepest_point(&shape, corner, (sn_real)INFINITY, &d);
            double beyond = ((double)d.distance - zoomed(def, corner)) / longest;
            early += beyond > 0.001;
            unknown += (double)(d.distance - d.least) > 0.0101 * longest;
            most = fmax(most, beyond);
        }
        check_case("shape %d: %d of %d by 0.1 %%, at most %g", (int)def->shape, early,
                   (int)TRIANGLES, most);
        CHECK(early <= (n == 0 ? 0 : 5) && unknown == 0);
        CHECK(most <= (n == 0 ? 1e-5 : 0.01));
    }
}

/* Parts in frames of their own, which no two axes of share anything. */
TEST(triangles_are_deepest_in_the_nearest_part) {
    sn_memory memory = {.allocator = sn_allocator_default()};
    static const sn_shape shapes[] = {SN_SHAPE_BOX, SN_SHAPE_CYLINDER, SN_SHAPE_CAPSULE};
    sn_collider_part parts[3];
    for (int i = 0; i < 3; i++) {
        sn_v4 at = point_in(0.4);
        parts[i] = sn_collider_part_default();
        parts[i].shape = shapes[i];
        parts[i].radius = (sn_real)0.1;
        parts[i].extent = (sn_vec3){(sn_real)0.1, (sn_real)0.3, (sn_real)0.2};
        parts[i].position = (sn_vec3){at[0], at[1], at[2]};
        parts[i].orientation = (sn_quat){number(-1, 1), number(-1, 1), number(-1, 1), 1};
    }
    sn_collider_def def = shape_of(SN_SHAPE_COMPOUND, 0);
    def.parts = parts;
    def.part_count = 3;
    REQUIRE_OK(sn_collider_geometry_create(&memory, &def));
    for (int i = 0; i < 150; i++) {
        sn_v4 middle = point_in(0.6), corner[3], slope;
        for (int k = 0; k < 3; k++) corner[k] = middle + point_in(0.3);
        sn_deepest_shape shape = sn_deepest_shape_of(&def, 0, SN_BVH_NONE, false);
        const sn_real third = (sn_real)(1.0 / 3);
        sn_deepest d = {.weight = {third, third, third}};
        sn_deepest_point(&shape, corner, (sn_real)INFINITY, &d);
        check_case("triangle %d", i);
        check_point(&def, corner, &d);
        double truth = sampled(&def, corner), longest = 0;
        for (int k = 0; k < 3; k++)
            longest = fmax(longest, length_of(corner[(k + 1) % 3] - corner[k]));
        CHECK((double)d.distance <= truth + 0.01 * longest);
        CHECK((double)d.distance >= truth - longest / SAMPLES);
        CHECK((double)d.least <= truth + 1e-5);
        /* Inside there are ridges, where the way out is between two slopes. */
        sn_shape_distance_of(def.shape)(&def, d.point, &slope);
        CHECK(d.distance < 0 || sn_v4_dot(slope, d.normal) > (sn_real)0.29);
    }
    sn_collider_geometry_free(&memory, def.form);
}

/* So far away that the square of the way is not finite, and tangents have no height: whatever is
   told of a point, it is one of the triangle. */
TEST(triangles_may_be_as_far_away_as_numbers_go) {
    static const sn_shape shapes[] = {SN_SHAPE_SPHERE, SN_SHAPE_CAPSULE, SN_SHAPE_BOX,
                                      SN_SHAPE_CYLINDER};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int k = 0; k < 400; k++) {
            sn_collider_def def = shape_of(shapes[i], 0.15);
            double away = pow(10, k % 40 * (sizeof(sn_real) == 8 ? 7.7 : 0.96));
            sn_v4 far = {0}, corner[3];
            far[k % 3] = (sn_real)away;
            for (int n = 0; n < 3; n++) corner[n] = far + point_in(0.3);
            sn_deepest_shape shape = sn_deepest_shape_of(&def, 0, SN_BVH_NONE, false);
            sn_deepest d = {.weight = {1, 0, 0}};
            sn_deepest_point(&shape, corner, (sn_real)INFINITY, &d);
            check_case("shape %d, %g m", (int)shapes[i], away);
            for (int n = 0; n < 3; n++) CHECK(d.weight[n] >= 0 && d.weight[n] <= 1);
        }
}

TESTS(RUN(triangles_are_deepest_in_round_and_square_shapes_where_samples_are),
      RUN(triangles_are_deepest_in_shapes_of_points_and_triangles_where_samples_are),
      RUN(no_search_ends_early_by_much), RUN(triangles_are_deepest_in_the_nearest_part),
      RUN(triangles_may_be_as_far_away_as_numbers_go))
