/*
 * Bars and beams of solids against what is known of them, on meshes that are cut finer and finer:
 * they must come to one answer, and it must be the right one.
 */
#include "bodies/meshed_body.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { NEO_HOOKEAN, EDGES, ELASTIC, COROTATED, STRAIN };

typedef struct beam {
    double length, side;            /* m */
    double young, poisson, density; /* SI */
    double damping;                 /* 1/s */
    int model;
} beam;

/* A beam along x whose left end is held, with so many cells across it, in a world whose substeps
   are short enough for its tets: q is `square`. */
static body make_beam(const beam *k, uint32_t cells, double gravity_x, double gravity_y,
                      double square, double *h) {
    sn_mesh mesh = block_mesh(k->length, k->side, k->side, cells, SN_BLOCK_FIVE);
    const sn_mesh_group *left = sn_mesh_find_group(&mesh, "left");
    sn_solid_material m = sn_solid_material_default();
    sn_build_def def = sn_build_def_default();
    sn_settings settings = sn_settings_default();
    sn_world *world = still_world(100, k->damping);
    m.young = (sn_real)k->young;
    m.poisson = (sn_real)k->poisson;
    m.density = (sn_real)k->density;
    m.model = k->model;
    def.pins = left->vertices;
    def.pin_count = left->count;
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.gravity = (sn_vec3){(sn_real)gravity_x, (sn_real)gravity_y, 0};
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    body b = body_make(world, SN_KIND_SOLID, &m, mesh, &def);
    CHECK(b.build.substep_rate > 0);
    *h = sqrt(square) / b.build.substep_rate;
    return b;
}

/* The mean place of the right end. */
static void find_end(const body *b, double mean[3]) {
    const sn_mesh_group *right = sn_mesh_find_group(&b->mesh, "right");
    mean[0] = mean[1] = mean[2] = 0;
    for (size_t i = 0; i < right->count; i++) {
        double x[3];
        body_position(b, right->vertices[i], x);
        for (int c = 0; c < 3; c++) mean[c] += x[c] / (double)right->count;
    }
}

/* Tets that are inside out. */
static size_t count_inverted(const body *b) {
    size_t inverted = 0;
    for (size_t i = 0; i < b->mesh.tet_count; i++) {
        double x[4][3], d[3][3];
        for (int k = 0; k < 4; k++) body_position(b, b->mesh.tets[i][k], x[k]);
        for (int k = 0; k < 3; k++)
            for (int c = 0; c < 3; c++) d[k][c] = x[k + 1][c] - x[0][c];
        double volume = d[0][0] * (d[1][1] * d[2][2] - d[1][2] * d[2][1]) -
                        d[0][1] * (d[1][0] * d[2][2] - d[1][2] * d[2][0]) +
                        d[0][2] * (d[1][0] * d[2][1] - d[1][1] * d[2][0]);
        inverted += !(volume > 0);
    }
    return inverted;
}

/* Where three values of meshes of which each is twice as fine are going (Richardson, with the order
   that they show). */
static double limit_of(const double value[3]) {
    double first = value[1] - value[0], second = value[2] - value[1];
    return value[2] + second * second / (first - second);
}

static const char *const names[] = {"neo_hookean", "edges", "elastic", "corotated", "strain"};

/* ---- A bar that hangs by its end ---- */

static const beam bar = {1, 0.1, 1e6, 0.3, 1000, 100, NEO_HOOKEAN};

/* Seconds until it is at rest, then its length beyond that at rest. */
static double hang(const beam *k, uint32_t cells) {
    double h, end[3];
    body b = make_beam(k, cells, 9.81, 0, 0.05, &h);
    body_run(&b, (int)ceil(0.3 / (100 * h)), 100 * h);
    find_end(&b, end);
    CHECK(count_inverted(&b) == 0);
    body_free(&b);
    return end[0] - k->length / 2;
}

/* V34. rho g L^2 / (2 E). */
TEST(a_bar_stretches_under_its_weight) {
    static const int models[] = {NEO_HOOKEAN, ELASTIC, COROTATED};
    for (int i = 0; i < 3; i++) {
        beam k = bar;
        double value[3];
        k.model = models[i];
        for (int n = 0; n < 3; n++) value[n] = hang(&k, 1U << n);
        double right = 1000 * 9.81 / 2 / 1e6;
        check_case("%s: %.4e %.4e %.4e", names[k.model], value[0], value[1], value[2]);
        printf("bar, %s: %.4e %.4e %.4e m, and in the limit %.4e of %.4e m\n", names[k.model],
               value[0], value[1], value[2], limit_of(value), right);
        CHECK_REL(limit_of(value), right, 0.02);
        CHECK_REL(value[2], right, 0.02);
    }
}

/* It is let go where it hangs, without gravity and damping, and swings along itself; the time
   between the second and the last of its ways through the middle counts. */
