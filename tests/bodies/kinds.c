/*
 * Every kind of body: what it weighs, which nodes and constraints it gets, where they are and how
 * they move; its presets; and the same bits for any number of threads and any width.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kind_hashes.h"
#include "meshed_body.h"

#define CIRCLE 3.14159265358979323846

/* ---- Weight and number ---- */

/* The mass of a body three ways: as it was built, as the world has it, and by formula. */
static void check_mass(const body *b, double expected) {
    sn_measure m;
    sn_stats stats;
    REQUIRE_OK(sn_world_measure(b->world, &m));
    REQUIRE_OK(sn_world_stats(b->world, &stats));
    CHECK_REL(b->build.mass, expected, 1e-6);
    CHECK_REL(m.mass, expected, 1e-6);
    CHECK(stats.nodes == b->mesh.vertex_count);
    CHECK(stats.constraints == b->build.constraints);
}

TEST(particles_are_balls) {
    sn_particles_material m = sn_particles_material_default();
    m.radius = (sn_real)0.25;
    m.density = 8;
    body b = body_make(still_world(1, 0), SN_KIND_PARTICLES, &m, mesh_for(SN_KIND_PARTICLES), NULL);
    check_mass(&b, 3 * 8 * 4 / 3.0 * CIRCLE * 0.25 * 0.25 * 0.25);
    CHECK(b.build.constraints == 0);
    body_free(&b);
}

/* The mesh is the three points (of particles); the first is nearest to the second. */
TEST(fluids_fill_the_cubes_between_their_points) {
    sn_fluid_material m = sn_fluid_material_default();
    m.density = 8;
    m.viscosity = (sn_real)0.5;
    sn_mesh mesh = mesh_for(SN_KIND_PARTICLES);
    double least = INFINITY;
    for (int i = 1; i < 3; i++) {
        sn_vec3 a = mesh.positions[0], b = mesh.positions[i];
        double x = (double)(a.x - b.x), y = (double)(a.y - b.y), z = (double)(a.z - b.z);
        least = fmin(least, sqrt(x * x + y * y + z * z));
    }
    body b = body_make(still_world(1, 0), SN_KIND_FLUID, &m, mesh, NULL);
    check_mass(&b, 3 * 8 * least * least * least);
    sn_fluid_def def = sn_fluid_def_default();
    REQUIRE_OK(sn_fluid_get(b.world, b.build.fluid, &def));
    CHECK(def.node_count == 3 && def.rest_density == 8 && def.viscosity == m.viscosity);
    sn_node_def node = sn_node_def_default();
    REQUIRE_OK(sn_node_get(b.world, b.nodes[2], &node));
    CHECK_REL(node.radius, least / 2, 1e-6);
    body_free(&b);
}

TEST(ropes_have_a_constraint_per_line) {
    sn_rope_material m = sn_rope_material_default();
    m.radius = (sn_real)0.125;
    m.density = 64;
    body b = body_make(still_world(1, 0), SN_KIND_ROPE, &m, line_mesh(2, 5), NULL);
    check_mass(&b, 2 * 64 * CIRCLE / 64);
    CHECK(count_type(b.world, SN_TYPE_DISTANCE) == 5 && b.build.constraints == 5);
    sn_node_def end = sn_node_def_default(), inner = end;
    REQUIRE_OK(sn_node_get(b.world, b.nodes[0], &end));
    REQUIRE_OK(sn_node_get(b.world, b.nodes[1], &inner));
    CHECK_REL(end.inverse_mass, 2 * (double)inner.inverse_mass, 1e-6);
    CHECK_NEAR(end.radius, 0.125, 0);
    body_free(&b);
}

/* A net branches, and a ring has no end. */
TEST(ropes_may_branch) {
    static const sn_vec3 at[] = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}};
    static const uint32_t lines[][2] = {{0, 1}, {2, 0}, {0, 3}, {1, 2}};
    sn_rope_material m = sn_rope_material_default();
    sn_mesh mesh = points_mesh(at, 4);
    REQUIRE_OK(sn_mesh_add_lines(&mesh, lines, 4));
    body b = body_make(still_world(1, 0), SN_KIND_ROPE, &m, mesh, NULL);
    check_mass(&b, (6 + sqrt(5)) * 1000 * CIRCLE * 0.005 * 0.005);
    CHECK(b.build.constraints == 4);
    body_free(&b);
}

