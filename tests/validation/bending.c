/*
 * Bending at vertices, made by sn_surface_bend: the energy of sheets on a cylinder (V39) and of a
 * sphere, what the border does, rings of any number of neighbours, and a strip of cloth that bends
 * under its own weight (V25).
 */
#include "mesh.h"

#include <math.h>
#include <stdlib.h>

#define STIFFNESS 0.01 /* B in N m */

/* A mesh in a world without weight, with bending at its vertices. */
typedef struct sheet {
    sn_world *world;
    mesh flat;
    sn_node *node;
    sn_constraint *bend;
    size_t bends;
} sheet;

static sn_surface surface_of(const sheet *s) {
    return (sn_surface){s->node, s->flat.vertices, s->flat.triangle[0], s->flat.triangles};
}

static sn_vertex_bending_def bending_def(double stiffness) {
    sn_vertex_bending_def def = sn_vertex_bending_def_default();
    def.compliance = (sn_real)(1 / stiffness);
    return def;
}

/* Takes the mesh over. */
static sheet make_sheet(mesh flat) {
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    settings.gravity = vector(0, 0, 0);
    sheet s = {.world = make_world(settings), .flat = flat};
    s.node = calloc(flat.vertices, sizeof *s.node);
    s.bend = calloc(flat.vertices, sizeof *s.bend);
    if (!s.node || !s.bend) abort();
    mesh_add_nodes(s.world, &flat, 1e-3, s.node);
    sn_surface surface = surface_of(&s);
    sn_vertex_bending_def def = bending_def(STIFFNESS);
    REQUIRE_OK(sn_surface_bend(s.world, &surface, &def, s.bend, &s.bends));
    return s;
}

static void free_sheet(sheet *s) {
    sn_world_destroy(s->world);
    mesh_free(&s->flat);
    free(s->node);
    free(s->bend);
}

static double area_of(const sheet *s, size_t i) {
    sn_real area[3];
    REQUIRE_OK(sn_constraint_get_field(s->world, s->bend[i], "area", area));
    return (double)area[0];
}

/* |C| of a constraint. */
static double value_of(const sheet *s, size_t i) {
    sn_real c[SN_MAX_ROWS];
    REQUIRE_OK(sn_constraint_evaluate(s->world, s->bend[i], c, NULL));
    return length((vec){(double)c[0], (double)c[1], (double)c[2]});
}

/* Rolls the sheet on a cylinder of this radius, whose axis is at an angle to the rows; then the
   place is moved. */
static void roll(sheet *s, double radius, double angle, vec shift) {
    for (size_t i = 0; i < s->flat.vertices; i++) {
        vec x = s->flat.x[i];
        double along = cos(angle) * x.x + sin(angle) * x.y, turn = along / radius;
        double across = cos(angle) * x.y - sin(angle) * x.x;
        sn_vec3 to = vector(radius * sin(turn) + shift.x, across + shift.y,
                            radius * (1 - cos(turn)) + shift.z);
        REQUIRE_OK(sn_node_set_position(s->world, s->node[i], to));
    }
}

static double energy_of(const sheet *s) {
    return measure_of(s->world).elastic_energy;
}

/* ---- V39: a cylinder ---- */

/*
 * The exact energy of a plate is B curvature^2 area / 2. Vertices have it on every regular mesh and
 * in every direction. Those with four neighbours have 9/4 of it and those with eight 9/16: that
 * makes 9/8 on an endless sheet with alternating diagonals, and less on a small one, which has more
 * of the latter.
 */
TEST(energy_on_a_cylinder) {
    static const int sizes[] = {8, 64};
    for (int kind = 0; kind < PATTERNS; kind++) {
        for (int i = 0; i < 2; i++) {
            sheet s = make_sheet(mesh_sheet((pattern)kind, sizes[i], sizes[i], 1.0 / 64));
            double exact = 0.5 * STIFFNESS * mesh_area(&s.flat);
            for (int degrees = 0; degrees <= 135; degrees += 15) {
                check_case("%s, %d cells, %d degrees", pattern_name((pattern)kind), sizes[i],
                           degrees);
                roll(&s, 1, degrees * PI / 180, (vec){0, 0, 0});
                double expected = kind == CROSSED ? sizes[i] == 64 ? 1.125 : 1.09 : 1;
                CHECK_NEAR(energy_of(&s) / exact, expected, kind == CROSSED ? 0.005 : 0.001);
            }
            free_sheet(&s);
        }
    }
}

