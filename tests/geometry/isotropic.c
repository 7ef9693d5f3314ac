/* Isotropic triangles within outlines: Delaunay, angles, lengths, borders, groups, and what is
   refused. */
#include <sinew/support.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "mesh_oracle.h"

#define PI 3.14159265358979323846

static sn_mesh mesh;
static const double rounding = sizeof(sn_real) == 4 ? 1e-5 : 1e-12;

/* ---- Looking ---- */

/* As drawn: to the right and upward. */
static void at(uint32_t v, double x[2]) {
    x[0] = (double)mesh.positions[v].x;
    x[1] = -(double)mesh.positions[v].z;
}

static double cross(const double a[2], const double b[2], const double c[2]) {
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

typedef struct shape {
    double low, high; /* angles, degrees */
    double mean;      /* of edges */
    double sixfold;   /* how much edges are along the directions of one lattice: 0 to 1 */
    size_t clockwise; /* triangles */
} shape;

static shape shape_of(void) {
    shape s = {180, 0, 0, 0, 0};
    double cosine = 0, sine = 0;
    for (size_t t = 0; t < mesh.triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            double a[2], b[2], c[2];
            at(mesh.triangles[t][k], a);
            at(mesh.triangles[t][(k + 1) % 3], b);
            at(mesh.triangles[t][(k + 2) % 3], c);
            double x = b[0] - a[0], y = b[1] - a[1];
            double dot = x * (c[0] - a[0]) + y * (c[1] - a[1]);
            double angle = atan2(cross(a, b, c), dot) * 180 / PI, direction = atan2(y, x);
            s.low = fmin(s.low, angle);
            s.high = fmax(s.high, angle);
            s.clockwise += !(angle > 0);
            s.mean += hypot(x, y) / (3.0 * (double)mesh.triangle_count);
            cosine += cos(6 * direction);
            sine += sin(6 * direction);
        }
    s.sixfold = hypot(cosine, sine) / (3.0 * (double)mesh.triangle_count);
    return s;
}

/* The centre of the circle through three points, and the square of its radius. */
static double circle(const uint32_t v[3], double centre[2]) {
    double a[2], b[2], c[2];
    at(v[0], a);
    at(v[1], b);
    at(v[2], c);
    double bx = b[0] - a[0], by = b[1] - a[1], cx = c[0] - a[0], cy = c[1] - a[1];
    double bb = bx * bx + by * by, cc = cx * cx + cy * cy, d = 2 * (bx * cy - by * cx);
    double x = (cy * bb - by * cc) / d, y = (bx * cc - cx * bb) / d;
    centre[0] = a[0] + x;
    centre[1] = a[1] + y;
    return x * x + y * y;
}

/* Whether the segments p q and a b cross, ends apart. */
static bool crosses(const double p[2], const double q[2], const double a[2], const double b[2]) {
    double one = cross(p, q, a), two = cross(p, q, b);
    double three = cross(a, b, p), four = cross(a, b, q);
    double tiny = 1e-7 * hypot(q[0] - p[0], q[1] - p[1]) * hypot(b[0] - a[0], b[1] - a[1]);
    return ((one > tiny && two < -tiny) || (one < -tiny && two > tiny)) &&
           ((three > tiny && four < -tiny) || (three < -tiny && four > tiny));
}

/* Edges of one triangle alone, as pairs of vertices. */
static size_t border_edges(uint32_t (*edges)[2]) {
    size_t count = 0;
    for (size_t t = 0; t < mesh.triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            uint32_t a = mesh.triangles[t][k], b = mesh.triangles[t][(k + 1) % 3];
            bool inner = false;
            for (size_t u = 0; u < mesh.triangle_count && !inner; u++)
                for (int j = 0; j < 3; j++)
                    inner |= mesh.triangles[u][j] == b && mesh.triangles[u][(j + 1) % 3] == a;
            if (inner) continue;
            edges[count][0] = a;
            edges[count++][1] = b;
        }
    return count;
}

/* Vertices in the circle of a triangle that can be seen from its middle, across no border: of a
   constrained Delaunay triangulation none. Positions are rounded, hence the margin. */
static size_t not_delaunay(void) {
    static uint32_t edges[4000][2];
    size_t wrong = 0, count = border_edges(edges);
    for (size_t t = 0; t < mesh.triangle_count; t++) {
        const uint32_t *v = mesh.triangles[t];
        double centre[2], middle[2] = {0, 0}, square = circle(v, centre);
        for (int k = 0; k < 3; k++) {
            double x[2];
            at(v[k], x);
            middle[0] += x[0] / 3;
            middle[1] += x[1] / 3;
        }
        for (uint32_t u = 0; u < mesh.vertex_count; u++) {
            double x[2];
            at(u, x);
            double dx = x[0] - centre[0], dy = x[1] - centre[1];
            if (u == v[0] || u == v[1] || u == v[2]) continue;
            if (!(dx * dx + dy * dy < square * (1 - 1e-4))) continue;
            bool hidden = false;
            for (size_t e = 0; e < count && !hidden; e++) {
                double a[2], b[2];
                at(edges[e][0], a);
                at(edges[e][1], b);
                hidden = crosses(middle, x, a, b);
            }
            wrong += !hidden;
        }
    }
    return wrong;
}

static size_t group_size(const char *name) {
    const sn_mesh_group *group = sn_mesh_find_group(&mesh, name);
    return group ? group->count : 0;
}

/* The edges along a group that is in order: the longest over the shortest. */
static double unevenness(const char *name, bool closed) {
    const sn_mesh_group *group = sn_mesh_find_group(&mesh, name);
    double low = INFINITY, high = 0;
    if (!CHECK(group != NULL)) return 0;
    for (size_t i = 0; i + !closed < group->count; i++) {
        double a[2], b[2];
        at(group->vertices[i], a);
        at(group->vertices[(i + 1) % group->count], b);
        low = fmin(low, hypot(b[0] - a[0], b[1] - a[1]));
        high = fmax(high, hypot(b[0] - a[0], b[1] - a[1]));
    }
    return high / low;
}

static double polygon_area(const sn_real (*points)[2], size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        const sn_real *a = points[i], *b = points[(i + 1) % count];
        sum += 0.5 * ((double)a[0] * (double)b[1] - (double)b[0] * (double)a[1]);
    }
    return fabs(sum);
}

