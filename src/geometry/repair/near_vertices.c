#include "geometry/repair/near_vertices.h"

#include "base/hash.h"
#include "geometry/bounds.h"

#include <math.h>

typedef struct cell {
    double x, y, z;
} cell;

typedef struct table {
    uint32_t *head; /* per bucket: 1 + the last vertex put there */
    uint32_t *next; /* per vertex: 1 + the one before it */
    uint64_t mask;  /* of buckets */
} table;

/* The cell of a coordinate. A double counts cells without a limit; where they are smaller than the
   distance of neighbouring numbers, only equal ones meet, which is right there. */
static double cell_of(double x, double size) {
    if (!(size > 0)) return x + 0.0;
    double at = floor(x / size);
    return isfinite(at) ? at : x;
}

static uint64_t bucket_of(const table *in, cell at) {
    uint64_t hash = sn_hash_double(1, at.x + 0.0);
    hash = sn_hash_double(hash, at.y + 0.0);
    return sn_hash_double(hash, at.z + 0.0) & in->mask;
}

typedef struct search {
    const sn_mesh *mesh;
    table table;
    double reach;  /* the distance, and a little more against rounding */
    double square; /* of the distance */
    double size;   /* of cells: large enough that one or two along each axis are within reach */
} search;

/* Looks in one cell for something nearer than `best`. */
static void look_in(const search *s, cell at, sn_point x, double *best, uint32_t *found) {
    for (uint32_t i = s->table.head[bucket_of(&s->table, at)]; i > 0; i = s->table.next[i - 1]) {
        sn_point d = sn_point_sub(sn_mesh_point(s->mesh, i - 1), x);
        double square = sn_point_dot(d, d);
        if (square > s->square) continue;
        if (square < *best || (square == *best && i - 1 < *found)) {
            *best = square;
            *found = i - 1;
        }
    }
}

/* The lowest and the highest cell within reach along an axis. */
static int cells_about(const search *s, double x, double cells[2]) {
    cells[0] = cell_of(x - s->reach, s->size);
    cells[1] = cell_of(x + s->reach, s->size);
    return cells[0] == cells[1] ? 1 : 2;
}

static uint32_t nearest(const search *s, uint32_t vertex, sn_point x) {
    double best = INFINITY, cx[2], cy[2], cz[2];
    uint32_t found = vertex;
    int nx = cells_about(s, x.x, cx), ny = cells_about(s, x.y, cy), nz = cells_about(s, x.z, cz);
    for (int i = 0; i < nx; i++)
        for (int j = 0; j < ny; j++)
            for (int k = 0; k < nz; k++) look_in(s, (cell){cx[i], cy[j], cz[k]}, x, &best, &found);
    return found;
}

sn_result sn_near_find(const sn_mesh *mesh, sn_memory *memory, double distance, uint32_t *stays) {
    size_t buckets = 16;
    while (buckets < mesh->vertex_count) buckets *= 2;
    search s = {mesh, {.mask = buckets - 1}, distance * 1.001, distance * distance, distance * 4};
    s.table.head = sn_allocate(memory, buckets, sizeof *s.table.head);
    s.table.next = sn_allocate(memory, mesh->vertex_count, sizeof *s.table.next);
    sn_result result = s.table.head && s.table.next ? SN_OK : SN_ERROR_MEMORY;
    for (uint32_t i = 0; result == SN_OK && i < mesh->vertex_count; i++) {
        sn_point x = sn_mesh_point(mesh, i);
        stays[i] = i;
        if (!isfinite(x.x) || !isfinite(x.y) || !isfinite(x.z)) continue;
        stays[i] = nearest(&s, i, x);
        if (stays[i] != i) continue;
        cell at = {cell_of(x.x, s.size), cell_of(x.y, s.size), cell_of(x.z, s.size)};
        uint32_t *head = &s.table.head[bucket_of(&s.table, at)];
        s.table.next[i] = *head;
        *head = i + 1;
    }
    sn_free(memory, s.table.head, buckets, sizeof *s.table.head);
    sn_free(memory, s.table.next, mesh->vertex_count, sizeof *s.table.next);
    return result;
}

/* ---- The automatic distance ---- */

/* The square of the shortest side of elements of one kind that has a length. */
static double shortest_square(const sn_mesh *mesh, const uint32_t *v, size_t count, int corners,
                              double shortest) {
    for (size_t i = 0; i < count; i++, v += corners)
        for (int a = 0; a < corners; a++)
            for (int b = 0; b < a; b++) {
                if (v[a] >= mesh->vertex_count || v[b] >= mesh->vertex_count) continue;
                sn_point d = sn_point_sub(sn_mesh_point(mesh, v[a]), sn_mesh_point(mesh, v[b]));
                double square = sn_point_dot(d, d);
                if (square > 0 && square < shortest) shortest = square;
            }
    return shortest;
}

double sn_near_distance(const sn_mesh *mesh) {
    sn_bounds bounds = sn_bounds_empty();
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        sn_point x = sn_mesh_point(mesh, i);
        if (!isfinite(x.x) || !isfinite(x.y) || !isfinite(x.z)) continue;
        sn_bounds_add(&bounds, x);
    }
    if (!(bounds.low.x <= bounds.high.x)) return 0;
    double square = INFINITY;
    square =
        shortest_square(mesh, (const uint32_t *)mesh->triangles, mesh->triangle_count, 3, square);
    square = shortest_square(mesh, (const uint32_t *)mesh->tets, mesh->tet_count, 4, square);
    square = shortest_square(mesh, (const uint32_t *)mesh->lines, mesh->line_count, 2, square);
    double distance = 1e-5 * sn_bounds_diagonal(bounds), edge = 0.1 * sqrt(square);
    if (!isfinite(distance)) return 0;
    return edge < distance ? edge : distance;
}
