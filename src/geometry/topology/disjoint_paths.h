/*
 * Disjoint paths over all nodes of a graph, for sums over regions (Diziol et al. 2011; survey of
 * position based methods, section 5.11.3.3).
 */
#ifndef SN_GEOMETRY_TOPOLOGY_DISJOINT_PATHS_H
#define SN_GEOMETRY_TOPOLOGY_DISJOINT_PATHS_H

#include "base/memory.h"

/* What paths run over: neighbours of every node, and where nodes are (m). */
typedef struct sn_paths_graph {
    size_t nodes;
    const uint32_t *first;     /* nodes + 1: where the neighbours of a node begin */
    const uint32_t *neighbour; /* in any order */
    const sn_vec3 *x;
} sn_paths_graph;

/* How paths are laid: within planes across an axis, which suits surfaces, or along lines parallel
   to it, which suits what is filled. */
typedef struct sn_paths_direction {
    int axis; /* 0 to 2 */
    bool lines;
} sn_paths_direction;

enum { SN_PATHS_DIRECTIONS = 6 };
static inline sn_paths_direction sn_paths_direction_at(int i) {
    return (sn_paths_direction){i % 3, i >= 3};
}

typedef struct sn_paths {
    uint32_t *order; /* nodes, path after path */
    uint32_t *begin; /* where each path begins in `order`, and the end; room for nodes + 1 */
    size_t count;    /* of paths */
} sn_paths;

/* Lays paths, into arrays with room. `scratch` is of the size below. */
size_t sn_paths_scratch(size_t nodes);
void sn_paths_lay(const sn_paths_graph *graph, sn_paths_direction direction, void *scratch,
                  sn_paths *paths);

#endif
