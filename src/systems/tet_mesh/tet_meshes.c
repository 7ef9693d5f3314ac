#include "systems/tet_mesh/tet_meshes.h"

#include "base/union_find.h"
#include "geometry/topology/sort_indices.h"

const uint8_t sn_tet_face[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

#define NODE_COLUMNS(tet_meshes)                                                                   \
    {                                                                                              \
        {(void **)&(tet_meshes)->of_node, sizeof *(tet_meshes)->of_node},                          \
            {(void **)&(tet_meshes)->place, sizeof *(tet_meshes)->place},                          \
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
            {(void **)&(state)->parent, sizeof *(state)->parent},                                  \
    }

/* Arrays that grow together; false when there is no memory. */
static bool grow(sn_memory *memory, const sn_column *columns, size_t count, size_t *capacity,
                 size_t needed) {
    if (needed <= *capacity) return true;
    size_t grown = sn_columns_grow(memory, columns, count, 0, *capacity, needed);
    if (grown > 0) *capacity = grown;
    return grown > 0;
}

bool sn_tet_meshes_reserve(sn_tet_meshes *tet_meshes, sn_memory *memory, size_t slots) {
    size_t needed = sn_slots_needed(&tet_meshes->slots, 1);
    sn_column columns[] = NODE_COLUMNS(tet_meshes);
    return grow(memory, columns, 2, &tet_meshes->node_capacity, slots) &&
           sn_slots_reserve(&tet_meshes->slots, memory, needed) &&
           sn_reserve(memory, (void **)&tet_meshes->state, &tet_meshes->capacity, needed,
                      sizeof *tet_meshes->state);
}

bool sn_tet_mesh_state_reserve(sn_tet_mesh_state *s, sn_memory *memory, size_t nodes, size_t tets) {
    sn_column lists[] = LIST_COLUMNS(s), elements[] = TET_COLUMNS(s);
    return grow(memory, lists, 3, &s->capacity, nodes) &&
           grow(memory, elements, 3, &s->tet_capacity, tets);
}

void sn_tet_mesh_state_free(sn_tet_mesh_state *s, sn_memory *memory) {
    sn_column lists[] = LIST_COLUMNS(s), elements[] = TET_COLUMNS(s);
    sn_columns_free(memory, lists, 3, 0, s->capacity);
    sn_columns_free(memory, elements, 3, 0, s->tet_capacity);
    *s = (sn_tet_mesh_state){0};
}

uint32_t sn_tet_meshes_add_node(sn_tet_meshes *tet_meshes, uint32_t tet_mesh, uint32_t node,
                                sn_vec4 rest) {
    sn_tet_mesh_state *s = &tet_meshes->state[tet_mesh];
    uint32_t place = (uint32_t)s->def.node_count++;
    s->node[place] = node;
    s->rest[place] = rest;
    s->origin[place] = place;
    tet_meshes->of_node[node] = tet_mesh + 1;
    tet_meshes->place[node] = place;
    return place;
}

uint32_t sn_tet_meshes_add_copy(sn_tet_meshes *tet_meshes, uint32_t tet_mesh, uint32_t node,
                                uint32_t vertex) {
    sn_tet_mesh_state *s = &tet_meshes->state[tet_mesh];
    uint32_t place = sn_tet_meshes_add_node(tet_meshes, tet_mesh, node, s->rest[vertex]);
    s->origin[place] = s->origin[vertex];
    s->copies++;
    return place;
}

void sn_tet_meshes_remove(sn_tet_meshes *tet_meshes, sn_memory *memory, uint32_t index) {
    sn_tet_mesh_state *s = &tet_meshes->state[index];
    for (size_t i = 0; i < s->def.node_count; i++) tet_meshes->of_node[s->node[i]] = 0;
    sn_tet_mesh_state_free(s, memory);
    sn_slots_give(&tet_meshes->slots, index);
}

void sn_tet_meshes_free(sn_tet_meshes *tet_meshes, sn_memory *memory) {
    sn_column columns[] = NODE_COLUMNS(tet_meshes);
    /* Where reading ran out of memory, there may be slots without a state. */
    size_t made = tet_meshes->capacity < tet_meshes->slots.count ? tet_meshes->capacity
                                                                 : tet_meshes->slots.count;
    for (size_t i = 0; i < made; i++) sn_tet_mesh_state_free(&tet_meshes->state[i], memory);
    sn_slots_free(&tet_meshes->slots, memory);
    sn_free(memory, tet_meshes->state, tet_meshes->capacity, sizeof *tet_meshes->state);
    sn_columns_free(memory, columns, 2, 0, tet_meshes->node_capacity);
    *tet_meshes = (sn_tet_meshes){0};
}

/* ---- Nodes that go ---- */

static bool is_doomed(const sn_tet_mesh_state *s, const uint32_t *tet, const uint8_t *alive,
                      uint8_t doomed) {
    for (int c = 0; c < 4; c++)
        if (alive[s->node[tet[c]]] == doomed) return true;
    return false;
}

/* Tets whose nodes all stay; their corners still count the nodes as before. */
static void keep_tets(sn_tet_mesh_state *s, const uint8_t *alive, uint8_t doomed) {
    size_t kept = 0;
    for (size_t i = 0; i < s->def.tet_count; i++) {
        if (is_doomed(s, &s->tet[4 * i], alive, doomed)) continue;
        for (size_t c = 0; c < 4; c++) s->tet[4 * kept + c] = s->tet[4 * i + c];
        s->parent[kept] = s->parent[i];
        s->open[kept++] = s->open[i];
    }
    s->def.tet_count = kept;
}

/* Copies of nodes that go are copies of the first of them that stays. */
static void keep_origins(sn_tet_mesh_state *s, const uint8_t *alive, uint8_t doomed) {
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
static void keep_nodes(sn_tet_meshes *tet_meshes, sn_tet_mesh_state *s, const uint8_t *alive,
                       uint8_t doomed) {
    size_t kept = 0, corners = 4 * s->def.tet_count;
    for (size_t i = 0; i < corners; i++) s->tet[i] = s->node[s->tet[i]];
    keep_origins(s, alive, doomed);
    for (size_t i = 0; i < s->def.node_count; i++) s->origin[i] = s->node[s->origin[i]];
    for (size_t i = 0; i < s->def.node_count; i++) {
        uint32_t node = s->node[i];
        if (alive[node] == doomed) {
            tet_meshes->of_node[node] = 0;
            continue;
        }
        s->node[kept] = node;
        s->rest[kept] = s->rest[i];
        s->origin[kept] = s->origin[i];
        tet_meshes->place[node] = (uint32_t)kept++;
    }
    for (size_t i = 0; i < corners; i++) s->tet[i] = tet_meshes->place[s->tet[i]];
    for (size_t i = 0; i < kept; i++) s->origin[i] = tet_meshes->place[s->origin[i]];
    s->def.node_count = kept;
}

void sn_tet_meshes_forget(sn_tet_meshes *tet_meshes, sn_memory *memory, const uint8_t *alive,
                          uint8_t doomed) {
    for (uint32_t i = 0; i < tet_meshes->slots.count; i++) {
        sn_tet_mesh_state *s = &tet_meshes->state[i];
        size_t lost = 0;
        if (!tet_meshes->slots.alive[i]) continue;
        for (size_t k = 0; k < s->def.node_count; k++) lost += alive[s->node[k]] == doomed;
        if (lost == 0) continue;
        keep_tets(s, alive, doomed);
        keep_nodes(tet_meshes, s, alive, doomed);
        s->changes++;
        if (s->def.node_count == 0) sn_tet_meshes_remove(tet_meshes, memory, i);
    }
}

/* ---- Looking at one ---- */

static void face_of(const sn_tet_mesh_state *s, size_t face, uint32_t v[3]) {
    for (int k = 0; k < 3; k++) v[k] = s->tet[face / 4 * 4 + sn_tet_face[face % 4][k]];
}

/* Faces that come once, by sorting all of them. */
static size_t list_single(const sn_tet_mesh_state *s, sn_record *records, sn_record *spare,
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

bool sn_tet_mesh_surface(const sn_tet_mesh_state *s, sn_memory *memory, uint32_t *triangles,
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

bool sn_tet_mesh_parts(const sn_tet_mesh_state *s, sn_memory *memory, size_t *count) {
    size_t vertices = s->def.node_count;
    uint32_t *parent = sn_allocate(memory, vertices + 1, sizeof *parent);
    if (!parent) return false;
    for (uint32_t i = 0; i < vertices; i++) parent[i] = i;
    for (size_t i = 0; i < 4 * s->def.tet_count; i++)
        sn_sets_join(parent, s->tet[i], s->tet[i / 4 * 4]);
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
