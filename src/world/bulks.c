#include "world/bulks.h"

#include "geometry/topology/sort_indices.h"

const uint8_t sn_tet_face[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

#define NODE_COLUMNS(bulks)                                                                        \
    {                                                                                              \
        {(void **)&(bulks)->of_node, sizeof *(bulks)->of_node},                                    \
            {(void **)&(bulks)->place, sizeof *(bulks)->place},                                    \
    }
#define LIST_COLUMNS(state)                                                                        \
    {                                                                                              \
        {(void **)&(state)->node, sizeof *(state)->node},                                          \
            {(void **)&(state)->rest, sizeof *(state)->rest},                                      \
            {(void **)&(state)->origin, sizeof *(state)->origin},                                  \
    }
#define TET_COLUMNS(state)                                                                         \
    {                                                                                              \
        {(void **)&(state)->tet, 4 * sizeof *(state)->tet},                                        \
            {(void **)&(state)->open, sizeof *(state)->open},                                      \
    }

/* Arrays that grow together; false when there is no memory. */
static bool grow(sn_memory *memory, const sn_column *columns, size_t count, size_t *capacity,
                 size_t needed) {
    if (needed <= *capacity) return true;
    size_t grown = sn_columns_grow(memory, columns, count, 0, *capacity, needed);
    if (grown > 0) *capacity = grown;
    return grown > 0;
}

bool sn_bulks_reserve(sn_bulks *bulks, sn_memory *memory, size_t slots) {
    size_t needed = sn_slots_needed(&bulks->slots, 1);
    sn_column columns[] = NODE_COLUMNS(bulks);
    return grow(memory, columns, 2, &bulks->node_capacity, slots) &&
           sn_slots_reserve(&bulks->slots, memory, needed) &&
           sn_reserve(memory, (void **)&bulks->state, &bulks->capacity, needed,
                      sizeof *bulks->state);
}

bool sn_bulk_state_reserve(sn_bulk_state *s, sn_memory *memory, size_t nodes, size_t tets) {
    sn_column lists[] = LIST_COLUMNS(s), elements[] = TET_COLUMNS(s);
    return grow(memory, lists, 3, &s->capacity, nodes) &&
           grow(memory, elements, 2, &s->tet_capacity, tets);
}

void sn_bulk_state_free(sn_bulk_state *s, sn_memory *memory) {
    sn_column lists[] = LIST_COLUMNS(s), elements[] = TET_COLUMNS(s);
    sn_columns_free(memory, lists, 3, 0, s->capacity);
    sn_columns_free(memory, elements, 2, 0, s->tet_capacity);
    sn_free(memory, s->parent, s->parent_capacity, sizeof *s->parent);
    *s = (sn_bulk_state){0};
}

uint32_t sn_bulks_add_node(sn_bulks *bulks, uint32_t bulk, uint32_t node, sn_vec4 rest) {
    sn_bulk_state *s = &bulks->state[bulk];
    uint32_t place = (uint32_t)s->def.node_count++;
    s->node[place] = node;
    s->rest[place] = rest;
    s->origin[place] = place;
    bulks->of_node[node] = bulk + 1;
    bulks->place[node] = place;
    return place;
}

uint32_t sn_bulks_add_copy(sn_bulks *bulks, uint32_t bulk, uint32_t node, uint32_t vertex) {
    sn_bulk_state *s = &bulks->state[bulk];
    uint32_t place = sn_bulks_add_node(bulks, bulk, node, s->rest[vertex]);
    s->origin[place] = s->origin[vertex];
    s->copies++;
    return place;
}

void sn_bulks_remove(sn_bulks *bulks, sn_memory *memory, uint32_t index) {
    sn_bulk_state *s = &bulks->state[index];
    for (size_t i = 0; i < s->def.node_count; i++) bulks->of_node[s->node[i]] = 0;
    sn_bulk_state_free(s, memory);
    sn_slots_give(&bulks->slots, index);
}

void sn_bulks_free(sn_bulks *bulks, sn_memory *memory) {
    sn_column columns[] = NODE_COLUMNS(bulks);
    /* Where reading ran out of memory, there may be slots without a state. */
    size_t made = bulks->capacity < bulks->slots.count ? bulks->capacity : bulks->slots.count;
    for (size_t i = 0; i < made; i++) sn_bulk_state_free(&bulks->state[i], memory);
    sn_slots_free(&bulks->slots, memory);
    sn_free(memory, bulks->state, bulks->capacity, sizeof *bulks->state);
    sn_columns_free(memory, columns, 2, 0, bulks->node_capacity);
    *bulks = (sn_bulks){0};
}

/* ---- Nodes that go ---- */

static bool is_doomed(const sn_bulk_state *s, const uint32_t *tet, const uint8_t *alive,
                      uint8_t doomed) {
    for (int c = 0; c < 4; c++)
        if (alive[s->node[tet[c]]] == doomed) return true;
    return false;
}

/* Tets whose nodes all stay; their corners still count the nodes as before. */
static void keep_tets(sn_bulk_state *s, const uint8_t *alive, uint8_t doomed) {
    size_t kept = 0;
    for (size_t i = 0; i < s->def.tet_count; i++) {
        if (is_doomed(s, &s->tet[4 * i], alive, doomed)) continue;
        for (size_t c = 0; c < 4; c++) s->tet[4 * kept + c] = s->tet[4 * i + c];
        if (s->parent) s->parent[kept] = s->parent[i];
        s->open[kept++] = s->open[i];
    }
    s->def.tet_count = kept;
}

/* Copies of nodes that go are copies of the first of them that stays. */
static void keep_origins(sn_bulk_state *s, const uint8_t *alive, uint8_t doomed) {
    s->copies = 0;
    for (uint32_t i = 0; i < s->def.node_count; i++) {
        uint32_t origin = s->origin[i];
        if (alive[s->node[i]] == doomed) continue;
        /* Once one has taken its place, the origin says who. */
        if (alive[s->node[origin]] == doomed) {
            if (s->origin[origin] == origin) s->origin[origin] = i;
            s->origin[i] = s->origin[origin];
        }
        s->copies += s->origin[i] != i;
    }
}

/* Nodes move up in the list, and what counts them follows: first by their slots. */
static void keep_nodes(sn_bulks *bulks, sn_bulk_state *s, const uint8_t *alive, uint8_t doomed) {
    size_t kept = 0, corners = 4 * s->def.tet_count;
    for (size_t i = 0; i < corners; i++) s->tet[i] = s->node[s->tet[i]];
    keep_origins(s, alive, doomed);
    for (size_t i = 0; i < s->def.node_count; i++) s->origin[i] = s->node[s->origin[i]];
    for (size_t i = 0; i < s->def.node_count; i++) {
        uint32_t node = s->node[i];
        if (alive[node] == doomed) {
            bulks->of_node[node] = 0;
            continue;
        }
        s->node[kept] = node;
        s->rest[kept] = s->rest[i];
        s->origin[kept] = s->origin[i];
        bulks->place[node] = (uint32_t)kept++;
    }
    for (size_t i = 0; i < corners; i++) s->tet[i] = bulks->place[s->tet[i]];
    for (size_t i = 0; i < kept; i++) s->origin[i] = bulks->place[s->origin[i]];
    s->def.node_count = kept;
}

void sn_bulks_forget(sn_bulks *bulks, sn_memory *memory, const uint8_t *alive, uint8_t doomed) {
    for (uint32_t i = 0; i < bulks->slots.count; i++) {
        sn_bulk_state *s = &bulks->state[i];
        size_t lost = 0;
        if (!bulks->slots.alive[i]) continue;
        for (size_t k = 0; k < s->def.node_count; k++) lost += alive[s->node[k]] == doomed;
        if (lost == 0) continue;
        keep_tets(s, alive, doomed);
        keep_nodes(bulks, s, alive, doomed);
        s->changes++;
        if (s->def.node_count == 0) sn_bulks_remove(bulks, memory, i);
    }
}

/* ---- Looking at one ---- */

static void face_of(const sn_bulk_state *s, size_t face, uint32_t v[3]) {
    for (int k = 0; k < 3; k++) v[k] = s->tet[face / 4 * 4 + sn_tet_face[face % 4][k]];
}

/* Faces that come once, by sorting all of them. */
static size_t list_single(const sn_bulk_state *s, sn_record *records, sn_record *spare,
                          uint32_t *triangles, size_t capacity) {
    size_t faces = 4 * s->def.tet_count, found = 0;
    for (size_t f = 0; f < faces; f++) {
        face_of(s, f, records[f].key);
        sn_sort_three(records[f].key);
        records[f].value = (uint32_t)f;
    }
    sn_records_sort(records, spare, faces, 3);
    for (size_t i = 0; i < faces; i++) spare[i].value = 0;
    for (size_t i = 0, end; i < faces; i = end) {
        end = sn_records_run(records, i, faces, 3);
        spare[records[i].value].value = end == i + 1;
    }
    for (size_t f = 0; f < faces; f++) {
        if (!spare[f].value) continue;
        if (found < capacity) face_of(s, f, &triangles[3 * found]);
        found++;
    }
    return found;
}

bool sn_bulk_surface(const sn_bulk_state *s, sn_memory *memory, uint32_t *triangles,
                     size_t capacity, size_t *count) {
    size_t faces = 4 * s->def.tet_count;
    sn_record *records = sn_allocate(memory, faces + 1, sizeof *records);
    sn_record *spare = sn_allocate(memory, faces + 1, sizeof *spare);
    bool room = records && spare;
    if (room) *count = list_single(s, records, spare, triangles, capacity);
    sn_free(memory, records, faces + 1, sizeof *records);
    sn_free(memory, spare, faces + 1, sizeof *spare);
    return room;
}

static uint32_t root_of(uint32_t *parent, uint32_t vertex) {
    while (parent[vertex] != vertex) {
        parent[vertex] = parent[parent[vertex]];
        vertex = parent[vertex];
    }
    return vertex;
}

bool sn_bulk_parts(const sn_bulk_state *s, sn_memory *memory, size_t *count) {
    size_t vertices = s->def.node_count;
    uint32_t *parent = sn_allocate(memory, vertices + 1, sizeof *parent);
    if (!parent) return false;
    for (uint32_t i = 0; i < vertices; i++) parent[i] = i;
    for (size_t i = 0; i < 4 * s->def.tet_count; i++) {
        uint32_t a = root_of(parent, s->tet[i]), b = root_of(parent, s->tet[i / 4 * 4]);
        parent[a < b ? b : a] = a < b ? a : b;
    }
    /* A root among the corners is counted once. */
    *count = 0;
    for (size_t i = 0; i < 4 * s->def.tet_count; i++)
        if (parent[s->tet[i]] == s->tet[i]) {
            parent[s->tet[i]] = UINT32_MAX;
            ++*count;
        }
    sn_free(memory, parent, vertices + 1, sizeof *parent);
    return true;
}
