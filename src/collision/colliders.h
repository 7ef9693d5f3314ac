/* Colliders: shapes with a place and a motion. */
#ifndef SN_COLLISION_COLLIDERS_H
#define SN_COLLISION_COLLIDERS_H

#include "base/slots.h"
#include "collision/collider_geometry.h"
#include "collision/contact_material.h"
#include "state/object.h"

#include <sinew/collider.h>

typedef struct sn_collider_state {
    sn_collider_def def; /* with the present place */
    uint8_t has_target;  /* 0 or 1 */
    uint8_t changed;     /* 0 or 1: set or made since the last step, which wakes what is near */
    sn_vec3 target;      /* m */
    sn_quat target_orientation;
    /* Of one that an oriented node carries: */
    uint32_t carrier; /* slot + 1 of the node, or 0 */
    sn_vec3 at;       /* m, where it is in the frame of the node */
    sn_quat turn;     /* from its frame to that of the node */
    bool moving;      /* scratch: in the present step; where bodies may sleep */
} sn_collider_state;

typedef struct sn_colliders {
    sn_slots slots;
    sn_collider_state *state;
    size_t capacity;
    size_t carried; /* how many are carried: follows */
    /* Whether nothing but motion has happened since pairs of what is carried were found
       (contact/rigid/rigid_found.c). */
    bool found;
} sn_colliders;

/* Whether nodes of a group collide with a collider. */
static inline bool sn_collider_accepts(const sn_collider_def *def, uint32_t group) {
    return (def->mask >> (group < 31 ? group : 31) & 1) != 0 && group != SN_GROUP_NONE;
}

/* What a collider is defined by, but for the arrays of its shape. */
extern const sn_object sn_collider_object;

/* Room for one more; false when there is no memory. */
bool sn_colliders_reserve(sn_colliders *colliders, sn_memory *memory, size_t extra);
void sn_colliders_free(sn_colliders *colliders, sn_memory *memory);

#endif
