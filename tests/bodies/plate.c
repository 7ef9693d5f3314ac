/*
 * Sheets of cloth as thin plates, with the default bending (V56): sheets that are clamped at one
 * end bend under their own weight as the elastica does, wide or narrow, thick or thin, on meshes of
 * five families; one on a cylinder has the energy of a plate; and a square that is clamped all
 * around sags as plate theory says.
 *
 * A sheet has unit length and mass per area, and the bending stiffness 1, so that gravity is its
 * weight rho_A g L^3 / B. It lies along z. Two rows of vertices are held, and it is clamped at the
 * second, z = 0. In its plane it is elastic without Poisson's ratio, with E t = 12 B / t^2.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "meshed_body.h"

typedef enum family { ALTERNATING, SAME, CROSSED, EQUILATERAL, DELAUNAY, FAMILIES } family;

static const char *const family_name[FAMILIES] = {"alternating", "same", "crossed", "equilateral",
                                                  "Delaunay"};

/* ---- An uneven mesh ---- */

/* Above 0 where d is within the circle through a, b and c, which go round to the left. */
static double within_circle(const double a[2], const double b[2], const double c[2],
                            const double d[2]) {
    double m[3][3];
    const double *of[3] = {a, b, c};
    for (int i = 0; i < 3; i++) {
        m[i][0] = of[i][0] - d[0];
        m[i][1] = of[i][1] - d[1];
        m[i][2] = m[i][0] * m[i][0] + m[i][1] * m[i][1];
    }
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
           m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

static void put_xz(sn_vec3 x, double to[2]) {
    to[0] = (double)x.x;
    to[1] = -(double)x.z; /* so that what is seen from above goes round to the left */
}

/* The triangle on the other side of the edge from u to v; SIZE_MAX on the border. */
static size_t across(const sn_mesh *m, uint32_t u, uint32_t v, int *corner) {
    for (size_t t = 0; t < m->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            if (m->triangles[t][k] == v && m->triangles[t][(k + 1) % 3] == u) {
                *corner = (k + 2) % 3;
                return t;
            }
    return SIZE_MAX;
}

/* Turns edges until no circle around a triangle has a fourth vertex in it. */
static void make_delaunay(sn_mesh *m) {
    bool changed = true;
    while (changed) {
        changed = false;
        for (size_t t = 0; t < m->triangle_count; t++)
            for (int k = 0; k < 3; k++) {
                uint32_t *own = m->triangles[t], a = own[k], b = own[(k + 1) % 3];
                uint32_t c = own[(k + 2) % 3];
                int far;
                size_t other = across(m, a, b, &far);
                if (other == SIZE_MAX) continue;
                uint32_t d = m->triangles[other][far];
                double p[4][2];
                put_xz(m->positions[a], p[0]);
                put_xz(m->positions[b], p[1]);
                put_xz(m->positions[c], p[2]);
                put_xz(m->positions[d], p[3]);
                if (!(within_circle(p[0], p[1], p[2], p[3]) > 1e-12)) continue;
                const uint32_t one[3] = {a, d, c}, two[3] = {d, b, c};
                memcpy(own, one, sizeof one);
                memcpy(m->triangles[other], two, sizeof two);
                changed = true;
            }
    }
}

static double noise(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388608 - 1;
}

/* Moves the vertices within the sheet at random by up to a third of a cell, those of the row at
   z = 0 along it. */
static void make_uneven(sn_mesh *m, double width, double end, double cell) {
    uint32_t seed = 7;
    for (size_t i = 0; i < m->vertex_count; i++) {
        sn_vec3 *x = &m->positions[i];
        double z = (double)x->z;
        bool side = fabs((double)x->x) > width / 2 - 1e-4;
        if (z > -1e-4 && z < end - 1e-4 && !side) x->x += (sn_real)(0.35 * cell * noise(&seed));
        if (z > 1e-4 && z < end - 1e-4) x->z += (sn_real)(0.35 * cell * noise(&seed));
    }
    make_delaunay(m);
}

/* ---- Sheets ---- */

typedef struct sheet {
    family family;
    double width;     /* over the length */
    double thickness; /* over the length */
    double weight;    /* rho_A g L^3 / B, and gravity */
    uint32_t cells;   /* along the length */
    double h;         /* s */
} sheet;

static sn_mesh make_mesh(const sheet *s) {
    static const sn_grid_pattern patterns[FAMILIES] = {
        SN_GRID_ALTERNATING, SN_GRID_SAME, SN_GRID_CROSSED, SN_GRID_EQUILATERAL, SN_GRID_SAME};
    double cell = 1.0 / s->cells, side = s->family == EQUILATERAL ? cell / sqrt(0.75) : cell;
    uint32_t columns = (uint32_t)lround(s->width / side);
    sn_mesh mesh = grid_mesh(s->width, 1 + cell, columns, s->cells + 1, patterns[s->family]);
    for (size_t i = 0; i < mesh.vertex_count; i++) mesh.positions[i].z += (sn_real)((1 - cell) / 2);
    if (s->family == DELAUNAY) make_uneven(&mesh, s->width, 1, cell);
    return mesh;
}

static sn_cloth_material material_of(double thickness) {
    sn_cloth_material m = sn_cloth_material_default();
    m.area_density = 1;
    m.bending_stiffness = 1;
    m.model = 3;
    m.poisson = 0;
    m.stretch_stiffness = (sn_real)(12 / (thickness * thickness));
    return m;
}

static body make_body(sn_mesh mesh, double thickness, double gravity, double damping,
                      bool (*is_held)(sn_vec3)) {
    sn_cloth_material m = material_of(thickness);
    uint32_t *pins = calloc(mesh.vertex_count, sizeof *pins);
    REQUIRE_OK(pins ? SN_OK : SN_ERROR_MEMORY);
    sn_build_def def = sn_build_def_default();
    def.pins = pins;
    for (uint32_t i = 0; i < mesh.vertex_count; i++)
        if (is_held(mesh.positions[i])) pins[def.pin_count++] = i;
    sn_world *world = still_world(100, damping);
    sn_settings settings = sn_settings_default();
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.gravity = (sn_vec3){0, (sn_real)-gravity, 0};
    settings.keep_forces = false;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    body b = body_make(world, SN_KIND_CLOTH, &m, mesh, &def);
    free(pins);
    return b;
}

static bool is_before_clamp(sn_vec3 x) {
    return x.z < (sn_real)1e-4;
}

/* The mean drop of the free end. */
static double drop_of(const sheet *s) {
    body b = make_body(make_mesh(s), s->thickness, s->weight, 7, is_before_clamp);
    body_run(&b, (int)lround(2.5 / (100 * s->h)), 100 * s->h);
    double sum = 0, count = 0;
    for (size_t i = 0; i < b.mesh.vertex_count; i++) {
        double x[3];
        if ((double)b.mesh.positions[i].z < 1 - 1e-4) continue;
        body_position(&b, i, x);
        sum -= x[1];
        count++;
    }
    body_free(&b);
    return sum / count;
}

/* ---- The elastica that stretches ---- */

typedef struct rod {
    double angle, curvature, drop; /* angle below the horizontal */
} rod;

static rod rate_of(const sheet *s, double at, rod r) {
    double below = s->weight * (1 - at); /* what hangs on the rest, over B */
    double stretch = 1 + below * sin(r.angle) * s->thickness * s->thickness / 12;
    return (rod){r.curvature, -below * cos(r.angle) * stretch, stretch * sin(r.angle)};
}

static rod moved(rod r, double by, rod rate) {
    return (rod){r.angle + by * rate.angle, r.curvature + by * rate.curvature,
                 r.drop + by * rate.drop};
}

static rod shoot(const sheet *s, double curvature) {
    enum { PARTS = 500 };
    const double h = 1.0 / PARTS;
    rod r = {0, curvature, 0};
    for (int i = 0; i < PARTS; i++) {
        rod a = rate_of(s, i * h, r), b = rate_of(s, (i + 0.5) * h, moved(r, h / 2, a));
        rod c = rate_of(s, (i + 0.5) * h, moved(r, h / 2, b));
        rod d = rate_of(s, (i + 1) * h, moved(r, h, c));
        r = moved(moved(moved(moved(r, h / 6, a), h / 3, b), h / 3, c), h / 6, d);
    }
    return r;
}

/* The curvature at the clamp is that which leaves none at the free end. */
static double elastica(const sheet *s) {
    double least = 0, most = s->weight;
    for (int i = 0; i < 50; i++) {
        double mean = (least + most) / 2;
        *(shoot(s, mean).curvature > 0 ? &most : &least) = mean;
    }
    return shoot(s, least).drop;
}

/* ---- V56 ---- */

static void check_sheets(const double thickness[][2], int cases, uint32_t cells, double h) {
    static const double widths[] = {1, 0.25};
    for (int f = 0; f < FAMILIES; f++)
        for (int w = 0; w < 2; w++)
            for (int i = 0; i < cases; i++) {
                sheet s = {(family)f, widths[w], thickness[i][0], thickness[i][1], cells, h};
                double ratio = drop_of(&s) / elastica(&s);
                check_case("%s, width %g, thickness %g, weight %g: %.4f", family_name[f], s.width,
                           s.thickness, s.weight, ratio);
                CHECK_NEAR(ratio, 1, 0.03);
            }
}

/* With ALL_SHEETS every case of V56, on meshes twice as fine. */
TEST(sheets_bend_as_the_elastica) {
#ifdef ALL_SHEETS
    static const double cases[][2] = {{0.005, 1}, {0.005, 8}, {0.015, 1}, {0.015, 8},
                                      {0.05, 1},  {0.05, 8},  {0.15, 1},  {0.15, 8}};
    check_sheets(cases, 8, 16, 1e-4);
#else
    static const double cases[][2] = {{0.015, 8}, {0.15, 1}};
    check_sheets(cases, 2, 8, 2e-4);
#endif
}

/* ---- V39 ---- */

/* Puts the sheet on a cylinder of radius 1 whose axis is at an angle to the rows. */
static void roll(const body *b, double angle) {
    for (size_t i = 0; i < b->mesh.vertex_count; i++) {
        double x = (double)b->mesh.positions[i].x, z = (double)b->mesh.positions[i].z;
        double along = cos(angle) * x + sin(angle) * z, across = cos(angle) * z - sin(angle) * x;
        sn_vec3 to = {(sn_real)sin(along), (sn_real)cos(along), (sn_real)across};
        REQUIRE_OK(sn_node_set_position(b->world, b->nodes[i], to));
    }
}

/* A saddle z^2 - x^2, turned by an angle, has the curvatures 2 a and -2 a. */
static void bend_both_ways(const body *b, double a, double angle) {
    for (size_t i = 0; i < b->mesh.vertex_count; i++) {
        double x = (double)b->mesh.positions[i].x, z = (double)b->mesh.positions[i].z;
        double along = cos(angle) * x + sin(angle) * z, across = cos(angle) * z - sin(angle) * x;
        double up = a * (along * along - across * across);
        REQUIRE_OK(sn_node_set_position(b->world, b->nodes[i],
                                        (sn_vec3){(sn_real)x, (sn_real)up, (sn_real)z}));
    }
}

static bool is_free(sn_vec3 x) {
    (void)x;
    return false;
}

static double energy_of(const body *b) {
    sn_measure measure;
    REQUIRE_OK(sn_world_measure(b->world, &measure));
    return measure.elastic_energy;
}

/* Hardly anything resists stretching, so that the energy is that of bending. */
TEST(energy_is_that_of_a_plate) {
    static const uint32_t sizes[] = {8, 24};
    for (int f = 0; f < FAMILIES; f++)
        for (int k = 0; k < 2; k++) {
            sheet s = {.family = (family)f, .width = 1, .cells = sizes[k]};
            body b = make_body(make_mesh(&s), 1e6, 0, 0, is_free);
            double area = 1 + 1.0 / s.cells;
            for (int degrees = 0; degrees < 180; degrees += 15) {
                double angle = degrees * 3.14159265358979 / 180;
                roll(&b, angle);
                double cylinder = energy_of(&b) / (area / 2);
                check_case("%s, %u cells, cylinder at %d degrees: %.4f", family_name[f], s.cells,
                           degrees, cylinder);
                CHECK_NEAR(cylinder, 1, 0.03);
                bend_both_ways(&b, 0.1, angle);
                double saddle = energy_of(&b) / (0.04 * area);
                check_case("%s, %u cells, saddle at %d degrees: %.4f", family_name[f], s.cells,
                           degrees, saddle);
                CHECK_NEAR(saddle, 1, k == 0 ? 0.08 : 0.03);
            }
            body_free(&b);
        }
}

/* ---- A square that is clamped all around ---- */

static bool is_outside_square(sn_vec3 x) {
    const sn_real end = (sn_real)(1 - 1e-4), begin = (sn_real)1e-4;
    return x.x < begin || x.x > end || x.z < begin || x.z > end;
}

/* The sag in the middle over q L^4 / D. */
static double sag_of(family f, uint32_t cells, double h) {
    const double thickness = 0.05, load = 0.05 * thickness / 0.00126;
    double cell = 1.0 / cells, width = 1 + 2 * cell;
    static const sn_grid_pattern patterns[] = {SN_GRID_ALTERNATING, SN_GRID_SAME, SN_GRID_CROSSED};
    sn_mesh mesh = grid_mesh(width, width, cells + 2, cells + 2, patterns[f]);
    for (size_t i = 0; i < mesh.vertex_count; i++) {
        mesh.positions[i].x += (sn_real)0.5;
        mesh.positions[i].z += (sn_real)0.5;
    }
    body b = make_body(mesh, thickness, load, 60, is_outside_square);
    body_run(&b, (int)lround(0.5 / (100 * h)), 100 * h);
    double sag = 0;
    for (size_t i = 0; i < b.mesh.vertex_count; i++) {
        double x[3];
        body_position(&b, i, x);
        sag = fmax(sag, -x[1]);
    }
    body_free(&b);
    return sag / load;
}

/* Errors go with the square of the cells. */
TEST(a_clamped_square_sags_as_a_plate) {
    for (int f = 0; f <= CROSSED; f++) {
        double coarse = sag_of((family)f, 8, 2e-4), fine = sag_of((family)f, 16, 1e-4);
        double sag = fine + (fine - coarse) / 3;
        check_case("%s: %.6f and %.6f, so %.6f", family_name[f], coarse, fine, sag);
        CHECK_REL(sag, 0.001265, 0.02);
        CHECK_REL(fine, 0.001265, 0.06);
    }
}

TESTS(RUN(sheets_bend_as_the_elastica), RUN(energy_is_that_of_a_plate),
      RUN(a_clamped_square_sags_as_a_plate))
