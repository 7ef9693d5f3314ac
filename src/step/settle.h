/* What settling what limits stop (settle.c) and what contacts strike (settle_struck.c) share. */
#ifndef SN_STEP_SETTLE_H
#define SN_STEP_SETTLE_H

#include "step/step.h"

typedef void sn_settle_act(sn_step *step, uint32_t store, sn_place place);

bool sn_settle_is_joint(const sn_store *store);
bool sn_settle_is_limit(const sn_store *store, sn_place place);
/* What has a speed in the place of a target. */
bool sn_settle_is_motor(const sn_store *store, sn_place place);

/* Shows all joints, in the order of a sweep; those that are solved as trees too, or not. */
void sn_settle_for_joints(sn_step *step, bool trees, sn_settle_act *act);
/* Notes a joint at what has been stopped. */
void sn_settle_add_joint(sn_step *step, uint32_t index, sn_place place);
/* Goes over a joint once more; whether it is a limit that gave more than before. */
bool sn_settle_project(const sn_step *step, sn_settled_joint joint);

#endif