TEST(rods_have_segments_and_joints) {
    sn_rod_material m = sn_rod_material_default();
    m.young = (sn_real)1e6;
    body b = body_make(still_world(1, 0), SN_KIND_ROD, &m, line_mesh(2, 5), NULL);
    check_mass(&b, 2 * 1000 * CIRCLE * 0.005 * 0.005);
    CHECK(count_type(b.world, SN_TYPE_STRETCH_SHEAR) == 5);
    CHECK(count_type(b.world, SN_TYPE_BEND_TWIST) == 4 && b.build.constraints == 9);
    for (size_t i = 0; i < 6; i++) {
        /* The frame of each node has z along the rod, which lies along x. */
        sn_node_def def = sn_node_def_default();
        REQUIRE_OK(sn_node_get(b.world, b.nodes[i], &def));
        sn_quat q = def.orientation;
        CHECK(def.oriented);
        CHECK_NEAR(2 * (double)(q.x * q.z + q.w * q.y), 1, 1e-6);
    }
    body_free(&b);
}

/* At rest in its own shape, whatever that is; a ring has as many joints as lines. */
TEST(rods_rest_in_the_shape_of_their_mesh) {
    enum { SIDES = 12 };
    for (int closed = 0; closed < 2; closed++) {
        sn_mesh mesh = sn_mesh_default();
        for (uint32_t i = 0; i < SIDES; i++) {
            double a = 2 * CIRCLE * i / SIDES;
            sn_vec3 at = {(sn_real)cos(a), (sn_real)sin(a), (sn_real)(closed ? 0 : 0.1 * i)};
            REQUIRE_OK(sn_mesh_add_vertices(&mesh, &at, 1));
        }
        for (uint32_t i = 0; i + !closed < SIDES; i++) {
            const uint32_t line[1][2] = {{i, (i + 1) % SIDES}};
            REQUIRE_OK(sn_mesh_add_lines(&mesh, line, 1));
        }
        sn_rod_material m = sn_rod_material_default();
        m.young = (sn_real)1e6;
        body b = body_make(still_world(20, 0), SN_KIND_ROD, &m, mesh, NULL);
        check_case(closed ? "ring" : "helix");
        CHECK(b.build.constraints == (closed ? 2 * SIDES : 2 * (SIDES - 1) - 1));
        body_run(&b, 20, 0.02);
        for (size_t i = 0; i < SIDES; i++) {
            double x[3];
            body_position(&b, i, x);
            CHECK_NEAR(x[0], b.mesh.positions[i].x, 1e-4);
            CHECK_NEAR(x[1], b.mesh.positions[i].y, 1e-4);
        }
        body_free(&b);
    }
}

/* Edges and inner vertices or edges, by Euler. */
TEST(sheets_have_edges_and_bending) {
    enum { COLUMNS = 6, ROWS = 4, EDGES = 6 * 5 + 7 * 4 + 24, INNER_EDGES = EDGES - 20 };
    static const struct {
        int bending;
        size_t plate, vertex, dihedral, isometric;
    } rows[] = {{0, 15 + 16, 0, 4, 0},
                {1, 0, 15, 4, 0},
                {2, 0, 0, 0, INNER_EDGES},
                {3, 0, 0, INNER_EDGES, 0},
                {4, 15 + 16, 0, 4, 0}};
    for (int i = 0; i < 5; i++) {
        sn_cloth_material m = sn_cloth_material_default();
        m.area_density = 2;
        m.bending_stiffness = 1;
        m.bending = rows[i].bending;
        body b = body_make(still_world(1, 0), SN_KIND_CLOTH, &m,
                           grid_mesh(3, 2, COLUMNS, ROWS, SN_GRID_ALTERNATING), NULL);
        check_case("bending %d", rows[i].bending);
        check_mass(&b, 12);
        CHECK(count_type(b.world, SN_TYPE_DISTANCE) == EDGES);
        CHECK(count_type(b.world, SN_TYPE_PLATE_BENDING) == rows[i].plate);
        CHECK(count_type(b.world, SN_TYPE_VERTEX_BENDING) == rows[i].vertex);
        CHECK(count_type(b.world, SN_TYPE_DIHEDRAL_BENDING) == rows[i].dihedral);
        CHECK(count_type(b.world, SN_TYPE_ISOMETRIC_BENDING) == rows[i].isometric);
        body_free(&b);
    }
}

