/*
 * What joints become in machines, with known answers: gears and their ratio, a wheel that rolls
 * down a slope, a suspension, springs, ropes and winches between bodies, and Atwood's machine.
 */
#include "frame.h"

#include <math.h>
#include <string.h>

static const vec x_axis = {1, 0, 0}, z_axis = {0, 0, 1};

static sn_world *make_machine_world(bool weight, sn_integrator integrator) {
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    if (!weight) settings.gravity = vector(0, 0, 0);
    settings.integrator = integrator;
    return make_world(settings);
}

#define FOR_BOTH_INTEGRATORS(integrator)                                                           \
    for (sn_integrator integrator = SN_INTEGRATOR_BDF1; integrator <= SN_INTEGRATOR_BDF2;          \
         integrator++)

/* Makes a constraint of a type, with what else its definition is to have. */
#define MAKE(made, world, type, TYPE, ...)                                                         \
    sn_constraint made;                                                                            \
    do {                                                                                           \
        sn_##type##_def def = sn_##type##_def_default();                                           \
        __VA_ARGS__;                                                                               \
        REQUIRE_OK(sn_constraint_create(world, SN_TYPE_##TYPE, &def, &made));                      \
    } while (0)

/* A wheel on an axle along z at a place of the wall. */
static sn_node add_wheel(sn_world *world, sn_node wall, double x, double inertia) {
    sn_node wheel = add_frame(world, (vec){x, 0, 0}, 1, unturned, (vec){1, 1, inertia});
    MAKE(hinge, world, hinge_joint, HINGE_JOINT, def.node[0] = wall, def.node[1] = wheel,
         def.anchor_0 = vector(x, 0, 0));
    (void)hinge;
    return wheel;
}

/* The angle about z, from -pi to pi. */
static double angle_of(const sn_world *world, sn_node node) {
    quat q = orientation_of(world, node);
    double angle = 2 * atan2(q.z, q.w);
    return angle > PI ? angle - 2 * PI : angle < -PI ? angle + 2 * PI : angle;
}

/* The size of the force, on the average of some steps: a single one of them is short, and in float
   a force is the last digits of where nodes are. */
static double mean_force(sn_world *world, sn_constraint constraint, double h) {
    double sum = 0;
    for (int k = 0; k < 100; k++) {
        advance(world, h, 1);
        sum += force_of(world, constraint) / 100;
    }
    return fabs(sum);
}

/* A torque on the first gear has (I_1 + r^2 I_2) to turn; and after many turns of both, teeth that
   meshed at first still do: q theta_2 - p theta_1 is a multiple of 2 pi. */
TEST(gears_have_their_ratio_for_ever) {
    const double i_1 = 0.02, i_2 = 0.3, torque = 4, h = 1.0 / 1000;
    const double tooth[][2] = {{-1, 1}, {-20, 50}, {7, 3}, {3, 244}};
    for (int k = 0; k < 4; k++) FOR_BOTH_INTEGRATORS(integrator) {
            double p = tooth[k][0], q = tooth[k][1], ratio = p / q;
            check_case("ratio %g, integrator %d", ratio, (int)integrator);
            sn_world *world = make_machine_world(false, integrator);
            sn_node wall = add_fixed_frame(world, (vec){0, 0, 0}, unturned);
            sn_node one = add_wheel(world, wall, 0, i_1), two = add_wheel(world, wall, 1, i_2);
            MAKE(gear, world, gear_joint, GEAR_JOINT, def.node[0] = wall, def.node[1] = one,
                 def.node[2] = two, def.ratio = (sn_real)ratio);
            for (int n = 0; n < 1000; n++) {
                CHECK_OK(sn_node_add_torque(world, one, vector(0, 0, torque)));
                advance(world, h, 1);
            }
            double speed = torque / (i_1 + ratio * ratio * i_2);
            CHECK_REL(spin_of(world, one).z, speed, 5e-3);
            CHECK_REL(spin_of(world, two).z, ratio * spin_of(world, one).z, TOL(1e-4, 2e-3));
            /* By the smallest ratio the turn of the second changes by 2e-6 rad per step: in float
               that is rounding. */
            if (TOL(1, 0) > 0 || fabs(ratio) > 0.1)
                CHECK_REL(fabs(force_of(world, gear)), fabs(ratio) * speed * i_2, TOL(5e-3, 0.02));
            advance(world, h, 4000);
            double off = q * angle_of(world, two) - p * angle_of(world, one);
            CHECK_NEAR(off - 2 * PI * round(off / (2 * PI)), 0, TOL(1e-3, 0.02));
            sn_world_destroy(world);
        }
}

/* A motor turns a wheel, by a gear of 1 : 10 a second one, and with it a load on an arm of 0.5 m.
   It has its speed, of which the gear behind it took a fifth at 20 substeps and four at 5; and a
   tenth of the torque of the load, which BDF2 goes to and fro about. */
TEST(a_motor_lifts_a_load_by_a_gear) {
    const double mass = 1, arm = 0.5, speed = 2;
    for (int k = 0; k < 3; k++) {
        const double h = k == 1 ? 1.0 / 300 : 1.0 / 1200;
        sn_integrator integrator = k == 2 ? SN_INTEGRATOR_BDF2 : SN_INTEGRATOR_BDF1;
        check_case("%g s, integrator %d", h, (int)integrator);
        sn_world *world = make_machine_world(true, integrator);
        sn_node wall = add_fixed_frame(world, (vec){0, 0, 0}, unturned);
        sn_node one = add_wheel(world, wall, 0, 1e-3), two = add_wheel(world, wall, 1, 0.02);
        vec out = position_of(world, two);
        sn_node load = add_frame(world, (vec){out.x + arm, out.y, out.z}, mass, unturned,
                                 (vec){0.01, 0.01, 0.01});
        MAKE(held, world, fixed_joint, FIXED_JOINT, def.node[0] = two, def.node[1] = load);
        MAKE(gear, world, gear_joint, GEAR_JOINT, def.node[0] = wall, def.node[1] = one,
             def.node[2] = two, def.ratio = (sn_real)-0.1);
        MAKE(motor, world, turn_drive, TURN_DRIVE, def.node[0] = wall, def.node[1] = one,
             def.axis = vector(0, 0, 1), def.speed = (sn_real)-speed, def.most_force = 2);
        (void)held, (void)gear;
        advance(world, h, (int)(1 / h));
        CHECK_REL(spin_of(world, one).z, -speed, 1e-3);
        CHECK_REL(spin_of(world, two).z, speed / 10, TOL(0.01, 0.02));
        double weight = mass * GRAVITY * arm * cos(angle_of(world, two)) / 10;
        CHECK_REL(fabs(force_of(world, motor)), weight, k == 2 ? 0.06 : 0.02);
        sn_world_destroy(world);
    }
}

/* A cylinder that rolls down a slope of 0.3 rad gains g sin / (1 + I / (m r^2)): its axle slides in
   a wheel_joint, and a rack_joint lets it turn as it goes. After several turns it has not slipped.
 */
TEST(wheel_rolls_down_a_rack) {
    const double mass = 2, radius = 0.05, inertia = 0.5 * mass * radius * radius, slope = 0.3;
    const double h = 1.0 / 2000, gain = GRAVITY * sin(slope) / 1.5;
    FOR_BOTH_INTEGRATORS(integrator) {
        check_case("integrator %d", (int)integrator);
        sn_world *world = make_machine_world(true, integrator);
        sn_node wall = add_fixed_frame(world, (vec){0, 0, 0}, turn(z_axis, -slope));
        sn_node wheel = add_frame(world, (vec){0, 0, 0}, mass, unturned, (vec){1, 1, inertia});
        MAKE(axle, world, wheel_joint, WHEEL_JOINT, def.node[0] = wall, def.node[1] = wheel,
             def.axis = vector(0, 0, 3), def.direction = vector(2, 0, 1));
        MAKE(rack, world, rack_joint, RACK_JOINT, def.node[0] = wall, def.node[1] = wheel,
             def.direction = vector(1, 0, 0), def.radius = (sn_real)-radius);
        advance(world, h, 2000);
        vec v = velocity_of(world, wheel), x = position_of(world, wheel);
        CHECK_REL(v.x * cos(slope) - v.y * sin(slope), gain, 2e-3);
        CHECK_NEAR(v.x * sin(slope) + v.y * cos(slope), 0, TOL(1e-6, 1e-3));
        CHECK_REL(spin_of(world, wheel).z, -gain / radius, 5e-3);
        double way = x.x * cos(slope) - x.y * sin(slope);
        CHECK(way > 4 * PI * radius);
        double off = angle_of(world, wheel) + way / radius;
        CHECK_NEAR(off - 2 * PI * round(off / (2 * PI)), 0, TOL(1e-4, 5e-3));
        CHECK_REL(mean_force(world, rack, h), inertia * gain / (radius * radius), TOL(5e-3, 0.02));
        sn_real c[SN_MAX_ROWS];
        CHECK_OK(sn_constraint_evaluate(world, axle, c, NULL));
        for (int r = 0; r < 4; r++) CHECK_NEAR((double)c[r], 0, TOL(1e-6, 1e-4));
        sn_world_destroy(world);
    }
}

/* A car's corner: a wheel hangs in its wheel_joint on a spring, goes down by m g / k, and keeps its
   spin while it swings. */
TEST(suspension_hangs_by_its_spring) {
    const double mass = 10, stiffness = 4000, spin = 30, h = 1.0 / 1000;
    sn_world *world = make_machine_world(true, SN_INTEGRATOR_BDF1);
    sn_node body = add_fixed_frame(world, (vec){0, 1, 0}, turn(x_axis, 0.4));
    sn_node wheel = add_frame(world, (vec){0.3, 0.5, 0}, mass, turn(z_axis, 1), (vec){2, 2, 3});
    vec up = {0, cos(0.4), -sin(0.4)}; /* of the world, as the body sees it */
    MAKE(axle, world, wheel_joint, WHEEL_JOINT, def.node[0] = body, def.node[1] = wheel,
         def.anchor_1 = vector(0, 0, 0), def.axis = vector(1, 0, 0),
         def.direction = vector(up.x, up.y, up.z));
    MAKE(spring, world, slide_drive, SLIDE_DRIVE, def.node[0] = body, def.node[1] = wheel,
         def.anchor_1 = vector(0, 0, 0), def.axis = vector(up.x, up.y, up.z),
         def.compliance = (sn_real)(1 / stiffness), def.damping = 100);
    set_spin(world, wheel, (vec){spin, 0, 0});
    advance(world, h, 4000);
    vec x = position_of(world, wheel);
    CHECK_NEAR(x.y, 0.5 - mass * GRAVITY / stiffness, TOL(2e-5, 2e-4));
    CHECK_NEAR(x.x, 0.3, TOL(1e-6, 1e-4));
    CHECK_NEAR(x.z, 0, TOL(1e-6, 1e-4));
    CHECK_REL(spin_of(world, wheel).x, spin, TOL(1e-3, 5e-3));
    CHECK_REL(fabs(force_of(world, spring)), mass * GRAVITY, TOL(1e-3, 0.02));
    (void)axle;
    sn_world_destroy(world);
}

/* A bar on two ropes, of which one is fixed at its end: each carries half. Ropes go slack. */
TEST(ropes_hold_a_bar_by_its_ends) {
    const double mass = 3, half = 0.5, h = 1.0 / 1000;
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    settings.damping = 5;
    sn_world *world = make_world(settings);
    sn_node ceiling = add_fixed_frame(world, (vec){0, 2, 0}, unturned);
    double inertia = mass * half * half / 3;
    sn_node bar = add_frame(world, (vec){0, 1, 0}, mass, unturned, (vec){0.01, inertia, inertia});
    sn_constraint rope[2];
    for (int end = 0; end < 2; end++) {
        double x = end == 0 ? -half : half;
        MAKE(made, world, distance_joint, DISTANCE_JOINT, def.node[0] = ceiling, def.node[1] = bar,
             def.anchor_0 = vector(x, 0, 0), def.anchor_1 = vector(x, 0, 0),
             def.side = SN_SIDE_AT_MOST);
        rope[end] = made;
    }
    advance(world, h, 4000);
    CHECK_NEAR(position_of(world, bar).y, 1, TOL(1e-5, 2e-4));
    for (int end = 0; end < 2; end++)
        CHECK_REL(fabs(force_of(world, rope[end])), mass * GRAVITY / 2, TOL(1e-3, 0.05));
    CHECK_OK(sn_node_set_velocity(world, bar, vector(0, 2, 0)));
    advance(world, h, 100);
    CHECK(position_of(world, bar).y > 1.1);
    CHECK(force_of(world, rope[0]) == 0);
    sn_world_destroy(world);
}

/* What a rod and a hinge carry is told as it is, after steps of 20 and of 80 substeps. */
TEST(joints_tell_what_they_carry) {
    const double mass = 5;
    for (int k = 0; k < 8; k++) {
        sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
        settings.integrator = k % 2 ? SN_INTEGRATOR_BDF2 : SN_INTEGRATOR_BDF1;
        settings.substeps = k / 2 % 2 ? 80 : 20;
        check_case("%s, %d substeps, %s", sn_integrator_name(settings.integrator),
                   settings.substeps, k / 4 ? "hinge" : "rod");
        sn_world *world = make_world(settings);
        sn_node ceiling = add_fixed_frame(world, (vec){0, 2, 0}, unturned);
        sn_node load = add_frame(world, (vec){0, 1, 0}, mass, unturned, (vec){0.1, 0.1, 0.1});
        sn_constraint joint;
        sn_real force[SN_MAX_ROWS];
        if (k / 4) {
            MAKE(made, world, hinge_joint, HINGE_JOINT, def.node[0] = ceiling, def.node[1] = load,
                 def.anchor_0 = vector(0, 0, 0));
            joint = made;
        } else {
            MAKE(made, world, distance_joint, DISTANCE_JOINT, def.node[0] = ceiling,
                 def.node[1] = load, def.anchor_1 = vector(0, 0.1, 0));
            joint = made;
        }
        for (int frame = 0; frame < 60; frame++)
            REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
        REQUIRE_OK(sn_constraint_force(world, joint, force));
        /* In float, BDF2 has 9/4 of the rounding. */
        CHECK_REL(fabs((double)force[k / 4]), mass * GRAVITY, TOL(1e-6, k % 2 ? 1.2e-2 : 3e-3));
        sn_world_destroy(world);
    }
}

/* Off its middle a body is turned as well: at first the end of a bar that a rope holds stays, its
   middle falls with g 3/4 (a bar about its end), which is the rope's m g / 4. */
TEST(rope_at_one_end_carries_a_quarter) {
    const double mass = 3, half = 0.5, h = 1.0 / 4000;
    sn_world *world = make_machine_world(true, SN_INTEGRATOR_BDF1);
    sn_node ceiling = add_fixed_frame(world, (vec){0, 2, 0}, unturned);
    double inertia = mass * half * half / 3;
    sn_node bar = add_frame(world, (vec){0, 1, 0}, mass, unturned, (vec){0.01, inertia, inertia});
    MAKE(rope, world, distance_joint, DISTANCE_JOINT, def.node[0] = ceiling, def.node[1] = bar,
         def.anchor_0 = vector(-half, 0, 0), def.anchor_1 = vector(-half, 0, 0));
    advance(world, h, 40);
    CHECK_REL(fabs(force_of(world, rope)), mass * GRAVITY / 4, TOL(0.01, 0.03));
    CHECK_REL(velocity_of(world, bar).y, -0.75 * GRAVITY * 40 * h, 0.01);
    sn_world_destroy(world);
}

/* A winch between two bodies that are free pulls them together at its speed, where they meet is
   their centre of mass; one that is too weak for a weight lets it down with what is left of g. */
TEST(winch_has_its_speed_and_its_force) {
    const double heavy = 3, light = 1, h = 1.0 / 1000;
    FOR_BOTH_INTEGRATORS(integrator) {
        check_case("integrator %d", (int)integrator);
        sn_world *world = make_machine_world(false, integrator);
        sn_node a = add_frame(world, (vec){0, 0, 0}, heavy, unturned, (vec){1, 1, 1});
        sn_node b = add_frame(world, (vec){4, 0, 0}, light, unturned, (vec){1, 1, 1});
        MAKE(winch, world, distance_joint, DISTANCE_JOINT, def.node[0] = a, def.node[1] = b,
             def.speed = -1);
        advance(world, h, 2000);
        /* The first step of BDF2 is half a step late. */
        CHECK_NEAR(position_of(world, b).x - position_of(world, a).x, 2, h);
        CHECK_REL(velocity_of(world, a).x * heavy, -velocity_of(world, b).x * light, 1e-3);
        CHECK_OK(sn_constraint_destroy(world, winch));
        sn_world_destroy(world);

        world = make_machine_world(true, integrator);
        a = add_fixed_frame(world, (vec){0, 3, 0}, unturned);
        b = add_frame(world, (vec){0, 2, 0}, light, unturned, (vec){1, 1, 1});
        MAKE(weak, world, distance_joint, DISTANCE_JOINT, def.node[0] = a, def.node[1] = b,
             def.speed = -1, def.most_force = (sn_real)(light * GRAVITY * 0.25));
        advance(world, h, 400);
        CHECK_REL(velocity_of(world, b).y, -0.75 * GRAVITY * 0.4, TOL(5e-3, 1e-2));
        CHECK_REL(fabs(force_of(world, weak)), light * GRAVITY * 0.25, TOL(1e-6, 1e-3));
        sn_world_destroy(world);
    }
}

/* Atwood: T = g (1 + s) / (1 / m_0 + s^2 / m_3), for a rope with s strands at the second weight. */
TEST(weights_on_a_pulley_fall_as_atwood_says) {
    const double m_0 = 2, h = 1.0 / 1000, seconds = 0.4;
    for (int strands = 1; strands <= 3; strands++) FOR_BOTH_INTEGRATORS(integrator) {
            const double m_3 = 3;
            check_case("%d strands, integrator %d", strands, (int)integrator);
            sn_world *world = make_machine_world(true, integrator);
            sn_node a = add_node(world, (vec){0, 0, 0}, m_0), b = add_pin(world, (vec){0, 3, 0});
            sn_node c = add_pin(world, (vec){1, 3, 0}), d = add_node(world, (vec){1, 0, 0}, m_3);
            MAKE(rope, world, pulley, PULLEY, def.node[0] = a, def.node[1] = b, def.node[2] = c,
                 def.node[3] = d, def.strands = (sn_real)strands, def.side = SN_SIDE_AT_MOST);
            advance(world, h, (int)(seconds / h + 0.5));
            double t = GRAVITY * (1 + strands) / (1 / m_0 + strands * strands / m_3);
            CHECK_NEAR(velocity_of(world, a).y, (t / m_0 - GRAVITY) * seconds, 5e-3);
            CHECK_NEAR(velocity_of(world, d).y, (strands * t / m_3 - GRAVITY) * seconds, 5e-3);
            CHECK_NEAR(position_of(world, a).x, 0, TOL(1e-9, 1e-5));
            CHECK_REL(mean_force(world, rope, h), t, TOL(1e-6, 0.02));
            sn_world_destroy(world);
        }
}

static double apart(const sn_world *world, sn_node a, sn_node b) {
    return length(sub(position_of(world, b), position_of(world, a)));
}

static double energy_of(const sn_world *world) {
    sn_measure m = measure_of(world);
    return m.kinetic_energy + m.potential_energy;
}

/* An end that is drawn to its pulley stays there, and bears the weight of the other; nothing is
   gained by that. */
TEST(ends_of_a_rope_stop_at_their_pulleys) {
    const double m_0 = 0.5, m_3 = 3, h = 1.0 / 1000;
    for (int strands = 1; strands <= 3; strands++) FOR_BOTH_INTEGRATORS(integrator) {
            check_case("%d strands, integrator %d", strands, (int)integrator);
            sn_world *world = make_machine_world(true, integrator);
            sn_node a = add_node(world, (vec){0, 2.7, 0}, m_0), b = add_pin(world, (vec){0, 3, 0});
            sn_node c = add_pin(world, (vec){1, 3, 0}), d = add_node(world, (vec){1, 2, 0}, m_3);
            MAKE(rope, world, pulley, PULLEY, def.node[0] = a, def.node[1] = b, def.node[2] = c,
                 def.node[3] = d, def.strands = (sn_real)strands, def.side = SN_SIDE_AT_MOST);
            const double began = energy_of(world);
            double most = began;
            for (int i = 0; i < 1500; i++) {
                advance(world, h, 1);
                most = fmax(most, energy_of(world));
            }
            CHECK_NEAR(most, began, TOL(1e-3, 2e-3));
            CHECK_NEAR(apart(world, a, b), 0, 1e-4);
            CHECK_NEAR(apart(world, d, c), 1 + 0.3 / strands, 1e-4);
            CHECK_NEAR(length(velocity_of(world, d)), 0, 1e-3);
            CHECK_REL(mean_force(world, rope, h), m_3 * GRAVITY / strands, TOL(1e-3, 0.02));
            sn_world_destroy(world);
        }
}

/* Four nodes in free flight, of which the ends come together fast: what stops an end is between it
   and its pulley. */
TEST(ropes_that_grow_short_keep_momentum) {
    FOR_BOTH_INTEGRATORS(integrator) {
        check_case("integrator %d", (int)integrator);
        sn_world *world = make_machine_world(false, integrator);
        const vec at[4] = {{0, -0.1, 0}, {0, 0, 0}, {0.5, 0, 0.1}, {0.5, -1, 0}};
        const double mass[4] = {0.3, 30, 20, 3};
        sn_node node[4];
        for (int n = 0; n < 4; n++) node[n] = add_node(world, at[n], mass[n]);
        MAKE(rope, world, pulley, PULLEY, def.node[0] = node[0], def.node[1] = node[1],
             def.node[2] = node[2], def.node[3] = node[3], def.side = SN_SIDE_AT_MOST);
        (void)rope;
        REQUIRE_OK(sn_node_set_velocity(world, node[3], vector(0, -2, 0)));
        const sn_measure before = measure_of(world);
        double least = 1;
        for (int i = 0; i < 600; i++) {
            advance(world, 1.0 / 1000, 1);
            least = fmin(least, apart(world, node[0], node[1]));
        }
        const sn_measure after = measure_of(world);
        CHECK_NEAR(least, 0, 1e-6);
        CHECK(after.kinetic_energy < before.kinetic_energy);
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(after.momentum[k], before.momentum[k], TOL(1e-12, 1e-5));
            CHECK_NEAR(after.angular_momentum[k], before.angular_momentum[k], 1e-3);
        }
        sn_world_destroy(world);
    }
}

/* What has no meaning is refused, and nothing is made. */
TEST(machines_without_meaning_are_refused) {
    sn_world *world = make_machine_world(false, SN_INTEGRATOR_BDF1);
    sn_node node[3];
    sn_constraint made;
    for (int n = 0; n < 3; n++)
        node[n] = add_frame(world, (vec){n, 0, 0}, 1, unturned, (vec){1, 1, 1});
    sn_gear_joint_def gear = sn_gear_joint_def_default();
    for (int n = 0; n < 3; n++) gear.node[n] = node[n];
    gear.ratio = 0;
    CHECK_FAILS(sn_constraint_create(world, SN_TYPE_GEAR_JOINT, &gear, &made), SN_ERROR_DEGENERATE);
    sn_rack_joint_def rack = sn_rack_joint_def_default();
    rack.node[0] = node[0];
    rack.node[1] = node[1];
    rack.radius = 0;
    CHECK_FAILS(sn_constraint_create(world, SN_TYPE_RACK_JOINT, &rack, &made), SN_ERROR_DEGENERATE);
    sn_wheel_joint_def wheel = sn_wheel_joint_def_default();
    wheel.node[0] = node[0];
    wheel.node[1] = node[1];
    wheel.axis = vector(1, 1, 0);
    wheel.direction = vector(-2, -2, 0);
    CHECK_FAILS(sn_constraint_create(world, SN_TYPE_WHEEL_JOINT, &wheel, &made),
                SN_ERROR_DEGENERATE);
    wheel.direction = vector(0, 0, 0);
    CHECK_FAILS(sn_constraint_create(world, SN_TYPE_WHEEL_JOINT, &wheel, &made),
                SN_ERROR_DEGENERATE);
    CHECK(strstr(sn_last_error(), "direction is (0, 0, 0)"));
    CHECK(sn_world_constraint_count(world, SN_TYPE_WHEEL_JOINT) == 0);
    sn_world_destroy(world);
}

TESTS(RUN(gears_have_their_ratio_for_ever), RUN(a_motor_lifts_a_load_by_a_gear),
      RUN(wheel_rolls_down_a_rack), RUN(suspension_hangs_by_its_spring),
      RUN(ropes_hold_a_bar_by_its_ends), RUN(joints_tell_what_they_carry),
      RUN(rope_at_one_end_carries_a_quarter), RUN(winch_has_its_speed_and_its_force),
      RUN(weights_on_a_pulley_fall_as_atwood_says), RUN(ends_of_a_rope_stop_at_their_pulleys),
      RUN(ropes_that_grow_short_keep_momentum), RUN(machines_without_meaning_are_refused))