/* What is left is the chord: second differences of a circle are 2 (1 - cos l) / l^2. Without the
   rule of the border a sheet of 8 cells would have 49/64 of its energy, and one of 64 63^2/64^2. */
TEST(border_gives_its_area_to_its_neighbours) {
    static const int sizes[] = {2, 3, 8, 64};
    for (int i = 0; i < 4; i++) {
        int n = sizes[i];
        double l = 1.0 / n, chord = 2 * (1 - cos(l)) / (l * l);
        check_case("%d cells", n);
        sheet s = make_sheet(mesh_sheet(RIGHT, n, n, l));
        CHECK(s.bends == (size_t)((n - 1) * (n - 1)));
        double exact = 0.5 * STIFFNESS * mesh_area(&s.flat);
        roll(&s, 1, 0, (vec){0, 0, 0});
        CHECK_REL(energy_of(&s) / exact, chord * chord, TOL(1e-9, 1e-3));
        /* Without it. Where the areas are automatic, they are thirds of the triangles around. */
        roll(&s, 1e6, 0, (vec){0, 0, 0});
        for (size_t k = 0; k < s.bends; k++) {
            sn_real automatic[3] = {SN_AUTO};
            REQUIRE_OK(sn_constraint_set_field(s.world, s.bend[k], "area", automatic));
            CHECK_REL(area_of(&s, k), l * l, TOL(1e-9, 1e-5));
        }
        roll(&s, 1, 0, (vec){0, 0, 0});
        CHECK_REL(energy_of(&s) / exact, chord * chord * (n - 1) * (n - 1) / n / n,
                  TOL(1e-9, 1e-3));
        free_sheet(&s);
    }
}

TEST(flat_sheets_have_no_energy) {
    for (int kind = 0; kind < PATTERNS; kind++) {
        sheet s = make_sheet(mesh_sheet((pattern)kind, 32, 32, 1.0 / 32));
        double unit = 0.5 * STIFFNESS * mesh_area(&s.flat);
        for (int k = 0; k < 5; k++) {
            check_case("%s, turn %d", pattern_name((pattern)kind), k);
            double turn = 0.4 * k, tilt = 0.3 * k;
            for (size_t i = 0; i < s.flat.vertices; i++) {
                vec x = s.flat.x[i];
                vec y = {cos(turn) * x.x - sin(turn) * x.y, sin(turn) * x.x + cos(turn) * x.y, 0};
                sn_vec3 to = vector(y.x + 0.5 * k, cos(tilt) * y.y - 0.25 * k, sin(tilt) * y.y);
                REQUIRE_OK(sn_node_set_position(s.world, s.node[i], to));
            }
            CHECK_NEAR(energy_of(&s) / unit, 0, k == 0 ? TOL(1e-20, 1e-8) : TOL(1e-20, 1e-5));
            /* And nothing moves. */
            vec before = position_of(s.world, s.node[40]);
            advance(s.world, 1.0 / 1200, 20);
            CHECK(length(sub(position_of(s.world, s.node[40]), before)) < TOL(1e-14, 2e-6));
        }
        free_sheet(&s);
    }
}

/* The mean curvature at an inner vertex of squares, in double, from where the nodes are. */
static double reference_energy(sheet *s, int n) {
    mesh now = mesh_sheet(RIGHT, n, n, 1);
    mesh_read(&now, s->world, s->node);
    double l = s->flat.x[1].x - s->flat.x[0].x, sum = 0;
    for (size_t k = 0; k < s->bends; k++) {
        size_t i = 1 + k / (size_t)(n - 1), j = 1 + k % (size_t)(n - 1), row = (size_t)n + 1;
        const vec *x = &now.x[i * row + j];
        vec curve = {x[1].x + x[-1].x + x[n + 1].x + x[-n - 1].x - 4 * x->x,
                     x[1].y + x[-1].y + x[n + 1].y + x[-n - 1].y - 4 * x->y,
                     x[1].z + x[-1].z + x[n + 1].z + x[-n - 1].z - 4 * x->z};
        double c = length(curve) / (l * l);
        sum += 0.5 * STIFFNESS * area_of(s, k) * c * c;
    }
    mesh_free(&now);
    return sum;
}

