/*
 * Edges are found vertex by vertex: each is in the list of its lower end, which has a handful. So a
 * division takes as long as it has triangles, and its numbers depend on nothing but their order.
 */
#include "io/animation/smooth_level.h"

#include <sinew/support.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An edge while it is looked at. */
typedef struct found_edge {
    uint32_t next; /* of those with the same lower end */
    uint8_t faces; /* 0 of a line, up to 3, which means more than two */
    bool hard;
} found_edge;

/* What is known of vertices and edges before the weights are. */
typedef struct finder {
    const smooth_mesh *mesh;
    smooth_level *level;
    found_edge *found;
    uint32_t *head; /* the first edge with this lower end */
    /* Per vertex: triangles, edges of them, hard ones among these, lines; and the two hard edges,
       or lines, that were met last. */
    uint32_t *faces, *degree, *hard, *lines, (*chain)[2];
} finder;

static void free_finder(finder *f) {
    free(f->found);
    free(f->head);
    free(f->faces);
    free(f->degree);
    free(f->hard);
    free(f->lines);
    free(f->chain);
}

static void *array(size_t count, size_t size) {
    return calloc(count + 1, size);
}

/* What is written before it is read. */
static void *empty_array(size_t count, size_t size) {
    return count < SIZE_MAX / size ? malloc((count + 1) * size) : NULL;
}

static bool make_finder(finder *f, size_t most_edges) {
    size_t n = f->mesh->vertices;
    f->found = empty_array(most_edges, sizeof *f->found);
    f->head = empty_array(n, sizeof *f->head);
    f->faces = array(n, sizeof *f->faces);
    f->degree = array(n, sizeof *f->degree);
    f->hard = array(n, sizeof *f->hard);
    f->lines = array(n, sizeof *f->lines);
    f->chain = empty_array(n, sizeof *f->chain);
    f->level->edges = empty_array(most_edges, sizeof *f->level->edges);
    if (!f->found || !f->head || !f->faces || !f->degree || !f->hard || !f->lines || !f->chain ||
        !f->level->edges)
        return false;
    memset(f->head, 0xff, n * sizeof *f->head);
    return true;
}

/* ---- Edges ---- */

/* The edge between two vertices; SMOOTH_NONE where there is none. */
static uint32_t find_edge(const finder *f, uint32_t a, uint32_t b) {
    uint32_t low = a < b ? a : b, high = a < b ? b : a, e = f->head[low];
    while (e != SMOOTH_NONE && f->level->edges[e].end[1] != high) e = f->found[e].next;
    return e;
}

static uint32_t need_edge(finder *f, uint32_t a, uint32_t b) {
    uint32_t e = find_edge(f, a, b), low = a < b ? a : b, high = a < b ? b : a;
    if (e != SMOOTH_NONE) return e;
    e = (uint32_t)f->level->edge_count++;
    f->level->edges[e] = (smooth_edge){{low, high}, {SMOOTH_NONE, SMOOTH_NONE}};
    f->found[e] = (found_edge){.next = f->head[low]};
    f->head[low] = e;
    return e;
}

static void find_edges(finder *f) {
    const smooth_mesh *mesh = f->mesh;
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t *t = mesh->triangles[i];
        for (int k = 0; k < 3; k++) {
            uint32_t e = need_edge(f, t[k], t[(k + 1) % 3]);
            if (f->found[e].faces < 2)
                f->level->edges[e].opposite[f->found[e].faces] = t[(k + 2) % 3];
            if (f->found[e].faces < 3) f->found[e].faces++;
            f->faces[t[k]]++;
        }
    }
    for (size_t i = 0; i < mesh->crease_count; i++) {
        uint32_t e = find_edge(f, mesh->creases[i][0], mesh->creases[i][1]);
        if (e != SMOOTH_NONE) f->found[e].hard = true;
    }
    /* A line along an edge of a triangle is divided where that is. */
    for (size_t i = 0; i < mesh->line_count; i++)
        (void)need_edge(f, mesh->lines[i][0], mesh->lines[i][1]);
}

/* Borders, and where more than two triangles meet, are hard; then all hard edges have no
   opposites. */
static void classify(finder *f) {
    for (size_t e = 0; e < f->level->edge_count; e++) {
        smooth_edge *edge = &f->level->edges[e];
        bool line = f->found[e].faces == 0;
        f->found[e].hard |= !line && f->found[e].faces != 2;
        if (f->found[e].hard || line) edge->opposite[0] = edge->opposite[1] = SMOOTH_NONE;
        for (int k = 0; k < 2; k++) {
            uint32_t v = edge->end[k], *count = line ? &f->lines[v] : &f->hard[v];
            if (!line) f->degree[v]++;
            if (!line && !f->found[e].hard) continue;
            f->chain[v][*count % 2] = edge->end[1 - k];
            ++*count;
        }
    }
}

/* ---- Vertices ---- */

