/* Checking and mending: every kind of defect is planted, found, named and mended. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "mesh_oracle.h"

static sn_mesh mesh;

static void make_sphere(void) {
    sn_sphere_def def = sn_sphere_def_default();
    mesh = sn_mesh_default();
    REQUIRE_OK(sn_generate_sphere(&mesh, &def));
}

static void make_grid(sn_grid_pattern pattern) {
    sn_grid_def def = sn_grid_def_default();
    def.columns = def.rows = 6;
    def.pattern = pattern;
    mesh = sn_mesh_default();
    REQUIRE_OK(sn_generate_grid(&mesh, &def));
}

static void make_block(void) {
    sn_block_def def = sn_block_def_default();
    mesh = sn_mesh_default();
    REQUIRE_OK(sn_generate_block(&mesh, &def));
}

static sn_mesh_report check_mesh(void) {
    sn_mesh_report report = sn_mesh_report_default();
    CHECK_OK(sn_mesh_check(&mesh, &report));
    return report;
}

static sn_mesh_changes clean(void) {
    sn_mesh_changes changes = {0};
    CHECK_OK(sn_mesh_clean(&mesh, &changes));
    return changes;
}

/* Checks that there is exactly one kind of finding, so often, with this in its sentence. */
static void check_only(sn_mesh_finding_kind kind, size_t count, const char *part) {
    sn_mesh_report report = check_mesh();
    char text[160] = "";
    sn_log_level level;
    check_case("%s", part);
    CHECK(report.findings[kind].count == count);
    if (!CHECK(sn_mesh_report_remarks(&report) == 1))
        for (size_t i = 0; i < sn_mesh_report_remarks(&report); i++)
            if (sn_mesh_report_remark(&report, i, &level, text, sizeof text) == SN_OK)
                printf("        %s\n", text);
    CHECK_OK(sn_mesh_report_remark(&report, 0, &level, text, sizeof text));
    if (!CHECK(strstr(text, part) != NULL)) printf("        %s\n", text);
    CHECK_FAILS(sn_mesh_report_remark(&report, 1, &level, text, sizeof text), SN_ERROR_VALUE);
}

/* Checks that nothing is worth a remark. */
static void check_clean(void) {
    sn_mesh_report report = check_mesh();
    char text[160];
    sn_log_level level;
    for (size_t i = 0; i < sn_mesh_report_remarks(&report); i++)
        if (sn_mesh_report_remark(&report, i, &level, text, sizeof text) == SN_OK)
            printf("        %s\n", text);
    CHECK(sn_mesh_report_remarks(&report) == 0);
}

/* ---- Sound meshes ---- */

TEST(closed_surfaces_give_no_remarks_and_their_genus) {
    make_sphere();
    check_clean();
    sn_mesh_report report = check_mesh();
    CHECK(report.closed && report.piece_count == 1 && report.edge_count == 1920);
    CHECK(report.pieces[0].euler == 2 && report.pieces[0].genus == 0);
    CHECK(report.pieces[0].vertex_count == 642 && report.pieces[0].volume > 0.5);
    sn_mesh_free(&mesh);

    sn_torus_def torus = sn_torus_def_default();
    REQUIRE_OK(sn_generate_torus(&mesh, &torus));
    check_clean();
    report = check_mesh();
    CHECK(report.closed && report.pieces[0].genus == 1 && report.pieces[0].euler == 0);
    sn_mesh_free(&mesh);

    sn_box_def box = sn_box_def_default();
    REQUIRE_OK(sn_generate_box(&mesh, &box));
    check_clean();
    sn_mesh_free(&mesh);

    sn_cylinder_def cylinder = sn_cylinder_def_default();
    REQUIRE_OK(sn_generate_cylinder(&mesh, &cylinder));
    check_clean();
    sn_mesh_free(&mesh);

    for (int pattern = 0; pattern < 2; pattern++) {
        sn_block_def block = sn_block_def_default();
        block.pattern = (sn_block_pattern)pattern;
        REQUIRE_OK(sn_generate_block(&mesh, &block));
        check_clean();
        CHECK(check_mesh().tet_pieces == 1);
        sn_mesh_free(&mesh);
    }
    REQUIRE_OK(sn_generate_rope(&mesh, (sn_vec3){0, 0, 0}, (sn_vec3){0, 1, 0}, 9));
    check_clean();
    sn_mesh_free(&mesh);
}

