/*
 * Rigid bodies: oriented nodes that carry colliders, with mass and inertia from their shape.
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
 * What is carried touches planes, meshes and fields that nobody carries by its points: corners and
 * vertices, ends of capsules and what of their axis is closest, middles of balls, 16 points of each
 * rim of a cylinder; and corners and edges of meshes and height fields by its faces. Balls and
 * capsules touch all others so, be they carried or not, and meshes and distance fields touch what
 * is carried by the points of both. Boxes, hulls and cylinders touch each other by up to four
 * points between their faces, or by two edges, and are followed along their path, if at least one
 * of them is carried; cylinders are round there. Between two colliders friction is the geometric
 * mean of both, and restitution the larger one. Triangles of collision surfaces push what is
 * carried, as their nodes do (`triangle_contact`).
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

/* What a closed shape weighs, in the frame of its collider. */
typedef struct sn_mass_properties {
    sn_real volume;  /* m^3 */
    sn_real mass;    /* kg */
    sn_vec3 centre;  /* m, of mass */
    sn_vec3 moments; /* kg m^2, of inertia about the principal axes through the centre */
    sn_quat axes;    /* from the principal axes to the frame; none where they are the same */
} sn_mass_properties;

/*
 * Mass and inertia of a collider that is filled evenly with a density (kg/m^3, above 0). Balls,
 * capsules, boxes with their radius and cylinders by closed forms; meshes, hulls and distance
 * fields by exact integrals over the inside of their triangles, without the radius about them;
 * compounds as the sum of their parts, where what overlaps counts twice. Planes, height fields and
 * two-sided meshes have no volume and are refused.
 */
SN_API sn_result sn_collider_mass_properties(const sn_world *world, sn_collider collider,
                                             sn_real density, sn_mass_properties *properties);

/* How a shape becomes a rigid body. */
typedef struct sn_rigid_def {
    size_t size;     /* set by sn_rigid_def_default */
    sn_real density; /* kg/m^3, above 0; default 1000 */
    sn_real mass;    /* kg, above 0; SN_AUTO, the default: by density; else density is nothing */
    sn_body body;    /* whose gravity and damping the node shares; null: none */
    uint32_t group;  /* of the node, default 0 */
} sn_rigid_def;

/* A body of the density of water. */
SN_API sn_rigid_def sn_rigid_def_default(void);

/*
 * Makes a rigid body of a shape: a collider, and an oriented node at its centre of mass with its
 * axes along the principal ones, which carries it. Position, orientation and velocities are those
 * of the collider, as its definition says; the node moves so that the shape does. What has no
 * volume is refused, as above, and a failure changes nothing.
 */
SN_API sn_result sn_rigid_create(sn_world *world, const sn_rigid_def *def,
                                 const sn_collider_def *shape, sn_node *node,
                                 sn_collider *collider);

#ifdef __cplusplus
}
#endif

#endif
