/* What lies around the nodes of a graph: neighbours and triangles, one list after the other. */
#ifndef SN_GEOMETRY_TOPOLOGY_ADJACENCY_H
#define SN_GEOMETRY_TOPOLOGY_ADJACENCY_H

#include "geometry/topology/coarsen.h"

typedef struct sn_neighbour {
    uint32_t node;
    double length; /* m */
} sn_neighbour;

/* A triangle as one of its corners sees it. */
typedef struct sn_fan {
    uint32_t node[2]; /* the other corners */
    double length[3]; /* m: to the first, to the second, between the two */
} sn_fan;

typedef struct sn_adjacency {
    size_t nodes;
    size_t *begin; /* nodes + 1 numbers: where the neighbours of a node begin */
    sn_neighbour *neighbour;
    size_t neighbours; /* that there is room for */
    size_t *fan_begin; /* likewise its triangles */
    sn_fan *fan;
    size_t fans;
} sn_adjacency;

/* False when there is no memory. */
bool sn_adjacency_create(sn_adjacency *around, const sn_graph *graph, sn_memory *memory);
void sn_adjacency_free(sn_adjacency *around, sn_memory *memory);

/* ---- unfold_distances.c ---- */

/* The places where distances from a node are looked for. */
typedef struct sn_unfold {
    double *distance; /* m, of nodes that were reached; infinite elsewhere */
    uint32_t *queue, *reached;
    uint8_t *waiting;
    size_t nodes, count; /* of all, and of those that were reached */
} sn_unfold;

bool sn_unfold_create(sn_unfold *unfold, size_t nodes, sn_memory *memory);
void sn_unfold_free(sn_unfold *unfold, sn_memory *memory);

/* Finds the distances from a node along the nodes whose `patch` is `number`; those of the last call
   are forgotten. */
void sn_unfold_from(sn_unfold *unfold, const sn_adjacency *around, uint32_t source,
                    const uint32_t *patch, uint32_t number);

#endif
