/* Nodes and shapes with a geometry: what rests, what is stopped, what comes out, what is refused,
   and what snapshots and recordings know of it. */
#include "shape_worlds.h"
#include "ways.h"

#include <stdio.h>
#include <string.h>

TEST(a_ball_rests_on_every_slab) {
    for (int kind = 0; kind < SLABS; kind++) {
        check_case("slab %d", kind);
        sn_world *world = make_world(20, 9.81);
        add_slab(world, kind, sn_collider_def_default());
        sn_node ball = add_ball(world, 0.13, 0.5, 0.21, 0.05);
        sn_node point = add_ball(world, -0.4, 0.3, 0.3, 0);
        for (int i = 0; i < 90; i++) CHECK_OK(sn_world_step(world, (sn_real)dt));
        double loose = kind == SLAB_FIELD ? 5e-3 : 1e-4;
        CHECK_NEAR((double)look(world, ball).position.y, 0.05, loose);
        CHECK_NEAR((double)look(world, point).position.y, 0, loose);
        CHECK_NEAR((double)look(world, ball).position.x, 0.13, 1e-3);
        CHECK_NEAR((double)look(world, ball).velocity.y, 0, 1e-3);
        sn_world_destroy(world);
    }
}

/* The middle of a large ball is far outside of the grid of a field. */
TEST(a_large_ball_lies_as_high_as_it_is_large) {
    static const double sizes[] = {0.2, 1, 5};
    for (int kind = 0; kind < SLABS; kind++)
        for (int k = 0; k < 3; k++) {
            check_case("slab %d, ball of %g m", kind, sizes[k]);
            sn_world *world = make_world(20, 9.81);
            add_slab(world, kind, sn_collider_def_default());
            sn_node ball = add_ball(world, 0.13, sizes[k] + 0.05, 0.21, sizes[k]);
            for (int i = 0; i < 60; i++) CHECK_OK(sn_world_step(world, (sn_real)dt));
            CHECK_NEAR((double)look(world, ball).position.y, sizes[k], 1e-3);
            CHECK_NEAR((double)look(world, ball).velocity.y, 0, 1e-3);
            sn_world_destroy(world);
        }
}

/* From all directions, so that some graze. */
TEST(nothing_passes_through_a_slab_at_any_speed) {
    const double speeds[] = {1, 10, 60, 200, 1000, 5000};
    for (int kind = 0; kind < SLABS; kind++)
        for (int s = 0; s < 6; s++)
            for (int k = 0; k < 8; k++) {
                check_case("slab %d, %g m/s, direction %d", kind, speeds[s], k);
                sn_world *world = make_world(1 + k % 3, 0);
                sn_collider_def def = sn_collider_def_default();
                def.static_friction = def.dynamic_friction = 0;
                add_slab(world, kind, def);
                double slope = 0.02 + 0.3 * k, y = 0.3, length = sqrt(1 + slope * slope);
                /* It aims at (0.1, 0, 0.2). */
                double x = 0.1 - (k < 2 ? 0.5 : y / slope), fall = k < 2 ? 0.5 * slope : y;
                sn_node ball = add_ball(world, x, fall + 0.03, 0.2, k % 2 ? 0.01 : 0);
                REQUIRE_OK(
                    sn_node_set_velocity(world, ball,
                                         (sn_vec3){(sn_real)(speeds[s] / length),
                                                   (sn_real)(-speeds[s] * slope / length), 0}));
                for (int i = 0; i < 40; i++) {
                    CHECK_OK(sn_world_step(world, (sn_real)dt));
                    sn_vec3 at = look(world, ball).position;
                    CHECK((double)at.y > -0.05 || fabs((double)at.x) > 0.95);
                }
                sn_world_destroy(world);
            }
}

