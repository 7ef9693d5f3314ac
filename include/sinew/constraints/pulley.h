#ifdef SN_LIST_TYPE
SN_LIST_TYPE(pulley, PULLEY)
#elif !defined(SINEW_PULLEY_H)
#define SINEW_PULLEY_H
#include <sinew/constraint.h>

/*
 * Keeps the length of a rope from node 0 over the pulleys at nodes 1 and 2 to node 3:
 * C = |x1 - x0| + |x2 - x1| + strands |x3 - x2| - rest_length in m. With side at_most it goes slack
 * as ropes do. `strands` is how many times it runs between node 2 and node 3, as in a block and
 * tackle, where node 3 is pulled as many times as hard as node 0.
 */
#define SN_PULLEY_FIELDS(FIELD)                                                                    \
    FIELD(REAL, rest_length, "m", 0, SN_REAL_MAX, SN_AUTO, true,                                   \
          "length at which C = 0; automatic: the length at creation")                              \
    FIELD(REAL, strands, "1", 0, 1000, 1, false, "above 0, between node 2 and node 3")

SN_DECLARE_CONSTRAINT(pulley, 4, SN_PULLEY_FIELDS)
#endif
