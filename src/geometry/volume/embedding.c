#include <sinew/volume.h>

#include "base/error.h"
#include "geometry/bvh.h"
#include "geometry/closest_point.h"
#include "geometry/mesh_access.h"
#include "geometry/repair/element_flaws.h"

#include <math.h>

sn_embedding sn_embedding_default(void) {
    return (sn_embedding){.size = sizeof(sn_embedding)};
}

static sn_result expect(const sn_embedding *embedding) {
    if (!embedding) return sn_fail(SN_ERROR_NULL, "embedding: it is null");
    if (embedding->size != sizeof *embedding)
        return sn_fail(SN_ERROR_DEFINITION,
                       "embedding: its size is %zu, expected %zu: begin with "
                       "sn_embedding_default",
                       embedding->size, sizeof *embedding);
    return SN_OK;
}

static sn_memory memory_of(const sn_embedding *embedding) {
    bool own = embedding->allocator.reallocate != NULL;
    return (sn_memory){.allocator = own ? embedding->allocator : sn_allocator_default()};
}

void sn_embedding_free(sn_embedding *embedding) {
    if (!embedding || embedding->size != sizeof *embedding) return;
    sn_memory memory = memory_of(embedding);
    size_t count = embedding->count;
    sn_free(&memory, embedding->tets, count, sizeof *embedding->tets);
    sn_free(&memory, embedding->vertices, count, sizeof *embedding->vertices);
    sn_free(&memory, embedding->weights, count, sizeof *embedding->weights);
    sn_allocator allocator = embedding->allocator;
    *embedding = sn_embedding_default();
    embedding->allocator = allocator;
}

/* ---- Finding ---- */

/* The shares of the four corners in a point. */
static void find_weights(const sn_mesh *tets, uint32_t tet, sn_point x, double weight[4]) {
    sn_point a[4];
    for (int k = 0; k < 4; k++) a[k] = sn_mesh_point(tets, tets->tets[tet][k]);
    double volume = sn_point_det(a[0], a[1], a[2], a[3]);
    weight[0] = sn_point_det(x, a[1], a[2], a[3]) / volume;
    weight[1] = sn_point_det(a[0], x, a[2], a[3]) / volume;
    weight[2] = sn_point_det(a[0], a[1], x, a[3]) / volume;
    weight[3] = 1 - weight[0] - weight[1] - weight[2];
}

/* The square of the distance from a point to a tetrahedron: 0 inside. */
static double square_to(void *user, uint32_t item, sn_point x) {
    const sn_mesh *tets = user;
    double weight[4], nearest = INFINITY;
    find_weights(tets, item, x, weight);
    if (weight[0] >= 0 && weight[1] >= 0 && weight[2] >= 0 && weight[3] >= 0) return 0;
    const uint32_t *v = tets->tets[item];
    for (int k = 0; k < 4; k++) {
        sn_point a = sn_mesh_point(tets, v[k]), b = sn_mesh_point(tets, v[(k + 1) % 4]);
        sn_point c = sn_mesh_point(tets, v[(k + 2) % 4]);
        sn_point d = sn_point_sub(sn_closest_on_triangle(x, a, b, c, NULL), x);
        double square = sn_point_dot(d, d);
        if (square < nearest) nearest = square;
    }
    return nearest;
}

static sn_result check_tets(const sn_mesh *tets) {
    if (tets->tet_count == 0)
        return sn_fail(SN_ERROR_DEGENERATE, "embedding: the mesh has no tets to embed in");
    for (size_t t = 0; t < tets->tet_count; t++) {
        sn_point x[4];
        for (int k = 0; k < 4; k++) x[k] = sn_mesh_point(tets, tets->tets[t][k]);
        if (sn_tet_flaw(x) == SN_FLAW_FLAT)
            return sn_fail(SN_ERROR_DEGENERATE,
                           "embedding: tet %zu has no volume, expected some (sn_mesh_clean removes "
                           "such)",
                           t);
    }
    return SN_OK;
}

