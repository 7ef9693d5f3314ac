/*
 * Worlds with two dimensions: what is across the plane stays to the bit whatever pushes there, what
 * is in it is as with three, frames turn about the normal alone, and bodies of triangles touch by
 * their outlines.
 */
#include "validation/build.h"

#include <math.h>
#include <string.h>

enum { LINKS = 12 };

static double across(vec x, sn_plane plane) {
    return plane == SN_PLANE_YZ ? x.x : plane == SN_PLANE_XZ ? x.y : x.z;
}

static void push(void *user, const sn_force_field_input *input, sn_vec4 *acceleration) {
    (void)user;
    for (size_t i = 0; i < input->count; i++)
        acceleration[i] = (sn_vec4){3, (sn_real)(i % 3), (sn_real)(5 - (double)i), 0};
}

/* A chain that gravity and a field push in all directions, past a ball that it hits beside its
   middle. */
TEST(what_is_across_stays_to_the_bit) {
    static const sn_plane planes[] = {SN_PLANE_YZ, SN_PLANE_XZ, SN_PLANE_XY};
    for (int k = 0; k < 6; k++) {
        sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
        sn_plane plane = settings.plane = planes[k % 3];
        settings.integrator = k < 3 ? SN_INTEGRATOR_BDF1 : SN_INTEGRATOR_BDF2;
        settings.gravity = vector(-4, -9, 3);
        sn_world *world = make_world(settings);
        sn_node node[LINKS];
        vec before[LINKS];
        for (int i = 0; i < LINKS; i++) {
            vec x = {0.1 * i + 0.3, 0.05 * i, 0.7 - 0.03 * i};
            node[i] = i == LINKS - 1 ? add_pin(world, x) : add_node(world, x, 0.1);
            if (i > 0) add_link(world, node[i - 1], node[i], 0.12, 1e-6);
            before[i] = position_of(world, node[i]);
        }
        sn_collider_def ball = sn_collider_def_default();
        sn_collider collider;
        ball.shape = SN_SHAPE_SPHERE;
        ball.radius = (sn_real)0.3;
        ball.position = vector(0.6, -0.2, 0.5);
        REQUIRE_OK(sn_collider_create(world, &ball, &collider));
        REQUIRE_OK(sn_world_add_force_field(world, push, NULL));
        double moved = 0;
        for (int step = 0; step < 60; step++) {
            REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
            for (int i = 0; i < LINKS; i++) {
                vec x = position_of(world, node[i]);
                CHECK(across(x, plane) == across(before[i], plane));
                CHECK(across(velocity_of(world, node[i]), plane) == 0);
                moved = fmax(moved, length(sub(x, before[i])));
            }
        }
        CHECK(moved > 0.2);
        sn_world_destroy(world);
    }
}

/* Where nothing leads out of it, the plane changes no bit. */
TEST(what_is_in_the_plane_is_as_with_three) {
    vec end[2][LINKS];
    for (int k = 0; k < 2; k++) {
        sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
        settings.plane = k == 0 ? SN_PLANE_NONE : SN_PLANE_XY;
        sn_world *world = make_world(settings);
        sn_node node[LINKS];
        for (int i = 0; i < LINKS; i++) {
            vec x = {0.1 * i, 0.02 * (i % 2), 0};
            node[i] = i == 0 ? add_pin(world, x) : add_node(world, x, 0.1);
            if (i > 0) add_link(world, node[i - 1], node[i], 0.1, 0);
        }
        for (int step = 0; step < 60; step++) REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
        for (int i = 0; i < LINKS; i++) end[k][i] = position_of(world, node[i]);
        sn_world_destroy(world);
    }
    for (int i = 0; i < LINKS; i++) CHECK(length(sub(end[0][i], end[1][i])) == 0);
    CHECK(end[1][LINKS - 1].y < -0.5);
}

