/* Who is held together by seams and attachments, so that contacts do not push it apart. */
#ifndef SN_CONTACT_SURFACE_CONTACT_EXCLUSION_H
#define SN_CONTACT_SURFACE_CONTACT_EXCLUSION_H

#include "state/world.h"

typedef struct sn_contact_exclusion {
    bool any;
    /* Of every node: the lowest of those it is joined to, over any number of seams; and the nodes
       of the first element that it is attached to, or its own slot. */
    uint32_t *root;
    uint32_t (*hold)[3];
    size_t root_capacity, hold_capacity;
} sn_contact_exclusion;

/* Brings it up to date; false when there is no memory. */
bool sn_contact_exclusion_find(const sn_world *world, sn_memory *memory,
                               sn_contact_exclusion *exclusion);
void sn_contact_exclusion_free(sn_contact_exclusion *exclusion, sn_memory *memory);

/* Whether one of two nodes is held at the other. */
SN_INLINE bool sn_contact_are_excluded(const sn_contact_exclusion *exclusion, uint32_t a,
                                       uint32_t b) {
    bool held = exclusion->root[a] == exclusion->root[b];
    for (int k = 0; k < 3; k++)
        held = held || exclusion->hold[a][k] == b || exclusion->hold[b][k] == a;
    return held;
}

#endif
