/* One step of the world, and what its stages share. */
#ifndef SN_STEP_STEP_H
#define SN_STEP_STEP_H

#include "state/step_context.h"

typedef struct sn_schedule sn_schedule;

/* Moves the world on by dt > 0. The world is unchanged when this fails. */
sn_result sn_step_run(sn_world *world, double dt);

/* ---- The stages, each in a file of its own ---- */

/* plan.c: everything that can fail, false when there is no memory; the part of it that is about
   nodes and constraints; and then the coefficients of the constraints. */
bool sn_step_plan(sn_step *step, sn_schedule *schedule);
bool sn_step_reserve(sn_step *step);
void sn_step_derive(sn_step *step);
/* Before the prediction of every substep but the first: who is to be integrated how. */
void sn_step_next(sn_step *step);

/* Makes all coefficients anew in the middle of a step, because masses have changed. */
void sn_step_derive_all(sn_step *step);

/* freeze.c: what is not finite is contained. */
void sn_freeze_begin(sn_step *step);
void sn_freeze_apply(sn_step *step);
/* Tells from a sum over positions whether all of them are finite. */
static inline bool sn_freeze_is_finite(sn_vec4 sum) {
    sn_real test = ((sum.x - sum.x) + (sum.y - sum.y)) + (sum.z - sum.z);
    return test == 0;
}
static inline void sn_freeze_watch(sn_step *step, sn_vec4 sum) {
    if (!sn_freeze_is_finite(sum))
        atomic_store_explicit(&step->spoiled, true, memory_order_relaxed);
}

/* kinematics.c: kinematic nodes on their way. */
void sn_kinematics_begin(sn_step *step);
void sn_kinematics_move(sn_step *step);
void sn_kinematics_end(sn_step *step);

/* wrap.c: who cannot be in a periodic world; and who leaves it comes in at the other side. */
sn_result sn_wrap_check(const sn_world *world);
bool sn_wrap_is_needed(const sn_world *world);
void sn_wrap_nodes(sn_step *step);

/* rotate.c: the rotational half of time integration, for oriented nodes. */
void sn_rotate_begin(sn_step *step);
void sn_rotate_predict(sn_step *step);
void sn_rotate_update(sn_step *step);
void sn_rotate_end(sn_step *step);

/* forces.c: accelerations of a substep, which begin with the forces on nodes; those of fields; the
   sum of all for who records. And whether functions of the user act, here or in a system. */
void sn_forces_begin(sn_step *step);
bool sn_forces_have_fields(const sn_world *world);
void sn_forces_add_fields(sn_step *step);
bool sn_forces_are_recorded(const sn_world *world);
void sn_forces_record(sn_step *step);
void sn_forces_end(sn_step *step);
bool sn_forces_call_user(const sn_world *world);

/* integrate.c: the two halves of the integrator, and both in one pass; and that as a stage of a
   flow, without windows. */
typedef struct sn_node_pass {
    sn_step *step;
    bool update, predict;
} sn_node_pass;
sn_flow_stage sn_node_pass_stage(sn_node_pass *pass);
void sn_predict(sn_step *step);
void sn_update(sn_step *step);
void sn_update_and_predict(sn_step *step);

/* track_plan.c: tracks for the sweeps of the step, if they are of use; false when there is no
   memory. */
bool sn_tracks_plan(sn_step *step);

/* coloured.c: the stores of a rank, with any solver. `first` is true where lambda starts at
   zero. */
void sn_project_rank(sn_step *step, int rank, bool first);

/* project.c: one iteration of the solver; and types that are bounds, behind it, if there are. */
void sn_project_constraints(sn_step *step);
bool sn_project_has_bounds(const sn_world *world);
void sn_project_bounds(sn_step *step);

/* dashpots.c: the damping of constraints; and in every how-many-th substep they are applied. */
size_t sn_dashpots_interval(const sn_step *step);
bool sn_dashpots_are_needed(const sn_world *world);
void sn_dashpots_apply(sn_step *step);
/* Bytes for a sweep on tracks over so many colours. */
size_t sn_dashpots_bytes(size_t colours);

/* velocity_projection.c: what constraints do to velocities after a substep. */
bool sn_velocity_projection_is_needed(const sn_world *world);
void sn_velocity_projection_apply(sn_step *step);

/* breaking.c: constraints whose force was too large, and whether there can be some. */
bool sn_breaking_is_possible(const sn_world *world);
void sn_breaking_find(sn_step *step);
void sn_breaking_end(sn_step *step);

/* impacts.c: one-sided constraints that are hit, for integrators that remember; whether there can
   be any, memory for that, and at the end of a substep, whose bodies begin anew. */
bool sn_impacts_are_possible(const sn_world *world);
bool sn_impacts_reserve(sn_step *step);
void sn_impacts_find(sn_step *step);
/* Whether what a row does to its nodes is more than rest asks for; and whether a node, or its
   frame, can be moved by a constraint. */
bool sn_impacts_is_one(const sn_step *step, sn_members members, const sn_vec3 *gradient,
                       double lambda);
bool sn_impacts_gives_way(const sn_world *world, sn_members members, int n);

/* settle.c: limits of joints that are hit, and motors; whether there are any, memory for that, and
   rounds over them and the joints beside them after the last sweep of a substep. */
bool sn_settle_is_possible(const sn_world *world);
bool sn_settle_reserve(sn_step *step);
void sn_settle_joints(sn_step *step);
/* settle_struck.c: joints of what contacts strike; whether any may be, and rounds over them and the
   contacts behind those of the substep. */
bool sn_settle_may_be_struck(const sn_world *world);
void sn_settle_struck(sn_step *step);

/* fit_forces.c: the forces that are told after a step of short substeps; and memory for that. */
bool sn_fit_forces_is_needed(const sn_step *step);
bool sn_fit_forces_needs(const sn_step *step, const sn_store *store);
bool sn_fit_forces_reserve(sn_step *step);
void sn_fit_forces_add(sn_step *step);
void sn_fit_forces_end(sn_step *step);

/* plasticity.c */
void sn_plasticity_apply(sn_step *step);
/* The nodes of a constraint relative to node 0 when a step is over; d is the rounding of x then. */
void sn_step_look_at(const sn_nodes *nodes, sn_members members, sn_vec3 x[SN_MAX_NODES]);

/* swelling.c: radii of nodes that follow from how long segments are. */
bool sn_swelling_is_possible(const sn_world *world);
void sn_swelling_apply(sn_step *step);

/* How often a substep goes through all constraints. */
size_t sn_step_sweeps(const sn_settings *settings);
/* The masses that coefficients of a colour are made with. */
sn_masses sn_step_masses(const sn_step *step, const sn_store *store, uint8_t colour);
/* What the loops see of a colour in this step. */
sn_batch sn_step_batch(const sn_world *world, const sn_store *store, uint8_t colour);
/* How the loops of a store must be: soft enough for every constraint in it. */
sn_softness sn_step_softness(const sn_world *world, const sn_store *store);
/* Whether a store keeps its multipliers in this step. */
bool sn_step_keeps(const sn_world *world, const sn_store *store);
/* Says so of all stores for a substep: what is read after the step is that of the last one. */
void sn_step_keep(const sn_step *step, bool last);

#endif
