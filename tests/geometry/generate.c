/* Meshes by formula: shapes, sides, groups, what is refused, and the same bits everywhere. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "mesh_oracle.h"

#define PI 3.14159265358979323846

static sn_mesh mesh;
static const double rounding = sizeof(sn_real) == 4 ? 1e-5 : 1e-12;

static look made(sn_result result) {
    REQUIRE_OK(result);
    return look_at(&mesh);
}

static void check_closed(const look *l, long euler) {
    CHECK(l->boundary == 0 && l->crowded == 0 && l->turned == 0 && l->euler == euler);
    CHECK(l->volume > 0);
}

static size_t group_size(const char *name) {
    const sn_mesh_group *group = sn_mesh_find_group(&mesh, name);
    return CHECK(group != NULL) ? group->count : 0;
}

/* The only vertex of a group. */
static sn_vec3 only(const char *name) {
    const sn_mesh_group *group = sn_mesh_find_group(&mesh, name);
    if (!CHECK(group && group->count == 1)) return (sn_vec3){0, 0, 0};
    return mesh.positions[group->vertices[0]];
}

/* ---- Sheets ---- */

TEST(a_grid_in_every_pattern_is_the_rectangle_and_faces_up) {
    for (int pattern = 0; pattern < 4; pattern++) {
        check_case("pattern %d", pattern);
        mesh = sn_mesh_default();
        sn_grid_def def = sn_grid_def_default();
        def.width = 3;
        def.depth = 2;
        def.columns = 9;
        def.rows = 7;
        def.pattern = (sn_grid_pattern)pattern;
        look l = made(sn_generate_grid(&mesh, &def));
        CHECK_REL(l.area, 6, rounding);
        CHECK(l.euler == 1 && l.crowded == 0 && l.turned == 0 &&
              l.boundary == 2 * (9 + 7) + (pattern == 3));
        for (size_t t = 0; t < mesh.triangle_count; t++) {
            const uint32_t *v = mesh.triangles[t];
            sn_vec3 a = mesh.positions[v[0]], b = mesh.positions[v[1]], c = mesh.positions[v[2]];
            CHECK((b.z - a.z) * (c.x - a.x) - (b.x - a.x) * (c.z - a.z) > 0);
        }
        CHECK(group_size("left") == 8 && group_size("right") == 8 && group_size("corners") == 4);
        CHECK(group_size("back") == 10 && group_size("border") == l.boundary);
        CHECK((double)only("corner_0").x == -1.5 && (double)only("corner_0").z == -1);
        CHECK((double)only("corner_1").x == 1.5 && (double)only("corner_1").z == -1);
        CHECK((double)only("corner_2").x == 1.5 && (double)only("corner_2").z == 1);
        CHECK((double)only("corner_3").x == -1.5 && (double)only("corner_3").z == 1);
        sn_mesh_free(&mesh);
    }
}

TEST(the_equilateral_grid_has_equal_edges_inside) {
    mesh = sn_mesh_default();
    sn_grid_def def = sn_grid_def_default();
    def.columns = 10;
    def.rows = 12;
    def.depth = (sn_real)(sqrt(0.75) * 12 / 10);
    def.pattern = SN_GRID_EQUILATERAL;
    look l = made(sn_generate_grid(&mesh, &def));
    CHECK_REL(l.longest, 0.1, rounding);
    CHECK_REL(l.shortest, 0.05, rounding);
    CHECK_REL(l.angle_low, 30, rounding);
    sn_mesh_free(&mesh);
}

TEST(a_disc_has_no_sliver) {
    for (uint32_t rings = 1; rings <= 33; rings += 4) {
        check_case("%u rings", rings);
        mesh = sn_mesh_default();
        sn_disc_def def = sn_disc_def_default();
        def.radius = 2;
        def.rings = rings;
        look l = made(sn_generate_disc(&mesh, &def));
        double n = 6.0 * rings;
        CHECK_REL(l.area, n / 2 * 4 * sin(2 * PI / n), rounding);
        CHECK(l.euler == 1 && l.crowded == 0 && l.turned == 0 && l.boundary == 6 * rings);
        CHECK(mesh.vertex_count == 1 + 3 * rings * (rings + 1));
        CHECK(l.angle_low > 43.5 && l.longest < 1.45 * l.shortest);
        CHECK(group_size("rim") == 6 * rings && only("centre").x == 0);
        sn_mesh_free(&mesh);
    }
}

