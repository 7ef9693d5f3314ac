/*
 * What an integrator of two steps remembers of the substep before, and which bodies may use it.
 * step/integrators/bdf2.c has the formulas. Worlds that never use BDF2 have none of it.
 *
 * A body that restarts has nothing to remember: its next substep is one of BDF1, and the one after
 * that of BDF2 again. Index 0 of the arrays per body stands for the nodes without a body.
 */
#ifndef SN_STATE_HISTORY_H
#define SN_STATE_HISTORY_H

#include "base/memory.h"
#include "math/vector.h"

/* What the next substep of a body is. After an impact two are of BDF1: the change of the velocity
   in the first is still the impact's, and must not be gone on with. */
typedef enum sn_history_ready {
    SN_HISTORY_NOT_READY,
    SN_HISTORY_READY,
    SN_HISTORY_LATER, /* not ready, nor is the one after it */
} sn_history_ready;

typedef struct sn_history {
    /* Per node: state, */
    sn_vec4 *s;      /* m, by how much h v is more than the motion of the substep before */
    sn_vec4 *change; /* m, of h v in the substep before; during a substep, of the motion, as far
                        as it was predicted */
    /* and scratch of a substep. */
    sn_vec4 *predicted; /* m, d as it was predicted */
    sn_vec4 *base;      /* m, what constraints see as p: d - base is 2/3 of h v */
    sn_real *w;         /* 1/kg, what constraints see: 4/9 of its own in a substep of BDF2 */
    size_t capacity;
    /* Per frame, in the world: state, */
    sn_vec4 *turn_s;      /* kg m^2 rad, inertia times (h omega - turn) of the substep before */
    sn_vec4 *turn_change; /* kg m^2/s, of the angular momentum in the substep before */
    /* and scratch of a substep, in which these two are as far as they were predicted. */
    sn_vec4 *turn_w; /* 1/(kg m^2), what constraints see */
    size_t frame_capacity;
    /* Per body: state, */
    uint8_t *ready;  /* whether its next substep may be one of BDF2: sn_history_ready */
    uint8_t *second; /* whether the present one is */
    uint8_t *before; /* whether the one before was */
    /* and scratch. */
    uint8_t *touched; /* whether w of its nodes has changed since the substep before */
    uint8_t *struck;  /* whether the present one ends as one of BDF1, since contacts changed */
    size_t body_capacity;
    /* State, and what the integrator of the step says. */
    bool settled; /* all bodies have been with BDF2 for two substeps: nothing will change */
    bool used;    /* whether the integrator of the last step, or of the present one, keeps it */
    double share; /* the part of an inverse mass that constraints see in a substep of BDF2 */
} sn_history;

/* Room for these numbers of nodes, frames and entries per body; false when there is no memory. What
   is new is not ready. */
bool sn_history_reserve(sn_history *history, sn_memory *memory, size_t nodes, size_t frames,
                        size_t bodies);
void sn_history_free(sn_history *history, sn_memory *memory);

/* Forgets what there is about a body, or about all. */
void sn_history_restart(sn_history *history, uint32_t body);
void sn_history_restart_all(sn_history *history);

/* In a substep, before it is updated: contacts of a body have changed. A velocity that follows from
   where it was before an impact would go on with the impact, so the substep ends with the motion
   that it made, and the next two begin anew. */
void sn_history_strike(sn_history *history, uint32_t body);

/* Makes a node stand still, or a frame. Those that there is no room for have nothing to forget. */
void sn_history_forget(sn_history *history, uint32_t node);
void sn_history_forget_frame(sn_history *history, uint32_t frame);

/* Tells of a node that goes the way of its own: where it goes and from where, as d and p, and the
   difference with all its digits. */
void sn_history_drive(sn_history *history, uint32_t node, sn_v4 d, sn_v4 p, sn_v4 motion);

/* The part of the inverse masses of a body that constraints see in the present substep. */
static inline double sn_history_share(const sn_history *history, uint32_t body) {
    return history->used && history->second[body] ? history->share : 1;
}

/* The same when it ends, of what a force moves a node by: all where it ends as one of BDF1. */
static inline double sn_history_end_share(const sn_history *history, uint32_t body) {
    double share = sn_history_share(history, body);
    return share < 1 && history->struck[body] ? 1 : share;
}

/* Goes on to the next substep; returns whether any body was touched. */
bool sn_history_next(sn_history *history, size_t bodies);

#endif
