/*
 * Drives: stiff ones on light parts, of which nothing else takes hold, so that momentum and angular
 * momentum stay what they were; what damping does; and how targets are come to.
 */
#include "frame.h"

#include <math.h>

typedef struct leg {
    sn_constraint swing, lift;
} leg;

typedef struct bug {
    sn_world *world;
    leg leg[2];
    int legs;
} bug;

/* kg m^2, of a box with these half sides, m. */
static vec inertia_of(double mass, vec half) {
    return (vec){mass / 3 * (half.y * half.y + half.z * half.z),
                 mass / 3 * (half.z * half.z + half.x * half.x),
                 mass / 3 * (half.x * half.x + half.y * half.y)};
}

static sn_node add_box(sn_world *world, vec at, vec half, double density) {
    double mass = 8 * density * half.x * half.y * half.z;
    return add_frame(world, at, mass, unturned, inertia_of(mass, half));
}

static void add_hinge(sn_world *world, sn_node a, sn_node b, vec axis, vec anchor) {
    sn_hinge_joint_def def = sn_hinge_joint_def_default();
    sn_constraint made;
    def.node[0] = a;
    def.node[1] = b;
    def.axis = vector(axis.x, axis.y, axis.z);
    def.anchor_0 = vector(anchor.x, anchor.y, anchor.z);
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_HINGE_JOINT, &def, &made));
}

typedef struct servo {
    double stiffness, damping; /* N m/rad, N m s/rad */
    double target;             /* rad, when it is made */
} servo;

static sn_constraint add_servo(sn_world *world, sn_node a, sn_node b, vec axis, servo is) {
    sn_turn_drive_def def = sn_turn_drive_def_default();
    sn_constraint made;
    def.node[0] = a;
    def.node[1] = b;
    def.axis = vector(axis.x, axis.y, axis.z);
    def.compliance = (sn_real)(1 / is.stiffness);
    def.damping = (sn_real)is.damping;
    def.target = (sn_real)is.target;
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_TURN_DRIVE, &def, &made));
    return made;
}

/* rad: where a leg of the scene `millipede` is to be. */
static double swing_at(double phase) {
    return 0.6 * cos(phase);
}

static double lift_at(double phase) {
    return -0.9 * fmax(0, -sin(phase));
}

/* A segment of that scene, with a leg or two. With a target other than 0, which is a phase, legs
   are to be where they are in it at once. */
static bug make_bug(sn_settings settings, int legs, servo is) {
    bug b = {.world = make_world(settings), .legs = legs};
    sn_node segment = add_box(b.world, (vec){0, 0, 0}, (vec){0.068, 0.026, 0.05}, 300);
    for (int k = 0; k < legs; k++) {
        double side = k ? 1 : -1;
        sn_node upper =
            add_box(b.world, (vec){0.045, 0, 0.08 * side}, (vec){0.006, 0.006, 0.032}, 900);
        sn_node lower =
            add_box(b.world, (vec){0.045, -0.028, 0.112 * side}, (vec){0.006, 0.034, 0.006}, 900);
        vec up = {0, side, 0}, along = {side, 0, 0};
        add_hinge(b.world, segment, upper, up, (vec){0.045, 0, 0.05 * side});
        add_hinge(b.world, upper, lower, along, (vec){0, 0, 0.032 * side});
        servo swing = is, lift = is;
        if (is.target != 0) {
            swing.target = swing_at(is.target + k * PI);
            lift.target = lift_at(is.target + k * PI);
        }
        b.leg[k].swing = add_servo(b.world, segment, upper, up, swing);
        b.leg[k].lift = add_servo(b.world, upper, lower, along, lift);
    }
    return b;
}

static void aim(const bug *b, double time) {
    const double pace = 12;
    for (int k = 0; k < b->legs; k++) {
        double phase = pace * time + 1.75 + k * PI;
        sn_real swing[3] = {(sn_real)swing_at(phase)};
        sn_real up[3] = {(sn_real)lift_at(phase)};
        REQUIRE_OK(sn_constraint_set_field(b->world, b->leg[k].swing, "target", swing));
        REQUIRE_OK(sn_constraint_set_field(b->world, b->leg[k].lift, "target", up));
    }
}

typedef struct course {
    double energy, angular, linear; /* the most of it, J, kg m^2/s and kg m/s */
} course;

static vec vec_of(const double v[3]) {
    return (vec){v[0], v[1], v[2]};
}

