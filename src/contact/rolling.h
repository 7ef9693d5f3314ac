/* Balls on colliders: friction that turns them, and the resistance to rolling. */
#ifndef SN_CONTACT_ROLLING_H
#define SN_CONTACT_ROLLING_H

#include "collision/collider_pose.h"
#include "contact/collider/collider_contact.h"
#include "contact/contact_solve.h"

/* Whether a node is a ball that rolls. */
bool sn_roll_is_ball(const sn_world *world, size_t node);

/* The parts of it: a ball that touches something across a normal, by masses; turns it by phi (rad,
   in its frame); and the turn of the substep that its last angular velocity is made from (rad, in
   the world). */
sn_ball sn_roll_ball(const sn_world *world, size_t node, sn_v4 normal, sn_masses masses);
void sn_roll_turn(const sn_world *world, size_t node, sn_ball *ball, sn_v4 phi);
sn_v4 sn_roll_spin(const sn_world *world, size_t node, const sn_ball *ball, double h);

/* A ball in a contact, before it is solved: `motion` of its centre as seen from the surface becomes
   that of the contact; and how easily it moves there, along the normal as against across it. */
sn_ball sn_roll_begin(const sn_world *world, size_t node, double h, sn_v4 normal, sn_v4 *motion,
                      sn_real *lever);
/* And after: turns it, by how much the slide has changed. Rolling resistance may change it once
   more. Returns how far the centre goes. */
sn_v4 sn_roll_end(const sn_world *world, const sn_node_contact *contact, double h, sn_ball *ball,
                  const sn_contact_material *material, sn_v4 normal, sn_contact_answer *answer,
                  sn_v4 before);

/* For velocities, given how fast it was pushed off: the change of that of its centre. */
sn_v4 sn_roll_brake(const sn_world *world, size_t node, const sn_contact_material *material,
                    sn_v4 velocity, sn_v4 normal, sn_real push);

#endif
