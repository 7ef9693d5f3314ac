#include "mesh/boundary.h"

#include "base/error.h"
#include "math/angle.h"
#include "mesh/edges.h"

#include <string.h>

/* Entries of a stack that no walk outgrows, as in bvh.c. */
enum { DEPTH = 63 * 4 + 32 + 1 };

/* ---- Where things are ---- */

static sn_point vertex_at(const sn_boundary *b, uint32_t v, double time) {
    sn_point x = sn_point_of(b->vertices[v]);
    if (!b->moves) return x;
    sn_point to = sn_point_of(b->targets[v]);
    return sn_point_add(x, sn_point_scaled(sn_point_sub(to, x), time));
}

static void corners_at(const sn_boundary *b, uint32_t t, double time, sn_point x[3]) {
    for (int k = 0; k < 3; k++) x[k] = vertex_at(b, b->triangles[t][k], time);
}

/* The box of a triangle on all its way. */
static sn_bounds box_of(const sn_boundary *b, size_t t) {
    sn_bounds box = sn_bounds_empty();
    for (int k = 0; k < 3; k++) {
        sn_bounds_add(&box, sn_point_of(b->vertices[b->triangles[t][k]]));
        if (b->moves) sn_bounds_add(&box, sn_point_of(b->targets[b->triangles[t][k]]));
    }
    return box;
}

/* ---- Making ---- */

/* The triangles about each vertex, in their order: counted, summed, filled in from behind. */
static void find_rings(sn_boundary *b) {
    for (size_t t = 0; t < b->triangle_count; t++)
        for (int k = 0; k < 3; k++) b->ring_begin[b->triangles[t][k]]++;
    for (size_t v = 0; v < b->vertex_count; v++) b->ring_begin[v + 1] += b->ring_begin[v];
    for (size_t t = b->triangle_count; t-- > 0;)
        for (int k = 3; k-- > 0;) b->ring[--b->ring_begin[b->triangles[t][k]]] = (uint32_t)t;
}

/* What lies beyond each side; where more than two triangles meet, the next of them. */
static sn_result find_beyond(sn_boundary *b, sn_memory *memory) {
    sn_edges edges;
    SN_TRY(sn_edges_create(&edges, memory, (const uint32_t(*)[3])b->triangles, b->triangle_count,
                           NULL));
    for (size_t i = 0, end; i < edges.count; i = end) {
        end = sn_edges_end(&edges, i);
        for (size_t k = i; k < end; k++) {
            uint32_t side = edges.sides[k].value;
            uint32_t other = edges.sides[k + 1 < end ? k + 1 : i].value;
            b->beyond[side / 3][side % 3] = other == side ? SN_BVH_NONE : other / 3;
        }
    }
    sn_edges_free(&edges, memory);
    return SN_OK;
}

static sn_result build_tree(sn_boundary *b, sn_memory *memory) {
    sn_bounds *boxes = sn_allocate(memory, b->triangle_count, sizeof *boxes);
    if (!boxes) return SN_ERROR_MEMORY;
    for (size_t t = 0; t < b->triangle_count; t++) boxes[t] = box_of(b, t);
    sn_result result = sn_bvh_create(&b->bvh, memory, boxes, b->triangle_count);
    sn_free(memory, boxes, b->triangle_count, sizeof *boxes);
    return result;
}

sn_result sn_boundary_create(sn_boundary *b, sn_memory *memory, const sn_vec3 *vertices,
                             size_t vertex_count, const uint32_t (*triangles)[3],
                             size_t triangle_count) {
    *b = (sn_boundary){.vertex_count = vertex_count, .triangle_count = triangle_count};
    if (triangle_count > (size_t)1 << 30)
        return sn_fail(SN_ERROR_LIMIT, "it has %zu triangles, expected at most 2^30",
                       triangle_count);
    b->vertices = sn_allocate(memory, vertex_count, sizeof *b->vertices);
    b->triangles = sn_allocate(memory, triangle_count, sizeof *b->triangles);
    b->ring_begin = sn_allocate(memory, vertex_count + 1, sizeof *b->ring_begin);
    b->ring = sn_allocate(memory, 3 * triangle_count, sizeof *b->ring);
    b->beyond = sn_allocate(memory, triangle_count, sizeof *b->beyond);
    bool there = b->vertices && b->triangles && b->ring_begin && b->ring && b->beyond;
    sn_result result = there ? SN_OK : SN_ERROR_MEMORY;
    if (there) {
        memcpy(b->vertices, vertices, vertex_count * sizeof *vertices);
        memcpy(b->triangles, triangles, triangle_count * sizeof *triangles);
        find_rings(b);
        result = find_beyond(b, memory);
    }
    if (result == SN_OK) result = build_tree(b, memory);
    if (result != SN_OK) sn_boundary_free(b, memory);
    return result;
}

