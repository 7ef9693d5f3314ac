/*
 * Periodic worlds: a box whose opposite sides are one. Particles that leave it through one side
 * come in through the opposite one when the step is over, with their velocities; those of fluids
 * and gases, and balls of collision surfaces such as grains, feel each other across it.
 */
#ifndef SINEW_PERIOD_H
#define SINEW_PERIOD_H

#include <sinew/field.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Colliders are where they are: one that reaches over a side has to reach over the opposite one as
 * well, by as far as particles go in a step, or to have no end. What is held together cannot be at
 * both ends: a step refuses a periodic world with constraints, matched shapes, hair and the like,
 * collision surfaces with edges and colliders that nodes carry, and integrators that remember where
 * nodes were. Emitters, drains, force fields and diffusion do not see over a side.
 */
#define SN_PERIOD_FIELDS(FIELD, ARRAY)                                                             \
    FIELD(VEC3, length, "m", 0, SN_REAL_MAX, 0, false,                                             \
          "sides of the box; along an axis with 0 the world has no end")                           \
    FIELD(VEC3, low, "m", -SN_REAL_MAX, SN_REAL_MAX, 0, false,                                     \
          "the corner of the box with the least coordinates")

/* sn_period_def and its default. */
SN_DECLARE_OBJECT(period, SN_PERIOD_FIELDS)

/* Makes a world periodic from the next step on, or with the default definition not any more. */
SN_API sn_result sn_world_set_period(sn_world *world, const sn_period_def *def);

/* What was set; the default where nothing was. */
SN_API sn_result sn_world_get_period(const sn_world *world, sn_period_def *def);

#ifdef __cplusplus
}
#endif

#endif
