/*
 * Crowds: agents that reach their goals, pass each other on the right, stop in front of each other
 * where they do not look ahead, and never overlap; the same bits for threads and snapshots.
 */
#include "snapshot.h"
#include "validation/build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1024 };

static sn_node agent[MOST];
static sn_vec3 goal[MOST];

static sn_world *make_floor(int threads) {
    sn_world_def def = sn_world_def_default();
    sn_world *world = NULL;
    def.settings.gravity = vector(0, 0, 0);
    def.settings.plane = SN_PLANE_XZ;
    def.settings.substeps = 2;
    def.threads = threads;
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

static void add_agent(sn_world *world, int i, double x, double z, double to_x, double to_z,
                      double mass) {
    sn_node_def def = sn_node_def_default();
    def.position = vector(x, 0, z);
    def.inverse_mass = (sn_real)(mass > 0 ? 1 / mass : 0);
    def.radius = (sn_real)0.25;
    REQUIRE_OK(sn_node_create(world, &def, &agent[i]));
    goal[i] = vector(to_x, 0, to_z);
}

static sn_crowd_def crowd_of(size_t count) {
    sn_crowd_def def = sn_crowd_def_default();
    def.nodes = agent;
    def.node_count = count;
    def.goals = goal;
    return def;
}

static sn_crowd add_crowd(sn_world *world, const sn_crowd_def *def) {
    sn_crowd crowd;
    REQUIRE_OK(sn_crowd_create(world, def, &crowd));
    return crowd;
}

static void step(sn_world *world) {
    REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 30)));
}

static double distance(const sn_world *world, int i, int j) {
    return length(sub(position_of(world, agent[i]), position_of(world, agent[j])));
}

/* The velocity comes to what is liked like 1 - exp(-t / T), and the agent to rest at its goal. */
TEST(an_agent_reaches_its_goal) {
    sn_world *world = make_floor(1);
    add_agent(world, 0, 0, 0, 6, 8, 70);
    sn_crowd_def def = crowd_of(1);
    add_crowd(world, &def);
    for (int i = 0; i < 15; i++) step(world);
    /* Half a second, which is T; substeps of h / (T + h) are a little behind. */
    CHECK_REL(length(velocity_of(world, agent[0])), 1.3 * (1 - exp(-1)), 0.03);
    for (int i = 0; i < 60; i++) step(world);
    CHECK_REL(length(velocity_of(world, agent[0])), 1.3, 0.02);
    for (int i = 0; i < 400; i++) step(world);
    CHECK(length(sub(position_of(world, agent[0]), (vec){6, 0, 8})) < 0.01);
    CHECK(position_of(world, agent[0]).y == 0);
    sn_world_destroy(world);
}

/* Head on: each goes aside to its right, they keep their distance, and both arrive. */
TEST(two_pass_each_other_on_the_right) {
    sn_world *world = make_floor(1);
    double least = 1e9, right = 0;
    add_agent(world, 0, -5, 0, 5, 0, 70);
    add_agent(world, 1, 5, 0, -5, 0, 70);
    sn_crowd_def def = crowd_of(2);
    add_crowd(world, &def);
    for (int i = 0; i < 360; i++) {
        step(world);
        least = fmin(least, distance(world, 0, 1));
        /* Walking along x with y up, the right is z. */
        right = fmax(right, position_of(world, agent[0]).z);
        CHECK(position_of(world, agent[0]).z > -1e-6);
        CHECK(position_of(world, agent[1]).z < 1e-6);
    }
    CHECK(least > 0.55);
    CHECK(right > 0.2);
    CHECK(length(sub(position_of(world, agent[0]), (vec){5, 0, 0})) < 0.05);
    CHECK(length(sub(position_of(world, agent[1]), (vec){-5, 0, 0})) < 0.05);
    sn_world_destroy(world);
}

/* Who weighs three times as much goes aside a third as far. */
TEST(the_lighter_gives_way) {
    sn_world *world = make_floor(1);
    double heavy = 0, light = 0;
    add_agent(world, 0, -3, 0, 3, 0, 210);
    add_agent(world, 1, 3, 0, -3, 0, 70);
    sn_crowd_def def = crowd_of(2);
    add_crowd(world, &def);
    for (int i = 0; i < 60; i++) {
        step(world);
        heavy = fmax(heavy, position_of(world, agent[0]).z);
        light = fmax(light, -position_of(world, agent[1]).z);
    }
    CHECK_REL(light / heavy, 3, 0.02);
    sn_world_destroy(world);
}

