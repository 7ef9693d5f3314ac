/* Balls on colliders: friction that turns them, and the resistance to rolling. */
#ifndef SN_CONTACT_ROLLING_H
#define SN_CONTACT_ROLLING_H

#include "collision/collider_pose.h"
#include "contact/collider/collider_contact.h"
#include "contact/friction.h"

/* Whether a node is a ball that rolls. */
bool sn_roll_is_ball(const sn_world *world, size_t node);

/* The friction of the substep so far on a ball: `motion` is that of its centre relative to the
   surface. Turns it, keeps what was done in the touch, and returns how far its centre goes. */
sn_v4 sn_roll_solve(const sn_world *world, sn_collider_pair *touch, size_t node, double h,
                    const sn_contact_material *law, sn_v4 motion, sn_v4 normal);

/* The same for velocities, given how fast it was pushed off: the change of that of its centre. */
sn_v4 sn_roll_brake(const sn_world *world, size_t node, const sn_contact_material *law,
                    sn_v4 velocity, sn_v4 normal, sn_real push);

#endif
