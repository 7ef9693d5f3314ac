/*
 * Tetrahedra with ten nodes: what they measure of quadratic displacements, and that bodies of them
 * bend and twist as they should where linear ones lock (V59).
 */
#include "bodies/meshed_body.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef SN_DOUBLE
#define PICK(of_double, of_float) (of_double)
#else
#define PICK(of_double, of_float) (of_float)
#endif

enum { NEO_HOOKEAN, QUADRATIC = 6 };

static double random_number(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 4503599627370496.0 - 1.0;
}

static double determinant(double f[3][3]) {
    return f[0][0] * (f[1][1] * f[2][2] - f[1][2] * f[2][1]) -
           f[0][1] * (f[1][0] * f[2][2] - f[1][2] * f[2][0]) +
           f[0][2] * (f[1][0] * f[2][1] - f[1][1] * f[2][0]);
}

/* ---- One element ---- */

static const double corner[4][3] = {{0.1, 0, 0}, {1, 0.2, 0}, {0.2, 0.9, 0.1}, {0, 0.1, 1.1}};
static const int edge[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

/* x = X + a + B X + terms of second order. */
typedef struct field {
    double linear[3][3], second[3][6]; /* xx, yy, zz, yz, zx, xy */
} field;

static void displace(const field *u, const double at[3], double x[3]) {
    const double product[6] = {at[0] * at[0], at[1] * at[1], at[2] * at[2],
                               at[1] * at[2], at[2] * at[0], at[0] * at[1]};
    for (int c = 0; c < 3; c++) {
        x[c] = at[c];
        for (int k = 0; k < 3; k++) x[c] += u->linear[c][k] * at[k];
        for (int k = 0; k < 6; k++) x[c] += u->second[c][k] * product[k];
    }
}

static void gradient_at(const field *u, const double at[3], double f[3][3]) {
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++) {
            int m = (k + 1) % 3, n = (k + 2) % 3;
            f[c][k] = (c == k) + u->linear[c][k] + 2 * u->second[c][k] * at[k];
            f[c][k] += u->second[c][3 + n] * at[m] + u->second[c][3 + m] * at[n];
        }
}

static sn_world *make_element(sn_node node[10], sn_constraint *made, double young, double poisson) {
    sn_world *world = still_world(1, 0);
    sn_quadratic_tet_def def = sn_quadratic_tet_def_default();
    for (int k = 0; k < 10; k++) {
        sn_node_def of = sn_node_def_default();
        double x[3];
        for (int c = 0; c < 3; c++)
            x[c] =
                k < 4 ? corner[k][c] : (corner[edge[k - 4][0]][c] + corner[edge[k - 4][1]][c]) / 2;
        of.position = (sn_vec3){(sn_real)x[0], (sn_real)x[1], (sn_real)x[2]};
        of.inverse_mass = 1;
        REQUIRE_OK(sn_node_create(world, &of, &node[k]));
        def.node[k] = node[k];
    }
    def.young = (sn_real)young;
    def.poisson = (sn_real)poisson;
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_QUADRATIC_TET, &def, made));
    return world;
}

/* J - 1 at the centre and sqrt(tr F^T F - 4 J + J^2) at the four points, of any quadratic
   displacement, and the energy that they have. */
