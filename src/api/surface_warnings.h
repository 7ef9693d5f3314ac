/* What a collision surface asks for and will not get, as lines of the log. */
#ifndef SN_API_SURFACE_WARNINGS_H
#define SN_API_SURFACE_WARNINGS_H

#include "collision/collision_state.h"

/* Says which switches of a collision surface have no effect, or less than their name says, because
   it collides as points; of those that `before` had as well, where it is not null, nothing. */
void sn_collision_surface_warn_of_points(const sn_world *world, uint32_t surface,
                                         const sn_collision_surface_def *before);

/* Says that a collision surface is too thin to collide with itself, where it should, or another
   that is as thin. */
void sn_collision_surface_warn_of_thinness(const sn_world *world, uint32_t surface);

#endif
