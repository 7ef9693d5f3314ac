/*
 * A system that is not in the library: springs without a length from listed nodes to a point. It is
 * here to show that a system is its own files and one line in a list, and as an example of one.
 */
#ifndef SINEW_TESTS_ATTRACTOR_H
#define SINEW_TESTS_ATTRACTOR_H

#include "state/system.h"

typedef struct attractor {
    sn_vec3 point;      /* m */
    sn_real compliance; /* m/N */
    uint32_t *node;     /* slots, each once */
    size_t count, capacity;
    sn_vec4 *lambda; /* N s^2, of the present substep; scratch */
    size_t lambda_capacity;
} attractor;

extern const sn_system attractor_system;

/* The state in a world that has the system. */
attractor *attractor_of(const sn_world *world);

/* Where it pulls to; and one more node that it pulls. Failing changes nothing. */
sn_result attractor_set(sn_world *world, sn_vec3 point, sn_real compliance);
sn_result attractor_add(sn_world *world, sn_node node);

#endif
