#include "state/nodes.h"

#include "state/type.h"

#define COLUMNS(n)                                                                                 \
    {                                                                                              \
        {(void **)&(n)->x, sizeof *(n)->x}, {(void **)&(n)->d, sizeof *(n)->d},                    \
            {(void **)&(n)->p, sizeof *(n)->p}, {(void **)&(n)->v, sizeof *(n)->v},                \
            {(void **)&(n)->force, sizeof *(n)->force}, {(void **)&(n)->w, sizeof *(n)->w},        \
            {(void **)&(n)->radius, sizeof *(n)->radius},                                          \
            {(void **)&(n)->group, sizeof *(n)->group}, {(void **)&(n)->body, sizeof *(n)->body},  \
            {(void **)&(n)->frame, sizeof *(n)->frame},                                            \
            {(void **)&(n)->driven, sizeof *(n)->driven},                                          \
            {(void **)&(n)->anchored, sizeof *(n)->anchored},                                      \
    }
enum { COLUMN_COUNT = 12 };

bool sn_nodes_reserve(sn_nodes *nodes, sn_memory *memory, size_t capacity) {
    if (!sn_slots_reserve(&nodes->slots, memory, capacity)) return false;
    if (capacity <= nodes->capacity) return true;
    sn_column columns[] = COLUMNS(nodes);
    size_t grown =
        sn_columns_grow(memory, columns, COLUMN_COUNT, SN_NODE_FRONT, nodes->capacity, capacity);
    if (grown > 0) nodes->capacity = grown;
    return grown > 0;
}

void sn_nodes_free(sn_nodes *nodes, sn_memory *memory) {
    sn_column columns[] = COLUMNS(nodes);
    sn_columns_free(memory, columns, COLUMN_COUNT, SN_NODE_FRONT, nodes->capacity);
    sn_free(memory, nodes->drive, nodes->drive_capacity, sizeof *nodes->drive);
    sn_slots_free(&nodes->slots, memory);
}

bool sn_nodes_reserve_drive(sn_nodes *nodes, sn_memory *memory) {
    return sn_reserve(memory, (void **)&nodes->drive, &nodes->drive_capacity, nodes->drives + 1,
                      sizeof *nodes->drive);
}

sn_drive *sn_nodes_drive(sn_nodes *nodes, uint32_t index) {
    if (!nodes->driven[index]) {
        nodes->drive[nodes->drives] = (sn_drive){.node = index};
        nodes->driven[index] = (uint32_t)++nodes->drives;
    }
    sn_drive *drive = &nodes->drive[nodes->driven[index] - 1];
    drive->collider = 0;
    return drive;
}

void sn_nodes_unride(sn_nodes *nodes, uint32_t collider) {
    for (size_t i = nodes->drives; i-- > 0;) {
        uint32_t node = nodes->drive[i].node;
        if (nodes->drive[i].collider != collider) continue;
        nodes->v[node] = (sn_vec4){0, 0, 0, 0};
        sn_nodes_undrive(nodes, node);
    }
}

void sn_nodes_undrive(sn_nodes *nodes, uint32_t index) {
    if (!nodes->driven[index]) return;
    sn_drive *gap = &nodes->drive[nodes->driven[index] - 1], *last = &nodes->drive[--nodes->drives];
    nodes->driven[last->node] = nodes->driven[index];
    nodes->driven[index] = 0;
    *gap = *last;
}

void sn_nodes_place(sn_nodes *nodes, uint32_t index, sn_vec3 position) {
    nodes->x[index] = (sn_vec4){position.x, position.y, position.z, 0};
    nodes->d[index] = nodes->p[index] = (sn_vec4){0, 0, 0, 0};
}
