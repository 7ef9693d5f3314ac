/*
 * Queries with answers that can be written down: every shape, the edges of every definition, order,
 * filters, and what a picture is.
 */
#include <math.h>
#include <sinew/sinew.h>
#include <string.h>

#include "check.h"
#include "hits.h"

#define R(number) ((sn_real)(number))

/* Of positions near the origin; distances are computed in double and rounded once. */
static const double close = sizeof(sn_real) == 4 ? 2e-6 : 1e-12;

static sn_world *new_world(void) {
    sn_world *world = NULL;
    REQUIRE_OK(sn_world_create(NULL, &world));
    return world;
}

static sn_query *picture(const sn_world *world) {
    sn_query *query = NULL;
    REQUIRE_OK(sn_query_create(world, &query));
    return query;
}

static sn_node add_node(sn_world *world, double x, double y, double z, double radius) {
    sn_node_def def = sn_node_def_default();
    sn_node node = {0};
    def.position = (sn_vec3){R(x), R(y), R(z)};
    def.radius = R(radius);
    REQUIRE_OK(sn_node_create(world, &def, &node));
    return node;
}

static sn_collider add_shape(sn_world *world, sn_shape shape, double x, double y, double z) {
    sn_collider_def def = sn_collider_def_default();
    sn_collider collider = {0};
    def.shape = shape;
    def.position = (sn_vec3){R(x), R(y), R(z)};
    REQUIRE_OK(sn_collider_create(world, &def, &collider));
    return collider;
}

static sn_cast_def cast_of(double x, double y, double z, double dx, double dy, double dz) {
    sn_cast_def cast = sn_cast_def_default();
    cast.origin = (sn_vec3){R(x), R(y), R(z)};
    cast.direction = (sn_vec3){R(dx), R(dy), R(dz)};
    return cast;
}

static sn_hit ask(const sn_query *query, sn_cast_def cast) {
    sn_hit hit;
    memset(&hit, 0xee, sizeof hit);
    CHECK_OK(sn_query_cast(query, &cast, NULL, &hit));
    return hit;
}

static bool is_vec3(sn_vec3 a, double x, double y, double z) {
    return check_near((double)a.x, x, close, "x", __FILE__, __LINE__) &&
           check_near((double)a.y, y, close, "y", __FILE__, __LINE__) &&
           check_near((double)a.z, z, close, "z", __FILE__, __LINE__);
}

/* ---- Shapes ---- */

/* Down on a shape of the default size at the origin, beside its middle. */
static sn_hit drop_on(sn_shape shape, double x, double radius, double ball) {
    sn_world *world = new_world();
    sn_collider_def def = sn_collider_def_default();
    sn_collider collider;
    def.shape = shape;
    if (radius > 0) def.radius = R(radius);
    REQUIRE_OK(sn_collider_create(world, &def, &collider));
    sn_query *query = picture(world);
    sn_cast_def cast = cast_of(x, 4, 0, 0, -2, 0);
    cast.radius = R(ball);
    sn_hit hit = ask(query, cast);
    CHECK(hit.kind != SN_HIT_COLLIDER || memcmp(&hit.collider, &collider, sizeof collider) == 0);
    CHECK(hit.node_count == 0 && hit.fraction == 0);
    sn_query_destroy(query);
    sn_world_destroy(world);
    return hit;
}

