/* The tethers of sheets. */
#ifndef SN_API_SHEET_TETHERS_H
#define SN_API_SHEET_TETHERS_H

#include "state/world.h"

/* Makes the tethers of a sheet from its rest state and its kinematic nodes, in place of those that
   it has. Without memory it may be left without any, and is loose. */
sn_result sn_sheet_own_tethers(sn_world *world, uint32_t sheet);

/* The same for every sheet that is loose: nothing, unless something has changed. */
sn_result sn_sheets_own_tethers(sn_world *world);

#endif