/* Without foresight they stop at the plane between them, at the sum of their radii. */
TEST(planes_hold_who_does_not_look) {
    sn_world *world = make_floor(1);
    add_agent(world, 0, -2, 0, 5, 0, 70);
    add_agent(world, 1, 2, 0, -5, 0, 70);
    sn_crowd_def def = crowd_of(2);
    def.foresight = 0;
    add_crowd(world, &def);
    for (int i = 0; i < 150; i++) {
        step(world);
        CHECK(distance(world, 0, 1) > 0.5 * (1 - 1e-6));
    }
    CHECK_NEAR(distance(world, 0, 1), 0.5, 0.001);
    sn_world_destroy(world);
}

static size_t add_two_crowds(sn_world *world, int rows, int columns) {
    int count = 0;
    uint32_t seed = 5;
    for (int side = -1; side <= 1; side += 2)
        for (int i = 0; i < rows * columns; i++) {
            double x = side * (3 + 0.75 * (i / rows)) + 0.1 * noise(&seed);
            double z = 0.75 * (i % rows) + 0.1 * noise(&seed);
            add_agent(world, count++, x, z, x - side * 20, z, 70);
        }
    return (size_t)count;
}

static double least_distance(const sn_world *world, size_t count) {
    double least = 1e9;
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count; j++) least = fmin(least, distance(world, (int)i, (int)j));
    return least;
}

/* Two crowds walk through each other: nobody overlaps at any time, and all have passed. */
TEST(two_crowds_pass_without_overlap) {
    sn_world *world = make_floor(2);
    size_t count = add_two_crowds(world, 12, 6), passed = 0;
    sn_crowd_def def = crowd_of(count);
    add_crowd(world, &def);
    double start = least_distance(world, count);
    CHECK(start > 0.5);
    for (int i = 0; i < 1200; i++) {
        step(world);
        if (i % 3 == 0) CHECK(least_distance(world, count) > 0.5 * (1 - 1e-5));
    }
    for (size_t i = 0; i < count; i++)
        passed += i < count / 2 ? position_of(world, agent[i]).x > 2
                                : position_of(world, agent[i]).x < -2;
    check_case("%zu of %zu", passed, count);
    CHECK(passed == count);
    sn_world_destroy(world);
}

static uint64_t hash_of(const sn_world *world, size_t count) {
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < count; i++) {
        vec x = position_of(world, agent[i]);
        for (size_t b = 0; b < sizeof x; b++)
            hash = (hash ^ ((const unsigned char *)&x)[b]) * 1099511628211u;
    }
    return hash;
}

TEST(threads_and_snapshots_do_not_matter) {
    uint64_t expected = 0;
    for (int k = 0; k < 3; k++) {
        sn_world *world = make_floor(k == 1 ? 4 : 1);
        size_t count = add_two_crowds(world, 20, 16), size;
        sn_crowd_def def = crowd_of(count);
        add_crowd(world, &def);
        for (int i = 0; i < 60; i++) step(world);
        if (k == 2) {
            void *data = snapshot_of(world, &size);
            step(world);
            REQUIRE_OK(sn_snapshot_load(world, data, size));
            free(data);
        }
        for (int i = 0; i < 60; i++) step(world);
        if (k == 0) expected = hash_of(world, count);
        CHECK(hash_of(world, count) == expected);
        sn_world_destroy(world);
    }
}

/* Agents that go leave the others their goals; one is in one crowd. */
TEST(agents_come_and_go) {
    sn_world *world = make_floor(1);
    for (int i = 0; i < 4; i++) add_agent(world, i, 2 * i, 0, 2 * i, 10 + i, 70);
    sn_crowd_def def = crowd_of(4);
    sn_crowd crowd = add_crowd(world, &def), other;
    CHECK_FAILS(sn_crowd_create(world, &def, &other), SN_ERROR_VALUE);
    CHECK_OK(sn_node_destroy(world, agent[1]));
    CHECK_OK(sn_crowd_get(world, crowd, &def));
    CHECK(def.node_count == 3 && def.goals[1].z == 12);
    def.speed = 2;
    def.goals = NULL;
    CHECK_OK(sn_crowd_set(world, crowd, &def));
    CHECK_OK(sn_crowd_get(world, crowd, &def));
    CHECK(def.speed == 2 && def.goals[2].z == 13);
    step(world);
    for (int i = 0; i < 4; i++)
        if (i != 1) CHECK_OK(sn_node_destroy(world, agent[i]));
    CHECK(!sn_crowd_is_valid(world, crowd));
    step(world);
    sn_world_destroy(world);
}

/* ---- One substep by the formulas, straight from the page ---- */

