/* One step of the world, and what its stages share. */
#ifndef SN_STEP_STEP_H
#define SN_STEP_STEP_H

#include "world/world.h"

typedef struct sn_step {
    sn_world *world;
    double dt; /* s, of the whole step */
    double h;  /* s, of a substep */
    size_t substeps;
    size_t substep; /* the present one, from 0 */
    bool pushed;    /* whether forces or fields act, so that accelerations are per node */
} sn_step;

/* Moves the world on by dt > 0. The world is unchanged when this fails. */
sn_result sn_step_run(sn_world *world, double dt);

/* ---- The stages, each in a file of its own ---- */

/* plan.c: everything that can fail, and then the coefficients of the constraints. */
sn_result sn_step_plan(sn_step *step);
void sn_step_derive(sn_step *step);

/* kinematics.c: kinematic nodes on their way. */
void sn_kinematics_begin(sn_step *step);
void sn_kinematics_move(sn_step *step);
void sn_kinematics_end(sn_step *step);

/* forces.c: accelerations of forces and fields. */
void sn_forces_gather(sn_step *step);
void sn_forces_end(sn_step *step);

/* integrate.c: the two halves of time integration, and both in one pass. */
void sn_predict(sn_step *step);
void sn_update(sn_step *step);
void sn_update_and_predict(sn_step *step);

/* coloured.c and reference.c: one sweep over all constraints; first where lambda starts at zero. */
void sn_project_coloured(sn_step *step, bool first);
void sn_project_reference(sn_step *step, bool first);

/* damping.c: the damping of the 2007 paper, which keeps rigid motion. */
bool sn_damping_is_needed(const sn_world *world);
void sn_damping_apply(sn_step *step);

/* breaking.c: constraints whose force was too large. */
void sn_breaking_find(sn_step *step);
void sn_breaking_end(sn_step *step);

/* How the loops of a store must be: soft enough for every constraint in it. */
sn_softness sn_step_softness(const sn_world *world, const sn_store *store);
/* Whether a store keeps its multipliers in this step. */
bool sn_step_keeps(const sn_world *world, const sn_store *store);

#endif
