/*
 * Drags: the lines and balls that air acts on, as lists of nodes.
 *
 * What a step needs of them, all elements one after the other and those of every node, is made anew
 * when they have changed (systems/aerodynamics/apply_drags.c). How much of a node belongs to an
 * element is a matter of how many elements it has, so that it does not depend on when that was
 * done.
 */
#ifndef SN_SYSTEMS_AERODYNAMICS_DRAGS_H
#define SN_SYSTEMS_AERODYNAMICS_DRAGS_H

#include "base/archive.h"
#include "state/object.h"
#include "state/world.h"
#include "systems/aerodynamics/aerodynamics.h"

#include <sinew/drag.h>

typedef struct sn_drag_state {
    uint32_t *node; /* slots, `corners` of every element */
    size_t count;   /* elements */
    size_t capacity;
    uint32_t corners; /* 1 or 2 */
    sn_drag_def def;  /* of which the coefficient counts */
} sn_drag_state;

/* A line, or a ball, whose nodes are both the same. */
typedef struct sn_drag_element {
    uint32_t node[2];
    uint32_t drag;    /* whose it is */
    sn_real share[2]; /* of every node: its elements, over the part of the force that it gets */
} sn_drag_element;

typedef struct sn_drags {
    sn_slots slots;
    sn_drag_state *state;
    size_t capacity;
    uint32_t changes; /* of all lists */

    /* For a step. */
    uint32_t made_changes;
    bool made;
    sn_drag_element *element;
    size_t elements, element_capacity;
    sn_vec4 *force; /* N, of every element on each of its nodes */
    size_t force_capacity;
    sn_air_member *member; /* and one more, for the end of the last one's elements */
    size_t members, member_capacity;
    uint32_t *of; /* elements of members */
    size_t of_capacity;
} sn_drags;

extern const sn_object sn_drag_object;

/* Room for one more; false when there is no memory. */
bool sn_drags_reserve(sn_drags *drags, sn_memory *memory);
bool sn_drag_state_reserve(sn_drag_state *state, sn_memory *memory, size_t nodes);
void sn_drags_remove(sn_drags *drags, sn_memory *memory, uint32_t index);
void sn_drags_free(sn_drags *drags, sn_memory *memory);

/* Takes elements that need nodes whose `alive` is this out of all drags. */
void sn_drags_forget(sn_drags *drags, sn_memory *memory, const uint8_t *alive, uint8_t doomed);
/* Takes lines between two nodes out of all drags. */
void sn_drags_part(sn_drags *drags, sn_memory *memory, uint32_t a, uint32_t b);

/* The state of the system: air on sheets, and on lines and balls. */
typedef struct sn_aerodynamics {
    sn_air air;
    sn_drags drags;
} sn_aerodynamics;

static inline sn_aerodynamics *sn_aerodynamics_of(const sn_world *world) {
    return world->system_state[SN_SYSTEM_AERODYNAMICS];
}

static inline sn_air *sn_air_of(const sn_world *world) {
    return &sn_aerodynamics_of(world)->air;
}

static inline sn_drags *sn_drags_of(const sn_world *world) {
    return &sn_aerodynamics_of(world)->drags;
}

/* serialize_drags.c: the part of a snapshot, which worlds without any have not. */
void sn_world_serialize_drags(sn_world *world, sn_archive *a);

#endif
