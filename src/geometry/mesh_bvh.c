#include "geometry/mesh_bvh.h"

sn_result sn_mesh_bvh_create(sn_bvh *bvh, sn_memory *memory, const sn_mesh *mesh) {
    sn_bounds *boxes = sn_allocate(memory, mesh->triangle_count, sizeof *boxes);
    if (!boxes) return SN_ERROR_MEMORY;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        boxes[t] = sn_bounds_empty();
        for (int k = 0; k < 3; k++)
            sn_bounds_add(&boxes[t], sn_mesh_point(mesh, mesh->triangles[t][k]));
    }
    sn_result result = sn_bvh_create(bvh, memory, boxes, mesh->triangle_count);
    sn_free(memory, boxes, mesh->triangle_count, sizeof *boxes);
    return result;
}
