/* Distances, fillings and embeddings, against formulas and against what is found the slow way. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "geometry/bvh.h"
#include "geometry/volume/bcc_lattice.h"
#include "mesh_oracle.h"

#define PI 3.14159265358979323846

static const double rounding = sizeof(sn_real) == 4 ? 1e-6 : 1e-12;
static sn_mesh mesh;

/* ---- What the tests are made of ---- */

/* Numbers from 0 to 1 without rhyme. */
static double noise(void) {
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) / 9007199254740992.0;
}

static void make_sphere(uint32_t level, double radius) {
    sn_sphere_def def = sn_sphere_def_default();
    def.level = level;
    def.radius = (sn_real)radius;
    mesh = sn_mesh_default();
    REQUIRE_OK(sn_generate_sphere(&mesh, &def));
}

static void make_torus(void) {
    sn_torus_def def = sn_torus_def_default();
    mesh = sn_mesh_default();
    REQUIRE_OK(sn_generate_torus(&mesh, &def));
}

static void make_box(double x, double y, double z) {
    sn_box_def def = sn_box_def_default();
    def.extent = (sn_vec3){(sn_real)x, (sn_real)y, (sn_real)z};
    def.cells[0] = 3;
    def.cells[1] = 2;
    def.cells[2] = 5;
    mesh = sn_mesh_default();
    REQUIRE_OK(sn_generate_box(&mesh, &def));
}

/* The signed distance from a box about the origin. */
static double box_distance(sn_point x, double a, double b, double c) {
    double dx = fabs(x.x) - a / 2, dy = fabs(x.y) - b / 2, dz = fabs(x.z) - c / 2;
    double inside = fmax(dx, fmax(dy, dz));
    sn_point out = {fmax(dx, 0), fmax(dy, 0), fmax(dz, 0)};
    return inside < 0 ? inside : sn_point_length(out);
}

static sn_point grid_point(const sn_sdf_view *view, size_t i) {
    size_t n = view->points[0], m = view->points[1];
    double h = (double)view->spacing;
    return (sn_point){(double)view->low.x + (double)(i % n) * h,
                      (double)view->low.y + (double)(i / n % m) * h,
                      (double)view->low.z + (double)(i / n / m) * h};
}

/* ---- Distances ---- */

TEST(distances_from_a_box_are_those_of_the_formula) {
    make_box(1, 0.5, 2);
    sn_sdf_def def = sn_sdf_def_default();
    def.spacing = (sn_real)0.0625;
    def.margin = (sn_real)0.3;
    sn_sdf *field;
    REQUIRE_OK(sn_sdf_create(&mesh, &def, &field));
    sn_sdf_view view;
    REQUIRE_OK(sn_sdf_get(field, &view));
    CHECK((double)view.low.x <= -0.8 && (double)view.high.z >= 1.3);
    size_t count = (size_t)view.points[0] * view.points[1] * view.points[2];
    double worst = 0;
    for (size_t i = 0; i < count; i++) {
        double error = fabs((double)view.values[i] - box_distance(grid_point(&view, i), 1, 0.5, 2));
        if (error > worst) worst = error;
    }
    CHECK_NEAR(worst, 0, 2 * rounding);
    sn_sdf_free(field);
    sn_mesh_free(&mesh);
}

TEST(distances_from_a_sphere_converge) {
    double before = 0;
    for (uint32_t level = 1; level <= 4; level++) {
        make_sphere(level, 1);
        sn_sdf *field;
        sn_sdf_def def = sn_sdf_def_default();
        def.spacing = (sn_real)0.1;
        REQUIRE_OK(sn_sdf_create(&mesh, &def, &field));
        sn_sdf_view view;
        REQUIRE_OK(sn_sdf_get(field, &view));
        size_t count = (size_t)view.points[0] * view.points[1] * view.points[2];
        double worst = 0;
        for (size_t i = 0; i < count; i++) {
            double exact = sn_point_length(grid_point(&view, i)) - 1;
            worst = fmax(worst, fabs((double)view.values[i] - exact));
        }
        check_case("level %u: off by %g", level, worst);
        if (level > 1) CHECK_REL(before / worst, 4, 0.25);
        before = worst;
        sn_sdf_free(field);
        sn_mesh_free(&mesh);
    }
}

