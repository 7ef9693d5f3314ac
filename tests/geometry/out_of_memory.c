/* Without memory every call fails, changes nothing and leaves nothing behind. */
#include "base/meter.h"

#include <stdio.h>
#include <string.h>

#include "check.h"
#include "mesh_oracle.h"

static meter m;
static sn_mesh mesh, other;
static sn_embedding embedding;
static sn_sdf *field;

/* ---- What is tried; `mesh` is a damaged sphere, `other` is empty ---- */

static sn_result make_grid(void) {
    sn_grid_def def = sn_grid_def_default();
    def.pattern = SN_GRID_CROSSED;
    return sn_generate_grid(&other, &def);
}
static sn_result make_disc(void) {
    sn_disc_def def = sn_disc_def_default();
    return sn_generate_disc(&other, &def);
}
static sn_result make_isotropic_disc(void) {
    sn_disc_def def = sn_disc_def_default();
    def.edge_length = (sn_real)0.2;
    return sn_generate_disc(&other, &def);
}
static sn_result make_sheet(void) {
    sn_sheet_mesh_def def = sn_sheet_mesh_def_default();
    def.edge_length = (sn_real)0.07;
    return sn_generate_sheet(&other, &def);
}
static sn_result make_panel(void) {
    static const sn_real frame[4][2] = {{0, 0}, {3, 0}, {3, 3}, {0, 3}};
    static const sn_real window[3][2] = {{1, 1}, {2, 1}, {1, 2}};
    const sn_outline outlines[2] = {{frame, 4, false}, {window, 3, true}};
    sn_panel_def def = sn_panel_def_default();
    def.outlines = outlines;
    def.outline_count = 2;
    def.edge_length = (sn_real)0.3;
    return sn_generate_panel(&other, &def);
}
static sn_result make_box(void) {
    sn_box_def def = sn_box_def_default();
    return sn_generate_box(&other, &def);
}
static sn_result make_sphere(void) {
    sn_sphere_def def = sn_sphere_def_default();
    return sn_generate_sphere(&other, &def);
}
static sn_result make_cylinder(void) {
    sn_cylinder_def def = sn_cylinder_def_default();
    return sn_generate_cylinder(&other, &def);
}
static sn_result make_torus(void) {
    sn_torus_def def = sn_torus_def_default();
    return sn_generate_torus(&other, &def);
}
static sn_result make_helix(void) {
    sn_helix_def def = sn_helix_def_default();
    return sn_generate_helix(&other, &def);
}

static sn_result make_ring(void) {
    return sn_generate_ring(&other, 1, 10);
}

static sn_result make_spline(void) {
    const sn_vec3 points[2] = {{0, 0, 0}, {1, 0, 0}};
    return sn_generate_spline(&other, points, 2, false, 10);
}

static sn_result make_strands(void) {
    sn_strands_def def = sn_strands_def_default();
    def.count = 5;
    def.comb = (sn_vec3){0, -5, 0};
    return sn_generate_strands(&other, &mesh, &def);
}

static sn_result make_rope(void) {
    return sn_generate_rope(&other, (sn_vec3){0, 0, 0}, (sn_vec3){1, 0, 0}, 10);
}
static sn_result make_block(void) {
    sn_block_def def = sn_block_def_default();
    return sn_generate_block(&other, &def);
}
static sn_result copy(void) {
    return sn_mesh_copy(&mesh, &other);
}
static sn_result normals(void) {
    static sn_vec3 room[2000];
    return sn_mesh_normals(&mesh, room);
}
static sn_result check_it(void) {
    sn_mesh_report report = sn_mesh_report_default();
    sn_result result = sn_mesh_check(&mesh, &report);
    CHECK(result == SN_OK || report.piece_count == 0);
    return result;
}
static sn_result weld(void) {
    return sn_mesh_weld(&mesh, (sn_real)0.01, NULL);
}
static sn_result clean(void) {
    return sn_mesh_clean(&mesh, NULL);
}
static sn_result surface(void) {
    return sn_mesh_surface(&mesh);
}
static sn_result distances(void) {
    sn_sdf_def def = sn_sdf_def_default();
    def.spacing = (sn_real)0.2;
    return sn_sdf_create(&mesh, &def, &field);
}
static sn_result fill(void) {
    sn_fill_def def = sn_fill_def_default();
    def.spacing = (sn_real)0.2;
    return sn_mesh_fill(&mesh, &def, &other);
}
static sn_result stuff(void) {
    sn_fill_def def = sn_fill_def_default();
    def.spacing = (sn_real)0.2;
    def.kind = SN_FILL_CONFORMING;
    return sn_mesh_fill(&mesh, &def, &other);
}
static sn_result fit(void) {
    sn_fill_def def = sn_fill_def_default();
    def.spacing = (sn_real)0.2;
    def.kind = SN_FILL_FITTED;
    return sn_mesh_fill(&mesh, &def, &other);
}
static sn_result join_cubes(void) {
    sn_fill_def def = sn_fill_def_default();
    def.spacing = (sn_real)0.2;
    def.kind = SN_FILL_CUBES;
    def.levels = 1;
    return sn_mesh_fill(&mesh, &def, &other);
}
static sn_result embed(void) {
    embedding.allocator = meter_allocator(&m);
    return sn_embed(&mesh, &mesh, &embedding);
}