/* What is curved at rest, and a strip without inner vertices, has hinges at all its edges. */
TEST(sheets_that_are_not_flat_have_hinges) {
    sn_cloth_material m = sn_cloth_material_default();
    m.bending_stiffness = 1;
    body b = body_make(still_world(1, 0), SN_KIND_CLOTH, &m, sphere_mesh(1, 1), NULL);
    CHECK(count_type(b.world, SN_TYPE_DISTANCE) == 120);
    CHECK(count_type(b.world, SN_TYPE_DIHEDRAL_BENDING) == 120 && b.build.constraints == 240);
    body_free(&b);
    b = body_make(still_world(1, 0), SN_KIND_CLOTH, &m, grid_mesh(1, 1, 4, 1, SN_GRID_SAME), NULL);
    CHECK(count_type(b.world, SN_TYPE_DIHEDRAL_BENDING) == 7);
    CHECK(count_type(b.world, SN_TYPE_PLATE_BENDING) == 0);
    body_free(&b);
    m.pressure = 1;
    b = body_make(still_world(1, 0), SN_KIND_CLOTH, &m, sphere_mesh(1, 1), NULL);
    CHECK(count_type(b.world, SN_TYPE_SURFACE_VOLUME) == 1 && b.build.constraints == 241);
    body_free(&b);
}

/* With a ratio of 1/4 the edges are enough. */
TEST(solids_have_edges_and_volumes) {
    static const double ratios[] = {0.25, 0.4, 0.5};
    for (int i = 0; i < 3; i++) {
        sn_solid_material m = sn_solid_material_default();
        m.model = 1;
        m.density = 3;
        m.poisson = (sn_real)ratios[i];
        body b = body_make(still_world(1, 0), SN_KIND_SOLID, &m,
                           block_mesh(2, 2, 2, 2, SN_BLOCK_FIVE), NULL);
        check_case("ratio %g", ratios[i]);
        check_mass(&b, 24);
        /* 54 along the axes, and a diagonal in each of 36 faces. */
        CHECK(count_type(b.world, SN_TYPE_DISTANCE) == 90);
        CHECK(count_type(b.world, SN_TYPE_TET_VOLUME) == (i == 0 ? 0 : 40));
        body_free(&b);
    }
}

/* ---- Places ---- */