/* Coordinates of 10 km have a grid of a millimetre in float. Beyond that rounding, which is in the
   positions themselves, nothing is lost. */
TEST(far_from_the_origin) {
    enum { CELLS = 16 };
    static const double distances[] = {0, 100, 10000};
    for (int i = 0; i < 3; i++) {
        check_case("%g m", distances[i]);
        vec shift = {distances[i], -distances[i], distances[i]};
        mesh flat = mesh_sheet(RIGHT, CELLS, CELLS, 0.25);
        mesh_place(&flat, 1, shift);
        sheet s = make_sheet(flat);
        double unit = 0.5 * STIFFNESS * mesh_area(&s.flat);
        /* Quarters of a metre are exact in float, even there. */
        CHECK_NEAR(energy_of(&s) / unit, 0, 1e-12);
        for (size_t k = 0; k < s.bends; k++) CHECK(value_of(&s, k) < 1e-6);
        mesh_place(&s.flat, 1, (vec){-shift.x, -shift.y, -shift.z});
        roll(&s, 4, 0.3, shift);
        CHECK_REL(energy_of(&s), reference_energy(&s, CELLS), TOL(1e-9, 1e-5));
        CHECK_REL(energy_of(&s) / unit, 1.0 / 16, TOL(0.001, distances[i] > 1000 ? 0.05 : 0.001));
        free_sheet(&s);
    }
}

/* ---- Areas ---- */

static double sum_of_areas(const sheet *s) {
    double sum = 0;
    for (size_t i = 0; i < s->bends; i++) sum += area_of(s, i);
    return sum;
}

/* Cuts out triangles whose middle is in a box. */
static void cut_out(mesh *m, double x0, double x1, double y0, double y1) {
    size_t kept = 0;
    for (size_t t = 0; t < m->triangles; t++) {
        const uint32_t *v = m->triangle[t];
        double x = (m->x[v[0]].x + m->x[v[1]].x + m->x[v[2]].x) / 3;
        double y = (m->x[v[0]].y + m->x[v[1]].y + m->x[v[2]].y) / 3;
        if (x > x0 && x < x1 && y > y0 && y < y1) continue;
        for (int k = 0; k < 3; k++) m->triangle[kept][k] = v[k];
        kept++;
    }
    m->triangles = kept;
}

static void shake(mesh *m, double amount) {
    uint32_t seed = 5;
    for (size_t i = 0; i < m->vertices; i++) {
        m->x[i].x += amount * noise(&seed);
        m->x[i].y += amount * noise(&seed);
    }
}

TEST(areas_add_up_to_that_of_the_surface) {
    for (int kind = 0; kind < PATTERNS; kind++) {
        for (int shape = 0; shape < 5; shape++) {
            check_case("%s, shape %d", pattern_name((pattern)kind), shape);
            mesh m = mesh_sheet((pattern)kind, shape == 1 ? 40 : 12, shape == 1 ? 2 : 12, 0.25);
            /* A hole, and two legs one cell wide, ten edges from the next inner vertex. */
            if (shape == 3) cut_out(&m, 1, 1.75, 1, 1.75);
            if (shape == 4 && kind != EQUILATERAL) cut_out(&m, 0.25, 2.75, 0, 2.5);
            if (shape >= 2) shake(&m, 0.06);
            sheet s = make_sheet(m);
            CHECK(s.bends > 0);
            CHECK_REL(sum_of_areas(&s), mesh_area(&s.flat), TOL(1e-12, 1e-6));
            for (size_t i = 0; i < s.bends; i++) CHECK(area_of(&s, i) > 0);
            free_sheet(&s);
        }
    }
}

