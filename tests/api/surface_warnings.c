/* What the log says of collision surfaces that will not do what was asked of them. */
#include "check.h"

#include <sinew/sinew.h>

#include <stdio.h>
#include <string.h>

typedef struct ear {
    char last[512];
    int count;
} ear;

static void listen(void *user, sn_log_level level, const char *sentence) {
    ear *e = user;
    if (level != SN_LOG_WARNING) return;
    snprintf(e->last, sizeof e->last, "%s", sentence);
    e->count++;
}

static sn_world *make_world(ear *e) {
    sn_world_def def = sn_world_def_default();
    sn_world *world;
    *e = (ear){.count = 0};
    def.log = listen;
    def.log_user = e;
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

/* Whether exactly one more thing was said, with this in it. */
static void check_said(ear *e, const char *part) {
    check_case("%s: \"%s\"", part, e->last);
    CHECK(e->count == 1 && strstr(e->last, part) != NULL);
    *e = (ear){.count = 0};
}

static void check_silence(ear *e) {
    check_case("\"%s\"", e->last);
    CHECK(e->count == 0);
    *e = (ear){.count = 0};
}

/* A triangle whose edges are 1 m, with nodes of a radius. */
static sn_collision_surface make_triangle(sn_world *world, sn_real height, sn_real radius,
                                          sn_collision_surface_def def) {
    static const sn_vec3 corner[3] = {{0, 0, 0}, {1, 0, 0}, {(sn_real)0.5, 0, (sn_real)0.866}};
    static const uint32_t triangle[3] = {0, 1, 2};
    sn_node nodes[3];
    sn_collision_surface surface;
    for (int i = 0; i < 3; i++) {
        sn_node_def node = sn_node_def_default();
        node.position = corner[i];
        node.position.y = height;
        node.radius = radius;
        REQUIRE_OK(sn_node_create(world, &node, &nodes[i]));
    }
    def.nodes = nodes;
    def.node_count = 3;
    def.triangles = triangle;
    def.triangle_count = 1;
    REQUIRE_OK(sn_collision_surface_create(world, &def, &surface));
    return surface;
}

/* ---- Points ---- */

TEST(switches_of_points_that_do_nothing_are_told) {
    ear e;
    sn_world *world = make_world(&e);
    sn_collision_surface_def def = sn_collision_surface_def_default();
    def.detail = SN_DETAIL_POINTS;
    sn_collision_surface plain = make_triangle(world, 0, (sn_real)0.2, def);
    check_silence(&e);
    def.penetration_free = true;
    make_triangle(world, 1, (sn_real)0.2, def);
    check_said(&e, "collision surface: it is penetration_free, but collides as points");
    REQUIRE_OK(sn_collision_surface_set(world, plain, &def));
    check_said(&e, "collision surface: it is penetration_free, but collides as points");
    /* What was said is not said again. */
    def.untangle = true;
    REQUIRE_OK(sn_collision_surface_set(world, plain, &def));
    check_said(&e, "collision surface: untangle means nothing");
    def.triangle_contact = true;
    REQUIRE_OK(sn_collision_surface_set(world, plain, &def));
    check_said(&e, "collision surface: triangle_contact means nothing");
    def.detail = SN_DETAIL_SURFACE;
    REQUIRE_OK(sn_collision_surface_set(world, plain, &def));
    check_silence(&e);
    sn_world_destroy(world);
}

/* ---- Thickness ---- */

TEST(surfaces_without_a_radius_that_would_meet_are_told) {
    ear e;
    sn_world *world = make_world(&e);
    sn_collision_surface_def def = sn_collision_surface_def_default();
    /* Alone, and beside one with a radius, it does what it should. */
    sn_collision_surface first = make_triangle(world, 0, 0, def);
    sn_collision_surface thick = make_triangle(world, 1, (sn_real)0.2, def);
    check_silence(&e);
    make_triangle(world, 2, 0, def);
    check_said(&e, "collision surface: the radii of its nodes are 0, so it passes through another "
                   "collision surface");
    CHECK_OK(sn_collision_surface_destroy(world, first));
    CHECK_OK(sn_collision_surface_destroy(world, thick));
    def.mask = 2;
    make_triangle(world, 3, 0, def);
    def.self = true;
    make_triangle(world, 4, 0, def);
    check_silence(&e);
    def.mask = UINT32_MAX;
    make_triangle(world, 5, 0, def);
    check_said(&e, "collision surface: the radii of its nodes are 0, so it passes through itself");
    sn_world_destroy(world);
}

TEST(surfaces_that_are_thin_for_their_edges_are_told) {
    ear e;
    sn_world *world = make_world(&e);
    sn_collision_surface_def def = sn_collision_surface_def_default();
    make_triangle(world, 0, (sn_real)0.01, def);
    check_silence(&e);
    make_triangle(world, 1, (sn_real)0.03, def);
    check_silence(&e);
    make_triangle(world, 2, (sn_real)0.01, def);
    check_said(
        &e,
        "collision surface: it is 0.02 m thick and its edges are 1 m long, so it may pass through "
        "another collision surface that is as thin; a thickness (twice the radius) of 0.3 m holds");
    def.self = true;
    make_triangle(world, 3, (sn_real)0.01, def);
    check_said(&e, "so it may pass through itself");
    def.penetration_free = true;
    sn_world_destroy(world);
    /* What is penetration-free needs no thickness. */
    world = make_world(&e);
    make_triangle(world, 0, (sn_real)0.01, def);
    make_triangle(world, 1, (sn_real)0.01, def);
    check_silence(&e);
    sn_world_destroy(world);
}

TESTS(RUN(switches_of_points_that_do_nothing_are_told),
      RUN(surfaces_without_a_radius_that_would_meet_are_told),
      RUN(surfaces_that_are_thin_for_their_edges_are_told))
