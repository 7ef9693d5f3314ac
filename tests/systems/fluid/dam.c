/*
 * V52: a column of water of the width a and the height 2 a runs out over the floor when the gate is
 * gone, as Martin and Moyce (1952) have measured it. T = t sqrt(2 g / a), Z = front / a.
 *
 *     fluid_dam --table          both as a table, which "sinew plot" draws
 */
#include <sinew/sinew.h>

#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GRAVITY 9.81
#define WIDTH 0.05715

enum { ACROSS = 12, DEPTH = 6, COUNT = ACROSS * 2 * ACROSS * DEPTH, MEASURED = 13 };

static const double measured[MEASURED][2] = {{1.19, 1.44}, {1.43, 1.67}, {1.63, 1.89}, {1.83, 2.11},
                                             {1.98, 2.33}, {2.20, 2.56}, {2.32, 2.78}, {2.51, 3.00},
                                             {2.65, 3.22}, {2.83, 3.44}, {2.98, 3.67}, {3.11, 3.89},
                                             {3.33, 4.11}};

static void add_wall(sn_world *world, sn_vec3 position, sn_quat orientation) {
    sn_collider_def def = sn_collider_def_default();
    sn_collider collider;
    def.shape = SN_SHAPE_PLANE;
    def.position = position;
    def.orientation = orientation;
    def.static_friction = def.dynamic_friction = 0;
    REQUIRE_OK(sn_collider_create(world, &def, &collider));
}

static sn_world *make_dam(sn_node *node) {
    const double spacing = WIDTH / ACROSS;
    const sn_real half = (sn_real)0.70710678118654752;
    sn_world_def def = sn_world_def_default();
    sn_world *world = NULL;
    def.settings.gravity = (sn_vec3){0, (sn_real)-GRAVITY, 0};
    def.settings.substeps = 10;
    REQUIRE_OK(sn_world_create(&def, &world));
    for (int i = 0; i < COUNT; i++) {
        sn_node_def one = sn_node_def_default();
        one.position = (sn_vec3){(sn_real)(spacing * (i % ACROSS + 0.5)),
                                 (sn_real)(spacing * (i / ACROSS % (2 * ACROSS) + 0.5)),
                                 (sn_real)(spacing * (i / (2 * ACROSS * ACROSS) + 0.5))};
        one.inverse_mass = (sn_real)(1 / (1000 * spacing * spacing * spacing));
        one.radius = (sn_real)(spacing / 2);
        REQUIRE_OK(sn_node_create(world, &one, &node[i]));
    }
    sn_fluid_def fluid = sn_fluid_def_default();
    sn_fluid made;
    fluid.nodes = node;
    fluid.node_count = COUNT;
    fluid.viscosity = (sn_real)1e-6;
    REQUIRE_OK(sn_fluid_create(world, &fluid, &made));
    add_wall(world, (sn_vec3){0, 0, 0}, (sn_quat){0, 0, 0, 1});
    add_wall(world, (sn_vec3){0, 0, 0}, (sn_quat){0, 0, -half, half});
    add_wall(world, (sn_vec3){0, 0, 0}, (sn_quat){half, 0, 0, half});
    add_wall(world, (sn_vec3){0, 0, (sn_real)(DEPTH * spacing)}, (sn_quat){-half, 0, 0, half});
    return world;
}

/* The front of the water: behind all but one in a hundred, which may be spray. */
static double front_of(const sn_world *world, const sn_node *node) {
    int counts[400] = {0}, left = COUNT / 100, at = 399;
    for (int i = 0; i < COUNT; i++) {
        sn_node_def def = sn_node_def_default();
        REQUIRE_OK(sn_node_get(world, node[i], &def));
        int cell = (int)((double)def.position.x / WIDTH * 50);
        counts[cell < 0 ? 0 : cell > 399 ? 399 : cell]++;
    }
    while (at > 0 && (left -= counts[at]) > 0) at--;
    return (at + 0.5) / 50 + 0.5 / ACROSS;
}

/* Z at the times at which it was measured. */
static void follow_front(double z[MEASURED]) {
    static sn_node node[COUNT];
    sn_world *world = make_dam(node);
    const double dt = 1.0 / 240, unit = sqrt(2 * GRAVITY / WIDTH);
    double before = 1, time = 0;
    int next = 0;
    while (next < MEASURED) {
        REQUIRE_OK(sn_world_step(world, (sn_real)dt));
        time += dt;
        double front = front_of(world, node), now = time * unit;
        for (; next < MEASURED && measured[next][0] <= now; next++) {
            double part = 1 - (now - measured[next][0]) / (dt * unit);
            z[next] = before + part * (front - before);
        }
        before = front;
    }
    sn_world_destroy(world);
}

TEST(front_runs_as_measured) {
    double z[MEASURED];
    follow_front(z);
    for (int i = 0; i < MEASURED; i++) {
        const double data = measured[i][1];
        if (check_shows()) printf("T %.2f: Z %.3f, measured %.3f\n", measured[i][0], z[i], data);
        CHECK(z[i] < 1.12 * data);
        CHECK(z[i] > 0.92 * data);
    }
}

/* Both over time, as a table for `sinew plot`. */
static void print_table(void) {
    double z[MEASURED];
    follow_front(z);
    printf("time [s],front here [a],front measured in 1952 [a]\n");
    for (int i = 0; i < MEASURED; i++)
        printf("%.5f,%.4f,%.4f\n", measured[i][0] / sqrt(2 * GRAVITY / WIDTH), z[i],
               measured[i][1]);
}

int main(int argc, char **argv) {
    static const check_test tests[] = {RUN(front_runs_as_measured)};
    if (argc == 2 && strcmp(argv[1], "--table") == 0) {
        print_table();
        return 0;
    }
    return check_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
