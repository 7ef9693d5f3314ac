/*
 * Wet grains hold each other: by 2 pi gamma r where they touch, along the line between them, and a
 * column of them stands that would run apart if it were dry.
 */
#include "pool.h"

#include <sinew/build.h>

enum { MOST = 512 };

/* Particles of a material at places; some of them held. */
static void add_grains(sn_world *world, sn_vec3 *points, size_t count, double r, double cohesion,
                       const uint32_t *pins, size_t pin_count, sn_node *nodes) {
    sn_mesh mesh = {.size = sizeof mesh, .positions = points, .vertex_count = (uint32_t)count};
    sn_particles_material m = sn_particles_material_default();
    sn_build_def def = sn_build_def_default();
    sn_build made;
    m.radius = (sn_real)r;
    m.density = 2650;
    m.cohesion = (sn_real)cohesion;
    def.mesh = &mesh;
    def.pins = pins;
    def.pin_count = pin_count;
    def.collide = SN_COLLIDE_ALL;
    REQUIRE_OK(sn_build_body(world, SN_KIND_PARTICLES, &m, &def, nodes, &made));
}

static sn_vec3 place_of(const sn_world *world, sn_node node) {
    sn_node_def def;
    REQUIRE_OK(sn_node_get(world, node, &def));
    return def.position;
}

/* A grain that hangs on one that is held falls where it weighs more than 2 pi gamma r. */
TEST(a_grain_hangs_by_its_bridge) {
    const double r = 0.002, weight = 2650 * 4.18879020478639 * r * r * r * GRAVITY;
    static const double shares[] = {0.9, 1.1};
    for (int k = 0; k < 2; k++) {
        sn_world *world = make_world(GRAVITY, 1);
        sn_vec3 points[2] = {{0, 0, 0}, {0, (sn_real)(-2 * r), 0}};
        const uint32_t pins[1] = {0};
        sn_node nodes[2];
        add_grains(world, points, 2, r, shares[k] * weight / (2 * 3.14159265358979 * r), pins, 1,
                   nodes);
        run(world, 60);
        double fallen = -2 * r - (double)place_of(world, nodes[1]).y;
        if (check_shows()) printf("%g of its weight: %g radii\n", shares[k], fallen / r);
        CHECK(k == 0 ? fallen > 10 * r : fabs(fallen) < 0.05 * r);
        sn_world_destroy(world);
    }
}

/* Three that are a little apart: half of the force halfway to where bridges break, squared. */
TEST(bridges_pull_as_their_equation_says) {
    const double r = 0.002, gamma = 0.05, h = 1e-4, apart = 2.2 * r;
    sn_world *world = make_world(0, 1);
    sn_settings settings;
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.substeps = 1;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    sn_vec3 points[3] = {{0, 0, 0}, {(sn_real)apart, 0, 0}, {0, (sn_real)(-2.4 * r), 0}};
    sn_node nodes[3];
    add_grains(world, points, 3, r, gamma, NULL, 0, nodes);
    REQUIRE_OK(sn_world_step(world, (sn_real)h));
    double m = 2650 * 4.18879020478639 * r * r * r, full = 2 * 3.14159265358979 * gamma * r;
    double sum[3] = {0}, expected[3][2] = {{0}};
    expected[0][0] = full * 0.6 * 0.6 * h / m;
    expected[1][0] = -expected[0][0];
    expected[0][1] = -full * 0.2 * 0.2 * h / m;
    expected[2][1] = -expected[0][1];
    for (int i = 0; i < 3; i++) {
        sn_node_def def;
        REQUIRE_OK(sn_node_get(world, nodes[i], &def));
        CHECK_NEAR(def.velocity.x, expected[i][0], TOL(1e-9, 1e-4) * full * h / m);
        CHECK_NEAR(def.velocity.y, expected[i][1], TOL(1e-9, 1e-4) * full * h / m);
        sum[0] += (double)def.velocity.x, sum[1] += (double)def.velocity.y;
    }
    CHECK_NEAR(sum[0], 0, TOL(1e-12, 1e-6) * full * h / m);
    CHECK_NEAR(sum[1], 0, TOL(1e-12, 1e-6) * full * h / m);
    sn_world_destroy(world);
}

/* m: how high the grains of a column of 4 x 12 x 4 are on average after a second. */
static double stand(double cohesion) {
    enum { WIDE = 4, HIGH = 12, ALL = WIDE * HIGH * WIDE };
    const double r = 0.001;
    sn_world *world = make_world(GRAVITY, 1);
    sn_vec3 points[ALL];
    static sn_node nodes[MOST];
    uint32_t seed = 11;
    for (int i = 0; i < ALL; i++) {
        double off[2];
        for (int k = 0; k < 2; k++) {
            seed = seed * 1664525u + 1013904223u;
            off[k] = 0.1 * r * ((double)(seed >> 8) / 8388608 - 1);
        }
        /* Rows beside the gaps of those below. */
        int y = i / (WIDE * WIDE), x = i % WIDE, z = i / WIDE % WIDE;
        points[i] = (sn_vec3){(sn_real)(2.02 * r * (x + 0.5 * (y % 2)) + off[0]),
                              (sn_real)(r + 1.5 * r * y),
                              (sn_real)(2.02 * r * (z + 0.5 * (y % 2)) + off[1])};
    }
    sn_collider_def floor = sn_collider_def_default();
    sn_collider made;
    floor.shape = SN_SHAPE_PLANE;
    REQUIRE_OK(sn_collider_create(world, &floor, &made));
    sn_settings settings;
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.substeps = 20;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    add_grains(world, points, ALL, r, cohesion, NULL, 0, nodes);
    run(world, 60);
    double sum = 0;
    for (int i = 0; i < ALL; i++) sum += (double)place_of(world, nodes[i]).y / ALL;
    sn_world_destroy(world);
    return sum / (r + 1.5 * r * (HIGH - 1) / 2);
}

/* Of its mean height, what is dry keeps a third or less, and what is wet nearly all. */
TEST(a_wet_column_stands) {
    double dry = stand(0), wet = stand(0.072);
    if (check_shows()) printf("dry %g, wet %g\n", dry, wet);
    CHECK(dry < 0.6);
    CHECK(wet > 0.85);
}

TESTS(RUN(a_grain_hangs_by_its_bridge), RUN(bridges_pull_as_their_equation_says),
      RUN(a_wet_column_stands))
