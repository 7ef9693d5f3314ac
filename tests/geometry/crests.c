/*
 * Corners and sides of surfaces that stand out, and the directions in which they look: boxes, roofs
 * and tips whose sides have lengths and slopes of their own, floors, sheets and borders.
 */
#include "geometry/crests.h"
#include "check.h"

#include <sinew/sinew.h>

#include <math.h>

static sn_memory memory_of(void) {
    return (sn_memory){.allocator = sn_allocator_default()};
}

static sn_vec3 place(double x, double y, double z) {
    return (sn_vec3){(sn_real)x, (sn_real)y, (sn_real)z};
}

typedef struct surface {
    sn_memory memory;
    sn_boundary boundary;
} surface;

static surface make_surface(const sn_vec3 *vertices, size_t vertex_count,
                            const uint32_t (*triangles)[3], size_t triangle_count,
                            sn_crest_kind kind) {
    surface s = {.memory = memory_of()};
    REQUIRE_OK(sn_boundary_create(&s.boundary, &s.memory, vertices, vertex_count, triangles,
                                  triangle_count));
    CHECK(sn_crests_find(&s.boundary, &s.memory, kind));
    return s;
}

static void free_surface(surface *s) {
    sn_boundary_free(&s->boundary, &s->memory);
    CHECK(s->memory.held == 0);
}

/* The triangle that tells of a corner, or SN_BVH_NONE; how many do is checked to be one. */
static uint32_t teller_of_corner(const surface *s, uint32_t vertex) {
    uint32_t found = SN_BVH_NONE;
    for (uint32_t t = 0; t < s->boundary.triangle_count; t++)
        for (int k = 0; k < 3; k++)
            if (s->boundary.triangles[t][k] == vertex && s->boundary.crests[t] >> k & 1) {
                CHECK(found == SN_BVH_NONE);
                found = t;
            }
    return found;
}

/* The same of a side, and which of its triangle it is. */
static uint32_t teller_of_side(const surface *s, uint32_t v, uint32_t w, int *side) {
    uint32_t found = SN_BVH_NONE;
    for (uint32_t t = 0; t < s->boundary.triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            const uint32_t a = s->boundary.triangles[t][k],
                           b = s->boundary.triangles[t][(k + 1) % 3];
            if (!((a == v && b == w) || (a == w && b == v))) continue;
            if (!(s->boundary.crests[t] >> (SN_CREST_SIDES + k) & 1)) continue;
            CHECK(found == SN_BVH_NONE);
            found = t;
            *side = k;
        }
    return found;
}

static int count_bits(const surface *s, int from, int to) {
    int count = 0;
    for (size_t t = 0; t < s->boundary.triangle_count; t++)
        for (int k = from; k < to; k++) count += s->boundary.crests[t] >> k & 1;
    return count;
}

static bool corner_stands(const surface *s, uint32_t vertex) {
    return teller_of_corner(s, vertex) != SN_BVH_NONE;
}

static bool side_stands(const surface *s, uint32_t v, uint32_t w) {
    int side;
    return teller_of_side(s, v, w, &side) != SN_BVH_NONE;
}

static bool corner_looks(const surface *s, uint32_t vertex, sn_crest_kind kind, sn_point along) {
    const uint32_t t = teller_of_corner(s, vertex);
    int k = 0;
    if (!CHECK(t != SN_BVH_NONE)) return false;
    while (s->boundary.triangles[t][k] != vertex) k++;
    return sn_crest_looks(&s->boundary, t, k, kind, along);
}

static bool side_looks(const surface *s, uint32_t v, uint32_t w, sn_crest_kind kind,
                       sn_point along) {
    int k = 0;
    const uint32_t t = teller_of_side(s, v, w, &k);
    if (!CHECK(t != SN_BVH_NONE)) return false;
    return sn_crest_looks(&s->boundary, t, SN_CREST_SIDES + k, kind, along);
}

/* ---- Boxes ---- */

