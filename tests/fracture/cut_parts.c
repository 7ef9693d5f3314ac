/*
 * Which elements come apart, against a slow search of all pairs: those with the blade between their
 * centres, unless one of them would be alone; and a node has as many copies as there are groups of
 * elements around it that hang together.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "parted.h"
#include "torn.h"

enum { MOST_NODES = 800, MOST_ELEMENTS = 700, CUTS = 4 };

typedef struct vector {
    double x, y, z;
} vector;

static vector minus(vector a, vector b) {
    return (vector){a.x - b.x, a.y - b.y, a.z - b.z};
}

static vector cross(vector a, vector b) {
    return (vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double dot(vector a, vector b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static unsigned seed;

/* From -size to size. */
static double random_in(double size) {
    seed = seed * 1664525u + 1013904223u;
    return size * ((double)(seed >> 8) / 8388608.0 - 1);
}

/* ---- A body, and what is expected of it ---- */

typedef struct neighbour {
    size_t element, back; /* SIZE_MAX where there is none; its side */
} neighbour;

typedef struct search {
    body b;
    size_t corners, elements;
    vector x[MOST_NODES];            /* m, of the vertices of the mesh */
    uint32_t was[MOST_ELEMENTS][4];  /* vertices of the mesh */
    uint32_t node[MOST_ELEMENTS][4]; /* a number for each node that is expected */
    bool open[MOST_ELEMENTS][4], fresh[MOST_ELEMENTS][4]; /* by side: cut, and just now */
    bool held[MOST_NODES];                                /* whether a vertex is kinematic */
    neighbour beyond[MOST_ELEMENTS][4];                   /* by side */
    uint32_t nodes;
} search;

static vector centre_of(const search *s, size_t e) {
    vector sum = {0, 0, 0};
    for (size_t k = 0; k < s->corners; k++) {
        vector x = s->x[s->was[e][k]];
        sum = (vector){sum.x + x.x, sum.y + x.y, sum.z + x.z};
    }
    double part = 1 / (double)s->corners;
    return (vector){part * sum.x, part * sum.y, part * sum.z};
}

static double size_of_side(const search *s, size_t e, size_t side) {
    vector p[3];
    size_t n = 0;
    for (size_t k = 0; k < s->corners; k++)
        if (k != side) p[n++] = s->x[s->was[e][k]];
    vector a = minus(p[1], p[0]);
    if (n == 2) return sqrt(dot(a, a));
    vector c = cross(a, minus(p[2], p[0]));
    return sqrt(dot(c, c)) / 2;
}

static bool has_node(const search *s, size_t e, uint32_t node) {
    for (size_t k = 0; k < s->corners; k++)
        if (s->node[e][k] == node) return true;
    return false;
}

/* The element that has all nodes of a side as well; false where there is none. */
static bool find_beyond(const search *s, size_t e, size_t side, neighbour *found) {
    for (size_t f = 0; f < s->elements; f++) {
        size_t shared = 0;
        for (size_t k = 0; k < s->corners; k++)
            shared += k != side && has_node(s, f, s->node[e][k]);
        if (f == e || shared + 1 < s->corners) continue;
        *found = (neighbour){f, 0};
        while (has_node(s, e, s->node[f][found->back])) found->back++;
        return true;
    }
    return false;
}

/* Before anything is cut; what stays together stays so. */
static void find_all(search *s) {
    const neighbour none = {SIZE_MAX, 0};
    for (size_t e = 0; e < s->elements; e++)
        for (size_t k = 0; k < s->corners; k++)
            if (!find_beyond(s, e, k, &s->beyond[e][k])) s->beyond[e][k] = none;
}

/* ---- The blade ---- */

/* A parallelogram at `at` with the edges u and v, or a disc about that in their plane. */
typedef struct knife {
    vector at, u, v;
    double radius; /* m; 0 for the parallelogram */
} knife;

/* Whether the way from p to q passes through. */
static bool passes(const knife *k, vector p, vector q) {
    vector n = cross(k->u, k->v), from = minus(p, k->at), way = minus(q, p);
    double along = dot(way, n), t = -dot(from, n) / along;
    if (!(t > 0 && t < 1)) return false;
    vector hit = {from.x + t * way.x, from.y + t * way.y, from.z + t * way.z};
    if (k->radius > 0) return dot(hit, hit) < k->radius * k->radius;
    double a = dot(cross(hit, k->v), n) / dot(n, n), b = dot(cross(k->u, hit), n) / dot(n, n);
    return a > 0 && a < 1 && b > 0 && b < 1;
}

static sn_vec3 vec3(vector a) {
    return (sn_vec3){(sn_real)a.x, (sn_real)a.y, (sn_real)a.z};
}

