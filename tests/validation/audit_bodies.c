/* The energy audit of rigid bodies that strike: what impacts, friction and joints do. */
#include "audits.h"

/* A box that falls on an edge and tips over, and one that falls on another: without friction all
   that is lost is impact and the integrator's, though contacts turn them. */
TEST(boxes_that_tip_over_lose_to_impacts) {
    for (int i = 0; i < 8; i++) {
        double friction = i / 2 % 2 ? 0.4 : 0, restitution = i / 4 ? 0.5 : 0;
        check_case("%s, friction %g, restitution %g", sn_integrator_name((sn_integrator)(i % 2)),
                   friction, restitution);
        sn_world *world = make_world(heavy(40, (sn_integrator)(i % 2)));
        add_floor(world, friction, restitution);
        add_box(world, (vec){0, 0.05, 0}, (vec){0.2, 0.05, 0.2}, 0, friction);
        add_box(world, (vec){0.15, 0.4, 0}, (vec){0.1, 0.1, 0.1}, 0.3, friction);
        add_box(world, (vec){2, 0.4, 0}, (vec){0.1, 0.2, 0.1}, 0.5, friction);
        REQUIRE_OK(sn_world_audit_start(world));
        advance(world, 5e-4, 1600);
        sn_audit a = closed_audit_of(world);
        double lost = a.lost_impact + a.lost_friction + a.lost_integrator;
        CHECK(a.lost_impact > 1);
        if (friction == 0) CHECK_NEAR(a.lost_friction, 0, (restitution > 0 ? 1e-3 : 1e-6) * lost);
        if (friction > 0) CHECK(a.lost_friction > 0.01 * lost);
        CHECK_NEAR(a.unexplained, 0, 0.01 * lost);
        sn_world_destroy(world);
    }
}

/* Two bars on a hook that fall onto a step: what strikes is taken from both in its substep, by
   contacts and joints in turn, of which each has done its own. */
TEST(bars_that_joints_hold_lose_to_impacts) {
    for (int i = 0; i < 4; i++) {
        double friction = i / 2 ? 0.4 : 0;
        check_case("%s, friction %g", sn_integrator_name((sn_integrator)(i % 2)), friction);
        sn_world *world = make_world(heavy(40, (sn_integrator)(i % 2)));
        add_floor(world, friction, 0);
        sn_node last = add_fixed_frame(world, (vec){0, 1, 0}, (quat){0, 0, 0, 1});
        for (int k = 0; k < 2; k++) {
            sn_ball_joint_def joint = sn_ball_joint_def_default();
            sn_constraint made;
            joint.node[0] = last;
            last = joint.node[1] =
                add_box(world, (vec){0.3 + 0.6 * k, 1, 0}, (vec){0.25, 0.05, 0.05}, 0, friction);
            joint.anchor_1 = vector(-0.3, 0, 0);
            REQUIRE_OK(sn_constraint_create(world, SN_TYPE_BALL_JOINT, &joint, &made));
        }
        REQUIRE_OK(sn_world_audit_start(world));
        advance(world, 5e-4, 2400);
        sn_audit a = closed_audit_of(world);
        double lost = a.began - a.kinetic - a.potential;
        CHECK(a.lost_impact > 0.4 * lost && a.lost_impact < lost);
        if (friction == 0) CHECK_NEAR(a.lost_friction, 0, 1e-3 * lost);
        if (friction > 0) CHECK(a.lost_friction > 0.5 * lost);
        CHECK_NEAR(a.unexplained, 0, 0.025 * lost);
        sn_world_destroy(world);
    }
}

/* A box runs into one of the same mass and stays at it: half of the energy is gone, to the impact
   alone, and no collider has done any work, though both shapes move. */
TEST(boxes_that_collide_lose_half_to_the_impact) {
    for (int i = 0; i < 2; i++) {
        sn_world *world = make_world(weightless(10, SN_INTEGRATOR_BDF1));
        sn_collider_def box = sn_collider_def_default();
        sn_body_def body = sn_body_def_default();
        sn_rigid_def def = sn_rigid_def_default();
        sn_collider shape;
        sn_node node[2];
        box.shape = i ? SN_SHAPE_SPHERE : SN_SHAPE_BOX;
        if (!i) box.extent = vector(0.1, 0.1, 0.1);
        if (i) box.radius = (sn_real)0.1;
        def.density = 1000;
        for (int k = 0; k < 2; k++) {
            REQUIRE_OK(sn_body_create(world, &body, &def.body));
            box.position = vector(0.5 * k, 0, 0);
            REQUIRE_OK(sn_rigid_create(world, &def, &box, &node[k], &shape));
        }
        REQUIRE_OK(sn_node_set_velocity(world, node[0], vector(2, 0, 0)));
        double mass = 1000 * (i ? 4 * PI / 3 * 0.001 : 0.008);
        REQUIRE_OK(sn_world_audit_start(world));
        advance(world, 1.0 / 600, 300);
        sn_audit a = closed_audit_of(world);
        check_case("%s: %g of %g J", i ? "balls" : "boxes", a.lost_impact, mass);
        CHECK_REL(a.kinetic, mass, 0.01);
        CHECK_REL(a.lost_impact, mass, 0.01);
        CHECK_NEAR(a.work_colliders, 0, 1e-9 * mass);
        CHECK_NEAR(fabs(a.lost_friction) + fabs(a.unexplained), 0, 1e-3 * mass);
        sn_world_destroy(world);
    }
}

TESTS(RUN(boxes_that_tip_over_lose_to_impacts), RUN(bars_that_joints_hold_lose_to_impacts),
      RUN(boxes_that_collide_lose_half_to_the_impact))
