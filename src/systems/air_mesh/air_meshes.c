#include "systems/air_mesh/air_meshes.h"

bool sn_gaps_reserve(sn_gaps *all, sn_memory *memory) {
    size_t needed = sn_slots_needed(&all->slots, 1);
    return sn_slots_reserve(&all->slots, memory, needed) &&
           sn_reserve(memory, (void **)&all->state, &all->capacity, needed, sizeof *all->state);
}

bool sn_gap_reserve(sn_gap *air, sn_memory *memory, size_t nodes, size_t triangles, size_t edges) {
    air->nodes = nodes;
    air->triangles = triangles;
    air->edges = edges;
    air->node = sn_allocate(memory, nodes, sizeof *air->node);
    if (triangles > 0) air->triangle = sn_allocate(memory, triangles, sizeof *air->triangle);
    if (edges > 0) air->edge = sn_allocate(memory, edges, sizeof *air->edge);
    return air->node && (air->triangle || triangles == 0) && (air->edge || edges == 0);
}

bool sn_gap_reserve_elements(sn_gap *air, sn_memory *memory, size_t room) {
    air->room = (uint32_t)room;
    air->element = sn_allocate(memory, room, sizeof *air->element);
    air->link = sn_allocate(memory, room, sizeof *air->link);
    air->inverted = sn_allocate(memory, room, sizeof *air->inverted);
    return air->element && air->link && air->inverted;
}

void sn_gap_set_plane(sn_gap *air, uint32_t plane) {
    air->plane = plane;
    air->axis = (int)plane - 1;
    air->corners = plane == SN_PLANE_NONE ? 4 : 3;
}

void sn_gap_free(sn_gap *air, sn_memory *memory) {
    sn_free(memory, air->node, air->nodes, sizeof *air->node);
    sn_free(memory, air->triangle, air->triangles, sizeof *air->triangle);
    sn_free(memory, air->edge, air->edges, sizeof *air->edge);
    sn_free(memory, air->element, air->room, sizeof *air->element);
    sn_free(memory, air->link, air->room, sizeof *air->link);
    sn_free(memory, air->inverted, air->room, sizeof *air->inverted);
    *air = (sn_gap){0};
}

void sn_gaps_remove(sn_gaps *all, sn_memory *memory, uint32_t index) {
    sn_gap_free(&all->state[index], memory);
    sn_slots_give(&all->slots, index);
}
