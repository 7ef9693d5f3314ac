/* The list of constraint types, as the rest of the library sees it. */
#ifndef SN_API_TYPES_H
#define SN_API_TYPES_H

#include "state/world.h"

sn_type_list sn_types(void);

#endif
