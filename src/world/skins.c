#include "world/skins.h"

bool sn_skins_reserve(sn_skins *skins, sn_memory *memory, size_t slots) {
    size_t needed = sn_slots_needed(&skins->slots, 1);
    sn_column columns[] = {{(void **)&skins->of_node, sizeof *skins->of_node},
                           {(void **)&skins->rest, sizeof *skins->rest}};
    if (slots > skins->node_capacity) {
        size_t grown = sn_columns_grow(memory, columns, 2, 0, skins->node_capacity, slots);
        if (grown == 0) return false;
        skins->node_capacity = grown;
    }
    return sn_slots_reserve(&skins->slots, memory, needed) &&
           sn_reserve(memory, (void **)&skins->state, &skins->capacity, needed,
                      sizeof *skins->state);
}

bool sn_skin_state_reserve(sn_skin_state *s, sn_memory *memory, size_t nodes, size_t triangles,
                           size_t edges) {
    return sn_reserve(memory, (void **)&s->node, &s->room[0], nodes, sizeof *s->node) &&
           sn_reserve(memory, (void **)&s->triangle, &s->room[1], 3 * triangles,
                      sizeof *s->triangle) &&
           sn_reserve(memory, (void **)&s->edge, &s->room[2], 2 * edges, sizeof *s->edge);
}

void sn_skin_state_free(sn_skin_state *s, sn_memory *memory) {
    sn_free(memory, s->node, s->room[0], sizeof *s->node);
    sn_free(memory, s->triangle, s->room[1], sizeof *s->triangle);
    sn_free(memory, s->edge, s->room[2], sizeof *s->edge);
    *s = (sn_skin_state){0};
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

void sn_skins_change(sn_skins *skins) {
    skins->changed = true;
    skins->reach.kept = false;
}

void sn_skins_remove(sn_skins *skins, sn_memory *memory, uint32_t index) {
    sn_skin_state *s = &skins->state[index];
    for (size_t i = 0; i < s->def.node_count; i++) {
        skins->of_node[s->node[i]] = 0;
        skins->rest[s->node[i]] = (sn_vec4){0, 0, 0, 0};
    }
    sn_skin_state_free(s, memory);
    sn_slots_give(&skins->slots, index);
    sn_skins_change(skins);
}

void sn_skins_free(sn_skins *skins, sn_memory *memory) {
    /* Where reading ran out of memory, there may be slots without a state. */
    size_t made = skins->capacity < skins->slots.count ? skins->capacity : skins->slots.count;
    for (size_t i = 0; i < made; i++) sn_skin_state_free(&skins->state[i], memory);
    sn_slots_free(&skins->slots, memory);
    sn_free(memory, skins->state, skins->capacity, sizeof *skins->state);
    sn_free(memory, skins->of_node, skins->node_capacity, sizeof *skins->of_node);
    sn_free(memory, skins->rest, skins->node_capacity, sizeof *skins->rest);
    free_reach(&skins->reach, memory);
    sn_free(memory, skins->meeting, skins->meeting_capacity, sizeof *skins->meeting);
    sn_free(memory, skins->stuck, skins->stuck_capacity, sizeof *skins->stuck);
    *skins = (sn_skins){0};
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

void sn_skins_forget(sn_skins *skins, sn_memory *memory, const uint8_t *alive, uint8_t doomed) {
    for (uint32_t i = 0; i < skins->slots.count; i++) {
        sn_skin_state *s = &skins->state[i];
        size_t none = 0, lost = 0;
        if (!skins->slots.alive[i]) continue;
        for (size_t k = 0; k < s->def.node_count; k++)
            if (alive[s->node[k]] == doomed) {
                skins->of_node[s->node[k]] = 0;
                skins->rest[s->node[k]] = (sn_vec4){0, 0, 0, 0};
                lost++;
            }
        if (lost == 0) continue;
        s->def.triangle_count = keep(s->triangle, s->def.triangle_count, 3, &none, alive, doomed);
        s->edges = keep(s->edge, s->edges, 2, &s->inner, alive, doomed);
        s->def.segment_count = s->edges - s->inner;
        none = 0;
        s->def.node_count = keep(s->node, s->def.node_count, 1, &none, alive, doomed);
        sn_skins_change(skins);
        if (s->def.node_count == 0) sn_skins_remove(skins, memory, i);
    }
}
