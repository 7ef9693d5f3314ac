#ifdef SN_LIST_TYPE
SN_LIST_TYPE(distance, DISTANCE)
#elif !defined(SINEW_DISTANCE_H)
#define SINEW_DISTANCE_H
#include <sinew/constraint.h>

/* Keeps two nodes at a distance: C = |x1 - x0| - rest_length in m, so compliance is in m/N and
   damping in N s/m. side at_most makes it a tether, at_least a strut. */
#define SN_DISTANCE_FIELDS(FIELD)                                                                  \
    FIELD(REAL, rest_length, "m", 0, SN_REAL_MAX, SN_AUTO, true,                                   \
          "distance at which C = 0; automatic: the distance at creation")

SN_DECLARE_CONSTRAINT(distance, 2, SN_DISTANCE_FIELDS)
#endif
