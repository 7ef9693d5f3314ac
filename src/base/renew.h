/*
 * Room for arrays that are written anew before they are read.
 *
 * Unlike those of sn_reserve (memory.h) they are neither copied nor set to zero when they grow: a
 * large array costs the pages of it that are used, and it is the threads that use them that get
 * them from the system.
 */
#ifndef SN_BASE_RENEW_H
#define SN_BASE_RENEW_H

#include "base/memory.h"

/* Nothing of what was in it is left when it grows. False when there is no memory. */
bool sn_renew(sn_memory *memory, void **array, size_t *capacity, size_t needed, size_t element);

#endif