TEST(rows_are_those_of_the_deformation_at_the_points) {
    const double near = (5 + 3 * sqrt(5)) / 20, away = (5 - sqrt(5)) / 20;
    const double young = 1e5, nu = 0.3, mu = young / (2 * (1 + nu));
    const double lambda = young * nu / ((1 + nu) * (1 - 2 * nu));
    double edges[3][3];
    for (int k = 0; k < 3; k++)
        for (int c = 0; c < 3; c++) edges[k][c] = corner[k + 1][c] - corner[0][c];
    double volume = determinant(edges) / 6;
    uint64_t random = 4;
    sn_node node[10];
    sn_constraint made;
    sn_world *world = make_element(node, &made, young, nu);
    for (int n = 0; n < 30; n++) {
        field u = {{{0}}, {{0}}};
        for (int k = 0; k < 9; k++) u.linear[k / 3][k % 3] = 0.2 * random_number(&random);
        for (int k = 0; k < 18 && n >= 10; k++)
            u.second[k / 6][k % 6] = 0.1 * random_number(&random);
        for (int k = 0; k < 10; k++) {
            double at[3], x[3];
            for (int c = 0; c < 3; c++)
                at[c] = k < 4 ? corner[k][c]
                              : (corner[edge[k - 4][0]][c] + corner[edge[k - 4][1]][c]) / 2;
            displace(&u, at, x);
            sn_vec3 to = {(sn_real)x[0], (sn_real)x[1], (sn_real)x[2]};
            REQUIRE_OK(sn_node_set_position(world, node[k], to));
        }
        sn_real value[SN_MAX_ROWS];
        double energy = 0;
        sn_measure measure;
        REQUIRE_OK(sn_constraint_evaluate(world, made, value, NULL));
        REQUIRE_OK(sn_world_measure(world, &measure));
        for (int p = 0; p < 5; p++) {
            double at[3] = {0, 0, 0}, f[3][3], trace = 0;
            for (int k = 0; k < 4; k++)
                for (int c = 0; c < 3; c++)
                    at[c] += corner[k][c] * (p == 0 ? 0.25 : p - 1 == k ? near : away);
            gradient_at(&u, at, f);
            for (int k = 0; k < 9; k++) trace += f[k / 3][k % 3] * f[k / 3][k % 3];
            double j = determinant(f), q = trace - 4 * j + j * j;
            CHECK_NEAR(value[p], p == 0 ? j - 1 : sqrt(q), PICK(1e-9, 2e-5));
            energy += volume / 2 * (p == 0 ? lambda * (j - 1) * (j - 1) : mu / 4 * q);
        }
        CHECK_REL(measure.elastic_energy, energy, PICK(1e-9, 2e-4));
    }
    sn_world_destroy(world);
}

/* ---- Bodies ---- */

static sn_mesh with_midpoints(sn_mesh mesh) {
    sn_mesh fine = sn_mesh_default();
    REQUIRE_OK(sn_mesh_add_midpoints(&mesh, &fine));
    sn_mesh_free(&mesh);
    return fine;
}

/* V59's beam, four times as long as thick. */
static const double side = 0.1, length = 0.4, modulus = 1e6;

static body make_beam(int model, uint32_t cells, double poisson, double damping, double *h) {
    sn_mesh mesh = block_mesh(length, side, side, cells, SN_BLOCK_FIVE);
    if (model == QUADRATIC) mesh = with_midpoints(mesh);
    sn_solid_material m = sn_solid_material_default();
    sn_build_def def = sn_build_def_default();
    const sn_mesh_group *left = sn_mesh_find_group(&mesh, "left");
    m.model = model;
    m.young = (sn_real)modulus;
    m.poisson = (sn_real)poisson;
    def.pins = left->vertices;
    def.pin_count = left->count;
    body b = body_make(still_world(50, damping), SN_KIND_SOLID, &m, mesh, &def);
    *h = sqrt(0.05) / b.build.substep_rate;
    return b;
}

static bool is_at_end(const body *b, uint32_t vertex) {
    return (double)b->mesh.positions[vertex].x > length / 2 - 1e-4;
}

/* The force on every vertex of the end, of so much in all. */
static void load_end(const body *b, double force) {
    for (size_t t = 0; t < b->mesh.triangle_count; t++) {
        const uint32_t *v = b->mesh.triangles[t];
        sn_vec3 p = b->mesh.positions[v[0]], q = b->mesh.positions[v[1]];
        sn_vec3 r = b->mesh.positions[v[2]];
        if (!is_at_end(b, v[0]) || !is_at_end(b, v[1]) || !is_at_end(b, v[2])) continue;
        double area = fabs((double)(q.y - p.y) * (double)(r.z - p.z) -
                           (double)(q.z - p.z) * (double)(r.y - p.y)) /
                      2;
        for (int k = 0; k < 3; k++) {
            sn_vec3 part = {0, (sn_real)(-force * area / (3 * side * side)), 0};
            REQUIRE_OK(sn_node_add_force(b->world, b->nodes[v[k]], part));
        }
    }
}

static double mean_sink(const body *b) {
    double sum = 0, x[3];
    size_t count = 0;
    for (uint32_t i = 0; i < b->mesh.vertex_count; i++) {
        if (!is_at_end(b, i)) continue;
        body_position(b, i, x);
        sum -= x[1] - (double)b->mesh.positions[i].y;
        count++;
    }
    return sum / (double)count;
}

/* What is left of Timoshenko's deflection under a load at the end, with 5/6 of the area for
   shear. */
