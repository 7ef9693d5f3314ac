/* Impacts as they are played (rigid_restitution.c), and where (rigid_meeting.c). */
#ifndef SN_CONTACT_RIGID_RIGID_IMPACTS_H
#define SN_CONTACT_RIGID_RIGID_IMPACTS_H

#include "contact/rigid/rigid_contact.h"

/* N s, of contacts without an impact. */
#define SN_RIGID_NO_IMPACT SN_R(-1.0)

/* What a contact does to the velocities of both sides. */
struct sn_rigid_impact {
    uint32_t slot, node[2];
    sn_real w[2];            /* 1/kg */
    sn_vec4 normal, axis[2]; /* m, the lever arms across it */
    sn_vec4 twist[2];        /* 1/(kg m), how an impulse along it turns each */
    sn_real k_n;             /* 1/kg */
    sn_real surface;         /* m/s, of a collider that nobody carries, along the normal */
    sn_real gained;          /* m/s, along the normal, by what accelerates both */
    sn_real restitution;
    sn_real parts;                  /* m/s, how fast the two part before any impact */
    sn_real came, first, wave, sum; /* m/s, below zero; m/s; N s, of the wave and of all */
    bool linked;                    /* whether joints hold a side */
};

/* Before so many impacts are played: how both sides come. */
void sn_rigid_meeting_begin(const sn_world *world, size_t count);
/* Puts those that strike each other to where they meet; returns how many impacts these have, which
   are the first ones now, and are to be played again. */
size_t sn_rigid_meeting_find(sn_world *world, const sn_substep *substep, size_t count);
/* Whether both sides of a contact are where they met. */
bool sn_rigid_meeting_has(const sn_world *world, const sn_rigid_search *contact);
/* From there on all go with the velocities that they have now. */
void sn_rigid_meeting_end(const sn_world *world);

#endif