/* All kinds are placed alike; the pins stay, and weigh in the sum of the body. */
TEST(bodies_are_placed_turned_scaled_and_moved) {
    static const uint32_t pins[] = {1, 1};
    for (int k = 0; k < SN_KIND_COUNT; k++) {
        sn_build_def def = sn_build_def_default();
        double half = sqrt(0.5);
        max_align_t material[32];
        def.position = (sn_vec3){1, 2, 3};
        /* A quarter turn about z, not of length 1. */
        def.rotation = (sn_quat){0, 0, (sn_real)(3 * half), (sn_real)(3 * half)};
        def.scale = 2;
        def.velocity = (sn_vec3){0, 0, 1};
        def.angular_velocity = (sn_vec3){0, 0, 2};
        def.group = 9;
        def.pins = pins;
        def.pin_count = 2;
        def.body.damping = (sn_real)0.5;
        REQUIRE_OK(sn_kind_default((sn_kind)k, material));
        body b = body_make(still_world(1, 0), (sn_kind)k, material, mesh_for((sn_kind)k), &def);
        check_case("%s", sn_kind_get_info((sn_kind)k)->name);
        for (size_t i = 0; i < b.mesh.vertex_count; i++) {
            sn_node_def node = sn_node_def_default();
            sn_vec3 p = b.mesh.positions[i];
            double x = -2 * (double)p.y, y = 2 * (double)p.x;
            REQUIRE_OK(sn_node_get(b.world, b.nodes[i], &node));
            CHECK_NEAR(node.position.x, 1 + x, 1e-6);
            CHECK_NEAR(node.position.y, 2 + y, 1e-6);
            CHECK_NEAR(node.position.z, 3 + 2 * (double)p.z, 1e-6);
            CHECK_NEAR(node.velocity.x, i == 1 ? 0 : -2 * y, 1e-5);
            CHECK_NEAR(node.velocity.y, i == 1 ? 0 : 2 * x, 1e-5);
            CHECK_NEAR(node.velocity.z, i == 1 ? 0 : 1, 0);
            CHECK(node.group == 9 && (node.inverse_mass == 0) == (i == 1));
            if (!node.oriented) continue;
            CHECK_NEAR(node.angular_velocity.z, i == 1 ? 0 : 2, 1e-5);
            CHECK((node.inverse_inertia.x == 0) == (i == 1));
        }
        sn_body_def made = sn_body_def_default();
        CHECK_OK(sn_body_get(b.world, b.build.body, &made));
        CHECK_NEAR(made.damping, 0.5, 0);
        body_free(&b);
    }
}

/* A scale of 2 is the mesh in that size. */
TEST(a_scaled_body_weighs_what_it_is) {
    static const double powers[] = {0, 1, 1, 2, 3, 3, 0, 3, 1, 3};
    for (int k = 0; k < SN_KIND_COUNT; k++) {
        max_align_t material[32];
        sn_build_def def = sn_build_def_default();
        REQUIRE_OK(sn_kind_default((sn_kind)k, material));
        body one = body_make(still_world(1, 0), (sn_kind)k, material, mesh_for((sn_kind)k), NULL);
        def.scale = 2;
        body two = body_make(still_world(1, 0), (sn_kind)k, material, mesh_for((sn_kind)k), &def);
        check_case("%s", sn_kind_get_info((sn_kind)k)->name);
        CHECK_REL(two.build.mass / one.build.mass, pow(2, powers[k]), 1e-6);
        body_free(&one);
        body_free(&two);
    }
}

/* A body at rest stays where it is. */
TEST(bodies_begin_at_rest) {
    for (int k = 0; k < SN_KIND_COUNT; k++) {
        max_align_t material[32];
        REQUIRE_OK(sn_kind_default((sn_kind)k, material));
        body b = body_make(still_world(10, 0), (sn_kind)k, material, mesh_for((sn_kind)k), NULL);
        body_run(&b, 30, 1.0 / 60);
        check_case("%s", sn_kind_get_info((sn_kind)k)->name);
        for (size_t i = 0; i < b.mesh.vertex_count; i++) {
            double x[3];
            body_position(&b, i, x);
            CHECK_NEAR(x[0], b.mesh.positions[i].x, 1e-5);
            CHECK_NEAR(x[1], b.mesh.positions[i].y, 1e-5);
            CHECK_NEAR(x[2], b.mesh.positions[i].z, 1e-5);
        }
        body_free(&b);
    }
}

/* What is curved at rest has no stress, and a ring no end. */
TEST(curved_rods_begin_at_rest) {
    for (int ring = 0; ring < 2; ring++) {
        sn_rod_material m = sn_rod_material_default();
        sn_mesh mesh = sn_mesh_default();
        sn_helix_def helix = sn_helix_def_default();
        helix.turns = 2;
        helix.segments = 40;
        m.young = (sn_real)1e7;
        REQUIRE_OK(ring ? sn_generate_ring(&mesh, (sn_real)0.1, 24)
                        : sn_generate_helix(&mesh, &helix));
        body b = body_make(still_world(10, 0), SN_KIND_ROD, &m, mesh, NULL);
        check_case("%s", ring ? "ring" : "helix");
        CHECK(b.build.constraints == (ring ? 48u : 79u));
        body_run(&b, 30, 1.0 / 60);
        for (size_t i = 0; i < b.mesh.vertex_count; i++) {
            double x[3];
            body_position(&b, i, x);
            CHECK_NEAR(x[0], b.mesh.positions[i].x, 1e-5);
            CHECK_NEAR(x[1], b.mesh.positions[i].y, 1e-5);
            CHECK_NEAR(x[2], b.mesh.positions[i].z, 1e-5);
        }
        body_free(&b);
    }
}