void sn_boundary_free(sn_boundary *b, sn_memory *memory) {
    sn_free(memory, b->vertices, b->vertex_count, sizeof *b->vertices);
    sn_free(memory, b->targets, b->vertex_count, sizeof *b->targets);
    sn_free(memory, b->triangles, b->triangle_count, sizeof *b->triangles);
    sn_free(memory, b->boxes, b->triangle_count, sizeof *b->boxes);
    sn_free(memory, b->ring_begin, b->vertex_count + 1, sizeof *b->ring_begin);
    sn_free(memory, b->ring, 3 * b->triangle_count, sizeof *b->ring);
    sn_free(memory, b->beyond, b->triangle_count, sizeof *b->beyond);
    sn_bvh_free(&b->bvh, memory);
    *b = (sn_boundary){0};
}

/* ---- Moving ---- */

static void refit(sn_boundary *b) {
    for (size_t t = 0; t < b->triangle_count; t++) b->boxes[t] = box_of(b, t);
    sn_bvh_refit(&b->bvh, b->boxes);
}

bool sn_boundary_send(sn_boundary *b, sn_memory *memory, const sn_vec3 *targets) {
    if (!b->targets) b->targets = sn_allocate(memory, b->vertex_count, sizeof *b->targets);
    if (!b->boxes) b->boxes = sn_allocate(memory, b->triangle_count, sizeof *b->boxes);
    if (!b->targets || !b->boxes) return false;
    memmove(b->targets, targets, b->vertex_count * sizeof *targets);
    b->moves = true;
    double square = 0;
    for (size_t v = 0; v < b->vertex_count; v++) {
        sn_point way = sn_point_sub(sn_point_of(b->targets[v]), sn_point_of(b->vertices[v]));
        if (sn_point_dot(way, way) > square) square = sn_point_dot(way, way);
    }
    b->fastest = __builtin_sqrt(square);
    refit(b);
    return true;
}

void sn_boundary_arrive(sn_boundary *b) {
    if (!b->moves) return;
    memcpy(b->vertices, b->targets, b->vertex_count * sizeof *b->vertices);
    b->moves = false;
    b->fastest = 0;
    refit(b);
}

/* ---- Asking ---- */

/* The square of the distance from a point to a box. */
static inline double box_distance(const sn_bounds *box, sn_point x) {
    double dx = x.x < box->low.x ? box->low.x - x.x : x.x > box->high.x ? x.x - box->high.x : 0;
    double dy = x.y < box->low.y ? box->low.y - x.y : x.y > box->high.y ? x.y - box->high.y : 0;
    double dz = x.z < box->low.z ? box->low.z - x.z : x.z > box->high.z ? x.z - box->high.z : 0;
    return dx * dx + dy * dy + dz * dz;
}

/* Takes a triangle over if it is nearer, or as near and earlier. */
static void try_triangle(const sn_boundary *b, uint32_t t, sn_point x, double time,
                         sn_nearest *nearest) {
    sn_point corner[3];
    sn_part part;
    corners_at(b, t, time, corner);
    sn_point at = sn_closest_on_triangle(x, corner[0], corner[1], corner[2], &part);
    sn_point d = sn_point_sub(at, x);
    double square = sn_point_dot(d, d);
    if (square > nearest->square || (square == nearest->square && t >= nearest->triangle)) return;
    *nearest = (sn_nearest){t, part, at, square};
}

typedef struct entry {
    uint32_t node;
    double square;
} entry;

