/*
 * Coarser graphs of a graph: the levels of hierarchical position based dynamics (Mueller 2008).
 *
 * The nodes of a coarser graph are chosen so that every other node has one of them as a neighbour;
 * fixed ones always are. Every node of the finer graph gets parents: itself, or the nearest chosen
 * ones within two edges, weighted by the inverse of the distance. Two chosen nodes are joined where
 * an edge leads from what belongs to one to what belongs to the other.
 *
 * Lengths are distances along the surface where there are triangles: these are unfolded into a
 * plane, so that a flat sheet gets straight lines, whatever its edges are, and a curved one may be
 * bent flat. Elsewhere they are lengths of paths. Nothing is asked but the lengths of edges, so it
 * does not matter where the nodes are.
 */
#ifndef SN_GEOMETRY_TOPOLOGY_COARSEN_H
#define SN_GEOMETRY_TOPOLOGY_COARSEN_H

#include "base/memory.h"
#include "geometry/point.h"

typedef struct sn_graph {
    size_t nodes;
    size_t edges, edge_room;
    uint32_t (*edge)[2]; /* lower node first; in order, each once */
    sn_real *length;     /* m, of the edges */
    size_t triangles, triangle_room;
    uint32_t (*triangle)[3]; /* those without all three edges are left out of account */
} sn_graph;

/* Who a node follows: nodes of the coarser graph, nearest first, with weights that sum to one. */
enum { SN_PARENTS = 4 };
typedef struct sn_parents {
    uint32_t node[SN_PARENTS];
    sn_real weight[SN_PARENTS];
} sn_parents;

typedef struct sn_coarse {
    sn_graph graph;
    uint32_t *origin;    /* of its nodes, in the finer graph */
    sn_parents *parents; /* of the nodes of the finer graph */
    size_t finer;        /* how many these are */
    uint8_t *acts;       /* of its edges: whether they are worth a constraint */
} sn_coarse;

/* Makes room in a graph; false when there is no memory. */
bool sn_graph_reserve(sn_graph *graph, sn_memory *memory, size_t edges, size_t triangles);
void sn_graph_free(sn_graph *graph, sn_memory *memory);

/* Sorts edges and leaves out those that are there twice; the first length counts. False when there
   is no memory. */
bool sn_graph_sort(sn_graph *graph, sn_memory *memory);

/* Where the nodes of a surface are at rest, and which way it faces there; zero where none. */
typedef struct sn_pose {
    sn_point x, normal;
} sn_pose;

/* The normals of a graph whose places are known. */
void sn_graph_face(const sn_graph *graph, sn_pose *pose);

/*
 * Shortens edges that go around corners of the border, which coarse surfaces have and the finest
 * has not: to the arc that leads from one node to the other with the directions that the surface
 * has there. It is straight where that is flat. No edge loses more than such corners can add.
 */
void sn_graph_straighten(sn_graph *graph, const sn_pose *pose);

/* The next level of a graph; `fixed` is of its nodes. False when there is no memory. */
bool sn_coarsen(const sn_graph *fine, const uint8_t *fixed, sn_memory *memory, sn_coarse *coarse);
void sn_coarse_free(sn_coarse *coarse, sn_memory *memory);

#endif
