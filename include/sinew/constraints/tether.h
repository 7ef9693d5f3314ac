#ifdef SN_LIST_TYPE
SN_LIST_TYPE(tether, TETHER)
#elif !defined(SINEW_TETHER_H)
#define SINEW_TETHER_H
#include <sinew/constraint.h>

/*
 * Keeps node 0 within reach of a kinematic node, or of a point that stands still (a long range
 * attachment; Kim et al. 2012): C = |x0 - x1| - length in m, so compliance is in m/N and damping in
 * N s/m. The anchor is node 1, which is followed and never moved, or the origin of the world when
 * node 1 is the null id. Allowed is C <= 0, unless `side` says otherwise. Tethers have the last
 * word of all constraints, before contacts: with one hard tether per node none is longer than its
 * length when a substep ends. sn_sheet_tether makes them for a whole sheet.
 */
#define SN_TETHER_FIELDS(FIELD)                                                                    \
    FIELD(REAL, length, "m", 0, SN_REAL_MAX, SN_AUTO, true,                                        \
          "distance at which C = 0; automatic: the distance at creation")

SN_DECLARE_CONSTRAINT(tether, 2, SN_TETHER_FIELDS)
#endif
