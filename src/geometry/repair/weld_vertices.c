#include "base/error.h"
#include "geometry/repair/near_vertices.h"
#include "geometry/topology/renumber_vertices.h"

#include <string.h>

/* Removes the elements that use a vertex twice; how many. */
static size_t remove_collapsed(uint32_t *v, size_t *count, size_t corners) {
    size_t kept = 0, before = *count;
    for (size_t i = 0; i < before; i++) {
        const uint32_t *element = v + i * corners;
        bool twice = false;
        for (size_t k = 0; k < corners; k++)
            for (size_t j = 0; j < k; j++) twice |= element[j] == element[k];
        if (!twice) memmove(v + kept++ * corners, element, corners * sizeof *v);
    }
    *count = kept;
    return before - kept;
}

/* From which vertex each goes to, to its new number: those that stay keep their order. */
static size_t number(uint32_t *stays, size_t count) {
    uint32_t kept = 0;
    for (size_t i = 0; i < count; i++) stays[i] = stays[i] == i ? kept++ : stays[stays[i]];
    return kept;
}

sn_result sn_mesh_weld(sn_mesh *mesh, sn_real distance, sn_mesh_changes *changes) {
    SN_TRY(sn_mesh_expect_sound(mesh));
    if (distance != SN_AUTO && !((double)distance >= 0 && (double)distance <= 1e30))
        return sn_fail(SN_ERROR_VALUE,
                       "mesh: distance is %g, expected from 0 to 1e30 m, or SN_AUTO",
                       (double)distance);
    double reach = distance == SN_AUTO ? sn_near_distance(mesh) : (double)distance;
    sn_memory memory = sn_mesh_memory(mesh);
    size_t vertices = mesh->vertex_count;
    uint32_t *stays = sn_allocate(&memory, vertices, sizeof *stays);
    uint32_t *spare = sn_allocate(&memory, vertices, sizeof *spare);
    sn_result result = stays && spare ? SN_OK : SN_ERROR_MEMORY;
    if (result == SN_OK) result = sn_near_find(mesh, &memory, reach, stays);
    if (result == SN_OK) {
        sn_mesh_changes done = {.vertices_removed = vertices - number(stays, vertices)};
        sn_mesh_renumber(mesh, stays, spare);
        done.triangles_removed =
            remove_collapsed((uint32_t *)mesh->triangles, &mesh->triangle_count, 3);
        done.tets_removed = remove_collapsed((uint32_t *)mesh->tets, &mesh->tet_count, 4);
        done.lines_removed = remove_collapsed((uint32_t *)mesh->lines, &mesh->line_count, 2);
        if (changes) *changes = done;
    }
    sn_free(&memory, stays, vertices, sizeof *stays);
    sn_free(&memory, spare, vertices, sizeof *spare);
    return result;
}
