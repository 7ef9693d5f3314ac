/* Drives whose targets come to other values in the next step. */
#ifndef SN_STEP_SERVO_H
#define SN_STEP_SERVO_H

#include "state/world.h"

/* One whose target was set since the last step. */
typedef struct sn_servo {
    uint32_t constraint, generation; /* its index */
    double from;                     /* where its target was when the last step ended */
} sn_servo;

typedef struct sn_servos {
    sn_servo *servo;
    size_t count, capacity;
} sn_servos;

static inline sn_servos *sn_servos_of(const sn_world *world) {
    return world->system_state[SN_SYSTEM_SERVO];
}

/* Room for more of a type; false when there is no memory. */
bool sn_servos_reserve(sn_world *world, const sn_constraint_type *type, size_t more);

/* A constraint is about to get these parameters; what follows reserving cannot fail. */
void sn_servo_aim(sn_world *world, uint32_t constraint, const sn_real *parameter);

#endif