TEST(a_ray_meets_every_shape_where_it_should) {
    static const struct {
        sn_shape shape;
        double x, radius, ball, height, nx, ny; /* m, of the centre of the ball; its normal */
    } cases[] = {
        {SN_SHAPE_PLANE, 3, 0, 0, 0, 0, 1},
        {SN_SHAPE_PLANE, 3, 0, 0.25, 0.25, 0, 1},
        {SN_SHAPE_SPHERE, 0, 0.5, 0, 0.5, 0, 1},
        {SN_SHAPE_SPHERE, 0.3, 0.5, 0, 0.4, 0.6, 0.8},
        {SN_SHAPE_SPHERE, 0.6, 0.5, 0.5, 0.8, 0.6, 0.8},
        {SN_SHAPE_CAPSULE, 0.3, 0.5, 0, 0.9, 0.6, 0.8},
        {SN_SHAPE_CAPSULE, 0.6, 0.5, 0.5, 1.3, 0.6, 0.8},
        {SN_SHAPE_BOX, 0.3, 0, 0, 0.5, 0, 1},
        {SN_SHAPE_BOX, 0.8, 0, 0.5, 0.9, 0.6, 0.8},
        {SN_SHAPE_BOX, 0.8, 0.5, 0, 0.9, 0.6, 0.8},
        {SN_SHAPE_BOX, 1.1, 0.5, 0.5, 1.3, 0.6, 0.8},
        {SN_SHAPE_CYLINDER, 0.3, 0.5, 0, 0.5, 0, 1},
        {SN_SHAPE_CYLINDER, 0.8, 0.5, 0.5, 0.9, 0.6, 0.8},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_case("case %zu", i);
        sn_hit hit = drop_on(cases[i].shape, cases[i].x, cases[i].radius, cases[i].ball);
        if (!CHECK(hit.kind == SN_HIT_COLLIDER)) continue;
        CHECK_NEAR(hit.distance, 4 - cases[i].height, close);
        is_vec3(hit.normal, cases[i].nx, cases[i].ny, 0);
        is_vec3(hit.point, cases[i].x - cases[i].ball * cases[i].nx,
                cases[i].height - cases[i].ball * cases[i].ny, 0);
    }
    /* Beside them. */
    CHECK(drop_on(SN_SHAPE_SPHERE, 0.51, 0.5, 0).kind == SN_HIT_NONE);
    CHECK(drop_on(SN_SHAPE_CAPSULE, 0.51, 0.5, 0).kind == SN_HIT_NONE);
    CHECK(drop_on(SN_SHAPE_BOX, 0.51, 0, 0).kind == SN_HIT_NONE);
    CHECK(drop_on(SN_SHAPE_CYLINDER, 0.51, 0.5, 0).kind == SN_HIT_NONE);
    CHECK(drop_on(SN_SHAPE_BOX, 1.02, 0, 0.5).kind == SN_HIT_NONE);
}

TEST(a_turned_and_moving_shape) {
    sn_world *world = new_world();
    sn_collider_def def = sn_collider_def_default();
    sn_collider collider;
    def.shape = SN_SHAPE_BOX;
    def.position = (sn_vec3){2, 0, 0};
    /* By 45 degrees about z: an edge is on top. */
    def.orientation = (sn_quat){0, 0, R(0.3826834323650898), R(0.9238795325112867)};
    def.velocity = (sn_vec3){1, 0, 0};
    def.angular_velocity = (sn_vec3){0, 0, 3};
    REQUIRE_OK(sn_collider_create(world, &def, &collider));
    sn_query *query = picture(world);
    sn_hit hit = ask(query, cast_of(2.25, 5, 0, 0, -1, 0));
    double top = sqrt(0.5) - 0.25;
    if (CHECK(hit.kind == SN_HIT_COLLIDER)) {
        CHECK_NEAR(hit.distance, 5 - top, close);
        is_vec3(hit.normal, sqrt(0.5), sqrt(0.5), 0);
        is_vec3(hit.velocity, 1 - 3 * top, 3 * 0.25, 0);
    }
    sn_query_destroy(query);
    sn_world_destroy(world);
}

TEST(the_ball_of_a_node) {
    sn_world *world = new_world();
    sn_node_def def = sn_node_def_default();
    sn_node node;
    def.position = (sn_vec3){0, 1, 0};
    def.radius = R(0.5);
    def.velocity = (sn_vec3){1, 2, 3};
    def.oriented = true;
    def.angular_velocity = (sn_vec3){0, 0, 2};
    REQUIRE_OK(sn_node_create(world, &def, &node));
    sn_query *query = picture(world);
    sn_cast_def cast = cast_of(-3, 1, 0, 8, 0, 0);
    cast.length = 5;
    sn_hit hit = ask(query, cast);
    CHECK(hit.kind == SN_HIT_NODE && hit.node_count == 1 && hit.weight[0] == 1);
    CHECK(memcmp(&hit.node[0], &node, sizeof node) == 0 && hit.collider.slot == 0);
    CHECK_NEAR(hit.distance, 2.5, close);
    CHECK_NEAR(hit.fraction, 0.5, close);
    is_vec3(hit.point, -0.5, 1, 0);
    is_vec3(hit.normal, -1, 0, 0);
    /* It turns about z: its left side goes down. */
    is_vec3(hit.velocity, 1, 2 - 2 * 0.5, 3);
    sn_query_destroy(query);
    sn_world_destroy(world);
}

/* ---- Edges ---- */

