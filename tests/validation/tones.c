/*
 * V61: tones of things of many nodes, each begun with the velocities of its mode: a heavy rope that
 * hangs (Bernoulli), a ring that goes oval (Hoppe), a plate on its border
 * (Navier) and a membrane.
 */
#include "build.h"

#include <math.h>

enum { MOST = 1024 };

typedef struct thing {
    sn_world *world;
    sn_mesh mesh;
    sn_node node[MOST];
    sn_build build;
} thing;

static thing begin(double gravity, sn_solver solver, int substeps) {
    sn_settings settings = sn_settings_default();
    settings.gravity = vector(0, -gravity, 0);
    settings.solver = solver;
    settings.integrator = SN_INTEGRATOR_BDF2;
    settings.substeps = substeps;
    return (thing){.world = make_world(settings), .mesh = sn_mesh_default()};
}

static void build(thing *t, sn_kind kind, const void *material, const uint32_t *pins,
                  size_t count) {
    sn_build_def def = sn_build_def_default();
    def.mesh = &t->mesh;
    def.pins = pins;
    def.pin_count = count;
    REQUIRE_OK(sn_build_body(t->world, kind, material, &def, t->node, &t->build));
}

/* s: how long it takes to swing to and fro, by the motion of a node along an axis, over three
   swings that are known to take about so long. */
static double period_of(thing *t, sn_node node, char axis, double about) {
    enum { EACH = 40, SAMPLES = 3 * EACH };
    double moved[SAMPLES], dt = about / EACH;
    vec from = position_of(t->world, node);
    for (int i = 0; i < SAMPLES; i++) {
        CHECK_OK(sn_world_step(t->world, (sn_real)dt));
        vec x = sub(position_of(t->world, node), from);
        moved[i] = axis == 'x' ? x.x : axis == 'y' ? x.y : x.z;
    }
    mode found = find_mode(moved, SAMPLES, EACH / 6);
    sn_mesh_free(&t->mesh);
    sn_world_destroy(t->world);
    return 2 * PI * dt / found.phase;
}

static double bessel_0(double x) {
    double term = 1, sum = 1;
    for (int k = 1; k < 20; k++) sum += term *= -x * x / (4.0 * k * k);
    return sum;
}

/* A rope that hangs has the tension of what is below: its first mode is J0(j sqrt(s / L)), with s
   from its foot and j = 2.404826, and omega = j / 2 sqrt(g / L). */
TEST(a_heavy_rope_swings) {
    enum { N = 20 };
    const double L = 1, j = 2.404826;
    thing t = begin(GRAVITY, SN_SOLVER_DIRECT, 20);
    sn_rope_material m = sn_rope_material_default();
    const uint32_t pin = 0;
    REQUIRE_OK(sn_generate_rope(&t.mesh, vector(0, 0, 0), vector(0, -L, 0), N));
    build(&t, SN_KIND_ROPE, &m, &pin, 1);
    for (int i = 1; i <= N; i++)
        REQUIRE_OK(sn_node_set_velocity(
            t.world, t.node[i], vector(0, 0, 0.05 * bessel_0(j * sqrt((double)(N - i) / N)))));
    double expected = 2 * PI / (j / 2 * sqrt(GRAVITY / L));
    CHECK_REL(period_of(&t, t.node[N], 'z', expected), expected, 3e-3);
}

/* A ring bends in its plane with omega = 6 / sqrt(5) sqrt(E I / (rho A R^4)); polygons of n sides
   are slower by about 14 / n^2. */
TEST(a_ring_goes_oval) {
    enum { N = 32 };
    const double R = 0.3, r = 0.005, E = 1e8, rho = 1000;
    thing t = begin(0, SN_SOLVER_COLOURED, 100);
    sn_rod_material m = sn_rod_material_default();
    sn_vec3 place[N];
    uint32_t line[N][2];
    m.radius = (sn_real)r;
    m.young = (sn_real)E;
    m.density = (sn_real)rho;
    for (int i = 0; i < N; i++) {
        double at = 2 * PI * i / N;
        place[i] = vector(R * cos(at), R * sin(at), 0);
        line[i][0] = (uint32_t)i;
        line[i][1] = (uint32_t)((i + 1) % N);
    }
    REQUIRE_OK(sn_mesh_add_vertices(&t.mesh, place, N));
    REQUIRE_OK(sn_mesh_add_lines(&t.mesh, (const uint32_t(*)[2])line, N));
    build(&t, SN_KIND_ROD, &m, NULL, 0);
    for (int i = 0; i < N; i++) {
        double at = 2 * PI * i / N, out = 0.05 * cos(2 * at), along = -0.025 * sin(2 * at);
        REQUIRE_OK(sn_node_set_velocity(
            t.world, t.node[i],
            vector(out * cos(at) - along * sin(at), out * sin(at) + along * cos(at), 0)));
    }
    double expected = 2 * PI / (6 / sqrt(5) * sqrt(E * r * r / (4 * rho * pow(R, 4))));
    CHECK_REL(period_of(&t, t.node[0], 'x', expected), expected, 0.02);
}