TEST(cleaning_a_sound_mesh_changes_nothing) {
    for (int i = 0; i < 3; i++) {
        if (i == 0) make_sphere();
        if (i == 1) make_grid(SN_GRID_CROSSED);
        if (i == 2) make_block();
        uint64_t before = look_hash(&mesh);
        sn_mesh_changes changes = clean();
        CHECK(memcmp(&changes, &(sn_mesh_changes){0}, sizeof changes) == 0);
        CHECK_OK(sn_mesh_weld(&mesh, SN_AUTO, &changes));
        CHECK(memcmp(&changes, &(sn_mesh_changes){0}, sizeof changes) == 0);
        CHECK(look_hash(&mesh) == before);
        sn_mesh_free(&mesh);
    }
}

TEST(a_sheet_has_a_boundary_and_nothing_else) {
    for (int pattern = 0; pattern < 4; pattern++) {
        make_grid((sn_grid_pattern)pattern);
        check_only(SN_MESH_EDGE_BOUNDARY, 24, "edges belong to one triangle");
        sn_mesh_report report = check_mesh();
        CHECK(report.boundary_loops == 1 && !report.closed && report.pieces[0].genus == -1);
        CHECK(report.pieces[0].euler == 1 && report.seam_edges == 0);
        sn_mesh_free(&mesh);
    }
    sn_cylinder_def tube = sn_cylinder_def_default();
    tube.capped = false;
    REQUIRE_OK(sn_generate_cylinder(&mesh, &tube));
    check_only(SN_MESH_EDGE_BOUNDARY, 48, "48 edges belong to one triangle only, in 2 loops");
    CHECK(check_mesh().boundary_loops == 2 && check_mesh().pieces[0].euler == 0);
    sn_mesh_free(&mesh);
}

TEST(an_empty_mesh_has_nothing_wrong) {
    mesh = sn_mesh_default();
    check_clean();
    CHECK(!check_mesh().closed);
    clean();
    CHECK_OK(sn_mesh_weld(&mesh, 1, NULL));
    CHECK_OK(sn_mesh_surface(&mesh));
    sn_mesh_free(&mesh);
}

/* ---- Elements ---- */

TEST(indices_and_numbers_that_cannot_be_are_named) {
    make_block();
    mesh.triangles[5][1] = 125;
    sn_mesh_report report = check_mesh();
    CHECK(report.findings[SN_MESH_TRIANGLE_INDEX].count == 1);
    CHECK(report.findings[SN_MESH_TRIANGLE_INDEX].example[0][0] == 5);
    CHECK(report.findings[SN_MESH_EDGE_BOUNDARY].count == 3);
    mesh.triangles[5][1] = mesh.triangles[5][0];
    mesh.tets[7][0] = UINT32_MAX;
    report = check_mesh();
    CHECK(report.findings[SN_MESH_TET_INDEX].count == 1);
    mesh.tets[7][0] = 0;
    mesh.positions[62].y = (sn_real)INFINITY;
    report = check_mesh();
    CHECK(report.findings[SN_MESH_VERTEX_NOT_FINITE].count == 1);
    CHECK(report.findings[SN_MESH_VERTEX_NOT_FINITE].example[0][0] == 62);
    CHECK_FAILS(sn_mesh_clean(&mesh, NULL), SN_ERROR_VALUE);
    CHECK_FAILS(sn_mesh_weld(&mesh, 0, NULL), SN_ERROR_VALUE);
    sn_mesh_free(&mesh);

    REQUIRE_OK(sn_generate_rope(&mesh, (sn_vec3){0, 0, 0}, (sn_vec3){0, 1, 0}, 9));
    mesh.lines[8][1] = 10;
    CHECK(check_mesh().findings[SN_MESH_LINE_INDEX].count == 1);
    sn_mesh_free(&mesh);
}

