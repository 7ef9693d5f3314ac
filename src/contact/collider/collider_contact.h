/*
 * Contacts between nodes and colliders.
 *
 * Which nodes may meet which colliders in a step is found when it begins, from how far both can
 * move in that time; should a node be faster, it is found again in the middle. Every substep looks
 * at these pairs only. A node belongs to one thread, so that any number of threads gives the same.
 */
#ifndef SN_CONTACT_COLLIDER_COLLIDER_CONTACT_H
#define SN_CONTACT_COLLIDER_COLLIDER_CONTACT_H

#include "state/step_context.h"

/* Whether there is anything that nodes may touch. */
bool sn_collider_contact_is_needed(const sn_world *world);
/* Finds the pairs of a step; false when there is no memory. Nothing is done without colliders. */
bool sn_collider_contact_plan(sn_world *world, double dt);
/* Moves the colliders on by a substep. */
void sn_collider_contact_move(const sn_world *world, const sn_moment *moment);
/* The beginning of a substep, after the prediction and the motion of colliders. */
void sn_collider_contact_substep(sn_world *world, const sn_moment *moment);
/* After every sweep over the constraints; `first` in the first one of a substep. */
void sn_collider_contact_project(sn_world *world, const sn_moment *moment, bool first);
/* After the update of velocities: what bounces, and friction where it acts on them. */
void sn_collider_contact_bounce(sn_world *world, const sn_moment *moment);
/* Whether velocities are needed between substeps. */
bool sn_collider_contact_bounces(const sn_world *world);
/* Where the colliders are when the step has ended. */
void sn_collider_contact_end(sn_world *world, double dt);

#endif
