/*
 * Attachments: nodes held at other bodies and at colliders, and seams.
 *
 * An attachment is a constraint like any other: it is removed by sn_constraint_destroy, breaks
 * where it has a break force, and sn_constraint_force says how hard it pulls. What is here finds
 * the place and makes the constraint of the type that fits:
 *
 *     a triangle of a collision surface        point_attachment, or with an offset
 * offset_attachment
 *     a segment of a collision surface         edge_attachment
 *     a node                      seam, closed at once
 *     a kinematic node            attachment
 *     a collider                  attachment to a new kinematic node that rides on the collider
 */
#ifndef SINEW_ATTACH_H
#define SINEW_ATTACH_H

#include <sinew/collision_surface.h>
#include <sinew/constraint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is attached to what. Exactly one of the four targets is not the null id. */
typedef struct sn_attach_def {
    size_t size;    /* set by sn_attach_def_default */
    sn_node node;   /* that is attached */
    sn_node target; /* another node */
    sn_collision_surface
        surface; /* the nearest triangle or segment of a collision surface, or its nearest node
                    without any */
    /* The nearest triangle or segment of the collision surfaces of a body, or without those its
       nearest node. */
    sn_body body;
    sn_collider collider; /* where the node is now, in the frame of the collider */
    sn_real compliance;   /* m/N, at least 0; default 0 */
    sn_real damping;      /* N s/m, at least 0; no effect where compliance is 0; default 0 */
    sn_real break_force;  /* N, at least 0; default SN_AUTO: never */
    /* m: how far above its point of a triangle the node is held, along the normal that sees the
       corners anticlockwise; below 0 behind it; SN_AUTO: as far as it is now. Default 0: on it.
       Refused (SN_ERROR_VALUE) unless it is 0 where the node is held at what has no normal. */
    sn_real offset;
} sn_attach_def;

SN_API sn_attach_def sn_attach_def_default(void);

/*
 * Attaches a node, where it is dynamic both ways: what it hangs on feels it. The node is held at
 * the nearest point of its target and is pulled there if it is elsewhere. Of several places that
 * are equally near the first is taken. Elements that have the node itself do not count.
 */
SN_API sn_result sn_attach(sn_world *world, const sn_attach_def *def, sn_constraint *constraint);

/*
 * Lets a kinematic node ride on a collider: it stays where it is now in the frame of that, on the
 * same way within every step, until it is given a position, a velocity, a target or a mass. Where
 * the collider is destroyed the node stands still. Refused (SN_ERROR_VALUE) for a node with a
 * finite mass.
 */
SN_API sn_result sn_node_ride(sn_world *world, sn_node node, sn_collider collider);

/*
 * Pins nodes of rods: they are kinematic, in place and in the direction that the rod has there now,
 * at ends and anywhere between. The frame of a node is the direction of the segment that begins
 * there, which it has at its middle; a pin holds it at the node. So joints on both sides are made
 * to stand for the length of rod between, half a segment before it and one and a half behind it,
 * and the frame of a last node, which no segment has, gets a joint of half a segment. A segment
 * that begins at a pin does not bend: with n segments a rod droops by about 4 / n^2 too little,
 * where frames that are held in any other way are off by 2 / n. Turned, a pin turns the rod
 * (sn_node_set_target_orientation). Pins of sn_build_def and of scenes are such. Refused
 * (SN_ERROR_DEGENERATE) for a node without orientation.
 *
 * Of a rod with ghost points a pin is a place, and where both ends of a segment are pinned its
 * ghost point is too: the segment keeps its direction and twist, and the rod is clamped at its end.
 */
SN_API sn_result sn_rod_pin(sn_world *world, const sn_node *nodes, size_t count);

/*
 * How a rod is turned at each of `count` nodes, and how large it is beside its shape at rest:
 * `scales` (may be null) has that of the radius as x and y, and the stretch as z. Of nodes with an
 * orientation it is that, and 1; of a rod with ghost points what the segment that begins at the
 * node has, or the one that ends there. sn_blend_apply_scaled takes them. Refused
 * (SN_ERROR_DEGENERATE) for a node that has neither.
 */
SN_API sn_result sn_rod_frames(const sn_world *world, const sn_node *nodes, size_t count,
                               sn_quat *orientations, sn_vec3 *scales);

/*
 * Clamps a rod at one of its ends, which is then kinematic: in place, and in the direction that it
 * has there now. A pin does so too, but keeps the first segment from bending; a clamp does not, by
 * a new kinematic oriented node and a joint of half the length, `joint`, with the stiffness of the
 * nearest joint. *wall is that node, and the end itself where it is a pin that has such a joint:
 * turned, it turns the end (sn_node_set_target_orientation); the end is moved as any kinematic
 * node, and may have been a pin. Destroying the joint makes a hinge of it. Refused
 * (SN_ERROR_DEGENERATE) for a node that is no end of a chain of stretch_shear constraints with a
 * bend_twist constraint.
 */
SN_API sn_result sn_rod_clamp(sn_world *world, sn_node node, sn_node *wall, sn_constraint *joint);

/* How the nodes of two lists are paired. */
typedef enum sn_sew_match {
    SN_SEW_IN_ORDER = 0, /* along both lists at the same rate: every node of the longer list */
    SN_SEW_NEAREST = 1,  /* every node of the first list with the nearest of the second */
    SN_SEW_EDGES = 2     /* every node of the first list with the nearest point of the line through
                            the nodes of the second, as they come: seams of type edge_seam */
} sn_sew_match;

/* Two lists of nodes that are sewn together. What the pointers point to is read and not kept. */
typedef struct sn_sew_def {
    size_t size;           /* set by sn_sew_def_default */
    const sn_node *a;      /* the first list */
    size_t a_count;        /* its length, at least 1 */
    const sn_node *b;      /* the second list */
    size_t b_count;        /* its length, at least 1 */
    sn_sew_match match;    /* default SN_SEW_IN_ORDER */
    sn_real closing_speed; /* m/s, at least 0; default SN_AUTO: closed at once */
    sn_real compliance;    /* m/N, at least 0; default 0 */
    sn_real damping;       /* N s/m, at least 0; no effect where compliance is 0; default 0 */
    sn_real break_force;   /* N, at least 0; default SN_AUTO: never */
} sn_sew_def;

SN_API sn_sew_def sn_sew_def_default(void);

/*
 * Makes seams, all of them or none: as many as the longer list has nodes, or with SN_SEW_NEAREST
 * and SN_SEW_EDGES the first; with SN_SEW_EDGES the second list has at least 2 nodes. Pairs of one
 * and the same node, and edges that a node is an end of, are left out. *count is how many were
 * made; `seams` may be null, and otherwise receives the first `capacity` of them.
 */
SN_API sn_result sn_sew(sn_world *world, const sn_sew_def *def, sn_constraint *seams,
                        size_t capacity, size_t *count);

#ifdef __cplusplus
}
#endif

#endif