/* Whether a border turns by more than 45 degrees. */
static bool turns(const smooth_mesh *mesh, uint32_t v, const uint32_t beside[2]) {
    const double straight = -0.70710678118654752;
    size_t width = (size_t)mesh->place_width;
    double product = 0, square[2] = {0, 0};
    for (size_t j = 0; j < width; j++) {
        double way[2];
        for (int k = 0; k < 2; k++) {
            way[k] =
                (double)mesh->places[width * beside[k] + j] - (double)mesh->places[width * v + j];
            square[k] += way[k] * way[k];
        }
        product += way[0] * way[1];
    }
    return product > straight * sqrt(square[0] * square[1]);
}

typedef enum rule { KEPT, ON_CHAIN, SMOOTH } rule;

static rule rule_of(const finder *f, uint32_t v) {
    if (f->degree[v] == 0) return f->lines[v] == 2 ? ON_CHAIN : KEPT;
    if (f->mesh->corners && v < f->mesh->corner_count && f->mesh->corners[v]) return KEPT;
    /* A hard edge that ends within the surface leaves its end smooth. */
    if (f->hard[v] < 2) return SMOOTH;
    if (f->hard[v] > 2 || f->faces[v] == 1) return KEPT;
    return f->mesh->places && turns(f->mesh, v, f->chain[v]) ? KEPT : ON_CHAIN;
}

/* The weights of Warren: those of Loop where there are six neighbours, and close to them elsewhere,
   without a cosine. */
static sn_real share_of(size_t neighbours) {
    return neighbours == 3 ? (sn_real)(3.0 / 16) : (sn_real)(3.0 / (8 * (double)neighbours));
}

/* An edge between two corners stays straight, and so do its halves: what lies between corners alone
   is flat, and would be drawn into its own holes where its triangles are long. */
static void keep_between(smooth_level *level, size_t e) {
    smooth_edge *edge = &level->edges[e];
    if (!level->corners[edge->end[0]] || !level->corners[edge->end[1]]) return;
    edge->opposite[0] = edge->opposite[1] = SMOOTH_NONE;
    level->corners[level->before + e] = true;
}

static void weigh(finder *f) {
    smooth_level *level = f->level;
    size_t total = 0;
    for (size_t v = 0; v < level->before; v++) {
        rule r = rule_of(f, (uint32_t)v);
        level->corners[v] = r == KEPT;
        size_t count = r == SMOOTH ? f->degree[v] : r == ON_CHAIN ? 2 : 0;
        level->first[v] = total;
        total += count;
        level->share[v] = r == SMOOTH     ? share_of(count)
                          : r == ON_CHAIN ? (sn_real)0.125
                                          : (sn_real)0;
        level->own[v] = 1 - (sn_real)count * level->share[v];
        for (size_t k = 0; r == ON_CHAIN && k < 2; k++)
            level->around[level->first[v] + k] = f->chain[v][k];
        /* Of smooth ones, where the next neighbour goes; the edges below fill it. */
        f->degree[v] = r == SMOOTH ? 0 : SMOOTH_NONE;
    }
    level->first[level->before] = total;
    for (size_t e = 0; e < level->edge_count; e++) {
        if (f->found[e].faces == 0) continue;
        keep_between(level, e);
        for (int k = 0; k < 2; k++) {
            uint32_t v = level->edges[e].end[k];
            if (f->degree[v] != SMOOTH_NONE)
                level->around[level->first[v] + f->degree[v]++] = level->edges[e].end[1 - k];
        }
    }
}

/* ---- Elements ---- */

/* The vertex of an edge that is there. */
static uint32_t between(const finder *f, uint32_t a, uint32_t b) {
    return (uint32_t)f->level->before + find_edge(f, a, b);
}

static void halve(const finder *f, const uint32_t (*from)[2], size_t count, uint32_t (*to)[2]) {
    for (size_t i = 0; i < count; i++) {
        uint32_t middle = between(f, from[i][0], from[i][1]);
        to[2 * i][0] = from[i][0];
        to[2 * i][1] = to[2 * i + 1][0] = middle;
        to[2 * i + 1][1] = from[i][1];
    }
}

static bool divide(finder *f) {
    const smooth_mesh *mesh = f->mesh;
    smooth_mesh *fine = &f->level->mesh;
    uint32_t(*triangles)[3] = empty_array(4 * mesh->triangle_count, sizeof *triangles);
    uint32_t(*lines)[2] = empty_array(2 * mesh->line_count, sizeof *lines);
    uint32_t(*creases)[2] = empty_array(2 * mesh->crease_count, sizeof *creases);
    sn_real(*uvs)[2] = mesh->uvs ? empty_array(fine->vertices, sizeof *uvs) : NULL;
    *fine = (smooth_mesh){.vertices = f->level->before + f->level->edge_count,
                          .triangle_count = 4 * mesh->triangle_count,
                          .line_count = 2 * mesh->line_count,
                          .crease_count = 2 * mesh->crease_count,
                          .triangles = (const uint32_t(*)[3])triangles,
                          .lines = (const uint32_t(*)[2])lines,
                          .creases = (const uint32_t(*)[2])creases,
                          .uvs = (const sn_real(*)[2])uvs,
                          .corners = f->level->corners,
                          .corner_count = f->level->before + f->level->edge_count};
    if (!triangles || !lines || !creases || (mesh->uvs && !uvs)) return false;
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t *t = mesh->triangles[i];
        uint32_t m[3];
        for (int k = 0; k < 3; k++) m[k] = between(f, t[k], t[(k + 1) % 3]);
        const uint32_t four[4][3] = {
            {t[0], m[0], m[2]}, {m[0], t[1], m[1]}, {m[2], m[1], t[2]}, {m[0], m[1], m[2]}};
        memcpy(triangles[4 * i], four, sizeof four);
    }
    halve(f, mesh->lines, mesh->line_count, lines);
    halve(f, mesh->creases, mesh->crease_count, creases);
    if (uvs) sn_smooth_level_apply(f->level, *mesh->uvs, 2, *uvs);
    return true;
}

