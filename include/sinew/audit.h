/*
 * An energy audit: where the energy of a world comes from, where it is, and where it goes.
 *
 * While an audit is on, every substep is looked at: what was stored before and after it, what was
 * put in from outside, and what each mechanism took. All numbers are sums in J since the audit
 * began, of the world or of one body, and they close by construction:
 *
 *   kinetic + potential + elastic - began = all works - all losses + unexplained
 *
 * An audit changes no bit of the simulation, and costs nothing where there is none. It is no part
 * of snapshots and recordings. What it finds does not depend on threads. docs/audit.md says how
 * each number is found, and how large `unexplained` is.
 */
#ifndef SINEW_AUDIT_H
#define SINEW_AUDIT_H

#include <sinew/node.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a number of an audit is. */
typedef enum sn_audit_part {
    SN_AUDIT_STORED = 0, /* J, when the last step ended */
    SN_AUDIT_BEGAN = 1,  /* J, stored when the audit began */
    SN_AUDIT_WORK = 2,   /* J, put in from outside; below zero where it was taken out */
    SN_AUDIT_LOSS = 3,   /* J, taken; below zero where it was given */
    SN_AUDIT_REST = 4    /* J, what closes the sum */
} sn_audit_part;

/* FIELD(part, name, meaning) */
#define SN_AUDIT_FIELDS(FIELD)                                                                     \
    FIELD(STORED, kinetic, "of motion, rotations included")                                        \
    FIELD(STORED, potential, "of gravity, zero at the origin")                                     \
    FIELD(STORED, elastic, "of constraints with a compliance above zero")                          \
    FIELD(BEGAN, began, "the sum of the three when the audit began")                               \
    FIELD(WORK, work_nodes, "by kinematic nodes, through constraints and contacts")                \
    FIELD(WORK, work_colliders, "by colliders that move, and by surfaces that flow")               \
    FIELD(WORK, work_forces, "by forces and torques on nodes, and by force fields")                \
    FIELD(WORK, work_air, "by wind, drag, lift and buoyancy")                                      \
    FIELD(WORK, work_targets, "by animation targets")                                              \
    FIELD(WORK, work_calls, "by calls between steps: what came, went, was moved or changed")       \
    FIELD(WORK, work_bodies, "by other bodies, through constraints and contacts; 0 of a world")    \
    FIELD(LOSS, lost_damping,                                                                      \
          "to dashpots, damping of points, bodies, groups and rates, and the "                     \
          "speed limit")                                                                           \
    FIELD(LOSS, lost_friction, "to friction, sliding and rolling")                                 \
    FIELD(LOSS, lost_impact, "to collisions: what they stop less what restitution gives back")     \
    FIELD(LOSS, lost_plasticity, "to plastic flow")                                                \
    FIELD(LOSS, lost_breaking, "to what broke or tore")                                            \
    FIELD(LOSS, lost_sleep, "to falling asleep")                                                   \
    FIELD(LOSS, lost_integrator, "to the integrator, which damps what changes within a substep")   \
    FIELD(LOSS, lost_solver,                                                                       \
          "to the solver, where it leaves constraints elsewhere than their forces say")            \
    FIELD(REST, unexplained, "what the sum of all others lacks")

#define SN_AUDIT_MEMBER_(part, name, meaning) double name;
/* The numbers of an audit, as listed above. */
typedef struct sn_audit {
    SN_AUDIT_FIELDS(SN_AUDIT_MEMBER_)
} sn_audit;
#undef SN_AUDIT_MEMBER_

/* Begins an audit, or begins it anew. While it is on, threads do the work of a backend. */
SN_API sn_result sn_world_audit_start(sn_world *world);
/* Ends it and forgets its sums; nothing happens where none is on. */
SN_API sn_result sn_world_audit_stop(sn_world *world);

/* The sums up to the end of the last step, of the world or of a body; SN_ERROR_VALUE where no audit
   is on. A constraint between bodies belongs to that of its first node that can move. */
SN_API sn_result sn_world_get_audit(const sn_world *world, sn_audit *audit);
SN_API sn_result sn_body_get_audit(const sn_world *world, sn_body body, sn_audit *audit);

/* What the numbers are, in the order of the struct: all of them are doubles. */
typedef struct sn_audit_field {
    sn_audit_part part;
    const char *name;
    const char *meaning;
} sn_audit_field;
SN_API const sn_audit_field *sn_audit_fields(size_t *count);

#ifdef __cplusplus
}
#endif

#endif
