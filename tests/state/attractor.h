/*
 * A system that is not in the library: springs without a length from listed nodes to a point. It is
 * here to show that a system is its own files and one line in a list, and as an example of one.
 */
#ifndef SINEW_TESTS_ATTRACTOR_H
#define SINEW_TESTS_ATTRACTOR_H

#include "state/system.h"

/* What it is defined by. */
#define ATTRACTOR_FIELDS(FIELD, ARRAY)                                                             \
    FIELD(VEC3, point, "m", -SN_REAL_MAX, SN_REAL_MAX, 0, false, "where nodes are pulled to")      \
    FIELD(REAL, compliance, "m/N", 0, 1, 0.001, false, "of the spring of each")                    \
    FIELD(BOOL, idle, "", 0, 1, 0, false, "whether nothing is pulled")

SN_DECLARE_OBJECT(attractor, ATTRACTOR_FIELDS)

typedef struct attractor {
    sn_attractor_def def;
    uint32_t *node; /* slots, each once */
    size_t count, capacity;
    sn_vec4 *lambda; /* N s^2, of the present substep; scratch */
    size_t lambda_capacity;
} attractor;

extern const sn_system attractor_system;

/* The state in a world that has the system. */
attractor *attractor_of(const sn_world *world);

/* Where it pulls to; and one more node that it pulls. Failing changes nothing. */
sn_result attractor_set(sn_world *world, const sn_attractor_def *def);
sn_result attractor_add(sn_world *world, sn_node node);

#endif
