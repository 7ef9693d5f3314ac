/* Meshes whose vertices the host moves: what they push, drag along and do not pass. */
#include "shape_worlds.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 400 };

/* A sheet of 0.02 m radius at the height 0, and its vertices. */
static sn_collider add_sheet(sn_world *world, sn_vec3 *x, size_t *count) {
    sn_collider collider;
    sn_mesh mesh = sheet_mesh(2, 16);
    sn_collider_def def = sn_collider_def_default();
    def.shape = SN_SHAPE_MESH;
    def.radius = (sn_real)0.02;
    def.geometry.two_sided = true;
    give(&def, &mesh);
    REQUIRE_OK(sn_collider_create(world, &def, &collider));
    *count = mesh.vertex_count;
    memcpy(x, mesh.positions, mesh.vertex_count * sizeof *x);
    sn_mesh_free(&mesh);
    return collider;
}

/* Lifted, and bent by a wave that travels. */
static void bend(sn_vec3 *to, const sn_vec3 *x, size_t count, double height, double time) {
    for (size_t i = 0; i < count; i++) {
        to[i] = x[i];
        to[i].y = (sn_real)(height + 0.1 * sin(4 * (double)x[i].x + 3 * time));
    }
}

TEST(a_sheet_takes_along_what_lies_on_it) {
    sn_world *world = make_world(20, 9.81);
    sn_vec3 x[MOST], to[MOST];
    size_t count;
    sn_collider sheet = add_sheet(world, x, &count);
    sn_node ball = add_ball(world, 0, 0.07, 0.1, 0.05);
    double way = 0;
    for (int frame = 0; frame < 60; frame++) {
        way += dt * dt * fmin(frame + 1, 30) * 1.0;
        for (size_t i = 0; i < count; i++) {
            to[i] = x[i];
            to[i].x += (sn_real)way;
        }
        CHECK_OK(sn_collider_set_vertices(world, sheet, to, count));
        CHECK_OK(sn_world_step(world, (sn_real)dt));
        CHECK_NEAR((double)look(world, ball).position.y, 0.07, 1e-3);
    }
    /* It was dragged with 1 m/s^2 up to 0.5 m/s, by friction alone. */
    CHECK_NEAR((double)look(world, ball).velocity.x, 0.5, 1e-2);
    CHECK_NEAR((double)look(world, ball).position.x, way, 2e-2);
    sn_world_destroy(world);
}

TEST(no_vertex_is_too_fast) {
    for (int k = 0; k < 5; k++) {
        double far = 0.05 * pow(4, k);
        check_case("%g m in a step", far);
        sn_world *world = make_world(3, 0);
        sn_vec3 x[MOST], to[MOST];
        size_t count;
        sn_collider sheet = add_sheet(world, x, &count);
        sn_node ball[20];
        for (int i = 0; i < 20; i++)
            ball[i] = add_ball(world, -0.8 + 0.08 * i, 0.2 + 0.002 * i, 0.13, 0.004 * (i % 3));
        for (int frame = 0; frame < 8; frame++) {
            bend(to, x, count, (frame + 1) * far, frame);
            CHECK_OK(sn_collider_set_vertices(world, sheet, to, count));
            CHECK_OK(sn_world_step(world, (sn_real)dt));
            for (int i = 0; i < 20; i++) {
                sn_vec3 at = look(world, ball[i]).position;
                double height = (frame + 1) * far + 0.1 * sin(4 * (double)at.x + 3 * frame);
                CHECK((double)at.y > height - 0.01 || fabs((double)at.x) > 0.95);
            }
        }
        sn_world_destroy(world);
    }
}

/* What meets a sheet on its way, in a single substep, ends on it where the sheet ends. */
TEST(what_meets_a_moving_sheet_ends_on_it) {
    for (int i = 0; i < 24; i++) {
        double lift = 0.08 * (i % 4 - 1), height = 0.1 + 0.1 * (i / 4 % 3), radius = 0.03 * (i % 2);
        double speed = 15 + 20 * (i / 12);
        sn_world *world = make_world(1, 0);
        sn_vec3 x[MOST];
        size_t count;
        sn_collider sheet = add_sheet(world, x, &count);
        sn_node ball = add_ball(world, 0.03, height, 0.11, radius);
        REQUIRE_OK(sn_node_set_velocity(world, ball, (sn_vec3){0, (sn_real)-speed, 0}));
        for (size_t k = 0; k < count; k++) x[k].y = (sn_real)lift;
        REQUIRE_OK(sn_collider_set_vertices(world, sheet, x, count));
        REQUIRE_OK(sn_world_step(world, (sn_real)dt));
        double free = height - speed * dt, on = lift + 0.02 + radius;
        check_case("lifted by %g m, %g m above, %g m/s, radius %g m", lift, height, speed, radius);
        CHECK_NEAR(look(world, ball).position.y, free > on ? free : on, 2e-4);
        sn_world_destroy(world);
    }
}