TEST(a_disc_takes_any_number_of_segments) {
    for (uint32_t segments = 3; segments < 80; segments += 7) {
        check_case("%u segments", segments);
        mesh = sn_mesh_default();
        sn_disc_def def = sn_disc_def_default();
        def.rings = 4;
        def.segments = segments;
        look l = made(sn_generate_disc(&mesh, &def));
        CHECK(l.euler == 1 && l.crowded == 0 && l.turned == 0 && l.boundary == segments);
        CHECK(l.angle_low > (segments == 3 ? 4 : 15));
        sn_mesh_free(&mesh);
    }
}

/* ---- Closed surfaces ---- */

TEST(a_box_has_its_area_and_volume) {
    mesh = sn_mesh_default();
    sn_box_def def = sn_box_def_default();
    def.extent = (sn_vec3){1, 2, 3};
    def.cells[0] = 1;
    def.cells[1] = 5;
    def.cells[2] = 4;
    look l = made(sn_generate_box(&mesh, &def));
    check_closed(&l, 2);
    CHECK_REL(l.area, 22, rounding);
    CHECK_REL(l.volume, 6, rounding);
    CHECK(group_size("left") == 30 && group_size("top") == 10 && group_size("front") == 12);
    double area, volume;
    CHECK_OK(sn_mesh_area(&mesh, &area));
    CHECK_OK(sn_mesh_volume(&mesh, &volume));
    CHECK_REL(area, l.area, 1e-12);
    CHECK_REL(volume, l.volume, 1e-12);
    sn_mesh_free(&mesh);
}

TEST(the_sphere_converges_by_the_square_of_its_edges) {
    double before = 0;
    for (uint32_t level = 0; level <= 5; level++) {
        check_case("level %u", level);
        mesh = sn_mesh_default();
        sn_sphere_def def = sn_sphere_def_default();
        def.radius = 2;
        def.level = level;
        look l = made(sn_generate_sphere(&mesh, &def));
        check_closed(&l, 2);
        CHECK(mesh.vertex_count == 10u * (1u << 2 * level) + 2);
        double error = 1 - l.area / (16 * PI);
        if (level > 1) CHECK_REL(before / error, 4, 0.1);
        CHECK_REL(l.volume, 32 * PI / 3, 3 * error);
        CHECK(l.angle_low > 53.9 && l.longest < 1.5 * l.shortest);
        CHECK((double)only("top").y == 2 && (double)only("bottom").y == -2);
        before = error;
        sn_mesh_free(&mesh);
    }
}

TEST(the_sphere_has_edges_of_the_length_that_was_asked_for) {
    for (double edge = 0.9; edge > 0.02; edge *= 0.6) {
        check_case("edge length %g", edge);
        mesh = sn_mesh_default();
        sn_sphere_def def = sn_sphere_def_default();
        def.radius = 1;
        def.edge_length = (sn_real)edge;
        look l = made(sn_generate_sphere(&mesh, &def));
        check_closed(&l, 2);
        CHECK(l.shortest > 0.7 * edge && l.longest < 1.2 * edge);
        sn_mesh_free(&mesh);
    }
}

