/*
 * Surfaces of liquids: closed, with the volume of their particles, smooth where particles are a
 * plane, one for every drop; and what is no liquid stays what it is.
 */
#include "check.h"

#include <sinew_io/liquid.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4096 };
static const double spacing = 0.02;

typedef struct liquid {
    sn_vec3 at[MOST];
    sn_real radii[MOST];
    sn_io_look look;
    sn_io_shape shape;
} liquid;

/* A box of particles, from a corner. */
static void add_box(liquid *l, const int count[3], sn_vec3 corner) {
    l->look = sn_io_look_default();
    l->look.liquid = true;
    for (int i = 0; i < count[0] * count[1] * count[2]; i++) {
        int x = i % count[0], y = i / count[0] % count[1], z = i / (count[0] * count[1]);
        l->at[l->shape.vertex_count] = (sn_vec3){(sn_real)((double)corner.x + spacing * x),
                                                 (sn_real)((double)corner.y + spacing * y),
                                                 (sn_real)((double)corner.z + spacing * z)};
        l->radii[l->shape.vertex_count++] = (sn_real)(spacing / 2);
    }
    l->shape.name = "water";
    l->shape.positions = l->at;
    l->shape.radii = l->radii;
    l->shape.look = &l->look;
}

static sn_io_liquid *make(void) {
    sn_io_liquid *made = NULL;
    CHECK(sn_io_liquid_create(&made) == SN_OK);
    return made;
}

static sn_io_shape surface_of(sn_io_liquid *made, const sn_io_shape *shape) {
    sn_io_frame frame = {.number = 3, .shape_count = 1, .shapes = shape}, wet = {0};
    CHECK(sn_io_liquid_frame(made, &frame, &wet) == SN_OK);
    CHECK(wet.shape_count == 1 && wet.number == 3);
    return wet.shapes[0];
}

/* ---- What a surface is like ---- */

static int by_edge(const void *a, const void *b) {
    return memcmp(a, b, 2 * sizeof(uint32_t));
}

/* Every edge has a triangle on each side, which run along it in opposite directions. */
static bool is_closed(const sn_io_shape *s) {
    size_t count = 3 * s->triangle_count;
    uint32_t(*edges)[2] = malloc(2 * count * sizeof *edges + 1);
    if (!edges) return false;
    for (size_t i = 0; i < count; i++) {
        uint32_t a = s->triangles[i / 3][i % 3], b = s->triangles[i / 3][(i + 1) % 3];
        edges[i][0] = edges[count + i][1] = a;
        edges[i][1] = edges[count + i][0] = b;
    }
    qsort(edges, count, sizeof *edges, by_edge);
    qsort(edges + count, count, sizeof *edges, by_edge);
    bool closed = memcmp(edges, edges + count, count * sizeof *edges) == 0;
    for (size_t i = 1; i < count; i++) closed = closed && by_edge(edges[i], edges[i - 1]) != 0;
    free(edges);
    return closed;
}

static double volume_of(const sn_io_shape *s) {
    double sum = 0;
    for (size_t t = 0; t < s->triangle_count; t++) {
        sn_vec3 o = s->positions[0], a = s->positions[s->triangles[t][0]];
        sn_vec3 b = s->positions[s->triangles[t][1]], c = s->positions[s->triangles[t][2]];
        double u[3] = {(double)(a.x - o.x), (double)(a.y - o.y), (double)(a.z - o.z)};
        double v[3] = {(double)(b.x - o.x), (double)(b.y - o.y), (double)(b.z - o.z)};
        double w[3] = {(double)(c.x - o.x), (double)(c.y - o.y), (double)(c.z - o.z)};
        sum += u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) +
               u[2] * (v[0] * w[1] - v[1] * w[0]);
    }
    return sum / 6;
}

/* How many surfaces there are. */
static size_t count_parts(const sn_io_shape *s) {
    uint32_t *part = malloc((s->vertex_count + 1) * sizeof *part);
    size_t count = 0;
    if (!part) return 0;
    for (uint32_t i = 0; i < s->vertex_count; i++) part[i] = i;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t k = 0; k < 3 * s->triangle_count; k++) {
            uint32_t a = s->triangles[k / 3][k % 3], b = s->triangles[k / 3][(k + 1) % 3];
            if (part[a] == part[b]) continue;
            uint32_t least = part[a] < part[b] ? part[a] : part[b];
            part[a] = part[b] = least;
            changed = true;
        }
    }
    for (uint32_t i = 0; i < s->vertex_count; i++) count += part[i] == i;
    free(part);
    return count;
}

/* ---- Tests ---- */

