/* Bodies of tetrahedra of any model, and what all of them are asked: what tests of models share. */
#ifndef SINEW_TESTS_VALIDATION_TET_BODIES_H
#define SINEW_TESTS_VALIDATION_TET_BODIES_H

#include <sinew/sinew.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

#ifdef SN_DOUBLE
#define PICK(of_double, of_float) (of_double)
#else
#define PICK(of_double, of_float) (of_float)
#endif

typedef struct model {
    const char *name;
    sn_type type;
} model;

typedef struct material {
    double young, poisson, damping_time;
} material;

static inline sn_world *make_world(int substeps, int iterations, double damping) {
    sn_world_def def = sn_world_def_default();
    def.settings.gravity = (sn_vec3){0, 0, 0};
    def.settings.substeps = substeps;
    def.settings.iterations = iterations;
    def.settings.damping = (sn_real)damping;
    sn_world *world = NULL;
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

static inline void run(sn_world *world, int steps, double dt) {
    for (int i = 0; i < steps; i++) REQUIRE_OK(sn_world_step(world, (sn_real)dt));
}

static inline double random_number(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 4503599627370496.0 - 1.0;
}

static inline sn_vec3 position(const sn_world *world, sn_node node) {
    sn_node_def def = sn_node_def_default();
    REQUIRE_OK(sn_node_get(world, node, &def));
    return def.position;
}

static inline double apart(sn_vec3 a, sn_vec3 b) {
    double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y;
    double z = (double)a.z - (double)b.z;
    return sqrt(x * x + y * y + z * z);
}

static inline double determinant(double f[3][3]) {
    return f[0][0] * (f[1][1] * f[2][2] - f[1][2] * f[2][1]) -
           f[0][1] * (f[1][0] * f[2][2] - f[1][2] * f[2][0]) +
           f[0][2] * (f[1][0] * f[2][1] - f[1][1] * f[2][0]);
}

/* ---- Elements ---- */

/* Strain has no ratio, and half of Young's modulus against shear; what has three axes is half and a
   third as stiff along the other two. */
static inline sn_result add_tet(sn_world *world, sn_type type, const sn_node node[4], material of,
                                sn_constraint *made) {
    sn_neo_hookean_tet_def neo = sn_neo_hookean_tet_def_default();
    sn_corotated_tet_def corotated = sn_corotated_tet_def_default();
    sn_elastic_tet_def elastic = sn_elastic_tet_def_default();
    sn_strain_tet_def strain = sn_strain_tet_def_default();
    sn_orthotropic_tet_def axes = sn_orthotropic_tet_def_default();
    sn_real young = (sn_real)of.young, shear = (sn_real)(of.young / 2);
    memcpy(neo.node, node, sizeof neo.node);
    memcpy(corotated.node, node, sizeof corotated.node);
    memcpy(elastic.node, node, sizeof elastic.node);
    memcpy(strain.node, node, sizeof strain.node);
    memcpy(axes.node, node, sizeof axes.node);
    axes.young = (sn_vec3){young, young / 2, young / 3};
    axes.damping_time = (sn_real)of.damping_time;
    neo.young = corotated.young = elastic.young = young;
    neo.poisson = corotated.poisson = elastic.poisson = (sn_real)of.poisson;
    strain.stretch_stiffness = (sn_vec3){young, young, young};
    strain.shear_stiffness = (sn_vec3){shear, shear, shear};
    neo.damping_time = corotated.damping_time = elastic.damping_time = strain.damping_time =
        (sn_real)of.damping_time;
    const void *def = type == SN_TYPE_NEO_HOOKEAN_TET ? (const void *)&neo
                      : type == SN_TYPE_COROTATED_TET ? (const void *)&corotated
                      : type == SN_TYPE_ELASTIC_TET   ? (const void *)&elastic
                      : type == SN_TYPE_STRAIN_TET    ? (const void *)&strain
                                                      : &axes;
    return sn_constraint_create(world, type, def, made);
}

static inline double tet_volume(const sn_vec3 *x, const uint32_t v[4]) {
    double e[3][3];
    for (int k = 0; k < 3; k++) {
        e[0][k] = (double)x[v[k + 1]].x - (double)x[v[0]].x;
        e[1][k] = (double)x[v[k + 1]].y - (double)x[v[0]].y;
        e[2][k] = (double)x[v[k + 1]].z - (double)x[v[0]].z;
    }
    return determinant(e) / 6;
}

/* ---- Meshes ---- */

/* A cube of 1 m with vertices that are moved by up to a part of the spacing. */
static inline sn_mesh make_block(uint32_t cells, double uneven) {
    sn_mesh mesh = sn_mesh_default();
    sn_block_def def = sn_block_def_default();
    uint64_t random = 3;
    for (int k = 0; k < 3; k++) def.cells[k] = cells;
    REQUIRE_OK(sn_generate_block(&mesh, &def));
    double most = uneven / cells;
    for (size_t i = 0; i < mesh.vertex_count; i++) {
        mesh.positions[i].x += (sn_real)(most * random_number(&random));
        mesh.positions[i].y += (sn_real)(most * random_number(&random));
        mesh.positions[i].z += (sn_real)(most * random_number(&random));
    }
    return mesh;
}

/* About a thousand tetrahedra in a ball of radius 1 m. */
static inline sn_mesh make_ball(void) {
    sn_mesh surface = sn_mesh_default(), ball = sn_mesh_default();
    sn_sphere_def sphere = sn_sphere_def_default();
    sn_fill_def fill = sn_fill_def_default();
    sphere.radius = 1;
    fill.spacing = (sn_real)0.42;
    REQUIRE_OK(sn_generate_sphere(&surface, &sphere));
    REQUIRE_OK(sn_mesh_fill(&surface, &fill, &ball));
    sn_mesh_free(&surface);
    return ball;
}

/* ---- Bodies ---- */

typedef struct body {
    sn_world *world;
    sn_mesh mesh; /* at rest */
    sn_body body;
    sn_node *node;
    sn_constraint *tet;
} body;

/* Takes the mesh over. 1000 kg/m^3. */
static inline body make_body(const model *m, sn_mesh mesh, material of, sn_world *world) {
    body b = {.world = world,
              .mesh = mesh,
              .node = calloc(mesh.vertex_count, sizeof *b.node),
              .tet = calloc(mesh.tet_count, sizeof *b.tet)};
    double *mass = calloc(mesh.vertex_count, sizeof *mass);
    sn_body_def body_def = sn_body_def_default();
    if (!b.node || !b.tet || !mass) abort();
    REQUIRE_OK(sn_body_create(world, &body_def, &b.body));
    for (size_t t = 0; t < mesh.tet_count; t++)
        for (int k = 0; k < 4; k++)
            mass[mesh.tets[t][k]] += 250 * tet_volume(mesh.positions, mesh.tets[t]);
    for (size_t i = 0; i < mesh.vertex_count; i++) {
        sn_node_def node = sn_node_def_default();
        node.body = b.body;
        node.position = mesh.positions[i];
        node.inverse_mass = (sn_real)(1 / mass[i]);
        REQUIRE_OK(sn_node_create(world, &node, &b.node[i]));
    }
    for (size_t t = 0; t < mesh.tet_count; t++) {
        sn_node node[4];
        for (int k = 0; k < 4; k++) node[k] = b.node[mesh.tets[t][k]];
        REQUIRE_OK(add_tet(world, m->type, node, of, &b.tet[t]));
    }
    free(mass);
    return b;
}

static inline void free_body(body *b) {
    sn_world_destroy(b->world);
    sn_mesh_free(&b->mesh);
    free(b->node);
    free(b->tet);
}

/* Where the vertices are now. */
static inline sn_vec3 *places(const body *b) {
    sn_vec3 *x = calloc(b->mesh.vertex_count, sizeof *x);
    if (!x) abort();
    for (size_t i = 0; i < b->mesh.vertex_count; i++) x[i] = position(b->world, b->node[i]);
    return x;
}

/* m, how far the vertices are from where they were at rest, at most. */
static inline double moved_by(const body *b) {
    double most = 0;
    for (size_t k = 0; k < b->mesh.vertex_count; k++)
        most = fmax(most, apart(position(b->world, b->node[k]), b->mesh.positions[k]));
    return most;
}

static inline bool is_outside(const body *b, size_t vertex) {
    for (size_t t = 0; t < b->mesh.triangle_count; t++)
        for (int k = 0; k < 3; k++)
            if (b->mesh.triangles[t][k] == vertex) return true;
    return false;
}

/* V33: the surface of an uneven cube of 1 m, of four cells each way, is displaced by a strain of 1
   % that is the same everywhere. m, how far what is inside is from that after so many steps, at
   most. */
static inline double patch_error(const model *m, material of, sn_world *world, int steps,
                                 double dt) {
    static const double strain[3][3] = {
        {0.01, 0.004, -0.003}, {0.002, -0.006, 0.005}, {0.001, -0.002, 0.008}};
    body b = make_body(m, make_block(4, 0.2), of, world);
    sn_vec3 *goal = calloc(b.mesh.vertex_count, sizeof *goal);
    double most = 0;
    if (!goal) abort();
    for (size_t i = 0; i < b.mesh.vertex_count; i++) {
        double x[3] = {(double)b.mesh.positions[i].x, (double)b.mesh.positions[i].y,
                       (double)b.mesh.positions[i].z},
               y[3];
        for (int k = 0; k < 3; k++)
            y[k] = x[k] + strain[k][0] * x[0] + strain[k][1] * x[1] + strain[k][2] * x[2];
        goal[i] = (sn_vec3){(sn_real)y[0], (sn_real)y[1], (sn_real)y[2]};
        if (!is_outside(&b, i)) continue;
        REQUIRE_OK(sn_node_set_inverse_mass(b.world, b.node[i], 0));
        REQUIRE_OK(sn_node_set_position(b.world, b.node[i], goal[i]));
    }
    run(b.world, steps, dt);
    for (size_t i = 0; i < b.mesh.vertex_count; i++)
        most = fmax(most, apart(position(b.world, b.node[i]), goal[i]));
    free(goal);
    free_body(&b);
    return most;
}

/* V36: a ball that was flattened, thrown together, mirrored or pressed into a point is a ball again
   after two seconds. */
typedef enum wreck { FLATTENED, THROWN_TOGETHER, MIRRORED, POINT, WRECKS } wreck;
static const char *const wrecks[WRECKS] = {"flattened", "thrown together", "mirrored",
                                           "pressed into a point"};

static inline void wreck_body(const body *b, wreck how) {
    uint64_t random = 11;
    for (size_t i = 0; i < b->mesh.vertex_count; i++) {
        sn_vec3 x = b->mesh.positions[i];
        if (how == FLATTENED) x.z = 0;
        if (how == MIRRORED) x.z = -x.z;
        if (how == THROWN_TOGETHER)
            x = (sn_vec3){(sn_real)random_number(&random), (sn_real)random_number(&random),
                          (sn_real)random_number(&random)};
        if (how == POINT) x = (sn_vec3){(sn_real)0.1, (sn_real)0.2, (sn_real)0.3};
        REQUIRE_OK(sn_node_set_position(b->world, b->node[i], x));
    }
}

static inline void check_recovery(const model *m, material of, wreck how) {
    static const int edge[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {2, 3}, {3, 1}};
    body b = make_body(m, make_ball(), of, make_world(20, 2, 5));
    CHECK(b.mesh.tet_count > 900 && b.mesh.tet_count < 2000);
    wreck_body(&b, how);
    run(b.world, 120, 1.0 / 60);
    sn_vec3 *x = places(&b);
    double least = INFINITY, worst = 0;
    for (size_t t = 0; t < b.mesh.tet_count; t++) {
        const uint32_t *v = b.mesh.tets[t];
        least = fmin(least, tet_volume(x, v) / tet_volume(b.mesh.positions, v));
        for (int k = 0; k < 6; k++) {
            uint32_t p = v[edge[k][0]], q = v[edge[k][1]];
            double was = apart(b.mesh.positions[p], b.mesh.positions[q]);
            worst = fmax(worst, fabs(apart(x[p], x[q]) - was));
        }
    }
    CHECK(least > 0);
    CHECK_NEAR(worst, 0, 2e-3);
    free(x);
    free_body(&b);
}

#endif