/* From when the legs are where their targets are. */
static course follow(sn_settings settings, double damping, int frames) {
    enum { FIRST = 5 };
    bug b = make_bug(settings, 2, (servo){20, damping, 0});
    course c = {0, 0, 0};
    sn_measure first = measure_of(b.world);
    for (int frame = 0; frame < frames; frame++) {
        aim(&b, frame / 60.0);
        REQUIRE_OK(sn_world_step(b.world, (sn_real)(1 / 60.0)));
        sn_measure m = measure_of(b.world);
        if (frame <= FIRST) first = m;
        vec l = sub(vec_of(m.angular_momentum), vec_of(first.angular_momentum));
        c.angular = fmax(c.angular, length(l));
        c.linear = fmax(c.linear, length(vec_of(m.momentum)));
        if (frame > FIRST) c.energy = fmax(c.energy, m.kinetic_energy);
    }
    sn_world_destroy(b.world);
    return c;
}

/* A leg that swings with 7 rad/s and lifts its foot with 11 has 3e-4 kg m^2/s and 2e-3 J. BDF1
   keeps the angular momentum that joints and drives give to rounding; BDF2 to second order. */
TEST(drives_keep_angular_momentum) {
    for (int i = 0; i < 6; i++) {
        sn_settings settings = weightless_settings(SN_SOLVER_COLOURED);
        bool second = i >= 3;
        settings.substeps = 10 << i % 3;
        settings.integrator = second ? SN_INTEGRATOR_BDF2 : SN_INTEGRATOR_BDF1;
        course c = follow(settings, 0.02, 60);
        check_case("bdf%d, %d substeps: %.3g J, %.3g kg m^2/s, %.3g kg m/s", 1 + second,
                   settings.substeps, c.energy, c.angular, c.linear);
        CHECK_NEAR(c.angular, 0, second ? 2e-5 : TOL(1e-16, 1e-7));
        CHECK_NEAR(c.linear, 0, TOL(1e-14, 1e-5));
        CHECK(c.energy < 6e-3);
    }
}

/* Legs that are to be elsewhere at once, by 0.3 and 0.8 rad: parts of 9 g turn by radians in a
   substep. What joints make of that is not exact, and may be somewhat more than the drives have
   stored for a moment; but it is lost again. It was more by powers of ten, and grew without end. */
TEST(a_jump_of_targets_ends) {
    const double phase = 1.05;
    for (int i = 0; i < 8; i++) {
        sn_settings settings = weightless_settings(SN_SOLVER_COLOURED);
        settings.substeps = i % 2 ? 40 : 20;
        servo is = {i % 4 < 2 ? 20 : 1000, i < 4 ? 0.02 : 0, phase};
        double square = 2 * pow(swing_at(phase), 2) + pow(lift_at(phase + PI), 2);
        double stored = is.stiffness * square / 2, most = 0, last = 0;
        bug b = make_bug(settings, 2, is);
        for (int frame = 0; frame < 60; frame++) {
            REQUIRE_OK(sn_world_step(b.world, (sn_real)(1 / 60.0)));
            last = measure_of(b.world).kinetic_energy;
            most = fmax(most, last);
        }
        check_case("%g N m/rad, %g N m s/rad, %d substeps, stored %.3g J", is.stiffness, is.damping,
                   settings.substeps, stored);
        CHECK_NEAR(most, 0, 2 * stored);
        CHECK_NEAR(last, 0, 0.1 * stored);
        sn_world_destroy(b.world);
    }
}

/* ---- A wheel on a fixed frame, about z ---- */

typedef struct wheel {
    sn_world *world;
    sn_node node;
    sn_constraint drive;
} wheel;

static const double inertia = 0.01; /* kg m^2 */

static wheel make_wheel(sn_settings settings, double stiffness, double damping) {
    wheel w = {.world = make_world(settings)};
    sn_node wall = add_fixed_frame(w.world, (vec){0, 0, 0}, unturned);
    w.node = add_frame(w.world, (vec){0, 0, 0}, 1, unturned, (vec){inertia, inertia, inertia});
    add_hinge(w.world, wall, w.node, (vec){0, 0, 1}, (vec){0, 0, 0});
    w.drive = add_servo(w.world, wall, w.node, (vec){0, 0, 1}, (servo){stiffness, damping, 0});
    return w;
}

static double angle_of(const wheel *w) {
    quat q = orientation_of(w->world, w->node);
    return 2 * atan2(q.z, q.w);
}

