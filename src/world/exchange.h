/* A world to and from an archive. */
#ifndef SN_WORLD_EXCHANGE_H
#define SN_WORLD_EXCHANGE_H

#include "base/archive.h"
#include "world/world.h"

/*
 * Writes everything that the next step depends on, or reads it into a world that has its types and
 * nothing else. What is read is checked as if a stranger had written it. Force fields, and what is
 * only scratch, are not part of it.
 */
void sn_world_exchange(sn_world *world, sn_archive *a);

/* Settings alone; enums and the signs of counts are checked. */
void sn_exchange_settings(sn_archive *a, sn_settings *settings);

/* Ids, of which there may be `most`. */
void sn_exchange_slots(sn_archive *a, sn_slots *slots, sn_memory *memory, size_t most);

/* Room for what is read; fails the archive when there is no memory. */
bool sn_exchange_had(sn_archive *a, bool room);
/* Whether a quaternion has unit length, but for rounding. */
bool sn_exchange_is_unit(sn_vec4 q);

/* Definitions of colliders, the first at `def` and the next `stride` bytes later. */
void sn_exchange_collider_defs(sn_archive *a, sn_collider_def *def, size_t stride, size_t count);
/* The part of it that is about colliders (exchange_colliders.c). Snapshots from before there were
   any have none. */
void sn_world_exchange_colliders(sn_world *world, sn_archive *a);

/* The parts of it that are about sleeping (exchange_sleep.c): whether bodies may, and who does. */
void sn_exchange_may_sleep(sn_archive *a, sn_bodies *bodies);
void sn_world_exchange_sleep(sn_world *world, sn_archive *a);

/* Definitions of skins without their elements; and the part about skins (exchange_skins.c), which
   snapshots of worlds that never had one have not. */
void sn_exchange_skin_defs(sn_archive *a, sn_skin_def *def, size_t stride, size_t count);
void sn_world_exchange_skins(sn_world *world, sn_archive *a);

/* The part of it that is about constraints (exchange_constraints.c). */
void sn_world_exchange_constraints(sn_world *world, sn_archive *a);

#endif