TEST(a_cast_that_begins_inside_meets_at_once) {
    static const sn_shape shapes[] = {SN_SHAPE_PLANE, SN_SHAPE_SPHERE, SN_SHAPE_CAPSULE,
                                      SN_SHAPE_BOX, SN_SHAPE_CYLINDER};
    for (int i = 0; i < 6; i++) {
        check_case("object %d", i);
        sn_world *world = new_world();
        if (i < 5)
            add_shape(world, shapes[i], 0, 0, 0);
        else
            add_node(world, 0, 0, 0, 0.5);
        sn_query *query = picture(world);
        sn_cast_def cast = cast_of(0.125, -0.25, 0, 0, 1, 0);
        sn_hit hit = ask(query, cast);
        CHECK(hit.kind != SN_HIT_NONE && hit.distance == 0 && hit.fraction == 0);
        is_vec3(hit.point, 0.125, -0.25, 0);
        CHECK_NEAR(hit.normal.x * hit.normal.x + hit.normal.y * hit.normal.y +
                       hit.normal.z * hit.normal.z,
                   1, close);
        cast.length = 0;
        CHECK(ask(query, cast).kind != SN_HIT_NONE);
        /* Left out where that is asked for; what it does not begin in is not. */
        sn_filter_def filter = sn_filter_def_default();
        filter.skip_inside = true;
        CHECK_OK(sn_query_cast(query, &cast, &filter, &hit));
        CHECK(hit.kind == SN_HIT_NONE);
        cast = cast_of(0.125, 4, 0, 0, -1, 0);
        CHECK_OK(sn_query_cast(query, &cast, &filter, &hit));
        CHECK(hit.kind != SN_HIT_NONE && hit.distance > 3);
        /* The length ends it, to the point. */
        cast.length = hit.distance + R(1e-4);
        CHECK(ask(query, cast).kind != SN_HIT_NONE);
        cast.length = hit.distance - R(1e-4);
        CHECK(ask(query, cast).kind == SN_HIT_NONE);
        cast.length = 0;
        CHECK(ask(query, cast).kind == SN_HIT_NONE);
        sn_query_destroy(query);
        sn_world_destroy(world);
    }
}

TEST(in_the_middle_there_is_still_a_normal) {
    sn_world *world = new_world();
    add_node(world, 1, 1, 1, 0.5);
    add_node(world, 5, 5, 5, 0);
    sn_query *query = picture(world);
    sn_hit hit = ask(query, cast_of(1, 1, 1, 1, 0, 0));
    CHECK(hit.kind == SN_HIT_NODE && hit.distance == 0);
    is_vec3(hit.normal, 0, 1, 0);
    CHECK_OK(sn_query_closest(query, (sn_vec3){1, 1, 1}, SN_AUTO, NULL, &hit));
    CHECK(hit.kind == SN_HIT_NODE && hit.distance == R(-0.5));
    is_vec3(hit.point, 1, 1.5, 1);
    /* A node without radius is a point. */
    hit = ask(query, cast_of(5, 9, 5, 0, -1, 0));
    CHECK(hit.kind == SN_HIT_NODE && hit.distance == 4);
    CHECK(ask(query, cast_of(5.001, 9, 5, 0, -1, 0)).kind == SN_HIT_NONE);
    sn_query_destroy(query);
    sn_world_destroy(world);
}

TEST(tangents_and_parallels) {
    sn_world *world = new_world();
    add_node(world, 0, 0, 0, 0.5);
    add_shape(world, SN_SHAPE_BOX, 0, 0, 10);
    add_shape(world, SN_SHAPE_PLANE, 0, -2, 0);
    sn_query *query = picture(world);
    /* Touching counts. */
    sn_hit hit = ask(query, cast_of(-2, 0.5, 0, 1, 0, 0));
    CHECK(hit.kind == SN_HIT_NODE);
    CHECK_NEAR(hit.distance, 2, close);
    CHECK(ask(query, cast_of(-2, 0.50001, 0, 1, 0, 0)).kind == SN_HIT_NONE);
    CHECK(ask(query, cast_of(-2, 0.50001, 10, 1, 0, 0)).kind == SN_HIT_NONE);
    hit = ask(query, cast_of(-2, 0.49999, 10, 1, 0, 0));
    CHECK(hit.kind == SN_HIT_COLLIDER);
    CHECK_NEAR(hit.distance, 1.5, close);
    /* Along the plane, above it, and away from it. */
    CHECK(ask(query, cast_of(20, -1, 0, 1, 0, 0)).kind == SN_HIT_NONE);
    CHECK(ask(query, cast_of(20, -1, 0, 1, 1, 0)).kind == SN_HIT_NONE);
    CHECK(ask(query, cast_of(20, -2, 0, 1, 0, 0)).distance == 0);
    hit = ask(query, cast_of(20, -1, 0, 1000, -1, 0));
    CHECK_REL(hit.distance, sqrt(1e6 + 1), 1e-6);
    sn_query_destroy(query);
    sn_world_destroy(world);
}