TEST(repeated_vertices_and_duplicates_of_triangles) {
    make_sphere();
    uint64_t before = look_hash(&mesh);
    uint32_t more[2][3] = {{3, 77, 3}, {0, 0, 0}};
    REQUIRE_OK(sn_mesh_add_triangles(&mesh, (const uint32_t(*)[3])more, 2));
    check_only(SN_MESH_TRIANGLE_REPEATED, 2,
               "2 triangles use a vertex twice, such as triangle 1280");
    CHECK(clean().triangles_removed == 2);
    CHECK(look_hash(&mesh) == before);
    uint32_t same[2][3];
    memcpy(same[0], mesh.triangles[17], sizeof same[0]);
    same[1][0] = mesh.triangles[99][2];
    same[1][1] = mesh.triangles[99][1];
    same[1][2] = mesh.triangles[99][0];
    REQUIRE_OK(sn_mesh_add_triangles(&mesh, (const uint32_t(*)[3])same, 2));
    check_only(SN_MESH_TRIANGLE_DUPLICATE, 2, "such as triangle 1280 (17)");
    CHECK(clean().triangles_removed == 2);
    CHECK(look_hash(&mesh) == before);
    sn_mesh_free(&mesh);
}

TEST(repeated_vertices_and_duplicates_of_tets_and_lines) {
    make_block();
    uint64_t before = look_hash(&mesh);
    uint32_t tet[2][4] = {{3, 3, 4, 5}, {0}};
    for (int k = 0; k < 4; k++) tet[1][k] = mesh.tets[40][3 - k];
    REQUIRE_OK(sn_mesh_add_tets(&mesh, (const uint32_t(*)[4])tet, 1));
    check_only(SN_MESH_TET_REPEATED, 1, "1 tet uses a vertex twice: tet 320");
    CHECK(clean().tets_removed == 1);
    REQUIRE_OK(sn_mesh_add_tets(&mesh, (const uint32_t(*)[4])(tet + 1), 1));
    check_only(SN_MESH_TET_DUPLICATE, 1, "1 tet has the vertices of an earlier one: tet 320 (40)");
    CHECK(clean().tets_removed == 1);
    CHECK(look_hash(&mesh) == before);
    sn_mesh_free(&mesh);

    REQUIRE_OK(sn_generate_rope(&mesh, (sn_vec3){0, 0, 0}, (sn_vec3){0, 1, 0}, 9));
    uint32_t line[2][2] = {{4, 4}, {3, 2}};
    REQUIRE_OK(sn_mesh_add_lines(&mesh, (const uint32_t(*)[2])line, 1));
    check_only(SN_MESH_LINE_REPEATED, 1, "line 9");
    CHECK(clean().lines_removed == 1);
    REQUIRE_OK(sn_mesh_add_lines(&mesh, (const uint32_t(*)[2])(line + 1), 1));
    check_only(SN_MESH_LINE_DUPLICATE, 1, "line 9 (2)");
    CHECK(clean().lines_removed == 1 && mesh.line_count == 9);
    mesh.positions[4] = mesh.positions[3];
    CHECK(check_mesh().findings[SN_MESH_LINE_FLAT].count == 1);
    CHECK(clean().lines_removed == 1 && mesh.line_count == 8);
    sn_mesh_free(&mesh);
}

TEST(tets_without_volume_and_inside_out) {
    make_block();
    uint32_t *v = mesh.tets[123], moved = v[0];
    v[0] = v[1];
    v[1] = moved;
    check_only(SN_MESH_TET_INVERTED, 1, "1 tet has a negative volume: tet 123");
    CHECK(clean().tets_turned == 1);
    check_clean();
    uint32_t flat[1][4] = {{0, 1, 5, 6}};
    REQUIRE_OK(sn_mesh_add_tets(&mesh, (const uint32_t(*)[4])flat, 1));
    check_only(SN_MESH_TET_FLAT, 1, "tet 320");
    CHECK(clean().tets_removed == 1);
    check_clean();
    sn_mesh_free(&mesh);
}

