#include "geometry/topology/triangle_edges.h"

sn_result sn_edges_create(sn_edges *edges, sn_memory *memory, const uint32_t (*triangles)[3],
                          size_t triangle_count, const uint8_t *left_out) {
    *edges = (sn_edges){.capacity = 3 * triangle_count};
    edges->sides = sn_allocate(memory, edges->capacity, sizeof *edges->sides);
    sn_record *spare = sn_allocate(memory, edges->capacity, sizeof *spare);
    if (!edges->sides || !spare) {
        sn_free(memory, spare, edges->capacity, sizeof *spare);
        sn_edges_free(edges, memory);
        return SN_ERROR_MEMORY;
    }
    for (size_t t = 0; t < triangle_count; t++) {
        if (left_out && left_out[t]) continue;
        for (size_t k = 0; k < 3; k++) {
            uint32_t a = triangles[t][k], b = triangles[t][(k + 1) % 3];
            edges->sides[edges->count++] =
                (sn_record){{a < b ? a : b, a < b ? b : a, 0}, (uint32_t)(3 * t + k)};
        }
    }
    sn_records_sort(edges->sides, spare, edges->count, 2);
    sn_free(memory, spare, edges->capacity, sizeof *spare);
    return SN_OK;
}

void sn_edges_free(sn_edges *edges, sn_memory *memory) {
    sn_free(memory, edges->sides, edges->capacity, sizeof *edges->sides);
    *edges = (sn_edges){0};
}
