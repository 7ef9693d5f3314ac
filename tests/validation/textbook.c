/*
 * V60: what textbooks of mechanics ask: a ladder that slides down a wall, a block on a belt, a bar
 * that is struck at its end, a cylinder on a slope, a pendulum whose axis turns, a wheel on a
 * spring, a train of gears, a planet, pendulums that go round, exchange their energy, and are
 * pumped, what rolls or slips, a stroke of billiards, and bounces that end. With the settings of a
 * plain scene, 20 substeps in a sixtieth of a second.
 */
#include "bodies.h"

#include <math.h>
#include <stdio.h>

static const double h = 1.0 / 1200;

static sn_world *make_scene(double gravity, sn_integrator integrator) {
    sn_settings settings = sn_settings_default();
    settings.gravity = vector(0, -gravity, 0);
    settings.integrator = integrator;
    return make_world(settings);
}

#define FOR_BOTH_INTEGRATORS(integrator)                                                           \
    for (sn_integrator integrator = SN_INTEGRATOR_BDF1; integrator <= SN_INTEGRATOR_BDF2;          \
         integrator++)

static const vec nowhere = {0, 0, 0};

/* ---- Contact ---- */

/* A smooth ladder, a thin bar, leaves the wall when its top has come down to two thirds of where it
   was; from then on it goes with h omega sin, h half of its length. */
TEST(a_ladder_leaves_the_wall) {
    const double half = 0.5, r = 1e-3, at = 75 * PI / 180, s = sin(at);
    sn_world *world = make_scene(GRAVITY, SN_INTEGRATOR_BDF1);
    sn_collider_def ladder = shape_of(SN_SHAPE_CAPSULE, (vec){0, half, 0},
                                      (vec){half * cos(at) + r, half * s + r, 0}, 0, 0);
    ladder.radius = (sn_real)r;
    ladder.orientation = quaternion(turn((vec){0, 0, 1}, PI / 2 - at));
    (void)add_still(world, shape_of(SN_SHAPE_PLANE, nowhere, nowhere, 0, 0));
    (void)add_still(world, shape_of(SN_SHAPE_BOX, (vec){0.5, 5, 5}, (vec){-0.5, 4, 0}, 0, 0));
    sn_node node = add_body(world, ladder, 1);
    for (int k = 0; k < 2400 && position_of(world, node).y > 0.1; k += 20) advance(world, h, 20);
    double omega = sqrt(3 * GRAVITY / (2 * half) * s / 3);
    CHECK_REL(velocity_of(world, node).x, half * omega * s * 2 / 3, 2e-3);
    sn_world_destroy(world);
}

/* A block that is set on a belt gains mu g until it goes with it, v^2 / (2 mu g) behind. */
TEST(a_block_goes_along_with_a_belt) {
    const double mu = 0.5, v = 2;
    sn_world *world = make_scene(GRAVITY, SN_INTEGRATOR_BDF1);
    sn_collider_def belt = shape_of(SN_SHAPE_BOX, (vec){20, 0.5, 1}, (vec){0, -0.5, 0}, mu, 0);
    belt.velocity = vector(v, 0, 0);
    (void)add_still(world, belt);
    vec size = {0.1, 0.1, 0.1};
    sn_node block = add_body(world, shape_of(SN_SHAPE_BOX, size, (vec){0, 0.1, 0}, mu, 0), 2);
    advance(world, h, 240);
    CHECK_REL(velocity_of(world, block).x, mu * GRAVITY * 0.2, 5e-3);
    advance(world, h, 480);
    CHECK_REL(velocity_of(world, block).x, v, sizeof(sn_real) > 4 ? 1e-5 : 3e-5);
    CHECK_REL(v * 0.6 - position_of(world, block).x, v * v / (2 * mu * GRAVITY), 5e-3);
    sn_world_destroy(world);
}

