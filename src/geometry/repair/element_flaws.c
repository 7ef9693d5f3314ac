#include "geometry/repair/element_flaws.h"

#include "base/error.h"
#include "geometry/topology/sort_indices.h"

#include <math.h>

sn_elements sn_elements_of(const sn_mesh *mesh, int corners) {
    if (corners == 2)
        return (sn_elements){(const uint32_t *)mesh->lines, mesh->line_count, corners};
    if (corners == 3)
        return (sn_elements){(const uint32_t *)mesh->triangles, mesh->triangle_count, corners};
    return (sn_elements){(const uint32_t *)mesh->tets, mesh->tet_count, corners};
}

/* ---- Extent ---- */

static double square_of(sn_point a, sn_point b) {
    sn_point d = sn_point_sub(b, a);
    return sn_point_dot(d, d);
}

bool sn_triangle_is_flat(sn_point a, sn_point b, sn_point c) {
    double longest = square_of(a, b), bc = square_of(b, c), ca = square_of(c, a);
    if (bc > longest) longest = bc;
    if (ca > longest) longest = ca;
    return !(sn_point_length(sn_point_normal(a, b, c)) > 1e-6 * longest);
}

sn_flaw sn_tet_flaw(const sn_point x[4]) {
    double longest = 0, det = sn_point_det(x[0], x[1], x[2], x[3]);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < i; j++) {
            double square = square_of(x[i], x[j]);
            if (square > longest) longest = square;
        }
    double least = 1e-6 * longest * sqrt(longest);
    return det > least ? SN_FLAW_NONE : det < -least ? SN_FLAW_INVERTED : SN_FLAW_FLAT;
}

static sn_flaw extent_flaw(const sn_mesh *mesh, const uint32_t *v, int corners) {
    sn_point x[4];
    for (int k = 0; k < corners; k++) x[k] = sn_mesh_point(mesh, v[k]);
    if (corners == 4) return sn_tet_flaw(x);
    bool flat = corners == 2 ? !(square_of(x[0], x[1]) > 0) : sn_triangle_is_flat(x[0], x[1], x[2]);
    return flat ? SN_FLAW_FLAT : SN_FLAW_NONE;
}

static sn_flaw flaw_of(const sn_mesh *mesh, const uint32_t *v, int corners) {
    for (int k = 0; k < corners; k++) {
        if (v[k] >= mesh->vertex_count) return SN_FLAW_INDEX;
        sn_vec3 x = mesh->positions[v[k]];
        if (!isfinite(x.x) || !isfinite(x.y) || !isfinite(x.z)) return SN_FLAW_INDEX;
    }
    for (int k = 0; k < corners; k++)
        for (int j = 0; j < k; j++)
            if (v[j] == v[k]) return SN_FLAW_REPEATED;
    return extent_flaw(mesh, v, corners);
}

/* ---- Duplicates ---- */

static void sorted_vertices(const uint32_t *v, int corners, uint32_t sorted[4]) {
    for (int k = 0; k < corners; k++) {
        int at = k;
        for (; at > 0 && sorted[at - 1] > v[k]; at--) sorted[at] = sorted[at - 1];
        sorted[at] = v[k];
    }
}

/* Sorts elements so that those with the same vertices follow each other, in their order. The fourth
   vertex has no place in the key and is sorted by first. */
static size_t sort_elements(sn_elements elements, const uint8_t *flaw, sn_record *records,
                            sn_record *spare) {
    size_t count = 0;
    uint32_t v[4] = {0};
    for (size_t i = 0; i < elements.count; i++)
        if (flaw[i] != SN_FLAW_INDEX && flaw[i] != SN_FLAW_REPEATED)
            records[count++] = (sn_record){.value = (uint32_t)i};
    for (int words = elements.corners; words > 0; words = words == 4 ? 3 : 0) {
        for (size_t i = 0; i < count; i++) {
            size_t element = records[i].value;
            sorted_vertices(elements.vertices + element * (size_t)elements.corners,
                            elements.corners, v);
            for (int k = 0; k < 3; k++) records[i].key[k] = words == 4 ? v[3] : v[k];
        }
        sn_records_sort(records, spare, count, words == 4 ? 1 : words);
    }
    return count;
}

static bool have_same_vertices(sn_elements elements, size_t a, size_t b) {
    uint32_t v[4] = {0}, w[4] = {0};
    size_t corners = (size_t)elements.corners;
    sorted_vertices(elements.vertices + a * corners, elements.corners, v);
    sorted_vertices(elements.vertices + b * corners, elements.corners, w);
    for (size_t k = 0; k < corners; k++)
        if (v[k] != w[k]) return false;
    return true;
}

sn_result sn_flaws_find(const sn_mesh *mesh, sn_memory *memory, sn_elements elements, uint8_t *flaw,
                        uint32_t *twin) {
    size_t corners = (size_t)elements.corners;
    for (size_t i = 0; i < elements.count; i++)
        flaw[i] = (uint8_t)flaw_of(mesh, elements.vertices + i * corners, elements.corners);
    sn_record *records = sn_allocate(memory, elements.count, sizeof *records);
    sn_record *spare = sn_allocate(memory, elements.count, sizeof *spare);
    sn_result result = records && spare ? SN_OK : SN_ERROR_MEMORY;
    if (result == SN_OK) {
        size_t count = sort_elements(elements, flaw, records, spare), first = 0;
        for (size_t i = 1; i < count; i++) {
            if (!have_same_vertices(elements, records[first].value, records[i].value)) {
                first = i;
                continue;
            }
            flaw[records[i].value] = SN_FLAW_DUPLICATE;
            twin[records[i].value] = records[first].value;
        }
    }
    sn_free(memory, records, elements.count, sizeof *records);
    sn_free(memory, spare, elements.count, sizeof *spare);
    return result;
}