/* ---- Presets ---- */

TEST(presets_are_in_order_and_have_sources) {
    const sn_preset_info *p, *before = NULL;
    size_t count = 0;
    for (; (p = sn_preset_at(count)); count++, before = p) {
        check_case("%s", p->name);
        CHECK(*p->name && *p->meaning && strlen(p->source) > 10);
        if (before)
            CHECK(before->kind < p->kind ||
                  (before->kind == p->kind && strcmp(before->name, p->name) < 0));
    }
    CHECK(count > 20);
    CHECK(!sn_preset_at(count) && !sn_preset_at(SIZE_MAX));
}

static double largest_speed(const sn_world *world) {
    sn_node_view view;
    double largest = 0;
    REQUIRE_OK(sn_world_nodes(world, &view));
    for (size_t i = 0; i < view.count; i++) {
        double x = (double)view.velocity[i].x, y = (double)view.velocity[i].y;
        double z = (double)view.velocity[i].z, speed = sqrt(x * x + y * y + z * z);
        if (!(speed <= largest)) largest = speed;
    }
    return largest;
}

/* Held at a vertex, falling for a second: nothing gets much faster than what falls. */
TEST(every_preset_can_be_built_and_holds) {
    const sn_preset_info *p;
    static const uint32_t pins[] = {0};
    for (size_t i = 0; (p = sn_preset_at(i)); i++) {
        max_align_t material[32];
        sn_build_def def = sn_build_def_default();
        sn_settings settings = sn_settings_default();
        sn_world *world = still_world(20, 0);
        REQUIRE_OK(sn_world_get_settings(world, &settings));
        settings.gravity = (sn_vec3){0, (sn_real)-9.81, 0};
        REQUIRE_OK(sn_world_set_settings(world, &settings));
        def.pins = pins;
        def.pin_count = 1;
        REQUIRE_OK(sn_preset_get(p->kind, p->name, material));
        body b = body_make(world, p->kind, material, mesh_for(p->kind), &def);
        check_case("%s %s", sn_kind_get_info(p->kind)->name, p->name);
        double fastest = 0;
        for (int k = 0; k < 60; k++) {
            body_run(&b, 1, 1.0 / 60);
            double speed = largest_speed(b.world);
            if (!(speed <= fastest)) fastest = speed;
        }
        CHECK(fastest > 0.1 && fastest < 15);
        body_free(&b);
    }
}

/* A hair falls no faster with few substeps than with many: 4.3 m/s. */
TEST(hair_is_not_thrown_about) {
    static const int substeps[] = {10, 18, 22, 30};
    static const uint32_t pins[] = {0};
    for (size_t i = 0; i < sizeof substeps / sizeof *substeps; i++) {
        sn_rod_material hair;
        sn_build_def def = sn_build_def_default();
        sn_settings settings = sn_settings_default();
        sn_world *world = still_world(substeps[i], 0);
        check_case("%d substeps", substeps[i]);
        REQUIRE_OK(sn_world_get_settings(world, &settings));
        settings.gravity = (sn_vec3){0, (sn_real)-9.81, 0};
        REQUIRE_OK(sn_world_set_settings(world, &settings));
        def.pins = pins;
        def.pin_count = 1;
        REQUIRE_OK(sn_preset_get(SN_KIND_ROD, "hair", &hair));
        body b = body_make(world, SN_KIND_ROD, &hair, line_mesh(0.3, 8), &def);
        double fastest = 0;
        for (int k = 0; k < 60; k++) {
            body_run(&b, 1, 1.0 / 60);
            fastest = fmax(fastest, largest_speed(b.world));
        }
        CHECK(fastest > 3 && fastest < 4.5);
        body_free(&b);
    }
}

