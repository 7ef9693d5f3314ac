/*
 * A world as it was, for calls that change so much of it that room for all of it cannot be had
 * before: where memory runs out in the middle, the world goes back to what was kept. It is what a
 * snapshot would bring back, and so goes on with the same bits.
 */
#ifndef SN_STATE_ROLLBACK_H
#define SN_STATE_ROLLBACK_H

#include "state/world.h"

/* Keeps what is in a world; SN_ERROR_MEMORY where there is no room for that, and nothing is
   kept. */
sn_result sn_rollback_save(sn_world *world, sn_world *before);
/* Lets go of what was kept; or goes back to it, which cannot fail. */
void sn_rollback_discard(sn_world *world, sn_world *before);
void sn_rollback_restore(sn_world *world, sn_world *before);

#endif