static double bend(int model, uint32_t cells, double poisson) {
    double h, second = pow(side, 4) / 12, shear = modulus / (2 * (1 + poisson));
    double compliance =
        pow(length, 3) / (3 * modulus * second) + length * 1.2 / (shear * side * side);
    double force = 0.01 * length / compliance;
    body b = make_beam(model, cells, poisson, 40, &h);
    int steps = (int)ceil(0.5 / (50 * h));
    for (int i = 0; i < steps; i++) {
        load_end(&b, force);
        body_run(&b, 1, 50 * h);
    }
    double sink = mean_sink(&b);
    body_free(&b);
    return sink / (force * compliance);
}

/* V59. The converged answer for an end that is wholly clamped is 0.98 at nu = 0.3 and 0.945 at
   0.49. */
TEST(a_cantilever_of_two_cells_bends_as_it_should) {
    static const double ratios[] = {0.3, 0.49}, right[] = {0.98, 0.945};
    for (int i = 0; i < 2; i++) {
        double linear = bend(NEO_HOOKEAN, 2, ratios[i]), value = bend(QUADRATIC, 2, ratios[i]);
        printf("cantilever, nu = %g: %.4f of Timoshenko's, %.4f of linear tets, right is %.3f\n",
               ratios[i], value, linear, right[i]);
        check_case("nu = %g", ratios[i]);
        CHECK_REL(value, right[i], 0.05);
        CHECK(linear < 0.75 * right[i]);
    }
}

/* GJ beside 0.1406 G a^4, from the energy of a small twist with ends that stay plane. */
static double twist(int model, uint32_t cells, double poisson) {
    double h, angle = 0.02, shear = modulus / (2 * (1 + poisson));
    body b = make_beam(model, cells, poisson, 100, &h);
    sn_measure measure;
    for (uint32_t i = 0; i < b.mesh.vertex_count; i++) {
        sn_vec3 p = b.mesh.positions[i];
        double part = angle * ((double)p.x / length + 0.5), c = cos(part), s = sin(part);
        sn_vec3 to = {p.x, (sn_real)(c * (double)p.y - s * (double)p.z),
                      (sn_real)(s * (double)p.y + c * (double)p.z)};
        REQUIRE_OK(sn_node_set_position(b.world, b.nodes[i], to));
        if (is_at_end(&b, i)) REQUIRE_OK(sn_node_set_inverse_mass(b.world, b.nodes[i], 0));
    }
    body_run(&b, (int)ceil(0.2 / (50 * h)), 50 * h);
    REQUIRE_OK(sn_world_measure(b.world, &measure));
    body_free(&b);
    return 2 * measure.elastic_energy * length / (angle * angle) / (0.1406 * shear * pow(side, 4));
}

/* V59. Ends that stay plane make it 1 % stiffer. */
TEST(a_square_bar_of_two_cells_twists_as_it_should) {
    static const double ratios[] = {0.3, 0.49};
    for (int i = 0; i < 2; i++) {
        double linear = twist(NEO_HOOKEAN, 2, ratios[i]), value = twist(QUADRATIC, 2, ratios[i]);
        printf("torsion, nu = %g: %.4f of 0.1406 G a^4, %.4f of linear tets, right is 1.01\n",
               ratios[i], value, linear);
        check_case("nu = %g", ratios[i]);
        CHECK_REL(value, 1.01, 0.05);
        CHECK(linear > 1.3);
    }
}

static body make_cube(uint32_t cells, double damping) {
    sn_solid_material m = sn_solid_material_default();
    m.model = QUADRATIC;
    m.young = (sn_real)1e6;
    m.poisson = (sn_real)0.4;
    return body_make(still_world(20, damping), SN_KIND_SOLID, &m,
                     with_midpoints(block_mesh(1, 1, 1, cells, SN_BLOCK_FIVE)), NULL);
}

/* V32. */
TEST(rest_is_still) {
    body b = make_cube(2, 0);
    double most = 0;
    body_run(&b, 500, 1.0 / 60);
    for (size_t i = 0; i < b.mesh.vertex_count; i++) {
        double x[3];
        body_position(&b, i, x);
        most = fmax(most, fabs(x[0] - (double)b.mesh.positions[i].x));
        most = fmax(most, fabs(x[1] - (double)b.mesh.positions[i].y));
        most = fmax(most, fabs(x[2] - (double)b.mesh.positions[i].z));
    }
    CHECK_NEAR(most, 0, PICK(1e-13, 1e-6));
    body_free(&b);
}

