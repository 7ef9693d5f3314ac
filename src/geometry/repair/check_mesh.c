#include "base/error.h"
#include "base/union_find.h"
#include "geometry/repair/element_flaws.h"
#include "geometry/repair/near_vertices.h"
#include "geometry/topology/topology.h"

#include <math.h>

sn_mesh_report sn_mesh_report_default(void) {
    return (sn_mesh_report){.size = sizeof(sn_mesh_report), .weld_distance = SN_AUTO};
}

static sn_result expect_report(const sn_mesh_report *report) {
    if (!report) return sn_fail(SN_ERROR_NULL, "mesh: the report is null");
    if (report->size != sizeof *report)
        return sn_fail(SN_ERROR_DEFINITION,
                       "mesh: the size of the report is %zu, expected %zu: begin with "
                       "sn_mesh_report_default",
                       report->size, sizeof *report);
    double distance = (double)report->weld_distance;
    if (report->weld_distance != SN_AUTO && !(distance >= 0 && distance <= 1e30))
        return sn_fail(SN_ERROR_VALUE,
                       "mesh: weld_distance is %g, expected from 0 to 1e30 m, or SN_AUTO",
                       distance);
    return SN_OK;
}

/* ---- Elements ---- */

/* The findings for the flaws of lines, triangles and tetrahedra; of those that cannot be, the
   number of findings. */
static sn_mesh_finding_kind kind_of(int corners, uint8_t flaw) {
    static const sn_mesh_finding_kind kinds[3][6] = {
        {SN_MESH_FINDING_COUNT, SN_MESH_LINE_INDEX, SN_MESH_LINE_REPEATED, SN_MESH_LINE_DUPLICATE,
         SN_MESH_LINE_FLAT, SN_MESH_FINDING_COUNT},
        {SN_MESH_FINDING_COUNT, SN_MESH_TRIANGLE_INDEX, SN_MESH_TRIANGLE_REPEATED,
         SN_MESH_TRIANGLE_DUPLICATE, SN_MESH_TRIANGLE_FLAT, SN_MESH_FINDING_COUNT},
        {SN_MESH_FINDING_COUNT, SN_MESH_TET_INDEX, SN_MESH_TET_REPEATED, SN_MESH_TET_DUPLICATE,
         SN_MESH_TET_FLAT, SN_MESH_TET_INVERTED}};
    return kinds[corners - 2][flaw];
}

static bool has_bad_index(const sn_mesh *mesh, const uint32_t *v, int corners) {
    for (int k = 0; k < corners; k++)
        if (v[k] >= mesh->vertex_count) return true;
    return false;
}

/* Finds the flaws of one kind of element and marks the vertices it uses. Triangles that count in
   the topology keep 0 in `left_out`, which may be null. */
static sn_result look_at_elements(const sn_mesh *mesh, sn_memory *memory, int corners,
                                  uint8_t *used, uint8_t *left_out, sn_mesh_report *report) {
    sn_elements elements = sn_elements_of(mesh, corners);
    uint8_t *flaw = sn_allocate(memory, elements.count, sizeof *flaw);
    uint32_t *twin = sn_allocate(memory, elements.count, sizeof *twin);
    sn_result result = flaw && twin ? SN_OK : SN_ERROR_MEMORY;
    if (result == SN_OK) result = sn_flaws_find(mesh, memory, elements, flaw, twin);
    for (size_t i = 0; result == SN_OK && i < elements.count; i++) {
        const uint32_t *v = elements.vertices + i * (size_t)corners;
        for (int k = 0; k < corners; k++)
            if (v[k] < mesh->vertex_count) used[v[k]] = 1;
        /* Vertices that are not finite are found as such. */
        bool silent = flaw[i] == SN_FLAW_INDEX && !has_bad_index(mesh, v, corners);
        sn_mesh_finding_kind kind = kind_of(corners, flaw[i]);
        if (kind < SN_MESH_FINDING_COUNT && !silent)
            sn_report_add(report, kind, (uint32_t)i,
                          flaw[i] == SN_FLAW_DUPLICATE ? twin[i] : (uint32_t)i);
        if (left_out) left_out[i] = flaw[i] != SN_FLAW_NONE && flaw[i] != SN_FLAW_FLAT;
    }
    sn_free(memory, flaw, elements.count, sizeof *flaw);
    sn_free(memory, twin, elements.count, sizeof *twin);
    return result;
}

