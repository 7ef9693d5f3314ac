/*
 * Recovery from tangles: what passes through each other comes free.
 *
 * When a step begins, all edges that pass through triangles are found. Where they cut a part of a
 * surface off, the smaller part is on the wrong side (global intersection analysis, Baraff et al.
 * 2003); where they do not, the line along which the surfaces meet is made shorter (intersection
 * contour minimisation, Volino and Magnenat-Thalmann 2006). Contacts of what is on the wrong side
 * are off meanwhile: they would keep it there. Of surfaces in different layers the normal of the
 * triangle tells which end of an edge is on the wrong side, and their contacts know it too
 * (layered_pairs.c).
 *
 *   untangle.c        finding, and what the step calls
 *   untangle_side.c   which nodes are on the wrong side
 *   untangle_pull.c   one edge and one triangle
 */
#ifndef SN_CONTACT_UNTANGLE_UNTANGLE_H
#define SN_CONTACT_UNTANGLE_UNTANGLE_H

#include "collision/broad_phase/broad_phase.h"
#include "contact/collider/collider_contact.h"

/* Scratch of the contact system (contacts.h); all zero before the first use. */
typedef struct sn_untangle {
    sn_broad broad; /* of every edge, the triangles that it passes through */
    /* Boxes of edges and of triangles (m), where they are. */
    sn_vec4 *low[2], *high[2];
    size_t box_capacity[2];
    uint32_t *opposite; /* of every edge, the third nodes of the triangles beside it, or none */
    size_t edge_capacity;
    bool known; /* whether that is so for the elements there are now */
    /* Of every node: parts of surfaces and whole ones, by the lowest node that they have; how many
       nodes the part of this lowest one has; the largest part of a surface; and whether contacts of
       the node are off. */
    uint32_t *part, *surface, *size, *largest;
    uint8_t *loose;
    size_t node_capacity;
    size_t crossings; /* of the present step */
} sn_untangle;

#define SN_UNTANGLE_NONE UINT32_MAX

/* Why contacts of a node are off: it is on the wrong side, or near a crossing of unknown sides.
   Where layers tell the sides contacts are on, and only the motion limiter lets it pass. */
enum { SN_LOOSE_WRONG = 1, SN_LOOSE_NEAR = 2, SN_LOOSE_LAYER = 4 };

/* Whether a collision surface is to come free. */
bool sn_untangle_is_needed(const sn_world *world);
/* New elements: who is beside which edge. False when there is no memory. */
bool sn_untangle_update(sn_world *world);
/* Finds what passes through each other when a step begins; false when there is no memory. */
bool sn_untangle_plan(sn_world *world);
/* Takes contacts off where they are in the way; whenever pairs were found. */
void sn_untangle_loosen(sn_world *world);
/* In every substep, before contacts are projected. */
void sn_untangle_apply(sn_world *world, const sn_substep *substep);
void sn_untangle_free(sn_untangle *untangle, sn_memory *memory);

/* Whether contacts of a node are off in this step. */
bool sn_untangle_is_loose(const sn_world *world, uint32_t node);

/* ---- Between the files ---- */

/* Which nodes are on the wrong side; `loose` has them after it. */
void sn_untangle_find_sides(sn_world *world);

/* An edge in a triangle: their nodes, and those beside the edge. */
typedef struct sn_tangle {
    uint32_t edge[2], triangle[3], beside[2];
    sn_real speed; /* m/s, how fast they come free */
    /* By how many layers the edge is outside the triangle, and by what the inverse masses of either
       are multiplied. */
    int layers;
    sn_real share[2];
} sn_tangle;
void sn_untangle_pull(const sn_world *world, const sn_tangle *tangle, double h);
bool sn_untangle_passes(const sn_world *world, const uint32_t edge[2], const uint32_t triangle[3],
                        bool now);

#endif
