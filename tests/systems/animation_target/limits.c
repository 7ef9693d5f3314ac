/*
 * Animation targets: limits hold to the rounding whatever pulls, targets move evenly, and bad ones
 * are refused by their number.
 */
#include "api/attachment_worlds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { CELLS = 8, SIDE = CELLS + 1, NODES = SIDE * SIDE };
static const sn_real frame = (sn_real)(1.0 / 60);

/* A cloth that follows its own rest shape, with limits that grow from left to right. */
typedef struct cape {
    sn_world *world;
    sn_node nodes[NODES];
    sn_animation_target_vertex vertices[NODES];
    sn_animation_target animation_target;
} cape;

static void make_cape(cape *c, int threads, double compliance) {
    c->world = attachment_world(threads, 10, 9.81);
    attachment_cloth(c->world, CELLS, (sn_vec3){0, 1, 0}, false, c->nodes);
    for (int i = 0; i < NODES; i++)
        c->vertices[i] = (sn_animation_target_vertex){attachment_at(c->world, c->nodes[i]),
                                                      {0, 2, 0},
                                                      (sn_real)(0.05 * (i % SIDE)),
                                                      (sn_real)0.02,
                                                      (sn_real)0.3};
    sn_animation_target_def def = sn_animation_target_def_default();
    def.nodes = c->nodes;
    def.node_count = NODES;
    def.vertices = c->vertices;
    def.compliance = (sn_real)compliance;
    REQUIRE_OK(sn_animation_target_create(c->world, &def, &c->animation_target));
}

/* Swings to and fro about the z axis, as a rigid plate. */
static void swing(const cape *c, int i, sn_vec3 *positions, sn_vec3 *normals) {
    double angle = 0.8 * sin(0.1 * i), s = sin(angle), k = cos(angle);
    for (int n = 0; n < NODES; n++) {
        double x = (double)c->vertices[n].position.x, y = (double)c->vertices[n].position.y - 1;
        positions[n] = (sn_vec3){(sn_real)(k * x - s * y), (sn_real)(1 + s * x + k * y),
                                 c->vertices[n].position.z};
        normals[n] = (sn_vec3){(sn_real)-s, (sn_real)k, 0};
    }
}

/* How far the worst node is beyond its limits, over them. */
static double excess(const cape *c, const sn_vec3 *positions, const sn_vec3 *normals) {
    double worst = 0;
    for (int n = 0; n < NODES; n++) {
        const sn_animation_target_vertex *v = &c->vertices[n];
        sn_vec3 at = attachment_at(c->world, c->nodes[n]), t = positions[n];
        double m = (double)v->max_distance, r = (double)v->back_stop_radius;
        /* Numbers of about 1 m are rounded to 6e-8 m each. */
        worst = fmax(worst, (attachment_distance(at, t) - m - 3e-7) / fmax(m, 0.05));
        if (v->back_stop_distance > v->max_distance) continue;
        double away = (double)v->back_stop_distance + r;
        double n_length = sqrt((double)(normals[n].x * normals[n].x + normals[n].y * normals[n].y +
                                        normals[n].z * normals[n].z));
        double to[3] = {(double)at.x - (double)t.x + away * (double)normals[n].x / n_length,
                        (double)at.y - (double)t.y + away * (double)normals[n].y / n_length,
                        (double)at.z - (double)t.z + away * (double)normals[n].z / n_length};
        double depth = r - sqrt(to[0] * to[0] + to[1] * to[1] + to[2] * to[2]);
        worst = fmax(worst, (depth - 3e-7) / r);
    }
    return worst;
}

TEST(limits_hold_while_targets_swing) {
    for (int soft = 0; soft < 2; soft++) {
        cape c;
        sn_vec3 positions[NODES], normals[NODES];
        double worst = 0, way = 0;
        make_cape(&c, 1, soft ? 10 : (double)SN_AUTO);
        for (int i = 1; i <= 120; i++) {
            swing(&c, i, positions, normals);
            REQUIRE_OK(sn_animation_target_set_targets(c.world, c.animation_target, positions,
                                                       normals, NODES));
            REQUIRE_OK(sn_world_step(c.world, frame));
            worst = fmax(worst, excess(&c, positions, normals));
            way = fmax(way, attachment_distance(attachment_at(c.world, c.nodes[NODES - 1]),
                                                positions[NODES - 1]));
        }
        printf("      beyond the limits by %.2g, up to %.2g m away\n", worst, way);
        CHECK(worst <= 1e-6);
        /* It does hang down and lag behind, so that the limits were there to be felt. */
        CHECK(way > (soft ? 0.02 : 0.3));
        sn_world_destroy(c.world);
    }
}

