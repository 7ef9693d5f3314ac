/*
 * Joints and what drives them, with known answers: a physical pendulum, bodies that are glued to a
 * wall, swing in a cone, on a spring, go on rails, on a pole and on a plane, Cardan's joint, four
 * bars, a crank, motors with a largest torque, limits and the friction of a bearing.
 */
#include "frame.h"

#include <math.h>
#include <string.h>

static const vec x_axis = {1, 0, 0}, y_axis = {0, 1, 0}, z_axis = {0, 0, 1};

static sn_world *make_joint_world(bool weight, sn_integrator integrator) {
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    if (!weight) settings.gravity = vector(0, 0, 0);
    settings.integrator = integrator;
    return make_world(settings);
}

#define FOR_BOTH_INTEGRATORS(integrator)                                                           \
    for (sn_integrator integrator = SN_INTEGRATOR_BDF1; integrator <= SN_INTEGRATOR_BDF2;          \
         integrator++)

/* ---- Making joints ---- */

#define MADE(type, TYPE, ...)                                                                      \
    sn_constraint made;                                                                            \
    sn_##type##_def def = sn_##type##_def_default();                                               \
    def.node[0] = a;                                                                               \
    def.node[1] = b;                                                                               \
    __VA_ARGS__;                                                                                   \
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_##TYPE, &def, &made));                          \
    return made;

/* Anchors and axes are in the frame of node a. */
static sn_constraint add_hinge(sn_world *world, sn_node a, sn_node b, vec anchor, vec axis) {
    MADE(hinge_joint, HINGE_JOINT, def.anchor_0 = vector(anchor.x, anchor.y, anchor.z),
         def.axis = vector(axis.x, axis.y, axis.z))
}

static sn_constraint add_slider(sn_world *world, sn_node a, sn_node b, vec axis) {
    MADE(slider_joint, SLIDER_JOINT, def.axis = vector(axis.x, axis.y, axis.z))
}

static sn_constraint add_fixed(sn_world *world, sn_node a, sn_node b, vec anchor) {
    MADE(fixed_joint, FIXED_JOINT, def.anchor_0 = vector(anchor.x, anchor.y, anchor.z))
}

static sn_constraint add_ball(sn_world *world, sn_node a, sn_node b, vec anchor) {
    MADE(ball_joint, BALL_JOINT, def.anchor_0 = vector(anchor.x, anchor.y, anchor.z))
}

static sn_constraint add_cylindrical(sn_world *world, sn_node a, sn_node b, vec axis) {
    MADE(cylindrical_joint, CYLINDRICAL_JOINT, def.axis = vector(axis.x, axis.y, axis.z))
}

static sn_constraint add_planar(sn_world *world, sn_node a, sn_node b, vec axis) {
    MADE(planar_joint, PLANAR_JOINT, def.axis = vector(axis.x, axis.y, axis.z))
}

static sn_constraint add_spring(sn_world *world, sn_node a, sn_node b, vec anchor, double soft) {
    MADE(distance_joint, DISTANCE_JOINT, def.anchor_1 = vector(anchor.x, anchor.y, anchor.z),
         def.compliance = (sn_real)soft)
}

static sn_constraint add_universal(sn_world *world, sn_node a, sn_node b, vec anchor, vec axis) {
    MADE(universal_joint, UNIVERSAL_JOINT, def.anchor_0 = vector(anchor.x, anchor.y, anchor.z),
         def.axis = vector(axis.x, axis.y, axis.z))
}

/* About the axis of node a; a largest torque of 0 is any. */
static sn_constraint add_motor(sn_world *world, sn_node a, sn_node b, vec axis, double speed,
                               double torque) {
    MADE(turn_drive, TURN_DRIVE, def.axis = vector(axis.x, axis.y, axis.z),
         def.speed = (sn_real)speed, def.most_force = torque > 0 ? (sn_real)torque : SN_AUTO)
}

static sn_constraint add_turn_limit(sn_world *world, sn_node a, sn_node b, vec axis, sn_side side,
                                    double angle) {
    MADE(turn_drive, TURN_DRIVE, def.axis = vector(axis.x, axis.y, axis.z), def.side = side,
         def.target = (sn_real)angle)
}

/* The angle about an axis that a node has turned by, from -pi to pi. */
static double turned_about(const sn_world *world, sn_node node, quat first, vec axis) {
    quat q = product(orientation_of(world, node), conjugate(first));
    double along = q.x * axis.x + q.y * axis.y + q.z * axis.z;
    double angle = 2 * atan2(along, q.w);
    return angle > PI ? angle - 2 * PI : angle < -PI ? angle + 2 * PI : angle;
}

static double largest_row(const sn_world *world, sn_constraint joint, int rows) {
    sn_real c[SN_MAX_ROWS];
    double most = 0;
    REQUIRE_OK(sn_constraint_evaluate(world, joint, c, NULL));
    for (int r = 0; r < rows; r++) most = fmax(most, fabs((double)c[r]));
    return most;
}

/* ---- Motions with a known period or acceleration ---- */

