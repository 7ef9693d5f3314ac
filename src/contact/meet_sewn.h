/* Who is held together by seams and attachments, so that contacts do not push it apart. */
#ifndef SN_CONTACT_MEET_SEWN_H
#define SN_CONTACT_MEET_SEWN_H

#include "world/world.h"

typedef struct sn_meet_sewn {
    bool any;
    /* Of every node: the lowest of those it is sewn to, over any number of seams; and the nodes of
       the first element that it is attached to, or its own slot. */
    uint32_t *root;
    uint32_t (*hold)[3];
    size_t root_capacity, hold_capacity;
} sn_meet_sewn;

/* Brings it up to date; false when there is no memory. */
bool sn_meet_sew(const sn_world *world, sn_memory *memory, sn_meet_sewn *sewn);
void sn_meet_sewn_free(sn_meet_sewn *sewn, sn_memory *memory);

/* Whether one of two nodes is held at the other. */
SN_INLINE bool sn_meet_are_sewn(const sn_meet_sewn *sewn, uint32_t a, uint32_t b) {
    bool held = sewn->root[a] == sewn->root[b];
    for (int k = 0; k < 3; k++) held = held || sewn->hold[a][k] == b || sewn->hold[b][k] == a;
    return held;
}

#endif