TEST(a_triangle_without_area_is_flipped_away) {
    /* A vertex on the edge between two triangles of a tetrahedron, with a sliver to fill the
       gap. */
    static const sn_vec3 x[5] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}, {1, 0, 0}};
    static const uint32_t triangles[6][3] = {{0, 2, 4}, {4, 2, 1}, {0, 1, 3},
                                             {1, 2, 3}, {0, 3, 2}, {0, 4, 1}};
    mesh = sn_mesh_default();
    REQUIRE_OK(sn_mesh_add_vertices(&mesh, x, 5));
    REQUIRE_OK(sn_mesh_add_triangles(&mesh, triangles, 6));
    check_only(SN_MESH_TRIANGLE_FLAT, 1, "1 triangle has no area: triangle 5");
    sn_mesh_changes changes = clean();
    CHECK(changes.edges_flipped == 1 && changes.triangles_removed == 0);
    check_clean();
    double volume;
    CHECK_OK(sn_mesh_volume(&mesh, &volume));
    CHECK_REL(volume, 8.0 / 6, 1e-12);
    sn_mesh_free(&mesh);

    /* And on a boundary it is taken out. */
    make_grid(SN_GRID_SAME);
    uint32_t flat[1][3] = {{2, 0, 1}};
    REQUIRE_OK(sn_mesh_add_triangles(&mesh, (const uint32_t(*)[3])flat, 1));
    CHECK(check_mesh().findings[SN_MESH_TRIANGLE_FLAT].count == 1);
    CHECK(clean().triangles_removed == 1 && mesh.triangle_count == 72);
    sn_mesh_free(&mesh);
}

/* ---- Edges and vertices ---- */

TEST(edges_of_three_triangles) {
    make_grid(SN_GRID_SAME);
    uint32_t fin[1][3] = {{8, 15, 40}};
    REQUIRE_OK(sn_mesh_add_triangles(&mesh, (const uint32_t(*)[3])fin, 1));
    sn_mesh_report report = check_mesh();
    CHECK(report.findings[SN_MESH_EDGE_CROWDED].count == 1);
    CHECK(report.findings[SN_MESH_EDGE_CROWDED].example[0][0] == 8);
    CHECK(report.findings[SN_MESH_EDGE_CROWDED].example[0][1] == 15);
    sn_mesh_free(&mesh);
}

TEST(triangles_that_face_the_other_side) {
    make_sphere();
    for (size_t t = 0; t < mesh.triangle_count; t += 3) {
        uint32_t moved = mesh.triangles[t][0];
        mesh.triangles[t][0] = mesh.triangles[t][1];
        mesh.triangles[t][1] = moved;
    }
    sn_mesh_report report = check_mesh();
    CHECK(report.findings[SN_MESH_EDGE_WINDING].count > 100 && !report.closed);
    CHECK(report.pieces[0].closed && report.pieces[0].genus == -1);
    CHECK(clean().triangles_turned == 427);
    check_clean();
    for (size_t t = 0; t < mesh.triangle_count; t++) {
        uint32_t moved = mesh.triangles[t][0];
        mesh.triangles[t][0] = mesh.triangles[t][1];
        mesh.triangles[t][1] = moved;
    }
    check_only(SN_MESH_PIECE_INSIDE_OUT, 1, "1 piece is closed and faces inward");
    CHECK(clean().triangles_turned == 1280);
    check_clean();
    sn_mesh_free(&mesh);
}

TEST(most_of_an_open_piece_decides_its_side) {
    make_grid(SN_GRID_ALTERNATING);
    uint64_t before = look_hash(&mesh);
    for (size_t t = 0; t < 20; t++) {
        uint32_t moved = mesh.triangles[t][1];
        mesh.triangles[t][1] = mesh.triangles[t][2];
        mesh.triangles[t][2] = moved;
    }
    CHECK(clean().triangles_turned == 20 && look_hash(&mesh) == before);
    sn_mesh_free(&mesh);
}

