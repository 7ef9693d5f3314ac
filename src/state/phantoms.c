#include "state/phantoms.h"

#include <string.h>

static bool reserve_vectors(sn_memory *memory, sn_vec4 **of, size_t *capacity, size_t count) {
    size_t had = *capacity;
    if (!sn_reserve(memory, (void **)of, capacity, count, sizeof **of)) return false;
    if (*capacity > had) memset(*of + had, 0, (*capacity - had) * sizeof **of);
    return true;
}

bool sn_phantoms_reserve(sn_phantoms *p, sn_memory *memory, size_t layers, size_t nodes,
                         size_t frames) {
    p->layers = 0;
    size_t stride = nodes + SN_NODE_FRONT, turn_stride = frames + SN_NODE_FRONT;
    if (!sn_reserve(memory, (void **)&p->moved, &p->moved_capacity, nodes, sizeof *p->moved) ||
        !sn_reserve(memory, (void **)&p->seen, &p->seen_capacity, nodes, sizeof *p->seen) ||
        !sn_reserve(memory, (void **)&p->turned, &p->turned_capacity, frames, sizeof *p->turned) ||
        !sn_reserve(memory, (void **)&p->turn_seen, &p->turn_seen_capacity, frames,
                    sizeof *p->turn_seen) ||
        !reserve_vectors(memory, &p->d, &p->d_capacity, layers * stride) ||
        !reserve_vectors(memory, &p->q, &p->q_capacity, layers * turn_stride) ||
        !reserve_vectors(memory, &p->turn, &p->turn_capacity, layers * turn_stride))
        return false;
    p->layers = layers;
    p->stride = stride;
    p->turn_stride = turn_stride;
    return true;
}

void sn_phantoms_free(sn_phantoms *p, sn_memory *memory) {
    sn_free(memory, p->moved, p->moved_capacity, sizeof *p->moved);
    sn_free(memory, p->seen, p->seen_capacity, sizeof *p->seen);
    sn_free(memory, p->turned, p->turned_capacity, sizeof *p->turned);
    sn_free(memory, p->turn_seen, p->turn_seen_capacity, sizeof *p->turn_seen);
    sn_free(memory, p->d, p->d_capacity, sizeof *p->d);
    sn_free(memory, p->q, p->q_capacity, sizeof *p->q);
    sn_free(memory, p->turn, p->turn_capacity, sizeof *p->turn);
}
