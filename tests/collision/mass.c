/*
 * Mass and inertia of shapes against closed forms, and rigid bodies that are made of them: where
 * the node is, what a free one keeps, what is refused, recordings and missing memory.
 */
#include "check.h"
#include "snapshot.h"

#include <sinew/sinew.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PI 3.14159265358979323846
#define FRAME ((sn_real)(1.0 / 60))

/* What rounding of vertices leaves. */
#ifdef SN_DOUBLE
#define NEAR 1e-9
#else
#define NEAR 1e-6
#endif

static sn_vec3 vector(double x, double y, double z) {
    return (sn_vec3){(sn_real)x, (sn_real)y, (sn_real)z};
}

static sn_world *make_world(int substeps) {
    sn_world_def def = sn_world_def_default();
    def.settings.gravity = vector(0, 0, 0);
    def.settings.substeps = substeps;
    sn_world *world;
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

static sn_mass_properties measure(const sn_collider_def *def, double density) {
    sn_world *world = make_world(1);
    sn_mass_properties found = {0};
    sn_collider collider;
    REQUIRE_OK(sn_collider_create(world, def, &collider));
    CHECK_OK(sn_collider_mass_properties(world, collider, (sn_real)density, &found));
    sn_world_destroy(world);
    return found;
}

static sn_collider_def shape(sn_shape kind, double radius, sn_vec3 extent) {
    sn_collider_def def = sn_collider_def_default();
    def.shape = kind;
    def.radius = (sn_real)radius;
    def.extent = extent;
    return def;
}

static void check_straight(sn_mass_properties found, double mass, sn_vec3 moments) {
    CHECK_REL((double)found.mass, mass, 1e-6);
    CHECK_REL((double)found.moments.x, (double)moments.x, 1e-6);
    CHECK_REL((double)found.moments.y, (double)moments.y, 1e-6);
    CHECK_REL((double)found.moments.z, (double)moments.z, 1e-6);
    CHECK(found.centre.x == 0 && found.centre.y == 0 && found.centre.z == 0);
    CHECK(found.axes.x == 0 && found.axes.y == 0 && found.axes.z == 0 && found.axes.w == 1);
}

/* ---- Shapes ---- */

TEST(simple_shapes_have_their_closed_forms) {
    double a = 0.25, b = 0.5, c = 0.75, r = 0.375, h = 0.625, density = 700;
    sn_collider_def def = shape(SN_SHAPE_BOX, 0, vector(a, b, c));
    double m = density * 8 * a * b * c;
    check_straight(
        measure(&def, density), m,
        vector(m / 3 * (b * b + c * c), m / 3 * (a * a + c * c), m / 3 * (a * a + b * b)));
    def = shape(SN_SHAPE_SPHERE, r, vector(1, 1, 1));
    m = density * 4 / 3 * PI * r * r * r;
    check_straight(measure(&def, density), m,
                   vector(0.4 * m * r * r, 0.4 * m * r * r, 0.4 * m * r * r));
    def = shape(SN_SHAPE_CYLINDER, r, vector(1, h, 1));
    m = density * PI * r * r * 2 * h;
    double across = m * (3 * r * r + 4 * h * h) / 12;
    check_straight(measure(&def, density), m, vector(across, m * r * r / 2, across));
    /* A cylinder and two half balls, whose centres are 3/8 r beyond its ends. */
    def = shape(SN_SHAPE_CAPSULE, r, vector(1, h, 1));
    double ball = density * 4 / 3 * PI * r * r * r;
    across += ball * (0.4 - 9.0 / 64) * r * r + ball * (h + 3 * r / 8) * (h + 3 * r / 8);
    check_straight(measure(&def, density), m + ball,
                   vector(across, m * r * r / 2 + 0.4 * ball * r * r, across));
}

/* Points of a grid that are within the radius of the box. */
TEST(round_boxes_are_the_sum_of_their_points) {
    enum { N = 180 }; /* flat sides are between cells */
    double e[3] = {0.3, 0.1, 0.2}, r = 0.15, far = 0.45, cell = 2 * far / N;
    double volume = 0, moment[3] = {0, 0, 0};
    for (size_t i = 0; i < (size_t)N * N * N; i++) {
        size_t place[3] = {i % N, i / N % N, i / N / N};
        double x[3], away = 0;
        for (int k = 0; k < 3; k++) {
            x[k] = ((double)place[k] + 0.5) * cell - far;
            double beyond = fabs(x[k]) - e[k];
            if (beyond > 0) away += beyond * beyond;
        }
        if (away > r * r) continue;
        volume += cell * cell * cell;
        for (int k = 0; k < 3; k++)
            moment[k] += cell * cell * cell *
                         (x[(k + 1) % 3] * x[(k + 1) % 3] + x[(k + 2) % 3] * x[(k + 2) % 3]);
    }
    sn_collider_def def = shape(SN_SHAPE_BOX, r, vector(e[0], e[1], e[2]));
    sn_mass_properties found = measure(&def, 1);
    double steiner = 8 * e[0] * e[1] * e[2] + 8 * r * (e[0] * e[1] + e[1] * e[2] + e[2] * e[0]) +
                     2 * PI * r * r * (e[0] + e[1] + e[2]) + 4.0 / 3 * PI * r * r * r;
    CHECK_REL((double)found.volume, steiner, 1e-6);
    CHECK_REL((double)found.volume, volume, 1e-3);
    CHECK_REL((double)found.moments.x, moment[0], 1e-3);
    CHECK_REL((double)found.moments.y, moment[1], 1e-3);
    CHECK_REL((double)found.moments.z, moment[2], 1e-3);
}

static const uint32_t sides[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                      {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                      {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};

static void turn(sn_quat q, const double a[3], double out[3]) {
    double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
    double t[3] = {2 * (y * a[2] - z * a[1]), 2 * (z * a[0] - x * a[2]), 2 * (x * a[1] - y * a[0])};
    out[0] = a[0] + w * t[0] + y * t[2] - z * t[1];
    out[1] = a[1] + w * t[1] + z * t[0] - x * t[2];
    out[2] = a[2] + w * t[2] + x * t[1] - y * t[0];
}

/* The matrix of inertia in the frame of the collider. */
static void tensor(sn_quat q, sn_vec3 moments, double out[3][3]) {
    const double value[3] = {(double)moments.x, (double)moments.y, (double)moments.z};
    for (int i = 0; i < 9; i++) out[i / 3][i % 3] = 0;
    for (int k = 0; k < 3; k++) {
        double axis[3] = {k == 0, k == 1, k == 2}, a[3];
        turn(q, axis, a);
        for (int i = 0; i < 9; i++) out[i / 3][i % 3] += value[k] * a[i / 3] * a[i % 3];
    }
}

static void check_tensor(sn_mass_properties found, sn_quat q, sn_vec3 moments, double tolerance) {
    double is[3][3], expected[3][3];
    tensor(found.axes, found.moments, is);
    tensor(q, moments, expected);
    for (int i = 0; i < 9; i++)
        CHECK_NEAR(is[i / 3][i % 3], expected[i / 3][i % 3], tolerance * (double)moments.x);
}

TEST(a_turned_cube_is_a_box) {
    static const sn_shape kinds[] = {SN_SHAPE_MESH, SN_SHAPE_HULL, SN_SHAPE_SDF};
    const sn_quat q = {(sn_real)0.48, (sn_real)-0.36, (sn_real)0.64, (sn_real)0.48};
    sn_vec3 x[8];
    for (int i = 0; i < 8; i++) {
        double corner[3] = {i & 1 ? 0.2 : -0.2, i & 2 ? 0.5 : -0.5, i & 4 ? 0.9 : -0.9}, at[3];
        turn(q, corner, at);
        x[i] = vector(3 + at[0], at[1] - 2, at[2] + 1);
    }
    double m = 1000 * 8 * 0.2 * 0.5 * 0.9;
    sn_vec3 moments = vector(m / 3 * (0.25 + 0.81), m / 3 * (0.04 + 0.81), m / 3 * (0.04 + 0.25));
    for (int k = 0; k < 3; k++) {
        sn_collider_def def = shape(kinds[k], 0, vector(1, 1, 1));
        def.geometry.vertices = x;
        def.geometry.vertex_count = 8;
        if (kinds[k] != SN_SHAPE_HULL) def.geometry.triangles = sides;
        if (kinds[k] != SN_SHAPE_HULL) def.geometry.triangle_count = 12;
        sn_mass_properties found = measure(&def, 1000);
        CHECK_REL((double)found.mass, m, NEAR);
        CHECK_NEAR((double)found.centre.x, 3, NEAR);
        CHECK_NEAR((double)found.centre.y, -2, NEAR);
        CHECK_NEAR((double)found.centre.z, 1, NEAR);
        check_tensor(found, q, moments, NEAR);
    }
}

/* The radius about a mesh is a skin for contact, and has no mass. */
TEST(a_cube_keeps_its_axes) {
    sn_vec3 x[8];
    for (int i = 0; i < 8; i++)
        x[i] = vector(i & 1 ? 0.3 : -0.3, i & 2 ? 0.3 : -0.3, i & 4 ? 0.3 : -0.3);
    sn_collider_def def = shape(SN_SHAPE_HULL, 0.01, vector(1, 1, 1));
    def.geometry.vertices = x;
    def.geometry.vertex_count = 8;
    sn_mass_properties found = measure(&def, 500);
    CHECK_REL((double)found.mass, 108, 1e-6);
    CHECK_REL((double)found.moments.z, 108 * 0.06, 1e-6);
    CHECK(found.axes.x == 0 && found.axes.y == 0 && found.axes.z == 0 && found.axes.w == 1);
}

/* Two boxes by the theorem of parallel axes, one of them turned by a right angle about z. */
TEST(compounds_are_the_sum_of_their_parts) {
    sn_collider_part parts[2] = {sn_collider_part_default(), sn_collider_part_default()};
    for (int k = 0; k < 2; k++) {
        parts[k].shape = SN_SHAPE_BOX;
        parts[k].extent = vector(0.5, 0.25, 0.125);
        parts[k].position = vector(k == 0 ? -1 : 2, 0, 0);
    }
    parts[1].orientation = (sn_quat){0, 0, (sn_real)sqrt(0.5), (sn_real)sqrt(0.5)};
    sn_collider_def def = shape(SN_SHAPE_COMPOUND, 0, vector(1, 1, 1));
    def.parts = parts;
    def.part_count = 2;
    sn_mass_properties found = measure(&def, 8);
    double m = 8 * 8 * 0.5 * 0.25 * 0.125;
    double small = 0.0625 + 0.015625, large = 0.25 + 0.015625, flat = 0.25 + 0.0625;
    CHECK_REL((double)found.mass, 2 * m, NEAR);
    CHECK_REL((double)found.centre.x, 0.5, NEAR);
    CHECK_REL((double)found.moments.x, m / 3 * (small + large), NEAR);
    CHECK_REL((double)found.moments.y, m / 3 * (large + small) + 2 * m * 2.25, NEAR);
    CHECK_REL((double)found.moments.z, m / 3 * 2 * flat + 2 * m * 2.25, NEAR);
}

/* ---- Bodies ---- */

static const sn_vec3 wedge[4] = {{0, 0, 0},
                                 {(sn_real)0.9, 0, (sn_real)0.1},
                                 {(sn_real)0.2, (sn_real)0.5, 0},
                                 {(sn_real)0.1, (sn_real)0.1, 1}};
static const uint32_t faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};

static sn_collider_def wedge_def(void) {
    sn_collider_def def = shape(SN_SHAPE_MESH, 0, vector(1, 1, 1));
    def.geometry.vertices = wedge;
    def.geometry.vertex_count = 4;
    def.geometry.triangles = faces;
    def.geometry.triangle_count = 4;
    def.position = vector(1, 2, -0.5);
    def.orientation = (sn_quat){(sn_real)0.1, (sn_real)0.7, (sn_real)-0.1, (sn_real)0.7};
    def.velocity = vector(0.5, 1, -0.25);
    def.angular_velocity = vector(0.6, -0.3, 0.4);
    return def;
}

/* The definition says where the collider is and how it moves, and there it is. */
TEST(the_shape_is_where_it_was_put) {
    sn_world *world = make_world(10);
    sn_rigid_def rigid = sn_rigid_def_default();
    sn_collider_def def = wedge_def(), now;
    sn_node node, carrier;
    sn_collider collider;
    rigid.mass = 3;
    rigid.group = 5;
    REQUIRE_OK(sn_rigid_create(world, &rigid, &def, &node, &collider));
    REQUIRE_OK(sn_collider_get_carrier(world, collider, &carrier));
    CHECK(carrier.slot == node.slot);
    REQUIRE_OK(sn_collider_get(world, collider, &now));
    CHECK_NEAR((double)now.position.x, 1, NEAR);
    CHECK_NEAR((double)now.position.z, -0.5, NEAR);
    CHECK_NEAR((double)now.orientation.y, 0.7, NEAR);
    CHECK_NEAR((double)now.velocity.x, 0.5, NEAR);
    CHECK_NEAR((double)now.velocity.y, 1, NEAR);
    CHECK_NEAR((double)now.angular_velocity.y, -0.3, NEAR);
    sn_node_def made;
    REQUIRE_OK(sn_node_get(world, node, &made));
    CHECK_REL((double)made.inverse_mass, 1.0 / 3, NEAR);
    CHECK(made.group == 5 && made.oriented);
    /* The centre of a tetrahedron is the mean of its corners. */
    double mean[3] = {0.3, 0.15, 0.275}, at[3];
    turn(now.orientation, mean, at);
    CHECK_NEAR((double)made.position.x, 1 + at[0], NEAR);
    CHECK_NEAR((double)made.position.y, 2 + at[1], NEAR);
    CHECK_NEAR((double)made.position.z, at[2] - 0.5, NEAR);
    sn_world_destroy(world);
}

/* Without gravity and contact the centre goes straight on, and L stays. */
TEST(a_thrown_wedge_keeps_its_angular_momentum) {
    sn_world *world = make_world(50);
    sn_rigid_def rigid = sn_rigid_def_default();
    sn_collider_def def = wedge_def();
    sn_node node;
    sn_collider collider;
    REQUIRE_OK(sn_rigid_create(world, &rigid, &def, &node, &collider));
    /* L about the centre is that of many small masses in the wedge. */
    sn_mass_properties found;
    REQUIRE_OK(sn_collider_mass_properties(world, collider, 1000, &found));
    enum { N = 60 };
    double sum[3][3] = {{0}}, part = (double)found.mass / ((double)N * N * N / 6.0);
    for (int i = 0; i < N * N * N; i++) {
        double u[3] = {(i % N + 0.5) / N, (i / N % N + 0.5) / N, (i / N / N + 0.5) / N};
        if (u[0] + u[1] + u[2] > 1) continue;
        double x[3] = {u[0] * 0.9 + u[1] * 0.2 + u[2] * 0.1 - 0.3, u[1] * 0.5 + u[2] * 0.1 - 0.15,
                       u[0] * 0.1 + u[2] - 0.275};
        for (int k = 0; k < 9; k++)
            sum[k / 3][k % 3] += part * ((k % 4 == 0) * (x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) -
                                         x[k / 3] * x[k % 3]);
    }
    double is[3][3];
    tensor(found.axes, found.moments, is);
    for (int i = 0; i < 9; i++)
        CHECK_NEAR(is[i / 3][i % 3], sum[i / 3][i % 3], 0.03 * (double)found.moments.x);
    sn_measure before, after;
    REQUIRE_OK(sn_world_measure(world, &before));
    for (int i = 0; i < 120; i++) REQUIRE_OK(sn_world_step(world, FRAME));
    REQUIRE_OK(sn_world_measure(world, &after));
    double scale = 0;
    for (int k = 0; k < 3; k++) scale += fabs(before.angular_momentum[k]);
    for (int k = 0; k < 3; k++) {
        double kept = sizeof(sn_real) == 4 ? 1e-4 : 1e-6;
        CHECK_NEAR(after.angular_momentum[k], before.angular_momentum[k], kept * scale);
        CHECK_NEAR(after.momentum[k], before.momentum[k], kept * scale);
    }
    sn_world_destroy(world);
}

/* ---- What is refused ---- */

static void refuse(sn_world *world, const sn_rigid_def *rigid, const sn_collider_def *def) {
    sn_node node;
    sn_collider collider;
    uint64_t before = sn_world_hash(world);
    size_t bytes = 0, later = 0;
    REQUIRE_OK(sn_snapshot_save(world, NULL, 0, &bytes));
    CHECK_FAILS(sn_rigid_create(world, rigid, def, &node, &collider), SN_ERROR_VALUE);
    REQUIRE_OK(sn_snapshot_save(world, NULL, 0, &later));
    CHECK(sn_world_hash(world) == before && bytes == later);
}

TEST(what_has_no_volume_is_refused) {
    static const sn_real heights[4] = {0, 0, 0, 0};
    sn_world *world = make_world(10);
    sn_rigid_def rigid = sn_rigid_def_default();
    sn_collider_def def = sn_collider_def_default();
    sn_mass_properties found;
    sn_collider plane;
    REQUIRE_OK(sn_collider_create(world, &def, &plane));
    CHECK_FAILS(sn_collider_mass_properties(world, plane, 1000, &found), SN_ERROR_VALUE);
    refuse(world, &rigid, &def);
    def = shape(SN_SHAPE_HEIGHTS, 0, vector(1, 1, 1));
    def.geometry.heights = heights;
    def.geometry.points[0] = def.geometry.points[1] = 2;
    refuse(world, &rigid, &def);
    def = wedge_def();
    def.geometry.two_sided = true;
    def.radius = (sn_real)0.01;
    refuse(world, &rigid, &def);
    def = shape(SN_SHAPE_BOX, 0, vector(1, 0, 1));
    refuse(world, &rigid, &def);
    def = shape(SN_SHAPE_SPHERE, 0, vector(1, 1, 1));
    refuse(world, &rigid, &def);
    sn_collider_part part = sn_collider_part_default();
    part.shape = SN_SHAPE_CYLINDER;
    part.extent.y = 0;
    def = shape(SN_SHAPE_COMPOUND, 0, vector(1, 1, 1));
    def.parts = &part;
    def.part_count = 1;
    refuse(world, &rigid, &def);
    def = shape(SN_SHAPE_SPHERE, 1, vector(1, 1, 1));
    rigid.density = 0;
    refuse(world, &rigid, &def);
    rigid = sn_rigid_def_default();
    rigid.mass = 0;
    refuse(world, &rigid, &def);
    rigid.mass = (sn_real)NAN;
    refuse(world, &rigid, &def);
    sn_world_destroy(world);
}

/* ---- Recordings, memory ---- */

TEST(recordings_have_bodies) {
    const char *path = sizeof(sn_real) == 4 ? "mass.snr" : "mass_f64.snr";
    sn_world *world = make_world(10), *again = make_world(10);
    sn_replay_report report;
    sn_rigid_def rigid = sn_rigid_def_default();
    sn_collider_def def = wedge_def();
    sn_node node;
    sn_collider collider;
    REQUIRE_OK(sn_recording_start(world, path));
    REQUIRE_OK(sn_rigid_create(world, &rigid, &def, &node, &collider));
    for (int i = 0; i < 10; i++) REQUIRE_OK(sn_world_step(world, FRAME));
    REQUIRE_OK(sn_recording_stop(world));
    CHECK_OK(sn_replay_file(again, path, &report));
    CHECK(!report.differs);
    CHECK(sn_world_hash(again) == sn_world_hash(world));
    sn_world_destroy(world);
    sn_world_destroy(again);
    remove(path);
}

/* Beside a collider that nobody carries. */
TEST(snapshots_have_bodies) {
    sn_world *world = make_world(10), *other = make_world(10);
    sn_rigid_def rigid = sn_rigid_def_default();
    sn_collider_def plane = sn_collider_def_default(), def = wedge_def();
    sn_node node;
    sn_collider collider;
    REQUIRE_OK(sn_collider_create(world, &plane, &collider));
    REQUIRE_OK(sn_rigid_create(world, &rigid, &def, &node, &collider));
    REQUIRE_OK(sn_world_step(world, FRAME));
    size_t size = 0;
    void *data = snapshot_of(world, &size);
    REQUIRE_OK(sn_snapshot_load(other, data, size));
    free(data);
    for (int i = 0; i < 10; i++) REQUIRE_OK(sn_world_step(world, FRAME));
    for (int i = 0; i < 10; i++) REQUIRE_OK(sn_world_step(other, FRAME));
    CHECK(sn_world_hash(other) == sn_world_hash(world));
    sn_world_destroy(world);
    sn_world_destroy(other);
}

/* Gives memory so many times, and none after that. */
typedef struct purse {
    sn_allocator real;
    int left;
} purse;

static void *spend(void *user, void *pointer, size_t old_size, size_t new_size) {
    purse *p = user;
    if (new_size > 0 && p->left-- <= 0) return NULL;
    return p->real.reallocate(p->real.user, pointer, old_size, new_size);
}

TEST(missing_memory_changes_nothing) {
    purse p = {sn_allocator_default(), 1 << 30};
    int tries = 0;
    sn_world_def world_def = sn_world_def_default();
    world_def.allocator = (sn_allocator){spend, &p};
    world_def.threads = 1;
    sn_world *world;
    REQUIRE_OK(sn_world_create(&world_def, &world));
    sn_rigid_def rigid = sn_rigid_def_default();
    sn_collider_def def = wedge_def();
    sn_node node;
    sn_collider collider;
    sn_result result = SN_ERROR_MEMORY;
    uint64_t before = sn_world_hash(world);
    for (; result == SN_ERROR_MEMORY; tries++) {
        p.left = tries;
        result = sn_rigid_create(world, &rigid, &def, &node, &collider);
        if (result == SN_ERROR_MEMORY) CHECK(sn_world_hash(world) == before);
    }
    CHECK_OK(result);
    CHECK(tries > 5 && node.slot == 1 && node.generation == collider.generation);
    p.left = 1 << 30;
    CHECK_OK(sn_world_step(world, FRAME));
    sn_world_destroy(world);
}

TESTS(RUN(simple_shapes_have_their_closed_forms), RUN(round_boxes_are_the_sum_of_their_points),
      RUN(a_turned_cube_is_a_box), RUN(a_cube_keeps_its_axes),
      RUN(compounds_are_the_sum_of_their_parts), RUN(the_shape_is_where_it_was_put),
      RUN(a_thrown_wedge_keeps_its_angular_momentum), RUN(what_has_no_volume_is_refused),
      RUN(recordings_have_bodies), RUN(snapshots_have_bodies), RUN(missing_memory_changes_nothing))
