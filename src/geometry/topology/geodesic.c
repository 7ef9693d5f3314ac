/*
 * Distances along a surface.
 *
 * A front runs from every source over the vertices, nearest first, as in Dijkstra's algorithm.
 * Along edges alone it would be late by up to 8 % on a grid, so it also goes across triangles:
 * where two corners are a and b away from a source, the triangle and the source are laid out in a
 * plane, and the third corner is as far as the straight line to it, if that passes between the two.
 *
 *            C
 *           / \         Exact on flat sheets and on whatever unrolls; on others an approximation
 *          /   \        like fast marching (Kimmel and Sethian 1998), with the front of a point
 *         A--+--B       instead of a plane. Round a corner the path goes along edges.
 *          \ | /
 *       a    S   b
 *
 * At an obtuse corner C may be reached before B is; what B then says is taken over and goes on from
 * there, so no unfolding of several triangles is needed.
 *
 * Fronts of several sources run at once. A vertex takes the first few only, so that a sheet with
 * hundreds of pins costs no more than one with a handful; a few more than are asked for, because at
 * the border of its region a front has no neighbour to go across triangles with. Where sources have
 * groups, this holds for each of the first few groups.
 */
#include "geometry/topology/geodesic.h"

#include "base/error.h"
#include "geometry/mesh_access.h"

#include <math.h>

enum { SPARE = 4 };

/* That a vertex may be so far from a source. */
typedef struct offer {
    double distance;
    uint32_t vertex, source;
} offer;

typedef struct front {
    const sn_geodesics *def;
    size_t keep;      /* sources per vertex */
    uint32_t *source; /* of those taken, `keep` per vertex */
    double *distance; /* of those */
    uint8_t *taken;   /* how many there are, per vertex */
    uint32_t *begin;  /* vertices + 1: where its triangles begin in `around` */
    uint32_t *around; /* triangles of every vertex */
    offer *heap;      /* the least is the first */
    size_t offers, capacity;
    sn_memory *memory;
} front;

/* ---- The queue ---- */

static bool is_before(const offer *a, const offer *b) {
    if (a->distance != b->distance) return a->distance < b->distance;
    return a->vertex != b->vertex ? a->vertex < b->vertex : a->source < b->source;
}

static bool push(front *f, offer o) {
    if (!sn_reserve(f->memory, (void **)&f->heap, &f->capacity, f->offers + 1, sizeof *f->heap))
        return false;
    size_t i = f->offers++;
    for (; i > 0 && is_before(&o, &f->heap[(i - 1) / 2]); i = (i - 1) / 2)
        f->heap[i] = f->heap[(i - 1) / 2];
    f->heap[i] = o;
    return true;
}

static offer pop(front *f) {
    offer first = f->heap[0], last = f->heap[--f->offers];
    size_t i = 0;
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= f->offers) break;
        if (child + 1 < f->offers && is_before(&f->heap[child + 1], &f->heap[child])) child++;
        if (!is_before(&f->heap[child], &last)) break;
        f->heap[i] = f->heap[child];
        i = child;
    }
    f->heap[i] = last;
    return first;
}

/* ---- Distances ---- */

/* Where a vertex keeps its distance from a source; null where it has not taken it. */
static double *taken(const front *f, uint32_t vertex, uint32_t source) {
    size_t first = vertex * f->keep;
    for (size_t i = first; i < first + f->taken[vertex]; i++)
        if (f->source[i] == source) return &f->distance[i];
    return NULL;
}

static double edge(const front *f, uint32_t i, uint32_t j) {
    return sn_point_length(sn_point_sub(f->def->x[i], f->def->x[j]));
}

/* How far C is through the edge between A and B, which are a and b away; infinite where the
   straight line does not pass between them. */
static double across(const front *f, const uint32_t corner[3], double a, double b) {
    double base = edge(f, corner[0], corner[1]);
    double left = edge(f, corner[0], corner[2]), right = edge(f, corner[1], corner[2]);
    if (!(base > 0)) return INFINITY;
    double sx = (a * a - b * b + base * base) / (2 * base), sy2 = a * a - sx * sx;
    double cx = (left * left - right * right + base * base) / (2 * base);
    double cy2 = left * left - cx * cx;
    if (!(sy2 >= 0) || !(cy2 > 0)) return INFINITY;
    double sy = sqrt(sy2), cy = sqrt(cy2), at = sx + (cx - sx) * sy / (sy + cy);
    if (!(at >= 0 && at <= base)) return INFINITY;
    return sqrt((cx - sx) * (cx - sx) + (cy + sy) * (cy + sy));
}

