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
 *
 * With an `amount` it holds a gas: p V = n R T, with p - ambient as the overpressure. Its volume at
 * rest and its compliance then follow from the volume that it has, V + (p - ambient) V / p and V /
 * p, and are found anew after every step; what is given for them, and `pressure`, have no effect.
 * `break_force` is the overpressure at which it bursts.
 */
#define SN_SURFACE_VOLUME_FIELDS(FIELD)                                                            \
    FIELD(REAL, rest_volume, "m^3", -SN_REAL_MAX, SN_REAL_MAX, SN_AUTO, true,                      \
          "volume at which C = 0 with a pressure of 1; automatic: that at creation")               \
    FIELD(REAL, pressure, "1", -SN_REAL_MAX, SN_REAL_MAX, 1, false,                                \
          "factor on the rest volume; above 1 inflates, as in the 2007 paper")                     \
    FIELD(REAL, amount, "mol", 0, SN_REAL_MAX, SN_AUTO, true,                                      \
          "of the gas inside, above 0; less as it leaks; automatic: it holds none")                \
    FIELD(REAL, temperature, "K", 0, SN_REAL_MAX, 293.15, false, "of the gas, above 0")            \
    FIELD(REAL, ambient, "Pa", 0, SN_REAL_MAX, 101325, false, "pressure outside, with a gas")      \
    FIELD(REAL, leak, "mol/(s Pa)", 0, SN_REAL_MAX, 0, false,                                      \
          "gas that escapes per time and overpressure, or comes in where that is negative")

/* R, in J/(mol K): a gas of pressure p in a volume V at a temperature T has p V / (R T) mol. */
#define SN_GAS_CONSTANT 8.314462618

SN_DECLARE_LIST_CONSTRAINT(surface_volume, SN_SURFACE_VOLUME_FIELDS)
#endif
