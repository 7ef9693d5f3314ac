/* A 64-bit hash over numbers: the fingerprint of a state. */
#ifndef SN_BASE_HASH_H
#define SN_BASE_HASH_H

#include <sinew/support.h>

#endif
