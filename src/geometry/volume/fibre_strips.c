/*
 * A strip begins with the first edge that is in none, and goes on at both of its ends: with the
 * edge that lies most nearly ahead, if no strip has it, it does not lead back to the strip, and the
 * cosine between both is above 0.8. It has four edges at most: walks along longer ones move nodes
 * by more than what is beside them, and where they cross cloth crumples
 * (docs/methods/fibre-clusters.md).
 */
#include "geometry/volume/fibre_strips.h"

#include "geometry/mesh_access.h"

static const double least_cosine = 0.8;
enum { MOST = 5 }; /* vertices */

typedef struct work {
    const sn_mesh *mesh;
    uint32_t (*edge)[2];
    uint8_t *used;   /* per edge */
    uint32_t *stamp; /* per vertex: 1 + the edge that its last strip began with */
    size_t *first;   /* per vertex, where its edges begin in `of` */
    uint32_t *of;
    uint32_t *strip; /* backwards from the middle, and forwards */
    size_t edges, vertices;
} work;

static bool reserve(work *w, sn_memory *memory, const sn_edges *edges) {
    w->vertices = w->mesh->vertex_count;
    for (size_t k = 0; k < edges->count; k = sn_edges_end(edges, k)) w->edges++;
    w->edge = sn_allocate(memory, w->edges, sizeof *w->edge);
    w->used = sn_allocate(memory, w->edges, sizeof *w->used);
    w->stamp = sn_allocate(memory, w->vertices, sizeof *w->stamp);
    w->first = sn_allocate(memory, w->vertices + 1, sizeof *w->first);
    w->of = sn_allocate(memory, 2 * w->edges, sizeof *w->of);
    w->strip = sn_allocate(memory, 2 * w->vertices, sizeof *w->strip);
    return w->edge && w->used && w->stamp && w->first && w->of && w->strip;
}

static void release(work *w, sn_memory *memory) {
    sn_free(memory, w->strip, 2 * w->vertices, sizeof *w->strip);
    sn_free(memory, w->of, 2 * w->edges, sizeof *w->of);
    sn_free(memory, w->first, w->vertices + 1, sizeof *w->first);
    sn_free(memory, w->stamp, w->vertices, sizeof *w->stamp);
    sn_free(memory, w->used, w->edges, sizeof *w->used);
    sn_free(memory, w->edge, w->edges, sizeof *w->edge);
}

/* The edges, and those of every vertex in rising order. */
static void list_edges(work *w, const sn_edges *edges) {
    size_t count = 0;
    for (size_t k = 0; k < edges->count; k = sn_edges_end(edges, k), count++)
        for (int i = 0; i < 2; i++) {
            w->edge[count][i] = edges->sides[k].key[i];
            w->first[w->edge[count][i] + 1]++;
        }
    for (size_t v = 0; v < w->vertices; v++) w->first[v + 1] += w->first[v];
    for (size_t e = w->edges; e-- > 0;)
        for (int i = 0; i < 2; i++) w->of[--w->first[w->edge[e][i] + 1]] = (uint32_t)e;
    /* Every end has become the beginning of the same vertex. */
    for (size_t v = 0; v < w->vertices; v++) w->first[v] = w->first[v + 1];
    w->first[w->vertices] = 2 * w->edges;
}

/* The vertex after b, coming from a; UINT32_MAX where the strip ends. */
static uint32_t go_on(work *w, uint32_t a, uint32_t b, uint32_t strip) {
    sn_point at = sn_mesh_point(w->mesh, b), along = sn_point_sub(at, sn_mesh_point(w->mesh, a));
    double best = least_cosine;
    uint32_t found = UINT32_MAX, next = UINT32_MAX;
    for (size_t k = w->first[b]; k < w->first[b + 1]; k++) {
        const uint32_t *e = w->edge[w->of[k]];
        uint32_t other = e[0] == b ? e[1] : e[0];
        if (w->used[w->of[k]] || w->stamp[other] == strip) continue;
        sn_point ahead = sn_point_sub(sn_mesh_point(w->mesh, other), at);
        double size = sn_point_length(ahead) * sn_point_length(along);
        double cosine = size > 0 ? sn_point_dot(ahead, along) / size : 0;
        if (!(cosine > best)) continue;
        best = cosine;
        found = w->of[k];
        next = other;
    }
    if (found != UINT32_MAX) w->used[found] = 1;
    return next;
}

static sn_result add_strip(work *w, uint32_t edge, sn_take_strip *take, void *context) {
    uint32_t a = w->edge[edge][0], b = w->edge[edge][1], strip = edge + 1;
    size_t low = w->vertices, high = w->vertices;
    w->used[edge] = 1;
    w->stamp[a] = w->stamp[b] = strip;
    w->strip[--low] = a;
    w->strip[high++] = b;
    for (uint32_t from = a, at = b, next;
         high - low < MOST && (next = go_on(w, from, at, strip)) != UINT32_MAX;) {
        w->stamp[next] = strip;
        w->strip[high++] = next;
        from = at;
        at = next;
    }
    for (uint32_t from = b, at = a, next;
         high - low < MOST && (next = go_on(w, from, at, strip)) != UINT32_MAX;) {
        w->stamp[next] = strip;
        w->strip[--low] = next;
        from = at;
        at = next;
    }
    return take(context, w->strip + low, high - low);
}

sn_result sn_fibre_strips(const sn_mesh *mesh, const sn_edges *edges, sn_memory *memory,
                          sn_take_strip *take, void *context) {
    work w = {.mesh = mesh};
    sn_result result = reserve(&w, memory, edges) ? SN_OK : SN_ERROR_MEMORY;
    if (result == SN_OK) list_edges(&w, edges);
    for (uint32_t e = 0; e < w.edges && result == SN_OK; e++)
        if (!w.used[e]) result = add_strip(&w, e, take, context);
    release(&w, memory);
    return result;
}
