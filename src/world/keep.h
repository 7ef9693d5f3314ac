/*
 * A world as it was, for calls that change so much of it that room for all of it cannot be had
 * before: where memory runs out in the middle, the world goes back to what was kept. It is what a
 * snapshot would bring back, and so goes on with the same bits.
 */
#ifndef SN_WORLD_KEEP_H
#define SN_WORLD_KEEP_H

#include "world/world.h"

/* Keeps what is in a world; SN_ERROR_MEMORY where there is no room for that, and nothing is kept.
 */
sn_result sn_world_keep(sn_world *world, sn_world *before);
/* Lets go of what was kept; or goes back to it, which cannot fail. */
void sn_world_keep_drop(sn_world *world, sn_world *before);
void sn_world_keep_restore(sn_world *world, sn_world *before);

#endif
