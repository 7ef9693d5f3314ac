#include "geometry/repair/sliver_triangles.h"

#include "base/error.h"
#include "geometry/repair/element_flaws.h"
#include "geometry/topology/triangle_edges.h"

#include <string.h>

/* One flip can make room for the next; rubbish must end. */
enum { ROUNDS = 8 };

typedef struct work {
    const sn_mesh *mesh;
    uint32_t (*triangles)[3];
    size_t count;
    sn_edges edges;
    uint8_t *gone;  /* per triangle */
    uint8_t *fresh; /* per triangle: changed in this round, so that `edges` is wrong about it */
    uint8_t *met;   /* per vertex: got an edge in this round */
    size_t removed, flipped;
} work;

static bool is_flat(const work *w, const uint32_t v[3]) {
    return sn_triangle_is_flat(sn_mesh_point(w->mesh, v[0]), sn_mesh_point(w->mesh, v[1]),
                               sn_mesh_point(w->mesh, v[2]));
}

/* The first side of an edge in the list; where it would be if it is not there. */
static size_t find_edge(const sn_edges *edges, uint32_t a, uint32_t b) {
    uint64_t key = (uint64_t)(a < b ? a : b) << 32 | (a < b ? b : a);
    size_t low = 0, high = edges->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const uint32_t *at = edges->sides[middle].key;
        if (((uint64_t)at[0] << 32 | at[1]) < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* How many triangles have this edge. */
static size_t edge_size(const sn_edges *edges, uint32_t a, uint32_t b) {
    size_t first = find_edge(edges, a, b);
    uint32_t low = a < b ? a : b, high = a < b ? b : a;
    if (first == edges->count || edges->sides[first].key[0] != low ||
        edges->sides[first].key[1] != high)
        return 0;
    return sn_edges_end(edges, first) - first;
}

static uint32_t longest_side(const work *w, uint32_t t) {
    double longest = -1;
    uint32_t side = 3 * t;
    for (uint32_t k = 0; k < 3; k++) {
        sn_point d = sn_point_sub(sn_mesh_point(w->mesh, w->triangles[t][(k + 1) % 3]),
                                  sn_mesh_point(w->mesh, w->triangles[t][k]));
        double square = sn_point_dot(d, d);
        if (square > longest) longest = square, side = 3 * t + k;
    }
    return side;
}

/* Flips the edge a b between the triangles a b c (without area) and b a d: it becomes c d. */
static bool flip(work *w, uint32_t side, uint32_t other) {
    uint32_t t = side / 3, u = other / 3;
    uint32_t a = w->triangles[t][side % 3], b = w->triangles[t][(side + 1) % 3];
    uint32_t c = w->triangles[t][(side + 2) % 3];
    /* The corner of the neighbour that is opposite to the edge, and the other two by their
       sides. */
    uint32_t from = w->triangles[u][other % 3], d = w->triangles[u][(other + 2) % 3];
    if (w->fresh[u] || w->gone[u] || from != b || w->met[c] || w->met[d] || c == d) return false;
    if (edge_size(&w->edges, c, d) > 0) return false;
    uint32_t one[3] = {a, d, c}, two[3] = {d, b, c};
    int before = 1 + is_flat(w, w->triangles[u]), after = is_flat(w, one) + is_flat(w, two);
    if (after >= before) return false;
    memcpy(w->triangles[t], one, sizeof one);
    memcpy(w->triangles[u], two, sizeof two);
    w->fresh[t] = w->fresh[u] = w->met[c] = w->met[d] = 1;
    return true;
}

/* Tries to get rid of one triangle without area; whether anything changed. */
static bool mend(work *w, uint32_t t) {
    uint32_t side = longest_side(w, t);
    uint32_t a = w->triangles[t][side % 3], b = w->triangles[t][(side + 1) % 3];
    size_t first = find_edge(&w->edges, a, b), size = edge_size(&w->edges, a, b);
    if (size == 1) {
        w->gone[t] = 1;
        w->removed++;
        return true;
    }
    if (size != 2) return false;
    uint32_t one = w->edges.sides[first].value, two = w->edges.sides[first + 1].value;
    if (!flip(w, side, one == side ? two : one)) return false;
    w->flipped++;
    return true;
}

static sn_result mend_all(work *w, sn_memory *memory, bool *changed) {
    *changed = false;
    bool any = false;
    for (size_t t = 0; t < w->count && !any; t++) any = !w->gone[t] && is_flat(w, w->triangles[t]);
    if (!any) return SN_OK;
    SN_TRY(
        sn_edges_create(&w->edges, memory, (const uint32_t(*)[3])w->triangles, w->count, w->gone));
    memset(w->fresh, 0, w->count);
    memset(w->met, 0, w->mesh->vertex_count);
    for (uint32_t t = 0; t < w->count; t++)
        if (!w->gone[t] && !w->fresh[t] && is_flat(w, w->triangles[t])) *changed |= mend(w, t);
    sn_edges_free(&w->edges, memory);
    return SN_OK;
}

sn_result sn_slivers_remove(const sn_mesh *mesh, sn_memory *memory, uint32_t (*triangles)[3],
                            size_t *count, size_t *removed, size_t *flipped) {
    work w = {.mesh = mesh, .triangles = triangles, .count = *count};
    w.gone = sn_allocate(memory, w.count, sizeof *w.gone);
    w.fresh = sn_allocate(memory, w.count, sizeof *w.fresh);
    w.met = sn_allocate(memory, mesh->vertex_count, sizeof *w.met);
    sn_result result = w.gone && w.fresh && w.met ? SN_OK : SN_ERROR_MEMORY;
    bool changed = result == SN_OK && w.count > 0;
    for (int round = 0; round < ROUNDS && changed && result == SN_OK; round++)
        result = mend_all(&w, memory, &changed);
    size_t kept = 0;
    for (size_t t = 0; result == SN_OK && t < w.count; t++)
        if (!w.gone[t]) memmove(triangles[kept++], triangles[t], sizeof *triangles);
    if (result == SN_OK) {
        *count = kept;
        *removed += w.removed;
        *flipped += w.flipped;
    }
    sn_free(memory, w.gone, w.count, sizeof *w.gone);
    sn_free(memory, w.fresh, w.count, sizeof *w.fresh);
    sn_free(memory, w.met, mesh->vertex_count, sizeof *w.met);
    return result;
}