TEST(a_solid_that_swells_pushes_out_all_around) {
    sn_world *world = make_world(20, 0);
    sn_collider collider;
    sn_mesh mesh = sn_mesh_default();
    sn_sphere_def sphere = sn_sphere_def_default();
    sphere.radius = (sn_real)0.2;
    REQUIRE_OK(sn_generate_sphere(&mesh, &sphere));
    sn_collider_def def = sn_collider_def_default();
    def.shape = SN_SHAPE_MESH;
    give(&def, &mesh);
    REQUIRE_OK(sn_collider_create(world, &def, &collider));
    sn_node ball[30];
    for (int i = 0; i < 30; i++)
        ball[i] = add_ball(world, 0.25 * cos(i), 0.1 * sin(5.0 * i), 0.25 * sin(i), 0.01);
    for (int frame = 1; frame <= 30; frame++) {
        for (size_t i = 0; i < mesh.vertex_count; i++) {
            sn_real more = (sn_real)((0.2 + 0.01 * frame) / (0.2 + 0.01 * (frame - 1)));
            mesh.positions[i].x *= more;
            mesh.positions[i].y *= more;
            mesh.positions[i].z *= more;
        }
        CHECK_OK(sn_collider_set_vertices(world, collider, mesh.positions, mesh.vertex_count));
        CHECK_OK(sn_world_step(world, (sn_real)dt));
    }
    for (int i = 0; i < 30; i++) {
        sn_vec3 at = look(world, ball[i]).position;
        CHECK(sqrt((double)(at.x * at.x + at.y * at.y + at.z * at.z)) > 0.495);
    }
    /* They stand where they were sent. */
    CHECK_OK(sn_collider_get(world, collider, &def));
    CHECK(memcmp(def.geometry.vertices, mesh.positions,
                 mesh.vertex_count * sizeof *mesh.positions) == 0);
    sn_mesh_free(&mesh);
    sn_world_destroy(world);
}

TEST(bad_vertices_are_refused) {
    sn_world *world = make_world(1, 0);
    sn_vec3 x[MOST];
    size_t count;
    sn_collider sheet = add_sheet(world, x, &count);
    sn_collider slab = add_slab(world, SLAB_HULL, sn_collider_def_default());
    CHECK_FAILS(sn_collider_set_vertices(world, slab, x, count), SN_ERROR_VALUE);
    CHECK_FAILS(sn_collider_set_vertices(world, sheet, x, count - 1), SN_ERROR_VALUE);
    x[5].y = (sn_real)NAN;
    CHECK_FAILS(sn_collider_set_vertices(world, sheet, x, count), SN_ERROR_VALUE);
    sn_collider_def def;
    CHECK_OK(sn_collider_get(world, sheet, &def));
    CHECK_NEAR((double)def.geometry.vertices[5].y, 0, 0);
    sn_world_destroy(world);
}

TEST(snapshots_and_recordings_know_vertices_on_their_way) {
    static unsigned char bytes[1 << 18];
    const char *file = sizeof(sn_real) == 4 ? "moving_f32.rec" : "moving_f64.rec";
    sn_world *world = make_world(10, 9.81), *other = make_world(10, 9.81);
    sn_world *third = make_world(10, 9.81);
    sn_vec3 x[MOST], to[MOST];
    size_t count, size;
    REQUIRE_OK(sn_recording_start(world, file));
    sn_collider sheet = add_sheet(world, x, &count);
    for (int i = 0; i < 100; i++) add_ball(world, -0.9 + 0.018 * i, 0.3, 0.01 * (i % 9), 0.01);
    for (int frame = 0; frame < 60; frame++) {
        bend(to, x, count, 0, 0.1 * frame);
        if (frame % 5 != 4) CHECK_OK(sn_collider_set_vertices(world, sheet, to, count));
        CHECK_OK(sn_snapshot_save(world, bytes, sizeof bytes, &size));
        CHECK_OK(sn_snapshot_load(other, bytes, size));
        CHECK_OK(sn_world_step(world, (sn_real)dt));
        CHECK_OK(sn_world_step(other, (sn_real)dt));
        CHECK(sn_world_hash(world) == sn_world_hash(other));
    }
    CHECK_OK(sn_recording_stop(world));
    sn_replay_report report;
    CHECK_OK(sn_replay_file(third, file, &report));
    CHECK(!report.differs && report.steps == 60);
    sn_world_destroy(world);
    sn_world_destroy(other);
    sn_world_destroy(third);
    remove(file);
}

TESTS(RUN(a_sheet_takes_along_what_lies_on_it), RUN(no_vertex_is_too_fast),
      RUN(what_meets_a_moving_sheet_ends_on_it), RUN(a_solid_that_swells_pushes_out_all_around),
      RUN(bad_vertices_are_refused), RUN(snapshots_and_recordings_know_vertices_on_their_way))