TEST(an_infinite_plane_and_a_ray_along_it) {
    sn_world *world = new_world();
    sn_collider_def def = sn_collider_def_default();
    sn_collider collider;
    /* Turned about z and x, so that nothing of it is a round number. */
    def.orientation = (sn_quat){R(0.1), R(0.2), R(0.3), R(0.9)};
    REQUIRE_OK(sn_collider_create(world, &def, &collider));
    REQUIRE_OK(sn_collider_get(world, collider, &def));
    sn_query *query = picture(world);
    sn_hit hit;
    CHECK_OK(sn_query_closest(query, (sn_vec3){3, 40, 5}, SN_AUTO, NULL, &hit));
    CHECK(hit.kind == SN_HIT_COLLIDER && hit.distance > 0);
    sn_vec3 n = hit.normal;
    hit = ask(query, cast_of(3, 40, 5, (double)-n.x, (double)-n.y, (double)-n.z));
    CHECK(hit.kind == SN_HIT_COLLIDER);
    sn_hit again;
    CHECK_OK(sn_query_closest(query, hit.point, SN_AUTO, NULL, &again));
    CHECK_NEAR(again.distance, 0, 40 * close);
    sn_query_destroy(query);
    sn_world_destroy(world);
}

TEST(far_from_the_origin) {
    sn_world *world = new_world();
    add_node(world, 1e6, 1e6, -1e6, 0.5);
    add_shape(world, SN_SHAPE_SPHERE, 1e6, -1e6, 0);
    add_shape(world, SN_SHAPE_BOX, -1e6, 1e6, 0);
    sn_query *query = picture(world);
    sn_cast_def cast = cast_of(1e6, 1e6 + 8, -1e6, 0, -1, 0);
    CHECK(ask(query, cast).distance == R(7.5));
    cast = cast_of(1e6, -1e6 + 8, 0, 0, -1, 0);
    CHECK(ask(query, cast).distance == R(7.5));
    cast = cast_of(-1e6, 1e6 + 8, 0, 0, -1, 0);
    CHECK_NEAR(ask(query, cast).distance, 7.5, close);
    /* From far away, on a line through three million metres. */
    cast = cast_of(-2e6, 1e6, 0, 1, 0, 0);
    CHECK_REL(ask(query, cast).distance, 1e6 - 0.5, 1e-7);
    /* The ends of what float has. */
    cast = cast_of(0, 3e38, 0, 0, -1, 0);
    CHECK(ask(query, cast).kind == SN_HIT_NONE);
    cast = cast_of(0, 0, 0, 1e-38, 0, 1e-38);
    CHECK(ask(query, cast).kind == SN_HIT_NONE);
    cast = cast_of(1e6, 3e38, 0, 0, -1, 0);
    CHECK(ask(query, cast).kind == SN_HIT_COLLIDER);
    sn_hit hit;
    for (double far = 1e10; far < 1e38; far *= 1e3) {
        check_case("from %g m", far);
        CHECK_OK(sn_query_closest(query, (sn_vec3){R(far), 0, 0}, SN_AUTO, NULL, &hit));
        CHECK(hit.kind != SN_HIT_NONE);
        CHECK_REL(hit.distance, far, 1e-3);
        cast = cast_of(far, -1e6, 0, -1, 0, 0);
        CHECK(ask(query, cast).kind == SN_HIT_COLLIDER);
    }
    /* An object at the end of all numbers does not hide the others. */
    add_node(world, 1e38, 1e38, 1e38, 1e37);
    CHECK_OK(sn_query_refresh(query, world));
    CHECK(ask(query, cast_of(1e6, 1e6 + 8, -1e6, 0, -1, 0)).distance == R(7.5));
    CHECK(ask(query, cast_of(0, 1e38, 1e38, 1, 0, 0)).kind == SN_HIT_NODE);
    sn_query_destroy(query);
    sn_world_destroy(world);
}