/* V19. T = 2 pi sqrt((I + m d^2) / (m g d)) (1 + A^2 / 16) about a hinge at a distance d. */
TEST(physical_pendulum_has_its_period) {
    const double mass = 2, arm = 0.3, inertia = 0.05, amplitude = 0.1, h = 1.0 / 4000;
    double expected = 2 * PI * sqrt((inertia + mass * arm * arm) / (mass * GRAVITY * arm)) *
                      (1 + amplitude * amplitude / 16);
    FOR_BOTH_INTEGRATORS(integrator) {
        check_case("integrator %d", (int)integrator);
        sn_world *world = make_joint_world(true, integrator);
        sn_node wall = add_fixed_frame(world, (vec){0, 0, 0}, unturned);
        vec at = {arm * sin(amplitude), -arm * cos(amplitude), 0};
        quat lean = turn(z_axis, amplitude);
        sn_node body = add_frame(world, at, mass, lean, (vec){inertia, 0.02, inertia});
        sn_constraint hinge = add_hinge(world, wall, body, (vec){0, 0, 0}, z_axis);
        double before = amplitude, first = 0, last = 0;
        int crossings = 0;
        for (int k = 1; k <= 24000; k++) {
            advance(world, h, 1);
            vec x = position_of(world, body);
            double angle = atan2(x.x, -x.y);
            if (before > 0 && angle <= 0) {
                last = h * (k - angle / (angle - before));
                if (crossings++ == 0) first = last;
            }
            before = angle;
        }
        CHECK_REL((last - first) / (crossings - 1), expected, 1e-3);
        CHECK_NEAR(largest_row(world, hinge, 5), 0, TOL(1e-6, 1e-5));
        CHECK_NEAR(length(position_of(world, body)), arm, 1e-5 * arm);
        sn_world_destroy(world);
    }
}

/* On rails that lean, a body gains g sin(lean), whatever its inertia, and does not turn. */
TEST(slider_lets_go_down_its_rails_alone) {
    const double lean = 0.4, h = 1.0 / 1000, seconds = 0.5;
    sn_world *world = make_joint_world(true, SN_INTEGRATOR_BDF1);
    sn_node wall = add_fixed_frame(world, (vec){0, 0, 0}, unturned);
    sn_node body = add_frame(world, (vec){0.2, 0.1, 0.3}, 3, turn(x_axis, 0.7), (vec){1, 2, 3});
    vec axis = {cos(lean), -sin(lean), 0};
    sn_constraint slider = add_slider(world, wall, body, axis);
    advance(world, h, (int)(seconds / h + 0.5));
    vec moved = sub(position_of(world, body), (vec){0.2, 0.1, 0.3});
    double far = moved.x * axis.x + moved.y * axis.y;
    double expected = 0.5 * GRAVITY * sin(lean) * seconds * (seconds + h);
    CHECK_REL(far, expected, TOL(1e-9, 1e-4));
    CHECK_NEAR(angle_between(orientation_of(world, body), turn(x_axis, 0.7)), 0, TOL(1e-9, 1e-5));
    CHECK_NEAR(largest_row(world, slider, 5), 0, TOL(1e-9, 1e-5));
    sn_world_destroy(world);
}

/* What is glued to a wall bears its weight along y, and m g d about z: as forces of the rows on
   node 1. */
TEST(fixed_joint_bears_weight_and_torque) {
    const double mass = 2, arm = 0.3, h = 1.0 / 1000;
    FOR_BOTH_INTEGRATORS(integrator) {
        check_case("integrator %d", (int)integrator);
        sn_world *world = make_joint_world(true, integrator);
        sn_node a = add_fixed_frame(world, (vec){0, 0, 0}, unturned);
        sn_node b = add_frame(world, (vec){arm, 0, 0}, mass, turn(x_axis, 0.5), (vec){1, 2, 3});
        sn_constraint joint = add_fixed(world, a, b, (vec){0, 0, 0});
        advance(world, h, 500);
        const double expected[6] = {0, mass * GRAVITY, 0, 0, 0, mass * GRAVITY * arm};
        sn_real force[SN_MAX_ROWS];
        REQUIRE_OK(sn_constraint_force(world, joint, force));
        for (int r = 0; r < 6; r++)
            CHECK_NEAR((double)force[r], expected[r], TOL(1e-6, 0.02) * mass * GRAVITY);
        CHECK_NEAR(largest_row(world, joint, 6), 0, TOL(1e-9, 1e-5));
        sn_world_destroy(world);
    }
}

/* A body that goes around in a cone without a turn of its own, omega^2 = g / (l cos(tilt)),
   whatever its inertia is if it is the same about all axes. */
TEST(ball_joint_lets_a_body_go_around_in_a_cone) {
    const double length_of_it = 0.5, tilt = 0.6;
    double omega = sqrt(GRAVITY / (length_of_it * cos(tilt)));
    double period = 2 * PI / omega;
    FOR_BOTH_INTEGRATORS(integrator) {
        check_case("integrator %d", (int)integrator);
        sn_world *world = make_joint_world(true, integrator);
        sn_node a = add_fixed_frame(world, (vec){0, 0, 0}, turn(y_axis, 0.3));
        vec first = {length_of_it * sin(tilt), -length_of_it * cos(tilt), 0};
        sn_node b = add_frame(world, first, 2, unturned, (vec){0.05, 0.05, 0.05});
        add_ball(world, a, b, (vec){0, 0, 0});
        REQUIRE_OK(sn_node_set_velocity(world, b, vector(0, 0, -omega * first.x)));
        set_spin(world, b, (vec){0, omega, 0});
        advance(world, period / 8000, 8000);
        vec last = position_of(world, b);
        CHECK_NEAR(last.y, first.y, 2e-3 * length_of_it);
        CHECK_NEAR(last.x, first.x, 5e-3 * length_of_it);
        CHECK_NEAR(last.z, 0, 1e-2 * length_of_it);
        CHECK_REL(length(last), length_of_it, TOL(1e-7, 1e-5));
        sn_world_destroy(world);
    }
}

