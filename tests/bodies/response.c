/*
 * What a body does is what its material says: it is pulled, bent and inflated, and the numbers of
 * the material are measured on it.
 *
 * Bodies are pulled at both ends, by forces that are spread as a stress would be, and measured in
 * the middle, far from the ends. Densities are chosen such that an edge answers slowly to a
 * substep, so that what is measured is the material and not how far the solver came.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "meshed_body.h"

#define CIRCLE 3.14159265358979323846

/* ---- Pulling ---- */

/* The part of a border that belongs to each vertex: lengths of a sheet, areas of a solid. */
static double *shares_of(const sn_mesh *mesh, double x) {
    double *share = calloc(mesh->vertex_count + 1, sizeof *share);
    REQUIRE_OK(share ? SN_OK : SN_ERROR_MEMORY);
    bool solid = mesh->tet_count > 0;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *v = mesh->triangles[t];
        bool there[3];
        for (int k = 0; k < 3; k++) there[k] = fabs((double)mesh->positions[v[k]].x - x) < 1e-6;
        for (int k = 0; k < 3; k++) {
            sn_vec3 a = mesh->positions[v[k]], b = mesh->positions[v[(k + 1) % 3]];
            sn_vec3 c = mesh->positions[v[(k + 2) % 3]];
            double area = fabs((double)(b.y - a.y) * (double)(c.z - a.z) -
                               (double)(b.z - a.z) * (double)(c.y - a.y)) /
                          2;
            if (solid && there[0] && there[1] && there[2]) share[v[k]] += area / 3;
            if (solid || !there[k] || !there[(k + 1) % 3]) continue;
            double length = fabs((double)(b.z - a.z));
            share[v[k]] += length / 2;
            share[v[(k + 1) % 3]] += length / 2;
        }
    }
    return share;
}

/* The slope of u over x, by least squares. */
typedef struct fit {
    double n, x, u, xx, xu;
} fit;

static void fit_add(fit *f, double x, double u) {
    f->n++;
    f->x += x;
    f->u += u;
    f->xx += x * x;
    f->xu += x * u;
}

static double fit_slope(const fit *f) {
    return (f->n * f->xu - f->x * f->u) / (f->n * f->xx - f->x * f->x);
}

/* Strains along the axes in the middle half of a body. */
static void measure_strains(const body *b, double length, double strain[3]) {
    fit fits[3];
    memset(fits, 0, sizeof fits);
    for (size_t i = 0; i < b->mesh.vertex_count; i++) {
        sn_vec3 p = b->mesh.positions[i];
        double rest[3] = {(double)p.x, (double)p.y, (double)p.z}, x[3];
        if (fabs(rest[0]) > length / 4) continue;
        body_position(b, i, x);
        for (int k = 0; k < 3; k++) fit_add(&fits[k], rest[k], x[k] - rest[k]);
    }
    for (int k = 0; k < 3; k++) strain[k] = fit_slope(&fits[k]);
}

/* Pulls along x with a stress (N/m on a sheet, Pa on a solid) until all is at rest. */
static void pull(const body *b, double length, double stress, int steps, double dt,
                 double strain[3]) {
    double *left = shares_of(&b->mesh, -length / 2), *right = shares_of(&b->mesh, length / 2);
    for (int s = 0; s < steps; s++) {
        for (size_t i = 0; i < b->mesh.vertex_count; i++) {
            sn_vec3 force = {(sn_real)(stress * (right[i] - left[i])), 0, 0};
            if (force.x != 0) REQUIRE_OK(sn_node_add_force(b->world, b->nodes[i], force));
        }
        body_run(b, 1, dt);
    }
    free(left);
    free(right);
    measure_strains(b, length, strain);
}

/* ---- Sheets ---- */

typedef struct modulus {
    double young, poisson; /* over what was asked for; as such */
} modulus;

