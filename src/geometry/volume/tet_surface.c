/*
 * The surface of a tetrahedral mesh: the faces that one tetrahedron has to itself. Faces are found
 * equal by sorting them.
 */
#include "base/error.h"
#include "geometry/mesh_access.h"
#include "geometry/topology/sort_indices.h"

#include <string.h>

/* The face opposite each vertex, anticlockwise seen from outside. */
static const unsigned char faces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

static void face_of(const sn_mesh *mesh, size_t face, uint32_t v[3]) {
    for (int k = 0; k < 3; k++) v[k] = mesh->tets[face / 4][faces[face % 4][k]];
}

/* Marks the faces that come once and counts them. */
static size_t find_single(const sn_mesh *mesh, sn_record *records, sn_record *spare,
                          uint8_t *single) {
    size_t count = 4 * mesh->tet_count, found = 0;
    for (size_t f = 0; f < count; f++) {
        face_of(mesh, f, records[f].key);
        sn_sort_three(records[f].key);
        records[f].value = (uint32_t)f;
    }
    sn_records_sort(records, spare, count, 3);
    for (size_t i = 0, end; i < count; i = end) {
        end = sn_records_run(records, i, count, 3);
        single[records[i].value] = end == i + 1;
        found += end == i + 1;
    }
    return found;
}

sn_result sn_mesh_surface(sn_mesh *mesh) {
    SN_TRY(sn_mesh_expect_sound(mesh));
    size_t count = 4 * mesh->tet_count;
    if (count > UINT32_MAX)
        return sn_fail(SN_ERROR_LIMIT, "mesh: it has %zu tets, expected less than 2^30",
                       mesh->tet_count);
    sn_memory memory = sn_mesh_memory(mesh);
    sn_record *records = sn_allocate(&memory, count, sizeof *records);
    sn_record *spare = sn_allocate(&memory, count, sizeof *spare);
    uint8_t *single = sn_allocate(&memory, count, sizeof *single);
    sn_result result = records && spare && single ? SN_OK : SN_ERROR_MEMORY;
    if (result == SN_OK) {
        size_t found = find_single(mesh, records, spare, single);
        size_t more = found > mesh->triangle_count ? found - mesh->triangle_count : 0;
        result = sn_mesh_reserve(mesh, (sn_mesh_room){.triangles = more});
    }
    if (result == SN_OK) {
        mesh->triangle_count = 0;
        for (size_t f = 0; f < count; f++)
            if (single[f]) face_of(mesh, f, mesh->triangles[mesh->triangle_count++]);
    }
    sn_free(&memory, records, count, sizeof *records);
    sn_free(&memory, spare, count, sizeof *spare);
    sn_free(&memory, single, count, sizeof *single);
    return result;
}