void sn_boundary_nearest(const sn_boundary *b, sn_point x, double time, double within,
                         sn_nearest *nearest) {
    /* Rounding must not hide a triangle behind its box: whether it does depends on the tree. */
    const double slack = 1 + 1e-12;
    const sn_bvh *bvh = &b->bvh;
    entry stack[DEPTH];
    int depth = 0;
    uint32_t hint = nearest->triangle;
    *nearest = (sn_nearest){.triangle = SN_BVH_NONE, .square = within * within};
    if (hint < b->triangle_count) try_triangle(b, hint, x, time, nearest);
    stack[depth++] = (entry){0, box_distance(&bvh->nodes[0].bounds, x)};
    while (depth > 0) {
        entry e = stack[--depth];
        if (e.square > nearest->square * slack) continue;
        const sn_bvh_node *node = &bvh->nodes[e.node];
        for (uint32_t k = 0; k < node->count; k++) {
            uint32_t t = bvh->order[node->first + k];
            if (t != hint) try_triangle(b, t, x, time, nearest);
        }
        if (node->count > 0) continue;
        /* The nearer child comes first off the stack. */
        entry first = {e.node + 1, box_distance(&node[1].bounds, x)};
        entry second = {node->first, box_distance(&bvh->nodes[node->first].bounds, x)};
        bool in_order = first.square <= second.square;
        stack[depth++] = in_order ? second : first;
        stack[depth++] = in_order ? first : second;
    }
}

/* ---- Sides ---- */

static sn_point unit_normal(const sn_point x[3], double *area) {
    sn_point normal = sn_point_normal(x[0], x[1], x[2]);
    *area = sn_point_length(normal);
    return *area > 0 ? sn_point_scaled(normal, 1 / *area) : (sn_point){0, 0, 0};
}

/* The mean over the triangles about a vertex, weighted by angles. */
static sn_point vertex_normal(const sn_boundary *b, uint32_t v, double time) {
    sn_point sum = {0, 0, 0};
    for (uint32_t i = b->ring_begin[v]; i < b->ring_begin[v + 1]; i++) {
        uint32_t t = b->ring[i];
        int k = b->triangles[t][0] == v ? 0 : b->triangles[t][1] == v ? 1 : 2;
        sn_point x[3];
        double area;
        corners_at(b, t, time, x);
        sn_point normal = unit_normal(x, &area);
        sn_point to = sn_point_sub(x[(k + 1) % 3], x[k]), from = sn_point_sub(x[(k + 2) % 3], x[k]);
        if (!(area > 0)) continue;
        sum = sn_point_add(sum, sn_point_scaled(normal, sn_angle(sn_point_dot(to, from), area)));
    }
    return sum;
}

sn_point sn_boundary_normal(const sn_boundary *b, const sn_nearest *nearest, double time) {
    uint32_t t = nearest->triangle;
    sn_point x[3];
    double area;
    if (nearest->part <= SN_PART_CORNER_2)
        return vertex_normal(b, b->triangles[t][nearest->part], time);
    corners_at(b, t, time, x);
    sn_point normal = unit_normal(x, &area);
    if (nearest->part == SN_PART_INSIDE) return normal;
    uint32_t other = b->beyond[t][nearest->part - SN_PART_SIDE_0];
    if (other == SN_BVH_NONE) return normal;
    corners_at(b, other, time, x);
    return sn_point_add(normal, unit_normal(x, &area));
}

/* Shares of the corners at a point of the triangle; of one without area, by sides. */
static void shares_of(const sn_point x[3], sn_point at, double share[3]) {
    sn_point normal = sn_point_normal(x[0], x[1], x[2]);
    double area = sn_point_dot(normal, normal);
    for (int k = 0; k < 3; k++) {
        sn_point opposite = sn_point_normal(at, x[(k + 1) % 3], x[(k + 2) % 3]);
        share[k] = area > 0 ? sn_point_dot(opposite, normal) / area : 1.0 / 3;
        if (!(share[k] > 0)) share[k] = 0;
        if (share[k] > 1) share[k] = 1;
    }
}

sn_point sn_boundary_way(const sn_boundary *b, const sn_nearest *nearest, double time) {
    sn_point way = {0, 0, 0}, x[3];
    double share[3];
    if (!b->moves || nearest->triangle == SN_BVH_NONE) return way;
    corners_at(b, nearest->triangle, time, x);
    shares_of(x, nearest->at, share);
    for (int k = 0; k < 3; k++) {
        uint32_t v = b->triangles[nearest->triangle][k];
        sn_point d = sn_point_sub(sn_point_of(b->targets[v]), sn_point_of(b->vertices[v]));
        way = sn_point_add(way, sn_point_scaled(d, share[k]));
    }
    return way;
}
