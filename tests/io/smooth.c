/*
 * Smooth surfaces: counts by Euler, known limits of Loop's surface, borders as cubic B-splines,
 * hard edges that stay, values that go along, and plans that are kept.
 */
#include "check.h"

#include <sinew_io/smooth.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double tolerance = sizeof(sn_real) == 4 ? 2e-6 : 1e-13;

static sn_io_smoother *make_smoother(void) {
    sn_io_smoother *smoother = NULL;
    CHECK(sn_io_smoother_create(&smoother) == SN_OK);
    return smoother;
}

/* A shape smoothed; valid until the next time. */
static sn_io_shape smooth(sn_io_smoother *smoother, const sn_io_shape *shape, int level) {
    sn_io_frame frame = {.shape_count = 1, .shapes = shape}, fine = {0};
    CHECK(sn_io_smoother_frame(smoother, &frame, level, NULL, &fine) == SN_OK);
    CHECK(fine.shape_count == 1);
    return fine.shapes[0];
}

/* ---- Shapes ---- */

static const sn_vec3 octahedron_at[6] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                         {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
static const uint32_t octahedron_faces[8][3] = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                                                {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};

static sn_io_shape octahedron(void) {
    return (sn_io_shape){.name = "octahedron",
                         .vertex_count = 6,
                         .positions = octahedron_at,
                         .triangle_count = 8,
                         .triangles = octahedron_faces,
                         .creased = true};
}

/* A sheet of N x N cells in which inner vertices have six neighbours. */
enum { N = 6, ROW = N + 1 };
typedef struct sheet {
    sn_vec3 at[ROW * ROW];
    sn_real uvs[ROW * ROW][2];
    uint32_t triangles[2 * N * N][3];
    sn_io_shape shape;
} sheet;

static void make_sheet(sheet *s) {
    size_t count = 0;
    for (uint32_t j = 0; j < ROW; j++)
        for (uint32_t i = 0; i < ROW; i++) {
            uint32_t a = j * ROW + i;
            s->at[a] = (sn_vec3){(sn_real)i, 0, (sn_real)j};
            s->uvs[a][0] = (sn_real)i;
            s->uvs[a][1] = (sn_real)j;
            if (i == N || j == N) continue;
            const uint32_t two[2][3] = {{a, a + ROW, a + 1}, {a + 1, a + ROW, a + ROW + 1}};
            memcpy(s->triangles[count], two, sizeof two);
            count += 2;
        }
    s->shape = (sn_io_shape){.name = "sheet",
                             .vertex_count = (size_t)ROW * ROW,
                             .positions = s->at,
                             .triangle_count = count,
                             .triangles = (const uint32_t(*)[3])s->triangles,
                             .uvs = (const sn_real(*)[2])s->uvs,
                             .creased = true};
}

static double length(sn_vec3 a) {
    return sqrt((double)a.x * (double)a.x + (double)a.y * (double)a.y + (double)a.z * (double)a.z);
}

/* ---- Counts ---- */

TEST(counts_follow_euler) {
    sn_io_smoother *smoother = make_smoother();
    sn_io_shape shape = octahedron();
    static sheet s;
    make_sheet(&s);
    for (int level = 0; level <= SN_IO_SMOOTH_MOST; level++) {
        size_t faces = (size_t)8 << (2 * level);
        sn_io_shape ball = smooth(smoother, &shape, level);
        CHECK(ball.triangle_count == faces);
        /* V - E + F = 2 with E = 3/2 F. */
        CHECK(ball.vertex_count == 2 + faces / 2);
        sn_io_shape cloth = smooth(smoother, &s.shape, level);
        size_t row = ((size_t)N << level) + 1;
        CHECK(cloth.triangle_count == 2 * (row - 1) * (row - 1));
        CHECK(cloth.vertex_count == row * row);
    }
    sn_io_smoother_destroy(smoother);
}

/* ---- Known surfaces ---- */

/* Loop's surface has the precision of quadratics: the coefficients of x^2 on a regular mesh are
   those of the box spline, whose limit differs from x^2 by a constant. */
TEST(a_regular_patch_has_its_limit) {
    sn_io_smoother *smoother = make_smoother();
    static sheet s;
    make_sheet(&s);
    for (size_t i = 0; i < s.shape.vertex_count; i++) s.at[i].y = s.at[i].x * s.at[i].x;
    /* The limit at a vertex is half of it and a twelfth of each neighbour: of x^2, x^2 + 1/3. The
       levels come nearer to it by a factor of four each. */
    uint32_t middle = (N / 2) * ROW + N / 2;
    double last = 1, x = N / 2.0;
    for (int level = 1; level <= SN_IO_SMOOTH_MOST; level++) {
        sn_io_shape fine = smooth(smoother, &s.shape, level);
        double away = fabs((double)fine.positions[middle].y - (x * x + 1.0 / 3));
        CHECK_NEAR((double)fine.positions[middle].x, x, tolerance * 10);
        CHECK_NEAR(away, 1.0 / 3 * pow(0.25, level), tolerance * 20);
        CHECK(away < last);
        last = away;
    }
    sn_io_smoother_destroy(smoother);
}

static sn_vec3 face_normal(const sn_io_shape *shape, size_t triangle) {
    const uint32_t *t = shape->triangles[triangle];
    sn_vec3 a = shape->positions[t[0]], b = shape->positions[t[1]], c = shape->positions[t[2]];
    sn_vec3 u = {b.x - a.x, b.y - a.y, b.z - a.z}, v = {c.x - a.x, c.y - a.y, c.z - a.z};
    sn_vec3 n = {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
    sn_real scale = (sn_real)(1 / length(n));
    return (sn_vec3){scale * n.x, scale * n.y, scale * n.z};
}

/* The largest angle between triangles with a common edge, rad. */
static double largest_turn(const sn_io_shape *shape) {
    double least = 1;
    for (size_t i = 0; i < shape->triangle_count; i++)
        for (size_t j = 0; j < i; j++) {
            int common = 0;
            for (int k = 0; k < 9; k++)
                common += shape->triangles[i][k / 3] == shape->triangles[j][k % 3];
            if (common < 2) continue;
            sn_vec3 a = face_normal(shape, i), b = face_normal(shape, j);
            double cosine =
                (double)a.x * (double)b.x + (double)a.y * (double)b.y + (double)a.z * (double)b.z;
            least = cosine < least ? cosine : least;
        }
    return acos(least);
}

TEST(an_octahedron_becomes_round) {
    sn_io_smoother *smoother = make_smoother();
    sn_io_shape shape = octahedron();
    double last = largest_turn(&shape);
    for (int level = 1; level <= SN_IO_SMOOTH_MOST; level++) {
        sn_io_shape fine = smooth(smoother, &shape, level);
        /* A vertex with four neighbours, which cancel out: its limit is 1/2, and every level comes
           nearer to it by four. */
        CHECK_NEAR((double)fine.positions[0].x, 0.5 + 0.5 * pow(0.25, level), tolerance);
        /* The middle of an edge has six: 3/8 in two directions at first, and 29/96 in the limit, by
           its mask. */
        CHECK_NEAR((double)fine.positions[6].x, 29.0 / 96 + 7.0 / 96 * pow(0.25, level - 1),
                   tolerance);
        double least = 1, most = 0;
        for (size_t i = 0; i < fine.vertex_count; i++) {
            least = fmin(least, length(fine.positions[i]));
            most = fmax(most, length(fine.positions[i]));
        }
        /* Those of an octahedron differ by a factor of 1.73. */
        CHECK(most / least < 1.25);
        /* No edge is left. At vertices with four neighbours angles tend to 2/3 of what they were:
           a plane stays by 3/8 in size, and what is out of it by 1/4. */
        double turn = largest_turn(&fine);
        CHECK(turn < (level == 3 ? 0.75 : 0.85) * last);
        last = turn;
    }
    /* An edge, after one level: 3/8 of its ends and 1/8 of two that cancel out. */
    CHECK_NEAR(length(smooth(smoother, &shape, 1).positions[6]), 0.375 * sqrt(2), tolerance);
    sn_io_smoother_destroy(smoother);
}

/* The border is the cubic B-spline of its vertices, whatever lies inside. */
TEST(a_border_is_a_cubic_spline) {
    sn_io_smoother *smoother = make_smoother();
    static sheet s;
    make_sheet(&s);
    uint32_t random = 1;
    for (size_t i = 0; i < s.shape.vertex_count; i++) {
        random = random * 1664525u + 1013904223u;
        s.at[i].y = (sn_real)(random >> 8) / (sn_real)(1 << 24);
    }
    sn_io_shape once = smooth(smoother, &s.shape, 1);
    /* Row 0; its ends are corners by their place on the material and stay. */
    CHECK(once.positions[0].y == s.at[0].y && once.positions[N].y == s.at[N].y);
    for (int i = 1; i < N; i++) {
        double expected =
            ((double)s.at[i - 1].y + 6 * (double)s.at[i].y + (double)s.at[i + 1].y) / 8;
        CHECK_NEAR((double)once.positions[i].y, expected, tolerance);
    }
    /* The limit of a spline at its knot is (1, 4, 1) / 6; levels come nearer by four each. */
    double limit = ((double)s.at[2].y + 4 * (double)s.at[3].y + (double)s.at[4].y) / 6, last = 1;
    for (int level = 1; level <= SN_IO_SMOOTH_MOST; level++) {
        double away = fabs((double)smooth(smoother, &s.shape, level).positions[3].y - limit);
        if (level > 1) CHECK_NEAR(away, last / 4, tolerance * 10);
        last = away;
    }
    /* Without a material, only corners of one triangle stay. */
    s.shape.uvs = NULL;
    once = smooth(smoother, &s.shape, 1);
    CHECK(once.positions[0].y == s.at[0].y && once.positions[N].y != s.at[N].y);
    sn_io_smoother_destroy(smoother);
}

TEST(a_chain_of_lines_is_a_spline) {
    sn_io_smoother *smoother = make_smoother();
    const sn_vec3 at[4] = {{0, 0, 0}, {1, 1, 0}, {2, 0, 0}, {3, 1, 0}};
    const uint32_t lines[3][2] = {{0, 1}, {1, 2}, {2, 3}};
    const sn_io_shape rope = {
        .name = "rope", .vertex_count = 4, .positions = at, .line_count = 3, .lines = lines};
    sn_io_shape fine = smooth(smoother, &rope, 1);
    CHECK(fine.line_count == 6 && fine.vertex_count == 7);
    CHECK(fine.positions[0].y == 0 && fine.positions[3].y == 1);
    CHECK_NEAR((double)fine.positions[1].y, 0.75, tolerance);
    CHECK_NEAR((double)fine.positions[5].y, 0.5, tolerance);
    CHECK(fine.lines[0][1] == fine.lines[1][0] && fine.lines[0][1] == 4);
    sn_io_smoother_destroy(smoother);
}

/* ---- Invariance ---- */

TEST(the_surface_moves_with_its_vertices) {
    sn_io_smoother *smoother = make_smoother();
    sn_io_shape shape = octahedron();
    static sn_vec3 plain[1024];
    sn_io_shape fine = smooth(smoother, &shape, 2);
    size_t count = fine.vertex_count;
    CHECK(count < 1024);
    memcpy(plain, fine.positions, count * sizeof *plain);
    sn_vec3 moved[6];
    for (int i = 0; i < 6; i++) {
        sn_vec3 a = octahedron_at[i];
        moved[i] = (sn_vec3){2 * a.x + a.y + 3, a.y - a.z, (sn_real)0.5 * a.z + a.x - 1};
    }
    shape.positions = moved;
    fine = smooth(smoother, &shape, 2);
    for (size_t i = 0; i < count; i++) {
        sn_vec3 a = plain[i];
        CHECK_NEAR((double)fine.positions[i].x, (double)(2 * a.x + a.y + 3), 4 * tolerance);
        CHECK_NEAR((double)fine.positions[i].y, (double)(a.y - a.z), 4 * tolerance);
        CHECK_NEAR((double)fine.positions[i].z, (double)((sn_real)0.5 * a.z + a.x - 1),
                   4 * tolerance);
    }
    sn_io_smoother_destroy(smoother);
}

/* ---- Hard edges ---- */

TEST(hard_edges_stay) {
    sn_io_smoother *smoother = make_smoother();
    /* A cube of twelve triangles: all its edges turn by 90 degrees, its diagonals by none. */
    sn_vec3 at[8];
    for (int i = 0; i < 8; i++)
        at[i] = (sn_vec3){(sn_real)(i & 1), (sn_real)(i >> 1 & 1), (sn_real)(i >> 2)};
    const uint32_t faces[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6},
                                   {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
                                   {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    sn_io_shape cube = {.name = "cube",
                        .vertex_count = 8,
                        .positions = at,
                        .triangle_count = 12,
                        .triangles = faces};
    sn_io_shape fine = smooth(smoother, &cube, 2);
    CHECK(fine.creased && fine.crease_count == 12 * 4);
    for (size_t i = 0; i < fine.vertex_count; i++) {
        const sn_real x[3] = {fine.positions[i].x, fine.positions[i].y, fine.positions[i].z};
        double nearest = 1;
        for (int k = 0; k < 3; k++) {
            double away = fmin(fabs((double)x[k]), fabs(1 - (double)x[k]));
            nearest = away < nearest ? away : nearest;
        }
        CHECK_NEAR(nearest, 0, tolerance);
    }
    for (int i = 0; i < 8; i++) CHECK(memcmp(&fine.positions[i], &at[i], sizeof at[i]) == 0);
    /* Who says that there are none gets a pebble. */
    cube.creased = true;
    fine = smooth(smoother, &cube, 2);
    CHECK(fine.crease_count == 0 && (double)fine.positions[0].x > 0.1);
    /* A single crease that ends within the surface is a dart, whose ends are smooth; a pair that is
       no edge is none. */
    const uint32_t creases[2][2] = {{0, 1}, {0, 7}};
    cube.creases = creases;
    cube.crease_count = 2;
    fine = smooth(smoother, &cube, 1);
    CHECK(fine.crease_count == 2);
    sn_io_smoother_destroy(smoother);
}

/* ---- Values and plans ---- */

/* A square frame with a square section: long triangles beside a hole, which stays open. */
TEST(a_frame_keeps_its_hole) {
    static const double section[4][2] = {{1, 0}, {1, 0.2}, {0.9, 0.2}, {0.9, 0}};
    static const double side[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    sn_vec3 at[16];
    uint32_t triangles[32][3];
    for (uint32_t i = 0; i < 16; i++) {
        const double *p = section[i / 4], *way = side[i % 4];
        at[i] = (sn_vec3){(sn_real)(p[0] * way[0]), (sn_real)p[1], (sn_real)(-p[0] * way[1])};
        uint32_t beside = i / 4 * 4 + (i + 1) % 4, next = (i + 4) % 16, across = (beside + 4) % 16;
        const uint32_t two[2][3] = {{i, beside, across}, {i, across, next}};
        memcpy(triangles[2 * i], two, sizeof two);
    }
    sn_io_shape shape = {.name = "frame",
                         .vertex_count = 16,
                         .positions = at,
                         .triangle_count = 32,
                         .triangles = (const uint32_t(*)[3])triangles};
    sn_io_smoother *smoother = make_smoother();
    for (int level = 1; level <= 3; level++) {
        check_case("level %d", level);
        sn_io_shape fine = smooth(smoother, &shape, level);
        double closest = 1;
        for (size_t i = 0; i < fine.vertex_count; i++) {
            sn_vec3 p = fine.positions[i];
            closest = fmin(closest, fmax(fabs((double)p.x), fabs((double)p.z)));
        }
        CHECK_NEAR(closest, 0.9, tolerance);
    }
    sn_io_smoother_destroy(smoother);
}

TEST(values_go_along) {
    sn_io_smoother *smoother = make_smoother();
    static sheet s;
    make_sheet(&s);
    static sn_vec3 velocities[ROW * ROW];
    static sn_real strain[ROW * ROW], radii[ROW * ROW];
    for (size_t i = 0; i < s.shape.vertex_count; i++) {
        velocities[i] = (sn_vec3){s.at[i].z, 1, -s.at[i].x};
        strain[i] = s.at[i].x;
        radii[i] = (sn_real)0.01;
    }
    s.shape.velocities = velocities;
    s.shape.strain = strain;
    s.shape.radii = radii;
    sn_io_shape fine = smooth(smoother, &s.shape, 2);
    for (size_t i = 0; i < fine.vertex_count; i++) {
        /* Weights add up to one and are those of the positions. */
        CHECK_NEAR((double)fine.uvs[i][0], (double)fine.positions[i].x, 10 * tolerance);
        CHECK_NEAR((double)fine.uvs[i][1], (double)fine.positions[i].z, 10 * tolerance);
        CHECK_NEAR((double)fine.strain[i], (double)fine.positions[i].x, 10 * tolerance);
        CHECK_NEAR((double)fine.velocities[i].z, -(double)fine.positions[i].x, 10 * tolerance);
        CHECK_NEAR((double)fine.velocities[i].y, 1, tolerance);
        CHECK_NEAR((double)fine.radii[i], 0.01, tolerance);
    }
    /* A flat sheet keeps its area, and its corners. */
    double area = 0;
    for (size_t i = 0; i < fine.triangle_count; i++) {
        const uint32_t *t = fine.triangles[i];
        sn_vec3 a = fine.positions[t[0]], b = fine.positions[t[1]], c = fine.positions[t[2]];
        double twice =
            (double)(c.x - a.x) * (double)(b.z - a.z) - (double)(b.x - a.x) * (double)(c.z - a.z);
        CHECK(twice > 0);
        area += twice / 2;
    }
    CHECK_REL(area, N * N, 1e-5);
    sn_io_smoother_destroy(smoother);
}

TEST(a_plan_is_kept_until_the_topology_changes) {
    sn_io_smoother *smoother = make_smoother();
    sn_io_shape shapes[2] = {octahedron(), octahedron()};
    shapes[1].name = "other";
    sn_io_frame frame = {.number = 3, .time = 2, .shape_count = 2, .shapes = shapes}, a = {0};
    const int levels[2] = {2, 0};
    CHECK(sn_io_smoother_frame(smoother, &frame, 0, levels, &a) == SN_OK);
    CHECK(a.number == 3 && a.time == 2);
    const void *triangles = a.shapes[0].triangles;
    uint64_t topology = a.shapes[0].topology;
    CHECK(a.shapes[0].triangle_count == 128 && a.shapes[1].triangle_count == 8);
    CHECK(a.shapes[1].triangles == octahedron_faces);
    /* In another order it is still the same. */
    sn_io_shape first = shapes[0];
    shapes[0] = shapes[1];
    shapes[1] = first;
    const int turned[2] = {0, 2};
    CHECK(sn_io_smoother_frame(smoother, &frame, 0, turned, &a) == SN_OK);
    CHECK(a.shapes[1].triangles == triangles && a.shapes[1].topology == topology);
    shapes[1].topology = 7;
    shapes[1].triangle_count = 7;
    CHECK(sn_io_smoother_frame(smoother, &frame, 0, turned, &a) == SN_OK);
    CHECK(a.shapes[1].triangle_count == 112 && a.shapes[1].topology != topology);
    sn_io_smoother_destroy(smoother);
    sn_io_smoother_destroy(NULL);
}

TEST(what_is_wrong_is_refused) {
    sn_io_smoother *smoother = make_smoother();
    sn_io_shape shape = octahedron();
    sn_io_frame frame = {.shape_count = 1, .shapes = &shape}, fine;
    CHECK(sn_io_smoother_frame(smoother, &frame, SN_IO_SMOOTH_MOST + 1, NULL, &fine) ==
          SN_ERROR_VALUE);
    CHECK(sn_io_smoother_frame(smoother, &frame, -1, NULL, &fine) == SN_ERROR_VALUE);
    CHECK(sn_io_smoother_frame(NULL, &frame, 1, NULL, &fine) == SN_ERROR_NULL);
    CHECK(sn_io_smoother_create(NULL) == SN_ERROR_NULL);
    shape.vertex_count = 5;
    CHECK(sn_io_smoother_frame(smoother, &frame, 1, NULL, &fine) == SN_ERROR_VALUE);
    CHECK(strstr(sn_last_error(), "\"octahedron\"") != NULL);
    /* It can be used again. */
    shape.vertex_count = 6;
    CHECK(sn_io_smoother_frame(smoother, &frame, 1, NULL, &fine) == SN_OK);
    sn_io_smoother_destroy(smoother);
}

TESTS(RUN(counts_follow_euler), RUN(a_regular_patch_has_its_limit),
      RUN(an_octahedron_becomes_round), RUN(a_border_is_a_cubic_spline),
      RUN(a_chain_of_lines_is_a_spline), RUN(the_surface_moves_with_its_vertices),
      RUN(hard_edges_stay), RUN(a_frame_keeps_its_hole), RUN(values_go_along),
      RUN(a_plan_is_kept_until_the_topology_changes), RUN(what_is_wrong_is_refused))
