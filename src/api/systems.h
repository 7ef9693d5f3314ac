/* The list of systems, as the rest of the library sees it. */
#ifndef SN_API_SYSTEMS_H
#define SN_API_SYSTEMS_H

#include "state/world.h"

sn_system_list sn_systems(void);

#endif