static sn_result generate(const sn_outline *outlines, size_t count, double edge) {
    sn_panel_def def = sn_panel_def_default();
    def.outlines = outlines;
    def.outline_count = count;
    def.edge_length = (sn_real)edge;
    return sn_generate_panel(&mesh, &def);
}

/* ---- Sheets and discs ---- */

TEST(a_sheet_has_good_triangles_at_every_size) {
    for (double edge = 0.2; edge > 0.012; edge *= 0.63) {
        check_case("edges of %g", edge);
        mesh = sn_mesh_default();
        sn_sheet_mesh_def def = sn_sheet_mesh_def_default();
        def.width = (sn_real)1.5;
        def.edge_length = (sn_real)edge;
        REQUIRE_OK(sn_generate_sheet(&mesh, &def));
        look l = look_at(&mesh);
        shape s = shape_of();
        CHECK_REL(l.area, 1.5, rounding);
        CHECK(l.euler == 1 && l.crowded == 0 && l.turned == 0 && s.clockwise == 0);
        CHECK(s.low > 30 && s.high < 110);
        CHECK_REL(s.mean, edge, 0.1);
        CHECK(l.shortest > 0.5 * edge && l.longest < 1.6 * edge);
        CHECK(mesh.vertex_count < 500 || s.sixfold < 0.06);
        sn_mesh_free(&mesh);
    }
}

TEST(a_sheet_has_the_groups_of_a_grid) {
    mesh = sn_mesh_default();
    sn_sheet_mesh_def def = sn_sheet_mesh_def_default();
    def.width = 2;
    def.edge_length = (sn_real)0.1;
    REQUIRE_OK(sn_generate_sheet(&mesh, &def));
    look l = look_at(&mesh);
    CHECK(group_size("border") == 60 && l.boundary == 60 && group_size("corners") == 4);
    CHECK(group_size("back") == 21 && group_size("front") == 21);
    CHECK(group_size("left") == 11 && group_size("right") == 11);
    static const struct {
        const char *name;
        int axis;
        double value;
    } sides[] = {{"left", 0, -1}, {"right", 0, 1}, {"back", 1, 0.5}, {"front", 1, -0.5}};
    for (int i = 0; i < 4; i++) {
        const sn_mesh_group *group = sn_mesh_find_group(&mesh, sides[i].name);
        for (size_t k = 0; k < group->count; k++) {
            double x[2];
            at(group->vertices[k], x);
            CHECK_NEAR(x[sides[i].axis], sides[i].value, 0);
        }
        CHECK(unevenness(sides[i].name, false) < 1 + 1e-4);
    }
    const double corner[4][2] = {{-1, 0.5}, {1, 0.5}, {1, -0.5}, {-1, -0.5}};
    for (int i = 0; i < 4; i++) {
        char name[16];
        double x[2];
        snprintf(name, sizeof name, "corner_%d", i);
        at(sn_mesh_find_group(&mesh, name)->vertices[0], x);
        CHECK(x[0] == corner[i][0] && x[1] == corner[i][1]);
    }
    sn_mesh_free(&mesh);
}

