#include "collision/collision_surfaces.h"

bool sn_collision_surfaces_any(const sn_collision_surfaces *surfaces,
                               bool (*has)(const sn_collision_surface_def *def)) {
    for (size_t i = 0; i < surfaces->slots.count; i++)
        if (surfaces->slots.alive[i] && has(&surfaces->state[i].def)) return true;
    return false;
}

bool sn_collision_surface_reserve(sn_collision_surfaces *surfaces, sn_memory *memory,
                                  size_t slots) {
    size_t needed = sn_slots_needed(&surfaces->slots, 1);
    sn_column columns[] = {{(void **)&surfaces->of_node, sizeof *surfaces->of_node},
                           {(void **)&surfaces->rest, sizeof *surfaces->rest}};
    if (slots > surfaces->node_capacity) {
        size_t grown = sn_columns_grow(memory, columns, 2, 0, surfaces->node_capacity, slots);
        if (grown == 0) return false;
        surfaces->node_capacity = grown;
    }
    return sn_slots_reserve(&surfaces->slots, memory, needed) &&
           sn_reserve(memory, (void **)&surfaces->state, &surfaces->capacity, needed,
                      sizeof *surfaces->state);
}

bool sn_collision_surface_state_reserve(sn_collision_surface_state *s, sn_memory *memory,
                                        size_t nodes, size_t triangles, size_t edges) {
    return sn_reserve(memory, (void **)&s->node, &s->room[0], nodes, sizeof *s->node) &&
           sn_reserve(memory, (void **)&s->triangle, &s->room[1], 3 * triangles,
                      sizeof *s->triangle) &&
           sn_reserve(memory, (void **)&s->edge, &s->room[2], 2 * edges, sizeof *s->edge);
}

void sn_collision_surface_state_free(sn_collision_surface_state *s, sn_memory *memory) {
    sn_free(memory, s->node, s->room[0], sizeof *s->node);
    sn_free(memory, s->triangle, s->room[1], sizeof *s->triangle);
    sn_free(memory, s->edge, s->room[2], sizeof *s->edge);
    *s = (sn_collision_surface_state){0};
}

bool sn_reach_reserve(sn_reach *reach, sn_memory *memory, size_t nodes) {
    sn_column columns[] = {{(void **)&reach->from, sizeof *reach->from},
                           {(void **)&reach->speed, sizeof *reach->speed},
                           {(void **)&reach->slack, sizeof *reach->slack}};
    if (nodes <= reach->capacity) return true;
    size_t grown = sn_columns_grow(memory, columns, 3, 0, reach->capacity, nodes);
    if (grown > 0) reach->capacity = grown;
    return grown > 0;
}

static void free_reach(sn_reach *reach, sn_memory *memory) {
    sn_free(memory, reach->from, reach->capacity, sizeof *reach->from);
    sn_free(memory, reach->speed, reach->capacity, sizeof *reach->speed);
    sn_free(memory, reach->slack, reach->capacity, sizeof *reach->slack);
}

void sn_collision_surface_change(sn_collision_surfaces *surfaces) {
    surfaces->changed = true;
    surfaces->reach.kept = false;
}

void sn_collision_surface_remove(sn_collision_surfaces *surfaces, sn_memory *memory,
                                 uint32_t index) {
    sn_collision_surface_state *s = &surfaces->state[index];
    for (size_t i = 0; i < s->def.node_count; i++) {
        surfaces->of_node[s->node[i]] = 0;
        surfaces->rest[s->node[i]] = (sn_vec4){0, 0, 0, 0};
    }
    sn_collision_surface_state_free(s, memory);
    sn_slots_give(&surfaces->slots, index);
    sn_collision_surface_change(surfaces);
}

void sn_collision_surface_free(sn_collision_surfaces *surfaces, sn_memory *memory) {
    /* Where reading ran out of memory, there may be slots without a state. */
    size_t made =
        surfaces->capacity < surfaces->slots.count ? surfaces->capacity : surfaces->slots.count;
    for (size_t i = 0; i < made; i++) sn_collision_surface_state_free(&surfaces->state[i], memory);
    sn_slots_free(&surfaces->slots, memory);
    sn_free(memory, surfaces->state, surfaces->capacity, sizeof *surfaces->state);
    sn_free(memory, surfaces->of_node, surfaces->node_capacity, sizeof *surfaces->of_node);
    sn_free(memory, surfaces->rest, surfaces->node_capacity, sizeof *surfaces->rest);
    free_reach(&surfaces->reach, memory);
    *surfaces = (sn_collision_surfaces){0};
}

/* Keeps the elements of `corners` nodes that are all still there, of those before `*marked` and
   after; returns how many are left. */
static size_t keep(uint32_t *element, size_t count, size_t corners, size_t *marked,
                   const uint8_t *alive, uint8_t doomed) {
    size_t kept = 0, before = 0;
    for (size_t i = 0; i < count; i++) {
        bool lost = false;
        for (size_t c = 0; c < corners; c++)
            lost = lost || alive[element[corners * i + c]] == doomed;
        if (lost) continue;
        for (size_t c = 0; c < corners; c++) element[corners * kept + c] = element[corners * i + c];
        before += i < *marked;
        kept++;
    }
    *marked = before;
    return kept;
}

void sn_collision_surface_forget(sn_collision_surfaces *surfaces, sn_memory *memory,
                                 const uint8_t *alive, uint8_t doomed) {
    for (uint32_t i = 0; i < surfaces->slots.count; i++) {
        sn_collision_surface_state *s = &surfaces->state[i];
        size_t none = 0, lost = 0;
        if (!surfaces->slots.alive[i]) continue;
        for (size_t k = 0; k < s->def.node_count; k++)
            if (alive[s->node[k]] == doomed) {
                surfaces->of_node[s->node[k]] = 0;
                surfaces->rest[s->node[k]] = (sn_vec4){0, 0, 0, 0};
                lost++;
            }
        if (lost == 0) continue;
        s->def.triangle_count = keep(s->triangle, s->def.triangle_count, 3, &none, alive, doomed);
        s->edges = keep(s->edge, s->edges, 2, &s->inner, alive, doomed);
        s->def.segment_count = s->edges - s->inner;
        none = 0;
        s->def.node_count = keep(s->node, s->def.node_count, 1, &none, alive, doomed);
        sn_collision_surface_change(surfaces);
        if (s->def.node_count == 0) sn_collision_surface_remove(surfaces, memory, i);
    }
}

void sn_collision_surface_part(sn_collision_surfaces *surfaces, uint32_t a, uint32_t b) {
    uint32_t of = a < surfaces->node_capacity ? surfaces->of_node[a] : 0;
    if (of == 0) return;
    sn_collision_surface_state *s = &surfaces->state[of - 1];
    size_t kept = s->inner;
    for (size_t i = s->inner; i < s->edges; i++) {
        uint32_t from = s->edge[2 * i], to = s->edge[2 * i + 1];
        if ((from == a && to == b) || (from == b && to == a)) continue;
        s->edge[2 * kept] = from;
        s->edge[2 * kept++ + 1] = to;
    }
    if (kept == s->edges) return;
    s->edges = kept;
    s->def.segment_count = kept - s->inner;
    sn_collision_surface_change(surfaces);
}