/* A weight that is let go on a spring: y = -m g c (1 - cos(w t)), w = 1 / sqrt(m c), and a force of
   -m g (1 - cos(w t)), which pulls. */
TEST(weight_swings_on_a_spring) {
    const double mass = 2, soft = 0.01;
    double period = 2 * PI * sqrt(mass * soft), sag = mass * GRAVITY * soft;
    sn_world *world = make_joint_world(true, SN_INTEGRATOR_BDF2);
    sn_node a = add_fixed_frame(world, (vec){0, 1, 0}, unturned);
    sn_node b = add_frame(world, (vec){0, 0, 0}, mass, unturned, (vec){1, 1, 1});
    sn_constraint spring = add_spring(world, a, b, (vec){0, 0.1, 0}, soft);
    advance(world, period / 2000, 1000);
    CHECK_NEAR(position_of(world, b).y, -2 * sag, 1e-3 * sag);
    CHECK_NEAR(force_of(world, spring), -2 * mass * GRAVITY, 5e-3 * mass * GRAVITY);
    advance(world, period / 2000, 1000);
    CHECK_NEAR(position_of(world, b).y, 0, 1e-3 * sag);
    sn_world_destroy(world);
}

/* Down a pole a ring falls as if it were free, and goes on turning as it did. */
TEST(cylindrical_joint_lets_fall_and_turn) {
    const double h = 1.0 / 1000, seconds = 0.5, spin = 3;
    sn_world *world = make_joint_world(true, SN_INTEGRATOR_BDF1);
    sn_node a = add_fixed_frame(world, (vec){0, 0, 0}, turn(z_axis, 0.4));
    sn_node b = add_frame(world, (vec){0, 1, 0}, 3, unturned, (vec){1, 2, 3});
    sn_constraint joint = add_cylindrical(world, a, b, (vec){sin(0.4), cos(0.4), 0});
    REQUIRE_OK(sn_node_set_velocity(world, b, vector(0, 0, 0)));
    set_spin(world, b, (vec){0, spin, 0});
    advance(world, h, (int)(seconds / h + 0.5));
    vec last = position_of(world, b);
    CHECK_REL(1 - last.y, 0.5 * GRAVITY * seconds * (seconds + h), TOL(1e-9, 1e-4));
    CHECK_NEAR(fabs(last.x) + fabs(last.z), 0, TOL(1e-9, 1e-5));
    CHECK_REL(turned_about(world, b, unturned, y_axis), spin * seconds, TOL(1e-9, 1e-4));
    CHECK_NEAR(largest_row(world, joint, 4), 0, TOL(1e-9, 1e-5));
    sn_world_destroy(world);
}

/* On a plane that leans a body gains g sin(lean) down it, goes on across it, and turns on. */
TEST(planar_joint_lets_slide_and_turn) {
    const double lean = 0.4, h = 1.0 / 1000, seconds = 0.5, across = 0.7, spin = 2;
    sn_world *world = make_joint_world(true, SN_INTEGRATOR_BDF1);
    sn_node a = add_fixed_frame(world, (vec){0, 0, 0}, unturned);
    sn_node b = add_frame(world, (vec){0.2, 0.1, 0.3}, 3, unturned, (vec){1, 1, 1});
    vec normal = {sin(lean), cos(lean), 0}, down = {cos(lean), -sin(lean), 0};
    sn_constraint joint = add_planar(world, a, b, normal);
    REQUIRE_OK(sn_node_set_velocity(world, b, vector(0, 0, across)));
    set_spin(world, b, (vec){spin * normal.x, spin * normal.y, 0});
    advance(world, h, (int)(seconds / h + 0.5));
    vec moved = sub(position_of(world, b), (vec){0.2, 0.1, 0.3});
    CHECK_REL(moved.x * down.x + moved.y * down.y,
              0.5 * GRAVITY * sin(lean) * seconds * (seconds + h), TOL(1e-9, 1e-4));
    CHECK_REL(moved.z, across * seconds, TOL(1e-9, 1e-5));
    CHECK_NEAR(moved.x * normal.x + moved.y * normal.y, 0, TOL(1e-9, 1e-5));
    /* The anchor is beside the body, and turns with it: it gives spin where it was. */
    CHECK_REL(turned_about(world, b, unturned, normal), spin * seconds, TOL(1e-8, 1e-4));
    CHECK_NEAR(largest_row(world, joint, 3), 0, TOL(1e-9, 1e-5));
    sn_world_destroy(world);
}

