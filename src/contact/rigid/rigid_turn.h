/* How frames turn that contacts have struck (rigid_turn.c). */
#ifndef SN_CONTACT_RIGID_RIGID_TURN_H
#define SN_CONTACT_RIGID_RIGID_TURN_H

#include "math/vector.h"

/* A frame with an angular momentum, in kg m^2/s or that times h, in the world. */
typedef struct sn_rigid_struck {
    sn_v4 q, w;            /* where it is turned to; 1/(kg m^2), principal */
    sn_v4 momentum, given; /* all of it, and what contacts gave */
    sn_real energy;        /* twice, that it had */
} sn_rigid_struck;

/* Twice the energy of an angular momentum in the world. */
sn_real sn_rigid_spin_energy(sn_v4 q, sn_v4 w, sn_v4 momentum);
/* Where it is turned to in place of q, which gives it no energy. */
sn_v4 sn_rigid_turn(const sn_rigid_struck *struck);

#endif
