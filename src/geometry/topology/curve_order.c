#include "geometry/topology/curve_order.h"

#include "base/error.h"
#include "geometry/bounds.h"
#include "geometry/linear_bvh.h"
#include "geometry/topology/sort_indices.h"
#include "math/hilbert.h"

/* A flat mesh has a curve of its plane. */
static int axes_of(sn_bounds bounds, int axis[3]) {
    const double side[3] = {bounds.high.x - bounds.low.x, bounds.high.y - bounds.low.y,
                            bounds.high.z - bounds.low.z};
    int count = 0;
    for (int k = 0; k < 3; k++)
        if (side[k] > 0) axis[count++] = k;
    for (int k = 0; count < 2; k++)
        if (!(side[k] > 0)) axis[count++] = k;
    return count;
}

static void place(const sn_mesh *mesh, sn_curve_item *items) {
    sn_bounds bounds = sn_bounds_empty();
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        sn_bounds_add(&bounds, sn_mesh_point(mesh, v));
    int axis[3] = {0, 0, 0}, axes = axes_of(bounds, axis);
    const double low[3] = {bounds.low.x, bounds.low.y, bounds.low.z};
    double longest = bounds.high.x - bounds.low.x;
    if (bounds.high.y - bounds.low.y > longest) longest = bounds.high.y - bounds.low.y;
    if (bounds.high.z - bounds.low.z > longest) longest = bounds.high.z - bounds.low.z;
    double scale = longest > 0 ? 2097151 / longest : 0;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        sn_point p = sn_mesh_point(mesh, v);
        const double x[3] = {p.x, p.y, p.z};
        uint32_t cell[3] = {0, 0, 0};
        for (int k = 0; k < axes; k++)
            cell[k] = (uint32_t)sn_curve_cell(x[axis[k]], low[axis[k]], scale);
        items[v] = (sn_curve_item){sn_hilbert_code(cell, axes, 21), v};
    }
}

/* The lowest vertex first, the direction as it was. */
static void rotate(uint32_t v[3]) {
    while (v[0] > v[1] || v[0] > v[2]) {
        uint32_t first = v[0];
        v[0] = v[1];
        v[1] = v[2];
        v[2] = first;
    }
}

static void move_vertices(sn_mesh *mesh, const sn_curve_item *items, sn_vec3 *spare, uint32_t *to) {
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        to[items[i].item] = i;
        spare[i] = mesh->positions[items[i].item];
    }
    for (size_t i = 0; i < mesh->vertex_count; i++) mesh->positions[i] = spare[i];
}

static void move_triangles(sn_mesh *mesh, const uint32_t *to, sn_record *records,
                           sn_record *spare) {
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        for (int k = 0; k < 3; k++) records[t].key[k] = to[mesh->triangles[t][k]];
        rotate(records[t].key);
    }
    sn_records_sort(records, spare, mesh->triangle_count, 3);
    for (size_t t = 0; t < mesh->triangle_count; t++)
        for (int k = 0; k < 3; k++) mesh->triangles[t][k] = records[t].key[k];
}

sn_result sn_mesh_curve_order(sn_mesh *mesh, sn_memory *memory, uint32_t *to) {
    size_t vertices = mesh->vertex_count, triangles = mesh->triangle_count;
    sn_curve_item *items = sn_allocate(memory, 2 * vertices, sizeof *items);
    sn_vec3 *spare = sn_allocate(memory, vertices, sizeof *spare);
    sn_record *records = sn_allocate(memory, 2 * triangles, sizeof *records);
    bool ready = items && spare && records;
    if (ready) {
        place(mesh, items);
        move_vertices(mesh, sn_curve_sort(items, items + vertices, vertices, 63), spare, to);
        move_triangles(mesh, to, records, records + triangles);
    }
    sn_free(memory, records, 2 * triangles, sizeof *records);
    sn_free(memory, spare, vertices, sizeof *spare);
    sn_free(memory, items, 2 * vertices, sizeof *items);
    return ready ? SN_OK : SN_ERROR_MEMORY;
}