/* A single node: pushed into the ball behind it from everywhere, also where both balls cut. */
TEST(both_balls_hold_together) {
    for (int i = 0; i < 200; i++) {
        sn_world *world = attachment_world(1, 5, 0);
        double a = 0.1 * i, b = 0.37 * i, m = 0.1 + 0.01 * (i % 20), back = 0.05 * (i % 3);
        sn_node node = attachment_node(world, 0.3 * cos(a), -0.2 + 0.3 * sin(b), 0.3 * sin(a), 1);
        sn_animation_target_vertex v = {
            {0, 0, 0}, {0, 1, 0}, (sn_real)m, (sn_real)back, (sn_real)(0.15 + 0.05 * (i % 7))};
        sn_animation_target_def def = sn_animation_target_def_default();
        sn_animation_target animation_target;
        def.nodes = &node;
        def.node_count = 1;
        def.vertices = &v;
        REQUIRE_OK(sn_animation_target_create(world, &def, &animation_target));
        REQUIRE_OK(sn_world_step(world, frame));
        sn_vec3 at = attachment_at(world, node);
        double r = (double)v.back_stop_radius;
        check_case("case %d", i);
        CHECK(attachment_distance(at, (sn_vec3){0, 0, 0}) <= m * (1 + 1e-6));
        CHECK(attachment_distance(at, (sn_vec3){0, (sn_real) - (back + r), 0}) >= r * (1 - 1e-6));
        sn_world_destroy(world);
    }
}

/* ---- In the middle of a step ---- */

typedef struct vector {
    double x, y, z;
} vector;

