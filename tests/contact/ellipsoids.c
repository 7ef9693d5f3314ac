/* Ellipsoids as shapes of oriented nodes: against colliders, against each other, in snapshots and
   recordings, and with any number of threads. */
#include "check.h"
#include "snapshot.h"

#include <sinew/sinew.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define A 0.3
#define B 0.2
#define C 0.1

static sn_vec3 vector(double x, double y, double z) {
    return (sn_vec3){(sn_real)x, (sn_real)y, (sn_real)z};
}

static sn_quat about(double x, double y, double z, double angle) {
    double s = sin(angle / 2);
    return (sn_quat){(sn_real)(x * s), (sn_real)(y * s), (sn_real)(z * s), (sn_real)cos(angle / 2)};
}

static sn_world *make_world(int threads) {
    sn_world_def def = sn_world_def_default();
    def.threads = threads;
    sn_world *world;
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

static void add_floor(sn_world *world, sn_real friction) {
    sn_collider_def def = sn_collider_def_default();
    def.shape = SN_SHAPE_PLANE;
    def.static_friction = def.dynamic_friction = friction;
    sn_collider collider;
    REQUIRE_OK(sn_collider_create(world, &def, &collider));
}

/* Of 1 kg, with the inertia of a full ellipsoid. */
static sn_node add(sn_world *world, sn_body body, sn_vec3 at, sn_quat q, sn_vec3 r) {
    sn_node_def def = sn_node_def_default();
    def.position = at;
    def.body = body;
    def.oriented = true;
    def.orientation = q;
    double a = (double)r.x * (double)r.x, b = (double)r.y * (double)r.y,
           c = (double)r.z * (double)r.z;
    def.inverse_inertia = vector(5 / (b + c), 5 / (c + a), 5 / (a + b));
    sn_node node;
    REQUIRE_OK(sn_node_create(world, &def, &node));
    REQUIRE_OK(sn_node_set_radii(world, node, r));
    return node;
}

static sn_body make_body(sn_world *world, bool rolls, double damping) {
    sn_body_def def = sn_body_def_default();
    def.rolls = rolls;
    def.damping = (sn_real)damping;
    sn_body body;
    REQUIRE_OK(sn_body_create(world, &def, &body));
    return body;
}

static void step(sn_world *world, int steps) {
    for (int i = 0; i < steps; i++) REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
}

static sn_node_def look(const sn_world *world, sn_node node) {
    sn_node_def def;
    REQUIRE_OK(sn_node_get(world, node, &def));
    return def;
}

/* x, y or z of the frame along the vertical. */
static sn_quat upright(int axis) {
    if (axis == 0) return about(0, 0, 1, acos(-1) / 2);
    return axis == 1 ? about(0, 1, 0, 0) : about(1, 0, 0, -acos(-1) / 2);
}

TEST(rest_at_the_height_of_each_axis) {
    static const double order[6][3] = {{A, B, C}, {B, A, C}, {C, A, B},
                                       {A, C, B}, {B, C, A}, {C, B, A}};
    for (int i = 0; i < 6 * 2; i++)
        for (int axis = 0; axis < 3; axis++) {
            const double *height = order[i / 2];
            const int rolls = i % 2;
            check_case("order %d, rolls %d, axis %d", i / 2, rolls, axis);
            sn_world *world = make_world(1);
            add_floor(world, (sn_real)0.5);
            sn_node node = add(world, make_body(world, rolls, 0), vector(0, 0.5, 0), upright(axis),
                               vector(height[0], height[1], height[2]));
            step(world, 60);
            sn_node_def def = look(world, node);
            CHECK_NEAR(def.position.y, height[axis], 1e-4);
            CHECK_NEAR(def.radius, A, 1e-7);
            sn_world_destroy(world);
        }
}

/* Aslant it reaches as far as its support does: sqrt((A sin)^2 + (B cos)^2). */
TEST(aslant_it_reaches_as_its_support) {
    sn_world *world = make_world(1);
    add_floor(world, (sn_real)0.5);
    double angle = 0.6;
    sn_node node = add(world, make_body(world, false, 0), vector(0, 0.5, 0), about(0, 0, 1, angle),
                       vector(A, B, C));
    step(world, 60);
    double expected = sqrt(A * A * sin(angle) * sin(angle) + B * B * cos(angle) * cos(angle));
    CHECK_NEAR(look(world, node).position.y, expected, 1e-4);
    sn_world_destroy(world);
}

/* One that rolls falls over, and comes to rest on its flat side; one that does not stays. */
TEST(one_that_rolls_falls_over) {
    for (int rolls = 0; rolls < 2; rolls++) {
        check_case("rolls %d", rolls);
        sn_world *world = make_world(1);
        add_floor(world, (sn_real)0.5);
        sn_node node = add(world, make_body(world, rolls, 1.5), vector(0, 0.3, 0),
                           about(0, 0, 1, acos(-1) / 2 - 0.3), vector(A, B, C));
        double highest = 0;
        for (int i = 0; i < 900; i++) {
            step(world, 1);
            highest = fmax(highest, (double)look(world, node).position.y);
        }
        double height = (double)look(world, node).position.y;
        double slant = sqrt(A * A * cos(0.3) * cos(0.3) + B * B * sin(0.3) * sin(0.3));
        if (rolls) {
            CHECK(height < 0.75 * slant);
            CHECK(height > C - 1e-3);
        } else {
            CHECK_NEAR(height, slant, 1e-4);
        }
        CHECK(highest < 0.31);
        sn_world_destroy(world);
    }
}

/* One that rolls and falls on a slippery floor aslant: what it loses of its speed turns it, with
   the lever of the point that touches, which is at radii^2 n / reach from its middle. */
TEST(a_push_turns_by_its_lever) {
    for (int i = 0; i < 8; i++) {
        double angle = 0.1 + 0.4 * i, s = sin(angle), c = cos(angle), reach = hypot(A * s, B * c);
        check_case("turned by %g", angle);
        sn_world *world = make_world(1);
        sn_settings settings = sn_settings_default();
        settings.gravity = vector(0, 0, 0);
        settings.substeps = 1;
        REQUIRE_OK(sn_world_set_settings(world, &settings));
        add_floor(world, 0);
        sn_node node = add(world, make_body(world, true, 0), vector(0, reach + 1e-4, 0),
                           about(0, 0, 1, angle), vector(A, B, C));
        REQUIRE_OK(sn_node_set_velocity(world, node, vector(0, -1, 0)));
        REQUIRE_OK(sn_world_step(world, (sn_real)1e-3));
        sn_node_def now = look(world, node);
        double impulse = (double)now.velocity.y + 1, inertia = (A * A + B * B) / 5;
        /* The normal is (s, c) in the frame of the ellipsoid. */
        double lever = (B * B - A * A) * s * c / reach;
        CHECK(impulse > 0.1);
        CHECK_NEAR((double)now.angular_velocity.z * inertia, lever * impulse, 2e-4 * impulse);
        CHECK_NEAR(now.velocity.x, 0, 1e-6);
        /* Together they end the overlap, at once. */
        double turned = 2 * atan2((double)now.orientation.z, (double)now.orientation.w);
        CHECK_NEAR(now.position.y, hypot(A * sin(turned), B * cos(turned)), 5e-6);
        CHECK_NEAR(hypot((double)now.angular_velocity.x, (double)now.angular_velocity.y), 0, 1e-4);
        sn_world_destroy(world);
    }
}

/* One that lies flat near a wall and turns comes to touch it with its long axis, and is pushed away
   by that and no more, however near it was when it was last looked at. */
TEST(what_turns_comes_to_touch) {
    const sn_vec3 radii[3] = {vector(A, B, C), vector(A, C, B), vector(C, A, B)};
    for (int i = 0; i < 12; i++) {
        const double far = A - 0.001 * (i % 4 + 1), pi = acos(-1), from = i < 8 ? 0 : pi / 2;
        check_case("%g m from the wall, half axes %d", far, i / 4);
        sn_world *world = make_world(1);
        sn_settings settings;
        REQUIRE_OK(sn_world_get_settings(world, &settings));
        settings.gravity = vector(0, 0, 0);
        REQUIRE_OK(sn_world_set_settings(world, &settings));
        add_floor(world, 0);
        sn_node node = add(world, make_body(world, false, 0), vector(0, far, 0),
                           about(0, 0, 1, from), radii[i / 4]);
        REQUIRE_OK(sn_node_set_angular_velocity(world, node, vector(0, 0, pi / 2)));
        step(world, 60);
        CHECK_NEAR(look(world, node).position.y, A, 1e-3);
        sn_world_destroy(world);
    }
}

/* Shapes that are round, and meshes. */
TEST(on_other_shapes) {
    sn_mesh box = sn_mesh_default();
    sn_box_def made = sn_box_def_default();
    made.extent = vector(2, 1, 2);
    REQUIRE_OK(sn_generate_box(&box, &made));
    for (int mesh = 0; mesh < 2; mesh++)
        for (int axis = 0; axis < 3; axis++) {
            check_case("mesh %d, axis %d", mesh, axis);
            sn_world *world = make_world(1);
            sn_collider_def def = sn_collider_def_default();
            def.shape = mesh ? SN_SHAPE_MESH : SN_SHAPE_SPHERE;
            def.radius = mesh ? 0 : (sn_real)0.5;
            if (mesh) {
                def.geometry.vertices = box.positions;
                def.geometry.vertex_count = box.vertex_count;
                def.geometry.triangles = (const uint32_t(*)[3])box.triangles;
                def.geometry.triangle_count = box.triangle_count;
            }
            sn_collider collider;
            REQUIRE_OK(sn_collider_create(world, &def, &collider));
            const double height[3] = {A, B, C};
            sn_node node = add(world, make_body(world, false, 0), vector(0, 1, 0), upright(axis),
                               vector(A, B, C));
            step(world, 60);
            CHECK_NEAR(look(world, node).position.y, 0.5 + height[axis], 1e-4);
            sn_world_destroy(world);
        }
    sn_mesh_free(&box);
}

static void add_skin(sn_world *world, sn_node *nodes, size_t count) {
    sn_collision_surface_def def = sn_collision_surface_def_default();
    def.nodes = nodes;
    def.node_count = count;
    def.static_friction = def.dynamic_friction = 0;
    sn_collision_surface surface;
    REQUIRE_OK(sn_collision_surface_create(world, &def, &surface));
}

/* Two of them pushed together end to end, side to side, and end to side. */
TEST(two_meet_by_their_half_axes) {
    for (int first = 0; first < 3; first++)
        for (int second = 0; second < 3; second++) {
            const double height[3] = {A, B, C};
            check_case("axes %d and %d", first, second);
            sn_world *world = make_world(1);
            sn_settings settings = sn_settings_default();
            settings.gravity = vector(0, -9.81, 0);
            REQUIRE_OK(sn_world_set_settings(world, &settings));
            sn_node below = add(world, make_body(world, false, 0), vector(0, 0, 0), upright(first),
                                vector(A, B, C));
            REQUIRE_OK(sn_node_set_inverse_mass(world, below, 0));
            REQUIRE_OK(sn_node_set_velocity(world, below, vector(0, 0, 0)));
            sn_node above = add(world, make_body(world, false, 0), vector(0, 0.8, 0),
                                upright(second), vector(A, B, C));
            add_skin(world, &below, 1);
            add_skin(world, &above, 1);
            step(world, 60);
            CHECK_NEAR(look(world, above).position.y, height[first] + height[second], 1e-4);
            sn_world_destroy(world);
        }
}

/* An ellipsoid and a ball, whichever was made first and whichever lies below. */
TEST(a_ball_meets_a_half_axis) {
    for (int i = 0; i < 4; i++) {
        const bool ball_first = i % 2, ball_below = i / 2;
        check_case("ball first %d, below %d", ball_first, ball_below);
        sn_world *world = make_world(1);
        sn_node node[2];
        for (int k = 0; k < 2; k++) {
            const bool ball = (k == 0) == ball_first, below = ball == ball_below;
            const double r = 0.15;
            node[below ? 0 : 1] =
                add(world, make_body(world, false, 0), vector(0, below ? 0 : 0.6, 0), upright(2),
                    ball ? vector(r, r, r) : vector(A, B, C));
            sn_node made = node[below ? 0 : 1];
            if (ball) REQUIRE_OK(sn_node_set_radius(world, made, (sn_real)r));
            if (below) REQUIRE_OK(sn_node_set_inverse_mass(world, made, 0));
            add_skin(world, &made, 1);
        }
        step(world, 60);
        CHECK_NEAR(look(world, node[1]).position.y, 0.15 + C, 1e-4);
        sn_world_destroy(world);
    }
}

/* ---- State ---- */

static void fill(sn_world *world) {
    add_floor(world, (sn_real)0.4);
    sn_node node[24];
    for (int i = 0; i < 24; i++) {
        sn_body body = make_body(world, i % 2, 0.1);
        double r = 0.1 + 0.01 * (i % 5);
        node[i] = add(world, body, vector(0.25 * (i % 4), 0.5 + 0.4 * (i / 4), 0.05 * (i % 3)),
                      about(0.6, 0.8, 0, 0.7 * i), vector(r, 0.6 * r, 0.4 * r));
        add_skin(world, &node[i], 1);
    }
}

static uint64_t hash_of(const sn_world *world) {
    return sn_world_hash(world);
}

TEST(threads_do_not_matter) {
    uint64_t hash[4];
    for (int threads = 1; threads <= 4; threads++) {
        sn_world *world = make_world(threads);
        fill(world);
        step(world, 60);
        hash[threads - 1] = hash_of(world);
        sn_world_destroy(world);
    }
    for (int i = 1; i < 4; i++) CHECK(hash[i] == hash[0]);
}

TEST(snapshots_keep_half_axes) {
    sn_world *world = make_world(1), *other = make_world(2);
    fill(world);
    step(world, 40);
    size_t size = 0;
    void *data = snapshot_of(world, &size);
    REQUIRE_OK(sn_snapshot_load(other, data, size));
    step(world, 40);
    step(other, 40);
    CHECK(hash_of(world) == hash_of(other));
    sn_node node;
    sn_vec3 radii;
    REQUIRE_OK(sn_world_node_at(other, 7, &node));
    REQUIRE_OK(sn_node_get_radii(other, node, &radii));
    CHECK_NEAR(radii.x, 0.12, 1e-7);
    CHECK_NEAR(radii.y, 0.072, 1e-7);
    CHECK_NEAR(radii.z, 0.048, 1e-7);
    free(data);
    sn_world_destroy(world);
    sn_world_destroy(other);
}

TEST(recordings_have_half_axes) {
    const char *path = sizeof(sn_real) == 4 ? "ellipsoids.snr" : "ellipsoids_f64.snr";
    sn_world *world = make_world(1);
    REQUIRE_OK(sn_recording_start(world, path));
    fill(world);
    step(world, 20);
    REQUIRE_OK(sn_recording_stop(world));
    sn_world *again = make_world(1);
    sn_replay_report report;
    CHECK_OK(sn_replay_file(again, path, &report));
    CHECK(!report.differs);
    CHECK(hash_of(again) == hash_of(world));
    sn_world_destroy(world);
    sn_world_destroy(again);
    remove(path);
}

TEST(half_axes_are_checked) {
    sn_world *world = make_world(1);
    sn_node node =
        add(world, make_body(world, false, 0), vector(0, 0, 0), upright(1), vector(A, B, C));
    const sn_vec3 bad[] = {vector(0, 1, 1), vector(1, -1, 1), vector(1, 1, NAN),
                           vector(INFINITY, 1, 1)};
    sn_vec3 radii;
    for (int i = 0; i < 4; i++) {
        CHECK_FAILS(sn_node_set_radii(world, node, bad[i]), SN_ERROR_VALUE);
        REQUIRE_OK(sn_node_get_radii(world, node, &radii));
        CHECK_NEAR(radii.y, B, 1e-7);
    }
    /* A ball again. */
    REQUIRE_OK(sn_node_set_radius(world, node, (sn_real)0.05));
    REQUIRE_OK(sn_node_get_radii(world, node, &radii));
    CHECK_NEAR(radii.x, 0.05, 1e-7);
    CHECK_NEAR(radii.z, 0.05, 1e-7);
    sn_node_def plain = sn_node_def_default();
    REQUIRE_OK(sn_node_create(world, &plain, &node));
    CHECK_FAILS(sn_node_set_radii(world, node, vector(1, 1, 1)), SN_ERROR_VALUE);
    CHECK_FAILS(sn_node_get_radii(world, node, NULL), SN_ERROR_NULL);
    sn_world_destroy(world);
}

TESTS(RUN(what_turns_comes_to_touch), RUN(rest_at_the_height_of_each_axis),
      RUN(aslant_it_reaches_as_its_support), RUN(one_that_rolls_falls_over),
      RUN(a_push_turns_by_its_lever), RUN(on_other_shapes), RUN(two_meet_by_their_half_axes),
      RUN(a_ball_meets_a_half_axis), RUN(threads_do_not_matter), RUN(snapshots_keep_half_axes),
      RUN(recordings_have_half_axes), RUN(half_axes_are_checked))
