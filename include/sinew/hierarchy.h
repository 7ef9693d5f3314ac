/*
 * Hierarchies: coarser levels of a mesh, which carry what pulls over long distances.
 *
 * A sweep over the constraints of a cloth moves news by a few edges, so a large one that hangs from
 * its corners stretches like rubber. A hierarchy makes coarser graphs of the same nodes (Mueller
 * 2008, hierarchical position based dynamics). Before a sweep, distances between the nodes of the
 * coarsest are solved, all finer nodes follow by what their parents have moved, and so on to the
 * finest. Distances of levels only resist stretching, unless asked otherwise, so that cloth folds
 * as before.
 *
 * It is meant for what is hard. Levels keep the momentum of nodes that are free, as their nodes
 * weigh what follows them; angular momentum is kept up to how far nodes are from the middle of
 * that.
 */
#ifndef SINEW_HIERARCHY_H
#define SINEW_HIERARCHY_H

#include <sinew/constraint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The id of a hierarchy, made like that of a node. */
typedef struct sn_hierarchy {
    uint32_t slot;       /* place + 1 */
    uint16_t generation; /* of the slot */
    uint16_t world;      /* which world it belongs to */
} sn_hierarchy;

/*
 * A hierarchy over nodes of any bodies. What the pointers point to is copied.
 *
 * Edges are those that are listed and, where places at rest are known, the sides of the triangles;
 * where neither are given, those of all distance constraints between the nodes, with their rest
 * lengths. Triangles let distances be measured straight across them; without them they are lengths
 * of paths along edges, which are up to a tenth too long on a grid.
 */
typedef struct sn_hierarchy_def {
    size_t size;               /* set by sn_hierarchy_def_default */
    const sn_node *nodes;      /* each of them once */
    size_t node_count;         /* at least 2 */
    const uint32_t *edges;     /* two indices into nodes each; may be null */
    size_t edge_count;         /* of edges */
    const sn_real *lengths;    /* m, of the edges at rest, above 0; null: from the places at rest */
    const uint32_t *triangles; /* three indices into nodes each; may be null */
    size_t triangle_count;     /* of triangles */
    /* m, where each node is at rest; null: where they are now, or unknown where lengths are given.
       Places make the levels of triangles exact at their borders. */
    const sn_vec3 *rest;
    int levels; /* at most so many, 1 to 32; default 32, which is all there can be */
    /* The finest level whose distances are solved, 1 to 32: those below only pass motion on.
       Default 2. Where there are fewer levels, the coarsest is solved. */
    int finest;
    int sweeps; /* over the distances of a level each time, 1 to 64; default 4 */
    /* 1 to 64: levels are solved before one of so many sweeps over the constraints; default 1. The
       rest of the time nothing holds what is far, which above 2 may swing up. */
    int interval;
    sn_side side;      /* SN_SIDE_AT_MOST, the default, or SN_SIDE_BOTH, which resists folding */
    sn_real stiffness; /* 0 to 1, the part of an error that a sweep corrects; default 1 */
    sn_real slack;     /* 1, at least 0: distances may be longer by this part; default 0 */
} sn_hierarchy_def;

SN_API sn_hierarchy_def sn_hierarchy_def_default(void);

/* Makes a hierarchy. Levels are made when the world is next stepped. */
SN_API sn_result sn_hierarchy_create(sn_world *world, const sn_hierarchy_def *def,
                                     sn_hierarchy *hierarchy);

/* Removes a hierarchy; its nodes stay. A hierarchy also goes with the last of its nodes. */
SN_API sn_result sn_hierarchy_destroy(sn_world *world, sn_hierarchy hierarchy);

/* Whether the id names a living hierarchy of this world. */
SN_API bool sn_hierarchy_is_valid(const sn_world *world, sn_hierarchy hierarchy);

/* Takes over everything from a definition, for a mesh that has changed: nodes, edges, triangles and
   the rest. Levels are also made anew when masses change, pins come or go, nodes are destroyed, or
   a constraint between two nodes of an edge breaks or is destroyed, which takes the edge along. */
SN_API sn_result sn_hierarchy_set(sn_world *world, sn_hierarchy hierarchy,
                                  const sn_hierarchy_def *def);

/* The hierarchy as a definition: nodes in the order of their slots, all edges with their lengths,
   and triangles. Its lists are valid until the next call that is not const. */
SN_API sn_result sn_hierarchy_get(const sn_world *world, sn_hierarchy hierarchy,
                                  sn_hierarchy_def *def);

/* The first hierarchy, by slots, that a node belongs to; the null id where there is none. */
SN_API sn_result sn_node_hierarchy(const sn_world *world, sn_node node, sn_hierarchy *hierarchy);

/* How many nodes a level had in the last step, from 1, the finest; 0 where there is no such
   level. */
SN_API sn_result sn_hierarchy_level_nodes(const sn_world *world, sn_hierarchy hierarchy, int level,
                                          size_t *count);

#ifdef __cplusplus
}
#endif

#endif
