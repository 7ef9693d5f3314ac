/*
 * Contacts with either integrator: what they are told to do, and what bodies that touch do to each
 * other while one of them begins anew.
 */
#include "frame.h"

#include <math.h>
#include <stdio.h>

static const double h = 1.0 / 1200;

#define FOR_BOTH_INTEGRATORS(integrator)                                                           \
    for (sn_integrator integrator = SN_INTEGRATOR_BDF1; integrator <= SN_INTEGRATOR_BDF2;          \
         integrator++)

static sn_world *make_scene(double gravity, sn_integrator integrator) {
    sn_settings settings = sn_settings_default();
    settings.gravity = vector(0, -gravity, 0);
    settings.integrator = integrator;
    return make_world(settings);
}

static sn_node add_rigid(sn_world *world, sn_shape shape, vec extent, vec position, double mass,
                         bool own) {
    sn_collider_def def = sn_collider_def_default();
    sn_rigid_def rigid = sn_rigid_def_default();
    sn_body_def body = sn_body_def_default();
    sn_collider made;
    sn_node node;
    def.shape = shape;
    def.extent = vector(extent.x, extent.y, extent.z);
    if (shape == SN_SHAPE_SPHERE) def.radius = (sn_real)extent.x;
    def.position = vector(position.x, position.y, position.z);
    if (own) REQUIRE_OK(sn_body_create(world, &body, &rigid.body));
    rigid.mass = (sn_real)mass;
    REQUIRE_OK(sn_rigid_create(world, &rigid, &def, &node, &made));
    return node;
}

static sn_node add_body(sn_world *world, sn_shape shape, vec extent, vec position, double mass) {
    return add_rigid(world, shape, extent, position, mass, true);
}

/* ---- What is told ---- */

/* Boxes on each other, a ball and a particle press on a plane that leans, and on each other, with
   their weights; friction holds its part of that. */
TEST(what_lies_presses_with_its_weight) {
    const double slope = 0.2;
    FOR_BOTH_INTEGRATORS(integrator) {
        for (int leans = 0; leans < 2; leans++) {
            check_case("%s, %s", sn_integrator_name(integrator), leans ? "leans" : "lies");
            sn_settings settings = sn_settings_default();
            double at = leans ? slope : 0;
            settings.gravity = vector(GRAVITY * sin(at), -GRAVITY * cos(at), 0);
            settings.integrator = integrator;
            sn_world *world = make_world(settings);
            sn_collider_def plane = sn_collider_def_default();
            sn_collider floor;
            sn_vec3 force;
            REQUIRE_OK(sn_collider_create(world, &plane, &floor));
            sn_node box = add_body(world, SN_SHAPE_BOX, (vec){0.2, 0.1, 0.2}, (vec){0, 0.1, 0}, 3);
            sn_node top = add_body(world, SN_SHAPE_BOX, (vec){0.1, 0.1, 0.1}, (vec){0, 0.3, 0}, 2);
            sn_node_def ball = sn_node_def_default();
            sn_node particle;
            ball.inverse_mass = (sn_real)0.25;
            ball.radius = (sn_real)0.1;
            ball.position = vector(2, 0.1, 0);
            REQUIRE_OK(sn_node_create(world, &ball, &particle));
            advance(world, h, 1200);
            double along = 0, down = 0;
            for (int k = 0; k < 10; k++) {
                advance(world, h, 20);
                REQUIRE_OK(sn_collider_contact_force(world, floor, &force));
                along += (double)force.x / 10;
                down += (double)force.y / 10;
            }
            CHECK_REL(down, -9 * GRAVITY * cos(at), 1e-3);
            CHECK_NEAR(along, 9 * GRAVITY * sin(at), 1e-2);
            sn_node_def def;
            REQUIRE_OK(sn_node_get(world, top, &def));
            REQUIRE_OK(sn_body_contact_force(world, def.body, &force));
            CHECK_REL((double)force.y, 2 * GRAVITY * cos(at), 1e-2);
            REQUIRE_OK(sn_node_get(world, box, &def));
            REQUIRE_OK(sn_body_contact_force(world, def.body, &force));
            CHECK_REL((double)force.y, 3 * GRAVITY * cos(at), 1e-2);
            sn_world_destroy(world);
        }
    }
}

/* ---- What they do ---- */

