#include "scene_split.h"

#include "base/error.h"
#include "mesh/point.h"
#include "mesh/sort.h"

#include <string.h>

static const uint32_t NONE = UINT32_MAX;
static const unsigned char faces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
/* How many tets further than before the way between two may be, so that they still belong together;
   and the most steps that are looked at. */
enum { DETOUR = 3, FARTHEST = 24 };

/* ---- Neighbours ---- */

static sn_result find_beyond(const uint32_t (*tets)[4], size_t count, uint32_t (*beyond)[4]) {
    sn_memory memory = {.allocator = sn_allocator_default()};
    size_t total = 4 * count;
    sn_record *records = sn_allocate(&memory, total + 1, sizeof *records);
    sn_record *spare = sn_allocate(&memory, total + 1, sizeof *spare);
    sn_result result = records && spare ? SN_OK : SN_ERROR_MEMORY;
    for (size_t f = 0; result == SN_OK && f < total; f++) {
        for (int k = 0; k < 3; k++) records[f].key[k] = tets[f / 4][faces[f % 4][k]];
        sn_sort_three(records[f].key);
        records[f].value = (uint32_t)f;
        beyond[f / 4][f % 4] = NONE;
    }
    if (result == SN_OK) {
        sn_records_sort(records, spare, total, 3);
        for (size_t i = 0, end; i < total; i = end) {
            end = sn_records_run(records, i, total, 3);
            if (end != i + 2) continue;
            uint32_t a = records[i].value, b = records[i + 1].value;
            beyond[a / 4][a % 4] = b / 4;
            beyond[b / 4][b % 4] = a / 4;
        }
    }
    sn_free(&memory, records, total + 1, sizeof *records);
    sn_free(&memory, spare, total + 1, sizeof *spare);
    return result;
}

/* Walks from a tet to all that are no more than `most` steps away, or until one is reached; how
   many were visited, in order. Their depths are left in `depth`, until they are cleared. */
static size_t walk(const scene_split *p, uint32_t (*beyond)[4], uint32_t from, uint32_t to,
                   uint32_t most) {
    size_t count = 1;
    p->queue[0] = from;
    p->depth[from] = 1;
    for (size_t i = 0; i < count && p->depth[to] == 0; i++) {
        uint32_t tet = p->queue[i];
        for (int k = 0; k < 4 && p->depth[tet] <= most; k++) {
            uint32_t next = beyond[tet][k];
            if (next == NONE || p->depth[next]) continue;
            p->depth[next] = p->depth[tet] + 1;
            p->queue[count++] = next;
        }
    }
    return count;
}

static void clear(const scene_split *p, size_t count) {
    for (size_t i = 0; i < count; i++) p->depth[p->queue[i]] = 0;
}

/* Steps from one tet to another; NONE where it is farther than `most`. */
static uint32_t steps(const scene_split *p, uint32_t (*beyond)[4], uint32_t from, uint32_t to,
                      uint32_t most) {
    size_t count = walk(p, beyond, from, to, most);
    uint32_t found = p->depth[to] ? p->depth[to] - 1 : NONE;
    clear(p, count);
    return found;
}

/* Whether two tets hang together about as they did before. */
static bool is_joined(const scene_split *p, uint32_t a, uint32_t b, uint32_t *before) {
    *before = steps(p, p->before, a, b, FARTHEST);
    if (*before == NONE) return true;
    return steps(p, p->beyond, a, b, *before + DETOUR) != NONE;
}

/* ---- The embedded surface ---- */

static sn_point corner_of(const scene_mesh *m, uint32_t tet, int k) {
    return sn_point_of(m->mesh.positions[m->mesh.tets[tet][k]]);
}

/* The tet nearest to a point among those that hang together with one. */
static uint32_t nearest_tet(const scene_split *p, const scene_mesh *m, uint32_t from, sn_point at,
                            uint32_t most) {
    /* No tet has this number, so the walk goes on to its end. */
    uint32_t nobody = (uint32_t)p->tet_count, best = from;
    size_t count = walk(p, p->beyond, from, nobody, most);
    double least = 0;
    for (size_t i = 0; i < count; i++) {
        sn_point sum = {0, 0, 0};
        for (int k = 0; k < 4; k++) sum = sn_point_add(sum, corner_of(m, p->queue[i], k));
        sn_point off = sn_point_sub(sn_point_scaled(sum, 0.25), at);
        double square = sn_point_dot(off, off);
        if (i > 0 && square >= least) continue;
        least = square;
        best = p->queue[i];
    }
    clear(p, count);
    return best;
}

static uint32_t add_vertex(scene_split *p, uint32_t tet, const sn_real weights[4]) {
    memcpy(p->vertices[p->vertex_count], p->tets[tet], sizeof *p->vertices);
    memcpy(p->weights[p->vertex_count], weights, sizeof *p->weights);
    return (uint32_t)p->vertex_count++;
}

/* A copy of a vertex of the skin, carried by another tet. */
static uint32_t add_copy(scene_split *p, const scene_mesh *m, uint32_t vertex, uint32_t tet) {
    sn_point at = sn_point_of(m->skin.positions[vertex]), c[4];
    sn_real weights[4];
    for (int k = 0; k < 4; k++) c[k] = corner_of(m, tet, k);
    double whole = sn_point_det(c[0], c[1], c[2], c[3]);
    for (int k = 0; k < 4; k++) {
        sn_point with[4] = {c[0], c[1], c[2], c[3]};
        with[k] = at;
        weights[k] = (sn_real)(sn_point_det(with[0], with[1], with[2], with[3]) / whole);
    }
    return add_vertex(p, tet, weights);
}

