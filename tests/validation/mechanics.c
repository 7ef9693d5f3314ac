/*
 * V60, more of what textbooks of mechanics ask: two pendulums on each other, a bar on two strings,
 * a weight on each side of a pulley that has inertia, a bead on an arm that turns, a bar that is
 * struck where its end stays, a ball that bounces back with spin, one that slips until it rolls,
 * one on a turntable, a plate that wobbles, a ladder that stays or slips. With 20 substeps in a
 * sixtieth of a second and either integrator.
 */
#include "bodies.h"

#include <math.h>

#define FOR_BOTH_INTEGRATORS(integrator)                                                           \
    for (sn_integrator integrator = SN_INTEGRATOR_BDF1; integrator <= SN_INTEGRATOR_BDF2;          \
         integrator++)

static const vec nowhere = {0, 0, 0}, z_axis = {0, 0, 1};

static sn_world *make_scene(double gravity, sn_integrator integrator) {
    sn_settings settings = sn_settings_default();
    check_case("%s", sn_integrator_name(integrator));
    settings.gravity = vector(0, -gravity, 0);
    settings.integrator = integrator;
    return make_world(settings);
}

static void run(sn_world *world, int frames) {
    for (int i = 0; i < frames; i++) REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
}

static void throw(sn_world * world, sn_node node, vec v, vec spin) {
    REQUIRE_OK(sn_node_set_velocity(world, node, vector(v.x, v.y, v.z)));
    set_spin(world, node, spin);
}

static void add_hinge(sn_world *world, sn_node a, sn_node b, vec anchor) {
    sn_hinge_joint_def def = sn_hinge_joint_def_default();
    sn_constraint made;
    def.node[0] = a;
    def.node[1] = b;
    def.anchor_0 = vector(anchor.x, anchor.y, anchor.z);
    def.axis = vector(0, 0, 1);
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_HINGE_JOINT, &def, &made));
}

static void add_slider(sn_world *world, sn_node a, sn_node b, vec axis) {
    sn_slider_joint_def def = sn_slider_joint_def_default();
    sn_constraint made;
    def.node[0] = a;
    def.node[1] = b;
    def.axis = vector(axis.x, axis.y, axis.z);
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_SLIDER_JOINT, &def, &made));
}

/* ---- Joints ---- */

/* Two rods, 0.6 m each, of 1 and 0.7 kg: y = the angles from below and their rates. */
enum { STATE = 4 };
static const double rod = 0.6, mass[2] = {1, 0.7};

static void accelerate(const double y[STATE], double rate[STATE]) {
    double l = rod, c = cos(y[0] - y[1]), s = sin(y[0] - y[1]);
    double a = mass[0] * l * l / 3 + mass[1] * l * l, b = mass[1] * l * l / 2 * c;
    double d = mass[1] * l * l / 3, pull = mass[1] * l * l / 2 * s;
    double first = -pull * y[3] * y[3] - (mass[0] / 2 + mass[1]) * l * GRAVITY * sin(y[0]);
    double second = pull * y[2] * y[2] - mass[1] * l / 2 * GRAVITY * sin(y[1]);
    rate[0] = y[2];
    rate[1] = y[3];
    rate[2] = (d * first - b * second) / (a * d - b * b);
    rate[3] = (a * second - b * first) / (a * d - b * b);
}

/* A second with the classical Runge-Kutta method. */
static void integrate(double y[STATE]) {
    const int steps = 4000;
    static const double part[] = {0, 0.5, 0.5, 1}, weight[] = {1, 2, 2, 1};
    for (int i = 0; i < steps; i++) {
        double sum[STATE] = {0}, rate[STATE] = {0}, at[STATE];
        for (int k = 0; k < 4; k++) {
            for (int j = 0; j < STATE; j++) at[j] = y[j] + part[k] / steps * rate[j];
            accelerate(at, rate);
            for (int j = 0; j < STATE; j++) sum[j] += weight[k] / 6 * rate[j];
        }
        for (int j = 0; j < STATE; j++) y[j] += sum[j] / steps;
    }
}

/* A rod whose middle is half of its length from `from`, at an angle from below. */
static sn_node hang_rod(sn_world *world, vec from, double angle, double m) {
    vec middle = {from.x + rod / 2 * sin(angle), from.y - rod / 2 * cos(angle), 0};
    double inertia = m * rod * rod / 12;
    return add_frame(world, middle, m, turn(z_axis, angle), (vec){inertia, inertia, inertia});
}

