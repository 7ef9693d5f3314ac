/* The side of the step where a backend takes part in it. Without one, all of this does nothing. */
#ifndef SN_STEP_OFFLOAD_H
#define SN_STEP_OFFLOAD_H

#include "step/schedule.h"

/* When the coefficients of a step are made; and again in the middle of it. */
void sn_offload_begin(sn_step *step, const sn_schedule *schedule);
void sn_offload_renew(sn_step *step);

/* Whether the backend does a colour; if not, all of the state is here. */
bool sn_offload_colour(sn_step *step, const sn_store *store, uint8_t colour, bool first);

/* Brings parts of the state back, or what an entry wants of it. */
void sn_offload_fetch(sn_step *step, uint32_t state);
void sn_offload_fetch_for(sn_step *step, const sn_stage_entry *entry);

/* When the substeps are over: everything is here. */
void sn_offload_end(sn_step *step);

#endif
