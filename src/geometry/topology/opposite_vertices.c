/*
 * Pairs of opposing vertices (Diziol, Bender and Bayer 2011; survey of position based methods,
 * section 5.5.3): a ray goes from every vertex into the body, against the normal there, and the
 * corner that is nearest to where it leaves the body is the opposite.
 *
 * Where a ray along the normal of the vertex meets nothing, which happens at sharp tips and on
 * surfaces that are not closed, rays along the normals of its triangles are tried, in their order.
 * Everything is in double and every choice has an order, so that pairs are the same everywhere.
 */
#include "geometry/topology/opposite_vertices.h"

#include "base/error.h"
#include "geometry/bvh.h"
#include "geometry/mesh_access.h"

typedef struct surface {
    const uint32_t *triangles;
    const sn_vec3 *x;
    size_t count;
    sn_bvh bvh;
    double least; /* m, what is nearer is where the ray began */
} surface;

typedef struct ray {
    const surface *s;
    sn_point from, direction; /* m; of length 1 */
    uint32_t vertex;          /* where it begins */
    double length;            /* m, to the nearest hit so far */
    uint32_t triangle;        /* that it hit */
} ray;

static sn_point corner_of(const surface *s, size_t triangle, int k) {
    return sn_point_of(s->x[s->triangles[3 * triangle + (size_t)k]]);
}

static sn_point normal_of(const surface *s, size_t triangle) {
    return sn_point_normal(corner_of(s, triangle, 0), corner_of(s, triangle, 1),
                           corner_of(s, triangle, 2));
}

/* ---- One ray ---- */

/* Whether the ray is in the box before its nearest hit. A little wider than it is, for rounding. */
static bool hits_box(const ray *r, const sn_bounds *box) {
    const double *from = &r->from.x, *direction = &r->direction.x, *low = &box->low.x,
                 *high = &box->high.x;
    double enter = 0, leave = r->length, wide = r->s->least;
    for (int k = 0; k < 3; k++) {
        double a = low[k] - wide - from[k], b = high[k] + wide - from[k];
        if (direction[k] == 0) {
            if (a > 0 || b < 0) return false;
            continue;
        }
        double first = a / direction[k], second = b / direction[k];
        if (first > second) {
            double swap = first;
            first = second;
            second = swap;
        }
        enter = first > enter ? first : enter;
        leave = second < leave ? second : leave;
    }
    return enter <= leave;
}

/* Takes a triangle that the ray leaves the body through, if it is the nearest. */
static void hit_triangle(ray *r, uint32_t triangle) {
    const surface *s = r->s;
    const uint32_t *corner = s->triangles + 3 * (size_t)triangle;
    if (corner[0] == r->vertex || corner[1] == r->vertex || corner[2] == r->vertex) return;
    sn_point a = corner_of(s, triangle, 0);
    sn_point e = sn_point_sub(corner_of(s, triangle, 1), a);
    sn_point f = sn_point_sub(corner_of(s, triangle, 2), a), n = sn_point_cross(e, f);
    double along = sn_point_dot(n, r->direction);
    if (!(along > 0)) return;
    sn_point to = sn_point_sub(a, r->from), across = sn_point_cross(r->direction, to);
    double far = sn_point_dot(to, n) / along;
    /* Shares of the second and the third corner. Edges belong to both sides, so no ray slips
       through between them. */
    double second = -sn_point_dot(f, across) / along, third = sn_point_dot(e, across) / along;
    const double rounding = -1e-9;
    if (!(second >= rounding && third >= rounding && second + third <= 1 - rounding)) return;
    if (!(far > s->least) || far > r->length) return;
    if (far == r->length && triangle > r->triangle) return;
    r->length = far;
    r->triangle = triangle;
}

static void shoot(ray *r) {
    const sn_bvh *bvh = &r->s->bvh;
    uint32_t stack[SN_LINEAR_BVH_DEPTH];
    int depth = 0;
    if (bvh->node_count > 0) stack[depth++] = 0;
    while (depth > 0) {
        uint32_t at = stack[--depth];
        const sn_bvh_node *node = &bvh->nodes[at];
        if (!hits_box(r, &node->bounds)) continue;
        for (uint32_t k = 0; k < node->count; k++) hit_triangle(r, bvh->order[node->first + k]);
        if (node->count > 0) continue;
        stack[depth++] = node->first;
        stack[depth++] = at + 1;
    }
}

