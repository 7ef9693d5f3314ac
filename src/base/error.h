/* Results with a sentence: the last failure of each thread. */
#ifndef SN_BASE_ERROR_H
#define SN_BASE_ERROR_H

#include <sinew/support.h>

#endif