/* A ball that strikes a free bar near its end: J = 2 v / (1/m + 1/M + a^2 / I). */
TEST(a_bar_is_struck_at_its_end) {
    const double m = 0.5, M = 2, v = 2, a = 0.4, half = 0.5, thin = 0.02;
    sn_world *world = make_scene(0, SN_INTEGRATOR_BDF1);
    sn_node bar =
        add_body(world, shape_of(SN_SHAPE_BOX, (vec){thin, half, thin}, nowhere, 0, 1), M);
    sn_collider_def def = shape_of(SN_SHAPE_SPHERE, nowhere, (vec){-0.2, a, 0}, 0, 1);
    def.radius = (sn_real)0.05;
    def.velocity = vector(v, 0, 0);
    sn_node ball = add_body(world, def, m);
    advance(world, h, 240);
    double inertia = M / 3 * (half * half + thin * thin);
    double impulse = 2 * v / (1 / m + 1 / M + a * a / inertia);
    CHECK_REL(velocity_of(world, ball).x, v - impulse / m, 1e-4);
    CHECK_REL(velocity_of(world, bar).x, impulse / M, 1e-4);
    CHECK_REL(spin_of(world, bar).z, -impulse * a / inertia, 1e-4);
    sn_world_destroy(world);
}

/* A full cylinder rolls down a slope with two thirds of g sin, on a plane and on a box. */
TEST(a_cylinder_rolls_down) {
    const double slope = 0.3, r = 0.1;
    for (int box = 0; box < 2; box++) {
        check_case(box ? "box" : "plane");
        sn_settings settings = sn_settings_default();
        settings.gravity = vector(GRAVITY * sin(slope), -GRAVITY * cos(slope), 0);
        sn_world *world = make_world(settings);
        sn_collider_def ground =
            box ? shape_of(SN_SHAPE_BOX, (vec){20, 0.5, 1}, (vec){0, -0.5, 0}, 0.8, 0)
                : shape_of(SN_SHAPE_PLANE, nowhere, nowhere, 0.8, 0);
        (void)add_still(world, ground);
        sn_collider_def def =
            shape_of(SN_SHAPE_CYLINDER, (vec){0, 0.15, 0}, (vec){0, r, 0}, 0.8, 0);
        def.radius = (sn_real)r;
        def.orientation = quaternion(turn((vec){1, 0, 0}, PI / 2));
        sn_node node = add_body(world, def, 1);
        advance(world, h, 600);
        double v = GRAVITY * sin(slope) / 3;
        CHECK_REL(velocity_of(world, node).x, v, 1e-3);
        CHECK_REL(spin_of(world, node).z, -v / r, 1e-3);
        sn_world_destroy(world);
    }
}

/* ---- Joints ---- */

static sn_constraint add_hinge(sn_world *world, sn_node wall, sn_node node, vec axis) {
    sn_hinge_joint_def def = sn_hinge_joint_def_default();
    sn_constraint made;
    vec from = position_of(world, wall);
    def.node[0] = wall;
    def.node[1] = node;
    def.anchor_0 = vector(-from.x, -from.y, -from.z);
    def.axis = vector(axis.x, axis.y, axis.z);
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_HINGE_JOINT, &def, &made));
    return made;
}

static sn_constraint add_drive(sn_world *world, sn_node wall, sn_node node, vec axis,
                               double compliance, double damping) {
    sn_turn_drive_def def = sn_turn_drive_def_default();
    sn_constraint made;
    def.node[0] = wall;
    def.node[1] = node;
    def.axis = vector(axis.x, axis.y, axis.z);
    def.compliance = (sn_real)compliance;
    def.damping = (sn_real)damping;
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_TURN_DRIVE, &def, &made));
    return made;
}

/* A pendulum whose axis is turned about the vertical with omega stands off at cos = g / (omega^2
   l), where that is below 1. */
TEST(a_pendulum_stands_off_a_turning_axis) {
    const double omega = 6, l = 0.5, at = 0.2;
    sn_world *world = make_scene(GRAVITY, SN_INTEGRATOR_BDF1);
    sn_node axis = add_fixed_frame(world, nowhere, unturned);
    set_spin(world, axis, (vec){0, omega, 0});
    sn_node bob =
        add_frame(world, (vec){l * sin(at), -l * cos(at), 0}, 1, unturned, (vec){1e-3, 1e-3, 1e-3});
    REQUIRE_OK(sn_node_set_velocity(world, bob, vector(0, 0, -omega * l * sin(at))));
    set_spin(world, bob, (vec){0, omega, 0});
    sn_hinge_joint_def def = sn_hinge_joint_def_default();
    sn_constraint hinge;
    def.node[0] = axis;
    def.node[1] = bob;
    def.anchor_0 = vector(0, 0, 0);
    def.axis = vector(0, 0, 1);
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_HINGE_JOINT, &def, &hinge));
    (void)add_drive(world, axis, bob, (vec){0, 0, 1}, 1e6, 1);
    advance(world, h, 16800);
    CHECK_REL(-position_of(world, bob).y / l, GRAVITY / (omega * omega * l), 5e-3);
    sn_world_destroy(world);
}