static const uint32_t box_sides[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                          {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                          {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};

/* The edge from a corner, with the way out of it, along the axis of a bit. */
static void check_edge_of_box(const surface *s, uint32_t corner, uint32_t bit, sn_point out) {
    int side = 0;
    const uint32_t t = teller_of_side(s, corner, corner | bit, &side);
    if (!CHECK(t != SN_BVH_NONE)) return;
    CHECK(s->boundary.beyond[t][side] > t);
    const double half = sqrt(0.5), x = out.x > 0 ? half : -half, y = out.y > 0 ? half : -half,
                 z = out.z > 0 ? half : -half;
    const sn_point across = {bit == 1 ? 0 : x, bit == 2 ? 0 : y, bit == 4 ? 0 : z};
    CHECK(side_looks(s, corner, corner | bit, SN_CRESTS_SOLID, across));
    CHECK(!side_looks(s, corner, corner | bit, SN_CRESTS_SOLID, out));
    CHECK(!side_looks(s, corner, corner | bit, SN_CRESTS_SOLID, sn_point_scaled(across, -1)));
}

static void check_corner_of_box(const surface *s, uint32_t v) {
    const double root = sqrt(1.0 / 3);
    sn_point out = {v & 1 ? root : -root, v & 2 ? root : -root, v & 4 ? root : -root};
    CHECK(teller_of_corner(s, v) == s->boundary.ring[s->boundary.ring_begin[v]]);
    CHECK(corner_looks(s, v, SN_CRESTS_SOLID, out));
    for (int a = 0; a < 3; a++) {
        sn_point in = out;
        *(a == 0 ? &in.x : a == 1 ? &in.y : &in.z) *= -1;
        CHECK(!corner_looks(s, v, SN_CRESTS_SOLID, in));
    }
    for (uint32_t a = 1; a < 8; a <<= 1)
        if (!(v & a)) check_edge_of_box(s, v, a, out);
}

/* Eight corners and twelve edges, each told of by the first of its triangles; nothing of the
   diagonals. Each looks along the way out from the middle, and along no way in. */
TEST(a_box_has_its_corners_and_edges) {
    static const double sizes[3][3] = {{1, 1, 1}, {0.02, 3, 0.7}, {40, 0.5, 9}};
    for (int i = 0; i < 3; i++) {
        sn_vec3 corner[8];
        for (int k = 0; k < 8; k++)
            corner[k] =
                place(k & 1 ? sizes[i][0] : -sizes[i][0], k & 2 ? sizes[i][1] : -sizes[i][1],
                      k & 4 ? sizes[i][2] : -sizes[i][2]);
        check_case("%g x %g x %g", sizes[i][0], sizes[i][1], sizes[i][2]);
        surface s = make_surface(corner, 8, box_sides, 12, SN_CRESTS_SOLID);
        CHECK(count_bits(&s, 0, SN_CREST_SIDES) == 8);
        CHECK(count_bits(&s, SN_CREST_SIDES, SN_CRESTS) == 12);
        for (uint32_t v = 0; v < 8; v++) check_corner_of_box(&s, v);
        free_surface(&s);
    }
}

/* ---- Roofs ---- */

/*
 * Two triangles with a side in common along z, whose other corners are `near` and `far` beside it,
 * anywhere along it, and down by slopes: angles to the horizontal.
 *
 *      1
 *     /|\
 *    2 | 3        2 at -near, 3 at far
 *     \|/
 *      0
 */
typedef struct roof {
    double length, near, far; /* m */
    double left, right;       /* rad, by which the sides go down */
    double from_2, from_3;    /* of the length, where the feet of 2 and 3 are */
} roof;

static const uint32_t roof_sides[2][3] = {{0, 2, 1}, {0, 1, 3}};

static surface make_roof(roof r, sn_crest_kind kind) {
    const sn_vec3 vertices[4] = {
        place(0, 0, 0), place(0, 0, r.length),
        place(-r.near * cos(r.left), -r.near * sin(r.left), r.from_2 * r.length),
        place(r.far * cos(r.right), -r.far * sin(r.right), r.from_3 * r.length)};
    return make_surface(vertices, 4, roof_sides, 2, kind);
}

static const roof roofs[5] = {{1, 1, 1, 0, 0, 0.5, 0.5},
                              {0.3, 2, 7, 0, 0, 0.1, 0.8},
                              {5, 0.4, 0.06, 0, 0, 1.3, -0.4},
                              {0.02, 0.05, 3, 0, 0, 0.5, 2},
                              {30, 20, 0.5, 0, 0, 0, 1}};

/* Its ridge stands out where its sides go down by more than 3e-4 rad against each other, whatever
   their sizes are and wherever their corners; those of sheets do either way. */
TEST(ridges_stand_out_by_their_angle) {
    static const double angles[6] = {-0.5, -3.05e-4, -2.95e-4, 2.95e-4, 3.05e-4, 0.5};
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 6; k++)
            for (int kind = SN_CRESTS_SOLID; kind <= SN_CRESTS_FIELD; kind++) {
                roof r = roofs[i];
                r.right = angles[k];
                surface s = make_roof(r, (sn_crest_kind)kind);
                const bool down = angles[k] > 3e-4, up = angles[k] < -3e-4;
                check_case("roof %d, %g rad, kind %d", i, angles[k], kind);
                CHECK(side_stands(&s, 0, 1) == (down || (up && kind == SN_CRESTS_SHEET)));
                /* And of the borders all. */
                CHECK(side_stands(&s, 0, 2) && side_stands(&s, 2, 1));
                CHECK(side_stands(&s, 0, 3) && side_stands(&s, 3, 1));
                CHECK(count_bits(&s, 0, SN_CREST_SIDES) == 4);
                free_surface(&s);
            }
}

/* Square to the ridge, as near as 0.02, and with both sides behind, likewise. */
TEST(ridges_look_where_their_sides_are_behind) {
    const double slack = asin(0.02);
    for (int i = 0; i < 5; i++) {
        roof r = roofs[i];
        r.left = 0.3;
        r.right = 0.7;
        surface s = make_roof(r, SN_CRESTS_SOLID);
        for (int k = 0; k < 2; k++) {
            const double most = slack + (k ? 1e-3 : -1e-3);
            const bool inside = k == 0;
            /* Leaned to the left until the right side would not be behind, and the other way. */
            const double left = r.left + most, right = r.right + most;
            check_case("roof %d, %g rad", i, most);
            CHECK(side_looks(&s, 0, 1, SN_CRESTS_SOLID, (sn_point){-sin(left), cos(left), 0}) ==
                  inside);
            CHECK(side_looks(&s, 0, 1, SN_CRESTS_SOLID, (sn_point){sin(right), cos(right), 0}) ==
                  inside);
            for (int way = -1; way <= 1; way += 2)
                CHECK(side_looks(&s, 0, 1, SN_CRESTS_SOLID,
                                 (sn_point){0, cos(most), way * sin(most)}) == inside);
        }
        free_surface(&s);
    }
}

/* A roof of many triangles: what stands out is its ridge and its border, and no corner of its
   slopes, though the ridge is beside it. */
TEST(slopes_beside_a_ridge_are_flat) {
    enum { WIDE = 5, DEEP = 4 };
    sn_vec3 vertices[WIDE * DEEP];
    uint32_t triangles[2 * (WIDE - 1) * (DEEP - 1)][3];
    for (uint32_t j = 0; j < DEEP; j++)
        for (uint32_t i = 0; i < WIDE; i++)
            vertices[j * WIDE + i] = place(0.3 * (i - 2.0), -0.15 * fabs(i - 2.0), 0.7 * j);
    for (uint32_t j = 0, t = 0; j + 1 < DEEP; j++)
        for (uint32_t i = 0; i + 1 < WIDE; i++, t += 2) {
            const uint32_t a = j * WIDE + i, b = a + 1, c = a + WIDE, d = c + 1;
            const uint32_t own[2][2][3] = {{{a, c, b}, {b, c, d}}, {{a, d, b}, {a, c, d}}};
            for (int n = 0; n < 6; n++)
                triangles[t + (uint32_t)n / 3][n % 3] = own[i % 2][n / 3][n % 3];
        }
    surface s = make_surface(vertices, WIDE * DEEP, (const uint32_t(*)[3])triangles,
                             2 * (WIDE - 1) * (DEEP - 1), SN_CRESTS_SOLID);
    for (uint32_t j = 0; j < DEEP; j++)
        for (uint32_t i = 0; i < WIDE; i++) {
            const bool border = i == 0 || i + 1 == WIDE || j == 0 || j + 1 == DEEP;
            const uint32_t v = j * WIDE + i;
            check_case("corner %u, %u", (unsigned)i, (unsigned)j);
            CHECK(corner_stands(&s, v) == (border || i == WIDE / 2));
            if (j + 1 < DEEP)
                CHECK(side_stands(&s, v, v + WIDE) == (i == 0 || i + 1 == WIDE || i == WIDE / 2));
        }
    free_surface(&s);
}

/* ---- Tips ---- */

enum { AROUND = 5 };

/* A tip over corners at these distances around it, which go down by a slope; flat from there on. */
static surface make_tip(const double *distance, double slope, sn_crest_kind kind) {
    sn_vec3 vertices[2 * AROUND + 1] = {{0, 0, 0}};
    uint32_t triangles[3 * AROUND][3];
    for (uint32_t k = 0; k < AROUND; k++) {
        const double turn = 2 * 3.14159265358979323846 * k / AROUND, d = distance[k];
        const uint32_t a = 1 + k, b = 1 + (k + 1) % AROUND, c = a + AROUND, e = b + AROUND;
        const uint32_t own[3][3] = {{0, b, a}, {a, b, c}, {b, e, c}};
        vertices[a] = place(d * cos(turn), -d * tan(slope), d * sin(turn));
        vertices[c] = place(3 * d * cos(turn), -3 * d * tan(slope), 3 * d * sin(turn));
        for (int i = 0; i < 3; i++)
            for (int n = 0; n < 3; n++) triangles[3 * k + (uint32_t)i][n] = own[i][n];
    }
    return make_surface(vertices, 2 * AROUND + 1, (const uint32_t(*)[3])triangles, 3 * AROUND,
                        kind);
}

static const double distances[2][AROUND] = {{1, 1, 1, 1, 1}, {0.2, 3, 0.7, 1.5, 0.4}};

/* A tip stands out, a pit and what is flat do not, but for a pit of a sheet; borders do. */
TEST(tips_stand_out_and_pits_do_not) {
    static const double slopes[3] = {0.4, 0, -0.4};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++)
            for (int kind = SN_CRESTS_SOLID; kind <= SN_CRESTS_SHEET; kind++) {
                surface s = make_tip(distances[i], slopes[k], (sn_crest_kind)kind);
                check_case("tip %d, %g rad, kind %d", i, slopes[k], kind);
                const bool bent = slopes[k] != 0 && (k == 0 || kind == SN_CRESTS_SHEET);
                CHECK(corner_stands(&s, 0) == bent);
                for (uint32_t v = 1; v <= AROUND; v++) CHECK(side_stands(&s, 0, v) == bent);
                for (uint32_t v = AROUND + 1; v <= 2 * AROUND; v++) CHECK(corner_stands(&s, v));
                free_surface(&s);
            }
}

