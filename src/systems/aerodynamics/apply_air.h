/* What the files about air share. */
#ifndef SN_SYSTEMS_AERODYNAMICS_APPLY_AIR_H
#define SN_SYSTEMS_AERODYNAMICS_APPLY_AIR_H

#include "math/turbulence.h"
#include "math/vector.h"
#include "state/step_context.h"
#include "systems/aerodynamics/drags.h"
#include "systems/sheet/sheets.h"

/* Whether wind blows on sheets, lines or balls, which then cannot rest; what the user makes of it
   counts as a force field. */
static inline bool sn_air_is_windy(const sn_world *world) {
    const sn_settings *s = &world->settings;
    return s->air_density > 0 &&
           (sn_sheets_of(world)->slots.live > 0 || sn_drags_of(world)->slots.live > 0) &&
           (s->wind.x != 0 || s->wind.y != 0 || s->wind.z != 0 || s->gust_strength > 0);
}

/* air_lists.c: the lists of all sheets, where they have changed; false when there is no memory. */
bool sn_air_make_lists(sn_world *world);

/* The air of a substep. */
typedef struct sn_blow {
    const sn_world *world;
    const sn_turbulence *gusts;  /* null where there are none */
    const sn_air_member *member; /* whose wind is to be found */
    sn_v4 wind;
    sn_real half_density, h;
    bool varies; /* whether the wind is that of air.blown */
} sn_blow;

/* apply_drags.c: the lists of lines and balls, where they have changed; false when there is no
   memory. And what air does to them. */
bool sn_air_plan_drags(sn_world *world);
void sn_air_push_drags(sn_blow *blow);

/* What air does to sheets, lines and balls, as accelerations: what a step needs of it, false when
   there is no memory; whether it does anything in this step; in a substep; and how far the gusts
   have come after the step. */
bool sn_air_plan(sn_step *step);
bool sn_air_acts(const sn_world *world);
void sn_air_push(sn_step *step);
void sn_air_end(sn_step *step);

#endif