TEST(a_stretched_sphere_is_an_ellipsoid) {
    mesh = sn_mesh_default();
    sn_sphere_def def = sn_sphere_def_default();
    def.radius = 1;
    def.level = 5;
    def.stretch = (sn_vec3){1, 3, (sn_real)0.5};
    look l = made(sn_generate_sphere(&mesh, &def));
    check_closed(&l, 2);
    CHECK_REL(l.volume, 1.5 * 4 * PI / 3, 0.005);
    CHECK((double)only("top").y == 3 && (double)only("bottom").y == -3);
    for (size_t i = 0; i < mesh.vertex_count; i++) {
        sn_vec3 p = mesh.positions[i];
        double x = (double)p.x, y = (double)p.y / 3, z = (double)p.z * 2;
        CHECK_REL(x * x + y * y + z * z, 1, 1e-5);
    }
    sn_mesh_free(&mesh);
    def.stretch.x = 0;
    CHECK(sn_generate_sphere(&mesh, &def) == SN_ERROR_VALUE);
}

TEST(a_cylinder_is_closed_with_caps_and_a_tube_without) {
    for (uint32_t segments = 3; segments < 60; segments += 8) {
        check_case("%u segments", segments);
        double polygon = segments / 2.0 * sin(2 * PI / segments);
        for (int capped = 0; capped < 2; capped++) {
            mesh = sn_mesh_default();
            sn_cylinder_def def = sn_cylinder_def_default();
            def.radius = 1;
            def.height = 3;
            def.segments = segments;
            def.rows = 5;
            def.capped = capped;
            look l = made(sn_generate_cylinder(&mesh, &def));
            double side = 3 * segments * 2 * sin(PI / segments);
            CHECK_REL(l.area, side + 2 * capped * polygon, rounding);
            if (capped) check_closed(&l, 2);
            if (capped) CHECK_REL(l.volume, 3 * polygon, rounding);
            if (!capped) CHECK(l.euler == 0 && l.boundary == 2 * segments && l.turned == 0);
            if (!capped) CHECK(group_size("top") == segments);
            CHECK(group_size("top") == group_size("bottom"));
            sn_mesh_free(&mesh);
        }
    }
}

TEST(a_torus_has_a_hole) {
    double before = 0;
    for (uint32_t n = 16; n <= 128; n *= 2) {
        check_case("%u segments", n);
        mesh = sn_mesh_default();
        sn_torus_def def = sn_torus_def_default();
        def.radius = 2;
        def.tube = 1;
        def.segments = n;
        def.sides = n / 2 + 1;
        look l = made(sn_generate_torus(&mesh, &def));
        check_closed(&l, 0);
        double error = 1 - l.volume / (4 * PI * PI);
        CHECK(error > 0 && error < 60.0 / n / n);
        if (n > 16) CHECK(before / error > 3);
        CHECK(group_size("outer") == n && group_size("inner") == 2 * n - n * (def.sides % 2 == 0));
        before = error;
        sn_mesh_free(&mesh);
    }
}

/* ---- Ropes and blocks ---- */

TEST(a_rope_goes_from_start_to_end) {
    mesh = sn_mesh_default();
    REQUIRE_OK(sn_generate_rope(&mesh, (sn_vec3){1, 2, 3}, (sn_vec3){1, 2, 7}, 8));
    CHECK(mesh.vertex_count == 9 && mesh.line_count == 8 && mesh.triangle_count == 0);
    CHECK((double)only("start").z == 3 && (double)only("end").z == 7);
    for (uint32_t i = 0; i < 8; i++) CHECK(mesh.lines[i][0] == i && mesh.lines[i][1] == i + 1);
    CHECK_NEAR(mesh.positions[3].z, 4.5, rounding);
    sn_mesh_free(&mesh);
}

static double from_origin(sn_vec3 x);
static double line_length(const uint32_t line[2]);

