/* The edges of triangles or tetrahedra as pairs of vertices, each once, with the elements
   around. */
#ifndef SN_GEOMETRY_TOPOLOGY_EDGE_ELEMENTS_H
#define SN_GEOMETRY_TOPOLOGY_EDGE_ELEMENTS_H

#include "base/memory.h"

typedef struct sn_pair {
    uint32_t a, b;  /* vertices, a < b */
    uint32_t first; /* where its elements begin in sn_pairs.element */
    uint32_t count; /* of elements */
} sn_pair;

typedef struct sn_pairs {
    size_t count;
    sn_pair *pair;     /* ordered by a, then by b */
    uint32_t *element; /* numbers of triangles or tets */
    size_t capacity;   /* of both arrays */
} sn_pairs;

/* Finds those of `count` elements with `corners` (3 or 4) valid, different vertices each. */
sn_result sn_pairs_create(sn_pairs *pairs, sn_memory *memory, const uint32_t *elements,
                          size_t count, size_t corners, size_t vertices);
void sn_pairs_free(sn_pairs *pairs, sn_memory *memory);

#endif
