#include <sinew/volume.h>

#include "base/error.h"
#include "geometry/mesh_access.h"
#include "geometry/topology/divide_triangles.h"

static sn_result check_divisions(const sn_mesh *mesh, uint32_t divisions) {
    SN_TRY(sn_mesh_expect_sound(mesh));
    if (divisions < 1 || divisions > SN_DIVISIONS_MOST)
        return sn_fail(SN_ERROR_VALUE, "mesh: divisions is %u, expected 1 to %d", divisions,
                       SN_DIVISIONS_MOST);
    if (mesh->triangle_count == 0)
        return sn_fail(SN_ERROR_DEGENERATE, "mesh: there are no triangles to divide");
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *v = mesh->triangles[t];
        if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0])
            return sn_fail(SN_ERROR_DEGENERATE, "mesh: triangle %zu uses a vertex twice", t);
    }
    return SN_OK;
}

/* The corners of the triangle that a vertex is on; of one that is on none, itself. */
static void find_corners(const sn_mesh *mesh, const sn_divided *d, size_t vertex, uint32_t at[4],
                         sn_real share[4]) {
    bool alone = d->carrier[vertex] == SN_DIVIDED_NONE;
    for (int k = 0; k < 3; k++) {
        at[k] = alone ? (uint32_t)vertex : mesh->triangles[d->carrier[vertex]][k];
        share[k] = alone ? (sn_real)(k == 0) : d->share[vertex][k];
    }
    at[3] = at[0];
    share[3] = 0;
}

static sn_result fill_embedding(const sn_mesh *mesh, const sn_divided *d, sn_embedding *made) {
    bool own = made->allocator.reallocate != NULL;
    sn_memory memory = {.allocator = own ? made->allocator : sn_allocator_default()};
    made->count = d->vertices;
    made->tets = sn_allocate(&memory, d->vertices, sizeof *made->tets);
    made->vertices = sn_allocate(&memory, d->vertices, sizeof *made->vertices);
    made->weights = sn_allocate(&memory, d->vertices, sizeof *made->weights);
    if (!made->tets || !made->vertices || !made->weights) {
        sn_embedding_free(made);
        return SN_ERROR_MEMORY;
    }
    for (size_t v = 0; v < d->vertices; v++) {
        made->tets[v] = d->carrier[v];
        find_corners(mesh, d, v, made->vertices[v], made->weights[v]);
    }
    return SN_OK;
}

static sn_result fill_mesh(const sn_mesh *mesh, const sn_divided *d, sn_mesh *fine) {
    SN_TRY(sn_mesh_add_vertices(fine, NULL, d->vertices));
    for (size_t v = 0; v < d->vertices; v++) {
        uint32_t at[4];
        sn_real share[4];
        find_corners(mesh, d, v, at, share);
        sn_vec3 a = mesh->positions[at[0]], b = mesh->positions[at[1]], c = mesh->positions[at[2]];
        fine->positions[v] = (sn_vec3){a.x + share[1] * (b.x - a.x) + share[2] * (c.x - a.x),
                                       a.y + share[1] * (b.y - a.y) + share[2] * (c.y - a.y),
                                       a.z + share[1] * (b.z - a.z) + share[2] * (c.z - a.z)};
    }
    /* Those of the mesh are where they were, to the last bit. */
    for (size_t v = 0; v < mesh->vertex_count; v++) fine->positions[v] = mesh->positions[v];
    return sn_mesh_add_triangles(fine, (const uint32_t(*)[3])d->triangle, d->triangles);
}

sn_result sn_mesh_divide(const sn_mesh *mesh, uint32_t divisions, sn_mesh *fine,
                         sn_embedding *embedding) {
    SN_TRY(check_divisions(mesh, divisions));
    SN_TRY(sn_mesh_expect_empty(fine));
    if (embedding && embedding->size != sizeof *embedding)
        return sn_fail(SN_ERROR_DEFINITION,
                       "embedding: its size is %zu, expected %zu: begin with sn_embedding_default",
                       embedding->size, sizeof *embedding);
    if (embedding && embedding->count > 0)
        return sn_fail(SN_ERROR_VALUE, "embedding: it has %zu points, expected an empty one",
                       embedding->count);
    sn_memory memory = sn_mesh_memory(fine);
    sn_divided d;
    SN_TRY(sn_divided_create(&d, &memory, (const uint32_t(*)[3])mesh->triangles,
                             mesh->triangle_count, mesh->vertex_count, divisions));
    sn_result result = embedding ? fill_embedding(mesh, &d, embedding) : SN_OK;
    if (result == SN_OK) result = fill_mesh(mesh, &d, fine);
    if (result != SN_OK) {
        sn_mesh_free(fine);
        if (embedding) sn_embedding_free(embedding);
    }
    sn_divided_free(&d, &memory);
    return result;
}
