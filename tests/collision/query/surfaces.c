/*
 * Queries against collision surfaces: triangles and segments with and without thickness, what a hit
 * says of them, and random surfaces against going through all triangles.
 */
#include <math.h>
#include <sinew/sinew.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

#define R(number) ((sn_real)(number))

static const double close = sizeof(sn_real) == 4 ? 2e-6 : 1e-12;

/* A square of two triangles in the plane y = 1, and a segment beside it. */
static sn_world *new_world(double radius, sn_node node[6], sn_collision_surface *surface) {
    static const double place[6][3] = {{0, 1, 0}, {1, 1, 0}, {1, 1, 1},
                                       {0, 1, 1}, {3, 1, 0}, {3, 1, 2}};
    static const uint32_t triangles[] = {0, 2, 1, 0, 3, 2}, segments[] = {0, 1, 4, 5};
    sn_world *world = NULL;
    REQUIRE_OK(sn_world_create(NULL, &world));
    for (int i = 0; i < 6; i++) {
        sn_node_def def = sn_node_def_default();
        def.position = (sn_vec3){R(place[i][0]), R(place[i][1]), R(place[i][2])};
        def.velocity = (sn_vec3){0, R(i), 0};
        def.radius = R(radius);
        REQUIRE_OK(sn_node_create(world, &def, &node[i]));
    }
    sn_collision_surface_def def = sn_collision_surface_def_default();
    def.nodes = node;
    def.node_count = 6;
    def.triangles = triangles;
    def.triangle_count = 2;
    def.segments = segments;
    def.segment_count = 2;
    REQUIRE_OK(sn_collision_surface_create(world, &def, surface));
    return world;
}

static sn_hit ask(const sn_query *query, double x, double z, double radius) {
    sn_cast_def cast = sn_cast_def_default();
    sn_filter_def filter = sn_filter_def_default();
    sn_hit hit;
    filter.kinds = SN_HIT_SURFACE;
    cast.origin = (sn_vec3){R(x), 5, R(z)};
    cast.radius = R(radius);
    CHECK_OK(sn_query_cast(query, &cast, &filter, &hit));
    return hit;
}

TEST(a_triangle_without_thickness) {
    sn_node node[6];
    sn_collision_surface surface;
    sn_world *world = new_world(0, node, &surface);
    sn_query *query = NULL;
    REQUIRE_OK(sn_query_create(world, &query));
    sn_hit hit = ask(query, 0.75, 0.25, 0);
    CHECK(hit.kind == SN_HIT_SURFACE && hit.node_count == 3 && hit.element == 0);
    CHECK(memcmp(&hit.surface, &surface, sizeof surface) == 0 && hit.collider.slot == 0);
    CHECK(memcmp(&hit.node[1], &node[2], sizeof node[2]) == 0);
    CHECK_NEAR(hit.distance, 4, close);
    CHECK_NEAR(hit.weight[0], 0.25, close);
    CHECK_NEAR(hit.weight[1], 0.25, close);
    CHECK_NEAR(hit.weight[2], 0.5, close);
    CHECK_NEAR(hit.point.x, 0.75, close);
    CHECK_NEAR(hit.point.y, 1, close);
    CHECK_NEAR(hit.normal.y, 1, close);
    CHECK_NEAR(hit.velocity.y, 0.25 * 2 + 0.5 * 1, close);
    /* The other one; past both; on the edge that they share, the first. */
    CHECK(ask(query, 0.25, 0.75, 0).element == 1);
    CHECK(ask(query, 1.001, 0.5, 0).kind == SN_HIT_NONE);
    CHECK(ask(query, 0.5, 0.5, 0).element == 0);
    /* From below, the normal is there. */
    sn_cast_def cast = sn_cast_def_default();
    cast.direction.y = 1;
    cast.origin = (sn_vec3){R(0.75), 0, R(0.25)};
    CHECK_OK(sn_query_cast(query, &cast, NULL, &hit));
    CHECK(hit.kind == SN_HIT_SURFACE && hit.element == 0);
    CHECK_NEAR(hit.normal.y, -1, close);
    CHECK_NEAR(hit.distance, 1, close);
    /* Nearest, from beside, and a point of it. */
    CHECK_OK(sn_query_closest(query, (sn_vec3){R(0.5), 3, R(0.25)}, SN_AUTO, NULL, &hit));
    CHECK(hit.kind == SN_HIT_SURFACE && hit.element == 0);
    CHECK_NEAR(hit.distance, 2, close);
    CHECK_OK(sn_query_closest(query, (sn_vec3){R(0.75), 1, R(0.25)}, SN_AUTO, NULL, &hit));
    CHECK(hit.kind == SN_HIT_SURFACE && hit.distance == 0);
    CHECK_NEAR(fabs((double)hit.normal.y), 1, close);
    sn_query_destroy(query);
    sn_world_destroy(world);
}

