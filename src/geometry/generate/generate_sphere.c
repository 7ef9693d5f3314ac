/*
 * A geodesic sphere. The icosahedron stands on a vertex: 0 is the top, 1 to 5 the upper ring, 6 to
 * 10 the lower one, half a step further, and 11 the bottom. Vertices of the sphere are its corners,
 * then those on its edges, then those on its faces.
 */
#include "geometry/generate/mesh_maker.h"

#include <sinew/support.h>

#include <math.h>

enum { TOP = 1, BOTTOM = 2 };

typedef struct icosahedron {
    sn_point corner[12];
    uint32_t face[20][3];
    uint32_t edge[30][2]; /* the lower corner first */
    uint32_t edge_of[12][12];
} icosahedron;

static void put_face(icosahedron *ico, int f, int a, int b, int c) {
    ico->face[f][0] = (uint32_t)a;
    ico->face[f][1] = (uint32_t)b;
    ico->face[f][2] = (uint32_t)c;
}

static void find_edges(icosahedron *ico) {
    uint32_t edges = 0;
    for (int f = 0; f < 20; f++)
        for (int k = 0; k < 3; k++) {
            uint32_t a = ico->face[f][k], b = ico->face[f][(k + 1) % 3];
            if (a > b) continue;
            ico->edge[edges][0] = a;
            ico->edge[edges][1] = b;
            ico->edge_of[a][b] = ico->edge_of[b][a] = edges++;
        }
}

static void make_icosahedron(icosahedron *ico) {
    double height = 1 / sqrt(5);
    ico->corner[0] = (sn_point){0, 1, 0};
    ico->corner[11] = (sn_point){0, -1, 0};
    for (int i = 0; i < 10; i++) {
        double sine, cosine;
        sn_turn((uint64_t)i, 10, &sine, &cosine);
        sn_point x = {2 * height * cosine, i % 2 ? -height : height, 0 - 2 * height * sine};
        ico->corner[i % 2 ? 6 + i / 2 : 1 + i / 2] = x;
    }
    for (int i = 0; i < 5; i++) {
        int next = (i + 1) % 5;
        put_face(ico, i, 0, 1 + i, 1 + next);
        put_face(ico, 5 + i, 1 + i, 6 + i, 1 + next);
        put_face(ico, 10 + i, 6 + i, 6 + next, 1 + next);
        put_face(ico, 15 + i, 11, 6 + next, 6 + i);
    }
    find_edges(ico);
}

/* The vertex on an edge that is `step` of n parts away from corner a. */
static uint32_t edge_vertex(const icosahedron *ico, uint32_t n, uint32_t a, uint32_t b,
                            uint32_t step) {
    return 12 + ico->edge_of[a][b] * (n - 1) + (a < b ? step : n - step) - 1;
}

/* The vertex of a face that is i steps from corner 0 to corner 1 and j to corner 2. */
static uint32_t face_vertex(const icosahedron *ico, uint32_t n, int f, uint32_t i, uint32_t j) {
    const uint32_t *c = ico->face[f];
    if (i == n) return c[1];
    if (j == n) return c[2];
    if (i == 0 && j == 0) return c[0];
    if (j == 0) return edge_vertex(ico, n, c[0], c[1], i);
    if (i == 0) return edge_vertex(ico, n, c[0], c[2], j);
    if (i + j == n) return edge_vertex(ico, n, c[1], c[2], j);
    uint32_t before = (j - 1) * (2 * n - j - 2) / 2;
    return 12 + 30 * (n - 1) + (uint32_t)f * ((n - 1) * (n - 2) / 2) + before + i - 1;
}

/* Puts a vertex on the ellipsoid, from its direction. */
static void put_at(sn_maker *maker, sn_point axes, sn_point x, double length, uint32_t groups) {
    sn_point at = {x.x * (axes.x / length), x.y * (axes.y / length), x.z * (axes.z / length)};
    sn_maker_vertex(maker, at, groups);
}