TEST(what_makes_no_sense_is_refused) {
    sn_world *world = new_world();
    sn_query *query = picture(world);
    sn_hit hit = {.kind = SN_HIT_NODE};
    size_t count = 77;
    sn_cast_def cast = cast_of(0, 0, 0, 0, 0, 0);
    CHECK_FAILS(sn_query_cast(query, &cast, NULL, &hit), SN_ERROR_VALUE);
    CHECK(strstr(sn_last_error(), "direction is 0 0 0") != NULL);
    CHECK_FAILS(sn_query_cast_all(query, &cast, NULL, &hit, 1, &count), SN_ERROR_VALUE);
    cast.direction.x = R(NAN);
    CHECK_FAILS(sn_query_cast(query, &cast, NULL, &hit), SN_ERROR_VALUE);
    cast = cast_of(0, 0, 0, 1, 0, 0);
    cast.origin.y = R(INFINITY);
    CHECK_FAILS(sn_query_cast(query, &cast, NULL, &hit), SN_ERROR_VALUE);
    cast = cast_of(0, 0, 0, 1, 0, 0);
    cast.length = R(INFINITY);
    CHECK_FAILS(sn_query_cast(query, &cast, NULL, &hit), SN_ERROR_VALUE);
    cast.length = -1;
    CHECK_FAILS(sn_query_cast(query, &cast, NULL, &hit), SN_ERROR_VALUE);
    cast.length = 1;
    cast.radius = SN_AUTO;
    CHECK_FAILS(sn_query_cast(query, &cast, NULL, &hit), SN_ERROR_VALUE);
    sn_filter_def filter = sn_filter_def_default();
    filter.kinds = 1024;
    cast.radius = 0;
    CHECK_FAILS(sn_query_cast(query, &cast, &filter, &hit), SN_ERROR_VALUE);
    sn_vec3 low = {0, 0, 0}, high = {1, -1, 1};
    CHECK_FAILS(sn_query_overlap_box(query, low, high, NULL, &hit, 1, &count), SN_ERROR_VALUE);
    CHECK(strstr(sn_last_error(), "high") != NULL);
    CHECK_FAILS(sn_query_overlap_sphere(query, low, 1, NULL, NULL, 1, &count), SN_ERROR_NULL);
    CHECK(hit.kind == SN_HIT_NODE && count == 77);
    /* Only counting needs no room. */
    CHECK_OK(sn_query_overlap_sphere(query, low, 1, NULL, NULL, 0, &count));
    CHECK(count == 0);
    sn_query_destroy(query);
    sn_query_destroy(NULL);
    sn_world_destroy(world);
}

/* ---- Order and filters ---- */

TEST(all_hits_in_order) {
    sn_world *world = new_world();
    sn_node node[6];
    /* Two of them are at the same distance. */
    static const double place[6] = {5, 3, 9, 3, 1, 7};
    for (int i = 0; i < 6; i++) node[i] = add_node(world, place[i], 0, 0, 0.25);
    add_shape(world, SN_SHAPE_SPHERE, 3.25, 0, 0);
    sn_query *query = picture(world);
    static const int order[6] = {4, 1, 3, 0, 5, 2};
    sn_cast_def cast = cast_of(-1, 0, 0, 1, 0, 0);
    sn_hit hit[9];
    size_t count = 0;
    CHECK_OK(sn_query_cast_all(query, &cast, NULL, hit, 9, &count));
    CHECK(count == 7);
    for (int i = 0, k = 0; i < 7; i++) {
        check_case("hit %d", i);
        /* Of equals, nodes come first. */
        if (i == 3)
            CHECK(hit[i].kind == SN_HIT_COLLIDER);
        else
            CHECK(hit[i].kind == SN_HIT_NODE && hit[i].node[0].slot == node[order[k++]].slot);
    }
    /* Less room: the nearest of them, and how many there are. */
    for (size_t room = 0; room < 8; room++) {
        sn_hit some[8];
        check_case("room for %zu", room);
        CHECK_OK(sn_query_cast_all(query, &cast, NULL, some, room, &count));
        CHECK(count == 7);
        size_t kept = room < 7 ? room : 7;
        CHECK(same_hits(some, hit, kept));
    }
    CHECK(ask(query, cast).node[0].slot == node[4].slot);
    sn_query_destroy(query);
    sn_world_destroy(world);
}