/* Chords of arcs: 2 r sin(a / 2), and the pitch along. */
TEST(helices_and_rings_are_round) {
    mesh = sn_mesh_default();
    sn_helix_def def = sn_helix_def_default();
    def.turns = (sn_real)2.5;
    def.segments = 50;
    REQUIRE_OK(sn_generate_helix(&mesh, &def));
    CHECK(mesh.vertex_count == 51 && mesh.line_count == 50);
    double chord = hypot(2 * 0.05 * sin(0.05 * 3.14159265358979), 0.02 / 20);
    for (uint32_t i = 0; i < 50; i++) {
        sn_vec3 x = mesh.positions[i];
        CHECK_NEAR(line_length(mesh.lines[i]), chord, 1e-7);
        CHECK_NEAR(hypot((double)x.x, (double)x.z), 0.05, 1e-7);
    }
    sn_vec3 start = only("start"), end = only("end");
    CHECK_NEAR((double)start.y, 0.025, 1e-7);
    CHECK_NEAR((double)start.x, 0.05, 1e-7);
    CHECK_NEAR((double)end.y, -0.025, 1e-7);
    CHECK_NEAR((double)end.x, -0.05, 1e-7);
    /* Right-handed: seen from above it goes down clockwise, so its way turns against its normal. */
    sn_vec3 a = mesh.positions[0], b = mesh.positions[1];
    CHECK(((double)a.x * (double)b.z - (double)a.z * (double)b.x) * ((double)b.y - (double)a.y) >
          0);
    sn_mesh_free(&mesh);

    REQUIRE_OK(sn_generate_ring(&mesh, 2, 12));
    CHECK(mesh.vertex_count == 12 && mesh.line_count == 12 && mesh.lines[11][1] == 0);
    for (uint32_t i = 0; i < 12; i++)
        CHECK_NEAR(line_length(mesh.lines[i]), 4 * sin(3.14159265358979 / 12), 1e-6);
    CHECK((double)only("start").x == 2);
    sn_mesh_free(&mesh);
}

/* Through points of a circle a spline is a circle to a thousandth; straight ones stay straight. */
TEST(splines_go_through_their_points_in_even_steps) {
    sn_vec3 points[16];
    for (int i = 0; i < 16; i++) {
        double a = 2 * 3.14159265358979 * i / 16;
        points[i] = (sn_vec3){(sn_real)cos(a), (sn_real)sin(a), 0};
    }
    mesh = sn_mesh_default();
    REQUIRE_OK(sn_generate_spline(&mesh, points, 16, true, 100));
    CHECK(mesh.vertex_count == 100 && mesh.line_count == 100 && mesh.lines[99][1] == 0);
    for (uint32_t i = 0; i < 100; i++) {
        CHECK_NEAR(from_origin(mesh.positions[i]), 1, 1e-3);
        CHECK_REL(line_length(mesh.lines[i]), 2 * 3.14159265358979 / 100, 2e-3);
    }
    sn_mesh_free(&mesh);
    const sn_vec3 straight[3] = {{0, 0, 0}, {1, 0, 0}, {4, 0, 0}};
    REQUIRE_OK(sn_generate_spline(&mesh, straight, 3, false, 8));
    CHECK(mesh.vertex_count == 9 && mesh.line_count == 8);
    for (uint32_t i = 0; i <= 8; i++) CHECK_NEAR((double)mesh.positions[i].x, 0.5 * i, 1e-3);
    CHECK((double)only("start").x == 0 && (double)only("end").x == 4);
    sn_mesh_free(&mesh);
    const sn_vec3 same[2] = {{1, 1, 1}, {1, 1, 1}};
    CHECK_FAILS(sn_generate_spline(&mesh, same, 2, false, 3), SN_ERROR_VALUE);
    CHECK_FAILS(sn_generate_spline(&mesh, straight, 2, true, 3), SN_ERROR_VALUE);
    CHECK_FAILS(sn_generate_ring(&mesh, 1, 2), SN_ERROR_VALUE);
    sn_helix_def def = sn_helix_def_default();
    def.turns = 300;
    CHECK_FAILS(sn_generate_helix(&mesh, &def), SN_ERROR_VALUE);
}

static double from_origin(sn_vec3 x) {
    return sqrt((double)x.x * (double)x.x + (double)x.y * (double)x.y + (double)x.z * (double)x.z);
}

/* How far the ends of a line are apart. */
static double line_length(const uint32_t line[2]) {
    sn_vec3 a = mesh.positions[line[0]], b = mesh.positions[line[1]];
    return from_origin((sn_vec3){b.x - a.x, b.y - a.y, b.z - a.z});
}

