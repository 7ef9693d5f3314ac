/*
 * The energy audit against known answers: losses of the integrator, of dashpots, friction, bounces
 * and plastic flow, the work of what moves by itself; sums that close; and a simulation that does
 * not know of it.
 */
#include "audits.h"
#include "rod.h"

#include <math.h>
#include <string.h>

#define FOR_BOTH_INTEGRATORS(integrator)                                                           \
    for (sn_integrator integrator = SN_INTEGRATOR_BDF1; integrator <= SN_INTEGRATOR_BDF2;          \
         integrator++)

/* ---- What is conservative ---- */

/* A hard link that begins too long, and one that a call makes too long, pull by what they have
   undone: twice m v^2, of which the integrator loses half. */
TEST(a_hard_link_gives_what_it_begins_with) {
    const double h = 0.01, m = 2, off = 0.25;
    sn_world *world = make_world(weightless(1, SN_INTEGRATOR_BDF1));
    sn_node a = add_node(world, (vec){0, 0, 0}, m),
            b = add_node(world, (vec){1 + 2 * off, 0, 0}, m);
    add_link(world, a, b, 1, 0);
    REQUIRE_OK(sn_world_audit_start(world));
    for (int moved = 0; moved < 2; moved++) {
        double v = off / h, gives = (1 + moved) * 2 * m * v * v;
        check_case("%s", moved ? "moved" : "begun");
        advance(world, h, 1);
        sn_audit audit = closed_audit_of(world);
        CHECK_REL(audit.lost_solver, -gives, TOL(1e-9, 1e-4));
        CHECK_REL(audit.lost_integrator, gives / 2, TOL(1e-9, 1e-4));
        CHECK_NEAR(audit.unexplained, 0, TOL(1e-9, 1e-4) * gives);
        REQUIRE_OK(sn_node_set_velocity(world, a, vector(0, 0, 0)));
        REQUIRE_OK(sn_node_set_velocity(world, b, vector(0, 0, 0)));
        REQUIRE_OK(sn_node_set_position(world, b, vector(1 + 3 * off, 0, 0)));
    }
    sn_world_destroy(world);
}

/* A node on a spring: what backward Euler loses is all that is lost, and known substep by substep:
   m dv^2 / 2 and k dx^2 / 2. */
TEST(a_spring_loses_to_the_integrator_alone) {
    sn_world *world = make_world(weightless(1, SN_INTEGRATOR_BDF1));
    sn_node pin = add_pin(world, (vec){0, 0, 0}), node = add_node(world, (vec){1.5, 0, 0}, 2);
    add_link(world, pin, node, 1, 1e-3);
    REQUIRE_OK(sn_world_audit_start(world));
    double h = 1e-3, lost = 0, x = 0.5, v = 0;
    for (int k = 0; k < 500; k++) {
        advance(world, h, 1);
        double x1 = (x + h * v) / (1 + 500 * h * h), v1 = (x1 - x) / h;
        lost += 0.5 * 2 * (v1 - v) * (v1 - v) + 0.5 * 1000 * (x1 - x) * (x1 - x);
        x = x1;
        v = v1;
    }
    sn_audit a = closed_audit_of(world);
    CHECK_NEAR(a.began, 125, 1e-4);
    CHECK_REL(a.lost_integrator, lost, TOL(1e-9, 1e-4));
    CHECK_NEAR(a.lost_solver, 0, TOL(1e-9, 1e-3));
    CHECK_NEAR(a.unexplained, 0, TOL(1e-9, 1e-3));
    sn_world_destroy(world);
}

/* A hard pendulum. */
static sn_world *make_pendulum(sn_integrator integrator) {
    sn_world *world = make_world(heavy(20, integrator));
    sn_node pin = add_pin(world, (vec){0, 0, 0}), node = add_node(world, (vec){1, 0, 0}, 1);
    add_link(world, pin, node, 1, 0);
    REQUIRE_OK(sn_world_audit_start(world));
    return world;
}

TEST(a_pendulum_loses_to_the_integrator_alone) {
    FOR_BOTH_INTEGRATORS(integrator) {
        check_case("%s", sn_integrator_name(integrator));
        sn_world *world = make_pendulum(integrator);
        advance(world, 1.0 / 1200, 2400);
        sn_audit a = closed_audit_of(world);
        double lost = a.began - (a.kinetic + a.potential + a.elastic);
        CHECK_NEAR(a.lost_integrator, lost, TOL(1e-10, 1e-4));
        CHECK_NEAR(a.unexplained, 0, TOL(1e-10, 1e-4));
        CHECK_NEAR(a.lost_damping, 0, 0);
        CHECK_NEAR(a.lost_friction, 0, 0);
        CHECK_NEAR(a.work_nodes, 0, 0);
        sn_world_destroy(world);
    }
}