TEST(a_block_has_the_volume_of_its_particles) {
    liquid *l = calloc(1, sizeof *l);
    const int count[3] = {16, 16, 16};
    add_box(l, count, (sn_vec3){1, 2, 3});
    sn_io_liquid *made = make();
    sn_io_shape s = surface_of(made, &l->shape);
    CHECK(is_closed(&s));
    CHECK(count_parts(&s) == 1);
    double volume = 4096 * spacing * spacing * spacing, found = volume_of(&s);
    if (fabs(found / volume - 1) > 0.02) printf("volume %g of %g\n", found, volume);
    CHECK(fabs(found / volume - 1) < 0.02);
    CHECK(s.tet_count == 0 && s.line_count == 0 && !s.radii && s.creased && s.crease_count == 0);
    sn_io_liquid_destroy(made);
    free(l);
}

/* The top of a wide layer is a plane, to a part of a particle, and normals point up there. */
TEST(the_top_of_a_layer_is_flat) {
    liquid *l = calloc(1, sizeof *l);
    const int count[3] = {26, 5, 26};
    add_box(l, count, (sn_vec3){0, 0, 0});
    sn_io_liquid *made = make();
    sn_io_shape s = surface_of(made, &l->shape);
    double least = 1, most = -1;
    size_t seen = 0;
    for (size_t i = 0; i < s.vertex_count; i++) {
        double x = (double)s.positions[i].x / spacing, z = (double)s.positions[i].z / spacing;
        double y = (double)s.positions[i].y / spacing;
        sn_vec3 n = s.normals[i];
        CHECK(fabs((double)(n.x * n.x + n.y * n.y + n.z * n.z) - 1) < 1e-5);
        if (x < 6 || x > 19 || z < 6 || z > 19 || y < 2) continue;
        seen++;
        least = seen == 1 || y < least ? y : least;
        most = y > most ? y : most;
        CHECK((double)n.y > 0.99);
    }
    CHECK(seen > 200);
    if (most - least > 0.08) printf("between %g and %g particles\n", least, most);
    CHECK(most - least < 0.08);
    CHECK_NEAR(least, 4.5, 0.25);
    sn_io_liquid_destroy(made);
    free(l);
}

/* A drop has about the volume of its particle, and every drop has a surface of its own. */
TEST(drops_are_apart) {
    liquid *l = calloc(1, sizeof *l);
    const int one[3] = {1, 1, 1}, few[3] = {3, 3, 3};
    add_box(l, one, (sn_vec3){0, 0, 0});
    sn_io_liquid *made = make();
    sn_io_shape s = surface_of(made, &l->shape);
    double drop = volume_of(&s) / (spacing * spacing * spacing);
    CHECK(is_closed(&s));
    CHECK_NEAR(drop, 1, 0.2);
    add_box(l, few, (sn_vec3){-1, 0.5f, 0});
    add_box(l, one, (sn_vec3){1, 0, 0});
    s = surface_of(made, &l->shape);
    CHECK(is_closed(&s));
    CHECK(count_parts(&s) == 3);
    sn_io_liquid_destroy(made);
    free(l);
}

/* A drop is round wherever it is between the points of the grid: how far vertices are from its
   middle, and how far normals are from pointing away from it. */
TEST(drops_are_round) {
    liquid *l = calloc(1, sizeof *l);
    const int one[3] = {1, 1, 1};
    add_box(l, one, (sn_vec3){0, 0, 0});
    for (int i = 1; i < 20; i++) {
        double aside = 0.37 * i;
        add_box(l, one,
                (sn_vec3){(sn_real)((10 * i + aside) * spacing), (sn_real)(aside * spacing),
                          (sn_real)(0.71 * aside * spacing)});
    }
    sn_io_liquid *made = make();
    sn_io_shape s = surface_of(made, &l->shape);
    double least = 1e9, most = 0, straightest = 1;
    for (size_t i = 0; i < s.vertex_count; i++) {
        size_t own = 0;
        double nearest = 1e9, along = 0;
        for (size_t k = 0; k < l->shape.vertex_count; k++) {
            sn_vec3 x = s.positions[i], m = l->at[k];
            double d[3] = {(double)(x.x - m.x), (double)(x.y - m.y), (double)(x.z - m.z)};
            double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) / spacing;
            if (length >= nearest) continue;
            nearest = length;
            own = k;
            along = (d[0] * (double)s.normals[i].x + d[1] * (double)s.normals[i].y +
                     d[2] * (double)s.normals[i].z) /
                    (length * spacing);
        }
        CHECK(own < 20);
        least = nearest < least ? nearest : least;
        most = nearest > most ? nearest : most;
        straightest = along < straightest ? along : straightest;
    }
    double volume = volume_of(&s) / (20 * spacing * spacing * spacing);
    printf("between %.3f and %.3f spacings, volume %.3f\n", least, most, volume);
    CHECK(least > 0.6 && most < 0.7);
    CHECK(straightest > 0.999);
    CHECK_NEAR(volume, 1, 0.05);
    sn_io_liquid_destroy(made);
    free(l);
}

