#include "systems/wrinkle_mesh/wrinkle_meshes.h"

bool sn_wrinkles_reserve(sn_wrinkles *all, sn_memory *memory) {
    size_t needed = sn_slots_needed(&all->slots, 1);
    return sn_slots_reserve(&all->slots, memory, needed) &&
           sn_reserve(memory, (void **)&all->state, &all->capacity, needed, sizeof *all->state);
}

bool sn_wrinkle_state_reserve(sn_wrinkle_state *w, sn_memory *memory, size_t nodes,
                              size_t triangles) {
    w->nodes = nodes;
    w->triangles = triangles;
    w->node = sn_allocate(memory, nodes, sizeof *w->node);
    w->rest = sn_allocate(memory, nodes, sizeof *w->rest);
    w->normal = sn_allocate(memory, nodes, sizeof *w->normal);
    w->triangle = sn_allocate(memory, triangles, sizeof *w->triangle);
    return w->node && w->rest && w->normal && w->triangle;
}

void sn_wrinkle_state_free(sn_wrinkle_state *w, sn_memory *memory) {
    size_t vertices = w->fine.vertices;
    sn_free(memory, w->node, w->nodes, sizeof *w->node);
    sn_free(memory, w->rest, w->nodes, sizeof *w->rest);
    sn_free(memory, w->normal, w->nodes, sizeof *w->normal);
    sn_free(memory, w->triangle, w->triangles, sizeof *w->triangle);
    sn_free(memory, w->offset, vertices, sizeof *w->offset);
    sn_free(memory, w->place, vertices, sizeof *w->place);
    sn_free(memory, w->x, vertices, sizeof *w->x);
    sn_free(memory, w->position, vertices, sizeof *w->position);
    sn_wrinkle_links_free(&w->sides, memory);
    sn_wrinkle_links_free(&w->bends, memory);
    sn_divided_free(&w->fine, memory);
    *w = (sn_wrinkle_state){0};
}

void sn_wrinkles_remove(sn_wrinkles *all, sn_memory *memory, uint32_t index) {
    sn_wrinkle_state_free(&all->state[index], memory);
    sn_slots_give(&all->slots, index);
}