TEST(strands_grow_out_of_a_ball) {
    sn_mesh ball = sn_mesh_default(), again = sn_mesh_default();
    sn_sphere_def sphere = sn_sphere_def_default();
    sphere.radius = 1;
    sphere.level = 4;
    REQUIRE_OK(sn_generate_sphere(&ball, &sphere));
    sn_strands_def def = sn_strands_def_default();
    def.count = 500;
    def.segments = 10;
    def.direction = (sn_vec3){0, 2, 0};
    def.within = (sn_real)0.7;
    mesh = sn_mesh_default();
    REQUIRE_OK(sn_generate_strands(&mesh, &ball, &def));
    CHECK(mesh.vertex_count == 5500 && mesh.line_count == 5000);
    CHECK(group_size("roots") == 500 && group_size("stems") == 1000 && group_size("tips") == 500);
    for (uint32_t i = 0; i < 5500; i += 11) {
        /* On the ball, within the angle and what a triangle is wide, and straight out of it. */
        sn_vec3 root = mesh.positions[i], tip = mesh.positions[i + 10];
        double out = from_origin(tip) - from_origin(root);
        CHECK_NEAR(from_origin(root), 1, 0.003);
        CHECK((double)root.y > cos(0.8));
        CHECK(out > 0.1799 && out < 0.2001);
        CHECK_NEAR(line_length(mesh.lines[i / 11 * 10]), out / 10, 1e-5);
    }
    REQUIRE_OK(sn_generate_strands(&again, &ball, &def));
    CHECK(look_hash(&again) == look_hash(&mesh));
    sn_mesh_free(&again);
    def.seed = 1;
    REQUIRE_OK(sn_generate_strands(&again, &ball, &def));
    CHECK(look_hash(&again) != look_hash(&mesh));
    sn_mesh_free(&again);
    sn_mesh_free(&mesh);
    sn_mesh_free(&ball);
}

/* Half of the ball, 6.28 m^2, with 50 on each; combed down they lie on it and end below it. */
/* A density that grows with x from 0: two thirds of the width is the mean place of roots, and none
   is where it is 0; lengths are those of the map at the root. */
TEST(strands_follow_their_maps) {
    sn_mesh sheet = sn_mesh_default();
    sn_grid_def grid = sn_grid_def_default();
    grid.width = grid.depth = 1;
    grid.columns = grid.rows = 4;
    REQUIRE_OK(sn_generate_grid(&sheet, &grid));
    sn_real density[25], longer[25];
    for (size_t i = 0; i < sheet.vertex_count; i++) {
        double x = (double)sheet.positions[i].x + 0.5;
        density[i] = (sn_real)(x < 0.3 ? 0 : x - 0.25);
        longer[i] = (sn_real)(0.5 + x);
    }
    sn_strands_def def = sn_strands_def_default();
    def.density = 4000;
    def.variation = 0;
    def.segments = 2;
    def.density_map = density;
    def.length_map = longer;
    mesh = sn_mesh_default();
    REQUIRE_OK(sn_generate_strands(&mesh, &sheet, &def));
    /* From x = 0.25 on: the integral of x - 0.25, and its mean. */
    double count = (double)group_size("roots"), mean = 0;
    CHECK_REL(count, 4000 * 0.75 * 0.75 / 2, 2e-3);
    for (size_t i = 0; i < mesh.vertex_count; i += 3) {
        double x = (double)mesh.positions[i].x + 0.5;
        mean += x / count;
        CHECK(x > 0.25);
        CHECK_REL(line_length(mesh.lines[i / 3 * 2]), 0.1 * (0.5 + x), 1e-4);
    }
    CHECK_NEAR(mean, 0.25 + 0.5, 0.01);
    sn_mesh_free(&mesh);
    longer[7] = 0;
    CHECK_FAILS(sn_generate_strands(&mesh, &sheet, &def), SN_ERROR_VALUE);
    CHECK(strstr(sn_last_error(), "length_map") && strstr(sn_last_error(), "vertex 7"));
    longer[7] = 1;
    for (size_t i = 0; i < 25; i++) density[i] = 0;
    CHECK_FAILS(sn_generate_strands(&mesh, &sheet, &def), SN_ERROR_DEGENERATE);
    sn_mesh_free(&sheet);
}