/* A wheel on a spring that turns it: T = 2 pi sqrt(I / k). */
TEST(a_wheel_swings_on_a_spring) {
    const double inertia = 0.04, k = 5;
    FOR_BOTH_INTEGRATORS(integrator) {
        enum { SAMPLES = 240 };
        double turned[SAMPLES];
        check_case("integrator %d", (int)integrator);
        sn_world *world = make_scene(0, integrator);
        sn_node wall = add_fixed_frame(world, nowhere, unturned);
        sn_node wheel = add_frame(world, nowhere, 2, unturned, (vec){inertia, inertia, inertia});
        set_spin(world, wheel, (vec){0, 1, 0});
        (void)add_hinge(world, wall, wheel, (vec){0, 1, 0});
        (void)add_drive(world, wall, wheel, (vec){0, 1, 0}, 1 / k, 0);
        for (int i = 0; i < SAMPLES; i++) {
            advance(world, h, 20);
            turned[i] = spin_of(world, wheel).y;
        }
        mode found = find_mode(turned, SAMPLES, 5);
        CHECK_REL(2 * PI * 20 * h / found.phase, 2 * PI * sqrt(inertia / k), 1e-3);
        sn_world_destroy(world);
    }
}

/* Two pairs of gears, 2 : 1 and 4 : 1: an eighth of a torque holds it, and let go it has I (1 + 4^2
   + 8^2) to move. */
TEST(a_train_of_gears_holds_by_its_ratio) {
    const double inertia = 0.01, torque = 8, ratio[] = {-0.5, -0.25};
    sn_world *world = make_scene(0, SN_INTEGRATOR_BDF1);
    sn_node gear[3], wall[3];
    sn_constraint made;
    for (int i = 0; i < 3; i++) {
        wall[i] = add_fixed_frame(world, (vec){0.3 * i, 0, 0}, unturned);
        gear[i] =
            add_frame(world, (vec){0.3 * i, 0, 0}, 1, unturned, (vec){inertia, inertia, inertia});
        sn_hinge_joint_def def = sn_hinge_joint_def_default();
        def.node[0] = wall[i];
        def.node[1] = gear[i];
        REQUIRE_OK(sn_constraint_create(world, SN_TYPE_HINGE_JOINT, &def, &made));
    }
    for (int i = 0; i < 2; i++) {
        sn_gear_joint_def def = sn_gear_joint_def_default();
        def.node[0] = wall[0];
        def.node[1] = gear[i];
        def.node[2] = gear[i + 1];
        def.ratio = (sn_real)ratio[i];
        REQUIRE_OK(sn_constraint_create(world, SN_TYPE_GEAR_JOINT, &def, &made));
    }
    sn_constraint hold = add_drive(world, wall[0], gear[0], (vec){0, 0, 1}, 0, 0);
    for (int k = 0; k < 30; k++) {
        CHECK_OK(sn_node_add_torque(world, gear[2], vector(0, 0, torque)));
        advance(world, h, 20);
    }
    CHECK_REL(fabs(force_of(world, hold)), torque / 8, TOL(1e-4, 2e-3));
    CHECK_OK(sn_constraint_destroy(world, hold));
    for (int k = 0; k < 30; k++) {
        CHECK_OK(sn_node_add_torque(world, gear[2], vector(0, 0, torque)));
        advance(world, h, 20);
    }
    CHECK_REL(spin_of(world, gear[2]).z, 0.5 * torque / (inertia * (1 + 16 + 64)), 2e-3);
    sn_world_destroy(world);
}

/* ---- Points ---- */

/* The time between every second passage through 0 of what is sampled, s. */
typedef struct clock {
    double time, last, first, latest;
    int crossings;
} clock;

static void look(clock *c, double value, double dt) {
    c->time += dt;
    if (c->time > 1.5 * dt && (value < 0) != (c->last < 0)) {
        c->latest = c->time - dt * value / (value - c->last);
        if (c->crossings++ == 0) c->first = c->latest;
    }
    c->last = value;
}