/* The solid angle under which a point sees the surface, in whole spheres: 1 inside, 0 outside. */
static double winding(sn_point x) {
    double sum = 0;
    for (size_t t = 0; t < mesh.triangle_count; t++) {
        sn_point v[3];
        double l[3];
        for (int k = 0; k < 3; k++) {
            v[k] = sn_point_sub(sn_mesh_point(&mesh, mesh.triangles[t][k]), x);
            l[k] = sn_point_length(v[k]);
        }
        double det = sn_point_dot(v[0], sn_point_cross(v[1], v[2]));
        double div = l[0] * l[1] * l[2] + sn_point_dot(v[0], v[1]) * l[2] +
                     sn_point_dot(v[1], v[2]) * l[0] + sn_point_dot(v[2], v[0]) * l[1];
        sum += 2 * atan2(det, div);
    }
    return sum / (4 * PI);
}

/* The distance to the surface by points on it; never less than the true one. */
static double sampled_distance(sn_point x) {
    double nearest = INFINITY;
    for (size_t t = 0; t < mesh.triangle_count; t++)
        for (int i = 0; i <= 24; i++)
            for (int j = 0; i + j <= 24; j++) {
                sn_point y = {0, 0, 0};
                const double share[3] = {(24 - i - j) / 24.0, i / 24.0, j / 24.0};
                for (int k = 0; k < 3; k++)
                    y = sn_point_add(
                        y, sn_point_scaled(sn_mesh_point(&mesh, mesh.triangles[t][k]), share[k]));
                double here = sn_point_length(sn_point_sub(y, x));
                if (here < nearest) nearest = here;
            }
    return nearest;
}

TEST(distances_and_sides_agree_with_what_is_found_the_slow_way) {
    make_torus();
    for (size_t i = 0; i < mesh.vertex_count; i++) {
        mesh.positions[i].x += (sn_real)(0.03 * noise());
        mesh.positions[i].y += (sn_real)(0.03 * noise());
    }
    sn_solid solid;
    REQUIRE_OK(sn_solid_create(&solid, "test", &mesh));
    for (int i = 0; i < 60; i++) {
        sn_point x = {1.6 * noise() - 0.8, 0.6 * noise() - 0.3, 1.6 * noise() - 0.8};
        double distance = sn_solid_distance(&solid, x, NULL), slow = sampled_distance(x);
        check_case("%g %g %g", x.x, x.y, x.z);
        CHECK(fabs(distance) <= slow + 1e-12 && slow * slow <= distance * distance + 1e-4);
        CHECK((distance < 0) == (winding(x) > 0.5));
        /* Wherever the search begins, the result is the same. */
        uint32_t first = (uint32_t)(noise() * (double)mesh.triangle_count), hint = first;
        CHECK(sn_solid_distance(&solid, x, &hint) == distance);
        uint32_t again = hint;
        CHECK(sn_solid_distance(&solid, x, &again) == distance && again == hint);
    }
    for (int i = 0; i < 3000; i++) {
        sn_point x = {1.6 * noise() - 0.8, 0.6 * noise() - 0.3, 1.6 * noise() - 0.8};
        CHECK((sn_solid_distance(&solid, x, NULL) < 0) == (winding(x) > 0.5));
    }
    sn_solid_free(&solid);
    sn_mesh_free(&mesh);
}

