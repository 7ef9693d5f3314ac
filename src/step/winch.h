/* Ropes and rods that become longer or shorter in the next step. */
#ifndef SN_STEP_WINCH_H
#define SN_STEP_WINCH_H

#include "state/world.h"

/* What was asked for since the last step. */
typedef struct sn_winch {
    uint32_t body, generation; /* its slot, from 1 */
    double factor;             /* of its length, over the whole step */
} sn_winch;

typedef struct sn_winches {
    sn_winch *winch;
    size_t count, capacity;
} sn_winches;

static inline sn_winches *sn_winches_of(const sn_world *world) {
    return world->system_state[SN_SYSTEM_WINCH];
}

/* How many constraints of a body have a length; which types do is theirs to say (type.h). */
size_t sn_winch_count_lines(const sn_world *world, uint32_t body);

/* A factor for the next step, times what is there; false when there is no memory. */
bool sn_winch_add(sn_world *world, uint32_t body, double factor);

#endif