static double period_of(const clock *c) {
    return 2 * (c->latest - c->first) / (c->crossings - 1);
}

/* A planet on an ellipse with an eccentricity of 0.4: T = 2 pi sqrt(a^3 / (G M)). */
TEST(a_planet_comes_back) {
    const double gm = 2.5, a = 1, e = 0.4, core = 0.5, dt = 20 * h;
    FOR_BOTH_INTEGRATORS(integrator) {
        check_case("integrator %d", (int)integrator);
        sn_world *world = make_scene(0, integrator);
        sn_effector_def sun = sn_effector_def_default();
        sn_effector made;
        sun.kind = SN_EFFECTOR_RADIAL;
        sun.strength = (sn_real)(-gm / (core * core));
        sun.falloff = 2;
        sun.min_distance = sun.falloff_length = (sn_real)core;
        REQUIRE_OK(sn_effector_create(world, &sun, &made));
        sn_node planet = add_node(world, (vec){a * (1 - e), 0, 0}, 1);
        REQUIRE_OK(
            sn_node_set_velocity(world, planet, vector(0, 0, sqrt(gm / a * (1 + e) / (1 - e)))));
        clock c = {0};
        double period = 2 * PI * sqrt(a * a * a / gm);
        while (c.crossings < 5 && c.time < 3 * period) {
            advance(world, h, 20);
            look(&c, position_of(world, planet).z, dt);
        }
        CHECK_REL(period_of(&c), period, 1e-3);
        sn_world_destroy(world);
    }
}

/* A pendulum that goes round in a cone: omega^2 = g / (l cos). BDF1 takes some of its energy. */
TEST(a_pendulum_goes_round_in_a_cone) {
    const double l = 1, at = 0.7, omega = sqrt(GRAVITY / (l * cos(at)));
    FOR_BOTH_INTEGRATORS(integrator) {
        check_case("integrator %d", (int)integrator);
        sn_world *world = make_scene(GRAVITY, integrator);
        sn_node bob = add_node(world, (vec){l * sin(at), -l * cos(at), 0}, 1);
        (void)add_link(world, add_pin(world, nowhere), bob, l, 0);
        REQUIRE_OK(sn_node_set_velocity(world, bob, vector(0, 0, -omega * l * sin(at))));
        clock c = {0};
        for (int k = 0; k < 240; k++) {
            advance(world, h, 20);
            look(&c, position_of(world, bob).z, 20 * h);
        }
        CHECK_REL(period_of(&c), 2 * PI / omega, integrator == SN_INTEGRATOR_BDF1 ? 5e-3 : 1e-4);
        sn_world_destroy(world);
    }
}

/* Two pendulums with a spring between them: after half a beat, pi / (omega_2 - omega_1), the second
   has all of the motion. */
TEST(two_pendulums_beat) {
    const double l = 1, k = 1;
    double beat = PI / (sqrt(GRAVITY / l + 2 * k) - sqrt(GRAVITY / l)), energy[2];
    sn_world *world = make_scene(GRAVITY, SN_INTEGRATOR_BDF2);
    sn_node bob[2];
    for (int i = 0; i < 2; i++) {
        bob[i] = add_node(world, (vec){0.5 * i, -l, 0}, 1);
        (void)add_link(world, add_pin(world, (vec){0.5 * i, 0, 0}), bob[i], l, 0);
    }
    (void)add_link(world, bob[0], bob[1], 0.5, 1 / k);
    REQUIRE_OK(sn_node_set_velocity(world, bob[0], vector(0.05, 0, 0)));
    advance(world, h, 20 * (int)(beat / (20 * h) + 0.5));
    for (int i = 0; i < 2; i++) {
        double x = position_of(world, bob[i]).x - 0.5 * i, v = velocity_of(world, bob[i]).x;
        energy[i] = v * v + (GRAVITY / l + k) * x * x;
    }
    CHECK(energy[0] < 0.01 * energy[1]);
    CHECK_REL(energy[1], 0.05 * 0.05, 0.02);
    sn_world_destroy(world);
}

/* A pendulum whose pivot goes up and down by a at twice its frequency grows with a omega / l
   (Mathieu). */