/* A copy of the mesh beside it or inside it, perhaps turned. */
static void add_copy(double shift, double scale, bool turned) {
    uint32_t first = (uint32_t)mesh.vertex_count;
    size_t triangles = mesh.triangle_count;
    for (uint32_t i = 0; i < first; i++) {
        sn_vec3 x = mesh.positions[i];
        sn_vec3 moved = {(sn_real)((double)x.x * scale + shift), (sn_real)((double)x.y * scale),
                         (sn_real)((double)x.z * scale)};
        REQUIRE_OK(sn_mesh_add_vertices(&mesh, &moved, 1));
    }
    for (size_t t = 0; t < triangles; t++) {
        const uint32_t *v = mesh.triangles[t];
        uint32_t copy[1][3] = {
            {v[0] + first, v[turned ? 2 : 1] + first, v[turned ? 1 : 2] + first}};
        REQUIRE_OK(sn_mesh_add_triangles(&mesh, (const uint32_t(*)[3])copy, 1));
    }
}

TEST(pieces_are_told_apart_and_cavities_are_kept) {
    make_sphere();
    add_copy(0, 0.5, true);
    check_clean();
    sn_mesh_report report = check_mesh();
    CHECK(report.piece_count == 2 && report.pieces[1].volume < 0 && report.pieces[1].genus == 0);
    CHECK(report.pieces[1].triangle == 1280 && report.pieces[1].triangle_count == 1280);
    CHECK(clean().triangles_turned == 0);
    sn_mesh_free(&mesh);
    make_sphere();
    add_copy(5, 0.5, true);
    CHECK(check_mesh().findings[SN_MESH_PIECE_INSIDE_OUT].example[0][0] == 1280);
    CHECK(clean().triangles_turned == 1280);
    sn_mesh_free(&mesh);
}

TEST(a_strip_of_one_side_is_left_and_reported) {
    enum { N = 12 };
    mesh = sn_mesh_default();
    REQUIRE_OK(sn_mesh_add_vertices(&mesh, NULL, 2 * N));
    for (uint32_t i = 0; i < N; i++) {
        double u = 6.283185307179586 * i / N;
        for (uint32_t k = 0; k < 2; k++) {
            double w = (k ? 0.3 : -0.3), r = 1 + w * cos(u / 2);
            mesh.positions[2 * i + k] =
                (sn_vec3){(sn_real)(r * cos(u)), (sn_real)(w * sin(u / 2)), (sn_real)(r * sin(u))};
        }
        bool last = i + 1 == N;
        uint32_t a = 2 * i, b = a + 1, c = last ? 1 : a + 2, d = last ? 0 : a + 3;
        uint32_t pair[2][3] = {{a, b, c}, {c, b, d}};
        REQUIRE_OK(sn_mesh_add_triangles(&mesh, (const uint32_t(*)[3])pair, 2));
    }
    sn_mesh_report report = check_mesh();
    CHECK(report.findings[SN_MESH_EDGE_WINDING].count == 1 && report.boundary_loops == 1);
    CHECK(report.pieces[0].euler == 0);
    clean();
    CHECK(check_mesh().findings[SN_MESH_EDGE_WINDING].count == 1);
    sn_mesh_free(&mesh);
}

TEST(two_fans_at_a_vertex) {
    make_sphere();
    add_copy(1, 1, false);
    /* The rightmost vertex of the one becomes that of the other which is leftmost. */
    uint32_t right = 0, left = 642;
    for (uint32_t i = 0; i < 642; i++) {
        if (mesh.positions[i].x > mesh.positions[right].x) right = i;
        if (mesh.positions[642 + i].x < mesh.positions[left].x) left = 642 + i;
    }
    for (size_t i = 3 * 1280; i < 3 * 2560; i++)
        if (mesh.triangles[i / 3][i % 3] == left) mesh.triangles[i / 3][i % 3] = right;
    sn_mesh_report report = check_mesh();
    CHECK(report.findings[SN_MESH_VERTEX_FANS].count == 1);
    CHECK(report.findings[SN_MESH_VERTEX_FANS].example[0][0] == right);
    CHECK(report.findings[SN_MESH_VERTEX_UNUSED].count == 1);
    CHECK(report.piece_count == 2 && report.pieces[0].genus == 0 && report.pieces[1].genus == 0);
    CHECK(clean().vertices_removed == 1);
    check_only(SN_MESH_VERTEX_FANS, 1, "joins fans of triangles that share no edge");
    sn_mesh_free(&mesh);
}

