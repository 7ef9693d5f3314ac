#include "geometry/topology/renumber_vertices.h"

#include <string.h>

static void renumber(uint32_t *indices, size_t count, const uint32_t *to) {
    for (size_t i = 0; i < count; i++) indices[i] = to[indices[i]];
}

/* In `seen` a vertex has the number of the last group that has it, from 1. */
static void renumber_group(sn_mesh_group *group, const uint32_t *to, uint32_t *seen,
                           uint32_t number) {
    size_t count = 0;
    for (size_t i = 0; i < group->count; i++) {
        uint32_t vertex = to[group->vertices[i]];
        if (vertex == SN_VERTEX_GONE || seen[vertex] == number) continue;
        seen[vertex] = number;
        group->vertices[count++] = vertex;
    }
    group->count = count;
}

void sn_mesh_renumber(sn_mesh *mesh, const uint32_t *to, uint32_t *spare) {
    size_t count = 0;
    for (size_t i = 0; i < mesh->vertex_count; i++)
        if (to[i] == count) mesh->positions[count++] = mesh->positions[i];
    renumber((uint32_t *)mesh->triangles, 3 * mesh->triangle_count, to);
    renumber((uint32_t *)mesh->tets, 4 * mesh->tet_count, to);
    renumber((uint32_t *)mesh->lines, 2 * mesh->line_count, to);
    if (mesh->vertex_count > 0) memset(spare, 0, mesh->vertex_count * sizeof *spare);
    for (size_t g = 0; g < mesh->group_count; g++)
        renumber_group(&mesh->groups[g], to, spare, (uint32_t)g + 1);
    mesh->vertex_count = count;
}
