/*
 * Rigid bodies: oriented nodes that carry colliders.
 *
 * A collider alone stands still or is moved by the host. One that an oriented node carries goes
 * where the node goes, and what touches it pushes it: the node takes its share of every push and of
 * all friction, at the place where they touch. So a node with mass and inertia and a collider are a
 * rigid body; joints, attachments, forces and everything else that acts on nodes acts on it.
 */
#ifndef SINEW_RIGID_H
#define SINEW_RIGID_H

#include <sinew/collider.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Lets an oriented node carry a collider from the next step on: both stay as they are to each other
 * now. Several may be carried by one node. Its velocities and its place are those of the node then,
 * which sn_collider_get tells; sn_collider_set puts it elsewhere on the node, and targets are
 * refused. Nodes that touch it follow its friction and restitution, as they do with any other.
 *
 * What is carried touches colliders that nobody carries by its points: corners and vertices, ends
 * of capsules, middles of balls, 16 points of each rim of a cylinder. Balls and ends of capsules
 * touch what other nodes carry, too; other shapes that are carried pass through each other. Between
 * two colliders friction is the geometric mean of both, and restitution the larger one. Triangles
 * of collision surfaces do not touch what is carried between their nodes (`triangle_contact`).
 *
 * Planes have no end, and are not carried, nor is a collider that nodes ride on.
 */
SN_API sn_result sn_collider_set_carrier(sn_world *world, sn_collider collider, sn_node node);
/* Nobody carries it any more, and it stands still where it is, as it does when the node is
   destroyed. Nothing happens where nobody did. */
SN_API sn_result sn_collider_clear_carrier(sn_world *world, sn_collider collider);
/* The node that carries a collider, or a null id. */
SN_API sn_result sn_collider_get_carrier(const sn_world *world, sn_collider collider,
                                         sn_node *node);

#ifdef __cplusplus
}
#endif

#endif