/* A ball that flies into a free net: what it loses the net has, at every time, though the net
   begins anew wherever another node of it is struck. */
TEST(what_a_net_catches_keeps_momentum) {
    enum { SIDE = 9 };
    FOR_BOTH_INTEGRATORS(integrator) {
        check_case("%s", sn_integrator_name(integrator));
        sn_world *world = make_scene(0, integrator);
        sn_body_def body = sn_body_def_default();
        sn_node_def def = sn_node_def_default();
        sn_node node[SIDE * SIDE];
        sn_constraint made;
        REQUIRE_OK(sn_body_create(world, &body, &def.body));
        for (int i = 0; i < SIDE * SIDE; i++) {
            def.position = vector(0.05 * (i % SIDE - 4), 0, 0.05 * (i / SIDE - 4));
            def.inverse_mass = 100;
            def.radius = (sn_real)0.01;
            REQUIRE_OK(sn_node_create(world, &def, &node[i]));
        }
        for (int i = 0; i < SIDE * SIDE; i++)
            for (int k = 0; k < 2; k++) {
                int other = k ? i + SIDE : i + 1;
                if (other >= SIDE * SIDE || (!k && other % SIDE == 0)) continue;
                sn_distance_def link = sn_distance_def_default();
                link.node[0] = node[i];
                link.node[1] = node[other];
                link.compliance = (sn_real)1e-5;
                REQUIRE_OK(sn_constraint_create(world, SN_TYPE_DISTANCE, &link, &made));
            }
        sn_node ball =
            add_body(world, SN_SHAPE_SPHERE, (vec){0.1, 0, 0}, (vec){0.03, 0.3, 0.02}, 2);
        REQUIRE_OK(sn_node_set_velocity(world, ball, vector(0.3, -3, 0)));
        sn_measure begin = measure_of(world);
        double most = 0;
        for (int k = 0; k < 60; k++) {
            advance(world, h, 20);
            sn_measure m = measure_of(world);
            double x = m.momentum[0] - begin.momentum[0], y = m.momentum[1] - begin.momentum[1];
            most = fmax(most, sqrt(x * x + y * y));
        }
        if (check_shows())
            printf("%s: %g of %g\n", sn_integrator_name(integrator), most, -begin.momentum[1]);
        CHECK(most < TOL(1e-9, 1e-4) * 6);
        sn_world_destroy(world);
    }
}

/* Two bars on a hook that fall onto the floor: joints make one of them for the integrator, whether
   each is a body of its own or none is. */
TEST(what_hangs_together_begins_anew_together) {
    sn_world *world[2];
    sn_node bar[2][2];
    for (int own = 0; own < 2; own++) {
        world[own] = make_scene(GRAVITY, SN_INTEGRATOR_BDF2);
        sn_collider_def plane = sn_collider_def_default();
        sn_collider floor;
        REQUIRE_OK(sn_collider_create(world[own], &plane, &floor));
        sn_node last = add_fixed_frame(world[own], (vec){0, 1, 0}, (quat){0, 0, 0, 1});
        for (int k = 0; k < 2; k++) {
            const vec half = {0.25, 0.05, 0.05}, at = {0.3 + 0.6 * k, 1, 0};
            sn_ball_joint_def joint = sn_ball_joint_def_default();
            sn_constraint made;
            joint.node[0] = last;
            last = joint.node[1] = bar[own][k] =
                add_rigid(world[own], SN_SHAPE_BOX, half, at, 2, own);
            joint.anchor_1 = vector(-0.3, 0, 0);
            REQUIRE_OK(sn_constraint_create(world[own], SN_TYPE_BALL_JOINT, &joint, &made));
        }
    }
    for (int k = 0; k < 60; k++) {
        advance(world[0], h, 20);
        advance(world[1], h, 20);
        double apart = 0;
        for (int i = 0; i < 2; i++)
            apart +=
                length(sub(position_of(world[0], bar[0][i]), position_of(world[1], bar[1][i])));
        if (!CHECK_NEAR(apart, 0, 0)) break;
    }
    for (int own = 0; own < 2; own++) sn_world_destroy(world[own]);
}

TESTS(RUN(what_hangs_together_begins_anew_together), RUN(what_lies_presses_with_its_weight),
      RUN(what_a_net_catches_keeps_momentum))
