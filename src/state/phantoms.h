/*
 * Nodes and frames in several parts, so that constraints need fewer colours (solvers/split.c):
 * scratch of the world.
 *
 * Constraints of the colours 0 to k - 1 move the first part of their nodes, which is the node
 * itself; those of k to 2 k - 1 the second part, and so on. So a layer has at most one part of
 * every node, and is an array as long as that of the nodes.
 */
#ifndef SN_STATE_PHANTOMS_H
#define SN_STATE_PHANTOMS_H

#include "base/memory.h"
#include "state/type.h"

typedef struct sn_phantoms {
    /* Per node and per frame, a bit per layer: constraints move it there, or look at it. */
    uint64_t *moved, *seen, *turned, *turn_seen;
    size_t moved_capacity, seen_capacity, turned_capacity, turn_seen_capacity;
    sn_vec4 *d, *q, *turn; /* of the layers behind the first, one after the other */
    size_t d_capacity, q_capacity, turn_capacity;
    size_t layers;              /* behind the first */
    size_t stride, turn_stride; /* from one of them to the next */
} sn_phantoms;

/* Room for so many layers behind the first; false when there is no memory. */
bool sn_phantoms_reserve(sn_phantoms *phantoms, sn_memory *memory, size_t layers, size_t nodes,
                         size_t frames);
void sn_phantoms_free(sn_phantoms *phantoms, sn_memory *memory);

/* The parts in a layer, which is at least 1, of the nodes and of the frames. */
static inline sn_vec4 *sn_phantoms_layer(sn_vec4 *parts, size_t stride, size_t layer) {
    return parts + (layer - 1) * stride + SN_NODE_FRONT;
}

#endif
