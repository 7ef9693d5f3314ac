/*
 * Contacts between nodes and colliders.
 *
 * Which nodes may touch which colliders in a step is found when it begins, from how far both can
 * move in that time; should a node be faster, it is found again in the middle. Every substep looks
 * at these pairs only. A node belongs to one thread, so that any number of threads gives the same.
 */
#ifndef SN_CONTACT_COLLIDER_COLLIDER_CONTACT_H
#define SN_CONTACT_COLLIDER_COLLIDER_CONTACT_H

#include "collision/collision_state.h"
#include "contact/contact_kind.h"
#include "contact/contact_set.h"
#include "state/step_context.h"

/* Of a contact beside its rows: what its search remembers. Lanes read the first four numbers at
   once. */
typedef struct sn_node_search {
    sn_vec4 asked; /* m, where the node was when its distance was last asked for: from the collider,
                      with a geometry in its frame, otherwise along the axes of the world; w: how
                      far it could go from there */
    sn_vec4 roll;  /* kg m^2 rad, what held back a ball in this substep */
    sn_vec4 before;  /* m/s, velocity of the node before the substep, where anything bounces */
    bool touched;    /* in this step */
    sn_real inertia; /* m, as of sn_node_contact_inertia, of a collider that is carried */
    /* Of colliders with a geometry (node_penetration.c). */
    uint32_t item;   /* the nearest triangle, when it was last asked for */
    sn_real time;    /* the part of the step at which it was */
    sn_real pressed; /* and at which it last touched */
    sn_vec4 flow;    /* m, of the surface in this substep, by its vertices */
} sn_node_search;

/* The first colliders that a node may touch, as found when pairs are counted, so that they need not
   be looked for again when the pairs are made. */
enum { SN_FEW = 3 };
typedef struct sn_few {
    uint32_t collider[SN_FEW];
} sn_few;

/* What finding them needs; the contacts themselves are in their set (contacts.h), whose pairs are
   slots of nodes and colliders. A pair moves one node, so that its slot is its number. */
typedef struct sn_collider_contacts {
    size_t *begin; /* of the pairs of each node; one more than nodes */
    size_t begin_capacity;
    sn_real *reach; /* m, how far a node may go before pairs are found again */
    size_t reach_capacity;
    sn_few *few; /* of each node */
    size_t few_capacity;
    sn_vec4
        *predicted; /* m, displacements of nodes as a substep begins, where something recovers */
    size_t predicted_capacity;
    sn_node_search *search; /* by slots */
    size_t capacity;
    /* Before they were found again, with what happened in the step so far. */
    size_t *old_begin;
    sn_node_search *old;
    size_t old_begin_capacity, old_capacity;
} sn_collider_contacts;

/* A contact at hand. */
typedef struct sn_node_contact {
    uint32_t node, collider;
    sn_real *row; /* its lane of the rows */
    sn_node_search *search;
} sn_node_contact;

void sn_collider_contacts_free(sn_collider_contacts *contacts, sn_memory *memory);

/* The material of a node on a collider. */
sn_contact_material sn_collider_contact_material(const sn_world *world, size_t node,
                                                 size_t collider);
/* Whether there is anything that nodes may touch. */
bool sn_collider_contact_is_needed(const sn_world *world);
/* Finds the pairs of a step; false when there is no memory. Nothing is done without colliders. */
bool sn_collider_contact_plan(sn_world *world, double dt, double h);
/* The beginning of a substep, after the prediction and the motion of colliders. */
void sn_collider_contact_detect(sn_world *world, const sn_substep *substep);
/* After every sweep over the constraints; `first` in the first one of a substep. */
void sn_collider_contact_project(sn_world *world, const sn_substep *substep, bool first, bool last);
/* After all sweeps: recovery is no velocity. */
void sn_collider_contact_recover(sn_world *world, const sn_substep *substep);
/* After the update of velocities: what bounces, and friction where it acts on them. */
void sn_collider_contact_bounce(sn_world *world, const sn_substep *substep);
/* m: how the surface moves in the substep where the node touches it. */
sn_v4 sn_collider_contact_motion(const sn_world *world, const sn_node_contact *contact);
/* m: how far the node goes of its own in the substep, as seen from the collider, where something
   recovers. What is carried moves in every sweep, and has it noted as the substep begins. */
sn_real sn_node_contact_inertia(const sn_world *world, const sn_node_contact *contact);
/* m: how far the node is to be pushed out of a collider in this substep, along a normal, with where
   it is in the frame of that; 0 where it does not touch. */
sn_real sn_collider_contact_depth(const sn_world *world, const sn_node_contact *contact, double h,
                                  sn_v4 *normal, sn_v4 *local);
/* Whether velocities are needed between substeps. */
bool sn_collider_contact_bounces(const sn_world *world);
/* What is told of its pairs (collider_contact_events.c). */
extern const sn_contact_report sn_collider_contact_report;
/* Contacts of nodes and colliders, whether these are carried (rigid/rigid_contact.h) or not. */
extern const sn_contact_group sn_collider_contact_group;

#endif
