/*
 * The volume inside closed meshes: what it is, also far from the origin, that it is kept (V37), how
 * it gives way by its compliance, and the pressure of a balloon.
 */
#include "mesh.h"

#include <math.h>
#include <stdlib.h>

/* A closed mesh in a world, with a volume constraint. */
typedef struct body {
    sn_world *world;
    mesh surface;
    sn_node *node;
    sn_constraint volume;
} body;

static sn_settings weightless(sn_solver solver) {
    sn_settings settings = plain_settings(solver);
    settings.gravity = vector(0, 0, 0);
    return settings;
}

static sn_surface_volume_def volume_def(const body *b) {
    sn_surface_volume_def def = sn_surface_volume_def_default();
    def.nodes = b->node;
    def.node_count = b->surface.vertices;
    def.triangles = b->surface.triangle[0];
    def.triangle_count = b->surface.triangles;
    return def;
}

/* Takes the mesh over and adds its nodes, 0.01 kg each, but no constraint. */
static body make_body(sn_settings settings, mesh surface) {
    body b = {.world = make_world(settings), .surface = surface};
    b.node = calloc(surface.vertices, sizeof *b.node);
    if (!b.node) abort();
    mesh_add_nodes(b.world, &surface, 0.01, b.node);
    return b;
}

static void free_body(body *b) {
    sn_world_destroy(b->world);
    mesh_free(&b->surface);
    free(b->node);
}

static void add_volume(body *b, const sn_surface_volume_def *def) {
    REQUIRE_OK(sn_constraint_create(b->world, SN_TYPE_SURFACE_VOLUME, def, &b->volume));
}

/* C of the constraint. */
static double value_of(const body *b) {
    sn_real value[SN_MAX_ROWS];
    REQUIRE_OK(sn_constraint_evaluate(b->world, b->volume, value, NULL));
    return (double)value[0];
}

/* The volume from where the nodes are, in double. */
static double volume_of(body *b) {
    mesh_read(&b->surface, b->world, b->node);
    return mesh_volume(&b->surface);
}

static double rest_of(const body *b) {
    sn_real rest[3];
    REQUIRE_OK(sn_constraint_get_field(b->world, b->volume, "rest_volume", rest));
    return (double)rest[0];
}

typedef enum shape { CUBE, SPHERE, TORUS, SHAPES } shape;

static const char *const shape_names[SHAPES] = {"cube", "sphere", "torus"};

static mesh make_shape(shape kind) {
    if (kind == CUBE) return mesh_cube(3);
    return kind == SPHERE ? mesh_sphere(2) : mesh_torus(0.7, 0.3, 24, 12);
}

/* ---- What it is ---- */

/* grad_i V, in double, from where the nodes are. */
static void reference_gradient(const mesh *m, vec *gradient) {
    for (size_t i = 0; i < m->vertices; i++) gradient[i] = (vec){0, 0, 0};
    for (size_t t = 0; t < m->triangles; t++) {
        for (int k = 0; k < 3; k++) {
            vec a = sub(m->x[m->triangle[t][(k + 1) % 3]], m->x[0]);
            vec b = sub(m->x[m->triangle[t][(k + 2) % 3]], m->x[0]);
            vec *g = &gradient[m->triangle[t][k]];
            g->x += (a.y * b.z - a.z * b.y) / 6;
            g->y += (a.z * b.x - a.x * b.z) / 6;
            g->z += (a.x * b.y - a.y * b.x) / 6;
        }
    }
}

/* At 10 km float has a grid of a millimetre, which is in the positions themselves. What is made of
   them is as good as anywhere. */
