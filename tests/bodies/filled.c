/*
 * A filled solid is what is seen of it: it weighs that, is as stiff as that, and lies on the floor
 * with that, however its tets are laid.
 */
#include "meshed_body.h"

#include <math.h>
#include <stdlib.h>

#include <sinew/volume.h>

static sn_mesh box_mesh(double x, double y, double z) {
    sn_mesh mesh = sn_mesh_default();
    sn_box_def def = sn_box_def_default();
    def.extent = (sn_vec3){(sn_real)x, (sn_real)y, (sn_real)z};
    def.cells[0] = def.cells[1] = def.cells[2] = 10;
    REQUIRE_OK(sn_generate_box(&mesh, &def));
    return mesh;
}

static sn_mesh torus_mesh(double radius, double tube) {
    sn_mesh mesh = sn_mesh_default();
    sn_torus_def def = sn_torus_def_default();
    def.radius = (sn_real)radius;
    def.tube = (sn_real)tube;
    REQUIRE_OK(sn_generate_torus(&mesh, &def));
    return mesh;
}

static sn_mesh fill(const sn_mesh *surface, sn_fill_kind kind, double spacing) {
    sn_mesh tets = sn_mesh_default();
    sn_fill_def def = sn_fill_def_default();
    def.kind = kind;
    def.spacing = (sn_real)spacing;
    REQUIRE_OK(sn_mesh_fill(surface, &def, &tets));
    return tets;
}

/* A filled body, with the surface that is seen. */
typedef struct filled {
    body body;
    sn_mesh surface;
    sn_embedding embedding;
    sn_vec3 *points; /* m, of the surface */
} filled;

static filled filled_make(sn_world *world, const sn_solid_material *m, sn_mesh surface,
                          sn_mesh tets, sn_build_def *def) {
    filled f = {.surface = surface, .embedding = sn_embedding_default()};
    f.points = malloc(surface.vertex_count * sizeof *f.points);
    REQUIRE_OK(f.points ? SN_OK : SN_ERROR_MEMORY);
    REQUIRE_OK(sn_embed(&surface, &tets, &f.embedding));
    def->visible = &surface;
    f.body = body_make(world, SN_KIND_SOLID, m, tets, def);
    return f;
}

static void filled_look(filled *f) {
    size_t count = f->body.mesh.vertex_count;
    sn_vec3 *nodes = malloc(count * sizeof *nodes);
    REQUIRE_OK(nodes ? SN_OK : SN_ERROR_MEMORY);
    for (size_t i = 0; i < count; i++) {
        double x[3];
        body_position(&f->body, i, x);
        nodes[i] = (sn_vec3){(sn_real)x[0], (sn_real)x[1], (sn_real)x[2]};
    }
    REQUIRE_OK(sn_embedding_apply(&f->embedding, nodes, f->points));
    free(nodes);
}

static void filled_free(filled *f) {
    free(f->points);
    sn_embedding_free(&f->embedding);
    sn_mesh_free(&f->surface);
    body_free(&f->body);
}

/* ---- Mass ---- */

static double mass_of(sn_mesh surface, sn_fill_kind kind, double spacing, int model) {
    sn_solid_material m = sn_solid_material_default();
    sn_build_def def = sn_build_def_default();
    sn_mesh tets = fill(&surface, kind, spacing);
    m.model = model;
    filled f = filled_make(still_world(1, 0), &m, surface, tets, &def);
    double mass = f.body.build.mass;
    filled_free(&f);
    return mass;
}

TEST(what_is_seen_is_weighed) {
    static const sn_fill_kind kinds[] = {SN_FILL_LATTICE, SN_FILL_CUBES, SN_FILL_FITTED};
    static const double spacings[] = {0.06, 0.05, 0.033};
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++) {
            check_case("kind %d, spacing %g", kinds[k], spacings[i]);
            CHECK_REL(mass_of(sphere_mesh(0.1, 4), kinds[k], spacings[i], 0), 4.18879, 0.01);
            CHECK_REL(mass_of(box_mesh(0.23, 0.17, 0.31), kinds[k], spacings[i], 1), 12.121, 0.001);
            CHECK_REL(mass_of(torus_mesh(0.2, 0.08), kinds[k], spacings[i], 2), 25.27, 0.04);
        }
}

/* ---- The shape of the tets ---- */

TEST(fitted_tets_have_the_volume_of_what_is_seen) {
    static const double spacings[] = {0.06, 0.05, 0.033, 0.02};
    for (int i = 0; i < 4; i++) {
        sn_mesh surface = sphere_mesh(0.1, 4), tets = fill(&surface, SN_FILL_FITTED, spacings[i]);
        double seen, volume;
        sn_tet_quality quality;
        REQUIRE_OK(sn_mesh_volume(&surface, &seen));
        REQUIRE_OK(sn_mesh_tet_volume(&tets, &volume));
        REQUIRE_OK(sn_mesh_quality(&tets, &quality));
        check_case("spacing %g: angles from %.3g to %.3g", spacings[i], quality.lowest_angle,
                   quality.highest_angle);
        CHECK_REL(volume, seen, 0.015);
        CHECK(quality.lowest_angle > 0.17 && quality.highest_angle < 2.8);
        sn_mesh_free(&surface);
        sn_mesh_free(&tets);
    }
}

/* A plate that no point of the lattice is in is covered, as by a lattice. */
TEST(what_is_thinner_than_the_spacing_is_covered) {
    sn_mesh surface = box_mesh(0.5, 0.01, 0.5), tets = fill(&surface, SN_FILL_FITTED, 0.08);
    sn_mesh lattice = fill(&surface, SN_FILL_LATTICE, 0.08);
    CHECK(tets.tet_count == lattice.tet_count && tets.vertex_count == lattice.vertex_count);
    sn_mesh_free(&lattice);
    sn_mesh_free(&tets);
    sn_mesh_free(&surface);
}