static vector sum(vector a, vector b) {
    return minus(a, minus((vector){0, 0, 0}, b));
}

static sn_blade_def blade_of(const knife *k) {
    sn_blade_def blade = sn_blade_def_default();
    blade.point = vec3(k->at);
    blade.normal = vec3(cross(k->u, k->v));
    if (k->radius > 0) {
        blade.radius = k->radius < 10 ? (sn_real)k->radius : SN_AUTO;
        return blade;
    }
    blade.kind = SN_BLADE_SWEEP;
    blade.from[0] = vec3(k->at);
    blade.from[1] = vec3(sum(k->at, k->u));
    blade.to[0] = vec3(sum(k->at, k->v));
    blade.to[1] = vec3(sum(sum(k->at, k->u), k->v));
    return blade;
}

/* A plane, a disc, and what goes on where the last one ended. */
static knife random_knife(int number, double height) {
    double angle = random_in(3);
    knife k = {.at = {random_in(0.2), random_in(0.1), random_in(0.2)}};
    k.u = (vector){random_in(0.1), 1, random_in(0.1)};
    k.v = (vector){cos(angle), random_in(0.3), sin(angle)};
    k.radius = number % 3 == 0 ? 100 : number % 3 == 1 ? 0.3 : 0;
    if (k.radius > 0) return k;
    k.at.y = -height;
    k.u.y = 2 * height;
    return k;
}

/* ---- The search ---- */

static void set_open(search *s, size_t e, size_t side, bool open) {
    neighbour n = s->beyond[e][side];
    s->open[e][side] = s->open[n.element][n.back] = open;
    s->fresh[e][side] = s->fresh[n.element][n.back] = open;
}

static void mark(search *s, const knife *k) {
    memset(s->fresh, 0, sizeof s->fresh);
    for (size_t e = 0; e < s->elements; e++)
        for (size_t side = 0; side < s->corners; side++) {
            size_t other = s->beyond[e][side].element;
            if (other != SIZE_MAX && !s->open[e][side] &&
                passes(k, centre_of(s, e), centre_of(s, other)))
                set_open(s, e, side, true);
        }
}

/* What would be alone stays with its neighbour beyond the largest side. */
static void keep_whole(search *s, size_t e) {
    size_t best = SIZE_MAX;
    for (size_t side = 0; side < s->corners; side++) {
        if (s->beyond[e][side].element == SIZE_MAX) continue;
        if (!s->open[e][side]) return;
        if (best == SIZE_MAX || size_of_side(s, e, side) > size_of_side(s, e, best)) best = side;
    }
    if (best != SIZE_MAX && s->fresh[e][best]) set_open(s, e, best, false);
}

/* Whether two elements at a node share a side there that is not cut. */
static bool hang_together(const search *s, size_t e, size_t f, uint32_t node) {
    for (size_t side = 0; side < s->corners; side++)
        if (s->beyond[e][side].element == f && !s->open[e][side] && s->node[e][side] != node)
            return true;
    return false;
}

/* Numbers for the groups of elements around a node but the first. */
static void split(search *s, uint32_t node) {
    size_t list[MOST_ELEMENTS], group[MOST_ELEMENTS], count = 0;
    uint32_t name[MOST_ELEMENTS];
    for (size_t e = 0; e < s->elements; e++)
        if (has_node(s, e, node)) list[count++] = e;
    for (size_t i = 0; i < count; i++) group[i] = i;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < count * count; i++) {
            size_t a = i / count, b = i % count;
            if (group[b] <= group[a] || !hang_together(s, list[a], list[b], node)) continue;
            group[b] = group[a];
            changed = true;
        }
    }
    for (size_t i = 0; i < count; i++)
        if (group[i] == i) name[i] = i == 0 ? node : s->nodes++;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < s->corners; k++)
            if (s->node[list[i]][k] == node) s->node[list[i]][k] = name[group[i]];
}

static void cut(search *s, const knife *k) {
    find_all(s);
    mark(s, k);
    for (size_t e = 0; e < s->elements; e++) {
        bool any = false;
        for (size_t side = 0; side < s->corners; side++) any = any || s->open[e][side];
        if (any) keep_whole(s, e);
    }
    for (uint32_t node = 0, before = s->nodes; node < before; node++)
        if (!s->held[node]) split(s, node);
}

/* ---- Tests ---- */

