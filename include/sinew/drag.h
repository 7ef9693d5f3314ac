/*
 * Drag: lines and balls in the air.
 *
 * Air acts on the triangles of sheets (sinew/sheet.h); on ropes, rods and particles it acts where
 * they are named here. Once sn_settings.air_density is above 0,
 *
 *     a line of length L and radius r feels 1/2 rho C_D 2 r L |u| u, against u, the part of its
 *     velocity relative to the wind that is across it; air that glides along it does nothing;
 *     a ball of radius r feels 1/2 rho C_D pi r^2 |u| u.
 *
 * Radii are those of the nodes, a line has the mean of its ends; half of its force acts on each of
 * them. Ropes, rods and particles are built with it where `drag` of their material is above 0.
 */
#ifndef SINEW_DRAG_H
#define SINEW_DRAG_H

#include <sinew/field.h>
#include <sinew/node.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The id of a drag, made like that of a node. */
typedef struct sn_drag {
    uint32_t slot;       /* place + 1 */
    uint16_t generation; /* of the slot */
    uint16_t world;      /* which world it belongs to */
} sn_drag;

/* Lines or balls that air acts on. A long cylinder has the coefficient 1.2 (Hoerner, Fluid-Dynamic
   Drag, 1965, sections 3-5 and 3-9, below the speed at which the boundary layer changes). */
#define SN_DRAG_FIELDS(FIELD, ARRAY)                                                               \
    ARRAY(NODES, nodes, element_count, "", false,                                                  \
          "of all elements, `corners` each, one after the other; in any number of drags")          \
    FIELD(COUNT, element_count, "1", 1, SN_COUNT_MAX, 0, false, "how many lines or balls")         \
    FIELD(INT, corners, "1", 1, 2, 1, false, "nodes of an element: 1 for balls, 2 for lines")      \
    FIELD(REAL, drag, "1", 0, SN_REAL_MAX, 0.47, false, "C_D; the default is that of a ball")

/* sn_drag_def and its default. */
SN_DECLARE_OBJECT(drag, SN_DRAG_FIELDS)

/* Makes a drag. */
SN_API sn_result sn_drag_create(sn_world *world, const sn_drag_def *def, sn_drag *drag);
/* Removes it; its nodes stay. A drag also goes with the last of its elements. An element goes with
   the first of its nodes, and a line when a constraint between its ends breaks or it is cut. */
SN_API sn_result sn_drag_destroy(sn_world *world, sn_drag drag);
/* Whether the id names a living drag of this world. */
SN_API bool sn_drag_is_valid(const sn_world *world, sn_drag drag);

/* The drag as a definition, without its nodes: that pointer is null. */
SN_API sn_result sn_drag_get(const sn_world *world, sn_drag drag, sn_drag_def *def);
/* C_D, at least 0, from the next step on. */
SN_API sn_result sn_drag_set(sn_world *world, sn_drag drag, sn_real coefficient);
/* The first `capacity` nodes of its elements; `count` becomes the number of all. With the capacity
   0 nodes may be null. */
SN_API sn_result sn_drag_get_nodes(const sn_world *world, sn_drag drag, sn_node *nodes,
                                   size_t capacity, size_t *count);

/* The id of the drag in a slot, from 0; SN_ERROR_ID for a slot that is empty. */
SN_API sn_result sn_world_drag_at(const sn_world *world, size_t slot, sn_drag *drag);

#ifdef __cplusplus
}
#endif

#endif
