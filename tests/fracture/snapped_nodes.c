/*
 * Which nodes a blade moves onto the surface of a cut, where to, and what becomes of their masses
 * and velocities, against the rule of it gone through node by node in double: sheets and solids of
 * random meshes, strained at random, with some nodes held, and random blades.
 */
#include "geometry/point.h"

#include <math.h>
#include <stdio.h>

#include "parted.h"
#include "torn.h"

enum { MOST_NODES = 700, MOST_ELEMENTS = 500, SHEETS = 60, SOLIDS = 24 };

/* Decisions of the rule that are closer than this may differ, of one. */
static const double CLOSE = 2e-4;

/* ---- Random numbers ---- */

static uint32_t seed;

static double random_part(void) {
    seed = seed * 1664525u + 1013904223u;
    return (double)(seed >> 8) / 8388608 - 1;
}

static sn_point random_point(double most) {
    double x = most * random_part(), y = most * random_part();
    return (sn_point){x, y, most * random_part()};
}

/* ---- What is cut ---- */

/* A sheet or a solid: corners of elements, places now and at rest, masses (0 where held). */
typedef struct solid {
    size_t vertices, elements, corners;
    uint32_t *element;
    sn_point now[MOST_NODES], rest[MOST_NODES], v[MOST_NODES];
    double mass[MOST_NODES];
} solid;

static void read_solid(const body *b, bool is_sheet, solid *s) {
    static sn_node node[MOST_NODES];
    static sn_vec3 rest[MOST_NODES];
    size_t count;
    s->corners = is_sheet ? 3 : 4;
    if (is_sheet) {
        REQUIRE_OK(sn_sheet_get_nodes(b->world, b->build.sheet, node, MOST_NODES, &s->vertices));
        REQUIRE_OK(sn_sheet_get_rest(b->world, b->build.sheet, rest, MOST_NODES, &count));
        REQUIRE_OK(sn_sheet_get_triangles(b->world, b->build.sheet, s->element, MOST_ELEMENTS,
                                          &s->elements));
    } else {
        sn_tet_mesh of = b->build.tet_mesh;
        REQUIRE_OK(sn_tet_mesh_get_nodes(b->world, of, node, MOST_NODES, &s->vertices));
        REQUIRE_OK(sn_tet_mesh_get_rest(b->world, of, rest, MOST_NODES, &count));
        REQUIRE_OK(sn_tet_mesh_get_tets(b->world, of, s->element, MOST_ELEMENTS, &s->elements));
    }
    for (size_t i = 0; i < s->vertices; i++) {
        sn_node_def def;
        REQUIRE_OK(sn_node_get(b->world, node[i], &def));
        s->now[i] = sn_point_of(def.position);
        s->rest[i] = sn_point_of(rest[i]);
        s->v[i] = sn_point_of(def.velocity);
        s->mass[i] = def.inverse_mass > 0 ? 1 / (double)def.inverse_mass : 0;
    }
}

/* A mesh of which every vertex is moved by a part of an edge, along y by another. */
static sn_mesh shaken(sn_mesh mesh, double most, double up) {
    for (size_t i = 0; i < mesh.vertex_count; i++) {
        sn_point by = random_point(most);
        by.y = up * random_part();
        mesh.positions[i] = sn_point_vec3(sn_point_add(sn_point_of(mesh.positions[i]), by));
    }
    return mesh;
}

/* A third is even, and a third of the sheets only about flat. */
static body make(bool is_sheet, int which) {
    sn_mesh mesh = is_sheet ? grid_mesh(1, 0.9, 8, 7, SN_GRID_ALTERNATING)
                            : block_mesh(0.6, 0.4, 0.4, 4, SN_BLOCK_FIVE);
    double rough = which % 3 == 0 ? 0 : is_sheet ? 0.035 : 0.02;
    mesh = shaken(mesh, rough, is_sheet ? which % 3 == 1 ? 0.0015 : 0 : rough);
    sn_cloth_material cloth = sn_cloth_material_default();
    sn_solid_material material = sn_solid_material_default();
    cloth.stretch_stiffness = 100;
    body b = is_sheet ? body_make(still_world(1, 0), SN_KIND_CLOTH, &cloth, mesh, NULL)
                      : body_make(still_world(1, 0), SN_KIND_SOLID, &material, mesh, NULL);
    sn_point to[3];
    for (int k = 0; k < 3; k++) to[k] = random_point(0.25);
    for (size_t i = 0; i < b.mesh.vertex_count; i++) {
        sn_node_def def;
        REQUIRE_OK(sn_node_get(b.world, b.nodes[i], &def));
        sn_point x = sn_point_of(def.position), at = x;
        at = sn_point_add(at, sn_point_scaled(to[0], x.x));
        at = sn_point_add(at, sn_point_scaled(to[1], x.y));
        at = sn_point_add(at, sn_point_scaled(to[2], x.z));
        at = sn_point_add(at, random_point(0.003));
        REQUIRE_OK(sn_node_set_position(b.world, b.nodes[i], sn_point_vec3(at)));
        REQUIRE_OK(sn_node_set_velocity(b.world, b.nodes[i], sn_point_vec3(random_point(1))));
        if (i % 11 == 5) REQUIRE_OK(sn_node_set_inverse_mass(b.world, b.nodes[i], 0));
    }
    return b;
}

