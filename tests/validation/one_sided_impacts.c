/*
 * One-sided rows that are hit, with every integrator: what runs into a hard limit does not leave it
 * faster than it came, wherever in a substep it gets there; and what swings on one goes on as on a
 * hard link.
 */
#include "frame.h"

#include <math.h>

static const double h = 1.0 / 1200;

#define FOR_BOTH_INTEGRATORS(integrator)                                                           \
    for (sn_integrator integrator = SN_INTEGRATOR_BDF1; integrator <= SN_INTEGRATOR_BDF2;          \
         integrator++)

static sn_settings settings_of(sn_integrator integrator, double gravity) {
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    settings.integrator = integrator;
    settings.gravity = vector(0, -gravity, 0);
    return settings;
}

/* What holds a node at 1 m from a pin, or from another node. */
typedef enum hold { ROPE, STRUT, TETHER, HOLDS } hold;

static const char *const hold_names[] = {"rope", "strut", "tether"};

static void add_hold(sn_world *world, hold kind, sn_node from, sn_node node) {
    sn_constraint made;
    if (kind == TETHER) {
        sn_tether_def def = sn_tether_def_default();
        def.node[0] = node;
        def.node[1] = from;
        def.length = 1;
        REQUIRE_OK(sn_constraint_create(world, SN_TYPE_TETHER, &def, &made));
        return;
    }
    sn_distance_def def = sn_distance_def_default();
    def.node[0] = from;
    def.node[1] = node;
    def.rest_length = 1;
    def.side = kind == ROPE ? SN_SIDE_AT_MOST : SN_SIDE_AT_LEAST;
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_DISTANCE, &def, &made));
}

static double energy_of(const sn_world *world) {
    sn_measure m = measure_of(world);
    return m.kinetic_energy + m.potential_energy;
}

/* ---- A node ---- */

/* Without weight, straight into the limit, which it reaches at any time of a substep and exactly at
   its end: it stands still there. */
TEST(a_node_stops_at_a_limit) {
    FOR_BOTH_INTEGRATORS(integrator) {
        for (int k = 0; k < HOLDS * 9; k++) {
            hold kind = (hold)(k % HOLDS);
            double part = k / HOLDS / 8.0, speed = 2, out = kind == STRUT ? -1 : 1;
            check_case("%s, %s, %g of a substep", sn_integrator_name(integrator), hold_names[kind],
                       part);
            sn_world *world = make_world(settings_of(integrator, 0));
            sn_node pin = add_pin(world, (vec){0, 0, 0});
            double from = 1 - out * (20 + part) * speed * h;
            sn_node node = add_node(world, (vec){from, 0, 0}, 2);
            add_hold(world, kind, pin, node);
            REQUIRE_OK(sn_node_set_velocity(world, node, vector(out * speed, 0, 0)));
            double most = 0, least = speed;
            for (int i = 0; i < 100; i++) {
                advance(world, h, 1);
                double v = out * velocity_of(world, node).x;
                most = fmax(most, v);
                least = fmin(least, v);
            }
            CHECK_NEAR(most, speed, TOL(1e-9, 1e-3) * speed);
            CHECK_NEAR(least, 0, TOL(1e-9, 1e-3) * speed);
            CHECK_NEAR(velocity_of(world, node).x, 0, TOL(1e-9, 1e-3) * speed);
            CHECK_NEAR(position_of(world, node).x, 1, TOL(1e-9, 1e-5));
            sn_world_destroy(world);
        }
    }
}

/* Two nodes that fly apart on a rope: both stop their motion along it at once, and what they are
   together goes on as it was. */
TEST(a_rope_between_two_keeps_momentum) {
    FOR_BOTH_INTEGRATORS(integrator) {
        check_case("%s", sn_integrator_name(integrator));
        sn_world *world = make_world(settings_of(integrator, 0));
        sn_node a = add_node(world, (vec){0, 0, 0}, 1), b = add_node(world, (vec){0.9, 0, 0}, 3);
        add_hold(world, ROPE, a, b);
        REQUIRE_OK(sn_node_set_velocity(world, a, vector(-2, 0, 0)));
        REQUIRE_OK(sn_node_set_velocity(world, b, vector(1.3, 0, 0)));
        double before = energy_of(world), most = 0;
        for (int i = 0; i < 600; i++) {
            advance(world, h, 1);
            most = fmax(most, energy_of(world));
        }
        vec va = velocity_of(world, a), vb = velocity_of(world, b);
        CHECK(most <= before * (1 + TOL(1e-9, 1e-4)));
        CHECK_NEAR(va.x, 1.9 / 4, TOL(1e-9, 1e-3));
        CHECK_NEAR(vb.x, 1.9 / 4, TOL(1e-9, 1e-3));
        sn_world_destroy(world);
    }
}

/* Falls beside its pin and is caught by the rope: no energy comes of it, whatever the way was. Then
   it swings as on a link, of which BDF2 takes next to nothing. */
