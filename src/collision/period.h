/* Periodic worlds: a box whose opposite sides are one. */
#ifndef SN_COLLISION_PERIOD_H
#define SN_COLLISION_PERIOD_H

#include "collision/collision_state.h"
#include "math/lanes.h"

extern const sn_object sn_period_object;

void sn_world_serialize_period(sn_world *world, sn_archive *a);

static inline bool sn_world_is_periodic(const sn_world *world) {
    sn_vec3 length = sn_collision_of(world)->period.length;
    return length.x > 0 || length.y > 0 || length.z > 0;
}

typedef struct sn_period {
    sn_v4 length; /* m; 0 along an axis that has no end */
    sn_v4 half;   /* m; beyond all numbers there */
} sn_period;

static inline sn_period sn_period_of(const sn_world *world) {
    sn_period p = {.length = sn_v4_of(sn_collision_of(world)->period.length)};
    for (int i = 0; i < 4; i++) p.half[i] = p.length[i] > 0 ? SN_R(0.5) * p.length[i] : SN_REAL_MAX;
    return p;
}

/* The shortest of all ways between two nodes, given any that is no longer than one and a half
   periods. */
SN_INLINE sn_v4 sn_period_nearest(const sn_period *p, sn_v4 way) {
    sn_v4_bits before = (sn_v4_bits)(way > p->half), behind = (sn_v4_bits)(way < -p->half);
    return (way - (sn_v4)(before & (sn_v4_bits)p->length)) +
           (sn_v4)(behind & (sn_v4_bits)p->length);
}

#endif