TEST(a_disc_with_an_edge_length_has_no_rings) {
    for (double edge = 0.2; edge > 0.02; edge *= 0.63) {
        check_case("edges of %g", edge);
        mesh = sn_mesh_default();
        sn_disc_def def = sn_disc_def_default();
        def.edge_length = (sn_real)edge;
        REQUIRE_OK(sn_generate_disc(&mesh, &def));
        look l = look_at(&mesh);
        shape s = shape_of();
        size_t n = group_size("rim");
        CHECK(n == l.boundary && n == (size_t)(PI / edge + 0.5) && l.euler == 1);
        CHECK_REL(l.area, (double)n / 8 * sin(2 * PI / (double)n), rounding);
        CHECK(s.low > 30 && s.high < 110 && unevenness("rim", true) < 1 + 1e-4);
        CHECK_REL(s.mean, edge, 0.1);
        double centre[2];
        at(sn_mesh_find_group(&mesh, "centre")->vertices[0], centre);
        CHECK(group_size("centre") == 1 && fabs(centre[0]) < 1e-8 && fabs(centre[1]) < 1e-8);
        sn_mesh_free(&mesh);
    }
}

/* ---- Panels ---- */

static const sn_real shirt[][2] = {{-25, 0},  {25, 0},   {25, 40},  {22, 44},  {20, 50},
                                   {21, 56},  {24, 62},  {10, 66},  {8, 61},   {4, 58},
                                   {0, 57},   {-4, 58},  {-8, 61},  {-10, 66}, {-24, 62},
                                   {-21, 56}, {-20, 50}, {-22, 44}, {-25, 40}};