TEST(two_pendulums_on_each_other_go_their_way) {
    FOR_BOTH_INTEGRATORS(integrator) {
        double y[STATE] = {1.2, 2.0, 0, 0};
        sn_world *world = make_scene(GRAVITY, integrator);
        sn_node wall = add_fixed_frame(world, nowhere, unturned);
        sn_node first = hang_rod(world, nowhere, y[0], mass[0]);
        sn_node second =
            hang_rod(world, (vec){rod * sin(y[0]), -rod * cos(y[0]), 0}, y[1], mass[1]);
        add_hinge(world, wall, first, nowhere);
        add_hinge(world, first, second, (vec){0, -rod / 2, 0});
        run(world, 60);
        integrate(y);
        vec at = position_of(world, second);
        CHECK_NEAR(at.x, rod * sin(y[0]) + rod / 2 * sin(y[1]), 2e-3);
        CHECK_NEAR(at.y, -rod * cos(y[0]) - rod / 2 * cos(y[1]), 2e-3);
        sn_world_destroy(world);
    }
}

/* A bar on two strings turns about the vertical: T = 2 pi / b sqrt(I l / (m g)), b half their
   distance. It begins at the end of its way, and is back after T. */
TEST(a_bar_turns_on_two_strings) {
    const double l = 1, b = 0.3, m = 1.5, inertia = 0.08, angle = 0.02;
    FOR_BOTH_INTEGRATORS(integrator) {
        sn_world *world = make_scene(GRAVITY, integrator);
        sn_node ceiling = add_fixed_frame(world, (vec){0, l, 0}, unturned);
        sn_node bar =
            add_frame(world, nowhere, m, turn((vec){0, 1, 0}, angle), (vec){1, inertia, 1});
        for (int side = -1; side <= 1; side += 2) {
            sn_distance_joint_def def = sn_distance_joint_def_default();
            sn_constraint made;
            def.node[0] = ceiling;
            def.node[1] = bar;
            def.anchor_0 = def.anchor_1 = vector(side * b, 0, 0);
            def.rest_length = (sn_real)l;
            REQUIRE_OK(sn_constraint_create(world, SN_TYPE_DISTANCE_JOINT, &def, &made));
        }
        double period = 2 * PI / b * sqrt(inertia * l / (m * GRAVITY)), before = 0, crossed = 0;
        for (int k = 1; k < 120 && crossed == 0; k++) {
            run(world, 1);
            double spin = spin_of(world, bar).y;
            if (k > 5 && before > 0 && spin <= 0) crossed = (k - spin / (spin - before)) / 60;
            before = spin;
        }
        CHECK_REL(crossed, period, 5e-3);
        sn_world_destroy(world);
    }
}

/* a = (m - M) g / (m + M + I / r^2), with racks for the rope. */
TEST(a_pulley_with_inertia_slows_its_weights) {
    const double m[2] = {2, 1.2}, inertia = 0.05, r = 0.2;
    FOR_BOTH_INTEGRATORS(integrator) {
        sn_world *world = make_scene(GRAVITY, integrator);
        sn_node wall = add_fixed_frame(world, nowhere, unturned), weight[2];
        sn_node pulley = add_frame(world, nowhere, 3, unturned, (vec){inertia, inertia, inertia});
        add_hinge(world, wall, pulley, nowhere);
        for (int i = 0; i < 2; i++) {
            sn_rack_joint_def def = sn_rack_joint_def_default();
            sn_constraint made;
            weight[i] = add_frame(world, (vec){i ? r : -r, -1, 0}, m[i], unturned, (vec){1, 1, 1});
            add_slider(world, wall, weight[i], (vec){0, 1, 0});
            def.node[0] = weight[i];
            def.node[1] = pulley;
            def.anchor_1 = vector(0, 0, 0);
            def.axis = vector(0, 0, 1);
            def.direction = vector(0, 1, 0);
            def.radius = (sn_real)(i ? -r : r);
            REQUIRE_OK(sn_constraint_create(world, SN_TYPE_RACK_JOINT, &def, &made));
        }
        run(world, 60);
        double v = (m[0] - m[1]) * GRAVITY / (m[0] + m[1] + inertia / (r * r));
        CHECK_REL(velocity_of(world, weight[0]).y, -v, 5e-4);
        CHECK_REL(velocity_of(world, weight[1]).y, v, 5e-4);
        CHECK_REL(spin_of(world, pulley).z, v / r, 5e-4);
        sn_world_destroy(world);
    }
}