/* ---- Damping ---- */

/*
 * A dashpot beside a spring. Substep by substep, backward Euler of the spring and then of the
 * dashpot, which leaves v / (1 + h beta / m): to rounding. And in all, what the free damped
 * oscillator loses, but for the loss of the integrator, of which it is the tenth part here.
 */
TEST(a_dashpot_takes_what_a_damped_oscillator_loses) {
    sn_world *world = make_world(weightless(1, SN_INTEGRATOR_BDF1));
    sn_node pin = add_pin(world, (vec){0, 0, 0}), node = add_node(world, (vec){1.5, 0, 0}, 1);
    sn_constraint link = add_link(world, pin, node, 1, 1e-2);
    sn_real beta[3] = {2, 0, 0};
    REQUIRE_OK(sn_constraint_set_field(world, link, "damping", beta));
    REQUIRE_OK(sn_world_audit_start(world));
    double h = 1e-4, x = 0.5, v = 0, damped = 0, integrated = 0;
    for (int k = 0; k < 5000; k++) {
        double x1 = (x + h * v) / (1 + 100 * h * h), v1 = (x1 - x) / h, left = v1 / (1 + 2 * h);
        integrated += 0.5 * (v1 - v) * (v1 - v) + 50 * (x1 - x) * (x1 - x);
        damped += 0.5 * (v1 * v1 - left * left);
        x = x1;
        v = left;
    }
    advance(world, h, 5000);
    sn_audit a = closed_audit_of(world);
    CHECK_REL(a.lost_damping, damped, TOL(1e-9, 1e-4));
    CHECK_REL(a.lost_integrator, integrated, TOL(1e-9, 1e-3));
    CHECK_NEAR(a.unexplained, 0, TOL(1e-9, 1e-4));
    /* x'' + 2 x' + 100 x = 0 from 0.5 m: half a second. */
    double w = sqrt(99.0), t = 0.5, c = cos(w * t), s = sin(w * t), e = 0.5 * exp(-t);
    double end = e * (c + s / w), speed = -e * s * (w + 1 / w);
    CHECK_REL(a.lost_damping + a.lost_integrator, 12.5 - 0.5 * speed * speed - 50 * end * end,
              0.005);
    sn_world_destroy(world);
}

/* Point damping of a node that flies: all that it loses. */
TEST(point_damping_takes_what_a_flying_node_loses) {
    FOR_BOTH_INTEGRATORS(integrator) {
        check_case("%s", sn_integrator_name(integrator));
        sn_settings settings = weightless(1, integrator);
        settings.damping = 1;
        sn_world *world = make_world(settings);
        sn_node node = add_node(world, (vec){0, 0, 0}, 3);
        REQUIRE_OK(sn_node_set_velocity(world, node, vector(2, 0, 0)));
        REQUIRE_OK(sn_world_audit_start(world));
        advance(world, 1e-3, 1000);
        sn_audit a = closed_audit_of(world);
        CHECK_REL(a.lost_damping + a.lost_integrator, 6 * (1 - exp(-2)), 2e-3);
        CHECK_REL(a.lost_damping, 6 * (1 - exp(-2)), 2e-3);
        CHECK_NEAR(a.unexplained, 0, TOL(1e-9, 1e-4));
        sn_world_destroy(world);
    }
}

/* ---- Contact ---- */

static sn_node add_ball(sn_world *world, vec at, double mass, double radius) {
    sn_node_def def = sn_node_def_default();
    def.position = vector(at.x, at.y, at.z);
    def.inverse_mass = (sn_real)(1 / mass);
    def.radius = (sn_real)radius;
    sn_node node;
    REQUIRE_OK(sn_node_create(world, &def, &node));
    return node;
}

/* Throws 2 kg that lie on a floor of friction 0.3 along it with 2 m/s: they still slide in the end,
   have lost mu m g s to friction and nothing to impacts. */
static sn_audit slide(sn_world *world, sn_node node) {
    REQUIRE_OK(sn_node_set_velocity(world, node, vector(2, 0, 0)));
    REQUIRE_OK(sn_world_audit_start(world));
    advance(world, 1e-3, 400);
    double s = position_of(world, node).x;
    sn_audit a = closed_audit_of(world);
    CHECK(velocity_of(world, node).x > 0.5);
    CHECK_REL(a.lost_friction, 0.3 * 2 * GRAVITY * s, 0.01);
    CHECK_NEAR(a.lost_impact, 0, 0.01 * a.lost_friction);
    return a;
}