static sn_result build_tree(const sn_mesh *tets, sn_memory *memory, sn_bvh *bvh) {
    sn_bounds *boxes = sn_allocate(memory, tets->tet_count, sizeof *boxes);
    if (!boxes) return SN_ERROR_MEMORY;
    for (size_t t = 0; t < tets->tet_count; t++) {
        boxes[t] = sn_bounds_empty();
        for (int k = 0; k < 4; k++) sn_bounds_add(&boxes[t], sn_mesh_point(tets, tets->tets[t][k]));
    }
    sn_result result = sn_bvh_create(bvh, memory, boxes, tets->tet_count);
    sn_free(memory, boxes, tets->tet_count, sizeof *boxes);
    return result;
}

static sn_result embed(const sn_mesh *surface, const sn_mesh *tets, const sn_bvh *bvh,
                       sn_embedding *embedding) {
    for (uint32_t i = 0; i < surface->vertex_count; i++) {
        sn_point x = sn_mesh_point(surface, i);
        double square, weight[4];
        uint32_t tet =
            sn_bvh_nearest(bvh, x, INFINITY, square_to, (void *)(uintptr_t)tets, &square);
        if (tet == SN_BVH_NONE)
            return sn_fail(SN_ERROR_VALUE,
                           "embedding: vertex %u is at %g %g %g, too far from all tets", i, x.x,
                           x.y, x.z);
        find_weights(tets, tet, x, weight);
        embedding->tets[i] = tet;
        for (int k = 0; k < 4; k++) {
            embedding->vertices[i][k] = tets->tets[tet][k];
            embedding->weights[i][k] = (sn_real)weight[k];
        }
    }
    return SN_OK;
}

sn_result sn_embed(const sn_mesh *surface, const sn_mesh *tets, sn_embedding *embedding) {
    SN_TRY(sn_mesh_expect_sound(surface));
    SN_TRY(sn_mesh_expect_sound(tets));
    SN_TRY(expect(embedding));
    if (embedding->count > 0)
        return sn_fail(SN_ERROR_VALUE, "embedding: it has %zu points, expected an empty one",
                       embedding->count);
    sn_memory memory = memory_of(embedding);
    SN_TRY(check_tets(tets));
    sn_bvh bvh;
    SN_TRY(build_tree(tets, &memory, &bvh));
    size_t count = surface->vertex_count;
    sn_embedding made = *embedding;
    made.count = count;
    made.tets = sn_allocate(&memory, count, sizeof *made.tets);
    made.vertices = sn_allocate(&memory, count, sizeof *made.vertices);
    made.weights = sn_allocate(&memory, count, sizeof *made.weights);
    bool there = made.tets && made.vertices && made.weights;
    sn_result result = there ? embed(surface, tets, &bvh, &made) : SN_ERROR_MEMORY;
    sn_bvh_free(&bvh, &memory);
    if (result == SN_OK)
        *embedding = made;
    else
        sn_embedding_free(&made);
    return result;
}

sn_result sn_embedding_apply(const sn_embedding *embedding, const sn_vec3 *positions,
                             sn_vec3 *points) {
    SN_TRY(expect(embedding));
    if (!positions || !points)
        return sn_fail(SN_ERROR_NULL, "embedding: %s is null", positions ? "points" : "positions");
    for (size_t i = 0; i < embedding->count; i++) {
        const uint32_t *v = embedding->vertices[i];
        const sn_real *w = embedding->weights[i];
        /* Relative to the first vertex: far from the origin nothing is lost. */
        sn_vec3 o = positions[v[0]], sum = {0, 0, 0};
        for (int k = 1; k < 4; k++) {
            sn_vec3 x = positions[v[k]];
            sum.x += w[k] * (x.x - o.x);
            sum.y += w[k] * (x.y - o.y);
            sum.z += w[k] * (x.z - o.z);
        }
        points[i] = (sn_vec3){o.x + sum.x, o.y + sum.y, o.z + sum.z};
    }
    return SN_OK;
}
