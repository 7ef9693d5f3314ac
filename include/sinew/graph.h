/*
 * The graph of constraints, as it is solved: constraints that move a common node have different
 * colours, and those of one type and colour are solved together by SIMD lanes and threads.
 */
#ifndef SINEW_GRAPH_H
#define SINEW_GRAPH_H

#include <sinew/constraint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The colour of a constraint among those of its type, from 0; -1 for one that found none, and is
   solved by itself. It may change when constraints come and go. */
SN_API sn_result sn_constraint_get_colour(const sn_world *world, sn_constraint constraint,
                                          int *colour);

#ifdef __cplusplus
}
#endif

#endif