/* ---- The rule ---- */

/* A node on its way: the state before it goes, the elements around it, and the blade. */
typedef struct way {
    const solid *s;
    uint32_t vertex;
    size_t around[64], count;
    sn_point point, normal; /* of the blade; m, 1 */
    sn_point rest, now;     /* m, by which it goes */
    bool is_round;          /* whether it is at an edge of the border */
    double closest;         /* of all decisions */
} way;

/* Whether a number is above a bound; how close that was is noted. */
static bool above(way *w, double number, double bound) {
    double size = fabs(number) + fabs(bound);
    if (size > 0) w->closest = fmin(w->closest, fabs(number - bound) / size);
    return number > bound;
}

static const uint32_t *corners_of(const way *w, size_t i) {
    return &w->s->element[w->s->corners * w->around[i]];
}

static void look_around(way *w) {
    w->count = 0;
    for (size_t i = 0; i < w->s->corners * w->s->elements; i++)
        if (w->s->element[i] == w->vertex) w->around[w->count++] = i / w->s->corners;
}

/* Edges of an element from its first corner, of a triangle with its normal. */
static void frame_of(const way *w, size_t i, const sn_point *x, sn_point e[3]) {
    const uint32_t *t = corners_of(w, i);
    for (size_t k = 1; k < w->s->corners; k++) e[k - 1] = sn_point_sub(x[t[k]], x[t[0]]);
    if (w->s->corners == 4) return;
    e[2] = sn_point_cross(e[0], e[1]);
    e[2] = sn_point_scaled(e[2], 1 / sn_point_length(e[2]));
}

static double det_of(const sn_point e[3]) {
    return sn_point_dot(e[0], sn_point_cross(e[1], e[2]));
}

/* The mean of a direction as the elements around have it in the other of their two states. */
static sn_point carried(const way *w, sn_point a, const sn_point *from, const sn_point *to) {
    sn_point sum = {0, 0, 0};
    for (size_t i = 0; i < w->count; i++) {
        sn_point e[3], f[3];
        frame_of(w, i, from, e);
        frame_of(w, i, to, f);
        for (int k = 0; k < 3; k++) { /* Cramer's rule */
            sn_point of[3] = {e[0], e[1], e[2]};
            of[k] = a;
            double part = det_of(of) / det_of(e) / (double)w->count;
            sum = sn_point_add(sum, sn_point_scaled(f[k], part));
        }
    }
    return sum;
}

static sn_point along(sn_point a, sn_point n) {
    return sn_point_sub(a, sn_point_scaled(n, sn_point_dot(a, n) / sn_point_dot(n, n)));
}

/* Whether no other element around has these two nodes; the second may be the first. */
static bool is_outer(const way *w, uint32_t a, uint32_t b) {
    int found = 0;
    for (size_t i = 0; i < w->count; i++) {
        bool one = false, two = false;
        for (size_t k = 0; k < w->s->corners; k++) {
            one = one || corners_of(w, i)[k] == a;
            two = two || corners_of(w, i)[k] == b;
        }
        found += one && two;
    }
    return found == 1;
}

