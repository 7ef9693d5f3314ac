/*
 * Sheets in their plane: warp, weft, shear and Poisson's ratio are what the material says, on every
 * mesh (V40), the substep does not matter (V12), and what was crushed comes back.
 *
 * Sheets are loaded by tractions on their borders until they rest. Densities are such that a
 * triangle answers slowly to a substep, so that the material is measured and not the solver.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "meshed_body.h"

enum { EDGES = 1, STRAIN = 2, ELASTIC = 3, NEO_HOOKEAN = 6 };

/* ---- Loads ---- */

/* A traction in N/m on each border: forces along x and z for a normal along x and along z. */
typedef struct load {
    double xx, xz, zz;
} load;

/* The force on a vertex of a sheet of width x depth about the origin: each border edge gives half
   of its own to each end. */
static void load_border(double *force, const sn_mesh *mesh, uint32_t a, uint32_t b, double half_x,
                        double half_z, const load *l) {
    sn_vec3 p = mesh->positions[a], q = mesh->positions[b];
    double x = (double)(p.x + q.x) / 2, z = (double)(p.z + q.z) / 2;
    double length = hypot((double)(q.x - p.x), (double)(q.z - p.z)) / 2, f[2] = {0, 0};
    double side_x = x > half_x - 1e-5 ? 1 : x < -half_x + 1e-5 ? -1 : 0;
    double side_z = z > half_z - 1e-5 ? 1 : z < -half_z + 1e-5 ? -1 : 0;
    f[0] = side_x * l->xx + side_z * l->xz;
    f[1] = side_x * l->xz + side_z * l->zz;
    for (int k = 0; k < 2; k++) {
        force[2 * a + (uint32_t)k] += f[k] * length;
        force[2 * b + (uint32_t)k] += f[k] * length;
    }
}

