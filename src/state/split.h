/* What becomes of nodes where a mesh is cut, for systems that have lists of them (system.h). */
#ifndef SN_STATE_SPLIT_H
#define SN_STATE_SPLIT_H

#include "geometry/topology/split_vertex.h"

#include <sinew/node.h>

/* A node that is split: elements around it whose corners are `copied` go with the copy. */
typedef struct sn_split {
    uint32_t node, copy;
    const sn_corner *corner; /* with the nodes of the elements */
    size_t corners;
} sn_split;

/* An edge that is divided by a new node. */
typedef struct sn_division {
    uint32_t a, b, middle;
    double t;               /* where that is, from 0 at a to 1 at b */
    sn_vec3 rest;           /* m, of the new node */
    size_t elements;        /* around the edge */
    const uint32_t *beside; /* other nodes of these, each once */
    const double *length;   /* m, how far these are from the new node at rest */
    size_t besides;
} sn_division;

/* A node that is put elsewhere in the mesh at rest. */
typedef struct sn_rest_move {
    uint32_t node;
    sn_vec3 rest; /* m */
    /* By how much an edge to another node is longer then. */
    double (*stretch)(const void *context, uint32_t other);
    const void *context;
} sn_rest_move;

/* Whether a node may be split by a cut that is about to be made. */
typedef bool sn_may_split(const void *context, uint32_t node);

/* The nodes of an object that cannot be cut. */
typedef struct sn_split_list {
    const sn_node *nodes;
    size_t count;
    const char *what; /* it is, for the sentence, such as "air mesh" */
    size_t object;    /* its number */
} sn_split_list;

/* Fails where one of them may be split. */
sn_result sn_split_check(const sn_split_list *list, sn_may_split *may, const void *context);

/* Whether a node is one of them. */
bool sn_split_touches(const sn_node *nodes, size_t count, uint32_t node);

#endif