/* The same from its shares of three corners. */
static void put(sn_maker *maker, const icosahedron *ico, sn_point axes, const uint32_t corner[3],
                const uint32_t share[3]) {
    sn_point x = {0, 0, 0};
    for (int k = 0; k < 3; k++)
        x = sn_point_add(x, sn_point_scaled(ico->corner[corner[k]], share[k]));
    put_at(maker, axes, x, sn_point_length(x), 0);
}

static void put_vertices(sn_maker *maker, const icosahedron *ico, sn_point axes, uint32_t n) {
    for (int c = 0; c < 12; c++)
        put_at(maker, axes, ico->corner[c], 1, c == 0 ? TOP : c == 11 ? BOTTOM : 0);
    for (int e = 0; e < 30; e++)
        for (uint32_t i = 1; i < n; i++)
            put(maker, ico, axes, (uint32_t[3]){ico->edge[e][0], ico->edge[e][1], 0},
                (uint32_t[3]){n - i, i, 0});
    for (int f = 0; f < 20; f++)
        for (uint32_t j = 1; j < n; j++)
            for (uint32_t i = 1; i + j < n; i++)
                put(maker, ico, axes, ico->face[f], (uint32_t[3]){n - i - j, i, j});
}

static void put_triangles(sn_maker *maker, const icosahedron *ico, uint32_t n) {
    for (int f = 0; f < 20; f++)
        for (uint32_t j = 0; j < n; j++)
            for (uint32_t i = 0; i + j < n; i++) {
                uint32_t right = face_vertex(ico, n, f, i + 1, j);
                uint32_t up = face_vertex(ico, n, f, i, j + 1);
                sn_maker_triangle(maker, face_vertex(ico, n, f, i, j), right, up);
                if (i + j + 1 < n)
                    sn_maker_triangle(maker, right, face_vertex(ico, n, f, i + 1, j + 1), up);
            }
}

sn_sphere_def sn_sphere_def_default(void) {
    return (sn_sphere_def){.size = sizeof(sn_sphere_def),
                           .radius = (sn_real)0.5,
                           .level = 3,
                           .edge_length = SN_AUTO,
                           .stretch = {1, 1, 1}};
}

/* Into how many parts edges are cut. */
static sn_result find_parts(const sn_sphere_def *def, double *parts) {
    if (def->edge_length != SN_AUTO) {
        SN_TRY(sn_maker_expect_length("sphere", "edge_length", def->edge_length));
        /* That of an equilateral triangle with its share of the area of the sphere. */
        *parts = floor(1.2046 * (double)def->radius / (double)def->edge_length + 0.5);
        if (*parts < 1) *parts = 1;
        return SN_OK;
    }
    if (def->level > 12)
        return sn_fail(SN_ERROR_VALUE, "sphere: level is %u, expected from 0 to 12", def->level);
    *parts = (double)(1u << def->level);
    return SN_OK;
}

sn_result sn_generate_sphere(sn_mesh *mesh, const sn_sphere_def *def) {
    SN_TRY(sn_mesh_expect_empty(mesh));
    SN_TRY(sn_maker_expect(def, def ? def->size : 0, sizeof *def, "sphere"));
    SN_TRY(sn_maker_expect_length("sphere", "radius", def->radius));
    double radius = (double)def->radius, parts = 1;
    sn_point stretch = sn_point_of(def->stretch), axes = sn_point_scaled(stretch, radius);
    SN_TRY(sn_maker_expect_length("sphere", "radius times stretch.x", (sn_real)axes.x));
    SN_TRY(sn_maker_expect_length("sphere", "radius times stretch.y", (sn_real)axes.y));
    SN_TRY(sn_maker_expect_length("sphere", "radius times stretch.z", (sn_real)axes.z));
    SN_TRY(find_parts(def, &parts));
    sn_maker maker;
    SN_TRY(sn_maker_begin(
        &maker, mesh, "sphere",
        (sn_maker_room){.vertices = 10 * parts * parts + 2, .triangles = 20 * parts * parts}));
    icosahedron ico;
    make_icosahedron(&ico);
    put_vertices(&maker, &ico, axes, (uint32_t)parts);
    put_triangles(&maker, &ico, (uint32_t)parts);
    static const char *const names[] = {"top", "bottom"};
    return sn_maker_end(&maker, names, 2);
}