TEST(volume_and_gradient_near_and_far) {
    static const double distances[] = {0, 100, 10000};
    for (int i = 0; i < 3 * SHAPES; i++) {
        double far = distances[i / SHAPES];
        check_case("%s at %g m", shape_names[i % SHAPES], far);
        mesh surface = make_shape((shape)(i % SHAPES));
        double exact = mesh_volume(&surface);
        mesh_place(&surface, 1, (vec){far, -far, 0.7 * far});
        body b = make_body(weightless(SN_SOLVER_COLOURED), surface);
        sn_surface_volume_def def = volume_def(&b);
        def.rest_volume = 0;
        add_volume(&b, &def);

        double volume = volume_of(&b);
        CHECK_REL(value_of(&b), volume, TOL(1e-13, 1e-6));
        CHECK_REL(volume, exact, TOL(1e-9, far > 1000 ? 3e-3 : 1e-4));
        sn_real automatic[3] = {SN_AUTO};
        CHECK_OK(sn_constraint_set_field(b.world, b.volume, "rest_volume", automatic));
        CHECK_REL(rest_of(&b), volume, TOL(1e-13, 1e-6));

        size_t n = b.surface.vertices;
        sn_vec3 *gradient = calloc(n, sizeof *gradient);
        vec *expected = calloc(n, sizeof *expected);
        if (!gradient || !expected) abort();
        sn_real value[SN_MAX_ROWS];
        CHECK_OK(sn_constraint_evaluate(b.world, b.volume, value, gradient));
        reference_gradient(&b.surface, expected);
        vec sum = {0, 0, 0};
        double largest = 0;
        for (size_t k = 0; k < n; k++) largest = fmax(largest, length(expected[k]));
        for (size_t k = 0; k < n; k++) {
            vec g = {(double)gradient[k].x, (double)gradient[k].y, (double)gradient[k].z};
            sum = (vec){sum.x + g.x, sum.y + g.y, sum.z + g.z};
            CHECK_NEAR(length(sub(g, expected[k])) / largest, 0, TOL(1e-13, 2e-6));
        }
        CHECK_NEAR(length(sum) / largest, 0, TOL(1e-12, 2e-5));
        free(gradient);
        free(expected);
        free_body(&b);
    }
}

TEST(volumes_of_known_bodies) {
    body b = make_body(weightless(SN_SOLVER_COLOURED), mesh_cube(4));
    sn_surface_volume_def def = volume_def(&b);
    add_volume(&b, &def);
    CHECK_NEAR(rest_of(&b), 1, TOL(1e-15, 1e-6));
    CHECK(value_of(&b) == 0 || fabs(value_of(&b)) < 1e-7);
    free_body(&b);

    b = make_body(weightless(SN_SOLVER_COLOURED), mesh_sphere(4));
    def = volume_def(&b);
    add_volume(&b, &def);
    CHECK_REL(rest_of(&b), 4 * PI / 3, 0.005);
    free_body(&b);

    b = make_body(weightless(SN_SOLVER_COLOURED), mesh_torus(0.7, 0.3, 96, 48));
    def = volume_def(&b);
    add_volume(&b, &def);
    CHECK_REL(rest_of(&b), 2 * PI * PI * 0.7 * 0.3 * 0.3, 0.005);
    free_body(&b);
}

/* Inside out it is negative, and kept as well; two bodies in one list count together. */
TEST(volumes_have_a_sign_and_add_up) {
    mesh surface = mesh_cube(2);
    for (size_t t = 0; t < surface.triangles; t++) {
        uint32_t a = surface.triangle[t][1];
        surface.triangle[t][1] = surface.triangle[t][2];
        surface.triangle[t][2] = a;
    }
    body b = make_body(weightless(SN_SOLVER_COLOURED), surface);
    sn_surface_volume_def def = volume_def(&b);
    add_volume(&b, &def);
    CHECK_NEAR(rest_of(&b), -1, TOL(1e-15, 1e-6));
    sn_real pressure[3] = {(sn_real)1.5};
    CHECK_OK(sn_constraint_set_field(b.world, b.volume, "pressure", pressure));
    advance(b.world, 1.0 / 60, 1);
    CHECK(volume_of(&b) < -1.3);
    free_body(&b);

    mesh one = mesh_cube(1);
    vec x[16];
    uint32_t corner[72];
    for (size_t i = 0; i < 8; i++) {
        x[i] = one.x[i];
        x[i + 8] = (vec){0.5 * one.x[i].x + 3, 0.5 * one.x[i].y, 0.5 * one.x[i].z};
    }
    for (size_t i = 0; i < 36; i++) {
        corner[i] = one.triangle[i / 3][i % 3];
        corner[i + 36] = corner[i] + 8;
    }
    mesh_free(&one);
    b = make_body(weightless(SN_SOLVER_COLOURED), mesh_of(x, 16, corner, 24));
    def = volume_def(&b);
    add_volume(&b, &def);
    CHECK_NEAR(rest_of(&b), 1.125, TOL(1e-15, 1e-6));
    free_body(&b);
}