static void aim_wheel(const wheel *w, double target) {
    sn_real value[3] = {(sn_real)target};
    REQUIRE_OK(sn_constraint_set_field(w->world, w->drive, "target", value));
}

/* It swings with exp(-c t / 2 I) cos(omega t) about where its spring wants it; BDF1 brakes by
   omega^2 h / 2 more. With twice the damping at which it does not swing any more it creeps there,
   by the slower of two rates. */
TEST(drives_are_damped_by_their_damping) {
    enum { SAMPLES = 120 };
    static double samples[SAMPLES];
    const double k = 1, h = 1.0 / 1200;
    for (sn_integrator integrator = SN_INTEGRATOR_BDF1; integrator <= SN_INTEGRATOR_BDF2;
         integrator++) {
        sn_settings settings = weightless_settings(SN_SOLVER_COLOURED);
        settings.substeps = 20;
        settings.integrator = integrator;
        check_case("bdf%d", integrator + 1);
        for (double c = 0.01; c < 0.05; c *= 2) {
            wheel w = make_wheel(settings, k, c);
            set_spin(w.world, w.node, (vec){0, 0, 2});
            for (int i = 0; i < SAMPLES; i++) {
                advance(w.world, h, 20);
                samples[i] = angle_of(&w);
            }
            mode m = find_mode(samples, SAMPLES, 1);
            double brake = integrator == SN_INTEGRATOR_BDF1 ? k / inertia * h / 2 : 0;
            double rate = c / (2 * inertia);
            CHECK_REL(-60 * log(m.factor), rate + brake, 0.02);
            CHECK_REL(60 * m.phase, sqrt(k / inertia - rate * rate), 0.01);
            sn_world_destroy(w.world);
        }
        /* Dashpots act once in four substeps, or in every one where there are few. */
        settings.substeps = 7;
        wheel w = make_wheel(settings, k, 0.4);
        aim_wheel(&w, 1);
        advance(w.world, h / 2, 1050);
        double once = 1 - angle_of(&w);
        advance(w.world, h / 2, 1050);
        CHECK_REL((1 - angle_of(&w)) / once, exp(-0.4375 * (20 - sqrt(300))), 0.03);
        sn_world_destroy(w.world);
    }
}

/* A target that is set is reached evenly through the step, by the nearest way, and held. */
TEST(a_target_is_reached_through_the_step) {
    static unsigned char bytes[1 << 16];
    const double dt = 1.0 / 60;
    sn_settings settings = weightless_settings(SN_SOLVER_COLOURED);
    settings.substeps = 10;
    wheel w = make_wheel(settings, INFINITY, 0);
    double tolerance = TOL(1e-9, 1e-4);
    aim_wheel(&w, 0.4);
    advance(w.world, dt / 10, 10);
    CHECK_NEAR(angle_of(&w), 0.4, tolerance);
    CHECK_NEAR(spin_of(w.world, w.node).z, 0.4 / dt, 100 * tolerance);
    advance(w.world, dt / 10, 10);
    CHECK_NEAR(angle_of(&w), 0.4, tolerance);
    CHECK_NEAR(spin_of(w.world, w.node).z, 0, 100 * tolerance);
    for (double target = 1.2; target < 3; target += 0.6) {
        aim_wheel(&w, target);
        advance(w.world, dt / 10, 10);
    }
    /* Twice before a step: from where it is. */
    aim_wheel(&w, 0);
    aim_wheel(&w, -2.9);
    size_t size;
    REQUIRE_OK(sn_snapshot_save(w.world, bytes, sizeof bytes, &size));
    double before = angle_of(&w);
    advance(w.world, dt / 10, 10);
    CHECK_NEAR(spin_of(w.world, w.node).z, (2 * PI - 2.9 - before) / dt, 200 * tolerance);
    uint64_t after = sn_world_hash(w.world);
    REQUIRE_OK(sn_snapshot_load(w.world, bytes, size));
    advance(w.world, dt / 10, 10);
    CHECK(sn_world_hash(w.world) == after);
    sn_world_destroy(w.world);
}

/* A target counts as the place where it is, however many turns it is away: one that goes on round
   and round is followed, and what is made with such a target goes to the nearest such place. */