TEST(a_pendulum_is_pumped) {
    const double l = 0.5, a = 0.02, omega = sqrt(GRAVITY / l), dt = 10 * h;
    sn_world *world = make_scene(GRAVITY, SN_INTEGRATOR_BDF2);
    sn_node pivot = add_pin(world, nowhere), bob = add_node(world, (vec){0.002, -l, 0}, 1);
    (void)add_link(world, pivot, bob, l, 0);
    sn_settings settings = sn_settings_default();
    settings.substeps = 10;
    settings.integrator = SN_INTEGRATOR_BDF2;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    double most[9] = {0}, period = 2 * PI / omega;
    for (int k = 1; k * dt < 9 * period; k++) {
        CHECK_OK(sn_node_set_target(world, pivot, vector(0, a * cos(2 * omega * k * dt), 0)));
        advance(world, h, 10);
        int turn_number = (int)(k * dt / period);
        most[turn_number] = fmax(most[turn_number], fabs(position_of(world, bob).x));
    }
    CHECK_REL(log(most[8] / most[3]) / (5 * period), a * omega / l, 0.02);
    sn_world_destroy(world);
}

/* ---- What rolls and bounces ---- */

/* Ground that stands, or that a body carries which nothing moves. */
static void add_ground(sn_world *world, bool carried, double mu, uint32_t material) {
    sn_collider_def def = carried
                              ? shape_of(SN_SHAPE_BOX, (vec){20, 0.5, 2}, (vec){0, -0.5, 0}, mu, 0)
                              : shape_of(SN_SHAPE_PLANE, nowhere, nowhere, mu, 0);
    def.material = material;
    if (!carried) {
        (void)add_still(world, def);
        return;
    }
    sn_node node = add_body(world, def, 1);
    REQUIRE_OK(sn_node_set_inverse_mass(world, node, 0));
    REQUIRE_OK(sn_node_set_inverse_inertia(world, node, vector(0, 0, 0)));
}

/* With I = c m r^2 a slope is rolled down with g sin / (1 + c) where mu > tan c / (1 + c); else
   with g (sin - mu cos), while mu g cos / (c r) turns it. */
TEST(what_rolls_down_slips_where_it_is_steep) {
    const double slope = 0.5, r = 0.1, time = 0.5;
    for (int i = 0; i < 8; i++) {
        const bool ball = i % 2, slips = i / 2 % 2, carried = i / 4;
        const double c = ball ? 0.4 : 0.5, border = tan(slope) * c / (1 + c);
        const double mu = border * (slips ? 0.6 : 1.3);
        check_case("%s on %s, %s", ball ? "ball" : "cylinder", carried ? "a body" : "a plane",
                   slips ? "slips" : "rolls");
        sn_settings settings = sn_settings_default();
        settings.gravity = vector(GRAVITY * sin(slope), -GRAVITY * cos(slope), 0);
        sn_world *world = make_world(settings);
        add_ground(world, carried, mu, 0);
        sn_collider_def def = shape_of(ball ? SN_SHAPE_SPHERE : SN_SHAPE_CYLINDER,
                                       (vec){0, ball ? 0 : 0.05, 0}, (vec){0, r, 0}, mu, 0);
        def.radius = (sn_real)r;
        def.orientation = quaternion(turn((vec){1, 0, 0}, PI / 2));
        sn_node node = add_body(world, def, 1);
        advance(world, h, (int)(time / h + 0.5));
        double a = GRAVITY * (sin(slope) - mu * cos(slope)), spin = mu * GRAVITY * cos(slope) / c;
        if (!slips) a = spin = GRAVITY * sin(slope) / (1 + c);
        CHECK_REL(velocity_of(world, node).x, a * time, 1e-3);
        CHECK_REL(spin_of(world, node).z, -spin / r * time, 1e-3);
        sn_world_destroy(world);
    }
}

/* A ball that strikes another one head on stops, but goes on with the spin that it has: 2/7 r omega
   in the end, forth or back, and 5/7 of the speed is left to the other. */
