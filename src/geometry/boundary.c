#include "geometry/boundary.h"

#include "base/error.h"
#include "geometry/topology/triangle_edges.h"
#include "math/angle.h"
#include "math/vector.h"

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

/* The box of a triangle. */
static sn_bounds box_of(const sn_boundary *b, const sn_vec3 *vertices, size_t t) {
    sn_bounds box = sn_bounds_empty();
    for (int k = 0; k < 3; k++) sn_bounds_add(&box, sn_point_of(vertices[b->triangles[t][k]]));
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

static sn_vec4 vector_of(sn_point a) {
    return (sn_vec4){(sn_real)a.x, (sn_real)a.y, (sn_real)a.z, 0};
}

/* One of the children of a fork. */
static void hang(const sn_boundary *b, sn_fork *fork, int side, uint32_t node) {
    const sn_bvh_node *n = &b->bvh.nodes[node];
    fork->low[side] = vector_of(n->bounds.low);
    fork->high[side] = vector_of(n->bounds.high);
    fork->first[side] = n->count > 0 ? n->first : node;
    fork->count[side] = n->count;
}

/* A fork for each inner node, at its place; a tree that is a leaf becomes a fork with one child. */
static void fill_forks(sn_boundary *b) {
    for (uint32_t i = 0; i < b->bvh.node_count; i++) {
        if (b->bvh.nodes[i].count > 0) continue;
        hang(b, &b->forks[i], 0, i + 1);
        hang(b, &b->forks[i], 1, b->bvh.nodes[i].first);
    }
    if (b->bvh.nodes[0].count == 0) return;
    hang(b, &b->forks[0], 0, 0);
    b->forks[0].first[1] = 0;
    b->forks[0].count[1] = 1;
    b->forks[0].low[1] = (sn_vec4){SN_REAL_MAX, SN_REAL_MAX, SN_REAL_MAX, 0};
}

static void fill_facets(sn_boundary *b) {
    for (size_t i = 0; i < b->triangle_count; i++) {
        uint32_t t = b->bvh.order[i];
        sn_facet *f = &b->facets[i];
        f->low = vector_of(b->boxes[t].low);
        f->high = vector_of(b->boxes[t].high);
        f->triangle = t;
        for (int k = 0; k < 3; k++) f->corner[k] = b->vertices[b->triangles[t][k]];
    }
}

static void fill(sn_boundary *b) {
    fill_forks(b);
    fill_facets(b);
}

static sn_result build_tree(sn_boundary *b, sn_memory *memory) {
    b->boxes = sn_allocate(memory, b->triangle_count, sizeof *b->boxes);
    b->facets = sn_allocate(memory, b->triangle_count, sizeof *b->facets);
    if (!b->boxes || !b->facets) return SN_ERROR_MEMORY;
    for (size_t t = 0; t < b->triangle_count; t++) b->boxes[t] = box_of(b, b->vertices, t);
    SN_TRY(sn_bvh_create(&b->bvh, memory, b->boxes, b->triangle_count));
    b->forks = sn_allocate(memory, b->bvh.node_count, sizeof *b->forks);
    if (!b->forks) return SN_ERROR_MEMORY;
    b->fork_count = b->bvh.node_count;
    fill(b);
    return SN_OK;
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
    sn_free(memory, b->facets, b->triangle_count, sizeof *b->facets);
    sn_free(memory, b->forks, b->fork_count, sizeof *b->forks);
    sn_free(memory, b->fork_motions, 2 * b->fork_count, sizeof *b->fork_motions);
    sn_free(memory, b->facet_motions, b->triangle_count, sizeof *b->facet_motions);
    sn_free(memory, b->ring_begin, b->vertex_count + 1, sizeof *b->ring_begin);
    sn_free(memory, b->ring, 3 * b->triangle_count, sizeof *b->ring);
    sn_free(memory, b->beyond, b->triangle_count, sizeof *b->beyond);
    sn_free(memory, b->crests, b->triangle_count, sizeof *b->crests);
    sn_bvh_free(&b->bvh, memory);
    *b = (sn_boundary){0};
}

/* ---- Moving ---- */

static void refit(sn_boundary *b, const sn_vec3 *vertices) {
    for (size_t t = 0; t < b->triangle_count; t++) b->boxes[t] = box_of(b, vertices, t);
    sn_bvh_refit(&b->bvh, b->boxes);
    fill(b);
}

static sn_vec4 difference(sn_vec4 a, sn_vec4 b) {
    return (sn_vec4){a.x - b.x, a.y - b.y, a.z - b.z, 0};
}

static sn_moving_box displacement_of(const sn_vec4 *low, const sn_vec4 *high,
                                     const sn_moving_box *end) {
    return (sn_moving_box){difference(end->low, *low), difference(end->high, *high)};
}

/* Where boxes end, and then their paths from where they begin. */
static void fit_motions(sn_boundary *b) {
    refit(b, b->targets);
    sn_bounds all = b->bvh.nodes[0].bounds;
    for (size_t i = 0; i < 2 * b->fork_count; i++)
        b->fork_motions[i] =
            (sn_moving_box){b->forks[i / 2].low[i % 2], b->forks[i / 2].high[i % 2]};
    for (size_t i = 0; i < b->triangle_count; i++)
        b->facet_motions[i] = (sn_moving_box){b->facets[i].low, b->facets[i].high};
    refit(b, b->vertices);
    for (size_t i = 0; i < 2 * b->fork_count; i++)
        b->fork_motions[i] = displacement_of(&b->forks[i / 2].low[i % 2],
                                             &b->forks[i / 2].high[i % 2], &b->fork_motions[i]);
    for (size_t i = 0; i < b->triangle_count; i++)
        b->facet_motions[i] =
            displacement_of(&b->facets[i].low, &b->facets[i].high, &b->facet_motions[i]);
    sn_bounds_join(&b->bvh.nodes[0].bounds, all);
}

static bool reserve_motions(sn_boundary *b, sn_memory *memory) {
    if (!b->targets) b->targets = sn_allocate(memory, b->vertex_count, sizeof *b->targets);
    if (!b->fork_motions)
        b->fork_motions = sn_allocate(memory, 2 * b->fork_count, sizeof *b->fork_motions);
    if (!b->facet_motions)
        b->facet_motions = sn_allocate(memory, b->triangle_count, sizeof *b->facet_motions);
    return b->targets && b->fork_motions && b->facet_motions;
}

bool sn_boundary_send(sn_boundary *b, sn_memory *memory, const sn_vec3 *targets) {
    if (!reserve_motions(b, memory)) return false;
    memmove(b->targets, targets, b->vertex_count * sizeof *targets);
    b->moves = true;
    double square = 0;
    for (size_t v = 0; v < b->vertex_count; v++) {
        sn_point displacement =
            sn_point_sub(sn_point_of(b->targets[v]), sn_point_of(b->vertices[v]));
        if (sn_point_dot(displacement, displacement) > square)
            square = sn_point_dot(displacement, displacement);
    }
    b->fastest = __builtin_sqrt(square);
    fit_motions(b);
    return true;
}

void sn_boundary_arrive(sn_boundary *b) {
    if (!b->moves) return;
    memcpy(b->vertices, b->targets, b->vertex_count * sizeof *b->vertices);
    b->moves = b->crests_known = false;
    b->fastest = 0;
    refit(b, b->vertices);
}

/* ---- Asking ---- */

static inline sn_v4 higher(sn_v4 a, sn_v4 b) {
    sn_v4_bits which = (sn_v4_bits)(a > b);
    return (sn_v4)(((sn_v4_bits)a & which) | ((sn_v4_bits)b & ~which));
}

/* m^2: from a point to a box. Without branches, of which half would be guessed wrong. */
static inline sn_real box_distance(const sn_vec4 *low, const sn_vec4 *high, sn_v4 x) {
    sn_v4 below = (sn_v4){low->x, low->y, low->z, 0} - x;
    sn_v4 above = x - (sn_v4){high->x, high->y, high->z, 0};
    sn_v4 out = higher(higher(below, above), (sn_v4){0});
    return sn_v4_dot(out, out);
}

static inline sn_vec4 along(const sn_vec4 *from, const sn_vec4 *displacement, sn_real time) {
    return (sn_vec4){from->x + time * displacement->x, from->y + time * displacement->y,
                     from->z + time * displacement->z, 0};
}

/* m^2: the same to a box on its way. */
static inline sn_real moving_distance(const sn_vec4 *low, const sn_vec4 *high,
                                      const sn_moving_box *displacement, sn_real time, sn_v4 x) {
    sn_vec4 lower = along(low, &displacement->low, time),
            upper = along(high, &displacement->high, time);
    return box_distance(&lower, &upper, x);
}

static inline sn_real fork_distance(const sn_boundary *b, uint32_t fork, int side, double time,
                                    sn_v4 x) {
    const sn_vec4 *low = &b->forks[fork].low[side], *high = &b->forks[fork].high[side];
    if (!b->moves) return box_distance(low, high, x);
    return moving_distance(low, high, &b->fork_motions[2 * (size_t)fork + (size_t)side],
                           (sn_real)time, x);
}

static inline sn_real facet_distance(const sn_boundary *b, const sn_facet *f, double time,
                                     sn_v4 x) {
    if (!b->moves) return box_distance(&f->low, &f->high, x);
    return moving_distance(&f->low, &f->high, &b->facet_motions[f - b->facets], (sn_real)time, x);
}

/* Takes a triangle over if it is nearer, or as near and earlier. */
static void try_corners(const sn_point corner[3], uint32_t t, sn_point x, sn_foot *nearest) {
    sn_part part;
    sn_point at = sn_closest_on_triangle(x, corner[0], corner[1], corner[2], &part);
    sn_point d = sn_point_sub(at, x);
    double square = sn_point_dot(d, d);
    if (square > nearest->square || (square == nearest->square && t >= nearest->triangle)) return;
    *nearest = (sn_foot){t, part, at, square};
}

static void try_facet(const sn_boundary *b, const sn_facet *f, sn_point x, double time,
                      sn_foot *nearest) {
    sn_point corner[3];
    if (b->moves)
        corners_at(b, f->triangle, time, corner);
    else
        for (int k = 0; k < 3; k++) corner[k] = sn_point_of(f->corner[k]);
    try_corners(corner, f->triangle, x, nearest);
}

typedef struct entry {
    uint32_t fork;
    sn_real square;
} entry;

/* Rounding must not hide a triangle behind its box: whether it does depends on the tree. */
static sn_real limit_of(const sn_foot *nearest) {
    return (sn_real)(nearest->square * (1 + 1e-5));
}

static void try_leaf(const sn_boundary *b, const sn_facet *first, uint32_t count, sn_point x,
                     double time, sn_foot *nearest) {
    const sn_v4 at = {(sn_real)x.x, (sn_real)x.y, (sn_real)x.z, 0};
    sn_real limit = limit_of(nearest);
    for (const sn_facet *f = first; f < first + count; f++) {
        if (facet_distance(b, f, time, at) > limit) continue;
        try_facet(b, f, x, time, nearest);
        limit = limit_of(nearest);
    }
}

static void begin_with(const sn_boundary *b, uint32_t hint, sn_point x, double time,
                       sn_foot *nearest) {
    sn_point corner[3];
    corners_at(b, hint, time, corner);
    try_corners(corner, hint, x, nearest);
}

static void search(const sn_boundary *b, sn_point x, double time, sn_foot *nearest) {
    const sn_v4 at = {(sn_real)x.x, (sn_real)x.y, (sn_real)x.z, 0};
    entry stack[DEPTH];
    int depth = 0;
    sn_real limit = limit_of(nearest);
    for (entry e = {0, 0};; e = stack[--depth]) {
        /* Down to a leaf, always to the nearer side; the other one waits on the stack. */
        while (e.square <= limit) {
            const sn_fork *fork = &b->forks[e.fork];
            sn_real far[2] = {fork_distance(b, e.fork, 0, time, at),
                              fork_distance(b, e.fork, 1, time, at)};
            int near = far[1] < far[0];
            bool both = far[!near] <= limit;
            e = (entry){fork->first[near], far[near]};
            if (both && fork->count[!near] == 0)
                stack[depth++] = (entry){fork->first[!near], far[!near]};
            if (!(e.square <= limit)) break;
            bool leaf = fork->count[near] > 0;
            if (leaf) try_leaf(b, &b->facets[e.fork], fork->count[near], x, time, nearest);
            if (both && fork->count[!near] > 0)
                try_leaf(b, &b->facets[fork->first[!near]], fork->count[!near], x, time, nearest);
            limit = limit_of(nearest);
            if (leaf) break;
        }
        if (depth == 0) return;
    }
}

/* ---- Asking from afar ---- */

/*
 * From a thousand times its size all of a surface is as far away, to the digits of a float, and
 * every triangle would be looked at. So boxes are compared in double from there. Where that has too
 * few digits as well, the point is brought nearer along its way to the surface: to parts in 10^11
 * all of the surface is as far away from either.
 */
static const double AFAR = 64, FURTHEST = 131072; /* of the size of the surface */

static sn_point point_of(sn_vec4 a) {
    return (sn_point){(double)a.x, (double)a.y, (double)a.z};
}

static double far_square(const sn_vec4 *low, const sn_vec4 *high, const sn_moving_box *motion,
                         double time, sn_point x) {
    sn_bounds box = {point_of(*low), point_of(*high)};
    if (motion) {
        box.low = sn_point_add(box.low, sn_point_scaled(point_of(motion->low), time));
        box.high = sn_point_add(box.high, sn_point_scaled(point_of(motion->high), time));
    }
    return sn_bounds_square(&box, x);
}

/* Of rounding: of squares, and of boxes on their way. */
static double far_limit(const sn_foot *nearest, double size) {
    return nearest->square * (1 + 1e-13) + 2e-6 * size * __builtin_sqrt(nearest->square);
}

static void try_leaf_from_afar(const sn_boundary *b, const sn_facet *first, uint32_t count,
                               sn_point x, double time, double size, sn_foot *nearest) {
    for (const sn_facet *f = first; f < first + count; f++) {
        const sn_moving_box *motion = b->moves ? &b->facet_motions[f - b->facets] : NULL;
        if (far_square(&f->low, &f->high, motion, time, x) <= far_limit(nearest, size))
            try_facet(b, f, x, time, nearest);
    }
}

static void search_from_afar(const sn_boundary *b, sn_point x, double time, double size,
                             sn_foot *nearest) {
    struct {
        uint32_t fork;
        double square;
    } stack[DEPTH] = {{0, 0}};
    for (int depth = 1; depth > 0;) {
        uint32_t i = stack[--depth].fork;
        if (!(stack[depth].square <= far_limit(nearest, size))) continue;
        const sn_fork *fork = &b->forks[i];
        double far[2];
        for (int k = 0; k < 2; k++) {
            const sn_moving_box *motion = b->moves ? &b->fork_motions[2 * (size_t)i] + k : NULL;
            far[k] = far_square(&fork->low[k], &fork->high[k], motion, time, x);
        }
        /* Leaves at once, the nearer one first; of forks it comes first off the stack. */
        int near = far[1] < far[0];
        for (int n = 0; n < 2; n++) {
            int leaf = n ? !near : near, k = n ? near : !near;
            if (far[leaf] <= far_limit(nearest, size))
                try_leaf_from_afar(b, &b->facets[fork->first[leaf]], fork->count[leaf], x, time,
                                   size, nearest);
            if (fork->count[k] > 0) continue;
            stack[depth].fork = fork->first[k];
            stack[depth++].square = far[k];
        }
    }
}

/* Whether the point is so far away; where it is asked for from. */
static bool is_afar(const sn_boundary *b, sn_point x, double within, double *size, sn_point *from) {
    const sn_bounds *all = &b->bvh.nodes[0].bounds;
    *size = sn_bounds_diagonal(*all);
    if (!(within > AFAR * *size)) return false;
    double away = __builtin_sqrt(sn_bounds_square(all, x)), most = FURTHEST * *size;
    if (!(away > AFAR * *size) || !(away < __builtin_inf())) return false;
    sn_point middle = sn_point_scaled(sn_point_add(all->low, all->high), 0.5);
    sn_point to = sn_point_scaled(sn_point_sub(x, middle), most / away);
    *from = away > most ? sn_point_add(middle, to) : x;
    return true;
}

static void nearest_from_afar(const sn_boundary *b, sn_point x, sn_point from, double time,
                              double size, sn_foot *nearest) {
    const double within = nearest->square;
    uint32_t hint = nearest->triangle;
    *nearest = (sn_foot){.triangle = SN_BVH_NONE, .square = __builtin_inf()};
    if (hint < b->triangle_count) begin_with(b, hint, from, time, nearest);
    search_from_afar(b, from, time, size, nearest);
    sn_point d = sn_point_sub(nearest->at, x);
    nearest->square = sn_point_dot(d, d);
    if (nearest->square > within) *nearest = (sn_foot){.triangle = SN_BVH_NONE, .square = within};
}

void sn_boundary_nearest(const sn_boundary *b, sn_point x, double time, double within,
                         sn_foot *nearest) {
    uint32_t hint = nearest->triangle;
    double size;
    sn_point from;
    *nearest = (sn_foot){.triangle = hint, .square = within * within};
    if (is_afar(b, x, within, &size, &from)) {
        nearest_from_afar(b, x, from, time, size, nearest);
        return;
    }
    nearest->triangle = SN_BVH_NONE;
    if (hint < b->triangle_count) begin_with(b, hint, x, time, nearest);
    search(b, x, time, nearest);
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

sn_point sn_boundary_normal(const sn_boundary *b, const sn_foot *nearest, double time) {
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

sn_point sn_boundary_displacement(const sn_boundary *b, const sn_foot *nearest, double time) {
    sn_point displacement = {0, 0, 0}, x[3];
    double share[3];
    if (!b->moves || nearest->triangle == SN_BVH_NONE) return displacement;
    corners_at(b, nearest->triangle, time, x);
    shares_of(x, nearest->at, share);
    for (int k = 0; k < 3; k++) {
        uint32_t v = b->triangles[nearest->triangle][k];
        sn_point d = sn_point_sub(sn_point_of(b->targets[v]), sn_point_of(b->vertices[v]));
        displacement = sn_point_add(displacement, sn_point_scaled(d, share[k]));
    }
    return displacement;
}
