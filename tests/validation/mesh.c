#include "mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Making ---- */

/* Room for a mesh; a test without memory has no meaning. */
static mesh allocate(size_t vertices, size_t triangles) {
    mesh m = {.vertices = vertices, .triangles = triangles};
    m.x = calloc(vertices, sizeof *m.x);
    m.triangle = calloc(triangles, sizeof *m.triangle);
    m.edge = calloc(3 * triangles, sizeof *m.edge);
    if (!m.x || !m.triangle || !m.edge) abort();
    return m;
}

void mesh_free(mesh *m) {
    free(m->x);
    free(m->triangle);
    free(m->edge);
    *m = (mesh){0};
}

static int compare_edges(const void *a, const void *b) {
    const uint32_t *e = a, *f = b;
    if (e[0] != f[0]) return e[0] < f[0] ? -1 : 1;
    return (e[1] > f[1]) - (e[1] < f[1]);
}

/* The sides of all triangles, sorted, without repetitions. */
static void find_edges(mesh *m) {
    for (size_t t = 0; t < m->triangles; t++)
        for (int k = 0; k < 3; k++) {
            uint32_t a = m->triangle[t][k], b = m->triangle[t][(k + 1) % 3];
            m->edge[3 * t + (size_t)k][0] = a < b ? a : b;
            m->edge[3 * t + (size_t)k][1] = a < b ? b : a;
        }
    qsort(m->edge, 3 * m->triangles, sizeof *m->edge, compare_edges);
    for (size_t i = 0; i < 3 * m->triangles; i++)
        if (i == 0 || compare_edges(m->edge[i], m->edge[m->edges - 1]) != 0)
            memmove(m->edge[m->edges++], m->edge[i], sizeof *m->edge);
}

mesh mesh_of(const vec *x, size_t vertices, const uint32_t *corners, size_t triangles) {
    mesh m = allocate(vertices, triangles);
    memcpy(m.x, x, vertices * sizeof *x);
    memcpy(m.triangle, corners, triangles * sizeof *m.triangle);
    find_edges(&m);
    return m;
}

static void put(uint32_t triangle[3], int a, int b, int c) {
    triangle[0] = (uint32_t)a;
    triangle[1] = (uint32_t)b;
    triangle[2] = (uint32_t)c;
}

const char *pattern_name(pattern kind) {
    static const char *const names[PATTERNS] = {"equilateral", "right", "crossed"};
    return names[kind];
}

mesh mesh_sheet(pattern kind, int columns, int rows, double spacing) {
    mesh m = allocate((size_t)((columns + 1) * (rows + 1)), (size_t)(2 * columns * rows));
    uint32_t(*t)[3] = m.triangle;
    for (int i = 0; i <= rows; i++) {
        for (int j = 0; j <= columns; j++) {
            double shift = kind == EQUILATERAL ? 0.5 * (i % 2) : 0;
            double height = kind == EQUILATERAL ? 0.5 * sqrt(3) : 1;
            m.x[i * (columns + 1) + j] = (vec){spacing * (j + shift), spacing * height * i, 0};
        }
    }
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            int a = i * (columns + 1) + j, b = a + 1, c = a + columns + 1, d = c + 1;
            /* Whether the diagonal rises: of equilateral rows, by which of the two is shifted. */
            bool rises = kind == RIGHT || (kind == CROSSED ? (i + j) % 2 == 0 : i % 2 == 1);
            put(*t++, a, b, rises ? d : c);
            put(*t++, rises ? a : b, d, c);
        }
    }
    find_edges(&m);
    return m;
}

/* The vertex at a place of the lattice on the surface of a cube; each has one number. */
static int cube_vertex(mesh *m, int n, const int place[3], int *number) {
    int key = (place[0] * (n + 1) + place[1]) * (n + 1) + place[2];
    if (number[key] == 0) {
        m->x[m->vertices++] =
            (vec){(double)place[0] / n, (double)place[1] / n, (double)place[2] / n};
        number[key] = (int)m->vertices;
    }
    return number[key] - 1;
}

mesh mesh_cube(int n) {
    mesh m = allocate((size_t)(6 * n * n + 2), (size_t)(12 * n * n));
    int *number = calloc((size_t)((n + 1) * (n + 1) * (n + 1)), sizeof *number);
    uint32_t(*t)[3] = m.triangle;
    if (!number) abort();
    m.vertices = 0;
    for (int face = 0; face < 6; face++) {
        int out = face / 2, u = (out + 1) % 3, v = (out + 2) % 3, top = face % 2;
        for (int i = 0; i < n * n; i++) {
            int corner[4];
            for (int k = 0; k < 4; k++) {
                int place[3];
                place[out] = top * n;
                place[u] = i / n + (k == 1 || k == 2);
                place[v] = i % n + (k >= 2);
                corner[k] = cube_vertex(&m, n, place, number);
            }
            put(*t++, corner[0], corner[top ? 1 : 2], corner[top ? 2 : 1]);
            put(*t++, corner[0], corner[top ? 2 : 3], corner[top ? 3 : 2]);
        }
    }
    free(number);
    find_edges(&m);
    return m;
}

