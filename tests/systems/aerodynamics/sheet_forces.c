/*
 * What air does to sheets: terminal fall, direction and size of the force, that it takes energy and
 * never turns a motion round, and the lift of what is closed.
 */
#include <math.h>
#include <stdlib.h>

#include "bodies/meshed_body.h"

static const double DENSITY = 1.2, G = 9.81;

static sn_settings airy(double gravity, int substeps) {
    sn_settings s = sn_settings_default();
    s.gravity = (sn_vec3){0, (sn_real)-gravity, 0};
    s.substeps = substeps;
    s.air_density = (sn_real)DENSITY;
    return s;
}

static sn_world *world_of(sn_settings settings) {
    sn_world *world;
    sn_world_def def = sn_world_def_default();
    def.settings = settings;
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

/* A square cloth of side^2 = 0.1 m^2, turned about z. */
static body square(sn_settings settings, double area_density, double turn, double drag,
                   double lift) {
    sn_cloth_material cloth = sn_cloth_material_default();
    sn_build_def def = sn_build_def_default();
    cloth.area_density = (sn_real)area_density;
    cloth.bending_stiffness = 10;
    cloth.drag = (sn_real)drag;
    cloth.lift = (sn_real)lift;
    def.rotation = (sn_quat){0, 0, (sn_real)sin(turn / 2), (sn_real)cos(turn / 2)};
    sn_mesh mesh = grid_mesh(sqrt(0.1), sqrt(0.1), 4, 4, SN_GRID_ALTERNATING);
    return body_make(world_of(settings), SN_KIND_CLOTH, &cloth, mesh, &def);
}

static void momentum_of(const sn_world *world, double p[3]) {
    sn_measure m;
    REQUIRE_OK(sn_world_measure(world, &m));
    for (int k = 0; k < 3; k++) p[k] = m.momentum[k];
}

/* ---- Falling ---- */

TEST(terminal_fall) {
    const double expected = sqrt(2 * 1 * G / (DENSITY * 1 * 0.1));
    body b = square(airy(G, 20), 10, 0, 1, (double)SN_AUTO);
    double p[3], t = 1;
    CHECK_NEAR(expected, 12.787, 1e-3);
    CHECK_REL(b.build.mass, 1, 1e-5);
    body_run(&b, 60, 1.0 / 60);
    momentum_of(b.world, p);
    CHECK_REL(-p[1], expected * tanh(G * t / expected), 1e-3);
    body_run(&b, 540, 1.0 / 60);
    momentum_of(b.world, p);
    CHECK_REL(-p[1], expected, 1e-3);
    /* Rounding alone takes it aside. */
    CHECK_NEAR(p[0], 0, 2e-4 * expected);
    CHECK_NEAR(p[2], 0, 2e-4 * expected);
    body_free(&b);
}

/* ---- The force ---- */

/* 1/2 rho A w^2 c ((C_D - C_L) c e + C_L n) for a wind w e and the normal n, with c = e . n. */
static void expected_force(double density, double w, double turn, double drag, double lift,
                           double force[3]) {
    double n[3] = {-sin(turn), cos(turn), 0}, c = n[0], k = density / 2 * 0.1 * w * w * c;
    for (int a = 0; a < 3; a++) force[a] = k * ((drag - lift) * c * (a == 0) + lift * n[a]);
}

TEST(force_of_wind) {
    static const double cases[][3] = {{1.2, 1.2, 0.7}, {1.2, 0, 0.7},   {1.2, 0.5, 0.7},
                                      {0.8, 0.8, 2.5}, {1, 0.25, -0.4}, {1, 1, 1.5707963}};
    for (int i = 0; i < 6; i++) {
        const double *k = cases[i], w = 10, dt = 0.01;
        check_case("drag %g, lift %g, turned by %g", k[0], k[1], k[2]);
        sn_settings settings = airy(0, 4);
        settings.wind = (sn_vec3){(sn_real)w, 0, 0};
        settings.air_density *= (sn_real)(i % 2 ? 0.25 : 1);
        body b = square(settings, 1000, k[2], k[0], k[1]);
        double p[3], force[3], density = (double)settings.air_density;
        body_run(&b, 1, dt);
        momentum_of(b.world, p);
        expected_force(density, w, k[2], k[0], k[1], force);
        double size = sqrt(force[0] * force[0] + force[1] * force[1]);
        for (int a = 0; a < 3; a++) CHECK_NEAR(p[a], force[a] * dt, 1e-3 * size * dt);
        body_free(&b);
    }
}

/* A cloth that comes towards still air feels what one at rest feels in wind. */
TEST(only_relative_motion_counts) {
    sn_settings settings = airy(0, 4);
    settings.wind = (sn_vec3){3, -2, 1};
    body b = square(settings, 0.1, 0.5, 1, (double)SN_AUTO);
    for (size_t i = 0; i < b.mesh.vertex_count; i++)
        REQUIRE_OK(sn_node_set_velocity(b.world, b.nodes[i], settings.wind));
    double before[3], after[3];
    momentum_of(b.world, before);
    body_run(&b, 10, 0.01);
    momentum_of(b.world, after);
    for (int a = 0; a < 3; a++) CHECK_NEAR(after[a], before[a], 1e-6);
    body_free(&b);
}

TEST(a_vacuum_has_no_wind) {
    sn_settings still = airy(G, 4), windy;
    still.air_density = 0;
    windy = still;
    windy.wind = (sn_vec3){30, 0, 0};
    windy.gust_strength = 10;
    body a = square(still, 0.1, 0.5, 1, 1), b = square(windy, 0.1, 0.5, 1, 1);
    body_run(&a, 5, 0.01);
    body_run(&b, 5, 0.01);
    CHECK(sn_world_hash(a.world) == sn_world_hash(b.world));
    body_free(&a);
    body_free(&b);
}

/* ---- Limits ---- */

/* Numbers from -1 to 1. */
static double any(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / (double)(1 << 23) - 1;
}

static double energy_in_wind(const sn_world *world, const sn_node *nodes, size_t count, double w) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sn_node_def def;
        REQUIRE_OK(sn_node_get(world, nodes[i], &def));
        double v[3] = {(double)def.velocity.x - w, (double)def.velocity.y, (double)def.velocity.z};
        sum += (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / (2 * (double)def.inverse_mass);
    }
    return sum;
}

