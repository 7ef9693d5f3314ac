/* What the stages of a step share: how long it is, and where in it they are. */
#ifndef SN_STATE_STEP_CONTEXT_H
#define SN_STATE_STEP_CONTEXT_H

#include "state/world.h"

#include <stdatomic.h>

typedef struct sn_step {
    sn_world *world;
    const struct sn_solver_type *solver;         /* step/solvers/solver.h */
    const struct sn_integrator_type *integrator; /* step/integrators/integrator.h */
    bool remembers; /* whether the integrator goes on with earlier substeps (history.h) */
    double dt;      /* s, of the whole step */
    double h;       /* s, of a substep */
    size_t substeps;
    size_t substep;      /* the present one, from 0 */
    int iterations;      /* of a substep */
    int iteration;       /* the present one, from 0 */
    bool aimed;          /* whether frames are on their way to a target */
    bool twisted;        /* whether torques or point damping act on frames */
    bool turns_on;       /* whether the update of frames predicts the next substep as well */
    bool turned_on;      /* whether that of the substep before has done so */
    bool pushed;         /* whether accelerations are per node: nodes have forces, or an entry of
                            SN_STAGE_FORCES is active */
    size_t fitted;       /* numbers that a line of multipliers is laid through (fit_forces.c) */
    bool ending;         /* whether the sweep that begins may end with the pass over the nodes, and
                            has not done so */
    size_t settled;      /* joints that were gone over since contacts struck them */
    bool woken;          /* whether the plan has begun to wake bodies */
    atomic_bool spoiled; /* whether something may not be finite */
    sn_backend *backend; /* that takes part in this step; null where threads do everything */
    bool resident;       /* whether it integrates as well */
    struct sn_audit_books *audit; /* of an energy audit (step/audit.h); null where there is none */
} sn_step;

/* A substep: how long it is, and where in its step. */
typedef struct sn_substep {
    double h;    /* s, of a substep */
    double dt;   /* s, of the step */
    double done; /* the part of the step that was there when the substep began, 0 to 1 */
    double will; /* and when it ends */
} sn_substep;

static inline sn_substep sn_step_substep(const sn_step *step) {
    double substeps = (double)step->substeps, done = (double)step->substep;
    return (sn_substep){step->h, step->dt, done / substeps, (done + 1) / substeps};
}

/* What force fields and wind are shown in the present substep. */
static inline sn_force_field_input sn_step_input(const sn_step *step) {
    const sn_world *world = step->world;
    return (sn_force_field_input){
        .count = world->nodes.slots.count,
        .position = world->nodes.x,
        .velocity = world->nodes.v,
        .inverse_mass = world->nodes.w,
        .time = world->time - world->carry + step->h * (double)step->substep,
    };
}

#endif
