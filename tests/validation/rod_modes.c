/*
 * V29: how a rod that is clamped at one end swings: f_k = beta_k^2 / 2 pi sqrt(E I / rho A L^4), of
 * a rod of E = 1e6 Pa, 5 mm, 1000 kg/m^3 and 0.2 m 1.1060, 6.9311 and 19.407 Hz, and a little less
 * by Timoshenko. Each is begun with the velocities of its mode alone.
 */
#include "validation/build.h"

#include <math.h>
#include <stdio.h>

enum { SEGMENTS = 40 };

static const double beta[] = {1.875104, 4.694091, 7.854757};

/* The mode of a cantilever at s from 0 to 1, without a scale. */
static double mode_at(double b, double s) {
    double ratio = (cosh(b) + cos(b)) / (sinh(b) + sin(b));
    return cosh(b * s) - cos(b * s) - ratio * (sinh(b * s) - sin(b * s));
}

/* With sweeps, substeps are so short that what they leave of bending does not matter, and one mode
   is enough. */
typedef struct way {
    const char *name;
    sn_solver solver;
    sn_body_solver of_body;
    int segments, substeps, iterations;
} way;

static double frequency_of(int k, const way *w) {
    double E = 1e6, r = 0.005, rho = 1000, L = 0.2;
    double known = beta[k] * beta[k] / (2 * PI) * sqrt(E * r * r / (4 * rho * pow(L, 4)));
    sn_settings settings = weightless_settings(w->solver);
    settings.substeps = w->substeps;
    settings.iterations = w->iterations;
    settings.integrator = SN_INTEGRATOR_BDF2;
    sn_world *world = make_world(settings);
    sn_mesh mesh = sn_mesh_default();
    REQUIRE_OK(sn_generate_rope(&mesh, vector(0, 0, 0), vector(L, 0, 0), (uint32_t)w->segments));
    sn_rod_material m = sn_rod_material_default();
    m.young = (sn_real)E;
    m.radius = (sn_real)r;
    m.density = (sn_real)rho;
    sn_build_def def = sn_build_def_default();
    sn_build build;
    sn_node node[SEGMENTS + 1], wall;
    sn_constraint joint;
    def.mesh = &mesh;
    def.body.solver = w->of_body;
    REQUIRE_OK(sn_build_body(world, SN_KIND_ROD, &m, &def, node, &build));
    REQUIRE_OK(sn_rod_clamp(world, node[0], &wall, &joint));
    double amplitude = 0.002 * L;
    for (int i = 1; i <= w->segments; i++)
        REQUIRE_OK(sn_node_set_velocity(
            world, node[i],
            vector(0, amplitude * 2 * PI * known * mode_at(beta[k], (double)i / w->segments) / 2,
                   0)));
    enum { SAMPLES = 900 };
    static double y[SAMPLES];
    double h = 1 / known / 300;
    for (int i = 0; i < SAMPLES; i++) {
        y[i] = position_of(world, node[w->segments]).y;
        advance(world, h / w->substeps, w->substeps);
    }
    mode found = find_mode(y, SAMPLES, 48);
    sn_mesh_free(&mesh);
    sn_world_destroy(world);
    if (check_shows())
        printf("%s, mode %d: %.4f Hz, expected %.4f\n", w->name, k + 1, found.phase / (2 * PI * h),
               known);
    /* Timoshenko: shear and the inertia of turning make it slower. */
    double slower = pow(beta[k] * r / (2 * L), 2) / 2 * (1 + 2.6 / 0.9);
    CHECK_REL(found.phase / (2 * PI * h), known * (1 - slower), k == 0 ? 0.01 : 0.03);
    return known;
}

TEST(a_clamped_rod_swings_at_its_frequencies) {
    static const double known[] = {1.1060, 6.9311, 19.407};
    static const way ways[] = {
        {"direct", SN_SOLVER_DIRECT, SN_BODY_SOLVER_WORLD, SEGMENTS, 1, 1},
        {"sweeps", SN_SOLVER_COLOURED, SN_BODY_SOLVER_WORLD, 18, 70, 1},
        {"closed form", SN_SOLVER_COLOURED, SN_BODY_SOLVER_CLOSED_FORM, 16, 12, 2}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        for (int k = 0; k < (i == 0 ? 3 : 1); k++) {
            check_case("%s, mode %d", ways[i].name, k + 1);
            CHECK_REL(frequency_of(k, &ways[i]), known[k], 1e-4);
        }
}

TESTS(RUN(a_clamped_rod_swings_at_its_frequencies))
