/* Effectors: the force fields that a world has. */
#ifndef SN_SYSTEMS_EFFECTOR_EFFECTORS_H
#define SN_SYSTEMS_EFFECTOR_EFFECTORS_H

#include "base/archive.h"
#include "state/object.h"
#include "state/step_context.h"

#include <sinew/effector.h>

typedef struct sn_effectors {
    sn_slots slots;
    sn_effector_def *def;
    size_t capacity;
} sn_effectors;

static inline sn_effectors *sn_effectors_of(const sn_world *world) {
    return world->system_state[SN_SYSTEM_EFFECTOR];
}

extern const sn_object sn_effector_object;

/* Room for one more; false when there is no memory. */
static inline bool sn_effectors_reserve(sn_effectors *all, sn_memory *memory) {
    size_t needed = sn_slots_needed(&all->slots, 1);
    return sn_slots_reserve(&all->slots, memory, needed) &&
           sn_reserve(memory, (void **)&all->def, &all->capacity, needed, sizeof *all->def);
}

/* apply_effectors.c: whether it acts on a node, where that is now; and what all of them do. */
bool sn_effector_reaches(const sn_world *world, const sn_effector_def *def, size_t node);
void sn_effectors_push(sn_step *step);

#endif