TEST(targets_go_round_and_round) {
    const double dt = 1.0 / 60, pace = 0.7;
    sn_settings settings = weightless_settings(SN_SOLVER_COLOURED);
    settings.substeps = 10;
    for (int way = -1; way <= 1; way += 2) {
        wheel w = make_wheel(settings, INFINITY, 0);
        for (int k = 1; k <= 60; k++) {
            double target = way * pace * k;
            aim_wheel(&w, target);
            advance(w.world, dt / 10, 10);
            check_case("target %g", target);
            CHECK_NEAR(sin((angle_of(&w) - target) / 2), 0, TOL(1e-9, 1e-4));
            CHECK_NEAR(spin_of(w.world, w.node).z, way * pace / dt, TOL(1e-6, 1e-1));
        }
        sn_world_destroy(w.world);
    }
    for (int k = -4; k <= 4; k++) {
        double target = 0.9 + 2 * PI * k;
        sn_world *world = make_world(settings);
        sn_node wall = add_fixed_frame(world, (vec){0, 0, 0}, unturned);
        wheel w = {world, add_frame(world, (vec){0, 0, 0}, 1, unturned, (vec){1, 1, 1}), {0}};
        add_hinge(world, wall, w.node, (vec){0, 0, 1}, (vec){0, 0, 0});
        add_servo(world, wall, w.node, (vec){0, 0, 1}, (servo){INFINITY, 0, target});
        advance(world, dt / 10, 20);
        check_case("target %g", target);
        CHECK_NEAR(angle_of(&w), 0.9, 1e-2);
        sn_world_destroy(world);
    }
}

/* ---- What is turned far ---- */

/* The angular velocity of a frame with these inverse inertias and this spin after a step of 1/60 s,
   in which a drive turns it about x. */
static vec turn_far(vec free, vec spin, double target) {
    sn_world *world = make_world(weightless_settings(SN_SOLVER_COLOURED));
    sn_node_def def = sn_node_def_default();
    sn_turn_drive_def drive = sn_turn_drive_def_default();
    sn_constraint made;
    def.oriented = true;
    for (int n = 0; n < 2; n++) {
        def.inverse_mass = (sn_real)n;
        def.inverse_inertia = n ? vector(free.x, free.y, free.z) : vector(0, 0, 0);
        def.angular_velocity = n ? vector(spin.x, spin.y, spin.z) : vector(0, 0, 0);
        REQUIRE_OK(sn_node_create(world, &def, &drive.node[n]));
    }
    drive.axis = vector(1, 0, 0);
    drive.target = (sn_real)target;
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_TURN_DRIVE, &drive, &made));
    advance(world, 1.0 / 60, 1);
    REQUIRE_OK(sn_node_get(world, drive.node[1], &def));
    sn_world_destroy(world);
    return (vec){(double)def.angular_velocity.x, (double)def.angular_velocity.y,
                 (double)def.angular_velocity.z};
}

/* What nothing turns about one of its axes has no energy there that could be too much: where turns
   begin to be far, at 0.2 rad, its spin goes on to grow as it did. */
TEST(an_axis_that_stands_takes_no_spin) {
    for (int k = 0; k < 2; k++) {
        const vec free = {1, 1, 0}, spin = {0, k ? 18 : -18, 0};
        const double less = length(turn_far(free, spin, 0.195));
        const double near = length(turn_far(free, spin, 0.199));
        CHECK_NEAR(length(turn_far(free, spin, 0.203)) - near, near - less, 0.02);
    }
}

/* A long body with a spin across it, which a drive turns towards its long axis. As heavy as one
   likes: numbers are the same to the bit where all masses are multiplied by a power of two. */
TEST(heavy_and_light_are_turned_alike) {
    for (int k = 0; k < 9; k++) {
        const double light = ldexp(1, 12), heavy = ldexp(1, -12), spin = 1 + 0.5 * k;
        const vec one = turn_far((vec){light, 30 * light, light}, (vec){0, 0, spin}, 0.4);
        const vec other = turn_far((vec){heavy, 30 * heavy, heavy}, (vec){0, 0, spin}, 0.4);
        check_case("%g rad/s", spin);
        CHECK(one.x == other.x && one.y == other.y && one.z == other.z);
    }
}

TESTS(RUN(an_axis_that_stands_takes_no_spin), RUN(heavy_and_light_are_turned_alike),
      RUN(drives_keep_angular_momentum), RUN(a_jump_of_targets_ends),
      RUN(drives_are_damped_by_their_damping), RUN(a_target_is_reached_through_the_step),
      RUN(targets_go_round_and_round))