/* Also where there are so many colliders that a tree has their boxes. */
TEST(what_is_inside_comes_out_slowly) {
    for (int i = 0; i < 2 * SLAB_SHEET; i++) {
        const int kind = i / 2, others = i % 2 ? 4 : 0;
        check_case("slab %d and %d more", kind, others);
        sn_world *world = make_world(20, 0);
        add_slab(world, kind, sn_collider_def_default());
        sn_collider_def far_away = sn_collider_def_default();
        far_away.shape = SN_SHAPE_SPHERE;
        far_away.position = (sn_vec3){0, 20, 0};
        sn_collider collider;
        for (int k = 0; k < others; k++)
            REQUIRE_OK(sn_collider_create(world, &far_away, &collider));
        sn_node ball = add_ball(world, 0.3, -0.06, 0.02, 0.01);
        double fastest = 0, moved = 0, y = -0.06;
        for (int frame = 0; frame < 30; frame++) {
            CHECK_OK(sn_world_step(world, (sn_real)dt));
            sn_node_def now = look(world, ball);
            moved = fmax(moved, ((double)now.position.y - y) / dt);
            fastest = fmax(fastest, fabs((double)now.velocity.y));
            y = (double)now.position.y;
        }
        CHECK(moved < 2.2 && moved > 1.5);
        /* That is no velocity, but for a field, whose depth is a little wrong. */
        CHECK(fastest < (kind == SLAB_FIELD ? 0.5 : 0.05));
        CHECK((double)look(world, ball).position.y > 0.01 - (kind == SLAB_FIELD ? 5e-3 : 1e-4));
        sn_world_destroy(world);
    }
}

/* A hundred balls press on a sheet from either side and stay there, heavier than any push. */
TEST(a_sheet_keeps_its_sides_apart) {
    sn_world *world = make_world(10, 0);
    sn_collider_def def = sn_collider_def_default();
    add_slab(world, SLAB_SHEET, def);
    sn_node ball[100];
    for (int i = 0; i < 100; i++) {
        double side = i % 2 ? 1 : -1;
        ball[i] = add_ball(world, -0.7 + 0.014 * i, -0.02 + side * 0.05, 0.3, 0.001 * (i % 7));
    }
    for (int frame = 0; frame < 120; frame++) {
        for (int i = 0; i < 100; i++)
            CHECK_OK(sn_node_add_force(
                world, ball[i], (sn_vec3){0, (sn_real)((i % 2 ? -1 : 1) * 10.0 * (i + 1)), 0}));
        CHECK_OK(sn_world_step(world, (sn_real)dt));
    }
    for (int i = 0; i < 100; i++) {
        double y = (double)look(world, ball[i]).position.y + 0.02, r = 0.02 + 0.001 * (i % 7);
        CHECK_NEAR(y, i % 2 ? r : -r, 1e-3);
    }
    sn_world_destroy(world);
}

/* A sheet that is sent through a resting ball takes it along, at any speed, and one that jumps
   does not. */
TEST(a_sheet_that_moves_pushes_and_one_that_is_set_elsewhere_does_not) {
    for (int k = 0; k < 4; k++) {
        double far = 0.1 * pow(10, k) / 4;
        check_case("%g m in a step", far);
        sn_world *world = make_world(4, 0);
        sn_collider sheet = add_slab(world, SLAB_SHEET, sn_collider_def_default());
        sn_node ball = add_ball(world, 0.1, 0.02, 0.1, 0.01);
        CHECK_OK(sn_collider_set_target(world, sheet, (sn_vec3){0, (sn_real)far, 0},
                                        (sn_quat){0, 0, 0, 1}));
        CHECK_OK(sn_world_step(world, (sn_real)dt));
        CHECK((double)look(world, ball).position.y > far);
        sn_world_destroy(world);
    }
    sn_world *world = make_world(4, 0);
    sn_collider sheet = add_slab(world, SLAB_SHEET, sn_collider_def_default());
    sn_node ball = add_ball(world, 0.1, 0.2, 0.1, 0.01);
    sn_collider_def def;
    CHECK_OK(sn_collider_get(world, sheet, &def));
    def.position.y = 1;
    const void *kept = def.geometry.vertices;
    CHECK_OK(sn_collider_set(world, sheet, &def));
    CHECK_OK(sn_collider_get(world, sheet, &def));
    CHECK(def.geometry.vertices == kept);
    CHECK_OK(sn_world_step(world, (sn_real)dt));
    CHECK_NEAR((double)look(world, ball).position.y, 0.2, 1e-6);
    sn_world_destroy(world);
}