static modulus pull_sheet(sn_grid_pattern pattern) {
    enum { COLUMNS = 32, ROWS = 8 };
    double length = 0.4, width = 0.1, stiffness = 1000, strain[3];
    if (pattern == SN_GRID_EQUILATERAL) width = length / COLUMNS * ROWS * sqrt(0.75);
    sn_cloth_material m = sn_cloth_material_default();
    m.stretch_stiffness = (sn_real)stiffness;
    m.area_density = 1000;
    body b = body_make(still_world(20, 20), SN_KIND_CLOTH, &m,
                       grid_mesh(length, width, COLUMNS, ROWS, pattern), NULL);
    double stress = stiffness * 1e-3;
    pull(&b, length, stress, 120, 0.02, strain);
    body_free(&b);
    return (modulus){stress / strain[0] / stiffness, -strain[2] / strain[0]};
}

/* Springs make Poisson's ratio 1/3, and the modulus exact where triangles are equilateral. On
   squares it depends on the direction; along their sides it is what is written here. */
TEST(a_sheet_stretches_as_its_material_says) {
    modulus e = pull_sheet(SN_GRID_EQUILATERAL);
    CHECK_REL(e.young, 1, 0.02);
    CHECK_REL(e.poisson, 1.0 / 3, 0.03);
    modulus a = pull_sheet(SN_GRID_ALTERNATING), s = pull_sheet(SN_GRID_SAME);
    modulus c = pull_sheet(SN_GRID_CROSSED);
    CHECK_REL(a.young, 1.18, 0.02);
    CHECK_REL(s.young, 1, 0.02);
    CHECK_REL(c.young, 0.75, 0.02);
}

/* The energy of a sheet on a cylinder is B / (2 R^2) per area. Edges are hard, so that theirs does
   not count. */
static double bending_energy(sn_grid_pattern pattern, int bending, double angle) {
    double side = 1, radius = 2, stiffness = 0.01;
    uint32_t rows = pattern == SN_GRID_EQUILATERAL ? 46 : 40;
    sn_cloth_material m = sn_cloth_material_default();
    m.bending_stiffness = (sn_real)stiffness;
    m.bending = bending;
    body b = body_make(still_world(1, 0), SN_KIND_CLOTH, &m,
                       grid_mesh(side, side, 40, rows, pattern), NULL);
    double c = cos(angle), s = sin(angle);
    for (size_t i = 0; i < b.mesh.vertex_count; i++) {
        double x = (double)b.mesh.positions[i].x, z = (double)b.mesh.positions[i].z;
        double along = c * x + s * z, across = c * z - s * x;
        double at = radius * sin(along / radius), up = radius * (1 - cos(along / radius));
        sn_vec3 to = {(sn_real)(c * at - s * across), (sn_real)up, (sn_real)(s * at + c * across)};
        REQUIRE_OK(sn_node_set_position(b.world, b.nodes[i], to));
    }
    sn_measure measure;
    REQUIRE_OK(sn_world_measure(b.world, &measure));
    body_free(&b);
    return measure.elastic_energy / (side * side * stiffness / (2 * radius * radius));
}

/* On every mesh, whether all vertices are alike or every other has twice as many neighbours. */
TEST(a_sheet_bends_as_its_material_says) {
    static const struct {
        sn_grid_pattern pattern;
        double energy, tolerance;
    } rows[] = {{SN_GRID_SAME, 1, 0.01},
                {SN_GRID_EQUILATERAL, 1, 0.01},
                {SN_GRID_ALTERNATING, 1, 0.01},
                {SN_GRID_CROSSED, 1, 0.01}};
    for (int p = 0; p < 4; p++)
        for (int a = 0; a < 4; a++) {
            check_case("pattern %d, %d degrees", rows[p].pattern, 30 * a);
            double energy = bending_energy(rows[p].pattern, 0, a * CIRCLE / 6);
            CHECK_REL(energy, rows[p].energy, rows[p].tolerance);
        }
    for (int a = 0; a < 4; a++) {
        check_case("dihedral, %d degrees", 30 * a);
        CHECK_REL(bending_energy(SN_GRID_EQUILATERAL, 3, a * CIRCLE / 6), 1, 0.05);
        check_case("isometric, %d degrees", 30 * a);
        CHECK_REL(bending_energy(SN_GRID_EQUILATERAL, 2, a * CIRCLE / 6), 1, 0.05);
    }
}