TEST(thickness) {
    sn_node node[6];
    sn_collision_surface surface;
    sn_world *world = new_world(0.25, node, &surface);
    sn_query *query = NULL;
    REQUIRE_OK(sn_query_create(world, &query));
    sn_hit hit = ask(query, 0.75, 0.25, 0);
    CHECK(hit.kind == SN_HIT_SURFACE && hit.element == 0);
    CHECK_NEAR(hit.distance, 3.75, close);
    CHECK_NEAR(hit.point.y, 1.25, close);
    CHECK_NEAR(hit.weight[2], 0.5, close);
    /* A moving ball beside the edge, and beside the segment, which is number 0: the first one given
       is an edge of a triangle. */
    hit = ask(query, 1.3, 0.5, 0.25);
    CHECK(hit.kind == SN_HIT_SURFACE && hit.element == 0);
    CHECK_NEAR(hit.distance, 4 - 0.4, close);
    hit = ask(query, 3.3, 0.5, 0.25);
    CHECK(hit.kind == SN_HIT_SURFACE && hit.node_count == 2 && hit.element == 0);
    CHECK_NEAR(hit.distance, 4 - 0.4, close);
    CHECK_NEAR(hit.weight[1], 0.25, close);
    CHECK_NEAR(hit.velocity.y, 4.25, close);
    CHECK_NEAR(hit.normal.x, 0.6, close);
    CHECK_NEAR(hit.normal.y, 0.8, close);
    CHECK(memcmp(&hit.node[1], &node[5], sizeof node[5]) == 0);
    CHECK(ask(query, 3.51, 0.5, 0.25).kind == SN_HIT_NONE);
    /* Where it begins inside. */
    sn_cast_def cast = sn_cast_def_default();
    cast.origin = (sn_vec3){R(0.5), R(1.125), R(0.25)};
    CHECK_OK(sn_query_cast(query, &cast, NULL, &hit));
    CHECK(hit.kind == SN_HIT_SURFACE && hit.distance == 0);
    /* Regions. */
    size_t count = 0;
    sn_filter_def filter = sn_filter_def_default();
    filter.kinds = SN_HIT_SURFACE;
    sn_vec3 low = {R(0.9), R(1.2), R(0.4)}, high = {R(3.1), 2, R(0.6)};
    CHECK_OK(sn_query_overlap_box(query, low, high, &filter, NULL, 0, &count));
    CHECK(count == 2);
    low.y = R(1.26);
    CHECK_OK(sn_query_overlap_box(query, low, high, &filter, NULL, 0, &count));
    CHECK(count == 0);
    CHECK_OK(sn_query_overlap_sphere(query, (sn_vec3){2, 1, 0}, R(0.76), &filter, NULL, 0, &count));
    CHECK(count == 2);
    CHECK_OK(sn_query_overlap_sphere(query, (sn_vec3){2, 1, 0}, R(0.74), &filter, NULL, 0, &count));
    CHECK(count == 0);
    filter.groups = 2;
    CHECK_OK(sn_query_overlap_sphere(query, (sn_vec3){2, 1, 0}, R(0.76), &filter, NULL, 0, &count));
    CHECK(count == 0);
    sn_query_destroy(query);
    sn_world_destroy(world);
}