/* ---- V37: it is kept ---- */

/* A collision surface of soft edges falls, spins, and is squeezed between two opposite nodes that
   are led. */
TEST(volume_is_kept) {
    FOR_BOTH_SOLVERS(solver) {
        for (int squeezed = 0; squeezed < 2; squeezed++) {
            check_case("%s, %s", solver_name(solver), squeezed ? "squeezed" : "falling");
            sn_settings settings = plain_settings(solver);
            settings.substeps = 10;
            body b = make_body(settings, mesh_sphere(2));
            mesh_add_links(b.world, &b.surface, b.node, 1e-3, NULL);
            sn_surface_volume_def def = volume_def(&b);
            add_volume(&b, &def);
            double rest = volume_of(&b), worst = 0;
            for (size_t i = 0; i < b.surface.vertices; i++) {
                vec x = b.surface.x[i];
                CHECK_OK(sn_node_set_velocity(b.world, b.node[i], vector(-5 * x.y, 5 * x.x, 0)));
            }
            /* Vertices 0 and 3 of an icosahedron are opposite. */
            for (int k = 0; squeezed && k < 2; k++)
                CHECK_OK(sn_node_set_inverse_mass(b.world, b.node[3 * k], 0));
            vec pole[2] = {b.surface.x[0], b.surface.x[3]};
            for (int step = 0; step < 60; step++) {
                double closed = 1 - 0.6 * (step + 1) / 60;
                for (int k = 0; squeezed && k < 2; k++)
                    CHECK_OK(sn_node_set_target(
                        b.world, b.node[3 * k],
                        vector(closed * pole[k].x, closed * pole[k].y, closed * pole[k].z)));
                advance(b.world, 1.0 / 600, 10);
                worst = fmax(worst, fabs(volume_of(&b) / rest - 1));
            }
            CHECK_NEAR(worst, 0, 1e-3);
            CHECK(position_of(b.world, b.node[1]).y < 0 || squeezed);
            free_body(&b);
        }
    }
}

TEST(pressure_inflates) {
    static const double factors[] = {2, 1.1, 0.5, 4};
    for (int i = 0; i < 4; i++) {
        for (int kind = 0; kind < SHAPES; kind++) {
            check_case("%s, factor %g", shape_names[kind], factors[i]);
            sn_settings settings = weightless(SN_SOLVER_COLOURED);
            settings.iterations = 30;
            body b = make_body(settings, make_shape((shape)kind));
            sn_surface_volume_def def = volume_def(&b);
            add_volume(&b, &def);
            double rest = volume_of(&b);
            sn_real pressure[3] = {(sn_real)factors[i]};
            CHECK_OK(sn_constraint_set_field(b.world, b.volume, "pressure", pressure));
            CHECK_REL(value_of(&b), rest * (1 - factors[i]), TOL(1e-12, 1e-5));
            advance(b.world, 1.0 / 60, 1);
            CHECK_REL(volume_of(&b), factors[i] * rest, TOL(1e-10, 1e-5));
            free_body(&b);
        }
    }
}

/* ---- A balloon ---- */

/* The tension in N/m of a collision surface of edges: the mean of its two principal stresses, which
   is sum f l / 2 over the area. */
static double tension_of(const body *b, const sn_constraint *link) {
    double sum = 0;
    for (size_t i = 0; i < b->surface.edges; i++) {
        vec a = b->surface.x[b->surface.edge[i][0]], c = b->surface.x[b->surface.edge[i][1]];
        sum -= force_of(b->world, link[i]) * length(sub(c, a));
    }
    return sum / (2 * mesh_area(&b->surface));
}

