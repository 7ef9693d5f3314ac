#include "mesh_oracle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

typedef struct half {
    uint32_t low, high;
    int direction;
} half;

static int compare(const void *a, const void *b) {
    const half *h = a, *g = b;
    if (h->low != g->low) return h->low < g->low ? -1 : 1;
    if (h->high != g->high) return h->high < g->high ? -1 : 1;
    return h->direction - g->direction;
}

typedef struct vec {
    double x, y, z;
} vec;

static vec at(const sn_mesh *m, uint32_t v) {
    return (vec){(double)m->positions[v].x, (double)m->positions[v].y, (double)m->positions[v].z};
}
static vec sub(vec a, vec b) {
    return (vec){a.x - b.x, a.y - b.y, a.z - b.z};
}
static vec cross(vec a, vec b) {
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static double dot(vec a, vec b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static void count_edges(const sn_mesh *m, look *l) {
    size_t n = 3 * m->triangle_count;
    half *h = malloc((n + 1) * sizeof *h);
    if (!h) abort();
    for (size_t i = 0; i < n; i++) {
        uint32_t a = m->triangles[i / 3][i % 3], b = m->triangles[i / 3][(i + 1) % 3];
        h[i] = (half){a < b ? a : b, a < b ? b : a, a < b};
    }
    qsort(h, n, sizeof *h, compare);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && h[end].low == h[i].low && h[end].high == h[i].high;) end++;
        l->edges++;
        l->boundary += end - i == 1;
        l->crowded += end - i > 2;
        l->turned += end - i == 2 && h[i].direction == h[i + 1].direction;
    }
    free(h);
}

static void look_at_triangle(const sn_mesh *m, const uint32_t *v, look *l) {
    vec x[3] = {at(m, v[0]), at(m, v[1]), at(m, v[2])};
    vec n = cross(sub(x[1], x[0]), sub(x[2], x[0]));
    l->area += sqrt(dot(n, n)) / 2;
    l->volume += dot(x[0], cross(x[1], x[2])) / 6;
    for (int k = 0; k < 3; k++) {
        vec a = sub(x[(k + 1) % 3], x[k]), b = sub(x[(k + 2) % 3], x[k]);
        double angle = atan2(sqrt(dot(n, n)), dot(a, b)) * 180 / acos(-1), edge = sqrt(dot(a, a));
        if (angle < l->angle_low) l->angle_low = angle;
        if (edge < l->shortest) l->shortest = edge;
        if (edge > l->longest) l->longest = edge;
    }
}

look look_at(const sn_mesh *m) {
    look l = {.angle_low = 180, .shortest = INFINITY, .smallest_tet = INFINITY};
    uint8_t *used = calloc(m->vertex_count + 1, 1);
    if (!used) abort();
    count_edges(m, &l);
    for (size_t t = 0; t < m->triangle_count; t++) {
        for (int k = 0; k < 3; k++) used[m->triangles[t][k]] = 1;
        look_at_triangle(m, m->triangles[t], &l);
    }
    l.euler = (long)m->triangle_count - (long)l.edges;
    for (size_t i = 0; i < m->vertex_count; i++) l.euler += used[i];
    for (size_t t = 0; t < m->tet_count; t++) {
        const uint32_t *v = m->tets[t];
        vec o = at(m, v[0]);
        double volume =
            dot(cross(sub(at(m, v[1]), o), sub(at(m, v[2]), o)), sub(at(m, v[3]), o)) / 6;
        l.tet_volume += volume;
        if (volume < l.smallest_tet) l.smallest_tet = volume;
    }
    free(used);
    return l;
}

uint64_t look_hash(const sn_mesh *m) {
    uint64_t hash = m->vertex_count;
    for (size_t i = 0; i < m->vertex_count; i++) {
        hash = sn_hash_double(hash, (double)m->positions[i].x);
        hash = sn_hash_double(hash, (double)m->positions[i].y);
        hash = sn_hash_double(hash, (double)m->positions[i].z);
    }
    for (size_t i = 0; i < 3 * m->triangle_count; i++)
        hash = sn_hash_word(hash, m->triangles[i / 3][i % 3]);
    for (size_t i = 0; i < 4 * m->tet_count; i++) hash = sn_hash_word(hash, m->tets[i / 4][i % 4]);
    for (size_t i = 0; i < 2 * m->line_count; i++)
        hash = sn_hash_word(hash, m->lines[i / 2][i % 2]);
    for (size_t g = 0; g < m->group_count; g++) {
        for (const char *c = m->groups[g].name; *c; c++) hash = sn_hash_word(hash, (uint8_t)*c);
        for (size_t i = 0; i < m->groups[g].count; i++)
            hash = sn_hash_word(hash, m->groups[g].vertices[i]);
    }
    return hash;
}