TEST(samples_are_interpolated_and_their_gradient_is_the_derivative) {
    make_torus();
    sn_sdf *field;
    sn_sdf_def def = sn_sdf_def_default();
    REQUIRE_OK(sn_sdf_create(&mesh, &def, &field));
    sn_sdf_view view;
    REQUIRE_OK(sn_sdf_get(field, &view));
    sn_real d, e;
    sn_vec3 g;
    for (size_t i = 0; i < 5000; i += 37) {
        CHECK_OK(sn_sdf_sample(field, sn_point_vec3(grid_point(&view, i)), &d, NULL));
        CHECK_NEAR(d, view.values[i], 4 * rounding);
    }
    for (int i = 0; i < 200; i++) {
        sn_point x = {1.5 * noise() - 0.75, 0.5 * noise() - 0.25, 1.5 * noise() - 0.75};
        sn_vec3 at = sn_point_vec3(x), next = at;
        REQUIRE_OK(sn_sdf_sample(field, at, &d, &g));
        next.y += (sn_real)1e-3;
        REQUIRE_OK(sn_sdf_sample(field, next, &e, NULL));
        /* Within a cell it is linear along an axis; across a border it may bend. */
        CHECK_NEAR(((double)e - (double)d) / 1e-3, g.y, 0.35);
        double length = sqrt((double)(g.x * g.x + g.y * g.y + g.z * g.z));
        CHECK(length < 1.2);
    }
    REQUIRE_OK(sn_sdf_sample(field, (sn_vec3){10, 0, 0}, &d, &g));
    CHECK_NEAR(d, 9.3, 0.05);
    CHECK_NEAR(g.x, 1, 1e-6);
    CHECK_FAILS(sn_sdf_sample(field, (sn_vec3){(sn_real)NAN, 0, 0}, &d, &g), SN_ERROR_VALUE);
    sn_sdf_free(field);
    sn_sdf_free(NULL);
    sn_mesh_free(&mesh);
}

/* ---- What is refused ---- */

static void check_refused(const char *part) {
    sn_sdf *field = NULL;
    sn_sdf_def def = sn_sdf_def_default();
    CHECK_FAILS(sn_sdf_create(&mesh, &def, &field), SN_ERROR_DEGENERATE);
    CHECK(field == NULL && strstr(sn_last_error(), part) != NULL);
    sn_mesh tets = sn_mesh_default();
    sn_fill_def fill = sn_fill_def_default();
    CHECK_FAILS(sn_mesh_fill(&mesh, &fill, &tets), SN_ERROR_DEGENERATE);
    if (!CHECK(strstr(sn_last_error(), part) != NULL)) printf("        %s\n", sn_last_error());
    CHECK(tets.vertex_count == 0);
}

TEST(surfaces_that_are_not_closed_are_refused) {
    mesh = sn_mesh_default();
    check_refused("has no triangles");
    sn_grid_def grid = sn_grid_def_default();
    REQUIRE_OK(sn_generate_grid(&mesh, &grid));
    check_refused("80 edges belong to one triangle only");
    sn_mesh_free(&mesh);
    make_sphere(2, 1);
    mesh.triangle_count--;
    check_refused("3 edges belong to one triangle only");
    mesh.triangle_count++;
    uint32_t moved = mesh.triangles[7][0];
    mesh.triangles[7][0] = mesh.triangles[7][1];
    mesh.triangles[7][1] = moved;
    check_refused("face different sides");
    for (size_t t = 0; t < mesh.triangle_count; t++) {
        if (t == 7) continue;
        moved = mesh.triangles[t][0];
        mesh.triangles[t][0] = mesh.triangles[t][1];
        mesh.triangles[t][1] = moved;
    }
    check_refused("faces outward");
    sn_mesh_free(&mesh);
}

