/*
 * Contacts between triangles of collision surfaces and colliders, for what is smaller than a
 * triangle or has
 * corners: nodes alone would let it through (collider_contact.h). Only collision surfaces that ask
 * for it
 * (`triangle_contact`).
 *
 *   deepest_point.c    where a triangle is deepest in a shape
 *   triangle_penetration.c   how deep it is in a substep, also where it would pass the shape
 *   triangle_contact_pairs.c    which triangles may meet which colliders in a step
 *   triangle_contact_colours.c  pairs that have no node in common, so that threads may share them
 *   triangle_contact.c         push, friction and bounces
 *   triangle_contact_events.c     who touched in the step
 *
 * Where a corner of the triangle is deepest, its node has the contact, and there is none here.
 */
#ifndef SN_CONTACT_TRIANGLE_TRIANGLE_CONTACT_H
#define SN_CONTACT_TRIANGLE_TRIANGLE_CONTACT_H

#include "contact/collider/collider_contact.h"

/* Whether there is a collision surface whose triangles meet colliders. */
bool sn_triangle_contact_is_needed(const sn_world *world);

/* What the step calls, each after its like in collider_contact.h but
   sn_triangle_contact_project, which comes before; they
   do nothing where no triangle may meet a collider. */
bool sn_triangle_contact_plan(sn_world *world, double dt);
void sn_triangle_contact_substep(sn_world *world, const sn_moment *moment);
void sn_triangle_contact_project(sn_world *world, const sn_moment *moment);
void sn_triangle_contact_bounce(sn_world *world, const sn_moment *moment);
void sn_triangle_contact_end(sn_world *world);
/* Which nodes had a part in a push of the substep. */
void sn_triangle_contact_mark(sn_world *world);
/* Whether a collider comes within `reach` (m) of a triangle that has one of the nodes from `begin`
   to `end`. */
bool sn_triangle_contact_comes_near(const sn_world *world, size_t begin, size_t end,
                                    size_t collider, double reach);

/* ---- Between the files ---- */

/* m: how deep the triangle is in this substep, and the way out: the weights of its nodes, the
   normal in the world and the point in the frame of the collider. 0 where it does not touch. */
sn_real sn_triangle_contact_depth(const sn_world *world, sn_triangle_pair *face, double h,
                                  sn_v4 *normal, sn_v4 *local);
/* Gives colours to the pairs; false when there is no memory. */
bool sn_triangle_contact_colour(sn_world *world);

#endif