static bool is_not(void *user, const sn_hit *hit) {
    const sn_node *node = user;
    return hit->kind != SN_HIT_NODE || hit->node[0].slot != node->slot;
}

TEST(filters) {
    sn_world *world = new_world();
    sn_node a = add_node(world, 1, 0, 0, 0.25), b = add_node(world, 2, 0, 0, 0.25);
    CHECK_OK(sn_node_set_group(world, a, 3));
    CHECK_OK(sn_node_set_group(world, b, 1000));
    sn_collider_def def = sn_collider_def_default();
    sn_collider collider;
    def.shape = SN_SHAPE_SPHERE;
    def.position.x = 4;
    def.mask = 1u << 5;
    REQUIRE_OK(sn_collider_create(world, &def, &collider));
    sn_query *query = picture(world);
    sn_cast_def cast = cast_of(0, 0, 0, 1, 0, 0);
    sn_filter_def filter = sn_filter_def_default();
    sn_hit hit;
#define MEETS(what, id)                                                                            \
    CHECK_OK(sn_query_cast(query, &cast, &filter, &hit));                                          \
    CHECK(hit.kind == (what) && (hit.kind == SN_HIT_NODE ? hit.node[0].slot == (id) : true))
    MEETS(SN_HIT_NODE, a.slot);
    filter.groups = ~(1u << 3);
    MEETS(SN_HIT_NODE, b.slot);
    filter.groups = 1u << 31;
    MEETS(SN_HIT_NODE, b.slot);
    filter.groups = 1u << 5;
    MEETS(SN_HIT_COLLIDER, 0);
    filter.groups = 1u << 6;
    MEETS(SN_HIT_NONE, 0);
    filter = sn_filter_def_default();
    filter.kinds = SN_HIT_COLLIDER;
    MEETS(SN_HIT_COLLIDER, 0);
    filter.kinds = 0;
    MEETS(SN_HIT_NONE, 0);
    filter = sn_filter_def_default();
    filter.accept = is_not;
    filter.user = &a;
    MEETS(SN_HIT_NODE, b.slot);
#undef MEETS
    size_t count = 0;
    CHECK_OK(sn_query_cast_all(query, &cast, &filter, NULL, 0, &count));
    CHECK(count == 2);
    CHECK_OK(sn_query_closest(query, (sn_vec3){1, 0, 0}, 1, &filter, &hit));
    CHECK(hit.kind == SN_HIT_NODE && hit.node[0].slot == b.slot);
    CHECK_NEAR(hit.distance, 0.75, close);
    sn_query_destroy(query);
    sn_world_destroy(world);
}

/* ---- Regions and points ---- */

TEST(what_touches_a_region) {
    sn_world *world = new_world();
    sn_node node = add_node(world, 3, 0, 0, 0.5);
    add_shape(world, SN_SHAPE_BOX, 0, 3, 0);
    add_shape(world, SN_SHAPE_PLANE, 0, -2, 0);
    sn_query *query = picture(world);
    sn_hit hit[4];
    size_t count = 0;
    sn_vec3 o = {0, 0, 0};
    CHECK_OK(sn_query_overlap_sphere(query, o, R(1.99), NULL, hit, 4, &count));
    CHECK(count == 0);
    CHECK_OK(sn_query_overlap_sphere(query, o, 2, NULL, hit, 4, &count));
    CHECK(count == 1 && hit[0].kind == SN_HIT_COLLIDER && hit[0].distance == 2);
    is_vec3(hit[0].point, 0, -2, 0);
    CHECK_OK(sn_query_overlap_sphere(query, o, R(2.5), NULL, hit, 4, &count));
    CHECK(count == 3 && hit[1].kind == SN_HIT_NODE && hit[1].node[0].slot == node.slot);
    is_vec3(hit[1].normal, -1, 0, 0);
    /* Boxes: the corner of one against the ball, the side of one against the others. */
    sn_vec3 low = {-4, -1, -1}, high = {R(2.49), R(2.49), 1};
    CHECK_OK(sn_query_overlap_box(query, low, high, NULL, hit, 4, &count));
    CHECK(count == 0);
    high.x = R(2.5);
    CHECK_OK(sn_query_overlap_box(query, low, high, NULL, hit, 4, &count));
    CHECK(count == 1 && hit[0].kind == SN_HIT_NODE);
    high.y = R(2.5);
    low.y = -3;
    CHECK_OK(sn_query_overlap_box(query, low, high, NULL, hit, 4, &count));
    CHECK(count == 3);
    /* The ball is round: its bounds touch this box, it does not. */
    low = (sn_vec3){R(3.4), R(0.4), 0};
    high = (sn_vec3){4, 1, 1};
    CHECK_OK(sn_query_overlap_box(query, low, high, NULL, hit, 4, &count));
    CHECK(count == 0);
    sn_query_destroy(query);
    sn_world_destroy(world);
}