TEST(nonsense_is_refused_with_a_sentence) {
    make_sphere(1, 1);
    sn_sdf *field = NULL;
    sn_sdf_def def = sn_sdf_def_default();
    def.spacing = 0;
    CHECK_FAILS(sn_sdf_create(&mesh, &def, &field), SN_ERROR_VALUE);
    def.spacing = (sn_real)1e-4;
    CHECK_FAILS(sn_sdf_create(&mesh, &def, &field), SN_ERROR_LIMIT);
    def.spacing = SN_AUTO;
    def.margin = -1;
    CHECK_FAILS(sn_sdf_create(&mesh, &def, &field), SN_ERROR_VALUE);
    sn_mesh tets = sn_mesh_default();
    sn_fill_def fill = sn_fill_def_default();
    fill.spacing = (sn_real)NAN;
    CHECK_FAILS(sn_mesh_fill(&mesh, &fill, &tets), SN_ERROR_VALUE);
    fill.spacing = (sn_real)1e-3;
    CHECK_FAILS(sn_mesh_fill(&mesh, &fill, &tets), SN_ERROR_LIMIT);
    fill.spacing = SN_AUTO;
    fill.kind = (sn_fill_kind)5;
    CHECK_FAILS(sn_mesh_fill(&mesh, &fill, &tets), SN_ERROR_VALUE);
    fill.kind = SN_FILL_CUBES;
    fill.levels = 7;
    CHECK_FAILS(sn_mesh_fill(&mesh, &fill, &tets), SN_ERROR_VALUE);
    fill.kind = SN_FILL_FITTED;
    fill.levels = 1;
    CHECK_FAILS(sn_mesh_fill(&mesh, &fill, &tets), SN_ERROR_VALUE);
    sn_embedding embedding = sn_embedding_default();
    CHECK_FAILS(sn_embed(&mesh, &tets, &embedding), SN_ERROR_DEGENERATE);
    sn_tet_quality quality;
    CHECK_FAILS(sn_mesh_quality(&tets, &quality), SN_ERROR_VALUE);
    CHECK(field == NULL && tets.vertex_count == 0 && embedding.count == 0);
    sn_mesh_free(&mesh);
}

/* One vertex that is drawn through the whole surface: where that cuts itself the inside is beside
   the outside far from any triangle, and the search for a cut point there never ended. */
TEST(surfaces_that_cut_themselves_are_filled) {
    for (int v = 5; v <= 20; v += 15) {
        make_sphere(2, 1);
        sn_vec3 *p = &mesh.positions[v];
        *p = (sn_vec3){-40 * p->x, -40 * p->y, -40 * p->z};
        sn_mesh tets = sn_mesh_default();
        sn_fill_def fill = sn_fill_def_default();
        fill.spacing = (sn_real)0.4;
        sn_result result = sn_mesh_fill(&mesh, &fill, &tets);
        CHECK(result == SN_OK ? tets.tet_count > 0 : sn_last_error()[0] != 0);
        sn_mesh_free(&tets);
        sn_mesh_free(&mesh);
    }
}

/* ---- Lattices ---- */

/* Fills the mesh and checks what holds for every filling. */
static sn_mesh filled(sn_fill_kind kind, double spacing, sn_tet_quality *quality) {
    sn_mesh tets = sn_mesh_default();
    sn_fill_def def = sn_fill_def_default();
    def.kind = kind;
    def.spacing = (sn_real)spacing;
    REQUIRE_OK(sn_mesh_fill(&mesh, &def, &tets));
    REQUIRE_OK(sn_mesh_quality(&tets, quality));
    look l = look_at(&tets);
    CHECK(l.smallest_tet > 0 && l.boundary == 0);
    CHECK_REL(l.volume, l.tet_volume, 1e-4);
    return tets;
}

/* How far the embedded points are from where they were, over the size of all of it. */
static double rest_error(const sn_mesh *tets, const sn_embedding *embedding) {
    sn_vec3 *points = malloc(mesh.vertex_count * sizeof *points);
    if (!points) abort();
    REQUIRE_OK(sn_embedding_apply(embedding, tets->positions, points));
    double worst = 0;
    for (size_t i = 0; i < mesh.vertex_count; i++)
        worst = fmax(worst, sn_point_length(sn_point_sub(sn_point_of(points[i]),
                                                         sn_mesh_point(&mesh, (uint32_t)i))));
    free(points);
    return worst;
}

static double lowest_weight(const sn_embedding *embedding) {
    double lowest = 1;
    for (size_t i = 0; i < 4 * embedding->count; i++)
        lowest = fmin(lowest, (double)embedding->weights[i / 4][i % 4]);
    return lowest;
}

