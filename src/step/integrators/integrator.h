/*
 * The contract of an integrator: how the motion of nodes goes on in time.
 *
 * An integrator is one file here and one line in SN_INTEGRATORS (sinew/world.h), from which the
 * table in integrate.c, the names in scene files and the checks of settings follow. The step asks
 * no number but the object, sn_step.integrator. Orientations go on by the formulas of the history
 * that it keeps (rotate.c).
 *
 * Predict and update are two halves of one function, because they are one pass over the nodes where
 * nothing between two substeps needs velocities. integrate.c deals out the nodes.
 *
 * What an integrator remembers of earlier substeps is in world->history, which snapshots, hashes,
 * calls that make a body begin anew and driven nodes know without knowing who keeps it. What
 * constraints see of it is in world->history as well: other masses and another base for damping.
 */
#ifndef SN_STEP_INTEGRATORS_INTEGRATOR_H
#define SN_STEP_INTEGRATORS_INTEGRATOR_H

#include "step/step.h"

#include "math/vector.h"

/* What the nodes of a segment have in common. */
typedef struct sn_integration {
    sn_v4 gravity_h2; /* m, what gravity adds to the motion */
    sn_real lose;     /* the part of a motion that point damping takes */
    sn_real h, h2;
    sn_real limit;               /* m, the longest motion, or SN_AUTO */
    const sn_vec4 *acceleration; /* m/s^2, of forces and fields; null where none act */
    bool special;                /* whether there is more than gravity */
} sn_integration;

/* What an energy audit must know of a node whose substep is about to be updated. */
typedef struct sn_integrator_look {
    double v[3];  /* m/s, that it will have */
    double share; /* a force moves it by so much of what it would by h^2 / m */
    double lose;  /* the part of a velocity that point damping has taken in the prediction */
    bool late;    /* whether of the one at the end of the substep, not at its beginning */
} sn_integrator_look;

typedef struct sn_integrator_type {
    /*
     * Whether every sweep over what is solved in turn goes forth and back. In one direction alone
     * constraints pull harder on what comes later, and waves that run one way gain energy. On a
     * chain BDF1 takes from them just what they gain; an integrator that takes next to nothing
     * would let a hard cloth boil within a second. Forth and back, as all together, they pull
     * evenly.
     */
    bool both_ways;
    /* Memory for a step; false when there is none. Null where nothing is remembered, and with it
       the next three. */
    bool (*plan)(sn_world *world);
    /* Goes on to the next substep; whether nodes of some bodies have other masses by that
       (history.touched). */
    bool (*advance)(sn_world *world);
    /* Makes the inverse masses that constraints see (history.w). */
    void (*weigh)(sn_world *world);
    /* s, in which nodes make the motion that damping of constraints acts on. */
    double (*rate_h)(double h);
    /* The end of a substep, the beginning of the next, or both, for a run of nodes of one body.
       Returns a sum that shows what is not finite. */
    sn_v4 (*integrate)(const sn_world *world, size_t begin, size_t end, uint32_t body,
                       const sn_integration *terms, bool update, bool predict);
    void (*look)(const sn_world *world, size_t node, const sn_integration *terms,
                 sn_integrator_look *look);
    bool offloads; /* whether backends have it as well */
} sn_integrator_type;

/* integrate.c: the table. */
const sn_integrator_type *sn_integrator_of(const sn_settings *settings);
/* What acts on the nodes of a body (slot + 1, or 0 for those without one) in this substep. */
sn_integration sn_integration_of(const sn_step *step, uint32_t body);

/* m: how far a node has moved in the substep, with all its digits. */
static inline void sn_integrator_motion(const sn_nodes *nodes, size_t node, double motion[3]) {
    sn_vec4 d = nodes->d[node], p = nodes->p[node];
    motion[0] = (double)d.x - (double)p.x;
    motion[1] = (double)d.y - (double)p.y;
    motion[2] = (double)d.z - (double)p.z;
}

/* Shortens a motion to the limit. */
SN_INLINE sn_v4 sn_limited(sn_v4 motion, sn_real limit) {
    sn_v4 square = motion * motion;
    sn_real sum = (square[0] + square[1]) + square[2];
    if (sum > limit * limit) motion *= limit / SN_ROOT(sum);
    return motion;
}

#endif