/* Outwards and as long as its area or length, of the sides at the vertex that are outer ones. */
static size_t outer_sides(const way *w, sn_point side[64]) {
    size_t found = 0;
    for (size_t i = 0; i < w->count; i++) {
        const uint32_t *t = corners_of(w, i);
        for (size_t k = 0; k < w->s->corners; k++) {
            uint32_t other[3] = {0}, ends = 0;
            if (t[k] == w->vertex) continue;
            for (size_t n = 0; n < w->s->corners; n++)
                if (n != k && t[n] != w->vertex) other[ends++] = t[n];
            if (!is_outer(w, other[0], other[ends - 1])) continue;
            sn_point at = w->s->rest[w->vertex];
            sn_point a = sn_point_sub(w->s->rest[other[0]], at), e[3], n;
            sn_point in = sn_point_sub(w->s->rest[t[k]], at);
            frame_of(w, i, w->s->rest, e);
            if (ends == 1)
                n = sn_point_cross(a, e[2]);
            else
                n = sn_point_scaled(sn_point_cross(a, sn_point_sub(w->s->rest[other[1]], at)), 0.5);
            side[found++] = sn_point_dot(n, in) > 0 ? sn_point_scaled(n, -1) : n;
        }
    }
    return found;
}

/* Slides in the plane of a sheet, which has to be about flat around the node. */
static bool stays_in_sheet(way *w) {
    sn_point mean = {0, 0, 0}, e[3];
    for (size_t i = 0; i < w->count; i++) {
        frame_of(w, i, w->s->rest, e);
        mean = sn_point_add(mean, sn_point_cross(e[0], e[1]));
    }
    for (size_t i = 0; i < w->count; i++) {
        frame_of(w, i, w->s->rest, e);
        double cosine = sn_point_dot(e[2], mean) / sn_point_length(mean);
        /* Numbers next to 1 are all close. */
        if (!above(w, 1 - 0.999, 1 - cosine)) return false;
    }
    w->rest = along(w->rest, mean);
    return true;
}

/* Slides along the border, which it may leave nowhere. */
static bool stays_on_border(way *w) {
    sn_point side[64], mean = {0, 0, 0};
    double length = sn_point_length(w->rest), least = 1, off = 0;
    if (w->s->corners == 3 && !stays_in_sheet(w)) return false;
    size_t sides = outer_sides(w, side);
    if (sides == 0) return true;
    for (size_t i = 0; i < sides; i++) mean = sn_point_add(mean, side[i]);
    for (size_t i = 0; i < sides; i++)
        least = fmin(least, sn_point_dot(side[i], mean) / sn_point_length(side[i]) /
                                sn_point_length(mean));
    w->is_round = !above(w, least, 0.75);
    if (!w->is_round) w->rest = along(w->rest, mean);
    for (int pass = 0; pass < 9 && w->is_round; pass++) {
        off = 0;
        for (size_t i = 0; i < sides; i++) {
            off = fmax(off, fabs(sn_point_dot(w->rest, side[i])) / sn_point_length(side[i]));
            w->rest = along(w->rest, side[i]);
        }
    }
    if (w->is_round && above(w, off, 0.2 * sn_point_length(w->rest))) return false;
    return above(w, sn_point_length(w->rest), 0.3 * length);
}

/* The way straight to the surface, as the elements have it at rest, along the border there, and as
   long as it takes to get to the surface. */
static bool find_way(way *w) {
    const solid *s = w->s;
    double height = sn_point_dot(sn_point_sub(s->now[w->vertex], w->point), w->normal);
    w->rest = carried(w, sn_point_scaled(w->normal, -height), s->now, s->rest);
    if (!stays_on_border(w)) return false;
    w->now = carried(w, w->rest, s->rest, s->now);
    double factor = -height / sn_point_dot(w->now, w->normal);
    if (!above(w, factor, 0.5) || above(w, factor, 2)) return false;
    w->now = sn_point_scaled(w->now, factor);
    w->rest = sn_point_scaled(w->rest, factor);
    return true;
}

/* m^2 or m^3, of an element at rest, and the sum of the squares of its edges. */
static double size_of(const way *w, size_t i, bool moved, double *squares) {
    sn_point p[4], e[3];
    *squares = 0;
    for (size_t k = 0; k < w->s->corners; k++) {
        uint32_t corner = corners_of(w, i)[k];
        p[k] = w->s->rest[corner];
        if (moved && corner == w->vertex) p[k] = sn_point_add(p[k], w->rest);
        for (size_t n = 0; n < k; n++) {
            sn_point edge = sn_point_sub(p[k], p[n]);
            *squares += sn_point_dot(edge, edge);
        }
    }
    for (size_t k = 1; k < w->s->corners; k++) e[k - 1] = sn_point_sub(p[k], p[0]);
    if (w->s->corners == 3) return sn_point_length(sn_point_cross(e[0], e[1])) / 2;
    return det_of(e) / 6;
}