/* Two shafts at an angle b, joined as Cardan's: tan(out) = tan(in) / cos(b). */
TEST(universal_joint_turns_as_cardan_says) {
    const double bend = 0.5, h = 1.0 / 1000;
    vec out = {sin(bend), 0, cos(bend)};
    sn_world *world = make_joint_world(false, SN_INTEGRATOR_BDF1);
    sn_node wall = add_fixed_frame(world, (vec){0, 0, -1}, unturned);
    sn_node far_wall = add_fixed_frame(world, (vec){2 * out.x, 0, 2 * out.z}, unturned);
    sn_node first = add_frame(world, (vec){0, 0, -0.5}, 1, unturned, (vec){0.02, 0.02, 0.01});
    sn_node second =
        add_frame(world, (vec){0.5 * out.x, 0, 0.5 * out.z}, 1, unturned, (vec){0.02, 0.02, 0.01});
    add_hinge(world, wall, first, (vec){0, 0, 0.5}, z_axis);
    add_hinge(world, far_wall, second, (vec){-1.5 * out.x, 0, -1.5 * out.z}, out);
    add_universal(world, first, second, (vec){0, 0, 0.5}, z_axis);
    add_motor(world, wall, first, z_axis, 2, 0.5); /* from rest, by and by */
    int turns = 0;
    for (int k = 0; k < 6000; k++) {
        advance(world, h, 1);
        double in = turned_about(world, first, unturned, z_axis);
        double result = turned_about(world, second, unturned, out);
        /* The angle between the two yokes, without tangents, which have poles. */
        double error = sin(in) * cos(result) - cos(bend) * cos(in) * sin(result);
        CHECK_NEAR(error, 0, 2e-3);
        turns += fabs(in) > 3;
    }
    CHECK(turns > 100);
    sn_world_destroy(world);
}

/* V48.
   A parallelogram of four bars, one of them the wall: the opposite bar only shifts, and its loop
   stays closed while it swings. */
TEST(four_bars_stay_a_parallelogram) {
    const double width = 1, height = 0.6, lean = 0.5, h = 1.0 / 2000;
    sn_world *world = make_joint_world(true, SN_INTEGRATOR_BDF1);
    vec down = {height * sin(lean), -height * cos(lean), 0};
    vec inertia = {0.03, 0.03, 0.03};
    sn_node wall = add_fixed_frame(world, (vec){0, 0, 0}, unturned);
    sn_node left = add_frame(world, (vec){down.x / 2, down.y / 2, 0}, 1, unturned, inertia);
    sn_node right =
        add_frame(world, (vec){width + down.x / 2, down.y / 2, 0}, 1, unturned, inertia);
    sn_node bar = add_frame(world, (vec){width / 2 + down.x, down.y, 0}, 1, unturned, inertia);
    vec half = {down.x / 2, down.y / 2, 0};
    sn_constraint joint[4] = {
        add_hinge(world, wall, left, (vec){0, 0, 0}, z_axis),
        add_hinge(world, wall, right, (vec){width, 0, 0}, z_axis),
        add_hinge(world, left, bar, half, z_axis),
        add_hinge(world, right, bar, half, z_axis),
    };
    double lowest = 0, gap = 0, tilt = 0;
    for (int k = 0; k < 4000; k++) {
        advance(world, h, 1);
        lowest = fmin(lowest, position_of(world, bar).y);
        tilt = fmax(tilt, fabs(turned_about(world, bar, unturned, z_axis)));
        for (int i = 0; i < 4; i++) gap = fmax(gap, largest_row(world, joint[i], 5));
    }
    CHECK_NEAR(lowest, -height, 2e-3 * height); /* it has swung through */
    CHECK_NEAR(gap, 0, 2e-4);
    CHECK_NEAR(tilt, 0, 2e-3);
    sn_world_destroy(world);
}

/* Crank, rod and piston: x = r cos(a) + sqrt(l^2 - r^2 sin(a)^2), while a motor turns the crank. */
TEST(crank_drives_a_piston) {
    const double crank = 0.1, rod = 0.35, h = 1.0 / 2000;
    sn_world *world = make_joint_world(true, SN_INTEGRATOR_BDF1);
    vec inertia = {0.01, 0.01, 0.01};
    sn_node wall = add_fixed_frame(world, (vec){0, 0, 0}, unturned);
    sn_node wheel = add_frame(world, (vec){0, 0, 0}, 2, unturned, (vec){0.05, 0.05, 0.05});
    sn_node bar = add_frame(world, (vec){crank + rod / 2, 0, 0}, 0.5, unturned, inertia);
    sn_node piston = add_frame(world, (vec){crank + rod, 0, 0}, 0.5, unturned, inertia);
    add_hinge(world, wall, wheel, (vec){0, 0, 0}, z_axis);
    add_hinge(world, wheel, bar, (vec){crank, 0, 0}, z_axis);
    add_hinge(world, bar, piston, (vec){rod / 2, 0, 0}, z_axis);
    add_slider(world, wall, piston, x_axis);
    add_motor(world, wall, wheel, z_axis, 6, 5);
    double least = 1, most = 0;
    for (int k = 0; k < 6000; k++) {
        advance(world, h, 1);
        double a = turned_about(world, wheel, unturned, z_axis), side = crank * sin(a);
        double x = position_of(world, piston).x;
        CHECK_NEAR(x, crank * cos(a) + sqrt(rod * rod - side * side), 1e-3 * rod);
        least = fmin(least, x);
        most = fmax(most, x);
    }
    CHECK_REL(most - least, 2 * crank, 0.01); /* it has gone round */
    sn_world_destroy(world);
}

/* ---- Drives ---- */

/* V48.
   w = torque t / I until the speed is there, and then that speed; held back by twice its torque for
   a while it runs backwards, and comes up again without making up for anything. */