TEST(a_ball_is_drawn_back) {
    const double r = 0.03, v = 2, mu = 0.2;
    for (int i = 0; i < 6; i++) {
        const double spin = 40 * (i % 3 - 1);
        check_case("%g rad/s on %s", spin, i < 3 ? "a plane" : "a body");
        sn_world *world = make_scene(GRAVITY, SN_INTEGRATOR_BDF1);
        sn_contact_pair_def pair = sn_contact_pair_def_default();
        pair.restitution = 1;
        pair.static_friction = pair.dynamic_friction = 0;
        REQUIRE_OK(sn_world_set_contact_pair(world, 2, 2, &pair));
        pair.restitution = 0;
        pair.static_friction = pair.dynamic_friction = (sn_real)mu;
        REQUIRE_OK(sn_world_set_contact_pair(world, 1, 2, &pair));
        add_ground(world, i >= 3, mu, 1);
        sn_collider_def def = shape_of(SN_SHAPE_SPHERE, nowhere, (vec){0, r, 0}, 0, 0);
        def.radius = (sn_real)r;
        def.material = 2;
        sn_node other = add_body(world, def, 0.17);
        def.position = vector(-2 * r - 0.001, r, 0);
        def.velocity = vector(v, 0, 0);
        sn_node cue = add_body(world, def, 0.17);
        set_spin(world, cue, (vec){0, 0, spin});
        advance(world, h, 1200);
        CHECK_NEAR(velocity_of(world, cue).x, -2.0 / 7 * r * spin, 1e-3);
        CHECK_NEAR(velocity_of(world, other).x, 5.0 / 7 * v, 1e-3);
        sn_world_destroy(world);
    }
}

/* s: when a ball that falls from 1 m and keeps half of its speed has bounced for the last time. */
static double last_bounce(sn_integrator integrator, int rate) {
    const double r = 0.1, dt = 1.0 / rate;
    sn_settings settings = sn_settings_default();
    settings.gravity = vector(0, -GRAVITY, 0);
    settings.integrator = integrator;
    settings.substeps = 1;
    sn_world *world = make_world(settings);
    (void)add_still(world, shape_of(SN_SHAPE_PLANE, nowhere, nowhere, 0, 0.5));
    sn_collider_def def = shape_of(SN_SHAPE_SPHERE, nowhere, (vec){0, 1 + r, 0}, 0, 0.5);
    def.radius = (sn_real)r;
    sn_node ball = add_body(world, def, 1);
    double last = 0, before = 0;
    for (int k = 1; k * dt < 1.6; k++) {
        advance(world, dt, 1);
        double v = velocity_of(world, ball).y;
        if (v > 1e-3 && before <= 0) last = k * dt;
        before = v;
    }
    sn_world_destroy(world);
    return last;
}

/* Bounces end at sqrt(2 H / g) (1 + e) / (1 - e), 1.3546 s. A flight of BDF1 ends a substep
   too early and g h too slow, which is 4 substeps for each bounce; those slower than 2 g h are
   none. */
TEST(bounces_end_in_time) {
    const double ends = 3 * sqrt(2 / GRAVITY);
    for (int k = 0; k < 3; k++) {
        const int rate = 1200 << 2 * k;
        double one = last_bounce(SN_INTEGRATOR_BDF1, rate);
        double two = last_bounce(SN_INTEGRATOR_BDF2, rate);
        check_case("%d substeps per second: %.4f s and %.4f s", rate, one, two);
        if (check_shows()) printf("%d substeps per second: %.4f s, BDF2 %.4f s\n", rate, one, two);
        const double bounces = log2(sqrt(2 * GRAVITY) * rate / (2 * GRAVITY));
        CHECK_NEAR(one, ends, (8 + 4 * bounces) / rate);
        CHECK_NEAR(two, ends, 25.0 / rate);
    }
}

TESTS(RUN(a_ladder_leaves_the_wall), RUN(a_block_goes_along_with_a_belt),
      RUN(a_bar_is_struck_at_its_end), RUN(a_cylinder_rolls_down),
      RUN(a_pendulum_stands_off_a_turning_axis), RUN(a_wheel_swings_on_a_spring),
      RUN(a_train_of_gears_holds_by_its_ratio), RUN(a_planet_comes_back),
      RUN(a_pendulum_goes_round_in_a_cone), RUN(two_pendulums_beat), RUN(a_pendulum_is_pumped),
      RUN(what_rolls_down_slips_where_it_is_steep), RUN(a_ball_is_drawn_back),
      RUN(bounces_end_in_time))