static double *forces_of(const sn_mesh *mesh, double width, double depth, const load *l) {
    double *force = calloc(2 * mesh->vertex_count + 1, sizeof *force);
    REQUIRE_OK(force ? SN_OK : SN_ERROR_MEMORY);
    for (size_t t = 0; t < mesh->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            load_border(force, mesh, mesh->triangles[t][k], mesh->triangles[t][(k + 1) % 3],
                        width / 2, depth / 2, l);
    return force;
}

static void push(const body *b, const double *force, int steps, double dt) {
    for (int s = 0; s < steps; s++) {
        for (size_t i = 0; i < b->mesh.vertex_count; i++) {
            sn_vec3 f = {(sn_real)force[2 * i], 0, (sn_real)force[2 * i + 1]};
            if (f.x != 0 || f.z != 0) REQUIRE_OK(sn_node_add_force(b->world, b->nodes[i], f));
        }
        body_run(b, 1, dt);
    }
}

/* ---- Measures ---- */

/* F in the middle of a sheet, which is dx/dX, dx/dZ, dz/dX, dz/dZ, by least squares over a grid
   that is even about its middle. */
typedef struct gradient {
    double xx, xz, zx, zz;
} gradient;

static gradient measure(const body *b, double width, double depth) {
    gradient f = {0};
    double sum_x = 0, sum_z = 0;
    for (size_t i = 0; i < b->mesh.vertex_count; i++) {
        double X = (double)b->mesh.positions[i].x, Z = (double)b->mesh.positions[i].z, x[3];
        if (fabs(X) > 0.3 * width || fabs(Z) > 0.45 * depth) continue;
        body_position(b, i, x);
        f.xx += X * x[0];
        f.zx += X * x[2];
        f.xz += Z * x[0];
        f.zz += Z * x[2];
        sum_x += X * X;
        sum_z += Z * Z;
    }
    return (gradient){f.xx / sum_x, f.xz / sum_z, f.zx / sum_x, f.zz / sum_z};
}

typedef struct sample {
    int model;
    sn_grid_pattern pattern;
    uint32_t cells; /* along the depth */
    double warp, weft, shear, poisson;
    double angle; /* of the warp, from x towards z, rad */
    load on;
} sample;

static const double width = 0.4, depth = 0.2;

static body make(const sample *s) {
    sn_cloth_material m = sn_cloth_material_default();
    m.model = s->model;
    m.stretch_stiffness = (sn_real)s->warp;
    if (s->model != NEO_HOOKEAN) {
        m.warp_stiffness = (sn_real)s->warp;
        m.weft_stiffness = (sn_real)s->weft;
        if (s->shear > 0) m.shear_stiffness = (sn_real)s->shear;
    }
    m.poisson = (sn_real)s->poisson;
    m.warp = (sn_vec3){(sn_real)cos(s->angle), 0, (sn_real)sin(s->angle)};
    m.area_density = 1000;
    return body_make(still_world(10, 10), SN_KIND_CLOTH, &m,
                     grid_mesh(width, depth, 2 * s->cells, s->cells, s->pattern), NULL);
}

static gradient stretched(const sample *s) {
    body b = make(s);
    double *force = forces_of(&b.mesh, width, depth, &s->on);
    push(&b, force, 300, 0.02);
    gradient f = measure(&b, width, depth);
    free(force);
    body_free(&b);
    return f;
}

static sample fabric(int model) {
    return (sample){.model = model,
                    .pattern = SN_GRID_SAME,
                    .cells = 4,
                    .warp = 1000,
                    .weft = 600,
                    .shear = 300,
                    .poisson = 0.3};
}

/* ---- What the numbers mean ---- */

/* V40: force = k w (s - 1), far beyond small strains, along the warp and along the weft. */
TEST(a_strip_of_fabric_pulls_with_its_stiffness) {
    for (int weft = 0; weft < 2; weft++) {
        sample s = fabric(STRAIN);
        s.angle = weft ? acos(0) : 0;
        double k = weft ? s.weft : s.warp;
        s.on.xx = 0.2 * k;
        gradient f = stretched(&s);
        check_case("%s: stretch %.5f, across %.5f", weft ? "weft" : "warp", f.xx, f.zz);
        CHECK_REL(f.xx - 1, 0.2, 0.005);
        CHECK_NEAR(f.zz - 1, 0, 1e-3);
    }
}

/* The exact answer of the material: P = E (s^3 - s) / 2 and e_v = -nu e_u. */
TEST(an_elastic_strip_follows_its_material) {
    for (int weft = 0; weft < 2; weft++) {
        sample s = fabric(ELASTIC);
        s.angle = weft ? acos(0) : 0;
        double k = weft ? s.weft : s.warp, nu = weft ? s.poisson * s.weft / s.warp : s.poisson;
        double stretch = 1.2;
        s.on.xx = k * (stretch * stretch * stretch - stretch) / 2;
        gradient f = stretched(&s);
        double along = (f.xx * f.xx - 1) / 2, across = (f.zz * f.zz - 1) / 2;
        check_case("%s: stretch %.5f, ratio %.5f", weft ? "weft" : "warp", f.xx, -across / along);
        CHECK_REL(f.xx - 1, stretch - 1, 0.005);
        CHECK_NEAR(-across / along, nu, 0.002);
    }
}

/* Isotropic where nothing else is said: every direction has the modulus and the ratio. */
TEST(an_elastic_sheet_without_directions_has_none) {
    for (int i = 0; i < 3; i++) {
        sample s = fabric(ELASTIC);
        s.weft = s.warp;
        s.shear = 0;
        s.angle = 0.4 * i;
        s.on.xx = 0.01 * s.warp;
        gradient f = stretched(&s);
        double ratio = -(f.zz * f.zz - 1) / (f.xx * f.xx - 1);
        check_case("angle %g: strain %.6f, ratio %.5f", s.angle, f.xx - 1, ratio);
        CHECK_REL((f.xx * f.xx - 1) / 2 * f.xx, 0.01, 0.005);
        CHECK_NEAR(ratio, 0.3, 0.002);
    }
}

/* The width of a Neo-Hookean strip that is stretched by s, in closed form as its thickness is the
   same: t^2 = (gamma - mu / (lambda' s)) / s, with mu / lambda' = 1 - 2 nu. */
static double neo_hookean_width(double nu, double s) {
    double r = 1 - 2 * nu;
    return sqrt((1 + r - r / s) / s);
}

/* Tension per width at rest along the first of two stretches, over mu. */
static double neo_hookean_tension(double nu, double s, double other) {
    double r = 1 - 2 * nu, j = s * other;
    return s - (1 + r) * (1 + r) * j * other / ((r + j * j) * (r + j * j));
}

/* The exact answer of the material in plane stress, far beyond small strains:
   pulled along one direction, and along both. Of rubber, nu = 1/2, these are mu (s - 1 / s^2) and
   mu (s - 1 / s^5). */
TEST(a_neo_hookean_sheet_follows_its_material) {
    static const double ratios[] = {0, 0.3, 0.5}, stretches[] = {1.2, 1.6};
    for (int i = 0; i < 12; i++) {
        sample s = fabric(NEO_HOOKEAN);
        bool both = i % 2 == 1;
        double to = stretches[i / 2 % 2];
        s.poisson = ratios[i / 4];
        double mu = s.warp / (2 * (1 + s.poisson));
        double other = both ? to : neo_hookean_width(s.poisson, to);
        if (i >= 8)
            CHECK_REL(neo_hookean_tension(s.poisson, to, other), to - pow(to, both ? -5 : -2),
                      1e-12);
        if (!both) CHECK_NEAR(neo_hookean_tension(s.poisson, other, to), 0, 1e-12);
        s.on.xx = mu * neo_hookean_tension(s.poisson, to, other);
        s.on.zz = both ? s.on.xx : 0;
        gradient f = stretched(&s);
        check_case("nu %g, %s by %g: stretch %.5f, across %.5f for %.5f", s.poisson,
                   both ? "both" : "one", to, f.xx, f.zz, other);
        CHECK_REL(f.xx, to, 0.002);
        CHECK_REL(f.zz, other, 0.002);
    }
}

/* It has no directions. */
TEST(a_neo_hookean_sheet_has_no_directions) {
    sample s = fabric(NEO_HOOKEAN);
    double mu = s.warp / (2 * (1 + s.poisson));
    s.on.xx = mu * neo_hookean_tension(s.poisson, 1.3, neo_hookean_width(s.poisson, 1.3));
    for (int i = 0; i < 3; i++) {
        s.angle = 0.5 * i;
        s.pattern = i == 1 ? SN_GRID_CROSSED : SN_GRID_SAME;
        gradient f = stretched(&s);
        check_case("angle %g: %.5f", s.angle, f.xx);
        CHECK_REL(f.xx, 1.3, 0.001);
    }
}

/* ---- The same on every mesh ---- */

/* The strain of a sheet under a load, by what is measured of it: along x, or in shear. */
static double answer(const sample *s, bool sheared) {
    gradient f = stretched(s);
    return sheared ? f.xz + f.zx : f.xx - 1;
}

/* 1 / E along a direction of a sheet with two, for small strains. */
static double softness(const sample *s, double angle) {
    double c = cos(angle) * cos(angle), z = sin(angle) * sin(angle);
    double nu = s->model == ELASTIC ? s->poisson : 0;
    return c * c / s->warp + z * z / s->weft + c * z * (1 / s->shear - 2 * nu / s->warp);
}

TEST(results_do_not_depend_on_the_mesh) {
    static const uint32_t cells[] = {3, 6, 12};
    static const sn_grid_pattern patterns[] = {SN_GRID_SAME, SN_GRID_CROSSED};
    static const char *const loads[] = {"warp", "weft", "45 degrees", "shear"};
    for (int model = STRAIN; model <= ELASTIC; model++) {
        for (int test = 0; test < 4; test++) {
            sample s = fabric(model);
            double right = 0, worst = 0;
            bool sheared = test == 3;
            s.angle = test == 1 ? acos(0) : test == 2 ? acos(0) / 2 : 0;
            if (sheared)
                s.on.xz = 0.01 * s.shear;
            else
                s.on.xx = 0.005 / softness(&s, s.angle);
            right = sheared ? 0.01 : 0.005;
            for (int i = 0; i < 6; i++) {
                s.cells = cells[i % 3];
                s.pattern = patterns[i / 3];
                double strain = answer(&s, sheared);
                check_case("%s, %s, %u cells, pattern %d: %.6f",
                           model == STRAIN ? "strain" : "elastic", loads[test], s.cells,
                           (int)s.pattern, strain);
                CHECK_REL(strain, right, 0.05);
                worst = fmax(worst, fabs(strain / right - 1));
            }
            /* Five percent is what is asked for; it is nearer than that. */
            check_case("%s, %s: %.4f", model == STRAIN ? "strain" : "elastic", loads[test], worst);
            CHECK(worst < 0.02);
        }
    }
}

/* ---- V12 ---- */

/* Puts a sheet that hangs along x near where it will rest. */
static void lower(const body *b, double side, double by) {
    for (size_t i = 0; i < b->mesh.vertex_count; i++) {
        sn_vec3 p = b->mesh.positions[i];
        double u = (double)p.x / side + 0.5;
        p.x += (sn_real)(by * u * (2 - u));
        REQUIRE_OK(sn_node_set_position(b->world, b->nodes[i], p));
    }
}

/* How far a sheet of 64 x 64 nodes that hangs by one edge in its plane sags. It begins near
   there. */
static double sag(int model, int rate) {
    enum { SIDE = 63 };
    double spacing = 1.0 / 64, mass = 20, stiffness = 1e5;
    sn_world_def world_def = sn_world_def_default();
    sn_world *world = NULL;
    world_def.settings.gravity = (sn_vec3){(sn_real)9.81, 0, 0};
    world_def.settings.substeps = rate / 60;
    world_def.settings.damping = 3;
    REQUIRE_OK(sn_world_create(&world_def, &world));
    sn_cloth_material m = sn_cloth_material_default();
    m.model = model;
    m.stretch_stiffness = (sn_real)stiffness;
    m.area_density = (sn_real)(mass / spacing / spacing);
    uint32_t pins[SIDE + 1];
    size_t count = 0;
    double side = SIDE * spacing, lowest = 0;
    sn_mesh mesh = grid_mesh(side, side, SIDE, SIDE, SN_GRID_ALTERNATING);
    for (uint32_t i = 0; i < mesh.vertex_count; i++)
        if ((double)mesh.positions[i].x < -side / 2 + 1e-5) pins[count++] = i;
    CHECK(count == SIDE + 1);
    sn_build_def def = sn_build_def_default();
    def.pins = pins;
    def.pin_count = count;
    body b = body_make(world, SN_KIND_CLOTH, &m, mesh, &def);
    lower(&b, side, model == STRAIN ? 3.8 : 1.05);
    body_run(&b, 60, 1.0 / 60);
    for (size_t i = 0; i < b.mesh.vertex_count; i++) {
        double x[3];
        body_position(&b, i, x);
        lowest = fmax(lowest, x[0] - (double)b.mesh.positions[i].x);
    }
    body_free(&b);
    return lowest;
}

TEST(sag_does_not_depend_on_the_substep) {
    static const int rates[] = {600, 1200, 2400};
    for (int model = STRAIN; model <= ELASTIC; model++) {
        double sags[3];
        for (int i = 0; i < 3; i++) sags[i] = sag(model, rates[i]);
        for (int i = 0; i < 3; i++) {
            check_case("model %d, %d substeps per second: %.5f m", model, rates[i], sags[i]);
            CHECK_REL(sags[i], sags[2], 0.02);
        }
    }
}

/* m: how far the middle of a disc that is held at its rim is below it, under its weight. */
static double sag_of_disc(double stiffness, double radius, double area_density, int substeps) {
    sn_world *world;
    sn_world_def world_def = sn_world_def_default();
    world_def.threads = 1;
    world_def.settings.substeps = substeps;
    world_def.settings.damping = 4;
    REQUIRE_OK(sn_world_create(&world_def, &world));
    sn_cloth_material m = sn_cloth_material_default();
    m.model = ELASTIC;
    m.stretch_stiffness = (sn_real)stiffness;
    m.poisson = (sn_real)0.3;
    m.area_density = (sn_real)area_density;
    sn_disc_def disc = sn_disc_def_default();
    disc.radius = (sn_real)radius;
    disc.rings = 8;
    sn_mesh mesh = sn_mesh_default();
    REQUIRE_OK(sn_generate_disc(&mesh, &disc));
    uint32_t pins[64];
    size_t count = 0;
    for (uint32_t i = 0; i < mesh.vertex_count && count < 64; i++)
        if (hypot((double)mesh.positions[i].x, (double)mesh.positions[i].z) > 0.999 * radius)
            pins[count++] = i;
    sn_build_def def = sn_build_def_default();
    def.pins = pins;
    def.pin_count = count;
    body b = body_make(world, SN_KIND_CLOTH, &m, mesh, &def);
    double before[3], after[3];
    body_position(&b, 0, before);
    body_run(&b, 180, 1.0 / 60);
    body_position(&b, 0, after);
    body_free(&b);
    return before[1] - after[1];
}

/* A membrane that is held all around sags by 0.653 a (q a / (E t))^(1/3) (Hencky 1915, with a
   Poisson's ratio of 0.3). Flat, it has nothing but its strain to carry with, of which the sag is
   the root: what a sweep leaves of it counts for much, and goes with the square of the substep. */
TEST(a_membrane_sags_as_hencky_says) {
    const double stiffness = 1e3, radius = 0.5, density = 0.2;
    const double w = 0.653 * radius * cbrt(density * 9.81 * radius / stiffness);
    double sags[3];
    for (int k = 0; k < 3; k++) {
        sags[k] = sag_of_disc(stiffness, radius, density, 20 << k);
        if (check_shows()) printf("%d substeps: %.5f of %.5f m\n", 20 << k, sags[k], w);
    }
    double ratio = (sags[0] - sags[1]) / (sags[1] - sags[2]);
    CHECK(ratio > 2.8 && ratio < 4.5);
    CHECK_REL(sags[2] - (sags[1] - sags[2]) / 3, w, 0.03);
}

/* ---- What was crushed ---- */

/* Brings a sheet to a plane, a line or a point, but for a thousandth of its size, and lets go. */
static double left_over(int model, int dimension, bool hard) {
    sample s = fabric(model);
    double worst = 0;
    uint64_t random = 1;
    if (hard) s.warp = s.weft = s.shear = (double)SN_AUTO;
    body b = make(&s);
    if (hard) {
        body_free(&b);
        sn_cloth_material m = sn_cloth_material_default();
        m.model = model;
        b = body_make(still_world(10, 10), SN_KIND_CLOTH, &m,
                      grid_mesh(width, depth, 8, 4, SN_GRID_SAME), NULL);
    }
    for (size_t i = 0; i < b.mesh.vertex_count; i++) {
        double x[3] = {(double)b.mesh.positions[i].x, 0, (double)b.mesh.positions[i].z};
        for (int k = 0; k < 3; k++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            double off = 1e-3 * ((double)(random >> 40) / 8388608.0 - 1);
            x[k] = ((k == 0 && dimension > 0) || (k == 2 && dimension > 1) ? x[k] : 0) + off;
        }
        sn_vec3 to = {(sn_real)x[0], (sn_real)x[1], (sn_real)x[2]};
        REQUIRE_OK(sn_node_set_position(b.world, b.nodes[i], to));
    }
    for (int step = 0; step < 600; step++) {
        body_run(&b, 1, 0.02);
        for (size_t i = 0; i < b.mesh.vertex_count; i++) {
            double x[3];
            body_position(&b, i, x);
            /* Nothing is thrown away meanwhile, nor is it no number. */
            CHECK(hypot(hypot(x[0], x[1]), x[2]) < 2);
        }
    }
    for (size_t t = 0; t < b.mesh.triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            uint32_t a = b.mesh.triangles[t][k], c = b.mesh.triangles[t][(k + 1) % 3];
            sn_vec3 p = b.mesh.positions[a], q = b.mesh.positions[c];
            double x[3], y[3], rest = hypot((double)(q.x - p.x), (double)(q.z - p.z));
            body_position(&b, a, x);
            body_position(&b, c, y);
            double now = hypot(hypot(y[0] - x[0], y[1] - x[1]), y[2] - x[2]);
            worst = fmax(worst, fabs(now / rest - 1));
        }
    body_free(&b);
    return worst;
}

TEST(what_was_crushed_comes_back) {
    for (int model = STRAIN; model <= NEO_HOOKEAN; model += model == ELASTIC ? 3 : 1)
        for (int dimension = 0; dimension < 3; dimension++)
            for (int hard = 0; hard < 2; hard++) {
                double worst = left_over(model, dimension, hard != 0);
                check_case("model %d, brought to %d dimensions, %s: %.4f", model, dimension,
                           hard ? "hard" : "soft", worst);
                CHECK(worst < 0.02);
            }
}

/* ---- What is refused ---- */

TEST(models_say_what_they_have) {
    sn_mesh mesh = grid_mesh(1, 1, 2, 2, SN_GRID_SAME);
    sn_world *world = still_world(1, 0);
    sn_node nodes[9];
    sn_build_def def = sn_build_def_default();
    sn_build build;
    def.mesh = &mesh;
    for (int i = 0; i < 5; i++) {
        sn_cloth_material m = sn_cloth_material_default();
        check_case("case %d", i);
        m.model = i < 3 ? NEO_HOOKEAN : STRAIN;
        if (i == 0) m.poisson = (sn_real)0.6;
        if (i == 1) m.poisson = (sn_real)-0.2;
        if (i == 2) m.warp_stiffness = 10;
        if (i == 3) m.plastic_yield = (sn_real)0.01;
        if (i == 4) m.fibres = (sn_real)0.5;
        CHECK_FAILS(sn_build_body(world, SN_KIND_CLOTH, &m, &def, nodes, &build), SN_ERROR_VALUE);
    }
    sn_world_destroy(world);
    sn_mesh_free(&mesh);
}

/* ---- What has no stiffness ---- */

/* One triangle, of which one stiffness is given. */
static sn_result make_triangle(bool elastic, int row, double stiffness) {
    sn_world *world = still_world(1, 0);
    sn_strain_triangle_def strain = sn_strain_triangle_def_default();
    sn_elastic_triangle_def other = sn_elastic_triangle_def_default();
    sn_real *of[2][3] = {{&strain.warp_stiffness, &strain.weft_stiffness, &strain.shear_stiffness},
                         {&other.warp_stiffness, &other.weft_stiffness, &other.shear_stiffness}};
    sn_constraint made;
    for (int i = 0; i < 3; i++) {
        sn_node_def node = sn_node_def_default();
        node.position = (sn_vec3){i == 1, 0, i == 2};
        REQUIRE_OK(sn_node_create(world, &node, &strain.node[i]));
        other.node[i] = strain.node[i];
        *of[elastic][i] = 2;
    }
    *of[elastic][row] = (sn_real)stiffness;
    sn_result result = elastic
                           ? sn_constraint_create(world, SN_TYPE_ELASTIC_TRIANGLE, &other, &made)
                           : sn_constraint_create(world, SN_TYPE_STRAIN_TRIANGLE, &strain, &made);
    sn_world_destroy(world);
    return result;
}

TEST(triangles_have_a_stiffness_along_every_row) {
    for (int elastic = 0; elastic < 2; elastic++)
        for (int row = 0; row < 3; row++) {
            check_case("elastic %d, row %d", elastic, row);
            CHECK_FAILS(make_triangle(elastic, row, 0), SN_ERROR_VALUE);
            CHECK_OK(make_triangle(elastic, row, 1));
        }
}

TESTS(RUN(a_strip_of_fabric_pulls_with_its_stiffness), RUN(an_elastic_strip_follows_its_material),
      RUN(an_elastic_sheet_without_directions_has_none),
      RUN(a_neo_hookean_sheet_follows_its_material), RUN(a_neo_hookean_sheet_has_no_directions),
      RUN(models_say_what_they_have), RUN(results_do_not_depend_on_the_mesh),
      RUN(a_membrane_sags_as_hencky_says), RUN(sag_does_not_depend_on_the_substep),
      RUN(what_was_crushed_comes_back), RUN(triangles_have_a_stiffness_along_every_row))