/* A bead on an arm that turns with omega: r = r0 cosh(omega t). */
TEST(a_bead_goes_out_on_an_arm) {
    const double omega = 3, from = 0.1;
    FOR_BOTH_INTEGRATORS(integrator) {
        sn_world *world = make_scene(0, integrator);
        sn_node arm = add_fixed_frame(world, nowhere, unturned);
        sn_node bead = add_frame(world, (vec){from, 0, 0}, 1, unturned, (vec){0.01, 0.01, 0.01});
        set_spin(world, arm, (vec){0, 0, omega});
        add_slider(world, arm, bead, (vec){1, 0, 0});
        throw(world, bead, (vec){0, omega * from, 0}, (vec){0, 0, omega});
        run(world, 36);
        CHECK_REL(length(position_of(world, bead)), from * cosh(omega * 0.6),
                  integrator == SN_INTEGRATOR_BDF2 ? 2e-4 : 4e-3);
        sn_world_destroy(world);
    }
}

/* ---- Impacts ---- */

/* A rod that is struck two thirds of the way down: its upper end stays. */
TEST(a_bar_turns_about_its_end_where_it_is_struck) {
    const double l = 1, m = 0.5, v = 2, thin = 0.001;
    FOR_BOTH_INTEGRATORS(integrator) {
        sn_world *world = make_scene(0, integrator);
        sn_node bar =
            add_body(world, shape_of(SN_SHAPE_BOX, (vec){thin, l / 2, thin}, nowhere, 0, 0.6), 2);
        vec at = {-0.3, l / 6, 0};
        sn_node ball = add_body(world, shape_of(SN_SHAPE_SPHERE, (vec){0.05, 0, 0}, at, 0, 0.6), m);
        throw(world, ball, (vec){v, 0, 0}, nowhere);
        run(world, 30);
        double along = velocity_of(world, bar).x;
        CHECK(along > 0.3);
        CHECK_NEAR(along + l / 2 * spin_of(world, bar).z, 0, 1e-4);
        sn_world_destroy(world);
    }
}

/* A ball that bounces wholly and does not slip: of u = v + r omega, how fast it slips, 2/7 go. */
TEST(a_ball_bounces_back_by_its_spin) {
    const double r = 0.05, v = 1, spin = 30, u = v + r * spin;
    FOR_BOTH_INTEGRATORS(integrator) {
        sn_world *world = make_scene(0, integrator);
        (void)add_still(world, shape_of(SN_SHAPE_PLANE, nowhere, nowhere, 5, 1));
        sn_node ball =
            add_body(world, shape_of(SN_SHAPE_SPHERE, (vec){r, 0, 0}, (vec){0, 0.3, 0}, 5, 1), 1);
        throw(world, ball, (vec){v, -2, 0}, (vec){0, 0, spin});
        run(world, 24);
        CHECK_REL(velocity_of(world, ball).x, v - 2 * u / 7, 1e-4);
        CHECK_REL(velocity_of(world, ball).y, 2, 1e-4);
        CHECK_REL(spin_of(world, ball).z, spin - 5 * u / (7 * r), 1e-4);
        sn_world_destroy(world);
    }
}

/* ---- What rolls, turns and slips ---- */

/* A ball that slips rolls after 2 v / (7 mu g), with 5/7 of its speed. */
TEST(a_ball_slips_until_it_rolls) {
    const double r = 0.1, mu = 0.2, v = 3, time = 2 * v / (7 * mu * GRAVITY);
    FOR_BOTH_INTEGRATORS(integrator) {
        sn_world *world = make_scene(GRAVITY, integrator);
        (void)add_still(world, shape_of(SN_SHAPE_PLANE, nowhere, nowhere, mu, 0));
        sn_node ball =
            add_body(world, shape_of(SN_SHAPE_SPHERE, (vec){r, 0, 0}, (vec){0, r, 0}, mu, 0), 1);
        throw(world, ball, (vec){v, 0, 0}, nowhere);
        run(world, (int)(60 * time));
        double slips = velocity_of(world, ball).x + r * spin_of(world, ball).z;
        double left = time - floor(60 * time) / 60;
        CHECK_NEAR(slips, 3.5 * mu * GRAVITY * left, 0.02);
        run(world, 10);
        CHECK_REL(velocity_of(world, ball).x, 5 * v / 7, 1e-3);
        CHECK_REL(spin_of(world, ball).z, -5 * v / (7 * r), 1e-3);
        sn_world_destroy(world);
    }
}