static const sn_real el[][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
static const sn_real window[][2] = {{(sn_real)0.25, (sn_real)0.25},
                                    {(sn_real)0.25, (sn_real)0.75},
                                    {(sn_real)0.75, (sn_real)0.75},
                                    {(sn_real)0.75, (sn_real)0.25}};
static const sn_real apart[][2] = {{3, 0}, {4, 0}, {(sn_real)3.5, 1}};

#define OUTLINE(points, is_hole)                                                                   \
    { points, sizeof(points) / sizeof(points)[0], is_hole }

TEST(what_is_seen_across_no_border_is_delaunay) {
    const sn_outline outlines[] = {OUTLINE(el, false), OUTLINE(window, true),
                                   OUTLINE(apart, false)};
    mesh = sn_mesh_default();
    REQUIRE_OK(generate(outlines, 3, 0.09));
    CHECK(mesh.vertex_count > 300 && not_delaunay() == 0);
    /* The oracle finds it where an edge is turned. */
    for (size_t t = 0; t < mesh.triangle_count; t++)
        for (size_t u = t + 1; u < mesh.triangle_count; u++)
            for (int k = 0; k < 3; k++)
                for (int j = 0; j < 3; j++) {
                    uint32_t *a = mesh.triangles[t], *b = mesh.triangles[u];
                    if (a[k] != b[(j + 1) % 3] || a[(k + 1) % 3] != b[j] || t % 50) continue;
                    uint32_t c = a[(k + 2) % 3], d = b[(j + 2) % 3], from = a[k], to = b[j];
                    a[0] = c, a[1] = from, a[2] = d;
                    b[0] = c, b[1] = d, b[2] = to;
                    t = u = mesh.triangle_count;
                    k = j = 3;
                }
    CHECK(not_delaunay() > 0);
    sn_mesh_free(&mesh);
}

TEST(holes_and_pieces_have_their_area_and_topology) {
    const sn_outline outlines[] = {OUTLINE(el, false), OUTLINE(window, true),
                                   OUTLINE(apart, false)};
    for (double edge = 0.15; edge > 0.02; edge *= 0.7) {
        check_case("edges of %g", edge);
        mesh = sn_mesh_default();
        REQUIRE_OK(generate(outlines, 3, edge));
        look l = look_at(&mesh);
        shape s = shape_of();
        CHECK_REL(l.area, 3 - 0.25 + 0.5, rounding);
        /* A ring and a disc. */
        CHECK(l.euler == 1 && l.crowded == 0 && l.turned == 0 && s.clockwise == 0);
        CHECK(s.low > 30 && s.high < 110);
        CHECK_REL(s.mean, edge, 0.1);
        CHECK(group_size("outline_0") + group_size("outline_1") + group_size("hole_0") ==
              group_size("border"));
        CHECK(group_size("border") == l.boundary && group_size("corners") == 6 + 4 + 3);
        sn_mesh_report report = sn_mesh_report_default();
        REQUIRE_OK(sn_mesh_check(&mesh, &report));
        CHECK(report.piece_count == 2 && report.boundary_loops == 3);
        CHECK(report.findings[SN_MESH_VERTEX_UNUSED].count == 0);
        sn_mesh_free(&mesh);
    }
}

TEST(the_sides_of_a_panel_go_from_corner_to_corner) {
    const sn_outline outline = OUTLINE(shirt, false);
    mesh = sn_mesh_default();
    REQUIRE_OK(generate(&outline, 1, 2));
    look l = look_at(&mesh);
    shape s = shape_of();
    CHECK(s.low > 30 && s.high < 110);
    CHECK_REL(s.mean, 2, 0.1);
    /* Curves of the armholes and the neck are cut anew: nearly the area, and even edges. */
    CHECK_REL(l.area, polygon_area(shirt, outline.count), 0.002);
    CHECK(group_size("corners") == 8 && group_size("side_7") > 0 && group_size("side_8") == 0);
    size_t along = 0;
    for (int i = 0; i < 8; i++) {
        char name[16];
        snprintf(name, sizeof name, "side_%d", i);
        CHECK(unevenness(name, false) < 1.05);
        along += group_size(name) - 1;
    }
    CHECK(along == l.boundary && group_size("side_0") == 26);
    sn_mesh_free(&mesh);
}

TEST(the_grain_becomes_the_x_axis) {
    const sn_outline outline = OUTLINE(el, false);
    sn_panel_def def = sn_panel_def_default();
    def.outlines = &outline;
    def.outline_count = 1;
    def.grain = (sn_real)(PI / 2);
    mesh = sn_mesh_default();
    REQUIRE_OK(sn_generate_panel(&mesh, &def));
    /* The side of length 2 from the origin upward is along x. */
    double end[2];
    const sn_mesh_group *side = sn_mesh_find_group(&mesh, "side_5");
    at(side->vertices[0], end);
    CHECK_NEAR(end[0], 2, 1e-6);
    CHECK_NEAR(end[1], 0, 1e-6);
    CHECK_REL(look_at(&mesh).area, 3, rounding);
    sn_mesh_free(&mesh);
}

TEST(any_polygon_gives_a_mesh_of_its_area) {
    /* Stars about a point do not cross themselves, however ragged they are. */
    uint64_t seed = 1;
    for (int round = 0; round < 200; round++) {
        check_case("star %d", round);
        sn_real points[40][2];
        size_t count = 3 + (size_t)(round % 37);
        for (size_t i = 0; i < count; i++) {
            seed = sn_hash_word(seed, i);
            double radius = 0.05 + (double)(seed >> 40) / (double)(1 << 24);
            double angle = 2 * PI * (double)i / (double)count;
            points[i][0] = (sn_real)(radius * cos(angle));
            points[i][1] = (sn_real)(radius * sin(angle));
        }
        sn_panel_def def = sn_panel_def_default();
        const sn_outline outline = {(const sn_real(*)[2])points, count, false};
        def.outlines = &outline;
        def.outline_count = 1;
        /* Every point is a corner. */
        def.corner_angle = (sn_real)1e-6;
        def.edge_length = (sn_real)(0.03 + 0.002 * (round % 50));
        mesh = sn_mesh_default();
        REQUIRE_OK(sn_generate_panel(&mesh, &def));
        look l = look_at(&mesh);
        CHECK_REL(l.area, polygon_area(outline.points, count), 10 * rounding);
        CHECK(l.euler == 1 && l.crowded == 0 && l.turned == 0);
        CHECK(shape_of().clockwise == 0);
        sn_mesh_free(&mesh);
    }
}

TEST(the_order_of_vertices_is_near_in_space_and_the_bits_are_the_same) {
    mesh = sn_mesh_default();
    sn_sheet_mesh_def def = sn_sheet_mesh_def_default();
    def.edge_length = (sn_real)0.02;
    REQUIRE_OK(sn_generate_sheet(&mesh, &def));
    double sum = 0;
    for (uint32_t v = 0; v + 1 < mesh.vertex_count; v++) {
        double a[2], b[2];
        at(v, a);
        at(v + 1, b);
        sum += hypot(b[0] - a[0], b[1] - a[1]);
    }
    CHECK(sum / (double)mesh.vertex_count < 1.6 * 0.02);
    for (size_t t = 1; t < mesh.triangle_count; t++)
        CHECK(mesh.triangles[t - 1][0] <= mesh.triangles[t][0]);
    uint64_t hash = look_hash(&mesh);
    sn_mesh_free(&mesh);
    REQUIRE_OK(sn_generate_sheet(&mesh, &def));
    CHECK(look_hash(&mesh) == hash);
    sn_mesh_free(&mesh);
}

/* ---- What is refused ---- */

static void refused(const sn_outline *outlines, size_t count, double edge, const char *part) {
    check_case("%s", part);
    mesh = sn_mesh_default();
    sn_result result = generate(outlines, count, edge);
    CHECK(result == SN_ERROR_VALUE || result == SN_ERROR_LIMIT || result == SN_ERROR_NULL);
    CHECK(strstr(sn_last_error(), "panel: ") && strstr(sn_last_error(), part));
    CHECK(strstr(sn_last_error(), part) || !printf("  %s\n", sn_last_error()));
    CHECK(mesh.vertex_count == 0 && mesh.positions == NULL && mesh.group_count == 0);
}

TEST(nonsense_is_refused_with_a_sentence) {
    static const sn_real bow[][2] = {{0, 0}, {1, 1}, {1, 0}, {0, 1}};
    static const sn_real line[][2] = {{0, 0}, {1, 0}, {2, 0}};
    static const sn_real spike[][2] = {{0, 0}, {1, 0}, {1, 1}, {(sn_real)0.5, 1}, {1, 1}, {0, 1}};
    static const sn_real touching[][2] = {{0, 0}, {1, 0}, {1, 1}, {(sn_real)0.5, 0}, {0, 1}};
    static const sn_real far_away[][2] = {{0, 0}, {(sn_real)2e9, 0}, {0, 1}};
    static const sn_real lost[][2] = {{0, 0}, {1, (sn_real)NAN}, {0, 1}};
    static const sn_real inner[][2] = {
        {(sn_real)0.1, (sn_real)0.1}, {(sn_real)0.2, (sn_real)0.1}, {(sn_real)0.1, (sn_real)0.2}};
    const sn_outline good = OUTLINE(el, false), crossed = OUTLINE(bow, false);
    const sn_outline flat = OUTLINE(line, false), folded = OUTLINE(spike, false);
    const sn_outline touch = OUTLINE(touching, false), wide = OUTLINE(far_away, false);
    const sn_outline nan = OUTLINE(lost, false), two = {el, 2, false}, none = {NULL, 3, false};
    const sn_outline outside[] = {OUTLINE(el, false), OUTLINE(apart, true)};
    const sn_outline twice[] = {OUTLINE(el, false), OUTLINE(inner, false)};
    const sn_outline across[] = {OUTLINE(el, false), OUTLINE(bow, true)};
    refused(NULL, 0, 0.1, "there are 0 outlines, expected from 1");
    refused(NULL, 1, 0.1, "the list of outlines is null");
    refused(&none, 1, 0.1, "the points of outline 0 are null");
    refused(&good, 5000, 0.1, "there are 5000 outlines");
    refused(&two, 1, 0.1, "outline 0 has 2 points, expected at least 3");
    refused(&crossed, 1, 0.1, "after point 0 of outline 0 meets that after point 2 of outline 0");
    refused(&folded, 1, 0.1, "expected outlines that do not cross or touch");
    refused(&touch, 1, 0.1, "expected outlines that do not cross or touch");
    refused(&flat, 1, 0.1, "expected outlines that do not cross or touch");
    refused(&wide, 1, 0.1, "point 1 of outline 0 is at (2e+09, 0), expected");
    refused(&nan, 1, 0.1, "point 1 of outline 0 is at (1, nan), expected");
    refused(outside, 2, 0.1, "hole 0 is not inside an outline");
    refused(twice, 2, 0.1, "outline 1 is inside another one, expected a hole");
    refused(across, 2, 0.1, "expected outlines that do not cross or touch");
    refused(&good, 1, 0, "edge_length is 0, expected");
    refused(&good, 1, -1, "edge_length is -1, expected");
    refused(&good, 1, (double)NAN, "edge_length is nan, expected");
    refused(&good, 1, 2.5,
            "edge_length is 2.5, expected from 1e-9 m to the longest side of all, 2");
    refused(&good, 1, 1e-6, "expected at most 2^24");
    sn_panel_def def = sn_panel_def_default();
    def.outlines = &good;
    def.outline_count = 1;
    def.grain = 5;
    CHECK_FAILS(sn_generate_panel(&mesh, &def), SN_ERROR_VALUE);
    def.grain = 0;
    def.corner_angle = 0;
    CHECK_FAILS(sn_generate_panel(&mesh, &def), SN_ERROR_VALUE);
    def.size = 3;
    CHECK_FAILS(sn_generate_panel(&mesh, &def), SN_ERROR_DEFINITION);
    sn_sheet_mesh_def sheet = sn_sheet_mesh_def_default();
    sheet.width = 0;
    CHECK_FAILS(sn_generate_sheet(&mesh, &sheet), SN_ERROR_VALUE);
    sheet.width = 1;
    sheet.edge_length = 2;
    CHECK_FAILS(sn_generate_sheet(&mesh, &sheet), SN_ERROR_VALUE);
    sn_disc_def disc = sn_disc_def_default();
    disc.edge_length = (sn_real)1.1;
    CHECK_FAILS(sn_generate_disc(&mesh, &disc), SN_ERROR_VALUE);
    disc.edge_length = (sn_real)1e-8;
    CHECK_FAILS(sn_generate_disc(&mesh, &disc), SN_ERROR_LIMIT);
}

/* A comb whose teeth are nearer to each other than edges are long: chords of its curves would cut
   each other, which is said. */
TEST(edges_that_are_too_long_for_the_curves_are_refused) {
    sn_real points[400][2];
    /* A spiral band, whose turns are 0.2 apart. */
    for (int i = 0; i < 200; i++) {
        double angle = 6 * PI * i / 199, radius = 1 + 0.2 * angle / (2 * PI);
        for (int side = 0; side < 2; side++) {
            int k = side ? 399 - i : i;
            points[k][0] = (sn_real)((radius + 0.1 * side) * cos(angle));
            points[k][1] = (sn_real)((radius + 0.1 * side) * sin(angle));
        }
    }
    const sn_outline outline = {(const sn_real(*)[2])points, 400, false};
    mesh = sn_mesh_default();
    REQUIRE_OK(generate(&outline, 1, 0.05));
    CHECK(shape_of().low > 25 && look_at(&mesh).euler == 1);
    sn_mesh_free(&mesh);
    refused(&outline, 1, 1.5, "expected shorter edges");
}

TESTS(RUN(a_sheet_has_good_triangles_at_every_size), RUN(a_sheet_has_the_groups_of_a_grid),
      RUN(a_disc_with_an_edge_length_has_no_rings), RUN(what_is_seen_across_no_border_is_delaunay),
      RUN(holes_and_pieces_have_their_area_and_topology),
      RUN(the_sides_of_a_panel_go_from_corner_to_corner), RUN(the_grain_becomes_the_x_axis),
      RUN(any_polygon_gives_a_mesh_of_its_area),
      RUN(the_order_of_vertices_is_near_in_space_and_the_bits_are_the_same),
      RUN(nonsense_is_refused_with_a_sentence),
      RUN(edges_that_are_too_long_for_the_curves_are_refused))