/* Until one of the corners around it is not behind any more, by 0.02 of its distance. */
TEST(tips_look_where_all_is_behind) {
    const double slope = 0.4, slack = asin(0.02);
    for (int i = 0; i < 2; i++) {
        surface s = make_tip(distances[i], slope, SN_CRESTS_SOLID);
        CHECK(corner_looks(&s, 0, SN_CRESTS_SOLID, (sn_point){0, 1, 0}));
        CHECK(!corner_looks(&s, 0, SN_CRESTS_SOLID, (sn_point){0, -1, 0}));
        for (uint32_t v = 0; v < AROUND; v++)
            for (int k = 0; k < 2; k++) {
                const double turn = 2 * 3.14159265358979323846 * v / AROUND;
                const double lean = slope + slack + (k ? 1e-3 : -1e-3);
                sn_point along = {cos(turn) * sin(lean), cos(lean), sin(turn) * sin(lean)};
                check_case("tip %d, corner %u, %g rad", i, (unsigned)v, lean);
                CHECK(corner_looks(&s, 0, SN_CRESTS_SOLID, along) == (k == 0));
            }
        free_surface(&s);
    }
}

/* ---- Borders ---- */

/* Walls go down from the border of a field: what is there does not look down by more than 0.02, as
   that of a mesh may. */
