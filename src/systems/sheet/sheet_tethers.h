/* The tethers of sheets. */
#ifndef SN_SYSTEMS_SHEET_SHEET_TETHERS_H
#define SN_SYSTEMS_SHEET_SHEET_TETHERS_H

#include "state/step_context.h"

/* Makes the tethers of a sheet from its rest state and its kinematic nodes, in place of those that
   it has. Without memory it may be left without any, and is loose. */
sn_result sn_sheet_own_tethers(sn_world *world, uint32_t sheet);

/* In the plan of a step: whether a sheet is loose, because something has changed; and tethers for
   all that are, false when there is no memory. */
bool sn_sheets_are_loose(const sn_world *world);
bool sn_sheets_plan_tethers(sn_step *step);

#endif