TEST(a_lattice_covers_the_surface_and_has_one_shape) {
    for (int shape = 0; shape < 4; shape++) {
        check_case("shape %d", shape);
        if (shape == 0) make_sphere(3, 1);
        if (shape == 1) make_torus();
        if (shape == 2) make_box(1, 0.01, 2); /* much thinner than the lattice */
        if (shape == 3) make_box(1, 2, 3);
        sn_tet_quality quality;
        sn_mesh tets = filled(SN_FILL_LATTICE, 0.13, &quality);
        CHECK_NEAR(quality.lowest_ratio, 0.9524, 1e-3);
        CHECK_NEAR(quality.mean_ratio, 0.9524, 1e-3);
        CHECK_NEAR(quality.lowest_angle * 180 / PI, 60, 0.05);
        CHECK_NEAR(quality.highest_angle * 180 / PI, 90, 0.05);
        double inside, around;
        REQUIRE_OK(sn_mesh_volume(&mesh, &inside));
        REQUIRE_OK(sn_mesh_tet_volume(&tets, &around));
        CHECK(around > inside);
        sn_embedding embedding = sn_embedding_default();
        REQUIRE_OK(sn_embed(&mesh, &tets, &embedding));
        CHECK(embedding.count == mesh.vertex_count && lowest_weight(&embedding) > -1e-5);
        CHECK(rest_error(&tets, &embedding) < 1e-5);
        sn_embedding_free(&embedding);
        sn_mesh_free(&tets);
        sn_mesh_free(&mesh);
    }
}

TEST(no_tetrahedron_of_a_lattice_is_outside) {
    make_torus();
    sn_tet_quality quality;
    sn_mesh tets = filled(SN_FILL_LATTICE, 0.1, &quality);
    sn_solid solid;
    REQUIRE_OK(sn_solid_create(&solid, "test", &mesh));
    for (size_t t = 0; t < tets.tet_count; t++) {
        double nearest = INFINITY;
        for (int k = 0; k < 4; k++)
            nearest = fmin(nearest,
                           sn_solid_distance(&solid, sn_mesh_point(&tets, tets.tets[t][k]), NULL));
        CHECK(nearest < 0.56 * 0.1);
    }
    sn_solid_free(&solid);
    sn_mesh_free(&tets);
    sn_mesh_free(&mesh);
}

/* Cubes that are joined inside fill what the small ones fill, with the same surface; tetrahedra fit
   together, or their surface would have more triangles. */
TEST(joined_cubes_fill_the_same) {
    make_sphere(3, 1);
    sn_tet_quality quality;
    sn_mesh small = filled(SN_FILL_CUBES, 0.05, &quality);
    look before = look_at(&small);
    for (uint32_t levels = 1; levels <= 3; levels++) {
        sn_mesh tets = sn_mesh_default();
        sn_fill_def def = sn_fill_def_default();
        def.kind = SN_FILL_CUBES;
        def.spacing = (sn_real)0.05;
        def.levels = levels;
        REQUIRE_OK(sn_mesh_fill(&mesh, &def, &tets));
        REQUIRE_OK(sn_mesh_quality(&tets, &quality));
        look l = look_at(&tets);
        check_case("%u levels: %zu of %zu vertices, least ratio %g", levels, tets.vertex_count,
                   small.vertex_count, quality.lowest_ratio);
        CHECK(l.smallest_tet > 0 && l.boundary == 0 && l.crowded == before.crowded);
        CHECK(tets.triangle_count == small.triangle_count);
        CHECK_REL(l.tet_volume, before.tet_volume, 1e-5);
        CHECK_REL(l.area, before.area, 1e-5);
        CHECK((double)tets.vertex_count < 0.55 * (double)small.vertex_count);
        CHECK(quality.lowest_ratio > 0.3);
        sn_mesh_free(&tets);
    }
    sn_mesh_free(&small);
    sn_mesh_free(&mesh);
}