/* What slides loses mu m g s to friction, on positions and on velocities, with both integrators. */
TEST(what_slides_loses_mu_m_g_s) {
    for (int i = 0; i < 4; i++) {
        sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
        settings.substeps = 10;
        settings.integrator = (sn_integrator)(i % 2);
        settings.friction = i < 2 ? SN_FRICTION_POSITION : SN_FRICTION_VELOCITY;
        check_case("%s, %s", sn_integrator_name(settings.integrator), i < 2 ? "x" : "v");
        sn_world *world = make_world(settings);
        add_floor(world, 0.3, 0);
        sn_node node = add_ball(world, (vec){0, 0.1, 0}, 2, 0.1);
        sn_audit a = slide(world, node);
        CHECK_NEAR(a.lost_integrator, 0, 0.01 * a.lost_friction);
        CHECK_NEAR(a.unexplained, 0, 1e-3 * a.lost_friction);
        sn_world_destroy(world);
    }
}

/* Friction is what acts across the normal where they touch, by the motion of that place. */
TEST(a_box_that_slides_loses_mu_m_g_s) {
    for (int i = 0; i < 4; i++) {
        sn_settings settings = heavy(20, (sn_integrator)(i % 2));
        settings.friction = i < 2 ? SN_FRICTION_POSITION : SN_FRICTION_VELOCITY;
        check_case("%s, %s", sn_integrator_name(settings.integrator), i < 2 ? "x" : "v");
        sn_world *world = make_world(settings);
        add_floor(world, 0.3, 0);
        sn_node node = add_box(world, (vec){0, 0.1, 0}, (vec){0.2, 0.1, 0.2}, 0, 0.3);
        sn_audit a = slide(world, node);
        CHECK_NEAR(a.unexplained, 0, 0.01 * a.lost_friction);
        sn_world_destroy(world);
    }
}

/* Two balls that lie on each other, each of them its own collision surface. */
static void add_pile(sn_world *world, double x) {
    for (int i = 0; i < 2; i++) {
        sn_collision_surface_def def = sn_collision_surface_def_default();
        sn_collision_surface made;
        sn_node node = add_ball(world, (vec){x, 0.1 + 0.2 * i, 0}, 1, 0.1);
        def.nodes = &node;
        def.node_count = 1;
        REQUIRE_OK(sn_collision_surface_create(world, &def, &made));
    }
}

/* Contacts of all kinds are looked at, each by its own impulses. */
TEST(what_lies_beside_what_slides_loses_nothing) {
    sn_world *world = make_world(heavy(10, SN_INTEGRATOR_BDF1));
    add_floor(world, 0.3, 0);
    sn_node node = add_ball(world, (vec){0, 0.1, 0}, 2, 0.1);
    add_pile(world, -3);
    REQUIRE_OK(sn_node_set_velocity(world, node, vector(2, 0, 0)));
    REQUIRE_OK(sn_world_audit_start(world));
    advance(world, 1e-3, 400);
    double s = position_of(world, node).x;
    sn_audit a = closed_audit_of(world);
    CHECK_REL(a.lost_friction, 0.3 * 2 * GRAVITY * s, 0.01);
    CHECK_NEAR(a.lost_impact, 0, 0.01 * a.lost_friction);
    CHECK_NEAR(a.unexplained, 0, 1e-3 * a.lost_friction);
    sn_world_destroy(world);
}

/* A full ball that is thrown along the floor slides until it rolls with 5/7 of its speed: friction
   has 2/7 of its energy, and nothing once it rolls. */
TEST(a_ball_that_begins_to_roll_loses_two_sevenths) {
    FOR_BOTH_INTEGRATORS(integrator) {
        check_case("%s", sn_integrator_name(integrator));
        sn_world *world = make_world(heavy(10, integrator));
        add_floor(world, 0.3, 0);
        sn_body_def body_def = sn_body_def_default();
        sn_node_def def = sn_node_def_default();
        body_def.rolls = true;
        REQUIRE_OK(sn_body_create(world, &body_def, &def.body));
        def.position = vector(0, 0.1, 0);
        def.velocity = vector(2, 0, 0);
        def.radius = (sn_real)0.1;
        def.oriented = true;
        def.inverse_inertia = vector(250, 250, 250);
        sn_node node;
        REQUIRE_OK(sn_node_create(world, &def, &node));
        REQUIRE_OK(sn_world_audit_start(world));
        advance(world, 1e-3, 1000);
        sn_audit a = closed_audit_of(world);
        CHECK_REL(velocity_of(world, node).x, 2 * 5.0 / 7, 0.01);
        CHECK_REL(a.lost_friction, 2 * 2.0 / 7, 0.01);
        CHECK_NEAR(a.lost_impact, 0, 0.01 * a.lost_friction);
        CHECK_NEAR(a.lost_integrator, 0, 0.01 * a.lost_friction);
        CHECK_NEAR(a.unexplained, 0, TOL(1e-9, 1e-3) * a.lost_friction);
        sn_world_destroy(world);
    }
}