/* Whether a vertex has taken all the sources that it takes, or all of those that are like this. */
static bool has_enough(const front *f, uint32_t vertex, uint32_t source) {
    const uint32_t *group = f->def->group;
    size_t first = vertex * f->keep, count = f->taken[vertex], same = 0, groups = 0;
    if (!group || count == f->keep) return count == f->keep;
    for (size_t i = first; i < first + count; i++) {
        same += group[f->source[i]] == group[source];
        size_t k = first;
        while (group[f->source[k]] != group[f->source[i]]) k++;
        groups += k == i;
    }
    return same > 0 ? same == 1 + SPARE : groups == f->def->nearest;
}

/* Puts a distance into the queue unless the vertex knows better or has enough. Less than a
   ten-millionth is not better: it would go on and on by rounding. */
static bool propose(front *f, offer o) {
    const double *known = taken(f, o.vertex, o.source);
    if (known ? !(o.distance < *known * (1 - 1e-7)) : has_enough(f, o.vertex, o.source))
        return true;
    return !(o.distance < INFINITY) || push(f, o);
}

/* What a distance just taken means for the other two corners of a triangle. */
static bool spread(front *f, offer from, const uint32_t *triangle) {
    for (int k = 0; k < 2; k++) {
        int self = triangle[0] == from.vertex ? 0 : triangle[1] == from.vertex ? 1 : 2;
        uint32_t one = triangle[(self + 1 + k) % 3], other = triangle[(self + 2 - k) % 3];
        double along = from.distance + edge(f, from.vertex, one);
        if (!propose(f, (offer){along, one, from.source})) return false;
        const double *beside = taken(f, other, from.source);
        if (!beside) continue;
        const uint32_t corner[3] = {from.vertex, other, one};
        double through = across(f, corner, from.distance, *beside);
        if (!propose(f, (offer){through, one, from.source})) return false;
    }
    return true;
}

static bool take(front *f, offer o) {
    double *known = taken(f, o.vertex, o.source);
    if (known ? *known <= o.distance : has_enough(f, o.vertex, o.source)) return true;
    if (!known) {
        size_t i = o.vertex * f->keep + f->taken[o.vertex]++;
        f->source[i] = o.source;
        known = &f->distance[i];
    }
    *known = o.distance;
    for (uint32_t i = f->begin[o.vertex]; i < f->begin[o.vertex + 1]; i++)
        if (!spread(f, o, f->def->triangles + 3 * (size_t)f->around[i])) return false;
    return true;
}

/* ---- Everything ---- */

static void list_triangles(front *f) {
    const sn_geodesics *d = f->def;
    for (size_t i = 0; i < 3 * d->triangle_count; i++) f->begin[d->triangles[i] + 1]++;
    for (size_t i = 0; i < d->vertices; i++) f->begin[i + 1] += f->begin[i];
    /* Filled from the back, so that what began at the end begins at the beginning. */
    for (size_t i = d->vertices; i > 0; i--) f->begin[i] = f->begin[i - 1];
    f->begin[0] = 0;
    for (size_t i = 0; i < 3 * d->triangle_count; i++)
        f->around[f->begin[d->triangles[i] + 1]++] = (uint32_t)(i / 3);
}

static bool run(front *f) {
    for (size_t i = 0; i < f->def->source_count; i++)
        if (!push(f, (offer){0, f->def->sources[i], f->def->sources[i]})) return false;
    while (f->offers > 0)
        if (!take(f, pop(f))) return false;
    return true;
}

/* The nearest of those a vertex has taken, in order: a correction may have changed that. Of a group
   no more than are asked for. */
