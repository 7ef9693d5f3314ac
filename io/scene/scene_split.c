#include "io/scene/scene_split.h"

#include "io/scene/point.h"

#include <sinew/support.h>

#include <stdlib.h>
#include <string.h>

static const uint32_t NONE = UINT32_MAX;
static const unsigned char faces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
/* How many tets further than before the way between two may be, so that they still belong together;
   and the most steps that are looked at. */
enum { DETOUR = 3, FARTHEST = 24 };

/* ---- Neighbours ---- */

/* A face by its vertices in rising order, so that both of its sides are equal. */
typedef struct side {
    uint32_t key[3];
    uint32_t number; /* of the face, four per tet */
} side;

static void order(uint32_t *a, uint32_t *b) {
    uint32_t low = *a < *b ? *a : *b, high = *a < *b ? *b : *a;
    *a = low;
    *b = high;
}

static bool is_same(const side *a, const side *b) {
    return memcmp(a->key, b->key, sizeof a->key) == 0;
}

static int compare(const void *left, const void *right) {
    const side *a = left, *b = right;
    for (int k = 0; k < 3; k++)
        if (a->key[k] != b->key[k]) return a->key[k] < b->key[k] ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

/* The tet beyond each face of each tet; a face that more than two share has none. */
static sn_result find_beyond(const uint32_t (*tets)[4], size_t count, uint32_t (*beyond)[4]) {
    size_t total = 4 * count;
    side *sides = malloc((total + 1) * sizeof *sides);
    if (!sides) return sn_fail(SN_ERROR_MEMORY, "no memory for the faces of %zu tets", count);
    for (size_t f = 0; f < total; f++) {
        uint32_t *key = sides[f].key;
        for (int k = 0; k < 3; k++) key[k] = tets[f / 4][faces[f % 4][k]];
        order(&key[0], &key[1]);
        order(&key[1], &key[2]);
        order(&key[0], &key[1]);
        sides[f].number = (uint32_t)f;
        beyond[f / 4][f % 4] = NONE;
    }
    qsort(sides, total, sizeof *sides, compare);
    for (size_t i = 0, end; i < total; i = end) {
        for (end = i + 1; end < total && is_same(&sides[i], &sides[end]);) end++;
        if (end != i + 2) continue;
        uint32_t a = sides[i].number, b = sides[i + 1].number;
        beyond[a / 4][a % 4] = b / 4;
        beyond[b / 4][b % 4] = a / 4;
    }
    free(sides);
    return SN_OK;
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

static sn_io_point corner_of(const scene_split *p, const scene_mesh *m, uint32_t tet, int k) {
    if (p->rest) return sn_io_point_of(p->rest[p->tets[tet][k]]);
    return sn_io_point_of(m->mesh.positions[m->mesh.tets[tet][k]]);
}

static sn_io_point place_of(const scene_split *p, const scene_mesh *m, uint32_t vertex) {
    return p->rest ? p->at[vertex] : sn_io_point_of(m->visible.positions[vertex]);
}

/* The weights of a point in a tet; the least of them. */
static double weigh(const scene_split *p, const scene_mesh *m, uint32_t tet, sn_io_point at,
                    sn_real weights[4]) {
    sn_io_point c[4];
    double least = 1;
    for (int k = 0; k < 4; k++) c[k] = corner_of(p, m, tet, k);
    double whole = sn_io_point_det(c[0], c[1], c[2], c[3]);
    for (int k = 0; k < 4; k++) {
        sn_io_point with[4] = {c[0], c[1], c[2], c[3]};
        with[k] = at;
        double own = sn_io_point_det(with[0], with[1], with[2], with[3]) / whole;
        weights[k] = (sn_real)own;
        least = own < least ? own : least;
    }
    return least;
}

/* The tet nearest to a point among those that hang together with one. */
static uint32_t nearest_tet(const scene_split *p, const scene_mesh *m, uint32_t from,
                            sn_io_point at, uint32_t most) {
    /* No tet has this number, so the walk goes on to its end. */
    uint32_t nobody = (uint32_t)p->tet_count, best = from;
    size_t count = walk(p, p->beyond, from, nobody, most);
    double least = 0;
    for (size_t i = 0; i < count; i++) {
        sn_io_point sum = {0, 0, 0};
        for (int k = 0; k < 4; k++) sum = sn_io_point_add(sum, corner_of(p, m, p->queue[i], k));
        sn_io_point off = sn_io_point_sub(sn_io_point_scaled(sum, 0.25), at);
        double square = sn_io_point_dot(off, off);
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
    sn_real weights[4];
    (void)weigh(p, m, tet, place_of(p, m, vertex), weights);
    return add_vertex(p, tet, weights);
}

static void add_triangle(scene_split *p, const scene_mesh *m, const uint32_t corner[3]) {
    const uint32_t *tet = p->carrier ? p->carrier : m->embedding->tets;
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
        sn_io_point at = place_of(p, m, corner[k]);
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
    for (size_t i = 0; i < e->count; i++)
        (void)add_vertex(p, p->carrier ? p->carrier[i] : e->tets[i],
                         p->carrier ? p->carried[i] : e->weights[i]);
    for (size_t i = 0; i < m->visible.triangle_count; i++)
        add_triangle(p, m, m->visible.triangles[i]);
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

/* ---- Tets that were divided ---- */

/* The part of a tet that a vertex of the skin lies in, or lies nearest to. */
static void find_carrier(scene_split *p, const scene_mesh *m, uint32_t vertex,
                         const uint32_t *first) {
    const sn_embedding *e = m->embedding;
    const uint32_t *corner = m->mesh.tets[e->tets[vertex]];
    double best = 0;
    p->at[vertex] = (sn_io_point){0, 0, 0};
    for (int k = 0; k < 4; k++)
        p->at[vertex] =
            sn_io_point_add(p->at[vertex], sn_io_point_scaled(sn_io_point_of(p->rest[corner[k]]),
                                                              (double)e->weights[vertex][k]));
    for (uint32_t t = first[e->tets[vertex]]; t; t = p->next[t - 1]) {
        sn_real weights[4];
        double least = weigh(p, m, t - 1, p->at[vertex], weights);
        if (t != first[e->tets[vertex]] && least <= best) continue;
        best = least;
        p->carrier[vertex] = t - 1;
        memcpy(p->carried[vertex], weights, sizeof weights);
    }
}

static void find_carriers(scene_split *p, const scene_mesh *m) {
    uint32_t *first = p->queue; /* of every tet of the mesh, a part of it + 1 */
    memset(first, 0, m->mesh.tet_count * sizeof *first);
    for (uint32_t t = 0; t < p->tet_count; t++) {
        p->next[t] = first[p->parent[t]];
        first[p->parent[t]] = t + 1;
    }
    for (uint32_t i = 0; i < m->embedding->count; i++) find_carrier(p, m, i, first);
}

/* What hung together before it was cut: tets with copies for the nodes that they were made from. */
static sn_result find_before(scene_split *p) {
    uint32_t(*whole)[4] = calloc(p->tet_count + 1, sizeof *whole);
    if (!whole) return SN_ERROR_MEMORY;
    for (size_t t = 0; t < p->tet_count; t++)
        for (int k = 0; k < 4; k++) whole[t][k] = p->origin[p->tets[t][k]];
    sn_result result = find_beyond((const uint32_t(*)[4])whole, p->tet_count, p->before);
    free(whole);
    return result;
}

static sn_result follow_parts(sn_scene *s, const scene_body *body, scene_split *p) {
    const scene_mesh *m = body->mesh;
    sn_tet_mesh tet_mesh = body->build.tet_mesh;
    size_t count, vertices = m->embedding->count;
    if (!p->rest) {
        p->parent = sn_scene_take(s, p->most_tets + 1, sizeof *p->parent);
        p->next = sn_scene_take(s, p->most_tets + 1, sizeof *p->next);
        p->origin = sn_scene_take(s, p->most_nodes + 1, sizeof *p->origin);
        p->rest = sn_scene_take(s, p->most_nodes + 1, sizeof *p->rest);
        p->carrier = sn_scene_take(s, vertices + 1, sizeof *p->carrier);
        p->carried = sn_scene_take(s, vertices + 1, sizeof *p->carried);
        p->at = sn_scene_take(s, vertices + 1, sizeof *p->at);
    }
    if (!p->parent || !p->next || !p->origin || !p->rest || !p->carrier || !p->carried || !p->at)
        return SN_ERROR_MEMORY;
    SN_TRY(sn_tet_mesh_get_parents(s->world, tet_mesh, p->parent, p->tet_count, &count));
    SN_TRY(sn_tet_mesh_get_origins(s->world, tet_mesh, p->origin, p->node_count, &count));
    SN_TRY(sn_tet_mesh_get_rest(s->world, tet_mesh, p->rest, p->node_count, &count));
    SN_TRY(find_before(p));
    find_carriers(p, m);
    return SN_OK;
}

/* ---- Memory ---- */

static sn_result make(sn_scene *s, const scene_mesh *m, size_t tets, scene_split **split) {
    scene_split *p = sn_scene_take(s, 1, sizeof *p);
    if (!p) return SN_ERROR_MEMORY;
    p->most_tets = tets;
    /* There are never more nodes than corners of tets. */
    p->most_nodes = 4 * tets;
    p->most_triangles = 4 * tets + (m->embedding ? m->visible.triangle_count : 0);
    if (m->embedding)
        p->most_vertices = p->most_nodes + m->visible.vertex_count + 2 * m->visible.triangle_count;
    p->tets = sn_scene_take(s, tets + 1, sizeof *p->tets);
    p->beyond = sn_scene_take(s, tets + 1, sizeof *p->beyond);
    p->before = sn_scene_take(s, tets + 1, sizeof *p->before);
    p->queue = sn_scene_take(s, tets + 1, sizeof *p->queue);
    p->depth = sn_scene_take(s, tets + 1, sizeof *p->depth);
    p->number = sn_scene_take(s, p->most_nodes + 1, sizeof *p->number);
    p->triangles = sn_scene_take(s, p->most_triangles + 1, sizeof *p->triangles);
    p->vertices = sn_scene_take(s, p->most_vertices + 1, sizeof *p->vertices);
    p->weights = sn_scene_take(s, p->most_vertices + 1, sizeof *p->weights);
    if (!p->tets || !p->beyond || !p->before || !p->queue || !p->depth || !p->number ||
        !p->triangles || !p->vertices || !p->weights)
        return SN_ERROR_MEMORY;
    *split = p;
    return find_beyond((const uint32_t(*)[4])m->mesh.tets, m->mesh.tet_count, p->before);
}

sn_result sn_scene_split_update(sn_scene *s, const scene_body *body, scene_split **split) {
    const scene_mesh *m = body->mesh;
    size_t tets;
    SN_TRY(sn_tet_mesh_get_tets(s->world, body->build.tet_mesh, NULL, 0, &tets));
    bool divided = tets > m->mesh.tet_count;
    /* Where a snapshot has made them whole again, nothing of the parts is kept. */
    bool undone = !divided && *split && (*split)->rest;
    /* Where there are more of them, more may come. */
    if (!*split || undone || tets > (*split)->most_tets)
        SN_TRY(make(s, m, divided ? 2 * tets : tets, split));
    scene_split *p = *split;
    p->tet_count = tets;
    SN_TRY(sn_tet_mesh_get_nodes(s->world, body->build.tet_mesh, NULL, 0, &p->node_count));
    SN_TRY(sn_tet_mesh_get_tets(s->world, body->build.tet_mesh, *p->tets, p->tet_count, &tets));
    SN_TRY(find_beyond((const uint32_t(*)[4])p->tets, p->tet_count, p->beyond));
    if (m->embedding && divided) SN_TRY(follow_parts(s, body, p));
    if (m->embedding)
        dress(p, m);
    else
        strip(p);
    return SN_OK;
}