/* 1 for the even one: of triangles area over squares of edges, of tets the cube of the ratio of
   the size of volume and that of edges. */
static double quality_of(const way *w, size_t i, bool moved) {
    double squares, size = size_of(w, i, moved, &squares);
    if (!(size > 0)) return 0;
    if (w->s->corners == 3) return 4 * sqrt(3) * size / squares;
    return pow(12 * pow(3 * size, 2.0 / 3) / squares, 3);
}

/* No element becomes worse than four fifths of what it was, unless it is good enough; nor is nine
   tenths of it gone where it is now. */
static bool stays_good(way *w) {
    for (size_t i = 0; i < w->count; i++) {
        double tet = pow(0.8, 3), good = w->s->corners == 3 ? 0.4 : pow(0.3, 3);
        double bound = (w->s->corners == 3 ? 0.8 : tet) * quality_of(w, i, false);
        if (!above(w, quality_of(w, i, true), fmin(bound, good))) return false;
        sn_point e[3], f[3], moved[MOST_NODES];
        for (size_t k = 0; k < w->s->corners; k++) {
            uint32_t t = corners_of(w, i)[k];
            moved[t] = w->s->now[t];
            if (t == w->vertex) moved[t] = sn_point_add(moved[t], w->now);
        }
        frame_of(w, i, w->s->now, e);
        frame_of(w, i, moved, f);
        double before = det_of(e), after = det_of(f);
        if (w->s->corners == 3) {
            sn_point n = sn_point_cross(e[0], e[1]);
            before = sn_point_dot(n, n);
            after = sn_point_dot(n, sn_point_cross(f[0], f[1]));
        }
        if (!above(w, after, 0.1 * before)) return false;
    }
    return true;
}

/* Mass goes with what elements win and lose, with its momentum; what the border lost or won stays
   with the node. */
static bool share_mass(way *w, solid *s) {
    double before = 0, given = 0, squares, own = s->mass[w->vertex];
    sn_point momentum = sn_point_scaled(s->v[w->vertex], own);
    for (size_t i = 0; i < w->count; i++) before += size_of(w, i, false, &squares);
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < w->count; i++) {
            double more =
                own * (size_of(w, i, true, &squares) - size_of(w, i, false, &squares)) / before;
            for (size_t k = 0; k < s->corners; k++) {
                uint32_t to = corners_of(w, i)[k];
                if (to == w->vertex || s->mass[to] == 0) continue;
                if (pass == 0 && !above(w, s->mass[to] + more, 0.1 * s->mass[to])) return false;
                if (pass == 0) given += more;
                if (pass == 0) continue;
                s->mass[to] += more;
                momentum = sn_point_sub(momentum, sn_point_scaled(s->v[to], more));
            }
            bool last = pass == 0 && i + 1 == w->count;
            if (last && (!above(w, own - given, 0.3 * own) || above(w, own - given, 3 * own)))
                return false;
        }
    s->mass[w->vertex] = own - given;
    s->v[w->vertex] = sn_point_scaled(momentum, 1 / (own - given));
    return true;
}

/* Whether it is near enough to the surface, of its shortest edge, opposite of that, and free. */
static bool is_near(way *w, double reach, double radius) {
    double shortest = INFINITY;
    sn_point x = w->s->now[w->vertex];
    double height = sn_point_dot(sn_point_sub(x, w->point), w->normal);
    for (size_t i = 0; i < w->count; i++)
        for (size_t k = 0; k < w->s->corners; k++) {
            uint32_t other = corners_of(w, i)[k];
            double d = sn_point_length(sn_point_sub(w->s->now[other], x));
            if (other != w->vertex) shortest = fmin(shortest, d);
        }
    if (w->s->mass[w->vertex] == 0) return false;
    sn_point foot = sn_point_sub(x, sn_point_scaled(w->normal, height));
    return !above(w, fabs(height), reach * shortest) &&
           !above(w, sn_point_length(sn_point_sub(foot, w->point)), radius);
}

/* ---- Both ---- */

typedef struct counts {
    int moved, stayed, held, round, close;
} counts;