/* ---- Names ---- */

TEST(kinds_are_found_by_name) {
    for (int k = 0; k < SN_KIND_COUNT; k++) {
        const sn_kind_info *info = sn_kind_get_info((sn_kind)k);
        sn_kind found = SN_KIND_COUNT;
        CHECK_OK(sn_kind_by_name(info->name, &found));
        CHECK(found == (sn_kind)k && *info->meaning && info->field_count > 0);
        /* What builders, maps and changes of materials know how to read. */
        for (size_t i = 0; i < info->field_count; i++) {
            sn_field_kind of = info->fields[i].kind;
            check_case("%s of %s", info->fields[i].name, info->name);
            CHECK(of == SN_FIELD_REAL || of == SN_FIELD_VEC3 || of == SN_FIELD_CHOICE);
        }
        max_align_t material[32];
        size_t size;
        CHECK_OK(sn_kind_default((sn_kind)k, material));
        memcpy(&size, material, sizeof size);
        CHECK(size == info->material_size && size <= sizeof material);
    }
    sn_kind kind = SN_KIND_ROD;
    max_align_t material[32];
    CHECK_FAILS(sn_kind_by_name("plasma", &kind), SN_ERROR_NAME);
    CHECK_FAILS(sn_kind_by_name(NULL, &kind), SN_ERROR_NULL);
    CHECK_FAILS(sn_kind_by_name("rod", NULL), SN_ERROR_NULL);
    CHECK_FAILS(sn_kind_default(SN_KIND_COUNT, material), SN_ERROR_VALUE);
    CHECK_FAILS(sn_kind_default(SN_KIND_ROD, NULL), SN_ERROR_NULL);
    CHECK_FAILS(sn_preset_get(SN_KIND_COUNT, "steel", material), SN_ERROR_VALUE);
    CHECK_FAILS(sn_preset_get(SN_KIND_ROD, "cotton", material), SN_ERROR_NAME);
    CHECK_FAILS(sn_preset_get(SN_KIND_ROD, NULL, material), SN_ERROR_NULL);
    CHECK(!sn_kind_get_info(SN_KIND_COUNT) && !sn_kind_get_info((sn_kind)-1));
    CHECK(kind == SN_KIND_ROD);
}

/* ---- Bits ---- */

static uint64_t run_kind(sn_kind kind, int width, int threads) {
    static const char *const presets[] = {"glass", "nylon", "wood",  "cotton", "jelly",
                                          "jelly", NULL,    "honey", NULL,     "smoke"};
    static const uint32_t pins[] = {0};
    max_align_t material[32];
    sn_world_def world = sn_world_def_default();
    sn_world *w = NULL;
    sn_build_def def = sn_build_def_default();
    world.threads = threads;
    world.simd_width = width;
    REQUIRE_OK(sn_world_create(&world, &w));
    REQUIRE_OK(sn_kind_default(kind, material));
    if (presets[kind]) REQUIRE_OK(sn_preset_get(kind, presets[kind], material));
    if (kind == SN_KIND_SOLID) ((sn_solid_material *)(void *)material)->model = 1;
    def.pins = pins;
    def.pin_count = 1;
    def.rotation = (sn_quat){1, 2, 3, 4};
    def.angular_velocity = (sn_vec3){1, 0, 2};
    body b = body_make(w, kind, material, mesh_for(kind), &def);
    body_run(&b, 20, 1.0 / 60);
    uint64_t hash = sn_world_hash(b.world);
    body_free(&b);
    return hash;
}

