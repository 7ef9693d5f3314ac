#ifdef SN_LIST_TYPE
SN_LIST_TYPE(surface_volume, SURFACE_VOLUME)
#elif !defined(SINEW_SURFACE_VOLUME_H)
#define SINEW_SURFACE_VOLUME_H
#include <sinew/constraint.h>

/*
 * Keeps the volume inside a closed triangle mesh: C = V(x) - pressure rest_volume in m^3, so
 * compliance is in m^6/J (Mueller et al. 2007, section 4.4). Every edge must belong to two
 * triangles, in opposite directions. The volume is positive when the triangles are anticlockwise
 * seen from outside. The force of the constraint is the overpressure in Pa, and one over
 * compliance how fast that grows with the volume that is missing.
 *
 * With an `amount` it holds a gas, with p - ambient as the overpressure:
 *
 *   p V         = n R T
 *   rest_volume = V + (p - ambient) V / p
 *   compliance  = V / p
 *
 * The last two follow from the volume that it has and are found anew after every step; what is
 * given for them, and `pressure`, have no effect. `break_force` is the overpressure at which it
 * bursts.
 *
 * A body that is a surface alone bulges everywhere when it is pressed somewhere. With `local` the
 * correction goes to where the surface is deformed (Diziol et al. 2011): to nodes that are far
 * from where they would be if the body had only moved and turned, or with `opposing` to those
 * whose distance to the node opposite to them has changed. That is compared with the shape which
 * the body had when `local` or `opposing` first were above 0, at creation or later; with `change`
 * as `step`, with where the nodes were at the beginning of the substep. Distances across count by
 * the weights of their nodes (sn_constraint_set_weights), the stiffness s_i of the paper. Momentum
 * and angular momentum are kept all the same. With `touching` as `still`, nodes that touched
 * something in the last substep are moved by the pressure of before alone, and what is new goes to
 * the others; what they touch then takes the momentum.
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
          "gas that escapes per time and overpressure, or comes in where that is negative")        \
    FIELD(REAL, local, "1", 0, 1, 0, false,                                                        \
          "share of the correction that goes where the surface is deformed; 0: all by inverse "    \
          "masses alone")                                                                          \
    FIELD(REAL, opposing, "1", 0, 1, 0, false,                                                     \
          "share of that which goes by distances between opposing nodes; pairs are found when "    \
          "this is first above 0")                                                                 \
    FIELD(REAL, smoothing, "1", 0, 16, 1, false,                                                   \
          "how often these weights are smoothed over the edges, in whole numbers")                 \
    FIELD(CHOICE, touching, "moved|still", 0, 1, 0, false,                                         \
          "whether nodes that touched something in the last substep are moved like others")        \
    FIELD(REAL, steady, "1", 0, 1, 0, false,                                                       \
          "share of dC/dt that is taken from the velocities after every substep; with a "          \
          "compliance that is damping")                                                            \
    FIELD(CHOICE, change, "shape|step", 0, 1, 0, false,                                            \
          "what counts as deformed: how far nodes are from the shape of before, or how far they "  \
          "have come in the substep, as in the paper")

/* R, in J/(mol K): a gas of pressure p in a volume V at a temperature T has p V / (R T) mol. */
#define SN_GAS_CONSTANT 8.314462618

SN_DECLARE_LIST_CONSTRAINT(surface_volume, SN_SURFACE_VOLUME_FIELDS)
#endif