/* A limit of speeds that nobody comes near holds back nothing, whatever was pushed across. */
TEST(a_speed_limit_sees_the_plane_alone) {
    vec end[2];
    for (int k = 0; k < 2; k++) {
        sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
        settings.plane = SN_PLANE_XY;
        settings.integrator = SN_INTEGRATOR_BDF2;
        settings.gravity = vector(1, -9, 5);
        if (k == 1) settings.speed_limit = 30;
        sn_world *world = make_world(settings);
        sn_node node = add_node(world, (vec){0, 0, 0.5}, 1);
        for (int step = 0; step < 60; step++) REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
        end[k] = position_of(world, node);
        sn_world_destroy(world);
    }
    CHECK(length(sub(end[0], end[1])) == 0);
    CHECK_REL(end[0].y, -4.5, 0.02);
}

/* A plate with a torque about all axes turns about z, by t^2 / 2 of what that one gives. */
TEST(frames_turn_about_the_normal) {
    sn_settings settings = weightless_settings(SN_SOLVER_COLOURED);
    settings.plane = SN_PLANE_XY;
    sn_world *world = make_world(settings);
    sn_node_def def = sn_node_def_default();
    sn_node node;
    def.oriented = true;
    def.inverse_inertia = vector(1, 2, 4);
    REQUIRE_OK(sn_node_create(world, &def, &node));
    for (int step = 0; step < 120; step++) {
        REQUIRE_OK(sn_node_add_torque(world, node, vector(3, -2, 0.25)));
        REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 120)));
        REQUIRE_OK(sn_node_get(world, node, &def));
        CHECK(def.orientation.x == 0 && def.orientation.y == 0);
        CHECK(def.angular_velocity.x == 0 && def.angular_velocity.y == 0);
    }
    CHECK_REL((double)def.angular_velocity.z, 1, 1e-4);
    /* Substeps of backward Euler turn by h / 2 more. */
    CHECK_REL(2 * atan2((double)def.orientation.z, (double)def.orientation.w), 0.5, 0.01);
    sn_world_destroy(world);
}

/* Two squares of triangles fall on each other: they lie apart by their radii, with all nodes in
   the plane. */
TEST(bodies_touch_by_their_outlines) {
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    settings.plane = SN_PLANE_XY;
    settings.substeps = 20;
    settings.damping = 1;
    sn_world *world = make_world(settings);
    sn_grid_def grid = sn_grid_def_default();
    sn_mesh mesh = sn_mesh_default();
    grid.width = grid.depth = (sn_real)0.4;
    grid.columns = grid.rows = 4;
    REQUIRE_OK(sn_generate_grid(&mesh, &grid));
    sn_cloth_material cloth = sn_cloth_material_default();
    cloth.stretch_stiffness = 2000;
    cloth.area_density = 1;
    cloth.thickness = (sn_real)0.02;
    sn_node node[2][25];
    for (int k = 0; k < 2; k++) {
        sn_build_def def = sn_build_def_default();
        sn_build build;
        def.mesh = &mesh;
        def.rotation = (sn_quat){(sn_real)0.70710678, 0, 0, (sn_real)0.70710678};
        def.position = vector(0.05 * k, 0.25 + 0.45 * k, 0);
        def.collide = SN_COLLIDE_OTHERS;
        REQUIRE_OK(sn_build_body(world, SN_KIND_CLOTH, &cloth, &def, node[k], &build));
    }
    sn_collider_def floor = sn_collider_def_default();
    sn_collider collider;
    floor.shape = SN_SHAPE_PLANE;
    REQUIRE_OK(sn_collider_create(world, &floor, &collider));
    vec start = position_of(world, node[1][7]);
    for (int step = 0; step < 120; step++) REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
    double high = -1, low = 10;
    for (int i = 0; i < 25; i++) {
        high = fmax(high, position_of(world, node[0][i]).y);
        low = fmin(low, position_of(world, node[1][i]).y);
    }
    CHECK(position_of(world, node[1][7]).z == start.z);
    /* 4 N on 0.4 m of 2000 N/m, and what edges give on squares cut by diagonals. */
    CHECK_NEAR(low - high, 0.02, 0.004);
    CHECK_NEAR(high, 0.41, 0.01);
    sn_mesh_free(&mesh);
    sn_world_destroy(world);
}

TESTS(RUN(what_is_across_stays_to_the_bit), RUN(what_is_in_the_plane_is_as_with_three),
      RUN(a_speed_limit_sees_the_plane_alone), RUN(frames_turn_about_the_normal),
      RUN(bodies_touch_by_their_outlines))