static void report(const front *f, uint32_t vertex, size_t wanted, uint32_t *source,
                   double *distance) {
    const uint32_t *group = f->def->group;
    size_t first = vertex * f->keep, count = f->taken[vertex], found = 0;
    for (size_t n = 0; n < count && found < wanted; n++) {
        size_t best = n, same = 0;
        for (size_t i = n + 1; i < count; i++) {
            offer a = {f->distance[first + i], vertex, f->source[first + i]};
            offer b = {f->distance[first + best], vertex, f->source[first + best]};
            if (is_before(&a, &b)) best = i;
        }
        uint32_t at = f->source[first + best];
        double far = f->distance[first + best];
        f->source[first + best] = f->source[first + n];
        f->distance[first + best] = f->distance[first + n];
        for (size_t i = 0; group && i < found; i++) same += group[source[i]] == group[at];
        if (group && same == f->def->members) continue;
        source[found] = at;
        distance[found++] = far;
    }
    for (; found < wanted; found++) {
        source[found] = SN_NO_SOURCE;
        distance[found] = INFINITY;
    }
}

sn_result sn_geodesics_find(const sn_geodesics *def, sn_memory *memory, uint32_t *source,
                            double *distance) {
    size_t keep = def->group ? def->nearest * (1 + SPARE) : def->nearest + SPARE;
    size_t n = def->vertices, corners = 3 * def->triangle_count;
    if (keep > def->source_count) keep = def->source_count;
    front f = {.def = def, .keep = keep, .memory = memory};
    f.source = sn_allocate(memory, n * keep + 1, sizeof *f.source);
    f.distance = sn_allocate(memory, n * keep + 1, sizeof *f.distance);
    f.taken = sn_allocate(memory, n + 1, sizeof *f.taken);
    f.begin = sn_allocate(memory, n + 2, sizeof *f.begin);
    f.around = sn_allocate(memory, corners + 1, sizeof *f.around);
    bool had = f.source && f.distance && f.taken && f.begin && f.around;
    if (had) {
        list_triangles(&f);
        had = keep == 0 || run(&f);
    }
    size_t wanted = def->group ? def->nearest * def->members : def->nearest;
    for (uint32_t i = 0; had && i < n; i++)
        report(&f, i, wanted, source + i * wanted, distance + i * wanted);
    sn_free(memory, f.source, n * keep + 1, sizeof *f.source);
    sn_free(memory, f.distance, n * keep + 1, sizeof *f.distance);
    sn_free(memory, f.taken, n + 1, sizeof *f.taken);
    sn_free(memory, f.begin, n + 2, sizeof *f.begin);
    sn_free(memory, f.around, corners + 1, sizeof *f.around);
    sn_free(memory, f.heap, f.capacity, sizeof *f.heap);
    return had ? SN_OK : SN_ERROR_MEMORY;
}

/* ---- The public call ---- */

static sn_result check(const sn_mesh *mesh, const uint32_t *sources, size_t source_count,
                       size_t nearest) {
    SN_TRY(sn_mesh_expect_sound(mesh));
    if (source_count > 0 && !sources) return sn_fail(SN_ERROR_NULL, "mesh: sources is null");
    if (nearest < 1 || nearest > SN_MESH_NEAREST)
        return sn_fail(SN_ERROR_VALUE, "mesh: nearest is %zu, expected 1 to %d", nearest,
                       SN_MESH_NEAREST);
    for (size_t i = 0; i < source_count; i++)
        if (sources[i] >= mesh->vertex_count)
            return sn_fail(SN_ERROR_VALUE, "mesh: source %zu is vertex %u, expected below %zu", i,
                           sources[i], mesh->vertex_count);
    return SN_OK;
}

sn_result sn_mesh_geodesics(const sn_mesh *mesh, const uint32_t *sources, size_t source_count,
                            size_t nearest, uint32_t *source, double *distance) {
    SN_TRY(check(mesh, sources, source_count, nearest));
    if (!source || !distance)
        return sn_fail(SN_ERROR_NULL, "mesh: where to write the %s is null",
                       source ? "distances" : "sources");
    sn_memory memory = sn_mesh_memory(mesh);
    size_t n = mesh->vertex_count;
    sn_point *x = sn_allocate(&memory, n + 1, sizeof *x);
    if (!x) return SN_ERROR_MEMORY;
    for (uint32_t i = 0; i < n; i++) x[i] = sn_mesh_point(mesh, i);
    sn_geodesics def = {.x = x,
                        .vertices = n,
                        .triangles = (const uint32_t *)mesh->triangles,
                        .triangle_count = mesh->triangle_count,
                        .sources = sources,
                        .source_count = source_count,
                        .nearest = nearest};
    sn_result result = sn_geodesics_find(&def, &memory, source, distance);
    sn_free(&memory, x, n + 1, sizeof *x);
    return result;
}
