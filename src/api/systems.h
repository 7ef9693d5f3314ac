/* The list of systems, as the rest of the library sees it. */
#ifndef SN_API_SYSTEMS_H
#define SN_API_SYSTEMS_H

#include "state/world.h"

sn_system_list sn_systems(void);

/* The calls that change what a system has; null for none. */
const sn_call_table *sn_system_calls(const sn_system *system);

#endif