/* Two sheets side by side, with vertices between them that no triangle uses. */
TEST(surfaces_may_have_parts_and_unused_vertices) {
    mesh one = mesh_sheet(EQUILATERAL, 4, 4, 0.5), m = mesh_sheet(EQUILATERAL, 4, 4, 0.5);
    vec x[60];
    uint32_t triangle[64][3];
    CHECK(m.vertices == 25 && m.triangles == 32);
    for (int i = 0; i < 60; i++) x[i] = (vec){9, 9, i};
    for (size_t i = 0; i < 25; i++) {
        x[i] = m.x[i];
        x[i + 30] = (vec){m.x[i].x + 5, m.x[i].y, 0.5};
    }
    for (size_t t = 0; t < 32; t++)
        for (int k = 0; k < 3; k++) {
            triangle[t][k] = m.triangle[t][k];
            triangle[t + 32][k] = m.triangle[t][k] + 30;
        }
    mesh_free(&m);
    sheet s = make_sheet(mesh_of(x, 60, triangle[0], 64));
    CHECK(s.bends == 18);
    CHECK_REL(sum_of_areas(&s), 2 * mesh_area(&one), TOL(1e-12, 1e-6));
    mesh_free(&one);
    free_sheet(&s);
}

/* ---- Rings ---- */

/* A vertex with n neighbours on a circle, all of them on the border. */
static mesh make_ring(int n) {
    vec x[13] = {{0, 0, 0}};
    uint32_t triangle[12][3];
    for (int k = 0; k < n; k++) {
        x[k + 1] = (vec){0.5 * cos(2 * PI * k / n), 0.5 * sin(2 * PI * k / n), 0};
        triangle[k][0] = 0;
        triangle[k][1] = (uint32_t)(k + 1);
        triangle[k][2] = (uint32_t)((k + 1) % n + 1);
    }
    return mesh_of(x, (size_t)n + 1, triangle[0], (size_t)n);
}

/* With z of the neighbours over the vertex, the mean curvature of a regular ring of n is
   3 z / (r cos(pi / n))^2, and the area of the ring is its. */
TEST(rings_of_3_to_12_neighbours) {
    for (int n = 3; n <= 12; n++) {
        check_case("%d neighbours", n);
        double r = 0.5, z = 0.02, c = cos(PI / n);
        sheet s = make_sheet(make_ring(n));
        CHECK(s.bends == 1);
        double area = 0.5 * n * r * r * sin(2 * PI / n);
        CHECK_REL(area_of(&s, 0), area, TOL(1e-12, 1e-6));
        CHECK_NEAR(value_of(&s, 0), 0, TOL(1e-14, 1e-5));
        for (int k = 1; k <= n; k++) {
            vec x = s.flat.x[k];
            REQUIRE_OK(sn_node_set_position(s.world, s.node[k], vector(x.x, x.y, z)));
        }
        CHECK_REL(value_of(&s, 0), sqrt(area) * 3 * z / (r * r * c * c), TOL(1e-12, 1e-5));

        sn_node node[16];
        size_t count = 0;
        CHECK_OK(sn_constraint_get_nodes(s.world, s.bend[0], node, 16, &count));
        CHECK(count == (size_t)n + 1 && node[0].slot == s.node[0].slot);
        /* In order around it, as the triangles go. */
        for (size_t k = 2; k < count; k++)
            CHECK((node[k].slot - node[k - 1].slot + (uint32_t)n) % (uint32_t)n == 1);
        free_sheet(&s);
    }
}

/* Of any shape: while it is flat there is nothing, wherever the vertex is inside. */
TEST(uneven_rings_are_flat_when_they_are) {
    uint32_t seed = 11;
    for (int n = 3; n <= 12; n++) {
        for (int k = 0; k < 20; k++) {
            check_case("%d neighbours, %d", n, k);
            mesh m = make_ring(n);
            for (int i = 1; i <= n; i++) {
                double grow = 1 + 0.5 * noise(&seed);
                m.x[i] = (vec){grow * m.x[i].x, grow * m.x[i].y, 0};
            }
            m.x[0] = (vec){0.03 * noise(&seed), 0.03 * noise(&seed), 0};
            double tilt = noise(&seed), area = mesh_area(&m);
            for (int i = 0; i <= n; i++)
                m.x[i] = (vec){m.x[i].x, cos(tilt) * m.x[i].y, sin(tilt) * m.x[i].y};
            sheet s = make_sheet(m);
            CHECK_REL(area_of(&s, 0), area, TOL(1e-12, 1e-6));
            CHECK_NEAR(value_of(&s, 0), 0, TOL(1e-13, 2e-5));
            free_sheet(&s);
        }
    }
}