TEST(one_triangle_and_far_coordinates) {
    sn_world *world = make_world(20, 9.81);
    sn_collider collider;
    sn_vec3 x[3] = {{1000000, 0, 0}, {1000000, 0, 4}, {1000004, 0, 0}};
    uint32_t t[1][3] = {{0, 1, 2}};
    sn_collider_def def = sn_collider_def_default();
    def.shape = SN_SHAPE_MESH;
    def.geometry.vertices = x;
    def.geometry.vertex_count = 3;
    def.geometry.triangles = (const uint32_t(*)[3])t;
    def.geometry.triangle_count = 1;
    def.geometry.two_sided = true;
    REQUIRE_OK(sn_collider_create(world, &def, &collider));
    sn_node ball = add_ball(world, 1000001, 0.5, 1, 0.05);
    for (int i = 0; i < 90; i++) CHECK_OK(sn_world_step(world, (sn_real)dt));
    CHECK_NEAR((double)look(world, ball).position.y, 0.055, 1e-4);
    sn_world_destroy(world);
}

/* ---- What is refused ---- */

static void refuse(sn_world *world, const sn_collider_def *def, sn_result expected) {
    sn_collider collider = {0};
    CHECK_FAILS(sn_collider_create(world, def, &collider), expected);
    CHECK(collider.slot == 0);
}

TEST(bad_geometry_is_refused) {
    sn_world *world = make_world(1, 0);
    sn_mesh sheet = sheet_mesh(1, 2), box = box_mesh(1, 1, 1, 2);
    sn_collider_def def = sn_collider_def_default();
    for (int shape = SN_SHAPE_MESH; shape <= SN_SHAPE_COMPOUND; shape++) {
        def.shape = (sn_shape)shape;
        refuse(world, &def, SN_ERROR_VALUE);
    }
    def.shape = SN_SHAPE_MESH;
    give(&def, &sheet);
    refuse(world, &def, SN_ERROR_DEGENERATE);
    def.shape = SN_SHAPE_SDF;
    refuse(world, &def, SN_ERROR_DEGENERATE);
    def.shape = SN_SHAPE_HULL;
    refuse(world, &def, SN_ERROR_DEGENERATE);
    def.shape = SN_SHAPE_MESH;
    def.geometry.two_sided = true;
    def.radius = 0;
    refuse(world, &def, SN_ERROR_VALUE);
    def.radius = SN_AUTO;
    sheet.triangles[1][2] = 9;
    refuse(world, &def, SN_ERROR_VALUE);
    sheet.triangles[1][2] = 0;
    sheet.positions[3].y = (sn_real)NAN;
    refuse(world, &def, SN_ERROR_VALUE);
    def.shape = SN_SHAPE_SDF;
    give(&def, &box);
    def.geometry.spacing = -1;
    refuse(world, &def, SN_ERROR_VALUE);
    def.geometry.spacing = (sn_real)1e-6;
    refuse(world, &def, SN_ERROR_LIMIT);
    sn_real heights[4] = {0, 0, (sn_real)INFINITY, 0};
    def.shape = SN_SHAPE_HEIGHTS;
    def.geometry.heights = heights;
    def.geometry.points[0] = def.geometry.points[1] = 2;
    refuse(world, &def, SN_ERROR_VALUE);
    heights[2] = 0;
    def.extent.z = 0;
    refuse(world, &def, SN_ERROR_VALUE);
    def.extent.z = 1;
    def.geometry.points[1] = 1;
    refuse(world, &def, SN_ERROR_VALUE);
    sn_collider_part part = sn_collider_part_default();
    def.shape = SN_SHAPE_COMPOUND;
    def.parts = &part;
    def.part_count = 1;
    part.shape = SN_SHAPE_PLANE;
    refuse(world, &def, SN_ERROR_VALUE);
    part.shape = SN_SHAPE_HULL;
    refuse(world, &def, SN_ERROR_VALUE);
    CHECK(strstr(sn_last_error(), "part 0"));
    part.shape = SN_SHAPE_BOX;
    part.orientation = (sn_quat){0, 0, 0, 0};
    refuse(world, &def, SN_ERROR_VALUE);
    sn_mesh_free(&sheet);
    sn_mesh_free(&box);
    sn_world_destroy(world);
}

/* ---- The same bits, and goes on from anywhere ---- */

