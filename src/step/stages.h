/* The lines of the step that belong to no system. */
#ifndef SN_STEP_STAGES_H
#define SN_STEP_STAGES_H

#include "state/system.h"

extern const sn_stage_entry sn_step_stages[];
extern const size_t sn_step_stages_count;

#endif
