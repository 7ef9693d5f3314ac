/* The edges of a mesh of triangles or tetrahedra, each once, with the elements around it. */
#ifndef SN_MESH_EDGES_H
#define SN_MESH_EDGES_H

#include "base/memory.h"

typedef struct sn_edge {
    uint32_t a, b;  /* vertices, a < b */
    uint32_t first; /* where its elements begin in sn_edges.element */
    uint32_t count; /* of elements */
} sn_edge;

typedef struct sn_edges {
    size_t count;
    sn_edge *edge;     /* ordered by a, then by b */
    uint32_t *element; /* numbers of triangles or tets */
    size_t capacity;   /* of both arrays */
} sn_edges;

/* Finds the edges of `count` elements with `corners` (3 or 4) valid, different vertices each. */
sn_result sn_edges_create(sn_edges *edges, sn_memory *memory, const uint32_t *elements,
                          size_t count, size_t corners, size_t vertices);
void sn_edges_free(sn_edges *edges, sn_memory *memory);

#endif