/* Nodes of any masses and velocities with nothing between them: energy relative to the air never
   grows, however long the substep. */
TEST(air_takes_energy) {
    for (int kind = 0; kind < 3; kind++) {
        enum { SIDE = 7, NODES = SIDE * SIDE };
        const double w = 100;
        uint32_t state = 7u + (uint32_t)kind;
        sn_settings settings = airy(0, 1);
        settings.wind = (sn_vec3){(sn_real)w, 0, 0};
        sn_world *world = world_of(settings);
        sn_mesh mesh = grid_mesh(1, 1, SIDE - 1, SIDE - 1, SN_GRID_ALTERNATING);
        sn_node nodes[NODES];
        sn_sheet_def sheet = sn_sheet_def_default();
        sn_sheet made;
        check_case("kind %d", kind);
        for (size_t i = 0; i < NODES; i++) {
            sn_node_def def = sn_node_def_default();
            sn_vec3 at = mesh.positions[i];
            def.position = (sn_vec3){at.x + (sn_real)(0.05 * any(&state)),
                                     at.y + (sn_real)(0.05 * any(&state)), at.z};
            def.velocity = (sn_vec3){(sn_real)(50 * any(&state)), (sn_real)(50 * any(&state)),
                                     (sn_real)(50 * any(&state))};
            def.inverse_mass = (sn_real)pow(10, 4 + 2 * any(&state));
            REQUIRE_OK(sn_node_create(world, &def, &nodes[i]));
        }
        sheet.nodes = nodes;
        sheet.node_count = NODES;
        sheet.triangles = *mesh.triangles;
        sheet.triangle_count = mesh.triangle_count;
        sheet.drag = (sn_real)1.5;
        sheet.lift = kind == 0 ? SN_AUTO : kind == 1 ? 0 : (sn_real)0.5;
        REQUIRE_OK(sn_sheet_create(world, &sheet, &made));
        double before = energy_in_wind(world, nodes, NODES, w), first = before;
        for (int i = 0; i < 20; i++) {
            REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
            double after = energy_in_wind(world, nodes, NODES, w);
            CHECK(after <= before * (1 + 1e-6));
            before = after;
        }
        CHECK(before < 0.99 * first);
        sn_world_destroy(world);
        sn_mesh_free(&mesh);
    }
}

