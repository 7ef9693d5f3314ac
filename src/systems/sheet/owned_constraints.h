/*
 * Ties: constraints that the library made for a sheet, and may make anew.
 *
 * A tie belongs to the sheet of its first node and knows so by a mark in its record; otherwise it
 * is a constraint like any other. Its anchors are nodes of that sheet. They may become free, which
 * is refused for the anchors of others: the owned constraints are then removed, and the sheet is
 * loose until they have been made for the nodes that are kinematic still (bodies/tethers.c).
 */
#ifndef SN_SYSTEMS_SHEET_OWNED_CONSTRAINTS_H
#define SN_SYSTEMS_SHEET_OWNED_CONSTRAINTS_H

#include "state/world.h"

/* Marks a constraint as made for the sheet of its first node; false where there is none. */
bool sn_world_own_constraint(sn_world *world, uint32_t constraint);
/* One of them is about to be removed. */
void sn_world_forget_owned_constraint(sn_world *world, uint32_t constraint);
/* Removes those of a sheet. */
void sn_world_disown_constraint(sn_world *world, uint32_t sheet);
/* How many are anchored at a node. */
uint32_t sn_world_owned_constraints_at(const sn_world *world, uint32_t node);
/* A node becomes kinematic or free: the owned constraints of its sheet go if they need it, and are
   due. */
void sn_world_loosen(sn_world *world, uint32_t node);

#endif