/* ---- Welding ---- */

/* Every triangle gets vertices of its own, as in an STL file. */
static void split(void) {
    sn_mesh apart = sn_mesh_default();
    for (size_t t = 0; t < mesh.triangle_count; t++) {
        uint32_t first = (uint32_t)apart.vertex_count;
        uint32_t own[1][3] = {{first, first + 1, first + 2}};
        for (int k = 0; k < 3; k++)
            REQUIRE_OK(sn_mesh_add_vertices(&apart, &mesh.positions[mesh.triangles[t][k]], 1));
        REQUIRE_OK(sn_mesh_add_triangles(&apart, (const uint32_t(*)[3])own, 1));
    }
    uint32_t pins[4] = {0, 1, 2, 3};
    REQUIRE_OK(sn_mesh_add_group(&apart, "pins", pins, 4));
    sn_mesh_free(&mesh);
    mesh = apart;
}

TEST(welding_closes_a_soup_of_triangles) {
    make_sphere();
    split();
    sn_mesh_report report = check_mesh();
    CHECK(report.piece_count == 1280 && report.boundary_loops == 1280);
    CHECK(report.findings[SN_MESH_EDGE_BOUNDARY].count == 3840 && report.seam_edges == 3840);
    CHECK(report.findings[SN_MESH_VERTEX_COINCIDENT].count == 3840 - 642);
    sn_mesh_changes changes;
    CHECK_OK(sn_mesh_weld(&mesh, SN_AUTO, &changes));
    CHECK(changes.vertices_removed == 3840 - 642 && changes.triangles_removed == 0);
    check_clean();
    CHECK(check_mesh().pieces[0].genus == 0);
    /* Vertices 0 1 2 and 3, of which 3 is the same place as one of them or not. */
    const sn_mesh_group *pins = sn_mesh_find_group(&mesh, "pins");
    CHECK(pins && pins->count >= 3 && pins->count <= 4);
    sn_mesh_free(&mesh);
}

TEST(welding_reaches_as_far_as_it_is_told) {
    make_sphere();
    split();
    /* Off by up to 0.002 in each direction, in a pattern without rhyme. */
    for (uint32_t i = 0; i < mesh.vertex_count; i++) {
        mesh.positions[i].x += (sn_real)(((int)(i * 7919 % 101) - 50) * 4e-5);
        mesh.positions[i].y += (sn_real)(((int)(i * 104729 % 103) - 51) * 4e-5);
    }
    sn_mesh_report report = sn_mesh_report_default();
    report.weld_distance = (sn_real)0.01;
    CHECK_OK(sn_mesh_check(&mesh, &report));
    CHECK(report.seam_edges == 3840);
    sn_mesh_changes changes;
    CHECK_OK(sn_mesh_weld(&mesh, (sn_real)1e-6, &changes));
    CHECK(changes.vertices_removed == 0);
    CHECK_OK(sn_mesh_weld(&mesh, (sn_real)0.01, &changes));
    CHECK(changes.vertices_removed == 3840 - 642);
    CHECK(check_mesh().closed);
    /* A distance beyond everything leaves one vertex and nothing on it. */
    CHECK_OK(sn_mesh_weld(&mesh, 10, &changes));
    CHECK(mesh.vertex_count == 1 && mesh.triangle_count == 0 && changes.triangles_removed == 1280);
    CHECK(mesh.groups[0].count == 1 && mesh.groups[0].vertices[0] == 0);
    sn_mesh_free(&mesh);
}