/* A ball that rolls on a turntable goes round in 7/2 of its turns: dv/dt = 2/7 omega x v. */
TEST(a_ball_goes_round_on_a_turntable) {
    const double r = 0.05, omega = 3, from = 0.3, v = 0.4, time = 1.2,
                 angle = 2.0 / 7 * omega * time;
    FOR_BOTH_INTEGRATORS(integrator) {
        sn_world *world = make_scene(GRAVITY, integrator);
        sn_collider_def table = shape_of(SN_SHAPE_BOX, (vec){3, 0.1, 3}, (vec){0, -0.1, 0}, 2, 0);
        table.angular_velocity = vector(0, omega, 0);
        (void)add_still(world, table);
        sn_node ball =
            add_body(world, shape_of(SN_SHAPE_SPHERE, (vec){r, 0, 0}, (vec){from, r, 0}, 2, 0), 1);
        /* Where it touches, the table goes with -omega from along z. */
        throw(world, ball, (vec){0, 0, -v}, (vec){(omega * from - v) / r, 0, 0});
        run(world, 72);
        CHECK_NEAR(velocity_of(world, ball).x, -v * sin(angle), 0.01 * v);
        CHECK_NEAR(velocity_of(world, ball).z, -v * cos(angle), 0.01 * v);
        sn_world_destroy(world);
    }
}

/* A plate that is thrown up spinning wobbles twice as fast: its axis goes round L with L / I_1. */
TEST(a_plate_wobbles) {
    const double across = 0.01, along = 0.02, omega = 20, tilt = 0.05, time = 0.5;
    FOR_BOTH_INTEGRATORS(integrator) {
        sn_world *world = make_scene(0, integrator);
        sn_node plate = add_frame(world, nowhere, 1, unturned, (vec){across, along, across});
        set_spin(world, plate, (vec){omega * sin(tilt), omega * cos(tilt), 0});
        run(world, (int)(60 * time));
        vec l = {across * omega * sin(tilt), along * omega * cos(tilt), 0};
        vec axis = rotated(turn(l, length(l) / across * time), (vec){0, 1, 0});
        vec is = rotated(orientation_of(world, plate), (vec){0, 1, 0});
        CHECK_NEAR(length(sub(is, axis)), 0, 1e-4);
        sn_world_destroy(world);
    }
}

/* A ladder at a smooth wall stays where tan > 1 / (2 mu), and slips where it is flatter. */
TEST(a_ladder_stays_where_it_is_steep) {
    const double mu = 0.4, half = 0.5, r = 0.002, border = atan(1 / (2 * mu));
    FOR_BOTH_INTEGRATORS(integrator) {
        for (int slips = 0; slips < 2; slips++) {
            const double at = border + (slips ? -0.04 : 0.04);
            sn_world *world = make_scene(GRAVITY, integrator);
            vec middle = {half * cos(at) + r, half * sin(at) + r, 0};
            sn_collider_def ladder = shape_of(SN_SHAPE_CAPSULE, (vec){r, half, 0}, middle, mu, 0);
            ladder.orientation = quaternion(turn(z_axis, PI / 2 - at));
            (void)add_still(world, shape_of(SN_SHAPE_PLANE, nowhere, nowhere, mu, 0));
            (void)add_still(world,
                            shape_of(SN_SHAPE_BOX, (vec){0.5, 5, 5}, (vec){-0.5, 4, 0}, 0, 0));
            sn_node node = add_body(world, ladder, 1);
            run(world, 120);
            double y = position_of(world, node).y;
            if (slips) CHECK(y < 0.8 * middle.y);
            if (!slips) CHECK_NEAR(y, middle.y, 1e-3);
            sn_world_destroy(world);
        }
    }
}

TESTS(RUN(two_pendulums_on_each_other_go_their_way), RUN(a_bar_turns_on_two_strings),
      RUN(a_pulley_with_inertia_slows_its_weights), RUN(a_bead_goes_out_on_an_arm),
      RUN(a_bar_turns_about_its_end_where_it_is_struck), RUN(a_ball_bounces_back_by_its_spin),
      RUN(a_ball_slips_until_it_rolls), RUN(a_ball_goes_round_on_a_turntable), RUN(a_plate_wobbles),
      RUN(a_ladder_stays_where_it_is_steep))