/* a + s b */
static vector sum(vector a, double s, vector b) {
    return (vector){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static double dot(vector a, vector b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static vector unit(vector a) {
    return sum((vector){0, 0, 0}, 1 / sqrt(dot(a, a)), a);
}

/* Where a node goes from x: no farther than m from t; then out of the ball about c along its
   radius; and where that is too far from t, to the nearest point of the circle in which the spheres
   meet. */
static vector kept(vector x, vector t, vector n, double m, double back, double r) {
    vector way = sum(x, -1, t), c = sum(t, -(back + r), n);
    if (sqrt(dot(way, way)) > m) x = sum(t, m, unit(way));
    way = sum(x, -1, c);
    if (sqrt(dot(way, way)) >= r) return x;
    x = sum(c, r, unit(way));
    way = sum(x, -1, t);
    if (sqrt(dot(way, way)) <= m) return x;
    double away = back + r, y = (r * r - m * m + away * away) / (2 * away);
    vector across = sum(way, -dot(way, n), n);
    return sum(sum(c, y, n), sqrt(r * r - y * y), unit(across));
}

/* Where the node of slot 0 is when the last substep begins. */
static void watch(void *user, const sn_force_field_input *input, sn_vec4 *force) {
    sn_vec4 x = input->position[0];
    (void)force;
    *(vector *)user = (vector){(double)x.x, (double)x.y, (double)x.z};
}

/* Targets and normals are half way after the first of two substeps, and the node is where both
   balls want it then. */
TEST(targets_and_normals_move_evenly) {
    for (int i = 0; i < 200; i++) {
        sn_world *world = attachment_world(1, 2, 0);
        double a = 0.1 * i, b = 0.37 * i, m = 0.1 + 0.01 * (i % 20), back = 0.05 * (i % 3);
        double r = 0.15 + 0.05 * (i % 7);
        vector x = {0.1 + 0.3 * cos(a), -0.2 + 0.3 * sin(b), 0.3 * sin(a)}, now;
        sn_node node = attachment_node(world, x.x, x.y, x.z, 1);
        sn_animation_target_vertex v = {
            {(sn_real)0.1, 0, (sn_real)0.2}, {0, 1, 0}, (sn_real)m, (sn_real)back, (sn_real)r};
        sn_animation_target_def def = sn_animation_target_def_default();
        sn_animation_target animation_target;
        sn_vec3 to = {(sn_real)0.3, (sn_real)-0.1, (sn_real)0.1}, normal = {2, 1, 1};
        def.nodes = &node;
        def.node_count = 1;
        def.vertices = &v;
        REQUIRE_OK(sn_animation_target_create(world, &def, &animation_target));
        REQUIRE_OK(sn_animation_target_set_targets(world, animation_target, &to, &normal, 1));
        REQUIRE_OK(sn_world_add_force_field(world, watch, &now));
        REQUIRE_OK(sn_world_step(world, frame));
        vector half = unit(sum((vector){0, 0.5, 0}, 0.5, unit((vector){2, 1, 1})));
        vector expected = kept(x, (vector){0.2, -0.05, 0.15}, half, m, back, r);
        check_case("case %d", i);
        CHECK_NEAR(now.x, expected.x, 2e-6);
        CHECK_NEAR(now.y, expected.y, 2e-6);
        CHECK_NEAR(now.z, expected.z, 2e-6);
        sn_world_destroy(world);
    }
}

/* Without room the node is its target, on a straight way over all substeps. */
TEST(no_distance_is_the_target_itself) {
    sn_world *world = attachment_world(1, 10, 9.81);
    sn_node node = attachment_node(world, 0, 0, 0, 1);
    sn_animation_target_vertex v = {{0, 0, 0}, {0, 0, 0}, 0, SN_AUTO, 0};
    sn_animation_target_def def = sn_animation_target_def_default();
    sn_animation_target animation_target;
    def.nodes = &node;
    def.node_count = 1;
    def.vertices = &v;
    REQUIRE_OK(sn_animation_target_create(world, &def, &animation_target));
    for (int i = 1; i <= 10; i++) {
        sn_vec3 to = {(sn_real)(0.02 * i), (sn_real)(0.01 * i * i), 0};
        REQUIRE_OK(sn_animation_target_set_targets(world, animation_target, &to, NULL, 1));
        REQUIRE_OK(sn_world_step(world, frame));
        CHECK(attachment_distance(attachment_at(world, node), to) < 1e-7);
        sn_node_def got = sn_node_def_default();
        REQUIRE_OK(sn_node_get(world, node, &got));
        CHECK_NEAR(got.velocity.x, 0.02 * 60, 1e-3);
        sn_node id;
        REQUIRE_OK(sn_animation_target_get(world, animation_target, 0, &id, &v));
        CHECK(id.slot == node.slot && attachment_distance(v.position, to) == 0);
    }
    sn_world_destroy(world);
}

/* The spring is one of physics: mass and compliance say how far a weight hangs down. */
TEST(the_spring_holds_a_weight) {
    sn_world *world = attachment_world(1, 20, 10);
    sn_settings settings = sn_settings_default();
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.damping = 5;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    sn_node node = attachment_node(world, 0, 0, 0, 2);
    sn_animation_target_vertex v = {{0, 0, 0}, {0, 0, 0}, SN_AUTO, SN_AUTO, 0};
    sn_animation_target_def def = sn_animation_target_def_default();
    sn_animation_target animation_target;
    def.nodes = &node;
    def.node_count = 1;
    def.vertices = &v;
    def.compliance = (sn_real)0.02;
    REQUIRE_OK(sn_animation_target_create(world, &def, &animation_target));
    for (int i = 0; i < 300; i++) REQUIRE_OK(sn_world_step(world, frame));
    CHECK_NEAR(attachment_at(world, node).y, -0.5 * 10 * 0.02, 1e-4);
    sn_world_destroy(world);
}

/* ---- Bits ---- */

/* A ride is recorded as well. */
static void ride(sn_world *world) {
    sn_collider_def def = sn_collider_def_default();
    sn_collider ball;
    def.shape = SN_SHAPE_SPHERE;
    def.radius = (sn_real)0.1;
    def.position = (sn_vec3){0, 5, 0};
    def.angular_velocity = (sn_vec3){1, 2, 3};
    REQUIRE_OK(sn_collider_create(world, &def, &ball));
    REQUIRE_OK(sn_node_ride(world, attachment_node(world, 1, 5, 0, 0), ball));
}

static uint64_t run_cape(int threads, const char *recording) {
    cape c;
    sn_vec3 positions[NODES], normals[NODES];
    make_cape(&c, threads, 1e-2);
    if (recording) REQUIRE_OK(sn_recording_start(c.world, recording));
    for (int i = 1; i <= 20; i++) {
        swing(&c, i, positions, normals);
        REQUIRE_OK(sn_animation_target_set_targets(c.world, c.animation_target, positions,
                                                   i % 3 ? normals : NULL, NODES));
        if (i == 10) {
            c.vertices[3].max_distance = 0;
            REQUIRE_OK(
                sn_animation_target_set_limits(c.world, c.animation_target, c.vertices, NODES));
        }
        if (i == 12) ride(c.world);
        REQUIRE_OK(sn_world_step(c.world, frame));
    }
    sn_animation_target other;
    sn_animation_target_def def = sn_animation_target_def_default();
    def.nodes = c.nodes;
    def.node_count = 2;
    def.vertices = c.vertices;
    REQUIRE_OK(sn_animation_target_create(c.world, &def, &other));
    REQUIRE_OK(sn_animation_target_destroy(c.world, other));
    if (recording) REQUIRE_OK(sn_recording_stop(c.world));
    uint64_t hash = sn_world_hash(c.world);
    sn_world_destroy(c.world);
    return hash;
}

TEST(threads_and_replays_give_the_same_bits) {
    const char *path = "attachment_follow.rec";
    uint64_t one = run_cape(1, path);
    CHECK(run_cape(4, NULL) == one);
    sn_world *world = attachment_world(2, 1, 0);
    sn_replay_report report;
    CHECK_OK(sn_replay_file(world, path, &report));
    CHECK(sn_world_hash(world) == one);
    sn_world_destroy(world);
    remove(path);
}

TEST(a_snapshot_goes_on_in_the_middle_of_a_way) {
    cape c;
    sn_vec3 positions[NODES], normals[NODES];
    make_cape(&c, 1, (double)SN_AUTO);
    for (int i = 1; i <= 5; i++) {
        swing(&c, i, positions, normals);
        REQUIRE_OK(sn_animation_target_set_targets(c.world, c.animation_target, positions, normals,
                                                   NODES));
        if (i < 5) REQUIRE_OK(sn_world_step(c.world, frame));
    }
    attachment_check_snapshot(c.world, 5);
    sn_world_destroy(c.world);
}

/* ---- Nodes that go, and what is refused ---- */

TEST(nodes_that_go_leave_the_others) {
    cape c;
    sn_vec3 positions[NODES];
    make_cape(&c, 1, (double)SN_AUTO);
    REQUIRE_OK(sn_nodes_destroy(c.world, c.nodes, 2));
    CHECK(sn_animation_target_count(c.world, c.animation_target) == NODES - 2);
    for (int i = 0; i < NODES; i++) positions[i] = c.vertices[i].position;
    CHECK_FAILS(
        sn_animation_target_set_targets(c.world, c.animation_target, positions, NULL, NODES),
        SN_ERROR_VALUE);
    CHECK_OK(sn_animation_target_set_targets(c.world, c.animation_target, positions + 2, NULL,
                                             NODES - 2));
    REQUIRE_OK(sn_world_step(c.world, frame));
    attachment_check_snapshot(c.world, 3);
    REQUIRE_OK(sn_nodes_destroy(c.world, c.nodes + 2, NODES - 2));
    CHECK(!sn_animation_target_is_valid(c.world, c.animation_target));
    CHECK(sn_animation_target_count(c.world, c.animation_target) == 0);
    REQUIRE_OK(sn_world_step(c.world, frame));
    sn_world_destroy(c.world);
}

TEST(bad_targets_are_refused_by_number) {
    cape c;
    sn_vec3 positions[NODES], normals[NODES];
    make_cape(&c, 1, (double)SN_AUTO);
    swing(&c, 1, positions, normals);
    uint64_t hash = sn_world_hash(c.world);
    positions[17].y = (sn_real)NAN;
    CHECK_FAILS(
        sn_animation_target_set_targets(c.world, c.animation_target, positions, normals, NODES),
        SN_ERROR_VALUE);
    CHECK(strstr(sn_last_error(), "position of vertex 17") != NULL);
    positions[17].y = 0;
    normals[23].x = (sn_real)INFINITY;
    CHECK_FAILS(
        sn_animation_target_set_targets(c.world, c.animation_target, positions, normals, NODES),
        SN_ERROR_VALUE);
    CHECK(strstr(sn_last_error(), "normal of vertex 23") != NULL);
    c.vertices[5].max_distance = (sn_real)-1;
    CHECK_FAILS(sn_animation_target_set_limits(c.world, c.animation_target, c.vertices, NODES),
                SN_ERROR_VALUE);
    CHECK(strstr(sn_last_error(), "vertex 5") != NULL);
    c.vertices[5].max_distance = 1;
    sn_animation_target_def def = sn_animation_target_def_default();
    sn_animation_target other;
    def.nodes = c.nodes;
    def.node_count = 2;
    def.vertices = c.vertices;
    c.nodes[1] = c.nodes[0];
    CHECK_FAILS(sn_animation_target_create(c.world, &def, &other), SN_ERROR_DEGENERATE);
    def.node_count = 0;
    CHECK_FAILS(sn_animation_target_create(c.world, &def, &other), SN_ERROR_VALUE);
    sn_animation_target at;
    sn_node node;
    sn_animation_target_vertex vertex;
    CHECK_FAILS(sn_animation_target_get(c.world, c.animation_target, NODES, &node, &vertex),
                SN_ERROR_VALUE);
    CHECK_OK(sn_world_animation_target_at(c.world, 0, &at));
    CHECK(at.slot == c.animation_target.slot && at.generation == c.animation_target.generation);
    CHECK_FAILS(sn_world_animation_target_at(c.world, 1, &at), SN_ERROR_ID);
    CHECK(sn_world_hash(c.world) == hash);
    sn_world_destroy(c.world);
}

TESTS(RUN(limits_hold_while_targets_swing), RUN(both_balls_hold_together),
      RUN(targets_and_normals_move_evenly), RUN(no_distance_is_the_target_itself),
      RUN(the_spring_holds_a_weight), RUN(threads_and_replays_give_the_same_bits),
      RUN(a_snapshot_goes_on_in_the_middle_of_a_way), RUN(nodes_that_go_leave_the_others),
      RUN(bad_targets_are_refused_by_number))
