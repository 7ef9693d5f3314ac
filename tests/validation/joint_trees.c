/*
 * Trees of bodies on joints whose links are light for what they carry: let go at rest they swing,
 * and gain nothing, with what settings say by default. What sweeps can hold is left to them.
 */
#include "frame.h"

#include <math.h>
#include <stdio.h>

enum { MOST = 5, TYPES = 5 };

/* From 0 to 1. */
static double any(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 33) / 2147483648.0;
}

/* From `least` to `most`, evenly in its logarithm. */
static double between(uint64_t *seed, double least, double most) {
    return least * pow(most / least, any(seed));
}

static vec direction(uint64_t *seed) {
    for (;;) {
        double x = 2 * any(seed) - 1, y = 2 * any(seed) - 1, z = 2 * any(seed) - 1;
        double size = length((vec){x, y, z});
        if (size > 0.1 && size < 1) return (vec){x / size, y / size, z / size};
    }
}

static vec times(double a, vec v) {
    return (vec){a * v.x, a * v.y, a * v.z};
}

/* Joins b to a at arms from both, which are at one place. */
static void join(sn_world *world, int type, sn_node a, sn_node b, vec arm[2], vec axis) {
    sn_constraint made;
    sn_vec3 from = vector(arm[0].x, arm[0].y, arm[0].z), to = vector(arm[1].x, arm[1].y, arm[1].z);
    sn_vec3 along = vector(axis.x, axis.y, axis.z);
#define JOIN(name, NAME, ...)                                                                      \
    {                                                                                              \
        sn_##name##_def def = sn_##name##_def_default();                                           \
        def.node[0] = a;                                                                           \
        def.node[1] = b;                                                                           \
        def.anchor_0 = from;                                                                       \
        def.anchor_1 = to;                                                                         \
        __VA_ARGS__;                                                                               \
        REQUIRE_OK(sn_constraint_create(world, SN_TYPE_##NAME, &def, &made));                      \
    }
    if (type == 0) JOIN(ball_joint, BALL_JOINT, (void)along)
    if (type == 1) JOIN(hinge_joint, HINGE_JOINT, def.axis = along)
    if (type == 2) JOIN(slider_joint, SLIDER_JOINT, def.axis = along)
    if (type == 3) JOIN(universal_joint, UNIVERSAL_JOINT, def.axis = along)
    if (type == 4) JOIN(fixed_joint, FIXED_JOINT, (void)along)
}

static sn_world *make_tree_world(sn_solver solver, int substeps) {
    sn_settings settings = plain_settings(solver);
    settings.substeps = substeps;
    settings.hybrid_colours = 63;
    return make_world(settings);
}

/* Up to five balls and boxes of 5 mm to 20 cm and 1 to 60,000 kg, with levers to 1 m. Returns what
   they have at rest at the end of all levers, J. */
static double add_random_tree(sn_world *world, uint64_t number) {
    uint64_t seed = number * 7919 + 12345;
    for (int i = 0; i < 10; i++) (void)any(&seed);
    int count = 1 + (int)(any(&seed) * MOST);
    sn_node node[MOST + 1] = {add_fixed_frame(world, (vec){0, 0, 0}, unturned)};
    vec at[MOST + 1] = {{0, 0, 0}};
    double reach[MOST + 1] = {0}, all = 0;
    for (int i = 1; i <= count; i++) {
        bool ball = any(&seed) < 0.5;
        double x = between(&seed, 0.005, 0.2), y = ball ? x : between(&seed, 0.005, 0.2);
        double z = ball ? x : between(&seed, 0.005, 0.2), mass = between(&seed, 1, 60000);
        double part = ball ? 0.2 : 1 / 3.0;
        vec inertia = {part * mass * (y * y + z * z), part * mass * (z * z + x * x),
                       part * mass * (x * x + y * y)};
        int type = (int)(any(&seed) * TYPES), from = i == 1 ? 0 : 1 + (int)(any(&seed) * (i - 1));
        double near = between(&seed, 0.005, 1), far = between(&seed, 0.005, 1);
        vec out = direction(&seed), back = direction(&seed), axis = direction(&seed);
        vec arm[2] = {times(i == 1 ? 0 : near, out), times(far, back)};
        at[i] = sub(at[from], sub(arm[1], arm[0]));
        node[i] = add_frame(world, at[i], mass, unturned, inertia);
        join(world, type, node[from], node[i], arm, axis);
        reach[i] = reach[from] + length(arm[0]) + far;
        all += mass * GRAVITY * reach[i];
    }
    return all;
}

static double energy_of(const sn_world *world) {
    sn_measure m = measure_of(world);
    return m.kinetic_energy + m.potential_energy;
}

/* The most that a world gains in a time (s), J. */
static double most_gain(sn_world *world, double time) {
    double first = energy_of(world), most = 0;
    for (int k = 0; k < 60 * time; k++) {
        REQUIRE_OK(sn_world_step(world, (sn_real)(1 / 60.0)));
        double gain = energy_of(world) - first;
        most = gain > most ? gain : most;
        if (!(gain < 1e30)) return 1e30;
    }
    return most;
}

/* How many of so many trees gain more than a hundredth of their energy in three seconds. */
static int count_gains(sn_solver solver, int substeps, uint64_t trees) {
    int gains = 0;
    for (uint64_t number = 0; number < trees; number++) {
        sn_world *world = make_tree_world(solver, substeps);
        double all = add_random_tree(world, number), most = most_gain(world, 3) / all;
        if (check_shows() && most > 0.005) printf("tree %d: %g\n", (int)number, most);
        gains += most > 0.01;
        sn_world_destroy(world);
    }
    return gains;
}

/* Swept alone, 34 gain, up to 1e8 times what they have, and 27 of them at 160 substeps as well. */
TEST(random_trees_gain_nothing) {
    CHECK(count_gains(SN_SOLVER_COLOURED, 20, 120) == 0);
}

/* What turns far in a substep: 5 gained without the stiffness of what pulls at levers. One may, in
   which 500 kg on levers of 38 and 79 cm whip a ball of 2 kg and 6 cm round. */
TEST(trees_at_once_gain_nothing_in_long_substeps) {
    CHECK(count_gains(SN_SOLVER_DIRECT, 5, 120) <= 1);
}

/* ---- Whose joints are solved at once ---- */

typedef struct row {
    double mass[4]; /* kg, of bars of 20 cm, one behind the other */
    int count;
    bool hung, both_ends; /* whether the first, and the last, are on walls */
} row;

/* m: how far apart the ends of a row are after a second with one solver and with another. */
static double difference(row is) {
    vec end[2];
    for (int k = 0; k < 2; k++) {
        sn_world *world = make_tree_world(k ? SN_SOLVER_HYBRID : SN_SOLVER_COLOURED, 20);
        sn_node before = add_fixed_frame(world, (vec){0, 0, 0}, unturned), last = before;
        vec arm[2] = {{0.1, 0, 0}, {-0.1, 0, 0}}, z = {0, 0, 1};
        for (int i = 0; i < is.count; i++) {
            double inertia = is.mass[i] * 0.04 / 12;
            last = add_frame(world, (vec){0.2 * (i + 1), 0, 0}, is.mass[i], unturned,
                             (vec){inertia / 10, inertia, inertia});
            if (i > 0 || is.hung) join(world, 1, before, last, arm, z);
            before = last;
        }
        vec far = {0.2 * (is.count + 1), 0, 0};
        if (is.both_ends)
            join(world, 1, add_fixed_frame(world, far, unturned), last,
                 (vec[2]){{-0.1, 0, 0}, {0.1, 0, 0}}, z);
        for (int i = 0; i < 60; i++) REQUIRE_OK(sn_world_step(world, (sn_real)(1 / 60.0)));
        end[k] = position_of(world, last);
        sn_world_destroy(world);
    }
    return length(sub(end[0], end[1]));
}

/* The hybrid solver with all colours in turn sweeps as the default one does, and never solves a
   tree. */
TEST(what_sweeps_can_hold_is_left_to_them) {
    const row swept[] = {{{1, 1, 1, 1}, 4, true, false},
                         {{1, 1, 1, 1}, 4, false, false},
                         {{1, 1, 1, 10}, 4, true, false},
                         {{1, 1e-3}, 2, true, false},
                         {{1e-3}, 1, true, true},
                         {{1000, 1e-3, 1, 1}, 4, false, false},
                         {{1000, 1000, 1, 1}, 4, true, false}};
    const row at_once[] = {{{1, 1000}, 2, true, false},
                           {{1, 1, 1, 1000}, 4, true, true},
                           {{1000, 1, 1, 1000}, 4, true, false},
                           {{1, 1, 1000, 1}, 4, true, true}};
    for (size_t i = 0; i < sizeof swept / sizeof *swept; i++) {
        check_case("row %d of those that are swept", (int)i);
        CHECK(difference(swept[i]) == 0);
    }
    for (size_t i = 0; i < sizeof at_once / sizeof *at_once; i++) {
        check_case("row %d of those at once", (int)i);
        CHECK(difference(at_once[i]) > 0);
    }
}

/* ---- Motors ---- */

/* A brake or a motor on a link of 0.1 kg, which is fixed to 50 kg at 0.4 m from the wall. */
static void turn_heavy_load(double speed, int substeps) {
    sn_world *world = make_tree_world(SN_SOLVER_COLOURED, substeps);
    sn_node wall = add_fixed_frame(world, (vec){0, 0, 0}, unturned);
    sn_node link = add_frame(world, (vec){0.1, 0, 0}, 0.1, unturned, (vec){1e-4, 3e-4, 3e-4});
    sn_node load = add_frame(world, (vec){0.4, 0, 0}, 50, unturned, (vec){0.3, 0.3, 0.3});
    vec z = {0, 0, 1};
    join(world, 1, wall, link, (vec[2]){{0, 0, 0}, {-0.1, 0, 0}}, z);
    join(world, 4, link, load, (vec[2]){{0.1, 0, 0}, {-0.2, 0, 0}}, z);
    sn_turn_drive_def def = sn_turn_drive_def_default();
    sn_constraint motor;
    def.node[0] = wall;
    def.node[1] = link;
    def.axis = vector(0, 0, 1);
    def.speed = (sn_real)speed;
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_TURN_DRIVE, &def, &motor));
    for (int i = 0; i < 60; i++) REQUIRE_OK(sn_world_step(world, (sn_real)(1 / 60.0)));
    vec first = position_of(world, load);
    for (int i = 0; i < 60; i++) REQUIRE_OK(sn_world_step(world, (sn_real)(1 / 60.0)));
    vec last = position_of(world, load);
    double angle = atan2(last.y, last.x) - atan2(first.y, first.x);
    CHECK_NEAR(angle, speed, 4e-3);
    sn_world_destroy(world);
}

/* Swept, or with sweeps of motors before trees, the load sinks by 0.1 to 2.4 rad. */
TEST(motors_have_their_speed_on_what_is_light) {
    for (int k = 0; k < 4; k++) {
        check_case("speed %g, %d substeps", k % 2 * 0.5, k / 2 ? 5 : 20);
        turn_heavy_load(k % 2 * 0.5, k / 2 ? 5 : 20);
    }
}

TESTS(RUN(random_trees_gain_nothing), RUN(trees_at_once_gain_nothing_in_long_substeps),
      RUN(what_sweeps_can_hold_is_left_to_them), RUN(motors_have_their_speed_on_what_is_light))