TEST(borders_of_fields_do_not_look_down) {
    roof r = roofs[1];
    r.left = r.right = 0.5;
    for (int kind = SN_CRESTS_SOLID; kind <= SN_CRESTS_FIELD; kind++)
        for (int k = 0; k < 2; k++) {
            /* Away from the roof along z, at its end, and beside it. */
            const double down = k ? 0.0203 : 0.0197, level = sqrt(1 - down * down);
            const bool expected = kind != SN_CRESTS_FIELD || k == 0;
            surface s = make_roof(r, (sn_crest_kind)kind);
            check_case("kind %d, down by %g", kind, down);
            CHECK(corner_looks(&s, 0, (sn_crest_kind)kind, (sn_point){0, -down, -level}) ==
                  expected);
            /* Square to the border from 0 to 3, in the plane of the wall that leans outwards. */
            const sn_vec3 *x = s.boundary.vertices;
            sn_point side = sn_point_sub(sn_point_of(x[3]), sn_point_of(x[0]));
            sn_point flat = {side.z, 0, -side.x};
            flat = sn_point_scaled(flat, 1 / sn_point_length(flat));
            if (flat.z > 0) flat = sn_point_scaled(flat, -1);
            sn_point up = sn_point_cross(side, flat);
            up = sn_point_scaled(up, (up.y > 0 ? 1 : -1) / sn_point_length(up));
            const double lean = down / up.y, root = sqrt(1 - lean * lean);
            sn_point along = sn_point_sub(sn_point_scaled(flat, root), sn_point_scaled(up, lean));
            CHECK(side_looks(&s, 0, 3, (sn_crest_kind)kind, along) == expected);
            free_surface(&s);
        }
}