TEST(strands_are_combed_and_curled) {
    sn_mesh ball = sn_mesh_default();
    sn_sphere_def sphere = sn_sphere_def_default();
    sphere.radius = 1;
    sphere.level = 4;
    REQUIRE_OK(sn_generate_sphere(&ball, &sphere));
    sn_strands_def def = sn_strands_def_default();
    def.density = 50;
    def.within = (sn_real)(3.14159265358979 / 2);
    def.length = 2;
    def.variation = 0;
    def.segments = 40;
    def.comb = (sn_vec3){0, -20, 0};
    def.clearance = (sn_real)0.01;
    for (int curled = 0; curled < 2; curled++) {
        check_case("%s", curled ? "curled" : "straight");
        def.curl_radius = (sn_real)(curled ? 0.02 : 0);
        def.curl_pitch = (sn_real)0.4;
        mesh = sn_mesh_default();
        REQUIRE_OK(sn_generate_strands(&mesh, &ball, &def));
        CHECK_REL((double)group_size("roots"), 50 * 6.2832, 0.03);
        double mean = 0, down = 0;
        for (size_t i = 0; i < mesh.line_count; i++) {
            mean += line_length(mesh.lines[i]) / (double)mesh.line_count;
            /* What opens the first curl is still within its radius of the path. */
            CHECK(i % 40 < 3 || from_origin(mesh.positions[mesh.lines[i][1]]) > 0.997);
        }
        for (size_t i = 40; i < mesh.vertex_count; i += 41)
            down += (double)mesh.positions[i].y / (double)group_size("roots");
        CHECK_REL(mean, 0.05, 0.05);
        CHECK(down < -0.7);
        sn_mesh_free(&mesh);
    }
    sn_mesh_free(&ball);
}

TEST(a_block_is_filled_and_its_surface_closed) {
    for (int pattern = 0; pattern < 2; pattern++) {
        check_case("pattern %d", pattern);
        mesh = sn_mesh_default();
        sn_block_def def = sn_block_def_default();
        def.extent = (sn_vec3){1, 2, 3};
        def.cells[0] = 2;
        def.cells[1] = 3;
        def.cells[2] = 5;
        def.pattern = (sn_block_pattern)pattern;
        look l = made(sn_generate_block(&mesh, &def));
        check_closed(&l, 2);
        CHECK(mesh.vertex_count == 3 * 4 * 6 && mesh.tet_count == 30u * (pattern ? 6 : 5));
        CHECK(mesh.triangle_count == 4 * (2 * 3 + 3 * 5 + 5 * 2));
        CHECK_REL(l.volume, 6, rounding);
        CHECK_REL(l.tet_volume, 6, rounding);
        CHECK_REL(l.area, 22, rounding);
        CHECK_REL(l.smallest_tet, 0.2 / 6, rounding);
        CHECK(group_size("left") == 24 && group_size("bottom") == 18 && group_size("back") == 12);
        double sum;
        sn_real volumes[180];
        CHECK_OK(sn_mesh_tet_volume(&mesh, &sum));
        CHECK_REL(sum, 6, rounding);
        CHECK_OK(sn_mesh_tet_volumes(&mesh, volumes));
        CHECK((double)volumes[7] >= l.smallest_tet * (1 - rounding));
        sn_mesh_free(&mesh);
    }
}

/* ---- Measures ---- */

TEST(normals_of_a_sphere_point_away_from_its_middle) {
    mesh = sn_mesh_default();
    sn_sphere_def def = sn_sphere_def_default();
    def.radius = 1;
    REQUIRE_OK(sn_generate_sphere(&mesh, &def));
    static sn_vec3 normals[642];
    REQUIRE_OK(sn_mesh_normals(&mesh, normals));
    for (size_t i = 0; i < 642; i++) {
        sn_vec3 n = normals[i], x = mesh.positions[i];
        CHECK_NEAR(n.x * n.x + n.y * n.y + n.z * n.z, 1, rounding);
        CHECK(n.x * x.x + n.y * x.y + n.z * x.z > (sn_real)0.9998);
    }
    sn_mesh_free(&mesh);
}