/* 1 g/m^2 in a gale of 100 m/s: nothing is blown faster than the wind. */
TEST(no_impulse_turns_a_motion_round) {
    sn_settings settings = airy(0, 1);
    settings.wind = (sn_vec3){0, 100, 0};
    body b = square(settings, 0.001, 0, 1, (double)SN_AUTO);
    for (int i = 0; i < 30; i++) {
        body_run(&b, 1, 1.0 / 60);
        for (size_t k = 0; k < b.mesh.vertex_count; k++) {
            sn_node_def def;
            REQUIRE_OK(sn_node_get(b.world, b.nodes[k], &def));
            CHECK((double)def.velocity.y >= 0 && (double)def.velocity.y < 100.01);
        }
    }
    double p[3];
    momentum_of(b.world, p);
    CHECK_REL(p[1], 100 * b.build.mass, 1e-3);
    body_free(&b);
}

TEST(pins_and_flat_triangles_are_harmless) {
    sn_settings settings = airy(G, 4);
    settings.wind = (sn_vec3){5, 0, 0};
    sn_world *world = world_of(settings);
    sn_node nodes[4];
    static const uint32_t triangles[] = {0, 1, 2, 0, 2, 3};
    for (int i = 0; i < 4; i++) {
        sn_node_def def = sn_node_def_default();
        def.position = (sn_vec3){(sn_real)i, 0, 0};
        def.inverse_mass = (sn_real)(i < 3 ? 0 : 1);
        REQUIRE_OK(sn_node_create(world, &def, &nodes[i]));
    }
    sn_sheet_def def = sn_sheet_def_default();
    sn_sheet sheet;
    def.nodes = nodes;
    def.node_count = 4;
    def.triangles = triangles;
    def.triangle_count = 2;
    REQUIRE_OK(sn_sheet_create(world, &def, &sheet));
    for (int i = 0; i < 10; i++) REQUIRE_OK(sn_world_step(world, (sn_real)0.01));
    sn_node_def last;
    REQUIRE_OK(sn_node_get(world, nodes[3], &last));
    CHECK(isfinite((double)last.position.y) && (double)last.position.y < 0);
    CHECK_OK(sn_node_destroy(world, nodes[2]));
    CHECK_OK(sn_world_step(world, (sn_real)0.01));
    sn_world_destroy(world);
}

/* ---- Buoyancy ---- */

enum { MOST_NODES = 400 };

static double volume_of(const sn_mesh *mesh) {
    double six = 0;
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        sn_vec3 p[3];
        for (int c = 0; c < 3; c++) p[c] = mesh->positions[mesh->triangles[i][c]];
        double a[3] = {(double)p[0].x, (double)p[0].y, (double)p[0].z};
        double b[3] = {(double)p[1].x, (double)p[1].y, (double)p[1].z};
        double c[3] = {(double)p[2].x, (double)p[2].y, (double)p[2].z};
        six += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
               a[2] * (b[0] * c[1] - b[1] * c[0]);
    }
    return six / 6;
}

/* Balloons inside out are lifted as well; so are those far from the origin, and they are not blown
   up by being there. */