TEST(motor_has_its_torque_and_its_speed) {
    const double inertia = 0.2, torque = 3, speed = 12, h = 1.0 / 1000;
    FOR_BOTH_INTEGRATORS(integrator) {
        check_case("integrator %d", (int)integrator);
        sn_world *world = make_joint_world(false, integrator);
        sn_node wall = add_fixed_frame(world, (vec){0, 0, 0}, unturned);
        sn_node wheel = add_frame(world, (vec){0, 0, 0}, 1, unturned, (vec){1, inertia, 1});
        add_hinge(world, wall, wheel, (vec){0, 0, 0}, y_axis);
        sn_constraint motor = add_motor(world, wall, wheel, y_axis, speed, torque);
        advance(world, h, 500);
        CHECK_REL(spin_of(world, wheel).y, torque * 0.5 / inertia, TOL(1e-3, 2e-3));
        CHECK_REL(fabs(force_of(world, motor)), torque, TOL(1e-9, 1e-4));
        advance(world, h, 1000);
        CHECK_REL(spin_of(world, wheel).y, speed, TOL(1e-6, 1e-3));
        for (int k = 0; k < 1200; k++) {
            CHECK_OK(sn_node_add_torque(world, wheel, vector(0, -2 * torque, 0)));
            advance(world, h, 1);
        }
        CHECK_REL(spin_of(world, wheel).y, speed - torque * 1.2 / inertia, TOL(5e-3, 1e-2));
        advance(world, h, 3000);
        CHECK_REL(spin_of(world, wheel).y, speed, TOL(1e-6, 1e-3));
        sn_world_destroy(world);
    }
}

/* A motor with the speed 0 is friction: a wheel slows evenly, stops, and stays. */
TEST(bearing_friction_stops_a_wheel) {
    const double inertia = 0.2, torque = 0.5, first = 5, h = 1.0 / 1000;
    sn_world *world = make_joint_world(false, SN_INTEGRATOR_BDF1);
    sn_node wall = add_fixed_frame(world, (vec){0, 0, 0}, unturned);
    sn_node wheel = add_frame(world, (vec){0, 0, 0}, 1, unturned, (vec){1, 1, inertia});
    add_hinge(world, wall, wheel, (vec){0, 0, 0}, z_axis);
    add_motor(world, wall, wheel, z_axis, 0, torque);
    set_spin(world, wheel, (vec){0, 0, first});
    advance(world, h, 1000);
    CHECK_REL(spin_of(world, wheel).z, first - torque / inertia, TOL(1e-6, 1e-3));
    advance(world, h, 1500);
    CHECK_NEAR(spin_of(world, wheel).z, 0, TOL(1e-9, 1e-4));
    sn_world_destroy(world);
}

/* A brake with a little more torque than an arm needs gives way at first, by less than 2 mrad, and
   then holds. */
TEST(a_brake_holds_an_arm) {
    const double mass = 2, arm = 0.4, h = 1.0 / 1200;
    FOR_BOTH_INTEGRATORS(integrator) {
        check_case("%s", sn_integrator_name(integrator));
        sn_world *world = make_joint_world(true, integrator);
        sn_node wall = add_fixed_frame(world, (vec){0, 0, 0}, unturned);
        sn_node bar = add_frame(world, (vec){arm, 0, 0}, mass, unturned, (vec){1, 1, 0.05});
        sn_turn_drive_def def = sn_turn_drive_def_default();
        sn_constraint brake;
        add_hinge(world, wall, bar, (vec){0, 0, 0}, z_axis);
        def.node[0] = wall;
        def.node[1] = bar;
        def.axis = vector(0, 0, 1);
        def.speed = 0;
        def.most_force = (sn_real)(1.05 * mass * GRAVITY * arm);
        REQUIRE_OK(sn_constraint_create(world, SN_TYPE_TURN_DRIVE, &def, &brake));
        advance(world, h, 1200);
        double angle = turned_about(world, bar, unturned, z_axis);
        CHECK_NEAR(angle, 0, 2e-3);
        advance(world, h, 1200);
        CHECK_NEAR(turned_about(world, bar, unturned, z_axis), angle, TOL(1e-6, 1e-4));
        CHECK_REL(force_of(world, brake), mass * GRAVITY * arm, TOL(1e-4, 1e-2));
        sn_world_destroy(world);
    }
}

/* V48.
   A bar falls onto its limit and rests there; the limit gives m g d cos(angle), and lets go up. */
TEST(limit_holds_on_one_side) {
    const double mass = 2, arm = 0.4, inertia = 0.1, limit = -0.5, h = 1.0 / 1000;
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    settings.damping = 3;
    sn_world *world = make_world(settings);
    sn_node wall = add_fixed_frame(world, (vec){0, 0, 0}, unturned);
    sn_node bar = add_frame(world, (vec){arm, 0, 0}, mass, unturned, (vec){1, 1, inertia});
    add_hinge(world, wall, bar, (vec){0, 0, 0}, z_axis);
    sn_constraint stop = add_turn_limit(world, wall, bar, z_axis, SN_SIDE_AT_LEAST, limit);
    advance(world, h, 4000);
    CHECK_NEAR(turned_about(world, bar, unturned, z_axis), limit, TOL(1e-6, 2e-4));
    CHECK_REL(force_of(world, stop), mass * GRAVITY * arm * cos(limit), TOL(1e-3, 0.05));
    CHECK_OK(sn_node_set_velocity(world, bar, vector(0, 2, 0)));
    set_spin(world, bar, (vec){0, 0, 2 / arm});
    advance(world, h, 50);
    CHECK(turned_about(world, bar, unturned, z_axis) > limit + 0.1);
    sn_world_destroy(world);
}