static void build_heap(sn_world *world) {
    enum { SIDE = 24 };
    for (int kind = 0; kind < SLABS; kind++) {
        sn_collider_def def = sn_collider_def_default();
        def.position = (sn_vec3){(sn_real)(1.2 * (kind % 3)), 0, (sn_real)(1.2 * (kind / 3))};
        def.angular_velocity = (sn_vec3){(sn_real)(0.3 * kind), 1, 0};
        def.velocity = (sn_vec3){0, (sn_real)(0.1 * kind), 0};
        def.restitution = (sn_real)(0.1 * kind);
        add_slab(world, kind, def);
    }
    for (int i = 0; i < SIDE * SIDE; i++)
        add_ball(world, 0.15 * (i % SIDE) - 0.6, 0.4 + 0.001 * (i % 5), 0.1 * (i / SIDE) - 0.6,
                 0.01);
}

TEST(threads_and_lanes_make_no_difference) {
    check_ways(build_heap, 40);
}

TEST(a_snapshot_has_the_geometry) {
    static unsigned char bytes[1 << 21], again[1 << 21];
    sn_world *world = make_world(20, 9.81), *other = make_world(20, 9.81);
    size_t size, more;
    build_heap(world);
    for (int i = 0; i < 40; i++) {
        CHECK_OK(sn_snapshot_save(world, bytes, sizeof bytes, &size));
        CHECK_OK(sn_snapshot_load(other, bytes, size));
        CHECK_OK(sn_snapshot_save(other, again, sizeof again, &more));
        CHECK(more == size && memcmp(bytes, again, size) == 0);
        CHECK_OK(sn_world_step(world, (sn_real)dt));
        CHECK_OK(sn_world_step(other, (sn_real)dt));
        CHECK(sn_world_hash(world) == sn_world_hash(other));
    }
    /* Whatever is wrong with it, it is refused and nothing happens. */
    for (size_t i = 0; i < size; i += size / 400 + 1) {
        bytes[i] ^= 4;
        sn_result result = sn_snapshot_load(other, bytes, size);
        CHECK(result == SN_ERROR_DATA || result == SN_OK);
        bytes[i] ^= 4;
    }
    sn_world_destroy(world);
    sn_world_destroy(other);
}

TEST(a_recording_has_the_geometry) {
    const char *file = sizeof(sn_real) == 4 ? "shapes_f32.rec" : "shapes_f64.rec";
    sn_world *world = make_world(20, 9.81), *other = make_world(20, 9.81);
    sn_replay_report report;
    sn_collider collider;
    sn_collider_def def;
    REQUIRE_OK(sn_recording_start(world, file));
    build_heap(world);
    for (int i = 0; i < 30; i++) {
        CHECK_OK(sn_world_collider_at(world, (size_t)i % 6, &collider));
        CHECK_OK(sn_collider_get(world, collider, &def));
        if (i == 10) def.position.x += (sn_real)0.1;
        if (i == 12 || i == 13) def.radius = (sn_real)0.03;
        if (i == 10 || i == 12 || i == 13) CHECK_OK(sn_collider_set(world, collider, &def));
        if (i == 20) CHECK_OK(sn_collider_destroy(world, collider));
        if (i == 20) break;
        CHECK_OK(sn_world_step(world, (sn_real)dt));
    }
    CHECK_OK(sn_world_step(world, (sn_real)dt));
    CHECK_OK(sn_recording_stop(world));
    CHECK_OK(sn_replay_file(other, file, &report));
    CHECK(!report.differs && report.steps == 21);
    CHECK(sn_world_hash(world) == sn_world_hash(other));
    sn_world_destroy(world);
    sn_world_destroy(other);
    remove(file);
}

TESTS(RUN(a_ball_rests_on_every_slab), RUN(a_large_ball_lies_as_high_as_it_is_large),
      RUN(nothing_passes_through_a_slab_at_any_speed), RUN(what_is_inside_comes_out_slowly),
      RUN(a_sheet_keeps_its_sides_apart),
      RUN(a_sheet_that_moves_pushes_and_one_that_is_set_elsewhere_does_not),
      RUN(one_triangle_and_far_coordinates), RUN(bad_geometry_is_refused),
      RUN(threads_and_lanes_make_no_difference), RUN(a_snapshot_has_the_geometry),
      RUN(a_recording_has_the_geometry))