TEST(what_a_rope_catches_swings) {
    FOR_BOTH_INTEGRATORS(integrator) {
        for (int k = 1; k <= 9; k++) {
            double beside = 0.1 * k;
            check_case("%s, %g m", sn_integrator_name(integrator), beside);
            sn_world *world = make_world(settings_of(integrator, GRAVITY));
            sn_node pin = add_pin(world, (vec){0, 0, 0});
            sn_node node = add_node(world, (vec){beside, 0, 0}, 1);
            add_hold(world, ROPE, pin, node);
            double most = -INFINITY, caught = 0;
            for (int i = 0; i < 2400; i++) {
                advance(world, h, 1);
                most = fmax(most, energy_of(world));
                if (i == 600) caught = energy_of(world);
            }
            CHECK(most <= 1e-4 * GRAVITY);
            /* Along the rope v is lost: v^2 = 2 g y, of which the part across is x^2. */
            double fall = sqrt(1 - beside * beside), left = fall * (beside * beside - 1);
            CHECK_NEAR(caught, left * GRAVITY, 0.02 * GRAVITY);
            /* Below its pin the rope pulls all the time. */
            if (integrator == SN_INTEGRATOR_BDF2)
                CHECK_NEAR(energy_of(world), caught, 1e-4 * GRAVITY);
            sn_world_destroy(world);
        }
    }
}

/* ---- A frame ---- */

TEST(a_frame_stops_at_a_limit) {
    FOR_BOTH_INTEGRATORS(integrator) {
        for (int k = 0; k <= 8; k++) {
            double speed = 2, part = k / 8.0, least = 0, most = -speed;
            check_case("%s, %g of a substep", sn_integrator_name(integrator), part);
            sn_world *world = make_world(settings_of(integrator, 0));
            sn_constraint made;
            sn_node node = add_limited_frame(world, -0.5 + (20 + part) * speed * h, &made);
            set_spin(world, node, (vec){0, 0, -speed});
            for (int i = 0; i < 100; i++) {
                advance(world, h, 1);
                double v = spin_of(world, node).z;
                least = fmin(least, v);
                most = fmax(most, v);
            }
            CHECK_NEAR(least, -speed, TOL(1e-9, 1e-3) * speed);
            /* A sweep takes the sine for a line. */
            CHECK_NEAR(most, 0, 2e-3 * speed);
            CHECK_NEAR(spin_of(world, node).z, 0, 2e-3 * speed);
            sn_world_destroy(world);
        }
    }
}

/* A frame that turns about a fixed one until a limit stops it: whichever of both is the first of
   the drive, however many nodes without a frame there are, and where its node is held as well. */
TEST(each_of_two_frames_stops_at_a_limit) {
    FOR_BOTH_INTEGRATORS(integrator) {
        for (int k = 0; k < 16; k++) {
            int free = k % 2, others = k / 2 % 2 ? 5 : 0, axis = k / 4 % 2 ? 2 : 0;
            bool held = k / 8;
            double speed = free ? 2 : -2, least = 0, most = 0;
            check_case("%s, frame %d, after %d others, axis %d, %s", sn_integrator_name(integrator),
                       free, others, axis, held ? "held" : "free");
            sn_world *world = make_world(settings_of(integrator, 0));
            for (int i = 0; i < others; i++) add_pin(world, (vec){i + 1.0, 0, 0});
            vec about = {axis == 0, 0, axis == 2};
            sn_turn_drive_def drive = sn_turn_drive_def_default();
            sn_constraint made;
            for (int i = 0; i < 2; i++)
                drive.node[i] =
                    i == free ? add_frame(world, (vec){0, 0, 0}, 1, unturned, (vec){0.5, 0.6, 0.7})
                              : add_fixed_frame(world, (vec){0, 0, 0}, unturned);
            if (held) REQUIRE_OK(sn_node_set_inverse_mass(world, drive.node[free], 0));
            drive.axis = vector(about.x, about.y, about.z);
            drive.side = SN_SIDE_AT_MOST;
            drive.target = (sn_real)(20.4 * 2 * h);
            REQUIRE_OK(sn_constraint_create(world, SN_TYPE_TURN_DRIVE, &drive, &made));
            set_spin(world, drive.node[free], (vec){speed * about.x, 0, speed * about.z});
            for (int i = 0; i < 60; i++) {
                advance(world, h, 1);
                vec spin = spin_of(world, drive.node[free]);
                double v = (spin.x + spin.z) / speed;
                least = fmin(least, v);
                most = fmax(most, v);
            }
            CHECK_NEAR(most, 1, TOL(1e-6, 1e-3));
            CHECK_NEAR(least, 0, 2e-3);
            CHECK_NEAR(spin_of(world, drive.node[free]).x + spin_of(world, drive.node[free]).z, 0,
                       4e-3);
            sn_world_destroy(world);
        }
    }
}