/* Narrow beside a plane, and wider by as much as it is further from it. */
static sn_real width_by_plane(void *user, sn_vec3 place) {
    ++*(size_t *)user;
    return (sn_real)fabs((double)place.x - 0.3);
}

/* How far a tetrahedron reaches along an axis, and its middle. */
static double reach_of(const sn_mesh *tets, size_t t, sn_point *middle) {
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    *middle = (sn_point){0, 0, 0};
    for (int k = 0; k < 4; k++) {
        sn_point x = sn_mesh_point(tets, tets->tets[t][k]);
        const double at[3] = {x.x, x.y, x.z};
        *middle = sn_point_add(*middle, sn_point_scaled(x, 0.25));
        for (int a = 0; a < 3; a++) {
            low[a] = fmin(low[a], at[a]);
            high[a] = fmax(high[a], at[a]);
        }
    }
    return fmax(fmax(high[0] - low[0], high[1] - low[1]), high[2] - low[2]);
}

/* Leaves are as wide as the surface allows, as the grading does, or as a function does. Both are
   asked at the middles of the smallest cubes, no further than sqrt(3) / 2 of their side from any
   point of them. */
TEST(cubes_are_joined_where_they_may_be) {
    const double spacing = 0.05, off = 0.87 * spacing, grading = 1.5;
    size_t vertices[3], asked = 0;
    make_box(1.6, 1.6, 1.6);
    sn_solid solid;
    REQUIRE_OK(sn_solid_create(&solid, "test", &mesh));
    for (int how = 0; how < 3; how++) {
        sn_mesh tets = sn_mesh_default();
        sn_fill_def def = sn_fill_def_default();
        double widest = 0, volume = 0;
        def.kind = SN_FILL_CUBES;
        def.spacing = (sn_real)spacing;
        def.levels = 3;
        if (how == 1) def.grading = (sn_real)grading;
        if (how == 2) def.width = width_by_plane;
        def.user = &asked;
        REQUIRE_OK(sn_mesh_fill(&mesh, &def, &tets));
        vertices[how] = tets.vertex_count;
        for (size_t t = 0; t < tets.tet_count; t++) {
            sn_point x;
            double reach = reach_of(&tets, t, &x), most = INFINITY;
            widest = fmax(widest, reach);
            if (how == 1) most = (off - sn_solid_distance(&solid, x, NULL)) / grading;
            if (how == 2) most = fabs(x.x - 0.3) + off;
            CHECK(reach < 1.01 * spacing || reach < most * 1.0001);
        }
        REQUIRE_OK(sn_mesh_tet_volume(&tets, &volume));
        check_case("how %d: %zu vertices, leaves up to %g m, %zu asked", how, tets.vertex_count,
                   widest, asked);
        CHECK_REL(volume, 1.6 * 1.6 * 1.6, 0.2);
        CHECK(widest > 3.9 * spacing);
        sn_mesh_free(&tets);
    }
    CHECK(vertices[1] > vertices[0] + 50 && vertices[2] > vertices[0] + 50 && asked > 30000);
    sn_mesh tets = sn_mesh_default();
    sn_fill_def def = sn_fill_def_default();
    def.kind = SN_FILL_CUBES;
    def.spacing = (sn_real)spacing;
    def.grading = 1;
    CHECK_FAILS(sn_mesh_fill(&mesh, &def, &tets), SN_ERROR_VALUE);
    def.grading = -1;
    def.levels = 1;
    CHECK_FAILS(sn_mesh_fill(&mesh, &def, &tets), SN_ERROR_VALUE);
    sn_solid_free(&solid);
    sn_mesh_free(&mesh);
}

