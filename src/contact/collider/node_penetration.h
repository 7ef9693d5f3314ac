/* How deep nodes are in colliders with a geometry, whose distances take time to find. */
#ifndef SN_CONTACT_COLLIDER_NODE_PENETRATION_H
#define SN_CONTACT_COLLIDER_NODE_PENETRATION_H

#include "contact/collider/collider_contact.h"
#include "math/vector.h"
#include "state/world.h"

/* m: how far the node is to be pushed out, along a normal, at the point `local` of the frame of the
   collider; 0 where it does not touch. Remembers in the pair what helps the next time. */
sn_real sn_node_contact_depth(const sn_world *world, const sn_node_contact *contact, double h,
                              sn_v4 *normal, sn_v4 *local);

#endif