static search *begin(body b, bool solid) {
    search *s = calloc(1, sizeof *s);
    if (!s) abort();
    s->b = b;
    s->corners = solid ? 4 : 3;
    s->elements = solid ? b.mesh.tet_count : b.mesh.triangle_count;
    s->nodes = (uint32_t)b.mesh.vertex_count;
    REQUIRE_OK(s->elements <= MOST_ELEMENTS && s->nodes < MOST_NODES ? SN_OK : SN_ERROR_LIMIT);
    for (size_t e = 0; e < s->elements; e++) {
        const uint32_t *v = solid ? b.mesh.tets[e] : b.mesh.triangles[e];
        for (size_t k = 0; k < s->corners; k++) s->was[e][k] = s->node[e][k] = v[k];
    }
    for (uint32_t i = 0; i < s->nodes; i++) {
        sn_vec3 at = b.mesh.positions[i];
        s->x[i] = (vector){(double)at.x, (double)at.y, (double)at.z};
        if (i % 11 != 5) continue;
        s->held[i] = true;
        REQUIRE_OK(sn_node_set_inverse_mass(b.world, b.nodes[i], 0));
    }
    return s;
}

/* Whether the body has a node where one is expected, and no other. */
static void compare(const search *s, const uint32_t *is, size_t nodes) {
    uint32_t expected[MOST_NODES];
    bool same = true;
    memset(expected, 255, sizeof expected);
    if (!CHECK(nodes == s->nodes)) return;
    for (size_t i = 0; i < s->corners * s->elements; i++) {
        uint32_t node = s->node[i / s->corners][i % s->corners], *at = &expected[is[i]];
        if (*at == UINT32_MAX) *at = node;
        same = same && *at == node;
    }
    CHECK(same);
}

static void check_cuts(search *s, int number) {
    static uint32_t element[4 * MOST_ELEMENTS];
    sn_node node[MOST_NODES];
    size_t nodes, elements, before = s->b.mesh.vertex_count;
    for (int i = 0; i < CUTS; i++) {
        knife k = random_knife(number + i, 0.6);
        sn_blade_def blade = blade_of(&k);
        size_t copies;
        cut(s, &k);
        if (s->corners == 4) {
            sn_tet_mesh mesh = s->b.build.tet_mesh;
            REQUIRE_OK(sn_tet_mesh_cut(s->b.world, mesh, &blade, &copies));
            REQUIRE_OK(sn_tet_mesh_get_tets(s->b.world, mesh, element, MOST_ELEMENTS, &elements));
            REQUIRE_OK(sn_tet_mesh_get_nodes(s->b.world, mesh, node, MOST_NODES, &nodes));
        } else {
            sn_sheet sheet = s->b.build.sheet;
            REQUIRE_OK(sn_sheet_cut(s->b.world, sheet, &blade, &copies));
            REQUIRE_OK(
                sn_sheet_get_triangles(s->b.world, sheet, element, MOST_ELEMENTS, &elements));
            REQUIRE_OK(sn_sheet_get_nodes(s->b.world, sheet, node, MOST_NODES, &nodes));
        }
        CHECK(elements == s->elements && nodes == before + copies);
        before = nodes;
        compare(s, element, nodes);
    }
    CHECK(before > s->b.mesh.vertex_count + 5);
    body_free(&s->b);
    free(s);
}

/* No two edges are alike, so that nothing is decided by rounding. */
static sn_mesh disordered(sn_mesh mesh) {
    for (size_t i = 0; i < mesh.vertex_count; i++) {
        sn_vec3 *x = &mesh.positions[i];
        x->x += (sn_real)random_in(0.03);
        x->y += (sn_real)random_in(0.03);
        x->z += (sn_real)random_in(0.03);
    }
    return mesh;
}

TEST(sheets_come_apart_where_the_blade_went) {
    for (int i = 0; i < 30; i++) {
        seed = (unsigned)i;
        check_case("sheet %d", i);
        sn_cloth_material cloth = sn_cloth_material_default();
        sn_mesh mesh = grid_mesh(1, 1, 10, 9, i % 2 ? SN_GRID_SAME : SN_GRID_ALTERNATING);
        body b = body_make(still_world(1, 0), SN_KIND_CLOTH, &cloth, disordered(mesh), NULL);
        check_cuts(begin(b, false), i);
    }
}

TEST(solids_come_apart_where_the_blade_went) {
    for (int i = 0; i < 20; i++) {
        seed = (unsigned)i;
        check_case("solid %d", i);
        sn_solid_material solid = sn_solid_material_default();
        sn_mesh mesh = block_mesh(0.9, 0.9, 0.9, 4, i % 2 ? SN_BLOCK_SIX : SN_BLOCK_FIVE);
        body b = body_make(still_world(1, 0), SN_KIND_SOLID, &solid, disordered(mesh), NULL);
        check_cuts(begin(b, true), i);
    }
}

TESTS(RUN(sheets_come_apart_where_the_blade_went), RUN(solids_come_apart_where_the_blade_went))