TEST(welding_works_far_apart_and_close_together) {
    static const sn_vec3 x[6] = {{(sn_real)1e30, 0, 0}, {(sn_real)1e30, 0, 0},  {0, 0, 0},
                                 {0, (sn_real)1e-7, 0}, {(sn_real)-1e-7, 0, 0}, {0, 0, 1}};
    mesh = sn_mesh_default();
    REQUIRE_OK(sn_mesh_add_vertices(&mesh, x, 6));
    sn_mesh_changes changes;
    CHECK_OK(sn_mesh_weld(&mesh, 0, &changes));
    CHECK(changes.vertices_removed == 1);
    CHECK_OK(sn_mesh_weld(&mesh, (sn_real)1.0001e-7, &changes));
    CHECK(changes.vertices_removed == 2 && mesh.vertex_count == 3);
    CHECK_FAILS(sn_mesh_weld(&mesh, (sn_real)NAN, NULL), SN_ERROR_VALUE);
    sn_mesh_free(&mesh);
}

TEST(unused_vertices_go_and_groups_follow) {
    make_grid(SN_GRID_SAME);
    static const sn_vec3 x[2] = {{7, 7, 7}, {8, 8, 8}};
    REQUIRE_OK(sn_mesh_add_vertices(&mesh, x, 2));
    uint32_t pins[3] = {49, 4, 50};
    REQUIRE_OK(sn_mesh_add_group(&mesh, "pins", pins, 3));
    CHECK(check_mesh().findings[SN_MESH_VERTEX_UNUSED].count == 2);
    CHECK(clean().vertices_removed == 2 && mesh.vertex_count == 49);
    const sn_mesh_group *group = sn_mesh_find_group(&mesh, "pins");
    CHECK(group && group->count == 1 && group->vertices[0] == 4);
    sn_mesh_free(&mesh);
    /* Where nothing but vertices are, they are what was meant. */
    REQUIRE_OK(sn_mesh_add_vertices(&mesh, x, 2));
    CHECK(clean().vertices_removed == 0 && mesh.vertex_count == 2);
    sn_mesh_free(&mesh);
}

/* ---- Anything ---- */

static uint32_t dice(uint32_t sides) {
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 33) % sides;
}

/* Few vertices on a coarse grid, and many elements on them: nearly everything is wrong. */
static void make_rubbish(void) {
    mesh = sn_mesh_default();
    uint32_t vertices = 3 + dice(30), size = 1 + dice(5), element[4];
    for (uint32_t i = 0; i < vertices; i++) {
        sn_vec3 x = {(sn_real)dice(size), (sn_real)dice(size), (sn_real)dice(size)};
        REQUIRE_OK(sn_mesh_add_vertices(&mesh, &x, 1));
    }
    for (uint32_t i = dice(60); i > 0; i--) {
        for (int k = 0; k < 4; k++) element[k] = dice(vertices);
        REQUIRE_OK(sn_mesh_add_triangles(&mesh, (const uint32_t(*)[3])element, 1));
        if (i % 3 == 0) REQUIRE_OK(sn_mesh_add_tets(&mesh, (const uint32_t(*)[4])element, 1));
        if (i % 5 == 0) REQUIRE_OK(sn_mesh_add_lines(&mesh, (const uint32_t(*)[2])element, 1));
        REQUIRE_OK(sn_mesh_add_group(&mesh, i % 2 ? "odd" : "even", element, 2));
    }
}