TEST(normals_of_a_cube_do_not_depend_on_how_its_sides_are_cut) {
    mesh = sn_mesh_default();
    sn_box_def def = sn_box_def_default();
    def.cells[0] = def.cells[1] = def.cells[2] = 1;
    REQUIRE_OK(sn_generate_box(&mesh, &def));
    sn_vec3 normals[8];
    REQUIRE_OK(sn_mesh_normals(&mesh, normals));
    for (size_t i = 0; i < 8; i++) {
        CHECK_NEAR(normals[i].x, 2 * (double)mesh.positions[i].x / sqrt(3), rounding);
        CHECK_NEAR(normals[i].y, 2 * (double)mesh.positions[i].y / sqrt(3), rounding);
        CHECK_NEAR(normals[i].z, 2 * (double)mesh.positions[i].z / sqrt(3), rounding);
    }
    sn_vec3 low, high;
    CHECK_OK(sn_mesh_bounds(&mesh, &low, &high));
    CHECK_NEAR(low.x, -0.5, 0);
    CHECK_NEAR(high.z, 0.5, 0);
    sn_mesh_free(&mesh);
    CHECK_FAILS(sn_mesh_bounds(&mesh, &low, &high), SN_ERROR_VALUE);
}

TEST(a_surface_replaces_the_triangles) {
    mesh = sn_mesh_default();
    sn_block_def def = sn_block_def_default();
    REQUIRE_OK(sn_generate_block(&mesh, &def));
    uint64_t before = look_hash(&mesh);
    REQUIRE_OK(sn_mesh_surface(&mesh));
    CHECK(look_hash(&mesh) == before);
    mesh.tets[3][2] = 4711;
    CHECK_FAILS(sn_mesh_surface(&mesh), SN_ERROR_VALUE);
    CHECK(strstr(sn_last_error(), "tet 3 uses vertex 4711") != NULL);
    mesh.tets[3][2] = 0;
    mesh.positions[8].y = (sn_real)NAN;
    double area;
    CHECK_FAILS(sn_mesh_area(&mesh, &area), SN_ERROR_VALUE);
    sn_mesh_free(&mesh);
}

/* ---- What is refused ---- */