/* ---- Solids ---- */

enum { NEO_HOOKEAN, EDGES, ELASTIC, COROTATED, ORTHOTROPIC = 5, QUADRATIC };

static modulus pull_block(int model, sn_block_pattern pattern, double poisson) {
    double length = 0.3, side = 0.1, young = 1e5, strain[3];
    sn_solid_material m = sn_solid_material_default();
    m.model = model;
    m.density = (sn_real)1e5;
    m.young = (sn_real)young;
    m.poisson = (sn_real)poisson;
    body b = body_make(still_world(10, 5), SN_KIND_SOLID, &m,
                       block_mesh(length, side, side, 4, pattern), NULL);
    double stress = young * 2e-3;
    pull(&b, length, stress, 200, 0.02, strain);
    body_free(&b);
    return (modulus){stress / strain[0] / young, -(strain[1] + strain[2]) / 2 / strain[0]};
}

/* The formula is for edges in all directions alike. Those of a block are along its axes and the
   diagonals of its faces: by their stiffness alone, a block of five tets per cell has 1.2 E and 0.2
   along its axes. What is left of that is written here. */
TEST(a_solid_of_edges_gives_way_nearly_as_its_material_says) {
    static const struct {
        sn_block_pattern pattern;
        double ratio, young, poisson;
    } rows[] = {{SN_BLOCK_FIVE, 0.25, 1.18, 0.165}, {SN_BLOCK_FIVE, 0.4, 1.22, 0.374},
                {SN_BLOCK_FIVE, 0.49, 1.24, 0.487}, {SN_BLOCK_SIX, 0.25, 1.03, 0.035},
                {SN_BLOCK_SIX, 0.4, 1.20, 0.357},   {SN_BLOCK_SIX, 0.49, 1.24, 0.487}};
    for (int i = 0; i < 6; i++) {
        modulus m = pull_block(EDGES, rows[i].pattern, rows[i].ratio);
        check_case("pattern %d, nu = %g", rows[i].pattern, rows[i].ratio);
        CHECK_REL(m.young, rows[i].young, 0.03);
        CHECK_NEAR(m.poisson, rows[i].poisson, 0.015);
    }
}

/* The finite elements have both numbers on any mesh. */
TEST(a_solid_gives_way_as_its_material_says) {
    static const struct {
        int model;
        sn_block_pattern pattern;
        double ratio;
    } rows[] = {{NEO_HOOKEAN, SN_BLOCK_FIVE, 0},   {NEO_HOOKEAN, SN_BLOCK_FIVE, 0.3},
                {NEO_HOOKEAN, SN_BLOCK_SIX, 0.45}, {ELASTIC, SN_BLOCK_FIVE, 0.3},
                {ELASTIC, SN_BLOCK_SIX, -0.7},     {COROTATED, SN_BLOCK_FIVE, 0.3}};
    for (int i = 0; i < 6; i++) {
        modulus m = pull_block(rows[i].model, rows[i].pattern, rows[i].ratio);
        check_case("model %d, pattern %d, nu = %g: %g %g", rows[i].model, rows[i].pattern,
                   rows[i].ratio, m.young, m.poisson);
        CHECK_REL(m.young, 1, 0.005);
        CHECK_NEAR(m.poisson, rows[i].ratio, 0.003);
    }
}

