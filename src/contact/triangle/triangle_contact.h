/*
 * Contacts between triangles of collision surfaces and colliders, for what is smaller than a
 * triangle or has corners: nodes alone would let it through (collider_contact.h). Only collision
 * surfaces that ask for it (`triangle_contact`). Segments of ropes and rods are triangles here that
 * have their second node twice, the second time with a weight of 0.
 *
 *   deepest_point.c           where a triangle is deepest in a shape
 *   triangle_penetration.c    how deep it is in a substep, also where it would pass the shape
 *   triangle_contact_pairs.c  which triangles may touch which colliders in a step
 *   triangle_contact.c        its geometry in a sweep, and restitution
 *   triangle_contact_events.c who touched in the step
 *
 * A collider that a node carries is pushed back, at the place where it is touched.
 *
 * Where a corner of the triangle is deepest, its node has the contact, and there is none here.
 */
#ifndef SN_CONTACT_TRIANGLE_TRIANGLE_CONTACT_H
#define SN_CONTACT_TRIANGLE_TRIANGLE_CONTACT_H

#include "contact/collider/collider_contact.h"
#include "contact/contact_partition.h"
#include "contact/rigid/rigid_contact.h"

/* Of a contact beside its rows: what the search for the deepest point remembers, and its result. */
typedef struct sn_triangle_search {
    uint32_t collider;
    uint32_t item;     /* the nearest triangle of a mesh, when it was last asked for */
    sn_real weight[3]; /* 1, of the nodes: where it was deepest, when last looked at */
    sn_real left;      /* m, how deep its last turn left it; infinity before the first in a step */
    sn_real clear;     /* m, that it could go from where and when it was asked for: */
    sn_vec4 asked[3];  /* m, in the frame of the collider (w of the first: the part of the step) */
    sn_vec4 flow;      /* m, of the surface in this substep, by its vertices */
    sn_real pressed;   /* the part of the step at which it last touched */
    bool touched;      /* in this step */
    bool turned;       /* whether its way out was another one than when the substep began */
    sn_vec4 side;      /* which that was, when last asked for */
    sn_vec4 side_before; /* the same of the substep before */
    /* m, how far its fastest corner would go in this substep as seen from the collider. */
    sn_real inertia;
    sn_vec4 before[3];  /* m/s, velocities before the substep, where anything bounces */
    sn_vec4 had;        /* m/s, the same of what carries the collider, where they touch */
    uint32_t distances; /* asked for, and not yet counted for the step */
} sn_triangle_search;

/* What finding them needs; the contacts themselves are in their set (contacts.h), whose pairs are
   numbers of triangles and slots of colliders. */
typedef struct sn_triangle_contacts {
    uint32_t *node; /* of the triangles that collide with colliders, of all collision surfaces */
    size_t triangles, node_capacity;
    size_t *begin; /* of the pairs of each triangle; one more than triangles */
    size_t begin_capacity;
    sn_real *reach; /* m, how far a node of a triangle may go before pairs are found again */
    size_t reach_capacity;
    sn_triangle_search *search, *old; /* by slots; old: before pairs were found again */
    size_t search_capacity, old_capacity;
    size_t *old_begin;
    size_t old_begin_capacity;
    sn_triangle_search *found; /* scratch: by pairs, until these have slots */
    size_t found_capacity;
    sn_contact_partition partition;
    uint32_t *carrier; /* by colliders: slot + 1 of the node that carries each, or 0 */
    size_t carrier_capacity;
    size_t searches; /* that of contacts with what is carried, when pairs were found */
    double asked;    /* how many distances, in this step */
    bool given_up;   /* whether they were too many */
    /* When the step has ended: pairs that touched, in the order of contacts. Before, there is room
       for all of them. */
    uint32_t *order;
    size_t listed, order_capacity;
} sn_triangle_contacts;

void sn_triangle_contacts_free(sn_triangle_contacts *contacts, sn_memory *memory);

/* A contact at hand. */
typedef struct sn_triangle_contact {
    uint32_t node[3];
    uint32_t carrier; /* slot + 1 of the node that carries the collider, or 0 */
    sn_real *row;     /* its lane of the rows */
    sn_triangle_search *search;
} sn_triangle_contact;

/* Whether there is a collision surface whose triangles touch colliders. */
bool sn_triangle_contact_is_needed(const sn_world *world);

/* As a kind of contact; nothing is done where no triangle may touch a collider. */
bool sn_triangle_contact_plan(sn_world *world, double dt, double h);
void sn_triangle_contact_detect(sn_world *world, const sn_substep *substep);
void sn_triangle_contact_project(sn_world *world, const sn_substep *substep, bool first, bool last);
/* After all sweeps: what passes a collider for all that goes along with it. */
void sn_triangle_contact_hold(sn_world *world, const sn_substep *substep);
void sn_triangle_contact_recover(sn_world *world, const sn_substep *substep);
void sn_triangle_contact_bounce(sn_world *world, const sn_substep *substep);
void sn_triangle_contact_end(sn_world *world);
/* Whether a collider comes within `reach` (m) of a triangle that has one of the nodes from `begin`
   to `end`. */
bool sn_triangle_contact_comes_near(const sn_world *world, size_t begin, size_t end,
                                    size_t collider, double reach);

/* ---- Between the files ---- */

sn_triangle_contact sn_triangle_contact_at(const sn_world *world, uint32_t slot);
/* Whether this step may ask for more distances; says so when it may not any more. */
bool sn_triangle_contact_may_ask(sn_world *world, const sn_substep *substep);
/* Finds pairs again where a triangle has gone farther than they were found for. */
void sn_triangle_contact_keep_up(sn_world *world, const sn_substep *substep);
/* What carries the collider, and where the triangle touches it; nothing where nobody does. */
sn_rigid_side sn_triangle_contact_carrier(const sn_world *world, const sn_triangle_contact *contact,
                                          sn_v4 normal);
/* m: how the surface moves in the substep at the deepest point. */
sn_v4 sn_triangle_contact_motion(const sn_world *world, const sn_triangle_contact *contact);
/* m: how deep the triangle is in this substep, and the way out: the weights of its nodes, the
   normal in the world and the point in the frame of the collider. 0 where it does not touch. */
sn_real sn_triangle_contact_depth(const sn_world *world, const sn_triangle_contact *contact,
                                  double h, sn_v4 *normal, sn_v4 *local);
/* Whether a corner has moved by more than this (m) since the depth was asked for. */
bool sn_triangle_contact_has_moved(const sn_world *world, const sn_triangle_contact *contact,
                                   sn_real far);
/* Whether a triangle has passed the collider in this substep, by more than `far` (m) where it came
   out beside; and where its corners would be, as displacements (m), had they gone along with it.
   With `known`, not if its depth was asked for at most `far` away and nothing had turned. */
bool sn_triangle_contact_passes(const sn_world *world, const sn_triangle_contact *contact,
                                sn_real far, bool known, sn_v4 held[3]);

/* What is told of its pairs (triangle_contact_events.c). */
extern const sn_contact_report sn_triangle_contact_report;

#endif
