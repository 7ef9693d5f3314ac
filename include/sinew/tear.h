/*
 * Tearing: sheets that come apart (Mueller et al. 2007, section 5).
 *
 * A sheet is torn by splitting a node: a plane through it says which of its triangles keep the node
 * and which get a copy of it. Everything on the node follows: triangles, constraints, collision
 * surfaces, damping groups. The copy has the place and the velocity of the node; both share its
 * mass by the areas of their triangles at rest. Ids stay valid, but for those of constraints that
 * were cut through.
 *
 * A step tears a sheet, when its substeps are over, where an edge is too long
 * (sn_sheet_def.tear_strain), where the tension is too large (sn_sheet_def.tear_force), or where a
 * constraint along an edge or on a triangle has had more than its break_force. The worst places
 * come first, no triangle is torn at twice in a step, and the order does not depend on threads.
 */
#ifndef SINEW_TEAR_H
#define SINEW_TEAR_H

#include <sinew/sheet.h>
#include <sinew/tet_mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Why a node was split. */
typedef enum sn_tear_cause {
    SN_TEAR_STRAIN = 0, /* an edge was longer than tear_strain allows */
    SN_TEAR_FORCE = 1,  /* the tension was above tear_force */
    SN_TEAR_BREAK =
        2, /* a constraint had more than its break_force; it is as before, on one side */
    SN_TEAR_LOOSE = 3, /* another tear left two parts that only this node held together */
    SN_TEAR_STRESS = 4 /* of a tet mesh: the stress was above fracture_stress */
} sn_tear_cause;

/* A node that was split in the last step. */
typedef struct sn_tear_event {
    sn_sheet sheet;       /* that was torn; null where it was a tet mesh */
    sn_tet_mesh tet_mesh; /* that came apart; null where it was a sheet */
    sn_node node;         /* that was split */
    sn_node copy;         /* the new one, on the side that the normal points away from */
    sn_vec3 normal;       /* 1, of the plane; zero where the cause is SN_TEAR_LOOSE */
    sn_tear_cause cause;  /* why */
    sn_real
        amount; /* the strain (1), tension (N/m), force (J/C) or stress (Pa) that was too large */
    bool burst; /* whether a closed surface was opened, so that its volume is not kept now */
} sn_tear_event;

/* The tears of the last step, in the order in which they were made; valid until the next step. */
SN_API sn_result sn_world_tears(const sn_world *world, const sn_tear_event **events, size_t *count);

/*
 * Cuts by hand: splits a node of a sheet by the plane through it with this normal, which need not
 * have the length 1. The triangles on the side of the normal keep the node. *copy is the new node,
 * or the null id where all triangles are on one side and there is nothing to cut. Where the cut
 * reaches the border of the sheet, nodes that would hold two parts together alone are split as
 * well. Kinematic and oriented nodes cannot be split.
 */
SN_API sn_result sn_sheet_split(sn_world *world, sn_sheet sheet, sn_node node, sn_vec3 normal,
                                sn_node *copy);

/*
 * How strong the sheet is at each of its nodes, in their order: a factor on tear_strain and
 * tear_force, 1 at first, at least 0. An edge is as strong as the weaker of its ends, and a
 * triangle as the weakest of its corners, where it tears first. Copies are as strong as their
 * nodes. `count` is the number of nodes of the sheet.
 */
SN_API sn_result sn_sheet_set_strength(sn_world *world, sn_sheet sheet, const sn_real *strength,
                                       size_t count);
/* The first `capacity` of these factors; `count` becomes the number of nodes. With the capacity 0
   strength may be null. */
SN_API sn_result sn_sheet_get_strength(const sn_world *world, sn_sheet sheet, sn_real *strength,
                                       size_t capacity, size_t *count);

/*
 * How strong the sheet is across edges, for lines along which it comes apart: perforations, scored
 * lines, stitches. `ends` are two nodes for each of `edges` edges, every one between two triangles
 * of the sheet; `strength` is a factor on tear_strain and tear_force there, at least 0, or SN_AUTO,
 * which is what all edges have at first: nothing of its own. An edge opens where the triangles
 * beside it are stretched away from it by more than tear_strain times this, or where the tension
 * across it is more than tear_force times this; a load along the edge does not matter. Edges keep
 * it until they have come apart, and both halves have it where one is divided by a cut.
 */
SN_API sn_result sn_sheet_set_edge_strength(sn_world *world, sn_sheet sheet, const sn_node *ends,
                                            size_t edges, sn_real strength);
/* That factor of one edge between two triangles, or SN_AUTO. */
SN_API sn_result sn_sheet_get_edge_strength(const sn_world *world, sn_sheet sheet, sn_node from,
                                            sn_node to, sn_real *strength);

#ifdef __cplusplus
}
#endif

#endif