/* ---- Vertices ---- */

static void look_at_vertices(const sn_mesh *mesh, const uint8_t *used, const uint32_t *stays,
                             sn_mesh_report *report) {
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        sn_vec3 x = mesh->positions[i];
        if (!isfinite(x.x) || !isfinite(x.y) || !isfinite(x.z))
            sn_report_add(report, SN_MESH_VERTEX_NOT_FINITE, i, i);
        if (!used[i]) sn_report_add(report, SN_MESH_VERTEX_UNUSED, i, i);
        if (stays[i] != i) sn_report_add(report, SN_MESH_VERTEX_COINCIDENT, i, stays[i]);
    }
}

/* Counts the parts of the tetrahedra. */
static sn_result look_at_tet_pieces(const sn_mesh *mesh, sn_memory *memory,
                                    sn_mesh_report *report) {
    size_t count = mesh->vertex_count;
    uint32_t *set = sn_allocate(memory, count, sizeof *set);
    uint8_t *used = sn_allocate(memory, count, sizeof *used);
    sn_result result = set && used ? SN_OK : SN_ERROR_MEMORY;
    for (uint32_t i = 0; result == SN_OK && i < count; i++) set[i] = i;
    for (size_t t = 0; result == SN_OK && t < mesh->tet_count; t++) {
        const uint32_t *v = mesh->tets[t];
        if (has_bad_index(mesh, v, 4)) continue;
        for (int k = 0; k < 4; k++) {
            used[v[k]] = 1;
            sn_sets_join(set, v[0], v[k]);
        }
    }
    for (uint32_t i = 0; result == SN_OK && i < count; i++)
        report->tet_pieces += used[i] && set[i] == i;
    sn_free(memory, set, count, sizeof *set);
    sn_free(memory, used, count, sizeof *used);
    return result;
}

static sn_result look(const sn_mesh *mesh, sn_memory *memory, uint8_t *used, uint32_t *stays,
                      uint8_t *left_out, sn_mesh_report *report) {
    SN_TRY(sn_near_find(mesh, memory, (double)report->weld_distance, stays));
    SN_TRY(look_at_elements(mesh, memory, 2, used, NULL, report));
    SN_TRY(look_at_elements(mesh, memory, 3, used, left_out, report));
    SN_TRY(look_at_elements(mesh, memory, 4, used, NULL, report));
    look_at_vertices(mesh, used, stays, report);
    SN_TRY(look_at_tet_pieces(mesh, memory, report));
    return sn_topology_report(mesh, memory, left_out, stays, report);
}

sn_result sn_mesh_check(const sn_mesh *mesh, sn_mesh_report *report) {
    SN_TRY(sn_mesh_expect(mesh));
    SN_TRY(expect_report(report));
    size_t most = mesh->triangle_count > mesh->tet_count ? mesh->triangle_count : mesh->tet_count;
    if (most > (size_t)1 << 30 || mesh->line_count > (size_t)1 << 30)
        return sn_fail(SN_ERROR_LIMIT,
                       "mesh: it has more than 2^30 elements of a kind, expected at most that");
    sn_mesh_report found = sn_mesh_report_default();
    found.weld_distance = report->weld_distance;
    if (found.weld_distance == SN_AUTO) found.weld_distance = (sn_real)sn_near_distance(mesh);
    sn_memory memory = sn_mesh_memory(mesh);
    uint8_t *used = sn_allocate(&memory, mesh->vertex_count, sizeof *used);
    uint32_t *stays = sn_allocate(&memory, mesh->vertex_count, sizeof *stays);
    uint8_t *left_out = sn_allocate(&memory, mesh->triangle_count, sizeof *left_out);
    sn_result result = used && stays && left_out ? SN_OK : SN_ERROR_MEMORY;
    if (result == SN_OK) result = look(mesh, &memory, used, stays, left_out, &found);
    if (result == SN_OK) *report = found;
    sn_free(&memory, used, mesh->vertex_count, sizeof *used);
    sn_free(&memory, stays, mesh->vertex_count, sizeof *stays);
    sn_free(&memory, left_out, mesh->triangle_count, sizeof *left_out);
    return result;
}