static vec on_sphere(vec a) {
    double l = length(a);
    return (vec){a.x / l, a.y / l, a.z / l};
}

/* The number of an edge in a mesh whose edges are sorted. */
static size_t edge_number(const mesh *m, uint32_t a, uint32_t b) {
    uint32_t key[2] = {a < b ? a : b, a < b ? b : a};
    const uint32_t(*at)[2] = bsearch(key, m->edge, m->edges, sizeof *m->edge, compare_edges);
    return (size_t)(at - (const uint32_t(*)[2])m->edge);
}

/* Every triangle cut into four, with the middles of the edges on the sphere. */
static mesh refine(const mesh *m) {
    mesh fine = allocate(m->vertices + m->edges, 4 * m->triangles);
    memcpy(fine.x, m->x, m->vertices * sizeof *m->x);
    for (size_t e = 0; e < m->edges; e++) {
        vec a = m->x[m->edge[e][0]], b = m->x[m->edge[e][1]];
        fine.x[m->vertices + e] = on_sphere((vec){a.x + b.x, a.y + b.y, a.z + b.z});
    }
    for (size_t t = 0; t < m->triangles; t++) {
        const uint32_t *v = m->triangle[t];
        int middle[3];
        for (int k = 0; k < 3; k++)
            middle[k] = (int)(m->vertices + edge_number(m, v[k], v[(k + 1) % 3]));
        for (int k = 0; k < 3; k++)
            put(fine.triangle[4 * t + (size_t)k], (int)v[k], middle[k], middle[(k + 2) % 3]);
        put(fine.triangle[4 * t + 3], middle[0], middle[1], middle[2]);
    }
    find_edges(&fine);
    return fine;
}

mesh mesh_sphere(int levels) {
    static const uint32_t faces[20][3] = {
        {0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
        {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
        {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
    const double g = 0.5 * (1 + sqrt(5));
    vec x[12] = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                 {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
    for (int i = 0; i < 12; i++) x[i] = on_sphere(x[i]);
    mesh m = mesh_of(x, 12, faces[0], 20);
    for (int i = 0; i < levels; i++) {
        mesh fine = refine(&m);
        mesh_free(&m);
        m = fine;
    }
    return m;
}

mesh mesh_torus(double radius, double tube, int around, int across) {
    mesh m = allocate((size_t)(around * across), (size_t)(2 * around * across));
    uint32_t(*t)[3] = m.triangle;
    for (int i = 0; i < around; i++) {
        for (int j = 0; j < across; j++) {
            double u = 2 * PI * i / around, v = 2 * PI * j / across, r = radius + tube * cos(v);
            int a = i * across + j, right = (i + 1) % around * across + j;
            int up = i * across + (j + 1) % across, far = (i + 1) % around * across + up % across;
            m.x[a] = (vec){r * cos(u), r * sin(u), tube * sin(v)};
            put(*t++, a, right, far);
            put(*t++, a, far, up);
        }
    }
    find_edges(&m);
    return m;
}

/* ---- Looking ---- */

void mesh_place(mesh *m, double factor, vec shift) {
    for (size_t i = 0; i < m->vertices; i++)
        m->x[i] = (vec){factor * m->x[i].x + shift.x, factor * m->x[i].y + shift.y,
                        factor * m->x[i].z + shift.z};
}

static vec cross(vec a, vec b) {
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

double mesh_area(const mesh *m) {
    double sum = 0;
    for (size_t t = 0; t < m->triangles; t++) {
        const uint32_t *v = m->triangle[t];
        sum += length(cross(sub(m->x[v[1]], m->x[v[0]]), sub(m->x[v[2]], m->x[v[0]]))) / 2;
    }
    return sum;
}

/* About the first vertex, so that a mesh far away loses nothing. */
double mesh_volume(const mesh *m) {
    vec o = m->x[0];
    double sum = 0;
    for (size_t t = 0; t < m->triangles; t++) {
        const uint32_t *v = m->triangle[t];
        vec a = sub(m->x[v[0]], o), n = cross(sub(m->x[v[1]], o), sub(m->x[v[2]], o));
        sum += (a.x * n.x + a.y * n.y + a.z * n.z) / 6;
    }
    return sum;
}

/* ---- In a world ---- */

void mesh_add_nodes(sn_world *world, const mesh *m, double mass, sn_node *nodes) {
    for (size_t i = 0; i < m->vertices; i++) nodes[i] = add_node(world, m->x[i], mass);
}

void mesh_add_links(sn_world *world, const mesh *m, const sn_node *nodes, double compliance,
                    sn_constraint *links) {
    for (size_t i = 0; i < m->edges; i++) {
        sn_constraint made = add_link(world, nodes[m->edge[i][0]], nodes[m->edge[i][1]],
                                      (double)SN_AUTO, compliance);
        if (links) links[i] = made;
    }
}

void mesh_read(mesh *m, const sn_world *world, const sn_node *nodes) {
    for (size_t i = 0; i < m->vertices; i++) m->x[i] = position_of(world, nodes[i]);
}
