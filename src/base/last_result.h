/* What failed last, for those who are told only that something did. */
#ifndef SN_BASE_LAST_RESULT_H
#define SN_BASE_LAST_RESULT_H

#include "base/error.h"

/* What sn_fail was last called with on this thread; SN_OK before the first time. */
sn_result sn_last_result(void);

#endif