/* A ball that falls from h loses (1 - e^2) m g h in its first bounce. */
TEST(a_bounce_loses_what_its_restitution_does_not_give_back) {
    FOR_BOTH_INTEGRATORS(integrator) {
        check_case("%s", sn_integrator_name(integrator));
        sn_world *world = make_world(heavy(10, integrator));
        add_floor(world, 0, 0.5);
        add_ball(world, (vec){0, 1.1, 0}, 3, 0.1);
        REQUIRE_OK(sn_world_audit_start(world));
        advance(world, 1e-4, 6000);
        sn_audit a = closed_audit_of(world);
        CHECK_REL(a.lost_impact, 0.75 * 3 * GRAVITY, 0.01);
        CHECK_NEAR(a.lost_friction, 0, 0);
        CHECK_NEAR(a.unexplained, 0, 1e-3 * a.lost_impact);
        sn_world_destroy(world);
    }
}

/* ---- Work from outside ---- */

/* A kinematic node that lifts a weight on a spring does the work of its weight. */
TEST(a_kinematic_node_does_the_work_of_what_it_lifts) {
    sn_world *world = make_world(heavy(10, SN_INTEGRATOR_BDF1));
    sn_node pin = add_pin(world, (vec){0, 0, 0});
    sn_node node = add_node(world, (vec){0, -1, 0}, 2);
    add_link(world, pin, node, 1, 0);
    REQUIRE_OK(sn_world_audit_start(world));
    for (int k = 1; k <= 100; k++) {
        double t = k / 100.0, s = t * t * (3 - 2 * t);
        REQUIRE_OK(sn_node_set_target(world, pin, vector(0, 0.5 * s, 0)));
        advance(world, 1e-3, 10);
    }
    sn_audit a = closed_audit_of(world);
    CHECK_REL(a.work_nodes, 2 * GRAVITY * 0.5, 0.01);
    CHECK_NEAR(a.unexplained, 0, 1e-3 * a.work_nodes);
    sn_world_destroy(world);
}

/* A floor that rises does the work of what lies on it. */
TEST(a_collider_does_the_work_of_what_it_lifts) {
    sn_world *world = make_world(heavy(10, SN_INTEGRATOR_BDF1));
    sn_collider floor = add_floor(world, 0.5, 0);
    add_ball(world, (vec){0, 0.1, 0}, 2, 0.1);
    REQUIRE_OK(sn_world_audit_start(world));
    for (int k = 1; k <= 100; k++) {
        double t = k / 100.0, s = t * t * (3 - 2 * t);
        REQUIRE_OK(
            sn_collider_set_target(world, floor, vector(0, 0.5 * s, 0), (sn_quat){0, 0, 0, 1}));
        advance(world, 1e-3, 10);
    }
    sn_audit a = closed_audit_of(world);
    CHECK_REL(a.work_colliders, 2 * GRAVITY * 0.5, 0.01);
    CHECK_NEAR(a.lost_impact, 0, 0.01 * a.work_colliders);
    CHECK_NEAR(a.unexplained, 0, 1e-3 * a.work_colliders);
    sn_world_destroy(world);
}

/* A force along a way, and what calls do between steps. */
TEST(forces_and_calls_do_their_work) {
    sn_world *world = make_world(weightless(1, SN_INTEGRATOR_BDF1));
    sn_node node = add_node(world, (vec){0, 0, 0}, 2);
    REQUIRE_OK(sn_world_audit_start(world));
    REQUIRE_OK(sn_node_set_velocity(world, node, vector(1, 0, 0)));
    for (int k = 0; k < 100; k++) {
        REQUIRE_OK(sn_node_add_force(world, node, vector(3, 0, 0)));
        advance(world, 1e-2, 1);
    }
    double s = position_of(world, node).x;
    sn_audit a = closed_audit_of(world);
    CHECK_NEAR(a.began, 0, 0);
    CHECK_REL(a.work_calls, 1, 1e-6);
    CHECK_REL(a.work_forces, 3 * s, 1e-4);
    CHECK_NEAR(a.unexplained, 0, TOL(1e-9, 1e-4));
    sn_world_destroy(world);
}

/* A torque about an axis, of a body that point damping brakes: what both did is what it has, and
   the torque did as much as the turn times it. */