TEST(rubbish_is_mended_as_far_as_it_can_be_and_no_further) {
    static const sn_mesh_finding_kind gone[] = {
        SN_MESH_TRIANGLE_REPEATED,  SN_MESH_TET_REPEATED,  SN_MESH_LINE_REPEATED,
        SN_MESH_TRIANGLE_DUPLICATE, SN_MESH_TET_DUPLICATE, SN_MESH_LINE_DUPLICATE,
        SN_MESH_TET_FLAT,           SN_MESH_TET_INVERTED,  SN_MESH_LINE_FLAT};
    for (int turn = 0; turn < 3000; turn++) {
        check_case("turn %d", turn);
        make_rubbish();
        sn_mesh_report report = check_mesh();
        CHECK(report.piece_count <= mesh.triangle_count);
        if (turn % 2) CHECK_OK(sn_mesh_weld(&mesh, (sn_real)0.5, NULL));
        bool has_elements = mesh.triangle_count + mesh.tet_count + mesh.line_count > 0;
        clean();
        report = check_mesh();
        for (size_t i = 0; i < sizeof gone / sizeof *gone; i++)
            CHECK(report.findings[gone[i]].count == 0);
        if (has_elements) CHECK(report.findings[SN_MESH_VERTEX_UNUSED].count == 0);
        look l = look_at(&mesh);
        CHECK(report.edge_count == l.edges);
        CHECK(report.findings[SN_MESH_EDGE_BOUNDARY].count == l.boundary);
        CHECK(report.findings[SN_MESH_EDGE_CROWDED].count == l.crowded);
        CHECK(report.findings[SN_MESH_EDGE_WINDING].count == l.turned);
        uint64_t before = look_hash(&mesh);
        clean();
        CHECK(look_hash(&mesh) == before);
        sn_mesh tets = sn_mesh_default();
        sn_fill_def def = sn_fill_def_default();
        def.spacing = 1;
        if (!report.closed) CHECK_FAILS(sn_mesh_fill(&mesh, &def, &tets), SN_ERROR_DEGENERATE);
        if (report.closed && sn_mesh_fill(&mesh, &def, &tets) == SN_OK) CHECK(tets.tet_count > 0);
        sn_mesh_free(&tets);
        sn_mesh_free(&mesh);
    }
}

/* What is added may be of the mesh itself, whose lists go elsewhere as they grow. */
TEST(a_mesh_is_lengthened_by_itself) {
    sn_mesh own = sn_mesh_default();
    static const sn_vec3 corners[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    static const uint32_t triangle[1][3] = {{0, 1, 2}};
    REQUIRE_OK(sn_mesh_add_vertices(&own, corners, 3));
    REQUIRE_OK(sn_mesh_add_triangles(&own, triangle, 1));
    for (int i = 0; i < 14; i++) {
        REQUIRE_OK(sn_mesh_add_vertices(&own, own.positions, own.vertex_count));
        REQUIRE_OK(
            sn_mesh_add_triangles(&own, (const uint32_t(*)[3])own.triangles, own.triangle_count));
    }
    CHECK(own.vertex_count == 3 << 14 && own.triangle_count == 1 << 14);
    bool same = true;
    for (size_t i = 0; i < own.vertex_count; i++)
        same &= memcmp(&own.positions[i], &corners[i % 3], sizeof *corners) == 0;
    for (size_t i = 0; i < own.triangle_count; i++)
        same &= memcmp(own.triangles[i], triangle[0], sizeof triangle[0]) == 0;
    CHECK(same);
    sn_mesh_free(&own);
}

TESTS(RUN(a_mesh_is_lengthened_by_itself), RUN(closed_surfaces_give_no_remarks_and_their_genus),
      RUN(cleaning_a_sound_mesh_changes_nothing), RUN(a_sheet_has_a_boundary_and_nothing_else),
      RUN(an_empty_mesh_has_nothing_wrong), RUN(indices_and_numbers_that_cannot_be_are_named),
      RUN(repeated_vertices_and_duplicates_of_triangles),
      RUN(repeated_vertices_and_duplicates_of_tets_and_lines),
      RUN(tets_without_volume_and_inside_out), RUN(a_triangle_without_area_is_flipped_away),
      RUN(edges_of_three_triangles), RUN(triangles_that_face_the_other_side),
      RUN(most_of_an_open_piece_decides_its_side), RUN(pieces_are_told_apart_and_cavities_are_kept),
      RUN(a_strip_of_one_side_is_left_and_reported), RUN(two_fans_at_a_vertex),
      RUN(welding_closes_a_soup_of_triangles), RUN(welding_reaches_as_far_as_it_is_told),
      RUN(welding_works_far_apart_and_close_together), RUN(unused_vertices_go_and_groups_follow),
      RUN(rubbish_is_mended_as_far_as_it_can_be_and_no_further))