/* A box that is turned by 45 degrees: only the axes of both tell whether two of them touch. */
TEST(a_region_against_a_turned_box) {
    sn_world *world = new_world();
    sn_collider_def def = sn_collider_def_default();
    sn_collider collider;
    def.shape = SN_SHAPE_BOX;
    def.orientation = (sn_quat){0, 0, R(0.3826834323650898), R(0.9238795325112867)};
    REQUIRE_OK(sn_collider_create(world, &def, &collider));
    sn_query *query = picture(world);
    /* Its side runs along x + y = sqrt(1/2). */
    for (int i = -20; i <= 20; i++) {
        double gap = i * 1e-4, corner = (sqrt(0.5) + gap) / 2;
        if (i == 0) continue;
        check_case("%g m apart", gap);
        sn_vec3 low = {R(corner), R(corner), R(-0.1)}, high = {2, 2, R(0.1)};
        size_t count = 0;
        CHECK_OK(sn_query_overlap_box(query, low, high, NULL, NULL, 0, &count));
        CHECK(count == (i < 0));
    }
    sn_query_destroy(query);
    sn_world_destroy(world);
}

TEST(the_nearest_surface) {
    sn_world *world = new_world();
    sn_node a = add_node(world, 0, 0, 0, 0.5), b = add_node(world, 3, 0, 0, 1);
    sn_query *query = picture(world);
    sn_hit hit;
    CHECK_OK(sn_query_closest(query, (sn_vec3){R(1.2), 0, 0}, SN_AUTO, NULL, &hit));
    CHECK(hit.kind == SN_HIT_NODE && hit.node[0].slot == a.slot);
    CHECK_NEAR(hit.distance, 0.7, close);
    CHECK_OK(sn_query_closest(query, (sn_vec3){R(1.3), 0, 0}, SN_AUTO, NULL, &hit));
    CHECK(hit.node[0].slot == b.slot);
    is_vec3(hit.point, 2, 0, 0);
    CHECK_OK(sn_query_closest(query, (sn_vec3){R(1.3), 0, 0}, R(0.69), NULL, &hit));
    CHECK(hit.kind == SN_HIT_NONE);
    /* Inside of both, the deepest. */
    CHECK_OK(sn_node_set_position(world, a, (sn_vec3){R(2.5), 0, 0}));
    CHECK_OK(sn_query_refresh(query, world));
    CHECK_OK(sn_query_closest(query, (sn_vec3){R(2.5), 0, 0}, 1, NULL, &hit));
    CHECK(hit.distance == R(-0.5) && hit.node[0].slot == a.slot);
    CHECK_OK(sn_query_closest(query, (sn_vec3){R(2.75), 0, 0}, 1, NULL, &hit));
    CHECK(hit.distance == R(-0.75) && hit.node[0].slot == b.slot);
    sn_query_destroy(query);
    sn_world_destroy(world);
}

/* ---- Pictures ---- */