/* Within a field there are no walls: what is nearly flat looks either way, as of a mesh, also where
   the border is just beside it. */
TEST(what_is_nearly_flat_looks_either_way) {
    sn_vec3 vertices[AROUND + 1] = {{0, 0, 0}};
    uint32_t triangles[AROUND][3];
    for (uint32_t k = 0; k < AROUND; k++) {
        const double turn = 2 * 3.14159265358979323846 * k / AROUND, d = distances[1][k];
        const uint32_t own[3] = {0, 1 + (k + 1) % AROUND, 1 + k};
        vertices[1 + k] = place(d * cos(turn), -0.01 * d, d * sin(turn));
        for (int n = 0; n < 3; n++) triangles[k][n] = own[n];
    }
    for (int kind = SN_CRESTS_SOLID; kind <= SN_CRESTS_FIELD; kind++) {
        surface s = make_surface(vertices, AROUND + 1, (const uint32_t(*)[3])triangles, AROUND,
                                 (sn_crest_kind)kind);
        check_case("kind %d", kind);
        CHECK(corner_looks(&s, 0, (sn_crest_kind)kind, (sn_point){0, 1, 0}));
        CHECK(corner_looks(&s, 0, (sn_crest_kind)kind, (sn_point){0, -1, 0}));
        for (uint32_t v = 1; v <= AROUND; v++) {
            CHECK(corner_looks(&s, v, (sn_crest_kind)kind, (sn_point){0, 1, 0}));
            CHECK(corner_looks(&s, v, (sn_crest_kind)kind, (sn_point){0, -1, 0}) ==
                  (kind != SN_CRESTS_FIELD));
        }
        free_surface(&s);
    }
}

/* What is known is not looked for again, until the vertices are elsewhere. */
TEST(crests_are_those_of_where_vertices_are) {
    roof r = roofs[1];
    r.right = 0.5;
    surface s = make_roof(r, SN_CRESTS_SOLID);
    sn_vec3 flat[4];
    for (int v = 0; v < 4; v++) flat[v] = s.boundary.vertices[v];
    flat[3].y = 0;
    CHECK(side_stands(&s, 0, 1));
    s.boundary.crests[1] = 0x3f;
    CHECK(sn_crests_find(&s.boundary, &s.memory, SN_CRESTS_SOLID) && s.boundary.crests[1] == 0x3f);
    CHECK(sn_boundary_send(&s.boundary, &s.memory, flat));
    sn_boundary_arrive(&s.boundary);
    CHECK(sn_crests_find(&s.boundary, &s.memory, SN_CRESTS_SOLID));
    CHECK(!side_stands(&s, 0, 1) && side_stands(&s, 0, 2));
    free_surface(&s);
}

TESTS(RUN(a_box_has_its_corners_and_edges), RUN(ridges_stand_out_by_their_angle),
      RUN(ridges_look_where_their_sides_are_behind), RUN(slopes_beside_a_ridge_are_flat),
      RUN(tips_stand_out_and_pits_do_not), RUN(tips_look_where_all_is_behind),
      RUN(borders_of_fields_do_not_look_down), RUN(what_is_nearly_flat_looks_either_way),
      RUN(crests_are_those_of_where_vertices_are))