/* A segment that is thicker at one end: as close to the line as the radius there. */
TEST(thickness_that_changes) {
    sn_node node[6];
    sn_collision_surface surface;
    sn_world *world = new_world(0, node, &surface);
    CHECK_OK(sn_node_set_radius(world, node[4], R(0.1)));
    CHECK_OK(sn_node_set_radius(world, node[5], R(0.5)));
    sn_query *query = NULL;
    REQUIRE_OK(sn_query_create(world, &query));
    sn_hit hit = ask(query, 3, 0.5, 0);
    CHECK_NEAR(hit.distance, 4 - 0.2, 1e-5);
    hit = ask(query, 3, 1.5, 0.25);
    CHECK(hit.kind == SN_HIT_SURFACE && hit.node_count == 2);
    CHECK(hit.distance <= R(4 - 0.4 - 0.25 + 1e-5) && hit.distance > R(4 - 0.5 - 0.25 - 1e-5));
    CHECK(ask(query, 3.22, 0.5, 0).kind == SN_HIT_NONE);
    CHECK(ask(query, 3.22, 0.7, 0).kind == SN_HIT_SURFACE);
    sn_query_destroy(query);
    sn_world_destroy(world);
}

TEST(a_picture_follows_surfaces) {
    sn_node node[6];
    sn_collision_surface surface;
    sn_world *world = new_world(0, node, &surface);
    sn_query *query = NULL;
    REQUIRE_OK(sn_query_create(world, &query));
    for (int i = 0; i < 4; i++) {
        sn_node_def def;
        CHECK_OK(sn_node_get(world, node[i], &def));
        def.position.y = 2;
        CHECK_OK(sn_node_set_position(world, node[i], def.position));
    }
    CHECK_OK(sn_query_refresh(query, world));
    CHECK_NEAR(ask(query, 0.75, 0.25, 0).distance, 3, close);
    /* A node goes, and the triangle with it: the other one has its number then. */
    CHECK_OK(sn_node_destroy(world, node[1]));
    CHECK_OK(sn_query_refresh(query, world));
    CHECK(ask(query, 0.75, 0.25, 0).kind == SN_HIT_NONE);
    sn_hit hit = ask(query, 0.25, 0.75, 0);
    CHECK(hit.kind == SN_HIT_SURFACE && hit.element == 0 && hit.node[1].slot == node[3].slot);
    CHECK_OK(sn_collision_surface_destroy(world, surface));
    CHECK_OK(sn_query_refresh(query, world));
    CHECK(ask(query, 0.25, 0.75, 0).kind == SN_HIT_NONE);
    sn_query_destroy(query);
    sn_world_destroy(world);
}

/* ---- A random surface ---- */

enum { SIDE = 24, NODES = SIDE * SIDE, TRIANGLES = 2 * (SIDE - 1) * (SIDE - 1) };

typedef struct vec {
    double x, y, z;
} vec;

