/*
 * Vertices in the middle of edges. A tet becomes eight: one at each corner, and the octahedron
 * between them, which is cut along the line from the middle of edge 02 to that of edge 13.
 */
#include <sinew/volume.h>

#include "base/error.h"
#include "geometry/mesh_access.h"
#include "geometry/topology/edge_elements.h"

#include <string.h>

static sn_result check_tets(const sn_mesh *mesh) {
    SN_TRY(sn_mesh_expect_sound(mesh));
    if (mesh->tet_count == 0)
        return sn_fail(SN_ERROR_DEGENERATE, "mesh: there are no tets whose edges have a middle");
    for (size_t t = 0; t < mesh->tet_count; t++) {
        const uint32_t *v = mesh->tets[t];
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < i; j++)
                if (v[i] == v[j])
                    return sn_fail(SN_ERROR_DEGENERATE, "mesh: tet %zu uses vertex %u twice", t,
                                   v[i]);
    }
    return SN_OK;
}

/* The number of an edge; that of all edges where there is none. */
static size_t find_edge(const sn_pairs *edges, uint32_t one, uint32_t other) {
    uint32_t a = one < other ? one : other, b = one < other ? other : one;
    size_t low = 0, high = edges->count;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        const sn_pair *e = &edges->pair[mid];
        if (e->a < a || (e->a == a && e->b < b))
            low = mid + 1;
        else
            high = mid;
    }
    bool found = low < edges->count && edges->pair[low].a == a && edges->pair[low].b == b;
    return found ? low : edges->count;
}

static uint32_t middle_of(const sn_mesh *mesh, const sn_pairs *edges, uint32_t a, uint32_t b) {
    return (uint32_t)(mesh->vertex_count + find_edge(edges, a, b));
}

static void put_vertices(const sn_mesh *mesh, const sn_pairs *edges, sn_mesh *fine) {
    const sn_real half = (sn_real)0.5;
    for (size_t v = 0; v < mesh->vertex_count; v++) fine->positions[v] = mesh->positions[v];
    for (size_t e = 0; e < edges->count; e++) {
        sn_vec3 a = mesh->positions[edges->pair[e].a], b = mesh->positions[edges->pair[e].b];
        fine->positions[mesh->vertex_count + e] =
            (sn_vec3){a.x + half * (b.x - a.x), a.y + half * (b.y - a.y), a.z + half * (b.z - a.z)};
    }
}

static sn_result add_tets(const sn_mesh *mesh, const sn_pairs *edges, sn_mesh *fine) {
    for (size_t t = 0; t < mesh->tet_count; t++) {
        const uint32_t *v = mesh->tets[t];
        uint32_t made[8][4], m[4][4];
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++)
                m[i][j] = i == j ? v[i] : middle_of(mesh, edges, v[i], v[j]);
        memcpy(made, m, sizeof m);
        const uint32_t ring[5] = {m[0][1], m[1][2], m[2][3], m[3][0], m[0][1]};
        for (int i = 0; i < 4; i++) {
            const uint32_t inner[4] = {m[0][2], m[1][3], ring[i], ring[i + 1]};
            memcpy(made[4 + i], inner, sizeof inner);
        }
        SN_TRY(sn_mesh_add_tets(fine, (const uint32_t(*)[4])made, 8));
    }
    return SN_OK;
}

static sn_result add_triangles(const sn_mesh *mesh, const sn_pairs *edges, sn_mesh *fine) {
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *v = mesh->triangles[t];
        uint32_t m[3];
        for (int i = 0; i < 3; i++) {
            uint32_t a = v[i], b = v[(i + 1) % 3];
            if (find_edge(edges, a, b) == edges->count)
                return sn_fail(SN_ERROR_DEGENERATE,
                               "mesh: the side of triangle %zu from vertex %u to %u is no edge of "
                               "a tet, expected triangles between tets or around them",
                               t, a, b);
            m[i] = middle_of(mesh, edges, a, b);
        }
        const uint32_t made[4][3] = {
            {v[0], m[0], m[2]}, {m[0], v[1], m[1]}, {m[2], m[1], v[2]}, {m[0], m[1], m[2]}};
        SN_TRY(sn_mesh_add_triangles(fine, made, 4));
    }
    return SN_OK;
}

/* `is_in` has room for a mark per vertex. */
static sn_result add_group(const sn_mesh *mesh, const sn_pairs *edges, const sn_mesh_group *group,
                           uint8_t *is_in, sn_mesh *fine) {
    SN_TRY(sn_mesh_add_group(fine, group->name, group->vertices, group->count));
    memset(is_in, 0, mesh->vertex_count);
    for (size_t i = 0; i < group->count; i++) is_in[group->vertices[i]] = 1;
    for (size_t e = 0; e < edges->count; e++) {
        uint32_t vertex = (uint32_t)(mesh->vertex_count + e);
        if (is_in[edges->pair[e].a] && is_in[edges->pair[e].b])
            SN_TRY(sn_mesh_add_group(fine, group->name, &vertex, 1));
    }
    return SN_OK;
}

static sn_result fill(const sn_mesh *mesh, const sn_pairs *edges, uint8_t *is_in, sn_mesh *fine) {
    SN_TRY(sn_mesh_add_vertices(fine, NULL, mesh->vertex_count + edges->count));
    put_vertices(mesh, edges, fine);
    SN_TRY(add_tets(mesh, edges, fine));
    SN_TRY(add_triangles(mesh, edges, fine));
    for (size_t g = 0; g < mesh->group_count; g++)
        SN_TRY(add_group(mesh, edges, &mesh->groups[g], is_in, fine));
    return SN_OK;
}

sn_result sn_mesh_add_midpoints(const sn_mesh *mesh, sn_mesh *fine) {
    SN_TRY(check_tets(mesh));
    SN_TRY(sn_mesh_expect_empty(fine));
    sn_memory memory = sn_mesh_memory(fine);
    sn_pairs edges;
    SN_TRY(sn_pairs_create(&edges, &memory, mesh->tets[0], mesh->tet_count, 4, mesh->vertex_count));
    uint8_t *is_in = sn_allocate(&memory, mesh->vertex_count, 1);
    sn_result result = is_in ? fill(mesh, &edges, is_in, fine) : SN_ERROR_MEMORY;
    if (result != SN_OK) sn_mesh_free(fine);
    sn_free(&memory, is_in, mesh->vertex_count, 1);
    sn_pairs_free(&edges, &memory);
    return result;
}
