/*
 * Effectors against what is known of their fields: the profile of their strength, the period of a
 * spring, orbits, torque, terminal speeds, a flow without sources; and their life in a world.
 */
#include "snapshot.h"
#include "validation/build.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sn_effector_def kind_of(sn_effector_kind kind, double strength) {
    sn_effector_def def = sn_effector_def_default();
    def.kind = kind;
    def.strength = (sn_real)strength;
    return def;
}

static sn_effector add(sn_world *world, const sn_effector_def *def) {
    sn_effector effector;
    REQUIRE_OK(sn_effector_create(world, def, &effector));
    return effector;
}

static double dot(vec a, vec b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static vec cross(vec a, vec b) {
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* m/s^2: what a node of a mass that begins at rest somewhere has from an effector alone. */
static vec acceleration_at(const sn_effector_def *def, vec place, double mass) {
    const double h = 1.0 / 1024;
    sn_world *world = make_world(weightless_settings(SN_SOLVER_COLOURED));
    sn_node node = add_node(world, place, mass);
    add(world, def);
    advance(world, h, 1);
    vec v = velocity_of(world, node);
    sn_world_destroy(world);
    return (vec){v.x / h, v.y / h, v.z / h};
}

/* Velocities are differences of places that are rounded. */
static double tolerance(vec place, double expected) {
    double ulp = sizeof(sn_real) == 8 ? 2.3e-16 : 1.2e-7;
    return ulp * (8 * fabs(expected) + 4 * length(place));
}

/* ---- Profiles ---- */

/* The strength at any distance is that of the formula, for any power, and away from the shape. */
TEST(strength_falls_with_distance_as_said) {
    static const double powers[] = {0, 0.5, 1, 2, 3.3, 10}, distances[] = {0.1, 0.4, 0.7, 2, 4.9};
    const vec to = {2.0 / 3, -1.0 / 3, 2.0 / 3};
    sn_effector_def def = kind_of(SN_EFFECTOR_RADIAL, -3);
    def.min_distance = (sn_real)0.5;
    def.falloff_length = (sn_real)0.25;
    def.max_distance = 5;
    for (size_t p = 0; p < sizeof powers / sizeof *powers; p++)
        for (size_t d = 0; d < sizeof distances / sizeof *distances; d++) {
            double r = distances[d], over = r > 0.5 ? (r - 0.5) / 0.25 : 0;
            double expected = -3 * pow(1 + over, -powers[p]);
            vec place = {r * to.x, r * to.y, r * to.z};
            def.falloff = (sn_real)powers[p];
            vec a = acceleration_at(&def, place, 2);
            check_case("power %g, distance %g", powers[p], r);
            CHECK_NEAR(dot(a, to), expected, TOL(1e-13, 4e-6) * 3 + tolerance(place, expected));
            CHECK(length(cross(a, to)) < tolerance(place, expected));
        }
    CHECK(length(acceleration_at(&def, (vec){0, 5.01, 0}, 2)) == 0);
    CHECK(length(acceleration_at(&def, (vec){0, 0, 0}, 2)) == 0);
}

/* From a line and from a plane it is the distance from these that counts. */
TEST(shapes_say_where_distances_are_from) {
    const vec place = {1, 2, 2};
    sn_effector_def def = kind_of(SN_EFFECTOR_RADIAL, 4);
    def.axis = vector(0, 0, 7);
    def.falloff = 1;
    def.shape = SN_EFFECTOR_LINE;
    vec line = acceleration_at(&def, place, 1);
    double r = sqrt(5), part = 4 / (1 + r);
    CHECK_NEAR(line.x, part / r, TOL(1e-12, 1e-5));
    CHECK_NEAR(line.y, 2 * part / r, TOL(1e-12, 1e-5));
    CHECK(line.z == 0);
    def.shape = SN_EFFECTOR_PLANE;
    vec plane = acceleration_at(&def, place, 1);
    CHECK(plane.x == 0 && plane.y == 0);
    CHECK_NEAR(plane.z, 4.0 / 3, TOL(1e-12, 1e-5));
    vec below = acceleration_at(&def, (vec){1, 2, -2}, 1);
    CHECK_NEAR(below.z, -4.0 / 3, TOL(1e-12, 1e-5));
}

/* A directional one is the same everywhere; per node it is a force, and masses count. */
TEST(directions_and_masses_count) {
    sn_effector_def def = kind_of(SN_EFFECTOR_DIRECTIONAL, 6);
    def.axis = vector(0, 3, 4);
    for (int i = 0; i < 2; i++) {
        double expected = i == 0 ? 6 : 6 / 4.0;
        def.per_mass = i == 0;
        vec a = acceleration_at(&def, (vec){1, -1, 1}, 4);
        CHECK(a.x == 0);
        CHECK_NEAR(a.y, 0.6 * expected, TOL(1e-11, 1e-3));
        CHECK_NEAR(a.z, 0.8 * expected, TOL(1e-11, 1e-3));
    }
}

/* The torque of a vortex about its axis is mass times strength times the square of the distance
   from it, and nothing goes along it or outwards. */
TEST(a_vortex_has_the_torque_of_its_strength) {
    const double mass = 2, strength = 5;
    const vec axis = {2.0 / 3, 1.0 / 3, 2.0 / 3}, middle = {0.5, -0.25, 1};
    sn_effector_def def = kind_of(SN_EFFECTOR_VORTEX, strength);
    def.position = vector(middle.x, middle.y, middle.z);
    def.axis = vector(2, 1, 2);
    for (int i = 0; i < 8; i++) {
        vec place = {0.3 * i, 1 - 0.2 * i, 0.5 + 0.01 * i * i}, arm = sub(place, middle);
        vec a = acceleration_at(&def, place, mass), outward = arm;
        double along = dot(arm, axis), near;
        outward = sub(arm, (vec){along * axis.x, along * axis.y, along * axis.z});
        double expected = mass * strength * dot(outward, outward);
        near = 2 * mass * length(arm) * tolerance(place, strength * length(outward));
        CHECK_NEAR(mass * dot(axis, cross(arm, a)), expected, near + TOL(1e-11, 1e-3));
        CHECK_NEAR(dot(a, axis), 0, near + TOL(1e-11, 1e-3));
        CHECK_NEAR(dot(a, outward), 0, near + TOL(1e-11, 1e-3));
    }
}

/* ---- Motion ---- */

/* A spring of k N/m and a mass of m: the places are those of a discrete oscillator, whose period is
   2 pi sqrt(m / k) but for a part of (h omega)^2 / 24. */
TEST(a_harmonic_field_has_the_period_of_a_spring) {
    const double k = 8, mass = 0.5, h = 1.0 / 256, omega = sqrt(k / mass);
    sn_world *world = make_world(weightless_settings(SN_SOLVER_COLOURED));
    sn_effector_def def = kind_of(SN_EFFECTOR_HARMONIC, k);
    double sample[2048];
    def.per_mass = false;
    def.position = vector(0.25, 0, 0);
    sn_node node = add_node(world, (vec){0.75, 0, 0}, mass);
    add(world, &def);
    for (int i = 0; i < 2048; i++) {
        advance(world, h, 1);
        sample[i] = position_of(world, node).x - 0.25;
    }
    mode found = find_mode(sample, 2048, 16);
    double period = 2 * PI * h / found.phase, expected = PI * h / asin(omega * h / 2);
    CHECK_NEAR(period, expected, TOL(1e-10, 2e-6) * expected);
    CHECK_NEAR(period, 2 * PI * sqrt(mass / k), 1.1 * h * h * omega * omega / 24 * expected);
    CHECK_NEAR(found.factor, 1, TOL(1e-12, 1e-6));
    sn_world_destroy(world);
}

/* At its rest length a spring does nothing, and within it pushes out. */
TEST(a_harmonic_field_has_a_rest_length) {
    sn_effector_def def = kind_of(SN_EFFECTOR_HARMONIC, 3);
    def.rest_length = 2;
    CHECK(length(acceleration_at(&def, (vec){0, 2, 0}, 1)) == 0);
    CHECK_NEAR(acceleration_at(&def, (vec){0, 0.5, 0}, 1).y, 4.5, TOL(1e-11, 1e-3));
    CHECK_NEAR(acceleration_at(&def, (vec){0, 3, 0}, 1).y, -3, TOL(1e-11, 1e-3));
}

/* The most that the energy of an orbit in a field that falls with a power is away from what it was,
   over two turns; its angular momentum stays what it is. */
static double energy_error(double falloff, int substeps, sn_integrator integrator) {
    const double g = 4, h = 0.01 / substeps;
    const bool second = integrator == SN_INTEGRATOR_BDF2;
    sn_settings settings = weightless_settings(SN_SOLVER_COLOURED);
    sn_effector_def def = kind_of(SN_EFFECTOR_RADIAL, -g);
    double error = 0, first = 0, turned = 0;
    settings.substeps = substeps;
    settings.integrator = integrator;
    def.min_distance = def.falloff_length = 1;
    def.falloff = (sn_real)falloff;
    sn_world *world = make_world(settings);
    sn_node node = add_node(world, (vec){2, 0, 0}, 1);
    /* A little slower than in a circle. */
    double speed = 0.9 * sqrt(2 * g * pow(2, -falloff));
    REQUIRE_OK(sn_node_set_velocity(world, node, vector(0, 0.8 * speed, 0.6 * speed)));
    add(world, &def);
    for (int i = 0; i < 1400; i++) {
        vec x = position_of(world, node), v = velocity_of(world, node);
        double r = length(x), n = 1 - falloff;
        double potential = n == 0 ? g * log(r) : g * pow(r, n) / n;
        double energy = dot(v, v) / 2 + potential, spin = length(cross(x, v));
        if (i == 0) {
            first = energy;
            turned = spin;
        }
        CHECK(r > 1);
        error = fmax(error, fabs(energy - first));
        CHECK_NEAR(spin, turned, second ? 2e-4 : TOL(1e-11, 2e-4));
        advance(world, h, substeps);
    }
    sn_world_destroy(world);
    return error;
}

/* BDF1 is of first order and has an energy of its own: what is off halves with the substep, and
   does not grow. BDF2 is of second order. */
TEST(orbits_keep_their_energy) {
    static const double powers[] = {0, 1, 1.5, 2};
    for (size_t p = 0; p < sizeof powers / sizeof *powers; p++) {
        double coarse = energy_error(powers[p], 2, SN_INTEGRATOR_BDF1);
        double fine = energy_error(powers[p], 4, SN_INTEGRATOR_BDF1);
        check_case("power %g: %g and %g J", powers[p], coarse, fine);
        CHECK(coarse < 0.02);
        CHECK_NEAR(fine / coarse, 0.5, TOL(0.02, 0.03));
        coarse = energy_error(powers[p], 2, SN_INTEGRATOR_BDF2);
        fine = energy_error(powers[p], 4, SN_INTEGRATOR_BDF2);
        check_case("power %g with BDF2: %g and %g J", powers[p], coarse, fine);
        CHECK(coarse < 0.002);
        CHECK(fine < 0.35 * coarse);
    }
}

/* Terminal speeds do not depend on the step, however long it is; nothing is turned round. */
TEST(drag_has_its_terminal_speed) {
    for (int i = 0; i < 6; i++) {
        double h = i % 2 ? 2 : 1.0 / 64, mass = 3, expected;
        sn_world *world = make_world(plain_settings(SN_SOLVER_COLOURED));
        sn_effector_def def = kind_of(SN_EFFECTOR_DRAG, 0);
        sn_node node = add_node(world, (vec){0, 0, 0}, mass);
        if (i < 2) {
            def.linear_drag = 5;
            expected = GRAVITY / 5;
        } else if (i < 4) {
            def.quadratic_drag = (sn_real)0.5;
            expected = sqrt(GRAVITY / 0.5);
        } else {
            def.per_mass = false;
            def.linear_drag = 2;
            def.quadratic_drag = 4;
            expected = (sqrt(4 + 16 * mass * GRAVITY) - 2) / 8;
        }
        add(world, &def);
        double before = 0;
        for (int k = 0; k < 400; k++) {
            advance(world, h, 1);
            double v = -velocity_of(world, node).y;
            CHECK(v >= before * (1 - TOL(1e-12, 1e-5)) && v <= expected * (1 + TOL(1e-12, 1e-5)));
            before = v;
        }
        check_case("case %d", i);
        CHECK_NEAR(before, expected, TOL(1e-11, 1e-5) * expected);
        sn_world_destroy(world);
    }
}

/* However slight it is: what moves at first has exp(-b t) of that left. */
TEST(slight_drag_counts) {
    for (int i = 0; i < 8; i++) {
        const double rate = 0.05 * (i % 4 + 1);
        sn_world *world = make_world(weightless_settings(SN_SOLVER_COLOURED));
        sn_effector_def def = kind_of(SN_EFFECTOR_DRAG, 0);
        sn_node node = add_node(world, (vec){0, 0, 0}, 1);
        REQUIRE_OK(sn_node_set_velocity(world, node, (sn_vec3){2, 0, 0}));
        if (i < 4) def.linear_drag = (sn_real)rate;
        if (i >= 4) def.quadratic_drag = (sn_real)rate;
        add(world, &def);
        advance(world, 1.0 / 256, 256);
        check_case("%s drag of %g", i < 4 ? "linear" : "quadratic", rate);
        CHECK_REL(velocity_of(world, node).x, i < 4 ? 2 * exp(-rate) : 2 / (1 + 2 * rate), 1e-3);
        sn_world_destroy(world);
    }
}

/* ---- Turbulence ---- */

/* The flow at a place in a moment. */
static vec flow(double size, double period, double time, vec place) {
    sn_settings settings = weightless_settings(SN_SOLVER_COLOURED);
    sn_world *world = make_world(settings);
    sn_effector_def def = kind_of(SN_EFFECTOR_TURBULENCE, 1);
    def.eddy_size = (sn_real)size;
    def.eddy_period = (sn_real)period;
    if (time > 0) advance(world, time, 1);
    sn_node node = add_node(world, place, 1);
    add(world, &def);
    advance(world, 1.0 / 1024, 1);
    vec v = velocity_of(world, node);
    sn_world_destroy(world);
    return (vec){v.x * 1024, v.y * 1024, v.z * 1024};
}

/* Nothing is blown up anywhere: central differences of the flow vanish with their width, beside
   slopes that do not. Waves are made of parabolas, whose curvature jumps twice in a period: what is
   off is of the order of the width there, in a part of space that is as wide, so that its root mean
   square goes with the power 3/2. */
TEST(turbulence_has_no_sources) {
    const double d = 1.0 / 64, size = 2;
    double sum = 0, slopes = 0, narrow = 0, mean[4] = {0};
    enum { PLACES = 200 };
    for (int i = 0; i < PLACES; i++) {
        vec x = {fmod(0.618034 * i, 1) * 8, fmod(0.754878 * i, 1) * 8, fmod(0.569840 * i, 1) * 8};
        double divergence[2] = {0};
        for (int half = 0; half < 2; half++) {
            double e = half ? d / 2 : d;
            vec right = flow(size, 1, 0, (vec){x.x + e, x.y, x.z});
            vec left = flow(size, 1, 0, (vec){x.x - e, x.y, x.z});
            vec up = flow(size, 1, 0, (vec){x.x, x.y + e, x.z});
            vec down = flow(size, 1, 0, (vec){x.x, x.y - e, x.z});
            vec front = flow(size, 1, 0, (vec){x.x, x.y, x.z + e});
            vec back = flow(size, 1, 0, (vec){x.x, x.y, x.z - e});
            divergence[half] =
                ((right.x - left.x) + (up.y - down.y) + (front.z - back.z)) / (2 * e);
            if (!half) slopes += pow((right.x - left.x) / (2 * e), 2);
        }
        sum += divergence[0] * divergence[0];
        narrow += divergence[1] * divergence[1];
        vec u = flow(size, 1, 0, x);
        mean[0] += u.x * u.x / PLACES, mean[1] += u.y * u.y / PLACES, mean[2] += u.z * u.z / PLACES;
    }
    check_case("divergence %g and %g, slope %g, squares %g %g %g", sqrt(sum / PLACES),
               sqrt(narrow / PLACES), sqrt(slopes / PLACES), mean[0], mean[1], mean[2]);
    CHECK(sqrt(sum) < 0.02 * sqrt(slopes));
    if (sizeof(sn_real) == 8) CHECK_NEAR(sqrt(narrow / sum), pow(0.5, 1.5), 0.03);
    CHECK_NEAR(mean[0] + mean[1] + mean[2], 1, 0.1);
}

/* It changes with time where it has a period, and is the same in its own scale. */
TEST(turbulence_has_a_size_and_a_period) {
    vec small = flow(1, 0.5, 0, (vec){0.3, 0.2, 0.1});
    vec large = flow(4, 0.5, 0, (vec){1.2, 0.8, 0.4});
    vec later = flow(1, 0.5, 0.25, (vec){0.3, 0.2, 0.1});
    CHECK_NEAR(small.x, large.x, TOL(1e-10, 2e-3));
    CHECK_NEAR(small.y, large.y, TOL(1e-10, 2e-3));
    CHECK(length(sub(small, later)) > 0.05);
    vec still = flow(1, (double)SN_AUTO, 0, (vec){0.3, 0.2, 0.1});
    vec same = flow(1, (double)SN_AUTO, 0.25, (vec){0.3, 0.2, 0.1});
    CHECK(length(sub(still, same)) == 0);
}

/* ---- Life ---- */

static sn_world *make_storm(int threads, sn_effector *made) {
    sn_world_def def = sn_world_def_default();
    sn_world *world = NULL;
    uint32_t seed = 1;
    def.threads = threads;
    def.settings.substeps = 2;
    REQUIRE_OK(sn_world_create(&def, &world));
    for (int i = 0; i < 1500; i++)
        add_node(world, (vec){noise(&seed), noise(&seed), noise(&seed)}, 1 + 0.5 * noise(&seed));
    for (int i = 0; i <= SN_EFFECTOR_HARMONIC; i++) {
        sn_effector_def field = kind_of((sn_effector_kind)i, 2);
        field.falloff = (sn_real)(0.7 * i);
        field.linear_drag = (sn_real)(0.1 * i);
        field.quadratic_drag = (sn_real)0.2;
        field.eddy_period = 1;
        field.position = vector(0.1 * i, 0, 0);
        field.shape = (sn_effector_shape)(i % 3);
        field.per_mass = i % 2 == 0;
        made[i] = add(world, &field);
    }
    return world;
}

TEST(threads_and_snapshots_do_not_matter) {
    uint64_t expected = 0;
    for (int k = 0; k < 3; k++) {
        sn_effector made[SN_EFFECTOR_HARMONIC + 1];
        sn_world *world = make_storm(k == 1 ? 4 : 1, made);
        size_t size;
        for (int i = 0; i < 5; i++) REQUIRE_OK(sn_world_step(world, (sn_real)0.01));
        if (k == 2) {
            void *data = snapshot_of(world, &size);
            REQUIRE_OK(sn_effector_destroy(world, made[0]));
            REQUIRE_OK(sn_world_step(world, (sn_real)0.01));
            REQUIRE_OK(sn_snapshot_load(world, data, size));
            free(data);
        }
        for (int i = 0; i < 5; i++) REQUIRE_OK(sn_world_step(world, (sn_real)0.01));
        if (k == 0) expected = sn_world_hash(world);
        CHECK(sn_world_hash(world) == expected);
        sn_world_destroy(world);
    }
}

/* What is wrong is said, and changes nothing; groups choose who is pushed; kinematic nodes are not.
 */
TEST(effectors_come_and_go) {
    sn_world *world = make_world(weightless_settings(SN_SOLVER_COLOURED));
    sn_node_def at = sn_node_def_default();
    sn_node pushed, spared, pinned = add_pin(world, (vec){1, 0, 0});
    sn_effector_def def = kind_of(SN_EFFECTOR_DIRECTIONAL, 1), read = sn_effector_def_default();
    sn_effector effector, none;
    at.group = 3;
    REQUIRE_OK(sn_node_create(world, &at, &pushed));
    at.group = 40;
    REQUIRE_OK(sn_node_create(world, &at, &spared));
    def.mask = 1u << 3;
    effector = add(world, &def);
    advance(world, 0.5, 1);
    CHECK_NEAR(velocity_of(world, pushed).y, 0.5, 1e-6);
    CHECK(velocity_of(world, spared).y == 0 && velocity_of(world, pinned).y == 0);
    def.axis = vector(0, 0, 0);
    CHECK_FAILS(sn_effector_create(world, &def, &none), SN_ERROR_VALUE);
    CHECK_FAILS(sn_effector_set(world, effector, &def), SN_ERROR_VALUE);
    CHECK(strstr(sn_last_error(), "axis") != NULL);
    def.axis = vector(0, -1, 0);
    def.min_distance = 2;
    def.max_distance = 1;
    CHECK_FAILS(sn_effector_set(world, effector, &def), SN_ERROR_VALUE);
    CHECK(strstr(sn_last_error(), "max_distance") != NULL);
    def.max_distance = SN_AUTO;
    CHECK_OK(sn_effector_set(world, effector, &def));
    CHECK_OK(sn_effector_get(world, effector, &read));
    CHECK(memcmp(&read, &def, sizeof def) == 0);
    advance(world, 0.5, 1);
    CHECK_NEAR(velocity_of(world, pushed).y, 0, 1e-6);
    CHECK(sn_effector_is_valid(world, effector));
    CHECK_OK(sn_effector_destroy(world, effector));
    CHECK(!sn_effector_is_valid(world, effector));
    CHECK_FAILS(sn_effector_destroy(world, effector), SN_ERROR_STALE);
    advance(world, 0.5, 1);
    CHECK_NEAR(velocity_of(world, pushed).y, 0, 1e-6);
    sn_world_destroy(world);
}

/* Drag has a group as well, whatever pushes beside it. */
TEST(drag_chooses_by_group) {
    sn_world *world = make_world(weightless_settings(SN_SOLVER_COLOURED));
    sn_node_def at = sn_node_def_default();
    sn_effector_def push = kind_of(SN_EFFECTOR_DIRECTIONAL, 0);
    sn_effector_def drag = kind_of(SN_EFFECTOR_DRAG, 1);
    sn_node slowed, spared;
    at.velocity = vector(4, 0, 0);
    at.group = 3;
    REQUIRE_OK(sn_node_create(world, &at, &slowed));
    at.group = 5;
    REQUIRE_OK(sn_node_create(world, &at, &spared));
    drag.mask = 1u << 3;
    drag.linear_drag = 2;
    add(world, &push);
    add(world, &drag);
    advance(world, 0.5, 1);
    CHECK(velocity_of(world, slowed).x < 3);
    CHECK_NEAR(velocity_of(world, spared).x, 4, 1e-5);
    sn_world_destroy(world);
}

/* In a field that stays what rests sleeps; it wakes when the field changes, and does not sleep in
   one that does so all the time. */
TEST(what_rests_in_a_field_sleeps) {
    sn_settings settings = weightless_settings(SN_SOLVER_COLOURED);
    settings.sleep_time = (sn_real)0.1;
    sn_world *world = make_world(settings);
    sn_body_def body_def = sn_body_def_default();
    sn_body body;
    sn_node_def at = sn_node_def_default();
    sn_node node;
    REQUIRE_OK(sn_body_create(world, &body_def, &body));
    at.body = body;
    REQUIRE_OK(sn_node_create(world, &at, &node));
    sn_effector_def def = kind_of(SN_EFFECTOR_HARMONIC, 2);
    sn_effector effector = add(world, &def);
    advance(world, 0.02, 20);
    CHECK(sn_body_is_asleep(world, body));
    def.position.x = (sn_real)0.125;
    CHECK_OK(sn_effector_set(world, effector, &def));
    CHECK(!sn_body_is_asleep(world, body));
    advance(world, 0.02, 1);
    CHECK(position_of(world, node).x > 0);
    sn_effector_def weak = kind_of(SN_EFFECTOR_TURBULENCE, 1e-9);
    REQUIRE_OK(sn_effector_destroy(world, effector));
    REQUIRE_OK(sn_node_set_velocity(world, node, vector(0, 0, 0)));
    weak.eddy_period = 1;
    effector = add(world, &weak);
    advance(world, 0.02, 20);
    CHECK(!sn_body_is_asleep(world, body));
    weak.max_distance = (sn_real)0.125;
    weak.position.x = 9;
    CHECK_OK(sn_effector_set(world, effector, &weak));
    advance(world, 0.02, 20);
    CHECK(sn_body_is_asleep(world, body));
    sn_world_destroy(world);
}

TESTS(RUN(strength_falls_with_distance_as_said), RUN(shapes_say_where_distances_are_from),
      RUN(directions_and_masses_count), RUN(a_vortex_has_the_torque_of_its_strength),
      RUN(a_harmonic_field_has_the_period_of_a_spring), RUN(a_harmonic_field_has_a_rest_length),
      RUN(orbits_keep_their_energy), RUN(drag_has_its_terminal_speed), RUN(slight_drag_counts),
      RUN(turbulence_has_no_sources), RUN(turbulence_has_a_size_and_a_period),
      RUN(threads_and_snapshots_do_not_matter), RUN(effectors_come_and_go),
      RUN(drag_chooses_by_group), RUN(what_rests_in_a_field_sleeps))
