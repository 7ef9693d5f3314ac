/* What the files about air share. */
#ifndef SN_STEP_AIR_H
#define SN_STEP_AIR_H

#include "math/vector.h"
#include "step/step.h"

/* Whether wind blows on sheets, which then cannot rest; what the user makes of it counts as a force
   field. */
static inline bool sn_air_is_windy(const sn_world *world) {
    const sn_settings *s = &world->settings;
    return s->air_density > 0 && world->sheets.slots.live > 0 &&
           (s->wind.x != 0 || s->wind.y != 0 || s->wind.z != 0 || s->gust_strength > 0);
}

/* air_lists.c: the lists of all sheets, where they have changed; false when there is no memory. */
bool sn_air_make_lists(sn_world *world);

/* gusts.c: what the gusts of a moment are everywhere, four waves at a time. */
enum { SN_GUST_QUADS = 2 };

typedef struct sn_gusts {
    sn_v4 number[SN_GUST_QUADS][3]; /* 1/m, of waves along x, y and z */
    sn_v4 speed[SN_GUST_QUADS][3];  /* m/s, along x, y and z */
    sn_v4 phase[SN_GUST_QUADS];     /* turns */
} sn_gusts;

sn_gusts sn_gusts_at(const sn_settings *settings, const double drift[3], double time);
sn_v4 sn_gusts_speed(const sn_gusts *gusts, sn_v4 x);

#endif
