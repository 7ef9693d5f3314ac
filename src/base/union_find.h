/* Sets that grow together: each element knows one of its set, and the root knows itself. */
#ifndef SN_BASE_UNION_FIND_H
#define SN_BASE_UNION_FIND_H

#include <stdint.h>

/* The root of an element; the path to it is halved on the way. */
static inline uint32_t sn_sets_root(uint32_t *parent, uint32_t i) {
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

/* Makes one set of two; its root is the lower one, which keeps results free of the order. */
static inline void sn_sets_join(uint32_t *parent, uint32_t a, uint32_t b) {
    a = sn_sets_root(parent, a);
    b = sn_sets_root(parent, b);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

#endif