/* The corner of what the ray hit that is nearest to there, the lowest of those. */
static uint32_t nearest_corner(const ray *r) {
    sn_point hit = sn_point_add(r->from, sn_point_scaled(r->direction, r->length));
    uint32_t found = SN_OPPOSITE_NONE;
    double least = __builtin_inf();
    for (int k = 0; k < 3; k++) {
        uint32_t vertex = r->s->triangles[3 * (size_t)r->triangle + (size_t)k];
        sn_point to = sn_point_sub(sn_point_of(r->s->x[vertex]), hit);
        double square = sn_point_dot(to, to);
        if (square > least || (square == least && vertex > found)) continue;
        least = square;
        found = vertex;
    }
    return found;
}

/* What lies against a normal of any length. */
static uint32_t behind(const surface *s, uint32_t vertex, sn_point normal) {
    double length = sn_point_length(normal);
    if (!(length > 0) || length > 1e300) return SN_OPPOSITE_NONE;
    ray r = {.s = s,
             .from = sn_point_of(s->x[vertex]),
             .direction = sn_point_scaled(normal, -1 / length),
             .vertex = vertex,
             .length = __builtin_inf(),
             .triangle = UINT32_MAX};
    shoot(&r);
    return r.triangle == UINT32_MAX ? SN_OPPOSITE_NONE : nearest_corner(&r);
}

/* ---- All of them ---- */

static sn_result make_tree(surface *s, sn_memory *memory) {
    sn_bounds *box = sn_allocate(memory, s->count + 1, sizeof *box), all = sn_bounds_empty();
    if (!box) return SN_ERROR_MEMORY;
    for (size_t t = 0; t < s->count; t++) {
        box[t] = sn_bounds_empty();
        for (int k = 0; k < 3; k++) sn_bounds_add(&box[t], corner_of(s, t, k));
        sn_bounds_join(&all, box[t]);
    }
    s->least = s->count > 0 ? 1e-9 * sn_bounds_diagonal(all) : 0;
    sn_result result = sn_bvh_create(&s->bvh, memory, box, s->count);
    sn_free(memory, box, s->count + 1, sizeof *box);
    return result;
}

static void find(const surface *s, sn_point *normal, size_t vertices, uint32_t *opposite) {
    for (size_t t = 0; t < s->count; t++) {
        sn_point n = normal_of(s, t);
        for (int k = 0; k < 3; k++) {
            sn_point *sum = &normal[s->triangles[3 * t + (size_t)k]];
            *sum = sn_point_add(*sum, n);
        }
    }
    for (uint32_t i = 0; i < vertices; i++) opposite[i] = behind(s, i, normal[i]);
    for (size_t t = 0; t < s->count; t++)
        for (int k = 0; k < 3; k++) {
            uint32_t i = s->triangles[3 * t + (size_t)k];
            if (opposite[i] == SN_OPPOSITE_NONE) opposite[i] = behind(s, i, normal_of(s, t));
        }
}

sn_result sn_opposites_find(sn_memory *memory, const uint32_t *triangles, size_t count,
                            const sn_vec3 *x, size_t vertices, uint32_t *opposite) {
    surface s = {.triangles = triangles, .x = x, .count = count};
    sn_point *normal = sn_allocate(memory, vertices + 1, sizeof *normal);
    if (!normal) return SN_ERROR_MEMORY;
    sn_result result = make_tree(&s, memory);
    if (result == SN_OK) {
        find(&s, normal, vertices, opposite);
        sn_bvh_free(&s.bvh, memory);
    }
    sn_free(memory, normal, vertices + 1, sizeof *normal);
    return result;
}

sn_result sn_mesh_opposites(const sn_mesh *mesh, uint32_t *opposite) {
    SN_TRY(sn_mesh_expect_sound(mesh));
    if (!opposite) return sn_fail(SN_ERROR_NULL, "mesh: where to write the opposites is null");
    sn_memory memory = sn_mesh_memory(mesh);
    return sn_opposites_find(&memory, (const uint32_t *)mesh->triangles, mesh->triangle_count,
                             mesh->positions, mesh->vertex_count, opposite);
}