TEST(a_torque_does_its_work) {
    FOR_BOTH_INTEGRATORS(integrator) {
        check_case("%s", sn_integrator_name(integrator));
        sn_settings settings = weightless(1, integrator);
        settings.damping = 2;
        sn_world *world = make_world(settings);
        sn_node_def def = sn_node_def_default();
        def.oriented = true;
        def.inverse_inertia = vector(2, 4, 5);
        sn_node node;
        REQUIRE_OK(sn_node_create(world, &def, &node));
        REQUIRE_OK(sn_world_audit_start(world));
        for (int k = 0; k < 1000; k++) {
            REQUIRE_OK(sn_node_add_torque(world, node, vector(0, 0, 3)));
            advance(world, 1e-3, 1);
        }
        sn_audit a = closed_audit_of(world);
        /* I w' = 3 - 2 I w: w = 7.5 (1 - e^-2t), and the turn is its integral. */
        double e = exp(-2), w = 7.5 * (1 - e), turn = 7.5 * (1 - 0.5 * (1 - e));
        CHECK_REL(a.kinetic, 0.1 * w * w, 3e-3);
        CHECK_REL(a.work_forces, 3 * turn, 3e-3);
        CHECK_REL(a.lost_damping, 3 * turn - 0.1 * w * w, 6e-3);
        CHECK_NEAR(a.lost_integrator, 0, 6e-3 * a.work_forces);
        CHECK_NEAR(a.unexplained, 0, TOL(1e-9, 1e-4));
        sn_world_destroy(world);
    }
}

/* ---- Frames ---- */

/* Two that turn against each other about one axis, with a dashpot between them: it takes all that
   they have, and they stop. */
TEST(a_dashpot_takes_what_turns) {
    sn_world *world = make_world(weightless(1, SN_INTEGRATOR_BDF1));
    sn_bend_twist_def link = sn_bend_twist_def_default();
    sn_constraint made;
    for (int i = 0; i < 2; i++) {
        sn_node_def def = sn_node_def_default();
        def.oriented = true;
        def.inverse_inertia = vector(2, 4, 5);
        def.angular_velocity = vector(0, 0, i == 0 ? 1 : -1);
        REQUIRE_OK(sn_node_create(world, &def, &link.node[i]));
    }
    link.rest_length = 1;
    link.compliance = (sn_real)1e9;
    link.damping = 4;
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_BEND_TWIST, &link, &made));
    REQUIRE_OK(sn_world_audit_start(world));
    advance(world, 1e-3, 1000);
    sn_audit a = closed_audit_of(world);
    CHECK_REL(a.lost_damping, 0.2, 1e-3);
    CHECK_NEAR(a.unexplained, 0, TOL(1e-9, 1e-5));
    sn_world_destroy(world);
}

/* A free rod that spins, bends and twists: what it loses is the integrator's, and the solver's. */
TEST(a_free_rod_is_explained) {
    FOR_BOTH_INTEGRATORS(integrator) {
        check_case("%s", sn_integrator_name(integrator));
        sn_settings settings = weightless(1, integrator);
        rod_def def = rod_def_default();
        def.segments = 8;
        def.clamped = false;
        rod r = make_rod(settings, &def);
        for (int i = 0; i <= r.segments; i++) {
            vec x = position_of(r.world, r.node[i]);
            REQUIRE_OK(sn_node_set_velocity(r.world, r.node[i], vector(0, 3 * x.x, x.x * x.x)));
            if (i < r.segments) set_spin(r.world, r.node[i], (vec){5, 0, 3});
        }
        REQUIRE_OK(sn_world_audit_start(r.world));
        advance(r.world, 1.0 / 1200, 1200);
        sn_audit a = audit_of(r.world);
        double lost = a.began - (a.kinetic + a.elastic);
        CHECK_NEAR(a.lost_integrator + a.lost_solver, lost, 1e-5 * a.began);
        CHECK_NEAR(a.unexplained, 0, TOL(2e-6, 3e-6) * a.began); /* rounding of quaternions */
        closed_audit_of(r.world);
        sn_world_destroy(r.world);
    }
}

/* A top that nutates: V55 in its energy. */
TEST(a_top_is_explained) {
    FOR_BOTH_INTEGRATORS(integrator) {
        check_case("%s", sn_integrator_name(integrator));
        sn_world *world = make_world(heavy(1, integrator));
        quat q = product(turn((vec){0, 0, 1}, -PI / 3), turn((vec){1, 0, 0}, -PI / 2));
        vec axis = rotated(q, (vec){0, 0, 1});
        sn_node node = add_frame(world, (vec){0, 0, 0}, INFINITY, q, (vec){0.0025, 0.0025, 0.002});
        sn_node end = add_node(world, (vec){0.1 * axis.x, 0.1 * axis.y, 0.1 * axis.z}, 1);
        set_spin(world, node, (vec){200 * axis.x, 200 * axis.y, 200 * axis.z});
        sn_stretch_shear_def def = sn_stretch_shear_def_default();
        def.node[0] = node;
        def.node[1] = end;
        sn_constraint segment;
        REQUIRE_OK(sn_constraint_create(world, SN_TYPE_STRETCH_SHEAR, &def, &segment));
        REQUIRE_OK(sn_world_audit_start(world));
        advance(world, 1.0 / 1200, 2400);
        sn_audit a = audit_of(world);
        double lost = a.began - (a.kinetic + a.potential);
        CHECK_NEAR(a.lost_integrator, lost, 1e-5 * a.began);
        CHECK_NEAR(a.unexplained, 0, 2e-6 * a.began);
        closed_audit_of(world);
        sn_world_destroy(world);
    }
}

