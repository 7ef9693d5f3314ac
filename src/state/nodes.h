/*
 * Nodes: one array per quantity for the whole world, 16 bytes per vector.
 *
 * Positions are kept in delta form. During a substep a node is at x + d and began at x + p; at its
 * end x is rounded to fl(x + d), and the rounding goes into the next d and p. So a node far from
 * the origin still feels the small displacements of a short substep. Between steps d = p, the
 * rounding. step/integrators/integrate.c has the formulas.
 */
#ifndef SN_STATE_NODES_H
#define SN_STATE_NODES_H

#include "base/slots.h"

#include <sinew/node.h>

/* A kinematic node on its way: to a target within one step, or on with its velocity. */
typedef struct sn_drive {
    uint32_t node;
    uint8_t has_target; /* 0 or 1 */
    sn_vec3 target;     /* m */
    sn_vec3 from;       /* m, where the node was when the step began */
    sn_vec3 velocity;   /* m/s, without a target */
    uint32_t collider;  /* slot + 1 of the one it rides on, or 0 */
    sn_vec3 point;      /* m, where on that, in its frame */
} sn_drive;

/* State, but for what follows from it. */
typedef struct sn_nodes {
    sn_slots slots;
    sn_vec4 *x;     /* m, rounded */
    sn_vec4 *d;     /* m, displacement of the substep */
    sn_vec4 *p;     /* m, what d was at the beginning of the substep: it has moved by d - p */
    sn_vec4 *v;     /* m/s; during a step valid at its ends only */
    sn_vec4 *force; /* N, for the next step */
    sn_real *w;     /* 1/kg */
    sn_real *radius;
    uint32_t *group;
    uint32_t *body;     /* slot of the body + 1, or 0 */
    uint32_t *frame;    /* index of its frame + 1, or 0 */
    uint32_t *driven;   /* index of its drive + 1, or 0: follows from the drives */
    uint32_t *anchored; /* how many constraints read it without moving it: follows from them */
    size_t capacity;
    bool has_forces; /* whether any force is not zero */
    /* Kinematic nodes that move, in no particular order. */
    sn_drive *drive;
    size_t drives, drive_capacity;
} sn_nodes;

/* A run of slots with the same body: what per-node loops work through. */
typedef struct sn_segment {
    uint32_t begin, end;
    uint32_t body; /* slot + 1, or 0 */
} sn_segment;

bool sn_nodes_reserve(sn_nodes *nodes, sn_memory *memory, size_t capacity);
void sn_nodes_free(sn_nodes *nodes, sn_memory *memory);

/* The drive of a node, a new one if it has none; it no longer rides. Room for it is made by
   sn_nodes_reserve_drive. */
bool sn_nodes_reserve_drive(sn_nodes *nodes, sn_memory *memory);
sn_drive *sn_nodes_drive(sn_nodes *nodes, uint32_t index);
void sn_nodes_undrive(sn_nodes *nodes, uint32_t index);

/* The nodes that ride on a collider (slot + 1) stand still. */
void sn_nodes_unride(sn_nodes *nodes, uint32_t collider);

/* Places a node: position, no displacement, no rounding. */
void sn_nodes_place(sn_nodes *nodes, uint32_t index, sn_vec3 position);

#endif