/* m: how an agent goes aside for another, which is added to its motion; returns the weight. */
static double aside_for(const sn_crowd_def *def, int i, int j, const vec *x, const vec *v,
                        const double *mass, double h, double by[2]) {
    double way[2] = {x[i].x - x[j].x + h * (v[i].x - v[j].x),
                     x[i].z - x[j].z + h * (v[i].z - v[j].z)};
    double to[2] = {v[i].x - v[j].x, v[i].z - v[j].z}, apart = 0.5;
    double square = to[0] * to[0] + to[1] * to[1], time = -(way[0] * to[0] + way[1] * to[1]);
    double reach = hypot(way[0], way[1]), foresight = (double)def->foresight;
    if (!(square > 0) || time <= 0 || time >= foresight * square) return 0;
    if (reach > (double)def->reach || reach < apart) return 0;
    time /= square;
    apart += (double)def->clearance;
    /* Up is y: the right of (x, z) is (-z, x). */
    double right = 0.1 * apart / sqrt(square);
    double s[2] = {way[0] + time * to[0] - right * to[1], way[1] + time * to[1] + right * to[0]};
    double passing = hypot(s[0], s[1]), rest = 1 - time / foresight;
    if (passing >= apart) return 0;
    double share = mass[i] > 0 ? (mass[j] > 0 ? mass[j] / (mass[i] + mass[j]) : 1) : 0;
    double weight = (double)def->avoidance * rest * rest;
    double by_s =
        weight * share * h * (apart - passing) / (fmax(time, (double)def->patience) * passing);
    by[0] += by_s * s[0];
    by[1] += by_s * s[1];
    return weight;
}

/* Whoever comes at whom, from any side, with any masses and some that stand still for good. */
TEST(agents_go_aside_as_the_formulas_say) {
    enum { AGENTS = 14 };
    const double h = 1.0 / 30;
    size_t moved = 0, crowded = 0;
    uint32_t seed = 3;
    for (int turn = 0; turn < 12; turn++) {
        sn_world_def def = sn_world_def_default();
        sn_world *world = NULL;
        vec x[AGENTS], v[AGENTS];
        double mass[AGENTS];
        def.settings.gravity = vector(0, 0, 0);
        def.settings.plane = SN_PLANE_XZ;
        def.settings.substeps = 1;
        REQUIRE_OK(sn_world_create(&def, &world));
        for (int i = 0; i < AGENTS; i++) {
            /* Two in the middle and rings around them, all of which walk to the middle. */
            double angle = 2.4 * i + 0.2 * noise(&seed), far = i < 2 ? 0.6 : 1.5 + 0.12 * i;
            mass[i] = i % 7 == 4 ? 0 : 60 + 30 * noise(&seed);
            double speed = mass[i] > 0 ? 1.1 + 0.2 * noise(&seed) : 0;
            double aim = angle + 0.3 * noise(&seed);
            add_agent(world, i, 3 + far * cos(angle), -2 + far * sin(angle), 3, -2, mass[i]);
            REQUIRE_OK(sn_node_set_velocity(world, agent[i],
                                            vector(-speed * cos(aim), 0, -speed * sin(aim))));
            x[i] = position_of(world, agent[i]);
            v[i] = velocity_of(world, agent[i]);
        }
        sn_crowd_def crowd = crowd_of(AGENTS);
        crowd.avoidance = 1;
        crowd.foresight = (sn_real)(turn % 2 ? 4 : 2);
        crowd.patience = (sn_real)(turn % 3 ? 0.5 : 1.5);
        crowd.reach = (sn_real)2.5;
        add_crowd(world, &crowd);
        REQUIRE_OK(sn_world_step(world, (sn_real)h));
        for (int i = 0; i < AGENTS; i++) {
            double by[2] = {0, 0}, total = 0, nearest = INFINITY;
            for (int j = 0; j < AGENTS; j++) {
                if (j == i) continue;
                total += aside_for(&crowd, i, j, x, v, mass, h, by);
                nearest = fmin(nearest, length(sub(x[i], x[j])));
            }
            /* Who is so near to others that planes may hold it is looked at elsewhere. */
            if (nearest < 0.9 || !(mass[i] > 0)) continue;
            double part = total > 1 ? 1 / total : 1;
            vec now = position_of(world, agent[i]);
            check_case("turn %d, agent %d, weights of %g", turn, i, total);
            CHECK_NEAR(now.x, x[i].x + h * v[i].x + part * by[0], 3e-6);
            CHECK_NEAR(now.z, x[i].z + h * v[i].z + part * by[1], 3e-6);
            moved += hypot(by[0], by[1]) > 1e-3;
            crowded += total > 1.1;
        }
        sn_world_destroy(world);
    }
    check_case("%zu moved, %zu of them by a mean", moved, crowded);
    CHECK(moved > 30 && crowded > 4);
}

TESTS(RUN(an_agent_reaches_its_goal), RUN(two_pass_each_other_on_the_right),
      RUN(the_lighter_gives_way), RUN(planes_hold_who_does_not_look),
      RUN(two_crowds_pass_without_overlap), RUN(threads_and_snapshots_do_not_matter),
      RUN(agents_come_and_go), RUN(agents_go_aside_as_the_formulas_say))