/* ---- One-sided constraints ---- */

/* A node that falls into a rope: with the impact a substep of BDF2 ends as one of BDF1. */
TEST(a_rope_that_snaps_taut_is_explained) {
    FOR_BOTH_INTEGRATORS(integrator) {
        check_case("%s", sn_integrator_name(integrator));
        sn_world *world = make_world(heavy(1, integrator));
        sn_node pin = add_pin(world, (vec){0, 0, 0}), node = add_node(world, (vec){0.5, 0, 0}, 1);
        sn_constraint rope = add_link(world, pin, node, 1, 0);
        sn_real side[3] = {(sn_real)SN_SIDE_AT_MOST, 0, 0};
        REQUIRE_OK(sn_constraint_set_field(world, rope, "side", side));
        REQUIRE_OK(sn_world_audit_start(world));
        advance(world, 1.0 / 1200, 1200);
        sn_audit a = audit_of(world);
        double lost = -(a.kinetic + a.potential);
        /* Of a fall of 0.866 m, three quarters were along the rope. */
        CHECK_NEAR(a.lost_integrator + a.lost_solver, lost, 1e-3);
        CHECK(lost > 0.6 * GRAVITY);
        CHECK_NEAR(a.unexplained, 0, TOL(1e-9, 1e-3));
        closed_audit_of(world);
        sn_world_destroy(world);
    }
}

/* ---- Bodies ---- */

static sn_body add_body(sn_world *world) {
    sn_body_def def = sn_body_def_default();
    sn_body body;
    REQUIRE_OK(sn_body_create(world, &def, &body));
    return body;
}

static sn_node add_node_of(sn_world *world, sn_body body, vec at, double speed) {
    sn_node_def def = sn_node_def_default();
    def.position = vector(at.x, at.y, at.z);
    def.velocity = vector(speed, 0, 0);
    def.body = body;
    sn_node node;
    REQUIRE_OK(sn_node_create(world, &def, &node));
    return node;
}

static sn_audit audit_of_body(const sn_world *world, sn_body body) {
    sn_audit audit = {0};
    CHECK_OK(sn_body_get_audit(world, body, &audit));
    return audit;
}

/* One body pulls another by a spring, which belongs to the first: what the other has, the first has
   given. A body that goes takes its energy along, and one in its slot begins with nothing. */
TEST(bodies_work_on_each_other) {
    sn_world *world = make_world(weightless(1, SN_INTEGRATOR_BDF1));
    sn_body one = add_body(world), two = add_body(world);
    sn_node a = add_node_of(world, one, (vec){0, 0, 0}, 3),
            b = add_node_of(world, two, (vec){-1, 0, 0}, 0);
    add_link(world, a, b, 1, 1e-3);
    REQUIRE_OK(sn_world_audit_start(world));
    advance(world, 1e-4, 500);
    sn_audit first = audit_of_body(world, one), second = audit_of_body(world, two);
    closed_audit_of(world);
    CHECK_NEAR(first.began, 4.5, 1e-6);
    CHECK_NEAR(second.began, 0, 0);
    CHECK_NEAR(first.work_bodies + second.work_bodies, 0, 1e-12);
    CHECK(second.kinetic > 1);
    CHECK_NEAR(second.work_bodies, second.kinetic + second.lost_integrator, TOL(1e-9, 1e-4));
    CHECK_NEAR(first.unexplained, 0, TOL(1e-9, 1e-3));
    CHECK_NEAR(second.unexplained, 0, TOL(1e-9, 1e-3));
    sn_audit all = audit_of(world);
    CHECK_NEAR(all.work_bodies, 0, 0);
    CHECK_NEAR(all.kinetic, first.kinetic + second.kinetic, 1e-12);

    REQUIRE_OK(sn_body_destroy(world, two));
    sn_body three = add_body(world);
    add_node_of(world, three, (vec){5, 0, 0}, 2);
    advance(world, 1e-4, 1);
    sn_audit fresh = audit_of_body(world, three);
    closed_audit_of(world);
    CHECK_NEAR(fresh.began, 0, 0);
    CHECK_NEAR(fresh.work_calls, 2, 1e-6);
    CHECK_NEAR(fresh.work_bodies, 0, 0);
    CHECK_NEAR(audit_of(world).work_calls, 2 - second.kinetic - first.elastic, 1e-3);
    sn_world_destroy(world);
}