static double distance(const body *b, uint32_t i, uint32_t j, bool now) {
    double p[3] = {(double)b->mesh.positions[i].x, (double)b->mesh.positions[i].y,
                   (double)b->mesh.positions[i].z};
    double q[3] = {(double)b->mesh.positions[j].x, (double)b->mesh.positions[j].y,
                   (double)b->mesh.positions[j].z};
    if (now) body_position(b, i, p);
    if (now) body_position(b, j, q);
    return sqrt((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) +
                (p[2] - q[2]) * (p[2] - q[2]));
}

/* V36: flattened, mirrored, or pressed nearly into a point. What was thrown together may end turned
   inside out as a whole, where each of the four points is deformed and none is inverted. */
TEST(what_was_destroyed_recovers) {
    static const char *const wrecks[] = {"flattened", "mirrored", "pressed"};
    for (int how = 0; how < 3; how++) {
        body b = make_cube(2, 5);
        double worst = 0;
        const sn_real small = (sn_real)1e-3;
        check_case("%s", wrecks[how]);
        for (size_t i = 0; i < b.mesh.vertex_count; i++) {
            sn_vec3 x = b.mesh.positions[i];
            if (how == 0) x.z = 0;
            if (how == 1) x.z = -x.z;
            if (how == 2) x = (sn_vec3){x.x * small, x.y * small, x.z * small};
            REQUIRE_OK(sn_node_set_position(b.world, b.nodes[i], x));
        }
        body_run(&b, 180, 1.0 / 60);
        for (size_t t = 0; t < b.mesh.tet_count; t++)
            for (int k = 0; k < 6; k++) {
                uint32_t i = b.mesh.tets[t][edge[k][0]], j = b.mesh.tets[t][edge[k][1]];
                worst = fmax(worst, fabs(distance(&b, i, j, true) - distance(&b, i, j, false)));
            }
        CHECK_NEAR(worst, 0, 2e-3);
        body_free(&b);
    }
}

static sn_result build_of(sn_world *world, const sn_solid_material *m, const sn_mesh *mesh,
                          sn_build_def *def, sn_node *nodes) {
    def->mesh = mesh;
    sn_build build;
    return sn_build_body(world, SN_KIND_SOLID, m, def, nodes, &build);
}

/* Meshes and materials that it cannot be made of are refused by name. */
TEST(what_has_no_midpoints_is_refused) {
    sn_mesh plain = block_mesh(1, 1, 1, 2, SN_BLOCK_FIVE), fine = sn_mesh_default();
    sn_solid_material m = sn_solid_material_default();
    sn_node nodes[500];
    sn_build_def def = sn_build_def_default();
    sn_world *world = still_world(1, 0);
    m.model = QUADRATIC;
    CHECK_FAILS(build_of(world, &m, &plain, &def, nodes), SN_ERROR_VALUE);
    CHECK(strstr(sn_last_error(), "sn_mesh_add_midpoints") != NULL);
    REQUIRE_OK(sn_mesh_add_midpoints(&plain, &fine));
    m.fracture_stress = 1e5;
    CHECK_FAILS(build_of(world, &m, &fine, &def, nodes), SN_ERROR_VALUE);
    CHECK(strstr(sn_last_error(), "does not fracture") != NULL);
    m.fracture_stress = SN_AUTO;
    uint32_t first = fine.tets[9][2];
    fine.tets[9][2] = fine.tets[9][0] == 0 ? 1 : 0;
    CHECK_FAILS(build_of(world, &m, &fine, &def, nodes), SN_ERROR_VALUE);
    CHECK(strstr(sn_last_error(), "tets 8 to 15") != NULL);
    fine.tets[9][2] = first;
    CHECK_OK(build_of(world, &m, &fine, &def, nodes));
    sn_world_destroy(world);
    sn_mesh_free(&plain);
    sn_mesh_free(&fine);
}

TESTS(RUN(rows_are_those_of_the_deformation_at_the_points),
      RUN(a_cantilever_of_two_cells_bends_as_it_should),
      RUN(a_square_bar_of_two_cells_twists_as_it_should), RUN(rest_is_still),
      RUN(what_was_destroyed_recovers), RUN(what_has_no_midpoints_is_refused))
