/*
 * The list of a constraint that has any number of nodes: one allocation per constraint, with the
 * nodes, a number of the type's own for each, and the triangles between them. Surfaces may keep,
 * and regions do keep, where their nodes were at rest; regions also a shape that is derived from
 * that, and a rotation which the loop starts from.
 */
#ifndef SN_STATE_NODE_LIST_H
#define SN_STATE_NODE_LIST_H

#include "base/memory.h"
#include "math/match.h"
#include "math/vector.h"

#include <sinew/constraint.h>

/* Bytes per node in the arrays that the loops read: nodes are kept as offsets into them. */
enum { SN_NODE_BYTES = sizeof(sn_vec4), SN_MOST_NODES = INT32_MAX / SN_NODE_BYTES };

typedef struct sn_list {
    size_t count, triangles;
    sn_list_kind kind;
    int32_t *offset;    /* of the nodes */
    sn_real *w;         /* inverse masses of the nodes, or what derive made of them */
    sn_real *c;         /* sn_list_numbers per node, measured at creation */
    uint32_t *triangle; /* three indices into the nodes each */
    sn_vec4 *y, *u; /* scratch of the loop, of surfaces and paths; of regions y alone; of fans y is
                           made by derive */
    /* Of paths scratch as well. Of surfaces and regions, places relative to node 0. In a region the
       fourth number is made by derive; in a surface it is 1 less the weight of the node. A surface
       that does not need them has zeros. */
    sn_vec4 *rest;
    /* Of regions: */
    sn_match_shape *shape; /* made by derive */
    sn_real *turn; /* the rotation of the last sweep, four numbers: state, as positions are */
} sn_list;

/* A list with room, or null with the error set. */
sn_list *sn_list_create(sn_memory *memory, sn_list_kind kind, size_t count, size_t triangles);
void sn_list_free(sn_memory *memory, sn_list *list);

/* How many numbers are measured per node. */
size_t sn_list_numbers(sn_list_kind kind);

/* Whether it is a vertex with its neighbours. */
static inline bool sn_list_is_ring(sn_list_kind kind) {
    return kind == SN_LIST_RING || kind == SN_LIST_FAN;
}

/* Whether a surface has places at rest. */
bool sn_list_has_rest(const sn_list *list);

#endif