static void compare(const solid *before, const solid *after, const sn_blade_def *blade,
                    counts *all) {
    static solid s;
    static bool near[MOST_NODES];
    way w = {.s = before, .point = sn_point_of(blade->point), .normal = sn_point_of(blade->normal)};
    w.normal = sn_point_scaled(w.normal, 1 / sn_point_length(w.normal));
    bool close[MOST_NODES];
    for (size_t i = 0; i < before->vertices; i++) {
        w.vertex = (uint32_t)i;
        w.closest = 1;
        look_around(&w);
        near[i] = is_near(&w, (double)blade->snap, (double)blade->radius);
        close[i] = w.closest < CLOSE;
    }
    s = *before;
    w.s = &s;
    for (size_t i = 0; i < before->vertices; i++) {
        double edge = 0.1, far = sn_point_length(sn_point_sub(after->rest[i], s.rest[i]));
        w.vertex = (uint32_t)i;
        w.closest = 1;
        w.is_round = false;
        look_around(&w);
        bool goes = near[i] && find_way(&w) && stays_good(&w);
        solid shared = s;
        goes = goes && share_mass(&w, &shared);
        all->held += near[i] && !goes;
        bool went = far > 1e-7;
        if (close[i] || w.closest < (w.is_round ? 5 * CLOSE : CLOSE)) {
            all->close++;
        } else if (CHECK(went == goes) && goes) {
            double off = w.is_round ? 0.02 * edge : 2e-6;
            sn_point rest = sn_point_add(s.rest[i], w.rest), now = sn_point_add(s.now[i], w.now);
            CHECK_NEAR(sn_point_length(sn_point_sub(after->rest[i], rest)), 0, off);
            CHECK_NEAR(sn_point_length(sn_point_sub(after->now[i], now)), 0, off);
            all->round += w.is_round;
        }
        all->moved += went;
        all->stayed += !went;
        if (!went) continue;
        /* From here on it is where it went to. */
        w.rest = sn_point_sub(after->rest[i], s.rest[i]);
        w.now = sn_point_sub(after->now[i], s.now[i]);
        CHECK(share_mass(&w, &s));
        s.rest[i] = after->rest[i];
        s.now[i] = after->now[i];
    }
    for (size_t i = 0; i < before->vertices; i++) {
        double mass = 0;
        for (size_t k = 0; k < after->vertices; k++) {
            sn_point apart = sn_point_sub(after->rest[k], after->rest[i]);
            if (k != i && (k < before->vertices || sn_point_length(apart) > 1e-7)) continue;
            mass += after->mass[k];
            CHECK_NEAR(sn_point_length(sn_point_sub(after->v[k], s.v[i])), 0, 2e-5);
        }
        CHECK_NEAR(mass, s.mass[i], 1e-5 * s.mass[i]);
    }
}

static void cut_all(bool is_sheet) {
    static solid before, after;
    static uint32_t first[4 * MOST_ELEMENTS], second[4 * MOST_ELEMENTS];
    counts all = {0};
    before.element = first;
    after.element = second;
    for (int i = 0; i < (is_sheet ? SHEETS : SOLIDS); i++) {
        seed = 12345u + 977u * (uint32_t)i;
        check_case("body %d", i);
        body b = make(is_sheet, i);
        sn_blade_def blade = sn_blade_def_default();
        sn_point n = random_point(1);
        blade.point = sn_point_vec3(random_point(0.1));
        if (is_sheet) n.y *= 0.3;
        blade.normal = sn_point_vec3(n);
        blade.snap = (sn_real)(i % 2 ? 0.5 : 0.35);
        blade.radius = (sn_real)(i % 4 == 3 ? 0.3 : 1e3);
        read_solid(&b, is_sheet, &before);
        size_t copies;
        if (is_sheet)
            REQUIRE_OK(sn_sheet_cut(b.world, b.build.sheet, &blade, &copies));
        else
            REQUIRE_OK(sn_tet_mesh_cut(b.world, b.build.tet_mesh, &blade, &copies));
        read_solid(&b, is_sheet, &after);
        compare(&before, &after, &blade, &all);
        body_free(&b);
    }
    if (check_shows())
        printf("%d moved, %d of them round, %d did not, %d of them near; %d close\n", all.moved,
               all.round, all.stayed, all.held, all.close);
    /* A node at a corner of a sheet has no way along both of its sides. */
    CHECK(all.moved > 200 && all.held > 40 && all.close < all.moved / 20);
    CHECK(is_sheet ? all.round == 0 : all.round > 5);
}

TEST(nodes_of_sheets_go_by_the_rule) {
    cut_all(true);
}

TEST(nodes_of_solids_go_by_the_rule) {
    cut_all(false);
}

TESTS(RUN(nodes_of_sheets_go_by_the_rule), RUN(nodes_of_solids_go_by_the_rule))