/* A sphere has the curvature 2 / R, and so the energy 8 pi B whatever its radius; all of its
   vertices are inner ones, of five and six neighbours. */
TEST(energy_of_a_sphere) {
    for (int i = 0; i < 3; i++) {
        static const double radii[] = {0.1, 1, 50};
        check_case("radius %g", radii[i]);
        mesh ball = mesh_sphere(3);
        mesh_place(&ball, radii[i], (vec){0, 0, 0});
        sheet s = make_sheet(ball);
        CHECK(s.bends == s.flat.vertices);
        CHECK_REL(sum_of_areas(&s), mesh_area(&s.flat), TOL(1e-12, 1e-6));
        CHECK_REL(energy_of(&s), 8 * PI * STIFFNESS, 0.01);
        free_sheet(&s);
    }
}

/* ---- V25: a strip of cloth under its own weight ---- */

/*
 * A strip of unit length and mass per area, from x = 0 on, where it is clamped. Three columns are
 * held, of which the last has the only bending constraints that matter: it stands for the sheet
 * half a cell to either side, so that the clamp is half a cell before it.
 *
 * A saddle has no mean curvature and costs nothing; it is the edges that keep a strip from becoming
 * one. They are hard but for h^2 / m, which the substep makes small beside the curvature.
 */
typedef struct strip_case {
    double weight; /* rho_A g L^3 / B */
    double drop, along;
} strip_case;

enum { CELLS = 20, WIDTH = 4, HELD = 3 };

static sheet make_strip(double weight) {
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    settings.gravity = vector(0, 0, -weight);
    settings.substeps = 100;
    settings.damping = 7;
    settings.keep_forces = false;
    double l = 1 / (CELLS - 0.5);
    sheet s = {.world = make_world(settings), .flat = mesh_sheet(RIGHT, CELLS + 1, WIDTH, l)};
    mesh_place(&s.flat, 1, (vec){-(HELD - 1.5) * l, 0, 0});
    s.node = calloc(s.flat.vertices, sizeof *s.node);
    s.bend = calloc(s.flat.vertices, sizeof *s.bend);
    if (!s.node || !s.bend) abort();
    for (size_t i = 0; i < s.flat.vertices; i++) {
        size_t column = i % (CELLS + 2), row = i / (CELLS + 2);
        double part = column == CELLS + 1 ? 0.5 : 1;
        if (row == 0 || row == WIDTH) part *= 0.5;
        s.node[i] = column < HELD ? add_pin(s.world, s.flat.x[i])
                                  : add_node(s.world, s.flat.x[i], part * l * l);
    }
    mesh_add_links(s.world, &s.flat, s.node, 0, NULL);
    sn_surface surface = surface_of(&s);
    sn_vertex_bending_def def = bending_def(1);
    REQUIRE_OK(sn_surface_bend(s.world, &surface, &def, s.bend, &s.bends));
    CHECK(s.bends == CELLS * (WIDTH - 1));
    return s;
}

TEST(strip_under_its_own_weight) {
    static const strip_case cases[] = {{5, 0.495905, 0.846657}, {10, 0.700200, 0.656354}};
    for (int i = 0; i < 2; i++) {
        check_case("weight %g", cases[i].weight);
        sheet s = make_strip(cases[i].weight);
        advance(s.world, 2.5e-5, 120000);
        /* But for the corner of row 0, which is that of one triangle and hangs by its edge. */
        for (int row = 1; row <= WIDTH; row++) {
            vec tip = position_of(s.world, s.node[row * (CELLS + 2) + CELLS + 1]);
            CHECK_REL(-tip.z, cases[i].drop, 0.05);
            CHECK_REL(tip.x, cases[i].along, 0.05);
        }
        free_sheet(&s);
    }
}

TESTS(RUN(energy_on_a_cylinder), RUN(border_gives_its_area_to_its_neighbours),
      RUN(flat_sheets_have_no_energy), RUN(far_from_the_origin),
      RUN(areas_add_up_to_that_of_the_surface), RUN(surfaces_may_have_parts_and_unused_vertices),
      RUN(rings_of_3_to_12_neighbours), RUN(uneven_rings_are_flat_when_they_are),
      RUN(energy_of_a_sphere), RUN(strip_under_its_own_weight))