/* ---- On the floor ---- */

static double lowest_on_floor(sn_mesh surface, double spacing, double height) {
    sn_solid_material m = sn_solid_material_default();
    sn_build_def def = sn_build_def_default();
    sn_collider_def floor = sn_collider_def_default();
    sn_collider collider;
    sn_world *world = still_world(20, 5);
    sn_settings settings;
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.gravity = (sn_vec3){0, (sn_real)-9.81, 0};
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    REQUIRE_OK(sn_collider_create(world, &floor, &collider));
    m.young = (sn_real)2e5;
    def.position.y = (sn_real)height;
    filled f = filled_make(world, &m, surface, fill(&surface, SN_FILL_FITTED, spacing), &def);
    body_run(&f.body, 150, 1.0 / 60);
    filled_look(&f);
    double lowest = INFINITY;
    for (size_t i = 0; i < f.surface.vertex_count; i++)
        lowest = fmin(lowest, (double)f.points[i].y);
    filled_free(&f);
    return lowest;
}

/* Within 2.5 % of the spacing; with whole tets of a lattice there were 6 to 45 mm between them. */
TEST(what_is_seen_lies_on_the_floor) {
    CHECK_NEAR(lowest_on_floor(sphere_mesh(0.1, 4), 0.05, 0.11), 0, 0.00125);
    CHECK_NEAR(lowest_on_floor(box_mesh(0.2, 0.2, 0.2), 0.05, 0.11), 0, 0.00125);
    CHECK_NEAR(lowest_on_floor(torus_mesh(0.2, 0.08), 0.05, 0.09), 0, 0.00125);
    CHECK_NEAR(lowest_on_floor(box_mesh(0.23, 0.17, 0.31), 0.05, 0.09), 0, 0.00125);
}

/* ---- Stiffness ---- */

/* The mean height of the vertices that are at a height of the surface at rest. */
static double height_of(const filled *f, double rest) {
    double sum = 0, count = 0;
    for (size_t i = 0; i < f->surface.vertex_count; i++)
        if (fabs((double)f->surface.positions[i].y - rest) < 1e-4) {
            sum += (double)f->points[i].y;
            count++;
        }
    return sum / count;
}

/* A bar hangs by its top: between two heights it is longer by rho g (b^2 - a^2) / (2 E), with a and
   b from its lower end. */
static double stretch_of_bar(sn_fill_kind kind, double spacing, int model) {
    static const double length = 0.5;
    sn_solid_material m = sn_solid_material_default();
    sn_build_def def = sn_build_def_default();
    sn_mesh surface = box_mesh(0.13, length, 0.11), tets = fill(&surface, kind, spacing);
    uint32_t *pins = malloc(tets.vertex_count * sizeof *pins);
    REQUIRE_OK(pins ? SN_OK : SN_ERROR_MEMORY);
    for (uint32_t i = 0; i < tets.vertex_count; i++)
        if ((double)tets.positions[i].y > length / 2 - 0.02) pins[def.pin_count++] = i;
    def.pins = pins;
    m.model = model;
    m.young = (sn_real)4e5;
    m.poisson = (sn_real)0.3;
    sn_world *world = still_world(60, 8);
    sn_settings settings;
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.gravity = (sn_vec3){0, (sn_real)-9.81, 0};
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    filled f = filled_make(world, &m, surface, tets, &def);
    free(pins);
    body_run(&f.body, 120, 1.0 / 60);
    filled_look(&f);
    double low = -0.15, high = 0.1, a = low + length / 2, b = high + length / 2;
    double longer = height_of(&f, high) - height_of(&f, low) - (high - low);
    filled_free(&f);
    return longer / (1000 * 9.81 * (b * b - a * a) / (2 * 4e5));
}

/* The numbers of a solid of edges depend on the mesh. */
TEST(a_filled_bar_is_as_stiff_as_its_material) {
    static const sn_fill_kind kinds[] = {SN_FILL_LATTICE, SN_FILL_FITTED};
    static const int models[] = {0, 2, 3};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 3; i++) {
            check_case("kind %d, model %d", kinds[k], models[i]);
            CHECK_NEAR(stretch_of_bar(kinds[k], 0.05, models[i]), 1, 0.05);
        }
}

/* ---- Bad meshes ---- */

TEST(what_is_seen_must_be_closed) {
    sn_solid_material m = sn_solid_material_default();
    sn_build_def def = sn_build_def_default();
    sn_mesh block = block_mesh(1, 1, 1, 1, SN_BLOCK_FIVE);
    sn_mesh open = grid_mesh(1, 1, 2, 2, SN_GRID_ALTERNATING);
    sn_world *world = still_world(1, 0);
    sn_build build;
    def.mesh = &block;
    def.visible = &open;
    CHECK_FAILS(sn_build_body(world, SN_KIND_SOLID, &m, &def, NULL, &build), SN_ERROR_DEGENERATE);
    sn_node_view view;
    REQUIRE_OK(sn_world_nodes(world, &view));
    CHECK(view.count == 0);
    sn_world_destroy(world);
    sn_mesh_free(&block);
    sn_mesh_free(&open);
}

TESTS(RUN(what_is_seen_is_weighed), RUN(fitted_tets_have_the_volume_of_what_is_seen),
      RUN(what_is_thinner_than_the_spacing_is_covered), RUN(what_is_seen_lies_on_the_floor),
      RUN(a_filled_bar_is_as_stiff_as_its_material), RUN(what_is_seen_must_be_closed))