/* V37. An elastic collision surface is blown up to twice its volume; the overpressure is 2 T /
   R. */
TEST(balloon_has_the_pressure_of_its_tension) {
    for (int soft = 0; soft < 2; soft++) {
        check_case("%s", soft ? "compressible" : "incompressible");
        sn_settings settings = weightless(SN_SOLVER_COLOURED);
        settings.substeps = 10;
        settings.damping = 10;
        body b = make_body(settings, mesh_sphere(3));
        sn_constraint *link = calloc(b.surface.edges, sizeof *link);
        if (!link) abort();
        mesh_add_links(b.world, &b.surface, b.node, 1e-2, link);
        sn_surface_volume_def def = volume_def(&b);
        def.pressure = 2;
        def.compliance = soft ? (sn_real)1e-3 : 0;
        add_volume(&b, &def);
        double rest = volume_of(&b);
        advance(b.world, 1.0 / 1200, 2400);

        double volume = volume_of(&b), radius = cbrt(3 * volume / (4 * PI));
        double pressure = force_of(b.world, b.volume), tension = tension_of(&b, link);
        CHECK(tension > 10);
        CHECK_REL(pressure, 2 * tension / radius, 0.03);
        /* Of the whole: 3 p V is the virial of the edges. */
        CHECK_REL(pressure, 2 * tension * mesh_area(&b.surface) / (3 * volume), TOL(1e-3, 3e-3));
        if (soft)
            CHECK_REL(2 * rest - volume, pressure * 1e-3, TOL(1e-3, 3e-3));
        else
            CHECK_REL(volume, 2 * rest, 1e-3);
        free(link);
        free_body(&b);
    }
}

/* ---- Momentum ---- */

TEST(momentum_is_kept) {
    FOR_BOTH_SOLVERS(solver) {
        for (int kind = 0; kind < SHAPES; kind++) {
            check_case("%s, %s", solver_name(solver), shape_names[kind]);
            body b = make_body(weightless(solver), make_shape((shape)kind));
            mesh_add_links(b.world, &b.surface, b.node, 1e-3, NULL);
            sn_surface_volume_def def = volume_def(&b);
            def.pressure = (sn_real)1.5;
            def.compliance = (sn_real)1e-5;
            def.damping = 10;
            add_volume(&b, &def);
            uint32_t seed = 3;
            double scale = 0;
            for (size_t i = 0; i < b.surface.vertices; i++) {
                vec v = {1 + noise(&seed), 2 + noise(&seed), -1 + noise(&seed)};
                double mass = 0.01 * (1 + 0.5 * noise(&seed));
                scale += mass * length(v);
                CHECK_OK(sn_node_set_inverse_mass(b.world, b.node[i], (sn_real)(1 / mass)));
                CHECK_OK(sn_node_set_velocity(b.world, b.node[i], vector(v.x, v.y, v.z)));
            }
            sn_measure start = measure_of(b.world);
            advance(b.world, 1.0 / 1200, 1000);
            sn_measure end = measure_of(b.world);
            for (int k = 0; k < 3; k++)
                CHECK_NEAR((end.momentum[k] - start.momentum[k]) / scale, 0, TOL(1e-12, 1e-5));
            free_body(&b);
        }
    }
}

/* The angular momentum that a spinning body loses in 1 s. */
static double lost_spin(shape kind, sn_solver solver, int rate) {
    body b = make_body(weightless(solver), make_shape(kind));
    mesh_add_links(b.world, &b.surface, b.node, 1e-3, NULL);
    sn_surface_volume_def def = volume_def(&b);
    add_volume(&b, &def);
    for (size_t i = 0; i < b.surface.vertices; i++) {
        vec x = b.surface.x[i];
        CHECK_OK(sn_node_set_velocity(b.world, b.node[i], vector(-x.y, x.x, 0)));
    }
    double before = measure_of(b.world).angular_momentum[2];
    advance(b.world, 1.0 / rate, rate);
    double lost = before - measure_of(b.world).angular_momentum[2];
    free_body(&b);
    return lost / before;
}

