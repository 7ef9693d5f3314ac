/* Sleeping: what the two halves of it share with each other and with the step. */
#ifndef SN_STEP_SLEEP_H
#define SN_STEP_SLEEP_H

#include "base/archive.h"
#include "step/step.h"

/* ---- wake.c: the beginning of a step ---- */

/* Wakes whom this step disturbs, and finds what is passed by; false when there is no memory. */
bool sn_sleep_plan(sn_step *step);
/* The end of the plan: it succeeded, or whoever it woke sleeps again. */
void sn_sleep_planned(sn_step *step, bool success);
/* Once pairs of collision surfaces are found: wakes sleepers that something is about to hit, and
   finds again if there were any; false when there is no memory. */
bool sn_sleep_contact(sn_step *step);
/* How many constraints are projected in a sweep. */
size_t sn_sleep_awake_constraints(const sn_world *world);
/* Whether a collider that moves in a step of dt seconds comes near a run of nodes. */
bool sn_sleep_is_disturbed(const sn_world *world, const sn_segment *run, double dt);
/* Whether the rotation of a kinematic node goes on by itself. */
bool sn_sleep_is_turned(const sn_world *world, size_t frame);

/* ---- serialize_sleep.c: to and from a snapshot ---- */

void sn_sleep_serialize(sn_world *world, sn_archive *a);

/* ---- sleep.c: the end of a step ---- */

/* Finds who is joined, where that has changed; returns whether it had. */
bool sn_sleep_find_joints(sn_world *world);
/* The root of what a node is joined with: a body if it is below joint_bodies. */
uint32_t sn_sleep_joint_of(const sn_world *world, uint32_t node);
void sn_sleep_end(sn_step *step);

#endif
