/*
 * m, m/s: where a force of the present substep finds a node, and how fast it is there. BDF1 takes
 * both from the beginning of the substep, which keeps the energy of a field. BDF2 wants the force
 * at its end: one from its beginning comes h too late, and what swings with omega in a field gains
 * energy at the rate omega^2 h.
 */
#ifndef SN_STATE_AHEAD_H
#define SN_STATE_AHEAD_H

#include "state/step_context.h"

static inline bool sn_ahead_counts(const sn_step *step, size_t node) {
    const sn_world *world = step->world;
    return step->remembers && world->history.second[world->nodes.body[node]];
}

static inline sn_v4 sn_ahead_place(const sn_step *step, size_t node) {
    const sn_nodes *nodes = &step->world->nodes;
    sn_v4 x = *(const sn_v4 *)&nodes->x[node];
    if (!sn_ahead_counts(step, node)) return x;
    return x + (sn_real)step->h * *(const sn_v4 *)&nodes->v[node];
}

/* With the change of the velocity in the substep before. */
static inline sn_v4 sn_ahead_velocity(const sn_step *step, size_t node) {
    const sn_world *world = step->world;
    sn_v4 v = *(const sn_v4 *)&world->nodes.v[node];
    if (!sn_ahead_counts(step, node)) return v;
    return v + *(const sn_v4 *)&world->history.change[node] / (sn_real)step->h;
}

#endif