/* One ball runs into another of another body, a little aside: what friction and the impact take is
   half each's, and what the other has it has from the first. */
TEST(bodies_that_collide_share_their_loss) {
    FOR_BOTH_INTEGRATORS(integrator) {
        check_case("%s", sn_integrator_name(integrator));
        sn_world *world = make_world(weightless(10, integrator));
        sn_body body[2];
        for (int i = 0; i < 2; i++) {
            sn_node_def def = sn_node_def_default();
            sn_collision_surface_def surface = sn_collision_surface_def_default();
            sn_collision_surface made;
            sn_node node;
            def.body = body[i] = add_body(world);
            def.position = vector(0.3 * i, 0, 0);
            def.velocity = vector(i == 0 ? 2 : 0, 0, i == 0 ? 1 : 0);
            def.radius = (sn_real)0.1;
            REQUIRE_OK(sn_node_create(world, &def, &node));
            surface.nodes = &node;
            surface.node_count = 1;
            surface.restitution = (sn_real)0.5;
            surface.static_friction = surface.dynamic_friction = (sn_real)0.1;
            REQUIRE_OK(sn_collision_surface_create(world, &surface, &made));
        }
        REQUIRE_OK(sn_world_audit_start(world));
        advance(world, 1e-4, 2000);
        sn_audit all = audit_of(world), one = audit_of_body(world, body[0]),
                 two = audit_of_body(world, body[1]);
        closed_audit_of(world);
        double gone = all.began - all.kinetic;
        CHECK(all.lost_friction > 0.02 * gone && all.lost_impact > 0.5 * gone);
        CHECK_NEAR(all.lost_friction + all.lost_impact, gone, 1e-3 * gone);
        CHECK_NEAR(one.lost_impact, two.lost_impact, 1e-6);
        CHECK_NEAR(one.lost_friction, two.lost_friction, 1e-6);
        CHECK_NEAR(two.work_bodies, two.kinetic + two.lost_impact + two.lost_friction, 1e-3);
        CHECK_NEAR(one.work_bodies, -two.work_bodies, 1e-9);
        CHECK_NEAR(all.unexplained, 0, TOL(1e-9, 1e-3));
        sn_world_destroy(world);
    }
}

/* ---- The calls ---- */

/* Soft links that one sweep leaves far from where they end: an audit knows what they store. */
TEST(an_audit_may_begin_in_the_middle) {
    sn_world *world = make_world(heavy(1, SN_INTEGRATOR_BDF1));
    sn_node last = add_pin(world, (vec){0, 0, 0});
    for (int i = 1; i <= 6; i++) {
        sn_node next = add_node(world, (vec){0.1 * i, 0, 0}, 1);
        (void)add_link(world, last, next, 0.1, 1e-4);
        last = next;
    }
    advance(world, 1.0 / 120, 40);
    REQUIRE_OK(sn_world_audit_start(world));
    CHECK(closed_audit_of(world).elastic > 0.1);
    advance(world, 1.0 / 120, 20);
    sn_audit a = closed_audit_of(world);
    CHECK_NEAR(a.unexplained + a.work_calls, 0, 0.01 * fabs(a.began));
    sn_world_destroy(world);
}

/* A spring that is drawn out and breaks has lost what was in it: half of force^2 compliance. */
TEST(what_breaks_loses_what_was_in_it) {
    const double compliance = 1e-3, force = 50;
    sn_world *world = make_world(weightless(1, SN_INTEGRATOR_BDF1));
    sn_node pin = add_pin(world, (vec){0, 0, 0}), node = add_node(world, (vec){0, -1, 0}, 1000);
    sn_constraint link = add_link(world, pin, node, 1, compliance);
    sn_real value[3] = {(sn_real)force, 0, 0};
    const sn_break_event *event;
    size_t count = 0;
    REQUIRE_OK(sn_constraint_set_field(world, link, "break_force", value));
    REQUIRE_OK(sn_node_set_velocity(world, node, vector(0, -1, 0)));
    REQUIRE_OK(sn_world_audit_start(world));
    for (int i = 0; i < 200 && count == 0; i++) {
        advance(world, 1e-3, 1);
        REQUIRE_OK(sn_world_breaks(world, &event, &count));
    }
    REQUIRE_OK(count == 1 ? SN_OK : SN_ERROR_DATA);
    double last = (double)event->force;
    sn_audit a = closed_audit_of(world);
    CHECK_REL(a.lost_breaking, 0.5 * last * last * compliance, 1e-3);
    CHECK_NEAR(a.elastic, 0, 1e-9);
    CHECK_NEAR(a.unexplained, 0, 1e-3 * a.lost_breaking);
    sn_world_destroy(world);
}

