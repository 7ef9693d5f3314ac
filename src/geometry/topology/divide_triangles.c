#include "geometry/topology/divide_triangles.h"

#include "base/error.h"
#include "geometry/topology/triangle_edges.h"

/* What numbers the vertices. */
typedef struct numbering {
    const uint32_t (*triangles)[3];
    uint32_t n;           /* parts of a side */
    const uint32_t *edge; /* of each side, the first vertex on it */
    uint32_t inside;      /* the first vertex inside of the triangle */
} numbering;

void sn_divided_free(sn_divided *divided, sn_memory *memory) {
    sn_free(memory, divided->triangle, divided->triangles, sizeof *divided->triangle);
    sn_free(memory, divided->carrier, divided->vertices, sizeof *divided->carrier);
    sn_free(memory, divided->share, divided->vertices, sizeof *divided->share);
    *divided = (sn_divided){0};
}

/* The vertex that is `part` parts behind the beginning of a side. */
static uint32_t on_side(const numbering *by, uint32_t side, uint32_t part) {
    uint32_t along = sn_side_rises(by->triangles, side) ? part : by->n - part;
    return by->edge[side] + along - 1;
}

/* The vertex i parts towards corner 1 and j towards corner 2 of a triangle. */
static uint32_t vertex_at(const numbering *by, uint32_t t, uint32_t i, uint32_t j) {
    uint32_t n = by->n;
    const uint32_t *corner = by->triangles[t];
    if (i == 0 && j == 0) return corner[0];
    if (i == n) return corner[1];
    if (j == n) return corner[2];
    if (j == 0) return on_side(by, 3 * t, i);
    if (i + j == n) return on_side(by, 3 * t + 1, j);
    if (i == 0) return on_side(by, 3 * t + 2, n - j);
    /* Row j has n - 1 - j of them. */
    return by->inside + (j - 1) * (n - 1) - j * (j - 1) / 2 + i - 1;
}

static void divide_one(const numbering *by, uint32_t t, sn_divided *d) {
    uint32_t n = by->n, (*made)[3] = d->triangle + (size_t)n * n * t;
    for (uint32_t j = 0; j <= n; j++)
        for (uint32_t i = 0; i + j <= n; i++) {
            uint32_t v = vertex_at(by, t, i, j);
            if (d->carrier[v] != SN_DIVIDED_NONE) continue;
            d->carrier[v] = t;
            d->share[v][0] = (sn_real)(n - i - j) / (sn_real)n;
            d->share[v][1] = (sn_real)i / (sn_real)n;
            d->share[v][2] = (sn_real)j / (sn_real)n;
        }
    for (uint32_t j = 0; j < n; j++)
        for (uint32_t i = 0; i + j < n; i++) {
            uint32_t right = vertex_at(by, t, i + 1, j), up = vertex_at(by, t, i, j + 1);
            uint32_t *lower = *made++;
            lower[0] = vertex_at(by, t, i, j);
            lower[1] = right;
            lower[2] = up;
            if (i + j + 1 == n) continue;
            uint32_t *upper = *made++;
            upper[0] = right;
            upper[1] = vertex_at(by, t, i + 1, j + 1);
            upper[2] = up;
        }
}

/* Numbers what lies on edges; how many edges there are. */
static size_t number_edges(const sn_edges *edges, size_t vertices, uint32_t n, uint32_t *edge) {
    size_t count = 0;
    for (size_t first = 0; first < edges->count; count++) {
        size_t end = sn_edges_end(edges, first);
        for (size_t k = first; k < end; k++)
            edge[edges->sides[k].value] = (uint32_t)(vertices + count * (n - 1));
        first = end;
    }
    return count;
}

static sn_result divide_all(sn_divided *d, sn_memory *memory, const uint32_t (*triangles)[3],
                            size_t triangle_count, size_t vertices, uint32_t n,
                            const sn_edges *edges, uint32_t *edge) {
    size_t inner = (size_t)(n - 1) * (n - 2) / 2;
    size_t first = vertices + number_edges(edges, vertices, n, edge) * (n - 1);
    sn_divided made = {.vertices = first + inner * triangle_count,
                       .triangles = (size_t)n * n * triangle_count};
    made.triangle = sn_allocate(memory, made.triangles, sizeof *made.triangle);
    made.carrier = sn_allocate(memory, made.vertices, sizeof *made.carrier);
    made.share = sn_allocate(memory, made.vertices, sizeof *made.share);
    if (!made.triangle || !made.carrier || !made.share) {
        sn_divided_free(&made, memory);
        return SN_ERROR_MEMORY;
    }
    for (size_t v = 0; v < made.vertices; v++) made.carrier[v] = SN_DIVIDED_NONE;
    for (size_t t = 0; t < triangle_count; t++) {
        numbering by = {triangles, n, edge, (uint32_t)(first + inner * t)};
        divide_one(&by, (uint32_t)t, &made);
    }
    *d = made;
    return SN_OK;
}

sn_result sn_divided_create(sn_divided *divided, sn_memory *memory, const uint32_t (*triangles)[3],
                            size_t triangle_count, size_t vertices, uint32_t divisions) {
    /* A triangle has at most as many as it would have by itself. */
    size_t each = (size_t)(divisions + 1) * (divisions + 2) / 2;
    if (triangle_count > (SN_DIVIDED_VERTICES_MOST - vertices) / each)
        return sn_fail(SN_ERROR_LIMIT,
                       "%zu triangles whose sides are divided by %u have too many vertices, "
                       "expected at most 2^30",
                       triangle_count, divisions);
    sn_edges edges;
    SN_TRY(sn_edges_create(&edges, memory, triangles, triangle_count, NULL));
    uint32_t *edge = sn_allocate(memory, 3 * triangle_count, sizeof *edge);
    sn_result result = edge ? divide_all(divided, memory, triangles, triangle_count, vertices,
                                         divisions, &edges, edge)
                            : SN_ERROR_MEMORY;
    sn_free(memory, edge, 3 * triangle_count, sizeof *edge);
    sn_edges_free(&edges, memory);
    return result;
}
