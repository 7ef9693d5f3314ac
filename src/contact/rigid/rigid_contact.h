/*
 * Contacts with colliders that nodes carry, and of these with others: both sides move.
 *
 * What nodes carry touches colliders that nobody carries by its points: corners, ends of capsules,
 * middles of balls (shape_points.h); balls and ends of capsules touch what others carry as well.
 *
 * Each side is a node with a lever arm r to where they touch. An impulse J along n moves the side
 * there by
 *
 *   k J,   k = w + (r x n) . I^-1 (r x n)
 *
 * its centre by w J, and turns it by I^-1 (r x J) (survey of 2017, section 5.9; Mueller et al.
 * 2020, section 3.3). Everything else is as in contact_solve.h. A node that nothing turns is pushed
 * at its centre, and so is what it touches there: angular momentum is kept.
 *
 *   rigid_contact_pairs.c   which nodes may touch which carried colliders in a step
 *   rigid_contact.c         its geometry in a sweep, recovery and restitution
 *   rigid_contact_events.c  who touched in the step
 *
 * Pairs are found with those of nodes and colliders that nobody carries (collider_contact.h), and
 * are solved behind them.
 */
#ifndef SN_CONTACT_RIGID_RIGID_CONTACT_H
#define SN_CONTACT_RIGID_RIGID_CONTACT_H

#include "contact/collider/collider_contact.h"
#include "contact/contact_partition.h"

/* Of a contact beside its rows. */
typedef struct sn_rigid_search {
    sn_node_search ball; /* of the node in the collider */
    /* That which touches, and that which carries the collider; twice the first if nobody does. */
    uint32_t node[2];
    uint32_t collider;
    uint32_t point; /* number + 1 of the point of a body that touches; 0 for the ball of a node */
    sn_vec4 at;     /* m, where that is in the frame of its node; w: its radius */
    /* m/s, along the normal before the substep, as seen from the collider, where anything
       bounces: velocities and spins of both. */
    sn_vec4 before[2], spin[2];
} sn_rigid_search;

/* What finding them needs; the contacts themselves are in their set (contacts.h), whose pairs are
   numbers of these records. */
typedef struct sn_rigid_contacts {
    /* The points by which what is carried touches others, node by node, the collider of each, and
       where those of every node begin. */
    sn_vec4 *point; /* m, in the frame of the node; w: its radius */
    uint32_t *own;
    size_t *point_begin;
    size_t points, point_capacity, own_capacity, point_begin_capacity;
    size_t *begin; /* of the pairs of each node; one more than nodes */
    size_t begin_capacity;
    sn_rigid_search *search, *old; /* by slots; old: before pairs were found again */
    size_t search_capacity, old_capacity;
    size_t *old_begin;
    size_t old_begin_capacity;
    sn_rigid_search *found; /* scratch: by pairs, until these have slots */
    uint32_t *node;         /* scratch: the nodes of pairs, those of the second behind */
    size_t found_capacity, node_capacity;
    sn_contact_partition partition;
} sn_rigid_contacts;

void sn_rigid_contacts_free(sn_rigid_contacts *contacts, sn_memory *memory);

/* A contact at hand. */
typedef struct sn_rigid_contact {
    sn_real *row; /* its lane of the rows */
    sn_rigid_search *search;
} sn_rigid_contact;

/* Whether any collider is carried. */
bool sn_rigid_contact_is_needed(const sn_world *world);
/* Finds the pairs for what is left of a step; false when there is no memory. */
bool sn_rigid_contact_find(sn_world *world, double time, double dt);
/* Whether a carried collider has gone further than was expected. */
bool sn_rigid_contact_has_outrun(const sn_world *world);
/* What is known of pairs is set aside, or fetched back; and goes with those found since. */
void sn_rigid_contact_set_aside(sn_world *world);
void sn_rigid_contact_carry_over(sn_world *world);
/* The beginning of a substep: carried colliders go with their nodes; and what is known of pairs
   then. */
void sn_rigid_contact_follow(const sn_world *world);
void sn_rigid_contact_begin(sn_world *world);
void sn_rigid_contact_project(sn_world *world, const sn_substep *substep, bool first);
void sn_rigid_contact_recover(sn_world *world, const sn_substep *substep);
void sn_rigid_contact_bounce(sn_world *world, const sn_substep *substep);

/* ---- Between the files ---- */

sn_rigid_contact sn_rigid_contact_at(const sn_world *world, uint32_t slot);
/* m: how the collider moves in the substep where the node touches it. */
sn_v4 sn_rigid_contact_motion(const sn_world *world, const sn_rigid_contact *contact);

#endif