static double swing(const beam *k, uint32_t cells) {
    double h, end[3], before = 0, first = 0, last = 0;
    int passed = 0;
    body b = make_beam(k, cells, 9.81, 0, 0.05, &h);
    body_run(&b, (int)ceil(0.3 / (100 * h)), 100 * h);
    sn_settings settings = sn_settings_default();
    REQUIRE_OK(sn_world_get_settings(b.world, &settings));
    settings.gravity = (sn_vec3){0, 0, 0};
    settings.damping = 0;
    settings.substeps = 4;
    REQUIRE_OK(sn_world_set_settings(b.world, &settings));
    double dt = 4 * h;
    for (int i = 0; i < (int)(0.6 / dt) && passed < 7; i++) {
        body_run(&b, 1, dt);
        find_end(&b, end);
        double x = end[0] - k->length / 2;
        if (i > 0 && x * before < 0) {
            double at = dt * (i - x / (x - before));
            if (passed++ == 1) first = at;
            last = at;
        }
        before = x;
    }
    body_free(&b);
    return (passed - 2) / (2 * (last - first));
}

/* V34. f = sqrt(E / rho) / (4 L). */
TEST(a_bar_swings_with_its_frequency) {
    double value[3];
    for (int n = 0; n < 3; n++) value[n] = swing(&bar, 1U << n);
    double right = sqrt(1e6 / 1000) / 4;
    printf("bar: %.4f %.4f %.4f Hz, and in the limit %.4f of %.4f Hz\n", value[0], value[1],
           value[2], limit_of(value), right);
    CHECK_REL(value[2], right, 0.02);
    CHECK_REL(limit_of(value), right, 0.02);
}

/* ---- A cantilever ---- */

static const beam cantilever = {1, 0.1, 1e7, 0.3, 1000, 20, NEO_HOOKEAN};

/* Bends it as a beam of Euler and Bernoulli that sinks by `depth` at its end, so that less is left
   to do. */
static void bend_before(const body *b, const beam *k, double depth) {
    for (size_t i = 0; i < b->mesh.vertex_count; i++) {
        sn_vec3 p = b->mesh.positions[i];
        double s = ((double)p.x + k->length / 2) / k->length, y = (double)p.y;
        double sink = depth * s * s * (s * s - 4 * s + 6) / 3;
        double slope = depth * (4 * s * s * s - 12 * s * s + 12 * s) / 3 / k->length;
        sn_vec3 at = {(sn_real)((double)p.x + y * slope), (sn_real)(y - sink), p.z};
        REQUIRE_OK(sn_node_set_position(b->world, b->nodes[i], at));
    }
}

static double bend(const beam *k, uint32_t cells, double depth, double time) {
    double h, end[3];
    body b = make_beam(k, cells, 0, -9.81, 0.05, &h);
    bend_before(&b, k, depth);
    body_run(&b, (int)ceil(time / (100 * h)), 100 * h);
    find_end(&b, end);
    CHECK(count_inverted(&b) == 0);
    body_free(&b);
    return -end[1];
}

/* Where three values are going that meshes of 2, 3 and 4 cells have, by h^2 and h^4. */
static double bend_limit(const double value[3]) {
    double limit = 0, s[3] = {1.0 / 4, 1.0 / 9, 1.0 / 16};
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        limit += value[i] * s[j] * s[k] / ((s[i] - s[j]) * (s[i] - s[k]));
    }
    return limit;
}

/* V35.
   The elastica with the share of shear is 0.1462 m. Linear tets are stiff: the finest mesh here, of
   40 x 4 x 4 cells, has 0.1291 m, found with far more substeps. */
TEST(a_cantilever_bends_as_the_elastica) {
    double value[3];
    value[0] = bend(&cantilever, 2, 0.1, 0.5);
    value[1] = bend(&cantilever, 3, 0.12, 0.5);
    value[2] = bend(&cantilever, 4, 0.13, 0.5);
    double limit = bend_limit(value);
    printf("cantilever: %.4f %.4f %.4f m, and in the limit %.4f m\n", value[0], value[1], value[2],
           limit);
    CHECK_REL(value[2], 0.1291, 0.015);
    CHECK_REL(limit, 0.1462, 0.03);
}

/* V35. All that have these moduli bend alike; edges differ by what they make of the moduli. */
TEST(every_model_bends_alike) {
    for (int i = 0; i < 3; i++) {
        static const int models[] = {ELASTIC, COROTATED, EDGES};
        static const double wanted[] = {0.100, 0.100, 0.096};
        beam k = cantilever;
        k.model = models[i];
        double value = bend(&k, 2, 0.1, 0.5);
        printf("cantilever, %s: %.4f m\n", names[k.model], value);
        check_case("%s", names[k.model]);
        CHECK_REL(value, wanted[i], 0.03);
    }
}

/* V59. Volumes of linear tets that are nearly kept leave them too little to bend by: it locks. */
TEST(a_cantilever_that_keeps_its_volume_locks_and_holds) {
    beam k = cantilever;
    k.poisson = 0.49;
    double value = bend(&k, 2, 0.09, 0.5);
    printf("cantilever, nu = 0.49: %.4f m\n", value);
    CHECK(value > 0.08 && value < 0.095);
}

TESTS(RUN(a_bar_stretches_under_its_weight), RUN(a_bar_swings_with_its_frequency),
      RUN(a_cantilever_bends_as_the_elastica), RUN(every_model_bends_alike),
      RUN(a_cantilever_that_keeps_its_volume_locks_and_holds))
