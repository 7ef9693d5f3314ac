/* How frames turn that contacts have struck (rigid_turn.c). */
#ifndef SN_CONTACT_RIGID_RIGID_TURN_H
#define SN_CONTACT_RIGID_RIGID_TURN_H

#include "math/vector.h"

/* A frame in a substep. */
typedef struct sn_rigid_struck {
    sn_v4 q, next;    /* before contacts turn it, and where that puts it */
    sn_v4 w;          /* 1/(kg m^2), principal */
    sn_v4 had, given; /* kg m^2 rad, in the world: h L but for contacts, and what they give */
} sn_rigid_struck;

/* Where it is turned to: there it has no more energy than before it was turned. */
sn_v4 sn_rigid_turn(const sn_rigid_struck *struck);

#endif