TEST(an_embedding_follows_affine_maps) {
    make_torus();
    sn_tet_quality quality;
    sn_mesh tets = filled(SN_FILL_LATTICE, 0.1, &quality);
    sn_embedding embedding = sn_embedding_default();
    REQUIRE_OK(sn_embed(&mesh, &tets, &embedding));
    static const double m[3][4] = {{1.5, 0.5, -0.25, 3}, {0, 0.75, 0.5, -1}, {0.25, -1, 2, 0.5}};
    for (int pass = 0; pass < 2; pass++) {
        sn_mesh *moved = pass ? &tets : &mesh;
        for (size_t i = 0; i < moved->vertex_count; i++) {
            double x[3] = {(double)moved->positions[i].x, (double)moved->positions[i].y,
                           (double)moved->positions[i].z},
                   y[3];
            for (int k = 0; k < 3; k++)
                y[k] = m[k][0] * x[0] + m[k][1] * x[1] + m[k][2] * x[2] + m[k][3];
            moved->positions[i] = (sn_vec3){(sn_real)y[0], (sn_real)y[1], (sn_real)y[2]};
        }
    }
    CHECK_NEAR(rest_error(&tets, &embedding), 0, 4 * rounding);
    sn_embedding_free(&embedding);
    sn_mesh_free(&tets);
    sn_mesh_free(&mesh);
}

/* ---- Conforming ---- */

TEST(a_conforming_filling_has_the_shape_of_the_surface) {
    double before = 0;
    make_sphere(5, 1);
    double exact;
    REQUIRE_OK(sn_mesh_volume(&mesh, &exact));
    for (int n = 8; n <= 32; n *= 2) {
        sn_tet_quality quality;
        sn_mesh tets = filled(SN_FILL_CONFORMING, 2.0 / n, &quality);
        double volume;
        REQUIRE_OK(sn_mesh_tet_volume(&tets, &volume));
        double error = fabs(volume / exact - 1);
        check_case("%d cubes: off by %g", n, error);
        CHECK(n == 8 || before / error > 3);
        CHECK(quality.lowest_angle * 180 / PI > 15 && quality.highest_angle * 180 / PI < 150);
        before = error;
        sn_mesh_report report = sn_mesh_report_default();
        REQUIRE_OK(sn_mesh_check(&tets, &report));
        CHECK(report.closed && report.piece_count == 1 && report.pieces[0].genus == 0);
        sn_mesh_free(&tets);
    }
    CHECK(before < 0.003);
    sn_mesh_free(&mesh);
    make_torus();
    sn_tet_quality quality;
    sn_mesh tets = filled(SN_FILL_CONFORMING, 0.05, &quality);
    sn_mesh_report report = sn_mesh_report_default();
    REQUIRE_OK(sn_mesh_check(&tets, &report));
    CHECK(report.closed && report.piece_count == 1 && report.pieces[0].genus == 1);
    CHECK(report.tet_pieces == 1);
    sn_mesh_free(&tets);
    sn_mesh_free(&mesh);
}

TEST(angles_stay_within_bounds_for_any_surface) {
    /* Numbers that put cut points where points are just moved, or just not. */
    static const double values[12] = {1,      0.6598, 0.4035, 0.2662, 0.4353, 0.1628,
                                      0.2872, 0.1757, 0.5,    0.9,    0.05,   0.3};
    sn_lattice lattice = {.cubes = {8, 8, 8}, .spacing = 1, .corner_count = 729};
    lattice.point_count = 729 + 512;
    lattice.memory.allocator = sn_allocator_default();
    static double distance[729 + 512];
    lattice.distance = distance;
    double lowest = PI, highest = 0;
    for (int turn = 0; turn < 150; turn++) {
        for (uint32_t i = 0; i < lattice.point_count; i++) {
            double value = values[(int)(12 * noise())] * (1 + 0.004 * (noise() - 0.5));
            int32_t at[3];
            sn_lattice_place(&lattice, i, at);
            bool border = false;
            for (int k = 0; k < 3; k++) border |= at[k] < 2 || at[k] > 14;
            distance[i] = 0.9 * (!border && noise() < 0.5 ? -value : value);
        }
        sn_mesh tets = sn_mesh_default();
        REQUIRE_OK(sn_lattice_stuff(&lattice, &tets));
        REQUIRE_OK(sn_mesh_surface(&tets));
        sn_tet_quality quality;
        REQUIRE_OK(sn_mesh_quality(&tets, &quality));
        lowest = fmin(lowest, quality.lowest_angle);
        highest = fmax(highest, quality.highest_angle);
        look l = look_at(&tets);
        CHECK(l.smallest_tet > 0.001 && l.boundary == 0);
        CHECK_REL(l.volume, l.tet_volume, 1e-4);
        sn_mesh_free(&tets);
    }
    check_case("from %g to %g degrees", lowest * 180 / PI, highest * 180 / PI);
    CHECK(lowest * 180 / PI > 10.7 && highest * 180 / PI < 164.8);
}