static vec sub(vec a, vec b) {
    return (vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

static double dot(vec a, vec b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static vec cross(vec a, vec b) {
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double chance(void) {
    return (double)rand() / RAND_MAX;
}

/* By the plane and the three edges; infinite where the ray passes. `edge` is how close it is to
   one, as a part of the triangle. */
static double meet(const vec c[3], vec from, vec way, double *edge) {
    vec n = cross(sub(c[1], c[0]), sub(c[2], c[0]));
    double s = dot(sub(c[0], from), n) / dot(way, n);
    vec at = {from.x + s * way.x, from.y + s * way.y, from.z + s * way.z};
    *edge = INFINITY;
    for (int k = 0; k < 3; k++) {
        double side = dot(cross(sub(c[(k + 1) % 3], c[k]), sub(at, c[k])), n) / dot(n, n);
        if (side < *edge) *edge = side;
    }
    return *edge >= 0 && s >= 0 ? s : INFINITY;
}

TEST(a_random_surface_is_met_as_by_going_through_all_triangles) {
    static sn_node_def defs[NODES];
    static sn_node nodes[NODES];
    static uint32_t triangles[TRIANGLES][3];
    sn_world *world = NULL;
    sn_query *query = NULL;
    sn_collision_surface surface;
    srand(3);
    REQUIRE_OK(sn_world_create(NULL, &world));
    for (int i = 0; i < NODES; i++) {
        defs[i] = sn_node_def_default();
        defs[i].position =
            (sn_vec3){R(i % SIDE + 0.4 * chance()), R(3 * chance()), R(i / SIDE + 0.4 * chance())};
    }
    REQUIRE_OK(sn_nodes_create(world, defs, NODES, nodes));
    for (uint32_t i = 0, count = 0; i < NODES - SIDE; i++) {
        if (i % SIDE + 1 == SIDE) continue;
        const uint32_t two[2][3] = {{i, i + SIDE, i + 1}, {i + 1, i + SIDE, i + SIDE + 1}};
        memcpy(triangles[count], two, sizeof two);
        count += 2;
    }
    sn_collision_surface_def def = sn_collision_surface_def_default();
    def.nodes = nodes;
    def.node_count = NODES;
    def.triangles = triangles[0];
    def.triangle_count = TRIANGLES;
    REQUIRE_OK(sn_collision_surface_create(world, &def, &surface));
    REQUIRE_OK(sn_query_create(world, &query));
    sn_filter_def filter = sn_filter_def_default();
    filter.kinds = SN_HIT_SURFACE;
    size_t hits = 0;
    for (int i = 0; i < 4000; i++) {
        sn_cast_def cast = sn_cast_def_default();
        cast.origin = (sn_vec3){R(SIDE * chance()), R(8 * chance() - 2), R(SIDE * chance())};
        cast.direction = (sn_vec3){R(chance() - 0.5), R(chance() - 0.5), R(chance() - 0.5)};
        vec from = {(double)cast.origin.x, (double)cast.origin.y, (double)cast.origin.z};
        vec way = {(double)cast.direction.x, (double)cast.direction.y, (double)cast.direction.z};
        double one = sqrt(dot(way, way)), first = INFINITY;
        way = (vec){way.x / one, way.y / one, way.z / one};
        int which = -1;
        bool doubtful = false;
        for (int k = 0; k < TRIANGLES; k++) {
            vec c[3];
            double edge;
            for (int j = 0; j < 3; j++) {
                sn_vec3 p = defs[triangles[k][j]].position;
                c[j] = (vec){(double)p.x, (double)p.y, (double)p.z};
            }
            double s = meet(c, from, way, &edge);
            doubtful = doubtful || fabs(edge) < 1e-9;
            if (s < first) {
                first = s;
                which = k;
            }
        }
        sn_hit hit;
        CHECK_OK(sn_query_cast(query, &cast, &filter, &hit));
        if (doubtful) continue;
        if (!CHECK((hit.kind == SN_HIT_SURFACE) == (which >= 0)) || which < 0) continue;
        CHECK((int)hit.element == which);
        CHECK_NEAR(hit.distance, first, close * (1 + first));
        CHECK_NEAR((double)hit.weight[0] + (double)hit.weight[1] + (double)hit.weight[2], 1, close);
        CHECK(hit.normal.x * cast.direction.x + hit.normal.y * cast.direction.y +
                  hit.normal.z * cast.direction.z <=
              0);
        hits++;
    }
    CHECK(hits > 1000);
    sn_query_destroy(query);
    sn_world_destroy(world);
}

TESTS(RUN(a_triangle_without_thickness), RUN(thickness), RUN(thickness_that_changes),
      RUN(a_picture_follows_surfaces),
      RUN(a_random_surface_is_met_as_by_going_through_all_triangles))