/* Pulled along each of its axes, a block has that modulus and contracts by those ratios. */
TEST(an_orthotropic_solid_gives_way_along_each_axis) {
    static const double young[3] = {1e5, 3e4, 5e4};
    static const double ratio[3] = {0.2, 0.25, 0.4}; /* yz, zx, xy */
    double length = 0.3, side = 0.1;
    for (int axis = 0; axis < 3; axis++) {
        sn_solid_material m = sn_solid_material_default();
        /* Along the block, beside it and above it. */
        int second = (axis + 1) % 3, third = (axis + 2) % 3;
        double strain[3], stress = 1e-3 * young[axis];
        m.model = ORTHOTROPIC;
        m.density = (sn_real)1e5;
        m.stretch_x = (sn_real)young[0];
        m.stretch_y = (sn_real)young[1];
        m.stretch_z = (sn_real)young[2];
        m.poisson_yz = (sn_real)ratio[0];
        m.poisson_zx = (sn_real)ratio[1];
        m.poisson_xy = (sn_real)ratio[2];
        /* Where the first and the second axis of the material point. */
        m.axis = axis == 0   ? (sn_vec3){1, 0, 0}
                 : axis == 1 ? (sn_vec3){0, 0, 1}
                             : (sn_vec3){0, 1, 0};
        m.across = axis == 0   ? (sn_vec3){0, 1, 0}
                   : axis == 1 ? (sn_vec3){1, 0, 0}
                               : (sn_vec3){0, 0, 1};
        body b = body_make(still_world(10, 5), SN_KIND_SOLID, &m,
                           block_mesh(length, side, side, 4, SN_BLOCK_FIVE), NULL);
        pull(&b, length, stress, 300, 0.02, strain);
        body_free(&b);
        check_case("axis %d: %g %g %g", axis, strain[0], strain[1], strain[2]);
        CHECK_REL(stress / strain[0], young[axis], 0.005);
        /* nu_ij over E_i is the same both ways. */
        double to_second = ratio[third], to_third = ratio[second] / young[third] * young[axis];
        CHECK_NEAR(-strain[1] / strain[0], to_second, 0.003);
        CHECK_NEAR(-strain[2] / strain[0], to_third, 0.003);
    }
}

/* ---- Lines ---- */

TEST(a_rope_stretches_as_its_material_says) {
    double length = 1, radius = 0.01, young = 1e6, force = 1, x[3];
    sn_rope_material m = sn_rope_material_default();
    static const uint32_t pins[] = {0};
    sn_build_def def = sn_build_def_default();
    def.pins = pins;
    def.pin_count = 1;
    m.radius = (sn_real)radius;
    m.young = (sn_real)young;
    m.density = (sn_real)1e5;
    body b = body_make(still_world(20, 8), SN_KIND_ROPE, &m, line_mesh(length, 20), &def);
    for (int i = 0; i < 200; i++) {
        REQUIRE_OK(sn_node_add_force(b.world, b.nodes[20], (sn_vec3){(sn_real)force, 0, 0}));
        body_run(&b, 1, 0.02);
    }
    body_position(&b, 20, x);
    CHECK_REL(x[0] - length, force * length / (young * CIRCLE * radius * radius), 0.005);
    body_free(&b);
}

/* A slack rope is not shortened by force, another is. */
TEST(a_slack_rope_does_not_push) {
    for (int slack = 0; slack < 2; slack++) {
        sn_rope_material m = sn_rope_material_default();
        double x[3];
        m.young = (sn_real)1e6;
        m.slack = slack;
        body b = body_make(still_world(20, 0), SN_KIND_ROPE, &m, line_mesh(1, 1), NULL);
        REQUIRE_OK(sn_node_set_position(b.world, b.nodes[1], (sn_vec3){(sn_real)0.9, 0, 0}));
        body_run(&b, 1, 0.01);
        body_position(&b, 1, x);
        check_case("slack %d", slack);
        CHECK(slack ? fabs(x[0] - 0.9) < 1e-6 : x[0] > 0.9 + 1e-4);
        body_free(&b);
    }
}