/* A limit is passed by all angles or by none where it is more than half a turn away: an angle has
   no count of turns. */
TEST(limits_are_within_half_a_turn) {
    const double half[2] = {0.9999 * PI, 1.0001 * PI};
    for (int k = 0; k < 8; k++) {
        double target = (k & 1 ? 1 : -1) * half[k >> 1 & 1];
        sn_world *world = make_joint_world(false, SN_INTEGRATOR_BDF1);
        sn_turn_drive_def def = sn_turn_drive_def_default();
        sn_constraint made;
        sn_result expected = k & 2 ? SN_ERROR_VALUE : SN_OK;
        def.node[0] = add_fixed_frame(world, (vec){0, 0, 0}, unturned);
        def.node[1] = add_frame(world, (vec){0, 0, 0}, 1, unturned, (vec){1, 1, 1});
        def.side = k & 4 ? SN_SIDE_AT_MOST : SN_SIDE_AT_LEAST;
        def.target = (sn_real)target;
        check_case("%s %g", k & 4 ? "at most" : "at least", target);
        CHECK(sn_constraint_create(world, SN_TYPE_TURN_DRIVE, &def, &made) == expected);
        if (expected != SN_OK) {
            const char *number = k & 1 ? "target is 3.14191 rad" : "target is -3.14191 rad";
            CHECK(strstr(sn_last_error(), number) != NULL);
            CHECK(strstr(sn_last_error(), "within half a turn") != NULL);
        }
        /* Nor may it come there later. */
        sn_real later[3] = {def.target};
        def.target = 1;
        REQUIRE_OK(sn_constraint_create(world, SN_TYPE_TURN_DRIVE, &def, &made));
        CHECK(sn_constraint_set_field(world, made, "target", later) == expected);
        /* With a speed it is no limit, and its target does not count. */
        def.target = later[0];
        def.speed = 1;
        CHECK_OK(sn_constraint_create(world, SN_TYPE_TURN_DRIVE, &def, &made));
        sn_world_destroy(world);
    }
}

/* J: how much a bar has more than at the bottom of its fall, 0.3 s after it came there. The wall is
   node 0 of both that hold it, or node 1. */
static double rebound(sn_integrator integrator, sn_solver solver, double inertia, int substeps,
                      bool turned) {
    const double mass = 1, arm = 0.5, limit = -0.7;
    sn_settings settings = plain_settings(solver);
    settings.integrator = integrator;
    settings.gravity = vector(0, -GRAVITY, 0);
    sn_world *world = make_world(settings);
    sn_node wall = add_fixed_frame(world, (vec){0, 0, 0}, unturned);
    sn_node bar = add_frame(world, (vec){arm, 0, 0}, mass, unturned, (vec){1, 1, inertia});
    if (turned) {
        add_hinge(world, bar, wall, (vec){-arm, 0, 0}, z_axis);
        (void)add_turn_limit(world, bar, wall, z_axis, SN_SIDE_AT_MOST, -limit);
    } else {
        add_hinge(world, wall, bar, (vec){0, 0, 0}, z_axis);
        (void)add_turn_limit(world, wall, bar, z_axis, SN_SIDE_AT_LEAST, limit);
    }
    double bottom = mass * GRAVITY * arm * sin(limit), most = bottom;
    for (int frame = 0; frame < 120; frame++) {
        advance(world, 1.0 / 60 / substeps, substeps);
        sn_measure m = measure_of(world);
        if (frame >= 30) most = fmax(most, m.kinetic_energy + m.potential_energy);
    }
    sn_world_destroy(world);
    return (most - bottom) / -bottom;
}

/* A bar that falls onto its limit stays there: neither of the two that stop it, the limit and the
   joint, throws it back, whether most of it is motion of its middle or not. */
TEST(what_falls_onto_a_limit_stays) {
    FOR_BOTH_INTEGRATORS(integrator) {
        for (int k = 0; k < 6; k++) {
            const int substeps = k < 4 ? 20 : 80;
            const double inertia = k % 2 ? 0.02 : 0.25 / 3,
                         of_fall =
                             rebound(integrator, SN_SOLVER_COLOURED, inertia, substeps, k / 2 == 1);
            check_case("%s, %g kg m^2, %d substeps, case %d: %g of its fall",
                       sn_integrator_name(integrator), inertia, substeps, k, of_fall);
            CHECK(of_fall < 5e-3);
        }
    }
}

/* Where a bar is that falls onto its limit, every frame; with joints beside its own that are off,
   and beside another machine that sleeps on its limit. */
