/*
 * Contacts between nodes and colliders.
 *
 * Which nodes may meet which colliders in a step is found when it begins, from how far both can
 * move in that time; should a node be faster, it is found again in the middle. Every substep looks
 * at these pairs only. A node belongs to one thread, so that any number of threads gives the same.
 */
#ifndef SN_CONTACT_COLLIDER_COLLIDER_CONTACT_H
#define SN_CONTACT_COLLIDER_COLLIDER_CONTACT_H

#include "collision/collision_state.h"
#include "state/step_context.h"

/* A node and a collider that may meet. Lanes read the first four members at once. */
typedef struct sn_collider_pair {
    uint32_t collider;
    sn_real push;     /* m, along the normals in this substep, all sweeps together */
    sn_real clear;    /* m, that the node could go from where and when it was asked for: */
    sn_real pressure; /* N s, the part of the impulse along the normals */
    sn_vec4 asked;    /* m, from the collider, with a geometry in its frame (w: the part of the
                         step), otherwise along the axes of the world */
    sn_vec4 slide;    /* m, friction in this substep */
    sn_vec4 normal;   /* of the last touch */
    sn_vec4 impulse;  /* N s, of the step so far */
    bool touched;     /* in this step */
    sn_real wh, mass; /* s/kg and its inverse: by which a push becomes an impulse */
    uint32_t node;
    sn_vec4 roll;   /* kg m^2 rad, what held back a ball in this substep */
    sn_vec4 before; /* m/s, velocity of the node before the substep, where anything bounces */
    /* Of colliders with a geometry (node_penetration.c). */
    uint32_t item;   /* the nearest triangle, when it was last asked for */
    sn_real pressed; /* the part of the step at which it last touched */
    sn_vec4 flow;    /* m, of the surface in this substep, by its vertices */
} sn_collider_pair;

/* The first colliders that a node may meet, as found when pairs are counted, so that they need not
   be looked for again when the pairs are made. */
enum { SN_FEW = 3 };
typedef struct sn_few {
    uint32_t collider[SN_FEW];
} sn_few;

typedef struct sn_collider_contacts {
    size_t *begin; /* of the pairs of each node; one more than nodes */
    size_t begin_capacity;
    sn_real *reach; /* m, how far a node may go before pairs are found again */
    size_t reach_capacity;
    sn_few *few; /* of each node */
    size_t few_capacity;
    sn_collider_pair *touch;
    size_t count, capacity;
    /* The pairs before they were found again, which have what happened in the step so far. */
    size_t *old_begin;
    sn_collider_pair *old_touch;
    size_t old_begin_capacity, old_capacity;
} sn_collider_contacts;

void sn_collider_contacts_free(sn_collider_contacts *contacts, sn_memory *memory);

/* The material of a node on a collider. */
sn_contact_material sn_collider_contact_material(const sn_world *world, size_t node,
                                                 size_t collider);
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
