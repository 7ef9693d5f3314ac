/*
 * Random worlds: every answer is compared with that of going through all objects one by one, by
 * formulas that the library does not use. `query_random --measure` says how long answers take.
 */
#include <math.h>
#include <sinew/sinew.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check.h"
#include "hits.h"

#define R(number) ((sn_real)(number))

typedef struct vec {
    double x, y, z;
} vec;

static vec add(vec a, vec b, double s) {
    return (vec){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static double length(vec a) {
    return sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

static vec of(sn_vec3 a) {
    return (vec){(double)a.x, (double)a.y, (double)a.z};
}

/* ---- Numbers ---- */

static uint64_t seed = 1;

/* 0 to 1, the same everywhere. */
static double chance(void) {
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(seed >> 33) / 2147483648.0;
}

static sn_vec3 anywhere(double size) {
    double x = chance(), y = chance(), z = chance();
    return (sn_vec3){R(size * (2 * x - 1)), R(size * (2 * y - 1)), R(size * (2 * z - 1))};
}

/* ---- A world ---- */

enum { NODES = 300, SHAPES = 40, MOST = NODES + SHAPES };

typedef struct scene {
    sn_world *world;
    sn_query *query;
    sn_node_def node[NODES];
    sn_collider_def shape[SHAPES];
    double offset;
} scene;

static void make_scene(scene *s, double offset) {
    s->offset = offset;
    REQUIRE_OK(sn_world_create(NULL, &s->world));
    for (int i = 0; i < NODES; i++) {
        s->node[i] = sn_node_def_default();
        s->node[i].position = anywhere(8);
        s->node[i].position.x += R(offset);
        s->node[i].radius = R(0.3 * chance());
        s->node[i].group = (uint32_t)(40 * chance());
    }
    REQUIRE_OK(sn_nodes_create(s->world, s->node, NODES, NULL));
    for (int i = 0; i < SHAPES; i++) {
        sn_collider_def *d = &s->shape[i];
        sn_collider collider;
        *d = sn_collider_def_default();
        d->shape = i == 0 ? SN_SHAPE_PLANE : (sn_shape)(1 + i % 4);
        d->radius = R(i % 3 == 0 && d->shape == SN_SHAPE_BOX ? 0 : 0.8 * chance());
        d->extent = (sn_vec3){R(0.8 * chance()), R(0.8 * chance()), R(0.8 * chance())};
        d->position = anywhere(8);
        d->position.x += R(offset);
        if (i == 0) d->position.y = -9;
        sn_vec3 q = anywhere(1);
        d->orientation = (sn_quat){q.x, q.y, q.z, R(chance() + 0.01)};
        d->mask = (uint32_t)(4294967295.0 * chance());
        REQUIRE_OK(sn_collider_create(s->world, d, &collider));
        REQUIRE_OK(sn_collider_get(s->world, collider, d));
    }
    REQUIRE_OK(sn_query_create(s->world, &s->query));
}

static void free_scene(scene *s) {
    sn_query_destroy(s->query);
    sn_world_destroy(s->world);
}

/* ---- Distances, once more ---- */

/* By the matrix of the quaternion, transposed. */
static vec to_frame(sn_quat q, vec a) {
    double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
    double n = x * x + y * y + z * z + w * w, s = 2 / n;
    return (vec){
        (1 - s * (y * y + z * z)) * a.x + s * (x * y + w * z) * a.y + s * (x * z - w * y) * a.z,
        s * (x * y - w * z) * a.x + (1 - s * (x * x + z * z)) * a.y + s * (y * z + w * x) * a.z,
        s * (x * z + w * y) * a.x + s * (y * z - w * x) * a.y + (1 - s * (x * x + y * y)) * a.z};
}

static double past(double a, double b) {
    double c = fabs(a) - b;
    return c > 0 ? c : 0;
}

static double most(double a, double b) {
    return a > b ? a : b;
}

static double shape_distance(const sn_collider_def *d, vec at) {
    vec x = to_frame(d->orientation, add(at, of(d->position), -1)), e = of(d->extent);
    double r = (double)d->radius, inside;
    switch (d->shape) {
    case SN_SHAPE_PLANE:
        return x.y;
    case SN_SHAPE_SPHERE:
        return length(x) - r;
    case SN_SHAPE_CAPSULE:
        return length((vec){x.x, past(x.y, e.y), x.z}) - r;
    case SN_SHAPE_BOX:
        inside = most(fabs(x.x) - e.x, most(fabs(x.y) - e.y, fabs(x.z) - e.z));
        if (inside <= 0) return inside - r;
        return length((vec){past(x.x, e.x), past(x.y, e.y), past(x.z, e.z)}) - r;
    default:
        inside = most(sqrt(x.x * x.x + x.z * x.z) - r, fabs(x.y) - e.y);
        if (inside <= 0) return inside;
        return length((vec){past(sqrt(x.x * x.x + x.z * x.z), r), past(x.y, e.y), 0});
    }
}

/* Of the object of a number: nodes, then colliders. */
static double distance_of(const scene *s, int i, vec at) {
    if (i >= NODES) return shape_distance(&s->shape[i - NODES], at);
    return length(add(at, of(s->node[i].position), -1)) - (double)s->node[i].radius;
}

static bool counts(const scene *s, int i, uint32_t groups) {
    if (i >= NODES) return (s->shape[i - NODES].mask & groups) != 0;
    uint32_t group = s->node[i].group;
    return groups >> (group < 31 ? group : 31) & 1;
}

/*
 * Where a ball first touches an object: the distance along its way is a convex function, so its
 * minimum is found by cutting in three, and what comes before that by cutting in two. Negative: it
 * does not; *least is how close it comes.
 */
static double first_touch(const scene *s, int i, vec from, vec way, double far, double radius,
                          double *least) {
    double a = 0, b = far;
    for (int k = 0; k < 120; k++) {
        double m = a + (b - a) / 3, n = b - (b - a) / 3;
        if (distance_of(s, i, add(from, way, m)) < distance_of(s, i, add(from, way, n)))
            b = n;
        else
            a = m;
    }
    *least = distance_of(s, i, add(from, way, a)) - radius;
    if (distance_of(s, i, from) <= radius) return 0;
    if (*least > 0) return -1;
    for (b = a, a = 0; b - a > 1e-13 * far;) {
        double m = (a + b) / 2;
        if (m <= a || m >= b) break;
        if (distance_of(s, i, add(from, way, m)) <= radius)
            b = m;
        else
            a = m;
    }
    return b;
}

static int number_of(const sn_hit *hit) {
    if (hit->kind == SN_HIT_NODE) return (int)hit->node[0].slot - 1;
    return (int)hit->collider.slot - 1 + NODES;
}

/* ---- Casts ---- */

/* m: what rounding may do to distances of things of this size. */
static double rounding(const scene *s) {
    double eps = sizeof(sn_real) == 4 ? 1.2e-7 : 2.3e-16;
    return 40 * eps + (sizeof(sn_real) == 4 ? 0 : 1e-16 * s->offset) + 1e-12;
}

static void check_cast(const scene *s, const sn_cast_def *cast, const sn_filter_def *filter) {
    static sn_hit hits[MOST];
    size_t count = 0;
    double one = length(of(cast->direction)), far = (double)cast->length;
    vec way = of(cast->direction), from = of(cast->origin);
    way = (vec){way.x / one, way.y / one, way.z / one};
    CHECK_OK(sn_query_cast_all(s->query, cast, filter, hits, MOST, &count));
    static double met[MOST];
    for (int i = 0; i < MOST; i++) met[i] = -1;
    for (size_t k = 0; k < count; k++) {
        met[number_of(&hits[k])] = (double)hits[k].distance;
        if (k > 0) CHECK(hits[k - 1].distance <= hits[k].distance);
        /* What it says of the point is so. */
        vec at = add(from, way, (double)hits[k].distance);
        double d = distance_of(s, number_of(&hits[k]), at);
        CHECK(d < (double)cast->radius + 20 * rounding(s) + 1e-6 * (double)hits[k].distance);
    }
    double fuzz = rounding(s);
    for (int i = 0; i < MOST; i++) {
        double least, at = first_touch(s, i, from, way, far, (double)cast->radius, &least);
        check_case("object %d", i);
        if (!counts(s, i, filter->groups)) {
            CHECK(met[i] < 0);
            continue;
        }
        if (fabs(least) < 10 * fuzz) continue; /* just touches */
        CHECK((met[i] >= 0) == (at >= 0));
        if (met[i] < 0 || at <= 0) continue;
        /* Where it comes in flat, a little of distance is much of the way. */
        double h = 1e-6, before = distance_of(s, i, add(from, way, at - h));
        double slope = (before - distance_of(s, i, add(from, way, at + h))) / (2 * h);
        CHECK_NEAR(met[i], at, 3 * fuzz / fmax(slope, sqrt(fuzz)) + 1e-7 * at);
    }
    sn_hit first;
    CHECK_OK(sn_query_cast(s->query, cast, filter, &first));
    CHECK(count ? same_hits(&first, &hits[0], 1) : first.kind == SN_HIT_NONE);
}

static void cast_at_random(double offset) {
    static scene s;
    make_scene(&s, offset);
    size_t hits = 0;
    for (int i = 0; i < 150; i++) {
        sn_cast_def cast = sn_cast_def_default();
        sn_filter_def filter = sn_filter_def_default();
        cast.origin = anywhere(10);
        cast.origin.x += R(offset);
        cast.direction = anywhere(1);
        if (i % 10 == 0) cast.direction.y = 0;
        if (i % 15 == 0) cast.direction.x = 0;
        cast.length = R(25 * chance());
        cast.radius = i % 2 ? 0 : R(chance());
        if (i % 3 == 0) filter.groups = (uint32_t)(4294967295.0 * chance());
        check_cast(&s, &cast, &filter);
        sn_hit hit;
        CHECK_OK(sn_query_cast(s.query, &cast, &filter, &hit));
        hits += hit.kind != SN_HIT_NONE;
    }
    CHECK(hits > 50 && hits < 150);
    free_scene(&s);
}

TEST(casts_are_those_of_going_through_everything) {
    cast_at_random(0);
}

TEST(also_far_away) {
    cast_at_random(4096);
    cast_at_random(1048576);
}

/* ---- Regions and points ---- */

TEST(regions_are_those_of_going_through_everything) {
    static scene s;
    static sn_hit hits[MOST];
    make_scene(&s, 0);
    double fuzz = rounding(&s);
    for (int i = 0; i < 300; i++) {
        sn_vec3 center = anywhere(9);
        sn_real radius = R(3 * chance());
        size_t count = 0;
        CHECK_OK(sn_query_overlap_sphere(s.query, center, radius, NULL, hits, MOST, &count));
        bool met[MOST] = {false};
        for (size_t k = 0; k < count; k++) met[number_of(&hits[k])] = true;
        int nearest = 0;
        double least = INFINITY;
        for (int k = 0; k < MOST; k++) {
            double d = distance_of(&s, k, of(center));
            if (fabs(d - (double)radius) > fuzz) CHECK(met[k] == (d <= (double)radius));
            if (d < least) {
                least = d;
                nearest = k;
            }
        }
        sn_hit hit;
        CHECK_OK(sn_query_closest(s.query, center, SN_AUTO, NULL, &hit));
        CHECK_NEAR(hit.distance, least, fuzz);
        CHECK(number_of(&hit) == nearest);
        CHECK_NEAR(distance_of(&s, nearest, of(hit.point)), 0, 10 * fuzz);
        CHECK_OK(sn_query_closest(s.query, center, R(least * 0.99), NULL, &hit) == SN_OK ||
                         least < 0
                     ? SN_OK
                     : SN_ERROR_VALUE);
        if (least > 0) CHECK(hit.kind == SN_HIT_NONE);
    }
    free_scene(&s);
}

/* The least distance to an object within a box: goes from it to the object and back, with small
   steps down the slope of the distance. */
static double least_in_box(const scene *s, int i, vec low, vec high) {
    vec x = {(low.x + high.x) / 2, (low.y + high.y) / 2, (low.z + high.z) / 2};
    double best = INFINITY, h = 1e-5;
    for (int k = 0; k < 200; k++) {
        double d = distance_of(s, i, x);
        if (d < best) best = d;
        if (d <= 0) return d;
        vec n = {distance_of(s, i, add(x, (vec){1, 0, 0}, h)) - d,
                 distance_of(s, i, add(x, (vec){0, 1, 0}, h)) - d,
                 distance_of(s, i, add(x, (vec){0, 0, 1}, h)) - d};
        x = add(x, n, -d / h);
        x.x = fmin(fmax(x.x, low.x), high.x);
        x.y = fmin(fmax(x.y, low.y), high.y);
        x.z = fmin(fmax(x.z, low.z), high.z);
    }
    return best;
}

TEST(boxes_are_those_of_going_through_everything) {
    static scene s;
    static sn_hit hits[MOST];
    make_scene(&s, 0);
    size_t together = 0;
    for (int i = 0; i < 200; i++) {
        sn_vec3 low = anywhere(9), high = low;
        high.x += R(4 * chance());
        high.y += R(4 * chance());
        high.z += R(4 * chance());
        size_t count = 0;
        CHECK_OK(sn_query_overlap_box(s.query, low, high, NULL, hits, MOST, &count));
        bool met[MOST] = {false};
        for (size_t k = 0; k < count; k++) met[number_of(&hits[k])] = true;
        together += count;
        for (int k = 0; k < MOST; k++) {
            double d = least_in_box(&s, k, of(low), of(high));
            check_case("box %d, object %d, %g m", i, k, d);
            if (fabs(d) > 1e-3 || d <= 0) CHECK(met[k] == (d <= 0));
        }
    }
    CHECK(together > 100);
    free_scene(&s);
}

/* ---- Following ---- */

/* A picture that is refreshed answers as one that is new, however the objects have moved. */
TEST(a_refreshed_picture_is_a_new_one) {
    static scene s;
    make_scene(&s, 0);
    for (int round = 0; round < 12; round++) {
        check_case("round %d", round);
        for (uint32_t i = 0; i < NODES; i++) {
            sn_node node;
            if (sn_world_node_at(s.world, i, &node) != SN_OK) continue;
            double size = round < 6 ? 8 : 80;
            CHECK_OK(sn_node_set_position(s.world, node, anywhere(size)));
            if (round == 3 && i % 7 == 0) CHECK_OK(sn_node_destroy(s.world, node));
        }
        sn_query *fresh = NULL;
        REQUIRE_OK(sn_query_create(s.world, &fresh));
        CHECK_OK(sn_query_refresh(s.query, s.world));
        for (int i = 0; i < 300; i++) {
            static sn_hit a[MOST], b[MOST];
            size_t in_a = 0, in_b = 0;
            sn_cast_def cast = sn_cast_def_default();
            cast.origin = anywhere(10);
            cast.direction = anywhere(1);
            cast.radius = R(chance());
            CHECK_OK(sn_query_cast_all(s.query, &cast, NULL, a, MOST, &in_a));
            CHECK_OK(sn_query_cast_all(fresh, &cast, NULL, b, MOST, &in_b));
            CHECK(in_a == in_b && same_hits(a, b, in_a));
            CHECK_OK(sn_query_closest(s.query, cast.origin, SN_AUTO, NULL, a));
            CHECK_OK(sn_query_closest(fresh, cast.origin, SN_AUTO, NULL, b));
            CHECK(same_hits(a, b, 1));
        }
        sn_query_destroy(fresh);
    }
    free_scene(&s);
}

/* ---- Speed ---- */

/* s: of this program's own time. */
static double now(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

static void measure_casts(const sn_query *query, const char *what, double size, sn_real radius,
                          sn_real far) {
    enum { RAYS = 100000 };
    static sn_cast_def cast[RAYS];
    size_t hits = 0;
    for (int i = 0; i < RAYS; i++) {
        cast[i] = sn_cast_def_default();
        cast[i].origin = anywhere(size);
        cast[i].direction = anywhere(1);
        cast[i].radius = radius;
        cast[i].length = far;
    }
    double begin = now();
    for (int i = 0; i < RAYS; i++) {
        sn_hit hit;
        CHECK_OK(sn_query_cast(query, &cast[i], NULL, &hit));
        hits += hit.kind != SN_HIT_NONE;
    }
    printf("%-28s %7.0f ns, %2.0f %% hit\n", what, (now() - begin) * 1e9 / RAYS,
           100.0 * (double)hits / RAYS);
}

static void measure_points(const sn_query *query, double size) {
    enum { POINTS = 100000 };
    double begin = now();
    for (int i = 0; i < POINTS; i++) {
        sn_hit hit;
        CHECK_OK(sn_query_closest(query, anywhere(size), SN_AUTO, NULL, &hit));
    }
    printf("%-28s %7.0f ns\n", "nearest to a point", (now() - begin) * 1e9 / POINTS);
    begin = now();
    size_t all = 0;
    for (int i = 0; i < POINTS; i++) {
        size_t count = 0;
        CHECK_OK(sn_query_overlap_sphere(query, anywhere(size), R(0.2), NULL, NULL, 0, &count));
        all += count;
    }
    printf("%-28s %7.0f ns, %.1f touch\n", "within a ball of 0.2 m", (now() - begin) * 1e9 / POINTS,
           (double)all / POINTS);
}

/* Nodes in a cube, evenly: 46 of them along an edge, a tenth of the way to the next in radius. */
static int measure(void) {
    enum { SIDE = 46, COUNT = SIDE * SIDE * SIDE };
    static sn_node_def defs[COUNT];
    sn_world *world = NULL;
    REQUIRE_OK(sn_world_create(NULL, &world));
    for (int i = 0; i < COUNT; i++) {
        sn_vec3 aside = anywhere(0.05);
        defs[i] = sn_node_def_default();
        defs[i].radius = R(0.01);
        defs[i].position = (sn_vec3){R((i % SIDE - SIDE / 2) * 0.1) + aside.x,
                                     R((i / SIDE % SIDE - SIDE / 2) * 0.1) + aside.y,
                                     R((i / SIDE / SIDE - SIDE / 2) * 0.1) + aside.z};
    }
    REQUIRE_OK(sn_nodes_create(world, defs, COUNT, NULL));
    sn_query *query = NULL;
    double begin = now();
    REQUIRE_OK(sn_query_create(world, &query));
    printf("%d nodes\n%-28s %7.2f ms\n", COUNT, "making the picture", (now() - begin) * 1e3);
    begin = now();
    for (int i = 0; i < 20; i++) REQUIRE_OK(sn_query_refresh(query, world));
    printf("%-28s %7.2f ms\n", "refreshing it", (now() - begin) * 1e3 / 20);
    double size = 0.1 * SIDE / 2;
    measure_casts(query, "a ray without end", size, 0, SN_AUTO);
    measure_casts(query, "a ray of 0.5 m", size, 0, R(0.5));
    measure_casts(query, "a ball of 0.05 m", size, R(0.05), SN_AUTO);
    measure_points(query, size);
    sn_query_destroy(query);
    sn_world_destroy(world);
    return 0;
}

/* ---- As large as numbers are ---- */

static const double SIZES[] = {0, 1, 1e8, 1e18, 1e30, 1e37, (double)SN_REAL_MAX};
enum { SIZE_COUNT = sizeof SIZES / sizeof SIZES[0] };

/* Whatever is finite is answered: balls and boxes that reach all objects from anywhere find all of
   them, and those that reach nothing none. */
static void check_size(const scene *s, double far, double size) {
    static const sn_vec3 directions[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, -1}, {0, R(1e-30), R(1)}};
    sn_filter_def filter = sn_filter_def_default();
    sn_cast_def cast = sn_cast_def_default();
    sn_hit hit, hits[MOST];
    sn_vec3 at = {R(far), R(-far), R(far)}, low = {R(-far), R(-far), R(-far)};
    sn_vec3 high = {R(far), R(far), R(far)};
    size_t count;
    filter.kinds = SN_HIT_NODE;
    /* Squares are in double, and fit while lengths are below this. */
    bool reaches = size > 10 * far + 100, counted = size < 1e150 && far < 1e150;
    cast.radius = R(size);
    for (int way = 0; way < 4; way++) {
        cast.origin = at;
        cast.direction = directions[way];
        REQUIRE_OK(sn_query_cast(s->query, &cast, &filter, &hit));
        if (reaches && counted) CHECK(hit.kind == SN_HIT_NODE && hit.distance == 0);
        REQUIRE_OK(sn_query_cast_all(s->query, &cast, &filter, hits, MOST, &count));
        if (reaches && counted) CHECK(count == NODES);
    }
    REQUIRE_OK(sn_query_overlap_sphere(s->query, at, R(size), &filter, hits, MOST, &count));
    if (reaches && counted) CHECK(count == NODES);
    if (size < far && far > 100 && counted) CHECK(count == 0);
    REQUIRE_OK(sn_query_overlap_box(s->query, low, high, &filter, hits, MOST, &count));
    if (far > 100) CHECK(count == NODES);
    REQUIRE_OK(sn_query_closest(s->query, at, SN_AUTO, &filter, &hit));
    if (counted && 2 * far < (double)SN_REAL_MAX) CHECK(hit.kind == SN_HIT_NODE);
    /* And of all kinds. */
    REQUIRE_OK(sn_query_cast_all(s->query, &cast, NULL, hits, MOST, &count));
    REQUIRE_OK(sn_query_overlap_sphere(s->query, at, R(size), NULL, hits, MOST, &count));
    REQUIRE_OK(sn_query_closest(s->query, at, R(size), NULL, &hit));
}

static void any_finite_number_is_answered(void) {
    static scene s;
    make_scene(&s, 0);
    for (int f = 0; f < SIZE_COUNT; f++)
        for (int r = 0; r < SIZE_COUNT; r++) check_size(&s, SIZES[f], SIZES[r]);
    free_scene(&s);
}

static const check_test tests[] = {RUN(casts_are_those_of_going_through_everything),
                                   RUN(also_far_away),
                                   RUN(regions_are_those_of_going_through_everything),
                                   RUN(boxes_are_those_of_going_through_everything),
                                   RUN(a_refreshed_picture_is_a_new_one),
                                   RUN(any_finite_number_is_answered)};

int main(int argc, char **argv) {
    if (argc == 2 && !strcmp(argv[1], "--measure")) return measure();
    return check_main(argc, argv, tests, sizeof tests / sizeof tests[0]);
}