/* ---- The tree ---- */

static sn_bounds boxes[2000];

static double box_square(void *user, uint32_t item, sn_point x) {
    (void)user;
    sn_point d = sn_point_sub(x, boxes[item].low);
    return sn_point_dot(d, d);
}

static bool count_item(void *user, uint32_t item) {
    (void)item;
    ++*(size_t *)user;
    return true;
}

TEST(the_tree_finds_what_a_loop_finds) {
    for (int turn = 0; turn < 4; turn++) {
        check_case("turn %d", turn);
        for (size_t i = 0; i < 2000; i++) {
            /* Spread, in a plane, all in one place, and one far away from all others. */
            sn_point x = {noise(), turn == 1 ? 0 : noise(), noise()};
            if (turn == 2) x = (sn_point){1, 2, 3};
            if (turn == 3 && i == 1234) x.x = 1e30;
            boxes[i] = (sn_bounds){x, x};
        }
        sn_memory memory = {.allocator = sn_allocator_default()};
        sn_bvh bvh;
        REQUIRE_OK(sn_bvh_create(&bvh, &memory, boxes, 2000));
        for (int pass = 0; pass < 2; pass++) {
            for (int i = 0; i < 50; i++) {
                sn_point x = {noise(), noise(), noise()};
                double nearest = INFINITY, found;
                for (uint32_t k = 0; k < 2000; k++) nearest = fmin(nearest, box_square(NULL, k, x));
                CHECK(sn_bvh_nearest(&bvh, x, INFINITY, box_square, NULL, &found) < 2000);
                CHECK(found == nearest);
                size_t inside = 0, counted = 0;
                sn_bounds box = {x, sn_point_add(x, (sn_point){0.2, 3, 3})};
                for (int k = 0; k < 2000; k++)
                    inside += sn_bounds_within(boxes[k], box) || sn_bounds_within(box, boxes[k]);
                sn_bvh_overlap(&bvh, box, count_item, &counted);
                CHECK(counted >= inside && (turn == 2 || counted < 1000));
            }
            /* Moved items are found where they are now. */
            for (size_t i = 0; i < 2000; i++) boxes[i].low.y = boxes[i].high.y += 0.1 * noise();
            sn_bvh_refit(&bvh, boxes);
        }
        sn_bvh_free(&bvh, &memory);
        CHECK(memory.held == 0);
    }
}

TESTS(RUN(surfaces_that_cut_themselves_are_filled),
      RUN(distances_from_a_box_are_those_of_the_formula), RUN(distances_from_a_sphere_converge),
      RUN(distances_and_sides_agree_with_what_is_found_the_slow_way),
      RUN(samples_are_interpolated_and_their_gradient_is_the_derivative),
      RUN(surfaces_that_are_not_closed_are_refused), RUN(nonsense_is_refused_with_a_sentence),
      RUN(a_lattice_covers_the_surface_and_has_one_shape),
      RUN(no_tetrahedron_of_a_lattice_is_outside), RUN(joined_cubes_fill_the_same),
      RUN(cubes_are_joined_where_they_may_be), RUN(an_embedding_follows_affine_maps),
      RUN(a_conforming_filling_has_the_shape_of_the_surface),
      RUN(angles_stay_within_bounds_for_any_surface), RUN(the_tree_finds_what_a_loop_finds))