/* As in V15, of first order: half the step loses half. */
TEST(spin_is_lost_in_first_order) {
    FOR_BOTH_SOLVERS(solver) {
        for (int kind = 0; kind < SHAPES; kind++) {
            check_case("%s, %s", solver_name(solver), shape_names[kind]);
            double coarse = lost_spin((shape)kind, solver, 600);
            double fine = lost_spin((shape)kind, solver, 1200);
            CHECK(coarse > 0 && coarse < 0.01);
            CHECK_NEAR(coarse / fine, 2, 0.1);
        }
    }
}

/* ---- Compliance and sides ---- */

#define BASE 0.5 /* area of the triangle that the tent stands on */

/* A tent of four triangles: three corners are held, the top of `mass` is free. */
static body make_tent(sn_settings settings, double height, double mass) {
    static const uint32_t faces[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    vec x[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.25, 0.25, height}};
    settings.gravity = vector(0, 0, -GRAVITY);
    body b = {.world = make_world(settings), .surface = mesh_of(x, 4, faces, 4)};
    b.node = calloc(4, sizeof *b.node);
    if (!b.node) abort();
    for (int k = 0; k < 3; k++) b.node[k] = add_pin(b.world, x[k]);
    b.node[3] = add_node(b.world, x[3], mass);
    return b;
}

/* The gradient at the top is a third of the base, straight up, wherever the top is. So the pressure
   is 3 m g / base, the missing volume is compliance times that, and the top sinks by three times
   that over the base. */
TEST(missing_volume_is_compliance_times_pressure) {
    double mass = 0.3, compliance = 1e-3, height = 0.8;
    double pressure = 3 * mass * GRAVITY / BASE, missing = compliance * pressure;
    FOR_BOTH_SOLVERS(solver) {
        for (int iterations = 1; iterations <= 4; iterations += 3) {
            check_case("%s, %d iterations", solver_name(solver), iterations);
            sn_settings settings = plain_settings(solver);
            settings.iterations = iterations;
            settings.damping = 8;
            body b = make_tent(settings, height, mass);
            sn_surface_volume_def def = volume_def(&b);
            def.compliance = (sn_real)compliance;
            add_volume(&b, &def);
            advance(b.world, 1.0 / 1200, 9600);
            CHECK_REL(height - position_of(b.world, b.node[3]).z, 3 * missing / BASE,
                      TOL(1e-8, 1e-4));
            CHECK_REL(-value_of(&b), missing, TOL(1e-8, 1e-4));
            CHECK_REL(force_of(b.world, b.volume), pressure, TOL(1e-8, 1e-4));
            CHECK_REL(measure_of(b.world).elastic_energy, missing * pressure / 2, TOL(1e-8, 3e-4));
            free_body(&b);
        }
    }
}

/* The same top swings: m z'' = -(base / 3)^2 (z / compliance + damping z') - m g. A substep adds
   itself to the time of damping. */
TEST(volumes_swing_and_are_damped) {
    const double mass = 0.3, omega = 20, h = 1.0 / 12000, k = mass * omega * omega, speed = 0.5;
    for (int damped = 0; damped < 2; damped++) FOR_BOTH_SOLVERS(solver) {
            const double time = damped ? 0.04 : 0, rate = 0.5 * omega * omega * (time + h);
            const double swing = sqrt(omega * omega - rate * rate), part = BASE / 3;
            const double sag = GRAVITY / (omega * omega), off = (speed + rate * sag) / swing;
            check_case("%s, damping time %g s", solver_name(solver), time);
            body b = make_tent(plain_settings(solver), 0.8, mass);
            sn_surface_volume_def def = volume_def(&b);
            def.compliance = (sn_real)(part * part / k);
            def.damping = (sn_real)(time * k / (part * part));
            add_volume(&b, &def);
            CHECK_OK(sn_node_set_velocity(b.world, b.node[3], vector(0, 0, speed)));
            for (int i = 1; i <= 6; i++) {
                double t = 480 * i * h;
                advance(b.world, h, 480);
                double z = exp(-rate * t) * (sag * cos(swing * t) + off * sin(swing * t)) - sag;
                CHECK_NEAR(position_of(b.world, b.node[3]).z - 0.8, z, 0.004 * sag);
            }
            free_body(&b);
        }
}