TEST(a_picture_stays_as_it_was) {
    sn_world *world = new_world();
    sn_node node = add_node(world, 0, 0, 0, 0.5);
    sn_query *query = picture(world);
    sn_cast_def cast = cast_of(-4, 0, 0, 1, 0, 0);
    CHECK_OK(sn_node_set_position(world, node, (sn_vec3){1, 0, 0}));
    CHECK(ask(query, cast).distance == R(3.5));
    CHECK_OK(sn_query_refresh(query, world));
    CHECK(ask(query, cast).distance == R(4.5));
    /* Another node in the same slot. */
    CHECK_OK(sn_node_destroy(world, node));
    sn_node later = add_node(world, 2, 0, 0, 0.5);
    CHECK(later.slot == node.slot);
    CHECK(ask(query, cast).node[0].generation == node.generation);
    CHECK_OK(sn_query_refresh(query, world));
    CHECK(ask(query, cast).distance == R(5.5));
    CHECK(ask(query, cast).node[0].generation == later.generation);
    /* A plane, which has no bounds, becomes a ball and back. */
    sn_collider collider = add_shape(world, SN_SHAPE_PLANE, 0, -1, 0);
    CHECK_OK(sn_query_refresh(query, world));
    sn_cast_def down = cast_of(8, 4, 0, 0, -1, 0);
    CHECK(ask(query, down).distance == 5);
    sn_collider_def def;
    CHECK_OK(sn_collider_get(world, collider, &def));
    def.shape = SN_SHAPE_SPHERE;
    CHECK_OK(sn_collider_set(world, collider, &def));
    CHECK_OK(sn_query_refresh(query, world));
    CHECK(ask(query, down).kind == SN_HIT_NONE);
    /* Another world; and one that is gone. */
    sn_world *other = new_world();
    sn_node foreign = add_node(other, -1, 0, 0, 0.5);
    CHECK_OK(sn_query_refresh(query, other));
    sn_hit hit = ask(query, cast);
    CHECK(hit.distance == R(2.5) && memcmp(&hit.node[0], &foreign, sizeof foreign) == 0);
    sn_world_destroy(other);
    CHECK(ask(query, cast).distance == R(2.5));
    CHECK_OK(sn_query_refresh(query, world));
    sn_query_destroy(query);
    sn_world_destroy(world);
}

TEST(an_empty_world_is_met_by_nothing) {
    sn_world *world = new_world();
    sn_query *query = picture(world);
    sn_hit hit;
    size_t count = 5;
    CHECK(ask(query, cast_of(0, 0, 0, 1, 0, 0)).kind == SN_HIT_NONE);
    CHECK_OK(sn_query_closest(query, (sn_vec3){0, 0, 0}, SN_AUTO, NULL, &hit));
    CHECK(hit.kind == SN_HIT_NONE);
    CHECK_OK(sn_query_overlap_sphere(query, (sn_vec3){0, 0, 0}, 9, NULL, &hit, 1, &count));
    CHECK(count == 0);
    sn_query_destroy(query);
    sn_world_destroy(world);
}

/* ---- Inside a step ---- */

typedef struct meddler {
    sn_world *world;
    sn_query *query;
    int calls;
} meddler;

static void meddle(void *user, const sn_force_field_input *input, sn_vec4 *acceleration) {
    meddler *m = user;
    sn_query *another;
    (void)input;
    (void)acceleration;
    CHECK_FAILS(sn_query_create(m->world, &another), SN_ERROR_LOCKED);
    CHECK(another == NULL);
    CHECK_FAILS(sn_query_refresh(m->query, m->world), SN_ERROR_LOCKED);
    CHECK(strstr(sn_last_error(), "inside a step") != NULL);
    /* The world falls, the picture does not. */
    CHECK(ask(m->query, cast_of(0, 3, 0, 0, -1, 0)).distance == R(2.5));
    m->calls++;
}

TEST(asking_is_allowed_inside_a_step_and_refreshing_is_not) {
    meddler m = {.world = new_world()};
    add_node(m.world, 0, 0, 0, 0.5);
    m.query = picture(m.world);
    REQUIRE_OK(sn_world_add_force_field(m.world, meddle, &m));
    CHECK_OK(sn_world_step(m.world, R(0.1)));
    CHECK(m.calls == 20);
    CHECK_OK(sn_query_refresh(m.query, m.world));
    CHECK(ask(m.query, cast_of(0, 3, 0, 0, -1, 0)).distance > R(2.54));
    sn_query_destroy(m.query);
    sn_world_destroy(m.world);
}

TESTS(RUN(a_ray_meets_every_shape_where_it_should), RUN(a_turned_and_moving_shape),
      RUN(the_ball_of_a_node), RUN(a_cast_that_begins_inside_meets_at_once),
      RUN(in_the_middle_there_is_still_a_normal), RUN(tangents_and_parallels),
      RUN(an_infinite_plane_and_a_ray_along_it), RUN(far_from_the_origin),
      RUN(what_makes_no_sense_is_refused), RUN(all_hits_in_order), RUN(filters),
      RUN(what_touches_a_region), RUN(a_region_against_a_turned_box), RUN(the_nearest_surface),
      RUN(a_picture_stays_as_it_was), RUN(an_empty_world_is_met_by_nothing),
      RUN(asking_is_allowed_inside_a_step_and_refreshing_is_not))
