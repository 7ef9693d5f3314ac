#ifdef SN_LIST_TYPE
SN_LIST_TYPE(ghost_point, GHOST_POINT)
#elif !defined(SINEW_GHOST_POINT_H)
#define SINEW_GHOST_POINT_H
#include <sinew/constraint.h>

/*
 * Holds node 2, the ghost point of the segment from node 0 to node 1, beside its middle: the two
 * directions are the material frame of the segment (Umetani et al. 2014). With f from the middle to
 * the ghost point and d along the segment, two rows in m:
 *
 *   f . d - ahead                                   it stays across from the middle
 *   |f| - radius                                    it keeps its distance, or
 *   |f| sqrt(|x1 - x0| / rest_length) - radius      the volume pi |f|^2 |x1 - x0| of the segment
 *
 * With the volume kept, |f| is a radius that is free: a segment that is pulled gets thinner by the
 * root of its stretch, one that contracts swells (Angles et al. 2019).
 */
#define SN_GHOST_POINT_FIELDS(FIELD)                                                               \
    FIELD(REAL, rest_length, "m", 0, SN_REAL_MAX, SN_AUTO, true,                                   \
          "of the segment, above 0; automatic: the distance at creation")                          \
    FIELD(REAL, ahead, "m", -SN_REAL_MAX, SN_REAL_MAX, SN_AUTO, true,                              \
          "of the middle, along the segment; automatic: as at creation")                           \
    FIELD(REAL, radius, "m", 0, SN_REAL_MAX, SN_AUTO, true,                                        \
          "distance from the middle, above 0; automatic: as at creation")                          \
    FIELD(CHOICE, keeps, "radius|volume", 0, 1, 0, false, "what the second row is of")

SN_DECLARE_CONSTRAINT(ghost_point, 3, SN_GHOST_POINT_FIELDS)
#endif