static void fall_beside(sn_integrator integrator, bool off, bool other, vec at[60]) {
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    settings.integrator = integrator;
    settings.gravity = vector(0, -GRAVITY, 0);
    sn_world *world = make_world(settings);
    sn_node wall = add_fixed_frame(world, (vec){0, 0, 0}, unturned);
    sn_node bar = add_frame(world, (vec){0.5, 0, 0}, 1, unturned, (vec){1, 1, 0.02});
    add_hinge(world, wall, bar, (vec){0, 0, 0}, z_axis);
    (void)add_turn_limit(world, wall, bar, z_axis, SN_SIDE_AT_LEAST, -0.7);
    if (off) {
        sn_constraint joint = add_ball(world, wall, bar, (vec){1, 0, 0});
        sn_constraint limit = add_turn_limit(world, wall, bar, z_axis, SN_SIDE_AT_LEAST, -0.3);
        REQUIRE_OK(sn_constraint_set_enabled(world, joint, false));
        REQUIRE_OK(sn_constraint_set_enabled(world, limit, false));
    }
    if (other) {
        sn_node more = add_frame(world, (vec){0, -0.5, 3}, 1, unturned, (vec){1, 1, 0.02});
        add_hinge(world, wall, more, (vec){0, 0, 3}, z_axis);
        (void)add_turn_limit(world, wall, more, z_axis, SN_SIDE_AT_LEAST, 0);
    }
    for (int frame = 0; frame < 60; frame++) {
        advance(world, 1.0 / 1200, 20);
        at[frame] = position_of(world, bar);
    }
    sn_world_destroy(world);
}

/* Where a bar is that swings on the wall that another falls from, onto a limit or not. */
static void swing_beside(bool limited, vec at[60]) {
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    settings.gravity = vector(0, -GRAVITY, 0);
    sn_world *world = make_world(settings);
    sn_node wall = add_fixed_frame(world, (vec){0, 0, 0}, unturned);
    sn_node bar[2];
    for (int k = 0; k < 2; k++) {
        bar[k] = add_frame(world, (vec){0.5, 0, 3.0 * k}, 1, unturned, (vec){1, 1, 0.02});
        add_hinge(world, wall, bar[k], (vec){0, 0, 3.0 * k}, z_axis);
    }
    if (limited) (void)add_turn_limit(world, wall, bar[0], z_axis, SN_SIDE_AT_LEAST, -0.7);
    double lowest = 0;
    for (int frame = 0; frame < 60; frame++) {
        advance(world, 1.0 / 1200, 20);
        at[frame] = position_of(world, bar[1]);
        lowest = fmin(lowest, position_of(world, bar[0]).y);
    }
    CHECK_NEAR(lowest, limited ? 0.5 * sin(-0.7) : -0.5, 0.01);
    sn_world_destroy(world);
}

/* What is off, or not struck, has no part in an impact, to the bit. */
TEST(an_impact_is_of_those_it_strikes) {
    vec free[60], swings[60];
    swing_beside(false, free);
    swing_beside(true, swings);
    CHECK(memcmp(free, swings, sizeof free) == 0);
    FOR_BOTH_INTEGRATORS(integrator) {
        vec alone[60], beside[60];
        fall_beside(integrator, false, false, alone);
        CHECK_NEAR(alone[59].y, 0.5 * sin(-0.7), 1e-3);
        /* Nodes without a body begin anew together after an impact, with BDF2. */
        for (int k = 1; k < (integrator == SN_INTEGRATOR_BDF1 ? 4 : 2); k++) {
            fall_beside(integrator, k & 1, k & 2, beside);
            check_case("%s, case %d", sn_integrator_name(integrator), k);
            CHECK(memcmp(alone, beside, sizeof alone) == 0);
        }
    }
}

/* So it is where the direct solver holds the joints: they are gone over with the limits. */
TEST(a_tree_that_falls_onto_a_limit_stays) {
    FOR_BOTH_INTEGRATORS(integrator) {
        for (int k = 0; k < 4; k++) {
            double of_fall =
                rebound(integrator, SN_SOLVER_DIRECT, k % 2 ? 0.02 : 0.25 / 3, 20, k / 2 == 1);
            check_case("%s, case %d: %g of its fall", sn_integrator_name(integrator), k, of_fall);
            CHECK(of_fall < 5e-3);
        }
    }
}

/* A lift: a motor along a rail raises a load at its speed, and stops at its limit. */
static void lift(sn_integrator integrator) {
    const double mass = 5, speed = 0.4, top = 0.6, h = 1.0 / 1000;
    sn_world *world = make_joint_world(true, integrator);
    sn_node wall = add_fixed_frame(world, (vec){0, 0, 0}, unturned);
    sn_node load = add_frame(world, (vec){0, 0, 0}, mass, unturned, (vec){1, 1, 1});
    add_slider(world, wall, load, y_axis);
    sn_slide_drive_def def = sn_slide_drive_def_default();
    sn_constraint motor, stop;
    def.node[0] = wall;
    def.node[1] = load;
    def.axis = vector(0, 1, 0);
    def.speed = (sn_real)speed;
    def.most_force = (sn_real)(2 * mass * GRAVITY);
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_SLIDE_DRIVE, &def, &motor));
    def = sn_slide_drive_def_default();
    def.node[0] = wall;
    def.node[1] = load;
    def.axis = vector(0, 1, 0);
    def.side = SN_SIDE_AT_MOST;
    def.target = (sn_real)top;
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_SLIDE_DRIVE, &def, &stop));
    advance(world, h, 1000);
    CHECK_REL(velocity_of(world, load).y, speed, TOL(1e-6, 2e-3));
    CHECK_REL(fabs(force_of(world, motor)), mass * GRAVITY, TOL(1e-6, 0.05));
    advance(world, h, 2000);
    CHECK_NEAR(position_of(world, load).y, top, 2e-3);
    CHECK_NEAR(fabs(force_of(world, motor)), 2 * mass * GRAVITY, TOL(1e-6, 0.05) * mass * GRAVITY);
    sn_world_destroy(world);
}

