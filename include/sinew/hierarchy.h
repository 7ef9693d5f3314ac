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

/* The most levels of a hierarchy, which is all that there can be. */
#define SN_HIERARCHY_LEVELS 32

/*
 * A hierarchy over nodes of any bodies.
 *
 * Edges are those that are listed and, where places at rest are known, the sides of the triangles;
 * where neither are given, those of all distance constraints between the nodes, with their rest
 * lengths. Triangles let distances be measured straight across them; without them they are lengths
 * of paths along edges, which are up to a tenth too long on a grid. Places at rest make the levels
 * of triangles exact at their borders.
 *
 * Where there are fewer levels than `finest`, the coarsest is solved. Above an `interval` of 2,
 * nothing holds what is far for so long that it may swing up. `side` is SN_SIDE_AT_MOST or
 * SN_SIDE_BOTH, which resists folding.
 */
#define SN_HIERARCHY_FIELDS(FIELD, ARRAY)                                                          \
    ARRAY(NODES, nodes, node_count, "", false, "the members, each of them once")                   \
    FIELD(COUNT, node_count, "1", 2, SN_COUNT_MAX, 0, false, "how many members")                   \
    ARRAY(EDGES, edges, edge_count, "", false, "of indices into nodes")                            \
    FIELD(COUNT, edge_count, "1", 0, SN_COUNT_MAX, 0, false, "how many edges")                     \
    ARRAY(REALS, lengths, edge_count, "m", true,                                                   \
          "of the edges at rest, above 0; null: from the places at rest")                          \
    ARRAY(TRIANGLES, triangles, triangle_count, "", false, "of indices into nodes")                \
    FIELD(COUNT, triangle_count, "1", 0, SN_COUNT_MAX, 0, false, "how many triangles")             \
    ARRAY(VEC3S, rest, node_count, "m", true,                                                      \
          "where each node is at rest; null: where they are, unknown where lengths are given")     \
    FIELD(INT, levels, "1", 1, SN_HIERARCHY_LEVELS, SN_HIERARCHY_LEVELS, false, "at most so many") \
    FIELD(INT, finest, "1", 1, SN_HIERARCHY_LEVELS, 2, false,                                      \
          "the finest level whose distances are solved; those below only pass motion on")          \
    FIELD(INT, sweeps, "1", 1, 64, 4, false, "over the distances of a level each time")            \
    FIELD(INT, interval, "1", 1, 64, 1, false,                                                     \
          "levels are solved before one of so many sweeps over the constraints")                   \
    FIELD(SIDE, side, "", 0, 2, 2, false,                                                          \
          "whether distances may become shorter (at_most) or not (both)")                          \
    FIELD(REAL, stiffness, "1", 0, 1, 1, false, "the part of an error that a sweep corrects")      \
    FIELD(REAL, slack, "1", 0, SN_REAL_MAX, 0, false, "distances may be longer by this part")

/* sn_hierarchy_def and its default. */
SN_DECLARE_OBJECT(hierarchy, SN_HIERARCHY_FIELDS)

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
