/*
 * Grabbing: something is taken hold of, pulled about and let go or thrown, as by a mouse.
 *
 *     sn_grab_def def = sn_grab_def_default();
 *     sn_grab grab;
 *     sn_query_cast(query, &ray, NULL, &hit);
 *     sn_grab_def_from_hit(&def, &hit);
 *     sn_grab_begin(world, &def, &grab);
 *     while (...) {
 *         sn_grab_move(world, grab, hand);
 *         sn_world_step(world, dt);
 *     }
 *     sn_grab_end(world, grab, NULL);
 *
 * A grab is a kinematic node, the hand, and a compliant attachment of what is held to it:
 *
 *     a node                    attachment
 *     a point of a segment      edge_attachment
 *     a point of a triangle     point_attachment
 *
 * So there is nothing new in a world: snapshots and recordings have grabs as they have any node and
 * constraint, and the same moves give the same bits. What is held pulls back (sn_constraint_force
 * says how hard), contacts go on, and a hand that goes through a wall does not take the body along.
 */
#ifndef SINEW_GRAB_H
#define SINEW_GRAB_H

#include <sinew/constraint.h>
#include <sinew/query.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is held, and how. */
typedef struct sn_grab_def {
    size_t size; /* set by sn_grab_def_default */
    /* A node, the ends of a segment or the corners of a triangle, then null ids. */
    sn_node node[3];
    sn_real weight[3]; /* 1, the part of each, at least 0, 1 in sum; default 1, 0, 0 */
    /* m/N, at least 0. SN_AUTO, the default: what is held swings about the hand with 4 Hz, by the
       mass of its body, so that it hangs 16 mm below it. */
    sn_real compliance;
    /* N s/m, at least 0. SN_AUTO, the default: what is held comes to rest soonest (critical). */
    sn_real damping;
    sn_real break_force; /* N, at least 0: it slips from the hand; default SN_AUTO: never */
} sn_grab_def;

/* A definition with the defaults above, and nothing to hold. */
SN_API sn_grab_def sn_grab_def_default(void);

/* Fills node and weight with what a query has met. Refused (SN_ERROR_VALUE) where that moves with
   no node: nothing, or a collider. */
SN_API sn_result sn_grab_def_from_hit(sn_grab_def *def, const sn_hit *hit);

/* A grab, which is its two parts. */
typedef struct sn_grab {
    sn_node hand;             /* the kinematic node */
    sn_constraint constraint; /* what holds the rest at it */
} sn_grab;

/* Takes hold: the hand is where the held point is, so that nothing moves by this alone. Refused
   (SN_ERROR_VALUE) where all that is to be held is kinematic. */
SN_API sn_result sn_grab_begin(sn_world *world, const sn_grab_def *def, sn_grab *grab);

/* Sends the hand on, in m: during the next step it moves there evenly. */
SN_API sn_result sn_grab_move(sn_world *world, sn_grab grab, sn_vec3 position);

/*
 * Lets go; the hand is destroyed. What was held keeps the velocity it has. With `velocity`, m/s,
 * which may be null, it is thrown: the same change of velocity for all nodes of its body makes that
 * of the centre of mass what is given. A body that hangs on kinematic nodes of its own cannot fly:
 * there the held nodes alone get it, as do nodes without a body. Where what was held broke away or
 * is gone, the hand alone is destroyed.
 */
SN_API sn_result sn_grab_end(sn_world *world, sn_grab grab, const sn_vec3 *velocity);

/* Whether the grab still holds something: neither its hand nor its constraint is gone. */
SN_API bool sn_grab_is_valid(const sn_world *world, sn_grab grab);

/* m: where the held point is now. */
SN_API sn_result sn_grab_get_point(const sn_world *world, sn_grab grab, sn_vec3 *point);

/*
 * N: what the held point pulls the hand with, for a device that lets a person feel it (haptics).
 * The spring and the damper of the grab are what is felt,
 *
 *     F = d / compliance + damping n (n . (v_point - v_hand)),   d = point - hand,   n = d / |d|
 *
 * so that a device never feels more than they can give, and what is behind them may be as stiff as
 * it likes. Devices want a force a thousand times a second: steps of 1 ms, with one or two
 * substeps. Refused (SN_ERROR_VALUE) where the compliance is 0.
 */
SN_API sn_result sn_grab_get_force(const sn_world *world, sn_grab grab, sn_vec3 *force);

#ifdef __cplusplus
}
#endif

#endif
