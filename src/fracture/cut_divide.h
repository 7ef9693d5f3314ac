/*
 * Dividing the elements that a cut goes through, so that it runs along their sides.
 *
 * Every edge that the surface crosses gets a node where it does, and every element around the edge
 * becomes two. An element that is crossed at several edges is divided as often; after the last one
 * none is crossed any more, whatever the order, since a new edge begins on the surface.
 *
 *        a                    a
 *       /|\                  /|\
 *      / | \                / | \        x_m = (1 - t) x_a + t x_b, now and at rest
 *     c  |  d     ->       c--m--d
 *      \ | /                \ | /
 *       \|/                  \|/
 *        b                    b
 *
 * What lies on the elements follows (cut_divide_held.c): constraints within them become two,
 * measured at rest by the `prepare` of their type, edges get one more for every edge that is new,
 * and so do hinges and rings of bending. Mass goes from the ends to the node in the middle by the
 * areas or volumes that it takes over, so that mass, its centre and momentum are kept, and rest
 * areas and volumes too. Collision surfaces, systems and marks of cuts follow.
 *
 * An edge stays whole where it would make slivers, where its ends are kinematic or oriented, and
 * where the constraints on it cannot be told what they have. The cut is jagged there.
 *
 * Memory may run out in the middle: whoever calls this keeps the world as it was
 * (state/rollback.h).
 */
#ifndef SN_FRACTURE_CUT_DIVIDE_H
#define SN_FRACTURE_CUT_DIVIDE_H

#include "fracture/cut_vertex.h"

/* What becomes of a constraint of an edge that is divided. */
typedef enum sn_divide_fate {
    SN_DIVIDE_HALVED,  /* lies within elements around the edge: one on either side of the node */
    SN_DIVIDE_HINGED,  /* the same for two triangles and the edge between them */
    SN_DIVIDE_THINNED, /* on another edge of these elements, which has less around it now */
    SN_DIVIDE_WINGED,  /* a hinge at such an edge, with the node as its far corner now */
    SN_DIVIDE_RINGED   /* a vertex and those around it */
} sn_divide_fate;

typedef struct sn_divide_plan {
    uint32_t constraint;
    uint8_t fate;
    double before; /* m^2 or m^3 around it, or of hinges what their stiffness is proportional to */
} sn_divide_plan;

typedef struct sn_divide {
    sn_world *world;
    uint32_t sheet, tet_mesh; /* one of them is UINT32_MAX */
    sn_cut_mesh mesh;         /* as it is at the moment */
    uint32_t *first;          /* per vertex, a corner + 1 of the elements */
    uint32_t *next;           /* per corner, another one of the same vertex + 1 */
    uint32_t *listed;         /* per vertex, a link + 1 */
    uint8_t *wanted;          /* per vertex, whether its constraints are listed */
    size_t vertex_capacity, corner_capacity;
    sn_cut_link *link;
    size_t links, link_capacity;
    /* The edge. */
    uint32_t a, b, m; /* vertices; m is the one that is made */
    double t;         /* where it is, from 0 at a to 1 at b */
    sn_point rest;    /* m, of m */
    uint32_t *around; /* elements */
    size_t arounds, around_capacity;
    uint32_t *beside; /* the other vertices of these elements, each once */
    size_t besides, beside_capacity;
    sn_divide_plan *plan;
    size_t plans, plan_capacity;
    double least; /* m^2 or m^3, how small an element may become */
    size_t made;  /* nodes so far */
} sn_divide;

/* Where a vertex is at rest, and the area or volume of an element. */
sn_point sn_divide_rest(const sn_divide *d, uint32_t vertex);
/* The area or volume of all elements at a vertex that have all of these others. */
double sn_divide_around(const sn_divide *d, uint32_t vertex, const uint32_t *others, int count);
bool sn_divide_has(const sn_divide *d, uint32_t element, uint32_t vertex);

/* cut_divide_mesh.c: room for lists, and the node with its elements. */
bool sn_divide_reserve(sn_divide *d);
bool sn_divide_add_node(sn_divide *d);

/* cut_divide_held.c: the fate of every constraint on the edge: false where it must stay whole.
 *room becomes whether there was memory. Then, after the elements, what was planned. */
bool sn_divide_plan_held(sn_divide *d, bool *room);
bool sn_divide_hold(sn_divide *d);
/* Puts a constraint into the world, or back into it with other members; takes over its list. */
bool sn_divide_add(sn_divide *d, size_t store, sn_draft *draft);
bool sn_divide_replace(sn_divide *d, uint32_t constraint, sn_draft *draft);
bool sn_divide_note(sn_divide *d, uint32_t constraint, sn_members members);

/* cut_divide_ring.c: the rings of bending among what was planned. */
bool sn_divide_rings(sn_divide *d);

/* cut_divide_surface.c: collision surfaces, and systems that have lists of nodes. */
bool sn_divide_surface(sn_divide *d);
bool sn_divide_systems(sn_divide *d);

#endif
