/*
 * Surfaces as graphics hardware wants them: a vertex has one normal, so it comes apart along hard
 * edges. Which corners of triangles stay together is found once for a topology; positions then go
 * along from frame to frame, and normals are sums over triangles. Shapes without hard edges are
 * drawn from the arrays that they have.
 */
#include "view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void view_surface_free(view_surface *s) {
    free(s->origin);
    free(s->triangles);
    free(s->positions);
    free(s->colours);
    free(s->uvs);
    free(s->velocities);
    free(s->normals);
    free(s->strain);
    *s = (view_surface){0};
}

/* ---- Which corners stay together ---- */

/* An edge of a triangle: its vertices, the lower first, and the triangle with the edge's number. */
typedef struct side {
    uint32_t low, high, corner;
} side;

static int compare_sides(const void *left, const void *right) {
    const side *a = left, *b = right;
    if (a->low != b->low) return a->low < b->low ? -1 : 1;
    if (a->high != b->high) return a->high < b->high ? -1 : 1;
    return (a->corner > b->corner) - (a->corner < b->corner);
}

static uint32_t root_of(uint32_t *parent, uint32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

static void join(uint32_t *parent, uint32_t a, uint32_t b) {
    a = root_of(parent, a);
    b = root_of(parent, b);
    parent[a < b ? b : a] = a < b ? a : b;
}

/* The corner of a triangle that a vertex is. */
static uint32_t corner_of(const uint32_t (*triangles)[3], uint32_t triangle, uint32_t vertex) {
    const uint32_t *t = triangles[triangle];
    return 3 * triangle + (t[0] == vertex ? 0 : t[1] == vertex ? 1 : 2);
}

static int compare_creases(const void *left, const void *right) {
    return memcmp(left, right, 2 * sizeof(uint32_t));
}

/* Hard edges in an order to search in, the lower vertex first. */
static uint32_t (*sort_creases(const sn_io_shape *shape))[2] {
    uint32_t(*sorted)[2] = malloc((shape->crease_count + 1) * sizeof *sorted);
    if (!sorted) return NULL;
    for (size_t i = 0; i < shape->crease_count; i++) {
        const uint32_t *c = shape->creases[i];
        sorted[i][0] = c[0] < c[1] ? c[0] : c[1];
        sorted[i][1] = c[0] < c[1] ? c[1] : c[0];
    }
    qsort(sorted, shape->crease_count, sizeof *sorted, compare_creases);
    return sorted;
}

/* Joins the corners of triangles that meet along an edge which is not hard. */
static bool join_corners(const sn_io_shape *shape, uint32_t *parent) {
    size_t count = 3 * shape->triangle_count;
    side *sides = malloc((count + 1) * sizeof *sides);
    uint32_t(*creases)[2] = sort_creases(shape);
    bool made = sides && creases;
    for (size_t i = 0; made && i < count; i++) {
        uint32_t a = shape->triangles[i / 3][i % 3], b = shape->triangles[i / 3][(i + 1) % 3];
        sides[i] = (side){a < b ? a : b, a < b ? b : a, (uint32_t)i};
    }
    if (made) qsort(sides, count, sizeof *sides, compare_sides);
    for (size_t i = 1; made && i < count; i++) {
        if (sides[i].low != sides[i - 1].low || sides[i].high != sides[i - 1].high) continue;
        uint32_t key[2] = {sides[i].low, sides[i].high};
        if (bsearch(key, creases, shape->crease_count, sizeof *creases, compare_creases)) continue;
        uint32_t t = sides[i].corner / 3, u = sides[i - 1].corner / 3;
        for (int k = 0; k < 2; k++)
            join(parent, corner_of(shape->triangles, t, key[k]),
                 corner_of(shape->triangles, u, key[k]));
    }
    free(sides);
    free(creases);
    return made;
}

/* A vertex for each group of corners. Vertices that no triangle has are not drawn. */
static bool number_vertices(view_surface *s, const sn_io_shape *shape, uint32_t *parent) {
    size_t corners = 3 * shape->triangle_count;
    uint32_t *number = malloc((corners + 1) * sizeof *number);
    if (!number) return false;
    s->count = 0;
    for (size_t i = 0; i < corners; i++) {
        uint32_t root = root_of(parent, (uint32_t)i);
        if (root == i) {
            number[i] = (uint32_t)s->count;
            s->origin[s->count++] = shape->triangles[i / 3][i % 3];
        }
        s->triangles[i / 3][i % 3] = number[root];
    }
    free(number);
    return true;
}

static bool split(view_surface *s, const sn_io_shape *shape) {
    size_t corners = 3 * shape->triangle_count;
    uint32_t *parent = malloc((corners + 1) * sizeof *parent);
    s->origin = malloc((corners + 1) * sizeof *s->origin);
    s->triangles = malloc((shape->triangle_count + 1) * sizeof *s->triangles);
    bool made = parent && s->origin && s->triangles;
    for (size_t i = 0; made && i < corners; i++) parent[i] = (uint32_t)i;
    made = made && join_corners(shape, parent) && number_vertices(s, shape, parent);
    free(parent);
    if (!made) return false;
    s->positions = malloc((s->count + 1) * sizeof *s->positions);
    s->velocities = malloc((s->count + 1) * sizeof *s->velocities);
    s->strain = malloc((s->count + 1) * sizeof *s->strain);
    s->colours = malloc((s->count + 1) * sizeof *s->colours);
    s->uvs = malloc((s->count + 1) * sizeof *s->uvs);
    if (!s->positions || !s->velocities || !s->strain || !s->colours || !s->uvs) return false;
    for (size_t i = 0; shape->colours && i < s->count; i++)
        s->colours[i] = shape->colours[s->origin[i]];
    for (size_t i = 0; shape->uvs && i < s->count; i++)
        memcpy(s->uvs[i], shape->uvs[s->origin[i]], sizeof s->uvs[i]);
    return true;
}

static sn_result make(view_surface *s, const sn_io_shape *shape) {
    view_surface_free(s);
    s->topology = shape->topology;
    s->vertex_count = s->count = shape->vertex_count;
    s->triangle_count = shape->triangle_count;
    s->split = shape->triangle_count > 0 && shape->crease_count > 0 && !shape->normals;
    if (s->split && !split(s, shape)) return SN_ERROR_MEMORY;
    s->normals = malloc((s->count + 1) * sizeof *s->normals);
    return s->normals ? SN_OK : SN_ERROR_MEMORY;
}

/* ---- From frame to frame ---- */

static void gather(view_surface *s, const sn_io_shape *shape) {
    for (size_t i = 0; i < s->count; i++) s->positions[i] = shape->positions[s->origin[i]];
    for (size_t i = 0; shape->velocities && i < s->count; i++)
        s->velocities[i] = shape->velocities[s->origin[i]];
    for (size_t i = 0; shape->strain && i < s->count; i++)
        s->strain[i] = shape->strain[s->origin[i]];
}

static void add(sn_vec3 *sum, float x, float y, float z) {
    sum->x += x;
    sum->y += y;
    sum->z += z;
}

/* Sums over the triangles, each as long as its triangle is large; the page makes them unit. */
static void sum_normals(sn_vec3 *normals, size_t count, const sn_vec3 *x,
                        const uint32_t (*triangles)[3], size_t triangle_count) {
    memset(normals, 0, count * sizeof *normals);
    for (size_t i = 0; i < triangle_count; i++) {
        const uint32_t *t = triangles[i];
        sn_vec3 a = x[t[0]], b = x[t[1]], c = x[t[2]];
        float ux = b.x - a.x, uy = b.y - a.y, uz = b.z - a.z;
        float vx = c.x - a.x, vy = c.y - a.y, vz = c.z - a.z;
        float nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
        for (int k = 0; k < 3; k++) add(&normals[t[k]], nx, ny, nz);
    }
    for (size_t i = 0; i < count; i++) {
        sn_vec3 n = normals[i];
        float length = sqrtf(n.x * n.x + n.y * n.y + n.z * n.z);
        normals[i] =
            length > 0 ? (sn_vec3){n.x / length, n.y / length, n.z / length} : (sn_vec3){0, 1, 0};
    }
}

sn_result view_surface_update(view_surface *s, const sn_io_shape *shape) {
    if (!s->normals || s->topology != shape->topology || s->vertex_count != shape->vertex_count ||
        s->triangle_count != shape->triangle_count)
        SN_TRY(make(s, shape));
    if (s->split) gather(s, shape);
    if (shape->triangle_count > 0 && !shape->normals)
        sum_normals(s->normals, s->count, s->split ? s->positions : shape->positions,
                    s->split ? (const uint32_t(*)[3])s->triangles : shape->triangles,
                    shape->triangle_count);
    return SN_OK;
}