TEST(lift_goes_up_to_its_limit) {
    FOR_BOTH_INTEGRATORS(integrator) {
        check_case("integrator %d", (int)integrator);
        lift(integrator);
    }
}

/* An axis without a direction is refused, with its type and what it is. */
/* ---- Small bodies on long arms ---- */

/* A ball of a radius (m) and 1 kg on an arm of 1 m, let go at 0.05 rad from below its joint, which
   has the wall as its first or its second node. Returns the most energy (J) that it has in a second
   beyond what it had. */
static double most_energy(int type, bool wall_first, double radius, double h) {
    const double lean = 0.05, inertia = 0.4 * radius * radius;
    double most = 0;
    sn_world *world = make_joint_world(true, SN_INTEGRATOR_BDF1);
    sn_node wall = add_fixed_frame(world, (vec){0, 0, 0}, unturned);
    vec from = {sin(lean), -cos(lean), 0};
    sn_node ball = add_frame(world, from, 1, turn(z_axis, lean), (vec){inertia, inertia, inertia});
    sn_node a = wall_first ? wall : ball, b = wall_first ? ball : wall;
    vec anchor = wall_first ? (vec){0, 0, 0} : (vec){0, 1, 0};
    if (type == 0) (void)add_ball(world, a, b, anchor);
    if (type == 1) (void)add_hinge(world, a, b, anchor, z_axis);
    if (type == 2) (void)add_universal(world, a, b, anchor, z_axis);
    if (type == 3) (void)add_fixed(world, a, b, anchor);
    for (int k = 0; k < 1 / h; k++) {
        advance(world, h, 1);
        double v = length(velocity_of(world, ball)), w = length(spin_of(world, ball));
        double energy =
            v * v / 2 + inertia * w * w / 2 + GRAVITY * (position_of(world, ball).y - from.y);
        most = energy > most ? energy : most;
    }
    sn_world_destroy(world);
    return most;
}

/* The pull on the arm turns a ball of 1 cm with 500 rad/s: what is much faster than a substep was
   turned farther in each. A swing has 12 mJ. */
TEST(small_bodies_hang_on_long_arms) {
    static const char *const name[] = {"ball", "hinge", "universal", "fixed"};
    static const double radius[] = {0.05, 0.01, 0.002}, step[] = {1.0 / 60, 1.0 / 300, 1.0 / 480};
    for (int type = 0; type < 4; type++)
        for (int first = 0; first < 2; first++)
            for (int i = 0; i < 9; i++) {
                check_case("%s joint, wall %s, %g m, %g s", name[type], first ? "first" : "last",
                           radius[i / 3], step[i % 3]);
                CHECK_NEAR(most_energy(type, first, radius[i / 3], step[i % 3]), 0, 1e-3);
            }
}

TEST(axis_must_have_a_direction) {
    sn_world *world = make_joint_world(false, SN_INTEGRATOR_BDF1);
    sn_node a = add_fixed_frame(world, (vec){0, 0, 0}, unturned);
    sn_node b = add_frame(world, (vec){1, 0, 0}, 1, unturned, (vec){1, 1, 1});
    sn_hinge_joint_def def = sn_hinge_joint_def_default();
    sn_constraint made;
    def.node[0] = a;
    def.node[1] = b;
    def.axis = vector(0, 0, 0);
    CHECK_FAILS(sn_constraint_create(world, SN_TYPE_HINGE_JOINT, &def, &made), SN_ERROR_DEGENERATE);
    CHECK(sn_world_constraint_count(world, SN_TYPE_HINGE_JOINT) == 0);
    /* What is across an axis has a part across it, however it lies. */
    for (int i = 0; i < 4; i++) {
        sn_wheel_joint_def wheel = sn_wheel_joint_def_default();
        double off = i < 2 ? 0.5e-4 : 2e-4;
        wheel.node[0] = a;
        wheel.node[1] = b;
        wheel.axis = vector(0, 0, 1);
        wheel.direction = vector(i % 2 ? off : 0, i % 2 ? 0 : off, 1);
        CHECK(sn_constraint_create(world, SN_TYPE_WHEEL_JOINT, &wheel, &made) ==
              (i < 2 ? SN_ERROR_DEGENERATE : SN_OK));
    }
    sn_world_destroy(world);
}

TESTS(RUN(physical_pendulum_has_its_period), RUN(slider_lets_go_down_its_rails_alone),
      RUN(fixed_joint_bears_weight_and_torque), RUN(ball_joint_lets_a_body_go_around_in_a_cone),
      RUN(weight_swings_on_a_spring), RUN(cylindrical_joint_lets_fall_and_turn),
      RUN(planar_joint_lets_slide_and_turn), RUN(universal_joint_turns_as_cardan_says),
      RUN(four_bars_stay_a_parallelogram), RUN(crank_drives_a_piston),
      RUN(motor_has_its_torque_and_its_speed), RUN(bearing_friction_stops_a_wheel),
      RUN(a_brake_holds_an_arm), RUN(limit_holds_on_one_side), RUN(limits_are_within_half_a_turn),
      RUN(what_falls_onto_a_limit_stays), RUN(an_impact_is_of_those_it_strikes),
      RUN(a_tree_that_falls_onto_a_limit_stays), RUN(lift_goes_up_to_its_limit),
      RUN(small_bodies_hang_on_long_arms), RUN(axis_must_have_a_direction))