TEST(lift_is_the_weight_of_the_air) {
    double first[MOST_NODES];
    for (int kind = 0; kind < 3; kind++) {
        sn_mesh mesh = sphere_mesh(0.5, 2);
        double volume = volume_of(&mesh), dt = 0.01, p[3];
        check_case("kind %d", kind);
        for (size_t i = 0; kind == 1 && i < mesh.triangle_count; i++) {
            uint32_t corner = mesh.triangles[i][1];
            mesh.triangles[i][1] = mesh.triangles[i][2];
            mesh.triangles[i][2] = corner;
        }
        sn_cloth_material cloth = sn_cloth_material_default();
        sn_build_def def = sn_build_def_default();
        if (kind == 2) def.position = (sn_vec3){0, 1000, 0};
        cloth.area_density = 100;
        cloth.drag = 0;
        cloth.buoyant = 1;
        body b = body_make(world_of(airy(G, 4)), SN_KIND_CLOTH, &cloth, mesh, &def);
        body_run(&b, 1, dt);
        momentum_of(b.world, p);
        double lift = p[1] / dt + b.build.mass * G;
        CHECK_NEAR(lift, DENSITY * volume * G,
                   1e-3 * DENSITY * volume * G + 4e-6 * b.build.mass * G);
        CHECK_NEAR(p[0], 0, 1e-3 * DENSITY * volume * G * dt);
        CHECK_NEAR(p[2], 0, 1e-3 * DENSITY * volume * G * dt);
        REQUIRE_OK(b.mesh.vertex_count <= MOST_NODES ? SN_OK : SN_ERROR_LIMIT);
        for (size_t i = 0; i < b.mesh.vertex_count; i++) {
            sn_node_def node = sn_node_def_default();
            REQUIRE_OK(sn_node_get(b.world, b.nodes[i], &node));
            if (kind == 0) first[i] = (double)node.velocity.x;
            CHECK_NEAR(node.velocity.x, first[i], 2e-3);
        }
        body_free(&b);
    }
}

/* Lift 6.1 N, weight 1.5 N: it rises, up to the speed at which drag is the rest. */
TEST(a_balloon_rises_until_it_is_open) {
    sn_cloth_material cloth = sn_cloth_material_default();
    sn_build_def def = sn_build_def_default();
    cloth.area_density = (sn_real)0.05;
    cloth.pressure = 1;
    cloth.buoyant = 1;
    body b = body_make(world_of(airy(G, 10)), SN_KIND_CLOTH, &cloth, sphere_mesh(0.5, 2), &def);
    double p[3], later[3];
    body_run(&b, 120, 1.0 / 60);
    momentum_of(b.world, p);
    body_run(&b, 60, 1.0 / 60);
    momentum_of(b.world, later);
    CHECK(p[1] > 1.5 * b.build.mass && p[1] < 6 * b.build.mass);
    CHECK_REL(later[1], p[1], 0.05);
    /* A hole, and it is a sheet like any other. */
    REQUIRE_OK(sn_node_destroy(b.world, b.nodes[0]));
    body_run(&b, 120, 1.0 / 60);
    momentum_of(b.world, p);
    CHECK(p[1] < 0);
    body_free(&b);
}

TEST(only_closed_sheets_are_buoyant) {
    sn_cloth_material cloth = sn_cloth_material_default();
    sn_build_def def = sn_build_def_default();
    sn_mesh mesh = grid_mesh(1, 1, 2, 2, SN_GRID_SAME);
    sn_world *world = world_of(airy(G, 4));
    sn_build build;
    def.mesh = &mesh;
    cloth.buoyant = 1;
    CHECK_FAILS(sn_build_body(world, SN_KIND_CLOTH, &cloth, &def, NULL, &build),
                SN_ERROR_DEGENERATE);
    cloth.buoyant = 0;
    cloth.lift = 2;
    CHECK_FAILS(sn_build_body(world, SN_KIND_CLOTH, &cloth, &def, NULL, &build), SN_ERROR_VALUE);
    cloth.lift = SN_AUTO;
    REQUIRE_OK(sn_build_body(world, SN_KIND_CLOTH, &cloth, &def, NULL, &build));
    sn_sheet_def sheet;
    REQUIRE_OK(sn_sheet_get(world, build.sheet, &sheet));
    sheet.buoyant = true;
    CHECK_FAILS(sn_sheet_set(world, build.sheet, &sheet), SN_ERROR_DEGENERATE);
    sn_world_destroy(world);
    sn_mesh_free(&mesh);
}

TESTS(RUN(terminal_fall), RUN(force_of_wind), RUN(only_relative_motion_counts),
      RUN(a_vacuum_has_no_wind), RUN(air_takes_energy), RUN(no_impulse_turns_a_motion_round),
      RUN(pins_and_flat_triangles_are_harmless), RUN(lift_is_the_weight_of_the_air),
      RUN(a_balloon_rises_until_it_is_open), RUN(only_closed_sheets_are_buoyant))