/* May be more but not less, or less but not more. */
TEST(volumes_with_one_side) {
    FOR_BOTH_SOLVERS(solver) {
        check_case("%s, at least", solver_name(solver));
        body b = make_tent(plain_settings(solver), 0.8, 0.3);
        sn_surface_volume_def def = volume_def(&b);
        def.rest_volume = (sn_real)(BASE * 0.5 / 3);
        def.side = SN_SIDE_AT_LEAST;
        add_volume(&b, &def);
        /* It falls freely from 0.8 to 0.5 m, for 0.247 s, and stays there. */
        advance(b.world, 1.0 / 1200, 240);
        CHECK(force_of(b.world, b.volume) == 0);
        CHECK_NEAR(position_of(b.world, b.node[3]).z,
                   0.8 - 0.5 * GRAVITY * 0.2 * (0.2 + 1.0 / 1200), TOL(1e-9, 1e-5));
        advance(b.world, 1.0 / 1200, 240);
        CHECK_NEAR(position_of(b.world, b.node[3]).z, 0.5, 1e-5);
        CHECK_REL(force_of(b.world, b.volume), 3 * 0.3 * GRAVITY / BASE, TOL(1e-6, 0.02));
        free_body(&b);

        check_case("%s, at most", solver_name(solver));
        b = make_tent(plain_settings(solver), 0.5, 0.3);
        def = volume_def(&b);
        def.side = SN_SIDE_AT_MOST;
        add_volume(&b, &def);
        CHECK_OK(sn_node_set_velocity(b.world, b.node[3], vector(0, 0, 3)));
        advance(b.world, 1.0 / 1200, 10);
        CHECK(position_of(b.world, b.node[3]).z < 0.5 + 1e-5);
        /* Nothing holds it from falling. */
        advance(b.world, 1.0 / 1200, 240);
        CHECK(position_of(b.world, b.node[3]).z < 0.35);
        CHECK(force_of(b.world, b.volume) == 0);
        free_body(&b);
    }
}

/* ---- Where there is no volume ---- */

/* All nodes in a plane, on a line and at one point: nothing is thrown away, and what is flat comes
   back. */
TEST(collapsed_bodies) {
    for (int kind = 0; kind < SHAPES; kind++) {
        for (int dimensions = 0; dimensions < 3; dimensions++) {
            check_case("%s in %d dimensions", shape_names[kind], dimensions);
            sn_settings settings = weightless(SN_SOLVER_COLOURED);
            settings.substeps = 10;
            body b = make_body(settings, make_shape((shape)kind));
            sn_surface_volume_def def = volume_def(&b);
            add_volume(&b, &def);
            double rest = volume_of(&b);
            for (size_t i = 0; i < b.surface.vertices; i++) {
                vec x = b.surface.x[i];
                sn_vec3 to = vector(dimensions > 0 ? x.x : 0, dimensions > 1 ? x.y : 0, 0);
                CHECK_OK(sn_node_set_position(b.world, b.node[i], to));
            }
            advance(b.world, 1.0 / 600, 10);
            mesh_read(&b.surface, b.world, b.node);
            for (size_t i = 0; i < b.surface.vertices; i++) CHECK(length(b.surface.x[i]) < 50);
            if (dimensions == 2) CHECK_REL(volume_of(&b), rest, 0.5);
            free_body(&b);
        }
    }
}

TESTS(RUN(volume_and_gradient_near_and_far), RUN(volumes_of_known_bodies),
      RUN(volumes_have_a_sign_and_add_up), RUN(volume_is_kept), RUN(pressure_inflates),
      RUN(balloon_has_the_pressure_of_its_tension), RUN(momentum_is_kept),
      RUN(spin_is_lost_in_first_order), RUN(missing_volume_is_compliance_times_pressure),
      RUN(volumes_swing_and_are_damped), RUN(volumes_with_one_side), RUN(collapsed_bodies))