/* Euler and Bernoulli's w L^4 / (8 E I), with Timoshenko's share of shear. */
TEST(a_rod_bends_as_its_material_says) {
    double length = 0.5, radius = 0.02, density = 1000, gravity = 9.81, x[3];
    double area = CIRCLE * radius * radius, second = area * radius * radius / 4;
    double load = density * area * gravity;
    double young = load * pow(length, 4) / (8 * second * 0.005);
    sn_rod_material m = sn_rod_material_default();
    static const uint32_t pins[] = {0};
    sn_build_def def = sn_build_def_default();
    def.pins = pins;
    def.pin_count = 1;
    m.radius = (sn_real)radius;
    m.density = (sn_real)density;
    m.young = (sn_real)young;
    sn_world *world = still_world(1600, 30);
    sn_settings settings = sn_settings_default();
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.gravity = (sn_vec3){0, (sn_real)-gravity, 0};
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    body b = body_make(world, SN_KIND_ROD, &m, line_mesh(length, 20), &def);
    body_run(&b, 60, 0.01);
    body_position(&b, 20, x);
    double shear = young / 2.6;
    double expected = load * pow(length, 4) / (8 * young * second) +
                      load * length * length / (2 * 0.9 * shear * area);
    CHECK_REL(-x[1], expected, 0.02);
    body_free(&b);
}

/* ---- Closed sheets ---- */

static double volume_now(const body *b) {
    sn_mesh copy = sn_mesh_default();
    double volume = 0, x[3];
    REQUIRE_OK(sn_mesh_copy(&b->mesh, &copy));
    for (size_t i = 0; i < copy.vertex_count; i++) {
        body_position(b, i, x);
        copy.positions[i] = (sn_vec3){(sn_real)x[0], (sn_real)x[1], (sn_real)x[2]};
    }
    REQUIRE_OK(sn_mesh_volume(&copy, &volume));
    sn_mesh_free(&copy);
    return volume;
}

TEST(a_balloon_has_the_volume_of_its_pressure) {
    static const double pressures[] = {0.7, 1, 1.8};
    for (int i = 0; i < 3; i++) {
        sn_cloth_material m;
        REQUIRE_OK(sn_preset_get(SN_KIND_CLOTH, "rubber", &m));
        m.pressure = (sn_real)pressures[i];
        body b = body_make(still_world(20, 5), SN_KIND_CLOTH, &m, sphere_mesh(0.15, 2), NULL);
        double rest = volume_now(&b);
        body_run(&b, 60, 1.0 / 60);
        check_case("pressure %g", pressures[i]);
        CHECK_REL(volume_now(&b), pressures[i] * rest, 1e-3);
        body_free(&b);
    }
}

/* Breaking at the force that the material names. */
TEST(lines_break_at_their_force) {
    for (int over = 0; over < 2; over++) {
        sn_rope_material m = sn_rope_material_default();
        sn_stats stats;
        m.young = (sn_real)1e6;
        m.density = (sn_real)1e5;
        m.break_force = 2;
        body b = body_make(still_world(20, 200), SN_KIND_ROPE, &m, line_mesh(0.1, 1), NULL);
        for (int i = 0; i < 100; i++)
            for (int k = 0; k < 2; k++) {
                sn_vec3 force = {(sn_real)((over ? 2.2 : 1.8) * (k ? 1 : -1)), 0, 0};
                REQUIRE_OK(sn_node_add_force(b.world, b.nodes[k], force));
                if (k) body_run(&b, 1, 0.02);
            }
        REQUIRE_OK(sn_world_stats(b.world, &stats));
        check_case("%s its force", over ? "above" : "below");
        CHECK(stats.constraints == (over ? 0 : 1));
        body_free(&b);
    }
}

TESTS(RUN(a_sheet_stretches_as_its_material_says), RUN(a_sheet_bends_as_its_material_says),
      RUN(a_solid_of_edges_gives_way_nearly_as_its_material_says),
      RUN(a_solid_gives_way_as_its_material_says),
      RUN(an_orthotropic_solid_gives_way_along_each_axis),
      RUN(a_rope_stretches_as_its_material_says), RUN(a_slack_rope_does_not_push),
      RUN(a_rod_bends_as_its_material_says), RUN(a_balloon_has_the_volume_of_its_pressure),
      RUN(lines_break_at_their_force))