/* Elsewhere it is the same surface elsewhere, and the order of particles does not matter much. */
TEST(places_far_from_the_origin_are_no_different) {
    liquid *near = calloc(1, sizeof *near), *far = calloc(1, sizeof *far);
    const int count[3] = {6, 5, 4};
    add_box(near, count, (sn_vec3){0, 0, 0});
    add_box(far, count, (sn_vec3){64, -128, 32});
    sn_io_liquid *one = make(), *two = make();
    sn_io_shape a = surface_of(one, &near->shape), b = surface_of(two, &far->shape);
    CHECK(a.triangle_count > 100);
    CHECK_NEAR(volume_of(&b) / volume_of(&a), 1, sizeof(sn_real) == 4 ? 2e-3 : 1e-9);
    sn_io_liquid_destroy(one);
    sn_io_liquid_destroy(two);
    free(near);
    free(far);
}

TEST(what_cannot_be_drawn_is_left_out) {
    liquid *l = calloc(1, sizeof *l);
    const int count[3] = {3, 3, 3};
    add_box(l, count, (sn_vec3){0, 0, 0});
    sn_io_liquid *made = make();
    sn_io_shape s = surface_of(made, &l->shape);
    size_t triangles = s.triangle_count;
    const int one[3] = {1, 1, 1};
    for (int i = 0; i < 4; i++) add_box(l, one, (sn_vec3){0, 0, 0});
    l->at[27].x = (sn_real)NAN;
    l->at[28].y = SN_REAL_MAX;
    l->at[29].z = (sn_real)-3e8;
    l->radii[30] = 0;
    s = surface_of(made, &l->shape);
    CHECK(is_closed(&s));
    CHECK(s.triangle_count == triangles);
    /* None at all are no surface. */
    l->shape.vertex_count = 0;
    s = surface_of(made, &l->shape);
    CHECK(s.vertex_count == 0 && s.triangle_count == 0);
    sn_io_liquid_destroy(made);
    free(l);
}

/* The colours of a surface are those of the particles around it. */
TEST(surfaces_have_the_colours_of_particles) {
    liquid *l = calloc(1, sizeof *l);
    sn_vec3 *colours = calloc(MOST, sizeof *colours);
    const int count[3] = {16, 6, 6};
    add_box(l, count, (sn_vec3){0, 0, 0});
    for (size_t i = 0; i < l->shape.vertex_count; i++)
        colours[i] = (sn_vec3){l->at[i].x < (sn_real)(7.5 * spacing), 0, 1};
    sn_io_liquid *made = make();
    CHECK(!surface_of(made, &l->shape).colours);
    l->shape.colours = colours;
    sn_io_shape s = surface_of(made, &l->shape);
    size_t between = 0;
    for (size_t i = 0; CHECK(s.colours != NULL) && i < s.vertex_count; i++) {
        double side = (double)s.positions[i].x / spacing - 7.5;
        if (fabs(side) > 2) CHECK_NEAR(s.colours[i].x, side < 0, 1e-6);
        CHECK_NEAR(s.colours[i].z, 1, 1e-6);
        between += s.colours[i].x > (sn_real)0.25 && s.colours[i].x < (sn_real)0.75;
    }
    CHECK(between > 10);
    sn_io_liquid_destroy(made);
    free(colours);
    free(l);
}

TEST(other_shapes_stay_as_they_are) {
    liquid *l = calloc(1, sizeof *l);
    const int count[3] = {3, 3, 3};
    const uint32_t triangles[1][3] = {{0, 1, 2}};
    add_box(l, count, (sn_vec3){0, 0, 0});
    sn_io_liquid *made = make();
    l->look.liquid = false;
    CHECK(surface_of(made, &l->shape).triangle_count == 0);
    l->look.liquid = true;
    l->shape.radii = NULL;
    CHECK(surface_of(made, &l->shape).triangle_count == 0);
    l->shape.radii = l->radii;
    l->shape.triangle_count = 1;
    l->shape.triangles = triangles;
    CHECK(surface_of(made, &l->shape).triangles == triangles);
    l->shape.triangle_count = 0;
    l->shape.look = NULL;
    CHECK(surface_of(made, &l->shape).positions == l->at);
    sn_io_frame frame = {0};
    CHECK(sn_io_liquid_frame(made, NULL, &frame) == SN_ERROR_NULL);
    CHECK(sn_io_liquid_frame(NULL, &frame, &frame) == SN_ERROR_NULL);
    CHECK(sn_io_liquid_create(NULL) == SN_ERROR_NULL);
    sn_io_liquid_destroy(NULL);
    sn_io_liquid_destroy(made);
    free(l);
}

TESTS(RUN(a_block_has_the_volume_of_its_particles), RUN(the_top_of_a_layer_is_flat),
      RUN(drops_are_apart), RUN(drops_are_round), RUN(places_far_from_the_origin_are_no_different),
      RUN(what_cannot_be_drawn_is_left_out), RUN(other_shapes_stay_as_they_are),
      RUN(surfaces_have_the_colours_of_particles))