#define REFUSED(kind, change, part)                                                                \
    do {                                                                                           \
        sn_##kind##_def def = sn_##kind##_def_default();                                           \
        change;                                                                                    \
        check_case("%s: %s", #kind, #change);                                                      \
        sn_result result = sn_generate_##kind(&mesh, &def);                                        \
        CHECK(result == SN_ERROR_VALUE || result == SN_ERROR_LIMIT);                               \
        CHECK(strstr(sn_last_error(), #kind ": ") && strstr(sn_last_error(), part));               \
        CHECK(mesh.vertex_count == 0 && mesh.positions == NULL && mesh.group_count == 0);          \
    } while (0)

TEST(nonsense_is_refused_with_a_sentence) {
    mesh = sn_mesh_default();
    REFUSED(grid, def.width = 0, "width is 0, expected");
    REFUSED(grid, def.depth = (sn_real)NAN, "depth is nan");
    REFUSED(grid, def.columns = 0, "columns is 0");
    REFUSED(grid, def.rows = UINT32_MAX, "rows is 4294967295");
    REFUSED(grid, def.pattern = (sn_grid_pattern)9, "pattern is 9");
    REFUSED(grid, def.columns = def.rows = 1 << 24, "2^30");
    REFUSED(disc, def.radius = -1, "radius is -1");
    REFUSED(disc, def.rings = 0, "rings is 0");
    REFUSED(disc, def.segments = 2, "segments is 2");
    REFUSED(disc, def.rings = 1 << 16, "2^30");
    REFUSED(box, def.extent.y = 0, "extent.y is 0");
    REFUSED(box, def.cells[2] = 0, "cells[2] is 0");
    REFUSED(box, def.cells[0] = def.cells[1] = def.cells[2] = 1 << 24, "2^30");
    REFUSED(sphere, def.radius = (sn_real)INFINITY, "radius is inf");
    REFUSED(sphere, def.level = 13, "level is 13");
    REFUSED(sphere, def.edge_length = -1, "edge_length is -1");
    REFUSED(sphere, def.edge_length = (sn_real)1e-8, "2^30");
    REFUSED(cylinder, def.radius = 0, "radius is 0");
    REFUSED(cylinder, def.height = (sn_real)1e10, "height is 1e+10");
    REFUSED(cylinder, def.segments = 2, "segments is 2");
    REFUSED(cylinder, def.rows = 0, "rows is 0");
    REFUSED(torus, def.tube = def.radius, "tube is 0.5 m, expected less");
    REFUSED(torus, def.sides = 1, "sides is 1");
    REFUSED(torus, def.segments = 1, "segments is 1");
    REFUSED(torus, def.radius = 0, "radius is 0");
    REFUSED(torus, def.tube = 0, "tube is 0");
    REFUSED(block, def.extent.x = 0, "extent.x is 0");
    REFUSED(block, def.pattern = (sn_block_pattern)2, "pattern is 2");
    REFUSED(block, def.cells[0] = def.cells[1] = def.cells[2] = 1024, "2^30");
    sn_vec3 here = {1, 1, 1};
    CHECK_FAILS(sn_generate_rope(&mesh, here, here, 3), SN_ERROR_VALUE);
    CHECK_FAILS(sn_generate_rope(&mesh, here, (sn_vec3){0, 0, 0}, 0), SN_ERROR_VALUE);
    sn_strands_def strands = sn_strands_def_default();
    CHECK_FAILS(sn_generate_strands(&mesh, &mesh, &strands), SN_ERROR_DEGENERATE);
    strands.segments = 0;
    CHECK_FAILS(sn_generate_strands(&mesh, &mesh, &strands), SN_ERROR_VALUE);
    strands = sn_strands_def_default();
    strands.variation = 1;
    CHECK_FAILS(sn_generate_strands(&mesh, &mesh, &strands), SN_ERROR_VALUE);
    REQUIRE_OK(sn_mesh_add_vertices(&mesh, NULL, 1));
    sn_grid_def def = sn_grid_def_default();
    CHECK_FAILS(sn_generate_grid(&mesh, &def), SN_ERROR_VALUE);
    CHECK(mesh.vertex_count == 1);
    sn_mesh_free(&mesh);
}

TESTS(RUN(a_grid_in_every_pattern_is_the_rectangle_and_faces_up),
      RUN(the_equilateral_grid_has_equal_edges_inside), RUN(a_disc_has_no_sliver),
      RUN(a_disc_takes_any_number_of_segments), RUN(a_box_has_its_area_and_volume),
      RUN(the_sphere_converges_by_the_square_of_its_edges),
      RUN(the_sphere_has_edges_of_the_length_that_was_asked_for),
      RUN(a_stretched_sphere_is_an_ellipsoid),
      RUN(a_cylinder_is_closed_with_caps_and_a_tube_without), RUN(a_torus_has_a_hole),
      RUN(a_rope_goes_from_start_to_end), RUN(helices_and_rings_are_round),
      RUN(splines_go_through_their_points_in_even_steps), RUN(strands_grow_out_of_a_ball),
      RUN(strands_are_combed_and_curled), RUN(strands_follow_their_maps),
      RUN(a_block_is_filled_and_its_surface_closed),
      RUN(normals_of_a_sphere_point_away_from_its_middle),
      RUN(normals_of_a_cube_do_not_depend_on_how_its_sides_are_cut),
      RUN(a_surface_replaces_the_triangles), RUN(nonsense_is_refused_with_a_sentence))
