/*
 * Which colliders are near a node, where there are many of them: a tree over the boxes in which
 * they stay for the rest of a step. It leaves out only what is too far away to be a pair.
 */
#ifndef SN_COLLISION_BROAD_PHASE_COLLIDER_BVH_H
#define SN_COLLISION_BROAD_PHASE_COLLIDER_BVH_H

#include "collision/collision_state.h"
#include "math/vector.h"

/* Finds the boxes from where colliders are and how far they may go (`most` of their poses); false
   when there is no memory. */
bool sn_collider_bvh_find(sn_world *world);

/* Visits all colliders whose boxes are within a distance (m) of a place, each once; and those of a
   node. */
void sn_collider_bvh_visit_at(const sn_world *world, sn_v4 x, double distance,
                              bool (*visit)(void *user, uint32_t collider), void *user);
void sn_collider_bvh_visit(const sn_world *world, size_t node, double distance,
                           bool (*visit)(void *user, uint32_t collider), void *user);
/* The same for one who does not ask for what nodes carry: where nothing else has an end, no tree is
   gone through. */
void sn_collider_bvh_visit_standing(const sn_world *world, size_t node, double distance,
                                    bool (*visit)(void *user, uint32_t collider), void *user);

#endif
