/* Types that are added to a world at run time. */
#ifndef SN_CONSTRAINTS_USER_H
#define SN_CONSTRAINTS_USER_H

#include "base/memory.h"
#include "state/type.h"

#include <sinew/user.h>

/* A type from a definition that was checked; one allocation, or null with the error set. */
sn_constraint_type *sn_user_type_create(sn_memory *memory, const sn_user_type_def *def);

#endif
