/*
 * Rays against triangles, segments and boxes: what queries are made of, with answers that can be
 * written down, and sides that let nothing through.
 */
#include "collision/query/query_ray.h"

#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "geometry/closest_point.h"

static const sn_point corner[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};

static sn_ray ray_of(sn_point origin, sn_point direction) {
    return sn_ray_make(origin, direction, INFINITY, 0);
}

TEST(a_ray_meets_a_triangle_from_both_sides) {
    double s = -1, weight[3];
    sn_ray ray = ray_of((sn_point){0.25, 0.5, 3}, (sn_point){0, 0, -7});
    CHECK(sn_ray_triangle(&ray, corner, &s, weight));
    CHECK(s == 3 && weight[0] == 0.25 && weight[1] == 0.25 && weight[2] == 0.5);
    ray = ray_of((sn_point){0.25, 0.5, -3}, (sn_point){0, 0, 2});
    CHECK(sn_ray_triangle(&ray, corner, &s, weight));
    CHECK(s == 3 && weight[0] == 0.25 && weight[1] == 0.25 && weight[2] == 0.5);
    /* Away from it, too short, beside it, in its plane. */
    ray = ray_of((sn_point){0.25, 0.5, 3}, (sn_point){0, 0, 1});
    CHECK(!sn_ray_triangle(&ray, corner, &s, weight));
    ray = sn_ray_make((sn_point){0.25, 0.5, 3}, (sn_point){0, 0, -1}, 2.999, 0);
    CHECK(!sn_ray_triangle(&ray, corner, &s, weight));
    ray = sn_ray_make((sn_point){0.25, 0.5, 3}, (sn_point){0, 0, -1}, 3, 0);
    CHECK(sn_ray_triangle(&ray, corner, &s, weight));
    ray = ray_of((sn_point){0.6, 0.6, 3}, (sn_point){0, 0, -1});
    CHECK(!sn_ray_triangle(&ray, corner, &s, weight));
    ray = ray_of((sn_point){-1, 0.25, 0}, (sn_point){1, 0, 0});
    CHECK(!sn_ray_triangle(&ray, corner, &s, weight));
    /* From a point of it. */
    ray = ray_of((sn_point){0.25, 0.25, 0}, (sn_point){1, 1, 1});
    CHECK(sn_ray_triangle(&ray, corner, &s, weight));
    CHECK_NEAR(s, 0, 1e-15);
    /* Its corner and its side. */
    ray = ray_of((sn_point){1, 0, 1}, (sn_point){0, 0, -1});
    CHECK(sn_ray_triangle(&ray, corner, &s, weight) && weight[1] == 1);
    ray = ray_of((sn_point){0.5, 0.5, 1}, (sn_point){0, 0, -1});
    CHECK(sn_ray_triangle(&ray, corner, &s, weight) && weight[0] == 0);
    /* Without area there is nothing to pass through. */
    const sn_point thin[3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    ray = ray_of((sn_point){0.5, 0, 1}, (sn_point){0, 0, -1});
    CHECK(!sn_ray_triangle(&ray, thin, &s, weight));
}

static double random_number(void) {
    return (double)rand() / RAND_MAX * 2 - 1;
}

static sn_point random_point(double size) {
    double x = random_number(), y = random_number(), z = random_number();
    return (sn_point){size * x, size * y, size * z};
}

/* Rays to points of the side that two triangles share, and to the corner of a fan. */
TEST(nothing_passes_between_triangles) {
    srand(5);
    for (int i = 0; i < 200000; i++) {
        sn_point p[4], s;
        for (int k = 0; k < 4; k++) p[k] = random_point(1);
        p[3] = sn_point_sub(sn_point_add(p[0], p[1]), p[2]);
        double t = (random_number() + 1) / 2;
        s = sn_point_add(sn_point_scaled(p[0], t), sn_point_scaled(p[1], 1 - t));
        sn_point from = random_point(10);
        sn_ray ray = ray_of(from, sn_point_sub(s, from));
        const sn_point a[3] = {p[0], p[1], p[2]}, b[3] = {p[1], p[0], p[3]};
        double at, weight[3];
        if (!CHECK(sn_ray_triangle(&ray, a, &at, weight) || sn_ray_triangle(&ray, b, &at, weight)))
            return;
    }
}

typedef struct thick {
    sn_point corner[3];
    double radius;
} thick;

static double triangle_distance(const void *thing, sn_point x, sn_point *normal) {
    const thick *t = thing;
    sn_point on = sn_closest_on_triangle(x, t->corner[0], t->corner[1], t->corner[2], NULL);
    sn_point away = sn_point_sub(x, on);
    double length = sn_point_length(away);
    *normal = length > 0 ? sn_point_scaled(away, 1 / length) : (sn_point){0, 1, 0};
    return length - t->radius;
}

static double segment_distance(const void *thing, sn_point x, sn_point *normal) {
    const thick *t = thing;
    double part;
    sn_point away = sn_point_sub(x, sn_closest_on_segment(x, t->corner[0], t->corner[1], &part));
    double length = sn_point_length(away);
    *normal = length > 0 ? sn_point_scaled(away, 1 / length) : (sn_point){0, 1, 0};
    return length - t->radius;
}

TEST(a_ball_meets_a_triangle_and_a_segment) {
    thick t = {{corner[0], corner[1], corner[2]}, 0.25};
    sn_ray_target target = {triangle_distance, &t, 1e-13, true};
    double s;
    /* The flat side. */
    sn_ray ray = sn_ray_make((sn_point){0.25, 0.25, 4}, (sn_point){0, 0, -1}, INFINITY, 0.25);
    CHECK(sn_ray_march(&ray, &target, 0, 100, &s));
    CHECK_NEAR(s, 3.5, 1e-12);
    /* A side from its plane, a corner from beyond it, and past it. */
    ray = sn_ray_make((sn_point){0.5, -4, 0}, (sn_point){0, 1, 0}, INFINITY, 0.25);
    CHECK(sn_ray_march(&ray, &target, 0, 100, &s));
    CHECK_NEAR(s, 3.5, 1e-12);
    ray = sn_ray_make((sn_point){-0.3, 0, 4}, (sn_point){0, 0, -1}, INFINITY, 0.25);
    CHECK(sn_ray_march(&ray, &target, 0, 100, &s));
    CHECK_NEAR(s, 4 - 0.4, 1e-12);
    ray = sn_ray_make((sn_point){-0.51, 0, 4}, (sn_point){0, 0, -1}, INFINITY, 0.25);
    CHECK(!sn_ray_march(&ray, &target, 0, 100, &s));
    /* A tangent comes as close as numbers can. */
    ray = sn_ray_make((sn_point){-0.5, 0, 4}, (sn_point){0, 0, -1}, INFINITY, 0.25);
    if (CHECK(sn_ray_march(&ray, &target, 0, 100, &s))) CHECK_NEAR(s, 4, 1e-6);
    /* Parallel to it, and away from it. */
    ray = sn_ray_make((sn_point){-4, 0.1, 0.6}, (sn_point){1, 0, 0}, INFINITY, 0.25);
    CHECK(!sn_ray_march(&ray, &target, 0, 100, &s));
    ray = sn_ray_make((sn_point){0.2, 0.1, 0.6}, (sn_point){0, 0, 1}, INFINITY, 0.25);
    CHECK(!sn_ray_march(&ray, &target, 0, 100, &s));
    target.distance = segment_distance;
    ray = sn_ray_make((sn_point){0.5, 0.3, 4}, (sn_point){0, 0, -1}, INFINITY, 0.25);
    CHECK(sn_ray_march(&ray, &target, 0, 100, &s));
    CHECK_NEAR(s, 4 - 0.4, 1e-12);
    ray = sn_ray_make((sn_point){4, 0, 0}, (sn_point){-1, 0, 0}, INFINITY, 0.25);
    CHECK(sn_ray_march(&ray, &target, 0, 100, &s));
    CHECK_NEAR(s, 2.5, 1e-12);
    /* A segment without length. */
    t.corner[1] = t.corner[0];
    CHECK(sn_ray_march(&ray, &target, 0, 100, &s));
    CHECK_NEAR(s, 3.5, 1e-12);
}

/* A ring, which is not convex: two halves of a ray meet it, the hole lets it through. */
static double ring_distance(const void *thing, sn_point x, sn_point *normal) {
    (void)thing;
    double around = sqrt(x.x * x.x + x.z * x.z), across = around - 2;
    double length = sqrt(across * across + x.y * x.y);
    *normal =
        (sn_point){across / length * x.x / around, x.y / length, across / length * x.z / around};
    return length - 0.5;
}

TEST(a_ray_meets_what_is_not_convex) {
    sn_ray_target target = {ring_distance, NULL, 1e-9, false};
    double s;
    sn_ray ray = ray_of((sn_point){-5, 0.25, 0}, (sn_point){1, 0, 0});
    CHECK(sn_ray_march(&ray, &target, 0, 100, &s));
    CHECK_NEAR(s, 3 - sqrt(0.1875), 1e-6);
    ray = ray_of((sn_point){0, 0.25, 0.1}, (sn_point){1, 0, 0});
    CHECK(sn_ray_march(&ray, &target, 0, 100, &s));
    ray = ray_of((sn_point){0.3, 5, 0.1}, (sn_point){0, -1, 0});
    CHECK(!sn_ray_march(&ray, &target, 0, 100, &s));
    /* Regions: in the hole, on the ring, across it. */
    CHECK(!sn_box_overlaps(&(sn_bounds){{-1, -1, -1}, {1, 1, 1}}, &target));
    CHECK(sn_box_overlaps(&(sn_bounds){{-1, -1, -1}, {1.6, 1, 1}}, &target));
    CHECK(!sn_box_overlaps(&(sn_bounds){{-9, 0.7, -9}, {9, 9, 9}}, &target));
    CHECK(sn_box_overlaps(&(sn_bounds){{-9, 0.49, -9}, {9, 9, 9}}, &target));
}

/* The box that a ray is in may be looked at too often, never too seldom. */
TEST(a_ray_and_a_box) {
    sn_bounds box = {{-1, -1, -1}, {1, 1, 1}};
    sn_ray ray = ray_of((sn_point){-3, 0, 0}, (sn_point){1, 0, 0});
    CHECK(sn_ray_box(&ray, &box, 0) == 2 && sn_ray_box(&ray, &box, 0.5) == 1.5);
    ray = sn_ray_make((sn_point){-3, 0, 0}, (sn_point){1, 0, 0}, 1.9, 0);
    CHECK(isinf(sn_ray_box(&ray, &box, 0)));
    ray = ray_of((sn_point){0.5, 0.5, 0.5}, (sn_point){1, 2, 3});
    CHECK(sn_ray_box(&ray, &box, 0) == 0);
    /* Along a side, in its plane, either way, and just beside it. */
    for (int sign = -1; sign <= 1; sign += 2) {
        ray = ray_of((sn_point){-3 * sign, 1, -1}, (sn_point){sign, 0, -0.0});
        CHECK(sn_ray_box(&ray, &box, 0) == 2);
        ray = ray_of((sn_point){-3 * sign, 1.001, 0}, (sn_point){sign, -0.0, 0});
        CHECK(isinf(sn_ray_box(&ray, &box, 0)));
    }
    CHECK(sn_box_distance(&box, (sn_point){0, 0.25, 0}) == -0.75);
    CHECK(sn_box_distance(&box, (sn_point){4, 5, 0}) == 5);
    CHECK(sn_box_distance(&box, (sn_point){0, 0, -2}) == 1);
}

/* Thick triangles against boxes, by looking at many points of both. */
static double least_distance(const thick *t, const sn_bounds *box) {
    double least = INFINITY;
    enum { N = 40 };
    for (int i = 0; i <= N; i++)
        for (int j = 0; i + j <= N; j++) {
            double u = (double)i / N, v = (double)j / N, w = 1 - u - v;
            sn_point x = sn_point_add(
                sn_point_scaled(t->corner[0], u),
                sn_point_add(sn_point_scaled(t->corner[1], v), sn_point_scaled(t->corner[2], w)));
            double d = sn_box_distance(box, x);
            if (d < least) least = d;
        }
    return least - t->radius;
}

TEST(a_triangle_touches_a_box_or_not) {
    srand(9);
    int together = 0, apart = 0;
    for (int i = 0; i < 2000; i++) {
        thick t = {.radius = 0.1 * (random_number() + 1)};
        for (int k = 0; k < 3; k++) t.corner[k] = random_point(2);
        sn_point middle = random_point(1);
        sn_bounds box = {sn_point_sub(middle, (sn_point){0.5, 0.3, 0.2}),
                         sn_point_add(middle, (sn_point){0.5, 0.3, 0.2})};
        sn_ray_target target = {triangle_distance, &t, 1e-12, true};
        double least = least_distance(&t, &box);
        bool collider_contacts = sn_box_overlaps(&box, &target);
        /* What was looked at is at most this far from what was not. */
        const double coarse = 0.15;
        if (least <= 0) CHECK(collider_contacts);
        if (least > coarse) CHECK(!collider_contacts);
        together += collider_contacts;
        apart += !collider_contacts;
    }
    CHECK(together > 200 && apart > 200);
}

TESTS(RUN(a_ray_meets_a_triangle_from_both_sides), RUN(nothing_passes_between_triangles),
      RUN(a_ball_meets_a_triangle_and_a_segment), RUN(a_ray_meets_what_is_not_convex),
      RUN(a_ray_and_a_box), RUN(a_triangle_touches_a_box_or_not))