/* Where a pendulum gets to that is of one body with a frame at its limit, which a torque presses
   against it every other substep, and how fast its end moved by that, in weights. */
static vec swing_beside(double weights) {
    const double inertia[3] = {0.5, 0.6, 0.7}, mass = 2;
    sn_world *world = make_world(settings_of(SN_INTEGRATOR_BDF2, GRAVITY));
    sn_body_def body = sn_body_def_default();
    sn_node_def def = sn_node_def_default();
    sn_turn_drive_def drive = sn_turn_drive_def_default();
    sn_constraint made;
    sn_node pin = add_pin(world, (vec){0, 0, 0}), frame, end;
    REQUIRE_OK(sn_body_create(world, &body, &def.body));
    def.position = vector(1, 0, 0);
    REQUIRE_OK(sn_node_create(world, &def, &end));
    def.oriented = true;
    def.inverse_mass = (sn_real)(1 / mass);
    def.inverse_inertia = vector(1 / inertia[0], 1 / inertia[1], 1 / inertia[2]);
    REQUIRE_OK(sn_node_create(world, &def, &frame));
    sn_distance_def rod = sn_distance_def_default();
    rod.node[0] = pin;
    rod.node[1] = end;
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_DISTANCE, &rod, &made));
    drive.node[0] = add_fixed_frame(world, (vec){0, 0, 0}, unturned);
    drive.node[1] = frame;
    drive.axis = vector(0, 0, 1);
    drive.side = SN_SIDE_AT_MOST;
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_TURN_DRIVE, &drive, &made));
    /* What a torque moves by is at the radius of gyration. */
    double torque = weights * GRAVITY * sqrt(mass * inertia[2]);
    for (int i = 0; i < 60; i++) {
        if (i % 2) REQUIRE_OK(sn_node_add_torque(world, frame, vector(0, 0, torque)));
        advance(world, h, 1);
    }
    CHECK_NEAR(spin_of(world, frame).z, 0, 1e-3);
    vec at = position_of(world, end);
    sn_world_destroy(world);
    return at;
}

/* What rests on a limit, more or less, is no impact, after which all of a body would begin anew. */
TEST(what_rests_on_a_limit_lets_others_swing) {
    vec alone = swing_beside(0), light = swing_beside(2), heavy = swing_beside(20);
    CHECK(light.x == alone.x && light.y == alone.y);
    CHECK(heavy.x != alone.x || heavy.y != alone.y);
}

/* ---- Many at a time ---- */

enum { STRINGS = 75 };

/* The place of a string, and a node on it that is thrown so that it comes to its end at a time of
   its own, or never. */
static sn_node add_string(sn_world *world, int i, hold kind) {
    double x = 3 * i, speed = i % 5 == 3 ? 0 : 1 + 0.37 * (i % 11), out = kind == STRUT ? -1 : 1;
    sn_node pin = add_pin(world, (vec){x, 0, 0});
    sn_body_def body = sn_body_def_default();
    sn_node_def def = sn_node_def_default();
    sn_node node;
    /* A body of its own: BDF2 begins anew with whole bodies. */
    REQUIRE_OK(sn_body_create(world, &body, &def.body));
    def.position = vector(x + 1 - 0.02 * out, 0, 0);
    def.velocity = vector(out * speed, 0.3 * speed, 0);
    def.inverse_mass = (sn_real)(1 / (1 + 0.1 * (i % 7)));
    REQUIRE_OK(sn_node_create(world, &def, &node));
    add_hold(world, kind, pin, node);
    return node;
}

/* Who is hit does not depend on who else is there: the same bits as alone. */
TEST(each_of_many_is_hit_as_if_it_were_alone) {
    FOR_BOTH_INTEGRATORS(integrator) {
        for (int kind = 0; kind < HOLDS; kind++) {
            sn_world *all = make_world(settings_of(integrator, 0));
            sn_node node[STRINGS];
            for (int i = 0; i < STRINGS; i++) node[i] = add_string(all, i, (hold)kind);
            advance(all, h, 60);
            for (int i = 0; i < STRINGS; i += 3) {
                check_case("%s, %s %d", sn_integrator_name(integrator), hold_names[kind], i);
                sn_world *one = make_world(settings_of(integrator, 0));
                sn_node alone = add_string(one, i, (hold)kind);
                advance(one, h, 60);
                vec a = velocity_of(all, node[i]), b = velocity_of(one, alone);
                CHECK(a.x == b.x && a.y == b.y && a.z == b.z);
                sn_world_destroy(one);
            }
            sn_world_destroy(all);
        }
    }
}

TESTS(RUN(each_of_many_is_hit_as_if_it_were_alone), RUN(a_node_stops_at_a_limit),
      RUN(a_rope_between_two_keeps_momentum), RUN(what_a_rope_catches_swings),
      RUN(a_frame_stops_at_a_limit), RUN(each_of_two_frames_stops_at_a_limit),
      RUN(what_rests_on_a_limit_lets_others_swing))