/* Creases that are no edges of triangles would have no middle. */
static void drop_creases(finder *f, smooth_mesh *mesh, uint32_t (*kept)[2]) {
    size_t count = 0;
    for (size_t i = 0; i < mesh->crease_count; i++)
        if (find_edge(f, mesh->creases[i][0], mesh->creases[i][1]) != SMOOTH_NONE)
            memcpy(kept[count++], mesh->creases[i], sizeof *kept);
    mesh->creases = (const uint32_t(*)[2])kept;
    mesh->crease_count = count;
}

static bool make(finder *f, smooth_mesh *mesh, uint32_t (*kept)[2]) {
    smooth_level *level = f->level;
    if (!kept || !make_finder(f, 3 * mesh->triangle_count + mesh->line_count)) return false;
    find_edges(f);
    drop_creases(f, mesh, kept);
    classify(f);
    level->mesh.vertices = level->before + level->edge_count;
    level->corners = array(level->mesh.vertices, sizeof *level->corners);
    level->own = empty_array(level->before, sizeof *level->own);
    level->share = empty_array(level->before, sizeof *level->share);
    level->first = empty_array(level->before + 1, sizeof *level->first);
    level->around = empty_array(2 * level->edge_count + 2 * level->before, sizeof *level->around);
    if (!level->own || !level->share || !level->first || !level->around || !level->corners)
        return false;
    weigh(f);
    return divide(f);
}

sn_result sn_smooth_level_make(smooth_level *level, const smooth_mesh *mesh) {
    *level = (smooth_level){.before = mesh->vertices};
    /* Edges are at most three per triangle; two bits to spare for the numbers of triangles. */
    if (mesh->vertices + 3 * mesh->triangle_count + mesh->line_count >= SMOOTH_NONE / 4)
        return sn_fail(SN_ERROR_LIMIT, "%zu triangles are too many to be divided",
                       mesh->triangle_count);
    smooth_mesh own = *mesh;
    finder f = {.mesh = &own, .level = level};
    uint32_t(*kept)[2] = array(mesh->crease_count, sizeof *kept);
    bool made = make(&f, &own, kept);
    free(kept);
    free_finder(&f);
    return made ? SN_OK
                : sn_fail(SN_ERROR_MEMORY, "there is no memory to divide %zu triangles",
                          mesh->triangle_count);
}

void sn_smooth_level_free(smooth_level *level) {
    free((void *)level->mesh.triangles);
    free((void *)level->mesh.lines);
    free((void *)level->mesh.creases);
    free((void *)level->mesh.uvs);
    free(level->corners);
    free(level->edges);
    free(level->own);
    free(level->share);
    free(level->around);
    free(level->first);
    *level = (smooth_level){0};
}

/* ---- Values ---- */

/* Inlined for each width, so that the inner loops are of a known length. */
static inline void apply(const smooth_level *level, const sn_real *from, size_t width,
                         sn_real *to) {
    for (size_t v = 0; v < level->before; v++) {
        sn_real sum[3] = {0, 0, 0};
        for (size_t i = level->first[v]; i < level->first[v + 1]; i++)
            for (size_t k = 0; k < width; k++) sum[k] += from[width * level->around[i] + k];
        for (size_t k = 0; k < width; k++)
            to[width * v + k] = level->own[v] * from[width * v + k] + level->share[v] * sum[k];
    }
    to += width * level->before;
    for (size_t e = 0; e < level->edge_count; e++, to += width) {
        const smooth_edge *edge = &level->edges[e];
        const sn_real *a = from + width * edge->end[0], *b = from + width * edge->end[1];
        if (edge->opposite[0] == SMOOTH_NONE) {
            for (size_t k = 0; k < width; k++) to[k] = (sn_real)0.5 * (a[k] + b[k]);
            continue;
        }
        const sn_real *c = from + width * edge->opposite[0], *d = from + width * edge->opposite[1];
        for (size_t k = 0; k < width; k++)
            to[k] = (sn_real)0.375 * (a[k] + b[k]) + (sn_real)0.125 * (c[k] + d[k]);
    }
}

void sn_smooth_level_apply(const smooth_level *level, const sn_real *from, int width, sn_real *to) {
    if (width == 3)
        apply(level, from, 3, to);
    else if (width == 2)
        apply(level, from, 2, to);
    else
        apply(level, from, 1, to);
}
