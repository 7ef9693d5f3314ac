/* Pairs of balls of collision surfaces, of which at least one rolls. */
#ifndef SN_CONTACT_SURFACE_ROLLING_PAIR_H
#define SN_CONTACT_SURFACE_ROLLING_PAIR_H

#include "contact/contact_solve.h"
#include "state/world.h"

typedef struct sn_rolling_pair {
    const sn_world *world;
    size_t node[2];
    sn_ball ball[2];
    bool rolls[2];
    sn_v4 normal;  /* from the second to the first */
    sn_real k_n;   /* 1/kg, how easily they move apart */
    sn_real k_t;   /* 1/kg, and how easily the contact slides */
    sn_real ease;  /* 1/(kg m^2), how easily they roll on each other */
    sn_real cross; /* 1/(kg m): how much friction makes them roll, and a torque makes them slide */
} sn_rolling_pair;

/* Whether any ball of the world may roll. */
bool sn_rolling_pair_is_needed(const sn_world *world);
/* The pair of two nodes that are `apart` (m); false where neither rolls. */
bool sn_rolling_pair_begin(sn_rolling_pair *pair, const sn_world *world, size_t first,
                           size_t second, sn_v4 normal, sn_real apart, sn_real k_n);
/* m: how the turning of both moves the first as seen from the second where they touch, in this
   substep, or in the one before as this one begins. */
sn_v4 sn_rolling_pair_slip(const sn_rolling_pair *pair, double h, bool before);
/* Turns both by an impulse (kg m). */
void sn_rolling_pair_turn(sn_rolling_pair *pair, sn_v4 impulse);
/* The torque against rolling, of at most `resistance` times the reduced radius times the impulse
   `pressed` (kg m) that presses them together. Returns the friction (kg m) that holds a contact
   which sticks, of at most `room`, and which the caller has to apply to the centres. */
sn_v4 sn_rolling_pair_resist(sn_rolling_pair *pair, double h, sn_real resistance, sn_real pressed,
                             sn_real room);

#endif
