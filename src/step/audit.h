/*
 * The energy audit of a step: what is looked at, and when. step/audit.c has the theory. Every call
 * is behind a null check of sn_step.audit, between stages and lines, and never in a loop of one but
 * where its rounds are of two causes in turn (settle_struck.c).
 */
#ifndef SN_STEP_AUDIT_H
#define SN_STEP_AUDIT_H

#include "state/audit_books.h"
#include "state/system.h"

/* Begins an audit, or begins it anew; false when there is no memory. */
bool sn_audit_start(sn_world *world);
bool sn_audit_is_on(const sn_world *world);
/* Memory for the step; false when there is none. */
bool sn_audit_reserve(sn_step *step);

/* The step begins: what differs from the end of the last one was done by calls. */
void sn_audit_begin(sn_step *step);
/* Before and after a line of the step. */
void sn_audit_enter(sn_step *step, const sn_stage_entry *entry);
void sn_audit_leave(sn_step *step, const sn_stage_entry *entry);
/* In a substep: nodes are where they would go by themselves; and have their velocities. */
void sn_audit_predicted(sn_step *step);
void sn_audit_updated(sn_step *step);
/* Charges what moved nodes in this substep, an entry of SN_STAGE_UPDATE. */
void sn_audit_sum_up(sn_step *step);

/* ---- Parts ---- */

/* audit_nodes.c: velocities as they are; motion begins; who has moved nodes since; what everybody
   has done to the nodes in the substep; and what a line has done to velocities, per body. */
void sn_audit_read_motion(sn_step *step);
void sn_audit_begin_motion(sn_step *step);
void sn_audit_note_motion(sn_step *step, sn_audit_cause cause);
void sn_audit_sum_motion(sn_step *step);
void sn_audit_charge_velocities(sn_step *step, size_t member);
/* The same of a line that is contact: friction turns, the rest is not explained yet. */
void sn_audit_bounce(sn_step *step);

/* audit_rows.c: memory, false when there is none. Between substeps: constraints as positions and
   parameters are now, all of them or those that flow; and what they store, for `fresh`. And what
   their forces did in a substep. */
bool sn_audit_reserve_rows(sn_world *world);
void sn_audit_follow_rows(sn_world *world);
void sn_audit_flow_rows(sn_world *world);
void sn_audit_measure_rows(sn_world *world);
void sn_audit_sum_rows(sn_world *world);

/* audit_contacts.c: what contacts have done so far; and what they did since, of which friction,
   colliders, kinematic nodes and other bodies have their parts, and impact the rest. Impulses are
   those of positions, or of velocities. */
void sn_audit_note_contacts(sn_step *step);
void sn_audit_sum_contacts(sn_step *step, bool positions);

static inline double sn_audit_dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

#define SN_AUDIT_MEMBER(name) offsetof(sn_audit, name)

#endif
