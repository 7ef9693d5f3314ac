#ifdef SN_LIST_TYPE
SN_LIST_TYPE(surface_volume, SURFACE_VOLUME)
#elif !defined(SINEW_SURFACE_VOLUME_H)
#define SINEW_SURFACE_VOLUME_H
#include <sinew/constraint.h>

/*
 * Keeps the volume inside a closed triangle mesh: C = V(x) - pressure rest_volume in m^3, so
 * compliance is in m^6/J (Mueller et al. 2007, section 4.4). Every edge must belong to two
 * triangles, in opposite directions. The volume is positive when the triangles are anticlockwise
 * seen from outside. The force of the constraint is the overpressure in Pa, and one over compliance
 * how fast that grows with the volume that is missing.
 */
#define SN_SURFACE_VOLUME_FIELDS(FIELD)                                                            \
    FIELD(REAL, rest_volume, "m^3", -SN_REAL_MAX, SN_REAL_MAX, SN_AUTO, true,                      \
          "volume at which C = 0 with a pressure of 1; automatic: that at creation")               \
    FIELD(REAL, pressure, "1", -SN_REAL_MAX, SN_REAL_MAX, 1, false,                                \
          "factor on the rest volume; above 1 inflates, as in the 2007 paper")

SN_DECLARE_LIST_CONSTRAINT(surface_volume, SN_SURFACE_VOLUME_FIELDS)
#endif