/* ---- The trial ---- */

static void prepare(bool damaged, bool solid) {
    meter_init(&m);
    mesh = other = sn_mesh_default();
    mesh.allocator = other.allocator = meter_allocator(&m);
    embedding = sn_embedding_default();
    field = NULL;
    if (solid) {
        sn_block_def def = sn_block_def_default();
        REQUIRE_OK(sn_generate_block(&mesh, &def));
        mesh.triangle_count = 3;
        return;
    }
    sn_sphere_def def = sn_sphere_def_default();
    def.level = 2;
    REQUIRE_OK(sn_generate_sphere(&mesh, &def));
    if (!damaged) return;
    /* Turned triangles, one without area, a duplicate, vertices that are not used. */
    uint32_t bad[2][3] = {{1, 2, 3}, {0, 0, 0}};
    memcpy(bad[0], mesh.triangles[5], sizeof bad[0]);
    uint32_t moved = mesh.triangles[9][0];
    mesh.triangles[9][0] = mesh.triangles[9][1];
    mesh.triangles[9][1] = moved;
    mesh.positions[100] = mesh.positions[101];
    REQUIRE_OK(sn_mesh_add_triangles(&mesh, (const uint32_t(*)[3])bad, 2));
    REQUIRE_OK(sn_mesh_add_vertices(&mesh, NULL, 3));
    uint32_t pins[3] = {7, 8, 163};
    REQUIRE_OK(sn_mesh_add_group(&mesh, "pins", pins, 3));
}

static void try_it(const char *name, sn_result (*call)(void), bool damaged, bool solid) {
    prepare(damaged, solid);
    size_t blocks = m.blocks, failures = 0;
    uint64_t before = look_hash(&mesh);
    sn_result result = SN_ERROR_MEMORY;
    for (size_t n = 0; n < 400 && result != SN_OK; n++) {
        check_case("%s with %zu blocks", name, n);
        m.fail_after = n;
        result = call();
        m.fail_after = METER_NEVER;
        if (result == SN_OK) break;
        failures++;
        CHECK(result == SN_ERROR_MEMORY && strstr(sn_last_error(), "memory") != NULL);
        CHECK(look_hash(&mesh) == before && other.vertex_count == 0 && other.group_count == 0);
        CHECK(embedding.count == 0 && field == NULL && m.blocks == blocks);
    }
    CHECK(result == SN_OK && failures > 0);
    sn_sdf_free(field);
    sn_embedding_free(&embedding);
    sn_mesh_free(&other);
    sn_mesh_free(&mesh);
    CHECK(m.blocks == 0 && m.bytes == 0 && m.mistakes == 0);
}

TEST(generators) {
    try_it("grid", make_grid, false, false);
    try_it("disc", make_disc, false, false);
    try_it("isotropic disc", make_isotropic_disc, false, false);
    try_it("sheet", make_sheet, false, false);
    try_it("panel", make_panel, false, false);
    try_it("box", make_box, false, false);
    try_it("sphere", make_sphere, false, false);
    try_it("cylinder", make_cylinder, false, false);
    try_it("torus", make_torus, false, false);
    try_it("rope", make_rope, false, false);
    try_it("helix", make_helix, false, false);
    try_it("ring", make_ring, false, false);
    try_it("spline", make_spline, false, false);
    try_it("strands", make_strands, true, false);
    try_it("block", make_block, false, false);
}

TEST(measuring_checking_and_mending) {
    try_it("copy", copy, true, false);
    try_it("normals", normals, true, false);
    try_it("check", check_it, true, false);
    try_it("weld", weld, true, false);
    try_it("clean", clean, true, false);
    try_it("surface", surface, false, true);
}

TEST(volumes) {
    try_it("distances", distances, false, false);
    try_it("fill", fill, false, false);
    try_it("stuff", stuff, false, false);
    try_it("fit", fit, false, false);
    try_it("join cubes", join_cubes, false, false);
    try_it("embed", embed, false, true);
}

TESTS(RUN(generators), RUN(measuring_checking_and_mending), RUN(volumes))
