/* Colliders: shapes with a place and a motion, and the pairs of a step. */
#ifndef SN_STATE_COLLIDERS_H
#define SN_STATE_COLLIDERS_H

#include "base/slots.h"
#include "state/collider_geometry.h"
#include "state/contact_material.h"

#include <sinew/collider.h>

typedef struct sn_collider_state {
    sn_collider_def def; /* with the present place */
    uint8_t has_target;  /* 0 or 1 */
    uint8_t changed;     /* 0 or 1: set or made since the last step, which wakes what is near */
    sn_vec3 target;      /* m */
    sn_quat target_orientation;
    bool moving; /* scratch: in the present step; where bodies may sleep */
} sn_collider_state;

typedef struct sn_colliders {
    sn_slots slots;
    sn_collider_state *state;
    size_t capacity;
} sn_colliders;

/* Whether nodes of a group meet a collider. */
static inline bool sn_collider_accepts(const sn_collider_def *def, uint32_t group) {
    return (def->mask >> (group < 31 ? group : 31) & 1) != 0;
}

/* Where a collider is in a substep: as the nodes, relative to where it was when the step began. */
typedef struct sn_collider_pose {
    sn_vec4 x;               /* m, at the beginning of the step */
    sn_vec4 d, p;            /* m, displacement at the end and at the beginning of the substep */
    sn_vec4 q, before;       /* orientation at the end and at the beginning of the substep */
    sn_vec4 start, aim;      /* orientation at the ends of the step */
    sn_vec4 way;             /* m, of the whole step */
    double done, will;       /* the part of the step that was and will be there, 0 to 1 */
    double most;             /* m, that anything of it moves in the rest of the step */
    sn_vec4 size;            /* m, its extent and its radius */
    sn_contact_material law; /* where nothing is said of pairs of materials */
    sn_real recovery;        /* m/s, how fast nodes come out of it; infinite for at once */
    uint8_t shape;           /* sn_shape */
    bool flows;              /* whether its vertices are on their way */
    bool turns;              /* in this step */
    bool straight; /* whether its frame is that of the world, to the bit, all the substep */
} sn_collider_pose;

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
    sn_collider_pose *pose; /* of the colliders */
    size_t pose_capacity;
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
    /* Where many colliders are on their way through the step (collider_bvh.c). */
    sn_bounds *boxes;
    uint32_t *crowd, *everywhere; /* colliders with a box, and those without an end */
    size_t crowd_count, everywhere_count;
    size_t box_capacity, crowd_capacity, everywhere_capacity;
    sn_bvh tree;
} sn_collider_contacts;

/* Room for one more; false when there is no memory. */
bool sn_colliders_reserve(sn_colliders *colliders, sn_memory *memory, size_t extra);
void sn_colliders_free(sn_colliders *colliders, sn_memory *memory);
void sn_collider_contacts_free(sn_collider_contacts *collider_contacts, sn_memory *memory);

#endif