static void add_triangle(scene_split *p, const scene_mesh *m, const uint32_t corner[3]) {
    const uint32_t *tet = m->embedding->tets;
    uint32_t *made = p->triangles[p->triangle_count++], far = 0, other;
    memcpy(made, corner, sizeof *p->triangles);
    bool joined[3];
    for (int k = 0; k < 3; k++) {
        joined[k] = is_joined(p, tet[corner[k]], tet[corner[(k + 1) % 3]], &other);
        far = other != NONE && other > far ? other : far;
    }
    if ((int)joined[0] + joined[1] + joined[2] > 1) return;
    /* The first corner of the pair that belongs together, or the first of all. */
    int own = joined[1] ? 1 : joined[2] ? 2 : 0;
    for (int k = 0; k < 3; k++) {
        if (k == own || (joined[own] && k == (own + 1) % 3)) continue;
        sn_point at = sn_point_of(m->skin.positions[corner[k]]);
        uint32_t carrier = nearest_tet(p, m, tet[corner[own]], at, far + DETOUR);
        made[k] = add_copy(p, m, corner[k], carrier);
    }
}

/* Faces that lay between two tets and are open now. */
static void add_walls(scene_split *p) {
    static const sn_real one[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    memset(p->number, 0, p->node_count * sizeof *p->number);
    for (uint32_t t = 0; t < p->tet_count; t++)
        for (int f = 0; f < 4; f++) {
            if (p->before[t][f] == NONE || p->beyond[t][f] != NONE) continue;
            uint32_t *made = p->triangles[p->triangle_count++];
            for (int k = 0; k < 3; k++) {
                uint32_t *number = &p->number[p->tets[t][faces[f][k]]];
                if (*number == 0) *number = add_vertex(p, t, one[faces[f][k]]) + 1;
                made[k] = *number - 1;
            }
        }
}

static void dress(scene_split *p, const scene_mesh *m) {
    const sn_embedding *e = m->embedding;
    p->vertex_count = p->triangle_count = 0;
    for (size_t i = 0; i < e->count; i++) (void)add_vertex(p, e->tets[i], e->weights[i]);
    for (size_t i = 0; i < m->skin.triangle_count; i++) add_triangle(p, m, m->skin.triangles[i]);
    add_walls(p);
}

/* Without an embedding: the open faces, with the nodes as vertices. */
static void strip(scene_split *p) {
    p->triangle_count = 0;
    p->vertex_count = p->node_count;
    for (uint32_t t = 0; t < p->tet_count; t++)
        for (int f = 0; f < 4; f++) {
            if (p->beyond[t][f] != NONE) continue;
            uint32_t *made = p->triangles[p->triangle_count++];
            for (int k = 0; k < 3; k++) made[k] = p->tets[t][faces[f][k]];
        }
}

/* ---- Memory ---- */

static sn_result make(sn_scene *s, const scene_mesh *m, scene_split **split) {
    size_t tets = m->mesh.tet_count;
    scene_split *p = scene_take(s, 1, sizeof *p);
    if (!p) return SN_ERROR_MEMORY;
    p->tet_count = tets;
    /* There are never more nodes than corners of tets. */
    p->most_nodes = 4 * tets;
    p->most_triangles = 4 * tets + (m->embedding ? m->skin.triangle_count : 0);
    if (m->embedding)
        p->most_vertices = p->most_nodes + m->skin.vertex_count + 2 * m->skin.triangle_count;
    p->tets = scene_take(s, tets + 1, sizeof *p->tets);
    p->beyond = scene_take(s, tets + 1, sizeof *p->beyond);
    p->before = scene_take(s, tets + 1, sizeof *p->before);
    p->queue = scene_take(s, tets + 1, sizeof *p->queue);
    p->depth = scene_take(s, tets + 1, sizeof *p->depth);
    p->number = scene_take(s, p->most_nodes + 1, sizeof *p->number);
    p->triangles = scene_take(s, p->most_triangles + 1, sizeof *p->triangles);
    p->vertices = scene_take(s, p->most_vertices + 1, sizeof *p->vertices);
    p->weights = scene_take(s, p->most_vertices + 1, sizeof *p->weights);
    if (!p->tets || !p->beyond || !p->before || !p->queue || !p->depth || !p->number ||
        !p->triangles || !p->vertices || !p->weights)
        return SN_ERROR_MEMORY;
    *split = p;
    return find_beyond((const uint32_t(*)[4])m->mesh.tets, tets, p->before);
}

sn_result scene_split_update(sn_scene *s, const scene_body *body, scene_split **split) {
    const scene_mesh *m = body->mesh;
    if (!*split) SN_TRY(make(s, m, split));
    scene_split *p = *split;
    size_t tets;
    SN_TRY(sn_bulk_get_nodes(s->world, body->build.bulk, NULL, 0, &p->node_count));
    SN_TRY(sn_bulk_get_tets(s->world, body->build.bulk, *p->tets, p->tet_count, &tets));
    SN_TRY(find_beyond((const uint32_t(*)[4])p->tets, p->tet_count, p->beyond));
    if (m->embedding)
        dress(p, m);
    else
        strip(p);
    return SN_OK;
}