/* The vertices on the border of a grid of so many cells. */
static size_t border_of(uint32_t cells, uint32_t *pins) {
    size_t count = 0;
    for (uint32_t i = 0; i < (cells + 1) * (cells + 1); i++) {
        uint32_t x = i % (cells + 1), z = i / (cells + 1);
        if (x == 0 || z == 0 || x == cells || z == cells) pins[count++] = i;
    }
    return count;
}

/* A square sheet that is held at its border, stretched by a part, goes up and down in the middle;
   velocities of its first mode. */
static void build_sheet(thing *t, double side, const sn_cloth_material *m, double stretched) {
    enum { CELLS = 8, ALL = (CELLS + 1) * (CELLS + 1) };
    uint32_t pins[ALL];
    sn_grid_def grid = sn_grid_def_default();
    grid.width = grid.depth = (sn_real)side;
    grid.columns = grid.rows = CELLS;
    REQUIRE_OK(sn_generate_grid(&t->mesh, &grid));
    size_t count = border_of(CELLS, pins);
    build(t, SN_KIND_CLOTH, m, pins, count);
    for (int i = 0; i < ALL; i++) {
        vec x = position_of(t->world, t->node[i]);
        double v = 0.005 * cos(PI * x.x / side) * cos(PI * x.z / side), by = 1 + stretched;
        CHECK_OK(sn_node_set_position(t->world, t->node[i], vector(x.x * by, x.y, x.z * by)));
        if (v > 1e-9) REQUIRE_OK(sn_node_set_velocity(t->world, t->node[i], vector(0, v, 0)));
    }
}

/* A plate that may turn at its border: omega = 2 pi^2 / a^2 sqrt(D / sigma). */
TEST(a_plate_swings_on_its_border) {
    const double a = 0.5, D = 0.02, sigma = 0.3;
    thing t = begin(0, SN_SOLVER_COLOURED, 20);
    sn_cloth_material m = sn_cloth_material_default();
    m.stretch_stiffness = 2000;
    m.area_density = (sn_real)sigma;
    m.bending_stiffness = (sn_real)D;
    build_sheet(&t, a, &m, 0);
    double expected = 2 * PI / (2 * PI * PI / (a * a) * sqrt(D / sigma));
    CHECK_REL(period_of(&t, t.node[40], 'y', expected), expected, 0.01);
}

/* A membrane with the tension N: omega = pi sqrt(2) / b sqrt(N / sigma), b its side as stretched,
   and N = E t e / (1 - nu) over the length that it has now. */
TEST(a_membrane_sounds) {
    const double a = 1, e = 0.02, stiffness = 1000, nu = 0.3, sigma = 0.2, by = 1 + e;
    thing t = begin(0, SN_SOLVER_COLOURED, 20);
    sn_cloth_material m = sn_cloth_material_default();
    m.model = 3; /* elastic */
    m.stretch_stiffness = (sn_real)stiffness;
    m.poisson = (sn_real)nu;
    m.area_density = (sn_real)sigma;
    m.tethers = 0;
    build_sheet(&t, a, &m, e);
    double tension = stiffness * e / (1 - nu) / by;
    double expected = 2 * a * by / sqrt(2) * sqrt(sigma / (by * by) / tension);
    CHECK_REL(period_of(&t, t.node[40], 'y', expected), expected, 0.015);
}

TESTS(RUN(a_heavy_rope_swings), RUN(a_ring_goes_oval), RUN(a_plate_swings_on_its_border),
      RUN(a_membrane_sounds))