/* What falls asleep while it still moves loses its motion. */
TEST(what_falls_asleep_loses_its_motion) {
    sn_settings settings = weightless(1, SN_INTEGRATOR_BDF1);
    settings.sleep_time = (sn_real)0.1;
    settings.sleep_speed = (sn_real)0.02;
    sn_world *world = make_world(settings);
    sn_body_def body = sn_body_def_default();
    sn_node_def def = sn_node_def_default();
    sn_node node;
    REQUIRE_OK(sn_body_create(world, &body, &def.body));
    def.inverse_mass = (sn_real)0.5;
    def.velocity = vector(0.01, 0, 0);
    REQUIRE_OK(sn_node_create(world, &def, &node));
    REQUIRE_OK(sn_world_audit_start(world));
    advance(world, 1.0 / 60, 30);
    CHECK(sn_body_is_asleep(world, def.body));
    sn_audit a = closed_audit_of(world);
    CHECK_REL(a.lost_sleep, 0.5 * 2 * 0.01 * 0.01, 1e-4);
    CHECK_NEAR(a.unexplained, 0, 1e-9);
    sn_world_destroy(world);
}

TEST(an_audit_is_started_and_stopped) {
    sn_world *world = make_world(plain_settings(SN_SOLVER_COLOURED));
    sn_body body = add_body(world);
    sn_audit audit = {.kinetic = 7};
    CHECK_FAILS(sn_world_get_audit(world, &audit), SN_ERROR_VALUE);
    CHECK_FAILS(sn_body_get_audit(world, body, &audit), SN_ERROR_VALUE);
    CHECK_NEAR(audit.kinetic, 7, 0);
    CHECK_OK(sn_world_audit_stop(world));
    add_node_of(world, body, (vec){0, 1, 0}, 2);
    CHECK_OK(sn_world_audit_start(world));
    advance(world, 1e-3, 10);
    CHECK_NEAR(audit_of(world).began, 2 + GRAVITY, 1e-5);
    /* Anew: what fell until now is where it begins. */
    CHECK_OK(sn_world_audit_start(world));
    CHECK_NEAR(audit_of(world).began, 2 + GRAVITY, 1e-3);
    CHECK_NEAR(audit_of(world).lost_integrator, 0, 0);
    CHECK_NEAR(audit_of(world).unexplained, 0, 0);
    CHECK_FAILS(sn_world_audit_start(NULL), SN_ERROR_NULL);
    CHECK_FAILS(sn_world_get_audit(world, NULL), SN_ERROR_NULL);
    CHECK_FAILS(sn_body_get_audit(world, (sn_body){0}, &audit), SN_ERROR_ID);
    CHECK_OK(sn_world_audit_stop(world));
    CHECK_FAILS(sn_world_get_audit(world, &audit), SN_ERROR_VALUE);
    sn_world_destroy(world);
}

TESTS(RUN(a_box_that_slides_loses_mu_m_g_s), RUN(a_hard_link_gives_what_it_begins_with),
      RUN(what_breaks_loses_what_was_in_it), RUN(an_audit_may_begin_in_the_middle),
      RUN(what_falls_asleep_loses_its_motion), RUN(what_lies_beside_what_slides_loses_nothing),
      RUN(a_spring_loses_to_the_integrator_alone), RUN(a_pendulum_loses_to_the_integrator_alone),
      RUN(a_dashpot_takes_what_a_damped_oscillator_loses),
      RUN(point_damping_takes_what_a_flying_node_loses), RUN(what_slides_loses_mu_m_g_s),
      RUN(a_ball_that_begins_to_roll_loses_two_sevenths),
      RUN(a_bounce_loses_what_its_restitution_does_not_give_back),
      RUN(a_kinematic_node_does_the_work_of_what_it_lifts),
      RUN(a_collider_does_the_work_of_what_it_lifts), RUN(forces_and_calls_do_their_work),
      RUN(a_torque_does_its_work), RUN(a_dashpot_takes_what_turns), RUN(a_free_rod_is_explained),
      RUN(a_top_is_explained), RUN(a_rope_that_snaps_taut_is_explained),
      RUN(bodies_work_on_each_other), RUN(bodies_that_collide_share_their_loss),
      RUN(an_audit_is_started_and_stopped))
