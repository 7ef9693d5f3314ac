/* Numbers within their range, or a sentence. */
#ifndef SN_BASE_RANGE_H
#define SN_BASE_RANGE_H

#include <sinew/base.h>

/* least <= value <= most, and finite; SN_AUTO passes where it is allowed. */
sn_result sn_check_real(const char *what, const char *name, sn_real value, double least,
                        double most, bool automatic, const char *unit);

/* The friction of what slides is at most that of what sticks. */
sn_result sn_check_dynamic_friction(const char *what, sn_real still, sn_real slides);

#endif
