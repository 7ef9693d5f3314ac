#include "base/range.h"

#include "base/error.h"

#include <sinew/field.h>

#include <math.h>

sn_result sn_check_real(const char *what, const char *name, sn_real value, double least,
                        double most, bool automatic, const char *unit) {
    if (automatic && value == SN_AUTO) return SN_OK;
    const char *space = *unit ? " " : "";
    if (!isfinite(value))
        return sn_fail(SN_ERROR_VALUE, "%s: %s is %g, expected a finite number", what, name,
                       (double)value);
    if ((double)value < least && least == SN_ABOVE_ZERO)
        return sn_fail(SN_ERROR_VALUE, "%s: %s is %g, expected above 0%s%s", what, name,
                       (double)value, space, unit);
    if ((double)value < least)
        return sn_fail(SN_ERROR_VALUE, "%s: %s is %g, expected at least %g%s%s", what, name,
                       (double)value, least, space, unit);
    if ((double)value > most)
        return sn_fail(SN_ERROR_VALUE, "%s: %s is %g, expected at most %g%s%s", what, name,
                       (double)value, most, space, unit);
    return SN_OK;
}

sn_result sn_check_dynamic_friction(const char *what, sn_real still, sn_real slides) {
    if (slides <= still) return SN_OK;
    return sn_fail(SN_ERROR_VALUE,
                   "%s: dynamic_friction is %g and static_friction %g, expected the first to be "
                   "at most the second: set both",
                   what, (double)slides, (double)still);
}
