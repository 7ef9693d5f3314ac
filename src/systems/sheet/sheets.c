#include "systems/sheet/sheets.h"

#define NODE_COLUMNS(sheets)                                                                       \
    {                                                                                              \
        {(void **)&(sheets)->of_node, sizeof *(sheets)->of_node},                                  \
            {(void **)&(sheets)->place, sizeof *(sheets)->place},                                  \
    }
#define LIST_COLUMNS(state)                                                                        \
    {                                                                                              \
        {(void **)&(state)->node, sizeof *(state)->node},                                          \
            {(void **)&(state)->rest, sizeof *(state)->rest},                                      \
    }

bool sn_sheets_reserve(sn_sheets *sheets, sn_memory *memory, size_t slots) {
    size_t needed = sn_slots_needed(&sheets->slots, 1);
    sn_column columns[] = NODE_COLUMNS(sheets);
    if (slots > sheets->node_capacity) {
        size_t grown = sn_columns_grow(memory, columns, 2, 0, sheets->node_capacity, slots);
        if (grown == 0) return false;
        sheets->node_capacity = grown;
    }
    return sn_slots_reserve(&sheets->slots, memory, needed) &&
           sn_reserve(memory, (void **)&sheets->state, &sheets->capacity, needed,
                      sizeof *sheets->state);
}

bool sn_sheet_state_reserve(sn_sheet_state *s, sn_memory *memory, size_t nodes, size_t triangles) {
    sn_column columns[] = LIST_COLUMNS(s);
    if (nodes > s->capacity) {
        size_t grown = sn_columns_grow(memory, columns, 2, 0, s->capacity, nodes);
        if (grown == 0) return false;
        s->capacity = grown;
    }
    if (s->strength && !sn_reserve(memory, (void **)&s->strength, &s->strength_capacity, nodes,
                                   sizeof *s->strength))
        return false;
    if (s->air && !sn_reserve(memory, (void **)&s->air, &s->air_capacity, nodes, sizeof *s->air))
        return false;
    if (s->edge_strength && !sn_reserve(memory, (void **)&s->edge_strength, &s->edge_capacity,
                                        triangles, sizeof *s->edge_strength))
        return false;
    return sn_reserve(memory, (void **)&s->triangle, &s->corner_capacity, 3 * triangles,
                      sizeof *s->triangle);
}

void sn_sheet_state_free(sn_sheet_state *s, sn_memory *memory) {
    sn_column columns[] = LIST_COLUMNS(s);
    sn_columns_free(memory, columns, 2, 0, s->capacity);
    sn_free(memory, s->triangle, s->corner_capacity, sizeof *s->triangle);
    sn_free(memory, s->strength, s->strength_capacity, sizeof *s->strength);
    sn_free(memory, s->air, s->air_capacity, sizeof *s->air);
    sn_free(memory, s->open, s->open_capacity, sizeof *s->open);
    sn_free(memory, s->edge_strength, s->edge_capacity, sizeof *s->edge_strength);
    *s = (sn_sheet_state){0};
}

uint32_t sn_sheets_add_node(sn_sheets *sheets, uint32_t sheet, uint32_t node, sn_vec4 rest) {
    sn_sheet_state *s = &sheets->state[sheet];
    uint32_t place = (uint32_t)s->def.node_count++;
    s->node[place] = node;
    s->rest[place] = rest;
    if (s->strength) s->strength[place] = 1;
    if (s->air) s->air[place][0] = s->def.drag, s->air[place][1] = s->def.lift;
    sheets->of_node[node] = sheet + 1;
    sheets->place[node] = place;
    return place;
}

void sn_sheets_mark_changed(sn_sheets *sheets, uint32_t sheet) {
    sheets->state[sheet].changes++;
    sheets->state[sheet].loose = true;
    sheets->changes++;
}

void sn_sheets_remove(sn_sheets *sheets, sn_memory *memory, uint32_t index) {
    sn_sheet_state *s = &sheets->state[index];
    for (size_t i = 0; i < s->def.node_count; i++) sheets->of_node[s->node[i]] = 0;
    sn_sheet_state_free(s, memory);
    sn_slots_give(&sheets->slots, index);
    sheets->changes++;
}

void sn_sheets_free(sn_sheets *sheets, sn_memory *memory) {
    sn_column columns[] = NODE_COLUMNS(sheets);
    /* Where reading ran out of memory, there may be slots without a state. */
    size_t made = sheets->capacity < sheets->slots.count ? sheets->capacity : sheets->slots.count;
    for (size_t i = 0; i < made; i++) sn_sheet_state_free(&sheets->state[i], memory);
    sn_slots_free(&sheets->slots, memory);
    sn_free(memory, sheets->state, sheets->capacity, sizeof *sheets->state);
    sn_columns_free(memory, columns, 2, 0, sheets->node_capacity);
    *sheets = (sn_sheets){0};
}

/* ---- Nodes that go ---- */

/* Triangles whose nodes all stay; their corners still count the nodes as before. */
static void keep_triangles(sn_sheet_state *s, const uint8_t *alive, uint8_t doomed) {
    size_t kept = 0;
    for (size_t i = 0; i < s->def.triangle_count; i++) {
        const uint32_t *t = &s->triangle[3 * i];
        if (alive[s->node[t[0]]] == doomed || alive[s->node[t[1]]] == doomed ||
            alive[s->node[t[2]]] == doomed)
            continue;
        for (size_t c = 0; c < 3; c++) s->triangle[3 * kept + c] = t[c];
        if (s->open) s->open[kept] = s->open[i];
        for (size_t c = 0; s->edge_strength && c < 3; c++)
            s->edge_strength[kept][c] = s->edge_strength[i][c];
        kept++;
    }
    s->def.triangle_count = kept;
}

/* Nodes move up in the list, and what counts them follows: first by their slots. */
static void keep_nodes(sn_sheets *sheets, sn_sheet_state *s, const uint8_t *alive, uint8_t doomed) {
    size_t kept = 0, corners = 3 * s->def.triangle_count;
    for (size_t i = 0; i < corners; i++) s->triangle[i] = s->node[s->triangle[i]];
    for (size_t i = 0; i < s->def.node_count; i++) {
        uint32_t node = s->node[i];
        if (alive[node] == doomed) {
            sheets->of_node[node] = 0;
            continue;
        }
        s->node[kept] = node;
        s->rest[kept] = s->rest[i];
        if (s->strength) s->strength[kept] = s->strength[i];
        for (int k = 0; s->air && k < 2; k++) s->air[kept][k] = s->air[i][k];
        sheets->place[node] = (uint32_t)kept++;
    }
    for (size_t i = 0; i < corners; i++) s->triangle[i] = sheets->place[s->triangle[i]];
    s->def.node_count = kept;
}

void sn_sheets_forget(sn_sheets *sheets, sn_memory *memory, const uint8_t *alive, uint8_t doomed) {
    for (uint32_t i = 0; i < sheets->slots.count; i++) {
        sn_sheet_state *s = &sheets->state[i];
        size_t lost = 0;
        if (!sheets->slots.alive[i]) continue;
        for (size_t k = 0; k < s->def.node_count; k++) lost += alive[s->node[k]] == doomed;
        if (lost == 0) continue;
        keep_triangles(s, alive, doomed);
        keep_nodes(sheets, s, alive, doomed);
        sn_sheets_mark_changed(sheets, i);
        if (s->def.node_count == 0) sn_sheets_remove(sheets, memory, i);
    }
}