TEST(every_kind_has_the_same_bits_everywhere) {
    static const int widths[] = {1, 4, 8, 16};
    for (int k = 0; k < SN_KIND_COUNT; k++) {
        uint64_t expected = golden_hash[k];
        for (int i = 0; i < 5; i++) {
            int width = widths[i % 4], threads = i == 4 ? 3 : 1;
            uint64_t hash = run_kind((sn_kind)k, width, threads);
            check_case("%s, width %d, %d threads: %016llx", sn_kind_get_info((sn_kind)k)->name,
                       width, threads, (unsigned long long)hash);
            if (i == 0 && check_mutant()) expected = hash;
            CHECK(hash == expected);
        }
    }
}

/* ---- Collision surfaces ---- */

/* What the collision surface of a body is made of, and that it goes with the body. */
TEST(bodies_have_the_surface_that_fits_them) {
    static const struct {
        sn_kind kind;
        size_t nodes, triangles, segments;
    } rows[] = {
        {SN_KIND_PARTICLES, 5, 0, 0}, {SN_KIND_ROPE, 5, 0, 4},     {SN_KIND_ROD, 5, 0, 4},
        {SN_KIND_CLOTH, 9, 8, 0},     {SN_KIND_SOLID, 56, 108, 0},
    };
    static const sn_vec3 at[] = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}, {1, 1, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        max_align_t material[32];
        sn_kind kind = rows[i].kind;
        sn_mesh mesh = kind == SN_KIND_PARTICLES ? points_mesh(at, 5)
                       : kind == SN_KIND_CLOTH   ? grid_mesh(1, 1, 2, 2, SN_GRID_SAME)
                       : kind == SN_KIND_SOLID   ? block_mesh(1, 1, 1, 3, SN_BLOCK_SIX)
                                                 : line_mesh(1, 4);
        sn_build_def def = sn_build_def_default();
        sn_collision_surface_def surface = sn_collision_surface_def_default();
        check_case("%s", sn_kind_get_info(kind)->name);
        REQUIRE_OK(sn_kind_default(kind, material));
        def.collide = i % 2 ? SN_COLLIDE_OTHERS : SN_COLLIDE_ALL;
        def.surface.detail = SN_DETAIL_POINTS;
        def.surface.static_friction = 1;
        def.surface.dynamic_friction = (sn_real)0.75;
        def.surface.restitution = (sn_real)0.25;
        def.surface.recovery_speed = 3;
        def.surface.mask = 5;
        body b = body_make(still_world(2, 0), kind, material, mesh, &def);
        REQUIRE_OK(sn_collision_surface_get(b.world, b.build.surface, &surface));
        CHECK(surface.node_count == rows[i].nodes && surface.triangle_count == rows[i].triangles &&
              surface.segment_count == rows[i].segments);
        CHECK(surface.self == (i % 2 == 0) && surface.detail == SN_DETAIL_POINTS &&
              surface.mask == 5);
        CHECK((double)surface.static_friction == 1 && (double)surface.dynamic_friction == 0.75);
        CHECK((double)surface.restitution == 0.25 && (double)surface.recovery_speed == 3);
        body_run(&b, 2, 0.01);
        CHECK_OK(sn_body_destroy(b.world, b.build.body));
        CHECK(!sn_collision_surface_is_valid(b.world, b.build.surface));
        body_run(&b, 1, 0.01);
        body_free(&b);
    }
}

TESTS(RUN(particles_are_balls), RUN(fluids_fill_the_cubes_between_their_points),
      RUN(ropes_have_a_constraint_per_line), RUN(ropes_may_branch),
      RUN(rods_have_segments_and_joints), RUN(rods_rest_in_the_shape_of_their_mesh),
      RUN(sheets_have_edges_and_bending), RUN(sheets_that_are_not_flat_have_hinges),
      RUN(solids_have_edges_and_volumes), RUN(bodies_are_placed_turned_scaled_and_moved),
      RUN(a_scaled_body_weighs_what_it_is), RUN(bodies_begin_at_rest),
      RUN(curved_rods_begin_at_rest), RUN(presets_are_in_order_and_have_sources),
      RUN(every_preset_can_be_built_and_holds), RUN(hair_is_not_thrown_about),
      RUN(kinds_are_found_by_name), RUN(every_kind_has_the_same_bits_everywhere),
      RUN(bodies_have_the_surface_that_fits_them))
